/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <string.h>

/* Products of matrices. */

/* ---- linear, addmm ---- */

static gboolean
infer_linear (SymRule *rule, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0), weight = sym_rule_get_input (rule, 1);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (input.rank < 0 || weight.rank < 0)
    return TRUE;
  if (input.rank < 1 || weight.rank < 1 || weight.rank > 2)
    return sym_rule_fail (error, "data of %d axes and a weight of %d", input.rank, weight.rank);
  if (!sym_rule_unify (rule, input.dims[input.rank - 1], weight.dims[weight.rank - 1],
                       "features of the data", error))
    return FALSE;
  if (weight.rank == 1)
    input.rank--;
  else
    input.dims[input.rank - 1] = weight.dims[0];
  return sym_rule_set_output (rule, 0, &input, error);
}

static void
lower_linear (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymId weight = sym_op_aten_input_as (self, 1, dtype), y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_lower_get_input_shape (self, 1)->rank == 2)
    weight = sym_op_lower_transpose (self, weight, 2, 1, 0);
  y = sym_op_lower_binary (self, "MatMul", sym_op_lower_input (self, 0), weight);
  if (sym_op_lower_has_input (self, 2))
    y = sym_op_lower_binary (self, "Add", y, sym_op_aten_input_as (self, 2, dtype));
  sym_op_lower_set_output (self, 0, y);
}

static gboolean
infer_addmm (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 1), b = sym_rule_get_input (rule, 2);

  if (a.rank != 2 || b.rank != 2)
    return sym_op_infer_lowered (rule, error);
  return sym_op_pass_dtype (rule, 1, 0, error) &&
         sym_rule_unify (rule, a.dims[1], b.dims[0], "columns of the first matrix", error) &&
         sym_op_set_output (rule, 0, SYM_SHAPE (a.dims[0], b.dims[1]), SYM_DTYPE_UNKNOWN, error);
}

static SymId
scale (SymOpLower *self, SymId x, const char *name, SymDType dtype)
{
  double factor = sym_op_lower_get_float (self, name, 1);

  return factor == 1
             ? x
             : sym_op_lower_binary (self, "Mul", x, sym_op_aten_number (self, dtype, factor));
}

/* beta * self + alpha * (a b); of addbmm the products of the batch are summed. */
static void
lower_addmm (SymOpLower *self)
{
  gboolean sums = g_str_has_prefix (sym_op_lower_get_type (self), "aten.addbmm");
  SymDType dtype = sym_op_lower_get_input_dtype (self, 1);
  gint64 first = 0;
  SymId y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_need_tensor (self, 2))
    return;
  y = sym_op_lower_binary (self, "MatMul", sym_op_lower_input (self, 1),
                           sym_op_aten_input_as (self, 2, dtype));
  if (sums)
    y = sym_op_lower_reduce (self, "ReduceSum", y, &first, 1, FALSE);
  y = scale (self, y, "alpha", dtype);
  if (sym_op_lower_get_float (self, "beta", 1) != 0)
    y = sym_op_lower_binary (self, "Add", y,
                             scale (self, sym_op_aten_input_as (self, 0, dtype), "beta", dtype));
  sym_op_lower_set_output (self, 0, y);
}

/* ---- matmul ---- */

static void
lower_matmul (SymOpLower *self)
{
  SymOpAtenKind kinds[] = { sym_op_aten_kind (self, 0, NULL), sym_op_aten_kind (self, 1, NULL) };
  SymDType dtype = sym_op_aten_promote (kinds, 2);

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "MatMul",
                                                  sym_op_aten_input_as (self, 0, dtype),
                                                  sym_op_aten_input_as (self, 1, dtype)));
}

/* Each number of one vector times each of the other. */
static void
lower_outer (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "Mul",
                             sym_op_aten_unsqueeze (self, sym_op_lower_input (self, 0), 1),
                             sym_op_lower_input (self, 1)));
}

