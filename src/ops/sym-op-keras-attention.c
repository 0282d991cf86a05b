/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras.h"

#include <math.h>
#include <string.h>

/* What is added to scores that a mask leaves out. */
#define LEFT_OUT -1e9

enum { QUERY, VALUE, KEY };

/* Without a key, the value is the key. */
static guint
find_key (gboolean has_key)
{
  return has_key ? KEY : VALUE;
}

/* ---- Several heads ---- */

enum {
  QUERY_KERNEL = 3,
  QUERY_BIAS,
  KEY_KERNEL,
  KEY_BIAS,
  VALUE_KERNEL,
  VALUE_BIAS,
  OUTPUT_KERNEL,
  OUTPUT_BIAS,
  MASK,
  QUERY_MASK,
  VALUE_MASK,
  KEY_MASK,
};

/* Several heads of the query may share one of key and value. */
typedef struct {
  gint64 heads, shared, key, value;
} Heads;

static gboolean
read_heads (const SymAttributes *attributes, Heads *self, GError **error)
{
  self->heads = sym_op_keras_get_int (attributes, "num_heads",
                                      sym_op_keras_get_int (attributes, "num_query_heads", 0));
  self->shared = sym_op_keras_get_int (attributes, "num_key_value_heads", self->heads);
  self->key = sym_op_keras_get_int (attributes, "key_dim",
                                    sym_op_keras_get_int (attributes, "head_dim", 0));
  self->value = sym_op_keras_get_int (attributes, "value_dim", self->key);
  if (self->shared < 1 || self->heads % self->shared != 0)
    return sym_rule_fail (error, "the heads of the query must be some for each one of the key");
  return (self->heads > 0 && self->key > 0 && self->value > 0 && self->heads <= G_MAXINT16 &&
          self->key <= G_MAXINT32 && self->value <= G_MAXINT32) ||
         sym_rule_fail (error, "num_heads, key_dim and value_dim must be numbers from 1 on");
}

static SymDim
get_last (const SymShape *shape)
{
  return shape->rank > 0 ? shape->dims[shape->rank - 1] : SYM_DIM_UNKNOWN;
}

static gboolean
set_projection (SymRule *rule,
                guint kernel,
                SymDim features,
                gint64 heads,
                gint64 size,
                GError **error)
{
  return sym_op_set_input (rule, kernel, SYM_SHAPE (features, heads, size), error) &&
         sym_op_set_input (rule, kernel + 1, SYM_SHAPE (heads, size), error);
}

/* `output_shape` is one size here; without one, the result is as wide as the query. */
static SymDim
get_width (const SymAttributes *attributes, const SymShape *query)
{
  const SymValue *value = sym_op_keras_find (attributes, "output_shape");
  gint64 width;

  return value != NULL && sym_value_get_ints (value, &width, 1) == 1 ? width : get_last (query);
}

static gboolean
infer_heads (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymShape query = sym_rule_get_input (rule, QUERY), value = sym_rule_get_input (rule, VALUE);
  SymShape key = sym_rule_get_input (rule, find_key (sym_rule_has_input (rule, KEY)));
  SymDim width = get_width (attributes, &query);
  gboolean known = query.rank == 3;
  Heads self;

  if (!read_heads (attributes, &self, error) ||
      (query.rank <= 3 && !sym_op_keras_check_rank (rule, 3, &known, error)))
    return FALSE;
  if (!set_projection (rule, QUERY_KERNEL, get_last (&query), self.heads, self.key, error) ||
      !set_projection (rule, KEY_KERNEL, get_last (&key), self.shared, self.key, error) ||
      !set_projection (rule, VALUE_KERNEL, get_last (&value), self.shared, self.value, error) ||
      !sym_op_set_input (rule, OUTPUT_KERNEL, SYM_SHAPE (self.heads, self.value, width), error) ||
      !sym_op_set_input (rule, OUTPUT_BIAS, SYM_SHAPE (width), error))
    return FALSE;
  if (known && value.rank == 3 &&
      !sym_op_set_output (rule, 1,
                          SYM_SHAPE (query.dims[0], self.heads, query.dims[1], value.dims[1]),
                          sym_op_keras_get_dtype (attributes), error))
    return FALSE;
  if (query.rank >= 3)
    query.dims[query.rank - 1] = width;
  return sym_op_keras_set (rule, query, error);
}

static SymId
einsum (SymOpLower *self, const char *equation, SymId a, SymId b)
{
  return sym_op_lower_call (self, "Einsum", SYM_IDS (a, b), "equation",
                            sym_value_new_string (equation), NULL);
}

