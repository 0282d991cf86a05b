/* SPDX-License-Identifier: MIT */
#include "raise-mxnet.h"

/* Layers that become several of MXNet's: read back, they make the same numbers. */

#define DATA "float[2,3,4] x"
#define OPEN "float[n,3,4] x"

/* From -2.5 to 2.5, with some in the middle between two integers. */
#define SIGNED "float five = {5}, float bias = {2.5}"
#define SIGNS "q = Mul (x, five) s = Sub (q, bias) "
#define HALVES "e = Mul (s, two) f = Floor (e) h = Div (f, two) "

static const RaiseCase cases[] = {
  { "rounds-halves-to-even", DATA, SIGNED ", float two = {2}",
    SIGNS HALVES "a = Round (s) b = Round (h) y = Add (a, b)" },
  { "divides-with-the-sign-of-the-divisor", DATA, SIGNED ", int64[4] d = {3,-3,2,-2}",
    SIGNS "i = Cast <to = 7> (s) y = Mod (i, d)" },
  { "divides-with-the-sign-of-the-data", DATA, SIGNED ", float[4] d = {0.75,-0.75,1.5,-2}",
    SIGNS "y = Mod <fmod = 1> (s, d)" },
  { "activates-smoothly", DATA, SIGNED,
    SIGNS "a = HardSwish (s) b = Mish (s) c = Swish <alpha = 0.5> (s) d = Swish (s) "
          "e = Sub (a, b) f = Mul (c, d) y = Add (e, f)",
    24 },
  { "activates-by-errors", DATA, SIGNED,
    SIGNS "a = Gelu (s) b = Gelu <approximate = \"tanh\"> (s) c = Mul (b, five) y = Sub (a, c)",
    20 },
  { "activates-by-thresholds", DATA, SIGNED,
    SIGNS "a = Celu <alpha = 2.0> (s) b = ThresholdedRelu <alpha = 0.7> (s) "
          "c = Shrink <lambd = 1.2, bias = 0.3> (s) d = Sub (a, b) y = Mul (d, c)" },
  { "finds-what-is-infinite", DATA, SIGNED ", float zero = {0}",
    SIGNS "a = Relu (s) b = Div (bias, a) c = Neg (b) d = IsInf <detect_positive = 0> (b) "
          "e = IsInf <detect_positive = 0> (c) f = IsInf (b) g = Xor (d, e) h = Xor (f, g) "
          "i = Or (h, e) y = Cast <to = 1> (i)" },
  { "adds-many", DATA, "float[4] a = {1,2,3,4}, float[3,1] b = {5,-6,7}", "y = Sum (a, x, b)" },
  { "takes-the-mean-of-many", DATA, "float[4] a = {1,2,3,4}, float[3,1] b = {5,-6,7}",
    "m = Mean (a, x, b) n = Mean (m) y = Add (n, x)" },
  { "takes-the-greatest-of-many", DATA,
    "float[4] a = {0.1,0.2,0.6,0.9}, float[3,1] b = {0.5,0.3,0}",
    "c = Max (x, a, b) d = Min (x, a, b) e = Max (c) y = Sub (e, d)" },

  { "reduces-by-norms", DATA, SIGNED ", int64[1] i = {1}",
    SIGNS "a = ReduceL1 <axes = [1]> (s) b = ReduceSumSquare <axes = [1]> (s) "
          "c = ReduceLogSum <axes = [1]> (x) d = Sub (a, b) y = Mul (c, d)" },
  { "reduces-by-logarithms", DATA, "float many = {200}",
    "a = Mul (x, many) b = ReduceLogSumExp <axes = [0, 1], keepdims = 0> (a) "
    "c = ReduceLogSumExp <axes = [1]> (a) d = Mul (c, many) y = Div (d, b)" },
  { "adds-up", DATA, "int64 i = {1}", "y = CumSum (x, i)" },
  { "adds-up-from-behind", DATA, "int64 i = {-1}", "y = CumSum <reverse = 1> (x, i)" },
  { "adds-up-what-is-before", DATA, "int64 i = {2}", "y = CumSum <exclusive = 1> (x, i)" },
  { "adds-up-what-is-behind", DATA, "int64 i = {0}",
    "y = CumSum <exclusive = 1, reverse = 1> (x, i)" },
  { "adds-up-one", "float[3,1] x", "int64 i = {1}",
    "a = CumSum <exclusive = 1> (x, i) y = Sub (x, a)" },

  { "multiplies-by-a-vector", DATA, "float[4] v = {1,-2,3,0.5}, float[3] w = {1,2,-1}",
    "a = MatMul (x, v) b = Transpose <perm = [1,0]> (a) y = MatMul (w, b)" },
  { "multiplies-each-of-a-batch", DATA, "float[2,3] w = {1,2,3,-1,0.5,2}", "y = MatMul (w, x)" },
  { "multiplies-batches-that-are-repeated", "float[2,1,3,4] x",
    "float[3,4,1] w = {1,2,3,-1,0.5,2,1,4,-2,0.1,0.2,0.3}", "y = MatMul (x, w)" },
  { "multiplies-batches-of-any-size", "float[n,2,3,4] x", "",
    "t = Transpose <perm = [0,1,3,2]> (x) y = MatMul (x, t)" },
  { "multiplies-batches-of-unknown-sizes", OPEN, "float[1,4,2] w = {1,2,3,-1,0.5,2,1,4}",
    "y = MatMul (x, w)" },
  { "joins-scaled-and-turned", "float[3,2] x",
    "float[4,3] w = {1,2,3,-1,0.5,2,1,4,-2,0.1,0.2,0.3}, float[2,1] b = {1,-1}",
    "y = Gemm <alpha = 0.5, beta = 2.0, transA = 1, transB = 1> (x, w, b)" },
  { "joins-without-a-summand", "float[2,3] x", "float[3,4] w = {1,2,3,-1,0.5,2,1,4,-2,0.1,0.2,0.3}",
    "y = Gemm <alpha = -1.5> (x, w)" },

  { "flattens-at-another-axis", DATA, "",
    "a = Flatten <axis = 2> (x) b = Flatten <axis = 0> (a) y = Flatten <axis = -1> (b)" },
  { "flattens-data-of-any-size", OPEN, "", "y = Flatten <axis = 2> (x)" },
  { "cuts-by-steps", "float[5,6,7] x",
    "int64[3] s = {-1,1,-100}, int64[3] e = {-100,100,6}, int64[3] i = {0,-1,1}, "
    "int64[3] t = {-2,3,2}",
    "y = Slice (x, s, e, i, t)" },
  { "turns-around", OPEN,
    "int64[2] s = {-1,2}, int64[2] e = {-9223372036854775807,-100}, int64[2] i = {0,1}, "
    "int64[2] t = {-1,-1}",
    "y = Slice (x, s, e, i, t)" },
  { "repeats", DATA, "int64[3] r = {2,1,3}", "y = Tile (x, r)" },
  { "moves-channels-into-space", "float[2,12,2,3] x", "",
    "y = DepthToSpace <blocksize = 2, mode = \"CRD\"> (x)" },

  { "fills", DATA, "int64[2] r = {3,4}", "a = ConstantOfShape (r) y = Add (x, a)" },
  { "fills-with-a-number", "int64[2,3] x", "int64[1] r = {3}",
    "a = ConstantOfShape <value = int64[1] {-7}> (r) y = Add (x, a)" },
  { "fills-with-truth", DATA, "int64[2] r = {3,4}, float[3,1] w = {0.2,0.5,0.8}",
    "a = ConstantOfShape <value = bool[1] {1}> (r) b = Less (x, w) c = Xor (a, b) "
    "y = Cast <to = 1> (c)" },
  { "counts", DATA, "float s = {0.5}, float e = {-0.4}, float d = {-0.25}",
    "a = Range (s, e, d) y = Add (x, a)" },
  { "counts-integers", "int64[2,3] x", "int64 s = {3}, int64 e = {12}, int64 d = {3}",
    "a = Range (s, e, d) y = Add (x, a)" },
  { "has-a-diagonal", "float[3,4] x", "", "a = EyeLike <k = 1> (x) y = Add (x, a)" },
  { "tells-sizes", OPEN, "int64[3] m = {2,3,4}",
    "a = Shape (x) b = Shape <start = -2> (x) c = Concat <axis = 0> (a, b) y = Neg (c)" },
  { "keeps-what-is-below", DATA, "", "y = Trilu <upper = 0> (x)" },
  { "keeps-what-is-above-a-diagonal", "float[n,4,3] x", "int64 k = {-1}", "y = Trilu (x, k)" },
  { "leaks-by-channel-as-of-old", "float[2,3,4] x", "float[3] s = {0.5,-1,2}",
    "a = Neg (x) b = PRelu (a, s) y = Add (b, x)", 6 },
};

