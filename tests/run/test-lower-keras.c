/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* Layers of Keras whose data are of another dtype than the layer: an activation takes them as they
 * come. */

#define OP "keras:"

static const LowerCase activation_cases[] = {
  { OP "ReLU", "max_value=6.0; dtype=float32", "int32 4: -3 0 4 9", "int32 4: 0 0 4 6" },
  { OP "ReLU", "max_value=6.0; dtype=float32", "uint8 3: 0 4 9", "uint8 3: 0 4 6" },
  { OP "ReLU", "max_value=6.0; dtype=float32", "float16 4: -3 0.5 4 9", "float16 4: 0 0.5 4 6" },
  { OP "ReLU", "max_value=6.0; dtype=float32", "float64 4: -3 0.1 4 9", "float64 4: 0 0.1 4 6" },
  { OP "ReLU", "max_value=6.0; dtype=float16", "float32 4: -3 0.1 4 9", "float32 4: 0 0.1 4 6" },
  { OP "ReLU", "max_value=300.0", "uint8 3: 0 4 200", "uint8 3: 0 4 200" },
  { OP "ReLU", "max_value=5000000000.0", "int32 3: -7 4 200", "int32 3: 0 4 200" },
  { OP "ReLU", "dtype=float32", "int32 4: -3 0 4 9", "int32 4: 0 0 4 9" },
  { OP "ReLU", "dtype=float32", "uint8 3: 0 4 9", "uint8 3: 0 4 9" },
  { OP "ReLU", "dtype=float32", "float64 2: -3 0.1", "float64 2: 0 0.1" },
  { OP "Activation", "activation=relu", "uint16 3: 0 4 9", "uint16 3: 0 4 9" },
  { OP "Activation", "activation=relu6", "int32 4: -3 0 4 9", "int32 4: 0 0 4 6" },
  { OP "Activation", "activation=relu6", "float16 3: -3 0.5 9", "float16 3: 0 0.5 6" },
  { OP "Activation", "activation=relu6", "float64 3: -3 0.1 9", "float64 3: 0 0.1 6" },
  { OP "Activation", "activation=hard_tanh", "int64 3: -3 0 9", "int64 3: -1 0 1" },
  { OP "Activation", "activation=hard_tanh", "uint8 3: 0 1 9", "uint8 3: 0 1 1" },
  { OP "Activation", "activation=squareplus", "float64 2: 0 1.5", "float64 2: 1 2" },
  { OP "Activation", "activation=sparse_plus", "float64 3: -2 0 3", "float64 3: 0 0.25 3" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("lower-keras/activation", activation_cases);
  return g_test_run ();
}
