/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/sym-io.h"
#include "told-numbers.h"

/* Each case of tests/fixtures/tensorflow-checkpoints/numbers.json is a graph of TensorFlow whose
 * variables have their numbers in a checkpoint; make.py beside it wrote both. */

static char *
get_path (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "tensorflow-checkpoints", name, NULL);
}

static void
check_problems (const ToldCase *self, SymModel *model)
{
  const SymProblems *problems = sym_model_get_problems (model);
  guint expected = sym_json_get_member (self->json, self->place, "problems");
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (self->json, expected); sym_json_iter_next (self->json, &i);
       n++)
    {
      g_autofree char *message = sym_json_dup_string (self->json, i.value);

      g_assert_cmpuint (n, <, sym_problems_get_n (problems));
      if (!g_str_has_prefix (sym_problems_get (problems, n)->message, message))
        g_error ("'%s' is told, not '%s'", sym_problems_get (problems, n)->message, message);
    }
  g_assert_cmpuint (sym_problems_get_n (problems), ==, n);
}

/* Only the graph's part that is served runs: what restores its variables has inputs of its own. */
static void
check_numbers (const ToldCase *self, SymModel *model)
{
  SymShape shape =
      told_read_shape (self->json, sym_json_get_member (self->json, self->place, "shape"));
  SymIds inputs = sym_model_get_inputs (model);
  g_autoptr (SymDatum) datum = told_make_data (SYM_DTYPE_FLOAT32, &shape, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  SymDatum *data[2] = { datum, NULL };

  g_assert_cmpuint (inputs.n, <=, G_N_ELEMENTS (data));
  outputs = sym_model_call (model, data, inputs.n, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  told_compare (self, sym_datum_get_array (outputs->pdata[0]));
}

static void
test_case (gconstpointer data)
{
  const ToldCase *self = data;
  g_autofree char *file = told_dup (self, "file");
  g_autofree char *path = get_path (file);
  g_autofree char *chosen = told_dup (self, "weights");
  g_autofree char *weights = chosen == NULL ? NULL : get_path (chosen);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_with_weights (path, weights, NULL, &error);

  g_assert_no_error (error);
  check_problems (self, model);
  if (sym_json_get_member (self->json, self->place, "numbers") != SYM_JSON_NONE)
    check_numbers (self, model);
}

static void
test_wrong_choice (void)
{
  static const struct {
    const char *weights, *message;
  } cases[] = {
    { "numbers.json", "there is no such file" },
    { "damaged/block/model.index", "the block at byte 0 is damaged" },
    { "damaged/order/model.index", "the high byte first" },
  };
  g_autofree char *path = get_path ("named/graph.pb");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *weights = get_path (cases[i].weights);
      g_autoptr (GError) error = NULL;

      g_assert_null (sym_io_read_with_weights (path, weights, NULL, &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FILE);
      if (strstr (error->message, cases[i].message) == NULL)
        g_error ("'%s' is told, not '%s'", error->message, cases[i].message);
    }
}

int
main (int argc, char *argv[])
{
  g_autofree char *path = NULL;

  g_test_init (&argc, &argv, NULL);
  path = get_path ("numbers.json");
  told_add_cases (path, "/run/tensorflow-checkpoints/", test_case);
  g_test_add_func ("/run/tensorflow-checkpoints/refuses-a-wrong-choice", test_wrong_choice);
  return g_test_run ();
}
