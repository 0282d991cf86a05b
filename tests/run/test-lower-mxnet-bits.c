/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* How many of the products of signs are +1. */
static const LowerCase bit_cases[] = {
  { "QActivation", "", "float32 3: -0.5 0 2", "float32 3: -1 1 1" },
  { "QActivation", "act_bit=2", "float32 4: -0.5 0.3 0.6 2", "float32 4: 0 0.33333333 0.66666667 1",
    .tolerance = 1e-6 },
  { "QActivation", "backward_only=True", "float32 2: -0.5 7", "float32 2: -0.5 7" },
  { "QFullyConnected", "num_hidden=2", "float32 1,3: -1 2 0; float32 2,3: -1 -1 -1 1 1 1",
    "float32 1,2: 1 2" },
  { "QFullyConnected", "num_hidden=1; no_bias=False",
    "float32 1,3: -1 2 0; float32 1,3: -1 -1 -1; float32 1: 0.5", "float32 1,1: 1.5" },
  /* Words of 8 bits, the first of both rows, then the second: 5 is 1010 0000. */
  { "QFullyConnected", "num_hidden=2; binarized_weights_only=True",
    "float32 1,16: 1 -1 1 -1 -1 -1 -1 -1 1 1 1 1 1 1 1 1; uint8 4: 5 0 255 255",
    "float32 1,2: 16 14" },
  { "QFullyConnected", "num_hidden=1; act_bit=2", "float32 1,1: 1; float32 1,1: 1",
    .error = "2 bits" },
  { "QFullyConnected", "num_hidden=2; binarized_weights_only=True",
    "float32 1,16: 1 -1 1 -1 -1 -1 -1 -1 1 1 1 1 1 1 1 1; uint8 3: 5 0 255", .error = "24 bits" },
  /* Padding is 0, so +1: windows (+ -), (- +), (+ +). */
  { "QConvolution", "kernel=(1, 2); num_filter=1; pad=(0, 1)",
    "float32 1,1,1,2: -1 1; float32 1,1,1,2: 1 -1", "float32 1,1,1,3: 2 0 1" },
  { "QConvolution", "kernel=(2, 2); num_filter=2; binarized_weights_only=True",
    "float32 1,2,2,2: 1 1 -1 -1 1 -1 1 -1; uint8 2: 83 0", "float32 1,2,1,1: 8 4" },
  { "QConvolution", "kernel=(3, 3); num_filter=1",
    "float32 1,1,2,2: 1 1 1 1; float32 1,1,3,3: "
    "1 1 1 1 1 1 1 1 1",
    .error = "window" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-bits", bit_cases);
  return g_test_run ();
}
