/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-tf.h"

/* Recurrent cells in one piece, and layers of them: LSTMBlockCell, BlockLSTM, BlockLSTMV2,
 * GRUBlockCell.  A layer is the cell of each step, one after the other. */

#define MAX_STEPS 1024

/* Operands of a cell; those of a layer come after the number of its steps. */
enum { X, CELL, HIDDEN, WEIGHT, SEES_I, SEES_F, SEES_O, BIAS };

/* Results: the input gate, the cell, the forget gate, the output gate, what goes into the cell,
 * what comes out of it, and the state. */
enum { GATE_I, NEW_CELL, GATE_F, GATE_O, INTO, OUT_OF, STATE, N_RESULTS };

static gboolean
is_layer (const char *type)
{
  return g_str_has_prefix (type, "BlockLSTM");
}

/* ---- Shapes ---- */

/* @n results of @shape. */
static gboolean
set_all (SymRule *rule, SymShape shape, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!sym_op_set_output (rule, i, shape, sym_rule_get_input_dtype (rule, 1), error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_lstm (SymRule *rule, GError **error)
{
  gboolean layer = is_layer (sym_rule_get_type (rule));
  guint at = layer ? 1 : 0;
  SymShape x = sym_rule_get_input (rule, at + X), cell = sym_rule_get_input (rule, at + CELL);
  int rank = layer ? 3 : 2;

  if ((x.rank >= 0 && x.rank != rank) || (cell.rank >= 0 && cell.rank != 2))
    return sym_rule_fail (error, "data must have %d axes, and the cell 2", rank);
  if (x.rank < 0)
    x = sym_shape_new_unknown (rank);
  if (cell.rank < 0)
    cell = sym_shape_new_unknown (2);
  if (!sym_rule_unify (rule, x.dims[rank - 2], cell.dims[0], "rows of data and cell", error))
    return FALSE;
  x.dims[rank - 1] = cell.dims[1];
  return set_all (rule, x, N_RESULTS, error);
}

static gboolean
infer_gru (SymRule *rule, GError **error)
{
  return set_all (rule, sym_rule_get_input (rule, 1), 4, error);
}

/* ---- LSTM ---- */

typedef struct {
  SymOpLower *lower;
  guint at; /* operand X */
  gint64 units;
  double forget_bias, clip;
  gboolean looks;     /* whether gates see the cell */
  const int order[4]; /* of GATE_I, INTO, GATE_F, GATE_O in the weights */
} Lstm;

static SymId
part (const Lstm *self, SymId x, int i)
{
  gint64 first = self->order[i] * self->units;

  return sym_op_lower_slice (self->lower, x, 1, first, first + self->units, 1);
}

/* What of the cell gate @x sees more, and its sigmoid. */
static SymId
open_gate (const Lstm *self, SymId x, SymId cell, guint sees)
{
  if (self->looks)
    x = sym_op_lower_binary (
        self->lower, "Add", x,
        sym_op_lower_binary (self->lower, "Mul", cell,
                             sym_op_lower_input (self->lower, self->at + sees)));
  return sym_op_lower_unary (self->lower, "Sigmoid", x);
}

/* The cell of @gates within its bounds. */
static SymId
renew_cell (const Lstm *self, SymId into, SymId gate_i, SymId cell, SymId gate_f)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self->lower, self->at + X);
  SymId x = sym_op_lower_binary (self->lower, "Mul", into, gate_i);

  x = sym_op_lower_binary (self->lower, "Add", x,
                           sym_op_lower_binary (self->lower, "Mul", cell, gate_f));
  if (self->clip <= 0)
    return x;
  return sym_op_lower_call (self->lower, "Clip",
                            SYM_IDS (x, sym_op_lower_number (self->lower, dtype, -self->clip),
                                     sym_op_lower_number (self->lower, dtype, self->clip)),
                            NULL);
}

/* One step. */
static void
run_cell (const Lstm *self, SymId x, SymId cell, SymId hidden, SymId results[N_RESULTS])
{
  SymOpLower *lower = self->lower;
  SymDType dtype = sym_op_lower_get_input_dtype (lower, self->at + X);
  SymId gates =
      sym_op_lower_call (lower, "Concat", SYM_IDS (x, hidden), "axis", sym_value_new_int (1), NULL);
  SymId forget;

  gates =
      sym_op_lower_binary (lower, "MatMul", gates, sym_op_lower_input (lower, self->at + WEIGHT));
  gates = sym_op_lower_binary (lower, "Add", gates, sym_op_lower_input (lower, self->at + BIAS));
  results[GATE_I] = open_gate (self, part (self, gates, 0), cell, SEES_I);
  results[INTO] = sym_op_lower_unary (lower, "Tanh", part (self, gates, 1));
  forget = part (self, gates, 2);
  if (self->forget_bias != 0)
    forget = sym_op_lower_binary (lower, "Add", forget,
                                  sym_op_lower_number (lower, dtype, self->forget_bias));
  results[GATE_F] = open_gate (self, forget, cell, SEES_F);
  results[NEW_CELL] = renew_cell (self, results[INTO], results[GATE_I], cell, results[GATE_F]);
  results[GATE_O] = open_gate (self, part (self, gates, 3), results[NEW_CELL], SEES_O);
  results[OUT_OF] = sym_op_lower_unary (lower, "Tanh", results[NEW_CELL]);
  results[STATE] = sym_op_lower_binary (lower, "Mul", results[OUT_OF], results[GATE_O]);
}

