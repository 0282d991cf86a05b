/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

const SymSlotSpec sym_op_keras_one[] = { { "input" }, { NULL } };
const SymSlotSpec sym_op_keras_many[] = { { "inputs" }, { NULL } };

/* ---- Attributes ---- */

/* What Keras 1 called it. */
static const struct {
  const char *name;
  const char *old;
} old_names[] = {
  { "filters", "nb_filter" },
  { "units", "output_dim" },
  { "padding", "border_mode" },
  { "strides", "subsample" },
  { "strides", "subsample_length" },
  { "strides", "stride" },
  { "data_format", "dim_ordering" },
  { "use_bias", "bias" },
  { "rate", "p" },
  { "pool_size", "pool_length" },
  { "kernel_size", "filter_length" },
  { "dilation_rate", "atrous_rate" },
  { "recurrent_activation", "inner_activation" },
  { "size", "length" },
  { "stddev", "sigma" },
  { "negative_slope", "alpha" },
  { "seed_generator", "seed" },
};

const SymValue *
sym_op_keras_find (const SymAttributes *attributes, const char *name)
{
  const SymValue *value = sym_attributes_find (attributes, name);

  for (guint i = 0; i < G_N_ELEMENTS (old_names) && value == NULL; i++)
    if (*old_names[i].name == *name && strcmp (old_names[i].name, name) == 0)
      value = sym_attributes_find (attributes, old_names[i].old);
  return value != NULL && sym_value_get_kind (value) == SYM_VALUE_NONE ? NULL : value;
}

gboolean
sym_op_keras_is_given (const SymAttributes *attributes, const char *name)
{
  if (sym_attributes_find (attributes, name) != NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (old_names); i++)
    if (strcmp (old_names[i].name, name) == 0 &&
        sym_attributes_find (attributes, old_names[i].old) != NULL)
      return TRUE;
  return strcmp (name, "kernel_size") == 0 &&
         (sym_attributes_find (attributes, "nb_row") != NULL ||
          sym_attributes_find (attributes, "kernel_dim1") != NULL);
}

gint64
sym_op_keras_get_int (const SymAttributes *attributes, const char *name, gint64 fallback)
{
  return sym_value_as_int (sym_op_keras_find (attributes, name), fallback);
}

double
sym_op_keras_get_float (const SymAttributes *attributes, const char *name, double fallback)
{
  return sym_value_as_float (sym_op_keras_find (attributes, name), fallback);
}

gboolean
sym_op_keras_get_bool (const SymAttributes *attributes, const char *name, gboolean fallback)
{
  return sym_op_keras_get_int (attributes, name, fallback) != 0;
}

const char *
sym_op_keras_get_string (const SymAttributes *attributes, const char *name, const char *fallback)
{
  return sym_value_as_string (sym_op_keras_find (attributes, name), fallback);
}

/* Windows of Keras 1 have an attribute for each axis. */
static int
get_old_window (const SymAttributes *attributes, const char *name, gint64 *values)
{
  static const char *const sizes[] = { "kernel_dim1", "kernel_dim2", "kernel_dim3" };
  gint64 rows = sym_op_keras_get_int (attributes, "nb_row", -1);
  int n = 0;

  if (strcmp (name, "kernel_size") != 0)
    return -1;
  if (rows > 0)
    {
      values[0] = rows;
      values[1] = sym_op_keras_get_int (attributes, "nb_col", 1);
      return 2;
    }
  while (n < 3 && (values[n] = sym_op_keras_get_int (attributes, sizes[n], -1)) > 0)
    n++;
  return n > 0 ? n : -1;
}

