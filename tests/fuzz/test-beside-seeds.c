/* SPDX-License-Identifier: MIT */
#include "../count-tensors.h"
#include "beside.h"
#include "io/sym-io.h"

/* The seeds of fuzz-beside.c are what they are meant to be: FORMAT.seed and FORMAT-WHAT.seed open
 * as a graph of that format, which gets its weights, and all of the same, from the file beside it
 * and from the one that is chosen. */

static SymModel *
read_graph (const char *path, const char *weights)
{
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_with_weights (path, weights, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static void
assert_is_whole (const SymModel *model)
{
  const SymProblems *problems = sym_model_get_problems (model);

  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    g_assert_cmpstr (sym_problems_get (problems, i)->message, ==, NULL);
}

/* What only a user can choose is not found by a rule. */
static gboolean
is_found (const char *weights)
{
  return !g_str_has_suffix (weights, ".npz");
}

static void
test_seed (gconstpointer data)
{
  g_autofree char *seed = g_path_get_basename (data);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (Beside) files = NULL;
  g_autoptr (SymModel) alone = NULL, beside = NULL, chosen = NULL;
  gsize size;

  g_file_get_contents (data, &text, &size, &error);
  g_assert_no_error (error);
  files = beside_new (text, size);
  g_assert_nonnull (files);
  g_assert_nonnull (files->weights);

  alone = read_graph (files->alone, NULL);
  chosen = read_graph (files->alone, files->weights);
  assert_is_whole (chosen);
  g_assert_true (g_str_has_prefix (seed, sym_model_get_format (chosen)));
  g_assert_cmpuint (count_tensors (chosen), >, count_tensors (alone));

  beside = read_graph (files->beside, NULL);
  g_assert_cmpuint (count_tensors (beside), ==,
                    count_tensors (is_found (files->weights) ? chosen : alone));
}

int
main (int argc, char *argv[])
{
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  folder = g_test_build_filename (G_TEST_DIST, "fixtures", "beside", NULL);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *test = g_strconcat ("/fuzz/beside-seeds/", name, NULL);

      if (!g_str_has_prefix (name, "crash-"))
        g_test_add_data_func_full (test, g_build_filename (folder, name, NULL), test_seed, g_free);
    }
  return g_test_run ();
}
