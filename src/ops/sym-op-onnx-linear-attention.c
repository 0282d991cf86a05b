/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-heads.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* LinearAttention: each head has a state [keys, values], to which every token adds what it has for
 * its key, and from which queries read.  The state may decay (`gated`), and what it already has for
 * a key may be taken off first (`delta`). */

typedef struct {
  SymKernel *kernel;
  SymDType work;
  gboolean is_gated, is_delta;
  SymOpHeads q, k, v;
  const void *decay, *beta; /* NULL where they have no part */
  gsize n_decays;           /* of a head: 1 or one for each feature of a key */
  gsize n_betas;            /* of a token: 1 or one for each head */
  double scale;
  void *states; /* [batch, heads, keys, values] */
  void *found;  /* [values] */
  void *y;      /* [batch, tokens, query heads, values] */
} Linear;

/* ---- Operands ---- */

static gboolean
read_rule (Linear *self, GError **error)
{
  const char *rule = sym_kernel_get_string (self->kernel, "update_rule", "gated_delta");

  self->is_gated = strcmp (rule, "gated") == 0 || strcmp (rule, "gated_delta") == 0;
  self->is_delta = strcmp (rule, "delta") == 0 || strcmp (rule, "gated_delta") == 0;
  if (!self->is_gated && !self->is_delta && strcmp (rule, "linear") != 0)
    return sym_kernel_fail (error, "there is no update_rule %s", rule);
  if (sym_kernel_has_input (self->kernel, 4) != self->is_gated)
    return sym_kernel_fail (error, "the update_rule %s %s", rule,
                            self->is_gated ? "needs decay" : "has no decay");
  if (sym_kernel_has_input (self->kernel, 5) != self->is_delta)
    return sym_kernel_fail (error, "the update_rule %s %s", rule,
                            self->is_delta ? "needs beta" : "has no beta");
  return TRUE;
}

static gboolean
check_heads (const Linear *self, GError **error)
{
  const SymOpHeads *q = &self->q, *k = &self->k, *v = &self->v;

  if (q->n_heads % k->n_heads != 0)
    return sym_kernel_fail (
        error, "%" G_GSIZE_FORMAT " heads of queries cannot share %" G_GSIZE_FORMAT " of keys",
        q->n_heads, k->n_heads);
  if (q->n_batch != k->n_batch || q->n_batch != v->n_batch || q->n_rows != k->n_rows ||
      q->n_rows != v->n_rows)
    return sym_kernel_fail (error, "query, key and value are not of equal batches of equal length");
  if (q->size != k->size)
    return sym_kernel_fail (error,
                            "a query has %" G_GSIZE_FORMAT " features, a key %" G_GSIZE_FORMAT,
                            q->size, k->size);
  return TRUE;
}

static gboolean
read_heads (Linear *self, GError **error)
{
  const SymArray *arrays[6];
  SymOpHeads *heads[] = { &self->q, &self->k, &self->v };

  for (guint i = 0; i < 6; i++)
    arrays[i] = sym_kernel_get_input (self->kernel, i);
  self->work = sym_op_find_work (self->kernel, arrays, 6, error);
  if (self->work == SYM_DTYPE_UNKNOWN)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    {
      gint64 n = sym_kernel_get_int (self->kernel, i == 0 ? "q_num_heads" : "kv_num_heads", 0);

      if (sym_kernel_need_input (self->kernel, i, error) == NULL)
        return FALSE;
      if (arrays[i]->shape.rank != 3)
        return sym_kernel_fail (error, "operand %u must have 3 axes and has %d", i,
                                arrays[i]->shape.rank);
      if (!sym_op_heads_load (heads[i], self->kernel, self->work, NULL, arrays[i], n, error))
        return FALSE;
    }
  return check_heads (self, error);
}

