/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define ML "ai.onnx.ml:"

#define TWO                                                                                    \
  "support_vectors=[1.0, 0.0, 0.0, 1.0]; vectors_per_class=[1, 1]; coefficients=[2.0, -1.0]; " \
  "rho=[-0.25]; classlabels_ints=[7, 9]"
#define RBF "; kernel_type=RBF; kernel_params=[0.5, 0.0, 3.0]"
#define THREE                                                                                 \
  "support_vectors=[1.0, 0.0, 2.0, 1.0, 0.0, 1.0, -1.0, 1.0, -1.0, -1.0]; "                   \
  "vectors_per_class=[2, 1, 2]; rho=[0.5, -1.0, 0.25]; classlabels_strings=['a', 'b', 'c']; " \
  "coefficients=[1.0, -0.5, 2.0, -1.0, 0.5, 0.25, 1.0, -1.0, 0.5, -2.0]"
#define SIGMOID "; kernel_type=SIGMOID; kernel_params=[0.5, -0.25, 0.0]"
#define SAMPLES "float32 3,2: 1 2 -2 1 0 -1"

/* Numbers are numpy's, from the formulas of the pairs one by one. */
static const LowerCase classifier_cases[] = {
  /* 0.5 + 3 - 1, 0.5 + 0 - 2; the other side has the same with another sign. */
  { ML "SVMClassifier",
    "support_vectors=[1.0, 0.0, 0.0, 1.0]; vectors_per_class=[1, 1]; coefficients=[1.0, -1.0]; "
    "rho=[0.5]; classlabels_ints=[7, 9]",
    "float32 2,2: 3 1 0 2", "int64 2: 7 9; float32 2,2: -2.5 2.5 1.5 -1.5" },
  { ML "SVMClassifier", TWO RBF, "float64 3,2: 1 0 0 1 1 1",
    "int64 3: 7 9 7; float32 3,2: -1.3821206 1.3821206 0.51424112 -0.51424112 -0.35653066 "
    "0.35653066",
    .tolerance = 1e-6 },
  { ML "SVMClassifier", TWO RBF "; post_transform=LOGISTIC", "int64 1,2: 1 0",
    "int64 1: 7; float32 1,2: 0.20066862 0.79933138", .tolerance = 1e-6 },
  { ML "SVMClassifier", TWO RBF "; prob_a=[-2.0]; prob_b=[0.5]", "float32 2,2: 1 0 0 1",
    "int64 2: 7 9; float32 2,2: 0.90587189 0.09412811 0.17821586 0.82178414", .tolerance = 0.01 },
  /* A score for each pair. */
  { ML "SVMClassifier", THREE "; kernel_type=POLY; kernel_params=[1.0, 1.0, 2.0]", SAMPLES,
    "string 3: a c a; float32 3,3: 10 23 -14.75 7.5 -10.75 -3.75 1.5 1.25 -7.75" },
  { ML "SVMClassifier", THREE SIGMOID, SAMPLES,
    "string 3: a c b; float32 3,3: 1.5445288 -0.71300123 1.6200615 0.61224145 -2.8792708 "
    "-0.060614167 -0.69764209 -0.93877033 0.077737151",
    .tolerance = 1e-6 },
  /* Those whose squares fit best, found by solving for them; the iteration stops near. */
  { ML "SVMClassifier", THREE SIGMOID "; prob_a=[-1.0, -2.0, -0.5]; prob_b=[0.0, 0.25, -0.5]",
    SAMPLES,
    "string 3: a c b; float32 3,3: 0.31076134 0.33080139 0.35843727 0.15209641 0.39143357 "
    "0.45647002 0.13036862 0.51311047 0.35652092",
    .tolerance = 0.01 },
  /* Without vectors the coefficients are a row for each class. */
  { ML "SVMClassifier",
    "coefficients=[1.0, 0.0, 0.0, 1.0, -1.0, -1.0]; rho=[0.5]; classlabels_ints=[3, 4, 5]",
    "float32 2,2: 1 2 -1 -2", "int64 2: 4 5; float32 2,3: 1.5 2.5 -2.5 -0.5 -1.5 3.5" },
  { ML "SVMClassifier",
    "coefficients=[1.0, 0.0, 0.0, 1.0]; rho=[0.0]; classlabels_ints=[3, 4]; "
    "post_transform=SOFTMAX",
    "float32 1,2: 0 1", "int64 1: 4; float32 1,2: 0.26894142 0.73105858", .tolerance = 1e-6 },
  { ML "SVMClassifier", TWO, "float32 1,3: 1 2 3", .error = "3 features" },
  { ML "SVMClassifier",
    "support_vectors=[1.0]; vectors_per_class=[2]; coefficients=[1.0]; rho=[0.0]; "
    "classlabels_ints=[1, 2]",
    "float32 1,1: 1", .error = "2 classes" },
  { ML "SVMClassifier",
    "support_vectors=[1.0]; vectors_per_class=[1, 0]; coefficients=[]; rho=[0.0]; "
    "classlabels_ints=[1, 2]",
    "float32 1,1: 1", .error = "coefficients has 0 numbers" },
  { ML "SVMClassifier",
    "support_vectors=[1.0, 2.0]; vectors_per_class=[1, 1]; coefficients=[1.0, 1.0]; rho=[]; "
    "classlabels_ints=[1, 2]",
    "float32 1,1: 1", .error = "rho has 0 numbers" },
  { ML "SVMClassifier", TWO "; prob_a=[1.0]", "float32 1,2: 1 2", .error = "prob_b" },
  { ML "SVMClassifier",
    "support_vectors=[1.0]; vectors_per_class=[-1, 2]; coefficients=[1.0]; rho=[0.0]; "
    "classlabels_ints=[1, 2]",
    "float32 1,1: 1", .error = "-1" },
  { ML "SVMRegressor",
    "coefficients=[1.0]; rho=[0.0]; n_supports=1; support_vectors=[1.0]; "
    "kernel_type=CHI",
    "float32 1,1: 1", .error = "CHI" },
  { NULL },
};

