/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"
#include "core/sym-infer.h"
#include "core/sym-model.h"

G_BEGIN_DECLS

/* How layers of other dialects run: an operator whose record has `lower` says what it is in ONNX's
 * operators, for one call whose operands' types are known to the last size.
 *
 *   static void
 *   lower_dense (SymOpLower *self)
 *   {
 *     SymId x = sym_op_lower_input (self, 0), weight = sym_op_lower_input (self, 1);
 *     SymId y;
 *
 *     if (sym_op_lower_get_input_shape (self, 0)->rank < 1)
 *       {
 *         sym_op_lower_fail (self, "Linear: a number has no features");
 *         return;
 *       }
 *     y = sym_op_lower_call (self, "MatMul",
 *                            SYM_IDS (x, sym_op_lower_transpose (self, weight, 2, 1, 0)), NULL);
 *     if (sym_op_lower_has_input (self, 2))
 *       y = sym_op_lower_call (self, "Add", SYM_IDS (y, sym_op_lower_input (self, 2)), NULL);
 *     sym_op_lower_set_output (self, 0, y);
 *   }
 *
 * What it makes is the body of the call, a model of its own with an input for each operand; runs
 * make it when they come to the call, and again when the types have changed, and compiled plans put
 * it in place of the call.  The first error stays: whatever is asked for after it does nothing and
 * is SYM_NO_ID, so it is looked at once, at the end.  In the body weights are values like any
 * other. */
typedef struct _SymOpLower SymOpLower;

/* Whether layers of an operator, which may be NULL, are run so. */
gboolean sym_op_is_lowered (const SymOperator *op);

/* Whether they have a body all the same: of some that have a kernel it is for files of ONNX. */
gboolean sym_op_has_lowering (const SymOperator *op);

/* Whether the layer is several operations in one, so that people may want to look at its body: it
 * is recurrent, attends, has a convolution in two steps, or an activation of its own. */
gboolean sym_op_is_composite (const SymLayer *layer);

/* The body of a call of @layer, whose operator must have a lowering.  @types are those of the
 * operands, of kind unknown where a slot is empty; a tensor has a known dtype and shape.  NULL with
 * SYM_ERROR_UNSUPPORTED for what cannot be said in ONNX, SYM_ERROR_SHAPE for operands that do not
 * fit. */
SymModel *sym_op_lower (SymLayer *layer,
                        const SymType *types,
                        guint n_inputs,
                        guint n_outputs,
                        GError **error);

/* The rule of an operator that has `lower`, to be its infer: what follows for operands of known
 * dtypes and ranks when its body is inferred in place of it.  Such a `lower` meets sizes below 0,
 * which are unknown; where it needs them it refuses, and nothing is said of the shapes. */
gboolean sym_op_infer_lowered (SymRule *rule, GError **error);

/* The same for a `lower` that never asks for types: what is an operator of another dialect by
 * another name.  Nothing need be known of the operands, and that one's rule tells back what follows
 * of them. */
gboolean sym_op_infer_translated (SymRule *rule, GError **error);

/* The same where integers of operands are known beforehand, which decide about the body: axes,
 * sizes, what is added around.  @known has one for each operand, and comes back with what the body
 * depends on: it has to be made anew when one of these has changed. */
#define SYM_OP_MAX_KNOWN 64

typedef struct {
  int n; /* -1 where they are not known */
  gint64 values[SYM_OP_MAX_KNOWN];
  gboolean has_number; /* one float32 */
  double number;
  gboolean is_read;
} SymOpKnown;

SymModel *sym_op_lower_known (SymLayer *layer,
                              const SymType *types,
                              SymOpKnown *known,
                              guint n_inputs,
                              guint n_outputs,
                              GError **error);

/* The same of operands, as an inference knows them; one for each in @known. */
void sym_op_lower_find_known (const SymInference *inference, SymIds operands, SymOpKnown *known);

/* What is known of an array, which may be NULL: integers of at most two axes, and one float. */
void sym_op_known_read (SymOpKnown *self, const SymArray *array);

/* ---- The call ---- */

SymLayer *sym_op_lower_get_layer (SymOpLower *self);

