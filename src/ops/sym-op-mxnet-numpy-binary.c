/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Two tensors that broadcast, and a tensor and a number, as numpy has them.  Scalars are scalars,
 * and operands of different dtypes meet in the more precise one. */

/* ---- Dtypes ---- */

/* The dtype in which @a and @b meet: a float before an integer, an integer before a truth value, of
 * two alike the wider one.  Signed and unsigned integers meet where versions differ: left open. */
static SymDType
promote (SymDType a, SymDType b)
{
  gboolean a_float = sym_dtype_is_floating (a), b_float = sym_dtype_is_floating (b);

  if (a == SYM_DTYPE_UNKNOWN || b == SYM_DTYPE_UNKNOWN)
    return SYM_DTYPE_UNKNOWN;
  if (a == b || b == SYM_DTYPE_BOOL || (a_float && !b_float))
    return a;
  if (a == SYM_DTYPE_BOOL || (b_float && !a_float))
    return b;
  if (!a_float && g_str_has_prefix (sym_dtype_to_string (a), "u") !=
                      g_str_has_prefix (sym_dtype_to_string (b), "u"))
    return SYM_DTYPE_UNKNOWN;
  if (sym_dtype_get_bits (a) == sym_dtype_get_bits (b))
    return SYM_DTYPE_UNKNOWN;
  return sym_dtype_get_bits (a) > sym_dtype_get_bits (b) ? a : b;
}

/* While one dtype is not known all three count as equal, as MXNet has it. */
static gboolean
mix_dtypes (SymRule *rule, GError **error)
{
  SymDType a = sym_rule_get_input_dtype (rule, 0), b = sym_rule_get_input_dtype (rule, 1);

  if (a == SYM_DTYPE_UNKNOWN || b == SYM_DTYPE_UNKNOWN)
    return sym_op_mxnet_tie_all_dtypes (rule, error);
  return sym_rule_set_output_dtype (rule, 0, promote (a, b), error);
}

static gboolean
infer_mixed (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) && mix_dtypes (rule, error);
}

/* What is no float becomes one; which, versions differ in. */
static gboolean
infer_floating (SymRule *rule, GError **error)
{
  SymDType common =
      promote (sym_rule_get_input_dtype (rule, 0), sym_rule_get_input_dtype (rule, 1));

  return sym_op_broadcast_shapes (rule, 0, 1, error) &&
         (!sym_dtype_is_floating (common) || sym_rule_set_output_dtype (rule, 0, common, error));
}

