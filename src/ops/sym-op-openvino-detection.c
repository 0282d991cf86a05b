/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-kernel.h"
#include "ops/sym-op-openvino.h"

/* DetectionOutput, by OpenVINO's specification of versions 1 and 8: distances of boxes [images,
 * priors x kinds x 4], confidences [images, priors x classes] and priors [1 or images, 1 or 2,
 * priors x 4 or 5] (and of a first stage that looked for any object confidences and distances) to
 * the best boxes, each with picture, class and confidence.  @kinds are the classes where each has
 * boxes of its own, else 1. */

#define N_OPERANDS 5
#define ROW 7 /* numbers of a result */

typedef struct {
  gint64 class, prior;
  double score;
} Found;

typedef struct {
  SymKernel *kernel;
  double *numbers[N_OPERANDS]; /* of the operands, NULL for none */
  gint64 n_images, n_priors, n_classes, n_kinds, prior_size, n_prior_images, n_prior_rows;
  gint64 background, most, kept; /* @most and @kept: -1 for all */
  double cover, least, least_object, width, height;
  gboolean is_center, has_variances, is_clipped_before, is_clipped_after, is_decreased;
  double *boxes; /* [kinds, priors, 4] of the image at hand: left, top, right, bottom */
} Detection;

static void
detection_free (Detection *self)
{
  for (guint i = 0; i < N_OPERANDS; i++)
    g_free (self->numbers[i]);
  g_free (self->boxes);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Detection, detection_free)

/* ---- Shapes ---- */

/* How many results there are of each picture; 0 where that is not told. */
static gint64
get_places (const SymAttributes *attributes)
{
  gint64 kept[8];

  return sym_attributes_get_ints (attributes, "keep_top_k", kept, G_N_ELEMENTS (kept)) >= 1 &&
                 kept[0] > 0 && kept[0] <= G_MAXINT32
             ? kept[0]
             : 0;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 places = get_places (sym_rule_get_attributes (rule));
  SymDim sizes[] = { shape.rank > 0 ? shape.dims[0] : SYM_DIM_UNKNOWN,
                     places > 0 ? places : SYM_DIM_UNKNOWN };

  sizes[0] = sym_terms_product (sym_rule_get_terms (rule), sizes, 2);
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (1, 1, sizes[0], ROW), SYM_DTYPE_UNKNOWN, error);
}

/* ---- Operands ---- */

static gboolean
read_operand (Detection *self, guint i, GError **error)
{
  const SymArray *array = sym_kernel_get_input (self->kernel, i);
  gsize n = array == NULL ? 0 : sym_array_get_n_elements (array);

  if (array == NULL)
    return TRUE;
  if (array->dtype == SYM_DTYPE_STRING)
    return sym_kernel_fail (error, "operand %u is text", i);
  self->numbers[i] = g_try_new (double, n + 1);
  if (self->numbers[i] == NULL)
    return sym_kernel_fail (error, "there is no memory for %" G_GSIZE_FORMAT " numbers", n);
  for (gsize k = 0; k < n; k++)
    self->numbers[i][k] = sym_element_get_double (array->dtype, array->data, k);
  return TRUE;
}

/* Whether operand @i has @n numbers for each prior of each picture. */
static gboolean
check_operand (const Detection *self, guint i, gint64 n, GError **error)
{
  const SymArray *array = sym_kernel_get_input (self->kernel, i);

  return array == NULL ||
         (array->shape.rank == 2 && array->shape.dims[0] == self->n_images &&
          array->shape.dims[1] == self->n_priors * n) ||
         sym_kernel_fail (error,
                          "operand %u must be of %" G_GINT64_FORMAT
                          " pictures with %" G_GINT64_FORMAT
                          " numbers for each of %" G_GINT64_FORMAT " priors",
                          i, self->n_images, n, self->n_priors);
}

