/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-write-private.h"

typedef struct {
  GString *out;
  SymSymscopeContents *contents;
  SymModel *model;
  const SymSymscopeOrigin *origin;   /* NULL for none */
  GPtrArray *value_keys, *call_keys; /* by id; NULL for what is erased */
  SymInference *inference; /* of a model that calls functions which are not saved; else NULL */
  SymSymscopeNumbers numbers;
} Writer;

static const char *
get_value_key (const Writer *self, SymId value)
{
  return g_ptr_array_index (self->value_keys, value);
}

/* The key that the file had, when that is not the name, or else the name. */
static char *
make_key (Writer *self, SymSymscopeKeys *keys, gboolean is_call, SymId id)
{
  const char *name = is_call ? sym_model_get_call_name (self->model, id)
                             : sym_model_get_value_name (self->model, id);
  g_autofree char *old = NULL;

  if (self->origin != NULL)
    old = sym_symscope_origin_dup_text (self->origin,
                                        is_call ? self->origin->calls : self->origin->values, id,
                                        is_call ? "call" : "value");
  return sym_symscope_keys_make (keys, old != NULL ? old : name, is_call ? "call" : "value");
}

/* In the order of the file, so that what has one name gets the same keys each time. */
static void
make_keys (Writer *self)
{
  SymSymscopeKeys values, calls;

  sym_symscope_keys_init (&values);
  sym_symscope_keys_init (&calls);
  g_ptr_array_set_size (self->value_keys, (int) sym_model_get_n_values (self->model));
  g_ptr_array_set_size (self->call_keys, (int) sym_model_get_n_calls (self->model));
  for (guint i = 0; i < sym_model_get_n_entries (self->model); i++)
    {
      SymEntry entry = sym_model_get_entry (self->model, i);
      SymIds results =
          entry.is_call ? sym_model_get_results (self->model, entry.id) : (SymIds){ &entry.id, 1 };

      if (entry.is_call)
        g_ptr_array_index (self->call_keys, entry.id) = make_key (self, &calls, TRUE, entry.id);
      for (guint k = 0; k < results.n; k++)
        g_ptr_array_index (self->value_keys, results.ids[k]) =
            make_key (self, &values, FALSE, results.ids[k]);
    }
  sym_symscope_keys_clear (&values);
  sym_symscope_keys_clear (&calls);
}

static void
append_keys (Writer *self, SymIds ids, GPtrArray *keys)
{
  g_string_append_c (self->out, '[');
  for (guint i = 0; i < ids.n; i++)
    {
      g_string_append (self->out, i == 0 ? "" : ", ");
      if (ids.ids[i] == SYM_NO_ID)
        g_string_append (self->out, "null");
      else
        sym_json_append_string (self->out, g_ptr_array_index (keys, ids.ids[i]));
    }
  g_string_append_c (self->out, ']');
}

/* ---- Values ---- */

/* The name of a tensor in a file of weights that was not there when the graph was read. */
static char *
find_missing_tensor (const Writer *self, SymId value)
{
  g_autofree char *key = NULL;
  guint table, object;
  char *name;

  if (self->origin == NULL || !self->origin->lacks_weights)
    return NULL;
  name = sym_symscope_origin_dup_text (self->origin, self->origin->values, value, "tensor");
  key = sym_symscope_origin_dup_text (self->origin, self->origin->values, value, "parameter");
  if (name != NULL || key == NULL)
    return name;

  table = sym_json_get_member (self->origin->json, 0, "parameters");
  object = sym_json_get_member (self->origin->json, table, key);
  return sym_json_dup_string (self->origin->json,
                              sym_json_get_member (self->origin->json, object, "tensor"));
}

static gboolean
append_tensor (Writer *self, SymId value, SymTensor *tensor, gboolean is_constant, GError **error)
{
  g_autofree char *missing = tensor == NULL ? find_missing_tensor (self, value) : NULL;

  if (missing != NULL && self->contents->is_small)
    sym_symscope_append_member (self->out, "tensor", missing);
  return sym_symscope_append_data (self->out, self->contents, get_value_key (self, value), tensor,
                                   is_constant, error);
}

static gboolean
append_value_data (Writer *self, SymId value, GError **error)
{
  SymRole role = sym_model_get_role (self->model, value);
  SymParameter *parameter = sym_model_get_parameter (self->model, value);
  SymTensor *tensor = sym_model_get_tensor (self->model, value);
  gboolean is_weight = role == SYM_ROLE_PARAMETER || role == SYM_ROLE_AUXILIARY;
  const char *shared;
  gboolean trainable;

  if (parameter == NULL)
    return append_tensor (self, value, tensor, TRUE, error);
  shared = g_hash_table_lookup (self->contents->shared_keys, parameter);
  if (shared != NULL)
    {
      sym_symscope_append_member (self->out, "parameter", shared);
      return TRUE;
    }
  trainable = sym_parameter_get_trainable (parameter);
  if (!is_weight || trainable != (role == SYM_ROLE_PARAMETER))
    {
      sym_symscope_begin_member (self->out, "trainable");
      g_string_append (self->out, trainable ? "true" : "false");
    }
  return append_tensor (self, value, tensor, FALSE, error);
}

