/* SPDX-License-Identifier: MIT */
#include "rule-case.h"

static const RuleCase linalg_cases[] = {
  { "linalg_potrf", "", "5,3,?", NULL, "5,3,3 -> 5,3,3" },
  { "linalg_potri", "", "*", "5,?,3", "5,3,3 -> 5,3,3" },
  { "linalg_potrf", "", "3,4", NULL, NULL, "sides of a square matrix" },
  { "linalg_potrf", "", "3", NULL, NULL, "matrices have at least 2" },
  { "linalg_inverse", "", "3,3:float64", NULL, "3,3:float64" },
  { "_npi_inv", "", "2,3,3", NULL, "2,3,3" },
  { "linalg_trmm", "", "* 5,3,4", NULL, "5,3,3 5,3,4 -> 5,3,4" },
  { "linalg_trsm", "rightside=True", "* 3,4", NULL, "4,4 3,4 -> 3,4" },
  { "linalg_trsm", "", "4,4 3,4", NULL, NULL, "Shape inconsistent" },
  { "linalg_syrk", "", "5,3,4", NULL, "5,3,3" },
  { "linalg_syrk", "transpose=True", "5,3,4", NULL, "5,4,4" },
  { "linalg_gelqf", "", "5,3,4", NULL, "5,3,4 5,3,3" },
  { "linalg_syevd", "", "5,3,3", NULL, "5,3,3 5,3" },
  { "linalg_sumlogdiag", "", "3,3", NULL, "1" },
  { "linalg_sumlogdiag", "", "7,3,3", NULL, "7" },
  { "linalg_det", "", "3,3:float32", NULL, "1:float32 3,3:float32 3:int32" },
  { "_npi_det", "", "3,3", NULL, "() 3,3 3" },
  { "linalg_slogdet", "", "7,3,3", NULL, "7 7 7,3,3 7,3" },
  { "linalg_extractdiag", "offset=-1", "7,4,4", NULL, "7,3" },
  { "linalg_extractdiag", "offset=4", "4,4", NULL, NULL, "no diagonal so far off" },
  { "linalg_makediag", "offset=1", "7,3", NULL, "7,4,4" },
  { "linalg_extracttrian", "", "7,4,4", NULL, "7,10" },
  { "linalg_extracttrian", "offset=2", "4,4", NULL, "3" },
  { "linalg_maketrian", "", "7,10", NULL, "7,4,4" },
  { "linalg_maketrian", "offset=1", "3", NULL, "3,3" },
  { "linalg_maketrian", "", "4", NULL, NULL, "do not fill a triangle" },
};

static const RuleCase random_cases[] = {
  { "sample_uniform", "shape=(2, 3)", "4,5 *", NULL, "4,5 4,5 -> 4,5,2,3" },
  { "_sample_normal", "", "4:float64 *", NULL, "4:float64 4:float64 -> 4:float32" },
  { "_sample_normal", "dtype=float16", "4:float64 4:float64", NULL, "4:float16" },
  { "_sample_gamma", "shape=(2,)", "* *", "4,5,2", "4,5 4,5 -> 4,5,2" },
  { "_sample_exponential", "shape=(2,)", "4", NULL, "4,2" },
  { "_sample_uniform", "", "4 5", NULL, NULL, "Shape inconsistent" },
  { "_sample_poisson", "shape=(0,)", "4", NULL, NULL, "must be non-zero" },
  { "_sample_multinomial", "shape=(2, 3)", "7,10", NULL, "7,2,3" },
  { "_sample_multinomial", "", "10:float32", NULL, "1:int32" },
  { "_sample_multinomial", "get_prob=True", "7,10:float32", NULL, "7:int32 7:float32" },
  { "_sample_unique_zipfian", "range_max=9; shape=(2, 3)", "", NULL, "2,3:int64 2:int64" },
  { "_random_pdf_normal", "", "4,5 4 4", NULL, "4,5" },
  { "_random_pdf_normal", "", "4,5 3 3", NULL, NULL, "axis of the parameters" },
  { "_random_pdf_dirichlet", "", "4,5,3 ?,3", NULL, "4,5,3 4,3 -> 4,5" },
  { "_random_gamma_like", "", "2,3:float16", NULL, "2,3:float16" },
  { "_npi_uniform", "low=0; high=1; size=(2, 3)", "", NULL, "2,3:float32" },
  { "_npi_uniform", "low=0; high=1; size=None", "", NULL, "():float32" },
  { "_npi_normal", "loc=None; scale=1; size=None", "2,3", NULL, "2,3 2,3" },
  { "_npi_normal", "loc=None; scale=None", "2,1 3", NULL, "2,3 2,3" },
  { "_npi_normal_n", "loc=None; scale=1; size=(5,)", "2,3", NULL, "5,2,3 5,2,3" },
  { "_npi_bernoulli", "prob=0.5; logit=None; size=(4,); is_logit=False", "", NULL, "4" },
  { "_npi_exponential", "scale=None", "3", NULL, "3 3" },
  { "_npi_choice", "a=9; size=(2, 2)", "", NULL, "2,2:int64" },
  { "_npi_multinomial", "n=9; pvals=(0.2, 0.8); size=(4,)", "", NULL, "4,2:int64" },
  { "_npi_multinomial", "n=9; pvals=None", "5", NULL, "5:int64" },
};

