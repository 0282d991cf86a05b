/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-tflite.h"

/* Recurrent layers over all steps: UNIDIRECTIONAL_SEQUENCE_LSTM, BIDIRECTIONAL_SEQUENCE_LSTM and
 * the RNNs.  The state that they begin with is an operand.  Each step is a few layers of its own,
 * as the bounds of the cell and the projection have no counterpart in ONNX. */

#define MAX_STEPS 1024
#define MAX_GATES 4

/* Where a direction has its operands; 0 for what the operator does not have. */
typedef struct {
  guint weights;    /* of the data: one for each gate */
  guint recurrent;  /* of the state */
  guint sees;       /* what gates input, forget, output see of the cell */
  guint bias;       /* one for each gate */
  guint projection; /* its weights, and then its bias */
  guint state;      /* what came out before, and then the cell */
  guint extra;      /* from here on what is not lowered */
} Places;

enum { LSTM, BOTH_LSTM, RNN, BOTH_RNN };

static const struct {
  const char *name;
  guint n_gates, n_directions;
  Places places[2];
} kinds[] = {
  [LSTM] = { "UNIDIRECTIONAL_SEQUENCE_LSTM", 4, 1, { { 1, 5, 9, 12, 16, 18, 20 } } },
  [BOTH_LSTM] = { "BIDIRECTIONAL_SEQUENCE_LSTM",
                  4,
                  2,
                  { { 1, 5, 9, 12, 16, 35, 39 }, { 18, 22, 26, 29, 33, 37, 39 } } },
  [RNN] = { "UNIDIRECTIONAL_SEQUENCE_RNN", 1, 1, { { 1, 2, 0, 3, 0, 4, 5 } } },
  [BOTH_RNN] = { "BIDIRECTIONAL_SEQUENCE_RNN",
                 1,
                 2,
                 { { 1, 2, 0, 3, 0, 4, 9 }, { 5, 6, 0, 7, 0, 8, 9 } } },
};

static guint
find_kind (const char *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, type) == 0)
      return i;
  g_return_val_if_reached (0);
}

/* ---- Shapes ---- */

/* Features of a direction: those of the state that its gates read. */
static SymDim
get_features (SymRule *rule, guint kind, guint direction)
{
  guint forget = kinds[kind].n_gates == 1 ? 0 : 1;
  SymShape recurrent = sym_rule_get_input (rule, kinds[kind].places[direction].recurrent + forget);

  return recurrent.rank == 2 ? recurrent.dims[1] : SYM_DIM_UNKNOWN;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  guint kind = find_kind (sym_rule_get_type (rule));
  gboolean merged = sym_rule_get_bool (rule, "merge_outputs", FALSE);
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (shape.rank >= 0 && shape.rank != 3)
    return sym_rule_fail (error, "data must have 3 axes, not %d", shape.rank);
  if (shape.rank < 0)
    shape = sym_shape_new_unknown (3);
  for (guint i = 0; i < kinds[kind].n_directions; i++)
    {
      shape.dims[2] = get_features (rule, kind, i);
      if (merged && kinds[kind].n_directions == 2)
        shape.dims[2] = sym_terms_add (sym_rule_get_terms (rule), get_features (rule, kind, 0),
                                       get_features (rule, kind, 1));
      if (!sym_op_set_output (rule, i, shape, dtype, error))
        return FALSE;
      if (merged)
        return TRUE;
    }
  return TRUE;
}

/* ---- One direction ---- */

typedef struct {
  SymOpLower *lower;
  const Places *places;
  guint n_gates;
  gboolean is_coupled; /* the input gate is what the forget gate leaves */
  gint64 n_steps, units, features;
  double clip, projection_clip;
  SymId inputs;    /* [steps, batch, gates * units], of all data */
  SymId recurrent; /* [features, gates * units] */
} Run;

static SymId
binary (const Run *self, const char *name, SymId a, SymId b)
{
  return sym_op_lower_binary (self->lower, name, a, b);
}

static SymId
bound (const Run *self, SymId x, double clip)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self->lower, 0);

  if (clip <= 0)
    return x;
  return sym_op_lower_call (self->lower, "Clip",
                            SYM_IDS (x, sym_op_lower_number (self->lower, dtype, -clip),
                                     sym_op_lower_number (self->lower, dtype, clip)),
                            NULL);
}

/* The operands of all gates from @first on, one below the other; the coupled gate has none. */
static SymId
join_gates (const Run *self, guint first)
{
  SymId parts[MAX_GATES];
  guint n = 0;

  for (guint i = self->is_coupled ? 1 : 0; i < self->n_gates; i++)
    {
      if (!sym_op_lower_need_tensor (self->lower, first + i))
        return SYM_NO_ID;
      parts[n++] = sym_op_lower_input (self->lower, first + i);
    }
  return n == 1 ? parts[0]
                : sym_op_lower_call (self->lower, "Concat", (SymIds){ parts, n }, "axis",
                                     sym_value_new_int (0), NULL);
}

