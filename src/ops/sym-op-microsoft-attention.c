/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-microsoft.h"
#include "ops/sym-op.h"

/* Attention of several heads, said in products of matrices and a softmax. */

#define ATTENTION_SPECS                                                                            \
  { "num_heads", SYM_ATTRIBUTE_INT, NULL, "number of heads" },                                     \
      { "unidirectional", SYM_ATTRIBUTE_INT, "0", "whether what comes later is not seen" },        \
      { "scale", SYM_ATTRIBUTE_FLOAT, "None", "factor of the scores; 1 / sqrt (size of a head)" }, \
  {                                                                                                \
    "mask_filter_value", SYM_ATTRIBUTE_FLOAT, "-10000.0", "score of what is not seen"              \
  }

static const SymAttributeSpec attention_attributes[] = {
  ATTENTION_SPECS,
  { "qkv_hidden_sizes", SYM_ATTRIBUTE_INTS, "None", "sizes of all queries, keys and values" },
  { "do_rotary", SYM_ATTRIBUTE_INT, "0", "whether queries and keys are turned" },
  { "past_present_share_buffer", SYM_ATTRIBUTE_INT, "0", "whether the past has room for more" },
  { "rotary_embedding_dim", SYM_ATTRIBUTE_INT, "0", "how much of a head is turned" },
  { NULL },
};

static const SymAttributeSpec multi_head_attributes[] = { ATTENTION_SPECS, { NULL } };

static const SymAttributeSpec rotary_attributes[] = {
  { "interleaved", SYM_ATTRIBUTE_INT, "0", "whether pairs are neighbours" },
  { "is_packed_batching", SYM_ATTRIBUTE_INT, "0", "not used" },
  { "num_heads", SYM_ATTRIBUTE_INT, "0", "number of heads" },
  { "rotary_embedding_dim", SYM_ATTRIBUTE_INT, "0", "how much of a head is turned; 0 for all" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "1.0", "1" },
  { NULL },
};

static const SymSlotSpec attention_slots[] = { { "input" },
                                               { "weights", SYM_SLOT_PARAMETER },
                                               { "bias", SYM_SLOT_PARAMETER, TRUE },
                                               { "mask_index", .optional = TRUE },
                                               { "past", .optional = TRUE },
                                               { "attention_bias", .optional = TRUE },
                                               { "past_sequence_length", .optional = TRUE },
                                               { NULL } };
static const SymSlotSpec multi_head_slots[] = { { "query" },
                                                { "key", .optional = TRUE },
                                                { "value", .optional = TRUE },
                                                { "bias", SYM_SLOT_PARAMETER, TRUE },
                                                { "key_padding_mask", .optional = TRUE },
                                                { "attention_bias", .optional = TRUE },
                                                { "past_key", .optional = TRUE },
                                                { "past_value", .optional = TRUE },
                                                { NULL } };
static const SymSlotSpec rotary_slots[] = { { "input" },
                                            { "position_ids" },
                                            { "cos_cache", SYM_SLOT_PARAMETER },
                                            { "sin_cache", SYM_SLOT_PARAMETER },
                                            { NULL } };

/* ---- Heads ---- */

typedef struct {
  SymOpLower *lower;
  gint64 batch, queries, keys, past, heads, size, value_size;
  SymDType dtype;
  SymId q, k, v; /* [batch, heads, length, size] */
  SymId scores;
} Attention;

static SymId
number_of (Attention *self, double number)
{
  return sym_op_lower_number (self->lower, self->dtype, number);
}

/* [batch, length, heads * size] as [batch, heads, length, size]. */
static SymId
split_heads (Attention *self, SymId x, gint64 length, gint64 size)
{
  SymShape shape = SYM_SHAPE (self->batch, length, self->heads, size);

  return sym_op_lower_transpose (self->lower, sym_op_lower_reshape (self->lower, x, &shape), 4, 0,
                                 2, 1, 3);
}

static void
multiply (Attention *self)
{
  double scale = sym_op_lower_get_float (self->lower, "scale", 0);

  if (scale == 0)
    scale = 1 / sqrt ((double) MAX (self->size, 1));
  self->scores = sym_op_lower_binary (self->lower, "MatMul", self->q,
                                      sym_op_lower_transpose (self->lower, self->k, 4, 0, 1, 3, 2));
  self->scores = sym_op_lower_binary (self->lower, "Mul", self->scores, number_of (self, scale));
}