static const RuleCase create_cases[] = {
  { "_npi_zeros", "shape=(2, 0)", "", NULL, "2,0:float32" },
  { "_npi_ones", "shape=(); dtype=int8", "", NULL, "():int8" },
  { "_npi_full_like", "fill_value=2", "2,3:int8", NULL, "2,3:int8" },
  { "_npi_full_like", "fill_value=2; dtype=float16", "2,3:int8", NULL, "2,3:float16" },
  { "_npi_arange", "start=5", "", NULL, "5" },
  { "_npi_arange", "start=1; stop=2; step=0.25", "", NULL, "4" },
  { "_npi_arange", "start=5; stop=2", "", NULL, "0" },
  { "_npi_arange", "start=5; step=0", "", NULL, NULL, "step should not be 0" },
  { "_npi_linspace", "start=0; stop=1; num=7", "", NULL, "7" },
  { "_npi_logspace", "start=0; stop=1; num=7", "", NULL, "7" },
  { "_npi_eye", "N=3; M=None", "", NULL, "3,3" },
  { "_npi_eye", "N=3; M=4", "", NULL, "3,4" },
  { "_npi_identity", "shape=(3, 3)", "", NULL, "3,3" },
  { "_npi_indices", "dimensions=(2, 3)", "", NULL, "2,2,3:int32" },
  { "_npi_tril_indices", "n=4; k=0; m=4", "", NULL, "10 10" },
  { "_npi_tril_indices", "n=4; k=-1; m=2", "", NULL, "5 5" },
  { "_npi_diag_indices_from", "", "?,4,4", NULL, "4,4,4 -> 3,4" },
  { "_npi_diag_indices_from", "", "3,4", NULL, NULL, "all dimensions should be equal" },
  { "_npi_hanning", "M=7", "", NULL, "7" },
};

static const RuleCase transform_cases[] = {
  { "im2col", "kernel=(3, 3); pad=(1, 1)", "2,4,8,9", NULL, "2,36,72" },
  { "im2col", "kernel=(2, 2); stride=(2, 2)", "2,4,8,?", NULL, "2,16,?" },
  { "im2col", "kernel=(3, 3)", "2,4,2,2", NULL, NULL, "kernel size exceed input" },
  { "col2im", "output_size=(8, 9); kernel=(3, 3); pad=(1, 1)", "2,36,?", NULL,
    "2,36,72 -> 2,4,8,9" },
  { "col2im", "output_size=(8, 9); kernel=(3, 3); pad=(1, 1)", "2,36,70", NULL, NULL,
    "number of columns" },
  { "col2im", "output_size=(8, 9); kernel=(3, 3); pad=(1, 1)", "2,35,72", NULL, NULL,
    "35 rows are no windows of 9" },
  { "_contrib_fft", "", "4,8", NULL, "4,16" },
  { "_contrib_fft", "", "*", "4,?,3,16", "4,?,3,8 -> 4,?,3,16" },
  { "_contrib_fft", "", "4,8,8", NULL, NULL, "should have 2 or 4" },
  { "_contrib_ifft", "", "4,2,3,16", NULL, "4,2,3,8" },
  { "_contrib_count_sketch", "out_dim=20", "4,8 * 1,?", NULL, "4,8 ?,8 1,8 -> 4,20" },
  { "_histogram", "bin_cnt=10; range=(0, 1)", "4,5:float32", NULL, "10:int64 11:float32" },
  { "_npi_histogram", "", "4,5 7", NULL, "6 7" },
  { "_npi_histogram", "", "4,5 1", NULL, NULL, "number of bounds" },
  { "cumsum", "axis=1", "4,?", "?,5", "4,5 -> 4,5" },
  { "_np_cumsum", "", "4,5:int32", NULL, "20:int32" },
  { "cumsum", "axis=2; dtype=float64", "4,5", NULL, NULL, "axis 2 is out of range" },
  { "_contrib_allclose", "", "4,5 *", NULL, "4,5 4,5 -> ()" },
  { "_contrib_getnnz", "axis=0", "4,5", NULL, "5:int64" },
  { "masked_softmax", "", "2,4,8,8:float16 2,1,8,8", NULL,
    "2,4,8,8:float16 2,1,8,8:bool -> 2,4,8,8:float16" },
  { "_npx_masked_log_softmax", "axis=-1", "2,? *", "?,3", "2,3 ?,? -> 2,3" },
  { "masked_softmax", "", "2,4,8,8 2,3,8,8", NULL, NULL, "axis of the mask" },
};

