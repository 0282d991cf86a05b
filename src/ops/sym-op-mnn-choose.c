/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

/* What MNN picks by values or by indices, and blocks of places.  What is an operand and constant
 * there readers put among the attributes; they tell too where an image has its channels. */

static gboolean
is_last (SymOpLower *self)
{
  return sym_op_lower_has_string (self, "layout", "NHWC");
}

/* One number, or a list of one. */
static gint64
get_number (SymOpLower *self, const char *name, gint64 fallback)
{
  gint64 values[SYM_MAX_RANK];

  return sym_op_foreign_list (self, name, values) == 1 ? values[0] : fallback;
}

static int
get_axis (SymOpLower *self, gint64 fallback)
{
  int axis = 0;

  sym_op_lower_find_axis (self, get_number (self, "axis", fallback), sym_op_foreign_rank (self, 0),
                          &axis);
  return axis;
}

/* Caffe's keeps its axis, with as many places as are asked for, or these and their values. */
static void
set_caffe_arg (SymOpLower *self)
{
  gint64 axis = sym_op_lower_get_int (self, "axis", 0), k = sym_op_lower_get_int (self, "topK", 0);
  int rank = sym_op_foreign_rank (self, 0);
  gint64 starts[] = { 0 }, stops[] = { 1 }, axes[] = { axis };

  if (axis < 1 || axis >= rank || k != 1 || sym_op_lower_get_int (self, "outMaxVal", 0) != 0)
    sym_op_lower_refuse (self, "%s: Caffe's is lowered of one place along an axis alone",
                         sym_op_lower_get_type (self));
  else if (sym_op_lower_is_rule (self))
    sym_op_lower_set_output (
        self, 0,
        sym_op_foreign_slice (self, sym_op_lower_input (self, 0), starts, stops, axes, NULL, 1));
  else
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_cast (
            self,
            sym_op_lower_call (self, "ArgMax", SYM_IDS (sym_op_engine_real (self, 0)), "axis",
                               sym_value_new_int (axis), "keepdims", sym_value_new_int (1), NULL),
            sym_op_lower_get_input_dtype (self, 0)));
}

static void
lower_arg (SymOpLower *self)
{
  gboolean is_max = g_str_equal (sym_op_lower_get_type (self), "ArgMax");

  if (is_max && sym_op_lower_has_string (self, "layout", "NC4HW4"))
    set_caffe_arg (self);
  else
    sym_op_engine_set_arg (
        self, is_max, sym_op_foreign_axis (self, "axis", 0, sym_op_foreign_rank (self, 0)), FALSE);
}

static void
lower_top (SymOpLower *self)
{
  sym_op_engine_set_top (self, get_axis (self, -1), get_number (self, "k", 0),
                         sym_op_lower_get_bool (self, "largest", TRUE));
}

static void
lower_one_hot (SymOpLower *self)
{
  gint64 depth = get_number (self, "depth", 0);

  if (depth < 1 || depth > G_MAXINT32)
    sym_op_lower_refuse (self, "OneHot: its depth is not told");
  for (guint i = 2; i < 4 && !sym_op_lower_has_failed (self); i++)
    sym_op_lower_need_tensor (self, i);
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (
        self, 0, sym_op_foreign_one_hot (self, sym_op_lower_ints (self, &depth, 1), -1));
}

/* Zeros of a shape, with slices put in: those at the same place are added. */
static void
lower_scatter (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "shape", sizes);
  SymDType dtype = sym_op_lower_get_input_dtype (self, 1);
  SymId zeros;

  if (n < 1)
    sym_op_lower_refuse (self, "ScatterNd: its shape is not told");
  if (sym_op_lower_has_failed (self) || !sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_need_tensor (self, 1))
    return;
  zeros = sym_op_lower_binary (self, "Expand", sym_op_lower_number (self, dtype, 0),
                               sym_op_lower_ints (self, sizes, n));
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "ScatterND",
          SYM_IDS (zeros, sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64),
                   sym_op_lower_input (self, 1)),
          "reduction", sym_value_new_string ("add"), NULL));
}

static void
lower_batch (SymOpLower *self)
{
  gboolean to_batch = g_str_equal (sym_op_lower_get_type (self), "SpaceToBatchND");
  SymOpEngineBlocks blocks;

  if (sym_op_engine_read_blocks (self, "blockShape", "padding", is_last (self), &blocks))
    sym_op_engine_set_batch (self, &blocks, to_batch);
}

