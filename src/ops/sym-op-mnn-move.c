/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* MNN's movements.  What is an operand and constant there (axes, sizes, places) readers put among
 * the attributes, under the name of the slot. */

/* The first operand in a layer of ONNX, with axes or sizes that an attribute tells. */
static void
lower_by_list (SymOpLower *self, const char *onnx, const char *name)
{
  gint64 values[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, name, values);
  SymId list = n < 0 && sym_op_lower_has_input (self, 1)
                   ? sym_op_lower_cast (self, sym_op_lower_input (self, 1), SYM_DTYPE_INT64)
                   : sym_op_lower_ints (self, values, MAX (n, 0));

  if (n < 0 && !sym_op_lower_has_input (self, 1))
    sym_op_lower_refuse (self, "%s: its %s are not told", sym_op_lower_get_type (self), name);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, onnx, sym_op_lower_input (self, 0), list));
}

static void
lower_reshape (SymOpLower *self)
{
  lower_by_list (self, "Reshape", "dims");
}

static void
lower_squeeze (SymOpLower *self)
{
  gboolean goes = g_str_equal (sym_op_lower_get_type (self), "Squeeze");

  lower_by_list (self, goes ? "Squeeze" : "Unsqueeze", "squeezeDims");
}

/* By an attribute of its own, or by an operand. */
static void
lower_expand (SymOpLower *self)
{
  lower_by_list (self, "Unsqueeze", "axis");
}

static void
lower_permute (SymOpLower *self)
{
  sym_op_engine_transpose (self, sym_op_foreign_choose (self, "perm", "dims", NULL));
}

static void
lower_flatten (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_with (self, "Flatten", sym_op_lower_input (self, 0),
                                                "axis", sym_op_lower_get_int (self, "axis", 1)));
}

static void
lower_reduce (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "MEAN", "ReduceMean" }, { "MAXIMUM", "ReduceMax" }, { "MINIMUM", "ReduceMin" },
    { "PROD", "ReduceProd" }, { "SUM", "ReduceSum" },
  };
  const char *kind = sym_op_lower_get_string (self, "operation", "SUM"), *onnx = "ReduceSum";
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "dim", axes);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i][0], kind))
      onnx = kinds[i][1];
  if (n < 0 && sym_op_lower_has_input (self, 1))
    sym_op_lower_refuse (self, "Reduction: its axes are not told");
  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_reduce (self, onnx, sym_op_lower_input (self, 0),
                                                  sym_op_foreign_rank (self, 0), axes,
                                                  n < 1 ? -1 : n,
                                                  sym_op_lower_get_bool (self, "keepDims", FALSE)));
}

static void
lower_matmul (SymOpLower *self)
{
  gboolean is_batch = g_str_equal (sym_op_lower_get_type (self), "BatchMatMul");

  if (sym_op_lower_need_tensor (self, 0) && sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_binary (self, "MatMul",
                             sym_op_foreign_turn (self, 0, is_batch ? "adjX" : "transposeA"),
                             sym_op_foreign_turn (self, 1, is_batch ? "adjY" : "transposeB")));
}

/* Where parts begin, or how many there are. */
static void
lower_slice (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "axis", 0, rank);
  gint64 points[SYM_MAX_RANK], sizes[SYM_MAX_RANK + 1], last = 0;
  int n = sym_op_foreign_list (self, "slicePoints", points);
  gboolean is_by_size = sym_op_lower_has_string (self, "sourceType", "TENSORFLOW");

  for (int i = 0; i < n && !is_by_size; i++)
    {
      sizes[i] = points[i] - last;
      last = points[i];
    }
  if (is_by_size || n < 1)
    {
      sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, points, n > 1 ? n : -1);
      return;
    }
  sizes[n] = sym_op_foreign_size (self, 0, axis) - last;
  sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, sizes, n + 1);
}

