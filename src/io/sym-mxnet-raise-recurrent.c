/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <string.h>

/* Recurrent layers.  All numbers of MXNet's are one list: for each direction the weights of data
 * and those of states, then for each direction the biases of both.  Gates are in another order. */

enum { X, W, R, B, LENGTHS, INITIAL_H, INITIAL_C, PEEPHOLES };

typedef struct {
  const char *onnx;
  int n_gates;
  int order[4]; /* MXNet's gates among ONNX's */
  guint n_states;
  const char *functions[3]; /* that MXNet has */
} Cell;

static const Cell cells[] = {
  { "GRU", 3, { 1, 0, 2 }, 1, { "Sigmoid", "Tanh" } },
  { "LSTM", 4, { 0, 2, 3, 1 }, 2, { "Sigmoid", "Tanh", "Tanh" } },
  { "RNN", 1, { 0 }, 1, { "Tanh" } },
};

typedef struct {
  SymRaise *raise;
  const Cell *cell;
  const char *mode;
  gint64 units, directions;
  SymDType dtype;
  gboolean is_backward, is_batch_first;
} Recurrent;

static SymId
permute (SymRaise *self, SymId x, const gint64 *axes, int n)
{
  return sym_mxnet_raise_call (self, "transpose", &x, 1, "axes", sym_raise_tuple (axes, n), NULL);
}

static SymId
cut (SymRaise *self, SymId x, gint64 axis, gint64 start, gint64 end)
{
  return sym_mxnet_raise_call (self, "slice_axis", &x, 1, "axis", sym_value_new_int (axis), "begin",
                               sym_value_new_int (start), "end", sym_value_new_int (end), NULL);
}

static SymId
reshape (SymRaise *self, SymId x, const gint64 *sizes, int n)
{
  return sym_mxnet_raise_call (self, "Reshape", &x, 1, "shape", sym_raise_tuple (sizes, n), NULL);
}

/* ---- What it is ---- */

/* The name of all functions that stand at place @i of each direction; NULL when they differ. */
static const char *
find_function (const Recurrent *self, guint i, guint n)
{
  const SymValue *given =
      sym_attributes_find (sym_raise_get_attributes (self->raise), "activations");
  const char *found = given == NULL ? self->cell->functions[i] : NULL;

  for (guint k = i; given != NULL && k < sym_value_get_n_children (given); k += n)
    {
      const char *name = sym_value_get_string (sym_value_get_child (given, k));

      if (name == NULL || (found != NULL && g_ascii_strcasecmp (name, found) != 0))
        return NULL;
      found = name;
    }
  return found;
}

static gboolean
read_mode (Recurrent *self)
{
  gboolean is_plain = self->cell->n_gates == 1;
  guint n = 0;

  self->mode = self->cell->n_gates == 4 ? "lstm" : is_plain ? "rnn_tanh" : "gru";
  while (n < 3 && self->cell->functions[n] != NULL)
    n++;
  for (guint i = 0; i < n; i++)
    {
      const char *name = find_function (self, i, n);

      if (is_plain && name != NULL && g_ascii_strcasecmp (name, "Relu") == 0)
        self->mode = "rnn_relu";
      else if (name == NULL || g_ascii_strcasecmp (name, self->cell->functions[i]) != 0)
        return FALSE;
    }
  return TRUE;
}

/* Whether all sequences are known to be as long as the data. */
static gboolean
has_one_length (const Recurrent *self)
{
  SymShape data = sym_raise_get_shape (self->raise, X);
  SymDim n_steps = data.rank == 3 ? data.dims[self->is_batch_first ? 1 : 0] : -1;
  SymTensor *lengths =
      sym_raise_has (self->raise, LENGTHS)
          ? sym_raise_find_tensor (self->raise, sym_raise_get_value (self->raise, LENGTHS))
          : NULL;
  gint32 length;

  if (!sym_raise_has (self->raise, LENGTHS))
    return TRUE;
  if (lengths == NULL || sym_tensor_get_dtype (lengths) != SYM_DTYPE_INT32)
    return FALSE;
  for (guint64 at = 0; at < sym_tensor_get_n_bytes (lengths); at += sizeof length)
    if (!sym_tensor_read (lengths, at, sizeof length, &length, NULL) ||
        GINT32_FROM_LE (length) != n_steps)
      return FALSE;
  return TRUE;
}

