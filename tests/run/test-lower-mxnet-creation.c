/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* As numpy has it. */
static const LowerCase make_cases[] = {
  { "_npi_zeros", "shape=(2,)", "", "float32 2: 0 0" },
  { "_npi_ones", "shape=(1, 2); dtype=int32", "", "int32 1,2: 1 1" },
  { "_npi_full_like", "fill_value=2.5", "float32 2: 0 0", "float32 2: 2.5 2.5" },
  { "_npi_identity", "shape=(2, 2)", "", "float32 2,2: 1 0 0 1" },
  { "_npi_eye", "N=2; M=3; k=1", "", "float32 2,3: 0 1 0 0 0 1" },
  { "_npi_tri", "N=3; M=2; k=-1", "", "float32 3,2: 0 0 1 0 1 1" },
  { "_npi_arange", "start=1.0; stop=2.0; step=0.5", "", "float32 2: 1 1.5" },
  { "_npi_arange", "start=3.0; dtype=int64", "", "int64 3: 0 1 2" },
  { "_arange", "start=0.0; stop=2.0; repeat=2", "", "float32 4: 0 0 1 1" },
  { "_linspace", "start=1.0; stop=2.0; num=3", "", "float32 3: 1 1.5 2" },
  { "_linspace", "start=1.0; stop=2.0; num=2; endpoint=False", "", "float32 2: 1 1.5" },
  { "_npi_logspace", "start=0.0; stop=2.0; num=3; base=3.0", "", "float32 3: 1 3 9" },
  { "_contrib_arange_like", "axis=1; start=2.0", "float32 2,3: 0 0 0 0 0 0", "float32 3: 2 3 4" },
  { "_contrib_arange_like", "repeat=2; step=0.5", "float32 2,2: 0 0 0 0",
    "float32 2,2: 0 0 0.5 0.5" },
  { "_npi_indices", "dimensions=(2, 3)", "", "int32 2,2,3: 0 0 0 1 1 1 0 1 2 0 1 2" },
  { "_npi_hanning", "M=3", "", "float32 3: 0 1 0", .tolerance = 1e-6 },
  { "_npi_hamming", "M=3", "", "float32 3: 0.08 1 0.08", .tolerance = 1e-6 },
  { "_npi_blackman", "M=5", "", "float32 5: 0 0.34 1 0.34 0", .tolerance = 1e-6 },
  { "_npi_hanning", "M=1", "", "float32 1: 1" },
  { "_npi_tril_indices", "n=3; k=0; m=2", "", "int64 5: 0 1 1 2 2; int64 5: 0 0 1 0 1" },
  { "_npi_tril_indices", "n=3; k=-1; m=3", "", "int64 3: 1 2 2; int64 3: 0 0 1" },
  { "_npi_diag_indices_from", "", "float32 2,2: 0 0 0 0", "int64 2,2: 0 1 0 1" },
  { NULL },
};

#define SIX "float32 2,3: 1 2 3 4 5 6"

