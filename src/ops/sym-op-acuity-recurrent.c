/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Acuity's recurrences. */

/* ---- Rules ---- */

static gboolean
is_caffe (SymRule *rule)
{
  return g_strcmp0 (sym_rule_get_string (rule, "axes", NULL), "NCHW") == 0;
}

/* Not the layers of one step. */
static gboolean
has_steps (SymRule *rule)
{
  const char *type = sym_rule_get_type (rule);

  return is_caffe (rule) || g_str_equal (type, "lstm") || g_str_equal (type, "gru");
}

/* Steps and batch of sequences, of three axes or, as one step, of two.  Caffe's may have four, the
 * second of which, the batch, lies last, as the channels of images do. */
static gboolean
read_sequences (SymRule *rule, SymShape *steps, SymDim *batch, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gboolean is_major = data.rank == 3 && sym_rule_get_bool (rule, "time_major", has_steps (rule));

  if (data.rank != 2 && data.rank != 3 && !(data.rank == 4 && is_caffe (rule)))
    return sym_rule_fail (error, "sequences have 3 axes, not %d", data.rank);
  *batch = data.dims[data.rank == 4 ? 3 : is_major ? 1 : 0];
  *steps = SYM_SHAPE (data.dims[0], data.rank == 4 ? *batch : data.dims[1], 0);
  return TRUE;
}

/* Whether each step comes out, as it does unless the file says no. */
static gboolean
returns_steps (SymRule *rule)
{
  return sym_rule_get_input (rule, 0).rank != 2 &&
         sym_rule_get_bool (rule, "return_sequences", has_steps (rule));
}

/* The features of a step: Caffe's images are two axes of them. */
static SymDim
get_features (SymRule *rule)
{
  SymShape data = sym_rule_get_input (rule, 0);

  return data.rank == 4 ? sym_terms_multiply (sym_rule_get_terms (rule), data.dims[1], data.dims[2])
                        : data.dims[data.rank - 1];
}

/* kernel [in + units, gates], bias [gates]: those of TensorFlow's cells. */
static gboolean
set_kernel (SymRule *rule, guint i, SymDim units, gint64 n_gates, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim gates = sym_terms_multiply (terms, units, n_gates);

  return sym_op_set_input (rule, i,
                           SYM_SHAPE (sym_terms_add (terms, get_features (rule), units), gates),
                           error) &&
         sym_op_set_input (rule, i + 1, SYM_SHAPE (gates), error);
}

static gboolean
has_type (SymRule *rule, const char *type)
{
  return g_str_equal (sym_rule_get_type (rule), type);
}

