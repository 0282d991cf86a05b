/* SPDX-License-Identifier: MIT */
#include "rule-case.h"

/* What the shape and dtype functions of MXNet's own sources answer, 1.9.1 unless a line says 2.0.
 */

static const RuleCase matrix_cases[] = {
  /* float32 stays, anything else is worked on as float64 */
  { "_npi_eig", "", "3,3:float32", NULL, "3:float32 3,3:float32" },
  { "_npi_eig", "", "3,3:int32", NULL, "3,3:int32 -> 3:float64 3,3:float64" },
  { "_npi_eigvals", "", "3,3:float16", NULL, NULL, "float16 is unsupported in linalg" },
  { "_npi_qr", "", "2,3,5:int64", NULL, "2,3,5:int64 -> 2,3,3:float64 2,3,5:float64" },
  { "_npi_pinv_scalar_rcond", "", "3,4:float64", NULL, "4,3:float64" },
  { "_npi_solve", "", "3,3:float32 3:float64", NULL, "3:float64" },
  { "_npi_solve", "", "3,3:float32 3:float32", NULL, "3:float32" },
  { "_npi_tensorinv", "ind=1", "6,2,3:int8", NULL, "6,2,3:int8 -> 2,3,6:float64" },
  { "_npi_svd", "", "*", "* * 3,4:float16", "3,4:float16 -> 3,3:float16 3:float16 3,4:float16" },

  /* Back from the results */
  { "_npi_eig", "", "*", "* 3,3", "3,3 -> 3 3,3" },
  { "_npi_eigh", "", "*", "2,3 *", "2,3,3 -> 2,3 2,3,3" },
  { "_npi_eigvals", "", "*", "2,3", "2,3,3 -> 2,3" },
  { "_npi_pinv_scalar_rcond", "", "*", "2,4,3", "2,3,4 -> 2,4,3" },

  /* A second operand may lack the last axis */
  { "_npi_solve", "", "5,3,3 5,3", NULL, "5,3" },
  { "_npi_solve", "", "5,3,3 5,?,2", NULL, "5,3,3 5,3,2 -> 5,3,2" },
  { "_npi_solve", "", "5,3,3 6,3", NULL, NULL, "batch axis of B" },
  { "_npi_solve", "", "5,3,3 3", NULL, NULL, "B should have 2 or 3, not 1" },

  { "_npi_svd", "", "4,3", NULL, NULL, "more rows than columns" },
  { "_npi_tensorinv", "ind=5", "2,3", NULL, "2,3" },
  { "_npi_tensorinv", "ind=0", "2,3", NULL, NULL, "ind is 0" },
  { "_npi_matrix_rank", "", "2,5,3,4 ()", NULL, "2,5" },
  { "_npi_matrix_rank", "", "5,3,4 2,1", NULL, "2,5" },
  { "_npi_matrix_rank_none_tol", "", "4", NULL, "()" },

  { "_npi_tensorsolve", "", "6,4,6,2,2 6,4", NULL, "6,2,2" },
  { "_npi_tensorsolve", "a_axes=(0, 2)", "2,3,3,6 3,6", NULL, "2,3" },
  { "_npi_tensorsolve", "a_axes=(0, 0)", "2,3 2", NULL, NULL, "axis 0 twice" },
  { "_npi_tensorsolve", "a_axes=(3,)", "2,3 2", NULL, NULL, "axis 3 is out of range" },

  /* 2.0 */
  { "_npi_lstsq", "", "5,3:float32 5,2:float32", NULL, "3,2:float32 ?:float32 () 3:float32" },
  { "_npi_lstsq", "", "5,3:float32 5:float64", NULL, "3:float64 ?:float64 () 3:float64" },
  { "_npi_lstsq", "", "5,3 4", NULL, NULL, "rows of B" },
  { "_npi_cross", "", "3 3", NULL, "3" },
  { "_npi_cross", "", "2 2", NULL, "()" },
  { "_npi_cross", "", "2 3", NULL, "3" },
  { "_npi_cross", "", "4,1,3:float32 5,2", NULL, "4,1,3:float32 5,2:float32 -> 4,5,3:float32" },
  { "_npi_cross", "", "4,2 4,2", NULL, "4" },
  { "_npi_cross", "axisa=0; axisc=0", "3,4 4,3", NULL, "3,4" },
  { "_npi_cross", "", "4,? 4,2", NULL, "*" },
  { "_npi_cross", "", "4,5 4,5", NULL, NULL, "2 or 3 elements, not 5" },
  { "_npi_cross", "", "4,3 5,3", NULL, NULL, "do not broadcast" },
};

