/* SPDX-License-Identifier: MIT */
#include "query/sym-trace.h"

/* Nodes are numbered: calls first, then values. */
struct _SymTrace {
  gatomicrefcount ref_count;
  SymModel *model;
  guint8 *has; /* by node */
  GArray *calls;
  guint n_values;
};

/* A walk, breadth first.  @reached holds for each node the one from which it was reached, counted
 * from 1, and for the first itself; 0 for one that was not. */
typedef struct {
  const SymModel *model;
  guint n_calls;
  guint *reached;
  GArray *queue;
  guint *control_starts; /* by call, and one more: the calls that must run after it */
  SymId *controlled;
} Walk;

static guint
get_node (const SymModel *model, SymEntry entry)
{
  return entry.is_call ? entry.id : sym_model_get_n_calls (model) + entry.id;
}

static guint
count_nodes (const SymModel *model)
{
  return sym_model_get_n_calls (model) + sym_model_get_n_values (model);
}

/* ---- Walks ---- */

static void
list_controlled (Walk *self)
{
  SymIds order = sym_model_get_execution_order (self->model);
  g_autofree guint *next = g_new (guint, self->n_calls + 1);

  self->control_starts = g_new0 (guint, self->n_calls + 1);
  for (guint i = 0; i < order.n; i++)
    {
      SymIds before = sym_model_get_controls (self->model, order.ids[i]);

      for (guint k = 0; k < before.n; k++)
        self->control_starts[before.ids[k] + 1]++;
    }
  for (guint i = 0; i < self->n_calls; i++)
    {
      next[i] = self->control_starts[i];
      self->control_starts[i + 1] += self->control_starts[i];
    }
  self->controlled = g_new (SymId, self->control_starts[self->n_calls] + 1);
  for (guint i = 0; i < order.n; i++)
    {
      SymIds before = sym_model_get_controls (self->model, order.ids[i]);

      for (guint k = 0; k < before.n; k++)
        self->controlled[next[before.ids[k]]++] = order.ids[i];
    }
}

static void
reach (Walk *self, guint node, guint from)
{
  if (self->reached[node] != 0)
    return;
  self->reached[node] = from + 1;
  g_array_append_val (self->queue, node);
}

static void
reach_calls (Walk *self, SymIds calls, guint from)
{
  for (guint i = 0; i < calls.n; i++)
    reach (self, calls.ids[i], from);
}

static void
reach_values (Walk *self, SymIds values, guint from)
{
  for (guint i = 0; i < values.n; i++)
    if (values.ids[i] != SYM_NO_ID)
      reach (self, self->n_calls + values.ids[i], from);
}

static void
step_up (Walk *self, guint node)
{
  if (node < self->n_calls)
    {
      reach_values (self, sym_model_get_operands (self->model, node), node);
      reach_calls (self, sym_model_get_controls (self->model, node), node);
    }
  else
    {
      SymId producer = sym_model_get_producer (self->model, node - self->n_calls);

      if (producer != SYM_NO_ID)
        reach (self, producer, node);
    }
}

static void
step_down (Walk *self, guint node)
{
  if (node < self->n_calls)
    {
      guint start = self->control_starts[node];
      SymIds after = { self->controlled + start, self->control_starts[node + 1] - start };

      reach_values (self, sym_model_get_results (self->model, node), node);
      reach_calls (self, after, node);
    }
  else
    reach_calls (self, sym_model_get_consumers (self->model, node - self->n_calls), node);
}

/* Walks from @start, and no further once @goal is reached; give a number that no node has for none.
 */
static guint *
walk (const SymModel *model, guint start, guint goal, gboolean up)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));
  guint *reached = g_new0 (guint, count_nodes (model) + 1);
  Walk self = { model, sym_model_get_n_calls (model), reached, queue, NULL, NULL };

  if (!up)
    list_controlled (&self);
  reach (&self, start, start);
  for (guint i = 0; i < queue->len && (goal == G_MAXUINT || reached[goal] == 0); i++)
    {
      guint node = g_array_index (queue, guint, i);

      if (up)
        step_up (&self, node);
      else
        step_down (&self, node);
    }
  g_free (self.control_starts);
  g_free (self.controlled);
  return reached;
}

/* ---- Traces ---- */

