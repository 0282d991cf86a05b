/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <math.h>
#include <string.h>

/* Scaled dot product attention: softmax (q k^T * scale + mask) v, over the last two axes. */

enum { QUERY, KEY, VALUE, MASK };

typedef struct {
  SymOpLower *lower;
  SymDType dtype;
  int rank;
  SymId query, key, value;
} Attention;

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape query = sym_rule_get_input (rule, QUERY), value = sym_rule_get_input (rule, VALUE);
  SymShape key = sym_rule_get_input (rule, KEY), output = query;

  if (!sym_op_pass_dtype (rule, QUERY, 0, error))
    return FALSE;
  if (query.rank < 0 || value.rank < 0 || key.rank < 0)
    return TRUE;
  if (query.rank < 2 || value.rank != query.rank || key.rank != query.rank)
    return sym_rule_fail (error, "query, key and value have %d, %d and %d axes", query.rank,
                          key.rank, value.rank);
  if (!sym_rule_unify (rule, key.dims[key.rank - 1], query.dims[query.rank - 1],
                       "features of the key", error) ||
      !sym_rule_unify (rule, key.dims[key.rank - 2], value.dims[value.rank - 2],
                       "length of the key", error))
    return FALSE;
  output.dims[output.rank - 1] = value.dims[value.rank - 1];
  return sym_rule_set_output (rule, 0, &output, error);
}

/* ---- Heads ---- */

/* Heads of keys and values that several heads of queries share are repeated one by one. */
static SymId
repeat_heads (const Attention *self, SymId x, guint slot)
{
  SymOpLower *lower = self->lower;
  int axis = self->rank - 3;
  gint64 n_queries, n_own, times[SYM_MAX_RANK + 1], one = 1;
  SymId parts[3], shape;

  if (axis < 0 || !sym_op_lower_get_bool (lower, "enable_gqa", FALSE))
    return x;
  if (self->rank >= SYM_MAX_RANK || !sym_op_aten_need_size (lower, QUERY, axis, &n_queries) ||
      !sym_op_aten_need_size (lower, slot, axis, &n_own) || n_queries == n_own)
    return x;
  if (n_own < 1 || n_queries % n_own != 0)
    {
      sym_op_lower_fail (
          lower, "%s: %" G_GINT64_FORMAT " heads of queries for %" G_GINT64_FORMAT " of keys",
          sym_op_lower_get_type (lower), n_queries, n_own);
      return x;
    }
  shape = sym_op_aten_shape (lower, x);
  for (int i = 0; i <= self->rank; i++)
    times[i] = i == axis + 1 ? n_queries / n_own : one;
  x = sym_op_lower_binary (lower, "Expand", sym_op_aten_unsqueeze (lower, x, axis + 1),
                           sym_op_lower_ints (lower, times, self->rank + 1));
  parts[0] = sym_op_lower_slice (lower, shape, 0, 0, axis, 1);
  parts[1] = sym_op_lower_ints (lower, &n_queries, 1);
  parts[2] = sym_op_lower_slice (lower, shape, 0, axis + 1, G_MAXINT64, 1);
  return sym_op_lower_binary (lower, "Reshape", x, sym_op_aten_lay (lower, parts, 3, 0));
}

/* ---- Masks ---- */

/* 0 where a key may be seen, -infinity elsewhere. */
static SymId
bend_mask (const Attention *self, SymId may)
{
  return sym_op_lower_call (self->lower, "Where",
                            SYM_IDS (may, sym_op_aten_number (self->lower, self->dtype, 0),
                                     sym_op_aten_number (self->lower, self->dtype, -INFINITY)),
                            NULL);
}

/* Query i sees keys up to i. */
static SymId
make_causal_mask (const Attention *self)
{
  SymOpLower *lower = self->lower;
  SymId parts[2], ones;

  parts[0] = sym_op_lower_slice (lower, sym_op_aten_shape (lower, self->query), 0, -2, -1, 1);
  parts[1] = sym_op_lower_slice (lower, sym_op_aten_shape (lower, self->key), 0, -2, -1, 1);
  ones = sym_op_lower_binary (lower, "Expand", sym_op_aten_number (lower, SYM_DTYPE_FLOAT32, 1),
                              sym_op_aten_lay (lower, parts, 2, 0));
  ones = sym_op_lower_call (lower, "Trilu", SYM_IDS (ones), "upper", sym_value_new_int (0), NULL);
  return bend_mask (self, sym_op_lower_cast (lower, ones, SYM_DTYPE_BOOL));
}

