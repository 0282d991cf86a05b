/* SPDX-License-Identifier: MIT */
#include "core/sym-graph-private.h"
#include "core/sym-rule-private.h"

#include "core/sym-error.h"

#include <string.h>

/* The rule runs on terms of its own, so that one that fails half-way leaves nothing behind. */
typedef struct {
  SymGraph *graph;
  SymTerms *terms;
  GHashTable *to_rule;  /* term of the graph to term of the rule */
  GHashTable *to_graph; /* and back */
  GPtrArray *arena;     /* elements of tuples while the rule runs */
  GPtrArray *kept;      /* elements of tuples in the terms of the graph */
  GArray *facts;        /* SymFact: operands, parameters, results */
} Run;

static void
clear_fact (gpointer fact)
{
  sym_fact_clear (fact);
}

static void
run_init (Run *self, SymGraph *graph, guint n_facts)
{
  *self = (Run){ .graph = graph };
  self->terms = sym_terms_new ();
  self->to_rule = g_hash_table_new (NULL, NULL);
  self->to_graph = g_hash_table_new (NULL, NULL);
  self->arena = g_ptr_array_new_with_free_func (g_free);
  self->kept = g_ptr_array_new_with_free_func (g_free);
  self->facts = g_array_sized_new (FALSE, TRUE, sizeof (SymFact), n_facts);
  g_array_set_clear_func (self->facts, clear_fact);
}

static void
run_clear (Run *self)
{
  sym_terms_free (self->terms);
  g_hash_table_unref (self->to_rule);
  g_hash_table_unref (self->to_graph);
  g_ptr_array_unref (self->arena);
  g_ptr_array_unref (self->kept);
  g_array_unref (self->facts);
}

/* The type in other terms; elements of tuples are made anew in @arena, level by level. */
static SymType
translate (const SymTerms *from,
           const SymType *type,
           SymTerms *to,
           GHashTable *map,
           GPtrArray *arena)
{
  g_autoptr (GPtrArray) open = NULL;
  SymType result = *type;

  result.shape = sym_terms_translate_shape (from, &type->shape, to, map);
  if (type->n_elements == 0)
    return result;

  open = g_ptr_array_new ();
  g_ptr_array_add (open, &result);
  while (open->len > 0)
    {
      SymType *tuple = g_ptr_array_steal_index_fast (open, open->len - 1);
      SymType *elements = g_new0 (SymType, tuple->n_elements);

      g_ptr_array_add (arena, elements);
      for (guint i = 0; i < tuple->n_elements; i++)
        {
          elements[i] = tuple->elements[i];
          elements[i].shape = sym_terms_translate_shape (from, &elements[i].shape, to, map);
          if (elements[i].n_elements > 0)
            g_ptr_array_add (open, &elements[i]);
        }
      tuple->elements = elements;
    }
  return result;
}

static void
add_fact (Run *self, const SymType *type)
{
  SymFact fact = { .type = SYM_TYPE_UNKNOWN };

  if (type != NULL)
    {
      SymType own = translate (self->graph->terms, type, self->terms, self->to_rule, self->arena);

      sym_fact_init (&fact, self->terms, &own);
    }
  g_array_append_val (self->facts, fact);
}

/* Terms of the graph that the rule saw are the same ones on the way back. */
static void
remember_terms (Run *self)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->to_rule);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (self->to_graph, value, key);
}

static void
fail (SymLayer *layer,
      SymNode *const *operands,
      guint n_operands,
      GError *take_reason,
      GError **error)
{
  g_autoptr (GString) shapes = g_string_new (NULL);

  for (guint i = 0; i < MIN (n_operands, 8); i++)
    {
      g_autofree char *shape = sym_node_format_shape (operands[i]);

      g_string_append_printf (shapes, "%s%s", i == 0 ? "" : ", ", shape);
    }
  if (n_operands > 8)
    g_string_append (shapes, ", ...");
  g_set_error (error, take_reason->domain, take_reason->code, "%s (of %s): %s",
               sym_layer_get_type (layer), shapes->str, take_reason->message);
  g_error_free (take_reason);
}

