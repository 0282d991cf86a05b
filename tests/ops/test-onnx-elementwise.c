/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

static const KernelCase unary[] = {
  { "Abs", "", "float32 3: -1.5 2 nan", "float32 3: 1.5 2 nan" },
  { "Abs", "", "int8 3: -128 -5 7", "int8 3: -128 5 7" },
  { "Abs-1", "", "uint64 1: 18446744073709551615", "uint64 1: 18446744073709551615" },
  { "Neg", "", "int32 2: -2147483648 3", "int32 2: -2147483648 -3" },
  { "Neg", "", "uint8 1: 3", .error = "Neg has no kernel for uint8" },
  { "Sign", "", "float64 4: -3 0 2 nan", "float64 4: -1 0 1 nan" },
  { "Sign", "", "uint16 2: 0 9", "uint16 2: 0 1" },
  { "Not", "", "bool 2: 1 0", "bool 2: 0 1" },
  { "BitwiseNot", "", "int8 2: 0 -1", "int8 2: -1 0" },
  { "Round", "", "float32 6: 0.5 1.5 2.5 -0.5 -1.5 2.4", "float32 6: 0 2 2 0 -2 2" },
  { "Ceil", "", "float32 2: -1.5 1.2", "float32 2: -1 2" },
  { "Floor", "", "float32 2: -1.5 1.2", "float32 2: -2 1" },
  { "Reciprocal", "", "float32 3: 4 0 -inf", "float32 3: 0.25 inf 0" },
  { "Sqrt", "", "float32 3: 9 -1 inf", "float32 3: 3 nan inf" },
  { "Exp", "", "float64 2: 0 1", "float64 2: 1 2.718281828459045", .tolerance = 1e-15 },
  { "Log", "", "float32 3: 1 0 -1", "float32 3: 0 -inf nan" },
  { "Erf", "", "float32 2: 0 1", "float32 2: 0 0.8427007929", .tolerance = 1e-6 },
  { "Erf", "", "int32 3: 0 9 -9", "int32 3: 0 1 -1" },
  { "Tanh", "", "float32 3: 0 1 100", "float32 3: 0 0.761594156 1", .tolerance = 1e-6 },
  { "Acosh", "", "float32 2: 1 0", "float32 2: 0 nan" },
  { "IsNaN", "", "float32 3: nan inf 0", "bool 3: 1 0 0" },
  { "IsInf", "", "float64 4: nan inf -inf 0", "bool 4: 0 1 1 0" },
  { "IsInf", "detect_negative=0", "float32 2: inf -inf", "bool 2: 1 0" },
  { "IsInf", "detect_positive=0", "float32 2: inf -inf", "bool 2: 0 1" },
  { "Identity", "", "string 2: a b", "string 2: a b" },
  { "Cos", "", "float32 0,3:", "float32 0,3:" },
  { "Sin", "", "-", .error = "operand 0 (input) must be a tensor and is missing" },
  { NULL },
};

