/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <string.h>

/* Sums of products, said by letters: each axis has one, those of equal letter go together. */

typedef struct {
  SymOpLower *lower;
  SymDType dtype;
  int ranks[2];
  char letters[2][SYM_MAX_RANK + 1];
} Product;

static SymId
get_operand (const Product *self, guint i)
{
  return sym_op_keras_ops_input (self->lower, i, self->dtype);
}

static gboolean
begin (Product *self, SymOpLower *lower)
{
  char letter = 'a';

  memset (self, 0, sizeof *self);
  self->lower = lower;
  self->dtype = sym_op_keras_ops_promote (lower, 0, 1);
  for (guint i = 0; i < 2; i++)
    {
      self->ranks[i] = sym_op_foreign_rank (lower, i);
      for (int k = 0; k < self->ranks[i]; k++)
        self->letters[i][k] = letter++;
    }
  if (self->dtype == SYM_DTYPE_BOOL)
    sym_op_lower_refuse (lower, "%s: products of truths are not lowered",
                         sym_op_keras_ops_get_name (lower));
  return !sym_op_lower_has_failed (lower);
}

/* An axis of the first and one of the second become one. */
static void
join (Product *self, int first, int second)
{
  self->letters[1][second] = self->letters[0][first];
}

static gboolean
is_joined (const Product *self, guint i, int axis)
{
  return strchr (self->letters[1 - i], self->letters[i][axis]) != NULL;
}

static SymId
sum_to (const Product *self, const char *result)
{
  g_autofree char *equation =
      g_strdup_printf ("%s,%s->%s", self->letters[0], self->letters[1], result);

  return sym_op_lower_call (self->lower, "Einsum",
                            SYM_IDS (get_operand (self, 0), get_operand (self, 1)), "equation",
                            sym_value_new_string (equation), NULL);
}

/* The axes that are left: those of the first, then those of the second. */
static void
finish (const Product *self)
{
  char result[2 * SYM_MAX_RANK + 1] = "";
  int n = 0;

  for (guint i = 0; i < 2; i++)
    for (int k = 0; k < self->ranks[i]; k++)
      if (!is_joined (self, i, k))
        result[n++] = self->letters[i][k];
  if (n > SYM_MAX_RANK)
    sym_op_lower_refuse (self->lower, "%s: the result has too many axes",
                         sym_op_keras_ops_get_name (self->lower));
  else
    sym_op_lower_set_output (self->lower, 0, sum_to (self, result));
}

static gboolean
has_number (const Product *self)
{
  return self->ranks[0] == 0 || self->ranks[1] == 0;
}

static void
finish_number (const Product *self)
{
  sym_op_lower_set_output (
      self->lower, 0,
      sym_op_lower_binary (self->lower, "Mul", get_operand (self, 0), get_operand (self, 1)));
}

static SymId
shape_as (const Product *self, guint i, const gint64 *sizes, int n)
{
  return sym_op_foreign_reshape (self->lower, get_operand (self, i), sizes, n, FALSE);
}

/* ---- Products ---- */

/* The last axis of the first and the last but one of the second, if it has two. */
static void
lower_dot (SymOpLower *lower)
{
  Product self;

  if (!begin (&self, lower))
    return;
  if (has_number (&self))
    {
      finish_number (&self);
      return;
    }
  join (&self, self.ranks[0] - 1, MAX (self.ranks[1] - 2, 0));
  finish (&self);
}

static void
lower_inner (SymOpLower *lower)
{
  Product self;

  if (!begin (&self, lower))
    return;
  if (has_number (&self))
    {
      finish_number (&self);
      return;
    }
  join (&self, self.ranks[0] - 1, self.ranks[1] - 1);
  finish (&self);
}

static void
lower_outer (SymOpLower *lower)
{
  const gint64 column[2] = { -1, 1 }, row[2] = { 1, -1 };
  Product self;

  if (begin (&self, lower))
    sym_op_lower_set_output (lower, 0,
                             sym_op_lower_binary (lower, "Mul", shape_as (&self, 0, column, 2),
                                                  shape_as (&self, 1, row, 2)));
}

