/* SPDX-License-Identifier: MIT */
#include "core/sym-rule-private.h"

#include "core/sym-error.h"

/* Bodies nested deeper than this are shown, not inferred. */
#define MAX_DEPTH 32

/* Rules are run at most this many times as often as there are calls; enough for facts to turn round
 * many times, and a bound for graphs made to turn them for ever. */
#define MAX_SWEEPS 200

struct _SymInference {
  gatomicrefcount ref_count;
  SymModel *model;
  SymTerms *terms;
  SymFact *facts; /* per value */
  GPtrArray *arena;
  GHashTable *bodies; /* call -> SymInference; NULL for none */
  SymProblems *problems;
};

/* What only matters while it runs. */
typedef struct {
  SymInference *result;
  guint depth;
  GCancellable *cancellable;
  guint8 *dirty;        /* per call */
  guint8 *done;         /* per call: nothing left to learn, or failed */
  guint *seen;          /* per call: changes of terms that it has seen */
  guint term_changes;
  gboolean progress;
  GPtrArray *inputs, *outputs; /* of SymFact, of the call at hand */
} Engine;

/* ---- Life ---- */

static SymInference *
inference_new (SymModel *model)
{
  SymInference *self = g_new0 (SymInference, 1);
  guint n = sym_model_get_n_values (model);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->terms = sym_terms_copy (sym_model_get_terms (model));
  self->facts = g_new0 (SymFact, n + 1);
  self->arena = g_ptr_array_new_with_free_func (g_free);
  self->problems = sym_problems_new ();
  return self;
}

SymInference *
sym_inference_ref (SymInference *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_inference_unref (SymInference *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  for (guint i = 0; i < sym_model_get_n_values (self->model); i++)
    sym_fact_clear (&self->facts[i]);
  g_free (self->facts);
  g_ptr_array_unref (self->arena);
  g_clear_pointer (&self->bodies, g_hash_table_unref);
  sym_problems_unref (self->problems);
  sym_terms_free (self->terms);
  sym_model_unref (self->model);
  g_free (self);
}

/* ---- One call ---- */

static void
collect_facts (SymInference *result, SymIds ids, GPtrArray *facts)
{
  g_ptr_array_set_size (facts, 0);
  for (guint i = 0; i < ids.n; i++)
    g_ptr_array_add (facts, ids.ids[i] == SYM_NO_ID ? NULL : &result->facts[ids.ids[i]]);
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
        self->dirty[consumers.ids[k]] = 1;
      producer = sym_model_get_producer (model, values.ids[i]);
      if (producer != SYM_NO_ID)
        self->dirty[producer] = 1;
    }
}

static gboolean
is_decided (Engine *self, SymIds values)
{
  for (guint i = 0; i < values.n; i++)
    {
      const SymFact *fact;
      SymShape shape;

      if (values.ids[i] == SYM_NO_ID)
        continue;
      fact = &self->result->facts[values.ids[i]];
      if (fact->type.kind != SYM_KIND_TENSOR || fact->type.dtype == SYM_DTYPE_UNKNOWN)
        return FALSE;
      shape = sym_terms_resolve_shape (self->result->terms, &fact->type.shape);
      if (!sym_shape_is_known (&shape))
        return FALSE;
    }
  return TRUE;
}

static void
report (Engine *self, SymId call, const GError *error)
{
  SymModel *model = self->result->model;
  const char *name = sym_model_get_call_name (model, call);

  if (*name == '\0')
    name = sym_layer_get_type (sym_model_get_layer (model, call));
  sym_problems_add (self->result->problems, SYM_SEVERITY_ERROR,
                    sym_model_get_call_line (model, call), SYM_NO_ID, call,
                    "Error in operator %s: %s", name, error->message);
}

static void
keep_body (Engine *self, SymId call, SymInference *body)
{
  SymInference *result = self->result;

  if (body == NULL)
    return;
  if (result->bodies == NULL)
    result->bodies = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) sym_inference_unref);
  g_hash_table_insert (result->bodies, GUINT_TO_POINTER (call), body);
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

