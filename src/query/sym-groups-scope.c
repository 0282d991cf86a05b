/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

#include <string.h>

/* What lies deeper ends in one group: no hostile name is worth thousands of them. */
#define MAX_DEPTH 64

/* The calls whose names begin with a path. */
typedef struct {
  char *path; /* with the separator that ends it */
  guint n_calls;
  guint group; /* once there is one */
} Scope;

static void
scope_free (gpointer data)
{
  Scope *scope = data;

  g_free (scope->path);
  g_free (scope);
}

/* The scopes of a name from outside in: the ends of its parts, the last one left out. */
static guint
find_ends (const char *name, gsize *ends)
{
  char separator = strchr (name, '/') ? '/' : '.';
  guint n = 0;

  for (const char *p = name; *p && n < MAX_DEPTH; p++)
    if (*p == separator && p > name && p[-1] != separator && p[1])
      ends[n++] = (gsize) (p - name) + 1;
  return n;
}

static Scope *
look_up (GHashTable *scopes, const char *name, gsize length)
{
  g_autofree char *path = g_strndup (name, length);
  Scope *scope = g_hash_table_lookup (scopes, path);

  if (!scope) {
    scope = g_new0 (Scope, 1);
    scope->path = g_steal_pointer (&path);
    scope->group = SYM_NO_GROUP;
    g_hash_table_insert (scopes, scope->path, scope);
  }
  return scope;
}

static void
count_scopes (GHashTable *scopes, const char *name)
{
  gsize ends[MAX_DEPTH];
  guint n = find_ends (name, ends);

  for (guint i = 0; i < n; i++)
    look_up (scopes, name, ends[i])->n_calls++;
}

/* A scope is a group when it has more than one call and fewer than what is around it. */
static guint
add_scopes (SymGroups *self, GHashTable *scopes, const char *name, guint n_around)
{
  gsize ends[MAX_DEPTH];
  guint n = find_ends (name, ends);
  guint parent = SYM_NO_GROUP;
  gsize parent_end = 0;

  for (guint i = 0; i < n; i++) {
    Scope *scope = look_up (scopes, name, ends[i]);

    if (scope->n_calls < 2 || scope->n_calls == n_around)
      continue;
    if (scope->group == SYM_NO_GROUP) {
      g_autofree char *text = g_strndup (name + parent_end, ends[i] - parent_end - 1);

      scope->group = sym_groups_add (self, SYM_GROUP_SCOPE, text, parent);
    }
    parent = scope->group;
    parent_end = ends[i];
    n_around = scope->n_calls;
  }
  return parent;
}

void
sym_groups_find_scopes (SymGroups *self)
{
  SymIds order = sym_model_get_execution_order (self->model);
  g_autoptr (GHashTable) scopes = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, scope_free);

  for (guint i = 0; i < order.n; i++) {
    const char *name = sym_model_get_call_name (self->model, order.ids[i]);

    if (name)
      count_scopes (scopes, name);
  }
  for (guint i = 0; i < order.n; i++) {
    const char *name = sym_model_get_call_name (self->model, order.ids[i]);

    if (name)
      self->call_groups[order.ids[i]] = add_scopes (self, scopes, name, order.n);
  }
}
