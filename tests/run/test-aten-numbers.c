/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "core/sym-infer.h"
#include "io/sym-io.h"
#include "io/sym-json.h"
#include "run/sym-run.h"

/* Each case of tests/fixtures/aten-numbers.json is a program of one operator, as torch.export
 * writes it, and what PyTorch 1.13 makes of some numbers.  Shapes and dtypes of its results are
 * inferred, as the program does not tell them, and those of the run are compared with the same. */

typedef struct {
  SymJson *json;
  guint place;
} Case;

static SymDType
read_dtype (const SymJson *json, guint tensor)
{
  static const SymDType table[] = {
    [1] = SYM_DTYPE_UINT8,   [4] = SYM_DTYPE_INT32,   [5] = SYM_DTYPE_INT64,
    [6] = SYM_DTYPE_FLOAT16, [7] = SYM_DTYPE_FLOAT32, [8] = SYM_DTYPE_FLOAT64,
    [12] = SYM_DTYPE_BOOL,
  };
  gint64 number = 0;

  g_assert_true (sym_json_get_int (json, sym_json_get_member (json, tensor, "dtype"), &number));
  g_assert_cmpint (number, <, G_N_ELEMENTS (table));
  return table[number];
}

static SymShape
read_shape (const SymJson *json, guint tensor)
{
  SymShape shape = { 0 };

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, tensor, "shape"));
       sym_json_iter_next (json, &i);)
    g_assert_true (sym_json_get_int (json, i.value, &shape.dims[shape.rank++]));
  return shape;
}

/* JSON has no infinity: such numbers are strings. */
static double
read_number (const SymJson *json, guint token)
{
  g_autofree char *text = sym_json_dup_string (json, token);
  double number = 0;

  if (text != NULL)
    return g_ascii_strtod (text, NULL);
  g_assert_true (sym_json_get_double (json, token, &number));
  return number;
}

static SymDatum *
make_feed (const SymJson *json, guint tensor)
{
  SymShape shape = read_shape (json, tensor);
  SymDatum *datum = sym_datum_new (read_dtype (json, tensor), &shape, NULL);
  SymArray *array = (SymArray *) sym_datum_get_array (datum);
  gsize n = 0;

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, tensor, "numbers"));
       sym_json_iter_next (json, &i); n++)
    if (sym_dtype_is_floating (array->dtype))
      sym_element_set_double (array->dtype, array->data, n, read_number (json, i.value));
    else
      sym_element_set_int (array->dtype, array->data, n, (gint64) read_number (json, i.value));
  g_assert_cmpuint (n, ==, sym_array_get_n_elements (array));
  return datum;
}

static void
compare_numbers (const SymJson *json, guint tensor, const SymArray *result)
{
  gsize n = 0;

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, tensor, "numbers"));
       sym_json_iter_next (json, &i); n++)
    {
      double expected = read_number (json, i.value);
      double found = sym_dtype_is_floating (result->dtype)
                         ? sym_element_get_double (result->dtype, result->data, n)
                         : (double) sym_element_get_int (result->dtype, result->data, n);

      if (isnan (expected)   ? !isnan (found)
          : isinf (expected) ? found != expected
                             : !(fabs (found - expected) <= 3e-5 * MAX (1, fabs (expected))))
        g_error ("element %" G_GSIZE_FORMAT " is %.9g, not %.9g", n, found, expected);
    }
  g_assert_cmpuint (n, ==, sym_array_get_n_elements (result));
}

static void
assert_same_type (const SymShape *shape, SymDType dtype, const SymShape *expected, SymDType right)
{
  g_assert_cmpstr (sym_dtype_to_string (dtype), ==, sym_dtype_to_string (right));
  g_assert_cmpint (shape->rank, ==, expected->rank);
  for (int i = 0; i < expected->rank; i++)
    g_assert_cmpint (shape->dims[i], ==, expected->dims[i]);
}

/* Where sizes depend on the data, only the rank is known before. */
static void
check_inferred (const SymInference *inference,
                SymId value,
                const SymShape *expected,
                SymDType right,
                gboolean open)
{
  SymType type = sym_inference_get_type (inference, value);

  for (int i = 0; open && i < MIN (type.shape.rank, expected->rank); i++)
    if (type.shape.dims[i] < 0)
      type.shape.dims[i] = expected->dims[i];
  assert_same_type (&type.shape, type.dtype, expected, right);
}

