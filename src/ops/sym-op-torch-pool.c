/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

#include <string.h>

/* Torch lets a last window that is only partly filled count (ceil_mode) when it starts inside of
 * the input or of the padding before it. */
static SymDim
drop_outside (const SymOpWindow *window, SymDim size, SymDim result)
{
  if (window->up && size >= 0 && result > 0 &&
      (result - 1) * window->stride >= size + window->before)
    return result - 1;
  return result;
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  SymShape output = input;
  gint64 kernel[3], stride[3], padding[3], dilation[3];
  int n = sym_rule_get_ints (rule, "kernel_size", kernel, 3);

  if (n < 1 || n > 3)
    return sym_rule_fail (error, "kernel_size must have 1 to 3 sizes");
  if (!sym_op_torch_check_rank (rule, n + 1, n + 2, error) ||
      !sym_op_get_ints (rule, "padding", n, 0, padding, error) ||
      !sym_op_get_ints (rule, "dilation", n, 1, dilation, error) ||
      !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (sym_rule_get_ints (rule, "stride", stride, 3) != n)
    memcpy (stride, kernel, sizeof stride);
  if (input.rank < 0)
    return TRUE;

  for (int i = 0; i < n; i++)
    {
      SymOpWindow window = { kernel[i],  stride[i],  dilation[i],
                             padding[i], padding[i], sym_rule_get_bool (rule, "ceil_mode", FALSE) };
      int axis = input.rank - n + i;

      if (padding[i] * 2 > kernel[i])
        return sym_rule_fail (
            error,
            "pad should be at most half of kernel size, but got pad=%" G_GINT64_FORMAT
            " and kernel_size=%" G_GINT64_FORMAT,
            padding[i], kernel[i]);
      if (!sym_op_slide (rule, input.dims[axis], &window, &output.dims[axis], error))
        return FALSE;
      output.dims[axis] = drop_outside (&window, input.dims[axis], output.dims[axis]);
    }
  return sym_rule_set_output (rule, 0, &output, error);
}

/* output_size, None where a size stays as it is. */
static gboolean
infer_adaptive (SymRule *rule, GError **error)
{
  SymShape output = sym_rule_get_input (rule, 0);
  gint64 sizes[3];
  int n = sym_rule_get_ints (rule, "output_size", sizes, 3);

  if (n < 1 || n > 3)
    return sym_rule_fail (error, "output_size must have 1 to 3 sizes");
  if (!sym_op_torch_check_rank (rule, n + 1, n + 2, error) ||
      !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  for (int i = 0; i < n && output.rank > n; i++)
    if (sizes[i] >= 0)
      output.dims[output.rank - n + i] = sizes[i];
  return sym_rule_set_output (rule, 0, &output, error);
}

static const SymAttributeSpec max_attributes[] = {
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "stride", SYM_ATTRIBUTE_INTS, "None", "step of the window; as large as it without" },
  { "padding", SYM_ATTRIBUTE_INTS, "0", "added on both sides" },
  { "dilation", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "ceil_mode", SYM_ATTRIBUTE_BOOL, "False", "whether a last, partly filled window counts" },
  { NULL },
};

static const SymAttributeSpec average_attributes[] = {
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "stride", SYM_ATTRIBUTE_INTS, "None", "step of the window; as large as it without" },
  { "padding", SYM_ATTRIBUTE_INTS, "0", "zeros added on both sides" },
  { "ceil_mode", SYM_ATTRIBUTE_BOOL, "False", "whether a last, partly filled window counts" },
  { "count_include_pad", SYM_ATTRIBUTE_BOOL, "True", "whether the zeros are averaged as well" },
  { NULL },
};

static const SymAttributeSpec adaptive_attributes[] = {
  { "output_size", SYM_ATTRIBUTE_INTS, NULL, "size of the output; None: as the input" },
  { NULL },
};

#define POOL(name_, summary_, attributes_, infer_)                                               \
  {                                                                                              \
    SYM_OP_TORCH, .name = name_, .summary = summary_, .reference = "torch 1.13 torch.nn." name_, \
                  .category = SYM_CATEGORY_POOLING, .attributes = attributes_,                   \
                  .slots = sym_op_torch_one, .infer = infer_,                                    \
  }

const SymOperator sym_op_torch_pool[] = {
  POOL ("MaxPool1d", "Largest element of each window", max_attributes, infer_pool),
  POOL ("MaxPool2d", "Largest element of each window of images", max_attributes, infer_pool),
  POOL ("MaxPool3d", "Largest element of each window of volumes", max_attributes, infer_pool),
  POOL ("AvgPool1d", "Mean of each window", average_attributes, infer_pool),
  POOL ("AvgPool2d", "Mean of each window of images", average_attributes, infer_pool),
  POOL ("AvgPool3d", "Mean of each window of volumes", average_attributes, infer_pool),
  POOL ("AdaptiveAvgPool1d", "Mean, to a given size", adaptive_attributes, infer_adaptive),
  POOL ("AdaptiveAvgPool2d",
        "Mean of images, to a given size",
        adaptive_attributes,
        infer_adaptive),
  POOL ("AdaptiveAvgPool3d",
        "Mean of volumes, to a given size",
        adaptive_attributes,
        infer_adaptive),
  POOL ("AdaptiveMaxPool2d",
        "Maximum of images, to a given size",
        adaptive_attributes,
        infer_adaptive),
  { NULL },
};
