/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/sym-datum.h"
#include "core/sym-layer.h"

G_BEGIN_DECLS

/* What the kernel of an operator sees of one call while a model runs: data of its operands,
 * attributes of its layer, and the places for its results.  A kernel trusts nothing: shapes that do
 * not fit are an error that names them (sym_kernel_fail), never a read beyond the data.  It sets
 * every output that is wanted. */
typedef struct _SymKernel SymKernel;

/* ---- The layer ---- */

SymLayer *sym_kernel_get_layer (SymKernel *self);

/* The version of the operator set in which the operator got the meaning that it has here. */
int sym_kernel_get_version (SymKernel *self);

/* Attributes.  The fallback is returned when the attribute is absent, None or of another kind; of
 * ints and floats there may be more than @max, -1 says that there are none. */
const SymAttributes *sym_kernel_get_attributes (SymKernel *self);
gint64 sym_kernel_get_int (SymKernel *self, const char *name, gint64 fallback);
double sym_kernel_get_float (SymKernel *self, const char *name, double fallback);
gboolean sym_kernel_get_bool (SymKernel *self, const char *name, gboolean fallback);
const char *sym_kernel_get_string (SymKernel *self, const char *name, const char *fallback);
SymDType sym_kernel_get_dtype (SymKernel *self, const char *name, SymDType fallback);
int sym_kernel_get_ints (SymKernel *self, const char *name, gint64 *values, int max);
int sym_kernel_get_floats (SymKernel *self, const char *name, double *values, int max);

/* ---- Operands ---- */

guint sym_kernel_get_n_inputs (SymKernel *self);
gboolean sym_kernel_has_input (SymKernel *self, guint i);

/* The tensor in slot @i.  NULL where the slot is empty, beyond the operands, and where there is a
 * sequence or an optional.  Of an operator with `half_as_float`, float16 and bfloat16 come as
 * float32. */
const SymArray *sym_kernel_get_input (SymKernel *self, guint i);

/* The same, but its absence is an error that names the slot. */
const SymArray *sym_kernel_need_input (SymKernel *self, guint i, GError **error);

/* Whatever is in slot @i, borrowed; NULL for nothing. */
SymDatum *sym_kernel_get_datum (SymKernel *self, guint i);

/* The integers of a small operand of one axis or none (axes, shape, steps), at most @max.  *@n is
 * -1 when the slot is empty.  FALSE when it is no integer tensor or has more. */
gboolean
sym_kernel_read_ints (SymKernel *self, guint i, gint64 *values, int max, int *n, GError **error);

/* ---- Results ---- */

guint sym_kernel_get_n_outputs (SymKernel *self);
gboolean sym_kernel_wants_output (SymKernel *self, guint i);

/* A place for the numbers of output @i, at least one byte.  Of an operator with `half_as_float`
 * whose operands are halves a float32 result becomes such a half after the kernel.  An output that
 * is not wanted gets a place too.  NULL with an error when there is no memory. */
SymArray *sym_kernel_new_output (SymKernel *self,
                                 guint i,
                                 SymDType dtype,
                                 const SymShape *shape,
                                 GError **error);

/* Output @i is the numbers of the operand in slot @input, perhaps of another @shape (NULL: the
 * same) with as many elements. */
gboolean
sym_kernel_pass (SymKernel *self, guint input, guint i, const SymShape *shape, GError **error);

/* Output @i is @datum, which is referenced. */
gboolean sym_kernel_set_output (SymKernel *self, guint i, SymDatum *datum, GError **error);

/* Gives an output that is there another shape with as many elements. */
gboolean
sym_kernel_reshape_output (SymKernel *self, guint i, const SymShape *shape, GError **error);

/* ---- Around ---- */

/* Memory for the time of this run of the kernel, aligned to 64 bytes; each call another piece. NULL
 * with SYM_ERROR_LIMIT. */
void *sym_kernel_get_scratch (SymKernel *self, gsize n_elements, gsize size, GError **error);

/* Runs body @body of the layer with these operands, then those that it takes from outside.
 * @outputs, one for each output of the body, are the caller's to unref. */
gboolean sym_kernel_run_body (SymKernel *self,
                              guint body,
                              SymDatum *const *inputs,
                              guint n_inputs,
                              SymDatum **outputs,
                              guint n_outputs,
                              GError **error);

/* What random numbers of this call begin with: another for each call and each seed of a run. */
guint64 sym_kernel_get_seed (SymKernel *self);

/* TRUE, with @error set to G_IO_ERROR_CANCELLED, once the run was cancelled: asked at least every
 * 10 ms of work. */
gboolean sym_kernel_is_cancelled (SymKernel *self, GError **error);

/* Sets a SYM_ERROR_SHAPE and is FALSE: `return sym_kernel_fail (error, "...", ...)`. */
#define sym_kernel_fail(error, ...) (sym_kernel_set_error ((error), __VA_ARGS__), sym_failed ())

void sym_kernel_set_error (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* ---- From outside ---- */

/* What a kernel may ask of whoever runs it. */
typedef struct {
  gboolean (*run_body) (gpointer user_data,
                        guint body,
                        SymDatum *const *inputs,
                        guint n_inputs,
                        SymDatum **outputs,
                        guint n_outputs,
                        GError **error);
  gpointer user_data;
  SymDatumPool *pool; /* where memory for results comes from; NULL for nowhere */
  GCancellable *cancellable;
  guint64 seed;
} SymKernelHost;

/* A kernel for calls of @layer, which must have an operator that has one.  Not for two threads at
 * once; keeps its memory for the next run.  @host may be NULL and is borrowed. */
SymKernel *sym_kernel_new (SymLayer *layer, const SymKernelHost *host);
void sym_kernel_free (SymKernel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymKernel, sym_kernel_free)

/* Runs it once.  @inputs, NULL for empty slots, are borrowed.  @outputs are slots: what is in them
 * may be written over where nobody else has it, and is replaced otherwise.  @wanted may be NULL for
 * all. After an error the outputs are in no particular state, but valid. */
gboolean sym_kernel_run (SymKernel *self,
                         SymDatum *const *inputs,
                         guint n_inputs,
                         SymDatum **outputs,
                         guint n_outputs,
                         const gboolean *wanted,
                         GError **error);

G_END_DECLS
