/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-boxes.h"

typedef struct {
  double left, top, right, bottom;
} Box;

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

static void
set (SymArray *array, gsize i, double value)
{
  sym_element_set_double (array->dtype, array->data, i, value);
}

static Box
get_box (const SymArray *array, gsize i, gboolean is_center)
{
  Box box = { get (array, i), get (array, i + 1), get (array, i + 2), get (array, i + 3) };

  if (!is_center)
    return box;
  return (Box){ box.left - box.right / 2, box.top - box.bottom / 2, box.left + box.right / 2,
                box.top + box.bottom / 2 };
}

static void
set_box (SymArray *array, gsize i, Box box, gboolean is_center)
{
  double width = box.right - box.left, height = box.bottom - box.top;

  set (array, i, is_center ? (box.left + box.right) / 2 : box.left);
  set (array, i + 1, is_center ? (box.top + box.bottom) / 2 : box.top);
  set (array, i + 2, is_center ? width : box.right);
  set (array, i + 3, is_center ? height : box.bottom);
}

static double
get_area (Box box)
{
  return MAX (box.right - box.left, 0) * MAX (box.bottom - box.top, 0);
}

/* Intersection over union. */
static double
get_overlap (Box a, Box b)
{
  Box both = { MAX (a.left, b.left), MAX (a.top, b.top), MIN (a.right, b.right),
               MIN (a.bottom, b.bottom) };
  double common = get_area (both), all = get_area (a) + get_area (b) - common;

  return all <= 0 ? 0 : common / all;
}

static gboolean
is_center (SymKernel *kernel, const char *attribute)
{
  return g_str_equal (sym_kernel_get_string (kernel, attribute, "corner"), "center");
}

/* ---- box_iou ---- */

/* [..., 4] and [..., 4]: each with each. */
gboolean
sym_op_mxnet_run_iou (SymKernel *kernel, GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error);
  const SymArray *b = a == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  gboolean center = is_center (kernel, "format");
  gsize n_a, n_b, asked = 0;
  SymShape shape = { .rank = 0 };
  SymArray *y;

  if (b == NULL)
    return FALSE;
  if (a->shape.rank < 1 || b->shape.rank < 1 || a->shape.dims[a->shape.rank - 1] != 4 ||
      b->shape.dims[b->shape.rank - 1] != 4 || a->shape.rank + b->shape.rank > SYM_MAX_RANK)
    return sym_kernel_fail (error, "box_iou: boxes should have 4 coordinates each");
  for (int i = 0; i < a->shape.rank - 1; i++)
    shape.dims[shape.rank++] = a->shape.dims[i];
  for (int i = 0; i < b->shape.rank - 1; i++)
    shape.dims[shape.rank++] = b->shape.dims[i];
  y = sym_kernel_new_output (kernel, 0, a->dtype, &shape, error);
  if (y == NULL)
    return FALSE;
  n_a = sym_array_get_n_elements (a) / 4;
  n_b = sym_array_get_n_elements (b) / 4;
  for (gsize i = 0; i < n_a; i++)
    for (gsize j = 0; j < n_b; j++)
      {
        set (y, i * n_b + j, get_overlap (get_box (a, 4 * i, center), get_box (b, 4 * j, center)));
        if (!sym_op_go_on (kernel, &asked, 16, error))
          return FALSE;
      }
  return TRUE;
}

/* ---- Best boxes first ---- */

typedef struct {
  double score, class;
  Box box;
  gsize place;
  gboolean is_gone;
} Candidate;

/* The greatest score first; equals stay in their order. */
static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *left = a, *right = b;

  if (left->score != right->score)
    return left->score > right->score ? -1 : 1;
  return (left->place > right->place) - (left->place < right->place);
}

typedef struct {
  double overlap;
  gboolean includes; /* an overlap of just so much counts */
  gboolean force;    /* classes do not matter */
} Suppression;

/* Marks those of the first @n that overlap a better one. */
static gboolean
suppress (SymKernel *kernel, GArray *boxes, guint n, Suppression how, GError **error)
{
  Candidate *all = (Candidate *) (gpointer) boxes->data;
  gsize asked = 0;

  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; !all[i].is_gone && j < n; j++)
      {
        double overlap;

        if (all[j].is_gone || (!how.force && all[i].class != all[j].class))
          continue;
        overlap = get_overlap (all[i].box, all[j].box);
        all[j].is_gone = how.includes ? overlap >= how.overlap : overlap > how.overlap;
        if (!sym_op_go_on (kernel, &asked, 16, error))
          return FALSE;
      }
  return TRUE;
}

/* ---- box_nms ---- */

typedef struct {
  SymKernel *kernel;
  const SymArray *x;
  SymArray *y, *places;
  gsize n, width; /* of the boxes of one sample */
  gint64 corner, score, class, background, topk;
  double threshold;
  Suppression how;
  gboolean center_in, center_out;
} Nms;

