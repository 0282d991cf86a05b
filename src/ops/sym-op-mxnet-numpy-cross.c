/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

static const SymSlotSpec slots[] = { { "a" }, { "b" }, { NULL } };

static const SymAttributeSpec attributes[] = {
  { "axisa", SYM_ATTRIBUTE_INT, "-1", "axis of the vectors of a" },
  { "axisb", SYM_ATTRIBUTE_INT, "-1", "axis of the vectors of b" },
  { "axisc", SYM_ATTRIBUTE_INT, "-1", "axis of the vectors of the result" },
  { NULL },
};

/* Takes the axis of vectors out of @shape and tells its size, 2 or 3. */
static gboolean
take_vectors (SymRule *rule, const char *name, SymShape *shape, SymDim *size, GError **error)
{
  int axis;

  if (!sym_op_normalize_axis (sym_rule_get_int (rule, name, -1), shape->rank, &axis, error))
    return FALSE;
  *size = shape->dims[axis];
  *shape = sym_op_remove_axis (shape, axis);
  if (*size >= 0 && *size != 2 && *size != 3)
    return sym_rule_fail (
        error, "vectors of a cross product have 2 or 3 elements, not %" G_GINT64_FORMAT, *size);
  return TRUE;
}

/* Vectors of 2 give a number each, any of 3 a vector of 3. */
static gboolean
infer_cross (SymRule *rule, GError **error)
{
  SymShape a = sym_rule_get_input (rule, 0), b = sym_rule_get_input (rule, 1), out;
  SymDim m, n;
  int axis;

  if (!sym_op_mxnet_tie_all_dtypes (rule, error))
    return FALSE;
  if (a.rank < 0 || b.rank < 0)
    return TRUE;
  if (!take_vectors (rule, "axisa", &a, &m, error) ||
      !take_vectors (rule, "axisb", &b, &n, error) || !sym_op_mxnet_broadcast (&a, &b, &out, error))
    return FALSE;
  if (m != 3 && n != 3)
    return m != 2 || n != 2 || sym_rule_set_output (rule, 0, &out, error);
  if (out.rank == SYM_MAX_RANK)
    return sym_rule_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  if (out.rank == 0)
    axis = 0;
  else if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axisc", -1), out.rank + 1, &axis,
                                   error))
    return FALSE;
  out = sym_op_insert_axis (&out, axis, 3);
  return sym_rule_set_output (rule, 0, &out, error);
}

const SymOperator sym_op_mxnet_numpy_cross[] = {
  {
      SYM_OP_MXNET,
      .name = "_npi_cross",
      .summary = "cross products of vectors",
      .reference = "MXNet 2.0 _npi_cross",
      .category = SYM_CATEGORY_ELEMENTWISE,
      .attributes = attributes,
      .slots = slots,
      .infer = infer_cross,
      .lower = sym_op_mxnet_lower_cross,
  },
  { NULL },
};
