/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* MNN's windows over three axes, recurrent layers, numbers that are made, and parts of images. */

#define MNN(name_, aliases_, summary_, category_) \
  SYM_OP_FOREIGN ("mnn", name_, aliases_, summary_, category_), .reference = "MNN 3.0 " name_

static gboolean
set (SymRule *rule, guint i, SymShape shape, GError **error)
{
  return i >= sym_rule_get_n_outputs (rule) ||
         (sym_op_pass_dtype (rule, 0, i, error) && sym_rule_set_output (rule, i, &shape, error));
}

/* One number, or a list of one. */
static gint64
get_number (SymRule *rule, const char *name, gint64 fallback)
{
  gint64 value;

  return sym_rule_get_ints (rule, name, &value, 1) == 1 ? value : fallback;
}

static SymDim
get_count (SymRule *rule, const char *name)
{
  gint64 n = get_number (rule, name, 0);

  return n > 0 && n <= G_MAXINT32 ? n : SYM_DIM_UNKNOWN;
}

static gboolean
has_string (SymRule *rule, const char *name, const char *text)
{
  return g_strcmp0 (sym_rule_get_string (rule, name, NULL), text) == 0;
}

/* ---- Windows over all axes behind the channels ---- */

static gboolean
read_list (SymRule *rule, const char *name, int n, gint64 least, gint64 *values, GError **error)
{
  gint64 given[2 * SYM_MAX_RANK];
  int n_given = sym_rule_get_ints (rule, name, given, 2 * SYM_MAX_RANK);

  for (int i = 0; i < n; i++)
    {
      values[i] = n_given > 0 && n_given <= 2 * SYM_MAX_RANK ? given[i % n_given] : least;
      if (values[i] < least || values[i] > G_MAXINT32)
        return sym_rule_fail (error, "%s makes no sense", name);
    }
  return n_given < 1 || n_given == n || n == 2 * n_given ||
         sym_rule_fail (error, "%s should have %d numbers, not %d", name, n, n_given);
}

/* Pads are before each axis and then after each, or the same on both sides. */
static gboolean
read_windows (SymRule *rule, int n, SymOpWindow *windows, GError **error)
{
  gint64 kernels[3], strides[3], dilates[3], pads[6];

  if (n < 1 || n > 3)
    return sym_rule_fail (error, "images have 3 to 5 axes, not %d", n + 2);
  if (!read_list (rule, "kernels", n, 1, kernels, error) ||
      !read_list (rule, "strides", n, 1, strides, error) ||
      !read_list (rule, "dilates", n, 1, dilates, error) ||
      !read_list (rule, "pads", 2 * n, 0, pads, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    windows[i] = (SymOpWindow){ kernels[i], strides[i], dilates[i], pads[i], pads[n + i], FALSE };
  return TRUE;
}

static gboolean
slide (SymRule *rule, const char *mode, gboolean backwards, SymDim channels, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymTerms *terms = sym_rule_get_terms (rule);
  gboolean is_same = has_string (rule, mode, "SAME");
  gint64 extra[3] = { 0 };
  SymOpWindow windows[3];

  if (data.rank < 0)
    return sym_op_pass_dtype (rule, 0, 0, error);
  if (!read_windows (rule, data.rank - 2, windows, error) ||
      !read_list (rule, "outPads", data.rank - 2, 0, extra, error))
    return FALSE;
  for (int i = 0; i < data.rank - 2; i++)
    {
      SymDim *dim = &data.dims[2 + i];

      if (has_string (rule, mode, "VALID"))
        windows[i].before = windows[i].after = 0;
      if (is_same)
        *dim = backwards ? sym_terms_multiply (terms, *dim, windows[i].stride)
                         : sym_terms_ceil_divide (terms, *dim, windows[i].stride);
      else if (backwards ? !sym_op_unslide (rule, *dim, &windows[i], extra[i], dim, error)
                         : !sym_op_slide (rule, *dim, &windows[i], dim, error))
        return FALSE;
    }
  if (channels != 0)
    data.dims[1] = channels;
  return set (rule, 0, data, error);
}

static gboolean
infer_conv (SymRule *rule, GError **error)
{
  gboolean backwards = g_str_equal (sym_rule_get_type (rule), "ConvTranspose3D");

  return slide (rule, "padMode", backwards, get_count (rule, "outputCount"), error);
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_rule_get_bool (rule, "isGlobal", FALSE))
    return slide (rule, "padType", FALSE, 0, error);
  for (int i = 2; i < data.rank; i++)
    data.dims[i] = 1;
  return data.rank < 0 || set (rule, 0, data, error);
}

/* ---- Recurrent layers ---- */

/* Of sequences [steps, batch, features] and weights [directions, ...]: what comes out of each step,
 * and the last states. */
static gboolean
infer_recurrent (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), weight = sym_rule_get_input (rule, 1);
  SymDim units = get_count (rule, "outputCount"), n;

  if (data.rank != 3 || sym_rule_get_n_outputs (rule) < 2)
    return sym_op_pass_dtype (rule, 0, 0, error);
  n = weight.rank < 1 ? SYM_DIM_UNKNOWN : weight.dims[0];
  for (guint i = 1; i < sym_rule_get_n_outputs (rule); i++)
    if (!set (rule, i, SYM_SHAPE (n, data.dims[1], units), error))
      return FALSE;
  return set (rule, 0, SYM_SHAPE (data.dims[0], n, data.dims[1], units), error);
}

