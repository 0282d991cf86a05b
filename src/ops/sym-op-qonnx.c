/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-microsoft.h"

#include <string.h>

/* Quantisation of any width, as QONNX has it: numbers stay floats, but take the values only that so
 * many bits can tell.  Brevitas and FINN wrote the same operators in domains of their own before.
 * Semantics are those of QONNX's pages "IntQuant", "BipolarQuant" and "Trunc", of version 1, and of
 * FINN's MultiThreshold. */

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* Operand @i in the dtype of the data. */
static SymId
get_operand (SymOpLower *self, guint i)
{
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i),
                                 sym_op_lower_get_input_dtype (self, 0));
}

static SymId
make_number (SymOpLower *self, double number)
{
  return sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), number);
}

/* sign (x) f (|x| + shift) */
static SymId
round_outwards (SymOpLower *self, const char *f, SymId x, double shift)
{
  SymId size = sym_op_lower_unary (self, "Abs", x);

  if (shift != 0)
    size = sym_op_lower_binary (self, "Add", size, make_number (self, shift));
  return sym_op_lower_binary (self, "Mul", sym_op_lower_unary (self, "Sign", x),
                              sym_op_lower_unary (self, f, size));
}

static SymId
round_as_told (SymOpLower *self, const char *fallback, SymId x)
{
  const char *mode = sym_op_lower_get_string (self, "rounding_mode", fallback);

  if (g_ascii_strcasecmp (mode, "ROUND") == 0 || g_ascii_strcasecmp (mode, "HALF_EVEN") == 0)
    return sym_op_lower_unary (self, "Round", x);
  if (g_ascii_strcasecmp (mode, "CEIL") == 0)
    return sym_op_lower_unary (self, "Ceil", x);
  if (g_ascii_strcasecmp (mode, "FLOOR") == 0)
    return sym_op_lower_unary (self, "Floor", x);
  if (g_ascii_strcasecmp (mode, "UP") == 0)
    return round_outwards (self, "Ceil", x, 0);
  if (g_ascii_strcasecmp (mode, "DOWN") == 0)
    return round_outwards (self, "Floor", x, 0);
  if (g_ascii_strcasecmp (mode, "HALF_UP") == 0)
    return round_outwards (self, "Floor", x, 0.5);
  if (g_ascii_strcasecmp (mode, "HALF_DOWN") == 0)
    return round_outwards (self, "Ceil", x, -0.5);
  sym_op_lower_refuse (self, "%s: rounding_mode “%s” is not known", sym_op_lower_get_type (self),
                       mode);
  return SYM_NO_ID;
}

/* x / scale + zero point */
static SymId
divide (SymOpLower *self)
{
  return sym_op_lower_binary (
      self, "Add",
      sym_op_lower_binary (self, "Div", sym_op_lower_input (self, 0), get_operand (self, 1)),
      get_operand (self, 2));
}

/* Between the least and the largest integer of so many bits; @narrow leaves out one at the end that
 * has more. */
static SymId
clamp (SymOpLower *self, SymId x, SymId bits, gboolean is_signed, gboolean narrow)
{
  SymId one = make_number (self, 1), two = make_number (self, 2);
  SymId n = is_signed ? sym_op_lower_binary (self, "Sub", bits, one) : bits;
  SymId range = sym_op_lower_binary (self, "Pow", two, n);
  SymId high = sym_op_lower_binary (self, "Sub", range, !is_signed && narrow ? two : one);
  SymId low = make_number (self, 0);

  if (is_signed)
    low = sym_op_lower_binary (self, "Sub", narrow ? one : low, range);
  return sym_op_lower_binary (self, "Min", sym_op_lower_binary (self, "Max", x, low), high);
}

/* One bit with a sign is -1 or 1. */
static SymId
choose_sign (SymOpLower *self, SymId x, SymId bits, SymId otherwise)
{
  SymId one = make_number (self, 1);
  SymId below = sym_op_lower_binary (self, "Less", x, make_number (self, 0));
  SymId sign =
      sym_op_lower_call (self, "Where", SYM_IDS (below, make_number (self, -1), one), NULL);

  return sym_op_lower_call (
      self, "Where", SYM_IDS (sym_op_lower_binary (self, "Equal", bits, one), sign, otherwise),
      NULL);
}

