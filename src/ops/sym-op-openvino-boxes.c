/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

#include <math.h>

#include "ops/sym-op-priors.h"

/* Boxes of detectors.  Before IR 10 the sizes of places and image are those of two operands, from
 * then on their numbers. */

#define MAX_GIVEN SYM_OP_PRIORS_MAX_RATIOS
#define MAX_PRIORS (3 * MAX_GIVEN)
#define MAX_NUMBERS (1 << 24)

/* ---- Boxes of a place ---- */

/* As widths and heights in pixels. */
typedef struct {
  double sizes[MAX_PRIORS * MAX_GIVEN][2];
  gint64 n;
} Priors;

static void
add_prior (Priors *self, double width, double height)
{
  self->sizes[self->n][0] = width;
  self->sizes[self->n++][1] = height;
}

static const char *
list_clustered (const SymAttributes *attributes, Priors *self)
{
  double widths[MAX_GIVEN], heights[MAX_GIVEN];
  int n = sym_op_priors_get_floats (attributes, "width", widths, MAX_GIVEN);

  if (n < 1 || sym_op_priors_get_floats (attributes, "height", heights, MAX_GIVEN) != n)
    return "width and height are not as many numbers";
  for (int i = 0; i < n; i++)
    add_prior (self, widths[i], heights[i]);
  return NULL;
}

/* From IR 10 on sizes that do not all have the ratios are shares of the image's height, as in
 * MXNet; largest sizes are not. */
static gboolean
has_shares (const SymOperator *op, const SymAttributes *attributes)
{
  return g_str_equal (op->domain, "openvino") && g_str_equal (op->name, "PriorBox") &&
         !sym_attributes_get_bool (attributes, "scale_all_sizes", TRUE);
}

static void
add_square (Priors *self, double side)
{
  add_prior (self, side, side);
}

/* A square of each smallest size, one between it and the largest, then the ratios: of each, or
 * behind the last of the first.  Where the order is another, the one between is last. */
static const char *
list_plain (const SymAttributes *attributes, double unit, Priors *self)
{
  double least[MAX_GIVEN], most[MAX_GIVEN], ratios[2 * MAX_GIVEN + 1], other[MAX_GIVEN];
  int n = sym_op_priors_get_floats (attributes, "min_size", least, MAX_GIVEN);
  int n_most = sym_op_priors_get_floats (attributes, "max_size", most, MAX_GIVEN);
  int n_ratios = sym_op_priors_list_ratios (attributes, "aspect_ratio", ratios);
  gboolean scales_all = sym_attributes_get_bool (attributes, "scale_all_sizes", TRUE);
  gboolean is_ordered = sym_attributes_get_bool (attributes, "min_max_aspect_ratios_order", TRUE);

  if (sym_op_priors_get_floats (attributes, "fixed_size", other, MAX_GIVEN) != 0 ||
      sym_op_priors_get_floats (attributes, "density", other, MAX_GIVEN) != 0)
    return "boxes of a fixed_size and a density are not computed";
  if (n < 1 || n_most < 0 || n_most > n || n_ratios < 0)
    return "min_size, max_size and aspect_ratio do not fit";
  for (int i = 0; i < n; i++)
    least[i] *= unit;
  for (int i = 0; i < n; i++)
    {
      add_square (self, least[i]);
      if (i < n_most && is_ordered)
        add_square (self, sqrt (least[i] * most[i]));
      for (int k = 1; k < n_ratios && (scales_all || i == n - 1); k++)
        add_prior (self, least[scales_all ? i : 0] * sqrt (ratios[k]),
                   least[scales_all ? i : 0] / sqrt (ratios[k]));
      if (i < n_most && !is_ordered)
        add_square (self, sqrt (least[i] * most[i]));
    }
  return NULL;
}

/* Of an image of @height.  NULL when they make no sense, with what is wrong. */
static Priors *
list_priors (const SymOperator *op,
             const SymAttributes *attributes,
             double height,
             const char **wrong)
{
  double unit = has_shares (op, attributes) ? height : 1;
  Priors *self = g_new (Priors, 1);

  self->n = 0;
  *wrong = g_str_equal (op->name, "PriorBox") ? list_plain (attributes, unit, self)
                                              : list_clustered (attributes, self);
  if (*wrong != NULL)
    g_clear_pointer (&self, g_free);
  return self;
}

/* ---- All boxes ---- */