static gboolean
measure (Detection *self, GError **error)
{
  const SymArray *offsets = sym_kernel_need_input (self->kernel, 0, error);
  const SymArray *scores = offsets == NULL ? NULL : sym_kernel_need_input (self->kernel, 1, error);
  const SymArray *priors = scores == NULL ? NULL : sym_kernel_need_input (self->kernel, 2, error);

  if (priors == NULL)
    return FALSE;
  if (offsets->shape.rank != 2 || scores->shape.rank != 2 || priors->shape.rank != 3 ||
      priors->shape.dims[1] < (self->has_variances ? 2 : 1) ||
      priors->shape.dims[2] % self->prior_size != 0)
    return sym_kernel_fail (error, "distances and confidences need two axes, priors three with one "
                                   "row of boxes and one of their factors");
  self->n_images = offsets->shape.dims[0];
  self->n_prior_images = priors->shape.dims[0];
  self->n_prior_rows = priors->shape.dims[1];
  self->n_priors = priors->shape.dims[2] / self->prior_size;
  if (self->n_prior_images != 1 && self->n_prior_images != self->n_images)
    return sym_kernel_fail (error, "the priors are of other pictures");
  if (self->n_classes <= 0 && self->n_priors > 0)
    self->n_classes = scores->shape.dims[1] / self->n_priors;
  if (self->n_images > G_MAXINT32 / self->kept || self->n_classes > G_MAXUINT16)
    return sym_kernel_fail (error, "there are too many pictures or classes");
  if (self->n_kinds != 1)
    self->n_kinds = self->n_classes;
  return check_operand (self, 0, self->n_kinds * 4, error) &&
         check_operand (self, 1, self->n_classes, error) && check_operand (self, 3, 2, error) &&
         check_operand (self, 4, self->n_kinds * 4, error);
}

/* ---- Boxes ---- */

/* By the centre or by the corners; @offsets are parts of the prior's size, or of the picture's. */
static void
move_box (const Detection *self,
          const double *prior,
          const double *factors,
          const double *offsets,
          double *box)
{
  double moves[4];

  for (guint k = 0; k < 4; k++)
    moves[k] = (factors == NULL ? 1 : factors[k]) * offsets[k];
  for (guint k = 0; k < 2; k++)
    {
      double size = prior[2 + k] - prior[k];
      double centre = (prior[k] + prior[2 + k]) / 2 + moves[k] * size;
      double half = exp (moves[2 + k]) * size / 2;

      box[k] = self->is_center ? centre - half : prior[k] + moves[k];
      box[2 + k] = self->is_center ? centre + half : prior[2 + k] + moves[2 + k];
    }
  for (guint k = 0; self->is_clipped_before && k < 4; k++)
    box[k] = CLAMP (box[k], 0, 1);
}

/* Those of a first stage are priors of the second. */
static void
decode (Detection *self, gint64 image)
{
  gint64 size = self->prior_size, row = self->n_priors * size;
  const double *priors =
      self->numbers[2] + (self->n_prior_images == 1 ? 0 : image) * self->n_prior_rows * row;

  for (gint64 kind = 0; kind < self->n_kinds; kind++)
    for (gint64 i = 0; i < self->n_priors; i++)
      {
        const double *own = priors + i * size + size - 4;
        const double *factors = self->has_variances ? priors + row + i * 4 : NULL;
        gsize at = (gsize) ((image * self->n_priors + i) * self->n_kinds + kind) * 4;
        double prior[] = { own[0] / self->width, own[1] / self->height, own[2] / self->width,
                           own[3] / self->height };
        double first[4];

        if (self->numbers[4] != NULL)
          {
            move_box (self, prior, factors, self->numbers[4] + at, first);
            for (guint k = 0; k < 4; k++) /* as OpenVINO does, parts of the picture or not */
              first[k] /= k % 2 == 0 ? self->width : self->height;
          }
        move_box (self, self->numbers[4] != NULL ? first : prior, factors, self->numbers[0] + at,
                  self->boxes + (kind * self->n_priors + i) * 4);
      }
}

static const double *
get_box (const Detection *self, const Found *found)
{
  gint64 kind = self->n_kinds == 1 ? 0 : found->class;

  return self->boxes + (kind * self->n_priors + found->prior) * 4;
}

/* What the first stage takes for no object is background. */
static double
get_score (const Detection *self, gint64 image, gint64 prior, gint64 class)
{
  gint64 at = image * self->n_priors + prior;

  if (self->numbers[3] != NULL && self->numbers[3][at * 2 + 1] < self->least_object)
    return class == self->background ? 1 : 0;
  return self->numbers[1][at * self->n_classes + class];
}

/* ---- Choosing ---- */

static int
compare (gconstpointer a, gconstpointer b)
{
  const Found *left = a, *right = b;

  if (left->score != right->score)
    return left->score > right->score ? -1 : 1;
  if (left->class != right->class)
    return left->class < right->class ? -1 : 1;
  return (left->prior > right->prior) - (left->prior < right->prior);
}

static int
compare_classes (gconstpointer a, gconstpointer b)
{
  const Found *left = a, *right = b;

  return left->class != right->class ? (left->class < right->class ? -1 : 1) : compare (a, b);
}

static double
measure_box (const double *box)
{
  return MAX (box[2] - box[0], 0) * MAX (box[3] - box[1], 0);
}

