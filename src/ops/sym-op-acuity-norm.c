/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Acuity's normalisations.  Images have their channels last; other data has them where `axis` or
 * `axis_list` says. */

/* ---- Which axes ---- */

/* Those over which means are taken; the last one without any. */
typedef struct {
  gboolean is_reduced[SYM_MAX_RANK];
  int n;
  int channels; /* the axis of scale and bias; -1 where it is not one alone */
} Axes;

static gboolean
add_axis (Axes *self, gint64 axis, int rank)
{
  if (axis < -rank || axis >= rank)
    return FALSE;
  axis += axis < 0 ? rank : 0;
  self->n += !self->is_reduced[axis];
  self->is_reduced[axis] = TRUE;
  return TRUE;
}

/* Of what is no batch, the one axis that is reduced, or that is not. */
static int
find_channels (const Axes *self, int rank, gboolean is_reduced)
{
  int found = -1;

  for (int i = is_reduced ? 0 : 1; i < rank; i++)
    if (self->is_reduced[i] == is_reduced)
      {
        if (found >= 0)
          return -1;
        found = i;
      }
  return found;
}

/* "instancenormalize" has them among its places, all between batch and channels by default; the
 * others are along their channels.  FALSE for axes that there are none of. */
static gboolean
read_axes (const SymAttributes *attributes, const char *type, int rank, Axes *self)
{
  gboolean is_instance = g_str_equal (type, "instancenormalize");
  gint64 given[SYM_MAX_RANK];
  int n = sym_attributes_get_ints (attributes, "axis_list", given, SYM_MAX_RANK);

  *self = (Axes){ .channels = -1 };
  if (n < 1)
    n = sym_attributes_get_ints (attributes, "axis", given, SYM_MAX_RANK);
  for (int i = 1; n < 1 && is_instance && i < rank - 1; i++)
    add_axis (self, i, rank);
  if (n < 1 && !is_instance)
    add_axis (self, rank - 1, rank);
  for (int i = 0; i < n; i++)
    if (n > SYM_MAX_RANK || !add_axis (self, given[i], rank))
      return FALSE;
  self->channels = find_channels (self, rank, !is_instance);
  return TRUE;
}

/* ---- Rules ---- */

/* Numbers for each channel, which are the last axis. */
static gboolean
infer_channels (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  for (guint i = 1; data.rank >= 2 && i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (data.dims[data.rank - 1]), error))
      return FALSE;
  return sym_op_pass (rule, 0, 0, error);
}

static gboolean
infer_norm (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  Axes axes;

  if (!sym_op_pass (rule, 0, 0, error) || data.rank < 1)
    return sym_op_pass (rule, 0, 0, error);
  if (!read_axes (sym_rule_get_attributes (rule), sym_rule_get_type (rule), data.rank, &axes))
    return sym_rule_fail (error, "the data has %d axes, and not those that means are taken over",
                          data.rank);
  for (guint i = 1; axes.channels >= 0 && i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (data.dims[axes.channels]), error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* Mean and variance are numbers beside the file, or operands of any shape that broadcasts. */
static gboolean
infer_batchnorm_single (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);

  for (guint i = 1; i < n; i++)
    if (sym_rule_get_input (rule, i).rank < 0)
      return infer_channels (rule, error);
  return sym_op_broadcast_shapes (rule, 0, n - 1, error) && sym_op_pass_dtype (rule, 0, 0, error);
}

static gboolean
infer_sum (SymRule *rule, GError **error)
{
  return sym_op_broadcast_shapes (rule, 0, sym_rule_get_n_inputs (rule) - 1, error) &&
         sym_op_pass_dtype (rule, 0, 0, error);
}

/* ---- Lowering ---- */

static SymId
divide_by_root (SymOpLower *self, SymId x, SymId square, double fallback)
{
  double eps = sym_op_lower_get_float (self, "eps", fallback);
  SymId sum = sym_op_lower_binary (
      self, "Add", square, sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), eps));

  return sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", sum));
}

/* Numbers for each place of an axis, to go with data of @rank. */
static SymId
spread (SymOpLower *self, guint i, int axis, int rank)
{
  gint64 sizes[SYM_MAX_RANK] = { -1 };

  if (axis == rank - 1)
    return sym_op_lower_input (self, i);
  for (int k = 1; k < rank - axis; k++)
    sizes[k] = 1;
  return sym_op_foreign_reshape (self, sym_op_lower_input (self, i), sizes, rank - axis, FALSE);
}

