/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-kernel.h"
#include "ops/sym-op-tflite.h"

/* TFLite_Detection_PostProcess: boxes [1, n, 4 or more], told by their distance from anchors [n,
 * 4], and scores [1, n, classes, perhaps with a background before them], to the best boxes, their
 * classes, scores and number.  Semantics are those of TensorFlow Lite's kernel; places behind the
 * last box, of which it says nothing, are 0. */

typedef struct {
  SymKernel *kernel;
  gint64 n_boxes, n_classes, n_columns, offset; /* @offset: columns before the classes */
  gint64 most, n_kinds, most_of_class;          /* @n_kinds: classes told of each box */
  double least, cover;
  double *boxes;  /* [n, 4]: ymin, xmin, ymax, xmax */
  double *scores; /* [n, columns] */
} Detection;

typedef struct {
  gint64 box, class;
  double score;
} Found;

static void
detection_free (Detection *self)
{
  g_free (self->boxes);
  g_free (self->scores);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Detection, detection_free)

/* ---- Shapes ---- */

static gint64
count_places (const SymAttributes *attributes)
{
  gint64 most = sym_attributes_get_int (attributes, "max_detections", -1);
  gint64 kinds = sym_attributes_get_int (attributes, "max_classes_per_detection", 1);

  return most < 0 || most > 1 << 20 || kinds < 1 || kinds > 1 << 10 ? SYM_DIM_UNKNOWN
                                                                    : most * kinds;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  gint64 n = count_places (sym_rule_get_attributes (rule));
  const SymShape shapes[] = { SYM_SHAPE (1, n, 4), SYM_SHAPE (1, n), SYM_SHAPE (1, n),
                              SYM_SHAPE (1) };

  for (guint i = 0; i < MIN (sym_rule_get_n_outputs (rule), G_N_ELEMENTS (shapes)); i++)
    if (!sym_rule_set_output (rule, i, &shapes[i], error) ||
        !sym_rule_set_output_dtype (rule, i, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return TRUE;
}

/* ---- Operands ---- */

/* Integers stand for other numbers, as the reader told. */
static double *
read_numbers (SymKernel *kernel, guint i, const SymArray *array)
{
  const SymValue *list =
      sym_attributes_find (sym_kernel_get_attributes (kernel), "quantized_operands");
  const SymValue *quantized =
      list == NULL || i >= sym_value_get_n_children (list) ? NULL : sym_value_get_child (list, i);
  gsize n = sym_array_get_n_elements (array);
  double *numbers = g_new (double, n + 1), scale = 1, zero = 0;

  for (guint k = 0; quantized != NULL && k < sym_value_get_n_children (quantized) &&
                    sym_value_get_kind (quantized) == SYM_VALUE_DICT;
       k++)
    {
      const SymValue *own = sym_value_get_child (quantized, k);
      const SymValue *first =
          sym_value_get_n_children (own) > 0 ? sym_value_get_child (own, 0) : own;

      if (g_str_equal (sym_value_get_key (quantized, k), "scale"))
        scale = sym_value_as_float (first, 1);
      else if (g_str_equal (sym_value_get_key (quantized, k), "zero_point"))
        zero = sym_value_as_float (first, 0);
    }
  for (gsize k = 0; k < n; k++)
    numbers[k] = (sym_element_get_double (array->dtype, array->data, k) - zero) * scale;
  return numbers;
}

static gboolean
check_operands (Detection *self, const SymArray *const *operands, GError **error)
{
  const SymShape *boxes = &operands[0]->shape, *scores = &operands[1]->shape,
                 *anchors = &operands[2]->shape;

  for (guint i = 0; i < 3; i++)
    if (operands[i]->dtype == SYM_DTYPE_STRING)
      return sym_kernel_fail (error, "operand %u is text", i);
  if (boxes->rank != 3 || boxes->dims[0] != 1 || boxes->dims[2] < 4 || scores->rank != 3 ||
      scores->dims[0] != 1 || scores->dims[1] != boxes->dims[1] || anchors->rank != 2 ||
      anchors->dims[0] != boxes->dims[1] || anchors->dims[1] != 4)
    return sym_kernel_fail (error, "boxes, scores and anchors do not fit to each other");
  self->n_boxes = boxes->dims[1];
  self->n_columns = scores->dims[2];
  self->offset = self->n_columns - self->n_classes;
  return (self->n_classes > 0 && self->offset >= 0 && self->offset <= 1) ||
         sym_kernel_fail (
             error, "there are scores of %" G_GINT64_FORMAT " classes, not of %" G_GINT64_FORMAT,
             self->n_columns, self->n_classes);
}

/* The centre moves by parts of the anchor's size, which is multiplied by powers of e. */
static gboolean
decode (Detection *self, const SymArray *const *operands, GError **error)
{
  static const char *const names[] = { "y_scale", "x_scale", "h_scale", "w_scale" };
  gint64 width = operands[0]->shape.dims[2];
  g_autofree double *told = read_numbers (self->kernel, 0, operands[0]);
  g_autofree double *anchors = read_numbers (self->kernel, 2, operands[2]);
  double scales[4];

  for (guint i = 0; i < 4; i++)
    {
      scales[i] = sym_kernel_get_float (self->kernel, names[i], 0);
      if (!(scales[i] > 0))
        return sym_kernel_fail (error, "%s must be more than 0", names[i]);
    }
  self->scores = read_numbers (self->kernel, 1, operands[1]);
  self->boxes = g_new (double, (gsize) self->n_boxes * 4 + 1);
  for (gint64 i = 0; i < self->n_boxes; i++)
    for (guint k = 0; k < 2; k++)
      {
        const double *anchor = anchors + i * 4, *box = told + i * width;
        double centre = box[k] / scales[k] * anchor[2 + k] + anchor[k];
        double half = 0.5 * exp (box[2 + k] / scales[2 + k]) * anchor[2 + k];

        self->boxes[i * 4 + k] = centre - half;
        self->boxes[i * 4 + 2 + k] = centre + half;
      }
  return TRUE;
}

/* ---- Choosing ---- */

static int
compare (gconstpointer a, gconstpointer b)
{
  const Found *left = a, *right = b;

  if (left->score != right->score)
    return left->score > right->score ? -1 : 1;
  return left->box != right->box ? (left->box < right->box ? -1 : 1)
                                 : (left->class > right->class) - (left->class < right->class);
}

/* Intersection over union. */
static double
get_overlap (const double *a, const double *b)
{
  double of_a = (a[2] - a[0]) * (a[3] - a[1]), of_b = (b[2] - b[0]) * (b[3] - b[1]);
  double height = MIN (a[2], b[2]) - MAX (a[0], b[0]), width = MIN (a[3], b[3]) - MAX (a[1], b[1]);
  double both = MAX (height, 0) * MAX (width, 0);

  return of_a <= 0 || of_b <= 0 ? 0 : both / (of_a + of_b - both);
}

/* Of @candidates, those that no better one covers, @most of them at most. */
static void
suppress (const Detection *self, GArray *candidates, gint64 most, GArray *kept)
{
  guint first = kept->len;

  g_array_sort (candidates, compare);
  for (guint i = 0; i < candidates->len && (gint64) (kept->len - first) < most; i++)
    {
      const Found *found = &g_array_index (candidates, Found, i);
      gboolean is_covered = FALSE;

      for (guint k = first; k < kept->len && !is_covered; k++)
        is_covered = get_overlap (self->boxes + g_array_index (kept, Found, k).box * 4,
                                  self->boxes + found->box * 4) > self->cover;
      if (!is_covered)
        g_array_append_vals (kept, found, 1);
    }
}

static double
get_score (const Detection *self, gint64 box, gint64 class)
{
  return self->scores[box * self->n_columns + self->offset + class];
}

/* Class by class, then the best of all. */
static gboolean
choose_by_class (const Detection *self, GArray *kept, GError **error)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Found));

  for (gint64 class = 0; class < self->n_classes; class ++)
    {
      if (sym_kernel_is_cancelled (self->kernel, error))
        return FALSE;
      g_array_set_size (candidates, 0);
      for (gint64 box = 0; box < self->n_boxes; box++)
        {
          Found found = { box, class, get_score (self, box, class) };

          if (found.score >= self->least)
            g_array_append_val (candidates, found);
        }
      suppress (self, candidates, self->most_of_class, kept);
    }
  g_array_sort (kept, compare);
  if ((gint64) kept->len > self->most)
    g_array_set_size (kept, (guint) self->most);
  return TRUE;
}

