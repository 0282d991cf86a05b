/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-cost.h"
#include "query/sym-figures-private.h"

#include <string.h>

#define NOTHING_KNOWN ((SymMeasure){ { 0, FALSE }, { 0, FALSE } })

static SymMeasure
measure_body (SymFigureWalk *self, const SymInference *inference, SymId call, guint body)
{
  const SymInference *inner = sym_inference_get_body (inference, call, body);
  SymMeasure *known, measure;

  if (inner == NULL || !sym_figures_may_enter (self))
    return NOTHING_KNOWN;
  known = g_hash_table_lookup (self->bodies, inner);
  if (known != NULL)
    return *known;
  measure = sym_figures_measure_inner (self, inner);
  g_hash_table_insert (self->bodies, (gpointer) inner, g_memdup2 (&measure, sizeof measure));
  return measure;
}

/* ---- Control flow ---- */

/* One of the bodies is run: at least the least of them. */
static SymMeasure
measure_branches (SymFigureWalk *self, const SymInference *inference, SymId call, guint n)
{
  SymMeasure all = measure_body (self, inference, call, 0);

  for (guint i = 1; i < n; i++)
    {
      SymMeasure one = measure_body (self, inference, call, i);
      gboolean same = one.multiply_adds.n == all.multiply_adds.n;

      all.multiply_adds.known &= one.multiply_adds.known && same;
      all.multiply_adds.n = MIN (all.multiply_adds.n, one.multiply_adds.n);
      all.peak_bytes.known &= one.peak_bytes.known;
      all.peak_bytes.n = MAX (all.peak_bytes.n, one.peak_bytes.n);
    }
  return all;
}

/* MXNet has a condition as body 0, which is run whatever it says. */
static SymMeasure
measure_condition (SymFigureWalk *self, const SymInference *inference, SymId call)
{
  SymMeasure condition = measure_body (self, inference, call, 0);
  SymMeasure then = measure_body (self, inference, call, 1);
  SymMeasure other = measure_body (self, inference, call, 2);

  condition.multiply_adds.known &= then.multiply_adds.known && other.multiply_adds.known &&
                                   then.multiply_adds.n == other.multiply_adds.n;
  if (!g_uint64_checked_add (&condition.multiply_adds.n, condition.multiply_adds.n,
                             MIN (then.multiply_adds.n, other.multiply_adds.n)))
    condition.multiply_adds.known = FALSE;
  condition.peak_bytes.known &= then.peak_bytes.known && other.peak_bytes.known;
  condition.peak_bytes.n =
      MAX (condition.peak_bytes.n, MAX (then.peak_bytes.n, other.peak_bytes.n));
  return condition;
}

/* How often a body is run that takes an operand apart along an axis; -1 when that is not known. */
static gint64
get_length (const SymInference *inference, SymId call, guint operand, gint64 axis)
{
  SymIds operands = sym_model_get_operands (sym_inference_get_model (inference), call);
  SymType type = SYM_TYPE_UNKNOWN;

  if (operand < operands.n && operands.ids[operand] != SYM_NO_ID)
    type = sym_inference_get_type (inference, operands.ids[operand]);
  if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 1)
    return -1;
  if (axis < 0)
    axis += type.shape.rank;
  return axis < 0 || axis >= type.shape.rank ? -1 : MAX (type.shape.dims[axis], -1);
}

static gint64
get_n_steps (const SymInference *inference, SymId call)
{
  SymLayer *layer = sym_model_get_layer (sym_inference_get_model (inference), call);
  SymIds operands = sym_model_get_operands (sym_inference_get_model (inference), call);
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  gint64 axis = 0, n_scanned = sym_attributes_get_int (attributes, "num_scan_inputs", 0);
  gint64 n_formal = (gint64) operands.n - sym_layer_get_n_captures (layer);

  if (sym_layer_get_operator (layer)->domain[0] != '\0')
    return get_length (inference, call, 0, 0);
  sym_attributes_get_ints (attributes, "scan_input_axes", &axis, 1);
  if (sym_layer_get_operator (layer)->since_version < 9 || n_scanned < 1 || n_scanned > n_formal)
    return -1;
  return get_length (inference, call, (guint) (n_formal - n_scanned), axis);
}

