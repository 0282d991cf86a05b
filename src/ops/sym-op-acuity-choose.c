/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine-choose.h"

/* What Acuity picks by values or by indices, blocks of places, and more movements.  Images have
 * their channels last. */

static int
get_axis (SymOpLower *self, const char *name, gint64 fallback)
{
  return sym_op_foreign_axis (self, name, fallback, sym_op_foreign_rank (self, 0));
}

static void
lower_top (SymOpLower *self)
{
  sym_op_engine_set_top (self, get_axis (self, "axis", -1), sym_op_lower_get_int (self, "k", 1),
                         TRUE);
}

static void
lower_unstack (SymOpLower *self)
{
  sym_op_engine_set_unpacked (self, get_axis (self, "axis", 1));
}

static void
lower_batch (SymOpLower *self)
{
  gboolean to_batch = g_str_equal (sym_op_lower_get_type (self), "space2batch");
  SymOpEngineBlocks blocks;

  if (sym_op_engine_read_blocks (self, "block_shape", to_batch ? "block_paddings" : "block_crops",
                                 TRUE, &blocks))
    sym_op_engine_set_batch (self, &blocks, to_batch);
}

static void
lower_shuffle (SymOpLower *self)
{
  sym_op_engine_set_shuffled (self, sym_op_foreign_rank (self, 0) - 1,
                              sym_op_lower_get_int (self, "group_number", 1));
}

static void
lower_expand (SymOpLower *self)
{
  gint64 axis = sym_op_lower_get_int (self, "dim", 0);

  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_unsqueeze (self, sym_op_lower_input (self, 0), &axis, 1));
}

static void
lower_shape (SymOpLower *self)
{
  const char *type = sym_op_lower_get_type (self);
  SymDType dtype = sym_op_lower_get_dtype (self, "out_type", SYM_DTYPE_INT32);
  SymId x = sym_op_lower_unary (self, g_str_equal (type, "size") ? "Size" : "Shape",
                                sym_op_lower_input (self, 0));

  if (g_str_equal (type, "rank"))
    x = sym_op_lower_unary (self, "Size", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, dtype));
}

/* ---- Rules ---- */

/* Rows and columns. */
static gboolean
infer_crop (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);
  gint64 sizes[2];
  int n = sym_rule_get_ints (rule, "crop_size", sizes, 2);

  if (!sym_op_pass_dtype (rule, 0, 0, error) || data.rank != 4 || n != 2)
    return sym_op_pass_dtype (rule, 0, 0, error);
  for (int i = 0; i < 2; i++)
    data.dims[1 + i] = sizes[i] > 0 && sizes[i] <= G_MAXINT32 ? sizes[i] : SYM_DIM_UNKNOWN;
  return sym_rule_set_output (rule, 0, &data, error);
}

static gboolean
infer_einsum (SymRule *rule, GError **error)
{
  return sym_op_pass_dtype (rule, 0, 0, error) &&
         sym_op_infer_einsum (rule, sym_rule_get_string (rule, "equation", ""), error);
}

/* Truths, or the same as numbers, along a new last axis. */
static gboolean
infer_mask (SymRule *rule, GError **error)
{
  SymDType dtype = sym_rule_get_dtype (rule, "dtype", SYM_DTYPE_BOOL);
  SymShape data = sym_rule_get_input (rule, 0), mask = SYM_SHAPE_UNKNOWN;
  gint64 most;

  if (!sym_op_engine_read (rule, "maxlen", 50, 1, &most, error))
    return FALSE;
  if (data.rank >= 0 && data.rank < SYM_MAX_RANK)
    mask = sym_op_insert_axis (&data, data.rank, most);
  return sym_op_set_output (rule, 0, mask, dtype, error);
}

/* ---- Table ---- */

static const SymSlotSpec chosen_slots[] = { { "input" }, { "indices" }, { NULL } };

static const SymAttributeSpec attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "dim", SYM_ATTRIBUTE_INT, "0", "the new axis" },
  { "k", SYM_ATTRIBUTE_INT, "1", "how many" },
  { "batch_dims", SYM_ATTRIBUTE_INT, "0", "axes that data and indices share" },
  { "multiples", SYM_ATTRIBUTE_INTS, "None", "how often along each axis" },
  { "block_shape", SYM_ATTRIBUTE_INTS, "None", "sizes of a block" },
  { "block_paddings", SYM_ATTRIBUTE_ANY, "None", "zeros before and after each axis" },
  { "block_crops", SYM_ATTRIBUTE_ANY, "None", "what is cut off each axis" },
  { "group_number", SYM_ATTRIBUTE_INT, "1", "groups of channels" },
  { "crop_size", SYM_ATTRIBUTE_INTS, "None", "rows and columns" },
  { "equation", SYM_ATTRIBUTE_STRING, "None", "a letter for each axis" },
  { "maxlen", SYM_ATTRIBUTE_INT, "50", "the size of the new axis" },
  { "dtype", SYM_ATTRIBUTE_STRING, "bool", "of a mask" },
  { "out_type", SYM_ATTRIBUTE_STRING, "int32", "of sizes" },
  { NULL },
};

#define MOVE(name_, aliases_, summary_, slots_, lower_) \
  SYM_OP_ENGINE ("acuity", "Acuity 6", name_, aliases_, summary_, SHAPE, slots_, attributes, lower_)
#define RULE(name_, aliases_, summary_, category_, slots_, infer_)                 \
  {                                                                                \
    SYM_OP_FOREIGN ("acuity", name_, aliases_, summary_, category_),               \
        .reference = "Acuity 6 " name_, .slots = slots_, .attributes = attributes, \
        .get_n_operands = sym_op_foreign_any, .infer = infer_                      \
  }

const SymOperator sym_op_acuity_choose[] = {
  MOVE ("topk", NULL, "The greatest ones, and where they are", sym_op_foreign_one, lower_top),
  MOVE ("gathernd", NULL, "Elements by indices", chosen_slots, sym_op_engine_lower_gather_nd),
  MOVE ("gather_elements",
        NULL,
        "Elements by indices along an axis",
        chosen_slots,
        sym_op_engine_lower_gather_elements),
  MOVE ("unstack", NULL, "Parts along an axis, without it", sym_op_foreign_one, lower_unstack),
  MOVE ("tile", NULL, "The data again and again", sym_op_foreign_one, sym_op_engine_lower_tile),
  MOVE ("space2batch",
        "batch2space",
        "Places become batches, or batches places",
        sym_op_foreign_one,
        lower_batch),
  MOVE ("shuffle", NULL, "Channels of each group by turns", sym_op_foreign_one, lower_shuffle),
  MOVE ("ExpandDims", "expanddims", "With an axis of size 1", sym_op_foreign_one, lower_expand),
  MOVE ("shapelayer", "rank size", "Sizes of the data", sym_op_foreign_one, lower_shape),
  MOVE ("where",
        NULL,
        "One or the other, as a truth says",
        sym_op_foreign_many,
        sym_op_engine_lower_where),
  RULE ("crop_image", NULL, "A part of images", SHAPE, sym_op_foreign_one, infer_crop),
  RULE ("einsum", NULL, "Sums of products", WEIGHTS, sym_op_foreign_many, infer_einsum),
  RULE ("sequence_mask",
        NULL,
        "Where sequences have elements",
        SHAPE,
        sym_op_foreign_many,
        infer_mask),
  { NULL },
};
