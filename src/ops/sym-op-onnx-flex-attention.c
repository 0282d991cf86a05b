/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/sym-element.h"
#include "ops/sym-op-heads.h"
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-panels.h"
#include "ops/sym-op-table.h"

/* FlexAttention: attention whose scores and probabilities bodies of the layer may change.  They see
 * them all at once, [batch, heads, queries, keys]. */

typedef struct {
  SymKernel *kernel;
  SymDType work, softmax; /* what is computed in; what scores and probabilities are of */
  SymOpHeads q, k, v;
  SymOpPanels panels;
  void *rows; /* of one head, [queries, keys] or [queries, values] */
} Flex;

/* ---- Operands ---- */

static gboolean
check_heads (const Flex *self, GError **error)
{
  const SymOpHeads *q = &self->q, *k = &self->k, *v = &self->v;

  if (q->n_batch != k->n_batch || k->n_batch != v->n_batch || q->size != k->size ||
      k->n_rows != v->n_rows || k->n_heads != v->n_heads)
    return sym_kernel_fail (error, "batches, features or lengths of Q, K and V do not fit");
  if (k->n_heads == 0 || q->n_heads % k->n_heads != 0)
    return sym_kernel_fail (
        error, "%" G_GSIZE_FORMAT " heads of queries cannot share %" G_GSIZE_FORMAT " of keys",
        q->n_heads, k->n_heads);
  return TRUE;
}

static gboolean
read_operands (Flex *self, GError **error)
{
  SymOpHeads *heads[] = { &self->q, &self->k, &self->v };
  const SymArray *arrays[3];

  for (guint i = 0; i < 3; i++)
    {
      arrays[i] = sym_kernel_need_input (self->kernel, i, error);
      if (arrays[i] == NULL)
        return FALSE;
      if (arrays[i]->shape.rank != 4 || arrays[i]->dtype != arrays[0]->dtype)
        return sym_kernel_fail (error, "Q, K and V must have 4 axes and one dtype");
    }
  self->work = sym_op_find_work (self->kernel, arrays, 3, error);
  if (self->work == SYM_DTYPE_UNKNOWN)
    return FALSE;
  self->softmax =
      sym_op_onnx_get_dtype (sym_kernel_get_attributes (self->kernel), "softmax_precision");
  if (self->softmax == SYM_DTYPE_UNKNOWN)
    self->softmax = self->work;
  if (self->softmax == SYM_DTYPE_FLOAT64)
    self->work = SYM_DTYPE_FLOAT64;
  if (!sym_dtype_is_floating (self->softmax))
    return sym_kernel_fail (error, "softmax_precision is %s; it should be a float",
                            sym_dtype_to_string (self->softmax));
  for (guint i = 0; i < 3; i++)
    if (!sym_op_heads_load (heads[i], self->kernel, self->work, NULL, arrays[i], 0, error))
      return FALSE;
  return check_heads (self, error);
}

/* ---- Parts ---- */

static SymShape
get_shape (const Flex *self)
{
  return SYM_SHAPE ((gint64) self->q.n_batch, (gint64) self->q.n_heads, (gint64) self->q.n_rows,
                    (gint64) self->k.n_rows);
}

/* The numbers of head @i of [batch, heads] in [batch, heads, n]. */
static void *
get_head (const SymArray *array, gsize i, gsize n)
{
  return (guint8 *) array->data + i * n * (sym_dtype_get_bits (array->dtype) / 8);
}

/* The head of keys that head @i of queries goes with. */
static const void *
get_shared (const Flex *self, const SymOpHeads *heads, gsize i)
{
  return sym_op_heads_get (heads, i / self->q.n_heads,
                           i % self->q.n_heads / (self->q.n_heads / heads->n_heads));
}

static SymDatum *
multiply_keys (Flex *self, GError **error)
{
  gsize n = self->q.n_rows * self->k.n_rows;
  SymShape shape = get_shape (self);
  g_autoptr (SymDatum) scores = sym_datum_new (self->softmax, &shape, error);

  if (scores == NULL || !sym_op_panels_init (&self->panels, self->kernel, self->work, self->k.size,
                                             self->k.n_rows, error))
    return NULL;
  for (gsize i = 0; i < self->q.n_batch * self->q.n_heads; i++)
    {
      if (!sym_op_panels_load (&self->panels, get_shared (self, &self->k, i), 1, self->k.size,
                               error) ||
          !sym_op_panels_multiply (
              &self->panels, sym_op_heads_get (&self->q, i / self->q.n_heads, i % self->q.n_heads),
              self->q.size, self->q.n_rows, self->rows, self->k.n_rows, FALSE, error))
        return NULL;
      sym_op_round (self->q.dtype, self->work, self->rows, n);
      sym_convert_elements (self->work, self->rows, self->softmax,
                            get_head (sym_datum_get_array (scores), i, n), n);
    }
  return g_steal_pointer (&scores);
}

