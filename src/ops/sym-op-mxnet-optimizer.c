/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-steps.h"
#include "ops/sym-op-mxnet.h"

/* Steps of optimizers.  The result is the new weight; states are changed in place. */

static const SymAttributeSpec step_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec sgd_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "lazy_update", SYM_ATTRIBUTE_BOOL, "True", "whether sparse gradients change only their rows" },
  { NULL },
};

static const SymAttributeSpec sgd_mom_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.0", "how much of the last step is kept" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "lazy_update", SYM_ATTRIBUTE_BOOL, "True", "whether sparse gradients change only their rows" },
  { NULL },
};

static const SymAttributeSpec nag_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.0", "how much of the last step is kept" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec signum_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.0", "how much of the last step is kept" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "wd_lh", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay apart from the gradient" },
  { NULL },
};

static const SymAttributeSpec ftml_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "beta1", SYM_ATTRIBUTE_FLOAT, "0.6", "decay of the mean" },
  { "beta2", SYM_ATTRIBUTE_FLOAT, "0.999", "decay of the variance" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-08", "added to what divides" },
  { "t", SYM_ATTRIBUTE_INT, NULL, "number of the step" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_grad", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec adam_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "beta1", SYM_ATTRIBUTE_FLOAT, "0.9", "decay of the mean" },
  { "beta2", SYM_ATTRIBUTE_FLOAT, "0.999", "decay of the variance" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-08", "added to what divides" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "lazy_update", SYM_ATTRIBUTE_BOOL, "True", "whether sparse gradients change only their rows" },
  { NULL },
};

static const SymAttributeSpec rmsprop_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "gamma1", SYM_ATTRIBUTE_FLOAT, "0.95", "decay of the squares" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-08", "added to what divides" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "clip_weights", SYM_ATTRIBUTE_FLOAT, "-1.0", "where weights are cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec alex_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "gamma1", SYM_ATTRIBUTE_FLOAT, "0.95", "decay of the squares" },
  { "gamma2", SYM_ATTRIBUTE_FLOAT, "0.9", "how much of the last step is kept" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-08", "added to what divides" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "clip_weights", SYM_ATTRIBUTE_FLOAT, "-1.0", "where weights are cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec ftrl_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "lamda1", SYM_ATTRIBUTE_FLOAT, "0.01", "factor of the absolute penalty" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "smoothing of the learning rate" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec adagrad_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-07", "added to what divides" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec group_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to what divides" },
  { NULL },
};

