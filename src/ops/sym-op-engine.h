/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* What the dialects of inference engines share: "tosa", "qnn" and "armnn", whose files tell the
 * type of every tensor, and "mnn" and "acuity", whose files tell those of inputs alone.  Numbers
 * are often integers with a scale, which is not kept: such layers have shapes, and do not run.
 * Where the dtype of a result is not that of the first operand, readers put it among the
 * attributes, as `output_dtype`. */

#define SYM_OP_ENGINE_RULED(domain_, version_, name_, aliases_, summary_, category_, slots_, \
                            attributes_, infer_, lower_)                                     \
  {                                                                                          \
    SYM_OP_FOREIGN (domain_, name_, aliases_, summary_, category_),                          \
        .reference = version_ " " name_, .slots = slots_, .attributes = attributes_,         \
        .get_n_operands = sym_op_foreign_any, .get_n_outputs = sym_op_foreign_first,         \
        .infer = infer_, .lower = lower_                                                     \
  }

#define SYM_OP_ENGINE(domain_, version_, name_, aliases_, summary_, category_, slots_,  \
                      attributes_, lower_)                                              \
  SYM_OP_ENGINE_RULED (domain_, version_, name_, aliases_, summary_, category_, slots_, \
                       attributes_, sym_op_infer_lowered, lower_)

extern const SymSlotSpec sym_op_engine_weighted[]; /* "input", "weight", "bias" */

/* Operand @i, as float32 where it is of integers. */
SymId sym_op_engine_real (SymOpLower *self, guint i);

/* Output 0, in the dtype that the file tells.  Refuses to run with integers. */
void sym_op_engine_set (SymOpLower *self, SymId x);

/* Output 0 is what a formula says; of integers its shape, that of a sum. */
void sym_op_engine_set_formula (SymOpLower *self, const char *formula);

/* To be lower: what the operator's formula says. */
void sym_op_engine_lower_formula (SymOpLower *self);

/* To be lower: the first operand, in another dtype. */
void sym_op_engine_lower_same (SymOpLower *self);

/* To be lower: all operands side by side along `axis`, or `dim`. */
void sym_op_engine_lower_concat (SymOpLower *self);

/* Output 0 is operand 0 with its axes in the order that attribute @name tells. */
void sym_op_engine_transpose (SymOpLower *self, const char *name);

/* The product of the first two operands, and a bias: [rows, in], [out, in]. */
void sym_op_engine_dense (SymOpLower *self);

/* Two attributes of 32 bits, of rows and columns. */
void sym_op_engine_pair (SymOpLower *self,
                         const char *rows,
                         const char *columns,
                         gint64 fallback,
                         gint64 values[3]);

/* The integers of a list, or of a text: "0 -1 4", "0,1,1,0"; as sym_op_lower_get_ints() tells them.
 */
int sym_op_engine_numbers (SymOpLower *self, const char *name, gint64 *values, int most);

/* @columns numbers for each axis, as one list or a list of lists: how many axes, at most
 * SYM_MAX_RANK; -1 for no such attribute, or an error of the body. */
int sym_op_engine_rows (SymOpLower *self, const char *name, int columns, gint64 *values);

/* What is added before and after each axis of the window, as one list of pairs or a list of lists.
 */
void sym_op_engine_margins (SymOpLower *self, const char *name, SymOpForeignWindow *window);

/* Output 0 of a convolution; @axes tells where the weight has out, in and the window. */
void sym_op_engine_conv (SymOpLower *self, const SymOpForeignWindow *window, const gint64 *axes);
void sym_op_engine_pool (SymOpLower *self, const SymOpForeignWindow *window, gboolean is_max);

/* The same of a window that has all places. */
void sym_op_engine_pool_all (SymOpLower *self, const SymOpForeignWindow *window, gboolean is_max);

/* ---- Movements ---- */