static const LowerCase move_cases[] = {
  { "_npi_moveaxis", "source=(0,); destination=(2,)", "float32 2,1,3: 1 2 3 4 5 6",
    "float32 1,3,2: 1 4 2 5 3 6" },
  { "_npi_rollaxis", "axis=2; start=0", "float32 2,1,3: 1 2 3 4 5 6",
    "float32 3,2,1: 1 4 2 5 3 6" },
  { "_npi_rollaxis", "axis=0; start=2", "float32 2,1,3: 1 2 3 4 5 6",
    "float32 1,2,3: 1 2 3 4 5 6" },
  { "_npi_roll", "shift=(1,)", SIX, "float32 2,3: 6 1 2 3 4 5" },
  { "_npi_roll", "shift=(-1,); axis=(1,)", SIX, "float32 2,3: 2 3 1 5 6 4" },
  { "_npi_roll", "shift=(1, 1); axis=(0, 1)", SIX, "float32 2,3: 6 4 5 3 1 2" },
  { "_npi_rot90", "", SIX, "float32 3,2: 3 6 2 5 1 4" },
  { "_npi_rot90", "k=2", SIX, "float32 2,3: 6 5 4 3 2 1" },
  { "_npi_rot90", "k=3", SIX, "float32 3,2: 4 1 5 2 6 3" },
  { "_npi_rot90", "k=1; axes=(1, 0)", SIX, "float32 3,2: 4 1 5 2 6 3" },
  { "_npi_pad", "pad_width=((0, 1), (1, 0)); constant_values=9", "float32 1,2: 1 2",
    "float32 2,3: 9 1 2 9 9 9" },
  { "_npi_pad", "pad_width=((1, 1),); mode=reflect", "float32 3: 1 2 3", "float32 5: 2 1 2 3 2" },
  { "_npi_diag", "k=1", SIX, "float32 2: 2 6" },
  { "_npi_diag", "k=-1", "float32 2: 1 2", "float32 3,3: 0 0 0 1 0 0 0 2 0" },
  { "_npi_diagflat", "", "float32 1,2: 1 2", "float32 2,2: 1 0 0 2" },
  { "_npi_diagonal", "offset=1", SIX, "float32 2: 2 6" },
  { "_npi_diagonal", "axis1=0; axis2=2", "float32 2,1,2: 1 2 3 4", "float32 1,2: 1 4" },
  { "_npi_trace", "", SIX, "float32 : 6" },
  { "_npi_trace", "offset=-1; axis1=0; axis2=2", "float32 2,1,2: 1 2 3 4", "float32 1: 3" },
  { "_npi_tril", "k=-1", "float32 2,2: 1 2 3 4", "float32 2,2: 0 0 3 0" },
  { "_npi_triu", "", "float32 2: 1 2", "float32 2,2: 1 2 0 2" },
  { "_npi_fill_diagonal", "val=(9,)", "float32 3,2: 1 1 1 1 1 1", "float32 3,2: 9 1 1 9 1 1" },
  { "_npi_fill_diagonal", "val=(9,); wrap=True", "float32 4,2: 1 1 1 1 1 1 1 1",
    "float32 4,2: 9 1 1 9 1 1 9 1" },
  { "_npi_repeats", "repeats=(1, 2); axis=0", "float32 2,1: 1 2", "float32 3,1: 1 2 2" },
  { "_npi_repeats", "repeats=(2,)", "float32 1,2: 1 2", "float32 4: 1 1 2 2" },
  { "_npi_around", "decimals=1", "float32 3: 1.25 -1.75 2.31", "float32 3: 1.2 -1.8 2.3",
    .tolerance = 1e-6 },
  { "_npi_around", "decimals=-1", "float32 2: 25 14", "float32 2: 20 10" },
  { "_npi_nan_to_num", "nan=1.0; neginf=-5.0", "float32 4: nan inf -inf 2",
    "float32 4: 1 3.4028234663852886e38 -5 2" },
  { NULL },
};

