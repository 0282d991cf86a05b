/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-microsoft.h"

/* Normalisation of sums, and of what words, places and segments stand for. */

static const SymAttributeSpec epsilon_attributes[] = {
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-12", "added to the variance" },
  { NULL },
};

static const SymAttributeSpec simplified_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "first of the axes that are normalised" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-05", "added to the mean square" },
  { "stash_type", SYM_ATTRIBUTE_INT, "1", "not used" },
  { NULL },
};

static const SymAttributeSpec embed_attributes[] = {
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "1e-12", "added to the variance" },
  { "mask_index_type", SYM_ATTRIBUTE_INT, "0", "not used" },
  { NULL },
};

static const SymSlotSpec skip_slots[] = { { "input" },
                                          { "skip" },
                                          { "gamma", SYM_SLOT_PARAMETER },
                                          { "beta", SYM_SLOT_PARAMETER, TRUE },
                                          { "bias", SYM_SLOT_PARAMETER, TRUE },
                                          { NULL } };
static const SymSlotSpec skip_simplified_slots[] = { { "input" },
                                                     { "skip" },
                                                     { "gamma", SYM_SLOT_PARAMETER },
                                                     { "bias", SYM_SLOT_PARAMETER, TRUE },
                                                     { NULL } };
static const SymSlotSpec simplified_slots[] = { { "X" },
                                                { "scale", SYM_SLOT_PARAMETER },
                                                { NULL } };
static const SymSlotSpec embed_slots[] = { { "input_ids" },
                                           { "segment_ids", .optional = TRUE },
                                           { "word_embedding", SYM_SLOT_PARAMETER },
                                           { "position_embedding", SYM_SLOT_PARAMETER },
                                           { "segment_embedding", SYM_SLOT_PARAMETER, TRUE },
                                           { "gamma", SYM_SLOT_PARAMETER },
                                           { "beta", SYM_SLOT_PARAMETER },
                                           { "mask", .optional = TRUE },
                                           { "position_ids", .optional = TRUE },
                                           { NULL } };

static double
get_epsilon (SymOpLower *self, double fallback)
{
  return sym_op_lower_get_float (self, "epsilon", fallback);
}

/* ---- Sums ---- */

/* Mean and inverse deviation are one number each for what is normalised. */
static gboolean
infer_skip (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  int axis = 0;

  if (shape.rank > 0 &&
      !sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), shape.rank, &axis, error))
    return FALSE;
  for (int i = axis; shape.rank > 0 && i < shape.rank; i++)
    shape.dims[i] = 1;
  for (guint i = 1; i < 3; i++)
    if (!sym_op_set_output (rule, i, shape, SYM_DTYPE_FLOAT32, error))
      return FALSE;
  return sym_op_pass (rule, 0, 0, error) && sym_op_pass (rule, 0, 3, error);
}

/* input + skip + bias, which is output 3. */
static SymId
lower_sum (SymOpLower *self, guint bias)
{
  SymId sum =
      sym_op_lower_binary (self, "Add", sym_op_lower_input (self, 0), sym_op_lower_input (self, 1));

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return SYM_NO_ID;
  if (sym_op_lower_has_input (self, bias))
    sum = sym_op_lower_binary (self, "Add", sum, sym_op_lower_input (self, bias));
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (self, 3, sum);
  return sum;
}

static void
lower_skip (SymOpLower *self)
{
  SymId sum = lower_sum (self, 4), y;

  if (sym_op_lower_has_failed (self))
    return;
  y = sym_op_lower_call (self, "LayerNormalization",
                         SYM_IDS (sum, sym_op_lower_input (self, 2), sym_op_lower_input (self, 3)),
                         "epsilon", sym_value_new_float (get_epsilon (self, 1e-12)), NULL);
  sym_op_lower_set_output (self, 0, y);
  for (guint i = 1; i < 3 && i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (self, i, sym_op_lower_get_result (self, y, i));
}

/* x / sqrt (mean (x^2) + epsilon) * scale; the divisor's inverse is output 1. */
static SymId
lower_root_mean_square (SymOpLower *self, SymId x, SymId scale, int axis, int rank, SymId *inverse)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gint64 axes[SYM_MAX_RANK];
  SymId square;

  for (int i = axis; i < rank; i++)
    axes[i - axis] = i;
  x = sym_op_lower_cast (self, x, SYM_DTYPE_FLOAT32);
  square = sym_op_lower_reduce (self, "ReduceMean", sym_op_lower_binary (self, "Mul", x, x), axes,
                                rank - axis, TRUE);
  square = sym_op_lower_binary (
      self, "Add", square, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, get_epsilon (self, 1e-5)));
  *inverse = sym_op_lower_unary (self, "Reciprocal", sym_op_lower_unary (self, "Sqrt", square));
  x = sym_op_lower_cast (self, sym_op_lower_binary (self, "Mul", x, *inverse), dtype);
  return sym_op_lower_binary (self, "Mul", x, scale);
}

static void
lower_simplified (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;
  SymId inverse;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", -1), rank, &axis))
    return;
  sym_op_lower_set_output (self, 0,
                           lower_root_mean_square (self, sym_op_lower_input (self, 0),
                                                   sym_op_lower_input (self, 1), axis, rank,
                                                   &inverse));
  sym_op_lower_set_output (self, 1, inverse);
}

