/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

/* ---- take ---- */

static const SymAttributeSpec take_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "axis along which elements are taken" },
  { "mode", SYM_ATTRIBUTE_STRING, "clip", "clip, raise or wrap: what becomes of indices outside",
    "raise wrap clip" },
  { NULL },
};

static const SymSlotSpec take_slots[] = { { "a" }, { "indices" }, { NULL } };

/* The axis gives way to the axes of the indices. */
static gboolean
infer_take (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), indices = sym_rule_get_input (rule, 1);
  SymShape out = { .rank = 0 };
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 1 || indices.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), data.rank, &axis, error))
    return FALSE;
  if (data.rank + indices.rank - 1 > SYM_MAX_RANK)
    return sym_rule_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  for (int i = 0; i < data.rank; i++)
    {
      if (i != axis)
        out.dims[out.rank++] = data.dims[i];
      for (int j = 0; i == axis && j < indices.rank; j++)
        out.dims[out.rank++] = indices.dims[j];
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- batch_take ---- */

static gboolean
infer_batch_take (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) && sym_op_pass_shape (rule, 1, 0, error) &&
         sym_rule_set_input_dtype (rule, 1, SYM_DTYPE_INT32, error);
}

/* ---- pick ---- */

static const SymAttributeSpec pick_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "axis along which one element is picked" },
  { "keepdims", SYM_ATTRIBUTE_BOOL, "False", "whether the axis stays with size 1" },
  { "mode", SYM_ATTRIBUTE_STRING, "clip", "clip or wrap: what becomes of indices outside",
    "wrap clip" },
  { NULL },
};

static const SymSlotSpec pick_slots[] = { { "data" }, { "index" }, { NULL } };

/* An index for each place but the axis, which goes. */
static gboolean
infer_pick (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), index = sym_rule_get_input (rule, 1), out, without;
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 1)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", -1), data.rank, &axis, error))
    return FALSE;
  without = sym_op_remove_axis (&data, axis);
  out = without;
  if (sym_rule_get_bool (rule, "keepdims", FALSE))
    out = sym_op_insert_axis (&without, axis, 1);
  out = sym_op_mxnet_finish_shape (rule, out);
  without = sym_op_mxnet_finish_shape (rule, without);
  if (index.rank == without.rank && !sym_rule_set_input (rule, 1, &without, error))
    return FALSE;
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- one_hot ---- */

static const SymAttributeSpec one_hot_attributes[] = {
  { "depth", SYM_ATTRIBUTE_INT, NULL, "number of classes" },
  { "on_value", SYM_ATTRIBUTE_FLOAT, "1.0", "value at the index" },
  { "off_value", SYM_ATTRIBUTE_FLOAT, "0.0", "value elsewhere" },
  { "dtype", SYM_ATTRIBUTE_DTYPE, "float32", "dtype of the result" },
  { NULL },
};

static const SymSlotSpec indices_slots[] = { { "indices" }, { NULL } };

static gboolean
infer_one_hot (SymRule *rule, GError **error)
{
  SymShape indices = sym_rule_get_input (rule, 0), out = SYM_SHAPE_UNKNOWN;
  gint64 depth = sym_rule_get_int (rule, "depth", 0);

  if (indices.rank >= 0 && indices.rank < SYM_MAX_RANK)
    out = sym_op_insert_axis (&indices, indices.rank, depth > 0 ? depth : SYM_DIM_UNKNOWN);
  return sym_op_set_output (rule, 0, out, sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_FLOAT32),
                            error);
}

/* ---- gather_nd, scatter_nd ---- */

static const SymSlotSpec gather_slots[] = { { "data" }, { "indices" }, { NULL } };

/* indices [m, places...] point at the first m axes of the data. */
static gboolean
infer_gather_nd (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), indices = sym_rule_get_input (rule, 1);
  SymShape out = { .rank = 0 };

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || indices.rank < 1 || indices.dims[0] < 0)
    return TRUE;
  if (indices.dims[0] > data.rank)
    return sym_rule_fail (
        error, "Number of indices exceeds data dimension: %" G_GINT64_FORMAT " for rank %d",
        indices.dims[0], data.rank);
  if (indices.rank - 1 + data.rank - indices.dims[0] > SYM_MAX_RANK)
    return sym_rule_fail (error, "the result has more than %d axes", SYM_MAX_RANK);
  for (int i = 1; i < indices.rank; i++)
    out.dims[out.rank++] = indices.dims[i];
  for (int i = (int) indices.dims[0]; i < data.rank; i++)
    out.dims[out.rank++] = data.dims[i];
  return sym_rule_set_output (rule, 0, &out, error);
}

static const SymAttributeSpec shape_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, NULL, "shape of the result" },
  { NULL },
};

