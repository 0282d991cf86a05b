/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

/* Rows of 1 and 3 have mean 2 and variance 1. */
static const KernelCase norms[] = {
  { "BatchNormalization", "epsilon=0.0",
    "float32 1,2,2: 1 3 1 3; float32 2: 1 2; float32 2: 0 5; float32 2: 2 1; float32 2: 1 4",
    "float32 1,2,2: -1 1 5 7" },
  { "BatchNormalization", "epsilon=0.0; training_mode=1; momentum=0.5",
    "float64 2,1: 1 3; float64 1: 1; float64 1: 0; float64 1: 10; float64 1: 5",
    "float64 2,1: -1 1; float64 1: 6; float64 1: 3" },
  { "BatchNormalization", "epsilon=0.0",
    "float16 1,1,1: 3; float32 1: 1; float32 1: 0; float32 1: 2; float32 1: 4",
    "float16 1,1,1: 0.5" },
  { "BatchNormalization", "",
    "float32 1,2: 1 3; float32 1: 1; float32 2: 0 5; float32 2: 2 1; float32 2: 1 4",
    .error = "operand 1 has 1 numbers for 2 channels" },
  { "BatchNormalization", "",
    "float32 1,1: 1; float32 1: 1; float32 1: 1; float32 1: 1; float32 1: 1", "-;-",
    .error = "no output 1 but in training" },
  { "BatchNormalization-9", "epsilon=0.0; momentum=0.0",
    "float32 2,1: 1 3; float32 1: 1; float32 1: 0; float32 1: 9; float32 1: 9",
    "float32 2,1: -1 1; float32 1: 2; float32 1: 1; float32 1: 2; float32 1: 1" },
  { "BatchNormalization-7", "epsilon=0.0; spatial=0",
    "float32 1,1,2: 3 3; float32 2: 1 1; float32 2: 0 1; float32 2: 2 1; float32 2: 1 4",
    "float32 1,1,2: 1 2" },
  { "BatchNormalization-6", "epsilon=0.0; is_test=1",
    "float32 1,1: 3; float32 1: 1; float32 1: 0; float32 1: 2; float32 1: 1", "float32 1,1: 1" },
  { "InstanceNormalization", "epsilon=0.0",
    "float32 1,2,2: 1 3 10 30; float32 2: 1 2; float32 2: 0 5", "float32 1,2,2: -1 1 3 7" },
  { "InstanceNormalization-1", "epsilon=3.0", "float64 1,1,2: 1 3; float64 1: 1; float64 1: 0",
    "float64 1,1,2: -0.5 0.5" },
  { "InstanceNormalization", "", "float32 1,2,1: 1 3; float32 1: 1; float32 2: 0 5",
    .error = "operand 1 has shape [1]; it should be [2]" },
  { "GroupNormalization", "epsilon=0.0; num_groups=2",
    "float32 1,4,1: 1 3 10 30; float32 4: 1 2 3 4; float32 4: 0 0 0 1",
    "float32 1,4,1: -1 2 -3 5" },
  { "GroupNormalization-18", "epsilon=0.0; num_groups=2",
    "float32 1,4,1: 1 3 10 30; float32 2: 1 2; float32 2: 0 1", "float32 1,4,1: -1 1 -1 3" },
  { "GroupNormalization-18", "epsilon=0.0; num_groups=2",
    "float32 1,4,1: 1 3 10 30; float32 4: 1 2 3 4; float32 4: 0 0 0 1",
    "float32 1,4,1: -1 2 -3 5" },
  { "GroupNormalization-18", "num_groups=2",
    "float32 1,4,1: 1 3 10 30; float32 3: 1 2 3; float32 4: 0 0 0 1",
    .error = "operand 1 has shape [3]; it should be [4]" },
  { "GroupNormalization", "num_groups=3",
    "float32 1,4,1: 1 3 10 30; float32 4: 1 2 3 4; float32 4: 0 0 0 1",
    .error = "4 channels cannot be parted into 3 groups" },
  { "GroupNormalization", "", "float32 1,1: 1; float32 1: 1; float32 1: 1",
    .error = "num_groups is 0" },
  { "GroupNormalization", "num_groups=1",
    "float32 1,0,1:; float32 0:; float32 0:", "float32 1,0,1:" },
  { "LayerNormalization", "epsilon=0.0", "float32 2,2: 1 3 30 10; float32 2: 1 2; float32 2: 0 5",
    "float32 2,2: -1 7 1 3; float32 2,1: 2 20; float32 2,1: 1 0.1", .tolerance = 1e-6 },
  { "LayerNormalization", "epsilon=0.0; axis=0", "float64 2,1: 1 3; float64 1: 2",
    "float64 2,1: -2 2" },
  { "LayerNormalization", "epsilon=0.0; axis=1", "float64 2,1,2: 1 3 1 3; float64 2,1,1: 1 10",
    "float64 2,1,2: -1 1 -10 10" },
  { "LayerNormalization", "epsilon=0.0", "float16 1,2: 1 3; float16 2: 1 1",
    "float16 1,2: -1 1; float32 1,1: 2" },
  { "LayerNormalization", "epsilon=0.0; stash_type=16", "float16 1,2: 1 3; float16 2: 1 1",
    "float16 1,2: -1 1; bfloat16 1,1: 2" },
  { "LayerNormalization", "stash_type=7", "float32 1,2: 1 3; float32 2: 1 1", "-;-",
    .error = "stash_type is int64" },
  { "LayerNormalization", "", "float32 1,2: 1 3; float32 3: 1 1 1", .error = "do not broadcast" },
  { "LayerNormalization", "", "float32 1,2: 1 3; float32 2,2: 1 1 1 1",
    .error = "does not broadcast to [1,2]" },
  { "LayerNormalization", "", "int32 1,2: 1 3; float32 2: 1 1",
    .error = "LayerNormalization has no kernel for int32" },
  { "LayerNormalization", "axis=2", "float32 1,2: 1 3; float32 2: 1 1",
    .error = "axis 2 is out of range" },
  { "LayerNormalization-1", "epsilon=0.0", "float64 1,2: 1 3; float64 2: 2 1",
    "float64 1,2: -2 1" },
  { "RMSNormalization", "epsilon=0.0", "float64 2,2: 3 3 -5 5; float64 2: 1 2",
    "float64 2,2: 1 2 -1 2" },
  { "RMSNormalization", "epsilon=0.0", "float32 2: 3 3; float64 2: 1 2", "float64 2: 1 2" },
  { "LpNormalization", "", "float32 2,2: 3 4 0 0", "float32 2,2: 0.6 0.8 0 0", .tolerance = 1e-7 },
  { "LpNormalization", "axis=0; p=1", "float64 2,2: 1 -2 3 2", "float64 2,2: 0.25 -0.5 0.75 0.5" },
  { "LpNormalization", "p=3", "float32 1: 1", .error = "p is 3; it should be 1 or 2" },
  { "LRN", "size=3; alpha=3.0; beta=1.0", "float64 1,3,1: 1 2 3",
    "float64 1,3,1: 0.16666666666666666 0.13333333333333333 0.21428571428571427",
    .tolerance = 1e-15 },
  { "LRN", "size=2; alpha=2.0; beta=1.0", "float32 1,3,1: 1 2 3",
    "float32 1,3,1: 0.16666667 0.14285715 0.3", .tolerance = 1e-6 },
  { "LRN", "size=9223372036854775807", "float32 1,1,1: 1", "float32 1,1,1: 1" },
  { "LRN", "", "float32 1,3,1: 1 2 3", .error = "size is 0; it should be at least 1" },
  { "MeanVarianceNormalization", "axes=[1]", "float64 2,2: 1 3 30 10", "float64 2,2: -1 1 1 -1",
    .tolerance = 1e-8 },
  { "MeanVarianceNormalization", "", "float32 1,2,1,2: 1 3 10 30", "float32 1,2,1,2: -1 1 -1 1",
    .tolerance = 1e-6 },
  { "MeanVarianceNormalization", "", "float32 1,2: 1 3",
    .error = "axis 2 is out of range for rank 2" },
  { NULL },
};

