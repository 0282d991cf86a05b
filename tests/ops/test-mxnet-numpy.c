/* SPDX-License-Identifier: MIT */
#include "rule-case.h"

/* What numpy would answer for the same shapes; dtypes as MXNet 1.9.1 and 2.0 have them. */
static const RuleCase cases[] = {
  /* Each element */
  { "_npx_relu", "", "2,?", "?,3", "2,3 -> 2,3" },
  { "_npi_exp", "", "2,3:float32", NULL, "2,3:float32" },
  { "_npi_exp", "", "2,3:int32", NULL, "2,3:int32 -> 2,3" },
  { "_npi_isnan", "", "():float32", NULL, "():bool" },
  { "_npi_tril", "", "3", NULL, "3,3" },
  { "_npi_triu", "k=1", "*", NULL, "*" },
  { "_npi_triu", "k=1", "2,?", "2,4", "2,4 -> 2,4" },
  { "_npi_add", "", "2,1,4:float32 3,1:float32", NULL, "2,3,4:float32" },
  { "_npi_add", "", "2:float16 2:float64", NULL, "2:float64" },
  { "_npi_add", "", "2:int64 2:float16", NULL, "2:float16" },
  { "_npi_add", "", "2:int8 2:bool", NULL, "2:int8" },
  { "_npi_add", "", "2:int8 2:int32", NULL, "2:int32" },
  { "_npi_add", "", "2:int8 2:uint8", NULL, "2:int8 2:uint8 -> 2" },
  { "_npi_add", "", "2:float32 *", NULL, "2:float32 *:float32 -> *:float32" },
  { "_npi_add", "", "2,3 4", NULL, NULL, "could not be broadcast together with shapes [2,3] [4]" },
  { "_npi_add", "", "() 2", NULL, "2" },
  { "_npi_true_divide", "", "2:int32 2:int32", NULL, "2:int32 2:int32 -> 2" },
  { "_npi_true_divide", "", "2:int32 2:float32", NULL, "2:float32" },
  { "_npi_less", "", "2,3:int8 3:int8", NULL, "2,3:bool" },
  { "_npi_multiply_scalar", "scalar=2.5; is_int=False", "2:int32", NULL, "2:float64" },
  { "_npi_multiply_scalar", "scalar=2", "2:int32", NULL, "2:int32" },
  { "_npi_multiply_scalar", "scalar=2", "2:bool", NULL, "2:int64" },
  { "_npi_multiply_scalar", "scalar=2.5; is_int=False", "?,3", "2,?:float16",
    "2,3:float16 -> 2,3:float16" },
  { "_npi_greater_scalar", "scalar=0.5", "2,3:float32", NULL, "2,3:bool" },
  { "_npi_where", "", "3,1:bool 1,4:float16 ()", NULL,
    "3,1:bool 1,4:float16 ():float16 -> 3,4:float16" },
  { "_npi_where_rscalar", "scalar=0", "2,1 3", NULL, "2,3" },
  { "_npi_where_scalar2", "x=1; y=0", "2,1:bool", NULL, "2,1:float32" },

  /* Reductions leave scalars */
  { "_np_sum", "", "2,3,4", NULL, "()" },
  { "_np_sum", "axis=1; keepdims=True", "2,3,4", NULL, "2,1,4" },
  { "_npi_sum", "axis=()", "2,3,4", NULL, "2,3,4" },
  { "_npi_sum", "axis=None; keepdims=True", "2,3", NULL, "1,1" },
  { "_npi_sum", "axis=0", "2:bool", NULL, "():int64" },
  { "_npi_sum", "axis=0; dtype=float64", "2:float32", NULL, "():float64" },
  { "_npi_sum", "axis=2", "2,3", NULL, NULL, "axis 2 is out of range" },
  { "_npi_mean", "axis=(0, -1)", "2,3,4:float16", NULL, "3:float16" },
  { "_npi_var", "axis=0", "2,3", NULL, "3 *" },
  { "_npi_average", "axis=1", "2,3 3", NULL, "2 2" },
  { "_npi_norm", "axis=1; ord=2", "2,3", NULL, "2 * * *" },
  { "_npi_any", "", "2,3:float32", NULL, "():bool" },
  { "_npi_argmax", "axis=1", "2,?:float32", NULL, "2:int64" },
  { "_npi_argmax", "", "2,3", NULL, "()" },
  { "_npi_percentile", "axis=0; q_scalar=50", "2,3", NULL, "3" },
  { "_npi_percentile", "axis=0", "2,3 5", NULL, "5,3" },
  { "_npx_norm", "axis=0", "3", NULL, "()" },
  { "_npx_pick", "", "3 ()", NULL, "()" },
  { "_npi_squeeze", "", "1,1", NULL, "()" },

  /* Reshaping: the examples of MXNet's documentation */
  { "_np_reshape", "newshape=(3, -1)", "2,3,4", NULL, "3,8" },
  { "_np_reshape", "newshape=()", "1,1", NULL, "()" },
  { "_np_reshape", "newshape=(0, 3)", "2,0", NULL, "0,3" },
  { "_np_reshape", "newshape=(2, -1)", "3,3", NULL, NULL, "cannot reshape [3,3]" },
  { "_np_reshape", "newshape=(-1, -1)", "3,3", NULL, NULL, "at most one -1" },
  { "_npx_reshape", "newshape=(-2, -2, 4, -1)", "2,3,8", NULL, "2,3,4,2" },
  { "_npx_reshape", "newshape=(-4,)", "8,3,3,3,4,4", NULL, "8,3,3,3,4,4" },
  { "_npx_reshape", "newshape=(-5, -4)", "8,3,3,3,4,4", NULL, "24,3,3,4,4" },
  { "_npx_reshape", "newshape=(-6, 2, -1, -4)", "8,3,3,3,4,4", NULL, "2,4,3,3,3,4,4" },
  { "_npx_reshape", "newshape=(-3, -3, -4)", "1,1,8,3", NULL, "8,3" },
  { "_npx_reshape", "newshape=(-2, -1); reverse=True", "8,3,3,3,3,8", NULL, "3,1728" },
  { "_npx_reshape", "newshape=(-1, -2); reverse=True", "8,3,6", NULL, "24,6" },
  { "_npx_reshape", "newshape=(-2, -2, 12, -1)", "?,?,768", NULL, "?,?,12,64" },
  { "_npx_reshape", "newshape=(-1, 4)", "*", NULL, "* -> ?,4" },
  { "_npx_reshape", "newshape=(-2, -4)", "*", NULL, "*" },
  { "_npx_reshape", "newshape=(-3, 2)", "2,2", NULL, NULL, "axis to skip" },
  { "_npx_reshape", "newshape=(-6, 3, -1)", "8", NULL, NULL, "do not divide original dim 8" },
  { "_npx_reshape", "newshape=(-5, 2)", "8", NULL, NULL, "needs more axes than the 1" },
  { "_npx_reshape", "newshape=(-7,)", "8", NULL, NULL, "codes go from -1 to -6" },

  /* Axes */
  { "_np_transpose", "axes=None", "1,2,3", NULL, "3,2,1" },
  { "_npi_transpose", "axes=(0, 2, 1)", "1,?,3", "1,3,2", "1,2,3 -> 1,3,2" },
  { "_npi_moveaxis", "source=(0,); destination=(-1,)", "2,3,4", NULL, "3,4,2" },
  { "_np_moveaxis", "source=(0, 1); destination=(-1, -2)", "2,3,4,5", NULL, "4,5,3,2" },
  { "_npi_moveaxis", "source=(0,); destination=(-1,)", "?,3,4", "?,?,2", "2,3,4 -> 3,4,2" },
  { "_npi_moveaxis", "source=(0, 0); destination=(1, 2)", "2,3,4", NULL, NULL, "an axis once" },
  { "_npi_rollaxis", "axis=3; start=1", "3,4,5,6", NULL, "3,6,4,5" },
  { "_npi_rollaxis", "axis=2", "3,4,5,6", NULL, "5,3,4,6" },
  { "_npi_rollaxis", "axis=1; start=4", "3,4,5,6", NULL, "3,5,6,4" },
  { "_npi_broadcast_to", "shape=(4, 2, 3)", "2,1", NULL, "4,2,3" },
  { "_npi_broadcast_to", "shape=(4, -2, 3)", "2,1", NULL, "4,2,3" },
  { "_npi_broadcast_to", "shape=(2,)", "3", NULL, NULL, "cannot be broadcast" },
  { "_npi_rot90", "", "2,3,4", NULL, "3,2,4" },
  { "_npi_rot90", "k=2; axes=(1, 2)", "2,3,4", NULL, "2,3,4" },
  { "_npi_pad", "pad_width=((1, 2), (0, 3))", "2,?", NULL, "5,?" },
  { "_npi_pad", "pad_width=((1, 2), (0, 3))", "2,4", NULL, "5,7" },
  { "_npi_pad", "pad_width=((1, 2), (0, 3))", "2,4,5", NULL, NULL, "for 2 axes, the data has 3" },
  { "_np_diag", "k=-1", "4,6", NULL, "3" },
  { "_npi_diagflat", "k=1", "2,3", NULL, "7,7" },
  { "_np_diagonal", "axis1=0; axis2=2", "4,3,5", NULL, "3,4" },
  { "_np_trace", "", "4,5,3", NULL, "3" },
  { "_np_atleast_2d", "num_args=2", "4 ()", NULL, "1,4 1,1" },
  { "_npi_atleast_3d", "num_args=2", "4 4,5", NULL, "1,4,1 4,5,1" },
  { "_npi_expand_dims", "axis=0", "()", NULL, "1" },

  /* Joining and cutting */
  { "_npi_concatenate", "num_args=2; axis=0", "2,? 4,3", NULL, "2,3 4,3 -> 6,3" },
  { "_npi_concatenate", "num_args=2; dim=-1", "2,3 2,4", NULL, "2,7" },
  { "_npi_concatenate", "num_args=2; axis=None", "2,3 4", NULL, "10" },
  { "_npi_stack", "num_args=2; axis=0", "() ()", NULL, "2" },
  { "_npi_vstack", "num_args=2", "3 2,3", NULL, "3,3" },
  { "_npi_hstack", "num_args=2", "3 4", NULL, "7" },
  { "_npi_hstack", "num_args=2", "2,3 2,4", NULL, "2,7" },
  { "_npi_hstack", "num_args=2", "2,3 4,4", NULL, NULL, "axis that is not joined" },
  { "_npi_dstack", "num_args=2", "2,3 2,3", NULL, "2,3,2" },
  { "_npi_column_stack", "num_args=2", "3 3,2", NULL, "3,3" },
  { "_npi_split", "sections=3; axis=0", "9,2", NULL, "3,2 3,2 3,2" },
  { "_npi_array_split", "sections=3; axis=0", "8", NULL, "3 3 2" },
  { "_npi_hsplit", "sections=2", "4,6", NULL, "4,3 4,3" },
  { "_npi_hsplit", "sections=2", "6", NULL, "3 3" },
  { "_npi_dsplit", "indices=(0, 1)", "4,6,3", NULL, "4,6,1 4,6,2" },

  /* Products */
  { "_np_dot", "", "3 3", NULL, "()" },
  { "_np_dot", "", "2,3 3", NULL, "2" },
  { "_npi_dot", "", "2,3 5,?,4", NULL, "2,3 5,3,4 -> 2,5,4" },
  { "_npi_dot", "", "() 5,4", NULL, "5,4" },
  { "_npi_dot", "", "2,3 4,5", NULL, NULL, "shapes [2,3] and [4,5] do not fit" },
  { "_npi_matmul", "", "7,1,2,3 5,3,4", NULL, "7,5,2,4" },
  { "_npi_matmul", "", "3 3", NULL, "()" },
  { "_npi_matmul", "", "3 5,3,4", NULL, "5,4" },
  { "_npi_matmul", "", "5,2,3 3", NULL, "5,2" },
  { "_npi_matmul", "", "?,2,3 ?,?,4", NULL, "?,2,3 ?,3,4 -> ?,2,4" },
  { "_npi_matmul", "", "7,2,3 5,3,4", NULL, NULL, "do not fit" },
  { "_npi_tensordot", "a_axes_summed=(1, 0); b_axes_summed=(0, 1)", "3,4,5 4,3,2", NULL, "5,2" },
  { "_npi_tensordot_int_axes", "axes=1", "2,3 ?,4", NULL, "2,3 3,4 -> 2,4" },
  { "_npi_tensordot_int_axes", "axes=3", "2,3 3,4", NULL, NULL, "do not fit" },
  { "_npi_kron", "", "2,3 4", NULL, "2,12" },
  { "_npi_einsum", "num_args=2; subscripts=ij,jk->ik", "2,? 3,4", NULL, "2,3 3,4 -> 2,4" },
  { "_npi_einsum", "num_args=2; subscripts=ij,jk", "2,3 3,4", NULL, "2,4" },
  { "_npi_einsum", "num_args=1; subscripts=ii->i", "3,3", NULL, "3" },
  { "_npi_einsum", "num_args=1; subscripts=ii", "3,3", NULL, "()" },
  { "_npi_einsum", "num_args=2; subscripts=...ij,...jk->...ik", "7,2,3 5,1,3,4", NULL, "5,7,2,4" },
  { "_npi_einsum", "num_args=2; subscripts=bqhd,bkhd->bhqk", "2,9,4,8 2,7,4,8", NULL, "2,4,9,7" },
  { "_npi_einsum", "num_args=2; subscripts=ij,jk->ik", "2,3 4,5", NULL, NULL,
    "axes of one letter" },
  { "_npi_einsum", "num_args=1; subscripts=ij->ik", "2,3", NULL, NULL, "no axis of an operand" },
  { "_npi_einsum", "num_args=1; subscripts=ij", "2,3,4", NULL, NULL, "not for an operand of 3" },
  { "_npi_einsum", "num_args=2; subscripts=ij", "2,3 2,3", NULL, NULL, "are for 1 operands" },
};

