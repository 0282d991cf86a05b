/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-kernel.h"
#include "ops/sym-op-mxnet-images.h"

/* Pictures [H, W, C], or batches of them [N, H, W, C], in ONNX's layers. */

static int
get_rank (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;

  if (!sym_op_lower_need_tensor (self, 0))
    return 0;
  if (rank == 3 || rank == 4)
    return rank;
  sym_op_lower_fail (self, "%s: a picture has 3 axes, or 4 in a batch, not %d",
                     sym_op_lower_get_type (self), rank);
  return 0;
}

static SymId
number_of (SymOpLower *self, double number)
{
  return sym_op_lower_number (self, SYM_DTYPE_FLOAT32, number);
}

/* Results of integers are rounded and stay in their range. */
static void
store (SymOpLower *self, SymId x)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  if (dtype == SYM_DTYPE_UINT8)
    x = sym_op_lower_call (
        self, "Clip",
        SYM_IDS (sym_op_lower_unary (self, "Round", x), number_of (self, 0), number_of (self, 255)),
        NULL);
  else if (!sym_dtype_is_floating (dtype))
    x = sym_op_lower_unary (self, "Round", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, dtype));
}

static SymId
take (SymOpLower *self)
{
  return sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32);
}

void
sym_op_mxnet_lower_to_tensor (SymOpLower *self)
{
  int rank = get_rank (self);
  SymId x;

  if (rank == 0)
    return;
  x = sym_op_lower_binary (self, "Div", take (self), number_of (self, 255));
  sym_op_lower_set_output (self, 0,
                           rank == 3 ? sym_op_lower_transpose (self, x, 3, 2, 0, 1)
                                     : sym_op_lower_transpose (self, x, 4, 0, 3, 1, 2));
}

/* A list among the attributes, one for each of @n channels or one for all: [n, 1, 1]. */
static SymId
take_channels (SymOpLower *self, const char *name, gint64 n, double fallback)
{
  const SymValue *list =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), name);
  guint n_given = list == NULL ? 0 : sym_value_get_n_children (list);
  double numbers[64];
  SymArray array = { SYM_DTYPE_FLOAT64, SYM_SHAPE (n, 1, 1), numbers };

  if (n < 1 || n > (gint64) G_N_ELEMENTS (numbers) || (n_given > 1 && n_given < n))
    {
      sym_op_lower_fail (self, "%s: %u numbers of %s do not fit to %" G_GINT64_FORMAT " channels",
                         sym_op_lower_get_type (self), n_given, name, n);
      return SYM_NO_ID;
    }
  for (guint i = 0; i < n; i++)
    {
      numbers[i] = fallback;
      if (list != NULL && n_given == 0)
        sym_value_get_float (list, &numbers[i]);
      else if (n_given > 0)
        sym_value_get_float (sym_value_get_child (list, n_given == 1 ? 0 : i), &numbers[i]);
    }
  return sym_op_lower_cast (self, sym_op_lower_array (self, &array),
                            sym_op_lower_get_input_dtype (self, 0));
}

/* Channels come first here. */
void
sym_op_mxnet_lower_normalize (SymOpLower *self)
{
  int rank = get_rank (self);
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId x;

  if (rank == 0)
    return;
  x = sym_op_lower_binary (self, "Sub", sym_op_lower_input (self, 0),
                           take_channels (self, "mean", shape->dims[rank - 3], 0));
  x = sym_op_lower_binary (self, "Div", x, take_channels (self, "std", shape->dims[rank - 3], 1));
  sym_op_lower_set_output (self, 0, x);
}

/* One size with keep_ratio is that of the shorter side. */
static gboolean
find_size (SymOpLower *self, gint64 height, gint64 width, gint64 size[2])
{
  gint64 given[2];
  int n = sym_op_lower_get_ints (self, "size", given, 2);

  if (n < 1 || n > 2 || given[0] < 1 || given[n - 1] < 1 || height < 1 || width < 1)
    {
      sym_op_lower_fail (self, "%s: size must be a width and a height",
                         sym_op_lower_get_type (self));
      return FALSE;
    }
  size[0] = given[n - 1];
  size[1] = given[0];
  if (n == 1 && sym_op_lower_get_bool (self, "keep_ratio", FALSE))
    {
      size[0] = height > width ? given[0] * height / width : given[0];
      size[1] = height > width ? given[0] : given[0] * width / height;
    }
  return TRUE;
}

