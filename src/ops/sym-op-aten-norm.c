/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-aten.h"
#include "ops/sym-op.h"

/* Normalisations.  Further results (means, and what the deviation was divided by) are what
 * gradients would need. */

enum { INPUT, WEIGHT, BIAS, MEAN, VARIANCE };

static SymDim
get_channels (const SymShape *shape)
{
  return shape->rank >= 2 ? shape->dims[1] : SYM_DIM_UNKNOWN;
}

/* ---- batch_norm ---- */

static gboolean
infer_batch_norm (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, INPUT);
  SymDim channels = get_channels (&input);

  if (!sym_op_pass (rule, INPUT, 0, error))
    return FALSE;
  for (guint i = WEIGHT; i <= VARIANCE; i++)
    if (input.rank >= 2 && !sym_op_set_input (rule, i, SYM_SHAPE (channels), error))
      return FALSE;
  for (guint i = 1; i < sym_rule_get_n_outputs (rule) && i < 3; i++)
    {
      gboolean learns =
          sym_rule_get_bool (rule, "training", sym_rule_get_bool (rule, "train", FALSE));

      if (!sym_op_set_output (rule, i, learns ? SYM_SHAPE (channels) : SYM_SHAPE (0),
                              sym_rule_get_input_dtype (rule, INPUT), error))
        return FALSE;
    }
  return TRUE;
}

/* A weight or tracked number of every channel; @fallback where there is none. */
static SymId
get_per_channel (SymOpLower *self, guint i, double fallback)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, INPUT);
  SymId shape;

  if (sym_op_lower_has_input (self, i))
    return sym_op_aten_input_as (self, i, dtype);
  shape = sym_op_lower_slice (self, sym_op_aten_shape (self, sym_op_lower_input (self, INPUT)), 0,
                              1, 2, 1);
  return sym_op_lower_binary (self, "Expand", sym_op_aten_number (self, dtype, fallback), shape);
}

/* A program that learns takes the statistics of the batch itself. */
static SymId
normalize_batch (SymOpLower *self, SymId x)
{
  double eps = sym_op_lower_get_float (self, "eps", 1e-5);
  SymDType dtype = sym_op_lower_get_input_dtype (self, INPUT);
  gint64 axes[SYM_MAX_RANK], sizes[SYM_MAX_RANK];
  int rank = sym_op_lower_get_input_shape (self, INPUT)->rank, k = 0;
  SymId centred, variance, shape;

  for (int i = 0; i < rank; i++)
    {
      sizes[i] = i == 1 ? -1 : 1;
      if (i != 1)
        axes[k++] = i;
    }
  shape = sym_op_lower_ints (self, sizes, rank);
  centred = sym_op_lower_binary (self, "Sub", x,
                                 sym_op_lower_reduce (self, "ReduceMean", x, axes, k, TRUE));
  variance = sym_op_lower_reduce (
      self, "ReduceMean", sym_op_lower_binary (self, "Mul", centred, centred), axes, k, TRUE);
  variance = sym_op_lower_binary (self, "Add", variance, sym_op_aten_number (self, dtype, eps));
  x = sym_op_lower_binary (self, "Div", centred, sym_op_lower_unary (self, "Sqrt", variance));
  x = sym_op_lower_binary (
      self, "Mul", x,
      sym_op_lower_binary (self, "Reshape", get_per_channel (self, WEIGHT, 1), shape));
  return sym_op_lower_binary (
      self, "Add", x,
      sym_op_lower_binary (self, "Reshape", get_per_channel (self, BIAS, 0), shape));
}

