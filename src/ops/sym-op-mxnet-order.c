/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
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

/* ---- Lowering ---- */

/* What is sorted: operand 0, flat where the attribute axis is None, and along which axis. */
static SymId
lower_sorted (SymOpLower *self, SymShape *shape, int *axis)
{
  const SymValue *value =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), "axis");
  gboolean is_flat = value != NULL && sym_value_get_kind (value) == SYM_VALUE_NONE;
  SymId x = sym_op_lower_input (self, 0);
  guint64 n;

  *shape = *sym_op_lower_get_input_shape (self, 0);
  *axis = 0;
  if (!sym_op_lower_need_tensor (self, 0) || !sym_shape_get_n_elements (shape, &n))
    return SYM_NO_ID;
  if (!is_flat)
    {
      sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", -1), shape->rank, axis);
      return x;
    }
  *shape = SYM_SHAPE ((gint64) n);
  return sym_op_lower_reshape (self, x, shape);
}

/* The @k greatest, or least, elements; their indices are result 1. */
static SymId
lower_first (SymOpLower *self, SymId x, int axis, gint64 k, gboolean ascending)
{
  return sym_op_lower_call (self, "TopK", SYM_IDS (x, sym_op_lower_ints (self, &k, 1)), "axis",
                            sym_value_new_int (axis), "largest", sym_value_new_int (!ascending),
                            NULL);
}

/* 1 at the places of the first elements, 0 elsewhere. */
static SymId
lower_mask (SymOpLower *self, SymId indices, const SymShape *shape, int axis, gint64 k)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  SymShape part = *shape;

  part.dims[axis] = k;
  return sym_op_lower_call (self, "ScatterElements",
                            SYM_IDS (sym_op_lower_fill (self, dtype, shape, 0), indices,
                                     sym_op_lower_fill (self, dtype, &part, 1)),
                            "axis", sym_value_new_int (axis), NULL);
}

static void
lower_topk (SymOpLower *self)
{
  gboolean ascending = sym_op_lower_get_bool (self, "is_ascend", FALSE);
  gint64 k = sym_op_lower_get_int (self, "k", 1);
  SymId x, values, indices;
  SymShape shape;
  int axis;

  x = lower_sorted (self, &shape, &axis);
  if (x == SYM_NO_ID || sym_op_lower_get_output_shape (self, 0)->rank < 0 ||
      sym_op_lower_has_failed (self))
    return;
  k = k < 1 ? shape.dims[axis] : k;
  values = lower_first (self, x, axis, k, ascending);
  indices = sym_op_lower_get_result (self, values, 1);
  if (sym_op_lower_has_string (self, "ret_typ", "mask"))
    {
      sym_op_lower_finish (self, lower_mask (self, indices, &shape, axis, k));
      return;
    }
  if (sym_op_lower_has_string (self, "ret_typ", "value") ||
      sym_op_lower_has_string (self, "ret_typ", "both"))
    {
      sym_op_lower_set_output (self, 0, values);
      if (sym_op_lower_get_n_outputs (self) > 1)
        sym_op_lower_set_output (
            self, 1, sym_op_lower_cast (self, indices, sym_op_lower_get_output_dtype (self, 1)));
      return;
    }
  sym_op_lower_set_output (
      self, 0, sym_op_lower_cast (self, indices, sym_op_lower_get_output_dtype (self, 0)));
}

static void
lower_sort (SymOpLower *self)
{
  const SymOperator *op = sym_layer_get_operator (sym_op_lower_get_layer (self));
  gboolean is_indices = g_str_equal (op->name, "argsort");
  SymShape shape;
  SymId x, indices;
  int axis;

  x = lower_sorted (self, &shape, &axis);
  if (x == SYM_NO_ID || sym_op_lower_has_failed (self))
    return;
  x = lower_first (self, x, axis, shape.rank == 0 ? 1 : shape.dims[axis],
                   sym_op_lower_get_bool (self, "is_ascend", TRUE));
  indices = sym_op_lower_get_result (self, x, 1);
  sym_op_lower_set_output (
      self, 0,
      is_indices ? sym_op_lower_cast (self, indices, sym_op_lower_get_output_dtype (self, 0)) : x);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1, sym_op_lower_cast (self, indices, sym_op_lower_get_output_dtype (self, 1)));
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
      .lower = lower_topk,
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
      .lower = lower_sort,
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
      .lower = lower_sort,
  },
  { NULL },
};
