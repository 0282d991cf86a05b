/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

#include <math.h>

#define MAX_SIZE (1 << 24)

/* multiclass_nms3: the best boxes of each class, of these those that no better one covers, and of
 * these the best of each image, in the order of the classes. */
typedef struct {
  SymOpLower *lower;
  SymDType dtype;
  gint64 batch, n_classes, n_boxes, n_best;
  SymId scores, places; /* of the best, [batch, classes * best] */
  SymId boxes;          /* [batch, classes * best, 4] */
} Choice;

gboolean
sym_op_paddle_infer_nms (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  SymShape boxes;

  if (sym_rule_has_input (rule, 2))
    return sym_op_set_output (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN), dtype, error);
  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (3), error) ||
      !sym_op_set_input (rule, 1, sym_shape_new_unknown (3), error))
    return FALSE;
  boxes = sym_rule_get_input (rule, 0);
  return sym_rule_unify (rule, boxes.dims[2], 4, "numbers of a box", error) &&
         sym_op_set_input (rule, 1, SYM_SHAPE (boxes.dims[0], SYM_DIM_UNKNOWN, boxes.dims[1]),
                           error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN, 6), dtype, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (SYM_DIM_UNKNOWN, 1), SYM_DTYPE_INT32, error) &&
         sym_op_set_output (rule, 2, SYM_SHAPE (boxes.dims[0]), SYM_DTYPE_INT32, error);
}

static gboolean
check_nms (SymOpLower *self)
{
  const SymShape *boxes = sym_op_lower_get_input_shape (self, 0);
  const SymShape *scores = sym_op_lower_get_input_shape (self, 1);
  const char *type = sym_op_lower_get_type (self);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return FALSE;
  if (sym_op_lower_has_input (self, 2))
    sym_op_lower_refuse (self, "%s: images of different numbers of boxes are not lowered", type);
  else if (sym_op_lower_get_float (self, "nms_eta", 1) != 1)
    sym_op_lower_refuse (self, "%s: a threshold that falls is not lowered", type);
  else if (boxes->rank != 3 || scores->rank != 3 || boxes->dims[2] != 4 ||
           boxes->dims[1] != scores->dims[2] || boxes->dims[0] != scores->dims[0])
    sym_op_lower_fail (self, "%s: boxes and scores do not fit", type);
  else if (!sym_shape_is_known (boxes) || scores->dims[1] < 1 || scores->dims[1] > MAX_SIZE ||
           boxes->dims[1] < 1 || boxes->dims[1] > MAX_SIZE)
    sym_op_lower_refuse (self, "%s: there are no boxes or classes, or too many", type);
  return !sym_op_lower_has_failed (self);
}

static SymId
choose_best (const Choice *self, SymId x, gint64 n)
{
  return sym_op_lower_call (self->lower, "TopK",
                            SYM_IDS (x, sym_op_lower_ints (self->lower, &n, 1)), "axis",
                            sym_value_new_int (-1), NULL);
}

static void
begin_nms (Choice *self, SymOpLower *lower)
{
  const SymShape *scores = sym_op_lower_get_input_shape (lower, 1);
  gint64 most = sym_op_lower_get_int (lower, "nms_top_k", -1), sizes[3];
  SymId best, wide;

  *self = (Choice){ .lower = lower,
                    .dtype = sym_op_lower_get_input_dtype (lower, 0),
                    .batch = scores->dims[0],
                    .n_classes = scores->dims[1],
                    .n_boxes = scores->dims[2] };
  self->n_best = most < 1 ? self->n_boxes : MIN (most, self->n_boxes);
  sizes[0] = self->batch;
  sizes[1] = self->n_classes * self->n_best;
  sizes[2] = 4;
  best = choose_best (self, sym_op_lower_input (lower, 1), self->n_best);
  self->scores = sym_op_lower_reshape (lower, best, &SYM_SHAPE (sizes[0], sizes[1]));
  self->places = sym_op_lower_reshape (lower, sym_op_lower_get_result (lower, best, 1),
                                       &SYM_SHAPE (sizes[0], sizes[1]));
  wide = sym_op_lower_reshape (lower, self->places, &SYM_SHAPE (sizes[0], sizes[1], 1));
  wide = sym_op_lower_binary (lower, "Expand", wide, sym_op_lower_ints (lower, sizes, 3));
  self->boxes =
      sym_op_lower_call (lower, "GatherElements", SYM_IDS (sym_op_lower_input (lower, 0), wide),
                         "axis", sym_value_new_int (1), NULL);
}

