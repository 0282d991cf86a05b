/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onednn.h"

#include <string.h>

/* ---- Axes ---- */

static void
lower_reshape (SymOpLower *self)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "shape", sizes);

  if (n < 0)
    sym_op_lower_fail (self, "%s: it has no shape", sym_op_lower_get_type (self));
  sym_op_onednn_set (self,
                     sym_op_foreign_reshape (self, sym_op_lower_input (self, 0), sizes, MAX (n, 0),
                                             sym_op_lower_get_bool (self, "special_zero", FALSE)));
}

static void
lower_transpose (SymOpLower *self)
{
  gint64 order[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "order", order), rank = sym_op_foreign_rank (self, 0), normal;

  if (n != rank)
    sym_op_lower_fail (self, "%s: %d axes for %d", sym_op_lower_get_type (self), n, rank);
  for (int i = 0; i < n && !sym_op_lower_has_failed (self); i++)
    {
      sym_op_lower_find_axis (self, order[i], rank, &normal);
      order[i] = normal;
    }
  if (!sym_op_lower_has_failed (self))
    sym_op_onednn_set (self, sym_op_lower_permute (self, sym_op_lower_input (self, 0), order, n));
}

static void
lower_concat (SymOpLower *self)
{
  sym_op_onednn_set (self, sym_op_foreign_concat (self, 0, sym_op_lower_get_n_inputs (self),
                                                  sym_op_lower_get_int (self, "axis", 0)));
}

static void
lower_reduce (SymOpLower *self)
{
  gboolean keep = sym_op_lower_get_bool (self, "keep_dims", FALSE);
  gint64 axes[SYM_MAX_RANK];
  int n = sym_op_foreign_list (self, "axes", axes);

  if (n < 0)
    sym_op_lower_refuse (self, "%s: its axes are not constant", sym_op_lower_get_type (self));
  sym_op_onednn_set (self,
                     sym_op_lower_reduce (self, sym_op_lower_get_type (self),
                                          sym_op_lower_input (self, 0), axes, MAX (n, 0), keep));
}

static void
lower_softmax (SymOpLower *self)
{
  gboolean is_log = g_str_equal (sym_op_lower_get_type (self), "LogSoftmax");
  int axis = sym_op_foreign_axis (self, "axis", is_log ? -1 : 1, sym_op_foreign_rank (self, 0));
  gint64 along = axis;
  SymId x = sym_op_lower_input (self, 0), most;

  sym_op_onednn_set (
      self, sym_op_foreign_with (self, is_log ? "LogSoftmax" : "Softmax", x, "axis", axis));
  if (sym_op_lower_get_n_outputs (self) < 2)
    return;
  most = sym_op_lower_reduce (self, "ReduceLogSumExp", x, &along, 1, TRUE);
  sym_op_lower_set_output (self, 1,
                           sym_op_lower_cast_from (self, most,
                                                   sym_op_lower_get_input_dtype (self, 0),
                                                   SYM_DTYPE_FLOAT32));
}

/* ---- Products ---- */

/* Products of 8 bits are told in the dtype of the result. */
static void
lower_matmul (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0), result = sym_op_onednn_get_dtype (self);
  SymDType work = sym_dtype_is_floating (dtype) ? dtype : result;
  SymId sides[2], y;

  if (!sym_op_lower_need_tensor (self, 0) || !sym_op_lower_need_tensor (self, 1))
    return;
  for (guint i = 0; i < 2; i++)
    sides[i] = sym_op_lower_cast_from (
        self, sym_op_foreign_turn (self, i, i == 0 ? "transpose_a" : "transpose_b"),
        sym_op_lower_get_input_dtype (self, i), work);
  y = sym_op_lower_binary (self, "MatMul", sides[0], sides[1]);
  if (sym_op_lower_has_input (self, 2))
    y = sym_op_lower_binary (self, "Add", y,
                             sym_op_lower_cast_from (self, sym_op_lower_input (self, 2),
                                                     sym_op_lower_get_input_dtype (self, 2), work));
  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, y, work, result));
}

/* ---- Quantization ---- */

/* Scales or zero points of the file, [1] or [channels]. */
static SymId
list_numbers (SymOpLower *self, const char *name, double fallback, gint64 *n)
{
  const SymValue *list =
      sym_attributes_find (sym_layer_get_attributes (sym_op_lower_get_layer (self)), name);
  guint given = list == NULL ? 0 : sym_value_get_n_children (list);
  g_autofree float *numbers = g_new (float, given + 1);
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (MAX (given, 1)), numbers };

  numbers[0] = (float) fallback;
  for (guint i = 0; i < given; i++)
    {
      double number = fallback;

      sym_value_get_float (sym_value_get_child (list, i), &number);
      numbers[i] = (float) number;
    }
  *n = array.shape.dims[0];
  return sym_op_lower_array (self, &array);
}

/* Weights of a ConvTranspose in groups, [inputs, outputs of a group, ...], have a number for each
 * output of all groups; 1 where these are none, or have not. */