/* Decay or beta: [batch, tokens, *@n], as many numbers as one of two. */
static gboolean
read_gate (Linear *self,
           guint slot,
           gsize few,
           gsize many,
           const void **data,
           gsize *n,
           GError **error)
{
  const SymArray *array = sym_kernel_get_input (self->kernel, slot);

  if (array == NULL)
    return TRUE;
  if (array->shape.rank != 3 || array->shape.dims[0] != (gint64) self->q.n_batch ||
      array->shape.dims[1] != (gint64) self->q.n_rows ||
      (array->shape.dims[2] != (gint64) few && array->shape.dims[2] != (gint64) many))
    {
      g_autofree char *text = sym_op_format_shape (&array->shape);

      return sym_kernel_fail (error,
                              "operand %u has shape %s; it should be [%" G_GSIZE_FORMAT
                              ",%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT " or %" G_GSIZE_FORMAT "]",
                              slot, text, self->q.n_batch, self->q.n_rows, few, many);
    }
  *n = (gsize) array->shape.dims[2];
  *data = sym_op_read_as (self->kernel, array, self->work, error);
  return *data != NULL;
}

static gboolean
read_gates (Linear *self, GError **error)
{
  gsize heads = self->k.n_heads;

  if (!read_gate (self, 4, heads, heads * self->k.size, &self->decay, &self->n_decays, error) ||
      !read_gate (self, 5, 1, heads, &self->beta, &self->n_betas, error))
    return FALSE;
  if (self->decay != NULL)
    self->n_decays /= heads;
  return TRUE;
}

static SymShape
get_state_shape (const Linear *self)
{
  return SYM_SHAPE ((gint64) self->k.n_batch, (gint64) self->k.n_heads, (gint64) self->k.size,
                    (gint64) self->v.size);
}

/* The state at first; its dtype is that of output 1. */
static gboolean
start_states (Linear *self, SymDType *dtype, GError **error)
{
  const SymArray *past = sym_kernel_get_input (self->kernel, 3);
  SymShape shape = get_state_shape (self);
  SymArray all = { self->work, shape, NULL };
  guint64 n;

  *dtype = past == NULL ? self->q.dtype : past->dtype;
  if (past != NULL && !sym_shape_equal (&past->shape, &shape))
    {
      g_autofree char *is = sym_op_format_shape (&past->shape);
      g_autofree char *should = sym_op_format_shape (&shape);

      return sym_kernel_fail (error, "the past state has shape %s; it should be %s", is, should);
    }
  if (!sym_shape_get_n_elements (&shape, &n))
    return sym_kernel_fail (error, "the state is too large");
  all.data = sym_kernel_get_scratch (self->kernel, n, sym_dtype_get_bits (self->work) / 8, error);
  if (all.data == NULL)
    return FALSE;
  self->states = all.data;
  if (past == NULL)
    memset (all.data, 0, sym_array_get_n_bytes (&all));
  else
    sym_convert_elements (past->dtype, past->data, self->work, all.data, n);
  self->found = sym_kernel_get_scratch (self->kernel, self->v.size,
                                        sym_dtype_get_bits (self->work) / 8, error);
  return self->found != NULL;
}

/* ---- Working ---- */

