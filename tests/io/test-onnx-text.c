/* SPDX-License-Identifier: MIT */
#include "io/sym-onnx-text-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static SymModel *
open_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "onnx", name, NULL);
  g_autoptr (GError) error = NULL;
  SymModel *model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  return model;
}

static SymModel *
open_text (const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return sym_io_read_bytes (bytes, "text", error);
}

static SymId
find (const SymModel *model, const char *name)
{
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    if (g_str_equal (sym_model_get_value_name (model, value), name))
      return value;

  g_error ("there is no value %s", name);
}

static void
assert_bytes (const SymModel *model, const char *name, const void *bytes, gsize size)
{
  SymTensor *tensor = sym_model_get_tensor (model, find (model, name));
  g_autofree char *read = g_malloc (size + 1);

  g_assert_nonnull (tensor);
  g_assert_cmpuint (sym_tensor_get_n_bytes (tensor), ==, size);
  g_assert_true (sym_tensor_read (tensor, 0, size, read, NULL));
  g_assert_cmpmem (read, size, bytes, size);
}

static const SymLayer *
get_layer (const SymModel *model, const char *result)
{
  return sym_model_get_layer (model, sym_model_get_producer (model, find (model, result)));
}

static char *
print (const SymModel *model, guint *n_left_out, GError **error)
{
  const SymOnnxFile *file = sym_onnx_get_origin (model)->file;
  g_autoptr (GString) out = g_string_new (NULL);
  SymOnnxPrinter printer = { .out = out, .file = (SymOnnxFile *) file };
  gboolean good = sym_onnx_text_print_model (&printer, file->model, error);

  if (n_left_out != NULL)
    *n_left_out = printer.n_left_out;
  return good ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

static void
test_reads (void)
{
  g_autoptr (SymModel) model = open_fixture ("small.onnxtxt");
  const SymProtoMessage *message = sym_onnx_get_origin (model)->file->model;
  const SymLayer *choice = get_layer (model, "the rest");
  const SymLayer *scale = get_layer (model, "s");
  SymType h = sym_model_get_declared_type (model, find (model, "h"));
  g_autofree char *dim = sym_terms_format (sym_model_get_terms (model), h.shape.dims[1]);
  double factor = 0;

  g_assert_cmpuint (sym_problems_get_n (sym_model_get_problems (model)), ==, 0);
  g_assert_cmpstr (sym_model_get_format (model), ==, "onnx-text");
  g_assert_cmpstr (sym_proto_get_text (message, ONNX_MODEL_PRODUCER_NAME), ==,
                   "with \"quotes\" and \\");
  g_assert_cmpuint (sym_proto_count (message, ONNX_MODEL_METADATA_PROPS), ==, 2);
  g_assert_cmpuint (sym_model_get_inputs (model).n, ==, 2);
  g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 2);
  assert_bytes (model, "b", (const float[]){ 0.5f, -1.0f }, 8);
  assert_bytes (model, "w", (const float[]){ 0, 1, 2, 3, 4.5f, 50, (float) -INFINITY, 7 }, 32);
  assert_bytes (model, "axes", (const gint64[]){ -1, G_MAXINT64 }, 16);
  assert_bytes (model, "bytes", "\0\xff", 2);
  assert_bytes (model, "half", "\0\x3c", 2);
  assert_bytes (model, "outside", (const float[]){ 3.0f, 4.0f }, 8);
  assert_bytes (model, "c", (const gint32[]){ 7, -7 }, 8);
  g_assert_cmpstr (
      sym_tensor_get_string (sym_model_get_tensor (model, find (model, "words")), 1, NULL), ==,
      "two");
  g_assert_cmpint (h.shape.rank, ==, 3);
  g_assert_cmpstr (dim, ==, "n-1");
  g_assert_cmpint (h.shape.dims[2], ==, SYM_DIM_UNKNOWN);
  g_assert_cmpint (sym_model_get_declared_type (model, find (model, "s")).shape.rank, ==, -1);
  g_assert_true (sym_value_get_float (
      sym_attributes_find (sym_layer_get_attributes (scale), "factor"), &factor));
  g_assert_cmpfloat (factor, ==, 2.0);
  g_assert_nonnull (sym_layer_get_running_body (scale));
  g_assert_cmpuint (sym_layer_get_n_bodies (choice), ==, 2);
  g_assert_cmpuint (sym_layer_get_body_captures (choice, 0), ==, 1);
  g_assert_cmpuint (sym_model_get_call_line (model, 0), ==, 19);
}

