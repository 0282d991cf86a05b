/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ops/sym-op-clones.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-sort.h"
#include "ops/sym-op-table.h"

/* NonMaxSuppression: of boxes that overlap, the one of the highest score. */

static const SymAttributeSpec attributes[] = {
  { "center_point_box", SYM_ATTRIBUTE_INT, "0",
    "whether boxes are [x, y, width, height] of a centre, not [y, x, y, x] of two corners" },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "boxes" },
  { "scores" },
  { "max_output_boxes_per_class", .optional = TRUE },
  { "iou_threshold", .optional = TRUE },
  { "score_threshold", .optional = TRUE },
  { NULL },
};

static const char *const outputs[] = { "selected_indices", NULL };

static int
get_one (const SymAttributes *given, int *n_visible)
{
  return *n_visible = 1;
}

/* boxes [batch, n, 4], scores [batch, classes, n]: indices [?, 3]. */
static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape boxes = SYM_SHAPE (SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, 4);
  SymShape scores = sym_shape_new_unknown (3);

  if (!sym_rule_set_input (rule, 0, &boxes, error) || !sym_rule_set_input (rule, 1, &scores, error))
    return FALSE;
  boxes = sym_rule_get_input (rule, 0);
  scores = sym_rule_get_input (rule, 1);
  return sym_rule_unify (rule, boxes.dims[0], scores.dims[0], "batches of boxes and scores",
                         error) &&
         sym_rule_unify (rule, boxes.dims[1], scores.dims[2], "boxes and scores", error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (SYM_DIM_UNKNOWN, 3), SYM_DTYPE_INT64, error);
}

/* By its corners. */
typedef struct {
  float least[2], greatest[2], area;
} Box;

static Box
read_box (const float *given, gboolean is_centre)
{
  Box box;

  for (int i = 0; i < 2; i++)
    if (is_centre)
      {
        box.least[i] = given[i] - given[2 + i] / 2;
        box.greatest[i] = given[i] + given[2 + i] / 2;
      }
    else
      {
        box.least[i] = MIN (given[i], given[2 + i]);
        box.greatest[i] = MAX (given[i], given[2 + i]);
      }
  box.area = (box.greatest[0] - box.least[0]) * (box.greatest[1] - box.least[1]);
  return box;
}

/* Boxes that are compared with another one at once; of those that are not there the area is 0. */
#define LANES 16

typedef struct {
  float least[2][LANES], greatest[2][LANES], area[LANES];
} Boxes;

static void
put_box (Boxes *all, gsize i, const Box *box)
{
  Boxes *to = &all[i / LANES];

  if (i % LANES == 0)
    *to = (Boxes){ .area = { 0 } };
  for (int k = 0; k < 2; k++)
    {
      to->least[k][i % LANES] = box->least[k];
      to->greatest[k][i % LANES] = box->greatest[k];
    }
  to->area[i % LANES] = box->area;
}

/* The sides of what the box shares with each of the others. */
SYM_OP_CLONES static void
find_sides (const Box *box, const Boxes *others, float *restrict down, float *restrict across)
{
  for (int i = 0; i < LANES; i++)
    {
      down[i] =
          MIN (box->greatest[0], others->greatest[0][i]) - MAX (box->least[0], others->least[0][i]);
      across[i] =
          MIN (box->greatest[1], others->greatest[1][i]) - MAX (box->least[1], others->least[1][i]);
    }
}

SYM_OP_CLONES static void
multiply_sides (const float *down, const float *across, float *restrict shared)
{
  for (int i = 0; i < LANES; i++)
    shared[i] = down[i] * across[i];
}

SYM_OP_CLONES static int
count_overlaps (const Box *box,
                const Boxes *others,
                const float *down,
                const float *across,
                const float *shared,
                float threshold)
{
  int n = 0;

  for (int i = 0; i < LANES; i++)
    {
      float all = box->area + others->area[i] - shared[i];

      n += (down[i] > 0) & (across[i] > 0) & (others->area[i] > 0) & (all > 0) &
           (shared[i] / all > threshold);
    }
  return n;
}

/* Whether the box shares with one of @n others more than @threshold of what both cover.  Products
 * are rounded before they are taken from sums, as elsewhere: what is chosen hangs on the last
 * bit. */
static gboolean
overlaps (const Box *box, const Boxes *others, gsize n, float threshold)
{
  float down[LANES], across[LANES], shared[LANES];

  for (gsize i = 0; i < n && box->area > 0; i += LANES, others++)
    {
      find_sides (box, others, down, across);
      multiply_sides (down, across, shared);
      if (count_overlaps (box, others, down, across, shared, threshold) > 0)
        return TRUE;
    }
  return FALSE;
}

typedef struct {
  SymKernel *kernel;
  const float *boxes, *scores;
  gsize n_batches, n_classes, n_boxes;
  gsize most; /* boxes of a class */
  float overlap_threshold, score_threshold;
  gboolean has_score_threshold, is_centre;
  Box *corners;     /* of the boxes of a batch */
  gsize *order;     /* the boxes of a class, the best one first */
  gsize *buffer;    /* as many */
  Boxes *kept;      /* those of a class that were chosen */
  GArray *selected; /* of gint64, three for each chosen one */
} Selection;

