/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec attributes[] = {
  { "input_dim", SYM_ATTRIBUTE_INT, NULL, "number of words" },
  { "output_dim", SYM_ATTRIBUTE_INT, NULL, "length of the vector of a word" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the weight" },
  { "sparse_grad", SYM_ATTRIBUTE_BOOL, "False", "whether the gradient is row-sparse" },
  { "deterministic", SYM_ATTRIBUTE_BOOL, "False", "whether the gradient is the same each time" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "data" }, { "weight", SYM_SLOT_PARAMETER }, { NULL } };

/* data [...] of indices, weight [input_dim, output_dim], out [..., output_dim]. */
static gboolean
infer_embedding (SymRule *rule, GError **error)
{
  gint64 n_words = sym_rule_get_int (rule, "input_dim", 0);
  gint64 length = sym_rule_get_int (rule, "output_dim", 0);
  SymShape data = sym_rule_get_input (rule, 0), out = sym_rule_get_output (rule, 0);
  SymShape weight =
      SYM_SHAPE (n_words > 0 ? n_words : SYM_DIM_UNKNOWN, length > 0 ? length : SYM_DIM_UNKNOWN);

  if (!sym_rule_set_input (rule, 1, &weight, error) || !sym_op_pass_dtype (rule, 1, 0, error) ||
      !sym_rule_set_output_dtype (rule, 0, sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32),
                                  error))
    return FALSE;
  if (out.rank >= 1)
    {
      SymShape indices = sym_op_remove_axis (&out, out.rank - 1);

      if (!sym_rule_set_input (rule, 0, &indices, error))
        return FALSE;
    }
  if (data.rank < 0 || data.rank == SYM_MAX_RANK)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_op_insert_axis (&data, data.rank, weight.dims[1]),
                            SYM_DTYPE_UNKNOWN, error);
}

/* Indices outside count as the first or the last word. */
static void
lower_embedding (SymOpLower *self)
{
  SymId index = sym_op_lower_input (self, 0), last;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      sym_op_lower_get_output_shape (self, 0)->rank < 1 || sym_op_lower_has_failed (self))
    return;
  last = sym_op_lower_number (self, SYM_DTYPE_INT64,
                              (double) sym_op_lower_get_input_shape (self, 1)->dims[0] - 1);
  index = sym_op_lower_cast (self, index, SYM_DTYPE_INT64);
  index = sym_op_lower_call (
      self, "Clip", SYM_IDS (index, sym_op_lower_number (self, SYM_DTYPE_INT64, 0), last), NULL);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 1), index));
}

const SymOperator sym_op_mxnet_embedding[] = {
  {
      SYM_OP_MXNET,
      .name = "Embedding",
      .aliases = "_contrib_SparseEmbedding _npx_embedding",
      .summary = "looks up the vector of each index",
      .reference = "MXNet 1.9.1 Embedding",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = slots,
      .infer = infer_embedding,
      .lower = lower_embedding,
  },
  { NULL },
};
