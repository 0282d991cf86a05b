/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

static int
count_axes (const char *type)
{
  return strstr (type, "1D") != NULL ? 1 : strstr (type, "3D") != NULL ? 3 : 2;
}

/* ---- Windows ---- */

static gboolean
read_pool (const SymAttributes *attributes,
           const char *type,
           SymOpKerasWindow *self,
           GError **error)
{
  self->n = count_axes (type);
  self->channels_first = sym_op_keras_is_channels_first (attributes);
  self->padding = sym_op_keras_get_string (attributes, "padding", "valid");
  if (!sym_op_keras_get_ints (attributes, "pool_size", self->n, 2, self->kernel, error))
    return FALSE;
  memcpy (self->stride, self->kernel, sizeof self->stride);
  if (sym_op_keras_find (attributes, "strides") != NULL &&
      !sym_op_keras_get_ints (attributes, "strides", self->n, 1, self->stride, error))
    return FALSE;
  for (int i = 0; i < self->n; i++)
    {
      self->dilation[i] = 1;
      if (self->kernel[i] < 1 || self->stride[i] < 1)
        return sym_rule_fail (error, "pool_size and strides must be at least 1");
    }
  return TRUE;
}

static gboolean
infer_pool (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymOpKerasWindow window;
  gboolean known;

  if (!read_pool (sym_rule_get_attributes (rule), sym_rule_get_type (rule), &window, error) ||
      !sym_op_keras_check_rank (rule, window.n + 2, &known, error))
    return FALSE;
  for (int i = 0; i < window.n && known; i++)
    {
      int axis = sym_op_keras_window_axis (&window, i);

      if (!sym_op_keras_slide (rule, &window, i, shape.dims[axis], &shape.dims[axis], error))
        return FALSE;
    }
  return sym_op_keras_set_like (rule, shape, error);
}

static void
lower_pool (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gboolean is_max = strncmp (sym_op_lower_get_type (self), "Max", 3) == 0;
  SymId x = sym_op_lower_input (self, 0);
  g_autoptr (GError) error = NULL;
  SymOpKerasWindow window;
  gint64 pads[6];

  if (!read_pool (sym_op_keras_attributes (self), sym_op_lower_get_type (self), &window, &error) ||
      shape->rank != window.n + 2)
    {
      sym_op_lower_fail (self, "%s", error == NULL ? "the data has other axes" : error->message);
      return;
    }
  for (int i = 0; i < window.n; i++)
    sym_op_keras_pads (&window, i, shape->dims[sym_op_keras_window_axis (&window, i)], &pads[i],
                       &pads[i + window.n]);
  if (!window.channels_first)
    x = sym_op_keras_channels_first (self, x, window.n);
  x = sym_op_lower_call (self, is_max ? "MaxPool" : "AveragePool", SYM_IDS (x), "kernel_shape",
                         sym_op_lower_list (window.kernel, window.n), "strides",
                         sym_op_lower_list (window.stride, window.n), "pads",
                         sym_op_lower_list (pads, 2 * window.n), NULL);
  if (!window.channels_first)
    x = sym_op_keras_channels_last (self, x, window.n);
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Everything ---- */

static gboolean
infer_global (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  int n = count_axes (sym_rule_get_type (rule));
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean first = sym_op_keras_is_channels_first (attributes), known;
  gboolean axes[SYM_MAX_RANK] = { FALSE };

  if (!sym_op_keras_check_rank (rule, n + 2, &known, error))
    return FALSE;
  if (!known)
    return sym_op_keras_set_like (rule, SYM_SHAPE_UNKNOWN, error);
  for (int i = 0; i < n; i++)
    axes[i + (first ? 2 : 1)] = TRUE;
  return sym_op_keras_set_like (
      rule,
      sym_op_reduce_shape (&shape, axes, sym_op_keras_get_bool (attributes, "keepdims", FALSE)),
      error);
}

enum { MASK = 1 };

/* The sum of steps that are not masked, by their number. */
static SymId
take_masked_mean (SymOpLower *self, gint64 axis, gboolean keep)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  SymId mask = sym_op_lower_cast (self, sym_op_lower_input (self, MASK), dtype);
  gint64 channels = axis == 1 ? 2 : 1;

  mask = sym_op_lower_binary (self, "Unsqueeze", mask, sym_op_lower_ints (self, &channels, 1));
  x = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_binary (self, "Mul", x, mask), &axis, 1,
                           keep);
  return sym_op_lower_binary (self, "Div", x,
                              sym_op_lower_reduce (self, "ReduceSum", mask, &axis, 1, keep));
}

