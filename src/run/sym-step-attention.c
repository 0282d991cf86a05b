/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "run/sym-panel-private.h"
#include "run/sym-step-matrix-private.h"
#include "run/sym-vector-private.h"
#include "run/sym-vector-rows-private.h"

/* Keys and values of a head are packed, then a few queries at a time are weighed: their scores stay
 * near until they are used.  Several heads of queries may share one of keys, which is packed once;
 * a few queries alone take keys and values as they lie. */

#define MOST_SCORES 65536 /* floats that are worked on at a time */
#define MOST_ROWS 192
#define ROW_UNIT 12
#define MOST_OPERATIONS 1e9 /* of one unit of work */
#define LEAST_LINES 48      /* of a unit, where there are fewer heads than threads */
#define MOST_DIRECT 6       /* queries of a head of keys that is not packed */

typedef struct {
  SymStep step;
  guint tensors[5], lengths; /* by SymPlanAttention; SYM_PLAN_NONE for none */
  SymDType lengths_dtype;
  gsize n_samples; /* lengths */
  SymPlanGrid grids[5];
  gsize n_heads, n_shared; /* of keys, and of queries for each of them */
  gsize rows, features, keys, columns;
  gsize n_rows;                 /* that are worked on at a time */
  gsize n_parts, n_part_rows;   /* of the rows of all heads that share one, in units of work */
  gboolean is_direct, is_still; /* without packing; all rows are of the first place */
  gboolean is_banded, is_guarded;
  gint64 band[2];
  float factor, cap;
} Attention;

/* Memory to work in. */
typedef struct {
  float *keys, *values, *scores, *mask;
} Room;

/* Some rows of a head. */
typedef struct {
  const SymStepRun *run;
  const Room *room;
  gsize head, matrix; /* of keys; of queries */
  gsize row, n;
  gint64 length, ahead; /* keys that there are, and what is added to a row's place */
  gsize n_keys;         /* the first of them, behind which none is seen */
} Rows;

static gsize
round_up (gsize n)
{
  return (n + 15) / 16 * 16;
}

/* Without @scratch it tells only how much that is. */
static gsize
lay_out (const Attention *self, float *scratch, Room *room)
{
  gsize keys = self->is_direct ? 0 : sym_panel_get_n (self->features, self->keys);
  gsize values = self->is_direct ? 0 : sym_panel_get_n (self->keys, self->columns);
  gsize scores = round_up (self->n_rows * self->keys);

  if (scratch != NULL)
    *room = (Room){ scratch, scratch + keys, scratch + keys + values,
                    scratch + keys + values + scores };
  return keys + values + scores + round_up (self->keys);
}

static gssize
get_stride (const Attention *self, SymPlanAttention which, int axis)
{
  const SymPlanGrid *grid = &self->grids[which];

  return grid->strides[grid->rank - axis];
}

static float *
find_matrix (const Attention *self, const SymStepRun *run, SymPlanAttention which, gsize matrix)
{
  return run->places[self->tensors[which]] + sym_step_find_matrix (&self->grids[which], matrix);
}

static void
pack (const Attention *self, const SymStepRun *run, const Room *room, gsize head)
{
  gsize matrix = head * self->n_shared;

  sym_panel_pack (room->keys, find_matrix (self, run, SYM_PLAN_KEY, matrix),
                  get_stride (self, SYM_PLAN_KEY, 1), get_stride (self, SYM_PLAN_KEY, 2),
                  self->features, self->keys);
  sym_panel_pack (room->values, find_matrix (self, run, SYM_PLAN_VALUE, matrix),
                  get_stride (self, SYM_PLAN_VALUE, 2), get_stride (self, SYM_PLAN_VALUE, 1),
                  self->keys, self->columns);
}

/* ---- What is seen ---- */

/* The keys that a sample has. */
static gint64
find_length (const Attention *self, const SymStepRun *run, gsize head)
{
  const void *lengths;
  gsize sample;

  if (self->lengths == SYM_PLAN_NONE)
    return (gint64) self->keys;
  lengths = run->places[self->lengths];
  sample = head / (self->n_heads / self->n_samples);
  return self->lengths_dtype == SYM_DTYPE_INT64 ? ((const gint64 *) lengths)[sample]
                                                : ((const gint32 *) lengths)[sample];
}