/* All steps; behind the last one that there is, zeros. */
static void
run_steps (const Lstm *self, const SymShape *to, gint64 n_steps)
{
  SymOpLower *lower = self->lower;
  guint n_outputs = MIN (sym_op_lower_get_n_outputs (lower), N_RESULTS);
  SymId cell = sym_op_lower_input (lower, self->at + CELL);
  SymId hidden = sym_op_lower_input (lower, self->at + HIDDEN);
  SymShape row = SYM_SHAPE (1, to->dims[1], to->dims[2]);
  SymShape step = SYM_SHAPE (to->dims[1], sym_op_lower_get_input_shape (lower, 1)->dims[2]);
  SymId zeros = sym_op_lower_fill (lower, sym_op_lower_get_input_dtype (lower, 1), &row, 0);
  g_autofree SymId *made = g_new (SymId, (gsize) to->dims[0] * N_RESULTS);

  for (gint64 t = 0; t < to->dims[0]; t++)
    {
      SymId results[N_RESULTS];
      SymId x = sym_op_lower_slice (lower, sym_op_lower_input (lower, 1), 0, t, t + 1, 1);

      if (t < n_steps)
        {
          run_cell (self, sym_op_lower_reshape (lower, x, &step), cell, hidden, results);
          cell = results[NEW_CELL];
          hidden = results[STATE];
        }
      for (guint i = 0; i < n_outputs; i++)
        made[i * to->dims[0] + t] =
            t < n_steps ? sym_op_lower_reshape (lower, results[i], &row) : zeros;
    }
  for (guint i = 0; i < n_outputs; i++)
    sym_op_lower_set_output (
        lower, i,
        sym_op_lower_call (lower, "Concat", (SymIds){ made + i * to->dims[0], (gsize) to->dims[0] },
                           "axis", sym_value_new_int (0), NULL));
}

static void
lower_layer (const Lstm *self)
{
  SymOpLower *lower = self->lower;
  const SymShape *x = sym_op_lower_get_input_shape (lower, 1);
  gint64 n_steps;
  SymShape to;

  if (!sym_op_tf_need_shape (lower, GATE_I, &to) ||
      sym_op_lower_read_ints (lower, 0, &n_steps, 1) != 1)
    return;
  if (x->rank != 3 || to.dims[0] < 1 || to.dims[0] > MAX_STEPS)
    sym_op_lower_refuse (lower, "%s: only 1 to %d steps are lowered", sym_op_lower_get_type (lower),
                         MAX_STEPS);
  else
    run_steps (self, &to, n_steps);
}

static void
lower_lstm (SymOpLower *lower)
{
  const char *type = sym_op_lower_get_type (lower);
  gboolean layer = is_layer (type), second = strcmp (type, "BlockLSTMV2") == 0;
  Lstm self = { lower,
                layer ? 1 : 0,
                0,
                second ? 0 : sym_op_lower_get_float (lower, "forget_bias", 1),
                sym_op_lower_get_float (lower, "cell_clip", second ? 0 : 3),
                sym_op_lower_get_bool (lower, "use_peephole", FALSE),
                { 0, second ? 2 : 1, second ? 1 : 2, 3 } };
  const SymShape *cell = sym_op_lower_get_input_shape (lower, self.at + CELL);
  SymId results[N_RESULTS];

  for (guint i = self.at; i <= self.at + BIAS; i++)
    if ((self.looks || i < self.at + SEES_I || i > self.at + SEES_O) &&
        !sym_op_lower_need_tensor (lower, i))
      return;
  if (cell->rank != 2 || cell->dims[1] < 1 || cell->dims[1] > G_MAXINT32)
    {
      sym_op_lower_refuse (lower, "%s: the number of units is not known", type);
      return;
    }
  self.units = cell->dims[1];
  if (layer)
    {
      lower_layer (&self);
      return;
    }
  run_cell (&self, sym_op_lower_input (lower, X), sym_op_lower_input (lower, CELL),
            sym_op_lower_input (lower, HIDDEN), results);
  for (guint i = 0; i < MIN (sym_op_lower_get_n_outputs (lower), N_RESULTS); i++)
    sym_op_lower_set_output (lower, i, results[i]);
}