static gboolean
read_sizes (Recurrent *self)
{
  SymShape states = sym_raise_get_shape (self->raise, R);
  SymShape data = sym_raise_get_shape (self->raise, W);
  gint64 rows;

  if (states.rank != 3 || states.dims[2] < 1 || states.dims[2] > G_MAXINT32 || data.rank != 3)
    return FALSE;
  self->units = states.dims[2];
  rows = self->units * self->cell->n_gates;
  return data.dims[0] == self->directions && states.dims[0] == self->directions &&
         data.dims[1] == rows && states.dims[1] == rows;
}

static gboolean
read_layer (SymRaise *raise, Recurrent *self)
{
  const char *direction = sym_raise_get_string (raise, "direction", "forward");

  *self = (Recurrent){ .raise = raise, .cell = cells, .dtype = sym_raise_get_dtype (raise, X) };
  while (strcmp (self->cell->onnx, sym_raise_get_type (raise)) != 0)
    self->cell++;
  self->directions = strcmp (direction, "bidirectional") == 0 ? 2 : 1;
  self->is_backward = strcmp (direction, "reverse") == 0;
  self->is_batch_first = sym_raise_get_int (raise, "layout", 0) != 0;
  if (!read_sizes (self))
    sym_raise_fail (raise, "the shapes of its weights are not known");
  else if (!sym_dtype_is_floating (self->dtype))
    sym_raise_fail (raise, "the dtype of its data is not known");
  else if (!read_mode (self))
    sym_raise_fail (raise, "its functions are not those that MXNet has");
  else if (self->cell->n_gates == 3 && sym_raise_get_int (raise, "linear_before_reset", 0) == 0)
    sym_raise_fail (raise, "MXNet resets states behind their weights");
  else if (sym_raise_has (raise, PEEPHOLES) || sym_raise_get_int (raise, "input_forget", 0) != 0 ||
           sym_raise_get_float (raise, "clip", 0) != 0)
    sym_raise_fail (raise, "MXNet's gates look at no cells, and cut nothing off");
  else if (!has_one_length (self))
    sym_raise_fail (raise, "MXNet's sequences are as long as the data");
  return !sym_raise_has_failed (raise);
}

/* ---- Its numbers ---- */

/* Row after row of each gate, from the gate that is at place @first on, as lists. */
static void
add_gates (const Recurrent *self, GArray *parts, guint slot, gint64 direction, int first)
{
  SymId x = sym_raise_operand (self->raise, slot);
  gint64 flat = -1;

  if (self->directions > 1)
    x = cut (self->raise, x, 0, direction, direction + 1);
  for (int i = 0; i < self->cell->n_gates; i++)
    {
      gint64 row = (first + self->cell->order[i]) * self->units;
      SymId part = cut (self->raise, x, 1, row, row + self->units);

      part = reshape (self->raise, part, &flat, 1);
      g_array_append_val (parts, part);
    }
}

static SymId
make_zeros (const Recurrent *self, gint64 n)
{
  return sym_mxnet_raise_call (self->raise, "_zeros", NULL, 0, "shape", sym_raise_tuple (&n, 1),
                               "dtype", sym_value_new_string (sym_dtype_to_string (self->dtype)),
                               NULL);
}