/* Where @seen, of any dtype, is 0, scores become nearly nothing. */
static void
hide (Attention *self, SymId seen)
{
  double filter = sym_op_lower_get_float (self->lower, "mask_filter_value", -10000);
  SymId hidden = sym_op_lower_binary (self->lower, "Sub", number_of (self, 1),
                                      sym_op_lower_cast (self->lower, seen, self->dtype));

  self->scores = sym_op_lower_binary (
      self->lower, "Add", self->scores,
      sym_op_lower_binary (self->lower, "Mul", hidden, number_of (self, filter)));
}

/* Query i sees keys up to i, counted behind the past. */
static void
hide_later (Attention *self)
{
  SymId queries = sym_op_lower_count (self->lower, self->queries);
  SymId keys = sym_op_lower_count (self->lower, self->keys);

  queries =
      sym_op_lower_binary (self->lower, "Add", queries,
                           sym_op_lower_number (self->lower, SYM_DTYPE_INT64, (double) self->past));
  queries = sym_op_lower_reshape (self->lower, queries, &SYM_SHAPE (self->queries, 1));
  hide (self, sym_op_lower_binary (self->lower, "LessOrEqual", keys, queries));
}

/* One number for each sample, or several of them behind each other: those from @first on. */
static SymId
take_ends (Attention *self, guint slot, gint64 first)
{
  SymId ends = sym_op_lower_slice (self->lower, sym_op_lower_input (self->lower, slot), 0, first,
                                   first + self->batch, 1);

  ends = sym_op_lower_cast (self->lower, ends, SYM_DTYPE_INT64);
  return sym_op_lower_reshape (self->lower, ends, &SYM_SHAPE (self->batch, 1, 1, 1));
}

/* A mask is where samples end, and perhaps begin; or 0 and 1 for each key, or each query and key.
 */
static void
hide_masked (Attention *self, guint slot)
{
  const SymShape *mask = sym_op_lower_get_input_shape (self->lower, slot);
  SymId x = sym_op_lower_input (self->lower, slot), keys;

  if (mask->rank == 2 && mask->dims[1] == self->keys)
    hide (self,
          sym_op_lower_reshape (self->lower, x, &SYM_SHAPE (mask->dims[0], 1, 1, mask->dims[1])));
  else if (mask->rank == 3)
    hide (self, sym_op_lower_reshape (self->lower, x,
                                      &SYM_SHAPE (mask->dims[0], 1, mask->dims[1], mask->dims[2])));
  else if (mask->rank == 1 && (mask->dims[0] == self->batch || mask->dims[0] == 2 * self->batch))
    {
      keys = sym_op_lower_count (self->lower, self->keys);
      hide (self, sym_op_lower_binary (self->lower, "Less", keys, take_ends (self, slot, 0)));
      if (mask->dims[0] == 2 * self->batch)
        hide (self, sym_op_lower_binary (self->lower, "GreaterOrEqual", keys,
                                         take_ends (self, slot, self->batch)));
    }
  else
    sym_op_lower_refuse (self->lower, "%s: a mask of %d axes like this one is not lowered",
                         sym_op_lower_get_type (self->lower), mask->rank);
}

/* softmax (scores) v as [batch, queries, heads * value_size]. */
static SymId
finish (Attention *self)
{
  SymShape shape = SYM_SHAPE (self->batch, self->queries, self->heads * self->value_size);
  SymId y = sym_op_lower_call (self->lower, "Softmax", SYM_IDS (self->scores), "axis",
                               sym_value_new_int (-1), NULL);

  y = sym_op_lower_binary (self->lower, "MatMul", y, self->v);
  return sym_op_lower_reshape (self->lower, sym_op_lower_transpose (self->lower, y, 4, 0, 2, 1, 3),
                               &shape);
}

static SymId
join (Attention *self, SymId before, SymId behind, int axis)
{
  return sym_op_lower_call (self->lower, "Concat", SYM_IDS (before, behind), "axis",
                            sym_value_new_int (axis), NULL);
}

