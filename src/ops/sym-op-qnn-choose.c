/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

/* What QNN's operations pick by values or by indices, and blocks of places. */

static int
get_axis (SymOpLower *self, gint64 fallback)
{
  return sym_op_foreign_axis (self, "axis", fallback, sym_op_foreign_rank (self, 0));
}

static void
lower_arg (SymOpLower *self)
{
  sym_op_engine_set_arg (self, g_str_equal (sym_op_lower_get_type (self), "Argmax"),
                         get_axis (self, 0), sym_op_lower_get_bool (self, "keep_dims", FALSE));
}

/* Along the last axis, unless a later version tells another. */
static void
lower_top (SymOpLower *self)
{
  sym_op_engine_set_top (self, get_axis (self, -1), sym_op_lower_get_int (self, "k", 0),
                         sym_op_lower_get_bool (self, "largest", TRUE));
}

static void
lower_one_hot (SymOpLower *self)
{
  SymDType dtype =
      sym_op_lower_get_dtype (self, "output_dtype", sym_op_lower_get_input_dtype (self, 0));
  gint64 depth = sym_op_lower_get_int (self, "depth", 0), one = 1;
  int axis = sym_op_foreign_axis (self, "axis", -1, sym_op_foreign_rank (self, 0) + 1);
  const char *const names[] = { "off_value", "on_value" };
  SymId values[2];

  if (depth < 1 || depth > G_MAXINT32)
    sym_op_lower_refuse (self, "OneHot: its depth is not told");
  if (sym_op_lower_has_failed (self))
    return;
  for (int i = 0; i < 2; i++)
    values[i] = sym_op_foreign_reshape (
        self, sym_op_lower_number (self, dtype, sym_op_lower_get_float (self, names[i], i)), &one,
        1, FALSE);
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (
          self, "OneHot",
          SYM_IDS (sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64),
                   sym_op_lower_ints (self, &depth, 1),
                   sym_op_lower_call (self, "Concat", (SymIds){ values, 2 }, "axis",
                                      sym_value_new_int (0), NULL)),
          "axis", sym_value_new_int (axis), NULL));
}

static void
lower_batch (SymOpLower *self)
{
  gboolean to_batch = g_str_equal (sym_op_lower_get_type (self), "SpaceToBatch");
  SymOpEngineBlocks blocks;

  if (sym_op_engine_read_blocks (self, "block_size", to_batch ? "pad_amount" : "crops", TRUE,
                                 &blocks))
    sym_op_engine_set_batch (self, &blocks, to_batch);
}

/* The places of what is not 0: [places, rank]. */
static void
lower_nonzero (SymOpLower *self)
{
  SymId x = sym_op_lower_unary (self, "NonZero", sym_op_lower_input (self, 0));

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, sym_op_lower_transpose (self, x, 2, 1, 0),
                         sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_INT32)));
}

/* The sizes of the axes from `start` to before `end`. */
static void
lower_shape (SymOpLower *self)
{
  gint64 rank = sym_op_foreign_rank (self, 0);
  SymId x = sym_op_lower_call (self, "Shape", SYM_IDS (sym_op_lower_input (self, 0)), "start",
                               sym_value_new_int (sym_op_lower_get_int (self, "start", 0)), "end",
                               sym_value_new_int (sym_op_lower_get_int (self, "end", rank)), NULL);

  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_cast (self, x, sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_INT32)));
}

/* ---- Table ---- */

static const SymSlotSpec chosen_slots[] = { { "input" }, { "indices" }, { NULL } };
static const SymSlotSpec scattered_slots[] = {
  { "input" },
  { "indices" },
  { "updates" },
  { NULL },
};

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether the axis stays with size 1" },
  { "k", SYM_ATTRIBUTE_INT, "None", "how many" },
  { "largest", SYM_ATTRIBUTE_BOOL, "True", "whether the greatest ones" },
  { "depth", SYM_ATTRIBUTE_INT, "None", "how many values there are" },
  { "on_value", SYM_ATTRIBUTE_FLOAT, "1.0", "at the place of the value" },
  { "off_value", SYM_ATTRIBUTE_FLOAT, "0.0", "elsewhere" },
  { "block_size", SYM_ATTRIBUTE_INTS, "None", "rows and columns of a block" },
  { "pad_amount", SYM_ATTRIBUTE_ANY, "None", "zeros before and after rows and columns" },
  { "crops", SYM_ATTRIBUTE_ANY, "None", "what is cut off rows and columns" },
  { "reduction", SYM_ATTRIBUTE_INT, "0", "0: put in place, 1: added, 2: multiplied" },
  { "exclusive", SYM_ATTRIBUTE_BOOL, "False", "whether an element is not in its own sum" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether sums begin at the end" },
  { "start", SYM_ATTRIBUTE_INT, "0", "the first axis" },
  { "end", SYM_ATTRIBUTE_INT, "None", "the axis after the last one" },
  { NULL },
};

#define CHOOSE(name_, aliases_, summary_, slots_, lower_) \
  SYM_OP_ENGINE ("qnn", "QNN 2.20", name_, aliases_, summary_, SHAPE, slots_, attributes, lower_)

const SymOperator sym_op_qnn_choose[] = {
  CHOOSE ("Argmax", "Argmin", "Where the greatest or least one is", sym_op_foreign_one, lower_arg),
  CHOOSE ("TopK", NULL, "The greatest ones, and where they are", sym_op_foreign_one, lower_top),
  CHOOSE ("OneHot", NULL, "1 at the place of a value", sym_op_foreign_one, lower_one_hot),
  CHOOSE ("SpaceToBatch",
          "BatchToSpace",
          "Places become batches, or batches places",
          sym_op_foreign_one,
          lower_batch),
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
  CHOOSE ("ScatterNd",
          NULL,
          "Slices put elsewhere",
          scattered_slots,
          sym_op_engine_lower_scatter_nd),
  CHOOSE ("CumulativeSum",
          NULL,
          "Sums of all up to each",
          sym_op_foreign_one,
          sym_op_engine_lower_cumulate),
  CHOOSE ("NonZero", NULL, "Where something is not 0", sym_op_foreign_one, lower_nonzero),
  CHOOSE ("Shape", NULL, "Sizes of the data", sym_op_foreign_one, lower_shape),
  { NULL },
};
