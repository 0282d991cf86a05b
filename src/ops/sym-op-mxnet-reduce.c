/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- sum, mean, ... ---- */

static const SymAttributeSpec reduce_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that go; all when None or empty" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { "exclude", SYM_ATTRIBUTE_BOOL, "False", "whether all other axes go instead" },
  { NULL },
};

/* Shapes only. */
static gboolean
reduce_shape (SymRule *rule, guint output, GError **error)
{
  gboolean keep = sym_rule_get_bool (rule, "keepdims", FALSE);
  gboolean exclude = sym_rule_get_bool (rule, "exclude", FALSE);
  SymShape data = sym_rule_get_input (rule, 0), out;
  gboolean axes[SYM_MAX_RANK];
  int n;

  if (data.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "axis", data.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < data.rank; i++)
    axes[i] = n <= 0 || axes[i] != exclude;
  out = sym_op_mxnet_finish_shape (rule, sym_op_reduce_shape (&data, axes, keep));
  return sym_rule_set_output (rule, output, &out, error);
}

static gboolean
infer_reduce (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && reduce_shape (rule, 0, error);
}

/* ---- norm ---- */

static const SymAttributeSpec norm_attributes[] = {
  { "ord", SYM_ATTRIBUTE_INT, "2", "1 or 2: which norm" },
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes that go; all when None or empty" },
  { "out_dtype", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { NULL },
};

static gboolean
infer_norm (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "out_dtype", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN && !sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  return sym_rule_set_output_dtype (rule, 0, dtype, error) && reduce_shape (rule, 0, error);
}

/* ---- argmax ---- */

static const SymAttributeSpec arg_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis that goes; all when None" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether the axis stays with size 1" },
  { NULL },
};

static gboolean
infer_argmax_channel (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 2)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_op_remove_axis (&data, 1), SYM_DTYPE_UNKNOWN, error);
}

/* ---- moments ---- */

static const SymAttributeSpec moments_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that go; all when None" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether axes stay with size 1" },
  { NULL },
};

static int
get_n_moments (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

static gboolean
infer_moments (SymRule *rule, GError **error)
{
  gboolean keep = sym_rule_get_bool (rule, "keepdims", FALSE), axes[SYM_MAX_RANK];
  SymShape data = sym_rule_get_input (rule, 0), out;
  int n;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "axes", data.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < data.rank; i++)
    axes[i] = n <= 0 || axes[i];
  out = sym_op_reduce_shape (&data, axes, keep);
  if (out.rank == 0)
    out = SYM_SHAPE (1);
  return sym_rule_set_output (rule, 0, &out, error) && sym_rule_set_output (rule, 1, &out, error);
}

/* ---- shape_array, size_array ---- */

static gboolean
infer_shape_array (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_set_output (rule, 0, SYM_SHAPE (data.rank >= 0 ? data.rank : SYM_DIM_UNKNOWN),
                          SYM_DTYPE_INT64, error))
    return FALSE;
  if (data.rank >= 0)
    sym_rule_set_output_values (rule, 0, data.dims, data.rank);
  return TRUE;
}

static gboolean
infer_size_array (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymDim size;

  if (!sym_op_set_output (rule, 0, SYM_SHAPE (1), SYM_DTYPE_INT64, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  size = sym_terms_product (sym_rule_get_terms (rule), data.dims, data.rank);
  sym_rule_set_output_values (rule, 0, &size, 1);
  return TRUE;
}

/* ---- Lowering ---- */

/* One of ONNX's reductions of @x, a value of operand 0's shape, to result @i. */
static void
lower_over (SymOpLower *self, guint i, const char *axes_name, const char *name, SymId x)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, i);
  gint64 axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_lower_need_tensor (self, 0) || out->rank < 0 ||
      !sym_op_mxnet_lower_axes (self, axes_name, sym_op_lower_get_input_shape (self, 0)->rank, axes,
                                &n))
    return;
  x = sym_op_lower_reduce (self, name, x, axes, n, TRUE);
  sym_op_lower_set_output (self, i, sym_op_lower_reshape (self, x, out));
}

static void
lower_reduce (SymOpLower *self)
{
  static const char *const names[][2] = {
    { "sum", "ReduceSum" },      { "mean", "ReduceMean" },
    { "prod", "ReduceProd" },    { "nansum", "ReduceSum" },
    { "nanprod", "ReduceProd" }, { "max", "ReduceMax" },
    { "min", "ReduceMin" },      { "_square_sum", "ReduceSumSquare" },
  };
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  SymId x = sym_op_lower_input (self, 0);

  if (g_str_equal (op->name, "nansum"))
    x = sym_op_lower_formula (self, "Where (IsNaN (a), 0, a)");
  if (g_str_equal (op->name, "nanprod"))
    x = sym_op_lower_formula (self, "Where (IsNaN (a), 1, a)");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (op->name, names[i][0]))
      lower_over (self, 0, "axis", names[i][1], x);
}

