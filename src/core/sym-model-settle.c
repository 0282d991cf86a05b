/* SPDX-License-Identifier: MIT */
#include "core/sym-model-private.h"

#include <stdlib.h>

static gboolean
is_data_value (const SymTopology *self, SymId value)
{
  return value != SYM_NO_ID && sym_role_is_data ((SymRole) self->roles[value]);
}

/* What is used is there, whatever was said of it. */
static void
bring_back (SymTopology *self, SymId value)
{
  if (self->roles[value] == SYM_ROLE_ABSENT)
    self->roles[value] = SYM_ROLE_INTERMEDIATE;
}

static void
bring_back_used (SymTopology *self)
{
  for (guint i = 0; i < self->n_outputs; i++)
    bring_back (self, self->outputs[i]);
  for (SymId value = 0; value < self->n_values; value++)
    if (sym_runs_get (&self->consumers, value).n > 0)
      bring_back (self, value);
}

static void
find_data_operands (SymTopology *self)
{
  SymRuns *out = &self->data_operands;
  guint n = 0;

  out->n = self->n_calls;
  out->offsets = g_new (guint, self->n_calls + 1);
  out->ids = g_new (SymId, self->operands.offsets[self->n_calls] + 1);
  for (SymId call = 0; call < self->n_calls; call++)
    {
      SymIds operands = sym_runs_get (&self->operands, call);

      out->offsets[call] = n;
      for (guint i = 0; i < operands.n; i++)
        if (is_data_value (self, operands.ids[i]))
          out->ids[n++] = operands.ids[i];
    }
  out->offsets[self->n_calls] = n;
}

static void
find_consumers (SymTopology *self)
{
  const SymRuns *operands = &self->operands;
  guint n_uses = operands->offsets[self->n_calls];
  SymRuns *out = &self->consumers;
  g_autofree guint *next = g_new (guint, self->n_values + 1);

  out->n = self->n_values;
  out->offsets = g_new0 (guint, self->n_values + 1);
  for (guint i = 0; i < n_uses; i++)
    if (operands->ids[i] != SYM_NO_ID)
      out->offsets[operands->ids[i] + 1]++;
  for (guint i = 0; i < self->n_values; i++)
    out->offsets[i + 1] += out->offsets[i];

  out->ids = g_new (SymId, out->offsets[self->n_values] + 1);
  memcpy (next, out->offsets, sizeof (guint) * (self->n_values + 1));
  for (guint e = 0; e < self->n_entries; e++)
    {
      SymIds uses;

      if (!self->entries[e].is_call)
        continue;
      uses = sym_runs_get (operands, self->entries[e].id);
      for (guint i = 0; i < uses.n; i++)
        if (uses.ids[i] != SYM_NO_ID)
          out->ids[next[uses.ids[i]]++] = self->entries[e].id;
    }
}

/* ---- Order of execution ---- */

typedef enum {
  WHITE,
  GREY,
  BLACK,
} Colour;

typedef struct {
  SymId call;
  guint next;
} Frame;

static int
compare_edges (const void *a, const void *b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

static gboolean
is_back_edge (const SymTopology *self, SymId call, guint operand)
{
  guint64 key = (guint64) call << 32 | operand;

  return self->n_back_edges > 0 &&
         bsearch (&key, self->back_edges, self->n_back_edges, sizeof key, compare_edges) != NULL;
}

/* The calls that @call must wait for: producers of its operands, then its controls; SYM_NO_ID where
 * there is none.  Operands come first, so that their index tells back edges. */
static SymId
get_dependency (const SymTopology *self, SymId call, guint i)
{
  SymIds operands = sym_runs_get (&self->operands, call);
  SymId value;

  if (i >= operands.n)
    return sym_runs_get (&self->controls, call).ids[i - operands.n];
  value = operands.ids[i];
  return value == SYM_NO_ID || is_back_edge (self, call, i) ? SYM_NO_ID : self->producers[value];
}

static guint
get_n_dependencies (const SymTopology *self, SymId call)
{
  return sym_runs_get (&self->operands, call).n + sym_runs_get (&self->controls, call).n;
}

static gboolean
are_done (const SymTopology *self, SymId call, const guint8 *done)
{
  SymIds operands = sym_runs_get (&self->operands, call);
  SymIds controls = sym_runs_get (&self->controls, call);

  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];
      SymId producer = value == SYM_NO_ID ? SYM_NO_ID : self->producers[value];

      if (producer != SYM_NO_ID && !done[producer])
        return FALSE;
    }
  for (guint i = 0; i < controls.n; i++)
    if (!done[controls.ids[i]])
      return FALSE;
  return TRUE;
}