/* What is printed reads as the same message, but for what texts have no place for. */
static void
test_round_trip (void)
{
  static const struct {
    const char *name;
    guint n_left_out;
  } cases[] = {
    { "small.onnxtxt", 0 }, { "linear.onnx", 4 },    { "constants.onnx", 1 },
    { "branches.onnx", 0 }, { "functions.onnx", 1 }, { "kinds.onnx", 0 },
    { "old.onnx", 0 },      { "problems.onnx", 1 },  { "empty.onnx", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymModel) model = open_fixture (cases[i].name);
      g_autoptr (GError) error = NULL;
      guint n_left_out = 0;
      g_autofree char *first = print (model, &n_left_out, &error);
      g_autofree char *second = NULL;
      g_autoptr (SymModel) again = NULL;

      g_assert_no_error (error);
      g_assert_cmpuint (n_left_out, ==, cases[i].n_left_out);
      again = open_text (first, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (sym_model_get_n_values (again), ==, sym_model_get_n_values (model));
      g_assert_cmpuint (sym_model_get_n_calls (again), ==, sym_model_get_n_calls (model));
      for (SymId value = 0; value < sym_model_get_n_values (model); value++)
        g_assert_cmpstr (sym_model_get_value_name (again, value), ==,
                         sym_model_get_value_name (model, value));
      second = print (again, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (first, ==, second);
    }
}

static void
test_what_has_no_words_is_refused (void)
{
  g_autoptr (SymModel) sparse = open_fixture ("unknown.onnx");
  g_autoptr (SymModel) broken = open_fixture ("tensors.onnx");
  g_autoptr (GError) error = NULL;

  g_assert_null (print (sparse, NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (print (broken, NULL, &error));
  g_assert_true (
      g_str_has_prefix (error->message, "the tensor 'short' cannot be written as text: "));
}

static void
test_refuses (void)
{
  static const char *const cases[][2] = {
    { "<ir_version: x>", "line 1, column 14: a number was expected, not “x>”" },
    { "<ir_version: 8,\n colour: 3>", "line 2, column 8: “colour” is nothing that a model has" },
    { "<ir_version: 8>\ng (float x) > (float y) {}",
      "line 2, column 13: '=' was expected, not “> (float y) {}”" },
    { "<ir_version: 8> g () => () { y = Abs (x)",
      "line 1, column 41: '=' was expected, not the end of the text" },
    { "<ir_version: 8> g () => () { y = Abs <a: thing = 3> (x) }",
      "line 1, column 47: “thing” is no kind of attribute" },
    { "<ir_version: 8> g () => () { y = Abs <a: ints = [1, 2.5]> (x) }",
      "line 1, column 56: a value of kind int was expected, not of kind float" },
    { "<ir_version: 8> g () => () { y = Abs <a = []> (x) }",
      "line 1, column 45: of an empty list the type must be told" },
    { "<ir_version: 8> g () => () <float[n] w = {1}> {}",
      "line 1, column 42: the sizes of a tensor must be numbers" },
    { "<ir_version: 8> g () => () <int8 w = {1.5}> {}",
      "line 1, column 42: “1.5” is no integer of 64 bits" },
    { "<ir_version: 8, doc_string: \"open", "line 1, column 34: the text ends within a string" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_text (cases[i][0], &error));
      g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_SYNTAX);
      g_assert_cmpstr (error->message, ==, cases[i][1]);
    }
}

static void
test_limits_depth (void)
{
  g_autoptr (GString) text = g_string_new ("<ir_version: 8> g (");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "seq(");
  g_assert_null (open_text (text->str, &error));
  g_assert_nonnull (strstr (error->message, "this is nested deeper than 100"));
  g_clear_error (&error);
  g_string_assign (text, "<ir_version: 8> g () => () {");
  for (guint i = 0; i < 1000; i++)
    g_string_append (text, "y = If (c) <b = g () => () {");
  g_assert_null (open_text (text->str, &error));
  g_assert_nonnull (strstr (error->message, "this is nested deeper than 100"));
}

static SymInference *
infer_layer_norm (const char *x, const char *scale)
{
  g_autofree char *text = g_strdup_printf ("<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                           "g (float[%s] x, float[%s] s) => (float[a, b, c] y) {\n"
                                           "  y = LayerNormalization (x, s)\n}\n",
                                           x, scale);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "norm", &error);

  g_assert_no_error (error);
  return sym_infer (model, NULL, 0, NULL, NULL);
}

/* Scales tell sizes of what they scale, and contradict others. */
static void
test_scale_of_a_norm (void)
{
  static const struct {
    const char *x, *scale, *y, *message;
  } cases[] = {
    { "2, 8, n", "16", "2,8,16", NULL },
    { "2, 8, n", "1", "2,8,n", NULL },
    { "2, m, n", "8, 16", "2,8,16", NULL },
    { "2, 8, 17", "16", "2,8,17", "size to be scaled: [17] does not equal [16]" },
    { "2, 8, 16", "1, 2, 8, 16", "2,8,16", "[1,2,8,16] of input 1 does not broadcast to [2,8,16]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymInference) inference = infer_layer_norm (cases[i].x, cases[i].scale);
      const SymProblems *problems = sym_inference_get_problems (inference);
      SymType y =
          sym_inference_get_type (inference, find (sym_inference_get_model (inference), "y"));
      g_autofree char *shape = sym_inference_format_shape (inference, &y.shape, ",");

      g_assert_cmpuint (sym_problems_get_n (problems), ==, cases[i].message != NULL ? 1 : 0);
      if (cases[i].message != NULL)
        g_assert_nonnull (strstr (sym_problems_get (problems, 0)->message, cases[i].message));
      else
        g_assert_cmpstr (shape, ==, cases[i].y);
    }
}

/* Axes of ReduceSum are an operand from operator set 13 on. */
static void
test_attributes_of_other_versions_are_told (void)
{
  static const struct {
    int version;
    const char *node, *message;
  } cases[] = {
    { 11, "[sum] y = ReduceSum <axes = [1]> (x)", NULL },
    { 13, "[sum] y = ReduceSum <axes = [1]> (x)",
      "'sum' has the attribute 'axes', which ReduceSum does not have in the operator set of this "
      "file; it is not used" },
    { 17, "[top] y = ReduceMax <axes = [1], keepdims = 1> (x)", NULL },
    { 18, "[top] y = ReduceMax <axes = [1], keepdims = 1> (x)",
      "'top' has the attribute 'axes', which ReduceMax does not have in the operator set of this "
      "file; it is not used" },
    { 1, "[relu] y = Relu <consumed_inputs = [0]> (x)", NULL },
    { 13, "[relu] y = Relu <__mine = 1> (x)", NULL },
    { 13, "[other] y = com.other.Relu <beta = 1> (x)", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text =
          g_strdup_printf ("<ir_version: 8, opset_import: [\"\": %d, \"com.other\": 1]>\n"
                           "g (float[2,3] x) => (float[m,n] y) {\n  %s\n}\n",
                           cases[i].version, cases[i].node);
      g_autoptr (GError) error = NULL;
      g_autoptr (SymModel) model = open_text (text, &error);
      const SymProblems *problems;

      g_assert_no_error (error);
      problems = sym_model_get_problems (model);
      g_assert_cmpuint (sym_problems_get_n (problems), ==, cases[i].message != NULL);
      if (cases[i].message == NULL)
        continue;
      g_assert_cmpstr (sym_problems_get (problems, 0)->message, ==, cases[i].message);
      g_assert_cmpint (sym_problems_get (problems, 0)->severity, ==, SYM_SEVERITY_WARNING);
      g_assert_cmpuint (sym_problems_get (problems, 0)->call, !=, SYM_NO_ID);
    }
}

/* Formats whose sizes are numbers or nothing. */
int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/io/onnx-text/reads-all-that-there-is", test_reads);
  g_test_add_func ("/io/onnx-text/what-is-printed-reads-the-same", test_round_trip);
  g_test_add_func ("/io/onnx-text/what-has-no-words-is-refused", test_what_has_no_words_is_refused);
  g_test_add_func ("/io/onnx-text/refuses-what-is-wrong-by-line-and-column", test_refuses);
  g_test_add_func ("/io/onnx-text/scale-of-a-norm-tells-sizes", test_scale_of_a_norm);
  g_test_add_func ("/io/onnx-text/attributes-of-other-versions-are-told",
                   test_attributes_of_other_versions_are_told);
  g_test_add_func ("/io/onnx-text/limits-the-depth", test_limits_depth);
  return g_test_run ();
}
