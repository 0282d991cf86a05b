/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-images.h"
#include "ops/sym-op-mxnet.h"

/* Pictures [H, W, C], or batches of them [N, H, W, C]. */

/* ---- to_tensor ---- */

static gboolean
infer_to_tensor (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out;
  int rank = data.rank;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (rank != 3 && rank != 4)
    return sym_rule_fail (error,
                          "Input image must have shape (height x width x channels), or (N x "
                          "height x width x channels), but has %d axes",
                          rank);
  out = data;
  out.dims[rank - 3] = data.dims[rank - 1];
  out.dims[rank - 2] = data.dims[rank - 3];
  out.dims[rank - 1] = data.dims[rank - 2];
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- normalize ---- */

static const SymAttributeSpec normalize_attributes[] = {
  { "mean", SYM_ATTRIBUTE_FLOATS, "(0.0, 0.0, 0.0, 0.0)", "mean of each channel" },
  { "std", SYM_ATTRIBUTE_FLOATS, "(1.0, 1.0, 1.0, 1.0)", "deviation of each channel" },
  { NULL },
};

/* ---- resize, crop ---- */

static const SymAttributeSpec resize_attributes[] = {
  { "size", SYM_ATTRIBUTE_INTS, "()", "(w, h) of the result, or one size for both" },
  { "keep_ratio", SYM_ATTRIBUTE_BOOL, "False", "whether one size is that of the shorter side" },
  { "interp", SYM_ATTRIBUTE_INT, "1", "how it is interpolated; 1 is bilinear" },
  { NULL },
};

static const SymAttributeSpec crop_attributes[] = {
  { "x", SYM_ATTRIBUTE_INT, NULL, "left side" },
  { "y", SYM_ATTRIBUTE_INT, NULL, "top side" },
  { "width", SYM_ATTRIBUTE_INT, NULL, "width of the result" },
  { "height", SYM_ATTRIBUTE_INT, NULL, "height of the result" },
  { NULL },
};

static gboolean
set_size (SymRule *rule, SymDim height, SymDim width, GError **error)
{
  SymShape out = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (out.rank < 0)
    return TRUE;
  if (out.rank != 3 && out.rank != 4)
    return sym_rule_fail (error, "Input image dimension should be 3 or 4 but got %d", out.rank);
  out.dims[out.rank - 3] = height;
  out.dims[out.rank - 2] = width;
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_resize (SymRule *rule, GError **error)
{
  gint64 size[2];
  int n = sym_rule_get_ints (rule, "size", size, 2);

  if (n < 1 || n > 2)
    return sym_rule_fail (error, "Input size dimension must be 1 or 2, but got %d", MAX (n, 0));
  if (n == 1 && sym_rule_get_bool (rule, "keep_ratio", FALSE))
    return set_size (rule, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, error);
  return set_size (rule, size[n - 1] > 0 ? size[n - 1] : SYM_DIM_UNKNOWN,
                   size[0] > 0 ? size[0] : SYM_DIM_UNKNOWN, error);
}

static gboolean
infer_crop (SymRule *rule, GError **error)
{
  gint64 height = sym_rule_get_int (rule, "height", 0), width = sym_rule_get_int (rule, "width", 0);

  if (height < 1 || width < 1)
    return sym_rule_fail (error, "width and height should be at least 1");
  return set_size (rule, height, width, error);
}

/* ---- Random changes ---- */

static const SymAttributeSpec random_crop_attributes[] = {
  { "xrange", SYM_ATTRIBUTE_FLOATS, "(0.0, 1.0)", "where the left side may lie" },
  { "yrange", SYM_ATTRIBUTE_FLOATS, "(0.0, 1.0)", "where the top side may lie" },
  { "width", SYM_ATTRIBUTE_INT, NULL, "width of the result" },
  { "height", SYM_ATTRIBUTE_INT, NULL, "height of the result" },
  { "interp", SYM_ATTRIBUTE_INT, "1", "how it is interpolated; 1 is bilinear" },
  { NULL },
};

static const SymAttributeSpec resized_crop_attributes[] = {
  { "width", SYM_ATTRIBUTE_INT, NULL, "width of the result" },
  { "height", SYM_ATTRIBUTE_INT, NULL, "height of the result" },
  { "area", SYM_ATTRIBUTE_FLOATS, "(0.08, 1.0)", "share of the picture that is taken" },
  { "ratio", SYM_ATTRIBUTE_FLOATS, "(0.75, 1.3333334)", "width over height of what is taken" },
  { "interp", SYM_ATTRIBUTE_INT, "1", "how it is interpolated; 1 is bilinear" },
  { "max_trial", SYM_ATTRIBUTE_INT, "10", "most attempts" },
  { NULL },
};

static const SymAttributeSpec flip_attributes[] = {
  { "p", SYM_ATTRIBUTE_FLOAT, "0.5", "how likely it is" },
  { NULL },
};

static const SymAttributeSpec factor_attributes[] = {
  { "min_factor", SYM_ATTRIBUTE_FLOAT, NULL, "least factor" },
  { "max_factor", SYM_ATTRIBUTE_FLOAT, NULL, "greatest factor" },
  { NULL },
};

static const SymAttributeSpec jitter_attributes[] = {
  { "brightness", SYM_ATTRIBUTE_FLOAT, NULL, "how much the brightness may change" },
  { "contrast", SYM_ATTRIBUTE_FLOAT, NULL, "how much the contrast may change" },
  { "saturation", SYM_ATTRIBUTE_FLOAT, NULL, "how much the saturation may change" },
  { "hue", SYM_ATTRIBUTE_FLOAT, NULL, "how much the hue may change" },
  { NULL },
};

static const SymAttributeSpec lighting_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOATS, NULL, "amount of each of three lights" },
  { NULL },
};

