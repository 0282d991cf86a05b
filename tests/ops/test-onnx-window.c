/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

static const KernelCase conv_cases[] = {
  { "Conv", "", "float32 1,1,3,3: 1 2 3 4 5 6 7 8 9; float32 1,1,2,2: 1 0 0 1; float32 1: 10",
    "float32 1,1,2,2: 16 18 22 24" },
  { "Conv", "pads=[1, 1]; strides=[2]", "float64 1,1,4: 1 2 3 4; float64 1,1,3: 1 10 100",
    "float64 1,1,2: 210 432" },
  { "Conv", "group=2", "float32 1,2,2: 1 2 3 4; float32 2,1,1: 10 100",
    "float32 1,2,2: 10 20 300 400" },
  { "Conv", "auto_pad='SAME_LOWER'", "float32 1,1,3: 1 2 3; float32 1,1,2: 1 10",
    "float32 1,1,3: 10 21 32" },
  { "Conv", "auto_pad='SAME_UPPER'; dilations=[2]", "float32 1,1,3: 1 2 3; float32 1,1,2: 1 10",
    "float32 1,1,3: 20 31 2" },
  { "Conv", "", "float32 1,1,1,1,2: 1 2; float32 1,1,1,1,2: 3 4", "float32 1,1,1,1,1: 11" },
  { "Conv", "", "float16 1,1,2: 1 2; float16 1,1,1: 2", "float16 1,1,2: 2 4" },
  { "Conv", "", "float32 0,1,2:; float32 1,1,1: 2", "float32 0,1,2:" },
  { "Conv", "", "float32 1,1,2: 1 2; float32 1,1,3: 2 1 1", .error = "larger than the axis" },
  { "Conv", "", "float32 1,2,2: 1 2 3 4; float32 1,1,1: 2", .error = "do not fit in 1 groups" },
  { "Conv", "kernel_shape=[2]", "float32 1,1,2: 1 2; float32 1,1,1: 2",
    .error = "kernel_shape tells 2 along axis 0, the weight 1" },
  { "Conv", "", "float32 1,1,2: 1 2; float32 1,1,1: 2; float32 2: 1 1",
    .error = "B must have one" },
  { "Conv", "pads=[-1, 0]", "float32 1,1,2: 1 2; float32 1,1,1: 2", .error = "pads -1" },
  { "Conv", "strides=[0]", "float32 1,1,2: 1 2; float32 1,1,1: 2", .error = "strides 0" },
  { "Conv", "", "float32 1,2: 1 2; float32 1,2: 2 2", .error = "do not fit" },
  { "ConvInteger", "pads=[1, 0]", "uint8 1,1,2: 3 4; uint8 1,1,2: 1 2; uint8 : 2; uint8 : 1",
    "int32 1,1,2: 1 2" },
  { NULL },
};

static const KernelCase pool_cases[] = {
  { "MaxPool", "kernel_shape=[2, 2]; strides=[2, 2]", "float32 1,1,2,4: 1 2 3 4 8 7 6 5",
    "float32 1,1,1,2: 8 6; int64 1,1,1,2: 4 6" },
  { "MaxPool", "kernel_shape=[2, 2]; strides=[2, 2]; storage_order=1",
    "float32 1,1,2,4: 1 2 3 4 8 7 6 5", "float32 1,1,1,2: 8 6; int64 1,1,1,2: 1 5" },
  { "MaxPool", "kernel_shape=[2]; strides=[2]; ceil_mode=1", "int8 1,1,3: -3 -2 -1",
    "int8 1,1,2: -2 -1" },
  { "MaxPool", "kernel_shape=[2]; dilations=[2]", "uint8 1,1,4: 1 9 3 4", "uint8 1,1,2: 3 9" },
  { "MaxPool", "kernel_shape=[2]", "float32 1,1,3: 1 nan 3", "float32 1,1,2: nan nan" },
  { "MaxPool", "", "float32 1,1,3: 1 2 3", .error = "kernel_shape is missing" },
  { "MaxPool", "kernel_shape=[2]", "int64 1,1,3: 1 2 3", .error = "no kernel for int64" },
  { "AveragePool", "kernel_shape=[2]; pads=[1, 1]", "float32 1,1,2: 2 4", "float32 1,1,3: 2 3 4" },
  { "AveragePool", "kernel_shape=[2]; pads=[1, 1]; count_include_pad=1", "float32 1,1,2: 2 4",
    "float32 1,1,3: 1 3 2" },
  { "AveragePool", "kernel_shape=[2]; strides=[2]; ceil_mode=1; count_include_pad=1",
    "float32 1,1,3: 2 4 6", "float32 1,1,2: 3 6" },
  { "AveragePool", "kernel_shape=[3]; strides=[2]; auto_pad='SAME_UPPER'", "float32 1,1,4: 1 2 3 4",
    "float32 1,1,2: 2 3.5" },
  { "LpPool", "kernel_shape=[2]", "float32 1,1,2: 3 -4", "float32 1,1,1: 5" },
  { "LpPool-1", "kernel_shape=[2]; p=1.0", "float32 1,1,2: 3 -4", "float32 1,1,1: 7" },
  { "LpPool", "kernel_shape=[2]; p=0", "float32 1,1,2: 3 -4", .error = "p must be above 0" },
  { "GlobalAveragePool", "", "float32 1,2,2: 1 3 5 9", "float32 1,2,1: 2 7" },
  { "GlobalMaxPool", "", "float64 1,1,2,2: 1 3 5 2", "float64 1,1,1,1: 5" },
  { "GlobalLpPool", "p=1", "float32 1,1,2: -1 3", "float32 1,1,1: 4" },
  { NULL },
};

