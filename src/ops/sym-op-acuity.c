/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

#include <math.h>
#include <string.h>

/* Acuity's layers by their names in its files (2, 5 and 6): products, activations and elements. */

/* ---- Products ---- */

/* weight [in, out]; the axes from `axis` on are one. */
static gboolean
infer_dense (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), result;
  gint64 axis = sym_rule_get_int (rule, "axis", 1);
  SymDim out = sym_op_engine_get_count (rule, "weights"), in;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank < 1)
    return sym_op_pass_dtype (rule, 0, 0, error);
  if (axis < 0)
    axis += data.rank;
  if (axis < 0 || axis >= data.rank)
    return sym_rule_fail (error, "axis %" G_GINT64_FORMAT " is none of the data's %d", axis,
                          data.rank);
  in = sym_terms_product (sym_rule_get_terms (rule), data.dims + axis, data.rank - (int) axis);
  result = data;
  result.rank = (int) axis + 1;
  result.dims[axis] = out;
  return sym_op_set_input (rule, 1, SYM_SHAPE (in, out), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (out), error) &&
         sym_rule_set_output (rule, 0, &result, error);
}

static void
lower_dense (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "axis", 1, rank);
  gint64 sizes[SYM_MAX_RANK] = { 0 };
  SymId x = sym_op_engine_real (self, 0);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  sizes[axis] = -1;
  if (axis < rank - 1)
    x = sym_op_foreign_reshape (self, x, sizes, axis + 1, TRUE);
  x = sym_op_lower_binary (self, "MatMul", x, sym_op_engine_real (self, 1));
  if (sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, sym_op_engine_real (self, 2));
  sym_op_engine_set (self, x);
}

/* ---- Activations ---- */

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* Written as a number, or as a text: "6", "inf". */
static double
read_number (SymOpLower *self, const char *name, double fallback)
{
  const char *text = sym_op_lower_get_string (self, name, NULL);
  char *end;
  double number;

  if (text == NULL)
    return sym_op_lower_get_float (self, name, fallback);
  number = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0')
    sym_op_lower_refuse (self, "%s: %s of “%s” is no number", sym_op_lower_get_type (self), name,
                         text);
  return number;
}

static SymId
number (SymOpLower *self, double value)
{
  return sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), value);
}

/* Between two numbers, of which infinite ones are none. */
static void
set_clipped (SymOpLower *self, double least, double most)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_engine_set (self,
                       sym_op_lower_call (self, "Clip",
                                          SYM_IDS (sym_op_lower_input (self, 0),
                                                   isinf (least) ? SYM_NO_ID : number (self, least),
                                                   isinf (most) ? SYM_NO_ID : number (self, most)),
                                          NULL));
}

static void
lower_relun (SymOpLower *self)
{
  set_clipped (self, read_number (self, "relu_clamp_bottom", 0),
               read_number (self, "relu_clamp_top", G_MAXDOUBLE * 2));
}

static void
lower_clip (SymOpLower *self)
{
  set_clipped (self, read_number (self, "clip_value_min", 0),
               read_number (self, "clip_value_max", 255));
}

/* Keras's: at most a number, and a line below a threshold. */
static void
lower_relu_keras (SymOpLower *self)
{
  double most = read_number (self, "max_value", G_MAXDOUBLE * 2);
  double threshold = read_number (self, "threshold", 0), slope = read_number (self, "alpha", 0);
  SymId x = sym_op_lower_input (self, 0), below, above = x;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (!isinf (most))
    above = sym_op_lower_binary (self, "Min", x, number (self, most));
  below = sym_op_lower_binary (self, "Mul",
                               sym_op_lower_binary (self, "Sub", x, number (self, threshold)),
                               number (self, slope));
  sym_op_engine_set (
      self,
      sym_op_lower_call (
          self, "Where",
          SYM_IDS (sym_op_lower_binary (self, "Less", x, number (self, threshold)), below, above),
          NULL));
}