static void
lower_einsum (SymOpLower *self)
{
  const char *equation = sym_op_lower_get_string (self, "equation", NULL);
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    {
      if (!sym_op_lower_need_tensor (self, i))
        return;
      parts[i] = sym_op_lower_input (self, i);
    }
  if (n == 0 || equation == NULL)
    {
      sym_op_lower_fail (self, "%s: it needs an equation and operands",
                         sym_op_lower_get_type (self));
      return;
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Einsum", (SymIds){ parts, n }, "equation",
                                              sym_value_new_string (equation), NULL));
}

/* x A y + b, for each feature of the result. */
static void
lower_bilinear (SymOpLower *self)
{
  SymId y;

  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  y = sym_op_lower_call (self, "Einsum",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 2),
                                  sym_op_lower_input (self, 1)),
                         "equation", sym_value_new_string ("...i,oij,...j->...o"), NULL);
  if (sym_op_lower_has_input (self, 3))
    y = sym_op_lower_binary (self, "Add", y, sym_op_lower_input (self, 3));
  sym_op_lower_set_output (self, 0, y);
}

/* ---- Distances ---- */

/* The root of the sum of |a - b|^p over rows of both. */
static void
lower_cdist (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double p = sym_op_lower_get_float (self, "p", 2);
  gint64 last = -1;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (p != 1 && p != 2)
    sym_op_lower_refuse (self, "%s: order %g is not lowered", sym_op_lower_get_type (self), p);
  x = sym_op_lower_binary (self, "Sub",
                           sym_op_aten_unsqueeze (self, sym_op_lower_input (self, 0), -2),
                           sym_op_aten_unsqueeze (self, sym_op_aten_input_as (self, 1, dtype), -3));
  sym_op_lower_set_output (
      self, 0, sym_op_lower_reduce (self, p == 1 ? "ReduceL1" : "ReduceL2", x, &last, 1, FALSE));
}

/* The cosine of the angle between two vectors along an axis. */
static void
lower_cosine (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gint64 axis = sym_op_lower_get_int (self, "dim", 1);
  SymId x = sym_op_lower_input (self, 0), y = sym_op_aten_input_as (self, 1, dtype), least, a, b;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  least = sym_op_aten_number (self, dtype, sym_op_lower_get_float (self, "eps", 1e-8));
  a = sym_op_lower_binary (self, "Max", sym_op_lower_reduce (self, "ReduceL2", x, &axis, 1, FALSE),
                           least);
  b = sym_op_lower_binary (self, "Max", sym_op_lower_reduce (self, "ReduceL2", y, &axis, 1, FALSE),
                           least);
  x = sym_op_lower_reduce (self, "ReduceSum", sym_op_lower_binary (self, "Mul", x, y), &axis, 1,
                           FALSE);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Div", x, sym_op_lower_binary (self, "Mul", a, b)));
}

