/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

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

/* What the body knows of @value, in the caller's terms. */
static SymType
answer (SymInference *self, SymRule *rule, SymId value)
{
  return translate_type (self->terms, &self->facts[value].type, rule->terms, self->answered,
                         rule->shapes_only);
}

/* Unknowns of the caller stay the same unknowns on the way back, so that what the body learns of them
 * is learnt of the caller's. */
static gboolean
tell_back (SymInference *self, SymRule *rule, GError **error)
{
  SymIds inputs = sym_model_get_inputs (self->model);
  SymIds outputs = sym_model_get_outputs (self->model);

  invert (self->asked, self->answered);
  for (guint i = 0; i < MIN (inputs.n, rule->n_inputs); i++)
    {
      SymType type = answer (self, rule, inputs.ids[i]);

      if (rule->inputs[i] != NULL && !sym_rule_unify_type (rule, rule->inputs[i], &type, error))
        return FALSE;
    }
  for (guint i = 0; i < MIN (outputs.n, rule->n_outputs); i++)
    {
      SymType type = answer (self, rule, outputs.ids[i]);

      if (!sym_rule_unify_type (rule, rule->outputs[i], &type, error))
        return FALSE;
    }
  invert (self->answered, self->asked);
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

/* What the caller knows of input @i, in the body's terms. */
static SymType
ask (SymInference *self, SymRule *rule, guint i)
{
  return translate_type (rule->terms, &rule->inputs[i]->type, self->terms, self->asked,
                         rule->shapes_only);
}

static SymInference *
infer_anew (SymModel *body, SymRule *rule, guint depth)
{
  SymInference *self = sym_inference_new (body);
  SymIds inputs = sym_model_get_inputs (body);

  self->asked = g_hash_table_new (NULL, NULL);
  self->answered = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < MIN (inputs.n, rule->n_inputs); i++)
    if (rule->inputs[i] != NULL)
      {
        SymType type = ask (self, rule, i);

        sym_fact_init (&self->facts[inputs.ids[i]], self->terms, &type);
      }
  sym_inference_run (self, depth + 1, NULL);
  return self;
}

/* Whether the caller knows no more of an input than the body does, and no less. */
static gboolean
is_same (const SymInference *self, const SymType *asked, const SymType *known, gboolean shapes_only)
{
  SymShape shape = sym_terms_resolve_shape (self->terms, &known->shape);

  return asked->kind == known->kind && asked->name == known->name
         && (shapes_only || asked->dtype == known->dtype) && sym_shape_equal (&asked->shape, &shape);
}

/* Whether @self, which an earlier run of the rule has left, answers this one too.  What a body knows in
 * the end follows from what it was asked, so asking with just that finds out nothing more. */
static gboolean
is_answer (SymInference *self, SymModel *body, SymRule *rule)
{
  SymIds inputs = sym_model_get_inputs (body);

  if (self->model != body)
    return FALSE;
  for (guint i = 0; i < MIN (inputs.n, rule->n_inputs); i++)
    if (rule->inputs[i] != NULL)
      {
        SymType type = ask (self, rule, i);

        if (!is_same (self, &type, &self->facts[inputs.ids[i]].type, rule->shapes_only))
          return FALSE;
      }
  return TRUE;
}

gboolean
sym_infer_body (SymModel *body,
                SymRule *rule,
                guint depth,
                SymInference **inference,
                GError **error)
{
  g_autoptr (SymInference) result = NULL;

  if (depth >= MAX_DEPTH)
    return TRUE;
  if (inference != NULL && *inference != NULL && is_answer (*inference, body, rule))
    return tell_back (*inference, rule, error);

  result = infer_anew (body, rule, depth);
  if (sym_problems_has_errors (result->problems))
    return sym_rule_fail (error, "%s", get_first_error (result->problems));
  if (!tell_back (result, rule, error))
    return FALSE;
  if (inference != NULL)
    {
      g_clear_pointer (inference, sym_inference_unref);
      *inference = g_steal_pointer (&result);
    }
  return TRUE;
}
