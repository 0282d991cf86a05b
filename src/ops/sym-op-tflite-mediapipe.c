/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tflite.h"

/* What MediaPipe adds to TensorFlow Lite. */

/* Weights are [out, height, width, in].  SAME leaves out of each axis what the kernel has beyond
 * the step to the last place, the smaller half of it before. */
static void
lower_conv_transpose (SymOpLower *self)
{
  static const char *const members[] = { "SAME", "VALID", NULL };
  static const char *const steps[] = { "stride_h", "stride_w" };
  static const gint64 nothing[] = { 0, 0, 0 };
  gboolean is_same = sym_op_tflite_get_enum (self, "padding", members) == 0;
  SymOpForeignWindow window;

  if (!sym_op_foreign_begin (self, 0, &window) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (window.n != 2)
    sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
  for (int i = 0; i < 2 && !sym_op_lower_has_failed (self); i++)
    {
      gint64 step = sym_op_lower_get_int (self, steps[i], 1), pads = 0;

      if (step < 1 || step > G_MAXINT32)
        sym_op_lower_fail (self, "%s: its steps make no sense", sym_op_lower_get_type (self));
      else if (is_same)
        pads = MAX (sym_op_foreign_size (self, 1, i + 1) -
                        (sym_op_foreign_size (self, 0, i + 1) - 1) % step - 1,
                    0);
      window.stride[i] = step;
      window.before[i] = pads / 2;
      window.after[i] = pads - pads / 2;
    }
  window.channels_last = TRUE;
  window.auto_pad = NULL;
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (
        self, 0,
        sym_op_foreign_conv_transpose (
            self, &window, sym_op_lower_input (self, 0),
            sym_op_lower_transpose (self, sym_op_lower_input (self, 1), 4, 3, 0, 1, 2),
            sym_op_lower_input (self, 2), nothing));
}

/* ---- Pooling ---- */

/* A window over an image: its size and step down and to the right, and how far it reaches out. */
typedef struct {
  gint64 size[2], filter[2], step[2], result[2], before[2], after[2];
} Pool;

static gint64
read_positive (SymOpLower *self, const char *name)
{
  gint64 number = sym_op_lower_get_int (self, name, 1);

  if (number >= 1 && number <= G_MAXINT16)
    return number;
  sym_op_lower_fail (self, "%s: %s makes no sense: %" G_GINT64_FORMAT, sym_op_lower_get_type (self),
                     name, number);
  return 1;
}

/* FALSE, and an error of the body, for what is no image. */
static gboolean
read_pool (SymOpLower *self, Pool *pool)
{
  static const char *const filters[] = { "filter_height", "filter_width" };
  static const char *const steps[] = { "stride_h", "stride_w" };

  if (!sym_op_lower_need_tensor (self, 0))
    return FALSE;
  if (sym_op_lower_get_input_shape (self, 0)->rank != 4)
    sym_op_lower_fail (self, "%s: images have 4 axes", sym_op_lower_get_type (self));
  for (int i = 0; i < 2 && !sym_op_lower_has_failed (self); i++)
    {
      pool->size[i] = sym_op_foreign_size (self, 0, i + 1);
      pool->filter[i] = read_positive (self, filters[i]);
      pool->step[i] = read_positive (self, steps[i]);
    }
  return !sym_op_lower_has_failed (self);
}

/* 0, @step, 2 * @step, ... less @before: where the windows of an axis begin.  The axis of [batch,
 * channels, height, width] is the one before the last for @i 0, else the last. */
static SymId
list_starts (SymOpLower *self, int i, gint64 n, gint64 step, gint64 before)
{
  const gint64 sizes[] = { n, 1 };
  SymId starts = sym_op_lower_binary (self, "Mul", sym_op_lower_count (self, n),
                                      sym_op_lower_ints (self, &step, 1));

  starts = sym_op_lower_binary (self, "Sub", starts, sym_op_lower_ints (self, &before, 1));
  return i == 0 ? sym_op_foreign_reshape (self, starts, sizes, 2, FALSE) : starts;
}

/* The place of each number within its window, counted row by row, from that within [batch,
 * channels, height, width].  MediaPipe adds 0.1, so that it stays what it is when it is cut to an
 * integer. */
static SymId
place_in_window (SymOpLower *self, const Pool *pool, SymId places)
{
  const gint64 area = sym_op_foreign_multiply (self, pool->size[0], pool->size[1]);
  SymId width = sym_op_lower_ints (self, &pool->size[1], 1), place[2];
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  place[0] = sym_op_lower_binary (
      self, "Div", sym_op_lower_binary (self, "Mod", places, sym_op_lower_ints (self, &area, 1)),
      width);
  place[1] = sym_op_lower_binary (self, "Mod", places, width);
  for (int i = 0; i < 2; i++)
    place[i] = sym_op_lower_binary (
        self, "Sub", place[i],
        list_starts (self, i, pool->result[i], pool->step[i], pool->before[i]));
  places = sym_op_lower_binary (
      self, "Add",
      sym_op_lower_binary (self, "Mul", place[0], sym_op_lower_ints (self, &pool->filter[1], 1)),
      place[1]);
  return sym_op_lower_binary (self, "Add", sym_op_lower_cast (self, places, dtype),
                              sym_op_lower_number (self, dtype, 0.1));
}

/* SAME is as TensorFlow has it: the smaller half of what is missing comes before. */
static void
lower_max_pool (SymOpLower *self)
{
  static const char *const members[] = { "SAME", "VALID", NULL };
  gboolean is_same = sym_op_tflite_get_enum (self, "padding", members) == 0;
  SymOpForeignWindow window;
  Pool pool;
  SymId y;

  if (!sym_op_foreign_begin (self, 0, &window) || !read_pool (self, &pool))
    return;
  for (int i = 0; i < 2; i++)
    {
      gint64 size = pool.size[i], filter = pool.filter[i], step = pool.step[i], missing;

      if (!is_same && size < filter)
        sym_op_lower_fail (self, "%s: the window is larger than the image",
                           sym_op_lower_get_type (self));
      pool.result[i] = (is_same ? size + step - 1 : size - filter + step) / step;
      missing = MAX ((pool.result[i] - 1) * step + filter - size, 0);
      pool.before[i] = missing / 2;
      pool.after[i] = missing - missing / 2;
      window.kernel[i] = filter;
      window.stride[i] = step;
      window.before[i] = pool.before[i];
      window.after[i] = pool.after[i];
    }
  window.channels_last = FALSE;
  window.auto_pad = NULL;
  if (sym_op_lower_has_failed (self))
    return;
  y = sym_op_foreign_pool (self, &window, "MaxPool",
                           sym_op_foreign_channels_first (self, sym_op_lower_input (self, 0), 4));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1,
        sym_op_foreign_channels_last (
            self, place_in_window (self, &pool, sym_op_lower_get_result (self, y, 1)), 4));
  sym_op_lower_set_output (
      self, 0, sym_op_tflite_activate (self, sym_op_foreign_channels_last (self, y, 4)));
}