/* Higher scores first, of equal ones the first box; what is no number last. */
static int
compare_scores (gconstpointer data, gsize i, gsize j)
{
  const float *scores = data;
  gboolean i_is_number = scores[i] == scores[i], j_is_number = scores[j] == scores[j];

  if (i_is_number != j_is_number)
    return i_is_number ? -1 : 1;
  return scores[i] > scores[j] ? -1 : scores[i] < scores[j];
}

static gboolean
select_class (Selection *self, gsize batch, gsize class, gsize *asked, GError **error)
{
  const float *scores = self->scores + (batch * self->n_classes + class) * self->n_boxes;
  gsize n = 0, n_kept = 0;

  for (gsize i = 0; i < self->n_boxes; i++)
    if (!self->has_score_threshold || scores[i] > self->score_threshold)
      self->order[n++] = i;
  if (!sym_op_sort (self->kernel, self->order, self->buffer, n, compare_scores, scores, 4, error))
    return FALSE;
  for (gsize i = 0; i < n && n_kept < self->most; i++)
    {
      const Box *box = &self->corners[self->order[i]];

      if (!sym_op_go_on (self->kernel, asked, n_kept + 1, error))
        return FALSE;
      if (!overlaps (box, self->kept, n_kept, self->overlap_threshold))
        {
          const gint64 row[] = { (gint64) batch, (gint64) class, (gint64) self->order[i] };

          put_box (self->kept, n_kept++, box);
          g_array_append_vals (self->selected, row, 3);
        }
    }
  return TRUE;
}

static gboolean
select_all (Selection *self, GError **error)
{
  gsize asked = 0;

  for (gsize batch = 0; batch < self->n_batches; batch++)
    {
      for (gsize i = 0; i < self->n_boxes; i++)
        self->corners[i] =
            read_box (self->boxes + (batch * self->n_boxes + i) * 4, self->is_centre);
      for (gsize class = 0; class < self->n_classes; class ++)
        if (!sym_op_go_on (self->kernel, &asked, self->n_boxes, error) ||
            !select_class (self, batch, class, &asked, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
read_selection (Selection *self, SymKernel *kernel, GError **error)
{
  const SymArray *boxes = sym_kernel_need_input (kernel, 0, error), *scores;
  double most = 0, threshold = 0, least_score = 0;

  if (boxes == NULL || (scores = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  if (boxes->dtype != SYM_DTYPE_FLOAT32 || scores->dtype != SYM_DTYPE_FLOAT32)
    return sym_op_refuse_dtype (
        kernel, boxes->dtype == SYM_DTYPE_FLOAT32 ? scores->dtype : boxes->dtype, error);
  if (boxes->shape.rank != 3 || boxes->shape.dims[2] != 4 || scores->shape.rank != 3 ||
      scores->shape.dims[0] != boxes->shape.dims[0] ||
      scores->shape.dims[2] != boxes->shape.dims[1])
    {
      g_autofree char *left = sym_op_format_shape (&boxes->shape);
      g_autofree char *right = sym_op_format_shape (&scores->shape);

      return sym_kernel_fail (error, "scores of shape %s do not fit boxes of %s", right, left);
    }
  if (!sym_op_get_number (kernel, 2, &most, error) ||
      !sym_op_get_number (kernel, 3, &threshold, error) ||
      !sym_op_get_number (kernel, 4, &least_score, error))
    return FALSE;
  self->boxes = boxes->data;
  self->scores = scores->data;
  self->n_batches = (gsize) boxes->shape.dims[0];
  self->n_boxes = (gsize) boxes->shape.dims[1];
  self->n_classes = (gsize) scores->shape.dims[1];
  self->most = (gsize) CLAMP (most, 0, (double) self->n_boxes);
  self->overlap_threshold = (float) threshold;
  self->score_threshold = (float) least_score;
  self->has_score_threshold = sym_kernel_get_input (kernel, 4) != NULL;
  self->is_centre = sym_kernel_get_bool (kernel, "center_point_box", FALSE);
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  g_autoptr (GArray) selected = g_array_new (FALSE, FALSE, sizeof (gint64));
  Selection self = { .kernel = kernel, .selected = selected };
  SymArray *y;

  if (!read_selection (&self, kernel, error))
    return FALSE;
  self.corners = sym_kernel_get_scratch (kernel, self.n_boxes, sizeof (Box), error);
  if (self.corners == NULL)
    return FALSE;
  self.order = sym_kernel_get_scratch (kernel, self.n_boxes, sizeof (gsize), error);
  if (self.order == NULL)
    return FALSE;
  self.buffer = sym_kernel_get_scratch (kernel, self.n_boxes, sizeof (gsize), error);
  if (self.buffer == NULL)
    return FALSE;
  self.kept = sym_kernel_get_scratch (kernel, self.n_boxes / LANES + 1, sizeof (Boxes), error);
  if (self.kept == NULL || (self.most > 0 && !select_all (&self, error)))
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &SYM_SHAPE (selected->len / 3, 3), error);
  if (y == NULL)
    return FALSE;
  if (selected->len > 0)
    memcpy (y->data, selected->data, selected->len * sizeof (gint64));
  return TRUE;
}

const SymOperator sym_op_onnx_boxes[] = {
  { SYM_OP_ONNX ("NonMaxSuppression", 10),
    .summary = "of boxes that overlap, the one of the highest score",
    .category = SYM_CATEGORY_OTHER, .attributes = attributes, .slots = slots,
    .get_n_outputs = get_one, .output_names = outputs, .infer = infer, .run = run },
  { 0 },
};
