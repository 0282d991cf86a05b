/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-tf.h"

/* Diagonals of matrices: made into one, taken out, and put in.  Those of version 2 and 3 are told
 * which one, k: above the main diagonal, or below it when k is negative; a band of several is not
 * lowered. */

/* Where k and what follows it are among the operands; 0 for version 1, which has none. */
static guint
get_first_option (const char *type)
{
  if (!g_str_has_suffix (type, "V2") && !g_str_has_suffix (type, "V3"))
    return 0;
  return g_str_has_prefix (type, "MatrixSetDiag") ? 2 : 1;
}

/* FALSE in *@known for what is not known, or a band. */
static gboolean
get_place (SymRule *rule, gint64 *k, gboolean *known, GError **error)
{
  guint at = get_first_option (sym_rule_get_type (rule));
  gint64 ends[2] = { 0, 0 };
  int n = at == 0 ? 1 : sym_rule_get_input_ints (rule, at, ends, 2);

  if (n > 2 || n == 0)
    return sym_rule_fail (error, "k must be one or two numbers, not %d", n);
  *k = ends[0];
  *known = n == 1 || (n == 2 && ends[0] == ends[1]);
  if (*known && (*k > G_MAXINT32 || *k < -G_MAXINT32))
    return sym_rule_fail (error, "k %" G_GINT64_FORMAT " is out of range", *k);
  return TRUE;
}

static gboolean
read_place (SymOpLower *self, gint64 *k)
{
  guint at = get_first_option (sym_op_lower_get_type (self));
  gint64 ends[2] = { 0, 0 };
  int n = at == 0 ? 1 : sym_op_lower_read_ints (self, at, ends, 2);

  if (n == 2 && ends[0] != ends[1])
    sym_op_lower_refuse (self, "%s: several diagonals are not lowered",
                         sym_op_lower_get_type (self));
  else if (n < 1 || ends[0] > G_MAXINT32 || ends[0] < -G_MAXINT32)
    sym_op_lower_fail (self, "%s: k is out of range", sym_op_lower_get_type (self));
  *k = ends[0];
  return !sym_op_lower_has_failed (self);
}

/* How long diagonal @k is, 0 for one that there is none of. */
static gint64
get_length (gint64 rows, gint64 columns, gint64 k)
{
  return MAX (MIN (rows + MIN (k, 0), columns - MAX (k, 0)), 0);
}

/* ---- MatrixDiag ---- */

/* The size that operand @i tells; -1 where it is left open, -2 where it is not known. */
static gint64
get_size (SymRule *rule, guint i)
{
  gint64 size = -1;

  if (!sym_rule_has_input (rule, i))
    return -1;
  return sym_rule_get_input_ints (rule, i, &size, 1) == 1 ? MAX (size, -1) : -2;
}

/* Rows and columns of a matrix for a diagonal of @n: as small as can be where one is open, a square
 * where both are. */
static void
fit_matrix (gint64 n, gint64 k, gint64 *rows, gint64 *columns)
{
  gboolean is_square = *rows == -1 && *columns == -1;

  if (*rows == -1)
    *rows = n + (is_square ? ABS (k) : MAX (-k, 0));
  if (*columns == -1)
    *columns = n + (is_square ? ABS (k) : MAX (k, 0));
}

static gboolean
infer_make (SymRule *rule, GError **error)
{
  gboolean has_options = get_first_option (sym_rule_get_type (rule)) != 0, known;
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 rows = -1, columns = -1, k;
  SymDim n;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_place (rule, &k, &known, error))
    return FALSE;
  if (shape.rank < 0 || !known)
    return TRUE;
  if (shape.rank < 1 || shape.rank >= SYM_MAX_RANK)
    return sym_rule_fail (error, "a diagonal has 1 to %d axes, not %d", SYM_MAX_RANK - 1,
                          shape.rank);
  n = shape.dims[shape.rank - 1];
  if (has_options)
    {
      rows = get_size (rule, 2);
      columns = get_size (rule, 3);
    }
  if (n >= 0)
    fit_matrix (n, k, &rows, &columns);
  if (n >= 0 && rows >= 0 && columns >= 0 && get_length (rows, columns, k) != n)
    return sym_rule_fail (error, "a diagonal of %" G_GINT64_FORMAT " does not fit into a matrix",
                          n);
  shape.dims[shape.rank - 1] = rows >= 0 ? rows : !has_options ? n : SYM_DIM_UNKNOWN;
  shape = sym_op_insert_axis (&shape, shape.rank,
                              columns >= 0   ? columns
                              : !has_options ? n
                                             : SYM_DIM_UNKNOWN);
  return sym_rule_set_output (rule, 0, &shape, error);
}

