/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"

static const KernelCase cases[] = {
  { "Add", "", "float32 2,2: 1 2 3 4; float32 2,2: 10 20 30 40", "float32 2,2: 11 22 33 44" },
  { "Add", "", "float64 2,1: 1 2; float64 3: 10 20 30", "float64 2,3: 11 21 31 12 22 32" },
  { "Add", "", "int8 2: 127 -128; int8 : 1", "int8 2: -128 -127" },
  { "Add", "", "float32 0,2:; float32 2: 1 2", "float32 0,2:" },
  { "Add", "", "float32 2: 1 2; float32 3: 1 2 3", .error = "shapes [2] and [3] do not broadcast" },
  { "Add", "", "float32 2: 1 2; int32 2: 1 2", .error = "operand 1 of Add is of int32" },
  { "Add", "", "float32 2: 1 2", .error = "operand 1 (B) must be a tensor and is missing" },
  { "Add", "", "bool 1: 1; bool 1: 1", .error = "Add has no kernel for bool" },
  { "Add", "", "float16 2: 1 65504; float16 : 1", "float16 2: 2 65504" },
  { "Mul", "", "bfloat16 2: 1.5 -2; bfloat16 2: 3 0.5", "bfloat16 2: 4.5 -1" },
  { "Sub", "", "uint8 3: 1 2 3; uint8 3: 2 2 2", "uint8 3: 255 0 1" },
  { "Mul", "", "int16 2: 300 300; int16 2: 300 2", "int16 2: 24464 600" },
  { "Div", "", "float32 3: 1 -1 0; float32 : 0", "float32 3: inf -inf nan" },
  { "Div", "", "int32 4: 7 -7 7 -2147483648; int32 4: 2 2 0 -1", "int32 4: 3 -3 0 -2147483648" },
  { "Div", "", "uint64 1: 18446744073709551615; uint64 1: 1", "uint64 1: 18446744073709551615" },
  { "Add-6", "axis=0; broadcast=1", "float32 2,2: 1 2 3 4; float32 2: 10 20",
    "float32 2,2: 11 12 23 24" },
  { "Add-6", "broadcast=0", "float32 1,2: 1 2; float32 2: 10 20", "float32 1,2: 11 22" },
  { "Add-6", "broadcast=0", "float32 2,2: 1 2 3 4; float32 2: 10 20",
    .error = "B of shape [2] is not repeated to A's [2,2]: the attribute broadcast is 0" },
  { "Add-6", "broadcast=0", "float32 2: 1 2; float32 1,2: 10 20",
    .error = "B of shape [1,2] is not repeated to A's [2]" },
  { "Sub-1", "broadcast=1", "float32 2,2: 1 2 3 4; float32 2: 1 2", "float32 2,2: 0 0 2 2" },
  { "Mul-6", "axis=1; broadcast=1", "float32 2,2: 1 2 3 4; float32 2,2: 1 2 3 4",
    .error = "B has 2 axes, A only 1 from axis 1 on" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("arithmetic", cases);
  return g_test_run ();
}
