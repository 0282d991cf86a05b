/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-write-private.h"

/* What models and layers of Keras say of their training is in no other file: there, each of their
 * weights says that it is not trained. */

typedef struct {
  GPtrArray *waiting; /* of SymModel, borrowed */
  GHashTable *seen;
  guint n_frozen, n_trained; /* weights of layers that do not say that they are frozen */
} Search;

static void
count_weights (Search *self, const SymModel *model, SymId call)
{
  SymIds operands = sym_model_get_operands (model, call);

  for (guint i = 0; i < operands.n; i++)
    {
      SymId value = operands.ids[i];
      SymParameter *parameter = value == SYM_NO_ID ? NULL : sym_model_get_parameter (model, value);

      if (parameter == NULL || sym_model_get_role (model, value) != SYM_ROLE_PARAMETER)
        continue;
      if (sym_parameter_get_trainable (parameter))
        self->n_trained++;
      else
        self->n_frozen++;
    }
}

static void
look_at (Search *self, const SymModel *model)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_has_call (model, call) ? sym_model_get_layer (model, call) : NULL;

      if (layer == NULL ||
          !sym_attributes_get_bool (sym_layer_get_attributes (layer), "trainable", TRUE))
        continue;
      count_weights (self, model, call);
      for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
        if (g_hash_table_add (self->seen, sym_layer_get_body (layer, i, NULL)))
          g_ptr_array_add (self->waiting, sym_layer_get_body (layer, i, NULL));
    }
}

gboolean
sym_keras_is_frozen (const SymModel *model)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Search self = { waiting, seen, 0, 0 };

  g_ptr_array_add (waiting, (gpointer) model);
  for (guint i = 0; i < waiting->len && self.n_trained == 0; i++)
    look_at (&self, waiting->pdata[i]);
  return self.n_frozen > 0 && self.n_trained == 0;
}

/* Of a call, and of what stands within its layer. */
static void
count_all (const SymModel *model, SymId call, guint *n_frozen, guint *n_trained)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Search self = { waiting, seen, 0, 0 };
  SymLayer *layer = sym_model_get_layer (model, call);

  count_weights (&self, model, call);
  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    if (g_hash_table_add (seen, sym_layer_get_body (layer, i, NULL)))
      g_ptr_array_add (waiting, sym_layer_get_body (layer, i, NULL));
  for (guint i = 0; i < waiting->len; i++)
    look_at (&self, waiting->pdata[i]);
  *n_frozen = self.n_frozen;
  *n_trained = self.n_trained;
}

void
sym_keras_writer_tell_training (SymKerasWriter *self, SymId call, SymAttributes *config)
{
  gboolean trains = sym_attributes_get_bool (config, "trainable", TRUE);
  guint n_frozen, n_trained;

  if (self->origin != NULL || self->is_frozen)
    return;
  count_all (self->model, call, &n_frozen, &n_trained);
  if (n_frozen > 0 && n_trained > 0)
    {
      if (self->mixed != NULL)
        sym_keras_names_add (self->mixed, sym_keras_writer_get_name (self, call));
    }
  else if (trains ? n_frozen > 0 : n_trained > 0)
    sym_attributes_set (config, "trainable", sym_value_new_bool (!trains), NULL);
}
