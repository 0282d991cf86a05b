/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

typedef struct {
  SymSymscopeReader *file;
  const SymJson *json;
  SymModelBuilder *builder;
  SymSymscopeOrigin *origin;
  GHashTable *values;   /* key to SymId + 1 */
  GHashTable *calls;    /* key to SymId + 1 */
  GHashTable *unknowns; /* of types */
  GPtrArray *memory;    /* of types */
} Draft;

static SymProblems *
get_problems (Draft *self)
{
  return sym_model_builder_get_problems (self->builder);
}

/* ---- Keys ---- */

/* The first thing of a key is the one that is meant by it. */
static void
add_key (Draft *self, gboolean is_call, char *take_key, SymId id, guint token)
{
  GHashTable *table = is_call ? self->calls : self->values;

  if (g_hash_table_contains (table, take_key))
    {
      sym_problems_add (get_problems (self), SYM_SEVERITY_ERROR,
                        sym_json_get_line (self->json, token), is_call ? SYM_NO_ID : id,
                        is_call ? id : SYM_NO_ID, "two %s have the key '%s'",
                        is_call ? "calls" : "values", take_key);
      g_free (take_key);
      return;
    }
  g_hash_table_insert (table, take_key, GUINT_TO_POINTER (id + 1));
}

/* SYM_NO_ID and a problem for a key that nothing has. */
static gboolean
find_key (Draft *self, gboolean is_call, guint token, SymId user, SymId *id, GError **error)
{
  GHashTable *table = is_call ? self->calls : self->values;
  g_autofree char *key = sym_json_dup_string (self->json, token);
  guint found;

  if (key == NULL)
    return sym_json_fail (self->json, token, error, "the key of a %s must be a string, but is %s",
                          is_call ? "call" : "value",
                          sym_json_kind_to_string (sym_json_get_kind (self->json, token)));
  found = GPOINTER_TO_UINT (g_hash_table_lookup (table, key));
  if (found == 0)
    sym_problems_add (get_problems (self), SYM_SEVERITY_ERROR,
                      sym_json_get_line (self->json, token), SYM_NO_ID, user, "there is no %s '%s'",
                      is_call ? "call" : "value", key);
  *id = found - 1;
  return TRUE;
}

/* Puts the text of a member in the place of *@text; an absent one leaves that alone. */
static gboolean
read_text (Draft *self, guint object, const char *name, char **text, GError **error)
{
  guint token = sym_json_get_member (self->json, object, name);

  if (token == SYM_JSON_NONE)
    return TRUE;
  g_free (*text);
  *text = sym_json_dup_string (self->json, token);
  return *text != NULL || sym_json_expect (self->json, token, SYM_JSON_STRING, name, error);
}

/* ---- Values ---- */

static gboolean
read_role (Draft *self, guint object, SymRole *role, GError **error)
{
  guint token = sym_json_get_member (self->json, object, "role");
  gboolean is_result = *role == SYM_ROLE_INTERMEDIATE;

  if (token == SYM_JSON_NONE)
    return TRUE;
  for (guint i = SYM_ROLE_INPUT; i <= (is_result ? SYM_ROLE_ABSENT : SYM_ROLE_CONSTANT); i++)
    if (sym_json_string_equals (self->json, token, sym_role_to_string ((SymRole) i)))
      {
        *role = (SymRole) i;
        return TRUE;
      }

  return sym_json_fail (self->json, token, error,
                        "'role' must be input, intermediate, parameter, auxiliary%s",
                        is_result ? ", constant or absent" : " or constant");
}

/* What is not in the model itself is found in the file again when the graph is written back:
 * members that are not known, a key that is not the name, the name of a tensor whose file is
 * missing. */
static void
keep_value (Draft *self, guint object, SymId value, gboolean lacks_tensor)
{
  if (lacks_tensor || sym_json_get_member (self->json, object, "name") != SYM_JSON_NONE ||
      sym_json_get_member (self->json, object, "parameter") != SYM_JSON_NONE ||
      sym_symscope_has_unknown (self->json, object, sym_symscope_value_keys))
    sym_symscope_origin_keep (self->origin->values, value, object);
}