static const LowerCase several_cases[] = {
  { "_npi_concatenate", "num_args=2; axis=1", "float32 1,1: 1; float32 1,2: 2 3",
    "float32 1,3: 1 2 3" },
  { "_npi_concatenate", "num_args=2; axis=None", "float32 1,1: 1; float32 1,2: 2 3",
    "float32 3: 1 2 3" },
  { "_npi_vstack", "num_args=2", "float32 2: 1 2; float32 2: 3 4", "float32 2,2: 1 2 3 4" },
  { "_npi_hstack", "num_args=2", "float32 1: 1; float32 2: 3 4", "float32 3: 1 3 4" },
  { "_npi_dstack", "num_args=2", "float32 2: 1 2; float32 2: 3 4", "float32 1,2,2: 1 3 2 4" },
  { "_npi_column_stack", "num_args=2", "float32 2: 1 2; float32 2: 3 4", "float32 2,2: 1 3 2 4" },
  { "_npi_dot", "", "float32 2: 1 2; float32 2: 3 4", "float32 : 11" },
  { "_npi_dot", "", "float32 : 2; float32 2: 3 4", "float32 2: 6 8" },
  { "_npi_dot", "", "float32 1,2: 1 2; float32 2,2,1: 3 4 5 6", "float32 1,2,1: 11 17" },
  { "_npi_tensordot", "a_axes_summed=(0, 1); b_axes_summed=(1, 0)",
    "float32 2,2: 1 2 3 4; float32 2,2,1: 1 2 3 4", "float32 1: 29" },
  { "_npi_tensordot_int_axes", "axes=0", "float32 2: 1 2; float32 2: 3 4", "float32 2,2: 3 4 6 8" },
  { "_npi_tensordot_int_axes", "axes=1", "float32 1,2: 1 2; float32 2,1: 3 4", "float32 1,1: 11" },
  { "_npi_kron", "", "float32 1,2: 1 2; float32 2,1: 3 4", "float32 2,2: 3 6 4 8" },
  { "_npi_cross", "", "float32 3: 1 2 3; float32 3: 4 5 6", "float32 3: -3 6 -3" },
  { "_npi_cross", "", "float32 2: 1 2; float32 2: 3 4", "float32 : -2" },
  { "_npi_cross", "axisa=0", "float32 2,1: 1 2; float32 1,3: 4 5 6", "float32 1,3: 12 -6 -3" },
  { "_npi_einsum", "num_args=2; subscripts=ij,jk->ik", "float32 1,2: 1 2; float32 2,1: 3 4",
    "float32 1,1: 11" },
  { NULL },
};

static const LowerCase pair_cases[] = {
  { "_npi_arctan2", "", "float32 2,1: 1 -1; float32 2: 1 -1",
    "float32 2,2: 0.7853982 2.3561945 -0.7853982 -2.3561945", .tolerance = 1e-6 },
  { "_npi_copysign", "", "float32 2: 1 -2; float32 2: -0.0 3", "float32 2: -1 2" },
  { "_npi_gcd", "", "int32 2: 12 -18; int32 1: 8", "int32 2: 4 2" },
  { "_npi_lcm", "", "int64 2: 4 0; int64 1: 6", "int64 2: 12 0" },
  { "_npi_gcd", "", "float32 1: 1; float32 1: 2", .error = "float32" },
  { "_npi_bitwise_left_shift", "", "int32 2: 1 -1; int32 2: 4 1", "int32 2: 16 -2" },
  { "_npi_bitwise_right_shift", "", "int32 2: 16 -3; int32 2: 4 1", "int32 2: 1 -2" },
  { "_npi_rbitwise_left_shift_scalar", "scalar=2", "int32 2: 1 3", "int32 2: 4 16" },
  { "_npi_bitwise_right_shift_scalar", "scalar=1", "int32 2: 5 -4", "int32 2: 2 -2" },
  { "_npi_gcd_scalar", "scalar=6", "int32 2: 4 9", "int32 2: 2 3" },
  { "_npi_copysign_scalar", "scalar=-1.0", "float32 2: 1 -2", "float32 2: -1 -2" },
  { "_npi_rcopysign_scalar", "scalar=3.0", "float32 2: 1 -2", "float32 2: 3 -3" },
  { "_npi_rarctan2_scalar", "scalar=1.0", "float32 1: 0", "float32 1: 1.5707963",
    .tolerance = 1e-6 },
  { "_npi_arctan2_scalar", "scalar=1.0", "float32 1: 0", "float32 1: 0" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-make", make_cases);
  lower_case_add_all ("mxnet-move", move_cases);
  lower_case_add_all ("mxnet-several", several_cases);
  lower_case_add_all ("mxnet-pairs", pair_cases);
  return g_test_run ();
}
