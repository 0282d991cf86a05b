/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Instance, group, layer and RMS normalization: the operand is taken as rows, and each row is
 * brought to mean 0 and variance 1 (RMS: to mean square 1), then scaled and shifted. */

/* The numbers of a row of [n_parts, n_inner] and what they are scaled by: element [p, i] by
 * scale[p * part_step + i * step], and shifted alike. */
typedef struct {
  SymDType work;
  gsize n_rows, n_parts, n_inner;
  gsize part_step, step;
  gsize row_step; /* between the scales of one row and of the next; ... */
  gsize period;   /* ... which begin again after so many rows */
  gboolean centers;
  double epsilon;
  const void *x, *scale, *bias; /* bias NULL for none */
  void *y;
  float *means, *deviations; /* one for each row, NULL where nobody asks: 1 / deviation */
} Rows;

#define NORMALIZE(dtype, type)                                                              \
  static void normalize_##dtype (const Rows *self, gsize row)                               \
  {                                                                                         \
    gsize n = self->n_parts * self->n_inner;                                                \
    gsize place = row % self->period * self->row_step;                                      \
    const type *x = (const type *) self->x + row * n;                                       \
    const type *scale = (const type *) self->scale + place;                                 \
    const type *bias = self->bias == NULL ? NULL : (const type *) self->bias + place;       \
    type *y = (type *) self->y + row * n;                                                   \
    double mean = 0, squares = 0, factor;                                                   \
                                                                                            \
    for (gsize i = 0; self->centers && i < n; i++)                                          \
      mean += x[i];                                                                         \
    mean /= (double) MAX (n, 1);                                                            \
    for (gsize i = 0; i < n; i++)                                                           \
      squares += (x[i] - mean) * (x[i] - mean);                                             \
    factor = 1 / sqrt (squares / (double) MAX (n, 1) + self->epsilon);                      \
    for (gsize p = 0; p < self->n_parts; p++)                                               \
      for (gsize i = 0; i < self->n_inner; i++)                                             \
        {                                                                                   \
          gsize j = p * self->n_inner + i, k = p * self->part_step + i * self->step;        \
                                                                                            \
          y[j] = (type) ((x[j] - mean) * factor * scale[k] + (bias == NULL ? 0 : bias[k])); \
        }                                                                                   \
    if (self->means != NULL)                                                                \
      self->means[row] = (float) mean;                                                      \
    if (self->deviations != NULL)                                                           \
      self->deviations[row] = (float) factor;                                               \
  }

SYM_OP_FLOATS (NORMALIZE)

static gboolean
normalize (SymKernel *kernel, const Rows *rows, GError **error)
{
  gsize done = 0;

  for (gsize i = 0; i < rows->n_rows; i++)
    {
      if (rows->work == SYM_DTYPE_FLOAT32)
        normalize_FLOAT32 (rows, i);
      else
        normalize_FLOAT64 (rows, i);
      if (!sym_op_go_on (kernel, &done, 3 * rows->n_parts * rows->n_inner, error))
        return FALSE;
    }
  return TRUE;
}

/* The operands in the dtype that is computed in; operand 2 may be absent. */
static gboolean
read_operands (SymKernel *kernel, Rows *rows, const SymArray *arrays[3], GError **error)
{
  for (guint i = 0; i < 3; i++)
    {
      arrays[i] = sym_kernel_get_input (kernel, i);
      if (arrays[i] == NULL && i < 2)
        return sym_kernel_need_input (kernel, i, error) != NULL;
    }
  rows->work = sym_op_find_work (kernel, arrays, 3, error);
  if (rows->work == SYM_DTYPE_UNKNOWN)
    return FALSE;
  rows->x = sym_op_read_as (kernel, arrays[0], rows->work, error);
  if (rows->x == NULL)
    return FALSE;
  rows->scale = sym_op_read_as (kernel, arrays[1], rows->work, error);
  if (rows->scale == NULL)
    return FALSE;
  rows->bias = arrays[2] == NULL ? NULL : sym_op_read_as (kernel, arrays[2], rows->work, error);
  rows->epsilon = sym_kernel_get_float (kernel, "epsilon", 1e-5);
  return arrays[2] == NULL || rows->bias != NULL;
}

