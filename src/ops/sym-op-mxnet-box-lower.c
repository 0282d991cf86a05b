/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-boxes.h"

#include <math.h>

#include "ops/sym-op-lower.h"

/* Choosing among boxes, in ONNX's layers: for files of ONNX, as the kernels are nearer to MXNet. */

#define MAX_BEST (1 << 20)

/* Boxes of each sample, the best of them first. */
typedef struct {
  SymOpLower *lower;
  gint64 batch, n, n_best; /* of so many boxes so many are looked at */
  SymId scores, places;    /* [batch, best]: -inf where there is no box; where it was */
  SymId live;              /* [batch, best], bool */
} Ranking;

static SymId
number (SymOpLower *lower, double value)
{
  return sym_op_lower_number (lower, SYM_DTYPE_FLOAT32, value);
}

static SymId
concat (SymOpLower *lower, SymIds parts, gint64 axis)
{
  return sym_op_lower_call (lower, "Concat", parts, "axis", sym_value_new_int (axis), NULL);
}

static SymId
where (SymOpLower *lower, SymId condition, SymId x, SymId y)
{
  return sym_op_lower_call (lower, "Where", SYM_IDS (condition, x, y), NULL);
}

static SymId
choose_best (SymOpLower *lower, SymId x, gint64 n)
{
  return sym_op_lower_call (lower, "TopK", SYM_IDS (x, sym_op_lower_ints (lower, &n, 1)), "axis",
                            sym_value_new_int (-1), NULL);
}

/* Of [batch, boxes] scores the best that are @valid. */
static void
rank (Ranking *self, SymId scores, SymId valid)
{
  SymOpLower *lower = self->lower;
  SymId nothing = number (lower, -INFINITY);

  self->scores = choose_best (lower, where (lower, valid, scores, nothing), self->n_best);
  self->places = sym_op_lower_get_result (lower, self->scores, 1);
  self->live = sym_op_lower_binary (lower, "Greater", self->scores, nothing);
}

/* Rows of @x, [batch, ..., @width], at @places, [batch, best]. */
static SymId
take_rows (const Ranking *self, SymId x, SymId places, gint64 width)
{
  const gint64 sizes[] = { self->batch, self->n_best, width };

  places = sym_op_lower_reshape (self->lower, places, &SYM_SHAPE (self->batch, self->n_best, 1));
  places = sym_op_lower_binary (self->lower, "Expand", places,
                                sym_op_lower_ints (self->lower, sizes, 3));
  return sym_op_lower_call (self->lower, "GatherElements", SYM_IDS (x, places), "axis",
                            sym_value_new_int (1), NULL);
}

/* Numbers that fall from the number of boxes to 1, as many for each sample. */
static SymId
count_down (const Ranking *self)
{
  g_autofree float *numbers = g_new (float, self->n_best);
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (1, self->n_best), numbers };

  for (gint64 i = 0; i < self->n_best; i++)
    numbers[i] = (float) (self->n_best - i);
  return sym_op_lower_array (self->lower, &array);
}

/* Boxes of different classes, [batch, best, 1], so far apart that none overlaps another. */
static SymId
move_apart (SymOpLower *lower, SymId boxes, SymId classes)
{
  const gint64 all[] = { 0, 1, 2 };
  SymId extent = sym_op_lower_binary (
      lower, "Sub", sym_op_lower_reduce (lower, "ReduceMax", boxes, all, 3, TRUE),
      sym_op_lower_reduce (lower, "ReduceMin", boxes, all, 3, TRUE));

  extent = sym_op_lower_binary (lower, "Add", extent, number (lower, 1));
  return sym_op_lower_binary (lower, "Add", boxes,
                              sym_op_lower_binary (lower, "Mul", classes, extent));
}

/* 1 for each box that overlaps no better one by more than @overlap, [batch, best].  @boxes are
 * corners; @classes SYM_NO_ID where they do not matter. */
static SymId
keep_uncovered (const Ranking *self, SymId boxes, SymId classes, float overlap)
{
  SymOpLower *lower = self->lower;
  SymShape flat = SYM_SHAPE (self->batch, self->n_best);
  SymId scores = where (lower, self->live, count_down (self), number (lower, -1)), chosen, ones;

  if (classes != SYM_NO_ID)
    boxes = move_apart (lower, boxes, classes);
  chosen = sym_op_lower_call (
      lower, "NonMaxSuppression",
      SYM_IDS (boxes,
               sym_op_lower_reshape (lower, scores, &SYM_SHAPE (self->batch, 1, self->n_best)),
               sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) self->n_best),
               number (lower, overlap), number (lower, 0)),
      NULL);
  chosen = sym_op_lower_slice (lower, chosen, 1, 0, 3, 2);
  ones = sym_op_lower_binary (lower, "GatherND",
                              sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &flat, 1), chosen);
  return sym_op_lower_call (
      lower, "ScatterND",
      SYM_IDS (sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &flat, 0), chosen, ones), NULL);
}