/* What ONNX has with one number. */
static void
lower_sloped (SymOpLower *self)
{
  static const struct {
    const char *type, *onnx, *attribute;
    double fallback;
  } kinds[] = {
    { "leakyrelu", "LeakyRelu", "leaky_ratio", 0.1 },
    { "elu", "Elu", "alpha", 0.1 },
    { "celu", "Celu", "alpha", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].type, sym_op_lower_get_type (self)))
      sym_op_engine_set (
          self, sym_op_lower_call (
                    self, kinds[i].onnx, SYM_IDS (sym_op_lower_input (self, 0)), "alpha",
                    sym_value_new_float (read_number (self, kinds[i].attribute, kinds[i].fallback)),
                    NULL));
}

static void
lower_hard_sigmoid (SymOpLower *self)
{
  sym_op_engine_set (
      self, sym_op_lower_call (self, "HardSigmoid", SYM_IDS (sym_op_lower_input (self, 0)), "alpha",
                               sym_value_new_float (read_number (self, "alpha", 0.2)), "beta",
                               sym_value_new_float (read_number (self, "beta", 0.5)), NULL));
}

/* @x times a number that is mostly 1. */
static SymId
times (SymOpLower *self, SymId x, const char *name)
{
  double factor = read_number (self, name, 1);

  return factor == 1 ? x : sym_op_lower_binary (self, "Mul", x, number (self, factor));
}

static void
lower_swish (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0);

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_engine_set (
        self, sym_op_lower_binary (self, "Mul", x,
                                   sym_op_lower_unary (self, "Sigmoid", times (self, x, "beta"))));
}

static void
lower_tanh (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  x = sym_op_lower_unary (self, "Tanh", times (self, x, "hyperbolic_tan_scale_b"));
  sym_op_engine_set (self, times (self, x, "hyperbolic_tan_scale_a"));
}

static void
lower_gelu (SymOpLower *self)
{
  gboolean is_near = sym_op_lower_get_bool (self, "approximate", FALSE);

  sym_op_engine_set (
      self, sym_op_lower_call (self, "Gelu", SYM_IDS (sym_op_lower_input (self, 0)), "approximate",
                               sym_value_new_string (is_near ? "tanh" : "none"), NULL));
}

static void
lower_softmax (SymOpLower *self)
{
  gboolean is_log = g_str_equal (sym_op_lower_get_type (self), "log_softmax");
  int axis = sym_op_foreign_axis (self, "sf_axis", -1, sym_op_foreign_rank (self, 0));

  if (sym_op_lower_need_tensor (self, 0))
    sym_op_engine_set (self, sym_op_foreign_with (
                                 self, is_log ? "LogSoftmax" : "Softmax",
                                 times (self, sym_op_lower_input (self, 0), "beta"), "axis", axis));
}

/* ---- Elements ---- */

static gboolean
infer_pair (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error) &&
         sym_op_pass_dtype (rule, 0, 0, error);
}

static gboolean
infer_truth (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error) &&
         sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_BOOL, error);
}

/* Numbers of another dtype, which may be told by its name; what its number means is not known. */
static gboolean
infer_cast (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (
             rule, 0, sym_rule_get_dtype (rule, "out_data_type", SYM_DTYPE_UNKNOWN), error);
}

static void
lower_cast (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "out_data_type", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN)
    sym_op_lower_refuse (self, "%s: the dtype of its result is not told",
                         sym_op_lower_get_type (self));
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_cast (self, sym_op_lower_input (self, 0), dtype));
}

/* Axes are a list or a number. */
static void
lower_reverse (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK], starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axis", axes);

  if (n < 1)
    sym_op_lower_refuse (self, "%s: its axes are not told", sym_op_lower_get_type (self));
  for (int i = 0; i < n; i++)
    {
      starts[i] = steps[i] = -1;
      stops[i] = G_MININT64;
    }
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (
        self, 0,
        sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, axes, steps, n));
}

/* ---- Arithmetic ---- */

