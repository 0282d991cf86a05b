/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-boxes.h"
#include "ops/sym-op-mxnet.h"

/* ---- MultiBoxPrior ---- */

static const SymAttributeSpec prior_attributes[] = {
  { "sizes", SYM_ATTRIBUTE_FLOATS, "(1.0,)", "sizes of the boxes" },
  { "ratios", SYM_ATTRIBUTE_FLOATS, "(1.0,)", "widths over heights" },
  { "clip", SYM_ATTRIBUTE_BOOL, "False", "whether boxes are cut off at the border" },
  { "steps", SYM_ATTRIBUTE_FLOATS, "(-1.0, -1.0)", "distance of the boxes (y, x)" },
  { "offsets", SYM_ATTRIBUTE_FLOATS, "(0.5, 0.5)", "offset of the centres (y, x)" },
  { NULL },
};

static guint
count_children (SymRule *rule, const char *name, guint fallback)
{
  const SymValue *value = sym_attributes_find (sym_rule_get_attributes (rule), name);

  if (value == NULL)
    return fallback;
  return MAX (sym_value_get_n_children (value), 1);
}

/* data [N, C, H, W] -> [1, H * W * (sizes + ratios - 1), 4]. */
static gboolean
infer_prior (SymRule *rule, GError **error)
{
  guint n = count_children (rule, "sizes", 1) + count_children (rule, "ratios", 1) - 1;
  SymShape data;

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return sym_op_set_output (
      rule, 0,
      SYM_SHAPE (1,
                 sym_terms_product (sym_rule_get_terms (rule),
                                    (SymDim[]){ data.dims[2], data.dims[3], n }, 3),
                 4),
      SYM_DTYPE_UNKNOWN, error);
}

/* ---- MultiBoxTarget ---- */

static const SymAttributeSpec target_attributes[] = {
  { "overlap_threshold", SYM_ATTRIBUTE_FLOAT, "0.5", "overlap from which boxes match" },
  { "ignore_label", SYM_ATTRIBUTE_FLOAT, "-1.0", "label of boxes that do not count" },
  { "negative_mining_ratio", SYM_ATTRIBUTE_FLOAT, "-1.0", "most negatives for each positive" },
  { "negative_mining_thresh", SYM_ATTRIBUTE_FLOAT, "0.5",
    "overlap up to which boxes are negative" },
  { "minimum_negative_samples", SYM_ATTRIBUTE_INT, "0", "least number of negatives" },
  { "variances", SYM_ATTRIBUTE_FLOATS, "(0.1, 0.1, 0.2, 0.2)", "factors of the four offsets" },
  { NULL },
};

static const SymSlotSpec target_slots[] = { { "anchor" }, { "label" }, { "cls_pred" }, { NULL } };

static int
get_n_targets (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 3;
  return 3;
}

/* anchor [1, A, 4], label [N, L, W], cls_pred [N, classes, A]; offsets and their mask [N, A * 4],
 * classes [N, A]. */
static gboolean
infer_target (SymRule *rule, GError **error)
{
  SymShape anchor, label, offsets;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, SYM_SHAPE (1, SYM_DIM_UNKNOWN, 4), error) ||
      !sym_op_set_input (rule, 1, sym_shape_new_unknown (3), error))
    return FALSE;
  anchor = sym_rule_get_input (rule, 0);
  label = sym_rule_get_input (rule, 1);
  offsets =
      SYM_SHAPE (label.dims[0], sym_terms_multiply (sym_rule_get_terms (rule), anchor.dims[1], 4));
  return sym_op_set_input (rule, 2, SYM_SHAPE (label.dims[0], SYM_DIM_UNKNOWN, anchor.dims[1]),
                           error) &&
         sym_rule_set_output (rule, 0, &offsets, error) &&
         sym_rule_set_output (rule, 1, &offsets, error) &&
         sym_op_set_output (rule, 2, SYM_SHAPE (label.dims[0], anchor.dims[1]), SYM_DTYPE_UNKNOWN,
                            error);
}

/* ---- MultiBoxDetection ---- */

static const SymAttributeSpec detection_attributes[] = {
  { "clip", SYM_ATTRIBUTE_BOOL, "True", "whether boxes are cut off at the border" },
  { "threshold", SYM_ATTRIBUTE_FLOAT, "0.01", "score from which boxes count" },
  { "background_id", SYM_ATTRIBUTE_INT, "0", "class of the background" },
  { "nms_threshold", SYM_ATTRIBUTE_FLOAT, "0.5", "overlap from which the lesser box goes" },
  { "force_suppress", SYM_ATTRIBUTE_BOOL, "False", "whether boxes of other classes go too" },
  { "variances", SYM_ATTRIBUTE_FLOATS, "(0.1, 0.1, 0.2, 0.2)", "factors of the four offsets" },
  { "nms_topk", SYM_ATTRIBUTE_INT, "-1", "number of best boxes kept before; -1 for all" },
  { NULL },
};