static gint64
count_groups (SymOpLower *self, int axis, gint64 n)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 groups = sym_op_lower_get_int (self, "groups", 1);

  if (groups < 2 || axis != 1 || shape->rank < 3 || n % groups != 0 || n / groups != shape->dims[1])
    return 1;
  if (shape->dims[0] < 0)
    sym_op_lower_refuse (self, "%s: it is not known how many inputs each group has",
                         sym_op_lower_get_type (self));
  return shape->dims[0] % groups == 0 ? groups : 1;
}

static SymId
place_in_groups (SymOpLower *self, SymId numbers, gint64 groups)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 apart[] = { groups, 1, shape->dims[1] };
  gint64 each[] = { groups, shape->dims[0] / groups, shape->dims[1] };
  gint64 sizes[SYM_MAX_RANK] = { shape->dims[0], shape->dims[1] };

  for (int i = 2; i < shape->rank; i++)
    sizes[i] = 1;
  numbers = sym_op_foreign_reshape (self, numbers, apart, 3, FALSE);
  numbers = sym_op_lower_binary (self, "Expand", numbers, sym_op_lower_ints (self, each, 3));
  return sym_op_foreign_reshape (self, numbers, sizes, shape->rank, FALSE);
}

/* As one size along the axis of the channels, or as a number for all. */
static SymId
place_numbers (SymOpLower *self, SymId numbers, gint64 n)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  int rank = sym_op_foreign_rank (self, 0),
      axis = sym_op_foreign_axis (self, "axis", 1, MAX (rank, 2));
  gint64 sizes[SYM_MAX_RANK], size = axis >= 0 && axis < rank ? shape->dims[axis] : -1;
  gint64 groups = count_groups (self, axis, n);

  if (n > 1 && size >= 0 && size != n && groups > 1)
    return place_in_groups (self, numbers, groups);
  if (n > 1 && size >= 0 && size != n)
    sym_op_lower_fail (self,
                       "%s: %" G_GINT64_FORMAT " scales or zero points for axis %d, whose size "
                       "is %" G_GINT64_FORMAT,
                       sym_op_lower_get_type (self), n, axis, size);
  for (int i = 0; i < rank; i++)
    sizes[i] = i == axis ? n : 1;
  return sym_op_foreign_reshape (self, numbers, sizes, n == 1 ? 0 : rank, FALSE);
}

static SymId
read_numbers (SymOpLower *self, const char *name, double fallback)
{
  gint64 n;
  SymId numbers = list_numbers (self, name, fallback, &n);

  return place_numbers (self, numbers, n);
}

/* Numbers of an operand: one for all, one for each channel, or one for each group of elements. */
static SymId
spread (SymOpLower *self, guint i)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  const SymShape *own = sym_op_lower_get_input_shape (self, i);
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, i), SYM_DTYPE_FLOAT32);

  if (own->rank == 1 && data->rank > 1)
    return own->dims[0] < 0 ? x : place_numbers (self, x, own->dims[0]);
  for (int k = 0; k < own->rank && own->rank == data->rank; k++)
    {
      gint64 whole = sym_op_foreign_size (self, 0, k), parts = sym_op_foreign_size (self, i, k);
      gint64 along = k + 1, folded[SYM_MAX_RANK];
      SymShape shape = *own;

      if (parts <= 1 || whole == parts || whole % parts != 0 || own->rank == SYM_MAX_RANK)
        continue;
      x = sym_op_foreign_unsqueeze (self, x, &along, 1);
      for (int m = 0; m <= own->rank; m++)
        folded[m] = m == along ? whole / parts : 1;
      x = sym_op_lower_binary (self, "Expand", x, sym_op_lower_ints (self, folded, own->rank + 1));
      for (int m = 0; m < own->rank; m++)
        shape.dims[m] = m == k ? whole : m < k && own->dims[m] > 1 ? data->dims[m] : own->dims[m];
      x = sym_op_lower_reshape (self, x, &shape);
    }
  return x;
}

static SymId
get_scales (SymOpLower *self)
{
  return sym_op_lower_has_input (self, 1) ? spread (self, 1) : read_numbers (self, "scales", 1);
}

static SymId
get_zeros (SymOpLower *self)
{
  return sym_op_lower_has_input (self, 2) ? spread (self, 2) : read_numbers (self, "zps", 0);
}

/* (x - zero) scale */
static void
lower_dequantize (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_FLOAT32);
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32);

  x = sym_op_lower_binary (self, "Sub", x, get_zeros (self));
  x = sym_op_lower_binary (self, "Mul", x, get_scales (self));
  sym_op_lower_set_output (self, 0, sym_op_lower_cast_from (self, x, SYM_DTYPE_FLOAT32, dtype));
}

/* round (x / scale) + zero, within the dtype. */
static void
lower_quantize (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_dtype (self, "output_dtype", SYM_DTYPE_UINT8);
  gboolean is_signed = dtype == SYM_DTYPE_INT8;
  SymId x = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_FLOAT32);

  x = sym_op_lower_unary (self, "Round", sym_op_lower_binary (self, "Div", x, get_scales (self)));
  x = sym_op_lower_binary (self, "Add", x, get_zeros (self));
  x = sym_op_lower_call (
      self, "Clip",
      SYM_IDS (x, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, is_signed ? -128 : 0),
               sym_op_lower_number (self, SYM_DTYPE_FLOAT32, is_signed ? 127 : 255)),
      NULL);
  sym_op_lower_set_output (self, 0, sym_op_lower_cast (self, x, dtype));
}

