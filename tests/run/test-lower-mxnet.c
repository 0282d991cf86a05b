/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define NORM_PARAMETERS "float32 2: 2 3; float32 2: 1 -1; float32 2: 0.5 1; float32 2: 0.25 4"

static const LowerCase weight_cases[] = {
  { "Convolution", "kernel=(2, 2); num_filter=1",
    "float32 1,1,3,3: 1 2 3 4 5 6 7 8 9; float32 1,1,2,2: 1 0 0 -1; float32 1: 0.5",
    "float32 1,1,2,2: -3.5 -3.5 -3.5 -3.5" },
  { "Convolution", "kernel=(3,); num_filter=2; no_bias=True; pad=(1,); stride=(2,); num_group=2",
    "float32 1,2,4: 1 2 3 4 5 6 7 8; float32 2,1,3: 1 1 1 0 1 2", "float32 1,2,2: 3 9 17 23" },
  { "Convolution", "kernel=(2, 2); num_filter=1; no_bias=True; layout=NHWC",
    "float32 1,2,2,2: 1 2 3 4 5 6 7 8; float32 1,2,2,2: 1 0 0 1 1 0 0 1", "float32 1,1,1,1: 18" },
  { "Convolution", "kernel=(2, 2); num_filter=1; no_bias=True",
    "float32 1,1,1,1: 1; float32 1,1,2,2: 1 1 1 1", .error = "window" },
  { "FullyConnected", "num_hidden=2",
    "float32 1,1,3: 1 2 3; float32 2,3: 1 0 1 0 1 0; float32 2: 10 20", "float32 1,2: 14 22" },
  { "FullyConnected", "num_hidden=2; no_bias=True; flatten=False",
    "float32 1,2,2: 1 2 3 4; float32 2,2: 1 0 1 1", "float32 1,2,2: 1 3 3 7" },
  { "FullyConnected", "num_hidden=1; flatten=False",
    "float32 1,2,2: 1 2 3 4; float32 1,2: 1 1; float32 1: 5", "float32 1,2,1: 8 12" },
  { "FullyConnected", "num_hidden=2", "float32 2: 1 3; float32 2,1: 1 2; float32 2: 0 0",
    "float32 2,2: 1 2 3 6" },
  { "FullyConnected", "num_hidden=2", "float32 1,2: 1 2; float32 2,2: 1 0 0 1; float32 2,1: 1 2",
    "float32 1,2: 2 4" },
  { NULL },
};

/* (x - mean) / sqrt (var + eps) * gamma + beta; gamma is 1 unless fix_gamma is off. */
static const LowerCase norm_cases[] = {
  { "BatchNorm", "eps=0.0", "float32 1,2,1,2: 1 2 3 4; " NORM_PARAMETERS,
    "float32 1,2,1,2: 2 4 0 0.5", .tolerance = 1e-6 },
  { "BatchNorm", "eps=0.0; fix_gamma=False", "float32 1,2,1,2: 1 2 3 4; " NORM_PARAMETERS,
    "float32 1,2,1,2: 3 7 2 3.5", .tolerance = 1e-6 },
  { "BatchNorm", "",
    "float32 1,2: 1 3; float32 2: 2 3; float32 2: 0 0; float32 2: 0 0; float32 2: 1 1",
    "float32 1,2: 0.99950037 2.9985011", .tolerance = 1e-6 },
  { "BatchNorm", "eps=0.0; axis=-1; fix_gamma=False", "float32 1,1,2,2: 1 3 2 4; " NORM_PARAMETERS,
    "float32 1,1,2,2: 3 2 7 3.5", .tolerance = 1e-6 },
  { "BatchNorm", "eps=0.0; output_mean_var=True", "float32 1,2: 1 3; " NORM_PARAMETERS,
    "float32 1,2: 2 0; float32 2: 0.5 1; float32 2: 2 0.5", .tolerance = 1e-6 },
  { "_contrib_BatchNormWithReLU", "eps=0.0", "float32 1,2: -1 3; " NORM_PARAMETERS,
    "float32 1,2: 0 0", .tolerance = 1e-6 },
  { NULL },
};

#define IMAGE "float32 1,1,3,3: 1 2 3 4 5 6 7 8 9"

