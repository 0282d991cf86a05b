/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

#include <string.h>

/* What lies deeper ends in one group: no hostile name is worth thousands of them. */
#define MAX_DEPTH 64

/* Calls without a scope, of an operator that nobody named ("_plus19"), belong to the scope that
 * goes on after them, when they are few. */
#define MAX_GAP 4

/* Names without a scope at this depth. */
#define NO_SCOPE G_MAXUINT

/* A name up to the end of one of its parts, and what is known of calls with such names. */
typedef struct {
  const char *name;
  guint length;
  guint hash;
  guint id;
  gboolean is_path; /* by '/' or '.', said by the file; else guessed from digits */
} Scope;

typedef struct {
  guint n_calls, n_segments;
} Use;

/* Neighbouring calls of one scope. */
typedef struct {
  guint id;
  guint start, end;
  guint n_calls;
} Segment;

/* Calls that share the first @depth parts of their names, to be split by the next one.  What is
 * shown of the name of the first of them begins at @from. */
typedef struct {
  guint start, end;
  guint depth;
  guint first;
  guint from;
} Task;

typedef struct {
  SymGroupDraft *draft;
  guint *starts; /* by position, and one more: where its scopes begin */
  GArray *ids;
  GPtrArray *scopes; /* by id */
  Use *uses;         /* by id */
  GArray *segments;
  GArray *tasks;
} Finder;

/* ---- Names ---- */

static guint
hash_scope (gconstpointer key)
{
  return ((const Scope *) key)->hash;
}

static gboolean
is_equal_scope (gconstpointer a, gconstpointer b)
{
  const Scope *first = a;
  const Scope *second = b;

  return first->length == second->length && memcmp (first->name, second->name, first->length) == 0;
}

static char
find_separator (const char *name)
{
  return strchr (name, '/') ? '/' : strchr (name, '.') ? '.' : '_';
}

/* The scopes of a name from outside in: the ends of its parts, the last one left out.  At '_' a
 * part ends only after a digit: "stage3_unit1_conv1", but "batch_norm". */
static guint
find_ends (const char *name, char separator, guint *ends)
{
  guint n = 0;

  for (const char *p = name; *p && n < MAX_DEPTH; p++)
    if (*p == separator && p > name && p[-1] != separator && p[1] &&
        (separator != '_' || g_ascii_isdigit (p[-1])))
      ends[n++] = (guint) (p - name) + 1;
  return n;
}

static guint
look_up (Finder *self, GHashTable *table, Scope key)
{
  Scope *scope = g_hash_table_lookup (table, &key);

  if (!scope)
    {
      key.id = self->scopes->len;
      scope = g_memdup2 (&key, sizeof key);
      g_hash_table_add (table, scope);
      g_ptr_array_add (self->scopes, scope);
    }
  return scope->id;
}

/* Hashes go on from one part to the next, so that a name is read once. */
static void
read_name (Finder *self, GHashTable *table, const char *name)
{
  char separator = find_separator (name);
  guint ends[MAX_DEPTH];
  guint n = find_ends (name, separator, ends);
  Scope key = { .name = name, .hash = 5381, .is_path = separator != '_' };

  for (guint i = 0; i < n; i++)
    {
      guint id;

      for (; key.length < ends[i]; key.length++)
        key.hash = key.hash * 33 + (guint8) name[key.length];
      id = look_up (self, table, key);
      g_array_append_val (self->ids, id);
    }
}

static void
read_names (Finder *self)
{
  g_autoptr (GHashTable) table = g_hash_table_new (hash_scope, is_equal_scope);
  const SymGroupDraft *draft = self->draft;

  for (guint i = 0; i < draft->n; i++)
    {
      const char *name = sym_model_get_call_name (draft->model, draft->order[i]);

      if (name)
        read_name (self, table, name);
      self->starts[i + 1] = self->ids->len;
    }
}

static guint
get_scope (const Finder *self, guint position, guint depth)
{
  guint i = self->starts[position] + depth;

  return i < self->starts[position + 1] ? g_array_index (self->ids, guint, i) : NO_SCOPE;
}

static gboolean
has_scope (const Finder *self, guint position)
{
  return self->starts[position] < self->starts[position + 1];
}

/* ---- Segments ---- */

static gboolean
can_go_on (const Segment *segment, guint id, guint position)
{
  guint gap = position - segment->end;

  return segment->id == id && gap <= MAX_GAP &&
         segment->end - segment->start + gap <= 2 * segment->n_calls + 1;
}

/* A nameless sum right after a scope that makes one of its operands ends the block that the scope
 * is. */
static gboolean
is_sum_after (const Finder *self, const Segment *segment)
{
  const SymGroupDraft *draft = self->draft;
  guint n_data = 0;
  gboolean is_after = FALSE;

  for (guint i = draft->use_starts[segment->end]; i < draft->use_starts[segment->end + 1]; i++)
    {
      guint source = draft->uses[i].source;

      n_data += source < draft->n;
      is_after |= source >= segment->start && source < segment->end;
    }
  return n_data == 2 && is_after;
}

