/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"

static const KernelCase choose_cases[] = {
  { "TopK", "", "float32 2,3: 1 3 2 nan 5 5; int64 1: 2", "float32 2,2: 3 2 nan 5; int64 2,2: 1 2 0 1" },
  { "TopK", "largest=0; axis=0", "int8 3: 5 -7 5; int64 1: 2", "int8 2: -7 5; int64 2: 1 0" },
  { "TopK", "", "uint64 2: 18446744073709551615 1; int64 1: 1",
    "uint64 1: 18446744073709551615; int64 1: 0" },
  { "TopK", "", "float32 2: 1 2; int64 1: 3", "-;-", .error = "between 0 and the size of the axis, 2" },
  { "TopK-1", "k=1", "float32 2: 1 2", "float32 1: 2; int64 1: 1" },
  { "OneHot", "", "int64 3: 0 -1 7; int64 : 3; float32 2: 0 1", "float32 3,3: 1 0 0 0 0 1 0 0 0" },
  { "OneHot", "axis=0", "int32 2: 0 1; float32 1: 2; string 2: n y", "string 2,2: y n n y" },
  { "OneHot", "", "int64 1: 0; int64 : -1; float32 2: 0 1", .error = "depth is -1" },
  { "NonZero", "", "float32 2,2: 1 0 0 nan", "int64 2,2: 0 1 0 1" },
  { "NonZero", "", "bool : 1", "int64 1,1: 0" },
  { "Compress", "axis=1", "float32 2,3: 1 2 3 4 5 6; bool 3: 0 1 1", "float32 2,2: 2 3 5 6" },
  { "Compress", "", "string 2,1: a b; bool 1: 1", "string 1: a" },
  { "Compress", "", "float32 1: 1; int64 1: 1", .error = "condition must be of one axis of bool" },
  { NULL },
};

static const KernelCase arrange_cases[] = {
  { "DepthToSpace", "blocksize=2", "int8 1,4,1,2: 0 1 2 3 4 5 6 7", "int8 1,1,2,4: 0 2 1 3 4 6 5 7" },
  { "DepthToSpace", "blocksize=2; mode='CRD'", "int8 1,8,1,1: 0 1 2 3 4 5 6 7",
    "int8 1,2,2,2: 0 1 2 3 4 5 6 7" },
  { "DepthToSpace", "blocksize=2", "int8 1,8,1,1: 0 1 2 3 4 5 6 7",
    "int8 1,2,2,2: 0 2 4 6 1 3 5 7" },
  { "DepthToSpace", "blocksize=2", "int8 1,2,1,1: 0 1", .error = "2 channels do not make blocks" },
  { "SpaceToDepth", "blocksize=2", "int8 1,1,2,4: 0 2 1 3 4 6 5 7", "int8 1,4,1,2: 0 1 2 3 4 5 6 7" },
  { "SpaceToDepth", "blocksize=0", "int8 1,1,1,1: 0", .error = "blocksize 0 is out of range" },
  { "Trilu", "", "int32 2,2: 1 2 3 4", "int32 2,2: 1 2 0 4" },
  { "Trilu", "upper=0", "float32 2,3: 1 2 3 4 5 6; int64 : -1", "float32 2,3: 0 0 0 4 0 0" },
  { "Trilu", "", "int32 1: 1", .error = "2 axes or more" },
  { "ReverseSequence", "", "float32 3,2: 1 2 3 4 5 6; int64 2: 2 3", "float32 3,2: 3 6 1 4 5 2" },
  { "ReverseSequence", "time_axis=1; batch_axis=0", "float32 1,3: 1 2 3; int64 1: 2",
    "float32 1,3: 2 1 3" },
  { "ReverseSequence", "", "float32 2,1: 1 2; int64 1: 3", .error = "a sequence of 3 steps has 2" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kernel_case_add_all ("choose", choose_cases);
  kernel_case_add_all ("arrange", arrange_cases);
  return g_test_run ();
}
