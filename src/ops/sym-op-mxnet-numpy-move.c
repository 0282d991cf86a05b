/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-kernel.h"
#include "ops/sym-op-mxnet-numpy.h"

/* The same elements elsewhere: what is no transpose, slice or pad is picked by places that are
 * counted beforehand. */

typedef struct {
  SymShape in, out;
  gint64 in_strides[SYM_MAX_RANK];
  gint64 k, shift[SYM_MAX_RANK];
  int axes[2];
} Move;

static gboolean
move_init (Move *self, SymOpLower *lower)
{
  memset (self, 0, sizeof *self);
  if (!sym_op_lower_need_tensor (lower, 0) || !sym_op_mxnet_lower_get_shape (lower, 0, &self->out))
    return FALSE;
  self->in = *sym_op_lower_get_input_shape (lower, 0);
  sym_op_get_strides (&self->in, self->in_strides);
  return TRUE;
}

static void
get_indices (const SymShape *shape, gsize i, gint64 indices[SYM_MAX_RANK])
{
  for (int k = shape->rank - 1; k >= 0; k--)
    {
      indices[k] = (gint64) (i % (gsize) shape->dims[k]);
      i /= (gsize) shape->dims[k];
    }
}

static void
finish_move (SymOpLower *lower, const Move *self, SymOpMxnetPlace place)
{
  sym_op_lower_set_output (lower, 0,
                           sym_op_mxnet_lower_pick (lower, sym_op_lower_input (lower, 0),
                                                    sym_op_lower_get_input_dtype (lower, 0),
                                                    &self->out, place, self));
}

/* ---- Axes ---- */

void
sym_op_mxnet_lower_move_axes (SymOpLower *lower)
{
  int rank = sym_op_lower_get_input_shape (lower, 0)->rank, n, normal[2], next = 0;
  gint64 from[SYM_MAX_RANK], to[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  gboolean moves[SYM_MAX_RANK] = { FALSE };

  if (!sym_op_lower_need_tensor (lower, 0))
    return;
  n = sym_op_lower_get_ints (lower, "source", from, SYM_MAX_RANK);
  if (n < 0 || n > SYM_MAX_RANK ||
      sym_op_lower_get_ints (lower, "destination", to, SYM_MAX_RANK) != n)
    {
      sym_op_lower_fail (lower, "moveaxis: source and destination are not as many");
      return;
    }
  for (int i = 0; i < rank; i++)
    axes[i] = -1;
  for (int i = 0; i < n; i++)
    {
      if (!sym_op_lower_find_axis (lower, from[i], rank, &normal[0]) ||
          !sym_op_lower_find_axis (lower, to[i], rank, &normal[1]))
        return;
      moves[normal[0]] = TRUE;
      axes[normal[1]] = normal[0];
    }
  for (int i = 0; i < rank; i++)
    {
      if (axes[i] >= 0)
        continue;
      while (next < rank - 1 && moves[next])
        next++;
      axes[i] = next++;
    }
  sym_op_lower_set_output (lower, 0,
                           sym_op_lower_permute (lower, sym_op_lower_input (lower, 0), axes, rank));
}

void
sym_op_mxnet_lower_roll_axis (SymOpLower *lower)
{
  int rank = sym_op_lower_get_input_shape (lower, 0)->rank, axis, start, n = 0;
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (lower, 0) ||
      !sym_op_lower_find_axis (lower, sym_op_lower_get_int (lower, "axis", 0), rank, &axis) ||
      !sym_op_lower_find_axis (lower, sym_op_lower_get_int (lower, "start", 0), rank + 1, &start))
    return;
  if (sym_op_lower_get_int (lower, "start", 0) < 0)
    start--;
  for (int i = 0; i <= rank; i++)
    {
      if (i == start)
        axes[n++] = axis;
      if (i != axis && i < rank)
        axes[n++] = i;
    }
  sym_op_lower_set_output (lower, 0,
                           sym_op_lower_permute (lower, sym_op_lower_input (lower, 0), axes, rank));
}

/* ---- roll ---- */

static gint64
wrap (gint64 i, gint64 size)
{
  return size == 0 ? 0 : ((i % size) + size) % size;
}

static gint64
find_rolled (gconstpointer data, gsize i)
{
  const Move *self = data;
  gint64 indices[SYM_MAX_RANK], place = 0;

  get_indices (&self->out, i, indices);
  for (int k = 0; k < self->out.rank; k++)
    place += wrap (indices[k] - self->shift[k], self->out.dims[k]) * self->in_strides[k];
  return place;
}