static GArray *
collect (const Nms *self, gsize sample)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (gsize i = 0; i < self->n; i++)
    {
      gsize at = (sample * self->n + i) * self->width;
      Candidate candidate = { .score = get (self->x, at + (gsize) self->score),
                              .class =
                                  self->class < 0 ? 0 : get (self->x, at + (gsize) self->class),
                              .box = get_box (self->x, at + (gsize) self->corner, self->center_in),
                              .place = i };

      if (candidate.score > self->threshold &&
          (self->class < 0 || self->background < 0 || candidate.class != (double) self->background))
        g_array_append_val (boxes, candidate);
    }
  g_array_sort (boxes, compare_candidates);
  if (self->topk > 0 && boxes->len > self->topk)
    g_array_set_size (boxes, (guint) self->topk);
  return boxes;
}

/* What is kept comes first, the rest is -1. */
static void
put (const Nms *self, gsize sample, const GArray *boxes)
{
  gsize n = 0;

  for (gsize i = 0; i < self->n * self->width; i++)
    set (self->y, sample * self->n * self->width + i, -1);
  for (gsize i = 0; self->places != NULL && i < self->n; i++)
    set (self->places, sample * self->n + i, -1);
  for (guint i = 0; i < boxes->len; i++)
    {
      const Candidate *box = &g_array_index (boxes, Candidate, i);
      gsize to = (sample * self->n + n) * self->width;
      gsize from = (sample * self->n + box->place) * self->width;

      if (box->is_gone)
        continue;
      sym_op_move (self->y, to, self->x, from, self->width);
      if (self->center_in != self->center_out)
        set_box (self->y, to + (gsize) self->corner, box->box, self->center_out);
      if (self->places != NULL)
        set (self->places, sample * self->n + n, (double) (sample * self->n + box->place));
      n++;
    }
}

static gboolean
begin_nms (Nms *self, SymKernel *kernel, GError **error)
{
  int rank;

  self->kernel = kernel;
  self->x = sym_kernel_need_input (kernel, 0, error);
  if (self->x == NULL)
    return FALSE;
  rank = self->x->shape.rank;
  self->corner = sym_kernel_get_int (kernel, "coord_start", 2);
  self->score = sym_kernel_get_int (kernel, "score_index", 1);
  self->class = sym_kernel_get_int (kernel, "id_index", -1);
  self->background = sym_kernel_get_int (kernel, "background_id", -1);
  self->topk = sym_kernel_get_int (kernel, "topk", -1);
  self->threshold = sym_kernel_get_float (kernel, "valid_thresh", 0);
  self->how =
      (Suppression){ sym_kernel_get_float (kernel, "overlap_thresh", 0.5), FALSE,
                     sym_kernel_get_bool (kernel, "force_suppress", FALSE) || self->class < 0 };
  self->center_in = is_center (kernel, "in_format");
  self->center_out = is_center (kernel, "out_format");
  if (rank < 2)
    return sym_kernel_fail (error, "box_nms: data has %d axes; it should have at least 2", rank);
  self->width = (gsize) self->x->shape.dims[rank - 1];
  self->n = (gsize) self->x->shape.dims[rank - 2];
  if (self->corner < 0 || self->corner > G_MAXINT32 || self->score < 0 ||
      (gsize) self->corner + 4 > self->width || (gsize) self->score >= self->width ||
      (self->class >= 0 && (gsize) self->class >= self->width))
    return sym_kernel_fail (error,
                            "box_nms: boxes have %" G_GSIZE_FORMAT
                            " numbers; score_index, id_index and coord_start point beyond",
                            self->width);
  return TRUE;
}

gboolean
sym_op_mxnet_run_nms (SymKernel *kernel, GError **error)
{
  Nms self = { NULL };
  SymShape shape;
  gsize n_samples;

  if (!begin_nms (&self, kernel, error))
    return FALSE;
  shape = self.x->shape;
  self.y = sym_kernel_new_output (kernel, 0, self.x->dtype, &shape, error);
  shape.dims[shape.rank - 1] = 1;
  if (self.y != NULL && sym_kernel_get_n_outputs (kernel) > 1)
    self.places = sym_kernel_new_output (kernel, 1, self.x->dtype, &shape, error);
  if (self.y == NULL || (sym_kernel_get_n_outputs (kernel) > 1 && self.places == NULL))
    return FALSE;
  n_samples =
      self.n * self.width == 0 ? 0 : sym_array_get_n_elements (self.x) / (self.n * self.width);
  for (gsize i = 0; i < n_samples; i++)
    {
      g_autoptr (GArray) boxes = collect (&self, i);

      if (!suppress (kernel, boxes, boxes->len, self.how, error))
        return FALSE;
      put (&self, i, boxes);
    }
  return TRUE;
}