static gboolean
finish (SymKernel *kernel, Rows *rows, const SymShape *shape, SymDType dtype, GError **error)
{
  SymArray *y = sym_kernel_new_output (kernel, 0, dtype, shape, error);

  rows->y = y == NULL ? NULL : sym_op_place_as (kernel, y, rows->work, error);
  if (rows->y == NULL || !normalize (kernel, rows, error))
    return FALSE;
  sym_op_write_as (y, rows->work, rows->y);
  return TRUE;
}

/* ---- By channels ---- */

/* [batch, channels, inner...] in groups of channels, scale and bias for each channel, or each
 * group. */
static gboolean
run_groups (SymKernel *kernel, gint64 n_groups, gboolean by_group, GError **error)
{
  Rows rows = { .centers = TRUE };
  const SymArray *arrays[3];
  gint64 channels, n_scales;

  if (!read_operands (kernel, &rows, arrays, error) ||
      (rows.bias == NULL && sym_kernel_need_input (kernel, 2, error) == NULL))
    return FALSE;
  if (arrays[0]->shape.rank < 2)
    return sym_kernel_fail (error, "the operand must have 2 axes or more and has %d",
                            arrays[0]->shape.rank);
  channels = arrays[0]->shape.dims[1];
  n_groups = n_groups == 0 ? channels : n_groups;
  if (channels > 0 && (n_groups < 0 || channels % n_groups != 0))
    return sym_kernel_fail (
        error, "%" G_GINT64_FORMAT " channels cannot be parted into %" G_GINT64_FORMAT " groups",
        channels, n_groups);
  by_group = by_group && arrays[1]->shape.rank == 1 && arrays[1]->shape.dims[0] == n_groups;
  n_scales = by_group ? n_groups : channels;
  for (guint i = 1; i < 3; i++)
    if (arrays[i]->shape.rank != 1 || arrays[i]->shape.dims[0] != n_scales)
      {
        g_autofree char *text = sym_op_format_shape (&arrays[i]->shape);

        return sym_kernel_fail (error,
                                "operand %u has shape %s; it should be [%" G_GINT64_FORMAT "]", i,
                                text, n_scales);
      }
  rows.n_inner = 1;
  for (int i = 2; i < arrays[0]->shape.rank; i++)
    rows.n_inner *= (gsize) arrays[0]->shape.dims[i];
  rows.n_parts = channels == 0 ? 0 : (gsize) (channels / n_groups);
  rows.n_rows = channels == 0 ? 0 : (gsize) (arrays[0]->shape.dims[0] * n_groups);
  rows.period = (gsize) MAX (n_groups, 1);
  rows.part_step = by_group ? 0 : 1;
  rows.row_step = by_group ? 1 : rows.n_parts;
  return finish (kernel, &rows, &arrays[0]->shape, arrays[0]->dtype, error);
}

static gboolean
run_instance (SymKernel *kernel, GError **error)
{
  return run_groups (kernel, 0, FALSE, error);
}

static gboolean
run_group (SymKernel *kernel, GError **error)
{
  gint64 n_groups = sym_kernel_get_int (kernel, "num_groups", 0);

  if (n_groups < 1)
    return sym_kernel_fail (error, "num_groups is %" G_GINT64_FORMAT "; it should be at least 1",
                            n_groups);
  /* Version 18 has a scale for each group, and files have one for each channel even so. */
  return run_groups (kernel, n_groups, sym_kernel_get_version (kernel) < 21, error);
}

/* ---- By the last axes ---- */

/* Scale or bias broadcast to the operand's shape.  One that has just the shape of a row is used as
 * it is. */
