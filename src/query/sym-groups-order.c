/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

#include <string.h>

/* An order that depends on what uses what alone, and not on where calls are in the file: so the
 * same model has the same groups, whoever wrote it down.  It keeps together what a reader sees as
 * one:
 *
 * 1. From the outputs backwards, a call comes right after what it uses.  Where branches meet, what
 *    they begin with comes first, and then each branch, whole and in the order of the operands: so
 *    a short branch stands by the call that joins it to the trunk, and not before the trunk.
 * 2. What is made of inputs alone and used more than once, as a mask or an encoder, goes ahead of
 *    all: else it would stand in the midst of the first block that uses it.
 * 3. What only further outputs need comes right after what it is made of, not behind everything. */

typedef struct {
  SymId call;
  guint root;
  guint first;       /* calls that were placed before this one was reached */
  guint reach;       /* the first place that it, or what it brought along, uses */
  guint begin, next; /* what is to be placed before it, within @needs */
} Visit;

typedef struct {
  SymId call;
  guint depth, index;
} Begin;

typedef struct {
  SymModel *model;
  guint *source_starts; /* by call, and one more */
  SymId *sources;       /* by call: those that make what it uses */
  guint *n_users;       /* by call: how often it is among these */

  guint n;
  SymId *order;
  guint *places;    /* by call; G_MAXUINT when it has none yet */
  guint8 *is_known; /* by call: placed, or on the way to be */
  guint *firsts;    /* by place: where what the call brought along begins */
  guint *reaches;   /* by place */
  guint *roots;     /* by place: from which of the outputs, in turn, it was reached */
  guint n_roots;

  GArray *visits; /* on the way */
  GArray *needs;  /* SymId; those of the last visit at the end */
  GArray *begins; /* Begin */
} Sorter;

/* ---- What comes before a call ---- */

/* Several results of one call, used together, are one use: a tensor and the range it is quantized
 * in. */
static void
add_source (Sorter *self, SymId call, guint first, guint *n)
{
  if (call == SYM_NO_ID || (*n > first && self->sources[*n - 1] == call))
    return;
  self->sources[(*n)++] = call;
  self->n_users[call]++;
}

static void
add_sources (Sorter *self, SymId call, guint *n)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  SymIds controls = sym_model_get_controls (self->model, call);
  gboolean has_cycle = sym_model_has_cycle (self->model);
  guint first = *n;

  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] != SYM_NO_ID &&
        !(has_cycle && sym_model_is_back_edge (self->model, call, i)))
      add_source (self, sym_model_get_producer (self->model, operands.ids[i]), first, n);
  for (guint i = 0; i < controls.n; i++)
    add_source (self, controls.ids[i], first, n);
}

static void
list_sources (Sorter *self)
{
  SymIds calls = sym_model_get_execution_order (self->model);
  guint n_calls = sym_model_get_n_calls (self->model);
  guint n = 0;

  for (guint i = 0; i < calls.n; i++)
    n += sym_model_get_operands (self->model, calls.ids[i]).n +
         sym_model_get_controls (self->model, calls.ids[i]).n;
  self->sources = g_new (SymId, n + 1);
  self->source_starts = g_new0 (guint, n_calls + 1);
  self->n_users = g_new0 (guint, n_calls + 1);
  n = 0;
  for (SymId call = 0; call < n_calls; call++)
    {
      self->source_starts[call] = n;
      if (sym_model_has_call (self->model, call))
        add_sources (self, call, &n);
    }
  self->source_starts[n_calls] = n;
}

/* ---- Branches ---- */

static guint
count_sources (const Sorter *self, SymId call)
{
  return self->source_starts[call + 1] - self->source_starts[call];
}

static guint
get_depth (SymModel *model, SymId call)
{
  SymId result = sym_model_get_first_result (model, call);

  return result != SYM_NO_ID ? sym_model_get_depth (model, result) : 0;
}

/* Finds what the branch that ends with @tip begins with: a call that others use too.  When that is
 * one in which branches meet, for this one alone, all but the tip belongs to it. */
static void
find_begin (Sorter *self, SymId tip)
{
  Begin begin = { tip, get_depth (self->model, tip), self->begins->len };

  while (self->n_users[begin.call] == 1 && count_sources (self, begin.call) == 1)
    begin.call = self->sources[self->source_starts[begin.call]];
  if (self->is_known[begin.call] || count_sources (self, begin.call) == 0)
    return;
  if (self->n_users[begin.call] == 1 && begin.call != tip)
    begin.call = self->sources[self->source_starts[tip]];
  g_array_append_val (self->begins, begin);
}

