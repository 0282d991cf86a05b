/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-heads.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-panels.h"
#include "ops/sym-op-table.h"

/* Attention: softmax (Q K' * scale + bias) V for each head.  Several heads of queries may share one
 * of keys and values.  Numbers are rounded to the operands' dtype where ONNX's own definition,
 * which is made of other operators, rounds them. */

/* Queries whose scores are at hand at once. */
#define ROWS ((gsize) 64)

/* What output 3 is: attribute `qk_matmul_output_mode`. */
typedef enum {
  SCORES_RAW,
  SCORES_CAPPED,
  SCORES_BIASED,
  SCORES_SOFTMAX,
} Stage;

typedef struct {
  SymKernel *kernel;
  SymDType work, softmax;
  SymOpHeads q, k, v;
  double softcap; /* 0 for none */
  gboolean is_causal;
  gint64 left, right; /* how far a query sees, -1 for any distance */
  gint64 n_past;
  const SymArray *valid; /* keys that are no padding, by batch; NULL for all */

  const void *mask;             /* numbers that are added, NULL for none; ... */
  gint64 strides[SYM_MAX_RANK]; /* ... along batch, head, query, key; ... */
  gsize n_masked;               /* ... for so many keys, the others being masked */
  void *bias;                   /* what is added to the scores of one query */

  SymOpPanels keys, values;
  void *rows;       /* scores of ROWS queries */
  void *y;          /* [batch, heads, queries, size] or with queries before heads */
  gboolean by_rows; /* the latter */
  Stage stage;
  void *scores; /* output 3, NULL where it is not wanted */
} Attention;

/* ---- Operands ---- */

static gboolean
load_heads (Attention *self,
            SymOpHeads *heads,
            guint slot,
            guint past,
            const char *name,
            GError **error)
{
  const SymArray *array = sym_kernel_need_input (self->kernel, slot, error);

  return array != NULL &&
         sym_op_heads_load (heads, self->kernel, self->work,
                            past == 0 ? NULL : sym_kernel_get_input (self->kernel, past), array,
                            sym_kernel_get_int (self->kernel, name, 0), error);
}

static gboolean
check_heads (const Attention *self, GError **error)
{
  const SymOpHeads *q = &self->q, *k = &self->k, *v = &self->v;

  if (q->n_batch != k->n_batch || k->n_batch != v->n_batch)
    return sym_kernel_fail (error,
                            "Q, K and V have batches of %" G_GSIZE_FORMAT ", %" G_GSIZE_FORMAT
                            " and %" G_GSIZE_FORMAT,
                            q->n_batch, k->n_batch, v->n_batch);
  if (q->size != k->size)
    return sym_kernel_fail (error,
                            "a query has %" G_GSIZE_FORMAT " features, a key %" G_GSIZE_FORMAT,
                            q->size, k->size);
  if (k->n_rows != v->n_rows || k->n_heads != v->n_heads)
    return sym_kernel_fail (error,
                            "%" G_GSIZE_FORMAT " heads of %" G_GSIZE_FORMAT
                            " keys have %" G_GSIZE_FORMAT " heads of %" G_GSIZE_FORMAT " values",
                            k->n_heads, k->n_rows, v->n_heads, v->n_rows);
  if (k->n_heads == 0 || q->n_heads % k->n_heads != 0)
    return sym_kernel_fail (
        error, "%" G_GSIZE_FORMAT " heads of queries cannot share %" G_GSIZE_FORMAT " of keys",
        q->n_heads, k->n_heads);
  return TRUE;
}

static gboolean
read_heads (Attention *self, GError **error)
{
  const SymArray *past = sym_kernel_get_input (self->kernel, 4), *arrays[5];
  guint slots[] = { 0, 1, 2, 4, 5 };

  for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
    arrays[i] = sym_kernel_get_input (self->kernel, slots[i]);
  self->work = sym_op_find_work (self->kernel, arrays, G_N_ELEMENTS (arrays), error);
  if (self->work == SYM_DTYPE_UNKNOWN)
    return FALSE;
  if ((past == NULL) != (arrays[4] == NULL))
    return sym_kernel_fail (error, "past_key and past_value belong together");
  if (!load_heads (self, &self->q, 0, 0, "q_num_heads", error) ||
      !load_heads (self, &self->k, 1, 4, "kv_num_heads", error) ||
      !load_heads (self, &self->v, 2, 5, "kv_num_heads", error) || !check_heads (self, error))
    return FALSE;
  self->n_past = past == NULL ? 0 : past->shape.dims[2];
  self->by_rows = arrays[0]->shape.rank == 3;
  return TRUE;
}

