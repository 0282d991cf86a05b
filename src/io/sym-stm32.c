/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* What ST Edge AI (X-CUBE-AI) tells of the network that it made C code of: *_c_info.json (schema
 * 2), with buffers by number and nodes that name them, and before that *_c_graph.json (1.2), with
 * arrays of tensors by name.  Attributes and shapes are what the C code has, after all that was
 * folded into layers. */

static gboolean
is_array (const SymJson *json, guint object, const char *name)
{
  return sym_json_get_kind (json, sym_json_get_member (json, object, name)) == SYM_JSON_ARRAY;
}

static int
score (const SymJson *json)
{
  if (is_array (json, 0, "c_arrays") && is_array (json, 0, "c_layers"))
    return 90;
  return is_array (json, 0, "buffers") && is_array (json, 0, "graphs") &&
                 sym_json_get_member (json, 0, "json_schema_version") != SYM_JSON_NONE
             ? 90
             : 0;
}

/* "FORMAT_FLOAT32", "FMT_S8", "const float": the last word counts. */
static SymDType
parse_dtype (const char *text)
{
  static const char blanks[] = " _*";
  const char *end = text + strlen (text);
  g_autofree char *word = NULL;
  const char *start;

  while (end > text && strchr (blanks, end[-1]) != NULL)
    end--;
  for (start = end; start > text && strchr (blanks, start[-1]) == NULL;)
    start--;
  word = g_strndup (start, (gsize) (end - start));
  return sym_net_parse_dtype (word);
}

/* What a buffer holds is told by a word, or by the number of bits and a scale. */
static SymDType
read_dtype (const SymJson *json, guint buffer)
{
  static const SymDType signed_types[] = { SYM_DTYPE_INT8, SYM_DTYPE_INT16, SYM_DTYPE_INT32 };
  static const SymDType unsigned_types[] = { SYM_DTYPE_UINT8, SYM_DTYPE_UINT16, SYM_DTYPE_UINT32 };
  guint format = sym_json_get_member (json, buffer, "format");
  guint of = sym_json_get_kind (json, format) == SYM_JSON_OBJECT ? format : buffer;
  guint word = of == format ? sym_json_get_member (json, of, "format") : format;
  g_autofree char *text = sym_json_dup_string (
      json, word == SYM_JSON_NONE ? sym_json_get_member (json, of, "type") : word);
  SymDType dtype = text == NULL ? SYM_DTYPE_UNKNOWN : parse_dtype (text);
  guint scale = sym_json_get_member (json, of, "intq");
  gboolean is_signed = FALSE;
  guint64 n_bits = 0;

  if (dtype != SYM_DTYPE_UNKNOWN ||
      !sym_json_get_uint (json, sym_json_get_member (json, of, "nbits"), &n_bits) ||
      !sym_json_get_bool (json, sym_json_get_member (json, scale, "signed"), &is_signed))
    return dtype;
  for (guint i = 0; i < G_N_ELEMENTS (signed_types); i++)
    if (n_bits == 8u << i)
      return is_signed ? signed_types[i] : unsigned_types[i];
  return SYM_DTYPE_UNKNOWN;
}

static gboolean
add_buffer (SymNet *net, guint key, guint buffer, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *id = sym_net_dup_key (json, sym_json_get_member (json, buffer, "id"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, buffer, "name"));
  SymType type =
      sym_type_tensor (read_dtype (json, buffer),
                       sym_net_read_shape (net, sym_json_get_member (json, buffer, "shape")));
  gboolean is_parameter = FALSE;

  if (id == NULL)
    return sym_json_fail (json, buffer, error, "a buffer needs an 'id'");
  sym_json_get_bool (json, sym_json_get_member (json, buffer, "is_param"), &is_parameter);
  sym_net_declare (net, id, name, is_parameter ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT, &type,
                   buffer);
  return TRUE;
}

/* "Node kind=Dense" */
static char *
find_type (const SymJson *json, guint node)
{
  static const char prefix[] = "Node kind=";
  static const char *const names[] = { "type", "layer_type", "op", "description", NULL };

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *text =
          sym_json_dup_string (json, sym_json_get_member (json, node, names[i]));

      if (text != NULL && text[0] != '\0')
        return g_strdup (g_str_has_prefix (text, prefix) ? text + strlen (prefix) : text);
    }
  return NULL;
}

