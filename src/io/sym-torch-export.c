/* SPDX-License-Identifier: MIT */
#include "io/sym-torch-export-private.h"
#include "io/sym-net-tell.h"

#include <string.h>

/* torch.export's programs as JSON (ExportedProgram, schemas 1 to 8): model.json, the older
 * serialized_exported_program.json, and both within .pt2 archives.  Arguments and results are
 * objects of one member that says what they are: {"as_tensor": {"name": "relu"}}, {"as_ints": [1,
 * 1]}. */

#define MAX_DEPTH 16

static int
score (const SymJson *json)
{
  guint module = sym_json_get_member (json, 0, "graph_module");
  guint graph = sym_json_get_member (json, module, "graph");

  if (sym_json_get_kind (json, sym_json_get_member (json, graph, "nodes")) != SYM_JSON_ARRAY)
    return 0;
  return sym_json_get_member (json, 0, "schema_version") != SYM_JSON_NONE ? 100 : 80;
}

/* ---- Types ---- */

static SymType
read_type (SymNet *net, guint meta)
{
  return sym_torch_export_read_type (sym_net_get_json (net), meta,
                                     sym_model_builder_get_terms (sym_net_get_builder (net)));
}

/* Tells the types of all tensors of the graph, by their names. */
static void
declare_tensors (SymNet *net, guint graph)
{
  const SymJson *json = sym_net_get_json (net);
  guint tensors = sym_json_get_member (json, graph, "tensor_values");
  guint numbers = sym_json_get_member (json, graph, "sym_int_values");

  for (SymJsonIter i = sym_json_iterate (json, tensors); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      guint meta = sym_json_get_member (json, i.value, "meta_val"); /* of the oldest schemas */
      SymType type = read_type (net, meta == SYM_JSON_NONE ? i.value : meta);

      if (name != NULL)
        sym_net_declare (net, name, NULL, SYM_ROLE_INTERMEDIATE, &type, i.value);
    }
  for (SymJsonIter i = sym_json_iterate (json, numbers); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      SymType type = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE ());

      if (name != NULL)
        sym_net_declare (net, name, NULL, SYM_ROLE_INTERMEDIATE, &type, i.value);
    }
}

/* Symbols of the inputs, which may be any size of a range; "u0" is what a layer finds out. */
static void
keep_symbols (SymNet *net)
{
  const SymJson *json = sym_net_get_json (net);
  guint ranges = sym_json_get_member (json, 0, "range_constraints");

  for (SymJsonIter i = sym_json_iterate (json, ranges); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = i.key == SYM_JSON_NONE ? NULL : sym_json_dup_string (json, i.key);
      gint64 least, most;

      if (name != NULL && *name == 's' &&
          !(sym_json_get_int (json, sym_json_get_member (json, i.value, "min_val"), &least) &&
            sym_json_get_int (json, sym_json_get_member (json, i.value, "max_val"), &most) &&
            least >= most))
        sym_terms_keep_any (sym_model_builder_get_terms (sym_net_get_builder (net)), name);
    }
}

/* ---- Inputs ---- */

typedef struct {
  const SymIoSource *source;
  SymTorchWeights *weights;
  GHashTable *specs; /* name of an input to the token of its specification + 1 */
  guint depth;
} Walk;

/* {"parameter": {"arg": {"name": ...}, "parameter_name": ...}}, {"user_input": {"arg":
 * {"as_tensor":
 * {"name": ...}}}} */
static void
list_specs (const SymJson *json, guint specs, GHashTable *table)
{
  for (SymJsonIter i = sym_json_iterate (json, specs); sym_json_iter_next (json, &i);)
    {
      guint value = SYM_JSON_NONE;
      g_autofree char *kind = sym_torch_export_dup_kind (json, i.value, &value);
      g_autofree char *name =
          kind == NULL
              ? NULL
              : sym_torch_export_dup_item_name (json, sym_json_get_member (json, value, "arg"));

      if (name != NULL)
        g_hash_table_insert (table, g_steal_pointer (&name), GUINT_TO_POINTER (i.value + 1));
    }
}

