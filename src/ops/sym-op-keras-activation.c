/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <math.h>
#include <string.h>

/* ---- Activations by name ---- */

/* Activations that are one layer of ONNX with at most one number, which is not its default. */
static const struct {
  const char *name;
  const char *onnx;
  const char *attribute;
  double number;
} simple[] = {
  { "sigmoid", "Sigmoid", NULL, 0 },
  { "tanh", "Tanh", NULL, 0 },
  { "softplus", "Softplus", NULL, 0 },
  { "softsign", "Softsign", NULL, 0 },
  { "exponential", "Exp", NULL, 0 },
  { "mish", "Mish", NULL, 0 },
  { "elu", "Elu", NULL, 0 },
  { "selu", "Selu", NULL, 0 },
  { "celu", "Celu", NULL, 0 },
  { "gelu", "Gelu", NULL, 0 },
  { "hard_silu", "HardSwish", NULL, 0 },
  { "hard_swish", "HardSwish", NULL, 0 },
  { "leaky_relu", "LeakyRelu", "alpha", 0.2 },
};

/* What is activated: an activation alone takes data as they come, other layers compute in their own
 * dtype. */
static SymDType
get_dtype (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  SymDType given = sym_op_lower_get_input_dtype (self, 0);

  return op->category == SYM_CATEGORY_ACTIVATION && given != SYM_DTYPE_UNKNOWN
             ? given
             : sym_op_keras_get_dtype (sym_op_keras_attributes (self));
}

static gboolean
has_sign (SymDType dtype)
{
  return dtype != SYM_DTYPE_UINT8 && dtype != SYM_DTYPE_UINT16 && dtype != SYM_DTYPE_UINT32 &&
         dtype != SYM_DTYPE_UINT64;
}

/* A bound that no integer of the dtype reaches is the last of them. */
static SymId
add_bound (SymOpLower *self, SymDType dtype, double bound)
{
  int bits = (int) MIN (sym_dtype_get_bits (dtype), 63);
  double most = ldexp (1, has_sign (dtype) ? bits - 1 : bits) - 1;

  if (sym_dtype_is_integer (dtype))
    bound = CLAMP (bound, has_sign (dtype) ? -most - 1 : 0, most);
  return sym_op_lower_number (self, dtype, bound);
}

static SymId
clip (SymOpLower *self, SymId x, double least, double most)
{
  SymDType dtype = get_dtype (self);

  return sym_op_lower_call (
      self, "Clip", SYM_IDS (x, add_bound (self, dtype, least), add_bound (self, dtype, most)),
      NULL);
}

/* ONNX has no Relu of what is never below zero. */
static SymId
rectify (SymOpLower *self, SymId x)
{
  SymDType dtype = get_dtype (self);

  return has_sign (dtype)
             ? sym_op_lower_unary (self, "Relu", x)
             : sym_op_lower_binary (self, "Max", x, sym_op_lower_number (self, dtype, 0));
}

/* max (0, min (1, 0.2 x + 0.5)); of Keras 3, relu6 (x + 3) / 6. */
static SymId
hard_sigmoid (SymOpLower *self, SymId x)
{
  gboolean is_new = sym_op_keras_get_int (sym_op_keras_attributes (self), "keras_version", 2) >= 3;

  return sym_op_lower_call (self, "HardSigmoid", SYM_IDS (x), "alpha",
                            sym_value_new_float (is_new ? 1.0 / 6.0 : 0.2), "beta",
                            sym_value_new_float (0.5), NULL);
}

/* Functions of one element of Keras 3. */
static SymId
activate_by_formula (SymOpLower *self, const char *name, SymId x)
{
  SymDType dtype = get_dtype (self);
  SymId y;

  if (strcmp (name, "log_sigmoid") == 0)
    return sym_op_lower_unary (
        self, "Neg", sym_op_lower_unary (self, "Softplus", sym_op_lower_unary (self, "Neg", x)));
  if (strcmp (name, "tanh_shrink") == 0)
    return sym_op_lower_binary (self, "Sub", x, sym_op_lower_unary (self, "Tanh", x));
  if (strcmp (name, "hard_shrink") == 0 || strcmp (name, "soft_shrink") == 0)
    return sym_op_lower_call (self, "Shrink", SYM_IDS (x), "lambd", sym_value_new_float (0.5),
                              "bias", sym_value_new_float (*name == 'h' ? 0 : 0.5), NULL);
  if (strcmp (name, "sparse_sigmoid") == 0)
    return sym_op_lower_call (self, "HardSigmoid", SYM_IDS (x), "alpha", sym_value_new_float (0.5),
                              "beta", sym_value_new_float (0.5), NULL);
  if (strcmp (name, "squareplus") == 0) /* (x + sqrt (x * x + 4)) / 2 */
    {
      y = sym_op_lower_binary (self, "Add", sym_op_lower_binary (self, "Mul", x, x),
                               sym_op_lower_number (self, dtype, 4));
      y = sym_op_lower_binary (self, "Add", x, sym_op_lower_unary (self, "Sqrt", y));
      return sym_op_lower_binary (self, "Mul", y, sym_op_lower_number (self, dtype, 0.5));
    }
  if (strcmp (name, "sparse_plus") == 0) /* the integral of sparse_sigmoid */
    {
      y = clip (self, x, -1, 1);
      y = sym_op_lower_binary (self, "Add", y, sym_op_lower_number (self, dtype, 1));
      y = sym_op_lower_binary (self, "Mul", sym_op_lower_binary (self, "Mul", y, y),
                               sym_op_lower_number (self, dtype, 0.25));
      x = sym_op_lower_binary (self, "Max", x, sym_op_lower_number (self, dtype, 1));
      x = sym_op_lower_binary (self, "Sub", x, sym_op_lower_number (self, dtype, 1));
      return sym_op_lower_binary (self, "Add", y, x);
    }
  return SYM_NO_ID;
}

