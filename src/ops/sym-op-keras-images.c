/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <string.h>

/* Images of another size, which may come without a batch. */
typedef struct {
  int rows; /* axis; columns follow */
  gint64 size[2];
} Images;

static gboolean
read_images (const SymAttributes *attributes, int rank, Images *self, GError **error)
{
  self->size[0] = sym_op_keras_get_int (attributes, "height", 0);
  self->size[1] = sym_op_keras_get_int (attributes, "width", 0);
  self->rows = rank - (sym_op_keras_is_channels_first (attributes) ? 2 : 3);
  if (MIN (self->size[0], self->size[1]) < 1 || MAX (self->size[0], self->size[1]) > G_MAXINT32)
    return sym_rule_fail (error, "height and width must be at least 1");
  return (rank == 3 || rank == 4) ||
         sym_rule_fail (error, "images must have 3 axes, or 4 with a batch, not %d", rank);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  Images self;

  if (shape.rank < 0)
    return sym_op_keras_set (rule, shape, error);
  if (!read_images (sym_rule_get_attributes (rule), shape.rank, &self, error))
    return FALSE;
  shape.dims[self.rows] = self.size[0];
  shape.dims[self.rows + 1] = self.size[1];
  return sym_op_keras_set (rule, shape, error);
}

static gboolean
begin (SymOpLower *self, Images *images)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  g_autoptr (GError) error = NULL;

  if (!sym_op_lower_need_tensor (self, 0))
    return FALSE;
  if (!read_images (sym_op_keras_attributes (self), shape->rank, images, &error))
    {
      sym_op_lower_fail (self, "%s: %s", sym_op_lower_get_type (self), error->message);
      return FALSE;
    }
  if (shape->dims[images->rows] > 0 && shape->dims[images->rows + 1] > 0)
    return TRUE;
  sym_op_lower_refuse (self, "%s: the size of the images is not known",
                       sym_op_lower_get_type (self));
  return FALSE;
}

/* ---- Resizing ---- */

/* @x of @shape in the size of @images. */
static SymId
resize (SymOpLower *self, const Images *images, SymId x, SymShape shape)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  const char *how = sym_op_keras_get_string (attributes, "interpolation", "bilinear");
  SymShape to = shape;

  for (int i = 0; i < 2; i++)
    to.dims[images->rows + i] = images->size[i];
  return sym_op_keras_resize (self, x, &shape, &to, how, "half_pixel", "round_prefer_ceil",
                              sym_op_keras_get_bool (attributes, "antialias", FALSE));
}

/* The largest part of the images that has their new proportions, or the smallest frame around them
 * that has, rounded as Keras does. */
static void
get_frame (const Images *images, const SymShape *shape, gboolean is_around, gint64 *frame)
{
  for (int i = 0; i < 2; i++)
    {
      gint64 own = shape->dims[images->rows + i], other = shape->dims[images->rows + 1 - i];
      double wanted = (double) other * (double) images->size[i] / (double) images->size[1 - i];

      wanted = CLAMP (wanted, 1, G_MAXINT32);
      frame[i] = is_around ? MAX (own, (gint64) wanted) : MIN (own, (gint64) wanted);
    }
}

/* The middle of the images. */
static SymId
crop (SymOpLower *self, const Images *images, SymId x, SymShape *shape, const gint64 *size)
{
  for (int i = 0; i < 2; i++)
    {
      gint64 *dim = &shape->dims[images->rows + i], start = (*dim - size[i]) / 2;

      x = sym_op_lower_slice (self, x, images->rows + i, start, start + size[i], 1);
      *dim = size[i];
    }
  return x;
}

static SymId
resize_middle (SymOpLower *self, const Images *images)
{
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  gint64 frame[2];
  SymId x = sym_op_keras_input (self, 0);

  get_frame (images, &shape, FALSE, frame);
  x = crop (self, images, x, &shape, frame);
  return resize (self, images, x, shape);
}

