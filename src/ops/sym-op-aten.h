/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"
#include "ops/sym-op-rules.h"
#include "ops/sym-op-table.h"

G_BEGIN_DECLS

/* What the files of ATen's operators share: the ones that programs of torch.export hold.  Names are
 * those of the overloads without ".default"; operands lie in slots by the names of ATen's schemas,
 * the rest of the arguments are attributes.  Where a size was computed, the attribute has
 * SYM_VALUE_OPERAND in its place: [%1, 4, -1].  Functions that work in place give their result. */

#define SYM_OP_ATEN .domain = "torch.export", .since_version = 1

/* Slots "self"; "input"; "self" and "other"; any number of "tensors". */
extern const SymSlotSpec sym_op_aten_self[];
extern const SymSlotSpec sym_op_aten_input[];
extern const SymSlotSpec sym_op_aten_pair[];
extern const SymSlotSpec sym_op_aten_tensors[];
int sym_op_aten_any_number (const SymAttributes *attributes);
int sym_op_aten_any_outputs (const SymAttributes *attributes, int *n_visible);

/* ---- Rules ---- */

/* Output 0 has the shape of operand 0, and its dtype; or the float that torch makes of it. */
gboolean sym_op_aten_same (SymRule *rule, GError **error);
gboolean sym_op_aten_infer_float (SymRule *rule, GError **error);

/* The sizes that a list has, SYM_DIM_UNKNOWN for what is not known; *@open is the one that is -1,
 * or -1 for none.  Returns how many there are, at most SYM_MAX_RANK, or -1. */
int sym_op_aten_get_sizes (SymRule *rule, const char *name, SymDim dims[SYM_MAX_RANK], int *open);

/* ---- Types ---- */

/* What takes part in arithmetic: a tensor, or a number of the program, which counts less. */
typedef struct {
  SymDType dtype;
  int rank; /* -1 for a number, -2 for nothing */
} SymOpAtenKind;

/* torch.result_type(); SYM_DTYPE_UNKNOWN when one of them is. */
SymDType sym_op_aten_promote (const SymOpAtenKind *kinds, guint n);

/* The kind of operand @slot, or of the attribute @name where the slot is empty. */
SymOpAtenKind sym_op_aten_rule_kind (SymRule *rule, guint slot, const char *name);
SymOpAtenKind sym_op_aten_kind (SymOpLower *self, guint slot, const char *name);

/* float32 for what is no float. */
SymDType sym_op_aten_to_float (SymDType dtype);

/* ---- Lowering ---- */

const SymAttributes *sym_op_aten_attributes (SymOpLower *self);
gboolean sym_op_aten_is_type (SymOpLower *self, const char *type);

/* Operand @slot as @dtype, or the number of attribute @name; SYM_NO_ID when there is neither. */
SymId sym_op_aten_operand (SymOpLower *self, guint slot, const char *name, SymDType dtype);
SymId sym_op_aten_input_as (SymOpLower *self, guint slot, SymDType dtype);

/* int64 [n] of a list, numbers and operands; SYM_NO_ID when there is none, or an error.  @negative
 * stands for what is negative. */
SymId sym_op_aten_sizes (SymOpLower *self, const char *name, gint64 negative);

/* int64 [1] of one integer; SYM_NO_ID when there is none. */
SymId sym_op_aten_int (SymOpLower *self, const char *name);

/* Whether an attribute is there and not None. */
gboolean sym_op_aten_has (SymOpLower *self, const char *name);

/* @n integers: one that is given stands for all, none for the fallback.  FALSE, and an error of the
 * body, for another number. */
gboolean
sym_op_aten_get_ints (SymOpLower *self, const char *name, int n, gint64 fallback, gint64 *values);

/* The axes that an attribute lists, counted from the front; all of them when it is absent, None or
 * empty.  FALSE with an error of the body. */
gboolean sym_op_aten_get_axes (SymOpLower *self, const char *name, int rank, gint64 *axes, int *n);

/* An axis counted from the front. */
gboolean
sym_op_aten_get_axis (SymOpLower *self, const char *name, gint64 fallback, int rank, int *axis);

/* Layers with axes among the operands. */
SymId sym_op_aten_unsqueeze (SymOpLower *self, SymId x, gint64 axis);
SymId sym_op_aten_squeeze (SymOpLower *self, SymId x, gint64 axis);

/* A constant without axes, and @n values laid one after the other. */
SymId sym_op_aten_number (SymOpLower *self, SymDType dtype, double number);
SymId sym_op_aten_lay (SymOpLower *self, const SymId *parts, guint n, int axis);

/* Shape of a value, as int64. */
SymId sym_op_aten_shape (SymOpLower *self, SymId x);

/* A size of an operand, which must be known, and at most G_MAXINT32. */
gboolean sym_op_aten_need_size (SymOpLower *self, guint i, int axis, gint64 *size);

G_END_DECLS
