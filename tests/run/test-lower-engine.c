/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* Layers of inference engines on floats.  The numbers are those of loops over the definitions. */

static const LowerCase window_cases[] = {
  { "tosa:CONV2D", "pad=[1, 0, 0, 1]; stride=[2, 1]; dilation=[1, 1]",
    "float32 1,4,4,2: 0 -0.5 0.75 1.25 2 0 -2 -0.75 1.5 1 -0.25 -0.75 -1.75 -1.5 -0.75 -1 "
    "-1.25 1.5 0.75 -1 1.75 -1 -0.25 -2 1 -2 -1.25 -0.5 -0.25 -0.5 -2 -0.75; float32 "
    "3,3,3,2: -0.75 -2 0.25 0.75 0.5 1.25 -0.5 -0.75 -0.5 -1 -0.75 0 -0.5 -1.5 1 0.5 0.25 "
    "0.25 -2 1.75 0.5 1.75 -1.5 -0.75 0.25 -1.75 0.75 0 0.25 -2 1.75 0.75 0.5 1 -0.75 -2 "
    "1.25 -0.25 0.75 1.5 1 0.75 -2 2 1.5 0.75 -1.75 2 -0.75 0 -0.5 1.5 -1.25 -1.25; "
    "float32 3: 0.75 0.25 -1.75",
    "float32 1,2,3,3: -5.6875 9 -2.25 -1.75 -0.0625 5.25 3.375 -6.3125 -9.125 -6.125 "
    "1.6875 -3.4375 0.125 4.8125 -8.375 4.625 -1.5625 -12.9375",
    .tolerance = 1e-05 },
  { "qnn:Conv2d", "pad_amount=[[1, 0], [0, 1]]; stride=[2, 1]; dilation=[1, 1]; group=1",
    "float32 1,4,4,2: 0 -0.5 0.75 1.25 2 0 -2 -0.75 1.5 1 -0.25 -0.75 -1.75 -1.5 -0.75 -1 "
    "-1.25 1.5 0.75 -1 1.75 -1 -0.25 -2 1 -2 -1.25 -0.5 -0.25 -0.5 -2 -0.75; float32 "
    "3,3,2,3: -0.75 -2 1.25 -2 1.75 -0.25 0.25 0.5 0.75 0.75 1.75 1.5 0.5 -1.5 1 1.25 "
    "-0.75 0.75 -0.5 0.25 -2 -0.75 -1.75 2 -0.5 0.75 1.5 -1 0 0.75 -0.75 0.25 -1.75 0 -2 "
    "2 -0.5 1.75 -0.75 -1.5 0.75 0 1 0.5 -0.5 0.5 1 1.5 0.25 -0.75 -1.25 0.25 -2 -1.25; "
    "float32 3: 0.75 0.25 -1.75",
    "float32 1,2,3,3: -5.6875 9 -2.25 -1.75 -0.0625 5.25 3.375 -6.3125 -9.125 -6.125 "
    "1.6875 -3.4375 0.125 4.8125 -8.375 4.625 -1.5625 -12.9375",
    .tolerance = 1e-05 },
  { "armnn:Convolution2d", "padTop=1; padRight=1; strideY=2; strideX=1; dataLayout=NHWC",
    "float32 1,4,4,2: 0 -0.5 0.75 1.25 2 0 -2 -0.75 1.5 1 -0.25 -0.75 -1.75 -1.5 -0.75 -1 "
    "-1.25 1.5 0.75 -1 1.75 -1 -0.25 -2 1 -2 -1.25 -0.5 -0.25 -0.5 -2 -0.75; float32 "
    "3,3,3,2: -0.75 -2 0.25 0.75 0.5 1.25 -0.5 -0.75 -0.5 -1 -0.75 0 -0.5 -1.5 1 0.5 0.25 "
    "0.25 -2 1.75 0.5 1.75 -1.5 -0.75 0.25 -1.75 0.75 0 0.25 -2 1.75 0.75 0.5 1 -0.75 -2 "
    "1.25 -0.25 0.75 1.5 1 0.75 -2 2 1.5 0.75 -1.75 2 -0.75 0 -0.5 1.5 -1.25 -1.25; "
    "float32 3: 0.75 0.25 -1.75",
    "float32 1,2,3,3: -5.6875 9 -2.25 -1.75 -0.0625 5.25 3.375 -6.3125 -9.125 -6.125 "
    "1.6875 -3.4375 0.125 4.8125 -8.375 4.625 -1.5625 -12.9375",
    .tolerance = 1e-05 },
  { "armnn:Convolution2d", "padTop=1; padRight=1; strideY=2; strideX=1",
    "float32 1,2,4,4: 0 0.75 2 -2 1.5 -0.25 -1.75 -0.75 -1.25 0.75 1.75 -0.25 1 -1.25 "
    "-0.25 -2 -0.5 1.25 0 -0.75 1 -0.75 -1.5 -1 1.5 -1 -1 -2 -2 -0.5 -0.5 -0.75; float32 "
    "3,2,3,3: -0.75 0.25 0.5 -0.5 -0.5 -0.75 -0.5 1 0.25 -2 0.75 1.25 -0.75 -1 0 -1.5 0.5 "
    "0.25 -2 0.5 -1.5 0.25 0.75 0.25 1.75 0.5 -0.75 1.75 1.75 -0.75 -1.75 0 -2 0.75 1 -2 "
    "1.25 0.75 1 -2 1.5 -1.75 -0.75 -0.5 -1.25 -0.25 1.5 0.75 2 0.75 2 0 1.5 -1.25; "
    "float32 3: 0.75 0.25 -1.75",
    "float32 1,3,2,3: -5.6875 -1.75 3.375 -6.125 0.125 4.625 9 -0.0625 -6.3125 1.6875 "
    "4.8125 -1.5625 -2.25 5.25 -9.125 -3.4375 -8.375 -12.9375",
    .tolerance = 1e-05 },
  { "tosa:DEPTHWISE_CONV2D", "pad=[0, 0, 0, 0]; stride=[1, 1]; dilation=[1, 1]",
    "float32 1,4,4,2: 0 -0.5 0.75 1.25 2 0 -2 -0.75 1.5 1 -0.25 -0.75 -1.75 -1.5 -0.75 -1 "
    "-1.25 1.5 0.75 -1 1.75 -1 -0.25 -2 1 -2 -1.25 -0.5 -0.25 -0.5 -2 -0.75; float32 "
    "3,3,2,2: 1.25 -1.5 -0.75 1.25 -1.5 0.25 -1.75 -1 -0.5 0.5 -1.5 -1.75 0.5 0.25 1 "
    "-1.75 2 -0.75 -1.75 1.75 0.75 -1.5 -0.25 0.5 -1 -1 0.75 -0.5 0.5 0.25 0 -1 0 1.75 "
    "1.5 -1; float32 4: 0 0 0 0",
    "float32 1,2,2,4: -1.5625 8.875 0.5 -4.4375 -5.125 0 -1.4375 4.5625 3.6875 -8.4375 "
    "4.0625 1.75 7.5 -3.5 4.4375 2.8125",
    .tolerance = 1e-05 },
  { "qnn:DepthWiseConv2d", "pad_amount=[[0, 0], [0, 0]]; stride=[1, 1]; dilation=[1, 1]",
    "float32 1,4,4,2: 0 -0.5 0.75 1.25 2 0 -2 -0.75 1.5 1 -0.25 -0.75 -1.75 -1.5 -0.75 -1 "
    "-1.25 1.5 0.75 -1 1.75 -1 -0.25 -2 1 -2 -1.25 -0.5 -0.25 -0.5 -2 -0.75; float32 "
    "3,3,1,4: 1.25 -1.5 -0.75 1.25 -1.5 0.25 -1.75 -1 -0.5 0.5 -1.5 -1.75 0.5 0.25 1 "
    "-1.75 2 -0.75 -1.75 1.75 0.75 -1.5 -0.25 0.5 -1 -1 0.75 -0.5 0.5 0.25 0 -1 0 1.75 "
    "1.5 -1",
    "float32 1,2,2,4: -1.5625 8.875 0.5 -4.4375 -5.125 0 -1.4375 4.5625 3.6875 -8.4375 "
    "4.0625 1.75 7.5 -3.5 4.4375 2.8125",
    .tolerance = 1e-05 },
  { "armnn:DepthwiseConvolution2d", "strideX=1; strideY=1; dataLayout=NHWC",
    "float32 1,4,4,2: 0 -0.5 0.75 1.25 2 0 -2 -0.75 1.5 1 -0.25 -0.75 -1.75 -1.5 -0.75 -1 "
    "-1.25 1.5 0.75 -1 1.75 -1 -0.25 -2 1 -2 -1.25 -0.5 -0.25 -0.5 -2 -0.75; float32 "
    "1,3,3,4: 1.25 -1.5 -0.75 1.25 -1.5 0.25 -1.75 -1 -0.5 0.5 -1.5 -1.75 0.5 0.25 1 "
    "-1.75 2 -0.75 -1.75 1.75 0.75 -1.5 -0.25 0.5 -1 -1 0.75 -0.5 0.5 0.25 0 -1 0 1.75 "
    "1.5 -1",
    "float32 1,2,2,4: -1.5625 8.875 0.5 -4.4375 -5.125 0 -1.4375 4.5625 3.6875 -8.4375 "
    "4.0625 1.75 7.5 -3.5 4.4375 2.8125",
    .tolerance = 1e-05 },
  { "tosa:TRANSPOSE_CONV2D", "out_pad=[-1, 0, 0, -1]; stride=[2, 2]",
    "float32 1,2,2,2: 1.25 0.75 -1.25 -1 -0.75 -1.75 1.25 1.25; float32 1,3,3,2: 0.25 0 "
    "-1 0.25 1.5 1.75 -0.75 1 2 -1 1.5 -1.25 1.75 1 0.5 -0.75 1.75 1.75; float32 1: 0",
    "float32 1,4,4,1: -0.1875 1.75 0.875 -1.5 2.75 0.375 -3.5625 -0.8125 -1.1875 0.25 "
    "1.375 1.25 -3.0625 0.9375 -0.9375 -0.3125",
    .tolerance = 1e-05 },
  { "qnn:TransposeConv2d", "pad_amount=[[1, 0], [0, 1]]; stride=[2, 2]",
    "float32 1,2,2,2: 1.25 0.75 -1.25 -1 -0.75 -1.75 1.25 1.25; float32 3,3,2,1: 0.25 0 "
    "-1 0.25 1.5 1.75 -0.75 1 2 -1 1.5 -1.25 1.75 1 0.5 -0.75 1.75 1.75",
    "float32 1,4,4,1: -0.1875 1.75 0.875 -1.5 2.75 0.375 -3.5625 -0.8125 -1.1875 0.25 "
    "1.375 1.25 -3.0625 0.9375 -0.9375 -0.3125",
    .tolerance = 1e-05 },
  { "armnn:TransposeConvolution2d", "padTop=1; padRight=1; strideX=2; strideY=2; dataLayout=NHWC",
    "float32 1,2,2,2: 1.25 0.75 -1.25 -1 -0.75 -1.75 1.25 1.25; float32 1,3,3,2: 0.25 0 "
    "-1 0.25 1.5 1.75 -0.75 1 2 -1 1.5 -1.25 1.75 1 0.5 -0.75 1.75 1.75",
    "float32 1,4,4,1: -0.1875 1.75 0.875 -1.5 2.75 0.375 -3.5625 -0.8125 -1.1875 0.25 "
    "1.375 1.25 -3.0625 0.9375 -0.9375 -0.3125",
    .tolerance = 1e-05 },
  { "tosa:MAX_POOL2D", "kernel=[2, 2]; stride=[2, 2]; pad=[0, 0, 0, 0]", "float32 1,2,2,1: 1 2 3 5",
    "float32 1,1,1,1: 5" },
  { "tosa:AVG_POOL2D", "kernel=[2, 2]; stride=[1, 1]; pad=[0, 1, 0, 0]", "float32 1,2,2,1: 1 2 3 5",
    "float32 1,2,1,1: 2.75 4" },
  { "qnn:PoolAvg2d",
    "filter_size=[2, 2]; stride=[1, 1]; pad_amount=[[0, 1], [0, 0]]; count_pad_for_edges=True",
    "float32 1,2,2,1: 1 2 3 5", "float32 1,2,1,1: 2.75 2" },
  { "qnn:PoolMax2d", "filter_size=[2, 2]; stride=[2, 2]; pad_amount=[[0, 0], [0, 0]]",
    "float32 1,2,2,1: 1 2 3 5", "float32 1,1,1,1: 5" },
  { "armnn:Pooling2d",
    "poolType=Average; poolWidth=2; poolHeight=2; strideX=2; strideY=2; paddingMethod=Exclude",
    "float32 1,2,2,1: 1 2 3 5", "float32 1,1,1,1: 2.75" },
  { NULL },
};

