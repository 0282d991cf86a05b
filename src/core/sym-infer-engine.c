/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include "core/sym-datum.h"
#include "core/sym-model-private.h"
#include "core/sym-progress.h"
#include "core/sym-terms-private.h"
#include "core/sym-text.h"

/* Rules are run at most this many times as often as there are calls; enough for facts to turn round
 * many times, and a bound for graphs made to turn them for ever. */
#define MAX_SWEEPS 200

/* Values and calls of bodies that are inferred whatever the file. */
#define FREE_ROOM (1 << 19)

/* What of the time the first sweep takes.  How many follow, nobody knows. */
#define SHARE_FIRST 0.8

typedef struct {
  guint seen;    /* changes of terms that it has seen */
  guint8 clean;  /* its operands and results are as they were when it ran */
  guint8 final;  /* its rule finds no more while also their sizes are what they were then: */
  guint8 done;   /* nothing left to learn, or failed */
  guint64 sizes; /* a hash of these, of a final one */
} CallState;

typedef struct {
  SymFact **facts;
  guint capacity;
} FactList;

/* What only matters while it runs. */
typedef struct {
  SymInference *result;
  guint depth;
  SymInferRoom *room;
  GCancellable *cancellable;
  CallState *calls;
  guint term_changes;
  gboolean progress;
  gboolean is_first;        /* the sweep at hand */
  FactList inputs, outputs; /* of the call at hand */
  SymEvaluation numbers;
  SymRuleMemory memory;
} Engine;

/* ---- One call ---- */

static SymFact **
collect_facts (SymInference *result, SymIds ids, FactList *list)
{
  if (ids.n > list->capacity)
    {
      list->capacity = MAX (ids.n, 2 * list->capacity);
      list->facts = g_renew (SymFact *, list->facts, list->capacity);
    }
  for (guint i = 0; i < ids.n; i++)
    list->facts[i] = ids.ids[i] == SYM_NO_ID ? NULL : &result->facts[ids.ids[i]];
  return list->facts;
}

static void
mark_neighbours (Engine *self, SymIds values)
{
  SymModel *model = self->result->model;

  for (guint i = 0; i < values.n; i++)
    {
      SymFact *fact;
      SymIds consumers;
      SymId producer;

      if (values.ids[i] == SYM_NO_ID)
        continue;
      fact = &self->result->facts[values.ids[i]];
      if (!fact->changed)
        continue;
      fact->changed = FALSE;
      self->progress = TRUE;
      consumers = sym_model_get_consumers (model, values.ids[i]);
      for (guint k = 0; k < consumers.n; k++)
        self->calls[consumers.ids[k]].clean = FALSE;
      producer = sym_model_get_producer (model, values.ids[i]);
      if (producer != SYM_NO_ID)
        self->calls[producer].clean = FALSE;
    }
}

static gboolean
has_known_sizes (const SymTerms *terms, const SymShape *shape)
{
  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] < 0 && sym_terms_look_up (terms, shape->dims[i]) < 0)
      return FALSE;

  return shape->rank >= 0;
}

static gboolean
is_decided (Engine *self, SymIds values)
{
  for (guint i = 0; i < values.n; i++)
    {
      const SymFact *fact;

      if (values.ids[i] == SYM_NO_ID)
        continue;
      fact = &self->result->facts[values.ids[i]];
      if (fact->type.kind != SYM_KIND_TENSOR || fact->type.dtype == SYM_DTYPE_UNKNOWN)
        return FALSE;
      if (!has_known_sizes (self->result->terms, &fact->type.shape))
        return FALSE;
    }
  return TRUE;
}

static void
report (Engine *self, SymId call, const GError *error)
{
  SymModel *model = self->result->model;
  const char *name = sym_model_get_call_name (model, call);

  if (self->result->contradicted == NULL)
    self->result->contradicted = g_hash_table_new (NULL, NULL);
  g_hash_table_add (self->result->contradicted, GUINT_TO_POINTER (call));
  if (*name == '\0')
    name = sym_layer_get_type (sym_model_get_layer (model, call));
  sym_problems_add (self->result->problems, SYM_SEVERITY_ERROR,
                    sym_model_get_call_line (model, call), SYM_NO_ID, call,
                    "Error in operator %s: %s", name, error->message);
}