static const void *
spread (SymKernel *kernel,
        const Rows *rows,
        const SymArray *array,
        const void *data,
        const SymShape *shape,
        GError **error)
{
  SymArray from = { rows->work, array->shape, (void *) data }, to = { rows->work, *shape, NULL };
  gint64 strides[SYM_MAX_RANK];

  to.data = sym_kernel_get_scratch (kernel, rows->n_rows * rows->n_inner,
                                    sym_dtype_get_bits (rows->work) / 8, error);
  if (to.data == NULL)
    return NULL;
  sym_op_get_broadcast_strides (&from.shape, shape->rank, strides);
  return sym_op_move_strided (kernel, &to, &from, 0, strides, error) ? to.data : NULL;
}

static gboolean
is_row (const SymShape *shape, const SymShape *x, int axis)
{
  SymShape row = { .rank = x->rank - axis };

  for (int i = 0; i < row.rank; i++)
    row.dims[i] = x->dims[axis + i];
  return sym_shape_equal (shape, &row);
}

static gboolean
fits (const SymArray *array, const SymShape *x, GError **error)
{
  SymShape both = *x;

  if (array == NULL)
    return TRUE;
  if (!sym_op_broadcast (&both, &array->shape, error))
    return FALSE;
  if (!sym_shape_equal (&both, x))
    {
      g_autofree char *left = sym_op_format_shape (&array->shape);
      g_autofree char *right = sym_op_format_shape (x);

      return sym_kernel_fail (error, "a scale or bias of shape %s does not broadcast to %s", left,
                              right);
    }
  return TRUE;
}

static gboolean
spread_all (SymKernel *kernel, Rows *rows, const SymArray *arrays[3], int axis, GError **error)
{
  const SymShape *x = &arrays[0]->shape;

  if (!fits (arrays[1], x, error) || !fits (arrays[2], x, error))
    return FALSE;
  rows->step = 1;
  rows->period = MAX (rows->n_rows, 1);
  if (is_row (&arrays[1]->shape, x, axis) &&
      (arrays[2] == NULL || is_row (&arrays[2]->shape, x, axis)))
    return TRUE;
  rows->row_step = rows->n_inner;
  rows->scale = spread (kernel, rows, arrays[1], rows->scale, x, error);
  if (rows->scale != NULL && arrays[2] != NULL)
    rows->bias = spread (kernel, rows, arrays[2], rows->bias, x, error);
  return rows->scale != NULL && (arrays[2] == NULL || rows->bias != NULL);
}

/* The rows begin at the attribute's axis. */
static gboolean
read_rows (SymKernel *kernel, Rows *rows, const SymArray *arrays[3], int *axis, GError **error)
{
  if (!read_operands (kernel, rows, arrays, error) ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", -1), arrays[0]->shape.rank, axis,
                         error))
    return FALSE;
  rows->n_rows = rows->n_parts = rows->n_inner = 1;
  for (int i = 0; i < arrays[0]->shape.rank; i++)
    *(i < *axis ? &rows->n_rows : &rows->n_inner) *= (gsize) arrays[0]->shape.dims[i];
  return spread_all (kernel, rows, arrays, *axis, error);
}

/* Output @i, a number for each row, in the dtype that `stash_type` says. */
static gboolean
write_statistics (SymKernel *kernel,
                  guint i,
                  const SymShape *x,
                  int axis,
                  const float *numbers,
                  GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_kernel_get_attributes (kernel), "stash_type");
  SymShape shape = *x;
  SymArray *y;

  if (numbers == NULL)
    return TRUE;
  for (int k = axis; k < shape.rank; k++)
    shape.dims[k] = 1;
  y = sym_kernel_new_output (kernel, i, dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype,
                             &shape, error);
  if (y == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (y->dtype))
    return sym_kernel_fail (error, "stash_type is %s; it should be a float",
                            sym_dtype_to_string (y->dtype));
  sym_convert_elements (SYM_DTYPE_FLOAT32, numbers, y->dtype, y->data,
                        sym_array_get_n_elements (y));
  return TRUE;
}

