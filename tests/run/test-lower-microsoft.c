/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define MS "com.microsoft:"

/* Gelu is x / 2 (1 + erf (x / sqrt 2)); its fast form x / 2 (1 + tanh (sqrt (2 / pi) (x + 0.044715
 * x^3))). */
static const LowerCase elementwise_cases[] = {
  { MS "Gelu", "", "float32 3: -1 0 2", "float32 3: -0.15865525 0 1.9544997", .tolerance = 1e-6 },
  { MS "BiasGelu", "", "float32 2,2: -2 0 1 2; float32 2: 1 0",
    "float32 2,2: -0.15865525 0 1.9544997 1.9544997", .tolerance = 1e-6 },
  { MS "FastGelu", "", "float32 1: 1", "float32 1: 0.841192", .tolerance = 1e-6 },
  { MS "FastGelu", "", "float32 2: 0 2; float32 2: 1 -1", "float32 2: 0.841192 0.841192",
    .tolerance = 1e-6 },
  { "ai.onnx.contrib:FastGelu", "", "float32 1: 1", "float32 1: 0.841192", .tolerance = 1e-6 },
  { MS "QuickGelu", "", "float32 2: 1 0", "float32 2: 0.84579577 0", .tolerance = 1e-6 },
  { MS "BiasAdd", "", "float32 1,2: 1 2; float32 2: 3 4; float32 1,2: 5 6", "float32 1,2: 9 12" },
  /* Sums 1, 1 and 2, 1 before the softmax, whose ratio is e. */
  { MS "BiasSoftmax", "axis=1; is_inner_broadcast=0", "float32 2,2: 0 0 1 0; float32 1,2: 1 1",
    "float32 2,2: 0.5 0.5 0.73105858 0.26894142", .tolerance = 1e-6 },
  { MS "BiasSoftmax", "axis=2; is_inner_broadcast=1",
    "float32 2,2,2: 0 0 0 0 0 0 0 0; float32 2,2: 1 0 0 1",
    "float32 2,2,2: 0.73105858 0.26894142 0.73105858 0.26894142 0.26894142 0.73105858 0.26894142 "
    "0.73105858",
    .tolerance = 1e-6 },
  { MS "IsAllFinite", "", "float32 2: 1 2; float32 1: 3", "bool : 1" },
  { MS "IsAllFinite", "", "float32 2: 1 2; float32 1: nan", "bool : 0" },
  { MS "IsAllFinite", "isinf_only=1", "float32 1: nan", "bool : 1" },
  { MS "Trilu", "upper=0", "float32 2,2: 1 2 3 4", "float32 2,2: 1 0 3 4" },
  { NULL },
};

static const LowerCase product_cases[] = {
  { MS "FusedMatMul", "alpha=2.0; transB=1", "float32 1,2: 1 2; float32 2,2: 3 4 5 6",
    "float32 1,2: 22 34" },
  { MS "FusedMatMul", "transA=1", "float32 2,1: 1 2; float32 2,2: 3 4 5 6", "float32 1,2: 13 16" },
  /* [a, b, c] is [b, a, c] then. */
  { MS "FusedMatMul", "transBatchA=1", "float32 2,1,2: 1 2 3 4; float32 1,2,1: 1 1",
    "float32 1,2,1: 3 7" },
  { MS "FusedGemm", "activation=Relu; beta=2.0",
    "float32 1,1: 3; float32 1,2: 1 -1; float32 2: 1 1", "float32 1,2: 5 0" },
  { MS "FusedGemm", "activation=LeakyRelu; activation_alpha=0.5", "float32 1,1: 3; float32 1,1: -1",
    "float32 1,1: -1.5" },
  { MS "FusedGemm", "activation=Swish", "float32 1,1: 3; float32 1,1: -1", .error = "Swish" },
  { MS "FusedConv", "activation=Clip; activation_params=[0.0, 6.0]",
    "float32 1,1,3: -4 1 4; float32 1,1,1: 2", "float32 1,1,3: 0 2 6" },
  { MS "FusedConv", "activation=Relu",
    "float32 1,1,2: 1 2; float32 1,1,1: 2; float32 1: 1; float32 1,1,2: -4 1",
    "float32 1,1,2: 0 6" },
  { MS "NhwcConv", "", "float32 1,1,2,2: 1 2 3 4; float32 1,2,1,1: 1 10",
    "float32 1,1,2,1: 21 43" },
  /* Halves of bytes, the low one first, less 8: 0x9a is 10 and 9, so 2 and 1. */
  { MS "MatMulNBits", "K=2; N=2; bits=4; block_size=2",
    "float32 1,2: 1 2; uint8 2,1,1: 154 120; float32 2: 1 0.5", "float32 1,2: 4 -1" },
  { MS "MatMulNBits", "K=3; N=1; bits=4; block_size=2",
    "float32 1,3: 1 1 1; uint8 1,2,1: 50 5; float32 2: 1 2; uint8 1: 33", "float32 1,1: 9" },
  { MS "MatMulNBits", "K=2; N=1; bits=8; block_size=2",
    "float32 1,2: 1 2; uint8 1,1,2: 130 127; float32 1: 1; -; -; float32 1: 10",
    "float32 1,1: 10" },
  { MS "MatMulNBits", "K=2; N=1; bits=2; block_size=2",
    "float32 1,2: 1 2; uint8 1,1,2: 130 127; float32 1: 1", .error = "2 bits" },
  { NULL },
};

