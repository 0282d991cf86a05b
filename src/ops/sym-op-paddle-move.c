/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-paddle.h"

/* ---- Slices ---- */

/* An attribute, or the operand of this number where it is not constant. */
static SymId
read_places (SymOpLower *self, const char *name, guint i)
{
  gint64 places[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, name, places);

  if (n >= 0 && (n > 0 || !sym_op_lower_has_input (self, i)))
    return sym_op_lower_ints (self, places, n);
  sym_op_lower_need_tensor (self, i);
  return sym_op_lower_cast (self, sym_op_lower_input (self, i), SYM_DTYPE_INT64);
}

static void
lower_slice (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK], gone[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axes", axes);
  int n_gone = sym_op_foreign_list (self, "decrease_axis", gone);
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  gboolean has_steps =
      sym_attributes_find (attributes, "strides") != NULL || sym_op_lower_has_input (self, 3);
  SymId y;

  if (n < 0)
    sym_op_lower_fail (self, "%s: it has no axes", sym_op_lower_get_type (self));
  y = sym_op_lower_call (self, "Slice",
                         SYM_IDS (sym_op_lower_input (self, 0), read_places (self, "starts", 1),
                                  read_places (self, "ends", 2),
                                  sym_op_lower_ints (self, axes, MAX (n, 0)),
                                  has_steps ? read_places (self, "strides", 3) : SYM_NO_ID),
                         NULL);
  sym_op_lower_set_output (self, 0,
                           n_gone > 0 ? sym_op_foreign_squeeze (self, y, gone, n_gone) : y);
}

/* ---- By indices ---- */

/* A column of indices means the same as a list. */
static void
lower_gather (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 1);
  int axis = sym_op_foreign_axis (self, sym_op_foreign_choose (self, "axis", "dim", NULL), 0,
                                  sym_op_foreign_rank (self, 0));
  gint64 flat[] = { -1 };
  SymId places = sym_op_lower_input (self, 1);

  if (shape->rank == 2 && shape->dims[1] == 1)
    places = sym_op_foreign_reshape (self, places, flat, 1, FALSE);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Gather",
                                              SYM_IDS (sym_op_lower_input (self, 0), places),
                                              "axis", sym_value_new_int (axis), NULL));
}

static void
lower_gather_nd (SymOpLower *self)
{
  SymId places = sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64);

  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "GatherND", sym_op_lower_input (self, 0), places));
}

static void
lower_take_along (SymOpLower *self)
{
  gint64 axis = sym_op_lower_get_int (self, sym_op_foreign_choose (self, "Axis", "axis", NULL), 0);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "GatherElements",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
                         "axis", sym_value_new_int (axis), NULL));
}

/* A row of the table for each index; the first version has indices [..., 1]. */
static void
lower_lookup (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 padding = sym_op_lower_get_int (self, "padding_idx", -1), last = shape->rank - 1;
  SymId places = sym_op_lower_input (self, 0);

  if (padding >= 0)
    sym_op_lower_refuse (self, "%s: a row of zeros for padding is not lowered",
                         sym_op_lower_get_type (self));
  if (g_str_equal (sym_op_lower_get_type (self), "lookup_table") && shape->rank > 1 &&
      shape->dims[last] == 1)
    places = sym_op_foreign_squeeze (self, places, &last, 1);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_binary (self, "Gather", sym_op_lower_input (self, 1), places));
}

/* ---- Places ---- */

static void
lower_flip (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK], starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axis", axes);

  for (int i = 0; i < MAX (n, 0); i++)
    {
      starts[i] = -1;
      stops[i] = G_MININT64;
      steps[i] = -1;
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops,
                                                 axes, steps, MAX (n, 0)));
}

static void
lower_roll (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK], shifts[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axis", axes), rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (n < 1 || sym_op_foreign_list (self, "shifts", shifts) != n)
    sym_op_lower_refuse (self, "%s: without an axis for each shift it is not lowered",
                         sym_op_lower_get_type (self));
  for (int i = 0; i < n && !sym_op_lower_has_failed (self); i++)
    {
      int axis;

      if (sym_op_lower_find_axis (self, axes[i], rank, &axis))
        x = sym_op_lower_roll (self, x, axis, sym_op_foreign_size (self, 0, axis), shifts[i]);
    }
  sym_op_lower_set_output (self, 0, x);
}

/* [n, c r r, h, w] to [n, c, h r, w r]: the channel comes first. */
static void
lower_pixel_shuffle (SymOpLower *self)
{
  gboolean is_last = sym_op_paddle_is_channels_last (self);
  gint64 factor = sym_op_lower_get_int (self, "upscale_factor", 1);
  SymId x = sym_op_lower_input (self, 0), y;

  if (is_last)
    x = sym_op_foreign_channels_first (self, x, 4);
  y = sym_op_lower_call (self, "DepthToSpace", SYM_IDS (x), "blocksize", sym_value_new_int (factor),
                         "mode", sym_value_new_string ("CRD"), NULL);
  sym_op_lower_set_output (self, 0, is_last ? sym_op_foreign_channels_last (self, y, 4) : y);
}

