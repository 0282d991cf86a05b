/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
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

/* ---- Lowering ---- */

/* Operand @i as indices into an axis of @size: those outside wrap around, or count as the last
 * ones. */
static SymId
lower_indices (SymOpLower *self, guint i, gint64 size)
{
  SymId index = sym_op_lower_cast (self, sym_op_lower_input (self, i), SYM_DTYPE_INT64);
  SymId zero = sym_op_lower_number (self, SYM_DTYPE_INT64, 0);

  if (sym_op_lower_has_string (self, "mode", "wrap"))
    return sym_op_lower_binary (self, "Mod", index,
                                sym_op_lower_number (self, SYM_DTYPE_INT64, (double) size));
  if (sym_op_lower_has_string (self, "mode", "raise"))
    return index;
  return sym_op_lower_call (
      self, "Clip",
      SYM_IDS (index, zero, sym_op_lower_number (self, SYM_DTYPE_INT64, (double) size - 1)), NULL);
}

static void
lower_take (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", 0), data->rank, &axis))
    return;
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Gather",
                                              SYM_IDS (sym_op_lower_input (self, 0),
                                                       lower_indices (self, 1, data->dims[axis])),
                                              "axis", sym_value_new_int (axis), NULL));
}

/* One element along @axis for each index, whose shape is that of the data but for the axis. */
static void
lower_one_of_each (SymOpLower *self, int axis)
{
  SymShape places = *sym_op_lower_get_input_shape (self, 0);
  SymId index = lower_indices (self, 1, places.dims[axis]);

  places.dims[axis] = 1;
  index = sym_op_lower_reshape (self, index, &places);
  sym_op_lower_finish (self, sym_op_lower_call (self, "GatherElements",
                                                SYM_IDS (sym_op_lower_input (self, 0), index),
                                                "axis", sym_value_new_int (axis), NULL));
}

static void
lower_pick (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1) &&
      sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", -1), rank, &axis))
    lower_one_of_each (self, axis);
}

static void
lower_batch_take (SymOpLower *self)
{
  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  if (sym_op_lower_get_input_shape (self, 0)->rank == 2)
    lower_one_of_each (self, 1);
  else
    sym_op_lower_fail (self, "batch_take: a should have 2 axes and has %d",
                       sym_op_lower_get_input_shape (self, 0)->rank);
}

/* An index outside has no 1: unlike ONNX's OneHot a negative one does not count from the end. */
static void
lower_one_hot (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymDType dtype = sym_op_lower_get_output_dtype (self, 0);
  SymId index = sym_op_lower_input (self, 0), hit;
  SymShape column;

  if (!sym_op_lower_need_tensor (self, 0) || shape->rank == SYM_MAX_RANK)
    return;
  column = sym_op_insert_axis (shape, shape->rank, 1);
  index = sym_op_lower_reshape (self, sym_op_lower_cast (self, index, SYM_DTYPE_INT64), &column);
  hit = sym_op_lower_binary (self, "Equal", index,
                             sym_op_lower_count (self, sym_op_lower_get_int (self, "depth", 0)));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Where",
          SYM_IDS (
              hit, sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "on_value", 1)),
              sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, "off_value", 0))),
          NULL));
}

/* MXNet's indices have the axes of the data first, ONNX's last. */
static SymId
lower_places (SymOpLower *self, guint i)
{
  int rank = sym_op_lower_get_input_shape (self, i)->rank;
  SymId index = sym_op_lower_cast (self, sym_op_lower_input (self, i), SYM_DTYPE_INT64);
  gint64 axes[SYM_MAX_RANK];

  for (int j = 0; j < rank; j++)
    axes[j] = (j + 1) % rank;
  return sym_op_lower_permute (self, index, axes, rank);
}

static void
lower_gather_nd (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "GatherND", sym_op_lower_input (self, 0),
                                                  lower_places (self, 1)));
}

