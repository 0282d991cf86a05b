/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* The same numbers in another shape, order or dtype; and what shapes are. */

#define MAX_VALUES 64

/* Small values of operand 0 are those of output 0, in whatever shape. */
static void
pass_values (SymRule *rule)
{
  gint64 values[MAX_VALUES];
  int n = sym_rule_get_input_ints (rule, 0, values, MAX_VALUES);

  if (sym_rule_get_output (rule, 0).rank > 1)
    return;
  if (n >= 0)
    sym_rule_set_output_ints (rule, 0, values, n);
  else
    sym_op_pass_values (rule, 0, 0);
}

/* ---- Reshape ---- */

/* Of sizes that are terms one may be left over. */
static int
find_open (const SymShape *shape)
{
  int open = -1;

  for (int i = 0; i < shape->rank; i++)
    if (shape->dims[i] == SYM_DIM_UNKNOWN)
      {
        if (open >= 0)
          return -2;
        open = i;
      }
  return open;
}

static gboolean
infer_reshape (SymRule *rule, GError **error)
{
  SymShape target;
  int open;

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_tf_get_sizes (rule, 1, &target, &open, error))
    return FALSE;
  if (target.rank < 0)
    return TRUE;
  /* One axis has all elements, whatever number says so. */
  if (target.rank != 1 && (open == -2 || find_open (&target) == -2))
    return sym_rule_set_output (rule, 0, &target, error);
  if (!sym_op_reshape (rule, target, find_open (&target), error))
    return FALSE;
  pass_values (rule);
  return TRUE;
}

static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  SymShape shape;

  if (sym_op_lower_need_tensor (self, 0) &&
      sym_op_lower_read_ints (self, 1, sizes, SYM_MAX_RANK) >= 0 &&
      sym_op_tf_need_shape (self, 0, &shape))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &shape));
}

static gboolean
infer_expand (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  gboolean known;
  gint64 axis;
  int normal;

  if (!sym_op_pass_dtype (rule, 0, 0, error) ||
      !sym_op_tf_get_scalar (rule, 1, &axis, &known, error))
    return FALSE;
  if (shape.rank < 0)
    return TRUE;
  if (shape.rank >= SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (!known)
    {
      shape = sym_shape_new_unknown (shape.rank + 1);
      return sym_rule_set_output (rule, 0, &shape, error);
    }
  if (!sym_op_normalize_axis (axis, shape.rank + 1, &normal, error))
    return FALSE;
  shape = sym_op_insert_axis (&shape, normal, 1);
  if (!sym_rule_set_output (rule, 0, &shape, error))
    return FALSE;
  pass_values (rule);
  return TRUE;
}

static void
lower_expand (SymOpLower *self)
{
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_tf_read_axis (self, 1, shape.rank + 1, &axis))
    return;
  shape = sym_op_insert_axis (&shape, axis, 1);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &shape));
}

/* The axes are called squeeze_dims or axis; none stands for all of size 1. */
static int
get_squeezed (const SymAttributes *attributes, gint64 *axes)
{
  int n = sym_attributes_get_ints (attributes, "squeeze_dims", axes, SYM_MAX_RANK);

  return n > 0 ? n : sym_attributes_get_ints (attributes, "axis", axes, SYM_MAX_RANK);
}

static gboolean
squeeze (const SymShape *from,
         const SymAttributes *attributes,
         SymShape *to,
         gboolean gone[SYM_MAX_RANK],
         GError **error)
{
  gint64 axes[SYM_MAX_RANK];
  int n = get_squeezed (attributes, axes), axis;

  *to = (SymShape){ .rank = 0 };
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d axes are supported, not %d", SYM_MAX_RANK, n);
  for (int i = 0; i < from->rank; i++)
    gone[i] = n <= 0 && from->dims[i] == 1;
  for (int i = 0; i < n; i++)
    {
      if (!sym_op_normalize_axis (axes[i], from->rank, &axis, error))
        return FALSE;
      gone[axis] = TRUE;
    }
  for (int i = 0; i < from->rank; i++)
    if (!gone[i])
      to->dims[to->rank++] = from->dims[i];
  return TRUE;
}

static gboolean
infer_squeeze (SymRule *rule, GError **error)
{
  const SymAttributes *attributes = sym_rule_get_attributes (rule);
  SymShape from = sym_rule_get_input (rule, 0), to;
  gboolean gone[SYM_MAX_RANK];
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (from.rank < 0 || (get_squeezed (attributes, axes) <= 0 && !sym_shape_is_known (&from)))
    return TRUE;
  if (!squeeze (&from, attributes, &to, gone, error))
    return FALSE;
  for (int i = 0; i < from.rank; i++)
    if (gone[i] && !sym_rule_unify (rule, from.dims[i], 1, "size of an axis to squeeze", error))
      return FALSE;
  if (!sym_rule_set_output (rule, 0, &to, error))
    return FALSE;
  pass_values (rule);
  return TRUE;
}

static void
lower_squeeze (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 0))
    sym_op_lower_finish (self, sym_op_lower_input (self, 0));
}

