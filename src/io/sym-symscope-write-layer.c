/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-write-private.h"

#include "ops/sym-op.h"

void
sym_symscope_begin_member (GString *out, const char *name)
{
  if (out->str[out->len - 1] != '{')
    g_string_append (out, ", ");
  g_string_append_printf (out, "\"%s\": ", name);
}

void
sym_symscope_append_member (GString *out, const char *name, const char *text)
{
  sym_symscope_begin_member (out, name);
  sym_json_append_string (out, text);
}

/* Notes a tensor as one of the weights; its name there. */
static const char *
add_weight (SymSymscopeContents *self, const char *name, SymTensor *tensor)
{
  char *key = g_hash_table_lookup (self->tensor_names, tensor);

  if (key != NULL)
    return key;
  key = sym_symscope_keys_make (&self->weight_keys, name, "tensor");
  g_ptr_array_add (self->weight_names, key);
  g_ptr_array_add (self->weights, tensor);
  g_hash_table_insert (self->tensor_names, tensor, key);
  return key;
}

gboolean
sym_symscope_append_data (GString *out,
                          SymSymscopeContents *contents,
                          const char *name,
                          SymTensor *tensor,
                          gboolean is_constant,
                          GError **error)
{
  gboolean is_inline;

  if (tensor == NULL)
    return TRUE;
  is_inline = contents->is_small || sym_symscope_is_inline (tensor) ||
              (is_constant && sym_symscope_is_small (tensor));
  if (!is_inline && !contents->has_weights_file)
    {
      contents->n_omitted++;
      return TRUE;
    }

  sym_symscope_begin_member (out, "tensor");
  if (is_inline)
    return sym_symscope_append_tensor (out, tensor, error);
  sym_json_append_string (out, add_weight (contents, name, tensor));
  return TRUE;
}

/* ---- Members of a layer ---- */

/* Domain and name; the version only where the newest operator of that name is another. */
static void
append_operator (GString *out, const SymOperator *op)
{
  if (*op->domain != '\0')
    sym_symscope_append_member (out, "domain", op->domain);
  sym_symscope_append_member (out, "operator", op->name);
  if (sym_op_find (op->domain, op->name, 0) != op)
    {
      sym_symscope_begin_member (out, "since");
      g_string_append_printf (out, "%d", op->since_version);
    }
}

/* An operator that is not known here stays what its file said. */
static void
append_kept_operator (GString *out, const SymJson *json, guint object)
{
  static const char *const names[] = { "domain", "operator", "since" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint token = sym_json_get_member (json, object, names[i]);
      gsize length;
      const char *text = sym_json_get_text (json, token, &length);

      if (token == SYM_JSON_NONE)
        continue;
      sym_symscope_begin_member (out, names[i]);
      g_string_append_len (out, text, (gssize) length);
    }
}

/* MXNet's layers are called after their operators, those included that are not known here yet. */
static void
append_mxnet_operator (GString *out, const SymLayer *layer)
{
  sym_symscope_append_member (out, "domain", "mxnet");
  sym_symscope_append_member (out, "operator", sym_layer_get_type (layer));
}

static gboolean
append_function (GString *out, const SymFunction *function, SymProblems *notes, GError **error)
{
  SymSymscopeNumbers numbers;
  gboolean done = TRUE;

  sym_symscope_begin_member (out, "function");
  g_string_append_c (out, '{');
  sym_symscope_append_member (out, "name", function->name);
  if (function->infer != NULL)
    {
      if (notes != NULL)
        sym_problems_add (notes, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID,
                          "the function '%s' is saved by its name and with the types that its "
                          "results have now: how it finds them is not saved",
                          function->name);
    }
  else if (function->result.kind != SYM_KIND_UNKNOWN)
    {
      sym_symscope_numbers_init (&numbers, NULL);
      sym_symscope_begin_member (out, "result");
      done = sym_symscope_append_type (out, &function->result, &numbers, error);
      sym_symscope_numbers_clear (&numbers);
    }
  g_string_append_c (out, '}');
  return done;
}

