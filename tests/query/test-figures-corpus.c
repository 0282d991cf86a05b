/* SPDX-License-Identifier: MIT */
#include "io/sym-io.h"
#include "query/sym-summary-view.h"

static SymModel *
open_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static char *
find_file (const char *name)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_autofree char *path =
      corpus != NULL && *corpus != '\0' ? g_build_filename (corpus, name, NULL) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

/* An image for the input called "data" of what does not tell the size of its own. */
static SymInference *
infer (SymModel *model, gint64 size)
{
  SymIds inputs = sym_model_get_inputs (model);
  SymOverride override = { .has_shape = TRUE,
                           .shape = SYM_SHAPE (1, 3, size, size),
                           .has_dtype = TRUE,
                           .dtype = SYM_DTYPE_FLOAT32 };

  for (guint i = 0; i < inputs.n; i++)
    if (g_str_equal (sym_model_get_value_name (model, inputs.ids[i]), "data"))
      {
        override.value = inputs.ids[i];
        return sym_infer (model, &override, size > 0, NULL, NULL);
      }
  return sym_infer (model, NULL, 0, NULL, NULL);
}

/* As torchvision's tables have them. */
static void
test_known (void)
{
  static const struct {
    const char *file;
    gint64 size;
    guint64 multiply_adds;
  } cases[] = {
    { "onnx/light/light_resnet50/model.onnx", 0, 4089184256 },
    { "onnx/light/light_squeezenet/model.onnx", 0, 349151936 },
    { "mxnet/deepjavalibrary-resnet18_v1-symbol.json", 224, 1814073344 },
    { "torch-export/torchvision-resnet50.model.json", 0, 4089184256 },
    { "torch-export/torchvision-efficientnet_b0.model.json", 0, 385814752 },
    { "torch-export/torchvision-mobilenet_v3_small.model.json", 0, 56510400 },
  };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = find_file (cases[i].file);
      g_autoptr (SymModel) model = path == NULL ? NULL : open_file (path);
      g_autoptr (SymInference) inference = NULL;
      g_autoptr (SymFigures) figures = NULL;
      SymCount count;

      if (model == NULL)
        continue;
      inference = infer (model, cases[i].size);
      figures = sym_figures_new (inference, NULL, NULL);
      count = sym_figures_get_totals (figures).multiply_adds;
      g_assert_true (count.known);
      g_assert_cmpuint (count.n, ==, cases[i].multiply_adds);
      n++;
    }
  if (n == 0)
    g_test_skip ("there is no corpus");
}

static void
check_totals (SymModel *model, const SymFigures *figures)
{
  SymFigureTotals totals = sym_figures_get_totals (figures);
  SymCount sum = { 0, TRUE };

  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    if (sym_model_has_call (model, call))
      sym_count_add (&sum, sym_figures_get_multiply_adds (figures, call));
  g_assert_cmpuint (sum.n, ==, totals.multiply_adds.n);
  g_assert_cmpint (sum.known, ==, totals.multiply_adds.known);
  g_assert_cmpuint (totals.input_bytes.n, <=, totals.activation_bytes.n);
}

/* Groups of the same level add up: what stands in no group and what stands in the outermost ones is
 * all there is. */
static void
check_tree (SymSummary *summary, SymGroups *groups, SymFigures *figures)
{
  guint column;
  SymSummaryViewOptions options = { &column, 1, .sort = -1, .tree = groups, .figures = figures };
  SymCount sum = { 0, TRUE };
  g_autoptr (SymSummaryView) view = NULL;

  g_assert_true (sym_column_find ("bytes", &column));
  view = sym_summary_view_new (summary, &options, NULL, NULL);
  for (guint i = 0; i < sym_summary_view_get_n_rows (view);
       i += sym_summary_view_get_row (view, i).n_within + 1)
    {
      SymCell cell = sym_summary_view_get_cell (view, i, 0);

      sym_count_add (&sum, cell.count);
      sym_cell_clear (&cell);
    }
  g_assert_cmpuint (sum.n, ==, sym_figures_get_totals (figures).activation_bytes.n);
}

/* What is found and what its opposite finds are never both. */
static void
check_query (SymSummary *summary, SymGroups *groups, const char *text)
{
  g_autofree char *opposite_text = g_strdup_printf ("-(%s)", text);
  g_autoptr (SymQuery) query = sym_query_parse (text, NULL, NULL);
  g_autoptr (SymQuery) opposite = sym_query_parse (opposite_text, NULL, NULL);
  g_autoptr (SymQueryIndex) index = sym_query_index_new (summary, groups);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymQueryResult) result = sym_query_run (query, index, NULL, &error);
  g_autoptr (SymQueryResult) other = NULL;

  g_assert_no_error (error);
  other = sym_query_run (opposite, index, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_query_result_get_n (result) + sym_query_result_get_n (other), <=,
                    sym_query_index_get_n_items (index));
  for (guint i = 0; i < sym_query_result_get_n (result); i++)
    {
      SymQueryItem item = sym_query_result_get (result, i).item;

      g_assert_false (item.kind == SYM_QUERY_NODE &&
                      sym_query_result_has_value (other, item.value));
    }
}

static gboolean
check_file (const char *path)
{
  static const char *const queries[] = { "conv", "type:Convolution params>1k", "macs>0 OR bytes:?",
                                         "parent:(type:Activation) shape:*x64x*",
                                         "unused:yes | after:/0$/" };
  g_autoptr (SymModel) model = sym_io_read (path, NULL, NULL);
  g_autoptr (SymInference) inference = model == NULL ? NULL : infer (model, 224);
  g_autoptr (SymSummary) summary = inference == NULL ? NULL : sym_summary_new (inference);
  g_autoptr (SymGroups) groups = NULL;
  g_autoptr (SymFigures) figures = NULL;

  if (summary == NULL)
    return FALSE;
  groups = sym_groups_new (model);
  figures = sym_figures_new (inference, NULL, NULL);
  check_totals (model, figures);
  check_tree (summary, groups, figures);
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    check_query (summary, groups, queries[i]);
  return TRUE;
}

static void
test_files (void)
{
  g_autofree char *folder = find_file ("mxnet");
  g_autoptr (GDir) dir = folder == NULL ? NULL : g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  if (dir == NULL)
    {
      g_test_skip ("there is no corpus");
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      n += check_file (path);
    }
  g_assert_cmpuint (n, >, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/figures/corpus/known-networks", test_known);
  g_test_add_func ("/query/figures/corpus/sums-and-queries-of-every-file-hold", test_files);
  return g_test_run ();
}
