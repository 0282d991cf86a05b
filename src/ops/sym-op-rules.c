/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-rules.h"

#include <string.h>

/* Replaces what went wrong by a message that says which operand it is. */
static gboolean
fail_operand (SymRule *rule, const char *what, guint i, const SymShape *expected, GError **error)
{
  SymShape got = sym_rule_get_input (rule, i);
  g_autofree char *left = sym_rule_format_shape (rule, expected);
  g_autofree char *right = sym_rule_format_shape (rule, &got);

  return sym_rule_fail (error, "%s at %u-th input: expected %s, got %s", what, i, left, right);
}

gboolean
sym_op_infer_elementwise (SymRule *rule, GError **error)
{
  SymShape common = SYM_SHAPE_UNKNOWN;
  guint n = sym_rule_get_n_inputs (rule);

  for (guint i = 0; i < n && common.rank < 0; i++)
    common = sym_rule_get_input (rule, i);
  for (guint i = 0; i < n; i++)
    {
      if (!sym_rule_set_input (rule, i, &common, NULL))
        return fail_operand (rule, "Incompatible attr", i, &common, error);
      common = sym_terms_resolve_shape (sym_rule_get_terms (rule), &common);
    }
  return sym_rule_tie_shapes (rule, 0, G_MAXUINT - 1, error) &&
         sym_rule_tie_dtypes (rule, 0, G_MAXUINT - 1, error);
}

gboolean
sym_op_infer_broadcast (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error) &&
         sym_rule_tie_dtypes (rule, 0, G_MAXUINT - 1, error);
}

gboolean
sym_op_pass_shape (SymRule *rule, guint input, guint output, GError **error)
{
  SymShape in = sym_rule_get_input (rule, input), out;

  if (!sym_rule_set_output (rule, output, &in, error))
    return FALSE;
  out = sym_rule_get_output (rule, output);
  return sym_rule_set_input (rule, input, &out, error);
}

gboolean
sym_op_pass_dtype (SymRule *rule, guint input, guint output, GError **error)
{
  return sym_rule_set_output_dtype (rule, output, sym_rule_get_input_dtype (rule, input), error) &&
         sym_rule_set_input_dtype (rule, input, sym_rule_get_output_dtype (rule, output), error);
}

gboolean
sym_op_pass (SymRule *rule, guint input, guint output, GError **error)
{
  return sym_op_pass_shape (rule, input, output, error) &&
         sym_op_pass_dtype (rule, input, output, error);
}

void
sym_op_pass_values (SymRule *rule, guint input, guint output)
{
  SymDim values[64];
  int n = sym_rule_get_input_values (rule, input, values, G_N_ELEMENTS (values));

  if (n >= 0 && n <= (int) G_N_ELEMENTS (values))
    sym_rule_set_output_values (rule, output, values, n);
}

int
sym_op_get_sizes (SymRule *rule, guint input, SymDim sizes[SYM_MAX_RANK])
{
  int n = sym_rule_get_input_values (rule, input, sizes, SYM_MAX_RANK);
  SymShape list = sym_rule_get_input (rule, input);

  if (n >= 0)
    return n <= SYM_MAX_RANK ? n : -1;
  if (list.rank != 1 || list.dims[0] < 0 || list.dims[0] > SYM_MAX_RANK)
    return -1;
  for (int i = 0; i < list.dims[0]; i++)
    sizes[i] = SYM_DIM_UNKNOWN;
  return (int) list.dims[0];
}

gboolean
sym_op_set_output (SymRule *rule, guint i, SymShape shape, SymDType dtype, GError **error)
{
  return sym_rule_set_output (rule, i, &shape, error) &&
         sym_rule_set_output_dtype (rule, i, dtype, error);
}

gboolean
sym_op_set_input (SymRule *rule, guint i, SymShape shape, GError **error)
{
  return sym_rule_set_input (rule, i, &shape, error);
}

/* ---- Broadcasting ---- */

/* The dimension of @shape below the @i-th of @rank, counted so that last axes meet. */
static SymDim
get_aligned (const SymShape *shape, int rank, int i)
{
  int own = i - (rank - shape->rank);

  return own < 0 ? 1 : shape->dims[own];
}

static gboolean
fail_broadcast (SymRule *rule, guint first, guint last, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = first; i <= last; i++)
    {
      SymShape shape = sym_rule_get_input (rule, i);
      g_autofree char *formatted = sym_rule_format_shape (rule, &shape);

      g_string_append_printf (text, "%s%s", i > first ? " " : "", formatted);
    }
  return sym_rule_fail (error, "operands could not be broadcast together with shapes %s",
                        text->str);
}

/* One axis of the result, SYM_DIM_UNKNOWN where it hangs on what is not known; FALSE when no size
 * fits all operands. */
