/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

/* [..., in] x [out, in] -> [..., out] */
static gboolean
infer_linear (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  SymShape weight = sym_rule_get_input (rule, 1);
  SymShape output = input;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (input.rank < 0 || weight.rank != 2)
    return TRUE;
  if (input.rank == 0)
    return sym_rule_fail (error, "both arguments to matmul need to be at least 1D, but they are 0D "
                                 "and 2D");

  if (input.dims[input.rank - 1] >= 0 && weight.dims[1] >= 0 &&
      input.dims[input.rank - 1] != weight.dims[1])
    {
      SymShape rows =
          SYM_SHAPE (sym_terms_product (sym_rule_get_terms (rule), input.dims, input.rank - 1),
                     input.dims[input.rank - 1]);
      SymShape columns = SYM_SHAPE (weight.dims[1], weight.dims[0]);
      g_autofree char *left = sym_op_torch_format (rule, &rows, "x");
      g_autofree char *right = sym_op_torch_format (rule, &columns, "x");

      return sym_rule_fail (error, "mat1 and mat2 shapes cannot be multiplied (%s and %s)", left,
                            right);
    }
  if (!sym_rule_unify (rule, input.dims[input.rank - 1], weight.dims[1], "features of the input",
                       error))
    return FALSE;

  output.dims[output.rank - 1] = weight.dims[0];
  return sym_rule_set_output (rule, 0, &output, error);
}

static void
lower_linear (SymOpLower *self)
{
  SymId x = sym_op_lower_input (self, 0), weight = sym_op_lower_input (self, 1);

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_lower_get_input_shape (self, 1)->rank != 2)
    sym_op_lower_fail (self, "Linear: the weight must be a matrix");
  if (sym_op_lower_get_input_shape (self, 0)->rank == 2)
    {
      x = sym_op_lower_call (self, "Gemm", SYM_IDS (x, weight, sym_op_lower_input (self, 2)),
                             "transB", sym_value_new_int (1), NULL);
    }
  else
    {
      x = sym_op_lower_binary (self, "MatMul", x, sym_op_lower_transpose (self, weight, 2, 1, 0));
      if (sym_op_lower_has_input (self, 2))
        x = sym_op_lower_binary (self, "Add", x, sym_op_lower_input (self, 2));
    }
  sym_op_lower_set_output (self, 0, x);
}

static const SymAttributeSpec linear_attributes[] = {
  { "in_features", SYM_ATTRIBUTE_INT, NULL, "size of each input sample" },
  { "out_features", SYM_ATTRIBUTE_INT, NULL, "size of each output sample" },
  { "bias", SYM_ATTRIBUTE_BOOL, "True", "whether a bias is added" },
  { NULL },
};

/* The weight is [number, size]: its rows are the results. */
static gboolean
infer_embedding (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  SymShape weight = sym_rule_get_input (rule, 1);
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (sym_dtype_is_floating (dtype))
    return sym_rule_fail (error,
                          "expected indices of an integer type, such as int64, but got %s instead",
                          sym_dtype_to_string (dtype));
  if (!sym_rule_set_output_dtype (rule, 0, sym_rule_get_input_dtype (rule, 1), error))
    return FALSE;
  if (input.rank < 0 || input.rank >= SYM_MAX_RANK || weight.rank != 2)
    return TRUE;

  return sym_op_set_output (rule, 0, sym_op_insert_axis (&input, input.rank, weight.dims[1]),
                            SYM_DTYPE_UNKNOWN, error);
}

static void
lower_embedding (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 1),
                                                  sym_op_lower_input (self, 0)));
}

static const SymAttributeSpec embedding_attributes[] = {
  { "num_embeddings", SYM_ATTRIBUTE_INT, NULL, "size of the dictionary" },
  { "embedding_dim", SYM_ATTRIBUTE_INT, NULL, "size of each embedding" },
  { "padding_idx", SYM_ATTRIBUTE_INT, "None", "the index whose embedding is not trained" },
  { NULL },
};

static const SymSlotSpec embedding_slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER },
  { NULL },
};

const SymOperator sym_op_torch_linear[] = {
  {
      SYM_OP_TORCH,
      .name = "Linear",
      .summary = "Multiplies the last dimension by a matrix, and adds a bias",
      .reference = "torch 1.13 torch.nn.Linear",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = linear_attributes,
      .slots = sym_op_torch_weighted,
      .infer = infer_linear,
      .lower = lower_linear,
  },
  {
      SYM_OP_TORCH,
      .name = "Embedding",
      .summary = "Looks up rows of a table by their index",
      .reference = "torch 1.13 torch.nn.Embedding",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = embedding_attributes,
      .slots = embedding_slots,
      .infer = infer_embedding,
      .lower = lower_embedding,
  },
  { NULL },
};
