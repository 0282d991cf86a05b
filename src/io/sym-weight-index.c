/* SPDX-License-Identifier: MIT */
#include "io/sym-net.h"

#include <string.h>

/* The index of weights that Hugging Face's libraries split over files
 * (model.safetensors.index.json, pytorch_model.bin.index.json): no graph, but the tensors of each
 * module.  Shapes and numbers come from the safetensors beside it, where they are. */

static int
score (const SymJson *json)
{
  guint map = sym_json_get_member (json, 0, "weight_map");
  SymJsonIter first = sym_json_iterate (json, map);

  return sym_json_get_kind (json, map) == SYM_JSON_OBJECT && sym_json_iter_next (json, &first) &&
                 sym_json_get_kind (json, first.value) == SYM_JSON_STRING
             ? 100
             : 0;
}

#define MAX_TOLD 4 /* files that are told by name */

typedef struct {
  const SymIoSource *source;
  GHashTable *files;   /* name to SymStoreTensors, or NULL for one that cannot be read */
  GHashTable *modules; /* path to call + 1 */
  GString *unread;     /* names of those, and why each cannot be read */
  guint n_unread;      /* of them */
  guint n_without;     /* tensors that are in none */
} Walk;

static void
unref_tensors (gpointer tensors)
{
  if (tensors != NULL)
    sym_store_tensors_unref (tensors);
}

static void
tell_unread (Walk *walk, const char *name, const char *why)
{
  if (walk->n_unread++ < MAX_TOLD)
    g_string_append_printf (walk->unread, "; '%s': %s", name, why);
}

/* Only files of the same folder, and only safetensors: the others are pickles. */
static SymStoreTensors *
open_file (Walk *walk, const char *name)
{
  g_autofree char *folder = NULL, *path = NULL;
  g_autoptr (GError) error = NULL;
  SymStoreTensors *tensors;

  if (!g_str_has_suffix (name, ".safetensors"))
    tell_unread (walk, name, "it is no safetensors, and pickles are not read");
  else if (walk->source->path == NULL || strchr (name, '/') != NULL)
    tell_unread (walk, name, "it is not looked for");
  else
    {
      folder = g_path_get_dirname (walk->source->path);
      path = g_build_filename (folder, name, NULL);
      tensors = sym_store_open_safetensors (path, &error);
      if (tensors == NULL)
        tell_unread (walk, name,
                     g_file_test (path, G_FILE_TEST_EXISTS) ? error->message : "it is missing");
      return tensors;
    }
  return NULL;
}

static SymStoreTensors *
find_file (Walk *walk, const char *name)
{
  SymStoreTensors *tensors;
  gpointer found;

  if (g_hash_table_lookup_extended (walk->files, name, NULL, &found))
    return found;
  tensors = open_file (walk, name);
  g_hash_table_insert (walk->files, g_strdup (name), tensors);
  return tensors;
}

/* The module "model.layers.0.mlp" as a call, named with slashes, so that modules make groups. */
static SymId
find_module (SymNet *net, const Walk *walk, const char *module, guint token)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (walk->modules, module));
  g_autofree char *name = NULL;
  const char *last;
  SymId call;

  if (known != 0)
    return known - 1;
  name = g_strdelimit (g_strdup (module), ".", '/');
  last = strrchr (name, '/');
  call = sym_net_add_call (net, name, last == NULL ? name : last + 1, NULL, NULL, token);
  sym_net_add_result (net, call, NULL, NULL, NULL);
  g_hash_table_insert (walk->modules, g_strdup (module), GUINT_TO_POINTER (call + 1));
  return call;
}

static gboolean
add_tensor (SymNet *net, guint key, guint entry, gpointer user_data, GError **error)
{
  Walk *walk = user_data;
  const SymJson *json = sym_net_get_json (net);
  g_autofree char *name = sym_json_dup_string (json, key);
  g_autofree char *file = sym_json_dup_string (json, entry);
  const char *dot = strrchr (name, '.');
  g_autofree char *module =
      dot == NULL ? g_strdup ("weights") : g_strndup (name, (gsize) (dot - name));
  SymStoreTensors *tensors = file == NULL ? NULL : find_file (walk, file);
  SymTensor *tensor = tensors == NULL ? NULL : sym_store_tensors_find (tensors, name);
  SymType type = SYM_TYPE_UNKNOWN;
  SymId call, value;

  if (file == NULL)
    return sym_json_fail (json, entry, error, "'%s' must tell the name of a file", name);

  walk->n_without += tensor == NULL;
  if (tensor != NULL)
    type = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));
  call = find_module (net, walk, module, entry);
  value = sym_net_add_value (net, name, NULL, SYM_ROLE_PARAMETER, &type, entry);
  if (tensor != NULL)
    sym_model_builder_set_parameter (sym_net_get_builder (net), value,
                                     sym_parameter_new (TRUE, tensor));
  sym_net_add_operand (net, call, name);
  return TRUE;
}

static SymModel *
read_index (SymJson *json, const SymIoSource *source, GError **error)
{
  g_autoptr (SymNet) net = sym_net_new (source, json, "weight-index");
  g_autoptr (GHashTable) files =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_tensors);
  g_autoptr (GHashTable) modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) unread = g_string_new (NULL);
  Walk walk = { source, files, modules, unread, 0, 0 };

  if (!sym_net_visit (net, sym_json_get_member (json, 0, "weight_map"), add_tensor, &walk, error))
    return NULL;
  if (walk.n_unread > MAX_TOLD)
    g_string_append_printf (unread, "; and %u files more", walk.n_unread - MAX_TOLD);
  if (walk.n_without > 0)
    sym_net_warn (net, 0, "%u weights were not found: their shapes are not known%s", walk.n_without,
                  unread->str);
  return sym_net_end (g_steal_pointer (&net), error);
}

const SymIoFormat sym_weight_index_format = {
  .name = "weight-index",
  .title = "index of weights (Hugging Face)",
  .versions = "safetensors and PyTorch",
  .limits = "no graph: modules and their tensors; does not run",
  .suffix = ".json",
  .score = score,
  .read = read_index,
};