/* One half of the last axis by the logistic function of the other. */
static SymId
gate (SymOpLower *self, SymId x)
{
  SymId first = sym_op_lower_call (self, "Split", SYM_IDS (x), "axis", sym_value_new_int (-1),
                                   "num_outputs", sym_value_new_int (2), NULL);

  return sym_op_lower_binary (
      self, "Mul", first,
      sym_op_lower_unary (self, "Sigmoid", sym_op_lower_get_result (self, first, 1)));
}

SymId
sym_op_keras_activate_by (SymOpLower *self, const char *name, SymId x)
{
  SymId y;

  for (guint i = 0; i < G_N_ELEMENTS (simple); i++)
    if (strcmp (simple[i].name, name) == 0)
      return sym_op_lower_call (
          self, simple[i].onnx, SYM_IDS (x), simple[i].attribute,
          simple[i].attribute == NULL ? NULL : sym_value_new_float (simple[i].number), NULL);
  if (strcmp (name, "linear") == 0)
    return x;
  if (strcmp (name, "relu") == 0)
    return rectify (self, x);
  if (strcmp (name, "softmax") == 0 || strcmp (name, "log_softmax") == 0)
    return sym_op_lower_call (self, *name == 's' ? "Softmax" : "LogSoftmax", SYM_IDS (x), "axis",
                              sym_value_new_int (-1), NULL);
  if (strcmp (name, "hard_sigmoid") == 0)
    return hard_sigmoid (self, x);
  if (strcmp (name, "glu") == 0)
    return gate (self, x);
  if (strcmp (name, "relu6") == 0)
    return clip (self, x, 0, 6);
  if (strcmp (name, "hard_tanh") == 0)
    return clip (self, x, -1, 1);
  if (strcmp (name, "swish") == 0 || strcmp (name, "silu") == 0)
    return sym_op_lower_binary (self, "Mul", x, sym_op_lower_unary (self, "Sigmoid", x));
  if (strcmp (name, "gelu_new") == 0 || strcmp (name, "gelu_approximate") == 0)
    return sym_op_lower_call (self, "Gelu", SYM_IDS (x), "approximate",
                              sym_value_new_string ("tanh"), NULL); /* TensorFlow.js, Keras Hub */
  y = activate_by_formula (self, name, x);
  if (y == SYM_NO_ID)
    sym_op_lower_refuse (self, "%s: activation “%s” is not known", sym_op_lower_get_type (self),
                         name);
  return y;
}

static const SymValue *
get_entry (const SymValue *dict, const char *key)
{
  for (guint i = 0; i < sym_value_get_n_children (dict); i++)
    if (strcmp (sym_value_get_key (dict, i), key) == 0)
      return sym_value_get_child (dict, i);
  return NULL;
}

