/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "run/sym-panel-private.h"
#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-rows-private.h"

/* Keys and values of a head are packed, then a few queries at a time are weighed: their scores stay
 * near until they are used. */

#define MOST_SCORES 65536 /* floats that are worked on at a time */
#define MOST_ROWS 192
#define ROW_UNIT 12
#define MOST_OPERATIONS 1e9 /* of one unit of work */

typedef struct {
  SymStep step;
  guint tensors[5]; /* by SymPlanAttention; no mask: SYM_PLAN_NONE */
  SymPlanGrid grids[5];
  gsize n_batch, rows, features, keys, columns;
  gsize n_rows;               /* that are worked on at a time */
  gsize n_parts, n_part_rows; /* of the rows of a head, in units of work */
  float factor;
} Attention;

/* Memory to work in. */
typedef struct {
  float *keys, *values, *scores, *mask;
} Room;

static gsize
round_up (gsize n)
{
  return (n + 15) / 16 * 16;
}

/* Without @scratch it tells only how much that is. */
static gsize
lay_out (const Attention *self, float *scratch, Room *room)
{
  gsize keys = sym_panel_get_n (self->features, self->keys);
  gsize values = sym_panel_get_n (self->keys, self->columns);
  gsize scores = round_up (self->n_rows * self->keys);

  if (scratch != NULL)
    *room = (Room){ scratch, scratch + keys, scratch + keys + values,
                    scratch + keys + values + scores };
  return keys + values + scores + round_up (self->keys);
}

static float *
find_head (const Attention *self, const SymStepRun *run, SymPlanAttention which, gsize batch)
{
  return run->places[self->tensors[which]] + sym_step_find_matrix (&self->grids[which], batch);
}

static void
pack (const Attention *self, const SymStepRun *run, const Room *room, gsize batch)
{
  const SymPlanGrid *key = &self->grids[SYM_PLAN_KEY], *value = &self->grids[SYM_PLAN_VALUE];
  int a = key->rank - 2, b = key->rank - 1;

  sym_panel_pack (room->keys, find_head (self, run, SYM_PLAN_KEY, batch), key->strides[b],
                  key->strides[a], self->features, self->keys);
  sym_panel_pack (room->values, find_head (self, run, SYM_PLAN_VALUE, batch), value->strides[a],
                  value->strides[b], self->keys, self->columns);
}

/* ---- Running ---- */

/* The row of the mask as numbers one after the other; NULL for none. */
static const float *
find_mask (const Attention *self, const SymStepRun *run, const Room *room, gsize batch, gsize row)
{
  const SymPlanGrid *grid = &self->grids[SYM_PLAN_MASK];
  gssize step;
  const float *from;

  if (self->tensors[SYM_PLAN_MASK] == SYM_PLAN_NONE)
    return NULL;
  step = grid->strides[grid->rank - 1];
  from = find_head (self, run, SYM_PLAN_MASK, batch) + (gssize) row * grid->strides[grid->rank - 2];
  if (step == 1)
    return from;
  for (gsize i = 0; i < self->keys; i++)
    room->mask[i] = from[(gssize) i * step];
  return room->mask;
}

static SymPanelProduct
new_product (float *y, gssize y_stride, const float *x, gssize x_stride, gssize x_step)
{
  return (SymPanelProduct){ .y = y,
                            .y_stride = y_stride,
                            .x = x,
                            .x_stride = x_stride,
                            .x_step = x_step,
                            .low = -INFINITY,
                            .high = INFINITY };
}

