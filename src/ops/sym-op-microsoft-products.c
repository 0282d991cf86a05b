/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-microsoft.h"

/* Products and convolutions with what follows them. */

static const SymAttributeSpec matmul_attributes[] = {
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },
  { "transA", SYM_ATTRIBUTE_INT, "0", "whether the last axes of A are exchanged" },
  { "transB", SYM_ATTRIBUTE_INT, "0", "whether the last axes of B are exchanged" },
  { "transBatchA", SYM_ATTRIBUTE_INT, "0", "whether the first axis of A becomes its last but one" },
  { "transBatchB", SYM_ATTRIBUTE_INT, "0", "whether the first axis of B becomes its last but one" },
  { NULL },
};

#define ACTIVATION_SPECS                                                              \
  { "activation", SYM_ATTRIBUTE_STRING, "", "what the result goes through" },         \
  {                                                                                   \
    "activation_params", SYM_ATTRIBUTE_FLOATS, "None", "parameters of the activation" \
  }

static const SymAttributeSpec conv_attributes[] = {
  ACTIVATION_SPECS,
  { "auto_pad", SYM_ATTRIBUTE_STRING, "NOTSET", "how padding is found",
    "NOTSET SAME_UPPER SAME_LOWER VALID" },
  { "dilations", SYM_ATTRIBUTE_INTS, "None", "distance of the places in a window" },
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels that do not see each other" },
  { "kernel_shape", SYM_ATTRIBUTE_INTS, "None", "size of the window; that of W by default" },
  { "pads", SYM_ATTRIBUTE_INTS, "None", "zeros before and behind each axis" },
  { "strides", SYM_ATTRIBUTE_INTS, "None", "steps of the window" },
  { NULL },
};

static const SymAttributeSpec gemm_attributes[] = {
  { "activation", SYM_ATTRIBUTE_STRING, "", "what the result goes through" },
  { "activation_alpha", SYM_ATTRIBUTE_FLOAT, "None", "first parameter of the activation" },
  { "activation_beta", SYM_ATTRIBUTE_FLOAT, "None", "second parameter of the activation" },
  { "activation_gamma", SYM_ATTRIBUTE_FLOAT, "None", "third parameter of the activation" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of C" },
  { "transA", SYM_ATTRIBUTE_INT, "0", "whether A is transposed" },
  { "transB", SYM_ATTRIBUTE_INT, "0", "whether B is transposed" },
  { NULL },
};

static const SymAttributeSpec nbits_attributes[] = {
  { "K", SYM_ATTRIBUTE_INT, NULL, "features of A" },
  { "N", SYM_ATTRIBUTE_INT, NULL, "features of the result" },
  { "bits", SYM_ATTRIBUTE_INT, "4", "bits of a weight" },
  { "block_size", SYM_ATTRIBUTE_INT, NULL, "weights that share a scale" },
  { "accuracy_level", SYM_ATTRIBUTE_INT, "0", "not used" },
  { NULL },
};

static const SymSlotSpec pair_slots[] = { { "A" }, { "B" }, { NULL } };
static const SymSlotSpec gemm_slots[] = { { "A" }, { "B" }, { "C", .optional = TRUE }, { NULL } };
static const SymSlotSpec conv_slots[] = { { "X" },
                                          { "W", SYM_SLOT_PARAMETER },
                                          { "B", SYM_SLOT_PARAMETER, TRUE },
                                          { "Z", .optional = TRUE },
                                          { NULL } };
static const SymSlotSpec nbits_slots[] = { { "A" },
                                           { "B", SYM_SLOT_PARAMETER },
                                           { "scales", SYM_SLOT_PARAMETER },
                                           { "zero_points", SYM_SLOT_PARAMETER, TRUE },
                                           { "g_idx", SYM_SLOT_PARAMETER, TRUE },
                                           { "bias", SYM_SLOT_PARAMETER, TRUE },
                                           { NULL } };

/* ---- FusedMatMul ---- */

/* First [batch..., a, b]: with @batch the first axis goes behind the others of the batch, then the
 * last two may be exchanged. */
static SymId
arrange (SymOpLower *self, guint i, gboolean batch, gboolean exchange)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  SymId x = sym_op_lower_input (self, i);
  int rank = shape->rank;
  gint64 axes[SYM_MAX_RANK], last;

  if (!sym_op_lower_need_tensor (self, i) || rank < 2 || (!batch && !exchange))
    return x;
  for (int k = 0; k < rank; k++)
    axes[k] = k;
  if (batch)
    {
      for (int k = 0; k < rank - 2; k++)
        axes[k] = k + 1;
      axes[rank - 2] = 0;
    }
  if (exchange)
    {
      last = axes[rank - 1];
      axes[rank - 1] = axes[rank - 2];
      axes[rank - 2] = last;
    }
  return sym_op_lower_permute (self, x, axes, rank);
}

