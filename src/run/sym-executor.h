/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"
#include "core/sym-infer.h"

G_BEGIN_DECLS

/* A model bound to arrays, as MXNet's Executor is (M60-M63, without gradients: M64).  Its
 * *arguments* are the live values that no call makes and that are not tracked only: inputs, labels,
 * weights; its *auxiliary states* are those that are.  Both are in the order of the file, which is
 * that of list_arguments(), and go by their names, as do outputs.
 *
 * Arrays are SymDatum tensors, referenced and not copied: numbers written into one between two runs
 * are those of the next run, and one array may be bound to several names and in several executors
 * (variable sharing, weight tying).  An executor is for one thread at a time, as are arrays while a
 * run reads them; executors of one model that share no array may run in several threads at once. */
typedef struct _SymExecutor SymExecutor;

void sym_executor_free (SymExecutor *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymExecutor, sym_executor_free)

/* ---- Binding ---- */

/* M60 with a dict, for arguments and auxiliary states alike.  Names that the model does not have
 * are ignored.  What is left out takes the numbers that the model itself has; SYM_ERROR_ARGUMENT,
 * "key `b` is missing in `args`", where it has none.  SYM_ERROR_SHAPE when the shapes or dtypes
 * contradict each other, with the operator's name and both shapes. */
SymExecutor *sym_model_bind (SymModel *model,
                             const char *const *names,
                             SymDatum *const *arrays,
                             guint n,
                             GError **error);

/* M60 with lists: exactly as many as there are arguments, and auxiliary states. */
SymExecutor *sym_model_bind_list (SymModel *model,
                                  SymDatum *const *arguments,
                                  guint n_arguments,
                                  SymDatum *const *auxiliary,
                                  guint n_auxiliary,
                                  GError **error);

/* What is said of an argument before its array is made.  Rank -1 and SYM_DTYPE_UNKNOWN say
 * nothing; sizes are numbers or SYM_DIM_UNKNOWN. */
typedef struct {
  const char *name;
  SymShape shape;
  SymDType dtype;
} SymBinding;

/* M61: infers all shapes from those that are given and makes the arrays: the model's own numbers
 * where it has some, else zeros; an unknown dtype is float32.  Arrays of the same name, shape and
 * dtype that @shared (may be NULL) has are shared with it.  SYM_ERROR_UNDECIDED names what cannot
 * be inferred, SYM_ERROR_NOT_FOUND a name that is no argument, with the candidates (M40). */
SymExecutor *sym_model_simple_bind (SymModel *model,
                                    const SymBinding *bindings,
                                    guint n,
                                    SymExecutor *shared,
                                    GError **error);

typedef enum {
  SYM_RESHAPE_DEFAULT = 0,
  SYM_RESHAPE_PARTIAL = 1 << 0,      /* arguments that were not named may change their shape, too */
  SYM_RESHAPE_ALLOW_LARGER = 1 << 1, /* arrays may grow: into new ones, of zeros */
} SymReshapeFlags;

/* M63: an executor of the same model for other shapes.  Arrays whose shape stays are shared; one
 * that shrinks becomes a view of the memory that it had.  Both executors can be used, one at a
 * time. */
SymExecutor *sym_executor_reshape (SymExecutor *self,
                                   const SymBinding *bindings,
                                   guint n,
                                   SymReshapeFlags flags,
                                   GError **error);

/* ---- Running ---- */

/* Computes the outputs as for inference (is_train=False): batch norms use their moving statistics,
 * nothing is dropped.  Errors as of sym_run_execute(). */
gboolean sym_executor_forward (SymExecutor *self, GCancellable *cancellable, GError **error);

/* The same with arguments copied into their arrays before, converted to their dtype.  "Unknown
 * argument x", "Shape not match! Argument a, need: (2, 3), received: (3, 2)": then none was copied.
 */
gboolean sym_executor_forward_with (SymExecutor *self,
                                    const char *const *names,
                                    SymDatum *const *arrays,
                                    guint n,
                                    GCancellable *cancellable,
                                    GError **error);

/* Copies parameters, arguments and auxiliary states by name, into the arrays.  "Find name "x" that
 * is not in the arguments" unless @allow_extra; shapes must match.  All or none are copied. */
gboolean sym_executor_copy_params_from (SymExecutor *self,
                                        const char *const *names,
                                        SymDatum *const *arrays,
                                        guint n,
                                        gboolean allow_extra,
                                        GError **error);

/* Called with every result of every call as soon as it is there, for the time of the call; with
 * @all also with what goes into it.  NULL ends it. */
typedef void (*SymMonitor) (const char *name, SymDatum *array, gpointer user_data);

void
sym_executor_set_monitor (SymExecutor *self, SymMonitor monitor, gboolean all, gpointer user_data);

/* What seeds random layers; 0 unless set. */
void sym_executor_set_seed (SymExecutor *self, guint64 seed);

/* Runs are compiled as long as the numbers of the weights stay the same from one to the next, which
 * changes how results are rounded (see SymPlanOptions); a run whose weights were just written, one
 * with a monitor, and all when @is_exact, are computed by the reference kernels. */
void sym_executor_set_exact (SymExecutor *self, gboolean is_exact);

/* Threads of compiled runs; 1 unless set. */
void sym_executor_set_threads (SymExecutor *self, guint n_threads);

/* ---- Arrays ---- */

typedef enum {
  SYM_ARRAYS_ARGUMENTS,
  SYM_ARRAYS_AUXILIARY,
  SYM_ARRAYS_OUTPUTS,
} SymArrays;

SymModel *sym_executor_get_model (const SymExecutor *self);

/* By index, in order.  Outputs are NULL before the first run, and may be written over by the next
 * one unless they are kept (sym_datum_keep). */
guint sym_executor_get_n (const SymExecutor *self, SymArrays which);
const char *sym_executor_get_name (const SymExecutor *self, SymArrays which, guint i);
SymDatum *sym_executor_get (const SymExecutor *self, SymArrays which, guint i);

/* By name, as of arg_dict, aux_dict and output_dict.  SYM_ERROR_NOT_FOUND; SYM_ERROR_AMBIGUOUS,
 * where MXNet has "Duplicate names detected", when two are called so; SYM_ERROR_ARGUMENT for an
 * output before the first run. */
SymDatum *
sym_executor_find (const SymExecutor *self, SymArrays which, const char *name, GError **error);

/* ---- All in one ---- */

/* M62: binds, runs, and returns the outputs in order, an array of SymDatum. */
GPtrArray *sym_eval (SymModel *model,
                     const char *const *names,
                     SymDatum *const *arrays,
                     guint n,
                     GCancellable *cancellable,
                     GError **error);

G_END_DECLS