/* ---- GRU ---- */

/* What operands @weight and @weight + 2 make of @x and @hidden side by side. */
static SymId
combine (SymOpLower *self, SymId x, SymId hidden, guint weight, const char *function)
{
  SymId y =
      sym_op_lower_call (self, "Concat", SYM_IDS (x, hidden), "axis", sym_value_new_int (1), NULL);

  y = sym_op_lower_binary (self, "MatMul", y, sym_op_lower_input (self, weight));
  y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, weight + 2));
  return sym_op_lower_unary (self, function, y);
}

static void
lower_gru (SymOpLower *self)
{
  const SymShape *hidden = sym_op_lower_get_input_shape (self, 1);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 1);
  SymId x = sym_op_lower_input (self, 0), h = sym_op_lower_input (self, 1), results[4], gates, rest;

  for (guint i = 0; i < 6; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  if (hidden->rank != 2 || hidden->dims[1] < 0 || hidden->dims[1] > G_MAXINT32)
    {
      sym_op_lower_refuse (self, "GRUBlockCell: the number of units is not known");
      return;
    }
  gates = combine (self, x, h, 2, "Sigmoid");
  for (int i = 0; i < 2; i++)
    results[i] =
        sym_op_lower_slice (self, gates, 1, i * hidden->dims[1], (i + 1) * hidden->dims[1], 1);
  results[2] = combine (self, x, sym_op_lower_binary (self, "Mul", h, results[0]), 3, "Tanh");
  rest = sym_op_lower_binary (self, "Sub", sym_op_lower_number (self, dtype, 1), results[1]);
  results[3] =
      sym_op_lower_binary (self, "Add", sym_op_lower_binary (self, "Mul", rest, results[2]),
                           sym_op_lower_binary (self, "Mul", results[1], h));
  for (guint i = 0; i < MIN (sym_op_lower_get_n_outputs (self), 4); i++)
    sym_op_lower_set_output (self, i, results[i]);
}

/* ---- Table ---- */

static const SymAttributeSpec lstm_attributes[] = {
  { "forget_bias", SYM_ATTRIBUTE_FLOAT, "1", "what is added to the forget gate; BlockLSTMV2: 0" },
  { "cell_clip", SYM_ATTRIBUTE_FLOAT, "3", "bound of the cell, none for 0; BlockLSTMV2: 0" },
  { "use_peephole", SYM_ATTRIBUTE_BOOL, "False", "whether the gates see the cell" },
  { NULL },
};

#define CELL_SLOTS                                                                  \
  { "x" }, { "cs_prev" }, { "h_prev" }, { "w", SYM_SLOT_PARAMETER },                \
      { "wci", SYM_SLOT_PARAMETER, .optional = TRUE },                              \
      { "wcf", SYM_SLOT_PARAMETER, .optional = TRUE },                              \
      { "wco", SYM_SLOT_PARAMETER, .optional = TRUE }, { "b", SYM_SLOT_PARAMETER }, \
  {                                                                                 \
    NULL                                                                            \
  }

static const SymSlotSpec cell_slots[] = { CELL_SLOTS };
static const SymSlotSpec layer_slots[] = { { "seq_len_max" }, CELL_SLOTS };
static const SymSlotSpec gru_slots[] = {
  { "x" },
  { "h_prev" },
  { "w_ru", SYM_SLOT_PARAMETER },
  { "w_c", SYM_SLOT_PARAMETER },
  { "b_ru", SYM_SLOT_PARAMETER },
  { "b_c", SYM_SLOT_PARAMETER },
  { NULL },
};
static const char *const lstm_names[] = { "i", "cs", "f", "o", "ci", "co", "h", NULL };
static const char *const gru_names[] = { "r", "u", "c", "h", NULL };

#define LSTM(name_, summary_, slots_)                                                      \
  {                                                                                        \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_WEIGHTS,              \
                       .attributes = lstm_attributes, .slots = slots_,                     \
                       .get_n_outputs = sym_op_tf_any_outputs, .output_names = lstm_names, \
                       .infer = infer_lstm, .lower = lower_lstm, .is_composite = TRUE      \
  }

const SymOperator sym_op_tf_cells[] = {
  LSTM ("BlockLSTM", "an LSTM over all steps, gates in the order i, c, f, o", layer_slots),
  LSTM ("BlockLSTMV2", "an LSTM over all steps, gates in the order i, f, c, o", layer_slots),
  { SYM_OP_TF ("GRUBlockCell"), .summary = "one step of a GRU", .category = SYM_CATEGORY_WEIGHTS,
    .slots = gru_slots, .get_n_outputs = sym_op_tf_any_outputs, .output_names = gru_names,
    .infer = infer_gru, .lower = lower_gru, .is_composite = TRUE },
  LSTM ("LSTMBlockCell", "one step of an LSTM", cell_slots),
  { NULL },
};