static void
lower_fused_matmul (SymOpLower *self)
{
  double alpha = sym_op_lower_get_float (self, "alpha", 1);
  SymId a, b, y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  a = arrange (self, 0, sym_op_lower_get_int (self, "transBatchA", 0) != 0,
               sym_op_lower_get_int (self, "transA", 0) != 0);
  b = arrange (self, 1, sym_op_lower_get_int (self, "transBatchB", 0) != 0,
               sym_op_lower_get_int (self, "transB", 0) != 0);
  y = sym_op_lower_binary (self, "MatMul", a, b);
  if (alpha != 1)
    y = sym_op_lower_binary (
        self, "Mul", y, sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), alpha));
  sym_op_lower_set_output (self, 0, y);
}

static gboolean
infer_product (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_infer_lowered (rule, error);
}

/* ---- FusedGemm, FusedConv ---- */

static void
lower_fused_gemm (SymOpLower *self)
{
  const double params[2] = { sym_op_lower_get_float (self, "activation_alpha", (double) NAN),
                             sym_op_lower_get_float (self, "activation_beta", (double) NAN) };
  SymId y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  y = sym_op_microsoft_apply (self, "Gemm",
                              SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                                       sym_op_lower_input (self, 2)));
  sym_op_lower_set_output (self, 0, sym_op_microsoft_activate (self, y, params));
}

static void
read_params (SymOpLower *self, double params[2])
{
  const SymValue *list = sym_attributes_find (
      sym_layer_get_attributes (sym_op_lower_get_layer (self)), "activation_params");

  for (guint i = 0; i < 2; i++)
    {
      params[i] = (double) NAN;
      if (list != NULL && i < sym_value_get_n_children (list))
        sym_value_get_float (sym_value_get_child (list, i), &params[i]);
    }
}

static void
lower_fused_conv (SymOpLower *self)
{
  double params[2];
  SymId y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  read_params (self, params);
  y = sym_op_microsoft_apply (self, "Conv",
                              SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                                       sym_op_lower_input (self, 2)));
  if (sym_op_lower_has_input (self, 3))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, 3));
  sym_op_lower_set_output (self, 0, sym_op_microsoft_activate (self, y, params));
}

/* The channels of the data come last, those of the weight stay where they are. */
static void
lower_nhwc_conv (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  gint64 there[SYM_MAX_RANK] = { 0 }, back[SYM_MAX_RANK] = { 0 };
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (rank < 3)
    {
      sym_op_lower_fail (self, "NhwcConv: the data has %d axes; at least 3 are needed", rank);
      return;
    }
  there[1] = rank - 1;
  back[rank - 1] = 1;
  for (int i = 2; i < rank; i++)
    {
      there[i] = i - 1;
      back[i - 1] = i;
    }
  x = sym_op_lower_permute (self, sym_op_lower_input (self, 0), there, rank);
  x = sym_op_microsoft_apply (
      self, "Conv", SYM_IDS (x, sym_op_lower_input (self, 1), sym_op_lower_input (self, 2)));
  sym_op_lower_set_output (self, 0, sym_op_lower_permute (self, x, back, rank));
}

