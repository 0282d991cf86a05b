/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"
#include "core/sym-model-builder.h"
#include "io/sym-io-private.h"
#include "ops/sym-op.h"

G_BEGIN_DECLS

/* A model in the layers of another framework, made of one in ONNX's operators, layer by layer: what
 * the writers of MXNet and Keras share.  The framework's side is a table of rules, one for each
 * operator, which ask what a layer has and add what it becomes.  The first error stays, and
 * whatever is asked for after it does nothing. */
typedef struct _SymRaise SymRaise;

/* What an operator of ONNX becomes.  Operands behind the first @n_data are numbers that are known
 * beforehand. */
typedef struct {
  const char *name;
  guint n_data;
  void (*raise) (SymRaise *self);
} SymRaiseRule;

/* A framework. */
typedef struct {
  const char *title;  /* for messages */
  const char *domain; /* what the domains of its operators begin with */
  SymDialect dialect;
  const SymRaiseRule *const *tables; /* the last one is NULL; rules end with one without a name */

  /* Whether weights without numbers stay weights, and are not data from outside. */
  gboolean keeps_parameters;

  /* Whether inputs must be of a known number of axes. */
  gboolean needs_axes;

  /* Whether what is made of numbers alone has to be a number. */
  gboolean folds;

  /* Whether models for any number of samples are tried as such first; there is no data then. */
  gboolean may_stay_open;
  gboolean (*has_dtype) (SymDType dtype);

  /* The value in the model to be that has the numbers of @tensor, and the name and @role of @value
   * of the model. */
  SymId (*add_tensor) (SymRaise *self, SymId value, SymTensor *tensor, SymRole role);

  /* Whether a value is a weight that calls only move, which become no calls then; its numbers,
   * owned, or NULL.  NULL: no such weights are looked for. */
  gboolean (*find_moved) (SymRaise *self, SymId value, SymTensor **tensor);

  /* What layers take for an input, or an output is made of, where that is not the value itself: of
   * dtypes that the framework keeps otherwise within.  NULL: there are none. */
  SymId (*begin) (SymRaise *self, SymId value, SymId made);
  SymId (*end) (SymRaise *self, SymId value, SymId made);

  /* A name as the framework allows it; NULL: any. */
  char *(*make_name) (const char *wanted);
} SymRaiseTarget;

/* ---- What a layer has ---- */

/* Operands and attributes of the layer that is at hand; where a value is asked for, it is one of
 * the model that is raised. */
SymModel *sym_raise_get_model (SymRaise *self);
SymId sym_raise_get_call (SymRaise *self);
const SymAttributes *sym_raise_get_attributes (SymRaise *self);
SymId sym_raise_get_value (SymRaise *self, guint slot);
SymId sym_raise_get_result_value (SymRaise *self, guint i);
gboolean sym_raise_has (SymRaise *self, guint slot);
guint sym_raise_count_operands (SymRaise *self);
guint sym_raise_count_results (SymRaise *self);

/* Whether something needs result @i; whether nothing needs more than result 0. */
gboolean sym_raise_is_used (SymRaise *self, guint i);
gboolean sym_raise_has_one_result (SymRaise *self);

/* Unknown sizes are SYM_DIM_UNKNOWN, whatever they are called. */
SymType sym_raise_get_value_type (SymRaise *self, SymId value);
SymShape sym_raise_get_shape (SymRaise *self, guint slot);
SymShape sym_raise_get_result_shape (SymRaise *self, guint i);
SymDType sym_raise_get_dtype (SymRaise *self, guint slot);
SymDType sym_raise_get_result_dtype (SymRaise *self, guint i);

/* Whether axis @i of operand 0, or @slot, and axis @k of result 0 are of one size, known or not. */
gboolean sym_raise_is_same_size (SymRaise *self, int i, int k);
gboolean sym_raise_is_same_size_of (SymRaise *self, guint slot, int i, int k);

/* The name of the operator, and its version. */
const char *sym_raise_get_type (SymRaise *self);
int sym_raise_get_version (SymRaise *self);

/* An attribute, or @fallback. */
gint64 sym_raise_get_int (SymRaise *self, const char *name, gint64 fallback);
double sym_raise_get_float (SymRaise *self, const char *name, double fallback);
const char *sym_raise_get_string (SymRaise *self, const char *name, const char *fallback);

/* How many axes of operand 0 come before those of operand 1, where both are joined element by
 * element: before operator set 7 attributes tell.  FALSE, and an error, when it is not known. */
gboolean sym_raise_find_alignment (SymRaise *self, int *before);

/* An axis of operand 0 counted from the front; FALSE, and an error, where there is no such one. */
gboolean sym_raise_find_axis (SymRaise *self, gint64 axis, gint64 *normal);

/* Integers of attribute @name, or of operand @slot (0 for none); -1 when they are not known
 * beforehand, or more than @max. */
int sym_raise_get_ints (SymRaise *self, const char *name, guint slot, gint64 *values, int max);

/* The only number of an attribute, or of an operand that is constant. */
gboolean sym_raise_get_number (SymRaise *self, const char *name, guint slot, double *number);

