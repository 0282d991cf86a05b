/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-ngraph.h"

/* A list of exactly as many numbers as operand 0 has axes. */
static gboolean
read_per_axis (SymOpLower *self, const char *name, gint64 *values, int rank)
{
  int n = sym_op_foreign_list (self, name, values);

  if (n == rank)
    return TRUE;
  sym_op_lower_fail (self, "%s: %s should have %d numbers, not %d", sym_op_lower_get_type (self),
                     name, rank, n);
  return FALSE;
}

/* ---- Rules ---- */

/* Most layers of a function are these, and say what they make: their rules need no body. */
static gboolean
read_shape (SymRule *rule, const char *name, SymShape *shape)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, name, sizes, SYM_MAX_RANK);

  if (n < 0 || n > SYM_MAX_RANK)
    return FALSE;
  *shape = (SymShape){ .rank = n };
  for (int i = 0; i < n; i++)
    {
      if (sizes[i] < 0)
        return FALSE;
      shape->dims[i] = sizes[i];
    }
  return TRUE;
}

static gboolean
infer_reshape (SymRule *rule, GError **error)
{
  SymShape shape;

  if (!read_shape (rule, "output_shape", &shape))
    return sym_op_infer_lowered (rule, error);
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_reshape (rule, shape, -1, error);
}

static gboolean
infer_broadcast (SymRule *rule, GError **error)
{
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  SymShape shape;
  int n;

  if (!read_shape (rule, "shape", &shape))
    return sym_op_infer_lowered (rule, error);
  if (!sym_op_get_axes (rule, "axes", shape.rank, axes, &n, error))
    return FALSE;
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_op_set_input (rule, 0, sym_op_reduce_shape (&shape, axes, FALSE), error) &&
         sym_rule_set_output (rule, 0, &shape, error);
}

/* Bounds within the data, in steps. */
static gboolean
infer_slice (SymRule *rule, GError **error)
{
  SymShape lower, upper, steps, shape, data = sym_rule_get_input (rule, 0);

  if (!read_shape (rule, "lower_bounds", &lower) || !read_shape (rule, "upper_bounds", &upper) ||
      !read_shape (rule, "strides", &steps) || data.rank != lower.rank ||
      upper.rank != lower.rank || steps.rank != lower.rank)
    return sym_op_infer_lowered (rule, error);
  shape = lower;
  for (int i = 0; i < lower.rank; i++)
    {
      if (steps.dims[i] < 1 || upper.dims[i] < lower.dims[i] ||
          (data.dims[i] >= 0 && upper.dims[i] > data.dims[i]))
        return sym_rule_fail (error,
                              "the part from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                              " is not within axis %d",
                              lower.dims[i], upper.dims[i], i);
      shape.dims[i] = (upper.dims[i] - lower.dims[i] + steps.dims[i] - 1) / steps.dims[i];
    }
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &shape, error);
}

static gboolean
infer_replace (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- Axes ---- */

/* The axes in another order, then other sizes. */
static void
lower_reshape (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), normal;
  const char *name = sym_op_foreign_choose (self, "output_shape", "shape", NULL);
  gint64 order[SYM_MAX_RANK], sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, name, sizes);
  SymId x = sym_op_lower_input (self, 0);
  gboolean moves = FALSE;

  if (!read_per_axis (self, "input_order", order, rank))
    return;
  if (n < 0)
    sym_op_lower_refuse (self, "%s: its sizes are not constant", sym_op_lower_get_type (self));
  for (int i = 0; i < rank; i++)
    {
      moves = moves || order[i] != i;
      sym_op_lower_find_axis (self, order[i], rank, &normal);
    }
  if (moves && !sym_op_lower_has_failed (self))
    x = sym_op_lower_permute (self, x, order, rank);
  sym_op_lower_set_output (self, 0, sym_op_foreign_reshape (self, x, sizes, MAX (n, 0), FALSE));
}

/* The axes that are told are new. */
static void
lower_broadcast (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK], sizes[SYM_MAX_RANK];
  int n_axes = sym_op_foreign_list (self, "axes", axes);
  int n = sym_op_foreign_list (self, "shape", sizes);
  SymId x = sym_op_lower_input (self, 0);

  if (n < 0 || n_axes < 0 || n != sym_op_foreign_rank (self, 0) + n_axes)
    sym_op_lower_fail (self, "%s: a shape of %d sizes for %d axes and %d new ones",
                       sym_op_lower_get_type (self), n, sym_op_foreign_rank (self, 0), n_axes);
  if (n_axes > 0)
    x = sym_op_foreign_unsqueeze (self, x, axes, n_axes);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "Expand", x, sym_op_lower_ints (self, sizes, MAX (n, 0))));
}

static void
lower_concat (SymOpLower *self)
{
  const char *name = sym_op_foreign_choose (self, "axis", "concatenation_axis", NULL);

  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self),
                                                  sym_op_lower_get_int (self, name, 0)));
}

