/* SPDX-License-Identifier: MIT */
#include "raise-mxnet.h"

/* Models of ONNX as MXNet's symbols: read back, they make the same numbers. */

static const RaiseCase cases[] = {
  { "convolves", IMAGE, KERNEL ", float[2] b = {0.5,-0.25}",
    "y = Conv <strides = [2,1], pads = [1,0,1,0]> (x, w, b)" },
  { "convolves-what-is-padded-apart", IMAGE, KERNEL,
    "y = Conv <auto_pad = \"SAME_UPPER\"> (x, w)" },
  { "convolves-with-holes", IMAGE, KERNEL, "y = Conv <dilations = [2,2]> (x, w)" },
  { "grows", IMAGE, KERNEL,
    "y = ConvTranspose <strides = [2,2], pads = [1,0,1,0], output_padding = [1,0]> (x, w)" },
  { "grows-by-less-at-the-end", IMAGE, KERNEL,
    "y = ConvTranspose <strides = [2,2], pads = [0,0,2,1]> (x, w)" },
  { "grows-by-less-at-the-beginning", IMAGE, KERNEL,
    "y = ConvTranspose <strides = [2,2], pads = [2,1,1,0], output_padding = [1,1]> (x, w)" },
  { "grows-and-is-cut", IMAGE, KERNEL,
    "y = ConvTranspose <strides = [3,3], pads = [0,0,2,1], output_padding = [1,2]> (x, w)" },
  { "takes-the-largest", IMAGE, "",
    "y = MaxPool <kernel_shape = [3,2], strides = [2,2], pads = [1,0,1,0], ceil_mode = 1> (x)" },
  { "takes-the-largest-of-what-is-padded-apart", IMAGE, "",
    "y = MaxPool <kernel_shape = [2,2], pads = [0,0,1,1]> (x)" },
  { "takes-the-mean", IMAGE, "",
    "y = AveragePool <kernel_shape = [3,3], pads = [1,1,1,1], count_include_pad = 1> (x)" },
  { "takes-the-mean-within", IMAGE, "",
    "y = AveragePool <kernel_shape = [3,3], pads = [1,1,1,1]> (x)" },
  { "takes-the-mean-of-all", IMAGE, "", "y = GlobalAveragePool (x)" },
  { "pads", IMAGE, "int64[8] p = {0,0,1,2,0,0,0,3}, float v = {1.5}", "y = Pad (x, p, v)" },
  { "pads-the-channels", IMAGE, "int64[8] p = {0,1,2,0,0,0,1,0}, float v = {1.5}",
    "y = Pad (x, p, v)" },
  { "pads-before-the-channels", IMAGE, "int64[8] p = {1,0,0,2,0,0,0,1}", "y = Pad (x, p)" },
  { "pads-fewer-axes", "float[2,3] x", "int64[4] p = {0,1,2,1}, float v = {-1}",
    "y = Pad (x, p, v)" },
  { "pads-three-axes", "float[2,3,4] x", "int64[6] p = {1,0,2,0,3,1}", "y = Pad (x, p)" },
  { "pads-three-of-four-axes", IMAGE, "int64[8] p = {0,1,1,1,0,0,2,0}", "y = Pad (x, p)" },
  { "pads-by-the-edges", "float[2,3,4] x", "int64[6] p = {0,1,2,0,0,1}",
    "y = Pad <mode = \"edge\"> (x, p)" },
  { "pads-some-axes", IMAGE, "int64[4] p = {1,0,2,3}, int64[2] a = {-1,2}",
    "y = Pad (x, p, \"\", a)", 18 },
  { "normalises-batches", IMAGE,
    "float[2] s = {1.5,-2}, float[2] b = {0.5,1}, float[2] m = {0.25,-0.5}, float[2] v = {2,0.5}",
    "y = BatchNormalization <epsilon = 0.01> (x, s, b, m, v)" },
  { "normalises-samples", IMAGE, "float[2] s = {1.5,-2}, float[2] b = {0.5,1}",
    "y = InstanceNormalization <epsilon = 0.01> (x, s, b)" },
  { "normalises-layers", "float[2,3] x", "float[3] s = {1.5,-2,1}, float[3] b = {0.5,1,2}",
    "y = LayerNormalization <epsilon = 0.01> (x, s, b)" },
  { "normalises-neighbours", IMAGE, "", "y = LRN <size = 3, alpha = 0.5, bias = 2.0> (x)" },
  { "joins-fully", "float[2,3] x", "float[2,3] w = {1,2,-1,0.5,-2,3}, float[2] b = {0.25,-1}",
    "y = Gemm <transB = 1> (x, w, b)" },
  { "joins-fully-from-the-left", "float[2,3] x", "float[3,2] w = {1,2,-1,0.5,-2,3}",
    "y = Gemm (x, w)" },
  { "multiplies-matrices", "float[2,3,4] x", "float[4,2] w = {1,2,-1,0.5,-2,3,1,4}",
    "y = MatMul (x, w)" },
  { "multiplies-batches", "float[2,3,3] x", "", "y = MatMul (x, x)" },
  { "multiplies-batches-of-heads", "float[2,2,3,3] x", "", "y = MatMul (x, x)" },
  { "adds-what-has-fewer-axes", "float[2,3,4] x", "float[4] b = {1,2,-1,0.5}", "y = Add (b, x)" },
  { "adds-to-the-channels-of-old", IMAGE, "float[2] b = {1,2}",
    "y = Add <broadcast = 1, axis = 1> (x, b)", 6 },
  { "takes-from-a-number", "float[2,3] x", "float n = {1.5}", "y = Sub (n, x)" },
  { "divides-by-a-number", "float[2,3] x", "float[1] n = {1.5}", "y = Div (x, n)" },
  { "leaks", "float[2,3] x", "", "y = LeakyRelu <alpha = 0.2> (x)" },
  { "activates", "float[2,3] x", "",
    "a = Relu (x) b = Sigmoid (a) c = Elu (b) d = Tanh (c) e = Softplus (d) f = Erf (e) "
    "y = HardSigmoid <alpha = 0.3> (f)" },
  { "leaks-by-slopes", "float[2,3,4] x", "float[4] s = {0.5,-1,2,0.25}",
    "a = Neg (x) b = PRelu (a, s) y = Add (b, x)" },
  { "repeats-pixels", IMAGE, "float[0] r = {}, float[4] f = {1,1,2,2}",
    "y = Resize <mode = \"nearest\"> (x, r, f)" },
  { "repeats-pixels-of-old", IMAGE, "float[4] f = {1,1,3,3}", "y = Upsample (x, f)", 9 },
  { "resizes", IMAGE, "float[0] r = {}, float[0] f = {}, int64[4] s = {1,2,7,9}",
    "y = Resize <mode = \"linear\"> (x, r, f, s)" },
  { "resizes-by-the-corners", IMAGE, "float[0] r = {}, float[0] f = {}, int64[4] s = {1,2,7,9}",
    "y = Resize <mode = \"linear\", coordinate_transformation_mode = \"align_corners\"> "
    "(x, r, f, s)" },
  { "resizes-by-exact-scales", IMAGE, "float[0] r = {}, float[4] f = {1,1,0.6,1.5}",
    "y = Resize <mode = \"linear\"> (x, r, f)" },
  { "repeats-pixels-of-some-axes", IMAGE, "float[0] r = {}, float[2] f = {2,2}",
    "y = Resize <axes = [-1,2]> (x, r, f)", 18 },
  { "resizes-with-the-channels-last", "float[1,3,4,2] x",
    "float[0] r = {}, float[0] f = {}, int64[4] s = {1,6,5,2}",
    "y = Resize <mode = \"linear\"> (x, r, f, s)" },
  { "repeats-pixels-with-the-channels-last", "float[1,3,4,2] x",
    "float[0] r = {}, float[0] f = {}, int64[4] s = {1,6,8,2}",
    "y = Resize <mode = \"nearest\", coordinate_transformation_mode = \"asymmetric\", "
    "nearest_mode = \"floor\"> (x, r, f, s)" },
  { "moves-depth-into-space", "float[1,8,2,3] x", "", "y = DepthToSpace <blocksize = 2> (x)" },
  { "moves-space-into-depth", "float[1,2,4,6] x", "", "y = SpaceToDepth <blocksize = 2> (x)" },
  { "drops-nothing", "float[2,3] x", "", "a, m = Dropout (x) y = Add (a, x)" },
  { "clips", "float[2,3] x", "float l = {0.2}, float m = {0.6}", "y = Clip (x, l, m)" },
  { "sums-to-one", "float[2,3,4] x", "", "y = Softmax <axis = 1> (x)" },
  { "reshapes", "float[2,3,4] x", "int64[2] s = {0,-1}",
    "a = Reshape (x, s) y = Transpose <perm = [1,0]> (a)" },
  { "reshapes-by-its-own-sizes", "float[2,3,4] x", "int64 i = {1}, int64[1] r = {-1}",
    "a = Shape (x) b = Gather (a, i) c = Unsqueeze (b, z) d = Concat <axis = 0> (c, r) "
    "y = Reshape (x, d)" },
  { "moves-axes", "float[2,1,3] x", "int64[1] o = {1}, int64[2] t = {0,-1}",
    "a = Squeeze (x, o) y = Unsqueeze (a, t)" },
  { "gives-a-number-axes", "float[2,3] x", "float c = {0.5}, int64[2] t = {0,1}",
    "a = Unsqueeze (c, t) b = Exp (a) y = Mul (x, b)" },
  { "cuts", "float[4,3,5] x", "int64[2] s = {1,-3}, int64[2] e = {3,100}, int64[2] i = {0,2}",
    "y = Slice (x, s, e, i)" },
  { "splits", "float[2,5] x", "int64[2] s = {2,3}",
    "a, b = Split <axis = 1> (x, s) c = Exp (a) y = Concat <axis = 1> (b, c)" },
  { "expands", "float[3,1] x", "int64[3] s = {2,3,4}", "y = Expand (x, s)" },
  { "activates-by-selu", "float[2,3] x", "", "y = Selu (x)" },
  { "looks-up", "float[4,3] x", "int64[2,2] i = {0,3,1,-1}", "y = Gather (x, i)" },
  { "reduces", "float[2,3,4] x", "int64[2] i = {0,2}",
    "a = ReduceSum <keepdims = 0> (x, i) y = ReduceMax <keepdims = 1> (a)" },
};

