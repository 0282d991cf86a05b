/* SPDX-License-Identifier: MIT */
#include "text-net.h"

/* Models of halves and of quantised numbers: compiled as float32, beside the reference kernels. */

#define HEAD "<ir_version: 10, opset_import: [\"\" : 21]>\n"

typedef struct {
  const char *name, *text;
  double most; /* the largest difference, of the largest number */
} WidenCase;

/* Halves have 11 bits; a quantised number may be rounded to the next one. */
static const WidenCase cases[] = {
  { "halves",
    HEAD "m (float16[2, 3] x) => (float16[2, 2] y, float16[2, 3] z)"
         "  <float16[3, 2] w = {1, 2, 3, 4, 5, 6}, float16[2] b = {1, 2}> {"
         "  z = Exp (x) p = MatMul (z, w) q = Add (p, b) y = Softmax <axis = 1> (q) }",
    2e-3 },
  { "halves-of-another-kind",
    HEAD "m (bfloat16[2, 3] x) => (bfloat16[2, 3] y) { z = Tanh (x) y = Mul (z, z) }", 2e-2 },
  { "halves-among-floats",
    HEAD "m (float[2, 3] x, float16[3] h) => (float[2, 3] y, float16[2, 3] z) {"
         "  a = Cast <to = 10> (x) z = Mul (a, h) c = Cast <to = 1> (z) y = Add (c, x) }",
    2e-3 },
  { "halves-that-are-parted",
    HEAD "m (float16[2, 6] x) => (float16[2, 2] y, float16[2, 2] b) {"
         "  t = Sigmoid (x) a, b, c = Split <axis = 1, num_outputs = 3> (t)"
         "  d = Mul (a, c) y = Add (d, a) }",
    2e-3 },
  { "halves-that-are-compared",
    HEAD "m (float16[2, 6] x) => (float16[2, 2] v, int64[2, 2] i, bool[2, 2] l)"
         "  <int64[1] k = {2}, float16 zero = {0}> {"
         "  s = Neg (x) t, i = TopK (s, k) v = Abs (t) l = Less (t, zero) }",
    2e-3 },
  { "halves-of-a-shape",
    HEAD "m (float16[2, 6] x) => (float16[12] y) <int64[1] all = {-1}> {"
         "  s = Shape (x) n = ReduceProd <keepdims = 1> (s) c = Constant <value_ints = [12]> ()"
         "  r = Reshape (x, c) y = Mul (r, r) }",
    2e-3 },
  { "bytes-by-a-scale-that-is-found",
    HEAD "m (float[4, 3] x) => (float[4, 2] y)"
         "  <int8[3, 2] w = {10, -20, 30, 40, -50, 60}, float s = {0.02}, int8 z = {3}> {"
         "  q, qs, qz = DynamicQuantizeLinear (x) i = MatMulInteger (q, w, qz, z)"
         "  f = Cast <to = 1> (i) t = Mul (qs, s) y = Mul (f, t) }",
    1e-5 },
  { "bytes-that-are-asked-for",
    HEAD "m (float[4, 3] x) => (uint8[4, 3] q, float s, uint8 z, float[12] y) {"
         "  q, s, z = DynamicQuantizeLinear (x) c = Constant <value_ints = [12]> ()"
         "  r = Reshape (q, c) y = DequantizeLinear (r, s, z) }",
    1e-5 },
  { "zeros-have-no-scale",
    HEAD "m (float[4, 3] x) => (float[4, 2] y) <int8[3, 2] w = {1, 2, 3, 4, 5, 6}> {"
         "  n = Sub (x, x) q, qs, qz = DynamicQuantizeLinear (n) i = MatMulInteger (q, w, qz)"
         "  f = Cast <to = 1> (i) y = Mul (f, qs) }",
    0 },
  { "sums-of-products-as-integers",
    HEAD "m (float[4, 3] x) => (int32[4, 2] y) <uint8[3, 2] w = {1, 2, 3, 4, 250, 6},"
         "  uint8[2] z = {3, 4}, uint8 none = {0}> {"
         "  q, qs, qz = DynamicQuantizeLinear (x) y = MatMulInteger (q, w, qz, z) }",
    0 },
  { "numbers-there-and-back",
    HEAD "m (float[4, 3] x) => (float[4, 2] y) <float s = {0.03}, int8 z = {5},"
         "  int8[3, 2] w = {10, -20, 30, 40, -50, 60}, float[2] ws = {0.01, 0.02},"
         "  int8[2] wz = {0, 1}, float t = {0.1}> {"
         "  q = QuantizeLinear (x, s, z) d = DequantizeLinear (q, s, z)"
         "  v = DequantizeLinear <axis = 1> (w, ws, wz) p = MatMul (d, v)"
         "  r = QuantizeLinear (p, t) y = DequantizeLinear (r, t) }",
    1e-5 },
  { "scales-of-the-first-axis",
    HEAD "m (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y) <float[2] s = {0.01, 0.02},"
         "  int8[2, 2, 1, 1] w = {10, -20, 30, 40}, int8[2] z = {0, 1}> {"
         "  v = DequantizeLinear <axis = 0> (w, s, z) y = Conv (x, v) }",
    1e-5 },
  { "quantised-products",
    HEAD "m (float[4, 3] x) => (uint8[4, 2] y) <float s = {0.03}, uint8 z = {100},"
         "  int8[3, 2] w = {10, -20, 30, 40, -50, 60}, float ws = {0.01}, int8 wz = {0},"
         "  float t = {0.05}, uint8 tz = {120}> {"
         "  q = QuantizeLinear (x, s, z) y = QLinearMatMul (q, s, z, w, ws, wz, t, tz) }",
    1e-2 },
  { "quantised-products-of-signed-rows",
    HEAD "m (float[2, 3, 3] x) => (int8[2, 3, 2] y) <float s = {0.03}, int8 z = {-7},"
         "  uint8[3, 2] w = {10, 20, 130, 140, 250, 160}, float ws = {0.02}, uint8 wz = {99},"
         "  float t = {0.05}, int8 tz = {12}> {"
         "  q = QuantizeLinear (x, s, z) y = QLinearMatMul (q, s, z, w, ws, wz, t, tz) }",
    1e-2 },
  { "bytes-less-a-zero-point-of-each-column",
    HEAD "m (float[2, 2, 3] x) => (float[2, 2, 2] y)"
         "  <uint8[3, 2] w = {10, 200, 30, 40, 250, 60}, float[2] s = {0.02, 0.03},"
         "  uint8[2] z = {100, 128}> {"
         "  q, qs, qz = DynamicQuantizeLinear (x) i = MatMulInteger (q, w, qz, z)"
         "  f = Cast <to = 1> (i) t = Mul (s, qs) y = Mul (t, f) }",
    1e-5 },
  { "bytes-that-several-products-share",
    HEAD "m (float[4, 3] x) => (float[4, 2] y, float[4, 2] v)"
         "  <int8[3, 2] w = {10, -20, 30, 40, -50, 60}, int8[3, 2] u = {1, 2, 3, 4, 5, -6},"
         "  float s = {0.02}, int8 z = {3}, float[2] b = {1, -1}> {"
         "  q, qs, qz = DynamicQuantizeLinear (x) i = MatMulInteger (q, w, qz)"
         "  f = Cast <to = 1> (i) t = Mul (qs, s) p = Mul (f, t) a = Add (p, b) y = Relu (a)"
         "  j = MatMulInteger (q, u, qz, z) g = Cast <to = 1> (j) v = Mul (g, qs) }",
    1e-5 },
  { "layers-there-and-back",
    HEAD "m (float[4, 3] x) => (float[4, 2] y) <float s = {0.03}, uint8 z = {120},"
         "  uint8[2, 3] w = {10, 20, 30, 40, 250, 60}, float[2] ws = {0.01, 0.02},"
         "  uint8[2] wz = {128, 100}, float[2] b = {0.5, -0.25}> {"
         "  q = QuantizeLinear (x, s, z) d = DequantizeLinear (q, s, z)"
         "  v = DequantizeLinear <axis = 0> (w, ws, wz) y = Gemm <transB = 1> (d, v, b) }",
    1e-5 },
  { "quantised-convolutions",
    HEAD "m (float[1, 2, 5, 5] x) => (uint8[1, 2, 5, 5] y) <float s = {0.03}, uint8 z = {100},"
         "  int8[2, 2, 1, 1] w = {10, -20, 30, 40}, float[2] ws = {0.01, 0.02}, int8 wz = {0},"
         "  float t = {0.05}, uint8 tz = {120}, int32[2] b = {100, -200}> {"
         "  q = QuantizeLinear (x, s, z)"
         "  y = QLinearConv (q, s, z, w, ws, wz, t, tz, b) }",
    1e-2 },
  { "filters-less-a-zero-point-each",
    HEAD "m (float[1, 2, 5] x) => (int8[1, 2, 5] y) <float s = {0.03}, int8 z = {-10},"
         "  int8[2, 2, 1] w = {10, -20, 30, 40}, float[2] ws = {0.01, 0.02}, int8[2] wz = {3, -4},"
         "  float t = {0.02}, int8 tz = {12}> {"
         "  q = QuantizeLinear (x, s, z) y = QLinearConv (q, s, z, w, ws, wz, t, tz) }",
    1e-2 },
  { "columns-of-their-own-scale",
    HEAD "m (float[4, 3] x) => (int8[4, 2] y) <float s = {0.03}, int8 z = {-10},"
         "  int8[3, 2] w = {10, -20, 30, 40, -50, 60}, float[2] ws = {0.01, 0.02},"
         "  int8[2] wz = {3, -4}, float t = {0.05}, int8 tz = {12}> {"
         "  q = QuantizeLinear (x, s, z) y = QLinearMatMul (q, s, z, w, ws, wz, t, tz) }",
    1e-2 },
  { "convolutions-of-bytes",
    HEAD "m (float[1, 2, 5, 5] x) => (float[1, 1, 5, 5] y)"
         "  <uint8[1, 2, 3, 3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1}> {"
         "  q, qs, qz = DynamicQuantizeLinear (x)"
         "  i = ConvInteger <pads = [1, 1, 1, 1]> (q, w, qz) y = Cast <to = 1> (i) }",
    0 },
};