/* The layer's type as its file writes it, which may be an alias of the operator's name. */
const char *sym_op_lower_get_type (SymOpLower *self);

/* Attributes: the fallback when one is absent, None or of another kind; of ints there may be more
 * than
 * @max, -1 says that there are none. */
gint64 sym_op_lower_get_int (SymOpLower *self, const char *name, gint64 fallback);
double sym_op_lower_get_float (SymOpLower *self, const char *name, double fallback);
gboolean sym_op_lower_get_bool (SymOpLower *self, const char *name, gboolean fallback);
const char *sym_op_lower_get_string (SymOpLower *self, const char *name, const char *fallback);
gboolean sym_op_lower_has_string (SymOpLower *self, const char *name, const char *value);
SymDType sym_op_lower_get_dtype (SymOpLower *self, const char *name, SymDType fallback);
int sym_op_lower_get_ints (SymOpLower *self, const char *name, gint64 *values, int max);

/* Operands.  Of an empty slot, or beyond the operands, the value is SYM_NO_ID, the rank -1 and the
 * dtype unknown. */
guint sym_op_lower_get_n_inputs (SymOpLower *self);
guint sym_op_lower_get_n_outputs (SymOpLower *self);
gboolean sym_op_lower_has_input (SymOpLower *self, guint i);
SymId sym_op_lower_input (SymOpLower *self, guint i);
const SymShape *sym_op_lower_get_input_shape (SymOpLower *self, guint i);
SymDType sym_op_lower_get_input_dtype (SymOpLower *self, guint i);

/* What the operator's shape rule says of result @i for these operands: rank -1, sizes below 0 and
 * dtype unknown where it says nothing.  What the rule refuses is an error of the body. */
const SymShape *sym_op_lower_get_output_shape (SymOpLower *self, guint i);
SymDType sym_op_lower_get_output_dtype (SymOpLower *self, guint i);

/* The integers of operand @i, row by row: -1 and an error of the body when they are not known, or
 * more than @max. */
int sym_op_lower_read_ints (SymOpLower *self, guint i, gint64 *values, int max);

/* The same of one float: FALSE when it is not known. */
gboolean sym_op_lower_read_number (SymOpLower *self, guint i, double *number);

/* Whether operand @i is a tensor; an error that names the slot when it is not. */
gboolean sym_op_lower_need_tensor (SymOpLower *self, guint i);

/* ---- The body ---- */

#define SYM_IDS(...)                         \
  ((SymIds){ (const SymId[]){ __VA_ARGS__ }, \
             sizeof ((const SymId[]){ __VA_ARGS__ }) / sizeof (SymId) })

/* The first result of a layer of ONNX with these operands (SYM_NO_ID for an empty slot) and
 * attributes: names, each with a SymValue, which is taken, and a NULL at the end.  Meanings are
 * those of operator set SYM_OP_LOWER_VERSION. */
#define SYM_OP_LOWER_VERSION 22
SymId
sym_op_lower_call (SymOpLower *self, const char *name, SymIds operands, ...) G_GNUC_NULL_TERMINATED;

/* The same for any operator, of the call's own dialect for one, which may be lowered in its turn.
 */
SymId sym_op_lower_apply (SymOpLower *self,
                          const SymOperator *op,
                          SymIds operands,
                          SymAttributes *attributes);

/* The operator called @name of the call's own dialect, with the attributes of the call. */
SymId sym_op_lower_apply_as (SymOpLower *self, const char *name, SymIds operands);

/* The same for a layer as it is, which must have an operator. */
SymId sym_op_lower_apply_layer (SymOpLower *self, SymLayer *layer, SymIds operands);

/* The layers of body @body of the call's layer, run with these operands: its first @n_outputs
 * results.  FALSE, and an error of the body, when they do not fit. */
gboolean sym_op_lower_inline (SymOpLower *self,
                              guint body,
                              SymIds operands,
                              SymId *outputs,
                              guint n_outputs);

/* A formula of ONNX's layers: "Where (Less (a, 0), Mul (a, $slope), a)".  a, b, c, d are operands,
 * A to D the same in the dtype of the result; numbers and attributes of the call ("$slope") have
 * that of operand 0, or that of the result where the formula has capitals.  Cast (x) is to the
 * dtype of the result; an attribute of a layer is told as in Softmax (a, axis=-1).  What rounds
 * leaves integers alone; Remainder (a, b) and FloorDivide (a, b) are those of Python. */
