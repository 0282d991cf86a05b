/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define Q "qonnx.custom_op.general:"
#define SETTINGS "; float32 : 0.5; float32 : 0; float32 : 3"
#define WHOLE "; float32 : 1; float32 : 0; float32 : 8"

static const LowerCase quant_cases[] = {
  /* In halves -6, -1.2, 0.6 and 10, of which three bits have -4 to 3. */
  { Q "Quant", "", "float32 4: -3 -0.6 0.3 5" SETTINGS, "float32 4: -2 -0.5 0.5 1.5" },
  { Q "IntQuant", "narrow=1", "float32 4: -3 -0.6 0.3 5" SETTINGS, "float32 4: -1.5 -0.5 0.5 1.5" },
  /* 0, 1.2 and 6 with the zero point, of which two bits have 0 to 3, or to 2. */
  { "finn.custom_op.general:Quant", "signed=0",
    "float32 3: -1 0.2 5; float32 1: 1; float32 1: 1; float32 1: 2", "float32 3: -1 0 2" },
  { "onnx.brevitas:Quant", "signed=0; narrow=1",
    "float32 3: -1 0.2 5; float32 1: 1; float32 1: 1; float32 1: 2", "float32 3: -1 0 1" },
  /* A scale and a width for each row. */
  { Q "Quant", "", "float32 2,1: 9 9; float32 2,1: 1 0.5; float32 : 0; float32 2,1: 2 4",
    "float32 2,1: 1 3.5" },
  { Q "Quant", "", "float32 3: -0.1 0 2; float32 : 0.5; float32 : 0; float32 : 1",
    "float32 3: -0.5 0.5 0.5" },
  { Q "Quant", "rounding_mode=ROUND", "float32 3: 2.5 -1.7 1.2" WHOLE, "float32 3: 2 -2 1" },
  { Q "Quant", "rounding_mode=HALF_UP", "float32 3: 2.5 -2.5 1.2" WHOLE, "float32 3: 3 -3 1" },
  { Q "Quant", "rounding_mode=HALF_DOWN", "float32 3: 2.5 -2.5 1.7" WHOLE, "float32 3: 2 -2 2" },
  { Q "Quant", "rounding_mode=UP", "float32 3: 2.5 -1.7 1.2" WHOLE, "float32 3: 3 -2 2" },
  { Q "Quant", "rounding_mode=DOWN", "float32 3: 2.5 -1.7 1.2" WHOLE, "float32 3: 2 -1 1" },
  { Q "Quant", "rounding_mode=CEIL", "float32 3: 2.5 -1.7 1.2" WHOLE, "float32 3: 3 -1 2" },
  { Q "Quant", "rounding_mode=FLOOR", "float32 3: 2.5 -1.7 1.2" WHOLE, "float32 3: 2 -2 1" },
  { Q "Quant", "rounding_mode=SIDEWAYS", "float32 1: 2.5" WHOLE, .error = "SIDEWAYS" },
  { NULL },
};

static const LowerCase other_cases[] = {
  { "onnx.brevitas:BipolarQuant", "", "float32 3: -2 0 3; float32 : 0.25",
    "float32 3: -0.25 0.25 0.25" },
  /* Two of four bits stay: 7 / 4 and -3 / 4, rounded down. */
  { Q "Trunc", "", "float32 2: 7 -3; float32 : 1; float32 : 0; float32 : 4; float32 : 2",
    "float32 2: 1 -1" },
  { Q "Trunc", "", "float32 1: 7; float32 : 1; float32 : 0; float32 : 4; float32 : 2; float32 : 4",
    .error = "version 2" },
  { Q "MultiThreshold", "out_scale=2.0; out_bias=-1.0",
    "float32 1,2,1,2: 0 1 2 3; float32 2,2: 0.5 1 2.5 4", "float32 1,2,1,2: -1 3 -1 1" },
  { Q "MultiThreshold", "data_layout=NHWC", "float32 1,1,2,2: 1 3 2 0; float32 2,1: 2 1",
    "float32 1,1,2,2: 0 1 1 0" },
  { Q "MultiThreshold", "", "float32 2,2: 1 3 2 0; float32 1,3: 0 1 2", "float32 2,2: 2 3 3 1" },
  { Q "MultiThreshold", "", "float32 2: 1 3; float32 1,1: 2", .error = "2 axes" },
  { NULL },
};

#define LAST "qonnx.custom_op.channels_last:"

static const LowerCase last_cases[] = {
  /* Two channels of 3 steps, summed by a kernel [1, 2, 2] of two steps: 1 and 10, 2 and 20. */
  { LAST "Conv", "kernel_shape=[2]; pads=[0, 0]; strides=[1]",
    "float32 1,3,2: 1 1 2 0 0 3; float32 1,2,2: 1 10 2 20; float32 1: 100",
    "float32 1,2,1: 115 162" },
  { LAST "MaxPool", "kernel_shape=[2, 2]; strides=[2, 2]",
    "float32 1,2,2,3: 1 2 3 4 5 6 7 8 9 12 11 10", "float32 1,1,1,3: 12 11 10" },
  { LAST "BatchNormalization", "epsilon=0.0",
    "float32 1,2,2: 1 2 3 4; float32 2: 1 10; float32 2: 0 1; float32 2: 1 2; float32 2: 1 4",
    "float32 1,2,2: 0 1 2 11" },
  { LAST "MaxPool", "kernel_shape=[2]", "float32 2,2: 1 2 3 4", .error = "3 axes" },
  { NULL },
};

/* In files the type of a layer begins with its domain. */
static void
test_file (void)
{
  static const char text[] =
      "<ir_version: 8, opset_import: [\"\": 13, \"qonnx.custom_op.channels_last\": 1]>\n"
      "last (float[1,4,4,2] x) => (float[b,h,w,c] y) {\n"
      "  y = qonnx.custom_op.channels_last.MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)\n"
      "}\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = sym_io_read_bytes (bytes, "last", &error);
  g_autoptr (SymInference) inference = NULL;
  SymType type;

  g_assert_no_error (error);
  inference = sym_infer (model, NULL, 0, NULL, NULL);
  type = sym_inference_get_type (inference, sym_model_get_outputs (model).ids[0]);
  g_assert_cmpint (type.shape.rank, ==, 4);
  g_assert_cmpint (type.shape.dims[1], ==, 2);
  g_assert_cmpint (type.shape.dims[3], ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("qonnx-quant", quant_cases);
  lower_case_add_all ("qonnx-others", other_cases);
  lower_case_add_all ("qonnx-channels-last", last_cases);
  g_test_add_func ("/run/qonnx-channels-last/of-a-file", test_file);
  return g_test_run ();
}