/* From *@first to before *@end. */
static void
find_keys (const Attention *self, const Rows *rows, gsize row, gsize *first, gsize *end)
{
  gint64 place = rows->ahead + (self->is_still ? 0 : (gint64) row);
  gint64 n = CLAMP (rows->length, 0, (gint64) self->keys);

  *first = 0;
  if (self->is_banded)
    {
      *first = (gsize) CLAMP (place + self->band[0], 0, n);
      n = CLAMP (place + self->band[1] + 1, (gint64) *first, n);
    }
  *end = (gsize) n;
}

/* The row of the mask as numbers one after the other; NULL for none. */
static const float *
find_mask (const Attention *self, const Rows *rows, gsize row)
{
  gssize step;
  const float *from;

  if (self->tensors[SYM_PLAN_MASK] == SYM_PLAN_NONE)
    return NULL;
  step = get_stride (self, SYM_PLAN_MASK, 1);
  from = find_matrix (self, rows->run, SYM_PLAN_MASK, rows->matrix) +
         (gssize) row * get_stride (self, SYM_PLAN_MASK, 2);
  if (step == 1)
    return from;
  for (gsize i = 0; i < self->keys; i++)
    rows->room->mask[i] = from[(gssize) i * step];
  return rows->room->mask;
}

static gboolean
hides_all (const float *mask, gsize first, gsize end)
{
  while (first < end && mask[first] == -INFINITY)
    first++;
  return first == end;
}

/* ---- Running ---- */

/* Scores of a row become what its values are weighted by, but for their sum, which is returned. */
static float
raise_row (const Attention *self, const Rows *rows, gsize row, float *weights)
{
  const float *mask = find_mask (self, rows, row);
  float factor = self->cap != 0 ? self->cap : self->factor, total = 1;
  gsize first, end;

  find_keys (self, rows, row, &first, &end);
  if (first == end || (self->is_guarded && mask != NULL && hides_all (mask, first, end)))
    first = end = 0;
  memset (weights, 0, first * sizeof *weights);
  if (first < end)
    total = sym_vector_raise_row (weights + first, weights + first,
                                  mask == NULL ? NULL : mask + first, factor, end - first);
  memset (weights + end, 0, (rows->n_keys - end) * sizeof *weights);
  return total;
}

/* Numbers behind the scores are bent, too, which does not matter. */
static void
cap_scores (const Attention *self, float *scores, gsize n)
{
  if (self->cap == 0)
    return;
  sym_vector_scale_row (scores, scores, self->factor / self->cap, n);
  sym_vector_tanh (scores, scores, NULL, round_up (n), 0, 0);
}

static SymPanelProduct
new_product (const Rows *rows, float *y, gssize y_stride, const float *x, gssize x_stride)
{
  return (SymPanelProduct){ .y = y,
                            .y_stride = y_stride,
                            .x = x,
                            .x_stride = x_stride,
                            .x_step = 1,
                            .rows = rows->n,
                            .low = -INFINITY,
                            .high = INFINITY };
}

static void
multiply_keys (const Attention *self, const Rows *rows)
{
  gssize stride = get_stride (self, SYM_PLAN_QUERY, 2);
  const float *x =
      find_matrix (self, rows->run, SYM_PLAN_QUERY, rows->matrix) + (gssize) rows->row * stride;
  SymPanelProduct product = new_product (rows, rows->room->scores, (gssize) self->keys, x, stride);

  product.x_step = get_stride (self, SYM_PLAN_QUERY, 1);
  product.panels = rows->room->keys;
  product.inner = self->features;
  product.outer = rows->n_keys;
  if (!self->is_direct)
    sym_panel_multiply (&product);
  for (gsize i = 0; self->is_direct && i < rows->n; i++)
    sym_vector_dot_rows (rows->room->scores + i * self->keys, x + (gssize) i * stride,
                         find_matrix (self, rows->run, SYM_PLAN_KEY, rows->matrix),
                         get_stride (self, SYM_PLAN_KEY, 2), rows->n_keys, self->features);
}

