/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-write-private.h"

/* Weights of so few bytes stand in the document itself. */
#define MAX_INLINE_BYTES 4096

/* ---- Keys ---- */

void
sym_symscope_keys_init (SymSymscopeKeys *self)
{
  self->taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
sym_symscope_keys_clear (SymSymscopeKeys *self)
{
  g_clear_pointer (&self->taken, g_hash_table_unref);
}

char *
sym_symscope_keys_make (SymSymscopeKeys *self, const char *name, const char *fallback)
{
  const char *base = name == NULL || *name == '\0' ? fallback : name;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->taken, base));
  g_autofree char *key = g_strdup (base);

  while (g_hash_table_contains (self->taken, key))
    {
      g_free (key);
      key = g_strdup_printf ("%s~%u", base, ++number);
    }
  if (!g_str_equal (key, base))
    g_hash_table_replace (self->taken, g_strdup (base), GUINT_TO_POINTER (number));
  g_hash_table_insert (self->taken, g_strdup (key), GUINT_TO_POINTER (1));
  return g_steal_pointer (&key);
}

/* ---- Collecting ---- */

static void
free_place (gpointer data)
{
  SymSymscopePlace *place = data;

  g_free (place->key);
  g_free (place);
}

typedef struct {
  SymSymscopeContents *contents;
  SymSymscopeKeys layer_keys, model_keys, parameter_keys;
  guint64 n_bytes;
} Collector;

static void
count_tensor (Collector *self, SymTensor *tensor, gboolean is_constant)
{
  if (tensor == NULL || sym_symscope_is_inline (tensor) ||
      (is_constant && sym_symscope_is_small (tensor)))
    return;
  if (!g_uint64_checked_add (&self->n_bytes, self->n_bytes, sym_tensor_get_n_bytes (tensor)))
    self->n_bytes = G_MAXUINT64;
}

static void
count_parameter (Collector *self, SymParameter *parameter, const char *name)
{
  SymSymscopeContents *contents = self->contents;
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (contents->owners, parameter)) + 1;

  g_hash_table_insert (contents->owners, parameter, GUINT_TO_POINTER (n));
  if (n == 1)
    count_tensor (self, sym_parameter_get_tensor (parameter), FALSE);
  if (n != 2)
    return;
  g_ptr_array_add (contents->shared, parameter);
  g_hash_table_insert (contents->shared_keys, parameter,
                       sym_symscope_keys_make (&self->parameter_keys, name, "parameter"));
}

static void
add_body (Collector *self, SymModel *body, const char *layer, const char *name)
{
  const SymSymscopeOrigin *origin = sym_symscope_get_origin (body);
  g_autofree char *base = origin != NULL
                              ? g_strdup (origin->key)
                              : g_strdup_printf ("%s/%s", layer, name == NULL ? "" : name);

  if (g_hash_table_contains (self->contents->model_keys, body))
    return;
  g_hash_table_insert (self->contents->model_keys, body,
                       sym_symscope_keys_make (&self->model_keys, base, "body"));
  g_ptr_array_add (self->contents->models, body);
}

/* The key that the file had, when that is no name; the name of the layer, or of its first call. */
static char *
make_layer_key (Collector *self, SymModel *model, SymId call, SymLayer *layer)
{
  const SymSymscopeOrigin *origin = sym_symscope_get_origin (model);
  const char *name = sym_layer_get_name (layer);
  g_autofree char *old = NULL;

  if (origin != NULL)
    old = sym_json_dup_string (origin->json, sym_symscope_origin_find (origin->layer_keys, call));
  if (name == NULL)
    name = sym_model_get_call_name (model, call);
  return sym_symscope_keys_make (&self->layer_keys, old != NULL ? old : name,
                                 sym_layer_get_type (layer));
}

static void
add_layer (Collector *self, SymModel *model, SymId call)
{
  SymLayer *layer = sym_model_get_layer (model, call);
  SymSymscopePlace *place;

  if (g_hash_table_contains (self->contents->layer_keys, layer))
    return;
  place = g_new (SymSymscopePlace, 1);
  *place = (SymSymscopePlace){
    .layer = layer,
    .key = make_layer_key (self, model, call, layer),
    .model = model,
    .call = call,
  };
  g_ptr_array_add (self->contents->layers, place);
  g_hash_table_insert (self->contents->layer_keys, layer, place->key);

  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      const char *body_name;
      SymModel *body = sym_layer_get_body (layer, i, &body_name);

      add_body (self, body, place->key, body_name);
    }
  for (guint i = 0; i < sym_layer_get_n_parameters (layer); i++)
    {
      const char *slot;
      SymParameter *parameter = sym_layer_get_parameter (layer, i, &slot, NULL);
      g_autofree char *full = g_strdup_printf ("%s.%s", place->key, slot == NULL ? "" : slot);

      count_parameter (self, parameter, full);
    }
}