/* Any number of operands. */
static void
lower_eltwise (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "SUM", "Add" },
    { "PROD", "Mul" },
    { "MAX", "Max" },
    { "MEAN", "Add" },
  };
  const char *type = sym_op_lower_get_type (self), *onnx = NULL;
  const char *kind = sym_op_lower_get_string (self, "operation", "SUM");
  guint n = sym_op_lower_get_n_inputs (self);
  SymId x = sym_op_lower_input (self, 0);

  if (!g_str_equal (type, "eltwise"))
    kind = g_str_equal (type, "addn") ? "SUM" : "MEAN";
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i][0], kind))
      onnx = kinds[i][1];
  if (onnx == NULL)
    sym_op_lower_refuse (self, "%s: nothing is known of “%s”", type, kind);
  else if (sym_op_lower_get_string (self, "coeff", "")[0] != '\0')
    sym_op_lower_refuse (self, "%s: coefficients are not lowered", type);
  for (guint i = 0; i < n; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  for (guint i = 1; i < n; i++)
    x = sym_op_lower_binary (self, onnx, x, sym_op_lower_input (self, i));
  if (g_str_equal (kind, "MEAN"))
    x = sym_op_lower_binary (self, "Div", x, number (self, n));
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Caffe's Scale: a product whose second factor may lie beside the file ---- */

/* Caffe's axis 1 is that of channels, which are last here. */
static int
find_scaled (const SymAttributes *attributes, int rank)
{
  gboolean is_caffe = g_strcmp0 (sym_attributes_get_string (attributes, "axes", NULL), "NCHW") == 0;
  gint64 axis = sym_attributes_get_int (attributes, "axis", 1);

  if (is_caffe && rank == 4)
    return axis == 1 ? 3 : -1;
  axis += axis < 0 ? rank : 0;
  return axis < 0 || axis >= rank ? -1 : (int) axis;
}

/* Numbers for each image and channel. */
static gboolean
is_by_image (int rank, int rank_of_factor, gboolean is_caffe)
{
  return is_caffe && rank == 4 && rank_of_factor == 2;
}

static gboolean
infer_multiply (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  gboolean is_caffe = g_strcmp0 (sym_rule_get_string (rule, "axes", NULL), "NCHW") == 0;
  int axis = find_scaled (attributes, data.rank);

  if (is_by_image (data.rank, sym_rule_get_input (rule, 1).rank, is_caffe))
    return sym_op_pass (rule, 0, 0, error);
  if (!sym_rule_get_bool (rule, "is_scale", FALSE))
    return infer_pair (rule, error);
  for (guint i = 1; axis >= 0 && i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (data.dims[axis]), error))
      return FALSE;
  return sym_op_pass (rule, 0, 0, error);
}

/* Numbers for each place of an axis. */
static SymId
spread (SymOpLower *self, guint i, int axis, int rank)
{
  gint64 sizes[SYM_MAX_RANK] = { -1 };

  for (int k = 1; k < rank - axis; k++)
    sizes[k] = 1;
  return axis == rank - 1 ? sym_op_lower_input (self, i)
                          : sym_op_foreign_reshape (self, sym_op_lower_input (self, i), sizes,
                                                    rank - axis, FALSE);
}

