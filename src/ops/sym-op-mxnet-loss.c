/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-densities.h"
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymSlotSpec label_slots[] = {
  { "data" },
  { "label", .idle = TRUE },
  { NULL },
};
static const SymSlotSpec entropy_slots[] = { { "data" }, { "label" }, { NULL } };

/* ---- SoftmaxOutput ---- */

static const SymAttributeSpec softmax_attributes[] = {
  { "grad_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "ignore_label", SYM_ATTRIBUTE_FLOAT, "-1.0", "label whose samples do not count" },
  { "multi_output", SYM_ATTRIBUTE_BOOL, "False", "whether axis 1 has the classes of each place" },
  { "use_ignore", SYM_ATTRIBUTE_BOOL, "False", "whether ignore_label is heeded" },
  { "preserve_shape", SYM_ATTRIBUTE_BOOL, "False", "whether the softmax is over the last axis" },
  { "normalization", SYM_ATTRIBUTE_STRING, "null", "batch, null or valid: what divides the loss",
    "null batch valid" },
  { "out_grad", SYM_ATTRIBUTE_BOOL, "False", "whether the gradient from above counts" },
  { "smooth_alpha", SYM_ATTRIBUTE_FLOAT, "0.0", "how much labels are smoothed" },
  { NULL },
};

/* [N, C, rest...] has labels [N, rest], unless the file says [N, rest...] or [N, 1, rest...]. */
static SymShape
get_multi_label (SymRule *rule, const SymShape *data, const SymShape *label)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape expected;

  if (label->rank == data->rank)
    {
      expected = *data;
      expected.dims[1] = label->dims[1] == 1 ? 1 : SYM_DIM_UNKNOWN;
      return expected;
    }
  if (label->rank == data->rank - 1)
    return sym_op_remove_axis (data, 1);
  return SYM_SHAPE (data->dims[0], sym_terms_product (terms, data->dims + 2, data->rank - 2));
}

static gboolean
infer_softmax_output (SymRule *rule, GError **error)
{
  SymShape data, label = sym_rule_get_input (rule, 1);

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 1)
    return TRUE;
  if (sym_rule_get_bool (rule, "multi_output", FALSE) && data.rank >= 2)
    return sym_op_set_input (rule, 1, get_multi_label (rule, &data, &label), error);
  if (label.rank == data.rank)
    return sym_rule_set_input (rule, 1, &data, error);
  return sym_op_set_input (rule, 1, sym_op_remove_axis (&data, data.rank - 1), error);
}

/* Over axis 1 of a multi_output, over the last axis to preserve the shape, else over all but the
 * batch. */
static void
lower_softmax_output (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  gboolean multi = sym_op_lower_get_bool (self, "multi_output", FALSE);
  gboolean preserve = sym_op_lower_get_bool (self, "preserve_shape", FALSE);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (!multi && !preserve && data->rank > 2)
    x = sym_op_lower_call (self, "Flatten", SYM_IDS (x), "axis", sym_value_new_int (1), NULL);
  x = sym_op_lower_call (self, "Softmax", SYM_IDS (x), "axis",
                         sym_value_new_int (multi && data->rank > 1 ? 1 : -1), NULL);
  if (!multi && !preserve && data->rank > 2)
    x = sym_op_lower_reshape (self, x, data);
  sym_op_lower_set_output (self, 0, x);
}

/* ---- WarpCTC ---- */

static const SymAttributeSpec warp_attributes[] = {
  { "label_length", SYM_ATTRIBUTE_INT, "0", "labels of a sequence" },
  { "input_length", SYM_ATTRIBUTE_INT, "0", "steps of a sequence" },
  { NULL },
};