/* Gate @i of input, forget, cell and output, and what it sees of @cell. */
static SymId
get_gate (const Run *self, SymId gates, guint i, SymId cell)
{
  static const guint seen[MAX_GATES] = { 0, 1, 0, 2 };
  gint64 first = (gint64) (self->is_coupled ? i - 1 : i) * self->units;
  SymId x = sym_op_lower_slice (self->lower, gates, 1, first, first + self->units, 1);
  guint sees = self->places->sees + seen[i];

  if (i == 2 || !sym_op_lower_has_input (self->lower, sees))
    return x;
  return binary (self, "Add", x,
                 binary (self, "Mul", cell, sym_op_lower_input (self->lower, sees)));
}

static SymId
project (const Run *self, SymId x)
{
  guint at = self->places->projection;

  if (!sym_op_lower_has_input (self->lower, at))
    return x;
  x = binary (self, "MatMul", x,
              sym_op_lower_transpose (self->lower, sym_op_lower_input (self->lower, at), 2, 1, 0));
  if (sym_op_lower_has_input (self->lower, at + 1))
    x = binary (self, "Add", x, sym_op_lower_input (self->lower, at + 1));
  return bound (self, x, self->projection_clip);
}

static SymId
open_gate (const Run *self, SymId gates, guint i, SymId cell)
{
  return sym_op_lower_unary (self->lower, "Sigmoid", get_gate (self, gates, i, cell));
}

static void
run_cell (const Run *self, SymId gates, SymId *state, SymId *cell)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self->lower, 0);
  SymId forget = open_gate (self, gates, 1, *cell), input, into;

  input = self->is_coupled
              ? binary (self, "Sub", sym_op_lower_number (self->lower, dtype, 1), forget)
              : open_gate (self, gates, 0, *cell);
  into = sym_op_tflite_activate (self->lower, get_gate (self, gates, 2, *cell));
  *cell =
      binary (self, "Add", binary (self, "Mul", forget, *cell), binary (self, "Mul", input, into));
  *cell = bound (self, *cell, self->clip);
  *state = binary (self, "Mul", open_gate (self, gates, 3, *cell),
                   sym_op_tflite_activate (self->lower, *cell));
  *state = project (self, *state);
}

/* All steps, from the last one on with @backward: [steps, batch, features]. */
static SymId
run_steps (const Run *self, gint64 batch, gboolean backward)
{
  SymOpLower *lower = self->lower;
  gint64 n_gates = self->n_gates - (self->is_coupled ? 1 : 0);
  SymShape row = SYM_SHAPE (batch, n_gates * self->units);
  SymShape step = SYM_SHAPE (1, batch, self->features);
  SymId state = sym_op_lower_input (lower, self->places->state), cell = SYM_NO_ID;
  g_autofree SymId *made = g_new (SymId, (gsize) self->n_steps);

  if (self->n_gates > 1)
    cell = sym_op_lower_input (lower, self->places->state + 1);
  for (gint64 i = 0; i < self->n_steps; i++)
    {
      gint64 t = backward ? self->n_steps - 1 - i : i;
      SymId gates = sym_op_lower_slice (lower, self->inputs, 0, t, t + 1, 1);

      gates = binary (self, "Add", sym_op_lower_reshape (lower, gates, &row),
                      binary (self, "MatMul", state, self->recurrent));
      if (self->n_gates > 1)
        run_cell (self, gates, &state, &cell);
      else
        state = sym_op_tflite_activate (lower, gates);
      made[t] = sym_op_lower_reshape (lower, state, &step);
    }
  return sym_op_lower_call (lower, "Concat", (SymIds){ made, (gsize) self->n_steps }, "axis",
                            sym_value_new_int (0), NULL);
}

/* What the data, [steps, batch, in], give to all gates. */
static void
prepare (Run *self, SymId x)
{
  SymId weights = join_gates (self, self->places->weights);
  SymId recurrent = join_gates (self, self->places->recurrent);

  self->inputs = binary (self, "MatMul", x, sym_op_lower_transpose (self->lower, weights, 2, 1, 0));
  self->inputs = binary (self, "Add", self->inputs, join_gates (self, self->places->bias));
  self->recurrent = sym_op_lower_transpose (self->lower, recurrent, 2, 1, 0);
}

/* ---- Whole layers ---- */

static gboolean
check (SymOpLower *lower, const Run *self, gint64 batch)
{
  const char *type = sym_op_lower_get_type (lower);

  for (guint i = self->places->extra; i < sym_op_lower_get_n_inputs (lower); i++)
    if (sym_op_lower_has_input (lower, i))
      sym_op_lower_refuse (
          lower, "%s: operand %u, of normalised gates or more data, is not lowered", type, i);
  if (!sym_op_lower_need_tensor (lower, self->places->state) ||
      (self->n_gates > 1 && !sym_op_lower_need_tensor (lower, self->places->state + 1)))
    return FALSE;
  if (self->n_steps < 1 || self->n_steps > MAX_STEPS || batch < 0 || self->units < 1 ||
      self->features < 1)
    sym_op_lower_refuse (lower, "%s: only 1 to %d steps of known sizes are lowered", type,
                         MAX_STEPS);
  return !sym_op_lower_has_failed (lower);
}

