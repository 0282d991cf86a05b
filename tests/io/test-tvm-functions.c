/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-infer.h"
#include "cost.h"

/* What is told of TVM's graphs: functions that are known, those that are not, and what is wrong. */

#define OPEN "nothing is known of the functions of this graph but their names"

/* A name of 80 bytes may be cut. */
#define TEN_RELUS "relu_relu_relu_relu_relu_relu_relu_relu_relu_relu_"

static const struct {
  const char *function, *shapes; /* of operands and result */
  const char *told;              /* how what is told begins; NULL for nothing */
} cases[] = {
  { "tvmgen_default_fused_nn_dense_add_nn_relu_3", "[2, 4], [3, 4], [3], [2, 3]", NULL },
  { "fused_nn_dense_add_0123456789abcdef_", "[2, 4], [3, 4], [3], [2, 3]", NULL },
  { "fused_nn_relu_1234567890123456789__1", "[2], [2]", NULL },
  { "fused_" TEN_RELUS "relu_relu_relu_relu_tanh", "[2], [2]", NULL },
  { "fused_" TEN_RELUS "relu_relu_relu_relu_tanh_1234567890123456789__1", "[2], [2]", OPEN },
  { "fuse_dense_relu", "[2, 4], [3, 4], [3], [2, 3]", NULL },
  { "fuse_dense_relu", "[2, 4], [3, 4], [2, 3]", NULL },
  { "fused_subtract", "[2, 4], [2, 4], [2, 5]", "Shape inconsistent" },
  { "fused_nn_batch_flatten", "[2, 3, 4], [2, 11]", "Shape inconsistent" },
  { "__nop", "[1, 4, 2], [8]", NULL },
  { "__nop", "[1, 4, 2], [9]", "__nop: the shapes of operands and result do not fit" },
  { "fused_squeeze", "[1, 3, 1, 4], [4, 3]", "squeeze: the shapes" },
  { "fused_add", "[2, 3], [2, 3]", OPEN }, /* a number that is in the function */
  { "fused_nn_softmax", "[1, 7], [1, 7]", NULL },
  { "fused_nn_softmax", "[1, 7], [1, 8]", "Shape inconsistent" },
  { "fused_nn_softmax", "[2, 7], [2, 7]", OPEN },
  { "fused_nn_bias_add", "[1, 4, 3, 3], [4], [1, 4, 3, 3]", NULL },
  { "fused_nn_bias_add", "[1, 3, 3, 4], [4], [1, 3, 3, 4]", NULL },
  { "fused_nn_bias_add", "[1, 3, 3, 3], [3], [1, 3, 3, 3]", OPEN },
  { "fused_nn_bias_add", "[2, 4], [3], [2, 4]", "nn_bias_add: the shapes" },
  { "fused_mean", "[2, 3, 4], [2, 4]", NULL },
  { "fused_mean", "[3, 3, 4], [3, 4]", OPEN },
  { "fused_mean", "[2, 3, 4], [5]", "mean: the shapes" },
  { "fused_transpose", "[2, 3, 4], [4, 2, 3]", NULL },
  { "fused_transpose", "[2, 2, 4], [2, 4, 2]", OPEN },
  { "fused_concatenate", "[2, 3], [2, 4], [2, 7]", NULL },
  { "fused_concatenate", "[2, 3], [2, 4], [2, 8]", "Shape inconsistent" },
  { "fused_nn_batch_matmul", "[2, 3, 4], [2, 5, 4], [2, 3, 5]", NULL },
  { "fused_nn_batch_matmul", "[2, 4, 4], [2, 4, 4], [2, 4, 4]", OPEN },
  { "fused_nn_global_avg_pool2d", "[1, 3, 4, 4], [1, 3, 1, 1]", NULL },
  { "fused_nn_global_avg_pool2d", "[1, 4, 4, 3], [1, 1, 1, 3]", NULL },
  { "fused_nn_conv2d_add", "[1, 3, 4, 4], [3, 3, 3, 3], [3, 1, 1], [1, 3, 4, 4]", OPEN },
  { "fused_nn_relu", "[4.5, 2], [2, 2]", "a size of shape 0 is no integer of 64 bits" },
  { "fused_nn_relu", "[2, 2], [1180591620717411303424, 2]",
    "a size of shape 1 is no integer of 64 bits" },
};

static guint
count_shapes (const char *shapes)
{
  guint n = 0;

  for (; *shapes != '\0'; shapes++)
    n += *shapes == '[';
  return n;
}

static SymModel *
read_function (const char *function, const char *shapes)
{
  GString *text = g_string_new ("{\"nodes\": [");
  guint n = count_shapes (shapes) - 1;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "{\"op\": \"null\", \"name\": \"x%u\", \"inputs\": []}, ", i);
  g_string_append_printf (text,
                          "{\"op\": \"tvm_op\", \"name\": \"f\", \"attrs\": {\"func_name\": "
                          "\"%s\", \"num_outputs\": \"1\"}, \"inputs\": [",
                          function);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s[%u, 0, 0]", i == 0 ? "" : ", ", i);
  g_string_append_printf (text, "]}], \"arg_nodes\": [], \"heads\": [[%u, 0, 0]], \"attrs\": {", n);
  g_string_append_printf (text, "\"shape\": [\"list_shape\", [%s]], \"storage_id\": [], ", shapes);
  g_string_append (text, "\"dltype\": [\"list_str\", [");
  for (guint i = 0; i <= n; i++)
    g_string_append_printf (text, "%s\"float32\"", i == 0 ? "" : ", ");
  g_string_append (text, "]]}}");
  return cost_read_text (text);
}

static void
check_told (const SymProblems *problems, const char *expected, guint *n_met)
{
  for (guint i = 0; i < sym_problems_get_n (problems); i++)
    {
      const char *message = sym_problems_get (problems, i)->message;

      g_test_message ("%s", message);
      if (expected == NULL || strstr (message, expected) == NULL)
        g_error ("unexpected: %s", message);
      ++*n_met;
    }
}

static void
tells_what_is_not_known_and_what_is_wrong (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model = read_function (cases[i].function, cases[i].shapes);
      g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
      guint n_met = 0;

      g_test_message ("%s %s", cases[i].function, cases[i].shapes);
      check_told (sym_model_get_problems (model), cases[i].told, &n_met);
      check_told (sym_inference_get_problems (inference), cases[i].told, &n_met);
      g_assert_cmpuint (n_met, ==, cases[i].told == NULL ? 0 : 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/tvm/tells-what-is-not-known-and-what-is-wrong",
                   tells_what_is_not_known_and_what_is_wrong);
  return g_test_run ();
}
