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

  if (key != NULL)
    sym_net_declare (net, key, NULL, is_constant ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT, &type,
                     tensor);
  sym_net_add_operand (net, call, key);
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

static gboolean
add_operation (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
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

  if (!sym_net_visit (net, sym_json_get_member (json, 0, "graph"), add_operation, NULL, error) ||
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