static void
lower_scatter_nd (SymOpLower *self)
{
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  SymId zeros;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) || out->rank < 0)
    return;
  zeros = sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 0), out, 0);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "ScatterND",
                         SYM_IDS (zeros, lower_places (self, 1), sym_op_lower_input (self, 0)),
                         NULL));
}

static void
lower_scatter_set (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1) &&
      sym_op_lower_need_tensor (self, 2))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "ScatterND",
                           SYM_IDS (sym_op_lower_input (self, 0), lower_places (self, 2),
                                    sym_op_lower_input (self, 1)),
                           NULL));
}

/* Rows at indices [n] as ONNX's places [n, 1]. */
static SymId
lower_rows (SymOpLower *self, guint i)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);
  SymId index = sym_op_lower_cast (self, sym_op_lower_input (self, i), SYM_DTYPE_INT64);

  return sym_op_lower_reshape (self, index, &SYM_SHAPE (shape->dims[0], 1));
}

static void
lower_index_copy (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1) &&
      sym_op_lower_need_tensor (self, 2) && sym_op_lower_get_input_shape (self, 1)->rank == 1)
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_call (self, "ScatterND",
                           SYM_IDS (sym_op_lower_input (self, 0), lower_rows (self, 1),
                                    sym_op_lower_input (self, 2)),
                           NULL));
}

static void
lower_retain (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymId x = sym_op_lower_input (self, 0), rows, zeros;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      sym_op_lower_get_input_shape (self, 1)->rank != 1)
    return;
  rows = lower_rows (self, 1);
  zeros = sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 0), data, 0);
  x = sym_op_lower_binary (self, "GatherND", x, rows);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "ScatterND", SYM_IDS (zeros, rows, x), NULL));
}

static void
lower_boolean_mask (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank, axis;
  SymId mask;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", 0), rank, &axis))
    return;
  mask = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_BOOL);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Compress",
                                              SYM_IDS (sym_op_lower_input (self, 0), mask), "axis",
                                              sym_value_new_int (axis), NULL));
}

#define INDEX(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                  \
  {                                                                                            \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                     \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE,           \
                  .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_ \
  }

const SymOperator sym_op_mxnet_index[] = {
  INDEX ("take",
         "_npi_take",
         "elements at indices of an axis",
         take_attributes,
         take_slots,
         infer_take,
         lower_take),
  INDEX ("batch_take",
         NULL,
         "one element of each row",
         NULL,
         take_slots,
         infer_batch_take,
         lower_batch_take),
  INDEX ("pick",
         "choose_element_0index _npx_pick",
         "one element along an axis for each place",
         pick_attributes,
         pick_slots,
         infer_pick,
         lower_pick),
  INDEX ("one_hot",
         "_npx_one_hot",
         "a vector with a single 1 for each index",
         one_hot_attributes,
         indices_slots,
         infer_one_hot,
         lower_one_hot),
  INDEX ("gather_nd",
         "_npi_gather_nd _npx_gather_nd _npi_advanced_indexing_multiple",
         "elements at places of several axes",
         NULL,
         gather_slots,
         infer_gather_nd,
         lower_gather_nd),
  INDEX ("scatter_nd",
         NULL,
         "puts elements at places of several axes",
         shape_attributes,
         gather_slots,
         infer_scatter_nd,
         lower_scatter_nd),
  INDEX ("_scatter_set_nd",
         "_npi_scatter_set_nd",
         "the data with elements replaced at places",
         shape_attributes,
         scatter_set_slots,
         infer_like_first,
         lower_scatter_set),
  INDEX ("_sparse_retain",
         "sparse_retain",
         "the rows at indices, all others 0",
         NULL,
         retain_slots,
         infer_like_first,
         lower_retain),
  INDEX ("_contrib_boolean_mask",
         "boolean_mask _npi_boolean_mask",
         "elements where a mask is not 0",
         mask_attributes,
         mask_slots,
         infer_boolean_mask,
         lower_boolean_mask),
  INDEX ("_contrib_index_copy",
         NULL,
         "the data with rows replaced",
         NULL,
         copy_slots,
         infer_like_first,
         lower_index_copy),
  { NULL },
};
