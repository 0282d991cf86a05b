/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* BatchNormalization, by given or by own means and variances. */

enum { X, SCALE, B, MEAN, VAR, N_OPERANDS };

/* The operand as [batch, channels, inner], and all operands in the dtype that is computed in. */
typedef struct {
  SymDType work;
  const SymArray *arrays[N_OPERANDS];
  const void *data[N_OPERANDS];
  gsize batch, channels, inner;
  double *mean, *var; /* of each channel */
  double epsilon;
} Batch;

/* ---- Reading ---- */

/* Before version 9 `spatial` may say that every place of the image is a channel of its own; a
 * vector has but one channel. */
static void
split (SymKernel *kernel, Batch *self)
{
  const SymShape *shape = &self->arrays[X]->shape;
  gboolean spatial = sym_kernel_get_bool (kernel, "spatial", TRUE);

  self->batch = shape->rank > 0 ? (gsize) shape->dims[0] : 1;
  self->channels = shape->rank > 1 ? (gsize) shape->dims[1] : 1;
  self->inner = 1;
  for (int i = 2; i < shape->rank; i++)
    self->inner *= (gsize) shape->dims[i];
  if (!spatial)
    {
      self->channels *= self->inner;
      self->inner = 1;
    }
}

static gboolean
read_all (SymKernel *kernel, Batch *self, GError **error)
{
  for (guint i = 0; i < N_OPERANDS; i++)
    {
      self->arrays[i] = sym_kernel_need_input (kernel, i, error);
      if (self->arrays[i] == NULL)
        return FALSE;
    }
  split (kernel, self);
  for (guint i = SCALE; i < N_OPERANDS; i++)
    if (sym_array_get_n_elements (self->arrays[i]) != self->channels)
      return sym_kernel_fail (
          error, "operand %u has %" G_GSIZE_FORMAT " numbers for %" G_GSIZE_FORMAT " channels", i,
          sym_array_get_n_elements (self->arrays[i]), self->channels);
  self->work = sym_op_find_work (kernel, self->arrays, N_OPERANDS, error);
  if (self->work == SYM_DTYPE_UNKNOWN)
    return FALSE;
  for (guint i = 0; i < N_OPERANDS; i++)
    {
      self->data[i] = sym_op_read_as (kernel, self->arrays[i], self->work, error);
      if (self->data[i] == NULL)
        return FALSE;
    }
  self->epsilon = sym_kernel_get_float (kernel, "epsilon", 1e-5);
  self->mean = sym_kernel_get_scratch (kernel, self->channels, sizeof (double), error);
  if (self->mean == NULL)
    return FALSE;
  self->var = sym_kernel_get_scratch (kernel, self->channels, sizeof (double), error);
  return self->var != NULL;
}

/* ---- Numbers ---- */

/* Given means and variances; own ones; and the result by either. */
#define STEPS(dtype, type)                                                                    \
  static void take_moments_##dtype (Batch *self)                                              \
  {                                                                                           \
    for (gsize c = 0; c < self->channels; c++)                                                \
      {                                                                                       \
        self->mean[c] = ((const type *) self->data[MEAN])[c];                                 \
        self->var[c] = ((const type *) self->data[VAR])[c];                                   \
      }                                                                                       \
  }                                                                                           \
  static gboolean find_moments_##dtype (Batch *self, SymKernel *kernel, GError **error)       \
  {                                                                                           \
    const type *x = self->data[X];                                                            \
    gsize n = self->batch * self->inner, done = 0;                                            \
                                                                                              \
    for (gsize c = 0; c < self->channels; c++)                                                \
      {                                                                                       \
        double sum = 0, squares = 0;                                                          \
                                                                                              \
        for (gsize b = 0; b < self->batch; b++)                                               \
          for (gsize i = 0, j = (b * self->channels + c) * self->inner; i < self->inner; i++) \
            sum += x[j + i];                                                                  \
        self->mean[c] = sum / (double) n;                                                     \
        for (gsize b = 0; b < self->batch; b++)                                               \
          for (gsize i = 0, j = (b * self->channels + c) * self->inner; i < self->inner; i++) \
            squares += (x[j + i] - self->mean[c]) * (x[j + i] - self->mean[c]);               \
        self->var[c] = squares / (double) n;                                                  \
        if (!sym_op_go_on (kernel, &done, 2 * n, error))                                      \
          return FALSE;                                                                       \
      }                                                                                       \
    return TRUE;                                                                              \
  }                                                                                           \
  static gboolean normalize_##dtype (const Batch *self, SymKernel *kernel, type *y,           \
                                     GError **error)                                          \
  {                                                                                           \
    const type *x = self->data[X], *scale = self->data[SCALE], *bias = self->data[B];         \
    gsize done = 0;                                                                           \
                                                                                              \
    for (gsize b = 0, j = 0; b < self->batch; b++)                                            \
      for (gsize c = 0; c < self->channels; c++, j += self->inner)                            \
        {                                                                                     \
          double factor = scale[c] / sqrt (self->var[c] + self->epsilon);                     \
          double addend = bias[c] - self->mean[c] * factor;                                   \
                                                                                              \
          for (gsize i = 0; i < self->inner; i++)                                             \
            y[j + i] = (type) (x[j + i] * factor + addend);                                   \
          if (!sym_op_go_on (kernel, &done, self->inner, error))                              \
            return FALSE;                                                                     \
        }                                                                                     \
    return TRUE;                                                                              \
  }

