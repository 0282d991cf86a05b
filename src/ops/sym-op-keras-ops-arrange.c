/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <string.h>

/* Elements at other places, and parts of the data. */

static SymId
get_data (SymOpLower *self)
{
  return sym_op_lower_need_tensor (self, 0) ? sym_op_lower_input (self, 0) : SYM_NO_ID;
}

static SymId
flatten (SymOpLower *self, SymId x)
{
  gint64 all = -1;

  return sym_op_foreign_reshape (self, x, &all, 1, FALSE);
}

static gint64
count_elements (SymOpLower *self)
{
  gint64 n = 1;

  for (int i = 0; i < sym_op_foreign_rank (self, 0); i++)
    n = sym_op_foreign_multiply (self, n, sym_op_foreign_size (self, 0, i));
  return n;
}

static SymId
turn (SymOpLower *self, SymId x, int axis)
{
  return sym_op_lower_slice (self, x, axis, -1, G_MININT64, -1);
}

static SymId
swap (SymOpLower *self, SymId x, int first, int second, int rank)
{
  gint64 axes[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    axes[i] = i == first ? second : i == second ? first : i;
  return sym_op_lower_permute (self, x, axes, rank);
}

/* ---- Round ---- */

/* Without an axis the data goes round as one line. */
static void
lower_roll (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n, n_shifts;
  gint64 axes[SYM_MAX_RANK], shifts[SYM_MAX_RANK];
  SymId x = get_data (self);

  n_shifts = sym_op_foreign_list (self, "shift", shifts);
  if (!sym_op_keras_ops_get_axes (self, "axis", "axis", rank, axes, &n))
    return;
  if (n_shifts < 1 || (n >= 0 && n != n_shifts && n != 1 && n_shifts != 1))
    {
      sym_op_lower_fail (self, "Roll: shift and axis do not fit");
      return;
    }
  for (int i = 0; n >= 0 && i < MAX (n, n_shifts); i++)
    {
      int axis = (int) axes[n == 1 ? 0 : i];

      x = sym_op_lower_roll (self, x, axis, sym_op_foreign_size (self, 0, axis),
                             shifts[n_shifts == 1 ? 0 : i]);
    }
  if (n < 0)
    {
      x = flatten (self, x);
      for (int i = 0; i < n_shifts; i++)
        x = sym_op_lower_roll (self, x, 0, count_elements (self), shifts[i]);
      x = sym_op_lower_reshape (self, x, sym_op_lower_get_input_shape (self, 0));
    }
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Identity", x));
}

/* A quarter at a time, from the first axis to the second. */
static void
lower_quarters (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), first, second;
  gint64 axes[SYM_MAX_RANK], k = sym_op_lower_get_int (self, "k", 1) % 4;
  int n = sym_op_foreign_list (self, "axes", axes);
  SymId x = get_data (self);

  if (n < 0)
    {
      n = 2;
      axes[0] = 0;
      axes[1] = 1;
    }
  if (n != 2 || !sym_op_lower_find_axis (self, axes[0], rank, &first) ||
      !sym_op_lower_find_axis (self, axes[1], rank, &second) || first == second)
    {
      sym_op_lower_fail (self, "Rot90: there must be two axes");
      return;
    }
  k = (k + 4) % 4;
  if (k == 3)
    x = swap (self, x, first, second, rank);
  if (k != 0)
    x = turn (self, x, second);
  if (k == 2)
    x = turn (self, x, first);
  if (k == 1)
    x = swap (self, x, first, second, rank);
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Identity", x));
}

static void
lower_mirror (SymOpLower *self)
{
  int axis = strcmp (sym_op_keras_ops_get_name (self), "Fliplr") == 0 ? 1 : 0;

  if (sym_op_lower_find_axis (self, axis, sym_op_foreign_rank (self, 0), &axis))
    sym_op_lower_set_output (self, 0, turn (self, get_data (self), axis));
}

/* ---- Diagonals ---- */

static void
lower_triangle (SymOpLower *self)
{
  gboolean is_upper = strcmp (sym_op_keras_ops_get_name (self), "Triu") == 0;
  double k = (double) sym_op_lower_get_int (self, "k", 0);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Trilu",
                         SYM_IDS (get_data (self), sym_op_lower_number (self, SYM_DTYPE_INT64, k)),
                         "upper", sym_value_new_int (is_upper), NULL));
}

/* How far the diagonal is above that from the first element. */
static gint64
get_offset (SymOpLower *self, const char *name)
{
  return CLAMP (sym_op_lower_get_int (self, name, 0), -G_MAXINT32, G_MAXINT32);
}