static gboolean
infer_scatter_nd (SymRule *rule, GError **error)
{
  SymShape out = sym_op_mxnet_get_shape (rule, "shape");

  return sym_op_pass_dtype (rule, 0, 0, error) && sym_rule_set_output (rule, 0, &out, error);
}

static const SymSlotSpec scatter_set_slots[] = { { "lhs" }, { "rhs" }, { "indices" }, { NULL } };

static gboolean
infer_like_first (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

static const SymSlotSpec retain_slots[] = { { "data" }, { "indices" }, { NULL } };

/* ---- boolean_mask ---- */

static const SymAttributeSpec mask_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "axis along which elements are kept or not" },
  { NULL },
};

static const SymSlotSpec mask_slots[] = { { "data" }, { "index" }, { NULL } };

/* How many are kept is only known when it runs. */
static gboolean
infer_boolean_mask (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = data;
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 1)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), data.rank, &axis, error))
    return FALSE;
  out.dims[axis] = SYM_DIM_UNKNOWN;
  return sym_op_set_input (rule, 1, SYM_SHAPE (data.dims[axis]), error) &&
         sym_rule_set_output (rule, 0, &out, error);
}

/* ---- index_copy, index_array ---- */

static const SymSlotSpec copy_slots[] = { { "old_tensor" },
                                          { "index_vector" },
                                          { "new_tensor" },
                                          { NULL } };

static const SymAttributeSpec index_array_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes whose indices are given; all when None" },
  { NULL },
};

static gboolean
infer_index_array (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = SYM_SHAPE_UNKNOWN;
  gint64 axes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "axes", axes, SYM_MAX_RANK);

  if (data.rank >= 0 && data.rank < SYM_MAX_RANK)
    out = sym_op_insert_axis (&data, data.rank, n > 0 ? n : data.rank);
  return sym_op_set_output (rule, 0, out, SYM_DTYPE_INT64, error);
}

/* ---- ravel ---- */

static gboolean
infer_unravel (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), shape = sym_op_mxnet_get_shape (rule, "shape");

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || data.rank == SYM_MAX_RANK || shape.rank < 0)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_op_insert_axis (&data, 0, shape.rank), SYM_DTYPE_UNKNOWN,
                            error);
}

static gboolean
infer_ravel (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  return data.rank < 2 ||
         sym_op_set_output (rule, 0, sym_op_remove_axis (&data, 0), SYM_DTYPE_UNKNOWN, error);
}

#define INDEX(name_, aliases_, summary_, attributes_, slots_, infer_)                \
  {                                                                                  \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,           \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE, \
                  .attributes = attributes_, .slots = slots_, .infer = infer_        \
  }

const SymOperator sym_op_mxnet_index[] = {
  INDEX ("take",
         "_npi_take",
         "elements at indices of an axis",
         take_attributes,
         take_slots,
         infer_take),
  INDEX ("batch_take", NULL, "one element of each row", NULL, take_slots, infer_batch_take),
  INDEX ("pick",
         "choose_element_0index _npx_pick",
         "one element along an axis for each place",
         pick_attributes,
         pick_slots,
         infer_pick),
  INDEX ("one_hot",
         "_npx_one_hot",
         "a vector with a single 1 for each index",
         one_hot_attributes,
         indices_slots,
         infer_one_hot),
  INDEX ("gather_nd",
         "_npi_gather_nd _npx_gather_nd _npi_advanced_indexing_multiple",
         "elements at places of several axes",
         NULL,
         gather_slots,
         infer_gather_nd),
  INDEX ("scatter_nd",
         NULL,
         "puts elements at places of several axes",
         shape_attributes,
         gather_slots,
         infer_scatter_nd),
  INDEX ("_scatter_set_nd",
         "_npi_scatter_set_nd",
         "the data with elements replaced at places",
         shape_attributes,
         scatter_set_slots,
         infer_like_first),
  INDEX ("_sparse_retain",
         "sparse_retain",
         "the rows at indices, all others 0",
         NULL,
         retain_slots,
         infer_like_first),
  INDEX ("_contrib_boolean_mask",
         "boolean_mask _npi_boolean_mask",
         "elements where a mask is not 0",
         mask_attributes,
         mask_slots,
         infer_boolean_mask),
  INDEX ("_contrib_index_copy",
         NULL,
         "the data with rows replaced",
         NULL,
         copy_slots,
         infer_like_first),
  INDEX ("_contrib_index_array",
         NULL,
         "the indices of each element",
         index_array_attributes,
         sym_op_mxnet_data,
         infer_index_array),
  INDEX ("_unravel_index",
         "unravel_index _npi_unravel_index",
         "flat indices as indices of each axis",
         shape_attributes,
         sym_op_mxnet_data,
         infer_unravel),
  INDEX ("_ravel_multi_index",
         "ravel_multi_index",
         "indices of each axis as flat indices",
         shape_attributes,
         sym_op_mxnet_data,
         infer_ravel),
  { NULL },
};