static gint64
find_rolled_flat (gconstpointer data, gsize i)
{
  const Move *self = data;

  return wrap ((gint64) i - self->shift[0], self->k);
}

void
sym_op_mxnet_lower_roll (SymOpLower *lower)
{
  gint64 shift[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  int n_axes = sym_op_lower_get_ints (lower, "axis", axes, SYM_MAX_RANK), axis;
  int n = sym_op_lower_get_ints (lower, "shift", shift, SYM_MAX_RANK);
  guint64 n_elements = 0;
  Move self;

  if (!move_init (&self, lower))
    return;
  if (n < 1 || n > SYM_MAX_RANK || (n_axes > 0 && n != 1 && n != n_axes))
    {
      sym_op_lower_fail (lower, "roll: %d shifts for %d axes", MAX (n, 0), MAX (n_axes, 0));
      return;
    }
  if (n_axes <= 0)
    {
      sym_shape_get_n_elements (&self.out, &n_elements);
      self.k = (gint64) n_elements;
      self.shift[0] = wrap (shift[0], self.k);
      finish_move (lower, &self, find_rolled_flat);
      return;
    }
  for (int i = 0; i < n_axes; i++)
    {
      if (!sym_op_lower_find_axis (lower, axes[i], self.in.rank, &axis))
        return;
      self.shift[axis] = wrap (self.shift[axis] + wrap (shift[n == 1 ? 0 : i], self.in.dims[axis]),
                               self.in.dims[axis]);
    }
  finish_move (lower, &self, find_rolled);
}

/* ---- rot90 ---- */

static gint64
find_turned (gconstpointer data, gsize i)
{
  const Move *self = data;
  gint64 indices[SYM_MAX_RANK], place = 0, row, column;
  int a = self->axes[0], b = self->axes[1];

  get_indices (&self->out, i, indices);
  row = indices[a];
  column = indices[b];
  indices[a] = self->k == 1   ? column
               : self->k == 2 ? self->in.dims[a] - 1 - row
               : self->k == 3 ? self->in.dims[a] - 1 - column
                              : row;
  indices[b] = self->k == 1   ? self->in.dims[b] - 1 - row
               : self->k == 2 ? self->in.dims[b] - 1 - column
               : self->k == 3 ? row
                              : column;
  for (int k = 0; k < self->in.rank; k++)
    place += indices[k] * self->in_strides[k];
  return place;
}

void
sym_op_mxnet_lower_turn (SymOpLower *lower)
{
  gint64 axes[2] = { 0, 1 };
  Move self;

  if (!move_init (&self, lower))
    return;
  sym_op_lower_get_ints (lower, "axes", axes, 2);
  self.k = wrap (sym_op_lower_get_int (lower, "k", 1), 4);
  for (int i = 0; i < 2; i++)
    if (!sym_op_lower_find_axis (lower, axes[i], self.in.rank, &self.axes[i]))
      return;
  finish_move (lower, &self, find_turned);
}

/* ---- pad ---- */

/* The widths of axis @axis: ((before, after), ...), one pair for all, or one number. */
static gboolean
get_widths (const SymValue *list, int axis, gint64 widths[2])
{
  const SymValue *own = list;
  guint n = sym_value_get_n_children (list);
  int found;

  if (n > 0 && sym_value_get_n_children (sym_value_get_child (list, 0)) > 0)
    own = sym_value_get_child (list, n == 1 ? 0 : (guint) axis);
  if (own == NULL)
    return FALSE;
  found = sym_value_get_ints (own, widths, 2);
  if (found == 1)
    widths[1] = widths[0];
  return found == 1 || found == 2;
}

void
sym_op_mxnet_lower_pad (SymOpLower *lower)
{
  static const char *const modes[][2] = {
    { "constant", "constant" }, { "edge", "edge" }, { "reflect", "reflect" }, { "wrap", "wrap" }
  };
  const char *mode = sym_op_lower_get_string (lower, "mode", "constant"), *known = NULL;
  const SymValue *list =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (lower)), "pad_width");
  int rank = sym_op_lower_get_input_shape (lower, 0)->rank;
  gint64 pads[2 * SYM_MAX_RANK], widths[2];
  double value = sym_op_lower_get_float (lower, "constant_value", 0);

  if (!sym_op_lower_need_tensor (lower, 0))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (strcmp (modes[i][0], mode) == 0)
      known = modes[i][1];
  if (known == NULL ||
      !sym_op_lower_has_string (lower, "reflect_type",
                                sym_op_lower_get_string (lower, "reflect_type", NULL)) ||
      strcmp (sym_op_lower_get_string (lower, "reflect_type", "even"), "even") != 0)
    {
      sym_op_lower_refuse (lower, "pad: mode %s is not lowered", mode);
      return;
    }
  for (int i = 0; i < rank; i++)
    {
      if (list == NULL || !get_widths (list, i, widths))
        {
          sym_op_lower_fail (lower, "pad: pad_width has nothing for axis %d", i);
          return;
        }
      pads[i] = widths[0];
      pads[rank + i] = widths[1];
    }
  value = sym_op_lower_get_float (lower, "constant_values", value);
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_call (
          lower, "Pad",
          SYM_IDS (sym_op_lower_input (lower, 0), sym_op_lower_ints (lower, pads, 2 * rank),
                   sym_op_lower_number (lower, sym_op_lower_get_input_dtype (lower, 0), value)),
          "mode", sym_value_new_string (known), NULL));
}

