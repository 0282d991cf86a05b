/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define SIX "float32 2,3: 1 2 3 4 5 6"
#define SQUARE "float32 1,1,2,2: 1 2 3 4"

/* Against torch's conv_transpose2d and interpolate; grids by hand. */
static const LowerCase resample_cases[] = {
  { "Deconvolution",
    "kernel=(3, 3); stride=(2, 2); pad=(1, 1); adj=(1, 1); num_filter=1; no_bias=True",
    SQUARE "; float32 1,1,3,3: 1 2 3 4 5 6 7 8 9",
    "float32 1,1,4,4: 5 14 10 12 14 36 24 30 15 34 20 24 24 55 32 36" },
  { "Deconvolution",
    "kernel=(3, 3); stride=(2, 2); target_shape=(4, 4); num_filter=1; no_bias=True",
    SQUARE "; float32 1,1,3,3: 1 2 3 4 5 6 7 8 9",
    "float32 1,1,4,4: 5 14 10 12 14 36 24 30 15 34 20 24 24 55 32 36" },
  { "Deconvolution", "kernel=(2,); num_filter=1; no_bias=False",
    "float32 1,1,2: 1 2; float32 1,1,2: 1 3; float32 1: 10", "float32 1,1,3: 11 15 16" },
  { "UpSampling", "scale=2; sample_type=nearest; num_args=1", "float32 1,1,1,2: 1 2",
    "float32 1,1,2,4: 1 1 2 2 1 1 2 2" },
  { "UpSampling", "scale=2; sample_type=nearest; num_args=2",
    "float32 1,1,1,1: 1; float32 1,1,2,2: 1 2 3 4", "float32 1,2,2,2: 1 1 1 1 1 2 3 4" },
  { "UpSampling", "scale=2; sample_type=bilinear; num_filter=1; num_args=2",
    SQUARE "; float32 1,1,4,4: 0.0625 0.1875 0.1875 0.0625 0.1875 0.5625 0.5625 0.1875 "
           "0.1875 0.5625 0.5625 0.1875 0.0625 0.1875 0.1875 0.0625",
    "float32 1,1,4,4: 0.5625 0.9375 1.3125 1.125 1.125 1.75 2.25 1.875 1.875 2.75 3.25 2.625 "
    "1.6875 2.4375 2.8125 2.25" },
  { "_contrib_BilinearResize2D", "height=3; width=3", SQUARE,
    "float32 1,1,3,3: 1 1.5 2 2 2.5 3 3 3.5 4" },
  { "GridGenerator", "transform_type=affine; target_shape=(2, 2)", "float32 1,6: 1 0 0 0 2 0.5",
    "float32 1,2,2,2: -1 1 -1 1 -1.5 -1.5 2.5 2.5" },
  { "GridGenerator", "transform_type=warp", "float32 1,2,2,2: 1 0 0 0 0 0 0 -1",
    "float32 1,2,2,2: 1 1 -1 1 -1 -1 1 -1" },
  { "BilinearSampler", "", SQUARE "; float32 1,2,1,2: 0 1 0 -1", "float32 1,1,1,2: 2.5 2" },
  { "SpatialTransformer", "transform_type=affine; sampler_type=bilinear; target_shape=(1, 1)",
    SQUARE "; float32 1,6: 0 0 1 0 0 0", "float32 1,1,1,1: 3" },
  { NULL },
};

static const LowerCase extend_cases[] = {
  { "repeat", "repeats=2; axis=1", "float32 1,2: 1 2", "float32 1,4: 1 1 2 2" },
  { "repeat", "repeats=2", "float32 1,2: 1 2", "float32 4: 1 1 2 2" },
  { "tile", "reps=(2, 1, 2)", "float32 1,2: 1 2", "float32 2,1,4: 1 2 1 2 1 2 1 2" },
  { "tile", "reps=(2,)", "float32 2,1: 1 2", "float32 2,2: 1 1 2 2" },
  { "Pad", "mode=constant; pad_width=(0, 0, 0, 0, 1, 0, 0, 2); constant_value=9.0",
    "float32 1,1,1,1: 1", "float32 1,1,2,3: 9 9 9 1 9 9" },
  { "Pad", "mode=edge; pad_width=(0, 0, 0, 0, 0, 0, 1, 1)", "float32 1,1,1,2: 1 2",
    "float32 1,1,1,4: 1 1 2 2" },
  { "Pad", "mode=reflect; pad_width=(0, 0, 0, 0, 0, 0, 2, 1)", "float32 1,1,1,3: 1 2 3",
    "float32 1,1,1,6: 3 2 1 2 3 2" },
  { "broadcast_to", "shape=(2, 0)", "float32 1,2: 1 2", "float32 2,2: 1 2 1 2" },
  { "broadcast_axis", "axis=(0,); size=(2,)", "float32 1,2: 1 2", "float32 2,2: 1 2 1 2" },
  { "broadcast_like", "lhs_axes=(0,); rhs_axes=(-1,)", "float32 1,2: 1 2; float32 1,3: 0 0 0",
    "float32 3,2: 1 2 1 2 1 2" },
  { NULL },
};

