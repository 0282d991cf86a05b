/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* Layers of NNVM.  The numbers are those of loops over the definitions. */

#define OP "nnvm:"

static const LowerCase window_cases[] = {
  { OP "conv2d", "channels=3; kernel_size=(3, 3); strides=(2, 2); padding=(1, 1)",
    "float32 1,2,4,4: 0 0.75 2 -2 1.5 -0.25 -1.75 -0.75 -1.25 0.75 1.75 -0.25 1 -1.25 "
    "-0.25 -2 -0.5 1.25 0 -0.75 1 -0.75 -1.5 -1 1.5 -1 -1 -2 -2 -0.5 -0.5 -0.75; float32 "
    "3,2,3,3: -0.75 0.25 0.5 -0.5 -0.5 -0.75 -0.5 1 0.25 -2 0.75 1.25 -0.75 -1 0 -1.5 0.5 "
    "0.25 -2 0.5 -1.5 0.25 0.75 0.25 1.75 0.5 -0.75 1.75 1.75 -0.75 -1.75 0 -2 0.75 1 -2 "
    "1.25 0.75 1 -2 1.5 -1.75 -0.75 -0.5 -1.25 -0.25 1.5 0.75 2 0.75 2 0 1.5 -1.25; "
    "float32 3: 0.75 0.25 -1.75",
    "float32 1,3,2,2: 2.4375 -1.75 -1.0625 0.125 1.375 -0.0625 5.375 4.8125 1.0625 5.25 "
    "-5.3125 -8.375",
    .tolerance = 1e-05 },
  { OP "conv2d", "channels=3; kernel_size=(3, 3); layout=NHWC; kernel_layout=HWIO; use_bias=False",
    "float32 1,4,4,2: 0 -0.5 0.75 1.25 2 0 -2 -0.75 1.5 1 -0.25 -0.75 -1.75 -1.5 -0.75 -1 "
    "-1.25 1.5 0.75 -1 1.75 -1 -0.25 -2 1 -2 -1.25 -0.5 -0.25 -0.5 -2 -0.75; float32 "
    "3,3,2,3: -0.75 -2 1.25 -2 1.75 -0.25 0.25 0.5 0.75 0.75 1.75 1.5 0.5 -1.5 1 1.25 "
    "-0.75 0.75 -0.5 0.25 -2 -0.75 -1.75 2 -0.5 0.75 1.5 -1 0 0.75 -0.75 0.25 -1.75 0 -2 "
    "2 -0.5 1.75 -0.75 -1.5 0.75 0 1 0.5 -0.5 0.5 1 1.5 0.25 -0.75 -1.25 0.25 -2 -1.25",
    "float32 1,2,2,3: 2.625 -1.3125 0.8125 0.9375 11.625 -6 -6.875 1.4375 -1.6875 -0.625 "
    "4.5625 -6.625",
    .tolerance = 1e-05 },
  { OP "conv2d", "channels=2; kernel_size=(2, 2); dilation=(2, 2); groups=2; use_bias=False",
    "float32 1,2,4,4: 0 0.75 2 -2 1.5 -0.25 -1.75 -0.75 -1.25 0.75 1.75 -0.25 1 -1.25 "
    "-0.25 -2 -0.5 1.25 0 -0.75 1 -0.75 -1.5 -1 1.5 -1 -1 -2 -2 -0.5 -0.5 -0.75; float32 "
    "2,1,2,2: 1.25 -1.5 -0.5 0.5 2 0.75 -1 0.5",
    "float32 1,2,2,2: -1.5 3.4375 3.875 0.4375 -3 1.9375 2.625 -2.125", .tolerance = 1e-05 },
  { OP "conv2d_transpose",
    "channels=1; kernel_size=(3, 3); strides=(2, 2); padding=(1, 1); output_padding=(1, 1); "
    "use_bias=False",
    "float32 1,2,2,2: 0 -1.5 0.25 0.5 0.25 -0.75 -1.5 -1; float32 2,1,3,3: 0.25 1.75 "
    "-0.75 -1.75 -1.5 1 -1.75 -0.25 0.75 0 1.5 1.25 -1 -1.75 -1.75 1.75 0.5 -0.5",
    "float32 1,1,4,4: -0.4375 2.9375 3.5625 -0.1875 -1.6875 -0.75 -0.625 -2.375 2.25 3 1 "
    "2.25 -0.8125 -1.6875 -0.625 0.875",
    .tolerance = 1e-05 },
  { OP "max_pool2d", "pool_size=(3, 3); strides=(2, 2); padding=(0, 0, 1, 1)",
    "float32 1,1,4,4: -1 -1 1.25 -1.25 -0.75 1.25 0.75 -1 -1.75 1.25 0.25 -1 1.5 -0.75 2 "
    "1.5",
    "float32 1,1,2,2: 1.25 1.25 2 2", .tolerance = 1e-05 },
  { OP "avg_pool2d", "pool_size=(3, 3); strides=(2, 2); padding=(1, 1)",
    "float32 1,1,4,4: -1 -1 1.25 -1.25 -0.75 1.25 0.75 -1 -1.75 1.25 0.25 -1 1.5 -0.75 2 "
    "1.5",
    "float32 1,1,2,2: -0.375 0 0.125 0.472222209", .tolerance = 1e-05 },
  { OP "avg_pool2d", "pool_size=(3, 3); strides=(2, 2); padding=(1, 1); count_include_pad=True",
    "float32 1,1,4,4: -1 -1 1.25 -1.25 -0.75 1.25 0.75 -1 -1.75 1.25 0.25 -1 1.5 -0.75 2 "
    "1.5",
    "float32 1,1,2,2: -0.166666672 0 0.0833333358 0.472222209", .tolerance = 1e-05 },
  { OP "dense", "units=2",
    "float32 2,3: 1.75 0.5 1.75 0 0.25 1.75; float32 2,3: 1 -1 -1.25 1 -0.75 1.75; "
    "float32 2: 0.5 -0.75",
    "float32 2,2: -0.4375 3.6875 -1.9375 2.125", .tolerance = 1e-05 },
  { OP "batch_norm", "epsilon=0.5",
    "float32 1,2,2,2: -1.5 1.75 0 2 2 0.75 -1.5 0.75; float32 2: 2 3; float32 2: 1 -1; "
    "float32 2: 0.5 -0.5; float32 2: 1 4",
    "float32 1,2,2,2: -2.26598644 3.04124141 0.183503419 3.44948983 2.53553391 "
    "0.767766953 -2.41421366 0.767766953",
    .tolerance = 1e-05 },
  { OP "batch_norm", "epsilon=0.5; scale=False",
    "float32 1,2,2,2: -1.5 1.75 0 2 2 0.75 -1.5 0.75; float32 2: 2 3; float32 2: 1 -1; "
    "float32 2: 0.5 -0.5; float32 2: 1 4",
    "float32 1,2,2,2: -0.632993162 2.02062082 0.591751695 2.2247448 0.178511307 "
    "-0.410744339 -1.47140455 -0.410744339",
    .tolerance = 1e-05 },
  { OP "global_avg_pool2d", "layout=NHWC", "float32 1,2,1,2: 1 2 5 -2", "float32 1,1,1,2: 3 0" },
  { OP "global_max_pool2d", "", "float32 1,2,1,2: 1 2 5 -2", "float32 1,2,1,1: 2 5" },
  { OP "upsampling", "scale=2", "float32 1,1,1,2: 1 2", "float32 1,1,2,4: 1 1 2 2 1 1 2 2" },
  { OP "resize", "size=(1, 4)", "float32 1,1,1,2: 1 2", "float32 1,1,1,4: 1 1.5 2 2" },
  { NULL },
};