/* ---- MultiBoxPrior ---- */

static double
keep_within (double x, gboolean clip)
{
  return clip ? CLAMP (x, 0, 1) : x;
}

int
sym_op_mxnet_read_floats (const SymAttributes *attributes,
                          const char *name,
                          double *values,
                          int max)
{
  const SymValue *list = sym_attributes_find (attributes, name);
  int n = list == NULL ? 0 : (int) MIN (sym_value_get_n_children (list), G_MAXINT32);

  for (int i = 0; i < MIN (n, max); i++)
    sym_value_get_float (sym_value_get_child (list, (guint) i), &values[i]);
  if (n == 0 && list != NULL)
    sym_value_get_float (list, values);
  return n;
}

gboolean
sym_op_mxnet_priors_read (SymOpMxnetPriors *self,
                          const SymAttributes *attributes,
                          gint64 height,
                          gint64 width)
{
  int n_ratios;

  *self = (SymOpMxnetPriors){ .sizes = { 1 },
                              .ratios = { 1 },
                              .steps = { -1, -1 },
                              .offsets = { 0.5, 0.5 },
                              .height = height,
                              .width = width };
  self->n_sizes =
      sym_op_mxnet_read_floats (attributes, "sizes", self->sizes, SYM_OP_MXNET_MAX_PRIORS);
  self->n_sizes = MAX (self->n_sizes, 1);
  n_ratios = sym_op_mxnet_read_floats (attributes, "ratios", self->ratios, SYM_OP_MXNET_MAX_PRIORS);
  n_ratios = MAX (n_ratios, 1);
  sym_op_mxnet_read_floats (attributes, "steps", self->steps, 2);
  sym_op_mxnet_read_floats (attributes, "offsets", self->offsets, 2);
  self->clip = sym_attributes_get_bool (attributes, "clip", FALSE);
  self->n = self->n_sizes + n_ratios - 1;
  return self->n_sizes <= SYM_OP_MXNET_MAX_PRIORS && n_ratios <= SYM_OP_MXNET_MAX_PRIORS;
}

/* At each place one box of each size, then boxes of the first size in the other ratios. */
void
sym_op_mxnet_priors_get (const SymOpMxnetPriors *self, gint64 which, double box[4])
{
  int i = (int) (which % self->n);
  gint64 place = which / self->n;
  double ratio = i < self->n_sizes ? 1 : sqrt (self->ratios[i - self->n_sizes + 1]);
  double size = i < self->n_sizes ? self->sizes[i] : self->sizes[0];
  double half_width = size * (double) self->height / (double) self->width * ratio / 2;
  double half_height = size / ratio / 2;
  double row = ((double) (place / self->width) + self->offsets[0]) *
               (self->steps[0] > 0 ? self->steps[0] : 1 / (double) self->height);
  double column = ((double) (place % self->width) + self->offsets[1]) *
                  (self->steps[1] > 0 ? self->steps[1] : 1 / (double) self->width);

  box[0] = keep_within (column - half_width, self->clip);
  box[1] = keep_within (row - half_height, self->clip);
  box[2] = keep_within (column + half_width, self->clip);
  box[3] = keep_within (row + half_height, self->clip);
}

gboolean
sym_op_mxnet_run_prior (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymOpMxnetPriors priors;
  gsize asked = 0;
  gint64 n_boxes;
  SymArray *y;

  if (x == NULL)
    return FALSE;
  if (x->shape.rank != 4 || !sym_op_mxnet_priors_read (&priors, sym_kernel_get_attributes (kernel),
                                                       x->shape.dims[2], x->shape.dims[3]))
    return sym_kernel_fail (error,
                            "MultiBoxPrior: data should have 4 axes, and at most %d sizes "
                            "and ratios",
                            SYM_OP_MXNET_MAX_PRIORS);
  n_boxes = priors.height * priors.width * priors.n;
  y = sym_kernel_new_output (kernel, 0, x->dtype, &SYM_SHAPE (1, n_boxes, 4), error);
  for (gint64 i = 0; y != NULL && i < n_boxes; i++)
    {
      double box[4];

      sym_op_mxnet_priors_get (&priors, i, box);
      for (gsize k = 0; k < 4; k++)
        set (y, (gsize) i * 4 + k, box[k]);
      if (!sym_op_go_on (kernel, &asked, 8, error))
        return FALSE;
    }
  return y != NULL;
}

/* ---- MultiBoxDetection ---- */

typedef struct {
  const SymArray *classes, *offsets, *anchors;
  SymArray *y;
  gsize n_classes, n;
  double variances[4], threshold;
  gboolean clip;
} Detection;