/* The numbers that a mask adds: -Inf where it is not true. */
static void *
read_mask (Attention *self, const SymArray *mask, GError **error)
{
  gsize n = sym_array_get_n_elements (mask);
  void *numbers;

  if (!sym_dtype_is_numeric (mask->dtype))
    {
      sym_op_refuse_dtype (self->kernel, mask->dtype, error);
      return NULL;
    }
  numbers = sym_kernel_get_scratch (self->kernel, n, sym_dtype_get_bits (self->work) / 8, error);
  if (numbers == NULL || mask->dtype != SYM_DTYPE_BOOL)
    {
      if (numbers != NULL)
        sym_convert_elements (mask->dtype, mask->data, self->work, numbers, n);
      return numbers;
    }
  for (gsize i = 0; i < n; i++)
    sym_element_set_double (self->work, numbers, i,
                            ((const guint8 *) mask->data)[i] != 0 ? 0 : -INFINITY);
  return numbers;
}

/* A mask broadcasts to [batch, heads, queries, keys]; since version 24 it may end before the keys.
 */
static gboolean
place_mask (Attention *self, GError **error)
{
  const SymArray *mask = sym_kernel_get_input (self->kernel, 3);
  const gint64 sizes[4] = { (gint64) self->q.n_batch, (gint64) self->q.n_heads,
                            (gint64) self->q.n_rows, (gint64) self->k.n_rows };
  gboolean may_end = sym_kernel_get_version (self->kernel) >= 24, fits = TRUE;

  self->n_masked = self->k.n_rows;
  if (mask == NULL)
    return TRUE;
  if (mask->shape.rank >= 1 && mask->shape.rank <= 4)
    sym_op_get_broadcast_strides (&mask->shape, 4, self->strides);
  else
    fits = FALSE;
  for (int i = 4 - mask->shape.rank; fits && i < 4; i++)
    {
      gint64 size = mask->shape.dims[i + mask->shape.rank - 4];

      if (i == 3 && may_end && size < sizes[i])
        {
          self->n_masked = (gsize) size;
          self->strides[i] = 1;
        }
      else
        fits = size == 1 || size == sizes[i];
    }
  if (!fits)
    {
      SymShape all = sym_shape_new (sizes, 4);
      g_autofree char *is = sym_op_format_shape (&mask->shape);
      g_autofree char *should = sym_op_format_shape (&all);

      return sym_kernel_fail (error, "a mask of shape %s does not broadcast to %s", is, should);
    }
  self->mask = read_mask (self, mask, error);
  return self->mask != NULL;
}

static gboolean
read_valid (Attention *self, GError **error)
{
  self->valid = sym_kernel_get_input (self->kernel, 6);
  if (self->valid == NULL)
    return TRUE;
  if (self->n_past > 0 || sym_kernel_has_input (self->kernel, 4))
    return sym_kernel_fail (error, "nonpad_kv_seqlen is not for attention with a past");
  if (!sym_dtype_is_integer (self->valid->dtype) ||
      sym_array_get_n_elements (self->valid) != self->q.n_batch)
    return sym_kernel_fail (error, "nonpad_kv_seqlen must be %" G_GSIZE_FORMAT " integers",
                            self->q.n_batch);
  return TRUE;
}

static gboolean
read_attributes (Attention *self, GError **error)
{
  const SymAttributes *attributes = sym_kernel_get_attributes (self->kernel);
  gint64 stage = sym_kernel_get_int (self->kernel, "qk_matmul_output_mode", 0);

  self->softcap = sym_kernel_get_float (self->kernel, "softcap", 0);
  self->is_causal = sym_kernel_get_bool (self->kernel, "is_causal", FALSE);
  self->left = sym_kernel_get_int (self->kernel, "left_window_size", -1);
  self->right = sym_kernel_get_int (self->kernel, "right_window_size", -1);
  self->softmax = sym_op_onnx_get_dtype (attributes, "softmax_precision");
  if (self->softmax == SYM_DTYPE_UNKNOWN)
    self->softmax = self->q.dtype;
  if (stage < SCORES_RAW || stage > SCORES_SOFTMAX)
    return sym_kernel_fail (
        error, "qk_matmul_output_mode is %" G_GINT64_FORMAT "; it should be 0, 1, 2 or 3", stage);
  if (self->left < -1 || self->right < -1)
    return sym_kernel_fail (error, "the size of a window is below -1");
  if (!sym_dtype_is_floating (self->softmax))
    return sym_kernel_fail (error, "softmax_precision is %s; it should be a float",
                            sym_dtype_to_string (self->softmax));
  self->stage = (Stage) stage;
  return TRUE;
}

