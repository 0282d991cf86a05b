/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* What ONNX took back, by its formulas: log (1 + e) is 1.3132617, tanh 1 is 0.76159416. */
static const LowerCase cases[] = {
  { ":Affine", "alpha=2.0; beta=-1.0", "float32 2: 3 0.5", "float32 2: 5 0" },
  { ":Affine", "", "float32 2: 3 0.5", "float32 2: 3 0.5" },
  { ":Scale", "scale=0.5", "float32 2: 3 -4", "float32 2: 1.5 -2" },
  { ":ParametricSoftplus", "alpha=2.0; beta=0.5", "float32 1: 2", "float32 1: 2.6265234",
    .tolerance = 1e-6 },
  { ":ScaledTanh", "alpha=3.0; beta=0.5", "float32 2: 2 0", "float32 2: 2.2847825 0",
    .tolerance = 1e-6 },
  { ":ThresholdedRelu", "alpha=2.0", "float32 3: 1 2 3", "float32 3: 0 0 3" },
  /* Two channels of one row. */
  { ":ImageScaler", "scale=2.0; bias=[10.0, -1.0]", "float32 1,2,1,2: 1 2 3 4",
    "float32 1,2,1,2: 12 14 5 7" },
  { ":ImageScaler", "scale=2.0", "float32 1,1,1,2: 1 2", "float32 1,1,1,2: 2 4" },
  { ":ImageScaler", "bias=[1.0, 2.0]", "float32 1,1,1,1: 0", .error = "2 biases for 1 channels" },
  { ":ImageScaler", "bias=[1.0]", "float32 1,1: 0", .error = "should have 4 axes, and has 2" },
  /* 3 by 4 pixels from 0 to 11: the left column and the lower row go. */
  { ":Crop", "border=[1, 0, 0, 1]", "float32 1,1,3,4: 0 1 2 3 4 5 6 7 8 9 10 11",
    "float32 1,1,2,3: 1 2 3 5 6 7" },
  /* The upper row and the left column go, then one row and two columns stay. */
  { ":Crop", "border=[1, 1, 0, 0]; scale=[1, 2]", "float32 1,1,3,4: 0 1 2 3 4 5 6 7 8 9 10 11",
    "float32 1,1,1,2: 5 6" },
  { ":Crop", "border=[1, 0]", "float32 1,1,1,1: 0", .error = "should have 4 numbers" },
  { ":DynamicSlice", "", "float32 2,3: 0 1 2 3 4 5; int64 2: 0 1; int64 2: 1 3",
    "float32 1,2: 1 2" },
  { ":DynamicSlice", "", "float32 2,3: 0 1 2 3 4 5; int64 1: -1; int64 1: 100; int64 1: 1",
    "float32 2,1: 2 5" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("onnx-early", cases);
  return g_test_run ();
}
