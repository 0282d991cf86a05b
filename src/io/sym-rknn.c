/* SPDX-License-Identifier: MIT */
#include "io/sym-net-tell.h"

#include <string.h>

/* The graph of Rockchip's networks as JSON, which is within *.rknn, too (RKNN-Toolkit 1 and 2):
 * nodes by number, three lists of tensors, and connections between both. */

static int
score (const SymJson *json)
{
  if (sym_json_get_kind (json, sym_json_get_member (json, 0, "nodes")) != SYM_JSON_ARRAY ||
      sym_json_get_member (json, 0, "network_platform") == SYM_JSON_NONE)
    return 0;
  return sym_json_get_kind (json, sym_json_get_member (json, 0, "connection")) == SYM_JSON_ARRAY
             ? 100
             : 60;
}

static guint64
get_number (const SymJson *json, guint object, const char *name)
{
  guint64 number = 0;

  sym_json_get_uint (json, sym_json_get_member (json, object, name), &number);
  return number;
}

/* ---- Tensors ---- */

/* "VSI_NN_TYPE_UINT8", "int8" */
static SymType
read_type (SymNet *net, guint tensor)
{
  const SymJson *json = sym_net_get_json (net);
  guint dtype = sym_json_get_member (json, tensor, "dtype");
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, dtype, "vx_type"));
  const char *plain = name != NULL && g_str_has_prefix (name, "VSI_NN_TYPE_")
                          ? name + strlen ("VSI_NN_TYPE_")
                          : name;

  return sym_type_tensor (sym_net_parse_dtype (plain),
                          sym_net_read_shape (net, sym_json_get_member (json, tensor, "size")));
}

static char *
make_key (const char *list, guint64 number)
{
  return g_strdup_printf ("%s:%" G_GUINT64_FORMAT, list, number);
}

static char *
make_port_key (guint64 node, guint64 port)
{
  return g_strdup_printf ("node %" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, node, port);
}

/* Constants are weights; others are inputs where no node makes them.  A virtual one is what a node
 * gives out. */
static gboolean
add_tensor (SymNet *net, guint key, guint tensor, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  const char *list = user_data;
  SymType type = read_type (net, tensor);
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, tensor, "url"));
  g_autofree char *own = strcmp (list, "virtual_tensor") == 0
                             ? make_port_key (get_number (json, tensor, "node_id"),
                                              get_number (json, tensor, "output_port"))
                             : make_key (list, get_number (json, tensor, "tensor_id"));

  if (!sym_json_expect (json, tensor, SYM_JSON_OBJECT, "a tensor", error))
    return FALSE;
  if (name == NULL || name[0] == '\0')
    {
      g_free (name);
      name = g_strdelimit (g_strdup (own), ": ", '_');
    }
  sym_net_declare (net, own, name,
                   strcmp (list, "const_tensor") == 0 ? SYM_ROLE_PARAMETER : SYM_ROLE_INPUT, &type,
                   tensor);
  return TRUE;
}

/* The tensor, or the port of a node, at the right end of a connection; NULL for neither. */
static char *
dup_right (const SymJson *json, guint connection)
{
  guint tensor = sym_json_get_member (json, connection, "right_tensor");
  guint node = sym_json_get_member (json, connection, "right_node");
  g_autofree char *list = sym_json_dup_string (json, sym_json_get_member (json, tensor, "type"));

  if (list != NULL)
    return make_key (list, get_number (json, tensor, "tensor_id"));
  return node == SYM_JSON_NONE ? NULL
                               : make_port_key (get_number (json, node, "node_id"),
                                                get_number (json, node, "tensor_id"));
}

/* ---- Nodes ---- */

/* A node's connections by the number of the tensor at its side, kept in lists. */
typedef struct {
  GPtrArray *inputs, *outputs; /* of char *: keys, NULL for a gap */
} Ports;

/* Gaps that lists may have, for each connection of the file. */
#define MAX_GAPS 4

typedef struct {
  GPtrArray *ports; /* of Ports, per node */
  guint number;     /* of the node */
  guint64 room;     /* for places in all lists */
} Walk;

static void
free_ports (gpointer data)
{
  Ports *self = data;

  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_free (self);
}

static gboolean
add_connection (SymNet *net, guint key, guint connection, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  Walk *walk = user_data;
  guint64 node = get_number (json, connection, "node_id");
  guint64 port = get_number (json, connection, "left_tensor_id");
  gboolean is_input =
      sym_json_string_equals (json, sym_json_get_member (json, connection, "left"), "input");
  char *right = dup_right (json, connection);
  GPtrArray *list;

  if (node >= walk->ports->len || port >= walk->room || right == NULL)
    {
      sym_net_warn (net, connection, "a connection leads nowhere");
      g_free (right);
      return TRUE;
    }
  list = is_input ? ((Ports *) walk->ports->pdata[node])->inputs
                  : ((Ports *) walk->ports->pdata[node])->outputs;
  if (port >= list->len)
    {
      walk->room -= port + 1 - list->len;
      g_ptr_array_set_size (list, (int) port + 1);
    }
  g_free (list->pdata[port]);
  list->pdata[port] = right;
  return TRUE;
}