gboolean
sym_op_broadcast_dims (const SymDim *dims, int n, SymDim *result)
{
  SymDim term = 1, number = 1;
  gboolean several_terms = FALSE;

  for (int i = 0; i < n; i++)
    {
      if (dims[i] == 1)
        continue;
      if (dims[i] < 0)
        {
          several_terms = several_terms || (term != 1 && term != dims[i]);
          term = dims[i];
        }
      else if (number != 1 && number != dims[i])
        {
          return FALSE;
        }
      else
        {
          number = dims[i];
        }
    }
  if (number != 1)
    *result = number;
  else
    *result = several_terms ? SYM_DIM_UNKNOWN : term;
  return TRUE;
}

/* Where all other operands have 1 along axis @i, an operand has what the output has. */
static gboolean
broadcast_back (SymRule *rule, guint first, guint last, int rank, GError **error)
{
  SymShape out = sym_rule_get_output (rule, 0);

  for (guint k = first; k <= last; k++)
    {
      SymShape own = sym_rule_get_input (rule, k);

      for (int i = rank - own.rank; i < rank && out.rank == rank; i++)
        {
          gboolean alone = TRUE;

          for (guint j = first; j <= last; j++)
            {
              SymShape other = sym_rule_get_input (rule, j);

              alone = alone && (j == k || get_aligned (&other, rank, i) == 1);
            }
          if ((alone || out.dims[i] == 1) &&
              !sym_rule_unify (rule, own.dims[i - (rank - own.rank)], out.dims[i],
                               "dimension to broadcast", error))
            return FALSE;
        }
    }
  return TRUE;
}

gboolean
sym_op_broadcast_shapes (SymRule *rule, guint first, guint last, GError **error)
{
  int n = last + 1 > first ? (int) (last + 1 - first) : 0, rank = 0;
  g_autofree SymShape *shapes = g_new (SymShape, n);
  g_autofree SymDim *dims = g_new (SymDim, n);
  SymShape result;

  if (n == 0)
    return TRUE;
  for (int k = 0; k < n; k++)
    {
      shapes[k] = sym_rule_get_input (rule, first + (guint) k);
      if (shapes[k].rank < 0)
        return TRUE;
      rank = MAX (rank, shapes[k].rank);
    }
  result = sym_shape_new_unknown (rank);
  for (int i = 0; i < rank; i++)
    {
      for (int k = 0; k < n; k++)
        dims[k] = get_aligned (&shapes[k], rank, i);
      if (!sym_op_broadcast_dims (dims, n, &result.dims[i]))
        return fail_broadcast (rule, first, last, error);
    }
  return sym_rule_set_output (rule, 0, &result, error) &&
         broadcast_back (rule, first, last, rank, error);
}

gboolean
sym_op_broadcast_batch (const SymShape *a, const SymShape *b, SymShape *result)
{
  int n_a = MAX (a->rank - 2, 0), n_b = MAX (b->rank - 2, 0);
  int n = MAX (n_a, n_b);

  result->rank = n;
  for (int i = 0; i < n; i++)
    {
      SymDim left = i < n - n_a ? 1 : a->dims[i - (n - n_a)];
      SymDim right = i < n - n_b ? 1 : b->dims[i - (n - n_b)];

      if (left == 1 || left == right)
        result->dims[i] = right;
      else if (right == 1)
        result->dims[i] = left;
      else if (left >= 0 && right >= 0)
        return FALSE;
      else
        result->dims[i] = MAX (left, right) >= 0 ? MAX (left, right) : SYM_DIM_UNKNOWN;
    }
  return TRUE;
}

/* ---- Axes ---- */

gboolean
sym_op_normalize_axis (gint64 axis, int rank, int *normal, GError **error)
{
  if (axis < -rank || axis >= rank)
    return sym_rule_fail (error,
                          "axis %" G_GINT64_FORMAT " is out of range for rank %d: it should lie "
                          "between %d and %d",
                          axis, rank, -rank, rank - 1);
  *normal = (int) (axis < 0 ? axis + rank : axis);
  return TRUE;
}

gboolean
sym_op_get_axes (SymRule *rule,
                 const char *name,
                 int rank,
                 gboolean axes[SYM_MAX_RANK],
                 int *n,
                 GError **error)
{
  gint64 values[SYM_MAX_RANK];
  int count = sym_rule_get_ints (rule, name, values, SYM_MAX_RANK);

  memset (axes, 0, sizeof (gboolean) * SYM_MAX_RANK);
  if (count > SYM_MAX_RANK)
    return sym_rule_fail (error, "%s has %d axes for rank %d", name, count, rank);
  for (int i = 0; i < count; i++)
    {
      int axis;

      if (!sym_op_normalize_axis (values[i], rank, &axis, error))
        return FALSE;
      axes[axis] = TRUE;
    }
  *n = count;
  return TRUE;
}

SymShape
sym_op_reduce_shape (const SymShape *shape, const gboolean *axes, gboolean keep)
{
  SymShape reduced = { .rank = 0 };

  for (int i = 0; i < shape->rank; i++)
    {
      if (!axes[i])
        reduced.dims[reduced.rank++] = shape->dims[i];
      else if (keep)
        reduced.dims[reduced.rank++] = 1;
    }
  return reduced;
}

