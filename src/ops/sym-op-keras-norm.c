/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

/* One axis, which some versions write as a list of one. */
static gboolean
get_axes (const SymAttributes *attributes, int rank, gboolean *axes, int *n, GError **error)
{
  const SymValue *value = sym_op_keras_find (attributes, "axis");
  gint64 given[SYM_MAX_RANK] = { -1 };

  *n = value == NULL ? 1 : sym_value_get_ints (value, given, SYM_MAX_RANK);
  if (*n < 1 || *n > rank)
    return sym_rule_fail (error, "axis does not fit data of %d axes", rank);
  memset (axes, 0, SYM_MAX_RANK * sizeof *axes);
  for (int i = 0; i < *n; i++)
    {
      int axis;

      if (!sym_op_normalize_axis (given[i], rank, &axis, error))
        return FALSE;
      axes[axis] = TRUE;
    }
  return TRUE;
}

/* The sizes of the marked axes. */
static SymShape
pick (const SymShape *shape, const gboolean *axes)
{
  SymShape picked = { 0 };

  for (int i = 0; i < shape->rank; i++)
    if (axes[i])
      picked.dims[picked.rank++] = shape->dims[i];
  return picked;
}

static gboolean
infer_norm (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_pass_shape (rule, 0, 0, error) ||
      !sym_rule_set_output_dtype (rule, 0, sym_op_keras_get_dtype (sym_rule_get_attributes (rule)),
                                  error))
    return FALSE;
  if (shape.rank < 0)
    return TRUE;
  if (!get_axes (sym_rule_get_attributes (rule), shape.rank, axes, &n, error))
    return FALSE;
  for (guint i = 1; i < sym_rule_get_n_inputs (rule); i++)
    if (!sym_op_set_input (rule, i, pick (&shape, axes), error))
      return FALSE;
  return TRUE;
}

/* ---- In ONNX's layers ---- */

typedef struct {
  SymOpLower *lower;
  SymDType dtype;
  SymShape shape;  /* of the data */
  SymShape spread; /* of weights that are to broadcast: sizes of the marked axes, else 1 */
  gint64 others[SYM_MAX_RANK];
  gint64 marked[SYM_MAX_RANK];
  int n_others, n_marked;
  double epsilon;
} Norm;

static gboolean
read_norm (SymOpLower *lower, Norm *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (lower);
  gboolean axes[SYM_MAX_RANK];
  g_autoptr (GError) error = NULL;
  int n;

  memset (self, 0, sizeof *self);
  self->lower = lower;
  self->dtype = sym_op_keras_get_dtype (attributes);
  self->shape = self->spread = *sym_op_lower_get_input_shape (lower, 0);
  self->epsilon = sym_op_keras_get_float (attributes, "epsilon", 1e-3);
  if (self->shape.rank < 0 || !get_axes (attributes, self->shape.rank, axes, &n, &error))
    {
      sym_op_lower_fail (lower, "%s", error == NULL ? "the data is no tensor" : error->message);
      return FALSE;
    }
  for (int i = 0; i < self->shape.rank; i++)
    if (axes[i])
      self->marked[self->n_marked++] = i;
    else
      {
        self->others[self->n_others++] = i;
        self->spread.dims[i] = 1;
      }
  return TRUE;
}

/* Operand @i so that it broadcasts with the data; NO_ID when it is not there. */
static SymId
spread (const Norm *self, guint i)
{
  SymId weight = sym_op_keras_input (self->lower, i);

  return weight == SYM_NO_ID ? weight : sym_op_lower_reshape (self->lower, weight, &self->spread);
}

/* (x - mean) / sqrt (variance + epsilon) * gamma + beta, of those that are there. */
static SymId
normalise (const Norm *self, SymId x, SymId mean, SymId variance, SymId gamma, SymId beta)
{
  SymOpLower *lower = self->lower;
  SymId root = sym_op_lower_unary (
      lower, "Sqrt",
      sym_op_lower_binary (lower, "Add", variance,
                           sym_op_lower_number (lower, self->dtype, self->epsilon)));

  if (mean != SYM_NO_ID)
    x = sym_op_lower_binary (lower, "Sub", x, mean);
  x = sym_op_lower_binary (lower, "Div", x, root);
  if (gamma != SYM_NO_ID)
    x = sym_op_lower_binary (lower, "Mul", x, gamma);
  return beta == SYM_NO_ID ? x : sym_op_lower_binary (lower, "Add", x, beta);
}

