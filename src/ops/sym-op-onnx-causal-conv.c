/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* CausalConvWithState: each channel is convolved with numbers of its own, looking back only; what
 * comes before the operand is a state, whose next one is what was seen last. */

typedef struct {
  SymKernel *kernel;
  gsize n_batch, n_channels, length, window;
  const SymArray *x, *weight, *bias, *past;
  gboolean is_silu;
} Convolution;

static gboolean
check_shape (const SymArray *array, guint i, const SymShape *expected, GError **error)
{
  g_autofree char *is = NULL, *should = NULL;

  if (array == NULL || sym_shape_equal (&array->shape, expected))
    return TRUE;
  is = sym_op_format_shape (&array->shape);
  should = sym_op_format_shape (expected);
  return sym_kernel_fail (error, "operand %u has shape %s; it should be %s", i, is, should);
}

static gboolean
check_operands (Convolution *self, GError **error)
{
  const SymArray *arrays[] = { self->x, self->weight, self->bias, self->past };
  gint64 channels = (gint64) self->n_channels, window = (gint64) self->window;

  for (guint i = 1; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i] != NULL && arrays[i]->dtype != self->x->dtype)
      return sym_kernel_fail (error, "operand %u is of %s, operand 0 of %s", i,
                              sym_dtype_to_string (arrays[i]->dtype),
                              sym_dtype_to_string (self->x->dtype));
  return check_shape (self->weight, 1, &SYM_SHAPE (channels, 1, window), error) &&
         check_shape (self->bias, 2, &SYM_SHAPE (channels), error) &&
         check_shape (self->past, 3, &SYM_SHAPE ((gint64) self->n_batch, channels, window - 1),
                      error);
}

static gboolean
read_operands (Convolution *self, SymKernel *kernel, GError **error)
{
  const char *activation = sym_kernel_get_string (kernel, "activation", "none");

  *self = (Convolution){ .kernel = kernel };
  self->x = sym_kernel_need_input (kernel, 0, error);
  self->weight = self->x == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  if (self->weight == NULL)
    return FALSE;
  if (self->x->dtype != SYM_DTYPE_FLOAT32 && self->x->dtype != SYM_DTYPE_FLOAT64)
    return sym_op_refuse_dtype (kernel, self->x->dtype, error);
  if (self->x->shape.rank != 3 || self->weight->shape.rank != 3 || self->weight->shape.dims[2] < 1)
    return sym_kernel_fail (error, "input and weight must have 3 axes and have %d and %d",
                            self->x->shape.rank, self->weight->shape.rank);
  self->is_silu = strcmp (activation, "silu") == 0 || strcmp (activation, "swish") == 0;
  if (!self->is_silu && strcmp (activation, "none") != 0)
    return sym_kernel_fail (error, "there is no activation %s", activation);
  self->bias = sym_kernel_get_input (kernel, 2);
  self->past = sym_kernel_get_input (kernel, 3);
  self->n_batch = (gsize) self->x->shape.dims[0];
  self->n_channels = (gsize) self->x->shape.dims[1];
  self->length = (gsize) self->x->shape.dims[2];
  self->window = (gsize) self->weight->shape.dims[2];
  return check_operands (self, error);
}

/* Channel @i of [batch, channels]: @line is memory for what is before it and itself. */
#define CONVOLVE(dtype, type, exponential)                                                         \
  static void convolve_##dtype (const Convolution *self, gsize i, type *line, type *y, type *last) \
  {                                                                                                \
    gsize before = self->window - 1, channel = i % self->n_channels;                               \
    const type *weight = (const type *) self->weight->data + channel * self->window;               \
    const type *past = self->past == NULL ? NULL : (const type *) self->past->data + i * before;   \
                                                                                                   \
    for (gsize j = 0; j < before; j++)                                                             \
      line[j] = past == NULL ? 0 : past[j];                                                        \
    if (self->length > 0)                                                                          \
      memcpy (line + before, (const type *) self->x->data + i * self->length,                      \
              self->length * sizeof (type));                                                       \
    for (gsize j = 0; j < self->length; j++)                                                       \
      {                                                                                            \
        double sum = self->bias == NULL ? 0 : ((const type *) self->bias->data)[channel];          \
                                                                                                   \
        for (gsize k = 0; k < self->window; k++)                                                   \
          sum += (double) weight[k] * line[j + k];                                                 \
        y[j] = (type) sum;                                                                         \
        if (self->is_silu)                                                                         \
          y[j] /= 1 + exponential (-y[j]);                                                         \
      }                                                                                            \
    for (gsize j = 0; last != NULL && j < before; j++)                                             \
      last[j] = line[self->length + j];                                                            \
  }

