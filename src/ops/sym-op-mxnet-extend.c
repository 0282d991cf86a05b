/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* ---- repeat ---- */

static const SymAttributeSpec repeat_attributes[] = {
  { "repeats", SYM_ATTRIBUTE_INT, NULL, "how often each element comes" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "axis along which; flat when None" },
  { NULL },
};

static gboolean
infer_repeat (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 repeats = sym_rule_get_int (rule, "repeats", 1);
  gint64 given = sym_rule_get_int (rule, "axis", G_MAXINT64);
  SymShape data = sym_rule_get_input (rule, 0), out = data;
  int axis;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (repeats < 0)
    return sym_rule_fail (error, "repeats should not be negative");
  if (data.rank < 0)
    return TRUE;
  if (given == G_MAXINT64)
    {
      out = SYM_SHAPE (
          sym_terms_multiply (terms, sym_terms_product (terms, data.dims, data.rank), repeats));
    }
  else
    {
      if (!sym_op_normalize_axis (given, data.rank, &axis, error))
        return FALSE;
      out.dims[axis] = sym_terms_multiply (terms, data.dims[axis], repeats);
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- tile ---- */

static const SymAttributeSpec tile_attributes[] = {
  { "reps", SYM_ATTRIBUTE_INTS, NULL, "how often along each axis, the last axes first" },
  { NULL },
};

static gboolean
infer_tile (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape data = sym_rule_get_input (rule, 0), out;
  gint64 reps[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "reps", reps, SYM_MAX_RANK);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || n < 0)
    return TRUE;
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "reps has more than %d numbers", SYM_MAX_RANK);
  out = sym_shape_new_unknown (MAX (data.rank, n));
  for (int i = 0; i < out.rank; i++)
    {
      int own = i - (out.rank - data.rank), rep = i - (out.rank - n);

      if (rep >= 0 && reps[rep] < 0)
        return sym_rule_fail (error, "reps should not be negative");
      out.dims[i] =
          sym_terms_multiply (terms, own >= 0 ? data.dims[own] : 1, rep >= 0 ? reps[rep] : 1);
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- Pad ---- */

static const SymAttributeSpec pad_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, NULL, "constant, edge or reflect", "constant edge reflect" },
  { "pad_width", SYM_ATTRIBUTE_INTS, NULL, "before and after, for each axis" },
  { "constant_value", SYM_ATTRIBUTE_FLOAT, "0.0", "what is put there" },
  { NULL },
};

static gboolean
infer_pad (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 width[2 * SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "pad_width", width, 2 * SYM_MAX_RANK);
  SymShape out;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (n < 2 || n % 2 != 0 || n > 2 * SYM_MAX_RANK)
    return sym_rule_fail (error, "pad_width has %d numbers; it should have two for each axis", n);
  if (!sym_op_set_input (rule, 0, sym_shape_new_unknown (n / 2), error))
    return FALSE;
  out = sym_rule_get_input (rule, 0);
  for (int i = 0; i < out.rank; i++)
    {
      if (width[2 * i] < 0 || width[2 * i] > G_MAXINT32 || width[2 * i + 1] < 0 ||
          width[2 * i + 1] > G_MAXINT32)
        return sym_rule_fail (error, "pad_width should not be negative");
      out.dims[i] = sym_terms_add (terms, out.dims[i], width[2 * i] + width[2 * i + 1]);
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- broadcast_to, broadcast_like, broadcast_axis ---- */

static const SymAttributeSpec broadcast_to_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "()", "shape of the result; 0 keeps" },
  { NULL },
};

/* Dimensions of @target that are unknown are those of the data; where one is a number, the data has
 * it or 1. */
