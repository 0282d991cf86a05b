/* SPDX-License-Identifier: MIT */
#include "io/sym-net-tell.h"

#include "ops/sym-op.h"

/* oneDNN's graph API, as its library dumps partitions and as benchdnn reads them (oneDNN 3):
 * operations that name their logical tensors by number and tell type and shape of each. */

static int
score (const SymJson *json)
{
  guint graph = sym_json_get_member (json, 0, "graph");

  if (sym_json_get_kind (json, graph) != SYM_JSON_ARRAY ||
      sym_json_get_member (json, 0, "engine_kind") == SYM_JSON_NONE)
    return 0;
  return sym_json_get_member (json, 0, "fpmath_mode") != SYM_JSON_NONE ? 100 : 80;
}

/* {"strides": {"type": "s64[]", "value": [1, 1]}} */
static SymAttributes *
read_attributes (SymNet *net, guint object)
{
  const SymJson *json = sym_net_get_json (net);
  SymAttributes *attributes = sym_attributes_new ();

  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      guint value = sym_json_get_member (json, i.value, "value");

      if (name != NULL)
        sym_net_set_attribute (net, attributes, name, value == SYM_JSON_NONE ? i.value : value);
    }
  return attributes;
}

/* [DNNL_GRAPH_UNKNOWN_DIM] alone is what oneDNN has of a tensor that it knows nothing of. */
static guint
get_shape (const SymJson *json, guint tensor)
{
  guint shape = sym_json_get_member (json, tensor, "shape");
  gint64 size;

  return sym_json_count (json, shape) == 1 &&
                 sym_json_get_int (json, sym_json_get_element (json, shape, 0), &size) &&
                 size == G_MININT64
             ? SYM_JSON_NONE
             : shape;
}

static SymType
read_type (SymNet *net, guint tensor)
{
  const SymJson *json = sym_net_get_json (net);

  return sym_net_read_type (net, sym_json_get_member (json, tensor, "dtype"),
                            get_shape (json, tensor));
}

/* A tensor is told by whoever uses it, too.  Constant ones that come from outside are weights. */
static void
add_operand (SymNet *net, SymId call, guint tensor)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *key = sym_net_dup_key (json, sym_json_get_member (json, tensor, "id"));
  SymType type = read_type (net, tensor);
  gboolean is_constant = sym_json_string_equals (
      json, sym_json_get_member (json, tensor, "property_type"), "constant");

  if (key == NULL)
    sym_net_add_operand (net, call, NULL);
  else
    sym_net_add_told_operand (net, call, key, is_constant ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT,
                              &type, tensor);
}

static void
add_result (SymNet *net, SymId call, guint tensor)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *key = sym_net_dup_key (json, sym_json_get_member (json, tensor, "id"));
  SymType type = read_type (net, tensor);

  sym_net_add_result (net, call, key, NULL, &type);
}

/* A dtype of the result that is not that of the first operand is nowhere else. */
static void
note_dtype (SymNet *net, SymAttributes *attributes, guint inputs, guint outputs)
{
  const SymJson *json = sym_net_get_json (net);
  SymDType given = read_type (net, sym_json_get_element (json, inputs, 0)).dtype;
  SymDType made = read_type (net, sym_json_get_element (json, outputs, 0)).dtype;

  if (made != SYM_DTYPE_UNKNOWN && made != given)
    sym_attributes_set (attributes, "output_dtype", sym_value_new_dtype (made), NULL);
}

/* ---- Weights in groups ---- */

/* Operations between weights and what uses them; the first ones have scales. */
static const char *const between[] = { "Quantize",          "Dequantize", "DynamicQuantize",
                                       "DynamicDequantize", "TypeCast",   "Reorder" };

#define N_WITH_SCALES 4

static gboolean
is_between (const SymJson *json, guint entry, guint n)
{
  guint kind = sym_json_get_member (json, entry, "kind");

  for (guint i = 0; i < n; i++)
    if (sym_json_string_equals (json, kind, between[i]))
      return TRUE;
  return FALSE;
}

static guint
get_attribute (const SymJson *json, guint entry, const char *name)
{
  guint attributes = sym_json_get_member (json, entry, "attrs");

  return sym_json_get_member (json, sym_json_get_member (json, attributes, name), "value");
}

/* The groups of a ConvTranspose whose weights are [inputs, outputs of a group, ...]; else 1. */
static guint
get_groups (const SymJson *json, guint entry)
{
  gint64 groups = 1;

  if (!sym_json_string_equals (json, sym_json_get_member (json, entry, "kind"), "ConvTranspose") ||
      !sym_json_string_equals (json, get_attribute (json, entry, "weights_format"), "IOX") ||
      !sym_json_get_int (json, get_attribute (json, entry, "groups"), &groups))
    return 1;
  return (guint) CLAMP (groups, 1, G_MAXINT32);
}

