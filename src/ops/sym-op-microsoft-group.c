/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-microsoft.h"
#include "ops/sym-op.h"

/* GroupQueryAttention: causal attention whose heads of queries share those of keys and values,
 * which are kept for the words to come.  Said in ONNX's Attention and RotaryEmbedding. */

enum {
  QUERY,
  KEY,
  VALUE,
  PAST_KEY,
  PAST_VALUE,
  LAST_PLACES, /* of each sample */
  TOTAL,       /* of all samples, the longest one's words */
  COSINES,
  SINES,
  POSITIONS,
  BIAS,
  SINK,
};

static const SymAttributeSpec attributes[] = {
  { "do_rotary", SYM_ATTRIBUTE_INT, "0", "whether queries and keys are turned" },
  { "kv_num_heads", SYM_ATTRIBUTE_INT, NULL, "heads of keys and values" },
  { "local_window_size", SYM_ATTRIBUTE_INT, "-1", "keys that a query sees at most; -1 for all" },
  { "num_heads", SYM_ATTRIBUTE_INT, NULL, "heads of queries" },
  { "rotary_interleaved", SYM_ATTRIBUTE_INT, "0", "whether pairs are neighbours" },
  { "scale", SYM_ATTRIBUTE_FLOAT, "None", "factor of the scores; 1 / sqrt (size of a head)" },
  { "smooth_softmax", SYM_ATTRIBUTE_INT, "0",
    "whether a 1 is added to what scores are divided by" },
  { "softcap", SYM_ATTRIBUTE_FLOAT, "0.0", "scores are bent to stay within this; 0 for not" },
  { "qk_output", SYM_ATTRIBUTE_INT, "0", "which scores are output" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "query" },
                                     { "key", .optional = TRUE },
                                     { "value", .optional = TRUE },
                                     { "past_key", .optional = TRUE },
                                     { "past_value", .optional = TRUE },
                                     { "seqlens_k" },
                                     { "total_sequence_length" },
                                     { "cos_cache", SYM_SLOT_PARAMETER, TRUE },
                                     { "sin_cache", SYM_SLOT_PARAMETER, TRUE },
                                     { "position_ids", .optional = TRUE },
                                     { "attention_bias", .optional = TRUE },
                                     { "head_sink", .optional = TRUE },
                                     { NULL } };

typedef struct {
  SymOpLower *lower;
  gint64 batch, queries, past, total, heads, shared_heads, size;
  gboolean is_prompt; /* nothing was said before */
  SymId q, k, v;      /* [batch, queries, heads * size] */
  SymId starts;       /* of each sample, where its first query is */
} Group;

/* ---- Operands ---- */

/* All queries, keys and values side by side, or each alone. */
static gboolean
read_sizes (Group *self)
{
  const SymShape *x = sym_op_lower_get_input_shape (self->lower, QUERY);
  const SymShape *key = sym_op_lower_get_input_shape (self->lower, KEY);
  gboolean is_packed = !sym_op_lower_has_input (self->lower, KEY);
  gint64 n = self->heads + (is_packed ? 2 * self->shared_heads : 0);

  if (x->rank != 3 || (!is_packed && key->rank != 3))
    {
      sym_op_lower_refuse (self->lower,
                           "GroupQueryAttention: queries of %d axes and keys of %d are not lowered",
                           x->rank, key->rank);
      return FALSE;
    }
  self->batch = x->dims[0];
  self->queries = x->dims[1];
  self->size = x->dims[2] / n;
  if (x->dims[2] % n == 0 && self->size > 0 &&
      (is_packed ||
       (key->dims[1] == self->queries && key->dims[2] == self->shared_heads * self->size)))
    return TRUE;
  sym_op_lower_fail (self->lower,
                     "GroupQueryAttention: %" G_GINT64_FORMAT
                     " features are not those of %" G_GINT64_FORMAT " heads",
                     x->dims[2], n);
  return FALSE;
}