static gboolean
infer_truth (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* ---- A tensor and a number ---- */

static const SymAttributeSpec scalar_attributes[] = {
  { "scalar", SYM_ATTRIBUTE_FLOAT, "1.0", "the number" },
  { "is_int", SYM_ATTRIBUTE_BOOL, "True", "whether the number was an integer in the script" },
  { NULL },
};

/* Integers and a fraction make float64, truth values and an integer int64. */
static gboolean
infer_scalar (SymRule *rule, GError **error)
{
  gboolean is_int = sym_rule_get_bool (rule, "is_int", TRUE);
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (!sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  if (dtype == SYM_DTYPE_BOOL)
    return sym_rule_set_output_dtype (rule, 0, is_int ? SYM_DTYPE_INT64 : SYM_DTYPE_FLOAT64, error);
  if (sym_dtype_is_integer (dtype) && !is_int)
    return sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT64, error);
  return sym_op_pass_dtype (rule, 0, 0, error);
}

static gboolean
infer_floating_scalar (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  return sym_op_pass_shape (rule, 0, 0, error) &&
         (!sym_dtype_is_floating (dtype) || sym_rule_set_output_dtype (rule, 0, dtype, error));
}

static gboolean
infer_scalar_truth (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

#define ELEMENTWISE(name_, aliases_, summary_, attributes_, slots_, infer_, formula_)              \
  {                                                                                                \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                         \
                  .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_ELEMENTWISE,           \
                  .attributes = attributes_, .slots = slots_, .infer = infer_, .formula = formula_ \
  }

/* What has no formula is computed. */
#define COMPUTED(name_, summary_, attributes_, slots_, infer_, run_)                   \
  {                                                                                    \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 2.0 " name_, \
                  .category = SYM_CATEGORY_ELEMENTWISE, .attributes = attributes_,     \
                  .slots = slots_, .infer = infer_, .run = run_                        \
  }
#define COMPUTED_PAIR(name_, summary_, infer_) \
  COMPUTED (name_, summary_, NULL, sym_op_mxnet_pair, infer_, sym_op_mxnet_run_pair)
#define COMPUTED_NUMBER(name_, summary_, infer_) \
  COMPUTED (name_, summary_, scalar_attributes, sym_op_mxnet_data, infer_, sym_op_mxnet_run_scalar)

#define PAIR(name_, summary_, infer_, formula_) \
  ELEMENTWISE (name_, NULL, summary_, NULL, sym_op_mxnet_pair, infer_, formula_)
#define NUMBER(name_, summary_, infer_, formula_) \
  ELEMENTWISE (name_, NULL, summary_, scalar_attributes, sym_op_mxnet_data, infer_, formula_)

const SymOperator sym_op_mxnet_numpy_binary[] = {
  PAIR ("_npi_add", "sum", infer_mixed, "Add (A, B)"),
  PAIR ("_npi_subtract", "difference", infer_mixed, "Sub (A, B)"),
  PAIR ("_npi_multiply", "product of elements", infer_mixed, "Mul (A, B)"),
  PAIR ("_npi_mod",
        "remainder of the division",
        infer_mixed,
        "Where (Equal (B, 0), Mul (A, 0), Remainder (A, B))"),
  PAIR ("_npi_fmod", "remainder with the sign of the first", infer_mixed, "Mod (A, B, fmod=1)"),
  PAIR ("_npi_power", "first to the power of the second", infer_mixed, "Pow (A, B)"),
  PAIR ("_npi_floor_divide", "quotient, rounded down", infer_mixed, "FloorDivide (A, B)"),
  PAIR ("_npi_fmax",
        "greater one, NaN left out",
        infer_mixed,
        "Where (IsNaN (A), B, Where (IsNaN (B), A, Max (A, B)))"),
  PAIR ("_npi_fmin",
        "lesser one, NaN left out",
        infer_mixed,
        "Where (IsNaN (A), B, Where (IsNaN (B), A, Min (A, B)))"),
  COMPUTED_PAIR ("_npi_lcm", "least common multiple", infer_mixed),
  COMPUTED_PAIR ("_npi_gcd", "greatest common divisor", infer_mixed),
  PAIR ("_npi_bitwise_and", "bits that both have", infer_mixed, "BitwiseAnd (A, B)"),
  PAIR ("_npi_bitwise_or", "bits that one has", infer_mixed, "BitwiseOr (A, B)"),
  PAIR ("_npi_bitwise_xor", "bits that exactly one has", infer_mixed, "BitwiseXor (A, B)"),
  COMPUTED_PAIR ("_npi_bitwise_left_shift", "bits moved up", infer_mixed),
  COMPUTED_PAIR ("_npi_bitwise_right_shift", "bits moved down", infer_mixed),
  PAIR ("_npi_true_divide", "quotient of elements", infer_floating, "Div (A, B)"),
  COMPUTED_PAIR ("_npi_arctan2", "angle of a point", infer_floating),
  PAIR ("_npi_hypot", "hypotenuse", infer_floating, "Sqrt (Add (Mul (A, A), Mul (B, B)))"),
  COMPUTED_PAIR ("_npi_copysign", "first with the sign of the second", infer_floating),
  PAIR ("_npi_ldexp",
        "first times 2 to the power of the second",
        infer_floating,
        "Mul (A, Pow (2, B))"),
  PAIR ("_npi_logaddexp",
        "logarithm of the sum of exponentials",
        infer_floating,
        "Add (Max (A, B), Log (Add (1, Exp (Neg (Abs (Sub (A, B)))))))"),
  PAIR ("_npi_equal", "whether both are equal", infer_truth, "Equal (a, b)"),
  PAIR ("_npi_not_equal", "whether both differ", infer_truth, "Not (Equal (a, b))"),
  PAIR ("_npi_greater", "whether the first is greater", infer_truth, "Greater (a, b)"),
  PAIR ("_npi_greater_equal",
        "whether the first is not less",
        infer_truth,
        "GreaterOrEqual (a, b)"),
  PAIR ("_npi_less", "whether the first is less", infer_truth, "Less (a, b)"),
  PAIR ("_npi_less_equal", "whether the first is not greater", infer_truth, "LessOrEqual (a, b)"),
  PAIR ("_npi_logical_and",
        "whether neither is 0",
        infer_truth,
        "Not (Or (Equal (a, 0), Equal (b, 0)))"),
  PAIR ("_npi_logical_or",
        "whether one is not 0",
        infer_truth,
        "Not (And (Equal (a, 0), Equal (b, 0)))"),
  PAIR ("_npi_logical_xor",
        "whether exactly one is not 0",
        infer_truth,
        "Xor (Equal (a, 0), Equal (b, 0))"),
  NUMBER ("_npi_add_scalar", "adds a number", infer_scalar, "Add (A, $scalar)"),
  NUMBER ("_npi_subtract_scalar", "takes a number away", infer_scalar, "Sub (A, $scalar)"),
  NUMBER ("_npi_rsubtract_scalar",
          "takes the data from a number",
          infer_scalar,
          "Sub ($scalar, A)"),
  NUMBER ("_npi_multiply_scalar", "multiplies by a number", infer_scalar, "Mul (A, $scalar)"),
  NUMBER ("_npi_mod_scalar",
          "remainder of a division by a number",
          infer_scalar,
          "Where (Equal ($scalar, 0), Mul (A, 0), Remainder (A, $scalar))"),
  NUMBER ("_npi_rmod_scalar",
          "remainder of a number divided by the data",
          infer_scalar,
          "Where (Equal (A, 0), Mul ($scalar, 0), Remainder ($scalar, A))"),
  NUMBER ("_npi_fmod_scalar",
          "remainder with the sign of the data",
          infer_scalar,
          "Mod (A, $scalar, fmod=1)"),
  NUMBER ("_npi_rfmod_scalar",
          "remainder with the sign of the number",
          infer_scalar,
          "Mod ($scalar, A, fmod=1)"),
  NUMBER ("_npi_power_scalar", "raises to a power", infer_scalar, "Pow (A, $scalar)"),
  NUMBER ("_npi_rpower_scalar",
          "raises a number to the power of the data",
          infer_scalar,
          "Pow ($scalar, A)"),
  NUMBER ("_npi_floor_divide_scalar",
          "quotient by a number, rounded down",
          infer_scalar,
          "FloorDivide (A, $scalar)"),
  NUMBER ("_npi_rfloor_divide_scalar",
          "quotient of a number, rounded down",
          infer_scalar,
          "FloorDivide ($scalar, A)"),
  NUMBER ("_npi_fmax_scalar",
          "greatest of the data and a number",
          infer_scalar,
          "Where (IsNaN (A), $scalar, Where (IsNaN ($scalar), A, Max (A, $scalar)))"),
  NUMBER ("_npi_fmin_scalar",
          "least of the data and a number",
          infer_scalar,
          "Where (IsNaN (A), $scalar, Where (IsNaN ($scalar), A, Min (A, $scalar)))"),
  COMPUTED_NUMBER ("_npi_lcm_scalar", "least common multiple with a number", infer_scalar),
  COMPUTED_NUMBER ("_npi_gcd_scalar", "greatest common divisor with a number", infer_scalar),
  NUMBER ("_npi_bitwise_and_scalar",
          "bits that the number has as well",
          infer_scalar,
          "BitwiseAnd (A, $scalar)"),
  NUMBER ("_npi_bitwise_or_scalar",
          "bits that the data or the number has",
          infer_scalar,
          "BitwiseOr (A, $scalar)"),
  NUMBER ("_npi_bitwise_xor_scalar",
          "bits that data or number has alone",
          infer_scalar,
          "BitwiseXor (A, $scalar)"),
  COMPUTED_NUMBER ("_npi_bitwise_left_shift_scalar", "bits moved up", infer_scalar),
  COMPUTED_NUMBER ("_npi_rbitwise_left_shift_scalar", "bits of a number moved up", infer_scalar),
  COMPUTED_NUMBER ("_npi_bitwise_right_shift_scalar", "bits moved down", infer_scalar),
  COMPUTED_NUMBER ("_npi_rbitwise_right_shift_scalar", "bits of a number moved down", infer_scalar),
  COMPUTED_NUMBER ("_npi_copysign_scalar",
                   "the data with the sign of a number",
                   infer_floating_scalar),
  COMPUTED_NUMBER ("_npi_rcopysign_scalar",
                   "a number with the sign of the data",
                   infer_floating_scalar),
  COMPUTED_NUMBER ("_npi_arctan2_scalar", "angle of the data and a number", infer_floating_scalar),
  COMPUTED_NUMBER ("_npi_rarctan2_scalar", "angle of a number and the data", infer_floating_scalar),
  NUMBER ("_npi_ldexp_scalar",
          "the data times 2 to a power",
          infer_floating_scalar,
          "Mul (A, Pow (2, $scalar))"),
  NUMBER ("_npi_rldexp_scalar",
          "a number times 2 to the data's power",
          infer_floating_scalar,
          "Mul ($scalar, Pow (2, A))"),
  NUMBER ("_npi_logaddexp_scalar",
          "logarithm of the sum of exponentials",
          infer_floating_scalar,
          "Add (Max (A, $scalar), Log (Add (1, Exp (Neg (Abs (Sub (A, $scalar)))))))"),
  NUMBER ("_npi_true_divide_scalar",
          "divides by a number",
          infer_floating_scalar,
          "Div (A, $scalar)"),
  NUMBER ("_npi_rtrue_divide_scalar",
          "divides a number by the data",
          infer_floating_scalar,
          "Div ($scalar, A)"),
  NUMBER ("_npi_equal_scalar",
          "whether the data is the number",
          infer_scalar_truth,
          "Equal (a, $scalar)"),
  NUMBER ("_npi_not_equal_scalar",
          "whether the data is not the number",
          infer_scalar_truth,
          "Not (Equal (a, $scalar))"),
  NUMBER ("_npi_greater_scalar",
          "whether the data is greater",
          infer_scalar_truth,
          "Greater (a, $scalar)"),
  NUMBER ("_npi_greater_equal_scalar",
          "whether the data is not less",
          infer_scalar_truth,
          "GreaterOrEqual (a, $scalar)"),
  NUMBER ("_npi_less_scalar", "whether the data is less", infer_scalar_truth, "Less (a, $scalar)"),
  NUMBER ("_npi_less_equal_scalar",
          "whether the data is not greater",
          infer_scalar_truth,
          "LessOrEqual (a, $scalar)"),
  NUMBER ("_npi_logical_and_scalar",
          "whether data and number are not 0",
          infer_scalar_truth,
          "Not (Or (Equal (a, 0), Equal ($scalar, 0)))"),
  NUMBER ("_npi_logical_or_scalar",
          "whether data or number is not 0",
          infer_scalar_truth,
          "Not (And (Equal (a, 0), Equal ($scalar, 0)))"),
  NUMBER ("_npi_logical_xor_scalar",
          "whether one of both is not 0",
          infer_scalar_truth,
          "Xor (Equal (a, 0), Equal ($scalar, 0))"),
  { NULL },
};
