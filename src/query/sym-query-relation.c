/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

/* From the items that match to those that stand so to them.  Groups stand to nothing. */

static gboolean
matches (const SymQueryIndex *index, const guint8 *from, SymId value)
{
  guint item = sym_query_index_find_value (index, value);

  return item != G_MAXUINT && from[item] == SYM_QUERY_TRUE;
}

static gboolean
one_matches (const SymQueryIndex *index, const guint8 *from, SymIds values)
{
  for (guint i = 0; i < values.n; i++)
    if (matches (index, from, values.ids[i]))
      return TRUE;
  return FALSE;
}

static SymIds
get_parents (const SymQueryIndex *index, guint item)
{
  SymId call = sym_query_index_get_item (index, item).call;

  return call == SYM_NO_ID ? (SymIds){ NULL, 0 } : sym_model_get_data_operands (index->model, call);
}

static void
leave_out_groups (const SymQueryIndex *index, guint8 *truths)
{
  guint first = index->n_nodes + index->n_calls;

  memset (truths + first, SYM_QUERY_UNKNOWN, index->n_items - first);
}

void
sym_query_relate_parent (SymQueryScan *scan, const guint8 *from, guint8 *truths)
{
  leave_out_groups (scan->index, truths);
  for (guint i = 0; i < scan->index->n_nodes + scan->index->n_calls; i++)
    truths[i] = one_matches (scan->index, from, get_parents (scan->index, i));
}

/* Through the parents of what matches, so that each use is looked at once. */
void
sym_query_relate_child (SymQueryScan *scan, const guint8 *from, guint8 *truths)
{
  const SymQueryIndex *index = scan->index;

  leave_out_groups (index, truths);
  for (guint i = 0; i < index->n_nodes + index->n_calls; i++)
    {
      SymIds parents = get_parents (index, i);

      for (guint k = 0; k < parents.n && from[i] == SYM_QUERY_TRUE; k++)
        {
          guint item = sym_query_index_find_value (index, parents.ids[k]);

          if (item != G_MAXUINT)
            truths[item] = SYM_QUERY_TRUE;
        }
    }
}

/* Rows are in an order of execution: what comes before has been decided.  Back edges end there. */
void
sym_query_relate_after (SymQueryScan *scan, const guint8 *from, guint8 *truths)
{
  leave_out_groups (scan->index, truths);
  for (guint i = 0; i < scan->index->n_nodes + scan->index->n_calls; i++)
    {
      SymIds parents = get_parents (scan->index, i);

      truths[i] =
          one_matches (scan->index, from, parents) || one_matches (scan->index, truths, parents);
    }
}

void
sym_query_relate_before (SymQueryScan *scan, const guint8 *from, guint8 *truths)
{
  const SymQueryIndex *index = scan->index;

  leave_out_groups (index, truths);
  for (guint i = index->n_nodes + index->n_calls; i-- > 0;)
    {
      SymIds parents = get_parents (index, i);

      for (guint k = 0; k < parents.n && (from[i] == SYM_QUERY_TRUE || truths[i] == SYM_QUERY_TRUE);
           k++)
        {
          guint item = sym_query_index_find_value (index, parents.ids[k]);

          if (item != G_MAXUINT)
            truths[item] = SYM_QUERY_TRUE;
        }
    }
}