static gboolean
broadcast_to (SymRule *rule, SymShape target, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  g_autofree char *from = sym_rule_format_shape (rule, &data);
  g_autofree char *to = sym_rule_format_shape (rule, &target);

  if (data.rank != target.rank)
    return sym_rule_fail (error, "Operand of shape %s cannot be broadcasted to %s", from, to);
  for (int i = 0; i < data.rank; i++)
    {
      if (target.dims[i] == SYM_DIM_UNKNOWN)
        target.dims[i] = data.dims[i];
      else if (data.dims[i] >= 0 && data.dims[i] != 1 &&
               !sym_rule_unify (rule, data.dims[i], target.dims[i], "broadcast", NULL))
        return sym_rule_fail (error, "Array cannot be broadcasted from %s to %s", from, to);
    }
  return sym_rule_set_output (rule, 0, &target, error);
}

static gboolean
infer_broadcast_to (SymRule *rule, GError **error)
{
  SymShape target = sym_op_mxnet_get_shape (rule, "shape");

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (target.rank < 0)
    return TRUE;
  if (sym_rule_get_input (rule, 0).rank < 0)
    return sym_rule_set_output (rule, 0, &target, error);
  return broadcast_to (rule, target, error);
}

static const SymAttributeSpec broadcast_like_attributes[] = {
  { "lhs_axes", SYM_ATTRIBUTE_INTS, "None", "axes that are broadcast; all when None" },
  { "rhs_axes", SYM_ATTRIBUTE_INTS, "None", "axes of the other whose sizes are taken" },
  { NULL },
};

static gboolean
infer_broadcast_like (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), like = sym_rule_get_input (rule, 1), target;
  gint64 from[SYM_MAX_RANK], to[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "lhs_axes", to, SYM_MAX_RANK);
  int n_like = sym_rule_get_ints (rule, "rhs_axes", from, SYM_MAX_RANK);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || like.rank < 0)
    return TRUE;
  if (n < 0 || n_like < 0)
    return broadcast_to (rule, like, error);
  if (n != n_like || n > SYM_MAX_RANK)
    return sym_rule_fail (error,
                          "Empty axes tuple is not allowed, nor lhs_axes and rhs_axes of "
                          "%d and %d axes",
                          n, n_like);
  target = sym_shape_new_unknown (data.rank);
  for (int i = 0; i < n; i++)
    {
      int own, other;

      if (!sym_op_normalize_axis (to[i], data.rank, &own, error) ||
          !sym_op_normalize_axis (from[i], like.rank, &other, error))
        return FALSE;
      target.dims[own] = like.dims[other];
    }
  return broadcast_to (rule, target, error);
}

static const SymAttributeSpec broadcast_axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "()", "axes of size 1 that grow" },
  { "size", SYM_ATTRIBUTE_INTS, "()", "their sizes in the result" },
  { NULL },
};

static gboolean
infer_broadcast_axis (SymRule *rule, GError **error)
{
  gint64 axes[SYM_MAX_RANK], sizes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "axis", axes, SYM_MAX_RANK);
  int n_sizes = sym_rule_get_ints (rule, "size", sizes, SYM_MAX_RANK);
  SymShape out = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (n != n_sizes || n > SYM_MAX_RANK)
    return sym_rule_fail (error, "axis and size have %d and %d numbers", n, n_sizes);
  if (out.rank < 0)
    return TRUE;
  for (int i = 0; i < n; i++)
    {
      int axis;

      if (!sym_op_normalize_axis (axes[i], out.rank, &axis, error) ||
          !sym_rule_unify (rule, out.dims[axis], 1, "Broadcasting axis must have size 1", error))
        return FALSE;
      out.dims[axis] = sizes[i] > 0 ? sizes[i] : SYM_DIM_UNKNOWN;
    }
  return sym_rule_set_output (rule, 0, &out, error);
}

/* ---- Lowering ---- */

