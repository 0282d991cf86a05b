/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-acuity.h"

#include <string.h>

/* Acuity's windows over images, whose channels are last whatever framework they come from: what is
 * made of ONNX has a `permute` before each window.  Filters lie as those of TensorFlow, and SAME is
 * TensorFlow's. */

/* ---- What files tell ---- */

/* top, bottom, left, right; older files have one number for both sides. */
static gboolean
read_margins (const SymAttributes *attributes, SymOpEngineWindow *window, GError **error)
{
  gint64 given[4];
  int n = sym_attributes_get_ints (attributes, "pad", given, 4);

  if (!sym_op_engine_read_from (attributes, "pad_h", 0, 0, &window->before[0], error) ||
      !sym_op_engine_read_from (attributes, "pad_w", 0, 0, &window->before[1], error))
    return FALSE;
  for (int i = 0; i < 2; i++)
    {
      window->after[i] = window->before[i];
      if (n != 4)
        continue;
      if (MIN (given[2 * i], given[2 * i + 1]) < 0 ||
          MAX (given[2 * i], given[2 * i + 1]) > G_MAXINT32)
        return sym_rule_fail (error, "pad makes no sense");
      window->before[i] = given[2 * i];
      window->after[i] = given[2 * i + 1];
    }
  return TRUE;
}

/* A number, or one for each axis of the data or of the window. */
static gboolean
read_dilation (const SymAttributes *attributes, SymOpEngineWindow *window, GError **error)
{
  gint64 given[4];
  int n = sym_attributes_get_ints (attributes, "dilation", given, 4);

  for (int i = 0; i < 2; i++)
    {
      gint64 dilation = n == 1 ? given[0] : n == 2 ? given[i] : n == 4 ? given[1 + i] : 1;

      if (dilation > G_MAXINT32)
        return sym_rule_fail (error, "dilation makes no sense");
      window->dilation[i] = MAX (dilation, 1);
    }
  return TRUE;
}

static gboolean
read_window (const SymAttributes *attributes,
             const char *type,
             SymOpEngineWindow *window,
             GError **error)
{
  static const char *const names[2][2] = { { "ksize_h", "stride_h" }, { "ksize_w", "stride_w" } };

  *window = (SymOpEngineWindow){ .channels_last = TRUE };
  for (int i = 0; i < 2; i++)
    if (!sym_op_engine_read_from (attributes, names[i][0], 1, 1, &window->kernel[i], error) ||
        !sym_op_engine_read_from (attributes, names[i][1], 1, 1, &window->stride[i], error))
      return FALSE;
  window->is_same =
      g_strcmp0 (sym_attributes_get_string (attributes, "padding", NULL), "SAME") == 0;
  window->up = strstr (type, "pool") != NULL &&
               strcmp (sym_attributes_get_string (attributes, "round_type", "ceil"), "ceil") == 0;
  return read_dilation (attributes, window, error) && read_margins (attributes, window, error);
}

/* ---- Rules ---- */

static gboolean
read_for_rule (SymRule *rule, SymOpEngineWindow *window, GError **error)
{
  return read_window (sym_rule_get_attributes (rule), sym_rule_get_type (rule), window, error);
}

/* weight [h, w, in / groups, out] */
static gboolean
set_weights (SymRule *rule, const SymOpEngineWindow *window, SymDim in, SymDim out, GError **error)
{
  gint64 groups;

  if (!sym_op_engine_read (rule, "group_number", 1, 0, &groups, error))
    return FALSE;
  if (groups > 1)
    in = in >= 0 && in % groups == 0 ? in / groups : SYM_DIM_UNKNOWN;
  return sym_op_set_input (rule, 1, SYM_SHAPE (window->kernel[0], window->kernel[1], in, out),
                           error) &&
         (out < 0 || sym_op_set_input (rule, 2, SYM_SHAPE (out), error));
}

static gboolean
infer_conv (SymRule *rule, GError **error)
{
  SymDim out = sym_op_engine_get_count (rule, "weights"),
         in = sym_op_engine_get_channels (rule, TRUE);
  SymOpEngineWindow window;

  return read_for_rule (rule, &window, error) && set_weights (rule, &window, in, out, error) &&
         sym_op_engine_slide (rule, &window, out, error);
}

