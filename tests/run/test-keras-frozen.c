/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "../quick-folder.h"
#include "core/sym-summary.h"
#include "io/sym-io.h"
#include "store/sym-store-h5.h"

/* Weights of layers in frozen containers: they are not trained with their numbers either, and are
 * written where Keras 2 has them, all that is trained of a group before what is not. */

typedef struct {
  const char *file;          /* among tests/fixtures/keras-weights, without its suffix */
  const char *changes[4][2]; /* of its text */
  guint trainable, total;
  const char *names[9]; /* of arrays that are written */
} Frozen;

static const Frozen cases[] = {
  { "three",
    { { "\"name\": \"enc\",", "\"name\": \"enc\", \"trainable\": false," },
      { "\"trainable\": false, \"units\"", "\"units\"" } },
    12,
    36,
    { "d3/kernel:0", "d3/bias:0", "enc/d1/kernel:0", "enc/d1/bias:0", "enc/d2/kernel:0",
      "enc/d2/bias:0" } },
  { "three",
    { { "\"name\": \"inside\",", "\"name\": \"inside\", \"trainable\": false," } },
    0,
    36,
    { "enc/d2/kernel:0", "enc/d2/bias:0", "d3/kernel:0", "d3/bias:0", "enc/d1/kernel:0",
      "enc/d1/bias:0" } },
  { "ordered",
    { { "\"name\": \"inside\",", "\"name\": \"inside\", \"trainable\": false," } },
    0,
    42,
    { "norm/gamma:0", "norm/beta:0", "dense_1/kernel:0", "dense_1/bias:0", "dense/kernel:0",
      "dense/bias:0", "norm/moving_mean:0", "norm/moving_variance:0" } },
  { "wrapped",
    { { "\"name\": \"first\"", "\"name\": \"first\", \"trainable\": false" },
      { "\"trainable\": false, \"name\": \"d\"", "\"name\": \"d\"" } },
    12,
    30,
    { "last/kernel:0", "last/bias:0", "first/kernel:0", "first/bias:0", "bare/moving_mean:0",
      "bare/moving_variance:0" } },
};

static void
copy_fixture (const Frozen *self, const char *folder)
{
  g_autofree char *name = g_strconcat (self->file, ".h5", NULL);
  g_autofree char *beside =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", name, NULL);
  g_autofree char *stem = g_strndup (beside, strlen (beside) - 3);
  g_autofree char *config = g_strconcat (stem, ".json", NULL);
  g_autofree char *copy = g_build_filename (folder, "net.json", NULL);
  g_autofree char *weights = g_build_filename (folder, "net.h5", NULL);
  g_autoptr (GString) text = NULL;
  g_autofree char *content = NULL, *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (config, &content, NULL, NULL));
  g_assert_true (g_file_get_contents (beside, &bytes, &n, NULL));
  text = g_string_new (content);
  for (guint i = 0; i < G_N_ELEMENTS (self->changes) && self->changes[i][0] != NULL; i++)
    g_assert_cmpuint (g_string_replace (text, self->changes[i][0], self->changes[i][1], 0), ==, 1);
  g_assert_true (g_file_set_contents (copy, text->str, -1, NULL));
  g_assert_true (g_file_set_contents (weights, bytes, (gssize) n, NULL));
}

static SymModel *
open_model (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  return model;
}

static void
check_counts (const Frozen *self, SymModel *model)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  g_assert_cmpuint (sym_summary_get_totals (summary).trainable, ==, self->trainable);
  g_assert_cmpuint (sym_summary_get_totals (summary).total, ==, self->total);
}

static void
check_names (const Frozen *self, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "again_weights.h5", NULL);
  g_autoptr (SymBlob) blob = sym_store_open_file (path, NULL);
  g_autoptr (SymStoreH5) file = sym_store_open_h5 (blob, G_MAXUINT64, path, NULL, NULL);
  const char *const *names = sym_store_h5_get_attribute (file, "inside", "weight_names");
  guint n = 0;

  for (; names[n] != NULL; n++)
    g_assert_cmpstr (names[n], ==, self->names[n]);
  g_assert_null (self->names[n]);
}

static void
test_case (gconstpointer data)
{
  const Frozen *self = data;
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "again.json", NULL);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  copy_fixture (self, folder);
  model = open_model (folder, "net.json");
  check_counts (self, model);
  sym_io_write (sym_io_find_format ("keras"), model, NULL, path, NULL, &error);
  g_assert_no_error (error);
  check_names (self, folder);
  again = open_model (folder, "again.json");
  check_counts (self, again);

  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *left = g_build_filename (folder, name, NULL);

      g_unlink (left);
    }
  g_rmdir (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/run/keras-frozen/%s-%u", cases[i].file, i + 1);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  return g_test_run ();
}