static void
append_bodies (GString *out, SymSymscopeContents *contents, SymLayer *layer)
{
  guint n = sym_layer_get_n_bodies (layer);

  if (n == 0)
    return;
  sym_symscope_begin_member (out, "bodies");
  g_string_append_c (out, '[');
  for (guint i = 0; i < n; i++)
    {
      const char *name;
      SymModel *body = sym_layer_get_body (layer, i, &name);

      g_string_append (out, i == 0 ? "{" : ", {");
      sym_symscope_append_member (out, "name", name == NULL ? "" : name);
      sym_symscope_append_member (out, "model", g_hash_table_lookup (contents->model_keys, body));
      if (sym_layer_get_body_runs (layer, i))
        g_string_append (out, ", \"runs\": true");
      if (sym_layer_get_body_captures (layer, i) > 0)
        g_string_append_printf (out, ", \"captures\": %u", sym_layer_get_body_captures (layer, i));
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

static gboolean
append_parameter (GString *out,
                  SymSymscopeContents *contents,
                  const SymSymscopePlace *place,
                  guint i,
                  GError **error)
{
  const char *slot;
  const SymType *type;
  SymParameter *parameter = sym_layer_get_parameter (place->layer, i, &slot, &type);
  const char *shared = g_hash_table_lookup (contents->shared_keys, parameter);
  g_autofree char *name = g_strdup_printf ("%s.%s", place->key, slot == NULL ? "" : slot);
  SymSymscopeNumbers numbers;
  gboolean done;

  g_string_append (out, i == 0 ? "{" : ", {");
  sym_symscope_append_member (out, "name", slot == NULL ? "" : slot);
  sym_symscope_begin_member (out, "type");
  sym_symscope_numbers_init (&numbers, NULL);
  done = sym_symscope_append_type (out, type, &numbers, error);
  sym_symscope_numbers_clear (&numbers);
  if (!done)
    return FALSE;

  if (shared != NULL)
    sym_symscope_append_member (out, "parameter", shared);
  else if (!sym_parameter_get_trainable (parameter))
    g_string_append (out, ", \"trainable\": false");
  if (shared == NULL &&
      !sym_symscope_append_data (out, contents, name, sym_parameter_get_tensor (parameter), FALSE,
                                 error))
    return FALSE;
  g_string_append_c (out, '}');
  return TRUE;
}

static gboolean
append_parameters (GString *out,
                   SymSymscopeContents *contents,
                   const SymSymscopePlace *place,
                   GError **error)
{
  guint n = sym_layer_get_n_parameters (place->layer);

  if (n == 0)
    return TRUE;
  sym_symscope_begin_member (out, "parameters");
  g_string_append_c (out, '[');
  for (guint i = 0; i < n; i++)
    if (!append_parameter (out, contents, place, i, error))
      return FALSE;

  g_string_append_c (out, ']');
  return TRUE;
}

gboolean
sym_symscope_append_layer (GString *out,
                           SymSymscopeContents *contents,
                           const SymSymscopePlace *place,
                           SymProblems *notes,
                           GError **error)
{
  const SymSymscopeOrigin *origin = sym_symscope_get_origin (place->model);
  guint kept =
      origin == NULL ? SYM_JSON_NONE : sym_symscope_origin_find (origin->layers, place->call);
  SymLayer *layer = place->layer;
  const SymOperator *op = sym_layer_get_operator (layer);

  g_string_append_c (out, '{');
  sym_symscope_append_member (out, "type", sym_layer_get_type (layer));
  if (sym_layer_get_name (layer) != NULL)
    sym_symscope_append_member (out, "name", sym_layer_get_name (layer));
  if (op != NULL)
    append_operator (out, op);
  else if (kept != SYM_JSON_NONE)
    append_kept_operator (out, origin->json, kept);
  else if (sym_model_get_dialect (place->model) == SYM_DIALECT_MXNET &&
           sym_layer_get_function (layer) == NULL)
    append_mxnet_operator (out, layer);
  if (sym_layer_get_hides_parameters (layer))
    {
      sym_symscope_begin_member (out, "hides_parameters");
      g_string_append (out, "true");
    }
  if (sym_attributes_get_n (sym_layer_get_attributes (layer)) > 0)
    {
      sym_symscope_begin_member (out, "attributes");
      if (!sym_symscope_append_attributes (out, sym_layer_get_attributes (layer), op, error))
        return FALSE;
    }
  if (sym_layer_get_function (layer) != NULL &&
      !append_function (out, sym_layer_get_function (layer), notes, error))
    return FALSE;
  append_bodies (out, contents, layer);
  if (!append_parameters (out, contents, place, error))
    return FALSE;
  if (kept != SYM_JSON_NONE)
    sym_symscope_append_unknown (out, origin->json, kept, sym_symscope_layer_keys, ", ");
  g_string_append_c (out, '}');
  return TRUE;
}