SYM_OP_FLOATS (STEPS)

static gboolean
write_result (SymKernel *kernel, const Batch *self, GError **error)
{
  SymArray *y =
      sym_kernel_new_output (kernel, 0, self->arrays[X]->dtype, &self->arrays[X]->shape, error);
  void *place = y == NULL ? NULL : sym_op_place_as (kernel, y, self->work, error);

  if (place == NULL ||
      !(self->work == SYM_DTYPE_FLOAT32 ? normalize_FLOAT32 (self, kernel, place, error)
                                        : normalize_FLOAT64 (self, kernel, place, error)))
    return FALSE;
  sym_op_write_as (y, self->work, place);
  return TRUE;
}

/* Output @i is a number for each channel: @own, mixed with those of operand @operand by @momentum.
 */
static gboolean
write_moments (SymKernel *kernel,
               const Batch *self,
               guint i,
               guint operand,
               const double *own,
               double momentum,
               GError **error)
{
  SymArray *y;

  if (!sym_kernel_wants_output (kernel, i))
    return TRUE;
  y = sym_kernel_new_output (kernel, i, self->arrays[operand]->dtype, &self->arrays[operand]->shape,
                             error);
  for (gsize c = 0; y != NULL && c < self->channels; c++)
    {
      const SymArray *given = self->arrays[operand];
      double old = sym_element_get_double (given->dtype, given->data, c);

      sym_element_set_double (y->dtype, y->data, c, old * momentum + own[c] * (1 - momentum));
    }
  return y != NULL;
}

/* Training is asked for by an attribute since version 14, before by more outputs than one. */
static gboolean
is_training (SymKernel *kernel)
{
  if (sym_kernel_get_version (kernel) >= 14)
    return sym_kernel_get_bool (kernel, "training_mode", FALSE);
  return sym_kernel_get_n_outputs (kernel) > 1 && !sym_kernel_get_bool (kernel, "is_test", FALSE);
}

static gboolean
train (SymKernel *kernel, Batch *self, GError **error)
{
  double momentum = sym_kernel_get_float (kernel, "momentum", 0.9);

  return (self->work == SYM_DTYPE_FLOAT32 ? find_moments_FLOAT32 (self, kernel, error)
                                          : find_moments_FLOAT64 (self, kernel, error)) &&
         write_moments (kernel, self, 1, MEAN, self->mean, momentum, error) &&
         write_moments (kernel, self, 2, VAR, self->var, momentum, error) &&
         write_moments (kernel, self, 3, MEAN, self->mean, 0, error) &&
         write_moments (kernel, self, 4, VAR, self->var, 0, error) &&
         write_result (kernel, self, error);
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  Batch batch;

  if (!read_all (kernel, &batch, error))
    return FALSE;
  if (is_training (kernel))
    return train (kernel, &batch, error);
  for (guint i = 1; i < sym_kernel_get_n_outputs (kernel); i++)
    if (sym_kernel_wants_output (kernel, i))
      return sym_kernel_fail (error, "there is no output %u but in training", i);
  if (batch.work == SYM_DTYPE_FLOAT32)
    take_moments_FLOAT32 (&batch);
  else
    take_moments_FLOAT64 (&batch);
  return write_result (kernel, &batch, error);
}

