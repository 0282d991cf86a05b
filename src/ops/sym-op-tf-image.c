/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <math.h>
#include <string.h>

/* Images of another size, parts of images, and boxes.  Images are [N, rows, columns, channels]. */

/* ---- Resize ---- */

static gboolean
infer_resize (SymRule *rule, GError **error)
{
  gboolean is_linear = strcmp (sym_rule_get_type (rule), "ResizeNearestNeighbor") != 0;
  SymShape shape = sym_rule_get_input (rule, 0), size;
  int open;

  if (!sym_op_tf_get_sizes (rule, 1, &size, &open, error))
    return FALSE;
  if (is_linear ? !sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error)
                : !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (shape.rank < 0)
    shape = sym_shape_new_unknown (4);
  if (shape.rank != 4 || (size.rank >= 0 && size.rank != 2))
    return sym_rule_fail (error, "images have 4 axes and 2 sizes, not %d and %d", shape.rank,
                          size.rank);
  for (int i = 0; i < 2; i++)
    shape.dims[i + 1] = size.rank < 0 ? SYM_DIM_UNKNOWN : size.dims[i];
  return sym_rule_set_output (rule, 0, &shape, error);
}

/* TensorFlow takes the pixel whose middle is nearest, of two the later one; without either
 * attribute a pixel is where its corner is. */
static void
lower_resize (SymOpLower *self)
{
  gboolean is_linear = strcmp (sym_op_lower_get_type (self), "ResizeNearestNeighbor") != 0;
  gboolean is_cubic = strcmp (sym_op_lower_get_type (self), "ResizeBicubic") == 0;
  gboolean aligns = sym_op_lower_get_bool (self, "align_corners", FALSE);
  gboolean halves = sym_op_lower_get_bool (self, "half_pixel_centers", FALSE);
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 size[2], sizes[4] = { 0 };
  SymShape from = *shape;
  SymId x, operands[4];

  if (sym_op_lower_read_ints (self, 1, size, 2) != 2 || !sym_op_lower_need_tensor (self, 0))
    {
      sym_op_lower_fail (self, "%s: the size must be two numbers", sym_op_lower_get_type (self));
      return;
    }
  if (shape->rank != 4 || size[0] < 1 || size[1] < 1)
    {
      sym_op_lower_fail (self, "%s: images have 4 axes, and sizes are above 0",
                         sym_op_lower_get_type (self));
      return;
    }
  for (int i = 1; i < 4; i++)
    from.dims[i] = shape->dims[i == 1 ? 3 : i - 1];
  sizes[0] = from.dims[0];
  sizes[1] = from.dims[1];
  sizes[2] = size[0];
  sizes[3] = size[1];
  x = sym_op_tf_channels_first (self, sym_op_tf_input (self, 0), 2);
  sym_op_lower_resize (self, x, &from, sizes, operands);
  x = sym_op_lower_call (self, "Resize", (SymIds){ operands, 4 }, "mode",
                         sym_value_new_string (is_cubic    ? "cubic"
                                               : is_linear ? "linear"
                                                           : "nearest"),
                         "coordinate_transformation_mode",
                         sym_value_new_string (aligns   ? "align_corners"
                                               : halves ? "half_pixel"
                                                        : "asymmetric"),
                         "nearest_mode",
                         sym_value_new_string (aligns || halves ? "round_prefer_ceil" : "floor"),
                         "cubic_coeff_a", sym_value_new_float (halves ? -0.5 : -0.75),
                         "exclude_outside", sym_value_new_int (halves && is_cubic), NULL);
  sym_op_lower_set_output (self, 0, sym_op_tf_channels_last (self, x, 2));
}

/* ---- CropAndResize ---- */