static const LowerCase other_cases[] = {
  { "tosa:FULLY_CONNECTED", "", "float32 1,2: 1 2; float32 2,2: 1 2 3 4; float32 2: 10 20",
    "float32 1,2: 15 31" },
  { "tosa:MATMUL", "", "float32 1,1,2: 1 2; float32 1,2,1: 3 4", "float32 1,1,1: 11" },
  { "tosa:ADD", "", "float32 1,2: 1 2; float32 1,1: 10", "float32 1,2: 11 12" },
  { "tosa:MUL", "shift=0", "float32 2: 1 2; float32 2: 3 4", "float32 2: 3 8" },
  { "tosa:NEGATE", "", "float32 2: 1 -2", "float32 2: -1 2" },
  { "tosa:CLAMP", "min_fp=0.0; max_fp=6.0", "float32 3: -1 2 9", "float32 3: 0 2 6" },
  { "tosa:SELECT", "output_dtype=float32", "bool 2: 1 0; float32 2: 1 2; float32 2: 3 4",
    "float32 2: 1 4" },
  { "tosa:GREATER", "output_dtype=bool", "float32 2: 1 4; float32 2: 3 3", "bool 2: 0 1" },
  { "tosa:REDUCE_SUM", "axis=1", "float32 1,3: 1 2 3", "float32 1,1: 6" },
  { "tosa:REDUCE_ANY", "axis=1", "bool 1,3: 0 1 0", "bool 1,1: 1" },
  { "tosa:ARGMAX", "axis=1; output_dtype=int32", "float32 1,3: 1 9 3", "int32 1: 1" },
  { "tosa:CONCAT", "axis=1", "float32 1,1: 1; float32 1,2: 2 3", "float32 1,3: 1 2 3" },
  { "tosa:RESHAPE", "new_shape=[2, 1]", "float32 1,2: 1 2", "float32 2,1: 1 2" },
  { "tosa:TRANSPOSE", "perms=[1, 0]", "float32 1,2: 1 2", "float32 2,1: 1 2" },
  { "tosa:TILE", "multiples=[1, 2]", "float32 1,2: 1 2", "float32 1,4: 1 2 1 2" },
  { "tosa:SLICE", "start=[0, 1]; size=[1, 2]", "float32 1,4: 1 2 3 4", "float32 1,2: 2 3" },
  { "tosa:PAD", "padding=[0, 0, 1, 2]; pad_const_fp=9.0", "float32 1,2: 1 2",
    "float32 1,5: 9 1 2 9 9" },
  { "tosa:REVERSE", "axis=1", "float32 1,3: 1 2 3", "float32 1,3: 3 2 1" },
  { "tosa:GATHER", "", "float32 1,3,2: 1 2 3 4 5 6; int32 1,2: 2 0", "float32 1,2,2: 5 6 1 2" },
  { "tosa:SCATTER", "", "float32 1,3,2: 1 2 3 4 5 6; int32 1,1: 1; float32 1,1,2: 8 9",
    "float32 1,3,2: 1 2 8 9 5 6" },
  { "tosa:CAST", "output_dtype=int32", "float32 3: 0.5 1.75 -1.75", "int32 3: 0 2 -2" },
  { "tosa:IDENTITY", "", "int32 1: 7", "int32 1: 7" },
  { "tosa:RSQRT", "", "float32 1: 4", "float32 1: 0.5" },
  { "qnn:FullyConnected", "", "float32 1,1,1,2: 1 2; float32 1,2: 3 4; float32 1: 10",
    "float32 1,1: 21" },
  { "qnn:MatMul", "transpose_in0=False; transpose_in1=True", "float32 1,2: 1 2; float32 1,2: 3 4",
    "float32 1,1: 11" },
  { "qnn:ElementWiseSubtract", "", "float32 2: 1 2; float32 1: 1", "float32 2: 0 1" },
  { "qnn:Softmax", "axis=1; beta=1.0", "float32 1,2: 0 0", "float32 1,2: 0.5 0.5" },
  { "qnn:Transpose", "perm=[1, 0]", "float32 1,2: 1 2", "float32 2,1: 1 2" },
  { "qnn:ReduceMean", "axes=[1]; keep_dims=True", "float32 1,2: 1 3", "float32 1,1: 2" },
  { "armnn:FullyConnected", "transposeWeightsMatrix=True",
    "float32 1,2: 1 2; float32 1,2: 3 4; float32 1: 10", "float32 1,1: 21" },
  { "armnn:FullyConnected", "", "float32 1,2: 1 2; float32 2,1: 3 4", "float32 1,1: 11" },
  { "armnn:Activation", "activationFunction=ReLu", "float32 2: -1 2", "float32 2: 0 2" },
  { "armnn:Permute", "dimMappings=[1, 2, 0]", "float32 1,2,3: 1 2 3 4 5 6",
    "float32 3,1,2: 1 4 2 5 3 6" },
  { "armnn:Mean", "axis=[1]", "float32 1,2: 1 3", "float32 1: 2" },
  { NULL },
};

