/* SPDX-License-Identifier: MIT */
#include "rule-case.h"

/* Shapes of layers of inference engines: of weights that files do not hold, and of integers; and of
 * Keras's Lambda, which is told no more either. */

#define MNN .domain = "mnn"
#define QNN .domain = "qnn"
#define ARMNN .domain = "armnn"
#define TENSORRT .domain = "tensorrt"
#define TF .domain = "tf"
#define ACUITY .domain = "acuity"
#define TOSA .domain = "tosa"
#define KERAS .domain = "keras"

static const RuleCase cases[] = {
  { "Convolution", "outputCount=8; kernelX=3; kernelY=3; strideX=2; strideY=2; padX=1; padY=1",
    "1,3,9,9 * *", NULL, "1,3,9,9 8,3,3,3 8 -> 1,8,5,5", MNN },
  { "ConvolutionDepthwise", "outputCount=4; kernelX=3; kernelY=3; padMode=SAME; strideX=2; group=4",
    "1,4,9,9 * *", NULL, "1,4,9,9 4,1,3,3 4 -> 1,4,9,5", MNN },
  { "Convolution", "outputCount=8; kernelX=3; kernelY=3; pads=[0, 1, 1, 0]", "1,3,9,9 * *", NULL,
    "1,3,9,9 8,3,3,3 8 -> 1,8,8,8", MNN },
  { "Convolution", "kernelX=3", "1,3,9,9 * *", NULL, "1,3,9,9 ?,3,1,3 * -> 1,?,?,?", MNN },
  { "Convolution", "outputCount=8; kernelX=0", "1,3,9,9 * *", NULL, NULL,
    "kernelX of 0 makes no sense", MNN },
  { "Deconvolution", "outputCount=2; kernelX=4; kernelY=4; strideX=2; strideY=2; padX=1; padY=1",
    "1,3,8,8 * *", NULL, "1,3,8,8 3,2,4,4 2 -> 1,2,16,16", MNN },
  { "Pooling", "kernelX=2; kernelY=2; strideX=2; strideY=2", "1,3,7,7", NULL, "1,3,4,4", MNN },
  { "Pooling", "kernelX=2; kernelY=2; strideX=2; strideY=2; ceilModel=False", "1,3,7,7", NULL,
    "1,3,3,3", MNN },
  { "Pooling", "isGlobal=True", "1,3,7,7", NULL, "1,3,1,1", MNN },
  { "InnerProduct", "outputCount=5", "2,3,2,2 * *", NULL, "2,3,2,2 5,12 5 -> 2,5", MNN },
  { "BatchNorm", "", "1,3,2,2 * *", NULL, "1,3,2,2 3 3 -> 1,3,2,2", MNN },
  { "ConvertTensor", "source=NHWC; dest=NC4HW4", "1,5,6,3", NULL, "1,3,5,6", MNN },
  { "ConvertTensor", "source=NCHW; dest=NHWC", "1,3,5,6", NULL, "1,5,6,3", MNN },
  { "Interp", "widthScale=2.0; heightScale=2.0", "1,3,5,6", NULL, "1,3,10,12", MNN },
  { "Interp", "outputWidth=4; outputHeight=5", "1,3,?,6", NULL, "1,3,5,4", MNN },
  { "BinaryOp", "opType=ADD", "1,3,5,6 1,3,1,1", NULL, "1,3,5,6", MNN },
  { "Concat", "axis=1", "1,3,5:float32 1,2,5:float32", NULL, "1,5,5:float32", MNN },
  { "Reshape", "dims=[0, -1]", "2,3,5:float32", NULL, "2,15:float32", MNN },

  { "Lambda", "output_shape=[7, 10, 320]; output_shape_type='raw'", "?,7,10,320 ?,7,10,320", NULL,
    "?,7,10,320", KERAS },
  { "Lambda", "output_shape=[None, 4]", "2,5", NULL, "2,?,4", KERAS },
  { "Lambda", "output_shape=5", "*", NULL, "?,5", KERAS },
  { "Lambda", "output_shape=[4]; output_shape_type=lambda", "2,5", NULL, "*", KERAS },
  { "Lambda", "output_shape=['4wEA', None]; output_shape_type=lambda", "2,5", NULL, "*", KERAS },
  { "Lambda", "", "2,5", NULL, "*", KERAS },

  { "convolution",
    "weights=8; ksize_h=3; ksize_w=3; stride_h=2; stride_w=2; padding=SAME; layout=NHWC",
    "1,9,9,3 * *", NULL, "1,9,9,3 3,3,3,8 8 -> 1,5,5,8", ACUITY },
  { "convolution", "weights=8; ksize_h=3; ksize_w=3; pad=[1, 0, 1, 1]; padding=VALID; layout=NCHW",
    "1,3,9,9 *", NULL, "1,3,9,9 3,3,3,8 -> 1,8,8,9", ACUITY },
  { "convolution", "weights=8; ksize_h=3; ksize_w=3", "1,3,9,9 *", NULL, "1,3,9,9 * -> *", ACUITY },
  { "depthwise_convolution", "ksize_h=3; ksize_w=3; multiplier=2; layout=NHWC", "1,9,9,3 * *", NULL,
    "1,9,9,3 3,3,3,2 6 -> 1,7,7,6", ACUITY },
  { "pooling", "ksize_h=2; ksize_w=2; stride_h=2; stride_w=2; round_type=ceil; layout=NHWC",
    "1,9,9,3", NULL, "1,5,5,3", ACUITY },
  { "pooling", "global_pooling=True; layout=NCHW", "1,3,9,9", NULL, "1,3,1,1", ACUITY },
  { "depth2space", "block_size=2; layout=NHWC", "?,9,8,12", NULL, "?,18,16,3", ACUITY },
  { "depth2space", "block_size=[2, 3]; layout=NCHW", "1,12,9,8", NULL, "1,2,18,24", ACUITY },
  { "depth2space", "block_size=2", "1,12,9,8", NULL, "*", ACUITY },
  { "depth2space", "block_size=2; layout=NCHW", "1,6,9,8", NULL, NULL, "3 do not make blocks of 2",
    ACUITY },
  { "space2depth", "block_size=2; layout=NHWC", "1,18,16,3", NULL, "1,9,8,12", ACUITY },
  { "fullconnect", "weights=10; axis=1", "2,3,4 * *", NULL, "2,3,4 12,10 10 -> 2,10", ACUITY },
  { "batchnormalize", "layout=NHWC", "1,2,2,5 * * * *", NULL, "1,2,2,5 5 5 5 5 -> 1,2,2,5",
    ACUITY },
  { "upsampling", "factor=2; layout=NHWC", "1,3,4,5", NULL, "1,6,8,5", ACUITY },
  { "reshape", "shape=0 -1", "2,3,5:float32", NULL, "2,15:float32", ACUITY },
  { "pad", "padding_value=[[0, 0], [1, 2]]; padding_mode=CONSTANT", "2,3:float32", NULL,
    "2,6:float32", ACUITY },
  { "lstmunit", "weights=8; return_sequences=True", "2,5,3", "* * *", "2,5,8 2,8 2,8", ACUITY },
  { "lstmunit", "weights=8; num_proj=4; time_major=True", "5,2,3", "* * *", "2,4 2,4 2,8", ACUITY },
  { "lstmunit", "weights=8", "2,3", NULL, NULL, "3 axes", ACUITY },
  { "split", "dim=1; slices=[1]", "2,3:float32", "* *", "2,1:float32 2,2:float32", ACUITY },

  { "CONV2D", "pad=[1, 1, 1, 1]; stride=[1, 1]; dilation=[1, 1]; output_dtype=int32",
    "1,8,8,3:int8 4,3,3,3:int8 4:int32", NULL, "1,8,8,4:int32", TOSA },
  { "RESIZE", "scale=[4, 2, 4, 2]; offset=[0, 0]; border=[0, 0]", "1,8,8,3:float32", NULL,
    "1,15,15,3:float32", TOSA },
  { "RESCALE", "output_dtype=int8", "1,8:int32", NULL, "1,8:int8", TOSA },
  { "ADD", "", "1,8:int32 1,1:int32", NULL, "1,8:int32", TOSA },

  { "StridedSlice", "begin=[0, 1]; end=[0, 4]; strides=[1, 1]; beginMask=1; endMask=1",
    "2,8:float32 2:int32 2:int32 2:int32", NULL, "2,3:float32", MNN },
  { "StridedSlice", "begin=[1]; end=[7]; strides=[1]; steps=[2]; fromType=1",
    "2,8:float32 1:int32 1:int32 1:int32 1:int32", NULL, "2,3:float32", MNN },
  { "StridedSlice", "", "2,8:float32 2:int32 2:int32 2:int32", "?,?", "?,?", MNN },
  { "SliceTf", "begin=[0, 1]; size=[-1, 2]", "2,8:float32 2:int32 2:int32", NULL, "2,2:float32",
    MNN },
  { "Padding", "paddings=[0, 0, 1, 2]", "2,8:float32 2,2:int32", NULL, "2,11:float32", MNN },
  { "GatherV2", "axis=1", "2,8:float32 3:int32 ():int32", NULL, "2,3:float32", MNN },
  { "Transpose", "perm=[1, 0]", "2,8:float32 2:int32", NULL, "8,2:float32", MNN },
  { "ExpandDims", "axis=-1", "2,8:float32", NULL, "2,8,1:float32", MNN },
  { "Tile", "multiples=[1, 2]", "2,8:float32 2:int32", NULL, "2,16:float32", MNN },
  { "BroadcastTo", "shape=[3, 2, 8]", "2,8:float32 3:int32", NULL, "3,2,8:float32", MNN },
  { "Unpack", "axis=0", "2,8:float32", "* *", "8:float32 8:float32", MNN },
  { "Shape", "", "2,8:float32", NULL, "2:int32", MNN },
  { "Cast", "output_dtype=int32", "2,8:float32", NULL, "2,8:int32", MNN },
  { "BatchMatMul", "adjY=True", "5,2,8:float32 5,3,8:float32", NULL, "5,2,3:float32", MNN },
  { "BinaryOp", "opType=10", "2,8:float32 1,1:float32", NULL, "2,8:int32", MNN },
  { "Interp", "size=[4, 5]", "1,3,2,2 2", NULL, "1,3,4,5", MNN },

  { "ConcatV2", "N=2", "3:int32 1:int32 ():int32", NULL, "4:int32", TF },
  { "ConcatV2", "N=2", "3,2:int32 1,2:int32 ():int32", NULL, "?,?:int32", TF },
  { "GatherV2", "", "5:int32 2:int32 ():int32", NULL, "2:int32", TF },
  { "GatherV2", "", "5,4:int32 2:int32 ():int32", NULL, "?,?:int32", TF },
  { "Reshape", "", "():int32 1:int32", NULL, "1:int32", TF },
  { "Reshape", "", "2,3:int32 1:int32", NULL, "6:int32", TF },
  { "Reshape", "", "?,3:int32 1:int32", NULL, "?:int32", TF },
  { "Reshape", "", "2,3:int32 2:int32", NULL, "?,?:int32", TF },
  { "Split", "num_split=2", "():int32 6:float32", "* *", "3:float32 3:float32", TF },

  { "Reshape", "output_shape=[6, 2]", "3,4:uint8", NULL, "6,2:uint8", QNN },
  { "Reshape", "output_shape=[5, 2]", "3,4:uint8", NULL, NULL, "cannot reshape", QNN },
  { "Split", "axis=3; split_index=[2, 3]", "1,4,4,6:uint8", "* * *",
    "1,4,4,2:uint8 1,4,4,1:uint8 1,4,4,3:uint8", QNN },
  { "Split", "axis=3; split_index=[3, 2]", "1,4,4,6:uint8", "* * *", NULL, "part 2 begins", QNN },
  { "StridedSlice", "ranges=[[0, 1, 1], [1, 7, 2]]", "1,8:int16", NULL, "1,3:int16", QNN },
  { "StridedSlice", "ranges=[[0, 1], [1, 7]]", "1,8:int16", NULL, NULL, "3 numbers", QNN },
  { "Pad", "pad_amount=[[0, 0], [1, 2]]; scheme=1", "1,8:uint8", NULL, "1,11:uint8", QNN },
  { "UnPack", "axis=1", "3,2:uint8", "* *", "3:uint8 3:uint8", QNN },
  { "Gather", "axis=0", "9,4:uint8 2,3:int32", NULL, "2,3,4:uint8", QNN },
  { "ElementWiseBinary", "operation=3; output_dtype=bool", "1,8:uint8 1,1:uint8", NULL, "1,8:bool",
    QNN },
  { "Conv3d", "stride=[1, 1, 1]; pad_amount=[[0, 0], [0, 0], [1, 1]]",
    "1,4,5,6,2:float32 3,3,3,2,7:float32", NULL, "1,2,3,6,7:float32", QNN },
  { "Splitter", "viewOrigins=[[0, 0], [0, 2]]; viewSizes=[[1, 2], [1, 4]]", "1,6:uint8", "* *",
    "1,2:uint8 1,4:uint8", ARMNN },
  { "StridedSlice", "begin=[0, 1]; end=[1, 0]; stride=[1, 2]; endMask=2", "1,8:uint8", NULL,
    "1,4:uint8", ARMNN },
  { "Convolution2d", "strideX=1; strideY=1", "1,3,8,8:float32 4,3,3,3:float32", NULL,
    "1,4,6,6:float32", ARMNN },
  { "Convolution",
    "Kernel=[7, 7]; Stride=[2, 2]; PrePadding=[3, 3]; PostPadding=[3, 3]; OutMaps=64; Groups=1",
    "32,3,224,224 9408 64", NULL, "32,64,112,112", TENSORRT },
  { "Deconvolution", "ParameterType=Deconvolution; Kernel=[4]; Stride=[2]; OutMaps=5", "1,3,8 60",
    NULL, "1,5,18", TENSORRT },
  { "Convolution", "Kernel=[7, 7]; OutMaps=64", "32,3,224 9408", NULL, NULL, "Kernel should have 1",
    TENSORRT },
  { "Pooling", "WindowSize=[3, 3]; Stride=[2, 2]; PaddingMode=kEXPLICIT_ROUND_UP", "1,3,8,8", NULL,
    "1,3,4,4", TENSORRT },
  { "Pooling", "WindowSize=[3, 3]; Stride=[2, 2]; PaddingMode=kSAME_UPPER", "1,3,9,9", NULL,
    "1,3,5,5", TENSORRT },
  { "ConvActPool",
    "ConvKernel=[7, 7]; ConvPrePadding=[3, 3]; ConvPostPadding=[3, 3]; ConvStride=[2, 2]; "
    "ConvOutMaps=64; PoolingWindowSize=[3, 3]; PoolingPrePadding=[1, 1]; PoolingPostPadding=[1, "
    "1]; PoolingStride=[2, 2]",
    "32,3,224,224", NULL, "32,64,56,56", TENSORRT },
  { "Shuffle", "FirstTranspose=[0, 3, 1, 2]; Reshape='nbDims=-1'; SecondTranspose=[0, 1, 2, 3]",
    "1,4,5,3", NULL, "1,3,4,5", TENSORRT },
  { "Shuffle", "FirstTranspose=[0, 1, 2]; Reshape=[0, -1]; SecondTranspose=[1, 0]", "2,3,4", NULL,
    "12,2", TENSORRT },
  { "NoOp", "output_shape=[2, 12]", "2,3,4", NULL, "2,12", TENSORRT },
  { "NoOp", "", "2,3,4", NULL, "2,3,4", TENSORRT },
  { "Shuffle", "Reshape=[5, 5]", "2,3,4", NULL, NULL, "24 elements are not 25", TENSORRT },
  { "Slice", "Start=[0, -1]; Size=[2, 5]; Stride=[1, 1]; Mode=FILL", "2,3", NULL, "2,5", TENSORRT },
  { "PointWise", "", "2,3:float16 1,3:float16", NULL, "2,3:float16", TENSORRT },
  { "Pooling", "WindowSize=[2]; output_dtype=float32", "1,3,4:int8", NULL, "1,3,3:float32",
    TENSORRT },

  { "Resize", "targetHeight=4; targetWidth=5", "1,2,3,7:uint8", NULL, "1,4,5,7:uint8", ARMNN },
};

static void
shapes_follow (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    rule_case_run (&cases[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/engine/shapes-follow", shapes_follow);
  return g_test_run ();
}
