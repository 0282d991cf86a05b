/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx-scales.h"

#include <math.h>

#include "core/sym-element.h"

static gboolean
fit_blocks (const SymOpOnnxScales *self, const SymShape *x, const SymShape *scale, int axis)
{
  if (scale->rank != x->rank)
    return FALSE;
  for (int i = 0; i < x->rank; i++)
    if (scale->dims[i] != (i == axis ? (gint64) self->n_blocks : x->dims[i]))
      return FALSE;
  return TRUE;
}

static gboolean
fit (SymOpOnnxScales *self,
     SymKernel *kernel,
     const SymShape *x,
     const SymArray *scale,
     GError **error)
{
  gint64 block = sym_kernel_get_int (kernel, "block_size", 0);
  int axis = 0;

  *self = (SymOpOnnxScales){ .all = { 1, 1, 1 }, .n_scales = sym_array_get_n_elements (scale) };
  if (block < 0)
    return sym_kernel_fail (error, "block_size must not be below 0, and is %" G_GINT64_FORMAT,
                            block);
  if (self->n_scales == 1 && scale->shape.rank <= 1)
    return TRUE;
  if (!sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 1), x->rank, &axis, error))
    return FALSE;
  self->all = sym_op_split_axis (x, axis);
  self->is_blocked = block > 0;
  self->block = MAX ((gsize) block, 1);
  self->n_blocks = self->all.size / self->block + (self->all.size % self->block != 0);
  if (self->is_blocked ? fit_blocks (self, x, &scale->shape, axis)
                       : scale->shape.rank == 1 && scale->shape.dims[0] == x->dims[axis])
    return TRUE;
  {
    g_autofree char *left = sym_op_format_shape (&scale->shape);
    g_autofree char *right = sym_op_format_shape (x);

    return sym_kernel_fail (error,
                            "scales of shape %s do not fit to axis %d of %s with blocks of "
                            "%" G_GINT64_FORMAT,
                            left, axis, right, block);
  }
}

static double *
copy_numbers (SymKernel *kernel, const SymArray *array, GError **error)
{
  gsize n = sym_array_get_n_elements (array);
  double *copy = sym_kernel_get_scratch (kernel, n, sizeof (double), error);

  if (copy != NULL)
    sym_convert_elements (array->dtype, array->data, SYM_DTYPE_FLOAT64, copy, n);
  return copy;
}

gboolean
sym_op_onnx_scales_read (SymOpOnnxScales *self,
                         SymKernel *kernel,
                         const SymArray *x,
                         SymDType zero_dtype,
                         GError **error)
{
  const SymArray *scale = sym_kernel_need_input (kernel, 1, error), *zero;

  if (scale == NULL)
    return FALSE;
  zero = sym_kernel_get_input (kernel, 2);
  if (!sym_dtype_is_numeric (scale->dtype))
    return sym_kernel_fail (error, "the scale is of %s", sym_dtype_to_string (scale->dtype));
  if (!fit (self, kernel, &x->shape, scale, error))
    return FALSE;
  if (zero != NULL &&
      (zero->dtype != zero_dtype || sym_array_get_n_elements (zero) != self->n_scales))
    return sym_kernel_fail (error, "there must be one zero point of %s for each scale",
                            sym_dtype_to_string (zero_dtype));
  self->factors = copy_numbers (kernel, scale, error);
  if (self->factors == NULL)
    return FALSE;
  return zero == NULL || (self->zeros = copy_numbers (kernel, zero, error)) != NULL;
}

SymOpOnnxScaleRun
sym_op_onnx_scales_find (const SymOpOnnxScales *self, gsize i)
{
  gsize inner = self->all.inner, size = self->all.size;
  gsize outer, place, k;

  if (self->block == 0)
    return (SymOpOnnxScaleRun){ G_MAXSIZE, 0, 0 };
  k = i % inner;
  place = i / inner % size;
  outer = i / inner / size;
  if (!self->is_blocked)
    return inner == 1 ? (SymOpOnnxScaleRun){ size - place, place, 1 }
                      : (SymOpOnnxScaleRun){ inner - k, place, 0 };
  return (SymOpOnnxScaleRun){
    .n = inner == 1 ? MIN (self->block - place % self->block, size - place) : inner - k,
    .at = (outer * self->n_blocks + place / self->block) * inner + k,
    .step = inner == 1 ? 0 : 1,
  };
}