/* {'class_name': 'LeakyReLU', 'config': {'alpha': 0.1}}; of a function, the config is its name. */
static SymId
activate_by_layer (SymOpLower *self, const SymValue *dict, SymId x)
{
  const SymValue *type = get_entry (dict, "class_name"), *config = get_entry (dict, "config");
  const char *name = sym_value_as_string (type, NULL);
  const SymOperator *op = name == NULL ? NULL : sym_op_find ("keras", name, 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  if (config != NULL && sym_value_get_string (config) != NULL)
    return sym_op_keras_activate_by (self, sym_value_get_string (config), x);
  if (op == NULL || op->category != SYM_CATEGORY_ACTIVATION)
    {
      sym_op_lower_refuse (self, "%s: activation “%s” is not known", sym_op_lower_get_type (self),
                           name == NULL ? "?" : name);
      return SYM_NO_ID;
    }
  if (config != NULL && sym_value_get_kind (config) == SYM_VALUE_DICT)
    for (guint i = 0; i < sym_value_get_n_children (config); i++)
      sym_attributes_set (attributes, sym_value_get_key (config, i),
                          sym_value_ref ((SymValue *) sym_value_get_child (config, i)), NULL);
  return sym_op_lower_apply (self, op, SYM_IDS (x), attributes);
}

SymId
sym_op_keras_activate (SymOpLower *self, const char *name, SymId x)
{
  const SymValue *value = sym_op_keras_find (sym_op_keras_attributes (self), name);

  if (value == NULL || sym_op_lower_has_failed (self))
    return x;
  if (sym_value_get_string (value) != NULL)
    return sym_op_keras_activate_by (self, sym_value_get_string (value), x);
  if (sym_value_get_kind (value) == SYM_VALUE_DICT)
    return activate_by_layer (self, value, x);
  sym_op_lower_refuse (self, "%s: %s is neither a name nor a layer", sym_op_lower_get_type (self),
                       name);
  return SYM_NO_ID;
}

/* ---- Layers ---- */

static void
lower_activation (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0, sym_op_keras_activate (self, "activation", sym_op_lower_input (self, 0)));
}

static SymId
number (SymOpLower *self, double value)
{
  return sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), value);
}

/* min (x, max_value) where x >= threshold, else negative_slope * (x - threshold); without a
 * threshold and a slope it is one layer of other frameworks as well. */
static void
lower_relu (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  double slope = sym_op_keras_get_float (attributes, "negative_slope", 0);
  double threshold = sym_op_keras_get_float (attributes, "threshold", 0);
  double most = sym_op_keras_get_float (attributes, "max_value", G_MAXDOUBLE);
  SymId x = sym_op_lower_input (self, 0), y = x, below;

  if (threshold == 0 && slope == 0 && most >= 0)
    {
      y = most < G_MAXDOUBLE ? clip (self, x, 0, most) : rectify (self, x);
      sym_op_lower_set_output (self, 0, y);
      return;
    }
  if (most < G_MAXDOUBLE)
    y = sym_op_lower_binary (self, "Min", x, number (self, most));
  below = sym_op_lower_binary (self, "Mul",
                               sym_op_lower_binary (self, "Sub", x, number (self, threshold)),
                               number (self, slope));
  y = sym_op_lower_call (
      self, "Where",
      SYM_IDS (sym_op_lower_binary (self, "GreaterOrEqual", x, number (self, threshold)), y, below),
      NULL);
  sym_op_lower_set_output (self, 0, y);
}

static void
lower_leaky (SymOpLower *self)
{
  double slope = sym_op_keras_get_float (sym_op_keras_attributes (self), "negative_slope", 0.3);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "LeakyRelu",
                                              SYM_IDS (sym_op_lower_input (self, 0)), "alpha",
                                              sym_value_new_float (slope), NULL));
}

static void
lower_elu (SymOpLower *self)
{
  double alpha = sym_op_keras_get_float (sym_op_keras_attributes (self), "alpha", 1.0);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Elu", SYM_IDS (sym_op_lower_input (self, 0)),
                                              "alpha", sym_value_new_float (alpha), NULL));
}

/* x where it is above theta, else 0. */
static void
lower_thresholded (SymOpLower *self)
{
  double theta = sym_op_keras_get_float (sym_op_keras_attributes (self), "theta", 1.0);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "ThresholdedRelu",
                                              SYM_IDS (sym_op_lower_input (self, 0)), "alpha",
                                              sym_value_new_float (theta), NULL));
}

/* exp (x - max) by its sum, along several axes. */
static SymId
softmax_of_several (SymOpLower *self, const gint64 *axes, int n)
{
  SymId x = sym_op_lower_input (self, 0);

  x = sym_op_lower_binary (self, "Sub", x,
                           sym_op_lower_reduce (self, "ReduceMax", x, axes, n, TRUE));
  x = sym_op_lower_unary (self, "Exp", x);
  return sym_op_lower_binary (self, "Div", x,
                              sym_op_lower_reduce (self, "ReduceSum", x, axes, n, TRUE));
}

static void
lower_softmax (SymOpLower *self)
{
  const SymValue *axis = sym_op_keras_find (sym_op_keras_attributes (self), "axis");
  gint64 axes[SYM_MAX_RANK] = { -1 };
  int n = axis == NULL ? 1 : sym_value_get_ints (axis, axes, SYM_MAX_RANK);

  if (n < 1 || n > SYM_MAX_RANK)
    sym_op_lower_fail (self, "Softmax: axis must be a number, or several");
  else if (n > 1)
    sym_op_lower_set_output (self, 0, softmax_of_several (self, axes, n));
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_call (self, "Softmax",
                                                SYM_IDS (sym_op_lower_input (self, 0)), "axis",
                                                sym_value_new_int (axes[0]), NULL));
}

