/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Sums of products. */

/* Whether operand @i is transposed: transpose_a of a matrix product, adj_x of many. */
static gboolean
is_turned (const SymAttributes *attributes, guint i)
{
  static const char *const names[][2] = { { "transpose_a", "adj_x" }, { "transpose_b", "adj_y" } };

  return sym_attributes_get_bool (attributes, names[i][0], FALSE) ||
         sym_attributes_get_bool (attributes, names[i][1], FALSE);
}

/* ---- Rules ---- */

/* Rows and columns of operand @i as it is multiplied. */
static void
get_matrix (SymRule *rule, const SymShape *shape, guint i, SymDim *rows, SymDim *columns)
{
  gboolean turned = is_turned (sym_rule_get_attributes (rule), i);

  *rows = shape->dims[shape->rank - (turned ? 1 : 2)];
  *columns = shape->dims[shape->rank - (turned ? 2 : 1)];
}

static gboolean
fail_product (SymRule *rule, const SymShape *a, const SymShape *b, GError **error)
{
  g_autofree char *left = sym_rule_format_shape (rule, a);
  g_autofree char *right = sym_rule_format_shape (rule, b);

  return sym_rule_fail (error, "%s and %s cannot be multiplied", left, right);
}

static gboolean
infer_product (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), result;
  SymDim rows, inner, other, columns;

  if (!sym_rule_set_output_dtype (rule, 0, sym_op_tf_promote (rule, 0, 1), error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (a.rank < 2 || b.rank < 2 || !sym_op_broadcast_batch (&a, &b, &result))
    return fail_product (rule, &a, &b, error);
  get_matrix (rule, &a, 0, &rows, &inner);
  get_matrix (rule, &b, 1, &other, &columns);
  if (!sym_rule_unify (rule, inner, other, "inner sizes", NULL))
    return fail_product (rule, &a, &b, error);
  result.dims[result.rank++] = rows;
  result.dims[result.rank++] = columns;
  return sym_rule_set_output (rule, 0, &result, error);
}

static gboolean
infer_einsum (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);

  return sym_op_infer_einsum (rule, sym_rule_get_string (rule, "equation", ""), error) &&
         sym_rule_set_output_dtype (rule, 0, sym_op_tf_promote (rule, 0, n - 1), error);
}

static gboolean
infer_band (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- In ONNX's layers ---- */

static SymId
turn (SymOpLower *self, guint i)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  SymId x = sym_op_tf_input (self, i);
  gint64 axes[SYM_MAX_RANK];

  if (sym_op_lower_has_failed (self) || shape->rank < 2 ||
      !is_turned (sym_layer_get_attributes (sym_op_lower_get_layer (self)), i))
    return x;
  for (int k = 0; k < shape->rank; k++)
    axes[k] = k;
  axes[shape->rank - 2] = shape->rank - 1;
  axes[shape->rank - 1] = shape->rank - 2;
  return sym_op_lower_permute (self, x, axes, shape->rank);
}

static void
lower_product (SymOpLower *self)
{
  SymId x = sym_op_lower_binary (self, "MatMul", turn (self, 0), turn (self, 1));

  sym_op_lower_set_output (self, 0, sym_op_tf_fuse (self, x, 2, 0, 0));
}

static void
lower_einsum (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *operands = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    operands[i] = sym_op_tf_input (self, i);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Einsum", (SymIds){ operands, n }, "equation",
                         sym_value_new_string (sym_op_lower_get_string (self, "equation", "")),
                         NULL));
}

/* A negative number of diagonals keeps them all. */
static SymId
cut (SymOpLower *self, SymId x, guint operand, gboolean upper)
{
  gint64 kept[1];

  if (sym_op_lower_read_ints (self, operand, kept, 1) != 1 || kept[0] < 0)
    return x;
  return sym_op_lower_call (
      self, "Trilu",
      SYM_IDS (x,
               sym_op_lower_number (self, SYM_DTYPE_INT64, (double) (upper ? -kept[0] : kept[0]))),
      "upper", sym_value_new_int (upper), NULL);
}

static void
lower_band (SymOpLower *self)
{
  SymId x = sym_op_tf_input (self, 0);

  x = cut (self, x, 1, TRUE);
  sym_op_lower_set_output (self, 0, cut (self, x, 2, FALSE));
}

/* ---- Tables ---- */

static const SymAttributeSpec matmul_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first matrix is transposed" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second matrix is transposed" },
  { NULL },
};

static const SymAttributeSpec fused_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first matrix is transposed" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second matrix is transposed" },
  { "num_args", SYM_ATTRIBUTE_INT, "0", "number of further operands" },
  { "fused_ops", SYM_ATTRIBUTE_ANY, "[]", "what is done with the product" },
  { "epsilon", SYM_ATTRIBUTE_FLOAT, "0.0001", "what is added to a fused variance" },
  { "leakyrelu_alpha", SYM_ATTRIBUTE_FLOAT, "0.2", "slope of what is negative" },
  { NULL },
};

static const SymAttributeSpec batch_attributes[] = {
  { "adj_x", SYM_ATTRIBUTE_BOOL, "False", "whether the first matrices are transposed" },
  { "adj_y", SYM_ATTRIBUTE_BOOL, "False", "whether the second matrices are transposed" },
  { NULL },
};

static const SymAttributeSpec einsum_attributes[] = {
  { "equation", SYM_ATTRIBUTE_STRING, "", "a letter for each axis: ij,jk->ik" },
  { "N", SYM_ATTRIBUTE_INT, "1", "number of operands" },
  { NULL },
};

static const SymSlotSpec matmul_slots[] = { { "a" }, { "b", SYM_SLOT_PARAMETER }, { NULL } };

static const SymSlotSpec fused_slots[] = {
  { "a" },
  { "b", SYM_SLOT_PARAMETER },
  { "args", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec band_slots[] = {
  { "input" },
  { "num_lower" },
  { "num_upper" },
  { NULL },
};

const SymOperator sym_op_tf_matmul[] = {
  { SYM_OP_TF ("BatchMatMul"), .aliases = "BatchMatMulV2 BatchMatMulV3",
    .summary = "products of many matrices", .category = SYM_CATEGORY_WEIGHTS,
    .attributes = batch_attributes, .slots = sym_op_tf_pair, .infer = infer_product,
    .lower = lower_product },
  { SYM_OP_TF ("Einsum"), .summary = "sums of products, told by a letter for each axis",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = einsum_attributes, .slots = sym_op_tf_many,
    .get_n_operands = sym_op_tf_any_number, .infer = infer_einsum, .lower = lower_einsum },
  { SYM_OP_TF ("MatMul"), .summary = "product of two matrices", .category = SYM_CATEGORY_WEIGHTS,
    .attributes = matmul_attributes, .slots = matmul_slots, .infer = infer_product,
    .lower = lower_product },
  { SYM_OP_TF ("MatrixBandPart"), .summary = "matrices with zeros away from the diagonal",
    .category = SYM_CATEGORY_SHAPE, .slots = band_slots, .infer = infer_band, .lower = lower_band },
  { SYM_OP_TF ("_FusedMatMul"), .summary = "product of two matrices, and what follows",
    .category = SYM_CATEGORY_WEIGHTS, .attributes = fused_attributes, .slots = fused_slots,
    .get_n_operands = sym_op_tf_any_number, .infer = infer_product, .lower = lower_product,
    .is_composite = TRUE },
  { NULL },
};