static void
lower_multiply (SymOpLower *self)
{
  static const gint64 places[] = { 1, 2 };
  gboolean is_scale = sym_op_lower_get_bool (self, "is_scale", FALSE);
  int rank = sym_op_foreign_rank (self, 0), other = sym_op_foreign_rank (self, 1);
  int axis = find_scaled (sym_layer_get_attributes (sym_op_lower_get_layer (self)), rank);
  SymId x = sym_op_lower_input (self, 0), factor = sym_op_lower_input (self, 1);

  if (is_scale && axis < 0)
    sym_op_lower_refuse (self, "multiply: which axis its scale is along is not known");
  if (sym_op_lower_has_failed (self))
    return;
  if (is_scale)
    factor = spread (self, 1, axis, rank);
  else if (is_by_image (rank, other, sym_op_lower_has_string (self, "axes", "NCHW")))
    factor = sym_op_foreign_unsqueeze (self, factor, places, 2);
  x = sym_op_lower_binary (self, "Mul", x, factor);
  if (is_scale && sym_op_lower_has_input (self, 2))
    x = sym_op_lower_binary (self, "Add", x, spread (self, 2, axis, rank));
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Tables ---- */

static const SymAttributeSpec cast_attributes[] = {
  { "out_data_type", SYM_ATTRIBUTE_ANY, "None", "of the result" },
  { NULL },
};

static const SymAttributeSpec dense_attributes[] = {
  { "weights", SYM_ATTRIBUTE_INT, "0", "features of the result" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "the first axis of the features" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is a bias" },
  { NULL },
};

static const SymAttributeSpec activation_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "None", "the slope, or how far down" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "None", "what the data is multiplied by" },
  { "leaky_ratio", SYM_ATTRIBUTE_FLOAT, "0.1", "the slope of negative ones" },
  { "relu_clamp_top", SYM_ATTRIBUTE_ANY, "inf", "the greatest result" },
  { "relu_clamp_bottom", SYM_ATTRIBUTE_ANY, "0", "the least result" },
  { "max_value", SYM_ATTRIBUTE_ANY, "inf", "the same of Keras" },
  { "threshold", SYM_ATTRIBUTE_FLOAT, "0.0", "where the line begins" },
  { "hyperbolic_tan_scale_a", SYM_ATTRIBUTE_FLOAT, "1.0", "what the result is multiplied by" },
  { "hyperbolic_tan_scale_b", SYM_ATTRIBUTE_FLOAT, "1.0", "what the data is multiplied by" },
  { "approximate", SYM_ATTRIBUTE_BOOL, "False", "whether it is by tanh" },
  { "sf_axis", SYM_ATTRIBUTE_INT, "-1", "the axis along which results sum to 1" },
  { NULL },
};

static const SymAttributeSpec element_attributes[] = {
  { "clip_value_min", SYM_ATTRIBUTE_ANY, "0", "the least result" },
  { "clip_value_max", SYM_ATTRIBUTE_ANY, "255", "the greatest result" },
  { "axis", SYM_ATTRIBUTE_ANY, "None", "along which" },
  { "exclusive", SYM_ATTRIBUTE_BOOL, "False", "whether a sum leaves its own element out" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether sums begin at the end" },
  { NULL },
};

static const SymAttributeSpec sum_attributes[] = {
  { "operation", SYM_ATTRIBUTE_STRING, "SUM", "SUM, PROD or MAX" },
  { "coeff", SYM_ATTRIBUTE_STRING, "", "what terms are multiplied by" },
  { NULL },
};

static const SymAttributeSpec product_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "the axis of a scale beside the file" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether there is a bias with it" },
  { "is_scale", SYM_ATTRIBUTE_BOOL, "False", "whether the second factor is beside the file" },
  { "axes", SYM_ATTRIBUTE_STRING, "None", "NCHW: the layer is one of Caffe's" },
  { NULL },
};

#define LOWERED(name_, aliases_, summary_, category_, slots_, attributes_, infer_, lower_) \
  SYM_OP_ENGINE_RULED ("acuity", "Acuity 6", name_, aliases_, summary_, category_, slots_, \
                       attributes_, infer_, lower_)
#define ACTIVATION_BY(name_, aliases_, summary_, lower_)                                     \
  LOWERED (name_, aliases_, summary_, ACTIVATION, sym_op_foreign_one, activation_attributes, \
           infer_same, lower_)
#define ELEMENT_BY(name_, aliases_, summary_, lower_)                                      \
  LOWERED (name_, aliases_, summary_, ELEMENTWISE, sym_op_foreign_one, element_attributes, \
           infer_same, lower_)
