/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define SIX "float32 2,3: 1 2 3 4 5 6"

static const LowerCase axes_cases[] = {
  { "transpose", "", SIX, "float32 3,2: 1 4 2 5 3 6" },
  { "transpose", "axes=(0, 2, 1)", "float32 1,2,2: 1 2 3 4", "float32 1,2,2: 1 3 2 4" },
  { "SwapAxis", "dim1=0; dim2=-1", "float32 1,2,2: 1 2 3 4", "float32 2,2,1: 1 3 2 4" },
  { "expand_dims", "axis=-1", "float32 2: 1 2", "float32 2,1: 1 2" },
  { "squeeze", "", "float32 1,2,1: 1 2", "float32 2: 1 2" },
  { "squeeze", "", "float32 1,1: 7", "float32 1: 7" },
  { "depth_to_space", "block_size=2", "float32 1,4,1,1: 1 2 3 4", "float32 1,1,2,2: 1 2 3 4" },
  { "space_to_depth", "block_size=2", "float32 1,1,2,2: 1 2 3 4", "float32 1,4,1,1: 1 2 3 4" },
  { "reverse", "axis=(1,)", SIX, "float32 2,3: 3 2 1 6 5 4" },
  { "diag", "", SIX, "float32 2: 1 5" },
  { "diag", "k=1", SIX, "float32 2: 2 6" },
  { "diag", "k=-1", SIX, "float32 1: 4" },
  { "diag", "axis1=0; axis2=2", "float32 2,1,2: 1 2 3 4", "float32 1,2: 1 4" },
  { "diag", "k=-1", "float32 2: 1 2", "float32 3,3: 0 0 0 1 0 0 0 2 0" },
  { "diag", "k=1", "float32 2: 1 2", "float32 3,3: 0 1 0 0 0 2 0 0 0" },
  { NULL },
};

static const LowerCase slice_cases[] = {
  { "slice", "begin=(0, 1); end=(2, 3)", SIX, "float32 2,2: 2 3 5 6" },
  { "slice", "begin=(None, None); end=(None, None); step=(None, -2)", SIX, "float32 2,2: 3 1 6 4" },
  { "slice", "begin=(-1,); end=(None,)", SIX, "float32 1,3: 4 5 6" },
  { "slice_axis", "axis=1; begin=-2; end=None", SIX, "float32 2,2: 2 3 5 6" },
  { "slice_axis", "axis=-1; begin=0; end=-1", SIX, "float32 2,2: 1 2 4 5" },
  { "slice_like", "axes=(1,)", SIX "; float32 1,2: 0 0", "float32 2,2: 1 2 4 5" },
  { "Crop", "num_args=1; h_w=(1, 1); offset=(0, 1)", "float32 1,1,1,3: 1 2 3",
    "float32 1,1,1,1: 2" },
  { "Crop", "num_args=1; h_w=(1, 1); center_crop=True", "float32 1,1,1,3: 1 2 3",
    "float32 1,1,1,1: 2" },
  { "Crop", "num_args=1; h_w=(1, 1); offset=(0, 3)", "float32 1,1,1,3: 1 2 3",
    .error = "do not lie in an axis" },
  { "SliceChannel", "num_outputs=3", SIX, "float32 2,1: 1 4; float32 2,1: 2 5; float32 2,1: 3 6" },
  { "SliceChannel", "num_outputs=2; axis=0; squeeze_axis=True", SIX,
    "float32 3: 1 2 3; float32 3: 4 5 6" },
  { "_split_v2", "indices=(0, 1); axis=1", SIX, "float32 2,1: 1 4; float32 2,2: 2 3 5 6" },
  { "_npi_hsplit", "indices=(0, 2)", SIX, "float32 2,2: 1 2 4 5; float32 2,1: 3 6" },
  { "Concat", "num_args=2; dim=0", "float32 1,1: 1; float32 2,1: 2 3", "float32 3,1: 1 2 3" },
  { "stack", "num_args=2; axis=1", "float32 2: 1 2; float32 2: 3 4", "float32 2,2: 1 3 2 4" },
  { NULL },
};

/* Deviations of [1 2 3] and [4 5 6] are sqrt (2 / 3) each. */
static const LowerCase norm_cases[] = {
  { "softmax", "", "float32 2: 0 1.0986123", "float32 2: 0.25 0.75", .tolerance = 1e-6 },
  { "softmax", "axis=0; temperature=2.0", "float32 2,1: 0 2.1972246", "float32 2,1: 0.25 0.75",
    .tolerance = 1e-6 },
  { "softmax", "use_length=True", "float32 2,3: 0 1.0986123 9 5 7 8; float32 2: 2 1",
    "float32 2,3: 0.25 0.75 0 1 0 0", .tolerance = 1e-6 },
  { "log_softmax", "", "float32 2: 0 1.0986123", "float32 2: -1.3862944 -0.28768207",
    .tolerance = 1e-6 },
  { "softmin", "", "float32 2: 0 -1.0986123", "float32 2: 0.25 0.75", .tolerance = 1e-6 },
  { "masked_softmax", "", "float32 1,3: 0 9 1.0986123; bool 1,3: 1 0 1", "float32 1,3: 0.25 0 0.75",
    .tolerance = 1e-6 },
  { "LayerNorm", "eps=0.0", SIX "; float32 3: 1 2 3; float32 3: 0 0 1",
    "float32 2,3: -1.2247449 0 4.6742346 -1.2247449 0 4.6742346", .tolerance = 1e-6 },
  { "LayerNorm", "eps=0.0; axis=0; output_mean_var=True",
    "float32 2,1: 1 3; float32 2: 1 2; float32 2: 0 1",
    "float32 2,1: -1 3; float32 1,1: 2; float32 1,1: 1", .tolerance = 1e-6 },
  { "GroupNorm", "eps=0.0; num_groups=2", "float32 1,4,1: 1 3 2 6; float32 2: 1 2; float32 2: 0 1",
    "float32 1,4,1: -1 1 -1 3", .tolerance = 1e-6 },
  { "GroupNorm", "eps=0.0; num_groups=1", "float32 1,2,1: 1 3; float32 2: 1 2; float32 2: 0 1",
    "float32 1,2,1: -1 3", .tolerance = 1e-6 },
  { "InstanceNorm", "eps=0.0", "float32 1,2,2: 1 3 2 6; float32 2: 1 2; float32 2: 0 1",
    "float32 1,2,2: -1 1 -1 3", .tolerance = 1e-6 },
  { "L2Normalization", "", "float32 1,2: 3 4", "float32 1,2: 0.6 0.8; float32 1: 5",
    .tolerance = 1e-6 },
  { "L2Normalization", "mode=channel", "float32 1,2,1: 3 4", "float32 1,2,1: 0.6 0.8",
    .tolerance = 1e-6 },
  { "L2Normalization", "mode=spatial", "float32 1,1,2: 3 4", "float32 1,1,2: 0.6 0.8",
    .tolerance = 1e-6 },
  { "LRN", "nsize=3; alpha=3.0; beta=1.0; knorm=1.0", "float32 1,2,1,1: 1 2",
    "float32 1,2,1,1: 0.16666667 0.33333334", .tolerance = 1e-6 },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-axes", axes_cases);
  lower_case_add_all ("mxnet-slice", slice_cases);
  lower_case_add_all ("mxnet-normal", norm_cases);
  return g_test_run ();
}
