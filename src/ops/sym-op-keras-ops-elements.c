/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <math.h>
#include <string.h>

/* Functions of each element that take more than a formula. */

/* Both operands in one dtype; of one operand @b is @a. */
typedef struct {
  SymOpLower *lower;
  SymDType dtype;
  SymId a, b;
} Pair;

static SymDType
get_common (SymOpLower *lower)
{
  return sym_op_keras_ops_promote (lower, 0, 1);
}

static void
begin (Pair *self, SymOpLower *lower, guint n, SymDType dtype)
{
  self->lower = lower;
  self->dtype = dtype;
  self->a = sym_op_keras_ops_input (lower, 0, dtype);
  self->b = n > 1 ? sym_op_keras_ops_input (lower, 1, dtype) : self->a;
}

static void
finish (const Pair *self, SymId y)
{
  sym_op_lower_set_output (self->lower, 0, y);
}

static SymId
number (const Pair *self, double value)
{
  return sym_op_lower_number (self->lower, self->dtype, value);
}

static SymId
unary (const Pair *self, const char *name, SymId x)
{
  return sym_op_lower_unary (self->lower, name, x);
}

static SymId
apply (const Pair *self, const char *name, SymId a, SymId b)
{
  return sym_op_lower_binary (self->lower, name, a, b);
}

static SymId
choose (const Pair *self, SymId condition, SymId yes, SymId no)
{
  return sym_op_lower_call (self->lower, "Where", SYM_IDS (condition, yes, no), NULL);
}

static SymId
is_infinite (const Pair *self, SymId x, gboolean positive)
{
  return sym_op_lower_call (self->lower, "IsInf", SYM_IDS (x), "detect_negative",
                            sym_value_new_int (!positive), "detect_positive",
                            sym_value_new_int (positive), NULL);
}

/* ---- Signs ---- */

/* 1 / -0 is -infinity. */
static SymId
is_negative (const Pair *self, SymId x)
{
  SymId zero = number (self, 0);
  SymId below = apply (self, "Less", x, zero);

  if (!sym_dtype_is_floating (self->dtype))
    return below;
  return apply (self, "Or", below, apply (self, "Less", unary (self, "Reciprocal", x), zero));
}

static void
lower_signbit (SymOpLower *lower)
{
  SymDType dtype = sym_op_lower_get_input_dtype (lower, 0);
  Pair self;

  begin (&self, lower, 1, dtype == SYM_DTYPE_BOOL ? SYM_DTYPE_INT32 : dtype);
  finish (&self, is_negative (&self, self.a));
}

static SymId
negate_if (const Pair *self, SymId condition, SymId x)
{
  return choose (self, condition, unary (self, "Neg", x), x);
}

/* The angle without signs, between 0 and pi / 2; a quarter of pi where both are infinite. */
static SymId
get_steepness (const Pair *self)
{
  SymId a = unary (self, "Abs", self->a), b = unary (self, "Abs", self->b);
  SymId same = choose (self, apply (self, "Equal", a, number (self, 0)), number (self, 0),
                       number (self, G_PI_4));

  return choose (self, apply (self, "Equal", a, b), same,
                 unary (self, "Atan", apply (self, "Div", a, b)));
}

static void
lower_arctan2 (SymOpLower *lower)
{
  Pair self;
  SymId angle;

  begin (&self, lower, 2, sym_op_keras_ops_to_float (get_common (lower)));
  angle = get_steepness (&self);
  angle = choose (&self, is_negative (&self, self.b),
                  apply (&self, "Sub", number (&self, G_PI), angle), angle);
  finish (&self, negate_if (&self, is_negative (&self, self.a), angle));
}

/* ---- Lengths and steps ---- */

/* int64 becomes float64 for some. */
static SymDType
to_wide_float (SymDType dtype)
{
  return dtype == SYM_DTYPE_INT64 ? SYM_DTYPE_FLOAT64 : sym_op_keras_ops_to_float (dtype);
}

static gboolean
infer_wide (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0, to_wide_float (sym_rule_get_input_dtype (rule, 0)),
                                    error);
}

static gboolean
begin_wide (Pair *self, SymOpLower *lower)
{
  SymDType dtype = get_common (lower);

  if (dtype == SYM_DTYPE_BOOL)
    sym_op_lower_refuse (lower, "%s: truths are not lowered", sym_op_keras_ops_get_name (lower));
  begin (self, lower, 2, to_wide_float (dtype));
  return !sym_op_lower_has_failed (lower);
}