static void
run_call (Engine *self, SymId call)
{
  SymInference *result = self->result;
  SymIds operands = sym_model_get_operands (result->model, call);
  SymIds results = sym_model_get_results (result->model, call);
  g_autoptr (GError) error = NULL;
  SymInference *body = NULL;
  SymRule rule = { .terms = result->terms, .arena = result->arena };

  collect_facts (result, operands, self->inputs);
  collect_facts (result, results, self->outputs);
  rule.inputs = (SymFact **) self->inputs->pdata;
  rule.outputs = (SymFact **) self->outputs->pdata;
  rule.n_inputs = operands.n;
  rule.n_outputs = results.n;
  rule.arguments = sym_model_get_arguments (result->model, call);
  self->dirty[call] = 0;
  if (has_back_edge (result->model, call, operands))
    {
      self->done[call] = 1;
      return;
    }
  if (!sym_rule_run (&rule, sym_model_get_layer (result->model, call), self->depth, &body, &error))
    {
      report (self, call, error);
      self->done[call] = 1;
    }
  keep_body (self, call, body);
  if (rule.terms_changed)
    {
      self->term_changes++;
      self->progress = TRUE;
    }
  self->seen[call] = self->term_changes;
  mark_neighbours (self, operands);
  mark_neighbours (self, results);
}

static void
visit (Engine *self, SymId call)
{
  SymModel *model = self->result->model;

  if (self->done[call] || (!self->dirty[call] && self->seen[call] == self->term_changes))
    return;

  run_call (self, call);
  if (is_decided (self, sym_model_get_operands (model, call))
      && is_decided (self, sym_model_get_results (model, call)))
    self->done[call] = 1;
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
      visit (self, order.ids[forwards ? i : order.n - 1 - i]);
    }
  return TRUE;
}

/* Alternates forward and backward, as MXNet does (M43), until nothing new is learnt. */
static gboolean
run_to_fixed_point (Engine *self)
{
  SymModel *model = self->result->model;
  guint n = sym_model_get_n_calls (model);
  gboolean forwards = TRUE;
  gboolean finished = TRUE;

  self->dirty = g_malloc (n + 1);
  memset (self->dirty, 1, n + 1);
  self->done = g_new0 (guint8, n + 1);
  self->seen = g_new0 (guint, n + 1);
  self->inputs = g_ptr_array_new ();
  self->outputs = g_ptr_array_new ();
  for (guint i = 0; i < MAX_SWEEPS; i++)
    {
      self->progress = FALSE;
      finished = sweep (self, forwards);
      if (!finished || !self->progress)
        break;
      forwards = !forwards;
    }
  if (finished && self->progress)
    sym_problems_add (self->result->problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                      "Inference stopped after %d sweeps; more shapes might follow", MAX_SWEEPS);
  g_free (self->dirty);
  g_free (self->done);
  g_free (self->seen);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  return finished;
}

static void
settle_types (SymInference *self)
{
  for (guint i = 0; i < sym_model_get_n_values (self->model); i++)
    {
      SymType *type = &self->facts[i].type;

      type->shape = sym_terms_resolve_shape (self->terms, &type->shape);
    }
}

static gint64
read_integer (const guint8 *bytes, SymDType dtype)
{
  gint32 narrow;
  gint64 wide;

  if (dtype == SYM_DTYPE_INT32)
    {
      memcpy (&narrow, bytes, sizeof narrow);
      return GINT32_FROM_LE (narrow);
    }
  memcpy (&wide, bytes, sizeof wide);
  return GINT64_FROM_LE (wide);
}

/* Small integer constants are known from the start.  Negative ones (the -1 of a reshape) have no place
 * among dimensions, so their tensor is left out. */
