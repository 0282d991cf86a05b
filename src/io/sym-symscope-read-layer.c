/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-private.h"

#include "ops/sym-op.h"

/* The text of a member, NULL when it is absent.  FALSE when it is no text. */
static gboolean
read_text (const SymJson *json, guint object, const char *name, char **text, GError **error)
{
  guint token = sym_json_get_member (json, object, name);

  if (token == SYM_JSON_NONE)
    return TRUE;
  *text = sym_json_dup_string (json, token);
  return *text != NULL || sym_json_expect (json, token, SYM_JSON_STRING, name, error);
}

/* They are few: each kind is told once, however many layers are of it. */
static void
count_unknown (SymSymscopeReader *self, const char *domain, const char *name, guint token)
{
  SymSymscopeUnknown *unknown;

  for (guint i = 0; i < self->unknown->len; i++)
    {
      unknown = g_ptr_array_index (self->unknown, i);
      if (g_str_equal (unknown->name, name) && g_str_equal (unknown->domain, domain))
        {
          unknown->n_layers++;
          return;
        }
    }
  unknown = g_new (SymSymscopeUnknown, 1);
  *unknown = (SymSymscopeUnknown){ g_strdup (domain), g_strdup (name),
                                   sym_json_get_line (self->json, token), 1 };
  g_ptr_array_add (self->unknown, unknown);
}

/* *@op stays NULL for a layer without an operator, and for one that is not known here. */
static gboolean
read_operator (SymSymscopeReader *self,
               SymSymscopeLayer *entry,
               const SymOperator **op,
               GError **error)
{
  const SymJson *json = self->json;
  g_autofree char *domain = NULL;
  g_autofree char *name = NULL;
  guint since_token = sym_json_get_member (json, entry->token, "since");
  gint64 since = 0;

  if (!read_text (json, entry->token, "domain", &domain, error) ||
      !read_text (json, entry->token, "operator", &name, error))
    return FALSE;
  if (since_token != SYM_JSON_NONE &&
      (!sym_json_get_int (json, since_token, &since) || since < 0 || since > G_MAXINT))
    return sym_json_fail (json, since_token, error, "'since' must be the version of an operator");
  if (name == NULL)
    return TRUE;

  *op = sym_op_find (domain == NULL ? "" : domain, name, (int) since);
  if (*op != NULL)
    return TRUE;
  entry->is_kept = TRUE;
  count_unknown (self, domain == NULL ? "" : domain, name, entry->token);
  return TRUE;
}

/* ---- Functions, bodies, parameters ---- */

static SymLayer *
read_function (SymSymscopeReader *self, guint token, const char *type, GError **error)
{
  g_autoptr (GPtrArray) memory = g_ptr_array_new_with_free_func (g_free);
  guint result = sym_json_get_member (self->json, token, "result");
  SymFunction function = { .result = SYM_TYPE_UNKNOWN };
  g_autofree char *name = NULL;

  if (!sym_json_expect (self->json, token, SYM_JSON_OBJECT, "function", error) ||
      !read_text (self->json, token, "name", &name, error))
    return NULL;
  if (name == NULL)
    {
      sym_json_fail (self->json, token, error, "'function' must have a 'name'");
      return NULL;
    }
  if (result != SYM_JSON_NONE &&
      !sym_symscope_read_type (self->json, result, NULL, NULL, memory, &function.result, error))
    return NULL;
  function.name = name;
  return sym_layer_new_function (type, &function);
}

/* How many inputs at the end of the body are values from around the layer. */
static gboolean
read_captures (SymSymscopeReader *self, guint token, SymLayer *layer, GError **error)
{
  guint captures = sym_json_get_member (self->json, token, "captures");
  guint last = sym_layer_get_n_bodies (layer) - 1;
  guint n_inputs = sym_model_get_inputs (sym_layer_get_body (layer, last, NULL)).n;
  gint64 n;

  if (captures == SYM_JSON_NONE)
    return TRUE;
  if (!sym_json_get_int (self->json, captures, &n) || n < 0 || n > (gint64) n_inputs)
    return sym_json_fail (self->json, captures, error,
                          "'captures' must be a number of inputs of the body, which has %u",
                          n_inputs);
  sym_layer_set_body_captures (layer, last, (guint) n);
  return TRUE;
}

