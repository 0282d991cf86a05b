/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"

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
  { "Conv", "", "float32 1,1,2: 1 2; float32 1,1,1: 2; float32 2: 1 1", .error = "B must have one" },
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
  { "AveragePool", "kernel_shape=[2]; pads=[1, 1]", "float32 1,1,2: 2 4",
    "float32 1,1,3: 2 3 4" },
  { "AveragePool", "kernel_shape=[2]; pads=[1, 1]; count_include_pad=1", "float32 1,1,2: 2 4",
    "float32 1,1,3: 1 3 2" },
  { "AveragePool", "kernel_shape=[2]; strides=[2]; ceil_mode=1; count_include_pad=1",
    "float32 1,1,3: 2 4 6", "float32 1,1,2: 3 6" },
  { "AveragePool", "kernel_shape=[3]; strides=[2]; auto_pad='SAME_UPPER'",
    "float32 1,1,4: 1 2 3 4", "float32 1,1,2: 2 3.5" },
  { "LpPool", "kernel_shape=[2]", "float32 1,1,2: 3 -4", "float32 1,1,1: 5" },
  { "LpPool-1", "kernel_shape=[2]; p=1.0", "float32 1,1,2: 3 -4", "float32 1,1,1: 7" },
  { "LpPool", "kernel_shape=[2]; p=0", "float32 1,1,2: 3 -4", .error = "p must be above 0" },
  { "GlobalAveragePool", "", "float32 1,2,2: 1 3 5 9", "float32 1,2,1: 2 7" },
  { "GlobalMaxPool", "", "float64 1,1,2,2: 1 3 5 2", "float64 1,1,1,1: 5" },
  { "GlobalLpPool", "p=1", "float32 1,1,2: -1 3", "float32 1,1,1: 4" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("conv", conv_cases);
  kernel_case_add_all ("pool", pool_cases);
  return g_test_run ();
}