static gboolean
infer_prior (SymRule *rule, GError **error)
{
  const SymOperator *op = sym_layer_get_operator (sym_rule_get_layer (rule));
  gboolean is_old = g_str_equal (op->domain, "openvino-old");
  const char *wrong;
  g_autofree Priors *priors = list_priors (op, sym_rule_get_attributes (rule), 1, &wrong);
  SymDim sizes[SYM_MAX_RANK];
  SymShape shape = sym_rule_get_input (rule, 0);

  if (priors == NULL) /* told when it is to run; the file tells the shape */
    return TRUE;
  if (is_old && shape.rank >= 0 && shape.rank != 4)
    return sym_rule_fail (error, "the data must have 4 axes, not %d", shape.rank);
  if (!is_old && sym_op_get_sizes (rule, 0, sizes) != 2)
    return TRUE;
  if (is_old && shape.rank < 0)
    return TRUE;
  if (is_old)
    {
      sizes[0] = shape.dims[2];
      sizes[1] = shape.dims[3];
    }
  sizes[2] = 4 * priors->n;
  sizes[0] = sym_terms_product (sym_rule_get_terms (rule), sizes, 3);
  shape = is_old ? SYM_SHAPE (1, 2, sizes[0]) : SYM_SHAPE (2, sizes[0]);
  return (!is_old || sym_op_pass_dtype (rule, 0, 0, error)) &&
         sym_op_set_output (rule, 0, shape, is_old ? SYM_DTYPE_UNKNOWN : SYM_DTYPE_FLOAT32, error);
}

typedef struct {
  gint64 rows, columns; /* of places */
  double height, width; /* of the image */
} Grid;

/* Clustered boxes of old IRs may tell another size of the image than that of the operand. */
static void
read_image (SymOpLower *self, Grid *grid)
{
  gint64 height = sym_op_lower_get_int (self, "img_h", 0);
  gint64 width = sym_op_lower_get_int (self, "img_w", 0);

  grid->height = height != 0 ? (double) height : grid->height;
  grid->width = width != 0 ? (double) width : grid->width;
}

static gboolean
read_grid (SymOpLower *self, Grid *grid)
{
  gboolean is_old =
      g_str_equal (sym_layer_get_operator (sym_op_lower_get_layer (self))->domain, "openvino-old");
  gint64 sizes[2][2];

  for (guint i = 0; i < 2; i++)
    {
      if (!sym_op_lower_need_tensor (self, i))
        return FALSE;
      for (int k = 0; is_old && k < 2; k++)
        sizes[i][k] = sym_op_foreign_size (self, i, 2 + k);
      if (!is_old && sym_op_lower_read_ints (self, i, sizes[i], 2) != 2)
        sym_op_lower_refuse (self, "%s: sizes that are computed are not known before",
                             sym_op_lower_get_type (self));
      if (sym_op_lower_has_failed (self))
        return FALSE;
    }
  *grid = (Grid){ sizes[0][0], sizes[0][1], (double) sizes[1][0], (double) sizes[1][1] };
  if (is_old && g_str_equal (sym_op_lower_get_type (self), "PriorBoxClustered"))
    read_image (self, grid);
  if (grid->rows >= 1 && grid->columns >= 1 && grid->height >= 1 && grid->width >= 1)
    return TRUE;
  sym_op_lower_refuse (self, "%s: sizes of data and image are not known",
                       sym_op_lower_get_type (self));
  return FALSE;
}

/* How far boxes are from each other, and in *@offset where they begin, in steps. */
static void
read_steps (SymOpLower *self, const Grid *grid, double *x, double *y, double *offset)
{
  const SymLayer *layer = sym_op_lower_get_layer (self);
  gboolean is_plain = g_str_equal (sym_op_lower_get_type (self), "PriorBox");
  double step = sym_op_lower_get_float (self, "step", 0);

  if (has_shares (sym_layer_get_operator (layer), sym_layer_get_attributes (layer)))
    step = step == -1 ? grid->height / (double) grid->rows : step * grid->height;
  *x = is_plain ? step : sym_op_lower_get_float (self, "step_w", 0);
  *y = is_plain ? step : sym_op_lower_get_float (self, "step_h", 0);
  *x = *x > 0 ? *x : step;
  *y = *y > 0 ? *y : step;
  *offset = sym_op_lower_get_float (self, "offset", 0.5);
  if (is_plain && step <= 0)
    *offset = 0.5;
  if (*x > 0 || *y > 0)
    return;
  *x = grid->width / (double) grid->columns;
  *y = grid->height / (double) grid->rows;
}

