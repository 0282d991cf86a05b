/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-regions.h"
#include "ops/sym-op-sort.h"

/* Proposal and MultiProposal: boxes around each place, moved as the offsets say, the best of them
 * without those that overlap better ones.  A box holds its last pixel, so that its width is right -
 * left + 1. */

typedef struct {
  double left, top, right, bottom, score;
} Box;

typedef struct {
  SymKernel *kernel;
  const SymArray *scores, *offsets, *info;
  gsize n, n_anchors, height, width;
  gint64 before, behind, stride;
  double threshold, least;
  gboolean corners;
  Box *anchors; /* around the first place */
  Box *boxes;   /* of one picture */
  gsize *order, *buffer;
  gboolean *gone;
  gsize asked;
} Proposal;

static double
get (const SymArray *array, gsize i)
{
  return sym_element_get_double (array->dtype, array->data, i);
}

/* ---- Reading ---- */

/* The square of the stride in each ratio, about its middle, in each scale. */
static gboolean
make_anchors (Proposal *self, GError **error)
{
  double scales[64] = { 4, 8, 16, 32 }, ratios[64] = { 0.5, 1, 2 };
  int n_scales = sym_kernel_get_floats (self->kernel, "scales", scales, 64);
  int n_ratios = sym_kernel_get_floats (self->kernel, "ratios", ratios, 64);
  double stride = (double) self->stride, middle = (stride - 1) / 2;

  n_scales = n_scales < 0 ? 4 : n_scales;
  n_ratios = n_ratios < 0 ? 3 : n_ratios;
  if (n_scales > 64 || n_ratios > 64 || (gsize) (n_scales * n_ratios) != self->n_anchors)
    return sym_kernel_fail (error,
                            "%d scales and %d ratios are no %" G_GSIZE_FORMAT
                            " anchors, half of the channels of cls_prob",
                            n_scales, n_ratios, self->n_anchors);
  self->anchors =
      sym_kernel_get_scratch (self->kernel, self->n_anchors + 1, sizeof *self->anchors, error);
  for (int i = 0; self->anchors != NULL && i < n_ratios * n_scales; i++)
    {
      double ratio = ratios[i / n_scales], scale = scales[i % n_scales];
      double width = floor (sqrt (floor (stride * stride / ratio)) + 0.5);
      double height = floor (width * ratio + 0.5) * scale;

      width *= scale;
      self->anchors[i] = (Box){ middle - (width - 1) / 2, middle - (height - 1) / 2,
                                middle + (width - 1) / 2, middle + (height - 1) / 2, 0 };
    }
  return self->anchors != NULL;
}

static gboolean
check_operands (Proposal *self, GError **error)
{
  const SymShape *scores = &self->scores->shape, *offsets = &self->offsets->shape;
  const SymShape *info = &self->info->shape;

  if (scores->rank != 4 || offsets->rank != 4 || info->rank != 2 || scores->dims[1] % 2 != 0 ||
      offsets->dims[0] != scores->dims[0] || offsets->dims[1] != 2 * scores->dims[1] ||
      offsets->dims[2] != scores->dims[2] || offsets->dims[3] != scores->dims[3] ||
      info->dims[0] != scores->dims[0] || info->dims[1] != 3 ||
      !sym_dtype_is_floating (self->scores->dtype) ||
      !sym_dtype_is_floating (self->offsets->dtype) || !sym_dtype_is_floating (self->info->dtype))
    return sym_kernel_fail (error, "cls_prob [N, 2 anchors, H, W], bbox_pred [N, 4 anchors, H, W] "
                                   "and im_info [N, 3] do not fit");
  self->n = (gsize) scores->dims[0];
  self->n_anchors = (gsize) scores->dims[1] / 2;
  self->height = (gsize) scores->dims[2];
  self->width = (gsize) scores->dims[3];
  return TRUE;
}