/* Operators of numpy's kind that share a rule with an older one. */
static const RuleCase shared_cases[] = {
  { "_npx_fully_connected", "num_hidden=4; flatten=False", "2,5,3 * *", NULL,
    "2,5,3 4,3 4 -> 2,5,4" },
  { "_npx_convolution", "kernel=(3, 3); num_filter=8; no_bias=True", "1,3,8,8 *", NULL,
    "1,3,8,8 8,3,3,3 -> 1,8,6,6" },
  { "_npx_softmax", "axis=-1", "2,?", "2,3", "2,3 -> 2,3" },
  { "_npx_sequence_mask", "use_sequence_length=True", "5,2,3 *", NULL, "5,2,3" },
  { "_npx__image_resize", "size=(5, 6)", "8,9,3", NULL, "6,5,3" },
  { "_image_random_crop", "width=4; height=5", "8,9,3", NULL, "5,4,3 *" },
  { "_npi_full", "shape=(); value=1", "", NULL, "()" },
  { "_npi_full", "shape=(0, 3); value=1", "", NULL, "0,3" },
  { "_full", "shape=(0, 3); value=1", "", NULL, "?,3" },
};

static void
shapes_are_those_of_numpy (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    rule_case_run (&cases[i]);
}

static void
older_rules_serve_newer_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (shared_cases); i++)
    rule_case_run (&shared_cases[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops/mxnet-numpy/shapes-are-those-of-numpy", shapes_are_those_of_numpy);
  g_test_add_func ("/ops/mxnet-numpy/older-rules-serve-newer-names", older_rules_serve_newer_names);
  return g_test_run ();
}