static void
find_segments (Finder *self, const Task *task)
{
  Segment *last = NULL;

  g_array_set_size (self->segments, 0);
  for (guint i = task->start; i < task->end; i++)
    {
      guint id = get_scope (self, i, task->depth);

      if (id != NO_SCOPE && last && can_go_on (last, id, i))
        {
          last->end = i + 1;
          last->n_calls++;
        }
      else if (id != NO_SCOPE)
        {
          g_array_append_val (self->segments, ((Segment){ id, i, i + 1, 1 }));
          last = &g_array_index (self->segments, Segment, self->segments->len - 1);
        }
      else if (last && last->end == i && has_scope (self, i - 1) && !has_scope (self, i) &&
               is_sum_after (self, last))
        last->end++;
    }
}

static void
count_uses (Finder *self)
{
  for (guint i = 0; i < self->segments->len; i++)
    self->uses[g_array_index (self->segments, Segment, i).id] = (Use){ 0, 0 };
  for (guint i = 0; i < self->segments->len; i++)
    {
      const Segment *segment = &g_array_index (self->segments, Segment, i);

      self->uses[segment->id].n_calls += segment->n_calls;
      self->uses[segment->id].n_segments++;
    }
}

/* A guessed scope must be in one part.  One that the file tells may be in several, each of which is
 * a group, but not in crumbs. */
static gboolean
is_group (const Finder *self, const Segment *segment)
{
  const Use *use = &self->uses[segment->id];
  const Scope *scope = g_ptr_array_index (self->scopes, segment->id);

  if (segment->end - segment->start < 2)
    return FALSE;
  return use->n_segments == 1 || (scope->is_path && use->n_calls >= 3 * use->n_segments);
}

/* ---- Groups ---- */

static void
keep_prefix (Finder *self, const Task *task, guint end)
{
  SymGroupDraft *draft = self->draft;
  const char *name = sym_model_get_call_name (draft->model, draft->order[task->first]);

  if (end > 0)
    draft->prefix = g_string_chunk_insert_len (draft->names, name, end);
}

static void
add_group (Finder *self, const Task *task, guint end)
{
  SymGroupDraft *draft = self->draft;
  const char *name = sym_model_get_call_name (draft->model, draft->order[task->first]);
  g_autofree char *text = NULL;
  guint from = task->from;

  while (from < end && strchr ("/._", name[from]))
    from++;
  text = g_strndup (name + from, end - from - 1);
  sym_group_draft_add (draft, task->start, task->end, SYM_GROUP_SCOPE,
                       g_string_chunk_insert_const (draft->names, text), SYM_NO_GROUP);
}

/* Goes down as long as one scope has everything: "a/b/c" is one group, and one that has everything
 * of the model is none. */
static void
split (Finder *self, Task task)
{
  guint end = task.from;

  for (;;)
    {
      const Segment *only;

      if (task.depth > 0)
        end = ((Scope *) g_ptr_array_index (self->scopes,
                                            get_scope (self, task.first, task.depth - 1)))
                  ->length;
      find_segments (self, &task);
      only = self->segments->len == 1 ? &g_array_index (self->segments, Segment, 0) : NULL;
      if (!only || only->start > task.start || only->end < task.end)
        break;
      task.first = only->start;
      task.depth++;
    }
  if (task.start > 0 || task.end < self->draft->n)
    add_group (self, &task, end);
  else
    keep_prefix (self, &task, end);
  count_uses (self);
  for (guint i = 0; i < self->segments->len; i++)
    {
      const Segment *segment = &g_array_index (self->segments, Segment, i);
      Task next = { segment->start, segment->end, task.depth + 1, segment->start, end };

      if (is_group (self, segment))
        g_array_append_val (self->tasks, next);
    }
}

void
sym_group_draft_find_scopes (SymGroupDraft *draft)
{
  g_autofree guint *starts = g_new0 (guint, draft->n + 1);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GPtrArray) scopes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  g_autoptr (GArray) tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  g_autofree Use *uses = NULL;
  Finder finder = { draft, starts, ids, scopes, NULL, segments, tasks };
  Task all = { 0, draft->n, 0, 0, 0 };

  read_names (&finder);
  if (scopes->len == 0)
    return;
  uses = g_new0 (Use, scopes->len);
  finder.uses = uses;
  g_array_append_val (tasks, all);
  while (tasks->len > 0 && !g_cancellable_is_cancelled (draft->cancellable))
    {
      Task task = g_array_index (tasks, Task, tasks->len - 1);

      g_array_set_size (tasks, tasks->len - 1);
      split (&finder, task);
    }
}
