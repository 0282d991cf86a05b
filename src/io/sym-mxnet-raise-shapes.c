/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <stdlib.h>

/* Layers that move numbers, and do not change them. */

static void
raise_flatten (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);

  if (sym_raise_get_int (self, "axis", 1) == 1)
    sym_mxnet_raise_finish (self, "Flatten", &x, 1, NULL);
  else
    sym_raise_fail (self, "MXNet keeps the first axis");
}

/* Numbers mean the same in both; else the sizes that are known, at most one of which is not. */
static void
raise_reshape (SymRaise *self)
{
  SymShape result = sym_raise_get_result_shape (self, 0);
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, "shape", 1, sizes, SYM_MAX_RANK), n_open = 0;
  SymId x = sym_raise_operand (self, 0);

  for (int i = 0; n < 0 && i < result.rank; i++)
    {
      n_open += result.dims[i] < 0;
      sizes[i] = result.dims[i] < 0 ? -1 : result.dims[i];
    }
  n = n < 0 ? result.rank : n;
  for (int i = 0; i < n; i++)
    n_open += sizes[i] == 0 && sym_raise_get_int (self, "allowzero", 0) != 0 ? 2 : 0;
  if (n < 1 || n_open > 1)
    sym_raise_fail (self, "its sizes are not known beforehand");
  else
    sym_mxnet_raise_finish (self, "Reshape", &x, 1, "shape", sym_raise_tuple (sizes, n), NULL);
}

static void
raise_transpose (SymRaise *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, "perm", 0, axes, SYM_MAX_RANK);
  SymId x = sym_raise_operand (self, 0);

  sym_mxnet_raise_finish (self, "transpose", &x, 1, n < 0 ? NULL : "axes",
                          n < 0 ? NULL : sym_raise_tuple (axes, n), NULL);
}

static void
raise_concat (SymRaise *self)
{
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (SymId));
  gint64 axis;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", 1), &axis))
    return;
  for (guint i = 0; sym_raise_has (self, i); i++)
    {
      SymId x = sym_raise_operand (self, i);

      g_array_append_val (operands, x);
    }
  sym_mxnet_raise_finish (self, "Concat", (const SymId *) (gpointer) operands->data, operands->len,
                          "dim", sym_value_new_int (axis), "num_args",
                          sym_value_new_int (operands->len), NULL);
}

static void
raise_squeeze (SymRaise *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, "axes", 1, axes, SYM_MAX_RANK);
  SymId x = sym_raise_operand (self, 0);

  if (n < 1)
    sym_raise_fail (self, "its axes are not known beforehand");
  else
    sym_mxnet_raise_finish (self, "squeeze", &x, 1, "axis", sym_raise_tuple (axes, n), NULL);
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* One axis after the other, the first one first. */
static void
raise_unsqueeze (SymRaise *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, "axes", 1, axes, SYM_MAX_RANK);
  int rank = sym_raise_get_shape (self, 0).rank;
  SymId x = sym_raise_operand (self, 0);

  if (n < 1 || rank < 0)
    {
      sym_raise_fail (self, "its axes are not known beforehand");
      return;
    }
  for (int i = 0; i < n; i++)
    axes[i] += axes[i] < 0 ? rank + n : 0;
  qsort (axes, (gsize) n, sizeof *axes, compare_ints);
  for (int i = 0; i + 1 < n; i++)
    x = sym_mxnet_raise_call (self, "expand_dims", &x, 1, "axis", sym_value_new_int (axes[i]),
                              NULL);
  sym_mxnet_raise_finish (self, "expand_dims", &x, 1, "axis", sym_value_new_int (axes[n - 1]),
                          NULL);
}

/* Places outside of the data are at its ends, which MXNet does not see to; None is behind the last
 * one. */
static SymValue *
make_place (gint64 place, SymDim size)
{
  if (size >= 0)
    place = CLAMP (place, -size, size);
  return place >= G_MAXINT32 ? sym_value_new_none () : sym_value_new_int (place);
}

