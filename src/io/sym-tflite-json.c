/* SPDX-License-Identifier: MIT */
#include "io/sym-tflite.h"
#include "io/sym-net-tell.h"

#include <string.h>

#include "io/sym-net-constants.h"

#include "ops/sym-op.h"

/* TensorFlow Lite's and Circle's models as flatc writes them as JSON (schema 3 and later): tensors
 * and operators by their numbers, kinds of operators in a table of their own.  sym-tflite.c makes
 * such a document of a model's own file. */

#define MAX_DEPTH 8

static int
score (const SymJson *json)
{
  guint graphs = sym_json_get_member (json, 0, "subgraphs");
  guint first = sym_json_get_element (json, graphs, 0);

  if (sym_json_get_kind (json, graphs) != SYM_JSON_ARRAY ||
      sym_json_get_member (json, 0, "operator_codes") == SYM_JSON_NONE)
    return 0;
  return sym_json_get_member (json, first, "tensors") != SYM_JSON_NONE ? 100 : 70;
}

/* BuiltinOperator by number, where flatc was told to write numbers; one to a line they would fill
 * two hundred. */
/* clang-format off */
static const char *const builtin_names[] = {
  "ADD", "AVERAGE_POOL_2D", "CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D", "DEPTH_TO_SPACE",
  "DEQUANTIZE", "EMBEDDING_LOOKUP", "FLOOR", "FULLY_CONNECTED", "HASHTABLE_LOOKUP",
  "L2_NORMALIZATION", "L2_POOL_2D", "LOCAL_RESPONSE_NORMALIZATION", "LOGISTIC", "LSH_PROJECTION",
  "LSTM", "MAX_POOL_2D", "MUL", "RELU", "RELU_N1_TO_1", "RELU6", "RESHAPE", "RESIZE_BILINEAR",
  "RNN", "SOFTMAX", "SPACE_TO_DEPTH", "SVDF", "TANH", "CONCAT_EMBEDDINGS", "SKIP_GRAM", "CALL",
  "CUSTOM", "EMBEDDING_LOOKUP_SPARSE", "PAD", "UNIDIRECTIONAL_SEQUENCE_RNN", "GATHER",
  "BATCH_TO_SPACE_ND", "SPACE_TO_BATCH_ND", "TRANSPOSE", "MEAN", "SUB", "DIV", "SQUEEZE",
  "UNIDIRECTIONAL_SEQUENCE_LSTM", "STRIDED_SLICE", "BIDIRECTIONAL_SEQUENCE_RNN", "EXP", "TOPK_V2",
  "SPLIT", "LOG_SOFTMAX", "DELEGATE", "BIDIRECTIONAL_SEQUENCE_LSTM", "CAST", "PRELU", "MAXIMUM",
  "ARG_MAX", "MINIMUM", "LESS", "NEG", "PADV2", "GREATER", "GREATER_EQUAL", "LESS_EQUAL", "SELECT",
  "SLICE", "SIN", "TRANSPOSE_CONV", "SPARSE_TO_DENSE", "TILE", "EXPAND_DIMS", "EQUAL", "NOT_EQUAL",
  "LOG", "SUM", "SQRT", "RSQRT", "SHAPE", "POW", "ARG_MIN", "FAKE_QUANT", "REDUCE_PROD",
  "REDUCE_MAX", "PACK", "LOGICAL_OR", "ONE_HOT", "LOGICAL_AND", "LOGICAL_NOT", "UNPACK",
  "REDUCE_MIN", "FLOOR_DIV", "REDUCE_ANY", "SQUARE", "ZEROS_LIKE", "FILL", "FLOOR_MOD", "RANGE",
  "RESIZE_NEAREST_NEIGHBOR", "LEAKY_RELU", "SQUARED_DIFFERENCE", "MIRROR_PAD", "ABS", "SPLIT_V",
  "UNIQUE", "CEIL", "REVERSE_V2", "ADD_N", "GATHER_ND", "COS", "WHERE", "RANK", "ELU",
  "REVERSE_SEQUENCE", "MATRIX_DIAG", "QUANTIZE", "MATRIX_SET_DIAG", "ROUND", "HARD_SWISH", "IF",
  "WHILE", "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5", "SCATTER_ND", "SELECT_V2",
  "DENSIFY", "SEGMENT_SUM", "BATCH_MATMUL", "PLACEHOLDER_FOR_GREATER_OP_CODES", "CUMSUM",
  "CALL_ONCE", "BROADCAST_TO", "RFFT2D", "CONV_3D", "IMAG", "REAL", "COMPLEX_ABS", "HASHTABLE",
  "HASHTABLE_FIND", "HASHTABLE_IMPORT", "HASHTABLE_SIZE", "REDUCE_ALL", "CONV_3D_TRANSPOSE",
  "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE", "BROADCAST_ARGS", "RANDOM_STANDARD_NORMAL",
  "BUCKETIZE", "RANDOM_UNIFORM", "MULTINOMIAL", "GELU", "DYNAMIC_UPDATE_SLICE", "RELU_0_TO_1",
  "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_SUM", "ATAN2",
  "UNSORTED_SEGMENT_MIN", "SIGN", "BITCAST", "BITWISE_XOR", "RIGHT_SHIFT",
  "STABLEHLO_LOGISTIC", "STABLEHLO_ADD", "STABLEHLO_DIVIDE", "STABLEHLO_MULTIPLY",
  "STABLEHLO_MAXIMUM", "STABLEHLO_RESHAPE", "STABLEHLO_CLAMP", "STABLEHLO_CONCATENATE",
  "STABLEHLO_BROADCAST_IN_DIM", "STABLEHLO_CONVOLUTION", "STABLEHLO_SLICE",
  "STABLEHLO_CUSTOM_CALL", "STABLEHLO_REDUCE", "STABLEHLO_ABS", "STABLEHLO_AND",
  "STABLEHLO_COSINE", "STABLEHLO_EXPONENTIAL", "STABLEHLO_FLOOR", "STABLEHLO_LOG",
  "STABLEHLO_MINIMUM", "STABLEHLO_NEGATE", "STABLEHLO_OR", "STABLEHLO_POWER",
  "STABLEHLO_REMAINDER", "STABLEHLO_RSQRT", "STABLEHLO_SELECT", "STABLEHLO_SUBTRACT",
  "STABLEHLO_TANH", "STABLEHLO_SCATTER", "STABLEHLO_COMPARE", "STABLEHLO_CONVERT",
  "STABLEHLO_DYNAMIC_SLICE", "STABLEHLO_DYNAMIC_UPDATE_SLICE", "STABLEHLO_PAD",
  "STABLEHLO_IOTA", "STABLEHLO_DOT_GENERAL", "STABLEHLO_REDUCE_WINDOW", "STABLEHLO_SORT",
  "STABLEHLO_WHILE", "STABLEHLO_GATHER", "STABLEHLO_TRANSPOSE", "DILATE",
  "STABLEHLO_RNG_BIT_GENERATOR", "REDUCE_WINDOW", "STABLEHLO_COMPOSITE",
  "STABLEHLO_SHIFT_LEFT", "STABLEHLO_CBRT", "STABLEHLO_CASE",
};
/* clang-format on */

