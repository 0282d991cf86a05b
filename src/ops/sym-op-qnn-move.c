/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* QNN's movements.  What a result's sizes alone say, readers put among the attributes, as
 * `output_shape`. */

static void
lower_shaped (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "output_shape", sizes);

  if (n < 0)
    sym_op_lower_refuse (self, "%s: its shape is not told", sym_op_lower_get_type (self));
  else
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, n, FALSE));
}

static void
lower_expand (SymOpLower *self)
{
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, sym_op_foreign_choose (self, "axes", "axis", NULL), axes);

  if (n < 1)
    lower_shaped (self);
  else
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_unsqueeze (self, sym_op_lower_input (self, 0), axes, n));
}

static void
lower_resize (SymOpLower *self)
{
  static const char *const modes[] = { "nearest", "linear", "cubic" };
  static const char *const ways[] = { "half_pixel", "pytorch_half_pixel", "align_corners",
                                      "asymmetric" };
  const char *type = sym_op_lower_get_type (self);
  gboolean is_general = g_str_equal (type, "Resize");
  gint64 sizes[SYM_MAX_RANK];
  gint64 mode = sym_op_lower_get_int (self, "interpolation_mode", 0);
  gint64 way = sym_op_lower_get_int (self, "transformation_mode", 0);
  int n = sym_op_foreign_list (self, "output_shape", sizes);

  if (!is_general)
    {
      mode = g_str_equal (type, "ResizeBilinear") ? 1 : 0;
      way = sym_op_lower_get_bool (self, "align_corners", FALSE)        ? 2
            : sym_op_lower_get_bool (self, "half_pixel_centers", FALSE) ? 0
                                                                        : 3;
    }
  if (n != 4)
    sym_op_lower_refuse (self, "%s: its shape is not told", type);
  if (mode < 0 || mode > 2 || way < 0 || way > 3)
    sym_op_lower_refuse (self, "%s: its modes are not known", type);
  else if (is_general && mode != 1 && !sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "%s: only what is linear is lowered", type);
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_resized (self, TRUE, sizes + 1, modes[mode], ways[way]);
}

static void
lower_split (SymOpLower *self)
{
  int axis = sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0));
  gint64 starts[SYM_MAX_RANK];

  sym_op_engine_set_split (self, axis, starts, sym_op_foreign_list (self, "split_index", starts));
}

static void
lower_slice (SymOpLower *self)
{
  gint64 ranges[3 * SYM_MAX_RANK];
  SymOpEnginePart part = { sym_op_engine_rows (self, "ranges", 3, ranges) };

  if (sym_op_lower_get_int (self, "new_axes_mask", 0) != 0)
    sym_op_lower_refuse (self, "StridedSlice: new axes are not lowered");
  for (int i = 0; i < part.n; i++)
    {
      part.starts[i] = ranges[3 * i];
      part.stops[i] = ranges[3 * i + 1];
      part.steps[i] = ranges[3 * i + 2];
    }
  part.no_start = sym_op_lower_get_int (self, "begin_mask", 0);
  part.no_stop = sym_op_lower_get_int (self, "end_mask", 0);
  part.gone = sym_op_lower_get_int (self, "shrink_axes", 0);
  sym_op_engine_set_part (self, &part);
}

static void
lower_pad (SymOpLower *self)
{
  static const char *const modes[] = { "constant", NULL, "reflect", "edge" };
  gint64 scheme = sym_op_lower_get_int (self, "scheme", 0);

  if (scheme < 0 || scheme > 3)
    sym_op_lower_refuse (self, "Pad: its scheme is not known");
  else
    sym_op_engine_set_padded (self, "pad_amount", modes[scheme],
                              sym_op_lower_get_float (self, "pad_constant_value", 0));
}

/* One number, or rows and columns. */
static void
lower_blocks (SymOpLower *self)
{
  gboolean to_space = g_str_equal (sym_op_lower_get_type (self), "DepthToSpace");
  gint64 sizes[2], mode = sym_op_lower_get_int (self, "mode", 0);

  sym_op_foreign_ints (self, "block_size", 2, 1, sizes);
  if (sizes[0] != sizes[1] || (mode != 0 && !to_space && !sym_op_lower_is_rule (self)))
    sym_op_lower_refuse (self, "%s of blocks that are no squares, or by columns, is not lowered",
                         sym_op_lower_get_type (self));
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_blocks (self, TRUE, to_space, mode == 1 ? "CRD" : "DCR", sizes[0]);
}

