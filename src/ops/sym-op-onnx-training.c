/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-lower.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-rules.h"

/* Steps of training: what becomes of parameters X by their gradients G, at rate R when T steps are
 * done.  Operands are R, T, then all X, all G and all of each state, results all X and all of each
 * state. */

typedef struct {
  SymId rate, step; /* both in the dtype of the parameters */
  SymDType dtype;
  double norm; /* how much of a parameter is added to its gradient */
} Training;

#define MISSING "there are %u operands; 2 and %u for each parameter are needed"

/* ---- Shapes ---- */

/* Each result is like its operand before the step. */
static gboolean
infer_step (SymRule *rule, guint n_states, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule), of_each = (n - 2) / (2 + n_states);

  if (n < 4 + n_states || (n - 2) % (2 + n_states) != 0)
    return sym_rule_fail (error, MISSING, n, 2 + n_states);
  for (guint i = 0; i < of_each; i++)
    {
      if (!sym_op_pass (rule, 2 + i, i, error) || !sym_op_pass (rule, 2 + of_each + i, i, error))
        return FALSE;
      for (guint k = 1; k <= n_states; k++)
        if (!sym_op_pass (rule, 2 + (k + 1) * of_each + i, k * of_each + i, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
infer_one_state (SymRule *rule, GError **error)
{
  return infer_step (rule, 1, error);
}

static gboolean
infer_two_states (SymRule *rule, GError **error)
{
  return infer_step (rule, 2, error);
}

/* ---- Formulas ---- */

static SymId
make_number (SymOpLower *self, const Training *training, double number)
{
  return sym_op_lower_number (self, training->dtype, number);
}

static SymId
scale (SymOpLower *self, const Training *training, double by, SymId x)
{
  return sym_op_lower_binary (self, "Mul", make_number (self, training, by), x);
}

/* a x + b y */
static SymId
mix (SymOpLower *self, const Training *training, double a, SymId x, double b, SymId y)
{
  return sym_op_lower_binary (self, "Add", scale (self, training, a, x),
                              scale (self, training, b, y));
}

static SymId
square (SymOpLower *self, SymId x)
{
  return sym_op_lower_binary (self, "Mul", x, x);
}

/* sqrt (x) + epsilon */
static SymId
take_root (SymOpLower *self, const Training *training, SymId x)
{
  double epsilon = sym_op_lower_get_float (self, "epsilon", 0);

  return sym_op_lower_binary (self, "Add", sym_op_lower_unary (self, "Sqrt", x),
                              make_number (self, training, epsilon));
}

/* What is for the first step, and what for others. */
static SymId
choose_first (SymOpLower *self, const Training *training, SymId first, SymId later)
{
  return sym_op_lower_call (self, "Where",
                            SYM_IDS (sym_op_lower_binary (self, "Greater", training->step,
                                                          make_number (self, training, 0)),
                                     later, first),
                            NULL);
}

/* x - rate step / size; @size may be SYM_NO_ID. */
static SymId
go (SymOpLower *self, SymId x, SymId rate, SymId step, SymId size)
{
  step = sym_op_lower_binary (self, "Mul", rate, step);
  if (size != SYM_NO_ID)
    step = sym_op_lower_binary (self, "Div", step, size);
  return sym_op_lower_binary (self, "Sub", x, step);
}

static Training
begin (SymOpLower *self)
{
  Training training = { .dtype = sym_op_lower_get_input_dtype (self, 2) };

  training.rate = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                                          sym_op_lower_get_input_dtype (self, 0), training.dtype);
  training.step = sym_op_lower_cast_from (self, sym_op_lower_input (self, 1),
                                          sym_op_lower_get_input_dtype (self, 1), training.dtype);
  training.norm = sym_op_lower_get_float (self, "norm_coefficient", 0);
  return training;
}

/* The gradient of parameter @i of @n, with the part that keeps parameters small. */
static SymId
get_gradient (SymOpLower *self, const Training *training, guint i, guint n)
{
  return mix (self, training, training->norm, sym_op_lower_input (self, 2 + i), 1,
              sym_op_lower_input (self, 2 + n + i));
}

/* How many parameters there are, each with so many states; 0 when operands are missing. */
static guint
count_parameters (SymOpLower *self, guint n_states)
{
  guint n = sym_op_lower_get_n_inputs (self);

  for (guint i = 0; i < n; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return 0;
  if (n >= 4 + n_states && (n - 2) % (2 + n_states) == 0)
    return (n - 2) / (2 + n_states);
  sym_op_lower_fail (self, MISSING, n, 2 + n_states);
  return 0;
}

/* ---- Ways to train ---- */

static void
lower_adagrad (SymOpLower *self)
{
  guint n = count_parameters (self, 1);
  Training training = begin (self);
  SymId slower =
      scale (self, &training, sym_op_lower_get_float (self, "decay_factor", 0), training.step);
  SymId rate = sym_op_lower_binary (
      self, "Div", training.rate,
      sym_op_lower_binary (self, "Add", make_number (self, &training, 1), slower));

  for (guint i = 0; i < n; i++)
    {
      SymId gradient = get_gradient (self, &training, i, n);
      SymId sum = sym_op_lower_binary (self, "Add", sym_op_lower_input (self, 2 + 2 * n + i),
                                       square (self, gradient));

      sym_op_lower_set_output (self, i,
                               go (self, sym_op_lower_input (self, 2 + i), rate, gradient,
                                   take_root (self, &training, sum)));
      sym_op_lower_set_output (self, n + i, sum);
    }
}

/* Averages begin at 0, which the rate makes up for: sqrt (1 - beta^T) / (1 - alpha^T). */
static SymId
adjust_rate (SymOpLower *self, const Training *training, double alpha, double beta)
{
  SymId one = make_number (self, training, 1);
  SymId a = sym_op_lower_binary (self, "Pow", make_number (self, training, alpha), training->step);
  SymId b = sym_op_lower_binary (self, "Pow", make_number (self, training, beta), training->step);
  SymId factor = sym_op_lower_unary (self, "Sqrt", sym_op_lower_binary (self, "Sub", one, b));

  factor = sym_op_lower_binary (self, "Div", factor, sym_op_lower_binary (self, "Sub", one, a));
  return choose_first (self, training, training->rate,
                       sym_op_lower_binary (self, "Mul", training->rate, factor));
}

static void
lower_adam (SymOpLower *self)
{
  guint n = count_parameters (self, 2);
  double alpha = sym_op_lower_get_float (self, "alpha", 0.9);
  double beta = sym_op_lower_get_float (self, "beta", 0.999);
  double rest = 1 - sym_op_lower_get_float (self, "norm_coefficient_post", 0);
  Training training = begin (self);
  SymId rate = adjust_rate (self, &training, alpha, beta);

  for (guint i = 0; i < n; i++)
    {
      SymId gradient = get_gradient (self, &training, i, n);
      SymId mean = mix (self, &training, alpha, sym_op_lower_input (self, 2 + 2 * n + i), 1 - alpha,
                        gradient);
      SymId squares = mix (self, &training, beta, sym_op_lower_input (self, 2 + 3 * n + i),
                           1 - beta, square (self, gradient));
      SymId x = go (self, sym_op_lower_input (self, 2 + i), rate, mean,
                    take_root (self, &training, squares));

      sym_op_lower_set_output (self, i, scale (self, &training, rest, x));
      sym_op_lower_set_output (self, n + i, mean);
      sym_op_lower_set_output (self, 2 * n + i, squares);
    }
}

static void
lower_momentum (SymOpLower *self)
{
  guint n = count_parameters (self, 1);
  double alpha = sym_op_lower_get_float (self, "alpha", 0);
  double beta = sym_op_lower_get_float (self, "beta", 0);
  gboolean ahead = sym_op_lower_has_string (self, "mode", "nesterov");
  Training training = begin (self);
  SymId share = choose_first (self, &training, make_number (self, &training, 1),
                              make_number (self, &training, beta));

  for (guint i = 0; i < n; i++)
    {
      SymId gradient = get_gradient (self, &training, i, n);
      SymId speed = scale (self, &training, alpha, sym_op_lower_input (self, 2 + 2 * n + i));
      SymId way;

      speed = sym_op_lower_binary (self, "Add", speed,
                                   sym_op_lower_binary (self, "Mul", share, gradient));
      way = ahead ? mix (self, &training, 1, gradient, alpha, speed) : speed;
      sym_op_lower_set_output (
          self, i, go (self, sym_op_lower_input (self, 2 + i), training.rate, way, SYM_NO_ID));
      sym_op_lower_set_output (self, n + i, speed);
    }
}

/* ---- Tables ---- */

static const SymSlotSpec slots[] = {
  { "R" },
  { "T" },
  { "inputs" },
  { NULL },
};

static const SymAttributeSpec adagrad_attributes[] = {
  { "decay_factor", SYM_ATTRIBUTE_FLOAT, "0.0", "how much slower each step is" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "0.0", "added to what is divided by" },
  { "norm_coefficient", SYM_ATTRIBUTE_FLOAT, "0.0", "parts of parameters in their gradients" },
  { NULL },
};

static const SymAttributeSpec adam_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.9", "what is kept of the mean" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.999", "what is kept of the mean of squares" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "0.0", "added to what is divided by" },
  { "norm_coefficient", SYM_ATTRIBUTE_FLOAT, "0.0", "parts of parameters in their gradients" },
  { "norm_coefficient_post", SYM_ATTRIBUTE_FLOAT, "0.0", "what parameters lose after the step" },
  { NULL },
};

static const SymAttributeSpec momentum_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, NULL, "what is kept of the speed" },
  { "beta", SYM_ATTRIBUTE_FLOAT, NULL, "share of the gradient after the first step" },
  { "mode", SYM_ATTRIBUTE_STRING, NULL, "whether the step looks ahead", "nesterov standard" },
  { "norm_coefficient", SYM_ATTRIBUTE_FLOAT, NULL, "parts of parameters in their gradients" },
  { NULL },
};

#define STEP(name_, summary_, attributes_, infer_, lower_)                                   \
  {                                                                                          \
    .domain = "ai.onnx.preview.training", .name = name_, .since_version = 1,                 \
    .reference = "ONNX ai.onnx.preview.training " name_ "-1", .summary = summary_,           \
    .attributes = attributes_, .slots = slots, .get_n_operands = sym_op_onnx_get_any_number, \
    .get_n_outputs = sym_op_onnx_get_any_outputs, .infer = infer_, .lower = lower_,          \
  }

const SymOperator sym_op_onnx_training[] = {
  STEP ("Adagrad",
        "a step by the gradients, slower where they were large",
        adagrad_attributes,
        infer_one_state,
        lower_adagrad),
  STEP ("Adam",
        "a step by moving means of the gradients and of their squares",
        adam_attributes,
        infer_two_states,
        lower_adam),
  STEP ("Momentum",
        "a step by a speed that gradients change",
        momentum_attributes,
        infer_one_state,
        lower_momentum),
  { NULL },
};
