/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

#define MATRIX "float32 2,3: 1 2 3 4 5 6"

static const KernelCase reductions[] = {
  { "ReduceSum", "", MATRIX, "float32 1,1: 21" },
  { "ReduceSum", "keepdims=0", MATRIX "; int64 1: 1", "float32 2: 6 15" },
  { "ReduceSum", "keepdims=0", MATRIX "; int64 1: -2", "float32 3: 5 7 9" },
  { "ReduceSum", "noop_with_empty_axes=1", MATRIX "; int64 0:", "float32 2,3: 1 2 3 4 5 6" },
  { "ReduceSum", "", "float32 2,0: ; int64 1: 1", "float32 2,1: 0 0" },
  { "ReduceSum", "", "float32 0,2: ; int64 1: 1", "float32 0,1:" },
  { "ReduceSum", "keepdims=0", "float32 : 7", "float32 : 7" },
  { "ReduceSum", "keepdims=0", "int32 2,2,2: 1 2 3 4 5 6 7 8; int64 2: 0 2", "int32 2: 14 22" },
  { "ReduceSum", "keepdims=0", "int32 2: 2147483647 1", "int32 : -2147483648" },
  { "ReduceSum", "", MATRIX "; int64 1: 2", .error = "axis 2 is out of range for rank 2" },
  { "ReduceSum", "", MATRIX "; float32 1: 1", .error = "operand 1 (axes) must be of integers" },
  { "ReduceSum", "", "bool 1: 1", .error = "ReduceSum has no kernel for bool" },
  { "ReduceSum-11", "axes=[0]; keepdims=0", MATRIX, "float32 3: 5 7 9" },
  { "ReduceSum-1", "axes=[5]", MATRIX, .error = "axis 5 is out of range for rank 2" },
  /* In float32 alone each of the small ones would be lost. */
  { "ReduceSum", "keepdims=0", "float32 5: 16777216 1 1 1 1", "float32 : 16777220" },
  { "ReduceMean", "keepdims=0", MATRIX "; int64 1: 0", "float32 3: 2.5 3.5 4.5" },
  { "ReduceMean", "keepdims=0", "int32 2: -3 -4", "int32 : -3" },
  { "ReduceMean-13", "axes=[-1]; keepdims=0", MATRIX, "float32 2: 2 5" },
  { "ReduceMean", "keepdims=0", "float32 0:", "float32 : nan" },
  { "ReduceProd", "keepdims=0", "int64 3: 2 3 -4", "int64 : -24" },
  { "ReduceProd", "keepdims=0", "float32 0:", "float32 : 1" },
  { "ReduceMax", "keepdims=0", "float32 2,2: 1 nan 3 2; int64 1: 1", "float32 2: nan 3" },
  { "ReduceMax", "keepdims=0", "int8 3: -128 -3 -7", "int8 : -3" },
  { "ReduceMax", "keepdims=0", "int32 0:", "int32 : -2147483648" },
  { "ReduceMin", "keepdims=0", "uint8 0:", "uint8 : 255" },
  { "ReduceMin", "keepdims=0", "bool 0:", "bool : 1" },
  { "ReduceMin", "keepdims=0", "bool 2,2: 1 1 1 0; int64 1: 1", "bool 2: 1 0" },
  { "ReduceMin", "keepdims=0", "float64 0:", "float64 : inf" },
  { "ReduceL1", "keepdims=0", "int64 2: -3 4", "int64 : 7" },
  { "ReduceL1", "keepdims=0", "float32 2: -3 4", "float32 : 7" },
  { "ReduceL2", "keepdims=0", "float32 2: 3e30 4e30", "float32 : 5e30", .tolerance = 1e-6 },
  { "ReduceSumSquare", "keepdims=0", "int32 2: -3 4", "int32 : 25" },
  { "ReduceSumSquare", "noop_with_empty_axes=1", "float32 2: -3 4", "float32 2: 9 16" },
  { "ReduceLogSum", "keepdims=0", "float64 2: 1 1.718281828459045", "float64 : 1",
    .tolerance = 1e-15 },
  { "ReduceLogSumExp", "keepdims=0", "float64 2: 1000 1000", "float64 : 1000.6931471805599",
    .tolerance = 1e-15 },
  { "ReduceLogSumExp", "keepdims=0", "float32 2,2: -inf -inf inf 0; int64 1: 1",
    "float32 2: -inf inf" },
  { "ReduceLogSumExp", "keepdims=0", "float32 0:", "float32 : -inf" },
  { NULL },
};

