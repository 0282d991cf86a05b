/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

static const SymAttributeSpec dot_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first is transposed" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second is transposed" },
  { "forward_stype", SYM_ATTRIBUTE_STRING, "None", "storage of the result",
    "default row_sparse csr" },
  { NULL },
};

static gboolean
fail_dot (SymRule *rule, const char *what, GError **error)
{
  SymShape left = sym_rule_get_input (rule, 0), right = sym_rule_get_input (rule, 1);
  g_autofree char *left_text = sym_rule_format_shape (rule, &left);
  g_autofree char *right_text = sym_rule_format_shape (rule, &right);

  return sym_rule_fail (error, "%s shape error: %s X %s", what, left_text, right_text);
}

/* ---- dot ---- */

/* Sums over the last axis of the first and the first axis of the second, or over the others where
 * transposed: [..., k] . [k, ...] -> [..., ...]; two vectors -> [1]. */
static gboolean
infer_dot (SymRule *rule, GError **error)
{
  gboolean ta = sym_rule_get_bool (rule, "transpose_a", FALSE);
  gboolean tb = sym_rule_get_bool (rule, "transpose_b", FALSE);
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);
  SymShape out = { .rank = 0 };

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (a.rank == 0 || b.rank == 0 || a.rank + b.rank - 2 > SYM_MAX_RANK)
    return fail_dot (rule, "dot", error);
  if (!sym_rule_unify (rule, a.dims[ta ? 0 : a.rank - 1], b.dims[tb ? b.rank - 1 : 0], "dot", NULL))
    return fail_dot (rule, "dot", error);
  for (int i = 0; i < a.rank - 1; i++)
    out.dims[out.rank++] = a.dims[ta ? i + 1 : i];
  for (int i = 0; i < b.rank - 1; i++)
    out.dims[out.rank++] = b.dims[tb ? i : i + 1];
  if (out.rank == 0)
    out = SYM_SHAPE (1);
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- batch_dot ---- */

/* [batch..., m, k] . [batch..., k, n] -> [batch..., m, n]; all three of one rank, both ways. */
static gboolean
tie_matrices (SymRule *rule, gboolean ta, gboolean tb, const char *what, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), out, common;
  int rank = a.rank >= 0 ? a.rank : b.rank;

  if (rank < 0)
    return TRUE;
  if (rank < 2)
    return fail_dot (rule, what, error);
  common = sym_shape_new_unknown (rank);
  for (int pass = 0; pass < 2; pass++)
    {
      for (guint i = 0; i < 2; i++)
        {
          SymShape own;

          common.dims[rank - 1] = common.dims[rank - 2] = SYM_DIM_UNKNOWN;
          if (!sym_rule_set_input (rule, i, &common, NULL))
            return fail_dot (rule, what, error);
          own = sym_rule_get_input (rule, i);
          common = own.rank == rank ? own : common;
        }
    }
  a = sym_rule_get_input (rule, 0);
  b = sym_rule_get_input (rule, 1);
  if (a.rank != rank || b.rank != rank)
    return TRUE;
  if (!sym_rule_unify (rule, a.dims[ta ? rank - 2 : rank - 1], b.dims[tb ? rank - 1 : rank - 2],
                       what, NULL))
    return fail_dot (rule, what, error);
  out = a;
  out.dims[rank - 2] = a.dims[ta ? rank - 1 : rank - 2];
  out.dims[rank - 1] = b.dims[tb ? rank - 2 : rank - 1];
  return sym_rule_set_output (rule, 0, &out, error);
}

gboolean
sym_op_mxnet_infer_batch_dot_shapes (SymRule *rule, GError **error)
{
  return tie_matrices (rule, sym_rule_get_bool (rule, "transpose_a", FALSE),
                       sym_rule_get_bool (rule, "transpose_b", FALSE), "batch_dot", error);
}

