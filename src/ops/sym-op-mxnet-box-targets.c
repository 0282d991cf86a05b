/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-mxnet-boxes.h"
#include "ops/sym-op-sort.h"

/* Matches of boxes, and boxes as offsets from anchors. */

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

/* A box by its centre and size. */
typedef struct {
  double x, y, width, height;
} Middle;

static Middle
get_middle (const SymArray *array, gsize i, gboolean is_center)
{
  double a = get (array, i), b = get (array, i + 1), c = get (array, i + 2), d = get (array, i + 3);

  return is_center ? (Middle){ a, b, c, d } : (Middle){ (a + c) / 2, (b + d) / 2, c - a, d - b };
}

/* Offsets of the centre in sizes of the anchor, and logarithms of the sizes' quotients. */
static void
encode (Middle box, Middle anchor, double offsets[4])
{
  offsets[0] = (box.x - anchor.x) / anchor.width;
  offsets[1] = (box.y - anchor.y) / anchor.height;
  offsets[2] = log (box.width / anchor.width);
  offsets[3] = log (box.height / anchor.height);
}

static gboolean
check_dtypes (SymKernel *kernel, GError **error)
{
  for (guint i = 0; i < sym_kernel_get_n_inputs (kernel); i++)
    {
      const SymArray *array = sym_kernel_need_input (kernel, i, error);

      if (array == NULL)
        return FALSE;
      if (!sym_dtype_is_numeric (array->dtype))
        return sym_op_refuse_dtype (kernel, array->dtype, error);
    }
  return TRUE;
}

/* ---- box_decode ---- */

gboolean
sym_op_mxnet_run_box_decode (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error), *anchors;
  gboolean center = g_str_equal (sym_kernel_get_string (kernel, "format", "center"), "center");
  double std[4], clip = sym_kernel_get_float (kernel, "clip", -1);
  gsize n, asked = 0;
  SymArray *y;

  if (x == NULL || !check_dtypes (kernel, error))
    return FALSE;
  anchors = sym_kernel_need_input (kernel, 1, error);
  if (anchors == NULL)
    return FALSE;
  n = anchors->shape.rank == 3 ? (gsize) anchors->shape.dims[1] : 0;
  if (x->shape.rank != 3 || x->shape.dims[2] != 4 || anchors->shape.rank != 3 ||
      anchors->shape.dims[0] != 1 || anchors->shape.dims[2] != 4 || x->shape.dims[1] != (gint64) n)
    return sym_kernel_fail (error, "data [B, N, 4] and anchors [1, N, 4] do not fit");
  for (int i = 0; i < 4; i++)
    {
      char name[] = "std0";

      name[3] = (char) ('0' + i);
      std[i] = sym_kernel_get_float (kernel, name, 1);
    }
  y = sym_kernel_new_output (kernel, 0, x->dtype, &x->shape, error);
  for (gsize i = 0; y != NULL && i < (gsize) x->shape.dims[0] * n; i++)
    {
      Middle anchor = get_middle (anchors, 4 * (i % n), center);
      double middle_x = get (x, 4 * i) * std[0] * anchor.width + anchor.x;
      double middle_y = get (x, 4 * i + 1) * std[1] * anchor.height + anchor.y;
      double width = get (x, 4 * i + 2) * std[2], height = get (x, 4 * i + 3) * std[3];

      width = exp (clip > 0 ? MIN (width, clip) : width) * anchor.width / 2;
      height = exp (clip > 0 ? MIN (height, clip) : height) * anchor.height / 2;
      set (y, 4 * i, middle_x - width);
      set (y, 4 * i + 1, middle_y - height);
      set (y, 4 * i + 2, middle_x + width);
      set (y, 4 * i + 3, middle_y + height);
      if (!sym_op_go_on (kernel, &asked, 8, error))
        return FALSE;
    }
  return y != NULL;
}

/* ---- box_encode ---- */

typedef struct {
  const SymArray *samples, *matches, *anchors, *refs, *means, *stds;
  gsize n_batch, n, n_refs;
} Encode;

