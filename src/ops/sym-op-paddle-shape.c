/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

/* XShape, which older operators give besides, only gradients look at. */
static void
set_only (SymOpLower *self, SymId y)
{
  static const SymShape none = { .rank = 1, .dims = { 0 } };

  sym_op_lower_set_output (self, 0, y);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1, sym_op_lower_fill (self, sym_op_lower_get_input_dtype (self, 0), &none, 0));
}

/* The sizes are an operand where they are not constant. */
static SymId
read_sizes (SymOpLower *self, const char *name)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, name, sizes);

  if (n >= 0 && (n > 0 || !sym_op_lower_has_input (self, 1)))
    return sym_op_lower_ints (self, sizes, n);
  sym_op_lower_need_tensor (self, 1);
  return sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);
}

static void
lower_reshape (SymOpLower *self)
{
  set_only (self, sym_op_lower_binary (self, "Reshape", sym_op_lower_input (self, 0),
                                       read_sizes (self, "shape")));
}

static void
lower_transpose (SymOpLower *self)
{
  const char *name = sym_op_foreign_choose (self, "axis", "perm", NULL);
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, name, axes), rank = sym_op_foreign_rank (self, 0), normal;

  if (n != rank)
    sym_op_lower_fail (self, "%s: %d axes for %d", sym_op_lower_get_type (self), n, rank);
  for (int i = 0; i < n && !sym_op_lower_has_failed (self); i++)
    {
      sym_op_lower_find_axis (self, axes[i], rank, &normal);
      axes[i] = normal;
    }
  if (!sym_op_lower_has_failed (self))
    set_only (self, sym_op_lower_permute (self, sym_op_lower_input (self, 0), axes, n));
}

/* Axes from one to another become one. */
static void
lower_flatten_range (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  int first = sym_op_foreign_axis (self, "start_axis", 1, rank);
  int last = sym_op_foreign_axis (self, "stop_axis", -1, rank);
  gint64 open[] = { -1 };
  SymId x = sym_op_lower_input (self, 0), parts[3], shape;

  if (first > last)
    sym_op_lower_fail (self, "%s: axis %d is behind axis %d", sym_op_lower_get_type (self), first,
                       last);
  parts[0] = sym_op_lower_call (self, "Shape", SYM_IDS (x), "end", sym_value_new_int (first), NULL);
  parts[1] = sym_op_lower_ints (self, open, 1);
  parts[2] = sym_op_foreign_with (self, "Shape", x, "start", last + 1);
  shape =
      sym_op_lower_call (self, "Concat", (SymIds){ parts, 3 }, "axis", sym_value_new_int (0), NULL);
  set_only (self, sym_op_lower_binary (self, "Reshape", x, shape));
}

/* A matrix of the axes before one and those from there on; of ONNX's Flatten. */
static void
lower_flatten (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));

  if (sym_attributes_find (attributes, "start_axis") != NULL)
    lower_flatten_range (self);
  else
    set_only (self, sym_op_foreign_with (self, "Flatten", sym_op_lower_input (self, 0), "axis",
                                         sym_op_lower_get_int (self, "axis", 1)));
}

/* Axes of another size than 1 stay. */
static void
lower_squeeze (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, sym_op_foreign_choose (self, "axes", "axis", NULL), axes),
      kept = 0;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  if (n <= 0)
    {
      set_only (self, sym_op_lower_unary (self, "Squeeze", sym_op_lower_input (self, 0)));
      return;
    }
  for (int i = 0; i < n; i++)
    {
      int axis;

      if (sym_op_lower_find_axis (self, axes[i], shape->rank, &axis) &&
          (shape->dims[axis] == 1 || shape->dims[axis] < 0))
        axes[kept++] = axis;
    }
  set_only (self, sym_op_foreign_squeeze (self, sym_op_lower_input (self, 0), axes, kept));
}

static void
lower_unsqueeze (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, sym_op_foreign_choose (self, "axes", "axis", NULL), axes);
  SymId y = sym_op_lower_input (self, 0);

  if (n < 0)
    sym_op_lower_refuse (self, "%s: its axes are not constant", sym_op_lower_get_type (self));
  for (int i = 0; i < n; i++)
    y = sym_op_foreign_unsqueeze (self, y, &axes[i], 1);
  set_only (self, y);
}

