/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "kernel", SYM_ATTRIBUTE_INTS, "()", "size of the window: (w), (h, w) or (d, h, w)" },
  { "pool_type", SYM_ATTRIBUTE_STRING, "max", "avg, lp, max or sum", "max avg sum lp" },
  { "global_pool", SYM_ATTRIBUTE_BOOL, "False", "whether the window is the whole picture" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "False", "whether cuDNN is not used" },
  { "pooling_convention", SYM_ATTRIBUTE_STRING, "valid", "valid rounds down, full up; same",
    "full valid same" },
  { "stride", SYM_ATTRIBUTE_INTS, "()", "steps of the window; 1 for each axis when empty" },
  { "pad", SYM_ATTRIBUTE_INTS, "()", "what is put around the data; 0 when empty" },
  { "p_value", SYM_ATTRIBUTE_INT, "None", "1 or 2: the norm of lp pooling" },
  { "count_include_pad", SYM_ATTRIBUTE_BOOL, "None", "whether an average counts the padding" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "NCW, NCHW, NCDHW, NWC, NHWC or NDHWC",
    "NCW NCHW NCDHW NWC NHWC NDHWC" },
  { NULL },
};

static gboolean
has_convention (SymRule *rule, const char *convention)
{
  return strcmp (sym_rule_get_string (rule, "pooling_convention", "valid"), convention) == 0;
}

/* One place for each sample and channel. */
static gboolean
infer_global (SymRule *rule, GError **error)
{
  const char *layout = sym_rule_get_string (rule, "layout", "");
  SymShape data = sym_rule_get_input (rule, 0), out;
  int channels;

  if (data.rank < 0)
    return TRUE;
  if (data.rank < 3 || data.rank > 5)
    return sym_rule_fail (error, "Pooling: Input data should be 3D, 4D or 5D, but has %d axes",
                          data.rank);
  channels = g_str_has_suffix (layout, "C") ? data.rank - 1 : 1;
  out = data;
  for (int i = 1; i < data.rank; i++)
    if (i != channels)
      out.dims[i] = 1;
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_windows (SymRule *rule, GError **error)
{
  SymOpMxnetWindows windows;
  const SymDim *spatial;
  SymDim sizes[3];
  SymShape data, out;

  if (!sym_op_mxnet_get_windows (rule, &windows, error) ||
      !sym_op_mxnet_set_window_rank (rule, &windows, &data, error))
    return FALSE;
  spatial = sym_op_mxnet_get_spatial (&windows, &data);
  for (int i = 0; i < windows.n; i++)
    {
      SymOpWindow *window = &windows.windows[i];

      window->up = has_convention (rule, "full");
      if (has_convention (rule, "same") && window->stride >= 1)
        sizes[i] = sym_terms_ceil_divide (sym_rule_get_terms (rule), spatial[i], window->stride);
      else if (!sym_op_slide (rule, spatial[i], window, &sizes[i], error))
        return FALSE;
    }
  out = sym_op_mxnet_arrange (&windows, data.dims[0], sym_op_mxnet_get_channels (&windows, &data),
                              sizes);
  return sym_rule_set_output (rule, 0, &out, error);
}

gboolean
sym_op_mxnet_infer_pooling (SymRule *rule, GError **error)
{
  return sym_rule_get_bool (rule, "global_pool", FALSE) ? infer_global (rule, error)
                                                        : infer_windows (rule, error);
}

static gboolean
infer_pooling (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_mxnet_infer_pooling (rule, error);
}

/* Paddings with which windows of ONNX come to as many places as MXNet has.  A last window that is
 * only partly in the data is rounded up to, unless @exact; then the padding grows, and counts. */
static gboolean
find_pads (SymOpLower *self,
           const SymOpMxnetLowerWindows *windows,
           gboolean exact,
           gint64 pads[6],
           gboolean *up)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  gboolean fits = TRUE;

  *up = FALSE;
  for (int i = 0; i < windows->n; i++)
    {
      int axis = i + (windows->channels_last ? 1 : 2);
      gint64 stride = windows->stride[i], pad = windows->pad[i], places = out->dims[axis];
      gint64 room = data->dims[axis] + 2 * pad - windows->kernel[i];

      pads[i] = pads[windows->n + i] = pad;
      if (exact)
        pads[windows->n + i] =
            MAX ((places - 1) * stride + windows->kernel[i] - data->dims[axis] - pad, 0);
      *up = *up || (!exact && places > room / stride + 1);
      fits = fits && places == (room + stride - 1) / stride + 1;
      if ((places - 1) * stride - pad >= data->dims[axis])
        sym_op_lower_refuse (self, "%s: a window wholly outside of the data is not lowered",
                             sym_op_lower_get_type (self));
    }
  return fits || !*up;
}

