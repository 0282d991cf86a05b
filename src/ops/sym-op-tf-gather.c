/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Elements by their places. */

#define MAX_VALUES 64

static gboolean
infer_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

/* ---- Gather ---- */

/* Small values by places that are known. */
static void
gather_values (SymRule *rule)
{
  SymDim from[MAX_VALUES], picked[MAX_VALUES];
  gint64 places[MAX_VALUES];
  int n = sym_rule_get_input_ints (rule, 0, from, MAX_VALUES);
  int n_places = sym_rule_get_input_ints (rule, 1, places, MAX_VALUES);
  gboolean plain = n >= 0;

  if (!plain)
    n = sym_rule_get_input_values (rule, 0, from, MAX_VALUES);
  if (n < 0 || n > MAX_VALUES || n_places < 0 || n_places > MAX_VALUES ||
      sym_rule_get_input (rule, 0).rank != 1)
    return;
  for (int i = 0; i < n_places; i++)
    {
      if (places[i] < 0 || places[i] >= n)
        return;
      picked[i] = from[places[i]];
    }
  if (plain)
    sym_rule_set_output_ints (rule, 0, picked, n_places);
  else
    sym_rule_set_output_values (rule, 0, picked, n_places);
}

static gboolean
check_batch (gint64 batch, int axis, int rank, GError **error)
{
  if (batch >= 0 && batch <= axis && batch <= rank)
    return TRUE;
  return sym_rule_fail (error, "batch_dims %" G_GINT64_FORMAT " does not fit to axis %d", batch,
                        axis);
}

static gint64
get_batch (const SymAttributes *attributes, int rank)
{
  gint64 batch = sym_attributes_get_int (attributes, "batch_dims", 0);

  return batch < 0 ? batch + rank : batch;
}

static gboolean
infer_gather (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), places = sym_rule_get_input (rule, 1), to;
  gboolean known = TRUE;
  gint64 axis = 0, batch;
  int normal;

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      (sym_rule_has_input (rule, 2) && !sym_op_tf_get_scalar (rule, 2, &axis, &known, error)))
    return FALSE;
  if (from.rank < 0 || places.rank < 0)
    return TRUE;
  batch = get_batch (sym_rule_get_attributes (rule), places.rank);
  known = known || (from.rank == 1 && batch == 0); /* there is no other axis */
  if (!known)
    axis = CLAMP (batch, 0, MAX (from.rank - 1, 0));
  if (!sym_op_normalize_axis (axis, from.rank, &normal, error) ||
      !check_batch (batch, normal, places.rank, error))
    return FALSE;
  if (from.rank + places.rank - 1 - batch > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  to = (SymShape){ .rank = 0 };
  for (int i = 0; i < normal; i++)
    to.dims[to.rank++] = from.dims[i];
  for (int i = (int) batch; i < places.rank; i++)
    to.dims[to.rank++] = places.dims[i];
  for (int i = normal + 1; i < from.rank; i++)
    to.dims[to.rank++] = from.dims[i];
  if (!known)
    to = sym_shape_new_unknown (to.rank);
  if (!sym_rule_set_output (rule, 0, &to, error))
    return FALSE;
  gather_values (rule);
  return TRUE;
}

/* Places of each element of the batch: GatherND knows these, along the axis after the batch. */
static SymId
gather_in_batch (SymOpLower *self, SymId places, int axis, gint64 batch)
{
  SymShape shape = *sym_op_lower_get_input_shape (self, 1);

  if (axis != batch)
    sym_op_lower_refuse (self, "%s: axis %d with batch_dims %" G_GINT64_FORMAT " is not lowered",
                         sym_op_lower_get_type (self), axis, batch);
  if (shape.rank == SYM_MAX_RANK)
    sym_op_lower_fail (self, "GatherV2: at most %d dimensions are supported", SYM_MAX_RANK);
  else
    shape = sym_op_insert_axis (&shape, shape.rank, 1);
  return sym_op_lower_call (
      self, "GatherND",
      SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_reshape (self, places, &shape)),
      "batch_dims", sym_value_new_int (batch), NULL);
}

static void
lower_gather (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 batch = get_batch (sym_layer_get_attributes (sym_op_lower_get_layer (self)),
                            sym_op_lower_get_input_shape (self, 1)->rank);
  SymId places = sym_op_tf_int64 (self, 1);
  int axis = 0;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1) ||
      (sym_op_lower_has_input (self, 2) && !sym_op_tf_read_axis (self, 2, shape->rank, &axis)))
    return;
  sym_op_lower_set_output (
      self, 0,
      batch > 0 ? gather_in_batch (self, places, axis, batch)
                : sym_op_lower_call (self, "Gather", SYM_IDS (sym_op_lower_input (self, 0), places),
                                     "axis", sym_value_new_int (axis), NULL));
}