static gboolean
read_past (Group *self)
{
  const SymShape *key = sym_op_lower_get_input_shape (self->lower, PAST_KEY);
  const SymShape *value = sym_op_lower_get_input_shape (self->lower, PAST_VALUE);
  int n = sym_op_lower_read_ints (self->lower, TOTAL, &self->total, 1);

  if (n != 1 && !sym_op_lower_has_failed (self->lower))
    sym_op_lower_fail (self->lower, "GroupQueryAttention: total_sequence_length is no number");
  if (n != 1)
    return FALSE;
  if (sym_op_lower_has_input (self->lower, PAST_KEY))
    {
      if (key->rank != 4 || !sym_shape_equal (key, value) || key->dims[0] != self->batch ||
          key->dims[1] != self->shared_heads || key->dims[3] != self->size)
        {
          sym_op_lower_fail (self->lower,
                             "GroupQueryAttention: the past is not that of %" G_GINT64_FORMAT
                             " heads of %" G_GINT64_FORMAT " features",
                             self->shared_heads, self->size);
          return FALSE;
        }
      self->past = key->dims[2];
    }
  self->is_prompt = self->total == self->queries;
  if (self->total >= self->queries && (self->is_prompt || self->past > 0))
    return TRUE;
  sym_op_lower_fail (self->lower,
                     "GroupQueryAttention: %" G_GINT64_FORMAT " new words of %" G_GINT64_FORMAT
                     " do not fit behind %" G_GINT64_FORMAT,
                     self->queries, self->total, self->past);
  return FALSE;
}

/* What cannot be said. */
static gboolean
is_plain (SymOpLower *lower)
{
  gboolean has_more = FALSE;

  for (guint i = SINK; i < sym_op_lower_get_n_inputs (lower); i++)
    has_more = has_more || sym_op_lower_has_input (lower, i);
  if (!has_more && sym_op_lower_get_int (lower, "smooth_softmax", 0) <= 0 &&
      sym_op_lower_get_n_outputs (lower) <= 3)
    return TRUE;
  sym_op_lower_refuse (lower, "GroupQueryAttention: a sink of scores, scales of a quantised cache "
                              "and scores as a result are not lowered");
  return FALSE;
}

static void
split (Group *self)
{
  gint64 n = self->heads * self->size, m = self->shared_heads * self->size;

  self->q = sym_op_lower_input (self->lower, QUERY);
  self->k = sym_op_lower_input (self->lower, KEY);
  self->v = sym_op_lower_input (self->lower, VALUE);
  if (sym_op_lower_has_input (self->lower, KEY))
    return;
  self->k = sym_op_lower_slice (self->lower, self->q, 2, n, n + m, 1);
  self->v = sym_op_lower_slice (self->lower, self->q, 2, n + m, n + 2 * m, 1);
  self->q = sym_op_lower_slice (self->lower, self->q, 2, 0, n, 1);
}

/* ---- Places ---- */

/* A sample's last word is where the operand tells, and the queries end there; those of a prompt
 * begin at the first place. */
static void
find_starts (Group *self)
{
  SymOpLower *lower = self->lower;
  SymShape shape = SYM_SHAPE (self->batch);

  if (self->is_prompt)
    {
      self->starts = sym_op_lower_fill (lower, SYM_DTYPE_INT64, &shape, 0);
      return;
    }
  self->starts =
      sym_op_lower_cast_from (lower, sym_op_lower_input (lower, LAST_PLACES),
                              sym_op_lower_get_input_dtype (lower, LAST_PLACES), SYM_DTYPE_INT64);
  if (sym_op_lower_get_input_shape (lower, LAST_PLACES)->rank != 1)
    self->starts = sym_op_lower_reshape (lower, self->starts, &shape);
  if (self->queries > 1)
    self->starts = sym_op_lower_binary (
        lower, "Sub", self->starts,
        sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) (self->queries - 1)));
}

/* [batch, queries]. */
static SymId
find_positions (Group *self)
{
  SymId places;

  if (sym_op_lower_has_input (self->lower, POSITIONS))
    return sym_op_lower_input (self->lower, POSITIONS);
  places = sym_op_lower_reshape (self->lower, self->starts, &SYM_SHAPE (self->batch, 1));
  if (self->queries == 1)
    return places;
  return sym_op_lower_binary (self->lower, "Add", places,
                              sym_op_lower_count (self->lower, self->queries));
}