static gboolean
infer_crop (SymRule *rule, GError **error)
{
  SymShape image = sym_rule_get_input (rule, 0), boxes = sym_rule_get_input (rule, 1), size;
  SymShape to = sym_shape_new_unknown (4);
  int open;

  if (!sym_op_tf_get_sizes (rule, 3, &size, &open, error))
    return FALSE;
  if ((image.rank >= 0 && image.rank != 4) || (boxes.rank >= 0 && boxes.rank != 2) ||
      (size.rank >= 0 && size.rank != 2))
    return sym_rule_fail (error, "images must have 4 axes, boxes 2, and there must be 2 sizes");
  if (boxes.rank == 2)
    to.dims[0] = boxes.dims[0];
  for (int i = 0; i < 2 && size.rank == 2; i++)
    to.dims[i + 1] = size.dims[i];
  if (image.rank == 4)
    to.dims[3] = image.dims[3];
  return sym_op_set_output (rule, 0, to, SYM_DTYPE_FLOAT32, error);
}

/* Where along an axis the pixels of each box are, [boxes, n]: 0 is the first pixel of the image and
 * 1 the last one. */
static SymId
place (SymOpLower *self, int axis, gint64 n)
{
  SymId boxes = sym_op_lower_input (self, 1), i;
  SymId low = sym_op_lower_slice (self, boxes, 1, axis, axis + 1, 1);
  SymId high = sym_op_lower_slice (self, boxes, 1, axis + 2, axis + 3, 1);
  SymId half = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0.5);

  if (n == 1)
    return sym_op_lower_binary (self, "Mul", sym_op_lower_binary (self, "Add", low, high), half);
  i = sym_op_lower_cast (self, sym_op_lower_count (self, n), SYM_DTYPE_FLOAT32);
  i = sym_op_lower_binary (self, "Div", i,
                           sym_op_lower_number (self, SYM_DTYPE_FLOAT32, (double) (n - 1)));
  return sym_op_lower_binary (
      self, "Add", low,
      sym_op_lower_binary (self, "Mul", sym_op_lower_binary (self, "Sub", high, low), i));
}

static SymId
is_inside (SymOpLower *self, SymId places)
{
  return sym_op_lower_binary (
      self, "And",
      sym_op_lower_binary (self, "GreaterOrEqual", places,
                           sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0)),
      sym_op_lower_binary (self, "LessOrEqual", places,
                           sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 1)));
}

/* [boxes, n] among [boxes, rows, columns, 1] */
static SymId
lay_out (SymOpLower *self, SymId places, gint64 n_boxes, gint64 n, gboolean are_rows)
{
  SymShape shape = are_rows ? SYM_SHAPE (n_boxes, n, 1, 1) : SYM_SHAPE (n_boxes, 1, n, 1);

  return sym_op_lower_reshape (self, places, &shape);
}

/* The nearest pixel, of two the later one, for places that lie between @size of them. */
static SymId
round_places (SymOpLower *self, SymId places, gint64 size)
{
  SymId last = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, (double) (size - 1));
  SymId half = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0.5);

  if (size < 2)
    return places;
  places = sym_op_lower_binary (self, "Add", sym_op_lower_binary (self, "Mul", places, last), half);
  return sym_op_lower_binary (self, "Div", sym_op_lower_unary (self, "Floor", places), last);
}

/* GridSample counts from -1 to 1; what lies outside the image is another number altogether. */
static SymId
sample (SymOpLower *self, SymId x, const SymId places[2], const SymShape *to)
{
  gint64 sizes[] = { to->dims[0], to->dims[1], to->dims[2], 1 };
  SymId two = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 2);
  SymId one = sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 1);
  gboolean is_nearest = sym_op_lower_has_string (self, "method", "nearest");
  SymId parts[2], grid;

  for (int i = 0; i < 2; i++)
    parts[i] =
        sym_op_lower_binary (self, "Expand", places[1 - i], sym_op_lower_ints (self, sizes, 4));
  grid = sym_op_lower_call (self, "Concat", SYM_IDS (parts[0], parts[1]), "axis",
                            sym_value_new_int (3), NULL);
  grid = sym_op_lower_binary (self, "Sub", sym_op_lower_binary (self, "Mul", grid, two), one);
  return sym_op_lower_call (self, "GridSample", SYM_IDS (x, grid), "mode",
                            sym_value_new_string (is_nearest ? "nearest" : "linear"),
                            "padding_mode", sym_value_new_string ("border"), "align_corners",
                            sym_value_new_int (1), NULL);
}

