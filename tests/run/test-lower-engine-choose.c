/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* What layers of inference engines choose, norm and move in blocks.  The numbers are those of
 * numpy, or of loops over the definitions. */

static const LowerCase qnn_cases[] = {
  { "qnn:SpaceToBatch", "block_size=[2, 2]; pad_amount=[[0, 0], [2, 0]]",
    "float32 1,4,2,1: 0.25 0.75 -0.75 0 1.5 1.5 -1.5 -1.25",
    "float32 4,2,2,1: 0 0.25 0 1.5 0 0.75 0 1.5 0 -0.75 0 -1.5 0 0 0 -1.25" },
  { "qnn:SpaceToBatch", "block_size=[1, 3]; pad_amount=[[0, 0], [0, 0]]",
    "float32 2,2,3,1: -1.75 -0.25 -2 -0.25 0.5 -1 0.75 0.25 -2 0.25 -1 -0.25",
    "float32 6,2,1,1: -1.75 -0.25 0.75 0.25 -0.25 0.5 0.25 -1 -2 -1 -2 -0.25" },
  { "qnn:BatchToSpace", "block_size=[2, 1]; crops=[[1, 0], [0, 1]]",
    "float32 2,2,2,1: -0.75 0.75 -0.25 -1.25 0.25 1 -0.75 -1",
    "float32 1,3,1,1: 0.25 -0.25 -0.75" },
  { "qnn:TopK", "k=2", "float32 1,4: 1 9 3 4", "float32 1,2: 9 4; int32 1,2: 1 3" },
  { "qnn:TopK", "k=2; largest=False; indices_dtype=uint32", "float32 1,4: 1 9 3 4",
    "float32 1,2: 1 3; uint32 1,2: 0 2" },
  { "qnn:OneHot", "depth=3; on_value=2.0; off_value=-1.0; output_dtype=float32", "int32 2: 2 0",
    "float32 2,3: -1 -1 2 2 -1 -1" },
  { "qnn:OneHot", "depth=2; axis=0; output_dtype=float32", "int32 3: 1 0 1",
    "float32 2,3: 0 1 0 1 0 1" },
  { "qnn:Argmin", "axis=-1; output_dtype=int32", "float32 2,2: 1 0 4 5", "int32 2: 1 0" },
  { "qnn:GatherNd", "batch_dims=1", "float32 2,3: 1 2 3 4 5 6; int32 2,1: 2 0", "float32 2: 3 4" },
  { "qnn:GatherElements", "axis=1", "float32 2,2: 1 2 3 4; int32 2,1: 1 0", "float32 2,1: 2 3" },
  { "qnn:ScatterElements", "axis=0; reduction=1",
    "float32 2,2: 1 2 3 4; int32 1,2: 1 0; float32 1,2: 10 20", "float32 2,2: 1 22 13 4" },
  { "qnn:ScatterNd", "reduction=2", "float32 3: 1 2 3; int32 1,1: 2; float32 1: 5",
    "float32 3: 1 2 15" },
  { "qnn:CumulativeSum", "axis=1; exclusive=True; reverse=True", "float32 1,3: 1 2 4",
    "float32 1,3: 6 4 0" },
  { "qnn:Shape", "start=1; end=3; output_dtype=uint32", "float32 1,2,3: 0 0 0 0 0 0",
    "uint32 2: 2 3" },
  { "qnn:RmsNorm", "axes=[1]; epsilon=0.5",
    "float32 2,4: -0.5 1.75 2 0.75 1.5 1.5 -0.5 -1.75; float32 4: 0.5 0.25 -0.5 -1",
    "float32 2,4: -0.159111 0.278445 -0.636446 -0.477334 0.478852 0.239426 0.159617 1.11732",
    .tolerance = 1e-05 },
  { "qnn:InstanceNorm", "epsilon=0.5",
    "float32 1,2,2,2: -0.25 0 -1 -0.75 -0.25 1.5 0.25 -0.75; float32 2: -1 -0.25; float32 2: -1.25 "
    "-1.25",
    "float32 1,2,2,2: -1.32474 -1.25 -0.427821 -1.08825 -1.32474 -1.5735 -1.92269 -1.08825",
    .tolerance = 1e-05 },
  { "qnn:GroupNorm", "group=2; epsilon=0.5",
    "float32 1,2,1,4: 0 -1.75 0 -0.5 0.75 1 0.75 0.75; float32 4: -0.5 0.75 -0.75 0.25; float32 4: "
    "-0.75 -0.25 -1.75 -1",
    "float32 1,2,1,4: -0.75 -1.26985 -1.53787 -1.21213 -1.04139 0.332772 -2.17426 -0.858579",
    .tolerance = 1e-05 },
  { "qnn:Moments", "axes=[1]", "float32 2,3: 2 -1 0.75 0.5 1 0",
    "float32 2: 0.583333 0.5; float32 2: 1.51389 0.166667", .tolerance = 1e-05 },
  { "qnn:ChannelShuffle", "axis=1; num_groups=2", "float32 1,6: 1 2 3 4 5 6",
    "float32 1,6: 1 4 2 5 3 6" },
  { "qnn:TransposeConv1d", "stride=[2]; pad_amount=[[0, 0]]",
    "float32 1,3,1: 0.5 -1.75 -1.75; float32 2,1,1: -1.25 -1.5",
    "float32 1,6,1: -0.625 -0.75 2.1875 2.625 2.1875 2.625", .tolerance = 1e-05 },
  { "qnn:DepthWiseConv1d", "stride=[1]; pad_amount=[[0, 0]]",
    "float32 1,4,2: -1.5 -1.5 0.25 -1.25 1.75 0.75 0.25 0.75; float32 3,1,2: -1 1.75 1.25 1 0 1.25",
    "float32 1,2,2: 1.8125 -2.9375 1.9375 -0.5", .tolerance = 1e-05 },
  { "qnn:GridSample", "align_corners=True; mode=0; padding_mode=0",
    "float32 1,1,2,2: 1 10 3 20; float32 1,1,1,2: 0 0", "float32 1,1,1,2: 2 15",
    .tolerance = 1e-05 },
  { "qnn:ElementWiseXor", "", "bool 2: 1 1; bool 2: 0 1", "bool 2: 1 0" },
  { "qnn:ElementWiseBinary", "operation=5", "float32 2: -5 5; float32 1: 3", "float32 2: -2 2" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("lower-engine-choose/qnn", qnn_cases);
  return g_test_run ();
}