void
sym_op_mxnet_lower_resize_image (SymOpLower *self)
{
  int rank = get_rank (self);
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  gint64 interpolation = sym_op_lower_get_int (self, "interp", 1), size[2];
  SymId x;

  if (rank == 0 || !find_size (self, shape.dims[rank - 3], shape.dims[rank - 2], size))
    return;
  if (interpolation != 0 && interpolation != 1)
    {
      sym_op_lower_refuse (self, "%s: interp %" G_GINT64_FORMAT " is not lowered; 0 and 1 are",
                           sym_op_lower_get_type (self), interpolation);
      return;
    }
  shape.dims[rank - 3] = size[0];
  shape.dims[rank - 2] = size[1];
  x = sym_op_lower_call (
      self, "Resize",
      SYM_IDS (take (self), SYM_NO_ID, SYM_NO_ID, sym_op_lower_ints (self, shape.dims, shape.rank)),
      "mode", sym_value_new_string (interpolation == 0 ? "nearest" : "linear"),
      "coordinate_transformation_mode",
      sym_value_new_string (interpolation == 0 ? "asymmetric" : "half_pixel"), "nearest_mode",
      sym_value_new_string ("floor"), NULL);
  store (self, x);
}

void
sym_op_mxnet_lower_crop_image (SymOpLower *self)
{
  int rank = get_rank (self);
  gint64 x = sym_op_lower_get_int (self, "x", 0), y = sym_op_lower_get_int (self, "y", 0);
  gint64 width = sym_op_lower_get_int (self, "width", 0);
  gint64 height = sym_op_lower_get_int (self, "height", 0);
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymId part = sym_op_lower_input (self, 0);

  if (rank == 0)
    return;
  if (x < 0 || y < 0 || width < 1 || height < 1 || x > shape->dims[rank - 2] - width ||
      y > shape->dims[rank - 3] - height)
    {
      sym_op_lower_fail (self, "%s: the part does not lie on the picture",
                         sym_op_lower_get_type (self));
      return;
    }
  part = sym_op_lower_slice (self, part, rank - 3, y, y + height, 1);
  part = sym_op_lower_slice (self, part, rank - 2, x, x + width, 1);
  sym_op_lower_set_output (self, 0, part);
}

/* ---- Flips ---- */

/* The random ones flip all pictures of a batch together. */
void
sym_op_mxnet_lower_flip (SymOpLower *self)
{
  const char *name = sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
  int rank = get_rank (self);
  gint64 axis = g_str_has_suffix (name, "left_right") ? rank - 2 : rank - 3;
  SymId x = sym_op_lower_input (self, 0), flipped, draw;

  if (rank == 0)
    return;
  flipped = sym_op_lower_slice (self, x, (int) axis, -1, G_MININT64, -1);
  if (strstr (name, "random") != NULL)
    {
      draw = sym_op_lower_call (self, "RandomUniform", SYM_IDS (SYM_NO_ID), "shape",
                                sym_op_lower_list ((const gint64[]){ 1 }, 1), NULL);
      draw = sym_op_lower_binary (self, "Less", draw,
                                  number_of (self, sym_op_lower_get_float (self, "p", 0.5)));
      flipped = sym_op_lower_call (self, "Where", SYM_IDS (draw, flipped, x), NULL);
    }
  sym_op_lower_set_output (self, 0, flipped);
}

/* ---- Light ---- */