/* Boxes to be compared: pixels that a box ends with belong to it where sizes are no shares. */
static SymId
find_extents (const Choice *self)
{
  static const float pixel[] = { 0, 0, 1, 1 };
  SymArray array = { .dtype = SYM_DTYPE_FLOAT32, .shape = SYM_SHAPE (4), .data = (gpointer) pixel };
  SymId boxes = sym_op_lower_reshape (self->lower, self->boxes,
                                      &SYM_SHAPE (self->batch * self->n_classes, self->n_best, 4));

  boxes = sym_op_lower_cast_from (self->lower, boxes, self->dtype, SYM_DTYPE_FLOAT32);
  return sym_op_lower_get_bool (self->lower, "normalized", TRUE)
             ? boxes
             : sym_op_lower_binary (self->lower, "Add", boxes,
                                    sym_op_lower_array (self->lower, &array));
}

/* 1 in place of each class whose boxes count, [classes, 1]. */
static SymId
count_classes (const Choice *self)
{
  gint64 background = sym_op_lower_get_int (self->lower, "background_label", 0);
  g_autofree float *counts = g_new (float, self->n_classes);
  SymArray array = { .dtype = SYM_DTYPE_FLOAT32, .shape = SYM_SHAPE (self->n_classes, 1) };

  for (gint64 i = 0; i < self->n_classes; i++)
    counts[i] = i != background;
  array.data = counts;
  return sym_op_lower_array (self->lower, &array);
}

/* 1 in place of each box that no better one of its class covers, [batch, classes * best]. */
static SymId
choose_uncovered (const Choice *self)
{
  SymOpLower *lower = self->lower;
  SymShape rows = SYM_SHAPE (self->batch * self->n_classes, 1, self->n_best);
  SymShape flat = SYM_SHAPE (rows.dims[0], self->n_best);
  SymShape classes = SYM_SHAPE (self->batch, self->n_classes, self->n_best);
  SymId scores = sym_op_lower_cast_from (lower, sym_op_lower_reshape (lower, self->scores, &rows),
                                         self->dtype, SYM_DTYPE_FLOAT32);
  SymId nothing = sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &flat, 0), chosen, ones;

  chosen = sym_op_lower_call (
      lower, "NonMaxSuppression",
      SYM_IDS (find_extents (self), scores,
               sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) self->n_best),
               sym_op_lower_number (lower, SYM_DTYPE_FLOAT32,
                                    sym_op_lower_get_float (lower, "nms_threshold", 0.3)),
               sym_op_lower_number (lower, SYM_DTYPE_FLOAT32,
                                    sym_op_lower_get_float (lower, "score_threshold", 0))),
      NULL);
  chosen = sym_op_lower_slice (lower, chosen, 1, 0, 3, 2);
  ones = sym_op_lower_binary (lower, "GatherND",
                              sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &flat, 1), chosen);
  chosen = sym_op_lower_call (lower, "ScatterND", SYM_IDS (nothing, chosen, ones), NULL);
  chosen = sym_op_lower_binary (lower, "Mul", sym_op_lower_reshape (lower, chosen, &classes),
                                count_classes (self));
  return sym_op_lower_reshape (lower, chosen,
                               &SYM_SHAPE (self->batch, self->n_classes * self->n_best));
}