static void
lower_squeeze (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (
          self, type, sym_op_lower_input (self, 0),
          sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64)));
}

/* ---- Parts ---- */

static SymId
slice (SymOpLower *self, SymId x, int rank)
{
  gint64 starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK];

  if (!read_per_axis (self, "lower_bounds", starts, rank) ||
      !read_per_axis (self, "upper_bounds", stops, rank))
    return SYM_NO_ID;
  sym_op_foreign_ints (self, "strides", rank, 1, steps);
  return sym_op_foreign_slice (self, x, starts, stops, NULL, steps, rank);
}

static void
lower_slice (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0, slice (self, sym_op_lower_input (self, 0), sym_op_foreign_rank (self, 0)));
}

/* How much lies before and behind the part. */
static gboolean
find_pads (SymOpLower *self, int rank, gint64 *pads)
{
  gint64 starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK];

  if (!read_per_axis (self, "lower_bounds", starts, rank) ||
      !read_per_axis (self, "upper_bounds", stops, rank))
    return FALSE;
  sym_op_foreign_ints (self, "strides", rank, 1, steps);
  for (int i = 0; i < rank; i++)
    {
      pads[i] = starts[i];
      pads[rank + i] = sym_op_foreign_size (self, 0, i) - stops[i];
      if (steps[i] != 1)
        sym_op_lower_refuse (self, "%s: steps are not lowered", sym_op_lower_get_type (self));
    }
  return !sym_op_lower_has_failed (self);
}

/* Operand 1 in place of a part of operand 0: both as large as that, and a mask. */
static void
lower_replace (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 pads[2 * SYM_MAX_RANK];
  SymId part = sym_op_lower_input (self, 1), mask, list;

  if (!sym_op_lower_need_tensor (self, 1) || !find_pads (self, rank, pads))
    return;
  list = sym_op_lower_ints (self, pads, 2 * rank);
  mask = sym_op_lower_binary (self, "Expand", sym_op_lower_number (self, SYM_DTYPE_INT32, 1),
                              sym_op_lower_unary (self, "Shape", part));
  mask = sym_op_lower_cast (self, sym_op_lower_binary (self, "Pad", mask, list), SYM_DTYPE_BOOL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Where",
                         SYM_IDS (mask, sym_op_lower_binary (self, "Pad", part, list),
                                  sym_op_lower_input (self, 0)),
                         NULL));
}

static void
lower_pad (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 pads[2 * SYM_MAX_RANK], within[SYM_MAX_RANK];
  const char *mode = sym_op_lower_get_string (self, "pad_mode", "constant");

  if (!read_per_axis (self, "padding_below", pads, rank) ||
      !read_per_axis (self, "padding_above", pads + rank, rank))
    return;
  sym_op_foreign_ints (self, "padding_interior", rank, 0, within);
  for (int i = 0; i < rank; i++)
    if (within[i] != 0)
      sym_op_lower_refuse (self, "%s: holes are not lowered", sym_op_lower_get_type (self));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Pad",
          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, pads, 2 * rank),
                   sym_op_lower_input (self, 1)),
          "mode",
          sym_value_new_string (g_ascii_strcasecmp (mode, "edge") == 0      ? "edge"
                                : g_ascii_strcasecmp (mode, "reflect") == 0 ? "reflect"
                                                                            : "constant"),
          NULL));
}

static void
lower_reverse (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK], starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  int n = MAX (sym_op_foreign_list (self, "reversed_axes", axes), 0);

  for (int i = 0; i < n; i++)
    {
      starts[i] = steps[i] = -1;
      stops[i] = G_MININT64;
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, axes, steps, n));
}

static void
lower_reverse_sequence (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "ReverseSequence",
          SYM_IDS (sym_op_lower_input (self, 0),
                   sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64)),
          "batch_axis", sym_value_new_int (sym_op_lower_get_int (self, "batch_axis", 0)),
          "time_axis", sym_value_new_int (sym_op_lower_get_int (self, "sequence_axis", 1)), NULL));
}

static void
lower_gather (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Gather",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
                         "axis", sym_value_new_int (sym_op_lower_get_int (self, "axis", 0)), NULL));
}

/* Rows of operand 1 by the numbers of operand 0. */
static void
lower_lookup (SymOpLower *self)
{
  SymId places = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64);

  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 1), places));
}

static void
lower_one_hot (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK], axis = sym_op_lower_get_int (self, "one_hot_axis", 0),
                              ends[] = { 0, 1 };
  int n = sym_op_foreign_list (self, "shape", sizes);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId values;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (axis < 0 || axis >= n)
    {
      sym_op_lower_fail (self, "%s: its shape has no axis %" G_GINT64_FORMAT,
                         sym_op_lower_get_type (self), axis);
      return;
    }
  values = sym_op_lower_cast_from (self, sym_op_lower_ints (self, ends, 2), SYM_DTYPE_INT64, dtype);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "OneHot",
          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, &sizes[axis], 1), values),
          "axis", sym_value_new_int (axis), NULL));
}

