/* SPDX-License-Identifier: MIT */
#pragma once

#include "io/sym-mxnet-private.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* A model in MXNet's operators, made of one in ONNX's, layer by layer.  The first error stays, and
 * whatever is asked for after it does nothing. */
typedef struct _SymMxnetRaise SymMxnetRaise;

/* ---- What a layer has ---- */

/* Operands and attributes of the layer that is at hand. */
const SymAttributes *sym_mxnet_raise_get_attributes (SymMxnetRaise *self);
gboolean sym_mxnet_raise_has (SymMxnetRaise *self, guint slot);
SymShape sym_mxnet_raise_get_shape (SymMxnetRaise *self, guint slot);
SymShape sym_mxnet_raise_get_result_shape (SymMxnetRaise *self, guint i);
SymDType sym_mxnet_raise_get_dtype (SymMxnetRaise *self, guint slot);
SymDType sym_mxnet_raise_get_result_dtype (SymMxnetRaise *self, guint i);
guint sym_mxnet_raise_count_results (SymMxnetRaise *self);

/* Whether MXNet's tensors can be of it. */
gboolean sym_mxnet_raise_has_dtype (SymDType dtype);

/* The name of the operator, and its version. */
const char *sym_mxnet_raise_get_type (SymMxnetRaise *self);
int sym_mxnet_raise_get_version (SymMxnetRaise *self);

/* An attribute, or @fallback. */
gint64 sym_mxnet_raise_get_int (SymMxnetRaise *self, const char *name, gint64 fallback);
double sym_mxnet_raise_get_float (SymMxnetRaise *self, const char *name, double fallback);

/* An axis of operand 0 counted from the front; FALSE, and an error, where there is no such one. */
gboolean sym_mxnet_raise_find_axis (SymMxnetRaise *self, gint64 axis, gint64 *normal);

/* Integers of attribute @name, or of operand @slot (0 for none); -1 when they are not known
 * beforehand, or more than @max. */
int sym_mxnet_raise_get_ints (SymMxnetRaise *self,
                              const char *name,
                              guint slot,
                              gint64 *values,
                              int max);

/* The only number of an attribute, or of an operand that is constant. */
gboolean
sym_mxnet_raise_get_number (SymMxnetRaise *self, const char *name, guint slot, double *number);

/* ---- What it becomes ---- */

/* Operand @slot in the model to be; the same where it is tracked, and not trained. */
SymId sym_mxnet_raise_operand (SymMxnetRaise *self, guint slot);
SymId sym_mxnet_raise_auxiliary (SymMxnetRaise *self, guint slot);

/* The first result of a call of MXNet's @op; attributes are names, each with a SymValue, which is
 * taken, and a NULL at the end. */
SymId sym_mxnet_raise_call (SymMxnetRaise *self,
                            const char *op,
                            const SymId *operands,
                            guint n_operands,
                            ...) G_GNUC_NULL_TERMINATED;

/* Operand @slot with axes of one before its own: MXNet joins only what has as many axes. */
SymId sym_mxnet_raise_widen (SymMxnetRaise *self, guint slot, int rank);

/* The same as the layer itself, under its name: what it makes are its results. */
void sym_mxnet_raise_finish (SymMxnetRaise *self,
                             const char *op,
                             const SymId *operands,
                             guint n_operands,
                             ...) G_GNUC_NULL_TERMINATED;

/* Result @i is @value, where finish() has not told. */
void sym_mxnet_raise_set_result (SymMxnetRaise *self, guint i, SymId value);

SymValue *sym_mxnet_raise_tuple (const gint64 *values, int n);

/* The layer has no counterpart; @why it has none, or NULL. */
void sym_mxnet_raise_fail (SymMxnetRaise *self, const char *why);

/* ---- sym-mxnet-raise-layers.c, -shapes.c, -windows.c ---- */

/* What an operator of ONNX becomes.  Operands behind the first @n_data are numbers that are known
 * beforehand. */
typedef struct {
  const char *name;
  guint n_data;
  void (*raise) (SymMxnetRaise *self);
} SymMxnetRaiseRule;

extern const SymMxnetRaiseRule sym_mxnet_raise_layers[];
extern const SymMxnetRaiseRule sym_mxnet_raise_shapes[];
extern const SymMxnetRaiseRule sym_mxnet_raise_windows[];

/* ---- sym-mxnet-raise.c ---- */

/* Whether no layer of the model is MXNet's, and operators are known of some. */
gboolean sym_mxnet_needs_raising (const SymModel *model);

/* SYM_IO_ERROR_UNSUPPORTED names the layer that has no counterpart. */
SymModel *sym_mxnet_raise (SymModel *model,
                           const SymInference *inference,
                           SymProblems *notes,
                           GError **error);

G_END_DECLS
