/* SPDX-License-Identifier: MIT */
#include "io/sym-execution-trace-private.h"
#include "io/sym-net-tell.h"

#include <string.h>

/* Execution traces: PyTorch's (ExecutionTraceObserver, schemas 1.0 to 1.1) and those that Chakra
 * makes of them.  What ran is a tree of calls, told by "parent" or "ctrl_deps", and data flows
 * between them by the numbers of tensors; Chakra tells the calls whose data a call needs
 * ("data_deps").  What Chakra's own tool writes (chakra_jsonizer) is several documents: the trace's
 * metadata, then each node as protocol buffers have it, without what is 0; others put these nodes
 * in one list. */

#define MAX_NESTING 16

/* Where a trace begins, nodes need nothing: so many are asked. */
#define MAX_ASKED 16

/* A member by the names that writers have for it. */
static guint
get_any (const SymJson *json, guint object, const char *const *names)
{
  guint found = SYM_JSON_NONE;

  for (guint i = 0; names[i] != NULL && found == SYM_JSON_NONE; i++)
    found = sym_json_get_member (json, object, names[i]);
  return found;
}

static const char *const list_names[] = { "nodes", "workload_graph", "node", NULL };
static const char *const id_names[] = { "id", "Id", NULL };
static const char *const name_names[] = { "name", "Name", NULL };
static const char *const type_names[] = { "type", "Type", "NodeType", NULL };
static const char *const control_names[] = { "ctrl_deps", "ctrlDeps", NULL };
static const char *const data_names[] = { "data_deps", "dataDeps", NULL };

static guint
get_nodes (const SymJson *json)
{
  return sym_json_get_kind (json, 0) == SYM_JSON_ARRAY ? 0 : get_any (json, 0, list_names);
}

/* COMP_NODE, COMM_COLL_NODE and others. */
static gboolean
is_protobuf_node (const SymJson *json, guint node)
{
  g_autofree char *type = sym_json_dup_string (json, get_any (json, node, type_names));

  return type != NULL && g_str_has_suffix (type, "_NODE");
}

/* What comes before the nodes, and is empty where it would tell nothing. */
static gboolean
is_metadata (const SymJson *json, guint value)
{
  return sym_json_get_member (json, value, "version") != SYM_JSON_NONE ||
         sym_json_count (json, value) == 0;
}

/* NULL when it has none. */
static char *
dup_id (const SymJson *json, guint node)
{
  guint id = get_any (json, node, id_names);

  return id == SYM_JSON_NONE && is_protobuf_node (json, node) ? g_strdup ("0")
                                                              : sym_net_dup_key (json, id);
}

static gboolean
has_dependencies (const SymJson *json, guint nodes)
{
  SymJsonIter i = sym_json_iterate (json, nodes);

  for (guint n = 0; n < MAX_ASKED && sym_json_iter_next (json, &i); n++)
    if (get_any (json, i.value, control_names) != SYM_JSON_NONE ||
        get_any (json, i.value, data_names) != SYM_JSON_NONE)
      return TRUE;
  return FALSE;
}

static int
score_documents (const SymJson *json)
{
  guint first = sym_json_get_element (json, 0, 0);

  if (is_metadata (json, first))
    first = sym_json_get_element (json, 0, 1);
  return is_protobuf_node (json, first) ? 90 : 0;
}

static int
score (const SymJson *json)
{
  guint nodes = get_nodes (json);
  guint first = sym_json_get_element (json, nodes, 0);
  gboolean has_schema = sym_json_get_member (json, 0, "schema") != SYM_JSON_NONE;

  if (sym_json_get_kind (json, 0) == SYM_JSON_ARRAY)
    return score_documents (json);
  if (sym_json_get_kind (json, nodes) != SYM_JSON_ARRAY)
    return 0;
  if (is_protobuf_node (json, first))
    return 90;
  if (get_any (json, first, id_names) == SYM_JSON_NONE ||
      get_any (json, first, name_names) == SYM_JSON_NONE)
    return 0;
  if (sym_json_get_member (json, 0, "workload_graph") != SYM_JSON_NONE)
    return 95;
  if (sym_json_get_member (json, first, "rf_id") != SYM_JSON_NONE ||
      get_any (json, first, control_names) != SYM_JSON_NONE)
    return has_schema ? 100 : 90;
  return has_dependencies (json, nodes) ? 80 : 0;
}