static gboolean
run_layer (SymKernel *kernel, GError **error)
{
  Rows rows = { .centers = TRUE };
  const SymArray *arrays[3];
  int axis;

  if (!read_rows (kernel, &rows, arrays, &axis, error))
    return FALSE;
  if (sym_kernel_wants_output (kernel, 1))
    {
      rows.means = sym_kernel_get_scratch (kernel, rows.n_rows, sizeof (float), error);
      if (rows.means == NULL)
        return FALSE;
    }
  if (sym_kernel_wants_output (kernel, 2))
    {
      rows.deviations = sym_kernel_get_scratch (kernel, rows.n_rows, sizeof (float), error);
      if (rows.deviations == NULL)
        return FALSE;
    }
  return finish (kernel, &rows, &arrays[0]->shape, arrays[0]->dtype, error) &&
         write_statistics (kernel, 1, &arrays[0]->shape, axis, rows.means, error) &&
         write_statistics (kernel, 2, &arrays[0]->shape, axis, rows.deviations, error);
}

/* The result is of the scale's dtype. */
static gboolean
run_rms (SymKernel *kernel, GError **error)
{
  Rows rows = { .centers = FALSE };
  const SymArray *arrays[3];
  int axis;

  return read_rows (kernel, &rows, arrays, &axis, error) &&
         finish (kernel, &rows, &arrays[0]->shape, arrays[1]->dtype, error);
}

/* ---- Rules ---- */

/* Scale and bias have as many numbers as there are channels; in version 18 of GroupNormalization
 * perhaps as there are groups of them. */
static gboolean
infer_channels (SymRule *rule, GError **error)
{
  gboolean by_group = g_str_equal (sym_rule_get_type (rule), "GroupNormalization") &&
                      sym_rule_get_version (rule) < 21;
  SymShape x = sym_rule_get_input (rule, 0);
  SymDim n = x.rank > 1 ? x.dims[1] : SYM_DIM_UNKNOWN;

  if (by_group)
    n = SYM_DIM_UNKNOWN;
  for (guint i = 1; i < 3; i++)
    if (!sym_op_set_input (rule, i, SYM_SHAPE (n), error))
      return FALSE;
  if (x.rank > 1 && !by_group && sym_rule_get_input (rule, 1).rank == 1 &&
      !sym_rule_unify (rule, x.dims[1], sym_rule_get_input (rule, 1).dims[0], "channels", error))
    return FALSE;
  return sym_op_pass_shape (rule, 0, 0, error) && sym_rule_tie_dtypes (rule, 0, 2, error);
}

/* Operand @i broadcasts to the first one, which is not made larger. */
static gboolean
infer_scale (SymRule *rule, guint i, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0), scale = sym_rule_get_input (rule, i);

  if (x.rank < 0 || scale.rank < 0)
    return TRUE;
  if (scale.rank > x.rank)
    {
      g_autofree char *from = sym_rule_format_shape (rule, &scale);
      g_autofree char *to = sym_rule_format_shape (rule, &x);

      return sym_rule_fail (error, "%s of input %u does not broadcast to %s", from, i, to);
    }
  for (int k = 0; k < scale.rank; k++)
    if (scale.dims[k] >= 0 && scale.dims[k] != 1 &&
        !sym_rule_unify (rule, x.dims[x.rank - scale.rank + k], scale.dims[k],
                         i == 1 ? "size to be scaled" : "size to be moved", error))
      return FALSE;

  return TRUE;
}

static gboolean
infer_rows (SymRule *rule, SymShape *rest, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0);
  int axis;

  *rest = x;
  if (!sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  for (guint i = 1; i < MIN (sym_rule_get_n_inputs (rule), 3); i++)
    if (!infer_scale (rule, i, error))
      return FALSE;
  if (x.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), x.rank, &axis, error))
    return FALSE;
  for (int i = axis; i < x.rank; i++)
    rest->dims[i] = 1;
  return TRUE;
}

