/* SPDX-License-Identifier: MIT */
#include "../quick-folder.h"
#include "core/sym-settle.h"
#include "keras-again.h"
#include "text-net.h"

#include <string.h>

/* Files of the corpus in other dialects as Keras configs: what is written is read again with the
 * shapes and weights that it had, and makes the same numbers. */

#define MAX_BYTES (3 << 20)

typedef struct {
  const char *format; /* in the corpus' list */
  guint n_written;    /* at least, of those that are not too large */
} Dialect;

static const Dialect dialects[] = {
  { "mxnet", 7 },
  { "onnx-backend-pytorch-converted", 41 },
  { "onnx-backend-pytorch-operator", 18 },
  { "onnx-model", 140 },
  { "paddlejs", 6 },
  { "tfjs-graph", 11 },
  { "torch-export", 4 },
};

static GPtrArray *
list_files (const char *format)
{
  const char *corpus = g_getenv ("SYMSCOPE_CORPUS");
  g_autofree char *list = g_build_filename (corpus == NULL ? "" : corpus, "INDEX.tsv", NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) lines = NULL;
  g_autofree char *text = NULL;

  if (corpus == NULL || *corpus == '\0' || !g_file_get_contents (list, &text, NULL, NULL))
    {
      g_test_skip ("there is no corpus");
      return paths;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) columns = g_strsplit (lines[i], "\t", -1);

      if (g_strv_length (columns) >= 3 && strcmp (columns[1], format) == 0 &&
          g_ascii_strtoll (columns[2], NULL, 10) <= MAX_BYTES)
        g_ptr_array_add (paths, g_build_filename (corpus, columns[0], NULL));
    }
  return paths;
}

/* ---- Shapes ---- */

static guint64
count_weights (SymModel *model, const SymInference *inference)
{
  guint64 n = 0, n_elements;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_model_get_parameter (model, value) != NULL)
      {
        SymType type = sym_inference_get_type (inference, value);

        if (sym_shape_get_n_elements (&type.shape, &n_elements))
          n += n_elements;
      }
  return n;
}

/* Sizes that are numbers in both are equal. */
static void
compare_outputs (SymModel *before,
                 const SymInference *old,
                 SymModel *after,
                 const SymInference *new)
{
  SymIds a = sym_model_get_outputs (before), b = sym_model_get_outputs (after);

  g_assert_cmpuint (a.n, ==, b.n);
  for (guint i = 0; i < a.n; i++)
    {
      SymType x = sym_inference_get_type (old, a.ids[i]),
              y = sym_inference_get_type (new, b.ids[i]);

      g_assert_true (x.shape.rank < 0 || x.shape.rank == y.shape.rank);
      g_assert_true (x.dtype == SYM_DTYPE_UNKNOWN || x.dtype == y.dtype);
      for (int k = 0; k < x.shape.rank; k++)
        g_assert_true (x.shape.dims[k] < 0 || y.shape.dims[k] < 0 ||
                       x.shape.dims[k] == y.shape.dims[k]);
    }
}

/* ---- Numbers ---- */

/* Whether nothing but data has to be told, of which all sizes are known then. */
static gboolean
can_run (SymModel *model)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (sym_model_has_value (model, value) && sym_model_get_parameter (model, value) != NULL &&
        sym_parameter_get_tensor (sym_model_get_parameter (model, value)) == NULL)
      return FALSE;
  return TRUE;
}

static SymDatum *
fill (const SymInference *inference, SymId value, const GArray *settled, guint seed)
{
  SymType type = sym_inference_get_type (inference, value);

  for (guint i = 0; i < settled->len; i++)
    if (g_array_index (settled, SymOverride, i).value == value &&
        g_array_index (settled, SymOverride, i).has_shape)
      type.shape = g_array_index (settled, SymOverride, i).shape;
  return sym_run_fill_type (SYM_RUN_FILL_RANDOM, &type, seed,
                            sym_run_fill_find_limit (inference, value), NULL);
}

static GPtrArray *
fill_inputs (SymModel *model, const SymInference *inference)
{
  SymIds inputs = sym_model_get_inputs (model);
  g_autofree char *taken = NULL;
  g_autoptr (GArray) settled = sym_settle_shapes (inference, NULL, 0, &taken);
  GPtrArray *data = g_ptr_array_new ();

  for (guint i = 0; i < inputs.n; i++)
    g_ptr_array_add (data, fill (inference, inputs.ids[i], settled, 5 + i));
  return data;
}