/* Those that only Circle has, counted down from -1. */
static const char *const circle_names[] = {
  NULL, "INSTANCE_NORM", "BCQ_FULLY_CONNECTED", "BCQ_GATHER", "GRU", "RMS_NORM", "ROPE",
};

typedef struct {
  const SymIoSource *source;
  const char *format;
  SymBlob *blob;   /* what places of buffers mean; may be NULL */
  GArray *codes;   /* guint: tokens of operator_codes */
  GArray *buffers; /* guint: tokens */
  GArray *graphs;  /* guint: tokens */
  guint64 *spent;  /* on bodies: see sym_net_take_body() */
  guint depth;
} Walk;

static GArray *
list_tokens (const SymJson *json, guint array)
{
  GArray *tokens = g_array_new (FALSE, FALSE, sizeof (guint));

  for (SymJsonIter i = sym_json_iterate (json, array); sym_json_iter_next (json, &i);)
    g_array_append_val (tokens, i.value);
  return tokens;
}

static guint
get_token (const GArray *tokens, const SymJson *json, guint number)
{
  guint64 i = number == SYM_JSON_NONE ? 0 : G_MAXUINT64; /* flatc leaves zeros out */

  if (number != SYM_JSON_NONE)
    sym_json_get_uint (json, number, &i);
  return i < tokens->len ? g_array_index (tokens, guint, i) : SYM_JSON_NONE;
}

/* ---- Tensors ---- */

/* Converters leave the dtypes of casts out, as the tensors have them. */
static void
set_cast (SymNet *net,
          const GArray *tensors,
          const char *type,
          guint outputs,
          SymAttributes *attributes)
{
  static const char name[] = "out_data_type";
  const SymJson *json = sym_net_get_json (net);
  guint made = get_token (tensors, json, sym_json_get_element (json, outputs, 0));
  guint dtype = sym_json_get_member (json, made, "type");

  if (strcmp (type, "CAST") == 0 && dtype != SYM_JSON_NONE &&
      sym_attributes_find (attributes, name) == NULL)
    sym_attributes_set (attributes, name, sym_net_read_value (json, dtype), NULL);
}