static const RuleCase step_cases[] = {
  { "sgd_update", "lr=0.1", "2,3 *", NULL, "2,3 2,3 -> 2,3" },
  { "sgd_mom_update", "lr=0.1; momentum=0.9", "* 2,? *", "?,3", "2,3 2,3 2,3 -> 2,3" },
  { "adam_update", "lr=0.1", "2,3 3,2 * *", NULL, NULL, "at 1-th input" },
  { "mp_sgd_mom_update", "lr=0.1", "2,3:float16 * * *", NULL,
    "2,3:float16 2,3:float16 2,3:float32 2,3:float32 -> 2,3:float16" },
  { "_adamw_update", "lr=0.1", "2,3 * * * 1", NULL, "2,3 2,3 2,3 2,3 1 -> 2,3" },
  { "lamb_update_phase1", "wd=0.1", "2,3 * * *", NULL, "2,3" },
  { "mp_lamb_update_phase1", "wd=0.1", "2,3:float16 * * * *", NULL, "2,3:float32" },
  { "lamb_update_phase2", "lr=0.1", "2,3 * * *", NULL, "2,3 2,3 1 1 -> 2,3" },
  { "multi_sgd_update", "lrs=(1, 1); wds=(0, 0); num_weights=2", "2,3 * 4 *", NULL,
    "2,3 2,3 4 4 -> 2,3 4" },
  { "preloaded_multi_sgd_mom_update", "num_weights=2", "2,3 * * 4 * * 2 2", NULL, "2,3 4" },
  { "_multi_lamb_update", "learning_rates=(1,); wds=(0,); num_tensors=1", "2,3 * * *", NULL,
    "2,3" },
  { "multi_sum_sq", "num_arrays=3", "2,3 4 5", NULL, "3:float32" },
  { "all_finite", "", "2,3", NULL, "1:float32" },
  { "multi_lars", "eta=0.1; eps=0.1", "3 * * *", NULL, "3 3 3 3 -> 3" },
};

static const RuleCase index_cases[] = {
  { "_npi_advanced_indexing", "", "5,3 2,4:int64", NULL, "2,4,3" },
  { "_npi_advanced_indexing", "", "5,3,2 5,3:bool", NULL, "?,2" },
  { "_npi_advanced_indexing", "", "5,3,2 4,3:bool", NULL, NULL, "axis of the mask" },
  { "_npi_advanced_indexing", "", "5,3 2,4", NULL, "*" },
  { "_npi_boolean_mask_assign_scalar", "value=1", "5,3 5,3", NULL, "5,3" },
  { "_npx_index_add", "", "5,3 1,2 2,3", NULL, "5,3" },
  { "_npi_unique", "return_counts=True", "5,3:float32", NULL, "?:float32 ?:int64" },
  { "_npi_unique", "axis=1", "5,3", NULL, "5,?" },
  { "_npx_nonzero", "", "5,3", NULL, "?,2:int64" },
  { "_npi_bincount", "", "5:int32", NULL, "?:int32" },
  { "_npi_delete", "int_ind=1; axis=0", "5,3", NULL, "4,3" },
  { "_npi_delete", "start=1; stop=3; step=1; axis=1", "5,3", NULL, "5,?" },
  { "_npi_insert_scalar", "int_ind=1; val=3", "5,3", NULL, "?" },
  { "_npi_diff", "n=2; axis=0", "5,3", NULL, "3,3" },
  { "_npi_diff", "n=7", "5,3", NULL, "5,0" },
  { "_npi_ediff1d", "", "5,3", NULL, "14" },
  { "_npi_ediff1d", "to_begin_scalar=0; to_end_arr_given=True", "5 2", NULL, "7" },
  { "_npi_interp", "", "4 ? 2,3", NULL, "4 4 2,3 -> 2,3" },
  { "_npi_interp", "x_is_scalar=True; x_scalar=1", "4 *", NULL, "4 4 -> ()" },
  { "_npi_interp", "", "4 5 2,3", NULL, NULL, "Shape inconsistent" },
  { "_npi_polyval", "", "3 5,2", NULL, "5,2" },
  { "_npx_constraint_check", "", "5,3", NULL, "():bool" },
  { "_npi_repeats", "repeats=(1, 2, 3); axis=0", "3,2", NULL, "6,2" },
  { "_npi_repeats", "repeats=(2,)", "3,2", NULL, "12" },
  { "_npi_repeats", "repeats=(1, 2); axis=0", "3,2", NULL, NULL, "number of repeats" },
  { "_sparse_retain", "", "5,3 2", NULL, "5,3" },
  { "_npi_svd", "", "2,3,4", NULL, "2,3,3 2,3 2,3,4" },
  { "_npi_eigh", "", "2,3,3:float32", NULL, "2,3:float32 2,3,3:float32" },
  { "_npi_eigvals", "", "3,3", NULL, "3" },
  { "_npi_eig", "", "3,4", NULL, NULL, "sides of a square matrix" },
  { "_npi_qr", "", "5,3", NULL, "5,3 3,3" },
  { "_npi_solve", "", "3,3 ?,2", NULL, "3,3 3,2 -> 3,2" },
  { "_npi_pinv_scalar_rcond", "", "2,3,4", NULL, "2,4,3" },
  { "_npi_matrix_rank_none_tol", "", "2,3,4", NULL, "2:int64" },
  { "_npi_tensorinv", "ind=1", "24,8,3", NULL, "8,3,24" },
  { "_npi_cholesky", "", "?,3", NULL, "3,3 -> 3,3" },
};