static void
lower_concat (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);

  sym_op_lower_set_output (
      self, 0,
      sym_op_foreign_concat (self, 1, n < 1 ? 0 : n - 1, sym_op_lower_get_int (self, "axis", 0)));
}

/* One of the sizes may be -1: what is left. */
static void
lower_split (SymOpLower *self)
{
  int axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));
  gint64 sizes[SYM_MAX_RANK], rest;
  int n = sym_op_foreign_list (self, "sections", sizes), open = -1;

  if (n <= 0)
    {
      sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, NULL, -1);
      return;
    }
  for (int i = 0; i < n; i++)
    if (sizes[i] < 0)
      open = i;
  rest = open >= 0 ? sym_op_foreign_size (self, 0, axis) : 0;
  for (int i = 0; i < n && open >= 0; i++)
    rest -= i == open ? 0 : sizes[i];
  if (open >= 0)
    sizes[open] = MAX (rest, 0);
  sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, sizes, n);
}

/* The parts along an axis, without it. */
static void
lower_unstack (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0);
  gint64 axis = sym_op_foreign_axis (self, "axis", 0, rank);
  guint n = sym_op_lower_get_n_outputs (self);

  for (guint i = 0; i < n && !sym_op_lower_has_failed (self); i++)
    {
      SymId place = sym_op_lower_number (self, SYM_DTYPE_INT64, i);

      sym_op_lower_set_output (self, i,
                               sym_op_lower_call (self, "Gather",
                                                  SYM_IDS (sym_op_lower_input (self, 0), place),
                                                  "axis", sym_value_new_int (axis), NULL));
    }
}

static void
lower_shape (SymOpLower *self)
{
  SymId shape = sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 0));
  gboolean is_wide = g_str_equal (sym_op_lower_get_type (self), "shape64");

  sym_op_lower_set_output (self, 0,
                           is_wide ? shape : sym_op_lower_cast (self, shape, SYM_DTYPE_INT32));
}

/* To sizes, of which -1 stays as it is. */
static void
lower_expand (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "shape", sizes);
  SymId target;

  for (int i = 0; i < n; i++)
    sizes[i] = sizes[i] == -1 ? 1 : sizes[i];
  target = n >= 0 && (n > 0 || !sym_op_lower_has_input (self, 1))
               ? sym_op_lower_ints (self, sizes, n)
               : read_sizes (self, "shape");
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 0), target));
}

static void
lower_expand_as (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "target_shape", sizes);
  SymId target = sym_op_lower_has_input (self, 1)
                     ? sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 1))
                     : sym_op_lower_ints (self, sizes, MAX (n, 0));

  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 0), target));
}

/* Fewer numbers than axes are for the last ones; more make axes before. */
static void
lower_tile (SymOpLower *self)
{
  gint64 times[SYM_MAX_RANK], all[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  const char *name = sym_op_foreign_choose (self, "repeat_times", "expand_times", NULL);
  int n = sym_op_foreign_list (self, name, times), rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (n < 0)
    sym_op_lower_refuse (self, "%s: its numbers are not constant", sym_op_lower_get_type (self));
  for (int i = 0; i < rank; i++)
    all[i] = i + n - rank < 0 ? 1 : times[i + n - rank];
  for (int i = 0; i < n - rank; i++)
    axes[i] = i;
  if (n > rank)
    x = sym_op_foreign_unsqueeze (self, x, axes, n - rank);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_binary (self, "Tile", x,
                           sym_op_lower_ints (self, n > rank ? times : all, MAX (n, rank))));
}

/* ---- Tables ---- */

