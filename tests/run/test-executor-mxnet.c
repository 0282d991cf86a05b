/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-error.h"
#include "io/sym-io.h"
#include "run/sym-executor.h"

#include "../ops/kernel-case.h"

/* The examples of MXNet's Symbol tutorial and of its documents, by their numbers: T-M13 to T-M16
 * and T-M19 without gradients. */

#define NAMES(...) ((const char *const[]){ __VA_ARGS__ })
#define DATA(...) ((SymDatum *const[]){ __VA_ARGS__ })
#define VARIABLE(name) "{\"op\": \"null\", \"name\": \"" name "\", \"inputs\": []}"
#define NODE(op, name, attributes, inputs)                                                         \
  "{\"op\": \"" op "\", \"name\": \"" name "\", \"attrs\": {" attributes "}, \"inputs\": [" inputs \
  "]}"

static SymModel *
read_symbol (const char *nodes, const char *arguments, int head)
{
  g_autofree char *json =
      g_strdup_printf ("{\"nodes\": [%s], \"arg_nodes\": [%s], \"heads\": [[%d, 0, 0]], "
                       "\"attrs\": {\"mxnet_version\": [\"int\", 10901]}}",
                       nodes, arguments, head);
  g_autoptr (GBytes) bytes = g_bytes_new (json, strlen (json));
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read_bytes (bytes, "test-symbol.json", &error);

  g_assert_no_error (error);
  return model;
}

static void
assert_array (SymDatum *datum, const char *expected)
{
  g_autoptr (SymDatum) other = kernel_case_read (expected);
  const KernelCase one = { .op = expected, .tolerance = 2e-6 };

  g_assert_nonnull (datum);
  kernel_case_compare (&one, sym_datum_get_array (datum), sym_datum_get_array (other));
}

