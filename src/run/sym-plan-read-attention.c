/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "run/sym-plan-read-private.h"

/* Attention as one call, which is what its written out form becomes, too. */

enum { QUERY, KEY, VALUE, MASK, PAST_KEY, PAST_VALUE, LENGTHS };
enum { ANSWER, PRESENT_KEY, PRESENT_VALUE, SCORES };

/* An operand or the result as [batch, heads, rows, columns]. */
typedef struct {
  guint tensor;
  gint64 sizes[4], strides[4];
} Heads;

enum { BATCH, HEADS, ROWS, COLUMNS };

typedef struct {
  SymPlanCall *call;
  Heads query, key, value, answer, mask;
  guint lengths;
} Attention;

/* Of four axes they lie so; of three, heads are beside each other in rows. */
static gboolean
set_heads (const SymPlanCall *call, guint tensor, gint64 n_heads, Heads *heads)
{
  const SymShape *shape = &sym_plan_call_get (call, tensor)->shape;
  const SymDim *dims = shape->dims;
  gint64 columns;

  heads->tensor = tensor;
  if (shape->rank == 4)
    {
      memcpy (heads->sizes, dims, sizeof heads->sizes);
      memcpy (heads->strides,
              (gint64[]){ dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1 },
              sizeof heads->strides);
      return TRUE;
    }
  if (shape->rank != 3 || n_heads < 1 || dims[2] % n_heads != 0)
    return FALSE;
  columns = dims[2] / n_heads;
  memcpy (heads->sizes, (gint64[]){ dims[0], n_heads, dims[1], columns }, sizeof heads->sizes);
  memcpy (heads->strides, (gint64[]){ dims[1] * dims[2], columns, dims[2], 1 },
          sizeof heads->strides);
  return TRUE;
}

static gboolean
read_heads (const SymPlanCall *call, guint i, const char *name, Heads *heads)
{
  guint tensor = sym_plan_call_need_operand (call, i);

  return tensor != SYM_PLAN_NONE &&
         set_heads (call, tensor, sym_plan_call_get_int (call, name, 0), heads);
}

/* As [batch, heads of keys, heads of queries for each, rows, columns]: those of keys are read again
 * for each of the others. */
static void
set_grid (SymPlanGrid *grid, const Heads *heads, gint64 n_shared, gboolean is_key)
{
  gint64 n = is_key ? heads->sizes[HEADS] : heads->sizes[HEADS] / n_shared;
  gint64 stride = heads->strides[HEADS];
  const gint64 sizes[] = { heads->sizes[BATCH], n, n_shared, heads->sizes[ROWS],
                           heads->sizes[COLUMNS] };
  const gint64 strides[] = { heads->strides[BATCH], is_key ? stride : stride * n_shared,
                             is_key ? 0 : stride, heads->strides[ROWS], heads->strides[COLUMNS] };

  *grid = (SymPlanGrid){ .rank = 5 };
  memcpy (grid->sizes, sizes, sizeof sizes);
  memcpy (grid->strides, strides, sizeof strides);
}

/* ---- The past ---- */

/* Whether keys or values are none, or those of the past. */
static gboolean
has_past (const SymPlanCall *call, guint i)
{
  return sym_plan_call_has_operand (call, i) && !sym_plan_call_is_empty (call, i);
}

/* The shape of keys or values with those of the past: [batch, heads, past and now, columns].  FALSE
 * when there is no such past, or the result is another one. */
static gboolean
find_joined (const SymPlanCall *call, guint slot, guint result, const Heads *now, SymShape *shape)
{
  guint past = sym_plan_call_need_operand (call, slot);
  guint all = sym_plan_call_need_result (call, result);
  const SymShape *before;

  *shape = SYM_SHAPE (now->sizes[BATCH], now->sizes[HEADS], now->sizes[ROWS], now->sizes[COLUMNS]);
  if (has_past (call, slot))
    {
      before = past == SYM_PLAN_NONE ? NULL : &sym_plan_call_get (call, past)->shape;
      if (before == NULL || before->rank != 4 || before->dims[0] != shape->dims[0] ||
          before->dims[1] != shape->dims[1] || before->dims[3] != shape->dims[3])
        return FALSE;
      shape->dims[2] += before->dims[2];
    }
  return !sym_plan_call_needs_result (call, result) ||
         (all != SYM_PLAN_NONE && sym_shape_equal (&sym_plan_call_get (call, all)->shape, shape));
}