/* What an earlier run of @call has found out of its bodies; NULL for nothing. */
static GPtrArray *
take_bodies (Engine *self, SymId call)
{
  gpointer bodies = NULL;

  if (self->result->bodies != NULL)
    g_hash_table_steal_extended (self->result->bodies, GUINT_TO_POINTER (call), NULL, &bodies);
  return bodies;
}

static void
keep_bodies (Engine *self, SymId call, GPtrArray *bodies)
{
  SymInference *result = self->result;

  if (bodies == NULL)
    return;
  if (result->bodies == NULL)
    result->bodies = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_hash_table_insert (result->bodies, GUINT_TO_POINTER (call), bodies);
}

static gboolean
has_back_edge (const SymModel *model, SymId call, SymIds operands)
{
  if (!sym_model_has_cycle (model))
    return FALSE;
  for (guint i = 0; i < operands.n; i++)
    if (sym_model_is_back_edge (model, call, i))
      return TRUE;

  return FALSE;
}

static guint64
hash_sizes (const SymInference *result, SymIds values, guint64 hash)
{
  for (guint i = 0; i < values.n; i++)
    {
      const SymShape *shape;

      if (values.ids[i] == SYM_NO_ID)
        continue;
      shape = &result->facts[values.ids[i]].type.shape;
      for (int k = 0; k < shape->rank; k++)
        hash = sym_hash_mix (hash, (guint64) sym_terms_look_up (result->terms, shape->dims[k]));
    }
  return hash;
}

static guint64
hash_call (const Engine *self, SymId call)
{
  const SymModel *model = self->result->model;
  guint64 hash = hash_sizes (self->result, sym_model_get_operands (model, call), 0);

  return hash_sizes (self->result, sym_model_get_results (model, call), hash);
}

/* Whether all there is to know is known of it then. */
static gboolean
run_call (Engine *self, SymId call, SymIds operands, SymIds results)
{
  SymInference *result = self->result;
  g_autoptr (GError) error = NULL;
  CallState *state = &self->calls[call];
  GPtrArray *bodies;
  SymRule rule = {
    .terms = result->terms, .arena = result->arena, .memory = &self->memory, .room = self->room
  };

  rule.inputs = collect_facts (result, operands, &self->inputs);
  rule.outputs = collect_facts (result, results, &self->outputs);
  rule.n_inputs = operands.n;
  rule.n_outputs = results.n;
  rule.arguments = sym_model_get_arguments (result->model, call);
  state->clean = TRUE;
  if (has_back_edge (result->model, call, operands))
    {
      state->done = TRUE;
      return FALSE;
    }
  bodies = take_bodies (self, call);
  if (!sym_rule_run (&rule, sym_model_get_layer (result->model, call), self->depth, &bodies,
                     &error))
    {
      report (self, call, error);
      state->done = TRUE;
    }
  else
    sym_evaluation_run (&self->numbers, sym_model_get_layer (result->model, call), operands,
                        results);
  keep_bodies (self, call, bodies);
  if (rule.terms_changed)
    {
      self->term_changes++;
      self->progress = TRUE;
    }
  state->seen = self->term_changes;
  mark_neighbours (self, operands);
  mark_neighbours (self, results);
  state->final = rule.is_final;
  return rule.is_decided || (is_decided (self, operands) && is_decided (self, results));
}

/* Whether the call's rule may find more than when it ran. */
static gboolean
has_news (const Engine *self, SymId call)
{
  const CallState *state = &self->calls[call];

  if (state->done || (state->clean && state->seen == self->term_changes))
    return FALSE;
  return !state->clean || !state->final || hash_call (self, call) != state->sizes;
}