typedef struct {
  SymRole role;
  gboolean is_trained;
  char *name; /* conv1.weight; NULL for what the graph calls it */
} Spec;

static Spec
read_spec (const SymJson *json, guint token)
{
  static const struct {
    const char *kind, *name;
    SymRole role;
  } table[] = {
    { "parameter", "parameter_name", SYM_ROLE_PARAMETER },
    { "buffer", "buffer_name", SYM_ROLE_AUXILIARY },
    { "tensor_constant", "tensor_constant_name", SYM_ROLE_CONSTANT },
  };
  Spec spec = { SYM_ROLE_INPUT, FALSE, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      guint value = sym_json_get_member (json, token, table[i].kind);

      if (value == SYM_JSON_NONE)
        continue;
      spec.role = table[i].role;
      spec.name = sym_json_dup_string (json, sym_json_get_member (json, value, table[i].name));
    }
  spec.is_trained = spec.role == SYM_ROLE_PARAMETER;
  return spec;
}

/* The numbers of what the graph calls @key, if there are any that fit; else why there are none. */
static SymTensor *
find_numbers (SymNet *net,
              const Walk *walk,
              const char *key,
              const Spec *spec,
              guint token,
              char **lack)
{
  SymType declared = sym_net_get_declared_type (net, key);
  SymTensor *tensor;

  if (spec->name == NULL || walk->weights == NULL)
    return NULL;
  tensor = sym_torch_weights_find (walk->weights, spec->name);
  if (tensor != NULL && sym_tensor_fits (tensor, &declared))
    return tensor;
  if (tensor == NULL)
    {
      *lack = g_strdup (sym_torch_weights_get_lack (walk->weights, spec->name));
      return NULL;
    }
  *lack = g_strdup_printf ("'%s' has another shape or dtype in the weights than in the graph",
                           spec->name);
  sym_net_warn_of_lack (net, token, "%s", *lack);
  return NULL;
}

static void
give_numbers (SymNet *net,
              const Walk *walk,
              const char *key,
              SymId value,
              const Spec *spec,
              guint token)
{
  SymModelBuilder *builder = sym_net_get_builder (net);
  g_autofree char *lack = NULL;
  SymTensor *tensor = find_numbers (net, walk, key, spec, token, &lack);

  sym_model_builder_set_lack (builder, value, lack);
  if (tensor == NULL)
    return;
  if (spec->role == SYM_ROLE_CONSTANT)
    sym_model_builder_set_tensor (builder, value, sym_tensor_ref (tensor));
  else
    sym_model_builder_set_parameter (builder, value, sym_parameter_new (spec->is_trained, tensor));
}

static gboolean
add_input (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  const Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  guint inside = SYM_JSON_NONE;
  g_autofree char *kind = sym_torch_export_dup_kind (json, entry, &inside);
  g_autofree char *name = kind == NULL ? NULL : sym_torch_export_dup_name (json, inside);
  guint token = name == NULL || walk->specs == NULL
                    ? 0
                    : GPOINTER_TO_UINT (g_hash_table_lookup (walk->specs, name));
  Spec spec = { SYM_ROLE_INPUT, FALSE, NULL };
  SymId value;

  if (name == NULL) /* a constant that was passed: nothing to be fed */
    return TRUE;
  if (token != 0)
    spec = read_spec (json, token - 1);
  value = sym_net_add_declared (net, name, spec.name, spec.role, entry);
  sym_model_builder_set_variable (sym_net_get_builder (net), value, name);
  give_numbers (net, walk, name, value, &spec, entry);
  g_free (spec.name);
  return TRUE;
}

/* ---- Bodies ---- */

static SymModel *
read_graph_at (SymNet *around, const Walk *walk, guint graph, GPtrArray *captures, GError **error);

