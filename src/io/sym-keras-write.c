/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-write-private.h"

#include "ops/sym-op-keras.h"

#include <string.h>

static gboolean write_model (SymKerasWriter *self, const char *name, GError **error);

void
sym_keras_writer_clear (SymKerasWriter *self)
{
  g_hash_table_unref (self->names);
  sym_name_set_free (self->taken);
  g_hash_table_unref (self->places);
}

const SymKerasOrigin *
sym_keras_find_origin (const SymModel *model)
{
  const char *format = sym_model_get_format (model);
  gboolean is_ours =
      format != NULL && (strcmp (format, "keras") == 0 || strcmp (format, "keras-h5") == 0);

  return is_ours ? sym_model_get_origin (model) : NULL;
}

void
sym_keras_writer_init (SymKerasWriter *self,
                       const SymModel *model,
                       int major,
                       GString *text,
                       guint depth)
{
  memset (self, 0, sizeof *self);
  self->model = model;
  self->origin = sym_keras_find_origin (model);
  self->major = major;
  self->text = text;
  self->depth = depth;
  self->names = g_hash_table_new (NULL, NULL);
  self->taken = sym_name_set_new ();
  self->places = g_hash_table_new (NULL, NULL);
}

static gboolean
refuse (SymKerasWriter *self, SymId call, GError **error)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);

  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
               "layer “%s” of type %s has no counterpart in Keras",
               sym_keras_writer_get_name (self, call), sym_layer_get_type (layer));
  return FALSE;
}

/* ---- Layers ---- */

/* Without an operator, by what it holds: models, and wrappers whose config tells what is in them,
 * as another file has kept it. */
static gboolean
holds_as_keras (const SymLayer *layer)
{
  static const struct {
    const char *type, *member;
  } kinds[] = {
    { "Sequential" },
    { "Functional" },
    { "Model" },
    { "RNN", "cell" },
    { "Bidirectional", "layer" },
    { "SpectralNormalization", "layer" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (sym_layer_get_type (layer), kinds[i].type) == 0)
      return sym_layer_get_running_body (layer) != NULL &&
             (kinds[i].member == NULL ||
              sym_attributes_find (sym_layer_get_attributes (layer), kinds[i].member) != NULL);
  return FALSE;
}

static gboolean
is_known (const SymLayer *layer, gboolean from_keras)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  if (op != NULL)
    return strcmp (op->domain, "keras") == 0 || strcmp (op->domain, "keras.ops") == 0 ||
           strcmp (op->domain, SYM_OP_KERAS_LIKE) == 0;
  return from_keras || holds_as_keras (layer);
}

/* A setting of its config that only Keras 1 has; NULL for none. */
static const char *
find_old_setting (const SymLayer *layer)
{
  static const char *const old[] = { "nb_filter",        "border_mode",   "dim_ordering",
                                     "subsample",        "pool_length",   "filter_length",
                                     "subsample_length", "W_regularizer", "inner_activation",
                                     "concat_axis",      "init" };

  for (guint i = 0; i < G_N_ELEMENTS (old); i++)
    if (sym_attributes_find (sym_layer_get_attributes (layer), old[i]) != NULL)
      return old[i];
  return NULL;
}

static gboolean
refuse_old (SymKerasWriter *self, SymId call, const char *setting, GError **error)
{
  g_set_error (
      error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
      "layer “%s” has “%s” of Keras 1, which Keras 3 does not know: only a model read from "
      "Keras' own file can be written as it was",
      sym_keras_writer_get_name (self, call), setting);
  return FALSE;
}

gboolean
sym_keras_is_nested (const SymLayer *layer)
{
  static const char *const wrappers[] = { "Bidirectional", "RNN", "SpectralNormalization",
                                          "TensorFlowOpLayer", NULL };

  return sym_layer_get_operator (layer) == NULL && sym_layer_get_running_body (layer) != NULL &&
         !g_strv_contains (wrappers, sym_layer_get_type (layer));
}

/* What no file of Keras tells more of is written as a graph. */
gboolean
sym_keras_is_sequence (const SymLayer *layer)
{
  return sym_keras_is_nested (layer) && strcmp (sym_layer_get_type (layer), "Sequential") == 0 &&
         sym_keras_find_origin (sym_layer_get_running_body (layer)) != NULL;
}

