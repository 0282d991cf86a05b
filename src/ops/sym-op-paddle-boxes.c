/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

#include <math.h>
#include <string.h>

#include "ops/sym-op-priors.h"

/* ---- prior_box ---- */

#define MAX_RATIOS SYM_OP_PRIORS_MAX_RATIOS
#define MAX_PRIORS 1024
#define MAX_NUMBERS (1 << 24)

/* The boxes at each place, as widths and heights in pixels. */
typedef struct {
  double sizes[MAX_PRIORS][2];
  gint64 n;
} Priors;

static gboolean
add_prior (Priors *self, double width, double height)
{
  if (self->n == MAX_PRIORS)
    return FALSE;
  self->sizes[self->n][0] = width;
  self->sizes[self->n++][1] = height;
  return TRUE;
}

/* The largest box of a size comes last, or right behind the smallest. */
static gboolean
list_priors (const SymAttributes *attributes, Priors *self, GError **error)
{
  double least[MAX_RATIOS], most[MAX_RATIOS], ratios[2 * MAX_RATIOS + 1];
  int n = sym_op_priors_get_floats (attributes, "min_sizes", least, MAX_RATIOS);
  int n_most = sym_op_priors_get_floats (attributes, "max_sizes", most, MAX_RATIOS);
  int n_ratios = sym_op_priors_list_ratios (attributes, "aspect_ratios", ratios);
  gboolean is_early = sym_attributes_get_bool (attributes, "min_max_aspect_ratios_order", FALSE);
  gboolean fits = TRUE;

  self->n = 0;
  if (n < 1 || n_ratios < 1 || (n_most != 0 && n_most != n))
    return sym_rule_fail (error, "min_sizes, max_sizes and aspect_ratios do not fit");
  for (int i = 0; i < n && fits; i++)
    {
      double largest = n_most > 0 ? sqrt (least[i] * most[i]) : 0;

      if (is_early)
        fits = add_prior (self, least[i], least[i]) &&
               (n_most == 0 || add_prior (self, largest, largest));
      for (int k = is_early ? 1 : 0; k < n_ratios && fits; k++)
        fits = add_prior (self, least[i] * sqrt (ratios[k]), least[i] / sqrt (ratios[k]));
      if (!is_early && n_most > 0 && fits)
        fits = add_prior (self, largest, largest);
    }
  return fits || sym_rule_fail (error, "there are more than %d boxes at a place", MAX_PRIORS);
}