static gboolean
is_unknown_type (const SymType *type)
{
  return type->kind == SYM_KIND_UNKNOWN && type->dtype == SYM_DTYPE_UNKNOWN &&
         type->shape.rank < 0 && type->name == NULL;
}

/* ---- Types ---- */

/* A function of the program that made the model is saved by its name, without its way to find the
 * types of its results.  What it found is saved in its stead. */
static gboolean
is_call_told (const SymModel *model, SymId call)
{
  const SymFunction *function = sym_layer_get_function (sym_model_get_layer (model, call));

  return function != NULL && function->infer != NULL;
}

static SymInference *
infer_what_is_told (SymModel *model)
{
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call) && is_call_told (model, call))
      return sym_infer (model, NULL, 0, NULL, NULL);

  return NULL;
}

static SymType
get_type (const Writer *self, SymId value)
{
  SymType type = sym_model_get_declared_type (self->model, value);
  SymId call = sym_model_get_producer (self->model, value);

  if (self->inference == NULL || call == SYM_NO_ID || !is_unknown_type (&type) ||
      !is_call_told (self->model, call))
    return type;
  return sym_inference_get_type (self->inference, value);
}

/* The terms of an inference are those of its model, and more. */
static void
count_types (Writer *self)
{
  sym_symscope_numbers_init (&self->numbers, self->inference == NULL
                                                 ? sym_model_get_terms (self->model)
                                                 : sym_inference_get_terms (self->inference));
  for (SymId value = 0; value < sym_model_get_n_values (self->model); value++)
    if (sym_model_has_value (self->model, value))
      {
        SymType type = get_type (self, value);

        sym_symscope_numbers_count (&self->numbers, &type);
      }
}

/* ---- Members ---- */

/* All members but the key, behind those that are there already. */
static gboolean
append_value_members (Writer *self, SymId value, SymRole usual, GError **error)
{
  const char *name = sym_model_get_value_name (self->model, value);
  const char *variable = sym_model_get_variable (self->model, value);
  const SymAttributes *attributes = sym_model_get_value_attributes (self->model, value);
  SymRole role = sym_model_get_role (self->model, value);
  SymType type = get_type (self, value);
  guint kept =
      self->origin == NULL ? SYM_JSON_NONE : sym_symscope_origin_find (self->origin->values, value);

  if (!g_str_equal (name, get_value_key (self, value)))
    sym_symscope_append_member (self->out, "name", name);
  if (variable != NULL)
    sym_symscope_append_member (self->out, "variable", variable);
  if (role != usual || usual == SYM_ROLE_INPUT)
    sym_symscope_append_member (self->out, "role", sym_role_to_string (role));
  if (!is_unknown_type (&type))
    {
      sym_symscope_begin_member (self->out, "type");
      if (!sym_symscope_append_type (self->out, &type, &self->numbers, error))
        return FALSE;
    }
  if (!append_value_data (self, value, error))
    return FALSE;
  if (attributes != NULL)
    {
      sym_symscope_begin_member (self->out, "attributes");
      if (!sym_symscope_append_attributes (self->out, attributes, NULL, error))
        return FALSE;
    }
  if (kept != SYM_JSON_NONE)
    sym_symscope_append_unknown (self->out, self->origin->json, kept, sym_symscope_value_keys,
                                 ", ");
  return TRUE;
}

static gboolean
append_value_node (Writer *self, SymId value, GError **error)
{
  g_string_append_c (self->out, '{');
  sym_symscope_append_member (self->out, "value", get_value_key (self, value));
  if (!append_value_members (self, value, SYM_ROLE_INPUT, error))
    return FALSE;
  g_string_append_c (self->out, '}');
  return TRUE;
}

/* ---- Calls ---- */

/* A result that has nothing but its key is just that. */
static gboolean
append_result (Writer *self, SymId value, GError **error)
{
  gsize start = self->out->len;
  gsize bare;

  g_string_append_c (self->out, '{');
  sym_symscope_append_member (self->out, "value", get_value_key (self, value));
  bare = self->out->len;
  if (!append_value_members (self, value, SYM_ROLE_INTERMEDIATE, error))
    return FALSE;
  if (self->out->len > bare)
    {
      g_string_append_c (self->out, '}');
      return TRUE;
    }
  g_string_truncate (self->out, start);
  sym_json_append_string (self->out, get_value_key (self, value));
  return TRUE;
}

static gboolean
append_results (Writer *self, SymId call, GError **error)
{
  SymIds results = sym_model_get_results (self->model, call);

  sym_symscope_begin_member (self->out, "results");
  g_string_append_c (self->out, '[');
  for (guint i = 0; i < results.n; i++)
    {
      g_string_append (self->out, i == 0 ? "" : ", ");
      if (!append_result (self, results.ids[i], error))
        return FALSE;
    }
  g_string_append_c (self->out, ']');
  return TRUE;
}