static gboolean
read_value_data (Draft *self, guint object, SymId value, SymRole role, GError **error)
{
  g_autoptr (SymParameter) parameter = NULL;
  g_autoptr (SymTensor) tensor = NULL;
  gboolean is_weight = role == SYM_ROLE_PARAMETER || role == SYM_ROLE_AUXILIARY;
  guint n_missing = self->file->n_missing;
  gboolean is_missing;

  if (!sym_symscope_read_data (self->file, object, role == SYM_ROLE_PARAMETER, &parameter, &tensor,
                               get_problems (self), error))
    return FALSE;
  is_missing = self->file->n_missing > n_missing ||
               (parameter != NULL && g_hash_table_contains (self->file->without, parameter));
  if (is_missing && self->file->weights != NULL)
    sym_model_builder_set_lack (self->builder, value, "the weights have none of that name");
  keep_value (self, object, value,
              self->file->n_missing > n_missing ||
                  (parameter != NULL && self->file->lacks_weights));
  if (parameter == NULL && tensor != NULL && is_weight)
    parameter = sym_parameter_new (role == SYM_ROLE_PARAMETER, tensor);
  if (parameter != NULL)
    sym_model_builder_set_parameter (self->builder, value, g_steal_pointer (&parameter));
  else if (tensor != NULL)
    sym_model_builder_set_tensor (self->builder, value, g_steal_pointer (&tensor));
  return TRUE;
}

static gboolean
read_value_type (Draft *self, guint object, SymId value, GError **error)
{
  guint token = sym_json_get_member (self->json, object, "type");
  SymType type = SYM_TYPE_UNKNOWN;

  if (token == SYM_JSON_NONE)
    return TRUE;
  if (!sym_symscope_read_type (self->json, token, sym_model_builder_get_terms (self->builder),
                               self->unknowns, self->memory, &type, error))
    return FALSE;
  sym_model_builder_set_type (self->builder, value, &type);
  return TRUE;
}

static gboolean
read_attributes (Draft *self, guint object, SymAttributes **attributes, GError **error)
{
  guint token = sym_json_get_member (self->json, object, "attributes");

  if (token == SYM_JSON_NONE)
    return TRUE;
  *attributes = sym_symscope_read_attributes (self->json, token, NULL, error);
  return *attributes != NULL;
}

/* Everything about a value but its place in the graph. */
static gboolean
read_value_members (Draft *self, guint object, SymId value, SymRole role, GError **error)
{
  SymAttributes *attributes = NULL;
  g_autofree char *variable = NULL;

  if (!read_text (self, object, "variable", &variable, error) ||
      !read_value_type (self, object, value, error) ||
      !read_value_data (self, object, value, role, error) ||
      !read_attributes (self, object, &attributes, error))
    return FALSE;

  if (variable != NULL)
    sym_model_builder_set_variable (self->builder, value, variable);
  if (attributes != NULL)
    sym_model_builder_set_value_attributes (self->builder, value, attributes);
  return TRUE;
}

static gboolean
read_value_node (Draft *self, guint object, GError **error)
{
  g_autofree char *key = NULL;
  g_autofree char *name = NULL;
  SymRole role = SYM_ROLE_INPUT;
  SymId value;

  if (!read_text (self, object, "value", &key, error))
    return FALSE;
  name = g_strdup (key);
  if (!read_text (self, object, "name", &name, error) || !read_role (self, object, &role, error))
    return FALSE;

  value = sym_model_builder_add_value (self->builder, name, role, NULL);
  sym_model_builder_set_value_line (self->builder, value, sym_json_get_line (self->json, object));
  add_key (self, FALSE, g_steal_pointer (&key), value, object);
  return read_value_members (self, object, value, role, error);
}

/* ---- Calls ---- */

static gboolean
read_result (Draft *self, guint token, SymId call, GError **error)
{
  gboolean is_object = sym_json_get_kind (self->json, token) == SYM_JSON_OBJECT;
  guint key_token = is_object ? sym_json_get_member (self->json, token, "value") : token;
  g_autofree char *key = sym_json_dup_string (self->json, key_token);
  g_autofree char *name = g_strdup (key);
  SymRole role = SYM_ROLE_INTERMEDIATE;
  SymId value;

  if (key == NULL)
    return sym_json_fail (self->json, token, error,
                          "a result must be a key, or an object whose 'value' is one");
  if (is_object &&
      (!read_text (self, token, "name", &name, error) || !read_role (self, token, &role, error)))
    return FALSE;

  value = sym_model_builder_append_result (self->builder, call, name);
  if (role != SYM_ROLE_INTERMEDIATE)
    sym_model_builder_set_role (self->builder, value, role);
  add_key (self, FALSE, g_steal_pointer (&key), value, token);
  return !is_object || read_value_members (self, token, value, role, error);
}

static gboolean
read_results (Draft *self, guint object, SymId call, GError **error)
{
  guint list = sym_json_get_member (self->json, object, "results");

  if (list != SYM_JSON_NONE &&
      !sym_json_expect (self->json, list, SYM_JSON_ARRAY, "results", error))
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (self->json, list); sym_json_iter_next (self->json, &i);)
    if (!read_result (self, i.value, call, error))
      return FALSE;

  return TRUE;
}

