/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* What the dialects share whose operators are wholly said in ONNX's: "paddle", "ngraph", "onednn",
 * "openvino", "tflite".  Their rules are their bodies: see sym_op_infer_lowered().  Attributes are
 * those that their files have; what is an operand there and an attribute in ONNX (axes, the size of
 * a window) readers put among the attributes, under the name of the slot, where it is constant. */

/* The lines of a table of operators: a rule by the body, and a lowering or a formula. */
#define SYM_OP_FOREIGN(domain_, name_, aliases_, summary_, category_)                             \
  .domain = domain_, .name = name_, .since_version = 1, .aliases = aliases_, .summary = summary_, \
  .category = SYM_CATEGORY_##category_

extern const SymSlotSpec sym_op_foreign_one[];  /* "x" */
extern const SymSlotSpec sym_op_foreign_two[];  /* "x", "y" */
extern const SymSlotSpec sym_op_foreign_many[]; /* "x", to be repeated */

/* To be get_n_operands: any number. */
int sym_op_foreign_any (const SymAttributes *attributes);

/* To be get_n_outputs: as many as are used, the first of which is shown. */
int sym_op_foreign_first (const SymAttributes *attributes, int *n_visible);

/* To be lower: operand 1 where operand 0, a truth, holds, else operand 2. */
void sym_op_foreign_lower_where (SymOpLower *self);

/* To be lower: all operands side by side, along a new axis, `axis`. */
void sym_op_foreign_lower_stack (SymOpLower *self);

/* To be lower: the product of the operands, with their last two axes exchanged where `transpose_a`
 * and `transpose_b` say so. */
void sym_op_foreign_lower_matmul (SymOpLower *self);

/* ---- Attributes ---- */

/* The integers of a list or number; -1 when there is no such attribute.  More than SYM_MAX_RANK are
 * an error of the body. */
int sym_op_foreign_list (SymOpLower *self, const char *name, gint64 values[SYM_MAX_RANK]);

/* The same, else the integers of the operand of this name, which must be known beforehand: refused,
 * and FALSE, when neither is. */
gboolean sym_op_foreign_read (SymOpLower *self, const char *name, gint64 *values, int *n);

/* @n integers of 32 bits: one stands for all, none for @fallback; another number of them is an
 * error of the body. */
void
sym_op_foreign_ints (SymOpLower *self, const char *name, int n, gint64 fallback, gint64 *values);

/* The first of these names that there is an attribute of; the last one without any.  NULL-ended. */
const char *sym_op_foreign_choose (SymOpLower *self, const char *name, ...) G_GNUC_NULL_TERMINATED;

/* An axis among @rank, counted from the front; 0 and an error of the body for none. */
int sym_op_foreign_axis (SymOpLower *self, const char *name, gint64 fallback, int rank);

int sym_op_foreign_rank (SymOpLower *self, guint i);

/* A size of operand @i that is known, at most G_MAXINT32; refused and 1 when it is not. */
gint64 sym_op_foreign_size (SymOpLower *self, guint i, int axis);

/* Products of numbers of a file: refused and 1 beyond G_MAXINT32. */
gint64 sym_op_foreign_multiply (SymOpLower *self, gint64 a, gint64 b);

/* ---- Layers ---- */

/* Windows that slide over the last @n axes, or over those before the channels, which are then last.
 */
typedef struct {
  int n;
  gboolean channels_last;
  gboolean up;          /* a last, partly filled place counts */
  gboolean counts_pads; /* as elements of a mean */
  const char *auto_pad; /* "SAME_UPPER", "SAME_LOWER", "VALID"; NULL: before and after hold */
  gint64 groups;
  gint64 kernel[3], stride[3], dilation[3], before[3], after[3];
} SymOpForeignWindow;

/* Begins with as many axes as operand @i has beyond two, which must be 1 to 3. */
gboolean sym_op_foreign_begin (SymOpLower *self, guint i, SymOpForeignWindow *window);

/* @weight [out, in / groups, window...]; of the transposed one [in, out / groups, window...]. */
SymId sym_op_foreign_conv (SymOpLower *self,
                           const SymOpForeignWindow *window,
                           SymId x,
                           SymId weight,
                           SymId bias);