/* Numbers of numpy, or of Python's own slices. */
static const LowerCase move_cases[] = {
  { "qnn:Reshape", "output_shape=[3, 1]", "float32 1,3: 1 2 3", "float32 3,1: 1 2 3" },
  { "qnn:Squeeze", "output_shape=[2]", "float32 1,2,1: 1 2", "float32 2: 1 2" },
  { "qnn:ExpandDims", "axis=1", "float32 2: 1 2", "float32 2,1: 1 2" },
  { "qnn:ResizeBilinear", "output_shape=[1, 1, 4, 1]; half_pixel_centers=True",
    "float32 1,1,2,1: 0 4", "float32 1,1,4,1: 0 1 3 4" },
  { "qnn:ResizeBilinear", "output_shape=[1, 1, 3, 1]; align_corners=True", "float32 1,1,2,1: 0 4",
    "float32 1,1,3,1: 0 2 4" },
  { "qnn:ResizeNearestNeighbor", "output_shape=[1, 2, 2, 2]", "float32 1,1,1,2: 1 2",
    "float32 1,2,2,2: 1 2 1 2 1 2 1 2" },
  { "qnn:StridedSlice", "ranges=[[0, 2, 1], [3, 0, -2]]", "float32 2,4: 1 2 3 4 5 6 7 8",
    "float32 2,2: 4 2 8 6" },
  { "qnn:StridedSlice", "ranges=[1, 2, 1, 1, 3, 1]; shrink_axes=1; end_mask=2",
    "float32 2,4: 1 2 3 4 5 6 7 8", "float32 3: 6 7 8" },
  { "qnn:Pad", "pad_amount=[[0, 0], [1, 2]]; pad_constant_value=9.0; scheme=0", "float32 1,2: 1 2",
    "float32 1,5: 9 1 2 9 9" },
  { "qnn:Pad", "pad_amount=[[0, 0], [1, 1]]; scheme=2", "float32 1,3: 1 2 3",
    "float32 1,5: 2 1 2 3 2" },
  { "qnn:Gather", "axis=1", "float32 1,3: 1 2 3; int32 2: 2 0", "float32 1,2: 3 1" },
  { "qnn:GatherNd", "batch_dims=0", "float32 2,2: 1 2 3 4; int32 1,2: 1 0", "float32 1: 3" },
  { "qnn:DepthToSpace", "block_size=[2, 2]; mode=0", "float32 1,1,1,4: 1 2 3 4",
    "float32 1,2,2,1: 1 2 3 4" },
  { "qnn:DepthToSpace", "block_size=[2, 2]; mode=1", "float32 1,1,1,8: 1 2 3 4 5 6 7 8",
    "float32 1,2,2,2: 1 5 2 6 3 7 4 8" },
  { "qnn:SpaceToDepth", "block_size=[2, 2]; mode=0", "float32 1,2,2,1: 1 2 3 4",
    "float32 1,1,1,4: 1 2 3 4" },
  { "qnn:Tile", "multiples=[1, 2]", "float32 1,2: 1 2", "float32 1,4: 1 2 1 2" },
  { "qnn:Pack", "axis=1", "float32 2: 1 2; float32 2: 3 4", "float32 2,2: 1 3 2 4" },
  { "qnn:Argmax", "axis=1; keep_dims=True; output_dtype=int32", "float32 1,3: 1 9 3",
    "int32 1,1: 1" },
  { "qnn:ElementWiseBinary", "operation=18", "float32 2: 5 7; float32 1: 2", "float32 2: 3 5" },
  { "qnn:ElementWiseBinary", "operation=17", "float32 2: 5 7; float32 1: 2", "float32 2: 9 25" },
  { "qnn:ElementWiseBinary", "operation=7; output_dtype=bool", "float32 2: 1 2; float32 1: 2",
    "bool 2: 0 1" },
  { "qnn:ElementWiseUnary", "operation=12", "float32 1: 4", "float32 1: 0.5" },
  { "qnn:ElementWiseNeuron", "operation=5; min_value=-1.0; max_value=3.0", "float32 3: -2 1 9",
    "float32 3: -1 1 3" },
  { "qnn:ElementWiseNeuron", "operation=2; alpha=0.5; beta=0.25", "float32 3: -2 1 9",
    "float32 3: 0 0.75 1" },
  { "qnn:ElementWiseSelect", "output_dtype=float32", "bool 2: 1 0; float32 2: 1 2; float32 2: 3 4",
    "float32 2: 1 4" },
  { "qnn:Prelu", "", "float32 2: -2 3; float32 1: 0.5", "float32 2: -1 3" },
  { "qnn:Batchnorm", "", "float32 1,2: 1 2; float32 2: 3 4; float32 2: 10 20",
    "float32 1,2: 13 28" },
  { "qnn:LayerNorm", "axes=[1]; epsilon=0.0", "float32 1,2: 1 3; float32 2: 2 2; float32 2: 1 1",
    "float32 1,2: -1 3" },
  { "armnn:Resize", "targetHeight=1; targetWidth=4; method=Bilinear; halfPixelCenters=True",
    "float32 1,1,2,1: 0 4", "float32 1,1,4,1: 0 1 3 4" },
  { "armnn:Resize", "targetHeight=2; targetWidth=1; dataLayout=NCHW", "float32 1,2,1,1: 1 2",
    "float32 1,2,2,1: 1 1 2 2" },
  { "armnn:StridedSlice", "begin=[0, 3]; end=[2, 0]; stride=[1, -2]",
    "float32 2,4: 1 2 3 4 5 6 7 8", "float32 2,2: 4 2 8 6" },
  { "armnn:StridedSlice", "begin=[1, 1]; end=[2, 3]; stride=[1, 1]; beginMask=2; shrinkAxisMask=1",
    "float32 2,4: 1 2 3 4 5 6 7 8", "float32 3: 5 6 7" },
  { "armnn:Slice", "begin=[0, 1]; size=[1, 2]", "float32 1,4: 1 2 3 4", "float32 1,2: 2 3" },
  { "armnn:Pad", "padList=[0, 0, 1, 2]; padValue=9.0", "float32 1,2: 1 2",
    "float32 1,5: 9 1 2 9 9" },
  { "armnn:Gather", "axis=1", "float32 1,3: 1 2 3; int32 2: 2 0", "float32 1,2: 3 1" },
  { "armnn:DepthToSpace", "blockSize=2", "float32 1,1,1,4: 1 2 3 4", "float32 1,2,2,1: 1 2 3 4" },
  { "armnn:Tile", "multiples=[1, 2]", "float32 1,2: 1 2", "float32 1,4: 1 2 1 2" },
  { "armnn:Stack", "axis=1", "float32 2: 1 2; float32 2: 3 4", "float32 2,2: 1 3 2 4" },
  { "armnn:BatchMatMul", "transposeY=True", "float32 1,1,2: 1 2; float32 1,1,2: 3 4",
    "float32 1,1,1: 11" },
  { "armnn:ElementwiseUnary", "operation=Rsqrt", "float32 1: 4", "float32 1: 0.5" },
  { "armnn:ElementwiseUnary", "", "float32 1: -4", "float32 1: 4" },
  { "armnn:ElementwiseBinary", "operation=SqDiff", "float32 1: 5; float32 1: 2", "float32 1: 9" },
  { "armnn:Comparison", "operation=Greater; output_dtype=bool", "float32 2: 1 4; float32 1: 2",
    "bool 2: 0 1" },
  { "armnn:ArgMinMax", "argMinMaxFunction=Max; axis=1; output_dtype=int32", "float32 1,3: 1 9 3",
    "int32 1: 1" },
  { "armnn:Reduce", "axis=[1]; reduceOperation=Max; keepDims=True", "float32 1,2: 1 3",
    "float32 1,1: 3" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("lower-engine/window", window_cases);
  lower_case_add_all ("lower-engine/other", other_cases);
  lower_case_add_all ("lower-engine/move", move_cases);
  return g_test_run ();
}
