/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/sym-error.h"
#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-rows-private.h"

/* About as long as so many operations of a product. */
#define OPERATIONS 30

/* ---- Moves ---- */

/* Both grids have the same sizes: their axes are those of the result from the widest stride to the
 * nearest, joined where both can be. */
typedef struct {
  SymStep step;
  guint x, y;
  int rank;
  gsize sizes[SYM_MAX_RANK];
  gssize from[SYM_MAX_RANK], to[SYM_MAX_RANK], from_offset, to_offset;
  int other;          /* the axis that is moved with the last one; -1 for none */
  gboolean is_turned; /* along that axis x lies together */
  gsize n_parts;      /* which that axis is cut into, so that several threads have some */
} Move;

/* Of the innermost one or two axes one part. */
static void
move_inner (const Move *self, const float *x, float *y, gsize part)
{
  int last = self->rank - 1, other = self->other;
  gsize n = self->sizes[last], n_rows = other < 0 ? 1 : self->sizes[other], row;
  gssize from = other < 0 ? 0 : self->from[other], to = other < 0 ? 0 : self->to[other];

  sym_step_get_slice ((guint) part, (guint) self->n_parts, n_rows, &row, &n_rows);
  n_rows -= row;
  x += (gssize) row * from;
  y += (gssize) row * to;
  if (self->is_turned)
    sym_vector_turn (y, to, x, self->from[last], n, n_rows);
  else if (self->from[last] == 1 && self->to[last] == 1)
    sym_vector_copy_rows (y, to, x, from, n_rows, n);
  else
    for (gsize j = 0; j < n_rows; j++, x += from, y += to)
      for (gsize i = 0; i < n; i++)
        y[(gssize) i * self->to[last]] = x[(gssize) i * self->from[last]];
}

/* Whether the loop over the axis is move_inner()'s. */
static gboolean
is_inner (const Move *self, int axis)
{
  return axis == self->rank - 1 || axis == self->other;
}

static gsize
count_outer (const Move *self)
{
  gsize n = 1;

  for (int i = 0; i < self->rank; i++)
    n *= is_inner (self, i) ? 1 : self->sizes[i];
  return n;
}

/* Where the loops over the outer axes are. */
typedef struct {
  gsize index[SYM_MAX_RANK];
  const float *x;
  float *y;
} Place;

static void
go_to (const Move *self, Place *place, gsize i)
{
  for (int j = self->rank - 1; j >= 0; j--)
    if (!is_inner (self, j))
      {
        place->index[j] = i % self->sizes[j];
        place->x += (gssize) place->index[j] * self->from[j];
        place->y += (gssize) place->index[j] * self->to[j];
        i /= self->sizes[j];
      }
}

/* To the next one, without a division: what is moved may be short. */
static void
go_on (const Move *self, Place *place)
{
  for (int j = self->rank - 1; j >= 0; j--)
    {
      if (is_inner (self, j))
        continue;
      place->x += self->from[j];
      place->y += self->to[j];
      if (++place->index[j] < self->sizes[j])
        return;
      place->x -= (gssize) self->sizes[j] * self->from[j];
      place->y -= (gssize) self->sizes[j] * self->to[j];
      place->index[j] = 0;
    }
}

static gboolean
run_move (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Move *self = (const Move *) step;
  Place place = { .x = run->places[self->x] + self->from_offset,
                  .y = run->places[self->y] + self->to_offset };
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, count_outer (self) * self->n_parts, &first, &end);
  go_to (self, &place, first / self->n_parts);
  for (gsize i = first; i < end; i++)
    {
      move_inner (self, place.x, place.y, i % self->n_parts);
      if (i % self->n_parts == self->n_parts - 1)
        go_on (self, &place);
    }
  return TRUE;
}

static void
free_step (SymStep *step)
{
  g_free (step);
}

static const SymStepClass move_class = { .run = run_move, .free = free_step };

/* Puts an axis where the strides of the result say. */
static void
insert_axis (Move *self, gsize size, gssize from, gssize to)
{
  int i = self->rank++;

  for (; i > 0 && self->to[i - 1] < to; i--)
    {
      self->sizes[i] = self->sizes[i - 1];
      self->from[i] = self->from[i - 1];
      self->to[i] = self->to[i - 1];
    }
  self->sizes[i] = size;
  self->from[i] = from;
  self->to[i] = to;
}

static void
join_axes (Move *self)
{
  int n = 1;

  for (int i = 1; i < self->rank; i++)
    {
      gssize size = (gssize) self->sizes[i];

      if (self->from[n - 1] == self->from[i] * size && self->to[n - 1] == self->to[i] * size)
        self->sizes[n - 1] *= self->sizes[i];
      else
        self->sizes[n++] = self->sizes[i];
      self->from[n - 1] = self->from[i];
      self->to[n - 1] = self->to[i];
    }
  self->rank = n;
}

