/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-keras-ops.h"

#include <string.h>

/* ---- Shapes ---- */

static SymId
get_data (SymOpLower *self)
{
  return sym_op_lower_need_tensor (self, 0) ? sym_op_lower_input (self, 0) : SYM_NO_ID;
}

static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK] = { -1 };
  gboolean is_flat = strcmp (sym_op_keras_ops_get_name (self), "Ravel") == 0;
  int n = is_flat ? 1
                  : sym_op_foreign_list (
                        self, sym_op_foreign_choose (self, "newshape", "shape", NULL), sizes);

  if (n < 0)
    sym_op_lower_refuse (self, "%s: its shape is computed", sym_op_keras_ops_get_name (self));
  for (int i = 0; i < n; i++)
    if (sizes[i] == SYM_DIM_UNKNOWN)
      sizes[i] = -1;
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_reshape (self, get_data (self), sizes, n, FALSE));
}

static void
lower_broadcast (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "shape", sizes);

  if (n < 0)
    sym_op_lower_refuse (self, "BroadcastTo: its shape is computed");
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "Expand", get_data (self), sym_op_lower_ints (self, sizes, n)));
}

/* ---- Axes ---- */

static void
lower_transpose (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n;
  gint64 axes[SYM_MAX_RANK];

  if (!sym_op_keras_ops_get_axes (self, "axes", "perm", rank, axes, &n))
    return;
  for (int i = 0; n < 0 && i < rank; i++)
    axes[i] = rank - 1 - i;
  if (n >= 0 && n != rank)
    sym_op_lower_fail (self, "Transpose: %d axes for data of %d", n, rank);
  else
    sym_op_lower_set_output (self, 0, sym_op_lower_permute (self, get_data (self), axes, rank));
}

static void
lower_swap (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 axes[SYM_MAX_RANK], kept;
  int first = sym_op_foreign_axis (self, "axis1", 0, rank);
  int second = sym_op_foreign_axis (self, "axis2", 1, rank);

  for (int i = 0; i < rank; i++)
    axes[i] = i;
  if (sym_op_lower_has_failed (self))
    return;
  kept = axes[first];
  axes[first] = axes[second];
  axes[second] = kept;
  sym_op_lower_set_output (self, 0, sym_op_lower_permute (self, get_data (self), axes, rank));
}

/* Axes of `source` go to the places of `destination`, the others keep their order. */
static void
lower_move (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n, n_places, next = 0;
  gint64 from[SYM_MAX_RANK], to[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  gboolean moved[SYM_MAX_RANK] = { FALSE };

  if (!sym_op_keras_ops_get_axes (self, "source", "source", rank, from, &n) ||
      !sym_op_keras_ops_get_axes (self, "destination", "destination", rank, to, &n_places))
    return;
  for (int i = 0; i < rank; i++)
    axes[i] = -1;
  for (int i = 0; i < n && n == n_places; i++)
    {
      axes[to[i]] = from[i];
      moved[from[i]] = TRUE;
    }
  for (int i = 0; i < rank; i++)
    {
      while (next < rank && moved[next])
        next++;
      if (axes[i] < 0 && next < rank)
        axes[i] = next++;
    }
  for (int i = 0; i < rank; i++)
    if (axes[i] < 0 || n != n_places)
      {
        sym_op_lower_fail (self, "Moveaxis: source and destination do not fit");
        return;
      }
  sym_op_lower_set_output (self, 0, sym_op_lower_permute (self, get_data (self), axes, rank));
}

/* Several axes are of the result. */
static void
lower_expand (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axis", axes);

  if (n < 1)
    sym_op_lower_fail (self, "ExpandDims: an axis is missing");
  sym_op_lower_set_output (self, 0, sym_op_foreign_unsqueeze (self, get_data (self), axes, n));
}

static void
lower_squeeze (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n;

  if (!sym_op_keras_ops_get_axes (self, "axis", "axis", rank, axes, &n))
    return;
  sym_op_lower_set_output (self, 0,
                           n < 0 ? sym_op_lower_unary (self, "Squeeze", get_data (self))
                                 : sym_op_foreign_squeeze (self, get_data (self), axes, n));
}

static void
lower_flip (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n;
  gint64 axes[SYM_MAX_RANK];
  SymId x = get_data (self);

  if (!sym_op_keras_ops_get_axes (self, "axis", "axis", rank, axes, &n))
    return;
  for (int i = 0; i < (n < 0 ? rank : n); i++)
    x = sym_op_lower_slice (self, x, n < 0 ? i : (int) axes[i], -1, G_MININT64, -1);
  sym_op_lower_set_output (self, 0, x);
}

/* ---- Several ---- */

/* Operands in the dtype that they have together, with a further axis where they are stacked. */
static void
lower_join (SymOpLower *self)
{
  gboolean stacks = strcmp (sym_op_keras_ops_get_name (self), "Stack") == 0;
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);
  gint64 axis = sym_op_lower_get_int (self, "axis", stacks ? 0 : -1);
  SymDType dtype;

  if (n == 0)
    {
      sym_op_lower_fail (self, "%s: there is nothing to join", sym_op_keras_ops_get_name (self));
      return;
    }
  dtype = sym_op_keras_ops_promote (self, 0, n - 1);
  for (guint i = 0; i < n; i++)
    {
      parts[i] = sym_op_keras_ops_input (self, i, dtype);
      if (stacks)
        parts[i] = sym_op_foreign_unsqueeze (self, parts[i], &axis, 1);
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (axis), NULL));
}