/* (x - mean) / sqrt (variance + eps) * gamma + beta */
static void
lower_batch_norm (SymOpLower *self)
{
  SymId x;

  for (guint i = 0; i < 5; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  x = sym_op_lower_binary (self, "Sub", sym_op_lower_input (self, 0), sym_op_lower_input (self, 1));
  x = divide_by_root (self, x, sym_op_lower_input (self, 2), 1e-4);
  x = sym_op_lower_binary (self, "Mul", x, sym_op_lower_input (self, 4));
  sym_op_engine_set (self, sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, 3)));
}

/* bias and scale, or scale alone. */
static SymId
scale (SymOpLower *self, SymId x, int axis, int rank)
{
  guint n = sym_op_lower_get_n_inputs (self);

  if (n < 2)
    return x;
  if (axis < 0)
    {
      sym_op_lower_refuse (self, "%s: scales along several axes are not lowered",
                           sym_op_lower_get_type (self));
      return x;
    }
  x = sym_op_lower_binary (self, "Mul", x, spread (self, n - 1, axis, rank));
  return n == 2 ? x : sym_op_lower_binary (self, "Add", x, spread (self, 1, axis, rank));
}

static int
list_axes (const Axes *axes, int rank, gint64 *list)
{
  int n = 0;

  for (int i = 0; i < rank; i++)
    if (axes->is_reduced[i])
      list[n++] = i;
  return n;
}

static void
lower_norm (SymOpLower *self)
{
  gboolean is_rms = g_str_equal (sym_op_lower_get_type (self), "rmsnormalize");
  int rank = sym_op_foreign_rank (self, 0), n;
  SymId x = sym_op_lower_input (self, 0), square;
  gint64 list[SYM_MAX_RANK];
  Axes axes;

  if (!read_axes (sym_layer_get_attributes (sym_op_lower_get_layer (self)),
                  sym_op_lower_get_type (self), rank, &axes))
    sym_op_lower_fail (self, "%s: the data has other axes", sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self))
    return;
  n = list_axes (&axes, rank, list);
  if (!is_rms)
    x = sym_op_lower_binary (self, "Sub", x,
                             sym_op_lower_reduce (self, "ReduceMean", x, list, n, TRUE));
  square = sym_op_lower_reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", x, x), list,
                                n, TRUE);
  x = divide_by_root (self, x, square, 1e-4);
  sym_op_engine_set (self, scale (self, x, axes.channels, rank));
}

/* Vectors of length 1 along one axis, the last one by default, which older files have as a text. */
static void
lower_length (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  int rank = sym_op_foreign_rank (self, 0), axis;
  SymId x = sym_op_lower_input (self, 0), square;
  gint64 list[SYM_MAX_RANK] = { -1 };
  int n = sym_op_engine_numbers (self, "l2n_dim", list, SYM_MAX_RANK);

  if (n > 1)
    sym_op_lower_refuse (self, "%s: several axes are not lowered", sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self) || !sym_op_lower_find_axis (self, list[0], rank, &axis))
    return;
  list[0] = axis;
  square = sym_op_lower_reduce (self, "ReduceSumSquare", x, list, 1, TRUE);
  square = sym_op_lower_binary (
      self, "Max", square,
      sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "eps", 1e-12)));
  x = sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", square));
  sym_op_engine_set (self, scale (self, x, rank - 1, rank));
}

/* Caffe's, which divides alpha by the number of channels, as ONNX's does. */
static void
lower_local (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  SymId x;

  if (!g_str_equal (sym_op_lower_get_string (self, "type", "NORM_ACROSS_CHANNELS"),
                    "NORM_ACROSS_CHANNELS"))
    sym_op_lower_refuse (self, "%s: within a channel it is not lowered",
                         sym_op_lower_get_type (self));
  if (sym_op_lower_has_failed (self))
    return;
  x = sym_op_foreign_channels_first (self, sym_op_lower_input (self, 0), rank);
  x = sym_op_lower_call (self, "LRN", SYM_IDS (x), "size",
                         sym_value_new_int (sym_op_lower_get_int (self, "local_size", 1)), "alpha",
                         sym_value_new_float (sym_op_lower_get_float (self, "alpha", 1e-4)), "beta",
                         sym_value_new_float (sym_op_lower_get_float (self, "beta", 0.75)), "bias",
                         sym_value_new_float (sym_op_lower_get_float (self, "bias", 2)), NULL);
  sym_op_engine_set (self, sym_op_foreign_channels_last (self, x, rank));
}

/* Nothing is dropped where nothing is trained. */
static void
lower_nothing (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
}

/* ---- Table ---- */