static const KernelCase activations[] = {
  { "Relu", "", "float32 4: -1 0 2 nan", "float32 4: 0 0 2 nan" },
  { "Relu", "", "int32 2: -4 4", "int32 2: 0 4" },
  { "LeakyRelu", "", "float32 2: -1 1", "float32 2: -0.01 1", .tolerance = 1e-6 },
  { "LeakyRelu-1", "alpha=0.5", "float64 2: -1 1", "float64 2: -0.5 1" },
  { "Elu", "alpha=2.0", "float64 2: -1 1", "float64 2: -1.2642411176571153 1", .tolerance = 1e-15 },
  { "Selu", "", "float32 2: -1 1", "float32 2: -1.1113307 1.0507010", .tolerance = 1e-6 },
  { "Selu-1", "", "float64 2: -1 1", "float64 2: -1.1112876898668622 1.0507", .tolerance = 1e-14 },
  { "Celu", "alpha=2.0", "float64 2: -2 3", "float64 2: -1.2642411176571153 3",
    .tolerance = 1e-15 },
  { "Sigmoid", "", "float32 4: 0 -1000 1000 nan", "float32 4: 0.5 0 1 nan" },
  { "HardSigmoid", "", "float32 3: -5 0 5", "float32 3: 0 0.5 1" },
  { "HardSigmoid", "alpha=0.5; beta=0.25", "float32 2: 1 nan", "float32 2: 0.75 nan" },
  { "HardSwish", "", "float32 3: -4 3 1", "float32 3: 0 3 0.6666667", .tolerance = 1e-6 },
  { "Gelu", "", "float64 3: -1 0 1", "float64 3: -0.15865525393145707 0 0.8413447460685429",
    .tolerance = 1e-14 },
  /* 1 + erf has no digit left there. */
  { "Gelu", "", "float64 1: -10", "float64 1: -7.61985302416052e-23", .tolerance = 1e-12 },
  { "Gelu", "approximate=\"tanh\"", "float64 1: 1", "float64 1: 0.8411919906082768",
    .tolerance = 1e-14 },
  { "Gelu", "approximate=\"fast\"", "float64 1: 1", .error = "approximate is \"fast\"" },
  { "Mish", "", "float64 2: 1 -1", "float64 2: 0.8650983882673103 -0.30340146137410895",
    .tolerance = 1e-14 },
  { "Swish", "alpha=2.0", "float64 1: 1", "float64 1: 0.8807970779778823", .tolerance = 1e-14 },
  { "Softplus", "", "float64 3: 0 1000 -1000", "float64 3: 0.6931471805599453 1000 0",
    .tolerance = 1e-15 },
  { "Softsign", "", "float32 2: 1 -3", "float32 2: 0.5 -0.75" },
  { "ThresholdedRelu", "", "float32 3: 1 1.5 -2", "float32 3: 0 1.5 0" },
  { "Shrink", "bias=1.5; lambd=1.5", "float32 5: -2 -1 0 1 2", "float32 5: -0.5 0 0 0 0.5" },
  { "Shrink", "", "uint8 2: 0 3", "uint8 2: 0 3" },
  { "PRelu", "", "float32 2,2: -1 2 -3 4; float32 2: 10 100", "float32 2,2: -10 2 -30 4" },
  { "PRelu", "", "int32 2: -2 2; int32 1: 3", "int32 2: -6 2" },
  { "PRelu-6", "", "float32 1,2,2: -1 2 -3 -4; float32 2: 10 100",
    "float32 1,2,2: -10 2 -300 -400" },
  { "PRelu", "", "float32 2: 1 2; float32 2,1: 1 2",
    .error = "a slope of shape [2,1] does not broadcast to X's [2]" },
  { "SwiGLU", "", "float64 1: 1; float64 1: 2", "float64 1: 1.4621171572600098",
    .tolerance = 1e-14 },
  { "SwiGLU", "", "float32 2: 1 2; float32 1: 2", .error = "one shape and one dtype" },
  { NULL },
};

