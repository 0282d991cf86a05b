/* SPDX-License-Identifier: MIT */
#include "net.h"
#include "text-net.h"

/* Sizes that follow from numbers: of scales, of lists, and of what bodies take from around. */

static SymId
add_scales (Net *self, const float *scales, gint64 n)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (n));
  SymId value = sym_model_builder_add_value (self->builder, NULL, SYM_ROLE_CONSTANT, &type);
  g_autoptr (GBytes) bytes = g_bytes_new (scales, (gsize) n * sizeof *scales);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);

  sym_model_builder_set_tensor (self->builder, value,
                                sym_tensor_new (SYM_DTYPE_FLOAT32, &type.shape, blob, 0, NULL));
  return value;
}

static void
assert_shape (Net *self, SymId output, SymShape expected)
{
  g_autoptr (SymInference) inference = NULL;
  SymType type;

  finish (self, output);
  inference = sym_infer (self->model, NULL, 0, NULL, NULL);
  type = sym_inference_get_type (inference, output);
  g_assert_true (sym_shape_equal (&type.shape, &expected));
}

static void
knows_results_of_scales (void)
{
  const float scales[] = { 1, 1, 2, 2.5f };
  g_auto (Net) net = net_new (SYM_SHAPE (1, 4, 20, 7));
  SymId operands[] = { net.input, SYM_NO_ID, add_scales (&net, scales, 4) };

  assert_shape (&net, add (&net, "Resize", "{'mode': 'linear'}", operands, 3),
                SYM_SHAPE (1, 4, 40, 17));
}

static void
knows_scales_that_are_computed (void)
{
  const float scales[] = { 1, 1, 2, 2 };
  g_auto (Net) net = net_new (SYM_SHAPE (1, 4, 20, 7));
  SymId parts[] = { add_scales (&net, scales, 2), add_scales (&net, scales + 2, 2) };
  SymId operands[] = { net.input, SYM_NO_ID, add (&net, "Concat", "{'axis': 0}", parts, 2) };

  assert_shape (&net, add (&net, "Resize", "{}", operands, 3), SYM_SHAPE (1, 4, 40, 14));
}

/* Of what is not known, only the axes that keep their size. */
static void
leaves_unknown_sizes_unknown (void)
{
  const float scales[] = { 1, 1, 2, 2.5f };
  g_auto (Net) net = net_new (SYM_SHAPE (1, 4, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN));
  SymId operands[] = { net.input, SYM_NO_ID, add_scales (&net, scales, 4) };
  SymId output = add (&net, "Resize", "{}", operands, 3);
  g_autoptr (SymInference) inference = NULL;
  SymType type;

  finish (&net, output);
  inference = sym_infer (net.model, NULL, 0, NULL, NULL);
  type = sym_inference_get_type (inference, output);
  g_assert_cmpint (type.shape.rank, ==, 4);
  g_assert_cmpint (type.shape.dims[1], ==, 4);
  g_assert_cmpint (type.shape.dims[2], <, 0);
  g_assert_cmpint (type.shape.dims[3], <, 0);
}

/* ---- Models in text ---- */

#define HEADER "<ir_version: 10, opset_import: [\"\" : 21, \"com.microsoft\" : 1]>\n"

/* `y` is the output whose shape is asked for.  With numbers in place of the names these are the
 * shapes that ONNX Runtime 1.30 has in a run, of all that it can run: it has no packed heads, and
 * no past with room on a processor. */