/* ---- Nodes by number ---- */

/* What a call is called, and how many are around it. */
typedef struct {
  char *text;
  guint depth;
} Name;

typedef struct {
  GHashTable *tokens;  /* id of a node to its token + 1 */
  GHashTable *names;   /* token of a node to its Name */
  GHashTable *schemas; /* "aten::add(Tensor self)" to the names of the arguments */
} Trace;

static void
free_name (gpointer data)
{
  g_free (((Name *) data)->text);
  g_free (data);
}

static guint
find_node (const SymJson *json, const Trace *trace, guint id)
{
  g_autofree char *key = sym_net_dup_key (json, id);

  return key == NULL ? SYM_JSON_NONE
                     : GPOINTER_TO_UINT (g_hash_table_lookup (trace->tokens, key)) - 1;
}

/* In a tree of calls, the number of the call around this one. */
static guint
get_parent (const SymJson *json, const Trace *trace, guint node)
{
  guint parent = sym_json_get_member (json, node, "parent");
  guint controls = get_any (json, node, control_names);

  if (parent == SYM_JSON_NONE && sym_json_get_kind (json, controls) == SYM_JSON_NUMBER)
    parent = controls;
  return find_node (json, trace, parent);
}

static char *
make_label (const SymJson *json, guint node)
{
  g_autofree char *name = sym_json_dup_string (json, get_any (json, node, name_names));
  g_autofree char *id = dup_id (json, node);

  if (name != NULL)
    g_strdelimit (name, "/", '|');
  return g_strdup_printf ("%s_%s", name == NULL ? "" : name, id == NULL ? "" : id);
}

/* Name of a call in another, or in none. */
static const Name *
add_name (const SymJson *json, Trace *trace, guint node, const Name *around)
{
  g_autofree char *label = make_label (json, node);
  Name *name = g_new (Name, 1);

  name->depth = around == NULL ? 1 : around->depth + 1;
  name->text = around == NULL ? g_strdup (label) : g_strconcat (around->text, "/", label, NULL);
  g_hash_table_insert (trace->names, GUINT_TO_POINTER (node), name);
  return name;
}

/* The calls around the node and itself, "a_1/b_7/c_9", so that they make groups.  What lies too
 * deep, or within itself, begins anew. */
static const char *
get_name (const SymJson *json, Trace *trace, guint node)
{
  guint chain[MAX_NESTING];
  guint n = 0;
  const Name *name = NULL;

  for (guint at = node; at != SYM_JSON_NONE && n < MAX_NESTING;)
    {
      guint parent;

      name = g_hash_table_lookup (trace->names, GUINT_TO_POINTER (at));
      if (name != NULL)
        break;
      parent = get_parent (json, trace, at);
      chain[n++] = at;
      at = parent == at ? SYM_JSON_NONE : parent;
    }
  while (n-- > 0)
    name =
        add_name (json, trace, chain[n], name != NULL && name->depth >= MAX_NESTING ? NULL : name);
  return name == NULL ? "" : name->text;
}

/* ---- Tensors ---- */

/* [tensor, storage, offset, elements, bytes of one, device]; some have more */
static char *
dup_tensor_key (const SymJson *json, guint value)
{
  g_autofree char *number = sym_net_dup_key (json, sym_json_get_element (json, value, 0));

  return number == NULL || sym_json_get_kind (json, value) != SYM_JSON_ARRAY
             ? NULL
             : g_strconcat ("tensor ", number, NULL);
}

