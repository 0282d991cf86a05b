/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "../quick-folder.h"
#include "core/sym-infer.h"
#include "io/sym-io.h"
#include "told-numbers.h"

/* Each case of tests/fixtures/keras-numbers.json is a model and what it makes of data and weights
 * of fixed formulas, computed apart from this program by numpy, in loops over the definitions. */

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
      tensor = make_weight ((*k)++, &type.shape,
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

/* As an ONNX file it makes the same of the same data. */
static void
check_written (const ToldCase *self, SymModel *model, const SymShape *shape, SymDatum *input)
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
  told_compare (self, sym_datum_get_array (outputs->pdata[0]));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_case (gconstpointer data)
{
  const ToldCase *self = data;
  g_autofree char *text =
      sym_json_dup_text (self->json, sym_json_get_member (self->json, self->place, "model"));
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  SymShape shape =
      told_read_shape (self->json, sym_json_get_member (self->json, self->place, "shape"));
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
  input = told_make_data (SYM_DTYPE_FLOAT32, &shape, below);
  outputs = sym_model_call (model, &input, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  told_compare (self, sym_datum_get_array (outputs->pdata[0]));
  check_written (self, model, &shape, input);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;

  g_test_init (&argc, &argv, NULL);
  path = g_test_build_filename (G_TEST_DIST, "fixtures", "keras-numbers.json", NULL);
  told_add_cases (path, "/run/keras/", test_case);
  return g_test_run ();
}