/* ---- Many vectors ---- */

static const char *const kinds[] = { "LINEAR", "POLY", "RBF", "SIGMOID" };

/* Numbers that are neither all the same nor random. */
static double
number (gsize i)
{
  return (double) ((i * 37 + i * i % 11 * 5) % 41) / 41 - 0.5;
}

static void
append_list (GString *text, const char *name, gsize first, gsize n)
{
  g_string_append_printf (text, "; %s=[", name);
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%s%.9g", i == 0 ? "" : ", ",
                            (double) (float) number (first + i));
  g_string_append_c (text, ']');
}

static double
compare (guint kind, gsize sample, gsize vector, gsize k)
{
  double dot = 0, distance = 0;

  for (gsize i = 0; i < k; i++)
    {
      double x = (double) (float) number (1000 + sample * k + i);
      double v = (double) (float) number (vector * k + i);

      dot += x * v;
      distance += (x - v) * (x - v);
    }
  switch (kind)
    {
    case 0:
      return dot;
    case 1:
      return pow (0.25 * dot + 0.5, 3);
    case 2:
      return exp (-0.25 * distance);
    default:
      return tanh (0.25 * dot + 0.5);
    }
}

static void
check_size (guint kind, const char *dtype, gsize n, gsize k, gsize n_samples)
{
  g_autoptr (GString) attributes = g_string_new (NULL), x = g_string_new (NULL);
  g_autoptr (GString) y = g_string_new (NULL);
  LowerCase test = { ML "SVMRegressor", .tolerance = 1e-5 };

  g_string_printf (attributes,
                   "kernel_type=%s; kernel_params=[0.25, 0.5, 3.0]; rho=[64.0]; "
                   "n_supports=%" G_GSIZE_FORMAT,
                   kinds[kind], n);
  append_list (attributes, "support_vectors", 0, n * k);
  append_list (attributes, "coefficients", 500, n);
  g_string_printf (x, "%s %" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT ":", dtype, n_samples, k);
  g_string_printf (y, "float32 %" G_GSIZE_FORMAT ",1:", n_samples);
  for (gsize i = 0; i < n_samples; i++)
    {
      double sum = 64;

      for (gsize j = 0; j < k; j++)
        g_string_append_printf (x, " %.9g", (double) (float) number (1000 + i * k + j));
      for (gsize j = 0; j < n; j++)
        sum += (double) (float) number (500 + j) * compare (kind, i, j, k);
      g_string_append_printf (y, " %.17g", sum);
    }
  test.attributes = attributes->str;
  test.operands = x->str;
  test.results = y->str;
  lower_case_run (&test);
}

static void
check_sizes (void)
{
  static const gsize vectors[] = { 1, 15, 16, 33 }, widths[] = { 1, 7, 24, 600 };
  static const gsize samples[] = { 1, 5, 6, 13 };

  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    for (guint n = 0; n < G_N_ELEMENTS (vectors); n++)
      for (guint k = 0; k < G_N_ELEMENTS (widths); k++)
        for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
          check_size (kind, i % 2 == 0 ? "float32" : "float64", vectors[n], widths[k], samples[i]);
}

/* One model in one row, of as many features as are summed at once and more. */
static void
check_rows (void)
{
  static const gsize widths[] = { 1, 8, 13, 256, 300, 600 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      g_autoptr (GString) attributes = g_string_new ("intercepts=[0.5]"), x = g_string_new (NULL);
      g_autofree char *y = NULL;
      LowerCase test = { ML "LinearRegressor", .tolerance = 1e-5 };

      append_list (attributes, "coefficients", 0, widths[i]);
      g_string_printf (x, "float32 1,%" G_GSIZE_FORMAT ":", widths[i]);
      for (gsize k = 0; k < widths[i]; k++)
        g_string_append_printf (x, " %.9g", (double) (float) number (1000 + k));
      y = g_strdup_printf ("float32 1,1: %.17g", 0.5 + compare (0, 0, 0, widths[i]));
      test.attributes = attributes->str;
      test.operands = x->str;
      test.results = y;
      lower_case_run (&test);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("onnx-ml-svm", classifier_cases);
  g_test_add_func ("/run/onnx-ml-svm/compares-with-many-vectors", check_sizes);
  g_test_add_func ("/run/onnx-ml-linear/sums-long-rows", check_rows);
  return g_test_run ();
}
