/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* NegativeLogLikelihoodLoss, and SoftmaxCrossEntropyLoss, which is the same of LogSoftmax: of each
 * sample the number of its class, negated. */

/* [batch, classes, inner] and a class for each of [batch, inner]. */
typedef struct {
  SymKernel *kernel;
  SymOpAxis axis; /* of the classes */
  SymDType dtype;
  const void *numbers; /* logarithms of probabilities */
  const SymArray *targets, *weights;
  gboolean ignores;
  gint64 ignored; /* a class that counts nothing, if there is one */
  double sum, n;  /* of losses, of their weights */
} Loss;

/* ---- Operands ---- */

static gboolean
check_shapes (const Loss *self, const SymArray *x, GError **error)
{
  SymShape expected;

  g_autofree char *is = NULL, *should = NULL;

  if (x->shape.rank < 2)
    return sym_kernel_fail (error, "the operand must have 2 axes or more and has %d",
                            x->shape.rank);
  expected = sym_op_remove_axis (&x->shape, 1);
  if (sym_shape_equal (&self->targets->shape, &expected))
    return TRUE;
  is = sym_op_format_shape (&self->targets->shape);
  should = sym_op_format_shape (&expected);
  return sym_kernel_fail (error, "the classes have shape %s; it should be %s", is, should);
}

static gboolean
check_dtypes (const Loss *self, GError **error)
{
  if (self->dtype != SYM_DTYPE_FLOAT32 && self->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (self->kernel, self->dtype, error);
  if (!sym_dtype_is_integer (self->targets->dtype))
    return sym_kernel_fail (error, "the classes must be integers and are of %s",
                            sym_dtype_to_string (self->targets->dtype));
  if (self->weights != NULL && self->weights->dtype != self->dtype)
    return sym_kernel_fail (error, "the weights are of %s, the operand of %s",
                            sym_dtype_to_string (self->weights->dtype),
                            sym_dtype_to_string (self->dtype));
  if (self->weights != NULL && (self->weights->shape.rank != 1 ||
                                sym_array_get_n_elements (self->weights) != self->axis.size))
    return sym_kernel_fail (error, "there must be a weight for each of %" G_GSIZE_FORMAT " classes",
                            self->axis.size);
  return TRUE;
}

static gboolean
read_operands (Loss *self, SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  const SymValue *ignored =
      sym_attributes_find (sym_kernel_get_attributes (kernel), "ignore_index");

  *self = (Loss){ .kernel = kernel };
  self->targets = x == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  if (self->targets == NULL || !check_shapes (self, x, error))
    return FALSE;
  self->weights = sym_kernel_get_input (kernel, 2);
  self->dtype = x->dtype;
  self->axis = sym_op_split_axis (&x->shape, 1);
  self->numbers = x->data;
  self->ignores = ignored != NULL && sym_value_get_int (ignored, &self->ignored);
  return check_dtypes (self, error);
}

/* ---- Working ---- */

/* Sample @i of [batch, inner]. */
static gboolean
add_sample (Loss *self, gsize i, double *loss, GError **error)
{
  gint64 target = sym_element_get_int (self->targets->dtype, self->targets->data, i);
  gsize batch = i / self->axis.inner, place;
  double weight = 1;

  *loss = 0;
  if (self->ignores && target == self->ignored)
    return TRUE;
  if (target < 0 || (gsize) target >= self->axis.size)
    return sym_kernel_fail (error,
                            "sample %" G_GSIZE_FORMAT " is of class %" G_GINT64_FORMAT
                            ", and there are %" G_GSIZE_FORMAT,
                            i, target, self->axis.size);
  place = (batch * self->axis.size + (gsize) target) * self->axis.inner + i % self->axis.inner;
  if (self->weights != NULL)
    weight = sym_element_get_double (self->dtype, self->weights->data, (gsize) target);
  *loss = -sym_element_get_double (self->dtype, self->numbers, place) * weight;
  self->sum += *loss;
  self->n += weight;
  return TRUE;
}

static gboolean
add_samples (Loss *self, SymArray *y, GError **error)
{
  gsize n = sym_array_get_n_elements (self->targets), done = 0;

  for (gsize i = 0; i < n; i++)
    {
      double loss;

      if (!add_sample (self, i, &loss, error) || !sym_op_go_on (self->kernel, &done, 4, error))
        return FALSE;
      if (y != NULL)
        sym_element_set_double (y->dtype, y->data, i, loss);
    }
  return TRUE;
}

/* The mean is that of samples that count, by their weights. */
static gboolean
reduce (Loss *self, GError **error)
{
  const char *reduction = sym_kernel_get_string (self->kernel, "reduction", "mean");
  gboolean is_mean = strcmp (reduction, "mean") == 0;
  SymShape scalar = SYM_SHAPE ();
  SymArray *y;

  if (strcmp (reduction, "none") == 0)
    {
      y = sym_kernel_new_output (self->kernel, 0, self->dtype, &self->targets->shape, error);
      return y != NULL && add_samples (self, y, error);
    }
  if (!is_mean && strcmp (reduction, "sum") != 0)
    return sym_kernel_fail (error, "there is no reduction %s", reduction);
  y = sym_kernel_new_output (self->kernel, 0, self->dtype, &scalar, error);
  if (y == NULL || !add_samples (self, NULL, error))
    return FALSE;
  sym_element_set_double (y->dtype, y->data, 0, is_mean ? self->sum / self->n : self->sum);
  return TRUE;
}

static gboolean
run_likelihood (SymKernel *kernel, GError **error)
{
  Loss self;

  return read_operands (&self, kernel, error) && reduce (&self, error);
}

static gboolean
run_entropy (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_get_input (kernel, 0);
  void *numbers;
  SymArray *y;
  Loss self;

  if (!read_operands (&self, kernel, error))
    return FALSE;
  if (sym_kernel_wants_output (kernel, 1))
    {
      y = sym_kernel_new_output (kernel, 1, x->dtype, &x->shape, error);
      numbers = y == NULL ? NULL : y->data;
    }
  else
    numbers = sym_kernel_get_scratch (kernel, sym_array_get_n_elements (x),
                                      sym_dtype_get_bits (x->dtype) / 8, error);
  self.numbers = numbers;
  return numbers != NULL && sym_op_onnx_log_softmax (kernel, x, self.axis, numbers, error) &&
         reduce (&self, error);
}

/* ---- Rules ---- */

/* The classes have the shape of the operand without its axis of classes. */
static gboolean
infer_classes (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0), targets = sym_rule_get_input (rule, 1);

  if (x.rank == 0 || x.rank == 1)
    return sym_rule_fail (error, "the operand must have 2 axes or more and has %d", x.rank);
  if (x.rank > 1)
    return sym_op_set_input (rule, 1, sym_op_remove_axis (&x, 1), error) &&
           sym_op_set_input (rule, 2, SYM_SHAPE (x.dims[1]), error);
  if (targets.rank < 1 || targets.rank >= SYM_MAX_RANK)
    return TRUE;
  return sym_op_set_input (rule, 0, sym_op_insert_axis (&targets, 1, SYM_DIM_UNKNOWN), error);
}