/* Intersection over union. */
static double
get_overlap (const double *a, const double *b)
{
  double both[] = { MAX (a[0], b[0]), MAX (a[1], b[1]), MIN (a[2], b[2]), MIN (a[3], b[3]) };
  double size = measure_box (both);

  return size <= 0 ? 0 : size / (measure_box (a) + measure_box (b) - size);
}

/* Of @candidates the best @most, but those that a better one of their class covers. */
static gboolean
suppress (const Detection *self, GArray *candidates, GArray *kept, GError **error)
{
  g_array_sort (candidates, compare);
  if (self->most >= 0 && (gint64) candidates->len > self->most)
    g_array_set_size (candidates, (guint) self->most);
  for (guint i = 0; i < candidates->len; i++)
    {
      const Found *found = &g_array_index (candidates, Found, i);
      gboolean is_covered = FALSE;

      if (sym_kernel_is_cancelled (self->kernel, error))
        return FALSE;
      for (guint k = 0; k < kept->len && !is_covered; k++)
        {
          const Found *better = &g_array_index (kept, Found, k);

          is_covered = better->class == found->class &&
                       get_overlap (get_box (self, better), get_box (self, found)) > self->cover;
        }
      if (!is_covered)
        g_array_append_vals (kept, found, 1);
    }
  return TRUE;
}

/* Caffe's way: each class is for itself. */
static gboolean
choose_by_class (const Detection *self, gint64 image, GArray *kept, GError **error)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Found));

  for (gint64 class = 0; class < self->n_classes; class ++)
    {
      g_array_set_size (candidates, 0);
      for (gint64 prior = 0; class != self->background && prior < self->n_priors; prior++)
        {
          Found found = { class, prior, get_score (self, image, prior, class) };

          if (found.score > self->least)
            g_array_append_val (candidates, found);
        }
      if (!suppress (self, candidates, kept, error))
        return FALSE;
    }
  return TRUE;
}

/* MXNet's way: each prior is of its best class, 0 being the background. */
static gboolean
choose_by_prior (const Detection *self, gint64 image, GArray *kept, GError **error)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Found));

  for (gint64 prior = 0; prior < self->n_priors; prior++)
    {
      Found found = { 0, prior, -1 };

      for (gint64 class = 1; class < self->n_classes; class ++)
        {
          double score = get_score (self, image, prior, class);

          if (score > found.score)
            found = (Found){ class, prior, score };
        }
      if (found.class > 0 && found.score >= self->least)
        g_array_append_val (candidates, found);
    }
  return suppress (self, candidates, kept, error);
}

/* In the order of the classes. */
static gboolean
choose (const Detection *self, gint64 image, GArray *kept, GError **error)
{
  if (self->is_decreased ? !choose_by_prior (self, image, kept, error)
                         : !choose_by_class (self, image, kept, error))
    return FALSE;
  g_array_sort (kept, compare);
  if ((gint64) kept->len > self->kept)
    g_array_set_size (kept, (guint) self->kept);
  g_array_sort (kept, compare_classes);
  return TRUE;
}

/* ---- The run ---- */

static void
tell (const Detection *self, gint64 image, const Found *found, float *row)
{
  const double *box = get_box (self, found);

  row[0] = (float) image;
  row[1] = (float) (found->class - (self->is_decreased ? 1 : 0));
  row[2] = (float) found->score;
  for (guint k = 0; k < 4; k++)
    row[3 + k] = (float) (self->is_clipped_after ? CLAMP (box[k], 0, 1) : box[k]);
}

static gboolean
read_settings (Detection *self, GError **error)
{
  SymKernel *kernel = self->kernel;
  const char *code = sym_kernel_get_string (kernel, "code_type", "CORNER");
  gboolean is_normalized = sym_kernel_get_bool (kernel, "normalized", FALSE);

  self->is_center = g_str_has_suffix (code, "CENTER_SIZE");
  if (!self->is_center && !g_str_has_suffix (code, "CORNER"))
    return sym_kernel_fail (error, "the code_type “%s” is not known", code);
  self->kept = get_places (sym_kernel_get_attributes (kernel));
  if (self->kept == 0)
    return sym_kernel_fail (error, "keep_top_k does not tell how many boxes there may be");
  self->n_classes = sym_kernel_get_int (kernel, "num_classes", 0); /* not told from 8 on */
  self->n_kinds = sym_kernel_get_bool (kernel, "share_location", TRUE) ? 1 : 0;
  self->background = sym_kernel_get_int (kernel, "background_label_id", 0);
  self->most = sym_kernel_get_int (kernel, "top_k", -1);
  self->cover = sym_kernel_get_float (kernel, "nms_threshold", 0);
  self->least = sym_kernel_get_float (kernel, "confidence_threshold", 0);
  self->least_object = sym_kernel_get_float (kernel, "objectness_score", 0);
  self->has_variances = !sym_kernel_get_bool (kernel, "variance_encoded_in_target", FALSE);
  self->is_clipped_before = sym_kernel_get_bool (kernel, "clip_before_nms", FALSE);
  self->is_clipped_after = sym_kernel_get_bool (kernel, "clip_after_nms", FALSE);
  self->is_decreased = sym_kernel_get_bool (kernel, "decrease_label_id", FALSE);
  self->prior_size = is_normalized ? 4 : 5;
  self->width = is_normalized ? 1 : (double) sym_kernel_get_int (kernel, "input_width", 1);
  self->height = is_normalized ? 1 : (double) sym_kernel_get_int (kernel, "input_height", 1);
  return (self->width > 0 && self->height > 0) ||
         sym_kernel_fail (error, "the picture has no size");
}