static void
test_case (gconstpointer data)
{
  g_autoptr (SymModel) model = raise_case_read (data);

  raise_mxnet_compare (model);
}

/* Layers within others give their numbers one name. */
static void
test_bodies (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", "steps.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read (path, NULL, &error);

  g_assert_no_error (error);
  raise_mxnet_compare (model);
}

static void
compare_keras (const char *json)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (json, strlen (json));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "net.json", &error);

  g_assert_no_error (error);
  raise_mxnet_compare (model);
}

/* As MobileNet of Keras begins: MXNet adds to no axis before the last two. */
static void
test_rectifiers (void)
{
  static const char json[] =
      "{\"class_name\": \"Sequential\", \"keras_version\": \"2.4.0\", \"config\": {\"name\": "
      "\"m\", "
      "\"layers\": [{\"class_name\": \"ZeroPadding2D\", \"config\": {\"name\": \"pad\", "
      "\"batch_input_shape\": [1, 3, 4, 2], \"padding\": [[0, 1], [2, 0]]}}, "
      "{\"class_name\": \"ReLU\", \"config\": {\"name\": \"cut\", \"max_value\": 0.5}}, "
      "{\"class_name\": \"ReLU\", \"config\": {\"name\": \"plain\"}}]}}";

  compare_keras (json);
}

