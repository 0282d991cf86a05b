/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

/* NonMaxSuppression: of boxes that overlap, the one of the highest score.  From opset 5 on there
 * are as many rows as are chosen, their scores and their number; before, rows of -1 fill up what
 * could be chosen at most.  A box goes when it shares more than the threshold with a better one, as
 * the specification says; the reference of opset 5 drops it at the threshold, too. */

enum { BOXES, SCORES, MOST, COVER, LEAST, SIGMA };

/* Operand @i as ONNX wants it, [1]; 0 where it is not given. */
static SymId
read_limit (SymOpLower *self, guint i, SymDType dtype)
{
  SymShape one = SYM_SHAPE (1);

  return sym_op_lower_has_input (self, i)
             ? sym_op_lower_reshape (
                   self, sym_op_lower_cast (self, sym_op_lower_input (self, i), dtype), &one)
             : sym_op_lower_fill (self, dtype, &one, 0);
}

static SymId
read_floats (SymOpLower *self, guint i)
{
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i), SYM_DTYPE_FLOAT32);
}

/* Scores fall with what boxes share where sigma is not 0, which nobody computes here. */
static gboolean
check_sigma (SymOpLower *self)
{
  double sigma = 0;

  if (!sym_op_lower_has_input (self, SIGMA) || sym_op_lower_is_rule (self))
    return TRUE;
  if (!sym_op_lower_read_number (self, SIGMA, &sigma))
    return FALSE;
  if (sigma != 0)
    sym_op_lower_refuse (self, "NonMaxSuppression: soft_nms_sigma %g is not lowered", sigma);
  return sigma == 0;
}

/* Rows of batch, class and box: the best ones of all first; of equal ones the first. */
static SymId
sort (SymOpLower *self, SymId rows, SymId scores)
{
  SymId all = sym_op_lower_binary (self, "GatherND", scores, rows);
  SymId top =
      sym_op_lower_call (self, "TopK", SYM_IDS (all, sym_op_lower_unary (self, "Shape", all)),
                         "axis", sym_value_new_int (0), NULL);

  return sym_op_lower_binary (self, "Gather", rows, sym_op_lower_get_result (self, top, 1));
}

/* Batch, class and score of each row: float32 whatever the scores are. */
static SymId
list_scores (SymOpLower *self, SymId rows, SymId scores)
{
  gint64 column[] = { -1, 1 };
  SymId left =
      sym_op_lower_cast (self, sym_op_lower_slice (self, rows, 1, 0, 2, 1), SYM_DTYPE_FLOAT32);
  SymId right =
      sym_op_lower_binary (self, "Reshape", sym_op_lower_binary (self, "GatherND", scores, rows),
                           sym_op_lower_ints (self, column, 2));

  return sym_op_lower_call (self, "Concat", SYM_IDS (left, right), "axis", sym_value_new_int (1),
                            NULL);
}

/* Before opset 5: rows of -1 behind what was chosen, up to the most. */
static SymId
fill_up (SymOpLower *self, SymId rows)
{
  const SymShape *scores = sym_op_lower_get_input_shape (self, SCORES);
  gint64 most[] = { 0 }, zeros[] = { 0, 0 };
  SymId missing, pads;

  if (sym_op_lower_has_input (self, MOST) && sym_op_lower_read_ints (self, MOST, most, 1) != 1)
    return SYM_NO_ID;
  if (scores->dims[0] != 1 || scores->dims[1] < 0 || scores->dims[2] < 0)
    {
      sym_op_lower_refuse (self,
                           "NonMaxSuppression: before opset 5 only known sizes and a batch of "
                           "one are lowered");
      return SYM_NO_ID;
    }
  most[0] = CLAMP (most[0], 0, scores->dims[2]) * scores->dims[1];
  missing = sym_op_lower_binary (
      self, "Sub", sym_op_lower_ints (self, most, 1),
      sym_op_lower_slice (self, sym_op_lower_unary (self, "Shape", rows), 0, 0, 1, 1));
  pads = sym_op_lower_call (
      self, "Concat",
      SYM_IDS (sym_op_lower_ints (self, zeros, 2), missing, sym_op_lower_ints (self, zeros, 1)),
      "axis", sym_value_new_int (0), NULL);
  rows = sym_op_lower_call (
      self, "Pad", SYM_IDS (rows, pads, sym_op_lower_number (self, SYM_DTYPE_INT64, -1)), NULL);
  return sym_op_lower_reshape (self, rows, &SYM_SHAPE (most[0], 3));
}

