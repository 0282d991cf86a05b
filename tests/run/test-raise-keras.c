/* SPDX-License-Identifier: MIT */
#include "../quick-folder.h"
#include "keras-again.h"
#include "raise-case.h"

/* Models of ONNX as Keras configs with weights: read back, they make the same numbers. */

#define IMAGE8 "float[1,2,8,8] x"
#define DEEP                                                               \
  "float[4,1,3,2] w = {0.1,-0.2,0.3,0.4,-0.5,0.6,0.7,-0.8,0.9,1,-1.1,1.2," \
  "0.2,0.3,-0.4,0.5,0.6,-0.7,0.8,-0.9,0.1,0.2,0.3,-0.4}"

static const RaiseCase cases[] = {
  /* windows */
  { "convolves", IMAGE, KERNEL ", float[2] b = {0.5,-0.25}",
    "y = Conv <strides = [2,1], pads = [1,0,1,0]> (x, w, b)" },
  { "convolves-what-is-padded-alike", IMAGE, KERNEL, "y = Conv <pads = [1,0,1,1]> (x, w)" },
  { "convolves-by-itself", IMAGE, KERNEL, "y = Conv <auto_pad = \"SAME_UPPER\"> (x, w)" },
  { "convolves-from-below", IMAGE, KERNEL,
    "y = Conv <auto_pad = \"SAME_LOWER\", strides = [2,2]> (x, w)" },
  { "convolves-with-holes", IMAGE, KERNEL, "y = Conv <dilations = [2,2]> (x, w)" },
  { "convolves-each-channel", IMAGE, DEEP ", float[4] b = {0.5,-0.25,1,2}",
    "y = Conv <group = 2, strides = [2,2]> (x, w, b)" },
  { "convolves-groups", IMAGE, DEEP, "y = Conv <group = 2, strides = [2,1]> (x, w)" },
  { "convolves-a-line", "float[2,3,7] x", "float[2,3,2] w = {1,2,-1,0.5,-2,3,0.1,0.2,0.3,1,0,2}",
    "y = Conv <pads = [1,2]> (x, w)" },
  { "convolves-and-adds", IMAGE, KERNEL ", float[2,1,1] b = {0.5,-0.25}",
    "a = Conv (x, w) y = Add (b, a)" },
  { "convolves-twice-by-one-kernel", IMAGE8, "float[2,2,1,1] w = {1,2,-1,0.5}",
    "a = Conv (x, w) b = Relu (a) y = Conv (b, w)" },
  { "grows", IMAGE, KERNEL ", float[2] b = {0.5,-0.25}",
    "y = ConvTranspose <strides = [2,2], pads = [1,0,1,0], output_padding = [1,0]> (x, w, b)" },
  { "grows-by-what-is-left", IMAGE, KERNEL,
    "y = ConvTranspose <strides = [2,2], output_padding = [1,1]> (x, w)" },
  { "grows-with-other-channels", IMAGE,
    "float[2,3,2,2] w = {0.1,-0.2,0.3,0.4,-0.5,0.6,0.7,-0.8,0.9,1,-1.1,1.2,"
    "0.2,0.3,-0.4,0.5,0.6,-0.7,0.8,-0.9,0.1,0.2,0.3,-0.4}",
    "y = ConvTranspose <strides = [2,2]> (x, w)" },
  { "takes-the-largest", IMAGE, "",
    "n = Neg (x) y = MaxPool <kernel_shape = [3,2], strides = [2,2], pads = [1,0,1,0], "
    "ceil_mode = 1> (n)" },
  { "takes-the-largest-above-zero", IMAGE8, "",
    "a = Relu (x) y = MaxPool <kernel_shape = [3,3], strides = [2,2], pads = [1,1,1,1]> (a)" },
  { "takes-the-largest-below-zero", IMAGE8, "",
    "n = Neg (x) y = MaxPool <kernel_shape = [3,3], strides = [2,2], pads = [1,1,1,1]> (n)" },
  { "takes-the-largest-of-a-line", "float[2,3,7] x", "",
    "n = Neg (x) y = MaxPool <kernel_shape = [3], strides = [2], pads = [1,1]> (n)" },
  { "takes-the-mean", IMAGE, "",
    "y = AveragePool <kernel_shape = [3,3], strides = [2,2], pads = [1,1,1,1], "
    "count_include_pad = 1> (x)" },
  { "takes-the-mean-within", IMAGE, "",
    "y = AveragePool <kernel_shape = [3,3], pads = [1,1,1,1]> (x)" },
  { "takes-the-mean-of-all", IMAGE, "", "a = GlobalAveragePool (x) y = GlobalMaxPool (a)" },
  { "pads-with-zeros", IMAGE, "int64[8] p = {0,0,1,2,0,0,0,3}", "y = Pad (x, p)" },
  { "pads-with-a-number", IMAGE, "int64[8] p = {0,1,1,2,0,0,0,3}, float v = {1.5}",
    "y = Pad (x, p, v)" },
  { "pads-with-what-is-mirrored", IMAGE, "int64[8] p = {0,0,1,2,0,0,0,3}",
    "y = Pad <mode = \"reflect\"> (x, p)" },
  /* what normalises */
  { "normalises-batches", IMAGE,
    "float[2] s = {1.5,-2}, float[2] b = {0.5,1}, float[2] m = {0.25,-0.5}, float[2] v = {2,0.5}",
    "y = BatchNormalization <epsilon = 0.01> (x, s, b, m, v)" },
  { "normalises-samples", IMAGE, "float[2] s = {1.5,-2}, float[2] b = {0.5,1}",
    "y = InstanceNormalization <epsilon = 0.01> (x, s, b)" },
  { "normalises-layers", "float[2,3] x", "float[3] s = {1.5,-2,1}, float[3] b = {0.5,1,2}",
    "y = LayerNormalization <epsilon = 0.01> (x, s, b)" },
  { "normalises-two-axes", "float[2,2,3] x", "float[2,3] s = {1.5,-2,1,1,2,3}",
    "y = LayerNormalization <axis = 1> (x, s)" },
  { "normalises-neighbours", IMAGE8, "", "y = LRN <size = 2, alpha = 0.5, bias = 2.0> (x)" },
  { "keeps-fewer-bits", IMAGE,
    "float[2] s = {0.01,0.02}, uint8[2] q = {3,7}, float t = {0.02}, int8 r = {-3}",
    "a = QuantizeLinear <axis = 1> (x, s, q) b = DequantizeLinear <axis = 1> (a, s, q) "
    "n = Neg (b) c = QuantizeLinear (n, t, r) y = DequantizeLinear (c, t, r)" },
  { "tells-classes", "int64[2,3] x", "int64 d = {4}, int64 f = {3}, float[2] v = {-1,2.5}",
    "c = Sub (x, f) l = ReduceMin <keepdims = 0> (c) m = Mod (x, d) s = Sub (m, f) "
    "y = OneHot <axis = 1> (s, d, v)" },
  /* products */
  { "joins-fully", "float[2,3] x", "float[2,3] w = {1,2,-1,0.5,-2,3}, float[2] b = {0.25,-1}",
    "y = Gemm <transB = 1> (x, w, b)" },
  { "joins-fully-from-the-left", "float[2,3] x", "float[3,2] w = {1,2,-1,0.5,-2,3}",
    "y = Gemm (x, w)" },
  { "multiplies-matrices", "float[2,3,4] x", "float[4,2] w = {1,2,-1,0.5,-2,3,1,4}",
    "y = MatMul (x, w)" },
  { "multiplies-and-adds", "float[2,3,4] x",
    "float[2,4] w = {1,2,-1,0.5,-2,3,1,4}, float[2] b = {0.5,-1}",
    "t = Transpose (w) a = MatMul (x, t) y = Add (a, b)" },
  { "multiplies-from-the-left", "float[3,4] x", "float[2,3] w = {1,2,-1,0.5,-2,3}",
    "y = MatMul (w, x)" },
  { "multiplies-batches", "float[2,3,3] x", "", "y = MatMul (x, x)" },
  { "sums-by-letters", "float[2,3,4] x", "", "y = Einsum <equation = \"abc,adc->abd\"> (x, x)" },
  { "looks-up", "int64[2,3] x", "float[4,2] w = {1,2,-1,0.5,-2,3,1,4}",
    "m = ReduceMax <keepdims = 1> (x) l = Sub (x, x) y = Gather (w, l)" },
  { "looks-up-a-place", "float[2,3,4] x", "int64 i = {1}", "y = Gather <axis = 1> (x, i)" },
  /* steps: 3 of 2 samples with 2 features, 2 units */
  { "remembers", "float[3,2,2] x",
    "float[1,8,2] w = {-0.8,-0.5,-0.2,0.1,0.4,0.7,-0.7,-0.4,-0.1,0.2,0.5,0.8,-0.6,-0.3,0.0,0.3}, "
    "float[1,8,2] r = {-0.8,-0.3,0.2,0.7,-0.5,0.0,0.5,-0.7,-0.2,0.3,0.8,-0.4,0.1,0.6,-0.6,-0.1}, "
    "float[1,16] b = {-0.8,-0.1,0.6,-0.4,0.3,-0.7,0.0,0.7,-0.3,0.4,-0.6,0.1,0.8,-0.2,0.5,-0.5}",
    "y, h, c = LSTM <hidden_size = 2> (x, w, r, b)" },
  { "remembers-the-last-state", "float[3,2,2] x",
    "float[2,8,2] w = "
    "{-0.8,-0.5,-0.2,0.1,0.4,0.7,-0.7,-0.4,-0.1,0.2,0.5,0.8,-0.6,-0.3,0.0,0.3,0.6,-0.8,-0.5,-0.2,0."
    "1,0.4,0.7,-0.7,-0.4,-0.1,0.2,0.5,0.8,-0.6,-0.3,0.0}, float[2,8,2] r = "
    "{-0.8,-0.3,0.2,0.7,-0.5,0.0,0.5,-0.7,-0.2,0.3,0.8,-0.4,0.1,0.6,-0.6,-0.1,0.4,-0.8,-0.3,0.2,0."
    "7,-0.5,0.0,0.5,-0.7,-0.2,0.3,0.8,-0.4,0.1,0.6,-0.6}, float[2,16] b = "
    "{-0.8,-0.1,0.6,-0.4,0.3,-0.7,0.0,0.7,-0.3,0.4,-0.6,0.1,0.8,-0.2,0.5,-0.5,0.2,-0.8,-0.1,0.6,-0."
    "4,0.3,-0.7,0.0,0.7,-0.3,0.4,-0.6,0.1,0.8,-0.2,0.5}",
    "a, h, c = LSTM <hidden_size = 2, direction = \"bidirectional\"> (x, w, r, b) y = Add (h, c)" },
  { "remembers-both-ways", "float[3,2,2] x",
    "float[2,6,2] w = "
    "{-0.8,-0.5,-0.2,0.1,0.4,0.7,-0.7,-0.4,-0.1,0.2,0.5,0.8,-0.6,-0.3,0.0,0.3,0.6,-0.8,-0.5,-0.2,0."
    "1,0.4,0.7,-0.7}, float[2,6,2] r = "
    "{-0.8,-0.3,0.2,0.7,-0.5,0.0,0.5,-0.7,-0.2,0.3,0.8,-0.4,0.1,0.6,-0.6,-0.1,0.4,-0.8,-0.3,0.2,0."
    "7,-0.5,0.0,0.5}, float[2,12] b = "
    "{-0.8,-0.1,0.6,-0.4,0.3,-0.7,0.0,0.7,-0.3,0.4,-0.6,0.1,0.8,-0.2,0.5,-0.5,0.2,-0.8,-0.1,0.6,-0."
    "4,0.3,-0.7,0.0}",
    "y, h = GRU <hidden_size = 2, direction = \"bidirectional\", linear_before_reset = 1> "
    "(x, w, r, b)" },
  { "remembers-backwards", "float[3,2,2] x",
    "float[1,6,2] w = {-0.8,-0.5,-0.2,0.1,0.4,0.7,-0.7,-0.4,-0.1,0.2,0.5,0.8}, float[1,6,2] r = "
    "{-0.8,-0.3,0.2,0.7,-0.5,0.0,0.5,-0.7,-0.2,0.3,0.8,-0.4}, float[1,12] b = "
    "{-0.8,-0.1,0.6,-0.4,0.3,-0.7,0.0,0.7,-0.3,0.4,-0.6,0.1}",
    "y, h = GRU <hidden_size = 2, direction = \"reverse\"> (x, w, r, b)" },
  { "remembers-plainly", "float[3,2,2] x",
    "float[1,2,2] w = {-0.8,-0.5,-0.2,0.1}, float[1,2,2] r = {-0.8,-0.3,0.2,0.7}",
    "y, h = RNN <hidden_size = 2> (x, w, r)" },
  /* elements */
  { "computes-weights-first", "float[2,3] x",
    "float[3,2] w = {1,2,-1,0.5,-2,3}, float n = {0.5}, uint8[2] q = {3,200}",
    "s = Mul (w, n) m = MatMul (x, s) f = Cast <to = 1> (q) g = Sqrt (f) y = Add (m, g)" },
  { "normalises-by-mean-squares-of-others", "float[2,3] x", "",
    "s = Mul (x, x) m = ReduceMean <axes = [-1]> (s) r = Sqrt (m) y = Div (x, r)" },
  { "adds-what-has-fewer-axes", "float[2,3,4] x", "float[4] b = {1,2,-1,0.5}", "y = Add (b, x)" },
  { "adds-to-the-channels-of-old", IMAGE, "float[2] b = {1,2}",
    "y = Add <broadcast = 1, axis = 1> (x, b)", 6 },
  { "leaks-by-channels-of-old", IMAGE, "float[2] s = {0.25,-0.5}", "n = Neg (x) y = PRelu (n, s)",
    6 },
  { "sums-to-one-over-axes-of-old", "float[2,3,4] x", "", "y = Softmax <axis = 1> (x)", 11 },
  { "adds-itself", "float[2,3,4] x", "", "a = Add (x, x) b = Mul (a, x) y = Max (b, a, x)" },
  { "takes-from-a-number", "float[2,3] x", "float n = {1.5}", "y = Sub (n, x)" },
  { "divides-by-a-number", "float[2,3] x", "float[1] n = {1.5}", "y = Div (x, n)" },
  { "takes-powers", "float[2,3] x", "float n = {2}", "y = Pow (x, n)" },
  { "leaks", "float[2,3] x", "", "n = Neg (x) y = LeakyRelu <alpha = 0.2> (n)" },
  { "leaks-by-weights", IMAGE, "float[2,1,1] s = {0.25,-0.5}", "n = Neg (x) y = PRelu (n, s)" },
  { "activates", "float[2,3] x", "",
    "a = Relu (x) b = Sigmoid (a) c = Elu (b) d = Tanh (c) e = Softplus (d) f = Erf (e) "
    "g = HardSwish (f) y = HardSigmoid <alpha = 0.3> (g)" },
  { "activates-by-a-sixth", "float[2,3] x", "",
    "n = Neg (x) a = Elu <alpha = 2.0> (n) y = HardSigmoid <alpha = 0.16666667, beta = 0.5> (a)" },
  { "clips", "float[2,3] x", "float l = {-0.2}, float m = {0.3}", "y = Clip (x, l, m)" },
  { "clips-at-six", "float[2,3] x", "float l = {0}, float m = {0.5}", "y = Clip (x, l, m)" },
  { "chooses", "float[2,3] x", "float n = {0.1}", "a = Greater (x, n) y = Where (a, x, n)" },
  { "sums-to-one", "float[2,3,4] x", "", "y = Softmax <axis = 1> (x)" },
  /* moves */
  { "reshapes", "float[2,3,4] x", "int64[2] s = {0,-1}",
    "a = Reshape (x, s) y = Transpose <perm = [1,0]> (a)" },
  { "reshapes-the-batch", "float[2,3,4] x", "int64[2] s = {4,-1}", "y = Reshape (x, s)" },
  { "reshapes-by-its-own-sizes", "float[2,3,4] x", "int64 i = {1}, int64[1] r = {-1}",
    "a = Shape (x) b = Gather (a, i) c = Unsqueeze (b, z) d = Concat <axis = 0> (c, r) "
    "y = Reshape (x, d)" },
  { "moves-axes", "float[2,1,3] x", "int64[1] o = {1}, int64[2] t = {0,-1}",
    "a = Squeeze (x, o) y = Unsqueeze (a, t)" },
  { "turns-axes", "float[2,1,3] x", "", "y = Transpose <perm = [0,2,1]> (x)" },
  { "flattens", "float[2,3,4] x", "", "y = Flatten (x)" },
  { "flattens-behind", "float[2,3,4] x", "", "y = Flatten <axis = 2> (x)" },
  { "cuts", "float[4,3,5] x", "int64[2] s = {1,-3}, int64[2] e = {3,100}, int64[2] i = {0,2}",
    "y = Slice (x, s, e, i)" },
  { "cuts-backwards", "float[4,3,5] x",
    "int64[1] s = {-1}, int64[1] e = {-100}, int64[1] i = {2}, int64[1] t = {-2}",
    "y = Slice (x, s, e, i, t)" },
  { "splits", "float[2,5] x", "int64[2] s = {2,3}",
    "a, b = Split <axis = 1> (x, s) c = Exp (a) y = Concat <axis = 1> (b, c)" },
  { "expands", "float[3,1] x", "int64[3] s = {2,3,4}", "y = Expand (x, s)" },
  { "tiles", "float[3,1] x", "int64[2] s = {2,3}", "y = Tile (x, s)" },
  { "reduces", "float[2,3,4] x", "int64[2] i = {0,2}",
    "a = ReduceSum <keepdims = 0> (x, i) b = ReduceMax <keepdims = 1> (a) y = ReduceL2 (b)" },
  { "finds-the-largest", "float[2,3,4] x", "", "y = ArgMax <axis = 1, keepdims = 0> (x)" },
  { "moves-channels-to-pixels", "float[1,8,2,3] x", "", "y = DepthToSpace <blocksize = 2> (x)" },
  { "moves-channels-of-each-to-pixels", "float[1,8,2,3] x", "",
    "y = DepthToSpace <blocksize = 2, mode = \"CRD\"> (x)" },
  { "moves-pixels-to-channels", "float[1,2,4,6] x", "", "y = SpaceToDepth <blocksize = 2> (x)" },
  { "repeats-pixels", IMAGE, "float[0] r = {}, float[4] s = {1,1,2,3}",
    "y = Resize <coordinate_transformation_mode = \"asymmetric\", nearest_mode = \"floor\"> "
    "(x, r, s)" },
  { "resizes-by-exact-scales", IMAGE, "float[0] r = {}, float[4] f = {1,1,0.6,1.5}",
    "y = Resize <mode = \"linear\"> (x, r, f)" },
  { "repeats-pixels-of-old", IMAGE, "", "y = Upsample <scales = [1.0,1.0,2.0,3.0]> (x)", 7 },
  { "repeats-pixels-of-some-axes", IMAGE, "float[0] r = {}, float[2] f = {2,3}",
    "y = Resize <axes = [-1,2]> (x, r, f)", 18 },
  { "resizes-to-the-middle", IMAGE, "int64[4] s = {1,2,1,3}",
    "y = Resize <mode = \"linear\"> (x, \"\", \"\", s)" },
  { "resizes-as-torch", IMAGE, "int64[4] s = {1,2,2,3}",
    "y = Resize <mode = \"linear\", coordinate_transformation_mode = \"pytorch_half_pixel\"> "
    "(x, \"\", \"\", s)" },
  { "smooths-pixels", IMAGE, "float[0] r = {}, float[4] s = {1,1,2,2}",
    "y = Resize <mode = \"linear\"> (x, r, s)" },
};