static gboolean
read_call_members (Draft *self, guint object, SymId call, GError **error)
{
  guint arguments = sym_json_get_member (self->json, object, "arguments");
  SymAttributes *attributes = NULL;

  if (arguments != SYM_JSON_NONE)
    {
      SymValue *tree = sym_symscope_read_value (self->json, arguments, error);

      if (tree == NULL)
        return FALSE;
      sym_model_builder_set_arguments (self->builder, call, tree);
    }
  if (!read_attributes (self, object, &attributes, error))
    return FALSE;
  if (attributes != NULL)
    sym_model_builder_set_call_attributes (self->builder, call, attributes);
  if (sym_json_get_member (self->json, object, "name") != SYM_JSON_NONE ||
      sym_symscope_has_unknown (self->json, object, sym_symscope_call_keys))
    sym_symscope_origin_keep (self->origin->calls, call, object);
  return TRUE;
}

static void
keep_layer_key (Draft *self, guint object, SymId call, SymLayer *layer, const char *call_name)
{
  const char *name = sym_layer_get_name (layer);
  guint token = sym_json_get_member (self->json, object, "layer");

  if (!sym_json_string_equals (self->json, token, name != NULL ? name : call_name))
    sym_symscope_origin_keep (self->origin->layer_keys, call, token);
}

static gboolean
read_call_node (Draft *self, guint object, GError **error)
{
  g_autoptr (SymLayer) layer = NULL;
  g_autofree char *key = NULL;
  g_autofree char *name = NULL;
  guint layer_token = sym_json_get_member (self->json, object, "layer");
  guint kept = SYM_JSON_NONE;
  SymId call;

  if (!read_text (self, object, "call", &key, error))
    return FALSE;
  name = g_strdup (key);
  if (!read_text (self, object, "name", &name, error))
    return FALSE;
  if (layer_token == SYM_JSON_NONE)
    return sym_json_fail (self->json, object, error, "call '%s' must have a 'layer'", key);
  layer = sym_symscope_read_layer (self->file, layer_token, get_problems (self), &kept, error);
  if (layer == NULL)
    return FALSE;

  call = sym_model_builder_add_call (self->builder, name, layer, NULL, 0, 0);
  sym_model_builder_set_call_line (self->builder, call, sym_json_get_line (self->json, object));
  add_key (self, TRUE, g_steal_pointer (&key), call, object);
  if (kept != SYM_JSON_NONE)
    sym_symscope_origin_keep (self->origin->layers, call, kept);
  keep_layer_key (self, object, call, layer, name);
  return read_results (self, object, call, error) && read_call_members (self, object, call, error);
}

/* ---- The graph ---- */