static gboolean
read_body (SymSymscopeReader *self, guint token, SymLayer *layer, GError **error)
{
  guint runs_token = sym_json_get_member (self->json, token, "runs");
  g_autofree char *name = NULL;
  g_autofree char *key = NULL;
  gboolean runs = FALSE;
  SymSymscopeBody *body;

  if (!sym_json_expect (self->json, token, SYM_JSON_OBJECT, "body", error) ||
      !read_text (self->json, token, "name", &name, error) ||
      !read_text (self->json, token, "model", &key, error))
    return FALSE;
  if (name == NULL || key == NULL)
    return sym_json_fail (self->json, token, error, "a body must have a 'name' and a 'model'");
  if (runs_token != SYM_JSON_NONE && !sym_json_get_bool (self->json, runs_token, &runs))
    return sym_json_fail (self->json, runs_token, error, "'runs' must be true or false");

  body = g_hash_table_lookup (self->bodies, key);
  if (body != NULL && body->model != NULL)
    {
      sym_layer_add_body (layer, name, body->model, runs);
      return read_captures (self, token, layer, error);
    }
  sym_problems_add (self->problems, SYM_SEVERITY_ERROR, sym_json_get_line (self->json, token),
                    SYM_NO_ID, SYM_NO_ID, "the body '%s' is no model that can be here: '%s'", name,
                    key);
  return TRUE;
}

static gboolean
read_layer_parameter (SymSymscopeReader *self, guint token, SymLayer *layer, GError **error)
{
  g_autoptr (GPtrArray) memory = g_ptr_array_new_with_free_func (g_free);
  guint type_token = sym_json_get_member (self->json, token, "type");
  g_autoptr (SymParameter) parameter = NULL;
  g_autoptr (SymTensor) tensor = NULL;
  SymType type = SYM_TYPE_UNKNOWN;
  g_autofree char *name = NULL;

  if (!sym_json_expect (self->json, token, SYM_JSON_OBJECT, "parameter of a layer", error) ||
      !read_text (self->json, token, "name", &name, error) ||
      (type_token != SYM_JSON_NONE &&
       !sym_symscope_read_type (self->json, type_token, NULL, NULL, memory, &type, error)) ||
      !sym_symscope_read_data (self, token, TRUE, &parameter, &tensor, self->problems, error))
    return FALSE;
  if (name == NULL || (type.kind != SYM_KIND_TENSOR && type.kind != SYM_KIND_UNKNOWN) ||
      type.n_elements > 0)
    return sym_json_fail (self->json, token, error,
                          "a parameter of a layer must have a 'name' and be a tensor");

  if (parameter == NULL)
    parameter = sym_parameter_new (TRUE, tensor);
  sym_layer_add_parameter (layer, name, &type, parameter);
  return TRUE;
}

static gboolean
read_list (SymSymscopeReader *self,
           guint object,
           const char *name,
           gboolean (*read) (SymSymscopeReader *, guint, SymLayer *, GError **),
           SymLayer *layer,
           GError **error)
{
  guint list = sym_json_get_member (self->json, object, name);

  if (list != SYM_JSON_NONE && !sym_json_expect (self->json, list, SYM_JSON_ARRAY, name, error))
    return FALSE;
  for (SymJsonIter i = sym_json_iterate (self->json, list); sym_json_iter_next (self->json, &i);)
    if (!read (self, i.value, layer, error))
      return FALSE;

  return TRUE;
}

/* ---- The layer ---- */

