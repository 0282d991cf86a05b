/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"

const SymSlotSpec sym_op_onnx_x[] = { { "X" }, { NULL } };
const SymSlotSpec sym_op_onnx_pair[] = { { "A" }, { "B" }, { NULL } };

/* ---- Broadcasting before version 7 ---- */

const SymAttributeSpec sym_op_onnx_legacy_broadcast[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis of A that the first axis of B stands for" },
  { "broadcast", SYM_ATTRIBUTE_INT, "0", "whether B is repeated along the axes it has not" },
  { "consumed_inputs", SYM_ATTRIBUTE_INTS, "None", "of no effect" },
  { NULL },
};

/* @b with as many ones behind it as A of @rank has axes after those that B stands for. */
static gboolean
align (SymShape *b, int rank, gboolean has_axis, gint64 axis, GError **error)
{
  int first;

  if (!has_axis)
    return TRUE;
  if (rank == 0 && b->rank == 0)
    return TRUE;
  if (!sym_op_find_axis (axis, rank, &first, error))
    return FALSE;
  if (first + b->rank > rank)
    return sym_kernel_fail (error, "B has %d axes, A only %d from axis %d on", b->rank,
                            rank - first, first);
  while (first + b->rank < rank)
    b->dims[b->rank++] = 1;
  return TRUE;
}

gboolean
sym_op_onnx_infer_legacy (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1);
  gint64 axis = sym_rule_get_int (rule, "axis", G_MININT64);

  if (!sym_op_pass_shape (rule, 0, 0, error) || !sym_rule_tie_dtypes (rule, 0, 1, error))
    return FALSE;
  if (!sym_rule_get_bool (rule, "broadcast", FALSE))
    return sym_rule_tie_shapes (rule, 0, 1, error);
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  return align (&b, a.rank, axis != G_MININT64, axis, error);
}

gboolean
sym_op_onnx_run_legacy (SymKernel *kernel,
                        const SymOpBinaryLoop loops[SYM_N_DTYPES],
                        SymDType dtype,
                        GError **error)
{
  const SymArray *a = sym_kernel_need_input (kernel, 0, error), *b;
  gint64 axis = sym_kernel_get_int (kernel, "axis", G_MININT64);
  SymArray aligned;

  if (a == NULL || (b = sym_kernel_need_input (kernel, 1, error)) == NULL)
    return FALSE;
  aligned = *b;
  if (!align (&aligned.shape, a->shape.rank, axis != G_MININT64, axis, error))
    return FALSE;
  return sym_op_run_arrays (kernel, loops, a, &aligned, dtype, error);
}
