/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

/* What is asked of a layer's operator: its name and its category. */

static const char *
get_operator (const SymOperator *op)
{
  return op->name;
}

static const char *
get_category (const SymOperator *op)
{
  return sym_category_to_string (op->category);
}

/* Whether nobody knows what a layer does; nothing is said of what is none. */
static gboolean
match_unknown_operators (SymQueryScan *scan, guint8 *truths)
{
  for (guint i = 0; i < scan->index->n_items; i++)
    {
      SymLayer *layer = sym_query_index_get_layer (scan->index, i);

      if (!sym_query_goes_on (scan, i))
        return FALSE;
      truths[i] = layer == NULL ? SYM_QUERY_UNKNOWN
                                : sym_layer_get_operator (layer) == NULL &&
                                      sym_layer_get_running_body (layer) == NULL;
    }
  return TRUE;
}

/* Each operator is looked at once. */
static gboolean
match_texts (SymQueryScan *scan,
             const SymQueryCondition *self,
             const char *(*get_text) (const SymOperator *op),
             guint8 *truths)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  gboolean hard = FALSE;

  if (self->asks_unknown)
    return match_unknown_operators (scan, truths);
  for (guint i = 0; i < scan->index->n_items; i++)
    {
      SymLayer *layer = sym_query_index_get_layer (scan->index, i);
      const SymOperator *op = layer == NULL ? NULL : sym_layer_get_operator (layer);
      gpointer truth;

      if (op != NULL && !g_hash_table_lookup_extended (known, op, NULL, &truth))
        {
          g_autofree char *folded = sym_query_fold (get_text (op));

          truth =
              GUINT_TO_POINTER (sym_query_match_text (self, get_text (op), folded, TRUE, &hard));
          g_hash_table_insert (known, (gpointer) op, truth);
        }
      truths[i] = op == NULL ? SYM_QUERY_UNKNOWN : (guint8) GPOINTER_TO_UINT (truth);
    }
  return hard ? sym_query_fail_hard (scan, self) : TRUE;
}

gboolean
sym_query_match_operators (SymQueryScan *scan, const SymQueryCondition *self, guint8 *truths)
{
  return match_texts (scan, self, get_operator, truths);
}

gboolean
sym_query_match_categories (SymQueryScan *scan, const SymQueryCondition *self, guint8 *truths)
{
  return match_texts (scan, self, get_category, truths);
}

char *
sym_query_tell_operator (SymQueryScan *scan, const SymQueryCondition *self, guint item)
{
  SymLayer *layer = sym_query_index_get_layer (scan->index, item);
  const SymOperator *op = sym_layer_get_operator (layer);

  return g_strdup_printf ("%s %s", self->field->info.name,
                          op == NULL                                         ? "not known"
                          : self->field->match == sym_query_match_categories ? get_category (op)
                                                                             : get_operator (op));
}