/* Weights are divided by their sum at the end, where there are fewer numbers. */
static void
weigh (const Attention *self,
       const SymStepRun *run,
       const Room *room,
       gsize batch,
       gsize row,
       gsize n)
{
  const SymPlanGrid *query = &self->grids[SYM_PLAN_QUERY], *answer = &self->grids[SYM_PLAN_ANSWER];
  gssize stride = answer->strides[answer->rank - 2], from = query->strides[query->rank - 2];
  float *y = find_head (self, run, SYM_PLAN_ANSWER, batch) + (gssize) row * stride;
  const float *x = find_head (self, run, SYM_PLAN_QUERY, batch) + (gssize) row * from;
  SymPanelProduct scores =
      new_product (room->scores, (gssize) self->keys, x, from, query->strides[query->rank - 1]);
  SymPanelProduct sums = new_product (y, stride, room->scores, (gssize) self->keys, 1);
  float totals[MOST_ROWS];

  scores.panels = room->keys;
  sums.panels = room->values;
  scores.rows = sums.rows = n;
  scores.inner = self->features;
  scores.outer = sums.inner = self->keys;
  sums.outer = self->columns;
  sym_panel_multiply (&scores);
  for (gsize i = 0; i < n; i++)
    {
      float *weights = room->scores + i * self->keys;

      totals[i] = sym_vector_raise_row (
          weights, weights, find_mask (self, run, room, batch, row + i), self->factor, self->keys);
    }
  sym_panel_multiply (&sums);
  for (gsize i = 0; i < n; i++, y += stride)
    sym_vector_scale_row (y, y, 1 / totals[i], self->columns);
}

static gboolean
run_attention (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Attention *self = (const Attention *) step;
  gsize first, end;
  Room room;

  lay_out (self, run->scratch, &room);
  sym_step_get_slice (slice, step->n_slices, self->n_batch * self->n_parts, &first, &end);
  for (gsize unit = first; unit < end; unit++)
    {
      gsize batch = unit / self->n_parts, row = unit % self->n_parts * self->n_part_rows;
      gsize last = MIN (row + self->n_part_rows, self->rows);

      pack (self, run, &room, batch);
      for (; row < last; row += self->n_rows)
        weigh (self, run, &room, batch, row, MIN (self->n_rows, last - row));
    }
  return TRUE;
}

static void
free_attention (SymStep *step)
{
  g_free (step);
}

/* ---- Making ---- */

static const SymStepClass class = { .run = run_attention, .free = free_attention };

static void
divide (Attention *self, const SymPlanGraph *graph)
{
  double operations =
      2.0 * (double) self->rows * (double) self->keys * (double) (self->features + self->columns);
  gsize n_rows = CLAMP (MOST_SCORES / self->keys / ROW_UNIT * ROW_UNIT, ROW_UNIT, MOST_ROWS);

  self->n_rows = MIN (n_rows, self->rows);
  self->n_parts = (gsize) CLAMP (operations / MOST_OPERATIONS, 1.0, (double) self->rows);
  self->n_part_rows = (self->rows + self->n_parts - 1) / self->n_parts;
  self->n_parts = (self->rows + self->n_part_rows - 1) / self->n_part_rows;
  self->step.n_slices = sym_step_count_matrix_slices (graph, self->n_batch * self->n_parts,
                                                      operations / (double) self->n_parts);
}

SymStep *
sym_attention_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Attention *self = g_new0 (Attention, 1);
  const guint tensors[] = { op->x, op->other, op->third, op->addend, op->y };
  int rank = op->grids[SYM_PLAN_QUERY].rank;
  Room room;

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      self->tensors[i] = tensors[i];
      self->grids[i] = op->grids[i];
    }
  self->factor = op->p;
  self->n_batch = sym_step_count_matrices (&op->grids[SYM_PLAN_ANSWER]);
  self->rows = (gsize) op->grids[SYM_PLAN_QUERY].sizes[rank - 2];
  self->features = (gsize) op->grids[SYM_PLAN_QUERY].sizes[rank - 1];
  self->keys = (gsize) op->grids[SYM_PLAN_KEY].sizes[rank - 2];
  self->columns = (gsize) op->grids[SYM_PLAN_VALUE].sizes[rank - 1];
  self->step.class = &class;
  divide (self, graph);
  self->step.n_scratch = lay_out (self, NULL, &room) * sizeof (float);
  return &self->step;
}
