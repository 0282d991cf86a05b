/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

/* Within the parts, facts are in the terms of the call's own model, so that two calls of the same
 * kind have the same unknown sizes, and what a part learns of an operand holds for it at once. */

static void
copy_fact (SymFact *fact, const SymFact *other)
{
  sym_fact_clear (fact);
  *fact = *other;
  fact->known = other->known == NULL ? NULL : g_memdup2 (other->known, sizeof *other->known);
  fact->table = other->table == NULL ? NULL : g_memdup2 (other->table, sizeof *other->table);
  fact->floats = other->floats == NULL ? NULL : g_memdup2 (other->floats, sizeof *other->floats);
}

static SymFact **
list_facts (SymInference *parts, SymIds values)
{
  SymFact **facts = g_new (SymFact *, values.n + 1);

  for (guint i = 0; i < values.n; i++)
    facts[i] = values.ids[i] == SYM_NO_ID ? NULL : &parts->facts[values.ids[i]];
  return facts;
}

static gboolean
run_part (SymRule *self, SymInference *parts, SymId call, GHashTable *numbers, GError **error)
{
  SymIds operands = sym_model_get_operands (parts->model, call);
  SymIds results = sym_model_get_results (parts->model, call);
  g_autofree SymFact **inputs = list_facts (parts, operands);
  g_autofree SymFact **outputs = list_facts (parts, results);
  SymRule part = { .terms = self->terms,
                   .arena = parts->arena,
                   .inputs = inputs,
                   .outputs = outputs,
                   .n_inputs = operands.n,
                   .n_outputs = results.n,
                   .first_fresh = self->first_fresh,
                   .room = self->room };

  if (!sym_rule_run_part (&part, sym_model_get_layer (parts->model, call), self->depth + 1, error))
    return FALSE;
  sym_inference_evaluate (parts, call, numbers);
  self->terms_changed = self->terms_changed || part.terms_changed;
  return TRUE;
}

static gboolean
tell (SymRule *self, SymFact *fact, const SymFact *found, GError **error)
{
  if (fact == NULL)
    return TRUE;
  if (!sym_rule_unify_type (self, fact, &found->type, error))
    return FALSE;
  if (fact->known == NULL && found->known != NULL)
    {
      fact->known = g_memdup2 (found->known, sizeof *found->known);
      fact->changed = TRUE;
    }
  if (fact->floats == NULL && found->floats != NULL)
    {
      fact->floats = g_memdup2 (found->floats, sizeof *found->floats);
      fact->changed = TRUE;
    }
  return TRUE;
}

static gboolean
run_parts (SymRule *self, SymInference *parts, GError **error)
{
  g_autoptr (GHashTable) numbers =
      g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) sym_datum_unref);
  SymIds inputs = sym_model_get_inputs (parts->model);
  SymIds outputs = sym_model_get_outputs (parts->model);
  SymIds order = sym_model_get_execution_order (parts->model);

  for (guint i = 0; i < MIN (inputs.n, self->n_inputs); i++)
    if (self->inputs[i] != NULL)
      copy_fact (&parts->facts[inputs.ids[i]], self->inputs[i]);
  for (guint i = 0; i < order.n; i++)
    if (!run_part (self, parts, order.ids[i], numbers, error))
      return FALSE;
  for (guint i = 0; i < MIN (inputs.n, self->n_inputs); i++)
    if (!tell (self, self->inputs[i], &parts->facts[inputs.ids[i]], error))
      return FALSE;
  for (guint i = 0; i < MIN (outputs.n, self->n_outputs); i++)
    if (!tell (self, self->outputs[i], &parts->facts[outputs.ids[i]], error))
      return FALSE;
  return TRUE;
}

gboolean
sym_rule_infer_parts (SymRule *self, SymModel *body, GError **error)
{
  g_autoptr (SymInference) parts = sym_inference_new (body);
  SymTerms *own = parts->terms;
  gboolean fits;

  self->has_parts = TRUE;
  parts->terms = self->terms;
  fits = run_parts (self, parts, error);
  parts->terms = own;
  return fits;
}
