/* SPDX-License-Identifier: MIT */
#include "app/scope-group-facts.h"

#include "scene/sym-scene-group.h"

static gboolean
has (GHashTable *ids, SymId id)
{
  return g_hash_table_contains (ids, GUINT_TO_POINTER (id + 1));
}

static gboolean
add (GHashTable *ids, SymId id)
{
  return g_hash_table_add (ids, GUINT_TO_POINTER (id + 1));
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const ScopeTypeCount *left = a, *right = b;

  if (left->n != right->n)
    return left->n > right->n ? -1 : 1;
  return g_strcmp0 (left->type, right->type);
}

static void
count_types (ScopeGroupFacts *self, SymModel *model, SymIds calls)
{
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < calls.n; i++)
    {
      const char *type = sym_layer_get_type (sym_model_get_layer (model, calls.ids[i]));
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, type));

      if (place == 0)
        {
          g_array_append_vals (self->types, &(ScopeTypeCount){ type, 0 }, 1);
          place = self->types->len;
          g_hash_table_insert (places, (gpointer) type, GUINT_TO_POINTER (place));
        }
      g_array_index (self->types, ScopeTypeCount, place - 1).n++;
    }
  g_array_sort (self->types, compare_counts);
}

/* One that is used twice counts once. */
static void
count_parameters (ScopeGroupFacts *self, SymInference *inference, SymIds calls)
{
  SymModel *model = sym_inference_get_model (inference);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < calls.n; i++)
    {
      SymIds operands = sym_model_get_operands (model, calls.ids[i]);

      for (guint k = 0; k < operands.n; k++)
        {
          SymId value = operands.ids[k];
          guint64 n;

          if (value == SYM_NO_ID || sym_model_get_role (model, value) != SYM_ROLE_PARAMETER ||
              !add (seen, value))
            continue;
          if (sym_inference_get_n_elements (inference, value, &n) &&
              n <= G_MAXUINT64 - self->n_parameters)
            self->n_parameters += n;
          else
            self->knows_parameters = FALSE;
        }
    }
}

static gboolean
is_used_outside (SymModel *model, GHashTable *inside, SymId value)
{
  SymIds consumers = sym_model_get_consumers (model, value);

  if (sym_model_is_output (model, value))
    return TRUE;
  for (guint i = 0; i < consumers.n; i++)
    if (!has (inside, consumers.ids[i]))
      return TRUE;
  return FALSE;
}

static void
find_ends (ScopeGroupFacts *self, SymModel *model, const GArray *calls)
{
  g_autoptr (GHashTable) inside = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < calls->len; i++)
    add (inside, g_array_index (calls, SymId, i));
  for (guint i = 0; i < calls->len; i++)
    {
      SymId call = g_array_index (calls, SymId, i);
      SymIds operands = sym_model_get_data_operands (model, call);
      SymIds results = sym_model_get_results (model, call);

      for (guint k = 0; k < operands.n; k++)
        {
          SymId producer = sym_model_get_producer (model, operands.ids[k]);

          if ((producer == SYM_NO_ID || !has (inside, producer)) && add (seen, operands.ids[k]))
            g_array_append_val (self->inputs, operands.ids[k]);
        }
      for (guint k = 0; k < results.n; k++)
        if (is_used_outside (model, inside, results.ids[k]))
          g_array_append_val (self->outputs, results.ids[k]);
    }
}

/* All that are drawn as one, or the group alone when it is open. */
static void
collect_calls (ScopeGroupFacts *self, SymFolding *folding, guint group, GArray *calls)
{
  SymIds own = sym_groups_get_calls (sym_folding_get_groups (folding), group);

  if (self->n_copies > 1)
    sym_scene_collect_group_calls (folding, group, calls);
  else
    g_array_append_vals (calls, own.ids, own.n);
}

ScopeGroupFacts *
scope_group_facts_new_head (SymFolding *folding, guint group)
{
  g_return_val_if_fail (folding != NULL, NULL);

  ScopeGroupFacts *self = g_new0 (ScopeGroupFacts, 1);
  SymGroups *groups = sym_folding_get_groups (folding);
  const SymGroup *what = sym_groups_get (groups, group);
  gboolean is_open = sym_folding_is_open (folding, group);

  self->title = is_open ? g_strdup (what->name) : sym_scene_format_group (folding, group);
  self->kind = what->kind;
  self->n_copies = is_open ? 1 : sym_folding_get_n_merged (folding, group);
  self->n_equal = 1;
  if (what->run != SYM_NO_GROUP)
    sym_groups_get_run (groups, what->run, &self->n_equal);
  self->place = what->run != SYM_NO_GROUP ? what->place + 1 : 1;
  self->n_layers = sym_groups_get_calls (groups, group).n;
  self->types = g_array_new (FALSE, FALSE, sizeof (ScopeTypeCount));
  self->inputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  self->outputs = g_array_new (FALSE, FALSE, sizeof (SymId));
  return self;
}

ScopeGroupFacts *
scope_group_facts_new (SymInference *inference, SymFolding *folding, guint group)
{
  g_return_val_if_fail (inference != NULL && folding != NULL, NULL);

  ScopeGroupFacts *self = scope_group_facts_new_head (folding, group);
  SymModel *model = sym_inference_get_model (inference);
  SymIds own = sym_groups_get_calls (sym_folding_get_groups (folding), group);
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));

  self->knows_parameters = TRUE;
  count_types (self, model, own);
  count_parameters (self, inference, own);
  collect_calls (self, folding, group, calls);
  find_ends (self, model, calls);
  return self;
}

void
scope_group_facts_free (ScopeGroupFacts *self)
{
  g_free (self->title);
  g_array_unref (self->types);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_free (self);
}
