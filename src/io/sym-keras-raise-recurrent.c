/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

#include <string.h>

#include "ops/sym-op-keras-recurrent.h"

/* Recurrent layers.  ONNX has time before the batch, both directions in one layer, and its gates in
 * another order; states are [directions, batch, units]. */

#define MAX_DIRECTIONS 2
#define MAX_RESULTS 3

enum { X, W, R, B, LENGTHS, INITIAL_H, INITIAL_C, PEEPHOLES };

typedef struct {
  SymRaise *raise;
  const char *type; /* Keras' */
  const SymOpKerasCell *cell;
  gint64 units;
  guint n_directions;
  gboolean is_backward; /* the first of them */
  gboolean is_apart;    /* biases of GRU's states from those of its data */
  SymId sequence[MAX_DIRECTIONS];
  SymId states[MAX_RESULTS - 1][MAX_DIRECTIONS];
} Recurrent;

/* Where Keras' gates stand among ONNX's. */
static void
find_gates (const Recurrent *self, int *gates)
{
  for (int i = 0; i < self->cell->n_gates; i++)
    gates[self->cell->order[i]] = i;
}

/* Whether a state to begin with is none, or zeros. */
static gboolean
begins_empty (SymRaise *self, guint slot)
{
  SymTensor *tensor = sym_raise_has (self, slot)
                          ? sym_raise_find_numbers (self, sym_raise_get_value (self, slot))
                          : NULL;

  return !sym_raise_has (self, slot) || (tensor != NULL && sym_keras_is_zero (tensor));
}

