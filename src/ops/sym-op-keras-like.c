/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include "core/sym-layer.h"

#include <string.h>

/* Layers of other packages that extend one of Keras and are called after it: QDense and QConv2D of
 * QKeras, BinaryDense, HConv2D of HGQ.  They have its shapes and its weights, but make other
 * numbers of them, so there is nothing here by which one could run.  An attribute without a default
 * is one that the config of an extension has as well; without it a layer is only called so. */

/* Where an extension does otherwise than the layer that it extends, that is no mistake of the file:
 * then nothing is known of its shapes. */
static gboolean
infer (SymRule *rule, GError **error)
{
  const SymOperator *like = sym_layer_get_operator (sym_rule_get_layer (rule));
  const SymOperator *extended = sym_op_find ("keras", like->name, 0);
  g_autoptr (GError) otherwise = NULL;

  (void) error;
  extended->infer (rule, &otherwise);
  return TRUE;
}

/* ---- A convolution and the normalization behind it in one layer ---- */

/* The size of what is normalized; of several axes nobody makes such a layer. */
static SymDim
find_normalized (SymRule *rule, const SymShape *shape)
{
  const SymValue *value = sym_op_keras_find (sym_rule_get_attributes (rule), "axis");
  gint64 axes[SYM_MAX_RANK] = { -1 };
  int n = value == NULL ? 1 : sym_value_get_ints (value, axes, SYM_MAX_RANK), axis;

  return shape->rank >= 0 && n == 1 && sym_op_normalize_axis (axes[0], shape->rank, &axis, NULL)
             ? shape->dims[axis]
             : SYM_DIM_UNKNOWN;
}

/* Its result is that of the convolution, and so are the kernel and the bias, which are kept apart
 * from what normalizes; one number counts the steps of training. */
static gboolean
infer_folded (SymRule *rule, GError **error)
{
  const SymOperator *like = sym_layer_get_operator (sym_rule_get_layer (rule));
  g_autofree char *name = g_strndup (like->name, strlen (like->name) - strlen ("Batchnorm"));
  const SymOperator *extended = sym_op_find ("keras", name, 0);
  g_autoptr (GError) otherwise = NULL;
  SymShape shape;
  SymDim size;

  (void) error;
  if (!extended->infer (rule, &otherwise))
    return TRUE;
  shape = sym_rule_get_output (rule, 0);
  size = find_normalized (rule, &shape);
  for (guint i = 3; like->slots[i].name != NULL; i++)
    {
      gboolean is_number = strcmp (like->slots[i].name, "iteration") == 0;

      if (!sym_op_set_input (rule, i, is_number ? (SymShape){ 0 } : SYM_SHAPE (size), &otherwise))
        return TRUE;
    }
  return TRUE;
}

/* In the order in which Keras lists them. */
#define FOLDED_SLOTS(kernel_)                                                                   \
  {                                                                                             \
    { "input" }, { kernel_, SYM_SLOT_PARAMETER }, { "bias", SYM_SLOT_PARAMETER, TRUE },         \
        { "gamma", SYM_SLOT_PARAMETER, TRUE }, { "beta", SYM_SLOT_PARAMETER, TRUE },            \
        { "iteration", SYM_SLOT_AUXILIARY, TRUE, TRUE }, { "moving_mean", SYM_SLOT_AUXILIARY }, \
        { "moving_variance", SYM_SLOT_AUXILIARY },                                              \
    {                                                                                           \
      NULL                                                                                      \
    }                                                                                           \
  }

static const SymSlotSpec folded_slots[] = FOLDED_SLOTS ("kernel");
static const SymSlotSpec folded_depthwise_slots[] = FOLDED_SLOTS ("depthwise_kernel");

/* ---- Tables ---- */

static const SymAttributeSpec dense_attributes[] = {
  { "units", SYM_ATTRIBUTE_INT, NULL, "features of the output" },
  { NULL },
};

static const SymAttributeSpec conv_attributes[] = {
  { "filters", SYM_ATTRIBUTE_INT, NULL, "channels of the output" },
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { NULL },
};

