/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-mxnet-numpy.h"

/* Layers of several tensors: joins and sums of products. */

static const char *
get_name (SymOpLower *self)
{
  return sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
}

static gboolean
need_pair (SymOpLower *self)
{
  return sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1);
}

/* ---- Joins ---- */

static void
join (SymOpLower *self, SymId *parts, guint n, gint64 axis)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (axis), NULL));
}

void
sym_op_mxnet_lower_concatenate (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymValue *axis = sym_attributes_find (attributes, "dim");
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);
  gboolean flat;

  if (axis == NULL)
    axis = sym_attributes_find (attributes, "axis");
  flat = axis != NULL && sym_value_get_kind (axis) == SYM_VALUE_NONE;
  for (guint i = 0; i < n; i++)
    {
      if (!sym_op_lower_need_tensor (self, i))
        return;
      parts[i] = sym_op_lower_input (self, i);
      if (flat)
        parts[i] = sym_op_lower_call (
            self, "Reshape",
            SYM_IDS (parts[i], sym_op_lower_ints (self, (const gint64[]){ -1 }, 1)), NULL);
    }
  join (self, parts, n,
        flat ? 0 : sym_op_lower_get_int (self, "dim", sym_op_lower_get_int (self, "axis", 0)));
}

/* What numpy does with tensors of few axes before it lays them together. */
static SymShape
adapt (const SymShape *shape, const char *name)
{
  SymShape out = *shape;

  if (strcmp (name, "_npi_column_stack") == 0)
    return shape->rank == 0   ? SYM_SHAPE (1, 1)
           : shape->rank == 1 ? SYM_SHAPE (shape->dims[0], 1)
                              : out;
  if (strcmp (name, "_npi_hstack") == 0)
    return shape->rank == 0 ? SYM_SHAPE (1) : out;
  if (strcmp (name, "_npi_vstack") == 0)
    return shape->rank == 0   ? SYM_SHAPE (1, 1)
           : shape->rank == 1 ? SYM_SHAPE (1, shape->dims[0])
                              : out;
  return shape->rank == 0   ? SYM_SHAPE (1, 1, 1)
         : shape->rank == 1 ? SYM_SHAPE (1, shape->dims[0], 1)
         : shape->rank == 2 ? SYM_SHAPE (shape->dims[0], shape->dims[1], 1)
                            : out;
}

void
sym_op_mxnet_lower_stacks (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);
  const char *name = get_name (self);
  gint64 axis = strcmp (name, "_npi_vstack") == 0 ? 0 : strcmp (name, "_npi_dstack") == 0 ? 2 : 1;

  for (guint i = 0; i < n; i++)
    {
      SymShape shape = adapt (sym_op_lower_get_input_shape (self, i), name);

      if (!sym_op_lower_need_tensor (self, i))
        return;
      parts[i] = sym_op_lower_reshape (self, sym_op_lower_input (self, i), &shape);
      if (strcmp (name, "_npi_hstack") == 0 && shape.rank == 1)
        axis = 0;
    }
  join (self, parts, n, axis);
}

/* ---- Sums of products ---- */

/* Operand @i as a matrix: its axes but the @n in @summed, then these, or the other way round. */
static SymId
make_matrix (SymOpLower *self, guint i, const int *summed, int n, gboolean summed_first)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  gint64 axes[SYM_MAX_RANK], rows = 1, inner = 1;
  gboolean is_summed[SYM_MAX_RANK] = { FALSE };
  int at = summed_first ? n : 0;
  SymId x;

  for (int k = 0; k < n; k++)
    {
      is_summed[summed[k]] = TRUE;
      axes[summed_first ? k : shape->rank - n + k] = summed[k];
      inner *= shape->dims[summed[k]];
    }
  for (int k = 0; k < shape->rank; k++)
    if (!is_summed[k])
      {
        axes[at++] = k;
        rows *= shape->dims[k];
      }
  x = sym_op_lower_permute (self, sym_op_lower_input (self, i), axes, shape->rank);
  return sym_op_lower_reshape (self, x,
                               summed_first ? &SYM_SHAPE (inner, rows) : &SYM_SHAPE (rows, inner));
}