#define TOKEN(dtype, type, exponential)                                                         \
  /* Takes token @t into the state of a head. */                                                \
  static void write_##dtype (const Linear *self, gsize batch, gsize head, gsize t, type *state) \
  {                                                                                             \
    gsize n_keys = self->k.size, n = self->v.size, row = batch * self->k.n_rows + t;            \
    const type *key = (const type *) sym_op_heads_get (&self->k, batch, head) + t * n_keys;     \
    const type *value = (const type *) sym_op_heads_get (&self->v, batch, head) + t * n;        \
    const type *decay = (const type *) self->decay;                                             \
    type *found = self->found;                                                                  \
                                                                                                \
    memset (found, 0, n * sizeof *found);                                                       \
    for (gsize i = 0; i < n_keys; i++)                                                          \
      {                                                                                         \
        gsize place = (row * self->k.n_heads + head) * self->n_decays + i % self->n_decays;     \
        type factor = decay == NULL ? 1 : exponential (decay[place]);                           \
                                                                                                \
        for (gsize j = 0; j < n; j++)                                                           \
          state[i * n + j] *= factor;                                                           \
        for (gsize j = 0; self->is_delta && j < n; j++)                                         \
          found[j] += state[i * n + j] * key[i];                                                \
      }                                                                                         \
    for (gsize j = 0; j < n; j++)                                                               \
      found[j] = value[j] - found[j];                                                           \
    for (gsize j = 0; self->is_delta && j < n; j++)                                             \
      found[j] *= ((const type *) self->beta)[row * self->n_betas + head % self->n_betas];      \
    for (gsize i = 0; i < n_keys; i++)                                                          \
      for (gsize j = 0; j < n; j++)                                                             \
        state[i * n + j] += key[i] * found[j];                                                  \
  }                                                                                             \
                                                                                                \
  /* What a head of queries reads. */                                                           \
  static void read_##dtype (const Linear *self, gsize batch, gsize head, gsize t,               \
                            const type *state)                                                  \
  {                                                                                             \
    gsize n_keys = self->k.size, n = self->v.size, row = batch * self->q.n_rows + t;            \
    const type *query = (const type *) sym_op_heads_get (&self->q, batch, head) + t * n_keys;   \
    type *y = (type *) self->y + (row * self->q.n_heads + head) * n;                            \
                                                                                                \
    memset (y, 0, n * sizeof *y);                                                               \
    for (gsize i = 0; i < n_keys; i++)                                                          \
      for (gsize j = 0; j < n; j++)                                                             \
        y[j] += query[i] * state[i * n + j];                                                    \
    for (gsize j = 0; j < n; j++)                                                               \
      y[j] *= (type) self->scale;                                                               \
  }                                                                                             \
                                                                                                \
  static void step_##dtype (const Linear *self, gsize batch, gsize head, gsize t)               \
  {                                                                                             \
    gsize n_shared = self->q.n_heads / self->k.n_heads, n = self->k.size * self->v.size;        \
    type *state = (type *) self->states + (batch * self->k.n_heads + head) * n;                 \
                                                                                                \
    write_##dtype (self, batch, head, t, state);                                                \
    for (gsize i = 0; i < n_shared; i++)                                                        \
      read_##dtype (self, batch, head *n_shared + i, t, state);                                 \
  }

TOKEN (FLOAT32, float, expf)
TOKEN (FLOAT64, double, exp)

