/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-operator.h"

G_BEGIN_DECLS

/* What shape rules have in common, whatever their dialect.  All of it works in both directions as
 * far as that is sound, and does nothing where too little is known. */

/* ---- Whole rules, to be a SymOperator's infer ---- */

/* All operands and outputs have one shape and one dtype. */
gboolean sym_op_infer_elementwise (SymRule *rule, GError **error);

/* Operands broadcast as numpy does it; all operands and outputs have one dtype. */
gboolean sym_op_infer_broadcast (SymRule *rule, GError **error);

/* ---- One value to another ---- */

gboolean sym_op_pass_shape (SymRule *rule, guint input, guint output, GError **error);
gboolean sym_op_pass_dtype (SymRule *rule, guint input, guint output, GError **error);
gboolean sym_op_pass (SymRule *rule, guint input, guint output, GError **error);

/* Values that are known of operand @input are those of output @output. */
void sym_op_pass_values (SymRule *rule, guint input, guint output);

/* The numbers of an operand that is a list of sizes; where they are not known, as many unknown ones
 * as its shape says; -1 where that is not known, or there are more than axes. */
int sym_op_get_sizes (SymRule *rule, guint input, SymDim sizes[SYM_MAX_RANK]);

/* Tells shape and dtype of an output at once; it need not be there. */
gboolean sym_op_set_output (SymRule *rule, guint i, SymShape shape, SymDType dtype, GError **error);
gboolean sym_op_set_input (SymRule *rule, guint i, SymShape shape, GError **error);

/* ---- Parts of rules ---- */

/* Operands @first to @last broadcast to output 0. */
gboolean sym_op_broadcast_shapes (SymRule *rule, guint first, guint last, GError **error);

/* What @n sizes of one axis broadcast to; FALSE when they do not. */
gboolean sym_op_broadcast_dims (const SymDim *dims, int n, SymDim *result);

/* What the axes before matrices broadcast to; FALSE when they do not. */
gboolean sym_op_broadcast_batch (const SymShape *a, const SymShape *b, SymShape *result);

/* An axis counted from the front.  "axis 4 is out of range for rank 3 ..." */
gboolean sym_op_normalize_axis (gint64 axis, int rank, int *normal, GError **error);

/* Which axes of a tensor of @rank the attribute @name lists; *@n counts them, -1 when it is absent
 * or None. */
gboolean sym_op_get_axes (SymRule *rule,
                          const char *name,
                          int rank,
                          gboolean axes[SYM_MAX_RANK],
                          int *n,
                          GError **error);

/* @shape without the marked axes, or with ones in their place. */
SymShape sym_op_reduce_shape (const SymShape *shape, const gboolean *axes, gboolean keep);

/* Operand 0 is reduced over the marked axes to output 0; the others are tied both ways. */
gboolean sym_op_reduce (SymRule *rule, const gboolean *axes, gboolean keep, GError **error);

/* @shape with axis @axis taken out, or with @dim put in before it. */
SymShape sym_op_remove_axis (const SymShape *shape, int axis);
SymShape sym_op_insert_axis (const SymShape *shape, int axis, SymDim dim);

/* All operands from @first on are laid one after the other along @axis of output 0. */
gboolean sym_op_concatenate (SymRule *rule, guint first, gint64 axis, GError **error);

/* A window that slides over one axis; all sizes counted in elements. */
typedef struct {
  gint64 kernel, stride, dilate, before, after;
  gboolean up; /* a last, partly filled place counts */
} SymOpWindow;

/* floor ((size + before + after - (dilate * (kernel - 1) + 1)) / stride) + 1, or ceil. */
gboolean sym_op_slide (SymRule *rule,
                       SymDim size,
                       const SymOpWindow *window,
                       SymDim *result,
                       GError **error);

/* The size that slides to @size: stride * (size - 1) + dilate * (kernel - 1) + 1 - before - after,
 * plus @extra (transposed convolution). */
gboolean sym_op_unslide (SymRule *rule,
                         SymDim size,
                         const SymOpWindow *window,
                         gint64 extra,
                         SymDim *result,
                         GError **error);

/* Operand 0 and output 0 have as many elements, and the output is @target.  Dimension @open of it
 * (-1 for none) is what is left over. */
gboolean sym_op_reshape (SymRule *rule, SymShape target, int open, GError **error);

/* The number of elements from @start up to @stop in steps: 0 when there are none.  Python's rules
 * for what is out of range and negative; @size is that of the axis. */
SymDim sym_op_slice_size (SymTerms *terms,
                          SymDim size,
                          gboolean has_start,
                          gint64 start,
                          gboolean has_stop,
                          gint64 stop,
                          gint64 step);

/* PyTorch's flatten: the axes from `start_dim`, or @start, to `end_dim`, or the last, as one. */
gboolean sym_op_infer_flatten (SymRule *rule, gint64 start, GError **error);

/* Sums of products, told by a letter for each axis: "ij,jk->ik", or "ij,jk" for the letters that
 * come once; dots stand for axes that broadcast.  Shapes only. */
gboolean sym_op_infer_einsum (SymRule *rule, const char *subscripts, GError **error);

/* ---- Attributes ---- */

/* Exactly @n integers of an attribute: one that is absent or empty gives @fallback @n times.  FALSE
 * with SYM_ERROR_SHAPE when it has another number of them. */
gboolean sym_op_get_ints (SymRule *rule,
                          const char *name,
                          int n,
                          gint64 fallback,
                          gint64 *values,
                          GError **error);

/* An attribute without a rule: for operators that choose their outputs or operands by it. */
gint64 sym_op_get_int (const SymAttributes *attributes, const char *name, gint64 fallback);
gboolean sym_op_get_bool (const SymAttributes *attributes, const char *name, gboolean fallback);
gboolean sym_op_has_string (const SymAttributes *attributes, const char *name, const char *value);

G_END_DECLS