/* ---- One query ---- */

/* How many keys come before the first query. */
static gint64
find_offset (const Attention *self, gsize batch)
{
  if (self->valid == NULL)
    return self->n_past;
  return sym_element_get_int (self->valid->dtype, self->valid->data, batch) -
         (gint64) self->q.n_rows;
}

/* The keys that a query at @place sees: from *@first up to *@end. */
static void
find_keys (const Attention *self, gsize batch, gint64 place, gint64 *first, gint64 *end)
{
  gint64 n = (gint64) self->n_masked;

  *first = 0;
  if (self->valid != NULL)
    n = MIN (n, sym_element_get_int (self->valid->dtype, self->valid->data, batch));
  if (self->is_causal)
    n = MIN (n, place + 1);
  if (self->right >= 0 && self->right < G_MAXINT64 / 2)
    n = MIN (n, place + self->right + 1);
  if (self->left >= 0 && self->left < G_MAXINT64 / 2)
    *first = CLAMP (place - self->left, 0, (gint64) self->k.n_rows);
  *end = MAX (n, *first);
}

#define ROW_LOOPS(dtype, type, hyperbolic)                                                       \
  /* Fills what is added to the scores of a query; FALSE when no key is left. */                 \
  static gboolean fill_bias_##dtype (const Attention *self, gsize place, gsize first, gsize end) \
  {                                                                                              \
    const type *mask = self->mask == NULL ? NULL : (const type *) self->mask + place;            \
    type *bias = self->bias;                                                                     \
    gboolean any = FALSE;                                                                        \
                                                                                                 \
    for (gsize i = 0; i < self->k.n_rows; i++)                                                   \
      bias[i] = -INFINITY;                                                                       \
    for (gsize i = first; i < end; i++)                                                          \
      {                                                                                          \
        bias[i] = mask == NULL ? 0 : mask[(gint64) i * self->strides[3]];                        \
        any = any || bias[i] != -INFINITY;                                                       \
      }                                                                                          \
    return any;                                                                                  \
  }                                                                                              \
                                                                                                 \
  static void cap_##dtype (type *row, gsize n, type cap)                                         \
  {                                                                                              \
    for (gsize i = 0; i < n; i++)                                                                \
      row[i] = cap * hyperbolic (row[i] / cap);                                                  \
  }                                                                                              \
                                                                                                 \
  static void add_##dtype (type *row, const type *bias, gsize n)                                 \
  {                                                                                              \
    for (gsize i = 0; i < n; i++)                                                                \
      row[i] += bias[i];                                                                         \
  }

ROW_LOOPS (FLOAT32, float, tanhf)
ROW_LOOPS (FLOAT64, double, tanh)

