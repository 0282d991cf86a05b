/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Factors of dense matrices, row by row in doubles.  Each takes about as many steps as the product
 * of its sides and the lesser of them. */

/* Makes the lower triangle L of A = L L^T of the lower triangle of @a [n, n], and the upper one 0.
 * FALSE when A is not positive definite. */
gboolean sym_op_matrix_cholesky (double *a, gsize n);

/* Makes L and U of @a [n, n] with its rows exchanged: row k with row @pivots[k].  Returns the sign
 * of that permutation, 0 when the matrix is singular. */
int sym_op_matrix_lu (double *a, gsize n, gsize *pivots);

/* Solves A x = b for the @k columns of @b [n, k] in place, by the factors of A. */
void sym_op_matrix_solve (const double *lu, const gsize *pivots, gsize n, double *b, gsize k);

/* Makes R [min (m, n), n] of @a [m, n] in its first rows, and @q [m, min (m, n)], A = Q R, as
 * LAPACK has their signs.  At @work there is room for m * m numbers. */
void sym_op_matrix_qr (double *a, gsize m, gsize n, double *q, double *work);

/* Eigenvalues of the symmetric @a [n, n], which is destroyed, from the least on, and the vectors as
 * rows of @vectors [n, n], whose greatest element by absolute value is positive. */
void sym_op_matrix_eigen (double *a, gsize n, double *values, double *vectors);

/* Singular values of @a [m, n], m >= n, from the greatest on; @a becomes the left vectors as
 * columns, @right [n, n] has the right ones as rows. */
void sym_op_matrix_svd (double *a, gsize m, gsize n, double *values, double *right);

G_END_DECLS
