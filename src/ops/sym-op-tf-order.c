/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

/* What is n-th among sorted numbers, what an order is turned round, and rows that are dealt out by
 * numbers and put together again. */

#define MAX_VALUES 64
#define MAX_PARTS 1024

/* ---- NthElement ---- */

static gboolean
infer_nth (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  if (shape.rank == 0)
    return sym_rule_fail (error, "a number has no last axis");
  if (shape.rank > 0)
    shape = sym_op_remove_axis (&shape, shape.rank - 1);
  return sym_op_set_output (rule, 0, shape, sym_rule_get_input_dtype (rule, 0), error);
}

/* The last of the n + 1 least ones, or largest with `reverse`. */
static void
lower_nth (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymShape to = *shape;
  gint64 n = 0, k;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_read_ints (self, 1, &n, 1) != 1)
    return;
  if (shape->rank < 1 || n < 0 || n >= G_MAXINT32 ||
      (shape->dims[shape->rank - 1] >= 0 && n >= shape->dims[shape->rank - 1]))
    {
      sym_op_lower_fail (self, "NthElement: there is no element %" G_GINT64_FORMAT, n);
      return;
    }
  k = n + 1;
  x = sym_op_lower_call (self, "TopK",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, &k, 1)),
                         "axis", sym_value_new_int (-1), "largest",
                         sym_value_new_int (sym_op_lower_get_bool (self, "reverse", FALSE)), NULL);
  to = sym_op_remove_axis (&to, to.rank - 1);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_reshape (self, sym_op_lower_slice (self, x, shape->rank - 1, n, k, 1), &to));
}

/* ---- InvertPermutation ---- */

static gboolean
infer_inverse (SymRule *rule, GError **error)
{
  gint64 places[MAX_VALUES], turned[MAX_VALUES];
  int n = sym_rule_get_input_ints (rule, 0, places, MAX_VALUES);
  SymShape shape = sym_rule_get_input (rule, 0);

  if (shape.rank >= 0 && shape.rank != 1)
    return sym_rule_fail (error, "an order has 1 axis, not %d", shape.rank);
  if (!sym_op_pass (rule, 0, 0, error))
    return FALSE;
  if (n < 0 || n > MAX_VALUES)
    return TRUE;
  for (int i = 0; i < n; i++)
    turned[i] = -1;
  for (int i = 0; i < n; i++)
    {
      if (places[i] < 0 || places[i] >= n)
        return sym_rule_fail (error, "%" G_GINT64_FORMAT " is no place among %d", places[i], n);
      if (turned[places[i]] >= 0)
        return sym_rule_fail (error, "%" G_GINT64_FORMAT " is there twice", places[i]);
      turned[places[i]] = i;
    }
  sym_rule_set_output_ints (rule, 0, turned, n);
  return TRUE;
}

/* Where the least, the next, ... lies. */
static void
lower_inverse (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId first;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (shape->rank != 1 || shape->dims[0] < 0)
    {
      sym_op_lower_refuse (self, "InvertPermutation: how many there are is not known");
      return;
    }
  first = sym_op_lower_call (
      self, "TopK",
      SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, &shape->dims[0], 1)),
      "largest", sym_value_new_int (0), NULL);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_cast (self, sym_op_lower_get_result (self, first, 1),
                                              sym_op_lower_get_input_dtype (self, 0)));
}

/* ---- ReverseSequence ---- */

static gboolean
infer_reverse (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), lengths = sym_rule_get_input (rule, 1);
  int time, batch;

  if (!sym_op_pass (rule, 0, 0, error))
    return FALSE;
  if (shape.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "seq_dim", 0), shape.rank, &time, error) ||
      !sym_op_normalize_axis (sym_rule_get_int (rule, "batch_dim", 0), shape.rank, &batch, error))
    return FALSE;
  if (time == batch)
    return sym_rule_fail (error, "seq_dim and batch_dim are both %d", time);
  return lengths.rank != 1 ||
         sym_rule_unify (rule, shape.dims[batch], lengths.dims[0], "rows and their lengths", error);
}

/* ONNX wants both axes in front. */
static void
lower_reverse (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, time, batch, n = 2;
  gint64 there[SYM_MAX_RANK], back[SYM_MAX_RANK];
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "seq_dim", 0), rank, &time) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "batch_dim", 0), rank, &batch))
    return;
  if (time == batch)
    {
      sym_op_lower_fail (self, "ReverseSequence: seq_dim and batch_dim are both %d", time);
      return;
    }
  there[0] = time;
  there[1] = batch;
  for (int i = 0; i < rank; i++)
    if (i != time && i != batch)
      there[n++] = i;
  for (int i = 0; i < rank; i++)
    back[there[i]] = i;
  x = sym_op_lower_permute (self, sym_op_lower_input (self, 0), there, rank);
  x = sym_op_lower_binary (self, "ReverseSequence", x, sym_op_tf_int64 (self, 1));
  sym_op_lower_set_output (self, 0, sym_op_lower_permute (self, x, back, rank));
}

