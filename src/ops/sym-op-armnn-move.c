/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

/* Arm NN's movements.  Where images have their channels is NHWC unless told otherwise. */

static gboolean
is_channels_last (SymOpLower *self)
{
  return !sym_op_lower_has_string (self, "dataLayout", "NCHW");
}

static void
lower_resize (SymOpLower *self)
{
  gboolean is_linear = sym_op_lower_has_string (self, "method", "Bilinear") ||
                       g_str_equal (sym_op_lower_get_type (self), "ResizeBilinear");
  const char *way = sym_op_lower_get_bool (self, "alignCorners", FALSE)       ? "align_corners"
                    : sym_op_lower_get_bool (self, "halfPixelCenters", FALSE) ? "half_pixel"
                                                                              : "asymmetric";
  gint64 sizes[3];

  sym_op_engine_pair (self, "targetHeight", "targetWidth", 0, sizes);
  if (sizes[0] < 1 || sizes[1] < 1)
    sym_op_lower_refuse (self, "%s: its sizes are not told", sym_op_lower_get_type (self));
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_resized (self, is_channels_last (self), sizes,
                               is_linear ? "linear" : "nearest", way);
}

/* Each result is a part of its own: where it begins, and its sizes. */
static void
lower_splitter (SymOpLower *self)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymValue *origins = sym_attributes_find (attributes, "viewOrigins");
  const SymValue *sizes = sym_attributes_find (attributes, "viewSizes");
  int rank = sym_op_foreign_rank (self, 0);

  for (guint i = 0; i < sym_op_lower_get_n_outputs (self) && !sym_op_lower_has_failed (self); i++)
    {
      gint64 starts[SYM_MAX_RANK], stops[SYM_MAX_RANK];

      if (origins == NULL || sizes == NULL || i >= sym_value_get_n_children (origins) ||
          i >= sym_value_get_n_children (sizes) ||
          sym_value_get_ints (sym_value_get_child (origins, i), starts, SYM_MAX_RANK) != rank ||
          sym_value_get_ints (sym_value_get_child (sizes, i), stops, SYM_MAX_RANK) != rank)
        {
          sym_op_lower_refuse (self, "Splitter: part %u is not told", i + 1);
          return;
        }
      for (int k = 0; k < rank; k++)
        if (__builtin_add_overflow (starts[k], stops[k], &stops[k]))
          sym_op_lower_fail (self, "Splitter: part %u makes no sense", i + 1);
      sym_op_lower_set_output (self, i,
                               sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts,
                                                     stops, NULL, NULL, rank));
    }
}

static void
lower_strided (SymOpLower *self)
{
  SymOpEnginePart part = { 0 };
  int n_stops = sym_op_foreign_list (self, "end", part.stops);
  int n_steps = sym_op_foreign_list (self, "stride", part.steps);

  part.n = sym_op_foreign_list (self, "begin", part.starts);
  if (n_stops != part.n || n_steps != part.n)
    sym_op_lower_fail (self, "StridedSlice: begin, end and stride have different lengths");
  if (sym_op_lower_get_int (self, "ellipsisMask", 0) != 0 ||
      sym_op_lower_get_int (self, "newAxisMask", 0) != 0)
    sym_op_lower_refuse (self, "StridedSlice: new axes are not lowered");
  part.no_start = sym_op_lower_get_int (self, "beginMask", 0);
  part.no_stop = sym_op_lower_get_int (self, "endMask", 0);
  part.gone = sym_op_lower_get_int (self, "shrinkAxisMask", 0);
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_part (self, &part);
}

static void
lower_slice (SymOpLower *self)
{
  SymOpEnginePart part = { 0 };
  int n = sym_op_foreign_list (self, "size", part.stops);

  part.n = sym_op_foreign_list (self, "begin", part.starts);
  if (n != part.n)
    sym_op_lower_fail (self, "Slice: begin and size have different lengths");
  for (int i = 0; i < MIN (n, part.n); i++)
    {
      part.steps[i] = 1;
      if (__builtin_add_overflow (part.starts[i], part.stops[i], &part.stops[i]))
        sym_op_lower_fail (self, "Slice: its sizes make no sense");
    }
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_part (self, &part);
}

static void
lower_pad (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "paddingMode", "Constant");

  sym_op_engine_set_padded (self, "padList",
                            g_str_equal (mode, "Symmetric") ? NULL
                            : g_str_equal (mode, "Reflect") ? "reflect"
                                                            : "constant",
                            sym_op_lower_get_float (self, "padValue", 0));
}

static void
lower_blocks (SymOpLower *self)
{
  gboolean to_space = g_str_equal (sym_op_lower_get_type (self), "DepthToSpace");

  sym_op_engine_set_blocks (self, is_channels_last (self), to_space, "DCR",
                            sym_op_lower_get_int (self, "blockSize", 0));
}

static void
lower_batch (SymOpLower *self)
{
  gboolean to_batch = g_str_equal (sym_op_lower_get_type (self), "SpaceToBatchNd");
  SymOpEngineBlocks blocks;

  if (sym_op_engine_read_blocks (self, "blockShape", to_batch ? "padList" : "crops",
                                 is_channels_last (self), &blocks))
    sym_op_engine_set_batch (self, &blocks, to_batch);
}