/* Copies heads to where @to has them from row @first on. */
static void
append_rows (SymPlanCall *call, const Heads *from, const Heads *to, gint64 first)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_MOVE, from->tensor);

  op.y = to->tensor;
  op.grids = sym_plan_graph_add_grids (call->graph, 2);
  for (guint i = 0; i < 2; i++)
    {
      op.grids[i].rank = 4;
      memcpy (op.grids[i].sizes, from->sizes, sizeof from->sizes);
      memcpy (op.grids[i].strides, i == 0 ? from->strides : to->strides, sizeof from->strides);
    }
  op.grids[1].offset = first * to->strides[ROWS];
  sym_plan_call_append (call, &op);
}

/* Keys or values of @shape become those with the past, if there is any or they are a result. */
static void
join_past (SymPlanCall *call, guint slot, guint result, const SymShape *shape, Heads *now)
{
  guint all = sym_plan_call_need_result (call, result);
  Heads before, joined;
  gint64 n = shape->dims[2] - now->sizes[ROWS];

  if (n == 0 && all == SYM_PLAN_NONE)
    return;
  if (all == SYM_PLAN_NONE)
    all = sym_plan_call_add_tensor (call, shape);
  set_heads (call, all, 0, &joined);
  if (n > 0 && set_heads (call, sym_plan_call_need_operand (call, slot), 0, &before))
    append_rows (call, &before, &joined, 0);
  append_rows (call, now, &joined, n);
  *now = joined;
}

/* ---- Masks ---- */

/* Whether a mask, broadcast to [batch, heads, queries, keys], is one. */
static gboolean
fits_mask (const SymShape *shape, const Attention *self, gint64 n_keys)
{
  const gint64 wanted[] = { self->query.sizes[BATCH], self->query.sizes[HEADS],
                            self->query.sizes[ROWS], n_keys };

  if (shape->rank < 1 || shape->rank > 4)
    return FALSE;
  for (int i = 1; i <= shape->rank; i++)
    if (shape->dims[shape->rank - i] != wanted[4 - i] &&
        (shape->dims[shape->rank - i] != 1 || (i == 1 && self->call->version >= 24)))
      return FALSE;
  return TRUE;
}

/* The mask as it is: numbers that are added to scores, or a bool that is false where they are not
 * seen.  FALSE when it is no mask. */
static gboolean
find_mask (const Attention *self, gint64 n_keys, guint *mask)
{
  *mask = SYM_PLAN_NONE;
  if (!sym_plan_call_has_operand (self->call, MASK))
    return TRUE;
  *mask = sym_plan_call_need_operand (self->call, MASK);
  if (*mask == SYM_PLAN_NONE)
    *mask = sym_plan_graph_need_raw (self->call->graph, self->call->operands.ids[MASK]);
  return *mask != SYM_PLAN_NONE &&
         (sym_plan_call_get (self->call, *mask)->dtype == SYM_DTYPE_FLOAT32 ||
          sym_plan_call_get (self->call, *mask)->dtype == SYM_DTYPE_BOOL) &&
         fits_mask (&sym_plan_call_get (self->call, *mask)->shape, self, n_keys);
}

/* Numbers that are added in place of a bool that is known. */
static guint
make_terms (SymPlanCall *call, guint mask)
{
  SymShape shape = sym_plan_call_get (call, mask)->shape;
  gsize n = sym_plan_call_get (call, mask)->n;
  const guint8 *seen = (const guint8 *) sym_plan_call_get (call, mask)->constant;
  float *terms = sym_plan_graph_add_block (call->graph, n);
  guint y = sym_plan_call_add_tensor (call, &shape);

  for (gsize i = 0; i < n; i++)
    terms[i] = seen[i] != 0 ? 0 : -INFINITY;
  g_array_append_val (call->graph->fixed, call->operands.ids[MASK]);
  sym_plan_graph_get_tensor (call->graph, y)->constant = terms;
  return y;
}