static const KernelCase column_cases[] = {
  /* Windows of two elements, one apart: what two of them see is summed. */
  { "Col2Im", "", "float32 1,2,2: 1 2 10 20; int64 1: 3; int64 1: 2", "float32 1,1,3: 1 12 20" },
  { "Col2Im", "strides=[2]; pads=[1, 0]", "int8 1,2,2: 1 2 10 20; int64 1: 3; int64 1: 2",
    "int8 1,1,3: 10 2 20" },
  { "Col2Im", "dilations=[2, 1]", "float64 1,4,1: 1 2 3 4; int64 2: 3 2; int64 2: 2 2",
    "float64 1,1,3,2: 1 2 0 0 3 4" },
  { "Col2Im", "", "int64 1,2,1: 1 2; int64 2: 1 1; int64 2: 1 1", "int64 1,2,1,1: 1 2" },
  { "Col2Im", "", "uint8 1,1,1: 255; int64 1: 1; int64 1: 1", "uint8 1,1,1: 255" },
  { "Col2Im", "", "float16 0,2,2:; int64 1: 3; int64 1: 2", "float16 0,1,3:" },
  { "Col2Im", "", "float32 1,3,2: 1 2 3 4 5 6; int64 1: 3; int64 1: 2",
    .error = "columns of shape [1,3,2] are not those of 2 taps at 2 places" },
  { "Col2Im", "", "float32 1,2,3: 1 2 3 4 5 6; int64 1: 3; int64 1: 2", .error = "at 2 places" },
  { "Col2Im", "", "float32 1,2,2: 1 2 10 20; int64 2: 3 3; int64 1: 2",
    .error = "image_shape has 2 sizes, block_shape 1" },
  { "Col2Im", "", "float32 1,2,2: 1 2 10 20; int64 1: 3; int64 1: 0", .error = "3 and 0 are no" },
  { "Col2Im", "", "string 1,1,1: a; int64 1: 1; int64 1: 1", .error = "no kernel for string" },
  { NULL },
};

static const KernelCase determinant_cases[] = {
  { "Det", "", "float32 2,2: 1 2 3 4", "float32 : -2" },
  { "Det", "", "float64 2,1,1: 3 -4", "float64 2: 3 -4" },
  { "Det", "", "float64 3,3: 0 1 0 1 0 0 0 0 2", "float64 : -2" },
  { "Det", "", "float64 3,3: 1 2 3 2 4 6 1 0 0", "float64 : 0" },
  { "Det", "", "float16 2,2: 0 0 0 1", "float16 : 0" },
  { "Det", "", "float32 2,0,0:", "float32 2: 1 1" },
  { "Det", "", "float32 2,3: 1 2 3 4 5 6", .error = "no square matrices of shape [2,3]" },
  { "Det", "", "float32 2: 1 2", .error = "no square matrices of shape [2]" },
  { "Det", "", "int32 1,1: 1", .error = "no kernel for int32" },
  { NULL },
};