/* Nothing is computed by words that mean something else. */
static gboolean
check_words (SymOpLower *self, SymDType dtype)
{
  const char *encoding = sym_op_lower_get_string (self, "box_encoding", "corner");

  if (!g_str_equal (encoding, "corner") && !g_str_equal (encoding, "center"))
    sym_op_lower_fail (
        self, "NonMaxSuppression: the box_encoding “%s” is neither corner nor center", encoding);
  else if (dtype != SYM_DTYPE_INT64 && dtype != SYM_DTYPE_INT32)
    sym_op_lower_fail (self, "NonMaxSuppression: the output_type is neither i64 nor i32");
  return !sym_op_lower_has_failed (self);
}

static void
lower (SymOpLower *self)
{
  SymDType dtype = sym_op_openvino_get_dtype (self, "output_type", SYM_DTYPE_INT64);
  gboolean is_old = sym_op_lower_get_n_outputs (self) < 2;
  gboolean is_centre = sym_op_lower_has_string (self, "box_encoding", "center");
  SymId scores, rows;

  if (!sym_op_lower_need_tensor (self, BOXES) || !sym_op_lower_need_tensor (self, SCORES) ||
      !check_words (self, dtype) || !check_sigma (self))
    return;
  if (sym_op_lower_get_input_shape (self, SCORES)->rank != 3)
    {
      sym_op_lower_fail (self, "NonMaxSuppression: scores must be [batch, classes, boxes]");
      return;
    }
  scores = read_floats (self, SCORES);
  rows = sym_op_lower_call (self, "NonMaxSuppression",
                            SYM_IDS (read_floats (self, BOXES), scores,
                                     read_limit (self, MOST, SYM_DTYPE_INT64),
                                     read_limit (self, COVER, SYM_DTYPE_FLOAT32),
                                     read_limit (self, LEAST, SYM_DTYPE_FLOAT32)),
                            "center_point_box", sym_value_new_int (is_centre), NULL);
  if (sym_op_lower_get_bool (self, "sort_result_descending", TRUE))
    rows = sort (self, rows, scores);
  if (!is_old)
    sym_op_lower_set_output (self, 1, list_scores (self, rows, scores));
  if (sym_op_lower_get_n_outputs (self) > 2)
    sym_op_lower_set_output (
        self, 2,
        sym_op_lower_cast_from (
            self, sym_op_lower_slice (self, sym_op_lower_unary (self, "Shape", rows), 0, 0, 1, 1),
            SYM_DTYPE_INT64, dtype));
  if (is_old)
    rows = fill_up (self, rows);
  if (rows != SYM_NO_ID)
    sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, rows, SYM_DTYPE_INT64, dtype));
}

static const SymSlotSpec slots[] = {
  { "boxes" },
  { "scores" },
  { "max_output_boxes_per_class", .optional = TRUE },
  { "iou_threshold", .optional = TRUE },
  { "score_threshold", .optional = TRUE },
  { "soft_nms_sigma", .optional = TRUE },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "box_encoding", SYM_ATTRIBUTE_STRING, "corner", "how boxes are told", "corner center" },
  { "sort_result_descending", SYM_ATTRIBUTE_BOOL, "True", "the best ones of all classes first" },
  { "output_type", SYM_ATTRIBUTE_STRING, "i64", "dtype of indices", "i64 i32" },
  { NULL },
};

const SymOperator sym_op_openvino_suppress[] = {
  OPENVINO_LOWERED ("NonMaxSuppression",
                    NULL,
                    "Of boxes that overlap, the one of the highest score",
                    OTHER,
                    slots,
                    attributes,
                    lower),
  { NULL },
};