static gboolean
infer_gather_nd (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), places = sym_rule_get_input (rule, 1);
  SymShape to = { .rank = 0 };
  SymDim depth;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (from.rank < 0 || places.rank < 0)
    return TRUE;
  if (places.rank < 1)
    return sym_rule_fail (error, "the places must have an axis");
  depth = places.dims[places.rank - 1];
  if (depth < 0)
    return TRUE;
  if (depth > from.rank || places.rank - 1 + from.rank - depth > SYM_MAX_RANK)
    return sym_rule_fail (error, "places of %" G_GINT64_FORMAT " numbers in data of %d axes", depth,
                          from.rank);
  for (int i = 0; i + 1 < places.rank; i++)
    to.dims[to.rank++] = places.dims[i];
  for (int i = (int) depth; i < from.rank; i++)
    to.dims[to.rank++] = from.dims[i];
  return sym_rule_set_output (rule, 0, &to, error);
}

static void
lower_gather_nd (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "GatherND", sym_op_lower_input (self, 0),
                                                  sym_op_tf_int64 (self, 1)));
}

/* ---- Scatter ---- */

static gboolean
infer_scatter (SymRule *rule, GError **error)
{
  SymShape shape;
  int open;

  return sym_op_pass_dtype (rule, 1, 0, error) &&
         sym_op_tf_get_sizes (rule, 2, &shape, &open, error) &&
         sym_rule_set_output (rule, 0, &shape, error);
}

/* Numbers for one place are added up. */
static void
lower_scatter (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 1);
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_lower_read_ints (self, 2, sizes, SYM_MAX_RANK);
  SymShape shape;
  SymId zeros;

  if (n < 0 || !sym_op_lower_need_tensor (self, 1) || !sym_op_tf_need_shape (self, 0, &shape))
    return;
  zeros = sym_op_lower_fill (self, dtype, &shape, 0);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "ScatterND",
                         SYM_IDS (zeros, sym_op_tf_int64 (self, 0), sym_op_lower_input (self, 1)),
                         "reduction", sym_value_new_string ("add"), NULL));
}

static void
lower_update (SymOpLower *self)
{
  static const char *const reductions[][2] = {
    { "TensorScatterUpdate", "none" },
    { "TensorScatterAdd", "add" },
    { "TensorScatterMax", "max" },
    { "TensorScatterMin", "min" },
  };
  const char *reduction = "none";

  for (guint i = 0; i < G_N_ELEMENTS (reductions); i++)
    if (strcmp (sym_op_lower_get_type (self), reductions[i][0]) == 0)
      reduction = reductions[i][1];
  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 2))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "ScatterND",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_tf_int64 (self, 1),
                                  sym_op_tf_input (self, 2)),
                         "reduction", sym_value_new_string (reduction), NULL));
}

/* ---- SparseToDense ---- */

/* Places along one axis: a number, a list, or rows of one number each; -1 when not known. */
static int
get_places (SymRule *rule, gint64 *places)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  if (shape.rank >= 1 && shape.dims[0] == 0)
    return 0;
  return shape.rank == 2 ? sym_rule_get_input_table (rule, 0, places, MAX_VALUES)
                         : sym_rule_get_input_ints (rule, 0, places, MAX_VALUES);
}

/* Small values of a list: how some converters write the sizes of a reshape. */
static void
scatter_values (SymRule *rule, const SymShape *to)
{
  gint64 places[MAX_VALUES], values[MAX_VALUES], list[MAX_VALUES], rest = 0;
  int n_places = get_places (rule, places);
  int n_values = sym_rule_get_input_ints (rule, 2, values, MAX_VALUES);

  if (to->rank != 1 || to->dims[0] < 0 || to->dims[0] > MAX_VALUES || n_places < 0 ||
      n_places > MAX_VALUES || (n_places > 0 && n_values != 1 && n_values != n_places) ||
      (sym_rule_has_input (rule, 3) && sym_rule_get_input_ints (rule, 3, &rest, 1) != 1))
    return;
  for (int i = 0; i < (int) to->dims[0]; i++)
    list[i] = rest;
  for (int i = 0; i < n_places; i++)
    {
      if (places[i] < 0 || places[i] >= to->dims[0])
        return;
      list[places[i]] = values[n_values == 1 ? 0 : i];
    }
  sym_rule_set_output_ints (rule, 0, list, (int) to->dims[0]);
}