static gboolean
begin (Attention *self, SymOpLower *lower)
{
  const SymShape *x = sym_op_lower_get_input_shape (lower, 0);

  *self = (Attention){ .lower = lower,
                       .heads = sym_op_lower_get_int (lower, "num_heads", 0),
                       .dtype = sym_op_lower_get_input_dtype (lower, 0) };
  if (!sym_op_lower_need_tensor (lower, 0))
    return FALSE;
  if (x->rank < 3 || self->heads < 1 || self->heads > G_MAXINT32)
    {
      sym_op_lower_fail (lower, "%s: data of %d axes with %" G_GINT64_FORMAT " heads",
                         sym_op_lower_get_type (lower), x->rank, self->heads);
      return FALSE;
    }
  self->batch = x->dims[0];
  self->queries = self->keys = x->dims[1];
  return TRUE;
}

/* ---- Attention ---- */

/* Sizes of all queries, keys and values: thirds of the weights' columns, unless told. */
static gboolean
read_sizes (SymOpLower *self, gint64 columns, gint64 heads, gint64 sizes[3])
{
  int n = sym_op_lower_get_ints (self, "qkv_hidden_sizes", sizes, 3);
  gint64 sum = 0;

  if (n <= 0)
    sizes[0] = sizes[1] = sizes[2] = columns / 3;
  for (int i = 0; i < 3; i++)
    sum += sizes[i];
  if ((n > 0 && n != 3) || sum != columns || sizes[0] != sizes[1] || sizes[0] < 1 || sizes[2] < 1 ||
      sizes[0] % heads != 0 || sizes[2] % heads != 0)
    {
      sym_op_lower_fail (self,
                         "Attention: %" G_GINT64_FORMAT
                         " columns are no queries, keys and values of %" G_GINT64_FORMAT " heads",
                         columns, heads);
      return FALSE;
    }
  return TRUE;
}

/* past [2, batch, heads, length, size]: keys and values that were before. */
static void
add_past (Attention *self)
{
  const SymShape *past = sym_op_lower_get_input_shape (self->lower, 4);
  SymId x = sym_op_lower_input (self->lower, 4);
  SymShape part, whole;

  if (past->rank == 5)
    {
      part = sym_op_remove_axis (past, 0);
      self->past = part.dims[2];
      self->keys += self->past;
      self->k = join (self,
                      sym_op_lower_reshape (self->lower,
                                            sym_op_lower_slice (self->lower, x, 0, 0, 1, 1), &part),
                      self->k, 2);
      self->v = join (self,
                      sym_op_lower_reshape (self->lower,
                                            sym_op_lower_slice (self->lower, x, 0, 1, 2, 1), &part),
                      self->v, 2);
    }
  else if (sym_op_lower_has_input (self->lower, 4))
    sym_op_lower_fail (self->lower, "Attention: past has %d axes; 5 are needed", past->rank);
  if (sym_op_lower_get_n_outputs (self->lower) < 2)
    return;
  if (self->size != self->value_size)
    {
      sym_op_lower_fail (self->lower, "Attention: keys and values of two sizes have no past");
      return;
    }
  whole = SYM_SHAPE (1, self->batch, self->heads, self->keys, self->size);
  sym_op_lower_set_output (self->lower, 1,
                           join (self, sym_op_lower_reshape (self->lower, self->k, &whole),
                                 sym_op_lower_reshape (self->lower, self->v, &whole), 0));
}