/* @rows, [batch, best, @width], where @live, -1 elsewhere, and for the boxes that are left out. */
static SymId
fill_up (const Ranking *self, SymId rows, SymId live, gint64 width)
{
  SymOpLower *lower = self->lower;
  SymShape rest = SYM_SHAPE (self->batch, self->n - self->n_best, width);

  live = sym_op_lower_reshape (lower, live, &SYM_SHAPE (self->batch, self->n_best, 1));
  rows = where (lower, live, rows, number (lower, -1));
  if (rest.dims[1] == 0)
    return rows;
  return concat (lower, SYM_IDS (rows, sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &rest, -1)), 1);
}

/* @most boxes are looked at; -1 for all. */
static gboolean
begin (Ranking *self, guint n_inputs, gint64 most, double overlap)
{
  SymOpLower *lower = self->lower;
  const char *type = sym_op_lower_get_type (lower);

  self->n_best = most > 0 ? MIN (most, self->n) : self->n;
  for (guint i = 0; i < n_inputs; i++)
    if (sym_op_lower_get_input_dtype (lower, i) != SYM_DTYPE_FLOAT32)
      sym_op_lower_refuse (lower, "%s: boxes of %s are not lowered", type,
                           sym_dtype_to_string (sym_op_lower_get_input_dtype (lower, i)));
  if (self->batch < 1 || self->n_best < 1 || self->n_best > MAX_BEST)
    sym_op_lower_refuse (lower, "%s: there are no boxes, or too many", type);
  if (!(overlap > 0 && overlap <= 1))
    sym_op_lower_refuse (lower, "%s: an overlap of %g is not lowered", type, overlap);
  return !sym_op_lower_has_failed (lower);
}

/* ---- box_nms ---- */

typedef struct {
  gint64 width, corner, score, class, background;
  gboolean center_in, center_out;
} Columns;

static SymId
take_columns (SymOpLower *lower, SymId x, gint64 first, gint64 n)
{
  return sym_op_lower_slice (lower, x, 2, first, first + n, 1);
}

/* @rows with @boxes as their coordinates. */
static SymId
put_boxes (SymOpLower *lower, const Columns *columns, SymId rows, SymId boxes)
{
  gint64 end = columns->corner + 4;
  SymId parts[3];
  guint n = 0;

  if (columns->corner > 0)
    parts[n++] = take_columns (lower, rows, 0, columns->corner);
  parts[n++] = boxes;
  if (end < columns->width)
    parts[n++] = take_columns (lower, rows, end, columns->width - end);
  return n == 1 ? boxes : concat (lower, (SymIds){ parts, n }, 2);
}

static gboolean
read_columns (SymOpLower *lower, const SymShape *shape, Columns *columns)
{
  *columns = (Columns){
    .width = shape->dims[shape->rank - 1],
    .corner = sym_op_lower_get_int (lower, "coord_start", 2),
    .score = sym_op_lower_get_int (lower, "score_index", 1),
    .class = sym_op_lower_get_int (lower, "id_index", -1),
    .background = sym_op_lower_get_int (lower, "background_id", -1),
    .center_in = sym_op_lower_has_string (lower, "in_format", "center"),
    .center_out = sym_op_lower_has_string (lower, "out_format", "center"),
  };
  if (columns->corner < 0 || columns->corner > columns->width - 4 || columns->score < 0 ||
      columns->score >= columns->width || columns->class >= columns->width)
    sym_op_lower_fail (lower,
                       "box_nms: boxes have %" G_GINT64_FORMAT " numbers; score_index, "
                       "id_index and coord_start point beyond",
                       columns->width);
  return !sym_op_lower_has_failed (lower);
}

