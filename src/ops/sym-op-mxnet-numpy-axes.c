/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet-numpy.h"
#include "ops/sym-op-mxnet.h"

/* Axes moved, turned, extended and cut diagonally, as numpy has it. */

/* ---- moveaxis, rollaxis ---- */

static const SymAttributeSpec move_attributes[] = {
  { "source", SYM_ATTRIBUTE_INTS, NULL, "axes that move" },
  { "destination", SYM_ATTRIBUTE_INTS, NULL, "where they are in the result" },
  { NULL },
};

static const SymAttributeSpec rollaxis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, NULL, "axis that moves" },
  { "start", SYM_ATTRIBUTE_INT, "0", "axis that it comes to lie before" },
  { NULL },
};

/* Axis i of the output is axis order[i] of the data; the same way back. */
static gboolean
permute (SymRule *rule, const int *order, int rank, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = sym_shape_new_unknown (rank);

  if (!sym_rule_set_output (rule, 0, &out, error))
    return FALSE;
  out = sym_rule_get_output (rule, 0);
  for (int i = 0; i < rank; i++)
    if (!sym_rule_unify (rule, out.dims[i], data.dims[order[i]], "moved axis", error))
      return FALSE;
  return TRUE;
}

static gboolean
infer_move (SymRule *rule, GError **error)
{
  gint64 source[SYM_MAX_RANK], target[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "source", source, SYM_MAX_RANK), at = 0;
  int n_targets = sym_rule_get_ints (rule, "destination", target, SYM_MAX_RANK);
  int rank = sym_rule_get_input (rule, 0).rank, order[SYM_MAX_RANK];
  gboolean moves[SYM_MAX_RANK] = { FALSE };

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (n != n_targets || n > rank)
    return sym_rule_fail (error, "source and destination name %d and %d axes of %d", n, n_targets,
                          rank);
  for (int i = 0; i < rank; i++)
    order[i] = -1;
  for (int i = 0; i < n; i++)
    {
      int from, to;

      if (!sym_op_normalize_axis (source[i], rank, &from, error) ||
          !sym_op_normalize_axis (target[i], rank, &to, error))
        return FALSE;
      if (moves[from] || order[to] >= 0)
        return sym_rule_fail (error, "source and destination should name an axis once");
      moves[from] = TRUE;
      order[to] = from;
    }
  for (int i = 0; i < rank; i++)
    {
      while (order[i] < 0 && moves[at])
        at++;
      if (order[i] < 0)
        order[i] = at++;
    }
  return permute (rule, order, rank, error);
}

static gboolean
infer_rollaxis (SymRule *rule, GError **error)
{
  gint64 start = sym_rule_get_int (rule, "start", 0);
  int rank = sym_rule_get_input (rule, 0).rank, order[SYM_MAX_RANK], axis, at = 0;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), rank, &axis, error))
    return FALSE;
  if (start < -rank || start > rank)
    return sym_rule_fail (error, "start is %" G_GINT64_FORMAT " for %d axes", start, rank);
  start = start < 0 ? start + rank : start;
  for (int i = 0; i <= rank; i++)
    {
      if (i == start)
        order[at++] = axis;
      if (i < rank && i != axis)
        order[at++] = i;
    }
  return permute (rule, order, rank, error);
}

/* ---- broadcast_to ---- */

static const SymAttributeSpec broadcast_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "()", "shape of the result; -2 keeps" },
  { NULL },
};

/* Last axes meet; what is no size keeps the axis of the data. */
static gboolean
infer_broadcast_to (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  SymShape target = sym_op_mxnet_get_shape (rule, "shape");
  g_autofree char *from = sym_rule_format_shape (rule, &data);
  g_autofree char *to = sym_rule_format_shape (rule, &target);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank > target.rank)
    return sym_rule_fail (error, "%s cannot be broadcast to %s", from, to);
  for (int i = 0; i < target.rank && data.rank >= 0; i++)
    {
      int own = i - (target.rank - data.rank);
      SymDim dim = own >= 0 ? data.dims[own] : 1;

      if (target.dims[i] == SYM_DIM_UNKNOWN && own >= 0)
        target.dims[i] = dim;
      else if (dim >= 0 && dim != 1 && dim != target.dims[i])
        return sym_rule_fail (error, "%s cannot be broadcast to %s", from, to);
    }
  return sym_rule_set_output (rule, 0, &target, error);
}