/* What only sets a mode that has no effect on the numbers of its body: wrap_with_set_grad_enabled
 * (enabled, body, ...), and wrap_with_autocast (device, dtype, enabled, cache, body, ...) unless it
 * is enabled, and so may change dtypes. */
static gboolean
is_wrapper (const SymJson *json, guint node, const char *type)
{
  guint enabled = sym_json_get_element (json, sym_json_get_member (json, node, "inputs"), 2);
  guint argument = sym_json_get_member (json, enabled, "arg");
  gboolean is_enabled = TRUE;

  if (strcmp (type, "higher_order.wrap_with_set_grad_enabled") == 0)
    return TRUE;
  return strcmp (type, "higher_order.wrap_with_autocast") == 0 &&
         sym_json_get_bool (json, sym_json_get_member (json, argument, "as_bool"), &is_enabled) &&
         !is_enabled;
}

static gboolean
add_body (SymNet *net,
          const Walk *walk,
          guint value,
          gboolean runs,
          SymLayer *layer,
          GPtrArray *captures,
          GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_torch_export_dup_name (json, value);
  guint before = captures->len;
  g_autoptr (SymModel) body = NULL;

  if (walk->depth >= MAX_DEPTH)
    {
      sym_net_warn (net, value, "graphs are nested deeper than %d", MAX_DEPTH);
      return TRUE;
    }
  body = read_graph_at (net, walk, sym_json_get_member (json, value, "graph"), captures, error);
  if (body == NULL)
    return FALSE;
  sym_layer_add_body (layer, name == NULL ? "body" : name, body, runs);
  sym_layer_set_body_captures (layer, sym_layer_get_n_bodies (layer) - 1, captures->len - before);
  return TRUE;
}

/* ---- Nodes ---- */

/* "torch.ops.aten.add.Tensor" is aten.add.Tensor, of "default" the last part says nothing. */
static char *
make_type (const char *target)
{
  static const char prefix[] = "torch.ops.";
  gsize n;

  if (g_str_has_prefix (target, prefix))
    target += strlen (prefix);
  n = strlen (target);
  return g_str_has_suffix (target, ".default") ? g_strndup (target, n - strlen (".default"))
                                               : g_strdup (target);
}

/* The path of the innermost module by "key,path,type;key,path,type", with slashes: layer1/0/conv1.
 */
static char *
make_scope (const SymJson *json, guint node)
{
  guint metadata = sym_json_get_member (json, node, "metadata");
  g_autofree char *stack =
      sym_json_dup_string (json, sym_json_get_member (json, metadata, "nn_module_stack"));
  const char *last = stack == NULL ? NULL : strrchr (stack, ';');
  g_auto (GStrv) parts = NULL;

  if (stack == NULL)
    return g_strdup ("");
  parts = g_strsplit (last == NULL ? stack : last + 1, ",", 3);
  if (g_strv_length (parts) < 2 || parts[1][0] == '\0')
    return g_strdup ("");
  g_strdelimit (parts[1], ".", '/');
  return g_strconcat (parts[1], "/", NULL);
}

static gboolean
is_unused (const char *name)
{
  return name == NULL || strstr (name, "_unused_") != NULL;
}

static void
add_result (SymNet *net, SymId call, guint value, const char *scope)
{
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_torch_export_dup_item_name (json, value);
  g_autofree char *full = name == NULL ? NULL : g_strconcat (scope, name, NULL);
  SymId result = sym_net_add_result (net, call, name, full, NULL);

  if (name != NULL)
    sym_model_builder_set_variable (sym_net_get_builder (net), result, name);
}

