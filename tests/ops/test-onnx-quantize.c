/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"

static const KernelCase cases[] = {
  { "DequantizeLinear", "", "uint8 3: 0 128 255; float32 : 2; uint8 : 128",
    "float32 3: -256 0 254" },
  { "DequantizeLinear", "axis=0", "int8 2,2: 1 2 3 4; float32 2: 1 10; int8 2: 0 1",
    "float32 2,2: 1 2 20 30" },
  { "DequantizeLinear", "block_size=2", "int8 1,3: 1 2 3; float32 1,2: 1 10",
    "float32 1,3: 1 2 30" },
  { "DequantizeLinear", "", "int4 3: -8 0 7; float16 : 0.5", "float16 3: -4 0 3.5" },
  { "DequantizeLinear", "output_dtype=11", "int32 2: 5 -5; float32 : 2", "float64 2: 10 -10" },
  { "DequantizeLinear", "", "int8 1,2: 1 2; float32 3: 1 2 3",
    .error = "scales of shape [3] do not fit" },
  { "DequantizeLinear", "", "int8 1: 1; float32 : 1; uint8 : 0",
    .error = "one zero point of int8" },
  { "DequantizeLinear", "", "string 1: a; float32 : 1", .error = "x is of string" },
  { "DynamicQuantizeLinear", "", "float32 3: 0 255 -255",
    "uint8 3: 128 255 0; float32 : 2; uint8 : 128" },
  { "DynamicQuantizeLinear", "", "float32 2: 0 0", "uint8 2: 0 0; float32 : 0; uint8 : 0" },
  { "DynamicQuantizeLinear", "", "float64 1: 0", "-;-;-", .error = "no kernel for float64" },
  { "DequantizeLinear", "axis=1", "uint4 2,2,2: 1 2 3 4 5 6 7 8; float32 2: 1 10",
    "float32 2,2,2: 1 2 30 40 5 6 70 80" },
  { "DequantizeLinear", "axis=0; block_size=2",
    "int8 3,2: 1 2 3 4 5 6; float32 2,2: 1 10 100 1000; int8 2,2: 0 1 2 3",
    "float32 3,2: 1 10 3 30 300 3000" },
  { NULL },
};

static const KernelCase quantize_cases[] = {
  /* Halves to even, before the zero point is added; saturated. */
  { "QuantizeLinear", "", "float32 8: 0.5 1.5 -0.5 2.5 300 -300 nan 1e30; float32 : 1; uint8 : 3",
    "uint8 8: 3 5 3 5 255 0 0 255" },
  { "QuantizeLinear", "", "float32 4: 3 -3 1000 -1000; float32 : 2; int8 : 1",
    "int8 4: 3 -1 127 -128" },
  { "QuantizeLinear", "", "float32 2: 3 -3; float32 : 2", "uint8 2: 2 0" },
  { "QuantizeLinear-10", "", "int32 2: 7 -3; float32 : 2; int8 : 0", "int8 2: 4 -2" },
  { "QuantizeLinear-13", "axis=0", "float32 2,2: 1 2 30 40; float32 2: 1 10; uint8 2: 0 1",
    "uint8 2,2: 1 2 4 5" },
  { "QuantizeLinear", "axis=-1", "float32 2,2: 1 20 3 40; float32 2: 1 10; uint8 2: 0 1",
    "uint8 2,2: 1 3 3 5" },
  { "QuantizeLinear", "block_size=2", "float32 1,3: 1 2 30; float32 1,2: 1 10; int16 1,2: 0 5",
    "int16 1,3: 1 2 8" },
  { "QuantizeLinear", "axis=0; block_size=2",
    "float32 3,2: 1 20 3 40 500 6000; float32 2,2: 1 10 100 1000", "uint8 3,2: 1 2 3 4 5 6" },
  { "QuantizeLinear", "output_dtype=22", "float32 5: -9 -8 7.5 8 1; float32 : 1",
    "int4 5: -8 -8 7 7 1" },
  { "QuantizeLinear", "", "float32 5: -1 0 2 3 4; float32 : 1; uint2 : 0", "uint2 5: 0 0 2 3 3" },
  { "QuantizeLinear", "", "float32 5: -3 -2 1 2 3; float32 : 1; int2 : 0", "int2 5: -2 -2 1 1 1" },
  { "QuantizeLinear", "", "float32 2: 1e9 -1e9; float32 : 1; uint16 : 0", "uint16 2: 65535 0" },
  { "QuantizeLinear", "", "float32 3: 1 500 -500; float32 : 1; float8e4m3fn : 0",
    "float8e4m3fn 3: 1 448 -448" },
  { "QuantizeLinear", "saturate=0", "float32 2: 1 500; float32 : 1; float8e4m3fn : 0",
    "float8e4m3fn 2: 1 nan" },
  { "QuantizeLinear", "", "float32 3: 1 5.1 -7; float32 : 1; float4e2m1 : 0",
    "float4e2m1 3: 1 6 -6" },
  /* The float16 next to 2051 is 2052. */
  { "QuantizeLinear", "", "float32 1: 2051; float32 : 1; uint16 : 0", "uint16 1: 2051" },
  { "QuantizeLinear", "precision=10", "float32 1: 2051; float32 : 1; uint16 : 0",
    "uint16 1: 2052" },
  { "QuantizeLinear", "", "float32 1: 2051; float16 : 1; uint16 : 0", "uint16 1: 2052" },
  { "QuantizeLinear", "", "float16 2: 1 2; float16 : 0.5", "uint8 2: 2 4" },
  { "QuantizeLinear", "", "float32 0,2:; float32 : 0.5", "uint8 0,2:" },
  { "QuantizeLinear", "", "float32 1: 1; float32 : 1; int32 : 0", .error = "no kernel for int32" },
  { "QuantizeLinear", "output_dtype=3", "float32 1: 1; float32 : 1; uint8 : 0",
    .error = "output_dtype is int8, and the zero point of uint8" },
  { "QuantizeLinear", "", "float32 1,2: 1 2; float32 3: 1 1 1", .error = "do not fit to axis 1" },
  { "QuantizeLinear", "", "float32 1,2: 1 2; float32 2: 1 1; uint8 : 0",
    .error = "one zero point of uint8 for each" },
  { "QuantizeLinear", "axis=2", "float32 1,2: 1 2; float32 2: 1 1", .error = "axis 2" },
  { "QuantizeLinear", "", "string 1: a; float32 : 1", .error = "no kernel for string" },
  { NULL },
};

