/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf-window.h"

#include <string.h>

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- Pooling ---- */

static gboolean
read_pool (SymOpTfWindow *window, const SymAttributes *attributes, const char *type, GError **error)
{
  return sym_op_tf_window_read (window, attributes, strstr (type, "3D") != NULL ? 3 : 2, error) &&
         sym_op_tf_window_read_size (window, attributes, error);
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymOpTfWindow window;

  if (!read_pool (&window, sym_rule_get_attributes (rule), sym_rule_get_type (rule), error))
    return FALSE;
  if (shape.rank >= 0 && shape.rank != window.n + 2)
    return sym_rule_fail (error, "the data has %d axes, not %d", shape.rank, window.n + 2);
  for (int i = 0; i < window.n && shape.rank >= 0; i++)
    {
      int axis = sym_op_tf_window_axis (&window, i);

      if (!sym_op_tf_window_slide (&window, rule, i, shape.dims[axis], &shape.dims[axis], error))
        return FALSE;
    }
  return sym_op_set_output (rule, 0, shape, sym_rule_get_input_dtype (rule, 0), error) &&
         sym_op_set_output (rule, 1, shape, SYM_DTYPE_INT32, error);
}

/* ONNX counts the place of a maximum through [N, C, H, W]; TensorFlow through [H, W, C], or through
 * [N, H, W, C] where the batch is to be counted. */
static SymId
count_places (SymOpLower *self, const SymOpTfWindow *window, SymId place)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 channels = shape->dims[sym_op_tf_window_channels (window)], n_pixels = 1;
  SymShape along = SYM_SHAPE (shape->dims[0], 1, 1, 1);
  SymId batch;

  for (int i = 0; i < window->n; i++)
    n_pixels *= shape->dims[sym_op_tf_window_axis (window, i)];
  place = sym_op_lower_binary (self, "Mod", place,
                               sym_op_lower_number (self, SYM_DTYPE_INT64, (double) n_pixels));
  place = sym_op_lower_binary (self, "Mul", place,
                               sym_op_lower_number (self, SYM_DTYPE_INT64, (double) channels));
  place = sym_op_tf_channels_last (self, place, window->n);
  place = sym_op_lower_binary (self, "Add", place, sym_op_lower_count (self, channels));
  if (sym_op_lower_get_bool (self, "include_batch_in_index", FALSE))
    {
      batch = sym_op_lower_reshape (self, sym_op_lower_count (self, shape->dims[0]), &along);
      batch = sym_op_lower_binary (
          self, "Mul", batch,
          sym_op_lower_number (self, SYM_DTYPE_INT64, (double) (n_pixels * channels)));
      place = sym_op_lower_binary (self, "Add", place, batch);
    }
  return sym_op_lower_cast (self, place, SYM_DTYPE_INT32);
}

static void
lower_pool (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gboolean is_max = strncmp (sym_op_lower_get_type (self), "Max", 3) == 0;
  g_autoptr (GError) error = NULL;
  SymOpTfWindow window;
  SymId x;

  if (!read_pool (&window, attributes, sym_op_lower_get_type (self), &error) ||
      shape->rank != window.n + 2)
    {
      sym_op_lower_fail (self, "%s: %s", sym_op_lower_get_type (self),
                         error == NULL ? "the data has other axes" : error->message);
      return;
    }
  x = sym_op_tf_window_enter (&window, self, sym_op_lower_input (self, 0));
  x = sym_op_lower_call (self, is_max ? "MaxPool" : "AveragePool", SYM_IDS (x), "kernel_shape",
                         sym_op_lower_list (window.kernel, window.n), "strides",
                         sym_op_lower_list (window.stride, window.n), "pads",
                         sym_op_tf_window_list_pads (&window, shape), NULL);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1,
                             count_places (self, &window, sym_op_lower_get_result (self, x, 1)));
  sym_op_lower_set_output (self, 0, sym_op_tf_window_leave (&window, self, x));
}

/* ---- Normalization ---- */

static gboolean
is_empty (SymRule *rule, guint i)
{
  SymShape shape = sym_rule_get_input (rule, i);

  return shape.rank == 1 && shape.dims[0] == 0;
}