/* Results of no elements: what a program that does not learn has in place of statistics. */
static void
set_empty (SymOpLower *self)
{
  gint64 zero = 0;

  for (guint i = 1; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (
        self, i,
        sym_op_lower_binary (
            self, "Expand",
            sym_op_aten_number (self, sym_op_lower_get_input_dtype (self, INPUT), 0),
            sym_op_lower_ints (self, &zero, 1)));
}

static void
lower_batch_norm (SymOpLower *self)
{
  gboolean learns =
      sym_op_lower_get_bool (self, "training", sym_op_lower_get_bool (self, "train", FALSE)) ||
      !sym_op_lower_has_input (self, MEAN) || !sym_op_lower_has_input (self, VARIANCE);
  SymId x = sym_op_lower_input (self, INPUT);

  if (!sym_op_lower_need_tensor (self, INPUT))
    return;
  if (sym_op_lower_get_input_shape (self, INPUT)->rank < 2)
    {
      sym_op_lower_fail (self, "%s: the data have no channels", sym_op_lower_get_type (self));
      return;
    }
  if (learns && sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_refuse (self, "%s: statistics of the batch are not lowered",
                         sym_op_lower_get_type (self));
  sym_op_lower_set_output (
      self, 0,
      learns
          ? normalize_batch (self, x)
          : sym_op_lower_call (
                self, "BatchNormalization",
                SYM_IDS (x, get_per_channel (self, WEIGHT, 1), get_per_channel (self, BIAS, 0),
                         get_per_channel (self, MEAN, 0), get_per_channel (self, VARIANCE, 1)),
                "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL));
  set_empty (self);
}

/* ---- layer_norm, rms_norm ---- */

/* The first axis that is normalised. */
static gboolean
get_first_axis (SymOpLower *self, int *axis)
{
  const SymValue *list = sym_attributes_find (sym_op_aten_attributes (self), "normalized_shape");
  int n = list == NULL ? 0 : (int) sym_value_get_n_children (list);
  int rank = sym_op_lower_get_input_shape (self, INPUT)->rank;

  *axis = rank - n;
  if (!sym_op_lower_need_tensor (self, INPUT))
    return FALSE;
  if (n >= 1 && n <= rank)
    return TRUE;
  sym_op_lower_fail (self, "%s: %d axes of %d cannot be normalised", sym_op_lower_get_type (self),
                     n, rank);
  return FALSE;
}

/* A weight of 1 in the shape of the axes that are normalised. */
static SymId
get_weight (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, INPUT);

  if (sym_op_lower_has_input (self, WEIGHT))
    return sym_op_aten_input_as (self, WEIGHT, dtype);
  return sym_op_lower_binary (self, "Expand", sym_op_aten_number (self, dtype, 1),
                              sym_op_aten_sizes (self, "normalized_shape", 0));
}

static void
lower_layer_norm (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, INPUT);
  SymId y;
  int axis;

  if (!get_first_axis (self, &axis))
    return;
  y = sym_op_lower_call (self, "LayerNormalization",
                         SYM_IDS (sym_op_lower_input (self, INPUT), get_weight (self),
                                  sym_op_aten_input_as (self, BIAS, dtype)),
                         "axis", sym_value_new_int (axis), "epsilon",
                         sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL);
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (self, i, sym_op_lower_get_result (self, y, i));
}

static void
lower_rms_norm (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, INPUT);
  double eps = sym_op_lower_get_float (self, "eps", 0x1p-23);
  gint64 axes[SYM_MAX_RANK];
  int axis, n = 0, rank = sym_op_lower_get_input_shape (self, INPUT)->rank;
  SymId x = sym_op_lower_input (self, INPUT), mean;

  if (!get_first_axis (self, &axis))
    return;
  for (int i = axis; i < rank; i++)
    axes[n++] = i;
  mean = sym_op_lower_reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", x, x), axes, n,
                              TRUE);
  mean = sym_op_lower_binary (self, "Add", mean, sym_op_aten_number (self, dtype, eps));
  x = sym_op_lower_binary (self, "Div", x, sym_op_lower_unary (self, "Sqrt", mean));
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Mul", x, get_weight (self)));
}

/* ---- group_norm, instance_norm ---- */

static SymId
normalize_groups (SymOpLower *self, gint64 groups)
{
  return sym_op_lower_call (self, "GroupNormalization",
                            SYM_IDS (sym_op_lower_input (self, INPUT),
                                     get_per_channel (self, WEIGHT, 1),
                                     get_per_channel (self, BIAS, 0)),
                            "num_groups", sym_value_new_int (groups), "epsilon",
                            sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL);
}

/* native_group_norm: mean and reciprocal deviation of [batch, groups] besides. */
static void
lower_group_norm (SymOpLower *self)
{
  gint64 groups =
      sym_op_lower_get_int (self, "num_groups", sym_op_lower_get_int (self, "group", 0));

  if (!sym_op_lower_need_tensor (self, INPUT))
    return;
  if (groups < 1 || sym_op_lower_get_input_shape (self, INPUT)->rank < 2)
    {
      sym_op_lower_fail (self, "%s: there must be groups of channels",
                         sym_op_lower_get_type (self));
      return;
    }
  sym_op_lower_set_output (self, 0, normalize_groups (self, groups));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_refuse (self, "%s: statistics of the groups are not lowered",
                         sym_op_lower_get_type (self));
}

