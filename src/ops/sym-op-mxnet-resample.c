/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "ops/sym-op-mxnet-regions.h"
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- UpSampling ---- */

static const SymAttributeSpec upsampling_attributes[] = {
  { "scale", SYM_ATTRIBUTE_INT, NULL, "factor of height and width" },
  { "num_filter", SYM_ATTRIBUTE_INT, "0", "number of channels, for bilinear" },
  { "sample_type", SYM_ATTRIBUTE_STRING, NULL, "bilinear or nearest", "nearest bilinear" },
  { "multi_input_mode", SYM_ATTRIBUTE_STRING, "concat", "concat or sum: several operands",
    "concat sum" },
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "workspace", SYM_ATTRIBUTE_INT, "512", "scratch memory allowed, in MB" },
  { NULL },
};

static const SymSlotSpec upsampling_slots[] = {
  { "data" },
  { "weight", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static int
get_n_upsampled (const SymAttributes *attributes)
{
  if (sym_op_has_string (attributes, "sample_type", "bilinear"))
    return 2;
  return sym_op_mxnet_get_num_args (attributes);
}

/* Channels of all operands together, or of one of them. */
static SymDim
count_channels (SymRule *rule)
{
  gboolean sum = sym_op_has_string (sym_rule_get_attributes (rule), "multi_input_mode", "sum");
  SymDim channels = 0;

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape own = sym_rule_get_input (rule, i);
      SymDim more = own.rank == 4 ? own.dims[1] : SYM_DIM_UNKNOWN;

      channels = sum ? more : sym_terms_add (sym_rule_get_terms (rule), channels, more);
    }
  return channels;
}

static gboolean
infer_upsampling (SymRule *rule, GError **error)
{
  gboolean bilinear = sym_op_has_string (sym_rule_get_attributes (rule), "sample_type", "bilinear");
  gint64 scale = sym_rule_get_int (rule, "scale", 0), kernel;
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape data, out;

  if (scale < 1 || scale > G_MAXINT16)
    return sym_rule_fail (error, "scale is %" G_GINT64_FORMAT "; it should be at least 1", scale);
  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  out = data;
  out.dims[2] = sym_terms_multiply (terms, data.dims[2], scale);
  out.dims[3] = sym_terms_multiply (terms, data.dims[3], scale);
  kernel = 2 * scale - scale % 2;
  if (!bilinear)
    out.dims[1] = count_channels (rule);
  else if (!sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[1], 1, kernel, kernel), error))
    return FALSE;
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- BilinearResize2D ---- */

static const SymAttributeSpec resize_attributes[] = {
  { "height", SYM_ATTRIBUTE_INT, "1", "height of the result" },
  { "width", SYM_ATTRIBUTE_INT, "1", "width of the result" },
  { "scale_height", SYM_ATTRIBUTE_FLOAT, "None", "factor of the height, instead" },
  { "scale_width", SYM_ATTRIBUTE_FLOAT, "None", "factor of the width, instead" },
  { "mode", SYM_ATTRIBUTE_STRING, "size",
    "like, odd_scale, size, to_even_down, to_even_up, to_odd_down or to_odd_up",
    "size odd_scale like to_even_down to_even_up to_odd_down to_odd_up" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "True", "whether the corners stay in place" },
  { NULL },
};

static const SymSlotSpec resize_slots[] = { { "data" }, { "like", SYM_SLOT_DATA, TRUE }, { NULL } };

static int
get_n_resized (const SymAttributes *attributes)
{
  return sym_op_has_string (attributes, "mode", "like") ? 2 : 1;
}

/* A size times a factor, cut off to an integer; unknown for what is not known. */
static SymDim
scale_size (SymDim size, double factor)
{
  double scaled = (double) size * factor;

  return size < 0 || !(scaled >= 0 && scaled < 0x1p53) ? SYM_DIM_UNKNOWN : (SymDim) scaled;
}

static SymDim
resize (SymDim size, SymDim like, gint64 fixed, double factor, const char *mode)
{
  if (strcmp (mode, "like") == 0)
    return like;
  if (strcmp (mode, "size") == 0)
    return isnan (factor) ? fixed : scale_size (size, factor);
  if (size < 0)
    return SYM_DIM_UNKNOWN;
  if (strcmp (mode, "odd_scale") == 0)
    return size % 2 == 0 || isnan (factor) ? scale_size (size, factor)
                                           : scale_size (size - 1, factor) + 1;
  if (strcmp (mode, "to_even_down") == 0)
    return size - size % 2;
  if (strcmp (mode, "to_even_up") == 0)
    return size + size % 2;
  if (strcmp (mode, "to_odd_down") == 0)
    return size - (size + 1) % 2;
  return strcmp (mode, "to_odd_up") == 0 ? size + (size + 1) % 2 : SYM_DIM_UNKNOWN;
}