static const SymSlotSpec detection_slots[] = { { "cls_prob" },
                                               { "loc_pred" },
                                               { "anchor" },
                                               { NULL } };

/* cls_prob [N, classes, A], loc_pred [N, A * 4], anchor [1, A, 4] -> [N, A, 6]. */
static gboolean
infer_detection (SymRule *rule, GError **error)
{
  SymShape classes;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (3), error))
    return FALSE;
  classes = sym_rule_get_input (rule, 0);
  return sym_op_set_input (
             rule, 1,
             SYM_SHAPE (classes.dims[0],
                        sym_terms_multiply (sym_rule_get_terms (rule), classes.dims[2], 4)),
             error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (1, classes.dims[2], 4), error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (classes.dims[0], classes.dims[2], 6),
                            SYM_DTYPE_UNKNOWN, error);
}

/* ---- box_nms ---- */

static const SymAttributeSpec nms_attributes[] = {
  { "overlap_thresh", SYM_ATTRIBUTE_FLOAT, "0.5", "overlap from which the lesser box goes" },
  { "valid_thresh", SYM_ATTRIBUTE_FLOAT, "0.0", "score from which boxes count" },
  { "topk", SYM_ATTRIBUTE_INT, "-1", "number of best boxes kept before; -1 for all" },
  { "coord_start", SYM_ATTRIBUTE_INT, "2", "where the four coordinates begin" },
  { "score_index", SYM_ATTRIBUTE_INT, "1", "where the score is" },
  { "id_index", SYM_ATTRIBUTE_INT, "-1", "where the class is; -1 for no class" },
  { "background_id", SYM_ATTRIBUTE_INT, "-1", "class of the background" },
  { "force_suppress", SYM_ATTRIBUTE_BOOL, "False", "whether boxes of other classes go too" },
  { "in_format", SYM_ATTRIBUTE_STRING, "corner", "center or corner", "corner center" },
  { "out_format", SYM_ATTRIBUTE_STRING, "corner", "center or corner", "corner center" },
  { NULL },
};

/* The boxes in order, and for the gradient the place that each had. */
static gboolean
infer_nms (SymRule *rule, GError **error)
{
  SymShape boxes, places;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  boxes = sym_rule_get_input (rule, 0);
  if (boxes.rank < 0)
    return TRUE;
  if (boxes.rank < 2)
    return sym_rule_fail (error, "input must have dim >= 2: number and width of the boxes");
  places = boxes;
  places.dims[boxes.rank - 1] = 1;
  return sym_rule_set_output (rule, 1, &places, error);
}

/* ---- box_iou ---- */

static const SymAttributeSpec format_attributes[] = {
  { "format", SYM_ATTRIBUTE_STRING, "corner", "center or corner", "corner center" },
  { NULL },
};

static gboolean
infer_iou (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);
  SymShape out = { .rank = 0 };

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (a.rank < 1 || b.rank < 1 || a.rank + b.rank - 2 > SYM_MAX_RANK)
    return TRUE;
  for (int i = 0; i < a.rank - 1; i++)
    out.dims[out.rank++] = a.dims[i];
  for (int i = 0; i < b.rank - 1; i++)
    out.dims[out.rank++] = b.dims[i];
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- bipartite_matching ---- */

static const SymAttributeSpec matching_attributes[] = {
  { "is_ascend", SYM_ATTRIBUTE_BOOL, "False", "whether the least score is the best" },
  { "threshold", SYM_ATTRIBUTE_FLOAT, NULL, "score from which pairs match" },
  { "topk", SYM_ATTRIBUTE_INT, "-1", "most matches; -1 for all" },
  { NULL },
};

static int
get_n_matches (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 2;
  return 2;
}

/* [..., rows, columns] -> for each row a column, for each column a row. */
static gboolean
infer_matching (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (data.rank < 2)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_op_remove_axis (&data, data.rank - 1), SYM_DTYPE_UNKNOWN,
                            error) &&
         sym_op_set_output (rule, 1, sym_op_remove_axis (&data, data.rank - 2), SYM_DTYPE_UNKNOWN,
                            error);
}

/* ---- box_encode, box_decode ---- */

static const SymSlotSpec encode_slots[] = { { "samples" }, { "matches" }, { "anchors" }, { "refs" },
                                            { "means" },   { "stds" },    { NULL } };