static const struct {
  const char *path, *text, *expected;
} cases[] = {
  { "a-branch-knows-lists-of-around",
    HEADER "g (float[batch, 6] x, bool c) => (float[] y) <int64[3] sizes = {0, 2, -1}> {\n"
           "  y = If (c) <then_branch = t () => (float[] a) { a = Reshape (x, sizes) },\n"
           "              else_branch = e () => (float[] b) { b = Reshape (x, sizes) }>\n"
           "}",
    "batch,2,3" },
  { "a-branch-knows-sizes-of-around",
    HEADER "g (float[batch, 6] x, float[6, batch] z, bool c) => (float[] y) {\n"
           "  sizes = Shape (z)\n"
           "  y = If (c) <then_branch = t () => (float[] a) { a = Reshape (x, sizes) },\n"
           "              else_branch = e () => (float[] b) { b = Reshape (x, sizes) }>\n"
           "}",
    "6,batch" },
  { "a-branch-knows-scales-of-around",
    HEADER "g (float[1, 3, 5, 7] x, bool c) => (float[] y) {\n"
           "  scales = Constant <value = float[4] {1, 1, 2, 1.5}> ()\n"
           "  y = If (c) <then_branch = t () => (float[] a) { a = Resize (x, \"\", scales) },\n"
           "              else_branch = e () => (float[] b) { b = Resize (x, \"\", scales) }>\n"
           "}",
    "1,3,10,10" },
  { "a-branch-that-may-not-run-teaches-nothing",
    HEADER "g (float[batch, m] x, bool c) => (float[] y) <int64[1] at = {1}> {\n"
           "  z = If (c) <then_branch = t () => (float[] a) { a = Squeeze (x, at) },\n"
           "              else_branch = e () => (float[] b) { b = Identity (x) }>\n"
           "  y = Neg (x)\n"
           "}",
    "batch,m" },
  { "a-branch-that-never-runs-may-be-wrong",
    HEADER "g (float[batch, 6] x) => (float[] y) <int64[1] at = {1}, int64 one = {1}> {\n"
           "  shape = Shape (x)\n"
           "  size = Gather (shape, one)\n"
           "  c = Equal (size, one)\n"
           "  y = If (c) <then_branch = t () => (float[] a) { a = Squeeze (x, at) },\n"
           "              else_branch = e () => (float[] b) { b = Identity (x) }>\n"
           "}",
    "batch,6" },
  { "a-list-of-so-many-sizes",
    HEADER "g (float[batch, 9, 5] x, int64[2] image, int64[2] block) => (float[] y) {\n"
           "  y = Col2Im (x, image, block)\n"
           "}",
    "batch,?,?,?" },
  { "a-grid-of-so-many-sizes",
    HEADER "g (float[batch, 2, 3] theta, int64[4] size) => (float[] y) {\n"
           "  y = AffineGrid (theta, size)\n"
           "}",
    "batch,?,?,2" },
  { "a-scan-knows-lists-of-around",
    HEADER "g (float[2, 6] s, float[n, 2, 6] x) => (float[] last, float[] y)\n"
           "<int64[2] sizes = {3, 4}> {\n"
           "  last, y = Scan (s, x) <num_scan_inputs = 1, body = b (float[] s_in, float[] x_in)\n"
           "    => (float[] s_out, float[] y_out)\n"
           "    { s_out = Add (s_in, x_in) y_out = Reshape (s_out, sizes) }>\n"
           "}",
    "n,3,4" },
  { "a-loop-knows-lists-of-around",
    HEADER "g (float[2, 6] s) => (float[] last, float[] y)\n"
           "<int64[2] sizes = {3, 4}, int64 n = {5}, bool go = {1}> {\n"
           "  last, y = Loop (n, go, s) <body = b (int64 i, bool go_in, float[] s_in)\n"
           "    => (bool go_out, float[] s_out, float[] y_out)\n"
           "    { go_out = Identity (go_in) s_out = Neg (s_in) y_out = Reshape (s_in, sizes) }>\n"
           "}",
    "?,3,4" },
  { "scales-of-a-file-are-numbers",
    HEADER "g (float[1, 3, h, 7] x) => (float[] y) <float[4] scales = {1, 1, 2, 1.5}> {\n"
           "  y = Resize (x, \"\", scales)\n"
           "}",
    "1,3,2*h,10" },
  { "sizes-through-floats-of-a-file",
    HEADER "g (float[2, 3, 10, 10] x) => (float[] y)\n"
           "<int64[1] first = {0}, float[1] half = {0.5}, float[1] rest = {600}> {\n"
           "  shape = Shape (x)\n"
           "  size = Gather (shape, first)\n"
           "  number = Cast <to = 1> (size)\n"
           "  less = Mul (number, half)\n"
           "  both = Concat <axis = 0> (less, rest)\n"
           "  sizes = Cast <to = 7> (both)\n"
           "  y = Reshape (x, sizes)\n"
           "}",
    "1,600" },
  { "sizes-of-some-axes",
    HEADER "g (float[batch, 3, h, 7] x) => (float[] y) <int64[2] sizes = {9, 11}> {\n"
           "  y = Resize <axes = [3, 2]> (x, \"\", \"\", sizes)\n"
           "}",
    "batch,3,11,9" },
  { "sizes-that-keep-the-ratio",
    HEADER "g (float[1, 3, 8, 5] x) => (float[] y) <int64[2] sizes = {12, 12}> {\n"
           "  y = Resize <axes = [2, 3], keep_aspect_ratio_policy = \"not_larger\">\n"
           "      (x, \"\", \"\", sizes)\n"
           "}",
    "1,3,12,8" },
  { "sizes-that-keep-an-unknown-ratio",
    HEADER "g (float[1, 3, h, 5] x) => (float[] y) <int64[2] sizes = {12, 12}> {\n"
           "  y = Resize <axes = [2, 3], keep_aspect_ratio_policy = \"not_smaller\">\n"
           "      (x, \"\", \"\", sizes)\n"
           "}",
    "1,3,?,?" },
  { "as-many-axes-as-are-told",
    HEADER "g (float[4, n] x, int64[2] axes) => (float[] y) { y = Unsqueeze (x, axes) }",
    "?,?,?,?" },
  { "as-many-axes-as-are-left",
    HEADER "g (float[m, 1, n] x, int64[2] axes) => (float[] y) { y = Squeeze (x, axes) }", "?" },
  { "the-only-axes-that-can-go",
    HEADER "g (float[4, 1, n] x, int64[2] axes) => (float[] y) { y = Squeeze (x, axes) }", "4" },
  { "a-window-that-begins-somewhere",
    HEADER "g (float[n, m] x) => (float[] y)\n"
           "<int64[1] first = {0}, int64[1] two = {2}, int64[1] crop = {224}> {\n"
           "  shape = Shape (x)\n"
           "  height = Gather (shape, first)\n"
           "  rest = Sub (height, crop)\n"
           "  start = Div (rest, two)\n"
           "  end = Add (start, crop)\n"
           "  y = Slice (x, start, end, first)\n"
           "}",
    "224,m" },
  { "a-window-of-sizes-taken-apart",
    HEADER "g (float[n, m, 3] x) => (float[] y)\n"
           "<int64[3] ones = {1, 1, 1}, int64[2] crop = {224, 99}, int64[2] axes = {0, 1}> {\n"
           "  shape = Shape (x)\n"
           "  height, width, channels = Split (shape, ones)\n"
           "  start = Concat <axis = 0> (height, width)\n"
           "  end = Add (start, crop)\n"
           "  y = Slice (x, start, end, axes)\n"
           "}",
    "224,99,3" },
  { "from-the-front-to-some-place",
    HEADER "g (float[n, m] x, float[k] z) => (float[] y) <int64[1] first = {0}> {\n"
           "  end = Shape (z)\n"
           "  y = Slice (x, first, end, first)\n"
           "}",
    "?,m" },
  { "all-that-there-is",
    HEADER "g (float[n, m] x, float[n] z) => (float[] y) <int64[1] first = {0}> {\n"
           "  end = Shape (z)\n"
           "  y = Slice (x, first, end, first)\n"
           "}",
    "n,m" },
  { "every-second-of-a-window",
    HEADER "g (float[n, m] x, float[k] z) => (float[] y)\n"
           "<int64[1] first = {0}, int64[1] two = {2}> {\n"
           "  start = Shape (z)\n"
           "  end = Add (start, two)\n"
           "  y = Slice (x, start, end, first, two)\n"
           "}",
    "?,m" },
  { "the-last-element",
    HEADER "g (float[n, m] x) => (float[] y)\n"
           "<int64[1] last = {-1}, int64[1] end = {9223372036854775807}, int64[1] axis = {1}> {\n"
           "  y = Slice (x, last, end, axis)\n"
           "}",
    "n,1" },
  { "the-second-element",
    HEADER "g (float[n, m] x) => (float[] y)\n"
           "<int64[1] one = {1}, int64[1] two = {2}> { y = Slice (x, one, two) }",
    "1,m" },
  { "at-most-so-many-elements",
    HEADER "g (float[n, m] x) => (float[] y)\n"
           "<int64[1] zero = {0}, int64[1] end = {512}> { y = Slice (x, zero, end) }",
    "?,m" },
  { "a-whole-spectrum-along-any-axis",
    HEADER "g (float[b, 8, 9, 1] x, int64 axis) => (float[] y) { y = DFT (x, \"\", axis) }",
    "b,8,9,2" },
  { "half-a-spectrum-along-any-axis",
    HEADER "g (float[b, 8, 9, 1] x, int64 axis) => (float[] y) {\n"
           "  y = DFT <onesided = 1> (x, \"\", axis)\n"
           "}",
    "?,?,?,2" },
  { "frames-of-a-signal",
    HEADER "g (float[b, 100, 1] x) => (float[] y) <int64 step = {10}, int64 length = {32}> {\n"
           "  y = STFT (x, step, \"\", length)\n"
           "}",
    "b,7,17,2" },
  { "frames-of-any-signal",
    HEADER "g (float[b, \"10*n+2\", 1] x) => (float[] y)\n"
           "<int64 step = {10}, int64 length = {32}> {\n"
           "  y = STFT (x, step, \"\", length)\n"
           "}",
    "b,n-2,17,2" },
  { "attention-keeps-keys-and-values",
    HEADER "g (float[b, n, 8] x, float[8, 24] w, float[24] bias, float[2, b, 2, past, 4] p)\n"
           "=> (float[] z, float[] y) {\n"
           "  z, y = com.microsoft.Attention <num_heads = 2> (x, w, bias, \"\", p)\n"
           "}",
    "2,b,2,n+past,4" },
  { "attention-keeps-them-in-their-room",
    HEADER "g (float[b, n, 8] x, float[8, 24] w, float[2, b, 2, 64, 4] p)\n"
           "=> (float[] z, float[] y) {\n"
           "  z, y = com.microsoft.Attention <num_heads = 2, past_present_share_buffer = 1>\n"
           "         (x, w, \"\", \"\", p)\n"
           "}",
    "2,b,2,64,4" },
  { "heads-keep-their-keys",
    HEADER "g (float[b, 3, 8] q, float[b, 3, 8] k, float[b, 3, 8] v, float[b, 2, 5, 4] pk,\n"
           "   float[b, 2, 5, 4] pv) => (float[] z, float[] y) {\n"
           "  z, y = com.microsoft.MultiHeadAttention <num_heads = 2>\n"
           "         (q, k, v, \"\", \"\", \"\", pk, pv)\n"
           "}",
    "b,2,8,4" },
  { "heads-that-are-packed",
    HEADER "g (float[b, n, 2, 3, 4] q) => (float[] y) {\n"
           "  y = com.microsoft.MultiHeadAttention <num_heads = 2> (q)\n"
           "}",
    "b,n,8" },
  { "heads-of-another-text",
    HEADER "g (float[b, n, 8] q, float[b, 2, m, 4] k, float[b, 2, m, 4] v) => (float[] y) {\n"
           "  y = com.microsoft.MultiHeadAttention <num_heads = 2> (q, k, v)\n"
           "}",
    "b,n,8" },
  /* As torch.onnx 1.13 writes it: the same name for both results. */
  { "names-of-other-values-tell-nothing",
    HEADER "g (float[h, w] x) => (float[\"Concatz_dim_0\", w] z, float[\"Concatz_dim_0\", w] y) {\n"
           "  z = Concat <axis = 0> (x, x)\n"
           "  y = Neg (x)\n"
           "}",
    "h,w" },
  { "a-fused-convolution",
    HEADER "g (float[n, 3, h, h] x, float[5, 3, 3, 3] w) => (y) {\n"
           "  y = com.microsoft.FusedConv <activation = \"Relu\", pads = [1, 1, 1, 1]> (x, w)\n"
           "}",
    "n,5,h,h" },
  { "a-fused-product",
    HEADER "g (float[b, 2, k] x, float[k, 7] w) => (y) {\n"
           "  y = com.microsoft.FusedMatMul (x, w)\n"
           "}",
    "b,2,7" },
  { "a-product-quantised-here",
    HEADER "g (float[b, 2] x, uint8[2, 7] w, float s, uint8 z) => (y) {\n"
           "  y = com.microsoft.DynamicQuantizeMatMul (x, w, s, z)\n"
           "}",
    "b,7" },
  { "a-quantised-product-and-sum",
    HEADER "g (uint8[b, 2] x, uint8[2, 7] w, float s, uint8 z) => (y) {\n"
           "  y = com.microsoft.QGemm (x, s, z, w, s, z, \"\", s, z)\n"
           "}",
    "b,7" },
  { "a-quantised-sum-broadcasts",
    HEADER "g (uint8[n, 3, 4] x, uint8[n, 1, 4] a, float s, uint8 z) => (y) {\n"
           "  y = com.microsoft.QLinearAdd (x, s, z, a, s, z, s, z)\n"
           "}",
    "n,3,4" },
  { "quantised-parts",
    HEADER "g (uint8[n, 3, 4] x, uint8[n, 1, 4] a, float s, uint8 z) => (y) {\n"
           "  y = com.microsoft.QLinearConcat <axis = 1> (s, z, x, s, z, a, s, z)\n"
           "}",
    "n,4,4" },
  { "a-quantised-mean",
    HEADER "g (uint8[n, 3, h, 8] x, float s, uint8 z) => (y) {\n"
           "  y = com.microsoft.QLinearGlobalAveragePool (x, s, z, s, z)\n"
           "}",
    "n,3,1,1" },
  { "own-names-are-kept",
    HEADER "g (float[h, w] x) => (int64[2, NonZeroy_dim_1] y) { y = NonZero (x) }",
    "2,NonZeroy_dim_1" },
  { "names-of-people-are-kept",
    HEADER "g (float[h, w] x) => (int64[2, n_dim_1] z, int64[2, n_dim_1] y) {\n"
           "  z = NonZero (x)\n"
           "  y = Neg (z)\n"
           "}",
    "2,n_dim_1" },
};