/* ---- DynamicPartition ---- */

static int
get_n_parts (const SymAttributes *attributes, int *n_visible)
{
  gint64 n = sym_attributes_get_int (attributes, "num_partitions", 0);

  return *n_visible = n > 0 && n <= MAX_PARTS ? (int) n : 0;
}

static gboolean
infer_partition (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), places = sym_rule_get_input (rule, 1);
  SymShape to = SYM_SHAPE_UNKNOWN;

  if (data.rank >= 0 && places.rank >= 0)
    {
      if (places.rank > data.rank)
        return sym_rule_fail (error, "partitions have %d axes, and the data only %d", places.rank,
                              data.rank);
      if (data.rank - places.rank >= SYM_MAX_RANK)
        return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
      to = SYM_SHAPE (SYM_DIM_UNKNOWN);
      for (int i = places.rank; i < data.rank; i++)
        to.dims[to.rank++] = data.dims[i];
    }
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_set_output (rule, i, to, sym_rule_get_input_dtype (rule, 0), error))
      return FALSE;
  return TRUE;
}

/* [n, row...] of operand @i, whose first @n_axes axes become one. */
static SymId
flatten (SymOpLower *self, guint i, int n_axes)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  SymShape rows = SYM_SHAPE (-1);

  for (int k = n_axes; k < shape->rank; k++)
    rows.dims[rows.rank++] = shape->dims[k];
  return sym_op_lower_binary (self, "Reshape", sym_op_lower_input (self, i),
                              sym_op_lower_ints (self, rows.dims, rows.rank));
}

/* Whether a reshape can tell the rows of operand @i. */
static gboolean
has_rows (SymOpLower *self, guint i, int n_axes)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);

  if (!sym_op_lower_need_tensor (self, i))
    return FALSE;
  if (n_axes > shape->rank || shape->rank - n_axes >= SYM_MAX_RANK)
    sym_op_lower_fail (self, "%s: the numbers have more axes than the data",
                       sym_op_lower_get_type (self));
  for (int k = n_axes; k < shape->rank; k++)
    if (shape->dims[k] < 0)
      sym_op_lower_refuse (self, "%s: the sizes are not known", sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

static void
lower_partition (SymOpLower *self)
{
  int n_axes = sym_op_lower_get_input_shape (self, 1)->rank;
  SymId rows, places;

  if (!sym_op_lower_need_tensor (self, 1) || !has_rows (self, 0, n_axes))
    return;
  rows = flatten (self, 0, n_axes);
  places = flatten (self, 1, n_axes);
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    {
      SymId number = sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 1), i);
      SymId mask = sym_op_lower_binary (self, "Equal", places, number);

      sym_op_lower_set_output (self, i,
                               sym_op_lower_call (self, "Compress", SYM_IDS (rows, mask), "axis",
                                                  sym_value_new_int (0), NULL));
    }
}

/* ---- DynamicStitch ---- */

/* Places come first, in as many operands as the rows that follow; one more than the largest place
 * is the number of rows, -1 where they are not known. */
static gint64
count_stitched (SymRule *rule, guint n)
{
  gint64 places[MAX_VALUES], most = -1;

  for (guint i = 0; i < n; i++)
    {
      int n_places = sym_rule_get_input_ints (rule, i, places, MAX_VALUES);

      if (n_places < 0 || n_places > MAX_VALUES)
        return SYM_DIM_UNKNOWN;
      for (int k = 0; k < n_places; k++)
        most = MAX (most, MIN (places[k], G_MAXINT32));
    }
  return most + 1;
}

static gboolean
infer_stitch (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule) / 2;
  SymShape to = SYM_SHAPE_UNKNOWN;

  if (n == 0 || sym_rule_get_n_inputs (rule) % 2 != 0)
    return sym_rule_fail (error, "there must be as many lists of places as of rows");
  for (guint i = 0; i < n && to.rank < 0; i++)
    {
      SymShape places = sym_rule_get_input (rule, i), data = sym_rule_get_input (rule, n + i);

      if (places.rank < 0 || data.rank < 0)
        continue;
      if (places.rank > data.rank || data.rank - places.rank >= SYM_MAX_RANK)
        return sym_rule_fail (error, "places of %d axes do not fit to data of %d", places.rank,
                              data.rank);
      to = SYM_SHAPE (count_stitched (rule, n));
      for (int k = places.rank; k < data.rank; k++)
        to.dims[to.rank++] = data.dims[k];
    }
  return sym_op_set_output (rule, 0, to, sym_rule_get_input_dtype (rule, n), error);
}