static SymId
run_direction (SymOpLower *lower, guint kind, guint direction, SymId x, const SymShape *shape)
{
  const Places *places = &kinds[kind].places[direction];
  guint forget = kinds[kind].n_gates == 1 ? 0 : 1;
  const SymShape *recurrent = sym_op_lower_get_input_shape (lower, places->recurrent + forget);
  Run self = { .lower = lower,
               .places = places,
               .n_gates = kinds[kind].n_gates,
               .is_coupled =
                   kinds[kind].n_gates > 1 && !sym_op_lower_has_input (lower, places->weights),
               .n_steps = shape->dims[0],
               .units = recurrent->rank == 2 ? recurrent->dims[0] : 0,
               .features = recurrent->rank == 2 ? recurrent->dims[1] : 0,
               .clip = sym_op_lower_get_float (lower, "cell_clip", 0),
               .projection_clip = sym_op_lower_get_float (lower, "proj_clip", 0) };

  if (!check (lower, &self, shape->dims[1]))
    return SYM_NO_ID;
  prepare (&self, x);
  return sym_op_lower_has_failed (lower) ? SYM_NO_ID
                                         : run_steps (&self, shape->dims[1], direction == 1);
}

/* Axes batch and time exchanged, where the batch comes first. */
static SymId
turn (SymOpLower *self, SymId x)
{
  return sym_op_lower_get_bool (self, "time_major", FALSE)
             ? x
             : sym_op_lower_transpose (self, x, 3, 1, 0, 2);
}

static void
lower_recurrent (SymOpLower *self)
{
  guint kind = find_kind (sym_op_lower_get_type (self)), n = kinds[kind].n_directions;
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  SymId results[2], x;

  if (sym_op_tflite_quantized (self) || !sym_op_lower_need_tensor (self, 0))
    return;
  if (shape.rank != 3)
    {
      sym_op_lower_fail (self, "%s: data must have 3 axes", kinds[kind].name);
      return;
    }
  if (!sym_op_lower_get_bool (self, "time_major", FALSE))
    shape = SYM_SHAPE (shape.dims[1], shape.dims[0], shape.dims[2]);
  x = turn (self, sym_op_lower_input (self, 0));
  for (guint i = 0; i < n; i++)
    {
      results[i] = run_direction (self, kind, i, x, &shape);
      if (sym_op_lower_has_failed (self))
        return;
    }
  if (n == 2 && sym_op_lower_get_bool (self, "merge_outputs", FALSE))
    {
      results[0] = sym_op_lower_call (self, "Concat", (SymIds){ results, 2 }, "axis",
                                      sym_value_new_int (2), NULL);
      n = 1;
    }
  for (guint i = 0; i < MIN (n, sym_op_lower_get_n_outputs (self)); i++)
    sym_op_lower_set_output (self, i, turn (self, results[i]));
}

/* ---- Table ---- */

static const SymAttributeSpec attributes[] = {
  { "fused_activation_function", SYM_ATTRIBUTE_ANY, "NONE",
    "what is made of the cell, or of the state of an RNN" },
  { "time_major", SYM_ATTRIBUTE_BOOL, "False", "whether steps come before the batch" },
  { "merge_outputs", SYM_ATTRIBUTE_BOOL, "False", "whether both directions give one result" },
  { "cell_clip", SYM_ATTRIBUTE_FLOAT, "0", "bound of the cell, none for 0" },
  { "proj_clip", SYM_ATTRIBUTE_FLOAT, "0", "bound of the projection, none for 0" },
  { NULL },
};

#define RECURRENT(name_, summary_)                                                       \
  {                                                                                      \
    TFLITE (name_, NULL, summary_, WEIGHTS),                                             \
        .slots = sym_op_foreign_many, .get_n_operands = sym_op_foreign_any,              \
        .attributes = attributes, .get_n_outputs = sym_op_foreign_first, .infer = infer, \
        .lower = lower_recurrent, .is_composite = TRUE                                   \
  }

const SymOperator sym_op_tflite_recurrent[] = {
  RECURRENT ("BIDIRECTIONAL_SEQUENCE_LSTM", "LSTM over all steps, in both directions"),
  RECURRENT ("BIDIRECTIONAL_SEQUENCE_RNN", "Recurrent layer over all steps, in both directions"),
  RECURRENT ("UNIDIRECTIONAL_SEQUENCE_LSTM", "LSTM over all steps"),
  RECURRENT ("UNIDIRECTIONAL_SEQUENCE_RNN", "Recurrent layer over all steps"),
  { NULL },
};
