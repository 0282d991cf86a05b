/* SPDX-License-Identifier: MIT */
#include "rule-case.h"

/* Shapes of NNVM's layers, and of weights that its files do not hold: no dtype need be known. */

#define NNVM .domain = "nnvm"

static const RuleCase cases[] = {
  { "conv2d", "channels=8; kernel_size=(3, 3); padding=(1, 1); strides=(2, 2)", "2,3,9,9 * *", NULL,
    "2,3,9,9 8,3,3,3 8 -> 2,8,5,5", NNVM },
  { "conv2d", "channels=8; kernel_size=(3, 3); layout=NHWC; kernel_layout=HWIO; use_bias=False",
    "2,9,9,3 *", NULL, "2,9,9,3 3,3,3,8 -> 2,7,7,8", NNVM },
  { "conv2d", "channels=6; kernel_size=(1, 1); groups=3; use_bias=False", "1,3,9,9 *", NULL,
    "1,3,9,9 6,1,1,1 -> 1,6,9,9", NNVM },
  { "conv2d", "channels=8; kernel_size=(3, 3); layout=NCHW16c", "2,3,9,9,16 * *", NULL,
    "2,3,9,9,16 * * -> *", NNVM },
  { "conv2d", "channels=8; kernel_size=(3, 3); strides=(0, 1)", "2,3,9,9 * *", NULL, NULL,
    "make no sense", NNVM },
  { "conv2d", "channels=8; kernel_size=(3, 3); groups=2", "2,3,9,9 * *", NULL, NULL,
    "3 channels cannot be parted into 2 groups", NNVM },
  { "conv2d_transpose", "channels=4; kernel_size=(4, 4); strides=(2, 2); padding=(1, 1)",
    "1,3,8,8 * *", NULL, "1,3,8,8 3,4,4,4 4 -> 1,4,16,16", NNVM },
  { "max_pool2d", "pool_size=(3, 3); strides=(2, 2); padding=(0, 0, 1, 1)", "?,3,8,8", NULL,
    "?,3,4,4", NNVM },
  { "avg_pool2d", "pool_size=(2, 2); strides=(2, 2); ceil_mode=True", "1,3,7,7", NULL, "1,3,4,4",
    NNVM },
  { "global_avg_pool2d", "", "?,3,7,7", NULL, "?,3,1,1", NNVM },
  { "upsampling", "scale=2", "1,3,7,?", NULL, "1,3,14,?", NNVM },
  { "dense", "units=10", "?,20 * *", NULL, "?,20 10,20 10 -> ?,10", NNVM },
  { "dense", "units=10; use_bias=False", "?,20 *", NULL, "?,20 10,20 -> ?,10", NNVM },
  { "batch_norm", "axis=3", "1,2,2,5 * * * *", NULL, "1,2,2,5 5 5 5 5 -> 1,2,2,5 5 5", NNVM },
  { "prelu", "", "1,3,2,2 *", NULL, "1,3,2,2 3 -> 1,3,2,2", NNVM },
  { "elemwise_add", "", "1,2 *", NULL, "1,2 1,2 -> 1,2", NNVM },
  { "broadcast_mul", "", "1,3,2,2 3,1,1", NULL, "1,3,2,2", NNVM },
  { "__add_scalar__", "scalar=1", "2,3", NULL, "2,3", NNVM },
  { "split", "indices_or_sections=3", "1,6", NULL, "1,2 1,2 1,2", NNVM },
  { "pad", "pad_width=((0, 0), (1, 2))", "?,2", NULL, "?,5", NNVM },
  { "reshape", "shape=(0, -1)", "2,3,4", NULL, "2,12", NNVM },
  { "argmax", "axis=1", "2,3:float32", NULL, "2:int32", NNVM },
};

static void
shapes_follow_both_ways (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    rule_case_run (&cases[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/nnvm/shapes-follow-both-ways", shapes_follow_both_ways);
  return g_test_run ();
}