static const KernelCase along[] = {
  { "ArgMax", "axis=1; keepdims=0", "float32 2,3: 1 3 3 5 2 5", "int64 2: 1 0" },
  { "ArgMax", "axis=1; select_last_index=1", "float32 2,3: 1 3 3 5 2 5", "int64 2,1: 2 2" },
  { "ArgMax", "", "int8 3,2: 1 5 4 2 4 5", "int64 1,2: 1 0" },
  { "ArgMax", "", "float32 4: 1 nan 7 nan", "int64 1: 1" },
  { "ArgMin", "axis=-1; keepdims=0", "uint8 2,2: 3 2 1 1", "int64 2: 1 0" },
  { "ArgMin-11", "axis=2", "float32 2,2: 1 2 3 4", .error = "axis 2 is out of range for rank 2" },
  { "ArgMin", "", "float32 0,2:", .error = "axis 0 has no element to find" },
  { "CumSum", "", "float32 2,2: 1 2 3 4; int32 : 0", "float32 2,2: 1 2 4 6" },
  { "CumSum", "exclusive=1; reverse=1", "int32 3: 1 2 3; int64 1: -1", "int32 3: 5 3 0" },
  { "CumSum", "", "float32 1: 1; int32 2: 0 0", .error = "operand 1 (axis) has 2 elements" },
  { "CumSum", "", "float32 1: 1", .error = "operand 1 (axis) must be one integer" },
  { "CumProd", "", "int64 3: 2 3 4; int64 : 0", "int64 3: 2 6 24" },
  { "CumProd", "exclusive=1", "float64 3: 2 3 4; int64 : 0", "float64 3: 1 2 6" },
  { "Softmax", "", "float32 2,2: 0 0 1000 -1000", "float32 2,2: 0.5 0.5 1 0" },
  { "Softmax", "axis=0", "float64 2,2: 1 0 1 0", "float64 2,2: 0.5 0.5 0.5 0.5" },
  { "Softmax-11", "", "float32 1,2,2: 0 0 0 0", "float32 1,2,2: 0.25 0.25 0.25 0.25" },
  { "Softmax-1", "axis=2", "float32 1,2: 3 4", "float32 1,2: 1 1" },
  { "Softmax", "axis=2", "float32 1,2: 3 4", .error = "axis 2 is out of range for rank 2" },
  { "Softmax", "", "int32 1: 3", .error = "Softmax has no kernel for int32" },
  { "LogSoftmax", "", "float64 2: 1000 1000", "float64 2: -0.6931471805599453 -0.6931471805599453",
    .tolerance = 1e-15 },
  { "LogSoftmax", "", "float32 2: 0 -200", "float32 2: 0 -200" },
  { "Hardmax", "", "float32 2,3: 1 3 3 5 2 5", "float32 2,3: 0 1 0 1 0 0" },
  { "Hardmax-11", "", "float32 1,2,2: 1 2 3 4", "float32 1,2,2: 0 0 0 1" },
  { "Softmax", "", "float32 2,0:", "float32 2,0:" },
  { "Softmax", "", "float32 3,2: nan 1 0 0 -inf -inf", "float32 3,2: nan nan 0.5 0.5 nan nan" },
  { "Softmax", "", "float64 11: 900 900 0 0 0 0 0 0 0 0 900",
    "float64 11: 0.3333333333333333 0.3333333333333333 0 0 0 0 0 0 0 0 0.3333333333333333",
    .tolerance = 1e-15 },
  { "Hardmax", "axis=0", "float32 3,2: 1 5 nan 5 nan 2", "float32 3,2: 0 1 1 0 0 0" },
  { NULL },
};

static const RuleCase rules[] = {
  { "ReduceSum", "", "2,3,4:float32 -", NULL, "1,1,1:float32", .domain = "" },
  { "ReduceSum", "keepdims=0", "2,3,4:float32", NULL, "():float32", .domain = "" },
  { "ReduceSum", "", "2,3,4:float32 1:int64", NULL, "?,?,?:float32", .domain = "" },
  { "ReduceSum", "", "2,1,?:float32 1:int64", NULL, "?,1,?:float32", .domain = "" },
  { "ReduceSum", "", "2,3,4:float32 0:int64", NULL, "1,1,1:float32", .domain = "" },
  { "ReduceSum", "noop_with_empty_axes=1", "2,3,4:float32 0:int64", NULL, "2,3,4:float32",
    .domain = "" },
  { "ReduceMax", "keepdims=0", "2,3,4:float32 1:int64", NULL, "?,?:float32", .domain = "" },
  { "ReduceMax", "keepdims=0", "2,3,4:float32 2:int64", NULL, "*:float32", .domain = "" },
  { "ReduceMax", "keepdims=0", "():float32 1:int64", NULL, "*:float32", .domain = "" },
  { "ArgMax", "axis=1", "2,?,4:float32", NULL, "2,1,4:int64", .domain = "" },
  { "CumSum", "", "2,?:float32 ()", NULL, "2,?:float32", .domain = "" },
  { "Softmax", "axis=3", "2,3:float32", NULL, .error = "axis 3 is out of range", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

/* The model of one ReduceSum-13 of a [2,3,4] whose axes are a constant of the file. */
static void
constant_axes_count_from_the_end (void)
{
  static const gint64 axes[] = { -1, 0 };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_MXNET);
  SymType data = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 3, 4));
  SymType list = sym_type_tensor (SYM_DTYPE_INT64, SYM_SHAPE (2));
  g_autoptr (GBytes) bytes = g_bytes_new_static (axes, sizeof axes);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (bytes);
  g_autoptr (SymLayer) layer = sym_layer_new ("ReduceSum", sym_op_find ("", "ReduceSum", 13), NULL);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymInference) inference = NULL;
  SymId operands[2], call;
  SymType result;

  operands[0] = sym_model_builder_add_value (builder, "data", SYM_ROLE_INPUT, &data);
  operands[1] = sym_model_builder_add_value (builder, "axes", SYM_ROLE_CONSTANT, &list);
  sym_model_builder_set_tensor (builder, operands[1],
                                sym_tensor_new (list.dtype, &list.shape, blob, 0, NULL));
  call = sym_model_builder_add_call (builder, "sum", layer, operands, 2, 1);
  sym_model_builder_add_output (builder, sym_model_builder_get_result (builder, call, 0));
  model = sym_model_builder_end (builder);
  inference = sym_infer (model, NULL, 0, NULL, NULL);

  result = sym_inference_get_type (inference, sym_model_get_results (model, 0).ids[0]);
  g_assert_true (sym_shape_equal (&result.shape, &SYM_SHAPE (1, 3, 1)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("reductions", reductions);
  kernel_case_add_all ("along", along);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-reduce/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  g_test_add_func ("/ops/onnx-reduce/constant-axes-count-from-the-end",
                   constant_axes_count_from_the_end);
  return g_test_run ();
}