gboolean
sym_op_keras_get_ints (const SymAttributes *attributes,
                       const char *name,
                       int n,
                       gint64 fallback,
                       gint64 *values,
                       GError **error)
{
  const SymValue *value = sym_op_keras_find (attributes, name);
  gint64 found[SYM_MAX_RANK];
  int given = value == NULL ? get_old_window (attributes, name, found)
                            : sym_value_get_ints (value, found, SYM_MAX_RANK);

  if (given >= 0 && given != n && given != 1)
    return sym_rule_fail (error, "%s must have %d sizes, not %d", name, n, given);
  for (int i = 0; i < n; i++)
    {
      values[i] = given < 0 ? fallback : found[given == 1 ? 0 : i];
      if (values[i] < 0 || values[i] > G_MAXINT32)
        return sym_rule_fail (error, "%s %" G_GINT64_FORMAT " is out of range", name, values[i]);
    }
  return TRUE;
}

gboolean
sym_op_keras_is_channels_first (const SymAttributes *attributes)
{
  const char *format = sym_op_keras_get_string (attributes, "data_format", "");

  return strcmp (format, "channels_first") == 0 || strcmp (format, "th") == 0;
}

static SymDType
parse_policy (const char *name)
{
  SymDType dtype;

  if (strcmp (name, "mixed_float16") == 0)
    return SYM_DTYPE_FLOAT16;
  if (strcmp (name, "mixed_bfloat16") == 0)
    return SYM_DTYPE_BFLOAT16;
  return sym_dtype_from_string (name, &dtype) ? dtype : SYM_DTYPE_FLOAT32;
}

/* "float32", or {'class_name': 'DTypePolicy', 'config': {'name': 'float32'}}; NULL for none. */
static const char *
find_policy (const SymAttributes *attributes)
{
  const SymValue *value = sym_op_keras_find (attributes, "dtype");
  const SymValue *found = NULL;

  while (value != NULL && sym_value_get_kind (value) == SYM_VALUE_DICT)
    {
      found = NULL;
      for (guint i = 0; i < sym_value_get_n_children (value) && found == NULL; i++)
        if (strcmp (sym_value_get_key (value, i), "config") == 0 ||
            strcmp (sym_value_get_key (value, i), "name") == 0)
          found = sym_value_get_child (value, i);
      value = found;
    }
  return value == NULL ? NULL : sym_value_get_string (value);
}

/* What weights are of: floats, also where `dtype` is that of indices. */
SymDType
sym_op_keras_get_dtype (const SymAttributes *attributes)
{
  const char *policy = find_policy (attributes);
  SymDType dtype = policy == NULL ? SYM_DTYPE_FLOAT32 : parse_policy (policy);

  return sym_dtype_is_floating (dtype) ? dtype : SYM_DTYPE_FLOAT32;
}

gboolean
sym_op_keras_is_mixed (const SymAttributes *attributes)
{
  const char *policy = find_policy (attributes);

  return policy != NULL && g_str_has_prefix (policy, "mixed_");
}

/* Weights that an attribute switches on and off, and what they are without it. */
static const struct {
  const char *slot;
  const char *attribute;
  gboolean fallback;
} switches[] = {
  { "bias", "use_bias", TRUE },
  { "b_carry", "use_bias", TRUE },
  { "query_bias", "use_bias", TRUE },
  { "key_bias", "use_bias", TRUE },
  { "value_bias", "use_bias", TRUE },
  { "output_bias", "use_bias", TRUE },
  { "gamma", "scale", TRUE },
  { "beta", "center", TRUE },
  { "attention_scale", "use_scale", FALSE },
  { "einsum_bias", "bias_axes", FALSE },
};