static SymId
fill (const Norm *self, SymId given, gint64 n, double number)
{
  return given != SYM_NO_ID ? given
                            : sym_op_lower_fill (self->lower, self->dtype, &SYM_SHAPE (n), number);
}

/* ONNX's wants the channels second. */
static SymId
call_batch_norm (const Norm *self, SymId x)
{
  SymOpLower *lower = self->lower;
  int channels = (int) self->marked[0], last = self->shape.rank - 1;
  gint64 n = self->shape.dims[channels];

  if (channels != 1)
    x = sym_op_keras_channels_first (lower, x, last - 1);
  x = sym_op_lower_call (lower, "BatchNormalization",
                         SYM_IDS (x, fill (self, sym_op_keras_input (lower, 1), n, 1),
                                  fill (self, sym_op_keras_input (lower, 2), n, 0),
                                  sym_op_keras_input (lower, 3), sym_op_keras_input (lower, 4)),
                         "epsilon", sym_value_new_float (self->epsilon), NULL);
  return channels != 1 ? sym_op_keras_channels_last (lower, x, last - 1) : x;
}

static void
lower_batch_norm (SymOpLower *lower)
{
  Norm self;
  SymId x = sym_op_keras_input (lower, 0);

  if (!read_norm (lower, &self))
    return;
  if (self.n_marked == 1 && self.shape.rank >= 2 && self.shape.rank <= 5 &&
      (self.marked[0] == 1 || self.marked[0] == self.shape.rank - 1))
    sym_op_lower_set_output (lower, 0, call_batch_norm (&self, x));
  else
    sym_op_lower_set_output (lower, 0,
                             normalise (&self, x, spread (&self, 3), spread (&self, 4),
                                        spread (&self, 1), spread (&self, 2)));
}

static SymId
mean_of (const Norm *self, SymId x)
{
  return sym_op_lower_reduce (self->lower, "ReduceMean", x, self->marked, self->n_marked, TRUE);
}

/* With `rms_scaling` the mean is taken off for the variance only. */
static void
lower_layer_norm (SymOpLower *lower)
{
  SymId x = sym_op_keras_input (lower, 0), mean, centred;
  gboolean is_scaled =
      sym_op_keras_get_bool (sym_op_keras_attributes (lower), "rms_scaling", FALSE);
  Norm self;

  if (!read_norm (lower, &self))
    return;
  mean = mean_of (&self, x);
  centred = sym_op_lower_binary (lower, "Sub", x, mean);
  sym_op_lower_set_output (
      lower, 0,
      normalise (&self, is_scaled ? x : centred, SYM_NO_ID,
                 mean_of (&self, sym_op_lower_binary (lower, "Mul", centred, centred)),
                 spread (&self, 1), spread (&self, 2)));
}

static void
lower_rms_norm (SymOpLower *lower)
{
  SymId x = sym_op_keras_input (lower, 0);
  Norm self;

  if (!read_norm (lower, &self))
    return;
  self.epsilon = sym_op_keras_get_float (sym_op_keras_attributes (lower), "epsilon", 1e-6);
  sym_op_lower_set_output (lower, 0,
                           normalise (&self, x, SYM_NO_ID,
                                      mean_of (&self, sym_op_lower_binary (lower, "Mul", x, x)),
                                      spread (&self, 1), SYM_NO_ID));
}

/* x / sqrt (max (sum of x * x, 1e-12)) */
static void
lower_unit_norm (SymOpLower *lower)
{
  SymId x = sym_op_keras_input (lower, 0), sum;
  Norm self;

  if (!read_norm (lower, &self))
    return;
  sum = sym_op_lower_reduce (lower, "ReduceSum", sym_op_lower_binary (lower, "Mul", x, x),
                             self.marked, self.n_marked, TRUE);
  sum = sym_op_lower_binary (lower, "Max", sum, sym_op_lower_number (lower, self.dtype, 1e-12));
  sym_op_lower_set_output (
      lower, 0, sym_op_lower_binary (lower, "Div", x, sym_op_lower_unary (lower, "Sqrt", sum)));
}

/* Groups of channels, each normalised with all that it holds: [batch, ..., groups, channels /
 * groups] of channels last. */