static const RuleCase random_cases[] = {
  { "_npi_normal", "loc=None; scale=1; size=None; dtype=float16", "2", NULL,
    "2 -> 2:float16 2:float32" },
  { "_npi_laplace", "loc=0; scale=None; size=None", "2,3", NULL, "2,3" },
  { "_npi_uniform", "low=None; high=None; size=(-2, 5)", "2,1 3", NULL, "5,2,3" },
  { "_npi_normal_n", "loc=None; scale=None; size=(5,)", "2,1 3", NULL, "5,2,3 5,2,3" },
  { "_npi_rayleigh", "size=(4,)", "", NULL, "4:float32 4:float32" },
  { "_npi_pareto", "a=None; size=None", "3:float64", NULL, "3:float64 -> 3:float32 3:float32" },
  { "_sample_gamma", "", "4:float16 4:float16", NULL, "4:float16 4:float16 -> 4:float32" },
  { "_sample_categorical", "shape=(2,)", "7,10:float32", NULL, "7,10:float32 -> 7,2:int32" },
  { "_sample_multinomial", "shape=(2,); dtype=float32", "? 7,10", NULL, "7 7,10 -> 7,2,10" },
  { "_sample_multinomial", "", "6 7,10", NULL, NULL, "Shape inconsistent" },
  { "_sample_binomial", "shape=(2,)", "3 *", NULL, "3 3 -> 3,2" },
  { "_npx_tensor_poisson", "shape=(2,)", "3", NULL, "3,2" },
  { "_random_binomial", "n=4; p=0.5; shape=(2, 3)", "", NULL, "2,3:float32" },
};