static gboolean
read_encode (Encode *self, SymKernel *kernel, GError **error)
{
  const SymArray **slots[] = { &self->samples, &self->matches, &self->anchors,
                               &self->refs,    &self->means,   &self->stds };

  for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
    {
      *slots[i] = sym_kernel_need_input (kernel, i, error);
      if (*slots[i] == NULL)
        return FALSE;
    }
  if (self->anchors->shape.rank != 3 || self->anchors->shape.dims[2] != 4 ||
      self->refs->shape.rank != 3 || self->refs->shape.dims[2] != 4 ||
      self->refs->shape.dims[0] != self->anchors->shape.dims[0])
    return sym_kernel_fail (error, "anchors must be [B, N, 4] and refs [B, M, 4]");
  self->n_batch = (gsize) self->anchors->shape.dims[0];
  self->n = (gsize) self->anchors->shape.dims[1];
  self->n_refs = (gsize) self->refs->shape.dims[1];
  if (sym_array_get_n_elements (self->samples) != self->n_batch * self->n ||
      sym_array_get_n_elements (self->matches) != self->n_batch * self->n ||
      sym_array_get_n_elements (self->means) != 4 || sym_array_get_n_elements (self->stds) != 4)
    return sym_kernel_fail (error, "samples and matches must be [B, N], means and stds [4]");
  return TRUE;
}

/* Boxes that are no samples have targets and masks of 0. */
gboolean
sym_op_mxnet_run_box_encode (SymKernel *kernel, GError **error)
{
  SymArray *targets, *masks;
  gsize asked = 0;
  Encode self;

  if (!check_dtypes (kernel, error) || !read_encode (&self, kernel, error))
    return FALSE;
  targets = sym_kernel_new_output (kernel, 0, self.anchors->dtype, &self.anchors->shape, error);
  masks = targets == NULL
              ? NULL
              : sym_op_new_place (kernel, 1, self.anchors->dtype, &self.anchors->shape, error);
  for (gsize i = 0; masks != NULL && i < self.n_batch * self.n; i++)
    {
      gboolean counts = get (self.samples, i) > 0.5;
      double match = get (self.matches, i), offsets[4] = { 0, 0, 0, 0 };

      if (counts && !(match >= 0 && match < (double) self.n_refs))
        return sym_kernel_fail (error, "match %g is none of %" G_GSIZE_FORMAT, match, self.n_refs);
      if (counts)
        encode (get_middle (self.refs, 4 * (i / self.n * self.n_refs + (gsize) match), FALSE),
                get_middle (self.anchors, 4 * i, FALSE), offsets);
      for (gsize k = 0; k < 4; k++)
        {
          set (targets, 4 * i + k,
               counts ? (offsets[k] - get (self.means, k)) / get (self.stds, k) : 0);
          set (masks, 4 * i + k, counts ? 1 : 0);
        }
      if (!sym_op_go_on (kernel, &asked, 16, error))
        return FALSE;
    }
  return masks != NULL;
}

/* ---- bipartite_matching ---- */

typedef struct {
  const SymArray *x;
  gsize first;
  gboolean ascends;
} Scores;

static int
compare_scores (gconstpointer data, gsize a, gsize b)
{
  const Scores *self = data;
  double left = get (self->x, self->first + a), right = get (self->x, self->first + b);

  if (left == right)
    return 0;
  return (left < right) == self->ascends ? -1 : 1;
}

/* The best pair that is free comes first.  As in MXNet, topk is passed by one match. */
static void
match (const Scores *scores,
       const gsize *order,
       gsize n_rows,
       gsize n_columns,
       double threshold,
       gint64 topk,
       SymArray *rows,
       SymArray *columns)
{
  gsize batch = scores->first / MAX (n_rows * n_columns, 1);
  gint64 count = 0;

  for (gsize i = 0; i < n_rows; i++)
    set (rows, batch * n_rows + i, -1);
  for (gsize i = 0; i < n_columns; i++)
    set (columns, batch * n_columns + i, -1);
  for (gsize i = 0; i < n_rows * n_columns; i++)
    {
      gsize row = order[i] / n_columns, column = order[i] % n_columns;
      double score = get (scores->x, scores->first + order[i]);

      if (get (rows, batch * n_rows + row) >= 0 || get (columns, batch * n_columns + column) >= 0)
        continue;
      if (scores->ascends ? score >= threshold : score <= threshold)
        return;
      set (rows, batch * n_rows + row, (double) column);
      set (columns, batch * n_columns + column, (double) row);
      if (topk > 0 && ++count > topk)
        return;
    }
}