static const SymSlotSpec linear_slots[] = {
  { "input" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec add_slots[] = { { "self" }, { "mat1" }, { "mat2" }, { NULL } };
static const SymSlotSpec batch_slots[] = { { "self" }, { "batch1" }, { "batch2" }, { NULL } };
static const SymSlotSpec vector_slots[] = { { "self" }, { "mat" }, { "vec" }, { NULL } };
static const SymSlotSpec mat_slots[] = { { "self" }, { "mat2" }, { NULL } };
static const SymSlotSpec vec_slots[] = { { "self" }, { "vec" }, { NULL } };
static const SymSlotSpec outer_slots[] = { { "self" }, { "vec2" }, { NULL } };
static const SymSlotSpec dot_slots[] = { { "self" }, { "tensor" }, { NULL } };
static const SymSlotSpec two[] = { { "x1" }, { "x2" }, { NULL } };
static const SymSlotSpec bilinear_slots[] = {
  { "input1" },
  { "input2" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymAttributeSpec add_attributes[] = {
  { "beta", SYM_ATTRIBUTE_FLOAT, "1", "factor of what is added" },
  { "alpha", SYM_ATTRIBUTE_FLOAT, "1", "factor of the product" },
  { NULL },
};

static const SymAttributeSpec einsum_attributes[] = {
  { "equation", SYM_ATTRIBUTE_STRING, NULL, "a letter for each axis: “ij,jk->ik”" },
  { NULL },
};

static const SymAttributeSpec distance_attributes[] = {
  { "p", SYM_ATTRIBUTE_FLOAT, "2", "the order of the norm" },
  { NULL },
};

static const SymAttributeSpec cosine_attributes[] = {
  { "dim", SYM_ATTRIBUTE_INT, "1", "the axis" },
  { "eps", SYM_ATTRIBUTE_FLOAT, "1e-08", "least length" },
  { NULL },
};

#define PRODUCT_(name_, aliases_, summary_, category_, attributes_, slots_, infer_, lower_) \
  SYM_OP_ATEN, .name = "aten." name_, .aliases = aliases_, .summary = summary_,             \
               .reference = "PyTorch 2 Core ATen IR", .category = SYM_CATEGORY_##category_, \
               .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_

#define PRODUCT(...)       \
  {                        \
    PRODUCT_ (__VA_ARGS__) \
  }

const SymOperator sym_op_aten_matmul[] = {
  PRODUCT ("linear",
           NULL,
           "Fully connected layer over the last axis",
           WEIGHTS,
           NULL,
           linear_slots,
           infer_linear,
           lower_linear),
  PRODUCT ("addmm",
           NULL,
           "Product of two matrices, and what is added",
           WEIGHTS,
           add_attributes,
           add_slots,
           infer_addmm,
           lower_addmm),
  PRODUCT ("baddbmm",
           "aten.addbmm",
           "Products of matrices, and what is added",
           WEIGHTS,
           add_attributes,
           batch_slots,
           sym_op_infer_lowered,
           lower_addmm),
  PRODUCT ("addmv",
           NULL,
           "A matrix times a vector, and what is added",
           WEIGHTS,
           add_attributes,
           vector_slots,
           sym_op_infer_lowered,
           lower_addmm),
  PRODUCT ("matmul",
           "aten.linalg_matmul",
           "Product of matrices or vectors",
           WEIGHTS,
           NULL,
           sym_op_aten_pair,
           sym_op_infer_lowered,
           lower_matmul),
  PRODUCT ("mm",
           "aten.bmm",
           "Product of matrices",
           WEIGHTS,
           NULL,
           mat_slots,
           sym_op_infer_lowered,
           lower_matmul),
  PRODUCT ("mv",
           NULL,
           "A matrix times a vector",
           WEIGHTS,
           NULL,
           vec_slots,
           sym_op_infer_lowered,
           lower_matmul),
  PRODUCT ("dot",
           "aten.vdot",
           "Product of two vectors",
           WEIGHTS,
           NULL,
           dot_slots,
           sym_op_infer_lowered,
           lower_matmul),
  PRODUCT ("outer",
           "aten.ger",
           "Each number times each",
           WEIGHTS,
           NULL,
           outer_slots,
           sym_op_infer_lowered,
           lower_outer),
  {
      PRODUCT_ ("einsum",
                NULL,
                "Sums of products, by letters",
                WEIGHTS,
                einsum_attributes,
                sym_op_aten_tensors,
                sym_op_infer_lowered,
                lower_einsum),
      .get_n_operands = sym_op_aten_any_number,
  },
  PRODUCT ("bilinear",
           NULL,
           "A form of two vectors",
           WEIGHTS,
           NULL,
           bilinear_slots,
           sym_op_infer_lowered,
           lower_bilinear),
  PRODUCT ("cdist",
           "aten._cdist_forward",
           "Distances between rows",
           OTHER,
           distance_attributes,
           two,
           sym_op_infer_lowered,
           lower_cdist),
  PRODUCT ("cosine_similarity",
           NULL,
           "Cosine of the angle of two vectors",
           OTHER,
           cosine_attributes,
           two,
           sym_op_infer_lowered,
           lower_cosine),
  { NULL },
};
