/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-openvino.h"

#include <string.h>

/* ---- Axes ---- */

static void
lower_reshape (SymOpLower *self)
{
  SymId sizes = sym_op_openvino_ints (self, 1);
  gboolean copies = sym_op_lower_get_bool (self, "special_zero", FALSE);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Reshape",
                                              SYM_IDS (sym_op_lower_input (self, 0), sizes),
                                              "allowzero", sym_value_new_int (!copies), NULL));
}

/* No order is the contrary one. */
static void
lower_transpose (SymOpLower *self)
{
  gint64 order[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n, normal;

  if (!sym_op_foreign_read (self, "order", order, &n))
    return;
  if (n != 0 && n != rank)
    sym_op_lower_fail (self, "%s: %d axes for %d", sym_op_lower_get_type (self), n, rank);
  for (int i = 0; i < rank && !sym_op_lower_has_failed (self); i++)
    {
      sym_op_lower_find_axis (self, n == 0 ? rank - 1 - i : order[i], rank, &normal);
      order[i] = normal;
    }
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (
        self, 0, sym_op_lower_permute (self, sym_op_lower_input (self, 0), order, rank));
}

static void
lower_squeeze (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  SymId x = sym_op_lower_input (self, 0);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_has_input (self, 1)
                               ? sym_op_lower_binary (self, type, x, sym_op_openvino_ints (self, 1))
                               : sym_op_lower_unary (self, type, x));
}

static void
lower_concat (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self),
                                                  sym_op_lower_get_int (self, "axis", 0)));
}

static void
lower_split (SymOpLower *self)
{
  gint64 axis, sizes[SYM_MAX_RANK], rest;
  gboolean is_even = g_str_equal (sym_op_lower_get_type (self), "Split");
  int n = -1, one, open = -1;

  if (!sym_op_foreign_read (self, "axis", sizes, &one))
    return;
  axis = sizes[0];
  if (!is_even && !sym_op_foreign_read (self, "split_lengths", sizes, &n))
    return;
  for (int i = 0; i < n; i++)
    if (sizes[i] < 0)
      open = i;
  if (open >= 0)
    {
      int normal;

      sym_op_lower_find_axis (self, axis, sym_op_foreign_rank (self, 0), &normal);
      rest = sym_op_foreign_size (self, 0, normal);
      for (int i = 0; i < n; i++)
        rest -= i == open ? 0 : sizes[i];
      sizes[open] = MAX (rest, 0);
    }
  sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, sizes, n);
}

static void
lower_broadcast (SymOpLower *self)
{
  SymId shape = sym_op_openvino_ints (self, 1), x = sym_op_lower_input (self, 0);
  gint64 axes[SYM_MAX_RANK], fresh[SYM_MAX_RANK];
  gboolean is_explicit = sym_op_lower_has_string (self, "mode", "explicit");
  const SymShape *told = sym_op_lower_get_input_shape (self, 1);
  int n = 0, n_fresh = 0;

  if (is_explicit && !sym_op_foreign_read (self, "axes_mapping", axes, &n))
    return;
  if (is_explicit && told->rank == 1 && told->dims[0] < 0)
    sym_op_lower_refuse (self, "%s: the number of axes is not known", sym_op_lower_get_type (self));
  for (int i = 0; is_explicit && told->rank == 1 && i < MIN (told->dims[0], SYM_MAX_RANK); i++)
    {
      gboolean is_old = FALSE;

      for (int k = 0; k < n; k++)
        is_old = is_old || axes[k] == i;
      if (!is_old)
        fresh[n_fresh++] = i;
    }
  if (n_fresh > 0)
    x = sym_op_foreign_unsqueeze (self, x, fresh, n_fresh);
  sym_op_lower_set_output (self, 0, sym_op_lower_binary (self, "Expand", x, shape));
}

static void
lower_tile (SymOpLower *self)
{
  gint64 times[SYM_MAX_RANK], all[SYM_MAX_RANK], axes[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n;
  SymId x = sym_op_lower_input (self, 0);

  if (!sym_op_foreign_read (self, "repeats", times, &n))
    return;
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

static void
lower_shape (SymOpLower *self)
{
  SymDType dtype = sym_op_openvino_get_dtype (self, "output_type", SYM_DTYPE_INT64);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast_from (self,
                              sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 0)),
                              SYM_DTYPE_INT64, dtype));
}

/* ---- Parts ---- */

