/* SPDX-License-Identifier: MIT */
#include "core/sym-extract.h"
#include "io/sym-io.h"
#include "io/sym-json.h"

#include <glib/gstdio.h>
#include <string.h>

/* Files of the corpus in MXNet's own layout, to the byte; the others were laid out by other
 * programs or edited by hand. */
#define N_IN_OWN_LAYOUT 15

static GPtrArray *
list_graphs (void)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = g_build_filename (corpus == NULL ? "" : corpus, "mxnet", NULL);
  g_autoptr (GDir) dir = corpus == NULL || corpus[0] == '\0' ? NULL : g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  if (paths->len == 0)
    g_test_skip ("there is no corpus");
  return paths;
}

static SymModel *
open_graph (const char *path)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (model);
  return model;
}

static GBytes *
read_bytes (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, &error);

  g_assert_no_error (error);
  return g_mapped_file_get_bytes (file);
}

/* A new folder and a path in it. */
static char *
make_target (char **folder)
{
  *folder = g_dir_make_tmp ("symscope-XXXXXX", NULL);
  return g_build_filename (*folder, "out-symbol.json", NULL);
}

static void
remove_target (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

static void
write_graph (SymModel *model, const char *path)
{
  g_autoptr (GError) error = NULL;

  sym_io_write (sym_io_find_format ("mxnet"), model, NULL, path, NULL, &error);
  g_assert_no_error (error);
}

/* Equal kinds, keys in their order, and texts: all but the blanks between them. */
static void
assert_same_values (GBytes *a, GBytes *b)
{
  g_autoptr (SymJson) left = sym_json_parse (a, NULL, NULL);
  g_autoptr (SymJson) right = sym_json_parse (b, NULL, NULL);
  guint end = sym_json_get_end (left, 0);

  g_assert_cmpuint (end, ==, sym_json_get_end (right, 0));
  for (guint i = 0; i < end; i++)
    {
      SymJsonKind kind = sym_json_get_kind (left, i);
      gsize n_left, n_right;
      const char *left_text = sym_json_get_text (left, i, &n_left);
      const char *right_text = sym_json_get_text (right, i, &n_right);

      g_assert_cmpint (kind, ==, sym_json_get_kind (right, i));
      if (kind != SYM_JSON_ARRAY && kind != SYM_JSON_OBJECT)
        g_assert_cmpmem (left_text, n_left, right_text, n_right);
      else
        g_assert_cmpuint (sym_json_get_end (left, i), ==, sym_json_get_end (right, i));
    }
}

static void
test_files_are_written_back_as_they_were (void)
{
  g_autoptr (GPtrArray) paths = list_graphs ();
  guint n_identical = 0;

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      char *folder;
      g_autofree char *target = make_target (&folder);
      g_autoptr (SymModel) model = open_graph (path);
      g_autoptr (GBytes) before = read_bytes (path);
      g_autoptr (GBytes) after = NULL;

      write_graph (model, target);
      after = read_bytes (target);
      assert_same_values (before, after);
      n_identical += g_bytes_equal (before, after);
      remove_target (folder);
    }
  if (paths->len > 0)
    g_assert_cmpuint (n_identical, >=, MIN (N_IN_OWN_LAYOUT, paths->len));
}

/* Only the graph with one name twice has something wrong. */
static void
test_only_real_problems_are_reported (void)
{
  g_autoptr (GPtrArray) paths = list_graphs ();

  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      g_autoptr (SymModel) model = open_graph (path);
      const SymProblems *problems = sym_model_get_problems (model);
      guint n_expected = strstr (path, "VGG_FC_ILSVRC_16_layers") != NULL;
      guint n = 0;

      for (guint k = 0; k < sym_problems_get_n (problems); k++)
        {
          const SymProblem *problem = sym_problems_get (problems, k);

          if (problem->severity == SYM_SEVERITY_NOTE)
            continue;
          g_test_message ("%s:%u: %s", path, problem->line, problem->message);
          n++;
        }
      g_assert_cmpuint (n, ==, n_expected);
    }
}

