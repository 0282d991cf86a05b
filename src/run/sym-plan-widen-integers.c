/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-lower.h"
#include "ops/sym-op.h"
#include "run/sym-plan-widen-private.h"

/* Quantised numbers as float32: bytes are exact, and their products are added as exactly as a sum
 * that is to become a float needs to be. */

/* A scale of 0, of numbers that are all 0, divides nothing. */
#define LEAST_SCALE 1e-37

static gboolean
get_range (SymDType dtype, double *least, double *greatest)
{
  static const struct {
    SymDType dtype;
    double least, greatest;
  } ranges[] = {
    { SYM_DTYPE_INT8, -128, 127 },
    { SYM_DTYPE_UINT8, 0, 255 },
    { SYM_DTYPE_INT16, -32768, 32767 },
    { SYM_DTYPE_UINT16, 0, 65535 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    if (ranges[i].dtype == dtype)
      {
        *least = ranges[i].least;
        *greatest = ranges[i].greatest;
        return TRUE;
      }
  return FALSE;
}

/* ---- What there is to work with ---- */

typedef SymWidenCall Call;

static gboolean
has_operand (const Call *self, guint i)
{
  return i < self->operands.n && self->operands.ids[i] != SYM_NO_ID;
}

static SymType
get_type (const Call *self, guint i)
{
  return has_operand (self, i) ? sym_widen_get_type (self->widen, self->operands.ids[i])
                               : SYM_TYPE_UNKNOWN;
}

/* Whether an operand is one number of float32. */
static gboolean
is_scale (const Call *self, guint i)
{
  SymType type = get_type (self, i);
  guint64 n;

  return type.kind == SYM_KIND_TENSOR && type.dtype == SYM_DTYPE_FLOAT32 && type.shape.rank >= 0 &&
         sym_shape_get_n_elements (&type.shape, &n) && n == 1;
}

/* Whether it is that, or a row of them. */
static gboolean
is_scales (const Call *self, guint i)
{
  SymType type = get_type (self, i);

  return is_scale (self, i) ||
         (type.kind == SYM_KIND_TENSOR && type.shape.rank == 1 && type.dtype == SYM_DTYPE_FLOAT32);
}

static gboolean
is_byte (const Call *self, guint i)
{
  SymDType dtype = get_type (self, i).dtype;

  return dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_UINT8;
}

/* Whether a zero point is there and one number, or not there. */
static gboolean
is_zero_point (const Call *self, guint i)
{
  SymType type = get_type (self, i);
  guint64 n;

  return !has_operand (self, i) || (type.kind == SYM_KIND_TENSOR && type.shape.rank >= 0 &&
                                    sym_shape_get_n_elements (&type.shape, &n) && n == 1);
}

/* Whether it is that, or there is one for each column or filter. */
static gboolean
is_zero_points (const Call *self, guint i)
{
  return is_zero_point (self, i) || get_type (self, i).shape.rank == 1;
}

static SymId
insert (const Call *self, const char *type, SymId a, SymId b)
{
  const SymId operands[] = { a, b };

  return sym_widen_insert (self->widen, self->call, type, NULL, operands, b == SYM_NO_ID ? 1 : 2);
}

static SymId
insert_number (const Call *self, double number)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_attributes_set (attributes, "value_float", sym_value_new_float (number), NULL);
  return sym_widen_insert (self->widen, self->call, "Constant", attributes, NULL, 0);
}

/* All of x as one number. */
static SymId
insert_reduction (const Call *self, const char *type, SymId x)
{
  SymAttributes *attributes = sym_attributes_new ();

  sym_attributes_set (attributes, "keepdims", sym_value_new_int (0), NULL);
  return sym_widen_insert (self->widen, self->call, type, attributes, &x, 1);
}

static SymId
insert_bounds (const Call *self, SymId x, double least, double greatest)
{
  const SymId operands[] = { x, insert_number (self, least), insert_number (self, greatest) };

  return sym_widen_insert (self->widen, self->call, "Clip", NULL, operands, 3);
}

/* An operand of floats. */
static SymId
need_operand (const Call *self, guint i)
{
  return sym_widen_need_half (self->widen, self->call, self->operands.ids[i]);
}

SymId
sym_widen_need_integers (SymWiden *self, SymId origin, SymId value)
{
  SymId *known = &self->integers[value];

  if (*known == SYM_NO_ID)
    *known =
        sym_widen_insert (self, origin, "Cast", sym_widen_new_cast (SYM_DTYPE_FLOAT32), &value, 1);
  return *known;
}

/* The numbers of an operand of integers. */
static SymId
need_floats (const Call *self, guint i)
{
  return sym_widen_need_integers (self->widen, self->call, self->operands.ids[i]);
}

/* Operand @i less its zero point. */
static SymId
insert_difference (const Call *self, guint i, guint zero)
{
  SymId x = need_floats (self, i);

  return has_operand (self, zero) ? insert (self, "Sub", x, need_floats (self, zero)) : x;
}

SymId
sym_widen_align (const SymWidenCall *self, SymId x, int n_behind)
{
  gint64 axes[SYM_MAX_RANK];
  SymAttributes *attributes;

  if (n_behind == 0)
    return x;
  for (int i = 0; i < n_behind; i++)
    axes[i] = i + 1;
  attributes = sym_attributes_new ();
  sym_attributes_set (attributes, "value_ints",
                      sym_value_new_ints (SYM_VALUE_LIST, axes, (guint) n_behind), NULL);
  return insert (self, "Unsqueeze", x,
                 sym_widen_insert (self->widen, self->call, "Constant", attributes, NULL, 0));
}

/* Result @i is @x, as floats; what it is in the file it becomes where it is asked for. */
static gboolean
set_integers (const Call *self, guint i, SymId x)
{
  SymDType dtype = sym_widen_get_type (self->widen, self->results.ids[i]).dtype;

  self->widen->integers[self->results.ids[i]] = x;
  if (self->results.n == 1)
    sym_widen_set_call (self->widen, self->call, "Cast", sym_widen_new_cast (dtype), x);
  return TRUE;
}

static gboolean
set_floats (const Call *self, SymId x)
{
  sym_widen_set_call (self->widen, self->call, "Identity", NULL, x);
  return TRUE;
}

/* Rounded to the even one, moved by the zero point, and kept within the range of result 0. */
static gboolean
finish_quantized (const Call *self, SymId x, guint zero)
{
  SymDType dtype = sym_widen_get_type (self->widen, self->results.ids[0]).dtype;
  double least = 0, greatest = 0;

  get_range (dtype, &least, &greatest);
  x = insert (self, "Round", x, SYM_NO_ID);
  if (has_operand (self, zero))
    x = insert (self, "Add", x, need_floats (self, zero));
  return set_integers (self, 0, insert_bounds (self, x, least, greatest));
}

static gboolean
makes_byte (const Call *self)
{
  SymDType dtype = sym_widen_get_type (self->widen, self->results.ids[0]).dtype;

  return dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_UINT8;
}

/* ---- To integers and back ---- */

static gboolean
widen_dynamic (const Call *self)
{
  SymId *integers = self->widen->integers, x, zero, none, greatest, least, scale, divisor;

  if (self->results.n != 3 || get_type (self, 0).dtype != SYM_DTYPE_FLOAT32)
    return FALSE;
  x = need_operand (self, 0);
  none = insert_number (self, 0);
  greatest = insert (self, "Max", insert_reduction (self, "ReduceMax", x), none);
  least = insert (self, "Min", insert_reduction (self, "ReduceMin", x), none);
  scale = insert (self, "Div", insert (self, "Sub", greatest, least), insert_number (self, 255));
  divisor = insert (self, "Max", scale, insert_number (self, LEAST_SCALE));
  zero = insert (self, "Round", insert (self, "Sub", none, insert (self, "Div", least, divisor)),
                 SYM_NO_ID);
  zero = insert_bounds (self, zero, 0, 255);
  x = insert (self, "Round", insert (self, "Div", x, divisor), SYM_NO_ID);
  integers[self->results.ids[0]] = insert_bounds (self, insert (self, "Add", x, zero), 0, 255);
  self->widen->halves[self->results.ids[1]] = scale;
  integers[self->results.ids[2]] = zero;
  return TRUE;
}

static gboolean
widen_quantize (const Call *self)
{
  double least, greatest;

  if (get_type (self, 0).dtype != SYM_DTYPE_FLOAT32 || !is_scale (self, 1) ||
      !is_zero_point (self, 2) ||
      !get_range (sym_widen_get_type (self->widen, self->results.ids[0]).dtype, &least, &greatest))
    return FALSE;
  return finish_quantized (self,
                           insert (self, "Div", need_operand (self, 0), need_operand (self, 1)), 2);
}

/* How many axes are behind that of the scales; -1 when they are no such scales. */
static int
count_behind (const Call *self)
{
  SymType x = get_type (self, 0), scale = get_type (self, 1);
  gint64 axis = sym_attributes_get_int (self->attributes, "axis", 1);

  if (scale.shape.rank == 0 || is_scale (self, 1))
    return 0;
  axis = axis < 0 ? axis + x.shape.rank : axis;
  return scale.shape.rank != 1 || axis < 0 || axis >= x.shape.rank ? -1
                                                                   : x.shape.rank - 1 - (int) axis;
}

static gboolean
widen_dequantize (const Call *self)
{
  SymDType dtype = get_type (self, 0).dtype;
  SymType scale = get_type (self, 1), zero = get_type (self, 2);
  int n_behind = count_behind (self);
  double least, greatest;
  SymId x;

  if ((!get_range (dtype, &least, &greatest) && dtype != SYM_DTYPE_INT32) || n_behind < 0 ||
      scale.dtype != SYM_DTYPE_FLOAT32 || scale.shape.rank < 0 ||
      (has_operand (self, 2) && !sym_shape_equal (&scale.shape, &zero.shape)) ||
      sym_attributes_get_int (self->attributes, "block_size", 0) != 0)
    return FALSE;
  x = need_floats (self, 0);
  if (has_operand (self, 2))
    x = insert (self, "Sub", x, sym_widen_align (self, need_floats (self, 2), n_behind));
  return set_floats (
      self, insert (self, "Mul", x, sym_widen_align (self, need_operand (self, 1), n_behind)));
}

/* Only to floats: sums are not what they were as narrower integers. */
static gboolean
widen_cast (const Call *self)
{
  SymId value = has_operand (self, 0) ? self->operands.ids[0] : SYM_NO_ID;

  if (value == SYM_NO_ID || self->widen->integers[value] == SYM_NO_ID ||
      sym_widen_get_type (self->widen, self->results.ids[0]).dtype != SYM_DTYPE_FLOAT32)
    return FALSE;
  return set_floats (self, self->widen->integers[value]);
}

/* ---- Products ---- */

static gboolean
widen_matmul (const Call *self)
{
  SymId product;

  if (!is_byte (self, 0) || !is_byte (self, 1) || !is_zero_point (self, 2) ||
      !is_zero_points (self, 3))
    return FALSE;
  product = sym_widen_integer_product (self);
  if (product == SYM_NO_ID)
    product =
        insert (self, "MatMul", insert_difference (self, 0, 2), insert_difference (self, 1, 3));
  return set_integers (self, 0, product);
}

static gboolean
widen_quantized_matmul (const Call *self)
{
  SymId x, factor;

  if (self->operands.n != 8 || !is_byte (self, 0) || !is_byte (self, 3) || !makes_byte (self) ||
      !is_scale (self, 1) || !is_scales (self, 4) || !is_scale (self, 6) ||
      !is_zero_point (self, 2) || !is_zero_points (self, 5) || !is_zero_point (self, 7))
    return FALSE;
  factor = insert (self, "Mul", need_operand (self, 1), need_operand (self, 4));
  factor = insert (self, "Div", factor, need_operand (self, 6));
  x = sym_widen_quantized_product (self, factor);
  if (x != SYM_NO_ID)
    return finish_quantized (self, x, 7);
  x = insert (self, "MatMul", insert_difference (self, 0, 2), insert_difference (self, 3, 5));
  return finish_quantized (self, insert (self, "Mul", x, factor), 7);
}

/* Of numbers that were just made from integers. */
static gboolean
widen_float_product (const Call *self)
{
  SymId product = sym_widen_dequantized_product (self);

  return product != SYM_NO_ID && set_floats (self, product);
}

static gboolean
widen_factor (const Call *self)
{
  SymId product = sym_widen_dynamic_product (self);

  return product != SYM_NO_ID && set_floats (self, product);
}

static SymId
insert_convolution (const Call *self, SymId x, SymId weights, SymId bias)
{
  const SymId operands[] = { x, weights, bias };

  return sym_widen_insert (self->widen, self->call, "Conv",
                           sym_attributes_ref ((SymAttributes *) self->attributes), operands,
                           bias == SYM_NO_ID ? 2 : 3);
}

/* Filters less their zero points, of which there may be one for each. */
static SymId
insert_filters (const Call *self, guint i, guint zero)
{
  if (is_zero_point (self, zero))
    return insert_difference (self, i, zero);
  return insert (
      self, "Sub", need_floats (self, i),
      sym_widen_align (self, need_floats (self, zero), get_type (self, i).shape.rank - 1));
}

static gboolean
widen_convolution (const Call *self)
{
  SymId made;

  if (!is_byte (self, 0) || !is_byte (self, 1) || !is_zero_point (self, 2) ||
      !is_zero_points (self, 3))
    return FALSE;
  made = sym_widen_integer_convolution (self);
  if (made == SYM_NO_ID)
    made = insert_convolution (self, insert_difference (self, 0, 2), insert_filters (self, 1, 3),
                               SYM_NO_ID);
  return set_integers (self, 0, made);
}

static gboolean
widen_float_convolution (const Call *self)
{
  SymId made = sym_widen_dequantized_convolution (self);

  return made != SYM_NO_ID && set_floats (self, made);
}

/* Weights may have a scale for each channel that they make. */
static gboolean
widen_quantized_convolution (const Call *self)
{
  int n_behind = get_type (self, 0).shape.rank - 2;
  SymId x, factor, bias;

  if (self->operands.n < 8 || !is_byte (self, 0) || !is_byte (self, 3) || !makes_byte (self) ||
      !is_scale (self, 1) || !is_scale (self, 6) || !is_zero_point (self, 2) ||
      !is_zero_points (self, 5) || !is_zero_point (self, 7) || n_behind < 1 || !is_scales (self, 4))
    return FALSE;
  bias = has_operand (self, 8) ? need_floats (self, 8) : SYM_NO_ID;
  factor = insert (self, "Mul", need_operand (self, 4), need_operand (self, 1));
  factor = insert (self, "Div", factor, need_operand (self, 6));
  x = sym_widen_quantized_convolution (self, factor);
  if (x != SYM_NO_ID && bias != SYM_NO_ID)
    x = insert (self, "Add", x,
                sym_widen_align (self, insert (self, "Mul", bias, factor), n_behind));
  if (x != SYM_NO_ID)
    return finish_quantized (self, x, 7);
  x = insert_convolution (self, insert_difference (self, 0, 2), insert_filters (self, 3, 5), bias);
  factor = is_scale (self, 4) ? factor : sym_widen_align (self, factor, n_behind);
  return finish_quantized (self, insert (self, "Mul", x, factor), 7);
}

/* ---- What only moves ---- */

static gboolean
widen_move (const Call *self)
{
  SymLayer *layer = sym_model_get_layer (self->widen->model, self->call);
  g_autofree SymId *mapped = NULL;
  SymId value = has_operand (self, 0) ? self->operands.ids[0] : SYM_NO_ID;

  if (value == SYM_NO_ID || self->widen->integers[value] == SYM_NO_ID || self->results.n != 1)
    return FALSE;
  mapped = g_memdup2 (self->operands.ids, self->operands.n * sizeof *mapped);
  mapped[0] = self->widen->integers[value];
  self->widen->integers[self->results.ids[0]] =
      sym_widen_insert_layer (self->widen, self->call, layer, mapped, self->operands.n);
  return TRUE;
}

/* ---- All ---- */

static const struct {
  const char *name;
  gboolean (*widen) (const Call *self);
} kinds[] = {
  { "Cast", widen_cast },
  { "Conv", widen_float_convolution },
  { "ConvInteger", widen_convolution },
  { "DequantizeLinear", widen_dequantize },
  { "DynamicQuantizeLinear", widen_dynamic },
  { "Flatten", widen_move },
  { "Gemm", widen_float_product },
  { "Identity", widen_move },
  { "MatMul", widen_float_product },
  { "MatMulInteger", widen_matmul },
  { "MaxPool", widen_move },
  { "Mul", widen_factor },
  { "QLinearConv", widen_quantized_convolution },
  { "QLinearMatMul", widen_quantized_matmul },
  { "QuantizeLinear", widen_quantize },
  { "Reshape", widen_move },
  { "Slice", widen_move },
  { "Squeeze", widen_move },
  { "Transpose", widen_move },
  { "Unsqueeze", widen_move },
};

gboolean
sym_widen_integers (SymWiden *self, SymId id)
{
  SymLayer *layer = sym_model_get_layer (self->model, id);
  const SymOperator *op = sym_layer_get_operator (layer);
  const Call call = { self, id, sym_layer_get_attributes (layer),
                      sym_model_get_operands (self->model, id),
                      sym_model_get_results (self->model, id) };

  if (op == NULL || *op->domain != '\0' || call.results.n == 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (op->name, kinds[i].name))
      return kinds[i].widen (&call);
  return FALSE;
}