typedef struct {
  char *folder, *path;
} Files;

static void
make_files (Files *self)
{
  self->folder = quick_folder_new ();
  self->path = g_build_filename (self->folder, "net.keras.json", NULL);
}

static void
remove_files (Files *self)
{
  keras_again_clean (self->folder);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->path);
}

static void
test_case (gconstpointer data)
{
  const RaiseCase *self = data;
  g_autoptr (SymModel) model = raise_case_read (self);
  g_autoptr (SymDatum) input = raise_case_fill (model);
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) raised = sym_keras_raise (model, NULL, NULL, &error);
  g_autoptr (SymModel) again = NULL;
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;
  Files files;

  g_assert_no_error (error);
  make_files (&files);
  again = keras_again_read (model, files.path);
  keras_again_check (raised, again);
  before = raise_case_run (model, input);
  after = raise_case_run (again, input);
  g_assert_cmpuint (after->len, ==, 1);
  text_net_compare (sym_datum_get_array (after->pdata[0]), sym_datum_get_array (before->pdata[0]),
                    1e-5);
  remove_files (&files);
}

/* ---- What is told, and how ---- */

typedef struct {
  SymModel *again;
  SymProblems *notes;
  char *text;
} Written;

static void
write_text (Written *self, const char *text)
{
  g_autoptr (SymModel) model = text_net_read ("net", text);
  g_autoptr (GError) error = NULL;
  Files files;

  make_files (&files);
  self->notes = sym_problems_new ();
  sym_io_write (sym_io_find_format ("keras"), model, NULL, files.path, self->notes, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (files.path, &self->text, NULL, NULL));
  self->again = sym_io_read (files.path, NULL, &error);
  g_assert_no_error (error);
  remove_files (&files);
}