static SymId
rotate (Group *self, SymId x, gint64 n_heads, SymId positions)
{
  const SymOperator *op = sym_op_find ("", "RotaryEmbedding", 0);
  const SymShape *angles = sym_op_lower_get_input_shape (self->lower, COSINES);
  g_autoptr (SymAttributes) list = sym_attributes_new ();

  sym_attributes_set (list, "num_heads", sym_value_new_int (n_heads), NULL);
  sym_attributes_set (
      list, "interleaved",
      sym_value_new_int (sym_op_lower_get_int (self->lower, "rotary_interleaved", 0)), NULL);
  if (angles->rank == 2 && 2 * angles->dims[1] < self->size)
    sym_attributes_set (list, "rotary_embedding_dim", sym_value_new_int (2 * angles->dims[1]),
                        NULL);
  return sym_op_lower_apply (self->lower, op,
                             SYM_IDS (x, sym_op_lower_input (self->lower, COSINES),
                                      sym_op_lower_input (self->lower, SINES), positions),
                             list);
}

static void
rotate_both (Group *self)
{
  SymId positions;

  if (sym_op_lower_get_int (self->lower, "do_rotary", 0) == 0 ||
      !sym_op_lower_need_tensor (self->lower, COSINES) ||
      !sym_op_lower_need_tensor (self->lower, SINES))
    return;
  positions = find_positions (self);
  self->q = rotate (self, self->q, self->heads, positions);
  self->k = rotate (self, self->k, self->shared_heads, positions);
}

/* ---- Keys and values ---- */

/* Those of the past with those of now behind them, or in their room. */
static SymId
append (Group *self, guint past, SymId x)
{
  const SymOperator *op = sym_op_find ("symscope", "Append", 0);
  g_autoptr (SymAttributes) list = sym_attributes_new ();
  SymShape shape = SYM_SHAPE (self->batch, self->queries, self->shared_heads, self->size);

  x = sym_op_lower_transpose (self->lower, sym_op_lower_reshape (self->lower, x, &shape), 4, 0, 2,
                              1, 3);
  if (self->past == 0)
    return x;
  sym_attributes_set (list, "length", sym_value_new_int (MAX (self->past, self->total)), NULL);
  return sym_op_lower_apply (
      self->lower, op, SYM_IDS (sym_op_lower_input (self->lower, past), x, self->starts), list);
}

static SymAttributes *
new_attributes (const Group *self)
{
  SymAttributes *list = sym_attributes_new ();
  double scale = sym_op_lower_get_float (self->lower, "scale", 0);
  double cap = sym_op_lower_get_float (self->lower, "softcap", 0);
  gint64 window = sym_op_lower_get_int (self->lower, "local_window_size", -1);

  sym_attributes_set (list, "q_num_heads", sym_value_new_int (self->heads), NULL);
  sym_attributes_set (list, "kv_num_heads", sym_value_new_int (self->shared_heads), NULL);
  sym_attributes_set (list, "is_causal", sym_value_new_int (1), NULL);
  if (scale != 0)
    sym_attributes_set (list, "scale", sym_value_new_float (scale), NULL);
  if (cap != 0)
    sym_attributes_set (list, "softcap", sym_value_new_float (cap), NULL);
  if (window > 0)
    sym_attributes_set (list, "left_window_size", sym_value_new_int (window - 1), NULL);
  return list;
}

/* A prompt is seen as it comes; later words see all that is kept. */
static void
attend (Group *self, SymId k, SymId v)
{
  SymOpLower *lower = self->lower;
  g_autoptr (SymAttributes) list = new_attributes (self);
  SymId bias = sym_op_lower_input (lower, BIAS), lengths = SYM_NO_ID;

  if (!self->is_prompt)
    lengths =
        sym_op_lower_binary (lower, "Add", self->starts,
                             sym_op_lower_number (lower, SYM_DTYPE_INT64, (double) self->queries));
  sym_op_lower_set_output (lower, 0,
                           sym_op_lower_apply (lower, sym_op_find ("", "Attention", 0),
                                               SYM_IDS (self->q, self->is_prompt ? self->k : k,
                                                        self->is_prompt ? self->v : v, bias,
                                                        SYM_NO_ID, SYM_NO_ID, lengths),
                                               list));
}