static gboolean
infer_resize (SymRule *rule, GError **error)
{
  const char *mode = sym_rule_get_string (rule, "mode", "size");
  SymShape data, like = sym_shape_new_unknown (4), out;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_set_input (rule, 0, like, error) ||
      !sym_op_set_input (rule, 1, like, error))
    return FALSE;
  out = data = sym_rule_get_input (rule, 0);
  if (sym_rule_has_input (rule, 1))
    like = sym_rule_get_input (rule, 1);
  out.dims[2] = resize (data.dims[2], like.dims[2], sym_rule_get_int (rule, "height", 1),
                        sym_rule_get_float (rule, "scale_height", (double) NAN), mode);
  out.dims[3] = resize (data.dims[3], like.dims[3], sym_rule_get_int (rule, "width", 1),
                        sym_rule_get_float (rule, "scale_width", (double) NAN), mode);
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- GridGenerator, BilinearSampler, SpatialTransformer ---- */

static const SymAttributeSpec grid_attributes[] = {
  { "transform_type", SYM_ATTRIBUTE_STRING, NULL, "affine or warp", "affine warp" },
  { "target_shape", SYM_ATTRIBUTE_INTS, "(0, 0)", "(h, w) of an affine grid" },
  { NULL },
};

/* An affine matrix [N, 6], or a flow [N, 2, H, W], gives a grid [N, 2, H, W]. */
static gboolean
infer_grid (SymRule *rule, GError **error)
{
  gboolean warp = sym_op_has_string (sym_rule_get_attributes (rule), "transform_type", "warp");
  gint64 size[2];
  SymShape data;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_get_ints (rule, "target_shape", 2, 0, size, error))
    return FALSE;
  if (warp)
    return sym_op_set_input (
               rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN, 2, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN), error) &&
           sym_op_pass_shape (rule, 0, 0, error);
  if (!sym_op_set_input (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN, 6), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (data.dims[0], 2, size[0] > 0 ? size[0] : SYM_DIM_UNKNOWN,
                                       size[1] > 0 ? size[1] : SYM_DIM_UNKNOWN),
                            SYM_DTYPE_UNKNOWN, error);
}

static const SymAttributeSpec sampler_attributes[] = {
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "None", "whether cuDNN is not used" },
  { NULL },
};

static const SymSlotSpec sampler_slots[] = { { "data" }, { "grid" }, { NULL } };

static gboolean
infer_sampler (SymRule *rule, GError **error)
{
  SymShape data, grid;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (!sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[0], 2, SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN),
                         error))
    return FALSE;
  grid = sym_rule_get_input (rule, 1);
  return grid.rank != 4 ||
         sym_op_set_output (rule, 0,
                            SYM_SHAPE (data.dims[0], data.dims[1], grid.dims[2], grid.dims[3]),
                            SYM_DTYPE_UNKNOWN, error);
}

static const SymAttributeSpec transformer_attributes[] = {
  { "target_shape", SYM_ATTRIBUTE_INTS, "(0, 0)", "(h, w) of the result" },
  { "transform_type", SYM_ATTRIBUTE_STRING, NULL, "affine", "affine" },
  { "sampler_type", SYM_ATTRIBUTE_STRING, NULL, "bilinear", "bilinear" },
  { "cudnn_off", SYM_ATTRIBUTE_BOOL, "None", "whether cuDNN is not used" },
  { NULL },
};

static const SymSlotSpec transformer_slots[] = { { "data" }, { "loc" }, { NULL } };

static gboolean
infer_transformer (SymRule *rule, GError **error)
{
  gint64 size[2];
  SymShape data;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_get_ints (rule, "target_shape", 2, 0, size, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[0], 6), error) &&
         sym_op_set_output (rule, 0,
                            SYM_SHAPE (data.dims[0], data.dims[1],
                                       size[0] > 0 ? size[0] : SYM_DIM_UNKNOWN,
                                       size[1] > 0 ? size[1] : SYM_DIM_UNKNOWN),
                            SYM_DTYPE_UNKNOWN, error);
}

static int
get_hidden_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return 3;
}

/* ---- Correlation ---- */

static const SymAttributeSpec correlation_attributes[] = {
  { "kernel_size", SYM_ATTRIBUTE_INT, "1", "size of the patches, odd" },
  { "max_displacement", SYM_ATTRIBUTE_INT, "1", "furthest distance" },
  { "stride1", SYM_ATTRIBUTE_INT, "1", "step in the first" },
  { "stride2", SYM_ATTRIBUTE_INT, "1", "step of the distances" },
  { "pad_size", SYM_ATTRIBUTE_INT, "0", "zeros put around" },
  { "is_multiply", SYM_ATTRIBUTE_BOOL, "True", "whether patches are multiplied, not subtracted" },
  { NULL },
};