gboolean
sym_op_mxnet_run_matching (SymKernel *kernel, GError **error)
{
  double threshold = sym_kernel_get_float (kernel, "threshold", 0);
  Scores scores = { .x = sym_kernel_need_input (kernel, 0, error),
                    .ascends = sym_kernel_get_bool (kernel, "is_ascend", FALSE) };
  SymArray *rows, *columns;
  gsize n_rows, n_columns, n, *order;
  SymShape shape;

  if (scores.x == NULL || !check_dtypes (kernel, error))
    return FALSE;
  if (scores.x->shape.rank < 2)
    return sym_kernel_fail (error, "score matrix must have dim >= 2");
  shape = scores.x->shape;
  n_rows = (gsize) shape.dims[shape.rank - 2];
  n_columns = (gsize) shape.dims[shape.rank - 1];
  n = n_rows * n_columns;
  shape.rank--;
  rows = sym_kernel_new_output (kernel, 0, scores.x->dtype, &shape, error);
  shape.dims[shape.rank - 1] = (gint64) n_columns;
  columns = rows == NULL ? NULL : sym_op_new_place (kernel, 1, scores.x->dtype, &shape, error);
  order = columns == NULL ? NULL : sym_kernel_get_scratch (kernel, 2 * n + 1, sizeof *order, error);
  if (order == NULL)
    return FALSE;
  for (; n > 0 && scores.first < sym_array_get_n_elements (scores.x); scores.first += n)
    {
      for (gsize i = 0; i < n; i++)
        order[i] = i;
      if (!sym_op_sort (kernel, order, order + n, n, compare_scores, &scores, 1, error))
        return FALSE;
      match (&scores, order, n_rows, n_columns, threshold, sym_kernel_get_int (kernel, "topk", -1),
             rows, columns);
    }
  return TRUE;
}

/* ---- MultiBoxTarget ---- */

typedef enum {
  BOX_IGNORED,
  BOX_NEGATIVE,
  BOX_POSITIVE,
} BoxKind;

typedef struct {
  SymKernel *kernel;
  const SymArray *anchors, *labels, *classes;
  SymArray *offsets, *masks, *targets;
  gsize n_anchors, n_labels, width, n_classes;
  gsize n_objects;  /* of the sample at hand */
  double *overlaps; /* [anchors, labels] */
  double *best;     /* of each anchor, below 0 where it is not known */
  gsize *object;
  BoxKind *kinds;
  gsize *order, *buffer;
  double *risks;
  gsize asked;
} Target;

static double
overlap (const SymArray *a, gsize i, const SymArray *b, gsize j)
{
  double width = MIN (get (a, i + 2), get (b, j + 2)) - MAX (get (a, i), get (b, j));
  double height = MIN (get (a, i + 3), get (b, j + 3)) - MAX (get (a, i + 1), get (b, j + 1));
  double common = MAX (width, 0) * MAX (height, 0);
  double all = (get (a, i + 2) - get (a, i)) * (get (a, i + 3) - get (a, i + 1)) +
               (get (b, j + 2) - get (b, j)) * (get (b, j + 3) - get (b, j + 1)) - common;

  return all <= 0 ? 0 : common / all;
}

static gboolean
read_target (Target *self, SymKernel *kernel, GError **error)
{
  const SymShape *anchors, *labels, *classes;
  gsize n;

  *self = (Target){ .kernel = kernel };
  if (!check_dtypes (kernel, error) ||
      (self->anchors = sym_kernel_need_input (kernel, 0, error)) == NULL ||
      (self->labels = sym_kernel_need_input (kernel, 1, error)) == NULL ||
      (self->classes = sym_kernel_need_input (kernel, 2, error)) == NULL)
    return FALSE;
  anchors = &self->anchors->shape;
  labels = &self->labels->shape;
  classes = &self->classes->shape;
  if (anchors->rank != 3 || anchors->dims[0] != 1 || anchors->dims[2] != 4 || labels->rank != 3 ||
      labels->dims[2] < 5 || classes->rank != 3 || classes->dims[0] != labels->dims[0] ||
      classes->dims[2] != anchors->dims[1] || classes->dims[1] < 1)
    return sym_kernel_fail (error, "anchor [1, A, 4], label [N, L, 5 or more] and cls_pred [N, "
                                   "classes, A] do not fit");
  self->n_anchors = (gsize) anchors->dims[1];
  self->n_labels = (gsize) labels->dims[1];
  self->width = (gsize) labels->dims[2];
  self->n_classes = (gsize) classes->dims[1];
  n = self->n_anchors + 1;
  if (!g_size_checked_mul (&n, n, self->n_labels + 1))
    return sym_kernel_fail (error, "there are too many anchors and labels");
  return (self->overlaps = sym_kernel_get_scratch (kernel, n, sizeof (double), error)) != NULL &&
         (n = self->n_anchors + 1,
          self->best = sym_kernel_get_scratch (kernel, n, sizeof (double), error)) != NULL &&
         (self->object = sym_kernel_get_scratch (kernel, n, sizeof (gsize), error)) != NULL &&
         (self->kinds = sym_kernel_get_scratch (kernel, n, sizeof (BoxKind), error)) != NULL &&
         (self->order = sym_kernel_get_scratch (kernel, n, sizeof (gsize), error)) != NULL &&
         (self->buffer = sym_kernel_get_scratch (kernel, n, sizeof (gsize), error)) != NULL &&
         (self->risks = sym_kernel_get_scratch (kernel, n, sizeof (double), error)) != NULL;
}