static gboolean
infer_prior (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  Priors *priors = g_new (Priors, 1);
  gboolean done = list_priors (sym_rule_get_attributes (rule), priors, error);
  gint64 n = priors->n;

  g_free (priors);
  if (!done || shape.rank < 0)
    return done;
  if (shape.rank != 4)
    return sym_rule_fail (error, "the data must have 4 axes, not %d", shape.rank);
  for (guint i = 0; i < 2; i++)
    if (!sym_op_set_output (rule, i, SYM_SHAPE (shape.dims[2], shape.dims[3], n, 4),
                            SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return TRUE;
}

/* Corners of the boxes, as shares of the image, from the middles of the places. */
static void
fill_boxes (SymOpLower *self, const Priors *priors, float *boxes)
{
  const SymShape *places = sym_op_lower_get_input_shape (self, 0);
  const SymShape *image = sym_op_lower_get_input_shape (self, 1);
  gint64 height = places->dims[2], width = places->dims[3];
  double step_x = sym_op_lower_get_float (self, "step_w", 0);
  double step_y = sym_op_lower_get_float (self, "step_h", 0);
  double offset = sym_op_lower_get_float (self, "offset", 0.5);
  gboolean clips = sym_op_lower_get_bool (self, "clip", FALSE);
  double rows = (double) image->dims[2], columns = (double) image->dims[3];

  step_x = step_x > 0 ? step_x : columns / (double) width;
  step_y = step_y > 0 ? step_y : rows / (double) height;
  for (gint64 i = 0; i < height * width; i++)
    for (gint64 k = 0; k < priors->n; k++)
      {
        double x = ((double) (i % width) + offset) * step_x;
        double y = ((double) (i / width) + offset) * step_y;
        const double *size = priors->sizes[k];

        boxes[0] = (float) ((x - size[0] / 2) / columns);
        boxes[1] = (float) ((y - size[1] / 2) / rows);
        boxes[2] = (float) ((x + size[0] / 2) / columns);
        boxes[3] = (float) ((y + size[1] / 2) / rows);
        for (int j = 0; j < 4 && clips; j++)
          boxes[j] = CLAMP (boxes[j], 0, 1);
        boxes += 4;
      }
}

static gboolean
check_prior (SymOpLower *self, gint64 n)
{
  const SymShape *places = sym_op_lower_get_input_shape (self, 0);
  const SymShape *image = sym_op_lower_get_input_shape (self, 1);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return FALSE;
  if (places->rank != 4 || image->rank != 4 || !sym_shape_is_known (places) ||
      !sym_shape_is_known (image))
    sym_op_lower_refuse (self, "prior_box: the sizes of data and image are not known");
  else if (places->dims[2] < 1 || places->dims[3] < 1 ||
           places->dims[2] > MAX_NUMBERS / 4 / n / places->dims[3])
    sym_op_lower_refuse (self, "prior_box: there are no boxes, or more than %d", MAX_NUMBERS / 4);
  return !sym_op_lower_has_failed (self);
}

static void
lower_prior (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymShape *places = sym_op_lower_get_input_shape (self, 0);
  g_autofree Priors *priors = g_new (Priors, 1);
  double variances[4] = { 0.1, 0.1, 0.2, 0.2 };
  g_autofree float *numbers = NULL;
  g_autoptr (GError) error = NULL;
  SymArray array = { .dtype = SYM_DTYPE_FLOAT32 };

  if (!list_priors (attributes, priors, &error))
    {
      sym_op_lower_fail (self, "prior_box: %s", error->message);
      return;
    }
  if (!check_prior (self, priors->n))
    return;
  array.shape = SYM_SHAPE (places->dims[2], places->dims[3], priors->n, 4);
  numbers = g_new (float, places->dims[2] * places->dims[3] * priors->n * 4);
  array.data = numbers;
  fill_boxes (self, priors, numbers);
  sym_op_lower_set_output (self, 0, sym_op_lower_array (self, &array));
  if (sym_op_lower_get_n_outputs (self) < 2)
    return;
  if (sym_op_priors_get_floats (attributes, "variances", variances, 4) < 0)
    sym_op_lower_fail (self, "prior_box: variances must be four numbers");
  for (gint64 i = 0; i < places->dims[2] * places->dims[3] * priors->n * 4; i++)
    numbers[i] = (float) variances[i % 4];
  sym_op_lower_set_output (self, 1, sym_op_lower_array (self, &array));
}

/* ---- density_prior_box, box_coder ---- */

/* A square of so many boxes, of each ratio, for each size. */
static gboolean
infer_dense (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  double ratios[MAX_RATIOS];
  gint64 densities[MAX_RATIOS], n = 0;
  int n_densities = sym_rule_get_ints (rule, "densities", densities, MAX_RATIOS);
  int n_ratios =
      sym_op_priors_get_floats (sym_rule_get_attributes (rule), "fixed_ratios", ratios, MAX_RATIOS);

  if (n_densities < 1 || n_densities > MAX_RATIOS || n_ratios < 1)
    return sym_rule_fail (error, "densities and fixed_ratios do not fit");
  for (int i = 0; i < n_densities; i++)
    {
      if (densities[i] < 1 || densities[i] > MAX_PRIORS)
        return sym_rule_fail (error, "densities make no sense");
      n += n_ratios * densities[i] * densities[i];
    }
  if (shape.rank < 0)
    return TRUE;
  if (shape.rank != 4)
    return sym_rule_fail (error, "the data must have 4 axes, not %d", shape.rank);
  shape = SYM_SHAPE (shape.dims[2], shape.dims[3], n, 4);
  if (sym_rule_get_bool (rule, "flatten_to_2d", FALSE))
    shape = SYM_SHAPE (sym_terms_product (sym_rule_get_terms (rule), shape.dims, 3), 4);
  for (guint i = 0; i < 2; i++)
    if (!sym_op_set_output (rule, i, shape, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return TRUE;
}

/* Each of [n, 4] by each of the boxes to begin with, [m, 4]; or back, which keeps the shape. */
static gboolean
infer_coder (SymRule *rule, GError **error)
{
  SymShape prior = sym_rule_get_input (rule, 0), target = sym_rule_get_input (rule, 2);
  const char *kind = sym_rule_get_string (rule, "code_type", "encode_center_size");

  if (!sym_op_pass_dtype (rule, 2, 0, error))
    return FALSE;
  if (g_str_equal (kind, "decode_center_size"))
    return sym_op_pass_shape (rule, 2, 0, error);
  if (prior.rank != 2 || target.rank != 2)
    return prior.rank < 0 || target.rank < 0 || sym_rule_fail (error, "boxes have 2 axes");
  target = SYM_SHAPE (target.dims[0], prior.dims[0], 4);
  return sym_rule_set_output (rule, 0, &target, error);
}

/* ---- Tables ---- */

static const SymAttributeSpec dense_attributes[] = {
  { "densities", SYM_ATTRIBUTE_INTS, NULL, "boxes along each side, of each size" },
  { "fixed_sizes", SYM_ATTRIBUTE_FLOATS, NULL, "sides of the boxes, in pixels" },
  { "fixed_ratios", SYM_ATTRIBUTE_FLOATS, NULL, "widths as multiples of heights" },
  { "flatten_to_2d", SYM_ATTRIBUTE_BOOL, "False", "whether all boxes are one axis" },
  { NULL },
};

static const SymSlotSpec coder_slots[] = {
  { "PriorBox" },
  { "PriorBoxVar", .optional = TRUE },
  { "TargetBox" },
  { NULL },
};

static const SymAttributeSpec coder_attributes[] = {
  { "code_type", SYM_ATTRIBUTE_STRING, "encode_center_size", "to differences, or back" },
  { NULL },
};

static const SymSlotSpec prior_slots[] = { { "Input" }, { "Image" }, { NULL } };
static const char *const prior_names[] = { "Boxes", "Variances", NULL };

static const SymAttributeSpec prior_attributes[] = {
  { "min_sizes", SYM_ATTRIBUTE_FLOATS, NULL, "sides of the smallest boxes, in pixels" },
  { "max_sizes", SYM_ATTRIBUTE_FLOATS, "[]", "sides of the largest boxes" },
  { "aspect_ratios", SYM_ATTRIBUTE_FLOATS, "[1.0]", "widths as multiples of heights" },
  { "variances", SYM_ATTRIBUTE_FLOATS, "[0.1, 0.1, 0.2, 0.2]", "what goes with each box" },
  { "flip", SYM_ATTRIBUTE_BOOL, "False", "whether boxes stand upright, too" },
  { "clip", SYM_ATTRIBUTE_BOOL, "False", "whether boxes end with the image" },
  { "step_w", SYM_ATTRIBUTE_FLOAT, "0.0", "distance of places; what fits the image" },
  { "step_h", SYM_ATTRIBUTE_FLOAT, "0.0", "distance of places; what fits the image" },
  { "offset", SYM_ATTRIBUTE_FLOAT, "0.5", "where in a place the middle is" },
  { "min_max_aspect_ratios_order", SYM_ATTRIBUTE_BOOL, "False", "whether the largest is second" },
  { NULL },
};

static const SymSlotSpec yolo_slots[] = { { "X" }, { "ImgSize" }, { NULL } };
static const char *const yolo_names[] = { "Boxes", "Scores", NULL };

static const SymSlotSpec nms_slots[] = {
  { "BBoxes" },
  { "Scores" },
  { "RoisNum", .optional = TRUE },
  { NULL },
};
static const char *const nms_names[] = { "Out", "Index", "NmsRoisNum", NULL };

const SymOperator sym_op_paddle_boxes[] = {
  {
      PADDLE ("prior_box", NULL, "Boxes to begin with, at each place", OTHER),
      .slots = prior_slots,
      .attributes = prior_attributes,
      .get_n_outputs = sym_op_foreign_first,
      .output_names = prior_names,
      .infer = infer_prior,
      .lower = lower_prior,
  },
  {
      PADDLE ("yolo_box", NULL, "Boxes and their classes, of each place and anchor", OTHER),
      .slots = yolo_slots,
      .attributes = sym_op_paddle_yolo_attributes,
      .get_n_outputs = sym_op_foreign_first,
      .output_names = yolo_names,
      .infer = sym_op_paddle_infer_yolo,
      .lower = sym_op_paddle_lower_yolo,
  },
  {
      PADDLE ("multiclass_nms3",
              NULL,
              "The best boxes of each class that no better one covers",
              OTHER),
      .slots = nms_slots,
      .attributes = sym_op_paddle_nms_attributes,
      .get_n_outputs = sym_op_foreign_first,
      .output_names = nms_names,
      .infer = sym_op_paddle_infer_nms,
      .lower = sym_op_paddle_lower_nms,
  },
  {
      PADDLE ("multiclass_nms",
              "multiclass_nms2",
              "The best boxes of each class that no better one covers",
              OTHER),
      .slots = nms_slots,
      .attributes = sym_op_paddle_nms_attributes,
      .get_n_outputs = sym_op_foreign_first,
      .output_names = nms_names,
      .infer = sym_op_paddle_infer_nms,
  },
  {
      PADDLE ("density_prior_box", NULL, "Boxes to begin with, many at each place", OTHER),
      .slots = prior_slots,
      .attributes = dense_attributes,
      .get_n_outputs = sym_op_foreign_first,
      .output_names = prior_names,
      .infer = infer_dense,
  },
  {
      PADDLE ("box_coder", NULL, "Boxes as differences to others, or back", OTHER),
      .slots = coder_slots,
      .attributes = coder_attributes,
      .infer = infer_coder,
  },
  { NULL },
};