/* The best classes of a box, in order. */
static void
add_classes (const Detection *self, gint64 box, GArray *kept)
{
  g_autoptr (GArray) classes = g_array_new (FALSE, FALSE, sizeof (Found));

  for (gint64 class = 0; class < self->n_classes; class ++)
    {
      Found found = { box, class, get_score (self, box, class) };

      g_array_append_val (classes, found);
    }
  g_array_sort (classes, compare);
  g_array_append_vals (kept, classes->data, (guint) MIN (self->n_kinds, self->n_classes));
}

/* By the best class of each box; all of its best classes are told. */
static void
choose_by_box (const Detection *self, GArray *kept)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Found));
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Found));

  for (gint64 box = 0; box < self->n_boxes; box++)
    {
      Found found = { box, 0, -INFINITY };

      for (gint64 class = 0; class < self->n_classes; class ++)
        found.score = MAX (found.score, get_score (self, box, class));
      if (found.score >= self->least)
        g_array_append_val (candidates, found);
    }
  suppress (self, candidates, self->most, boxes);
  for (guint i = 0; i < boxes->len; i++)
    add_classes (self, g_array_index (boxes, Found, i).box, kept);
}

/* ---- Results ---- */

static float *
make_output (SymKernel *kernel, guint i, SymShape shape, GError **error)
{
  SymArray *array = sym_kernel_new_output (kernel, i, SYM_DTYPE_FLOAT32, &shape, error);

  if (array == NULL)
    return NULL;
  memset (array->data, 0, sym_array_get_n_bytes (array));
  return array->data;
}

