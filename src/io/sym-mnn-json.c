/* SPDX-License-Identifier: MIT */
#include "io/sym-net-constants.h"
#include "io/sym-net-tell.h"

#include <string.h>

#include "ops/sym-op.h"

#define MAX_NUMBERS 64

/* MNN's models as MNNDump2Json writes them (MNN 1 to 3): operators that number their tensors, whose
 * names are a list. */

static int
score (const SymJson *json)
{
  guint ops = sym_json_get_member (json, 0, "oplists");

  if (sym_json_get_kind (json, ops) != SYM_JSON_ARRAY)
    return 0;
  return sym_json_get_member (json, 0, "tensorName") != SYM_JSON_NONE ? 100 : 60;
}

static const char *
get_name (const GPtrArray *names, const char *number)
{
  guint64 i = g_ascii_strtoull (number, NULL, 10);

  return i < names->len ? g_ptr_array_index (names, i) : NULL;
}

typedef struct {
  GPtrArray *names; /* of tensors */
  SymNetConstants *constants;
  GHashTable *layouts; /* of numbers of tensors: NCHW, NHWC, NC4HW4 */
} Walk;

/* ---- Layouts ---- */

/* Where a tensor has its channels: "NC4HW4" is an image with its channels behind the batch. */
static const char *
intern_layout (const SymJson *json, guint token, const char *fallback)
{
  static const char *const known[] = { "NCHW", "NHWC", "NC4HW4" };
  g_autofree char *text = sym_net_dup_key (json, token);

  for (guint i = 0; text != NULL && i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i], text) == 0)
      return known[i];
  return fallback;
}

static const char *
get_layout (const SymJson *json, const Walk *walk, guint inputs, guint i)
{
  g_autofree char *key = sym_net_dup_key (json, sym_json_get_element (json, inputs, i));

  return key == NULL ? NULL : g_hash_table_lookup (walk->layouts, key);
}

static void
keep_layout (const SymJson *json, Walk *walk, guint outputs, const char *layout)
{
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      char *key = sym_net_dup_key (json, i.value);

      if (key != NULL)
        g_hash_table_insert (walk->layouts, key, (gpointer) layout);
    }
}

/* What comes out lies as what goes in, unless that is turned. */
static void
pass_layout (const SymJson *json, Walk *walk, guint op, const char *type)
{
  guint main = sym_json_get_member (json, op, "main");
  guint inputs = sym_json_get_member (json, op, "inputIndexes");
  const char *layout = get_layout (json, walk, inputs, 0);

  if (strcmp (type, "ConvertTensor") == 0)
    layout = intern_layout (json, sym_json_get_member (json, main, "dest"), "NCHW");
  if (layout != NULL)
    keep_layout (json, walk, sym_json_get_member (json, op, "outputIndexes"), layout);
}

/* Told to those that go by it, where it is none of the usual. */
static void
note_layout (const char *type, const char *layout, SymAttributes *attributes)
{
  static const char *const by_image[] = { "Convolution",
                                          "ConvolutionDepthwise",
                                          "Deconvolution",
                                          "DeconvolutionDepthwise",
                                          "Pooling",
                                          "Interp",
                                          "DepthToSpace",
                                          "SpaceToDepth",
                                          "SpaceToBatchND",
                                          "BatchToSpaceND",
                                          NULL };
  static const char *const by_blocks[] = { "ArgMax", "Reshape", NULL };

  if (layout != NULL &&
      g_strv_contains (strcmp (layout, "NHWC") == 0 ? by_image : by_blocks, type) &&
      strcmp (layout, "NCHW") != 0)
    sym_attributes_set (attributes, "layout", sym_value_new_string (layout), NULL);
}

/* Axes, sizes and places that layers have as operands. */
static SymValue *
read_integers (const SymJson *json, guint blob)
{
  guint list = sym_json_get_member (json, blob, "int32s");
  gint64 numbers[MAX_NUMBERS];
  guint n = 0;

  if (sym_json_get_kind (json, list) != SYM_JSON_ARRAY || sym_json_count (json, list) > MAX_NUMBERS)
    return NULL;
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i); n++)
    if (!sym_json_get_int (json, i.value, &numbers[n]))
      return NULL;
  return sym_json_count (json, sym_json_get_member (json, blob, "dims")) == 0 && n == 1
             ? sym_value_new_int (numbers[0])
             : sym_value_new_ints (SYM_VALUE_LIST, numbers, n);
}