/* Behind the last row comes one that tells so. */
static gboolean
run (SymKernel *kernel, GError **error)
{
  g_autoptr (Detection) self = g_new0 (Detection, 1);
  SymShape shape;
  SymArray *output;
  gint64 n = 0;

  self->kernel = kernel;
  if (!read_settings (self, error) || !measure (self, error))
    return FALSE;
  for (guint i = 0; i < N_OPERANDS; i++)
    if (!read_operand (self, i, error))
      return FALSE;
  shape = SYM_SHAPE (1, 1, self->n_images * self->kept, ROW);
  output = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &shape, error);
  if (output == NULL)
    return FALSE;
  memset (output->data, 0, sym_array_get_n_bytes (output));
  if (self->n_images > 0)
    self->boxes = g_new (double, (gsize) (self->n_kinds * self->n_priors) * 4 + 1);
  for (gint64 image = 0; image < self->n_images; image++)
    {
      g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (Found));

      decode (self, image);
      if (!choose (self, image, kept, error))
        return FALSE;
      for (guint i = 0; i < kept->len; i++)
        tell (self, image, &g_array_index (kept, Found, i), (float *) output->data + n++ * ROW);
    }
  if (n < self->n_images * self->kept)
    ((float *) output->data)[n * ROW] = -1;
  return TRUE;
}

static const SymAttributeSpec attributes[] = {
  { "num_classes", SYM_ATTRIBUTE_INT, "0", "classes, with the background" },
  { "background_label_id", SYM_ATTRIBUTE_INT, "0", "the class of what is nothing" },
  { "top_k", SYM_ATTRIBUTE_INT, "-1", "boxes that are looked at; -1: all" },
  { "keep_top_k", SYM_ATTRIBUTE_ANY, "-1", "boxes of each picture" },
  { "code_type", SYM_ATTRIBUTE_STRING, "caffe.PriorBoxParameter.CORNER", "what distances are of" },
  { "variance_encoded_in_target", SYM_ATTRIBUTE_BOOL, "False", "whether priors have no factors" },
  { "share_location", SYM_ATTRIBUTE_BOOL, "True", "whether all classes have the same boxes" },
  { "nms_threshold", SYM_ATTRIBUTE_FLOAT, NULL, "how much of a box a better one may cover" },
  { "confidence_threshold", SYM_ATTRIBUTE_FLOAT, "0.0", "the least confidence" },
  { "clip_before_nms", SYM_ATTRIBUTE_BOOL, "False", "whether boxes end at the picture at once" },
  { "clip_after_nms", SYM_ATTRIBUTE_BOOL, "False", "whether boxes end at the picture at last" },
  { "decrease_label_id", SYM_ATTRIBUTE_BOOL, "False", "whether class 0 is not counted" },
  { "normalized", SYM_ATTRIBUTE_BOOL, "False", "whether priors are parts of the picture" },
  { "input_height", SYM_ATTRIBUTE_INT, "1", "rows of the picture" },
  { "input_width", SYM_ATTRIBUTE_INT, "1", "columns of the picture" },
  { "objectness_score", SYM_ATTRIBUTE_FLOAT, "0.0", "the least confidence of the first stage" },
  { NULL },
};

#define DETECTION(domain_)                                                                       \
  {                                                                                              \
    SYM_OP_FOREIGN (domain_, "DetectionOutput", NULL, "The best boxes", OTHER),                  \
        .reference = "OpenVINO DetectionOutput-8", .slots = sym_op_foreign_many,                 \
        .attributes = attributes, .get_n_operands = sym_op_foreign_any,                          \
        .get_n_outputs = sym_op_foreign_first, .infer = infer, .run = run, .half_as_float = TRUE \
  }

const SymOperator sym_op_openvino_detection[] = {
  DETECTION ("openvino"),
  DETECTION ("openvino-old"),
  { NULL },
};