/* A part of operand 0: bits of a mask are its axes, and -1 in place of @n that nothing is told. */
typedef struct {
  int n;
  gint64 starts[SYM_MAX_RANK], stops[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  gint64 no_start, no_stop; /* masks: from the beginning, to the end */
  gint64 gone;              /* mask: one place, without its axis */
} SymOpEnginePart;

void sym_op_engine_set_part (SymOpLower *self, const SymOpEnginePart *part);

/* The rules of set_part() and of operands side by side along @axis, without a body: networks that
 * are unrolled have thousands, of which no two are alike.  What is not plain is left to the body:
 * lists, whose numbers matter, axes that there are none of, operands of which too little is known.
 */
gboolean sym_op_engine_infer_part (SymRule *rule, const SymOpEnginePart *part, GError **error);
gboolean sym_op_engine_infer_joined (SymRule *rule, gint64 axis, GError **error);

/* To be infer, beside lower_concat(). */
gboolean sym_op_engine_infer_concat (SymRule *rule, GError **error);

/* Output 0 is operand 0 with @name, pairs of numbers, around it; @mode is Pad's, NULL for one that
 * is not lowered. */
void sym_op_engine_set_padded (SymOpLower *self, const char *name, const char *mode, double number);

/* Output 0 is what the indices of operand 1 choose along `axis` of operand 0; or elements at
 * places, of each of the first `batch_dims` axes (or `axis`) apart. */
void sym_op_engine_lower_gather (SymOpLower *self);
void sym_op_engine_lower_gather_nd (SymOpLower *self);

/* To be lower: operand 0 as often along each axis as `multiples` tells. */
void sym_op_engine_lower_tile (SymOpLower *self);

/* All outputs are slices of operand 0 along @axis, which they do not have; to be lower: `axis`. */
void sym_op_engine_set_unpacked (SymOpLower *self, int axis);
void sym_op_engine_lower_unpack (SymOpLower *self);

/* Output 0 is the product of the first two operands; the attributes tell which has its last two
 * axes exchanged. */
void
sym_op_engine_set_matmul (SymOpLower *self, const char *transposes_a, const char *transposes_b);

/* Output 0 is operand 0 with channels spread over blocks of @size by @size places, or the other way
 * round; @mode is DepthToSpace's. */
void sym_op_engine_set_blocks (SymOpLower *self,
                               gboolean channels_last,
                               gboolean to_space,
                               const char *mode,
                               gint64 size);

/* Output 0 is operand 0, images of @rows and @columns; @mode and @coordinates are Resize's. */
void sym_op_engine_set_resized (SymOpLower *self,
                                gboolean channels_last,
                                const gint64 sizes[2],
                                const char *mode,
                                const char *coordinates);

/* All outputs are parts of operand 0 along an axis, where @n later ones begin. */
void sym_op_engine_set_split (SymOpLower *self, int axis, const gint64 *starts, int n);

/* ---- Rules where weights are not in the file ---- */

/* Windows over two axes, as a rule sees them. */
typedef struct {
  gboolean channels_last;
  gboolean is_same; /* as many places as steps fit */
  gboolean up;
  gint64 kernel[2], stride[2], dilation[2], before[2], after[2];
} SymOpEngineWindow;

/* An attribute of 32 bits, or a fallback; FALSE for one that makes no sense. */
gboolean sym_op_engine_read_from (const SymAttributes *attributes,
                                  const char *name,
                                  gint64 fallback,
                                  gint64 least,
                                  gint64 *value,
                                  GError **error);
gboolean sym_op_engine_read (SymRule *rule,
                             const char *name,
                             gint64 fallback,
                             gint64 least,
                             gint64 *value,
                             GError **error);

/* A number of channels or units; unknown where it makes no sense. */
SymDim sym_op_engine_get_count (SymRule *rule, const char *name);

/* Output 0 of operand 0 with @channels, SYM_DIM_UNKNOWN for those that it has. */
gboolean sym_op_engine_slide (SymRule *rule,
                              const SymOpEngineWindow *window,
                              SymDim channels,
                              GError **error);
gboolean sym_op_engine_unslide (SymRule *rule,
                                const SymOpEngineWindow *window,
                                const gint64 extra[2],
                                SymDim channels,
                                GError **error);

/* The channels of operand 0; unknown where its rank is. */
SymDim sym_op_engine_get_channels (SymRule *rule, gboolean channels_last);

G_END_DECLS