static void
infers (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (SymModel) model = text_net_read (cases[i].path, cases[i].text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymIds outputs = sym_model_get_outputs (model);
  SymType type = sym_inference_get_type (inference, outputs.ids[outputs.n - 1]);
  g_autofree char *shape = sym_inference_format_shape (inference, &type.shape, ",");

  g_assert_cmpuint (sym_problems_get_n (sym_inference_get_problems (inference)), ==, 0);
  g_assert_cmpstr (shape, ==, cases[i].expected);
}

/* Factors of sizes are nothing that is trained, and are written as they were. */
static void
counts_no_scales (void)
{
  g_autoptr (SymModel) model = text_net_read (
      "scales", HEADER "g (float[1, 3, 4, 7] x) => (float[] y) <float[4] s = {1, 1, 2, 2}> {\n"
                       "  y = Resize (x, \"\", s)\n"
                       "}");
  guint n = 0;

  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      g_assert_cmpint (sym_model_get_role (model, value), !=, SYM_ROLE_PARAMETER);
      n += sym_model_get_role (model, value) == SYM_ROLE_CONSTANT;
    }
  g_assert_cmpuint (n, ==, 1);
}

/* The element that is a label is of the list of labels. */
static void
knows_what_labels_are (void)
{
  g_autoptr (SymModel) model = text_net_read (
      "labels",
      "<ir_version: 10, opset_import: [\"\" : 21, \"ai.onnx.ml\" : 4]>\n"
      "g (string[n] x) => (y) {\n"
      "  y = ai.onnx.ml.LabelEncoder <keys_strings = [\"a\"], values_floats = [1.5]> (x)\n"
      "}");
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  SymType type = sym_inference_get_type (inference, sym_model_get_outputs (model).ids[0]);

  g_assert_cmpint (type.dtype, ==, SYM_DTYPE_FLOAT32);
  g_assert_cmpint (type.shape.rank, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/infer-sizes/knows-results-of-scales", knows_results_of_scales);
  g_test_add_func ("/run/infer-sizes/knows-scales-that-are-computed",
                   knows_scales_that_are_computed);
  g_test_add_func ("/run/infer-sizes/leaves-unknown-sizes-unknown", leaves_unknown_sizes_unknown);
  g_test_add_func ("/run/infer-sizes/counts-no-scales", counts_no_scales);
  g_test_add_func ("/run/infer-sizes/knows-what-labels-are", knows_what_labels_are);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/infer-sizes/", cases[i].path, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), infers);
    }
  return g_test_run ();
}