#define CHOOSE(self, name, ...) \
  ((self)->work == SYM_DTYPE_FLOAT32 ? name##_FLOAT32 (__VA_ARGS__) : name##_FLOAT64 (__VA_ARGS__))

static gboolean
fill_bias (Attention *self, gsize batch, gsize head, gsize query)
{
  gint64 first, end;
  gsize place = (gsize) ((gint64) batch * self->strides[0] + (gint64) head * self->strides[1] +
                         (gint64) query * self->strides[2]);

  find_keys (self, batch, (gint64) query + find_offset (self, batch), &first, &end);
  return CHOOSE (self, fill_bias, self, place, (gsize) first, (gsize) end);
}

/* Puts the scores of a query into output 3 if they have come to what that is. */
static void
keep_scores (Attention *self, Stage stage, gsize batch, gsize head, gsize query, const void *row)
{
  gsize n = self->k.n_rows, size = sym_dtype_get_bits (self->work) / 8;
  gsize place = (batch * self->q.n_heads + head) * self->q.n_rows + query;

  if (self->scores != NULL && stage == self->stage)
    memcpy ((guint8 *) self->scores + place * n * size, row, n * size);
}

/* The scores of a query become what its values are weighted by. */
static void
finish_row (Attention *self, gsize batch, gsize head, gsize query, void *row)
{
  gsize n = self->k.n_rows;
  SymDType dtype = self->q.dtype;

  sym_op_round (dtype, self->work, row, n);
  keep_scores (self, SCORES_RAW, batch, head, query, row);
  if (self->softcap != 0)
    {
      if (self->work == SYM_DTYPE_FLOAT32)
        cap_FLOAT32 (row, n, (float) self->softcap);
      else
        cap_FLOAT64 (row, n, self->softcap);
      sym_op_round (dtype, self->work, row, n);
    }
  keep_scores (self, SCORES_CAPPED, batch, head, query, row);
  if (fill_bias (self, batch, head, query))
    {
      CHOOSE (self, add, row, self->bias, n);
      sym_op_round (dtype, self->work, row, n);
      keep_scores (self, SCORES_BIASED, batch, head, query, row);
      sym_op_round (self->softmax, self->work, row, n);
      sym_op_softmax_row (self->work, row, n, TRUE);
      sym_op_round (self->softmax, self->work, row, n);
      sym_op_round (dtype, self->work, row, n);
    }
  else
    {
      CHOOSE (self, add, row, self->bias, n);
      keep_scores (self, SCORES_BIASED, batch, head, query, row);
      memset (row, 0, n * (sym_dtype_get_bits (self->work) / 8));
    }
  keep_scores (self, SCORES_SOFTMAX, batch, head, query, row);
}

/* ---- All of them ---- */

static gboolean
run_rows (Attention *self, gsize batch, gsize head, gsize first, gsize n, GError **error)
{
  gsize size = sym_dtype_get_bits (self->work) / 8, width = self->v.size;
  gsize place = self->by_rows ? (batch * self->q.n_rows + first) * self->q.n_heads + head
                              : (batch * self->q.n_heads + head) * self->q.n_rows + first;
  const guint8 *queries = sym_op_heads_get (&self->q, batch, head);

  if (!sym_op_panels_multiply (&self->keys, queries + first * self->q.size * size, self->q.size, n,
                               self->rows, self->k.n_rows, FALSE, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    finish_row (self, batch, head, first + i, (guint8 *) self->rows + i * self->k.n_rows * size);
  return sym_op_panels_multiply (&self->values, self->rows, self->k.n_rows, n,
                                 (guint8 *) self->y + place * width * size,
                                 self->by_rows ? self->q.n_heads * width : width, FALSE, error);
}

static gboolean
run_heads (Attention *self, GError **error)
{
  gsize n_shared = self->q.n_heads / self->k.n_heads, done = 0;

  for (gsize i = 0; i < self->q.n_batch * self->q.n_heads; i++)
    {
      gsize batch = i / self->q.n_heads, head = i % self->q.n_heads, shared = head / n_shared;

      if (head % n_shared == 0 &&
          (!sym_op_panels_load (&self->keys, sym_op_heads_get (&self->k, batch, shared), 1,
                                self->k.size, error) ||
           !sym_op_panels_load (&self->values, sym_op_heads_get (&self->v, batch, shared),
                                self->v.size, 1, error)))
        return FALSE;
      for (gsize row = 0; row < self->q.n_rows; row += ROWS)
        {
          gsize n = MIN (self->q.n_rows - row, ROWS);

          if (!run_rows (self, batch, head, row, n, error) ||
              !sym_op_go_on (self->kernel, &done, 4 * n * (self->k.n_rows + 1), error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
make_places (Attention *self, GError **error)
{
  gsize size = sym_dtype_get_bits (self->work) / 8, n = self->k.n_rows;

  if (!sym_op_panels_init (&self->keys, self->kernel, self->work, self->k.size, n, error) ||
      !sym_op_panels_init (&self->values, self->kernel, self->work, n, self->v.size, error))
    return FALSE;
  self->bias = sym_kernel_get_scratch (self->kernel, n, size, error);
  self->rows =
      self->bias == NULL ? NULL : sym_kernel_get_scratch (self->kernel, n, ROWS * size, error);
  return self->rows != NULL;
}

/* Keys or values of past and present together, before they are scaled. */
static gboolean
write_present (Attention *self, guint i, const SymOpHeads *heads, GError **error)
{
  SymShape shape = SYM_SHAPE ((gint64) heads->n_batch, (gint64) heads->n_heads,
                              (gint64) heads->n_rows, (gint64) heads->size);
  SymArray *y;

  if (!sym_kernel_wants_output (self->kernel, i))
    return TRUE;
  y = sym_kernel_new_output (self->kernel, i, heads->dtype, &shape, error);
  if (y != NULL)
    sym_op_heads_store (heads, y);
  return y != NULL;
}

static SymArray *
make_output (Attention *self,
             guint i,
             gsize n_columns,
             gboolean by_rows,
             void **data,
             GError **error)
{
  gint64 batch = (gint64) self->q.n_batch, heads = (gint64) self->q.n_heads;
  gint64 rows = (gint64) self->q.n_rows, columns = (gint64) n_columns;
  SymShape shape =
      by_rows ? SYM_SHAPE (batch, rows, heads * columns) : SYM_SHAPE (batch, heads, rows, columns);
  SymArray *y = sym_kernel_new_output (self->kernel, i, self->q.dtype, &shape, error);

  *data = y == NULL ? NULL : sym_op_place_as (self->kernel, y, self->work, error);
  return *data == NULL ? NULL : y;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  Attention self = { .kernel = kernel };
  SymArray *y, *scores = NULL;
  double scale;

  if (!read_heads (&self, error) || !place_mask (&self, error) || !read_valid (&self, error) ||
      !read_attributes (&self, error) || !make_places (&self, error) ||
      !write_present (&self, 1, &self.k, error) || !write_present (&self, 2, &self.v, error))
    return FALSE;
  y = make_output (&self, 0, self.v.size, self.by_rows, &self.y, error);
  if (y == NULL)
    return FALSE;
  if (sym_kernel_wants_output (kernel, 3))
    {
      scores = make_output (&self, 3, self.k.n_rows, FALSE, &self.scores, error);
      if (scores == NULL)
        return FALSE;
    }
  scale = sqrt (sym_kernel_get_float (kernel, "scale", 1 / sqrt ((double) self.q.size)));
  sym_op_heads_scale (&self.q, scale);
  sym_op_heads_scale (&self.k, scale);
  if (!run_heads (&self, error))
    return FALSE;
  sym_op_write_as (y, self.work, self.y);
  if (scores != NULL)
    sym_op_write_as (scores, self.work, self.scores);
  return TRUE;
}

/* ---- Rules ---- */

/* An operand of 3 or 4 axes as [batch, heads, rows, size]. */
static gboolean
find_heads (SymRule *rule, guint i, const char *name, SymShape *shape, GError **error)
{
  gint64 n = sym_rule_get_int (rule, name, 0);
  SymShape x = sym_rule_get_input (rule, i);

  *shape = sym_shape_new_unknown (4);
  if (x.rank < 0)
    return TRUE;
  if (x.rank != 3 && x.rank != 4)
    return sym_rule_fail (error, "operand %u must have 3 or 4 axes and has %d", i, x.rank);
  if (x.rank == 4)
    {
      *shape = x;
      return TRUE;
    }
  if (n < 1)
    return sym_rule_fail (error, "of operands of 3 axes %s must be told", name);
  *shape = SYM_SHAPE (x.dims[0], n, x.dims[1],
                      sym_terms_floor_divide (sym_rule_get_terms (rule), x.dims[2], n));
  if (x.dims[2] >= 0 && x.dims[2] % n != 0)
    return sym_rule_fail (
        error, "%" G_GINT64_FORMAT " features cannot be parted into %" G_GINT64_FORMAT " heads",
        x.dims[2], n);
  return TRUE;
}

/* Keys or values with those of the past: output @out. */
static gboolean
infer_present (SymRule *rule, guint past_slot, guint out, SymShape *now, GError **error)
{
  SymShape past = sym_rule_get_input (rule, past_slot);

  if (sym_rule_has_input (rule, past_slot))
    {
      if (!sym_op_set_input (rule, past_slot,
                             SYM_SHAPE (now->dims[0], now->dims[1], SYM_DIM_UNKNOWN, now->dims[3]),
                             error))
        return FALSE;
      past = sym_rule_get_input (rule, past_slot);
      now->dims[2] = past.rank != 4
                         ? SYM_DIM_UNKNOWN
                         : sym_terms_add (sym_rule_get_terms (rule), past.dims[2], now->dims[2]);
    }
  return sym_op_pass_dtype (rule, out, out, error) && sym_rule_set_output (rule, out, now, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0), q, k, v, y;

  if (!find_heads (rule, 0, "q_num_heads", &q, error) ||
      !find_heads (rule, 1, "kv_num_heads", &k, error) ||
      !find_heads (rule, 2, "kv_num_heads", &v, error) ||
      !sym_rule_unify (rule, k.dims[0], q.dims[0], "batch of K", error) ||
      !sym_rule_unify (rule, v.dims[0], q.dims[0], "batch of V", error) ||
      !sym_rule_unify (rule, k.dims[3], q.dims[3], "features of a key", error) ||
      !sym_rule_unify (rule, v.dims[2], k.dims[2], "number of values", error) ||
      !infer_present (rule, 4, 1, &k, error) || !infer_present (rule, 5, 2, &v, error) ||
      !sym_op_pass_dtype (rule, 0, 0, error) || !sym_op_pass_dtype (rule, 0, 3, error) ||
      !sym_rule_set_output (rule, 3, &SYM_SHAPE (q.dims[0], q.dims[1], q.dims[2], k.dims[2]),
                            error))
    return FALSE;
  if (x.rank < 0)
    return TRUE;
  y = SYM_SHAPE (q.dims[0], q.dims[1], q.dims[2], v.dims[3]);
  if (x.rank == 3)
    y = SYM_SHAPE (q.dims[0], q.dims[2],
                   sym_terms_multiply (sym_rule_get_terms (rule), q.dims[1], v.dims[3]));
  return sym_rule_set_output (rule, 0, &y, error);
}

/* ---- Table ---- */

#define ATTRIBUTES                                                                                 \
  { "is_causal", SYM_ATTRIBUTE_INT, "0", "1: a query sees no keys behind its own" },               \
      { "kv_num_heads", SYM_ATTRIBUTE_INT, "None", "heads of keys and values of 3 axes" },         \
      { "q_num_heads", SYM_ATTRIBUTE_INT, "None", "heads of queries of 3 axes" },                  \
      { "qk_matmul_output_mode", SYM_ATTRIBUTE_INT, "0",                                           \
        "which scores are output: raw, capped, with bias, after softmax" },                        \
      { "scale", SYM_ATTRIBUTE_FLOAT, "None",                                                      \
        "scores are multiplied by this; 1 / sqrt (features)" },                                    \
      { "softcap", SYM_ATTRIBUTE_FLOAT, "0.0", "scores are bent to stay within this; 0 for not" }, \
  {                                                                                                \
    "softmax_precision", SYM_ATTRIBUTE_INT, "None", "dtype of the softmax"                         \
  }

static const SymAttributeSpec attributes_23[] = { ATTRIBUTES, { NULL } };
static const SymAttributeSpec attributes_25[] = {
  ATTRIBUTES,
  { "left_window_size", SYM_ATTRIBUTE_INT, "-1", "keys that a query sees before its own" },
  { "right_window_size", SYM_ATTRIBUTE_INT, "-1", "keys that a query sees behind its own" },
  { NULL },
};

#define SLOTS                                                                                     \
  { "Q" }, { "K" }, { "V" }, { "attn_mask", .optional = TRUE }, { "past_key", .optional = TRUE }, \
  {                                                                                               \
    "past_value", .optional = TRUE                                                                \
  }

static const SymSlotSpec slots_23[] = { SLOTS, { NULL } };
static const SymSlotSpec slots_24[] = { SLOTS, { "nonpad_kv_seqlen", .optional = TRUE }, { NULL } };
static const char *const outputs[] = { "Y", "present_key", "present_value", "qk_matmul_output",
                                       NULL };

#define ATTENTION(version_, attributes_, slots_)                                               \
  {                                                                                            \
    SYM_OP_ONNX ("Attention", version_),                                                       \
        .summary = "values, weighted by how well their keys fit queries",                      \
        .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes_, .slots = slots_,          \
        .get_n_outputs = sym_op_onnx_get_any_outputs, .output_names = outputs, .infer = infer, \
        .run = run                                                                             \
  }

const SymOperator sym_op_onnx_attention[] = {
  ATTENTION (23, attributes_23, slots_23),
  ATTENTION (24, attributes_23, slots_24),
  ATTENTION (25, attributes_25, slots_24),
  { 0 },
};