static void
lower_attention (SymOpLower *lower)
{
  const SymShape *weights = sym_op_lower_get_input_shape (lower, 1);
  gint64 sizes[3], at = 0;
  Attention self;
  SymId all, parts[3];

  if (!begin (&self, lower) || !sym_op_lower_need_tensor (lower, 1) ||
      !read_sizes (lower, weights->rank == 2 ? weights->dims[1] : 0, self.heads, sizes))
    return;
  if (sym_op_lower_get_int (lower, "do_rotary", 0) != 0 || sym_op_lower_has_input (lower, 6))
    sym_op_lower_refuse (lower, "Attention: do_rotary and past_sequence_length are not lowered");
  self.size = sizes[0] / self.heads;
  self.value_size = sizes[2] / self.heads;
  all = sym_op_lower_binary (lower, "MatMul", sym_op_lower_input (lower, 0),
                             sym_op_lower_input (lower, 1));
  if (sym_op_lower_has_input (lower, 2))
    all = sym_op_lower_binary (lower, "Add", all, sym_op_lower_input (lower, 2));
  for (int i = 0; i < 3; i++)
    {
      parts[i] = sym_op_lower_slice (lower, all, 2, at, at + sizes[i], 1);
      at += sizes[i];
      parts[i] = split_heads (&self, parts[i], self.queries, sizes[i] / self.heads);
    }
  self.q = parts[0];
  self.k = parts[1];
  self.v = parts[2];
  add_past (&self);
  multiply (&self);
  if (sym_op_lower_get_int (lower, "unidirectional", 0) != 0)
    hide_later (&self);
  if (sym_op_lower_has_input (lower, 3))
    hide_masked (&self, 3);
  if (sym_op_lower_has_input (lower, 5))
    self.scores = sym_op_lower_binary (lower, "Add", self.scores, sym_op_lower_input (lower, 5));
  sym_op_lower_set_output (lower, 0, finish (&self));
}

/* [batch, heads, length, size] of what is kept of @x, [batch, length, heads * size] or split into
 * heads already: what is there of the past, @past, and behind it that of now. */
static SymShape
append_to_past (SymRule *rule, const SymShape *x, gboolean has_past, const SymShape *past)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 heads = sym_rule_get_int (rule, "num_heads", 0);
  SymShape kept = *x;

  if (x->rank == 3)
    kept =
        SYM_SHAPE (x->dims[0], SYM_DIM_UNKNOWN, x->dims[1],
                   heads < 1 ? SYM_DIM_UNKNOWN : sym_terms_floor_divide (terms, x->dims[2], heads));
  else if (x->rank != 4)
    kept = sym_shape_new_unknown (4);
  kept.dims[1] = heads < 1 ? SYM_DIM_UNKNOWN : heads;
  if (has_past)
    kept.dims[2] =
        past->rank == 4 ? sym_terms_add (terms, past->dims[2], kept.dims[2]) : SYM_DIM_UNKNOWN;
  return kept;
}

/* Keys and values in one, [2, batch, heads, length, size].  A past that has room for more is used
 * again as it is. */
static gboolean
infer_both_kept (SymRule *rule, const SymShape *y, GError **error)
{
  SymShape both = sym_rule_get_input (rule, 4), past = sym_shape_new_unknown (4), kept;

  if (both.rank == 5)
    past = SYM_SHAPE (both.dims[1], both.dims[2], both.dims[3], both.dims[4]);
  if (sym_rule_get_int (rule, "past_present_share_buffer", 0) != 0)
    return both.rank != 5 || sym_rule_set_output (rule, 1, &both, error);
  kept = append_to_past (rule, y, sym_rule_has_input (rule, 4), &past);
  return sym_op_set_output (rule, 1,
                            SYM_SHAPE (2, kept.dims[0], kept.dims[1], kept.dims[2], kept.dims[3]),
                            SYM_DTYPE_UNKNOWN, error);
}

/* The result is as wide as a third of the weights, unless sizes are told. */
static gboolean
infer_attention (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, 0), weights = sym_rule_get_input (rule, 1), y;
  gint64 sizes[3] = { 0, 0, SYM_DIM_UNKNOWN };

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !sym_op_pass_dtype (rule, 0, 1, error))
    return FALSE;
  if (x.rank != 3)
    return TRUE;
  if (sym_rule_get_ints (rule, "qkv_hidden_sizes", sizes, 3) != 3 && weights.rank == 2)
    sizes[2] = sym_terms_floor_divide (sym_rule_get_terms (rule), weights.dims[1], 3);
  y = SYM_SHAPE (x.dims[0], x.dims[1], sizes[2]);
  return sym_rule_set_output (rule, 0, &y, error) && infer_both_kept (rule, &y, error);
}

/* ---- MultiHeadAttention ---- */

/* Part @part of the bias, which has those of queries, keys and values side by side. */
static SymId
add_bias (Attention *self, SymId x, gint64 first, gint64 size)
{
  if (!sym_op_lower_has_input (self->lower, 3))
    return x;
  return sym_op_lower_binary (self->lower, "Add", x,
                              sym_op_lower_slice (self->lower, sym_op_lower_input (self->lower, 3),
                                                  0, first, first + size, 1));
}

