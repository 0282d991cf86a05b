/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

/* Layers that do something in training only, and others that leave the shape alone. */

static void
lower_identity (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_unary (self, "Identity", sym_op_lower_input (self, 0)));
}

/* x * scale + offset, which may be lists along the last axis. */
static SymId
make_factor (SymOpLower *self, const char *name, double fallback)
{
  const SymValue *value = sym_op_keras_find (sym_op_keras_attributes (self), name);
  SymDType dtype = sym_op_keras_get_dtype (sym_op_keras_attributes (self));
  guint n = value == NULL ? 0 : sym_value_get_n_children (value);
  g_autofree float *numbers = g_new0 (float, n + 1);
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (n), numbers };

  if (n == 0)
    return sym_op_lower_number (
        self, dtype, sym_op_keras_get_float (sym_op_keras_attributes (self), name, fallback));
  for (guint i = 0; i < n; i++)
    {
      double number;

      if (!sym_value_get_float (sym_value_get_child (value, i), &number))
        {
          sym_op_lower_fail (self, "%s must be a number or a list of numbers", name);
          return SYM_NO_ID;
        }
      numbers[i] = (float) number;
    }
  return sym_op_lower_cast_from (self, sym_op_lower_array (self, &array), SYM_DTYPE_FLOAT32, dtype);
}

static gboolean
infer_rescaling (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 0,
                                    sym_op_keras_get_dtype (sym_rule_get_attributes (rule)), error);
}

static void
lower_rescaling (SymOpLower *self)
{
  SymId x = sym_op_lower_binary (self, "Mul", sym_op_keras_input (self, 0),
                                 make_factor (self, "scale", 1));

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Add", x, make_factor (self, "offset", 0)));
}

/* Steps whose features all are mask_value become 0. */
static void
lower_masking (SymOpLower *self)
{
  double mask = sym_op_keras_get_float (sym_op_keras_attributes (self), "mask_value", 0);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0);
  SymId same = sym_op_lower_binary (self, "Equal", x, sym_op_lower_number (self, dtype, mask));
  SymId differs = sym_op_lower_cast (self, sym_op_lower_unary (self, "Not", same), SYM_DTYPE_INT32);
  gint64 last = -1;

  differs = sym_op_lower_reduce (self, "ReduceMax", differs, &last, 1, TRUE);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Mul", x, sym_op_lower_cast (self, differs, dtype)));
  if (sym_op_lower_get_n_outputs (self) > 1)
    {
      SymId steps =
          sym_op_lower_binary (self, "Squeeze", differs, sym_op_lower_ints (self, &last, 1));

      sym_op_lower_set_output (self, 1, sym_op_lower_cast (self, steps, SYM_DTYPE_BOOL));
    }
}

static gboolean
infer_masking (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  if (shape.rank > 0 && sym_rule_get_n_outputs (rule) > 1)
    {
      shape = sym_op_remove_axis (&shape, shape.rank - 1);
      if (!sym_op_set_output (rule, 1, shape, SYM_DTYPE_BOOL, error))
        return FALSE;
    }
  return sym_op_keras_same (rule, error);
}

static int
count_masking (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return 2;
}

static const char *const masking_outputs[] = { "output", "mask", NULL };

static const SymAttributeSpec rate_attributes[] = {
  { "rate", SYM_ATTRIBUTE_FLOAT, "0.5", "how much is left out in training" },
  { NULL },
};

static const SymAttributeSpec noise_attributes[] = {
  { "stddev", SYM_ATTRIBUTE_FLOAT, "1.0", "how much noise is added in training" },
  { NULL },
};

static const SymAttributeSpec no_attributes[] = { { NULL } };

static const SymAttributeSpec rescaling_attributes[] = {
  { "scale", SYM_ATTRIBUTE_ANY, NULL, "what the data is multiplied by" },
  { "offset", SYM_ATTRIBUTE_ANY, "0.0", "what is added then" },
  { NULL },
};

static const SymAttributeSpec masking_attributes[] = {
  { "mask_value", SYM_ATTRIBUTE_FLOAT, "0.0", "what stands for no element" },
  { NULL },
};