/* Corners, as shares of the image. */
static void
fill_boxes (SymOpLower *self, const Priors *priors, const Grid *grid, float *boxes)
{
  gboolean clips = sym_op_lower_get_bool (self, "clip", FALSE);
  double step_x, step_y, offset;

  read_steps (self, grid, &step_x, &step_y, &offset);
  for (gint64 i = 0; i < grid->rows * grid->columns; i++)
    for (gint64 k = 0; k < priors->n; k++)
      {
        double x = ((double) (i % grid->columns) + offset) * step_x;
        double y = ((double) (i / grid->columns) + offset) * step_y;
        const double *size = priors->sizes[k];

        boxes[0] = (float) ((x - size[0] / 2) / grid->width);
        boxes[1] = (float) ((y - size[1] / 2) / grid->height);
        boxes[2] = (float) ((x + size[0] / 2) / grid->width);
        boxes[3] = (float) ((y + size[1] / 2) / grid->height);
        for (int j = 0; j < 4 && clips; j++)
          boxes[j] = CLAMP (boxes[j], 0, 1);
        boxes += 4;
      }
}

/* Boxes, then as many variances. */
static void
lower_prior (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  double variances[MAX_GIVEN] = { 0.1 };
  const char *wrong;
  g_autofree Priors *priors = NULL;
  int n_variances = sym_op_priors_get_floats (attributes, "variance", variances, MAX_GIVEN);
  g_autofree float *numbers = NULL;
  SymArray array = { .dtype = SYM_DTYPE_FLOAT32 };
  SymId boxes;
  gint64 n;
  Grid grid;

  if (!read_grid (self, &grid))
    return;
  priors = list_priors (op, attributes, grid.height, &wrong);
  if (priors == NULL || (n_variances != 0 && n_variances != 1 && n_variances != 4))
    {
      sym_op_lower_refuse (self, "%s: %s", op->name,
                           wrong != NULL ? wrong : "variance must be one number, or four");
      return;
    }
  if (grid.rows > MAX_NUMBERS / 8 / priors->n / grid.columns)
    {
      sym_op_lower_refuse (self, "%s: there are more than %d boxes", op->name, MAX_NUMBERS / 8);
      return;
    }
  n = 4 * grid.rows * grid.columns * priors->n;
  numbers = g_new (float, 2 * n);
  fill_boxes (self, priors, &grid, numbers);
  for (gint64 i = 0; i < n; i++)
    numbers[n + i] = (float) variances[n_variances == 4 ? i % 4 : 0];
  array.shape = g_str_equal (op->domain, "openvino-old") ? SYM_SHAPE (1, 2, n) : SYM_SHAPE (2, n);
  array.data = numbers;
  boxes = sym_op_lower_array (self, &array);
  if (array.shape.rank == 3)
    boxes = sym_op_lower_cast_from (self, boxes, SYM_DTYPE_FLOAT32,
                                    sym_op_lower_get_input_dtype (self, 0));
  sym_op_lower_set_output (self, 0, boxes);
}

/* ---- What is found, and proposed ---- */

/* Of each picture as many as remain: picture and corners; then how sure it is. */
static gboolean
infer_proposal (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDim sizes[] = { shape.rank > 0 ? shape.dims[0] : SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN };
  gint64 n = sym_rule_get_int (rule, "post_nms_topn", 0);

  if (n > 0 && n <= G_MAXINT32)
    sizes[1] = n;
  sizes[0] = sym_terms_product (sym_rule_get_terms (rule), sizes, 2);
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (sizes[0], 5), SYM_DTYPE_UNKNOWN, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (sizes[0]), SYM_DTYPE_UNKNOWN, error);
}

/* ---- Regions ---- */