static gboolean
infer_sparse (SymRule *rule, GError **error)
{
  SymShape shape;
  int open;

  if (!sym_op_pass_dtype (rule, 2, 0, error) ||
      !sym_op_tf_get_sizes (rule, 1, &shape, &open, error) ||
      !sym_rule_set_output (rule, 0, &shape, error))
    return FALSE;
  scatter_values (rule, &shape);
  return TRUE;
}

/* Places are one number, one for each value, or a row of numbers for each; a value may stand for
 * all of them. */
static void
lower_sparse (SymOpLower *self)
{
  const SymShape *places = sym_op_lower_get_input_shape (self, 0);
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_lower_read_ints (self, 1, sizes, SYM_MAX_RANK);
  SymShape rows = SYM_SHAPE (places->rank == 0 ? 1 : places->dims[0], n);
  SymId x, values, all;

  if (n < 0 || !sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 2))
    return;
  if (places->rank > 2 || (places->rank < 2 && n != 1) ||
      (places->rank == 2 && places->dims[1] != n))
    {
      sym_op_lower_fail (self, "SparseToDense: the places do not fit to %d axes", n);
      return;
    }
  x = sym_op_lower_has_input (self, 3)
          ? sym_op_tf_input (self, 3)
          : sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 2), 0);
  x = sym_op_lower_binary (self, "Expand", x, sym_op_lower_ints (self, sizes, n));
  all = sym_op_lower_ints (self, rows.dims, 1);
  values = sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 2), all);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "ScatterND",
          SYM_IDS (x, sym_op_lower_reshape (self, sym_op_tf_int64 (self, 0), &rows), values),
          NULL));
}

/* ---- OneHot ---- */

static gboolean
infer_one_hot (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gint64 axis = sym_rule_get_int (rule, "axis", -1), depth;
  gboolean known;
  int normal;

  if (!sym_op_tf_get_scalar (rule, 1, &depth, &known, error) ||
      !sym_rule_set_output_dtype (rule, 0, sym_rule_get_input_dtype (rule, 2), error))
    return FALSE;
  if (shape.rank < 0)
    return TRUE;
  if (shape.rank >= SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (known && depth < 0)
    return sym_rule_fail (error, "depth %" G_GINT64_FORMAT " makes no sense", depth);
  if (!sym_op_normalize_axis (axis, shape.rank + 1, &normal, error))
    return FALSE;
  shape = sym_op_insert_axis (&shape, normal, known ? depth : SYM_DIM_UNKNOWN);
  return sym_rule_set_output (rule, 0, &shape, error);
}

/* ONNX counts negative places from the back; TensorFlow has no element there. */
static void
lower_one_hot (SymOpLower *self)
{
  SymShape one = SYM_SHAPE (1);
  SymId places = sym_op_tf_int64 (self, 0), depth = sym_op_tf_int64 (self, 1), values, beyond;

  if (!sym_op_lower_need_tensor (self, 2) || !sym_op_lower_need_tensor (self, 3))
    return;
  depth = sym_op_lower_reshape (self, depth, &one);
  beyond =
      sym_op_lower_binary (self, "Less", places, sym_op_lower_number (self, SYM_DTYPE_INT64, 0));
  places = sym_op_lower_call (self, "Where", SYM_IDS (beyond, depth, places), NULL);
  values =
      sym_op_lower_call (self, "Concat",
                         SYM_IDS (sym_op_lower_reshape (self, sym_op_lower_input (self, 3), &one),
                                  sym_op_lower_reshape (self, sym_op_lower_input (self, 2), &one)),
                         "axis", sym_value_new_int (0), NULL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "OneHot", SYM_IDS (places, depth, values), "axis",
                         sym_value_new_int (sym_op_lower_get_int (self, "axis", -1)), NULL));
}

/* ---- Where, Unique ---- */

static gboolean
infer_where (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0), places = sym_shape_new_unknown (2);

  if (shape.rank >= 0)
    places.dims[1] = shape.rank;
  return sym_op_set_output (rule, 0, places, SYM_DTYPE_INT32, error);
}

static void
lower_where (SymOpLower *self)
{
  SymId places;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  places = sym_op_lower_unary (self, "NonZero", sym_op_lower_input (self, 0));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, sym_op_lower_transpose (self, places, 2, 1, 0), SYM_DTYPE_INT32));
}

static gboolean
infer_unique (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);

  return sym_op_set_output (rule, 0, sym_shape_new_unknown (1), sym_rule_get_input_dtype (rule, 0),
                            error) &&
         sym_op_set_output (rule, 1, shape.rank == 1 ? shape : sym_shape_new_unknown (1),
                            SYM_DTYPE_INT32, error) &&
         sym_op_set_output (rule, 2, sym_shape_new_unknown (1), SYM_DTYPE_INT32, error);
}