/* Asked before any edge is known to be a back edge. */
static gboolean
is_file_order_executable (const SymTopology *self)
{
  g_autofree guint8 *done = g_new0 (guint8, self->n_calls + 1);

  for (guint e = 0; e < self->n_entries; e++)
    {
      if (!self->entries[e].is_call)
        continue;
      if (!are_done (self, self->entries[e].id, done))
        return FALSE;
      done[self->entries[e].id] = 1;
    }
  return TRUE;
}

static void
take_file_order (SymTopology *self)
{
  self->n_execution = 0;
  for (guint e = 0; e < self->n_entries; e++)
    if (self->entries[e].is_call)
      self->execution[self->n_execution++] = self->entries[e].id;
}

/* Emits each call behind those it depends on, otherwise in file order.  FALSE when there is a
 * cycle, whose calls then come out in some order. */
static gboolean
order_by_dependencies (SymTopology *self)
{
  g_autofree guint8 *colours = g_new0 (guint8, self->n_calls + 1);
  g_autofree Frame *stack = g_new (Frame, self->n_calls + 1);
  gboolean is_acyclic = TRUE;

  self->n_execution = 0;
  for (guint e = 0; e < self->n_entries; e++)
    {
      guint depth = 0;

      if (!self->entries[e].is_call || colours[self->entries[e].id] != WHITE)
        continue;
      colours[self->entries[e].id] = GREY;
      stack[depth++] = (Frame){ self->entries[e].id, 0 };
      while (depth > 0)
        {
          Frame *top = &stack[depth - 1];
          SymId dependency;

          if (top->next == get_n_dependencies (self, top->call))
            {
              colours[top->call] = BLACK;
              self->execution[self->n_execution++] = top->call;
              depth--;
              continue;
            }
          dependency = get_dependency (self, top->call, top->next++);
          if (dependency == SYM_NO_ID)
            continue;
          is_acyclic = is_acyclic && colours[dependency] != GREY;
          if (colours[dependency] != WHITE)
            continue;
          colours[dependency] = GREY;
          stack[depth++] = (Frame){ dependency, 0 };
        }
    }
  return is_acyclic;
}

/* Forward uses of a call, as (consumer, operand) pairs in one array of runs. */
typedef struct {
  guint *offsets;
  guint64 *uses;
} Uses;

static Uses
collect_uses (const SymTopology *self)
{
  Uses uses = { .offsets = g_new0 (guint, self->n_calls + 2) };
  g_autofree guint *next = NULL;

  for (int pass = 0; pass < 2; pass++)
    {
      for (SymId call = 0; call < self->n_calls; call++)
        {
          SymIds operands = sym_runs_get (&self->operands, call);

          for (guint i = 0; i < operands.n; i++)
            {
              SymId producer =
                  operands.ids[i] == SYM_NO_ID ? SYM_NO_ID : self->producers[operands.ids[i]];

              if (producer == SYM_NO_ID)
                continue;
              if (pass == 0)
                uses.offsets[producer + 1]++;
              else
                uses.uses[next[producer]++] = (guint64) call << 32 | i;
            }
        }
      if (pass == 1)
        break;
      for (guint i = 0; i < self->n_calls; i++)
        uses.offsets[i + 1] += uses.offsets[i];
      uses.uses = g_new (guint64, uses.offsets[self->n_calls] + 1);
      next = g_memdup2 (uses.offsets, sizeof (guint) * (self->n_calls + 1));
    }
  return uses;
}

static void
walk_forwards (SymTopology *self, const Uses *uses, SymId start, guint8 *colours, GArray *edges)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  Frame first = { start, 0 };

  colours[start] = GREY;
  g_array_append_val (stack, first);
  while (stack->len > 0)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);
      guint at = uses->offsets[top->call] + top->next++;
      Frame next;

      if (at >= uses->offsets[top->call + 1])
        {
          colours[top->call] = BLACK;
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      next = (Frame){ (SymId) (uses->uses[at] >> 32), 0 };
      if (colours[next.call] == GREY)
        g_array_append_val (edges, uses->uses[at]);
      if (colours[next.call] != WHITE)
        continue;
      colours[next.call] = GREY;
      g_array_append_val (stack, next);
    }
}

static gboolean
has_producing_operand (const SymTopology *self, SymId call)
{
  SymIds operands = sym_runs_get (&self->operands, call);

  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID && self->producers[operands.ids[i]] != SYM_NO_ID)
      return TRUE;

  return FALSE;
}

/* Walks along the data from where it enters, so that the edge that closes a loop is the one that a
 * reader would call so: the one back into the call at which the loop was entered. */