static SymId
add_number (SymOpLower *self, const char *name, SymId x, gint64 number)
{
  return sym_op_lower_binary (self, name, x,
                              sym_op_lower_number (self, SYM_DTYPE_INT64, (double) number));
}

/* The diagonal of two axes as the last axis.  In one line its elements are a row and one apart. */
static SymId
take_diagonal (SymOpLower *self, int first, int second, gint64 offset)
{
  int rank = sym_op_foreign_rank (self, 0), n = 0;
  gint64 rows = sym_op_foreign_size (self, 0, first);
  gint64 columns = sym_op_foreign_size (self, 0, second);
  gint64 count = offset < 0 ? MIN (rows + offset, columns) : MIN (rows, columns - offset);
  gint64 axes[SYM_MAX_RANK], sizes[SYM_MAX_RANK] = { 0 };
  SymId x, places;

  for (int i = 0; i < rank; i++)
    if (i != first && i != second)
      axes[n++] = i;
  axes[n] = first;
  axes[n + 1] = second;
  sizes[n] = sym_op_foreign_multiply (self, rows, columns);
  x = sym_op_foreign_reshape (self, sym_op_lower_permute (self, get_data (self), axes, rank), sizes,
                              n + 1, TRUE);
  places = add_number (self, "Mul", sym_op_lower_count (self, MAX (count, 0)), columns + 1);
  places = add_number (self, "Add", places, offset < 0 ? -offset * columns : offset);
  return sym_op_lower_call (self, "Gather", SYM_IDS (x, places), "axis", sym_value_new_int (n),
                            NULL);
}

static gboolean
read_two_axes (SymOpLower *self, int *first, int *second)
{
  int rank = sym_op_foreign_rank (self, 0);

  *first = sym_op_foreign_axis (self, "axis1", 0, rank);
  *second = sym_op_foreign_axis (self, "axis2", 1, rank);
  if (*first == *second)
    sym_op_lower_fail (self, "%s: there must be two axes", sym_op_keras_ops_get_name (self));
  return !sym_op_lower_has_failed (self);
}

static void
lower_diagonal (SymOpLower *self)
{
  int first, second;

  if (read_two_axes (self, &first, &second))
    sym_op_lower_set_output (self, 0,
                             take_diagonal (self, first, second, get_offset (self, "offset")));
}

/* Small integers are summed as 32 bits. */
static SymDType
get_trace_dtype (SymDType dtype)
{
  if (dtype == SYM_DTYPE_UINT8 || dtype == SYM_DTYPE_UINT16)
    return SYM_DTYPE_UINT32;
  if (dtype == SYM_DTYPE_BOOL || dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_INT16)
    return SYM_DTYPE_INT32;
  return dtype;
}

static void
lower_trace (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  int first, second;
  gint64 last = -1;
  SymId x;

  if (!read_two_axes (self, &first, &second))
    return;
  x = take_diagonal (self, first, second, get_offset (self, "offset"));
  x = sym_op_lower_cast_from (self, x, dtype, get_trace_dtype (dtype));
  sym_op_lower_set_output (self, 0, sym_op_lower_reduce (self, "ReduceSum", x, &last, 1, FALSE));
}

/* A matrix of zeros with @n elements on a diagonal: as a column they are at their rows, and below
 * the first diagonal, as a row, at their columns. */
static SymId
make_diagonal (SymOpLower *self, SymId x, gint64 n, gint64 offset)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gint64 size = n + ABS (offset), pads[2] = { 0, ABS (offset) }, column[2] = { -1, 1 };
  gint64 row[2] = { 1, -1 };
  SymId range = sym_op_lower_count (self, size), is_on;

  sym_op_foreign_multiply (self, size, size);
  x = sym_op_lower_call (
      self, "Pad",
      SYM_IDS (x, sym_op_lower_ints (self, pads, 2), sym_op_lower_number (self, dtype, 0)), NULL);
  x = sym_op_foreign_reshape (self, x, offset < 0 ? row : column, 2, FALSE);
  is_on = add_number (self, "Add", sym_op_foreign_reshape (self, range, column, 2, FALSE), offset);
  is_on = sym_op_lower_binary (self, "Equal", is_on,
                               sym_op_foreign_reshape (self, range, row, 2, FALSE));
  return sym_op_lower_call (self, "Where", SYM_IDS (is_on, x, sym_op_lower_number (self, dtype, 0)),
                            NULL);
}

static void
lower_diag (SymOpLower *self)
{
  gboolean is_flat = strcmp (sym_op_keras_ops_get_name (self), "Diagflat") == 0;
  int rank = sym_op_foreign_rank (self, 0);
  gint64 offset = get_offset (self, "k");

  if (!is_flat && rank != 1 && rank != 2)
    sym_op_lower_fail (self, "Diag: the data has %d axes, not 1 or 2", rank);
  if (sym_op_lower_has_failed (self))
    return;
  sym_op_lower_set_output (
      self, 0,
      !is_flat && rank == 2
          ? take_diagonal (self, 0, 1, offset)
          : make_diagonal (self, flatten (self, get_data (self)), count_elements (self), offset));
}