static void
multiply_values (const Attention *self, const Rows *rows, float *y, gssize stride)
{
  SymPanelProduct product = new_product (rows, y, stride, rows->room->scores, (gssize) self->keys);

  product.panels = rows->room->values;
  product.inner = rows->n_keys;
  product.packed = self->keys;
  product.outer = self->columns;
  if (!self->is_direct)
    sym_panel_multiply (&product);
  for (gsize i = 0; self->is_direct && i < rows->n; i++)
    sym_vector_mix_rows (y + (gssize) i * stride, rows->room->scores + i * self->keys,
                         find_matrix (self, rows->run, SYM_PLAN_VALUE, rows->matrix),
                         get_stride (self, SYM_PLAN_VALUE, 2), rows->n_keys, self->columns);
}

/* Weights are divided by their sum at the end, where there are fewer numbers. */
static void
weigh (const Attention *self, Rows *rows)
{
  gssize stride = get_stride (self, SYM_PLAN_ANSWER, 2);
  float *y =
      find_matrix (self, rows->run, SYM_PLAN_ANSWER, rows->matrix) + (gssize) rows->row * stride;
  float totals[MOST_ROWS];
  gsize first;

  find_keys (self, rows, rows->row + rows->n - 1, &first, &rows->n_keys);
  rows->n_keys = MAX (rows->n_keys, 1);
  multiply_keys (self, rows);
  cap_scores (self, rows->room->scores, (rows->n - 1) * self->keys + rows->n_keys);
  for (gsize i = 0; i < rows->n; i++)
    totals[i] = raise_row (self, rows, rows->row + i, rows->room->scores + i * self->keys);
  multiply_values (self, rows, y, stride);
  for (gsize i = 0; i < rows->n; i++, y += stride)
    sym_vector_scale_row (y, y, 1 / totals[i], self->columns);
}

/* Lines are the rows of all heads that share one of keys. */
static void
weigh_lines (const Attention *self, Rows *rows, gsize line, gsize end)
{
  for (; line < end; line += rows->n)
    {
      rows->matrix = rows->head * self->n_shared + line / self->rows;
      rows->row = line % self->rows;
      rows->n = MIN (MIN (self->n_rows, self->rows - rows->row), end - line);
      weigh (self, rows);
    }
}

