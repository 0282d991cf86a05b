/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-bytes-private.h"
#include "run/sym-step-private.h"

G_BEGIN_DECLS

/* The codes of the rows of a tensor as they are between the steps that make and use them: their
 * scale and zero point, then what the slices that look for these find, the sum of each row where
 * somebody needs them, and all rows, each of whole groups.  Codes are of 0 to 255: those of int8,
 * and their zero point, are moved by 128. */
typedef struct {
  float scale;
  gint32 zero;
  float ranges[62]; /* of each slice the least and the greatest */
} SymCodesHead;

#define SYM_CODES_MOST_SLICES 31

gsize sym_code_rows_get_n_floats (gsize rows, gsize inner);

static inline SymCodesHead *
sym_code_rows_get_head (float *place)
{
  return (SymCodesHead *) place;
}

static inline gint32 *
sym_code_rows_get_sums (float *place)
{
  return (gint32 *) (place + sizeof (SymCodesHead) / sizeof (float));
}

static inline guint8 *
sym_code_rows_get_codes (float *place, gsize rows)
{
  return (guint8 *) (sym_code_rows_get_sums (place) + (rows + 15) / 16 * 16);
}

/* What becomes of sums: bounds, in units of codes where these are made, and for these the factor of
 * scales and biases. */
typedef struct {
  gboolean makes_codes;
  float low, high, factor;
  gint32 zero;
} SymBytesResult;

SymBytesResult sym_bytes_result_find (const SymPlanOp *op);

/* Scales and biases in units of the result, 0 up to the end of @n_padded; and the zero point in the
 * head of codes that were made. */
float *sym_bytes_result_new_row (const SymBytesResult *self,
                                 const float *numbers,
                                 gsize n,
                                 gsize n_padded);
void sym_bytes_result_tell (const SymBytesResult *self, float *place);

/* sym-step-quantize.c: makes the codes of rows. */
SymStep *sym_quantize_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* sym-step-codes.c: codes as floats, and the codes of sums. */
SymStep *sym_expand_new (const SymPlanGraph *graph, const SymPlanOp *op);
SymStep *sym_code_sum_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* sym-step-bytes.c: the product of codes and a constant matrix of bytes. */
SymStep *sym_byte_product_new (const SymPlanGraph *graph,
                               const SymPlanOp *op,
                               const SymStepOptions *options);

/* sym-step-byte-convolution.c: the same of windows of pixels, a row of codes each. */
SymStep *sym_byte_convolution_new (const SymPlanGraph *graph,
                                   const SymPlanOp *op,
                                   const SymStepOptions *options);

/* sym-step-byte-window.c: of each channel by itself. */
SymStep *
sym_byte_window_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);

G_END_DECLS