/* @n boxes of which @step places each tells the classes. */
static gboolean
tell (const Detection *self, const GArray *kept, gint64 step, gint64 n_places, GError **error)
{
  float *boxes = make_output (self->kernel, 0, SYM_SHAPE (1, n_places, 4), error);
  float *classes =
      boxes == NULL ? NULL : make_output (self->kernel, 1, SYM_SHAPE (1, n_places), error);
  float *scores =
      classes == NULL ? NULL : make_output (self->kernel, 2, SYM_SHAPE (1, n_places), error);
  float *count = scores == NULL ? NULL : make_output (self->kernel, 3, SYM_SHAPE (1), error);
  gint64 n_told = step == 1 ? 1 : MIN (step, self->n_classes);

  if (count == NULL)
    return FALSE;
  for (guint i = 0; i < kept->len; i++)
    {
      const Found *found = &g_array_index (kept, Found, i);
      gint64 place = i / n_told * step + i % n_told;

      for (guint k = 0; k < 4; k++)
        boxes[place * 4 + k] = (float) self->boxes[found->box * 4 + k];
      classes[place] = (float) found->class;
      scores[place] = (float) found->score;
    }
  count[0] = (float) (kept->len / n_told);
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  g_autoptr (Detection) self = g_new0 (Detection, 1);
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (Found));
  gint64 n_places = count_places (sym_kernel_get_attributes (kernel));
  gboolean is_regular = sym_kernel_get_bool (kernel, "use_regular_nms", FALSE);
  const SymArray *operands[3];

  self->kernel = kernel;
  self->n_classes = sym_kernel_get_int (kernel, "num_classes", 0);
  self->most = sym_kernel_get_int (kernel, "max_detections", 0);
  self->n_kinds = sym_kernel_get_int (kernel, "max_classes_per_detection", 1);
  self->most_of_class = sym_kernel_get_int (kernel, "detections_per_class", 100);
  self->least = sym_kernel_get_float (kernel, "nms_score_threshold", 0);
  self->cover = sym_kernel_get_float (kernel, "nms_iou_threshold", 0.5);
  if (sym_kernel_get_n_outputs (kernel) != 4)
    return sym_kernel_fail (error,
                            "it makes boxes, classes, scores and their number, not %u results",
                            sym_kernel_get_n_outputs (kernel));
  if (n_places < 0)
    return sym_kernel_fail (error, "its options do not tell how many boxes there may be");
  for (guint i = 0; i < 3; i++)
    {
      operands[i] = sym_kernel_need_input (kernel, i, error);
      if (operands[i] == NULL)
        return FALSE;
    }
  if (!check_operands (self, operands, error) || !decode (self, operands, error))
    return FALSE;
  if (!is_regular)
    choose_by_box (self, kept);
  else if (!choose_by_class (self, kept, error))
    return FALSE;
  return tell (self, kept, is_regular ? 1 : self->n_kinds, n_places, error);
}

static int
get_n_outputs (const SymAttributes *attributes, int *n_visible)
{
  (void) attributes;
  *n_visible = 4;
  return 4;
}

static const SymSlotSpec slots[] = { { "box_encodings" },
                                     { "class_predictions" },
                                     { "anchors", SYM_SLOT_PARAMETER },
                                     { NULL } };

static const SymAttributeSpec attributes[] = {
  { "max_detections", SYM_ATTRIBUTE_INT, NULL, "how many boxes at most" },
  { "max_classes_per_detection", SYM_ATTRIBUTE_INT, "1", "classes told of each" },
  { "detections_per_class", SYM_ATTRIBUTE_INT, "100", "boxes of a class where each is for itself" },
  { "use_regular_nms", SYM_ATTRIBUTE_BOOL, "False", "whether each class is for itself" },
  { "nms_score_threshold", SYM_ATTRIBUTE_FLOAT, "0.0", "the least score" },
  { "nms_iou_threshold", SYM_ATTRIBUTE_FLOAT, "0.5", "how much of a box a better one may cover" },
  { "num_classes", SYM_ATTRIBUTE_INT, NULL, "classes without the background" },
  { "y_scale", SYM_ATTRIBUTE_FLOAT, NULL, "what the centre's row is divided by" },
  { "x_scale", SYM_ATTRIBUTE_FLOAT, NULL, "the same of its column" },
  { "h_scale", SYM_ATTRIBUTE_FLOAT, NULL, "the same of the height" },
  { "w_scale", SYM_ATTRIBUTE_FLOAT, NULL, "the same of the width" },
  { NULL },
};

const SymOperator sym_op_tflite_detection[] = {
  { TFLITE ("TFLite_Detection_PostProcess", NULL, "The best boxes that do not overlap much", OTHER),
    .slots = slots, .attributes = attributes, .get_n_outputs = get_n_outputs, .infer = infer,
    .run = run },
  { NULL },
};
