/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

typedef struct {
  int n; /* spatial dimensions */
  gint64 groups;
  gint64 extra[3]; /* output_padding */
  SymOpWindow windows[3];
} Convolution;

static gboolean
read_convolution (SymRule *rule, Convolution *self, GError **error)
{
  gint64 kernel[3], stride[3], padding[3], dilation[3];

  self->groups = sym_rule_get_int (rule, "groups", 1);
  self->n = sym_rule_get_ints (rule, "kernel_size", kernel, 3);
  if (self->n < 1 || self->n > 3)
    return sym_rule_fail (error, "kernel_size must have 1 to 3 sizes");
  if (!sym_op_get_ints (rule, "stride", self->n, 1, stride, error) ||
      !sym_op_get_ints (rule, "padding", self->n, 0, padding, error) ||
      !sym_op_get_ints (rule, "dilation", self->n, 1, dilation, error) ||
      !sym_op_get_ints (rule, "output_padding", self->n, 0, self->extra, error))
    return FALSE;
  for (int i = 0; i < self->n; i++)
    self->windows[i] =
        (SymOpWindow){ kernel[i], stride[i], dilation[i], padding[i], padding[i], FALSE };
  return TRUE;
}

/* The weight is [out, in / groups, kernel...], of a transposed one [in, out / groups, kernel...].
 */
static gboolean
match_channels (SymRule *rule,
                const Convolution *self,
                gboolean is_transposed,
                SymDim channels,
                SymDim *out_channels,
                GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape weight = sym_rule_get_input (rule, 1);
  SymShape input = sym_rule_get_input (rule, 0);
  SymDim expected;
  g_autofree char *weight_text = NULL;
  g_autofree char *input_text = NULL;

  *out_channels = SYM_DIM_UNKNOWN;
  if (weight.rank != self->n + 2)
    return TRUE;

  expected =
      is_transposed ? weight.dims[0] : sym_terms_multiply (terms, weight.dims[1], self->groups);
  *out_channels =
      is_transposed ? sym_terms_multiply (terms, weight.dims[1], self->groups) : weight.dims[0];
  if (sym_rule_unify (rule, channels, expected, "channels of the input", NULL))
    return TRUE;

  weight_text = sym_op_torch_format (rule, &weight, ", ");
  input_text = sym_op_torch_format (rule, &input, ", ");
  return sym_rule_fail (
      error,
      "Given groups=%" G_GINT64_FORMAT ", weight of size [%s], expected input[%s] "
      "to have %" G_GINT64_FORMAT " channels, but got %" G_GINT64_FORMAT " channels instead",
      self->groups, weight_text, input_text, expected, channels);
}

static gboolean
convolve (SymRule *rule, gboolean is_transposed, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  SymShape output = input;
  Convolution self;
  int first;

  if (!read_convolution (rule, &self, error) || !sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_torch_check_rank (rule, self.n + 1, self.n + 2, error))
    return FALSE;
  if (input.rank < 0)
    return TRUE;

  first = input.rank - self.n;
  if (!match_channels (rule, &self, is_transposed, input.dims[first - 1], &output.dims[first - 1],
                       error))
    return FALSE;
  for (int i = 0; i < self.n; i++)
    {
      SymDim size = input.dims[first + i];
      gboolean fits = is_transposed ? sym_op_unslide (rule, size, &self.windows[i], self.extra[i],
                                                      &output.dims[first + i], error)
                                    : sym_op_slide (rule, size, &self.windows[i],
                                                    &output.dims[first + i], error);

      if (!fits)
        return FALSE;
    }
  return sym_rule_set_output (rule, 0, &output, error);
}

static gboolean
infer_convolution (SymRule *rule, GError **error)
{
  return convolve (rule, FALSE, error);
}

static gboolean
infer_transposed (SymRule *rule, GError **error)
{
  return convolve (rule, TRUE, error);
}

/* ---- In ONNX's layers ---- */

static SymValue *
spread (SymOpLower *self, const char *name, int n, gint64 fallback, int times)
{
  gint64 sizes[6];
  int given = sym_op_lower_get_ints (self, name, sizes, 3);

  for (int i = 0; i < n; i++)
    sizes[i] = given < 1 ? fallback : given == 1 ? sizes[0] : sizes[i];
  for (int i = n; i < n * times; i++)
    sizes[i] = sizes[i - n];
  return sym_op_lower_list (sizes, n * times);
}

static void
lower (SymOpLower *self, gboolean is_transposed)
{
  int n = sym_op_lower_get_input_shape (self, 1)->rank - 2;
  SymId x = sym_op_torch_lower_batch (self, n + 2);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) || n < 1 || n > 3)
    {
      sym_op_lower_fail (self, "%s: the weight must have 3 to 5 dimensions, not %d",
                         sym_op_lower_get_type (self), n + 2);
      return;
    }
  x = sym_op_lower_call (self, is_transposed ? "ConvTranspose" : "Conv",
                         SYM_IDS (x, sym_op_lower_input (self, 1), sym_op_lower_input (self, 2)),
                         "strides", spread (self, "stride", n, 1, 1), "pads",
                         spread (self, "padding", n, 0, 2), "dilations",
                         spread (self, "dilation", n, 1, 1), "group",
                         sym_value_new_int (sym_op_lower_get_int (self, "groups", 1)),
                         is_transposed ? "output_padding" : NULL,
                         is_transposed ? spread (self, "output_padding", n, 0, 1) : NULL, NULL);
  sym_op_torch_lower_finish (self, x, n + 2);
}

static void
lower_convolution (SymOpLower *self)
{
  lower (self, FALSE);
}

static void
lower_transposed (SymOpLower *self)
{
  lower (self, TRUE);
}

static const SymAttributeSpec attributes[] = {
  { "in_channels", SYM_ATTRIBUTE_INT, NULL, "channels of the input" },
  { "out_channels", SYM_ATTRIBUTE_INT, NULL, "channels of the output" },
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "stride", SYM_ATTRIBUTE_INTS, "1", "step of the window" },
  { "padding", SYM_ATTRIBUTE_INTS, "0", "zeros added on both sides" },
  { "output_padding", SYM_ATTRIBUTE_INTS, "0", "added to one side of a transposed one's output" },
  { "dilation", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { NULL },
};

#define CONVOLUTION(name_, summary_, kind_)                                                       \
  {                                                                                               \
    SYM_OP_TORCH, .name = name_, .summary = summary_, .reference = "torch 1.13 torch.nn." name_,  \
                  .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes,                     \
                  .slots = sym_op_torch_weighted, .infer = infer_##kind_, .lower = lower_##kind_, \
  }

const SymOperator sym_op_torch_conv[] = {
  CONVOLUTION ("Conv1d", "Convolution over one dimension", convolution),
  CONVOLUTION ("Conv2d", "Convolution over images", convolution),
  CONVOLUTION ("Conv3d", "Convolution over volumes", convolution),
  CONVOLUTION ("ConvTranspose1d", "Transposed convolution over one dimension", transposed),
  CONVOLUTION ("ConvTranspose2d", "Transposed convolution over images", transposed),
  CONVOLUTION ("ConvTranspose3d", "Transposed convolution over volumes", transposed),
  { NULL },
};