static const LowerCase norm_cases[] = {
  /* Sums -1 and 1: their mean is 0, their deviation 1. */
  { MS "SkipLayerNormalization", "", "float32 1,1,2: 0 1; float32 1,1,2: -1 0; float32 2: 2 3",
    "float32 1,1,2: -2 3; -; -; float32 1,1,2: -1 1", .tolerance = 1e-6 },
  /* Of 1 and 5 they are 3 and 1 / 2. */
  { MS "SkipLayerNormalization", "epsilon=0.0",
    "float32 1,1,2: 1 2; float32 1,1,2: 0 3; float32 2: 1 1",
    "float32 1,1,2: -1 1; float32 1,1,1: 3; float32 1,1,1: 0.5", .tolerance = 1e-6 },
  { MS "SkipLayerNormalization", "",
    "float32 1,1,2: 0 1; float32 1,1,2: -3 0; float32 2: 2 3; float32 2: 1 1; float32 2: 2 0",
    "float32 1,1,2: -1 4; -; -; float32 1,1,2: -1 1", .tolerance = 1e-6 },
  /* Root mean squares of 1 and 7 over 5: sqrt (25) = 5. */
  { MS "SkipSimplifiedLayerNormalization", "epsilon=0.0",
    "float32 1,1,2: 0 7; float32 1,1,2: 1 0; float32 2: 5 10",
    "float32 1,1,2: 1 14; float32 1,1,1: 0.2; -; float32 1,1,2: 1 7", .tolerance = 1e-6 },
  { MS "SimplifiedLayerNormalization", "epsilon=0.0", "float32 1,2: 1 7; float32 2: 5 5",
    "float32 1,2: 1 7", .tolerance = 1e-6 },
  /* Words 1 and 0, places 0 and 1, segments 0: sums -1 1 and 2 4. */
  { MS "EmbedLayerNormalization", "",
    "int32 1,2: 1 0; int32 1,2: 0 0; float32 2,2: 0 1 -2 0; float32 2,2: 1 1 2 3; "
    "float32 1,2: 0 0; float32 2: 1 1; float32 2: 0 0; int32 1,2: 1 0",
    "float32 1,2,2: -1 1 -1 1; int32 1: 1; float32 1,2,2: -1 1 2 4", .tolerance = 1e-6 },
  { NULL },
};

/* With weights that copy the data, one head and one feature, scores are products of the words: 0
 * and 1 see each other by e^0 and e^1. */
#define COPIES "float32 1,3: 1 1 1; float32 3: 0 0 0"