/* weight [h, w, C, M]: M results of each channel. */
static gboolean
infer_depthwise (SymRule *rule, GError **error)
{
  SymDim in = sym_op_engine_get_channels (rule, TRUE), out;
  SymOpEngineWindow window;
  gint64 factor;

  if (!sym_op_engine_read (rule, "multiplier", 1, 1, &factor, error) ||
      !read_for_rule (rule, &window, error))
    return FALSE;
  out = sym_terms_multiply (sym_rule_get_terms (rule), in, factor);
  return sym_op_set_input (rule, 1, SYM_SHAPE (window.kernel[0], window.kernel[1], in, factor),
                           error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (out), error) &&
         sym_op_engine_slide (rule, &window, out, error);
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymOpEngineWindow window;

  if (!sym_rule_get_bool (rule, "global_pooling", FALSE))
    return read_for_rule (rule, &window, error) &&
           sym_op_engine_slide (rule, &window, SYM_DIM_UNKNOWN, error);
  if (data.rank == 4)
    data.dims[1] = data.dims[2] = 1;
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         (data.rank != 4 || sym_rule_set_output (rule, 0, &data, error));
}

/* And where in its window each number was. */
static gboolean
infer_pool_indices (SymRule *rule, GError **error)
{
  SymShape result;

  if (!infer_pool (rule, error))
    return FALSE;
  result = sym_rule_get_output (rule, 0);
  return sym_rule_get_n_outputs (rule) < 2 || sym_rule_set_output (rule, 1, &result, error);
}

/* weight [h, w, out / groups, in] */
static gboolean
set_spread_weights (SymRule *rule, const SymOpEngineWindow *window, GError **error)
{
  SymDim out = sym_op_engine_get_count (rule, "weights"),
         in = sym_op_engine_get_channels (rule, TRUE), each = out;
  gint64 groups;

  if (!sym_op_engine_read (rule, "group_number", 1, 0, &groups, error))
    return FALSE;
  if (groups > 1)
    each = out >= 0 && out % groups == 0 ? out / groups : SYM_DIM_UNKNOWN;
  return sym_op_set_input (rule, 1, SYM_SHAPE (window->kernel[0], window->kernel[1], each, in),
                           error) &&
         (out < 0 || sym_op_set_input (rule, 2, SYM_SHAPE (out), error));
}