/* ---- Several ---- */

/* Operand @i with as many axes as there must at least be, and the axis that goes on. */
static SymId
get_part (SymOpLower *self, guint i, SymDType dtype, gint64 *axis)
{
  const char *name = sym_op_keras_ops_get_name (self);
  int rank = sym_op_foreign_rank (self, i);
  gint64 before = 0, after = -1;
  SymId x = sym_op_keras_ops_input (self, i, dtype);

  *axis = *name == 'V' ? 0 : *name == 'D' ? 2 : 1;
  if (rank == 0)
    x = flatten (self, x);
  rank = MAX (rank, 1);
  if (rank == 1 && *name == 'H')
    *axis = 0;
  else if (rank == 1)
    x = sym_op_foreign_unsqueeze (self, x, *name == 'C' ? &after : &before, 1);
  return *name == 'D' && rank < 3 ? sym_op_foreign_unsqueeze (self, x, &after, 1) : x;
}

static void
lower_stack (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);
  gint64 axis = 0;
  SymDType dtype;

  if (n == 0)
    {
      sym_op_lower_fail (self, "%s: there is nothing to join", sym_op_keras_ops_get_name (self));
      return;
    }
  dtype = sym_op_keras_ops_promote (self, 0, n - 1);
  for (guint i = 0; i < n; i++)
    parts[i] = get_part (self, i, dtype, &axis);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (axis), NULL));
}

static void
lower_append (SymOpLower *self)
{
  SymDType dtype = sym_op_keras_ops_promote (self, 0, 1);
  gint64 axes[SYM_MAX_RANK];
  SymId parts[2];
  int n;

  if (!sym_op_keras_ops_get_axes (self, "axis", "axis", sym_op_foreign_rank (self, 0), axes, &n))
    return;
  for (guint i = 0; i < 2; i++)
    {
      parts[i] = sym_op_keras_ops_input (self, i, dtype);
      if (n < 1)
        parts[i] = flatten (self, parts[i]);
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, 2 }, "axis",
                                              sym_value_new_int (n < 1 ? 0 : axes[0]), NULL));
}

static int
get_split_axis (SymOpLower *self)
{
  const char *name = sym_op_keras_ops_get_name (self);
  int rank = sym_op_foreign_rank (self, 0);
  int axis = *name == 'V' ? 0 : *name == 'D' ? 2 : rank == 1 ? 0 : 1;

  if (*name == 'A')
    return sym_op_foreign_axis (self, "axis", 0, rank);
  sym_op_lower_find_axis (self, axis, rank, &axis);
  return axis;
}

/* A number of parts, the first of which may be longer by one, or where the others begin. */
static void
lower_parts (SymOpLower *self)
{
  const char *name = sym_op_keras_ops_get_name (self);
  int axis = get_split_axis (self);
  gint64 size = sym_op_foreign_size (self, 0, axis), start = 0, stop, starts[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "indices_or_sections", starts);
  const SymValue *value = sym_attributes_find (
      sym_layer_get_attributes (sym_op_lower_get_layer (self)), "indices_or_sections");
  gboolean is_number = value != NULL && sym_value_get_int (value, &stop);

  if (n < 0 || (is_number && (starts[0] < 1 || (*name != 'A' && size % starts[0] != 0))))
    {
      sym_op_lower_fail (self, "%s: %" G_GINT64_FORMAT " elements are not parted so", name, size);
      return;
    }
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++, start = stop)
    {
      if (is_number)
        stop = start + size / starts[0] + (i < size % starts[0]);
      else
        stop = (int) i < n ? starts[i] : G_MAXINT64;
      sym_op_lower_set_output (self, i,
                               sym_op_lower_slice (self, get_data (self), axis, start, stop, 1));
    }
}

/* ---- Places ---- */

/* One list of places for each axis. */
static void
lower_nonzero (SymOpLower *self)
{
  SymId places = sym_op_lower_unary (self, "NonZero", get_data (self));

  places = sym_op_lower_cast_from (self, places, SYM_DTYPE_INT64, SYM_DTYPE_INT32);
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (
        self, i,
        sym_op_lower_call (
            self, "Gather",
            SYM_IDS (places, sym_op_lower_number (self, SYM_DTYPE_INT64, (double) i)), "axis",
            sym_value_new_int (0), NULL));
}

/* ---- Tables ---- */

static const SymAttributeSpec no_attributes[] = { { NULL } };