static void
clear_written (Written *self)
{
  sym_model_unref (self->again);
  sym_problems_unref (self->notes);
  g_free (self->text);
}

static gboolean
is_told (const Written *self, const char *message)
{
  for (guint i = 0; i < sym_problems_get_n (self->notes); i++)
    if (strcmp (sym_problems_get (self->notes, i)->message, message) == 0)
      return TRUE;
  return FALSE;
}

#define HEAD "<ir_version: 8, opset_import: [\"\" : 17]>\n"

/* Weights that are used twice are those of one layer that is applied twice. */
static void
test_shares (void)
{
  Written self;
  SymLayer *layer;

  write_text (&self, HEAD "net (float[N,2] x) => (y) <float[2,2] w = {1,2,3,4}>\n{\n"
                          "a = MatMul (x, w) b = Relu (a) y = MatMul (b, w)\n}\n");
  g_assert_cmpuint (sym_model_get_n_calls (self.again), ==, 3);
  layer = sym_model_get_layer (self.again, 0);
  g_assert_cmpstr (sym_layer_get_type (layer), ==, "Dense");
  g_assert_true (sym_model_get_layer (self.again, 1) == layer ||
                 sym_model_get_layer (self.again, 2) == layer);
  clear_written (&self);
}

/* Another layer with the same weights has its own, which is told. */
static void
test_tells_of_shared_weights (void)
{
  Written self;

  write_text (&self, HEAD "net (int64[N,3] x) => (y) <float[4,2] w = {1,2,3,4,5,6,7,8}>\n{\n"
                          "a = Gather (w, x) t = Transpose (w) y = MatMul (a, t)\n}\n");
  g_assert_true (
      is_told (&self, "weights that several layers share are one for each of them: “w”"));
  clear_written (&self);
}