static void
lower_shuffle_channel (SymOpLower *self)
{
  gint64 groups = sym_op_lower_get_int (self, "group", 1);
  gint64 sizes[] = { 0, groups, -1, 0, 0 }, back[] = { 0, -1, 0, 0 };
  gint64 channels = sym_op_foreign_size (self, 0, 1), height = sym_op_foreign_size (self, 0, 2);
  SymId y;

  if (groups < 1 || sym_op_foreign_rank (self, 0) != 4)
    {
      sym_op_lower_fail (self, "%s: it shuffles groups of channels of images",
                         sym_op_lower_get_type (self));
      return;
    }
  sizes[2] = channels / groups;
  sizes[3] = height;
  sizes[4] = sym_op_foreign_size (self, 0, 3);
  back[2] = height;
  back[3] = sizes[4];
  y = sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, 5, TRUE);
  y = sym_op_lower_transpose (self, y, 5, 0, 2, 1, 3, 4);
  sym_op_lower_set_output (self, 0, sym_op_foreign_reshape (self, y, back, 4, TRUE));
}

/* ---- Pads ---- */

static const char *
get_mode (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "mode", "constant");

  return g_str_equal (mode, "replicate") ? "edge" : g_str_equal (mode, "circular") ? "wrap" : mode;
}

static SymId
pad (SymOpLower *self, const gint64 *pads, int rank)
{
  const char *name = sym_op_foreign_choose (self, "pad_value", "value", NULL);
  SymId value = sym_op_lower_number (self, sym_op_lower_get_input_dtype (self, 0),
                                     sym_op_lower_get_float (self, name, 0));

  return sym_op_lower_call (
      self, "Pad",
      SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, pads, 2 * rank), value),
      "mode", sym_value_new_string (get_mode (self)), NULL);
}

/* Before and after each axis in turn. */
static void
lower_pad (SymOpLower *self)
{
  gint64 given[2 * SYM_MAX_RANK], pads[2 * SYM_MAX_RANK];
  int n = sym_op_lower_get_ints (self, "paddings", given, 2 * SYM_MAX_RANK);
  int rank = sym_op_foreign_rank (self, 0);

  if (n != 2 * rank)
    {
      sym_op_lower_fail (self, "%s: paddings should have %d numbers, not %d",
                         sym_op_lower_get_type (self), 2 * rank, n);
      return;
    }
  for (int i = 0; i < rank; i++)
    {
      pads[i] = given[2 * i];
      pads[i + rank] = given[2 * i + 1];
    }
  sym_op_lower_set_output (self, 0, pad (self, pads, rank));
}

/* pad2d: top, bottom, left, right; pad3d: left, right, top, bottom, front, back. */
static void
lower_pad_images (SymOpLower *self)
{
  gint64 given[6], pads[10] = { 0 };
  int n = sym_op_lower_get_ints (self, "paddings", given, 6), rank = sym_op_foreign_rank (self, 0);
  gboolean backwards = g_str_equal (sym_op_lower_get_type (self), "pad3d");
  int first = sym_op_paddle_is_channels_last (self) ? 1 : 2;

  if (rank < 3 || rank > 5 || n != 2 * (rank - 2))
    {
      sym_op_lower_fail (self, "%s: %d paddings for data of %d axes", sym_op_lower_get_type (self),
                         n, rank);
      return;
    }
  for (int i = 0; i < rank - 2; i++)
    {
      int from = backwards ? rank - 3 - i : i;

      pads[first + i] = given[2 * from];
      pads[first + i + rank] = given[2 * from + 1];
    }
  sym_op_lower_set_output (self, 0, pad (self, pads, rank));
}

/* ---- Sampling ---- */

static void
lower_grid (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "mode", "bilinear");
  gboolean corners = sym_op_lower_get_bool (self, "align_corners", TRUE);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "GridSample", SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1)),
          "mode", sym_value_new_string (g_str_equal (mode, "bilinear") ? "linear" : mode),
          "padding_mode",
          sym_value_new_string (sym_op_lower_get_string (self, "padding_mode", "zeros")),
          "align_corners", sym_value_new_int (corners), NULL));
}

/* ---- Tables ---- */