static const RuleCase rules[] = {
  { "QLinearConv", "", "1,4,5,5:uint8 () () 8,4,3,3:int8 8 8 () ():uint8 ?", NULL,
    "1,4,5,5:uint8 () () 8,4,3,3:int8 8 8 () ():uint8 8 -> 1,8,3,3:uint8", .domain = "" },
  { "QLinearMatMul", "", "2,3:uint8 () () 3,4:int8 4 4 () ():int8", NULL, "2,4:int8",
    .domain = "" },
  { "QuantizeLinear", "", "2,3:float32 ():float32 -", NULL, "2,3:uint8", .domain = "" },
  { "QuantizeLinear", "", "2,3:float32 ():float32 ():int8", NULL, "2,3:int8", .domain = "" },
  { "QuantizeLinear", "output_dtype=int4", "2,3:float32 ():float32 -", NULL, "2,3:int4",
    .domain = "" },
  { "GridSample", "", "2,3,?,?:float32 ?,5,6,?:float32", NULL,
    "2,3,?,?:float32 2,5,6,2:float32 -> 2,3,5,6:float32", .domain = "" },
  { "GridSample", "", "2,3,4,5 3,5,6,2", NULL, .error = "examples of X and of the grid",
    .domain = "" },
  { "AffineGrid", "", "2,2,3:float32 4", NULL, "2,?,?,2:float32", .domain = "" },
  { "ImageDecoder", "", "9:uint8", NULL, "?,?,3:uint8", .domain = "" },
  { "ImageDecoder", "pixel_format=Grayscale", "*:uint8", NULL, "?,?,1:uint8", .domain = "" },
  { "ImageDecoder", "", "3,3:uint8", NULL, .error = "must have 1 axis, not 2", .domain = "" },
  { "DecodeImage", "", "9:uint8", NULL, "?,?,3:uint8", .domain = "com.microsoft.extensions" },
  { "DecodeImage", "", "9,9:uint8", NULL, .error = "must have 1 axis",
    .domain = "ai.onnx.contrib" },
  { "EncodeImage", "", "4,5,3:uint8", NULL, "?:uint8", .domain = "com.microsoft.extensions" },
  { "EncodeImage", "", "4,5:uint8", NULL, .error = "must have 3 axes",
    .domain = "ai.onnx.contrib" },
  { "NonMaxSuppression", "", "1,9,4 1,2,? - - -", NULL, "1,9,4 1,2,9 * * * -> ?,3:int64",
    .domain = "" },
  { "NonMaxSuppression", "", "1,9,4 1,2,8 - - -", NULL, .error = "boxes and scores", .domain = "" },
  { "RoiAlign", "output_height=3; output_width=2", "1,8,5,5:float32 7,4 ?", NULL,
    "1,8,5,5:float32 7,4 7 -> 7,8,3,2:float32", .domain = "" },
  { "MaxRoiPool", "pooled_shape=[3, 2]", "1,8,5,5:float32 7,5", NULL, "7,8,3,2:float32",
    .domain = "" },
  { "MaxUnpool", "kernel_shape=[2, 2]; strides=[2, 2]", "1,1,3,3:float32 1,1,3,3 -", NULL,
    "1,1,6,6:float32", .domain = "" },
  { "DeformConv", "pads=[1, 1, 1, 1]", "1,4,5,5:float32 8,4,3,3 1,18,5,5 ? -", NULL,
    "1,4,5,5:float32 8,4,3,3:float32 1,18,5,5:float32 8:float32 * -> 1,8,5,5:float32",
    .domain = "" },
  { "Col2Im", "", "1,5,5:float32 2 2", NULL, "1,?,?,?:float32", .domain = "" },
  { "Det", "", "2,3,3:float32", NULL, "2:float32", .domain = "" },
  { "Det", "", "2,3,4:float32", NULL, .error = "rows and columns", .domain = "" },
  { NULL },
};

static void
shapes_follow (gconstpointer data)
{
  rule_case_run (data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("conv", conv_cases);
  kernel_case_add_all ("pool", pool_cases);
  kernel_case_add_all ("columns", column_cases);
  kernel_case_add_all ("determinants", determinant_cases);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-window/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  return g_test_run ();
}