static void
lower_shuffle (SymOpLower *self)
{
  sym_op_engine_set_shuffled (self,
                              sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0)),
                              sym_op_lower_get_int (self, "numGroups", 0));
}

static void
lower_shape (SymOpLower *self)
{
  SymId x = sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 0));

  if (g_str_equal (sym_op_lower_get_type (self), "Rank"))
    x = sym_op_lower_unary (self, "Size", x);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, x, sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_INT32)));
}

static void
lower_matmul (SymOpLower *self)
{
  if (sym_op_lower_get_bool (self, "adjointX", FALSE) ||
      sym_op_lower_get_bool (self, "adjointY", FALSE) ||
      sym_op_lower_has_string (self, "dataLayoutX", "NHWC") ||
      sym_op_lower_has_string (self, "dataLayoutY", "NHWC"))
    sym_op_lower_refuse (self, "BatchMatMul of other matrices than the last axes is not lowered");
  else
    sym_op_engine_set_matmul (self, "transposeX", "transposeY");
}

/* ---- Table ---- */

static const SymSlotSpec chosen_slots[] = { { "input" }, { "indices" }, { NULL } };

static const SymAttributeSpec attributes[] = {
  { "targetHeight", SYM_ATTRIBUTE_INT, "0", "rows of the result" },
  { "targetWidth", SYM_ATTRIBUTE_INT, "0", "columns of the result" },
  { "method", SYM_ATTRIBUTE_STRING, "NearestNeighbor", "how places become places" },
  { "alignCorners", SYM_ATTRIBUTE_BOOL, "False", "whether the corners meet" },
  { "halfPixelCenters", SYM_ATTRIBUTE_BOOL, "False", "whether places are centres" },
  { "dataLayout", SYM_ATTRIBUTE_STRING, "NHWC", "the order of the data's axes" },
  { "viewOrigins", SYM_ATTRIBUTE_ANY, "None", "where each part begins" },
  { "viewSizes", SYM_ATTRIBUTE_ANY, "None", "the sizes of each part" },
  { "begin", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "end", SYM_ATTRIBUTE_INTS, "None", "where it ends" },
  { "size", SYM_ATTRIBUTE_INTS, "None", "its sizes" },
  { "stride", SYM_ATTRIBUTE_INTS, "None", "steps" },
  { "beginMask", SYM_ATTRIBUTE_INT, "0", "bits of axes whose begin does not count" },
  { "endMask", SYM_ATTRIBUTE_INT, "0", "bits of axes whose end does not count" },
  { "shrinkAxisMask", SYM_ATTRIBUTE_INT, "0", "bits of axes that go" },
  { "padList", SYM_ATTRIBUTE_ANY, "None", "added before and after each axis" },
  { "padValue", SYM_ATTRIBUTE_FLOAT, "0.0", "what is added" },
  { "paddingMode", SYM_ATTRIBUTE_STRING, "Constant", "what is around the data" },
  { "blockSize", SYM_ATTRIBUTE_INT, "0", "rows and columns of a block" },
  { "blockShape", SYM_ATTRIBUTE_INTS, "None", "sizes of a block" },
  { "crops", SYM_ATTRIBUTE_ANY, "None", "what is cut off each axis" },
  { "numGroups", SYM_ATTRIBUTE_INT, "0", "groups of channels" },
  { "multiples", SYM_ATTRIBUTE_INTS, "None", "how often along each axis" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "transposeX", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transposeY", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, slots_, lower_)                                         \
  SYM_OP_ENGINE ("armnn", "Arm NN 25.02", name_, aliases_, summary_, SHAPE, slots_, attributes, \
                 lower_)

const SymOperator sym_op_armnn_move[] = {
  MOVE ("Resize", "ResizeBilinear", "Images of another size", sym_op_foreign_one, lower_resize),
  MOVE ("Splitter", NULL, "Parts of the data", sym_op_foreign_one, lower_splitter),
  MOVE ("StridedSlice", NULL, "A part of the data", sym_op_foreign_one, lower_strided),
  MOVE ("Slice", NULL, "A part of the data", sym_op_foreign_one, lower_slice),
  MOVE ("Pad", NULL, "Something around the data", sym_op_foreign_one, lower_pad),
  MOVE ("Gather", NULL, "Parts by indices", chosen_slots, sym_op_engine_lower_gather),
  MOVE ("GatherNd", NULL, "Elements by indices", chosen_slots, sym_op_engine_lower_gather_nd),
  MOVE ("DepthToSpace",
        "SpaceToDepth",
        "Channels become places, or places channels",
        sym_op_foreign_one,
        lower_blocks),
  MOVE ("SpaceToBatchNd",
        "BatchToSpaceNd",
        "Places become batches, or batches places",
        sym_op_foreign_one,
        lower_batch),
  MOVE ("ChannelShuffle",
        NULL,
        "Channels of each group by turns",
        sym_op_foreign_one,
        lower_shuffle),
  MOVE ("Shape", "Rank", "Sizes of the data", sym_op_foreign_one, lower_shape),
  MOVE ("Tile", NULL, "The data again and again", sym_op_foreign_one, sym_op_engine_lower_tile),
  MOVE ("Stack",
        NULL,
        "Side by side along a new axis",
        sym_op_foreign_many,
        sym_op_foreign_lower_stack),
  MOVE ("BatchMatMul", NULL, "Product of matrices", sym_op_foreign_two, lower_matmul),
  { NULL },
};