static const SymSlotSpec correlation_slots[] = { { "data1" }, { "data2" }, { NULL } };

/* ceil ((size + 2 * pad - 2 * border) / stride). */
static SymDim
get_displaced (SymTerms *terms, SymDim size, gint64 pad, gint64 border, gint64 stride)
{
  SymDim padded = sym_terms_add (terms, size, 2 * pad);

  return sym_terms_ceil_divide (terms, sym_terms_subtract (terms, padded, 2 * border), stride);
}

static gboolean
infer_correlation (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 kernel = sym_rule_get_int (rule, "kernel_size", 1);
  gint64 furthest = sym_rule_get_int (rule, "max_displacement", 1);
  gint64 first = sym_rule_get_int (rule, "stride1", 1),
         second = sym_rule_get_int (rule, "stride2", 1);
  gint64 pad = sym_rule_get_int (rule, "pad_size", 0), border, across;
  SymShape data;

  if (kernel < 1 || kernel % 2 == 0 || kernel > G_MAXINT16 || furthest < 0 ||
      furthest > G_MAXINT16 || first < 1 || second < 1 || pad < 0 || pad > G_MAXINT16)
    return sym_rule_fail (error, "kernel_size should be odd, strides at least 1, and neither "
                                 "max_displacement nor pad_size negative");
  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  border = furthest + (kernel - 1) / 2;
  across = furthest / second * 2 + 1;
  return sym_rule_set_input (rule, 1, &data, error) &&
         sym_op_set_output (rule, 0,
                            SYM_SHAPE (data.dims[0], across * across,
                                       get_displaced (terms, data.dims[2], pad, border, first),
                                       get_displaced (terms, data.dims[3], pad, border, first)),
                            SYM_DTYPE_UNKNOWN, error);
}

/* ---- Lowering ---- */

static SymId
lower_to (SymOpLower *self, SymId x, const SymShape *shape, const char *mode, const char *places)
{
  SymId sizes = sym_op_lower_ints (self, shape->dims, shape->rank);

  return sym_op_lower_call (self, "Resize", SYM_IDS (x, SYM_NO_ID, SYM_NO_ID, sizes), "mode",
                            sym_value_new_string (mode), "coordinate_transformation_mode",
                            sym_value_new_string (places), "nearest_mode",
                            sym_value_new_string ("floor"), NULL);
}

/* All operands grow to one height and width, then lie one after the other, or are added up. */
static void
lower_nearest (SymOpLower *self)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  gboolean sum = sym_op_lower_has_string (self, "multi_input_mode", "sum");
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    {
      SymShape shape = *out;

      if (!sym_op_lower_need_tensor (self, i))
        return;
      shape.dims[1] = sym_op_lower_get_input_shape (self, i)->dims[1];
      parts[i] = lower_to (self, sym_op_lower_input (self, i), &shape, "nearest", "asymmetric");
    }
  if (n == 1)
    sym_op_lower_set_output (self, 0, parts[0]);
  else if (sum)
    sym_op_lower_set_output (self, 0, sym_op_lower_call (self, "Sum", (SymIds){ parts, n }, NULL));
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                                sym_value_new_int (1), NULL));
}

/* A bilinear one is a deconvolution of each channel by its own weight. */
static void
lower_upsampling (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  gint64 scale = sym_op_lower_get_int (self, "scale", 1);
  gint64 pad = scale / 2, strides[2] = { scale, scale }, pads[4] = { pad, pad, pad, pad };
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank != 4)
    return;
  if (!sym_op_lower_has_string (self, "sample_type", "bilinear"))
    {
      lower_nearest (self);
      return;
    }
  if (!sym_op_lower_need_tensor (self, 1))
    return;
  x = sym_op_lower_call (
      self, "ConvTranspose", SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
      "strides", sym_op_lower_list (strides, 2), "pads", sym_op_lower_list (pads, 4), "group",
      sym_value_new_int (data->dims[1]), NULL);
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_resize (SymOpLower *self)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  gboolean corners = sym_op_lower_get_bool (self, "align_corners", TRUE);

  if (sym_op_lower_need_tensor (self, 0) && out->rank == 4)
    sym_op_lower_set_output (self, 0,
                             lower_to (self, sym_op_lower_input (self, 0), out, "linear",
                                       corners ? "align_corners" : "half_pixel"));
}

/* [N, 2, H, W] of places from -1 to 1, x first, as ONNX's GridSample has them: [N, H, W, 2]. */
static SymId
lower_sample (SymOpLower *self, SymId grid)
{
  SymId places = sym_op_lower_transpose (self, grid, 4, 0, 2, 3, 1);

  return sym_op_lower_call (self, "GridSample", SYM_IDS (sym_op_lower_input (self, 0), places),
                            "align_corners", sym_value_new_int (1), "mode",
                            sym_value_new_string ("linear"), "padding_mode",
                            sym_value_new_string ("zeros"), NULL);
}