/* Which boxes count, [batch, boxes]. */
static SymId
find_valid (const Ranking *self, const Columns *columns, SymId x, SymId scores)
{
  SymOpLower *lower = self->lower;
  double least = sym_op_lower_get_float (lower, "valid_thresh", 0);
  SymId valid = sym_op_lower_binary (lower, "Greater", scores, number (lower, least)), classes;

  if (columns->class < 0 || columns->background < 0)
    return valid;
  classes = sym_op_lower_reshape (lower, take_columns (lower, x, columns->class, 1),
                                  &SYM_SHAPE (self->batch, self->n));
  classes =
      sym_op_lower_binary (lower, "Equal", classes, number (lower, (double) columns->background));
  return sym_op_lower_binary (lower, "And", valid, sym_op_lower_unary (lower, "Not", classes));
}

/* Those of @rows that are @kept come first. */
static void
set_kept (const Ranking *self, const Columns *columns, SymId rows, SymId kept)
{
  SymOpLower *lower = self->lower;
  SymId order = choose_best (lower, sym_op_lower_binary (lower, "Mul", kept, count_down (self)),
                             self->n_best);
  SymId places = sym_op_lower_get_result (lower, order, 1), first;
  SymId live = sym_op_lower_binary (lower, "Greater", order, number (lower, 0));

  rows = fill_up (self, take_rows (self, rows, places, columns->width), live, columns->width);
  sym_op_lower_set_output (
      lower, 0, sym_op_lower_reshape (lower, rows, sym_op_lower_get_input_shape (lower, 0)));
  if (sym_op_lower_get_n_outputs (lower) < 2)
    return;
  first = sym_op_lower_reshape (lower, sym_op_lower_count (lower, self->batch),
                                &SYM_SHAPE (self->batch, 1));
  first = sym_op_lower_binary (lower, "Mul", first,
                               sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) self->n));
  first = sym_op_lower_binary (lower, "Add", self->places, first);
  first = sym_op_lower_reshape (lower, first, &SYM_SHAPE (self->batch, self->n_best, 1));
  first = sym_op_lower_cast (lower, take_rows (self, first, places, 1), SYM_DTYPE_FLOAT32);
  sym_op_lower_set_output (lower, 1,
                           sym_op_lower_reshape (lower, fill_up (self, first, live, 1),
                                                 sym_op_lower_get_output_shape (lower, 1)));
}

static gboolean
begin_nms (Ranking *self, SymOpLower *lower, Columns *columns)
{
  const SymShape *shape = sym_op_lower_get_input_shape (lower, 0);

  if (!sym_op_lower_need_tensor (lower, 0))
    return FALSE;
  if (shape->rank < 2)
    {
      sym_op_lower_fail (lower, "box_nms: data has %d axes; it should have at least 2",
                         shape->rank);
      return FALSE;
    }
  *self = (Ranking){ .lower = lower, .batch = 1, .n = shape->dims[shape->rank - 2] };
  for (int i = 0; i < shape->rank - 2; i++)
    self->batch *= shape->dims[i];
  return read_columns (lower, shape, columns) &&
         begin (self, 1, sym_op_lower_get_int (lower, "topk", -1),
                sym_op_lower_get_float (lower, "overlap_thresh", 0.5));
}

void
sym_op_mxnet_lower_nms (SymOpLower *lower)
{
  double overlap = sym_op_lower_get_float (lower, "overlap_thresh", 0.5);
  SymId x, scores, rows, boxes, classes = SYM_NO_ID;
  Columns columns;
  Ranking self;

  if (!begin_nms (&self, lower, &columns))
    return;
  x = sym_op_lower_reshape (lower, sym_op_lower_input (lower, 0),
                            &SYM_SHAPE (self.batch, self.n, columns.width));
  scores = sym_op_lower_reshape (lower, take_columns (lower, x, columns.score, 1),
                                 &SYM_SHAPE (self.batch, self.n));
  rank (&self, scores, find_valid (&self, &columns, x, scores));
  rows = take_rows (&self, x, self.places, columns.width);
  boxes = take_columns (lower, rows, columns.corner, 4);
  if (columns.center_in)
    boxes = sym_op_mxnet_turn_boxes (lower, boxes, FALSE);
  if (columns.class >= 0 && !sym_op_lower_get_bool (lower, "force_suppress", FALSE))
    classes = take_columns (lower, rows, columns.class, 1);
  if (columns.center_in != columns.center_out)
    rows = put_boxes (lower, &columns, rows,
                      columns.center_out ? sym_op_mxnet_turn_boxes (lower, boxes, TRUE) : boxes);
  set_kept (&self, &columns, rows, keep_uncovered (&self, boxes, classes, (float) overlap));
}

/* ---- MultiBoxDetection ---- */