static gboolean
has_functions (SymRaise *self, const char *type)
{
  static const char *const lstm[] = { "sigmoid", "tanh", "tanh" };
  static const char *const gru[] = { "sigmoid", "tanh" };
  static const char *const plain[] = { "tanh" };
  const char *const *expected = strcmp (type, "LSTM") == 0  ? lstm
                                : strcmp (type, "GRU") == 0 ? gru
                                                            : plain;
  guint n = strcmp (type, "LSTM") == 0 ? 3 : strcmp (type, "GRU") == 0 ? 2 : 1;
  const SymValue *given = sym_attributes_find (sym_raise_get_attributes (self), "activations");

  for (guint i = 0; given != NULL && i < sym_value_get_n_children (given); i++)
    {
      const char *name = sym_value_get_string (sym_value_get_child (given, i));

      if (name == NULL || g_ascii_strcasecmp (name, expected[i % n]) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_cell (SymRaise *raise, Recurrent *self)
{
  SymShape weight = sym_raise_get_shape (raise, R);
  const char *direction = sym_raise_get_string (raise, "direction", "forward");
  const char *onnx = sym_raise_get_type (raise);

  self->raise = raise;
  self->type = strcmp (onnx, "RNN") == 0 ? "SimpleRNN" : onnx;
  self->cell = sym_op_keras_find_cell (self->type);
  self->n_directions = strcmp (direction, "bidirectional") == 0 ? 2 : 1;
  self->is_backward = strcmp (direction, "reverse") == 0;
  self->is_apart =
      strcmp (onnx, "GRU") == 0 && sym_raise_get_int (raise, "linear_before_reset", 0) != 0;
  self->units = weight.rank == 3 ? weight.dims[2] : -1;
  if (self->units < 1 || self->units > G_MAXINT32 || weight.dims[0] != self->n_directions ||
      weight.dims[1] != self->units * self->cell->n_gates)
    sym_raise_fail (raise, "its kernels are no weights of a layer");
  else if (!begins_empty (raise, INITIAL_H) || !begins_empty (raise, INITIAL_C))
    sym_raise_fail (raise, "it begins with states");
  else if (sym_raise_has (raise, LENGTHS) || sym_raise_has (raise, PEEPHOLES) ||
           sym_raise_get_int (raise, "layout", 0) != 0 ||
           sym_raise_get_int (raise, "input_forget", 0) != 0 ||
           sym_raise_get_float (raise, "clip", 0) != 0)
    sym_raise_fail (raise, "Keras' steps are as many for all, and look at no cells");
  else if (!has_functions (raise, onnx))
    sym_raise_fail (raise, "its functions are not those that Keras has");
  return !sym_raise_has_failed (raise);
}

/* [directions, gates * units, features] as [features, gates * units]. */
static gboolean
read_kernel (const Recurrent *self, guint slot, guint direction, SymKerasWeight *weight)
{
  const int turned[] = { 1, 0 };
  int gates[4];

  find_gates (self, gates);
  if (!sym_keras_raise_find_weight (self->raise, slot, weight) || weight->shape.rank != 3 ||
      !sym_keras_weight_take_gates (weight, direction, gates, self->cell->n_gates))
    return FALSE;
  sym_keras_weight_turn (weight, turned);
  return TRUE;
}

/* [directions, 2 * gates * units], those of the data and of the state, as one of both; or apart. */
static gboolean
read_bias (const Recurrent *self, guint direction, SymKerasWeight *weight)
{
  gint64 n = self->cell->n_gates * self->units;
  SymShape apart = { .rank = 2, .dims = { 2, n } };
  int gates[8];

  find_gates (self, gates);
  for (int i = 0; i < self->cell->n_gates; i++)
    gates[i + self->cell->n_gates] = gates[i] + self->cell->n_gates;
  if (!sym_keras_raise_find_weight (self->raise, B, weight) || weight->shape.rank != 2 ||
      weight->shape.dims[1] != 2 * n ||
      !sym_keras_weight_take_gates (weight, direction, gates, 2 * self->cell->n_gates))
    return FALSE;
  if (self->is_apart)
    sym_keras_weight_reshape (weight, &apart);
  else if (!sym_keras_weight_add_halves (weight))
    return FALSE;
  return TRUE;
}

static void
put_direction (Recurrent *self, SymId x, guint direction)
{
  SymKerasWeight held[3] = { 0 };
  gboolean has_bias = sym_raise_has (self->raise, B);
  gboolean is_gru = strcmp (self->type, "GRU") == 0;
  gboolean is_backward = self->is_backward || direction > 0;
  SymKerasWeight *weights[] = { &held[0], &held[1], has_bias ? &held[2] : NULL };
  SymId results[MAX_RESULTS] = { SYM_NO_ID };

  if (!read_kernel (self, W, direction, &held[0]) || !read_kernel (self, R, direction, &held[1]) ||
      (has_bias && !read_bias (self, direction, &held[2])))
    sym_raise_fail (self->raise, "its kernels are no weights of a layer");
  else
    sym_keras_raise_several (
        self->raise, self->type, x, weights, 3, results, 1 + self->cell->n_states, "units",
        sym_value_new_int (self->units), "return_sequences", sym_value_new_bool (TRUE),
        "return_state", sym_value_new_bool (TRUE), "go_backwards", sym_value_new_bool (is_backward),
        "use_bias", sym_value_new_bool (has_bias), is_gru ? "reset_after" : "activation",
        is_gru ? sym_value_new_bool (self->is_apart) : sym_value_new_string ("tanh"),
        strcmp (self->type, "SimpleRNN") == 0 ? NULL : "recurrent_activation",
        strcmp (self->type, "SimpleRNN") == 0 ? NULL : sym_value_new_string ("sigmoid"), NULL);
  self->sequence[direction] = results[0];
  if (is_backward) /* the last step is the first result */
    self->sequence[direction] = sym_keras_raise_operation (self->raise, FALSE, "Flip", &results[0],
                                                           1, "axis", sym_value_new_int (1), NULL);
  for (guint i = 0; i < self->cell->n_states; i++)
    self->states[i][direction] = results[i + 1];
  for (guint i = 0; i < 3; i++)
    sym_keras_weight_clear (&held[i]);
}

/* One result of each direction along @axis. */
static SymId
join (const Recurrent *self, const SymId *parts, gint64 axis)
{
  if (self->n_directions == 1)
    return sym_keras_raise_operation (self->raise, FALSE, "ExpandDims", parts, 1, "axis",
                                      sym_value_new_int (axis), NULL);
  return sym_keras_raise_operation (self->raise, FALSE, "Stack", parts, 2, "axis",
                                    sym_value_new_int (axis), NULL);
}

static const gint64 swapped[] = { 1, 0, 2 };

static void
raise_recurrent (SymRaise *raise)
{
  Recurrent self = { 0 };
  SymId x, parts[MAX_DIRECTIONS];

  if (!read_cell (raise, &self))
    return;
  x = sym_raise_operand (raise, X);
  x = sym_keras_raise_permute (raise, FALSE, x, swapped, 3);
  for (guint i = 0; i < self.n_directions; i++)
    put_direction (&self, x, i);
  if (sym_raise_is_used (raise, 0))
    {
      for (guint i = 0; i < self.n_directions; i++)
        parts[i] = sym_keras_raise_permute (raise, FALSE, self.sequence[i], swapped, 3);
      sym_raise_set_result (raise, 0, join (&self, parts, 1));
    }
  for (guint i = 0; i < self.cell->n_states; i++)
    if (sym_raise_is_used (raise, i + 1))
      sym_raise_set_result (raise, i + 1, join (&self, self.states[i], 0));
}

const SymRaiseRule sym_keras_raise_recurrent[] = {
  { "GRU", 1, raise_recurrent },
  { "LSTM", 1, raise_recurrent },
  { "RNN", 1, raise_recurrent },
  { NULL },
};