/* ---- Tables ---- */

static const SymSlotSpec reduce_slots[] = { { "src" }, { "axes", SYM_SLOT_DATA, TRUE }, { NULL } };

static const SymSlotSpec matmul_slots[] = {
  { "src" },
  { "weights", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};

static const SymSlotSpec dynamic_slots[] = {
  { "src" },
  { "scales" },
  { "zps", SYM_SLOT_DATA, TRUE },
  { NULL },
};

static const SymAttributeSpec reshape_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "None", "sizes; -1 is what is left" },
  { "special_zero", SYM_ATTRIBUTE_BOOL, "False", "whether 0 stays as it is" },
  { NULL },
};

static const SymAttributeSpec order_attributes[] = {
  { "order", SYM_ATTRIBUTE_INTS, "None", "the axes in their new order" },
  { NULL },
};

static const SymAttributeSpec axis_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "along which" },
  { NULL },
};

static const SymAttributeSpec reduce_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that go" },
  { "keep_dims", SYM_ATTRIBUTE_BOOL, "False", "whether they stay with size 1" },
  { NULL },
};

static const SymAttributeSpec matmul_attributes[] = {
  { "transpose_a", SYM_ATTRIBUTE_BOOL, "False", "whether the first one is turned" },
  { "transpose_b", SYM_ATTRIBUTE_BOOL, "False", "whether the second one is turned" },
  { NULL },
};

static const SymAttributeSpec quantize_attributes[] = {
  { "qtype", SYM_ATTRIBUTE_STRING, "per_tensor", "what has a scale of its own" },
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis of the channels" },
  { "scales", SYM_ATTRIBUTE_FLOATS, "None", "scales" },
  { "zps", SYM_ATTRIBUTE_INTS, "None", "zero points" },
  { "output_dtype", SYM_ATTRIBUTE_STRING, "", "dtype of the result" },
  { "groups", SYM_ATTRIBUTE_INT, "1", "groups of the ConvTranspose whose weights it makes" },
  { NULL },
};

#define REDUCE(name_, summary_) \
  ONEDNN_LOWERED (name_, summary_, POOLING, reduce_slots, reduce_attributes, lower_reduce)

const SymOperator sym_op_onednn_shape[] = {
  ONEDNN_LOWERED ("StaticReshape",
                  "Other axes",
                  SHAPE,
                  sym_op_foreign_one,
                  reshape_attributes,
                  lower_reshape),
  ONEDNN_LOWERED ("StaticTranspose",
                  "Axes in another order",
                  SHAPE,
                  sym_op_foreign_one,
                  order_attributes,
                  lower_transpose),
  { ONEDNN ("Concat", NULL, "One after the other along an axis", MERGE),
    .slots = sym_op_foreign_many, .attributes = axis_attributes,
    .get_n_operands = sym_op_foreign_any, .infer = sym_op_infer_lowered, .lower = lower_concat },
  REDUCE ("ReduceL1", "Sum of absolute values over axes"),
  REDUCE ("ReduceL2", "Length over axes"),
  REDUCE ("ReduceMax", "Greatest element over axes"),
  REDUCE ("ReduceMean", "Mean over axes"),
  REDUCE ("ReduceMin", "Least element over axes"),
  REDUCE ("ReduceProd", "Product over axes"),
  REDUCE ("ReduceSum", "Sum over axes"),
  ONEDNN_LOWERED ("SoftMax",
                  "Numbers along an axis that sum to 1",
                  ACTIVATION,
                  sym_op_foreign_one,
                  axis_attributes,
                  lower_softmax),
  ONEDNN_LOWERED ("LogSoftmax",
                  "Logarithm of softmax",
                  ACTIVATION,
                  sym_op_foreign_one,
                  axis_attributes,
                  lower_softmax),
  ONEDNN_LOWERED ("MatMul",
                  "Product of matrices",
                  WEIGHTS,
                  matmul_slots,
                  matmul_attributes,
                  lower_matmul),
  ONEDNN_LOWERED ("Quantize",
                  "Integers for numbers",
                  SHAPE,
                  sym_op_foreign_one,
                  quantize_attributes,
                  lower_quantize),
  ONEDNN_LOWERED ("DynamicQuantize",
                  "Integers for numbers, by operands",
                  SHAPE,
                  dynamic_slots,
                  quantize_attributes,
                  lower_quantize),
  ONEDNN_LOWERED ("Dequantize",
                  "Numbers for integers",
                  SHAPE,
                  sym_op_foreign_one,
                  quantize_attributes,
                  lower_dequantize),
  ONEDNN_LOWERED ("DynamicDequantize",
                  "Numbers for integers, by operands",
                  SHAPE,
                  dynamic_slots,
                  quantize_attributes,
                  lower_dequantize),
  { NULL },
};