static gboolean
infer_gru (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), state;
  SymDim units = get_count (rule, "numUnits");
  SymDim n = sym_rule_get_bool (rule, "isBidirectionalRNN", FALSE) ? 2 : 1;

  if (data.rank != 3)
    return sym_op_pass_dtype (rule, 0, 0, error);
  state = SYM_SHAPE (n, data.dims[1], units);
  if (!sym_rule_get_bool (rule, "keepAllOutputs", FALSE))
    return set (rule, 0, state, error);
  return set (rule, 0, SYM_SHAPE (data.dims[0], n, data.dims[1], units), error) &&
         set (rule, 1, state, error);
}

/* ---- Numbers that are made ---- */

/* Of the dtype of operand @i, where @i is one; the sizes are an attribute. */
static gboolean
infer_fill (SymRule *rule, GError **error)
{
  gboolean is_fill = g_str_equal (sym_rule_get_type (rule), "Fill");
  SymShape shape = { 0 };
  SymDType dtype = is_fill ? sym_rule_get_input_dtype (rule, 1)
                           : sym_rule_get_dtype (rule, "output_dtype", SYM_DTYPE_FLOAT32);

  shape.rank = sym_rule_get_ints (rule, is_fill ? "dims" : "shape", shape.dims, SYM_MAX_RANK);
  if (shape.rank < 0 || shape.rank > SYM_MAX_RANK)
    shape = SYM_SHAPE_UNKNOWN;
  for (int i = 0; i < shape.rank; i++)
    if (shape.dims[i] < 0 || shape.dims[i] > G_MAXINT32)
      return sym_rule_fail (error, "its sizes make no sense");
  return (dtype == SYM_DTYPE_UNKNOWN || sym_rule_set_output_dtype (rule, 0, dtype, error)) &&
         (shape.rank < 0 || sym_rule_set_output (rule, 0, &shape, error));
}

/* From `start` to before `limit` in steps of `delta`. */
static gboolean
infer_range (SymRule *rule, GError **error)
{
  gint64 start = get_number (rule, "start", G_MININT64);
  gint64 limit = get_number (rule, "limit", G_MININT64);
  gint64 delta = get_number (rule, "delta", 0), least = -G_MAXINT32, n;

  if (MIN (start, limit) < least || MAX (start, limit) > G_MAXINT32 || delta == 0 ||
      ABS (delta) > G_MAXINT32)
    return set (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN), error);
  n = (limit - start + delta - (delta > 0 ? 1 : -1)) / delta;
  return set (rule, 0, SYM_SHAPE (MAX (n, 0)), error);
}

static gboolean
infer_line (SymRule *rule, GError **error)
{
  return set (rule, 0, SYM_SHAPE (get_count (rule, "num")), error);
}

static gboolean
infer_counts (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (get_count (rule, "outMaxVal")), SYM_DTYPE_FLOAT32,
                            error);
}

static gboolean
infer_svd (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (data.rank < 0)
    return TRUE;
  if (data.rank != 2)
    return sym_rule_fail (error, "a matrix has 2 axes, not %d", data.rank);
  return set (rule, 0, SYM_SHAPE (data.dims[1]), error) && set (rule, 1, data, error) &&
         set (rule, 2, SYM_SHAPE (data.dims[1], data.dims[1]), error);
}

/* Mean and variance. */
static gboolean
infer_moments (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK];
  int n;

  if (data.rank < 0 || !sym_op_get_axes (rule, "dim", data.rank, axes, &n, error))
    return data.rank < 0;
  data = n < 0 ? (SymShape){ 0 }
               : sym_op_reduce_shape (&data, axes, sym_rule_get_bool (rule, "keepDims", TRUE));
  return set (rule, 0, data, error) && set (rule, 1, data, error);
}

/* ---- Parts of images ---- */

