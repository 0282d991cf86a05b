/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>

#include "kernel-case.h"

/* Runs of ONNX's operators over operands of 1024 by 1024 that were cancelled before they began. */

static const struct {
  const char *op, *attributes;
  const char *operands; /* m a matrix, r a row, i the integer 0, s the shape [1024, 1024], 1 2^20;
                         * others see shapes[] */
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
  { "SoftmaxCrossEntropyLoss", "", "mc" },
  { "LSTM", "", "xww" },
  { "Attention", "", "qqq" },
  { "LinearAttention", "update_rule=\"linear\"; q_num_heads=4; kv_num_heads=4", "ttt" },
  { "TensorScatter", "", "qq" },
};

static const struct {
  char kind;
  SymDType dtype;
  SymShape shape;
} shapes[] = {
  { 'm', SYM_DTYPE_FLOAT32, { 2, { 1024, 1024 } } },
  { 'r', SYM_DTYPE_FLOAT32, { 1, { 1024 } } },
  { 's', SYM_DTYPE_INT64, { 1, { 2 } } },
  { 'c', SYM_DTYPE_INT64, { 1, { 1024 } } },             /* classes */
  { 'q', SYM_DTYPE_FLOAT32, { 4, { 1, 16, 256, 64 } } }, /* heads */
  { 't', SYM_DTYPE_FLOAT32, { 3, { 4, 256, 256 } } },    /* tokens */
  { 'x', SYM_DTYPE_FLOAT32, { 3, { 64, 16, 64 } } },     /* steps */
  { 'w', SYM_DTYPE_FLOAT32, { 3, { 1, 256, 64 } } },     /* weights of four gates */
  { '\0', SYM_DTYPE_INT64, { 0, { 0 } } },
};

static SymDatum *
fill_operand (char kind, SymDType dtype, SymShape shape)
{
  SymDatum *datum = sym_datum_new (dtype, &shape, NULL);
  const SymArray *array = sym_datum_get_array (datum);

  for (gsize i = 0; i < sym_array_get_n_elements (array); i++)
    sym_element_set_double (dtype, array->data, i,
                            kind == 's'                  ? 1024
                            : kind == '1'                ? 1 << 20
                            : kind == 'i' || kind == 'c' ? 0
                                                         : 1);
  return datum;
}

static SymDatum *
new_operand (char kind)
{
  guint which = 0;

  while (shapes[which].kind != kind && shapes[which].kind != '\0')
    which++;
  return fill_operand (kind, shapes[which].dtype, shapes[which].shape);
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
  SymDatum *operands[5] = { NULL }, *result = NULL;

  for (guint k = 0; k < n; k++)
    operands[k] = new_operand (cases[i].operands[k]);
  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (GError) error = NULL;
      gboolean done = sym_kernel_run (kernel, operands, n, &result, 1, NULL, &error);

      if (round == 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_true (done == (round == 0));
      g_cancellable_cancel (cancellable);
    }
  for (guint k = 0; k < n; k++)
    sym_datum_unref (operands[k]);
  g_clear_pointer (&result, sym_datum_unref);
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