static void
lower_vdot (SymOpLower *lower)
{
  const gint64 all = -1;
  Product self;

  if (begin (&self, lower))
    sym_op_lower_set_output (
        lower, 0,
        sym_op_lower_call (lower, "Einsum",
                           SYM_IDS (shape_as (&self, 0, &all, 1), shape_as (&self, 1, &all, 1)),
                           "equation", sym_value_new_string ("a,a->"), NULL));
}

/* Axes of both: a list for each, or how many, the last ones of the first. */
static int
read_axes (const Product *self, gint64 axes[2][SYM_MAX_RANK])
{
  const SymValue *value =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self->lower)), "axes");
  gint64 count = 2;
  int n[2];

  if (value == NULL || sym_value_get_int (value, &count))
    {
      for (gint64 i = 0; i < MIN (count, self->ranks[0]); i++)
        {
          axes[0][i] = self->ranks[0] - count + i;
          axes[1][i] = i;
        }
      return count <= self->ranks[0] ? (int) MAX (count, 0) : -1;
    }
  if (sym_value_get_n_children (value) != 2)
    return -1;
  for (guint i = 0; i < 2; i++)
    n[i] = sym_value_get_ints (sym_value_get_child (value, i), axes[i], SYM_MAX_RANK);
  return n[0] == n[1] && n[0] <= SYM_MAX_RANK ? n[0] : -1;
}

static void
lower_tensordot (SymOpLower *lower)
{
  gint64 axes[2][SYM_MAX_RANK];
  Product self;
  int n;

  if (!begin (&self, lower))
    return;
  n = read_axes (&self, axes);
  if (n < 0)
    sym_op_lower_fail (lower, "Tensordot: its axes are no number, nor two lists of one length");
  for (int i = 0; i < n; i++)
    {
      int first, second;

      if (!sym_op_lower_find_axis (lower, axes[0][i], self.ranks[0], &first) ||
          !sym_op_lower_find_axis (lower, axes[1][i], self.ranks[1], &second))
        return;
      if (is_joined (&self, 0, first) || is_joined (&self, 1, second))
        sym_op_lower_fail (lower, "Tensordot: an axis is there twice");
      join (&self, first, second);
    }
  if (n == 0 && has_number (&self))
    finish_number (&self);
  else if (n >= 0)
    finish (&self);
}

/* Each element of the first times all of the second, in its place. */
static void
lower_kron (SymOpLower *lower)
{
  char result[2 * SYM_MAX_RANK + 1] = "";
  gint64 sizes[SYM_MAX_RANK];
  Product self;

  if (!begin (&self, lower))
    return;
  if (has_number (&self))
    {
      finish_number (&self);
      return;
    }
  if (self.ranks[0] != self.ranks[1] || 2 * self.ranks[0] > SYM_MAX_RANK)
    {
      sym_op_lower_refuse (lower, "Kron: only operands of as many axes, up to %d, are lowered",
                           SYM_MAX_RANK / 2);
      return;
    }
  for (int k = 0; k < self.ranks[0]; k++)
    {
      result[2 * k] = self.letters[0][k];
      result[2 * k + 1] = self.letters[1][k];
      sizes[k] = sym_op_foreign_multiply (lower, sym_op_foreign_size (lower, 0, k),
                                          sym_op_foreign_size (lower, 1, k));
    }
  sym_op_lower_set_output (
      lower, 0,
      sym_op_foreign_reshape (lower, sum_to (&self, result), sizes, self.ranks[0], FALSE));
}

/* ---- Cross ---- */

/* Axis @from at place @to, the others in their order. */
static SymId
move_axis (SymOpLower *self, SymId x, int from, int to, int rank)
{
  gint64 axes[SYM_MAX_RANK];
  int next = 0;

  for (int i = 0; i < rank; i++)
    {
      if (next == from)
        next++;
      axes[i] = i == to ? from : next++;
    }
  return sym_op_lower_permute (self, x, axes, rank);
}