/* Operations by the numbers of their results. */
static GHashTable *
list_makers (const SymJson *json, guint graph)
{
  GHashTable *makers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (SymJsonIter i = sym_json_iterate (json, graph); sym_json_iter_next (json, &i);)
    {
      guint tensor = sym_json_get_element (json, sym_json_get_member (json, i.value, "outputs"), 0);
      char *key = sym_net_dup_key (json, sym_json_get_member (json, tensor, "id"));

      if (key != NULL)
        g_hash_table_insert (makers, key, GUINT_TO_POINTER (i.value));
    }
  return makers;
}

/* What makes operand @i of an operation; 0 for nothing. */
static guint
find_maker (const SymJson *json, GHashTable *makers, guint entry, guint i)
{
  guint tensor = sym_json_get_element (json, sym_json_get_member (json, entry, "inputs"), i);
  g_autofree char *key = sym_net_dup_key (json, sym_json_get_member (json, tensor, "id"));

  return key == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (makers, key));
}

/* The operations that make weights of a ConvTranspose in groups, with the number of these: they
 * have scales for the outputs of all groups, and weights along axis 1 those of one. */
static GHashTable *
find_groups (const SymJson *json, guint graph)
{
  GHashTable *groups = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) makers = NULL;

  for (SymJsonIter i = sym_json_iterate (json, graph); sym_json_iter_next (json, &i);)
    {
      guint n = get_groups (json, i.value), maker;

      if (n < 2)
        continue;
      if (makers == NULL)
        makers = list_makers (json, graph);
      maker = find_maker (json, makers, i.value, 1);
      while (maker != 0 && is_between (json, maker, G_N_ELEMENTS (between)) &&
             g_hash_table_insert (groups, GUINT_TO_POINTER (maker), GUINT_TO_POINTER (n)))
        maker = find_maker (json, makers, maker, 0);
    }
  return groups;
}

static void
note_groups (SymNet *net, SymAttributes *attributes, guint entry, GHashTable *groups)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (groups, GUINT_TO_POINTER (entry)));

  if (n > 1 && is_between (sym_net_get_json (net), entry, N_WITH_SCALES))
    sym_attributes_set (attributes, "groups", sym_value_new_int (n), NULL);
}

/* ---- Operations ---- */

static gboolean
add_operation (SymNet *net, guint key, guint entry, gpointer groups, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, entry, "inputs");
  guint outputs = sym_json_get_member (json, entry, "outputs");
  g_autofree char *kind = sym_json_dup_string (json, sym_json_get_member (json, entry, "kind"));
  g_autofree char *id = sym_net_dup_key (json, sym_json_get_member (json, entry, "id"));
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, entry, "name"));
  g_autofree char *made_up = g_strdup_printf ("%s_%s", kind, id == NULL ? "" : id);
  SymAttributes *attributes;
  SymId call;

  if (kind == NULL)
    return sym_json_fail (json, entry, error, "an operation of 'graph' needs a 'kind', a string");

  attributes = read_attributes (net, sym_json_get_member (json, entry, "attrs"));
  note_dtype (net, attributes, inputs, outputs);
  note_groups (net, attributes, entry, groups);
  call = sym_net_add_call (net, name == NULL || name[0] == '\0' ? made_up : name, kind,
                           sym_op_find ("onednn", kind, 0), attributes, entry);
  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    add_operand (net, call, i.value);
  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    add_result (net, call, i.value);
  return TRUE;
}

static gboolean
add_output (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  g_autofree char *name = sym_net_dup_key (sym_net_get_json (net), entry);

  if (name == NULL)
    return sym_json_fail (sym_net_get_json (net), entry, error,
                          "an output port must be the number of a tensor");
  sym_net_add_output (net, name);
  return TRUE;
}

static SymModel *
read_graph (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = { "version", "engine_kind", "fpmath_mode", NULL };
  g_autoptr (SymNet) net = sym_net_new (source, json, "onednn");
  guint graph = sym_json_get_member (json, 0, "graph");
  g_autoptr (GHashTable) groups = find_groups (json, graph);

  if (!sym_net_visit (net, graph, add_operation, groups, error) ||
      !sym_net_visit (net, sym_json_get_member (json, 0, "output_ports"), add_output, NULL, error))
    return NULL;
  sym_net_note_origin (net, "onednn", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_onednn_format = {
  .name = "onednn",
  .title = "oneDNN graph",
  .versions = "3.x",
  .limits = "weights are not in the file: runs with made-up ones",
  .suffix = ".json",
  .score = score,
  .read = read_graph,
  .tell = sym_net_tell,
};