/* The tokens of all results, those of lists one by one. */
static GArray *
list_results (const SymJson *json, guint outputs)
{
  GArray *results = g_array_new (FALSE, FALSE, sizeof (guint));

  for (SymJsonIter i = sym_json_iterate (json, outputs); sym_json_iter_next (json, &i);)
    {
      guint value = SYM_JSON_NONE;
      g_autofree char *kind = sym_torch_export_dup_kind (json, i.value, &value);
      gboolean is_list = kind != NULL && sym_torch_export_is_list (kind);

      if (!is_list)
        g_array_append_val (results, value);
      for (SymJsonIter j = sym_json_iterate (json, is_list ? value : SYM_JSON_NONE);
           sym_json_iter_next (json, &j);)
        g_array_append_val (results, j.value);
    }
  return results;
}

/* What the exporter made a name for because nothing uses it is not shown, unless one behind it is.
 */
static void
add_results (SymNet *net, SymId call, guint outputs, const char *scope)
{
  const SymJson *json = sym_net_get_json (net);
  g_autoptr (GArray) results = list_results (json, outputs);
  guint n = results->len;

  for (; n > 1; n--)
    {
      g_autofree char *last =
          sym_torch_export_dup_item_name (json, g_array_index (results, guint, n - 1));

      if (!is_unused (last))
        break;
    }
  for (guint i = 0; i < n; i++)
    add_result (net, call, g_array_index (results, guint, i), scope);
  if (n == 0)
    sym_net_add_result (net, call, NULL, NULL, NULL);
}

static char *
dup_first_output (const SymJson *json, guint node)
{
  guint value = SYM_JSON_NONE;
  guint first = sym_json_get_element (json, sym_json_get_member (json, node, "outputs"), 0);
  g_autofree char *own = sym_json_dup_string (json, sym_json_get_member (json, node, "name"));
  g_autofree char *kind = NULL;

  if (own != NULL)
    return g_steal_pointer (&own);
  kind = sym_torch_export_dup_kind (json, first, &value);
  if (kind != NULL && sym_torch_export_is_list (kind))
    value = sym_json_get_element (json, value, 0);
  return kind == NULL ? NULL : sym_torch_export_dup_item_name (json, value);
}