/* ---- MatMulNBits ---- */

/* Bytes [rows, n] as numbers [rows, 2 n], the low half of each byte first. */
static SymId
unpack_halves (SymOpLower *self, SymId bytes, gint64 n_rows, gint64 n)
{
  SymShape column = SYM_SHAPE (n_rows, n, 1), all = SYM_SHAPE (n_rows, 2 * n);
  SymId low = sym_op_lower_binary (self, "BitwiseAnd", bytes,
                                   sym_op_lower_number (self, SYM_DTYPE_UINT8, 15));
  SymId high = sym_op_lower_call (self, "BitShift",
                                  SYM_IDS (bytes, sym_op_lower_number (self, SYM_DTYPE_UINT8, 4)),
                                  "direction", sym_value_new_string ("RIGHT"), NULL);
  SymId both = sym_op_lower_call (self, "Concat",
                                  SYM_IDS (sym_op_lower_reshape (self, low, &column),
                                           sym_op_lower_reshape (self, high, &column)),
                                  "axis", sym_value_new_int (2), NULL);

  return sym_op_lower_reshape (self, both, &all);
}

typedef struct {
  gint64 k, n, bits, block, n_blocks;
  SymDType dtype;
} NBits;

/* What is subtracted of each block: [n, blocks, 1]. */
static SymId
lower_zeros (SymOpLower *self, const NBits *of)
{
  SymShape shape = SYM_SHAPE (of->n, of->n_blocks, 1);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 3);
  gint64 n_bytes = of->bits == 8 ? of->n_blocks : (of->n_blocks + 1) / 2;
  SymId zeros = sym_op_lower_input (self, 3);

  if (!sym_op_lower_has_input (self, 3))
    return sym_op_lower_number (self, of->dtype, of->bits == 8 ? 128 : 8);
  if (dtype == SYM_DTYPE_UINT8)
    {
      zeros = sym_op_lower_reshape (self, zeros, &SYM_SHAPE (of->n, n_bytes));
      if (of->bits == 4)
        zeros = sym_op_lower_slice (self, unpack_halves (self, zeros, of->n, n_bytes), 1, 0,
                                    of->n_blocks, 1);
      zeros = sym_op_lower_cast (self, zeros, of->dtype);
    }
  return sym_op_lower_reshape (self, zeros, &shape);
}

/* Whether the weight has as many bytes as all blocks of all rows. */
static gboolean
has_bytes (const NBits *of, guint64 n_bytes)
{
  guint64 n;

  return g_uint64_checked_mul (&n, (guint64) of->n, (guint64) of->n_blocks) &&
         g_uint64_checked_mul (&n, n, (guint64) (of->block * of->bits / 8)) && n == n_bytes;
}

static gboolean
read_nbits (SymOpLower *self, NBits *of)
{
  const SymShape *weight = sym_op_lower_get_input_shape (self, 1);
  guint64 n_bytes = 0;

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return FALSE;
  *of = (NBits){ .k = sym_op_lower_get_int (self, "K", 0),
                 .n = sym_op_lower_get_int (self, "N", 0),
                 .bits = sym_op_lower_get_int (self, "bits", 4),
                 .block = sym_op_lower_get_int (self, "block_size", 0),
                 .dtype = sym_op_lower_get_input_dtype (self, 0) };
  if ((of->bits != 4 && of->bits != 8) || sym_op_lower_has_input (self, 4))
    {
      sym_op_lower_refuse (self,
                           "MatMulNBits: %" G_GINT64_FORMAT
                           " bits, or groups by an index, are not lowered; 4 and 8 are",
                           of->bits);
      return FALSE;
    }
  if (of->k < 1 || of->n < 1 || of->block < 2 || of->k > G_MAXINT32 || of->n > G_MAXINT32 ||
      of->block > G_MAXINT32)
    {
      sym_op_lower_fail (self, "MatMulNBits: K, N and block_size must be told");
      return FALSE;
    }
  of->n_blocks = (of->k + of->block - 1) / of->block;
  if (!sym_shape_get_n_elements (weight, &n_bytes) || !has_bytes (of, n_bytes))
    {
      sym_op_lower_fail (self,
                         "MatMulNBits: the weight has %" G_GUINT64_FORMAT
                         " bytes, which are no %" G_GINT64_FORMAT " rows of %" G_GINT64_FORMAT
                         " blocks",
                         n_bytes, of->n, of->n_blocks);
      return FALSE;
    }
  return TRUE;
}