#define FORMULA(name_, aliases_, summary_, category_, slots_, infer_, formula_)               \
  {                                                                                           \
    SYM_OP_FOREIGN ("acuity", name_, aliases_, summary_, category_),                          \
        .reference = "Acuity 6 " name_, .slots = slots_, .infer = infer_, .formula = formula_ \
  }
#define ACTIVATION(name_, summary_, formula_) \
  FORMULA (name_, NULL, summary_, ACTIVATION, sym_op_foreign_one, infer_same, formula_)
#define ELEMENT(name_, summary_, formula_) \
  FORMULA (name_, NULL, summary_, ELEMENTWISE, sym_op_foreign_one, infer_same, formula_)
#define PAIR(name_, aliases_, summary_, formula_) \
  FORMULA (name_, aliases_, summary_, ELEMENTWISE, sym_op_foreign_two, infer_pair, formula_)
#define TRUTH(name_, summary_, formula_) \
  FORMULA (name_, NULL, summary_, ELEMENTWISE, sym_op_foreign_two, infer_truth, formula_)
#define RULE(name_, aliases_, summary_, category_, slots_, infer_)                             \
  {                                                                                            \
    SYM_OP_FOREIGN ("acuity", name_, aliases_, summary_, category_),                           \
        .reference = "Acuity 6 " name_, .slots = slots_, .get_n_operands = sym_op_foreign_any, \
        .infer = infer_                                                                        \
  }

