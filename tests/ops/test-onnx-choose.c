/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

static const KernelCase choose_cases[] = {
  { "TopK", "", "float32 2,3: 1 3 2 nan 5 5; int64 1: 2",
    "float32 2,2: 3 2 nan 5; int64 2,2: 1 2 0 1" },
  { "TopK", "largest=0; axis=0", "int8 3: 5 -7 5; int64 1: 2", "int8 2: -7 5; int64 2: 1 0" },
  { "TopK", "", "uint64 2: 18446744073709551615 1; int64 1: 1",
    "uint64 1: 18446744073709551615; int64 1: 0" },
  { "TopK", "", "float32 2: 1 2; int64 1: 3", "-;-",
    .error = "between 0 and the size of the axis, 2" },
  { "TopK", "", "float32 12: 3 1 4 1 5 9 2 6 5 3 5 9; int64 1: 5",
    "float32 5: 9 9 6 5 5; int64 5: 5 11 7 4 8" },
  { "TopK", "largest=0", "int32 12: 3 1 4 1 5 9 2 6 5 3 5 9; int64 1: 6",
    "int32 6: 1 1 2 3 3 4; int64 6: 1 3 6 0 9 2" },
  { "TopK", "axis=0", "float32 5,2: 1 5 2 4 3 3 4 2 5 1; int64 1: 2",
    "float32 2,2: 5 5 4 4; int64 2,2: 4 0 3 1" },
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
  { "DepthToSpace", "blocksize=2", "int8 1,4,1,2: 0 1 2 3 4 5 6 7",
    "int8 1,1,2,4: 0 2 1 3 4 6 5 7" },
  { "DepthToSpace", "blocksize=2; mode='CRD'", "int8 1,8,1,1: 0 1 2 3 4 5 6 7",
    "int8 1,2,2,2: 0 1 2 3 4 5 6 7" },
  { "DepthToSpace", "blocksize=2", "int8 1,8,1,1: 0 1 2 3 4 5 6 7",
    "int8 1,2,2,2: 0 2 4 6 1 3 5 7" },
  { "DepthToSpace", "blocksize=2", "int8 1,2,1,1: 0 1", .error = "2 channels do not make blocks" },
  { "SpaceToDepth", "blocksize=2", "int8 1,1,2,4: 0 2 1 3 4 6 5 7",
    "int8 1,4,1,2: 0 1 2 3 4 5 6 7" },
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

static const KernelCase unique_cases[] = {
  { "Unique", "", "float32 6: 2 1 1 3 4 3",
    "float32 4: 1 2 3 4; int64 4: 1 0 3 4; int64 6: 1 0 0 2 3 2; int64 4: 2 1 2 1" },
  { "Unique", "sorted=0", "float32 6: 2 1 1 3 4 3",
    "float32 4: 2 1 3 4; int64 4: 0 1 3 4; int64 6: 0 1 1 2 3 2; int64 4: 1 2 2 1" },
  { "Unique", "axis=0", "int64 3,3: 1 0 0 1 0 0 -2 3 4",
    "int64 2,3: -2 3 4 1 0 0; int64 2: 2 0; int64 3: 1 1 0; int64 2: 1 2" },
  { "Unique", "axis=-2; sorted=0", "int8 2,3,1: 5 1 5 6 1 6",
    "int8 2,2,1: 5 1 6 1; int64 2: 0 1; int64 3: 0 1 0; int64 2: 2 1" },
  { "Unique", "", "string 2,2: b a b c", "string 3: a b c; int64 3: 1 0 3; int64 4: 1 0 1 2; -" },
  { "Unique", "", "float64 5: nan -1 nan -0 0",
    "float64 3: -1 0 nan; int64 3: 1 3 0; int64 5: 2 0 2 1 1; int64 3: 1 2 2" },
  { "Unique", "", "uint64 2: 18446744073709551615 1", "uint64 2: 1 18446744073709551615" },
  { "Unique", "", "bool : 1", "bool 1: 1; int64 1: 0; int64 1: 0; int64 1: 1" },
  { "Unique", "", "int4 3: 1 -1 1", "int4 2: -1 1; -; int64 3: 1 0 1" },
  { "Unique", "", "int32 0:", "int32 0:; int64 0:; int64 0:; int64 0:" },
  { "Unique", "axis=1", "int32 2,0:", "int32 2,0:; int64 0:; int64 0:; int64 0:" },
  { "Unique", "axis=1", "int32 2: 1 1", .error = "axis 1 is out of range" },
  { NULL },
};

static const KernelCase crop_cases[] = {
  { "CenterCropPad", "", "float32 5: 1 2 3 4 5; int64 1: 3", "float32 3: 2 3 4" },
  { "CenterCropPad", "", "float32 5: 1 2 3 4 5; int64 1: 2", "float32 2: 2 3" },
  { "CenterCropPad", "", "int8 2: 1 2; int32 1: 5", "int8 5: 0 1 2 0 0" },
  { "CenterCropPad", "axes=[-1, 0]", "float32 2,1,3: 1 2 3 4 5 6; int64 2: 1 4",
    "float32 4,1,1: 0 2 5 0" },
  { "CenterCropPad", "", "int4 1,3: 1 2 3; int64 2: 3 1", "int4 3,1: 0 2 0" },
  { "CenterCropPad", "", "string 3: a b c; int64 1: 1", "string 1: b" },
  { "CenterCropPad", "", "bool : 1; int64 0:", "bool : 1" },
  { "CenterCropPad", "", "int8 2,0:; int64 2: 1 2", "int8 1,2: 0 0" },
  { "CenterCropPad", "", "int8 2: 1 2; int64 2: 1 1", .error = "there are 2 sizes for 1 axes" },
  { "CenterCropPad", "axes=[1]", "int8 2: 1 2; int64 1: 1", .error = "axis 1 is out of range" },
  { "CenterCropPad", "", "int8 2: 1 2; int64 1: -1", .error = "-1 is no size" },
  { NULL },
};

static const RuleCase rules[] = {
  { "Unique", "", "2,3:float32", "* * * *", "?:float32 ?:int64 6:int64 ?:int64", .domain = "" },
  { "Unique", "", "*:float32", "* * * *", "?:float32 ?:int64 ?:int64 ?:int64", .domain = "" },
  { "Unique", "axis=1", "2,3:float32", "* * * *", "2,?:float32 ?:int64 3:int64 ?:int64",
    .domain = "" },
  { "Unique", "axis=2", "2,3:float32", NULL, .error = "axis 2 is out of range", .domain = "" },
  { "CenterCropPad", "axes=[1]", "2,3:float32 1:int64", NULL, "2,?:float32", .domain = "" },
  { "CenterCropPad", "axes=[2]", "2,3:float32 1:int64", NULL, .error = "axis 2 is out of range",
    .domain = "" },
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
  kernel_case_add_all ("choose", choose_cases);
  kernel_case_add_all ("arrange", arrange_cases);
  kernel_case_add_all ("unique", unique_cases);
  kernel_case_add_all ("crop", crop_cases);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-choose/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  return g_test_run ();
}
