/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <stdlib.h>

/* Layers that move numbers, and do not change them. */

/* The number of elements along axes from @first on, up to @last; -1 when that is not known. */
static gint64
count_along (const SymShape *shape, int first, int last)
{
  gint64 n = 1;

  for (int i = first; i < last; i++)
    if (shape->dims[i] < 1 || n > G_MAXINT32 / shape->dims[i])
      return -1;
    else
      n *= shape->dims[i];
  return n;
}

/* MXNet's own keeps the first axis. */
static void
raise_flatten (SymRaise *self)
{
  SymShape shape = sym_raise_get_shape (self, 0);
  gint64 axis = sym_raise_get_int (self, "axis", 1), sizes[2] = { -1, -1 };
  SymId x = sym_raise_operand (self, 0);

  axis += axis < 0 ? shape.rank : 0;
  if (axis == 1)
    {
      sym_mxnet_raise_finish (self, "Flatten", &x, 1, NULL);
      return;
    }
  if (axis >= 0 && axis <= shape.rank)
    {
      sizes[0] = count_along (&shape, 0, (int) axis);
      sizes[1] = sizes[0] < 0 ? count_along (&shape, (int) axis, shape.rank) : -1;
    }
  if (sizes[0] < 0 && sizes[1] < 0)
    sym_raise_fail (self, "the sizes before its axis are not known, nor those behind it");
  else
    sym_mxnet_raise_finish (self, "Reshape", &x, 1, "shape", sym_raise_tuple (sizes, 2), NULL);
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

typedef struct {
  gint64 starts[SYM_MAX_RANK], ends[SYM_MAX_RANK], axes[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  int n;
} Slice;

static gboolean
read_slice (SymRaise *self, Slice *slice)
{
  int n = sym_raise_get_ints (self, "starts", 1, slice->starts, SYM_MAX_RANK);
  int n_ends = sym_raise_get_ints (self, "ends", 2, slice->ends, SYM_MAX_RANK);
  int n_axes = sym_raise_get_ints (self, "axes", 3, slice->axes, SYM_MAX_RANK);
  int n_steps = sym_raise_get_ints (self, NULL, 4, slice->steps, SYM_MAX_RANK);

  slice->n = n;
  for (int i = 0; i < n; i++)
    {
      slice->steps[i] = n_steps < 0 ? 1 : slice->steps[i];
      if (!sym_raise_find_axis (self, n_axes < 0 ? i : slice->axes[i], &slice->axes[i]))
        return FALSE;
    }
  if (n >= 1 && n_ends == n && (!sym_raise_has (self, 3) || n_axes == n) &&
      (!sym_raise_has (self, 4) || n_steps == n))
    return TRUE;
  sym_raise_fail (self, "its places are not known beforehand");
  return FALSE;
}

/* Where steps begin and end: None is at either end of the axis.  Numbers beyond the ends are none
 * of MXNet's, so that the size has to be known for all others. */
static gboolean
settle_steps (const Slice *slice, int i, SymDim size, SymValue **begin, SymValue **end)
{
  gint64 start = slice->starts[i], stop = slice->ends[i];
  gboolean is_up = slice->steps[i] > 0;

  if (size >= 0)
    {
      start = CLAMP (start + (start < 0 ? size : 0), is_up ? 0 : -1, is_up ? size : size - 1);
      stop = stop <= -size - 1 ? (is_up ? 0 : -1) : stop + (stop < 0 ? size : 0);
      stop = MIN (stop, size);
      if (is_up ? start >= stop : start <= stop)
        return FALSE;
      *begin = sym_value_new_int (start);
      *end = stop < 0 ? sym_value_new_none () : sym_value_new_int (stop);
      return TRUE;
    }
  if (is_up ? start != 0 || stop < G_MAXINT32
            : (start != -1 && start < G_MAXINT32) || stop > -G_MAXINT32)
    return FALSE;
  *begin = sym_value_new_none ();
  *end = sym_value_new_none ();
  return TRUE;
}

/* Cuts along one axis, with steps. */
static SymId
cut_by_steps (SymRaise *self, SymId x, const Slice *slice, int i)
{
  SymDim size = sym_raise_get_shape (self, 0).dims[slice->axes[i]];
  SymValue *lists[3][SYM_MAX_RANK], *begin, *end;
  int n = (int) slice->axes[i] + 1;

  if (slice->steps[i] == 0 || !settle_steps (slice, i, size, &begin, &end))
    {
      sym_raise_fail (self, "its places are not known, or there are none");
      return SYM_NO_ID;
    }
  for (int k = 0; k + 1 < n; k++)
    for (int list = 0; list < 3; list++)
      lists[list][k] = sym_value_new_none ();
  lists[0][n - 1] = begin;
  lists[1][n - 1] = end;
  lists[2][n - 1] = sym_value_new_int (slice->steps[i]);
  return sym_mxnet_raise_call (self, "slice", &x, 1, "begin",
                               sym_value_new_tuple (lists[0], (guint) n), "end",
                               sym_value_new_tuple (lists[1], (guint) n), "step",
                               sym_value_new_tuple (lists[2], (guint) n), NULL);
}

static void
raise_slice (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);
  Slice slice;

  if (!read_slice (self, &slice))
    return;
  for (int i = 0; i < slice.n; i++)
    x = slice.steps[i] == 1 ? cut (self, x, slice.axes[i], slice.starts[i], slice.ends[i])
                            : cut_by_steps (self, x, &slice, i);
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

static void
raise_tile (SymRaise *self)
{
  gint64 times[SYM_MAX_RANK];
  int n = sym_raise_get_ints (self, NULL, 1, times, SYM_MAX_RANK);
  SymId x = sym_raise_operand (self, 0);

  for (int i = 0; i < n; i++)
    n = times[i] < 1 ? -1 : n;
  if (n < 1)
    sym_raise_fail (self, "how often it repeats is not known beforehand, or never");
  else
    sym_mxnet_raise_finish (self, "tile", &x, 1, "reps", sym_raise_tuple (times, n), NULL);
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
  { "Tile", 1, raise_tile },
  { "Transpose", 1, raise_transpose },
  { "Unsqueeze", 1, raise_unsqueeze },
  { NULL },
};