static gboolean
read_all (Proposal *self, SymKernel *kernel, GError **error)
{
  gsize n;

  *self = (Proposal){ .kernel = kernel,
                      .before = sym_kernel_get_int (kernel, "rpn_pre_nms_top_n", 6000),
                      .behind = sym_kernel_get_int (kernel, "rpn_post_nms_top_n", 300),
                      .stride = sym_kernel_get_int (kernel, "feature_stride", 16),
                      .threshold = sym_kernel_get_float (kernel, "threshold", 0.7),
                      .least = (double) sym_kernel_get_int (kernel, "rpn_min_size", 16),
                      .corners = sym_kernel_get_bool (kernel, "iou_loss", FALSE) };
  if ((self->scores = sym_kernel_need_input (kernel, 0, error)) == NULL ||
      (self->offsets = sym_kernel_need_input (kernel, 1, error)) == NULL ||
      (self->info = sym_kernel_need_input (kernel, 2, error)) == NULL ||
      !check_operands (self, error))
    return FALSE;
  if (self->stride < 1 || self->stride > G_MAXINT16 || self->behind < 1 ||
      self->behind > G_MAXINT32)
    return sym_kernel_fail (error, "feature_stride and rpn_post_nms_top_n must be at least 1");
  n = self->n_anchors * self->height * self->width;
  return make_anchors (self, error) &&
         (self->boxes = sym_kernel_get_scratch (kernel, n + 1, sizeof (Box), error)) != NULL &&
         (self->order = sym_kernel_get_scratch (kernel, n + 1, sizeof (gsize), error)) != NULL &&
         (self->buffer = sym_kernel_get_scratch (kernel, n + 1, sizeof (gsize), error)) != NULL &&
         (self->gone = sym_kernel_get_scratch (kernel, n + 1, sizeof (gboolean), error)) != NULL;
}

/* ---- Boxes ---- */

/* Offsets of the centre in sizes of the box, and of its logarithmic size; or of the corners. */
static Box
move (const Proposal *self, Box box, const double by[4])
{
  double width = box.right - box.left + 1, height = box.bottom - box.top + 1;
  double x = box.left + (width - 1) / 2 + by[0] * width;
  double y = box.top + (height - 1) / 2 + by[1] * height;

  if (self->corners)
    return (Box){ box.left + by[0], box.top + by[1], box.right + by[2], box.bottom + by[3],
                  box.score };
  width *= exp (by[2]);
  height *= exp (by[3]);
  return (Box){ x - (width - 1) / 2, y - (height - 1) / 2, x + (width - 1) / 2,
                y + (height - 1) / 2, box.score };
}

/* Boxes that are too small grow, and come last; so do those beyond the picture. */
static Box
finish (const Proposal *self, Box box, gsize picture, gsize row, gsize column)
{
  double height = get (self->info, picture * 3), width = get (self->info, picture * 3 + 1);
  double least = self->least * get (self->info, picture * 3 + 2);

  box.left = CLAMP (box.left, 0, width - 1);
  box.right = CLAMP (box.right, 0, width - 1);
  box.top = CLAMP (box.top, 0, height - 1);
  box.bottom = CLAMP (box.bottom, 0, height - 1);
  if ((double) row >= floor (height / (double) self->stride) ||
      (double) column >= floor (width / (double) self->stride))
    box.score = -1;
  if (box.right - box.left + 1 < least || box.bottom - box.top + 1 < least)
    box = (Box){ box.left - least / 2, box.top - least / 2, box.right + least / 2,
                 box.bottom + least / 2, -1 };
  return box;
}

static gboolean
make_boxes (Proposal *self, gsize picture, GError **error)
{
  gsize n_places = self->height * self->width, k = 0;

  for (gsize place = 0; place < n_places; place++)
    for (gsize a = 0; a < self->n_anchors; a++, k++)
      {
        double right = (double) (place % self->width) * (double) self->stride;
        double down = (double) (place / self->width) * (double) self->stride, by[4];
        Box box = self->anchors[a];

        box = (Box){ box.left + right, box.top + down, box.right + right, box.bottom + down,
                     get (self->scores,
                          ((picture * 2 + 1) * self->n_anchors + a) * n_places + place) };
        for (gsize i = 0; i < 4; i++)
          by[i] = get (self->offsets, ((picture * self->n_anchors + a) * 4 + i) * n_places + place);
        self->boxes[k] =
            finish (self, move (self, box, by), picture, place / self->width, place % self->width);
        self->order[k] = k;
        self->gone[k] = FALSE;
        if (!sym_op_go_on (self->kernel, &self->asked, 8, error))
          return FALSE;
      }
  return TRUE;
}

