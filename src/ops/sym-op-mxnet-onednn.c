/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-lower.h"
#include "ops/sym-op-mxnet.h"

/* Layers that MXNet 2.0 has oneDNN run in one go, and that keep no graph inside.  Quantised ones
 * have the ranges of their operands behind these, and that of the result behind it, unless they
 * give numbers. */

#define QUANTIZED_SPECS                                                                           \
  { "quantized", SYM_ATTRIBUTE_BOOL, "False", "whether it works on integers of 8 bits" },         \
      { "min_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "least value seen when calibrating" },    \
      { "max_calib_range", SYM_ATTRIBUTE_FLOAT, "None", "greatest value seen when calibrating" }, \
  {                                                                                               \
    "enabled_float_output", SYM_ATTRIBUTE_DTYPE, "None", "dtype of a result that is no integer"   \
  }

static const SymAttributeSpec attention_attributes[] = {
  { "heads", SYM_ATTRIBUTE_INT, NULL, "number of attention heads" },
  QUANTIZED_SPECS,
  { NULL },
};

static const SymAttributeSpec dot_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first is transposed before" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second is transposed before" },
  QUANTIZED_SPECS,
  { NULL },
};

static const SymSlotSpec self_slots[] = { { "queries_keys_values" }, { "range" }, { NULL } };
static const SymSlotSpec qk_slots[] = { { "queries" }, { "keys" }, { "range" }, { NULL } };
static const SymSlotSpec val_slots[] = {
  { "attention" },
  { "queries_keys_values" },
  { "range" },
  { NULL },
};
static const SymSlotSpec dot_slots[] = { { "lhs" }, { "rhs" }, { "range" }, { NULL } };

static gboolean
is_quantized (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "quantized", FALSE);
}

static int
get_n_one (const SymAttributes *attributes)
{
  return is_quantized (attributes) ? 3 : 1;
}

static int
get_n_two (const SymAttributes *attributes)
{
  return is_quantized (attributes) ? 6 : 2;
}

static gboolean
is_set (const SymAttributes *attributes, const char *name)
{
  const SymValue *value = sym_attributes_find (attributes, name);

  return value != NULL && sym_value_get_kind (value) != SYM_VALUE_NONE;
}

static int
get_n_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = is_quantized (attributes) && !is_set (attributes, "enabled_float_output") ? 3 : 1;
  return *n_visible;
}