/* {"dims": [1, 3, 224, 224], "dtype": "DT_FLOAT"} of an input or a constant; DT_FLOAT is left out.
 */
static void
add_source (SymNet *net, guint op, const char *type, Walk *walk)
{
  const SymJson *json = sym_net_get_json (net);
  guint main = sym_json_get_member (json, op, "main");
  guint outputs = sym_json_get_member (json, op, "outputIndexes");
  guint dtype = sym_json_get_member (json, main, "dataType");
  SymType known = sym_net_read_type (
      net, dtype == SYM_JSON_NONE ? sym_json_get_member (json, main, "dtype") : dtype,
      sym_json_get_member (json, main, "dims"));
  SymRole role = strcmp (type, "Input") == 0 ? SYM_ROLE_INPUT : SYM_ROLE_PARAMETER;
  gboolean is_input = role == SYM_ROLE_INPUT;

  keep_layout (json, walk, outputs,
               intern_layout (json,
                              sym_json_get_member (json, main, is_input ? "dformat" : "dataFormat"),
                              is_input ? "NC4HW4" : "NCHW"));

  if (dtype == SYM_JSON_NONE && sym_json_get_member (json, main, "dtype") == SYM_JSON_NONE)
    known.dtype = SYM_DTYPE_FLOAT32;
  if (sym_json_get_member (json, main, "dims") == SYM_JSON_NONE && role == SYM_ROLE_PARAMETER)
    known.shape = (SymShape){ .rank = 0 };
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *key = sym_net_dup_key (json, i.value);

      if (key == NULL)
        continue;
      sym_net_add_value (net, key, get_name (walk->names, key), role, &known, op);
      if (role == SYM_ROLE_PARAMETER)
        sym_net_constants_add (walk->constants, key, read_integers (json, main));
    }
}

/* ---- Weights, of which only shapes are known ---- */

static const struct {
  const char *type;
  const char *names[4];
} weighted[] = {
  { "Convolution", { "weight", "bias" } },
  { "ConvolutionDepthwise", { "weight", "bias" } },
  { "ConvInt8", { "weight", "bias" } },
  { "DepthwiseConvInt8", { "weight", "bias" } },
  { "Deconvolution", { "weight", "bias" } },
  { "DeconvolutionDepthwise", { "weight", "bias" } },
  { "InnerProduct", { "weight", "bias" } },
  { "BatchNorm", { "slopeData", "meanData", "varData", "biasData" } },
  { "Scale", { "scaleData", "biasData" } },
  { "PReLU", { "slope" } },
};

/* Whether weights are in an operator that nothing is known of. */
static gboolean
hides_parameters (const char *type)
{
  static const char *const types[] = {
    "Convolution3D",  "ConvTranspose3D", "LSTM",      "LSTMBlockCell", "RNN",
    "RNNSequenceGRU", "LayerNorm",       "GroupNorm", "Attention",     NULL
  };

  return g_strv_contains (types, type);
}

/* Of one that takes them as operands there are none. */
static void
add_weights (SymNet *net, SymId call, const char *type, const char *name, guint op)
{
  const SymJson *json = sym_net_get_json (net);
  guint main = sym_json_get_member (json, op, "main");
  gint64 slopes = 0;

  sym_json_get_int (json, sym_json_get_member (json, main, "slopeCount"), &slopes);
  for (guint i = 0; i < G_N_ELEMENTS (weighted); i++)
    for (guint k = 0; strcmp (weighted[i].type, type) == 0 && k < 4; k++)
      {
        g_autofree char *key = g_strdup_printf ("%s.%s", name, weighted[i].names[k]);
        SymType known = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE_UNKNOWN);

        if (weighted[i].names[k] == NULL)
          break;
        if (slopes > 0)
          known.shape = SYM_SHAPE (slopes);
        sym_net_add_value (net, key, NULL, SYM_ROLE_PARAMETER, &known, op);
        sym_net_add_operand (net, call, key);
      }
}

/* The members of `common`, which convolutions have, among the others. */
static SymAttributes *
read_attributes (SymNet *net, guint op)
{
  static const char *const blobs[] = { "blockShape", "padding" };
  static const char *const bulky[] = { "weight",   "bias",      "symmetricQuan", "quanParameter",
                                       "common",   "slopeData", "meanData",      "varData",
                                       "biasData", "scaleData", "slope",         NULL };
  const SymJson *json = sym_net_get_json (net);
  guint main = sym_json_get_member (json, op, "main");
  SymAttributes *attributes = sym_net_read_attributes (net, main, bulky);

  for (guint i = 0; i < G_N_ELEMENTS (blobs); i++)
    {
      guint blob = sym_json_get_member (json, main, blobs[i]);
      SymValue *list = blob == SYM_JSON_NONE ? NULL : read_integers (json, blob);

      if (list != NULL)
        sym_attributes_set (attributes, blobs[i], list, NULL);
    }

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, main, "common"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);

      if (name != NULL)
        sym_net_set_attribute (net, attributes, name, i.value);
    }
  return attributes;
}