static gsize
get_label (const Target *self, gsize sample, gsize object)
{
  return (sample * self->n_labels + object) * self->width;
}

/* Objects come before the first class of -1. */
static gboolean
start_sample (Target *self, gsize sample, GError **error)
{
  self->n_objects = 0;
  while (self->n_objects < self->n_labels &&
         get (self->labels, get_label (self, sample, self->n_objects)) != -1)
    self->n_objects++;
  for (gsize j = 0; j < self->n_anchors; j++)
    {
      self->kinds[j] = BOX_IGNORED;
      self->best[j] = -1;
      for (gsize k = 0; k < self->n_objects; k++)
        self->overlaps[j * self->n_labels + k] =
            overlap (self->anchors, 4 * j, self->labels, get_label (self, sample, k) + 1);
      if (!sym_op_go_on (self->kernel, &self->asked, 8 * self->n_objects + 1, error))
        return FALSE;
    }
  return TRUE;
}

/* Each object has the anchor that overlaps it best, the best pair first. */
static gboolean
match_objects (Target *self, GError **error)
{
  g_autofree gboolean *matched = g_new0 (gboolean, self->n_objects + 1);

  for (gsize n = 0; n < self->n_objects; n++)
    {
      double greatest = 1e-6;
      gsize anchor = 0, object = G_MAXSIZE;

      for (gsize j = 0; j < self->n_anchors; j++)
        for (gsize k = 0; k < self->n_objects && self->kinds[j] != BOX_POSITIVE; k++)
          if (!matched[k] && self->overlaps[j * self->n_labels + k] > greatest)
            {
              greatest = self->overlaps[j * self->n_labels + k];
              anchor = j;
              object = k;
            }
      if (object == G_MAXSIZE)
        return TRUE;
      matched[object] = TRUE;
      self->kinds[anchor] = BOX_POSITIVE;
      self->best[anchor] = greatest;
      self->object[anchor] = object;
      if (!sym_op_go_on (self->kernel, &self->asked, self->n_anchors * self->n_objects, error))
        return FALSE;
    }
  return TRUE;
}

static void
find_best (Target *self, gsize anchor)
{
  for (gsize k = 0; k < self->n_objects; k++)
    if (self->overlaps[anchor * self->n_labels + k] > self->best[anchor])
      {
        self->best[anchor] = self->overlaps[anchor * self->n_labels + k];
        self->object[anchor] = k;
      }
}

/* Anchors that overlap an object enough are its, too.  How many are positive. */
static gsize
match_anchors (Target *self, double threshold)
{
  gsize n = 0;

  for (gsize j = 0; j < self->n_anchors; j++)
    {
      if (self->kinds[j] != BOX_POSITIVE)
        find_best (self, j);
      if (self->kinds[j] != BOX_POSITIVE && threshold > 0 && self->best[j] > threshold)
        self->kinds[j] = BOX_POSITIVE;
      n += self->kinds[j] == BOX_POSITIVE;
    }
  return n;
}

/* The share of the background, class 0. */
static double
get_background (const Target *self, gsize sample, gsize anchor)
{
  gsize first = sample * self->n_classes * self->n_anchors + anchor;
  double greatest = -INFINITY, sum = 0;

  for (gsize k = 0; k < self->n_classes; k++)
    greatest = MAX (greatest, get (self->classes, first + k * self->n_anchors));
  for (gsize k = 0; k < self->n_classes; k++)
    sum += exp (get (self->classes, first + k * self->n_anchors) - greatest);
  return exp (get (self->classes, first) - greatest) / sum;
}