/* True on diagonal @k of [rows, columns]. */
static SymId
make_mask (SymOpLower *self, gint64 rows, gint64 columns, gint64 k)
{
  SymShape column = SYM_SHAPE (rows, 1);
  SymId places = sym_op_lower_reshape (self, sym_op_lower_count (self, rows), &column);

  places = sym_op_lower_binary (self, "Add", places,
                                sym_op_lower_number (self, SYM_DTYPE_INT64, (double) k));
  return sym_op_lower_binary (self, "Equal", places, sym_op_lower_count (self, columns));
}

/* Operand @i, of @shape, so that it broadcasts to the matrices whose diagonal it is: for each row
 * or column of the matrix one number, those behind the diagonal being 0. */
static SymId
spread (SymOpLower *self, guint i, SymShape shape, gint64 rows, gint64 columns, gint64 k)
{
  int last = shape.rank - 1;
  gint64 missing = (k >= 0 ? rows : columns) - shape.dims[last];
  gint64 pads[2 * SYM_MAX_RANK] = { 0 };
  SymId x = sym_op_lower_input (self, i);

  if (missing > 0)
    {
      pads[2 * last + 1] = missing;
      x = sym_op_lower_binary (self, "Pad", x, sym_op_lower_ints (self, pads, 2 * shape.rank));
      shape.dims[last] += missing;
    }
  shape = sym_op_insert_axis (&shape, k >= 0 ? last + 1 : last, 1);
  return sym_op_lower_reshape (self, x, &shape);
}

/* What the rule needs has to be read before. */
static gboolean
read_sizes (SymOpLower *self)
{
  gint64 size;

  for (guint i = 2; i < 4; i++)
    if (sym_op_lower_has_input (self, i) && sym_op_lower_read_ints (self, i, &size, 1) != 1)
      return FALSE;
  return TRUE;
}

static void
lower_make (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymShape to;
  SymId x, around;
  gint64 k;

  if (!sym_op_lower_need_tensor (self, 0) || !read_place (self, &k) || !read_sizes (self) ||
      !sym_op_tf_need_shape (self, 0, &to))
    return;
  around = sym_op_lower_has_input (self, 4) ? sym_op_lower_input (self, 4)
                                            : sym_op_lower_number (self, dtype, 0);
  x = spread (self, 0, *shape, to.dims[to.rank - 2], to.dims[to.rank - 1], k);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Where",
          SYM_IDS (make_mask (self, to.dims[to.rank - 2], to.dims[to.rank - 1], k), x, around),
          NULL));
}

/* ---- MatrixDiagPart ---- */

static gboolean
infer_part (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean known;
  gint64 k, rows, columns;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_place (rule, &k, &known, error))
    return FALSE;
  if (shape.rank < 0 || !known)
    return TRUE;
  if (shape.rank < 2)
    return sym_rule_fail (error, "a matrix has at least 2 axes, not %d", shape.rank);
  rows = shape.dims[shape.rank - 2];
  columns = shape.dims[shape.rank - 1];
  shape.rank--;
  shape.dims[shape.rank - 1] =
      rows >= 0 && columns >= 0 ? get_length (rows, columns, k) : SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &shape, error);
}

/* Of the matrix in one row, numbers of the diagonal lie as far apart as a row is long, and one. */
static void
lower_part (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymShape to, flat = *shape;
  gint64 k, columns, first;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !read_place (self, &k) ||
      !sym_op_tf_need_shape (self, 0, &to))
    return;
  columns = shape->dims[shape->rank - 1];
  first = k >= 0 ? k : -k * columns;
  flat.rank--;
  flat.dims[flat.rank - 1] = shape->dims[shape->rank - 2] * columns;
  x = sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &flat);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_slice (self, x, flat.rank - 1, first,
                                               first + to.dims[to.rank - 1] * (columns + 1),
                                               columns + 1));
}

