/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>

#include "kernel-case.h"

/* Runs of ONNX's operators over operands of 1024 by 1024 that were cancelled before they began. */

static const struct {
  const char *op, *attributes;
  const char *operands; /* a letter of kinds[] for each */
} cases[] = {
  { "Relu", "", "m" },
  { "Tanh", "", "m" },
  { "IsNaN", "", "m" },
  { "Add", "", "mm" },
  { "Mul", "", "mr" },
  { "Pow", "", "mr" },
  { "Less", "", "mr" },
  { "Max", "", "mmr" },
  { "Clip", "", "m" },
  { "SwiGLU", "", "mm" },
  { "Cast", "to=7", "m" },
  { "Cast", "to=8", "m" },
  { "ConstantOfShape", "", "s" },
  { "Range", "", "i1j" },
  { "RandomUniformLike", "", "m" },
  { "Bernoulli", "", "m" },
  { "Dropout-6", "", "m" },
  { "ReduceSum", "", "m" },
  { "ReduceLogSumExp-13", "axes=[0]", "m" },
  { "ArgMax", "axis=1", "m" },
  { "CumSum", "", "mi" },
  { "Softmax", "", "m" },
  { "MatMul", "", "mm" },
  { "Gemm", "transB=1", "mm" },
  { "Einsum", "equation=\"ij,j->i\"", "mr" },
  { "BatchNormalization", "", "mrrrr" },
  { "InstanceNormalization", "", "mrr" },
  { "LayerNormalization", "", "mr" },
  { "LpNormalization", "", "m" },
  { "LRN", "size=3", "m" },
  { "MeanVarianceNormalization", "axes=[0]", "m" },
  { "SoftmaxCrossEntropyLoss", "", "mK" },
  { "LSTM", "", "xWW" },
  { "Attention", "", "hhh" },
  { "LinearAttention", "update_rule=\"linear\"; q_num_heads=4; kv_num_heads=4", "TTT" },
  { "TensorScatter", "", "hh" },
  { "Identity", "", "m" },
  { "Reshape", "", "ms" },
  { "Flatten", "", "m" },
  { "Transpose", "", "m" },
  { "Expand", "", "rs" },
  { "Tile", "", "mo" },
  { "Slice-1", "starts=[0]; ends=[1024]", "m" },
  { "Concat", "axis=0", "mm" },
  { "Split", "num_outputs=1", "m" },
  { "Pad-2", "pads=[1, 1, 1, 1]", "m" },
  { "Gather", "", "rz" },
  { "GatherElements", "", "mz" },
  { "ScatterElements", "", "mzm" },
  { "Where", "", "bmm" },
  { "DepthToSpace", "blocksize=1", "4" },
  { "Trilu", "", "m" },
  { "EyeLike", "", "m" },
  { "BitCast", "to=6", "m" },
  { "TopK", "axis=0", "mv" },
  { "Compress", "", "mt" },
  { "Unique", "", "m" },
  { "CenterCropPad", "", "ms" },
  { "Det", "", "m" },
  { "QuantizeLinear", "", "mf" },
  { "DequantizeLinear", "", "qf" },
  { "DynamicQuantizeLinear", "", "m" },
  { "MatMulInteger", "", "qq" },
  { "QLinearMatMul", "", "qf8qf8f8" },
  { "GridSample", "", "4g" },
  { "AffineGrid", "", "aA" },
  { "MaxUnpool", "kernel_shape=[1, 1]", "4Z" },
  { "DeformConv", "", "4wO" },
  { "RoiAlign", "", "4RB" },
  { "MaxRoiPool", "pooled_shape=[1, 1]", "4P" },
  { "NonMaxSuppression", "", "XS1" },
  { "Col2Im", "", "Ccv" },
  { "DFT", "", "l" },
  { "STFT", "", "mj" },
  { "HannWindow", "", "1" },
};