/* Zeros for all rows: one more than the largest place. */
static SymId
make_rows (SymOpLower *self, SymId places, const SymShape *row, SymDType dtype)
{
  gint64 axis = 0;
  SymId n = sym_op_lower_reduce (self, "ReduceMax", places, &axis, 1, FALSE);

  n = sym_op_lower_binary (self, "Add", n, sym_op_lower_number (self, SYM_DTYPE_INT64, 1));
  if (row->rank > 0)
    n = sym_op_lower_call (self, "Concat",
                           SYM_IDS (n, sym_op_lower_ints (self, row->dims, row->rank)), "axis",
                           sym_value_new_int (0), NULL);
  return sym_op_lower_binary (self, "Expand", sym_op_lower_number (self, dtype, 0), n);
}

static SymId
join (SymOpLower *self, const SymId *parts, guint n)
{
  return sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis", sym_value_new_int (0),
                            NULL);
}

/* What comes later replaces what is there. */
static void
lower_stitch (SymOpLower *self)
{
  static const gint64 column[2] = { -1, 1 };
  guint n = sym_op_lower_get_n_inputs (self) / 2;
  g_autofree SymId *places = g_new (SymId, n + 1), *rows = g_new (SymId, n + 1);
  SymShape row = { .rank = 0 };
  SymId all, x;

  for (guint i = 0; i < n; i++)
    {
      int n_axes = sym_op_lower_get_input_shape (self, i)->rank;
      const SymShape *shape = sym_op_lower_get_input_shape (self, n + i);

      if (!sym_op_lower_need_tensor (self, i) || !has_rows (self, n + i, n_axes))
        return;
      row.rank = 0;
      for (int k = n_axes; k < shape->rank; k++)
        row.dims[row.rank++] = shape->dims[k];
      places[i] = sym_op_lower_cast (self, flatten (self, i, n_axes), SYM_DTYPE_INT64);
      places[i] =
          sym_op_lower_binary (self, "Reshape", places[i], sym_op_lower_ints (self, column, 2));
      rows[i] = flatten (self, n + i, n_axes);
    }
  all = join (self, places, n);
  x = make_rows (self, all, &row, sym_op_lower_get_input_dtype (self, n));
  sym_op_lower_set_output (
      self, 0, sym_op_lower_call (self, "ScatterND", SYM_IDS (x, all, join (self, rows, n)), NULL));
}

/* ---- Tables ---- */

static const SymAttributeSpec nth_attributes[] = {
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether the largest comes first" },
  { NULL },
};
static const SymAttributeSpec partition_attributes[] = {
  { "num_partitions", SYM_ATTRIBUTE_INT, NULL, "number of parts" },
  { NULL },
};
static const SymAttributeSpec stitch_attributes[] = {
  { "N", SYM_ATTRIBUTE_INT, "1", "number of lists of places" },
  { NULL },
};

static const SymAttributeSpec reverse_attributes[] = {
  { "seq_dim", SYM_ATTRIBUTE_INT, "0", "the axis of the steps" },
  { "batch_dim", SYM_ATTRIBUTE_INT, "0", "the axis of the rows" },
  { NULL },
};

static const SymSlotSpec reverse_slots[] = { { "input" }, { "seq_lengths" }, { NULL } };
static const SymSlotSpec nth_slots[] = { { "input" }, { "n" }, { NULL } };
static const SymSlotSpec partition_slots[] = { { "data" }, { "partitions" }, { NULL } };

const SymOperator sym_op_tf_order[] = {
  { SYM_OP_TF ("DynamicPartition"), .summary = "rows dealt out by the number of their part",
    .category = SYM_CATEGORY_SHAPE, .attributes = partition_attributes, .slots = partition_slots,
    .get_n_outputs = get_n_parts, .infer = infer_partition, .lower = lower_partition },
  { SYM_OP_TF ("DynamicStitch"), .aliases = "ParallelDynamicStitch",
    .summary = "rows put together by their places", .category = SYM_CATEGORY_MERGE,
    .attributes = stitch_attributes, .slots = sym_op_tf_many,
    .get_n_operands = sym_op_tf_any_number, .infer = infer_stitch, .lower = lower_stitch },
  { SYM_OP_TF ("InvertPermutation"), .summary = "where each place went",
    .category = SYM_CATEGORY_SHAPE, .slots = sym_op_tf_one, .infer = infer_inverse,
    .lower = lower_inverse },
  { SYM_OP_TF ("NthElement"), .summary = "what is n-th along the sorted last axis",
    .category = SYM_CATEGORY_OTHER, .attributes = nth_attributes, .slots = nth_slots,
    .infer = infer_nth, .lower = lower_nth },
  { SYM_OP_TF ("ReverseSequence"), .summary = "the first steps of each row backwards",
    .category = SYM_CATEGORY_SHAPE, .attributes = reverse_attributes, .slots = reverse_slots,
    .infer = infer_reverse, .lower = lower_reverse },
  { NULL },
};
