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

/* ---- In ONNX's layers ---- */

static int
read_sizes (SymOpLower *self, const char *name, int n, const gint64 *fallback, gint64 *sizes)
{
  int given = sym_op_lower_get_ints (self, name, sizes, 3);

  for (int i = 0; i < n; i++)
    sizes[i] = given < 1 ? fallback[i] : given == 1 ? sizes[0] : sizes[i];
  return given;
}

static void
lower_pool (SymOpLower *self, const char *name)
{
  static const gint64 zeros[3] = { 0, 0, 0 }, ones[3] = { 1, 1, 1 };
  gint64 kernel[3], stride[3], pads[6], dilation[3];
  int n = sym_op_lower_get_ints (self, "kernel_size", kernel, 3);
  gboolean is_max = strcmp (name, "MaxPool") == 0;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || n < 1 || n > 3)
    {
      sym_op_lower_fail (self, "%s: kernel_size must have 1 to 3 sizes",
                         sym_op_lower_get_type (self));
      return;
    }
  read_sizes (self, "stride", n, kernel, stride);
  read_sizes (self, "padding", n, zeros, pads);
  memcpy (pads + n, pads, (gsize) n * sizeof *pads);
  read_sizes (self, "dilation", n, ones, dilation);
  x = sym_op_lower_call (
      self, name, SYM_IDS (sym_op_torch_lower_batch (self, n + 2)), "kernel_shape",
      sym_op_lower_list (kernel, n), "strides", sym_op_lower_list (stride, n), "pads",
      sym_op_lower_list (pads, 2 * n), "dilations", sym_op_lower_list (dilation, n), "ceil_mode",
      sym_value_new_int (sym_op_lower_get_bool (self, "ceil_mode", FALSE)),
      is_max ? NULL : "count_include_pad",
      is_max ? NULL : sym_value_new_int (sym_op_lower_get_bool (self, "count_include_pad", TRUE)),
      NULL);
  sym_op_torch_lower_finish (self, x, n + 2);
}

static void
lower_max (SymOpLower *self)
{
  lower_pool (self, "MaxPool");
}

static void
lower_average (SymOpLower *self)
{
  lower_pool (self, "AveragePool");
}

/* Place @i of @out sees elements [floor (i size / out), ceil ((i + 1) size / out)). */
static void
find_bin (gint64 i, gint64 size, gint64 out, gint64 *first, gint64 *end)
{
  *first = i * size / out;
  *end = ((i + 1) * size + out - 1) / out;
}

/* One axis after the other, which is the same: bins are boxes. */
static SymId
pool_axis (SymOpLower *self, SymId x, int axis, gint64 size, gint64 out, const char *name)
{
  g_autofree SymId *parts = g_new (SymId, (gsize) out);
  gint64 along = axis;

  for (gint64 i = 0; i < out; i++)
    {
      gint64 first, end;

      find_bin (i, size, out, &first, &end);
      parts[i] = sym_op_lower_slice (self, x, axis, first, end, 1);
      parts[i] = sym_op_lower_reduce (self, name, parts[i], &along, 1, TRUE);
    }
  return sym_op_lower_call (self, "Concat", (SymIds){ parts, (guint) out }, "axis",
                            sym_value_new_int (axis), NULL);
}

static void
lower_adaptive (SymOpLower *self, const char *name)
{
  const SymShape *from = sym_op_lower_get_input_shape (self, 0);
  const SymShape *to = sym_op_lower_get_output_shape (self, 0);
  gint64 sizes[3];
  int n = sym_op_lower_get_ints (self, "output_size", sizes, 3);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0) || to->rank != from->rank)
    return;
  for (int axis = from->rank - MIN (n, from->rank); axis < from->rank; axis++)
    {
      gint64 along = axis;

      if (to->dims[axis] < 1 || to->dims[axis] > 65536)
        sym_op_lower_refuse (self, "%s: an output of size %" G_GINT64_FORMAT " is not lowered",
                             sym_op_lower_get_type (self), to->dims[axis]);
      else if (to->dims[axis] == 1)
        x = sym_op_lower_reduce (self, name, x, &along, 1, TRUE);
      else if (to->dims[axis] != from->dims[axis])
        x = pool_axis (self, x, axis, from->dims[axis], to->dims[axis], name);
    }
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Identity", x));
}

static void
lower_adaptive_average (SymOpLower *self)
{
  lower_adaptive (self, "ReduceMean");
}

static void
lower_adaptive_max (SymOpLower *self)
{
  lower_adaptive (self, "ReduceMax");
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

#define POOL(name_, summary_, attributes_, infer_, lower_)                                       \
  {                                                                                              \
    SYM_OP_TORCH, .name = name_, .summary = summary_, .reference = "torch 1.13 torch.nn." name_, \
                  .category = SYM_CATEGORY_POOLING, .attributes = attributes_,                   \
                  .slots = sym_op_torch_one, .infer = infer_, .lower = lower_,                   \
  }

const SymOperator sym_op_torch_pool[] = {
  POOL ("MaxPool1d", "Largest element of each window", max_attributes, infer_pool, lower_max),
  POOL ("MaxPool2d",
        "Largest element of each window of images",
        max_attributes,
        infer_pool,
        lower_max),
  POOL ("MaxPool3d",
        "Largest element of each window of volumes",
        max_attributes,
        infer_pool,
        lower_max),
  POOL ("AvgPool1d", "Mean of each window", average_attributes, infer_pool, lower_average),
  POOL ("AvgPool2d",
        "Mean of each window of images",
        average_attributes,
        infer_pool,
        lower_average),
  POOL ("AvgPool3d",
        "Mean of each window of volumes",
        average_attributes,
        infer_pool,
        lower_average),
  POOL ("AdaptiveAvgPool1d",
        "Mean, to a given size",
        adaptive_attributes,
        infer_adaptive,
        lower_adaptive_average),
  POOL ("AdaptiveAvgPool2d",
        "Mean of images, to a given size",
        adaptive_attributes,
        infer_adaptive,
        lower_adaptive_average),
  POOL ("AdaptiveAvgPool3d",
        "Mean of volumes, to a given size",
        adaptive_attributes,
        infer_adaptive,
        lower_adaptive_average),
  POOL ("AdaptiveMaxPool2d",
        "Maximum of images, to a given size",
        adaptive_attributes,
        infer_adaptive,
        lower_adaptive_max),
  { NULL },
};
