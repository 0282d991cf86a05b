/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-regions.h"

#include "ops/sym-op-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymSlotSpec roi_slots[] = { { "data" }, { "rois" }, { NULL } };

/* [rois, @channels, h, w] of the data [N, C, H, W] and the regions [rois, @width]. */
static gboolean
set_regions (SymRule *rule,
             SymDim channels,
             gint64 h,
             gint64 w,
             SymDim width,
             guint n_outputs,
             GError **error)
{
  SymShape regions, out;

  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error) ||
      !sym_op_set_input (rule, 1, SYM_SHAPE (SYM_DIM_UNKNOWN, width), error))
    return FALSE;
  regions = sym_rule_get_input (rule, 1);
  if (channels == SYM_DIM_UNKNOWN)
    channels = sym_rule_get_input (rule, 0).dims[1];
  out = SYM_SHAPE (regions.dims[0], channels, h > 0 ? h : SYM_DIM_UNKNOWN,
                   w > 0 ? w : SYM_DIM_UNKNOWN);
  for (guint i = 0; i < n_outputs; i++)
    if (!sym_rule_set_output (rule, i, &out, error))
      return FALSE;
  return TRUE;
}

/* ---- ROIPooling, ROIAlign ---- */

static const SymAttributeSpec pooling_attributes[] = {
  { "pooled_size", SYM_ATTRIBUTE_INTS, NULL, "(h, w) of each region in the result" },
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, NULL, "size of the data over that of the picture" },
  { NULL },
};

static const SymAttributeSpec turned_attributes[] = {
  { "pooled_size", SYM_ATTRIBUTE_INTS, NULL, "(h, w) of each region in the result" },
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, NULL, "size of the data over that of the picture" },
  { "sampling_ratio", SYM_ATTRIBUTE_INT, "-1", "samples of each place; -1 for what fits" },
  { NULL },
};

static const SymAttributeSpec align_attributes[] = {
  { "pooled_size", SYM_ATTRIBUTE_INTS, NULL, "(h, w) of each region in the result" },
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, NULL, "size of the data over that of the picture" },
  { "sample_ratio", SYM_ATTRIBUTE_INT, "-1", "samples of each place; -1 for what fits" },
  { "position_sensitive", SYM_ATTRIBUTE_BOOL, "False", "whether each place has its channels" },
  { "aligned", SYM_ATTRIBUTE_BOOL, "False", "whether centres are aligned" },
  { NULL },
};

static gboolean
infer_roi_pooling (SymRule *rule, GError **error)
{
  gint64 size[2];

  return sym_op_mxnet_tie_all_dtypes (rule, error) &&
         sym_op_get_ints (rule, "pooled_size", 2, 0, size, error) &&
         set_regions (rule, SYM_DIM_UNKNOWN, size[0], size[1], 5, 2, error);
}

static gboolean
infer_roi_align (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape data;
  SymDim channels = SYM_DIM_UNKNOWN;
  gint64 size[2];

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_get_ints (rule, "pooled_size", 2, 0, size, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  if (sym_rule_get_bool (rule, "position_sensitive", FALSE) &&
      !sym_terms_divide_exactly (terms, data.dims[1], sym_terms_multiply (terms, size[0], size[1]),
                                 &channels))
    return data.dims[1] < 0 ||
           sym_rule_fail (error, "Input channels should be divided by pooled_size[0]*pooled_size[1]"
                                 " when position_sensitive is true");
  return set_regions (rule, channels, size[0], size[1], 5, 1, error);
}

static gboolean
infer_rroi_align (SymRule *rule, GError **error)
{
  gint64 size[2];

  return sym_op_mxnet_tie_all_dtypes (rule, error) &&
         sym_op_get_ints (rule, "pooled_size", 2, 0, size, error) &&
         set_regions (rule, SYM_DIM_UNKNOWN, size[0], size[1], 6, 1, error);
}

/* ---- PSROIPooling ---- */

static const SymAttributeSpec psroi_attributes[] = {
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, NULL, "size of the data over that of the picture" },
  { "output_dim", SYM_ATTRIBUTE_INT, NULL, "number of output channels" },
  { "pooled_size", SYM_ATTRIBUTE_INT, NULL, "height and width of each region in the result" },
  { "group_size", SYM_ATTRIBUTE_INT, "0", "groups of channels along an axis" },
  { NULL },
};

static const SymAttributeSpec deformable_psroi_attributes[] = {
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, NULL, "size of the data over that of the picture" },
  { "output_dim", SYM_ATTRIBUTE_INT, NULL, "number of output channels" },
  { "group_size", SYM_ATTRIBUTE_INT, NULL, "groups of channels along an axis" },
  { "pooled_size", SYM_ATTRIBUTE_INT, NULL, "height and width of each region in the result" },
  { "part_size", SYM_ATTRIBUTE_INT, "0", "parts along an axis" },
  { "sample_per_part", SYM_ATTRIBUTE_INT, "1", "samples of each part" },
  { "trans_std", SYM_ATTRIBUTE_FLOAT, "0.0", "factor of the offsets" },
  { "no_trans", SYM_ATTRIBUTE_BOOL, "False", "whether there are no offsets" },
  { NULL },
};