static const SymAttributeSpec depthwise_attributes[] = {
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { NULL },
};

static const SymAttributeSpec pool_attributes[] = {
  { "pool_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { NULL },
};

static const SymAttributeSpec normalized_attributes[] = {
  { "momentum", SYM_ATTRIBUTE_FLOAT, NULL, "of the moving averages" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, NULL, "added to the variance" },
  { NULL },
};

static const SymAttributeSpec folded_attributes[] = {
  { "filters", SYM_ATTRIBUTE_INT, NULL, "channels of the output" },
  { "kernel_size", SYM_ATTRIBUTE_INTS, NULL, "size of the window" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, NULL, "of the moving averages" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, NULL, "added to the variance" },
  { NULL },
};

static const SymAttributeSpec activation_attributes[] = {
  { "activation", SYM_ATTRIBUTE_ANY, NULL, "the function" },
  { NULL },
};

static const SymAttributeSpec table_attributes[] = {
  { "input_dim", SYM_ATTRIBUTE_INT, NULL, "rows of the table" },
  { "output_dim", SYM_ATTRIBUTE_INT, NULL, "features of a row" },
  { NULL },
};

#define LIKE(name_, category_, attributes_, slots_)                                           \
  {                                                                                           \
    .domain = SYM_OP_KERAS_LIKE, .since_version = 1, .name = name_,                           \
    .summary = "What another package has extended " name_ " to",                              \
    .reference = "keras.layers." name_ ", shapes only", .category = SYM_CATEGORY_##category_, \
    .attributes = attributes_, .slots = slots_, .infer = infer,                               \
  }

#define FOLDED(name_, attributes_, slots_)                                                      \
  {                                                                                             \
    .domain = SYM_OP_KERAS_LIKE, .since_version = 1, .name = name_,                             \
    .summary = "A convolution and the normalization behind it in one layer of another package", \
    .reference = "qkeras.Q" name_ ", shapes only", .category = SYM_CATEGORY_WEIGHTS,            \
    .attributes = attributes_, .slots = slots_, .infer = infer_folded,                          \
  }

const SymOperator sym_op_keras_like[] = {
  LIKE ("Activation", ACTIVATION, activation_attributes, sym_op_keras_one),
  LIKE ("AveragePooling1D", POOLING, pool_attributes, sym_op_keras_one),
  LIKE ("AveragePooling2D", POOLING, pool_attributes, sym_op_keras_one),
  LIKE ("BatchNormalization", NORMALIZATION, normalized_attributes, sym_op_keras_normalized),
  LIKE ("Conv1D", WEIGHTS, conv_attributes, sym_op_keras_weighted),
  LIKE ("Conv2D", WEIGHTS, conv_attributes, sym_op_keras_weighted),
  FOLDED ("Conv2DBatchnorm", folded_attributes, folded_slots),
  LIKE ("Conv2DTranspose", WEIGHTS, conv_attributes, sym_op_keras_weighted),
  LIKE ("Conv3D", WEIGHTS, conv_attributes, sym_op_keras_weighted),
  LIKE ("Dense", WEIGHTS, dense_attributes, sym_op_keras_weighted),
  LIKE ("DepthwiseConv2D", WEIGHTS, depthwise_attributes, sym_op_keras_depthwise),
  FOLDED ("DepthwiseConv2DBatchnorm", folded_attributes + 1, folded_depthwise_slots),
  LIKE ("Embedding", WEIGHTS, table_attributes, sym_op_keras_table),
  LIKE ("MaxPooling1D", POOLING, pool_attributes, sym_op_keras_one),
  LIKE ("MaxPooling2D", POOLING, pool_attributes, sym_op_keras_one),
  LIKE ("SeparableConv1D", WEIGHTS, conv_attributes, sym_op_keras_separable),
  LIKE ("SeparableConv2D", WEIGHTS, conv_attributes, sym_op_keras_separable),
  { NULL },
};
