/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/sym-element.h"
#include "ops/sym-op-kernel.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

/* ByteProduct: y = (codes - x_zero) . (weights - weights_zero) * (x_scale * weights_scale), as
 * float32, of matrices of bytes.  Codes are whole numbers told as floats, or those of x as
 * DynamicQuantizeLinear finds them.  An operator of our own, onto which those that multiply
 * quantised numbers are lowered, as all of it is best done at once. */

enum { X, WEIGHTS, X_SCALE, X_ZERO, WEIGHTS_SCALE, WEIGHTS_ZERO };

static const SymAttributeSpec attributes[] = {
  { "dynamic", SYM_ATTRIBUTE_INT, "0", "whether x is quantised by its own range" },
  { "transposed", SYM_ATTRIBUTE_INT, "0", "whether weights are [columns, rows]" },
  { "signed", SYM_ATTRIBUTE_INT, "0", "whether codes are from -128 to 127, not from 0 to 255" },
  { NULL },
};

static const SymSlotSpec slots[] = {
  { "x" },
  { "weights", .kind = SYM_SLOT_PARAMETER },
  { "x_scale", .optional = TRUE },
  { "x_zero", .optional = TRUE },
  { "weights_scale", .optional = TRUE },
  { "weights_zero", .optional = TRUE },
  { NULL },
};

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape x = sym_rule_get_input (rule, X), weights = sym_rule_get_input (rule, WEIGHTS);
  gboolean turned = sym_rule_get_int (rule, "transposed", 0) != 0;

  if (!sym_rule_set_output_dtype (rule, 0, SYM_DTYPE_FLOAT32, error))
    return FALSE;
  if (x.rank < 0 || weights.rank < 0)
    return TRUE;
  if (x.rank < 1 || weights.rank != 2)
    return sym_rule_fail (error, "x must have axes and weights two, not %d", weights.rank);
  if (!sym_rule_unify (rule, x.dims[x.rank - 1], weights.dims[turned ? 1 : 0],
                       "columns of x and rows of weights", error))
    return FALSE;
  x.dims[x.rank - 1] = weights.dims[turned ? 0 : 1];
  return sym_rule_set_output (rule, 0, &x, error);
}

/* ---- Running ---- */

/* Operands of one number, or of one for each column. */
typedef struct {
  const SymArray *array;
  double fallback;
} Numbers;

static gboolean
read_numbers (SymKernel *kernel,
              guint slot,
              gsize n,
              double fallback,
              Numbers *numbers,
              GError **error)
{
  gsize n_found;

  *numbers = (Numbers){ sym_kernel_get_input (kernel, slot), fallback };
  if (numbers->array == NULL)
    return TRUE;
  n_found = sym_array_get_n_elements (numbers->array);
  if (n_found == 1 || n_found == n)
    return TRUE;
  return sym_kernel_fail (error, "%s has %" G_GSIZE_FORMAT " numbers, not 1 or %" G_GSIZE_FORMAT,
                          slots[slot].name, n_found, n);
}

static double
get_number (const Numbers *self, gsize i)
{
  if (self->array == NULL)
    return self->fallback;
  return sym_element_get_double (self->array->dtype, self->array->data,
                                 sym_array_get_n_elements (self->array) == 1 ? 0 : i);
}

typedef struct {
  const SymArray *x, *weights;
  gboolean is_dynamic, is_turned;
  gsize rows, inner, outer;
  float x_scale, x_zero;
  Numbers scales, zeros;
} Product;

/* As DynamicQuantizeLinear does it, in floats. */
static void
find_scale (Product *self)
{
  const float *x = self->x->data;
  float low = 0, high = 0;

  for (gsize i = 0; i < self->rows * self->inner; i++)
    {
      low = x[i] < low ? x[i] : low;
      high = x[i] > high ? x[i] : high;
    }
  self->x_scale = (high - low) / 255;
  self->x_zero = self->x_scale > 0 ? nearbyintf (CLAMP (-low / self->x_scale, 0, 255)) : 0;
}