static void
lower_roi (SymOpLower *self)
{
  gint64 sizes[2] = { sym_op_lower_get_int (self, "pooled_h", 0),
                      sym_op_lower_get_int (self, "pooled_w", 0) };

  if (sizes[0] < 1 && sym_op_lower_get_ints (self, "output_size", sizes, 2) != 2)
    sym_op_lower_refuse (self, "ROIPooling: its sizes are not told");
  else if (!sym_op_lower_has_string (self, "method", "max") &&
           sym_op_lower_get_string (self, "method", NULL) != NULL)
    sym_op_lower_refuse (self, "ROIPooling: the method “%s” is not lowered",
                         sym_op_lower_get_string (self, "method", ""));
  else
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "MaxRoiPool",
                           SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
                           "pooled_shape", sym_op_lower_list (sizes, 2), "spatial_scale",
                           sym_value_new_float (sym_op_lower_get_float (self, "spatial_scale", 1)),
                           NULL));
}

/* Regions have no half of a place taken off them in versions before 9, and by default. */
static void
lower_roi_align (SymOpLower *self)
{
  const char *places = sym_op_lower_get_string (self, "aligned_mode", "asymmetric");

  if (!sym_op_lower_is_rule (self) && (!sym_op_lower_has_string (self, "mode", "avg") ||
                                       g_ascii_strcasecmp (places, "asymmetric") != 0))
    sym_op_lower_refuse (self, "ROIAlign: only means, and regions as they are, are lowered");
  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "RoiAlign",
          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                   sym_op_openvino_ints (self, 2)),
          "coordinate_transformation_mode", sym_value_new_string ("output_half_pixel"),
          "output_height", sym_value_new_int (sym_op_lower_get_int (self, "pooled_h", 1)),
          "output_width", sym_value_new_int (sym_op_lower_get_int (self, "pooled_w", 1)),
          "sampling_ratio", sym_value_new_int (sym_op_lower_get_int (self, "sampling_ratio", 0)),
          "spatial_scale", sym_value_new_float (sym_op_lower_get_float (self, "spatial_scale", 1)),
          NULL));
}

/* [regions, output_dim, group_size, group_size]; MXNet has the same. */
static void
lower_position_sensitive (SymOpLower *self)
{
  static const char *const copied[] = { "spatial_scale", "output_dim", "group_size" };
  const SymAttributes *own = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();

  if (!g_str_equal (sym_op_lower_get_string (self, "mode", "average"), "average"))
    {
      sym_op_lower_refuse (self, "PSROIPooling: the mode “%s” is not lowered",
                           sym_op_lower_get_string (self, "mode", ""));
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (copied); i++)
    if (sym_attributes_find (own, copied[i]) != NULL)
      sym_attributes_set (attributes, copied[i],
                          sym_value_ref ((SymValue *) sym_attributes_find (own, copied[i])), NULL);
  sym_attributes_set (attributes, "pooled_size",
                      sym_value_new_int (sym_op_lower_get_int (self, "group_size", 0)), NULL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_apply (self, sym_op_find ("mxnet", "_contrib_PSROIPooling", 0),
                          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
                          attributes));
}

/* ---- Tables ---- */

static const SymSlotSpec prior_slots[] = { { "data" }, { "image" }, { NULL } };
static const SymSlotSpec size_slots[] = { { "output_size" }, { "image_size" }, { NULL } };
static const SymSlotSpec align_slots[] = { { "data" }, { "rois" }, { "batch_indices" }, { NULL } };
static const SymSlotSpec region_slots[] = { { "data" }, { "regions" }, { NULL } };

#define PLACE                                                                      \
  { "variance", SYM_ATTRIBUTE_ANY, "0.1", "one number for all corners, or four" }, \
      { "clip", SYM_ATTRIBUTE_BOOL, "False", "whether boxes end at the image" },   \
      { "offset", SYM_ATTRIBUTE_FLOAT, "0.5", "of the first box, in steps" },      \
  {                                                                                \
    "step", SYM_ATTRIBUTE_FLOAT, "0.0", "pixels from box to box; 0: by the sizes"  \
  }