static SymId
pack (const Recurrent *self)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (SymId));
  int n = self->cell->n_gates;

  for (gint64 i = 0; i < self->directions; i++)
    {
      add_gates (self, parts, W, i, 0);
      add_gates (self, parts, R, i, 0);
    }
  for (gint64 i = 0; i < self->directions && sym_raise_has (self->raise, B); i++)
    {
      add_gates (self, parts, B, i, 0);
      add_gates (self, parts, B, i, n);
    }
  if (!sym_raise_has (self->raise, B))
    {
      SymId zeros = make_zeros (self, 2 * n * self->directions * self->units);

      g_array_append_val (parts, zeros);
    }
  return sym_mxnet_raise_call (self->raise, "Concat", (const SymId *) (gpointer) parts->data,
                               parts->len, "dim", sym_value_new_int (0), "num_args",
                               sym_value_new_int (parts->len), NULL);
}

/* The state to begin with; zeros of as many samples as the data where the layer has none. */
static SymId
make_state (const Recurrent *self, guint slot, SymId data)
{
  static const gint64 turned[] = { 1, 0, 2 };
  gint64 times[] = { self->directions, 1, self->units };
  SymId x;

  if (sym_raise_has (self->raise, slot))
    {
      x = sym_raise_operand (self->raise, slot);
      return self->is_batch_first ? permute (self->raise, x, turned, 3) : x;
    }
  x = cut (self->raise, cut (self->raise, data, 0, 0, 1), 2, 0, 1);
  x = sym_mxnet_raise_call (self->raise, "zeros_like", &x, 1, NULL);
  return sym_mxnet_raise_call (self->raise, "tile", &x, 1, "reps", sym_raise_tuple (times, 3),
                               NULL);
}

/* ---- The layer ---- */

static SymId
turn (const Recurrent *self, SymId x)
{
  gint64 axis = 0;

  if (!self->is_backward)
    return x;
  return sym_mxnet_raise_call (self->raise, "reverse", &x, 1, "axis", sym_raise_tuple (&axis, 1),
                               NULL);
}

/* [steps, samples, directions * units], where ONNX has an axis of directions before the samples,
 * or behind them when those come first. */
static SymId
finish_sequence (const Recurrent *self, SymId x)
{
  const gint64 sizes[] = { 0, 0, self->directions, self->units };
  static const gint64 axes[] = { 0, 2, 1, 3 }, first[] = { 1, 0, 2, 3 };

  x = reshape (self->raise, turn (self, x), sizes, 4);
  return permute (self->raise, x, self->is_batch_first ? first : axes, 4);
}

static void
raise_recurrent (SymRaise *raise)
{
  static const gint64 turned[] = { 1, 0, 2 };
  SymId operands[4], results[3], x = sym_raise_operand (raise, X);
  Recurrent self;
  guint n;

  if (!read_layer (raise, &self))
    return;
  n = self.cell->n_states;
  operands[0] = turn (&self, self.is_batch_first ? permute (raise, x, turned, 3) : x);
  operands[1] = pack (&self);
  for (guint i = 0; i < n; i++)
    operands[2 + i] = make_state (&self, INITIAL_H + i, operands[0]);
  sym_mxnet_raise_several (raise, "RNN", operands, 2 + n, results, 1 + n, "state_size",
                           sym_value_new_int (self.units), "num_layers", sym_value_new_int (1),
                           "bidirectional", sym_value_new_bool (self.directions == 2), "mode",
                           sym_value_new_string (self.mode), "state_outputs",
                           sym_value_new_bool (TRUE), NULL);
  if (sym_raise_is_used (raise, 0))
    sym_raise_set_result (raise, 0, finish_sequence (&self, results[0]));
  for (guint i = 1; i <= n; i++)
    if (sym_raise_is_used (raise, i))
      sym_raise_set_result (
          raise, i, self.is_batch_first ? permute (raise, results[i], turned, 3) : results[i]);
}

const SymRaiseRule sym_mxnet_raise_recurrent[] = {
  { "GRU", G_MAXUINT, raise_recurrent },
  { "LSTM", G_MAXUINT, raise_recurrent },
  { "RNN", G_MAXUINT, raise_recurrent },
  { NULL },
};
