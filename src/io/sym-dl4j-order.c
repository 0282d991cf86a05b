/* SPDX-License-Identifier: MIT */
#include "io/sym-dl4j.h"

/* The order in which Deeplearning4j computes the vertices of a graph, and has their parameters.
 * Newer files tell it; otherwise it takes those whose inputs are all there, one after the other,
 * in the order in which Java's sets of small integers give them (Kahn's algorithm in
 * ComputationGraph.topologicalSortOrder()). */

typedef struct {
  const SymJson *json;
  GPtrArray *names;    /* inputs and then vertices, in the order of the file */
  GHashTable *indices; /* name to index */
  GPtrArray *users;    /* of each, a GArray of the indices of those that it goes into */
  GArray *n_waiting;   /* for how many inputs each still waits */
} Order;

static void
add (Order *self, char *take_name)
{
  guint none = 0;

  if (take_name == NULL || g_hash_table_contains (self->indices, take_name))
    {
      g_free (take_name);
      return;
    }
  g_hash_table_insert (self->indices, take_name, GUINT_TO_POINTER (self->names->len));
  g_ptr_array_add (self->names, take_name);
  g_ptr_array_add (self->users, g_array_new (FALSE, FALSE, sizeof (guint)));
  g_array_append_val (self->n_waiting, none);
}

static gboolean
has_user (const GArray *users, guint user)
{
  return users->len > 0 && g_array_index (users, guint, users->len - 1) == user;
}

/* Of a vertex that is an input several times only one counts. */
static void
connect_inputs (Order *self, guint user, guint inputs)
{
  for (SymJsonIter i = sym_json_iterate (self->json, inputs); sym_json_iter_next (self->json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (self->json, i.value);
      GArray *users;
      gpointer index;

      if (name == NULL || !g_hash_table_lookup_extended (self->indices, name, NULL, &index))
        continue;
      users = g_ptr_array_index (self->users, GPOINTER_TO_UINT (index));
      if (has_user (users, user))
        continue;
      g_array_append_val (users, user);
      g_array_index (self->n_waiting, guint, user)++;
    }
}

/* Java's HashSet of @n small integers goes by their last bits. */
static int
compare_in_set (gconstpointer a, gconstpointer b, gpointer mask)
{
  guint left = *(const guint *) a, right = *(const guint *) b, bits = GPOINTER_TO_UINT (mask);

  if ((left & bits) != (right & bits))
    return (left & bits) < (right & bits) ? -1 : 1;
  return left < right ? -1 : left > right;
}

static void
sort_as_set (GArray *set)
{
  guint n_buckets = 16;

  while (set->len > n_buckets / 4 * 3)
    n_buckets *= 2;
  g_array_sort_with_data (set, compare_in_set, GUINT_TO_POINTER (n_buckets - 1));
}

/* What waits for nothing any more comes last. */
static GPtrArray *
sort (Order *self)
{
  GPtrArray *sorted = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->names->len; i++)
    if (g_array_index (self->n_waiting, guint, i) == 0)
      g_array_append_val (queue, i);
  for (guint at = 0; at < queue->len; at++)
    {
      guint next = g_array_index (queue, guint, at);
      GArray *users = g_ptr_array_index (self->users, next);

      g_ptr_array_add (sorted, g_strdup (g_ptr_array_index (self->names, next)));
      sort_as_set (users);
      for (guint i = 0; i < users->len; i++)
        {
          guint user = g_array_index (users, guint, i);

          if (--g_array_index (self->n_waiting, guint, user) == 0)
            g_array_append_val (queue, user);
        }
    }
  return sorted;
}

static GPtrArray *
compute (const SymJson *json)
{
  g_autoptr (GHashTable) indices = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) users = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GArray) n_waiting = g_array_new (FALSE, FALSE, sizeof (guint));
  Order self = { json, names, indices, users, n_waiting };
  guint inputs = sym_json_get_member (json, 0, "networkInputs");
  guint vertices = sym_json_get_member (json, 0, "vertices");
  guint edges = sym_json_get_member (json, 0, "vertexInputs");

  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    add (&self, sym_json_dup_string (json, i.value));
  for (SymJsonIter i = sym_json_iterate (json, vertices); sym_json_iter_next (json, &i);)
    if (i.key != SYM_JSON_NONE)
      add (&self, sym_json_dup_string (json, i.key));
  for (SymJsonIter i = sym_json_iterate (json, edges); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      gpointer index;

      if (name != NULL && g_hash_table_lookup_extended (indices, name, NULL, &index))
        connect_inputs (&self, GPOINTER_TO_UINT (index), i.value);
    }
  return sort (&self);
}

GPtrArray *
sym_dl4j_list_in_order (const SymJson *json)
{
  guint told = sym_json_get_member (json, 0, "topologicalOrderStr");
  GPtrArray *names;

  if (sym_json_get_kind (json, told) != SYM_JSON_ARRAY)
    return compute (json);
  names = g_ptr_array_new_with_free_func (g_free);
  for (SymJsonIter i = sym_json_iterate (json, told); sym_json_iter_next (json, &i);)
    {
      char *name = sym_json_dup_string (json, i.value);

      if (name != NULL)
        g_ptr_array_add (names, name);
    }
  return names;
}