static gboolean
write_nested (SymKerasWriter *self, SymLayer *layer, const char *name, GError **error)
{
  SymKerasWriter inner;
  gboolean done;

  if (self->depth >= SYM_KERAS_MAX_DEPTH)
    {
      g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_LIMIT,
                   "models lie more than %d deep in each other", SYM_KERAS_MAX_DEPTH);
      return FALSE;
    }
  sym_keras_writer_init (&inner, sym_layer_get_running_body (layer), self->major, self->text,
                         self->depth + 1);
  inner.is_sorted = self->is_sorted;
  inner.mixed = self->mixed;
  inner.is_frozen = !sym_attributes_get_bool (sym_layer_get_attributes (layer), "trainable", TRUE);
  done = write_model (&inner, name, error);
  sym_keras_writer_clear (&inner);
  return done;
}

static gboolean
is_mark (const char *name)
{
  return strcmp (name, "keras_version") == 0 || strcmp (name, "use_causal_mask") == 0 ||
         strcmp (name, "half_pixel_centers") == 0;
}

/* Operations of Keras 3 are told their names beside their config: most do not take one there. */
static gboolean
is_operation (SymKerasWriter *self, const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return self->major >= 3 && op != NULL && strcmp (op->domain, "keras.ops") == 0;
}

/* The config without `name`, and without what the reader has marked. */
static void
write_config (SymKerasWriter *self, SymId call, const char *name)
{
  const SymLayer *layer = sym_model_get_layer (self->model, call);
  const SymAttributes *attributes = sym_layer_get_attributes (layer);
  g_autoptr (SymAttributes) plain = sym_attributes_new ();

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    if (!is_mark (sym_attributes_get_name (attributes, i)) &&
        !sym_keras_is_given (attributes, sym_attributes_get_name (attributes, i)))
      sym_attributes_set_same (plain, attributes, i);
  sym_keras_writer_tell_training (self, call, plain);
  g_string_append_c (self->text, '{');
  if (!is_operation (self, layer))
    {
      g_string_append (self->text, "\"name\": ");
      sym_json_append_string (self->text, name);
    }
  sym_keras_write_members (self->text, plain, is_operation (self, layer));
  g_string_append_c (self->text, '}');
}

/* Of a model that no file of Keras tells more of. */
static void
write_functional_class (SymKerasWriter *self)
{
  g_string_append (self->text, "{\"class_name\": \"Functional\"");
  if (self->major >= 3)
    g_string_append (self->text, ", \"module\": \"keras.src.models.functional\", "
                                 "\"registered_name\": \"Functional\"");
}

/* The class and what stands beside the config; a new layer of Keras 3 is one of Keras' own. */
static void
write_class (SymKerasWriter *self, const char *type, const SymAttributes *extras)
{
  g_string_append (self->text, "{\"class_name\": ");
  sym_json_append_string (self->text, type);
  if (sym_attributes_get_n (extras) > 0)
    sym_keras_write_members (self->text, extras, FALSE);
  else if (self->major >= 3)
    g_string_append (self->text, ", \"module\": \"keras.layers\", \"registered_name\": null");
}

/* By item: the next one of the same layer, or the number of all. */
static guint *
list_next (SymKerasWriter *self, const GArray *items)
{
  guint *next = g_new (guint, items->len + 1);
  g_autoptr (GHashTable) later = g_hash_table_new (NULL, NULL);

  for (guint i = items->len; i-- > 0;)
    {
      SymId call = g_array_index (items, SymKerasItem, i).call;
      SymLayer *layer = call == SYM_NO_ID ? NULL : sym_model_get_layer (self->model, call);
      gpointer found = layer == NULL ? NULL : g_hash_table_lookup (later, layer);

      next[i] = found == NULL ? items->len : GPOINTER_TO_UINT (found);
      if (layer != NULL)
        g_hash_table_insert (later, layer, GUINT_TO_POINTER (i));
    }
  return next;
}