static void
sum_products (SymOpLower *self, const int *a, const int *b, int n)
{
  const SymShape *left = sym_op_lower_get_input_shape (self, 0);
  const SymShape *right = sym_op_lower_get_input_shape (self, 1);

  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (left->dims[a[i]] != right->dims[b[i]] || (k < i && (a[i] == a[k] || b[i] == b[k])))
        {
          sym_op_lower_fail (self, "%s: the axes that are summed do not fit",
                             sym_op_lower_get_type (self));
          return;
        }
  sym_op_lower_finish (self,
                       sym_op_lower_binary (self, "MatMul", make_matrix (self, 0, a, n, FALSE),
                                            make_matrix (self, 1, b, n, TRUE)));
}

/* Numbers multiply; else the last axis of the first is summed with the last but one of the second,
 * or its only one. */
void
sym_op_mxnet_lower_dot (SymOpLower *self)
{
  const SymShape *a = sym_op_lower_get_input_shape (self, 0);
  const SymShape *b = sym_op_lower_get_input_shape (self, 1);
  int left = a->rank - 1, right = MAX (b->rank - 2, 0);

  if (!need_pair (self))
    return;
  if (a->rank == 0 || b->rank == 0)
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Mul", sym_op_lower_input (self, 0),
                                                  sym_op_lower_input (self, 1)));
  else
    sum_products (self, &left, &right, 1);
}

void
sym_op_mxnet_lower_tensordot (SymOpLower *self)
{
  const SymShape *a = sym_op_lower_get_input_shape (self, 0);
  const SymShape *b = sym_op_lower_get_input_shape (self, 1);
  gint64 left[SYM_MAX_RANK], right[SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (self, "a_axes_summed", left, SYM_MAX_RANK);
  int m = sym_op_lower_get_ints (self, "b_axes_summed", right, SYM_MAX_RANK);
  int a_axes[SYM_MAX_RANK], b_axes[SYM_MAX_RANK];

  if (!need_pair (self))
    return;
  if (strcmp (get_name (self), "_npi_tensordot_int_axes") == 0)
    {
      m = n = (int) CLAMP (sym_op_lower_get_int (self, "axes", 0), -1, SYM_MAX_RANK + 1);
      for (int i = 0; i < n && n <= MIN (a->rank, b->rank); i++)
        {
          left[i] = a->rank - n + i;
          right[i] = i;
        }
    }
  if (n < 0 || n != m || n > MIN (a->rank, b->rank))
    {
      sym_op_lower_fail (self, "tensordot: %d axes of the first and %d of the second are summed",
                         MAX (n, 0), MAX (m, 0));
      return;
    }
  for (int i = 0; i < n; i++)
    if (!sym_op_lower_find_axis (self, left[i], a->rank, &a_axes[i]) ||
        !sym_op_lower_find_axis (self, right[i], b->rank, &b_axes[i]))
      return;
  sum_products (self, a_axes, b_axes, n);
}

/* Each axis of the first before that of the second. */
void
sym_op_mxnet_lower_kron (SymOpLower *self)
{
  const SymShape *shapes[2] = { sym_op_lower_get_input_shape (self, 0),
                                sym_op_lower_get_input_shape (self, 1) };
  int rank = MAX (shapes[0]->rank, shapes[1]->rank);
  SymId parts[2];

  if (!need_pair (self))
    return;
  if (2 * rank > SYM_MAX_RANK)
    {
      sym_op_lower_refuse (self, "kron: more than %d axes are not lowered", SYM_MAX_RANK / 2);
      return;
    }
  for (int i = 0; i < 2; i++)
    {
      SymShape wide = { .rank = 2 * rank };

      for (int k = 0; k < rank; k++)
        {
          int own = k - (rank - shapes[i]->rank);

          wide.dims[2 * k + i] = own >= 0 ? shapes[i]->dims[own] : 1;
          wide.dims[2 * k + 1 - i] = 1;
        }
      parts[i] = sym_op_lower_reshape (self, sym_op_lower_input (self, (guint) i), &wide);
    }
  sym_op_lower_finish (self, sym_op_lower_binary (self, "Mul", parts[0], parts[1]));
}

void
sym_op_mxnet_lower_einsum (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    {
      if (!sym_op_lower_need_tensor (self, i))
        return;
      parts[i] = sym_op_lower_input (self, i);
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Einsum", (SymIds){ parts, n }, "equation",
                         sym_value_new_string (sym_op_lower_get_string (self, "subscripts", "")),
                         NULL));
}

