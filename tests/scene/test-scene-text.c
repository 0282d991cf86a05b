/* SPDX-License-Identifier: MIT */
#include "scene-graphs.h"

#include "ops/sym-op.h"
#include "scene/sym-scene-measure.h"
#include "scene/sym-scene-text.h"

#include <math.h>
#include <string.h>

static void
test_clean_lines (void)
{
  const struct {
    const char *text;
    const char *expected;
  } cases[] = {
    { "", "" },
    { "plain", "plain" },
    { "tab\there", "tab here" },
    { "bell\a", "bell\xef\xbf\xbd" },
    { "bad \xff", "bad \xef\xbf\xbd" },
    { "\xe2\x80\xaeturned", "\xef\xbf\xbdturned" },
    { "0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = sym_scene_clean_line (cases[i].text, -1);

      g_assert_cmpstr (line, ==, cases[i].expected);
    }
}

static void
test_elision (void)
{
  g_autofree char *line =
      sym_scene_clean_line ("first_part_of_a_very_long_name_and_its_last_part", -1);
  g_autofree char *wide = g_malloc0 (400);
  g_autofree char *wide_line = NULL;

  g_assert_cmpint (g_utf8_strlen (line, -1), ==, SYM_SCENE_MAX_LINE);
  g_assert_true (g_str_has_prefix (line, "first_part_of_a"));
  g_assert_true (g_str_has_suffix (line, "its_last_part"));
  for (guint i = 0; i < 100; i++)
    strcat (wide, "日");
  wide_line = sym_scene_clean_line (wide, -1);
  g_assert_true (g_utf8_validate (wide_line, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (wide_line, -1), ==, SYM_SCENE_MAX_LINE);
}

/* Attributes as pairs of a name and a literal. */
static char *
format_of (const char *type, const SymOperator *op, const char *const *pairs)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_autoptr (SymLayer) layer = NULL;
  g_autoptr (SymModel) model = NULL;

  for (guint i = 0; pairs[i]; i += 2)
    {
      SymValue *value = sym_value_parse (pairs[i + 1]);

      sym_attributes_set (attributes, pairs[i], value ? value : sym_value_new_string (pairs[i + 1]),
                          NULL);
    }
  layer = sym_layer_new (type, op, attributes);
  sym_model_builder_add_call (builder, "call", layer, NULL, 0, 1);
  model = sym_model_builder_end (builder);
  return sym_scene_format_call (model, 0);
}

static char *
format (const char *type, const char *const *pairs)
{
  return format_of (type, NULL, pairs);
}

/* What an operator of ONNX does not have in its version does nothing. */
static void
test_labels_tell_what_is_used (void)
{
  static const char *const pairs[] = { "axes", "[1]", NULL };
  static const char *const kernel[] = { "axes", "[1]", "kernel_shape", "[3, 3]", NULL };
  g_autofree char *before = format_of ("ReduceSum", sym_op_find ("", "ReduceSum", 11), pairs);
  g_autofree char *after = format_of ("ReduceSum", sym_op_find ("", "ReduceSum", 13), pairs);
  g_autofree char *conv = format_of ("Conv", sym_op_find ("", "Conv", 11), kernel);

  g_assert_cmpstr (before, ==, "ReduceSum [1]");
  g_assert_cmpstr (after, ==, "ReduceSum");
  g_assert_cmpstr (conv, ==, "Conv 3×3");
}

static void
test_calls (void)
{
  const struct {
    const char *expected;
    const char *type;
    const char *pairs[9];
  } cases[] = {
    { "ReLU", "ReLU", { NULL } },
    { "Conv2d 3×3", "Conv2d", { "kernel_size", "(3, 3)", NULL } },
    { "Convolution 7×7/2, 64",
      "Convolution",
      { "kernel", "(7, 7)", "stride", "(2, 2)", "num_filter", "64", "pad", "(3, 3)", NULL } },
    { "Convolution 1×3/1×2", "Convolution", { "kernel", "(1, 3)", "stride", "(1, 2)", NULL } },
    { "Convolution 1×1", "Convolution", { "kernel", "(1, 1)", "stride", "(1, 1)", NULL } },
    { "Pooling max 3×3/2",
      "Pooling",
      { "kernel", "(3, 3)", "stride", "(2, 2)", "pool_type", "max", NULL } },
    { "Pooling avg global",
      "Pooling",
      { "kernel", "(7, 7)", "pool_type", "avg", "global_pool", "True", NULL } },
    { "Conv2D 5×5/2", "Conv2D", { "kernel", "(5, 5)", "strides", "[1, 2, 2, 1]", NULL } },
    { "Conv2D 5×5/2×3", "Conv2D", { "kernel", "(5, 5)", "strides", "[1, 1, 2, 3]", NULL } },
    { "Conv2D 5×5", "Conv2D", { "kernel", "(5, 5)", "strides", "[1, 1, 1, 1]", NULL } },
    { "Conv 1×1×3×3/1×1×2×2",
      "Conv",
      { "kernel_shape", "[1, 1, 3, 3]", "strides", "[1, 1, 2, 2]", NULL } },
    { "FullyConnected 1000", "FullyConnected", { "num_hidden", "1000", NULL } },
    { "Activation relu", "Activation", { "act_type", "relu", NULL } },
    { "Dropout 0.5", "Dropout", { "p", "0.5", NULL } },
    { "LeakyRelu 0.1", "LeakyRelu", { "alpha", "0.1", NULL } },
    { "Gemm", "Gemm", { "alpha", "1.0", NULL } },
    { "_mul_scalar 1.0", "_mul_scalar", { "scalar", "1.0", NULL } },
    { "softmax axis -1", "softmax", { "axis", "-1", NULL } },
    { "Reshape (0, -1)", "Reshape", { "shape", "(0, -1)", NULL } },
    { "Unknown 3×3", "Unknown", { "kernel", "'(3, 3)'", NULL } },
    { "Odd", "Odd", { "kernel", "()", "stride", "None", "num_filter", "()", NULL } },
    { ".shape", "GetAttr", { "name", "'shape'", NULL } },
    { "GetAttr", "GetAttr", { NULL } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *label = format (cases[i].type, cases[i].pairs);

      g_assert_cmpstr (label, ==, cases[i].expected);
    }
}

static void
test_widths (void)
{
  g_autoptr (SymMeasure) measure = sym_measure_new ();
  g_autoptr (SymMeasure) other = sym_measure_new ();
  static const char *const letters[] = { "A", "V", "…", "T", "e" };
  SymTextStyle regular = { .size = 12 };
  SymTextStyle bold = { .size = 12, .bold = TRUE };
  SymTextStyle large = { .size = 24 };
  double width = sym_measure_get_width (measure, "64×30×30", &regular);

  g_assert_cmpfloat (sym_measure_get_width (measure, "", &regular), ==, 0);
  g_assert_cmpfloat (width, >, 20);
  g_assert_cmpfloat (sym_measure_get_width (measure, "64×30×30", &bold), >, width);
  g_assert_cmpfloat (fabs (sym_measure_get_width (measure, "64×30×30", &large) - 2 * width), <,
                     0.5);
  g_assert_cmpfloat (sym_measure_get_width (measure, "日本語", &regular), >, 20);
  g_assert_cmpfloat (sym_measure_get_width (other, "64×30×30", &regular), ==, width);

  /* A cut name is as wide as its letters: it is not shaped, which takes a hundred times as long. */
  width = 0;
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    width += sym_measure_get_width (measure, letters[i], &regular);
  g_assert_cmpfloat (fabs (sym_measure_get_width (measure, "AV…Te", &regular) - width), <, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/text/cleans-lines", test_clean_lines);
  g_test_add_func ("/scene/text/leaves-out-the-middle-of-long-names", test_elision);
  g_test_add_func ("/scene/text/labels-layers-by-what-tells-them-apart", test_calls);
  g_test_add_func ("/scene/text/labels-tell-what-is-used", test_labels_tell_what_is_used);
  g_test_add_func ("/scene/text/measures-the-same-each-time", test_widths);
  return g_test_run ();
}