/* Cuts operand 0, or what was made of it, along one axis. */
static SymId
cut (SymRaise *self, SymId x, gint64 axis, gint64 start, gint64 end)
{
  SymDim size = sym_raise_get_shape (self, 0).dims[axis];

  return sym_mxnet_raise_call (self, "slice_axis", &x, 1, "axis", sym_value_new_int (axis), "begin",
                               make_place (start, size), "end", make_place (end, size), NULL);
}

static void
raise_slice (SymRaise *self)
{
  gint64 starts[SYM_MAX_RANK], ends[SYM_MAX_RANK], axes[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, "starts", 1, starts, SYM_MAX_RANK);
  int n_ends = sym_raise_get_ints (self, "ends", 2, ends, SYM_MAX_RANK);
  int n_axes = sym_raise_get_ints (self, "axes", 3, axes, SYM_MAX_RANK);
  int n_steps = sym_raise_get_ints (self, NULL, 4, steps, SYM_MAX_RANK);
  SymId x = sym_raise_operand (self, 0);
  gint64 axis;

  for (int i = 0; i < n_steps; i++)
    n = steps[i] == 1 ? n : -1;
  if (n < 1 || n_ends != n || (sym_raise_has (self, 3) && n_axes != n) ||
      (sym_raise_has (self, 4) && n_steps != n))
    {
      sym_raise_fail (self, "its places are not known beforehand, or are not one by one");
      return;
    }
  for (int i = 0; i < n; i++)
    if (sym_raise_find_axis (self, n_axes < 0 ? i : axes[i], &axis))
      x = cut (self, x, axis, starts[i], ends[i]);
  sym_raise_set_result (self, 0, x);
}

/* Each part by its size, which may differ. */
static void
raise_split (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);
  gint64 axis, start = 0;

  if (!sym_raise_find_axis (self, sym_raise_get_int (self, "axis", 0), &axis))
    return;
  for (guint i = 0; i < sym_raise_count_results (self); i++)
    {
      SymShape part = sym_raise_get_result_shape (self, i);

      if (part.rank <= axis || part.dims[axis] < 1)
        {
          sym_raise_fail (self, "the sizes of its parts are not known, or 0");
          return;
        }
      sym_raise_set_result (self, i, cut (self, x, axis, start, start + part.dims[axis]));
      start += part.dims[axis];
    }
}

/* Sizes of one become larger. */
static void
raise_expand (SymRaise *self)
{
  SymShape result = sym_raise_get_result_shape (self, 0);

  if (sym_raise_get_shape (self, 0).rank < 0 || result.rank < 1 || !sym_shape_is_known (&result))
    sym_raise_fail (self, "its sizes are not known beforehand");
  else
    {
      SymId x = sym_mxnet_raise_widen (self, 0, result.rank);

      sym_mxnet_raise_finish (self, "broadcast_to", &x, 1, "shape",
                              sym_raise_tuple (result.dims, result.rank), NULL);
    }
}

static void
raise_gather (SymRaise *self)
{
  SymId operands[] = { sym_raise_operand (self, 0), sym_raise_operand (self, 1) };

  sym_mxnet_raise_finish (self, "take", operands, 2, "axis",
                          sym_value_new_int (sym_raise_get_int (self, "axis", 0)), "mode",
                          sym_value_new_string ("wrap"), NULL);
}

const SymRaiseRule sym_mxnet_raise_shapes[] = {
  { "Concat", G_MAXUINT, raise_concat },
  { "Expand", 1, raise_expand },
  { "Flatten", 1, raise_flatten },
  { "Gather", 2, raise_gather },
  { "Reshape", 1, raise_reshape },
  { "Slice", 1, raise_slice },
  { "Split", 1, raise_split },
  { "Squeeze", 1, raise_squeeze },
  { "Transpose", 1, raise_transpose },
  { "Unsqueeze", 1, raise_unsqueeze },
  { NULL },
};