static void
lower_slice (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Slice",
          SYM_IDS (sym_op_lower_input (self, 0), sym_op_openvino_ints (self, 1),
                   sym_op_openvino_ints (self, 2),
                   sym_op_lower_has_input (self, 4) ? sym_op_openvino_ints (self, 4) : SYM_NO_ID,
                   sym_op_openvino_ints (self, 3)),
          NULL));
}

static void
lower_gather (SymOpLower *self)
{
  gint64 axis[SYM_MAX_RANK];
  int n;

  if (!sym_op_foreign_read (self, "axis", axis, &n))
    return;
  if (sym_op_lower_get_int (self, "batch_dims", 0) != 0)
    sym_op_lower_refuse (self, "%s: batches of indices are not lowered",
                         sym_op_lower_get_type (self));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Gather",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_openvino_ints (self, 1)),
                         "axis", sym_value_new_int (axis[0]), NULL));
}

static void
lower_gather_elements (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "GatherElements",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_openvino_ints (self, 1)),
                         "axis", sym_value_new_int (sym_op_lower_get_int (self, "axis", 0)), NULL));
}

static void
lower_gather_nd (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "GatherND", SYM_IDS (sym_op_lower_input (self, 0), sym_op_openvino_ints (self, 1)),
          "batch_dims", sym_value_new_int (sym_op_lower_get_int (self, "batch_dims", 0)), NULL));
}

static void
lower_scatter (SymOpLower *self)
{
  gboolean is_nd = g_str_equal (sym_op_lower_get_type (self), "ScatterNDUpdate");
  SymId operands[] = { sym_op_lower_input (self, 0), sym_op_openvino_ints (self, 1),
                       sym_op_lower_input (self, 2) };
  gint64 axis[SYM_MAX_RANK];
  int n;

  if (is_nd)
    {
      sym_op_lower_set_output (
          self, 0, sym_op_lower_call (self, "ScatterND", (SymIds){ operands, 3 }, NULL));
      return;
    }
  if (sym_op_foreign_read (self, "axis", axis, &n))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_call (self, "ScatterElements", (SymIds){ operands, 3 },
                                                "axis", sym_value_new_int (axis[0]), NULL));
}

/* A permutation that brings the @n axes from @first on to the front, or back from there. */
static SymId
move_axes (SymOpLower *self, SymId x, int rank, int first, int n, gboolean is_back)
{
  gint64 axes[SYM_MAX_RANK];

  if (first == 0)
    return x;
  for (int i = 0; i < rank; i++)
    {
      int from = i < n ? first + i : i < first + n ? i - n : i;

      axes[is_back ? from : i] = is_back ? i : from;
    }
  return sym_op_lower_permute (self, x, axes, rank);
}

/* Whole slices of an axis are others: updates have the axes of indices in its place. */
static void
lower_scatter_slices (SymOpLower *self)
{
  gint64 axis[SYM_MAX_RANK];
  int rank = sym_op_foreign_rank (self, 0), n_indices = sym_op_foreign_rank (self, 1), n, at;
  gint64 last = n_indices;
  SymId operands[3];

  if (sym_op_lower_is_rule (self) && sym_op_foreign_list (self, "axis", axis) < 0)
    {
      sym_op_lower_set_output (self, 0,
                               sym_op_lower_unary (self, "Identity", sym_op_lower_input (self, 0)));
      return;
    }
  for (guint i = 0; i < 3; i++)
    if (!sym_op_lower_need_tensor (self, i))
      return;
  if (!sym_op_foreign_read (self, "axis", axis, &n))
    return;
  at = (int) (axis[0] < 0 ? axis[0] + rank : axis[0]);
  if (n != 1 || at < 0 || at >= rank || rank - 1 + n_indices > SYM_MAX_RANK)
    {
      sym_op_lower_refuse (self, "ScatterUpdate: there is no axis %" G_GINT64_FORMAT, axis[0]);
      return;
    }
  operands[0] = move_axes (self, sym_op_lower_input (self, 0), rank, at, 1, FALSE);
  operands[1] = sym_op_foreign_unsqueeze (self, sym_op_openvino_ints (self, 1), &last, 1);
  operands[2] =
      move_axes (self, sym_op_lower_input (self, 2), rank - 1 + n_indices, at, n_indices, FALSE);
  sym_op_lower_set_output (
      self, 0,
      move_axes (self, sym_op_lower_call (self, "ScatterND", (SymIds){ operands, 3 }, NULL), rank,
                 at, 1, TRUE));
}