/* What body @name makes of @take_numbers: as many of the same dtype.  Without such a body,
 * themselves. */
static SymDatum *
modify (Flex *self, const char *name, SymDatum *take_numbers, GError **error)
{
  int body = sym_layer_find_body (sym_kernel_get_layer (self->kernel), name);
  g_autoptr (SymDatum) numbers = take_numbers;
  g_autoptr (SymDatum) result = NULL;
  SymShape shape = get_shape (self);
  const SymArray *array;

  if (body < 0)
    return g_steal_pointer (&numbers);
  if (!sym_kernel_run_body (self->kernel, (guint) body, &numbers, 1, &result, 1, error))
    return NULL;
  array = sym_datum_get_array (result);
  if (array == NULL || array->dtype != self->softmax || !sym_shape_equal (&array->shape, &shape))
    {
      sym_kernel_fail (error, "%s gives back another dtype or shape", name);
      return NULL;
    }
  return g_steal_pointer (&result);
}

static SymDatum *
find_probabilities (Flex *self, const SymArray *scores, GError **error)
{
  gsize n = self->q.n_rows * self->k.n_rows, done = 0;
  g_autoptr (SymDatum) result = sym_datum_new (self->softmax, &scores->shape, error);

  if (result == NULL)
    return NULL;
  for (gsize i = 0; i < self->q.n_batch * self->q.n_heads; i++)
    {
      sym_convert_elements (self->softmax, get_head (scores, i, n), self->work, self->rows, n);
      for (gsize row = 0; n > 0 && row < self->q.n_rows; row++)
        sym_op_softmax_row (self->work,
                            (guint8 *) self->rows +
                                row * self->k.n_rows * (sym_dtype_get_bits (self->work) / 8),
                            self->k.n_rows, FALSE);
      sym_convert_elements (self->work, self->rows, self->softmax,
                            get_head (sym_datum_get_array (result), i, n), n);
      if (!sym_op_go_on (self->kernel, &done, 4 * n, error))
        return NULL;
    }
  return g_steal_pointer (&result);
}

static gboolean
multiply_values (Flex *self, const SymArray *probabilities, GError **error)
{
  gsize n = self->q.n_rows * self->k.n_rows, n_y = self->q.n_rows * self->v.size;
  SymShape shape = get_shape (self);
  void *weights =
      sym_kernel_get_scratch (self->kernel, n, sym_dtype_get_bits (self->work) / 8, error);
  SymArray *y;

  shape.dims[3] = (gint64) self->v.size;
  y = weights == NULL ? NULL
                      : sym_kernel_new_output (self->kernel, 0, self->q.dtype, &shape, error);
  if (y == NULL || !sym_op_panels_init (&self->panels, self->kernel, self->work, self->k.n_rows,
                                        self->v.size, error))
    return FALSE;
  for (gsize i = 0; i < self->q.n_batch * self->q.n_heads; i++)
    {
      if (!sym_op_panels_load (&self->panels, get_shared (self, &self->v, i), self->v.size, 1,
                               error))
        return FALSE;
      sym_convert_elements (self->softmax, get_head (probabilities, i, n), self->work, weights, n);
      if (!sym_op_panels_multiply (&self->panels, weights, self->k.n_rows, self->q.n_rows,
                                   self->rows, self->v.size, FALSE, error))
        return FALSE;
      sym_op_round (self->softmax, self->work, self->rows, n_y);
      sym_convert_elements (self->work, self->rows, y->dtype, get_head (y, i, n_y), n_y);
    }
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  g_autoptr (SymDatum) scores = NULL;
  g_autoptr (SymDatum) probabilities = NULL;
  Flex self = { .kernel = kernel };
  double scale;

  if (!read_operands (&self, error))
    return FALSE;
  self.rows = sym_kernel_get_scratch (kernel, MAX (self.k.n_rows, self.v.size),
                                      self.q.n_rows * (sym_dtype_get_bits (self.work) / 8), error);
  if (self.rows == NULL)
    return FALSE;
  scale = sqrt (sym_kernel_get_float (kernel, "scale", 1 / sqrt ((double) self.q.size)));
  sym_op_heads_scale (&self.q, scale);
  sym_op_heads_scale (&self.k, scale);
  scores = multiply_keys (&self, error);
  if (scores == NULL)
    return FALSE;
  scores = modify (&self, "score_mod", g_steal_pointer (&scores), error);
  if (scores == NULL)
    return FALSE;
  probabilities = find_probabilities (&self, sym_datum_get_array (scores), error);
  if (probabilities == NULL)
    return FALSE;
  probabilities = modify (&self, "prob_mod", g_steal_pointer (&probabilities), error);
  return probabilities != NULL &&
         multiply_values (&self, sym_datum_get_array (probabilities), error);
}