SymId sym_op_foreign_conv_transpose (SymOpLower *self,
                                     const SymOpForeignWindow *window,
                                     SymId x,
                                     SymId weight,
                                     SymId bias,
                                     const gint64 *output_padding);

/* @name: MaxPool, AveragePool.  Over all places: ReduceMax, ReduceMean. */
SymId
sym_op_foreign_pool (SymOpLower *self, const SymOpForeignWindow *window, const char *name, SymId x);
SymId sym_op_foreign_pool_all (SymOpLower *self,
                               const SymOpForeignWindow *window,
                               const char *name,
                               SymId x);

/* Windows of a number that goes by the data: @sizes results of each axis. */
SymId sym_op_foreign_pool_to (SymOpLower *self,
                              const SymOpForeignWindow *window,
                              gboolean is_max,
                              const gint64 *sizes,
                              SymId x);

/* Channels moved behind the batch, and back to the end. */
SymId sym_op_foreign_channels_first (SymOpLower *self, SymId x, int rank);
SymId sym_op_foreign_channels_last (SymOpLower *self, SymId x, int rank);

/* Over @n axes, all @rank ones for n < 0. */
SymId sym_op_foreign_reduce (SymOpLower *self,
                             const char *name,
                             SymId x,
                             int rank,
                             const gint64 *axes,
                             int n,
                             gboolean keep);

/* To @sizes, one of which may be -1; 0 is the size that is there, where @zero_copies. */
SymId sym_op_foreign_reshape (SymOpLower *self,
                              SymId x,
                              const gint64 *sizes,
                              int n,
                              gboolean zero_copies);

SymId sym_op_foreign_squeeze (SymOpLower *self, SymId x, const gint64 *axes, int n);
SymId sym_op_foreign_unsqueeze (SymOpLower *self, SymId x, const gint64 *axes, int n);
SymId sym_op_foreign_concat (SymOpLower *self, guint first, guint n, gint64 axis);

/* Sets all outputs to parts of @x along @axis: equal ones, or of @sizes. */
void sym_op_foreign_split (SymOpLower *self, SymId x, gint64 axis, const gint64 *sizes, int n);

/* Along @n axes, NULL for the first ones; @steps NULL for 1. */
SymId sym_op_foreign_slice (SymOpLower *self,
                            SymId x,
                            const gint64 *starts,
                            const gint64 *stops,
                            const gint64 *axes,
                            const gint64 *steps,
                            int n);

/* What a layer with one attribute, @key, an integer, makes of @x: Softmax along an axis. */
SymId
sym_op_foreign_with (SymOpLower *self, const char *name, SymId x, const char *key, gint64 value);

/* The result of @x in a fused activation: "relu", "relu6", "sigmoid", "tanh", "swish",
 * "hard_swish", "hard_sigmoid", "leaky_relu" (of @alpha), "gelu", whatever the case; NULL, "" and
 * "none" leave it. */
SymId sym_op_foreign_activate (SymOpLower *self, const char *name, double alpha, SymId x);

/* Operand @i with its last two axes exchanged, where @attribute says so. */
SymId sym_op_foreign_turn (SymOpLower *self, guint i, const char *attribute);

/* Sums of all elements up to each along @axis, a scalar: `exclusive`, `reverse`. */
SymId sym_op_foreign_cumulate (SymOpLower *self, SymId x, SymId axis);

/* Operand 2 at the places of operand 0 along a new axis of size @depth, and operand 3 elsewhere;
 * `axis`, or @fallback. */
SymId sym_op_foreign_one_hot (SymOpLower *self, SymId depth, gint64 fallback);

/* Resizes the axes of @x, which has @shape, behind the second one (before the last with
 * @channels_last) to @sizes, or by @scales where that is not NULL.  @mode and @coordinates are
 * Resize's.  All axes are told: before operator set 18 Resize could not be told which it means. */
SymId sym_op_foreign_resize (SymOpLower *self,
                             SymId x,
                             const SymShape *shape,
                             gboolean channels_last,
                             const gint64 *sizes,
                             const double *scales,
                             const char *mode,
                             const char *coordinates);

G_END_DECLS