static void
lower_crop (SymOpLower *self)
{
  double outside = sym_op_lower_get_float (self, "extrapolation_value", 0);
  SymId x, places[2], inside;
  gint64 size[2];
  SymShape to;

  if (sym_op_lower_read_ints (self, 3, size, 2) != 2 || !sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_need_tensor (self, 1) || !sym_op_tf_need_shape (self, 0, &to))
    {
      sym_op_lower_fail (self, "CropAndResize: the size must be two numbers");
      return;
    }
  for (int i = 0; i < 2; i++)
    places[i] = lay_out (self, place (self, i, to.dims[i + 1]), to.dims[0], to.dims[i + 1], i == 0);
  inside =
      sym_op_lower_binary (self, "And", is_inside (self, places[0]), is_inside (self, places[1]));
  for (int i = 0; i < 2 && sym_op_lower_has_string (self, "method", "nearest"); i++)
    places[i] = round_places (self, places[i], sym_op_lower_get_input_shape (self, 0)->dims[i + 1]);
  x = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                              sym_op_lower_get_input_dtype (self, 0), SYM_DTYPE_FLOAT32);
  x = sym_op_lower_call (self, "Gather", SYM_IDS (x, sym_op_tf_int64 (self, 2)), "axis",
                         sym_value_new_int (0), NULL);
  x = sample (self, sym_op_tf_channels_first (self, x, 2), places, &to);
  x = sym_op_tf_channels_last (self, x, 2);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Where",
          SYM_IDS (inside, x, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, outside)), NULL));
}

/* ---- NonMaxSuppression ---- */

/* The version: V3 has one result, V4 also their number, V5 the scores between. */
static int
get_suppression (const char *type)
{
  gsize length = strlen (type);

  return length > 0 && g_ascii_isdigit (type[length - 1]) ? type[length - 1] - '0' : 1;
}

static gboolean
infer_suppression (SymRule *rule, GError **error)
{
  int version = get_suppression (sym_rule_get_type (rule));
  SymShape boxes = sym_rule_get_input (rule, 0), kept = sym_shape_new_unknown (1);
  gint64 most;
  gboolean known;

  if (!sym_op_tf_get_scalar (rule, 2, &most, &known, error))
    return FALSE;
  if (boxes.rank >= 0 && boxes.rank != 2)
    return sym_rule_fail (error, "boxes have 2 axes, not %d", boxes.rank);
  if (known && most >= 0 && sym_rule_get_bool (rule, "pad_to_max_output_size", FALSE))
    kept.dims[0] = most;
  if (!sym_op_set_output (rule, 0, kept, SYM_DTYPE_INT32, error))
    return FALSE;
  if (version == 4)
    return sym_op_set_output (rule, 1, SYM_SHAPE (), SYM_DTYPE_INT32, error);
  return version < 5 ||
         (sym_op_set_output (rule, 1, sym_rule_get_output (rule, 0), SYM_DTYPE_FLOAT32, error) &&
          sym_op_set_output (rule, 2, SYM_SHAPE (), SYM_DTYPE_INT32, error));
}

/* A threshold as ONNX wants it, [1]. */
static SymId
read_threshold (SymOpLower *self, guint i)
{
  SymShape one = SYM_SHAPE (1);

  return sym_op_lower_has_input (self, i)
             ? sym_op_lower_reshape (self, sym_op_lower_input (self, i), &one)
             : SYM_NO_ID;
}

/* Zeros after what is kept, up to @most. */
static SymId
fill_up (SymOpLower *self, SymId kept, SymId n_kept, gint64 most)
{
  gint64 zero = 0;
  SymShape one = SYM_SHAPE (1);
  SymId missing = sym_op_lower_binary (
      self, "Sub", sym_op_lower_number (self, SYM_DTYPE_INT64, (double) most), n_kept);
  SymId pads = sym_op_lower_call (
      self, "Concat",
      SYM_IDS (sym_op_lower_ints (self, &zero, 1), sym_op_lower_reshape (self, missing, &one)),
      "axis", sym_value_new_int (0), NULL);

  return sym_op_lower_binary (self, "Pad", kept, pads);
}

