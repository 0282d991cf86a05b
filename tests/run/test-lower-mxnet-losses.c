/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* By numpy from the formulas of the distributions. */
static const LowerCase density_cases[] = {
  { "_random_pdf_uniform", "", "float32 2,2: 0.5 1.5 2 3; float32 2: 0 2.5; float32 2: 1 5",
    "float32 2,2: 1 0 0 0.4", .tolerance = 1e-5 },
  { "_random_pdf_normal", "", "float32 2,2: 0.5 1.5 2 3; float32 2: 1 2; float32 2: 0.5 3",
    "float32 2,2: 0.483941449 0.483941449 0.13298076 0.125794409", .tolerance = 1e-5 },
  { "_random_pdf_gamma", "is_log=True",
    "float32 2,2: 0.5 1.5 2 3; float32 2: 1 2; float32 2: 0.5 3",
    "float32 2,2: -0.943147181 -1.44314718 -3.10962824 -5.70416313", .tolerance = 1e-5 },
  { "_random_pdf_exponential", "", "float32 2,2: 0.5 1.5 2 3; float32 2: 0.5 3",
    "float32 2,2: 0.389400392 0.236183276 0.00743625653 0.000370229412", .tolerance = 1e-5 },
  { "_random_pdf_poisson", "", "float32 2,2: 0 2 1 3; float32 2: 0.5 3",
    "float32 2,2: 0.60653066 0.0758163325 0.149361205 0.224041808", .tolerance = 1e-5 },
  { "_random_pdf_negative_binomial", "",
    "float32 2,2: 0 2 1 3; float32 2: 2 3; float32 2: 0.25 0.5",
    "float32 2,2: 0.0625 0.10546875 0.1875 0.15625", .tolerance = 1e-5 },
  { "_random_pdf_generalized_negative_binomial", "",
    "float32 2,2: 0 2 1 3; float32 2: 2 3; float32 2: 0.25 0.5",
    "float32 2,2: 0.197530864 0.219478738 0.192 0.13824", .tolerance = 1e-5 },
  { "_random_pdf_dirichlet", "", "float32 2,2: 0.2 0.8 0.5 0.5; float32 2,2: 1 2 3 2",
    "float32 2: 1.6 1.5", .tolerance = 1e-5 },
  { "_random_pdf_normal", "", "float32 3: 1 2 3; float32 2: 1 2; float32 2: 1 2",
    .error = "parameters" },
  { NULL },
};

/* Losses of sequences by going through all paths. */
static const LowerCase loss_cases[] = {
  { "CTCLoss", "",
    "float32 3,2,3: 0.55 0.71 0.29 0.51 0.89 0.9 0.13 0.21 0.05 0.44 0.03 0.46 0.65 0.28 0.68 0.59 "
    "0.02 0.56; float32 2,2: 1 2 2 0",
    "float32 2: 1.41788951 1.2837314", .tolerance = 1e-5 },
  { "CTCLoss", "blank_label=last",
    "float32 3,2,3: 0.55 0.71 0.29 0.51 0.89 0.9 0.13 0.21 0.05 0.44 0.03 0.46 0.65 0.28 0.68 0.59 "
    "0.02 0.56; float32 2,2: 0 0 1 -1",
    "float32 2: 3.26177359 1.62186982", .tolerance = 1e-5 },
  { "CTCLoss", "use_data_lengths=True; use_label_lengths=True",
    "float32 3,2,3: 0.55 0.71 0.29 0.51 0.89 0.9 0.13 0.21 0.05 0.44 0.03 0.46 0.65 0.28 0.68 0.59 "
    "0.02 0.56; float32 2,2: 1 2 2 1; float32 2: 2 3; float32 2: 1 2",
    "float32 2: 0.919960235 1.95411491", .tolerance = 1e-5 },
  { "CTCLoss", "", "float32 1,1,3: 0 0 0; float32 1,2: 1 2", "float32 1: inf", .tolerance = 1e-5 },
  { "CTCLoss", "", "float32 1,1,3: 0 0 0; float32 1,1: 7", .error = "label 7" },
  { "softmax_cross_entropy", "", "float32 2,3: 1 2 3 0 1 0; float32 2: 2 0",
    "float32 1: 1.95905068", .tolerance = 1e-5 },
  { NULL },
};

