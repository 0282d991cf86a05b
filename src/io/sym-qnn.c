/* SPDX-License-Identifier: MIT */
#include "io/sym-net-tell.h"

#include "ops/sym-op.h"

/* The graph that Qualcomm's QNN converters write beside model.cpp (*_net.json, QNN 2): tensors by
 * name with their types, nodes by name with the tensors that they use and make. */

static int
score (const SymJson *json)
{
  guint graph = sym_json_get_member (json, 0, "graph");

  if (sym_json_get_kind (json, sym_json_get_member (json, graph, "tensors")) != SYM_JSON_OBJECT ||
      sym_json_get_kind (json, sym_json_get_member (json, graph, "nodes")) != SYM_JSON_OBJECT)
    return 0;
  return sym_json_get_member (json, 0, "model.cpp") != SYM_JSON_NONE ? 100 : 70;
}

/* Qnn_DataType_t; fixed point types are integers with a scale. */
static SymDType
get_dtype (gint64 number)
{
  static const struct {
    gint64 number;
    SymDType dtype;
  } table[] = {
    { 0x008, SYM_DTYPE_INT8 },    { 0x016, SYM_DTYPE_INT16 },   { 0x032, SYM_DTYPE_INT32 },
    { 0x064, SYM_DTYPE_INT64 },   { 0x108, SYM_DTYPE_UINT8 },   { 0x116, SYM_DTYPE_UINT16 },
    { 0x132, SYM_DTYPE_UINT32 },  { 0x164, SYM_DTYPE_UINT64 },  { 0x216, SYM_DTYPE_FLOAT16 },
    { 0x232, SYM_DTYPE_FLOAT32 }, { 0x264, SYM_DTYPE_FLOAT64 }, { 0x304, SYM_DTYPE_INT4 },
    { 0x308, SYM_DTYPE_INT8 },    { 0x316, SYM_DTYPE_INT16 },   { 0x332, SYM_DTYPE_INT32 },
    { 0x404, SYM_DTYPE_UINT4 },   { 0x408, SYM_DTYPE_UINT8 },   { 0x416, SYM_DTYPE_UINT16 },
    { 0x432, SYM_DTYPE_UINT32 },  { 0x508, SYM_DTYPE_BOOL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].number == number)
      return table[i].dtype;

  return SYM_DTYPE_UNKNOWN;
}

static SymType
read_type (SymNet *net, guint tensor)
{
  const SymJson *json = sym_net_get_json (net);
  gint64 number = -1;

  sym_json_get_int (json, sym_json_get_member (json, tensor, "data_type"), &number);
  return sym_type_tensor (get_dtype (number),
                          sym_net_read_shape (net, sym_json_get_member (json, tensor, "dims")));
}

/* Qnn_TensorType_t; since QNN 2.20 some can be written anew between runs, or left out. */
enum {
  APP_WRITE,
  APP_READ,
  APP_READWRITE,
  NATIVE,
  STATIC,
  EMPTY,
  UPDATEABLE_STATIC,
  UPDATEABLE_NATIVE,
  UPDATEABLE_APP_WRITE,
  UPDATEABLE_APP_READ,
  UPDATEABLE_APP_READWRITE,
  OPTIONAL_APP_WRITE,
  OPTIONAL_APP_READ,
  OPTIONAL_APP_READWRITE,
};

static SymRole
get_role (gint64 kind)
{
  switch (kind)
    {
    case APP_WRITE:
    case UPDATEABLE_APP_WRITE:
    case OPTIONAL_APP_WRITE:
      return SYM_ROLE_INPUT;
    case STATIC:
    case UPDATEABLE_STATIC:
      return SYM_ROLE_PARAMETER;
    default:
      return SYM_ROLE_INTERMEDIATE;
    }
}

static gboolean
is_output (gint64 kind)
{
  return kind == APP_READ || kind == APP_READWRITE || kind == UPDATEABLE_APP_READ ||
         kind == UPDATEABLE_APP_READWRITE || kind == OPTIONAL_APP_READ ||
         kind == OPTIONAL_APP_READWRITE;
}

typedef struct {
  GPtrArray *outputs;  /* of names */
  GHashTable *tensors; /* tokens by name */
} Walk;

static gboolean
add_tensor (SymNet *net, guint key, guint tensor, gpointer user_data, GError **error)
{
  Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, key);
  SymType type = read_type (net, tensor);
  gint64 kind = -1;

  if (!sym_json_expect (json, tensor, SYM_JSON_OBJECT, "a tensor of 'graph'", error))
    return FALSE;
  sym_json_get_int (json, sym_json_get_member (json, tensor, "type"), &kind);
  if (get_role (kind) == SYM_ROLE_INTERMEDIATE)
    sym_net_declare (net, name, NULL, SYM_ROLE_INTERMEDIATE, &type, tensor);
  else
    sym_net_add_value (net, name, NULL, get_role (kind), &type, tensor);
  if (is_output (kind))
    g_ptr_array_add (walk->outputs, g_strdup (name));
  g_hash_table_insert (walk->tensors, g_steal_pointer (&name), GUINT_TO_POINTER (tensor));
  return TRUE;
}

/* {"group": {"306": 1}}: the key is a dtype; {"stride": {"NAME": {"dims": [2], "data": [1, 1]}}} */
static void
add_settings (SymNet *net, guint object, SymAttributes *attributes)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      SymJsonIter only = sym_json_iterate (json, i.value);
      guint data;

      if (name == NULL || !sym_json_iter_next (json, &only))
        continue;
      data = sym_json_get_member (json, only.value, "data");
      sym_net_set_attribute (net, attributes, name, data == SYM_JSON_NONE ? only.value : data);
    }
}

