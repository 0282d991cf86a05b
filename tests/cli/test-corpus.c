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
    "draw '%s' -o - --to svg --expand --fold",
    "layout '%s' -o - --expand --nodes layers --direction right",
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
infer_as (SymModel *model, const SymDim *dims)
{
  g_autoptr (GError) error = NULL;
  SymOverride override = { .has_shape = TRUE };
  SymInference *inference;

  if (dims)
    {
      g_assert_true (sym_model_resolve (model, "data", &override.value, &error));
      override.shape = sym_shape_new (dims, 4);
    }
  inference = sym_infer (model, &override, dims ? 1 : 0, NULL, &error);
  g_assert_no_error (error);
  return inference;
}

static SymInference *
open_and_infer (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (SymInference) inference = infer_as (model, shapes[i]);

      if (sym_problems_get_n (sym_inference_get_problems (inference)) == 0)
        return g_steal_pointer (&inference);
    }
  g_test_message ("no shape fits");
  g_assert_not_reached ();
}

static char *
describe (const SymInference *inference, const SymType *type)
{
  g_autofree char *shape = sym_inference_format_shape (inference, &type->shape, ",");

  return g_strdup_printf ("%d [%s] %s", type->kind, shape, sym_dtype_to_string (type->dtype));
}

/* Whatever was known before. */
static gboolean
is_kept (const SymType *before, const SymType *after)
{
  if ((before->kind != SYM_KIND_UNKNOWN && before->kind != after->kind) ||
      (before->dtype != SYM_DTYPE_UNKNOWN && before->dtype != after->dtype) ||
      (before->shape.rank >= 0 && before->shape.rank != after->shape.rank))
    return FALSE;
  for (int i = 0; i < before->shape.rank; i++)
    if (before->shape.dims[i] >= 0 && before->shape.dims[i] != after->shape.dims[i])
      return FALSE;
  return TRUE;
}

/* Values are found by their names, which are the whole graph's but where one occurs twice. */
static void
assert_types_kept (const SymInference *inference, const SymInference *part)
{
  SymModel *model = sym_inference_get_model (inference);
  SymModel *again = sym_inference_get_model (part);

  for (SymId value = 0; value < sym_model_get_n_values (again); value++)
    {
      const char *name = sym_model_get_unique_name (again, value);
      SymType after = sym_inference_get_type (part, value);
      g_autofree char *expected = NULL;
      g_autofree char *got = NULL;
      SymType before;
      SymId old;

      g_assert_true (sym_model_resolve (model, name, &old, NULL));
      before = sym_inference_get_type (inference, old);
      if (is_kept (&before, &after))
        continue;
      expected = describe (inference, &before);
      got = describe (part, &after);
      g_test_message ("%s", name);
      g_assert_cmpstr (got, ==, expected);
    }
}

static void
write_and_compare (const SymInference *inference,
                   SymModel *part,
                   SymId output,
                   const char *format,
                   const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (SymInference) part_inference = NULL;

  sym_io_write (sym_io_find_format (format), part, NULL, path, NULL, &error);
  g_assert_no_error (error);
  again = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_model_get_outputs (again).n, ==, 1);
  g_assert_cmpstr (sym_model_get_value_name (again, sym_model_get_outputs (again).ids[0]), ==,
                   sym_model_get_value_name (sym_inference_get_model (inference), output));
  part_inference = infer_as (again, NULL);
  assert_types_kept (inference, part_inference);
}

/* @start is SYM_NO_ID for the graph's own inputs. */
static void
cut_at (const SymInference *inference, const char *stem, SymId start, SymId end)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *mxnet = g_strconcat (stem, "-symbol.json", NULL);
  g_autofree char *symscope = g_strconcat (stem, ".json", NULL);
  SymModel *model = sym_inference_get_model (inference);
  g_autoptr (SymSelection) selection =
      sym_selection_new (model, &start, start != SYM_NO_ID, &end, 1, NULL, &error);
  g_autoptr (SymModel) part = NULL;

  if (start != SYM_NO_ID && !selection)
    return;
  g_assert_no_error (error);
  g_test_message ("%s to %s", start == SYM_NO_ID ? "" : sym_model_get_unique_name (model, start),
                  sym_model_get_unique_name (model, end));
  part = sym_selection_extract (selection, inference);
  write_and_compare (inference, part, end, "mxnet", scratch (mxnet));
  write_and_compare (inference, part, end, "symscope", scratch (symscope));
}

/* At every inner node: what leads to it, and what follows from it.  Weights go by the stem. */
static void
cut_with (const SymInference *inference, const char *stem)
{
  SymModel *model = sym_inference_get_model (inference);
  SymIds rows = sym_model_get_rows (model);
  SymId end = sym_model_get_outputs (model).ids[0];

  for (guint i = 0; i < rows.n; i++)
    if (sym_model_get_producer (model, rows.ids[i]) != SYM_NO_ID)
      {
        cut_at (inference, stem, SYM_NO_ID, rows.ids[i]);
        cut_at (inference, stem, rows.ids[i], end);
      }
}

static void
cut_everywhere (const char *path)
{
  g_autofree char *stem = g_path_get_basename (path);
  g_autoptr (SymInference) known = open_and_infer (path);
  g_autoptr (SymInference) unknown = infer_as (sym_inference_get_model (known), NULL);

  cut_with (known, stem);
  cut_with (unknown, stem);
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