static void
lower_suppression (SymOpLower *self)
{
  int version = get_suppression (sym_op_lower_get_type (self));
  const SymShape *boxes = sym_op_lower_get_input_shape (self, 0);
  SymShape many = SYM_SHAPE (1, boxes->dims[0], 4), single = SYM_SHAPE (1, 1, boxes->dims[0]);
  gint64 all = -1, most[1];
  SymId kept, n_kept, scores;
  double sigma = 0;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      sym_op_lower_read_ints (self, 2, most, 1) != 1)
    return;
  if (boxes->rank != 2 || boxes->dims[1] != 4)
    {
      sym_op_lower_fail (self, "%s: boxes must be [n, 4]", sym_op_lower_get_type (self));
      return;
    }
  if (sym_op_lower_has_input (self, 5) && !sym_op_lower_read_number (self, 5, &sigma))
    return;
  if (sigma != 0)
    sym_op_lower_refuse (self, "%s: soft_nms_sigma %g is not lowered", sym_op_lower_get_type (self),
                         sigma);
  scores = sym_op_lower_input (self, 1);
  kept = sym_op_lower_call (
      self, "NonMaxSuppression",
      SYM_IDS (sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &many),
               sym_op_lower_reshape (self, scores, &single), sym_op_lower_ints (self, most, 1),
               read_threshold (self, 3), version < 3 ? SYM_NO_ID : read_threshold (self, 4)),
      NULL);
  kept = sym_op_lower_slice (self, kept, 1, 2, 3, 1);
  kept = sym_op_lower_binary (self, "Reshape", kept, sym_op_lower_ints (self, &all, 1));
  n_kept = sym_op_lower_unary (self, "Size", kept);
  if (version == 5)
    sym_op_lower_set_output (self, 1, sym_op_lower_binary (self, "Gather", scores, kept));
  sym_op_lower_set_output (self, version == 5 ? 2 : 1,
                           sym_op_lower_cast (self, n_kept, SYM_DTYPE_INT32));
  if (sym_op_lower_get_bool (self, "pad_to_max_output_size", FALSE))
    kept = fill_up (self, kept, n_kept, most[0]);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, kept, SYM_DTYPE_INT32));
}

/* ---- CombinedNonMaxSuppression ---- */

enum { BOXES, SCORES, MOST_OF_CLASS, MOST, COVER, LEAST };

/* Boxes [batch, boxes, 1 or classes, 4] and scores [batch, boxes, classes]: of each class those
 * that no better one covers, and of these the best of each image. */
typedef struct {
  SymOpLower *lower;
  gint64 batch, n_boxes, n_classes, n_kinds, n_best, n;
  SymId scores; /* of what is chosen, else -infinity, [batch, classes * boxes] */
  SymId boxes;  /* [batch, classes, boxes, 4] */
} Combined;

static gint64
count_combined (gboolean pads, gint64 most_of_class, gint64 most, gint64 n_classes)
{
  return pads && most_of_class <= most / MAX (n_classes, 1) ? most_of_class * n_classes : most;
}

static gboolean
infer_combined (SymRule *rule, GError **error)
{
  gboolean pads = sym_rule_get_bool (rule, "pad_per_class", FALSE), knows[2];
  SymShape boxes = sym_rule_get_input (rule, BOXES), scores = sym_rule_get_input (rule, SCORES);
  SymDim batch = boxes.rank == 4 ? boxes.dims[0] : SYM_DIM_UNKNOWN, n = SYM_DIM_UNKNOWN;
  gint64 most_of_class, most;

  if (!sym_op_tf_get_scalar (rule, MOST_OF_CLASS, &most_of_class, &knows[0], error) ||
      !sym_op_tf_get_scalar (rule, MOST, &most, &knows[1], error) ||
      !sym_op_set_input (rule, BOXES,
                         SYM_SHAPE (scores.rank == 3 ? scores.dims[0] : SYM_DIM_UNKNOWN,
                                    scores.rank == 3 ? scores.dims[1] : SYM_DIM_UNKNOWN,
                                    SYM_DIM_UNKNOWN, 4),
                         error))
    return FALSE;
  if (knows[1] && most >= 0 && !pads)
    n = most;
  else if (knows[0] && knows[1] && most_of_class >= 0 && most >= 0 && scores.rank == 3 &&
           scores.dims[2] >= 0)
    n = count_combined (pads, most_of_class, most, scores.dims[2]);
  return sym_op_set_output (rule, 0, SYM_SHAPE (batch, n, 4), SYM_DTYPE_FLOAT32, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (batch, n), SYM_DTYPE_FLOAT32, error) &&
         sym_op_set_output (rule, 2, SYM_SHAPE (batch, n), SYM_DTYPE_FLOAT32, error) &&
         sym_op_set_output (rule, 3, SYM_SHAPE (batch), SYM_DTYPE_INT32, error);
}