static const KernelCase others[] = {
  { "Pow", "", "float32 3: 2 -8 0; float32 : 3", "float32 3: 8 -512 0" },
  { "Pow", "", "int32 3: 2 -3 5; int64 3: 10 3 -1", "int32 3: 1024 -27 0" },
  { "Pow", "", "int64 3: -1 -1 1; int32 3: -3 -2 -7", "int64 3: -1 1 1" },
  { "Pow", "", "int64 1: 3; uint64 1: 18446744073709551615", "int64 1: -6148914691236517205" },
  { "Pow", "", "float32 2: 4 9; float16 : 0.5", "float32 2: 2 3" },
  { "Pow", "", "int32 2: 4 -9; float32 : 0.5", "int32 2: 2 -2147483648" },
  { "Pow", "", "float16 2: 4 9; int8 : 2", "float16 2: 16 81" },
  { "Pow", "", "bool 1: 1; int8 1: 2", .error = "Pow has no kernel for bool" },
  { "Pow-1", "", "float32 2: 1 2; float32 : 2", .error = "the attribute broadcast is 0" },
  { "Einsum", "equation=\"ij,jk->ik\"", "float32 2,2: 1 2 3 4; float32 2,2: 1 0 0 2",
    "float32 2,2: 1 4 3 8" },
  { "Einsum", "equation=\"ij->\"", "int32 2,2: 1 2 3 4", "int32 : 10" },
  { "Einsum", "equation=\"ij->ji\"", "float64 2,3: 1 2 3 4 5 6", "float64 3,2: 1 4 2 5 3 6" },
  { "Einsum", "equation=\"ii->i\"", "float64 2,2: 1 2 3 4", "float64 2: 1 4" },
  { "Einsum", "equation=\"ii\"", "float64 2,2: 1 2 3 4", "float64 : 5" },
  { "Einsum", "equation=\"bA, Ab\"", "uint8 1,2: 20 20; uint8 2,1: 10 5", "uint8 : 44" },
  { "Einsum", "equation=\"...i,...i->...\"", "float32 2,1,2: 1 2 3 4; float32 2: 1 10",
    "float32 2,1: 21 43" },
  { "Einsum", "equation=\"i,j,k->kji\"", "float32 2: 1 2; float32 1: 3; float32 2: 1 10",
    "float32 2,1,2: 3 6 30 60" },
  { "Einsum", "equation=\"ij,jk,kl->il\"", "int64 1,2: 1 2; int64 2,2: 1 2 3 4; int64 2,1: 1 1",
    "int64 1,1: 17" },
  { "Einsum", "equation=\"i,i->i\"", "float32 0:; float32 0:", "float32 0:" },
  { "Einsum", "equation=\"i,i->\"", "float32 0:; float32 0:", "float32 : 0" },
  { "Einsum", "equation=\"ij,jk->ik\"", "float32 2,2: 1 2 3 4; float32 3,1: 1 2 3",
    .error = "axes of one letter have sizes 2 and 3" },
  { "Einsum", "equation=\"ij->i\"", "float32 2: 1 2", .error = "\"ij\" is not for 1 axes" },
  { "Einsum", "equation=\"i->ij\"", "float32 2: 1 2",
    .error = "\"ij\" has a letter that no operand has" },
  { "Einsum", "equation=\"i->ii\"", "float32 2: 1 2", .error = "or one twice" },
  { "Einsum", "equation=\"i?->i\"", "float32 2: 1 2", .error = "has '?'" },
  { "Einsum", "equation=\"i,j->ij\"", "float32 2: 1 2", .error = "is not for 1 operands" },
  { "Einsum", "equation=\"->\"", "float32 : 3", "float32 : 3" },
  { "Einsum", "", "float32 2: 1 2", .error = "is not for 1 axes" },
  { "Dropout", "", "float32 2: 1 2", "float32 2: 1 2; bool 2: 1 1" },
  { "Dropout", "", "float64 2: 1 2; float32 : 0.5; bool : 0", "float64 2: 1 2; -" },
  { "Dropout-7", "ratio=0.9", "float16 2: 1 2", "float16 2: 1 2; float16 2: 1 1" },
  { "Dropout", "", "float32 2: 1 2; float32 : 1; bool : 1",
    .error = "the ratio is 1; it should be at least 0 and below 1" },
  { "Bernoulli", "dtype=6", "float32 4: 0 1 1 0", "int32 4: 0 1 1 0" },
  { "Bernoulli", "", "float32 1: 1.5", .error = "element 0, 1.5, is no probability" },
  { "Multinomial", "sample_size=3", "float32 2,3: -inf 0 -inf -1000 -1000 1000",
    "int32 2,3: 1 1 1 2 2 2" },
  { "Multinomial", "", "float32 1,1: -inf", .error = "row 0 has no class to draw" },
  { "Multinomial", "", "float32 1,0:", .error = "a class to draw" },
  { "RandomUniform", "shape=[2]; low=3.0; high=3.0; dtype=11", "", "float64 2: 3 3" },
  { "RandomNormalLike", "mean=2.0; scale=0.0", "float16 2: 0 0", "float16 2: 2 2" },
  { "RandomNormalLike", "dtype=7", "float16 2: 0 0",
    .error = "RandomNormalLike has no kernel for int64" },
  { "RandomUniform", "shape=[-2]", "", .error = "a size is negative" },
  { NULL },
};