static void
lower_nbits (SymOpLower *self)
{
  SymId weight, y;
  gint64 n_bytes;
  NBits of;

  if (!read_nbits (self, &of))
    return;
  n_bytes = of.n_blocks * (of.block * of.bits / 8);
  weight = sym_op_lower_reshape (self, sym_op_lower_input (self, 1), &SYM_SHAPE (of.n, n_bytes));
  if (of.bits == 4)
    weight = unpack_halves (self, weight, of.n, n_bytes);
  weight = sym_op_lower_reshape (self, sym_op_lower_cast (self, weight, of.dtype),
                                 &SYM_SHAPE (of.n, of.n_blocks, of.block));
  weight = sym_op_lower_binary (self, "Sub", weight, lower_zeros (self, &of));
  weight = sym_op_lower_binary (
      self, "Mul", weight,
      sym_op_lower_reshape (self, sym_op_lower_input (self, 2), &SYM_SHAPE (of.n, of.n_blocks, 1)));
  weight = sym_op_lower_reshape (self, weight, &SYM_SHAPE (of.n, of.n_blocks * of.block));
  weight = sym_op_lower_slice (self, weight, 1, 0, of.k, 1);
  y = sym_op_lower_binary (self, "MatMul", sym_op_lower_input (self, 0),
                           sym_op_lower_transpose (self, weight, 2, 1, 0));
  if (sym_op_lower_has_input (self, 5))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, 5));
  sym_op_lower_set_output (self, 0, y);
}

static gboolean
infer_nbits (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "N", 0);
  SymShape x = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (x.rank < 1)
    return TRUE;
  x.dims[x.rank - 1] = n > 0 ? n : SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &x, error);
}

#define PRODUCT(name_, summary_, attributes_, slots_, infer_, lower_)                      \
  {                                                                                        \
    SYM_OP_MICROSOFT (name_), .summary = summary_, .category = SYM_CATEGORY_WEIGHTS,       \
                              .attributes = attributes_, .slots = slots_, .infer = infer_, \
                              .lower = lower_                                              \
  }

const SymOperator sym_op_microsoft_products[] = {
  PRODUCT ("FusedMatMul",
           "product of matrices, some of them transposed, times a number",
           matmul_attributes,
           pair_slots,
           infer_product,
           lower_fused_matmul),
  PRODUCT ("TransposeMatMul",
           "product of matrices, some of them transposed, times a number",
           matmul_attributes,
           pair_slots,
           infer_product,
           lower_fused_matmul),
  PRODUCT ("FusedGemm",
           "product of matrices and a sum, then an activation",
           gemm_attributes,
           gemm_slots,
           infer_product,
           lower_fused_gemm),
  PRODUCT ("FusedConv",
           "convolution and a sum, then an activation",
           conv_attributes,
           conv_slots,
           infer_product,
           lower_fused_conv),
  PRODUCT ("NhwcConv",
           "convolution of data whose channels come last",
           conv_attributes,
           conv_slots,
           infer_product,
           lower_nhwc_conv),
  PRODUCT ("MatMulNBits",
           "product with a matrix of 4 or 8 bits each",
           nbits_attributes,
           nbits_slots,
           infer_nbits,
           lower_nbits),
  { NULL },
};