/* Keras tells the places between the parts; TensorFlow the sizes of the parts. */
static void
lower_split (SymOpLower *self)
{
  gboolean is_tf = sym_op_keras_ops_is_tf (self);
  const char *name =
      sym_op_foreign_choose (self, "indices_or_sections", "num_or_size_splits", NULL);
  const SymValue *value =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), name);
  int axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));
  gint64 start = 0, size = sym_op_foreign_size (self, 0, axis), n, given[SYM_MAX_RANK];
  int n_given = value == NULL ? -1 : sym_op_foreign_list (self, name, given);
  gboolean is_number = value != NULL && sym_value_get_int (value, &n);

  if (n_given < 1 || (is_number && (n < 1 || size % n != 0)))
    {
      sym_op_lower_fail (self, "Split: %s does not part %" G_GINT64_FORMAT " elements", name, size);
      return;
    }
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    {
      gint64 stop = (int) i < n_given ? given[i] : size;

      if (is_number)
        stop = start + size / n;
      else if (is_tf)
        stop = (int) i < n_given && given[i] >= 0 ? start + given[i] : size;
      sym_op_lower_set_output (self, i,
                               sym_op_lower_slice (self, get_data (self), axis, start, stop, 1));
      start = stop;
    }
}

static void
lower_unstack (SymOpLower *self)
{
  int axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));

  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    sym_op_lower_set_output (
        self, i,
        sym_op_lower_call (
            self, "Gather",
            SYM_IDS (get_data (self), sym_op_lower_number (self, SYM_DTYPE_INT64, (double) i)),
            "axis", sym_value_new_int (axis), NULL));
}

static void
lower_tile (SymOpLower *self)
{
  gint64 times[SYM_MAX_RANK], all[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0);
  int n =
      sym_op_foreign_list (self, sym_op_foreign_choose (self, "repeats", "multiples", NULL), times);
  SymId x = get_data (self);

  if (n < 1 || n > rank)
    {
      sym_op_lower_refuse (self, "Tile: %d repeats for data of %d axes", n, rank);
      return;
    }
  for (int i = 0; i < rank; i++)
    all[i] = i < rank - n ? 1 : times[i - (rank - n)];
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Tile", x, sym_op_lower_ints (self, all, rank)));
}

/* Each element several times: a further axis behind it, which it swallows. */
static void
lower_repeat (SymOpLower *self)
{
  gint64 n = sym_op_lower_get_int (self, "repeats", -1), after, sizes[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0);
  int axis = sym_op_foreign_axis (self, "axis", 0, rank), n_open = 0;
  SymId x = get_data (self);
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);

  if (n < 1 || n > G_MAXINT32 || rank + 1 > SYM_MAX_RANK ||
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), "axis") ==
          NULL)
    {
      sym_op_lower_refuse (self, "Repeat: only one number along one axis is lowered");
      return;
    }
  after = axis + 1;
  for (int i = 0; i <= rank; i++)
    sizes[i] = i == after ? n : 1;
  x = sym_op_foreign_unsqueeze (self, x, &after, 1);
  x = sym_op_lower_binary (self, "Expand", x, sym_op_lower_ints (self, sizes, rank + 1));
  for (int i = 0; i < rank; i++)
    {
      sizes[i] = shape.dims[i] < 0 ? -1 : shape.dims[i];
      n_open += sizes[i] < 0;
    }
  sizes[axis] = sym_op_foreign_multiply (self, sym_op_foreign_size (self, 0, axis), n);
  if (n_open > 1)
    sym_op_lower_refuse (self, "Repeat: more than one size is not known");
  sym_op_lower_set_output (self, 0, sym_op_foreign_reshape (self, x, sizes, rank, FALSE));
}

/* pad_width is a number, or a pair for each axis. */
static gboolean
read_pads (SymOpLower *self, int rank, gint64 *pads)
{
  const SymValue *value =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)),
                           sym_op_foreign_choose (self, "pad_width", "paddings", NULL));
  gint64 same;

  if (value == NULL)
    return FALSE;
  if (sym_value_get_int (value, &same))
    {
      for (int i = 0; i < 2 * rank; i++)
        pads[i] = same;
      return TRUE;
    }
  for (int i = 0; i < rank; i++)
    {
      gint64 pair[2];

      if (sym_value_get_n_children (value) != (guint) rank ||
          sym_value_get_ints (sym_value_get_child (value, (guint) i), pair, 2) != 2)
        return FALSE;
      pads[i] = pair[0];
      pads[i + rank] = pair[1];
    }
  return TRUE;
}