static const SymSlotSpec batch_slots[] = {
  { "input" },
  { "mean", SYM_SLOT_PARAMETER },
  { "variance", SYM_SLOT_PARAMETER },
  { "beta", SYM_SLOT_PARAMETER },
  { "gamma", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymSlotSpec scaled_slots[] = {
  { "input" },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { "scale", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec scale_slots[] = {
  { "input" },
  { "scale", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec slope_slots[] = {
  { "input" },
  { "alpha", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymSlotSpec sum_slots[] = { { "a" }, { "b" }, { "c" }, { NULL } };

static const SymAttributeSpec attributes[] = {
  { "eps", SYM_ATTRIBUTE_FLOAT, "0.0001", "added to what a root is taken of" },
  { "axis_list", SYM_ATTRIBUTE_INTS, "None", "axes that means are taken over" },
  { "axis", SYM_ATTRIBUTE_INTS, "None", "the same of instances and roots" },
  { NULL },
};

static const SymAttributeSpec length_attributes[] = {
  { "l2n_dim", SYM_ATTRIBUTE_ANY, "-1", "the axis of vectors" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-12", "the least square of a length" },
  { NULL },
};

static const SymAttributeSpec local_attributes[] = {
  { "local_size", SYM_ATTRIBUTE_INT, "1", "how many channels are summed" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "0.0001", "what their mean is multiplied by" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "0.75", "the exponent" },
  { "bias", SYM_ATTRIBUTE_FLOAT, "2.0", "added before the power" },
  { "type", SYM_ATTRIBUTE_STRING, "NORM_ACROSS_CHANNELS", "or NORM_SAME_CHANNEL" },
  { NULL },
};

#define NORM(name_, aliases_, summary_, slots_, attributes_, infer_, lower_)                   \
  SYM_OP_ENGINE_RULED ("acuity", "Acuity 6", name_, aliases_, summary_, NORMALIZATION, slots_, \
                       attributes_, infer_, lower_)
#define RULE(name_, aliases_, summary_, slots_, infer_)                                        \
  {                                                                                            \
    SYM_OP_FOREIGN ("acuity", name_, aliases_, summary_, NORMALIZATION),                       \
        .reference = "Acuity 6 " name_, .slots = slots_, .get_n_operands = sym_op_foreign_any, \
        .infer = infer_                                                                        \
  }
#define FORMULA(name_, summary_, slots_, infer_, formula_)                                    \
  {                                                                                           \
    SYM_OP_FOREIGN ("acuity", name_, NULL, summary_, NORMALIZATION),                          \
        .reference = "Acuity 6 " name_, .slots = slots_, .infer = infer_, .formula = formula_ \
  }

const SymOperator sym_op_acuity_norm[] = {
  NORM ("batchnormalize",
        NULL,
        "Each channel by its mean and variance",
        batch_slots,
        attributes,
        infer_channels,
        lower_batch_norm),
  FORMULA ("prelu", "Negative ones times a slope", slope_slots, infer_channels, "PRelu (a, b)"),
  FORMULA ("a_times_b_plus_c", "A product and a sum", sum_slots, infer_sum, "Add (Mul (a, b), c)"),
  RULE ("batchnorm_single",
        NULL,
        "Each element by its mean and variance",
        sym_op_foreign_many,
        infer_batchnorm_single),
  NORM ("layernormalize",
        "instancenormalize",
        "By mean and variance over some axes",
        scaled_slots,
        attributes,
        infer_norm,
        lower_norm),
  NORM ("rmsnormalize",
        NULL,
        "By the mean square over some axes",
        scale_slots,
        attributes,
        infer_norm,
        lower_norm),
  NORM ("l2normalize",
        NULL,
        "Vectors of length 1",
        sym_op_foreign_one,
        length_attributes,
        infer_same,
        lower_length),
  NORM ("l2normalizescale",
        NULL,
        "Vectors of length 1 times a scale",
        scale_slots,
        length_attributes,
        infer_channels,
        lower_length),
  NORM ("localresponsenormalization",
        "LocalResponseNormalization",
        "By the squares of channels nearby",
        sym_op_foreign_one,
        local_attributes,
        infer_same,
        lower_local),
  NORM ("dropout",
        "dropout2 alpha_dropout",
        "The data as it is",
        sym_op_foreign_one,
        NULL,
        infer_same,
        lower_nothing),
  RULE ("groupnormalize",
        "l1_layernormalize LocalResponseNormalization_tf localresponsenormalization_tf "
        "norm_with_channel_mean norm_with_min_max norm_with_scale",
        "Numbers of the shape of the data",
        sym_op_foreign_one,
        infer_same),
  { NULL },
};