static gboolean
run_tokens (Linear *self, GError **error)
{
  gsize done = 0, n_rows = self->k.n_rows;

  for (gsize i = 0; i < self->k.n_batch * self->k.n_heads * n_rows; i++)
    {
      gsize batch = i / n_rows / self->k.n_heads, head = i / n_rows % self->k.n_heads;

      if (self->work == SYM_DTYPE_FLOAT32)
        step_FLOAT32 (self, batch, head, i % n_rows);
      else
        step_FLOAT64 (self, batch, head, i % n_rows);
      if (!sym_op_go_on (self->kernel, &done, self->k.size * self->v.size + 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_states (Linear *self, SymDType dtype, GError **error)
{
  SymShape shape = get_state_shape (self);
  SymArray *y;

  if (!sym_kernel_wants_output (self->kernel, 1))
    return TRUE;
  y = sym_kernel_new_output (self->kernel, 1, dtype, &shape, error);
  if (y != NULL)
    sym_convert_elements (self->work, self->states, dtype, y->data, sym_array_get_n_elements (y));
  return y != NULL;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  Linear self = { .kernel = kernel, .n_decays = 1, .n_betas = 1 };
  SymDType dtype;
  SymShape shape;
  gint64 width;
  SymArray *y;

  if (!read_rule (&self, error) || !read_heads (&self, error) || !read_gates (&self, error) ||
      !start_states (&self, &dtype, error))
    return FALSE;
  self.scale = sym_kernel_get_float (kernel, "scale", 0);
  if (self.scale == 0)
    self.scale = 1 / sqrt ((double) self.q.size);
  if (__builtin_mul_overflow ((gint64) self.q.n_heads, (gint64) self.v.size, &width))
    return sym_kernel_fail (error, "there are too many features");
  shape = SYM_SHAPE ((gint64) self.q.n_batch, (gint64) self.q.n_rows, width);
  y = sym_kernel_new_output (kernel, 0, self.q.dtype, &shape, error);
  self.y = y == NULL ? NULL : sym_op_place_as (kernel, y, self.work, error);
  if (self.y == NULL || !run_tokens (&self, error))
    return FALSE;
  sym_op_write_as (y, self.work, self.y);
  return write_states (&self, dtype, error);
}

/* ---- Rules ---- */

static gboolean
infer_state (SymRule *rule,
             SymDim n_batch,
             gint64 heads,
             SymDim keys,
             SymDim values,
             GError **error)
{
  SymShape state = SYM_SHAPE (n_batch, heads, keys, values);
  gboolean has_past = sym_rule_has_input (rule, 3);
  SymDType dtype = sym_rule_get_input_dtype (rule, has_past ? 3 : 0);

  return sym_op_set_input (rule, 3, state, error) &&
         sym_op_set_output (rule, 1, state, dtype, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  gint64 n_q = sym_rule_get_int (rule, "q_num_heads", 0);
  gint64 n_kv = sym_rule_get_int (rule, "kv_num_heads", 0);
  SymShape q = sym_rule_get_input (rule, 0), v = sym_rule_get_input (rule, 2);
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim keys, values;

  if (n_q < 1 || n_kv < 1 || n_q % n_kv != 0)
    return sym_rule_fail (
        error, "%" G_GINT64_FORMAT " heads of queries cannot share %" G_GINT64_FORMAT " of keys",
        n_q, n_kv);
  for (guint i = 1; i < 3; i++)
    if (!sym_rule_set_input_dtype (rule, i, sym_rule_get_input_dtype (rule, 0), error))
      return FALSE;
  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if ((q.rank >= 0 && q.rank != 3) || (v.rank >= 0 && v.rank != 3))
    return sym_rule_fail (error, "query and value must have 3 axes and have %d and %d", q.rank,
                          v.rank);
  if (q.rank < 0 || v.rank < 0)
    return TRUE;
  keys = sym_terms_floor_divide (terms, q.dims[2], n_q);
  values = sym_terms_floor_divide (terms, v.dims[2], n_kv);
  return sym_op_set_input (rule, 1,
                           SYM_SHAPE (q.dims[0], q.dims[1], sym_terms_multiply (terms, keys, n_kv)),
                           error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (q.dims[0], q.dims[1], SYM_DIM_UNKNOWN), error) &&
         infer_state (rule, q.dims[0], n_kv, keys, values, error) &&
         sym_rule_set_output (
             rule, 0, &SYM_SHAPE (q.dims[0], q.dims[1], sym_terms_multiply (terms, values, n_q)),
             error);
}

static const SymAttributeSpec attributes[] = {
  { "chunk_size", SYM_ATTRIBUTE_INT, "64", "of no effect on results" },
  { "kv_num_heads", SYM_ATTRIBUTE_INT, NULL, "heads of keys and values" },
  { "q_num_heads", SYM_ATTRIBUTE_INT, NULL, "heads of queries" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "0.0", "results are multiplied by this; 0: 1 / sqrt (features)" },
  { "update_rule", SYM_ATTRIBUTE_STRING, "gated_delta", "how a token changes the state",
    "linear gated delta gated_delta" },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "query" },
  { "key" },
  { "value" },
  { "past_state", .optional = TRUE },
  { "decay", .optional = TRUE },
  { "beta", .optional = TRUE },
  { NULL },
};

static const char *const outputs[] = { "output", "present_state", NULL };

const SymOperator sym_op_onnx_linear_attention[] = {
  { SYM_OP_ONNX ("LinearAttention", 27),
    .summary = "what queries read from a state to which each token adds",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = slots,
    .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = outputs, .infer = infer,
    .run = run },
  { 0 },
};