/* Three tensors of three axes, or keys and values of other heads that are split already. */
static gboolean
read_separate (Attention *self)
{
  const SymShape *query = sym_op_lower_get_input_shape (self->lower, 0);
  const SymShape *key = sym_op_lower_get_input_shape (self->lower, 1);
  const SymShape *value = sym_op_lower_get_input_shape (self->lower, 2);
  gint64 wide = query->dims[2], value_wide;

  if (!sym_op_lower_need_tensor (self->lower, 1) || !sym_op_lower_need_tensor (self->lower, 2))
    return FALSE;
  if ((key->rank != 3 && key->rank != 4) || value->rank != key->rank || wide % self->heads != 0 ||
      (key->rank == 3 && value->dims[2] % self->heads != 0))
    {
      sym_op_lower_refuse (self->lower,
                           "MultiHeadAttention: keys of %d axes and values of %d are not lowered",
                           key->rank, value->rank);
      return FALSE;
    }
  self->size = wide / self->heads;
  self->value_size = key->rank == 4 ? value->dims[3] : value->dims[2] / self->heads;
  self->keys = key->dims[key->rank - 2];
  value_wide = self->value_size * self->heads;
  self->q = split_heads (self, add_bias (self, sym_op_lower_input (self->lower, 0), 0, wide),
                         self->queries, self->size);
  self->k = sym_op_lower_input (self->lower, 1);
  self->v = sym_op_lower_input (self->lower, 2);
  if (key->rank == 4)
    return TRUE;
  self->k = split_heads (self, add_bias (self, self->k, wide, wide), self->keys, self->size);
  self->v = split_heads (self, add_bias (self, self->v, 2 * wide, value_wide), self->keys,
                         self->value_size);
  return TRUE;
}

static void
add_past_parts (Attention *self)
{
  const SymShape *past = sym_op_lower_get_input_shape (self->lower, 6);

  if (past->rank == 4 && sym_op_lower_need_tensor (self->lower, 7))
    {
      self->past = past->dims[2];
      self->keys += self->past;
      self->k = join (self, sym_op_lower_input (self->lower, 6), self->k, 2);
      self->v = join (self, sym_op_lower_input (self->lower, 7), self->v, 2);
    }
  if (!sym_op_lower_has_failed (self->lower))
    {
      sym_op_lower_set_output (self->lower, 1, self->k);
      sym_op_lower_set_output (self->lower, 2, self->v);
    }
}

static void
lower_multi_head (SymOpLower *lower)
{
  Attention self;

  if (!begin (&self, lower))
    return;
  if (sym_op_lower_get_input_shape (lower, 0)->rank != 3)
    {
      sym_op_lower_refuse (lower, "MultiHeadAttention: packed queries, keys and values are not "
                                  "lowered");
      return;
    }
  if (!read_separate (&self))
    return;
  add_past_parts (&self);
  multiply (&self);
  if (sym_op_lower_get_int (lower, "unidirectional", 0) != 0)
    hide_later (&self);
  if (sym_op_lower_has_input (lower, 4))
    hide_masked (&self, 4);
  if (sym_op_lower_has_input (lower, 5))
    self.scores = sym_op_lower_binary (lower, "Add", self.scores, sym_op_lower_input (lower, 5));
  if (!sym_op_lower_has_failed (lower))
    sym_op_lower_set_output (lower, 0, finish (&self));
}