/* The numbers of a value that is known beforehand, borrowed; NULL for none. */
SymTensor *sym_raise_find_tensor (SymRaise *self, SymId value);

/* The same where calls move the numbers alone, if the framework looks for such; and a tensor that
 * is known of a value from now on. */
SymTensor *sym_raise_find_numbers (SymRaise *self, SymId value);
void sym_raise_keep_tensor (SymRaise *self, SymId value, SymTensor *take_tensor);

/* The only call that uses result 0 of the layer, which is no output; SYM_NO_ID for none. */
SymId sym_raise_find_follower (SymRaise *self);

/* ---- What it becomes ---- */

SymModelBuilder *sym_raise_get_builder (SymRaise *self);

/* The framework, and what it keeps beside. */
const SymRaiseTarget *sym_raise_get_target (SymRaise *self);
gpointer sym_raise_get_data (SymRaise *self);

/* Operand @slot in the model to be; @role is for weights. */
SymId sym_raise_operand (SymRaise *self, guint slot);
SymId sym_raise_operand_as (SymRaise *self, guint slot, SymRole role);

/* The same of any value; SYM_NO_ID when nothing has been made of it. */
SymId sym_raise_find_made (SymRaise *self, SymId value);

/* A name for a layer that none has yet; the raise keeps it. */
const char *sym_raise_choose_name (SymRaise *self, const char *wanted);

/* Attributes of names, each with a SymValue, which is taken, up to a NULL. */
SymAttributes *sym_raise_read_attributes (va_list list);
SymValue *sym_raise_tuple (const gint64 *values, int n);

/* Result @i is @value; the same for any value, so that the call that makes it is passed over. */
void sym_raise_set_result (SymRaise *self, guint i, SymId value);
void sym_raise_set_made (SymRaise *self, SymId value, SymId made);

/* The layer has no counterpart; @why it has none, or NULL. */
void sym_raise_fail (SymRaise *self, const char *why);
void sym_raise_fail_about (SymRaise *self, SymId value, const char *what);
gboolean sym_raise_has_failed (SymRaise *self);

/* ---- The model ---- */

/* Whether no layer of the model is the framework's, and operators are known of some. */
gboolean sym_raise_is_needed (const SymModel *model, const SymRaiseTarget *target);

/* SYM_IO_ERROR_UNSUPPORTED names the layer that has no counterpart. */
SymModel *sym_raise_model (SymModel *model,
                           const SymInference *inference,
                           const SymRaiseTarget *target,
                           gpointer data,
                           SymProblems *notes,
                           GError **error);

/* ---- sym-raise-fold.c ---- */

/* Runs the calls whose operands are known beforehand, so that their results are. */
void sym_raise_fold (SymRaise *self);

/* ---- sym-raise-window.c ---- */

#define SYM_RAISE_MAX_WINDOW 3

/* A window that slides over all axes behind the channels.  Pads are those before each axis, then
 * those behind. */
typedef struct {
  int n;
  gint64 kernel[SYM_RAISE_MAX_WINDOW], stride[SYM_RAISE_MAX_WINDOW], dilation[SYM_RAISE_MAX_WINDOW];
  gint64 pads[2 * SYM_RAISE_MAX_WINDOW];
} SymRaiseWindow;

/* FALSE for a list of another length; @fallback where there is none. */
gboolean
sym_raise_read_list (SymRaise *self, const char *name, int n, gint64 fallback, gint64 *values);

/* FALSE, and an error, for a window that is not known.  Of a convolution its size may be told by
 * the weights alone.  Pads that go by the size of the data are settled later. */
gboolean sym_raise_read_window (SymRaise *self, gboolean has_weights, SymRaiseWindow *window);

/* The pads of axis @i that divide the data into as many steps as the stride allows; the odd one is
 * behind it when @is_upper.  FALSE when the size would have to be known. */
gboolean sym_raise_get_same (const SymRaiseWindow *self,
                             int i,
                             SymDim size,
                             gboolean is_upper,
                             gint64 pads[2]);

/* `auto_pad` in numbers.  FALSE, and an error, when sizes are not known. */
gboolean sym_raise_settle_pads (SymRaise *self, SymRaiseWindow *window);

/* Whether as much is added before each axis as behind it, and nothing is cut off. */
gboolean sym_raise_is_even (const SymRaiseWindow *self);

/* ---- sym-raise-resize.c ---- */

/* How many times each of @rank axes becomes larger, by the sizes or by what the layer says.  FALSE,
 * and an error, when that is not known beforehand, or when the layer says something else than its
 * sizes, of which there is a whole number of pixels: by that places are found in ONNX alone. */
gboolean sym_raise_read_scales (SymRaise *self, int rank, double *scales);

/* Whether nearest neighbours are what a repetition of each pixel, @size times along @n axes, is. */
gboolean sym_raise_repeats (SymRaise *self, const gint64 *size, int n);

/* Whether pixels are taken between the middles of others. */
gboolean sym_raise_has_half_pixels (SymRaise *self);

G_END_DECLS