static const LowerCase pool_cases[] = {
  { "Pooling", "kernel=(2, 2); pool_type=max", IMAGE, "float32 1,1,2,2: 5 6 8 9" },
  { "Pooling", "kernel=(2, 2); pool_type=max; stride=(2, 2)", IMAGE, "float32 1,1,1,1: 5" },
  { "Pooling", "kernel=(2, 2); pool_type=max; stride=(2, 2); pooling_convention=full", IMAGE,
    "float32 1,1,2,2: 5 6 8 9" },
  { "Pooling", "kernel=(2, 2); pool_type=avg; stride=(2, 2); pooling_convention=full", IMAGE,
    "float32 1,1,2,2: 3 4.5 7.5 9" },
  { "Pooling", "kernel=(2, 2); pool_type=sum; stride=(2, 2); pooling_convention=full", IMAGE,
    "float32 1,1,2,2: 12 9 15 9" },
  { "Pooling", "kernel=(3, 3); pool_type=avg; pad=(1, 1); stride=(2, 2)", IMAGE,
    "float32 1,1,2,2: 1.3333334 1.7777778 2.6666667 3.1111112", .tolerance = 1e-6 },
  { "Pooling", "kernel=(3, 3); pool_type=avg; pad=(1, 1); stride=(2, 2); count_include_pad=False",
    IMAGE, "float32 1,1,2,2: 3 4 6 7", .tolerance = 1e-6 },
  { "Pooling", "kernel=(2, 2); pool_type=max; pooling_convention=same", IMAGE,
    "float32 1,1,3,3: 5 6 6 8 9 9 8 9 9" },
  { "Pooling", "kernel=(2, 2); pool_type=lp; p_value=2", "float32 1,1,2,2: 1 2 3 4",
    "float32 1,1,1,1: 5.4772256", .tolerance = 1e-6 },
  { "Pooling", "kernel=(2,); pool_type=avg; layout=NWC", "float32 1,3,1: 1 2 4",
    "float32 1,2,1: 1.5 3" },
  { "Pooling", "kernel=(2, 2); pool_type=avg; global_pool=True", IMAGE, "float32 1,1,1,1: 5" },
  { "Pooling", "pool_type=max; global_pool=True", IMAGE, "float32 1,1,1,1: 9" },
  { "Pooling", "pool_type=sum; global_pool=True; layout=NHWC", "float32 1,2,2,1: 1 2 3 4",
    "float32 1,1,1,1: 10" },
  { "Pooling", "kernel=(1, 1); stride=(3, 3); pooling_convention=full; pad=(1, 1)",
    "float32 1,1,1,1: 1", .error = "wholly outside" },
  { NULL },
};

static const LowerCase activation_cases[] = {
  { "Activation", "act_type=relu", "float32 3: -1 0 2", "float32 3: 0 0 2" },
  { "Activation", "act_type=sigmoid", "float32 2: 0 1", "float32 2: 0.5 0.7310586",
    .tolerance = 1e-6 },
  { "Activation", "act_type=softrelu", "float32 2: 0 1", "float32 2: 0.6931472 1.3132617",
    .tolerance = 1e-6 },
  { "Activation", "act_type=log_sigmoid", "float32 1: 1", "float32 1: -0.3132617",
    .tolerance = 1e-6 },
  { "Activation", "act_type=tanh", "float16 1: 1", "float16 1: 0.76171875" },
  { "Activation", "act_type=cubic", "float32 1: 1", .error = "act_type cubic is not known" },
  { "LeakyReLU", "", "float32 2: -1 2", "float32 2: -0.25 2" },
  { "LeakyReLU", "act_type=prelu", "float32 1,2,2: -1 2 -3 -4; float32 2: 0.5 0.1",
    "float32 1,2,2: -0.5 2 -0.3 -0.4", .tolerance = 1e-6 },
  { "LeakyReLU", "act_type=prelu", "float32 1,2: -1 -2; float32 1: 0.5", "float32 1,2: -0.5 -1" },
  { "LeakyReLU", "act_type=elu; slope=1.0", "float32 2: -1 2", "float32 2: -0.63212056 2",
    .tolerance = 1e-6 },
  { "LeakyReLU", "act_type=gelu", "float32 1: 1", "float32 1: 0.8413447", .tolerance = 1e-6 },
  { "LeakyReLU", "act_type=rrelu", "float32 1: -1", "float32 1: -0.2295", .tolerance = 1e-6 },
  { "SoftmaxActivation", "", "float32 1,2,1: 0 0", "float32 1,2,1: 0.5 0.5" },
  { "SoftmaxOutput", "", "float32 1,2: 0 1.0986123; -", "float32 1,2: 0.25 0.75",
    .tolerance = 1e-6 },
  { "SoftmaxOutput", "multi_output=True", "float32 1,2,2: 0 0 0 1.0986123; float32 1,2: 0 1",
    "float32 1,2,2: 0.5 0.25 0.5 0.75", .tolerance = 1e-6 },
  { "SoftmaxOutput", "", "float32 1,2,1: 0 1.0986123; float32 1,2: 0 0", "float32 1,2,1: 0.25 0.75",
    .tolerance = 1e-6 },
  { "LogisticRegressionOutput", "", "float32 1,1: 0; float32 1: 1", "float32 1,1: 0.5" },
  { "smooth_l1", "scalar=1.0", "float32 3: -0.5 2 0", "float32 3: 0.125 1.5 0" },
  { "Dropout", "p=0.9", "float32 2: 1 2", "float32 2: 1 2; float32 2: 1 1" },
  { "Dropout", "mode=always", "float32 2: 1 2", .error = "drops at random" },
  { NULL },
};