static const SymAttributeSpec random_lighting_attributes[] = {
  { "alpha_std", SYM_ATTRIBUTE_FLOAT, "0.05", "deviation of the amounts" },
  { NULL },
};

#define IMAGE(name_, summary_, attributes_, infer_, lower_)                                      \
  {                                                                                              \
    SYM_OP_MXNET, .name = "_image_" name_, .aliases = "_npx__image_" name_, .summary = summary_, \
                  .reference = "MXNet 1.9.1 _image_" name_, .category = SYM_CATEGORY_SHAPE,      \
                  .attributes = attributes_, .slots = sym_op_mxnet_data, .infer = infer_,        \
                  .lower = lower_                                                                \
  }

const SymOperator sym_op_mxnet_image[] = {
  IMAGE ("to_tensor",
         "a picture as numbers between 0 and 1, channels first",
         NULL,
         infer_to_tensor,
         sym_op_mxnet_lower_to_tensor),
  IMAGE ("normalize",
         "less the mean, over the deviation",
         normalize_attributes,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_normalize),
  IMAGE ("resize",
         "a picture in another size",
         resize_attributes,
         infer_resize,
         sym_op_mxnet_lower_resize_image),
  IMAGE ("crop", "part of a picture", crop_attributes, infer_crop, sym_op_mxnet_lower_crop_image),
  IMAGE ("random_resized_crop",
         "a random part of a picture, in another size",
         resized_crop_attributes,
         infer_crop,
         NULL),
  IMAGE ("flip_left_right",
         "left and right exchanged",
         NULL,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_flip),
  IMAGE ("flip_top_bottom",
         "top and bottom exchanged",
         NULL,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_flip),
  IMAGE ("random_flip_left_right",
         "left and right perhaps exchanged",
         flip_attributes,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_flip),
  IMAGE ("random_flip_top_bottom",
         "top and bottom perhaps exchanged",
         flip_attributes,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_flip),
  IMAGE ("random_brightness",
         "another brightness",
         factor_attributes,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_blend),
  IMAGE ("random_contrast",
         "another contrast",
         factor_attributes,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_blend),
  IMAGE ("random_saturation",
         "another saturation",
         factor_attributes,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_blend),
  IMAGE ("random_hue", "another hue", factor_attributes, sym_op_infer_elementwise, NULL),
  IMAGE ("random_color_jitter", "other colors", jitter_attributes, sym_op_infer_elementwise, NULL),
  IMAGE ("adjust_lighting",
         "another light",
         lighting_attributes,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_lighting),
  IMAGE ("random_lighting",
         "another, random light",
         random_lighting_attributes,
         sym_op_infer_elementwise,
         sym_op_mxnet_lower_lighting),
  {
      SYM_OP_MXNET,
      .name = "_image_random_crop",
      .aliases = "_npx__image_random_crop",
      .summary = "a random part of a picture",
      .reference = "MXNet 2.0 _image_random_crop",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = random_crop_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .infer = infer_crop,
  },
  { NULL },
};
