/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* Layers of OpenVINO.  The numbers are those of numpy, in loops over the definitions. */

#define OP "openvino:"
#define OLD "openvino-old:"

static const LowerCase window_cases[] = {
  { OP "Convolution",
    "strides=[1, 1]; pads_begin=[1, 0]; pads_end=[0, 1]; dilations=[1, 1]; auto_pad=explicit",
    "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25; "
    "float32 3,2,3,3: 0.5 -1 -0.5 0.125 -0.25 0.75 1.5 -1.25 1 0.25 -0.75 -0.25 0.75 1.5 "
    "-1.25 1 0.25 -0.75 0.5 -1 -0.5 0.125 1 0.25 -0.75 0.5 -1 -0.5 0.125 -0.25 0.75 1.5 "
    "-1.25 -1 -0.5 0.125 -0.25 0.75 1.5 -1.25 1 0.25 -0.75 0.5 0.75 1.5 -1.25 1 0.25 "
    "-0.75 0.5 -1 -0.5 0.125",
    "float32 1,3,3,3: -2.875 1.65625 -2.21875 -0.25 -4.625 4.8125 -0.90625 5.03125 "
    "-4.3125 0 -0.4375 0.46875 -2.3125 0.59375 0.96875 -1 -1.1875 1.40625 2.5 -2.46875 "
    "0.3125 1.1875 -2.5625 0.125 -5.21875 3.40625 -0.4375",
    .tolerance = 1e-05 },
  { OP "Convolution",
    "strides=[2, 2]; pads_begin=[0, 0]; pads_end=[0, 0]; dilations=[1, 1]; auto_pad=same_upper",
    "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25; "
    "float32 3,2,3,3: 0.5 -1 -0.5 0.125 -0.25 0.75 1.5 -1.25 1 0.25 -0.75 -0.25 0.75 1.5 "
    "-1.25 1 0.25 -0.75 0.5 -1 -0.5 0.125 1 0.25 -0.75 0.5 -1 -0.5 0.125 -0.25 0.75 1.5 "
    "-1.25 -1 -0.5 0.125 -0.25 0.75 1.5 -1.25 1 0.25 -0.75 0.5 0.75 1.5 -1.25 1 0.25 "
    "-0.75 0.5 -1 -0.5 0.125",
    "float32 1,3,2,2: -0.25 4.8125 1.46875 -1.40625 -2.3125 0.96875 1.3125 -0.90625 "
    "1.1875 0.125 -0.25 3.8125",
    .tolerance = 1e-05 },
  { OP "GroupConvolution", "strides=[1, 1]; pads_begin=[0, 0]; pads_end=[0, 0]; dilations=[1, 1]",
    "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25; "
    "float32 2,2,1,3,3: 0.5 -1 -0.5 0.125 -0.25 0.75 1.5 -1.25 1 0.25 -0.75 -0.25 0.75 "
    "1.5 -1.25 1 0.25 -0.75 0.5 -1 -0.5 0.125 1 0.25 -0.75 0.5 -1 -0.5 0.125 -0.25 0.75 "
    "1.5 -1.25 -1 -0.5 0.125",
    "float32 1,4,2,2: -0.5625 -1.4375 2.46875 2.28125 -0.0625 -2.875 -0.3125 0.3125 "
    "-0.71875 -0.1875 0.03125 1.59375 0.375 -1.03125 -0.78125 -0.46875",
    .tolerance = 1e-05 },
  { OP "ConvolutionBackpropData",
    "strides=[2, 2]; pads_begin=[0, 0]; pads_end=[0, 0]; dilations=[1, 1]; output_padding=[1, 0]",
    "float32 1,2,2,2: -0.5 1.25 1 0 0 -1 -1.25 0.5; float32 2,1,2,2: 0.5 -1 0 1 -0.5 0.5 "
    "-1 0",
    "float32 1,1,5,4: -0.25 0.5 1.125 -1.75 0 -0.5 1 1.25 1.125 -1.625 -0.25 0.25 1.25 1 "
    "-0.5 0 0 0 0 0",
    .tolerance = 1e-05 },
  { OP "ConvolutionBackpropData",
    "strides=[2, 2]; pads_begin=[0, 0]; pads_end=[0, 0]; dilations=[1, 1]; output_shape=[5, 4]",
    "float32 1,2,2,2: -0.5 1.25 1 0 0 -1 -1.25 0.5; float32 2,1,2,2: 0.5 -1 0 1 -0.5 0.5 "
    "-1 0; int64 2: 5 4",
    "float32 1,1,5,4: -0.25 0.5 1.125 -1.75 0 -0.5 1 1.25 1.125 -1.625 -0.25 0.25 1.25 1 "
    "-0.5 0 0 0 0 0",
    .tolerance = 1e-05 },
  { OP "MaxPool",
    "kernel=[2, 2]; strides=[2, 2]; pads_begin=[0, 0]; pads_end=[0, 0]; rounding_type=floor",
    "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25",
    "float32 1,2,2,2: 1.25 0.75 1.25 1 0.5 1.25 0.75 1" },
  { OP "AvgPool",
    "kernel=[3, 3]; strides=[2, 2]; pads_begin=[1, 1]; pads_end=[1, 1]; exclude-pad=True",
    "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25",
    "float32 1,2,2,2: 0.4375 0.0833333358 0.166666672 -0.111111112 -0.4375 0.125 -0.25 "
    "0.0833333358",
    .tolerance = 1e-05 },
  { OP "AvgPool",
    "kernel=[3, 3]; strides=[2, 2]; pads_begin=[1, 1]; pads_end=[1, 1]; exclude-pad=False",
    "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25",
    "float32 1,2,2,2: 0.194444448 0.055555556 0.111111112 -0.111111112 -0.194444448 "
    "0.0833333358 -0.166666672 0.0833333358",
    .tolerance = 1e-05 },
  { OP "Interpolate",
    "mode=nearest; shape_calculation_mode=sizes; coordinate_transformation_mode=asymmetric; "
    "nearest_mode=floor; axes=[2, 3]",
    "float32 1,1,2,3: -0.5 1.25 0.25 -0.75 1 0; int64 2: 4 6; float32 2: 2 2; int64 2: 2 "
    "3",
    "float32 1,1,4,6: -0.5 -0.5 1.25 1.25 0.25 0.25 -0.5 -0.5 1.25 1.25 0.25 0.25 -0.75 "
    "-0.75 1 1 0 0 -0.75 -0.75 1 1 0 0" },
  { OP "Interpolate",
    "mode=nearest; shape_calculation_mode=scales; coordinate_transformation_mode=asymmetric; "
    "nearest_mode=floor; axes=[2, 3]",
    "float32 1,1,2,3: -0.5 1.25 0.25 -0.75 1 0; int64 2: 4 6; float32 2: 2 2; int64 2: 2 "
    "3",
    "float32 1,1,4,6: -0.5 -0.5 1.25 1.25 0.25 0.25 -0.5 -0.5 1.25 1.25 0.25 0.25 -0.75 "
    "-0.75 1 1 0 0 -0.75 -0.75 1 1 0 0" },
  { OP "Interpolate",
    "mode=nearest; shape_calculation_mode=scales; coordinate_transformation_mode=asymmetric; "
    "nearest_mode=floor; axes=[0]",
    "float32 1,2: 1 2; int64 1: 2; float32 1: 2; int64 1: 0", "float32 2,2: 1 2 1 2" },
  { OP "Interpolate",
    "mode=nearest; shape_calculation_mode=sizes; coordinate_transformation_mode=asymmetric; "
    "nearest_mode=floor; axes=[0]",
    "float32 1,2: 1 2; int64 1: 2; float32 1: 2; int64 1: 0", "float32 2,2: 1 2 1 2" },
  { OP "BatchNormInference", "epsilon=0.001",
    "float32 1,2,4,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25; "
    "float32 2: 2 0.5; float32 2: 0.100000001 0.200000003; float32 2: 0.5 -0.25; float32 "
    "2: 1.5 0.5",
    "float32 1,2,4,4: -1.53244901 1.32433677 -0.308112264 -1.94056118 0.916224539 "
    "-0.716224492 -2.34867358 0.508112252 -1.12433672 -2.75678587 0.100000001 -1.53244901 "
    "1.32433677 -0.308112264 -1.94056118 0.916224539 0.376600206 -0.329800606 0.90640074 "
    "0.200000003 -0.506400764 0.729800582 0.023399815 1.25960124 0.553200364 -0.153200373 "
    "1.08300102 0.376600206 -0.329800606 0.90640074 0.200000003 -0.506400764",
    .tolerance = 1e-05 },
  { OP "MVN", "axes=[2]; eps=0.001; eps_mode=inside_sqrt; normalize_variance=True",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 1: 2",
    "float32 2,3,4: -0.722301185 1.524858 0.240767062 -1.04332387 1.04332387 -0.240767062 "
    "-1.524858 0.722301185 0.199744493 -1.39821148 1.39821148 -0.199744493 1.04332387 "
    "-0.240767062 -1.524858 0.722301185 0.199744493 -1.39821148 1.39821148 -0.199744493 "
    "-1.3123405 0.524936199 -0.524936199 1.3123405",
    .tolerance = 1e-05 },
  { OP "MVN", "axes=[-1]; eps=0.001; eps_mode=outside_sqrt; normalize_variance=True",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 1: -1",
    "float32 2,3,4: -0.721969545 1.524158 0.240656525 -1.04284489 1.04284489 -0.240656525 "
    "-1.524158 0.721969545 0.199680522 -1.39776361 1.39776361 -0.199680522 1.04284489 "
    "-0.240656525 -1.524158 0.721969545 0.199680522 -1.39776361 1.39776361 -0.199680522 "
    "-1.31168652 0.524674594 -0.524674594 1.31168652",
    .tolerance = 1e-05 },
  { OP "NormalizeL2", "axes=[1]; eps=0.001; eps_mode=add",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 1: 1",
    "float32 2,3,4: -0.436269611 0.706993699 0.218134806 -0.639369726 0.872539222 0 "
    "-0.872539222 0.639369726 -0.218134806 -0.706993699 0.436269611 -0.426246464 "
    "0.706993699 0.218134806 -0.639369726 0.617095888 0 -0.872539222 0.639369726 "
    "-0.154273972 -0.706993699 0.436269611 -0.426246464 0.771369815",
    .tolerance = 1e-05 },
  { OP "SoftMax", "axis=1",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25",
    "float32 2,3,4: 0.147804052 0.730679095 0.389024824 0.147804037 0.662411809 "
    "0.209343076 0.11145746 0.662411809 0.189784139 0.0599777885 0.499517679 0.189784154 "
    "0.730679095 0.389024824 0.147804037 0.389024794 0.209343076 0.11145746 0.662411809 "
    "0.11145746 0.0599777885 0.499517679 0.189784154 0.499517709",
    .tolerance = 1e-05 },
  { NULL },
};
static const LowerCase shape_cases[] = {
  { OP "Reshape", "special_zero=True",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 2: 0 -1",
    "float32 2,12: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25" },
  { OP "Transpose", "order=[2, 0, 1]",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 3: 2 0 1",
    "float32 4,2,3: -0.5 1 -0.25 1.25 0 -1.25 1.25 0 -1.25 0.25 -1 0.5 0.25 -1 0.5 -0.75 "
    "0.75 -0.5 -0.75 0.75 -0.5 1 -0.25 1.25" },
  { OP "Squeeze", "axes=[0]", "float32 1,2: -0.5 1.25; int64 1: 0", "float32 2: -0.5 1.25" },
  { OP "Unsqueeze", "", "float32 2: -0.5 1.25; int64 1: 0", "float32 1,2: -0.5 1.25" },
  { OP "Concat", "axis=1", "float32 2,1: -0.5 1.25; float32 2,2: -0.5 1.25 0.25 -0.75",
    "float32 2,3: -0.5 -0.5 1.25 1.25 0.25 -0.75" },
  { OP "Split", "axis=2; num_splits=2",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 : 2",
    "float32 2,3,2: -0.5 1.25 1 0 -0.25 -1.25 1.25 0.25 0 -1 -1.25 0.5; float32 2,3,2: "
    "0.25 -0.75 -1 0.75 0.5 -0.5 -0.75 1 0.75 -0.25 -0.5 1.25" },
  { OP "VariadicSplit", "axis=1; split_lengths=[1, -1]",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 : 1; int64 2: 1 -1",
    "float32 2,1,4: -0.5 1.25 0.25 -0.75 1.25 0.25 -0.75 1; float32 2,2,4: 1 0 -1 0.75 "
    "-0.25 -1.25 0.5 -0.5 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25" },
  { OP "Broadcast", "mode=numpy", "float32 3,1: -0.5 1.25 0.25; int64 3: 2 3 2",
    "float32 2,3,2: -0.5 -0.5 1.25 1.25 0.25 0.25 -0.5 -0.5 1.25 1.25 0.25 0.25" },
  { OP "Broadcast", "mode=explicit; axes_mapping=[1]",
    "float32 3: -0.5 1.25 0.25; int64 3: 2 3 2; int64 1: 1",
    "float32 2,3,2: -0.5 -0.5 1.25 1.25 0.25 0.25 -0.5 -0.5 1.25 1.25 0.25 0.25" },
  { OP "Tile", "repeats=[2, 1, 2]", "float32 2,2: -0.5 1.25 0.25 -0.75; int64 3: 2 1 2",
    "float32 2,2,4: -0.5 1.25 -0.5 1.25 0.25 -0.75 0.25 -0.75 -0.5 1.25 -0.5 1.25 0.25 "
    "-0.75 0.25 -0.75" },
  { OP "ShapeOf", "output_type=i32",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25",
    "int32 3: 2 3 4" },
  { OP "StridedSlice",
    "begin=[0, 1]; end=[2, 3]; stride=[1, 1]; begin_mask=[0, 0]; end_mask=[0, 0]",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 2: 0 1; int64 2: 2 3; int64 2: 1 1",
    "float32 2,2,4: 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25" },
  { OP "StridedSlice",
    "begin=[0, 1, 0]; end=[0, 2, 3]; stride=[1, 1, 2]; begin_mask=[1, 0, 0]; end_mask=[1, 0, 0]; "
    "shrink_axis_mask=[0, 1, 0]",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 3: 0 1 0; int64 3: 0 2 3; int64 3: 1 1 "
    "2",
    "float32 2,2: 1 -1 0 0.75" },
  { OP "StridedSlice",
    "begin=[0, 0]; end=[0, 0]; stride=[1, 1]; begin_mask=[1, 1]; end_mask=[1, 1]; "
    "new_axis_mask=[1, 0]",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 2: 0 0; int64 2: 0 0; int64 2: 1 1",
    "float32 1,2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25" },
  { OP "StridedSlice",
    "begin=[0, -1]; end=[0, 0]; stride=[1, 1]; begin_mask=[0, 0]; end_mask=[0, 0]; "
    "ellipsis_mask=[1, 0]; shrink_axis_mask=[0, 1]",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 2: 0 -1; int64 2: 0 0; int64 2: 1 1",
    "float32 2,3: -0.75 0.75 -0.5 1 -0.25 1.25" },
  { OP "StridedSlice", "begin=[0]; end=[0]; stride=[-1]; begin_mask=[1]; end_mask=[1]",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 1: 0; int64 1: 0; int64 1: -1",
    "float32 2,3,4: 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 -0.5 1.25 0.25 "
    "-0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5" },
  { OP "StridedSlice",
    "begin=[2]; end=[4]; stride=[1]; begin_mask=[0]; end_mask=[1]; new_axis_mask=[0]",
    "int64 5: 1 184 24 42 7; int64 1: 2; int64 1: 4; int64 1: 1", "int64 3: 24 42 7" },
  { OP "StridedSlice", "begin=[1]; end=[3]; stride=[1]",
    "int64 4: 1 184 24 42; int64 1: 1; int64 1: 3; int64 1: 1", "int64 2: 184 24" },
  { OLD "StridedSlice", "begin=[2]; end=[3]; stride=[1]; begin_mask=[1]; end_mask=[0]",
    "int64 4: 1 184 24 42; int64 1: 2; int64 1: 3; int64 1: 1", "int64 2: 24 42" },
  { OLD "StridedSlice", "begin=[1]; end=[3]; stride=[1]",
    "int64 4: 1 184 24 42; int64 1: 1; int64 1: 3; int64 1: 1", "int64 2: 184 24" },
  { OP "Slice", "",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 1: 1; int64 1: 3; int64 1: 1; int64 1: "
    "2",
    "float32 2,3,2: 1.25 0.25 0 -1 -1.25 0.5 0.25 -0.75 -1 0.75 0.5 -0.5" },
  { OP "Gather", "axis=1; batch_dims=0",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 2: 2 0; int64 : 1",
    "float32 2,2,4: -0.25 -1.25 0.5 -0.5 -0.5 1.25 0.25 -0.75 -1.25 0.5 -0.5 1.25 1.25 "
    "0.25 -0.75 1" },
  { OP "ScatterElementsUpdate", "axis=0",
    "float32 3: -0.5 1.25 0.25; int64 1: 1; float32 1: 9; int64 : 0", "float32 3: -0.5 9 0.25" },
  { OP "ScatterUpdate", "axis=0", "float32 3: 1 2 3; int64 2: 2 -3; float32 2: 7 8; int64 : 0",
    "float32 3: 8 2 7" },
  { OP "ScatterUpdate", "axis=-2",
    "float32 2,3,1: 1 2 3 4 5 6; int32 1,2: 2 0; float32 2,1,2,1: 9 8 7 6; int64 1: -2",
    "float32 2,3,1: 8 2 9 6 5 7" },
  { OP "Pad", "pad_mode=constant",
    "float32 2,2: -0.5 1.25 0.25 -0.75; int64 2: 0 1; int64 2: 1 0; float32 : 3",
    "float32 3,3: 3 -0.5 1.25 3 0.25 -0.75 3 3 3" },
  { OP "DepthToSpace", "block_size=2; mode=depth_first",
    "float32 1,4,1,2: -0.5 1.25 0.25 -0.75 1 0 -1 0.75",
    "float32 1,1,2,4: -0.5 0.25 1.25 -0.75 1 -1 0 0.75" },
  { OP "DepthToSpace", "block_size=2; mode=blocks_first",
    "float32 1,4,1,2: -0.5 1.25 0.25 -0.75 1 0 -1 0.75",
    "float32 1,1,2,4: -0.5 0.25 1.25 -0.75 1 -1 0 0.75" },
  { OP "ShuffleChannels", "axis=1; group=2", "float32 1,4,1,2: -0.5 1.25 0.25 -0.75 1 0 -1 0.75",
    "float32 1,4,1,2: -0.5 1.25 1 0 0.25 -0.75 -1 0.75" },
  { NULL },
};
static const LowerCase other_cases[] = {
  { OP "ReduceMean", "keep_dims=True",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 2: 1 2",
    "float32 2,1,1: -0.0416666679 0.104166664", .tolerance = 1e-05 },
  { OP "ReduceL2", "keep_dims=False",
    "float32 2,3,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25 0.25 -0.75 "
    "1 0 -1 0.75 -0.25 -1.25 0.5 -0.5 1.25; int64 1: -1",
    "float32 2,3: 1.56124949 1.60078108 1.45773792 1.78535712 1.27475488 1.9039433",
    .tolerance = 1e-05 },
  { OP "ReduceLogicalOr", "keep_dims=False", "bool 2,2: 0 1 0 0; int64 1: 1", "bool 2: 1 0" },
  { OP "TopK", "axis=-1; mode=max; sort=value; index_element_type=i32",
    "float32 1,3: 3 1 2; int64 : 2", "float32 1,2: 3 2; int32 1,2: 0 2" },
  { OP "CumSum", "exclusive=False; reverse=True",
    "float32 2,3: -0.5 1.25 0.25 -0.75 1 0; int64 : 1", "float32 2,3: 1 1.5 0.25 0.25 1 0",
    .tolerance = 1e-05 },
  { OP "Range", "output_type=f32", "int64 : 1; int64 : 6; int64 : 2", "float32 3: 1 3 5" },
  { OP "OneHot", "axis=-1", "int64 2: 2 0; int64 : 3; float32 : 5; float32 : 1",
    "float32 2,3: 1 1 5 5 1 1" },
  { OP "MatMul", "transpose_a=False; transpose_b=True",
    "float32 2,3: -0.5 1.25 0.25 -0.75 1 0; float32 2,3: 0.5 -1 0 1 -0.5 0.5",
    "float32 2,2: -1.5 -1 -1.375 -1.25", .tolerance = 1e-05 },
  { OP "ScaledDotProductAttention", "causal=False",
    "float32 1,2,4: -0.5 1.25 0.25 -0.75 1 0 -1 0.75; float32 1,3,4: -1 -2.5 -1.5 -0.5 -2 "
    "-1 -2.5 -1.5 -0.5 -2 -1 -2.5; float32 1,3,2: -0.5 -0.5 -0.5 -0.5 -0.5 -0.5",
    "float32 1,2,2: -0.50000006 -0.50000006 -0.5 -0.5", .tolerance = 1e-05 },
  { OP "HSigmoid", "", "float32 7: -4 -1 -0.5 0 0.5 1 7",
    "float32 7: 0 0.333333343 0.416666657 0.5 0.583333313 0.666666687 1", .tolerance = 1e-05 },
  { OP "Clamp", "min=-0.5; max=0.75", "float32 7: -4 -1 -0.5 0 0.5 1 7",
    "float32 7: -0.5 -0.5 -0.5 0 0.5 0.75 0.75" },
  { OP "Swish", "", "float32 7: -4 -1 -0.5 0 0.5 1 7; float32 : 2",
    "float32 7: -0.00134140055 -0.119202934 -0.134470701 0 0.365529299 0.880797029 "
    "6.99999428",
    .tolerance = 1e-05 },
  { OP "Elu", "alpha=0.5", "float32 7: -4 -1 -0.5 0 0.5 1 7",
    "float32 7: -0.490842193 -0.316060305 -0.196734667 0 0.5 1 7", .tolerance = 1e-05 },
  { OP "HardSigmoid", "", "float32 7: -4 -1 -0.5 0 0.5 1 7; float32 : 0.200000003; float32 : 0.5",
    "float32 7: 0 0.300000012 0.400000006 0.5 0.600000024 0.699999988 1", .tolerance = 1e-05 },
  { OP "PReLU", "", "float32 2,2: -1 -2 3 -4; float32 2: 0.5 0.100000001",
    "float32 2,2: -0.5 -0.200000003 3 -0.400000006", .tolerance = 1e-06 },
  { OP "PRelu", "", "float32 1,2: -1 -2; float32 2: 0.5 0.25", "float32 1,2: -0.5 -0.5" },
  { OP "Relu", "", "float32 3: -1 0 2", "float32 3: 0 0 2" },
  { OP "PReLU", "", "float16 2,2: -1 -2 3 -4; float32 2: 0.5 0.25", "float16 2,2: -0.5 -0.5 3 -1" },
  { OP "Convert", "destination_type=i32", "float32 7: -4 -1 -0.5 0 0.5 1 7",
    "int32 7: -4 -1 0 0 0 1 7" },
  { OP "FloorMod", "", "float32 2: -3 3; float32 2: 2 -2", "float32 2: 1 -1" },
  { OP "Select", "",
    "bool 7: 0 0 0 0 1 1 1; float32 7: -4 -1 -0.5 0 0.5 1 7; float32 7: 4 1 0.5 -0 -0.5 "
    "-1 -7",
    "float32 7: 4 1 0.5 0 0.5 1 7" },
  { OP "FakeQuantize", "levels=5",
    "float32 4: -1 0.300000012 0.800000012 3; float32 : 0; float32 : 1; float32 : 0; "
    "float32 : 2",
    "float32 4: 0 0.5 1.5 2", .tolerance = 1e-06 },
  { NULL },
};