static gboolean
infer_batch_norm (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), along = sym_shape_new_unknown (1);
  gboolean is_first = sym_op_tf_is_channels_first (sym_rule_get_attributes (rule));

  if (shape.rank >= 2)
    along.dims[0] = shape.dims[is_first ? 1 : shape.rank - 1];
  /* A layer that trains has them empty. */
  for (guint i = 1; i < 5; i++)
    if (!(i > 2 && is_empty (rule, i)) && !sym_op_set_input (rule, i, along, error))
      return FALSE;
  for (guint i = 1; i < 5; i++)
    if (!sym_op_set_output (rule, i, along, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return sym_op_pass (rule, 0, 0, error);
}

/* Of data with the channels second. */
typedef struct {
  SymId mean, variance;
} Moments;

static SymId
take_mean (SymOpLower *self, SymId x, gboolean keep)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, n = 0;
  gint64 axes[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    if (i != 1)
      axes[n++] = i;
  return sym_op_lower_reduce (self, "ReduceMean", x, axes, n, keep);
}

static Moments
take_moments (SymOpLower *self, SymId x)
{
  SymId centred = sym_op_lower_binary (self, "Sub", x, take_mean (self, x, TRUE));

  return (Moments){
    take_mean (self, x, FALSE),
    take_mean (self, sym_op_lower_binary (self, "Mul", centred, centred), FALSE),
  };
}

/* As TensorFlow.js has it, which knows no training: results 1 and 3 are the mean, 2 and 4 the
 * variance that were given.  A layer that trains is given none, and takes those of the data. */
static void
lower_batch_norm (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  int n = sym_op_lower_get_input_shape (self, 0)->rank - 2;
  gboolean is_first = sym_op_tf_is_channels_first (attributes);
  SymId x = sym_op_lower_input (self, 0);
  Moments moments = { sym_op_lower_input (self, 3), sym_op_lower_input (self, 4) };

  for (guint i = 0; i < 5; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  if (n < 1 || n > 3)
    {
      sym_op_lower_fail (self, "%s: it needs data of 3 to 5 axes", sym_op_lower_get_type (self));
      return;
    }
  if (!is_first)
    x = sym_op_tf_channels_first (self, x, n);
  if (sym_op_lower_get_input_shape (self, 3)->dims[0] == 0)
    moments = take_moments (self, x);
  x = sym_op_lower_call (
      self, "BatchNormalization",
      SYM_IDS (x, sym_op_lower_input (self, 1), sym_op_lower_input (self, 2), moments.mean,
               moments.variance),
      "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "epsilon", 0.0001)), NULL);
  sym_op_lower_set_output (self, 0, is_first ? x : sym_op_tf_channels_last (self, x, n));
  for (guint i = 1; i < 5; i++)
    sym_op_lower_set_output (self, i, i % 2 == 1 ? moments.mean : moments.variance);
}

/* Sums over 2 * depth_radius + 1 channels; ONNX divides alpha by their number. */
static void
lower_local_norm (SymOpLower *self)
{
  gint64 size = 2 * CLAMP (sym_op_lower_get_int (self, "depth_radius", 5), 0, G_MAXINT16) + 1;
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_get_input_shape (self, 0)->rank != 4)
    {
      sym_op_lower_fail (self, "LRN: the data must have 4 axes");
      return;
    }
  x = sym_op_lower_call (
      self, "LRN", SYM_IDS (sym_op_tf_channels_first (self, x, 2)), "size",
      sym_value_new_int (size), "alpha",
      sym_value_new_float (sym_op_lower_get_float (self, "alpha", 1) * (double) size), "beta",
      sym_value_new_float (sym_op_lower_get_float (self, "beta", 0.5)), "bias",
      sym_value_new_float (sym_op_lower_get_float (self, "bias", 1)), NULL);
  sym_op_lower_set_output (self, 0, sym_op_tf_channels_last (self, x, 2));
}

static void
lower_softmax (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_call (self, sym_op_lower_get_type (self),
                                                SYM_IDS (sym_op_lower_input (self, 0)), "axis",
                                                sym_value_new_int (-1), NULL));
}

/* ---- Tables ---- */

static const SymAttributeSpec pool_attributes[] = {
  { "ksize", SYM_ATTRIBUTE_INTS, "1", "size of the window along every axis of the data" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the window along every axis of the data" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "whether the window may reach out",
    "VALID SAME EXPLICIT" },
  { "explicit_paddings", SYM_ATTRIBUTE_INTS, "[]", "before and after every axis" },
  { "data_format", SYM_ATTRIBUTE_STRING, "NHWC", "where the channels are",
    "NHWC NCHW NDHWC NCDHW" },
  { NULL },
};

static const SymAttributeSpec place_attributes[] = {
  { "ksize", SYM_ATTRIBUTE_INTS, "1", "size of the window along every axis of the data" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "step of the window along every axis of the data" },
  { "padding", SYM_ATTRIBUTE_STRING, "VALID", "whether the window may reach out", "VALID SAME" },
  { "include_batch_in_index", SYM_ATTRIBUTE_BOOL, "False",
    "whether places count through the batch" },
  { NULL },
};

static const SymAttributeSpec batch_attributes[] = {
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "0.0001", "what is added to the variance" },
  { "data_format", SYM_ATTRIBUTE_STRING, "NHWC", "where the channels are",
    "NHWC NCHW NDHWC NCDHW" },
  { "is_training", SYM_ATTRIBUTE_BOOL, "True",
    "of no effect: mean and variance are used where there are some" },
  { NULL },
};

