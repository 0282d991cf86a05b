/* SPDX-License-Identifier: MIT */
#include "cli/sym-cli-run.h"
#include "io/sym-onnx-data.h"
#include "run/sym-run-compare.h"
#include "store/sym-store-numpy.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Files ---- */

/* `input_0.pb` or `input_0.npy` of a folder; NULL when there is neither. */
static char *
find_file (const char *folder, const char *what, guint i)
{
  static const char *const suffixes[] = { "pb", "npy" };

  for (guint j = 0; j < G_N_ELEMENTS (suffixes); j++)
    {
      g_autofree char *name = g_strdup_printf ("%s_%u.%s", what, i, suffixes[j]);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static SymDatum *
read_file (const char *path, const SymType *type, GError **error)
{
  g_autoptr (SymTensor) tensor = NULL;

  if (g_str_has_suffix (path, ".pb"))
    return sym_onnx_read_datum (path, type, error);
  tensor = sym_store_open_npy (path, error);
  return tensor == NULL ? NULL : sym_datum_new_read (tensor, error);
}

/* ---- Inputs ---- */

static gboolean
read_inputs (char *const *paths,
             SymModel *model,
             const SymId *targets,
             GArray *feeds,
             GError **error)
{
  guint n = sym_model_get_inputs (model).n;

  for (guint i = 0; i < n; i++)
    {
      SymType type = sym_model_get_declared_type (model, targets[i]);
      SymCliFeed feed = { .value = targets[i] };

      if (paths[i] == NULL)
        continue;
      feed.datum = read_file (paths[i], &type, error);
      if (feed.datum == NULL)
        return FALSE;
      g_array_append_val (feeds, feed);
    }
  return TRUE;
}

gboolean
sym_cli_read_data (const char *folder, SymModel *model, GArray *feeds, GError **error)
{
  SymIds inputs = sym_model_get_inputs (model);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree SymId *targets = NULL;

  for (guint i = 0; i < inputs.n; i++)
    g_ptr_array_add (paths, find_file (folder, "input", i));
  targets = sym_onnx_match_data (model, (const char *const *) paths->pdata);
  return read_inputs ((char *const *) paths->pdata, model, targets, feeds, error);
}

/* ---- Outputs ---- */

/* A number of an option; @fallback when it was not given. */
static gboolean
get_tolerance (const SymCliArguments *arguments,
               const char *option,
               double fallback,
               double *value,
               GError **error)
{
  const char *text = sym_cli_arguments_get (arguments, option);
  char *end;

  *value = fallback;
  if (text == NULL)
    return TRUE;
  *value = g_ascii_strtod (text, &end);
  if (*text != '\0' && *end == '\0' && *value >= 0)
    return TRUE;
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE, "--%s takes a number from 0 on, not “%s”",
               option, text);
  return FALSE;
}

gboolean
sym_cli_get_tolerances (const SymCliArguments *arguments, double tolerances[2], GError **error)
{
  return get_tolerance (arguments, "rtol", 1e-3, &tolerances[0], error) &&
         get_tolerance (arguments, "atol", 1e-7, &tolerances[1], error);
}

static gboolean
has_outputs (const char *folder, const SymModel *model, GError **error)
{
  for (guint i = 0; i < sym_model_get_outputs (model).n; i++)
    {
      g_autofree char *path = find_file (folder, "output", i);

      if (path != NULL)
        return TRUE;
    }
  g_set_error (error, SYM_CLI_ERROR, SYM_CLI_ERROR_REQUEST,
               g_file_test (folder, G_FILE_TEST_IS_DIR)
                   ? "%s holds no output_0.pb or output_0.npy to compare with"
                   : "there is no folder %s",
               folder);
  return FALSE;
}

gboolean
sym_cli_check_data (SymCliArguments *arguments, const SymModel *model, GError **error)
{
  const char *folder = sym_cli_arguments_get (arguments, "data");
  double tolerances[2];

  if (!sym_cli_get_tolerances (arguments, tolerances, error))
    return FALSE;
  if (folder != NULL)
    return has_outputs (folder, model, error);
  if (!sym_cli_arguments_has (arguments, "rtol") && !sym_cli_arguments_has (arguments, "atol"))
    return TRUE;
  g_set_error_literal (error, SYM_CLI_ERROR, SYM_CLI_ERROR_USAGE,
                       "--rtol and --atol compare with the outputs of --data, which is not given");
  return FALSE;
}

static gboolean
compare (const SymRun *run,
         const SymInference *inference,
         SymId output,
         const char *path,
         const double *tolerances,
         GError **error)
{
  const char *name = sym_model_get_unique_name (sym_inference_get_model (inference), output);
  SymDatum *actual = sym_run_get (run, output);
  SymType type = { .kind = sym_datum_get_kind (actual), .dtype = sym_datum_get_dtype (actual) };
  g_autoptr (SymDatum) expected = read_file (path, &type, error);

  if (expected == NULL)
    return FALSE;
  if (sym_run_compare (actual, expected, tolerances[0], tolerances[1], error))
    return TRUE;
  g_prefix_error (error, "output “%s” is not that of %s: ", name, path);
  return FALSE;
}

gboolean
sym_cli_compare_data (SymCliArguments *arguments,
                      const SymRun *run,
                      const SymInference *inference,
                      GError **error)
{
  const char *folder = sym_cli_arguments_get (arguments, "data");
  SymIds outputs = sym_model_get_outputs (sym_inference_get_model (inference));
  double tolerances[2];
  guint n = 0;

  if (!sym_cli_get_tolerances (arguments, tolerances, error))
    return FALSE;
  for (guint i = 0; i < outputs.n; i++)
    {
      g_autofree char *path = find_file (folder, "output", i);

      if (path == NULL)
        continue;
      if (!compare (run, inference, outputs.ids[i], path, tolerances, error))
        return FALSE;
      n++;
    }
  printf ("%u of %u outputs compared: as expected\n", n, outputs.n);
  return TRUE;
}