static const LowerCase element_cases[] = {
  { "elemwise_add", "", "float32 2: 1 2; float32 2: 3 4", "float32 2: 4 6" },
  { "broadcast_div", "", "float32 2,1: 1 2; float32 2: 2 4", "float32 2,2: 0.5 0.25 1 0.5" },
  { "broadcast_mod", "", "float32 4: 5 -5 5 3; float32 4: 3 3 -3 0", "float32 4: 2 1 -1 0" },
  { "broadcast_lesser", "", "float32 2: 1 2; float32 1: 2", "float32 2: 1 0" },
  { "broadcast_logical_xor", "", "float32 4: 0 0 1 2; float32 4: 0 3 0 1", "float32 4: 0 1 1 0" },
  { "broadcast_hypot", "", "float32 1: 3; float32 1: 4", "float32 1: 5" },
  { "_rminus_scalar", "scalar=1", "float32 2: 3 4", "float32 2: -2 -3" },
  { "_rdiv_scalar", "scalar=6.0", "float32 2: 3 4", "float32 2: 2 1.5" },
  { "_rmod_scalar", "scalar=5", "float32 2: 3 -3", "float32 2: 2 -1" },
  { "_greater_scalar", "scalar=2", "float32 2: 1 3", "float32 2: 0 1" },
  { "_logical_and_scalar", "scalar=2", "float32 2: 0 3", "float32 2: 0 1" },
  { "_mul_scalar", "scalar=2", "int32 2: 1 3", "int32 2: 2 6" },
  { "clip", "a_min=0; a_max=1", "float32 3: -1 0.5 4", "float32 3: 0 0.5 1" },
  { "round", "", "float32 4: 0.5 -1.5 2.4999 0.49999997", "float32 4: 1 -2 2 0" },
  { "rint", "", "float32 4: 0.5 -1.5 2.51 -0.4", "float32 4: 0 -2 3 0" },
  { "fix", "", "float32 2: -1.7 1.7", "float32 2: -1 1" },
  { "cbrt", "", "float32 2: -8 27", "float32 2: -2 3" },
  { "rsqrt", "", "float32 2: 4 16", "float32 2: 0.5 0.25" },
  { "erfinv", "", "float64 4: 0.5 -0.9999 0 1",
    "float64 4: 0.4769362762044699 -2.751063905712061 0 inf", .tolerance = 1e-13 },
  { "digamma", "", "float64 3: 1 -0.5 20",
    "float64 3: -0.5772156649015329 0.03648997397857652 2.970523992242149", .tolerance = 1e-12 },
  { "gammaln", "", "float64 2: 0.5 10", "float64 2: 0.5723649429247001 12.801827480081469",
    .tolerance = 1e-13 },
  { "log1p", "", "float32 1: 1e-8", "float32 1: 1e-8", .tolerance = 1e-7 },
  { "logical_not", "", "float32 2: 0 3", "float32 2: 1 0" },
  { "ones_like", "", "float32 2: nan 3", "float32 2: 1 1" },
  { "_contrib_div_sqrt_dim", "", "float32 1,4: 2 4 6 8", "float32 1,4: 1 2 3 4" },
  { "hard_sigmoid", "", "float32 3: -9 1 9", "float32 3: 0 0.7 1", .tolerance = 1e-6 },
  { "where", "", "float32 2: 1 0; float32 2,1: 1 2; float32 2,1: 3 4", "float32 2,1: 1 4" },
  { "add_n", "num_args=3", "float32 1: 1; float32 1: 2; float32 1: 4", "float32 1: 7" },
  { "Cast", "dtype=int32", "float32 2: 1.7 -1.7", "int32 2: 1 -1" },
  { "amp_multicast", "num_outputs=2", "float16 1: 1; float32 1: 2", "float32 1: 1; float32 1: 2" },
  { "Reshape", "shape=(0, -4, 2, -1, -3)", "float32 1,4,1,2: 1 2 3 4 5 6 7 8",
    "float32 1,2,2,2: 1 2 3 4 5 6 7 8" },
  { "Flatten", "", "float32 2,1,2: 1 2 3 4", "float32 2,2: 1 2 3 4" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-weights", weight_cases);
  lower_case_add_all ("mxnet-norm", norm_cases);
  lower_case_add_all ("mxnet-pool", pool_cases);
  lower_case_add_all ("mxnet-activation", activation_cases);
  lower_case_add_all ("mxnet-elements", element_cases);
  return g_test_run ();
}