/* ---- flip, roll, rot90 ---- */

static const SymAttributeSpec flip_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, NULL, "axes that are turned round" },
  { NULL },
};

static const SymAttributeSpec roll_attributes[] = {
  { "shift", SYM_ATTRIBUTE_INTS, "None", "how far elements move" },
  { "axis", SYM_ATTRIBUTE_INTS, "None", "axes along which; flat when None" },
  { NULL },
};

static const SymAttributeSpec rot_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "1", "number of quarter turns" },
  { "axes", SYM_ATTRIBUTE_INTS, "None", "the plane that is turned; the first two when None" },
  { NULL },
};

/* An odd number of quarter turns exchanges both axes. */
static gboolean
infer_rot (SymRule *rule, GError **error)
{
  int rank = sym_rule_get_input (rule, 0).rank, order[SYM_MAX_RANK], first, second;
  gint64 axes[2];

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (rank < 0)
    return TRUE;
  if (sym_rule_get_ints (rule, "axes", axes, 2) != 2)
    axes[0] = 0, axes[1] = 1;
  if (!sym_op_normalize_axis (axes[0], rank, &first, error) ||
      !sym_op_normalize_axis (axes[1], rank, &second, error))
    return FALSE;
  for (int i = 0; i < rank; i++)
    order[i] = i;
  if (sym_rule_get_int (rule, "k", 1) % 2 != 0)
    {
      order[first] = second;
      order[second] = first;
    }
  return permute (rule, order, rank, error);
}

/* ---- pad ---- */

static const SymAttributeSpec pad_attributes[] = {
  { "pad_width", SYM_ATTRIBUTE_ANY, NULL, "before and after, for each axis" },
  { "mode", SYM_ATTRIBUTE_STRING, "constant", "what is put there",
    "constant edge reflect symmetric maximum minimum" },
  { "constant_values", SYM_ATTRIBUTE_FLOAT, "0.0", "the number of mode constant" },
  { "constant_value", SYM_ATTRIBUTE_FLOAT, "0.0", "the same, as MXNet 1.9.1 calls it" },
  { "reflect_type", SYM_ATTRIBUTE_STRING, "even", "even or odd" },
  { NULL },
};

/* Before and after axis @i; a single pair, or number, stands for each axis. */
static gboolean
get_width (const SymValue *value, int i, gint64 *before, gint64 *after)
{
  guint n = sym_value_get_n_children (value);
  const SymValue *pair = n > 1    ? sym_value_get_child (value, (guint) i)
                         : n == 1 ? sym_value_get_child (value, 0)
                                  : value;
  gint64 numbers[2];
  int count = sym_value_get_ints (pair, numbers, 2);

  if (count != 1 && count != 2)
    return FALSE;
  *before = numbers[0];
  *after = numbers[count - 1];
  return *before >= 0 && *after >= 0 && *before <= G_MAXINT32 && *after <= G_MAXINT32;
}