static SymId
add_pool (SymOpLower *self,
          const SymOpMxnetLowerWindows *windows,
          SymId x,
          const char *name,
          const gint64 *pads,
          gboolean up,
          gboolean counts_padding)
{
  return sym_op_lower_call (
      self, name, SYM_IDS (x), "kernel_shape", sym_op_lower_list (windows->kernel, windows->n),
      "strides", sym_op_lower_list (windows->stride, windows->n), "pads",
      sym_op_lower_list (pads, 2 * windows->n), "ceil_mode", sym_value_new_int (up),
      "count_include_pad", sym_value_new_int (counts_padding), "p",
      sym_value_new_int (sym_op_lower_get_int (self, "p_value", 2)), NULL);
}

/* Averages count the padding that the file tells, but nothing beyond it. */
static SymId
lower_average (SymOpLower *self, const SymOpMxnetLowerWindows *windows, SymId x)
{
  gboolean counts = sym_op_lower_get_bool (self, "count_include_pad", TRUE), up;
  gint64 pads[6];

  if (find_pads (self, windows, FALSE, pads, &up))
    return add_pool (self, windows, x, "AveragePool", pads, up, counts);
  for (int i = 0; counts && i < windows->n; i++)
    if (windows->pad[i] != 0)
      sym_op_lower_refuse (self,
                           "%s: averages of the convention same with a padding that counts are "
                           "not lowered",
                           sym_op_lower_get_type (self));
  find_pads (self, windows, TRUE, pads, &up);
  return add_pool (self, windows, x, "AveragePool", pads, FALSE, FALSE);
}

static SymId
lower_exactly (SymOpLower *self, const SymOpMxnetLowerWindows *windows, SymId x, const char *name)
{
  gint64 pads[6];
  gboolean up;

  find_pads (self, windows, TRUE, pads, &up);
  return add_pool (self, windows, x, name, pads, FALSE, strcmp (name, "AveragePool") == 0);
}

/* How many elements a window has. */
static SymId
lower_area (SymOpLower *self, const SymOpMxnetLowerWindows *windows)
{
  double area = 1;

  for (int i = 0; i < windows->n; i++)
    area *= (double) windows->kernel[i];
  return sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), area);
}

static void
lower_windows (SymOpLower *self)
{
  const char *type = sym_op_lower_get_string (self, "pool_type", "max");
  SymOpMxnetLowerWindows windows;
  SymId x;

  if (!sym_op_mxnet_lower_windows (self, &windows) ||
      sym_op_lower_get_output_shape (self, 0)->rank != windows.n + 2)
    return;
  x = sym_op_mxnet_lower_first (self, &windows, sym_op_lower_input (self, 0));
  if (strcmp (type, "max") == 0)
    x = lower_exactly (self, &windows, x, "MaxPool");
  else if (strcmp (type, "lp") == 0)
    x = lower_exactly (self, &windows, x, "LpPool");
  else if (strcmp (type, "sum") == 0)
    x = sym_op_lower_binary (self, "Mul", lower_exactly (self, &windows, x, "AveragePool"),
                             lower_area (self, &windows));
  else
    x = lower_average (self, &windows, x);
  sym_op_lower_set_output (self, 0, sym_op_mxnet_lower_last (self, &windows, x));
}

static void
lower_global (SymOpLower *self)
{
  static const char *const names[][2] = { { "max", "ReduceMax" },
                                          { "avg", "ReduceMean" },
                                          { "sum", "ReduceSum" } };
  const char *type = sym_op_lower_get_string (self, "pool_type", "max");
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  gboolean last = g_str_has_suffix (sym_op_lower_get_string (self, "layout", ""), "C");
  SymId x = sym_op_lower_input (self, 0), y = SYM_NO_ID;
  gint64 axes[3];

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 3)
    return;
  for (int i = 0; i < rank - 2; i++)
    axes[i] = last ? i + 1 : i + 2;
  if (strcmp (type, "avg") == 0 && !last)
    y = sym_op_lower_unary (self, "GlobalAveragePool", x);
  for (guint i = 0; y == SYM_NO_ID && i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i][0], type) == 0)
      y = sym_op_lower_reduce (self, names[i][1], x, axes, rank - 2, TRUE);
  if (strcmp (type, "lp") == 0)
    y = sym_op_lower_reduce (
        self, sym_op_lower_get_int (self, "p_value", 2) == 1 ? "ReduceL1" : "ReduceL2", x, axes,
        rank - 2, TRUE);
  sym_op_lower_set_output (self, 0, y);
}

