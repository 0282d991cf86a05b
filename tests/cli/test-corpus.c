/* SPDX-License-Identifier: MIT */
#include "spawn.h"

#include <string.h>

#include "core/sym-extract.h"
#include "io/sym-io.h"

/* Every MXNet graph of the corpus: each subcommand, and cuts at inner nodes. */

/* Shapes of `data`, the first of which that fits a graph makes it known. */
static const SymDim shapes[][4] = {
  { 1, 3, 224, 224 },
  { 1, 3, 512, 512 },
  { 1, 3, 24, 24 },
  { 1, 1, 28, 28 },
};

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
collect_paths (void)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_autofree char *folder = corpus && *corpus ? g_build_filename (corpus, "mxnet", NULL) : NULL;
  g_autoptr (GDir) dir = folder ? g_dir_open (folder, 0, NULL) : NULL;
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

static void
for_each_file (void (*test) (const char *path))
{
  g_autoptr (GPtrArray) paths = collect_paths ();

  if (paths->len == 0)
    {
      g_test_skip ("there is no corpus");
      return;
    }
  for (guint i = 0; i < paths->len; i++)
    {
      g_test_message ("%s", (const char *) paths->pdata[i]);
      test (paths->pdata[i]);
    }
}

static void
look (const char *path)
{
  static const char *const lines[] = {
    "summary '%s'",
    "summary '%s' --style keras",
    "summary '%s' --style mxnet",
    "summary '%s' --style torchinfo --expand",
    "list '%s' layers",
    "infer '%s' --partial",
    "check '%s'",
    "draw '%s' -o - --to svg",
    "draw '%s' -o - --to dot --nodes layers",
    "layout '%s' -o -",
  };
  g_autoptr (Ending) summary = run_line ("summary '%s' --format json", path);
  g_autoptr (cJSON) json = ending_parse (summary, 0);

  g_assert_cmpint (cJSON_GetArraySize (member (json, "rows")), >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], "%s", 2);
      g_autoptr (Ending) ending = run_line ("%s%s%s", parts[0], path, parts[1]);

      assert_status (ending, 0);
    }
}

static void
test_look (void)
{
  for_each_file (look);
}

static SymInference *
open_and_infer (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  SymOverride override = { .has_shape = TRUE };

  g_assert_no_error (error);
  g_assert_true (sym_model_resolve (model, "data", &override.value, &error));
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (SymInference) inference = NULL;

      override.shape = sym_shape_new (shapes[i], 4);
      inference = sym_infer (model, &override, 1, NULL, &error);
      g_assert_no_error (error);
      if (sym_problems_get_n (sym_inference_get_problems (inference)) == 0)
        return g_steal_pointer (&inference);
    }
  g_test_message ("no shape fits");
  g_assert_not_reached ();
}

static char *
describe (const SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);
  g_autofree char *shape = sym_inference_format_shape (inference, &type.shape, ",");

  return g_strdup_printf ("%d [%s] %s", type.kind, shape, sym_dtype_to_string (type.dtype));
}

static gboolean
is_known (const SymInference *inference, SymId value)
{
  SymType type = sym_inference_get_type (inference, value);

  return type.kind == SYM_KIND_TENSOR && sym_shape_is_known (&type.shape);
}

/* Where inputs are not known, layers behind the cut may have told what the part cannot. */
static gboolean
is_told_by_inputs (const SymInference *inference, const SymSelection *selection, SymId value)
{
  SymIds inputs = sym_selection_get_inputs (selection);

  for (guint i = 0; i < inputs.n; i++)
    if (!is_known (inference, inputs.ids[i]))
      return FALSE;
  return is_known (inference, value);
}

static gboolean
is_same (const SymType *before, const SymType *after)
{
  return after->kind == before->kind && sym_shape_equal (&before->shape, &after->shape) &&
         (before->dtype == SYM_DTYPE_UNKNOWN || before->dtype == after->dtype);
}

static void
cut_at (const SymInference *inference, SymId value)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_inference_get_model (inference);
  const char *path = scratch ("cut-symbol.json");
  g_autoptr (SymSelection) selection = sym_selection_new (model, NULL, 0, &value, 1, NULL, &error);
  g_autoptr (SymModel) part = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (SymInference) part_inference = NULL;
  SymType before = sym_inference_get_type (inference, value);
  SymType after;

  g_assert_no_error (error);
  part = sym_selection_extract (selection, inference);
  sym_io_write (sym_io_find_format ("mxnet"), part, NULL, path, NULL, &error);
  g_assert_no_error (error);
  again = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_model_get_outputs (again).n, ==, 1);
  g_assert_cmpstr (sym_model_get_value_name (again, sym_model_get_outputs (again).ids[0]), ==,
                   sym_model_get_value_name (model, value));
  part_inference = sym_infer (again, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  after = sym_inference_get_type (part_inference, sym_model_get_outputs (again).ids[0]);
  if (is_told_by_inputs (inference, selection, value) && !is_same (&before, &after))
    {
      g_autofree char *expected = describe (inference, value);
      g_autofree char *got = describe (part_inference, sym_model_get_outputs (again).ids[0]);

      g_test_message ("%s", sym_model_get_value_name (model, value));
      g_assert_cmpstr (got, ==, expected);
    }
}

static void
cut_everywhere (const char *path)
{
  g_autoptr (SymInference) inference = open_and_infer (path);
  SymModel *model = sym_inference_get_model (inference);
  SymIds rows = sym_model_get_rows (model);

  for (guint i = 0; i < rows.n; i++)
    if (sym_model_get_producer (model, rows.ids[i]) != SYM_NO_ID)
      cut_at (inference, rows.ids[i]);
}

static void
test_cut_everywhere (void)
{
  for_each_file (cut_everywhere);
}

/* Each distinct output once; what is live is kept, what is dead is not. */
static void
cut_at_outputs (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = open_and_infer (path);
  SymModel *model = sym_inference_get_model (inference);
  SymIds outputs = sym_model_get_outputs (model);
  SymIds order = sym_model_get_execution_order (model);
  g_autoptr (SymSelection) selection =
      sym_selection_new (model, NULL, 0, outputs.ids, outputs.n, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < order.n; i++)
    {
      SymIds results = sym_model_get_results (model, order.ids[i]);
      gboolean live = FALSE;

      for (guint k = 0; k < results.n; k++)
        live = live || sym_model_is_live (model, results.ids[k]);
      g_assert_cmpint (sym_selection_has_call (selection, order.ids[i]), ==, live);
    }
}

static void
test_cut_at_outputs (void)
{
  for_each_file (cut_at_outputs);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/corpus/looks-at-every-file", test_look);
  g_test_add_func ("/cli/corpus/cuts-every-file-at-every-node", test_cut_everywhere);
  g_test_add_func ("/cli/corpus/keeps-the-live-part-at-all-outputs", test_cut_at_outputs);
  status = g_test_run ();
  clear_scratch ();
  return status;
}
