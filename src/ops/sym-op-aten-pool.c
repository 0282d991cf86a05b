/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-aten.h"
#include "ops/sym-op.h"

/* Pools over the last axes of data that may lack the batch. */

typedef struct {
  SymOpLower *lower;
  int n; /* axes that the window slides over */
  gint64 kernel[3], stride[3], padding[3], dilation[3];
  gboolean has_batch;
} Pool;

/* avg_pool2d, max_pool3d_with_indices, adaptive_avg_pool1d */
static int
count_axes (const char *type)
{
  const char *place = strstr (type, "pool");

  return place == NULL || place[4] < '1' || place[4] > '3' ? 0 : place[4] - '0';
}

static gboolean
begin (Pool *self, SymOpLower *lower)
{
  int rank = sym_op_lower_get_input_shape (lower, 0)->rank;
  gboolean has_stride = sym_op_lower_get_ints (lower, "stride", NULL, 0) > 0;

  self->lower = lower;
  self->n = count_axes (sym_op_lower_get_type (lower));
  self->has_batch = rank == self->n + 2;
  if (!sym_op_lower_need_tensor (lower, 0) ||
      !sym_op_aten_get_ints (lower, "kernel_size", self->n, 1, self->kernel) ||
      !sym_op_aten_get_ints (lower, has_stride ? "stride" : "kernel_size", self->n, 1,
                             self->stride) ||
      !sym_op_aten_get_ints (lower, "padding", self->n, 0, self->padding) ||
      !sym_op_aten_get_ints (lower, "dilation", self->n, 1, self->dilation))
    return FALSE;
  if (rank == self->n + 1 || rank == self->n + 2)
    return TRUE;
  sym_op_lower_fail (lower, "%s: data of %d axes", sym_op_lower_get_type (lower), rank);
  return FALSE;
}

static SymId
get_data (const Pool *self)
{
  SymId x = sym_op_lower_input (self->lower, 0);

  return self->has_batch ? x : sym_op_aten_unsqueeze (self->lower, x, 0);
}

static void
set_result (const Pool *self, guint i, SymId y)
{
  sym_op_lower_set_output (self->lower, i,
                           self->has_batch ? y : sym_op_aten_squeeze (self->lower, y, 0));
}

static SymValue *
make_pads (const Pool *self)
{
  gint64 pads[6];

  for (int i = 0; i < self->n; i++)
    pads[i] = pads[self->n + i] = self->padding[i];
  return sym_op_lower_list (pads, 2 * self->n);
}

/* ONNX counts places over all planes, ATen within each. */
static SymId
make_places (const Pool *self, SymId places)
{
  SymOpLower *lower = self->lower;
  SymId sizes = sym_op_lower_slice (lower, sym_op_aten_shape (lower, sym_op_lower_input (lower, 0)),
                                    0, -self->n, G_MAXINT64, 1);
  gint64 first = 0;

  return sym_op_lower_binary (lower, "Mod", places,
                              sym_op_lower_reduce (lower, "ReduceProd", sizes, &first, 1, FALSE));
}

static void
lower_max (SymOpLower *lower)
{
  Pool self;
  SymId y;

  if (!begin (&self, lower))
    return;
  y = sym_op_lower_call (
      lower, "MaxPool", SYM_IDS (get_data (&self)), "kernel_shape",
      sym_op_lower_list (self.kernel, self.n), "strides", sym_op_lower_list (self.stride, self.n),
      "pads", make_pads (&self), "dilations", sym_op_lower_list (self.dilation, self.n),
      "ceil_mode", sym_value_new_int (sym_op_lower_get_bool (lower, "ceil_mode", FALSE)), NULL);
  set_result (&self, 0, y);
  if (sym_op_lower_get_n_outputs (lower) > 1)
    set_result (&self, 1, make_places (&self, sym_op_lower_get_result (lower, y, 1)));
}

/* With a divisor of its own, the sum of a window is the average times its elements. */
static void
lower_average (SymOpLower *lower)
{
  double divisor = sym_op_lower_get_float (lower, "divisor_override", 0), elements = 1;
  gboolean counts = sym_op_lower_get_bool (lower, "count_include_pad", TRUE) || divisor != 0;
  SymDType dtype = sym_op_lower_get_input_dtype (lower, 0);
  Pool self;
  SymId y;

  if (!begin (&self, lower))
    return;
  y = sym_op_lower_call (lower, "AveragePool", SYM_IDS (get_data (&self)), "kernel_shape",
                         sym_op_lower_list (self.kernel, self.n), "strides",
                         sym_op_lower_list (self.stride, self.n), "pads", make_pads (&self),
                         "ceil_mode",
                         sym_value_new_int (sym_op_lower_get_bool (lower, "ceil_mode", FALSE)),
                         "count_include_pad", sym_value_new_int (counts), NULL);
  for (int i = 0; i < self.n; i++)
    elements *= (double) self.kernel[i];
  if (divisor != 0 && sym_op_lower_get_bool (lower, "ceil_mode", FALSE))
    sym_op_lower_refuse (lower, "%s: ceil_mode with a divisor is not lowered",
                         sym_op_lower_get_type (lower));
  if (divisor != 0)
    y = sym_op_lower_binary (lower, "Mul", y,
                             sym_op_aten_number (lower, dtype, elements / divisor));
  set_result (&self, 0, y);
}