/* The larger one times the root of 1 and the square of their ratio: squares alone get too large. */
static void
lower_hypot (SymOpLower *lower)
{
  Pair self;
  SymId a, b, most, ratio, y;

  if (!begin_wide (&self, lower))
    return;
  a = unary (&self, "Abs", self.a);
  b = unary (&self, "Abs", self.b);
  most = apply (&self, "Max", a, b);
  ratio = apply (&self, "Div", apply (&self, "Min", a, b), most);
  y = apply (&self, "Add", number (&self, 1), apply (&self, "Mul", ratio, ratio));
  y = apply (&self, "Mul", most, unary (&self, "Sqrt", y));
  y = choose (&self, apply (&self, "Equal", most, number (&self, 0)), most, y);
  y = choose (&self, unary (&self, "IsInf", b), b, y);
  finish (&self, choose (&self, unary (&self, "IsInf", a), a, y));
}

static void
lower_heaviside (SymOpLower *lower)
{
  Pair self;
  SymId zero, y;

  if (!begin_wide (&self, lower))
    return;
  zero = number (&self, 0);
  y = choose (&self, apply (&self, "Less", self.a, zero), zero, self.a);
  y = choose (&self, apply (&self, "Greater", self.a, zero), number (&self, 1), y);
  finish (&self, choose (&self, apply (&self, "Equal", self.a, zero), self.b, y));
}

/* log (1 + x) for x from 0 to 1. */
static SymId
log_beyond_one (const Pair *self, SymId x)
{
  SymId one = number (self, 1), more = apply (self, "Add", x, one);
  SymId y = apply (self, "Div", apply (self, "Mul", unary (self, "Log", more), x),
                   apply (self, "Sub", more, one));

  return choose (self, apply (self, "Equal", more, one), x, y);
}

/* The larger one, and what the smaller adds to it. */
static void
lower_log_add (SymOpLower *lower)
{
  gboolean is_two = g_str_has_suffix (sym_op_keras_ops_get_name (lower), "2");
  Pair self;
  SymId base, less, y;

  begin (&self, lower, 2, sym_op_keras_ops_to_float (get_common (lower)));
  base = number (&self, G_LN2);
  less = unary (&self, "Neg", unary (&self, "Abs", apply (&self, "Sub", self.a, self.b)));
  y = log_beyond_one (&self, is_two ? apply (&self, "Pow", number (&self, 2), less)
                                    : unary (&self, "Exp", less));
  y = apply (&self, "Add", apply (&self, "Max", self.a, self.b),
             is_two ? apply (&self, "Div", y, base) : y);
  finish (&self, choose (&self, apply (&self, "Equal", self.a, self.b),
                         apply (&self, "Add", self.a, is_two ? number (&self, 1) : base), y));
}

/* ---- Numbers that are none ---- */

static void
lower_infinity (SymOpLower *lower)
{
  Pair self;

  begin (&self, lower, 1, sym_op_keras_ops_to_float (sym_op_lower_get_input_dtype (lower, 0)));
  finish (&self,
          is_infinite (&self, self.a, strcmp (sym_op_keras_ops_get_name (lower), "Isposinf") == 0));
}

/* Which of two is no NaN; the larger or smaller one where neither is. */
static void
lower_pick (SymOpLower *lower)
{
  gboolean is_max = strcmp (sym_op_keras_ops_get_name (lower), "Fmax") == 0;
  Pair self;
  SymId y;

  begin (&self, lower, 2, get_common (lower));
  y = apply (&self, is_max ? "Max" : "Min", self.a, self.b);
  if (sym_dtype_is_floating (self.dtype))
    {
      y = choose (&self, unary (&self, "IsNaN", self.b), self.a, y);
      y = choose (&self, unary (&self, "IsNaN", self.a), self.b, y);
    }
  finish (&self, y);
}

static double
get_greatest (SymDType dtype)
{
  if (dtype == SYM_DTYPE_FLOAT64)
    return G_MAXDOUBLE;
  if (dtype == SYM_DTYPE_BFLOAT16)
    return 0x1.fep127;
  return dtype == SYM_DTYPE_FLOAT16 ? 65504.0 : (double) G_MAXFLOAT;
}