/* An anchor moved and stretched by what was predicted. */
static Box
decode (const Detection *self, gsize sample, gsize i)
{
  Box anchor = get_box (self->anchors, 4 * i, FALSE);
  double width = anchor.right - anchor.left, height = anchor.bottom - anchor.top, p[4], x, y;

  for (gsize j = 0; j < 4; j++)
    p[j] = get (self->offsets, (sample * self->n + i) * 4 + j) * self->variances[j];
  x = p[0] * width + (anchor.left + anchor.right) / 2;
  y = p[1] * height + (anchor.top + anchor.bottom) / 2;
  width = exp (p[2]) * width / 2;
  height = exp (p[3]) * height / 2;
  return (Box){ keep_within (x - width, self->clip), keep_within (y - height, self->clip),
                keep_within (x + width, self->clip), keep_within (y + height, self->clip) };
}

/* Class 0 is the background; places are counted among what is found. */
static GArray *
find_boxes (const Detection *self, gsize sample)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (gsize i = 0; i < self->n; i++)
    {
      Candidate best = { .score = -1, .class = -1, .place = i };

      for (gsize j = 1; j < self->n_classes; j++)
        {
          double score = get (self->classes, (sample * self->n_classes + j) * self->n + i);

          if (score > best.score)
            {
              best.score = score;
              best.class = (double) j - 1;
            }
        }
      if (best.class < 0 || best.score < self->threshold)
        continue;
      best.box = decode (self, sample, i);
      g_array_append_val (boxes, best);
    }
  return boxes;
}

/* Boxes that are gone keep all but their class, which becomes -1. */
static void
show_boxes (const Detection *self, gsize sample, const GArray *boxes, guint n)
{
  for (gsize i = 0; i < self->n * 6; i++)
    set (self->y, sample * self->n * 6 + i, -1);
  for (guint i = 0; i < n; i++)
    {
      const Candidate *box = &g_array_index (boxes, Candidate, i);
      gsize at = (sample * self->n + i) * 6;

      set (self->y, at, box->is_gone ? -1 : box->class);
      set (self->y, at + 1, box->score);
      set_box (self->y, at + 2, box->box, FALSE);
    }
}

static gboolean
detect (SymKernel *kernel, const Detection *self, gsize sample, GError **error)
{
  g_autoptr (GArray) boxes = find_boxes (self, sample);
  gint64 topk = sym_kernel_get_int (kernel, "nms_topk", -1);
  Suppression how = { sym_kernel_get_float (kernel, "nms_threshold", 0.5), TRUE,
                      sym_kernel_get_bool (kernel, "force_suppress", FALSE) };
  guint n = boxes->len;

  if (how.overlap > 0 && how.overlap <= 1)
    {
      g_array_sort (boxes, compare_candidates);
      if (topk > 0 && n > topk)
        n = (guint) topk;
      if (!suppress (kernel, boxes, n, how, error))
        return FALSE;
    }
  show_boxes (self, sample, boxes, n);
  return TRUE;
}

gboolean
sym_op_mxnet_run_detection (SymKernel *kernel, GError **error)
{
  Detection self = { .variances = { 0.1, 0.1, 0.2, 0.2 } };
  gsize n_samples;

  self.classes = sym_kernel_need_input (kernel, 0, error);
  self.offsets = self.classes == NULL ? NULL : sym_kernel_need_input (kernel, 1, error);
  self.anchors = self.offsets == NULL ? NULL : sym_kernel_need_input (kernel, 2, error);
  if (self.anchors == NULL)
    return FALSE;
  if (self.classes->shape.rank != 3)
    return sym_kernel_fail (error, "MultiBoxDetection: cls_prob should have 3 axes and has %d",
                            self.classes->shape.rank);
  n_samples = (gsize) self.classes->shape.dims[0];
  self.n_classes = (gsize) self.classes->shape.dims[1];
  self.n = (gsize) self.classes->shape.dims[2];
  if (sym_array_get_n_elements (self.offsets) != n_samples * self.n * 4 ||
      sym_array_get_n_elements (self.anchors) != self.n * 4)
    return sym_kernel_fail (error,
                            "MultiBoxDetection: loc_pred and anchor should have 4 numbers "
                            "for each of %" G_GSIZE_FORMAT " boxes",
                            self.n);
  sym_kernel_get_floats (kernel, "variances", self.variances, 4);
  self.threshold = sym_kernel_get_float (kernel, "threshold", 0.01);
  self.clip = sym_kernel_get_bool (kernel, "clip", TRUE);
  self.y = sym_kernel_new_output (kernel, 0, self.classes->dtype,
                                  &SYM_SHAPE ((gint64) n_samples, (gint64) self.n, 6), error);
  for (gsize i = 0; self.y != NULL && i < n_samples; i++)
    if (!detect (kernel, &self, i, error))
      return FALSE;
  return self.y != NULL;
}