/* As operand 1 is, from `axis` on. */
static gboolean
infer_crop (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), like = sym_rule_get_input (rule, 1);
  gint64 axis = sym_rule_get_int (rule, "axis", 2);

  if (data.rank < 0 || like.rank < 0)
    return sym_op_pass_dtype (rule, 0, 0, error);
  if (data.rank != like.rank)
    return sym_rule_fail (error, "both have as many axes, not %d and %d", data.rank, like.rank);
  for (int i = 0; i < data.rank; i++)
    if (i >= axis)
      data.dims[i] = like.dims[i];
  return set (rule, 0, data, error);
}

static SymDim
get_size (const SymShape *shape, int axis)
{
  return axis < shape->rank ? shape->dims[axis] : SYM_DIM_UNKNOWN;
}

/* Images with channels last, boxes [n, 4]. */
static gboolean
infer_boxes (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), boxes = sym_rule_get_input (rule, 1);
  gint64 sizes[2];
  gboolean known = sym_rule_get_ints (rule, "crop_size", sizes, 2) == 2;

  for (int i = 0; i < 2 && known; i++)
    if (sizes[i] < 1 || sizes[i] > G_MAXINT32)
      return sym_rule_fail (error, "crop_size makes no sense");
  return set (rule, 0,
              SYM_SHAPE (get_size (&boxes, 0), known ? sizes[0] : SYM_DIM_UNKNOWN,
                         known ? sizes[1] : SYM_DIM_UNKNOWN, get_size (&data, 3)),
              error);
}

/* A gradient has the shape of the data. */
static gboolean
infer_regions (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), regions = sym_rule_get_input (rule, 1);

  if (sym_rule_get_bool (rule, "outputGrad", FALSE))
    return sym_op_pass (rule, 0, 0, error);
  return set (rule, 0,
              SYM_SHAPE (get_size (&regions, 0), get_size (&data, 1),
                         get_count (rule, "pooledHeight"), get_count (rule, "pooledWidth")),
              error);
}

/* A place for each of the grid's: [n, rows, columns, 2], or with one axis more. */
static gboolean
infer_grid (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), grid = sym_rule_get_input (rule, 1);

  if (data.rank < 0 || grid.rank != data.rank || sym_rule_has_input (rule, 2))
    return sym_op_pass_dtype (rule, 0, 0, error);
  for (int i = 2; i < data.rank; i++)
    data.dims[i] = grid.dims[i - 1];
  return set (rule, 0, data, error);
}

static gboolean
infer_detections (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, SYM_SHAPE (1, 1, get_count (rule, "keepTopK"), 6),
                            SYM_DTYPE_FLOAT32, error);
}

/* Boxes, classes, scores, and how many. */
static gboolean
infer_post_process (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim most = get_count (rule, "maxDetections"), n = get_count (rule, "maxClassesPerDetection");
  SymDim batch = get_size (&data, 0);

  n = sym_terms_multiply (sym_rule_get_terms (rule), most, n < 0 ? 0 : n);
  if (most < 0 || n < 1)
    n = SYM_DIM_UNKNOWN;
  return set (rule, 0, SYM_SHAPE (batch, n, 4), error) &&
         set (rule, 1, SYM_SHAPE (batch, n), error) && set (rule, 2, SYM_SHAPE (batch, n), error) &&
         set (rule, 3, SYM_SHAPE (1), error);
}

/* Along the channels, which go. */
static gboolean
infer_similarity (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  return data.rank < 2 ? sym_op_pass_dtype (rule, 0, 0, error)
                       : set (rule, 0, sym_op_remove_axis (&data, 1), error);
}

/* ---- Table ---- */

#define EXTRA(name_)           \
  {                            \
    name_, SYM_SLOT_DATA, TRUE \
  }
#define SLOTS(name_, ...) static const SymSlotSpec name_[] = { __VA_ARGS__, { NULL } }

SLOTS (fill_slots, { "dims" }, { "value" });
SLOTS (random_slots, { "shape" });
SLOTS (range_slots, { "start" }, { "limit" }, { "delta" });
SLOTS (line_slots, { "start" }, { "stop" }, { "num" });
SLOTS (box_slots, { "input" }, { "boxes" }, { "batch" }, EXTRA ("crop_size"));