/* Each element beside itself: [..., d, 1, ...] grows to [..., d, repeats, ...]. */
static void
lower_repeat (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  gint64 given = sym_op_lower_get_int (self, "axis", G_MAXINT64);
  SymShape shape = *data;
  SymId x = sym_op_lower_input (self, 0);
  guint64 n;
  int axis = 0;

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 0 ||
      !sym_shape_get_n_elements (data, &n))
    return;
  if (given == G_MAXINT64)
    shape = SYM_SHAPE ((gint64) n);
  else if (!sym_op_lower_find_axis (self, given, data->rank, &axis))
    return;
  if (shape.rank == SYM_MAX_RANK)
    {
      sym_op_lower_refuse (self, "repeat: %d axes are not lowered", SYM_MAX_RANK);
      return;
    }
  shape = sym_op_insert_axis (&shape, axis + 1, 1);
  x = sym_op_lower_reshape (self, x, &shape);
  shape.dims[axis + 1] = sym_op_lower_get_int (self, "repeats", 1);
  x = sym_op_lower_binary (self, "Expand", x, sym_op_lower_ints (self, shape.dims, shape.rank));
  sym_op_lower_finish (self, x);
}

static void
lower_tile (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *out = sym_op_lower_get_output_shape (self, 0);
  gint64 reps[SYM_MAX_RANK], all[SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (self, "reps", reps, SYM_MAX_RANK);
  SymShape shape = *out;
  SymId x;

  if (!sym_op_lower_need_tensor (self, 0) || out->rank < 0 || n < 0)
    return;
  for (int i = 0; i < out->rank; i++)
    {
      int own = i - (out->rank - data->rank), rep = i - (out->rank - n);

      shape.dims[i] = own >= 0 ? data->dims[own] : 1;
      all[i] = rep >= 0 ? reps[rep] : 1;
    }
  x = sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &shape);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Tile", x, sym_op_lower_ints (self, all, out->rank)));
}

/* MXNet tells both sides of an axis after each other, ONNX all begins first. */
static void
lower_pad (SymOpLower *self)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;
  gint64 width[2 * SYM_MAX_RANK], pads[2 * SYM_MAX_RANK];
  SymId number;

  if (!sym_op_lower_need_tensor (self, 0) || sym_op_lower_get_output_shape (self, 0)->rank < 0 ||
      !sym_op_mxnet_lower_ints (self, "pad_width", 2 * rank, 0, width))
    return;
  for (int i = 0; i < rank; i++)
    {
      pads[i] = width[2 * i];
      pads[rank + i] = width[2 * i + 1];
    }
  number = sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                                sym_op_lower_get_float (self, "constant_value", 0));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Pad",
          SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, pads, 2 * rank), number),
          "mode", sym_value_new_string (sym_op_lower_get_string (self, "mode", "constant")), NULL));
}

#define EXTEND(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                 \
  {                                                                                            \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                     \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE,           \
                  .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_ \
  }

const SymOperator sym_op_mxnet_extend[] = {
  EXTEND ("repeat",
          "_np_repeat _npi_repeat",
          "each element several times",
          repeat_attributes,
          sym_op_mxnet_data,
          infer_repeat,
          lower_repeat),
  EXTEND ("tile",
          "_npi_tile",
          "the whole several times",
          tile_attributes,
          sym_op_mxnet_data,
          infer_tile,
          lower_tile),
  EXTEND ("Pad",
          "pad _npx_pad",
          "puts elements around",
          pad_attributes,
          sym_op_mxnet_data,
          infer_pad,
          lower_pad),
  EXTEND ("broadcast_to",
          NULL,
          "axes of size 1 grow to a shape",
          broadcast_to_attributes,
          sym_op_mxnet_data,
          infer_broadcast_to,
          sym_op_mxnet_lower_expand),
  EXTEND ("broadcast_like",
          "_npx_broadcast_like",
          "axes of size 1 grow to those of another",
          broadcast_like_attributes,
          sym_op_mxnet_pair,
          infer_broadcast_like,
          sym_op_mxnet_lower_expand),
  EXTEND ("broadcast_axis",
          "broadcast_axes",
          "axes of size 1 grow to sizes",
          broadcast_axis_attributes,
          sym_op_mxnet_data,
          infer_broadcast_axis,
          sym_op_mxnet_lower_expand),
  { NULL },
};
