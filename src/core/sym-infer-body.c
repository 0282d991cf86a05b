/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include "core/sym-terms-private.h"

/* Bodies nested deeper than this are shown, not inferred. */
#define MAX_DEPTH 32

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

/* Completes the inverse of a map that has grown. */
static void
invert (GHashTable *map, GHashTable *inverse)
{
  GHashTableIter iter;
  gpointer key, value;

  if (g_hash_table_size (inverse) == g_hash_table_size (map))
    return;
  g_hash_table_iter_init (&iter, map);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (inverse, value, key);
}

/* What the body knows of @values, in the caller's terms.  Unknowns of the caller stay the same
 * unknowns on the way back, so that what the body learns of them is learnt of the caller's. */
static void
answer (SymInference *self, SymRule *rule, SymIds values, SymType *types, guint n)
{
  for (guint i = 0; i < MIN (values.n, n); i++)
    types[i] = translate_type (self->terms, &self->facts[values.ids[i]].type, rule->terms,
                               self->answered, rule->shapes_only);
}

static void
answer_all (SymInference *self, SymRule *rule, SymBodyTypes *types)
{
  invert (self->asked, self->answered);
  answer (self, rule, sym_model_get_inputs (self->model), types->inputs, types->n_inputs);
  answer (self, rule, sym_model_get_outputs (self->model), types->outputs, types->n_outputs);
  invert (self->answered, self->asked);
}

static const char *
get_first_error (const SymProblems *problems)
{
  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    if (sym_problems_get (problems, i)->severity == SYM_SEVERITY_ERROR)
      return sym_problems_get (problems, i)->message;

  return "";
}

/* What the caller knows of a value, in the body's terms. */
static SymType
ask (SymInference *self, SymRule *rule, const SymType *type)
{
  return translate_type (rule->terms, type, self->terms, self->asked, rule->shapes_only);
}

/* The operand that input @i of the body is at every turn; NULL for none. */
static const SymFact *
get_operand (SymRule *rule, const SymBodyTypes *types, guint i)
{
  if (types->operands == NULL || types->operands[i] < 0 || rule->shapes_only)
    return NULL;
  return sym_rule_peek_input (rule, (guint) types->operands[i]);
}

static SymDim
ask_value (SymInference *self, SymRule *rule, const SymKnown *known, int k)
{
  return known->plain
             ? known->values[k]
             : sym_terms_translate (rule->terms, known->values[k], self->terms, self->asked);
}

static SymKnown *
ask_known (SymInference *self, SymRule *rule, const SymKnown *known)
{
  SymKnown *asked = g_memdup2 (known, sizeof *known);

  for (int k = 0; k < known->n; k++)
    asked->values[k] = ask_value (self, rule, known, k);
  return asked;
}

static void
start_values (SymInference *self, SymRule *rule, const SymBodyTypes *types)
{
  SymIds inputs = sym_model_get_inputs (self->model);

  for (guint i = 0; i < MIN (inputs.n, types->n_inputs); i++)
    {
      const SymFact *operand = get_operand (rule, types, i);
      SymFact *fact = &self->facts[inputs.ids[i]];

      if (operand == NULL)
        continue;
      sym_fact_clear (fact);
      if (operand->known != NULL)
        fact->known = ask_known (self, rule, operand->known);
      if (operand->table != NULL)
        fact->table = g_memdup2 (operand->table, sizeof *operand->table);
      if (operand->floats != NULL)
        fact->floats = g_memdup2 (operand->floats, sizeof *operand->floats);
    }
}

/* Outputs may be inputs as well, so what is known of them is added to what is known already. */
static gboolean
start_outputs (SymInference *self, SymRule *rule, const SymBodyTypes *types, GError **error)
{
  SymIds outputs = sym_model_get_outputs (self->model);
  SymRule telling = { .terms = self->terms, .arena = self->arena };

  for (guint i = 0; i < MIN (outputs.n, types->n_outputs); i++)
    {
      SymType type = ask (self, rule, &types->outputs[i]);

      if (!sym_rule_unify_type (&telling, &self->facts[outputs.ids[i]], &type, error))
        return FALSE;
    }
  return TRUE;
}