/* Most files tell the result; 0 is the size of the data. */
static gboolean
infer_transpose_conv (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = SYM_SHAPE_UNKNOWN;
  int n = sym_rule_get_ints (rule, "output_shape", out.dims, SYM_MAX_RANK);
  SymOpEngineWindow window;
  gint64 extra[2];

  if (!read_for_rule (rule, &window, error) || !set_spread_weights (rule, &window, error) ||
      !sym_op_engine_read (rule, "output_padding_h", 0, 0, &extra[0], error) ||
      !sym_op_engine_read (rule, "output_padding_w", 0, 0, &extra[1], error))
    return FALSE;
  if (n != 4)
    return sym_op_engine_unslide (rule, &window, extra, sym_op_engine_get_count (rule, "weights"),
                                  error);
  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  out.rank = n;
  for (int i = 0; i < n; i++)
    out.dims[i] = out.dims[i] > 0                      ? out.dims[i]
                  : out.dims[i] == 0 && data.rank == n ? data.dims[i]
                                                       : SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- Lowering ---- */

static gboolean
begin (SymOpLower *self, SymOpForeignWindow *window)
{
  g_autoptr (GError) error = NULL;
  SymOpEngineWindow told;

  if (sym_op_foreign_rank (self, 0) != 4)
    sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
  else if (!read_window (sym_layer_get_attributes (sym_op_lower_get_layer (self)),
                         sym_op_lower_get_type (self), &told, &error))
    sym_op_lower_fail (self, "%s: %s", sym_op_lower_get_type (self), error->message);
  if (sym_op_lower_has_failed (self) || !sym_op_foreign_begin (self, 0, window))
    return FALSE;
  window->channels_last = TRUE;
  window->auto_pad = told.is_same ? "SAME_UPPER" : NULL;
  window->up = told.up && !told.is_same;
  window->groups = MAX (sym_op_lower_get_int (self, "group_number", 1), 1);
  memcpy (window->kernel, told.kernel, sizeof told.kernel);
  memcpy (window->stride, told.stride, sizeof told.stride);
  memcpy (window->dilation, told.dilation, sizeof told.dilation);
  memcpy (window->before, told.before, sizeof told.before);
  memcpy (window->after, told.after, sizeof told.after);
  return TRUE;
}

static void
lower_conv (SymOpLower *self)
{
  static const gint64 axes[] = { 3, 2, 0, 1 };
  SymOpForeignWindow window;

  if (begin (self, &window))
    sym_op_engine_conv (self, &window, axes);
}

/* Results of one channel are next to each other. */
static void
lower_depthwise (SymOpLower *self)
{
  SymOpForeignWindow window;
  SymId weight;

  if (!begin (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  window.groups = sym_op_foreign_size (self, 0, 3);
  weight = sym_op_lower_transpose (self, sym_op_engine_real (self, 1), 4, 2, 3, 0, 1);
  if (sym_op_foreign_size (self, 1, 3) != 1)
    weight = sym_op_foreign_reshape (
        self, weight, (const gint64[]){ -1, 1, window.kernel[0], window.kernel[1] }, 4, FALSE);
  sym_op_engine_set (self, sym_op_foreign_conv (self, &window, sym_op_engine_real (self, 0), weight,
                                                sym_op_engine_real (self, 2)));
}

/* What is cut off for the result to have the size that the rule tells; where that needs more than
 * there is, the rest is added at the end. */
static void
fit (SymOpLower *self, SymOpForeignWindow *window, int i, gint64 *extra)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  gint64 size = sym_op_foreign_size (self, 0, 1 + i), made, cut;

  *extra = 0;
  if (out->rank != 4 || out->dims[1 + i] < 1)
    {
      sym_op_lower_refuse (self, "%s: the size of its result is not known",
                           sym_op_lower_get_type (self));
      return;
    }
  made = sym_op_foreign_multiply (self, MAX (size - 1, 0), window->stride[i]) +
         sym_op_foreign_multiply (self, window->kernel[i] - 1, window->dilation[i]) + 1;
  cut = made - out->dims[1 + i];
  if (window->auto_pad != NULL)
    window->before[i] = MAX (cut, 0) / 2;
  window->after[i] = MAX (cut - window->before[i], 0);
  *extra = MAX (window->before[i] - cut, 0);
}

static void
lower_transpose_conv (SymOpLower *self)
{
  SymOpForeignWindow window;
  gint64 extra[2];

  if (!begin (self, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (int i = 0; i < 2; i++)
    fit (self, &window, i, &extra[i]);
  window.auto_pad = NULL;
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set (
        self, sym_op_foreign_conv_transpose (
                  self, &window, sym_op_engine_real (self, 0),
                  sym_op_lower_transpose (self, sym_op_engine_real (self, 1), 4, 3, 2, 0, 1),
                  sym_op_engine_real (self, 2), extra));
}

void
sym_op_acuity_pool (SymOpLower *self, const SymOpForeignWindow *window)
{
  gboolean is_max = g_str_equal (sym_op_lower_get_string (self, "type", "MAX"), "MAX");

  if (!is_max && !sym_op_lower_has_string (self, "type", "AVG"))
    sym_op_lower_refuse (self, "%s: only MAX and AVG are lowered", sym_op_lower_get_type (self));
  else if (sym_op_lower_get_bool (self, "global_pooling", FALSE))
    sym_op_engine_pool_all (self, window, is_max);
  else
    sym_op_engine_pool (self, window, is_max);
}

/* A mean counts zeros around the image as Caffe's does, or as the file says; those of others have
 * none but for SAME. */
static void
lower_pool (SymOpLower *self)
{
  gboolean is_caffe = sym_op_lower_has_string (self, "axes", "NCHW");
  SymOpForeignWindow window;

  if (!begin (self, &window))
    return;
  window.counts_pads = sym_op_lower_get_int (self, "count_include_pad", is_caffe) != 0;
  sym_op_acuity_pool (self, &window);
}

/* ---- Table ---- */

static const SymAttributeSpec window_attributes[] = {
  { "weights", SYM_ATTRIBUTE_INT, "0", "channels of the result" },
  { "ksize_h", SYM_ATTRIBUTE_INT, "1", "rows of the window" },
  { "ksize_w", SYM_ATTRIBUTE_INT, "1", "columns of the window" },
  { "stride_h", SYM_ATTRIBUTE_INT, "1", "step along a column" },
  { "stride_w", SYM_ATTRIBUTE_INT, "1", "step along a row" },
  { "pad", SYM_ATTRIBUTE_INTS, "None", "zeros around: top, bottom, left, right" },
  { "pad_h", SYM_ATTRIBUTE_INT, "0", "zeros above and below" },
  { "pad_w", SYM_ATTRIBUTE_INT, "0", "zeros to the left and right" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "SAME: as many as places need" },
  { "dilation", SYM_ATTRIBUTE_INTS, "None", "distance of the places in a window" },
  { "group_number", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "multiplier", SYM_ATTRIBUTE_INT, "1", "results of each channel" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is a bias" },
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "the shape of what is spread" },
  { NULL },
};

static const SymAttributeSpec spread_attributes[] = {
  { "weights", SYM_ATTRIBUTE_INT, "0", "channels of the result" },
  { "ksize_h", SYM_ATTRIBUTE_INT, "1", "rows of the window" },
  { "ksize_w", SYM_ATTRIBUTE_INT, "1", "columns of the window" },
  { "stride_h", SYM_ATTRIBUTE_INT, "1", "distance of rows that are spread" },
  { "stride_w", SYM_ATTRIBUTE_INT, "1", "distance of columns that are spread" },
  { "pad", SYM_ATTRIBUTE_INTS, "None", "what is cut off: top, bottom, left, right" },
  { "pad_h", SYM_ATTRIBUTE_INT, "0", "what is cut off above and below" },
  { "pad_w", SYM_ATTRIBUTE_INT, "0", "what is cut off to the left and right" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "SAME: as many as places need" },
  { "group_number", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is a bias" },
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "the shape of what is spread" },
  { "output_padding_h", SYM_ATTRIBUTE_INT, "0", "rows that are added below" },
  { "output_padding_w", SYM_ATTRIBUTE_INT, "0", "columns that are added to the right" },
  { NULL },
};

static const SymAttributeSpec pool_attributes[] = {
  { "type", SYM_ATTRIBUTE_STRING, "MAX", "MAX, or AVG for means" },
  { "ksize_h", SYM_ATTRIBUTE_INT, "1", "rows of the window" },
  { "ksize_w", SYM_ATTRIBUTE_INT, "1", "columns of the window" },
  { "stride_h", SYM_ATTRIBUTE_INT, "1", "step along a column" },
  { "stride_w", SYM_ATTRIBUTE_INT, "1", "step along a row" },
  { "pad", SYM_ATTRIBUTE_INTS, "None", "places around: top, bottom, left, right" },
  { "pad_h", SYM_ATTRIBUTE_INT, "0", "places above and below" },
  { "pad_w", SYM_ATTRIBUTE_INT, "0", "places to the left and right" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "SAME: as many as places need" },
  { "round_type", SYM_ATTRIBUTE_STRING, "ceil", "ceil: a last, partly filled window counts" },
  { "global_pooling", SYM_ATTRIBUTE_BOOL, "False", "whether the window is the whole image" },
  { "count_include_pad", SYM_ATTRIBUTE_INT, "0", "whether a mean counts places around" },
  { "dilation", SYM_ATTRIBUTE_INTS, "None", "distance of the places in a window" },
  { "axes", SYM_ATTRIBUTE_STRING, "None", "NCHW: the layer is one of Caffe's" },
  { NULL },
};

#define WINDOW(name_, aliases_, summary_, category_, slots_, attributes_, infer_, lower_)  \
  SYM_OP_ENGINE_RULED ("acuity", "Acuity 6", name_, aliases_, summary_, category_, slots_, \
                       attributes_, infer_, lower_)

const SymOperator sym_op_acuity_window[] = {
  WINDOW ("convolution",
          NULL,
          "Slides filters over images",
          WEIGHTS,
          sym_op_engine_weighted,
          window_attributes,
          infer_conv,
          lower_conv),
  WINDOW ("depthwise_convolution",
          NULL,
          "Slides filters over each channel",
          WEIGHTS,
          sym_op_engine_weighted,
          window_attributes,
          infer_depthwise,
          lower_depthwise),
  WINDOW ("deconvolution",
          NULL,
          "Spreads each element over a window",
          WEIGHTS,
          sym_op_engine_weighted,
          spread_attributes,
          infer_transpose_conv,
          lower_transpose_conv),
  WINDOW ("pooling",
          NULL,
          "One number of each window",
          POOLING,
          sym_op_foreign_one,
          pool_attributes,
          infer_pool,
          lower_pool),
  { SYM_OP_FOREIGN ("acuity", "l2pooling", NULL, "One number of each window", POOLING),
    .reference = "Acuity 6 l2pooling", .slots = sym_op_foreign_one, .attributes = pool_attributes,
    .get_n_operands = sym_op_foreign_any, .infer = infer_pool },
  { SYM_OP_FOREIGN ("acuity",
                    "poolwithargmax",
                    NULL,
                    "The greatest number of each window, and its place",
                    POOLING),
    .reference = "Acuity 6 poolwithargmax", .slots = sym_op_foreign_one,
    .attributes = pool_attributes, .get_n_outputs = sym_op_foreign_first,
    .infer = infer_pool_indices },
  { NULL },
};