/* So much of a square that it is worth turning, or a few rows that are woven into one. */
static gboolean
is_worth_turning (const Move *self, int axis)
{
  int last = self->rank - 1;
  gsize n = self->sizes[last];

  if (self->from[axis] != 1 || self->to[last] != 1 || self->sizes[axis] < 4)
    return FALSE;
  return n >= 4 || self->to[axis] == (gssize) n;
}

/* Rows that are at least so long, in floats, lie in lines of memory of their own. */
#define LINE 16

/* Of rows that are copied the axis that has most of them: short ones keep to the same place. */
static int
find_longest (const Move *self)
{
  int longest = self->rank - 2, last = self->rank - 1;

  for (int i = self->rank - 2; i >= 0 && self->sizes[last] >= LINE; i--)
    if (self->sizes[i] > self->sizes[longest])
      longest = i;
  return longest;
}

/* The one along which x lies together, or along which most rows are copied. */
static void
find_other (Move *self)
{
  self->other = find_longest (self);
  for (int i = 0; i < self->rank - 1 && !self->is_turned; i++)
    if (is_worth_turning (self, i))
      {
        self->other = i;
        self->is_turned = TRUE;
      }
}

/* Pieces of work are so many, and none has fewer rows than are turned together. */
#define ENOUGH_PIECES 32
#define LEAST_ROWS 16

static gsize
count_parts (const Move *self, gsize n_outer)
{
  gsize n_rows = self->other < 0 ? 1 : self->sizes[self->other];

  return CLAMP (ENOUGH_PIECES / n_outer, 1, MAX (n_rows / LEAST_ROWS, 1));
}

SymStep *
sym_move_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Move *self = g_new0 (Move, 1);
  const SymPlanGrid *from = &op->grids[0], *to = &op->grids[1];
  gsize n = 1, n_pieces;

  self->x = op->x;
  self->y = op->y;
  self->from_offset = from->offset;
  self->to_offset = to->offset;
  for (int i = 0; i < from->rank; i++)
    if (from->sizes[i] != 1)
      {
        insert_axis (self, (gsize) from->sizes[i], from->strides[i], to->strides[i]);
        n *= (gsize) from->sizes[i];
      }
  if (self->rank == 0)
    insert_axis (self, 1, 1, 1);
  join_axes (self);
  find_other (self);
  self->n_parts = count_parts (self, count_outer (self));
  n_pieces = count_outer (self) * self->n_parts;
  self->step = (SymStep){ .class = &move_class,
                          .n_slices = sym_step_count_matrix_slices (
                              graph, n_pieces, OPERATIONS * (double) n / (double) n_pieces) };
  return &self->step;
}

/* ---- Rows by their numbers ---- */

typedef struct {
  SymStep step;
  guint x, indices, y;
  SymDType dtype;
  gsize n_indices, n_outer, n, n_inner;
} Gather;

static gint64
get_index (const Gather *self, const SymStepRun *run, gsize i)
{
  const void *indices = run->places[self->indices];

  return self->dtype == SYM_DTYPE_INT64 ? ((const gint64 *) indices)[i]
                                        : ((const gint32 *) indices)[i];
}

static gboolean
run_gather (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Gather *self = (const Gather *) step;
  gint64 n = (gint64) self->n;
  gsize first, end;

  sym_step_get_slice (slice, step->n_slices, self->n_outer * self->n_indices, &first, &end);
  for (gsize i = first; i < end; i++)
    {
      gint64 index = get_index (self, run, i % self->n_indices);

      if (index < -n || index >= n)
        {
          g_set_error (error, SYM_ERROR, SYM_ERROR_SHAPE,
                       "the index %" G_GINT64_FORMAT " is not between %" G_GINT64_FORMAT
                       " and %" G_GINT64_FORMAT,
                       index, -n, n - 1);
          return FALSE;
        }
      index = index < 0 ? index + n : index;
      memcpy (run->places[self->y] + i * self->n_inner,
              run->places[self->x] +
                  (i / self->n_indices * self->n + (gsize) index) * self->n_inner,
              self->n_inner * sizeof (float));
    }
  return TRUE;
}

static const SymStepClass gather_class = { .run = run_gather, .free = free_step };

SymStep *
sym_gather_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Gather *self = g_new0 (Gather, 1);
  const SymPlanTensor *indices = sym_plan_graph_get_tensor (graph, op->other);

  self->x = op->x;
  self->indices = op->other;
  self->y = op->y;
  self->dtype = indices->dtype;
  self->n_indices = indices->n;
  self->n_outer = op->n_outer;
  self->n = op->n;
  self->n_inner = op->n_inner;
  self->step =
      (SymStep){ .class = &gather_class,
                 .n_slices = sym_step_count_matrix_slices (graph, self->n_outer * self->n_indices,
                                                           OPERATIONS * (double) self->n_inner) };
  return &self->step;
}