static void
lower_depth (SymOpLower *self)
{
  gboolean to_space = g_str_equal (sym_op_lower_get_type (self), "DepthToSpace");

  sym_op_engine_set_blocks (self, is_last (self), to_space,
                            sym_op_lower_get_string (self, "mode", "DCR"),
                            sym_op_lower_get_int (self, "blockSize", 0));
}

/* The places of what is not 0: [places, rank]. */
static void
lower_where (SymOpLower *self)
{
  SymId x = sym_op_lower_unary (self, "NonZero", sym_op_lower_input (self, 0));

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, sym_op_lower_transpose (self, x, 2, 1, 0), SYM_DTYPE_INT32));
}

static void
lower_det (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, sym_op_lower_unary (self, "Det", sym_op_lower_input (self, 0)));
}

static void
lower_cast_like (SymOpLower *self)
{
  if (sym_op_lower_need_tensor (self, 1))
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_cast (self, sym_op_lower_input (self, 0),
                                                sym_op_lower_get_input_dtype (self, 1)));
}

/* ---- Table ---- */

#define EXTRA(name_)           \
  {                            \
    name_, SYM_SLOT_DATA, TRUE \
  }

static const SymSlotSpec top_slots[] = { { "input" }, EXTRA ("k"), EXTRA ("axis"), { NULL } };
static const SymSlotSpec hot_slots[] = {
  { "indices" }, { "depth" }, { "on" }, { "off" }, { NULL },
};
static const SymSlotSpec chosen_slots[] = { { "input" }, { "indices" }, EXTRA ("axis"), { NULL } };
static const SymSlotSpec scattered_slots[] = {
  { "input" }, { "indices" }, { "updates" }, EXTRA ("axis"), { NULL },
};
static const SymSlotSpec scatter_slots[] = {
  { "indices" },
  { "updates" },
  { "shape" },
  { NULL },
};
static const SymSlotSpec block_slots[] = {
  { "input" },
  EXTRA ("blockShape"),
  EXTRA ("padding"),
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "topK", SYM_ATTRIBUTE_INT, "0", "places that Caffe's tells" },
  { "outMaxVal", SYM_ATTRIBUTE_INT, "0", "1: it tells values, too" },
  { "k", SYM_ATTRIBUTE_INT, "None", "how many" },
  { "largest", SYM_ATTRIBUTE_BOOL, "True", "whether the greatest ones" },
  { "depth", SYM_ATTRIBUTE_INT, "None", "how many values there are" },
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes of the result" },
  { "blockShape", SYM_ATTRIBUTE_INTS, "None", "sizes of a block" },
  { "padding", SYM_ATTRIBUTE_INTS, "None", "before and after each axis, added or cut off" },
  { "blockSize", SYM_ATTRIBUTE_INT, "None", "rows and columns of a block" },
  { "mode", SYM_ATTRIBUTE_STRING, "DCR", "how places lie among channels" },
  { "layout", SYM_ATTRIBUTE_STRING, "None", "the order of the data, where it is known" },
  { NULL },
};

#define CHOOSE(name_, aliases_, summary_, slots_, lower_) \
  SYM_OP_ENGINE ("mnn", "MNN 3.0", name_, aliases_, summary_, SHAPE, slots_, attributes, lower_)

const SymOperator sym_op_mnn_choose[] = {
  CHOOSE ("ArgMax", "ArgMin", "Where the greatest or least one is", sym_op_foreign_one, lower_arg),
  CHOOSE ("TopKV2", NULL, "The greatest ones, and where they are", top_slots, lower_top),
  CHOOSE ("OneHot", NULL, "A number at the place of a value", hot_slots, lower_one_hot),
  CHOOSE ("GatherElements",
          NULL,
          "Elements by indices along an axis",
          chosen_slots,
          sym_op_engine_lower_gather_elements),
  CHOOSE ("ScatterElements",
          NULL,
          "Elements put elsewhere along an axis",
          scattered_slots,
          sym_op_engine_lower_scatter_elements),
  CHOOSE ("ScatterNd", NULL, "Slices put into zeros", scatter_slots, lower_scatter),
  CHOOSE ("SpaceToBatchND",
          "BatchToSpaceND",
          "Places become batches, or batches places",
          block_slots,
          lower_batch),
  CHOOSE ("DepthToSpace",
          "SpaceToDepth",
          "Channels become places, or places channels",
          sym_op_foreign_one,
          lower_depth),
  CHOOSE ("Where", NULL, "Where something is not 0", sym_op_foreign_one, lower_where),
  CHOOSE ("Det", NULL, "Determinants", sym_op_foreign_one, lower_det),
  CHOOSE ("CastLike", NULL, "The dtype of another one", sym_op_foreign_two, lower_cast_like),
  { NULL },
};