static SymTrace *
new_empty (SymModel *model)
{
  SymTrace *self = g_new0 (SymTrace, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->model = sym_model_ref (model);
  self->has = g_new0 (guint8, count_nodes (model) + 1);
  self->calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  return self;
}

static SymTrace *
settle (SymTrace *self)
{
  SymIds order = sym_model_get_execution_order (self->model);
  guint n_calls = sym_model_get_n_calls (self->model);

  for (guint i = 0; i < order.n; i++)
    if (self->has[order.ids[i]])
      g_array_append_val (self->calls, order.ids[i]);
  for (guint i = 0; i < sym_model_get_n_values (self->model); i++)
    if (self->has[n_calls + i] && sym_role_is_data (sym_model_get_role (self->model, i)))
      self->n_values++;
  return self;
}

static gboolean
has_node (const SymModel *model, SymEntry entry)
{
  return entry.is_call ? sym_model_has_call (model, entry.id)
                       : sym_model_has_value (model, entry.id);
}

SymTrace *
sym_trace_new (SymModel *model, SymEntry start, SymTraceDirection direction)
{
  SymTrace *self;

  g_return_val_if_fail (model != NULL && has_node (model, start), NULL);

  self = new_empty (model);
  for (int up = 0; up < 2; up++)
    {
      g_autofree guint *reached = NULL;

      if (direction == (up ? SYM_TRACE_DESCENDANTS : SYM_TRACE_ANCESTORS))
        continue;
      reached = walk (model, get_node (model, start), G_MAXUINT, up);
      for (guint i = 0; i < count_nodes (model); i++)
        self->has[i] |= reached[i] != 0;
    }
  return settle (self);
}

/* Walks down from one node to the other, the one way or else the other; puts them in that order. */
static guint *
walk_between (const SymModel *model, guint *from, guint *to, guint goal_at_from, guint goal_at_to)
{
  guint *reached = walk (model, *from, goal_at_to, FALSE);
  guint other = *from;

  if (reached[*to] != 0)
    return reached;
  g_free (reached);
  *from = *to;
  *to = other;
  reached = walk (model, *from, goal_at_from, FALSE);
  if (reached[*to] == 0)
    g_clear_pointer (&reached, g_free);
  return reached;
}

SymTrace *
sym_trace_new_path (SymModel *model, SymEntry from, SymEntry to)
{
  g_autofree guint *reached = NULL;
  guint first, last;
  SymTrace *self;

  g_return_val_if_fail (model != NULL && has_node (model, from) && has_node (model, to), NULL);

  first = get_node (model, from);
  last = get_node (model, to);
  reached = walk_between (model, &first, &last, first, last);
  if (!reached)
    return NULL;
  self = new_empty (model);
  for (guint node = last; node != first; node = reached[node] - 1)
    self->has[node] = 1;
  self->has[first] = 1;
  return settle (self);
}

SymTrace *
sym_trace_new_between (SymModel *model, SymEntry from, SymEntry to)
{
  g_autofree guint *below = NULL;
  g_autofree guint *above = NULL;
  guint first, last;
  SymTrace *self;

  g_return_val_if_fail (model != NULL && has_node (model, from) && has_node (model, to), NULL);

  first = get_node (model, from);
  last = get_node (model, to);
  below = walk_between (model, &first, &last, G_MAXUINT, G_MAXUINT);
  if (!below)
    return NULL;
  above = walk (model, last, G_MAXUINT, TRUE);
  self = new_empty (model);
  for (guint i = 0; i < count_nodes (model); i++)
    self->has[i] = below[i] != 0 && above[i] != 0;
  return settle (self);
}

SymTrace *
sym_trace_ref (SymTrace *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_trace_unref (SymTrace *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_model_unref (self->model);
  g_free (self->has);
  g_array_unref (self->calls);
  g_free (self);
}

SymModel *
sym_trace_get_model (const SymTrace *self)
{
  return self->model;
}

gboolean
sym_trace_has_call (const SymTrace *self, SymId call)
{
  g_return_val_if_fail (call < sym_model_get_n_calls (self->model), FALSE);

  return self->has[call];
}

gboolean
sym_trace_has_value (const SymTrace *self, SymId value)
{
  g_return_val_if_fail (value < sym_model_get_n_values (self->model), FALSE);

  return self->has[sym_model_get_n_calls (self->model) + value];
}

guint
sym_trace_get_n_values (const SymTrace *self)
{
  return self->n_values;
}

SymIds
sym_trace_get_calls (const SymTrace *self)
{
  return (SymIds){ (const SymId *) (gpointer) self->calls->data, self->calls->len };
}
