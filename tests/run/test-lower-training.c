/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define TRAINING "ai.onnx.preview.training:"

/* Operands: rate, steps done, parameters, gradients, states. */
static const LowerCase cases[] = {
  /* The rate is 1 / 2; 16 + 9 is the sum of squares: 2 - 3 / 5 / 2. */
  { TRAINING "Adagrad", "decay_factor=1.0",
    "float32 : 1; int64 : 1; float32 1: 2; float32 1: 3; float32 1: 16",
    "float32 1: 1.7; float32 1: 25", .tolerance = 1e-6 },
  /* The gradient is 3 + 2 / 2. */
  { TRAINING "Adagrad", "norm_coefficient=0.5; epsilon=5.0",
    "float32 : 1; int64 : 0; float32 1: 2; float32 1: 3; float32 1: 9",
    "float32 1: 1.6; float32 1: 25", .tolerance = 1e-6 },
  { TRAINING "Adagrad", "",
    "float32 : 1; int64 : 0; float32 1: 2; float32 2: 5 6; float32 1: 3; float32 2: 0 4; "
    "float32 1: 16; float32 2: 1 9",
    "float32 1: 1.4; float32 2: 5 5.2; float32 1: 25; float32 2: 1 25", .tolerance = 1e-6 },
  /* The means are 1 and 4: 1 - 1 / 2 / 2. */
  { TRAINING "Adam", "alpha=0.5; beta=0.5",
    "float32 : 0.5; int64 : 0; float32 1: 1; float32 1: 2; float32 1: 0; float32 1: 4",
    "float32 1: 0.75; float32 1: 1; float32 1: 4", .tolerance = 1e-6 },
  /* The rate is sqrt (1 / 2), and half of what comes of it stays. */
  { TRAINING "Adam", "alpha=0.5; beta=0.5; norm_coefficient_post=0.5",
    "float32 : 0.5; int64 : 1; float32 1: 1; float32 1: 2; float32 1: 0; float32 1: 4",
    "float32 1: 0.3232233; float32 1: 1; float32 1: 4", .tolerance = 1e-6 },
  /* The gradient counts in full in the first step. */
  { TRAINING "Momentum", "alpha=0.5; beta=0.25; mode=standard; norm_coefficient=0.0",
    "float32 : 0.1; int64 : 0; float32 1: 1; float32 1: 2; float32 1: 4",
    "float32 1: 0.6; float32 1: 4", .tolerance = 1e-6 },
  { TRAINING "Momentum", "alpha=0.5; beta=0.25; mode=standard; norm_coefficient=0.0",
    "float32 : 0.1; int64 : 1; float32 1: 1; float32 1: 2; float32 1: 4",
    "float32 1: 0.75; float32 1: 2.5", .tolerance = 1e-6 },
  { TRAINING "Momentum", "alpha=0.5; beta=0.25; mode=nesterov; norm_coefficient=0.0",
    "float32 : 0.1; int64 : 1; float32 1: 1; float32 1: 2; float32 1: 4",
    "float32 1: 0.675; float32 1: 2.5", .tolerance = 1e-6 },
  { TRAINING "Adam", "", "float32 : 0.1; int64 : 1; float32 1: 1; float32 1: 2; float32 1: 4",
    .error = "5 operands" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("training", cases);
  return g_test_run ();
}