/* "Tensor(long int)" */
static SymType
read_type (SymNet *net, const char *type, guint shape)
{
  const char *start = strchr (type, '(');
  g_autofree char *dtype = start == NULL ? NULL : g_strndup (start + 1, strcspn (start + 1, ")"));

  return sym_type_tensor (sym_net_parse_dtype (dtype), sym_net_read_shape (net, shape));
}

static void
pass_tensor (SymNet *net,
             SymId call,
             guint value,
             const char *type,
             guint shape,
             gboolean is_result)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *key = dup_tensor_key (json, value);
  SymType known = read_type (net, type, shape);

  if (key == NULL)
    return;
  if (is_result)
    sym_net_add_result (net, call, key, NULL, &known);
  else
    {
      sym_net_declare (net, key, NULL, SYM_ROLE_INPUT, &known, value);
      sym_net_add_operand (net, call, key);
    }
}

/* The first of the lists that Chakra writes as Python shows them: shapes "[[1, 2], []]", types
 * "['Tensor(float)', 'Int']". */
static gboolean
read_written_type (SymNet *net, guint shapes, guint types, SymType *type)
{
  g_autofree char *shown_shapes = sym_json_dup_string (sym_net_get_json (net), shapes);
  g_autofree char *shown_types = sym_json_dup_string (sym_net_get_json (net), types);
  g_autofree char *shape = NULL;
  g_autofree char *dtype = NULL;

  if (shown_shapes == NULL || !g_str_has_prefix (shown_shapes, "[[") || shown_types == NULL ||
      strlen (shown_types) < 2 || !g_str_has_prefix (shown_types + 2, "Tensor("))
    return FALSE;
  shape = g_strndup (shown_shapes + 2, strcspn (shown_shapes + 2, "[]"));
  dtype = g_strndup (shown_types + 9, strcspn (shown_types + 9, ")"));
  *type = sym_type_tensor (sym_net_parse_dtype (dtype), sym_net_parse_shape (net, shape, ", "));
  return TRUE;
}

/* "GenericList[Tensor(float),Tensor(float)]": all of them are taken for what the first one is. */
static void
pass_list (SymNet *net,
           SymId call,
           guint value,
           const char *types,
           guint shapes,
           gboolean is_result)
{
  const SymJson *json = sym_net_get_json (net);
  const char *first = strstr (types, "Tensor(");
  SymJsonIter shape = sym_json_iterate (json, shapes);

  for (SymJsonIter i = sym_json_iterate (json, value); sym_json_iter_next (json, &i);)
    {
      guint own = sym_json_iter_next (json, &shape) ? shape.value : SYM_JSON_NONE;

      pass_tensor (net, call, i.value, first, own, is_result);
    }
}

/* TRUE when it is a tensor, or several. */
static gboolean
pass (SymNet *net, SymId call, guint value, guint type, guint shape, gboolean is_result)
{
  g_autofree char *name = sym_json_dup_string (sym_net_get_json (net), type);

  if (name == NULL || strstr (name, "Tensor(") == NULL)
    return FALSE;
  if (g_str_has_prefix (name, "Tensor("))
    pass_tensor (net, call, value, name, shape, is_result);
  else
    pass_list (net, call, value, name, shape, is_result);
  return TRUE;
}

static guint
step (const SymJson *json, SymJsonIter *iter)
{
  return sym_json_iter_next (json, iter) ? iter->value : SYM_JSON_NONE;
}

static void
pass_all (SymNet *net, SymId call, guint node, gboolean is_result)
{
  const SymJson *json = sym_net_get_json (net);
  SymTracePassed passed = sym_execution_trace_get_passed (json, node, is_result);
  SymJsonIter types = sym_json_iterate (json, passed.types);
  SymJsonIter shapes = sym_json_iterate (json, passed.shapes);

  for (SymJsonIter i = sym_json_iterate (json, passed.values); sym_json_iter_next (json, &i);)
    {
      guint type = step (json, &types), shape = step (json, &shapes);

      pass (net, call, i.value, type, shape, is_result);
    }
}