static void
lower_global (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  gboolean keep = sym_op_keras_get_bool (attributes, "keepdims", FALSE);
  gboolean is_max = strncmp (sym_op_lower_get_type (self), "GlobalMax", 9) == 0;
  int n = count_axes (sym_op_lower_get_type (self));
  gint64 axes[3];

  for (int i = 0; i < n; i++)
    axes[i] = i + (sym_op_keras_is_channels_first (attributes) ? 2 : 1);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_has_input (self, MASK)
                               ? take_masked_mean (self, axes[0], keep)
                               : sym_op_lower_reduce (self, is_max ? "ReduceMax" : "ReduceMean",
                                                      sym_op_lower_input (self, 0), axes, n, keep));
}

#define FORMAT                                                                      \
  {                                                                                 \
    "data_format", SYM_ATTRIBUTE_STRING, "channels_last", "where the channels are", \
        "channels_first channels_last"                                              \
  }

static const SymAttributeSpec pool_attributes[] = {
  { "pool_size", SYM_ATTRIBUTE_INTS, "2", "size of the window" },
  { "strides", SYM_ATTRIBUTE_INTS, "None", "step of the window; its size without one" },
  { "padding", SYM_ATTRIBUTE_STRING, "valid", "whether the window may reach out", "valid same" },
  FORMAT,
  { NULL },
};

static const SymAttributeSpec global_attributes[] = {
  FORMAT,
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether the axes are kept" },
  { NULL },
};

static const SymSlotSpec masked_slots[] = {
  { "input" },
  { "mask", SYM_SLOT_DATA, TRUE },
  { NULL },
};

#define POOL(name_, aliases_, summary_, kind_) \
  POOL_OF (name_, aliases_, summary_, kind_, sym_op_keras_one)

#define POOL_OF(name_, aliases_, summary_, kind_, slots_)                                    \
  {                                                                                          \
    SYM_OP_KERAS, .name = name_, .aliases = aliases_, .summary = summary_,                   \
                  .reference = "keras.layers." name_, .category = SYM_CATEGORY_POOLING,      \
                  .attributes = kind_##_attributes, .slots = slots_, .infer = infer_##kind_, \
                  .lower = lower_##kind_,                                                    \
  }

const SymOperator sym_op_keras_pool[] = {
  POOL ("AveragePooling1D", "AvgPool1D", "The mean of each window over one dimension", pool),
  POOL ("AveragePooling2D", "AvgPool2D", "The mean of each window of images", pool),
  POOL ("AveragePooling3D", "AvgPool3D", "The mean of each window of volumes", pool),
  POOL_OF ("GlobalAveragePooling1D",
           "GlobalAvgPool1D",
           "The mean over one dimension",
           global,
           masked_slots),
  POOL ("GlobalAveragePooling2D", "GlobalAvgPool2D", "The mean of images", global),
  POOL ("GlobalAveragePooling3D", "GlobalAvgPool3D", "The mean of volumes", global),
  POOL ("GlobalMaxPooling1D", "GlobalMaxPool1D", "The largest number over one dimension", global),
  POOL ("GlobalMaxPooling2D", "GlobalMaxPool2D", "The largest number of images", global),
  POOL ("GlobalMaxPooling3D", "GlobalMaxPool3D", "The largest number of volumes", global),
  POOL ("MaxPooling1D", "MaxPool1D", "The largest number of each window over one dimension", pool),
  POOL ("MaxPooling2D", "MaxPool2D", "The largest number of each window of images", pool),
  POOL ("MaxPooling3D", "MaxPool3D", "The largest number of each window of volumes", pool),
  { NULL },
};