static SymId
project (SymOpLower *self, SymId data, guint kernel)
{
  SymId x = einsum (self, "btf,fhd->bthd", data, sym_op_keras_input (self, kernel));

  return sym_op_keras_add_bias (self, x, sym_op_keras_input (self, kernel + 1), 0, FALSE);
}

/* The same for key and value, whose heads each serve several of the query, which follow each other.
 */
static SymId
project_shared (SymOpLower *self, SymId data, guint input, guint kernel, const Heads *heads)
{
  SymId x = project (self, data, kernel);
  gint64 n = heads->heads / heads->shared, axis = 3;
  const SymShape *shape = sym_op_lower_get_input_shape (self, input);
  gint64 size = input == VALUE && kernel == VALUE_KERNEL ? heads->value : heads->key;
  SymShape all = SYM_SHAPE (shape->dims[0], shape->dims[1], heads->heads, size);

  if (n == 1)
    return x;
  x = sym_op_lower_binary (self, "Unsqueeze", x, sym_op_lower_ints (self, &axis, 1));
  x = sym_op_lower_binary (self, "Expand", x,
                           sym_op_lower_ints (self, (gint64[]){ 1, 1, 1, n, 1 }, 5));
  return sym_op_lower_reshape (self, x, &all);
}

/* LEFT_OUT where @mask, of booleans, is false. */
static SymId
add_mask (SymOpLower *self, SymId scores, SymId mask)
{
  SymDType dtype = sym_op_keras_get_dtype (sym_op_keras_attributes (self));

  return sym_op_lower_call (
      self, "Where",
      SYM_IDS (
          mask, scores,
          sym_op_lower_binary (self, "Add", scores, sym_op_lower_number (self, dtype, LEFT_OUT))),
      NULL);
}

/* [steps, places]: a step sees itself and what was before. */
static SymId
make_causal (SymOpLower *self, gint64 steps, gint64 places)
{
  gint64 last = 1;
  SymId step = sym_op_lower_binary (self, "Unsqueeze", sym_op_lower_count (self, steps),
                                    sym_op_lower_ints (self, &last, 1));

  return sym_op_lower_binary (self, "GreaterOrEqual", step, sym_op_lower_count (self, places));
}

static gboolean
is_causal (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);

  return sym_op_keras_get_bool (attributes, "use_causal_mask", FALSE) ||
         sym_op_keras_get_bool (attributes, "causal", FALSE);
}

/* What both say; NO_ID says nothing. */
static SymId
both (SymOpLower *self, SymId a, SymId b)
{
  return a == SYM_NO_ID ? b : b == SYM_NO_ID ? a : sym_op_lower_binary (self, "And", a, b);
}

/* Operand @slot as booleans with a new axis @axis; NO_ID where it is not there. */
static SymId
read_mask (SymOpLower *self, guint slot, gint64 axis)
{
  SymId mask = sym_op_lower_input (self, slot);

  if (!sym_op_lower_has_input (self, slot))
    return SYM_NO_ID;
  mask = sym_op_lower_cast_from (self, mask, sym_op_lower_get_input_dtype (self, slot),
                                 SYM_DTYPE_BOOL);
  return sym_op_lower_binary (self, "Unsqueeze", mask, sym_op_lower_ints (self, &axis, 1));
}

static SymId
read_causal (SymOpLower *self)
{
  return is_causal (self) ? make_causal (self, sym_op_lower_get_input_shape (self, QUERY)->dims[1],
                                         sym_op_lower_get_input_shape (self, VALUE)->dims[1])
                          : SYM_NO_ID;
}

/* Scores are [batch, heads, steps, places]; masks say all at once, so that of a step that sees
 * nothing all places are alike. */
static SymId
mask_scores (SymOpLower *self, SymId scores)
{
  SymId mask = both (self, read_mask (self, QUERY_MASK, 2), read_mask (self, VALUE_MASK, 1));
  gint64 heads = 1;

  mask = both (self, mask, read_mask (self, KEY_MASK, 1));
  if (mask != SYM_NO_ID)
    mask = sym_op_lower_binary (self, "Unsqueeze", mask, sym_op_lower_ints (self, &heads, 1));
  if (sym_op_lower_get_input_shape (self, MASK)->rank == 3)
    mask = both (self, mask, read_mask (self, MASK, heads));
  else if (sym_op_lower_has_input (self, MASK))
    mask = both (self, mask,
                 sym_op_lower_cast (self, sym_op_lower_input (self, MASK), SYM_DTYPE_BOOL));
  mask = both (self, mask, read_causal (self));
  return mask == SYM_NO_ID ? scores : add_mask (self, scores, mask);
}