static const SymSlotSpec reshape_slots[] = { { "X" }, { "Shape", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec axes_slots[] = { { "X" }, { "axes", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec concat_slots[] = { { "axis", SYM_SLOT_DATA, TRUE }, { "X" }, { NULL } };
static const SymSlotSpec expand_as_slots[] = { { "X" }, { "Y", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec shape_slots[] = { { "Input" }, { NULL } };

static const SymSlotSpec split_slots[] = {
  { "X" },
  { "sections", SYM_SLOT_DATA, TRUE },
  { "axis", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec split_evenly_slots[] = { { "X" },
                                                  { "axis", SYM_SLOT_DATA, TRUE },
                                                  { NULL } };

static const SymSlotSpec tile_slots[] = {
  { "X" },
  { "repeat_times", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymAttributeSpec shape_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes; -1 is what is left, 0 stays as it is" },
  { NULL },
};

static const SymAttributeSpec transpose_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { "perm", SYM_ATTRIBUTE_INTS, "None", "the same in PIR" },
  { NULL },
};

static const SymAttributeSpec flatten_attributes[] = {
  { "start_axis", SYM_ATTRIBUTE_INT, "1", "first axis of those that become one" },
  { "stop_axis", SYM_ATTRIBUTE_INT, "-1", "last one" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "first axis of the columns, before Paddle 2" },
  { NULL },
};

static const SymAttributeSpec axes_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "which axes" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { NULL },
};

static const SymAttributeSpec split_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "sections", SYM_ATTRIBUTE_INTS, "None", "sizes; without them all are equal" },
  { "num", SYM_ATTRIBUTE_INT, "0", "number of parts" },
  { NULL },
};

static const SymAttributeSpec tile_attributes[] = {
  { "repeat_times", SYM_ATTRIBUTE_INTS, "None", "how often along each axis" },
  { NULL },
};

const SymOperator sym_op_paddle_shape[] = {
  PADDLE_LOWERED ("reshape2",
                  "reshape",
                  "Other axes",
                  SHAPE,
                  reshape_slots,
                  shape_attributes,
                  lower_reshape),
  PADDLE_LOWERED ("transpose2",
                  "transpose",
                  "Axes in another order",
                  SHAPE,
                  sym_op_paddle_one,
                  transpose_attributes,
                  lower_transpose),
  PADDLE_LOWERED ("flatten_contiguous_range",
                  NULL,
                  "Several axes as one",
                  SHAPE,
                  sym_op_paddle_one,
                  flatten_attributes,
                  lower_flatten_range),
  PADDLE_LOWERED ("flatten2",
                  "flatten",
                  "A matrix, or several axes as one",
                  SHAPE,
                  sym_op_paddle_one,
                  flatten_attributes,
                  lower_flatten),
  PADDLE_LOWERED ("squeeze2",
                  "squeeze",
                  "Without axes of size 1",
                  SHAPE,
                  axes_slots,
                  axes_attributes,
                  lower_squeeze),
  PADDLE_LOWERED ("unsqueeze2",
                  "unsqueeze",
                  "With axes of size 1",
                  SHAPE,
                  axes_slots,
                  axes_attributes,
                  lower_unsqueeze),
  { PADDLE ("concat", NULL, "One after the other along an axis", MERGE), .slots = concat_slots,
    .attributes = axis_attributes, .get_n_operands = sym_op_foreign_any,
    .infer = sym_op_infer_lowered, .lower = lower_concat },
  { PADDLE ("stack", NULL, "Along a new axis", MERGE), .slots = sym_op_paddle_many,
    .attributes = axis_attributes, .get_n_operands = sym_op_foreign_any,
    .get_n_outputs = sym_op_foreign_first, .infer = sym_op_infer_lowered,
    .lower = sym_op_foreign_lower_stack },
  PADDLE_LOWERED ("split",
                  NULL,
                  "Parts along an axis",
                  SHAPE,
                  split_slots,
                  split_attributes,
                  lower_split),
  PADDLE_LOWERED ("split_with_num",
                  NULL,
                  "Equal parts along an axis",
                  SHAPE,
                  split_evenly_slots,
                  split_attributes,
                  lower_split),
  PADDLE_LOWERED ("unstack",
                  "unbind",
                  "Parts along an axis, without it",
                  SHAPE,
                  sym_op_paddle_one,
                  axis_attributes,
                  lower_unstack),
  PADDLE_LOWERED ("shape", "shape64", "Sizes of the axes", SHAPE, shape_slots, NULL, lower_shape),
  PADDLE_LOWERED ("expand_v2",
                  "expand",
                  "Repeated along axes of size 1",
                  SHAPE,
                  reshape_slots,
                  shape_attributes,
                  lower_expand),
  PADDLE_LOWERED ("expand_as_v2",
                  "expand_as",
                  "Repeated to the size of another",
                  SHAPE,
                  expand_as_slots,
                  NULL,
                  lower_expand_as),
  PADDLE_LOWERED ("tile",
                  NULL,
                  "Repeated along axes",
                  SHAPE,
                  tile_slots,
                  tile_attributes,
                  lower_tile),
  { NULL },
};