/* ---- Transpose ---- */

static gboolean
check_order (const gint64 *order, int n, int rank, GError **error)
{
  gboolean seen[SYM_MAX_RANK] = { FALSE };

  if (n != rank)
    return sym_rule_fail (error, "perm has %d axes, the data %d", n, rank);
  for (int i = 0; i < n; i++)
    {
      if (order[i] < 0 || order[i] >= rank || seen[order[i]])
        return sym_rule_fail (error, "perm is no order of %d axes", rank);
      seen[order[i]] = TRUE;
    }
  return TRUE;
}

static gboolean
infer_transpose (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), order_shape = sym_rule_get_input (rule, 1), to;
  gint64 order[SYM_MAX_RANK];
  int n = sym_rule_get_input_ints (rule, 1, order, SYM_MAX_RANK);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (from.rank < 0 && order_shape.rank == 1 && order_shape.dims[0] >= 0 &&
      order_shape.dims[0] <= SYM_MAX_RANK)
    from = sym_shape_new_unknown ((int) order_shape.dims[0]);
  if (from.rank < 0)
    return TRUE;
  to = sym_shape_new_unknown (from.rank);
  if (n >= 0 && !check_order (order, n, from.rank, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    to.dims[i] = from.dims[order[i]];
  return sym_rule_set_output (rule, 0, &to, error);
}

static void
lower_transpose (SymOpLower *self)
{
  gint64 order[SYM_MAX_RANK];
  g_autoptr (GError) error = NULL;
  int n;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  n = sym_op_lower_read_ints (self, 1, order, SYM_MAX_RANK);
  if (n < 0)
    return;
  if (!check_order (order, n, sym_op_lower_get_input_shape (self, 0)->rank, &error))
    {
      sym_op_lower_fail (self, "Transpose: %s", error->message);
      return;
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_permute (self, sym_op_lower_input (self, 0), order, n));
}

/* ---- Broadcasting ---- */

static gboolean
infer_broadcast (SymRule *rule, GError **error)
{
  SymShape target;
  int open;

  return sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_op_tf_get_sizes (rule, 1, &target, &open, error) &&
         sym_rule_set_output (rule, 0, &target, error);
}

static void
lower_broadcast (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_lower_read_ints (self, 1, sizes, SYM_MAX_RANK);

  if (n >= 0 && sym_op_lower_need_tensor (self, 0))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 0),
                                                  sym_op_lower_ints (self, sizes, n)));
}

/* ---- What a shape is ---- */

static SymDType
get_integer (const SymAttributes *attributes)
{
  return sym_op_tf_get_dtype (attributes, "out_type", SYM_DTYPE_INT32);
}

