/* SPDX-License-Identifier: MIT */
#include "core/sym-detach.h"

#include "core/sym-layer-private.h"
#include "core/sym-model-private.h"

/* Each to its copy, which the table owns. */
typedef struct {
  GHashTable *parameters, *layers, *models;
} Copies;

static SymParameter *
copy_parameter (Copies *self, SymParameter *parameter)
{
  SymParameter *copy = g_hash_table_lookup (self->parameters, parameter);

  if (copy != NULL)
    return copy;
  copy = sym_parameter_new (sym_parameter_get_trainable (parameter),
                            sym_parameter_get_tensor (parameter));
  g_hash_table_insert (self->parameters, parameter, copy);
  return copy;
}

static SymLayer *
copy_layer (Copies *self, SymLayer *layer)
{
  SymLayer *copy = g_hash_table_lookup (self->layers, layer);

  if (copy != NULL)
    return copy;
  for (guint i = 0; i < sym_layer_get_n_parameters (layer); i++)
    copy_parameter (self, sym_layer_get_parameter (layer, i, NULL, NULL));
  copy = sym_layer_copy (layer, self->parameters, self->models);
  g_hash_table_insert (self->layers, layer, copy);
  return copy;
}

/* A body that is not copied yet; NULL for none. */
static SymModel *
find_missing (const Copies *self, SymModel *model)
{
  SymIds order = sym_model_get_execution_order (model);

  for (guint i = 0; i < order.n; i++)
    {
      SymLayer *layer = sym_model_get_layer (model, order.ids[i]);

      for (guint k = 0; k < sym_layer_get_n_bodies (layer); k++)
        if (!g_hash_table_contains (self->models, sym_layer_get_body (layer, k, NULL)))
          return sym_layer_get_body (layer, k, NULL);
    }
  return NULL;
}

/* Bodies are copied already. */
static SymModel *
copy_model (Copies *self, SymModel *model)
{
  SymModelBuilder *builder = sym_model_builder_new_from (model);
  SymIds order = sym_model_get_execution_order (model);

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymParameter *parameter =
          sym_model_has_value (model, value) ? sym_model_get_parameter (model, value) : NULL;

      if (parameter != NULL)
        sym_model_builder_set_parameter (builder, value,
                                         sym_parameter_ref (copy_parameter (self, parameter)));
    }
  for (guint i = 0; i < order.n; i++)
    {
      SymLayer *layer = sym_model_get_layer (model, order.ids[i]);

      if (sym_layer_get_n_parameters (layer) + sym_layer_get_n_bodies (layer) > 0)
        sym_model_builder_set_layer (builder, order.ids[i], copy_layer (self, layer));
    }
  return sym_model_builder_end (builder);
}

static void
unref_parameter (gpointer data)
{
  sym_parameter_unref (data);
}

static void
unref_layer (gpointer data)
{
  sym_layer_unref (data);
}

static void
unref_model (gpointer data)
{
  sym_model_unref (data);
}

SymModel *
sym_model_detach (SymModel *self)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  Copies copies;
  SymModel *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copies.parameters = g_hash_table_new_full (NULL, NULL, NULL, unref_parameter);
  copies.layers = g_hash_table_new_full (NULL, NULL, NULL, unref_layer);
  copies.models = g_hash_table_new_full (NULL, NULL, NULL, unref_model);
  g_ptr_array_add (open, self);
  while (open->len > 0)
    {
      SymModel *model = g_ptr_array_index (open, open->len - 1);
      SymModel *missing = find_missing (&copies, model);

      if (missing != NULL)
        {
          g_ptr_array_add (open, missing);
          continue;
        }
      if (!g_hash_table_contains (copies.models, model))
        g_hash_table_insert (copies.models, model, copy_model (&copies, model));
      g_ptr_array_set_size (open, (int) open->len - 1);
    }
  copy = sym_model_ref (g_hash_table_lookup (copies.models, self));
  g_hash_table_unref (copies.parameters);
  g_hash_table_unref (copies.layers);
  g_hash_table_unref (copies.models);
  return copy;
}