static gboolean
write_nodes (SymKerasWriter *self,
             const GArray *items,
             const guint *next,
             guint first,
             GError **error)
{
  g_string_append (self->text, ", \"inbound_nodes\": [");
  for (guint i = first; i < items->len; i = next[i])
    {
      if (i > first)
        g_string_append (self->text, ", ");
      if (!sym_keras_write_node (self, g_array_index (items, SymKerasItem, i).call, error))
        return FALSE;
    }
  g_string_append_c (self->text, ']');
  return TRUE;
}

/* @items and @next are NULL in a sequence, where layers are not told what they are applied to. */
static gboolean
write_layer (SymKerasWriter *self,
             const GArray *items,
             const guint *next,
             guint i,
             SymId call,
             GError **error)
{
  SymLayer *layer = sym_model_get_layer (self->model, call);
  const char *name = sym_keras_writer_get_name (self, call);
  const char *old = self->origin == NULL ? find_old_setting (layer) : NULL;

  if (!is_known (layer, self->origin != NULL))
    return refuse (self, call, error);
  if (old != NULL)
    return refuse_old (self, call, old, error);
  if (sym_keras_is_nested (layer) &&
      sym_keras_find_origin (sym_layer_get_running_body (layer)) == NULL)
    write_functional_class (self);
  else
    write_class (self, sym_layer_get_type (layer),
                 sym_model_get_call_attributes (self->model, call));
  g_string_append (self->text, ", \"config\": ");
  if (!sym_keras_is_nested (layer))
    write_config (self, call, name);
  else if (!write_nested (self, layer, name, error))
    return FALSE;
  if (items != NULL)
    {
      g_string_append (self->text, ", \"name\": ");
      sym_json_append_string (self->text, name);
      if (!write_nodes (self, items, next, i, error))
        return FALSE;
    }
  g_string_append_c (self->text, '}');
  return TRUE;
}

static gboolean
is_shape_name (const char *name)
{
  return strcmp (name, "batch_shape") == 0 || strcmp (name, "batch_input_shape") == 0;
}

/* What was read of an input, around the place of its shape, and whether a dtype is among it. */
typedef struct {
  const char *key; /* of the shape */
  SymAttributes *before, *after;
  gboolean has_dtype;
} InputConfig;

static void
split_config (SymKerasWriter *self, SymId value, InputConfig *config)
{
  const SymAttributes *given = sym_model_get_value_attributes (self->model, value);
  guint n = sym_keras_writer_is_implied (self, value) ? 0 : sym_attributes_get_n (given), place = 0;

  config->key = self->major >= 3 ? "batch_shape" : "batch_input_shape";
  config->before = sym_attributes_new ();
  config->after = sym_attributes_new ();
  for (guint i = 0; i < n; i++)
    if (is_shape_name (sym_attributes_get_name (given, i)))
      {
        config->key = sym_attributes_get_name (given, i);
        place = i;
      }
  for (guint i = 0; i < n; i++)
    {
      config->has_dtype |= g_str_has_suffix (sym_attributes_get_name (given, i), "dtype");
      if (!is_shape_name (sym_attributes_get_name (given, i)))
        sym_attributes_set_same (i < place ? config->before : config->after, given, i);
    }
}

/* Its shape is what the model says now; the rest is as it was read. */
static void
write_input (SymKerasWriter *self, SymId value, gboolean with_nodes)
{
  SymType type = sym_model_get_declared_type (self->model, value);
  const char *name = sym_model_get_value_name (self->model, value);
  InputConfig config = { NULL };

  if (type.kind != SYM_KIND_TENSOR || type.shape.rank < 0)
    type = sym_keras_writer_get_type (self, value);
  split_config (self, value, &config);
  write_class (self, "InputLayer", NULL);
  g_string_append (self->text, ", \"config\": {\"name\": ");
  sym_json_append_string (self->text, name);
  sym_keras_write_members (self->text, config.before, FALSE);
  g_string_append_printf (self->text, ", \"%s\": ", config.key);
  sym_keras_write_shape (self->text, &type.shape);
  if (!config.has_dtype)
    g_string_append_printf (self->text, ", \"dtype\": \"%s\"",
                            type.dtype == SYM_DTYPE_UNKNOWN ? "float32"
                                                            : sym_dtype_to_string (type.dtype));
  sym_keras_write_members (self->text, config.after, FALSE);
  g_string_append (self->text, "}, \"name\": ");
  sym_json_append_string (self->text, name);
  g_string_append (self->text, with_nodes ? ", \"inbound_nodes\": []}" : "}");
  sym_attributes_unref (config.before);
  sym_attributes_unref (config.after);
}