/* What the integers of the tensors that a list numbers stand for, as an attribute unless none of
 * them stands for anything. */
static void
set_scales (SymNet *net,
            const GArray *tensors,
            guint numbers,
            const char *name,
            SymAttributes *attributes)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GPtrArray) scales = g_ptr_array_new ();
  gboolean is_any = FALSE;
  SymValue *list;

  for (SymJsonIter i = sym_json_iterate (json, numbers); sym_json_iter_next (json, &i);)
    {
      SymValue *one = sym_tflite_read_scales (net, get_token (tensors, json, i.value));

      is_any = is_any || sym_value_get_kind (one) == SYM_VALUE_DICT;
      g_ptr_array_add (scales, one);
    }
  list = sym_value_new_list ((SymValue *const *) scales->pdata, scales->len);
  if (is_any)
    sym_attributes_set (attributes, name, list, NULL);
  else
    sym_value_unref (list);
}

/* Numbers of the tensors that layers which are not built in make. */
static GHashTable *
list_custom_results (const SymJson *json, const Walk *walk, guint graph)
{
  GHashTable *numbers = g_hash_table_new (NULL, NULL);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, graph, "operators"));
       sym_json_iter_next (json, &i);)
    {
      guint code =
          get_token (walk->codes, json, sym_json_get_member (json, i.value, "opcode_index"));
      guint outputs = sym_json_get_member (json, i.value, "outputs");
      gint64 number;

      if (sym_json_get_member (json, code, "custom_code") == SYM_JSON_NONE)
        continue;
      for (SymJsonIter j = sym_json_iterate (json, outputs); sym_json_iter_next (json, &j);)
        if (sym_json_get_int (json, j.value, &number) && number >= 0 && number < G_MAXINT32)
          g_hash_table_add (numbers, GINT_TO_POINTER ((int) number));
    }
  return numbers;
}

/* What recurrent layers keep from one run to the next starts with zeros. */
static gboolean
add_state (SymNet *net, const char *key, const char *name, const SymType *type, guint token)
{
  g_autoptr (SymTensor) state = sym_tflite_make_state (sym_net_get_json (net), token, type);
  SymId value;

  if (state == NULL)
    return FALSE;
  value = sym_net_add_value (net, key, name, SYM_ROLE_AUXILIARY, type, token);
  sym_model_builder_set_parameter (sym_net_get_builder (net), value,
                                   sym_parameter_new (FALSE, state));
  return TRUE;
}

/* Tensors with numbers are weights, or constants where these are few, as of axes; without, whoever
 * makes them makes them known. */
static void
add_tensors (SymNet *net,
             const Walk *walk,
             guint graph,
             GPtrArray *names,
             SymNetConstants *constants)
{
  const SymJson *json = sym_net_get_json (net);
  guint tensors = sym_json_get_member (json, graph, "tensors");
  g_autoptr (GHashTable) custom = list_custom_results (json, walk, graph);
  guint number = 0;

  for (SymJsonIter i = sym_json_iterate (json, tensors); sym_json_iter_next (json, &i); number++)
    {
      g_autofree char *key = g_strdup_printf ("%u", number);
      char *name = sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      SymType type = sym_tflite_read_type (net, i.value);
      gboolean is_stored;
      guint buffer = get_token (walk->buffers, json, sym_json_get_member (json, i.value, "buffer"));
      g_autoptr (SymTensor) tensor =
          sym_tflite_read_numbers (net, i.value, buffer, walk->blob, &type, &is_stored);
      SymValue *small = tensor == NULL || sym_tflite_has_scale (json, i.value)
                            ? NULL
                            : sym_net_read_small (tensor);
      SymModelBuilder *builder = sym_net_get_builder (net);
      SymId value;

      /* Converters do not know their shapes, and leave them empty. */
      if (type.shape.rank == 0 && g_hash_table_contains (custom, GUINT_TO_POINTER (number)))
        type.shape = SYM_SHAPE_UNKNOWN;
      g_ptr_array_add (names, name);
      if (!is_stored && add_state (net, key, name, &type, i.value))
        continue;
      if (!is_stored)
        {
          sym_net_declare (net, key, name, SYM_ROLE_INPUT, &type, i.value);
          continue;
        }
      value = sym_net_add_value (
          net, key, name, small != NULL ? SYM_ROLE_CONSTANT : SYM_ROLE_PARAMETER, &type, i.value);
      sym_net_constants_add (constants, key, small);
      if (small != NULL)
        sym_model_builder_set_tensor (builder, value, g_steal_pointer (&tensor));
      else
        sym_model_builder_set_parameter (builder, value, sym_parameter_new (TRUE, tensor));
    }
}