/* Anchors moved and stretched by what was predicted, [batch, boxes, 4]. */
static SymId
decode (const Ranking *self, const double *variances)
{
  SymOpLower *lower = self->lower;
  float factors[] = { (float) variances[0], (float) variances[1], (float) variances[2],
                      (float) variances[3] };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (4), factors };
  SymId moves = sym_op_lower_reshape (lower, sym_op_lower_input (lower, 1),
                                      &SYM_SHAPE (self->batch, self->n, 4));
  SymId anchors =
      sym_op_lower_reshape (lower, sym_op_lower_input (lower, 2), &SYM_SHAPE (1, self->n, 4));
  SymId boxes;

  moves = sym_op_lower_binary (lower, "Mul", moves, sym_op_lower_array (lower, &array));
  boxes = sym_op_mxnet_stretch_boxes (lower, moves, sym_op_mxnet_turn_boxes (lower, anchors, TRUE),
                                      INFINITY);
  return sym_op_lower_get_bool (lower, "clip", TRUE)
             ? sym_op_lower_call (lower, "Clip",
                                  SYM_IDS (boxes, number (lower, 0), number (lower, 1)), NULL)
             : boxes;
}

static gboolean
begin_detection (Ranking *self, SymOpLower *lower)
{
  const SymShape *shape = sym_op_lower_get_input_shape (lower, 0);

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (lower, i))
      return FALSE;
  if (shape->rank != 3 || shape->dims[1] < 2)
    {
      sym_op_lower_fail (lower, "MultiBoxDetection: cls_prob should be [batch, classes, boxes]");
      return FALSE;
    }
  *self = (Ranking){ .lower = lower, .batch = shape->dims[0], .n = shape->dims[2] };
  return begin (self, 3, sym_op_lower_get_int (lower, "nms_topk", -1),
                sym_op_lower_get_float (lower, "nms_threshold", 0.5));
}

/* Boxes that overlap better ones stay where they are and lose their class alone. */
static void
set_detected (const Ranking *self, SymId classes, SymId boxes)
{
  SymOpLower *lower = self->lower;
  /* An overlap of just so much counts. */
  float overlap =
      nextafterf ((float) sym_op_lower_get_float (lower, "nms_threshold", 0.5), -INFINITY);
  gboolean force = sym_op_lower_get_bool (lower, "force_suppress", FALSE);
  SymShape column = SYM_SHAPE (self->batch, self->n_best, 1);
  SymId kept, parts[3];

  boxes = take_rows (self, boxes, self->places, 4);
  classes = take_rows (self, classes, self->places, 1);
  kept = keep_uncovered (self, boxes, force ? SYM_NO_ID : classes, overlap);
  kept = sym_op_lower_cast (lower, sym_op_lower_reshape (lower, kept, &column), SYM_DTYPE_BOOL);
  parts[0] = where (lower, kept, classes, number (lower, -1));
  parts[1] = sym_op_lower_reshape (lower, self->scores, &column);
  parts[2] = boxes;
  sym_op_lower_set_output (lower, 0,
                           fill_up (self, concat (lower, (SymIds){ parts, 3 }, 2), self->live, 6));
}

void
sym_op_mxnet_lower_detection (SymOpLower *lower)
{
  double variances[] = { 0.1, 0.1, 0.2, 0.2 };
  const gint64 axis = 1;
  SymId scores, classes, valid;
  Ranking self;

  if (!begin_detection (&self, lower))
    return;
  sym_op_mxnet_read_floats (sym_layer_get_attributes (sym_op_lower_get_layer (lower)), "variances",
                            variances, 4);
  scores = sym_op_lower_slice (lower, sym_op_lower_input (lower, 0), 1, 1, G_MAXINT64, 1);
  classes = sym_op_lower_call (lower, "ArgMax", SYM_IDS (scores), "axis", sym_value_new_int (1),
                               "keepdims", sym_value_new_int (0), NULL);
  classes = sym_op_lower_reshape (lower, sym_op_lower_cast (lower, classes, SYM_DTYPE_FLOAT32),
                                  &SYM_SHAPE (self.batch, self.n, 1));
  scores = sym_op_lower_reduce (lower, "ReduceMax", scores, &axis, 1, FALSE);
  valid = sym_op_lower_binary (lower, "Less", scores,
                               number (lower, sym_op_lower_get_float (lower, "threshold", 0.01)));
  rank (&self, scores, sym_op_lower_unary (lower, "Not", valid));
  set_detected (&self, classes, decode (&self, variances));
}