gboolean
sym_op_keras_has_slot (const SymOperator *op, guint slot, const SymAttributes *attributes)
{
  const SymSlotSpec *spec = sym_op_get_slot (op, slot);

  if (spec == NULL || spec->kind == SYM_SLOT_DATA)
    return spec != NULL;
  if (strcmp (op->name, "Normalization") == 0)
    return sym_op_keras_find (attributes, "mean") == NULL;
  if (sym_op_keras_get_bool (attributes, "rms_scaling", FALSE))
    return strcmp (spec->name, "beta") != 0;
  if (strcmp (spec->name, "concat_score_weight") == 0)
    return strcmp (sym_op_keras_get_string (attributes, "score_mode", "dot"), "concat") == 0;
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    if (strcmp (spec->name, switches[i].slot) == 0)
      {
        const SymValue *value = sym_op_keras_find (attributes, switches[i].attribute);

        return value != NULL && sym_value_get_string (value) != NULL
                   ? TRUE
                   : sym_op_keras_get_bool (attributes, switches[i].attribute,
                                            switches[i].fallback);
      }
  return TRUE;
}

/* ---- Rules ---- */

/* “glu” is the one activation that makes another shape: one half gates the other. */
static gboolean
halve (SymRule *rule, SymShape *shape, gboolean *is_halved, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymDim *last = shape->rank < 1 ? NULL : &shape->dims[shape->rank - 1];

  *is_halved = g_strcmp0 (sym_op_keras_get_string (attributes, "activation", NULL), "glu") == 0;
  if (!*is_halved || last == NULL)
    return TRUE;
  if (*last >= 0 && *last % 2 != 0)
    return sym_rule_fail (error, "glu takes an even number of features, not %" G_GINT64_FORMAT,
                          *last);
  *last = *last >= 0 ? *last / 2 : SYM_DIM_UNKNOWN;
  return TRUE;
}

gboolean
sym_op_keras_same (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean is_halved;

  if (!halve (rule, &shape, &is_halved, error))
    return FALSE;
  return is_halved
             ? sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &shape, error)
             : sym_op_pass (rule, 0, 0, error);
}

gboolean
sym_op_keras_set (SymRule *rule, SymShape shape, GError **error)
{
  gboolean is_halved;

  return halve (rule, &shape, &is_halved, error) &&
         sym_op_set_output (rule, 0, shape, sym_op_keras_get_dtype (sym_rule_get_attributes (rule)),
                            error);
}

gboolean
sym_op_keras_set_like (SymRule *rule, SymShape shape, GError **error)
{
  return sym_op_set_output (rule, 0, shape, sym_rule_get_input_dtype (rule, 0), error);
}

gboolean
sym_op_keras_check_rank (SymRule *rule, int rank, gboolean *known, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  g_autofree char *text = NULL;

  *known = shape.rank >= 0;
  if (!*known || shape.rank == rank)
    return TRUE;
  text = sym_rule_format_shape (rule, &shape);
  return sym_rule_fail (error, "expected ndim=%d, found ndim=%d, shape %s", rank, shape.rank, text);
}

int
sym_op_keras_window_axis (const SymOpKerasWindow *self, int i)
{
  return i + (self->channels_first ? 2 : 1);
}

int
sym_op_keras_window_channels (const SymOpKerasWindow *self)
{
  return self->channels_first ? 1 : self->n + 1;
}

gboolean
sym_op_keras_slide (SymRule *rule,
                    const SymOpKerasWindow *self,
                    int i,
                    SymDim size,
                    SymDim *result,
                    GError **error)
{
  SymOpWindow window = { self->kernel[i], self->stride[i], self->dilation[i], 0, 0, FALSE };

  if (strcmp (self->padding, "same") == 0 || strcmp (self->padding, "causal") == 0)
    window.kernel = window.dilate = 1;
  else if (strcmp (self->padding, "full") == 0)
    window.before = window.after = (self->kernel[i] - 1) * self->dilation[i];
  else if (strcmp (self->padding, "valid") != 0)
    return sym_rule_fail (error, "padding “%s” is not known", self->padding);
  return sym_op_slide (rule, size, &window, result, error);
}