static gboolean
infer_batch_dot (SymRule *rule, GError **error)
{
  return sym_op_mxnet_tie_all_dtypes (rule, error) &&
         sym_op_mxnet_infer_batch_dot_shapes (rule, error);
}

/* ---- linalg_gemm2, linalg_gemm ---- */

static const SymAttributeSpec gemm2_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first is transposed" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second is transposed" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },
  { "axis", SYM_ATTRIBUTE_INT, "-2", "axis of the rows" },
  { NULL },
};

static const SymAttributeSpec gemm_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first is transposed" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second is transposed" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the product" },
  { "beta", SYM_ATTRIBUTE_FLOAT, "1.0", "factor of the third" },
  { "axis", SYM_ATTRIBUTE_INT, "-2", "axis of the rows" },
  { NULL },
};

static const SymSlotSpec gemm2_slots[] = { { "A" }, { "B" }, { NULL } };
static const SymSlotSpec gemm_slots[] = { { "A" }, { "B" }, { "C" }, { NULL } };

/* Rows along another axis than the last but one are left open. */
static gboolean
infer_gemm (SymRule *rule, GError **error)
{
  if (sym_rule_get_int (rule, "axis", -2) != -2)
    return sym_op_mxnet_tie_all_dtypes (rule, error);
  return infer_batch_dot (rule, error) &&
         (!sym_rule_has_input (rule, 2) || sym_op_pass_shape (rule, 2, 0, error));
}

/* ---- Interleaved attention ---- */

static const SymAttributeSpec attention_attributes[] = {
  { "heads", SYM_ATTRIBUTE_INT, NULL, "number of attention heads" },
  { NULL },
};

static const SymSlotSpec self_qk_slots[] = { { "queries_keys_values" }, { NULL } };
static const SymSlotSpec self_val_slots[] = { { "queries_keys_values" },
                                              { "attention" },
                                              { NULL } };
static const SymSlotSpec enc_qk_slots[] = { { "queries" }, { "keys_values" }, { NULL } };
static const SymSlotSpec enc_val_slots[] = { { "keys_values" }, { "attention" }, { NULL } };

/* The two operands with three axes each, and the number of rows of all heads: batch * heads. */
static gboolean
start_attention (SymRule *rule, SymShape *first, SymShape *second, SymDim *rows, GError **error)
{
  gint64 heads = sym_rule_get_int (rule, "heads", 0);
  SymShape three = sym_shape_new_unknown (3);

  if (heads < 1)
    return sym_rule_fail (error, "heads should be at least 1");
  if (!sym_op_mxnet_tie_all_dtypes (rule, error) || !sym_rule_set_input (rule, 0, &three, error) ||
      !sym_rule_set_input (rule, 1, &three, error))
    return FALSE;
  *first = sym_rule_get_input (rule, 0);
  *second = sym_rule_has_input (rule, 1) ? sym_rule_get_input (rule, 1) : three;
  *rows = sym_terms_multiply (sym_rule_get_terms (rule), first->dims[1], heads);
  return TRUE;
}

/* A third, or half, of the last axis: the projections lie side by side. */
static SymDim
get_projection (SymRule *rule, SymDim dim, gint64 parts)
{
  SymDim part;

  return sym_terms_divide_exactly (sym_rule_get_terms (rule), dim, parts, &part) ? part
                                                                                 : SYM_DIM_UNKNOWN;
}

/* [length, batch, 3 * width] -> [batch * heads, length, length]. */
static gboolean
infer_self_qk (SymRule *rule, GError **error)
{
  SymShape all, none;
  SymDim rows;

  return start_attention (rule, &all, &none, &rows, error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (rows, all.dims[0], all.dims[0]), SYM_DTYPE_UNKNOWN,
                            error);
}