/* alpha has the shape of the data without the batch, and 1 along the shared axes. */
static gboolean
infer_prelu (SymRule *rule, GError **error)
{
  const SymValue *value = sym_op_keras_find (sym_rule_get_attributes (rule), "shared_axes");
  SymShape shape = sym_rule_get_input (rule, 0), alpha;
  gint64 axes[SYM_MAX_RANK];
  int n = value == NULL ? 0 : sym_value_get_ints (value, axes, SYM_MAX_RANK);

  if (!sym_op_keras_same (rule, error) || shape.rank < 1)
    return shape.rank != 0 ||
           sym_rule_fail (error, "a number has no axes that could have a slope each");
  alpha = sym_op_remove_axis (&shape, 0);
  for (int i = 0; i < MIN (n, SYM_MAX_RANK); i++)
    {
      if (axes[i] < 1 || axes[i] >= shape.rank)
        return sym_rule_fail (error, "there is no axis %" G_GINT64_FORMAT " to share", axes[i]);
      alpha.dims[axes[i] - 1] = 1;
    }
  return sym_op_set_input (rule, 1, alpha, error);
}

static void
lower_prelu (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "PRelu", sym_op_lower_input (self, 0),
                           sym_op_lower_cast_from (self, sym_op_lower_input (self, 1),
                                                   sym_op_lower_get_input_dtype (self, 1),
                                                   sym_op_lower_get_input_dtype (self, 0))));
}

static const SymSlotSpec with_alpha[] = {
  { "input" },
  { "alpha", SYM_SLOT_PARAMETER },
  { NULL },
};

#define SLOPE(meaning)                                    \
  {                                                       \
    "negative_slope", SYM_ATTRIBUTE_FLOAT, "0.0", meaning \
  }

static const SymAttributeSpec activation_attributes[] = {
  { "activation", SYM_ATTRIBUTE_ANY, NULL, "the name of a function, or a layer" },
  { NULL },
};

static const SymAttributeSpec relu_attributes[] = {
  { "max_value", SYM_ATTRIBUTE_FLOAT, "None", "the most that comes out" },
  SLOPE ("slope below the threshold"),
  { "threshold", SYM_ATTRIBUTE_FLOAT, "0.0", "where the data passes" },
  { NULL },
};

static const SymAttributeSpec alpha_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, NULL, "slope or scale below zero" },
  { NULL },
};

static const SymAttributeSpec theta_attributes[] = {
  { "theta", SYM_ATTRIBUTE_FLOAT, "1.0", "below it nothing passes" },
  { NULL },
};

static const SymAttributeSpec softmax_attributes[] = {
  { "axis", SYM_ATTRIBUTE_ANY, "-1", "axis that sums to 1" },
  { NULL },
};

static const SymAttributeSpec prelu_attributes[] = {
  { "shared_axes", SYM_ATTRIBUTE_INTS, "None", "axes that share a slope, from 1" },
  { NULL },
};

#define ACTIVATION(name_, summary_, attributes_, lower_)                                  \
  {                                                                                       \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_, \
                  .category = SYM_CATEGORY_ACTIVATION, .attributes = attributes_,         \
                  .slots = sym_op_keras_one, .infer = sym_op_keras_same, .lower = lower_, \
  }

const SymOperator sym_op_keras_activation[] = {
  ACTIVATION ("Activation",
              "A function of each element, by name",
              activation_attributes,
              lower_activation),
  ACTIVATION ("ELU", "Exponential linear unit", alpha_attributes, lower_elu),
  ACTIVATION ("LeakyReLU", "Rectifier that leaks below zero", alpha_attributes, lower_leaky),
  {
      SYM_OP_KERAS,
      .name = "PReLU",
      .summary = "Rectifier with trained slopes below zero",
      .reference = "keras.layers.PReLU",
      .category = SYM_CATEGORY_ACTIVATION,
      .attributes = prelu_attributes,
      .slots = with_alpha,
      .infer = infer_prelu,
      .lower = lower_prelu,
  },
  ACTIVATION ("ReLU", "Rectifier with bound, slope and threshold", relu_attributes, lower_relu),
  ACTIVATION ("Softmax", "Numbers that sum to 1", softmax_attributes, lower_softmax),
  ACTIVATION ("ThresholdedReLU",
              "Passes what is above a threshold",
              theta_attributes,
              lower_thresholded),
  { NULL },
};