static gboolean
infer_loss (SymRule *rule, GError **error)
{
  const char *reduction = sym_rule_get_string (rule, "reduction", "mean");
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (!infer_classes (rule, error) || !sym_rule_set_input_dtype (rule, 2, dtype, error) ||
      !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (strcmp (reduction, "none") == 0)
    return sym_op_pass_shape (rule, 1, 0, error);
  return sym_rule_set_output (rule, 0, &SYM_SHAPE (), error);
}

static gboolean
infer_entropy (SymRule *rule, GError **error)
{
  return infer_loss (rule, error) && sym_op_pass (rule, 0, 1, error);
}

static const SymAttributeSpec attributes[] = {
  { "ignore_index", SYM_ATTRIBUTE_INT, "None", "class of samples that count nothing" },
  { "reduction", SYM_ATTRIBUTE_STRING, "mean", "what is made of the losses of all samples",
    "none sum mean" },
  { NULL },
};

static const SymSlotSpec likelihood_slots[] = { { "input" },
                                                { "target" },
                                                { "weight", .optional = TRUE },
                                                { NULL } };
static const SymSlotSpec entropy_slots[] = { { "scores" },
                                             { "labels" },
                                             { "weights", .optional = TRUE },
                                             { NULL } };
static const char *const entropy_outputs[] = { "output", "log_prob", NULL };

const SymOperator sym_op_onnx_loss[] = {
  { SYM_OP_ONNX ("NegativeLogLikelihoodLoss", 12),
    .summary = "of logarithms of probabilities those of the right classes, negated",
    .category = SYM_CATEGORY_LOSS, .attributes = attributes, .slots = likelihood_slots,
    .infer = infer_loss, .run = run_likelihood, .half_as_float = TRUE },
  { SYM_OP_ONNX ("SoftmaxCrossEntropyLoss", 12),
    .summary = "logarithm of Softmax of the right classes, negated", .category = SYM_CATEGORY_LOSS,
    .attributes = attributes, .slots = entropy_slots, .get_n_outputs = sym_op_onnx_get_any_outputs,
    .output_names = entropy_outputs, .infer = infer_entropy, .run = run_entropy,
    .half_as_float = TRUE },
  { 0 },
};