/* Of operands as ONNX has them, begin, end, axes and steps, or without axes. */
static void
lower_strided (SymOpLower *self)
{
  gboolean has_axes = sym_op_lower_get_int (self, "fromType", 0) == 1;
  gint64 axes[SYM_MAX_RANK] = { 0 };
  SymOpEnginePart part = { 0 };
  int n_stops = sym_op_foreign_list (self, "end", part.stops), n_steps, n_axes = -1;

  part.n = sym_op_foreign_list (self, "begin", part.starts);
  n_steps = sym_op_foreign_list (self, has_axes ? "steps" : "strides", part.steps);
  if (has_axes)
    n_axes = sym_op_foreign_list (self, "strides", axes);
  for (int i = 0; n_steps < 0 && i < part.n; i++)
    part.steps[i] = 1;
  if (part.n < 0 || n_stops != part.n || (n_steps >= 0 && n_steps != part.n) ||
      (has_axes && sym_op_lower_has_input (self, 3) && n_axes != part.n))
    sym_op_lower_refuse (self, "StridedSlice: its part is not told");
  if (sym_op_lower_get_int (self, "ellipsisMask", 0) != 0 ||
      sym_op_lower_get_int (self, "newAxisMask", 0) != 0)
    sym_op_lower_refuse (self, "StridedSlice: new axes are not lowered");
  if (sym_op_lower_has_failed (self))
    return;
  if (n_axes == part.n)
    {
      sym_op_lower_set_output (self, 0,
                               sym_op_foreign_slice (self, sym_op_lower_input (self, 0),
                                                     part.starts, part.stops, axes, part.steps,
                                                     part.n));
      return;
    }
  part.no_start = sym_op_lower_get_int (self, "beginMask", 0);
  part.no_stop = sym_op_lower_get_int (self, "endMask", 0);
  part.gone = sym_op_lower_get_int (self, "shrinkAxisMask", 0);
  sym_op_engine_set_part (self, &part);
}

/* -1 is all that is left of an axis. */
static void
lower_part (SymOpLower *self)
{
  SymOpEnginePart part = { 0 };
  int n = sym_op_foreign_list (self, "size", part.stops);

  part.n = sym_op_foreign_list (self, "begin", part.starts);
  if (n != part.n || n < 0)
    sym_op_lower_refuse (self, "SliceTf: its part is not told");
  for (int i = 0; i < MIN (n, part.n); i++)
    {
      part.steps[i] = 1;
      if (part.stops[i] < 0 ||
          __builtin_add_overflow (part.starts[i], part.stops[i], &part.stops[i]))
        part.stops[i] = G_MAXINT64;
    }
  if (!sym_op_lower_has_failed (self))
    sym_op_engine_set_part (self, &part);
}

static void
lower_pad (SymOpLower *self)
{
  const char *mode = sym_op_lower_get_string (self, "mode", "CONSTANT");

  sym_op_engine_set_padded (self, "paddings",
                            g_str_equal (mode, "SYMMETRIC") ? NULL
                            : g_str_equal (mode, "REFLECT") ? "reflect"
                            : g_str_equal (mode, "EDGE")    ? "edge"
                                                            : "constant",
                            0);
}

static void
lower_tile (SymOpLower *self)
{
  lower_by_list (self, "Tile", "multiples");
}

static void
lower_broadcast (SymOpLower *self)
{
  lower_by_list (self, "Expand", "shape");
}

static void
lower_shape (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  SymId x = sym_op_lower_unary (self, g_str_equal (type, "Size") ? "Size" : "Shape",
                                sym_op_lower_input (self, 0));

  if (g_str_equal (type, "Rank"))
    x = sym_op_lower_unary (self, "Size", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, SYM_DTYPE_INT32));
}

static void
lower_select (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "Where",
          SYM_IDS (sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_BOOL),
                   sym_op_lower_input (self, 1), sym_op_lower_input (self, 2)),
          NULL));
}

static void
lower_cast (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_UNKNOWN);

  if (dtype == SYM_DTYPE_UNKNOWN)
    sym_op_lower_refuse (self, "Cast: its dtype is not told");
  else
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_cast (self, sym_op_lower_input (self, 0), dtype));
}

/* ---- Tables ---- */

#define SLOTS(name_, ...) static const SymSlotSpec name_[] = { { "input" }, __VA_ARGS__, { NULL } }
#define EXTRA(name_)           \
  {                            \
    name_, SYM_SLOT_DATA, TRUE \
  }