static void
visit (Engine *self, SymId call)
{
  const SymTopology *topology = self->result->model->topology;
  CallState *state = &self->calls[call];
  SymIds operands, results;

  if (!has_news (self, call))
    return;

  operands = sym_runs_get (&topology->operands, call);
  results = sym_runs_get (&topology->results, call);
  if (run_call (self, call, operands, results))
    {
      state->done = TRUE;
    }
  else if (state->final)
    {
      state->clean = TRUE;
      state->sizes = hash_call (self, call);
    }
}

/* ---- All calls ---- */

static gboolean
sweep (Engine *self, gboolean forwards)
{
  SymIds order = sym_model_get_execution_order (self->result->model);

  for (guint i = 0; i < order.n; i++)
    {
      if ((i & 1023) == 0 && g_cancellable_is_cancelled (self->cancellable))
        return FALSE;
      if ((i & 1023) == 0 && self->is_first)
        sym_progress_tell (self->cancellable, i, order.n);
      visit (self, order.ids[forwards ? i : order.n - 1 - i]);
    }
  return TRUE;
}

static gboolean
sweep_first (Engine *self)
{
  SymProgressPart whole = sym_progress_enter (self->cancellable, 0, SHARE_FIRST);
  gboolean finished;

  self->is_first = TRUE;
  finished = sweep (self, TRUE);
  self->is_first = FALSE;
  sym_progress_leave (self->cancellable, whole);
  sym_progress_tell_unknown (self->cancellable);
  return finished;
}

/* Alternates forward and backward, as MXNet does (M43), until nothing new is learnt. */
static gboolean
sweep_until_settled (Engine *self)
{
  gboolean forwards = TRUE;

  for (guint i = 0; i < MAX_SWEEPS; i++)
    {
      self->progress = FALSE;
      if (!(i == 0 ? sweep_first (self) : sweep (self, forwards)))
        return FALSE;
      if (!self->progress)
        return TRUE;
      forwards = !forwards;
    }
  sym_problems_add (self->result->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                    "Inference stopped after %d sweeps; more shapes might follow", MAX_SWEEPS);
  return TRUE;
}

static void
settle_types (SymInference *self)
{
  if (sym_terms_get_size (self->terms) == 0)
    return;
  for (guint i = 0; i < sym_model_get_n_values (self->model); i++)
    {
      SymShape *shape = &self->facts[i].type.shape;

      for (int k = 0; k < shape->rank; k++)
        if (shape->dims[k] < 0)
          shape->dims[k] = sym_terms_look_up (self->terms, shape->dims[k]);
    }
}

/* What the file has numbers of.  A float that sizes are multiplied by may stand among the weights.
 */
static SymTensor *
get_stored (gpointer model, SymId value)
{
  SymRole role = sym_model_get_role (model, value);

  return role == SYM_ROLE_CONSTANT || role == SYM_ROLE_PARAMETER
             ? sym_model_get_tensor (model, value)
             : NULL;
}

gboolean
sym_inference_run (SymInference *self, guint depth, SymInferRoom *room, GCancellable *cancellable)
{
  SymInferRoom own = { .model = self->model, .left = FREE_ROOM };
  Engine engine = {
    .result = self,
    .depth = depth,
    .room = room == NULL ? &own : room,
    .cancellable = cancellable,
    .numbers = { self->terms, self->facts, get_stored, self->model, NULL },
  };
  gboolean finished;

  engine.calls = g_new0 (CallState, sym_model_get_n_calls (self->model) + 1);
  finished = sweep_until_settled (&engine);
  g_free (engine.calls);
  g_free (engine.inputs.facts);
  g_free (engine.outputs.facts);
  sym_evaluation_clear (&engine.numbers);
  sym_rule_memory_clear (&engine.memory);
  settle_types (self);
  if (own.is_spent)
    sym_problems_add (
        self->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
        "Models are called within each other more often than is inferred; more shapes "
        "might follow");
  return finished;
}