static void
lower_nan_to_num (SymOpLower *lower)
{
  double most = get_greatest (sym_op_lower_get_input_dtype (lower, 0));
  Pair self;
  SymId y;

  begin (&self, lower, 1, sym_op_lower_get_input_dtype (lower, 0));
  y = self.a;
  if (sym_dtype_is_floating (self.dtype))
    {
      y = choose (&self, unary (&self, "IsNaN", self.a),
                  number (&self, sym_op_lower_get_float (lower, "nan", 0)), y);
      y = choose (&self, is_infinite (&self, self.a, TRUE),
                  number (&self, sym_op_lower_get_float (lower, "posinf", most)), y);
      y = choose (&self, is_infinite (&self, self.a, FALSE),
                  number (&self, sym_op_lower_get_float (lower, "neginf", -most)), y);
    }
  finish (&self, y);
}

/* |a - b| <= atol + rtol |b|, where b is finite; backends have integers in several ways. */
static void
lower_close (SymOpLower *lower)
{
  Pair self;
  SymId most, y;

  begin (&self, lower, 2, get_common (lower));
  if (!sym_dtype_is_floating (self.dtype))
    sym_op_lower_refuse (lower, "Isclose: only floats are lowered");
  most = apply (&self, "Add", number (&self, sym_op_lower_get_float (lower, "atol", 1e-8)),
                apply (&self, "Mul", number (&self, sym_op_lower_get_float (lower, "rtol", 1e-5)),
                       unary (&self, "Abs", self.b)));
  y = apply (&self, "LessOrEqual", unary (&self, "Abs", apply (&self, "Sub", self.a, self.b)),
             most);
  y = apply (&self, "And", y, unary (&self, "Not", unary (&self, "IsInf", self.b)));
  y = apply (&self, "Or", y, apply (&self, "Equal", self.a, self.b));
  if (sym_op_lower_get_bool (lower, "equal_nan", FALSE))
    y = apply (
        &self, "Or", y,
        apply (&self, "And", unary (&self, "IsNaN", self.a), unary (&self, "IsNaN", self.b)));
  finish (&self, y);
}

/* ---- Cuts ---- */

static void
lower_trunc (SymOpLower *lower)
{
  Pair self;

  begin (&self, lower, 1, sym_op_lower_get_input_dtype (lower, 0));
  finish (&self, sym_dtype_is_floating (self.dtype)
                     ? apply (&self, "Mul", unary (&self, "Sign", self.a),
                              unary (&self, "Floor", unary (&self, "Abs", self.a)))
                     : unary (&self, "Identity", self.a));
}

/* What a division towards zero leaves, with the sign of the dividend. */
static void
lower_fmod (SymOpLower *lower)
{
  SymDType dtype = get_common (lower);
  Pair self;

  begin (&self, lower, 2, dtype == SYM_DTYPE_BOOL ? SYM_DTYPE_INT32 : dtype);
  finish (&self, sym_op_lower_call (lower, "Mod", SYM_IDS (self.a, self.b), "fmod",
                                    sym_value_new_int (1), NULL));
}

/* Activations that keep the dtype: what they make of integers differs among backends. */
static void
lower_floats (SymOpLower *lower)
{
  static const char *const formulas[][2] = {
    { "HardShrink", "Where (Greater (Abs (a), $threshold), a, 0)" },
    { "SoftShrink", "Where (Greater (a, $threshold), Sub (a, $threshold), "
                    "Where (Less (a, Neg ($threshold)), Add (a, $threshold), 0))" },
    { "SparsePlus", "Where (LessOrEqual (a, -1), 0, "
                    "Where (Less (a, 1), Mul (0.25, Mul (Add (a, 1), Add (a, 1))), a))" },
    { "SparseSigmoid", "Where (LessOrEqual (a, -1), 0, "
                       "Where (GreaterOrEqual (a, 1), 1, Mul (0.5, Add (a, 1))))" },
    { "Squareplus", "Mul (0.5, Add (a, Sqrt (Add (Mul (a, a), $b))))" },
    { "Threshold", "Where (Greater (a, $threshold), a, $default_value)" },
  };
  const char *name = sym_op_keras_ops_get_name (lower);

  if (!sym_dtype_is_floating (sym_op_lower_get_input_dtype (lower, 0)))
    sym_op_lower_refuse (lower, "%s: only floats are lowered", name);
  for (guint i = 0; i < G_N_ELEMENTS (formulas); i++)
    if (strcmp (formulas[i][0], name) == 0)
      sym_op_lower_set_output (lower, 0, sym_op_lower_formula (lower, formulas[i][1]));
}