SLOTS (dims_slots, EXTRA ("dims"));
SLOTS (squeeze_slots, EXTRA ("squeezeDims"));
SLOTS (axis_slots, EXTRA ("axis"));
SLOTS (perm_slots, EXTRA ("perm"));
SLOTS (reduce_slots, EXTRA ("dim"));
SLOTS (strided_slots, EXTRA ("begin"), EXTRA ("end"), EXTRA ("strides"), EXTRA ("steps"));
SLOTS (part_slots, EXTRA ("begin"), EXTRA ("size"));
SLOTS (pad_slots, EXTRA ("paddings"));
SLOTS (gather_slots, { "indices" }, EXTRA ("axis"));
SLOTS (tile_slots, EXTRA ("multiples"));
SLOTS (shape_slots, EXTRA ("shape"));
static const SymSlotSpec select_slots[] = { { "condition" }, { "x" }, { "y" }, { NULL } };

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "slicePoints", SYM_ATTRIBUTE_INTS, "None", "where later parts begin" },
  { "dims", SYM_ATTRIBUTE_INTS, "None", "sizes, or axes in their new order" },
  { "perm", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { "squeezeDims", SYM_ATTRIBUTE_INTS, "None", "axes of size 1" },
  { "operation", SYM_ATTRIBUTE_STRING, "SUM", "what is made of the elements" },
  { "dim", SYM_ATTRIBUTE_INTS, "None", "axes that go; none are all" },
  { "keepDims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with size 1" },
  { "transposeA", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transposeB", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { "adjX", SYM_ATTRIBUTE_BOOL, "False", "the same of BatchMatMul" },
  { "adjY", SYM_ATTRIBUTE_BOOL, "False", "the same of BatchMatMul" },
  { "begin", SYM_ATTRIBUTE_INTS, "None", "where the part begins" },
  { "end", SYM_ATTRIBUTE_INTS, "None", "where it ends" },
  { "size", SYM_ATTRIBUTE_INTS, "None", "its sizes" },
  { "strides", SYM_ATTRIBUTE_INTS, "None", "steps, or axes" },
  { "steps", SYM_ATTRIBUTE_INTS, "None", "steps behind axes" },
  { "fromType", SYM_ATTRIBUTE_INT, "0", "1: there are axes" },
  { "beginMask", SYM_ATTRIBUTE_INT, "0", "bits of axes whose begin does not count" },
  { "endMask", SYM_ATTRIBUTE_INT, "0", "bits of axes whose end does not count" },
  { "shrinkAxisMask", SYM_ATTRIBUTE_INT, "0", "bits of axes that go" },
  { "paddings", SYM_ATTRIBUTE_INTS, "None", "added before and after each axis" },
  { "mode", SYM_ATTRIBUTE_STRING, "CONSTANT", "what is around the data" },
  { "multiples", SYM_ATTRIBUTE_INTS, "None", "how often along each axis" },
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes of the result" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, slots_, lower_) \
  SYM_OP_ENGINE ("mnn", "MNN 3.0", name_, aliases_, summary_, SHAPE, slots_, attributes, lower_)

const SymOperator sym_op_mnn_move[] = {
  MOVE ("Concat",
        NULL,
        "One after the other along an axis",
        sym_op_foreign_many,
        sym_op_engine_lower_concat),
  MOVE ("Slice", "Split", "Parts along an axis", sym_op_foreign_many, lower_slice),
  MOVE ("Reshape", NULL, "Other axes", dims_slots, lower_reshape),
  MOVE ("Squeeze",
        "Unsqueeze",
        "Without axes of size 1, or with some",
        squeeze_slots,
        lower_squeeze),
  MOVE ("ExpandDims", NULL, "With an axis of size 1", axis_slots, lower_expand),
  MOVE ("Permute", "Transpose", "Axes in another order", perm_slots, lower_permute),
  MOVE ("Flatten", NULL, "All axes but the batch as one", sym_op_foreign_many, lower_flatten),
  MOVE ("Reduction", NULL, "One number of axes", reduce_slots, lower_reduce),
  MOVE ("MatMul", "BatchMatMul", "Product of matrices", sym_op_foreign_many, lower_matmul),
  MOVE ("StridedSlice", NULL, "A part of the data", strided_slots, lower_strided),
  MOVE ("SliceTf", NULL, "A part of the data", part_slots, lower_part),
  MOVE ("Padding", NULL, "Something around the data", pad_slots, lower_pad),
  MOVE ("GatherV2", "Gather", "Parts by indices", gather_slots, sym_op_engine_lower_gather),
  MOVE ("GatherND", NULL, "Elements by indices", gather_slots, sym_op_engine_lower_gather_nd),
  MOVE ("Tile", NULL, "The data again and again", tile_slots, lower_tile),
  MOVE ("BroadcastTo", NULL, "The data for each place", shape_slots, lower_broadcast),
  MOVE ("Pack",
        NULL,
        "Side by side along a new axis",
        sym_op_foreign_many,
        sym_op_foreign_lower_stack),
  MOVE ("Unpack",
        NULL,
        "Parts along an axis, without it",
        sym_op_foreign_one,
        sym_op_engine_lower_unpack),
  MOVE ("Shape", "Rank Size", "Sizes of the data", sym_op_foreign_one, lower_shape),
  MOVE ("Select", NULL, "One or the other, as a truth says", select_slots, lower_select),
  MOVE ("Cast", NULL, "Another dtype", sym_op_foreign_one, lower_cast),
  { NULL },
};