static const RuleCase rules[] = {
  { "BatchNormalization", "", "2,3,4:float32 ? * * *", NULL,
    "2,3,4:float32 3 3 3 3 -> 2,3,4:float32", .domain = "" },
  { "BatchNormalization", "", "2,?,4:float32 3 * * *", NULL,
    "2,3,4:float32 3 3 3 3 -> 2,3,4:float32", .domain = "" },
  { "GroupNormalization", "num_groups=2", "2,4:float32 * *", NULL,
    "2,4:float32 4:float32 4:float32 -> 2,4:float32", .domain = "" },
  { "LayerNormalization", "axis=1", "2,3,4:float16 3,4", NULL, "2,3,4:float16", .domain = "" },
  { "RMSNormalization", "", "2,3:float32 3:float64", NULL, "2,3:float64", .domain = "" },
  { "Einsum", "equation=ij,jk", "2,3:float32 ?,5", NULL, "2,3:float32 3,5:float32 -> 2,5:float32",
    .domain = "" },
  { "Pow", "", "2,1:int32 3:float32", NULL, "2,3:int32", .domain = "" },
  { "RandomNormal", "shape=[2, 3]", "", NULL, "2,3:float32", .domain = "" },
  { "Multinomial", "sample_size=4", "2,3:float32", NULL, "2,4:int32", .domain = "" },
  { "Bernoulli", "", "2,3:float32", NULL, "2,3:float32", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

/* What an operator draws with seed @seed, which is the run's; the caller's to unref. */
static SymDatum *
draw (const char *op, const char *attributes, const char *operands, guint64 seed)
{
  g_autoptr (SymLayer) layer =
      kernel_case_new_layer (&(KernelCase){ .op = op, .attributes = attributes });
  const SymKernelHost host = { .seed = seed };
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, &host);
  g_auto (GStrv) texts = g_strsplit (operands, ";", -1);
  SymDatum *inputs[3] = { NULL }, *result = NULL;
  guint n = g_strv_length (texts);

  for (guint i = 0; i < n; i++)
    inputs[i] = kernel_case_read (texts[i]);
  g_assert_true (sym_kernel_run (kernel, inputs, n, &result, 1, NULL, NULL));
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&inputs[i], sym_datum_unref);
  return result;
}