static gboolean
infer_shape (SymRule *rule, GError **error)
{
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    {
      SymShape shape = sym_rule_get_input (rule, i), list = sym_shape_new_unknown (1);

      if (shape.rank >= 0)
        {
          list.dims[0] = shape.rank;
          sym_rule_set_output_values (rule, i, shape.dims, shape.rank);
        }
      if (!sym_op_set_output (rule, i, list, get_integer (sym_rule_get_attributes (rule)), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer_count (SymRule *rule, GError **error)
{
  SymShape shape = sym_rule_get_input (rule, 0);
  SymDim count = SYM_DIM_UNKNOWN;

  if (shape.rank >= 0)
    count = strcmp (sym_rule_get_type (rule), "Rank") == 0
                ? shape.rank
                : sym_terms_product (sym_rule_get_terms (rule), shape.dims, shape.rank);
  if (count != SYM_DIM_UNKNOWN)
    sym_rule_set_output_values (rule, 0, &count, 1);
  return sym_op_set_output (rule, 0, SYM_SHAPE (), get_integer (sym_rule_get_attributes (rule)),
                            error);
}

static void
lower_shape (SymOpLower *self)
{
  SymDType dtype = get_integer (sym_layer_get_attributes (sym_op_lower_get_layer (self)));

  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    if (sym_op_lower_need_tensor (self, i))
      {
        const SymShape *shape = sym_op_lower_get_input_shape (self, i);

        sym_op_lower_set_output (
            self, i,
            sym_op_lower_cast (self, sym_op_lower_ints (self, shape->dims, shape->rank), dtype));
      }
}

static void
lower_count (SymOpLower *self)
{
  SymDType dtype = get_integer (sym_layer_get_attributes (sym_op_lower_get_layer (self)));
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  guint64 n;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_shape_get_n_elements (shape, &n))
    return;
  if (strcmp (sym_op_lower_get_type (self), "Rank") == 0)
    n = (guint64) shape->rank;
  sym_op_lower_set_output (self, 0, sym_op_lower_number (self, dtype, (double) n));
}

/* ---- Cast ---- */

static gboolean
infer_cast (SymRule *rule, GError **error)
{
  SymDType dtype = sym_op_tf_get_dtype (sym_rule_get_attributes (rule), "DstT", SYM_DTYPE_UNKNOWN);

  if (!sym_op_pass_shape (rule, 0, 0, error) || !sym_rule_set_output_dtype (rule, 0, dtype, error))
    return FALSE;
  if (sym_dtype_is_integer (dtype))
    pass_values (rule);
  return TRUE;
}

/* ---- Several at once ---- */

static gboolean
infer_all (SymRule *rule, GError **error)
{
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_pass (rule, i, i, error))
      return FALSE;
  return TRUE;
}

static void
lower_all (SymOpLower *self)
{
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    if (sym_op_lower_need_tensor (self, i))
      sym_op_lower_set_output (self, i, sym_op_lower_input (self, i));
}

/* ---- Tables ---- */

static const SymAttributeSpec squeeze_attributes[] = {
  { "squeeze_dims", SYM_ATTRIBUTE_INTS, "[]", "axes of size 1 that go; all of them by default" },
  { NULL },
};

static const SymAttributeSpec shape_attributes[] = {
  { "out_type", SYM_ATTRIBUTE_DTYPE, "int32", "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec cast_attributes[] = {
  { "SrcT", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the data" },
  { "DstT", SYM_ATTRIBUTE_DTYPE, "None", "dtype of the result" },
  { NULL },
};

static const SymSlotSpec reshape_slots[] = { { "tensor" }, { "shape" }, { NULL } };
static const SymSlotSpec expand_slots[] = { { "input" }, { "dim" }, { NULL } };
static const SymSlotSpec transpose_slots[] = { { "x" }, { "perm" }, { NULL } };
static const SymSlotSpec print_slots[] = { { "input" }, { "data", .optional = TRUE }, { NULL } };

#define SHAPE(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                    \
  {                                                                                              \
    SYM_OP_TF (name_), .aliases = aliases_, .summary = summary_, .category = SYM_CATEGORY_SHAPE, \
                       .attributes = attributes_, .slots = slots_, .infer = infer_,              \
                       .lower = lower_                                                           \
  }
#define PASS(name_, aliases_, summary_, slots_, count_)                                          \
  {                                                                                              \
    SYM_OP_TF (name_), .aliases = aliases_, .summary = summary_, .category = SYM_CATEGORY_OTHER, \
                       .slots = slots_, .get_n_operands = count_, .infer = sym_op_tf_same,       \
                       .lower = sym_op_tf_lower_identity                                         \
  }

const SymOperator sym_op_tf_shape[] = {
  SHAPE ("BroadcastTo",
         NULL,
         "repeated to a shape",
         NULL,
         reshape_slots,
         infer_broadcast,
         lower_broadcast),
  SHAPE ("Cast",
         NULL,
         "the same numbers of another dtype",
         cast_attributes,
         sym_op_tf_one,
         infer_cast,
         sym_op_tf_lower_cast),
  PASS ("EnsureShape", NULL, "the same, of a shape that is known", reshape_slots, NULL),
  SHAPE ("ExpandDims",
         NULL,
         "an axis of size 1 more",
         NULL,
         expand_slots,
         infer_expand,
         lower_expand),
  PASS ("Identity",
        "Snapshot StopGradient PreventGradient CheckNumerics DebugIdentity DeepCopy ReadVariableOp "
        "_Retval",
        "the same",
        sym_op_tf_one,
        NULL),
  { SYM_OP_TF ("IdentityN"), .summary = "the same, of several", .category = SYM_CATEGORY_OTHER,
    .slots = sym_op_tf_many, .get_n_operands = sym_op_tf_any_number,
    .get_n_outputs = sym_op_tf_any_outputs, .infer = infer_all, .lower = lower_all },
  PASS ("Print", NULL, "the same; TensorFlow prints it, too", print_slots, sym_op_tf_any_number),
  SHAPE ("Rank", NULL, "number of axes", shape_attributes, sym_op_tf_one, infer_count, lower_count),
  SHAPE ("Reshape",
         NULL,
         "the same numbers in another shape",
         NULL,
         reshape_slots,
         infer_reshape,
         lower_reshape),
  SHAPE ("Shape",
         NULL,
         "sizes of the axes",
         shape_attributes,
         sym_op_tf_one,
         infer_shape,
         lower_shape),
  { SYM_OP_TF ("ShapeN"), .summary = "sizes of the axes of several tensors",
    .category = SYM_CATEGORY_SHAPE, .attributes = shape_attributes, .slots = sym_op_tf_many,
    .get_n_operands = sym_op_tf_any_number, .get_n_outputs = sym_op_tf_any_outputs,
    .infer = infer_shape, .lower = lower_shape },
  SHAPE ("Size",
         NULL,
         "number of elements",
         shape_attributes,
         sym_op_tf_one,
         infer_count,
         lower_count),
  SHAPE ("Squeeze",
         NULL,
         "without axes of size 1",
         squeeze_attributes,
         sym_op_tf_one,
         infer_squeeze,
         lower_squeeze),
  SHAPE ("Transpose",
         NULL,
         "axes in another order",
         NULL,
         transpose_slots,
         infer_transpose,
         lower_transpose),
  { NULL },
};