static GPtrArray *
run (SymModel *model, GPtrArray *inputs)
{
  return sym_model_call (model, (SymDatum *const *) inputs->pdata, inputs->len, NULL, NULL);
}

/* The largest difference, as a part of the largest number. */
static double
measure (const SymArray *a, const SymArray *b)
{
  double largest = 1e-6, difference = 0;

  g_assert_true (a->dtype == b->dtype && sym_shape_equal (&a->shape, &b->shape));
  for (gsize i = 0; i < sym_array_get_n_elements (a); i++)
    {
      double x = sym_element_get_double (a->dtype, a->data, i);
      double y = sym_element_get_double (b->dtype, b->data, i);

      if (!isfinite (x) || !isfinite (y))
        continue;
      largest = fmax (largest, fabs (y));
      difference = fmax (difference, fabs (x - y));
    }
  return difference / largest;
}

/* Whether both could be run. */
static gboolean
compare_numbers (SymModel *model, const SymInference *inference, SymModel *again)
{
  g_autoptr (GPtrArray) inputs = fill_inputs (model, inference);
  g_autoptr (GPtrArray) before = run (model, inputs);
  g_autoptr (GPtrArray) after = before == NULL ? NULL : run (again, inputs);

  for (guint i = 0; i < inputs->len; i++)
    if (inputs->pdata[i] != NULL)
      sym_datum_unref (inputs->pdata[i]);
  if (before == NULL)
    return FALSE;
  g_assert_nonnull (after);
  for (guint i = 0; i < before->len; i++)
    g_assert_cmpfloat (
        measure (sym_datum_get_array (after->pdata[i]), sym_datum_get_array (before->pdata[i])), <,
        1e-3);
  return TRUE;
}

typedef struct {
  guint n, n_written, n_run, n_same_size;
} Counts;

static void
check_file (const char *path, const char *target, Counts *counts)
{
  g_autoptr (SymModel) model = sym_io_read (path, NULL, NULL);
  g_autoptr (SymInference) old = model == NULL ? NULL : sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymModel) raised = NULL;
  g_autoptr (SymModel) again = NULL;
  g_autoptr (SymInference) new = NULL;

  counts->n++;
  if (old == NULL || sym_problems_get_n (sym_inference_get_problems (old)) > 0 ||
      !sym_raise_is_needed (model, &sym_keras_raise_target))
    return;
  raised = sym_keras_raise (model, old, NULL, NULL);
  if (raised == NULL ||
      !sym_io_write (sym_io_find_format ("keras"), model, old, target, NULL, NULL))
    return;
  g_test_message ("%s", path);
  counts->n_written++;
  again = keras_again_read (model, target);
  new = sym_infer (again, NULL, 0, NULL, NULL);
  g_assert_nonnull (new);
  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (new)), ==, 0);
  compare_outputs (model, old, again, new);
  counts->n_same_size += count_weights (model, old) == count_weights (again, new);
  keras_again_check (raised, again);
  if (can_run (again) && can_run (model) &&
      sym_model_get_inputs (model).n == sym_model_get_inputs (again).n)
    counts->n_run += compare_numbers (model, old, again);
}

static void
test_dialect (gconstpointer data)
{
  const Dialect *self = data;
  g_autoptr (GPtrArray) paths = list_files (self->format);
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *target = g_build_filename (folder, "net.keras.json", NULL);
  Counts counts = { 0 };

  for (guint i = 0; i < paths->len; i++)
    {
      check_file (paths->pdata[i], target, &counts);
      keras_again_clean (folder);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  if (paths->len == 0)
    return;
  g_test_message ("%s: of %u files %u are written, %u with as many weights, %u run", self->format,
                  counts.n, counts.n_written, counts.n_same_size, counts.n_run);
  g_assert_cmpuint (counts.n_written, >=, self->n_written);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    {
      g_autofree char *path = g_strconcat ("/run/raise-keras-corpus/", dialects[i].format, NULL);

      g_test_add_data_func (path, &dialects[i], test_dialect);
    }
  return g_test_run ();
}