static const SymAttributeSpec roll_attributes[] = {
  { "shift", SYM_ATTRIBUTE_INTS, NULL, "how many places" },
  { "axis", SYM_ATTRIBUTE_INTS, "None", "the axis; all elements in their order" },
  { NULL },
};

static const SymAttributeSpec quarter_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "1", "how many quarters" },
  { "axes", SYM_ATTRIBUTE_INTS, "(0, 1)", "from which axis to which" },
  { NULL },
};

static const SymAttributeSpec k_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "0", "how far above the first element the diagonal begins" },
  { NULL },
};

static const SymAttributeSpec diagonal_attributes[] = {
  { "offset", SYM_ATTRIBUTE_INT, "0", "how far above the first element the diagonal begins" },
  { "axis1", SYM_ATTRIBUTE_INT, "0", "the axis of rows" },
  { "axis2", SYM_ATTRIBUTE_INT, "1", "the axis of columns" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis; all elements in their order" },
  { NULL },
};

static const SymAttributeSpec part_attributes[] = {
  { "indices_or_sections", SYM_ATTRIBUTE_ANY, NULL, "how many parts, or where they begin" },
  { NULL },
};

static const SymAttributeSpec array_attributes[] = {
  { "indices_or_sections", SYM_ATTRIBUTE_ANY, NULL, "how many parts, or where they begin" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

#define ARRANGE(name_, summary_, category_, slots_, attributes_, infer_, lower_)               \
  {                                                                                            \
    SYM_OP_KERAS_OPS (name_, summary_, category_), .slots = slots_, .attributes = attributes_, \
                                                   .infer = infer_, .lower = lower_,           \
  }
#define ONE(name_, summary_, attributes_, lower_) \
  ARRANGE (name_, summary_, SHAPE, sym_op_keras_ops_one, attributes_, sym_op_infer_lowered, lower_)
#define SAME(name_, summary_, attributes_, lower_)                                                 \
  ARRANGE (name_, summary_, SHAPE, sym_op_keras_ops_one, attributes_, sym_op_keras_ops_infer_same, \
           lower_)
#define STACK(name_, summary_)                                                            \
  {                                                                                       \
    SYM_OP_KERAS_OPS (name_, summary_, MERGE),                                            \
        .slots = sym_op_foreign_many, .get_n_operands = sym_op_foreign_any,               \
        .attributes = no_attributes, .infer = sym_op_infer_lowered, .lower = lower_stack, \
  }
#define PARTS(name_, summary_, attributes_, lower_)                                            \
  {                                                                                            \
    SYM_OP_KERAS_OPS (name_, summary_, SHAPE),                                                 \
        .slots = sym_op_keras_ops_one, .attributes = attributes_,                              \
        .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered, .lower = lower_, \
  }

const SymOperator sym_op_keras_ops_arrange[] = {
  ARRANGE ("Append",
           "One behind the other",
           MERGE,
           sym_op_keras_ops_two,
           axis_attributes,
           sym_op_infer_lowered,
           lower_append),
  PARTS ("ArraySplit", "Parts along an axis, nearly equal", array_attributes, lower_parts),
  STACK ("ColumnStack", "Operands as columns"),
  ONE ("Diag", "A diagonal, or a matrix with that diagonal", k_attributes, lower_diag),
  ONE ("Diagflat", "A matrix with the data as diagonal", k_attributes, lower_diag),
  ONE ("Diagonal", "A diagonal of two axes", diagonal_attributes, lower_diagonal),
  PARTS ("Dsplit", "Parts along the third axis", part_attributes, lower_parts),
  STACK ("Dstack", "Operands along the third axis"),
  SAME ("Fliplr", "Columns from the last to the first", no_attributes, lower_mirror),
  SAME ("Flipud", "Rows from the last to the first", no_attributes, lower_mirror),
  PARTS ("Hsplit", "Parts along the second axis", part_attributes, lower_parts),
  STACK ("Hstack", "Operands along the second axis"),
  PARTS ("Nonzero", "Where the elements are that are not 0", no_attributes, lower_nonzero),
  SAME ("Roll", "The data moved on, what leaves at the end first", roll_attributes, lower_roll),
  ONE ("Rot90", "The data turned by quarters", quarter_attributes, lower_quarters),
  ONE ("Trace", "The sum of a diagonal", diagonal_attributes, lower_trace),
  SAME ("Tril", "What is not above a diagonal", k_attributes, lower_triangle),
  SAME ("Triu", "What is not below a diagonal", k_attributes, lower_triangle),
  PARTS ("Vsplit", "Parts along the first axis", part_attributes, lower_parts),
  STACK ("Vstack", "Operands along the first axis"),
  { NULL },
};