static void
lower_quant (SymOpLower *self)
{
  gboolean is_signed = sym_op_lower_get_int (self, "signed", 1) != 0;
  SymId bits, x, y;

  for (guint i = 0; i < 4; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  bits = get_operand (self, 3);
  x = divide (self);
  y = clamp (self, x, bits, is_signed, sym_op_lower_get_int (self, "narrow", 0) != 0);
  y = round_as_told (self, "ROUND", y);
  if (is_signed)
    y = choose_sign (self, x, bits, y);
  y = sym_op_lower_binary (self, "Sub", y, get_operand (self, 2));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Mul", y, get_operand (self, 1)));
}

/* As many low bits are dropped as the result has fewer. */
static void
lower_trunc (SymOpLower *self)
{
  SymId dropped, step, y;

  for (guint i = 0; i < 5; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  if (sym_op_lower_get_n_inputs (self) > 5)
    {
      sym_op_lower_refuse (self, "Trunc of version 2, which has a scale of its own, does not run");
      return;
    }
  dropped = sym_op_lower_binary (self, "Sub", get_operand (self, 3), get_operand (self, 4));
  step = sym_op_lower_binary (self, "Pow", make_number (self, 2), dropped);
  y = sym_op_lower_unary (self, "Round", divide (self));
  y = round_as_told (self, "FLOOR", sym_op_lower_binary (self, "Div", y, step));
  y = sym_op_lower_binary (self, "Sub", y, get_operand (self, 2));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Mul", y, get_operand (self, 1)));
}

/* How many of its channel's thresholds [channels, n] a number reaches.  With @last channels come
 * last, so that [..., channels, 1] fits; else thresholds become [channels, 1..., n]. */
static SymId
count_reached (SymOpLower *self, const SymShape *data, const SymShape *table, gboolean last)
{
  SymShape wide = sym_op_insert_axis (data, data->rank, 1), rows = *table;
  gint64 axis = data->rank;
  SymId reached;

  for (int i = 2; i < data->rank && !last; i++)
    rows = sym_op_insert_axis (&rows, 1, 1);
  reached = sym_op_lower_binary (self, "GreaterOrEqual",
                                 sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &wide),
                                 sym_op_lower_reshape (self, get_operand (self, 1), &rows));
  return sym_op_lower_reduce (
      self, "ReduceSum", sym_op_lower_cast (self, reached, sym_op_lower_get_input_dtype (self, 0)),
      &axis, 1, FALSE);
}

static void
lower_multi_threshold (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *table = sym_op_lower_get_input_shape (self, 1);
  const char *layout = sym_op_lower_get_string (self, "data_layout", "NCHW");
  SymId y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (data->rank < 2 || data->rank >= SYM_MAX_RANK || table->rank != 2)
    {
      sym_op_lower_refuse (self, "MultiThreshold is for data of 2 axes or more, and a table");
      return;
    }
  y = count_reached (self, data, table, g_str_has_suffix (layout, "C"));
  y = sym_op_lower_binary (self, "Mul", y,
                           make_number (self, sym_op_lower_get_float (self, "out_scale", 1)));
  y = sym_op_lower_binary (self, "Add", y,
                           make_number (self, sym_op_lower_get_float (self, "out_bias", 0)));
  sym_op_lower_set_output (self, 0, y);
}

/* ---- Channels last ---- */

/* [batch, ..., channels] as [batch, channels, ...], or back. */
static SymId
move_channels (SymOpLower *self, SymId x, int rank, gboolean back)
{
  gint64 axes[SYM_MAX_RANK] = { 0 };

  for (int i = 1; i < rank; i++)
    axes[i] = back ? 1 + i % (rank - 1) : 1 + (i + rank - 3) % (rank - 1);
  return sym_op_lower_permute (self, x, axes, rank);
}

/* ONNX's operator of that name between channels at their two places; a kernel has its own last. */
static void
lower_last (SymOpLower *self)
{
  const char *name = sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  guint n = MIN (sym_op_lower_get_n_inputs (self), 5);
  SymId operands[5], y;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (rank < 3)
    {
      sym_op_lower_refuse (self, "%s with channels last is for data of 3 axes or more", name);
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      operands[i] = sym_op_lower_input (self, i);
      if (i == 0 || (i == 1 && g_str_equal (name, "Conv")))
        operands[i] = move_channels (self, operands[i], rank, FALSE);
    }
  y = sym_op_microsoft_apply (self, name, (SymIds){ operands, n });
  sym_op_lower_set_output (self, 0, move_channels (self, y, rank, TRUE));
}

/* ---- Tables ---- */

static const SymSlotSpec quant_slots[] = {
  { "X" }, { "scale" }, { "zeropt" }, { "bitwidth" }, { NULL },
};

static const SymSlotSpec bipolar_slots[] = { { "X" }, { "scale" }, { NULL } };

static const SymSlotSpec trunc_slots[] = {
  { "X" },           { "scale" },        { "zeropt" },
  { "in_bitwidth" }, { "out_bitwidth" }, { "out_scale", .optional = TRUE },
  { NULL },
};

static const SymSlotSpec float_slots[] = {
  { "X" },
  { "scale" },
  { "exponent_bitwidth" },
  { "mantissa_bitwidth" },
  { "exponent_bias" },
  { "max_val", .optional = TRUE },
  { NULL },
};

static const SymSlotSpec threshold_slots[] = { { "X" }, { "thresholds" }, { NULL } };

static const SymSlotSpec conv_slots[] = {
  { "X" },
  { "W" },
  { "B", .optional = TRUE },
  { NULL },
};

static const SymSlotSpec normalized_slots[] = {
  { "X" }, { "scale" }, { "B" }, { "input_mean" }, { "input_var" }, { NULL },
};

static const SymAttributeSpec quant_attributes[] = {
  { "signed", SYM_ATTRIBUTE_INT, "1", "whether integers may be below 0" },
  { "narrow", SYM_ATTRIBUTE_INT, "0", "whether one value at the longer end is left out" },
  { "rounding_mode", SYM_ATTRIBUTE_STRING, "ROUND", "how integers are made" },
  { NULL },
};

static const SymAttributeSpec trunc_attributes[] = {
  { "rounding_mode", SYM_ATTRIBUTE_STRING, "FLOOR", "how integers are made" },
  { NULL },
};

static const SymAttributeSpec float_attributes[] = {
  { "has_inf", SYM_ATTRIBUTE_INT, "0", "whether there are infinities" },
  { "has_nan", SYM_ATTRIBUTE_INT, "0", "whether there is NaN" },
  { "has_subnormal", SYM_ATTRIBUTE_INT, "0", "whether there are numbers below the normal ones" },
  { "rounding_mode", SYM_ATTRIBUTE_STRING, "ROUND", "how mantissas are made" },
  { "saturation", SYM_ATTRIBUTE_INT, "1", "whether what is too large is the largest" },
  { NULL },
};

static const SymAttributeSpec threshold_attributes[] = {
  { "out_dtype", SYM_ATTRIBUTE_STRING, "", "what integers the result stands for" },
  { "out_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the count" },
  { "out_bias", SYM_ATTRIBUTE_FLOAT, "0.0", "added to it" },
  { "data_layout", SYM_ATTRIBUTE_STRING, "NCHW", "where the channels are" },
  { NULL },
};

#define QUANTISER(domain_, name_, summary_)                                          \
  .domain = domain_, .name = name_, .since_version = 1, .reference = "QONNX " name_, \
  .summary = summary_, .category = SYM_CATEGORY_ELEMENTWISE, .infer = infer_same

#define QUANTISERS(domain_)                                                                       \
  { QUANTISER (domain_, "Quant", "numbers that so many bits can tell"), .aliases = "IntQuant",    \
    .slots = quant_slots, .attributes = quant_attributes, .lower = lower_quant },                 \
      { QUANTISER (domain_, "BipolarQuant", "the scale, with the sign of the data"),              \
        .slots = bipolar_slots, .formula = "Where (Less (Div (a, B), 0), Neg (B), B)" },          \
      { QUANTISER (domain_, "Trunc", "the same with fewer bits"), .slots = trunc_slots,           \
        .attributes = trunc_attributes, .lower = lower_trunc },                                   \
      { QUANTISER (domain_, "FloatQuant", "numbers that a small float can tell"),                 \
        .slots = float_slots, .attributes = float_attributes },                                   \
  {                                                                                               \
    QUANTISER (domain_, "MultiThreshold", "how many thresholds of its channel a number reaches"), \
        .slots = threshold_slots, .attributes = threshold_attributes,                             \
        .lower = lower_multi_threshold                                                            \
  }

#define LAST(name_, category_, slots_)                                                    \
  {                                                                                       \
    .domain = "qonnx.custom_op.channels_last", .name = name_, .since_version = 1,         \
    .reference = "QONNX channels_last " name_,                                            \
    .summary = "ONNX's " name_ " of data whose channels come last",                       \
    .category = SYM_CATEGORY_##category_, .slots = slots_, .infer = sym_op_infer_lowered, \
    .lower = lower_last,                                                                  \
  }

const SymOperator sym_op_qonnx[] = {
  LAST ("BatchNormalization", NORMALIZATION, normalized_slots),
  LAST ("Conv", WEIGHTS, conv_slots),
  LAST ("MaxPool", POOLING, sym_op_microsoft_x),
  QUANTISERS ("finn.custom_op.general"),
  QUANTISERS ("onnx.brevitas"),
  QUANTISERS ("qonnx.custom_op.general"),
  { NULL },
};