void
sym_op_keras_pads (const SymOpKerasWindow *self, int i, gint64 size, gint64 *before, gint64 *after)
{
  gint64 reach = (self->kernel[i] - 1) * self->dilation[i];
  gint64 places = (size + self->stride[i] - 1) / self->stride[i];
  gint64 all = MAX ((places - 1) * self->stride[i] + reach + 1 - size, 0);

  *before = *after = 0;
  if (strcmp (self->padding, "same") == 0)
    {
      *before = all / 2;
      *after = all - *before;
    }
  else if (strcmp (self->padding, "causal") == 0)
    *before = reach;
  else if (strcmp (self->padding, "full") == 0)
    *before = *after = reach;
}

/* ---- Lowering ---- */

const SymAttributes *
sym_op_keras_attributes (SymOpLower *self)
{
  return sym_layer_get_attributes (sym_op_lower_get_layer (self));
}

SymId
sym_op_keras_input (SymOpLower *self, guint i)
{
  if (!sym_op_lower_has_input (self, i))
    return SYM_NO_ID;
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i),
                                 sym_op_keras_get_dtype (sym_op_keras_attributes (self)));
}

SymId
sym_op_keras_channels_first (SymOpLower *self, SymId x, int n)
{
  gint64 axes[5] = { 0, n + 1 };

  for (int i = 0; i < n; i++)
    axes[i + 2] = i + 1;
  return sym_op_lower_permute (self, x, axes, n + 2);
}

SymId
sym_op_keras_channels_last (SymOpLower *self, SymId x, int n)
{
  gint64 axes[5] = { 0 };

  for (int i = 0; i < n; i++)
    axes[i + 1] = i + 2;
  axes[n + 1] = 1;
  return sym_op_lower_permute (self, x, axes, n + 2);
}

/* Of cubic curves, pixels outside do not count. */
SymId
sym_op_keras_resize (SymOpLower *self,
                     SymId x,
                     const SymShape *from,
                     const SymShape *to,
                     const char *interpolation,
                     const char *places,
                     const char *rounding,
                     gboolean smooths)
{
  gboolean is_cubic = strcmp (interpolation, "bicubic") == 0;
  const char *mode = is_cubic                                  ? "cubic"
                     : strcmp (interpolation, "bilinear") == 0 ? "linear"
                                                               : "nearest";

  if (strcmp (mode, "nearest") == 0 && strcmp (interpolation, mode) != 0)
    {
      sym_op_lower_refuse (self, "%s: interpolation “%s” is not lowered",
                           sym_op_lower_get_type (self), interpolation);
      return SYM_NO_ID;
    }
  gboolean is_smooth = smooths && strcmp (mode, "linear") == 0;
  SymId operands[4];

  sym_op_lower_resize (self, x, from, to->dims, operands);
  if (is_cubic)
    return sym_op_lower_call (
        self, "Resize", (SymIds){ operands, 4 }, "mode", sym_value_new_string (mode),
        "coordinate_transformation_mode", sym_value_new_string (places), "nearest_mode",
        sym_value_new_string (rounding), "cubic_coeff_a", sym_value_new_float (-0.5),
        "exclude_outside", sym_value_new_int (1), "antialias", sym_value_new_int (smooths), NULL);
  return sym_op_lower_call (
      self, "Resize", (SymIds){ operands, 4 }, "mode", sym_value_new_string (mode),
      "coordinate_transformation_mode", sym_value_new_string (places), "nearest_mode",
      sym_value_new_string (rounding), "exclude_outside", sym_value_new_int (is_smooth),
      "antialias", sym_value_new_int (is_smooth), NULL);
}

SymId
sym_op_keras_add_bias (SymOpLower *self, SymId x, SymId bias, int rank, gboolean first)
{
  SymShape shape = { .rank = rank };

  if (bias == SYM_NO_ID)
    return x;
  if (first)
    {
      for (int i = 0; i < rank; i++)
        shape.dims[i] = i == 1 ? -1 : 1;
      bias = sym_op_lower_call (self, "Reshape",
                                SYM_IDS (bias, sym_op_lower_ints (self, shape.dims, rank)), NULL);
    }
  return sym_op_lower_binary (self, "Add", x, bias);
}
