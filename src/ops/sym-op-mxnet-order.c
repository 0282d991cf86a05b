/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* ---- topk ---- */

static const SymAttributeSpec topk_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which it is sorted; all elements when None" },
  { "k", SYM_ATTRIBUTE_INT, "1", "how many are taken; all when less than 1" },
  { "ret_typ", SYM_ATTRIBUTE_STRING, "indices", "both, indices, mask or value: what is given",
    "value indices mask both" },
  { "is_ascend", SYM_ATTRIBUTE_BOOL, "False", "whether the least are taken" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the indices" },
  { NULL },
};

static int
get_n_topk (const SymAttributes *attributes, int *n_visible)
{
  gboolean both = sym_op_has_string (attributes, "ret_typ", "both");
  gboolean value = sym_op_has_string (attributes, "ret_typ", "value");

  *n_visible = both ? 2 : 1;
  return both || value ? 2 : 1;
}

/* The attribute axis: -1 when it is absent, FALSE in *@has when it is None. */
static gint64
get_axis (SymRule *rule, gboolean *has)
{
  const SymValue *value = sym_attributes_find (sym_rule_get_attributes (rule), "axis");

  *has = value == NULL || sym_value_get_kind (value) != SYM_VALUE_NONE;
  return sym_rule_get_int (rule, "axis", -1);
}

static gboolean
set_ordered (SymRule *rule, gint64 k, gboolean mask, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = data;
  gboolean has_axis;
  gint64 given = get_axis (rule, &has_axis);
  int axis;

  if (data.rank < 1)
    return TRUE;
  if (!has_axis)
    {
      SymDim size = sym_terms_product (sym_rule_get_terms (rule), data.dims, data.rank);

      if (!mask)
        out = SYM_SHAPE (k >= 1 ? k : size);
    }
  else if (!sym_op_normalize_axis (given, data.rank, &axis, error))
    {
      return FALSE;
    }
  else if (!mask && k >= 1)
    {
      if (data.dims[axis] >= 0 && k > data.dims[axis])
        return sym_rule_fail (error, "k is %" G_GINT64_FORMAT " for an axis of %" G_GINT64_FORMAT,
                              k, data.dims[axis]);
      out.dims[axis] = k;
    }
  return sym_rule_set_output (rule, 0, &out, error) && sym_rule_set_output (rule, 1, &out, error);
}

static gboolean
infer_topk (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32);
  gboolean mask = sym_op_has_string (attributes, "ret_typ", "mask");
  gboolean value = sym_op_has_string (attributes, "ret_typ", "value");
  gboolean both = sym_op_has_string (attributes, "ret_typ", "both");

  if (value || both || mask ? !sym_op_pass_dtype (rule, 0, 0, error)
                            : !sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  return sym_rule_set_output_dtype (rule, 1, value ? SYM_DTYPE_INT32 : dtype, error) &&
         set_ordered (rule, sym_rule_get_int (rule, "k", 1), mask, error);
}

/* ---- sort, argsort ---- */

static const SymAttributeSpec sort_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which it is sorted; all elements when None" },
  { "is_ascend", SYM_ATTRIBUTE_BOOL, "True", "whether the least come first" },
  { NULL },
};

static const SymAttributeSpec argsort_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which it is sorted; all elements when None" },
  { "is_ascend", SYM_ATTRIBUTE_BOOL, "True", "whether the least come first" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the indices" },
  { NULL },
};

static gboolean
infer_sort (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (rule, 1, SYM_DTYPE_INT32, error) &&
         set_ordered (rule, 0, FALSE, error);
}

static gboolean
infer_argsort (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32);

  return sym_rule_set_output_dtype (rule, 0, dtype, error) && set_ordered (rule, 0, FALSE, error);
}

const SymOperator sym_op_mxnet_order[] = {
  {
      SYM_OP_MXNET,
      .name = "topk",
      .aliases = "_npx_topk",
      .summary = "the k greatest elements along an axis",
      .reference = "MXNet 1.9.1 topk",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = topk_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = get_n_topk,
      .infer = infer_topk,
  },
  {
      SYM_OP_MXNET,
      .name = "sort",
      .aliases = "_npi_sort",
      .summary = "elements in order along an axis",
      .reference = "MXNet 1.9.1 sort",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = sort_attributes,
      .slots = sym_op_mxnet_data,
      .get_n_outputs = sym_op_mxnet_get_one_of_two,
      .infer = infer_sort,
  },
  {
      SYM_OP_MXNET,
      .name = "argsort",
      .aliases = "_npi_argsort",
      .summary = "indices that put elements in order along an axis",
      .reference = "MXNet 1.9.1 argsort",
      .category = SYM_CATEGORY_SHAPE,
      .attributes = argsort_attributes,
      .slots = sym_op_mxnet_data,
      .infer = infer_argsort,
  },
  { NULL },
};
