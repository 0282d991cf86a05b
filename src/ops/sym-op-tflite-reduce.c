/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tflite.h"

#include <string.h>

/* ---- Reductions ---- */

static SymId
reduce (SymOpLower *self, const char *name, SymId x)
{
  gint64 flat[] = { -1 };
  SymId axes = sym_op_foreign_reshape (self, sym_op_tflite_ints (self, 1), flat, 1, FALSE);

  return sym_op_lower_call (self, name, SYM_IDS (x, axes), "keepdims",
                            sym_value_new_int (sym_op_lower_get_bool (self, "keep_dims", FALSE)),
                            NULL);
}

static void
lower_reduce (SymOpLower *self)
{
  static const char *const kinds[][2] = {
    { "MEAN", "ReduceMean" },      { "SUM", "ReduceSum" },          { "REDUCE_MAX", "ReduceMax" },
    { "REDUCE_MIN", "ReduceMin" }, { "REDUCE_PROD", "ReduceProd" },
  };

  if (sym_op_tflite_quantized (self))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i][0], sym_op_lower_get_type (self)) == 0)
      sym_op_lower_set_output (self, 0, reduce (self, kinds[i][1], sym_op_lower_input (self, 0)));
}

static void
lower_logical (SymOpLower *self)
{
  gboolean is_all = g_str_equal (sym_op_lower_get_type (self), "REDUCE_ALL");
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT32);

  x = reduce (self, is_all ? "ReduceMin" : "ReduceMax", x);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, SYM_DTYPE_BOOL));
}

/* ---- Places ---- */

/* Numbers of TensorType. */
static SymDType
get_dtype (SymOpLower *self, const char *name)
{
  static const char *const members[] = { "FLOAT32", "FLOAT16", "INT32", "UINT8", "INT64", NULL };

  return sym_op_tflite_get_enum (self, name, members) == 2 ? SYM_DTYPE_INT32 : SYM_DTYPE_INT64;
}

static void
lower_arg (SymOpLower *self)
{
  gboolean is_max = g_str_equal (sym_op_lower_get_type (self), "ARG_MAX");
  gint64 axis[SYM_MAX_RANK];
  SymId x;
  int n;

  if (!sym_op_foreign_read (self, "dimension", axis, &n))
    return;
  x = sym_op_lower_call (self, is_max ? "ArgMax" : "ArgMin", SYM_IDS (sym_op_lower_input (self, 0)),
                         "axis", sym_value_new_int (axis[0]), "keepdims", sym_value_new_int (0),
                         NULL);
  sym_op_lower_set_output (
      self, 0, sym_op_lower_cast_from (self, x, SYM_DTYPE_INT64, get_dtype (self, "output_type")));
}

static void
lower_top (SymOpLower *self)
{
  gint64 one[] = { 1 };
  SymId values = sym_op_lower_binary (
      self, "TopK", sym_op_lower_input (self, 0),
      sym_op_foreign_reshape (self, sym_op_tflite_ints (self, 1), one, 1, FALSE));

  sym_op_lower_set_output (self, 0, values);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1,
        sym_op_lower_cast (self, sym_op_lower_get_result (self, values, 1), SYM_DTYPE_INT32));
}

static void
lower_where (SymOpLower *self)
{
  SymId x = sym_op_lower_unary (self, "NonZero", sym_op_lower_input (self, 0));

  sym_op_lower_set_output (self, 0, sym_op_lower_transpose (self, x, 2, 1, 0));
}

static void
lower_cumsum (SymOpLower *self)
{
  SymId axis = sym_op_foreign_reshape (self, sym_op_tflite_ints (self, 1), NULL, 0, FALSE);

  sym_op_lower_set_output (self, 0,
                           sym_op_foreign_cumulate (self, sym_op_lower_input (self, 0), axis));
}

/* ---- New numbers ---- */

static void
lower_shape (SymOpLower *self)
{
  static const char *const members[] = { "FLOAT32", "FLOAT16", "INT32", "UINT8", "INT64", NULL };
  gboolean is_wide = sym_op_tflite_get_enum (self, "out_type", members) == 4;
  SymId x = sym_op_lower_unary (self, "Shape", sym_op_lower_input (self, 0));

  sym_op_lower_set_output (self, 0, is_wide ? x : sym_op_lower_cast (self, x, SYM_DTYPE_INT32));
}

static void
lower_fill (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 1),
                                                sym_op_tflite_ints (self, 0)));
}

static void
lower_broadcast (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Expand", sym_op_lower_input (self, 0),
                                                sym_op_tflite_ints (self, 1)));
}

static void
lower_tile (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_binary (self, "Tile", sym_op_lower_input (self, 0),
                                                sym_op_tflite_ints (self, 1)));
}