static const LowerCase other_cases[] = {
  { OP "l2_normalize", "eps=1e-05; axis=(1,)", "float32 2,2: 1 2 -2 4",
    "float32 2,2: 0.44721359 0.89442718 -0.44721359 0.89442718", .tolerance = 1e-05 },
  { OP "leaky_relu", "alpha=0.5", "float32 2: -4 4", "float32 2: -2 4" },
  { OP "prelu", "", "float32 1,2: -4 -4; float32 2: 0.5 2", "float32 1,2: -2 -8" },
  { OP "broadcast_add", "", "float32 2,2: 1 2 3 4; float32 2: 10 20", "float32 2,2: 11 22 13 24" },
  { OP "broadcast_less", "", "float32 2: 1 3; float32 1: 2", "float32 2: 1 0" },
  { OP "elemwise_sum", "num_args=3", "float32 2: 1 3; float32 2: 10 30; float32 2: 5 5",
    "float32 2: 16 38" },
  { OP "__rsub_scalar__", "scalar=3", "float32 2: 1 5", "float32 2: 2 -2" },
  { OP "__rpow_scalar__", "scalar=2", "float32 2: 1 3", "float32 2: 2 8" },
  { OP "full_like", "fill_value=1.5", "float32 2: 1 3", "float32 2: 1.5 1.5" },
  { OP "softmax", "", "float32 1,2: 0 0", "float32 1,2: 0.5 0.5" },
  { OP "flatten", "", "float32 1,2,2: 1 2 3 4", "float32 1,4: 1 2 3 4" },
  { OP "expand_dims", "axis=1; num_newaxis=2", "float32 2: 1 2", "float32 2,1,1: 1 2" },
  { OP "squeeze", "", "float32 1,2,1: 1 2", "float32 2: 1 2" },
  { OP "squeeze", "axis=(0,)", "float32 1,2,1: 1 2", "float32 2,1: 1 2" },
  { OP "concatenate", "", "float32 2,1: 1 2; float32 2,2: 3 4 5 6", "float32 2,3: 1 3 4 2 5 6" },
  { OP "split", "indices_or_sections=2", "float32 1,4: 1 2 3 4",
    "float32 1,2: 1 2; float32 1,2: 3 4" },
  { OP "split", "indices_or_sections=(1, 3); axis=0", "float32 4: 1 2 3 4",
    "float32 1: 1; float32 2: 2 3; float32 1: 4" },
  { OP "split", "indices_or_sections=(1,); axis=0", "float32 2: 1 2",
    "float32 1: 1; float32 1: 2" },
  { OP "strided_slice", "begin=(0, 1); end=(1, 4); stride=(1, 2)", "float32 2,4: 1 2 3 4 5 6 7 8",
    "float32 1,2: 2 4" },
  { OP "take", "axis=1", "float32 2,2: 1 2 3 4; int32 1: 1", "float32 2,1: 2 4" },
  { OP "take", "", "float32 2,2: 1 2 3 4; int32 2: 3 0", "float32 2: 4 1" },
  { OP "pad", "pad_width=((0, 0), (1, 2)); pad_value=9", "float32 1,2: 1 2",
    "float32 1,5: 9 1 2 9 9" },
  { OP "transpose", "", "float32 1,2: 1 2", "float32 2,1: 1 2" },
  { OP "sum", "axis=(1,); keepdims=True", "float32 2,2: 1 2 3 4", "float32 2,1: 3 7" },
  { OP "max", "axis=(0,); exclude=True", "float32 2,2: 1 2 3 4", "float32 2: 2 4" },
  { OP "argmax", "axis=1", "float32 2,2: 1 2 4 3", "int32 2: 1 0" },
  { OP "matmul", "transpose_b=True", "float32 1,2: 1 2; float32 1,2: 3 4", "float32 1,1: 11" },
  { OP "slice_like", "axis=(1,)", "float32 1,3: 1 2 3; float32 1,2: 0 0", "float32 1,2: 1 2" },
  { OP "full", "shape=(2,); fill_value=3", "", "float32 2: 3 3" },
  { OP "cast", "dtype=int32", "float32 2: 1.5 -2", "int32 2: 1 -2" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("lower-nnvm/window", window_cases);
  lower_case_add_all ("lower-nnvm/other", other_cases);
  return g_test_run ();
}