/* The place of each number within [batch, channels, height, width] of an image that holds all
 * windows, from that in its window. */
static SymId
place_in_image (SymOpLower *self, const Pool *pool, SymId places)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 images = 1, area = sym_op_foreign_multiply (self, pool->result[0], pool->result[1]);
  gint64 sizes[] = { shape->dims[0], shape->dims[3], 1, 1 };
  SymId filter = sym_op_lower_ints (self, &pool->filter[1], 1);
  SymId at[2], first;

  places =
      sym_op_lower_cast (self, sym_op_foreign_channels_first (self, places, 4), SYM_DTYPE_INT64);
  at[0] = sym_op_lower_binary (self, "Div", places, filter);
  at[1] = sym_op_lower_binary (self, "Mod", places, filter);
  for (int i = 0; i < 2; i++)
    at[i] = sym_op_lower_binary (self, "Add", at[i],
                                 list_starts (self, i, pool->size[i], pool->step[i], 0));
  places = sym_op_lower_binary (
      self, "Add",
      sym_op_lower_binary (self, "Mul", at[0], sym_op_lower_ints (self, &pool->result[1], 1)),
      at[1]);
  if (sym_op_lower_is_rule (self)) /* which need not know how many images there are */
    return places;
  images = sym_op_foreign_multiply (self, sym_op_foreign_size (self, 0, 0),
                                    sym_op_foreign_size (self, 0, 3));
  first = sym_op_foreign_reshape (self, sym_op_lower_count (self, images), sizes, 4, FALSE);
  return sym_op_lower_binary (
      self, "Add", places,
      sym_op_lower_binary (self, "Mul", first, sym_op_lower_ints (self, &area, 1)));
}

