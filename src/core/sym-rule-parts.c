/* SPDX-License-Identifier: MIT */
#include "core/sym-rule-parts.h"

#include "core/sym-infer-private.h"
#include "core/sym-model-builder-private.h"

/* Within the parts, facts are in the terms of the call's own model, so that two calls of the same
 * kind have the same unknown sizes, and what a part learns of an operand holds for it at once. */

typedef struct {
  SymLayer *layer;
  SymGrowingRun operands, results;
} Part;

struct _SymRuleParts {
  SymRows constants; /* of SymTensor *, by value; NULL for one that is none */
  SymRows parts;     /* of Part */
  SymRows ids;       /* of SymId: the pool of all runs */
  SymGrowingRun operands, outputs;
};

/* ---- Making ---- */

SymRuleParts *
sym_rule_parts_new (void)
{
  SymRuleParts *self = g_new0 (SymRuleParts, 1);

  self->constants.row_size = sizeof (SymTensor *);
  self->parts.row_size = sizeof (Part);
  self->ids.row_size = sizeof (SymId);
  return self;
}

void
sym_rule_parts_free (SymRuleParts *self)
{
  for (guint i = 0; i < self->constants.len; i++)
    if (g_array_index (&self->constants, SymTensor *, i) != NULL)
      sym_tensor_unref (g_array_index (&self->constants, SymTensor *, i));
  for (guint i = 0; i < self->parts.len; i++)
    sym_layer_unref (g_array_index (&self->parts, Part, i).layer);
  g_free (self->constants.data);
  g_free (self->parts.data);
  g_free (self->ids.data);
  g_free (self);
}

static SymId
add_value (SymRuleParts *self, SymTensor *constant)
{
  SymId value = self->constants.len;

  sym_rows_append (&self->constants, constant);
  return value;
}

SymId
sym_rule_parts_add_operand (SymRuleParts *self)
{
  SymId value = add_value (self, NULL);

  sym_growing_run_append (&self->operands, &self->ids, value);
  return value;
}

SymId
sym_rule_parts_add_constant (SymRuleParts *self, SymTensor *tensor)
{
  return add_value (self, sym_tensor_ref (tensor));
}

SymId
sym_rule_parts_add_call (SymRuleParts *self, SymLayer *layer, SymIds operands)
{
  Part part = { .layer = sym_layer_ref (layer) };
  SymId call = self->parts.len;

  part.operands = sym_growing_run_new (&self->ids, operands.ids, operands.n);
  sym_rows_append (&self->parts, part);
  sym_rule_parts_append_result (self, call);
  return call;
}

SymId
sym_rule_parts_append_result (SymRuleParts *self, SymId call)
{
  SymId value = add_value (self, NULL);

  sym_growing_run_append (&g_array_index (&self->parts, Part, call).results, &self->ids, value);
  return value;
}

SymId
sym_rule_parts_get_result (SymRuleParts *self, SymId call, guint i)
{
  SymIds results =
      sym_growing_run_get (&g_array_index (&self->parts, Part, call).results, &self->ids);

  g_return_val_if_fail (i < results.n, SYM_NO_ID);

  return results.ids[i];
}

void
sym_rule_parts_add_output (SymRuleParts *self, SymId value)
{
  sym_growing_run_append (&self->outputs, &self->ids, value);
}

/* ---- Running ---- */

typedef struct {
  SymRule *around; /* of the call that is said in the parts */
  SymRuleParts *parts;
  SymFact *facts, **places; /* per value; room for those of one call */
  GPtrArray *arena;
  SymEvaluation numbers;
} Run;

static SymTensor *
get_constant (gpointer parts, SymId value)
{
  return g_array_index (&((SymRuleParts *) parts)->constants, SymTensor *, value);
}

static void
copy_fact (SymFact *fact, const SymFact *other)
{
  *fact = *other;
  fact->known = other->known == NULL ? NULL : g_memdup2 (other->known, sizeof *other->known);
  fact->table = other->table == NULL ? NULL : g_memdup2 (other->table, sizeof *other->table);
  fact->floats = other->floats == NULL ? NULL : g_memdup2 (other->floats, sizeof *other->floats);
}