static void
lower_instance_norm (SymOpLower *self)
{
  gboolean of_instance = sym_op_lower_get_bool (self, "use_input_stats", TRUE);

  if (!sym_op_lower_need_tensor (self, INPUT))
    return;
  if (!of_instance)
    {
      lower_batch_norm (self);
      return;
    }
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "InstanceNormalization",
          SYM_IDS (sym_op_lower_input (self, INPUT), get_per_channel (self, WEIGHT, 1),
                   get_per_channel (self, BIAS, 0)),
          "epsilon", sym_value_new_float (sym_op_lower_get_float (self, "eps", 1e-5)), NULL));
}

/* weight_norm: a direction v and a length g of all axes but "dim". */
static void
lower_weight_norm (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis, n = 0;
  gint64 axes[SYM_MAX_RANK];
  SymId v = sym_op_lower_input (self, 0), length;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_aten_get_axis (self, "dim", 0, rank, &axis))
    return;
  for (int i = 0; i < rank; i++)
    if (i != axis)
      axes[n++] = i;
  length = sym_op_lower_reduce (self, "ReduceL2", v, axes, n, TRUE);
  v = sym_op_lower_binary (self, "Mul", v,
                           sym_op_lower_binary (self, "Div", sym_op_lower_input (self, 1), length));
  sym_op_lower_set_output (self, 0, v);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, length);
}

static const SymSlotSpec batch_slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER, TRUE },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { "running_mean", SYM_SLOT_AUXILIARY, TRUE },
  { "running_var", SYM_SLOT_AUXILIARY, TRUE },
  { NULL },
};

static const SymSlotSpec layer_slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER, TRUE },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec weight_slots[] = {
  { "v", SYM_SLOT_PARAMETER },
  { "g", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymAttributeSpec batch_attributes[] = {
  { "training", SYM_ATTRIBUTE_BOOL, "False", "whether the program was exported for training" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.1", "how fast what is tracked follows" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { NULL },
};

static const SymAttributeSpec layer_attributes[] = {
  { "normalized_shape", SYM_ATTRIBUTE_ANY, NULL, "sizes of the last axes, which are normalised" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { NULL },
};

static const SymAttributeSpec group_attributes[] = {
  { "num_groups", SYM_ATTRIBUTE_INT, NULL, "groups of channels" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { NULL },
};

static const SymAttributeSpec instance_attributes[] = {
  { "use_input_stats", SYM_ATTRIBUTE_BOOL, "True", "whether the data's own statistics count" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" },
  { NULL },
};

static const SymAttributeSpec weight_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "0", "the axis that has lengths" },
  { NULL },
};

#define NORM(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                    \
  {                                                                                             \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,               \
                 .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_NORMALIZATION, \
                 .attributes = attributes_, .slots = slots_,                                    \
                 .get_n_outputs = sym_op_aten_any_outputs, .infer = infer_, .lower = lower_,    \
  }

const SymOperator sym_op_aten_norm[] = {
  NORM ("batch_norm",
        "aten._native_batch_norm_legit_no_training aten._native_batch_norm_legit "
        "aten._native_batch_norm_legit.no_stats aten.native_batch_norm aten.cudnn_batch_norm "
        "aten._batch_norm_with_update aten._batch_norm_no_update",
        "Normalises each channel",
        batch_attributes,
        batch_slots,
        infer_batch_norm,
        lower_batch_norm),
  NORM ("layer_norm",
        "aten.native_layer_norm",
        "Normalises the last axes",
        layer_attributes,
        layer_slots,
        sym_op_infer_lowered,
        lower_layer_norm),
  NORM ("rms_norm",
        "aten._fused_rms_norm",
        "Divides by the root of the mean square",
        layer_attributes,
        layer_slots,
        sym_op_infer_lowered,
        lower_rms_norm),
  NORM ("group_norm",
        "aten.native_group_norm",
        "Normalises groups of channels",
        group_attributes,
        layer_slots,
        sym_op_infer_lowered,
        lower_group_norm),
  NORM ("instance_norm",
        NULL,
        "Normalises each channel of each picture",
        instance_attributes,
        batch_slots,
        sym_op_infer_lowered,
        lower_instance_norm),
  NORM ("_weight_norm",
        "aten._weight_norm_interface",
        "Weights of given lengths",
        weight_attributes,
        weight_slots,
        sym_op_infer_lowered,
        lower_weight_norm),
  { NULL },
};