static SymId
softmax (SymOpLower *self, SymId x)
{
  return sym_op_lower_call (self, "Softmax", SYM_IDS (x), "axis", sym_value_new_int (-1), NULL);
}

/* Of data of more axes, attention goes over `attention_axes`, all but the batch and the features
 * where there are none: these become one axis, and the others part of the batch. */
typedef struct {
  int rank, n_first; /* axes before those of attention, the batch included */
  gint64 order[SYM_MAX_RANK];
} Fold;

static gboolean
is_attended (const SymAttributes *attributes, int axis, int rank)
{
  const SymValue *value = sym_op_keras_find (attributes, "attention_axes");
  gint64 axes[SYM_MAX_RANK];
  int n = value == NULL ? -1 : sym_value_get_ints (value, axes, SYM_MAX_RANK);
  gboolean found = n < 0;

  for (int i = 0; i < MIN (n, SYM_MAX_RANK); i++)
    found = found || axes[i] == axis || axes[i] + rank == axis;
  return axis > 0 && axis < rank - 1 && found;
}

static Fold
read_fold (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  Fold fold = { .rank = sym_op_lower_get_input_shape (self, QUERY)->rank };
  int n = 0;

  for (int pass = 0; pass < 2; pass++)
    {
      for (int i = 0; i < fold.rank - 1; i++)
        if (is_attended (attributes, i, fold.rank) == (pass == 1))
          fold.order[n++] = i;
      if (pass == 0)
        fold.n_first = n;
    }
  fold.order[n] = n;
  return fold;
}

/* Operand @slot as [batch, places, features]. */
static SymId
fold_input (SymOpLower *self, const Fold *fold, guint slot)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, slot);
  gint64 sizes[] = { -1, 1, shape->dims[MAX (shape->rank, 1) - 1] };
  SymId x = sym_op_keras_input (self, slot);

  if (fold->rank == 3)
    return x;
  for (int i = fold->n_first; i < fold->rank - 1; i++)
    if (shape->dims[fold->order[i]] < 1 ||
        __builtin_mul_overflow (sizes[1], shape->dims[fold->order[i]], &sizes[1]))
      sym_op_lower_refuse (self, "%s: its sizes are not known", sym_op_lower_get_type (self));
  x = sym_op_lower_permute (self, x, fold->order, fold->rank);
  return sym_op_lower_binary (self, "Reshape", x, sym_op_lower_ints (self, sizes, 3));
}

/* The result in the axes of the query. */
static SymId
unfold (SymOpLower *self, const Fold *fold, SymId y)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  gint64 sizes[SYM_MAX_RANK], back[SYM_MAX_RANK];

  if (fold->rank == 3)
    return y;
  for (int i = 0; i < fold->rank; i++)
    {
      sizes[i] = out->rank == fold->rank ? out->dims[fold->order[i]] : -1;
      back[fold->order[i]] = i;
    }
  y = sym_op_lower_binary (self, "Reshape", y, sym_op_lower_ints (self, sizes, fold->rank));
  return sym_op_lower_permute (self, y, back, fold->rank);
}

static gboolean
can_fold (SymOpLower *self, const Fold *fold)
{
  gboolean is_masked = is_causal (self) || sym_op_lower_get_n_outputs (self) > 1;

  for (guint i = MASK; i <= KEY_MASK; i++)
    is_masked = is_masked || sym_op_lower_has_input (self, i);
  if (fold->rank > 3 && is_masked)
    sym_op_lower_refuse (self, "%s: masks and scores of more than 3 axes are not lowered",
                         sym_op_lower_get_type (self));
  return !sym_op_lower_has_failed (self);
}

static void
lower_heads (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  SymDType dtype = sym_op_keras_get_dtype (attributes);
  guint key = find_key (sym_op_lower_has_input (self, KEY));
  g_autoptr (GError) error = NULL;
  SymId query, scores, y;
  Heads heads;
  Fold fold;

  if (!read_heads (attributes, &heads, &error) ||
      sym_op_lower_get_input_shape (self, QUERY)->rank < 3 ||
      sym_op_lower_get_input_shape (self, VALUE)->rank !=
          sym_op_lower_get_input_shape (self, QUERY)->rank)
    {
      sym_op_lower_fail (self, "%s",
                         error == NULL ? "query and value must have 3 axes or more, and as many"
                                       : error->message);
      return;
    }
  fold = read_fold (self);
  if (!can_fold (self, &fold))
    return;
  query = project (self, fold_input (self, &fold, QUERY), QUERY_KERNEL);
  query = sym_op_lower_binary (self, "Mul", query,
                               sym_op_lower_number (self, dtype, 1 / sqrt ((double) heads.key)));
  scores = einsum (self, "bthd,bshd->bhts", query,
                   project_shared (self, fold_input (self, &fold, key), key, KEY_KERNEL, &heads));
  scores = softmax (self, mask_scores (self, scores));
  y = project_shared (self, fold_input (self, &fold, VALUE), VALUE, VALUE_KERNEL, &heads);
  y = einsum (self, "bhts,bshd->bthd", scores, y);
  y = einsum (self, "bthd,hdo->bto", y, sym_op_keras_input (self, OUTPUT_KERNEL));
  y = sym_op_keras_add_bias (self, y, sym_op_keras_input (self, OUTPUT_BIAS), 0, FALSE);
  sym_op_lower_set_output (self, 0, unfold (self, &fold, y));
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, scores);
}