/* ---- Adaptive ones ---- */

/* The layer of PyTorch that does it. */
static void
lower_adaptive (SymOpLower *lower)
{
  gboolean is_max = strstr (sym_op_lower_get_type (lower), "max") != NULL;
  int n = count_axes (sym_op_lower_get_type (lower));
  g_autofree char *name = g_strdup_printf ("Adaptive%sPool%dd", is_max ? "Max" : "Avg", n);
  const SymOperator *op = sym_op_find ("torch", name, 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  gint64 sizes[3];

  if (!sym_op_lower_need_tensor (lower, 0) ||
      !sym_op_aten_get_ints (lower, "output_size", n, 1, sizes))
    return;
  g_assert (op != NULL);
  sym_attributes_set (attributes, "output_size", sym_op_lower_list (sizes, n), NULL);
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_apply (lower, op, SYM_IDS (sym_op_lower_input (lower, 0)), attributes));
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_refuse (lower, "%s: where the elements were is not lowered",
                         sym_op_lower_get_type (lower));
}

static gboolean
infer_adaptive (SymRule *rule, GError **error)
{
  SymShape output = sym_rule_get_input (rule, 0);
  int n = count_axes (sym_rule_get_type (rule)), open;
  SymDim sizes[SYM_MAX_RANK];
  int given = sym_op_aten_get_sizes (rule, "output_size", sizes, &open);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (output.rank < 0 || (given != n && given != 1))
    return TRUE;
  if (output.rank != n + 1 && output.rank != n + 2)
    return sym_rule_fail (error, "data of %d axes", output.rank);
  for (int i = 0; i < n; i++)
    output.dims[output.rank - n + i] = sizes[given == 1 ? 0 : i];
  return sym_rule_set_output (rule, 0, &output, error) &&
         sym_op_set_output (rule, 1, output, SYM_DTYPE_INT64, error);
}

static const SymAttributeSpec attributes[] = {
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "stride", SYM_ATTRIBUTE_INTS, "None", "step of the window; its size without" },
  { "padding", SYM_ATTRIBUTE_INTS, "0", "added on both sides" },
  { "dilation", SYM_ATTRIBUTE_INTS, "1", "distance between the window's elements" },
  { "ceil_mode", SYM_ATTRIBUTE_BOOL, "False", "whether a last, partly filled place counts" },
  { "count_include_pad", SYM_ATTRIBUTE_BOOL, "True", "whether an average counts what was added" },
  { "divisor_override", SYM_ATTRIBUTE_INT, "None", "what sums are divided by" },
  { NULL },
};

static const SymAttributeSpec adaptive_attributes[] = {
  { "output_size", SYM_ATTRIBUTE_ANY, NULL, "sizes of the result" },
  { NULL },
};

#define POOL(name_, aliases_, summary_, attributes_, infer_, lower_)                         \
  {                                                                                          \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,            \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_POOLING,    \
                 .attributes = attributes_, .slots = sym_op_aten_self,                       \
                 .get_n_outputs = sym_op_aten_any_outputs, .infer = infer_, .lower = lower_, \
  }

const SymOperator sym_op_aten_pool[] = {
  POOL ("max_pool1d",
        "aten.max_pool1d_with_indices",
        "The greatest element of each window",
        attributes,
        sym_op_infer_lowered,
        lower_max),
  POOL ("max_pool2d",
        "aten.max_pool2d_with_indices",
        "The greatest element of each window",
        attributes,
        sym_op_infer_lowered,
        lower_max),
  POOL ("max_pool3d",
        "aten.max_pool3d_with_indices",
        "The greatest element of each window",
        attributes,
        sym_op_infer_lowered,
        lower_max),
  POOL ("avg_pool1d",
        "aten.avg_pool2d aten.avg_pool3d",
        "The average of each window",
        attributes,
        sym_op_infer_lowered,
        lower_average),
  POOL ("adaptive_avg_pool1d",
        "aten.adaptive_avg_pool2d aten.adaptive_avg_pool3d aten._adaptive_avg_pool2d "
        "aten._adaptive_avg_pool3d",
        "Averages of a given number of windows",
        adaptive_attributes,
        infer_adaptive,
        lower_adaptive),
  POOL ("adaptive_max_pool1d",
        "aten.adaptive_max_pool2d aten.adaptive_max_pool3d",
        "Greatest elements of a given number of windows",
        adaptive_attributes,
        infer_adaptive,
        lower_adaptive),
  { NULL },
};
