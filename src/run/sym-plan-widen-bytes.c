/* SPDX-License-Identifier: MIT */
#include "ops/sym-op.h"
#include "run/sym-bytes-private.h"
#include "run/sym-plan-widen-private.h"

/* Products of quantised numbers with constant weights, as files write them in one call or several:
 * one of an operator of our own, which sums in integers. */

typedef SymWidenCall Call;

/* One of the calls around. */
typedef struct {
  const char *type;
  const SymAttributes *attributes;
  SymIds operands, results;
} Maker;

/* The call of ONNX's operators that makes a value; FALSE for none. */
static gboolean
find_maker (const Call *self, SymId value, Maker *maker)
{
  const SymModel *model = self->widen->model;
  SymId call = value == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (model, value);
  const SymOperator *op;

  if (call == SYM_NO_ID)
    return FALSE;
  op = sym_layer_get_operator (sym_model_get_layer (model, call));
  if (op == NULL || *op->domain != '\0')
    return FALSE;
  *maker = (Maker){ op->name, sym_layer_get_attributes (sym_model_get_layer (model, call)),
                    sym_model_get_operands (model, call), sym_model_get_results (model, call) };
  return TRUE;
}

static gboolean
find_maker_of_type (const Call *self, SymId value, const char *type, Maker *maker)
{
  return find_maker (self, value, maker) && g_str_equal (maker->type, type);
}

static SymId
get_operand (SymIds operands, guint i)
{
  return i < operands.n ? operands.ids[i] : SYM_NO_ID;
}

/* Whether numbers are in the file. */
static gboolean
is_constant (const Call *self, SymId value)
{
  Maker maker;

  return value != SYM_NO_ID && (sym_model_get_tensor (self->widen->model, value) != NULL ||
                                find_maker_of_type (self, value, "Constant", &maker));
}

static gboolean
has_n (const SymType *type, guint64 n)
{
  guint64 found;

  return type->kind == SYM_KIND_TENSOR && type->shape.rank >= 0 &&
         sym_shape_get_n_elements (&type->shape, &found) && found == n;
}

/* Whether an operand is not there, or constant and of one number or, where @n is more, of a row of
 * so many. */
static gboolean
is_fitting (const Call *self, SymId value, guint64 n)
{
  SymType type;

  if (value == SYM_NO_ID)
    return TRUE;
  type = sym_widen_get_type (self->widen, value);
  return is_constant (self, value) &&
         (has_n (&type, 1) || (n > 1 && type.shape.rank == 1 && has_n (&type, n)));
}

static gboolean
is_one (const Call *self, SymId value)
{
  SymType type = value == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_widen_get_type (self->widen, value);

  return value == SYM_NO_ID || has_n (&type, 1);
}

static gboolean
is_byte (SymDType dtype)
{
  return dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_UINT8;
}

static double
get_float (const Call *self, const char *name, double fallback)
{
  const SymValue *value = sym_attributes_find (self->attributes, name);

  if (value != NULL)
    sym_value_get_float (value, &fallback);
  return fallback;
}

static gint64
get_int (const Call *self, const char *name, gint64 fallback)
{
  const SymValue *value = sym_attributes_find (self->attributes, name);

  if (value != NULL)
    sym_value_get_int (value, &fallback);
  return fallback;
}

/* ---- Products ---- */

/* The operands of a product, in the order of the operator.  @x are codes, of integers, or floats of
 * a dynamic one. */
typedef struct {
  SymId x, weights, x_scale, x_zero, scale, zero;
  gboolean is_dynamic, is_turned;
} Product;

/* Whether all of it is known that has to be before the run, and weights are constant bytes. */
static gboolean
is_known (const Call *self, const Product *product)
{
  SymType x = sym_widen_get_type (self->widen, product->x);
  SymType weights = sym_widen_get_type (self->widen, product->weights);
  gint64 inner, outer;
  guint64 n;

  if (x.kind != SYM_KIND_TENSOR || x.shape.rank < 2 || !sym_shape_is_known (&x.shape) ||
      !sym_shape_get_n_elements (&x.shape, &n) || n == 0 || weights.kind != SYM_KIND_TENSOR ||
      !is_byte (weights.dtype) || weights.shape.rank != 2 || !is_constant (self, product->weights))
    return FALSE;
  inner = weights.shape.dims[product->is_turned ? 1 : 0];
  outer = weights.shape.dims[product->is_turned ? 0 : 1];
  return outer > 0 && inner == x.shape.dims[x.shape.rank - 1] &&
         (product->is_dynamic ? x.dtype == SYM_DTYPE_FLOAT32 : is_byte (x.dtype)) &&
         is_fitting (self, product->x_scale, 1) && is_one (self, product->x_zero) &&
         is_fitting (self, product->zero, (guint64) outer);
}