/* ---- Rule ---- */

/* Scale, bias, means and variances have as many numbers as there are channels. */
static gboolean
infer (SymRule *rule, GError **error)
{
  gboolean spatial = sym_rule_get_bool (rule, "spatial", TRUE);
  SymShape x = sym_rule_get_input (rule, 0), channels = sym_shape_new_unknown (1);

  if (!sym_op_pass (rule, 0, 0, error))
    return FALSE;
  if (x.rank > 1 && spatial)
    channels.dims[0] = x.dims[1];
  for (guint i = SCALE; i < N_OPERANDS; i++)
    {
      if (spatial && !sym_rule_set_input (rule, i, &channels, error))
        return FALSE;
      channels.dims[0] = spatial && sym_rule_get_input (rule, i).rank == 1
                             ? sym_rule_get_input (rule, i).dims[0]
                             : channels.dims[0];
    }
  if (x.rank > 1 && spatial &&
      !sym_rule_unify (rule, x.dims[1], channels.dims[0], "channels", error))
    return FALSE;
  for (guint i = 1; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_pass (rule, i % 2 == 1 ? MEAN : VAR, i, error))
      return FALSE;
  return TRUE;
}

/* ---- Table ---- */

#define EPSILON                                                      \
  {                                                                  \
    "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the variance" \
  }
#define MOMENTUM                                                                            \
  {                                                                                         \
    "momentum", SYM_ATTRIBUTE_FLOAT, "0.9", "share of the old mean and variance in the new" \
  }
#define IS_TEST                                                           \
  {                                                                       \
    "is_test", SYM_ATTRIBUTE_INT, "0", "whether the given means are used" \
  }
#define SPATIAL                                                                     \
  {                                                                                 \
    "spatial", SYM_ATTRIBUTE_INT, "1", "whether a channel is normalized as a whole" \
  }
#define CONSUMED                                                  \
  {                                                               \
    "consumed_inputs", SYM_ATTRIBUTE_INTS, "None", "of no effect" \
  }
#define TRAINING                                                          \
  {                                                                       \
    "training_mode", SYM_ATTRIBUTE_INT, "0", "whether own means are used" \
  }
#define ATTRIBUTES(...)                        \
  (const SymAttributeSpec[])                   \
  {                                            \
    EPSILON, MOMENTUM, ##__VA_ARGS__, { NULL } \
  }

static const SymSlotSpec old_slots[] = {
  { "X" },
  { "scale", SYM_SLOT_PARAMETER },
  { "B", SYM_SLOT_PARAMETER },
  { "mean", SYM_SLOT_AUXILIARY },
  { "var", SYM_SLOT_AUXILIARY },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "X" },
  { "scale", SYM_SLOT_PARAMETER },
  { "B", SYM_SLOT_PARAMETER },
  { "input_mean", SYM_SLOT_AUXILIARY },
  { "input_var", SYM_SLOT_AUXILIARY },
  { NULL },
};

static const char *const old_names[] = { "Y", "mean", "var", "saved_mean", "saved_var", NULL };
static const char *const names[] = { "Y", "running_mean", "running_var", NULL };

#define BATCH_NORM(version_, slots_, names_, ...)                                                \
  {                                                                                              \
    SYM_OP_ONNX ("BatchNormalization", version_),                                                \
        .summary = "each channel to mean 0, variance 1", .category = SYM_CATEGORY_NORMALIZATION, \
        .attributes = ATTRIBUTES (__VA_ARGS__), .slots = slots_,                                 \
        .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = names_, .infer = infer,    \
        .run = run                                                                               \
  }

const SymOperator sym_op_onnx_batch_norm[] = {
  BATCH_NORM (1, old_slots, old_names, IS_TEST, SPATIAL, CONSUMED),
  BATCH_NORM (6, old_slots, old_names, IS_TEST, SPATIAL),
  BATCH_NORM (7, old_slots, old_names, SPATIAL),
  BATCH_NORM (9, old_slots, old_names),
  BATCH_NORM (14, slots, names, TRAINING),
  { 0 },
};