/* The same of one that is computed. */
static guint
append_terms (SymPlanCall *call, guint mask)
{
  SymPlanOp op = sym_plan_call_new_op (call, SYM_PLAN_CONVERT, mask);
  SymShape shape = sym_plan_call_get (call, mask)->shape;
  guint hidden = sym_plan_call_add_tensor (call, &SYM_SHAPE ()), y;
  float *number = sym_plan_graph_add_block (call->graph, 1);

  *number = -INFINITY;
  sym_plan_graph_get_tensor (call->graph, hidden)->constant = number;
  op.y = sym_plan_call_add_tensor (call, &shape);
  op.is_mask = TRUE;
  sym_plan_call_append (call, &op);
  y = sym_plan_call_add_tensor (call, &shape);
  sym_plan_call_append_binary (call, sym_vector_omit, hidden, op.y, y);
  return y;
}

static void
set_mask (Attention *self, guint mask, gint64 n_keys)
{
  const gint64 sizes[] = { self->query.sizes[BATCH], self->query.sizes[HEADS],
                           self->query.sizes[ROWS], n_keys };
  const SymShape *shape;
  gint64 stride = 1;

  if (sym_plan_call_get (self->call, mask)->dtype == SYM_DTYPE_BOOL)
    mask = sym_plan_call_get (self->call, mask)->constant != NULL ? make_terms (self->call, mask)
                                                                  : append_terms (self->call, mask);
  shape = &sym_plan_call_get (self->call, mask)->shape;
  self->mask = (Heads){ .tensor = mask };
  memcpy (self->mask.sizes, sizes, sizeof sizes);
  for (int i = 1; i <= shape->rank; i++)
    {
      self->mask.strides[4 - i] = shape->dims[shape->rank - i] == 1 ? 0 : stride;
      stride *= shape->dims[shape->rank - i];
    }
}

/* ---- All ---- */

static gboolean
fit (const Attention *self)
{
  const Heads *query = &self->query, *key = &self->key, *value = &self->value;
  const Heads *answer = &self->answer;

  return query->sizes[BATCH] == key->sizes[BATCH] && key->sizes[BATCH] == value->sizes[BATCH] &&
         query->sizes[COLUMNS] == key->sizes[COLUMNS] && key->sizes[ROWS] == value->sizes[ROWS] &&
         key->sizes[HEADS] == value->sizes[HEADS] && query->sizes[HEADS] % key->sizes[HEADS] == 0 &&
         answer->sizes[BATCH] == query->sizes[BATCH] &&
         answer->sizes[HEADS] == query->sizes[HEADS] && answer->sizes[ROWS] == query->sizes[ROWS] &&
         answer->sizes[COLUMNS] == value->sizes[COLUMNS];
}

/* How many keys each sample has, which is not for attention with a past. */
static gboolean
find_lengths (Attention *self)
{
  self->lengths = SYM_PLAN_NONE;
  if (!sym_plan_call_has_operand (self->call, LENGTHS))
    return TRUE;
  self->lengths =
      sym_plan_graph_need_indices (self->call->graph, self->call->operands.ids[LENGTHS]);
  return self->lengths != SYM_PLAN_NONE && !sym_plan_call_has_operand (self->call, PAST_KEY) &&
         sym_plan_call_get (self->call, self->lengths)->n == (gsize) self->query.sizes[BATCH];
}

/* Softmax is of float32, and the scores are no result. */
static gboolean
is_plain (const SymPlanCall *call)
{
  gint64 left = sym_plan_call_get_int (call, "left_window_size", -1);
  gint64 right = sym_plan_call_get_int (call, "right_window_size", -1);

  return !sym_plan_call_needs_result (call, SCORES) &&
         sym_plan_call_get_int (call, "softmax_precision", 1) == 1 && left >= -1 && right >= -1;
}

