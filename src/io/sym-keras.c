/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-weights.h"

#include <string.h>

/* Where the model stands: the document, its model_config, or those within modelTopology, or within
 * the architecture of frugally-deep. */
typedef struct {
  guint root;  /* what has class_name and config */
  guint outer; /* what has keras_version and backend */
} Place;

static gboolean
is_model (const SymJson *json, guint root)
{
  return sym_json_get_kind (json, sym_json_get_member (json, root, "class_name")) ==
             SYM_JSON_STRING &&
         sym_keras_is_model (json, sym_json_get_member (json, root, "config"));
}

static gboolean
find_model (const SymJson *json, Place *place)
{
  guint topology = sym_json_get_member (json, 0, "modelTopology");
  guint architecture = sym_json_get_member (json, 0, "architecture");
  guint outer = topology != SYM_JSON_NONE       ? topology
                : architecture != SYM_JSON_NONE ? architecture
                                                : 0;
  guint within = sym_json_get_member (json, outer, "model_config");

  place->outer = outer;
  place->root = within == SYM_JSON_NONE ? outer : within;
  return is_model (json, place->root);
}

static int
score (const SymJson *json)
{
  Place place;

  if (sym_json_get_kind (json, 0) != SYM_JSON_OBJECT || !find_model (json, &place))
    return 0;
  if (sym_json_get_member (json, place.outer, "keras_version") != SYM_JSON_NONE ||
      sym_json_get_member (json, place.root, "registered_name") != SYM_JSON_NONE)
    return 100;
  return 90;
}

/* "2.1.3" is 2; without a version, Keras 3 says the module of each class, and Keras 1 has a
 * number of filters, or an output dimension of a dense layer, as nobody has since. */
static int
find_major (const SymJson *json, const Place *place)
{
  guint version = sym_json_get_member (json, place->outer, "keras_version");
  g_autofree char *text = NULL;

  if (version == SYM_JSON_NONE)
    version = sym_json_get_member (json, place->root, "keras_version");
  text = sym_json_dup_string (json, version);
  if (text != NULL && *text >= '1' && *text <= '3')
    return *text - '0';
  return sym_json_get_member (json, place->root, "module") != SYM_JSON_NONE ? 3 : 2;
}

/* Who wrote the file of TensorFlow.js, which is not written into another. */
static SymAttributes *
read_wrapper (const SymJson *json)
{
  static const char *const told[] = { "format", "generatedBy", "convertedBy" };
  SymAttributes *wrapper = sym_attributes_new ();

  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      g_autofree char *text = sym_json_dup_string (json, sym_json_get_member (json, 0, told[i]));

      if (text != NULL)
        sym_attributes_set (wrapper, told[i], sym_value_new_string (text), NULL);
    }
  return wrapper;
}

static SymKerasOrigin *
make_origin (SymKerasReader *reader, const Place *place)
{
  static const char *const hidden[] = { "class_name", "config", "model_config", NULL };
  static const char *const graph[] = { "name", "layers", "input_layers", "output_layers", NULL };
  const SymJson *json = reader->json;
  SymKerasOrigin *origin = g_new0 (SymKerasOrigin, 1);
  guint config = sym_json_get_member (json, place->root, "config");

  origin->class_name =
      sym_json_dup_string (json, sym_json_get_member (json, place->root, "class_name"));
  origin->major = reader->major;
  origin->is_list = sym_json_get_kind (json, config) == SYM_JSON_ARRAY;
  origin->root = sym_keras_read_attributes (reader, place->root, hidden);
  if (place->outer != place->root)
    {
      g_autoptr (SymAttributes) outer = sym_keras_read_attributes (reader, place->outer, hidden);

      for (guint i = 0; i < sym_attributes_get_n (outer); i++)
        sym_attributes_set_same (origin->root, outer, i);
    }
  origin->config = sym_keras_read_attributes (reader, config, graph);
  if (sym_json_get_member (json, 0, "modelTopology") != SYM_JSON_NONE)
    origin->wrapper = read_wrapper (json);
  return origin;
}

static void
unref_value (gpointer value)
{
  sym_value_unref (value);
}

gboolean
sym_keras_is_document (const SymJson *json)
{
  Place place;

  return find_model (json, &place);
}

static SymValue *
read_value (const SymJson *json, guint token, gpointer reader)
{
  return sym_keras_read_value (reader, token);
}

SymModel *
sym_keras_read_document (SymJson *json,
                         const SymIoSource *source,
                         const char *format,
                         SymKerasWeights *take_weights,
                         GError **error)
{
  g_autoptr (SymKerasShelf) shelf = sym_keras_shelf_new (take_weights);
  SymKerasReader reader = {
    .json = json, .source = source, .format = format, .weights = take_weights, .shelf = shelf
  };
  g_autofree char *name = NULL;
  SymModel *model;
  Place place;
  guint config;

  find_model (json, &place);
  config = sym_json_get_member (json, place.root, "config");
  reader.root = place.root;
  reader.major = find_major (json, &place);
  reader.values = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                         (GDestroyNotify) g_bytes_unref, unref_value);
  reader.attributes = sym_net_attributes_new (read_value, &reader);
  name = sym_json_dup_string (json, sym_json_get_member (json, config, "name"));
  model = sym_keras_build (&reader, config, name == NULL ? source->name : name,
                           make_origin (&reader, &place), 0, error);
  sym_keras_weights_end (reader.weights);
  g_hash_table_unref (reader.values);
  sym_net_attributes_free (reader.attributes);
  return model;
}

/* It keeps them turned and in pieces, in ways that changed with its versions. */
static void
note_weights (const SymJson *json, const SymIoSource *source)
{
  guint weights = sym_json_get_member (json, 0, "trainable_params");

  if (sym_json_get_member (json, 0, "architecture") != SYM_JSON_NONE && weights != SYM_JSON_NONE)
    sym_problems_add (source->problems, SYM_SEVERITY_WARNING, sym_json_get_line (json, weights),
                      SYM_NO_ID, SYM_NO_ID,
                      "the weights that frugally-deep keeps in trainable_params are not read");
}

static SymModel *
read_model (SymJson *json, const SymIoSource *source, GError **error)
{
  SymKerasWeights *weights;

  note_weights (json, source);
  return sym_keras_weights_find (json, source, &weights, error)
             ? sym_keras_read_document (json, source, "keras", weights, error)
             : NULL;
}

const SymIoFormat sym_keras_format = {
  .name = "keras",
  .title = "Keras model JSON",
  .versions = "1, 2 and 3 (.keras too), and TensorFlow.js layers",
  .limits = "Lambda and layers of others do not run; pickled weights (.npz) are not read",
  .suffix = ".keras.json",
  .has_nan = TRUE,
  .takes_weights = TRUE,
  .score = score,
  .read = read_model,
  .write = sym_keras_write,
  .tell = sym_keras_tell,
};
