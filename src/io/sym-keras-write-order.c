/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-write-private.h"

#include <string.h>

/* Calls and inputs in the order of the file: that of the values that they make, or that of Keras.
 */

static GArray *
list_items (SymKerasWriter *self)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (SymKerasItem));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    {
      SymKerasItem item = { SYM_NO_ID, value };

      if (!sym_model_has_value (self->model, value))
        continue;
      item.call = sym_model_get_producer (self->model, value);
      if (item.call == SYM_NO_ID ? sym_model_get_role (self->model, value) == SYM_ROLE_INPUT
                                 : g_hash_table_add (seen, GUINT_TO_POINTER (item.call)))
        g_array_append_val (items, item);
    }
  return items;
}

/* How often each layer was applied before each call. */
static void
count_applications (SymKerasWriter *self, const GArray *items)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < items->len; i++)
    {
      const SymKerasItem *item = &g_array_index (items, SymKerasItem, i);
      SymLayer *layer;
      guint n;

      if (item->call == SYM_NO_ID)
        {
          sym_name_set_add (self->taken, sym_model_get_value_name (self->model, item->value));
          continue;
        }
      layer = sym_model_get_layer (self->model, item->call);
      n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, layer));
      g_hash_table_insert (self->places, GUINT_TO_POINTER (item->call), GUINT_TO_POINTER (n));
      g_hash_table_insert (counts, layer, GUINT_TO_POINTER (n + 1));
    }
}

gboolean
sym_keras_writer_is_implied (SymKerasWriter *self, SymId value)
{
  return sym_attributes_get_bool (sym_model_get_value_attributes (self->model, value), "implied",
                                  FALSE);
}

/* The only data that a call takes; SYM_NO_ID when there is not exactly one, or it is told in
 * another way. */
static SymId
get_single_operand (SymKerasWriter *self, SymId call)
{
  SymIds operands = sym_model_get_operands (self->model, call);
  SymId single = SYM_NO_ID;

  if (sym_model_get_arguments (self->model, call) != NULL)
    return SYM_NO_ID;
  for (guint i = 0; i < operands.n; i++)
    if (sym_keras_is_written (self->model, call, i))
      {
        if (single != SYM_NO_ID)
          return SYM_NO_ID;
        single = operands.ids[i];
      }
  return single;
}

/* Whether each layer follows the one before it, from one input to one output. */
static gboolean
is_chain (SymKerasWriter *self, const GArray *items)
{
  SymIds outputs = sym_model_get_outputs (self->model);
  g_autoptr (GHashTable) layers = g_hash_table_new (NULL, NULL);
  SymId before = SYM_NO_ID;

  for (guint i = 0; i < items->len; i++)
    {
      const SymKerasItem *item = &g_array_index (items, SymKerasItem, i);

      if ((item->call == SYM_NO_ID) != (i == 0))
        return FALSE;
      if (item->call == SYM_NO_ID)
        {
          before = item->value;
          continue;
        }
      if (get_single_operand (self, item->call) != before ||
          !g_hash_table_add (layers, sym_model_get_layer (self->model, item->call)))
        return FALSE;
      before = sym_model_get_results (self->model, item->call).ids[0];
    }
  return items->len == 0 ? outputs.n == 0 : outputs.n == 1 && outputs.ids[0] == before;
}

static gboolean
was_sequence (const SymKerasWriter *self)
{
  return self->origin != NULL && self->origin->is_sequence;
}

gboolean
sym_keras_writer_is_chain (SymKerasWriter *self)
{
  g_autoptr (GArray) items = list_items (self);

  return is_chain (self, items);
}

GArray *
sym_keras_writer_list (SymKerasWriter *self, gboolean *is_sequence)
{
  GArray *items = list_items (self);

  count_applications (self, items);
  *is_sequence = was_sequence (self) && is_chain (self, items);
  if (self->is_sorted && !*is_sequence)
    sym_keras_writer_sort (self, items);
  for (guint i = 0; i < items->len; i++)
    if (g_array_index (items, SymKerasItem, i).call != SYM_NO_ID)
      sym_keras_writer_get_name (self, g_array_index (items, SymKerasItem, i).call);
  return items;
}