static void
lower_pooling (SymOpLower *self)
{
  if (sym_op_lower_get_bool (self, "global_pool", FALSE))
    lower_global (self);
  else
    lower_windows (self);
}

/* ---- Adaptive pooling ---- */

static const SymAttributeSpec adaptive_attributes[] = {
  { "output_size", SYM_ATTRIBUTE_INTS, "()", "(h, w) of the result, or one size for both" },
  { NULL },
};

static gboolean
infer_adaptive (SymRule *rule, GError **error)
{
  SymShape data;
  gint64 size[2];
  int n = sym_rule_get_ints (rule, "output_size", size, 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  if (n <= 0)
    size[0] = size[1] = 1;
  else if (n == 1)
    size[1] = size[0];
  else if (n > 2)
    return sym_rule_fail (error, "output_size has %d sizes; it should have 1 or 2", n);
  data = sym_rule_get_input (rule, 0);
  return sym_op_set_output (
      rule, 0, SYM_SHAPE (data.dims[0], data.dims[1], MAX (size[0], 1), MAX (size[1], 1)),
      SYM_DTYPE_UNKNOWN, error);
}

/* A matrix [out, in] of means: row i is of the elements from floor (i in / out) up to
 * ceil ((i + 1) in / out). */
static SymId
lower_means (SymOpLower *self, gint64 n_in, gint64 n_out)
{
  g_autofree double *means = NULL;
  SymArray array = { SYM_DTYPE_FLOAT64, SYM_SHAPE (n_out, n_in), NULL };
  gsize n;

  if (!g_size_checked_mul (&n, (gsize) n_in, (gsize) n_out) || n > G_MAXINT32)
    {
      sym_op_lower_fail (self, "%s: its result is too great", sym_op_lower_get_type (self));
      return SYM_NO_ID;
    }
  means = g_new0 (double, n + 1);
  for (gint64 i = 0; i < n_out; i++)
    {
      gint64 first = i * n_in / n_out, last = ((i + 1) * n_in + n_out - 1) / n_out;

      for (gint64 k = first; k < last; k++)
        means[i * n_in + k] = 1 / (double) (last - first);
    }
  array.data = means;
  return sym_op_lower_cast (self, sym_op_lower_array (self, &array),
                            sym_op_lower_get_input_dtype (self, 0));
}

static void
lower_adaptive (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  SymId rows, columns, y;

  if (!sym_op_lower_need_tensor (self, 0) || out->rank != 4)
    return;
  rows = lower_means (self, data->dims[2], out->dims[2]);
  columns = lower_means (self, data->dims[3], out->dims[3]);
  y = sym_op_lower_binary (self, "MatMul", rows, sym_op_lower_input (self, 0));
  y = sym_op_lower_binary (self, "MatMul", y, sym_op_lower_transpose (self, columns, 2, 1, 0));
  sym_op_lower_set_output (self, 0, y);
}

const SymOperator sym_op_mxnet_pooling[] = {
  {
      SYM_OP_MXNET,
      .name = "Pooling",
      .aliases = "Pooling_v1 _npx_pooling",
      .summary = "takes the greatest element or the mean of each window",
      .reference = "MXNet 1.9.1 Pooling",
      .category = SYM_CATEGORY_POOLING,
      .attributes = attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_pooling,
      .lower = lower_pooling,
  },
  {
      SYM_OP_MXNET,
      .name = "_contrib_AdaptiveAvgPooling2D",
      .summary = "averages windows so that the result has a given size",
      .reference = "MXNet 1.9.1 _contrib_AdaptiveAvgPooling2D",
      .category = SYM_CATEGORY_POOLING,
      .attributes = adaptive_attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_adaptive,
      .lower = lower_adaptive,
  },
  { NULL },
};