static const SymAttributeSpec adamw_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "beta1", SYM_ATTRIBUTE_FLOAT, "0.9", "decay of the mean" },
  { "beta2", SYM_ATTRIBUTE_FLOAT, "0.999", "decay of the variance" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-08", "added to what divides" },
  { "wd", SYM_ATTRIBUTE_FLOAT, "0.0", "weight decay" },
  { "eta", SYM_ATTRIBUTE_FLOAT, NULL, "factor of the schedule" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec phase_attributes[] = {
  { "beta1", SYM_ATTRIBUTE_FLOAT, "0.9", "decay of the mean" },
  { "beta2", SYM_ATTRIBUTE_FLOAT, "0.999", "decay of the variance" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-06", "added to what divides" },
  { "t", SYM_ATTRIBUTE_INT, NULL, "number of the step" },
  { "bias_correction", SYM_ATTRIBUTE_BOOL, "True", "whether first steps are corrected" },
  { "wd", SYM_ATTRIBUTE_FLOAT, NULL, "weight decay" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { NULL },
};

static const SymAttributeSpec bound_attributes[] = {
  { "lr", SYM_ATTRIBUTE_FLOAT, NULL, "learning rate" },
  { "lower_bound", SYM_ATTRIBUTE_FLOAT, "-1.0", "least norm of the weight" },
  { "upper_bound", SYM_ATTRIBUTE_FLOAT, "-1.0", "greatest norm of the weight" },
  { NULL },
};

/* ---- One weight ---- */

#define SLOTS(name_, ...) \
  static const SymSlotSpec name_##_slots[] = { { "weight" }, { "grad" }, __VA_ARGS__{ NULL } };

static const SymSlotSpec plain_slots[] = { { "weight" }, { "grad" }, { NULL } };
SLOTS (mom, { "mom" }, )
SLOTS (mp, { "weight32" }, )
SLOTS (mp_mom, { "mom" }, { "weight32" }, )
SLOTS (ftml, { "d" }, { "v" }, { "z" }, )
SLOTS (adam, { "mean" }, { "var" }, )
SLOTS (mp_adam, { "mean" }, { "var" }, { "weight32" }, )
SLOTS (n, { "n" }, )
SLOTS (alex, { "n" }, { "g" }, { "delta" }, )
SLOTS (ftrl, { "z" }, { "n" }, )
SLOTS (history, { "history" }, )
SLOTS (adamw, { "mean" }, { "var" }, { "rescale_grad" }, )
SLOTS (mp_adamw, { "mean" }, { "var" }, { "weight32" }, { "rescale_grad" }, )

static const SymSlotSpec phase2_slots[] = { { "weight" }, { "g" }, { "r1" }, { "r2" }, { NULL } };
static const SymSlotSpec mp_phase2_slots[] = { { "weight" }, { "g" },        { "r1" },
                                               { "r2" },     { "weight32" }, { NULL } };

/* Operands [0, last] have the shape of the weight, and the first two its dtype. */
static gboolean
infer_mixed (SymRule *rule, guint last, GError **error)
{
  return sym_rule_tie_shapes (rule, 0, last, error) && sym_rule_tie_dtypes (rule, 0, 1, error);
}

static gboolean
infer_mp (SymRule *rule, GError **error)
{
  for (guint i = 2; i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_rule_set_input_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return infer_mixed (rule, G_MAXUINT - 1, error);
}

/* The direction of the step, before its length is known, in full precision. */
static gboolean
infer_mp_phase1 (SymRule *rule, GError **error)
{
  for (guint i = 2; i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_rule_set_input_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return sym_rule_tie_shapes (rule, 0, G_MAXUINT - 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error);
}

/* r1 and r2, the norms of weight and direction, are single numbers. */
static gboolean
infer_phase2 (SymRule *rule, GError **error)
{
  for (guint i = 2; i < 4; i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (1), error))
      return FALSE;
  return sym_rule_tie_shapes (rule, 0, 1, error) && sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_op_pass_shape (rule, 4, 0, error);
}

/* The last operand is a single number. */
static gboolean
infer_adamw (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);

  return n < 3 || infer_mixed (rule, n - 2, error);
}

/* The history has a number for each row. */
static gboolean
infer_group (SymRule *rule, GError **error)
{
  return infer_mixed (rule, 1, error);
}

/* ---- Several weights ---- */

static const SymAttributeSpec multi_attributes[] = {
  { "lrs", SYM_ATTRIBUTE_FLOATS, NULL, "learning rates" },
  { "wds", SYM_ATTRIBUTE_FLOATS, NULL, "weight decays" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "num_weights", SYM_ATTRIBUTE_INT, "1", "number of weights" },
  { NULL },
};

static const SymAttributeSpec multi_mom_attributes[] = {
  { "lrs", SYM_ATTRIBUTE_FLOATS, NULL, "learning rates" },
  { "wds", SYM_ATTRIBUTE_FLOATS, NULL, "weight decays" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.0", "how much of the last step is kept" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "num_weights", SYM_ATTRIBUTE_INT, "1", "number of weights" },
  { NULL },
};

static const SymAttributeSpec preloaded_attributes[] = {
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "num_weights", SYM_ATTRIBUTE_INT, "1", "number of weights" },
  { NULL },
};

static const SymAttributeSpec preloaded_mom_attributes[] = {
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.0", "how much of the last step is kept" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "num_weights", SYM_ATTRIBUTE_INT, "1", "number of weights" },
  { NULL },
};

static const SymAttributeSpec multi_adamw_attributes[] = {
  { "lrs", SYM_ATTRIBUTE_FLOATS, NULL, "learning rates" },
  { "beta1", SYM_ATTRIBUTE_FLOAT, "0.9", "decay of the mean" },
  { "beta2", SYM_ATTRIBUTE_FLOAT, "0.999", "decay of the variance" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-08", "added to what divides" },
  { "wds", SYM_ATTRIBUTE_FLOATS, NULL, "weight decays" },
  { "etas", SYM_ATTRIBUTE_FLOATS, NULL, "factors of the schedule" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "num_weights", SYM_ATTRIBUTE_INT, "1", "number of weights" },
  { NULL },
};

static const SymAttributeSpec lamb_attributes[] = {
  { "learning_rates", SYM_ATTRIBUTE_FLOATS, NULL, "learning rates" },
  { "beta1", SYM_ATTRIBUTE_FLOAT, "0.9", "decay of the mean" },
  { "beta2", SYM_ATTRIBUTE_FLOAT, "0.999", "decay of the variance" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-06", "added to what divides" },
  { "wds", SYM_ATTRIBUTE_FLOATS, NULL, "weight decays" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "lower_bound", SYM_ATTRIBUTE_FLOAT, "-1.0", "least norm of a weight" },
  { "upper_bound", SYM_ATTRIBUTE_FLOAT, "-1.0", "greatest norm of a weight" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "bias_correction", SYM_ATTRIBUTE_BOOL, "True", "whether first steps are corrected" },
  { "step_count", SYM_ATTRIBUTE_INTS, NULL, "number of the step of each" },
  { "num_tensors", SYM_ATTRIBUTE_INT, "1", "number of weights" },
  { NULL },
};

static const SymAttributeSpec lans_attributes[] = {
  { "learning_rates", SYM_ATTRIBUTE_FLOATS, NULL, "learning rates" },
  { "beta1", SYM_ATTRIBUTE_FLOAT, "0.9", "decay of the mean" },
  { "beta2", SYM_ATTRIBUTE_FLOAT, "0.999", "decay of the variance" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-06", "added to what divides" },
  { "wds", SYM_ATTRIBUTE_FLOATS, NULL, "weight decays" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "lower_bound", SYM_ATTRIBUTE_FLOAT, "-1.0", "least norm of a weight" },
  { "upper_bound", SYM_ATTRIBUTE_FLOAT, "-1.0", "greatest norm of a weight" },
  { "clip_gradient", SYM_ATTRIBUTE_FLOAT, "-1.0", "where the gradient is cut off; not below 0" },
  { "step_count", SYM_ATTRIBUTE_INTS, NULL, "number of the step of each" },
  { "num_tensors", SYM_ATTRIBUTE_INT, "1", "number of weights" },
  { NULL },
};

static int
count_weights (const SymAttributes *attributes)
{
  gint64 n =
      sym_op_get_int (attributes, "num_weights", sym_op_get_int (attributes, "num_tensors", 1));

  return (int) CLAMP (n, 1, G_MAXINT16);
}

static int
get_n_weights (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = count_weights (attributes);
  return *n_visible;
}

/* How many operands there are with so many for each weight, and so many for all. */
#define STRIDE(each_, all_)                                           \
  static int get_n_##each_##_##all_ (const SymAttributes *attributes) \
  {                                                                   \
    return each_ * count_weights (attributes) + all_;                 \
  }
STRIDE (2, 0)
STRIDE (2, 2)
STRIDE (3, 0)
STRIDE (3, 2)
STRIDE (4, 0)
STRIDE (4, 1)
STRIDE (4, 2)
STRIDE (5, 0)
STRIDE (5, 1)
#undef STRIDE

/* Weight i is the first operand of its group, and output i.  The last @n_common operands are for
 * all of them. */
static gboolean
tie_groups (SymRule *rule, guint n_common, GError **error)
{
  guint n = sym_rule_get_n_outputs (rule), n_inputs = sym_rule_get_n_inputs (rule);
  guint each = n > 0 && n_inputs > n_common ? (n_inputs - n_common) / n : 0;

  for (guint i = 0; i < n && each > 1; i++)
    {
      SymShape shape;

      if (!sym_op_pass (rule, each * i, i, error))
        return FALSE;
      shape = sym_rule_get_output (rule, i);
      if (!sym_rule_set_input (rule, each * i + 1, &shape, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer_multi_0 (SymRule *rule, GError **error)
{
  return tie_groups (rule, 0, error);
}

static gboolean
infer_multi_1 (SymRule *rule, GError **error)
{
  return tie_groups (rule, 1, error);
}

static gboolean
infer_multi_2 (SymRule *rule, GError **error)
{
  return tie_groups (rule, 2, error);
}

/* ---- Gradients looked at together ---- */

static const SymAttributeSpec finite_attributes[] = {
  { "init_output", SYM_ATTRIBUTE_BOOL, "True", "whether the result is set to 1 before" },
  { NULL },
};

static const SymAttributeSpec multi_finite_attributes[] = {
  { "num_arrays", SYM_ATTRIBUTE_INT, "1", "number of tensors" },
  { "init_output", SYM_ATTRIBUTE_BOOL, "True", "whether the result is set to 1 before" },
  { NULL },
};

static const SymAttributeSpec arrays_attributes[] = {
  { "num_arrays", SYM_ATTRIBUTE_INT, NULL, "number of tensors" },
  { NULL },
};

static const SymAttributeSpec lars_attributes[] = {
  { "eta", SYM_ATTRIBUTE_FLOAT, NULL, "trust coefficient" },
  { "eps", SYM_ATTRIBUTE_FLOAT, NULL, "added to the norms" },
  { "rescale_grad", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradients" },
  { NULL },
};

static const SymSlotSpec lars_slots[] = {
  { "lrs" }, { "weights_sum_sq" }, { "grads_sum_sq" }, { "wds" }, { NULL },
};

static int
get_n_arrays (const SymAttributes *attributes)
{
  return (int) CLAMP (sym_op_get_int (attributes, "num_arrays", 1), 0, G_MAXINT16);
}

static int
get_none (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 0;
  return 0;
}

static gboolean
infer_finite (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (1), SYM_DTYPE_FLOAT32, error);
}

static gboolean
infer_sum_sq (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (sym_rule_get_n_inputs (rule)), SYM_DTYPE_FLOAT32,
                            error);
}

#define STEP(name_, summary_, attributes_, slots_, infer_)                                  \
  SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 1.9.1, 2.0 " name_, \
                .attributes = attributes_, .slots = slots_, .infer = infer_

#define ONE(name_, summary_, attributes_, slots_)                          \
  {                                                                        \
    STEP (name_, summary_, attributes_, slots_, sym_op_infer_elementwise), \
        .run = sym_op_mxnet_run_steps                                      \
  }
#define MP(name_, summary_, attributes_, slots_)                                         \
  {                                                                                      \
    STEP (name_, summary_, attributes_, slots_, infer_mp), .run = sym_op_mxnet_run_steps \
  }

#define MULTI(name_, summary_, attributes_, each_, all_)                          \
  {                                                                               \
    STEP (name_, summary_, attributes_, sym_op_mxnet_many, infer_multi_##all_),   \
        .get_n_operands = get_n_##each_##_##all_, .get_n_outputs = get_n_weights, \
        .run = sym_op_mxnet_run_steps                                             \
  }

const SymOperator sym_op_mxnet_optimizer[] = {
  ONE ("sgd_update", "step of gradient descent", sgd_attributes, plain_slots),
  ONE ("sgd_mom_update", "step of gradient descent with momentum", sgd_mom_attributes, mom_slots),
  ONE ("signsgd_update", "step along the signs of the gradient", step_attributes, plain_slots),
  ONE ("signum_update", "step along the signs, with momentum", signum_attributes, mom_slots),
  ONE ("nag_mom_update", "step of Nesterov's method", nag_attributes, mom_slots),
  ONE ("ftml_update", "step of FTML", ftml_attributes, ftml_slots),
  ONE ("adam_update", "step of Adam", adam_attributes, adam_slots),
  ONE ("rmsprop_update", "step of RMSProp", rmsprop_attributes, n_slots),
  ONE ("rmspropalex_update", "step of RMSProp with momentum", alex_attributes, alex_slots),
  ONE ("ftrl_update", "step of FTRL", ftrl_attributes, ftrl_slots),
  ONE ("_sparse_adagrad_update", "step of AdaGrad", adagrad_attributes, history_slots),
  MP ("mp_sgd_update", "step of gradient descent in full precision", sgd_attributes, mp_slots),
  MP ("mp_sgd_mom_update",
      "step with momentum in full precision",
      sgd_mom_attributes,
      mp_mom_slots),
  MP ("mp_nag_mom_update",
      "step of Nesterov's method in full precision",
      nag_attributes,
      mp_mom_slots),
  { STEP ("_contrib_group_adagrad_update",
          "step of AdaGrad by rows",
          group_attributes,
          history_slots,
          infer_group),
    .run = sym_op_mxnet_run_row_adagrad },
  { STEP ("_adamw_update", "step of AdamW", adamw_attributes, adamw_slots, infer_adamw),
    .run = sym_op_mxnet_run_steps, .aliases = "_adabelief_update" },
  { STEP ("_mp_adamw_update",
          "step of AdamW in full precision",
          adamw_attributes,
          mp_adamw_slots,
          infer_adamw),
    .run = sym_op_mxnet_run_steps, .aliases = "_mp_adabelief_update" },
  { STEP ("lamb_update_phase1",
          "direction of a step of LAMB",
          phase_attributes,
          adam_slots,
          sym_op_infer_elementwise),
    .run = sym_op_mxnet_run_lamb_direction },
  { STEP ("lamb_update_phase2", "step of LAMB", bound_attributes, phase2_slots, infer_phase2),
    .run = sym_op_mxnet_run_lamb_step },
  { STEP ("mp_lamb_update_phase1",
          "direction of a step of LAMB in full precision",
          phase_attributes,
          mp_adam_slots,
          infer_mp_phase1),
    .run = sym_op_mxnet_run_lamb_direction },
  { STEP ("mp_lamb_update_phase2",
          "step of LAMB in full precision",
          bound_attributes,
          mp_phase2_slots,
          infer_phase2),
    .run = sym_op_mxnet_run_lamb_step },
  MULTI ("multi_sgd_update", "steps of gradient descent", multi_attributes, 2, 0),
  MULTI ("multi_sgd_mom_update", "steps with momentum", multi_mom_attributes, 3, 0),
  MULTI ("multi_mp_sgd_update", "steps in full precision", multi_attributes, 3, 0),
  MULTI ("multi_mp_sgd_mom_update",
         "steps with momentum in full precision",
         multi_mom_attributes,
         4,
         0),
  MULTI ("preloaded_multi_sgd_update",
         "steps of gradient descent, rates as tensors",
         preloaded_attributes,
         2,
         2),
  MULTI ("preloaded_multi_sgd_mom_update",
         "steps with momentum, rates as tensors",
         preloaded_mom_attributes,
         3,
         2),
  MULTI ("preloaded_multi_mp_sgd_update",
         "steps in full precision, rates as tensors",
         preloaded_attributes,
         3,
         2),
  MULTI ("preloaded_multi_mp_sgd_mom_update",
         "steps with momentum in full precision, rates as tensors",
         preloaded_mom_attributes,
         4,
         2),
  MULTI ("_multi_adamw_update", "steps of AdamW", multi_adamw_attributes, 4, 1),
  MULTI ("_multi_mp_adamw_update",
         "steps of AdamW in full precision",
         multi_adamw_attributes,
         5,
         1),
  MULTI ("_multi_adabelief_update", "steps of AdaBelief", multi_adamw_attributes, 4, 1),
  MULTI ("_multi_mp_adabelief_update",
         "steps of AdaBelief in full precision",
         multi_adamw_attributes,
         5,
         1),
  MULTI ("_multi_lamb_update", "steps of LAMB", lamb_attributes, 4, 0),
  MULTI ("_multi_mp_lamb_update", "steps of LAMB in full precision", lamb_attributes, 5, 0),
  MULTI ("_multi_lans_update", "steps of LANS", lans_attributes, 4, 0),
  MULTI ("_multi_mp_lans_update", "steps of LANS in full precision", lans_attributes, 5, 0),
  { STEP ("multi_lars",
          "learning rates of LARS",
          lars_attributes,
          lars_slots,
          sym_op_infer_elementwise),
    .run = sym_op_mxnet_run_lars },
  { STEP ("all_finite",
          "1 when no element is NaN or infinite",
          finite_attributes,
          sym_op_mxnet_data,
          infer_finite),
    .run = sym_op_mxnet_run_all_finite, .aliases = "_npi_all_finite" },
  { STEP ("multi_all_finite",
          "1 when no element of any is NaN or infinite",
          multi_finite_attributes,
          sym_op_mxnet_many,
          infer_finite),
    .run = sym_op_mxnet_run_all_finite, .aliases = "_npi_multi_all_finite",
    .get_n_operands = get_n_arrays },
  { STEP ("multi_sum_sq",
          "sum of squares of each",
          arrays_attributes,
          sym_op_mxnet_many,
          infer_sum_sq),
    .run = sym_op_mxnet_run_sums_of_squares, .get_n_operands = get_n_arrays },
  { STEP ("reset_arrays", "sets tensors to 0", arrays_attributes, sym_op_mxnet_many, NULL),
    .get_n_operands = get_n_arrays, .get_n_outputs = get_none },
  { NULL },
};
