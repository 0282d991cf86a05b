/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-numpy.h"

/* Layers that take or replace what indices or masks tell, and differences. */

static SymId
flatten (SymOpLower *self, SymId x)
{
  return sym_op_lower_call (self, "Reshape",
                            SYM_IDS (x, sym_op_lower_ints (self, (const gint64[]){ -1 }, 1)), NULL);
}

static gboolean
need_operands (SymOpLower *self, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return FALSE;
  return TRUE;
}

/* ---- Taking ---- */

void
sym_op_mxnet_lower_advanced (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *indices = sym_op_lower_get_input_shape (self, 1);
  SymShape rows = { .rank = 1, .dims = { 1 } };
  SymId x = sym_op_lower_input (self, 0), y;

  if (!need_operands (self, 2))
    return;
  if (sym_op_lower_get_input_dtype (self, 1) != SYM_DTYPE_BOOL)
    {
      y = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);
      sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Gather", x, y));
      return;
    }
  for (int i = 0; i < data->rank; i++)
    {
      if (i < indices->rank)
        rows.dims[0] *= data->dims[i];
      else
        rows.dims[rows.rank++] = data->dims[i];
    }
  y = sym_op_lower_call (
      self, "Compress",
      SYM_IDS (sym_op_lower_reshape (self, x, &rows), flatten (self, sym_op_lower_input (self, 1))),
      "axis", sym_value_new_int (0), NULL);
  sym_op_lower_set_output (self, 0, y);
}

void
sym_op_mxnet_lower_nonzero (SymOpLower *self)
{
  SymId y = sym_op_lower_unary (self, "NonZero", sym_op_lower_input (self, 0));

  if (need_operands (self, 1))
    sym_op_lower_set_output (self, 0, sym_op_lower_transpose (self, y, 2, 1, 0));
}

/* The first places, which each element is and how often each comes are there as asked for. */
void
sym_op_mxnet_lower_unique (SymOpLower *self)
{
  static const char *const names[] = { "return_index", "return_inverse", "return_counts" };
  gint64 axis = sym_op_lower_get_int (self, "axis", G_MAXINT64);
  SymId x = sym_op_lower_input (self, 0), y;
  guint output = 1;

  if (!need_operands (self, 1))
    return;
  y = axis == G_MAXINT64
          ? sym_op_lower_unary (self, "Unique", x)
          : sym_op_lower_call (self, "Unique", SYM_IDS (x), "axis", sym_value_new_int (axis), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (sym_op_lower_get_bool (self, names[i], FALSE))
      sym_op_lower_set_output (self, output++, sym_op_lower_get_result (self, y, i + 1));
  sym_op_lower_set_output (self, 0, y);
}

/* ---- Replacing ---- */

/* The mask over all axes of the data. */
static SymId
widen_mask (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymShape mask = *sym_op_lower_get_input_shape (self, 1);
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_BOOL);

  while (mask.rank < data->rank)
    mask.dims[mask.rank++] = 1;
  return sym_op_lower_reshape (self, x, &mask);
}

static gboolean
starts_at_first_axis (SymOpLower *self)
{
  if (sym_op_lower_get_int (self, "start_axis", 0) == 0)
    return TRUE;
  sym_op_lower_refuse (self, "%s: a mask that begins at another axis is not lowered",
                       sym_op_lower_get_type (self));
  return FALSE;
}

void
sym_op_mxnet_lower_assign_number (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double number = sym_op_lower_get_float (self, "value", 0);

  if (need_operands (self, 2) && starts_at_first_axis (self))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "Where",
                           SYM_IDS (widen_mask (self), sym_op_lower_number (self, dtype, number),
                                    sym_op_lower_input (self, 0)),
                           NULL));
}

/* One element goes everywhere; else there is one for each place of the mask. */
void
sym_op_mxnet_lower_assign_tensor (SymOpLower *self)
{
  const SymShape *value = sym_op_lower_get_input_shape (self, 2);
  SymId data = sym_op_lower_input (self, 0), number, places;
  guint64 n = 0;

  if (!need_operands (self, 3) || !starts_at_first_axis (self))
    return;
  if (sym_shape_get_n_elements (value, &n) && n == 1)
    {
      number = sym_op_lower_reshape (self, sym_op_lower_input (self, 2), &SYM_SHAPE ());
      sym_op_lower_set_output (
          self, 0,
          sym_op_lower_call (self, "Where", SYM_IDS (widen_mask (self), number, data), NULL));
      return;
    }
  places = sym_op_lower_unary (
      self, "NonZero", sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_BOOL));
  places = sym_op_lower_transpose (self, places, 2, 1, 0);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "ScatterND",
                                              SYM_IDS (data, places, sym_op_lower_input (self, 2)),
                                              NULL));
}

