/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "io/sym-io.h"
#include "io/sym-onnx-data.h"
#include "run/sym-run-compare.h"
#include "run/sym-run.h"

/* ONNX's own tests, where a machine has them: folders of model.onnx and test_data_set_0, 1, ...
 * with input_0.pb, output_0.pb, ... .  Which of them fail, and why, is in onnx-data-failures.txt: a
 * failure that is not there, and a line there of a test that passes, fail this test.  With --list
 * it prints the failures as that file has them. */

typedef struct {
  SymModel *model;
  SymInference *inference;
  SymPlan *plan;
  SymRun *run;
} Case;

static void
case_clear (Case *self)
{
  g_clear_pointer (&self->run, sym_run_free);
  g_clear_pointer (&self->plan, sym_plan_unref);
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->model, sym_model_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static SymDatum *
read_datum (const char *folder, const char *what, guint i, const SymType *type, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s_%u.pb", what, i);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return sym_onnx_read_datum (path, type, error);
}

static gboolean
has_file (const char *folder, const char *what, guint i)
{
  g_autofree char *name = g_strdup_printf ("%s_%u.pb", what, i);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static SymId *
match_data (Case *self, const char *folder)
{
  SymIds inputs = sym_model_get_inputs (self->model);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < inputs.n; i++)
    {
      g_autofree char *name = g_strdup_printf ("input_%u.pb", i);

      g_ptr_array_add (paths, has_file (folder, "input", i) ? g_build_filename (folder, name, NULL)
                                                            : NULL);
    }
  return sym_onnx_match_data (self->model, (const char *const *) paths->pdata);
}

static gboolean
feed (Case *self, const char *folder, GError **error)
{
  SymIds inputs = sym_model_get_inputs (self->model);
  g_autofree SymId *targets = match_data (self, folder);

  for (guint i = 0; i < inputs.n && has_file (folder, "input", i); i++)
    {
      SymType type = sym_inference_get_type (self->inference, targets[i]);
      g_autoptr (SymDatum) datum = read_datum (folder, "input", i, &type, error);

      if (datum == NULL || !sym_run_feed (self->run, targets[i], datum, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
compare (Case *self, const char *folder, GError **error)
{
  SymIds outputs = sym_model_get_outputs (self->model);

  if (!has_file (folder, "output", 0))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s has no outputs", folder);
      return FALSE;
    }
  for (guint i = 0; i < outputs.n && has_file (folder, "output", i); i++)
    {
      SymDatum *actual = sym_run_get (self->run, outputs.ids[i]);
      SymType type = { .kind = sym_datum_get_kind (actual), .dtype = sym_datum_get_dtype (actual) };
      g_autoptr (SymDatum) expected = read_datum (folder, "output", i, &type, error);

      if (expected == NULL || !sym_run_compare (actual, expected, 1e-3, 1e-7, error))
        return FALSE;
    }
  return TRUE;
}

/* What ONNX's runner makes up for models without inputs in files: i / n for each of n elements. */
static gboolean
feed_dummy (Case *self, GError **error)
{
  SymIds inputs = sym_plan_get_inputs (self->plan);

  for (guint i = 0; i < inputs.n; i++)
    {
      SymType type = sym_inference_get_type (self->inference, inputs.ids[i]);
      g_autoptr (SymDatum) datum = sym_datum_new (SYM_DTYPE_FLOAT32, &type.shape, error);
      const SymArray *array = datum == NULL ? NULL : sym_datum_get_array (datum);

      if (datum == NULL)
        return FALSE;
      for (gsize j = 0; j < sym_array_get_n_elements (array); j++)
        ((float *) array->data)[j] =
            (float) ((double) j / (double) sym_array_get_n_elements (array));
      if (!sym_run_feed (self->run, inputs.ids[i], datum, error))
        return FALSE;
    }
  return TRUE;
}

/* One data set, at @folder. */
static gboolean
try_data (Case *self, const char *folder, GError **error)
{
  gboolean is_fed = has_file (folder, "input", 0) || sym_plan_get_inputs (self->plan).n == 0
                        ? feed (self, folder, error)
                        : feed_dummy (self, error);

  return is_fed && sym_run_execute (self->run, NULL, error) && compare (self, folder, error);
}

/* All data sets of a folder: in folders of their own, or beside the model. */
static gboolean
try_all_data (Case *self, const char *folder, GError **error)
{
  for (guint i = 0;; i++)
    {
      g_autofree char *name = g_strdup_printf ("test_data_set_%u", i);
      g_autofree char *data = g_build_filename (folder, name, NULL);

      if (!g_file_test (data, G_FILE_TEST_IS_DIR))
        return i > 0 || try_data (self, folder, error);
      if (!try_data (self, data, error))
        return FALSE;
    }
}

/* By the kernels, or by what can be compiled and the kernels. */
static gboolean
try_plan (Case *self, const char *folder, gboolean is_compiled, GError **error)
{
  SymPlanOptions options = { .inference = is_compiled ? self->inference : NULL };

  g_clear_pointer (&self->run, sym_run_free);
  g_clear_pointer (&self->plan, sym_plan_unref);
  self->plan = sym_plan_new (self->model, &options, NULL, error);
  if (self->plan == NULL)
    return FALSE;
  self->run = sym_run_new (self->plan);
  if (try_all_data (self, folder, error))
    return TRUE;
  if (is_compiled)
    g_prefix_error (error, "compiled: ");
  return FALSE;
}

/* The model of a folder: model.onnx, or the one that is called as the folder is, but for a word
 * before a hyphen. */
static char *
find_model (const char *folder)
{
  char *path = g_build_filename (folder, "model.onnx", NULL);
  g_autofree char *name = g_path_get_basename (folder);
  const char *hyphen = strchr (name, '-');
  g_autofree char *file = g_strconcat (hyphen == NULL ? name : hyphen + 1, ".onnx", NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  g_free (path);
  return g_build_filename (folder, file, NULL);
}

static gboolean
try_folder (const char *folder, GError **error)
{
  g_autofree char *path = find_model (folder);
  g_auto (Case) self = { NULL };

  self.model = sym_io_read (path, NULL, error);
  self.inference = self.model == NULL ? NULL : sym_infer (self.model, NULL, 0, NULL, error);
  return self.inference != NULL && try_plan (&self, folder, FALSE, error) &&
         try_plan (&self, folder, TRUE, error);
}

/* ---- Sets of tests ---- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static GPtrArray *
list_tests (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *sub = g_build_filename (folder, name, NULL);
      g_autofree char *model = find_model (sub);
      g_autofree char *data = g_build_filename (sub, "test_data_set_0", NULL);

      if (g_file_test (model, G_FILE_TEST_EXISTS) &&
          (g_file_test (data, G_FILE_TEST_EXISTS) || has_file (sub, "output", 0)))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* "set/name" to the line's rest. */
static GHashTable *
read_failures (void)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "run", "onnx-data-failures.txt", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *blank = strchr (lines[i], ' ');

      if (lines[i][0] == '#' || blank == NULL)
        continue;
      g_hash_table_insert (table, g_strndup (lines[i], (gsize) (blank - lines[i])),
                           g_strdup (blank + 1));
    }
  return table;
}

typedef struct {
  const char *set;
  char *folder;
} Set;

static gboolean listing;

/* One line for a failure that was not expected, or a success that was not. */
static guint
try_test (const Set *set, const char *name, GHashTable *failures)
{
  g_autofree char *key = g_strdup_printf ("%s/%s", set->set, name);
  g_autofree char *folder = g_build_filename (set->folder, name, NULL);
  const char *reason = g_hash_table_lookup (failures, key);
  g_autoptr (GError) error = NULL;
  gboolean passed = try_folder (folder, &error);

  if (listing && !passed)
    printf ("%s %s\n", key, error->message);
  if (passed == (reason == NULL) || listing)
    return 0;
  g_test_message ("%s: %s", key, passed ? "passes; take it off the list" : error->message);
  return 1;
}

static void
test_set (gconstpointer data)
{
  const Set *set = data;
  g_autoptr (GPtrArray) names = list_tests (set->folder);
  g_autoptr (GHashTable) failures = read_failures ();
  guint n_wrong = 0;

  if (names->len == 0)
    {
      g_test_skip ("ONNX's tests are not on this machine");
      return;
    }
  for (guint i = 0; i < names->len; i++)
    n_wrong += try_test (set, names->pdata[i], failures);
  g_test_message ("%u tests", names->len);
  g_assert_cmpuint (n_wrong, ==, 0);
}

static void
free_set (gpointer data)
{
  Set *set = data;

  g_free (set->folder);
  g_free (set);
}

static void
add_set (const char *set, const char *root, const char *folder)
{
  Set *self;
  g_autofree char *path = g_strdup_printf ("/run/onnx-data/%s", set);

  if (root == NULL || *root == '\0')
    return;
  self = g_new (Set, 1);
  *self = (Set){ set, g_build_filename (root, folder, NULL) };
  if (listing)
    {
      test_set (self);
      free_set (self);
    }
  else
    g_test_add_data_func_full (path, self, test_set, free_set);
}

int
main (int argc, char **argv)
{
  const char *debian = "/usr/share/libonnx-testdata/data", *corpus = g_getenv ("SYMSCOPE_CORPUS");

  listing = argc > 1 && g_str_equal (argv[1], "--list");
  g_test_init (&argc, &argv, NULL);
  add_set ("debian-node", debian, "node");
  add_set ("debian-simple", debian, "simple");
  add_set ("debian-pytorch-operator", debian, "pytorch-operator");
  add_set ("debian-pytorch-converted", debian, "pytorch-converted");
  add_set ("node", corpus, "onnx/node");
  add_set ("light", corpus, "onnx/light");
  add_set ("models", corpus, "onnx/models");
  return listing ? 0 : g_test_run ();
}