static void
lower_pad (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 pads[2 * SYM_MAX_RANK];
  g_autofree char *mode = g_ascii_strdown (sym_op_lower_get_string (self, "mode", "constant"), -1);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  double fill = sym_op_lower_get_float (self, "constant_values", 0);

  if (!read_pads (self, rank, pads))
    sym_op_lower_refuse (self, "Pad: its widths are no pair for each axis");
  if (strcmp (mode, "symmetric") == 0)
    sym_op_lower_refuse (self, "Pad: mode “symmetric” is not lowered");
  if (sym_op_lower_has_failed (self))
    return;
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Pad",
                         SYM_IDS (get_data (self), sym_op_lower_ints (self, pads, 2 * rank),
                                  sym_op_lower_number (self, dtype, fill)),
                         "mode", sym_value_new_string (mode), NULL));
}

/* ---- Tables ---- */

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "the axis" },
  { NULL },
};

static const SymAttributeSpec axes_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order; from the last to the first" },
  { NULL },
};

static const SymAttributeSpec two_axes[] = {
  { "axis1", SYM_ATTRIBUTE_INT, NULL, "one axis" },
  { "axis2", SYM_ATTRIBUTE_INT, NULL, "the other" },
  { NULL },
};

static const SymAttributeSpec move_attributes[] = {
  { "source", SYM_ATTRIBUTE_INTS, NULL, "axes that are moved" },
  { "destination", SYM_ATTRIBUTE_INTS, NULL, "where they go" },
  { NULL },
};

static const SymAttributeSpec shape_attributes[] = {
  { "newshape", SYM_ATTRIBUTE_INTS, NULL, "sizes; -1 is what is left over" },
  { NULL },
};

static const SymAttributeSpec broadcast_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, NULL, "sizes of the result" },
  { NULL },
};

static const SymAttributeSpec split_attributes[] = {
  { "indices_or_sections", SYM_ATTRIBUTE_ANY, NULL, "how many parts, or where they begin" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "the axis" },
  { NULL },
};

static const SymAttributeSpec repeat_attributes[] = {
  { "repeats", SYM_ATTRIBUTE_INTS, NULL, "how many times" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "the axis" },
  { NULL },
};

static const SymAttributeSpec pad_attributes[] = {
  { "pad_width", SYM_ATTRIBUTE_ANY, NULL, "how much is added before and after each axis" },
  { "mode", SYM_ATTRIBUTE_STRING, "constant", "what is added" },
  { NULL },
};

static const SymAttributeSpec no_attributes[] = { { NULL } };

#define SHAPE(name_, summary_, attributes_, lower_)                                              \
  {                                                                                              \
    SYM_OP_KERAS_OPS (name_, summary_, SHAPE),                                                   \
        .slots = sym_op_keras_ops_one, .attributes = attributes_, .infer = sym_op_infer_lowered, \
        .lower = lower_,                                                                         \
  }
#define PARTS(name_, summary_, attributes_, lower_)                                            \
  {                                                                                            \
    SYM_OP_KERAS_OPS (name_, summary_, SHAPE),                                                 \
        .slots = sym_op_keras_ops_one, .attributes = attributes_,                              \
        .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered, .lower = lower_, \
  }
#define JOIN(name_, summary_)                                                              \
  {                                                                                        \
    SYM_OP_KERAS_OPS (name_, summary_, MERGE),                                             \
        .slots = sym_op_foreign_many, .get_n_operands = sym_op_foreign_any,                \
        .attributes = axis_attributes, .infer = sym_op_infer_lowered, .lower = lower_join, \
  }

const SymOperator sym_op_keras_ops_shape[] = {
  SHAPE ("BroadcastTo",
         "The data several times, to a shape",
         broadcast_attributes,
         lower_broadcast),
  JOIN ("Concatenate", "Operands one after the other"),
  SHAPE ("ExpandDims", "Axes of one element put in", axis_attributes, lower_expand),
  SHAPE ("Flip", "The last element first", axis_attributes, lower_flip),
  SHAPE ("Moveaxis", "Axes at other places", move_attributes, lower_move),
  SHAPE ("Pad", "More around the data", pad_attributes, lower_pad),
  SHAPE ("Ravel", "All axes as one", no_attributes, lower_reshape),
  SHAPE ("Repeat", "Each element several times", repeat_attributes, lower_repeat),
  SHAPE ("Reshape", "The same numbers in another shape", shape_attributes, lower_reshape),
  PARTS ("Split", "Parts along an axis", split_attributes, lower_split),
  SHAPE ("Squeeze", "Axes of one element left out", axis_attributes, lower_squeeze),
  JOIN ("Stack", "Operands along a new axis"),
  SHAPE ("Swapaxes", "Two axes in place of each other", two_axes, lower_swap),
  SHAPE ("Tile", "The whole several times", repeat_attributes, lower_tile),
  SHAPE ("Transpose", "Axes in another order", axes_attributes, lower_transpose),
  PARTS ("Unstack", "The elements of an axis apart", axis_attributes, lower_unstack),
  { NULL },
};
