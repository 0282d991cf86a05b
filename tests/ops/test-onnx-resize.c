/* SPDX-License-Identifier: MIT */
#include "kernel-case.h"
#include "rule-case.h"

static const KernelCase resize_cases[] = {
  { "Resize", "mode='nearest'", "float32 1,2: 1 2; -; float32 2: 1 2", "float32 1,4: 1 1 2 2" },
  { "Resize", "mode='linear'", "float32 2: 1 3; -; -; int64 1: 4", "float32 4: 1 1.5 2.5 3" },
  { "Resize", "mode='linear'; coordinate_transformation_mode='align_corners'",
    "float64 2: 1 4; -; -; int64 1: 4", "float64 4: 1 2 3 4", .tolerance = 1e-12 },
  { "Resize", "coordinate_transformation_mode='asymmetric'; nearest_mode='floor'",
    "int8 3: 1 2 3; -; float32 1: 2", "int8 6: 1 1 2 2 3 3" },
  { "Resize", "mode='cubic'", "float32 2: 1 1; -; -; int64 1: 3", "float32 3: 1 1 1",
    .tolerance = 1e-6 },
  { "Resize", "axes=[-1]", "float32 2,1: 1 2; -; -; int64 1: 2", "float32 2,2: 1 1 2 2" },
  { "Resize", "keep_aspect_ratio_policy='not_larger'", "float32 1,2: 1 2; -; -; int64 2: 3 4",
    "float32 2,4: 1 1 2 2 1 1 2 2" },
  { "Resize",
    "mode='linear'; coordinate_transformation_mode='tf_crop_and_resize'; "
    "extrapolation_value=9.0",
    "float32 3: 1 2 3; float32 2: 0 2; -; int64 1: 3", "float32 3: 1 3 9" },
  { "Resize", "mode='what'", "float32 1: 1; -; -; int64 1: 3", .error = "no mode \"what\"" },
  { "Resize", "", "float32 1: 1; -; -; -", .error = "neither scales nor sizes" },
  { "Resize", "", "float32 1: 1; -; float32 1: 0", .error = "must be above 0, not 0" },
  { "Resize", "", "float32 0:; -; -; int64 1: 3", .error = "axis 0 of 0 cannot become 3" },
  { "Resize-10", "", "float32 3: 1 2 3; float32 1: 2", "float32 6: 1 1 2 2 3 3" },
  { "Upsample-9", "", "float16 2: 1 2; float32 1: 1.5", "float16 3: 1 1 2" },
  { "Upsample-7", "scales=[2.0]; mode='linear'", "float32 2: 1 3", "float32 4: 1 2 3 3" },
  { "Upsample-7", "scales=[2.0, 1.0]", "float32 2: 1 3", .error = "2 scales for 1 axes" },
  { "Upsample-1", "height_scale=2.0; width_scale=1.0", "float32 1,1,1,2: 1 3",
    "float32 1,1,2,2: 1 3 1 3" },
  { NULL },
};

static const KernelCase transpose_cases[] = {
  { "ConvTranspose", "", "float32 1,1,2: 1 2; float32 1,1,2: 1 10; float32 1: 100",
    "float32 1,1,3: 101 112 120" },
  { "ConvTranspose", "strides=[2]; pads=[1, 0]; output_padding=[1]",
    "float32 1,1,2: 1 2; float32 1,1,2: 1 10", "float32 1,1,4: 10 2 20 0" },
  { "ConvTranspose", "strides=[2]; auto_pad='SAME_UPPER'",
    "float32 1,1,2: 1 2; float32 1,1,3: 1 10 100", "float32 1,1,4: 1 10 102 20" },
  { "ConvTranspose", "strides=[2]; output_shape=[4]; auto_pad='SAME_LOWER'",
    "float64 1,1,2: 1 2; float64 1,1,3: 1 10 100", "float64 1,1,4: 10 102 20 200" },
  { "ConvTranspose", "group=2", "float32 1,2,1: 1 2; float32 2,1,1: 3 4", "float32 1,2,1: 3 8" },
  { "ConvTranspose", "", "float32 1,2,1: 1 2; float32 1,1,1: 3",
    .error = "do not fit in 1 groups" },
  { "ConvTranspose", "pads=[3, 3]", "float32 1,1,1: 1; float32 1,1,1: 3",
    .error = "padding takes away all of axis 0" },
  { NULL },
};

static const KernelCase scatter_cases[] = {
  { "ScatterElements", "axis=1", "float32 1,3: 1 2 3; int64 1,2: -1 0; float32 1,2: 8 9",
    "float32 1,3: 9 2 8" },
  { "ScatterElements", "reduction='add'", "int32 2: 2147483647 1; int64 3: 0 1 1; int32 3: 1 2 3",
    "int32 2: -2147483648 6" },
  { "ScatterElements", "reduction='max'", "float16 2: 1 2; int64 2: 0 1; float16 2: 5 nan",
    "float16 2: 5 nan" },
  { "ScatterElements", "", "string 2: a b; int64 1: 1; string 1: c", "string 2: a c" },
  { "ScatterElements", "", "float32 2: 1 2; int64 1: 2; float32 1: 3", .error = "index 2 is out" },
  { "ScatterElements", "", "float32 2: 1 2; int64 1: 0; float32 2: 3 4",
    .error = "do not fit to [2]" },
  { "ScatterElements", "reduction='mul'", "bool 1: 1; int64 1: 0; bool 1: 1",
    .error = "no kernel for bool" },
  { "ScatterND", "", "int64 2,2: 1 2 3 4; int64 1,1: 1; int64 1,2: 7 8", "int64 2,2: 1 2 7 8" },
  { "ScatterND", "reduction='min'", "int64 2: 1 2; int64 2,1: 1 -1; int64 2: 7 0", "int64 2: 1 0" },
  { "ScatterND", "", "int64 2,2: 1 2 3 4; int32 2,2: -1 0 0 -1; int64 2: 7 8",
    "int64 2,2: 1 8 7 4" },
  { "ScatterND", "", "int64 2,2: 1 2 3 4; int64 1,2: 0 -3; int64 1: 7",
    .error = "index -3 is out of range for an axis of 2" },
  { "ScatterND", "", "int64 2: 1 2; int64 1,2: 0 0; int64 1: 7", .error = "do not fit to [2]" },
  { "Scatter-9", "", "float32 2: 1 2; int64 1: 1; float32 1: 3", "float32 2: 1 3" },
  { NULL },
};

static const RuleCase rules[] = {
  { "Resize", "axes=[3, 2]", "1,3,?,8:float32 - - 2:int64", NULL, "1,3,?,?:float32", .domain = "" },
  { "Resize", "", "1,3,?,8:float32 - - 4:int64", NULL, "?,?,?,?:float32", .domain = "" },
  { "Resize", "axes=[4]", "1,3,?,8:float32 - - 1:int64", NULL, .error = "axis 4 is out of range",
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
  kernel_case_add_all ("resize", resize_cases);
  kernel_case_add_all ("conv-transpose", transpose_cases);
  kernel_case_add_all ("scatter", scatter_cases);
  for (guint i = 0; rules[i].op != NULL; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ops/onnx-resize/%02u-%s", i, rules[i].op);

      g_test_add_data_func (path, &rules[i], shapes_follow);
    }
  return g_test_run ();
}