/* ---- Copies ---- */

static void
lower_full_like (SymOpLower *lower)
{
  SymDType dtype = sym_op_lower_get_dtype (lower, "dtype", sym_op_lower_get_input_dtype (lower, 0));

  if (sym_op_lower_need_tensor (lower, 0))
    sym_op_lower_set_output (
        lower, 0,
        sym_op_lower_binary (lower, "Expand", sym_op_keras_ops_input (lower, 1, dtype),
                             sym_op_lower_unary (lower, "Shape", sym_op_lower_input (lower, 0))));
}

static void
lower_array (SymOpLower *lower)
{
  SymDType dtype = sym_op_lower_get_dtype (lower, "dtype", sym_op_lower_get_input_dtype (lower, 0));

  sym_op_lower_set_output (
      lower, 0, sym_op_lower_unary (lower, "Identity", sym_op_keras_ops_input (lower, 0, dtype)));
}

/* ---- Tables ---- */

static const SymSlotSpec full_slots[] = { { "x" }, { "fill_value" }, { NULL } };

static const SymAttributeSpec no_attributes[] = { { NULL } };

static const SymAttributeSpec dtype_attributes[] = {
  { "dtype", SYM_ATTRIBUTE_DTYPE, "None", "the dtype of the result; that of the data" },
  { NULL },
};

static const SymAttributeSpec shrink_attributes[] = {
  { "threshold", SYM_ATTRIBUTE_FLOAT, "0.5", "how far from 0 values become 0" },
  { NULL },
};

static const SymAttributeSpec plus_attributes[] = {
  { "b", SYM_ATTRIBUTE_FLOAT, "4", "how round the corner is" },
  { NULL },
};

static const SymAttributeSpec threshold_attributes[] = {
  { "threshold", SYM_ATTRIBUTE_FLOAT, NULL, "what values must be greater than" },
  { "default_value", SYM_ATTRIBUTE_FLOAT, NULL, "what the others become" },
  { NULL },
};

static const SymAttributeSpec close_attributes[] = {
  { "rtol", SYM_ATTRIBUTE_FLOAT, "1e-5", "how far apart they may be, times the second one" },
  { "atol", SYM_ATTRIBUTE_FLOAT, "1e-8", "how far apart they may be" },
  { "equal_nan", SYM_ATTRIBUTE_BOOL, "False", "whether NaN is close to NaN" },
  { NULL },
};

static const SymAttributeSpec nan_attributes[] = {
  { "nan", SYM_ATTRIBUTE_FLOAT, "0", "what stands for NaN" },
  { "posinf", SYM_ATTRIBUTE_FLOAT, "None", "what stands for infinity; the greatest number" },
  { "neginf", SYM_ATTRIBUTE_FLOAT, "None", "what stands for -infinity; the least number" },
  { NULL },
};

#define ELEMENT(name_, aliases_, summary_, slots_, attributes_, infer_, lower_)                  \
  {                                                                                              \
    SYM_OP_KERAS_OPS (name_, summary_, ELEMENTWISE), .aliases = aliases_, .slots = slots_,       \
                                                     .attributes = attributes_, .infer = infer_, \
                                                     .lower = lower_,                            \
  }
#define ONE(name_, summary_, attributes_, infer_, lower_) \
  ELEMENT (name_, NULL, summary_, sym_op_keras_ops_one, attributes_, infer_, lower_)
#define TWO(name_, summary_, infer_, lower_) \
  ELEMENT (name_, NULL, summary_, sym_op_keras_ops_two, no_attributes, infer_, lower_)
#define ACTIVATION(name_, summary_, attributes_)                     \
  {                                                                  \
    SYM_OP_KERAS_OPS (name_, summary_, ACTIVATION),                  \
        .slots = sym_op_keras_ops_one, .attributes = attributes_,    \
        .infer = sym_op_keras_ops_infer_same, .lower = lower_floats, \
  }