static const SymAttributeSpec local_attributes[] = {
  { "depth_radius", SYM_ATTRIBUTE_INT, "5", "channels to each side" },
  { "bias", SYM_ATTRIBUTE_FLOAT, "1", "what is added to the sum" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1", "factor of the sum" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.5", "power of the divisor" },
  { NULL },
};

static const SymSlotSpec batch_slots[] = {
  { "x" },
  { "scale", SYM_SLOT_PARAMETER },
  { "offset", SYM_SLOT_PARAMETER },
  { "mean", SYM_SLOT_AUXILIARY },
  { "variance", SYM_SLOT_AUXILIARY },
  { NULL },
};

static const char *const place_names[] = { "output", "argmax", NULL };
static const char *const batch_names[] = {
  "y",  "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2", "reserve_space_3",
  NULL,
};

#define POOL(name_, summary_)                                                                      \
  {                                                                                                \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_POOLING,                      \
                       .attributes = pool_attributes, .slots = sym_op_tf_one, .infer = infer_pool, \
                       .lower = lower_pool                                                         \
  }

const SymOperator sym_op_tf_pool[] = {
  POOL ("AvgPool", "mean of each window of images"),
  POOL ("AvgPool3D", "mean of each window of volumes"),
  { SYM_OP_TF ("FusedBatchNorm"), .aliases = "FusedBatchNormV2 FusedBatchNormV3",
    .summary = "channels made comparable by mean and variance",
    .category = SYM_CATEGORY_NORMALIZATION, .attributes = batch_attributes, .slots = batch_slots,
    .get_n_outputs = sym_op_tf_any_outputs, .output_names = batch_names, .infer = infer_batch_norm,
    .lower = lower_batch_norm },
  { SYM_OP_TF ("LRN"), .summary = "channels divided by those beside them",
    .category = SYM_CATEGORY_NORMALIZATION, .attributes = local_attributes, .slots = sym_op_tf_one,
    .infer = infer_same, .lower = lower_local_norm },
  { SYM_OP_TF ("LogSoftmax"), .summary = "logarithm of what adds up to 1 along the last axis",
    .category = SYM_CATEGORY_ACTIVATION, .slots = sym_op_tf_one, .infer = infer_same,
    .lower = lower_softmax },
  POOL ("MaxPool", "largest number of each window of images"),
  POOL ("MaxPool3D", "largest number of each window of volumes"),
  { SYM_OP_TF ("MaxPoolWithArgmax"), .summary = "largest number of each window, and its place",
    .category = SYM_CATEGORY_POOLING, .attributes = place_attributes, .slots = sym_op_tf_one,
    .get_n_outputs = sym_op_tf_any_outputs, .output_names = place_names, .infer = infer_pool,
    .lower = lower_pool },
  { SYM_OP_TF ("Softmax"), .summary = "numbers that add up to 1 along the last axis",
    .category = SYM_CATEGORY_ACTIVATION, .slots = sym_op_tf_one, .infer = infer_same,
    .lower = lower_softmax },
  { NULL },
};