static void
lower_range (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Range",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                                  sym_op_lower_input (self, 2)),
                         NULL));
}

static void
lower_one_hot (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, sym_op_foreign_one_hot (self, sym_op_tflite_ints (self, 1), 0));
}

/* ---- Tables ---- */

static const SymSlotSpec axis_slots[] = { { "input" }, { "axis" }, { NULL } };
static const SymSlotSpec arg_slots[] = { { "input" }, { "dimension" }, { NULL } };
static const SymSlotSpec top_slots[] = { { "input" }, { "k" }, { NULL } };
static const SymSlotSpec fill_slots[] = { { "dims" }, { "value" }, { NULL } };
static const SymSlotSpec tile_slots[] = { { "input" }, { "multiples" }, { NULL } };
static const SymSlotSpec range_slots[] = { { "start" }, { "limit" }, { "delta" }, { NULL } };
static const SymSlotSpec hot_slots[] = { { "indices" },
                                         { "depth" },
                                         { "on" },
                                         { "off" },
                                         { NULL } };

static const SymAttributeSpec reduce_attributes[] = {
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether the axes stay with size 1" },
  { NULL },
};

static const SymAttributeSpec arg_attributes[] = {
  { "dimension", SYM_ATTRIBUTE_ANY, "None", "along which" },
  { "output_type", SYM_ATTRIBUTE_ANY, "'INT64'", "dtype of the places" },
  { NULL },
};

static const SymAttributeSpec cumsum_attributes[] = {
  { "exclusive", SYM_ATTRIBUTE_BOOL, "False", "whether an element is left out of its sum" },
  { "reverse", SYM_ATTRIBUTE_BOOL, "False", "whether from the end" },
  { NULL },
};

static const SymAttributeSpec type_attributes[] = {
  { "out_type", SYM_ATTRIBUTE_ANY, "'INT32'", "dtype of the result" },
  { NULL },
};

static const SymAttributeSpec hot_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "axis that is new" },
  { NULL },
};

#define REDUCE(name_, summary_) \
  TFLITE_LOWERED (name_, NULL, summary_, POOLING, axis_slots, reduce_attributes, lower_reduce)

const SymOperator sym_op_tflite_reduce[] = {
  REDUCE ("MEAN", "Mean over axes"),
  REDUCE ("SUM", "Sum over axes"),
  REDUCE ("REDUCE_MAX", "Greatest element over axes"),
  REDUCE ("REDUCE_MIN", "Least element over axes"),
  REDUCE ("REDUCE_PROD", "Product over axes"),
  TFLITE_LOWERED ("REDUCE_ANY",
                  "REDUCE_ALL",
                  "Whether one is true, or all",
                  POOLING,
                  axis_slots,
                  reduce_attributes,
                  lower_logical),
  TFLITE_LOWERED ("ARG_MAX",
                  "ARG_MIN",
                  "Place of the greatest or least element",
                  POOLING,
                  arg_slots,
                  arg_attributes,
                  lower_arg),
  TFLITE_LOWERED ("TOPK_V2",
                  NULL,
                  "The greatest elements and their places",
                  POOLING,
                  top_slots,
                  NULL,
                  lower_top),
  TFLITE_LOWERED ("WHERE",
                  NULL,
                  "Places of what is true",
                  SHAPE,
                  sym_op_foreign_one,
                  NULL,
                  lower_where),
  TFLITE_LOWERED ("CUMSUM",
                  NULL,
                  "Sums of what is before",
                  POOLING,
                  axis_slots,
                  cumsum_attributes,
                  lower_cumsum),
  TFLITE_LOWERED ("SHAPE",
                  NULL,
                  "Sizes of the axes",
                  SHAPE,
                  sym_op_foreign_one,
                  type_attributes,
                  lower_shape),
  TFLITE_LOWERED ("FILL", NULL, "One number everywhere", SHAPE, fill_slots, NULL, lower_fill),
  TFLITE_LOWERED ("BROADCAST_TO",
                  NULL,
                  "Repeated to a shape",
                  SHAPE,
                  tile_slots,
                  NULL,
                  lower_broadcast),
  TFLITE_LOWERED ("TILE", NULL, "Repeated along axes", SHAPE, tile_slots, NULL, lower_tile),
  TFLITE_LOWERED ("RANGE", NULL, "Numbers in steps", SHAPE, range_slots, NULL, lower_range),
  TFLITE_LOWERED ("ONE_HOT",
                  NULL,
                  "One number at an index, another elsewhere",
                  SHAPE,
                  hot_slots,
                  hot_attributes,
                  lower_one_hot),
  { NULL },
};
