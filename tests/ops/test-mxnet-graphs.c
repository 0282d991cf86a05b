/* SPDX-License-Identifier: MIT */
#include "rule-case.h"

/* Small graphs of semantics M40-M46, by test id.  A line is "name = Op {attributes} operands", or
 * "name: type" for a variable; "name.1" is the second output of a node. */
typedef struct {
  const char *id;
  const char *lines[10];
  const char *expected[8]; /* "name type" */
  const char *error;
} GraphCase;

static const GraphCase cases[] = {
  { "T-M7", { "a: 2,3", "b: 2,3", "c = _Plus {} a b" }, { "a 2,3", "b 2,3", "c 2,3" } },
  { "T-M7 partial", { "a: ?,3", "b: *", "c = _Plus {} a b" }, { "a ?,3", "b ?,3", "c ?,3" } },
  { "T-M8",
    { "data: 100,100", "fc1_weight: *", "fc1_bias: *",
      "fc1 = FullyConnected {num_hidden=1000} data fc1_weight fc1_bias",
      "act = Activation {act_type=relu} fc1", "fc2_weight: *", "fc2_bias: *",
      "fc2 = FullyConnected {num_hidden=10} act fc2_weight fc2_bias" },
    { "fc1_weight 1000,100", "fc1_bias 1000", "fc2_weight 10,1000", "fc2_bias 10", "fc2 100,10" } },
  { "T-M8 error",
    { "data: 100,100", "fc1_weight: 1,100", "fc1_bias: *",
      "fc1 = FullyConnected {num_hidden=1000} data fc1_weight fc1_bias" },
    { NULL },
    "Error in operator fc1: Shape inconsistent, Provided = [1,100], inferred shape=[1000,100]" },
  { "T-M9 sum", { "a: ?,10", "b: 12,?", "c = elemwise_add {} a b" }, { "a 12,10", "b 12,10" } },
  { "T-M9 dense",
    { "a: ?,10", "w: *", "bias: *", "d = FullyConnected {num_hidden=21} a w bias", "c: 5,?",
      "s = elemwise_add {} d c" },
    { "a 5,10", "c 5,21", "s 5,21" } },
  { "T-M9 convolution",
    { "a: ?,10,?,?", "w: *", "bias: *",
      "d = Convolution {kernel=(3, 3); num_filter=21; pad=(1, 1)} a w bias", "c: 5,21,32,32",
      "s = elemwise_add {} d c" },
    { "a 5,10,32,32", "w 21,10,3,3", "s 5,21,32,32" } },
  { "T-M9 concat",
    { "a: ?,10", "b: ?,5", "c = Concat {num_args=2; dim=1} a b", "d: 2,?",
      "s = elemwise_add {} c d" },
    { "a 2,10", "b 2,5", "d 2,15" } },
  { "T-M9 split, squeezed",
    { "a: ?,10", "s = SliceChannel {num_outputs=10; axis=1; squeeze_axis=True} a", "c: 5",
      "sum = elemwise_add {} s.1 c" },
    { "a 5,10" } },
  { "T-M9 split",
    { "a: ?,15,?", "s = SliceChannel {num_outputs=3} a", "c: 3,5,2",
      "sum = elemwise_add {} s.1 c" },
    { "a 3,15,2" } },
  { "T-M6",
    { "a: 2,2", "b: 2,2", "c = _Plus {} a b", "d = _Mul {} a b", "e = dot {} a b",
      "plus1 = _Plus {} d e", "f = Reshape {shape=(1, 4)} plus1",
      "g = broadcast_to {shape=(2, 4)} f" },
    { "c 2,2", "e 2,2", "f 1,4", "g 2,4" } },
  { "T-M10",
    { "data: 10,64", "x2h_weight: *", "x2h_bias: *",
      "x2h = FullyConnected {num_hidden=128} data x2h_weight x2h_bias", "prev: *", "h2h_weight: *",
      "h2h_bias: *", "h2h = FullyConnected {num_hidden=128} prev h2h_weight h2h_bias",
      "out = elemwise_add {} x2h h2h" },
    { "data 10,64", "x2h_weight 128,64", "h2h_weight *", "out 10,128" } },
  { "T-M10 convolution",
    { "data: 1,?,?,?", "w: *",
      "c = Convolution {kernel=(7, 7); num_filter=64; no_bias=True} data w" },
    { "data 1,?,?,?", "w 64,?,7,7", "c 1,64,?,?" } },
  { "T-M10 dot", { "a: ?,3,4", "b: 4,5", "c = dot {} a b" }, { "c ?,3,5" } },
  { "T-M10 nothing", { "a: *", "b = sin {} a" }, { "a *", "b *" } },
  { "T-M11", { "a: 2,3", "b: *", "c = elemwise_add {} a b" }, { "a 2,3", "b 2,3", "c 2,3" } },
  { "T-M12",
    { "data: *:float16", "cast = Cast {dtype=float32} data", "w: *", "b: *",
      "fc = FullyConnected {num_hidden=10} cast w b", "label: *",
      "out = SoftmaxOutput {} fc label" },
    { "data *:float16", "w *:float32", "b *:float32", "label *:float32", "out *:float32" } },
  { "T-M12 nothing",
    { "data: *", "cast = Cast {dtype=float32} data", "w: *", "b: *",
      "fc = FullyConnected {num_hidden=10} cast w b", "label: *",
      "out = SoftmaxOutput {} fc label" },
    { "data *", "w *:float32", "b *:float32", "label *:float32" } },
  { "T-M12 casts",
    { "a: 2:float32", "b = Cast {dtype=float16} a", "c: 2:int32", "d = Cast {dtype=uint8} c" },
    { "b 2:float16", "d 2:uint8" } },
  { "M46 backwards",
    { "data: *", "w: *", "b: *", "fc = FullyConnected {num_hidden=10} data w b", "c: *:float16",
      "sum = elemwise_add {} fc c" },
    { "data *:float16", "w *:float16", "b *:float16" } },
  { "M46 contradiction",
    { "data: 2,3:float32", "weight: 4,3:float16", "bias: *",
      "fc = FullyConnected {num_hidden=4} data weight bias" },
    { NULL },
    "Error in operator fc: This layer requires uniform type. Expected 'float32' v.s. given "
    "'float16' "
    "at 'weight'" },
  { "M46 norm",
    { "data: 2,3,4,4:float16", "gamma: *", "beta: *", "mean: *", "var: *",
      "bn = BatchNorm {} data gamma beta mean var" },
    { "gamma 3:float32", "beta 3:float32", "mean 3:float32", "var 3:float32",
      "bn 2,3,4,4:float16" } },
  { "M44 ranks",
    { "a: 2,3", "b: 2,3,1", "c = elemwise_add {} a b" },
    { NULL },
    "Error in operator c: Incompatible attr at 1-th input: expected [2,3], got [2,3,1]" },
  { "T-M19",
    { "left: 3,2", "right: 3,2", "w: *", "b: *", "x = FullyConnected {num_hidden=2} left w b",
      "y = FullyConnected {num_hidden=2} right w b", "concat0 = Concat {num_args=2; dim=1} x y",
      "labels: *", "out = SoftmaxOutput {} concat0 labels" },
    { "w 2,2", "b 2", "concat0 3,4", "labels 3", "out 3,4" } },
  { "T-M20 factory",
    { "data: 128,3,28,28", "w: *", "b: *",
      "conv = Convolution {kernel=(7, 7); num_filter=64; stride=(2, 2)} data w b", "gamma: *",
      "beta: *", "mean: *", "var: *", "bn = BatchNorm {} conv gamma beta mean var",
      "relu = Activation {act_type=relu} bn" },
    { "conv 128,64,11,11", "mean 64", "relu 128,64,11,11" } },
};