static GPtrArray *
make_feeds (const SymJson *json, guint place)
{
  GPtrArray *feeds = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_datum_unref);

  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, place, "feeds"));
       sym_json_iter_next (json, &i);)
    g_ptr_array_add (feeds, make_feed (json, i.value));
  return feeds;
}

static void
test_case (gconstpointer data)
{
  const Case *self = data;
  const SymJson *json = self->json;
  g_autofree char *text =
      sym_json_dup_text (json, sym_json_get_member (json, self->place, "program"));
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GPtrArray) feeds = make_feeds (json, self->place), outputs = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "case", &error);
  g_autoptr (SymInference) inference = NULL;
  gboolean open = sym_json_get_member (json, self->place, "open") != SYM_JSON_NONE;
  guint n = 0;

  g_assert_no_error (error);
  inference = sym_infer (model, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (sym_problems_has_errors (sym_inference_get_problems (inference)));
  outputs = sym_model_call (model, (SymDatum **) feeds->pdata, feeds->len, NULL, &error);
  g_assert_no_error (error);
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, self->place, "results"));
       sym_json_iter_next (json, &i); n++)
    {
      SymShape shape = read_shape (json, i.value);
      SymDType dtype = read_dtype (json, i.value);
      const SymArray *result = sym_datum_get_array (outputs->pdata[n]);

      check_inferred (inference, sym_model_get_outputs (model).ids[n], &shape, dtype, open);
      assert_same_type (&result->shape, result->dtype, &shape, dtype);
      compare_numbers (json, i.value, result);
    }
  g_assert_cmpuint (n, ==, outputs->len);
}

/* ---- Programs with weights ---- */

static SymJson *
load (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  SymJson *json;
  char *text;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  bytes = g_bytes_new_take (text, length);
  json = sym_json_parse (bytes, NULL, &error);
  g_assert_no_error (error);
  return json;
}

static char *
find_program (const char *name, const char *part)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "torch-export", name, part, NULL);
}

static void
run_program (SymModel *model, const SymJson *json, guint place)
{
  g_autoptr (GPtrArray) feeds = make_feeds (json, place), outputs = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  outputs = sym_model_call (model, (SymDatum **) feeds->pdata, feeds->len, NULL, &error);
  g_assert_no_error (error);
  for (SymJsonIter i = sym_json_iterate (json, sym_json_get_member (json, place, "results"));
       sym_json_iter_next (json, &i); n++)
    {
      SymShape shape = read_shape (json, i.value);
      const SymArray *result = sym_datum_get_array (outputs->pdata[n]);

      assert_same_type (&result->shape, result->dtype, &shape, read_dtype (json, i.value));
      compare_numbers (json, i.value, result);
    }
  g_assert_cmpuint (n, ==, outputs->len);
}

/* Each program has a batch of any size, which its outputs have, too; it runs with two of them. */
static void
test_program (gconstpointer name)
{
  g_autofree char *path = find_program (name, "models/model.json");
  g_autofree char *numbers = find_program (name, "numbers.json");
  g_autoptr (SymJson) json = load (numbers);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);
  g_autoptr (SymInference) inference = NULL;
  guint n_runs = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  inference = sym_infer (model, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i); n_runs++)
    run_program (model, json, i.value);
  g_assert_cmpuint (n_runs, ==, 2);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;
  g_autoptr (SymJson) json = NULL;

  g_test_init (&argc, &argv, NULL);
  path = g_test_build_filename (G_TEST_DIST, "fixtures", "aten-numbers.json", NULL);
  json = load (path);
  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name =
          sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      g_autofree char *test = g_strconcat ("/run/aten/", name, NULL);
      Case *one = g_new (Case, 1);

      *one = (Case){ json, i.value };
      g_test_add_data_func_full (test, one, test_case, g_free);
    }
  g_test_add_data_func ("/run/torch-export/mlp", "mlp", test_program);
  g_test_add_data_func ("/run/torch-export/images", "images", test_program);
  g_test_add_data_func ("/run/torch-export/transformer", "transformer", test_program);
  g_test_add_data_func ("/run/torch-export/lstm", "lstm", test_program);
  return g_test_run ();
}