static void
lower_group (SymOpLower *lower)
{
  Group self = { .lower = lower,
                 .heads = sym_op_lower_get_int (lower, "num_heads", 0),
                 .shared_heads = sym_op_lower_get_int (lower, "kv_num_heads", 0) };
  SymId k, v;

  if (!sym_op_lower_need_tensor (lower, QUERY) || !sym_op_lower_need_tensor (lower, LAST_PLACES) ||
      !is_plain (lower))
    return;
  if (self.heads < 1 || self.shared_heads < 1 || self.heads > G_MAXINT32 ||
      self.heads % self.shared_heads != 0)
    {
      sym_op_lower_fail (lower,
                         "GroupQueryAttention: %" G_GINT64_FORMAT
                         " heads of queries cannot share %" G_GINT64_FORMAT " of keys",
                         self.heads, self.shared_heads);
      return;
    }
  if (!read_sizes (&self) || !read_past (&self))
    return;
  split (&self);
  find_starts (&self);
  rotate_both (&self);
  k = append (&self, PAST_KEY, self.k);
  v = append (&self, PAST_VALUE, self.v);
  attend (&self, k, v);
  if (sym_op_lower_has_failed (lower))
    return;
  sym_op_lower_set_output (lower, 1, k);
  sym_op_lower_set_output (lower, 2, v);
}

/* ---- Rule ---- */

/* As many rows as the past has room for, or as there are words. */
static gint64
find_rows (SymRule *rule)
{
  SymShape past = sym_rule_get_input (rule, PAST_KEY);
  gint64 total;

  if (sym_rule_get_input_ints (rule, TOTAL, &total, 1) != 1)
    return SYM_DIM_UNKNOWN;
  if (!sym_rule_has_input (rule, PAST_KEY))
    return total;
  return past.rank == 4 && past.dims[2] >= 0 ? MAX (past.dims[2], total) : SYM_DIM_UNKNOWN;
}

static gboolean
infer_group (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, QUERY), present = sym_shape_new_unknown (4);
  gint64 heads = sym_rule_get_int (rule, "num_heads", 0);
  gint64 shared = sym_rule_get_int (rule, "kv_num_heads", 0);
  gboolean is_packed = !sym_rule_has_input (rule, KEY);

  for (guint i = 0; i < 3; i++)
    if (!sym_op_pass_dtype (rule, i == 0 ? QUERY : PAST_KEY + i - 1, i, error))
      return FALSE;
  if (x.rank != 3 || heads < 1 || shared < 1)
    return TRUE;
  present.dims[0] = x.dims[0];
  present.dims[1] = shared;
  present.dims[2] = find_rows (rule);
  if (x.dims[2] >= 0)
    present.dims[3] = x.dims[2] / (heads + (is_packed ? 2 * shared : 0));
  if (is_packed)
    x.dims[2] = present.dims[3] >= 0 ? heads * present.dims[3] : SYM_DIM_UNKNOWN;
  if (!sym_rule_has_input (rule, PAST_KEY) &&
      (!sym_op_pass_dtype (rule, QUERY, 1, error) || !sym_op_pass_dtype (rule, QUERY, 2, error)))
    return FALSE;
  return sym_rule_set_output (rule, 0, &x, error) &&
         sym_rule_set_output (rule, 1, &present, error) &&
         sym_rule_set_output (rule, 2, &present, error);
}

const SymOperator sym_op_microsoft_group[] = {
  { SYM_OP_MICROSOFT ("GroupQueryAttention"),
    .summary = "causal attention whose heads of queries share those of keys",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = slots,
    .get_n_outputs = sym_op_onnx_get_any_outputs, .infer = infer_group, .lower = lower_group,
    .is_composite = TRUE },
  { NULL },
};