static SymMeasure
measure_steps (SymFigureWalk *self, const SymInference *inference, SymId call)
{
  SymMeasure step = measure_body (self, inference, call, 0);
  gint64 n = get_n_steps (inference, call);

  if (n < 0 || !g_uint64_checked_mul (&step.multiply_adds.n, step.multiply_adds.n, (guint64) n))
    step.multiply_adds = (SymCount){ 0, FALSE };
  return step;
}

static SymMeasure
measure_loop (SymFigureWalk *self, const SymInference *inference, SymId call, guint n)
{
  SymMeasure all = { .peak_bytes = { 0, TRUE } };

  for (guint i = 0; i < n; i++)
    {
      SymMeasure one = measure_body (self, inference, call, i);

      all.peak_bytes.known &= one.peak_bytes.known;
      all.peak_bytes.n = MAX (all.peak_bytes.n, one.peak_bytes.n);
    }
  return all;
}

static gboolean
is_one_of (const SymOperator *op, const char *const *names)
{
  return op->category == SYM_CATEGORY_CONTROL && g_strv_contains (names, op->name);
}

/* FALSE when it is no control flow. */
static gboolean
measure_control (SymFigureWalk *self,
                 const SymInference *inference,
                 SymId call,
                 SymMeasure *measure)
{
  static const char *const loops[] = { "Loop", "SequenceMap", "_while_loop", NULL };
  static const char *const steps[] = { "Scan", "_foreach", NULL };
  SymLayer *layer = sym_model_get_layer (sym_inference_get_model (inference), call);
  const SymOperator *op = sym_layer_get_operator (layer);
  guint n = sym_layer_get_n_bodies (layer);

  if (op == NULL || n == 0)
    return FALSE;
  if (op->category == SYM_CATEGORY_CONTROL && strcmp (op->name, "If") == 0)
    *measure = measure_branches (self, inference, call, n);
  else if (op->category == SYM_CATEGORY_CONTROL && strcmp (op->name, "_cond") == 0 && n == 3)
    *measure = measure_condition (self, inference, call);
  else if (is_one_of (op, steps))
    *measure = measure_steps (self, inference, call);
  else if (is_one_of (op, loops))
    *measure = measure_loop (self, inference, call, n);
  else
    return FALSE;
  return TRUE;
}

/* ---- Other layers ---- */

static SymType
get_type (const SymInference *inference, SymId value)
{
  return value == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (inference, value);
}

static void
read_types (SymFigureTypes *self, const SymInference *inference, SymId call)
{
  const SymModel *model = sym_inference_get_model (inference);
  SymIds operands = sym_model_get_operands (model, call);
  SymIds results = sym_model_get_results (model, call);

  self->n_inputs = operands.n;
  self->n_outputs = results.n;
  self->inputs = g_new (SymType, operands.n + results.n + 1);
  self->outputs = self->inputs + operands.n;
  for (guint i = 0; i < operands.n; i++)
    self->inputs[i] = get_type (inference, operands.ids[i]);
  for (guint i = 0; i < results.n; i++)
    self->outputs[i] = get_type (inference, results.ids[i]);
}

static SymCount
count_operator (SymFigureWalk *self, const SymInference *inference, SymId call)
{
  SymLayer *layer = sym_model_get_layer (sym_inference_get_model (inference), call);
  SymCount count = { 0, FALSE };
  SymOpCost cost;
  SymFigureTypes types;

  read_types (&types, inference, call);
  cost = sym_op_count_multiply_adds (layer, types.inputs, types.n_inputs, types.outputs,
                                     types.n_outputs, &count.n);
  count.known = cost == SYM_OP_COST_KNOWN;
  if (cost == SYM_OP_COST_LOWERED)
    count = sym_figures_count_lowered (self, inference, call, &types);
  g_free (types.inputs);
  return count;
}

SymMeasure
sym_figures_measure_call (SymFigureWalk *self, const SymInference *inference, SymId call)
{
  SymLayer *layer = sym_model_get_layer (sym_inference_get_model (inference), call);
  SymMeasure measure = { { 0, FALSE }, { 0, TRUE } };

  if (measure_control (self, inference, call, &measure))
    return measure;
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    if (sym_layer_get_body_runs (layer, i))
      return measure_body (self, inference, call, i);
  if (sym_layer_get_operator (layer) != NULL)
    measure.multiply_adds = count_operator (self, inference, call);
  return measure;
}