static gboolean
read_nodes (Draft *self, guint nodes, GError **error)
{
  for (SymJsonIter i = sym_json_iterate (self->json, nodes); sym_json_iter_next (self->json, &i);)
    {
      gboolean is_call = sym_json_get_member (self->json, i.value, "call") != SYM_JSON_NONE;
      gboolean is_value = sym_json_get_member (self->json, i.value, "value") != SYM_JSON_NONE;

      if (!sym_json_expect (self->json, i.value, SYM_JSON_OBJECT, "node", error))
        return FALSE;
      if (is_call == is_value)
        return sym_json_fail (self->json, i.value, error,
                              "a node must have either a 'value' or a 'call'");
      if (is_call ? !read_call_node (self, i.value, error)
                  : !read_value_node (self, i.value, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_uses (Draft *self, guint object, SymId call, GError **error)
{
  guint operands = sym_json_get_member (self->json, object, "operands");
  guint controls = sym_json_get_member (self->json, object, "controls");
  SymId id;

  if ((operands != SYM_JSON_NONE &&
       !sym_json_expect (self->json, operands, SYM_JSON_ARRAY, "operands", error)) ||
      (controls != SYM_JSON_NONE &&
       !sym_json_expect (self->json, controls, SYM_JSON_ARRAY, "controls", error)))
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (self->json, operands);
       sym_json_iter_next (self->json, &i);)
    {
      id = SYM_NO_ID;
      if (sym_json_get_kind (self->json, i.value) != SYM_JSON_NULL &&
          !find_key (self, FALSE, i.value, call, &id, error))
        return FALSE;
      sym_model_builder_append_operand (self->builder, call, id);
    }
  for (SymJsonIter i = sym_json_iterate (self->json, controls);
       sym_json_iter_next (self->json, &i);)
    {
      if (!find_key (self, TRUE, i.value, call, &id, error))
        return FALSE;
      if (id != SYM_NO_ID)
        sym_model_builder_add_control (self->builder, call, id);
    }
  return TRUE;
}

/* A second time over the nodes, now that all keys are known. */
static gboolean
read_edges (Draft *self, guint nodes, GError **error)
{
  SymId call = 0;

  for (SymJsonIter i = sym_json_iterate (self->json, nodes); sym_json_iter_next (self->json, &i);)
    if (sym_json_get_member (self->json, i.value, "call") != SYM_JSON_NONE &&
        !read_uses (self, i.value, call++, error))
      return FALSE;

  return TRUE;
}

static gboolean
read_ends (Draft *self, guint object, gboolean is_input, GError **error)
{
  const char *name = is_input ? "inputs" : "outputs";
  guint list = sym_json_get_member (self->json, object, name);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  if (list != SYM_JSON_NONE && !sym_json_expect (self->json, list, SYM_JSON_ARRAY, name, error))
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (self->json, list); sym_json_iter_next (self->json, &i);)
    {
      SymId value;

      if (!find_key (self, FALSE, i.value, SYM_NO_ID, &value, error))
        return FALSE;
      if (value == SYM_NO_ID)
        continue;
      if (!is_input)
        sym_model_builder_add_output (self->builder, value);
      else if (g_hash_table_add (seen, GUINT_TO_POINTER (value)))
        sym_model_builder_add_input (self->builder, value);
    }
  return TRUE;
}

/* ---- The model ---- */

/* What was found while the tables and all other models were read: the main model is the last
 * one. */
static void
append_file_problems (Draft *self)
{
  SymSymscopeReader *file = self->file;

  sym_problems_append (get_problems (self), file->problems);
  if (file->n_missing > 0 && file->weights != NULL)
    sym_problems_add (get_problems (self), SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID,
                      "the weights lack %u of the tensors of the graph, the first is '%s'",
                      file->n_missing, file->first_missing);
  for (guint i = 0; i < file->unknown->len; i++)
    {
      const SymSymscopeUnknown *unknown = g_ptr_array_index (file->unknown, i);

      sym_problems_add (get_problems (self), SYM_SEVERITY_WARNING, unknown->line, SYM_NO_ID,
                        SYM_NO_ID,
                        "the operator '%s'%s%s is not known: its %u layer%s shown, but not "
                        "inferred or run",
                        unknown->name, *unknown->domain == '\0' ? "" : " of ", unknown->domain,
                        unknown->n_layers, unknown->n_layers == 1 ? " is" : "s are");
    }
}

static gboolean
read_dialect (const SymJson *json, guint object, SymDialect *dialect, GError **error)
{
  static const char *const names[] = { "plain", "symbolic", "mxnet" };
  guint token = sym_json_get_member (json, object, "dialect");

  if (token == SYM_JSON_NONE)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (sym_json_string_equals (json, token, names[i]))
      {
        *dialect = (SymDialect) i;
        return TRUE;
      }

  return sym_json_fail (json, token, error, "'dialect' must be plain, symbolic or mxnet");
}

static gboolean
check_nodes (const SymJson *json, const SymSymscopeBody *body, guint nodes, GError **error)
{
  if (nodes == SYM_JSON_NONE)
    return sym_json_fail (json, body->token, error, "the model '%s' must have 'nodes'", body->key);
  return sym_json_expect (json, nodes, SYM_JSON_ARRAY, "nodes", error);
}

static void
clear_draft (Draft *self)
{
  g_clear_pointer (&self->builder, sym_model_builder_free);
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->calls);
  g_hash_table_unref (self->unknowns);
  g_ptr_array_unref (self->memory);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Draft, clear_draft)

SymModel *
sym_symscope_read_model (SymSymscopeReader *self, SymSymscopeBody *body, GError **error)
{
  SymDialect dialect = SYM_DIALECT_PLAIN;
  g_autofree char *name = NULL;
  guint nodes = sym_json_get_member (self->json, body->token, "nodes");
  g_auto (Draft) draft = {
    .file = self,
    .json = self->json,
    .values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .unknowns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
    .memory = g_ptr_array_new_with_free_func (g_free),
  };

  if (!read_dialect (self->json, body->token, &dialect, error))
    return NULL;
  draft.builder = sym_model_builder_new (dialect);
  draft.origin = sym_symscope_origin_new (draft.builder, self->json, body->token);
  draft.origin->lacks_weights = self->lacks_weights;
  draft.origin->key = g_strdup (body->key);
  if (!read_text (&draft, body->token, "name", &name, error) ||
      !check_nodes (self->json, body, nodes, error) || !read_nodes (&draft, nodes, error) ||
      !read_edges (&draft, nodes, error) || !read_ends (&draft, body->token, TRUE, error) ||
      !read_ends (&draft, body->token, FALSE, error))
    return NULL;

  sym_model_builder_set_name (draft.builder, name);
  if (g_str_equal (body->key, SYM_SYMSCOPE_MAIN))
    append_file_problems (&draft);
  return sym_model_builder_end (g_steal_pointer (&draft.builder));
}