/* `axis` is for all three. */
static int
get_axis (const Product *self, const char *name, int rank)
{
  gint64 axis = sym_op_lower_get_int (self->lower, name, -1);

  return sym_op_foreign_axis (self->lower, "axis", axis, rank);
}

/* An operand as vectors along the last axis. */
static SymId
get_vectors (const Product *self, guint i)
{
  int rank = self->ranks[i];
  int axis = get_axis (self, i == 0 ? "axisa" : "axisb", rank);

  if (sym_op_foreign_size (self->lower, i, axis) != 3)
    sym_op_lower_refuse (self->lower, "Cross: only vectors of three are lowered");
  if (sym_op_lower_has_failed (self->lower))
    return SYM_NO_ID;
  return move_axis (self->lower, get_operand (self, i), axis, rank - 1, rank);
}

static SymId
turn (const Product *self, SymId x, guint i, gint64 n)
{
  return sym_op_lower_roll (self->lower, x, self->ranks[i] - 1, 3, -n);
}

/* Element i is a[i + 1] b[i + 2] - a[i + 2] b[i + 1]. */
static void
lower_cross (SymOpLower *lower)
{
  Product self;
  SymId a, b, y;
  int rank, axis;

  if (!begin (&self, lower))
    return;
  a = get_vectors (&self, 0);
  b = get_vectors (&self, 1);
  rank = MAX (self.ranks[0], self.ranks[1]);
  axis = get_axis (&self, "axisc", rank);
  if (sym_op_lower_has_failed (lower))
    return;
  y = sym_op_lower_binary (
      lower, "Sub",
      sym_op_lower_binary (lower, "Mul", turn (&self, a, 0, 1), turn (&self, b, 1, 2)),
      sym_op_lower_binary (lower, "Mul", turn (&self, a, 0, 2), turn (&self, b, 1, 1)));
  sym_op_lower_set_output (lower, 0, move_axis (lower, y, rank - 1, axis, rank));
}

/* ---- Tables ---- */

static const SymAttributeSpec no_attributes[] = { { NULL } };

static const SymAttributeSpec axes_attributes[] = {
  { "axes", SYM_ATTRIBUTE_ANY, "2", "how many axes are summed, or which of both" },
  { NULL },
};

static const SymAttributeSpec cross_attributes[] = {
  { "axisa", SYM_ATTRIBUTE_INT, "-1", "the axis of the first vectors" },
  { "axisb", SYM_ATTRIBUTE_INT, "-1", "the axis of the second ones" },
  { "axisc", SYM_ATTRIBUTE_INT, "-1", "the axis of the result" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis of all three" },
  { NULL },
};

#define PRODUCT(name_, summary_, attributes_, lower_)                                            \
  {                                                                                              \
    SYM_OP_KERAS_OPS (name_, summary_, WEIGHTS),                                                 \
        .slots = sym_op_keras_ops_two, .attributes = attributes_, .infer = sym_op_infer_lowered, \
        .lower = lower_,                                                                         \
  }

const SymOperator sym_op_keras_ops_products[] = {
  PRODUCT ("Cross", "Vectors at right angles to two others", cross_attributes, lower_cross),
  PRODUCT ("Dot", "Products of vectors and matrices", no_attributes, lower_dot),
  PRODUCT ("Inner", "Sums of products along the last axes", no_attributes, lower_inner),
  PRODUCT ("Kron", "Each element times all of the other", no_attributes, lower_kron),
  PRODUCT ("Outer", "All products of two elements", no_attributes, lower_outer),
  PRODUCT ("Tensordot", "Sums of products along axes", axes_attributes, lower_tensordot),
  PRODUCT ("Vdot", "The sum of all products", no_attributes, lower_vdot),
  { NULL },
};