static float
get_code (const Product *self, float x)
{
  if (!self->is_dynamic)
    return x;
  if (!(self->x_scale > 0))
    return 0;
  return CLAMP (nearbyintf (x / self->x_scale) + self->x_zero, 0, 255);
}

static float
multiply (const Product *self, gsize row, gsize column)
{
  const float *x = (const float *) self->x->data + row * self->inner;
  gsize step = self->is_turned ? 1 : self->outer;
  gsize first = self->is_turned ? column * self->inner : column;
  double zero = get_number (&self->zeros, column), sum = 0;

  for (gsize k = 0; k < self->inner; k++)
    sum += (double) (get_code (self, x[k]) - self->x_zero) *
           (sym_element_get_double (self->weights->dtype, self->weights->data, first + k * step) -
            zero);
  return (float) sum * (self->x_scale * (float) get_number (&self->scales, column));
}

static gboolean
is_byte (SymDType dtype)
{
  return dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_UINT8;
}

static gboolean
read_product (SymKernel *kernel, Product *self, GError **error)
{
  Numbers scale, zero;

  self->x = sym_kernel_need_input (kernel, X, error);
  self->weights = self->x == NULL ? NULL : sym_kernel_need_input (kernel, WEIGHTS, error);
  if (self->weights == NULL)
    return FALSE;
  if (self->x->dtype != SYM_DTYPE_FLOAT32 || !is_byte (self->weights->dtype))
    return sym_op_refuse_dtype (
        kernel, is_byte (self->weights->dtype) ? self->x->dtype : self->weights->dtype, error);
  self->is_dynamic = sym_kernel_get_int (kernel, "dynamic", 0) != 0;
  self->is_turned = sym_kernel_get_int (kernel, "transposed", 0) != 0;
  if (self->x->shape.rank < 1 || self->weights->shape.rank != 2 ||
      self->x->shape.dims[self->x->shape.rank - 1] !=
          self->weights->shape.dims[self->is_turned ? 1 : 0])
    return sym_kernel_fail (error, "the rows of x do not fit the weights");
  self->inner = (gsize) self->weights->shape.dims[self->is_turned ? 1 : 0];
  self->outer = (gsize) self->weights->shape.dims[self->is_turned ? 0 : 1];
  self->rows = self->inner == 0 ? 0 : sym_array_get_n_elements (self->x) / self->inner;
  if (!read_numbers (kernel, X_SCALE, 1, 1, &scale, error) ||
      !read_numbers (kernel, X_ZERO, 1, 0, &zero, error) ||
      !read_numbers (kernel, WEIGHTS_SCALE, self->outer, 1, &self->scales, error) ||
      !read_numbers (kernel, WEIGHTS_ZERO, self->outer, 0, &self->zeros, error))
    return FALSE;
  self->x_scale = (float) get_number (&scale, 0);
  self->x_zero = (float) get_number (&zero, 0);
  if (self->is_dynamic)
    find_scale (self);
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  Product self = { NULL };
  gsize asked = 0;
  SymShape shape;
  SymArray *y;

  if (!read_product (kernel, &self, error))
    return FALSE;
  shape = self.x->shape;
  shape.dims[shape.rank - 1] = (SymDim) self.outer;
  y = sym_kernel_new_output (kernel, 0, SYM_DTYPE_FLOAT32, &shape, error);
  if (y == NULL)
    return FALSE;
  for (gsize i = 0; i < sym_array_get_n_elements (y); i++)
    {
      ((float *) y->data)[i] =
          self.rows == 0 ? 0 : multiply (&self, i / self.outer, i % self.outer);
      if (!sym_op_go_on (kernel, &asked, MAX (self.inner, 1), error))
        return FALSE;
    }
  return TRUE;
}

const SymOperator sym_op_symscope_bytes[] = {
  {
      .domain = "symscope",
      .name = "ByteProduct",
      .since_version = 1,
      .summary = "product of quantised rows and a matrix of bytes, as numbers",
      .reference = "Symscope ByteProduct",
      .category = SYM_CATEGORY_WEIGHTS,
      .attributes = attributes,
      .slots = slots,
      .infer = infer,
      .run = run,
  },
  { NULL },
};
