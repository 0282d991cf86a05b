/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "../quick-folder.h"
#include "core/sym-element.h"
#include "core/sym-infer.h"
#include "io/sym-io.h"
#include "io/sym-json.h"
#include "run/sym-run.h"

/* Each case of tests/fixtures/keras-numbers.json is a model and what it makes of data and weights
 * of fixed formulas, computed apart from this program by numpy, in loops over the definitions. */

typedef struct {
  SymJson *json;
  guint place;
} Case;

/* -1.1 to 1.1 in steps; of indices, whole numbers below @below. */
static SymDatum *
make_data (const SymShape *shape, gint64 below)
{
  SymDatum *datum = sym_datum_new (SYM_DTYPE_FLOAT32, shape, NULL);
  SymArray *array = (SymArray *) sym_datum_get_array (datum);

  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    sym_element_set_double (array->dtype, array->data, i,
                            below > 0 ? (double) ((i * 5 + 2) % (gsize) below)
                                      : ((double) ((i * 7 + 3) % 23) - 11) / 10);
  return datum;
}

/* Weight @k; a variance is positive. */
static SymTensor *
make_weight (guint k, const SymShape *shape, gboolean is_positive)
{
  guint64 n = 0;
  g_autofree float *numbers = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (SymBlob) blob = NULL;

  g_assert_true (sym_shape_get_n_elements (shape, &n));
  numbers = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    {
      double number = ((double) ((i * 13 + k * 5) % 17) - 8) / 10;

      numbers[i] = (float) (is_positive ? fabs (number) + 0.5 : number);
    }
  bytes = g_bytes_new (numbers, n * sizeof *numbers);
  blob = sym_blob_new_bytes (bytes);
  return sym_tensor_new (SYM_DTYPE_FLOAT32, shape, blob, 0, NULL);
}

/* Weights are numbered as they come, those of bodies after those around. */
static void
set_weights (const SymModel *model, const SymInference *inference, guint *k)
{
  g_assert_false (sym_problems_has_errors (sym_inference_get_problems (inference)));
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      SymRole role = sym_model_get_role (model, value);
      SymType type = sym_inference_get_type (inference, value);
      g_autoptr (SymTensor) tensor = NULL;

      if (role != SYM_ROLE_PARAMETER && role != SYM_ROLE_AUXILIARY)
        continue;
      tensor = make_weight (
          (*k)++, &type.shape,
          g_str_has_suffix (sym_model_get_value_name (model, value), "variance"));
      sym_parameter_set_tensor (sym_model_get_parameter (model, value), tensor);
    }
  for (SymId call = 0; call < sym_model_get_n_calls (model); call++)
    {
      SymLayer *layer = sym_model_get_layer (model, call);

      for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
        set_weights (sym_layer_get_body (layer, i, NULL),
                     sym_inference_get_body (inference, call, i), k);
    }
}

static SymShape
read_shape (const SymJson *json, guint token)
{
  SymShape shape = { 0 };

  for (SymJsonIter i = sym_json_iterate (json, token); sym_json_iter_next (json, &i);)
    g_assert_true (sym_json_get_int (json, i.value, &shape.dims[shape.rank++]));
  return shape;
}

static void
compare (const SymJson *json, guint place, const SymArray *result)
{
  SymShape shape = read_shape (json, sym_json_get_member (json, place, "result"));
  guint numbers = sym_json_get_member (json, place, "numbers");
  gsize n = 0;

  g_assert_cmpint (result->shape.rank, ==, shape.rank);
  for (int i = 0; i < shape.rank; i++)
    g_assert_cmpint (result->shape.dims[i], ==, shape.dims[i]);
  for (SymJsonIter i = sym_json_iterate (json, numbers); sym_json_iter_next (json, &i); n++)
    {
      double expected = 0, found = sym_element_get_double (result->dtype, result->data, n);

      g_assert_true (sym_json_get_double (json, i.value, &expected));
      if (!(fabs (found - expected) <= 2e-5 * MAX (1, fabs (expected))))
        g_error ("element %" G_GSIZE_FORMAT " is %.9g, not %.9g", n, found, expected);
    }
  g_assert_cmpuint (n, ==, sym_array_get_n_elements (result));
}

/* As an ONNX file it makes the same of the same data. */
static void
check_written (const Case *self, SymModel *model, const SymShape *shape, SymDatum *input)
{
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "case.onnx", NULL);
  SymOverride override = { .value = sym_model_get_inputs (model).ids[0], .has_shape = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GPtrArray) outputs = NULL;

  override.shape = *shape;
  inference = sym_infer (model, &override, 1, NULL, &error);
  g_assert_no_error (error);
  sym_io_write (sym_io_find_format ("onnx"), model, inference, path, NULL, &error);
  g_assert_no_error (error);
  again = sym_io_read (path, NULL, &error);
  g_assert_no_error (error);
  outputs = sym_model_call (again, &input, 1, NULL, &error);
  g_assert_no_error (error);
  compare (self->json, self->place, sym_datum_get_array (outputs->pdata[0]));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_case (gconstpointer data)
{
  const Case *self = data;
  g_autofree char *text =
      sym_json_dup_text (self->json, sym_json_get_member (self->json, self->place, "model"));
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  SymShape shape = read_shape (self->json, sym_json_get_member (self->json, self->place, "shape"));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "case", &error);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymDatum) input = NULL;
  g_autoptr (GPtrArray) outputs = NULL;
  gint64 below = 0;
  guint k = 0;

  g_assert_no_error (error);
  inference = sym_infer (model, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  set_weights (model, inference, &k);
  sym_json_get_int (self->json, sym_json_get_member (self->json, self->place, "below"), &below);
  input = make_data (&shape, below);
  outputs = sym_model_call (model, &input, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  compare (self->json, self->place, sym_datum_get_array (outputs->pdata[0]));
  check_written (self, model, &shape, input);
}

static SymJson *
load (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-numbers.json", NULL);
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

int
main (int argc, char **argv)
{
  g_autoptr (SymJson) json = NULL;

  g_test_init (&argc, &argv, NULL);
  json = load ();
  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i);)
    {
      g_autofree char *name =
          sym_json_dup_string (json, sym_json_get_member (json, i.value, "name"));
      g_autofree char *path = NULL;
      Case *one = g_new (Case, 1);

      path = g_strconcat ("/run/keras/", g_strdelimit (name, " ", '-'), NULL);
      *one = (Case){ json, i.value };
      g_test_add_data_func_full (path, one, test_case, g_free);
    }
  return g_test_run ();
}
