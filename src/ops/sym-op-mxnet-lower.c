/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"

#include "core/sym-element.h"

/* ---- Windows ---- */

gboolean
sym_op_mxnet_lower_ints (SymOpLower *self, const char *name, int n, gint64 fallback, gint64 *values)
{
  int found = sym_op_lower_get_ints (self, name, values, n);

  if (found > 0 && found != n)
    {
      sym_op_lower_fail (self, "%s: %s has %d sizes; it should have %d",
                         sym_op_lower_get_type (self), name, found, n);
      return FALSE;
    }
  for (int i = 0; found <= 0 && i < n; i++)
    values[i] = fallback;
  return TRUE;
}

gboolean
sym_op_mxnet_lower_windows (SymOpLower *self, SymOpMxnetLowerWindows *windows)
{
  int n = sym_op_lower_get_input_shape (self, 0)->rank - 2;

  if (!sym_op_lower_need_tensor (self, 0))
    return FALSE;
  if (n < 1 || n > 3)
    {
      sym_op_lower_fail (self, "%s: data has %d axes; it should have 3, 4 or 5",
                         sym_op_lower_get_type (self), n + 2);
      return FALSE;
    }
  *windows = (SymOpMxnetLowerWindows){
    .n = n, .channels_last = g_str_has_suffix (sym_op_lower_get_string (self, "layout", ""), "C")
  };
  return sym_op_mxnet_lower_ints (self, "kernel", n, 0, windows->kernel) &&
         sym_op_mxnet_lower_ints (self, "stride", n, 1, windows->stride) &&
         sym_op_mxnet_lower_ints (self, "dilate", n, 1, windows->dilate) &&
         sym_op_mxnet_lower_ints (self, "pad", n, 0, windows->pad);
}

SymId
sym_op_mxnet_lower_first (SymOpLower *self, const SymOpMxnetLowerWindows *windows, SymId x)
{
  gint64 axes[5] = { 0, windows->n + 1 };

  if (!windows->channels_last)
    return x;
  for (int i = 0; i < windows->n; i++)
    axes[i + 2] = i + 1;
  return sym_op_lower_permute (self, x, axes, windows->n + 2);
}

SymId
sym_op_mxnet_lower_last (SymOpLower *self, const SymOpMxnetLowerWindows *windows, SymId x)
{
  gint64 axes[5] = { 0 };

  if (!windows->channels_last)
    return x;
  for (int i = 0; i < windows->n; i++)
    axes[i + 1] = i + 2;
  axes[windows->n + 1] = 1;
  return sym_op_lower_permute (self, x, axes, windows->n + 2);
}

SymId
sym_op_mxnet_lower_along (SymOpLower *self, guint i, int axis, int rank)
{
  SymShape shape = { .rank = rank };

  for (int j = 0; j < rank; j++)
    shape.dims[j] = 1;
  shape.dims[axis] = sym_op_lower_get_input_shape (self, i)->dims[0];
  return sym_op_lower_reshape (self, sym_op_lower_input (self, i), &shape);
}

/* ---- Whole lowerings ---- */

void
sym_op_mxnet_lower_identity (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
}

void
sym_op_mxnet_lower_reshape (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_finish (self, sym_op_lower_input (self, 0));
}

void
sym_op_mxnet_lower_cast (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                                                     sym_op_lower_get_input_dtype (self, 0),
                                                     sym_op_lower_get_output_dtype (self, 0)));
}

void
sym_op_mxnet_lower_expand (SymOpLower *self)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (out->rank < 0 || !sym_shape_is_known (out))
    sym_op_lower_refuse (self, "%s: the shape of the result is not known",
                         sym_op_lower_get_type (self));
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 0),
                                                  sym_op_lower_ints (self, out->dims, out->rank)));
}

/* ---- Axes ---- */