/* A number between two attributes. */
static SymId
draw_factor (SymOpLower *self)
{
  return sym_op_lower_call (
      self, "RandomUniform", SYM_IDS (SYM_NO_ID), "shape",
      sym_op_lower_list ((const gint64[]){ 1 }, 1), "low",
      sym_value_new_float (sym_op_lower_get_float (self, "min_factor", 1)), "high",
      sym_value_new_float (sym_op_lower_get_float (self, "max_factor", 1)), NULL);
}

/* How bright each place is: red, green and blue count by 0.299, 0.587 and 0.114. */
static SymId
find_gray (SymOpLower *self, SymId x, int rank)
{
  const float weights[3] = { 0.299f, 0.587f, 0.114f };
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (3), (void *) weights };
  const gint64 axis = rank - 1;

  return sym_op_lower_reduce (
      self, "ReduceSum", sym_op_lower_binary (self, "Mul", x, sym_op_lower_array (self, &array)),
      &axis, 1, TRUE);
}

/* Between the picture and black, its mean gray or its own gray, in the share of the factor. */
void
sym_op_mxnet_lower_blend (SymOpLower *self)
{
  const char *name = sym_layer_get_operator (sym_op_lower_get_layer (self))->name;
  int rank = get_rank (self);
  SymId x = take (self), factor, gray, rest;
  gint64 axes[3] = { rank - 3, rank - 2, rank - 1 };

  if (rank == 0)
    return;
  if (strcmp (name, "_image_random_brightness") != 0 &&
      sym_op_lower_get_input_shape (self, 0)->dims[rank - 1] != 3)
    {
      sym_op_lower_refuse (self, "%s: pictures of other than 3 channels are not lowered", name);
      return;
    }
  factor = draw_factor (self);
  x = sym_op_lower_binary (self, "Mul", x, factor);
  if (strcmp (name, "_image_random_brightness") != 0)
    {
      gray = find_gray (self, take (self), rank);
      if (strcmp (name, "_image_random_contrast") == 0)
        gray = sym_op_lower_reduce (self, "ReduceMean", gray, axes, 3, TRUE);
      rest = sym_op_lower_binary (self, "Sub", number_of (self, 1), factor);
      x = sym_op_lower_binary (self, "Add", x, sym_op_lower_binary (self, "Mul", gray, rest));
    }
  store (self, x);
}

/* AlexNet's light: three directions of the colours of ImageNet, each in its amount. */
void
sym_op_mxnet_lower_lighting (SymOpLower *self)
{
  static const double directions[3][3] = { { -0.5675 * 55.46, 0.7192 * 4.794, 0.4009 * 1.148 },
                                           { -0.5808 * 55.46, -0.0045 * 4.794, -0.8140 * 1.148 },
                                           { -0.5836 * 55.46, -0.6948 * 4.794, 0.4203 * 1.148 } };
  int rank = get_rank (self);
  SymArray array = { SYM_DTYPE_FLOAT64, SYM_SHAPE (3, 3), (void *) directions };
  SymId amounts, light;

  if (rank == 0)
    return;
  if (sym_op_lower_get_input_shape (self, 0)->dims[rank - 1] != 3)
    {
      sym_op_lower_refuse (self, "%s: pictures of other than 3 channels are not lowered",
                           sym_op_lower_get_type (self));
      return;
    }
  if (strstr (sym_op_lower_get_type (self), "random") != NULL)
    amounts = sym_op_lower_call (
        self, "RandomNormal", SYM_IDS (SYM_NO_ID), "shape",
        sym_op_lower_list ((const gint64[]){ 3 }, 1), "scale",
        sym_value_new_float (sym_op_lower_get_float (self, "alpha_std", 0.05)), NULL);
  else
    amounts = sym_op_lower_reshape (
        self, sym_op_lower_cast (self, take_channels (self, "alpha", 3, 0), SYM_DTYPE_FLOAT32),
        &SYM_SHAPE (3));
  light = sym_op_lower_binary (
      self, "MatMul",
      sym_op_lower_cast (self, sym_op_lower_array (self, &array), SYM_DTYPE_FLOAT32), amounts);
  store (self, sym_op_lower_binary (self, "Add", take (self), light));
}