#define FORMULA(name_, summary_, infer_, formula_)                                         \
  {                                                                                        \
    SYM_OP_KERAS_OPS (name_, summary_, ELEMENTWISE), .slots = sym_op_keras_ops_one,        \
                                                     .infer = infer_, .formula = formula_, \
  }

const SymOperator sym_op_keras_ops_elements[] = {
  TWO ("Arctan2",
       "The angle of a point, of its second coordinate and first",
       sym_op_keras_ops_infer_two_float,
       lower_arctan2),
  ELEMENT ("Array",
           "ConvertToTensor",
           "The data as it is, or in another dtype",
           sym_op_keras_ops_one,
           dtype_attributes,
           sym_op_infer_lowered,
           lower_array),
  FORMULA ("Cbrt", "Cube root", infer_wide, "Mul (Sign (A), Pow (Abs (A), 0.3333333333333333))"),
  FORMULA ("Deg2rad", "Degrees to radians", infer_wide, "Mul (A, 0.017453292519943295)"),
  FORMULA ("Exp2", "2 to the power x", sym_op_keras_ops_infer_float, "Pow (2, A)"),
  FORMULA ("Fabs", "The value without its sign", sym_op_keras_ops_infer_float, "Abs (A)"),
  TWO ("Fmax", "The larger of two; NaN only of two", sym_op_keras_ops_infer_two, lower_pick),
  TWO ("Fmin", "The smaller of two; NaN only of two", sym_op_keras_ops_infer_two, lower_pick),
  TWO ("Fmod",
       "What a division leaves, with the sign of the dividend",
       sym_op_infer_lowered,
       lower_fmod),
  ELEMENT ("FullLike",
           NULL,
           "One number in the shape of the data",
           full_slots,
           dtype_attributes,
           sym_op_infer_lowered,
           lower_full_like),
  ACTIVATION ("HardShrink", "What is near 0 becomes 0", shrink_attributes),
  TWO ("Heaviside", "0 below 0, 1 above, at 0 the other", sym_op_infer_lowered, lower_heaviside),
  TWO ("Hypot", "The root of the sum of two squares", sym_op_infer_lowered, lower_hypot),
  ELEMENT ("Isclose",
           NULL,
           "Whether two are nearly equal",
           sym_op_keras_ops_two,
           close_attributes,
           sym_op_keras_ops_infer_compare,
           lower_close),
  ONE ("Isneginf",
       "Whether a number is -infinity",
       no_attributes,
       sym_op_keras_ops_infer_test,
       lower_infinity),
  ONE ("Isposinf",
       "Whether a number is infinity",
       no_attributes,
       sym_op_keras_ops_infer_test,
       lower_infinity),
  TWO ("Logaddexp", "log (e^a + e^b)", sym_op_keras_ops_infer_two_float, lower_log_add),
  TWO ("Logaddexp2", "log2 (2^a + 2^b)", sym_op_keras_ops_infer_two_float, lower_log_add),
  ONE ("NanToNum",
       "Numbers for NaN and infinity",
       nan_attributes,
       sym_op_keras_ops_infer_same,
       lower_nan_to_num),
  FORMULA ("Rad2deg", "Radians to degrees", infer_wide, "Mul (A, 57.29577951308232)"),
  ONE ("Signbit",
       "Whether a number is negative, -0 for one",
       no_attributes,
       sym_op_keras_ops_infer_test,
       lower_signbit),
  FORMULA ("Sinc",
           "sin (pi x) / (pi x)",
           sym_op_keras_ops_infer_float,
           "Where (Equal (A, 0), 1, Div (Sin (Mul (A, 3.141592653589793)), "
           "Mul (A, 3.141592653589793)))"),
  ACTIVATION ("SoftShrink", "Values nearer to 0", shrink_attributes),
  ACTIVATION ("SparsePlus", "A softplus of parabolas and lines", no_attributes),
  ACTIVATION ("SparseSigmoid", "A sigmoid of straight lines", no_attributes),
  ACTIVATION ("Squareplus", "(x + sqrt (x^2 + b)) / 2", plus_attributes),
  ACTIVATION ("Threshold", "One number for what is not above another", threshold_attributes),
  ONE ("Trunc",
       "The next integer towards 0",
       no_attributes,
       sym_op_keras_ops_infer_same,
       lower_trunc),
  { NULL },
};