/* ---- MatrixSetDiag ---- */

static gboolean
infer_set (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), diagonal = sym_rule_get_input (rule, 1);
  gboolean known;
  gint64 k;

  if (!sym_op_pass (rule, 0, 0, error) || !get_place (rule, &k, &known, error))
    return FALSE;
  if (shape.rank < 0 || diagonal.rank < 0 || !known)
    return TRUE;
  if (shape.rank < 2 || diagonal.rank != shape.rank - 1)
    return sym_rule_fail (error, "a diagonal of %d axes does not fit to %d axes", diagonal.rank,
                          shape.rank);
  for (int i = 0; i < shape.rank - 2; i++)
    if (!sym_rule_unify (rule, shape.dims[i], diagonal.dims[i], "matrices and diagonals", error))
      return FALSE;
  if (shape.dims[shape.rank - 2] < 0 || shape.dims[shape.rank - 1] < 0)
    return TRUE;
  return sym_rule_unify (rule, diagonal.dims[diagonal.rank - 1],
                         get_length (shape.dims[shape.rank - 2], shape.dims[shape.rank - 1], k),
                         "length of the diagonal", error);
}

static void
lower_set (SymOpLower *self)
{
  const SymShape *diagonal = sym_op_lower_get_input_shape (self, 1);
  SymShape to;
  gint64 k, rows, columns;

  if (!sym_op_lower_need_tensor (self, 1) || !read_place (self, &k) ||
      !sym_op_tf_need_shape (self, 0, &to) || diagonal->rank < 1)
    return;
  rows = to.dims[to.rank - 2];
  columns = to.dims[to.rank - 1];
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Where",
                         SYM_IDS (make_mask (self, rows, columns, k),
                                  spread (self, 1, *diagonal, rows, columns, k),
                                  sym_op_lower_input (self, 0)),
                         NULL));
}

/* ---- Table ---- */

static const SymAttributeSpec attributes[] = {
  { "align", SYM_ATTRIBUTE_STRING, "RIGHT_LEFT", "where shorter diagonals of a band lie",
    "LEFT_RIGHT RIGHT_LEFT LEFT_LEFT RIGHT_RIGHT" },
  { NULL },
};

static const SymSlotSpec make_slots[] = {
  { "diagonal" },
  { "k", .optional = TRUE },
  { "num_rows", .optional = TRUE },
  { "num_cols", .optional = TRUE },
  { "padding_value", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec part_slots[] = {
  { "input" },
  { "k", .optional = TRUE },
  { "padding_value", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec set_slots[] = {
  { "input" },
  { "diagonal" },
  { "k", .optional = TRUE },
  { NULL },
};

#define DIAGONAL(name_, versions_, attributes_, slots_, infer_, lower_, summary_)                 \
  {                                                                                               \
    SYM_OP_TF (name_), .aliases = versions_, .summary = summary_, .category = SYM_CATEGORY_SHAPE, \
                       .attributes = attributes_, .slots = slots_, .infer = infer_,               \
                       .lower = lower_                                                            \
  }

const SymOperator sym_op_tf_diagonal[] = {
  DIAGONAL ("MatrixDiag",
            "MatrixDiagV2 MatrixDiagV3",
            attributes,
            make_slots,
            infer_make,
            lower_make,
            "matrices with this diagonal"),
  DIAGONAL ("MatrixDiagPart",
            "MatrixDiagPartV2 MatrixDiagPartV3",
            attributes,
            part_slots,
            infer_part,
            lower_part,
            "the diagonal of matrices"),
  DIAGONAL ("MatrixSetDiag",
            "MatrixSetDiagV2 MatrixSetDiagV3",
            attributes,
            set_slots,
            infer_set,
            lower_set,
            "matrices with another diagonal"),
  { NULL },
};