/* ---- One head, without projections ---- */

enum { SCALE = 3, CONCAT, PLAIN_QUERY_MASK, PLAIN_VALUE_MASK };

static gboolean
is_additive (const char *type)
{
  return strcmp (type, "AdditiveAttention") == 0;
}

static gboolean
infer_plain (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymShape query = sym_rule_get_input (rule, QUERY), value = sym_rule_get_input (rule, VALUE);
  SymShape scale = { 0 };
  gboolean known;

  if (!sym_op_keras_check_rank (rule, 3, &known, error))
    return FALSE;
  if (is_additive (sym_rule_get_type (rule)))
    scale = SYM_SHAPE (known ? query.dims[2] : SYM_DIM_UNKNOWN);
  if (!sym_op_set_input (rule, SCALE, scale, error) ||
      !sym_op_set_input (rule, CONCAT, SYM_SHAPE (), error))
    return FALSE;
  if (known && value.rank == 3 &&
      !sym_op_set_output (rule, 1, SYM_SHAPE (query.dims[0], query.dims[1], value.dims[1]),
                          sym_op_keras_get_dtype (attributes), error))
    return FALSE;
  if (known)
    query.dims[2] = value.rank == 3 ? value.dims[2] : SYM_DIM_UNKNOWN;
  return sym_op_keras_set (rule, query, error);
}

/* Sums of products; additive ones are sums of tanh (query + key), scaled behind the function, or
 * before it where Attention has the mode “concat”. */
static SymId
score (SymOpLower *self, SymId query, SymId key, gboolean concats)
{
  SymId scale = sym_op_keras_input (self, SCALE), both;
  gint64 two = 2, one = 1, last = 3;

  if (!is_additive (sym_op_lower_get_type (self)) && !concats)
    {
      both = einsum (self, "btd,bsd->bts", query, key);
      return scale == SYM_NO_ID ? both : sym_op_lower_binary (self, "Mul", both, scale);
    }
  query = sym_op_lower_binary (self, "Unsqueeze", query, sym_op_lower_ints (self, &two, 1));
  key = sym_op_lower_binary (self, "Unsqueeze", key, sym_op_lower_ints (self, &one, 1));
  both = sym_op_lower_binary (self, "Add", query, key);
  if (concats && scale != SYM_NO_ID)
    both = sym_op_lower_binary (self, "Mul", both, scale);
  both = sym_op_lower_unary (self, "Tanh", both);
  if (!concats && scale != SYM_NO_ID)
    both = sym_op_lower_binary (self, "Mul", both, scale);
  both = sym_op_lower_reduce (self, "ReduceSum", both, &last, 1, FALSE);
  return concats && sym_op_lower_has_input (self, CONCAT)
             ? sym_op_lower_binary (self, "Mul", both, sym_op_keras_input (self, CONCAT))
             : both;
}

static void
lower_plain (SymOpLower *self)
{
  const SymAttributes *attributes = sym_op_keras_attributes (self);
  const char *mode = sym_op_keras_get_string (attributes, "score_mode", "dot");
  guint key = find_key (sym_op_lower_has_input (self, KEY));
  gboolean concats = strcmp (mode, "concat") == 0;
  SymId scores, mask, y;

  if ((strcmp (mode, "dot") != 0 && !concats) ||
      sym_op_lower_get_input_shape (self, QUERY)->rank != 3 ||
      sym_op_lower_get_input_shape (self, VALUE)->rank != 3)
    {
      sym_op_lower_refuse (self, "%s: only 3 axes, and score_mode “dot” and “concat”, are lowered",
                           sym_op_lower_get_type (self));
      return;
    }
  scores = score (self, sym_op_keras_input (self, QUERY), sym_op_keras_input (self, key), concats);
  mask = both (self, read_mask (self, PLAIN_VALUE_MASK, 1), read_causal (self));
  scores = softmax (self, mask == SYM_NO_ID ? scores : add_mask (self, scores, mask));
  y = einsum (self, "bts,bsd->btd", scores, sym_op_keras_input (self, VALUE));
  mask = read_mask (self, PLAIN_QUERY_MASK, 2);
  if (mask != SYM_NO_ID)
    y = sym_op_lower_binary (self, "Mul", y,
                             sym_op_lower_cast (self, mask, sym_op_keras_get_dtype (attributes)));
  sym_op_lower_set_output (self, 0, y);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (self, 1, scores);
}

