/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

#include <string.h>

/* Sequences have data [batch, time, features], states [batch, directions, hidden] and weights
 * [directions, gates * hidden, ...]; cells are one step of them, without directions. */

typedef struct {
  const char *onnx;
  gint64 n_gates;
  int order[4]; /* where ONNX's gates stand */
  guint n_states;
} Cell;

/* OpenVINO: forget, input, cell, output; ONNX: input, output, forget, cell. */
static const Cell lstm = { "LSTM", 4, { 1, 3, 0, 2 }, 2 };
static const Cell gru = { "GRU", 3, { 0, 1, 2 }, 1 };
static const Cell rnn = { "RNN", 1, { 0 }, 1 };

typedef struct {
  SymOpLower *lower;
  const Cell *cell;
  gboolean is_step;
  gint64 hidden, n_directions;
  guint lengths, kernel; /* slots; recurrent weights and biases follow the kernel */
} Recurrence;

static SymId
unsqueeze (const Recurrence *self, SymId x, gint64 axis)
{
  return x == SYM_NO_ID ? x : sym_op_foreign_unsqueeze (self->lower, x, &axis, 1);
}

static gboolean
begin (Recurrence *self, SymOpLower *lower)
{
  const char *type = sym_op_lower_get_type (lower);
  const char *direction = sym_op_lower_get_string (lower, "direction", "forward");

  *self = (Recurrence){ .lower = lower, .is_step = g_str_has_suffix (type, "Cell") };
  self->cell = *type == 'L' ? &lstm : *type == 'G' ? &gru : &rnn;
  self->hidden = sym_op_lower_get_int (lower, "hidden_size", 0);
  self->n_directions = strcmp (direction, "bidirectional") == 0 ? 2 : 1;
  self->lengths = 1 + self->cell->n_states;
  self->kernel = self->lengths + (self->is_step ? 0 : 1);
  if (self->hidden < 1 || self->hidden > G_MAXINT32 / 4)
    sym_op_lower_fail (lower, "%s: hidden_size must be at least 1", type);
  for (guint i = 0; i < 2; i++)
    if (!sym_op_lower_need_tensor (lower, self->kernel + i))
      return FALSE;
  if (sym_op_foreign_rank (lower, 0) != (self->is_step ? 2 : 3))
    sym_op_lower_fail (lower, "%s: the data must have %d axes", type, self->is_step ? 2 : 3);
  if (sym_op_lower_get_float (lower, "clip", 0) != 0)
    sym_op_lower_refuse (lower, "%s: clip is not lowered", type);
  return !sym_op_lower_has_failed (lower);
}

/* ---- Functions ---- */

/* "sigmoid", "tanh", "relu" of ONNX's name. */
static const char *
name_function (const Recurrence *self, const char *name)
{
  static const char *const names[][2] = {
    { "sigmoid", "Sigmoid" },
    { "tanh", "Tanh" },
    { "relu", "Relu" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (names[i][0], name) == 0)
      return names[i][1];
  sym_op_lower_refuse (self->lower, "%s: activation “%s” is not lowered",
                       sym_op_lower_get_type (self->lower), name);
  return "Tanh";
}

/* A text with commas, or a list; those of the cell without one. */
static SymValue *
list_functions (const Recurrence *self)
{
  static const char *const defaults[] = { "sigmoid", "tanh", "tanh" };
  const SymValue *value = sym_attributes_find (
      sym_layer_get_attributes (sym_op_lower_get_layer (self->lower)), "activations");
  const char *text = sym_value_as_string (value, NULL);
  g_auto (GStrv) parts = text == NULL ? NULL : g_strsplit_set (text, ", ", -1);
  guint n = strcmp (self->cell->onnx, "RNN") == 0 ? 1 : self->cell->n_states + 1;
  guint n_given = parts != NULL   ? g_strv_length (parts)
                  : value != NULL ? sym_value_get_n_children (value)
                                  : 0;
  SymValue *functions[6];

  for (guint i = 0; i < n * (guint) self->n_directions; i++)
    {
      const char *name = n == 1 ? "tanh" : defaults[i % n];

      if (i % n < n_given)
        name = parts != NULL ? parts[i % n]
                             : sym_value_get_string (sym_value_get_child (value, i % n));
      functions[i] = sym_value_new_string (name_function (self, name == NULL ? "?" : name));
    }
  return sym_value_new_list (functions, n * (guint) self->n_directions);
}

/* ---- Weights ---- */

static SymId
take (const Recurrence *self, SymId x, gint64 gate)
{
  return sym_op_lower_slice (self->lower, x, 1, gate * self->hidden, (gate + 1) * self->hidden, 1);
}

static SymId
join (const Recurrence *self, const SymId *parts, guint n)
{
  return n == 1 ? parts[0]
                : sym_op_lower_call (self->lower, "Concat", (SymIds){ parts, n }, "axis",
                                     sym_value_new_int (1), NULL);
}

static SymId
get_weight (const Recurrence *self, guint slot)
{
  SymId x = sym_op_lower_input (self->lower, slot);

  return self->is_step ? unsqueeze (self, x, 0) : x;
}

static SymId
order_gates (const Recurrence *self, SymId x)
{
  SymId gates[4];

  if (self->cell != &lstm)
    return x;
  for (int i = 0; i < 4; i++)
    gates[i] = take (self, x, self->cell->order[i]);
  return join (self, gates, 4);
}

/* ONNX has biases of data and state apart.  A GRU that resets after its product has the last gate's
 * twice here. */
static SymId
make_bias (const Recurrence *self, gboolean resets_after)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self->lower, self->kernel + 2);
  SymId bias, zeros, parts[4];

  if (!sym_op_lower_has_input (self->lower, self->kernel + 2))
    return SYM_NO_ID;
  bias = get_weight (self, self->kernel + 2);
  if (resets_after)
    {
      zeros = sym_op_lower_fill (self->lower, dtype,
                                 &SYM_SHAPE (self->n_directions, 2 * self->hidden), 0);
      parts[0] = sym_op_lower_slice (self->lower, bias, 1, 0, 3 * self->hidden, 1);
      parts[1] = zeros;
      parts[2] = take (self, bias, 3);
      return join (self, parts, 3);
    }
  parts[0] = order_gates (self, bias);
  parts[1] = sym_op_lower_fill (
      self->lower, dtype, &SYM_SHAPE (self->n_directions, self->cell->n_gates * self->hidden), 0);
  return join (self, parts, 2);
}