static SymAttributes *
new_attributes (const Call *self, const Product *product)
{
  SymDType dtype = sym_widen_get_type (self->widen, product->x).dtype;
  SymAttributes *attributes = sym_attributes_new ();

  sym_attributes_set (attributes, "dynamic", sym_value_new_int (product->is_dynamic), NULL);
  sym_attributes_set (attributes, "transposed", sym_value_new_int (product->is_turned), NULL);
  sym_attributes_set (attributes, "signed", sym_value_new_int (dtype == SYM_DTYPE_INT8), NULL);
  return attributes;
}

static SymId
insert_layer (const Call *self, SymLayer *layer, const Product *product)
{
  SymId operands[] = { product->x,      product->weights, product->x_scale,
                       product->x_zero, product->scale,   product->zero };

  if (!product->is_dynamic)
    operands[0] = sym_widen_need_integers (self->widen, self->call, product->x);
  if (product->x_zero != SYM_NO_ID)
    operands[3] = sym_widen_need_integers (self->widen, self->call, product->x_zero);
  return sym_widen_insert_layer (self->widen, self->call, layer, operands, G_N_ELEMENTS (operands));
}

static SymId
insert (const Call *self, const Product *product)
{
  g_autoptr (SymAttributes) attributes = new_attributes (self, product);
  g_autoptr (SymLayer) layer =
      sym_layer_new ("ByteProduct", sym_op_find ("symscope", "ByteProduct", 0), attributes);

  return insert_layer (self, layer, product);
}

SymId
sym_widen_integer_product (const SymWidenCall *self)
{
  Product product = { .x = get_operand (self->operands, 0),
                      .weights = get_operand (self->operands, 1),
                      .x_scale = SYM_NO_ID,
                      .x_zero = get_operand (self->operands, 2),
                      .scale = SYM_NO_ID,
                      .zero = get_operand (self->operands, 3) };

  return is_known (self, &product) ? insert (self, &product) : SYM_NO_ID;
}