/* All three in one: [batch, length, heads, 3, size]. */
static gboolean
infer_packed (SymRule *rule, const SymShape *packed, GError **error)
{
  SymDim wide = sym_terms_multiply (sym_rule_get_terms (rule), packed->dims[2], packed->dims[4]);

  return sym_op_set_output (rule, 0, SYM_SHAPE (packed->dims[0], packed->dims[1], wide),
                            SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_kept (SymRule *rule, GError **error)
{
  for (guint i = 1; i < 3; i++)
    {
      SymShape x = sym_rule_get_input (rule, i), past = sym_rule_get_input (rule, 5 + i), kept;

      kept = append_to_past (rule, &x, sym_rule_has_input (rule, 5 + i), &past);
      if (!sym_rule_set_output (rule, i, &kept, error))
        return FALSE;
    }
  return TRUE;
}

/* Values that are split into heads come together again. */
static gboolean
infer_multi_head (SymRule *rule, GError **error)
{
  SymShape query = sym_rule_get_input (rule, 0), value = sym_rule_get_input (rule, 2);

  for (guint i = 0; i < 3; i++)
    if (!sym_op_pass_dtype (rule, 0, i, error))
      return FALSE;
  if (query.rank == 5)
    return infer_packed (rule, &query, error);
  if (query.rank != 3 || (value.rank != 3 && value.rank != 4))
    return TRUE;
  return sym_op_set_output (rule, 0,
                            SYM_SHAPE (query.dims[0], query.dims[1],
                                       value.rank == 3
                                           ? value.dims[2]
                                           : sym_terms_multiply (sym_rule_get_terms (rule),
                                                                 value.dims[1], value.dims[3])),
                            SYM_DTYPE_UNKNOWN, error) &&
         infer_kept (rule, error);
}

/* ---- RotaryEmbedding ---- */

/* A single position is that of the first word. */
static void
lower_rotary (SymOpLower *self)
{
  const SymShape *x = sym_op_lower_get_input_shape (self, 0);
  const SymShape *places = sym_op_lower_get_input_shape (self, 1);
  const SymOperator *op = sym_op_find ("", "RotaryEmbedding", 0);
  g_autoptr (SymAttributes) attributes = sym_attributes_new ();
  gint64 length, heads = sym_op_lower_get_int (self, "num_heads", 0);
  SymId ids = sym_op_lower_input (self, 1);

  for (guint i = 0; i < 4; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  if (x->rank < 3 || sym_op_lower_get_float (self, "scale", 1) != 1)
    {
      sym_op_lower_refuse (self, "RotaryEmbedding: data of %d axes, or a scale, is not lowered",
                           x->rank);
      return;
    }
  length = x->dims[x->rank - 2];
  if (places->rank < 2)
    {
      ids = sym_op_lower_binary (self, "Add", sym_op_lower_count (self, length), ids);
      ids = sym_op_lower_reshape (self, ids, &SYM_SHAPE (1, length));
      ids = sym_op_lower_call (
          self, "Expand",
          SYM_IDS (ids, sym_op_lower_ints (self, (gint64[]){ x->dims[0], length }, 2)), NULL);
    }
  if (heads == 0 && x->rank == 3)
    heads = x->dims[2] / MAX (2 * sym_op_lower_get_input_shape (self, 2)->dims[1], 1);
  sym_attributes_set (attributes, "num_heads", sym_value_new_int (heads), NULL);
  sym_attributes_set (attributes, "interleaved",
                      sym_value_new_int (sym_op_lower_get_int (self, "interleaved", 0)), NULL);
  sym_attributes_set (attributes, "rotary_embedding_dim",
                      sym_value_new_int (sym_op_lower_get_int (self, "rotary_embedding_dim", 0)),
                      NULL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_apply (self, op,
                          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 2),
                                   sym_op_lower_input (self, 3), ids),
                          attributes));
}

static gboolean
infer_rotary (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

const SymOperator sym_op_microsoft_attention[] = {
  { SYM_OP_MICROSOFT ("Attention"), .summary = "attention of several heads to the data itself",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attention_attributes, .slots = attention_slots,
    .get_n_outputs = sym_op_onnx_get_any_outputs, .infer = infer_attention,
    .lower = lower_attention, .is_composite = TRUE },
  { SYM_OP_MICROSOFT ("MultiHeadAttention"), .summary = "attention of several heads",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = multi_head_attributes,
    .slots = multi_head_slots, .get_n_outputs = sym_op_onnx_get_any_outputs,
    .infer = infer_multi_head, .lower = lower_multi_head, .is_composite = TRUE },
  { SYM_OP_MICROSOFT ("RotaryEmbedding"), .summary = "turns pairs by the angle of their place",
    .category = SYM_CATEGORY_ELEMENTWISE, .attributes = rotary_attributes, .slots = rotary_slots,
    .infer = infer_rotary, .lower = lower_rotary },
  { NULL },
};