/* ---- Rules ---- */

/* The body of that name sees and gives scores. */
static gboolean
infer_body (SymRule *rule, const char *name, SymType scores, GError **error)
{
  SymType result = scores;
  SymBodyTypes types = { &scores, &result, 1, 1 };
  int body = sym_rule_find_body (rule, name);

  return body < 0 || sym_rule_infer_closure (rule, (guint) body, &types, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape q = sym_rule_get_input (rule, 0), k = sym_rule_get_input (rule, 1);
  SymShape v = sym_rule_get_input (rule, 2);
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  SymDType softmax = sym_op_onnx_get_dtype (sym_rule_get_attributes (rule), "softmax_precision");
  SymType scores;

  if (softmax == SYM_DTYPE_UNKNOWN && dtype != SYM_DTYPE_UNKNOWN)
    softmax = dtype == SYM_DTYPE_FLOAT64 ? dtype : SYM_DTYPE_FLOAT32;
  if (q.rank < 0)
    q = sym_shape_new_unknown (4);
  if (q.rank != 4)
    return sym_rule_fail (error, "Q must have 4 axes and has %d", q.rank);
  if (!sym_rule_tie_dtypes (rule, 0, 2, error) ||
      !sym_op_set_input (rule, 1,
                         SYM_SHAPE (q.dims[0], SYM_DIM_UNKNOWN, SYM_DIM_UNKNOWN, q.dims[3]), error))
    return FALSE;
  k = sym_rule_get_input (rule, 1);
  if (!sym_op_set_input (rule, 2, SYM_SHAPE (q.dims[0], k.dims[1], k.dims[2], SYM_DIM_UNKNOWN),
                         error))
    return FALSE;
  v = sym_rule_get_input (rule, 2);
  scores = sym_type_tensor (softmax, SYM_SHAPE (q.dims[0], q.dims[1], q.dims[2], k.dims[2]));
  return infer_body (rule, "score_mod", scores, error) &&
         infer_body (rule, "prob_mod", scores, error) &&
         sym_rule_set_output (rule, 0, &SYM_SHAPE (q.dims[0], q.dims[1], q.dims[2], v.dims[3]),
                              error);
}

/* What a body takes is no operand of the call. */
static void
get_body_operands (const SymAttributes *attributes, guint body, int *operands, guint n)
{
  (void) attributes;
  (void) body;
  for (guint i = 0; i < n; i++)
    operands[i] = -1;
}

static const SymAttributeSpec attributes[] = {
  { "scale", SYM_ATTRIBUTE_FLOAT, "None", "scores are multiplied by this; 1 / sqrt (features)" },
  { "softmax_precision", SYM_ATTRIBUTE_INT, "None", "dtype of scores and probabilities" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "Q" }, { "K" }, { "V" }, { NULL } };

const SymOperator sym_op_onnx_flex_attention[] = {
  { .domain = "ai.onnx.preview",
    .name = "FlexAttention",
    .since_version = 1,
    .reference = "ONNX preview FlexAttention-1",
    .summary = "attention whose scores and probabilities bodies may change",
    .category = SYM_CATEGORY_WEIGHTS,
    .attributes = attributes,
    .slots = slots,
    .get_body_operands = get_body_operands,
    .infer = infer,
    .run = run },
  { 0 },
};