static const SymSlotSpec trans_slots[] = { { "data" },
                                           { "rois" },
                                           { "trans", SYM_SLOT_DATA, TRUE },
                                           { NULL } };

static int
get_n_trans (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "no_trans", FALSE) ? 2 : 3;
}

static gboolean
infer_psroi (SymRule *rule, GError **error)
{
  gint64 channels = sym_rule_get_int (rule, "output_dim", 0);
  gint64 size = sym_rule_get_int (rule, "pooled_size", 0);

  return sym_op_mxnet_tie_all_dtypes (rule, error) &&
         set_regions (rule, MAX (channels, 1), size, size, 5, 2, error);
}

/* ---- Proposal ---- */

static const SymAttributeSpec proposal_attributes[] = {
  { "rpn_pre_nms_top_n", SYM_ATTRIBUTE_INT, "6000", "number of best boxes kept before" },
  { "rpn_post_nms_top_n", SYM_ATTRIBUTE_INT, "300", "number of boxes of the result" },
  { "threshold", SYM_ATTRIBUTE_FLOAT, "0.7", "overlap from which the lesser box goes" },
  { "rpn_min_size", SYM_ATTRIBUTE_INT, "16", "least height and width of a box" },
  { "scales", SYM_ATTRIBUTE_FLOATS, "(4.0, 8.0, 16.0, 32.0)", "sizes of the anchors" },
  { "ratios", SYM_ATTRIBUTE_FLOATS, "(0.5, 1.0, 2.0)", "heights over widths of the anchors" },
  { "feature_stride", SYM_ATTRIBUTE_INT, "16", "size of the picture over that of the data" },
  { "output_score", SYM_ATTRIBUTE_BOOL, "False", "whether scores are an output" },
  { "iou_loss", SYM_ATTRIBUTE_BOOL, "False", "whether offsets are those of corners" },
  { NULL },
};

static const SymSlotSpec proposal_slots[] = { { "cls_prob" },
                                              { "bbox_pred" },
                                              { "im_info" },
                                              { NULL } };

static int
get_n_proposals (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = sym_op_get_bool (attributes, "output_score", FALSE) ? 2 : 1;
  return 2;
}

/* cls_prob [N, 2 * anchors, H, W], bbox_pred [N, 4 * anchors, H, W], im_info [N, 3]; @n boxes. */
static gboolean
propose (SymRule *rule, SymDim n, const SymShape *classes, GError **error)
{
  SymShape offsets = *classes;

  offsets.dims[1] = sym_terms_multiply (sym_rule_get_terms (rule), classes->dims[1], 2);
  return sym_rule_set_input (rule, 1, &offsets, error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (classes->dims[0], 3), error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (n, 5), SYM_DTYPE_UNKNOWN, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (n, 1), SYM_DTYPE_UNKNOWN, error);
}

static gboolean
start_proposal (SymRule *rule, SymShape *classes, gint64 *n, GError **error)
{
  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  *classes = sym_rule_get_input (rule, 0);
  *n = MAX (sym_rule_get_int (rule, "rpn_post_nms_top_n", 300), 1);
  return TRUE;
}

static gboolean
infer_proposal (SymRule *rule, GError **error)
{
  SymShape classes;
  gint64 n;

  return start_proposal (rule, &classes, &n, error) && propose (rule, n, &classes, error);
}

static gboolean
infer_multi_proposal (SymRule *rule, GError **error)
{
  SymShape classes;
  gint64 n;

  return start_proposal (rule, &classes, &n, error) &&
         propose (rule, sym_terms_multiply (sym_rule_get_terms (rule), classes.dims[0], n),
                  &classes, error);
}

/* ---- Lowering ---- */

/* Of channels [out, places] the place of each cell: the diagonal of [.., places, cells]. */
static SymId
lower_diagonal (SymOpLower *self, SymId x, gint64 n_rois, gint64 channels, const gint64 size[2])
{
  gint64 n = size[0] * size[1], out = channels / n;
  SymId y = sym_op_lower_reshape (self, x, &SYM_SHAPE (n_rois, out, n, n));
  SymId own = sym_op_lower_call (
      self, "EyeLike", SYM_IDS (sym_op_lower_fill (self, SYM_DTYPE_FLOAT32, &SYM_SHAPE (n, n), 0)),
      "dtype", sym_value_new_dtype (sym_op_lower_get_input_dtype (self, 0)), NULL);
  const gint64 axis = 3;

  y = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_binary (self, "Mul", y, own), &axis, 1,
                           FALSE);
  return sym_op_lower_reshape (self, y, &SYM_SHAPE (n_rois, out, size[0], size[1]));
}

