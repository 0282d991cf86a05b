/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"
#include "ops/sym-op.h"

/* What the layers of a dialect have alike: it changes nothing in what they compute, or is what
 * another version of the dialect called something that an operator knows. */

/* Keras 1.2, 2.15 and 3; defaults are those of most layers. */
static const SymAttributeSpec keras[] = {
  { "trainable", SYM_ATTRIBUTE_BOOL, "True", "whether training changes its weights" },
  { "dtype", SYM_ATTRIBUTE_ANY, "float32", "what it computes in, or its policy for that" },
  { "batch_input_shape", SYM_ATTRIBUTE_ANY, "None", "shape of the data, the batch included" },
  { "input_shape", SYM_ATTRIBUTE_ANY, "None", "shape of the data without the batch" },
  { "input_dtype", SYM_ATTRIBUTE_DTYPE, "float32", "type of the data, in Keras 1" },
  { "input_dim", SYM_ATTRIBUTE_INT, "None", "features of the data" },
  { "input_length", SYM_ATTRIBUTE_INT, "None", "steps of the data" },
  { "activity_regularizer", SYM_ATTRIBUTE_ANY, "None", "what training adds for its results" },
  { "kernel_regularizer", SYM_ATTRIBUTE_ANY, "None", "what training adds for the kernel" },
  { "bias_regularizer", SYM_ATTRIBUTE_ANY, "None", "what training adds for the bias" },
  { "gamma_regularizer", SYM_ATTRIBUTE_ANY, "None", "what training adds for the factors" },
  { "beta_regularizer", SYM_ATTRIBUTE_ANY, "None", "what training adds for the offsets" },
  { "depthwise_regularizer", SYM_ATTRIBUTE_ANY, "None",
    "what training adds for the kernel of each channel" },
  { "pointwise_regularizer", SYM_ATTRIBUTE_ANY, "None",
    "what training adds for the kernel across channels" },
  { "W_regularizer", SYM_ATTRIBUTE_ANY, "None", "what training adds for the kernel, in Keras 1" },
  { "b_regularizer", SYM_ATTRIBUTE_ANY, "None", "what training adds for the bias, in Keras 1" },
  { "kernel_constraint", SYM_ATTRIBUTE_ANY, "None", "what training keeps the kernel to" },
  { "bias_constraint", SYM_ATTRIBUTE_ANY, "None", "what training keeps the bias to" },
  { "gamma_constraint", SYM_ATTRIBUTE_ANY, "None", "what training keeps the factors to" },
  { "beta_constraint", SYM_ATTRIBUTE_ANY, "None", "what training keeps the offsets to" },
  { "depthwise_constraint", SYM_ATTRIBUTE_ANY, "None",
    "what training keeps the kernel of each channel to" },
  { "pointwise_constraint", SYM_ATTRIBUTE_ANY, "None",
    "what training keeps the kernel across channels to" },
  { "W_constraint", SYM_ATTRIBUTE_ANY, "None", "what training keeps the kernel to, in Keras 1" },
  { "b_constraint", SYM_ATTRIBUTE_ANY, "None", "what training keeps the bias to, in Keras 1" },
  { "kernel_initializer", SYM_ATTRIBUTE_ANY, "glorot_uniform", "what the kernel starts with" },
  { "bias_initializer", SYM_ATTRIBUTE_ANY, "zeros", "what the bias starts with" },
  { "gamma_initializer", SYM_ATTRIBUTE_ANY, "ones", "what the factors start with" },
  { "beta_initializer", SYM_ATTRIBUTE_ANY, "zeros", "what the offsets start with" },
  { "moving_mean_initializer", SYM_ATTRIBUTE_ANY, "zeros", "what the tracked mean starts with" },
  { "moving_variance_initializer", SYM_ATTRIBUTE_ANY, "ones",
    "what the tracked variance starts with" },
  { "momentum", SYM_ATTRIBUTE_FLOAT, "0.99",
    "how much of the tracked mean and variance each step of training keeps" },
  { "init", SYM_ATTRIBUTE_ANY, "glorot_uniform", "what the kernel starts with, in Keras 1" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added, in Keras 1" },
  { "nb_filter", SYM_ATTRIBUTE_INT, NULL, "channels of the output, in Keras 1" },
  { "nb_row", SYM_ATTRIBUTE_INT, NULL, "rows of the window, in Keras 1" },
  { "nb_col", SYM_ATTRIBUTE_INT, NULL, "columns of the window, in Keras 1" },
  { "filter_length", SYM_ATTRIBUTE_INT, NULL, "steps of the window, in Keras 1" },
  { "subsample", SYM_ATTRIBUTE_INTS, "(1, 1)", "how far the window goes, in Keras 1" },
  { "subsample_length", SYM_ATTRIBUTE_INT, "1", "how far the window goes, in Keras 1" },
  { "border_mode", SYM_ATTRIBUTE_STRING, "valid", "what lies beyond the border, in Keras 1",
    "valid same full" },
  { "dim_ordering", SYM_ATTRIBUTE_STRING, "default",
    "whether channels come before rows and columns (th) or after (tf), in Keras 1",
    "default th tf" },
  { "mode", SYM_ATTRIBUTE_ANY, "0",
    "what statistics are over (0: features, 1: each sample, 2: features, those of the batch at "
    "all times), in Keras 1" },
  { "output_dim", SYM_ATTRIBUTE_INT, NULL, "features of the output, in Keras 1" },
  { NULL },
};

/* Deeplearning4j 0.9 to 1.0.0-M2: how layers learn. */
static const SymAttributeSpec dl4j[] = {
  { "layerName", SYM_ATTRIBUTE_STRING, "None", "what the layer is called" },
  { "activationFn", SYM_ATTRIBUTE_ANY, "ActivationSigmoid", "of no use to this layer" },
  { "weightInit", SYM_ATTRIBUTE_ANY, "XAVIER", "how weights start" },
  { "weightInitFn", SYM_ATTRIBUTE_ANY, "WeightInitXavier", "how weights start" },
  { "biasInit", SYM_ATTRIBUTE_FLOAT, "0.0", "what biases start with" },
  { "gainInit", SYM_ATTRIBUTE_FLOAT, "1.0", "what gains start with" },
  { "dist", SYM_ATTRIBUTE_ANY, "None", "the distribution that weights start by" },
  { "iupdater", SYM_ATTRIBUTE_ANY, "Sgd", "how a step of training changes weights" },
  { "biasUpdater", SYM_ATTRIBUTE_ANY, "None", "how a step of training changes biases" },
  { "l1", SYM_ATTRIBUTE_FLOAT, "0.0", "what training adds for the sizes of weights" },
  { "l2", SYM_ATTRIBUTE_FLOAT, "0.0", "what training adds for the squares of weights" },
  { "l1Bias", SYM_ATTRIBUTE_FLOAT, "0.0", "what training adds for the sizes of biases" },
  { "l2Bias", SYM_ATTRIBUTE_FLOAT, "0.0", "what training adds for the squares of biases" },
  { "regularization", SYM_ATTRIBUTE_ANY, "None", "what training adds for the weights" },
  { "regularizationBias", SYM_ATTRIBUTE_ANY, "None", "what training adds for the biases" },
  { "gradientNormalization", SYM_ATTRIBUTE_STRING, "None", "how gradients are bounded" },
  { "gradientNormalizationThreshold", SYM_ATTRIBUTE_FLOAT, "1.0", "the bound of gradients" },
  { "idropout", SYM_ATTRIBUTE_ANY, "None", "what training leaves out of the input" },
  { "dropOut", SYM_ATTRIBUTE_FLOAT, "0.0", "the share of the input that training keeps" },
  { "weightNoise", SYM_ATTRIBUTE_ANY, "None", "what training disturbs weights by" },
  { "constraints", SYM_ATTRIBUTE_ANY, "None", "what training keeps weights to" },
  { "lossFn", SYM_ATTRIBUTE_ANY, "None", "what training makes small" },
  { "pretrain", SYM_ATTRIBUTE_BOOL, "False", "whether it is trained by itself first" },
  { "cudnnAlgoMode", SYM_ATTRIBUTE_STRING, "PREFER_FASTEST", "how cuDNN computes it" },
  { "cudnnAllowFallback", SYM_ATTRIBUTE_BOOL, "True", "whether it may do without cuDNN" },
  { NULL },
};

/* TensorFlow's operators, as a GraphDef has them. */
static const SymAttributeSpec tf[] = {
  { "T", SYM_ATTRIBUTE_DTYPE, NULL, "type of the data" },
  { "Index", SYM_ATTRIBUTE_DTYPE, NULL, "type of the indices" },
  { "Tindices", SYM_ATTRIBUTE_DTYPE, NULL, "type of the indices" },
  { "Tparams", SYM_ATTRIBUTE_DTYPE, NULL, "type of the table" },
  { "Tidx", SYM_ATTRIBUTE_DTYPE, "int32", "type of the axes" },
  { "Tdim", SYM_ATTRIBUTE_DTYPE, "int32", "type of the axis" },
  { "Tperm", SYM_ATTRIBUTE_DTYPE, "int32", "type of the order of axes" },
  { "Tshape", SYM_ATTRIBUTE_DTYPE, "int32", "type of the sizes" },
  { "Tpaddings", SYM_ATTRIBUTE_DTYPE, "int32", "type of the numbers of added elements" },
  { "use_cudnn_on_gpu", SYM_ATTRIBUTE_BOOL, "True", "how TensorFlow computes it on a GPU" },
  { "Truncate", SYM_ATTRIBUTE_BOOL, "False", "whether digits are cut off instead of rounded" },
  { NULL },
};

static const struct {
  const char *domain;
  const SymAttributeSpec *attributes;

  /* Whether there is one of that name or of one that it had before; NULL: names are what they were.
   */
  gboolean (*is_given) (const SymAttributes *attributes, const char *name);
} dialects[] = {
  { "dl4j", dl4j, NULL },
  { "keras", keras, sym_op_keras_is_given },
  { "tf", tf, NULL },
};

const SymAttributeSpec *
sym_op_find_dialect_attribute (const char *domain, const char *name)
{
  g_return_val_if_fail (domain != NULL && name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    if (g_str_equal (dialects[i].domain, domain))
      for (const SymAttributeSpec *spec = dialects[i].attributes; spec->name != NULL; spec++)
        if (g_str_equal (spec->name, name))
          return spec;
  return NULL;
}

gboolean
sym_op_is_given (const SymOperator *self, const SymAttributes *attributes, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    if (dialects[i].is_given != NULL && g_str_equal (dialects[i].domain, self->domain))
      return dialects[i].is_given (attributes, name);
  return sym_attributes_find (attributes, name) != NULL;
}