/* Each number goes where it was found, in an image that is larger by the window's size.  Windows
 * may overlap, or have gaps: then they end before the image does, or beyond it on both sides. */
static void
lower_max_unpool (SymOpLower *self)
{
  gint64 start[2], stop[2], pads[8] = { 0 };
  static const gint64 axes[] = { 2, 3 };
  Pool pool;
  SymId y;

  if (!read_pool (self, &pool) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (int i = 0; i < 2; i++)
    {
      gint64 size = sym_op_foreign_multiply (self, pool.size[i], pool.filter[i]);

      pool.result[i] = MAX (pool.size[i] - 1, 0) * pool.step[i] + pool.filter[i];
      start[i] = MAX (pool.result[i] - size, 0) / 2;
      stop[i] = start[i] + size;
      pads[i + 6] = MAX (stop[i] - pool.result[i], 0);
    }
  y = sym_op_lower_call (
      self, "MaxUnpool",
      SYM_IDS (sym_op_foreign_channels_first (self, sym_op_lower_input (self, 0), 4),
               place_in_image (self, &pool, sym_op_lower_input (self, 1))),
      "kernel_shape", sym_op_lower_list (pool.filter, 2), "strides",
      sym_op_lower_list (pool.step, 2), NULL);
  if (pads[6] > 0 || pads[7] > 0)
    y = sym_op_lower_call (self, "Pad", SYM_IDS (y, sym_op_lower_ints (self, pads, 8)), NULL);
  if (pool.result[0] > stop[0] || pool.result[1] > stop[1])
    y = sym_op_foreign_slice (self, y, start, stop, axes, NULL, 2);
  sym_op_lower_set_output (self, 0, sym_op_foreign_channels_last (self, y, 4));
}

/* ---- Tables ---- */

static const SymSlotSpec slots[] = {
  { "input" },
  { "weights", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "padding", SYM_ATTRIBUTE_ANY, "'SAME'", "whether the window may reach out" },
  { "stride_h", SYM_ATTRIBUTE_INT, "1", "step of the window down" },
  { "stride_w", SYM_ATTRIBUTE_INT, "1", "step of the window to the right" },
  { NULL },
};

static const SymSlotSpec unpool_slots[] = { { "input" }, { "indices" }, { NULL } };

static const SymAttributeSpec pool_attributes[] = {
  { "padding", SYM_ATTRIBUTE_ANY, "'SAME'", "whether the window may reach out" },
  { "stride_w", SYM_ATTRIBUTE_INT, "1", "step of the window to the right" },
  { "stride_h", SYM_ATTRIBUTE_INT, "1", "step of the window down" },
  { "filter_width", SYM_ATTRIBUTE_INT, "1", "width of the window" },
  { "filter_height", SYM_ATTRIBUTE_INT, "1", "height of the window" },
  { "fused_activation_function", SYM_ATTRIBUTE_ANY, "'NONE'", "what becomes of the result" },
  { NULL },
};

static const char *const pool_names[] = { "output", "indices", NULL };

const SymOperator sym_op_tflite_mediapipe[] = {
  { SYM_OP_FOREIGN ("tflite",
                    "Convolution2DTransposeBias",
                    NULL,
                    "Transposed convolution with a bias",
                    WEIGHTS),
    .reference = "MediaPipe Convolution2DTransposeBias", .slots = slots, .attributes = attributes,
    .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered,
    .lower = lower_conv_transpose },
  { SYM_OP_FOREIGN ("tflite",
                    "MaxPoolingWithArgmax2D",
                    NULL,
                    "Largest number of each window, and its place there",
                    POOLING),
    .reference = "MediaPipe MaxPoolingWithArgmax2D", .slots = sym_op_foreign_one,
    .attributes = pool_attributes, .output_names = pool_names,
    .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered, .lower = lower_max_pool },
  { SYM_OP_FOREIGN ("tflite",
                    "MaxUnpooling2D",
                    NULL,
                    "Numbers where they were found in their windows",
                    POOLING),
    .reference = "MediaPipe MaxUnpooling2D", .slots = unpool_slots, .attributes = pool_attributes,
    .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered,
    .lower = lower_max_unpool },
  { NULL },
};