/* ---- Operators ---- */

/* The greater of two codes is meant: files of before 2020 have only the old one, and flatc may tell
 * the default of the new one, which is that of ADD. */
static char *
dup_type (const SymJson *json, const Walk *walk, guint op)
{
  static const char *const members[] = { "builtin_code", "deprecated_builtin_code", NULL };
  guint code = get_token (walk->codes, json, sym_json_get_member (json, op, "opcode_index"));
  char *custom = sym_json_dup_string (json, sym_json_get_member (json, code, "custom_code"));
  guint64 best = 0;

  if (custom != NULL)
    return custom;
  for (guint i = 0; members[i] != NULL; i++)
    {
      guint member = sym_json_get_member (json, code, members[i]);
      g_autofree char *name = sym_json_dup_string (json, member);
      gint64 number = 0;

      if (name != NULL && strcmp (name, builtin_names[0]) != 0)
        return g_steal_pointer (&name);
      if (!sym_json_get_int (json, member, &number))
        continue;
      if (number < -1 && number >= -(gint64) G_N_ELEMENTS (circle_names))
        return g_strdup (circle_names[-number - 1]);
      best = MAX (best, (guint64) MAX (number, 0));
    }
  return best < G_N_ELEMENTS (builtin_names) ? g_strdup (builtin_names[best])
                                             : g_strdup_printf ("BUILTIN_%" G_GUINT64_FORMAT, best);
}

static SymModel *read_subgraph (SymNet *around, const Walk *walk, guint graph, GError **error);

/* Options that number graphs: "body_subgraph_index". */
static gboolean
add_bodies (SymNet *net, const Walk *walk, guint options, SymLayer *layer, GError **error)
{
  const SymJson *json = sym_net_get_json (net);

  for (SymJsonIter i = sym_json_iterate (json, options); sym_json_iter_next (json, &i);)
    {
      static const char suffix[] = "_subgraph_index";
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      guint graph = get_token (walk->graphs, json, i.value);
      g_autoptr (SymModel) body = NULL;

      if (name == NULL || !g_str_has_suffix (name, suffix))
        continue;
      if (graph == SYM_JSON_NONE || walk->depth >= MAX_DEPTH ||
          !sym_net_take_body (net, graph, walk->spent))
        {
          sym_net_warn (net, i.value, "the graph that '%s' tells cannot be shown", name);
          continue;
        }
      body = read_subgraph (net, walk, graph, error);
      if (body == NULL)
        return FALSE;
      name[strlen (name) - strlen (suffix)] = '\0';
      sym_layer_add_body (layer, name, body, FALSE);
    }
  return TRUE;
}

static char *
dup_number (const SymJson *json, guint token)
{
  gint64 number = -1;

  sym_json_get_int (json, token, &number);
  return number < 0 ? NULL : g_strdup_printf ("%" G_GINT64_FORMAT, number);
}

static const char *
get_name (const GPtrArray *names, const char *number)
{
  guint64 i = number == NULL ? G_MAXUINT64 : g_ascii_strtoull (number, NULL, 10);

  return i < names->len ? g_ptr_array_index (names, i) : NULL;
}

typedef struct {
  const Walk *walk;
  const GPtrArray *names;
  const GArray *tensors; /* guint: tokens */
  const SymNetConstants *constants;
} Inside;

/* Numbers of tensors; NULL for -1, none. */
static GPtrArray *
list_numbers (const SymJson *json, guint array)
{
  GPtrArray *numbers = g_ptr_array_new_with_free_func (g_free);

  for (SymJsonIter i = sym_json_iterate (json, array); sym_json_iter_next (json, &i);)
    g_ptr_array_add (numbers, dup_number (json, i.value));
  return numbers;
}

static guint
get_options (const SymJson *json, guint op)
{
  guint options = sym_json_get_member (json, op, "builtin_options");

  return options != SYM_JSON_NONE ? options : sym_json_get_member (json, op, "builtin_options_2");
}

