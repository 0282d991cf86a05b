/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-cost.h"
#include "ops/sym-op.h"

#include <string.h>

#define UNKNOWN -1
#define LOWERED -2

/* Types as texts: "1x3x8x8", "" a scalar, "?x4" of unknown size, "-" an empty slot. */
typedef struct {
  const char *op; /* "mxnet:dot"; without a domain ONNX's */
  const char *attributes;
  const char *inputs, *outputs; /* ";" between them */
  gint64 n;
} Case;

static SymType
read_type (const char *text)
{
  g_auto (GStrv) sizes = g_strsplit (text, "x", -1);
  SymShape shape = { .rank = 0 };

  if (strcmp (text, "-") == 0)
    return SYM_TYPE_UNKNOWN;
  for (guint i = 0; sizes[i] != NULL; i++)
    shape.dims[shape.rank++] = strcmp (sizes[i], "?") == 0
                                   ? SYM_DIM_UNKNOWN
                                   : (gint64) g_ascii_strtoll (sizes[i], NULL, 10);
  return sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
}

static guint
read_types (const char *text, SymType *types)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);
  guint n = 0;

  if (*text == '\0') /* no parts, but one scalar */
    types[n++] = read_type (text);
  for (guint i = 0; parts[i] != NULL; i++)
    types[n++] = read_type (parts[i]);
  return n;
}

static SymLayer *
new_layer (const Case *self)
{
  g_auto (GStrv) name = g_strsplit (self->op, ":", 2);
  const SymOperator *op =
      name[1] != NULL ? sym_op_find (name[0], name[1], 0) : sym_op_find ("", name[0], 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  g_auto (GStrv) pairs = g_strsplit (self->attributes, "; ", -1);

  if (op == NULL)
    g_error ("there is no operator %s", self->op);
  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);

      sym_attributes_set (attributes, pair[0], sym_value_parse (pair[1]), NULL);
    }
  return sym_layer_new (op->name, op, attributes);
}

static gint64
count (const Case *self)
{
  g_autoptr (SymLayer) layer = new_layer (self);
  SymType inputs[8], outputs[4];
  guint n_inputs = read_types (self->inputs, inputs),
        n_outputs = read_types (self->outputs, outputs);
  guint64 n = 0;

  switch (sym_op_count_multiply_adds (layer, inputs, n_inputs, outputs, n_outputs, &n))
    {
    case SYM_OP_COST_UNKNOWN:
      return UNKNOWN;
    case SYM_OP_COST_LOWERED:
      return LOWERED;
    case SYM_OP_COST_KNOWN:
      break;
    }
  return (gint64) n;
}

static void
run_cases (const Case *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      gint64 got = count (&cases[i]);

      if (got != cases[i].n)
        g_error ("%s (%s) of %s: %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, cases[i].op,
                 cases[i].attributes, cases[i].inputs, got, cases[i].n);
    }
}