static void
lower_norm (SymOpLower *self)
{
  gint64 order = sym_op_lower_get_int (self, "ord", 2);
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);
  SymId x = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0),
                                    sym_op_lower_get_input_dtype (self, 0), dtype);

  if (order != 1 && order != 2)
    sym_op_lower_refuse (self, "norm: ord %" G_GINT64_FORMAT " is not lowered", order);
  lower_over (self, 0, "axis", order == 1 ? "ReduceL1" : "ReduceL2", x);
}

/* The first of equals, as a number of the data's dtype. */
static void
lower_arg_of (SymOpLower *self, const char *name, gint64 given, gboolean is_flat)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  guint64 n;
  int axis = 0;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_shape_get_n_elements (data, &n))
    return;
  if (is_flat)
    x = sym_op_lower_reshape (self, x, &SYM_SHAPE ((gint64) n));
  else if (!sym_op_lower_find_axis (self, given, data->rank, &axis))
    return;
  x = sym_op_lower_call (self, name, SYM_IDS (x), "axis", sym_value_new_int (axis), NULL);
  sym_op_lower_finish (self, sym_op_lower_cast (self, x, sym_op_lower_get_output_dtype (self, 0)));
}

static void
lower_arg (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  gint64 axis = sym_op_lower_get_int (self, "axis", G_MAXINT64);

  lower_arg_of (self, g_str_equal (op->name, "argmin") ? "ArgMin" : "ArgMax", axis,
                axis == G_MAXINT64);
}

static void
lower_argmax_channel (SymOpLower *self)
{
  lower_arg_of (self, "ArgMax", sym_op_lower_get_input_shape (self, 0)->rank > 1 ? 1 : 0, FALSE);
}

static void
lower_moments (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, n;
  SymId x = sym_op_lower_input (self, 0), mean;
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_mxnet_lower_axes (self, "axes", rank, axes, &n))
    return;
  mean = sym_op_lower_reduce (self, "ReduceMean", x, axes, n, TRUE);
  x = sym_op_lower_binary (self, "Sub", x, mean);
  lower_over (self, 0, "axes", "ReduceMean", sym_op_lower_input (self, 0));
  if (sym_op_lower_get_n_outputs (self) > 1)
    lower_over (self, 1, "axes", "ReduceMean", sym_op_lower_binary (self, "Mul", x, x));
}

static void
lower_size_array (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  guint64 n = 0;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_shape_get_n_elements (data, &n))
    return;
  sym_op_lower_set_output (self, 0, sym_op_lower_ints (self, (const gint64[]){ (gint64) n }, 1));
}

#define REDUCE(name_, aliases_, summary_, attributes_, infer_)                       \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,             \
                .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_POOLING, \
                .attributes = attributes_, .slots = sym_op_mxnet_data, .infer = infer_

const SymOperator sym_op_mxnet_reduce[] = {
  { REDUCE ("sum", "sum_axis", "sum over axes", reduce_attributes, infer_reduce),
    .lower = lower_reduce },
  { REDUCE ("mean", NULL, "mean over axes", reduce_attributes, infer_reduce),
    .lower = lower_reduce },
  { REDUCE ("prod", NULL, "product over axes", reduce_attributes, infer_reduce),
    .lower = lower_reduce },
  { REDUCE ("nansum", NULL, "sum over axes, NaN as 0", reduce_attributes, infer_reduce),
    .lower = lower_reduce },
  { REDUCE ("nanprod", NULL, "product over axes, NaN as 1", reduce_attributes, infer_reduce),
    .lower = lower_reduce },
  { REDUCE ("max", "max_axis", "greatest element over axes", reduce_attributes, infer_reduce),
    .lower = lower_reduce },
  { REDUCE ("min", "min_axis", "least element over axes", reduce_attributes, infer_reduce),
    .lower = lower_reduce },
  { REDUCE ("_square_sum", NULL, "sum of squares over axes", reduce_attributes, infer_reduce),
    .lower = lower_reduce },
  { REDUCE ("norm", "_npx_norm", "norm over axes", norm_attributes, infer_norm),
    .lower = lower_norm },
  { REDUCE ("argmax", NULL, "index of the greatest element", arg_attributes, infer_reduce),
    .lower = lower_arg },
  { REDUCE ("argmin", NULL, "index of the least element", arg_attributes, infer_reduce),
    .lower = lower_arg },
  { REDUCE ("argmax_channel",
            NULL,
            "index of the greatest element along axis 1",
            NULL,
            infer_argmax_channel),
    .lower = lower_argmax_channel },
  {
      REDUCE ("moments", NULL, "mean and variance over axes", moments_attributes, infer_moments),
      .lower = lower_moments,
      .get_n_outputs = get_n_moments,
      .output_names = (const char *const[]){ "mean", "var", NULL },
  },
  { REDUCE ("shape_array", "_npx_shape_array", "the shape as a tensor", NULL, infer_shape_array),
    .formula = "Shape (a)" },
  { REDUCE ("size_array", NULL, "the number of elements as a tensor", NULL, infer_size_array),
    .lower = lower_size_array },
  { NULL },
};