static SymModel *
build (const GraphCase *self, GHashTable *values)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);

  for (guint i = 0; i < G_N_ELEMENTS (self->lines) && self->lines[i] != NULL; i++)
    rule_case_add_line (builder, values, self->lines[i]);
  return sym_model_builder_end (builder);
}

static void
run (const GraphCase *self)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (SymModel) model = build (self, values);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  const SymProblems *problems = sym_inference_get_problems (inference);

  g_test_message ("%s", self->id);
  if (self->error != NULL)
    {
      g_assert_cmpuint (sym_problems_get_n (problems), >=, 1);
      g_assert_cmpstr (sym_problems_get (problems, 0)->message, ==, self->error);
      return;
    }
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (self->expected) && self->expected[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (self->expected[i], " ", 2);
      SymId value = GPOINTER_TO_UINT (g_hash_table_lookup (values, parts[0])) - 1;
      g_autoptr (GString) text = g_string_new (NULL);

      rule_case_append (text, inference, value, strchr (parts[1], ':') != NULL);
      if (strchr (parts[1], '*') != NULL && strchr (parts[1], ':') != NULL)
        {
          g_assert_cmpstr (strchr (text->str, ':'), ==, strchr (parts[1], ':'));
          continue;
        }
      g_test_message ("%s", self->expected[i]);
      g_assert_cmpstr (text->str, ==, parts[1]);
    }
}

static void
graphs_infer_as_the_tests_of_mxnet_say (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    run (&cases[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/mxnet/graphs-infer-as-the-tests-of-mxnet-say",
                   graphs_infer_as_the_tests_of_mxnet_say);
  return g_test_run ();
}