/* samples and matches [B, N], anchors [B, N, 4], refs [B, M, 4]; targets and masks [B, N, 4]. */
static gboolean
infer_encode (SymRule *rule, GError **error)
{
  SymShape boxes;

  if (!sym_op_set_input (rule, 2, SYM_SHAPE (SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, 4), error))
    return FALSE;
  boxes = sym_rule_get_input (rule, 2);
  if (boxes.rank != 3)
    return TRUE;
  return sym_op_set_input (rule, 0, SYM_SHAPE (boxes.dims[0], boxes.dims[1]), error) &&
         sym_op_set_input (rule, 1, SYM_SHAPE (boxes.dims[0], boxes.dims[1]), error) &&
         sym_op_set_output (rule, 0, boxes, SYM_DTYPE_UNKNOWN, error) &&
         sym_op_set_output (rule, 1, boxes, SYM_DTYPE_UNKNOWN, error);
}

static const SymAttributeSpec decode_attributes[] = {
  { "std0", SYM_ATTRIBUTE_FLOAT, "1.0", "divisor of the first offset" },
  { "std1", SYM_ATTRIBUTE_FLOAT, "1.0", "divisor of the second offset" },
  { "std2", SYM_ATTRIBUTE_FLOAT, "1.0", "divisor of the third offset" },
  { "std3", SYM_ATTRIBUTE_FLOAT, "1.0", "divisor of the fourth offset" },
  { "clip", SYM_ATTRIBUTE_FLOAT, "-1.0", "where offsets are cut off; not below 0" },
  { "format", SYM_ATTRIBUTE_STRING, "center", "center or corner: format of the anchors",
    "corner center" },
  { NULL },
};

static const SymSlotSpec decode_slots[] = { { "data" }, { "anchors" }, { NULL } };

/* data [B, N, 4], anchors [1, N, 4]. */
static gboolean
infer_decode (SymRule *rule, GError **error)
{
  SymShape data;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error) ||
      !sym_op_set_input (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, 4), error) ||
      !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  data = sym_rule_get_input (rule, 0);
  return sym_op_set_input (rule, 1, SYM_SHAPE (1, data.dims[1], 4), error);
}

#define BOXES(name_, aliases_, summary_, attributes_, slots_, infer_)              \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,           \
                .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_OTHER, \
                .attributes = attributes_, .slots = slots_, .infer = infer_

const SymOperator sym_op_mxnet_boxes[] = {
  { BOXES ("_contrib_MultiBoxPrior",
           "MultiBoxPrior _npx_multibox_prior",
           "boxes around each place of a picture",
           prior_attributes,
           sym_op_mxnet_data,
           infer_prior),
    .run = sym_op_mxnet_run_prior, .lower = sym_op_mxnet_lower_prior },
  {
      BOXES ("_contrib_MultiBoxTarget",
             "MultiBoxTarget _npx_multibox_target",
             "targets of boxes, for training",
             target_attributes,
             target_slots,
             infer_target),
      .run = sym_op_mxnet_run_box_target,
      .get_n_outputs = get_n_targets,
      .output_names = (const char *const[]){ "loc_target", "loc_mask", "cls_target", NULL },
  },
  { BOXES ("_contrib_MultiBoxDetection",
           "MultiBoxDetection _npx_multibox_detection",
           "boxes, scores and classes",
           detection_attributes,
           detection_slots,
           infer_detection),
    .run = sym_op_mxnet_run_detection, .lower = sym_op_mxnet_lower_detection },
  {
      BOXES ("_contrib_box_nms",
             "_contrib_box_non_maximum_suppression _npx_box_nms",
             "removes boxes that overlap better ones",
             nms_attributes,
             sym_op_mxnet_data,
             infer_nms),
      .run = sym_op_mxnet_run_nms,
      .lower = sym_op_mxnet_lower_nms,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
  },
  { BOXES ("_contrib_box_iou",
           "_npx_box_iou",
           "overlap of each box with each",
           format_attributes,
           sym_op_mxnet_pair,
           infer_iou),
    .run = sym_op_mxnet_run_iou, .lower = sym_op_mxnet_lower_iou },
  {
      BOXES ("_contrib_bipartite_matching",
             "_npx_bipartite_matching",
             "pairs rows with columns",
             matching_attributes,
             sym_op_mxnet_data,
             infer_matching),
      .run = sym_op_mxnet_run_matching,
      .get_n_outputs = get_n_matches,
  },
  {
      BOXES ("_contrib_box_encode",
             "_npx_box_encode",
             "boxes as offsets from anchors",
             NULL,
             encode_slots,
             infer_encode),
      .run = sym_op_mxnet_run_box_encode,
      .get_n_outputs = get_n_matches,
  },
  { BOXES ("_contrib_box_decode",
           "_npx_box_decode",
           "offsets from anchors as boxes",
           decode_attributes,
           decode_slots,
           infer_decode),
    .run = sym_op_mxnet_run_box_decode, .lower = sym_op_mxnet_lower_box_decode },
  { NULL },
};