/* Runs the rule once on the operands' types, or on their traces, and fills @results. */
static gboolean
run_once (SymGraph *self,
          SymLayer *layer,
          const SymValue *arguments,
          SymNode *const *operands,
          guint n_operands,
          gboolean with_trace,
          SymType *results,
          guint n_results,
          GError **error)
{
  guint n_parameters = sym_layer_get_n_parameters (layer);
  guint n_inputs = n_operands + n_parameters;
  g_autofree SymFact **facts = g_new0 (SymFact *, n_inputs + n_results + 1);
  GError *reason = NULL;
  SymRule rule = { .arguments = arguments };
  Run run;

  run_init (&run, self, n_inputs + n_results);
  for (guint i = 0; i < n_operands; i++)
    add_fact (&run, with_trace ? &operands[i]->trace : &operands[i]->type);
  for (guint i = 0; i < n_parameters; i++)
    {
      const SymType *type;

      sym_layer_get_parameter (layer, i, NULL, &type);
      add_fact (&run, type);
    }
  for (guint i = 0; i < n_results; i++)
    add_fact (&run, NULL);
  for (guint i = 0; i < n_inputs + n_results; i++)
    facts[i] = &g_array_index (run.facts, SymFact, i);

  rule.terms = run.terms;
  rule.inputs = facts;
  rule.outputs = facts + n_inputs;
  rule.n_inputs = n_inputs;
  rule.n_outputs = n_results;
  rule.arena = run.arena;
  if (!sym_rule_run (&rule, layer, 0, NULL, &reason))
    {
      run_clear (&run);
      fail (layer, operands, n_operands, reason, error);
      return FALSE;
    }

  remember_terms (&run);
  for (guint i = 0; i < n_results; i++)
    results[i] = translate (run.terms, &rule.outputs[i]->type, self->terms, run.to_graph, run.kept);
  for (guint i = 0; i < run.kept->len; i++)
    g_ptr_array_add (self->arena, g_ptr_array_index (run.kept, i));
  g_ptr_array_set_free_func (run.kept, NULL);
  run_clear (&run);
  return TRUE;
}

static gboolean
has_trace_of_its_own (const SymNode *node)
{
  return !sym_shape_equal (&node->type.shape, &node->trace.shape) ||
         node->type.elements != node->trace.elements;
}

static guint
count_results (SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);
  SymModel *body = sym_layer_get_running_body (layer);
  int n_visible = 1;

  if (op != NULL && op->get_n_outputs != NULL)
    return (guint) MAX (op->get_n_outputs (sym_layer_get_attributes (layer), &n_visible), 1);
  if (op == NULL && body != NULL)
    return MAX (sym_model_get_outputs (body).n, 1);
  return 1;
}

gboolean
sym_graph_infer_results (SymGraph *self,
                         SymLayer *layer,
                         const SymValue *arguments,
                         SymNode *const *operands,
                         guint n_operands,
                         SymGraphResults *results,
                         GError **error)
{
  guint n = count_results (layer);
  g_autofree SymType *types = g_new0 (SymType, n);
  g_autofree SymType *traces = g_new0 (SymType, n);
  gboolean has_trace = FALSE;

  for (guint i = 0; i < n_operands && !has_trace; i++)
    has_trace = has_trace_of_its_own (operands[i]);

  if (has_trace && !run_once (self, layer, arguments, operands, n_operands, TRUE, traces, n, error))
    return FALSE;
  if (!run_once (self, layer, arguments, operands, n_operands, FALSE, types, n, error))
    return FALSE;
  if (!has_trace)
    memcpy (traces, types, n * sizeof (SymType));

  results->n = n;
  results->types = g_steal_pointer (&types);
  results->traces = g_steal_pointer (&traces);
  return TRUE;
}

void
sym_graph_results_clear (SymGraphResults *self)
{
  g_clear_pointer (&self->types, g_free);
  g_clear_pointer (&self->traces, g_free);
}