static void
lower_pad (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "pad_mode", "constant");
  SymId pads;

  if (g_ascii_strcasecmp (mode, "symmetric") == 0)
    sym_op_lower_refuse (self, "%s: symmetric pads are not lowered", sym_op_lower_get_type (self));
  pads = sym_op_lower_call (
      self, "Concat", SYM_IDS (sym_op_openvino_ints (self, 1), sym_op_openvino_ints (self, 2)),
      "axis", sym_value_new_int (0), NULL);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Pad",
                         SYM_IDS (sym_op_lower_input (self, 0), pads, sym_op_lower_input (self, 3)),
                         "mode", sym_value_new_string (mode), NULL));
}

/* ---- Channels ---- */

static void
lower_depth (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  gboolean is_first =
      g_str_has_prefix (sym_op_lower_get_string (self, "mode", "blocks_first"), "blocks");
  gint64 block = sym_op_lower_get_int (self, "block_size", 1);

  if (g_str_equal (type, "SpaceToDepth"))
    {
      if (!is_first)
        sym_op_lower_refuse (self, "%s: depth_first is not lowered", type);
      sym_op_lower_set_output (
          self, 0,
          sym_op_foreign_with (self, type, sym_op_lower_input (self, 0), "blocksize", block));
      return;
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, type, SYM_IDS (sym_op_lower_input (self, 0)),
                                              "blocksize", sym_value_new_int (block), "mode",
                                              sym_value_new_string (is_first ? "DCR" : "CRD"),
                                              NULL));
}

static void
lower_shuffle (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "axis", 1, rank);
  gint64 groups = sym_op_lower_get_int (self, "group", 1),
         size = sym_op_foreign_size (self, 0, axis);
  gint64 sizes[SYM_MAX_RANK + 1], order[SYM_MAX_RANK + 1], back[SYM_MAX_RANK];
  SymId x;

  if (groups < 1 || size % groups != 0 || rank == SYM_MAX_RANK)
    {
      sym_op_lower_fail (self, "%s: %" G_GINT64_FORMAT " channels in %" G_GINT64_FORMAT " groups",
                         sym_op_lower_get_type (self), size, groups);
      return;
    }
  for (int i = 0; i < rank; i++)
    back[i] = i == axis ? size : sym_op_foreign_size (self, 0, i);
  for (int i = 0; i <= rank; i++)
    {
      sizes[i] = i < axis        ? back[i]
                 : i == axis     ? groups
                 : i == axis + 1 ? size / groups
                                 : back[i - 1];
      order[i] = i == axis ? axis + 1 : i == axis + 1 ? axis : i;
    }
  x = sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, rank + 1, FALSE);
  x = sym_op_lower_permute (self, x, order, rank + 1);
  sym_op_lower_set_output (self, 0, sym_op_foreign_reshape (self, x, back, rank, FALSE));
}

/* ---- Tables ---- */

static const SymSlotSpec reshape_slots[] = { { "data" }, { "pattern" }, { NULL } };
static const SymSlotSpec order_slots[] = { { "data" }, { "order" }, { NULL } };
static const SymSlotSpec squeeze_slots[] = { { "data" },
                                             { "axes", SYM_SLOT_DATA, TRUE },
                                             { NULL } };