/* Bars of `fill_value`, as wide on both sides. */
static SymId
resize_framed (SymOpLower *self, const Images *images)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  gint64 frame[2], pads[2 * SYM_MAX_RANK] = { 0 };
  SymId x = sym_op_keras_input (self, 0), fill;

  get_frame (images, &shape, TRUE, frame);
  for (int i = 0; i < 2; i++)
    {
      gint64 *dim = &shape.dims[images->rows + i], bar = (frame[i] - *dim) / 2;

      pads[images->rows + i] = pads[images->rows + i + shape.rank] = bar;
      *dim += 2 * bar;
    }
  fill = sym_op_lower_number (self, sym_op_keras_get_dtype (attributes),
                              sym_op_keras_get_float (attributes, "fill_value", 0));
  x = sym_op_lower_call (self, "Pad",
                         SYM_IDS (x, sym_op_lower_ints (self, pads, 2 * shape.rank), fill), NULL);
  return resize (self, images, x, shape);
}

static void
lower_resizing (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  SymId x;
  Images images;

  if (!begin (self, &images))
    return;
  if (sym_op_keras_get_bool (attributes, "crop_to_aspect_ratio", FALSE))
    x = resize_middle (self, &images);
  else if (sym_op_keras_get_bool (attributes, "pad_to_aspect_ratio", FALSE))
    x = resize_framed (self, &images);
  else
    x = resize (self, &images, sym_op_keras_input (self, 0),
                *sym_op_lower_get_input_shape (self, 0));
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Parts ---- */

/* Of images that are too small, what has the proportions is enlarged. */
static void
lower_center_crop (SymOpLower *self)
{
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  Images images;

  if (!begin (self, &images))
    return;
  if (shape.dims[images.rows] < images.size[0] || shape.dims[images.rows + 1] < images.size[1])
    sym_op_lower_set_output (self, 0, resize_middle (self, &images));
  else
    sym_op_lower_set_output (
        self, 0, crop (self, &images, sym_op_keras_input (self, 0), &shape, images.size));
}

/* Where nothing is trained, nothing is random. */
static void
lower_random_crop (SymOpLower *self)
{
  Images images;

  if (begin (self, &images))
    sym_op_lower_set_output (self, 0, resize_middle (self, &images));
}

/* ---- Tables ---- */

#define SIZE                                                                        \
  { "height", SYM_ATTRIBUTE_INT, NULL, "rows of the result" },                      \
      { "width", SYM_ATTRIBUTE_INT, NULL, "columns of the result" },                \
  {                                                                                 \
    "data_format", SYM_ATTRIBUTE_STRING, "channels_last", "where the channels are", \
        "channels_first channels_last"                                              \
  }

static const SymAttributeSpec crop_attributes[] = { SIZE, { NULL } };

static const SymAttributeSpec resizing_attributes[] = {
  SIZE,
  { "interpolation", SYM_ATTRIBUTE_STRING, "bilinear", "what is put between" },
  { "crop_to_aspect_ratio", SYM_ATTRIBUTE_BOOL, "False", "whether edges are cut off first" },
  { "pad_to_aspect_ratio", SYM_ATTRIBUTE_BOOL, "False", "whether bars are put around first" },
  { "fill_value", SYM_ATTRIBUTE_FLOAT, "0.0", "what the bars are of" },
  { "antialias", SYM_ATTRIBUTE_BOOL, "False", "whether what is made smaller is smoothed" },
  { NULL },
};

#define IMAGES(name_, summary_, attributes_, lower_)                                      \
  {                                                                                       \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_, \
                  .category = SYM_CATEGORY_SHAPE, .attributes = attributes_,              \
                  .slots = sym_op_keras_one, .infer = infer, .lower = lower_,             \
  }

const SymOperator sym_op_keras_images[] = {
  IMAGES ("CenterCrop", "The middle of images", crop_attributes, lower_center_crop),
  IMAGES ("RandomCrop", "Any part of images in training", crop_attributes, lower_random_crop),
  IMAGES ("Resizing", "Images of another size", resizing_attributes, lower_resizing),
  { NULL },
};