CONVOLVE (FLOAT32, float, expf)
CONVOLVE (FLOAT64, double, exp)

static void
convolve (const Convolution *self, gsize i, void *line, SymArray *y, SymArray *state)
{
  gsize size = sym_dtype_get_bits (y->dtype) / 8;
  void *to = (guint8 *) y->data + i * self->length * size, *last = NULL;

  if (state != NULL)
    last = (guint8 *) state->data + i * (self->window - 1) * size;
  if (y->dtype == SYM_DTYPE_FLOAT32)
    convolve_FLOAT32 (self, i, line, to, last);
  else
    convolve_FLOAT64 (self, i, line, to, last);
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  SymArray *y, *state = NULL;
  gsize done = 0, n;
  Convolution self;
  void *line;

  if (!read_operands (&self, kernel, error))
    return FALSE;
  if (!g_size_checked_add (&n, self.length, self.window))
    return sym_kernel_fail (error, "the window is too large");
  y = sym_kernel_new_output (kernel, 0, self.x->dtype, &self.x->shape, error);
  line = y == NULL ? NULL
                   : sym_kernel_get_scratch (kernel, n, sym_dtype_get_bits (y->dtype) / 8, error);
  if (line == NULL)
    return FALSE;
  if (sym_kernel_wants_output (kernel, 1))
    {
      state = sym_kernel_new_output (
          kernel, 1, self.x->dtype,
          &SYM_SHAPE ((gint64) self.n_batch, (gint64) self.n_channels, (gint64) self.window - 1),
          error);
      if (state == NULL)
        return FALSE;
    }
  for (gsize i = 0; i < self.n_batch * self.n_channels; i++)
    {
      convolve (&self, i, line, y, state);
      if (!sym_op_go_on (kernel, &done, self.length * self.window + 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0), weight = sym_rule_get_input (rule, 1), state;
  SymTerms *terms = sym_rule_get_terms (rule);

  if (!sym_op_pass (rule, 0, 0, error) || !sym_op_pass_dtype (rule, 0, 1, error))
    return FALSE;
  for (guint i = 1; i < 4; i++)
    if (!sym_rule_set_input_dtype (rule, i, sym_rule_get_input_dtype (rule, 0), error))
      return FALSE;
  if (x.rank >= 0 && x.rank != 3)
    return sym_rule_fail (error, "input must have 3 axes and has %d", x.rank);
  if (x.rank < 0)
    return TRUE;
  state = SYM_SHAPE (x.dims[0], x.dims[1],
                     weight.rank == 3 ? sym_terms_subtract (terms, weight.dims[2], 1)
                                      : SYM_DIM_UNKNOWN);
  return sym_op_set_input (rule, 1, SYM_SHAPE (x.dims[1], 1, SYM_DIM_UNKNOWN), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (x.dims[1]), error) &&
         sym_op_set_input (rule, 3, state, error) && sym_rule_set_output (rule, 1, &state, error);
}

static const SymAttributeSpec attributes[] = {
  { "activation", SYM_ATTRIBUTE_STRING, "none", "what is done to the sums", "none silu swish" },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, .optional = TRUE },
  { "past_state", .optional = TRUE },
  { NULL },
};

static const char *const outputs[] = { "output", "present_state", NULL };

const SymOperator sym_op_onnx_causal_conv[] = {
  { SYM_OP_ONNX ("CausalConvWithState", 27),
    .summary = "convolution of each channel that looks back only, going on from a state",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = slots,
    .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = outputs, .infer = infer,
    .run = run, .half_as_float = TRUE },
  { 0 },
};