static const LowerCase other_cases[] = {
  { "_sg_pow_mul_scalar", "exponent=2; multiplier=3", "float32 2: 2 -1", "float32 2: 12 3",
    .tolerance = 1e-5 },
  { "_contrib_allclose", "", "float32 2: 1 nan; float32 2: 1.000001 nan", "bool : 1",
    .tolerance = 1e-5 },
  { "_contrib_allclose", "equal_nan=False", "float32 2: 1 nan; float32 2: 1 nan", "bool : 0",
    .tolerance = 1e-5 },
  { "_contrib_allclose", "atol=0.5; rtol=0.0", "float32 2: 1 2; float32 2: 1.4 2.6", "bool : 0",
    .tolerance = 1e-5 },
  { "_slice_assign", "begin=(0, 1); end=(2, 3)", "float32 2,3: 1 2 3 4 5 6; float32 2,2: 7 8 9 10",
    "float32 2,3: 1 7 8 4 9 10", .tolerance = 1e-5 },
  { "_slice_assign", "begin=(None,); end=(None,); step=(-2,)", "float32 4: 1 2 3 4; float32 2: 7 8",
    "float32 4: 1 8 3 7", .tolerance = 1e-5 },
  { "_slice_assign_scalar", "scalar=9; begin=(1,); end=(None,)", "float32 3,2: 1 2 3 4 5 6",
    "float32 3,2: 1 2 9 9 9 9", .tolerance = 1e-5 },
  { "_slice_assign_scalar", "scalar=9; begin=(2,); end=(1,)", "float32 3: 1 2 3",
    "float32 3: 1 2 3", .tolerance = 1e-5 },
  { NULL },
};

/* Transforms of (1, 2, 3, 4) are 10, -2 + 2i, -2 and -2 - 2i; back they are four times as great. */
static const LowerCase fourier_cases[] = {
  { "_contrib_fft", "", "float32 1,4: 1 2 3 4", "float32 1,8: 10 0 -2 2 -2 0 -2 -2",
    .tolerance = 1e-5 },
  { "_contrib_ifft", "", "float32 1,8: 10 0 -2 2 -2 0 -2 -2", "float32 1,4: 4 8 12 16",
    .tolerance = 1e-5 },
  { "_contrib_count_sketch", "out_dim=2",
    "float32 1,3: 1 2 3; float32 1,3: 1 0 1; float32 1,3: 1 "
    "-1 1",
    "float32 1,2: -2 4" },
  { "_contrib_count_sketch", "out_dim=2", "float32 1,1: 1; float32 1,1: 2; float32 1,1: 1",
    .error = "place 2" },
  { NULL },
};

static const LowerCase integer_cases[] = {
  { "_contrib_intgemm_maxabsolute", "", "float32 3: 1 -4 3", "float32 1: 4" },
  { "_contrib_intgemm_prepare_data", "", "float32 1,3: 2 -1 0.5; float32 1: 2",
    "int8 1,3: 127 -64 32" },
  { "_contrib_intgemm_prepare_weight", "already_quantized=True", "int8 1,2: 5 -7",
    "int8 1,2: 5 -7" },
  { "_contrib_intgemm_take_weight", "", "int8 2,2: 1 2 3 4; int32 1: 1", "int8 1,2: 3 4" },
  { "_contrib_intgemm_fully_connected", "num_hidden=1; out_type=float32",
    "int8 1,2: 3 4; int8 1,2: 2 -1; float32 1: 0.5; float32 1: 10", "float32 1,1: 11" },
  { "_contrib_intgemm_fully_connected", "num_hidden=1; out_type=int32; no_bias=True",
    "int8 1,2: 3 4; int8 1,2: 2 -1", "int32 1,1: 2" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-densities", density_cases);
  lower_case_add_all ("mxnet-losses", loss_cases);
  lower_case_add_all ("mxnet-others", other_cases);
  lower_case_add_all ("mxnet-fourier", fourier_cases);
  lower_case_add_all ("mxnet-integers", integer_cases);
  return g_test_run ();
}