static void
test_tells_of_numbers (void)
{
  Written self;

  write_text (&self, HEAD "net (float[N,2] x) => (y) <float[2] c = {1,2}>\n{\n"
                          "y = Mul (x, c)\n}\n");
  g_assert_true (
      is_told (&self, "weights that no layer of Keras holds are numbers of operations: “c”"));
  g_assert_nonnull (strstr (self.text, "{\"class_name\": \"__numpy__\", \"config\": {\"value\": "
                                       "[1.0, 2.0], \"dtype\": \"float32\"}}"));
  clear_written (&self);
}

/* A single integer is one in JSON, too; the batch stays open; the model is of a class that Keras
 * finds. */
static void
test_writes_as_keras_does (void)
{
  Written self;
  SymType type;

  write_text (&self, HEAD "net (int64[N,2] x) => (y) <int64 c = {3}>\n{\ny = Add (x, c)\n}\n");
  type = sym_model_get_declared_type (self.again, sym_model_get_inputs (self.again).ids[0]);
  g_assert_cmpint (type.shape.dims[0], <, 0);
  g_assert_cmpint (type.shape.dims[1], ==, 2);
  g_assert_cmpint (type.dtype, ==, SYM_DTYPE_INT64);
  g_assert_nonnull (strstr (self.text, "}}, 3], \"kwargs\": {}}"));
  g_assert_nonnull (strstr (self.text, "\"module\": \"keras.src.models.functional\""));
  g_assert_nonnull (strstr (self.text, "\"module\": \"keras.src.ops.numpy\", "
                                       "\"registered_name\": \"Add\", \"config\": {}, "));
  clear_written (&self);
}

