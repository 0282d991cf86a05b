/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-tf.h"

/* Rows that belong together, by a number that tells where each belongs: SegmentSum and the like,
 * whose numbers are sorted and say how many there are, and UnsortedSegmentSum, which is told it and
 * whose numbers below 0 belong nowhere. */

enum { DATA, IDS, COUNT };

/* A segment that no row belongs to keeps what it starts with; where it is the largest of nothing
 * and the segments are sorted, 0. */
typedef struct {
  const char *name, *reduction;
  enum { ZERO, ONE, LEAST, MOST } start;
  gboolean is_mean;
} Kind;

static const Kind kinds[] = {
  { "Sum", "add", ZERO, FALSE },  { "Mean", "add", ZERO, TRUE }, { "Prod", "mul", ONE, FALSE },
  { "Max", "max", LEAST, FALSE }, { "Min", "min", MOST, FALSE },
};

static gboolean
is_told (const char *type)
{
  return g_str_has_prefix (type, "Unsorted");
}

/* ---- Shapes ---- */

static gboolean
infer_segments (SymRule *rule, GError **error)
{
  gboolean told = is_told (sym_rule_get_type (rule)), known = FALSE;
  SymShape data = sym_rule_get_input (rule, DATA), ids = sym_rule_get_input (rule, IDS), to;
  gint64 count = -1;

  if (!sym_op_pass_dtype (rule, DATA, 0, error) ||
      (told && !sym_op_tf_get_scalar (rule, COUNT, &count, &known, error)))
    return FALSE;
  if (known && count < 0)
    return sym_rule_fail (error, "%" G_GINT64_FORMAT " segments make no sense", count);
  if (data.rank < 0 || ids.rank < 0)
    return TRUE;
  if (ids.rank > data.rank || (!told && ids.rank != 1))
    return sym_rule_fail (error, "segments of %d axes do not fit to data of %d", ids.rank,
                          data.rank);
  for (int i = 0; i < ids.rank; i++)
    if (!sym_rule_unify (rule, data.dims[i], ids.dims[i], "rows and their segments", error))
      return FALSE;
  to = SYM_SHAPE (known ? count : SYM_DIM_UNKNOWN);
  for (int i = ids.rank; i < data.rank; i++)
    {
      if (to.rank == SYM_MAX_RANK)
        return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
      to.dims[to.rank++] = data.dims[i];
    }
  return sym_rule_set_output (rule, 0, &to, error);
}

/* ---- Lowering ---- */

static double
get_start (const Kind *kind, SymDType dtype)
{
  gboolean is_float = sym_dtype_is_floating (dtype);

  switch (kind->start)
    {
    case LEAST:
      return is_float ? -(double) G_MAXFLOAT : G_MININT32;
    case MOST:
      return is_float ? (double) G_MAXFLOAT : G_MAXINT32;
    case ONE:
      return 1;
    case ZERO:
    default:
      return 0;
    }
}

/* How many rows there will be, [1] in int64, and one more for what belongs nowhere. */
static SymId
count_rows (SymOpLower *self, SymId ids, gboolean told)
{
  SymShape one = SYM_SHAPE (1);
  gint64 axis = 0;
  SymId last;

  if (told)
    return sym_op_lower_binary (self, "Add",
                                sym_op_lower_reshape (self, sym_op_tf_int64 (self, COUNT), &one),
                                sym_op_lower_number (self, SYM_DTYPE_INT64, 1));
  last = sym_op_lower_reduce (self, "ReduceMax", ids, &axis, 1, TRUE);
  return sym_op_lower_binary (self, "Add", last, sym_op_lower_number (self, SYM_DTYPE_INT64, 2));
}

/* @updates put together at @ids, in @n rows that start with @start; the last row is dropped. */
static SymId
scatter (SymOpLower *self,
         SymId n,
         SymId ids,
         SymId updates,
         const SymShape *row,
         SymId start,
         const char *reduction)
{
  SymShape column = SYM_SHAPE (-1, 1);
  SymId sizes = n, x;

  ids = sym_op_lower_binary (self, "Reshape", ids,
                             sym_op_lower_ints (self, column.dims, column.rank));
  if (row->rank > 0)
    sizes = sym_op_lower_call (self, "Concat",
                               SYM_IDS (n, sym_op_lower_ints (self, row->dims, row->rank)), "axis",
                               sym_value_new_int (0), NULL);
  x = sym_op_lower_binary (self, "Expand", start, sizes);
  x = sym_op_lower_call (self, "ScatterND", SYM_IDS (x, ids, updates), "reduction",
                         sym_value_new_string (reduction), NULL);
  return sym_op_lower_slice (self, x, 0, 0, -1, 1);
}