/* ---- Cross products ---- */

/* Operand @i with its vectors last. */
static SymId
take_vectors (SymOpLower *self, guint i, const char *attribute, gint64 *size)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  gint64 axes[SYM_MAX_RANK];
  int axis, at = 0;

  *size = 0;
  if (!sym_op_lower_find_axis (self, sym_op_lower_get_int (self, attribute, -1), shape->rank,
                               &axis))
    return SYM_NO_ID;
  for (int k = 0; k < shape->rank; k++)
    if (k != axis)
      axes[at++] = k;
  axes[at] = axis;
  *size = shape->dims[axis];
  return sym_op_lower_permute (self, sym_op_lower_input (self, i), axes, shape->rank);
}

/* Component @i; a vector of two has a third that is 0. */
static SymId
take (SymOpLower *self, SymId vectors, int rank, gint64 size, gint64 i)
{
  if (i < size)
    return sym_op_lower_slice (self, vectors, rank - 1, i, i + 1, 1);
  return sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), 0);
}

typedef struct {
  SymId a, b;
  int a_rank, b_rank;
  gint64 a_size, b_size;
} Cross;

/* a_i b_j - a_j b_i */
static SymId
cross (SymOpLower *self, const Cross *of, gint64 i, gint64 j)
{
  SymId first = sym_op_lower_binary (self, "Mul", take (self, of->a, of->a_rank, of->a_size, i),
                                     take (self, of->b, of->b_rank, of->b_size, j));
  SymId second = sym_op_lower_binary (self, "Mul", take (self, of->a, of->a_rank, of->a_size, j),
                                      take (self, of->b, of->b_rank, of->b_size, i));

  return sym_op_lower_binary (self, "Sub", first, second);
}

void
sym_op_mxnet_lower_cross (SymOpLower *self)
{
  Cross of = { .a_rank = sym_op_lower_get_input_shape (self, 0)->rank,
               .b_rank = sym_op_lower_get_input_shape (self, 1)->rank };
  SymId parts[3], wide, x;
  gint64 axes[SYM_MAX_RANK];
  SymShape out;
  int axis, at = 0;

  if (!need_pair (self) || !sym_op_mxnet_lower_get_shape (self, 0, &out))
    return;
  of.a = take_vectors (self, 0, "axisa", &of.a_size);
  of.b = take_vectors (self, 1, "axisb", &of.b_size);
  if (of.a_size < 2 || of.a_size > 3 || of.b_size < 2 || of.b_size > 3)
    {
      sym_op_lower_fail (self, "cross: vectors have 2 or 3 elements");
      return;
    }
  parts[2] = cross (self, &of, 0, 1);
  if (of.a_size == 2 && of.b_size == 2)
    {
      sym_op_lower_set_output (self, 0, sym_op_lower_reshape (self, parts[2], &out));
      return;
    }
  parts[0] = cross (self, &of, 1, 2);
  parts[1] = cross (self, &of, 2, 0);
  /* Components may depend on one operand alone, and are all as wide as both then. */
  wide = sym_op_lower_binary (
      self, "Mul", parts[2], sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), 0));
  for (int i = 0; i < 2; i++)
    parts[i] = sym_op_lower_binary (self, "Add", parts[i], wide);
  x = sym_op_lower_call (self, "Concat", (SymIds){ parts, 3 }, "axis", sym_value_new_int (-1),
                         NULL);
  if (!sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axisc", -1), out.rank, &axis))
    return;
  for (int k = 0; k < out.rank; k++)
    axes[k] = k == axis ? out.rank - 1 : at++;
  sym_op_lower_set_output (self, 0, sym_op_lower_permute (self, x, axes, out.rank));
}