static const LowerCase attention_cases[] = {
  { MS "Attention", "num_heads=1", "float32 1,2,1: 0 1; " COPIES, "float32 1,2,1: 0.5 0.73105858",
    .tolerance = 1e-6 },
  { MS "Attention", "num_heads=1; unidirectional=1", "float32 1,2,1: 3 1; " COPIES,
    "float32 1,2,1: 3 2.7615942", .tolerance = 1e-6 }, /* (3 e^3 + e) / (e^3 + e) */
  { MS "Attention", "num_heads=1", "float32 1,2,1: 0 1; " COPIES "; int32 1: 1",
    "float32 1,2,1: 0 0", .tolerance = 1e-6 },
  { MS "Attention", "num_heads=1", "float32 1,2,1: 0 1; " COPIES "; int32 2: 2 1",
    "float32 1,2,1: 1 1", .tolerance = 1e-6 },
  { MS "Attention", "num_heads=1", "float32 1,2,1: 0 1; " COPIES "; int32 1,2: 0 1",
    "float32 1,2,1: 1 1", .tolerance = 1e-6 },
  { MS "Attention", "num_heads=1", "float32 1,2,1: 0 1; " COPIES "; int32 1,2,2: 1 0 0 1",
    "float32 1,2,1: 0 1", .tolerance = 1e-6 },
  { MS "Attention", "num_heads=1",
    "float32 1,2,1: 0 1; " COPIES "; -; -; float32 1,1,2,2: 0 -99 0 -1", "float32 1,2,1: 0 0.5",
    .tolerance = 1e-6 },
  { MS "Attention", "num_heads=1; unidirectional=1",
    "float32 1,1,1: 1; " COPIES "; -; float32 2,1,1,1,1: 0 5",
    "float32 1,1,1: 2.0757657; float32 2,1,1,2,1: 0 1 5 1", .tolerance = 1e-6 },
  /* Two heads of one feature each are two attentions. */
  { MS "Attention", "num_heads=2",
    "float32 1,2,1: 0 1; float32 1,6: 1 0 1 0 1 2; float32 6: 0 0 0 0 0 0",
    "float32 1,2,2: 0.5 1 0.73105858 1", .tolerance = 1e-6 },
  { MS "Attention", "num_heads=2", "float32 1,2,1: 0 1; " COPIES, .error = "2 heads" },
  { MS "MultiHeadAttention", "num_heads=1",
    "float32 1,1,1: 1; float32 1,2,1: 0 1; float32 1,2,1: 4 8",
    "float32 1,1,1: 6.9242343; float32 1,1,2,1: 0 1; float32 1,1,2,1: 4 8", .tolerance = 1e-6 },
  { MS "MultiHeadAttention", "num_heads=1",
    "float32 1,1,1: 0; float32 1,2,1: -1 0; float32 1,2,1: 1 5; float32 3: 1 1 3",
    "float32 1,1,1: 6.9242343", .tolerance = 1e-6 },
  { MS "MultiHeadAttention", "num_heads=1",
    "float32 1,1,1: 1; float32 1,1,1: 1; float32 1,1,1: 8; -; -; -; float32 1,1,1,1: 0; "
    "float32 1,1,1,1: 4",
    "float32 1,1,1: 6.9242343", .tolerance = 1e-6 },
  { MS "MultiHeadAttention", "num_heads=1",
    "float32 1,1,1: 1; float32 1,2,1: 0 1; float32 1,2,1: 4 8; -; int32 1,2: 1 0",
    "float32 1,1,1: 4", .tolerance = 1e-6 },
  /* Angles of 0 and a quarter turn: (1, 2) becomes (-2, 1). */
  { MS "RotaryEmbedding", "",
    "float32 1,2,2: 1 2 1 2; int64 1: 0; float32 2,1: 1 0; float32 2,1: 0 1",
    "float32 1,2,2: 1 2 -2 1" },
  { MS "RotaryEmbedding", "interleaved=1; num_heads=1",
    "float32 1,1,2: 1 2; int64 1,1: 1; float32 2,1: 1 0; float32 2,1: 0 1", "float32 1,1,2: -2 1" },
  /* The second of two heads of queries has scores of 1.41, 0 and 1.41. */
  { MS "GroupQueryAttention", "num_heads=2; kv_num_heads=1",
    "float32 1,1,4: 1 0 0 2; float32 1,1,2: 1 1; float32 1,1,2: 5 6; float32 1,1,2,2: 0 1 1 0; "
    "float32 1,1,2,2: 1 2 3 4; int32 1: 2; int32 : 3",
    "float32 1,1,4: 3.406673 4.406673 3 4; float32 1,1,3,2: 0 1 1 0 1 1; "
    "float32 1,1,3,2: 1 2 3 4 5 6",
    .tolerance = 1e-6 },
  /* Samples of three words and of two. */
  { MS "GroupQueryAttention", "num_heads=1; kv_num_heads=1; local_window_size=2; softcap=1.5",
    "float32 2,1,2: 1 2 2 1; float32 2,1,2: 1 1 2 0; float32 2,1,2: 5 6 7 8; "
    "float32 2,1,2,2: 0 1 1 0 1 1 0 3; float32 2,1,2,2: 1 2 3 4 5 2 9 9; int32 2: 2 1; int32 : 3",
    "float32 2,1,2: 4.324608 5.324608 6.049911 5.149734; "
    "float32 2,1,3,2: 0 1 1 0 1 1 1 1 2 0 0 0; float32 2,1,3,2: 1 2 3 4 5 6 5 2 7 8 0 0",
    .tolerance = 1e-6 },
  /* What is said at once, and what goes where the past has room; the second place turns by 53
   * degrees. */
  { MS "GroupQueryAttention", "num_heads=2; kv_num_heads=1; do_rotary=1",
    "float32 1,2,4: 1 0 0 2 1 1 2 1; float32 1,2,2: 1 1 2 0; float32 1,2,2: 5 6 1 2; -; -; "
    "int32 1: 1; int32 : 2; float32 3,1: 1 0.6 0; float32 3,1: 0 0.8 1",
    "float32 1,2,4: 5 6 5 6 2.448932 3.448932 2.083688 3.083688; float32 1,1,2,2: 1 1 1.2 1.6; "
    "float32 1,1,2,2: 5 6 1 2",
    .tolerance = 1e-6 },
  { MS "GroupQueryAttention", "num_heads=2; kv_num_heads=1; do_rotary=1",
    "float32 1,2,8: 1 0 0 2 1 1 5 6 1 1 2 1 2 0 1 2; -; -; -; -; int32 1: 1; int32 : 2; "
    "float32 3,1: 1 0.6 0; float32 3,1: 0 0.8 1",
    "float32 1,2,4: 5 6 5 6 2.448932 3.448932 2.083688 3.083688; float32 1,1,2,2: 1 1 1.2 1.6; "
    "float32 1,1,2,2: 5 6 1 2",
    .tolerance = 1e-6 },
  { MS "GroupQueryAttention", "num_heads=1; kv_num_heads=1; do_rotary=1",
    "float32 1,1,2: 1 2; float32 1,1,2: 1 1; float32 1,1,2: 5 6; float32 1,1,3,2: 0 1 9 9 8 8; "
    "float32 1,1,3,2: 1 2 7 7 6 6; int32 1: 1; int32 : 2; float32 3,1: 1 0.6 0; "
    "float32 3,1: 0 0.8 1",
    "float32 1,1,2: 3.679046 4.679046; float32 1,1,3,2: 0 1 -0.2 1.4 8 8; "
    "float32 1,1,3,2: 1 2 5 6 6 6",
    .tolerance = 1e-6 },
  { MS "GroupQueryAttention", "num_heads=2; kv_num_heads=1",
    "float32 1,1,2: 1 2; float32 1,1,1: 1; float32 1,1,1: 5; float32 1,1,1,1: 0; "
    "float32 1,1,1,1: 1; int32 1: 4; int32 : 2",
    .error = "not within" },
  { MS "GroupQueryAttention", "num_heads=3; kv_num_heads=2",
    "float32 1,1,6: 1 2 3 4 5 6; float32 1,1,4: 1 2 3 4; float32 1,1,4: 1 2 3 4; -; -; "
    "int32 1: 0; int32 : 1",
    .error = "cannot share" },
  { MS "GroupQueryAttention", "num_heads=1; kv_num_heads=1; smooth_softmax=1",
    "float32 1,1,1: 1; float32 1,1,1: 1; float32 1,1,1: 5; -; -; int32 1: 0; int32 : 1",
    .error = "a sink of scores" },
  { NULL },
};