static const SymSlotSpec split_slots[] = {
  { "data" },
  { "axis" },
  { "split_lengths", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec broadcast_slots[] = {
  { "data" },
  { "target_shape" },
  { "axes_mapping", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec tile_slots[] = { { "data" }, { "repeats" }, { NULL } };

static const SymSlotSpec slice_slots[] = {
  { "data" }, { "start" }, { "stop" }, { "step" }, { "axes", SYM_SLOT_DATA, TRUE }, { NULL },
};

static const SymSlotSpec gather_slots[] = {
  { "data" },
  { "indices" },
  { "axis", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymSlotSpec scatter_slots[] = {
  { "data" }, { "indices" }, { "updates" }, { "axis", SYM_SLOT_DATA, TRUE }, { NULL },
};

static const SymSlotSpec pad_slots[] = {
  { "data" }, { "pads_begin" }, { "pads_end" }, { "pad_value", SYM_SLOT_DATA, TRUE }, { NULL },
};

static const SymAttributeSpec reshape_attributes[] = {
  { "special_zero", SYM_ATTRIBUTE_BOOL, "False", "whether 0 stays as it is" },
  { NULL },
};

static const SymAttributeSpec order_attributes[] = {
  { "order", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "batch_dims", SYM_ATTRIBUTE_INT, "0", "axes that data and indices share" },
  { NULL },
};

static const SymAttributeSpec split_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "num_splits", SYM_ATTRIBUTE_INT, "1", "number of parts" },
  { "split_lengths", SYM_ATTRIBUTE_INTS, "None", "sizes of the parts" },
  { NULL },
};

static const SymAttributeSpec broadcast_attributes[] = {
  { "mode", SYM_ATTRIBUTE_STRING, "numpy", "how axes meet" },
  { "axes_mapping", SYM_ATTRIBUTE_INTS, "None", "axes of the result that the data has" },
  { NULL },
};

static const SymAttributeSpec tile_attributes[] = {
  { "repeats", SYM_ATTRIBUTE_INTS, "None", "how often along each axis" },
  { NULL },
};

static const SymAttributeSpec dtype_attributes[] = {
  { "output_type", SYM_ATTRIBUTE_STRING, "i64", "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec pad_attributes[] = {
  { "pad_mode", SYM_ATTRIBUTE_STRING, "constant", "what is added" },
  { NULL },
};

static const SymAttributeSpec block_attributes[] = {
  { "block_size", SYM_ATTRIBUTE_INT, "1", "side of a block" },
  { "mode", SYM_ATTRIBUTE_STRING, "blocks_first", "whether blocks or channels come first" },
  { NULL },
};

static const SymAttributeSpec group_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis of the channels" },
  { "group", SYM_ATTRIBUTE_INT, "1", "groups" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, slots_, attributes_, lower_) \
  OPENVINO_LOWERED (name_, aliases_, summary_, SHAPE, slots_, attributes_, lower_)

const SymOperator sym_op_openvino_shape[] = {
  MOVE ("Reshape", NULL, "Other axes", reshape_slots, reshape_attributes, lower_reshape),
  MOVE ("Transpose", NULL, "Axes in another order", order_slots, order_attributes, lower_transpose),
  MOVE ("Squeeze", NULL, "Without axes of size 1", squeeze_slots, NULL, lower_squeeze),
  MOVE ("Unsqueeze", NULL, "With axes of size 1", squeeze_slots, NULL, lower_squeeze),
  { OPENVINO ("Concat", NULL, "One after the other along an axis", MERGE),
    .slots = sym_op_foreign_many, .attributes = axis_attributes,
    .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_lowered, .lower = lower_concat },
  MOVE ("Split",
        "VariadicSplit",
        "Parts along an axis",
        split_slots,
        split_attributes,
        lower_split),
  MOVE ("Broadcast",
        NULL,
        "Repeated to a shape",
        broadcast_slots,
        broadcast_attributes,
        lower_broadcast),
  MOVE ("Tile", NULL, "Repeated along axes", tile_slots, tile_attributes, lower_tile),
  MOVE ("ShapeOf", NULL, "Sizes of the axes", sym_op_foreign_one, dtype_attributes, lower_shape),
  MOVE ("Slice", NULL, "Part of the data", slice_slots, NULL, lower_slice),
  MOVE ("Gather", NULL, "Slices by indices", gather_slots, axis_attributes, lower_gather),
  MOVE ("GatherElements",
        NULL,
        "Elements by indices along an axis",
        gather_slots,
        axis_attributes,
        lower_gather_elements),
  MOVE ("GatherND",
        NULL,
        "Elements by indices of several axes",
        gather_slots,
        axis_attributes,
        lower_gather_nd),
  MOVE ("ScatterElementsUpdate",
        "ScatterNDUpdate",
        "Other elements at indices",
        scatter_slots,
        axis_attributes,
        lower_scatter),
  MOVE ("ScatterUpdate",
        NULL,
        "Other slices at indices",
        scatter_slots,
        axis_attributes,
        lower_scatter_slices),
  MOVE ("Pad", NULL, "Something around the data", pad_slots, pad_attributes, lower_pad),
  MOVE ("DepthToSpace",
        "SpaceToDepth",
        "Channels as places, or the contrary",
        sym_op_foreign_one,
        block_attributes,
        lower_depth),
  MOVE ("ShuffleChannels",
        NULL,
        "Channels of groups in turn",
        sym_op_foreign_one,
        group_attributes,
        lower_shuffle),
  { NULL },
};