/* The same of the best of them in each image. */
static SymId
choose_kept (const Choice *self, SymId chosen)
{
  SymOpLower *lower = self->lower;
  gint64 most = sym_op_lower_get_int (lower, "keep_top_k", -1);
  SymShape all = SYM_SHAPE (self->batch, self->n_classes * self->n_best), kept = all;
  SymId scores, places;

  if (most < 0 || most >= all.dims[1])
    return chosen;
  kept.dims[1] = most;
  scores =
      sym_op_lower_call (lower, "Where",
                         SYM_IDS (sym_op_lower_cast (lower, chosen, SYM_DTYPE_BOOL), self->scores,
                                  sym_op_lower_number (lower, self->dtype, -INFINITY)),
                         NULL);
  places = sym_op_lower_get_result (lower, choose_best (self, scores, most), 1);
  places =
      sym_op_lower_call (lower, "ScatterElements",
                         SYM_IDS (sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &all, 0), places,
                                  sym_op_lower_fill (lower, SYM_DTYPE_FLOAT32, &kept, 1)),
                         "axis", sym_value_new_int (1), NULL);
  return sym_op_lower_binary (lower, "Mul", chosen, places);
}

/* What stands in @x, [batch, classes * best, ...], at @places, with one axis more. */
static SymId
take_column (const Choice *self, SymId x, SymId places)
{
  const gint64 axis = -1;

  return sym_op_foreign_unsqueeze (
      self->lower, sym_op_lower_binary (self->lower, "GatherND", x, places), &axis, 1);
}

static void
set_nms_places (const Choice *self, SymId places)
{
  SymOpLower *lower = self->lower;
  SymId image = sym_op_lower_slice (lower, places, 1, 0, 1, 1), first;

  first = sym_op_lower_binary (
      lower, "Mul", image, sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) self->n_boxes));
  first = sym_op_lower_binary (lower, "Add", first, take_column (self, self->places, places));
  sym_op_lower_set_output (lower, 1, sym_op_lower_cast (lower, first, SYM_DTYPE_INT32));
}

void
sym_op_paddle_lower_nms (SymOpLower *lower)
{
  const gint64 axis = 1;
  SymId kept, places, label, columns[3];
  Choice self;

  if (!check_nms (lower))
    return;
  begin_nms (&self, lower);
  kept = choose_kept (&self, choose_uncovered (&self));
  places = sym_op_lower_transpose (lower, sym_op_lower_unary (lower, "NonZero", kept), 2, 1, 0);
  label = sym_op_lower_slice (lower, places, 1, 1, 2, 1);
  label = sym_op_lower_binary (lower, "Div", label,
                               sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) self.n_best));
  columns[0] = sym_op_lower_cast (lower, label, self.dtype);
  columns[1] = take_column (&self, self.scores, places);
  columns[2] = sym_op_lower_binary (lower, "GatherND", self.boxes, places);
  sym_op_lower_set_output (lower, 0,
                           sym_op_lower_call (lower, "Concat", (SymIds){ columns, 3 }, "axis",
                                              sym_value_new_int (1), NULL));
  if (sym_op_lower_get_n_outputs (lower) > 1)
    set_nms_places (&self, places);
  if (sym_op_lower_get_n_outputs (lower) > 2)
    sym_op_lower_set_output (
        lower, 2,
        sym_op_lower_cast (lower, sym_op_lower_reduce (lower, "ReduceSum", kept, &axis, 1, FALSE),
                           SYM_DTYPE_INT32));
}

const SymAttributeSpec sym_op_paddle_nms_attributes[] = {
  { "score_threshold", SYM_ATTRIBUTE_FLOAT, NULL, "boxes must have more" },
  { "nms_top_k", SYM_ATTRIBUTE_INT, NULL, "how many of a class are looked at; -1 for all" },
  { "keep_top_k", SYM_ATTRIBUTE_INT, NULL, "how many of an image stay; -1 for all" },
  { "nms_threshold", SYM_ATTRIBUTE_FLOAT, "0.3", "what is covered by more goes" },
  { "nms_eta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of that threshold after each box" },
  { "normalized", SYM_ATTRIBUTE_BOOL, "True", "whether sizes are shares of the image" },
  { "background_label", SYM_ATTRIBUTE_INT, "0", "the class that does not count" },
  { NULL },
};