static gboolean
add_operator (SymNet *net, guint key, guint op, gpointer user_data, GError **error)
{
  const Inside *inside = user_data;
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, op, "inputs");
  guint outputs = sym_json_get_member (json, op, "outputs");
  guint options = get_options (json, op);
  g_autofree char *type = dup_type (json, inside->walk, op);
  g_autofree char *first = dup_number (json, sym_json_get_element (json, outputs, 0));
  const char *name = get_name (inside->names, first);
  const SymOperator *known = sym_tflite_find_operator (type);
  g_autoptr (GPtrArray) keys = list_numbers (json, inputs);
  g_autoptr (SymAttributes) attributes = sym_net_read_attributes (net, options, NULL);
  g_autoptr (SymLayer) layer = NULL;
  SymId call;

  if (!sym_tflite_read_custom (net, op, type, attributes))
    known = NULL;
  if (!sym_tflite_is_flex (type))
    sym_net_constants_complete (inside->constants, known, keys, attributes);
  set_cast (net, inside->tensors, type, outputs, attributes);
  set_scales (net, inside->tensors, inputs, "quantized_operands", attributes);
  set_scales (net, inside->tensors, outputs, "quantized_results", attributes);
  layer = sym_layer_new (type, known, attributes);
  sym_layer_set_name (layer, name == NULL ? type : name);
  if (!add_bodies (net, inside->walk, options, layer, error))
    return FALSE;
  call = sym_net_add_layer (net, name == NULL ? type : name, layer, op);
  for (guint i = 0; i < keys->len; i++)
    sym_net_add_operand (net, call, g_ptr_array_index (keys, i));
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *number = dup_number (json, i.value);

      sym_net_add_result (net, call, number, get_name (inside->names, number), NULL);
    }
  return TRUE;
}

/* ---- Graphs ---- */

static gboolean
fill (SymNet *net, const Walk *walk, guint graph, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SymNetConstants) constants = sym_net_constants_new ();
  g_autoptr (GArray) tensors = list_tokens (json, sym_json_get_member (json, graph, "tensors"));
  Inside inside = { walk, names, tensors, constants };
  guint inputs = sym_json_get_member (json, graph, "inputs");
  guint outputs = sym_json_get_member (json, graph, "outputs");

  add_tensors (net, walk, graph, names, constants);
  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *number = dup_number (json, i.value);

      if (number != NULL && sym_net_find (net, number) == SYM_NO_ID)
        sym_net_add_declared (net, number, get_name (names, number), SYM_ROLE_INPUT, i.value);
    }
  if (!sym_net_visit (net, sym_json_get_member (json, graph, "operators"), add_operator, &inside,
                      error))
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      g_autofree char *number = dup_number (json, i.value);

      if (number != NULL)
        sym_net_add_output (net, number);
    }
  return TRUE;
}

static SymModel *
read_subgraph (SymNet *around, const Walk *walk, guint graph, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (walk->source, sym_net_get_json (around), walk->format);
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  Walk inside = *walk;

  inside.depth++;
  if (!fill (net, &inside, graph, error))
    return NULL;
  return sym_net_end_body (g_steal_pointer (&net), captures, error);
}

SymModel *
sym_tflite_read_document (const SymJson *json,
                          SymBlob *blob,
                          const SymIoSource *source,
                          const char *format,
                          GError **error)
{
  static const char *const told[] = { "version", "description", NULL };
  g_autoptr (SymNet) net = sym_net_new (source, json, format);
  g_autoptr (GArray) codes = list_tokens (json, sym_json_get_member (json, 0, "operator_codes"));
  g_autoptr (GArray) buffers = list_tokens (json, sym_json_get_member (json, 0, "buffers"));
  g_autoptr (GArray) graphs = list_tokens (json, sym_json_get_member (json, 0, "subgraphs"));
  guint64 spent = 0;
  Walk walk = { source, format, blob, codes, buffers, graphs, &spent, 0 };

  if (graphs->len == 0)
    {
      sym_json_fail (json, 0, error, "'subgraphs' is empty: there is no graph");
      return NULL;
    }
  if (!fill (net, &walk, g_array_index (graphs, guint, 0), error))
    return NULL;
  sym_net_note_origin (net, format, told);
  return sym_net_end (g_steal_pointer (&net), error);
}

extern const SymIoFormat sym_tflite_json_format;

static SymModel *
read_model (SymJson *json, const SymIoSource *source, GError **error)
{
  return sym_tflite_read_document (json, NULL, source, sym_tflite_json_format.name, error);
}

const SymIoFormat sym_tflite_json_format = {
  .name = "tflite-json",
  .title = "TensorFlow Lite or Circle model as JSON",
  .versions = "schema 3 (flatc)",
  .limits = "custom layers do not run, but detection, TensorFlow's and MediaPipe's",
  .suffix = ".json",
  .has_nan = TRUE,
  .score = score,
  .read = read_model,
  .tell = sym_net_tell,
};