/* ---- Diagonals ---- */

/* From a matrix its diagonal k, or a square with a vector on it. */
static gint64
find_diagonal (gconstpointer data, gsize i)
{
  const Move *self = data;
  gint64 below = MAX (-self->k, 0), right = MAX (self->k, 0), row, column;

  if (self->out.rank == 1)
    return ((gint64) i + below) * self->in.dims[1] + (gint64) i + right;
  row = (gint64) i / self->out.dims[1];
  column = (gint64) i % self->out.dims[1];
  return column - row == self->k ? row - below : -1;
}

void
sym_op_mxnet_lower_diagonal (SymOpLower *lower)
{
  Move self;

  if (!move_init (&self, lower))
    return;
  self.k = sym_op_lower_get_int (lower, "k", 0);
  finish_move (lower, &self, find_diagonal);
}

/* Of axes @axes the diagonal k, which comes last. */
static gint64
find_diagonals (gconstpointer data, gsize i)
{
  const Move *self = data;
  gint64 indices[SYM_MAX_RANK], place = 0, step;
  int next = 0;

  get_indices (&self->out, i, indices);
  step = indices[self->out.rank - 1];
  for (int k = 0; k < self->in.rank; k++)
    {
      gint64 index;

      if (k == self->axes[0])
        index = step + MAX (-self->k, 0);
      else if (k == self->axes[1])
        index = step + MAX (self->k, 0);
      else
        index = indices[next++];
      place += index * self->in_strides[k];
    }
  return place;
}

static gboolean
diagonals_init (Move *self, SymOpLower *lower)
{
  if (!move_init (self, lower))
    return FALSE;
  self->k = sym_op_lower_get_int (lower, "offset", 0);
  return sym_op_lower_find_axis (lower, sym_op_lower_get_int (lower, "axis1", 0), self->in.rank,
                                 &self->axes[0]) &&
         sym_op_lower_find_axis (lower, sym_op_lower_get_int (lower, "axis2", 1), self->in.rank,
                                 &self->axes[1]);
}

void
sym_op_mxnet_lower_diagonals (SymOpLower *lower)
{
  Move self;

  if (diagonals_init (&self, lower))
    finish_move (lower, &self, find_diagonals);
}

void
sym_op_mxnet_lower_trace (SymOpLower *lower)
{
  gint64 rows, columns, last;
  SymShape out;
  Move self;
  SymId x;

  if (!diagonals_init (&self, lower))
    return;
  out = self.out;
  rows = self.in.dims[self.axes[0]] - MAX (-self.k, 0);
  columns = self.in.dims[self.axes[1]] - MAX (self.k, 0);
  last = self.out.rank;
  if (self.in.rank == 2 && self.out.rank == 1)
    last = self.out.rank = 0; /* [1] stands for a number */
  self.out.dims[self.out.rank++] = MAX (MIN (rows, columns), 0);
  x = sym_op_mxnet_lower_pick (lower, sym_op_lower_input (lower, 0),
                               sym_op_lower_get_input_dtype (lower, 0), &self.out, find_diagonals,
                               &self);
  x = sym_op_lower_reduce (lower, "ReduceSum", x, &last, 1, FALSE);
  sym_op_lower_set_output (lower, 0, sym_op_lower_reshape (lower, x, &out));
}

/* ---- fill_diagonal, tril, triu ---- */

static double
is_on_diagonal (gconstpointer data, gsize i)
{
  const Move *self = data;
  gint64 indices[SYM_MAX_RANK];

  /* In a tall matrix it begins again below, with a row between. */
  if (self->in.rank == 2)
    return (gint64) i % (self->in.dims[1] + 1) == 0 &&
           (self->k != 0 || (gint64) i < self->in.dims[1] * self->in.dims[1]);
  get_indices (&self->in, i, indices);
  for (int k = 1; k < self->in.rank; k++)
    if (indices[k] != indices[0])
      return 0;
  return 1;
}