static const LowerCase quantized_cases[] = {
  { MS "QLinearAdd", "",
    "uint8 2: 130 128; float32 : 0.5; uint8 : 128; uint8 2: 3 4; float32 : 1; uint8 : 0; "
    "float32 : 2; uint8 : 10",
    "uint8 2: 12 12" },
  { MS "QLinearMul", "",
    "int8 2: 4 -6; float32 : 0.5; -; int8 1: 3; float32 : 1; -; float32 : 2; -", "int8 2: 3 -4" },
  { MS "QLinearSigmoid", "", "uint8 1: 5; float32 : 1; uint8 : 5; float32 : 0.25; uint8 : 1",
    "uint8 1: 3" },
  { MS "QLinearLeakyRelu", "alpha=0.5",
    "int8 2: -8 8; float32 : 1; int8 : 0; float32 : 1; int8 : 0", "int8 2: -4 8" },
  { MS "QLinearSoftmax", "axis=1; opset=12",
    "int8 1,1,2: 3 3; float32 : 1; int8 : 0; float32 : 0.25; int8 : 0", "int8 1,1,2: 2 2" },
  { MS "QLinearAveragePool", "kernel_shape=[1, 2]",
    "uint8 1,1,1,2: 2 4; float32 : 1; uint8 : 0; float32 : 0.5; uint8 : 1", "uint8 1,1,1,1: 7" },
  { MS "QLinearGlobalAveragePool", "channels_last=1",
    "uint8 1,1,2,2: 2 4 6 8; float32 : 1; uint8 : 0; float32 : 1; uint8 : 0",
    "uint8 1,1,1,2: 4 6" },
  { MS "QLinearConcat", "axis=0",
    "float32 : 1; uint8 : 0; uint8 1: 6; float32 : 0.5; uint8 : 0; uint8 1: 6; float32 : 2; "
    "uint8 : 1",
    "uint8 2: 3 10" },
  /* (2 * 3) (0.5 * 0.25) + 8 * 0.125 is 1.75, in units of 0.25 and from 1 on. */
  { MS "QGemm", "",
    "uint8 1,1: 2; float32 : 0.5; uint8 : 0; int8 1,1: 3; float32 : 0.25; int8 : 0; int32 1: 8; "
    "float32 : 0.25; uint8 : 1",
    "uint8 1,1: 8" },
  { MS "QGemm", "transB=1",
    "uint8 1,1: 2; float32 : 0.5; uint8 : 0; int8 2,1: 3 3; float32 2: 0.25 1; int8 2: 0 1",
    "float32 1,2: 0.75 2" },
  /* 0 to 255 need no rounding. */
  { MS "DynamicQuantizeMatMul", "", "float32 1,2: 255 2; int8 2,1: 1 3; float32 : 0.5",
    "float32 1,1: 130.5" },
  { MS "MatMulIntegerToFloat", "",
    "uint8 1,2: 3 4; int8 2,1: 1 -1; float32 : 0.5; float32 1: 2; uint8 : 1; -; float32 1: 7",
    "float32 1,1: 6" },
  { MS "QuantizeLinear", "", "float32 2: 1 -2; float32 : 0.5; int8 : 1", "int8 2: 3 -3" },
  { MS "DequantizeLinear", "", "int8 2: 3 -3; float32 : 0.5; int8 : 1", "float32 2: 1 -2" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("microsoft-elementwise", elementwise_cases);
  lower_case_add_all ("microsoft-products", product_cases);
  lower_case_add_all ("microsoft-norm", norm_cases);
  lower_case_add_all ("microsoft-attention", attention_cases);
  lower_case_add_all ("microsoft-quantized", quantized_cases);
  return g_test_run ();
}
