/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* Convolutions.  The weight is [out, in / groups, kernel...], of a transposed one
 * [in, out / groups, kernel...]; data may lack the batch. */

typedef struct {
  int n; /* axes that the window slides over */
  gboolean transposed;
  gint64 groups;
  gint64 stride[3], padding[3], dilation[3], extra[3];
  const char *padding_name; /* "valid", "same"; NULL for numbers */
} Convolution;

static gboolean
spread (const SymAttributes *attributes, const char *name, int n, gint64 fallback, gint64 *values)
{
  gint64 found[SYM_MAX_RANK];
  int given = sym_attributes_get_ints (attributes, name, found, SYM_MAX_RANK);

  if (given > 1 && given != n)
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      values[i] = given < 1 ? fallback : given == 1 ? found[0] : found[i];
      if (values[i] < 0 || values[i] > G_MAXINT32)
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_convolution (Convolution *self, const char *type, const SymAttributes *attributes, int n)
{
  memset (self, 0, sizeof *self);
  self->n = n;
  self->groups = sym_attributes_get_int (attributes, "groups", 1);
  self->transposed = strstr (type, "conv_transpose") != NULL ||
                     sym_attributes_get_bool (attributes, "transposed", FALSE);
  self->padding_name = sym_attributes_get_string (attributes, "padding", NULL);
  return n >= 1 && n <= 3 && self->groups >= 1 && self->groups <= G_MAXINT32 &&
         spread (attributes, "stride", n, 1, self->stride) &&
         spread (attributes, "padding", n, 0, self->padding) &&
         spread (attributes, "dilation", n, 1, self->dilation) &&
         spread (attributes, "output_padding", n, 0, self->extra);
}

/* ---- The rule ---- */

static gboolean
slide (SymRule *rule,
       const Convolution *self,
       int i,
       SymDim size,
       SymDim kernel,
       SymDim *result,
       GError **error)
{
  SymOpWindow window = { kernel,           self->stride[i],  self->dilation[i],
                         self->padding[i], self->padding[i], FALSE };

  if (g_strcmp0 (self->padding_name, "same") == 0)
    {
      *result = size;
      return TRUE;
    }
  *result = SYM_DIM_UNKNOWN;
  if (kernel < 0)
    return TRUE;
  return self->transposed ? sym_op_unslide (rule, size, &window, self->extra[i], result, error)
                          : sym_op_slide (rule, size, &window, result, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape input = sym_rule_get_input (rule, 0), weight = sym_rule_get_input (rule, 1);
  SymShape output = input;
  Convolution self;
  SymDim times_groups;
  int first;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (weight.rank < 0 || input.rank < 0)
    return TRUE;
  if (!read_convolution (&self, sym_rule_get_type (rule), sym_rule_get_attributes (rule),
                         weight.rank - 2))
    return sym_rule_fail (error, "stride, padding or dilation do not fit a weight of %d axes",
                          weight.rank);
  if (input.rank != self.n + 1 && input.rank != self.n + 2)
    return sym_rule_fail (error, "data of %d axes do not fit a weight of %d", input.rank,
                          weight.rank);
  first = input.rank - self.n;
  times_groups = sym_terms_multiply (terms, weight.dims[1], self.groups);
  if (!sym_rule_unify (rule, input.dims[first - 1], self.transposed ? weight.dims[0] : times_groups,
                       "channels of the data", error))
    return FALSE;
  output.dims[first - 1] = self.transposed ? times_groups : weight.dims[0];
  for (int i = 0; i < self.n; i++)
    if (!slide (rule, &self, i, input.dims[first + i], weight.dims[2 + i], &output.dims[first + i],
                error))
      return FALSE;
  return sym_op_set_input (rule, 2, SYM_SHAPE (output.dims[first - 1]), error) &&
         sym_rule_set_output (rule, 0, &output, error);
}

/* ---- Lowering ---- */

static SymValue *
double_list (const gint64 *values, int n)
{
  gint64 both[6];

  for (int i = 0; i < n; i++)
    both[i] = both[n + i] = values[i];
  return sym_op_lower_list (both, 2 * n);
}

/* What "same" adds: of an odd number the one more stands behind. */
static SymValue *
make_same_pads (SymOpLower *self, const Convolution *convolution, const SymShape *weight)
{
  gint64 pads[6];
  int n = convolution->n;

  for (int i = 0; i < n; i++)
    {
      gint64 all = convolution->dilation[i] * (MIN (weight->dims[2 + i], G_MAXINT32) - 1);

      pads[i] = all / 2;
      pads[n + i] = all - all / 2;
    }
  return sym_op_lower_list (pads, 2 * n);
}

static SymId
convolve (SymOpLower *self, const Convolution *convolution, SymId x)
{
  const SymShape *weight = sym_op_lower_get_input_shape (self, 1);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gboolean is_same = g_strcmp0 (convolution->padding_name, "same") == 0;
  gboolean turned = convolution->transposed;
  int n = convolution->n;

  return sym_op_lower_call (
      self, turned ? "ConvTranspose" : "Conv",
      SYM_IDS (x, sym_op_aten_input_as (self, 1, dtype), sym_op_aten_input_as (self, 2, dtype)),
      "strides", sym_op_lower_list (convolution->stride, n), "pads",
      is_same ? make_same_pads (self, convolution, weight) : double_list (convolution->padding, n),
      "dilations", sym_op_lower_list (convolution->dilation, n), "group",
      sym_value_new_int (convolution->groups), turned ? "output_padding" : NULL,
      turned ? sym_op_lower_list (convolution->extra, n) : NULL, NULL);
}

static void
lower (SymOpLower *self)
{
  const SymShape *weight = sym_op_lower_get_input_shape (self, 1);
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  Convolution convolution;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (!read_convolution (&convolution, sym_op_lower_get_type (self), sym_op_aten_attributes (self),
                         weight->rank - 2) ||
      (data->rank != weight->rank && data->rank != weight->rank - 1))
    {
      sym_op_lower_fail (self,
                         "%s: data of %d axes, stride, padding or dilation do not fit a "
                         "weight of %d",
                         sym_op_lower_get_type (self), data->rank, weight->rank);
      return;
    }
  if (data->rank < weight->rank)
    x = sym_op_aten_unsqueeze (self, x, 0);
  x = convolve (self, &convolution, x);
  sym_op_lower_set_output (self, 0,
                           data->rank < weight->rank ? sym_op_aten_squeeze (self, x, 0) : x);
}

static const SymSlotSpec slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "stride", SYM_ATTRIBUTE_INTS, "1", "step of the window" },
  { "padding", SYM_ATTRIBUTE_ANY, "0", "zeros added on both sides; or “valid”, “same”" },
  { "dilation", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "transposed", SYM_ATTRIBUTE_BOOL, "False", "whether it goes the other way" },
  { "output_padding", SYM_ATTRIBUTE_INTS, "0", "added to one side of a transposed one's output" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { NULL },
};

#define CONVOLUTION(name_, aliases_, summary_)                                             \
  {                                                                                        \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,          \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_WEIGHTS,  \
                 .attributes = attributes, .slots = slots, .infer = infer, .lower = lower, \
  }

const SymOperator sym_op_aten_conv[] = {
  CONVOLUTION ("convolution",
               "aten._convolution aten._convolution.deprecated aten.mkldnn_convolution",
               "Convolution, perhaps transposed"),
  CONVOLUTION ("conv1d", "aten.conv1d.padding", "Convolution over one axis"),
  CONVOLUTION ("conv2d", "aten.conv2d.padding", "Convolution over images"),
  CONVOLUTION ("conv3d", "aten.conv3d.padding", "Convolution over volumes"),
  CONVOLUTION ("conv_transpose1d", NULL, "Transposed convolution over one axis"),
  CONVOLUTION ("conv_transpose2d.input", NULL, "Transposed convolution over images"),
  CONVOLUTION ("conv_transpose3d.input", NULL, "Transposed convolution over volumes"),
  { NULL },
};