static void
learn_constant (SymInference *self, SymId value)
{
  SymTensor *tensor = sym_model_get_tensor (self->model, value);
  SymFact *fact = &self->facts[value];
  g_autofree guint8 *bytes = NULL;
  SymDType dtype;
  guint64 n;

  if (tensor == NULL || sym_model_get_role (self->model, value) != SYM_ROLE_CONSTANT)
    return;
  dtype = sym_tensor_get_dtype (tensor);
  if ((dtype != SYM_DTYPE_INT32 && dtype != SYM_DTYPE_INT64)
      || sym_tensor_get_shape (tensor)->rank > 1
      || !sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n) || n > SYM_MAX_KNOWN_VALUES)
    return;

  bytes = g_malloc (sym_tensor_get_n_bytes (tensor) + 1);
  if (!sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), bytes, NULL))
    return;
  fact->known = g_new0 (SymKnown, 1);
  fact->known->n = (int) n;
  for (guint i = 0; i < n; i++)
    {
      fact->known->values[i] = read_integer (bytes + i * (dtype == SYM_DTYPE_INT32 ? 4 : 8), dtype);
      if (fact->known->values[i] < 0)
        {
          g_clear_pointer (&fact->known, g_free);
          return;
        }
    }
}

static void
start_from_declared (SymInference *self)
{
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    {
      SymType type = sym_model_get_declared_type (self->model, value);

      sym_fact_init (&self->facts[value], self->terms, &type);
      learn_constant (self, value);
    }
}

/* ---- Overrides ---- */

static gboolean
apply_override (SymInference *self, const SymOverride *override, GError **error)
{
  SymFact *fact;
  SymType type;

  if (!sym_model_has_value (self->model, override->value))
    {
      g_set_error (error, SYM_ERROR, SYM_ERROR_NOT_FOUND, "There is no value with id %u",
                   override->value);
      return FALSE;
    }
  fact = &self->facts[override->value];
  type = fact->type;
  if (override->has_dtype)
    type.dtype = override->dtype;
  if (override->has_shape)
    type.shape = override->shape;
  for (int i = 0; override->has_shape && i < override->shape.rank; i++)
    if (override->names != NULL && override->names[i] != NULL
        && !sym_terms_parse (self->terms, override->names[i], &type.shape.dims[i]))
      {
        g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
                     "“%s” is no dimension: expected a number, a name such as batch, a form such as "
                     "2*seq+1, or ?",
                     override->names[i]);
        return FALSE;
      }
  type.kind = SYM_KIND_TENSOR;
  sym_fact_clear (fact);
  sym_fact_init (fact, self->terms, &type);
  return TRUE;
}

SymInference *
sym_infer (SymModel *model,
           const SymOverride *overrides,
           guint n_overrides,
           GCancellable *cancellable,
           GError **error)
{
  g_autoptr (SymInference) result = NULL;
  Engine engine = { .cancellable = cancellable };

  g_return_val_if_fail (model != NULL, NULL);

  result = inference_new (model);
  start_from_declared (result);
  for (guint i = 0; i < n_overrides; i++)
    if (!apply_override (result, &overrides[i], error))
      return NULL;

  engine.result = result;
  if (!run_to_fixed_point (&engine))
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  settle_types (result);
  return g_steal_pointer (&result);
}

/* ---- Bodies ---- */

static SymType
translate_type (const SymTerms *from,
                const SymType *type,
                SymTerms *to,
                GHashTable *map,
                gboolean shapes_only)
{
  SymType translated = *type;

  translated.shape = sym_terms_translate_shape (from, &type->shape, to, map);
  translated.elements = NULL;
  translated.n_elements = 0;
  if (shapes_only)
    translated.dtype = SYM_DTYPE_UNKNOWN;
  return translated;
}

/* Unknowns of the caller stay the same unknowns on the way back, so that what the body learns of them
 * is learnt of the caller's. */
static GHashTable *
invert (GHashTable *map)
{
  GHashTable *inverse = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, map);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (inverse, value, key);
  return inverse;
}