/* What is no attribute, as the file has no constant there, is known of operands. */
static const LowerCase known_cases[] = {
  { OP "Transpose", "", "float32 1,2: 3 4; int64 2: 1 0", "float32 2,1: 3 4" },
  { OP "StridedSlice", "begin_mask=[0]; end_mask=[0]",
    "float32 4: 1 2 3 4; int32 1: 1; int32 1: 3; int32 1: 1", "float32 2: 2 3" },
  { OP "ScatterUpdate", "", "float32 3: 1 2 3; int64 1: 2; float32 1: 7; int64 : 0",
    "float32 3: 1 2 7" },
  { NULL },
};

/* Sizes of boxes are numbers that the shape needs. */
static const LowerCase box_cases[] = {
  { OP "PriorBox",
    "min_size=[0.25, 0.5]; max_size=10.0; aspect_ratio=4.0; scale_all_sizes=0; step=-1.0; "
    "offset=0.25",
    "int64 2: 2 1; int64 2: 20 40",
    "float32 2,32: 0 0 0.125 0.25 -0.0258883476 -0.0517766953 0.150888348 0.301776695 -0.0625 "
    "-0.125 0.1875 0.375 -0.0625 0.0625 0.1875 0.1875 0 0.5 0.125 0.75 -0.0258883476 "
    "0.448223305 0.150888348 0.801776695 -0.0625 0.375 0.1875 0.875 -0.0625 0.5625 0.1875 "
    "0.6875 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 "
    "0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1",
    .tolerance = 1e-05 },
  { OP "PriorBox", "min_size=0.25; scale_all_sizes=0; step=0.5; offset=0.75",
    "int64 2: 1 2; int64 2: 20 40",
    "float32 2,8: 0.125 0.25 0.25 0.5 0.375 0.25 0.5 0.5 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1",
    .tolerance = 1e-05 },
  { OP "PriorBox", "min_size=0.25; scale_all_sizes=0; step=0.0; offset=0.75",
    "int64 2: 1 2; int64 2: 20 40",
    "float32 2,8: 0.1875 0.375 0.3125 0.625 0.6875 0.375 0.8125 0.625 0.1 0.1 0.1 0.1 0.1 0.1 "
    "0.1 0.1",
    .tolerance = 1e-05 },
  { OP "PriorBox",
    "min_size=[6.0, 10.0]; max_size=[12.0, 20.0]; aspect_ratio=4.0; min_max_aspect_ratios_order=0",
    "int64 2: 1 1; int64 2: 20 40",
    "float32 2,24: 0.425 0.35 0.575 0.65 0.35 0.425 0.65 0.575 0.393933983 0.287867966 "
    "0.606066017 0.712132034 0.375 0.25 0.625 0.75 0.25 0.375 0.75 0.625 0.323223305 "
    "0.146446609 0.676776695 0.853553391 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 "
    "0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1 0.1",
    .tolerance = 1e-05 },
  { OP "ROIAlign", "pooled_h=1; pooled_w=1; sampling_ratio=1; spatial_scale=0.5; mode=avg",
    "float32 1,1,2,2: 0 1 2 3; float32 2,4: 0 0 4 4 0 0 2 4; int32 2: 0 0",
    "float32 2,1,1,1: 3 2.5" },
  { OP "PriorBoxClustered", "width=8.0; height=6.0; step_w=10.0; step_h=5.0; offset=0.5",
    "int64 2: 1 2; int64 2: 20 40",
    "float32 2,8: 0.0250000004 -0.0250000004 0.224999994 0.275000006 0.275000006 -0.0250000004 "
    "0.474999994 0.275000006 0.100000001 0.100000001 0.100000001 0.100000001 0.100000001 "
    "0.100000001 0.100000001 0.100000001",
    .tolerance = 1e-05 },
  { NULL },
};