static const struct {
  char kind;
  SymDType dtype;
  SymShape shape;
  double value; /* of all elements */
} kinds[] = {
  { 'm', SYM_DTYPE_FLOAT32, { 2, { 1024, 1024 } }, 1 },
  { 'r', SYM_DTYPE_FLOAT32, { 1, { 1024 } }, 1 },
  { 'f', SYM_DTYPE_FLOAT32, { 0 }, 1 },
  { 'i', SYM_DTYPE_INT64, { 0 }, 0 },
  { 'j', SYM_DTYPE_INT64, { 0 }, 1 },
  { '1', SYM_DTYPE_INT64, { 0 }, 1 << 20 },
  { 's', SYM_DTYPE_INT64, { 1, { 2 } }, 1024 },
  { 'o', SYM_DTYPE_INT64, { 1, { 2 } }, 1 },
  { 'v', SYM_DTYPE_INT64, { 1, { 1 } }, 1 },
  { 'z', SYM_DTYPE_INT64, { 2, { 1024, 1024 } }, 0 },
  { 'b', SYM_DTYPE_BOOL, { 2, { 1024, 1024 } }, 1 },
  { 't', SYM_DTYPE_BOOL, { 1, { 1 << 20 } }, 1 },
  { 'q', SYM_DTYPE_INT8, { 2, { 1024, 1024 } }, 1 },
  { '8', SYM_DTYPE_INT8, { 0 }, 0 },
  { '4', SYM_DTYPE_FLOAT32, { 4, { 1, 1, 1024, 1024 } }, 1 },
  { 'Z', SYM_DTYPE_INT64, { 4, { 1, 1, 1024, 1024 } }, 0 },
  { 'g', SYM_DTYPE_FLOAT32, { 4, { 1, 512, 512, 2 } }, 0 },
  { 'a', SYM_DTYPE_FLOAT32, { 3, { 64, 2, 3 } }, 1 },
  { 'A', SYM_DTYPE_INT64, { 1, { 4 } }, 64 },
  { 'w', SYM_DTYPE_FLOAT32, { 4, { 1, 1, 1, 1 } }, 1 },
  { 'O', SYM_DTYPE_FLOAT32, { 4, { 1, 2, 1024, 1024 } }, 0 },
  { 'R', SYM_DTYPE_FLOAT32, { 2, { 1 << 17, 4 } }, 1 },
  { 'B', SYM_DTYPE_INT64, { 1, { 1 << 17 } }, 0 },
  { 'P', SYM_DTYPE_FLOAT32, { 2, { 1 << 17, 5 } }, 0 },
  { 'X', SYM_DTYPE_FLOAT32, { 3, { 1, 4096, 4 } }, 1 },
  { 'S', SYM_DTYPE_FLOAT32, { 3, { 1, 1, 4096 } }, 1 },
  { 'C', SYM_DTYPE_FLOAT32, { 3, { 1, 1, 1 << 20 } }, 1 },
  { 'c', SYM_DTYPE_INT64, { 1, { 1 } }, 1 << 20 },
  { 'l', SYM_DTYPE_FLOAT32, { 2, { 1 << 18, 1 } }, 1 },
  { 'K', SYM_DTYPE_INT64, { 1, { 1024 } }, 0 },             /* classes */
  { 'h', SYM_DTYPE_FLOAT32, { 4, { 1, 16, 256, 64 } }, 1 }, /* heads */
  { 'T', SYM_DTYPE_FLOAT32, { 3, { 4, 256, 256 } }, 1 },    /* tokens */
  { 'x', SYM_DTYPE_FLOAT32, { 3, { 64, 16, 64 } }, 1 },     /* steps */
  { 'W', SYM_DTYPE_FLOAT32, { 3, { 1, 256, 64 } }, 1 },     /* weights of four gates */
};

static SymDatum *
new_operand (char kind)
{
  const SymArray *array;
  SymDatum *datum;
  guint k = 0;

  while (kinds[k].kind != kind)
    g_assert_cmpuint (++k, <, G_N_ELEMENTS (kinds));
  datum = sym_datum_new (kinds[k].dtype, &kinds[k].shape, NULL);
  array = sym_datum_get_array (datum);
  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    sym_element_set_double (kinds[k].dtype, array->data, i, kinds[k].value);
  return datum;
}

static void
kernels_stop_when_cancelled (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data), n = (guint) strlen (cases[i].operands);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const SymKernelHost host = { .cancellable = cancellable };
  g_autoptr (SymLayer) layer =
      kernel_case_new_layer (&(KernelCase){ .op = cases[i].op, .attributes = cases[i].attributes });
  g_autoptr (SymKernel) kernel = sym_kernel_new (layer, &host);
  int n_visible, n_outputs = sym_op_get_n_outputs (sym_layer_get_operator (layer),
                                                   sym_layer_get_attributes (layer), &n_visible);
  SymDatum *operands[8] = { NULL }, *results[4] = { NULL };

  for (guint k = 0; k < n; k++)
    operands[k] = new_operand (cases[i].operands[k]);
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (GError) error = NULL;
      gboolean done =
          sym_kernel_run (kernel, operands, n, results, (guint) MAX (n_outputs, 1), NULL, &error);

      if (round == 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_true (done == (round == 0));
      g_cancellable_cancel (cancellable);
    }
  for (guint k = 0; k < n; k++)
    sym_datum_unref (operands[k]);
  for (guint k = 0; k < G_N_ELEMENTS (results); k++)
    g_clear_pointer (&results[k], sym_datum_unref);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-cancel/%02u-%s", i, cases[i].op);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), kernels_stop_when_cancelled);
    }
  return g_test_run ();
}