static void
random_numbers_are_distributed_as_asked (void)
{
  static const struct {
    const char *op, *attributes;
    double mean, deviation;
  } cases[] = {
    { "RandomUniform", "shape=[100, 1000]; low=1.0; high=3.0; dtype=11", 2, 0.57735026918962573 },
    { "RandomNormal", "shape=[100000]; mean=-1.0; scale=4.0; dtype=11", -1, 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymDatum) drawn = draw (cases[i].op, cases[i].attributes, "-", 7);
      const double *numbers = sym_datum_get_array (drawn)->data;
      double sum = 0, squares = 0;

      for (guint k = 0; k < 100000; k++)
        {
          sum += numbers[k];
          squares += numbers[k] * numbers[k];
        }
      sum /= 100000;
      g_assert_cmpfloat_with_epsilon (sum, cases[i].mean, 0.05);
      g_assert_cmpfloat_with_epsilon (sqrt (squares / 100000 - sum * sum), cases[i].deviation,
                                      0.05);
    }
}

static gboolean
is_same (SymDatum *a, SymDatum *b)
{
  return memcmp (sym_datum_get_array (a)->data, sym_datum_get_array (b)->data, 8 * 4) == 0;
}

static void
seeds_make_random_numbers_what_they_are (void)
{
  const char *free = "shape=[8]", *seeded = "shape=[8]; seed=3.0";
  g_autoptr (SymDatum) one = draw ("RandomUniform", free, "-", 1);
  g_autoptr (SymDatum) same = draw ("RandomUniform", free, "-", 1);
  g_autoptr (SymDatum) other = draw ("RandomUniform", free, "-", 2);
  g_autoptr (SymDatum) fixed = draw ("RandomUniform", seeded, "-", 1);
  g_autoptr (SymDatum) as_fixed = draw ("RandomUniform", seeded, "-", 2);

  g_assert_true (is_same (one, same));
  g_assert_false (is_same (one, other));
  g_assert_true (is_same (fixed, as_fixed));
}

/* What stays is divided by the share that stays. */
static void
dropout_keeps_the_mean (void)
{
  g_autoptr (GString) operands = g_string_new ("float32 4000:");
  g_autoptr (SymDatum) result = NULL;
  const float *numbers;
  guint n_dropped = 0;

  for (guint i = 0; i < 4000; i++)
    g_string_append (operands, " 3");
  g_string_append (operands, "; float32 : 0.25; bool : 1");
  result = draw ("Dropout", "", operands->str, 11);
  numbers = sym_datum_get_array (result)->data;
  for (guint i = 0; i < 4000; i++)
    {
      g_assert_true (numbers[i] == 0 || numbers[i] == 4);
      n_dropped += numbers[i] == 0;
    }
  g_assert_cmpuint (n_dropped, >, 850);
  g_assert_cmpuint (n_dropped, <, 1150);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("norms", norms);
  kernel_case_add_all ("others", others);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-norm/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  g_test_add_func ("/ops/onnx-norm/random-numbers-are-distributed-as-asked",
                   random_numbers_are_distributed_as_asked);
  g_test_add_func ("/ops/onnx-norm/seeds-make-random-numbers-what-they-are",
                   seeds_make_random_numbers_what_they_are);
  g_test_add_func ("/ops/onnx-norm/dropout-keeps-the-mean", dropout_keeps_the_mean);
  return g_test_run ();
}
