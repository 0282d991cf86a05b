/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Functions of whole rows of floats, of any length, compiled for several kinds of processor. */

/* y = exp (factor * x + addend - the largest of them), and returns the sum of y.  @addend may be
 * NULL; @y may be @x. */
float sym_vector_raise_row (float *y, const float *x, const float *addend, float factor, gsize n);

/* log (the sum of exp (x)). */
float sym_vector_log_sum_row (const float *x, gsize n);

/* Softmax of each of @n_rows rows of @n numbers, at most SYM_VECTOR_SOFTEN_MOST, or its logarithm;
 * quickest for SYM_VECTOR_SOFTEN_ROWS and more.  @y may be @x. */
#define SYM_VECTOR_SOFTEN_MOST 24
#define SYM_VECTOR_SOFTEN_ROWS 64
void sym_vector_soften_rows (float *y, const float *x, gsize n_rows, gsize n, gboolean is_log);

void sym_vector_scale_row (float *y, const float *x, float factor, gsize n);
void sym_vector_add_to_row (float *y, const float *x, float addend, gsize n);

/* y = (x - mean) / sqrt (variance + epsilon) * scale + bias; @scale and @bias may be NULL.  Without
 * @is_centered the mean is taken for 0. */
typedef struct {
  const float *scale, *bias;
  float epsilon;
  gboolean is_centered;
} SymVectorNorm;

void sym_vector_norm_row (const SymVectorNorm *self, float *y, const float *x, gsize n);

float sym_vector_sum_row (const float *x, gsize n);
float sym_vector_dot_row (const float *a, const float *b, gsize n); /* the sum of a[i] b[i] */
/* y[i] = the sum of x[j] times what row i, of @n_rows that lie @stride apart, has there; and y =
 * the sum of such rows, each times its weight. */
void sym_vector_dot_rows (float *y,
                          const float *x,
                          const float *rows,
                          gssize stride,
                          gsize n_rows,
                          gsize n);
void sym_vector_mix_rows (float *y,
                          const float *weights,
                          const float *rows,
                          gssize stride,
                          gsize n_rows,
                          gsize n);
float sym_vector_sum_squares_row (const float *x, gsize n);
float sym_vector_maximum_row (const float *x, gsize n); /* NaN when one is; n > 0 */

/* y, [n], gets the sums or the largest of rows that lie @stride apart. */
void sym_vector_sum_rows (float *y, const float *x, gsize n_rows, gssize stride, gsize n);
void sym_vector_maximum_rows (float *y, const float *x, gsize n_rows, gssize stride, gsize n);

/* The sums of the squares of what is off the mean: of each column of rows that lie @stride apart,
 * or of one row. */
void sym_vector_deviate_rows (float *y,
                              const float *x,
                              const float *means,
                              gsize n_rows,
                              gssize stride,
                              gsize n);
float sym_vector_deviate_row (const float *x, float mean, gsize n);

/* y = the sum of some rows, at least one, each times its weight. */
void sym_vector_blend_rows (float *y,
                            const float *const *rows,
                            const float *weights,
                            guint n_rows,
                            gsize n);

/* y = x * (bias + alpha * sum) ^ -beta, where the sum is of @size squares, from the one in its
 * place on; @n is a multiple of SYM_VECTOR_UNIT. */
typedef struct {
  gsize size;
  float alpha, beta, bias;
} SymVectorLocalNorm;

void sym_vector_norm_locally (const SymVectorLocalNorm *self,
                              float *y,
                              const float *x,
                              const float *squares,
                              gsize n);

/* Pixels that are each the sum of @n_taps of x, times their weights; single ones count as they
 * are. */
typedef struct {
  const gint32 *places;
  const float *weights;
  guint n_taps;
  gsize n_pixels, n_channels;
} SymVectorPixels;

void sym_vector_blend_pixels (const SymVectorPixels *self, float *y, const float *x);

/* y[j * y_stride + i] = x[i * x_stride + j] for @n_i and @n_j of them. */
void
sym_vector_turn (float *y, gssize y_stride, const float *x, gssize x_stride, gsize n_i, gsize n_j);

/* Pairs of x, each turned by an angle: neighbours or, halved, as far apart as there are pairs. */
void sym_vector_rotate_row (float *y,
                            const float *x,
                            const float *cosines,
                            const float *sines,
                            gsize n_pairs,
                            gboolean is_halved);

/* @n_rows rows of @n, as far apart as is told. */
void sym_vector_copy_rows (float *y,
                           gssize y_stride,
                           const float *x,
                           gssize x_stride,
                           gsize n_rows,
                           gsize n);

G_END_DECLS