/* ---- Models ---- */

static gboolean
write_sequence (SymKerasWriter *self, const GArray *items, GError **error)
{
  gboolean is_first = TRUE;

  g_string_append_c (self->text, '[');
  for (guint i = 0; i < items->len; i++)
    {
      const SymKerasItem *item = &g_array_index (items, SymKerasItem, i);

      if (item->call == SYM_NO_ID && sym_keras_writer_is_implied (self, item->value))
        continue;
      g_string_append (self->text, is_first ? "\n" : ",\n");
      is_first = FALSE;
      if (item->call == SYM_NO_ID)
        write_input (self, item->value, FALSE);
      else if (!write_layer (self, NULL, NULL, i, item->call, error))
        return FALSE;
    }
  g_string_append_c (self->text, ']');
  return TRUE;
}

static gboolean
write_ends (SymKerasWriter *self, const char *key, SymIds values, gboolean is_flat, GError **error)
{
  g_string_append_printf (self->text, ", \"%s\": ", key);
  is_flat = is_flat && values.n == 1;
  if (!is_flat)
    g_string_append_c (self->text, '[');
  for (guint i = 0; i < values.n; i++)
    {
      if (i > 0)
        g_string_append (self->text, ", ");
      if (!sym_keras_write_history (self, values.ids[i], FALSE, error))
        return FALSE;
      g_string_append_c (self->text, ']');
    }
  if (!is_flat)
    g_string_append_c (self->text, ']');
  return TRUE;
}

static gboolean
write_functional (SymKerasWriter *self, const GArray *items, GError **error)
{
  g_autofree guint *next = list_next (self, items);
  gboolean is_first = TRUE;

  g_string_append_c (self->text, '[');
  for (guint i = 0; i < items->len; i++)
    {
      const SymKerasItem *item = &g_array_index (items, SymKerasItem, i);

      if (item->call != SYM_NO_ID &&
          g_hash_table_lookup (self->places, GUINT_TO_POINTER (item->call)) != NULL)
        continue;
      g_string_append (self->text, is_first ? "\n" : ",\n");
      is_first = FALSE;
      if (item->call == SYM_NO_ID)
        write_input (self, item->value, TRUE);
      else if (!write_layer (self, items, next, i, item->call, error))
        return FALSE;
    }
  g_string_append_c (self->text, ']');
  return write_ends (self, "input_layers", sym_model_get_inputs (self->model),
                     self->origin != NULL && self->origin->has_flat_inputs, error) &&
         write_ends (self, "output_layers", sym_model_get_outputs (self->model),
                     self->origin != NULL && self->origin->has_flat_outputs, error);
}

/* The config of the model. */
static gboolean
write_model (SymKerasWriter *self, const char *name, GError **error)
{
  gboolean is_sequence, done;
  g_autoptr (GArray) items = sym_keras_writer_list (self, &is_sequence);

  if (is_sequence && self->origin->is_list)
    return write_sequence (self, items, error);
  g_string_append (self->text, "{\"name\": ");
  sym_json_append_string (self->text, name);
  if (self->origin != NULL)
    sym_keras_write_members (self->text, self->origin->config, FALSE);
  else if (self->is_frozen)
    g_string_append (self->text, ", \"trainable\": false");
  g_string_append (self->text, ", \"layers\": ");
  done = is_sequence ? write_sequence (self, items, error) : write_functional (self, items, error);
  g_string_append_c (self->text, '}');
  return done;
}

/* A sequence that branches now is one no longer. */
static const char *
get_class_name (SymKerasWriter *self)
{
  if (strcmp (self->origin->class_name, "Sequential") != 0)
    return self->origin->class_name;
  return sym_keras_writer_is_chain (self) ? "Sequential"
         : self->major >= 3               ? "Functional"
                                          : "Model";
}

