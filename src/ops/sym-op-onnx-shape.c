/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Shape and Size: what a tensor's shape is, as numbers of a model. */

static const SymAttributeSpec shape_attributes[] = {
  { "end", SYM_ATTRIBUTE_INT, "None", "the first axis that is left out; negative from the back" },
  { "start", SYM_ATTRIBUTE_INT, "0", "the first axis that is told; negative from the back" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "data" }, { NULL } };

static gint64
clamp_axis (gint64 axis, int rank)
{
  return CLAMP (axis < 0 ? axis + rank : axis, 0, rank);
}

/* Axes [*first, *first + n), told as n. */
static int
choose_axes (gint64 start, gint64 end, int rank, int *first)
{
  int last = (int) clamp_axis (end, rank);

  *first = (int) clamp_axis (start, rank);
  return MAX (last - *first, 0);
}

static gboolean
infer_shape (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0);
  int first, n;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_INT64, error))
    return FALSE;
  if (from.rank < 0)
    return sym_op_set_output (rule, 0, sym_shape_new_unknown (1), SYM_DTYPE_UNKNOWN, error);
  n = choose_axes (sym_rule_get_int (rule, "start", 0), sym_rule_get_int (rule, "end", G_MAXINT64),
                   from.rank, &first);
  if (!sym_op_set_output (rule, 0, SYM_SHAPE (n), SYM_DTYPE_UNKNOWN, error))
    return FALSE;
  sym_rule_set_output_values (rule, 0, from.dims + first, n);
  return TRUE;
}

static gboolean
run_shape (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymArray *y;
  int first, n;

  if (x == NULL)
    return FALSE;
  n = choose_axes (sym_kernel_get_int (kernel, "start", 0),
                   sym_kernel_get_int (kernel, "end", G_MAXINT64), x->shape.rank, &first);
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &SYM_SHAPE (n), error);
  if (y == NULL)
    return FALSE;
  for (int i = 0; i < n; i++)
    ((gint64 *) y->data)[i] = x->shape.dims[first + i];
  return TRUE;
}

static gboolean
infer_size (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0);

  if (!sym_op_set_output (rule, 0, SYM_SHAPE (), SYM_DTYPE_INT64, error))
    return FALSE;
  if (from.rank >= 0)
    {
      SymDim size = sym_terms_product (sym_rule_get_terms (rule), from.dims, from.rank);

      sym_rule_set_output_values (rule, 0, &size, 1);
    }
  return TRUE;
}

static gboolean
run_size (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymArray *y;

  if (x == NULL)
    return FALSE;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_INT64, &SYM_SHAPE (), error);
  if (y == NULL)
    return FALSE;
  *(gint64 *) y->data = (gint64) sym_array_get_n_elements (x);
  return TRUE;
}

#define ENTRY(name_, version_, summary_, attributes_, infer_, run_)                            \
  {                                                                                            \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,        \
                                   .attributes = attributes_, .slots = slots, .infer = infer_, \
                                   .run = run_                                                 \
  }

const SymOperator sym_op_onnx_shape[] = {
  ENTRY ("Shape", 1, "sizes of the axes, as a tensor", NULL, infer_shape, run_shape),
  ENTRY ("Shape", 15, "sizes of the axes, as a tensor", shape_attributes, infer_shape, run_shape),
  ENTRY ("Size", 1, "number of elements", NULL, infer_size, run_size),
  { 0 },
};
