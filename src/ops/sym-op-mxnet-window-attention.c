/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* Attention within a window that slides along the sequence.  Queries, keys and values are [batch,
 * length, heads, size], scores [batch, length, heads, window], dilation [heads]. */

static const SymAttributeSpec attributes[] = {
  { "w", SYM_ATTRIBUTE_INT, NULL, "how many places a window has to one side" },
  { "symmetric", SYM_ATTRIBUTE_BOOL, NULL, "whether it has them to both sides" },
  { NULL },
};

static const SymSlotSpec score_slots[] = { { "query" }, { "key" }, { "dilation" }, { NULL } };
static const SymSlotSpec mask_slots[] = { { "score" },
                                          { "dilation" },
                                          { "valid_length" },
                                          { NULL } };
static const SymSlotSpec context_slots[] = { { "score" }, { "value" }, { "dilation" }, { NULL } };

static gboolean
get_window (SymRule *rule, SymDim *window, GError **error)
{
  gint64 w = sym_rule_get_int (rule, "w", 0);

  if (w < 0 || w > G_MAXINT32)
    return sym_rule_fail (error, "w should not be negative");
  *window = sym_rule_get_bool (rule, "symmetric", FALSE) ? 2 * w + 1 : w + 1;
  return TRUE;
}

/* Operands @first and @second and the result agree in batch, length and heads; @dilation has a
 * number for each head. */
static gboolean
tie_heads (SymRule *rule, guint first, guint second, guint dilation, GError **error)
{
  SymShape common = sym_shape_new_unknown (4), own;

  for (int pass = 0; pass < 2; pass++)
    {
      common.dims[3] = SYM_DIM_UNKNOWN;
      if (!sym_op_set_input (rule, first, common, error))
        return FALSE;
      common = sym_rule_get_input (rule, first);
      common.dims[3] = SYM_DIM_UNKNOWN;
      if (!sym_op_set_input (rule, second, common, error))
        return FALSE;
      common = sym_rule_get_input (rule, second);
      common.dims[3] = SYM_DIM_UNKNOWN;
      if (!sym_rule_set_output (rule, 0, &common, error))
        return FALSE;
      own = sym_rule_get_output (rule, 0);
      common = own;
    }
  return sym_op_set_input (rule, dilation, SYM_SHAPE (common.dims[2]), error);
}

static gboolean
infer_score (SymRule *rule, GError **error)
{
  SymShape query, key;
  SymDim window;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error) ||
      !get_window (rule, &window, error) || !tie_heads (rule, 0, 1, 2, error))
    return FALSE;
  query = sym_rule_get_input (rule, 0);
  key = sym_rule_get_input (rule, 1);
  if (!sym_rule_unify (rule, query.dims[3], key.dims[3], "size of a query", error))
    return FALSE;
  query.dims[3] = window;
  return sym_rule_set_output (rule, 0, &query, error);
}

static gboolean
infer_mask (SymRule *rule, GError **error)
{
  SymShape score;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error) ||
      !sym_op_set_input (rule, 0, sym_shape_new_unknown (4), error) ||
      !sym_op_pass_shape (rule, 0, 0, error))
    return FALSE;
  score = sym_rule_get_input (rule, 0);
  return sym_op_set_input (rule, 1, SYM_SHAPE (score.dims[2]), error) &&
         sym_op_set_input (rule, 2, SYM_SHAPE (score.dims[0]), error);
}

static gboolean
infer_context (SymRule *rule, GError **error)
{
  SymShape score, value;
  SymDim window;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error) ||
      !get_window (rule, &window, error) || !tie_heads (rule, 0, 1, 2, error))
    return FALSE;
  score = sym_rule_get_input (rule, 0);
  value = sym_rule_get_input (rule, 1);
  return sym_rule_unify (rule, score.dims[3], window, "scores of a place", error) &&
         sym_rule_set_output (rule, 0, &value, error);
}

#define WINDOW(name_, summary_, slots_, infer_)                                                  \
  {                                                                                              \
    SYM_OP_MXNET, .name = "_contrib_sldwin_atten_" name_, .aliases = "_npx_sldwin_atten_" name_, \
                  .summary = summary_, .reference = "MXNet 2.0 _contrib_sldwin_atten_" name_,    \
                  .category = SYM_CATEGORY_WEIGHTS, .attributes = attributes, .slots = slots_,   \
                  .infer = infer_                                                                \
  }

const SymOperator sym_op_mxnet_window_attention[] = {
  WINDOW ("score", "queries times the keys in a window around them", score_slots, infer_score),
  WINDOW ("mask_like", "1 for each place of a window within its sequence", mask_slots, infer_mask),
  WINDOW ("context", "scores times the values in a window", context_slots, infer_context),
  { NULL },
};