static const SymAttributeSpec clustered_attributes[] = {
  { "width", SYM_ATTRIBUTE_ANY, NULL, "of each box, in pixels" },
  { "height", SYM_ATTRIBUTE_ANY, NULL, "of each box, in pixels" },
  PLACE,
  { "step_w", SYM_ATTRIBUTE_FLOAT, "0.0", "pixels from column to column" },
  { "step_h", SYM_ATTRIBUTE_FLOAT, "0.0", "pixels from row to row" },
  { "img_w", SYM_ATTRIBUTE_INT, "0", "columns of the image; 0: the operand's" },
  { "img_h", SYM_ATTRIBUTE_INT, "0", "rows of the image; 0: the operand's" },
  { NULL },
};
static const SymAttributeSpec plain_attributes[] = {
  { "min_size", SYM_ATTRIBUTE_ANY, NULL, "sides of squares, in pixels" },
  { "max_size", SYM_ATTRIBUTE_ANY, "None", "of further squares: the geometric mean" },
  { "aspect_ratio", SYM_ATTRIBUTE_ANY, "None", "widths as multiples of heights" },
  { "flip", SYM_ATTRIBUTE_BOOL, "False", "whether their reciprocals count, too" },
  { "scale_all_sizes", SYM_ATTRIBUTE_BOOL, "True", "whether each size has the ratios" },
  { "min_max_aspect_ratios_order", SYM_ATTRIBUTE_BOOL, "True", "whether ratios come last" },
  PLACE,
  { NULL },
};
static const SymAttributeSpec proposal_attributes[] = {
  { "post_nms_topn", SYM_ATTRIBUTE_INT, "0", "boxes of each picture" },
  { NULL },
};
static const SymAttributeSpec roi_attributes[] = {
  { "pooled_h", SYM_ATTRIBUTE_INT, "0", "rows of the result" },
  { "pooled_w", SYM_ATTRIBUTE_INT, "0", "columns of the result" },
  { "output_size", SYM_ATTRIBUTE_INTS, "None", "the same, from opset 11 on" },
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "of the data, by the image" },
  { "method", SYM_ATTRIBUTE_STRING, "max", "max or bilinear" },
  { NULL },
};
static const SymAttributeSpec align_attributes[] = {
  { "pooled_h", SYM_ATTRIBUTE_INT, "1", "rows of the result" },
  { "pooled_w", SYM_ATTRIBUTE_INT, "1", "columns of the result" },
  { "sampling_ratio", SYM_ATTRIBUTE_INT, "0", "samples of a part; 0: by the size of the region" },
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "of the data, by the image" },
  { "mode", SYM_ATTRIBUTE_STRING, "avg", "avg or max" },
  { "aligned_mode", SYM_ATTRIBUTE_STRING, "asymmetric", "how regions lie on places" },
  { NULL },
};
static const SymAttributeSpec group_attributes[] = {
  { "output_dim", SYM_ATTRIBUTE_INT, "0", "channels of the result" },
  { "group_size", SYM_ATTRIBUTE_INT, "1", "rows and columns of the result" },
  { "spatial_scale", SYM_ATTRIBUTE_FLOAT, "1.0", "of the data, by the image" },
  { "mode", SYM_ATTRIBUTE_STRING, "average", "average, bilinear or bilinear_deformable" },
  { NULL },
};

/* The same of both sets. */
#define BOXES(domain_, name_, summary_, slots_, attributes_, infer_, lower_)         \
  {                                                                                  \
    SYM_OP_FOREIGN (domain_, name_, NULL, summary_, OTHER),                          \
        .reference = "OpenVINO " name_, .slots = slots_, .attributes = attributes_,  \
        .get_n_operands = sym_op_foreign_any, .get_n_outputs = sym_op_foreign_first, \
        .infer = infer_, .lower = lower_                                             \
  }
#define ALL(domain_, slots_)                                                                      \
  BOXES (domain_, "PriorBox", "Boxes by sizes and ratios", slots_, plain_attributes, infer_prior, \
         lower_prior),                                                                            \
      BOXES (domain_, "PriorBoxClustered", "Boxes of given sizes", slots_, clustered_attributes,  \
             infer_prior, lower_prior),                                                           \
      BOXES (domain_, "Proposal", "Regions worth a look", sym_op_foreign_many,                    \
             proposal_attributes, infer_proposal, NULL),                                          \
      BOXES (domain_, "ROIPooling", "The largest number of each part of regions", region_slots,   \
             roi_attributes, sym_op_infer_lowered, lower_roi),                                    \
      BOXES (domain_, "PSROIPooling", "Means of parts of regions, each of its own channels",      \
             region_slots, group_attributes, sym_op_infer_lowered, lower_position_sensitive)

const SymOperator sym_op_openvino_boxes[] = {
  ALL ("openvino", size_slots),
  BOXES ("openvino",
         "ROIAlign",
         "Means of samples in parts of regions",
         align_slots,
         align_attributes,
         sym_op_infer_lowered,
         lower_roi_align),
  ALL ("openvino-old", prior_slots),
  { NULL },
};
