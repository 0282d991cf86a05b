/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

static const KernelCase reshape_cases[] = {
  { "Reshape", "", "float32 2,3: 1 2 3 4 5 6; int64 2: 3 -1", "float32 3,2: 1 2 3 4 5 6" },
  { "Reshape", "", "int8 2,3: 1 2 3 4 5 6; int64 3: 0 1 -1", "int8 2,1,3: 1 2 3 4 5 6" },
  { "Reshape", "", "string 2: a b; int64 0:", .error = "cannot reshape [2] to []" },
  { "Reshape", "", "float32 0,2:; int64 1: 0", "float32 0:" },
  { "Reshape", "allowzero=1", "float32 0,2:; int64 2: 5 0", "float32 5,0:" },
  { "Reshape", "allowzero=1", "float32 0,2:; int64 2: 0 -1", .error = "cannot reshape [0,2]" },
  { "Reshape", "", "float32 6: 1 2 3 4 5 6; int64 2: 4 -1",
    .error = "cannot reshape [6] to [4,-1]" },
  { "Reshape", "", "float32 2: 1 2; int64 2: -1 -1", .error = "only one size" },
  { "Reshape", "", "float32 2: 1 2; int64 1: -2", .error = "-2 is no size" },
  { "Reshape", "", "float32 2: 1 2; int64 2: 2 0", .error = "size 1 of the reshape is 0" },
  { "Reshape-1", "shape=[2, -1]", "float32 4: 1 2 3 4", "float32 2,2: 1 2 3 4" },
  { "Flatten", "axis=2", "float32 1,2,3: 1 2 3 4 5 6", "float32 2,3: 1 2 3 4 5 6" },
  { "Flatten", "axis=-3", "float32 1,2,1: 1 2", "float32 1,2: 1 2" },
  { "Flatten-9", "axis=-1", "float32 1,2,1: 1 2", .error = "axis -1 is out of range" },
  { "Squeeze", "", "float32 1,2,1: 1 2; int64 1: -1", "float32 1,2: 1 2" },
  { "Squeeze", "", "float32 1,2,1: 1 2", "float32 2: 1 2" },
  { "Squeeze", "", "float32 1,2: 1 2; int64 1: 1", .error = "axis 1 to squeeze has size 2" },
  { "Squeeze-11", "axes=[0]", "float32 1,2: 1 2", "float32 2: 1 2" },
  { "Unsqueeze", "", "float32 2: 1 2; int64 2: 0 -1", "float32 1,2,1: 1 2" },
  { "Unsqueeze", "", "float32 2: 1 2; int64 2: 0 0", .error = "axis 0 is named twice" },
  { "Unsqueeze-11", "axes=[1]", "float32 2: 1 2", "float32 2,1: 1 2" },
  { "Shape", "start=-2", "float32 2,0,3:", "int64 2: 0 3" },
  { "Shape", "start=2; end=1", "float32 2,1: 1 2", "int64 0:" },
  { "Size", "", "bool 2,3: 0 0 0 0 0 0", "int64 : 6" },
  { NULL },
};