/* ---- Tables ---- */

static const SymSlotSpec heads_slots[] = {
  { "query" },
  { "value" },
  { "key", SYM_SLOT_DATA, TRUE },
  { "query_kernel", SYM_SLOT_PARAMETER },
  { "query_bias", SYM_SLOT_PARAMETER, TRUE },
  { "key_kernel", SYM_SLOT_PARAMETER },
  { "key_bias", SYM_SLOT_PARAMETER, TRUE },
  { "value_kernel", SYM_SLOT_PARAMETER },
  { "value_bias", SYM_SLOT_PARAMETER, TRUE },
  { "output_kernel", SYM_SLOT_PARAMETER },
  { "output_bias", SYM_SLOT_PARAMETER, TRUE },
  { "attention_mask", SYM_SLOT_DATA, TRUE },
  { "query_mask", SYM_SLOT_DATA, TRUE },
  { "value_mask", SYM_SLOT_DATA, TRUE },
  { "key_mask", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec plain_slots[] = {
  { "query" },
  { "value" },
  { "key", SYM_SLOT_DATA, TRUE },
  { "attention_scale", SYM_SLOT_PARAMETER, TRUE },
  { "concat_score_weight", SYM_SLOT_PARAMETER, TRUE },
  { "query_mask", SYM_SLOT_DATA, TRUE },
  { "value_mask", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymAttributeSpec heads_attributes[] = {
  { "num_heads", SYM_ATTRIBUTE_INT, NULL, "heads" },
  { "key_dim", SYM_ATTRIBUTE_INT, NULL, "features of query and key in each head" },
  { "value_dim", SYM_ATTRIBUTE_INT, "None", "features of the value in each head" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether biases are added" },
  { "output_shape", SYM_ATTRIBUTE_ANY, "None", "features of the result; those of the query" },
  { "attention_axes", SYM_ATTRIBUTE_ANY, "None", "axes that attention goes over; None is all" },
  { NULL },
};

static const SymAttributeSpec grouped_attributes[] = {
  { "num_query_heads", SYM_ATTRIBUTE_INT, NULL, "heads of the query" },
  { "num_key_value_heads", SYM_ATTRIBUTE_INT, NULL, "heads of key and value" },
  { "head_dim", SYM_ATTRIBUTE_INT, NULL, "features in each head" },
  { "use_bias", SYM_ATTRIBUTE_BOOL, "True", "whether biases are added" },
  { NULL },
};

static const SymAttributeSpec plain_attributes[] = {
  { "use_scale", SYM_ATTRIBUTE_BOOL, "False", "whether scores are scaled as trained" },
  { "score_mode", SYM_ATTRIBUTE_STRING, "dot", "what scores are", "dot concat" },
  { "causal", SYM_ATTRIBUTE_BOOL, "False", "whether a step sees only what was before" },
  { NULL },
};

#define ATTENTION(name_, summary_, kind_, attributes_)                                    \
  {                                                                                       \
    SYM_OP_KERAS, .name = name_, .summary = summary_, .reference = "keras.layers." name_, \
                  .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes_,            \
                  .slots = kind_##_slots, .infer = infer_##kind_, .lower = lower_##kind_, \
                  .is_composite = TRUE,                                                   \
  }

const SymOperator sym_op_keras_attention[] = {
  ATTENTION ("AdditiveAttention", "Attention by sums of tanh", plain, plain_attributes),
  ATTENTION ("Attention", "Attention by products", plain, plain_attributes),
  { SYM_OP_KERAS, .name = "GroupedQueryAttention", .aliases = "GroupQueryAttention",
    .summary = "Attention whose heads share keys", .reference = "keras.layers.GroupQueryAttention",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = grouped_attributes, .slots = heads_slots,
    .infer = infer_heads, .lower = lower_heads, .is_composite = TRUE },
  ATTENTION ("MultiHeadAttention", "Attention of several heads", heads, heads_attributes),
  { NULL },
};