/* As those of Teachable Machine: no layer of the graph itself is an operator. */
static void
test_nothing_but_bodies (void)
{
  static const char json[] =
      "{\"class_name\": \"Sequential\", \"keras_version\": \"2.4.0\", \"config\": {\"name\": "
      "\"m\", "
      "\"layers\": [{\"class_name\": \"Sequential\", \"config\": {\"name\": \"inner\", \"layers\": "
      "["
      "{\"class_name\": \"ReLU\", \"config\": {\"name\": \"cut\", \"max_value\": 0.5, "
      "\"batch_input_shape\": [2, 3]}}, "
      "{\"class_name\": \"Activation\", \"config\": {\"name\": \"act\", \"activation\": "
      "\"tanh\"}}]}}]}}";

  compare_keras (json);
}

/* ---- What MXNet does not have ---- */

static void
test_refuses (void)
{
  static const RaiseCase refused[] = {
    { "Det", "float[3,3] x", "", "y = Det (x)" },
    { "AveragePool", IMAGE, "", "y = AveragePool <kernel_shape = [2,2], pads = [0,0,1,1]> (x)" },
    { "Mul", "float[2,3] x", "", "a = Cast <to = 7> (x) y = Mul (a, x)" },
    { "Selu", "float[2,3] x", "", "y = Selu <alpha = 2.0> (x)" },
    { "Resize", IMAGE, "float[0] r = {}, float[0] f = {}, int64[4] s = {1,2,7,9}",
      "y = Resize <mode = \"cubic\"> (x, r, f, s)" },
    { "Resize", IMAGE, "float[0] r = {}, float[0] f = {}, int64[4] s = {1,4,7,9}",
      "y = Resize <mode = \"linear\"> (x, r, f, s)" },
    { "Dropout", "float[2,3] x", "float r = {0.5}, bool t = {1}", "y = Dropout (x, r, t)" },
    { "Pad", IMAGE, "int64[8] p = {1,1,1,1,0,0,0,0}", "y = Pad (x, p)" },
    { "ConvTranspose", IMAGE, KERNEL, "y = ConvTranspose <auto_pad = \"SAME_UPPER\"> (x, w)" },
    { "Pad", IMAGE, "int64[8] p = {0,0,0,-1,0,0,0,0}", "y = Pad (x, p)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    raise_case_refuse (&refused[i], "mxnet");
  raise_case_refuse_scales ("mxnet");
}

/* No layer is there that would have to be said otherwise. */
static void
test_constants (void)
{
  static const char net[] = "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                            "n (float[2] x) => (float[2] c) <float[2] c = {3.0, 4.0}> {\n}\n";
  g_autoptr (SymModel) model = text_net_read ("constants", net);
  g_autoptr (GError) error = NULL;

  g_assert_false (sym_io_write (sym_io_find_format ("mxnet"), model, NULL, "-", NULL, &error));
  g_assert_error (error, SYM_IO_ERROR, SYM_IO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "the output “c” is a constant"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/raise-mxnet/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/run/raise-mxnet/keeps-numbers-of-one-name-apart", test_bodies);
  g_test_add_func ("/run/raise-mxnet/pads-and-rectifies-as-keras", test_rectifiers);
  g_test_add_func ("/run/raise-mxnet/takes-bodies-apart", test_nothing_but_bodies);
  g_test_add_func ("/run/raise-mxnet/refuses-numbers-that-no-layer-makes", test_constants);
  g_test_add_func ("/run/raise-mxnet/refuses-what-mxnet-has-not", test_refuses);
  return g_test_run ();
}