static int
compare (gconstpointer data, gsize a, gsize b)
{
  const Box *boxes = data;

  return boxes[a].score > boxes[b].score ? -1 : boxes[a].score < boxes[b].score ? 1 : 0;
}

static double
get_area (const Box *box)
{
  return (box->right - box->left + 1) * (box->bottom - box->top + 1);
}

static double
get_overlap (const Box *a, const Box *b)
{
  double width = MIN (a->right, b->right) - MAX (a->left, b->left) + 1;
  double height = MIN (a->bottom, b->bottom) - MAX (a->top, b->top) + 1;
  double common = MAX (width, 0) * MAX (height, 0);

  return common / (get_area (a) + get_area (b) - common);
}

/* Leaves at the front of the order those that stay, at most as many as are wanted. */
static gboolean
suppress (Proposal *self, gsize n, gsize *n_kept, GError **error)
{
  *n_kept = 0;
  for (gsize i = 0; i < n && *n_kept < (gsize) self->behind; i++)
    {
      if (self->gone[self->order[i]])
        continue;
      for (gsize j = i + 1; j < n; j++)
        if (get_overlap (&self->boxes[self->order[i]], &self->boxes[self->order[j]]) >
            self->threshold)
          self->gone[self->order[j]] = TRUE;
      self->order[(*n_kept)++] = self->order[i];
      if (!sym_op_go_on (self->kernel, &self->asked, 8 * (n - i), error))
        return FALSE;
    }
  return TRUE;
}

/* Where there are fewer boxes than wanted, they come again from the first on. */
static gboolean
propose (Proposal *self, gsize picture, SymArray *y, SymArray *scores, GError **error)
{
  gsize n = self->n_anchors * self->height * self->width, n_kept;

  if (!make_boxes (self, picture, error) ||
      !sym_op_sort (self->kernel, self->order, self->buffer, n, compare, self->boxes, 1, error))
    return FALSE;
  if (self->before > 0 && (gsize) self->before < n)
    n = (gsize) self->before;
  if (!suppress (self, n, &n_kept, error))
    return FALSE;
  for (gsize i = 0; i < (gsize) self->behind; i++)
    {
      gsize row = picture * (gsize) self->behind + i;
      const Box *box = &self->boxes[self->order[i % n_kept]];
      const double numbers[5] = { (double) picture, box->left, box->top, box->right, box->bottom };

      for (gsize k = 0; k < 5; k++)
        sym_element_set_double (y->dtype, y->data, row * 5 + k, numbers[k]);
      sym_element_set_double (scores->dtype, scores->data, row, box->score);
    }
  return TRUE;
}

gboolean
sym_op_mxnet_run_proposal (SymKernel *kernel, GError **error)
{
  SymArray *y, *scores;
  Proposal self;
  gint64 n;

  if (!read_all (&self, kernel, error))
    return FALSE;
  if (self.n != 1 &&
      !g_str_has_suffix (sym_layer_get_operator (sym_kernel_get_layer (kernel))->name,
                         "MultiProposal"))
    return sym_kernel_fail (error, "only one picture at a time has proposals, not %" G_GSIZE_FORMAT,
                            self.n);
  if (self.n_anchors * self.height * self.width == 0)
    return sym_kernel_fail (error, "there is no place for a box");
  n = (gint64) self.n * self.behind;
  y = sym_kernel_new_output (kernel, 0, self.scores->dtype, &SYM_SHAPE (n, 5), error);
  if (y == NULL)
    return FALSE;
  scores = sym_op_new_place (kernel, 1, self.scores->dtype, &SYM_SHAPE (n, 1), error);
  for (gsize picture = 0; scores != NULL && picture < self.n; picture++)
    if (!propose (&self, picture, y, scores, error))
      return FALSE;
  return scores != NULL;
}