static void
learn_constant (SymFact *fact, SymTensor *tensor)
{
  sym_fact_init_unknown (fact);
  fact->type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  sym_fact_learn_constant (fact, tensor);
}

static void
begin (Run *self)
{
  SymIds operands = sym_growing_run_get (&self->parts->operands, &self->parts->ids);
  SymRule *rule = self->around;

  for (SymId value = 0; value < self->parts->constants.len; value++)
    if (get_constant (self->parts, value) == NULL)
      sym_fact_init_unknown (&self->facts[value]);
    else
      learn_constant (&self->facts[value], get_constant (self->parts, value));
  for (guint i = 0; i < MIN (operands.n, rule->n_inputs); i++)
    if (rule->inputs[i] != NULL)
      copy_fact (&self->facts[operands.ids[i]], rule->inputs[i]);
}

static SymFact **
list_facts (Run *self, SymFact **places, SymIds values)
{
  for (guint i = 0; i < values.n; i++)
    places[i] = values.ids[i] == SYM_NO_ID ? NULL : &self->facts[values.ids[i]];
  return places;
}

static gboolean
run_part (Run *self, const Part *part, GError **error)
{
  SymIds operands = sym_growing_run_get (&part->operands, &self->parts->ids);
  SymIds results = sym_growing_run_get (&part->results, &self->parts->ids);
  SymRule rule = { .terms = self->around->terms,
                   .arena = self->arena,
                   .inputs = list_facts (self, self->places, operands),
                   .outputs = list_facts (self, self->places + operands.n, results),
                   .n_inputs = operands.n,
                   .n_outputs = results.n,
                   .first_fresh = self->around->first_fresh,
                   .room = self->around->room };

  if (!sym_rule_run_part (&rule, part->layer, self->around->depth + 1, error))
    return FALSE;
  sym_evaluation_run (&self->numbers, part->layer, operands, results);
  self->around->terms_changed = self->around->terms_changed || rule.terms_changed;
  return TRUE;
}

static gboolean
tell (SymRule *rule, SymFact *fact, const SymFact *found, GError **error)
{
  const SymRuleValues values = { found->known, found->floats };

  if (fact == NULL)
    return TRUE;
  if (!sym_rule_unify_type (rule, fact, &found->type, error))
    return FALSE;
  sym_rule_values_tell (&values, fact);
  return TRUE;
}

static gboolean
tell_all (Run *self, SymFact **facts, guint n, const SymGrowingRun *run, GError **error)
{
  SymIds values = sym_growing_run_get (run, &self->parts->ids);

  for (guint i = 0; i < MIN (values.n, n); i++)
    if (!tell (self->around, facts[i], &self->facts[values.ids[i]], error))
      return FALSE;
  return TRUE;
}

static gboolean
run_all (Run *self, GError **error)
{
  SymRuleParts *parts = self->parts;
  SymRule *rule = self->around;

  for (guint i = 0; i < parts->parts.len; i++)
    if (!run_part (self, &g_array_index (&parts->parts, Part, i), error))
      return FALSE;
  return tell_all (self, rule->inputs, rule->n_inputs, &parts->operands, error) &&
         tell_all (self, rule->outputs, rule->n_outputs, &parts->outputs, error);
}

gboolean
sym_rule_infer_parts (SymRule *rule, SymRuleParts *parts, GError **error)
{
  g_autofree SymFact *facts = g_new (SymFact, parts->constants.len + 1);
  g_autofree SymFact **places = g_new (SymFact *, parts->ids.len + 1);
  g_autoptr (GPtrArray) arena = g_ptr_array_new_with_free_func (g_free);
  Run run = {
    rule, parts, facts, places, arena, { rule->terms, facts, get_constant, parts, NULL }
  };
  gboolean fits;

  rule->has_parts = TRUE;
  begin (&run);
  fits = run_all (&run, error);
  for (SymId value = 0; value < parts->constants.len; value++)
    sym_fact_clear (&facts[value]);
  sym_evaluation_clear (&run.numbers);
  return fits;
}