static SymInference *
infer_anew (SymModel *body, SymRule *rule, const SymBodyTypes *types, GError **error)
{
  g_autoptr (SymInference) self = sym_inference_new (body);
  SymIds inputs = sym_model_get_inputs (body);

  sym_terms_take_wanted (self->terms, rule->terms);
  self->asked = g_hash_table_new (NULL, NULL);
  self->answered = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < MIN (inputs.n, types->n_inputs); i++)
    if (types->inputs[i].kind != SYM_KIND_UNKNOWN)
      {
        SymType type = ask (self, rule, &types->inputs[i]);

        sym_fact_init (&self->facts[inputs.ids[i]], self->terms, &type);
      }
  sym_inference_forget_declared (self, inputs.ids, MIN (inputs.n, types->n_inputs),
                                 SYM_FORGET_DECLARED_ONLY);
  start_values (self, rule, types);
  if (!start_outputs (self, rule, types, error))
    return NULL;
  sym_inference_run (self, rule->depth + 1, rule->room, NULL);
  if (sym_problems_has_errors (self->problems))
    {
      sym_rule_fail (error, "%s", get_first_error (self->problems));
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* Whether the caller knows no more of these values than the body does, and no less. */
static gboolean
is_same (SymInference *self, SymRule *rule, SymIds values, const SymType *types, guint n)
{
  for (guint i = 0; i < MIN (values.n, n); i++)
    {
      const SymType *known = &self->facts[values.ids[i]].type;
      SymType asked = ask (self, rule, &types[i]);
      SymShape shape = sym_terms_resolve_shape (self->terms, &known->shape);

      if (asked.kind == SYM_KIND_UNKNOWN)
        continue;
      if (asked.kind != known->kind || asked.name != known->name ||
          (!rule->shapes_only && asked.dtype != known->dtype) ||
          !sym_shape_equal (&asked.shape, &shape))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_same_known (SymInference *self, SymRule *rule, const SymKnown *asked, const SymKnown *known)
{
  if (asked == NULL)
    return TRUE;
  if (known == NULL || known->n != asked->n || known->plain != asked->plain)
    return FALSE;
  for (int k = 0; k < known->n; k++)
    if (ask_value (self, rule, asked, k) !=
        (known->plain ? known->values[k] : sym_terms_resolve (self->terms, known->values[k])))
      return FALSE;
  return TRUE;
}

/* The same of the elements of inputs, of which a body learns nothing.  Tables and floats stay what
 * they are once they are known. */
static gboolean
has_same_values (SymInference *self, SymRule *rule, const SymBodyTypes *types)
{
  SymIds inputs = sym_model_get_inputs (self->model);

  for (guint i = 0; i < MIN (inputs.n, types->n_inputs); i++)
    {
      const SymFact *operand = get_operand (rule, types, i), *fact = &self->facts[inputs.ids[i]];

      if (operand != NULL && (!has_same_known (self, rule, operand->known, fact->known) ||
                              (operand->table != NULL && fact->table == NULL) ||
                              (operand->floats != NULL && fact->floats == NULL)))
        return FALSE;
    }
  return TRUE;
}

/* What an earlier run of the rule has found out of @body; NULL for nothing. */
static SymInference *
find_earlier (SymRule *rule, SymModel *body, guint *at)
{
  GPtrArray *bodies = rule->bodies != NULL ? *rule->bodies : NULL;

  for (guint i = 0; bodies != NULL && i < bodies->len; i++)
    {
      SymInference *earlier = g_ptr_array_index (bodies, i);

      *at = i;
      if (earlier->model == body)
        return earlier;
    }
  return NULL;
}

static void
keep (SymRule *rule, SymInference *take_result)
{
  guint at;

  if (rule->bodies == NULL)
    {
      sym_inference_unref (take_result);
      return;
    }
  if (*rule->bodies == NULL)
    *rule->bodies = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_inference_unref);
  if (find_earlier (rule, take_result->model, &at) != NULL)
    g_ptr_array_remove_index_fast (*rule->bodies, at);
  g_ptr_array_add (*rule->bodies, take_result);
}

/* ---- How much ---- */

/* What an inference takes besides its values and calls. */
#define OVERHEAD 16

/* Inferences of a value or call, for each that the models have. */
#define TIMES 64

static guint64
count_rows (const SymModel *model)
{
  return (guint64) sym_model_get_n_values (model) + sym_model_get_n_calls (model);
}

static void
add_bodies (const SymModel *model, GHashTable *seen, GPtrArray *waiting)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_has_call (model, call) ? sym_model_get_layer (model, call) : NULL;

      for (guint i = 0; layer != NULL && i < sym_layer_get_n_bodies (layer); i++)
        if (g_hash_table_add (seen, sym_layer_get_body (layer, i, NULL)))
          g_ptr_array_add (waiting, sym_layer_get_body (layer, i, NULL));
    }
}