/* The deepest first, and of those as deep the first. */
static int
compare_begins (gconstpointer first, gconstpointer second)
{
  const Begin *a = first;
  const Begin *b = second;

  if (a->depth != b->depth)
    return a->depth > b->depth ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

/* Of two as deep the second: a step of a recurrent net adds what it makes of its input to what it
 * makes of its state, which tells more of what was before. */
static void
take_begins (Sorter *self)
{
  GArray *list = self->begins;
  gboolean is_pair = list->len == 2 &&
                     g_array_index (list, Begin, 0).depth == g_array_index (list, Begin, 1).depth;

  if (list->len > 1 && !is_pair)
    g_array_sort (list, compare_begins);
  for (guint i = 0; i < list->len; i++)
    g_array_append_val (self->needs,
                        g_array_index (list, Begin, is_pair ? list->len - 1 - i : i).call);
}

/* Lists what is to be placed before a call, in order. */
static void
list_needs (Sorter *self, SymId call)
{
  const SymId *sources = &self->sources[self->source_starts[call]];
  guint n = count_sources (self, call);

  g_array_set_size (self->begins, 0);
  for (guint i = 0; n > 1 && i < n; i++)
    find_begin (self, sources[i]);
  take_begins (self);
  g_array_append_vals (self->needs, sources, n);
}

/* ---- Backwards from the outputs ---- */

static void
place (Sorter *self, const Visit *visit)
{
  self->firsts[self->n] = visit->first;
  self->reaches[self->n] = visit->reach;
  self->roots[self->n] = visit->root;
  self->places[visit->call] = self->n;
  self->order[self->n++] = visit->call;
}

static void
push (Sorter *self, SymId call)
{
  Visit visit = { call, self->n_roots, self->n, G_MAXUINT, self->needs->len, self->needs->len };

  self->is_known[call] = 1;
  list_needs (self, call);
  g_array_append_val (self->visits, visit);
}

static void
pop (Sorter *self)
{
  Visit done = g_array_index (self->visits, Visit, self->visits->len - 1);

  place (self, &done);
  g_array_set_size (self->needs, done.begin);
  g_array_set_size (self->visits, self->visits->len - 1);
  if (self->visits->len > 0)
    {
      Visit *top = &g_array_index (self->visits, Visit, self->visits->len - 1);

      top->reach = MIN (top->reach, done.reach);
    }
}

/* Places a call behind all that it needs.  What is on the way to be placed is on a cycle of orders
 * between calls, which cannot be kept. */
static void
walk (Sorter *self, SymId root)
{
  if (self->is_known[root])
    return;
  push (self, root);
  while (self->visits->len > 0)
    {
      Visit *top = &g_array_index (self->visits, Visit, self->visits->len - 1);
      SymId need;

      if (top->next == self->needs->len)
        {
          pop (self);
          continue;
        }
      need = g_array_index (self->needs, SymId, top->next++);
      if (!self->is_known[need])
        push (self, need);
      else if (self->places[need] != G_MAXUINT)
        top->reach = MIN (top->reach, self->places[need]);
    }
  self->n_roots++;
}

static gboolean
is_used (SymModel *model, SymId call)
{
  SymIds results = sym_model_get_results (model, call);

  for (guint i = 0; i < results.n; i++)
    if (sym_model_get_consumers (model, results.ids[i]).n > 0)
      return TRUE;
  return FALSE;
}

/* What leads to no output begins at what nothing uses, and else, in cycles, anywhere. */
static void
walk_all (Sorter *self)
{
  SymIds outputs = sym_model_get_outputs (self->model);
  SymIds calls = sym_model_get_execution_order (self->model);

  for (guint i = 0; i < outputs.n; i++)
    {
      SymId producer = sym_model_get_producer (self->model, outputs.ids[i]);

      if (producer != SYM_NO_ID)
        walk (self, producer);
    }
  for (guint i = 0; i < calls.n; i++)
    if (!is_used (self->model, calls.ids[i]))
      walk (self, calls.ids[i]);
  for (guint i = 0; i < calls.n; i++)
    walk (self, calls.ids[i]);
}

/* ---- What goes ahead ---- */

static gboolean
has_several_users (SymModel *model, SymId call)
{
  SymIds results = sym_model_get_results (model, call);
  SymId user = SYM_NO_ID;

  for (guint i = 0; i < results.n; i++)
    {
      SymIds users = sym_model_get_consumers (model, results.ids[i]);

      for (guint k = 0; k < users.n; k++)
        {
          if (user != SYM_NO_ID && users.ids[k] != user)
            return TRUE;
          user = users.ids[k];
        }
    }
  return FALSE;
}

/* By place: 0 for what goes ahead, a call with all that it brought along, when none of these uses
 * anything from before; 1 for the rest. */
static guint *
find_ahead (const Sorter *self)
{
  guint *keys = g_new (guint, self->n + 1);

  for (guint i = self->n; i-- > 0;)
    {
      guint first = self->firsts[i];

      keys[i] = 1;
      if (first == 0 || self->reaches[i] < first ||
          !has_several_users (self->model, self->order[i]))
        continue;
      for (; i > first; i--)
        keys[i] = 0;
      keys[first] = 0;
    }
  return keys;
}

/* Sorts calls by keys that are below @n_keys, those with equal keys as they were. */
static void
arrange (Sorter *self, const guint *keys, guint n_keys)
{
  g_autofree guint *starts = g_new0 (guint, n_keys + 1);
  g_autofree guint *roots = g_new (guint, self->n + 1);
  SymId *order = g_new (SymId, self->n + 1);

  for (guint i = 0; i < self->n; i++)
    starts[keys[i] + 1]++;
  for (guint i = 0; i < n_keys; i++)
    starts[i + 1] += starts[i];
  for (guint i = 0; i < self->n; i++)
    {
      guint place = starts[keys[i]]++;

      order[place] = self->order[i];
      roots[place] = self->roots[i];
      self->places[self->order[i]] = place;
    }
  g_free (self->order);
  self->order = order;
  memcpy (self->roots, roots, sizeof (guint) * self->n);
}

/* ---- What further outputs need ---- */

/* The last place that the calls of one root use, from 1, seen from where those of other roots will
 * be; 0 for none. */
static guint
find_anchor (const Sorter *self, guint place, const guint *anchors)
{
  SymId call = self->order[place];
  guint anchor = anchors[self->roots[place]];

  for (guint i = self->source_starts[call]; i < self->source_starts[call + 1]; i++)
    {
      guint source = self->places[self->sources[i]];
      guint root = self->roots[source];

      if (source > place || root == self->roots[place])
        continue;
      if (root == 0)
        anchor = MAX (anchor, source + 1);
      else
        anchor = MAX (anchor, anchors[root] > 0 ? anchors[root] : self->n + 1);
    }
  return anchor;
}

/* By place: the place of the call of the first root that it goes behind, which is its own when it
 * is one of these; the end for what is joined to nothing. */
static guint *
find_anchors (const Sorter *self)
{
  guint *keys = g_new (guint, self->n + 1);
  g_autofree guint *anchors = g_new0 (guint, self->n_roots + 1);

  for (guint i = 0; i < self->n; i++)
    if (self->roots[i] > 0)
      anchors[self->roots[i]] = find_anchor (self, i, anchors);
  for (guint i = 0; i < self->n; i++)
    {
      guint anchor = anchors[self->roots[i]];

      keys[i] = self->roots[i] == 0 ? i : anchor > 0 ? anchor - 1 : self->n;
    }
  return keys;
}

static void
begin (Sorter *self)
{
  guint n = sym_model_get_n_calls (self->model) + 1;

  list_sources (self);
  self->order = g_new (SymId, n);
  self->places = g_new (guint, n);
  memset (self->places, 0xff, sizeof (guint) * n);
  self->is_known = g_new0 (guint8, n);
  self->firsts = g_new (guint, n);
  self->reaches = g_new (guint, n);
  self->roots = g_new (guint, n);
  self->visits = g_array_new (FALSE, FALSE, sizeof (Visit));
  self->needs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->begins = g_array_new (FALSE, FALSE, sizeof (Begin));
}

static SymId *
end (Sorter *self)
{
  g_free (self->source_starts);
  g_free (self->sources);
  g_free (self->n_users);
  g_free (self->places);
  g_free (self->is_known);
  g_free (self->firsts);
  g_free (self->reaches);
  g_free (self->roots);
  g_array_unref (self->visits);
  g_array_unref (self->needs);
  g_array_unref (self->begins);
  return self->order;
}

SymId *
sym_groups_sort (SymModel *model, guint *n)
{
  Sorter sorter = { .model = model };
  g_autofree guint *ahead = NULL;
  g_autofree guint *anchors = NULL;

  begin (&sorter);
  walk_all (&sorter);
  ahead = find_ahead (&sorter);
  for (guint i = 0; i < sorter.n; i++)
    if (ahead[i] == 0)
      sorter.roots[i] = 0;
  arrange (&sorter, ahead, 2);
  if (sorter.n_roots > 1)
    {
      anchors = find_anchors (&sorter);
      arrange (&sorter, anchors, sorter.n + 1);
    }
  *n = sorter.n;
  return end (&sorter);
}