/* ONNX has the pictures of the regions apart; a region on none is 0. */
static void
lower_roi_align (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *rois = sym_op_lower_get_input_shape (self, 1);
  gboolean aligned = sym_op_lower_get_bool (self, "aligned", FALSE);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId zero = sym_op_lower_number (self, dtype, 0), pictures, y, there;
  gint64 size[2];

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      sym_op_lower_get_output_shape (self, 0)->rank != 4)
    return;
  sym_op_lower_get_ints (self, "pooled_size", size, 2);
  pictures = sym_op_lower_slice (self, sym_op_lower_input (self, 1), 1, 0, 1, 1);
  there = sym_op_lower_reshape (self, sym_op_lower_binary (self, "Less", pictures, zero),
                                &SYM_SHAPE (rois->dims[0], 1, 1, 1));
  pictures = sym_op_lower_reshape (self, sym_op_lower_binary (self, "Max", pictures, zero),
                                   &SYM_SHAPE (rois->dims[0]));
  y = sym_op_lower_call (
      self, "RoiAlign",
      SYM_IDS (sym_op_lower_input (self, 0),
               sym_op_lower_slice (self, sym_op_lower_input (self, 1), 1, 1, 5, 1),
               sym_op_lower_cast (self, pictures, SYM_DTYPE_INT64)),
      "coordinate_transformation_mode",
      sym_value_new_string (aligned ? "half_pixel" : "output_half_pixel"), "output_height",
      sym_value_new_int (size[0]), "output_width", sym_value_new_int (size[1]), "sampling_ratio",
      sym_value_new_int (MAX (sym_op_lower_get_int (self, "sample_ratio", -1), 0)), "spatial_scale",
      sym_value_new_float (sym_op_lower_get_float (self, "spatial_scale", 1)), NULL);
  y = sym_op_lower_call (self, "Where", SYM_IDS (there, zero, y), NULL);
  if (sym_op_lower_get_bool (self, "position_sensitive", FALSE))
    y = lower_diagonal (self, y, rois->dims[0], data->dims[1], size);
  sym_op_lower_set_output (self, 0, y);
}

#define REGIONS(name_, aliases_, summary_, attributes_, slots_, infer_)              \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,             \
                .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_POOLING, \
                .attributes = attributes_, .slots = slots_, .infer = infer_

const SymOperator sym_op_mxnet_regions[] = {
  {
      REGIONS ("ROIPooling",
               "_npx_roi_pooling",
               "greatest elements of each region",
               pooling_attributes,
               roi_slots,
               infer_roi_pooling),
      .run = sym_op_mxnet_run_roi_pooling,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .output_names = (const char *const[]){ "output", "maxidx", NULL },
  },
  { REGIONS ("_contrib_ROIAlign",
             "ROIAlign",
             "samples of each region",
             align_attributes,
             roi_slots,
             infer_roi_align),
    .lower = lower_roi_align },
  { REGIONS ("_contrib_RROIAlign",
             NULL,
             "samples of each turned region",
             turned_attributes,
             roi_slots,
             infer_rroi_align),
    .run = sym_op_mxnet_run_turned_regions },
  { REGIONS ("_contrib_PSROIPooling",
             "PSROIPooling",
             "means of parts of regions, each of its "
             "channels",
             psroi_attributes,
             roi_slots,
             infer_psroi),
    .run = sym_op_mxnet_run_psroi },
  {
      REGIONS ("_contrib_DeformablePSROIPooling",
               "DeformablePSROIPooling",
               "means of moved parts of regions",
               deformable_psroi_attributes,
               trans_slots,
               infer_psroi),
      .run = sym_op_mxnet_run_deformable_psroi,
      .get_n_operands = get_n_trans,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .output_names = (const char *const[]){ "output", "top_count", NULL },
  },
  {
      REGIONS ("_contrib_Proposal",
               "Proposal",
               "regions that may hold objects",
               proposal_attributes,
               proposal_slots,
               infer_proposal),
      .run = sym_op_mxnet_run_proposal,
      .get_n_outputs = get_n_proposals,
      .output_names = (const char *const[]){ "output", "score", NULL },
  },
  {
      REGIONS ("_contrib_MultiProposal",
               "MultiProposal",
               "regions of each picture of a batch",
               proposal_attributes,
               proposal_slots,
               infer_multi_proposal),
      .run = sym_op_mxnet_run_proposal,
      .get_n_outputs = get_n_proposals,
      .output_names = (const char *const[]){ "output", "score", NULL },
  },
  { NULL },
};