static const KernelCase product_cases[] = {
  /* (2 - 1) * (3 - 0) * 0.5 * 2 / 4 + 10, and with 255 it leaves the range. */
  { "QLinearMatMul", "",
    "uint8 1,1: 2; float32 : 0.5; uint8 : 1; int8 1,2: 3 100; float32 : 2; int8 : 0; "
    "float32 : 0.25; uint8 : 10",
    "uint8 1,2: 22 255" },
  { "QLinearMatMul", "",
    "int8 2,1: 2 3; float32 2: 1 10; int8 2: 0 1; int8 1,2: 4 5; float32 2: 1 0.5; int8 2: 0 1; "
    "float32 : 4; int8 : 0",
    "int8 2,2: 2 1 20 10" },
  { "QLinearMatMul", "",
    "int8 2,1,1: 2 3; float32 2,1,1: 1 10; int8 2,1,1: 0 1; int8 2,1,1: 4 5; float16 : 1; int8 : "
    "0; "
    "float32 : 4; int8 : 0",
    "int8 2,1,1: 2 25" },
  { "QLinearMatMul", "",
    "float8e4m3fn 1,2: 2 3; float32 : 1; float8e4m3fn : 1; float8e4m3fn 2,1: 4 0.5; float32 : 1; "
    "float8e4m3fn : 0; float32 : 2; float8e4m3fn : 0",
    "float8e4m3fn 1,1: 2.5" },
  { "QLinearMatMul", "",
    "uint8 1,1: 2; float32 : 0.5; uint8 : 1; int8 1,2: 3 100; float32 : 2; int8 3: 0 0 0; "
    "float32 : 0.25; uint8 : 10",
    .error = "a zero point of shape [3] does not fit" },
  { "QLinearMatMul", "",
    "uint8 1,1: 2; float32 : 0.5; uint8 : 1; float8e5m2 1,1: 3; float32 : 2; float8e5m2 : 0; "
    "float32 : 0.25; uint8 : 10",
    .error = "a is of uint8, b of float8e5m2" },
  { "QLinearConv", "",
    "uint8 1,1,3: 1 2 3; float32 : 2; uint8 : 1; int8 1,1,2: 1 2; float32 : 0.5; int8 : 0; "
    "float32 : 1; uint8 : 5; int32 1: 100",
    "uint8 1,1,2: 107 110" },
  { "QLinearConv", "pads=[1, 0]",
    "uint8 1,1,2: 3 200; float32 : 1; uint8 : 1; int8 2,1,2: 1 2 3 4; float32 2: 1 0.5; "
    "int8 2: 0 1; float32 : 1; int8 : 0",
    "int8 1,2,2: 4 127 3 127" },
  { "QLinearConv", "",
    "uint8 1,1,1: 3; float32 : 1; uint8 : 1; int8 2,1,1: 1 2; float32 3: 1 1 1; int8 : 0; "
    "float32 : 1; int8 : 0",
    .error = "one float, or one for each filter" },
  { "QLinearConv", "",
    "uint8 1,1,1: 3; float32 2: 1 1; uint8 : 1; int8 1,1,1: 1; float32 : 1; int8 : 0; "
    "float32 : 1; int8 : 0",
    .error = "the scale in slot 1 must be one float" },
  { "QLinearConv", "",
    "uint8 1,1,1: 3; float32 : 1; uint8 : 1; int8 1,1,1: 1; float32 : 1; int8 : 0; "
    "float32 : 1; int8 : 0; int64 1: 0",
    .error = "B must have one int32 for each filter" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("dequantize", cases);
  kernel_case_add_all ("quantize", quantize_cases);
  kernel_case_add_all ("quantized-products", product_cases);
  return g_test_run ();
}