gboolean
sym_op_mxnet_lower_axes (SymOpLower *self,
                         const char *name,
                         int rank,
                         gint64 axes[SYM_MAX_RANK],
                         int *n)
{
  gboolean marked[SYM_MAX_RANK] = { FALSE }, exclude = FALSE;
  gint64 listed[SYM_MAX_RANK];
  int n_listed = sym_op_lower_get_ints (self, name, listed, SYM_MAX_RANK), axis;

  if (n_listed > SYM_MAX_RANK)
    {
      sym_op_lower_fail (self, "%s: %s lists %d axes", sym_op_lower_get_type (self), name,
                         n_listed);
      return FALSE;
    }
  for (int i = 0; i < n_listed; i++)
    {
      if (!sym_op_lower_find_axis (self, listed[i], rank, &axis))
        return FALSE;
      marked[axis] = TRUE;
    }
  if (n_listed > 0)
    exclude = sym_op_lower_get_bool (self, "exclude", FALSE);
  *n = 0;
  for (int i = 0; i < rank; i++)
    if (n_listed <= 0 || marked[i] != exclude)
      axes[(*n)++] = i;
  return TRUE;
}

gboolean
sym_op_mxnet_lower_is_numpy (SymOpLower *self)
{
  return g_str_has_prefix (sym_op_lower_get_type (self), "_np");
}

/* ---- Constants ---- */

#define MAX_CONSTANT ((guint64) 1 << 24)

gboolean
sym_op_mxnet_lower_get_shape (SymOpLower *self, guint i, SymShape *shape)
{
  *shape = *sym_op_lower_get_output_shape (self, i);
  if (shape->rank >= 0 && sym_shape_is_known (shape))
    return !sym_op_lower_has_failed (self);
  sym_op_lower_refuse (self, "%s: the shape of the result is not known",
                       sym_op_lower_get_type (self));
  return FALSE;
}

/* Room for a constant; NULL, with an error of the body, when it would be too great. */
static SymDatum *
new_constant (SymOpLower *self, SymDType dtype, const SymShape *shape)
{
  g_autoptr (GError) local = NULL;
  SymDatum *datum = NULL;
  guint64 n;

  if (!sym_shape_get_n_elements (shape, &n) || n > MAX_CONSTANT ||
      (datum = sym_datum_new (dtype, shape, &local)) == NULL)
    sym_op_lower_refuse (self, "%s: its result is too great", sym_op_lower_get_type (self));
  return datum;
}

SymId
sym_op_mxnet_lower_values (SymOpLower *self,
                           const SymShape *shape,
                           SymDType dtype,
                           SymOpMxnetValue value,
                           gconstpointer data)
{
  g_autoptr (SymDatum) datum = new_constant (self, dtype, shape);
  const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

  if (array == NULL)
    return SYM_NO_ID;
  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    sym_element_set_double (dtype, array->data, i, value (data, i));
  return sym_op_lower_array (self, array);
}

SymId
sym_op_mxnet_lower_pick (SymOpLower *self,
                         SymId x,
                         SymDType dtype,
                         const SymShape *shape,
                         SymOpMxnetPlace place,
                         gconstpointer data)
{
  g_autoptr (SymDatum) places = new_constant (self, SYM_DTYPE_INT64, shape);
  const SymArray *array = places == NULL ? NULL : sym_datum_get_array (places);
  SymId flat = sym_op_lower_call (
      self, "Reshape", SYM_IDS (x, sym_op_lower_ints (self, (const gint64[]){ -1 }, 1)), NULL);
  gint64 *numbers;
  gsize n_empty = 0;

  if (array == NULL)
    return SYM_NO_ID;
  numbers = array->data;
  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    {
      numbers[i] = place (data, i);
      n_empty += numbers[i] < 0;
    }
  /* -1 counts from the end, where a zero is put. */
  if (n_empty > 0)
    flat = sym_op_lower_call (self, "Concat",
                              SYM_IDS (flat, sym_op_lower_fill (self, dtype, &SYM_SHAPE (1), 0)),
                              "axis", sym_value_new_int (0), NULL);
  return sym_op_lower_binary (self, "Gather", flat, sym_op_lower_array (self, array));
}