static guint
count_compiled (const SymRun *run)
{
  const SymPlan *plan = sym_run_get_plan (run);
  guint n = 0;

  for (guint i = 0; i < sym_plan_get_n_steps (plan); i++)
    if (sym_plan_is_compiled (plan, i))
      n++;
  return n;
}

static void
is_computed_in_float32 (gconstpointer data)
{
  const WidenCase *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = text_net_read (self->name, self->text);
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymRun) plain = NULL, run = NULL;
  SymPlanOptions options = { .n_threads = 1 };
  SymIds outputs;

  g_assert_no_error (error);
  inference = options.inference = sym_infer (model, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  plain = text_net_run (model, NULL);
  run = text_net_run (model, &options);
  outputs = sym_model_get_outputs (model);
  for (guint i = 0; i < outputs.n; i++)
    text_net_compare (sym_datum_get_array (sym_run_get (run, outputs.ids[i])),
                      sym_datum_get_array (sym_run_get (plain, outputs.ids[i])), self->most);
  g_assert_cmpuint (count_compiled (run), >, 0);
}

/* Whoever watches is shown what the model has. */
static void
shows_values_as_they_are (void)
{
  const WidenCase *self = &cases[0];
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = text_net_read (self->name, self->text);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, &error);
  SymPlanOptions options = { .inference = inference, .everything = TRUE };
  g_autoptr (SymRun) run = text_net_run (model, &options);
  const SymArray *seen =
      sym_datum_get_array (sym_run_get (run, sym_model_get_outputs (model).ids[1]));

  g_assert_cmpint (seen->dtype, ==, SYM_DTYPE_FLOAT16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/widen/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], is_computed_in_float32);
    }
  g_test_add_func ("/run/widen/shows-values-as-they-are", shows_values_as_they_are);
  return g_test_run ();
}