SymId sym_op_lower_formula (SymOpLower *self, const char *formula);

/* Result @i of the layer of which @first is the first. */
SymId sym_op_lower_get_result (SymOpLower *self, SymId first, guint i);

/* Constants: a list of integers (int64), one number without axes, a tensor of one number, and any
 * array, whose numbers are copied. */
SymId sym_op_lower_ints (SymOpLower *self, const gint64 *values, int n);
SymId sym_op_lower_number (SymOpLower *self, SymDType dtype, double number);
SymId sym_op_lower_fill (SymOpLower *self, SymDType dtype, const SymShape *shape, double number);
SymId sym_op_lower_array (SymOpLower *self, const SymArray *array);
SymId sym_op_lower_tensor (SymOpLower *self, SymTensor *tensor);

/* Common layers.  Axes count from the front; the axes of a transpose are ints.  Where @attribute is
 * true exchange_if() exchanges the last two of the @rank axes, if there are as many.  A cast to the
 * dtype that operand or result already has, @from, is none; finish() makes output 0 of @x by
 * reshaping it to the inferred shape. */
SymId sym_op_lower_unary (SymOpLower *self, const char *name, SymId x);
SymId sym_op_lower_binary (SymOpLower *self, const char *name, SymId a, SymId b);
SymId sym_op_lower_reshape (SymOpLower *self, SymId x, const SymShape *shape);
SymId sym_op_lower_transpose (SymOpLower *self, SymId x, int n, ...);
SymId sym_op_lower_permute (SymOpLower *self, SymId x, const gint64 *axes, int n);
SymId sym_op_lower_exchange (SymOpLower *self, SymId x, int rank);
SymId sym_op_lower_exchange_if (SymOpLower *self, SymId x, int rank, const char *attribute);
SymId sym_op_lower_cast (SymOpLower *self, SymId x, SymDType dtype);
SymId sym_op_lower_cast_from (SymOpLower *self, SymId x, SymDType from, SymDType dtype);
void sym_op_lower_finish (SymOpLower *self, SymId x);
SymId
sym_op_lower_slice (SymOpLower *self, SymId x, int axis, gint64 start, gint64 stop, gint64 step);

/* The operands of a Resize of @x, which has @shape, to @sizes: by how much axes grow where that is
 * exact, so that how many samples there are is no matter; else the sizes. */
void sym_op_lower_resize (SymOpLower *self,
                          SymId x,
                          const SymShape *shape,
                          const gint64 *sizes,
                          SymId operands[4]);

/* Moved along an axis of that size: what goes beyond its end comes in at its beginning. */
SymId sym_op_lower_roll (SymOpLower *self, SymId x, int axis, gint64 size, gint64 shift);
SymId sym_op_lower_reduce (SymOpLower *self,
                           const char *name,
                           SymId x,
                           const gint64 *axes,
                           int n,
                           gboolean keep);
SymId sym_op_lower_count (SymOpLower *self, gint64 n);     /* 0 to n - 1, int64 */
SymValue *sym_op_lower_list (const gint64 *values, int n); /* an attribute of integers */

/* An axis counted from the front; FALSE, and an error of the body, when there is no such one. */
gboolean sym_op_lower_find_axis (SymOpLower *self, gint64 axis, int rank, int *normal);

/* Output @i of the call.  One that is never set is an error when it is wanted. */
void sym_op_lower_set_output (SymOpLower *self, guint i, SymId value);

/* ---- Errors ---- */

/* What cannot be said in ONNX, by name: "Convolution: layout NHWC is not lowered"; and operands or
 * attributes that are wrong. */
void sym_op_lower_refuse (SymOpLower *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void sym_op_lower_fail (SymOpLower *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean sym_op_lower_has_failed (SymOpLower *self);

/* Whether the body is made for its shapes alone: what cannot be run may still have one. */
gboolean sym_op_lower_is_rule (SymOpLower *self);

G_END_DECLS