static const KernelCase move_cases[] = {
  { "Transpose", "", "float32 2,3: 1 2 3 4 5 6", "float32 3,2: 1 4 2 5 3 6" },
  { "Transpose", "perm=[1, 0, 2]", "string 1,2,2: a b c d", "string 2,1,2: a b c d" },
  { "Transpose", "perm=[0, 0]", "float32 1,1: 1", .error = "perm names axis 0 twice" },
  { "Transpose", "perm=[0]", "float32 1,1: 1", .error = "perm has 1 axes, the data 2" },
  { "Expand", "", "float32 2,1: 1 2; int64 3: 2 1 2", "float32 2,2,2: 1 1 2 2 1 1 2 2" },
  { "Expand", "", "int64 : 7; int64 1: 3", "int64 3: 7 7 7" },
  { "Expand", "", "int64 2: 7 8; int64 1: 3", .error = "do not broadcast" },
  { "Expand", "", "int64 2: 7 8; int64 1: -1", .error = "-1 is no size" },
  { "Tile", "", "float32 2,2: 1 2 3 4; int64 2: 2 2",
    "float32 4,4: 1 2 1 2 3 4 3 4 1 2 1 2 3 4 3 4" },
  { "Tile", "", "float32 2: 1 2; int64 1: 0", "float32 0:" },
  { "Tile", "", "float32 2: 1 2; int64 1: -1", .error = "repeated -1 times" },
  { "Tile-1", "", "float32 2: 1 2; float32 : 2; float32 : 0", "float32 4: 1 2 1 2" },
  { "Concat", "axis=1", "float32 2,1: 1 2; float32 2,2: 3 4 5 6", "float32 2,3: 1 3 4 2 5 6" },
  { "Concat", "axis=0", "string 1: a; string 0:; string 1: b", "string 2: a b" },
  { "Concat", "axis=0", "float32 1,2: 1 2; float32 1,3: 1 2 3",
    .error = "operand 1 of shape [1,3]" },
  { "Concat", "axis=0", "float32 1: 1; int64 1: 2", .error = "operand 1 is of int64" },
  { "Split", "", "float32 4: 1 2 3 4; int64 2: 1 3", "float32 1: 1; float32 3: 2 3 4" },
  { "Split", "num_outputs=2", "float32 3: 1 2 3", "float32 2: 1 2; float32 1: 3" },
  { "Split-13", "", "float32 3: 1 2 3", "float32 2: 1 2; float32 1: 3", .error = "even parts" },
  { "Split-2", "axis=1; split=[1, 2]", "float32 2,3: 1 2 3 4 5 6",
    "float32 2,1: 1 4; float32 2,2: 2 3 5 6" },
  { "Split", "", "float32 4: 1 2 3 4; int64 2: 1 4", "-;-",
    .error = "do not make up the axis of 4" },
  { NULL },
};

static const KernelCase slice_cases[] = {
  { "Slice", "", "float32 4: 1 2 3 4; int64 1: 1; int64 1: -1", "float32 2: 2 3" },
  { "Slice", "", "float32 4: 1 2 3 4; int64 1: -1; int64 1: -9; int64 1: 0; int64 1: -2",
    "float32 2: 4 2" },
  { "Slice", "", "float32 2,2: 1 2 3 4; int64 1: 0; int64 1: 9; int64 1: 1; int64 1: 3",
    "float32 2,1: 1 3" },
  { "Slice", "", "float32 3: 1 2 3; int64 1: 2; int64 1: 1", "float32 0:" },
  { "Slice", "", "float32 3: 1 2 3; int64 1: 2; int64 1: 1; int64 1: 0; int64 1: 0",
    .error = "step along axis 0 is 0" },
  { "Slice", "", "float32 3: 1 2 3; int64 1: 0; int64 2: 1 2", .error = "1 starts, 2 ends" },
  { "Slice", "",
    "float32 3: 1 2 3; int64 1: 9223372036854775807; int64 1: -9223372036854775808; int64 1: 0; "
    "int64 1: -9223372036854775808",
    "float32 1: 3" },
  { "Slice-1", "axes=[1]; starts=[1]; ends=[1000]", "float32 2,2: 1 2 3 4", "float32 2,1: 2 4" },
  { "Pad", "", "float32 2: 1 2; int64 2: 1 2; float32 : 7", "float32 5: 7 1 2 7 7" },
  { "Pad", "", "float32 2,2: 1 2 3 4; int64 2: 1 0; -; int64 1: -1", "float32 2,3: 0 1 2 0 3 4" },
  { "Pad", "mode='reflect'", "int64 3: 1 2 3; int64 2: 5 2", "int64 10: 2 1 2 3 2 1 2 3 2 1" },
  { "Pad", "mode='edge'", "int32 3: 1 2 3; int64 2: 2 -1", "int32 4: 1 1 1 2" },
  { "Pad", "mode='wrap'", "int32 3: 1 2 3; int64 2: 4 1", "int32 8: 3 1 2 3 1 2 3 1" },
  { "Pad", "mode='edge'", "int32 0:; int64 2: 1 1", .error = "there is nothing to pad with" },
  { "Pad", "", "int32 2: 1 2; int64 2: -2 -1", .error = "axis 0 of 2 cannot become -3 longer" },
  { "Pad-2", "pads=[0, 1, 0, 0]; value=-1.0", "float32 1,2: 1 2", "float32 1,3: -1 1 2" },
  { NULL },
};