gboolean
sym_op_onnx_get_range (SymDType dtype, double *least, double *greatest)
{
  gboolean is_signed = dtype == SYM_DTYPE_INT8 || dtype == SYM_DTYPE_INT16 ||
                       dtype == SYM_DTYPE_INT4 || dtype == SYM_DTYPE_INT2;
  double n = ldexp (1, (int) sym_dtype_get_bits (dtype));

  if (!is_signed && dtype != SYM_DTYPE_UINT8 && dtype != SYM_DTYPE_UINT16 &&
      dtype != SYM_DTYPE_UINT4 && dtype != SYM_DTYPE_UINT2)
    return FALSE;
  *least = is_signed ? -n / 2 : 0;
  *greatest = is_signed ? n / 2 - 1 : n - 1;
  return TRUE;
}

double
sym_op_onnx_saturate (double number, double zero, double least, double greatest)
{
  number = rint (number) + zero;
  return number >= greatest ? greatest : number > least ? number : least;
}

/* ---- Sums ---- */

gboolean
sym_op_onnx_read_scale (SymKernel *kernel, guint slot, double *scale, GError **error)
{
  const SymArray *array = sym_kernel_need_input (kernel, slot, error);

  if (array == NULL)
    return FALSE;
  if (!sym_dtype_is_floating (array->dtype) || sym_array_get_n_elements (array) != 1)
    return sym_kernel_fail (error, "the scale in slot %u must be one float", slot);
  *scale = sym_element_get_double (array->dtype, array->data, 0);
  return TRUE;
}

gboolean
sym_op_onnx_target_read (SymOpOnnxTarget *self,
                         SymKernel *kernel,
                         guint slot,
                         SymDType fallback,
                         GError **error)
{
  const SymArray *zero = sym_kernel_get_input (kernel, slot + 1);

  *self = (SymOpOnnxTarget){ .dtype = zero == NULL ? fallback : zero->dtype };
  if (!sym_op_onnx_read_scale (kernel, slot, &self->scale, error))
    return FALSE;
  self->is_integer = sym_op_onnx_get_range (self->dtype, &self->least, &self->greatest);
  if (sym_dtype_get_bits (self->dtype) != 8 ||
      (!self->is_integer && !sym_dtype_is_floating (self->dtype)))
    return sym_op_refuse_dtype (kernel, self->dtype, error);
  if (zero != NULL && sym_array_get_n_elements (zero) != 1)
    return sym_kernel_fail (error, "the zero point in slot %u must be one number", slot + 1);
  if (zero != NULL)
    self->zero = sym_element_get_double (zero->dtype, zero->data, 0);
  return TRUE;
}

void
sym_op_onnx_target_store (const SymOpOnnxTarget *self,
                          const void *sums,
                          gboolean floats,
                          double factor,
                          const double *factors,
                          gsize step,
                          SymArray *y,
                          gsize first,
                          gsize n)
{
  double numbers[256];

  factor /= self->scale;
  for (gsize i = 0; i < n; i += G_N_ELEMENTS (numbers))
    {
      gsize count = MIN (n - i, G_N_ELEMENTS (numbers));

      for (gsize k = 0; k < count; k++)
        {
          double sum = floats ? ((const double *) sums)[i + k]
                              : (double) (gint64) ((const guint64 *) sums)[i + k];

          sum *= factor * factors[(i + k) * step];
          numbers[k] = self->is_integer
                           ? sym_op_onnx_saturate (sum, self->zero, self->least, self->greatest)
                           : sum + self->zero;
        }
      sym_convert_elements (SYM_DTYPE_FLOAT64, numbers, self->dtype, (guint8 *) y->data + first + i,
                            count);
    }
}