static const LowerCase reduce_cases[] = {
  { "sum", "", SIX, "float32 1: 21" },
  { "sum", "axis=1", SIX, "float32 2: 6 15" },
  { "sum", "axis=0; exclude=True; keepdims=True", SIX, "float32 2,1: 6 15" },
  { "mean", "axis=(0, 1)", SIX, "float32 1: 3.5" },
  { "prod", "axis=0", SIX, "float32 3: 4 10 18" },
  { "nansum", "", "float32 2: nan 3", "float32 1: 3" },
  { "nanprod", "", "float32 2: nan 3", "float32 1: 3" },
  { "max", "axis=-1", SIX, "float32 2: 3 6" },
  { "min", "", SIX, "float32 1: 1" },
  { "_square_sum", "axis=1", SIX, "float32 2: 14 77" },
  { "norm", "", "float32 2: 3 -4", "float32 1: 5" },
  { "norm", "ord=1; axis=0", "float32 2: 3 -4", "float32 1: 7" },
  { "argmax", "axis=1", "float32 2,2: 1 3 4 4", "float32 2: 1 0" },
  { "argmin", "", SIX, "float32 1: 0" },
  { "argmax_channel", "", "float32 2,2: 1 3 4 2", "float32 2: 1 0" },
  { "moments", "axes=(1,)", "float32 1,2: 1 3", "float32 1: 2; float32 1: 1" },
  { "shape_array", "", SIX, "int64 2: 2 3" },
  { "size_array", "", SIX, "int64 1: 6" },
  { NULL },
};

static const LowerCase index_cases[] = {
  { "Embedding", "input_dim=2; output_dim=2", "float32 3: 1 0 9; float32 2,2: 1 2 3 4",
    "float32 3,2: 3 4 1 2 3 4" },
  { "take", "", SIX "; float32 2: 1 -3", "float32 2,3: 4 5 6 1 2 3" },
  { "take", "axis=1; mode=wrap", SIX "; int32 1,2: -1 4", "float32 2,1,2: 3 2 6 5" },
  { "take", "mode=raise", SIX "; int32 1: 7", .error = "7" },
  { "batch_take", "", SIX "; int32 2: 2 0", "float32 2: 3 4" },
  { "pick", "", SIX "; float32 2: 2 0", "float32 2: 3 4" },
  { "pick", "axis=0; keepdims=True", SIX "; float32 3: 1 0 1", "float32 1,3: 4 2 6" },
  { "pick", "mode=wrap", SIX "; float32 2: -1 4", "float32 2: 3 5" },
  { "one_hot", "depth=3; on_value=2.0", "float32 3: 1 -1 3", "float32 3,3: 0 2 0 0 0 0 0 0 0" },
  { "one_hot", "depth=2; dtype=int32", "int64 1: 1", "int32 1,2: 0 1" },
  { "gather_nd", "", SIX "; int64 2,2: 1 0 2 0", "float32 2: 6 1" },
  { "scatter_nd", "shape=(2, 2)", "float32 2: 5 6; int64 2,2: 1 0 1 0", "float32 2,2: 6 0 0 5" },
  { "_scatter_set_nd", "shape=(2,)", "float32 2: 1 2; float32 1: 9; int64 1,1: 1",
    "float32 2: 1 9" },
  { "_sparse_retain", "", "float32 2,1: 1 2; int64 1: 1", "float32 2,1: 0 2" },
  { "_contrib_boolean_mask", "", SIX "; float32 2: 0 1", "float32 1,3: 4 5 6" },
  { "_contrib_index_copy", "", "float32 2,1: 1 2; int64 1: 1; float32 1,1: 9", "float32 2,1: 1 9" },
  { "_contrib_index_array", "", "float32 1,2: 0 0", "int64 1,2,2: 0 0 0 1" },
  { "_contrib_index_array", "axes=(1,)", "float32 1,2: 0 0", "int64 1,2,1: 0 1" },
  { "_unravel_index", "shape=(2, 3)", "int64 2: 4 2", "int64 2,2: 1 0 1 2" },
  { "_ravel_multi_index", "shape=(2, 3)", "int64 2,2: 1 0 1 2", "int64 2: 4 2" },
  { "topk", "k=2", "float32 3: 1 3 2", "float32 2: 1 2" },
  { "topk", "k=2; ret_typ=both; is_ascend=True", "float32 3: 4 3 5",
    "float32 2: 3 4; float32 2: 1 0" },
  { "topk", "k=1; ret_typ=mask; axis=0", "float32 2,1: 1 3", "float32 2,1: 0 1" },
  { "topk", "k=1; ret_typ=value; axis=None", SIX, "float32 1: 6; -" },
  { "sort", "is_ascend=False", "float32 3: 1 3 2", "float32 3: 3 2 1" },
  { "argsort", "axis=None", "float32 1,3: 1 3 2", "float32 3: 0 2 1" },
  { NULL },
};

