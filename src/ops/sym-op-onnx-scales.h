/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-onnx.h"

G_BEGIN_DECLS

/* What operators of quantized numbers have in common: scales and zero points, and the integers that
 * numbers become. */

/* Scales are one for all elements, one for each place of an axis, or one for each block along it.
 */
typedef struct {
  SymOpAxis all;
  gsize block; /* places that share a scale; 0: all of them */
  gsize n_blocks, n_scales;
  gboolean is_blocked;
  double *factors; /* a copy */
  double *zeros;   /* NULL for none */
} SymOpOnnxScales;

/* Reads operands 1 (scales) and 2 (zero points, of @zero_dtype, perhaps absent) for the elements of
 * @x, by the attributes `axis` and `block_size`. */
gboolean sym_op_onnx_scales_read (SymOpOnnxScales *self,
                                  SymKernel *kernel,
                                  const SymArray *x,
                                  SymDType zero_dtype,
                                  GError **error);

/* Elements from element @i on whose scales lie @step apart from scale @at on. */
typedef struct {
  gsize n, at, step;
} SymOpOnnxScaleRun;

SymOpOnnxScaleRun sym_op_onnx_scales_find (const SymOpOnnxScales *self, gsize i);

/* The least and the greatest integer of a dtype that quantized numbers have; FALSE for others. */
gboolean sym_op_onnx_get_range (SymDType dtype, double *least, double *greatest);

/* (rint (number) + zero) in that range; the least integer for NaN. */
double sym_op_onnx_saturate (double number, double zero, double least, double greatest);

/* What sums of products of quantized numbers become: numbers of @dtype that stand for them by one
 * scale and zero point. */
typedef struct {
  SymDType dtype;
  gboolean is_integer;
  double scale, zero, least, greatest;
} SymOpOnnxTarget;

/* Reads the scale in slot @slot and the zero point in the next one, whose dtype is that of the
 * result; where it is absent, @fallback is. */
gboolean sym_op_onnx_target_read (SymOpOnnxTarget *self,
                                  SymKernel *kernel,
                                  guint slot,
                                  SymDType fallback,
                                  GError **error);

/* @n sums, as sym_op_product_run() gives them, become the elements of @y from @first on: each times
 * @factor and that of @factors, @step apart, divided by the scale. */
void sym_op_onnx_target_store (const SymOpOnnxTarget *self,
                               const void *sums,
                               gboolean floats,
                               double factor,
                               const double *factors,
                               gsize step,
                               SymArray *y,
                               gsize first,
                               gsize n);

/* The one number in slot @slot; FALSE when there are more, or something else. */
gboolean sym_op_onnx_read_scale (SymKernel *kernel, guint slot, double *scale, GError **error);

G_END_DECLS