/* No slashes, letters or digits first, none that Keras gives to operations, each only once. */
static void
test_names (void)
{
  Written self;

  write_text (&self, HEAD "net (float[N,2] \"in:0\") => (y)\n{\n"
                          "[\"/a/b\"] a = Relu (\"in:0\") [\"a_b\"] b = Relu (a) "
                          "[\"add_1\"] c = Sigmoid (b) [\"\"] y = Tanh (c)\n}\n");
  g_assert_cmpstr (sym_model_get_value_name (self.again, sym_model_get_inputs (self.again).ids[0]),
                   ==, "in_0");
  g_assert_cmpstr (sym_model_get_call_name (self.again, 0), ==, "a_b");
  g_assert_cmpstr (sym_model_get_call_name (self.again, 1), ==, "a_b_1");
  g_assert_cmpstr (sym_model_get_call_name (self.again, 2), ==, "add_1_layer");
  g_assert_cmpstr (sym_model_get_call_name (self.again, 3), ==, "y");
  clear_written (&self);
}

/* ---- What Keras does not have ---- */

static void
test_refuses (void)
{
  static const RaiseCase refused[] = {
    { "Det", "float[3,3] x", "", "y = Det (x)" },
    { "AveragePool", IMAGE, "", "y = AveragePool <kernel_shape = [2,2], pads = [0,0,2,1]> (x)" },
    { "Conv", IMAGE8, KERNEL, "y = Conv <dilations = [2,2], strides = [2,2]> (x, w)" },
    { "Mul", "float[2,3] x", "", "a = Cast <to = 7> (x) y = Mul (a, x)" },
    { "Dropout", "float[2,3] x", "float r = {0.5}, bool t = {1}", "y = Dropout (x, r, t)" },
    { "Concat", "float[2,3] x", "float[1,3] c = {1,2,3}", "y = Concat <axis = 0> (x, c)" },
    { "Cast", "float[2,3] x", "", "y = Cast <to = 8> (x)" },
    { "Resize", IMAGE, "int64[4] s = {1,2,1,3}",
      "y = Resize <mode = \"linear\", coordinate_transformation_mode = \"pytorch_half_pixel\"> "
      "(x, \"\", \"\", s)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    raise_case_refuse (&refused[i], "keras");
  raise_case_refuse_scales ("keras");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/raise-keras/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/run/raise-keras/shares-layers", test_shares);
  g_test_add_func ("/run/raise-keras/tells-of-shared-weights", test_tells_of_shared_weights);
  g_test_add_func ("/run/raise-keras/tells-of-numbers", test_tells_of_numbers);
  g_test_add_func ("/run/raise-keras/writes-as-keras-does", test_writes_as_keras_does);
  g_test_add_func ("/run/raise-keras/names-as-keras-can", test_names);
  g_test_add_func ("/run/raise-keras/refuses-what-keras-has-not", test_refuses);
  return g_test_run ();
}