/* Data are [steps * batch, classes]; what the label is the plugin does not check. */
static gboolean
infer_warp (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- SVMOutput ---- */

static const SymAttributeSpec svm_attributes[] = {
  { "margin", SYM_ATTRIBUTE_FLOAT, "1.0", "distance that classes should keep" },
  { "regularization_coefficient", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the loss" },
  { "use_linear", SYM_ATTRIBUTE_BOOL, "False", "whether the loss is linear, not squared" },
  { NULL },
};

static gboolean
infer_svm_output (SymRule *rule, GError **error)
{
  SymShape data;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return data.rank < 1 ||
         sym_op_set_input (rule, 1, sym_op_remove_axis (&data, data.rank - 1), error);
}

/* ---- Regression ---- */

static const SymAttributeSpec regression_attributes[] = {
  { "grad_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { NULL },
};

/* A label that is not known is like the data, but [N] for data [N, 1]; one that is known has as
 * many elements. */
static gboolean
infer_regression (SymRule *rule, GError **error)
{
  SymShape data, label = sym_rule_get_input (rule, 1);
  SymTerms *terms = sym_rule_get_terms (rule);

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (data.rank < 1 || (label.rank < 0 && data.rank == 2 && data.dims[1] < 0))
    return TRUE;
  if (label.rank < 0 && data.rank == 2 && data.dims[1] == 1)
    return sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[0]), error);
  if (label.rank < 0 || label.rank == data.rank)
    return sym_rule_set_input (rule, 1, &data, error);
  if (label.rank >= 1 && !sym_rule_unify (rule, label.dims[0], data.dims[0],
                                          "Shape inconsistent: batch of label", error))
    return FALSE;
  return sym_rule_unify (rule, sym_terms_product (terms, label.dims, label.rank),
                         sym_terms_product (terms, data.dims, data.rank),
                         "Shape inconsistent: number of labels", error);
}

/* ---- MakeLoss ---- */

static const SymAttributeSpec make_loss_attributes[] = {
  { "grad_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the gradient" },
  { "valid_thresh", SYM_ATTRIBUTE_FLOAT, "0.0", "elements below are not counted by valid" },
  { "normalization", SYM_ATTRIBUTE_STRING, "null", "batch, null or valid: what divides the loss",
    "null batch valid" },
  { NULL },
};

/* ---- softmax_cross_entropy ---- */

static gboolean
infer_cross_entropy (SymRule *rule, GError **error)
{
  SymShape data;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (2), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[0]), error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (1), SYM_DTYPE_UNKNOWN, error);
}

/* The sum of -log of the share of each row's class. */
static void
lower_cross_entropy (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymId shares, classes;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  shares = sym_op_lower_call (self, "LogSoftmax", SYM_IDS (sym_op_lower_input (self, 0)), "axis",
                              sym_value_new_int (1), NULL);
  classes = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);
  classes =
      sym_op_lower_reshape (self, classes, &SYM_SHAPE (data->rank < 1 ? 0 : data->dims[0], 1));
  shares = sym_op_lower_call (self, "GatherElements", SYM_IDS (shares, classes), "axis",
                              sym_value_new_int (1), NULL);
  shares = sym_op_lower_call (self, "ReduceSum", SYM_IDS (shares), "keepdims",
                              sym_value_new_int (0), NULL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_reshape (self, sym_op_lower_unary (self, "Neg", shares), &SYM_SHAPE (1)));
}

/* ---- CTCLoss ---- */

static const SymAttributeSpec ctc_attributes[] = {
  { "use_data_lengths", SYM_ATTRIBUTE_BOOL, "False", "whether an operand has lengths of data" },
  { "use_label_lengths", SYM_ATTRIBUTE_BOOL, "False", "whether an operand has lengths of labels" },
  { "blank_label", SYM_ATTRIBUTE_STRING, "first", "first or last: which class is the blank",
    "first last" },
  { NULL },
};

static const SymSlotSpec ctc_slots[] = {
  { "data" },
  { "label" },
  { "data_lengths", SYM_SLOT_DATA, TRUE },
  { "label_lengths", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static int
get_n_ctc_operands (const SymAttributes *attributes)
{
  return 2 + sym_op_get_bool (attributes, "use_data_lengths", FALSE) +
         sym_op_get_bool (attributes, "use_label_lengths", FALSE);
}

/* data [T, N, C], label [N, L], lengths [N]; a loss for each sample, hidden gradients. */
static gboolean
infer_ctc (SymRule *rule, GError **error)
{
  SymShape data, sample;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_op_pass_dtype (rule, 0, 1, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (3), error) ||
      !sym_op_pass_shape (rule, 0, 1, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  sample = SYM_SHAPE (data.dims[1]);
  return sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[1], SYM_DIM_UNKNOWN), error) &&
         sym_rule_set_input (rule, 2, &sample, error) &&
         sym_rule_set_input (rule, 3, &sample, error) &&
         sym_rule_set_output (rule, 0, &sample, error);
}

/* ---- smooth_l1, IdentityAttachKLSparseReg ---- */

static const SymAttributeSpec smooth_l1_attributes[] = {
  { "scalar", SYM_ATTRIBUTE_FLOAT, "1.0", "where the square becomes a line" },
  { NULL },
};

static const SymAttributeSpec sparse_attributes[] = {
  { "sparseness_target", SYM_ATTRIBUTE_FLOAT, "0.1", "share of units that should be active" },
  { "penalty", SYM_ATTRIBUTE_FLOAT, "0.001", "factor of the regularization" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.9", "how much of the old mean a step keeps" },
  { NULL },
};

static const SymSlotSpec sparse_slots[] = {
  { "data" },
  { "moving_avg", SYM_SLOT_AUXILIARY },
  { NULL },
};

static gboolean
infer_sparse (SymRule *rule, GError **error)
{
  SymShape data;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return data.rank < 2 || sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[1]), error);
}