/* ---- The layer ---- */

/* [directions, batch, hidden] */
static SymId
get_state (const Recurrence *self, guint i)
{
  SymId x = sym_op_lower_input (self->lower, 1 + i);

  if (i >= self->cell->n_states || !sym_op_lower_has_input (self->lower, 1 + i))
    return SYM_NO_ID;
  return self->is_step ? unsqueeze (self, x, 0)
                       : sym_op_lower_transpose (self->lower, x, 3, 1, 0, 2);
}

static SymId
give_state (const Recurrence *self, SymId x)
{
  gint64 first = 0;

  return self->is_step ? sym_op_foreign_squeeze (self->lower, x, &first, 1)
                       : sym_op_lower_transpose (self->lower, x, 3, 1, 0, 2);
}

static void
lower (SymOpLower *lower)
{
  SymId x = sym_op_lower_input (lower, 0), lengths = SYM_NO_ID, y;
  gboolean resets_after = sym_op_lower_get_bool (lower, "linear_before_reset", FALSE);
  guint first;
  Recurrence self;

  if (!begin (&self, lower))
    return;
  resets_after = resets_after && self.cell == &gru;
  x = self.is_step ? unsqueeze (&self, x, 0) : sym_op_lower_transpose (lower, x, 3, 1, 0, 2);
  if (!self.is_step && sym_op_lower_has_input (lower, self.lengths))
    lengths = sym_op_lower_cast (lower, sym_op_lower_input (lower, self.lengths), SYM_DTYPE_INT32);
  y = sym_op_lower_call (
      lower, self.cell->onnx,
      SYM_IDS (x, order_gates (&self, get_weight (&self, self.kernel)),
               order_gates (&self, get_weight (&self, self.kernel + 1)),
               make_bias (&self, resets_after), lengths, get_state (&self, 0),
               get_state (&self, 1)),
      "hidden_size", sym_value_new_int (self.hidden), "direction",
      sym_value_new_string (sym_op_lower_get_string (lower, "direction", "forward")), "activations",
      list_functions (&self), self.cell == &gru ? "linear_before_reset" : NULL,
      self.cell == &gru ? sym_value_new_int (resets_after) : NULL, NULL);
  first = self.is_step ? 0 : 1;
  if (!self.is_step)
    sym_op_lower_set_output (lower, 0, sym_op_lower_transpose (lower, y, 4, 2, 1, 0, 3));
  for (guint i = 0; i < self.cell->n_states && i + first < sym_op_lower_get_n_outputs (lower); i++)
    sym_op_lower_set_output (lower, i + first,
                             give_state (&self, sym_op_lower_get_result (lower, y, i + 1)));
}

/* ---- Tables ---- */

#define WEIGHTS_SLOTS \
  { "W" }, { "R" }, { "B", .optional = TRUE }

static const SymSlotSpec lstm_slots[] = {
  { "X" },
  { "initial_hidden_state" },
  { "initial_cell_state" },
  { "sequence_lengths" },
  WEIGHTS_SLOTS,
  { NULL },
};
static const SymSlotSpec state_slots[] = {
  { "X" }, { "initial_hidden_state" }, { "sequence_lengths" }, WEIGHTS_SLOTS, { NULL },
};
static const SymSlotSpec lstm_cell_slots[] = {
  { "X" }, { "initial_hidden_state" }, { "initial_cell_state" }, WEIGHTS_SLOTS, { NULL },
};
static const SymSlotSpec cell_slots[] = {
  { "X" },
  { "initial_hidden_state" },
  WEIGHTS_SLOTS,
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "hidden_size", SYM_ATTRIBUTE_INT, NULL, "features of the state" },
  { "direction", SYM_ATTRIBUTE_STRING, "forward", "in which order the steps are",
    "forward reverse bidirectional" },
  { "activations", SYM_ATTRIBUTE_ANY, "None", "functions of gates and states" },
  { "linear_before_reset", SYM_ATTRIBUTE_BOOL, "False", "whether GRU resets after its product" },
  { "clip", SYM_ATTRIBUTE_FLOAT, "0.0", "bound of what the functions see; 0 for none" },
  { NULL },
};

const SymOperator sym_op_openvino_recurrent[] = {
  OPENVINO_COMPOSITE ("GRUCell", "A step of a GRU", cell_slots, attributes, lower),
  OPENVINO_COMPOSITE ("GRUSequence", "Gated recurrent unit", state_slots, attributes, lower),
  OPENVINO_COMPOSITE ("LSTMCell", "A step of an LSTM", lstm_cell_slots, attributes, lower),
  OPENVINO_COMPOSITE ("LSTMSequence", "Long short-term memory", lstm_slots, attributes, lower),
  OPENVINO_COMPOSITE ("RNNCell", "A step of a recurrent network", cell_slots, attributes, lower),
  OPENVINO_COMPOSITE ("RNNSequence", "Elman's recurrent network", state_slots, attributes, lower),
  { NULL },
};