static void
lower_group_norm (SymOpLower *lower)
{
  const SymAttributes *attributes = sym_op_keras_attributes (lower);
  gint64 groups = sym_op_keras_get_int (attributes, "groups", 32), axes[SYM_MAX_RANK], channels;
  SymId x = sym_op_keras_input (lower, 0), mean, variance;
  SymShape parts = { 0 };
  int n = 0, axis;
  Norm self;

  if (!read_norm (lower, &self))
    return;
  axis = (int) self.marked[0];
  channels = self.shape.dims[axis];
  groups = groups == -1 ? channels : groups;
  if (self.n_marked != 1 || axis == 0 || groups < 1 || channels % groups != 0 ||
      self.shape.rank >= SYM_MAX_RANK)
    {
      sym_op_lower_fail (lower,
                         "%" G_GINT64_FORMAT " channels do not form %" G_GINT64_FORMAT " groups",
                         channels, groups);
      return;
    }
  for (int i = 0; i < self.shape.rank; i++)
    {
      if (i > 0)
        axes[n++] = i < axis ? i : i + 1;
      parts.dims[parts.rank++] = i == axis ? groups : self.shape.dims[i];
      if (i == axis)
        parts.dims[parts.rank++] = channels / groups;
    }
  x = sym_op_lower_reshape (lower, x, &parts);
  mean = sym_op_lower_reduce (lower, "ReduceMean", x, axes, n, TRUE);
  x = sym_op_lower_binary (lower, "Sub", x, mean);
  variance = sym_op_lower_reduce (lower, "ReduceMean", sym_op_lower_binary (lower, "Mul", x, x),
                                  axes, n, TRUE);
  x = normalise (&self, x, SYM_NO_ID, variance, SYM_NO_ID, SYM_NO_ID);
  x = sym_op_lower_reshape (lower, x, &self.shape);
  if (sym_op_lower_has_input (lower, 1))
    x = sym_op_lower_binary (lower, "Mul", x, spread (&self, 1));
  if (sym_op_lower_has_input (lower, 2))
    x = sym_op_lower_binary (lower, "Add", x, spread (&self, 2));
  sym_op_lower_set_output (lower, 0, x);
}

const SymSlotSpec sym_op_keras_normalized[] = {
  { "input" },
  { "gamma", SYM_SLOT_PARAMETER, TRUE },
  { "beta", SYM_SLOT_PARAMETER, TRUE },
  { "moving_mean", SYM_SLOT_AUXILIARY },
  { "moving_variance", SYM_SLOT_AUXILIARY },
  { NULL },
};

static const SymSlotSpec layer_slots[] = {
  { "input" },
  { "gamma", SYM_SLOT_PARAMETER, TRUE },
  { "beta", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec scale_slots[] = {
  { "input" },
  { "scale", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "-1", "axes that the weights lie along" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "0.001", "added to the variance" },
  { "center", SYM_ATTRIBUTE_BOOL, "True", "whether beta is added" },
  { "scale", SYM_ATTRIBUTE_BOOL, "True", "whether it is multiplied by gamma" },
  { "groups", SYM_ATTRIBUTE_INT, "32", "groups of channels of a group normalization" },
  { "rms_scaling", SYM_ATTRIBUTE_BOOL, "False", "whether samples are divided, and not centred" },
  { NULL },
};

#define NORM(name_, summary_, slots_, lower_)                                             \
  {                                                                                       \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_, \
                  .category = SYM_CATEGORY_NORMALIZATION, .attributes = attributes,       \
                  .slots = slots_, .infer = infer_norm, .lower = lower_,                  \
  }

const SymOperator sym_op_keras_norm[] = {
  NORM ("BatchNormalization",
        "Normalised by tracked mean and variance",
        sym_op_keras_normalized,
        lower_batch_norm),
  NORM ("GroupNormalization",
        "Normalised within groups of channels",
        layer_slots,
        lower_group_norm),
  NORM ("LayerNormalization", "Normalised within each sample", layer_slots, lower_layer_norm),
  NORM ("RMSNormalization", "Divided by the root of the mean square", scale_slots, lower_rms_norm),
  NORM ("UnitNormalization", "Divided by its length", sym_op_keras_one, lower_unit_norm),
  { NULL },
};
