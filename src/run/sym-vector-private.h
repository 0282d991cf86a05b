/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Functions of the elements of float vectors, compiled for several kinds of processor and chosen
 * once.  @n is a multiple of SYM_VECTOR_UNIT; places may be the same, and do not overlap otherwise.
 * @b is not read by functions of one operand; @p and @q are the parameters of those that have any.
 */
#define SYM_VECTOR_UNIT 16

typedef void (
    *SymVectorFunction) (float *y, const float *a, const float *b, gsize n, float p, float q);

void sym_vector_add (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_subtract (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_multiply (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_divide (float *y, const float *a, const float *b, gsize n, float p, float q);

/* The one that is not a number, if there is one. */
void sym_vector_maximum (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_minimum (float *y, const float *a, const float *b, gsize n, float p, float q);

/* Of the bits of floats: those of @a where @b has them; where @b has them not; those of both. */
void sym_vector_keep (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_omit (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_unite (float *y, const float *a, const float *b, gsize n, float p, float q);

void sym_vector_relu (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_negate (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_absolute (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_square (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_cube (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_root (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_reciprocal (float *y, const float *a, const float *b, gsize n, float p, float q);

void sym_vector_floor (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_ceiling (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_round (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_sign (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_sine (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_cosine (float *y, const float *a, const float *b, gsize n, float p, float q);

/* Not below @p nor above @q. */
void sym_vector_clip (float *y, const float *a, const float *b, gsize n, float p, float q);

/* What is below 0 times @p. */
void sym_vector_leaky (float *y, const float *a, const float *b, gsize n, float p, float q);

/* sym-vector-power.c: within 1 unit in the last place; of each number of @b, or of @p. */
void sym_vector_power (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_power_of_all (float *y, const float *a, const float *b, gsize n, float p, float q);

/* Within 3 units in the last place. */
void sym_vector_exp (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_sigmoid (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_tanh (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_erf (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_log (float *y, const float *a, const float *b, gsize n, float p, float q);

/* sym-vector-activation.c: @p and @q are alpha and beta or gamma of ONNX's operators. */
void sym_vector_celu (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_elu (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_gelu (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_gelu_tanh (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_hard_sigmoid (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_hard_swish (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_mish (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_selu (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_softplus (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_softsign (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_swish (float *y, const float *a, const float *b, gsize n, float p, float q);
void sym_vector_threshold (float *y, const float *a, const float *b, gsize n, float p, float q);

/* What is below 0 times b. */
void sym_vector_slope (float *y, const float *a, const float *b, gsize n, float p, float q);

G_END_DECLS