static SymId
add_masks (const Attention *self, SymId scores)
{
  SymOpLower *lower = self->lower;
  gboolean is_bool = sym_op_lower_get_input_dtype (lower, MASK) == SYM_DTYPE_BOOL;

  if (sym_op_lower_has_input (lower, MASK))
    scores = sym_op_lower_binary (lower, "Add", scores,
                                  is_bool ? bend_mask (self, sym_op_lower_input (lower, MASK))
                                          : sym_op_aten_input_as (lower, MASK, self->dtype));
  if (sym_op_lower_get_bool (lower, "is_causal", FALSE))
    scores = sym_op_lower_binary (lower, "Add", scores, make_causal_mask (self));
  return scores;
}

/* ---- The layer ---- */

static double
get_scale (const Attention *self)
{
  gint64 features;

  if (sym_op_aten_has (self->lower, "scale"))
    return sym_op_lower_get_float (self->lower, "scale", 1);
  if (!sym_op_aten_need_size (self->lower, QUERY, self->rank - 1, &features))
    return 1;
  return 1 / sqrt ((double) MAX (features, 1));
}

static void
lower (SymOpLower *lower)
{
  Attention self = { .lower = lower,
                     .dtype = sym_op_lower_get_input_dtype (lower, QUERY),
                     .rank = sym_op_lower_get_input_shape (lower, QUERY)->rank };
  gint64 axes[SYM_MAX_RANK];
  SymId scores;

  for (guint i = QUERY; i <= VALUE; i++)
    if (!sym_op_lower_need_tensor (lower, i))
      return;
  for (guint i = QUERY; i <= VALUE; i++)
    if (self.rank < 2 || sym_op_lower_get_input_shape (lower, i)->rank != self.rank)
      {
        sym_op_lower_fail (lower, "%s: query, key and value have different ranks",
                           sym_op_lower_get_type (lower));
        return;
      }
  for (int i = 0; i < self.rank; i++)
    axes[i] = i < self.rank - 2 ? i : 2 * self.rank - 3 - i;
  self.query = sym_op_lower_input (lower, QUERY);
  self.key = repeat_heads (&self, sym_op_aten_input_as (lower, KEY, self.dtype), KEY);
  self.value = repeat_heads (&self, sym_op_aten_input_as (lower, VALUE, self.dtype), VALUE);
  scores = sym_op_lower_binary (lower, "MatMul", self.query,
                                sym_op_lower_permute (lower, self.key, axes, self.rank));
  scores = sym_op_lower_binary (lower, "Mul", scores,
                                sym_op_aten_number (lower, self.dtype, get_scale (&self)));
  scores = add_masks (&self, scores);
  scores =
      sym_op_lower_call (lower, "Softmax", SYM_IDS (scores), "axis", sym_value_new_int (-1), NULL);
  sym_op_lower_set_output (lower, 0, sym_op_lower_binary (lower, "MatMul", scores, self.value));
  if (sym_op_lower_get_n_outputs (lower) > 1)
    sym_op_lower_refuse (lower, "%s: what only gradients need is not lowered",
                         sym_op_lower_get_type (lower));
}

static const SymSlotSpec slots[] = {
  { "query" }, { "key" }, { "value" }, { "attn_mask", SYM_SLOT_DATA, TRUE }, { NULL },
};

static const SymSlotSpec bias_slots[] = {
  { "query" }, { "key" }, { "value" }, { "attn_bias", SYM_SLOT_DATA, TRUE }, { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "dropout_p", SYM_ATTRIBUTE_FLOAT, "0.0", "share of scores that training makes 0" },
  { "is_causal", SYM_ATTRIBUTE_BOOL, "False", "whether a query sees no keys behind its own" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "None", "factor of the scores; 1 / sqrt (features) without" },
  { "enable_gqa", SYM_ATTRIBUTE_BOOL, "False", "whether heads of queries share keys and values" },
  { NULL },
};

#define ATTENTION(name_, aliases_, slots_)                                                    \
  {                                                                                           \
    SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_,                                  \
                 .summary = "Values weighted by how well keys fit queries",                   \
                 .reference = "PyTorch 2 scaled_dot_product_attention",                       \
                 .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = slots_, \
                 .get_n_outputs = sym_op_aten_any_outputs, .infer = infer, .lower = lower,    \
                 .is_composite = TRUE,                                                        \
  }

const SymOperator sym_op_aten_attention[] = {
  ATTENTION ("scaled_dot_product_attention",
             "aten._scaled_dot_product_attention_math "
             "aten._scaled_dot_product_flash_attention_for_cpu",
             slots),
  ATTENTION ("_scaled_dot_product_efficient_attention",
             "aten._scaled_dot_product_flash_attention "
             "aten._scaled_dot_product_cudnn_attention "
             "aten._scaled_dot_product_fused_attention_overrideable",
             bias_slots),
  { NULL },
};