/* Arguments that are graphs are bodies. */
static gboolean
add_bodies (SymNet *net,
            const Walk *walk,
            guint node,
            SymLayer *layer,
            GPtrArray *captures,
            GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint inputs = sym_json_get_member (json, node, "inputs");

  for (SymJsonIter i = sym_json_iterate (json, inputs); sym_json_iter_next (json, &i);)
    {
      guint argument = sym_json_get_member (json, i.value, "arg");
      guint graph = sym_json_get_member (json, argument, "as_graph");

      if (graph != SYM_JSON_NONE &&
          !add_body (net, walk, graph, is_wrapper (json, node, sym_layer_get_type (layer)), layer,
                     captures, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_node (SymNet *net, guint key, guint node, gpointer user_data, GError **error)
{
  const Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *target = sym_json_dup_string (json, sym_json_get_member (json, node, "target"));
  g_autofree char *scope = make_scope (json, node);
  g_autofree char *own = dup_first_output (json, node);
  g_autofree char *type = NULL, *name = NULL;
  g_autoptr (GPtrArray) captures = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) operands = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymValue) arguments = NULL;
  g_autoptr (SymLayer) layer = NULL;
  const SymOperator *op;
  SymId call;

  if (target == NULL)
    return sym_json_fail (json, node, error, "a node needs a 'target', a string");

  type = make_type (target);
  name = g_strconcat (scope, own == NULL ? type : own, NULL);
  op = sym_op_find ("torch.export", type, 0);
  arguments = sym_torch_export_use_arguments (json, sym_json_get_member (json, node, "inputs"), op,
                                              attributes, operands);
  layer = sym_layer_new (type, op, attributes);
  sym_layer_set_name (layer, name);
  if (!add_bodies (net, walk, node, layer, captures, error))
    return FALSE;

  call = sym_net_add_layer (net, name, layer, node);
  for (guint i = 0; i < operands->len; i++)
    sym_net_add_operand (net, call, g_ptr_array_index (operands, i));
  sym_model_builder_set_arguments (sym_net_get_builder (net), call, g_steal_pointer (&arguments));
  for (guint i = 0; i < captures->len; i++)
    sym_net_add_operand (net, call, g_ptr_array_index (captures, i));
  add_results (net, call, sym_json_get_member (json, node, "outputs"), scope);
  return TRUE;
}

/* ---- Graphs ---- */

static gboolean
add_output (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  const SymJson *json = sym_net_get_json (net);
  guint value = SYM_JSON_NONE;
  g_autofree char *kind = sym_torch_export_dup_kind (json, entry, &value);

  if (kind == NULL)
    return TRUE;
  if (sym_torch_export_is_tensor (kind))
    {
      g_autofree char *name = sym_torch_export_dup_item_name (json, value);

      if (name != NULL)
        sym_net_add_output (net, name);
    }
  for (SymJsonIter i =
           sym_json_iterate (json, sym_torch_export_is_list (kind) ? value : SYM_JSON_NONE);
       sym_json_iter_next (json, &i);)
    {
      g_autofree char *name = sym_torch_export_dup_item_name (json, i.value);

      if (name != NULL)
        sym_net_add_output (net, name);
    }
  return TRUE;
}

static gboolean
fill (SymNet *net, Walk *walk, guint graph, GError **error)
{
  const SymJson *json = sym_net_get_json (net);

  declare_tensors (net, graph);
  return sym_net_visit (net, sym_json_get_member (json, graph, "inputs"), add_input, walk, error) &&
         sym_net_visit (net, sym_json_get_member (json, graph, "nodes"), add_node, walk, error) &&
         sym_net_visit (net, sym_json_get_member (json, graph, "outputs"), add_output, NULL, error);
}

static SymModel *
read_graph_at (SymNet *around, const Walk *walk, guint graph, GPtrArray *captures, GError **error)
{
  const SymJson *json = sym_net_get_json (around);
  g_autoptr (SymNet) net = sym_net_new (walk->source, json, "torch-export");
  Walk inside = { walk->source, walk->weights, NULL, walk->depth + 1 };

  if (!sym_json_expect (json, graph, SYM_JSON_OBJECT, "'graph' of an argument", error) ||
      !fill (net, &inside, graph, error))
    return NULL;
  return sym_net_end_body (g_steal_pointer (&net), captures, error);
}

static SymModel *
read_program (SymJson *json, const SymIoSource *source, GError **error)
{
  static const char *const told[] = { "schema_version.*", "torch_version", "opset_version.*",
                                      "dialect", NULL };
  guint module = sym_json_get_member (json, 0, "graph_module");
  guint signature = sym_json_get_member (json, module, "signature");
  g_autoptr (SymTorchWeights) weights = sym_torch_weights_open (source, error);
  g_autoptr (SymNet) net = sym_net_new (source, json, "torch-export");
  g_autoptr (GHashTable) specs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Walk walk = { source, weights, specs, 0 };

  if (weights == NULL)
    return NULL;
  sym_net_expect_all (net);
  list_specs (json, sym_json_get_member (json, signature, "input_specs"), specs);
  if (!fill (net, &walk, sym_json_get_member (json, module, "graph"), error))
    return NULL;
  keep_symbols (net);
  sym_torch_weights_tell_missing (weights,
                                  sym_model_builder_get_problems (sym_net_get_builder (net)));
  sym_net_note_origin (net, "torch-export", told);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_torch_export_format = {
  .name = "torch-export",
  .title = "torch.export program",
  .versions = "schemas 1 to 8, JSON and .pt2",
  .limits = "unknown operators do not run; weights that are pickled one by one are not read",
  .suffix = ".pt2",
  .has_nan = TRUE,
  .takes_weights = TRUE,
  .score = score,
  .read = read_program,
  .tell = sym_net_tell,
};