/* [length, batch, 3 * width] and [batch * heads, length, length] -> [length, batch, width]. */
static gboolean
infer_self_val (SymRule *rule, GError **error)
{
  SymShape all, attention;
  SymDim rows;

  return start_attention (rule, &all, &attention, &rows, error) &&
         sym_op_set_input (rule, 1, SYM_SHAPE (rows, all.dims[0], all.dims[0]), error) &&
         sym_op_set_output (
             rule, 0, SYM_SHAPE (all.dims[0], all.dims[1], get_projection (rule, all.dims[2], 3)),
             SYM_DTYPE_UNKNOWN, error);
}

/* [q, batch, width] and [k, batch, 2 * width] -> [batch * heads, q, k]. */
static gboolean
infer_enc_qk (SymRule *rule, GError **error)
{
  SymShape queries, keys;
  SymDim rows;

  return start_attention (rule, &queries, &keys, &rows, error) &&
         sym_op_set_input (
             rule, 1,
             SYM_SHAPE (SYM_DIM_UNKNOWN, queries.dims[1],
                        sym_terms_multiply (sym_rule_get_terms (rule), queries.dims[2], 2)),
             error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (rows, queries.dims[0], keys.dims[0]),
                            SYM_DTYPE_UNKNOWN, error);
}

/* [k, batch, 2 * width] and [batch * heads, q, k] -> [q, batch, width]. */
static gboolean
infer_enc_val (SymRule *rule, GError **error)
{
  SymShape keys, attention;
  SymDim rows;

  return start_attention (rule, &keys, &attention, &rows, error) &&
         sym_op_set_input (rule, 1, SYM_SHAPE (rows, SYM_DIM_UNKNOWN, keys.dims[0]), error) &&
         sym_op_set_output (
             rule, 0,
             SYM_SHAPE (attention.dims[1], keys.dims[1], get_projection (rule, keys.dims[2], 2)),
             SYM_DTYPE_UNKNOWN, error);
}

/* ---- khatri_rao ---- */

/* Matrices [a, n], [b, n], ... -> [a * b * ..., n]. */
static gboolean
infer_khatri_rao (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim rows = 1, columns = SYM_DIM_UNKNOWN;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape own;

      if (!sym_op_set_input (rule, i, SYM_SHAPE (SYM_DIM_UNKNOWN, columns), error))
        return FALSE;
      own = sym_rule_get_input (rule, i);
      rows = sym_terms_multiply (terms, rows, own.rank == 2 ? own.dims[0] : SYM_DIM_UNKNOWN);
      columns = own.rank == 2 ? own.dims[1] : columns;
    }
  return sym_op_set_output (rule, 0, SYM_SHAPE (rows, columns), SYM_DTYPE_UNKNOWN, error);
}

static const SymAttributeSpec khatri_rao_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { NULL },
};

/* ---- Lowering ---- */

/* Operand @i as a matrix whose columns, or rows with @first, are summed over. */
static SymId
lower_matrix (SymOpLower *self, guint i, gboolean first)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  gint64 inner = shape->dims[first ? 0 : shape->rank - 1];
  guint64 n = 0;
  gint64 outer;

  sym_shape_get_n_elements (shape, &n);
  outer = inner == 0 ? 0 : (gint64) n / inner;
  return sym_op_lower_reshape (self, sym_op_lower_input (self, i),
                               first ? &SYM_SHAPE (inner, outer) : &SYM_SHAPE (outer, inner));
}

static gboolean
has_both (SymOpLower *self)
{
  return sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1) &&
         sym_op_lower_get_output_shape (self, 0)->rank >= 0 && !sym_op_lower_has_failed (self);
}

static void
lower_dot (SymOpLower *self)
{
  gboolean ta = sym_op_lower_get_bool (self, "transpose_a", FALSE);
  gboolean tb = sym_op_lower_get_bool (self, "transpose_b", FALSE);
  SymId a, b;

  if (!has_both (self))
    return;
  a = lower_matrix (self, 0, ta);
  b = lower_matrix (self, 1, !tb);
  a = ta ? sym_op_lower_transpose (self, a, 2, 1, 0) : a;
  b = tb ? sym_op_lower_transpose (self, b, 2, 1, 0) : b;
  sym_op_lower_finish (self, sym_op_lower_binary (self, "MatMul", a, b));
}

