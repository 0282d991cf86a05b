/* SPDX-License-Identifier: MIT */
#include "rule-case.h"

static const RuleCase cases[] = {
  /* Convolution */
  { "Convolution", "kernel=(3, 3); num_filter=8", "1,3,8,9 * *", NULL,
    "1,3,8,9 8,3,3,3 8 -> 1,8,6,7" },
  { "Convolution", "kernel=(3, 3); num_filter=8; pad=(1, 1); stride=(2, 2); no_bias=True",
    "?,3,224,224 *", NULL, "?,3,224,224 8,3,3,3 -> ?,8,112,112" },
  { "Convolution", "kernel=(3, 3); num_filter=8; dilate=(2, 2); num_group=2", "1,4,9,9 * *", NULL,
    "1,4,9,9 8,2,3,3 8 -> 1,8,5,5" },
  { "Convolution", "kernel=(3,); num_filter=8", "1,4,9 * *", NULL, "1,4,9 8,4,3 8 -> 1,8,7" },
  { "Convolution", "kernel=(2, 2, 2); num_filter=8", "1,4,9,9,9 * *", NULL,
    "1,4,9,9,9 8,4,2,2,2 8 -> 1,8,8,8,8" },
  { "Convolution", "kernel=(3, 3); num_filter=8; layout=NHWC", "1,8,9,4 * *", NULL,
    "1,8,9,4 8,3,3,4 8 -> 1,6,7,8" },
  { "Convolution", "kernel=(3, 3); num_filter=8", "* 8,5,3,3 *", NULL,
    "?,5,?,? 8,5,3,3 8 -> ?,8,?,?" },
  { "Convolution", "kernel=(3, 3); num_filter=8", "?,3,?,? * *", "4,8,6,7",
    "4,3,8,9 8,3,3,3 8 -> 4,8,6,7" },
  { "Convolution", "kernel=(3, 3); num_filter=8; stride=(2, 2)", "?,3,?,? * *", "4,8,6,7",
    "4,3,?,? 8,3,3,3 8 -> 4,8,6,7" },
  { "Convolution", "kernel=(3, 3); num_filter=8", "1,3,2,9 * *", NULL, NULL,
    "kernel size exceed input" },
  { "Convolution", "kernel=(3, 3); num_filter=8", "1,3,9 * *", NULL, NULL,
    "Input data should be 4D in batch-num_filter-y-x" },
  { "Convolution", "kernel=(3, 3); num_filter=8; num_group=3", "1,3,9,9 * *", NULL, NULL,
    "output num_filter must divide group size" },
  { "Convolution", "kernel=(3, 3); num_filter=8; num_group=4", "1,3,9,9 * *", NULL, NULL,
    "input num_filter must divide group size" },
  { "Convolution", "kernel=(3, 3); num_filter=8", "1,3,9,9 8,4,3,3 *", NULL, NULL,
    "Shape inconsistent, Provided = [8,4,3,3], inferred shape=[8,3,3,3]" },
  { "Convolution", "kernel=(3, 3); num_filter=8; stride=(0, 1)", "1,3,9,9 * *", NULL, NULL,
    "at least 1" },
  { "Convolution", "kernel=(3, 3); num_filter=8; stride=(1, 1, 1)", "1,3,9,9 * *", NULL, NULL,
    "stride has 3 sizes where 2 are needed" },
  { "Convolution", "num_filter=8", "1,3,9,9 * *", NULL, NULL, "kernel has 0 sizes" },
  { "Convolution", "kernel=(3, 3); num_filter=8", "1,3,8,9:float16 * *", NULL,
    "1,3,8,9:float16 8,3,3,3:float16 8:float16 -> 1,8,6,7:float16" },
  { "Convolution", "kernel=(3, 3); num_filter=8", "1,3,8,9:float32 *:float16 *", NULL, NULL,
    "This layer requires uniform type. Expected 'float32' v.s. given 'float16'" },
  { "Deconvolution", "kernel=(4, 4); num_filter=8; stride=(2, 2); pad=(1, 1)", "1,3,7,7 *", NULL,
    "1,3,7,7 3,8,4,4 -> 1,8,14,14" },
  { "Deconvolution",
    "kernel=(3, 3); num_filter=8; stride=(2, 2); pad=(1, 1); adj=(1, 1); "
    "num_group=2; no_bias=False",
    "1,4,7,7 * *", NULL, "1,4,7,7 4,4,3,3 8 -> 1,8,14,14" },
  { "Deconvolution", "kernel=(3, 3); num_filter=8; target_shape=(20, 21)", "1,4,7,7 *", NULL,
    "1,8,20,21" },
  { "Deconvolution", "kernel=(4, 4); num_filter=8; stride=(2, 2); pad=(1, 1)", "?,3,?,? *",
    "2,8,14,14", "2,3,7,7 3,8,4,4 -> 2,8,14,14" },

  /* FullyConnected */
  { "FullyConnected", "num_hidden=10", "4,3,5,5 * *", NULL, "4,3,5,5 10,75 10 -> 4,10" },
  { "FullyConnected", "num_hidden=10; no_bias=True", "?,7 *", NULL, "?,7 10,7 -> ?,10" },
  { "FullyConnected", "num_hidden=10; flatten=False", "4,3,5 * *", NULL,
    "4,3,5 10,5 10 -> 4,3,10" },
  { "FullyConnected", "num_hidden=10", "?,512,?,? 10,25088 *", NULL,
    "?,512,?,? 10,25088 10 -> ?,10" },
  { "FullyConnected", "num_hidden=10", "?,512,?,7 10,25088 *", NULL,
    "?,512,7,7 10,25088 10 -> ?,10" },
  { "FullyConnected", "num_hidden=10", "4,5 * 10,1", NULL, "4,5 10,5 10,1 -> 4,10" },
  { "FullyConnected", "num_hidden=21", "?,10 * *", "5,?", "5,10 21,10 21 -> 5,21" },
  { "FullyConnected", "num_hidden=10", "* * *", NULL, "* * * -> *" },
  { "FullyConnected", "num_hidden=1000", "100,100 1,100 *", NULL, NULL,
    "Shape inconsistent, Provided = [1,100], inferred shape=[1000,100]" },
  { "Embedding", "input_dim=50; output_dim=8", "4,7 *", NULL, "4,7 50,8 -> 4,7,8" },
  { "Embedding", "input_dim=50; output_dim=8", "*:int32 *", "4,7,8",
    "4,7:int32 50,8:float32 -> 4,7,8:float32" },

  /* Pooling */
  { "Pooling", "kernel=(3, 3); stride=(2, 2)", "1,3,8,8", NULL, "1,3,3,3" },
  { "Pooling", "kernel=(3, 3); stride=(2, 2); pooling_convention=full", "1,3,8,8", NULL,
    "1,3,4,4" },
  { "Pooling", "kernel=(2,); stride=(2,); pooling_convention=same", "1,3,7", NULL, "1,3,4" },
  { "Pooling", "global_pool=True; pool_type=avg", "?,3,8,8", NULL, "?,3,1,1" },
  { "Pooling", "global_pool=True; kernel=(7, 7); layout=NHWC", "1,8,8,3", NULL, "1,1,1,3" },
  { "Pooling", "kernel=(3, 3)", "1,3,2,2", NULL, NULL,
    "kernel size (3) exceeds input (2 padded to 2)" },
  { "Pooling", "pool_type=max", "1,3,2,2", NULL, NULL, "kernel has 0 sizes" },
  { "_contrib_AdaptiveAvgPooling2D", "output_size=(2, 3)", "1,3,8,8", NULL, "1,3,2,3" },
  { "_contrib_AdaptiveAvgPooling2D", "", "1,3,8,8", NULL, "1,3,1,1" },

  /* Normalization */
  { "BatchNorm", "", "4,3,8,8 * * * *", NULL, "4,3,8,8 3 3 3 3 -> 4,3,8,8 3 3" },
  { "BatchNorm", "axis=-1", "4,8,8,3 * * * *", NULL, "4,8,8,3 3 3 3 3 -> 4,8,8,3 3 3" },
  { "BatchNorm", "", "?,?,8,8 3 * * *", NULL, "?,3,8,8 3 3 3 3 -> ?,3,8,8 3 3" },
  { "BatchNorm", "axis=4", "4,3,8,8 * * * *", NULL, NULL, "axis 4 is out of range for rank 4" },
  { "BatchNorm", "", "4,3:float16 * * * *", NULL,
    "4,3:float16 3:float32 3:float32 3:float32 3:float32 -> 4,3:float16 3:float32 3:float32" },
  { "LayerNorm", "", "4,7,16 * *", NULL, "4,7,16 16 16 -> 4,7,16 4,7,1 4,7,1" },
  { "GroupNorm", "num_groups=4", "2,8,5,5 * *", NULL, "2,8,5,5 4 4 -> 2,8,5,5 2,4 2,4" },
  { "GroupNorm", "num_groups=4", "2,8,5,5 8 8", NULL, "2,8,5,5 8 8 -> 2,8,5,5 2,4 2,4" },
  { "GroupNorm", "num_groups=3", "2,8,5,5 * *", NULL, NULL, "divisible by # of groups" },
  { "InstanceNorm", "", "2,8,5,5 * *", NULL, "2,8,5,5 8 8 -> 2,8,5,5 2,8 2,8" },
  { "L2Normalization", "mode=channel", "2,8,5,5", NULL, "2,8,5,5 2,1,5,5" },
  { "L2Normalization", "", "2,8", NULL, "2,8 2" },
  { "LRN", "nsize=5", "2,8,5,5", NULL, "2,8,5,5 2,8,5,5" },
  { "Dropout", "axes=(2, 3)", "2,8,5,5", NULL, "2,8,5,5 2,8,1,1" },

  /* Activation */
  { "Activation", "act_type=relu", "2,?", "?,5", "2,5 -> 2,5" },
  { "LeakyReLU", "act_type=prelu", "2,8,5,5 *", NULL, "2,8,5,5 8 -> 2,8,5,5" },
  { "LeakyReLU", "act_type=prelu", "2,8,5,5 1", NULL, "2,8,5,5 1 -> 2,8,5,5" },
  { "LeakyReLU", "act_type=rrelu", "2,8", NULL, "2,8 2,8" },
  { "softmax", "axis=1; use_length=True", "2,8,5 *", NULL, "2,8,5 2,5 -> 2,8,5" },
  { "softmax", "dtype=float32", "2,8:float16", NULL, "2,8:float32" },

  /* Loss */
  { "SoftmaxOutput", "", "4,10 *", NULL, "4,10 4 -> 4,10" },
  { "SoftmaxOutput", "", "4,10 4,10", NULL, "4,10 4,10 -> 4,10" },
  { "SoftmaxOutput", "", "?,10 4", NULL, "4,10 4 -> 4,10" },
  { "SoftmaxOutput", "", "4,10 5", NULL, NULL, "Shape inconsistent" },
  { "SoftmaxOutput", "multi_output=True", "4,10,3,5 *", NULL, "4,10,3,5 4,15 -> 4,10,3,5" },
  { "SoftmaxOutput", "multi_output=True", "4,10,3,5 ?,?,?", NULL, "4,10,3,5 4,3,5 -> 4,10,3,5" },
  { "SoftmaxOutput", "multi_output=True", "4,10,3,5 4,1,3,5", NULL,
    "4,10,3,5 4,1,3,5 -> 4,10,3,5" },
  { "LinearRegressionOutput", "", "4,1 *", NULL, "4,1 4 -> 4,1" },
  { "LinearRegressionOutput", "", "4,3 *", NULL, "4,3 4,3 -> 4,3" },
  { "LinearRegressionOutput", "", "4,3 12", NULL, NULL, "Shape inconsistent" },
  { "WarpCTC", "label_length=4; input_length=80", "?,11 4,4", NULL, "?,11 4,4 -> ?,11" },
  { "SVMOutput", "", "4,10 *", NULL, "4,10 4 -> 4,10" },
  { "MakeLoss", "", "4,10", NULL, "4,10" },
  { "softmax_cross_entropy", "", "4,10 *", NULL, "4,10 4 -> 1" },
  { "CTCLoss", "", "20,4,10 4,7", NULL, "4 20,4,10" },

  /* Recurrent */
  { "RNN", "mode=lstm; state_size=20; num_layers=2; state_outputs=True; bidirectional=True",
    "7,4,10 * * *", NULL, "7,4,10 15040 4,4,20 4,4,20 -> 7,4,40 4,4,20 4,4,20" },
  { "RNN", "mode=gru; state_size=5; num_layers=1", "7,?,3 * *", NULL, "7,?,3 150 1,?,5 -> 7,?,5" },
  { "RNN", "mode=lstm; state_size=6; num_layers=1; projection_size=2", "7,4,3 * * *", NULL,
    "7,4,3 180 1,4,2 1,4,6 -> 7,4,2" },
  { "SequenceMask", "use_sequence_length=True", "7,4,3 *", NULL, "7,4,3 4 -> 7,4,3" },
  { "SequenceLast", "axis=1", "4,7,3", NULL, "4,3" },

  /* Binary nets */
  { "QConvolution", "kernel=(5, 5); num_filter=64; binarized_weights_only=True", "1,64,12,12 *",
    NULL, "1,64,12,12 ? -> 1,64,8,8" },
  { "QConvolution", "kernel=(5, 5); num_filter=64", "1,64,12,12 *", NULL,
    "1,64,12,12 64,64,5,5 -> 1,64,8,8" },
  { "QFullyConnected", "num_hidden=10; binarized_weights_only=True", "1,64,2,2 *", NULL,
    "1,64,2,2 ? -> 1,10" },

  /* Quantised */
  { "_contrib_quantize_v2", "out_type=auto; min_calib_range=0.0; max_calib_range=1.0", "1,3,8,8",
    NULL, "1,3,8,8:uint8 1:float32 1:float32" },
  { "_contrib_quantize_v2", "out_type=auto", "1,3,8,8", NULL, "1,3,8,8:int8 1:float32 1:float32" },
  { "_contrib_dequantize", "", "1,3:int8 * *", NULL,
    "1,3:int8 1:float32 1:float32 -> 1,3:float32" },
  { "_contrib_quantized_conv", "kernel=(3, 3); num_filter=8; no_bias=True", "1,4,8,8 * * * * *",
    NULL, "1,4,8,8 8,4,3,3 1 1 1 1 -> 1,8,6,6 1 1" },
  { "_contrib_quantized_fully_connected", "num_hidden=8; no_bias=True", "2,5 * * * * *", NULL,
    "2,5 8,5 1 1 1 1 -> 2,8 1 1" },
  { "_contrib_quantized_fully_connected", "num_hidden=8", "2,5 * * * * * * * *", NULL,
    "2,5 8,5 8 1 1 1 1 1 1 -> 2,8 1 1" },
  { "_contrib_quantized_pooling", "kernel=(2, 2); stride=(2, 2)", "1,4,8,8:uint8 * *", NULL,
    "1,4,4,4:uint8 1:float32 1:float32" },
  { "_contrib_quantized_concat", "num_args=2; dim=1", "1,4,8 1,3,? * * * *", NULL,
    "1,4,8 1,3,8 1 1 1 1 -> 1,7,8 1 1" },
};

static void
layers_infer_both_ways (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    rule_case_run (&cases[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/mxnet/layers-infer-both-ways", layers_infer_both_ways);
  return g_test_run ();
}