#define LOSS(name_, summary_, attributes_, slots_, infer_)               \
  .name = name_, .summary = summary_, .reference = "MXNet 1.9.1 " name_, \
  .category = SYM_CATEGORY_LOSS, .attributes = attributes_, .slots = slots_, .infer = infer_

/* Losses are what they are in inference: their labels are not looked at. */

const SymOperator sym_op_mxnet_loss[] = {
  {
      SYM_OP_MXNET,
      LOSS ("SoftmaxOutput",
            "softmax whose gradient is that of the cross entropy with the label",
            softmax_attributes,
            label_slots,
            infer_softmax_output),
      .lower = lower_softmax_output,
      .aliases = "Softmax",
  },
  { SYM_OP_MXNET,
    LOSS ("WarpCTC",
          "softmax whose gradient is that of the CTC loss with the label",
          warp_attributes,
          label_slots,
          infer_warp),
    .formula = "Softmax (a, axis=-1)" },
  { SYM_OP_MXNET,
    LOSS ("SVMOutput",
          "the data; its gradient is that of a hinge loss",
          svm_attributes,
          label_slots,
          infer_svm_output),
    .formula = "Identity (a)" },
  { SYM_OP_MXNET,
    LOSS ("LinearRegressionOutput",
          "the data; its gradient is that of the square",
          regression_attributes,
          label_slots,
          infer_regression),
    .formula = "Identity (a)" },
  { SYM_OP_MXNET,
    LOSS ("LogisticRegressionOutput",
          "sigmoid; its gradient is that of log loss",
          regression_attributes,
          label_slots,
          infer_regression),
    .formula = "Sigmoid (a)" },
  { SYM_OP_MXNET,
    LOSS ("MAERegressionOutput",
          "the data; its gradient is that of the distance",
          regression_attributes,
          label_slots,
          infer_regression),
    .formula = "Identity (a)" },
  { SYM_OP_MXNET,
    LOSS ("MakeLoss",
          "makes a value a loss",
          make_loss_attributes,
          sym_op_mxnet_data,
          sym_op_infer_elementwise),
    .formula = "Identity (a)" },
  { SYM_OP_MXNET,
    LOSS ("make_loss", "makes a value a loss", NULL, sym_op_mxnet_data, sym_op_infer_elementwise),
    .formula = "Identity (a)" },
  { SYM_OP_MXNET,
    LOSS ("softmax_cross_entropy",
          "sum of the cross entropies of a batch",
          NULL,
          entropy_slots,
          infer_cross_entropy),
    .lower = lower_cross_entropy },
  { SYM_OP_MXNET,
    LOSS ("smooth_l1",
          "a square near zero, a line further out",
          smooth_l1_attributes,
          sym_op_mxnet_data,
          sym_op_infer_elementwise),
    .formula = "Where (Less (Abs (a), Div (1, Mul ($scalar, $scalar))), "
               "Mul (0.5, Mul (Mul (a, a), Mul ($scalar, $scalar))), "
               "Sub (Abs (a), Div (0.5, Mul ($scalar, $scalar))))",
    .aliases = "_npx_smooth_l1" },
  { SYM_OP_MXNET,
    LOSS ("IdentityAttachKLSparseReg",
          "the data, with a regularization",
          sparse_attributes,
          sparse_slots,
          infer_sparse),
    .formula = "Identity (a)" },
  {
      SYM_OP_MXNET,
      LOSS ("CTCLoss",
            "loss of a sequence whose labels are not aligned",
            ctc_attributes,
            ctc_slots,
            infer_ctc),
      .run = sym_op_mxnet_run_ctc,
      .aliases = "ctc_loss _contrib_CTCLoss _contrib_ctc_loss _npx_ctc_loss",
      .get_n_operands = get_n_ctc_operands,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
  },
  { NULL },
};