/* ---- Table ---- */

static const SymSlotSpec chosen_slots[] = { { "input" }, { "indices" }, { NULL } };

static const SymAttributeSpec attributes[] = {
  { "output_shape", SYM_ATTRIBUTE_INTS, "None", "sizes of the result" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "axes", SYM_ATTRIBUTE_INTS, "None", "new axes" },
  { "split_index", SYM_ATTRIBUTE_INTS, "None", "where later parts begin" },
  { "ranges", SYM_ATTRIBUTE_ANY, "None", "begin, end and step of each axis" },
  { "begin_mask", SYM_ATTRIBUTE_INT, "0", "bits of axes whose begin does not count" },
  { "end_mask", SYM_ATTRIBUTE_INT, "0", "bits of axes whose end does not count" },
  { "shrink_axes", SYM_ATTRIBUTE_INT, "0", "bits of axes that go" },
  { "pad_amount", SYM_ATTRIBUTE_ANY, "None", "added before and after each axis" },
  { "pad_constant_value", SYM_ATTRIBUTE_FLOAT, "0.0", "what is added" },
  { "scheme", SYM_ATTRIBUTE_INT, "0", "0 constant, 1 symmetric, 2 reflect, 3 edge" },
  { "batch_dims", SYM_ATTRIBUTE_INT, "0", "axes that data and indices share" },
  { "block_size", SYM_ATTRIBUTE_INTS, "None", "rows and columns of a block" },
  { "mode", SYM_ATTRIBUTE_INT, "0", "0: depth, column, row" },
  { "multiples", SYM_ATTRIBUTE_INTS, "None", "how often along each axis" },
  { "align_corners", SYM_ATTRIBUTE_BOOL, "False", "whether the corners meet" },
  { "half_pixel_centers", SYM_ATTRIBUTE_BOOL, "False", "whether places are centres" },
  { "interpolation_mode", SYM_ATTRIBUTE_INT, "0", "0 nearest, 1 linear, 2 cubic" },
  { "transformation_mode", SYM_ATTRIBUTE_INT, "0", "how places become places" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, slots_, lower_) \
  SYM_OP_ENGINE ("qnn", "QNN 2.20", name_, aliases_, summary_, SHAPE, slots_, attributes, lower_)

const SymOperator sym_op_qnn_move[] = {
  MOVE ("Reshape", "Squeeze", "Other axes", sym_op_foreign_one, lower_shaped),
  MOVE ("ExpandDims", NULL, "With axes of size 1", sym_op_foreign_one, lower_expand),
  MOVE ("Resize",
        "ResizeBilinear ResizeNearestNeighbor",
        "Images of another size",
        sym_op_foreign_one,
        lower_resize),
  MOVE ("Split", NULL, "Parts along an axis", sym_op_foreign_one, lower_split),
  MOVE ("StridedSlice", NULL, "A part of the data", sym_op_foreign_one, lower_slice),
  MOVE ("Pad", NULL, "Something around the data", sym_op_foreign_one, lower_pad),
  MOVE ("Gather", NULL, "Parts by indices", chosen_slots, sym_op_engine_lower_gather),
  MOVE ("GatherNd", NULL, "Elements by indices", chosen_slots, sym_op_engine_lower_gather_nd),
  MOVE ("DepthToSpace",
        "SpaceToDepth",
        "Channels become places, or places channels",
        sym_op_foreign_one,
        lower_blocks),
  MOVE ("Tile", NULL, "The data again and again", sym_op_foreign_one, sym_op_engine_lower_tile),
  MOVE ("Pack",
        NULL,
        "Side by side along a new axis",
        sym_op_foreign_many,
        sym_op_foreign_lower_stack),
  MOVE ("UnPack",
        NULL,
        "Parts along an axis, without it",
        sym_op_foreign_one,
        sym_op_engine_lower_unpack),
  { NULL },
};