/* A shared parameter keeps the key that its file had for it. */
static void
count_value_parameter (Collector *self, SymModel *model, SymId value, SymParameter *parameter)
{
  const SymSymscopeOrigin *origin = sym_symscope_get_origin (model);
  g_autofree char *key = NULL;

  if (origin != NULL)
    key = sym_symscope_origin_dup_text (origin, origin->values, value, "parameter");
  count_parameter (self, parameter, key != NULL ? key : sym_model_get_value_name (model, value));
}

static void
add_values (Collector *self, SymModel *model)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymParameter *parameter;

      if (!sym_model_has_value (model, value))
        continue;
      parameter = sym_model_get_parameter (model, value);
      if (parameter != NULL)
        count_value_parameter (self, model, value, parameter);
      else
        count_tensor (self, sym_model_get_tensor (model, value), TRUE);
    }
}

static void
add_model (Collector *self, SymModel *model)
{
  for (guint i = 0; i < sym_model_get_n_entries (model); i++)
    {
      SymEntry entry = sym_model_get_entry (model, i);

      if (entry.is_call)
        add_layer (self, model, entry.id);
    }
  add_values (self, model);
}

/* The reader's limit, so that nothing is written that cannot be opened.  Each level is walked once
 * for all models that are that deep. */
static gboolean
check_depth (SymModel *model, GError **error)
{
  g_autoptr (GHashTable) level = g_hash_table_new (NULL, NULL);

  g_hash_table_add (level, model);
  for (guint depth = 0; g_hash_table_size (level) > 0; depth++)
    {
      GHashTable *next = g_hash_table_new (NULL, NULL);
      GHashTableIter iter;
      gpointer at;

      g_hash_table_iter_init (&iter, level);
      while (g_hash_table_iter_next (&iter, &at, NULL))
        for (SymId call = 0; call < sym_model_get_n_calls (at); call++)
          {
            SymLayer *layer = sym_model_has_call (at, call) ? sym_model_get_layer (at, call) : NULL;

            for (guint i = 0; layer != NULL && i < sym_layer_get_n_bodies (layer); i++)
              g_hash_table_add (next, sym_layer_get_body (layer, i, NULL));
          }
      g_hash_table_unref (level);
      level = next;
      if (depth > SYM_SYMSCOPE_MAX_BODY_DEPTH)
        {
          g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                       "more than %d models are within each other", SYM_SYMSCOPE_MAX_BODY_DEPTH);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
sym_symscope_contents_init (SymSymscopeContents *self,
                            SymModel *model,
                            gboolean has_weights_file,
                            GError **error)
{
  Collector collector = { .contents = self };

  if (!check_depth (model, error))
    return FALSE;

  *self = (SymSymscopeContents){
    .models = g_ptr_array_new (),
    .model_keys = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .layers = g_ptr_array_new_with_free_func (free_place),
    .layer_keys = g_hash_table_new (NULL, NULL),
    .owners = g_hash_table_new (NULL, NULL),
    .shared = g_ptr_array_new (),
    .shared_keys = g_hash_table_new_full (NULL, NULL, NULL, g_free),
    .has_weights_file = has_weights_file,
    .weight_names = g_ptr_array_new_with_free_func (g_free),
    .weights = g_ptr_array_new (),
    .tensor_names = g_hash_table_new (NULL, NULL),
  };
  sym_symscope_keys_init (&self->weight_keys);
  sym_symscope_keys_init (&collector.layer_keys);
  sym_symscope_keys_init (&collector.model_keys);
  sym_symscope_keys_init (&collector.parameter_keys);

  g_ptr_array_add (self->models, model);
  g_hash_table_insert (self->model_keys, model,
                       sym_symscope_keys_make (&collector.model_keys, SYM_SYMSCOPE_MAIN, NULL));
  for (guint i = 0; i < self->models->len; i++)
    add_model (&collector, g_ptr_array_index (self->models, i));
  self->is_small = collector.n_bytes <= MAX_INLINE_BYTES;

  sym_symscope_keys_clear (&collector.layer_keys);
  sym_symscope_keys_clear (&collector.model_keys);
  sym_symscope_keys_clear (&collector.parameter_keys);
  return TRUE;
}

void
sym_symscope_contents_clear (SymSymscopeContents *self)
{
  g_clear_pointer (&self->models, g_ptr_array_unref);
  g_clear_pointer (&self->model_keys, g_hash_table_unref);
  g_clear_pointer (&self->layers, g_ptr_array_unref);
  g_clear_pointer (&self->layer_keys, g_hash_table_unref);
  g_clear_pointer (&self->owners, g_hash_table_unref);
  g_clear_pointer (&self->shared, g_ptr_array_unref);
  g_clear_pointer (&self->shared_keys, g_hash_table_unref);
  g_clear_pointer (&self->weight_names, g_ptr_array_unref);
  g_clear_pointer (&self->weights, g_ptr_array_unref);
  g_clear_pointer (&self->tensor_names, g_hash_table_unref);
  sym_symscope_keys_clear (&self->weight_keys);
}