/* Of each step, or of the last one; then both states.  A projection is what comes out. */
static gboolean
infer_lstm (SymRule *rule, GError **error)
{
  SymDim units = sym_op_engine_get_count (rule, "weights"),
         out = sym_rule_get_int (rule, "num_proj", 0), batch;
  SymShape shapes[3], steps;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || sym_rule_get_input (rule, 0).rank < 0)
    return sym_op_pass_dtype (rule, 0, 0, error);
  if (!read_sequences (rule, &steps, &batch, error))
    return FALSE;
  if (out < 1 || out > G_MAXINT32)
    out = units;
  if (has_type (rule, "lstm") && sym_rule_get_n_inputs (rule) == 3 &&
      !set_kernel (rule, 1, units, 4, error))
    return FALSE;
  shapes[0] =
      returns_steps (rule) ? SYM_SHAPE (steps.dims[0], steps.dims[1], out) : SYM_SHAPE (batch, out);
  shapes[1] = SYM_SHAPE (batch, out);
  shapes[2] = SYM_SHAPE (batch, units);
  for (guint i = 0; i < MIN (sym_rule_get_n_outputs (rule), 3); i++)
    if (!sym_rule_set_output (rule, i, &shapes[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_gru (SymRule *rule, GError **error)
{
  SymDim units = sym_op_engine_get_count (rule, "num_units"), batch;
  SymShape state, all, steps;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || sym_rule_get_input (rule, 0).rank < 0)
    return sym_op_pass_dtype (rule, 0, 0, error);
  if (!read_sequences (rule, &steps, &batch, error))
    return FALSE;
  if (has_type (rule, "gru") && sym_rule_get_n_inputs (rule) == 5 &&
      !(set_kernel (rule, 1, units, 2, error) && set_kernel (rule, 3, units, 1, error)))
    return FALSE;
  state = SYM_SHAPE (batch, units);
  all = SYM_SHAPE (steps.dims[0], steps.dims[1], units);
  return sym_rule_set_output (rule, 0, returns_steps (rule) ? &all : &state, error) &&
         (sym_rule_get_n_outputs (rule) < 2 || sym_rule_set_output (rule, 1, &state, error));
}

static gboolean
infer_turned (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

static gboolean
infer_indicator (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (sym_op_engine_get_count (rule, "time_step"),
                                       sym_op_engine_get_count (rule, "batch_size")),
                            SYM_DTYPE_FLOAT32, error);
}

/* ---- Lowering ---- */

/* A layer while it is lowered: sequences and kernels as ONNX has them. */
typedef struct {
  SymOpLower *lower;
  SymId x; /* [steps, batch, in] */
  gboolean is_major, returns_steps;
  gint64 in, units;
} Cell;

static gboolean
begin (SymOpLower *self, Cell *cell, guint n_inputs, const char *units)
{
  static const char *const allowed[] = { "tanh", "sigmoid" };
  static const char *const names[] = { "activation", "recurrent_activation" };
  int rank = sym_op_foreign_rank (self, 0);
  gboolean is_caffe = sym_op_lower_has_string (self, "axes", "NCHW");

  *cell = (Cell){ .lower = self,
                  .x = sym_op_lower_input (self, 0),
                  .is_major = sym_op_lower_get_bool (self, "time_major", TRUE),
                  .returns_steps = sym_op_lower_get_bool (self, "return_sequences", TRUE),
                  .units = sym_op_lower_get_int (self, units, 0) };
  if (sym_op_lower_get_n_inputs (self) != n_inputs || (rank != 3 && !(rank == 4 && is_caffe)))
    sym_op_lower_refuse (self, "%s: only sequences with weights beside the file are lowered",
                         sym_op_lower_get_type (self));
  for (guint i = 0; i < 2; i++)
    if (!g_str_equal (sym_op_lower_get_string (self, names[i], allowed[i]), allowed[i]))
      sym_op_lower_refuse (self, "%s: an %s other than %s is not lowered",
                           sym_op_lower_get_type (self), names[i], allowed[i]);
  for (guint i = 1; i < n_inputs; i++)
    sym_op_lower_need_tensor (self, i);
  if (cell->units < 1 || cell->units > G_MAXINT32)
    sym_op_lower_fail (self, "%s: how many units is not told", sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self))
    return FALSE;
  if (rank == 4)
    {
      cell->x = sym_op_foreign_channels_first (self, cell->x, 4);
      cell->x = sym_op_foreign_reshape (self, cell->x, (const gint64[]){ 0, 0, -1 }, 3, TRUE);
      cell->in = sym_op_foreign_multiply (self, sym_op_foreign_size (self, 0, 1),
                                          sym_op_foreign_size (self, 0, 2));
    }
  else
    cell->in = sym_op_foreign_size (self, 0, 2);
  if (rank == 3 && !cell->is_major)
    cell->x = sym_op_lower_transpose (self, cell->x, 3, 1, 0, 2);
  return !sym_op_lower_has_failed (self);
}

/* Gate @i of a kernel, or of a bias where @axis is 0. */
static SymId
take_gate (const Cell *cell, SymId x, int axis, gint64 i)
{
  return sym_op_lower_slice (cell->lower, x, axis, i * cell->units, (i + 1) * cell->units, 1);
}

static SymId
join (const Cell *cell, SymIds parts, gint64 axis)
{
  return sym_op_lower_call (cell->lower, "Concat", parts, "axis", sym_value_new_int (axis), NULL);
}

/* What goes to the data or to the state, of a kernel whose gates are in order: [1, gates, in]. */
static SymId
take_rows (const Cell *cell, SymId kernel, gint64 start, gint64 stop)
{
  SymId rows = sym_op_lower_slice (cell->lower, kernel, 0, start, stop, 1);

  return sym_op_foreign_unsqueeze (cell->lower, sym_op_lower_transpose (cell->lower, rows, 2, 1, 0),
                                   (const gint64[]){ 0 }, 1);
}

/* Those of the state have no bias of their own. */
static SymId
finish_bias (const Cell *cell, SymId bias, gint64 n_gates)
{
  SymDType dtype = sym_op_lower_get_input_dtype (cell->lower, 0);
  SymId none = sym_op_lower_fill (cell->lower, dtype, &SYM_SHAPE (n_gates * cell->units), 0);

  return sym_op_foreign_unsqueeze (cell->lower, join (cell, SYM_IDS (bias, none), 0),
                                   (const gint64[]){ 0 }, 1);
}

/* All steps, or the last state, then the states: [steps, 1, batch, units] and [1, batch, units]. */
static void
set_results (const Cell *cell, SymId y, guint n_states)
{
  SymOpLower *self = cell->lower;
  guint n = sym_op_lower_get_n_outputs (self);
  SymId all = sym_op_foreign_squeeze (self, y, (const gint64[]){ 1 }, 1);

  if (!cell->is_major)
    all = sym_op_lower_transpose (self, all, 3, 1, 0, 2);
  for (guint i = 0; i < MIN (n, n_states + 1); i++)
    if (i == 0 && cell->returns_steps)
      sym_op_lower_set_output (self, 0, all);
    else
      sym_op_lower_set_output (
          self, i,
          sym_op_foreign_squeeze (self, sym_op_lower_get_result (self, y, MAX (i, 1)),
                                  (const gint64[]){ 0 }, 1));
}

/* TensorFlow's gates are in, new, forget, out, and the one that forgets has a number added. */
static void
lower_lstm (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double forget = sym_op_lower_get_float (self, "forget_bias", 1);
  SymId kernel, bias, gates[4], biases[4];
  Cell cell;

  if (sym_op_lower_get_bool (self, "use_cifg", FALSE) ||
      sym_op_lower_get_bool (self, "use_peepholes", FALSE) ||
      sym_op_lower_get_int (self, "num_proj", 0) != 0 ||
      sym_op_lower_get_float (self, "cell_clip", 0) != 0)
    sym_op_lower_refuse (self, "lstm: only the plain one is lowered");
  if (!begin (self, &cell, 3, "weights"))
    return;
  for (int i = 0; i < 4; i++)
    {
      static const gint64 order[] = { 0, 3, 2, 1 };

      gates[i] = take_gate (&cell, sym_op_lower_input (self, 1), 1, order[i]);
      biases[i] = take_gate (&cell, sym_op_lower_input (self, 2), 0, order[i]);
    }
  biases[2] =
      sym_op_lower_binary (self, "Add", biases[2], sym_op_lower_number (self, dtype, forget));
  kernel = join (&cell, (SymIds){ gates, 4 }, 1);
  bias = finish_bias (&cell, join (&cell, (SymIds){ biases, 4 }, 0), 4);
  set_results (
      &cell,
      sym_op_lower_call (self, "LSTM",
                         SYM_IDS (cell.x, take_rows (&cell, kernel, 0, cell.in),
                                  take_rows (&cell, kernel, cell.in, cell.in + cell.units), bias),
                         "hidden_size", sym_value_new_int (cell.units), NULL),
      2);
}

/* Gates reset, update and a candidate, which have kernels of their own. */
static void
lower_gru (SymOpLower *self)
{
  SymId gates = sym_op_lower_input (self, 1), biases = sym_op_lower_input (self, 2), kernel, bias;
  Cell cell;

  if (!g_str_equal (sym_op_lower_get_string (self, "direction", "forward"), "forward") ||
      sym_op_lower_get_int (self, "linear_before_reset", 0) != 0)
    sym_op_lower_refuse (self, "gru: only the plain one is lowered");
  if (!begin (self, &cell, 5, "num_units"))
    return;
  kernel = join (&cell,
                 SYM_IDS (take_gate (&cell, gates, 1, 1), take_gate (&cell, gates, 1, 0),
                          sym_op_lower_input (self, 3)),
                 1);
  bias = join (&cell,
               SYM_IDS (take_gate (&cell, biases, 0, 1), take_gate (&cell, biases, 0, 0),
                        sym_op_lower_input (self, 4)),
               0);
  set_results (&cell,
               sym_op_lower_call (self, "GRU",
                                  SYM_IDS (cell.x, take_rows (&cell, kernel, 0, cell.in),
                                           take_rows (&cell, kernel, cell.in, cell.in + cell.units),
                                           finish_bias (&cell, bias, 3)),
                                  "hidden_size", sym_value_new_int (cell.units), NULL),
               1);
}

/* ---- Table ---- */

static const SymAttributeSpec indicator_attributes[] = {
  { "time_step", SYM_ATTRIBUTE_INT, "0", "steps" },
  { "batch_size", SYM_ATTRIBUTE_INT, "0", "sequences" },
  { NULL },
};

static const SymAttributeSpec turned_attributes[] = {
  { "seq_axis", SYM_ATTRIBUTE_INT, "1", "the axis of steps" },
  { "batch_axis", SYM_ATTRIBUTE_INT, "2", "the axis of sequences" },
  { NULL },
};

static const SymAttributeSpec recurrent_attributes[] = {
  { "weights", SYM_ATTRIBUTE_INT, "0", "units" },
  { "num_units", SYM_ATTRIBUTE_INT, "0", "units of a GRU" },
  { "num_proj", SYM_ATTRIBUTE_INT, "None", "features of a projection" },
  { "return_sequences", SYM_ATTRIBUTE_BOOL, "True", "whether all steps come out" },
  { "time_major", SYM_ATTRIBUTE_BOOL, "True", "whether steps are the first axis" },
  { "forget_bias", SYM_ATTRIBUTE_FLOAT, "1.0", "added to the gate that forgets" },
  { "activation", SYM_ATTRIBUTE_STRING, "tanh", "of what is new" },
  { "recurrent_activation", SYM_ATTRIBUTE_STRING, "sigmoid", "of gates" },
  { "direction", SYM_ATTRIBUTE_STRING, "forward", "of a GRU" },
  { "axes", SYM_ATTRIBUTE_STRING, "None", "NCHW: the layer is one of Caffe's" },
  { NULL },
};

static const SymAttributeSpec cell_attributes[] = {
  { "weights", SYM_ATTRIBUTE_INT, "0", "units" },
  { "num_units", SYM_ATTRIBUTE_INT, "0", "units of a GRU" },
  { "num_proj", SYM_ATTRIBUTE_INT, "None", "features of a projection" },
  { "return_sequences", SYM_ATTRIBUTE_BOOL, "False", "whether all steps come out" },
  { "time_major", SYM_ATTRIBUTE_BOOL, "False", "whether steps are the first axis" },
  { "axes", SYM_ATTRIBUTE_STRING, "None", "NCHW: the layer is one of Caffe's" },
  { NULL },
};

static const SymSlotSpec lstm_slots[] = {
  { "input" },
  { "kernel", SYM_SLOT_PARAMETER, TRUE },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec gru_slots[] = {
  { "input" },
  { "gates_kernel", SYM_SLOT_PARAMETER, TRUE },
  { "gates_bias", SYM_SLOT_PARAMETER, TRUE },
  { "candidate_kernel", SYM_SLOT_PARAMETER, TRUE },
  { "candidate_bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

#define RECURRENT(name_, summary_, slots_, infer_, lower_)                           \
  SYM_OP_ENGINE_RULED ("acuity", "Acuity 6", name_, NULL, summary_, WEIGHTS, slots_, \
                       recurrent_attributes, infer_, lower_)

#define RULE(name_, aliases_, summary_, category_, slots_, attributes_, infer_)      \
  {                                                                                  \
    SYM_OP_FOREIGN ("acuity", name_, aliases_, summary_, category_),                 \
        .reference = "Acuity 6 " name_, .slots = slots_, .attributes = attributes_,  \
        .get_n_operands = sym_op_foreign_any, .get_n_outputs = sym_op_foreign_first, \
        .infer = infer_                                                              \
  }

const SymOperator sym_op_acuity_recurrent[] = {
  RECURRENT ("lstm", "Long short-term memory", lstm_slots, infer_lstm, lower_lstm),
  RULE ("lstmunit",
        NULL,
        "One step of long short-term memory",
        WEIGHTS,
        sym_op_foreign_many,
        cell_attributes,
        infer_lstm),
  RECURRENT ("gru", "Gated recurrence", gru_slots, infer_gru, lower_gru),
  RULE ("gru_cell",
        NULL,
        "One step of a gated recurrence",
        WEIGHTS,
        sym_op_foreign_many,
        cell_attributes,
        infer_gru),
  RULE ("reverse_sequence",
        NULL,
        "The last of each sequence's steps first",
        SHAPE,
        sym_op_foreign_many,
        turned_attributes,
        infer_turned),
  RULE ("continuationindicator",
        NULL,
        "Where Caffe's sequences go on",
        OTHER,
        sym_op_foreign_many,
        indicator_attributes,
        infer_indicator),
  { NULL },
};