/* Sizes or factors of some axes are written of all, as tools of operator set 17 know no axes. */
static void
test_interpolate_is_old (void)
{
  static const LowerCase cases[] = {
    { OP "Interpolate", "shape_calculation_mode=sizes; axes=[2, 3]",
      "float32 1,1,2,3: 1 2 3 4 5 6; int64 2: 4 6; float32 2: 2 2; int64 2: 2 3", "-" },
    { OP "Interpolate", "shape_calculation_mode=scales; axes=[2, 3]",
      "float32 1,1,2,3: 1 2 3 4 5 6; int64 2: 4 6; float32 2: 2 2; int64 2: 2 3", "-" },
    { OP "Interpolate", "shape_calculation_mode=scales; axes=[1, 2]",
      "float32 1,2,3,2: 1 2 3 4 5 6 7 8 9 10 11 12; int64 2: 4 6; float32 2: 2 2; int64 2: 1 2",
      "-" },
    { OP "Interpolate", "shape_calculation_mode=scales; axes=[0, 1]",
      "float32 2,3: 1 2 3 4 5 6; int64 2: 4 6; float32 2: 2 2; int64 2: 0 1", "-" },
  };
  g_autofree char *folder = quick_folder_new ();
  g_autofree char *path = g_build_filename (folder, "m.onnxtxt", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymLayer) layer = lower_case_new_layer (&cases[i]);
      LowerModel model = lower_case_build (&cases[i], layer);
      g_autoptr (SymInference) inference = sym_infer (model.model, NULL, 0, NULL, NULL);
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;

      sym_io_write (sym_io_find_format ("onnx-text"), model.model, inference, path, NULL, &error);
      g_assert_no_error (error);
      g_file_get_contents (path, &text, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (strstr (text, "opset_import: [\"\" : 17]"));
      lower_case_clear (&model);
    }
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("lower-openvino/window", window_cases);
  lower_case_add_all ("lower-openvino/shape", shape_cases);
  lower_case_add_all ("lower-openvino/other", other_cases);
  lower_case_add_constants ("lower-openvino/boxes", box_cases);
  lower_case_add_constants ("lower-openvino/known", known_cases);
  g_test_add_func ("/run/lower-openvino/interpolate-needs-no-new-operator-set",
                   test_interpolate_is_old);
  return g_test_run ();
}