/* c = a + b of ones is 2; of twos and threes of another shape it is 5. */
static void
sums_are_evaluated (void)
{
  g_autoptr (SymModel) c = read_symbol (
      VARIABLE ("a") "," VARIABLE ("b") "," NODE ("elemwise_add", "_plus0", "", "[0,0,0],[1,0,0]"),
      "0, 1", 2);
  g_autoptr (SymDatum) ones = kernel_case_read ("float32 2,3: 1 1 1 1 1 1");
  g_autoptr (SymDatum) twos = kernel_case_read ("float32 3,4: 2 2 2 2 2 2 2 2 2 2 2 2");
  g_autoptr (SymDatum) threes = kernel_case_read ("float32 3,4: 3 3 3 3 3 3 3 3 3 3 3 3");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = NULL;
  g_autoptr (GPtrArray) outputs = NULL;

  outputs = sym_eval (c, NAMES ("a", "b"), DATA (ones, ones), 2, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  assert_array (outputs->pdata[0], "float32 2,3: 2 2 2 2 2 2");
  executor = sym_model_bind (c, NAMES ("a", "b"), DATA (twos, threes), 2, &error);
  g_assert_no_error (error);
  g_assert_true (sym_executor_forward (executor, NULL, &error));
  assert_array (sym_executor_find (executor, SYM_ARRAYS_OUTPUTS, "_plus0_output", &error),
                "float32 3,4: 5 5 5 5 5 5 5 5 5 5 5 5");
}

/* b = a + a * a, bound with a key too many: 6 everywhere. */
static void
variables_are_shared (void)
{
  g_autoptr (SymModel) b = read_symbol (
      VARIABLE ("a") "," NODE ("elemwise_mul", "_mul0", "", "[0,0,0],[0,0,0]") "," NODE (
          "elemwise_add", "_plus0", "", "[0,0,0],[1,0,0]"),
      "0", 2);
  g_autoptr (SymDatum) data = kernel_case_read ("float32 2,3: 2 2 2 2 2 2");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs =
      sym_eval (b, NAMES ("a", "b"), DATA (data, data), 2, NULL, &error);

  g_assert_no_error (error);
  assert_array (outputs->pdata[0], "float32 2,3: 6 6 6 6 6 6");
}

/* The tutorial's basic operators: g = broadcast_to (reshape (a * b + dot (a, b), (1, 4)), (2, 4)).
 */
static void
basic_operators_compute (void)
{
  g_autoptr (SymModel) g = read_symbol (
      VARIABLE ("a") "," VARIABLE ("b") "," NODE ("elemwise_mul", "_mul0", "", "[0,0,0],[1,0,0]") "," NODE (
          "dot", "dot0", "",
          "[0,0,0],[1,0,0]") "," NODE ("elemwise_add", "_plus1", "",
                                       "[2,0,0],[3,0,0]") "," NODE ("Reshape", "reshape0",
                                                                    "\"shape\": \"(1, 4)\"",
                                                                    "[4,0,0]") "," NODE ("broadcast"
                                                                                         "_to",
                                                                                         "broadcast"
                                                                                         "_to0",
                                                                                         "\"shape\""
                                                                                         ": \"(2, "
                                                                                         "4)\"",
                                                                                         "[5,0,0]"),
      "0, 1", 6);
  g_autoptr (SymDatum) a = kernel_case_read ("float32 2,2: 1 2 3 4");
  g_autoptr (SymDatum) b = kernel_case_read ("float32 2,2: 5 6 7 8");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs = sym_eval (g, NAMES ("a", "b"), DATA (a, b), 2, NULL, &error);

  g_assert_no_error (error);
  assert_array (outputs->pdata[0], "float32 2,4: 24 34 64 82 24 34 64 82");
}

/* T-M15: c = 2 a + b. */
static void
scalars_compute (void)
{
  g_autoptr (SymModel) c = read_symbol (
      VARIABLE ("a") "," NODE ("_mul_scalar", "_mulscalar0", "\"scalar\": \"2\"",
                               "[0,0,0]") "," VARIABLE ("b") "," NODE ("elemwise_add", "_plus0", "",
                                                                       "[1,0,0],[2,0,0]"),
      "0, 2", 3);
  g_autoptr (SymDatum) a = kernel_case_read ("float32 2: 1 2");
  g_autoptr (SymDatum) b = kernel_case_read ("float32 2: 2 3");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = sym_model_bind_list (c, DATA (a, b), 2, NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_true (sym_executor_forward (executor, NULL, &error));
  assert_array (sym_executor_get (executor, SYM_ARRAYS_OUTPUTS, 0), "float32 2: 4 7");
}

#define SOFTMAX                                                                                   \
  VARIABLE ("data")                                                                               \
  "," VARIABLE ("fc_weight") "," VARIABLE ("fc_bias") "," NODE (                                  \
      "FullyConnected", "fc", "\"num_hidden\": \"6\"",                                            \
      "[0,0,0],[1,0,0],[2,0,0]") "," VARIABLE ("label") "," NODE ("SoftmaxOutput", "softmax", "", \
                                                                  "[3,0,0],[4,0,0]")

/* T-M14. */
static void
a_softmax_output_computes (void)
{
  g_autoptr (SymModel) model = read_symbol (SOFTMAX, "0, 1, 2, 4", 5);
  g_autoptr (SymDatum) data = kernel_case_read ("float32 1,4: 1 1 1 1");
  g_autoptr (SymDatum) weight = kernel_case_read ("float32 6,4: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
                                                  "1 1 1 1 1 1 1");
  g_autoptr (SymDatum) bias = kernel_case_read ("float32 6: 1 4 4 4 5 6");
  g_autoptr (SymDatum) label = kernel_case_read ("float32 1: 1");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor =
      sym_model_bind (model, NAMES ("data", "fc_weight", "fc_bias", "label"),
                      DATA (data, weight, bias, label), 4, &error);

  g_assert_no_error (error);
  g_assert_true (sym_executor_forward (executor, NULL, &error));
  assert_array (sym_executor_find (executor, SYM_ARRAYS_OUTPUTS, "softmax_output", &error),
                "float32 1,6: 0.00378404 0.07600445 0.07600445 0.07600445 0.20660152 0.5616011");
}

/* M61: shapes follow from the data's, and both of the message's shapes are told when they do not.
 */
static void
simple_bind_follows_the_data (void)
{
  g_autoptr (SymModel) model = read_symbol (SOFTMAX, "0, 1, 2, 4", 5);
  const SymBinding data = { "data", SYM_SHAPE (3, 4) };
  const SymBinding wrong[] = { data, { "fc_weight", SYM_SHAPE (6, 5) } };
  static const char *const shapes[] = { "(3, 4)", "(6, 4)", "(6,)", "(3,)" };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = sym_model_simple_bind (model, &data, 1, NULL, &error);
  g_autoptr (SymExecutor) none = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (sym_executor_get_n (executor, SYM_ARRAYS_ARGUMENTS), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      const SymArray *array =
          sym_datum_get_array (sym_executor_get (executor, SYM_ARRAYS_ARGUMENTS, i));
      g_autoptr (GString) text = g_string_new ("(");

      for (int k = 0; k < array->shape.rank; k++)
        g_string_append_printf (text, "%s%d", k == 0 ? "" : ", ", (int) array->shape.dims[k]);
      g_string_append (text, array->shape.rank == 1 ? ",)" : ")");
      g_assert_cmpstr (text->str, ==, shapes[i]);
    }
  g_assert_true (sym_executor_forward (executor, NULL, &error));
  assert_array (sym_executor_get (executor, SYM_ARRAYS_OUTPUTS, 0),
                "float32 3,6: 0.16666667 0.16666667 0.16666667 0.16666667 0.16666667 0.16666667 "
                "0.16666667 0.16666667 0.16666667 0.16666667 0.16666667 0.16666667 0.16666667 "
                "0.16666667 0.16666667 0.16666667 0.16666667 0.16666667");
  none = sym_model_simple_bind (model, wrong, 2, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, SYM_ERROR, SYM_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "simple_bind error. Arguments:\ndata: (3, 4)\n"
                                            "fc_weight: (6, 5)\nError in operator fc: "));
}

/* T-M16. */
static void
softmax_rows_compute (void)
{
  g_autoptr (SymModel) model = read_symbol (VARIABLE ("data") "," VARIABLE ("label") "," NODE (
                                                "SoftmaxOutput", "softmax", "", "[0,0,0],[1,0,0]"),
                                            "0, 1", 2);
  g_autoptr (SymDatum) data = kernel_case_read ("float32 2,4: 1 2 3 4 7 7 7 7");
  g_autoptr (SymDatum) label = kernel_case_read ("float32 2: 0 0");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs =
      sym_eval (model, NAMES ("data", "label"), DATA (data, label), 2, NULL, &error);

  g_assert_no_error (error);
  assert_array (outputs->pdata[0], "float32 2,4: 0.0320586 0.08714432 0.23688284 0.64391428 0.25 "
                                   "0.25 0.25 0.25");
}

/* T-M19: two layers of one weight and one bias, side by side. */
static void
tied_weights_are_one_argument (void)
{
  static const char *const names[] = { "inputs_left", "shared_weight", "shared_bias",
                                       "inputs_right", "labels" };
  g_autoptr (SymModel) model = read_symbol (
      VARIABLE ("inputs_left") "," VARIABLE ("shared_weight") "," VARIABLE ("shared_bias") "," NODE (
          "FullyConnected", "fc_left", "\"num_hidden\": \"2\"",
          "[0,0,0],[1,0,0],[2,0,0]") "," VARIABLE ("inputs_right") "," NODE ("FullyConnected",
                                                                             "fc_right",
                                                                             "\"num_hidden\": "
                                                                             "\"2\"",
                                                                             "[4,0,0],[1,0,0],[2,0,"
                                                                             "0]") "," NODE ("Conca"
                                                                                             "t",
                                                                                             "conca"
                                                                                             "t0",
                                                                                             "\"num"
                                                                                             "_args"
                                                                                             "\": "
                                                                                             "\"2\""
                                                                                             ", "
                                                                                             "\"dim"
                                                                                             "\": "
                                                                                             "\"1"
                                                                                             "\"",
                                                                                             "[3,0,"
                                                                                             "0],["
                                                                                             "5,0,"
                                                                                             "0]") "," VARIABLE ("labels") "," NODE ("SoftmaxOutput",
                                                                                                                                     "softmax",
                                                                                                                                     "",
                                                                                                                                     "[6,0,0],[7,0,0]"),
      "0, 1, 2, 4, 7", 8);
  const SymBinding bindings[] = { { "inputs_left", SYM_SHAPE (3, 2) },
                                  { "inputs_right", SYM_SHAPE (3, 2) } };
  g_autoptr (SymDatum) weight = kernel_case_read ("float32 2,2: 1 0 0 1");
  g_autoptr (SymDatum) bias = kernel_case_read ("float32 2: 0 1");
  g_autoptr (SymDatum) left = kernel_case_read ("float32 3,2: 0 0 1 0 0 0");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymExecutor) executor = sym_model_simple_bind (model, bindings, 2, NULL, &error);
  const SymArray *labels;

  g_assert_no_error (error);
  g_assert_cmpuint (sym_executor_get_n (executor, SYM_ARRAYS_ARGUMENTS), ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpstr (sym_executor_get_name (executor, SYM_ARRAYS_ARGUMENTS, i), ==, names[i]);
  labels = sym_datum_get_array (sym_executor_get (executor, SYM_ARRAYS_ARGUMENTS, 4));
  g_assert_true (sym_shape_equal (&labels->shape, &SYM_SHAPE (3)));
  g_assert_true (sym_executor_copy_params_from (executor, NAMES ("shared_weight", "shared_bias"),
                                                DATA (weight, bias), 2, FALSE, &error));
  g_assert_true (
      sym_executor_forward_with (executor, NAMES ("inputs_left"), DATA (left), 1, NULL, &error));

  /* Rows of softmax (0, 1, 0, 1) and, in the middle, softmax (1, 1, 0, 1). */
  assert_array (sym_executor_get (executor, SYM_ARRAYS_OUTPUTS, 0),
                "float32 3,4: 0.13447071 0.36552929 0.13447071 0.36552929 0.29692274 0.29692274 "
                "0.10923177 0.29692274 0.13447071 0.36552929 0.13447071 0.36552929");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/executor/mxnet/sums-are-evaluated", sums_are_evaluated);
  g_test_add_func ("/run/executor/mxnet/variables-are-shared", variables_are_shared);
  g_test_add_func ("/run/executor/mxnet/basic-operators-compute", basic_operators_compute);
  g_test_add_func ("/run/executor/mxnet/scalars-compute", scalars_compute);
  g_test_add_func ("/run/executor/mxnet/a-softmax-output-computes", a_softmax_output_computes);
  g_test_add_func ("/run/executor/mxnet/simple-bind-follows-the-data",
                   simple_bind_follows_the_data);
  g_test_add_func ("/run/executor/mxnet/softmax-rows-compute", softmax_rows_compute);
  g_test_add_func ("/run/executor/mxnet/tied-weights-are-one-argument",
                   tied_weights_are_one_argument);
  return g_test_run ();
}