/* The members of what `nn` tells of the node: {"conv2d": {"stride": [1, 1]}}. */
static SymAttributes *
read_attributes (SymNet *net, guint node)
{
  const SymJson *json = sym_net_get_json (net);
  SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, node, "nn"));
  gboolean is_one = sym_json_iter_next (json, &i);

  return sym_net_read_attributes (net, is_one ? i.value : SYM_JSON_NONE, NULL);
}

static gboolean
add_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  Walk *walk = user_data;
  guint number = walk->number++;
  const Ports *ports = walk->ports->pdata[number];
  g_autofree char *name = sym_json_dup_string (json, sym_json_get_member (json, node, "lid"));
  g_autofree char *op = sym_json_dup_string (json, sym_json_get_member (json, node, "op"));
  g_autofree char *kind = sym_json_dup_string (json, sym_json_get_member (json, node, "name"));
  const char *type = op != NULL ? op : kind;
  SymId call;

  if (type == NULL)
    return sym_json_fail (json, node, error, "node %u needs an 'op' or a 'name', a string", number);
  if (g_str_has_prefix (type, "VSI_NN_OP_"))
    type += strlen ("VSI_NN_OP_");
  else if (g_str_has_prefix (type, "RKNN_OP_"))
    type += strlen ("RKNN_OP_");
  call = sym_net_add_call (net, name == NULL ? type : name, type, NULL, read_attributes (net, node),
                           node);
  for (guint i = 0; i < ports->inputs->len; i++)
    sym_net_add_operand (net, call, ports->inputs->pdata[i]);
  for (guint i = 0; i < ports->outputs->len; i++)
    {
      g_autofree char *own = make_port_key (number, i);
      const char *told = ports->outputs->pdata[i];

      sym_net_add_result (net, call, told == NULL ? own : told, NULL, NULL);
    }
  if (ports->outputs->len == 0)
    {
      g_autofree char *own = make_port_key (number, 0);

      sym_net_add_result (net, call, own, NULL, NULL);
    }
  return TRUE;
}

/* What the graph gives out, or gets. */
static gboolean
add_border (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *list = sym_json_dup_string (json, sym_json_get_member (json, entry, "right"));
  g_autofree char *name =
      list == NULL ? NULL : make_key (list, get_number (json, entry, "right_tensor_id"));

  if (name != NULL &&
      sym_json_string_equals (json, sym_json_get_member (json, entry, "left"), "output"))
    sym_net_add_output (net, name);
  return TRUE;
}

static gboolean
add_tensors (SymNet *net, GError **error)
{
  static const char *const lists[] = { "const_tensor", "norm_tensor", "virtual_tensor" };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (!sym_net_visit (net, sym_json_get_member (sym_net_get_json (net), 0, lists[i]), add_tensor,
                        (gpointer) lists[i], error))
      return FALSE;
  return TRUE;
}

static SymModel *
read_graph (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = { "name",
                                      "version",
                                      "generator",
                                      "network_platform",
                                      "ori_network_platform",
                                      "target_platform",
                                      "platform",
                                      NULL };
  g_autoptr (SymNet) net = sym_net_new (source, json, "rknn");
  g_autoptr (GPtrArray) ports = g_ptr_array_new_with_free_func (free_ports);
  guint nodes = sym_json_get_member (json, 0, "nodes");
  guint connections = sym_json_get_member (json, 0, "connection");
  guint n = sym_json_count (json, nodes);
  Walk walk = { ports, 0, 64 + MAX_GAPS * (guint64) sym_json_count (json, connections) };

  for (guint i = 0; i < n; i++)
    {
      Ports *own = g_new (Ports, 1);

      own->inputs = g_ptr_array_new_with_free_func (g_free);
      own->outputs = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (ports, own);
    }
  if (!add_tensors (net, error) ||
      !sym_net_visit (net, connections, add_connection, &walk, error) ||
      !sym_net_visit (net, nodes, add_node, &walk, error) ||
      !sym_net_visit (net, sym_json_get_member (json, 0, "graph"), add_border, NULL, error))
    return NULL;
  sym_net_note_origin (net, "rknn", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_rknn_format = {
  .name = "rknn",
  .title = "RKNN graph",
  .versions = "RKNN-Toolkit 1 and 2, as JSON",
  .limits = "not within *.rknn; shapes are those stored, weights are not in it; does not run",
  .suffix = ".json",
  .has_nan = TRUE,
  .score = score,
  .read = read_graph,
  .tell = sym_net_tell,
};