/* ---- Sizes ---- */

static void
lower_shape (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 0)));
}

/* ---- Tables ---- */

static const SymSlotSpec places_slots[] = { { "data" }, { "indices" }, { NULL } };

static const SymSlotSpec lookup_slots[] = { { "indices" },
                                            { "weights", SYM_SLOT_PARAMETER },
                                            { NULL } };

static const SymSlotSpec axes_slots[] = { { "data" }, { "axes" }, { NULL } };

static const SymAttributeSpec reshape_attributes[] = {
  { "input_order", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "sizes afterwards" },
  { NULL },
};

static const SymAttributeSpec broadcast_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes of the result that are new" },
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes of the result" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { NULL },
};

static const SymAttributeSpec slice_attributes[] = {
  { "lower_bounds", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "upper_bounds", SYM_ATTRIBUTE_INTS, "None", "where it ends" },
  { "strides", SYM_ATTRIBUTE_INTS, "1", "steps" },
  { NULL },
};

static const SymAttributeSpec pad_attributes[] = {
  { "padding_below", SYM_ATTRIBUTE_INTS, "None", "added before each axis" },
  { "padding_above", SYM_ATTRIBUTE_INTS, "None", "added behind it" },
  { "padding_interior", SYM_ATTRIBUTE_INTS, "0", "added between elements" },
  { NULL },
};

static const SymAttributeSpec reverse_attributes[] = {
  { "reversed_axes", SYM_ATTRIBUTE_INTS, "None", "axes that run backwards" },
  { NULL },
};

static const SymAttributeSpec sequence_attributes[] = {
  { "batch_axis", SYM_ATTRIBUTE_INT, "0", "axis of the sequences" },
  { "sequence_axis", SYM_ATTRIBUTE_INT, "1", "axis of their steps" },
  { NULL },
};

static const SymAttributeSpec hot_attributes[] = {
  { "one_hot_axis", SYM_ATTRIBUTE_INT, "0", "axis that is new" },
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes of the result" },
  { NULL },
};

const SymOperator sym_op_ngraph_shape[] = {
  { NGRAPH ("Reshape", NULL, "Axes in another order, then other sizes", SHAPE),
    .slots = sym_op_foreign_one, .attributes = reshape_attributes, .infer = infer_reshape,
    .lower = lower_reshape },
  { NGRAPH ("Broadcast", NULL, "Repeated along new axes", SHAPE), .slots = sym_op_foreign_one,
    .attributes = broadcast_attributes, .infer = infer_broadcast, .lower = lower_broadcast },
  { NGRAPH ("Concat", NULL, "One after the other along an axis", MERGE),
    .slots = sym_op_foreign_many, .attributes = axis_attributes,
    .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_lowered, .lower = lower_concat },
  NGRAPH_LOWERED ("Squeeze",
                  NULL,
                  "Without axes of size 1",
                  SHAPE,
                  axes_slots,
                  NULL,
                  lower_squeeze),
  NGRAPH_LOWERED ("Unsqueeze", NULL, "With axes of size 1", SHAPE, axes_slots, NULL, lower_squeeze),
  { NGRAPH ("Slice", NULL, "Part of the data", SHAPE), .slots = sym_op_foreign_one,
    .attributes = slice_attributes, .infer = infer_slice, .lower = lower_slice },
  { NGRAPH ("ReplaceSlice", NULL, "Another part in its place", SHAPE), .slots = sym_op_foreign_two,
    .attributes = slice_attributes, .infer = infer_replace, .lower = lower_replace },
  NGRAPH_LOWERED ("Pad",
                  NULL,
                  "Something around the data",
                  SHAPE,
                  sym_op_foreign_two,
                  pad_attributes,
                  lower_pad),
  NGRAPH_LOWERED ("Reverse",
                  NULL,
                  "Backwards along axes",
                  SHAPE,
                  sym_op_foreign_one,
                  reverse_attributes,
                  lower_reverse),
  NGRAPH_LOWERED ("ReverseSequence",
                  NULL,
                  "Sequences backwards",
                  SHAPE,
                  sym_op_foreign_two,
                  sequence_attributes,
                  lower_reverse_sequence),
  NGRAPH_LOWERED ("Gather",
                  NULL,
                  "Slices by indices",
                  SHAPE,
                  places_slots,
                  axis_attributes,
                  lower_gather),
  NGRAPH_LOWERED ("EmbeddingLookup",
                  NULL,
                  "Rows of a table",
                  WEIGHTS,
                  lookup_slots,
                  NULL,
                  lower_lookup),
  NGRAPH_LOWERED ("OneHot",
                  NULL,
                  "1 at an index, 0 elsewhere",
                  SHAPE,
                  sym_op_foreign_one,
                  hot_attributes,
                  lower_one_hot),
  NGRAPH_LOWERED ("ShapeOf",
                  NULL,
                  "Sizes of the axes",
                  SHAPE,
                  sym_op_foreign_one,
                  NULL,
                  lower_shape),
  { NULL },
};