static const RuleCase layer_cases[] = {
  { "_contrib_ModulatedDeformableConvolution",
    "kernel=(3, 3); num_filter=8; pad=(1, 1); num_deformable_group=2", "1,16,7,7 * * * *", NULL,
    "1,16,7,7 1,36,7,7 1,18,7,7 8,16,3,3 8 -> 1,8,7,7" },
  { "_contrib_quantized_embedding", "input_dim=100; output_dim=8", "2,5 * * *", NULL,
    "2,5 100,8:int8 1:float32 1:float32 -> 2,5,8:int8 1:float32 1:float32" },
  { "_contrib_intgemm_fully_connected", "num_hidden=4", "2,3,5 * * *", NULL,
    "2,3,5 4,15:int8 1 4:float32 -> 2,4:float32" },
  { "_contrib_intgemm_fully_connected", "num_hidden=4; flatten=False; no_bias=True; out_type=int32",
    "2,3,5 *", NULL, "2,3,5 4,5:int8 -> 2,3,4:int32" },
  { "_contrib_quantize_asym", "", "2,?:float32", "?,3",
    "2,3:float32 -> 2,3:uint8 1:float32 1:float32" },
  { "_contrib_intgemm_prepare_data", "", "2,3 *", NULL, "2,3:float32 1:float32 -> 2,3:int8" },
  { "_contrib_intgemm_take_weight", "", "9,5 4", NULL, "9,5:int8 4:int32 -> 4,5:int8" },
  { "_contrib_hawkesll", "", "?,4 * * * 2,7 * * *", NULL, "2,4 4 4 2,4 2,7 2,7 2 2 -> 2 2,4" },
};

static void
matrices_are_followed (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (linalg_cases); i++)
    rule_case_run (&linalg_cases[i]);
}

static void
random_numbers_have_the_shape_asked_for (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (random_cases); i++)
    rule_case_run (&random_cases[i]);
}

static void
tensors_are_made_of_nothing (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (create_cases); i++)
    rule_case_run (&create_cases[i]);
}

static void
transforms_know_their_sizes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transform_cases); i++)
    rule_case_run (&transform_cases[i]);
}

static void
steps_give_the_weight (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (step_cases); i++)
    rule_case_run (&step_cases[i]);
}

static void
what_is_found_has_an_unknown_size (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (index_cases); i++)
    rule_case_run (&index_cases[i]);
}

static void
layers_size_their_weights (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (layer_cases); i++)
    rule_case_run (&layer_cases[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/mxnet-numbers/matrices-are-followed", matrices_are_followed);
  g_test_add_func ("/ops/mxnet-numbers/random-numbers-have-the-shape-asked-for",
                   random_numbers_have_the_shape_asked_for);
  g_test_add_func ("/ops/mxnet-numbers/tensors-are-made-of-nothing", tensors_are_made_of_nothing);
  g_test_add_func ("/ops/mxnet-numbers/transforms-know-their-sizes", transforms_know_their_sizes);
  g_test_add_func ("/ops/mxnet-numbers/steps-give-the-weight", steps_give_the_weight);
  g_test_add_func ("/ops/mxnet-numbers/what-is-found-has-an-unknown-size",
                   what_is_found_has_an_unknown_size);
  g_test_add_func ("/ops/mxnet-numbers/layers-size-their-weights", layers_size_their_weights);
  return g_test_run ();
}