/* How many rows each segment has, with as many axes as the result. */
static SymId
count_members (SymOpLower *self, SymId n, SymId ids, gint64 n_rows, int rank, SymDType dtype)
{
  SymShape rows = SYM_SHAPE (n_rows), none = SYM_SHAPE (), column = { .rank = rank };
  SymId ones = sym_op_lower_fill (self, dtype, &rows, 1);
  SymId x = scatter (self, n, ids, ones, &none, sym_op_lower_number (self, dtype, 0), "add");

  for (int i = 0; i < rank; i++)
    column.dims[i] = i == 0 ? -1 : 1;
  return sym_op_lower_binary (self, "Reshape", x, sym_op_lower_ints (self, column.dims, rank));
}

/* The segment of each row, -1 and with it the last of all rows for none. */
static SymId
make_ids (SymOpLower *self, gint64 n_rows, gboolean told)
{
  SymShape rows = SYM_SHAPE (n_rows);
  SymId ids = sym_op_lower_reshape (self, sym_op_tf_int64 (self, IDS), &rows);

  return told ? sym_op_lower_binary (self, "Max", ids,
                                     sym_op_lower_number (self, SYM_DTYPE_INT64, -1))
              : ids;
}

/* The rows of operand DATA as [n, row...]; FALSE when a size is not known. */
static gboolean
flatten (SymOpLower *self, SymShape *row, gint64 *n)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, DATA);
  const SymShape *ids = sym_op_lower_get_input_shape (self, IDS);
  guint64 n_rows;

  *row = (SymShape){ .rank = 0 };
  if (!sym_op_lower_need_tensor (self, DATA) || !sym_op_lower_need_tensor (self, IDS))
    return FALSE;
  if (!sym_shape_is_known (data) || !sym_shape_is_known (ids) || ids->rank > data->rank ||
      !sym_shape_get_n_elements (ids, &n_rows))
    {
      sym_op_lower_refuse (self, "%s: the sizes are not known", sym_op_lower_get_type (self));
      return FALSE;
    }
  for (int i = ids->rank; i < data->rank; i++)
    row->dims[row->rank++] = data->dims[i];
  *n = (gint64) n_rows;
  return TRUE;
}

static const Kind *
find_kind (SymOpLower *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_suffix (sym_op_lower_get_type (self), kinds[i].name))
      return &kinds[i];
  g_return_val_if_reached (&kinds[0]);
}

static void
lower_segments (SymOpLower *self)
{
  const Kind *kind = find_kind (self);
  gboolean told = is_told (sym_op_lower_get_type (self));
  SymDType dtype = sym_op_lower_get_input_dtype (self, DATA);
  SymId start, zero = sym_op_lower_number (self, dtype, 0), flat, ids, n, x, members;
  SymShape row, all;
  gint64 n_rows;

  if (!flatten (self, &row, &n_rows))
    return;
  all = sym_op_insert_axis (&row, 0, n_rows);
  flat = sym_op_lower_reshape (self, sym_op_lower_input (self, DATA), &all);
  ids = make_ids (self, n_rows, told);
  n = count_rows (self, ids, told);
  start = sym_op_lower_number (self, dtype, get_start (kind, dtype));
  x = scatter (self, n, ids, flat, &row, start, kind->reduction);
  if (kind->is_mean || (!told && kind->start >= LEAST))
    {
      members = count_members (self, n, ids, n_rows, row.rank + 1, dtype);
      if (kind->is_mean)
        x = sym_op_lower_binary (
            self, "Div", x,
            sym_op_lower_binary (self, "Max", members, sym_op_lower_number (self, dtype, 1)));
      else
        x = sym_op_lower_call (
            self, "Where", SYM_IDS (sym_op_lower_binary (self, "Greater", members, zero), x, zero),
            NULL);
    }
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Table ---- */

static const SymSlotSpec told_slots[] = {
  { "data" },
  { "segment_ids" },
  { "num_segments" },
  { NULL },
};
static const SymSlotSpec sorted_slots[] = { { "data" }, { "segment_ids" }, { NULL } };

#define SEGMENTS(name_, slots_, summary_)                                                    \
  {                                                                                          \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_OTHER, .slots = slots_, \
                       .infer = infer_segments, .lower = lower_segments                      \
  }

const SymOperator sym_op_tf_segment[] = {
  SEGMENTS ("SegmentMax", sorted_slots, "largest numbers of rows that belong together"),
  SEGMENTS ("SegmentMean", sorted_slots, "means of rows that belong together"),
  SEGMENTS ("SegmentMin", sorted_slots, "least numbers of rows that belong together"),
  SEGMENTS ("SegmentProd", sorted_slots, "products of rows that belong together"),
  SEGMENTS ("SegmentSum", sorted_slots, "sums of rows that belong together"),
  SEGMENTS ("UnsortedSegmentMax", told_slots, "largest numbers of rows that belong together"),
  SEGMENTS ("UnsortedSegmentMin", told_slots, "least numbers of rows that belong together"),
  SEGMENTS ("UnsortedSegmentProd", told_slots, "products of rows that belong together"),
  SEGMENTS ("UnsortedSegmentSum", told_slots, "sums of rows that belong together"),
  { NULL },
};