/* Operand @i with its last two axes exchanged where the attribute says so. */
static SymId
lower_side (SymOpLower *self, guint i, const char *attribute)
{
  int rank = sym_op_lower_get_input_shape (self, i)->rank;

  return sym_op_lower_exchange_if (self, sym_op_lower_input (self, i), rank, attribute);
}

static SymId
lower_factor (SymOpLower *self, SymId x, const char *attribute)
{
  double factor = sym_op_lower_get_float (self, attribute, 1);

  if (factor == 1)
    return x;
  return sym_op_lower_binary (
      self, "Mul", x, sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), factor));
}

/* batch_dot, and products with factors and perhaps an addend. */
static void
lower_products (SymOpLower *self)
{
  SymId y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_lower_get_int (self, "axis", -2) != -2)
    {
      sym_op_lower_refuse (self, "%s: rows along axis %" G_GINT64_FORMAT " are not lowered",
                           sym_op_lower_get_type (self), sym_op_lower_get_int (self, "axis", -2));
      return;
    }
  if (!has_both (self))
    return;
  y = sym_op_lower_binary (self, "MatMul", lower_side (self, 0, "transpose_a"),
                           lower_side (self, 1, "transpose_b"));
  y = lower_factor (self, y, "alpha");
  if (sym_op_lower_has_input (self, 2))
    y = sym_op_lower_binary (self, "Add", y,
                             lower_factor (self, sym_op_lower_input (self, 2), "beta"));
  sym_op_lower_set_output (self, 0, y);
}

/* Part @part of @parts that lie side by side in operand 0 or 1, [length, batch, heads * parts * d],
 * as [batch * heads, length, d]. */
static SymId
lower_projection (SymOpLower *self, guint i, int part, int parts)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  gint64 heads = sym_op_lower_get_int (self, "heads", 1);
  gint64 length = shape->dims[0], batch = shape->dims[1];
  gint64 width = heads < 1 ? 0 : shape->dims[2] / heads / parts;
  SymId x = sym_op_lower_reshape (self, sym_op_lower_input (self, i),
                                  &SYM_SHAPE (length, batch * heads, parts, width));

  x = sym_op_lower_slice (self, x, 2, part, part + 1, 1);
  x = sym_op_lower_reshape (self, x, &SYM_SHAPE (length, batch * heads, width));
  return sym_op_lower_transpose (self, x, 3, 1, 0, 2);
}

/* Queries over the root of their length, times keys. */
static void
lower_scores (SymOpLower *self, SymId queries, SymId keys, int parts)
{
  gint64 heads = MAX (sym_op_lower_get_int (self, "heads", 1), 1);
  double width = (double) (sym_op_lower_get_input_shape (self, 0)->dims[2] / heads / parts);

  queries = sym_op_lower_binary (
      self, "Div", queries,
      sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0), sqrt (width)));
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "MatMul", queries,
                                                sym_op_lower_transpose (self, keys, 3, 0, 2, 1)));
}

static void
lower_self_qk (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_get_output_shape (self, 0)->rank == 3 &&
      !sym_op_lower_has_failed (self))
    lower_scores (self, lower_projection (self, 0, 0, 3), lower_projection (self, 0, 1, 3), 3);
}

static void
lower_enc_qk (SymOpLower *self)
{
  if (has_both (self))
    lower_scores (self, lower_projection (self, 0, 0, 1), lower_projection (self, 1, 0, 2), 1);
}

/* [batch * heads, q, k] times values, back in the order [q, batch, heads * d]. */
static void
lower_attended (SymOpLower *self, SymId values)
{
  SymId y = sym_op_lower_binary (self, "MatMul", sym_op_lower_input (self, 1), values);

  sym_op_lower_finish (self, sym_op_lower_transpose (self, y, 3, 1, 0, 2));
}

