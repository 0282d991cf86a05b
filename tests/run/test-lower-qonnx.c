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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("qonnx-quant", quant_cases);
  lower_case_add_all ("qonnx-others", other_cases);
  return g_test_run ();
}