static gboolean
write_document (SymKerasWriter *self, GError **error)
{
  const char *name = sym_model_get_name (self->model);

  if (self->origin == NULL)
    write_functional_class (self);
  else
    {
      g_string_append (self->text, "{\"class_name\": ");
      sym_json_append_string (self->text, get_class_name (self));
      sym_keras_write_members (self->text, self->origin->root, FALSE);
    }
  g_string_append (self->text, ", \"config\": ");
  if (!write_model (self, name == NULL || *name == '\0' ? "model" : name, error))
    return FALSE;
  g_string_append (self->text, "}\n");
  return TRUE;
}

/* What the reader has marked of TensorFlow.js' models. */
static void
tell_samples (SymModel *model, SymProblems *notes)
{
  g_autoptr (GString) text = g_string_new (NULL);
  SymKerasNames names = { text, 0 };

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_has_call (model, call) ? sym_model_get_layer (model, call) : NULL;

      if (layer != NULL && strcmp (sym_layer_get_type (layer), "UpSampling2D") == 0 &&
          !sym_attributes_get_bool (sym_layer_get_attributes (layer), "half_pixel_centers", TRUE))
        sym_keras_names_add (&names, sym_model_get_call_name (model, call));
    }
  sym_keras_names_tell (&names, notes,
                        "Keras takes samples elsewhere than TensorFlow.js, so that its numbers are "
                        "others");
}

static gboolean
write_layers (SymModel *model,
              const SymInference *inference,
              const char *path,
              SymProblems *notes,
              SymKerasFinish finish,
              GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) names = g_string_new (NULL);
  const SymKerasOrigin *origin = sym_keras_find_origin (model);
  SymKerasNames mixed = { names, 0 };
  SymKerasWriter writer;
  gboolean done;

  sym_keras_writer_init (&writer, model, origin == NULL ? 3 : origin->major, text, 0);
  writer.inference = inference;
  writer.is_sorted = sym_keras_has_weights (model);
  writer.is_frozen = origin == NULL && sym_keras_is_frozen (model);
  writer.mixed = &mixed;
  done = write_document (&writer, error);
  sym_keras_writer_clear (&writer);
  if (done)
    {
      tell_samples (model, notes);
      sym_keras_names_tell (
          &mixed, notes,
          "Keras trains layers as a whole or not at all, whatever single weights of them say");
    }
  return done && finish (model, origin, text, path, notes, error);
}

/* A model whose shapes contradict each other is none that Keras would load. */
static gboolean
check_shapes (const SymInference *inference, GError **error)
{
  const SymProblems *problems = sym_inference_get_problems (inference);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    if (sym_problems_get (problems, i)->severity == SYM_SEVERITY_ERROR)
      {
        g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED,
                     "the shapes of the layers contradict each other, so that Keras cannot have "
                     "them: %s",
                     sym_problems_get (problems, i)->message);
        return FALSE;
      }
  return TRUE;
}

gboolean
sym_keras_write_with (SymModel *model,
                      const SymInference *inference,
                      const char *path,
                      SymProblems *notes,
                      SymKerasFinish finish,
                      GError **error)
{
  g_autoptr (SymModel) raised = NULL;
  g_autoptr (SymInference) types = NULL;

  sym_io_note_sizes (model, "Keras", notes);
  if (sym_keras_find_origin (model) != NULL ||
      !sym_raise_is_needed (model, &sym_keras_raise_target))
    return write_layers (model, inference, path, notes, finish, error);
  raised = sym_keras_raise (model, inference, notes, error);
  types = raised == NULL ? NULL : sym_infer (raised, NULL, 0, NULL, error);
  return types != NULL && check_shapes (types, error) &&
         write_layers (raised, types, path, notes, finish, error);
}

static gboolean
write_beside (SymModel *model,
              const SymKerasOrigin *origin,
              const GString *config,
              const char *path,
              SymProblems *notes,
              GError **error)
{
  return sym_keras_write_weights (model, origin, path, notes, error) &&
         sym_io_write_text (path, config->str, config->len, error);
}

gboolean
sym_keras_write (SymModel *model,
                 const SymInference *inference,
                 const char *path,
                 SymProblems *notes,
                 GError **error)
{
  return sym_keras_write_with (model, inference, path, notes, write_beside, error);
}