/* Attention against numpy. */
static const LowerCase matmul_cases[] = {
  { "dot", "", SIX "; float32 3,1: 1 0 1", "float32 2,1: 4 10" },
  { "dot", "", "float32 2: 1 2; float32 2: 3 4", "float32 1: 11" },
  { "dot", "transpose_a=True; transpose_b=True", "float32 2,1: 1 2; float32 3,2: 1 0 0 1 1 1",
    "float32 1,3: 1 2 3" },
  { "dot", "", "float32 1,2,2: 1 2 3 4; float32 2: 1 1", "float32 1,2: 3 7" },
  { "batch_dot", "transpose_b=True", "float32 1,1,2: 1 2; float32 1,2,2: 1 0 1 1",
    "float32 1,1,2: 1 3" },
  { "batch_dot", "", "float32 1,1,2: 1 2; float32 1,1,2: 1 0", .error = "batch_dot shape error" },
  { "_linalg_gemm2", "alpha=2.0", "float32 1,1: 3; float32 1,1: 4", "float32 1,1: 24" },
  { "_linalg_gemm", "beta=0.5; transpose_a=True",
    "float32 2,1: 1 2; float32 2,1: 3 4; float32 1,1: 10", "float32 1,1: 16" },
  { "_linalg_gemm2", "axis=0", "float32 1,1: 3; float32 1,1: 4", .error = "along axis 0" },
  { "_contrib_interleaved_matmul_selfatt_qk", "heads=2",
    "float32 2,1,12: 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2 "
    "2.1 2.2 2.3",
    "float32 2,2,2: 0.021213203 0.10606602 0.44547727 2.5667976 0.78488853 1.8879751 2.2273864 "
    "5.3669405",
    .tolerance = 1e-6 },
  { "_contrib_interleaved_matmul_selfatt_valatt", "heads=2",
    "float32 2,1,12: 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2 "
    "2.1 2.2 2.3; float32 2,2,2: 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7",
    "float32 2,1,4: 0.16 0.17 1.5 1.59 0.56 0.61 2.14 2.27", .tolerance = 1e-6 },
  { "_contrib_interleaved_matmul_encdec_qk", "heads=2",
    "float32 1,1,4: 0 0.1 0.2 0.3; float32 2,1,8: 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 "
    "1.3 1.4 1.5",
    "float32 2,1,2: 0.0070710678 0.06363961 0.16263456 0.44547727", .tolerance = 1e-6 },
  { "_contrib_interleaved_matmul_encdec_valatt", "heads=2",
    "float32 2,1,8: 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 1.1 1.2 1.3 1.4 1.5; "
    "float32 2,1,2: 0 0.1 0.2 0.3",
    "float32 1,1,4: 0.1 0.11 0.54 0.59", .tolerance = 1e-6 },
  { "khatri_rao", "num_args=2", "float32 2,2: 1 2 3 4; float32 1,2: 5 6",
    "float32 2,2: 5 12 15 24" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-resample", resample_cases);
  lower_case_add_all ("mxnet-extend", extend_cases);
  lower_case_add_all ("mxnet-reduce", reduce_cases);
  lower_case_add_all ("mxnet-index", index_cases);
  lower_case_add_all ("mxnet-matmul", matmul_cases);
  return g_test_run ();
}