static SymAttributes *
read_attributes (SymNet *net, guint node)
{
  static const char *const own[] = { "type",          "input_names",   "output_names",
                                     "tensor_params", "scalar_params", NULL };
  const SymJson *json = sym_net_get_json (net);
  SymAttributes *attributes = sym_net_read_attributes (net, node, own);

  add_settings (net, sym_json_get_member (json, node, "tensor_params"), attributes);
  add_settings (net, sym_json_get_member (json, node, "scalar_params"), attributes);
  return attributes;
}

/* Tensor @i among @names. */
static guint
find_tensor (const SymJson *json, const Walk *walk, guint names, guint i)
{
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_element (json, names, i));
  gpointer token;

  return name != NULL && g_hash_table_lookup_extended (walk->tensors, name, NULL, &token)
             ? GPOINTER_TO_UINT (token)
             : SYM_JSON_NONE;
}

/* What the results alone tell: their dtypes, and the sizes of what is reshaped or resized. */
static void
note_results (SymNet *net,
              const Walk *walk,
              const char *type,
              guint node,
              SymAttributes *attributes)
{
  static const char *const shaped[] = { "Reshape", "Squeeze",        "ExpandDims",
                                        "Resize",  "ResizeBilinear", "ResizeNearestNeighbor",
                                        NULL };
  const SymJson *json = sym_net_get_json (net);
  guint outputs = sym_json_get_member (json, node, "output_names");
  guint given = find_tensor (json, walk, sym_json_get_member (json, node, "input_names"), 0);
  guint made = find_tensor (json, walk, outputs, 0);
  guint dims = sym_json_get_member (json, made, "dims");
  SymDType indices = read_type (net, find_tensor (json, walk, outputs, 1)).dtype;

  sym_net_note_dtype (attributes, read_type (net, given).dtype, read_type (net, made).dtype);
  if (strcmp (type, "TopK") == 0 && indices != SYM_DTYPE_UNKNOWN)
    sym_attributes_set (attributes, "indices_dtype", sym_value_new_dtype (indices), NULL);
  if (g_strv_contains (shaped, type) && sym_json_get_kind (json, dims) == SYM_JSON_ARRAY)
    sym_net_set_attribute (net, attributes, "output_shape", dims);
}

/* Newer converters name the family that an operation is of, and the operation by a parameter:
 * {"type": "Pool", "scalar_params": {"pool_type": {"2147483647": "PoolMax2d"}}}; and pairs by their
 * number in QnnOpDef.h, as ElementWiseBinary has it.  Such a layer is of the operation's type. */
static const char *
find_type (const char *type, const SymAttributes *attributes)
{
  static const struct {
    const char *family, *parameter, *numbered;
  } table[] = {
    { "Eltwise_Binary", "eltwise_type", "ElementWiseBinary" },
    { "Eltwise_Ternary", "eltwise_type", NULL },
    { "Eltwise_Unary", "eltwise_type", "ElementWiseUnary" },
    { "Neuron", "neuron_type", "ElementWiseNeuron" },
    { "Pool", "pool_type", NULL },
    { "Reduce", "reduce_type", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (table[i].family, type) == 0)
      {
        const char *told = sym_attributes_get_string (attributes, table[i].parameter, NULL);

        if (told != NULL && sym_op_find ("qnn", told, 0) != NULL)
          return told;
        if (table[i].numbered != NULL && sym_attributes_get_int (attributes, "operation", -1) >= 0)
          return table[i].numbered;
      }
  return type;
}

static gboolean
add_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, node, "input_names");
  guint outputs = sym_json_get_member (json, node, "output_names");
  g_autofree char *name = sym_json_dup_string (json, key);
  g_autofree char *family = sym_json_dup_string (json, sym_json_get_member (json, node, "type"));
  const SymOperator *known;
  SymAttributes *attributes;
  const char *type;
  SymId call;

  if (family == NULL)
    return sym_json_fail (json, node, error, "node '%s' needs a 'type', a string", name);

  attributes = read_attributes (net, node);
  type = find_type (family, attributes);
  known = sym_op_find ("qnn", type, 0);
  if (known != NULL)
    note_results (net, user_data, type, node, attributes);
  call = sym_net_add_call (net, name, type, known, attributes, node);
  sym_net_add_operands (net, call, inputs);
  sym_net_add_results (net, call, outputs, TRUE);
  return TRUE;
}

static SymModel *
read_net (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = {
    "model.cpp", "model.bin", "converter_command", "Total parameters", "Total MACs per inference",
    NULL
  };
  g_autoptr (SymNet) net = sym_net_new (source, json, "qnn");
  g_autoptr (GPtrArray) outputs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Walk walk = { outputs, tensors };
  guint graph = sym_json_get_member (json, 0, "graph");

  sym_net_expect_all (net);
  if (!sym_net_visit (net, sym_json_get_member (json, graph, "tensors"), add_tensor, &walk,
                      error) ||
      !sym_net_visit (net, sym_json_get_member (json, graph, "nodes"), add_node, &walk, error))
    return NULL;
  for (guint i = 0; i < outputs->len; i++)
    sym_net_add_output (net, g_ptr_array_index (outputs, i));
  sym_net_note_origin (net, "qnn", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_qnn_format = {
  .name = "qnn",
  .title = "Qualcomm QNN graph",
  .versions = "2 (*_net.json)",
  .limits = "weights are not in the file; integers with a scale do not run",
  .suffix = ".json",
  .score = score,
  .read = read_net,
  .tell = sym_net_tell,
};