/* Columns of the indices are places of the data's first axes; values broadcast to what is there. */
void
sym_op_mxnet_lower_index_change (SymOpLower *self)
{
  const char *name = sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *indices = sym_op_lower_get_input_shape (self, 1);
  gboolean adds = g_str_has_suffix (name, "add");
  SymId places, values;
  SymShape shape;

  if (!need_operands (self, 3))
    return;
  if (indices->rank != 2 || indices->dims[0] > data->rank)
    {
      sym_op_lower_fail (self, "%s: indices have %d axes; they should be [axes, places]", name,
                         indices->rank);
      return;
    }
  shape = SYM_SHAPE (indices->dims[1]);
  for (int i = (int) indices->dims[0]; i < data->rank; i++)
    shape.dims[shape.rank++] = data->dims[i];
  places = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);
  places = sym_op_lower_transpose (self, places, 2, 1, 0);
  values = sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 2),
                                sym_op_lower_ints (self, shape.dims, shape.rank));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "ScatterND", SYM_IDS (sym_op_lower_input (self, 0), places, values),
                         "reduction", sym_value_new_string (adds ? "add" : "none"), NULL));
}

/* ---- Differences, polynomials ---- */

static SymId
subtract_neighbours (SymOpLower *self, SymId x, int axis)
{
  return sym_op_lower_binary (self, "Sub", sym_op_lower_slice (self, x, axis, 1, G_MAXINT64, 1),
                              sym_op_lower_slice (self, x, axis, 0, -1, 1));
}

void
sym_op_mxnet_lower_diff (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 n = sym_op_lower_get_int (self, "n", 1);
  SymId x = sym_op_lower_input (self, 0);
  int axis;

  if (!need_operands (self, 1) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", -1), shape->rank, &axis))
    return;
  if (n < 0 || n > MAX (shape->dims[axis], 0))
    {
      sym_op_lower_fail (self,
                         "diff: %" G_GINT64_FORMAT " differences of %" G_GINT64_FORMAT " elements",
                         n, shape->dims[axis]);
      return;
    }
  for (gint64 i = 0; i < n; i++)
    x = subtract_neighbours (self, x, axis);
  sym_op_lower_set_output (self, 0, x);
}

/* What is put before or behind: a tensor, a number or nothing. */
static void
add_end (SymOpLower *self,
         const char *given,
         const char *scalar,
         guint *next,
         SymId *parts,
         guint *n)
{
  double number = sym_op_lower_get_float (self, scalar, 0);
  const SymValue *value =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), scalar);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  if (sym_op_lower_get_bool (self, given, FALSE))
    {
      if (sym_op_lower_need_tensor (self, *next))
        parts[(*n)++] = flatten (self, sym_op_lower_input (self, (*next)++));
    }
  else if (value != NULL && sym_value_get_float (value, &number))
    parts[(*n)++] = sym_op_lower_fill (self, dtype, &SYM_SHAPE (1), number);
}

void
sym_op_mxnet_lower_ediff (SymOpLower *self)
{
  guint n = 0, next = 1;
  SymId parts[3];

  if (!need_operands (self, 1))
    return;
  add_end (self, "to_begin_arr_given", "to_begin_scalar", &next, parts, &n);
  parts[n++] = subtract_neighbours (self, flatten (self, sym_op_lower_input (self, 0)), 0);
  add_end (self, "to_end_arr_given", "to_end_scalar", &next, parts, &n);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (0), NULL));
}

/* Horner's scheme; the factor of the greatest power comes first. */
void
sym_op_mxnet_lower_polyval (SymOpLower *self)
{
  const SymShape *factors = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 1), y;

  if (!need_operands (self, 2))
    return;
  if (factors->rank != 1 || factors->dims[0] > 1024)
    {
      sym_op_lower_refuse (self, "polyval: factors of %d axes, or more than 1024, are not lowered",
                           factors->rank);
      return;
    }
  y = sym_op_lower_binary (self, "Mul", x,
                           sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 1), 0));
  for (gint64 i = 0; i < factors->dims[0]; i++)
    {
      y = sym_op_lower_binary (self, "Mul", y, x);
      y = sym_op_lower_binary (
          self, "Add", y, sym_op_lower_slice (self, sym_op_lower_input (self, 0), 0, i, i + 1, 1));
    }
  sym_op_lower_finish (self, y);
}

/* Sums up to each element. */
void
sym_op_mxnet_lower_cumsum (SymOpLower *self)
{
  gint64 axis = sym_op_lower_get_int (self, "axis", G_MAXINT64);
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (!need_operands (self, 1))
    return;
  if (axis == G_MAXINT64)
    x = flatten (self, x);
  x = sym_op_lower_cast_from (self, x, sym_op_lower_get_input_dtype (self, 0), dtype);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (
          self, "CumSum", x,
          sym_op_lower_number (self, SYM_DTYPE_INT64, axis == G_MAXINT64 ? 0 : (double) axis)));
}