#define IDENTITY(name_, summary_, attributes_)                                                    \
  {                                                                                               \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_,         \
                  .category = SYM_CATEGORY_NORMALIZATION, .attributes = attributes_,              \
                  .slots = sym_op_keras_one, .infer = sym_op_keras_same, .lower = lower_identity, \
  }

const SymOperator sym_op_keras_identity[] = {
  IDENTITY ("ActivityRegularization", "Adds to the loss; the data passes", no_attributes),
  IDENTITY ("AlphaDropout",
            "Leaves numbers out in training, keeping mean and variance",
            rate_attributes),
  IDENTITY ("Dropout", "Leaves numbers out in training", rate_attributes),
  IDENTITY ("GaussianDropout", "Multiplies by noise in training", rate_attributes),
  IDENTITY ("GaussianNoise", "Adds noise in training", noise_attributes),
  IDENTITY ("Identity", "The data as it is", no_attributes),
  IDENTITY ("SpatialDropout1D", "Leaves channels out in training", rate_attributes),
  IDENTITY ("SpatialDropout2D", "Leaves channels out in training", rate_attributes),
  IDENTITY ("SpatialDropout3D", "Leaves channels out in training", rate_attributes),
  IDENTITY ("AugMix", "Mixes augmented images in training", no_attributes),
  IDENTITY ("CutMix", "Puts images into each other in training", no_attributes),
  IDENTITY ("MixUp", "Mixes images in training", no_attributes),
  IDENTITY ("RandAugment", "Changes images in training", no_attributes),
  IDENTITY ("RandomBrightness", "Changes brightness in training", no_attributes),
  IDENTITY ("RandomColorDegeneration", "Takes colour away in training", no_attributes),
  IDENTITY ("RandomColorJitter", "Changes colours in training", no_attributes),
  IDENTITY ("RandomContrast", "Changes contrast in training", no_attributes),
  IDENTITY ("RandomElasticTransform", "Bends images in training", no_attributes),
  IDENTITY ("RandomErasing", "Leaves parts of images out in training", no_attributes),
  IDENTITY ("RandomFlip", "Mirrors images in training", no_attributes),
  IDENTITY ("RandomGaussianBlur", "Blurs images in training", no_attributes),
  IDENTITY ("RandomGrayscale", "Makes images grey in training", no_attributes),
  IDENTITY ("RandomHeight", "Stretches images in training", no_attributes),
  IDENTITY ("RandomHue", "Turns colours in training", no_attributes),
  IDENTITY ("RandomInvert", "Inverts images in training", no_attributes),
  IDENTITY ("RandomPerspective", "Tilts images in training", no_attributes),
  IDENTITY ("RandomPosterization", "Takes shades away in training", no_attributes),
  IDENTITY ("RandomRotation", "Turns images in training", no_attributes),
  IDENTITY ("RandomSaturation", "Changes saturation in training", no_attributes),
  IDENTITY ("RandomSharpness", "Sharpens images in training", no_attributes),
  IDENTITY ("RandomShear", "Shears images in training", no_attributes),
  IDENTITY ("RandomTranslation", "Moves images in training", no_attributes),
  IDENTITY ("RandomWidth", "Stretches images in training", no_attributes),
  IDENTITY ("RandomZoom", "Enlarges images in training", no_attributes),
  {
      SYM_OP_KERAS,
      .name = "Masking",
      .summary = "Marks steps that are to be skipped",
      .reference = "keras.layers.Masking",
      .category = SYM_CATEGORY_OTHER,
      .attributes = masking_attributes,
      .slots = sym_op_keras_one,
      .get_n_outputs = count_masking,
      .output_names = masking_outputs,
      .infer = infer_masking,
      .lower = lower_masking,
  },
  {
      SYM_OP_KERAS,
      .name = "Rescaling",
      .summary = "Multiplied and shifted",
      .reference = "keras.layers.Rescaling",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = rescaling_attributes,
      .slots = sym_op_keras_one,
      .infer = infer_rescaling,
      .lower = lower_rescaling,
  },
  { NULL },
};