static gboolean
append_call_extras (Writer *self, SymId call, GError **error)
{
  const SymValue *arguments = sym_model_get_arguments (self->model, call);
  const SymAttributes *attributes = sym_model_get_call_attributes (self->model, call);
  SymIds controls = sym_model_get_controls (self->model, call);

  if (controls.n > 0)
    {
      sym_symscope_begin_member (self->out, "controls");
      append_keys (self, controls, self->call_keys);
    }
  if (arguments != NULL)
    {
      sym_symscope_begin_member (self->out, "arguments");
      if (!sym_symscope_append_value (self->out, arguments, error))
        return FALSE;
    }
  if (attributes != NULL)
    {
      sym_symscope_begin_member (self->out, "attributes");
      return sym_symscope_append_attributes (self->out, attributes, NULL, error);
    }
  return TRUE;
}

static gboolean
append_call_node (Writer *self, SymId call, GError **error)
{
  const char *key = g_ptr_array_index (self->call_keys, call);
  const char *name = sym_model_get_call_name (self->model, call);
  SymLayer *layer = sym_model_get_layer (self->model, call);
  guint kept =
      self->origin == NULL ? SYM_JSON_NONE : sym_symscope_origin_find (self->origin->calls, call);

  g_string_append_c (self->out, '{');
  sym_symscope_append_member (self->out, "call", key);
  if (!g_str_equal (name, key))
    sym_symscope_append_member (self->out, "name", name);
  sym_symscope_append_member (self->out, "layer",
                              g_hash_table_lookup (self->contents->layer_keys, layer));
  sym_symscope_begin_member (self->out, "operands");
  append_keys (self, sym_model_get_operands (self->model, call), self->value_keys);
  if (!append_results (self, call, error) || !append_call_extras (self, call, error))
    return FALSE;
  if (kept != SYM_JSON_NONE)
    sym_symscope_append_unknown (self->out, self->origin->json, kept, sym_symscope_call_keys, ", ");
  g_string_append_c (self->out, '}');
  return TRUE;
}

/* ---- The model ---- */

static gboolean
append_nodes (Writer *self, GError **error)
{
  guint n = sym_model_get_n_entries (self->model);

  g_string_append (self->out, "      \"nodes\": [");
  for (guint i = 0; i < n; i++)
    {
      SymEntry entry = sym_model_get_entry (self->model, i);

      g_string_append (self->out, i == 0 ? "\n        " : ",\n        ");
      if (entry.is_call ? !append_call_node (self, entry.id, error)
                        : !append_value_node (self, entry.id, error))
        return FALSE;
    }
  g_string_append (self->out, n == 0 ? "],\n" : "\n      ],\n");
  return TRUE;
}

static void
append_head (Writer *self)
{
  static const char *const dialects[] = {
    [SYM_DIALECT_PLAIN] = "plain",
    [SYM_DIALECT_SYMBOLIC] = "symbolic",
    [SYM_DIALECT_MXNET] = "mxnet",
  };
  const char *name = sym_model_get_name (self->model);

  if (name != NULL)
    {
      g_string_append (self->out, "      \"name\": ");
      sym_json_append_string (self->out, name);
      g_string_append (self->out, ",\n");
    }
  g_string_append_printf (self->out, "      \"dialect\": \"%s\",\n",
                          dialects[sym_model_get_dialect (self->model)]);
}

static gboolean
append_all (Writer *self, GError **error)
{
  append_head (self);
  if (!append_nodes (self, error))
    return FALSE;
  g_string_append (self->out, "      \"inputs\": ");
  append_keys (self, sym_model_get_inputs (self->model), self->value_keys);
  g_string_append (self->out, ",\n      \"outputs\": ");
  append_keys (self, sym_model_get_outputs (self->model), self->value_keys);
  if (self->origin != NULL)
    sym_symscope_append_unknown (self->out, self->origin->json, self->origin->model,
                                 sym_symscope_model_keys, ",\n      ");
  return TRUE;
}

gboolean
sym_symscope_append_model (GString *out,
                           SymSymscopeContents *contents,
                           SymModel *model,
                           GError **error)
{
  Writer writer = {
    .out = out,
    .contents = contents,
    .model = model,
    .origin = sym_symscope_get_origin (model),
    .value_keys = g_ptr_array_new_with_free_func (g_free),
    .call_keys = g_ptr_array_new_with_free_func (g_free),
  };
  gboolean done;

  make_keys (&writer);
  writer.inference = infer_what_is_told (model);
  count_types (&writer);
  done = append_all (&writer, error);
  g_clear_pointer (&writer.inference, sym_inference_unref);
  sym_symscope_numbers_clear (&writer.numbers);
  g_ptr_array_unref (writer.value_keys);
  g_ptr_array_unref (writer.call_keys);
  return done;
}