static const KernelCase pairs[] = {
  { "Equal", "", "float32 3: 1 nan 2; float32 3: 1 nan 3", "bool 3: 1 0 0" },
  { "Equal", "", "string 2: a b; string : b", "bool 2: 0 1" },
  { "Equal", "", "bool 2: 1 0; bool 2: 1 1", "bool 2: 1 0" },
  { "Equal-1", "axis=0; broadcast=1", "int32 2,2: 1 2 3 4; int32 2: 1 4", "bool 2,2: 1 0 0 1" },
  { "Greater", "", "uint64 1: 18446744073709551615; uint64 1: 1", "bool 1: 1" },
  { "Less", "", "int8 2,1: -1 1; int8 2: 0 1", "bool 2,2: 1 1 0 0" },
  { "Less-1", "", "float32 2: 1 2; float32 : 2", .error = "the attribute broadcast is 0" },
  { "GreaterOrEqual", "", "float32 3: 1 2 nan; float32 : 2", "bool 3: 0 1 0" },
  { "LessOrEqual", "", "float32 3: 1 2 nan; float32 : 2", "bool 3: 1 1 0" },
  { "And", "", "bool 4: 0 0 1 1; bool 4: 0 1 0 1", "bool 4: 0 0 0 1" },
  { "Or", "", "bool 4: 0 0 1 1; bool 4: 0 1 0 1", "bool 4: 0 1 1 1" },
  { "Xor", "", "bool 4: 0 0 1 1; bool 4: 0 1 0 1", "bool 4: 0 1 1 0" },
  { "Xor-1", "broadcast=1", "bool 2,1: 0 1; bool 2: 0 1",
    .error = "B of shape [2] is not repeated to A's [2,1]" },
  { "And", "", "int32 1: 1; int32 1: 1", .error = "And has no kernel for int32" },
  { "BitwiseAnd", "", "int8 2: -1 6; int8 : 3", "int8 2: 3 2" },
  { "BitwiseOr", "", "uint16 1: 5; uint16 1: 2", "uint16 1: 7" },
  { "BitwiseXor", "", "int64 1: 5; int64 1: 6", "int64 1: 3" },
  { "BitShift", "direction=\"LEFT\"", "uint8 3: 16 1 1; uint8 3: 4 7 200", "uint8 3: 0 128 0" },
  { "BitShift", "direction=\"RIGHT\"", "uint64 2: 16 1; uint64 2: 2 64", "uint64 2: 4 0" },
  { "BitShift", "direction=\"UP\"", "uint8 1: 1; uint8 1: 1", .error = "direction is \"UP\"" },
  { "Mod", "", "int32 6: -4 7 5 4 -7 8; int32 6: 2 -3 8 -2 3 5", "int32 6: 0 -2 5 0 2 3" },
  { "Mod", "fmod=1", "int64 3: -4 7 -5; int64 3: 3 -3 8", "int64 3: -1 1 -5" },
  { "Mod", "fmod=1", "float32 2: -4.5 5; float32 2: 2 -3", "float32 2: -0.5 2" },
  { "Mod", "", "int8 2: -128 5; int8 2: -1 0", "int8 2: 0 0" },
  { "Mod", "", "float32 1: 1; float32 1: 1", .error = "needs fmod=1" },
  { "Max", "", "float32 2: 1 nan; float32 1: 2; float32 2: 3 0", "float32 2: 3 nan" },
  { "Min", "", "int64 2,1: 1 5; int64 2: 2 3", "int64 2,2: 1 1 2 3" },
  { "Max", "", "int8 1: 4", "int8 1: 4" },
  { "Max-6", "", "float32 2: 1 2; float32 1: 2",
    .error = "operand 0 has shape [2], operand 1 [1]" },
  { "Sum", "", "float32 2: 1 2; float32 : 3; float32 2: 4 5", "float32 2: 8 10" },
  { "Mean", "", "float32 2: 1 2; float32 2: 3 4", "float32 2: 2 3" },
  { "Mean", "", "int32 2: 1 2; int32 2: 3 4", .error = "Mean has no kernel for int32" },
  { NULL },
};

static const KernelCase selections[] = {
  { "Where", "", "bool 2: 1 0; float32 2,1: 1 2; float32 : 9", "float32 2,2: 1 9 2 9" },
  { "Where", "", "bool 2,1: 1 0; string 2: a b; string : c", "string 2,2: a b c c" },
  { "Where", "", "bool : 0; int8 : 1; int8 : 2", "int8 : 2" },
  { "Where", "", "int8 1: 1; int8 1: 1; int8 1: 2", .error = "the condition is of int8, not bool" },
  { "Where", "", "bool 1: 1; int8 1: 1; int16 1: 2", .error = "X is of int8, Y of int16" },
  { "Clip", "", "float32 3: -2 0 2; float32 : -1; float32 : 1", "float32 3: -1 0 1" },
  { "Clip", "", "int8 3: -2 0 2; -; int8 : 1", "int8 3: -2 0 1" },
  { "Clip", "", "float32 2: nan 5", "float32 2: nan 5" },
  { "Clip", "", "float32 2: 0 5; float32 : 3; float32 : 2", "float32 2: 2 2" },
  { "Clip", "", "int64 1: 9223372036854775807; int64 : 0; int64 : 9223372036854775806",
    "int64 1: 9223372036854775806" },
  { "Clip", "", "float32 1: 1; float32 2: 1 2", .error = "operand 1 (min) must be one float32" },
  { "Clip-6", "min=-1.0; max=1.0", "float32 3: -2 0 2", "float32 3: -1 0 1" },
  { "Clip-1", "max=1.0", "float64 2: -2 2", "float64 2: -2 1" },
  { NULL },
};