static gboolean
begin_combined (Combined *self, SymOpLower *lower, gint64 *most_of_class)
{
  const SymShape *boxes = sym_op_lower_get_input_shape (lower, BOXES);
  const SymShape *scores = sym_op_lower_get_input_shape (lower, SCORES);
  gint64 most[1];

  if (!sym_op_lower_need_tensor (lower, BOXES) || !sym_op_lower_need_tensor (lower, SCORES) ||
      sym_op_lower_read_ints (lower, MOST_OF_CLASS, most_of_class, 1) != 1 ||
      sym_op_lower_read_ints (lower, MOST, most, 1) != 1)
    return FALSE;
  if (boxes->rank != 4 || scores->rank != 3 || boxes->dims[3] != 4 ||
      boxes->dims[0] != scores->dims[0] || boxes->dims[1] != scores->dims[1] ||
      (boxes->dims[2] != 1 && boxes->dims[2] != scores->dims[2]))
    sym_op_lower_fail (lower, "CombinedNonMaxSuppression: boxes and scores do not fit");
  else if (!sym_shape_is_known (boxes) || !sym_shape_is_known (scores) || scores->dims[1] < 1 ||
           scores->dims[2] < 1 || *most_of_class < 1 || most[0] < 1)
    sym_op_lower_refuse (lower, "CombinedNonMaxSuppression: there is nothing to choose");
  if (sym_op_lower_has_failed (lower))
    return FALSE;
  *self = (Combined){ .lower = lower,
                      .batch = scores->dims[0],
                      .n_boxes = scores->dims[1],
                      .n_classes = scores->dims[2],
                      .n_kinds = boxes->dims[2] };
  self->n = count_combined (sym_op_lower_get_bool (lower, "pad_per_class", FALSE), *most_of_class,
                            most[0], self->n_classes);
  self->n_best = MIN (self->n, self->n_classes * self->n_boxes);
  return TRUE;
}

static SymId
spread_boxes (const Combined *self)
{
  const gint64 sizes[] = { self->batch, self->n_classes, self->n_boxes, 4 };
  SymId boxes =
      sym_op_lower_transpose (self->lower, sym_op_lower_input (self->lower, BOXES), 4, 0, 2, 1, 3);

  return self->n_kinds == self->n_classes
             ? boxes
             : sym_op_lower_binary (self->lower, "Expand", boxes,
                                    sym_op_lower_ints (self->lower, sizes, 4));
}

static void
choose_combined (Combined *self, gint64 most_of_class)
{
  SymOpLower *lower = self->lower;
  SymShape rows = SYM_SHAPE (self->batch * self->n_classes, self->n_boxes);
  SymShape single = SYM_SHAPE (rows.dims[0], 1, self->n_boxes);
  SymShape many = SYM_SHAPE (rows.dims[0], self->n_boxes, 4);
  SymId scores = sym_op_lower_transpose (lower, sym_op_lower_input (lower, SCORES), 3, 0, 2, 1);
  SymId chosen;

  self->boxes = spread_boxes (self);
  chosen =
      sym_op_lower_call (lower, "NonMaxSuppression",
                         SYM_IDS (sym_op_lower_reshape (lower, self->boxes, &many),
                                  sym_op_lower_reshape (lower, scores, &single),
                                  sym_op_lower_ints (lower, &most_of_class, 1),
                                  read_threshold (lower, COVER), read_threshold (lower, LEAST)),
                         NULL);
  chosen = sym_op_lower_slice (lower, chosen, 1, 0, 3, 2);
  scores = sym_op_lower_reshape (lower, scores, &rows);
  scores =
      sym_op_lower_call (lower, "ScatterND",
                         SYM_IDS (sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &rows, -INFINITY),
                                  chosen, sym_op_lower_binary (lower, "GatherND", scores, chosen)),
                         NULL);
  self->scores = sym_op_lower_reshape (lower, scores,
                                       &SYM_SHAPE (self->batch, self->n_classes * self->n_boxes));
}