/* ---- Calls ---- */

static void
add_dependencies (SymNet *net, SymId call, const Trace *trace, guint node)
{
  const SymJson *json = sym_net_get_json (net);
  guint controls = get_any (json, node, control_names);
  guint data = get_any (json, node, data_names);

  for (SymJsonIter i = sym_json_iterate (json, data); sym_json_iter_next (json, &i);)
    {
      g_autofree char *id = sym_net_dup_key (json, i.value);

      if (id != NULL)
        sym_net_add_operand (net, call, id);
    }
  for (SymJsonIter i = sym_json_iterate (json, controls); sym_json_iter_next (json, &i);)
    {
      g_autofree char *id = sym_net_dup_key (json, i.value);

      if (find_node (json, trace, i.value) != SYM_JSON_NONE)
        sym_net_add_control (net, call, id);
    }
}

/* What Chakra tells only as text gives one result. */
static void
add_written_result (SymNet *net, SymId call, guint node)
{
  SymTracePassed results = sym_execution_trace_get_passed (sym_net_get_json (net), node, TRUE);
  SymType type;
  gboolean is_known = read_written_type (net, results.shapes, results.types, &type);

  sym_net_add_result (net, call, NULL, NULL, is_known ? &type : NULL);
}

/* "aten::linear" is of that type; "## forward ##" and names of modules are told as they are. */
static gboolean
add_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  Trace *trace = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *type = sym_json_dup_string (json, get_any (json, node, name_names));
  g_autofree char *id = dup_id (json, node);
  SymId call;

  if (type == NULL && id == NULL && is_metadata (json, node))
    return TRUE;
  if (type == NULL || id == NULL)
    return sym_json_fail (json, node, error, "a node of the trace needs 'id' and 'name'");

  call = sym_net_add_call (net, get_name (json, trace, node), type, NULL,
                           sym_execution_trace_read_attributes (net, trace->schemas, node), node);
  add_dependencies (net, call, trace, node);
  pass_all (net, call, node, FALSE);
  pass_all (net, call, node, TRUE);
  if (sym_net_count_results (net, call) == 0)
    add_written_result (net, call, node);
  sym_net_add_alias (net, id, call);
  return TRUE;
}

SymModel *
sym_execution_trace_read (SymJson *json,
                          const SymIoSource *source,
                          const char *format,
                          GError **error)
{
  static const char *const told[] = {
    "schema",           "pid",           "time",  "start_ts", "finish_ts",
    "metadata.version", "workload_name", "ngpus", "soc",      NULL
  };
  g_autoptr (SymNet) net = sym_net_new (source, json, format);
  g_autoptr (GHashTable) tokens = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, free_name);
  g_autoptr (GHashTable) schemas =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_strfreev);
  guint nodes = get_nodes (json);
  Trace trace = { tokens, names, schemas };

  for (SymJsonIter i = sym_json_iterate (json, nodes); sym_json_iter_next (json, &i);)
    {
      char *id = dup_id (json, i.value);

      if (id != NULL)
        g_hash_table_insert (tokens, id, GUINT_TO_POINTER (i.value + 1));
    }
  if (!sym_net_visit (net, nodes, add_node, &trace, error))
    return NULL;
  sym_net_note_origin (net, format, told);
  return sym_net_end (g_steal_pointer (&net), error);
}

static SymModel *
read_trace (SymJson *json, const SymIoSource *source, GError **error)
{
  return sym_execution_trace_read (json, source, "execution-trace", error);
}

const SymIoFormat sym_execution_trace_format = {
  .name = "execution-trace",
  .title = "PyTorch or Chakra execution trace",
  .versions = "1.0 to 1.1",
  .limits = "a record without numbers; does not run",
  .suffix = ".json",
  .has_nan = TRUE,
  .score = score,
  .read = read_trace,
  .tell = sym_net_tell,
};
