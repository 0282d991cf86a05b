/* SPDX-License-Identifier: MIT */
#include "query/sym-query-private.h"

#include <string.h>

/* From the items that match to those that stand so to them.  One that matches is enough; where none
 * does, one of which that is not known leaves it unknown.  Groups stand to nothing. */

static guint8
add_truth (guint8 truth, guint8 other)
{
  if (truth == SYM_QUERY_TRUE || other == SYM_QUERY_TRUE)
    return SYM_QUERY_TRUE;
  return truth == SYM_QUERY_UNKNOWN || other == SYM_QUERY_UNKNOWN ? SYM_QUERY_UNKNOWN
                                                                  : SYM_QUERY_FALSE;
}

static SymIds
get_parents (const SymQueryIndex *index, guint item)
{
  SymId call = sym_query_index_get_item (index, item).call;

  return call == SYM_NO_ID ? (SymIds){ NULL, 0 } : sym_model_get_data_operands (index->model, call);
}

static guint
get_n (const SymQueryIndex *index)
{
  return index->n_nodes + index->n_calls;
}

static void
leave_out_groups (const SymQueryIndex *index, guint8 *truths)
{
  memset (truths + get_n (index), SYM_QUERY_UNKNOWN, index->n_items - get_n (index));
}

/* What @from says of an item's parents, added to what is known of the item. */
static void
pull (const SymQueryIndex *index, guint item, const guint8 *from, guint8 *truths)
{
  SymIds parents = get_parents (index, item);

  for (guint i = 0; i < parents.n && truths[item] != SYM_QUERY_TRUE; i++)
    {
      guint parent = sym_query_index_find_value (index, parents.ids[i]);

      if (parent != G_MAXUINT)
        truths[item] = add_truth (truths[item], from[parent]);
    }
}

/* What @from says of an item, added to what is known of its parents. */
static void
push (const SymQueryIndex *index, guint item, const guint8 *from, guint8 *truths)
{
  SymIds parents = get_parents (index, item);

  for (guint i = 0; i < parents.n && from[item] != SYM_QUERY_FALSE; i++)
    {
      guint parent = sym_query_index_find_value (index, parents.ids[i]);

      if (parent != G_MAXUINT)
        truths[parent] = add_truth (truths[parent], from[item]);
    }
}

void
sym_query_relate_parent (SymQueryScan *scan, const guint8 *from, guint8 *truths)
{
  leave_out_groups (scan->index, truths);
  for (guint i = 0; i < get_n (scan->index); i++)
    pull (scan->index, i, from, truths);
}

void
sym_query_relate_child (SymQueryScan *scan, const guint8 *from, guint8 *truths)
{
  leave_out_groups (scan->index, truths);
  for (guint i = 0; i < get_n (scan->index); i++)
    push (scan->index, i, from, truths);
}

/* Rows are in an order of execution: what comes before has been decided.  Back edges end there. */
void
sym_query_relate_after (SymQueryScan *scan, const guint8 *from, guint8 *truths)
{
  leave_out_groups (scan->index, truths);
  for (guint i = 0; i < get_n (scan->index); i++)
    {
      pull (scan->index, i, from, truths);
      pull (scan->index, i, truths, truths);
    }
}

void
sym_query_relate_before (SymQueryScan *scan, const guint8 *from, guint8 *truths)
{
  leave_out_groups (scan->index, truths);
  for (guint i = get_n (scan->index); i-- > 0;)
    {
      push (scan->index, i, from, truths);
      push (scan->index, i, truths, truths);
    }
}