static const KernelCase gather_cases[] = {
  { "Gather", "", "float32 3,2: 1 2 3 4 5 6; int64 2: 2 -3", "float32 2,2: 5 6 1 2" },
  { "Gather", "axis=1", "string 2,2: a b c d; int32 : 1", "string 2: b d" },
  { "Gather", "", "float32 2: 1 2; int64 1: 2", .error = "index 2 is out of range" },
  { "Gather", "", "float32 2: 1 2; int64 1: -3", .error = "index -3 is out of range" },
  { "Gather", "", "float32 2: 1 2; float32 1: 0", .error = "indices must be of integers" },
  { "GatherElements", "axis=1", "float32 2,2: 1 2 3 4; int64 2,3: 0 0 1 1 -1 0",
    "float32 2,3: 1 1 2 4 4 3" },
  { "GatherElements", "axis=1", "float32 1,2: 1 2; int64 2,1: 0 0", .error = "do not fit" },
  { "GatherND", "", "int32 2,2: 0 1 2 3; int64 2,2: 0 0 1 1", "int32 2: 0 3" },
  { "GatherND", "batch_dims=1", "int32 2,2,2: 0 1 2 3 4 5 6 7; int64 2,1: 1 0",
    "int32 2,2: 2 3 4 5" },
  { "GatherND", "", "int32 2,2: 0 1 2 3; int32 2,2: -1 0 0 -1", "int32 2: 2 1" },
  { "GatherND", "", "float32 1,2,1,2: 1 2 3 4; int64 2,4: 0 1 0 1 0 -2 0 0", "float32 2: 4 1" },
  { "GatherND", "", "int32 2,2: 0 1 2 3; int64 1,2: 0 2",
    .error = "index 2 is out of range for an axis of 2" },
  { "GatherND", "batch_dims=1", "int32 2,2: 0 1 2 3; int64 2,1,1: -3 0",
    .error = "index -3 is out of range for an axis of 2" },
  { "GatherND", "", "int32 2: 0 1; int64 1,2: 0 0", .error = "do not fit to data of rank 1" },
  { NULL },
};

static const RuleCase rules[] = {
  { "Squeeze", "", "1,3,4:float32 1:int64", NULL, "3,4:float32", .domain = "" },
  { "Squeeze", "", "1,?,4:float32 2:int64", NULL, "1,1,4:float32 2:int64 -> 4:float32",
    .domain = "" },
  { "Squeeze", "", "1,?,4:float32 1:int64", NULL, "?,?:float32", .domain = "" },
  { "Squeeze", "", "2,3,4:float32 1:int64", NULL, "?,?:float32", .domain = "" },
  { "Squeeze", "", "2,1:float32 0:int64", NULL, "2,1:float32", .domain = "" },
  { "Concat", "axis=0", "2:int64 ()", NULL, "3:int64", .domain = "",
    .error = "Incompatible input shape at 1-th input: expected [?], got []" },
  { "Concat", "axis=1", "2:int64 ()", NULL, "*:int64", .domain = "",
    .error = "axis 1 is out of range" },
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
  kernel_case_add_all ("reshape", reshape_cases);
  kernel_case_add_all ("move", move_cases);
  kernel_case_add_all ("slice", slice_cases);
  kernel_case_add_all ("gather", gather_cases);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-movement/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  return g_test_run ();
}
