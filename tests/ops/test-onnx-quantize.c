/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"

static const KernelCase cases[] = {
  { "DequantizeLinear", "", "uint8 3: 0 128 255; float32 : 2; uint8 : 128", "float32 3: -256 0 254" },
  { "DequantizeLinear", "axis=0", "int8 2,2: 1 2 3 4; float32 2: 1 10; int8 2: 0 1",
    "float32 2,2: 1 2 20 30" },
  { "DequantizeLinear", "block_size=2", "int8 1,3: 1 2 3; float32 1,2: 1 10",
    "float32 1,3: 1 2 30" },
  { "DequantizeLinear", "", "int4 3: -8 0 7; float16 : 0.5", "float16 3: -4 0 3.5" },
  { "DequantizeLinear", "output_dtype=11", "int32 2: 5 -5; float32 : 2", "float64 2: 10 -10" },
  { "DequantizeLinear", "", "int8 1,2: 1 2; float32 3: 1 2 3", .error = "scales of shape [3] do not fit" },
  { "DequantizeLinear", "", "int8 1: 1; float32 : 1; uint8 : 0", .error = "one zero point of int8" },
  { "DequantizeLinear", "", "string 1: a; float32 : 1", .error = "x is of string" },
  { "DynamicQuantizeLinear", "", "float32 3: 0 255 -255",
    "uint8 3: 128 255 0; float32 : 2; uint8 : 128" },
  { "DynamicQuantizeLinear", "", "float32 2: 0 0", "uint8 2: 0 0; float32 : 0; uint8 : 0" },
  { "DynamicQuantizeLinear", "", "float64 1: 0", "-;-;-", .error = "no kernel for float64" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("quantize", cases);
  return g_test_run ();
}
