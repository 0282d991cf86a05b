/* SPDX-License-Identifier: MIT */
#include "query/sym-open-bodies.h"

#include <string.h>

struct _SymOpenBodies {
  gatomicrefcount ref_count;
  gboolean is_inverse; /* open is what is not among the paths */
  GHashTable *paths;   /* of calls */
};

static SymOpenBodies *
new_set (gboolean is_inverse)
{
  SymOpenBodies *self = g_new0 (SymOpenBodies, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->is_inverse = is_inverse;
  self->paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

SymOpenBodies *
sym_open_bodies_new (void)
{
  return new_set (FALSE);
}

SymOpenBodies *
sym_open_bodies_new_all (void)
{
  return new_set (TRUE);
}

static SymOpenBodies *
copy_set (const SymOpenBodies *self)
{
  SymOpenBodies *copy = new_set (self->is_inverse);
  GHashTableIter iter;
  gpointer path;

  g_hash_table_iter_init (&iter, self->paths);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_hash_table_add (copy->paths, g_strdup (path));
  return copy;
}

static void
set_open (SymOpenBodies *self, const char *call_path, gboolean is_open)
{
  if (is_open == self->is_inverse)
    g_hash_table_remove (self->paths, call_path);
  else
    g_hash_table_add (self->paths, g_strdup (call_path));
}

SymOpenBodies *
sym_open_bodies_open (const SymOpenBodies *self, const char *call_path)
{
  SymOpenBodies *copy;
  g_autofree char *path = g_strdup (call_path);

  g_return_val_if_fail (self != NULL && call_path != NULL && *call_path != '\0', NULL);

  copy = copy_set (self);
  while (*path != '\0')
    {
      g_autofree char *body = sym_path_leave_call (path);

      set_open (copy, path, TRUE);
      g_free (path);
      path = sym_path_leave_body (body);
    }
  return copy;
}

SymOpenBodies *
sym_open_bodies_close (const SymOpenBodies *self, const char *call_path)
{
  SymOpenBodies *copy;

  g_return_val_if_fail (self != NULL && call_path != NULL, NULL);

  copy = copy_set (self);
  set_open (copy, call_path, FALSE);
  return copy;
}

SymOpenBodies *
sym_open_bodies_ref (SymOpenBodies *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_open_bodies_unref (SymOpenBodies *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->paths);
  g_free (self);
}

gboolean
sym_open_bodies_has (const SymOpenBodies *self, const char *call_path)
{
  return g_hash_table_contains (self->paths, call_path) != self->is_inverse;
}

char **
sym_open_bodies_list (const SymOpenBodies *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer path;

  g_return_val_if_fail (self != NULL && !self->is_inverse, g_new0 (char *, 1));

  g_hash_table_iter_init (&iter, self->paths);
  while (g_hash_table_iter_next (&iter, &path, NULL))
    g_strv_builder_add (builder, path);
  return g_strv_builder_end (builder);
}