static const RuleCase integer_cases[] = {
  { "_contrib_quantized_elemwise_add", "", "2,3:int8 2,3:uint8 * * * *", NULL,
    "2,3:int8 2,3:uint8 1:float32 1:float32 1:float32 1:float32 -> "
    "2,3:int32 1:float32 1:float32" },
  { "_contrib_quantized_elemwise_add", "min_calib_range=-1; max_calib_range=1",
    "2,3:uint8 2,3:uint8 * * * *", NULL,
    "2,3:uint8 2,3:uint8 1:float32 1:float32 1:float32 1:float32 -> "
    "2,3:uint8 1:float32 1:float32" },
  { "_contrib_quantized_npi_add", "min_calib_range=-1; max_calib_range=1",
    "2,1:int8 3:uint8 * * * *", NULL,
    "2,1:int8 3:uint8 1:float32 1:float32 1:float32 1:float32 -> 2,3:int8 1:float32 1:float32" },
  { "_contrib_quantized_elemwise_mul", "max_calib_range=1", "2:int8 2:int8 * * * *", NULL,
    "2:int8 2:int8 1:float32 1:float32 1:float32 1:float32 -> 2:int32 1:float32 1:float32" },
  { "_contrib_quantized_batch_norm_relu", "", "2,3,4 * * * * * *", NULL,
    "2,3,4 3 3 3 3 1 1 -> 2,3,4 1 1" },
  { "_contrib_quantized_reshape", "shape=(0, -1)", "2,3,4:int8 * *", NULL,
    "2,3,4:int8 1:float32 1:float32 -> 2,12:int8 1:float32 1:float32" },
  { "_npx_quantized_reshape", "newshape=(-2, -1)", "2,3,4 * *", NULL, "2,3,4 1 1 -> 2,12 1 1" },
  { "_contrib_quantized_transpose", "axes=(0, 2, 1)", "2,3,4:uint8 * *", NULL,
    "2,3,4:uint8 1:float32 1:float32 -> 2,4,3:uint8 1:float32 1:float32" },
  { "_contrib_quantized_rnn", "state_size=5; num_layers=1; mode=lstm; state_outputs=True",
    "7,2,3:uint8 * * * * *", NULL,
    "7,2,3:uint8 200:float32 1,2,5:float32 1,2,5:float32 1:float32 1:float32 -> "
    "7,2,5:float32 1,2,5:float32 1,2,5:float32" },
  { "_contrib_quantized_rnn", "state_size=5; num_layers=1; mode=gru", "7,2,3 * * * * *", NULL, NULL,
    "mode should be lstm" },
  { "_contrib_calibrate_entropy", "", "9 10", NULL, "9:float32 10:float32 -> 1:float32 1:float32" },
  { "_sg_onednn_selfatt_qk", "heads=4", "2,7,16 2,9,?", NULL, "2,7,16 2,9,16 -> 2,4,7,9" },
  { "_sg_onednn_selfatt_qk", "heads=4; quantized=True", "2,7,16:int8 2,7,16:int8 * * * *", NULL,
    "2,7,16:int8 2,7,16:int8 1:float32 1:float32 1:float32 1:float32 -> "
    "2,4,7,7:int32 1:float32 1:float32" },
  { "_sg_onednn_selfatt_qk_split", "heads=4; quantized=True; enabled_float_output=float32",
    "2,7,48:int8 * *", NULL, "2,7,48:int8 1:float32 1:float32 -> 2,4,7,7:float32" },
  { "_sg_onednn_selfatt_valatt", "heads=4", "2,4,7,7 2,7,48", NULL, "2,7,16" },
  { "_sg_onednn_batch_dot", "transpose_b=True", "2,3,4:float32 2,5,4:float32", NULL,
    "2,3,5:float32" },
  { "_sg_onednn_batch_dot", "quantized=True; min_calib_range=-1; max_calib_range=1",
    "2,3,4:int8 2,4,5:uint8 * * * *", NULL,
    "2,3,4:int8 2,4,5:uint8 1:float32 1:float32 1:float32 1:float32 -> "
    "2,3,5:int8 1:float32 1:float32" },
  { "_sg_pow_mul_scalar", "exponent=2; multiplier=0.5; mul_is_int=False", "2:int32", NULL,
    "2:int32 -> 2:float64" },
  { "_sg_pow_mul_scalar", "exponent=2", "2:bool", NULL, "2:bool -> 2:int64" },
};

static const RuleCase other_cases[] = {
  { "_contrib_BatchNormWithReLU", "", "2,3,4:float16 * * * *", NULL,
    "2,3,4:float16 3:float32 3:float32 3:float32 3:float32 -> "
    "2,3,4:float16 3:float32 3:float32 2,3,4:float32" },
  { "_npi_percentile", "q_scalar=50; axis=0", "2,3:int32", NULL, "2,3:int32 -> 3:float32" },
  { "_npi_percentile", "q_scalar=50; axis=0", "2,3:float64", NULL, "3:float64" },
  { "_npi_percentile", "q_scalar=50; axis=0", "2,3:float16", NULL, "2,3:float16 -> 3:float32" },
  { "_npi_share_memory", "", "2,3 4", NULL, "2,3 4 -> ():bool" },
  { "_npi_advanced_indexing_multiple", "", "4,5,6 2,7", NULL, "7,6" },
  { "_contrib_dynamic_reshape", "", "2,3 ?", NULL, "*" },
  { "_contrib_sldwin_atten_score", "w=2; symmetric=True", "2,9,4,8 2,9,?,8 *", NULL,
    "2,9,4,8 2,9,4,8 4 -> 2,9,4,5" },
  { "_contrib_sldwin_atten_score", "w=2; symmetric=False", "2,9,4,8 2,9,4,8 4", NULL, "2,9,4,3" },
  { "_contrib_sldwin_atten_score", "w=2; symmetric=False", "2,9,4,8 2,9,4,7 4", NULL, NULL,
    "size of a query" },
  { "_contrib_sldwin_atten_mask_like", "w=2; symmetric=True", "2,9,4,5 * *", NULL,
    "2,9,4,5 4 2 -> 2,9,4,5" },
  { "_contrib_sldwin_atten_context", "w=2; symmetric=True", "2,9,4,? 2,9,4,8 *", NULL,
    "2,9,4,5 2,9,4,8 4 -> 2,9,4,8" },
  { "_contrib_sldwin_atten_context", "w=3; symmetric=True", "2,9,4,5 2,9,4,8 4", NULL, NULL,
    "scores of a place" },
  { "_contrib_edge_id", "", "5,5:float32 3 *", NULL, "5,5:float32 3 3 -> 3:float32" },
  { "_contrib_tvm_dot", "", "2,? 3,4", NULL, "2,3 3,4 -> 2,4" },
  { "_contrib_tvm_dot_fallback", "", "2,5 3,4", NULL, NULL, "columns of a" },
  { "_contrib_tvm_vadd", "", "2,1:float32 3", NULL, "2,1:float32 3:float32 -> 2,3:float32" },
};