static void
test_convolutions (void)
{
  static const Case cases[] = {
    { "mnn:Convolution", "", "1x3x9x9;8x3x3x3;8", "1x8x9x9", 8 * 81 * 27 },
    { "mnn:InnerProduct", "", "2x12;5x12;5", "2x5", 2 * 5 * 12 },
    { "acuity:convolution", "", "1x9x9x3;3x3x3x8;8", "1x9x9x8", 8 * 81 * 27 },
    { "acuity:depthwise_convolution", "", "1x9x9x3;3x3x3x2;6", "1x9x9x6", 6 * 81 * 9 },
    { "acuity:conv1d", "", "1x9x3;3x3x8;8", "1x7x8", 7 * 8 * 9 },
    { "acuity:depthwise_conv1d", "", "1x9x3;3x3x2;6", "1x7x6", 7 * 6 * 3 },
    { "acuity:deconvolution", "", "1x9x9x3;2x2x8x3;8", "1x18x18x8", 81 * 3 * 4 * 8 },
    { "acuity:lstm", "weights=4", "5x2x3;7x16;16", "5x2x4", 10 * 7 * 16 },
    { "acuity:gru", "num_units=4", "5x2x3;7x8;8;7x4;4", "5x2x4", 10 * 7 * 12 },
    { "qnn:DepthWiseConv2d", "", "1x9x9x4;3x3x1x4;4", "1x9x9x4", 4 * 81 * 9 },
    { "tosa:CONV2D", "", "1x9x9x3;8x3x3x3;8", "1x9x9x8", 8 * 81 * 27 },
    { "tosa:DEPTHWISE_CONV2D", "", "1x9x9x3;3x3x3x2;6", "1x9x9x6", 6 * 81 * 9 },
    { "armnn:DepthwiseConvolution2d", "", "1x9x9x4;1x3x3x4;4", "1x9x9x4", 4 * 81 * 9 },
    /* 2 images, 4 features at 6x6 places, each a sum over 3 channels of 3x3 */
    { "Conv", "", "2x3x8x8;4x3x3x3;4", "2x4x6x6", 2 * 4 * 36 * 27 },
    { "Conv", "group=3", "1x3x8x8;3x1x3x3", "1x3x6x6", 3 * 36 * 9 },
    { "Conv", "", "1x3x10;5x3x4", "1x5x7", 5 * 7 * 12 },
    { "Conv", "", "?x3x8x8;4x3x3x3", "?x4x6x6", UNKNOWN },
    { "Conv", "", "1x3x8x8;-", "1x4x6x6", UNKNOWN },
    { "ConvInteger", "", "1x3x8x8;4x3x3x3", "1x4x6x6", 4 * 36 * 27 },
    { "QLinearConv", "", "1x3x8x8;;;4x3x3x3;4;4;;", "1x4x6x6", 4 * 36 * 27 },
    /* each number that goes in is spread to 4 features at 2x2 places */
    { "ConvTranspose", "", "1x3x5x5;3x4x2x2", "1x4x10x10", 75 * 16 },
    { "DeformConv", "", "1x3x8x8;4x3x3x3;1x18x6x6", "1x4x6x6", 4 * 36 * 27 },
    { "mxnet:Convolution", "kernel=(3,3); num_filter=4", "1x3x8x8;4x3x3x3;4", "1x4x6x6",
      4 * 36 * 27 },
    { "mxnet:Deconvolution", "kernel=(2,2); num_filter=4", "1x3x5x5;3x4x2x2", "1x4x10x10",
      75 * 16 },
    { "mxnet:QConvolution", "kernel=(3,3); num_filter=4", "1x32x8x8;4x1x3x3", "1x4x6x6",
      4 * 36 * 32 * 9 },
    { "mxnet:_contrib_quantized_conv", "", "1x3x8x8;4x3x3x3;4", "1x4x6x6", 4 * 36 * 27 },
    { "torch:Conv2d", "", "1x3x8x8;4x3x3x3;4", "1x4x6x6", 4 * 36 * 27 },
    { "torch:ConvTranspose1d", "", "1x3x5;3x4x2;4", "1x4x10", 15 * 8 },
    { "Conv", "", "1x4294967296x2;4294967296x4294967296x1", "1x4294967296x2", UNKNOWN },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_products (void)
{
  static const Case cases[] = {
    { "MatMul", "", "5x2x3;3x4", "5x2x4", 5 * 2 * 4 * 3 },
    { "MatMul", "", "3;3", "", 3 },
    { "MatMul", "", "0x3;3x4", "0x4", 0 },
    { "MatMulInteger", "", "2x3;3x4", "2x4", 24 },
    { "QLinearMatMul", "", "2x3;;;3x4;;;;", "2x4", 24 },
    { "Gemm", "", "2x3;3x4;4", "2x4", 24 },
    { "Gemm", "transA=1", "3x2;3x4", "2x4", 24 },
    { "torch:Linear", "", "7x5x3;4x3;4", "7x5x4", 7 * 5 * 4 * 3 },
    { "torch:MatmulOpLayer", "", "2x3;3x4", "2x4", 24 },
    { "mxnet:FullyConnected", "num_hidden=4", "2x3x5;4x15;4", "2x4", 2 * 4 * 15 },
    { "mxnet:QFullyConnected", "num_hidden=4", "2x64;4x2", "2x4", 2 * 4 * 64 },
    { "mxnet:dot", "", "2x3;3x4", "2x4", 24 },
    { "mxnet:dot", "transpose_a=True", "3x2;3x4", "2x4", 24 },
    { "mxnet:batch_dot", "transpose_a=True", "5x3x2;5x3x4", "5x2x4", 120 },
    { "mxnet:_npi_tensordot_int_axes", "axes=2", "2x3x4;3x4x5", "2x5", 120 },
    { "mxnet:_npi_dot", "", "2x3;3x4", "2x4", 24 },
    { "mxnet:_npi_dot", "", "2x3;", "2x3", 0 },
    { "mxnet:_linalg_gemm2", "", "2x3;3x4", "2x4", LOWERED },
    { "keras:Conv2D", "", "1x8x8x3;3x3x3x4", "1x6x6x4", LOWERED },
    { "torch.export:aten.linear", "", "2x3;4x3", "2x4", LOWERED },
    { "Einsum", "equation='ij,jk->ik'", "2x3;3x4", "2x4", 24 },
    { "Einsum", "equation='ij , jk'", "2x3;3x4", "2x4", 24 },
    { "Einsum", "equation='...ij,...jk->...ik'", "7x1x2x3;5x3x4", "7x5x2x4", 35 * 24 },
    { "Einsum", "equation='ij,ij->ij'", "2x3;2x3", "2x3", 0 },
    { "Einsum", "equation='ij->'", "2x3", "", 0 },
    { "Einsum", "equation='i,i'", "3;3", "", 3 },
    { "Einsum", "equation='ij,jk,kl->il'", "2x3;3x4;4x5", "2x5", 2 * 2 * 3 * 4 * 5 },
    { "Einsum", "equation='ij,jk->ik'", "2x3", "2x4", UNKNOWN },
    { "Einsum", "equation='ijk,jk->ik'", "2x3;3x4", "2x4", UNKNOWN },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_sequences (void)
{
  static const Case cases[] = {
    /* 7 steps of 2 sequences; 5 features, state of 3: 4 gates of 3 * (5 + 3) */
    { "LSTM", "hidden_size=3", "7x2x5;1x12x5;1x12x3", "7x1x2x3", 14 * 4 * 3 * 8 },
    { "GRU", "hidden_size=3", "7x2x5;2x9x5;2x9x3", "7x2x2x3", 14 * 2 * 3 * 3 * 8 },
    { "RNN", "hidden_size=3", "7x2x5;1x3x5;1x3x3", "7x1x2x3", 14 * 3 * 8 },
    { "torch:LSTM", "hidden_size=3", "7x2x5", "-", 14 * 4 * 3 * 8 },
    { "torch:GRU", "hidden_size=3; num_layers=2; bidirectional=True", "7x2x5", "-",
      14 * 2 * 3 * 3 * ((5 + 3) + (6 + 3)) },
    { "torch:RNN", "hidden_size=3", "7x5", "-", 7 * 3 * 8 },
    { "torch:RNN", "hidden_size=3", "?x2x5", "-", UNKNOWN },
    { "mxnet:RNN", "state_size=3; num_layers=1; mode='rnn_tanh'", "7x2x5;24;1x2x3", "7x2x3",
      14 * 3 * 8 },
    { "mxnet:RNN", "state_size=6; num_layers=2; mode='lstm'; projection_size=2",
      "7x2x5;9;2x2x2;2x2x6", "7x2x2", 14 * ((4 * 6 * 7 + 12) + (4 * 6 * 4 + 12)) },
    /* 2 heads of 4 features, 3 queries, 5 keys, values of 6: 2 * 3 * 5 * (4 + 6) */
    { "Attention", "", "1x2x3x4;1x2x5x4;1x2x5x6", "1x2x3x6", 300 },
    { "Attention", "q_num_heads=2; kv_num_heads=2", "1x3x8;1x5x8;1x5x12", "1x3x12", 300 },
    { "Attention", "", "1x2x3x4;1x2x1x4;1x2x1x6;-;1x2x4x4;1x2x4x6", "1x2x3x6", 300 },
    { "Attention", "", "1x2x3x4;1x2x1x4;1x2x1x6;-;1x2x?x4;1x2x?x6", "1x2x3x6", UNKNOWN },
    { "ai.onnx.preview:FlexAttention", "", "1x2x3x4;1x2x5x4;1x2x5x6", "1x2x3x6", 300 },
    /* 5 tokens; 4 heads of queries, 2 of keys; matrices of 8x3 */
    { "LinearAttention", "q_num_heads=4; kv_num_heads=2; update_rule='linear'",
      "1x5x32;1x5x16;1x5x6", "1x5x12", 5 * 24 * 6 },
    { "LinearAttention", "q_num_heads=4; kv_num_heads=2; update_rule='gated_delta'",
      "1x5x32;1x5x16;1x5x6", "1x5x12", 5 * 24 * 8 },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_others (void)
{
  static const Case cases[] = {
    { "Relu", "", "2x3", "2x3", 0 },
    { "Relu", "", "?x3", "?x3", 0 },
    { "BatchNormalization", "", "1x3x4;3;3;3;3", "1x3x4", 0 },
    { "mxnet:Embedding", "", "2;10x4", "2x4", 0 },
    { "torch:Embedding", "", "2;10x4", "2x4", 0 },
    { "DFT", "", "1x8x1", "1x8x2", UNKNOWN },
    { "mxnet:Custom", "", "1", "1", UNKNOWN },
    { "mxnet:_npi_svd", "", "3x3", "3x3", UNKNOWN },
    { "mxnet:_contrib_sldwin_atten_score", "", "1;1;1", "1", UNKNOWN },
  };

  run_cases (cases, G_N_ELEMENTS (cases));
}

/* What is called "weights" is counted, or said not to be: no new operator slips by. */
static void
test_no_weights_are_free (void)
{
  static const char *const free_ones[] = { "Embedding",
                                           "EmbeddingLookup",
                                           "aten.embedding",
                                           "lookup_table_v2",
                                           "_contrib_quantized_embedding",
                                           "_contrib_sldwin_atten_mask_like",
                                           NULL };

  for (guint i = 0; i < sym_op_get_n (); i++)
    {
      const SymOperator *op = sym_op_get (i);
      g_autoptr (SymLayer) layer = sym_layer_new (op->name, op, NULL);
      guint64 n = 1;

      if (op->category == SYM_CATEGORY_WEIGHTS && !g_strv_contains (free_ones, op->name))
        g_assert_cmpint (sym_op_count_multiply_adds (layer, NULL, 0, NULL, 0, &n), !=,
                         SYM_OP_COST_KNOWN);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/cost/convolutions", test_convolutions);
  g_test_add_func ("/ops/cost/products", test_products);
  g_test_add_func ("/ops/cost/sequences", test_sequences);
  g_test_add_func ("/ops/cost/what-adds-up-no-products", test_others);
  g_test_add_func ("/ops/cost/no-weights-are-free", test_no_weights_are_free);
  return g_test_run ();
}