/* Output @i, of @rank axes: @x where there is something, 0 elsewhere and behind. */
static void
set_combined (const Combined *self, guint i, SymId is_there, SymId x, int rank)
{
  gint64 pads[6] = { 0 };

  x = sym_op_lower_call (
      self->lower, "Where",
      SYM_IDS (is_there, x, sym_op_lower_number (self->lower, SYM_DTYPE_FLOAT32, 0)), NULL);
  pads[rank + 1] = self->n - self->n_best;
  if (self->n_best < self->n)
    x = sym_op_lower_binary (self->lower, "Pad", x,
                             sym_op_lower_ints (self->lower, pads, 2 * rank));
  sym_op_lower_set_output (self->lower, i, x);
}

static SymId
take_boxes (const Combined *self, SymId places)
{
  SymOpLower *lower = self->lower;
  const gint64 sizes[] = { self->batch, self->n_best, 4 };
  SymShape all = SYM_SHAPE (self->batch, self->n_classes * self->n_boxes, 4);
  SymShape column = SYM_SHAPE (self->batch, self->n_best, 1);
  SymId boxes;

  places = sym_op_lower_binary (lower, "Expand", sym_op_lower_reshape (lower, places, &column),
                                sym_op_lower_ints (lower, sizes, 3));
  boxes = sym_op_lower_call (lower, "GatherElements",
                             SYM_IDS (sym_op_lower_reshape (lower, self->boxes, &all), places),
                             "axis", sym_value_new_int (1), NULL);
  return sym_op_lower_get_bool (lower, "clip_boxes", TRUE)
             ? sym_op_lower_call (lower, "Clip",
                                  SYM_IDS (boxes, sym_op_lower_number (lower, SYM_DTYPE_FLOAT32, 0),
                                           sym_op_lower_number (lower, SYM_DTYPE_FLOAT32, 1)),
                                  NULL)
             : boxes;
}

static void
lower_combined (SymOpLower *lower)
{
  const gint64 axis = 1;
  gint64 most_of_class;
  SymId values, places, is_there, classes;
  Combined self;

  if (!begin_combined (&self, lower, &most_of_class))
    return;
  choose_combined (&self, most_of_class);
  values =
      sym_op_lower_binary (lower, "TopK", self.scores, sym_op_lower_ints (lower, &self.n_best, 1));
  places = sym_op_lower_get_result (lower, values, 1);
  is_there = sym_op_lower_binary (lower, "Greater", values,
                                  sym_op_lower_number (lower, SYM_DTYPE_FLOAT32, -INFINITY));
  set_combined (&self, 0,
                sym_op_lower_reshape (lower, is_there, &SYM_SHAPE (self.batch, self.n_best, 1)),
                take_boxes (&self, places), 3);
  set_combined (&self, 1, is_there, values, 2);
  classes = sym_op_lower_binary (
      lower, "Div", places, sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) self.n_boxes));
  set_combined (&self, 2, is_there, sym_op_lower_cast (lower, classes, SYM_DTYPE_FLOAT32), 2);
  sym_op_lower_set_output (
      lower, 3,
      sym_op_lower_reduce (lower, "ReduceSum", sym_op_lower_cast (lower, is_there, SYM_DTYPE_INT32),
                           &axis, 1, FALSE));
}

/* ---- Tables ---- */