static const SymAttributeSpec attributes[] = {
  { "dims", SYM_ATTRIBUTE_INTS, "None", "sizes of the result" },
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes of the result" },
  { "start", SYM_ATTRIBUTE_INT, "None", "the first number" },
  { "limit", SYM_ATTRIBUTE_INT, "None", "what no number reaches" },
  { "delta", SYM_ATTRIBUTE_INT, "None", "from one to the next" },
  { "num", SYM_ATTRIBUTE_INT, "None", "how many" },
  { "crop_size", SYM_ATTRIBUTE_INTS, "None", "rows and columns of what is cut out" },
  { "kernels", SYM_ATTRIBUTE_INTS, "1", "sizes of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "its steps" },
  { "dilates", SYM_ATTRIBUTE_INTS, "1", "distance of places in it" },
  { "pads", SYM_ATTRIBUTE_INTS, "0", "zeros before each axis, and after each" },
  { "outPads", SYM_ATTRIBUTE_INTS, "0", "added at the end of the result" },
  { "padMode", SYM_ATTRIBUTE_STRING, "CAFFE", "what says how many zeros there are" },
  { "padType", SYM_ATTRIBUTE_STRING, "CAFFE", "the same, of pooling" },
  { "isGlobal", SYM_ATTRIBUTE_BOOL, "False", "whether the window is the whole image" },
  { "outputCount", SYM_ATTRIBUTE_INT, "0", "channels, or units" },
  { "numUnits", SYM_ATTRIBUTE_INT, "0", "units" },
  { "isBidirectionalRNN", SYM_ATTRIBUTE_BOOL, "False", "whether in both directions" },
  { "keepAllOutputs", SYM_ATTRIBUTE_BOOL, "False", "whether all steps come out" },
  { "dim", SYM_ATTRIBUTE_INTS, "None", "axes; none are all" },
  { "keepDims", SYM_ATTRIBUTE_BOOL, "True", "whether they stay with size 1" },
  { "axis", SYM_ATTRIBUTE_INT, "2", "the first one that is cut" },
  { "pooledHeight", SYM_ATTRIBUTE_INT, "0", "rows of each region" },
  { "pooledWidth", SYM_ATTRIBUTE_INT, "0", "columns of each region" },
  { NULL },
};

#define MORE(name_, aliases_, summary_, category_, slots_, infer_)                       \
  {                                                                                      \
    MNN (name_, aliases_, summary_, category_),                                          \
        .slots = slots_, .attributes = attributes, .get_n_operands = sym_op_foreign_any, \
        .get_n_outputs = sym_op_foreign_first, .infer = infer_                           \
  }

const SymOperator sym_op_mnn_more[] = {
  MORE ("Convolution3D",
        "ConvTranspose3D",
        "Slides filters over volumes, or spreads each element over a window",
        WEIGHTS,
        sym_op_engine_weighted,
        infer_conv),
  MORE ("Pooling3D", NULL, "One number of each window", POOLING, sym_op_foreign_one, infer_pool),
  MORE ("LSTM", "RNN", "Recurrent layer", WEIGHTS, sym_op_foreign_many, infer_recurrent),
  MORE ("RNNSequenceGRU", NULL, "Gated recurrent units", WEIGHTS, sym_op_foreign_many, infer_gru),
  MORE ("Fill", NULL, "One number everywhere", OTHER, fill_slots, infer_fill),
  MORE ("RandomUniform", "RandomNormal", "Random numbers", OTHER, random_slots, infer_fill),
  MORE ("Range", NULL, "Numbers in equal steps", OTHER, range_slots, infer_range),
  MORE ("LinSpace", NULL, "Numbers between two", OTHER, line_slots, infer_line),
  MORE ("Histogram",
        NULL,
        "How often numbers are there",
        POOLING,
        sym_op_foreign_one,
        infer_counts),
  MORE ("Svd", NULL, "Singular values, and both bases", OTHER, sym_op_foreign_one, infer_svd),
  MORE ("Moments", NULL, "Mean and variance", POOLING, sym_op_foreign_one, infer_moments),
  MORE ("Crop", NULL, "A part of the size of another", SHAPE, sym_op_foreign_two, infer_crop),
  MORE ("CropAndResize", NULL, "Parts of images, of one size", SHAPE, box_slots, infer_boxes),
  MORE ("ROIPooling",
        "ROIAlign",
        "Regions of images, of one size",
        POOLING,
        sym_op_foreign_many,
        infer_regions),
  MORE ("GridSample", NULL, "Images at other places", SHAPE, sym_op_foreign_many, infer_grid),
  MORE ("DetectionOutput", NULL, "The best boxes", OTHER, sym_op_foreign_many, infer_detections),
  MORE ("DetectionPostProcess",
        NULL,
        "The best boxes",
        OTHER,
        sym_op_foreign_many,
        infer_post_process),
  MORE ("CosineSimilarity",
        NULL,
        "Cosine of vectors along the channels",
        OTHER,
        sym_op_foreign_many,
        infer_similarity),
  { NULL },
};