/* What constant operands and the dtype of a cast tell. */
static void
complete (SymNet *net,
          const Walk *walk,
          const SymOperator *op,
          guint inputs,
          SymAttributes *attributes)
{
  gboolean is_random = op != NULL && strcmp (op->name, "RandomUniform") == 0;
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  SymDType dtype = sym_net_parse_dtype (
      sym_attributes_get_string (attributes, is_random ? "type" : "dstT", NULL));

  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    g_ptr_array_add (keys, sym_net_dup_key (json, i.value));
  sym_net_constants_complete (walk->constants, op, keys, attributes);
  if (op != NULL && dtype != SYM_DTYPE_UNKNOWN)
    sym_attributes_set (attributes, "output_dtype", sym_value_new_dtype (dtype), NULL);
}

static gboolean
add_op (SymNet *net, guint op_key, guint op, gpointer user_data, GError **error)
{
  Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *type = sym_net_dup_key (json, sym_json_get_member (json, op, "type"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, op, "name"));
  guint inputs = sym_json_get_member (json, op, "inputIndexes");
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) layer = NULL;
  const SymOperator *known;
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, op, error, "an operator needs a 'type'");
  if (strcmp (type, "Input") == 0 || strcmp (type, "Const") == 0)
    {
      add_source (net, op, type, walk);
      return TRUE;
    }
  if (name == NULL || name[0] == '\0')
    {
      g_free (name);
      name = g_strdup (type);
    }
  attributes = read_attributes (net, op);
  known = sym_op_find ("mnn", type, 0);
  complete (net, walk, known, inputs, attributes);
  if (known != NULL)
    note_layout (type, get_layout (json, walk, inputs, 0), attributes);
  pass_layout (json, walk, op, type);
  layer = sym_layer_new (type, known, attributes);
  sym_layer_set_name (layer, name);
  sym_layer_set_hides_parameters (layer, hides_parameters (type));
  call = sym_net_add_layer (net, name, layer, op);
  sym_net_add_operands (net, call, inputs);
  if (sym_json_count (json, inputs) == 1)
    add_weights (net, call, type, name, op);
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, op, "outputIndexes"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *key = sym_net_dup_key (json, i.value);

      if (key != NULL)
        sym_net_add_result (net, call, key, get_name (walk->names, key), NULL);
    }
  return TRUE;
}

/* "outputName" lists outputs by the names of tensors. */
static void
add_outputs (SymNet *net, const GPtrArray *names)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < names->len; i++)
    if (g_ptr_array_index (names, i) != NULL)
      g_hash_table_insert (numbers, g_ptr_array_index (names, i), GUINT_TO_POINTER (i + 1));
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, 0, "outputName"));
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_json_dup_string (json, i.value);
      guint number = name == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (numbers, name));
      g_autofree char *key = g_strdup_printf ("%u", number - 1);

      if (number > 0)
        sym_net_add_output (net, key);
    }
}

static SymModel *
read_model (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = {
    "sourceType",        "bizCode",           "mnn_uuid", "extraInfo.name",
    "extraInfo.version", "preferForwardType", NULL
  };
  g_autoptr (SymNet) net = sym_net_new (source, json, "mnn-json");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SymNetConstants) constants = sym_net_constants_new ();
  g_autoptr (GHashTable) layouts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Walk walk = { names, constants, layouts };
  guint list = sym_json_get_member (json, 0, "tensorName");

  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    g_ptr_array_add (names, sym_json_dup_string (json, i.value));
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "oplists"), add_op, &walk, error))
    return NULL;
  add_outputs (net, names);
  sym_net_note_origin (net, "mnn-json", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_mnn_json_format = {
  .name = "mnn-json",
  .title = "MNN model as JSON",
  .versions = "1 to 3",
  .limits = "weights are not read; does not run",
  .suffix = ".json",
  .has_nan = TRUE,
  .has_bare_keys = TRUE,
  .score = score,
  .read = read_model,
  .tell = sym_net_tell,
};
