/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Functions of @n numbers at once, within a few units of the last bit: by formulas that become
 * vector instructions, which the C library's own are not.  Both places may be the same. */
void sym_op_exp_all (const double *x, double *y, gsize n);
void sym_op_tanh_all (const double *x, double *y, gsize n);

/* 1 / (1 + exp (-x)). */
void sym_op_logistic_all (const double *x, double *y, gsize n);

G_END_DECLS
