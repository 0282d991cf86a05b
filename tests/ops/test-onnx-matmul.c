/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

static const KernelCase products[] = {
  { "MatMul", "", "float32 2,3: 1 2 3 4 5 6; float32 3,2: 1 0 0 1 1 1", "float32 2,2: 4 5 10 11" },
  { "MatMul", "", "int32 3: 1 2 3; int32 3: 4 5 6", "int32 : 32" },
  { "MatMul", "", "float64 2: 1 2; float64 2,2,1: 1 2 3 4", "float64 2,1: 5 11" },
  { "MatMul", "", "uint32 2,1,1: 2 3; uint32 3,1,1,2: 1 2 3 4 5 6",
    "uint32 3,2,1,2: 2 4 3 6 6 8 9 12 10 12 15 18" },
  { "MatMul", "", "int64 1,1: 9223372036854775807; int64 1,1: 2", "int64 1,1: -2" },
  { "MatMul", "", "float32 2,0:; float32 0,3:", "float32 2,3: 0 0 0 0 0 0" },
  { "MatMul", "", "float32 0,2:; float32 2,3: 1 2 3 4 5 6", "float32 0,3:" },
  { "MatMul", "", "float32 2,2: 1 2 3 4; float32 3,2: 1 2 3 4 5 6",
    .error = "shapes [2,2] and [3,2] do not multiply" },
  { "MatMul", "", "float32 : 1; float32 1,1: 1", .error = "shapes [] and [1,1] do not multiply" },
  { "MatMul", "", "float32 2,1,1: 1 2; float32 3,1,1: 1 2 3",
    .error = "shapes [2] and [3] do not broadcast" },
  { "MatMul", "", "float32 1,1: 1; float64 1,1: 1", .error = "A is of float32, B of float64" },
  { "MatMul", "", "bool 1,1: 1; bool 1,1: 1", .error = "MatMul has no kernel for bool" },
  { "MatMulInteger", "", "uint8 1,2: 200 3; int8 2,1: -1 2", "int32 1,1: -194" },
  { "MatMulInteger", "", "uint8 2,2: 11 7 3 10; uint8 2,1: 1 4; uint8 : 12; uint8 1: 0",
    "int32 2,1: -21 -17" },
  { "MatMulInteger", "", "uint8 2,1: 5 6; uint8 1,2: 1 2; uint8 2: 1 2; uint8 2: 0 1",
    "int32 2,2: 4 4 4 4" },
  { "MatMulInteger", "", "uint8 1,1: 5; uint8 1,1: 1; uint8 2: 1 2",
    .error = "a zero point of shape [2] does not fit an operand of [1,1]" },
  { "MatMulInteger", "", "uint8 1,1: 5; uint8 1,1: 1; int8 : 1",
    .error = "a zero point is of int8" },
  { "Gemm", "", "float32 1,2: 1 2; float32 2,2: 1 2 3 4", "float32 1,2: 7 10" },
  { "Gemm", "alpha=0.5; beta=2.0; transA=1; transB=1",
    "float32 2,1: 1 2; float32 2,2: 1 2 3 4; float32 1: 10", "float32 1,2: 22.5 25.5" },
  { "Gemm", "", "int32 1,1: 2; int32 1,1: 3; int32 1,1: 4", "int32 1,1: 10" },
  { "Gemm", "alpha=0.5", "int64 1,1: -3; int64 1,1: 3", "int64 1,1: -4" },
  { "Gemm", "", "float64 2,1: 1 2; float64 1,2: 3 4; float64 2,1: 10 20",
    "float64 2,2: 13 14 26 28" },
  { "Gemm-6", "broadcast=1", "float32 1,1: 2; float32 1,1: 3; float32 1: 4", "float32 1,1: 10" },
  { "Gemm-6", "", "float32 1,1: 2; float32 1,1: 3; float32 1: 4",
    .error = "C of shape [1] does not fit the product, [1,1]" },
  { "Gemm", "", "float32 1,1: 2; float32 1,1: 3; float32 2,1: 4 5",
    .error = "C of shape [2,1] does not fit" },
  { "Gemm", "", "float32 1: 2; float32 1,1: 3", .error = "operand 0 must have 2 axes and has 1" },
  { "Gemm", "transB=1", "float32 1,2: 2 2; float32 2,1: 3 3",
    .error = "A has 2 columns, B 1 rows" },
  { NULL },
};