static guint
count_role (const SymModel *model, SymRole role)
{
  guint n = 0;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    n += sym_model_get_role (model, value) == role;
  return n;
}

/* Data and labels; nothing that is trained. */
static void
test_inputs_are_data_and_labels (void)
{
  g_autoptr (GPtrArray) paths = list_graphs ();

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (SymModel) model = open_graph (g_ptr_array_index (paths, i));
      SymIds inputs = sym_model_get_inputs (model);

      g_assert_cmpuint (inputs.n, >, 0);
      for (guint k = 0; k < inputs.n; k++)
        {
          const char *name = sym_model_get_value_name (model, inputs.ids[k]);

          g_assert_true (strcmp (name, "data") == 0 || g_str_has_suffix (name, "_label"));
        }
      g_assert_cmpuint (count_role (model, SYM_ROLE_PARAMETER), >, 0);
    }
}

static void
test_weights_beside_are_found (void)
{
  g_autoptr (GPtrArray) paths = list_graphs ();
  guint n_found = 0;

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (SymModel) model = open_graph (g_ptr_array_index (paths, i));
      guint n_tensors = 0, n_parameters = 0;

      for (SymId value = 0; value < sym_model_get_n_values (model); value++)
        {
          SymParameter *parameter = sym_model_get_parameter (model, value);

          n_parameters += parameter != NULL;
          n_tensors += parameter != NULL && sym_parameter_get_tensor (parameter) != NULL;
        }
      g_assert_true (n_tensors == 0 || n_tensors == n_parameters);
      n_found += n_tensors > 0;
    }
  if (paths->len > 0)
    g_assert_cmpuint (n_found, >, 0);
}

static SymModel *
cut (SymModel *model, SymId output)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SymSelection) selection = sym_selection_new (model, NULL, 0, &output, 1, NULL, &error);

  g_assert_no_error (error);
  return sym_selection_extract (selection, NULL);
}

/* Cuts at a few inner values of each file are written and read again without a problem, with the
 * same names, and written a second time to the same bytes. */
static void
test_cuts_are_files_of_the_same_era (void)
{
  g_autoptr (GPtrArray) paths = list_graphs ();

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (SymModel) model = open_graph (g_ptr_array_index (paths, i));
      SymIds order = sym_model_get_execution_order (model);

      for (guint k = 0; k < order.n; k += 1 + order.n / 5)
        {
          SymId output = sym_model_get_results (model, order.ids[k]).ids[0];
          g_autoptr (SymModel) part = cut (model, output);
          g_autoptr (SymModel) again = NULL;
          g_autoptr (GBytes) first = NULL;
          g_autoptr (GBytes) second = NULL;
          char *folder;
          g_autofree char *target = make_target (&folder);

          write_graph (part, target);
          first = read_bytes (target);
          again = open_graph (target);
          g_assert_false (sym_problems_has_errors (sym_model_get_problems (again)));
          g_assert_cmpuint (sym_model_get_n_calls (again), ==, sym_model_get_n_calls (part));
          g_assert_cmpuint (sym_model_get_n_values (again), ==, sym_model_get_n_values (part));
          g_assert_cmpstr (sym_model_get_value_name (again, sym_model_get_outputs (again).ids[0]),
                           ==, sym_model_get_value_name (model, output));
          write_graph (again, target);
          second = read_bytes (target);
          g_assert_true (g_bytes_equal (first, second));
          remove_target (folder);
        }
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/mxnet-corpus/files-are-written-back-as-they-were",
                   test_files_are_written_back_as_they_were);
  g_test_add_func ("/io/mxnet-corpus/only-real-problems-are-reported",
                   test_only_real_problems_are_reported);
  g_test_add_func ("/io/mxnet-corpus/inputs-are-data-and-labels", test_inputs_are_data_and_labels);
  g_test_add_func ("/io/mxnet-corpus/weights-beside-are-found", test_weights_beside_are_found);
  g_test_add_func ("/io/mxnet-corpus/cuts-are-files-of-the-same-era",
                   test_cuts_are_files_of_the_same_era);

  return g_test_run ();
}