static void
lower_sampler (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0, lower_sample (self, sym_op_lower_input (self, 1)));
}

/* The affine matrices of operand @i as a grid [N, 2, H, W]. */
static SymId
lower_affine (SymOpLower *self, guint i, const SymShape *out)
{
  gint64 batch = sym_op_lower_get_input_shape (self, i)->dims[0];
  SymId matrices =
      sym_op_lower_reshape (self, sym_op_lower_input (self, i), &SYM_SHAPE (batch, 2, 3));
  SymShape size = SYM_SHAPE (batch, 1, out->dims[2], out->dims[3]);
  SymId grid = sym_op_lower_call (self, "AffineGrid",
                                  SYM_IDS (matrices, sym_op_lower_ints (self, size.dims, 4)),
                                  "align_corners", sym_value_new_int (1), NULL);

  return sym_op_lower_transpose (self, grid, 4, 0, 3, 1, 2);
}

static void
lower_transformer (SymOpLower *self)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1) && out->rank == 4)
    sym_op_lower_set_output (self, 0, lower_sample (self, lower_affine (self, 1, out)));
}

/* A flow counts in pixels from each place: what it adds to the grid of no movement is scaled. */
static void
lower_grid (SymOpLower *self)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_lower_need_tensor (self, 0) || out->rank != 4)
    return;
  if (!sym_op_lower_has_string (self, "transform_type", "warp"))
    {
      sym_op_lower_set_output (self, 0, lower_affine (self, 0, out));
      return;
    }
  {
    SymId planes[2];

    for (int i = 0; i < 2; i++)
      {
        int axis = 3 - i;
        SymShape along = SYM_SHAPE (1, 1, 1, 1);
        double half = (double) (out->dims[axis] - 1) / 2;
        SymId index =
            sym_op_lower_call (self, "Range",
                               SYM_IDS (sym_op_lower_number (self, dtype, 0),
                                        sym_op_lower_number (self, dtype, (double) out->dims[axis]),
                                        sym_op_lower_number (self, dtype, 1)),
                               NULL);

        along.dims[axis] = out->dims[axis];
        planes[i] = sym_op_lower_binary (self, "Add", sym_op_lower_slice (self, x, 1, i, i + 1, 1),
                                         sym_op_lower_reshape (self, index, &along));
        planes[i] = sym_op_lower_binary (
            self, "Sub",
            sym_op_lower_binary (self, "Div", planes[i], sym_op_lower_number (self, dtype, half)),
            sym_op_lower_number (self, dtype, 1));
      }
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_call (self, "Concat", (SymIds){ planes, 2 }, "axis",
                                                sym_value_new_int (1), NULL));
  }
}

#define RESAMPLE(name_, aliases_, summary_, attributes_, slots_, infer_)           \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,           \
                .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE, \
                .attributes = attributes_, .slots = slots_, .infer = infer_

const SymOperator sym_op_mxnet_resample[] = {
  {
      RESAMPLE ("UpSampling",
                NULL,
                "makes pictures larger by a whole factor",
                upsampling_attributes,
                upsampling_slots,
                infer_upsampling),
      .lower = lower_upsampling,
      .get_n_operands = get_n_upsampled,
  },
  {
      RESAMPLE ("_contrib_BilinearResize2D",
                "BilinearResize2D",
                "resizes pictures",
                resize_attributes,
                resize_slots,
                infer_resize),
      .lower = lower_resize,
      .get_n_operands = get_n_resized,
  },
  {
      RESAMPLE ("GridGenerator",
                NULL,
                "a grid of places to sample at",
                grid_attributes,
                sym_op_mxnet_data,
                infer_grid),
      .lower = lower_grid,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .output_names = (const char *const[]){ "output", "grid_dst", NULL },
  },
  {
      RESAMPLE ("BilinearSampler",
                NULL,
                "samples at the places of a grid",
                sampler_attributes,
                sampler_slots,
                infer_sampler),
      .lower = lower_sampler,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .output_names = (const char *const[]){ "output", "tmp", NULL },
  },
  {
      RESAMPLE ("SpatialTransformer",
                NULL,
                "samples at the places of an affine grid",
                transformer_attributes,
                transformer_slots,
                infer_transformer),
      .lower = lower_transformer,
      .get_n_outputs = get_hidden_two,
      .output_names = (const char *const[]){ "output", "grid_dst", "grid_src", NULL },
  },
  {
      RESAMPLE ("Correlation",
                NULL,
                "how alike the patches of two pictures are",
                correlation_attributes,
                correlation_slots,
                infer_correlation),
      .run = sym_op_mxnet_run_correlation,
      .get_n_outputs = get_hidden_two,
      .output_names = (const char *const[]){ "output", "tmp1", "tmp2", NULL },
  },
  { NULL },
};
