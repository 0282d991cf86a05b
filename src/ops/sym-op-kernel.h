/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"
#include "ops/sym-op-move.h"

G_BEGIN_DECLS

/* What reference kernels have in common.  Kernels for several dtypes are tables of loops indexed by
 * dtype, filled by these lists: X (name in SYM_DTYPE_..., C type).  A dtype whose entry is NULL is
 * refused by name. */
#define SYM_OP_FLOATS(X) X (FLOAT32, float) X (FLOAT64, double)
#define SYM_OP_SIGNED(X) X (INT8, gint8) X (INT16, gint16) X (INT32, gint32) X (INT64, gint64)
#define SYM_OP_UNSIGNED(X) \
  X (UINT8, guint8) X (UINT16, guint16) X (UINT32, guint32) X (UINT64, guint64)
#define SYM_OP_INTEGERS(X) SYM_OP_SIGNED (X) SYM_OP_UNSIGNED (X)
#define SYM_OP_NUMBERS(X) SYM_OP_FLOATS (X) SYM_OP_INTEGERS (X)

/* Sets an error: "Add has no kernel for bool"; returns FALSE. */
gboolean sym_op_refuse_dtype (SymKernel *kernel, SymDType dtype, GError **error);

/* "[2,3]" for messages.  Free it. */
char *sym_op_format_shape (const SymShape *shape);

/* The one number, of any dtype, that operand @slot is.  Where it is absent the first leaves @number
 * as it is, the second fails. */
gboolean sym_op_get_number (SymKernel *kernel, guint slot, double *number, GError **error);
gboolean sym_op_need_number (SymKernel *kernel, guint slot, double *number, GError **error);

/* ---- Elementwise ---- */

/* @n elements, each made of one of @x. @parameters are those that the kernel was given. */
typedef void (*SymOpUnaryLoop) (const void *x, void *y, gsize n, const double *parameters);

/* @n elements; @step_a and @step_b, 0 or 1, tell whether the operand goes on or stands. */
typedef void (
    *SymOpBinaryLoop) (const void *a, gsize step_a, const void *b, gsize step_b, void *y, gsize n);

/* Output 0 has the shape of operand 0, and its dtype unless @dtype is one. */
gboolean sym_op_run_unary (SymKernel *kernel,
                           const SymOpUnaryLoop loops[SYM_N_DTYPES],
                           SymDType dtype,
                           const double *parameters,
                           GError **error);

/* Operands 0 and 1, of one dtype, broadcast to output 0 as numpy does it. */
gboolean sym_op_run_binary (SymKernel *kernel,
                            const SymOpBinaryLoop loops[SYM_N_DTYPES],
                            SymDType dtype,
                            GError **error);

/* The same for two arrays at hand, whose shapes need not be those of the operands. */
gboolean sym_op_run_arrays (SymKernel *kernel,
                            const SymOpBinaryLoop loops[SYM_N_DTYPES],
                            const SymArray *a,
                            const SymArray *b,
                            SymDType dtype,
                            GError **error);

/* The same into a place at hand, whose shape is what @a and @b, of any dtypes, broadcast to. */
gboolean sym_op_combine (SymKernel *kernel,
                         SymOpBinaryLoop loop,
                         const SymArray *a,
                         const SymArray *b,
                         SymArray *y,
                         GError **error);

/* Operands 0, 1, 2, ... are combined two at a time into output 0, of their dtype.  The second gives
 * that output for more to be done with it, NULL after an error. */
gboolean
sym_op_run_variadic (SymKernel *kernel, const SymOpBinaryLoop loops[SYM_N_DTYPES], GError **error);
SymArray *
sym_op_combine_all (SymKernel *kernel, const SymOpBinaryLoop loops[SYM_N_DTYPES], GError **error);

/* The shape that @shape and @other broadcast to, in @shape; FALSE with both in the message. */
gboolean sym_op_broadcast (SymShape *shape, const SymShape *other, GError **error);

/* The integer towards zero; the least one for what has no place, as on x86-64. */
static inline gint64
sym_op_truncate (double number)
{
  return number >= -0x1p63 && number < 0x1p63 ? (gint64) number : G_MININT64;
}

/* ---- Working in another dtype ---- */

/* What kernels of several operands of different floating dtypes compute in: float64 where one of
 * the @n arrays (some perhaps NULL) is that, else float32; UNKNOWN, with an error that names it,
 * for one that is no float. */
SymDType
sym_op_find_work (SymKernel *kernel, const SymArray *const *arrays, guint n, GError **error);

/* The elements of @array as @dtype: its own, or a copy in scratch memory.  NULL with an error. */
const void *
sym_op_read_as (SymKernel *kernel, const SymArray *array, SymDType dtype, GError **error);

/* A place for results of @dtype that @y will hold: its own, or scratch memory, which
 * sym_op_write_as() converts to it. */
void *sym_op_place_as (SymKernel *kernel, SymArray *y, SymDType dtype, GError **error);
void sym_op_write_as (SymArray *y, SymDType dtype, const void *data);

/* A place for the numbers of output @i, of the kernel's own where the call has not so many. */
SymArray *sym_op_new_place (SymKernel *kernel,
                            guint i,
                            SymDType dtype,
                            const SymShape *shape,
                            GError **error);

/* Counts elements in *@done, which begins with 0, and asks now and then whether the run was
 * cancelled; FALSE when it was. */
gboolean sym_op_go_on (SymKernel *kernel, gsize *done, gsize n_elements, GError **error);

/* The same of multiplications within products of matrices, many of which take no longer than one
 * element of anything else. */
gboolean
sym_op_go_on_multiplying (SymKernel *kernel, gsize *done, gsize n_products, GError **error);

/* ---- Places ---- */

/* How many elements lie between neighbours along each axis. */
void sym_op_get_strides (const SymShape *shape, gint64 strides[SYM_MAX_RANK]);

/* The strides of @shape, aligned at its end with @rank axes, 0 where it is repeated. */
void sym_op_get_broadcast_strides (const SymShape *shape, int rank, gint64 strides[SYM_MAX_RANK]);

/* An axis or an index counted from the front; FALSE with an error when there is no such one. */
gboolean sym_op_find_axis (gint64 axis, int rank, int *normal, GError **error);

/* Elements before, along and behind an axis: the array as [outer, size, inner]. */
typedef struct {
  gsize outer, size, inner;
} SymOpAxis;

SymOpAxis sym_op_split_axis (const SymShape *shape, int axis);

G_END_DECLS