static void
run_all (const RuleCase *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    rule_case_run (&cases[i]);
}

static void
matrices_are_those_of_mxnet (void)
{
  run_all (matrix_cases, G_N_ELEMENTS (matrix_cases));
}

static void
random_numbers_are_those_of_mxnet (void)
{
  run_all (random_cases, G_N_ELEMENTS (random_cases));
}

static void
integers_are_those_of_mxnet (void)
{
  run_all (integer_cases, G_N_ELEMENTS (integer_cases));
}

static void
others_are_those_of_mxnet (void)
{
  run_all (other_cases, G_N_ELEMENTS (other_cases));
}

/* Attributes that families do not share: "op attribute default", "!" for none, "-" for no
 * attribute. */
static void
attributes_are_those_of_mxnet (void)
{
  static const char *const rows[][3] = {
    { "ftml_update", "clip_grad", "-1.0" },
    { "ftml_update", "clip_gradient", "-" },
    { "ftml_update", "t", "!" },
    { "_adamw_update", "eta", "!" },
    { "_adamw_update", "rescale_grad", "-" },
    { "_adabelief_update", "epsilon", "1e-08" },
    { "_sparse_adagrad_update", "epsilon", "1e-07" },
    { "sgd_update", "lazy_update", "True" },
    { "signsgd_update", "lazy_update", "-" },
    { "lamb_update_phase1", "wd", "!" },
    { "_multi_lans_update", "bias_correction", "-" },
    { "_multi_lamb_update", "step_count", "!" },
    { "_contrib_group_adagrad_update", "wd", "-" },
    { "_multi_adabelief_update", "etas", "!" },
    { "preloaded_multi_sgd_update", "lrs", "-" },
    { "_contrib_RROIAlign", "sampling_ratio", "-1" },
    { "_contrib_RROIAlign", "aligned", "-" },
    { "_npi_gumbel", "dtype", "-" },
    { "_npi_rayleigh", "scale", "1.0" },
    { "_npi_laplace", "dtype", "float32" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const SymAttributeSpec *spec =
          sym_op_find_attribute (sym_op_find ("mxnet", rows[i][0], 0), rows[i][1]);

      g_test_message ("%s %s", rows[i][0], rows[i][1]);
      g_assert_cmpstr (spec == NULL             ? "-"
                       : spec->fallback == NULL ? "!"
                                                : spec->fallback,
                       ==, rows[i][2]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/mxnet-sources/matrices-are-those-of-mxnet", matrices_are_those_of_mxnet);
  g_test_add_func ("/ops/mxnet-sources/random-numbers-are-those-of-mxnet",
                   random_numbers_are_those_of_mxnet);
  g_test_add_func ("/ops/mxnet-sources/integers-are-those-of-mxnet", integers_are_those_of_mxnet);
  g_test_add_func ("/ops/mxnet-sources/others-are-those-of-mxnet", others_are_those_of_mxnet);
  g_test_add_func ("/ops/mxnet-sources/attributes-are-those-of-mxnet",
                   attributes_are_those_of_mxnet);
  return g_test_run ();
}