/* Each body once, however often it is called. */
static guint64
count_all_rows (const SymModel *model)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  guint64 n = count_rows (model);

  add_bodies (model, seen, waiting);
  for (guint i = 0; i < waiting->len; i++)
    {
      n += count_rows (waiting->pdata[i]);
      add_bodies (waiting->pdata[i], seen, waiting);
    }
  return n;
}

static gboolean
take_room (SymInferRoom *room, const SymModel *body)
{
  guint64 n = OVERHEAD + count_rows (body);

  if (room == NULL)
    return TRUE;
  if (n > room->left && !room->is_counted)
    {
      room->left += TIMES * count_all_rows (room->model);
      room->is_counted = TRUE;
    }
  room->is_spent = room->is_spent || n > room->left;
  if (!room->is_spent)
    room->left -= n;
  return !room->is_spent;
}

/* ---- The whole ---- */

/* What a body knows in the end follows from what it was asked, so asking with just that finds out
 * nothing more. */
gboolean
sym_infer_types (SymModel *body, SymRule *rule, SymBodyTypes *types, GError **error)
{
  SymInference *result;
  guint at;

  if (rule->depth >= MAX_DEPTH)
    return TRUE;
  result = find_earlier (rule, body, &at);
  if (result != NULL &&
      is_same (result, rule, sym_model_get_inputs (body), types->inputs, types->n_inputs) &&
      is_same (result, rule, sym_model_get_outputs (body), types->outputs, types->n_outputs) &&
      has_same_values (result, rule, types))
    {
      answer_all (result, rule, types);
      return TRUE;
    }

  if (!take_room (rule->room, body))
    return TRUE;
  result = infer_anew (body, rule, types, error);
  if (result == NULL)
    return FALSE;
  answer_all (result, rule, types);
  keep (rule, result);
  return TRUE;
}

gboolean
sym_infer_body (SymModel *body, SymRule *rule, GError **error)
{
  g_autofree SymType *inputs = g_new (SymType, rule->n_inputs + 1);
  g_autofree SymType *outputs = g_new (SymType, rule->n_outputs + 1);
  g_autofree int *operands = g_new (int, rule->n_inputs + 1);
  SymBodyTypes types = { inputs, outputs, rule->n_inputs, rule->n_outputs, operands };

  for (guint i = 0; i < rule->n_inputs; i++)
    {
      inputs[i] = rule->inputs[i] != NULL ? rule->inputs[i]->type : SYM_TYPE_UNKNOWN;
      operands[i] = (int) i;
    }
  for (guint i = 0; i < rule->n_outputs; i++)
    outputs[i] = SYM_TYPE_UNKNOWN;
  if (!sym_infer_types (body, rule, &types, error))
    return FALSE;
  for (guint i = 0; i < rule->n_inputs; i++)
    if (rule->inputs[i] != NULL && !sym_rule_unify_type (rule, rule->inputs[i], &inputs[i], error))
      return FALSE;
  for (guint i = 0; i < rule->n_outputs; i++)
    if (!sym_rule_unify_type (rule, rule->outputs[i], &outputs[i], error))
      return FALSE;
  return TRUE;
}
