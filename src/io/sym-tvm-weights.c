/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-problem-lack.h"
#include "io/sym-net-constants.h"
#include "io/sym-tvm-private.h"
#include "store/sym-store-external.h"

/* Where the parameters of a graph lie, by what TVM's own examples call them: "net.json" with
 * "net.params", "deploy_graph.json" with "deploy_param.params", and in an archive of a whole model
 * "executor-config/graph/default.graph" with "parameters/default.params". */

/* @stem with what stands for the graph replaced by @part: "deploy_graph" and "param". */
static char *
replace_graph (const char *stem, const char *part)
{
  const char *place = g_strrstr (stem, "graph");
  g_autofree char *before = place == NULL ? NULL : g_strndup (stem, (gsize) (place - stem));

  return place == NULL ? NULL
                       : g_strconcat (before, part, place + strlen ("graph"), ".params", NULL);
}

/* "net_graph" is the graph of "net". */
static char *
drop_graph (const char *stem)
{
  static const char *const ends[] = { "_graph", "-graph", ".graph", NULL };

  for (guint i = 0; ends[i] != NULL; i++)
    if (g_str_has_suffix (stem, ends[i]))
      {
        g_autofree char *net = g_strndup (stem, strlen (stem) - strlen (ends[i]));

        return g_strconcat (net, ".params", NULL);
      }
  return NULL;
}

static void
add_candidate (GPtrArray *candidates, char *take_name)
{
  if (take_name != NULL)
    g_ptr_array_add (candidates, take_name);
}

static GPtrArray *
list_candidates (const char *file)
{
  GPtrArray *candidates = g_ptr_array_new_with_free_func (g_free);
  const char *dot = strrchr (file, '.');
  g_autofree char *stem = dot == NULL ? g_strdup (file) : g_strndup (file, (gsize) (dot - file));

  add_candidate (candidates, g_strconcat (stem, ".params", NULL));
  add_candidate (candidates, replace_graph (stem, "param"));
  add_candidate (candidates, replace_graph (stem, "params"));
  add_candidate (candidates, drop_graph (stem));
  return candidates;
}

/* ---- Files ---- */

static SymBlob *
open_entry (const SymIoSource *source, const char *folder, const char *name, GError **error)
{
  g_autofree char *path =
      strcmp (folder, ".") == 0 ? g_strdup (name) : g_strconcat (folder, "/", name, NULL);
  int entry = sym_store_archive_find (source->archive, path);

  return entry < 0 ? NULL : sym_store_archive_open_entry (source->archive, (guint) entry, error);
}

static SymBlob *
open_file (const SymIoSource *source, const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (source->archive != NULL)
    return open_entry (source, folder, name, error);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? sym_store_open_beside (folder, name, error)
                                                    : NULL;
}

/* "parameters" beside "executor-config", where the graph is in that one's folder "graph". */
static char *
find_parameters_folder (const char *folder)
{
  g_autofree char *around = g_path_get_dirname (folder);
  g_autofree char *top = g_path_get_dirname (around);
  g_autofree char *last = g_path_get_basename (folder);
  g_autofree char *above = g_path_get_basename (around);

  if (strcmp (last, "graph") != 0 || strcmp (above, "executor-config") != 0)
    return NULL;
  return strcmp (top, ".") == 0 ? g_strdup ("parameters") : g_strconcat (top, "/parameters", NULL);
}

static SymStoreTensors *
try_folder (const SymIoSource *source, const char *folder, const char *file)
{
  g_autoptr (GPtrArray) candidates = list_candidates (file);

  for (guint i = 0; i < candidates->len; i++)
    {
      const char *name = g_ptr_array_index (candidates, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymBlob) blob = open_file (source, folder, name, &error);
      SymStoreTensors *tensors = blob == NULL ? NULL : sym_store_read_tvm (blob, name, &error);

      if (error != NULL)
        sym_problems_add_lack (source->problems, SYM_SEVERITY_ERROR, 0,
                               "the parameters beside the graph cannot be read: %s",
                               error->message);
      if (tensors != NULL || error != NULL)
        return tensors;
    }
  return NULL;
}

static SymStoreTensors *
open_beside (const SymIoSource *source)
{
  g_autofree char *path = sym_net_dup_place (source);
  g_autofree char *folder = path == NULL ? NULL : g_path_get_dirname (path);
  g_autofree char *file = path == NULL ? NULL : g_path_get_basename (path);
  g_autofree char *parameters = NULL;
  SymStoreTensors *tensors;

  if (path == NULL)
    return NULL;
  tensors = try_folder (source, folder, file);
  parameters = tensors == NULL ? find_parameters_folder (folder) : NULL;
  return parameters == NULL ? tensors : try_folder (source, parameters, file);
}

gboolean
sym_tvm_open_weights (const SymIoSource *source, SymStoreTensors **weights, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (SymBlob) blob = NULL;

  if (source->weights == NULL)
    {
      *weights = open_beside (source);
      return TRUE;
    }
  blob = sym_store_open_file (source->weights, &cause);
  *weights = blob == NULL ? NULL : sym_store_read_tvm (blob, source->weights, &cause);
  if (*weights != NULL)
    return TRUE;
  g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE, "the weights cannot be read: %s",
               cause->message);
  return FALSE;
}

/* ---- Values ---- */

void
sym_tvm_give_weight (SymNet *net,
                     SymId value,
                     const char *name,
                     const SymType *type,
                     SymTensor *tensor,
                     guint token)
{
  SymModelBuilder *builder = sym_net_get_builder (net);
  SymType own = sym_type_tensor (sym_tensor_get_dtype (tensor), *sym_tensor_get_shape (tensor));

  if (!sym_tensor_fits (tensor, type))
    {
      g_autofree char *message = g_strdup_printf (
          "“%s” has another shape or dtype in the parameters than in the graph", name);

      sym_net_warn_of_lack (net, token, "%s", message);
      sym_model_builder_set_lack (builder, value, message);
      return;
    }
  sym_model_builder_set_type (builder, value, &own);
  sym_model_builder_set_parameter (builder, value, sym_parameter_new (TRUE, tensor));
}