static void
test_case (gconstpointer data)
{
  g_autoptr (SymModel) model = raise_case_read (data);

  raise_mxnet_compare (model);
}

static void
test_refuses (void)
{
  static const RaiseCase refused[] = {
    { "CumSum", OPEN, "int64 i = {0}", "y = CumSum <exclusive = 1> (x, i)" },
    { "Slice", OPEN, "int64[1] s = {1}, int64[1] e = {100}, int64[1] i = {0}, int64[1] t = {2}",
      "y = Slice (x, s, e, i, t)" },
    { "ConstantOfShape", OPEN, "", "a = Shape (x) y = ConstantOfShape (a)" },
    { "Range", DATA, "float s = {0}, float e = {0.9}, float d = {0.3}",
      "a = Range (s, e, d) y = Add (x, a)" },
    { "Tile", DATA, "int64[3] r = {2,0,3}", "y = Tile (x, r)" },
    { "Flatten", "float[n,m,k] x", "", "y = Flatten <axis = 2> (x)" },
    { "DepthToSpace", "float[1,c,2,3] x", "",
      "y = DepthToSpace <blocksize = 2, mode = \"CRD\"> (x)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    raise_case_refuse (&refused[i], "mxnet");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/run/raise-mxnet-compose/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/run/raise-mxnet-compose/refuses-what-mxnet-has-not", test_refuses);
  return g_test_run ();
}
