/* SPDX-License-Identifier: MIT */
#include "core/sym-error.h"
#include "io/sym-io.h"
#include "run/sym-executor.h"

#include "../ops/kernel-case.h"

/* Binding as MXNet does it, rows M60-M63.  Models are ONNX text; arrays are told as in
 * kernel-case.h.
 */

#define HEAD "<ir_version: 8, opset_import: [\"\": 17]> g "

static SymModel *
read_model (const char *text)
{
  g_autofree char *whole = g_strconcat (HEAD, text, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (whole, strlen (whole));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "test", &error);

  g_assert_no_error (error);
  return model;
}

/* c = a + b * b */
static SymModel *
new_sum (void)
{
  return read_model ("(float[N, M] a, float[N, M] b) => (float[N, M] c)"
                     " { d = Mul (b, b) c = Add (a, d) }");
}

/* fc = data w^T + b, relu */
static SymModel *
new_dense (void)
{
  return read_model ("(float[N, K] data, float[2, K] w, float[2] b) => (float[N, 2] out)"
                     " { fc = Gemm <transB = 1> (data, w, b) out = Relu (fc) }");
}

static void
assert_array (SymDatum *datum, const char *expected)
{
  g_autoptr (SymDatum) other = kernel_case_read (expected);
  const KernelCase one = { .op = expected, .tolerance = 1e-6 };

  g_assert_nonnull (datum);
  kernel_case_compare (&one, sym_datum_get_array (datum), sym_datum_get_array (other));
}

static void
assert_output (SymExecutor *executor, guint i, const char *expected)
{
  assert_array (sym_executor_get (executor, SYM_ARRAYS_OUTPUTS, i), expected);
}

static void
assert_error (GError **error, int code, const char *part)
{
  g_assert_error (*error, SYM_ERROR, code);
  if (strstr ((*error)->message, part) == NULL)
    g_error ("“%s” has no “%s”", (*error)->message, part);
  g_clear_error (error);
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__ })
#define DATA(...) ((SymDatum *const[]){ __VA_ARGS__ })

/* ---- M60 ---- */