void
sym_op_mxnet_lower_fill_diagonal (SymOpLower *lower)
{
  const SymValue *list =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (lower)), "val");
  SymDType dtype = sym_op_lower_get_input_dtype (lower, 0);
  double value = 0;
  Move self;
  SymId mask;

  if (!move_init (&self, lower))
    return;
  if (list == NULL || self.in.rank < 2 ||
      !(sym_value_get_float (list, &value) ||
        (sym_value_get_n_children (list) == 1 &&
         sym_value_get_float (sym_value_get_child (list, 0), &value))))
    {
      sym_op_lower_refuse (lower, "fill_diagonal: other than one value, in two axes or more, is "
                                  "not lowered");
      return;
    }
  self.k = sym_op_lower_get_bool (lower, "wrap", FALSE);
  mask = sym_op_mxnet_lower_values (lower, &self.in, SYM_DTYPE_BOOL, is_on_diagonal, &self);
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_call (
          lower, "Where",
          SYM_IDS (mask, sym_op_lower_number (lower, dtype, value), sym_op_lower_input (lower, 0)),
          NULL));
}

/* A vector becomes the rows of a square first. */
void
sym_op_mxnet_lower_cut_triangle (SymOpLower *lower)
{
  gboolean upper =
      g_str_has_suffix (sym_layer_get_operator (sym_op_lower_get_layer (lower))->name, "triu");
  SymId x = sym_op_lower_input (lower, 0), k;
  SymShape shape;

  if (!sym_op_lower_need_tensor (lower, 0) || !sym_op_mxnet_lower_get_shape (lower, 0, &shape))
    return;
  k = sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) sym_op_lower_get_int (lower, "k", 0));
  if (sym_op_lower_get_input_shape (lower, 0)->rank == 1)
    x = sym_op_lower_binary (lower, "Expand", x, sym_op_lower_ints (lower, shape.dims, shape.rank));
  sym_op_lower_set_output (
      lower, 0,
      sym_op_lower_call (lower, "Trilu", SYM_IDS (x, k), "upper", sym_value_new_int (upper), NULL));
}

/* ---- repeats ---- */

/* Each part as often as its number says. */
void
sym_op_mxnet_lower_repeats (SymOpLower *lower)
{
  const SymShape *data = sym_op_lower_get_input_shape (lower, 0);
  int n = sym_op_lower_get_ints (lower, "repeats", NULL, 0), axis = 0;
  gint64 where = sym_op_lower_get_int (lower, "axis", G_MAXINT64), size, sum = 0;
  g_autofree gint64 *repeats = g_new0 (gint64, MAX (n, 0) + 1), *places = NULL;
  SymId x = sym_op_lower_input (lower, 0);
  guint64 n_elements = 0;

  if (!sym_op_lower_need_tensor (lower, 0))
    return;
  sym_op_lower_get_ints (lower, "repeats", repeats, n);
  sym_shape_get_n_elements (data, &n_elements);
  if (where == G_MAXINT64)
    x = sym_op_lower_call (lower, "Reshape",
                           SYM_IDS (x, sym_op_lower_ints (lower, (const gint64[]){ -1 }, 1)), NULL);
  else if (!sym_op_lower_find_axis (lower, where, data->rank, &axis))
    return;
  size = where == G_MAXINT64 ? (gint64) n_elements : data->dims[axis];
  for (gint64 i = 0; i < size && (n == 1 || n == size); i++)
    {
      gint64 times = repeats[n == 1 ? 0 : i];

      sum = times < 0 || times > (1 << 26) - sum ? -1 : sum + times;
      if (sum < 0)
        break;
    }
  if ((n != 1 && n != size) || sum < 0)
    {
      sym_op_lower_fail (lower, "repeats: %d numbers do not fit to %" G_GINT64_FORMAT " parts", n,
                         size);
      return;
    }
  places = g_new (gint64, sum + 1);
  sum = 0;
  for (gint64 i = 0; i < size; i++)
    for (gint64 k = 0; k < repeats[n == 1 ? 0 : i]; k++)
      places[sum++] = i;
  {
    SymArray array = { SYM_DTYPE_INT64, SYM_SHAPE (sum), places };

    sym_op_lower_set_output (lower, 0,
                             sym_op_lower_call (lower, "Gather",
                                                SYM_IDS (x, sym_op_lower_array (lower, &array)),
                                                "axis", sym_value_new_int (axis), NULL));
  }
}