const SymOperator sym_op_acuity[] = {
  LOWERED ("fullconnect",
           NULL,
           "Fully connected layer",
           WEIGHTS,
           sym_op_engine_weighted,
           dense_attributes,
           infer_dense,
           lower_dense),
  ACTIVATION ("relu", "Positive numbers, and 0 for others", "Relu (a)"),
  ACTIVATION ("sigmoid", "1 / (1 + exp (-x))", "Sigmoid (a)"),
  ACTIVATION ("selu", "Scaled exponential line", "Selu (a)"),
  ACTIVATION ("hard_swish", "x times a clipped line", "HardSwish (a)"),
  ACTIVATION ("mish", "x tanh (log (1 + exp (x)))", "Mish (a)"),
  ACTIVATION ("softrelu", "log (1 + exp (x))", "Softplus (a)"),
  ACTIVATION_BY ("relun", NULL, "Between two numbers", lower_relun),
  ACTIVATION_BY ("relu_keras", NULL, "Positive numbers up to one", lower_relu_keras),
  ACTIVATION_BY ("leakyrelu", "elu celu", "Less of negative numbers", lower_sloped),
  ACTIVATION_BY ("hard_sigmoid", NULL, "A line between 0 and 1", lower_hard_sigmoid),
  ACTIVATION_BY ("swish", NULL, "x sigmoid (beta x)", lower_swish),
  ACTIVATION_BY ("tanh", NULL, "Hyperbolic tangent", lower_tanh),
  ACTIVATION_BY ("gelu", NULL, "x times the normal distribution", lower_gelu),
  ACTIVATION_BY ("softmax", "log_softmax", "Shares of exponentials", lower_softmax),
  RULE ("inverse_sigmoid", NULL, "An activation", ACTIVATION, sym_op_foreign_one, infer_same),
  ELEMENT ("abs", "Without its sign", "Abs (a)"),
  ELEMENT ("acosh", "Inverse hyperbolic cosine", "Acosh (a)"),
  ELEMENT ("atan", "Inverse tangent", "Atan (a)"),
  ELEMENT ("atanh", "Inverse hyperbolic tangent", "Atanh (a)"),
  ELEMENT ("ceil", "The next integer above", "Ceil (a)"),
  ELEMENT ("cos", "Cosine", "Cos (a)"),
  ELEMENT ("erf", "Error function", "Erf (a)"),
  ELEMENT ("exp", "Exponential", "Exp (a)"),
  ELEMENT ("floor", "The next integer below", "Floor (a)"),
  ELEMENT ("log", "Natural logarithm", "Log (a)"),
  ELEMENT ("logical_not", "What is not true", "Not (a)"),
  ELEMENT ("neg", "With the other sign", "Neg (a)"),
  ELEMENT ("noop", "The data as it is", "Identity (a)"),
  ELEMENT ("activity_regularization", "The data as it is", "Identity (a)"),
  ELEMENT ("round", "The nearest integer", "Round (a)"),
  ELEMENT ("rsqrt", "1 by the root", "Reciprocal (Sqrt (a))"),
  ELEMENT ("sign", "-1, 0 or 1", "Sign (a)"),
  ELEMENT ("sin", "Sine", "Sin (a)"),
  ELEMENT ("sqrt", "Square root", "Sqrt (a)"),
  ELEMENT ("square", "The square", "Mul (a, a)"),
  ELEMENT ("tan", "Tangent", "Tan (a)"),
  ELEMENT_BY ("clipbyvalue", NULL, "Between two numbers", lower_clip),
  ELEMENT_BY ("cumsum", NULL, "Sums of all up to each", sym_op_engine_lower_cumulate),
  ELEMENT_BY ("reverse", NULL, "Backwards along some axes", lower_reverse),
  RULE ("quantize",
        "dequantize mat_inverse minimum_with_clip squashing zeros_like",
        "A function of each element",
        ELEMENTWISE,
        sym_op_foreign_one,
        infer_same),
  LOWERED ("cast",
           "dtype_converter",
           "Another dtype",
           SHAPE,
           sym_op_foreign_one,
           cast_attributes,
           infer_cast,
           lower_cast),
  PAIR ("add", NULL, "a + b", "Add (a, b)"),
  PAIR ("subtract", "Subtract", "a - b", "Sub (a, b)"),
  PAIR ("divide", "Divide real_div", "a / b", "Div (a, b)"),
  PAIR ("floor_div", NULL, "a / b, rounded down", "FloorDivide (a, b)"),
  PAIR ("floor_mod", NULL, "What is left of a / b", "Remainder (a, b)"),
  PAIR ("minimum", NULL, "The lesser one", "Min (a, b)"),
  PAIR ("maximum", NULL, "The greater one", "Max (a, b)"),
  PAIR ("pow", NULL, "a to the power of b", "Pow (a, b)"),
  PAIR ("squared_difference", NULL, "(a - b) squared", "Mul (Sub (a, b), Sub (a, b))"),
  PAIR ("bitwise_and", NULL, "Bits of both", "BitwiseAnd (a, b)"),
  PAIR ("bitwise_or", NULL, "Bits of either", "BitwiseOr (a, b)"),
  PAIR ("bitwise_xor", NULL, "Bits of one alone", "BitwiseXor (a, b)"),
  LOWERED ("eltwise",
           "addn average",
           "Sum, product, mean or greatest of all",
           ELEMENTWISE,
           sym_op_foreign_many,
           sum_attributes,
           infer_pair,
           lower_eltwise),
  LOWERED ("multiply",
           NULL,
           "A product, or a scale for each channel",
           ELEMENTWISE,
           sym_op_foreign_many,
           product_attributes,
           infer_multiply,
           lower_multiply),
  RULE ("mod", "atan2", "Arithmetic of tensors", ELEMENTWISE, sym_op_foreign_two, infer_pair),
  TRUTH ("equal", "a is b", "Equal (a, b)"),
  TRUTH ("not_equal", "a is not b", "Not (Equal (a, b))"),
  TRUTH ("greater", "a > b", "Greater (a, b)"),
  TRUTH ("greater_equal", "a >= b", "GreaterOrEqual (a, b)"),
  TRUTH ("less", "a < b", "Less (a, b)"),
  TRUTH ("less_equal", "a <= b", "LessOrEqual (a, b)"),
  TRUTH ("logical_and", "Both", "And (a, b)"),
  TRUTH ("logical_or", "Either", "Or (a, b)"),
  TRUTH ("logical_xor", "One alone", "Xor (a, b)"),
  { NULL },
};