static gboolean
run_attention (const SymStep *step, const SymStepRun *run, guint slice, GError **error)
{
  const Attention *self = (const Attention *) step;
  gsize first, end;
  Room room = { NULL };

  lay_out (self, run->scratch, &room);
  sym_step_get_slice (slice, step->n_slices, self->n_heads * self->n_parts, &first, &end);
  for (gsize unit = first; unit < end; unit++)
    {
      gsize head = unit / self->n_parts, line = unit % self->n_parts * self->n_part_rows;
      Rows rows = { .run = run, .room = &room, .head = head };

      rows.length = find_length (self, run, head);
      if (self->lengths != SYM_PLAN_NONE)
        rows.ahead = rows.length - (gint64) (self->is_still ? 1 : self->rows);
      if (!self->is_direct && (unit == first || line == 0))
        pack (self, run, &room, head);
      weigh_lines (self, &rows, line, MIN (line + self->n_part_rows, self->n_shared * self->rows));
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

/* The heads of queries that share one of keys are the last axis before the rows, along which keys
 * and values do not move. */
static void
find_shared (Attention *self)
{
  int axis = self->grids[SYM_PLAN_QUERY].rank - 3;

  self->n_shared = 1;
  if (axis < 0 || self->grids[SYM_PLAN_KEY].strides[axis] != 0 ||
      self->grids[SYM_PLAN_VALUE].strides[axis] != 0)
    return;
  self->n_shared = (gsize) self->grids[SYM_PLAN_QUERY].sizes[axis];
  if (self->rows > 1 || self->n_shared == 1)
    return;
  /* Single queries of several heads are as good as rows of one. */
  for (SymPlanAttention i = SYM_PLAN_QUERY; i <= SYM_PLAN_ANSWER; i++)
    {
      SymPlanGrid *grid = &self->grids[i];

      if (i == SYM_PLAN_QUERY || i == SYM_PLAN_MASK || i == SYM_PLAN_ANSWER)
        grid->strides[axis + 1] = grid->strides[axis];
      grid->sizes[axis] = 1;
    }
  self->rows = self->n_shared;
  self->n_shared = 1;
  self->is_still = TRUE;
}

static void
divide (Attention *self, const SymPlanGraph *graph)
{
  gsize n_lines = self->n_shared * self->rows, n_threads = graph->plan->n_threads;
  double operations =
      2.0 * (double) n_lines * (double) self->keys * (double) (self->features + self->columns);
  gsize n_rows = CLAMP (MOST_SCORES / self->keys / ROW_UNIT * ROW_UNIT, ROW_UNIT, MOST_ROWS);

  /* Where the first queries see fewer keys than the last ones, they are better taken apart. */
  if (self->is_banded)
    n_rows = MIN (n_rows, (self->rows / 4 + ROW_UNIT) / ROW_UNIT * ROW_UNIT);
  self->n_rows = MIN (n_rows, self->rows);
  self->n_parts = (gsize) CLAMP (operations / MOST_OPERATIONS, 1.0, (double) n_lines);
  if (self->n_heads < n_threads)
    self->n_parts = MAX (self->n_parts, MIN (n_threads, MAX (n_lines / LEAST_LINES, 1)));
  self->n_part_rows = (n_lines + self->n_parts - 1) / self->n_parts;
  self->n_parts = (n_lines + self->n_part_rows - 1) / self->n_part_rows;
  self->step.n_slices = sym_step_count_matrix_slices (graph, self->n_heads * self->n_parts,
                                                      operations / (double) self->n_parts);
}

SymStep *
sym_attention_new (const SymPlanGraph *graph, const SymPlanOp *op)
{
  Attention *self = g_new0 (Attention, 1);
  const guint tensors[] = { op->x, op->other, op->third, op->addend, op->y };
  int rank = op->grids[SYM_PLAN_QUERY].rank;
  Room room = { NULL };

  for (guint i = 0; i < G_N_ELEMENTS (tensors); i++)
    {
      self->tensors[i] = tensors[i];
      self->grids[i] = op->grids[i];
    }
  self->lengths = op->fourth;
  if (op->fourth != SYM_PLAN_NONE)
    {
      self->lengths_dtype = sym_plan_graph_get_tensor (graph, op->fourth)->dtype;
      self->n_samples = sym_plan_graph_get_tensor (graph, op->fourth)->n;
    }
  self->factor = op->p;
  self->cap = op->q;
  self->is_banded = op->is_banded;
  self->is_guarded = op->is_guarded;
  self->band[0] = op->band[0];
  self->band[1] = op->band[1];
  self->rows = (gsize) op->grids[SYM_PLAN_QUERY].sizes[rank - 2];
  self->features = (gsize) op->grids[SYM_PLAN_QUERY].sizes[rank - 1];
  self->keys = (gsize) op->grids[SYM_PLAN_KEY].sizes[rank - 2];
  self->columns = (gsize) op->grids[SYM_PLAN_VALUE].sizes[rank - 1];
  find_shared (self);
  self->n_heads = sym_step_count_matrices (&self->grids[SYM_PLAN_ANSWER]) / self->n_shared;
  self->is_direct =
      self->n_shared * self->rows <= MOST_DIRECT && get_stride (self, SYM_PLAN_QUERY, 1) == 1 &&
      get_stride (self, SYM_PLAN_KEY, 1) == 1 && get_stride (self, SYM_PLAN_VALUE, 1) == 1;
  self->step.class = &class;
  divide (self, graph);
  self->step.n_scratch = lay_out (self, NULL, &room) * sizeof (float);
  return &self->step;
}
