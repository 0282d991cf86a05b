/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Tensors laid one after the other, as numpy has it: some get axes before they are. */

/* ---- concatenate ---- */

static const SymAttributeSpec concatenate_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "axis along which the operands are laid; flat when None" },
  { "dim", SYM_ATTRIBUTE_INT, "0", "newer name of axis" },
  { NULL },
};

static gboolean
concatenate_flat (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim sum = 0;

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape own = sym_rule_get_input (rule, i);

      sum = sym_terms_add (terms, sum,
                           own.rank >= 0 ? sym_terms_product (terms, own.dims, own.rank)
                                         : SYM_DIM_UNKNOWN);
    }
  return sym_op_set_output (rule, 0, SYM_SHAPE (sum), SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_concatenate (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  const SymValue *axis = sym_attributes_find (attributes, "dim");

  if (axis == NULL)
    axis = sym_attributes_find (attributes, "axis");
  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (axis != NULL && sym_value_get_kind (axis) == SYM_VALUE_NONE)
    return concatenate_flat (rule, error);
  return sym_op_concatenate (
      rule, 0, sym_op_get_int (attributes, "dim", sym_op_get_int (attributes, "axis", 0)), error);
}

/* ---- vstack, hstack, dstack, column_stack ---- */

static const SymAttributeSpec stack_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "not used" },
  { "dim", SYM_ATTRIBUTE_INT, "0", "not used" },
  { NULL },
};

typedef SymShape (*Adapt) (SymShape shape);

/* Adds an operand to what lies along @axis so far. */
static gboolean
join (SymRule *rule, SymShape *out, const SymShape *own, int axis, GError **error)
{
  SymDim sum;

  if (out->rank < 0)
    {
      *out = *own;
      return TRUE;
    }
  if (out->rank != own->rank)
    return sym_rule_fail (error, "operands have %d and %d axes where they are joined", out->rank,
                          own->rank);
  sum = sym_terms_add (sym_rule_get_terms (rule), out->dims[axis], own->dims[axis]);
  for (int i = 0; i < own->rank; i++)
    if (i != axis &&
        !sym_rule_unify (rule, own->dims[i], out->dims[i], "axis that is not joined", error))
      return FALSE;
  out->dims[axis] = sum;
  return TRUE;
}

/* Joins the operands as @adapt makes them along @axis, or the last axis before it. */
static gboolean
infer_stack (SymRule *rule, Adapt adapt, int axis, GError **error)
{
  SymShape out = SYM_SHAPE_UNKNOWN;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape own = sym_rule_get_input (rule, i);

      if (own.rank < 0)
        return TRUE;
      own = adapt (own);
      if (!join (rule, &out, &own, MIN (axis, own.rank - 1), error))
        return FALSE;
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

static SymShape
make_row (SymShape shape)
{
  while (shape.rank < 2)
    shape = sym_op_insert_axis (&shape, 0, 1);
  return shape;
}

static SymShape
make_column (SymShape shape)
{
  while (shape.rank < 2)
    shape = sym_op_insert_axis (&shape, shape.rank, 1);
  return shape;
}

static SymShape
make_vector (SymShape shape)
{
  return shape.rank == 0 ? SYM_SHAPE (1) : shape;
}

static SymShape
make_depth (SymShape shape)
{
  shape = make_row (shape);
  return shape.rank == 2 ? sym_op_insert_axis (&shape, 2, 1) : shape;
}

static gboolean
infer_vstack (SymRule *rule, GError **error)
{
  return infer_stack (rule, make_row, 0, error);
}

static gboolean
infer_hstack (SymRule *rule, GError **error)
{
  return infer_stack (rule, make_vector, 1, error);
}

static gboolean
infer_dstack (SymRule *rule, GError **error)
{
  return infer_stack (rule, make_depth, 2, error);
}

static gboolean
infer_column_stack (SymRule *rule, GError **error)
{
  return infer_stack (rule, make_column, 1, error);
}

#define JOIN(name_, summary_, attributes_, infer_, lower_)                                 \
  {                                                                                        \
    SYM_OP_MXNET, .name = name_, .summary = summary_, .reference = "MXNet 2.0 " name_,     \
                  .category = SYM_CATEGORY_MERGE, .attributes = attributes_,               \
                  .slots = sym_op_mxnet_many, .get_n_operands = sym_op_mxnet_get_num_args, \
                  .infer = infer_, .lower = lower_                                         \
  }

const SymOperator sym_op_mxnet_numpy_join[] = {
  JOIN ("_npi_concatenate",
        "lays tensors one after the other along an axis",
        concatenate_attributes,
        infer_concatenate,
        sym_op_mxnet_lower_concatenate),
  JOIN ("_npi_vstack",
        "lays tensors below each other",
        stack_attributes,
        infer_vstack,
        sym_op_mxnet_lower_stacks),
  JOIN ("_npi_hstack",
        "lays tensors beside each other",
        stack_attributes,
        infer_hstack,
        sym_op_mxnet_lower_stacks),
  JOIN ("_npi_dstack",
        "lays tensors behind each other",
        stack_attributes,
        infer_dstack,
        sym_op_mxnet_lower_stacks),
  JOIN ("_npi_column_stack",
        "lays vectors as columns",
        stack_attributes,
        infer_column_stack,
        sym_op_mxnet_lower_stacks),
  { NULL },
};