static int
compare_risks (gconstpointer data, gsize a, gsize b)
{
  const double *risks = data;

  return (risks[a] > risks[b]) - (risks[a] < risks[b]);
}

/* Negative are those that look least like background, so many for each positive one. */
static gboolean
mine (Target *self, gsize sample, gsize n_positive, double ratio, double threshold, GError **error)
{
  double wanted = floor ((double) n_positive * ratio);
  gsize n = 0;

  for (gsize j = 0; j < self->n_anchors; j++)
    if (self->kinds[j] == BOX_IGNORED && self->best[j] < threshold)
      {
        self->risks[j] = get_background (self, sample, j);
        self->order[n++] = j;
        if (!sym_op_go_on (self->kernel, &self->asked, self->n_classes, error))
          return FALSE;
      }
  if (!sym_op_sort (self->kernel, self->order, self->buffer, n, compare_risks, self->risks, 1,
                    error))
    return FALSE;
  for (gsize i = 0; i < n && (double) i < wanted; i++)
    self->kinds[self->order[i]] = BOX_NEGATIVE;
  return TRUE;
}

static void
put_sample (Target *self, gsize sample, const double variances[4])
{
  double ignored = sym_kernel_get_float (self->kernel, "ignore_label", -1);

  for (gsize j = 0; j < self->n_anchors; j++)
    {
      gsize at = sample * self->n_anchors + j;
      gboolean positive = self->kinds[j] == BOX_POSITIVE;
      gsize label = positive ? get_label (self, sample, self->object[j]) : 0;
      double offsets[4] = { 0, 0, 0, 0 };

      if (positive)
        encode (get_middle (self->labels, label + 1, FALSE),
                get_middle (self->anchors, 4 * j, FALSE), offsets);
      for (gsize k = 0; k < 4; k++)
        {
          set (self->offsets, 4 * at + k, positive ? offsets[k] / variances[k] : 0);
          set (self->masks, 4 * at + k, positive ? 1 : 0);
        }
      set (self->targets, at,
           positive                         ? get (self->labels, label) + 1
           : self->kinds[j] == BOX_NEGATIVE ? 0
                                            : ignored);
    }
}

static gboolean
find_targets (Target *self, gsize sample, const double variances[4], GError **error)
{
  double ratio = sym_kernel_get_float (self->kernel, "negative_mining_ratio", -1);
  gsize n_positive;

  if (!start_sample (self, sample, error) || !match_objects (self, error))
    return FALSE;
  n_positive = match_anchors (self, sym_kernel_get_float (self->kernel, "overlap_threshold", 0.5));
  if (self->n_objects > 0 && ratio > 0 &&
      !mine (self, sample, n_positive, ratio,
             sym_kernel_get_float (self->kernel, "negative_mining_thresh", 0.5), error))
    return FALSE;
  for (gsize j = 0; self->n_objects > 0 && ratio <= 0 && j < self->n_anchors; j++)
    if (self->kinds[j] != BOX_POSITIVE)
      self->kinds[j] = BOX_NEGATIVE;
  put_sample (self, sample, variances);
  return TRUE;
}

gboolean
sym_op_mxnet_run_box_target (SymKernel *kernel, GError **error)
{
  double variances[4] = { 0.1, 0.1, 0.2, 0.2 };
  SymShape wide, narrow;
  Target self;

  sym_kernel_get_floats (kernel, "variances", variances, 4);
  if (!read_target (&self, kernel, error))
    return FALSE;
  narrow = SYM_SHAPE (self.labels->shape.dims[0], (gint64) self.n_anchors);
  wide = SYM_SHAPE (narrow.dims[0], 4 * narrow.dims[1]);
  self.offsets = sym_kernel_new_output (kernel, 0, self.anchors->dtype, &wide, error);
  if (self.offsets == NULL)
    return FALSE;
  self.masks = sym_op_new_place (kernel, 1, self.anchors->dtype, &wide, error);
  if (self.masks == NULL)
    return FALSE;
  self.targets = sym_op_new_place (kernel, 2, self.anchors->dtype, &narrow, error);
  if (self.targets == NULL)
    return FALSE;
  for (gsize i = 0; i < (gsize) narrow.dims[0]; i++)
    if (!find_targets (&self, i, variances, error))
      return FALSE;
  return TRUE;
}