/* An epoch of the neural processor has no type, and is what its first part is. */
static char *
read_type (const SymJson *json, guint node)
{
  char *type = find_type (json, node);
  guint parts = sym_json_get_member (json, node, "subgraph_nodes");

  return type != NULL ? type : find_type (json, sym_json_get_element (json, parts, 0));
}

/* @inputs and @outputs are lists of the keys that values have. */
static gboolean
add_layer (SymNet *net, guint node, guint inputs, guint weights, guint outputs, GError **error)
{
  static const char *const own[] = { "name", "type", "inputs", "outputs", "tensors", NULL };
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, node, "name"));
  g_autofree char *type = read_type (json, node);
  SymId call;

  if (name == NULL)
    return sym_json_fail (json, node, error, "a layer needs a 'name', a string");
  call = sym_net_add_call (net, name, type != NULL ? type : name, NULL,
                           sym_net_share_attributes (net, node, own), node);
  sym_net_add_operands (net, call, inputs);
  sym_net_add_operands (net, call, weights);
  sym_net_add_results (net, call, outputs, FALSE);
  return TRUE;
}

static gboolean
add_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);

  return add_layer (net, node, sym_json_get_member (json, node, "inputs"), SYM_JSON_NONE,
                    sym_json_get_member (json, node, "outputs"), error);
}

static gboolean
add_graph (SymNet *net, guint key, guint graph, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);

  if (!sym_net_visit (net, sym_json_get_member (json, graph, "nodes"), add_node, NULL, error))
    return FALSE;
  sym_net_add_outputs (net, sym_json_get_member (json, graph, "outputs"));
  return TRUE;
}

static gboolean
lists_string (const SymJson *json, guint list, const char *text)
{
  for (SymJsonIter i = sym_json_iterate (json, list); sym_json_iter_next (json, &i);)
    if (sym_json_string_equals (json, i.value, text))
      return TRUE;
  return FALSE;
}

/* An array of C has as many names as there are tensors that use its memory. */
static gboolean
add_c_array (SymNet *net, guint key, guint array, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, 0, "inputs");
  guint tensors = sym_json_get_member (json, array, "tensors");
  g_autofree char *c_type = sym_json_dup_string (json, sym_json_get_member (json, array, "c_type"));

  for (SymJsonIter i = sym_json_iterate (json, tensors); sym_json_iter_next (json, &i);)
    {
      guint shape = sym_json_get_member (json, i.value, "shape");
      g_autofree char *name =
          sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      SymType type = sym_type_tensor (c_type == NULL ? SYM_DTYPE_UNKNOWN : parse_dtype (c_type),
                                      sym_net_read_shape (net, shape));

      if (name == NULL)
        return sym_json_fail (json, i.value, error, "a tensor needs a 'name', a string");
      sym_net_declare (net, name, NULL,
                       lists_string (json, inputs, name) ? SYM_ROLE_INPUT : SYM_ROLE_PARAMETER,
                       &type, i.value);
    }
  return TRUE;
}

static gboolean
add_c_layer (SymNet *net, guint key, guint layer, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint tensors = sym_json_get_member (json, layer, "tensors");

  return add_layer (net, layer, sym_json_get_member (json, tensors, "inputs"),
                    sym_json_get_member (json, tensors, "weights"),
                    sym_json_get_member (json, tensors, "outputs"), error);
}

static gboolean
read_all (SymNet *net, GError **error)
{
  const SymJson *json = sym_net_get_json (net);

  if (!is_array (json, 0, "c_layers"))
    return sym_net_visit (net, sym_json_get_member (json, 0, "buffers"), add_buffer, NULL, error) &&
           sym_net_visit (net, sym_json_get_member (json, 0, "graphs"), add_graph, NULL, error);
  if (!sym_net_visit (net, sym_json_get_member (json, 0, "c_arrays"), add_c_array, NULL, error) ||
      !sym_net_visit (net, sym_json_get_member (json, 0, "c_layers"), add_c_layer, NULL, error))
    return FALSE;
  sym_net_add_outputs (net, sym_json_get_member (json, 0, "outputs"));
  return TRUE;
}

static SymModel *
read_info (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "stm32");

  sym_net_expect_all (net);
  return read_all (net, error) ? sym_net_end (g_steal_pointer (&net), error) : NULL;
}

const SymIoFormat sym_stm32_format = {
  .name = "stm32",
  .title = "ST Edge AI network (STM32)",
  .versions = "c_graph 1.2 and c_info 2.0",
  .limits = "shapes are those stored, weights are not read; does not run",
  .suffix = ".json",
  .score = score,
  .read = read_info,
};