static void
find_back_edges (SymTopology *self)
{
  g_autofree guint8 *colours = g_new0 (guint8, self->n_calls + 1);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint64));
  Uses uses = collect_uses (self);

  for (int pass = 0; pass < 2; pass++)
    for (guint e = 0; e < self->n_entries; e++)
      {
        SymEntry entry = self->entries[e];

        if (entry.is_call && colours[entry.id] == WHITE &&
            (pass == 1 || !has_producing_operand (self, entry.id)))
          walk_forwards (self, &uses, entry.id, colours, edges);
      }
  g_free (uses.offsets);
  g_free (uses.uses);

  g_array_sort (edges, compare_edges);
  self->n_back_edges = edges->len;
  self->back_edges = (guint64 *) (gpointer) g_array_free (g_steal_pointer (&edges), FALSE);
}

static void
find_execution_order (SymTopology *self)
{
  self->execution = g_new (SymId, self->n_calls + 1);
  if (is_file_order_executable (self))
    {
      take_file_order (self);
      return;
    }
  if (order_by_dependencies (self))
    return;

  self->has_cycle = TRUE;
  find_back_edges (self);
  order_by_dependencies (self);
}

/* ---- What follows from the order ---- */

static void
find_depths (SymTopology *self)
{
  self->depths = g_new0 (guint, self->n_values + 1);
  for (guint e = 0; e < self->n_execution; e++)
    {
      SymId call = self->execution[e];
      SymIds operands = sym_runs_get (&self->operands, call);
      SymIds results = sym_runs_get (&self->results, call);
      guint depth = 0;

      for (guint i = 0; i < operands.n; i++)
        if (is_data_value (self, operands.ids[i]) && !is_back_edge (self, call, i))
          depth = MAX (depth, self->depths[operands.ids[i]] + 1);
      for (guint i = 0; i < results.n; i++)
        self->depths[results.ids[i]] = depth;
    }
}

static void
push_live (SymTopology *self, SymId value, guint8 *live_calls, SymId *stack, guint *depth)
{
  SymId producer;

  if (value == SYM_NO_ID)
    return;
  self->live[value] = 1;
  producer = self->producers[value];
  if (producer == SYM_NO_ID || live_calls[producer])
    return;
  live_calls[producer] = 1;
  stack[(*depth)++] = producer;
}

static void
find_live (SymTopology *self)
{
  g_autofree guint8 *live_calls = g_new0 (guint8, self->n_calls + 1);
  g_autofree SymId *stack = g_new (SymId, self->n_calls + 1);
  guint depth = 0;

  self->live = g_new0 (guint8, self->n_values + 1);
  self->is_output = g_new0 (guint8, self->n_values + 1);
  for (guint i = 0; i < self->n_outputs; i++)
    {
      self->is_output[self->outputs[i]] = 1;
      push_live (self, self->outputs[i], live_calls, stack, &depth);
    }
  while (depth > 0)
    {
      SymId call = stack[--depth];
      SymIds operands = sym_runs_get (&self->operands, call);
      SymIds controls = sym_runs_get (&self->controls, call);

      for (guint i = 0; i < operands.n; i++)
        push_live (self, operands.ids[i], live_calls, stack, &depth);
      for (guint i = 0; i < controls.n; i++)
        if (!live_calls[controls.ids[i]])
          {
            live_calls[controls.ids[i]] = 1;
            stack[depth++] = controls.ids[i];
          }
    }
}

static void
add_row (SymTopology *self, SymId value)
{
  if (self->row_numbers[value] != 0)
    return;
  self->rows[self->n_rows++] = value;
  self->row_numbers[value] = self->n_rows;
}

static void
find_rows (SymTopology *self)
{
  self->rows = g_new (SymId, self->n_values + 1);
  self->row_numbers = g_new0 (guint, self->n_values + 1);
  for (guint i = 0; i < self->n_inputs; i++)
    add_row (self, self->inputs[i]);
  for (guint e = 0; e < self->n_entries; e++)
    if (!self->entries[e].is_call && is_data_value (self, self->entries[e].id))
      add_row (self, self->entries[e].id);
  for (guint e = 0; e < self->n_execution; e++)
    {
      SymIds results = sym_runs_get (&self->results, self->execution[e]);

      for (guint i = 0; i < results.n; i++)
        if (is_data_value (self, results.ids[i]))
          add_row (self, results.ids[i]);
    }
}

void
sym_topology_settle (SymTopology *self)
{
  find_consumers (self);
  bring_back_used (self);
  find_data_operands (self);
  find_execution_order (self);
  find_depths (self);
  find_live (self);
  find_rows (self);
}