static gboolean
infer_pad (SymRule *rule, GError **error)
{
  const SymValue *value = sym_attributes_find (sym_rule_get_attributes (rule), "pad_width");
  SymShape out = sym_rule_get_input (rule, 0);
  guint n = value != NULL ? sym_value_get_n_children (value) : 0;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (out.rank < 0 || value == NULL)
    return TRUE;
  if (n > 1 && n != (guint) out.rank)
    return sym_rule_fail (error, "pad_width is for %u axes, the data has %d", n, out.rank);
  for (int i = 0; i < out.rank; i++)
    {
      gint64 before, after;

      if (!get_width (value, i, &before, &after))
        return sym_rule_fail (error, "pad_width should hold two sizes for each axis");
      out.dims[i] = sym_terms_add (sym_rule_get_terms (rule), out.dims[i], before + after);
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- diag, diagonal, diagflat, trace ---- */

static const SymAttributeSpec diag_attributes[] = {
  { "k", SYM_ATTRIBUTE_INT, "0", "which diagonal" },
  { NULL },
};

static const SymAttributeSpec diagonal_attributes[] = {
  { "offset", SYM_ATTRIBUTE_INT, "0", "which diagonal" },
  { "axis1", SYM_ATTRIBUTE_INT, "0", "first axis of the matrices" },
  { "axis2", SYM_ATTRIBUTE_INT, "1", "second axis of the matrices" },
  { NULL },
};

static gint64
get_offset (SymRule *rule, const char *name)
{
  return CLAMP (sym_rule_get_int (rule, name, 0), -G_MAXINT32, G_MAXINT32);
}

/* The length of diagonal @k of [h, w]. */
static SymDim
get_diagonal (SymDim h, SymDim w, gint64 k)
{
  if (h < 0 || w < 0)
    return h == w && k == 0 ? h : SYM_DIM_UNKNOWN;
  return MAX (k >= 0 ? MIN (h, w - k) : MIN (h + k, w), 0);
}

static gboolean
infer_diag (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 k = get_offset (rule, "k");
  SymDim size;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (data.rank != 1 && data.rank != 2)
    return sym_rule_fail (error, "Input must be 1- or 2-d, but has %d axes", data.rank);
  if (data.rank == 2)
    return sym_op_set_output (rule, 0, SYM_SHAPE (get_diagonal (data.dims[0], data.dims[1], k)),
                              SYM_DTYPE_UNKNOWN, error);
  size = sym_terms_add (sym_rule_get_terms (rule), data.dims[0], ABS (k));
  return sym_op_set_output (rule, 0, SYM_SHAPE (size, size), SYM_DTYPE_UNKNOWN, error);
}

static gboolean
infer_diagflat (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 k = get_offset (rule, "k");
  SymDim size;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  size = sym_terms_add (terms, sym_terms_product (terms, data.dims, data.rank), ABS (k));
  return sym_op_set_output (rule, 0, SYM_SHAPE (size, size), SYM_DTYPE_UNKNOWN, error);
}

/* The data without the two axes of the matrices, and the length of their diagonal. */
static gboolean
cut_matrices (SymRule *rule, const SymShape *data, SymShape *rest, SymDim *length, GError **error)
{
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  int first, second;

  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis1", 0), data->rank, &first, error) ||
      !sym_op_normalize_axis (sym_rule_get_int (rule, "axis2", 1), data->rank, &second, error))
    return FALSE;
  if (first == second)
    return sym_rule_fail (error, "axis1 and axis2 should differ");
  axes[first] = axes[second] = TRUE;
  *rest = sym_op_reduce_shape (data, axes, FALSE);
  *length = get_diagonal (data->dims[first], data->dims[second], get_offset (rule, "offset"));
  return TRUE;
}

static gboolean
infer_diagonal (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out;
  SymDim length;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  if (!cut_matrices (rule, &data, &out, &length, error))
    return FALSE;
  out.dims[out.rank++] = length;
  return sym_rule_set_output (rule, 0, &out, error);
}

static gboolean
infer_trace (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out;
  SymDim length;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0)
    return TRUE;
  return cut_matrices (rule, &data, &out, &length, error) &&
         sym_rule_set_output (rule, 0, &out, error);
}

/* ---- atleast_1d, _2d, _3d ---- */

static const SymAttributeSpec atleast_attributes[] = {
  { "num_args", SYM_ATTRIBUTE_INT, NULL, "number of operands" },
  { NULL },
};

static int
get_n_atleast (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = CLAMP (sym_op_mxnet_get_num_args (attributes), 1, G_MAXINT16);
  return *n_visible;
}

/* Axes of size 1 come first; in three axes a matrix has its own before the last. */
static SymShape
extend (SymShape shape, int rank)
{
  int own = shape.rank;

  if (rank == 3 && own == 2)
    return sym_op_insert_axis (&shape, 2, 1);
  if (rank == 3 && own == 1)
    return SYM_SHAPE (1, shape.dims[0], 1);
  while (shape.rank < rank)
    shape = sym_op_insert_axis (&shape, 0, 1);
  return shape;
}