static gboolean
tell_back (SymInference *body, SymRule *rule, GHashTable *map, GError **error)
{
  g_autoptr (GHashTable) inverse = invert (map);
  SymIds inputs = sym_model_get_inputs (body->model);
  SymIds outputs = sym_model_get_outputs (body->model);

  for (guint i = 0; i < MIN (inputs.n, rule->n_inputs); i++)
    {
      SymType type = translate_type (body->terms, &body->facts[inputs.ids[i]].type, rule->terms,
                                     inverse, rule->shapes_only);

      if (rule->inputs[i] != NULL && !sym_rule_unify_type (rule, rule->inputs[i], &type, error))
        return FALSE;
    }
  for (guint i = 0; i < MIN (outputs.n, rule->n_outputs); i++)
    {
      SymType type = translate_type (body->terms, &body->facts[outputs.ids[i]].type, rule->terms,
                                     inverse, rule->shapes_only);

      if (!sym_rule_unify_type (rule, rule->outputs[i], &type, error))
        return FALSE;
    }
  return TRUE;
}

static const char *
get_first_error (const SymProblems *problems)
{
  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    if (sym_problems_get (problems, i)->severity == SYM_SEVERITY_ERROR)
      return sym_problems_get (problems, i)->message;

  return "";
}

gboolean
sym_infer_body (SymModel *body,
                SymRule *rule,
                guint depth,
                SymInference **inference,
                GError **error)
{
  g_autoptr (SymInference) result = NULL;
  g_autoptr (GHashTable) map = NULL;
  SymIds inputs = sym_model_get_inputs (body);
  Engine engine = { .depth = depth + 1 };

  if (depth >= MAX_DEPTH)
    return TRUE;

  result = inference_new (body);
  map = g_hash_table_new (NULL, NULL);
  start_from_declared (result);
  for (guint i = 0; i < MIN (inputs.n, rule->n_inputs); i++)
    if (rule->inputs[i] != NULL)
      {
        SymType type = translate_type (rule->terms, &rule->inputs[i]->type, result->terms, map,
                                       rule->shapes_only);

        sym_fact_init (&result->facts[inputs.ids[i]], result->terms, &type);
      }
  engine.result = result;
  run_to_fixed_point (&engine);
  settle_types (result);
  if (sym_problems_has_errors (result->problems))
    return sym_rule_fail (error, "%s", get_first_error (result->problems));
  if (!tell_back (result, rule, map, error))
    return FALSE;
  if (inference != NULL)
    *inference = g_steal_pointer (&result);
  return TRUE;
}

/* ---- Asking ---- */

SymModel *
sym_inference_get_model (const SymInference *self)
{
  return self->model;
}

const SymTerms *
sym_inference_get_terms (const SymInference *self)
{
  return self->terms;
}

SymType
sym_inference_get_type (const SymInference *self, SymId value)
{
  g_return_val_if_fail (value < sym_model_get_n_values (self->model), SYM_TYPE_UNKNOWN);

  return self->facts[value].type;
}

const SymInference *
sym_inference_get_body (const SymInference *self, SymId call, guint body)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);
  const SymInference *found;

  if (self->bodies == NULL || body >= sym_layer_get_n_bodies (layer))
    return NULL;
  found = g_hash_table_lookup (self->bodies, GUINT_TO_POINTER (call));
  return found != NULL && found->model == sym_layer_get_body (layer, body, NULL) ? found : NULL;
}

const SymProblems *
sym_inference_get_problems (const SymInference *self)
{
  return self->problems;
}

char *
sym_inference_format_shape (const SymInference *self, const SymShape *shape, const char *separator)
{
  GString *text = g_string_new (NULL);

  if (shape->rank < 0)
    g_string_append_c (text, '?');
  for (int i = 0; i < shape->rank; i++)
    {
      g_autofree char *dim = shape->dims[i] == SYM_DIM_UNKNOWN
                               ? NULL
                               : sym_terms_format (self->terms, shape->dims[i]);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : separator, dim == NULL ? "?" : dim);
    }
  return g_string_free (text, FALSE);
}

gboolean
sym_inference_get_n_elements (const SymInference *self, SymId value, guint64 *n)
{
  SymType type = sym_inference_get_type (self, value);

  return type.kind == SYM_KIND_TENSOR && sym_shape_get_n_elements (&type.shape, n);
}