static gboolean
infer_layer (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "stash_type");
  SymShape rest;

  if (!infer_rows (rule, &rest, error) || !sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_pass_dtype (rule, 1, 0, error))
    return FALSE;
  for (guint i = 1; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_set_output (rule, i, rest, dtype == SYM_DTYPE_UNKNOWN ? SYM_DTYPE_FLOAT32 : dtype,
                            error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_rms (SymRule *rule, GError **error)
{
  SymShape rest;

  return infer_rows (rule, &rest, error) && sym_op_pass_dtype (rule, 1, 0, error);
}

/* ---- Table ---- */

#define EPSILON                                                      \
  {                                                                  \
    "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" \
  }
#define AXIS                                                                          \
  {                                                                                   \
    "axis", SYM_ATTRIBUTE_INT, "-1", "first of the axes that are normalized together" \
  }
#define STASH                                                             \
  {                                                                       \
    "stash_type", SYM_ATTRIBUTE_INT, "1", "dtype of means and deviations" \
  }
#define GROUPS                                                            \
  {                                                                       \
    "num_groups", SYM_ATTRIBUTE_INT, NULL, "number of groups of channels" \
  }
#define CONSUMED                                                  \
  {                                                               \
    "consumed_inputs", SYM_ATTRIBUTE_INTS, "None", "of no effect" \
  }

static const SymAttributeSpec instance_attributes_1[] = { EPSILON, CONSUMED, { NULL } };
static const SymAttributeSpec instance_attributes_6[] = { EPSILON, { NULL } };
static const SymAttributeSpec group_attributes_18[] = { EPSILON, GROUPS, { NULL } };
static const SymAttributeSpec group_attributes_21[] = { EPSILON, GROUPS, STASH, { NULL } };
static const SymAttributeSpec layer_attributes[] = { AXIS, EPSILON, STASH, { NULL } };

static const SymSlotSpec instance_slots[] = {
  { "input" },
  { "scale", SYM_SLOT_PARAMETER },
  { "B", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymSlotSpec group_slots[] = {
  { "X" },
  { "scale", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER },
  { NULL },
};

static const SymSlotSpec layer_slots[] = {
  { "X" },
  { "Scale", SYM_SLOT_PARAMETER },
  { "B", SYM_SLOT_PARAMETER, .optional = TRUE },
  { NULL },
};

static const SymSlotSpec rms_slots[] = { { "X" }, { "scale", SYM_SLOT_PARAMETER }, { NULL } };

static const char *const layer_outputs[] = { "Y", "Mean", "InvStdDev", NULL };

#define NORM(name_, version_, summary_, attributes_, slots_, infer_, run_)                    \
  SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_NORMALIZATION, \
                                 .attributes = attributes_, .slots = slots_, .infer = infer_, \
                                 .run = run_

#define INSTANCE(version_)                                                                       \
  {                                                                                              \
    NORM ("InstanceNormalization", version_,                                                     \
          "each channel of each instance to mean 0, variance 1", instance_attributes_##version_, \
          instance_slots, infer_channels, run_instance)                                          \
  }

#define GROUP(version_)                                                                   \
  {                                                                                       \
    NORM ("GroupNormalization", version_, "each group of channels to mean 0, variance 1", \
          group_attributes_##version_, group_slots, infer_channels, run_group)            \
  }

const SymOperator sym_op_onnx_norm[] = {
  INSTANCE (1),
  INSTANCE (6),
  GROUP (18),
  GROUP (21),
  /* ONNX Runtime had it before ONNX, and writes it into models of any version. */
  { .domain = "",
    .name = "LayerNormalization",
    .since_version = 1,
    .reference = "ONNX Runtime LayerNormalization-1",
    .summary = "the last axes to mean 0, variance 1",
    .category = SYM_CATEGORY_NORMALIZATION,
    .attributes = layer_attributes,
    .slots = layer_slots,
    .infer = infer_layer,
    .run = run_layer,
    .get_n_outputs = sym_op_onnx_get_any_outputs,
    .output_names = layer_outputs },
  { NORM ("LayerNormalization",
          17,
          "the last axes to mean 0, variance 1",
          layer_attributes,
          layer_slots,
          infer_layer,
          run_layer),
    .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = layer_outputs },
  { NORM ("RMSNormalization",
          23,
          "the last axes to mean square 1",
          layer_attributes,
          rms_slots,
          infer_rms,
          run_rms) },
  { 0 },
};