gboolean
sym_op_reduce (SymRule *rule, const gboolean *axes, gboolean keep, GError **error)
{
  SymShape in = sym_rule_get_input (rule, 0);
  SymShape out;

  if (in.rank < 0)
    return TRUE;
  out = sym_op_reduce_shape (&in, axes, keep);
  return sym_rule_set_output (rule, 0, &out, error);
}

SymShape
sym_op_remove_axis (const SymShape *shape, int axis)
{
  SymShape result = { .rank = 0 };

  for (int i = 0; i < shape->rank; i++)
    if (i != axis)
      result.dims[result.rank++] = shape->dims[i];
  return result;
}

SymShape
sym_op_insert_axis (const SymShape *shape, int axis, SymDim dim)
{
  SymShape result = { .rank = 0 };

  g_assert (shape->rank < SYM_MAX_RANK);
  for (int i = 0; i <= shape->rank; i++)
    {
      if (i == axis)
        result.dims[result.rank++] = dim;
      if (i < shape->rank)
        result.dims[result.rank++] = shape->dims[i];
    }
  return result;
}

/* ---- Concatenation ---- */

static int
find_rank (SymRule *rule, guint first)
{
  for (guint i = first; i < sym_rule_get_n_inputs (rule); i++)
    {
      int rank = sym_rule_get_input (rule, i).rank;

      if (rank >= 0)
        return rank;
    }
  return sym_rule_get_output (rule, 0).rank;
}

/* Unifies operands with what is common to all, and learns from them what else is. */
static gboolean
meet_operands (SymRule *rule, guint first, int axis, SymShape *common, GError **error)
{
  for (guint i = first; i < sym_rule_get_n_inputs (rule); i++)
    {
      if (!sym_rule_set_input (rule, i, common, NULL))
        return fail_operand (rule, "Incompatible input shape", i, common, error);
      if (!sym_rule_has_input (rule, i))
        continue;
      *common = sym_rule_get_input (rule, i);
      common->dims[axis] = SYM_DIM_UNKNOWN;
    }
  return TRUE;
}

/* Operands and output have one rank, and every dimension in common but that of @axis.  What meets
 * once is tied from then on; again it meets only what the output knew besides. */
static gboolean
tie_other_axes (SymRule *rule, guint first, int rank, int axis, GError **error)
{
  SymShape common = sym_shape_new_unknown (rank), before;

  if (!meet_operands (rule, first, axis, &common, error) ||
      !sym_rule_set_output (rule, 0, &common, error))
    return FALSE;
  before = common;
  common = sym_rule_get_output (rule, 0);
  common.dims[axis] = SYM_DIM_UNKNOWN;
  return sym_shape_equal (&before, &common) || meet_operands (rule, first, axis, &common, error);
}

/* Numbers are added up before what is none, so that not each of a hundred sums is a term. */
static SymDim
add_sizes (SymRule *rule, guint first, int rank, int axis)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim sum = 0;
  gint64 numbers = 0;

  for (guint i = first; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape shape = sym_rule_get_input (rule, i);
      SymDim size = shape.rank == rank ? shape.dims[axis] : SYM_DIM_UNKNOWN;

      if (size < 0 || size > G_MAXINT64 - numbers)
        sum = sym_terms_add (terms, sum, size);
      else
        numbers += size;
    }
  return sym_terms_add (terms, sum, numbers);
}

gboolean
sym_op_concatenate (SymRule *rule, guint first, gint64 axis, GError **error)
{
  int rank = find_rank (rule, first), normal;

  if (rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (axis, rank, &normal, error) ||
      !tie_other_axes (rule, first, rank, normal, error))
    return FALSE;
  return sym_rule_unify (rule, sym_rule_get_output (rule, 0).dims[normal],
                         add_sizes (rule, first, rank, normal),
                         "size along the axis of concatenation", error);
}

/* ---- Attributes ---- */

gboolean
sym_op_get_ints (SymRule *rule,
                 const char *name,
                 int n,
                 gint64 fallback,
                 gint64 *values,
                 GError **error)
{
  int count = sym_rule_get_ints (rule, name, values, n);

  if (count <= 0)
    for (int i = 0; i < n; i++)
      values[i] = fallback;
  if (count <= 0 || count == n)
    return TRUE;
  return sym_rule_fail (error, "%s has %d sizes where %d are needed", name, count, n);
}

gint64
sym_op_get_int (const SymAttributes *attributes, const char *name, gint64 fallback)
{
  return sym_attributes_get_int (attributes, name, fallback);
}

gboolean
sym_op_get_bool (const SymAttributes *attributes, const char *name, gboolean fallback)
{
  const SymValue *value = sym_attributes_find (attributes, name);
  gboolean truth;

  return value != NULL && sym_value_get_bool (value, &truth) ? truth : fallback;
}

gboolean
sym_op_has_string (const SymAttributes *attributes, const char *name, const char *value)
{
  const SymValue *found = sym_attributes_find (attributes, name);

  return found != NULL && g_strcmp0 (sym_value_get_string (found), value) == 0;
}