static void
binds_by_name (void)
{
  g_autoptr (SymModel) model = new_sum ();
  g_autoptr (SymDatum) a = kernel_case_read ("float32 2,3: 1 1 1 1 1 1");
  g_autoptr (SymDatum) b = kernel_case_read ("float32 2,3: 1 2 3 4 5 6");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor =
      sym_model_bind (model, NAMES ("b", "other", "a"), DATA (b, a, a), 3, &error);

  g_assert_no_error (error);
  g_assert_null (sym_executor_get (executor, SYM_ARRAYS_OUTPUTS, 0));
  g_assert_null (sym_executor_find (executor, SYM_ARRAYS_OUTPUTS, "c", &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "not been computed");
  g_assert_true (sym_executor_forward (executor, NULL, &error));
  assert_output (executor, 0, "float32 2,3: 2 5 10 17 26 37");
  g_assert_true (sym_executor_find (executor, SYM_ARRAYS_OUTPUTS, "c", &error) ==
                 sym_executor_get (executor, SYM_ARRAYS_OUTPUTS, 0));
  g_assert_true (sym_executor_find (executor, SYM_ARRAYS_ARGUMENTS, "b", &error) == b);
  g_assert_null (sym_executor_find (executor, SYM_ARRAYS_AUXILIARY, "b", &error));
  assert_error (&error, SYM_ERROR_NOT_FOUND, "no auxiliary state called “b”");
}

static void
binds_by_order (void)
{
  g_autoptr (SymModel) model = new_sum ();
  g_autoptr (SymDatum) a = kernel_case_read ("float32 1,2: 3 4");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = sym_model_bind_list (model, DATA (a, a), 2, NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_true (sym_executor_forward (executor, NULL, &error));
  assert_output (executor, 0, "float32 1,2: 12 20");
  g_assert_cmpuint (sym_executor_get_n (executor, SYM_ARRAYS_ARGUMENTS), ==, 2);
  g_assert_cmpstr (sym_executor_get_name (executor, SYM_ARRAYS_ARGUMENTS, 1), ==, "b");
  g_assert_null (sym_model_bind_list (model, DATA (a), 1, NULL, 0, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT,
                "Length of args does not match the number of arguments");
}

static void
refuses_what_does_not_fit (void)
{
  g_autoptr (SymModel) model = new_sum ();
  g_autoptr (SymDatum) a = kernel_case_read ("float32 2,3: 1 1 1 1 1 1");
  g_autoptr (SymDatum) b = kernel_case_read ("float32 2,2: 1 1 1 1");
  g_autoptr (SymDatum) many = sym_datum_new_sequence (SYM_DTYPE_FLOAT32, &a, 1);
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_model_bind (model, NAMES ("a"), DATA (a), 1, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "key `b` is missing in `args`");
  g_assert_null (sym_model_bind (model, NAMES ("a", "b"), DATA (a, b), 2, &error));
  assert_error (&error, SYM_ERROR_SHAPE, "Add");
  g_assert_null (sym_model_bind (model, NAMES ("a", "b"), DATA (a, many), 2, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "“b” can be bound to a tensor");
}

/* Variable sharing: the array itself is bound, so what is written into it is what is computed. */
static void
arrays_are_shared (void)
{
  g_autoptr (SymModel) model = new_sum (), other = new_dense ();
  g_autoptr (SymDatum) data = kernel_case_read ("float32 2,3: 2 2 2 2 2 2");
  g_autoptr (SymDatum) b = kernel_case_read ("float32 2: 0 -100");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) first =
      sym_model_bind (model, NAMES ("a", "b"), DATA (data, data), 2, &error);
  g_autoptr (SymExecutor) second =
      sym_model_bind (other, NAMES ("data", "w", "b"), DATA (data, data, b), 3, &error);

  g_assert_no_error (error);
  g_assert_true (sym_executor_forward (first, NULL, &error));
  g_assert_true (sym_executor_forward (second, NULL, &error));
  assert_output (first, 0, "float32 2,3: 6 6 6 6 6 6");
  assert_output (second, 0, "float32 2,2: 12 0 12 0");
  ((float *) sym_datum_get_array (data)->data)[0] = 3;
  g_assert_true (sym_executor_forward (first, NULL, &error));
  g_assert_true (sym_executor_forward (second, NULL, &error));
  assert_output (first, 0, "float32 2,3: 12 6 6 6 6 6");
  assert_output (second, 0, "float32 2,2: 17 0 14 0");
}

static void
takes_the_models_own_numbers (void)
{
  g_autoptr (SymModel) model = read_model ("(float[2] a) => (float[2] c) <float[2] w = {5, 6}>"
                                           " { c = Mul (a, w) }");
  g_autoptr (SymDatum) a = kernel_case_read ("float32 2: 1 2");
  g_autoptr (SymDatum) w = kernel_case_read ("float32 2: 10 10");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) own = sym_model_bind (model, NAMES ("a"), DATA (a), 1, &error);
  g_autoptr (SymExecutor) given = sym_model_bind (model, NAMES ("a", "w"), DATA (a, w), 2, &error);

  g_assert_no_error (error);
  g_assert_true (sym_executor_forward (own, NULL, &error));
  g_assert_true (sym_executor_forward (given, NULL, &error));
  assert_output (own, 0, "float32 2: 5 12");
  assert_output (given, 0, "float32 2: 10 20");
}

/* ---- M61 ---- */

/* Weights go into compiled steps, but what is written into them counts for the next run, however
 * often; so it does in an executor that shares them. */
static void
weights_may_be_written_between_runs (void)
{
  static const float factors[] = { 1, 1, 1, 2, 3, 3, 3, 4, 1, 1 };
  g_autoptr (SymModel) model = read_model ("(float[N, 2] data) => (float[N, 1] out)"
                                           " <float[2, 1] w = {1, 2}>"
                                           " { fc = MatMul (data, w) out = Tanh (fc) }");
  g_autoptr (SymDatum) data = kernel_case_read ("float32 2,2: 0.1 0.2 0.3 0.1");
  g_autoptr (GError) error = NULL;

  for (guint exact = 0; exact < 2; exact++)
    {
      g_autoptr (SymExecutor) executor =
          sym_model_bind (model, NAMES ("data"), DATA (data), 1, &error);
      float *w;

      g_assert_no_error (error);
      sym_executor_set_exact (executor, exact == 1);
      w = sym_datum_get_array (sym_executor_find (executor, SYM_ARRAYS_ARGUMENTS, "w", NULL))->data;
      for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
        {
          const float *y;

          w[0] = factors[i];
          g_assert_true (sym_executor_forward (executor, NULL, &error));
          y = sym_datum_get_array (sym_executor_get (executor, SYM_ARRAYS_OUTPUTS, 0))->data;
          g_assert_cmpfloat_with_epsilon (y[0], tanh (0.1 * factors[i] + 0.4), 1e-6);
          g_assert_cmpfloat_with_epsilon (y[1], tanh (0.3 * factors[i] + 0.2), 1e-6);
        }
    }
}

static void
simple_bind_makes_zeros (void)
{
  g_autoptr (SymModel) model = new_dense ();
  const SymBinding data = { "data", SYM_SHAPE (3, 4), SYM_DTYPE_UNKNOWN };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = sym_model_simple_bind (model, &data, 1, NULL, &error);

  g_assert_no_error (error);
  assert_array (sym_executor_find (executor, SYM_ARRAYS_ARGUMENTS, "w", &error),
                "float32 2,4: 0 0 0 0 0 0 0 0");
  g_assert_true (sym_executor_forward (executor, NULL, &error));
  assert_output (executor, 0, "float32 3,2: 0 0 0 0 0 0");
}

static void
simple_bind_tells_what_is_missing (void)
{
  g_autoptr (SymModel) model = new_dense ();
  const SymBinding unknown = { "x", SYM_SHAPE (3, 4) };
  const SymBinding part = { "data", SYM_SHAPE (3, SYM_DIM_UNKNOWN) };
  g_autoptr (GError) error = NULL;

  g_assert_null (sym_model_simple_bind (model, &unknown, 1, NULL, &error));
  assert_error (&error, SYM_ERROR_NOT_FOUND,
                "argument name x not found.\nCandidate arguments:\n\t[0]data\n\t[1]w\n\t[2]b");
  g_assert_null (sym_model_simple_bind (model, &part, 1, NULL, &error));
  assert_error (
      &error, SYM_ERROR_UNDECIDED,
      "simple_bind error. Arguments:\ndata: (3, -1)\nInferShape pass cannot decide shapes "
      "for the following arguments (-1 means unknown dimensions). Please consider "
      "providing them as inputs:\ndata: (3, -1), w: (2, -1), ");
}

static void
simple_bind_shares_with_another (void)
{
  g_autoptr (SymModel) model = new_dense ();
  const SymBinding small = { "data", SYM_SHAPE (1, 2) }, large = { "data", SYM_SHAPE (3, 2) };
  g_autoptr (SymExecutor) first = sym_model_simple_bind (model, &small, 1, NULL, NULL);
  g_autoptr (SymExecutor) second = sym_model_simple_bind (model, &large, 1, first, NULL);

  for (guint i = 0; i < 3; i++)
    g_assert_true ((sym_executor_get (first, SYM_ARRAYS_ARGUMENTS, i) ==
                    sym_executor_get (second, SYM_ARRAYS_ARGUMENTS, i)) == (i > 0));
}

/* ---- M63 ---- */

static void
forward_copies_arguments (void)
{
  g_autoptr (SymModel) model = new_sum ();
  const SymBinding a = { "a", SYM_SHAPE (2, 3) };
  g_autoptr (SymDatum) ints = kernel_case_read ("int32 2,3: 1 2 3 4 5 6");
  g_autoptr (SymDatum) turned = kernel_case_read ("float32 3,2: 1 2 3 4 5 6");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = sym_model_simple_bind (model, &a, 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (sym_executor_forward_with (executor, NAMES ("b"), DATA (ints), 1, NULL, &error));
  assert_output (executor, 0, "float32 2,3: 1 4 9 16 25 36");
  g_assert_false (
      sym_executor_forward_with (executor, NAMES ("a", "x"), DATA (ints, ints), 2, NULL, &error));
  assert_error (&error, SYM_ERROR_NOT_FOUND, "Unknown argument x");
  assert_array (sym_executor_find (executor, SYM_ARRAYS_ARGUMENTS, "a", NULL),
                "float32 2,3: 0 0 0 0 0 0");
  g_assert_false (
      sym_executor_forward_with (executor, NAMES ("a"), DATA (turned), 1, NULL, &error));
  assert_error (&error, SYM_ERROR_SHAPE,
                "Shape not match! Argument a, need: (2, 3), received: (3, 2)");
}

static void
parameters_are_copied (void)
{
  g_autoptr (SymModel) model = new_dense ();
  const SymBinding data = { "data", SYM_SHAPE (1, 2) };
  g_autoptr (SymDatum) w = kernel_case_read ("float32 2,2: 1 2 3 4");
  g_autoptr (SymDatum) x = kernel_case_read ("float32 1,2: 1 -1");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = sym_model_simple_bind (model, &data, 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_false (
      sym_executor_copy_params_from (executor, NAMES ("w", "v"), DATA (w, w), 2, FALSE, &error));
  assert_error (&error, SYM_ERROR_NOT_FOUND, "Find name \"v\" that is not in the arguments");
  g_assert_true (
      sym_executor_copy_params_from (executor, NAMES ("v", "w"), DATA (w, w), 2, TRUE, &error));
  g_assert_true (sym_executor_forward_with (executor, NAMES ("data"), DATA (x), 1, NULL, &error));
  assert_output (executor, 0, "float32 1,2: 0 0");
  ((float *) sym_datum_get_array (w)->data)[0] = 10;
  g_assert_true (sym_executor_copy_params_from (executor, NAMES ("w"), DATA (w), 1, FALSE, &error));
  g_assert_true (sym_executor_forward (executor, NULL, &error));
  assert_output (executor, 0, "float32 1,2: 8 0");
}

static void
reshapes_share_memory (void)
{
  g_autoptr (SymModel) model = new_dense ();
  const SymBinding large = { "data", SYM_SHAPE (2, 2) }, small = { "data", SYM_SHAPE (1, 2) };
  g_autoptr (SymDatum) w = kernel_case_read ("float32 2,2: 1 2 3 4");
  g_autoptr (GError) error = NULL;
  SymExecutor *first = sym_model_simple_bind (model, &large, 1, NULL, &error);
  g_autoptr (SymExecutor) second = sym_executor_reshape (first, &small, 1, 0, &error);
  float *numbers = sym_datum_get_array (sym_executor_get (first, SYM_ARRAYS_ARGUMENTS, 0))->data;

  g_assert_no_error (error);
  g_assert_true (sym_executor_copy_params_from (first, NAMES ("w"), DATA (w), 1, FALSE, &error));
  numbers[0] = 1;
  numbers[1] = 10;
  sym_executor_free (first);
  g_assert_true (sym_executor_forward (second, NULL, &error));
  assert_output (second, 0, "float32 1,2: 21 43");
}

static void
reshapes_ask_before_more_changes (void)
{
  g_autoptr (SymModel) model = new_dense ();
  const SymBinding data = { "data", SYM_SHAPE (2, 2) }, large = { "data", SYM_SHAPE (3, 2) },
                   wide = { "data", SYM_SHAPE (1, 3) };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = sym_model_simple_bind (model, &data, 1, NULL, &error);
  g_autoptr (SymExecutor) larger = NULL, wider = NULL;

  g_assert_null (sym_executor_reshape (executor, &large, 1, 0, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "New shape of arg: data is larger than original");
  larger = sym_executor_reshape (executor, &large, 1, SYM_RESHAPE_ALLOW_LARGER, &error);
  g_assert_no_error (error);
  assert_array (sym_executor_get (larger, SYM_ARRAYS_ARGUMENTS, 0), "float32 3,2: 0 0 0 0 0 0");
  g_assert_true (sym_executor_get (larger, SYM_ARRAYS_ARGUMENTS, 1) ==
                 sym_executor_get (executor, SYM_ARRAYS_ARGUMENTS, 1));
  g_assert_null (sym_executor_reshape (executor, &wide, 1, SYM_RESHAPE_ALLOW_LARGER, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "Shape of unspecified arg: w changed");
  wider = sym_executor_reshape (executor, &wide, 1, SYM_RESHAPE_ALLOW_LARGER | SYM_RESHAPE_PARTIAL,
                                &error);
  g_assert_no_error (error);
  assert_array (sym_executor_get (wider, SYM_ARRAYS_ARGUMENTS, 1), "float32 2,3: 0 0 0 0 0 0");
}

static void
note (const char *name, SymDatum *array, gpointer user_data)
{
  g_string_append_printf (user_data, "%s%d ", name, sym_datum_get_array (array)->shape.rank);
}

static void
a_monitor_sees_every_value (void)
{
  g_autoptr (SymModel) model = new_dense ();
  const SymBinding data = { "data", SYM_SHAPE (2, 2) };
  g_autoptr (SymExecutor) executor = sym_model_simple_bind (model, &data, 1, NULL, NULL);
  g_autoptr (GString) seen = g_string_new (NULL);

  sym_executor_set_monitor (executor, note, FALSE, seen);
  g_assert_true (sym_executor_forward (executor, NULL, NULL));
  g_assert_cmpstr (seen->str, ==, "fc2 out2 ");
  g_string_truncate (seen, 0);
  sym_executor_set_monitor (executor, note, TRUE, seen);
  g_assert_true (sym_executor_forward (executor, NULL, NULL));
  g_assert_cmpstr (seen->str, ==, "data2 w2 b1 fc2 out2 ");
  sym_executor_set_monitor (executor, NULL, FALSE, NULL);
  g_assert_true (sym_executor_forward (executor, NULL, NULL));
  g_assert_cmpstr (seen->str, ==, "data2 w2 b1 fc2 out2 ");
}

/* ---- M62 ---- */

static void
evaluates_in_one_call (void)
{
  g_autoptr (SymModel) model = new_sum ();
  g_autoptr (SymDatum) a = kernel_case_read ("float32 2,3: 1 1 1 1 1 1");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs = sym_eval (model, NAMES ("a", "b"), DATA (a, a), 2, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  assert_array (outputs->pdata[0], "float32 2,3: 2 2 2 2 2 2");
  g_assert_null (sym_eval (model, NAMES ("b"), DATA (a), 1, NULL, &error));
  assert_error (&error, SYM_ERROR_ARGUMENT, "key `a` is missing");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/executor/binds-by-name", binds_by_name);
  g_test_add_func ("/run/executor/binds-by-order", binds_by_order);
  g_test_add_func ("/run/executor/refuses-what-does-not-fit", refuses_what_does_not_fit);
  g_test_add_func ("/run/executor/arrays-are-shared", arrays_are_shared);
  g_test_add_func ("/run/executor/takes-the-models-own-numbers", takes_the_models_own_numbers);
  g_test_add_func ("/run/executor/weights-may-be-written-between-runs",
                   weights_may_be_written_between_runs);
  g_test_add_func ("/run/executor/simple-bind-makes-zeros", simple_bind_makes_zeros);
  g_test_add_func ("/run/executor/simple-bind-tells-what-is-missing",
                   simple_bind_tells_what_is_missing);
  g_test_add_func ("/run/executor/simple-bind-shares-with-another",
                   simple_bind_shares_with_another);
  g_test_add_func ("/run/executor/forward-copies-arguments", forward_copies_arguments);
  g_test_add_func ("/run/executor/parameters-are-copied", parameters_are_copied);
  g_test_add_func ("/run/executor/reshapes-share-memory", reshapes_share_memory);
  g_test_add_func ("/run/executor/reshapes-ask-before-more-changes",
                   reshapes_ask_before_more_changes);
  g_test_add_func ("/run/executor/a-monitor-sees-every-value", a_monitor_sees_every_value);
  g_test_add_func ("/run/executor/evaluates-in-one-call", evaluates_in_one_call);
  return g_test_run ();
}