static const SymAttributeSpec resize_attributes[] = {
  { "align_corners", SYM_ATTRIBUTE_BOOL, "False", "whether the corner pixels stay where they are" },
  { "half_pixel_centers", SYM_ATTRIBUTE_BOOL, "False", "whether a pixel is where its middle is" },
  { NULL },
};

static const SymAttributeSpec crop_attributes[] = {
  { "method", SYM_ATTRIBUTE_STRING, "bilinear", "what is put between", "bilinear nearest" },
  { "extrapolation_value", SYM_ATTRIBUTE_FLOAT, "0", "what is outside the image" },
  { NULL },
};

static const SymAttributeSpec suppression_attributes[] = {
  { "pad_to_max_output_size", SYM_ATTRIBUTE_BOOL, "False", "whether zeros fill the result up" },
  { NULL },
};

static const SymSlotSpec resize_slots[] = { { "images" }, { "size" }, { NULL } };
static const SymSlotSpec crop_slots[] = {
  { "image" }, { "boxes" }, { "box_ind" }, { "crop_size" }, { NULL },
};
static const SymSlotSpec suppression_slots[] = {
  { "boxes" },
  { "scores" },
  { "max_output_size" },
  { "iou_threshold" },
  { "score_threshold", .optional = TRUE },
  { "soft_nms_sigma", .optional = TRUE },
  { NULL },
};

static const SymAttributeSpec combined_attributes[] = {
  { "pad_per_class", SYM_ATTRIBUTE_BOOL, "False", "whether results are as many as classes need" },
  { "clip_boxes", SYM_ATTRIBUTE_BOOL, "True", "whether boxes end at 0 and 1" },
  { NULL },
};

static const SymSlotSpec combined_slots[] = {
  { "boxes" },
  { "scores" },
  { "max_output_size_per_class" },
  { "max_total_size" },
  { "iou_threshold" },
  { "score_threshold" },
  { NULL },
};

static const char *const combined_names[] = {
  "nmsed_boxes", "nmsed_scores", "nmsed_classes", "valid_detections", NULL,
};

static const char *const counted_names[] = { "selected_indices", "valid_outputs", NULL };
static const char *const scored_names[] = {
  "selected_indices",
  "selected_scores",
  "valid_outputs",
  NULL,
};

#define RESIZE(name_, summary_)                                                \
  {                                                                            \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,    \
                       .attributes = resize_attributes, .slots = resize_slots, \
                       .infer = infer_resize, .lower = lower_resize            \
  }
#define SUPPRESSION(version_, names_)                                                   \
  {                                                                                     \
    SYM_OP_TF ("NonMaxSuppression" version_),                                           \
        .summary = "boxes that do not overlap much", .category = SYM_CATEGORY_OTHER,    \
        .attributes = suppression_attributes, .slots = suppression_slots,               \
        .get_n_operands = sym_op_tf_any_number, .get_n_outputs = sym_op_tf_any_outputs, \
        .output_names = names_, .infer = infer_suppression, .lower = lower_suppression  \
  }

const SymOperator sym_op_tf_image[] = {
  { SYM_OP_TF ("CombinedNonMaxSuppression"),
    .summary = "the best boxes of all classes that do not overlap much",
    .category = SYM_CATEGORY_OTHER, .attributes = combined_attributes, .slots = combined_slots,
    .get_n_outputs = sym_op_tf_any_outputs, .output_names = combined_names, .infer = infer_combined,
    .lower = lower_combined },
  { SYM_OP_TF ("CropAndResize"), .summary = "parts of images, all of one size",
    .category = SYM_CATEGORY_SHAPE, .attributes = crop_attributes, .slots = crop_slots,
    .infer = infer_crop, .lower = lower_crop },
  SUPPRESSION ("V2", NULL),
  SUPPRESSION ("V3", NULL),
  SUPPRESSION ("V4", counted_names),
  SUPPRESSION ("V5", scored_names),
  RESIZE ("ResizeBicubic", "images of another size, pixels by cubic curves"),
  RESIZE ("ResizeBilinear", "images of another size, pixels mixed of four"),
  RESIZE ("ResizeNearestNeighbor", "images of another size, pixels taken as they are"),
  { NULL },
};