static const RuleCase rules[] = {
  { "Abs", "", "2,?:float32", NULL, "2,?:float32", .domain = "" },
  { "Relu", "", "*", "3,4:float32", "3,4:float32 -> 3,4:float32", .domain = "" },
  { "Equal", "", "2,1:int64 3:int64", NULL, "2,3:bool", .domain = "" },
  { "Equal", "", "2:int64 3", NULL, .error = "could not be broadcast", .domain = "" },
  { "IsNaN", "", "2:float32", NULL, "2:bool", .domain = "" },
  { "Max", "", "4,1:float32 5 1,1,1", NULL, "1,4,5:float32", .domain = "" },
  { "Where", "", "2,1 3:float32 1,1,1", NULL, "2,1:bool 3:float32 1,1,1:float32 -> 1,2,3:float32",
    .domain = "" },
  { "Clip", "", "2:int8 * -", NULL, "2:int8 ():int8 * -> 2:int8", .domain = "" },
  { "PRelu", "", "2,3:float32 3", NULL, "2,3:float32 3:float32 -> 2,3:float32", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

/* ---- Doubles at once ---- */

static double
logistic (double x)
{
  return 1 / (1 + exp (-x));
}

static void
check_doubles (const char *op, double (*function) (double))
{
  static const double edges[] = { 0, -0.0, NAN, INFINITY, -INFINITY, 1e-9, 709.5, 750, -760 };
  enum { N = 1003 };
  const KernelCase layer_case = { op };
  g_autoptr (SymLayer) layer = kernel_case_new_layer (&layer_case);
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  SymDatum *x = sym_datum_new (SYM_DTYPE_FLOAT64, &SYM_SHAPE (N), NULL), *y = NULL;
  double *from = sym_datum_get_array (x)->data;
  const double *to;

  for (guint i = 0; i < N; i++)
    from[i] = i < G_N_ELEMENTS (edges) ? edges[i] : (i - 500.0) / (i % 3 == 0 ? 1 : 40);
  g_assert_true (sym_kernel_run (kernel, &x, 1, &y, 1, NULL, NULL));
  to = sym_datum_get_array (y)->data;
  for (guint i = 0; i < N; i++)
    {
      double expected = function (from[i]);

      g_assert_cmpint (isnan (to[i]), ==, isnan (expected));
      g_assert_true (isnan (expected) || signbit (to[i]) == signbit (expected));
      if (isfinite (expected))
        g_assert_cmpfloat_with_epsilon (to[i], expected, fabs (expected) * 1e-15 + 1e-300);
      else if (!isnan (expected))
        g_assert_cmpfloat (to[i], ==, expected);
    }
  sym_datum_unref (x);
  sym_datum_unref (y);
}

static void
doubles_are_those_of_the_c_library (void)
{
  check_doubles ("Exp", exp);
  check_doubles ("Tanh", tanh);
  check_doubles ("Sigmoid", logistic);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("unary", unary);
  kernel_case_add_all ("activations", activations);
  kernel_case_add_all ("pairs", pairs);
  kernel_case_add_all ("selections", selections);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-elementwise/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  g_test_add_func ("/ops/onnx-elementwise/doubles-are-those-of-the-c-library",
                   doubles_are_those_of_the_c_library);
  return g_test_run ();
}