static const RuleCase rules[] = {
  { "MatMul", "", "7,2,3:float32 1,?,4", NULL, "7,2,3:float32 1,3,4:float32 -> 7,2,4:float32",
    .domain = "" },
  { "MatMul", "", "3:float32 3", NULL, "():float32", .domain = "" },
  { "MatMul", "", "3:float32 5,3,4", NULL, "5,4:float32", .domain = "" },
  { "MatMul", "", "2,3 4,5", NULL, "2,5", .error = "columns of A and rows of B", .domain = "" },
  { "MatMulInteger", "", "2,3:int8 3,4:uint8", NULL, "2,4:int32", .domain = "" },
  { "Einsum", "equation=->", "()", NULL, "()", .domain = "" },
  { "Einsum", "equation=,i->i", "() 3", NULL, "3", .domain = "" },
  { "Gemm", "transB=1", "?,3:float32 8,? 8", "2,?",
    "2,3:float32 8,3:float32 8:float32 -> 2,8:float32", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

static double
number (guint i)
{
  return (double) (i * 7919 % 101) / 50 - 1;
}

/* More rows and columns than are multiplied at once, and some left over. */
static void
large_products_are_those_of_the_definition (void)
{
  enum { M = 131, K = 37, N = 45 };
  g_autoptr (SymLayer) layer = kernel_case_new_layer (&(KernelCase){ .op = "MatMul" });
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  SymDatum *operands[2], *result = NULL;
  double *a, *b, *y;

  operands[0] = sym_datum_new (SYM_DTYPE_FLOAT64, &SYM_SHAPE (M, K), NULL);
  operands[1] = sym_datum_new (SYM_DTYPE_FLOAT64, &SYM_SHAPE (K, N), NULL);
  a = sym_datum_get_array (operands[0])->data;
  b = sym_datum_get_array (operands[1])->data;
  for (guint i = 0; i < M * K; i++)
    a[i] = number (i);
  for (guint i = 0; i < K * N; i++)
    b[i] = number (3 * i + 1);
  g_assert_true (sym_kernel_run (kernel, operands, 2, &result, 1, NULL, NULL));
  y = sym_datum_get_array (result)->data;
  for (guint i = 0; i < M; i++)
    for (guint j = 0; j < N; j++)
      {
        double sum = 0;

        for (guint k = 0; k < K; k++)
          sum += a[i * K + k] * b[k * N + j];
        g_assert_cmpfloat_with_epsilon (y[i * N + j], sum, 1e-12);
      }
  for (int i = 0; i < 2; i++)
    sym_datum_unref (operands[i]);
  sym_datum_unref (result);
}

/* Each matrix as it is or transposed: few rows and many, columns that fill a block and that do not.
 */
static void
check_gemm (gint64 m, gint64 n, gint64 k, gboolean ta, gboolean tb)
{
  g_autofree char *attributes = g_strdup_printf ("transA=%d; transB=%d", ta, tb);
  const KernelCase layer_case = { "Gemm", attributes };
  g_autoptr (SymLayer) layer = kernel_case_new_layer (&layer_case);
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, NULL);
  SymShape left = ta ? SYM_SHAPE (k, m) : SYM_SHAPE (m, k);
  SymShape right = tb ? SYM_SHAPE (n, k) : SYM_SHAPE (k, n);
  SymDatum *operands[2] = { sym_datum_new (SYM_DTYPE_FLOAT64, &left, NULL),
                            sym_datum_new (SYM_DTYPE_FLOAT64, &right, NULL) };
  double *a = sym_datum_get_array (operands[0])->data, *b = sym_datum_get_array (operands[1])->data;
  SymDatum *result = NULL;
  const double *y;

  for (gint64 i = 0; i < m * k; i++)
    a[i] = number ((guint) i);
  for (gint64 i = 0; i < k * n; i++)
    b[i] = number ((guint) (3 * i + 1));
  g_assert_true (sym_kernel_run (kernel, operands, 2, &result, 1, NULL, NULL));
  y = sym_datum_get_array (result)->data;
  for (gint64 i = 0; i < m; i++)
    for (gint64 j = 0; j < n; j++)
      {
        double sum = 0;

        for (gint64 at = 0; at < k; at++)
          sum += a[ta ? at * m + i : i * k + at] * b[tb ? j * k + at : at * n + j];
        g_assert_cmpfloat_with_epsilon (y[i * n + j], sum, 1e-12);
      }
  for (int i = 0; i < 2; i++)
    sym_datum_unref (operands[i]);
  sym_datum_unref (result);
}

static void
transposed_products_are_those_of_the_definition (void)
{
  static const gint64 sizes[] = { 1, 3, 4, 7, 16, 33 };

  for (guint m = 0; m < G_N_ELEMENTS (sizes); m++)
    for (guint n = 0; n < G_N_ELEMENTS (sizes); n++)
      for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
        for (int way = 0; way < 4; way++)
          check_gemm (sizes[m], sizes[n], sizes[k], way & 1, way >> 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("products", products);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-matmul/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  g_test_add_func ("/ops/onnx-matmul/large-products-are-those-of-the-definition",
                   large_products_are_those_of_the_definition);
  g_test_add_func ("/ops/onnx-matmul/transposed-products-are-those-of-the-definition",
                   transposed_products_are_those_of_the_definition);
  return g_test_run ();
}
