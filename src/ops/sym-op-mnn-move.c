/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

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

/* Sizes in TensorFlow's order, of data with its channels behind the batch. */
static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK], turned[4];

  if (!sym_op_lower_has_string (self, "dimType", "NHWC") ||
      !sym_op_lower_has_string (self, "layout", "NC4HW4") || !sym_op_lower_has_input (self, 1))
    {
      lower_by_list (self, "Reshape", "dims");
      return;
    }
  if (sym_op_foreign_list (self, "dims", sizes) != 4)
    {
      sym_op_lower_refuse (self, "Reshape: its dims are not told");
      return;
    }
  for (int i = 0; i < 4; i++)
    turned[i] = sizes[i == 1 ? 3 : MAX (i - 1, 0)];
  sym_op_lower_set_output (
      self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), turned, 4, TRUE));
}

static void
lower_squeeze (SymOpLower *self)
{
  gboolean goes = g_str_equal (sym_op_lower_get_type (self), "Squeeze");
  gint64 axes[SYM_MAX_RANK];

  if (goes && sym_op_foreign_list (self, "squeezeDims", axes) < 1 &&
      !sym_op_lower_has_input (self, 1))
    {
      sym_op_lower_set_output (self, 0,
                               sym_op_lower_unary (self, "Squeeze", sym_op_lower_input (self, 0)));
      return;
    }
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

/* The axes from `axis` to `endAxis` as one; where that is 0, all before and all from `axis` on. */
static void
lower_flatten (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), n = 0;
  gint64 end = sym_op_lower_get_int (self, "endAxis", 0), sizes[SYM_MAX_RANK];
  int first = sym_op_foreign_axis (self, "axis", 0, rank), last;

  if (end == 0)
    {
      sym_op_lower_set_output (
          self, 0,
          sym_op_foreign_with (self, "Flatten", sym_op_lower_input (self, 0), "axis", first));
      return;
    }
  last = sym_op_foreign_axis (self, "endAxis", 0, rank);
  if (!sym_op_lower_has_failed (self) && last < first)
    sym_op_lower_fail (self, "Flatten: its last axis is before the first one");
  if (sym_op_lower_has_failed (self))
    return;
  for (int i = 0; i < rank; i++)
    if (i == first)
      sizes[n++] = -1;
    else if (i < first)
      sizes[n++] = 0;
    else if (i > last)
      sizes[n++] = sym_op_foreign_size (self, 0, i);
  sym_op_lower_set_output (
      self, 0, sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, n, TRUE));
}

static void
lower_reduce (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "MEAN", "ReduceMean" },       { "MAXIMUM", "ReduceMax" }, { "MINIMUM", "ReduceMin" },
    { "PROD", "ReduceProd" },       { "SUM", "ReduceSum" },     { "ASUM", "ReduceL1" },
    { "SUMSQ", "ReduceSumSquare" }, { "ANY", "ReduceMax" },     { "ALL", "ReduceMin" },
  };
  const char *kind = sym_op_lower_get_string (self, "operation", "SUM"), *onnx = NULL;
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "dim", axes);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i][0], kind))
      onnx = kinds[i][1];
  if (n < 0 && sym_op_lower_has_input (self, 1))
    sym_op_lower_refuse (self, "Reduction: its axes are not told");
  if (onnx == NULL)
    {
      sym_op_lower_refuse (self, "Reduction: nothing is known of “%s”", kind);
      return;
    }
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

/* Of Caffe where later parts begin; of others their sizes, one of which may be -1.  One number is
 * how many there are, or the size of each of PyTorch's. */
static void
lower_slice (SymOpLower *self)
{
  int rank = sym_op_foreign_rank (self, 0), axis = sym_op_foreign_axis (self, "axis", 0, rank);
  const char *source = sym_op_lower_get_string (self, "sourceType", "CAFFE");
  gint64 points[SYM_MAX_RANK], rest;
  int n = sym_op_foreign_list (self, "slicePoints", points), open = -1;

  if (n < 1 && sym_op_lower_has_input (self, 1))
    sym_op_lower_refuse (self, "Slice: its parts are not told");
  if (sym_op_lower_has_failed (self))
    return;
  if (n > 0 && g_str_equal (source, "CAFFE"))
    {
      sym_op_engine_set_split (self, axis, points, n);
      return;
    }
  if (n == 1 && g_str_equal (source, "TORCH") && sym_op_lower_get_n_outputs (self) > 1)
    {
      n = (int) MIN (sym_op_lower_get_n_outputs (self), SYM_MAX_RANK);
      for (int i = 1; i < n; i++)
        points[i] = i == n - 1 ? -1 : points[0];
    }
  rest = n > 1 ? sym_op_foreign_size (self, 0, axis) : 0;
  for (int i = 0; n > 1 && i < n; i++)
    if (points[i] == -1)
      open = i;
    else
      rest -= points[i];
  if (open >= 0)
    points[open] = rest;
  sym_op_foreign_split (self, sym_op_lower_input (self, 0), axis, points, n > 1 ? n : -1);
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

/* A number that counts where @has says so. */
static gint64
read_bound (SymOpLower *self, const char *has, const char *name, gint64 fallback)
{
  gint64 values[SYM_MAX_RANK];

  return sym_op_lower_get_bool (self, has, FALSE) && sym_op_foreign_list (self, name, values) == 1
             ? values[0]
             : fallback;
}

/* All sizes, or those of some axes; their number; the number of elements. */
static void
lower_shape (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  gint64 rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_lower_input (self, 0);

  if (g_str_equal (type, "Size"))
    x = sym_op_lower_unary (self, "Size", x);
  else
    x = sym_op_lower_call (self, "Shape", SYM_IDS (x), "start",
                           sym_value_new_int (read_bound (self, "hasStart", "start", 0)), "end",
                           sym_value_new_int (read_bound (self, "hasEnd", "end", rank)), NULL);
  if (g_str_equal (type, "Rank"))
    x = sym_op_lower_unary (self, "Size", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, SYM_DTYPE_INT32));
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
SLOTS (split_slots, EXTRA ("slicePoints"));
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
  { "endAxis", SYM_ATTRIBUTE_INT, "0", "the last axis" },
  { "slicePoints", SYM_ATTRIBUTE_INTS, "None", "where later parts begin, or their sizes" },
  { "sourceType", SYM_ATTRIBUTE_STRING, "CAFFE", "whose parts they are" },
  { "dimType", SYM_ATTRIBUTE_STRING, "NCHW", "the order of the sizes" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "the order of the data, where it is known" },
  { "start", SYM_ATTRIBUTE_INT, "0", "the first axis whose size is told" },
  { "hasStart", SYM_ATTRIBUTE_BOOL, "False", "whether `start` counts" },
  { "hasEnd", SYM_ATTRIBUTE_BOOL, "False", "whether `end` counts" },
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
  SYM_OP_ENGINE_RULED ("mnn",
                       "MNN 3.0",
                       "Concat",
                       NULL,
                       "One after the other along an axis",
                       SHAPE,
                       sym_op_foreign_many,
                       attributes,
                       sym_op_engine_infer_concat,
                       sym_op_engine_lower_concat),
  MOVE ("Slice", "Split", "Parts along an axis", split_slots, lower_slice),
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
  MOVE ("Select",
        NULL,
        "One or the other, as a truth says",
        select_slots,
        sym_op_engine_lower_where),
  MOVE ("Cast", NULL, "Another dtype", sym_op_foreign_one, lower_cast),
  { NULL },
};