static SymLayer *
make_layer (SymSymscopeReader *self, SymSymscopeLayer *entry, const char *type, GError **error)
{
  guint function = sym_json_get_member (self->json, entry->token, "function");
  guint object = sym_json_get_member (self->json, entry->token, "attributes");
  g_autoptr (SymAttributes) attributes = NULL;
  g_autoptr (SymLayer) plain = NULL;
  const SymOperator *op = NULL;

  if (!read_operator (self, entry, &op, error))
    return NULL;
  if (object != SYM_JSON_NONE)
    {
      attributes = sym_symscope_read_attributes (self->json, object, op, error);
      if (attributes == NULL)
        return NULL;
    }
  if (function == SYM_JSON_NONE)
    return sym_layer_new (type, op, attributes);

  plain = read_function (self, function, type, error);
  return plain == NULL || attributes == NULL ? g_steal_pointer (&plain)
                                             : sym_layer_with_attributes (plain, attributes);
}

static gboolean
read_entry (SymSymscopeReader *self, SymSymscopeLayer *entry, GError **error)
{
  g_autoptr (SymLayer) layer = NULL;
  guint hidden = sym_json_get_member (self->json, entry->token, "hides_parameters");
  gboolean hides = FALSE;
  g_autofree char *type = NULL;
  g_autofree char *name = NULL;

  if (!sym_json_expect (self->json, entry->token, SYM_JSON_OBJECT, "layer", error) ||
      !read_text (self->json, entry->token, "type", &type, error) ||
      !read_text (self->json, entry->token, "name", &name, error))
    return FALSE;
  if (type == NULL)
    return sym_json_fail (self->json, entry->token, error, "a layer must have a 'type'");

  layer = make_layer (self, entry, type, error);
  if (layer == NULL)
    return FALSE;
  if (name != NULL)
    sym_layer_set_name (layer, name);
  if (hidden != SYM_JSON_NONE && !sym_json_get_bool (self->json, hidden, &hides))
    return sym_json_expect (self->json, hidden, SYM_JSON_BOOL, "hides_parameters", error);
  sym_layer_set_hides_parameters (layer, hides);
  if (!read_list (self, entry->token, "bodies", read_body, layer, error) ||
      !read_list (self, entry->token, "parameters", read_layer_parameter, layer, error))
    return FALSE;
  entry->is_kept = entry->is_kept ||
                   sym_symscope_has_unknown (self->json, entry->token, sym_symscope_layer_keys);
  entry->layer = g_steal_pointer (&layer);
  return TRUE;
}

/* Made once for each name, so that calls with one dangling name share it as they would have. */
static void
add_dangling (SymSymscopeReader *self, const char *key, guint token, SymProblems *problems)
{
  SymSymscopeLayer *entry = g_new0 (SymSymscopeLayer, 1);

  entry->token = SYM_JSON_NONE;
  entry->layer = sym_layer_new (key, NULL, NULL);
  g_hash_table_insert (self->layers, g_strdup (key), entry);
  sym_problems_add (problems, SYM_SEVERITY_ERROR, sym_json_get_line (self->json, token), SYM_NO_ID,
                    SYM_NO_ID, "'%s' is not among the layers", key);
}

SymLayer *
sym_symscope_read_layer (SymSymscopeReader *self,
                         guint token,
                         SymProblems *problems,
                         guint *kept,
                         GError **error)
{
  g_autofree char *key = sym_json_dup_string (self->json, token);
  SymSymscopeLayer *entry;

  if (key == NULL)
    {
      sym_json_fail (self->json, token, error, "'layer' must be the key of a layer");
      return NULL;
    }
  if (!g_hash_table_contains (self->layers, key))
    add_dangling (self, key, token, problems);
  entry = g_hash_table_lookup (self->layers, key);
  if (entry->layer == NULL && !read_entry (self, entry, error))
    return NULL;

  *kept = entry->is_kept ? entry->token : SYM_JSON_NONE;
  return sym_layer_ref (entry->layer);
}