/* What queries see behind @n_past keys. */
static void
set_band (const SymPlanCall *call, SymPlanOp *op, gint64 n_past)
{
  gboolean is_causal = sym_plan_call_get_int (call, "is_causal", 0) != 0;
  gint64 left = sym_plan_call_get_int (call, "left_window_size", -1);
  gint64 right = sym_plan_call_get_int (call, "right_window_size", -1);

  if (is_causal)
    right = 0;
  op->is_banded = left >= 0 || right >= 0;
  op->is_guarded = TRUE;
  op->band[0] = left >= 0 && left < G_MAXINT32 ? n_past - left : -G_MAXINT32;
  op->band[1] = right >= 0 && right < G_MAXINT32 ? n_past + right : G_MAXINT32;
}

static void
append_attention (Attention *self, gint64 n_past)
{
  SymPlanOp op = sym_plan_call_new_op (self->call, SYM_PLAN_ATTENTION, self->query.tensor);
  gint64 n_shared = self->query.sizes[HEADS] / self->key.sizes[HEADS];

  op.grids = sym_plan_graph_add_grids (self->call->graph, 5);
  set_grid (&op.grids[SYM_PLAN_QUERY], &self->query, n_shared, FALSE);
  set_grid (&op.grids[SYM_PLAN_KEY], &self->key, n_shared, TRUE);
  set_grid (&op.grids[SYM_PLAN_VALUE], &self->value, n_shared, TRUE);
  set_grid (&op.grids[SYM_PLAN_ANSWER], &self->answer, n_shared, FALSE);
  if (self->mask.tensor != SYM_PLAN_NONE)
    set_grid (&op.grids[SYM_PLAN_MASK], &self->mask, n_shared, FALSE);
  op.other = self->key.tensor;
  op.third = self->value.tensor;
  op.addend = self->mask.tensor;
  op.fourth = self->lengths;
  op.p = (float) sym_plan_call_get_float (self->call, "scale",
                                          1 / sqrt ((double) self->query.sizes[COLUMNS]));
  op.q = (float) sym_plan_call_get_float (self->call, "softcap", 0);
  set_band (self->call, &op, n_past);
  sym_plan_call_append (self->call, &op);
}

static gboolean
read_attention (SymPlanCall *call, SymVectorFunction function)
{
  Attention self = { .call = call, .mask = { .tensor = SYM_PLAN_NONE } };
  SymShape keys, values;
  guint mask;
  gint64 n_past;

  (void) function;
  if (call->result == SYM_PLAN_NONE || !is_plain (call) ||
      !read_heads (call, QUERY, "q_num_heads", &self.query) ||
      !read_heads (call, KEY, "kv_num_heads", &self.key) ||
      !read_heads (call, VALUE, "kv_num_heads", &self.value) ||
      !set_heads (call, call->result, self.query.sizes[HEADS], &self.answer) || !fit (&self) ||
      !find_lengths (&self) || !find_joined (call, PAST_KEY, PRESENT_KEY, &self.key, &keys) ||
      !find_joined (call, PAST_VALUE, PRESENT_VALUE, &self.value, &values) ||
      keys.dims[2] != values.dims[2] || !find_mask (&self, keys.dims[2], &mask))
    return FALSE;
  n_past = keys.dims[2] - self.key.sizes[ROWS];
  join_past (call, PAST_KEY, PRESENT_KEY, &keys, &self.key);
  join_past (call, PAST_VALUE, PRESENT_VALUE, &values, &self.value);
  if (mask != SYM_PLAN_NONE)
    set_mask (&self, mask, keys.dims[2]);
  append_attention (&self, n_past);
  return TRUE;
}

const SymPlanReader sym_plan_attention_readers[] = {
  { "Attention", 23, read_attention, NULL, TRUE },
  { NULL },
};