static void
lower_skip_simplified (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  SymId sum = lower_sum (self, 3), inverse;

  if (sym_op_lower_has_failed (self))
    return;
  if (rank < 1)
    {
      sym_op_lower_fail (self, "%s: a number has no features", sym_op_lower_get_type (self));
      return;
    }
  sym_op_lower_set_output (
      self, 0,
      lower_root_mean_square (self, sum, sym_op_lower_input (self, 2), rank - 1, rank, &inverse));
  sym_op_lower_set_output (self, 1, inverse);
  sym_op_lower_set_output (self, 2, inverse);
}

/* ---- Embeddings ---- */

/* ids [batch, length], word_embedding [words, size]. */
static gboolean
infer_embed (SymRule *rule, GError **error)
{
  SymShape ids, words;

  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (2), error) ||
      !sym_op_set_input (rule, 2, sym_shape_new_unknown (2), error) ||
      !sym_op_pass_dtype (rule, 2, 0, error) || !sym_op_pass_dtype (rule, 2, 2, error))
    return FALSE;
  ids = sym_rule_get_input (rule, 0);
  words = sym_rule_get_input (rule, 2);
  return sym_op_set_output (rule, 0, SYM_SHAPE (ids.dims[0], ids.dims[1], words.dims[1]),
                            SYM_DTYPE_UNKNOWN, error) &&
         sym_op_set_output (rule, 1, SYM_SHAPE (ids.dims[0]), SYM_DTYPE_INT32, error) &&
         sym_op_set_output (rule, 2, SYM_SHAPE (ids.dims[0], ids.dims[1], words.dims[1]),
                            SYM_DTYPE_UNKNOWN, error);
}

/* How many words of each sample count. */
static SymId
lower_lengths (SymOpLower *self)
{
  const gint64 axis = 1;
  SymShape shape = SYM_SHAPE (sym_op_lower_get_input_shape (self, 0)->dims[0]);
  SymId mask;

  if (!sym_op_lower_has_input (self, 7))
    return sym_op_lower_fill (self, SYM_DTYPE_INT32, &shape, 0);
  mask = sym_op_lower_cast (self, sym_op_lower_input (self, 7), SYM_DTYPE_INT32);
  return sym_op_lower_reduce (self, "ReduceSum", mask, &axis, 1, FALSE);
}

static void
lower_embed (SymOpLower *self)
{
  const SymShape *ids = sym_op_lower_get_input_shape (self, 0);
  SymId sum, places;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 2) ||
      !sym_op_lower_need_tensor (self, 3))
    return;
  if (ids->rank != 2)
    {
      sym_op_lower_fail (self, "%s: input_ids have %d axes; 2 are needed",
                         sym_op_lower_get_type (self), ids->rank);
      return;
    }
  places = sym_op_lower_has_input (self, 8) ? sym_op_lower_input (self, 8)
                                            : sym_op_lower_count (self, ids->dims[1]);
  sum = sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 2),
                             sym_op_lower_input (self, 0));
  sum = sym_op_lower_binary (
      self, "Add", sum, sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 3), places));
  if (sym_op_lower_has_input (self, 1) && sym_op_lower_has_input (self, 4))
    sum = sym_op_lower_binary (self, "Add", sum,
                               sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 4),
                                                    sym_op_lower_input (self, 1)));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "LayerNormalization",
                         SYM_IDS (sum, sym_op_lower_input (self, 5), sym_op_lower_input (self, 6)),
                         "epsilon", sym_value_new_float (get_epsilon (self, 1e-12)), NULL));
  sym_op_lower_set_output (self, 1, lower_lengths (self));
  sym_op_lower_set_output (self, 2, sum);
}

#define NORM(name_, summary_, attributes_, slots_, infer_, lower_)                         \
  SYM_OP_MICROSOFT (name_), .summary = summary_, .category = SYM_CATEGORY_NORMALIZATION,   \
                            .attributes = attributes_, .slots = slots_,                    \
                            .get_n_outputs = sym_op_onnx_get_any_outputs, .infer = infer_, \
                            .lower = lower_

const SymOperator sym_op_microsoft_norm[] = {
  { NORM ("SkipLayerNormalization",
          "layer normalization of a sum",
          epsilon_attributes,
          skip_slots,
          infer_skip,
          lower_skip) },
  { NORM ("SkipSimplifiedLayerNormalization",
          "a sum divided by its root mean square",
          epsilon_attributes,
          skip_simplified_slots,
          infer_skip,
          lower_skip_simplified) },
  { NORM ("SimplifiedLayerNormalization",
          "data divided by its root mean square",
          simplified_attributes,
          simplified_slots,
          infer_skip,
          lower_simplified) },
  /* Files that ONNX Runtime's tools write have it without a domain, too. */
  { .domain = "",
    .name = "SimplifiedLayerNormalization",
    .since_version = 1,
    .reference = "ONNX Runtime SimplifiedLayerNormalization",
    .summary = "data divided by its root mean square",
    .category = SYM_CATEGORY_NORMALIZATION,
    .attributes = simplified_attributes,
    .slots = simplified_slots,
    .get_n_outputs = sym_op_onnx_get_any_outputs,
    .infer = infer_skip,
    .lower = lower_simplified },
  { NORM ("EmbedLayerNormalization",
          "layer normalization of what words, places and segments stand for",
          embed_attributes,
          embed_slots,
          infer_embed,
          lower_embed) },
  { NULL },
};