static void
lower_self_val (SymOpLower *self)
{
  if (has_both (self))
    lower_attended (self, lower_projection (self, 0, 2, 3));
}

static void
lower_enc_val (SymOpLower *self)
{
  if (has_both (self))
    lower_attended (self, lower_projection (self, 0, 1, 2));
}

/* Column by column: [a, 1, n] * [1, b, n] as [a * b, n]. */
static void
lower_khatri_rao (SymOpLower *self)
{
  SymId product = sym_op_lower_input (self, 0);
  gint64 rows = sym_op_lower_get_input_shape (self, 0)->dims[0];
  gint64 columns = sym_op_lower_get_input_shape (self, 0)->dims[1];

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank != 2 ||
      sym_op_lower_has_failed (self))
    return;
  for (guint i = 1; i < sym_op_lower_get_n_inputs (self); i++)
    {
      gint64 more = sym_op_lower_get_input_shape (self, i)->dims[0];
      SymId left = sym_op_lower_reshape (self, product, &SYM_SHAPE (rows, 1, columns));
      SymId right =
          sym_op_lower_reshape (self, sym_op_lower_input (self, i), &SYM_SHAPE (1, more, columns));

      rows *= more;
      product = sym_op_lower_reshape (self, sym_op_lower_binary (self, "Mul", left, right),
                                      &SYM_SHAPE (rows, columns));
    }
  sym_op_lower_set_output (self, 0, product);
}

#define MATMUL(name_, aliases_, summary_, attributes_, slots_, infer_)                   \
  SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                 \
                .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_ELEMENTWISE, \
                .attributes = attributes_, .slots = slots_, .infer = infer_

const SymOperator sym_op_mxnet_matmul[] = {
  { MATMUL ("dot", NULL, "product of matrices", dot_attributes, sym_op_mxnet_pair, infer_dot),
    .lower = lower_dot },
  { MATMUL ("batch_dot",
            "_npx_batch_dot",
            "product of the matrices of a batch",
            dot_attributes,
            sym_op_mxnet_pair,
            infer_batch_dot),
    .lower = lower_products },
  { MATMUL ("_linalg_gemm2",
            "linalg_gemm2",
            "product of matrices",
            gemm2_attributes,
            gemm2_slots,
            infer_gemm),
    .lower = lower_products },
  { MATMUL ("_linalg_gemm",
            "linalg_gemm",
            "product of matrices plus a matrix",
            gemm_attributes,
            gemm_slots,
            infer_gemm),
    .lower = lower_products },
  { MATMUL ("_contrib_interleaved_matmul_selfatt_qk",
            "_npx_interleaved_matmul_selfatt_qk",
            "queries times keys of attention to the same sequence",
            attention_attributes,
            self_qk_slots,
            infer_self_qk),
    .lower = lower_self_qk },
  { MATMUL ("_contrib_interleaved_matmul_selfatt_valatt",
            "_npx_interleaved_matmul_selfatt_valatt",
            "attention times values of the same sequence",
            attention_attributes,
            self_val_slots,
            infer_self_val),
    .lower = lower_self_val },
  { MATMUL ("_contrib_interleaved_matmul_encdec_qk",
            "_npx_interleaved_matmul_encdec_qk",
            "queries times keys of attention to another sequence",
            attention_attributes,
            enc_qk_slots,
            infer_enc_qk),
    .lower = lower_enc_qk },
  { MATMUL ("_contrib_interleaved_matmul_encdec_valatt",
            "_npx_interleaved_matmul_encdec_valatt",
            "attention times values of another sequence",
            attention_attributes,
            enc_val_slots,
            infer_enc_val),
    .lower = lower_enc_val },
  {
      MATMUL ("khatri_rao",
              NULL,
              "product of each column with each",
              khatri_rao_attributes,
              sym_op_mxnet_many,
              infer_khatri_rao),
      .lower = lower_khatri_rao,
      .get_n_operands = sym_op_mxnet_get_num_args,
  },
  { NULL },
};
