/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-graph-private.h"

/* Places are of whole cache lines, in elements. */
#define LINE 16

typedef struct {
  gsize offset, n;
} Gap;

typedef struct {
  SymPlanGraph *graph;
  const guint *steps;
  guint *first, *last; /* of each root the steps between which it is needed */
  GArray *gaps;        /* of Gap, by offset: what is free in the arena */
} Place;

guint
sym_plan_graph_find_root (const SymPlanGraph *self, guint tensor)
{
  while (sym_plan_graph_get_tensor (self, tensor)->root != tensor)
    tensor = sym_plan_graph_get_tensor (self, tensor)->root;
  return tensor;
}

static void
use (Place *self, guint tensor, guint step)
{
  guint root;

  if (tensor == SYM_PLAN_NONE)
    return;
  root = sym_plan_graph_find_root (self->graph, tensor);
  self->first[root] = MIN (self->first[root], step);
  self->last[root] = MAX (self->last[root], step);
}

static void
find_lifetimes (Place *self)
{
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);

      if (op->kind == SYM_PLAN_VIEW)
        sym_plan_graph_get_tensor (self->graph, op->y)->root = op->x;
      for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
        use (self, *sym_plan_op_get_operand (op, j), self->steps[i]);
      use (self, op->y, self->steps[i]);
    }
}

/* Whether the tensor's place is in the arena. */
static gboolean
is_inside (const SymPlanGraph *graph, guint root)
{
  const SymPlanTensor *tensor = sym_plan_graph_get_tensor (graph, root);

  return tensor->constant == NULL && !tensor->is_input && !tensor->is_output;
}

/* Whether an operation before @op in its step reads the tensor, perhaps after @op made some. */
static gboolean
is_read_meanwhile (const Place *self, guint op, guint root)
{
  for (guint i = op; i > 0 && self->steps[i - 1] == self->steps[op]; i--)
    for (guint j = 0; j < SYM_PLAN_N_OPERANDS; j++)
      {
        guint tensor = *sym_plan_op_get_operand (sym_plan_graph_get_op (self->graph, i - 1), j);

        if (tensor != SYM_PLAN_NONE && sym_plan_graph_find_root (self->graph, tensor) == root)
          return TRUE;
      }
  return FALSE;
}

/* The sum is then made where one summand is. */
static void
share_addends (Place *self)
{
  for (guint i = 0; i < self->graph->ops->len; i++)
    {
      const SymPlanOp *op = sym_plan_graph_get_op (self->graph, i);
      guint root;

      if (op->addend == SYM_PLAN_NONE || op->kind == SYM_PLAN_ATTENTION ||
          !is_inside (self->graph, op->y))
        continue;
      root = sym_plan_graph_find_root (self->graph, op->addend);
      if (!is_inside (self->graph, root) || self->last[root] > self->steps[i] ||
          root == sym_plan_graph_find_root (self->graph, op->x) ||
          is_read_meanwhile (self, i, root))
        continue;
      sym_plan_graph_get_tensor (self->graph, op->y)->root = root;
      self->last[root] = MAX (self->last[root], self->last[op->y]);
    }
}

/* ---- The arena ---- */

static void
take (Place *self, guint root)
{
  SymPlanTensor *tensor = sym_plan_graph_get_tensor (self->graph, root);
  gsize n = (tensor->n + LINE - 1) / LINE * LINE;
  guint best = G_MAXUINT;

  for (guint i = 0; i < self->gaps->len; i++)
    {
      const Gap *gap = &g_array_index (self->gaps, Gap, i);

      if (gap->n >= n && (best == G_MAXUINT || gap->n < g_array_index (self->gaps, Gap, best).n))
        best = i;
    }
  if (best == G_MAXUINT)
    {
      Gap *end =
          self->gaps->len == 0 ? NULL : &g_array_index (self->gaps, Gap, self->gaps->len - 1);
      gboolean grows = end != NULL && end->offset + end->n == self->graph->arena;

      tensor->offset = grows ? end->offset : self->graph->arena;
      self->graph->arena = tensor->offset + n;
      if (grows)
        g_array_set_size (self->gaps, self->gaps->len - 1);
      return;
    }
  tensor->offset = g_array_index (self->gaps, Gap, best).offset;
  g_array_index (self->gaps, Gap, best).offset += n;
  g_array_index (self->gaps, Gap, best).n -= n;
  if (g_array_index (self->gaps, Gap, best).n == 0)
    g_array_remove_index (self->gaps, best);
}

static void
give (Place *self, guint root)
{
  const SymPlanTensor *tensor = sym_plan_graph_get_tensor (self->graph, root);
  Gap gap = { tensor->offset, (tensor->n + LINE - 1) / LINE * LINE };
  guint i = 0;

  while (i < self->gaps->len && g_array_index (self->gaps, Gap, i).offset < gap.offset)
    i++;
  if (i < self->gaps->len && gap.offset + gap.n == g_array_index (self->gaps, Gap, i).offset)
    {
      gap.n += g_array_index (self->gaps, Gap, i).n;
      g_array_remove_index (self->gaps, i);
    }
  if (i > 0 &&
      g_array_index (self->gaps, Gap, i - 1).offset + g_array_index (self->gaps, Gap, i - 1).n ==
          gap.offset)
    g_array_index (self->gaps, Gap, i - 1).n += gap.n;
  else
    g_array_insert_val (self->gaps, i, gap);
}

typedef struct {
  guint step, root;
  gboolean is_end;
} Event;

/* What begins at a step comes before what ends there: both are in use while it runs. */
static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *left = a, *right = b;

  if (left->step != right->step)
    return left->step < right->step ? -1 : 1;
  if (left->is_end != right->is_end)
    return left->is_end ? 1 : -1;
  return left->root < right->root ? -1 : left->root > right->root;
}

static void
place_all (Place *self, const gboolean *hidden)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));

  for (guint i = 0; i < self->graph->tensors->len; i++)
    {
      Event event = { self->first[i], i, FALSE };

      if (sym_plan_graph_find_root (self->graph, i) != i || !is_inside (self->graph, i) ||
          hidden[i] || self->first[i] == G_MAXUINT)
        continue;
      g_array_append_val (events, event);
      event = (Event){ self->last[i], i, TRUE };
      g_array_append_val (events, event);
    }
  g_array_sort (events, compare_events);
  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, Event, i).is_end)
      give (self, g_array_index (events, Event, i).root);
    else
      take (self, g_array_index (events, Event, i).root);
}

void
sym_plan_graph_place (SymPlanGraph *self, const guint *steps, const gboolean *hidden)
{
  guint n = self->tensors->len;
  g_autofree guint *first = g_new (guint, n + 1), *last = g_new0 (guint, n + 1);
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  Place place = { self, steps, first, last, gaps };

  for (guint i = 0; i < n; i++)
    first[i] = G_MAXUINT;
  find_lifetimes (&place);
  share_addends (&place);
  place_all (&place, hidden);
}