/* Those of QLinearMatMul and QLinearConv. */
static gboolean
has_constant_scales (const Call *self)
{
  static const guint scales[] = { 1, 4, 6 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    if (!is_constant (self, get_operand (self->operands, scales[i])))
      return FALSE;
  return TRUE;
}

SymId
sym_widen_quantized_product (const SymWidenCall *self, SymId factor)
{
  Product product = { .x = get_operand (self->operands, 0),
                      .weights = get_operand (self->operands, 3),
                      .x_scale = SYM_NO_ID,
                      .x_zero = get_operand (self->operands, 2),
                      .scale = factor,
                      .zero = get_operand (self->operands, 5) };

  return has_constant_scales (self) && is_known (self, &product) ? insert (self, &product)
                                                                 : SYM_NO_ID;
}

/* ---- Convolutions ---- */

/* Of pictures whose groups are of whole groups of channels, or of one channel each. */
static gboolean
has_fitting_groups (const Call *self, const SymShape *x, const SymShape *weights)
{
  gint64 groups = get_int (self, "group", 1), channels = x->dims[1];

  if (groups < 1 || channels < 1 || weights->dims[0] < 1 || channels % groups != 0 ||
      weights->dims[0] % groups != 0 || weights->dims[1] != channels / groups)
    return FALSE;
  return groups == 1 || channels / groups % SYM_BYTES_GROUP == 0 ||
         (weights->dims[1] == 1 && weights->dims[0] == groups);
}

static gboolean
is_known_convolution (const Call *self, const Product *product)
{
  SymType x = sym_widen_get_type (self->widen, product->x);
  SymType weights = sym_widen_get_type (self->widen, product->weights);
  guint64 n;

  return x.kind == SYM_KIND_TENSOR && x.shape.rank == 4 && sym_shape_is_known (&x.shape) &&
         sym_shape_get_n_elements (&x.shape, &n) && n > 0 && is_byte (x.dtype) &&
         weights.kind == SYM_KIND_TENSOR && is_byte (weights.dtype) && weights.shape.rank == 4 &&
         is_constant (self, product->weights) &&
         has_fitting_groups (self, &x.shape, &weights.shape) &&
         is_fitting (self, product->x_scale, 1) && is_one (self, product->x_zero) &&
         is_fitting (self, product->zero, (guint64) weights.shape.dims[0]);
}

static SymId
insert_convolution (const Call *self, const Product *product)
{
  SymDType dtype = sym_widen_get_type (self->widen, product->x).dtype;
  g_autoptr (SymAttributes) attributes = sym_attributes_with (
      self->attributes, "signed", sym_value_new_int (dtype == SYM_DTYPE_INT8), NULL);
  g_autoptr (SymLayer) layer =
      sym_layer_new ("ByteConvolution", sym_op_find ("symscope", "ByteConvolution", 0), attributes);

  return insert_layer (self, layer, product);
}

SymId
sym_widen_integer_convolution (const SymWidenCall *self)
{
  Product product = { .x = get_operand (self->operands, 0),
                      .weights = get_operand (self->operands, 1),
                      .x_scale = SYM_NO_ID,
                      .x_zero = get_operand (self->operands, 2),
                      .scale = SYM_NO_ID,
                      .zero = get_operand (self->operands, 3) };

  return is_known_convolution (self, &product) ? insert_convolution (self, &product) : SYM_NO_ID;
}

SymId
sym_widen_quantized_convolution (const SymWidenCall *self, SymId factor)
{
  Product product = { .x = get_operand (self->operands, 0),
                      .weights = get_operand (self->operands, 3),
                      .x_scale = SYM_NO_ID,
                      .x_zero = get_operand (self->operands, 2),
                      .scale = factor,
                      .zero = get_operand (self->operands, 5) };

  return has_constant_scales (self) && is_known_convolution (self, &product)
             ? insert_convolution (self, &product)
             : SYM_NO_ID;
}

/* ---- Integers that were made floats ---- */

/* One scale and zero point for all, or those of @axis, which is then the last but @n_behind. */
static gboolean
is_along (const Call *self, const Maker *dequantize, int axis, guint64 n)
{
  const SymValue *value = sym_attributes_find (dequantize->attributes, "axis");
  const SymValue *block = sym_attributes_find (dequantize->attributes, "block_size");
  SymType scale = sym_widen_get_type (self->widen, dequantize->operands.ids[1]);
  gint64 found = 1, size = 0;

  if (value != NULL)
    sym_value_get_int (value, &found);
  if (block != NULL)
    sym_value_get_int (block, &size);
  if (found < 0)
    found += sym_widen_get_type (self->widen, dequantize->operands.ids[0]).shape.rank;
  return size == 0 && scale.kind == SYM_KIND_TENSOR && scale.dtype == SYM_DTYPE_FLOAT32 &&
         is_constant (self, dequantize->operands.ids[1]) &&
         (has_n (&scale, 1) || (scale.shape.rank == 1 && has_n (&scale, n) && found == axis));
}

/* The product of what is dequantised; FALSE when it is none. */
static gboolean
read_dequantized (const Call *self, int rank, gboolean is_turned, Product *product)
{
  Maker x, weights;
  SymType type;
  int axis = is_turned ? 0 : 1;

  if (!find_maker_of_type (self, get_operand (self->operands, 0), "DequantizeLinear", &x) ||
      !find_maker_of_type (self, get_operand (self->operands, 1), "DequantizeLinear", &weights) ||
      x.operands.n < 2 || weights.operands.n < 2)
    return FALSE;
  type = sym_widen_get_type (self->widen, weights.operands.ids[0]);
  if (type.kind != SYM_KIND_TENSOR || type.shape.rank != rank || !is_along (self, &x, -1, 1) ||
      !is_along (self, &weights, axis, (guint64) type.shape.dims[axis]))
    return FALSE;
  *product = (Product){ .x = x.operands.ids[0],
                        .weights = weights.operands.ids[0],
                        .x_scale = x.operands.ids[1],
                        .x_zero = get_operand (x.operands, 2),
                        .scale = weights.operands.ids[1],
                        .zero = get_operand (weights.operands, 2),
                        .is_turned = is_turned };
  return rank == 2 ? is_known (self, product) : is_known_convolution (self, product);
}

/* Gemm without factors, plus what it adds. */
SymId
sym_widen_dequantized_product (const SymWidenCall *self)
{
  SymId added = get_operand (self->operands, 2), operands[2];
  Product product;

  if (get_int (self, "transA", 0) != 0 || get_float (self, "alpha", 1) != 1 ||
      (added != SYM_NO_ID && get_float (self, "beta", 1) != 1) ||
      !read_dequantized (self, 2, get_int (self, "transB", 0) != 0, &product))
    return SYM_NO_ID;
  operands[0] = insert (self, &product);
  if (added == SYM_NO_ID)
    return operands[0];
  operands[1] = sym_widen_need_half (self->widen, self->call, added);
  return sym_widen_insert (self->widen, self->call, "Add", NULL, operands, 2);
}

/* Filters lie as [filters, ...]. */
SymId
sym_widen_dequantized_convolution (const SymWidenCall *self)
{
  SymId bias = get_operand (self->operands, 2), operands[2];
  Product product;

  if (!read_dequantized (self, 4, TRUE, &product))
    return SYM_NO_ID;
  operands[0] = insert_convolution (self, &product);
  if (bias == SYM_NO_ID)
    return operands[0];
  operands[1] = sym_widen_align (self, sym_widen_need_half (self->widen, self->call, bias), 2);
  return sym_widen_insert (self->widen, self->call, "Add", NULL, operands, 2);
}

/* ---- Numbers that are quantised as they come ---- */

/* The scale of the weights in @scales, which are result 1 of what made @codes, times that; FALSE
 * when they are not.  SYM_NO_ID stands for a scale of 1. */
static gboolean
find_scale (const Call *self, SymId scales, SymId dynamic, SymId *scale)
{
  Maker product;

  *scale = SYM_NO_ID;
  if (scales == dynamic)
    return TRUE;
  if (!find_maker_of_type (self, scales, "Mul", &product) || product.operands.n != 2)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (product.operands.ids[i] == dynamic)
      {
        *scale = product.operands.ids[1 - i];
        return sym_widen_get_type (self->widen, *scale).dtype == SYM_DTYPE_FLOAT32;
      }
  return FALSE;
}

/* Mul (Cast (MatMulInteger (codes, weights, zero, weights' zero)), @scales). */
static gboolean
read_dynamic (const Call *self, SymId sums, SymId scales, Product *product)
{
  Maker cast, matmul, dynamic;
  SymType weights;

  if (!find_maker_of_type (self, sums, "Cast", &cast) ||
      sym_widen_get_type (self->widen, sums).dtype != SYM_DTYPE_FLOAT32 ||
      !find_maker_of_type (self, get_operand (cast.operands, 0), "MatMulInteger", &matmul) ||
      !find_maker_of_type (self, get_operand (matmul.operands, 0), "DynamicQuantizeLinear",
                           &dynamic) ||
      dynamic.results.n != 3 || dynamic.results.ids[0] != matmul.operands.ids[0] ||
      get_operand (matmul.operands, 2) != dynamic.results.ids[2])
    return FALSE;
  *product = (Product){ .x = dynamic.operands.ids[0],
                        .weights = get_operand (matmul.operands, 1),
                        .x_scale = SYM_NO_ID,
                        .x_zero = SYM_NO_ID,
                        .zero = get_operand (matmul.operands, 3),
                        .is_dynamic = TRUE };
  weights = sym_widen_get_type (self->widen, product->weights);
  return weights.kind == SYM_KIND_TENSOR && weights.shape.rank == 2 &&
         find_scale (self, scales, dynamic.results.ids[1], &product->scale) &&
         is_fitting (self, product->scale, (guint64) weights.shape.dims[1]) &&
         is_known (self, product);
}

SymId
sym_widen_dynamic_product (const SymWidenCall *self)
{
  Product product;

  if (self->operands.n != 2)
    return SYM_NO_ID;
  for (guint i = 0; i < 2; i++)
    if (read_dynamic (self, self->operands.ids[i], self->operands.ids[1 - i], &product))
      return insert (self, &product);
  return SYM_NO_ID;
}
