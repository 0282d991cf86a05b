/* SPDX-License-Identifier: MIT */
#include "io/sym-symscope-write-private.h"

#include <string.h>

#include "io/sym-io-lost.h"

/* Two spaces a level, one line for each layer and each node, members in a fixed order: the same
 * model gives the same bytes, and a small change a small diff. */

/* What is kept of a file of weights that was not there; of no use beside other weights. */
static const SymSymscopeOrigin *
get_origin_without_weights (const SymSymscopeContents *contents)
{
  const SymSymscopeOrigin *origin =
      sym_symscope_get_origin (g_ptr_array_index (contents->models, 0));

  return origin != NULL && origin->lacks_weights && contents->is_small ? origin : NULL;
}

static void
append_missing_tensor (GString *out, const SymSymscopeContents *contents, const char *key)
{
  const SymSymscopeOrigin *origin = get_origin_without_weights (contents);
  g_autofree char *name = NULL;
  guint table, object;

  if (origin == NULL)
    return;
  table = sym_json_get_member (origin->json, 0, "parameters");
  object = sym_json_get_member (origin->json, table, key);
  name = sym_json_dup_string (origin->json, sym_json_get_member (origin->json, object, "tensor"));
  if (name != NULL)
    sym_symscope_append_member (out, "tensor", name);
}

static gboolean
append_shared (GString *out, SymSymscopeContents *contents, GError **error)
{
  if (contents->shared->len == 0)
    return TRUE;
  g_string_append (out, "  \"parameters\": {");
  for (guint i = 0; i < contents->shared->len; i++)
    {
      SymParameter *parameter = g_ptr_array_index (contents->shared, i);
      const char *key = g_hash_table_lookup (contents->shared_keys, parameter);

      g_string_append (out, i == 0 ? "\n    " : ",\n    ");
      sym_json_append_string (out, key);
      g_string_append (out, ": {");
      if (!sym_parameter_get_trainable (parameter))
        g_string_append (out, "\"trainable\": false");
      if (sym_parameter_get_tensor (parameter) == NULL)
        append_missing_tensor (out, contents, key);
      if (!sym_symscope_append_data (out, contents, key, sym_parameter_get_tensor (parameter),
                                     FALSE, error))
        return FALSE;
      g_string_append_c (out, '}');
    }
  g_string_append (out, "\n  },\n");
  return TRUE;
}

static gboolean
append_layers (GString *out, SymSymscopeContents *contents, SymProblems *notes, GError **error)
{
  g_string_append (out, "  \"layers\": {");
  for (guint i = 0; i < contents->layers->len; i++)
    {
      const SymSymscopePlace *place = g_ptr_array_index (contents->layers, i);

      g_string_append (out, i == 0 ? "\n    " : ",\n    ");
      sym_json_append_string (out, place->key);
      g_string_append (out, ": ");
      if (!sym_symscope_append_layer (out, contents, place, notes, error))
        return FALSE;
    }
  g_string_append (out, contents->layers->len == 0 ? "},\n" : "\n  },\n");
  return TRUE;
}

static gboolean
append_models (GString *out, SymSymscopeContents *contents, GError **error)
{
  g_string_append (out, "  \"models\": {");
  for (guint i = 0; i < contents->models->len; i++)
    {
      SymModel *model = g_ptr_array_index (contents->models, i);

      g_string_append (out, i == 0 ? "\n    " : ",\n    ");
      sym_json_append_string (out, g_hash_table_lookup (contents->model_keys, model));
      g_string_append (out, ": {\n");
      if (!sym_symscope_append_model (out, contents, model, error))
        return FALSE;
      g_string_append (out, "\n    }");
    }
  g_string_append (out, "\n  }");
  return TRUE;
}

/* ---- Weights ---- */

/* The file beside the graph: x.symscope.json and x.json have x.safetensors. */
static char *
make_weights_path (const char *path)
{
  static const char *const suffixes[] = { ".symscope.json", ".json", ".symscope" };
  gsize length = strlen (path);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i]))
      {
        length -= strlen (suffixes[i]);
        break;
      }
  return g_strdup_printf ("%.*s.safetensors", (int) length, path);
}

static char *
find_missing_weights (const SymSymscopeContents *contents)
{
  const SymSymscopeOrigin *origin = get_origin_without_weights (contents);

  if (origin == NULL)
    return NULL;
  return sym_json_dup_string (origin->json, sym_json_get_member (origin->json, 0, "weights"));
}

static gboolean
write_weights (SymSymscopeContents *contents, const char *path, GError **error)
{
  g_autoptr (GError) cause = NULL;

  if (contents->weights->len == 0)
    return TRUE;
  if (sym_store_write_safetensors (path, (const char *const *) contents->weight_names->pdata,
                                   (SymTensor *const *) contents->weights->pdata,
                                   contents->weights->len, &cause))
    return TRUE;
  g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, cause->message);
  return FALSE;
}

/* ---- The document ---- */

/* Goes before what is written already, since only that knows whether there are weights. */
static void
prepend_head (GString *out, const SymSymscopeContents *contents, const char *path)
{
  g_autoptr (GString) head = g_string_new (NULL);
  g_autofree char *weights =
      contents->weights->len > 0 ? g_path_get_basename (path) : find_missing_weights (contents);

  g_string_append_printf (head, "{\n  \"format\": \"symscope\",\n  \"version\": %d,\n",
                          SYM_SYMSCOPE_VERSION);
  if (weights != NULL)
    {
      g_string_append (head, "  \"weights\": ");
      sym_json_append_string (head, weights);
      g_string_append (head, ",\n");
    }
  g_string_prepend_len (out, head->str, (gssize) head->len);
}

GString *
sym_symscope_format_document (SymModel *model,
                              SymSymscopeContents *contents,
                              const char *weights_path,
                              SymProblems *notes,
                              GError **error)
{
  const SymSymscopeOrigin *origin = sym_symscope_get_origin (model);
  g_autoptr (GString) out = g_string_new (NULL);

  if (!append_shared (out, contents, error) || !append_layers (out, contents, notes, error) ||
      !append_models (out, contents, error))
    return NULL;
  if (origin != NULL)
    sym_symscope_append_unknown (out, origin->json, 0, sym_symscope_root_keys, ",\n  ");
  g_string_append (out, "\n}\n");
  prepend_head (out, contents, weights_path);
  return g_steal_pointer (&out);
}

gboolean
sym_symscope_write (SymModel *model,
                    const SymInference *inference,
                    const char *path,
                    SymProblems *notes,
                    GError **error)
{
  gboolean is_standard_output = g_str_equal (path, "-");
  g_autofree char *weights_path = make_weights_path (path);
  g_autoptr (GString) text = NULL;
  SymSymscopeContents contents;
  gboolean done;

  if (!sym_symscope_contents_init (&contents, model, !is_standard_output, error))
    return FALSE;
  text = sym_symscope_format_document (model, &contents, weights_path, notes, error);
  done = text != NULL && write_weights (&contents, weights_path, error) &&
         sym_io_write_text (path, text->str, text->len, error);
  if (done)
    sym_io_note_tensors (contents.n_omitted, notes);
  sym_symscope_contents_clear (&contents);
  return done;
}