static gboolean
infer_atleast (SymRule *rule, int rank, GError **error)
{
  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape shape = sym_rule_get_input (rule, i);

      if (!sym_op_pass_dtype (rule, i, i, error))
        return FALSE;
      if (shape.rank < 0)
        continue;
      if (!sym_op_set_output (rule, i, extend (shape, rank), SYM_DTYPE_UNKNOWN, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
infer_atleast_1d (SymRule *rule, GError **error)
{
  return infer_atleast (rule, 1, error);
}

static gboolean
infer_atleast_2d (SymRule *rule, GError **error)
{
  return infer_atleast (rule, 2, error);
}

static gboolean
infer_atleast_3d (SymRule *rule, GError **error)
{
  return infer_atleast (rule, 3, error);
}

/* ---- Lowering ---- */

static void
lower_at_least (SymOpLower *self)
{
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    if (sym_op_lower_need_tensor (self, i))
      sym_op_lower_set_output (self, i,
                               sym_op_lower_reshape (self, sym_op_lower_input (self, i),
                                                     sym_op_lower_get_output_shape (self, i)));
}

#define AXES(name_, aliases_, summary_, attributes_, infer_, lower_)                      \
  {                                                                                       \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                \
                  .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_SHAPE,        \
                  .attributes = attributes_, .slots = sym_op_mxnet_data, .infer = infer_, \
                  .lower = lower_                                                         \
  }

#define ATLEAST(name_, alias_, summary_, infer_, lower_)                                       \
  {                                                                                            \
    SYM_OP_MXNET, .name = name_, .aliases = alias_, .summary = summary_,                       \
                  .reference = "MXNet 2.0 " name_, .category = SYM_CATEGORY_SHAPE,             \
                  .attributes = atleast_attributes, .slots = sym_op_mxnet_many,                \
                  .get_n_operands = sym_op_mxnet_get_num_args, .get_n_outputs = get_n_atleast, \
                  .infer = infer_, .lower = lower_                                             \
  }

const SymOperator sym_op_mxnet_numpy_axes[] = {
  AXES ("_npi_moveaxis",
        "_np_moveaxis",
        "puts axes elsewhere",
        move_attributes,
        infer_move,
        sym_op_mxnet_lower_move_axes),
  AXES ("_npi_rollaxis",
        NULL,
        "puts an axis before another",
        rollaxis_attributes,
        infer_rollaxis,
        sym_op_mxnet_lower_roll_axis),
  AXES ("_npi_broadcast_to",
        NULL,
        "axes of size 1 grow to a shape",
        broadcast_attributes,
        infer_broadcast_to,
        sym_op_mxnet_lower_expand),
  AXES ("_npi_flip",
        NULL,
        "turns axes round",
        flip_attributes,
        sym_op_infer_elementwise,
        sym_op_mxnet_lower_reverse),
  AXES ("_npi_roll",
        "_np_roll",
        "moves elements round",
        roll_attributes,
        sym_op_infer_elementwise,
        sym_op_mxnet_lower_roll),
  AXES ("_npi_rot90",
        NULL,
        "quarter turns of a plane",
        rot_attributes,
        infer_rot,
        sym_op_mxnet_lower_turn),
  AXES ("_npi_pad",
        NULL,
        "puts elements around",
        pad_attributes,
        infer_pad,
        sym_op_mxnet_lower_pad),
  AXES ("_npi_diag",
        "_np_diag",
        "diagonal of a matrix, or a matrix of a diagonal",
        diag_attributes,
        infer_diag,
        sym_op_mxnet_lower_diagonal),
  AXES ("_npi_diagflat",
        "_np_diagflat",
        "a matrix with all elements on its diagonal",
        diag_attributes,
        infer_diagflat,
        sym_op_mxnet_lower_diagonal),
  AXES ("_npi_diagonal",
        "_np_diagonal",
        "diagonals of matrices",
        diagonal_attributes,
        infer_diagonal,
        sym_op_mxnet_lower_diagonals),
  AXES ("_npi_trace",
        "_np_trace",
        "sums of the diagonals of matrices",
        diagonal_attributes,
        infer_trace,
        sym_op_mxnet_lower_trace),
  ATLEAST ("_npi_atleast_1d",
           "_np_atleast_1d",
           "tensors of one axis or more",
           infer_atleast_1d,
           lower_at_least),
  ATLEAST ("_npi_atleast_2d",
           "_np_atleast_2d",
           "tensors of two axes or more",
           infer_atleast_2d,
           lower_at_least),
  ATLEAST ("_npi_atleast_3d",
           "_np_atleast_3d",
           "tensors of three axes or more",
           infer_atleast_3d,
           lower_at_least),
  { NULL },
};