/* Calibrated integers have 8 bits, others 32; numbers stay what they are. */
static gboolean
set_dtypes (SymRule *rule, guint n_tensors, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymDType dtype = sym_rule_get_dtype (rule, "enabled_float_output", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN && !is_quantized (attributes))
    dtype = sym_rule_get_input_dtype (rule, 0);
  else if (dtype == SYM_DTYPE_UNKNOWN)
    dtype = is_set (attributes, "min_calib_range") && is_set (attributes, "max_calib_range")
                ? SYM_DTYPE_INT8
                : SYM_DTYPE_INT32;
  if (!sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  return !is_quantized (attributes) || sym_op_mxnet_set_ranges (rule, n_tensors, 1, error);
}

/* ---- Attention ---- */

/* [batch, length, sizes] -> scores [batch, heads, length, length]; with @n_tensors 2 the keys have
 * a length of their own. */
static gboolean
infer_scores (SymRule *rule, guint n_tensors, GError **error)
{
  gint64 heads = sym_rule_get_int (rule, "heads", 0);
  SymShape queries, keys;

  for (guint i = 0; i < n_tensors; i++)
    if (!sym_op_set_input (rule, i, sym_shape_new_unknown (3), error))
      return FALSE;
  queries = sym_rule_get_input (rule, 0);
  keys = sym_rule_get_input (rule, n_tensors - 1);
  if (!sym_rule_unify (rule, queries.dims[0], keys.dims[0], "batch of the queries", error) ||
      !sym_rule_unify (rule, queries.dims[2], keys.dims[2], "size of the queries", error))
    return FALSE;
  return set_dtypes (rule, n_tensors, error) &&
         sym_op_set_output (rule, 0,
                            SYM_SHAPE (queries.dims[0], heads > 0 ? heads : SYM_DIM_UNKNOWN,
                                       queries.dims[1], keys.dims[1]),
                            SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_qk_split (SymRule *rule, GError **error)
{
  return infer_scores (rule, 1, error);
}

static gboolean
infer_qk (SymRule *rule, GError **error)
{
  return infer_scores (rule, 2, error);
}

/* attention [batch, heads, length, length] and queries, keys and values side by side in the last
 * axis -> [batch, length, a third of that axis]. */
static gboolean
infer_valatt (SymRule *rule, GError **error)
{
  gint64 heads = sym_rule_get_int (rule, "heads", 0);
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape attention, all;
  SymDim size = SYM_DIM_UNKNOWN;

  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error) ||
      !sym_op_set_input (rule, 1, sym_shape_new_unknown (3), error) || !set_dtypes (rule, 2, error))
    return FALSE;
  attention = sym_rule_get_input (rule, 0);
  all = sym_rule_get_input (rule, 1);
  if (heads > 0 && heads <= G_MAXINT32)
    size = sym_terms_floor_divide (
        terms, sym_terms_multiply (terms, attention.dims[1], all.dims[2]), 3 * heads);
  return sym_op_set_output (rule, 0, SYM_SHAPE (attention.dims[0], attention.dims[2], size),
                            SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_dot (SymRule *rule, GError **error)
{
  return set_dtypes (rule, 2, error) && sym_op_mxnet_infer_batch_dot_shapes (rule, error);
}

/* ---- pow_mul_scalar ---- */

static const SymAttributeSpec power_attributes[] = {
  { "exponent", SYM_ATTRIBUTE_FLOAT, "1", "the power" },
  { "multiplier", SYM_ATTRIBUTE_FLOAT, "1", "what the power is multiplied by" },
  { "exp_is_int", SYM_ATTRIBUTE_BOOL, "True", "whether the exponent is an integer" },
  { "mul_is_int", SYM_ATTRIBUTE_BOOL, "True", "whether the multiplier is an integer" },
  { NULL },
};

static const SymSlotSpec input_slots[] = { { "input" }, { NULL } };

/* Integers with numbers become float64; truth values count as int64. */
static gboolean
infer_power (SymRule *rule, GError **error)
{
  gboolean integers =
      sym_rule_get_bool (rule, "exp_is_int", TRUE) && sym_rule_get_bool (rule, "mul_is_int", TRUE);
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (dtype == SYM_DTYPE_BOOL)
    dtype = integers ? SYM_DTYPE_INT64 : SYM_DTYPE_FLOAT64;
  else if (dtype != SYM_DTYPE_UNKNOWN && !sym_dtype_is_floating (dtype) && !integers)
    dtype = SYM_DTYPE_FLOAT64;
  return sym_op_pass_shape (rule, 0, 0, error) && sym_rule_set_output_dtype (rule, 0, dtype, error);
}

#define FUSED(name_, summary_, attributes_, slots_, n_operands_, infer_)                     \
  {                                                                                          \
    SYM_OP_MXNET,                                                                            \
        .name = name_, .summary = summary_, .reference = "MXNet 2.0 " name_,                 \
        .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes_, .slots = slots_,        \
        .get_n_operands = n_operands_, .get_n_outputs = get_n_outputs,                       \
        .output_names = (const char *const[]){ "output", "output_min", "output_max", NULL }, \
        .infer = infer_                                                                      \
  }

const SymOperator sym_op_mxnet_onednn[] = {
  FUSED ("_sg_onednn_selfatt_qk",
         "queries times keys, in one go",
         attention_attributes,
         qk_slots,
         get_n_two,
         infer_qk),
  FUSED ("_sg_onednn_selfatt_qk_split",
         "queries times keys of one tensor, in one go",
         attention_attributes,
         self_slots,
         get_n_one,
         infer_qk_split),
  FUSED ("_sg_onednn_selfatt_valatt",
         "attention times values, in one go",
         attention_attributes,
         val_slots,
         get_n_two,
         infer_valatt),
  FUSED ("_sg_onednn_batch_dot",
         "products of matrices, in one go",
         dot_attributes,
         dot_slots,
         get_n_two,
         infer_dot),
  {
      SYM_OP_MXNET,
      .name = "_sg_pow_mul_scalar",
      .summary = "a power times a number, in one go",
      .reference = "MXNet 2.0 _sg_pow_mul_scalar",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = power_attributes,
      .slots = input_slots,
      .infer = infer_power,
      .formula = "Mul (Pow (A, $exponent), $multiplier)",
  },
  { NULL },
};