static const SymSlotSpec slice_slots[] = {
  { "Input" },
  { "starts", SYM_SLOT_DATA, TRUE },
  { "ends", SYM_SLOT_DATA, TRUE },
  { "strides", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec gather_slots[] = {
  { "X" },
  { "Index" },
  { "axis", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec take_slots[] = { { "Input" }, { "Index" }, { NULL } };
static const SymSlotSpec lookup_slots[] = { { "Ids" }, { "W", SYM_SLOT_PARAMETER }, { NULL } };
static const SymSlotSpec grid_slots[] = { { "X" }, { "Grid" }, { NULL } };
static const SymSlotSpec roll_slots[] = { { "X" }, { "shifts", SYM_SLOT_DATA, TRUE }, { NULL } };
static const SymSlotSpec pad_slots[] = { { "X" }, { "paddings", SYM_SLOT_DATA, TRUE }, { NULL } };

static const SymAttributeSpec slice_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that are cut" },
  { "starts", SYM_ATTRIBUTE_INTS, "None", "where each part begins" },
  { "ends", SYM_ATTRIBUTE_INTS, "None", "where it ends" },
  { "strides", SYM_ATTRIBUTE_INTS, "None", "steps" },
  { "decrease_axis", SYM_ATTRIBUTE_INTS, "None", "axes that are taken away afterwards" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { NULL },
};

static const SymAttributeSpec roll_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INTS, "None", "along which" },
  { "shifts", SYM_ATTRIBUTE_INTS, "None", "how far" },
  { NULL },
};

static const SymAttributeSpec lookup_attributes[] = {
  { "padding_idx", SYM_ATTRIBUTE_INT, "-1", "index whose row is zero" },
  { NULL },
};

static const SymAttributeSpec pad_attributes[] = {
  { "paddings", SYM_ATTRIBUTE_INTS, "None", "how much is added" },
  { "mode", SYM_ATTRIBUTE_STRING, "constant", "what is added" },
  { "value", SYM_ATTRIBUTE_FLOAT, "0.0", "the constant" },
  { NULL },
};

static const SymAttributeSpec factor_attributes[] = {
  { "upscale_factor", SYM_ATTRIBUTE_INT, "1", "how much larger height and width become" },
  { NULL },
};

static const SymAttributeSpec group_attributes[] = {
  { "group", SYM_ATTRIBUTE_INT, "1", "groups of channels" },
  { NULL },
};

static const SymAttributeSpec grid_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "bilinear", "how it is read between elements" },
  { "padding_mode", SYM_ATTRIBUTE_STRING, "zeros", "what is outside" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "True", "whether -1 is the middle of the first element" },
  { NULL },
};

const SymOperator sym_op_paddle_move[] = {
  PADDLE_LOWERED ("slice",
                  "strided_slice",
                  "Part of the data",
                  SHAPE,
                  slice_slots,
                  slice_attributes,
                  lower_slice),
  PADDLE_LOWERED ("gather",
                  "index_select",
                  "Slices by indices",
                  SHAPE,
                  gather_slots,
                  axis_attributes,
                  lower_gather),
  PADDLE_LOWERED ("gather_nd",
                  NULL,
                  "Elements by indices of several axes",
                  SHAPE,
                  gather_slots,
                  NULL,
                  lower_gather_nd),
  PADDLE_LOWERED ("take_along_axis",
                  NULL,
                  "Elements by indices along an axis",
                  SHAPE,
                  take_slots,
                  axis_attributes,
                  lower_take_along),
  PADDLE_LOWERED ("lookup_table_v2",
                  "lookup_table embedding",
                  "Rows of a table",
                  WEIGHTS,
                  lookup_slots,
                  lookup_attributes,
                  lower_lookup),
  PADDLE_LOWERED ("flip",
                  NULL,
                  "Backwards along axes",
                  SHAPE,
                  sym_op_paddle_one,
                  roll_attributes,
                  lower_flip),
  PADDLE_LOWERED ("roll",
                  NULL,
                  "Turned round along axes",
                  SHAPE,
                  roll_slots,
                  roll_attributes,
                  lower_roll),
  PADDLE_LOWERED ("pixel_shuffle",
                  NULL,
                  "Channels as places",
                  SHAPE,
                  sym_op_paddle_one,
                  factor_attributes,
                  lower_pixel_shuffle),
  PADDLE_LOWERED ("shuffle_channel",
                  NULL,
                  "Channels of groups in turn",
                  SHAPE,
                  sym_op_paddle_one,
                  group_attributes,
                  lower_shuffle_channel),
  PADDLE_LOWERED ("pad",
                  NULL,
                  "Something around the data",
                  SHAPE,
                  pad_slots,
                  pad_attributes,
                  lower_pad),
  PADDLE_LOWERED ("pad3d",
                  "pad2d",
                  "Something around images",
                  SHAPE,
                  pad_slots,
                  pad_attributes,
                  lower_pad_images),
  PADDLE_LOWERED ("grid_sampler",
                  "grid_sample",
                  "Data read at places",
                  SHAPE,
                  grid_slots,
                  grid_attributes,
                  lower_grid),
  { NULL },
};