/* In the order in which they come. */
static void
lower_unique (SymOpLower *self)
{
  static const guint from[] = { 0, 2, 3 };
  SymId first;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (sym_op_lower_get_input_shape (self, 0)->rank != 1)
    {
      sym_op_lower_refuse (self, "%s: data of %d axes is not lowered", sym_op_lower_get_type (self),
                           sym_op_lower_get_input_shape (self, 0)->rank);
      return;
    }
  first = sym_op_lower_call (self, "Unique", SYM_IDS (sym_op_lower_input (self, 0)), "sorted",
                             sym_value_new_int (0), NULL);
  for (guint i = 0; i < MIN (sym_op_lower_get_n_outputs (self), 3); i++)
    {
      SymId result = sym_op_lower_get_result (self, first, from[i]);

      sym_op_lower_set_output (self, i,
                               i == 0 ? result : sym_op_lower_cast (self, result, SYM_DTYPE_INT32));
    }
}

/* ---- Tables ---- */

static const SymAttributeSpec gather_attributes[] = {
  { "batch_dims", SYM_ATTRIBUTE_INT, "0", "axes in front that both have" },
  { NULL },
};

static const SymAttributeSpec one_hot_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "-1", "the new axis" },
  { NULL },
};

static const SymSlotSpec gather_slots[] = {
  { "params" },
  { "indices" },
  { "axis", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec nd_slots[] = { { "params" }, { "indices" }, { NULL } };
static const SymSlotSpec scatter_slots[] = { { "indices" }, { "updates" }, { "shape" }, { NULL } };
static const SymSlotSpec update_slots[] = { { "tensor" }, { "indices" }, { "updates" }, { NULL } };
static const SymSlotSpec sparse_slots[] = {
  { "sparse_indices" },
  { "output_shape" },
  { "sparse_values" },
  { "default_value", .optional = TRUE },
  { NULL },
};
static const SymSlotSpec hot_slots[] = {
  { "indices" }, { "depth" }, { "on_value" }, { "off_value" }, { NULL },
};
static const SymSlotSpec unique_slots[] = { { "x" }, { "axis", .optional = TRUE }, { NULL } };
static const char *const unique_names[] = { "y", "idx", "count", NULL };

#define PICK(name_, summary_, attributes_, slots_, infer_, lower_)                  \
  {                                                                                 \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,         \
                       .attributes = attributes_, .slots = slots_, .infer = infer_, \
                       .lower = lower_                                              \
  }
#define UNIQUE(name_, summary_)                                                                    \
  {                                                                                                \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_SHAPE, .slots = unique_slots, \
                       .get_n_outputs = sym_op_tf_any_outputs, .output_names = unique_names,       \
                       .infer = infer_unique, .lower = lower_unique                                \
  }

const SymOperator sym_op_tf_gather[] = {
  { SYM_OP_TF ("Gather"), .aliases = "ResourceGather", .summary = "rows by their places",
    .category = SYM_CATEGORY_SHAPE, .slots = gather_slots, .infer = infer_gather,
    .lower = lower_gather },
  PICK ("GatherNd",
        "elements or parts by their places",
        NULL,
        nd_slots,
        infer_gather_nd,
        lower_gather_nd),
  PICK ("GatherV2",
        "parts along an axis by their places",
        gather_attributes,
        gather_slots,
        infer_gather,
        lower_gather),
  PICK ("OneHot",
        "1 at the place and 0 elsewhere, along a new axis",
        one_hot_attributes,
        hot_slots,
        infer_one_hot,
        lower_one_hot),
  PICK ("ScatterNd",
        "numbers added to zeros at their places",
        NULL,
        scatter_slots,
        infer_scatter,
        lower_scatter),
  PICK ("SparseToDense",
        "numbers at their places, another one elsewhere",
        NULL,
        sparse_slots,
        infer_sparse,
        lower_sparse),
  PICK ("TensorScatterAdd",
        "numbers added at their places",
        NULL,
        update_slots,
        infer_same,
        lower_update),
  PICK ("TensorScatterMax",
        "the larger numbers at their places",
        NULL,
        update_slots,
        infer_same,
        lower_update),
  PICK ("TensorScatterMin",
        "the smaller numbers at their places",
        NULL,
        update_slots,
        infer_same,
        lower_update),
  PICK ("TensorScatterUpdate",
        "other numbers at their places",
        NULL,
        update_slots,
        infer_same,
        lower_update),
  UNIQUE ("Unique", "each number once, and where it is among these"),
  UNIQUE ("UniqueV2", "each number once, and where it is among these"),
  UNIQUE ("UniqueWithCounts", "each number once, where it is among these, and how often"),
  PICK ("Where", "places of what is not 0", NULL, sym_op_tf_one, infer_where, lower_where),
  { NULL },
};
