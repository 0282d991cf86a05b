/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-memory-private.h"
#include "run/sym-packer-private.h"
#include "run/sym-plan-graph-private.h"
#include "run/sym-processor-private.h"

G_BEGIN_DECLS

typedef struct _SymStep SymStep;

/* What a step finds while it runs. */
typedef struct {
  float *const *places; /* of each tensor of the graph where its numbers are */
  void *scratch;        /* this thread's, as large as the step asked for, aligned to 64 bytes */
  gpointer state;       /* this run's, when the class makes any */
  GCancellable *cancellable; /* for slices that take long; NULL for none */
  guint round;               /* of the slices of the step */
  guint next;                /* slice of this thread, perhaps; none where there are fewer */
} SymStepRun;

/* Rows of images with the channels last, counted over all images.  Where only some are there they
 * take turns: row i is at place i % n. */
typedef struct {
  float *numbers;
  gsize n, size; /* rows that there is room for; numbers of each */
} SymRows;

static inline float *
sym_rows_find (const SymRows *self, gsize row)
{
  return self->numbers + row % self->n * self->size;
}

/* How a kind of step is run.  A class may leave out what it does not need, but for `run` and
 * `free`. */
typedef struct {
  /* Slices are independent of each other, and run in any order, perhaps at once.  FALSE with @error
   * ends the run. */
  gboolean (*run) (const SymStep *self, const SymStepRun *run, guint slice, GError **error);
  void (*free) (SymStep *self);

  /* Rows of the result from @first to before @end, all of one image, of x and to y that lie as
   * told, but for the addend. */
  void (*run_rows) (const SymStep *self,
                    const SymStepRun *run,
                    const SymRows *x,
                    const SymRows *y,
                    gsize first,
                    gsize end);

  gpointer (*new_state) (const SymStep *self, GError **error);
  void (*free_state) (gpointer state);
} SymStepClass;

/* One step of a compiled region.  Kinds of steps begin with this.  Immutable, for any number of
 * runs at a time. */
struct _SymStep {
  const SymStepClass *class;
  guint n_slices;  /* at least 1 */
  guint n_rounds;  /* all slices are run so often, each time when all are done; 0 for once */
  gsize n_scratch; /* bytes to work in, for each thread */
  gsize n_bytes;   /* of numbers that it holds */
};

/* What kinds of steps are to be made. */
typedef struct {
  const SymProcessor *processor;
  guint n_threads;
  gboolean is_exact;   /* direct algorithms only */
  SymMemoryPool *pool; /* for packed weights; outlives the steps */
  GHashTable *packed;  /* weights that several steps have: see sym_product_new_table() */
  SymPacker *packer;
} SymStepOptions;

/* So many slices that all threads have work, and that each takes long enough to be worth handing
 * over: of work for @n_cycles of one thread.  At most @max. */
guint sym_step_count_slices (const SymStepOptions *options, double n_cycles, gsize max);

/* Slice @slice of @n_slices of @n pieces of work: from *@first to before *@end.  The first half of
 * the slices has as many pieces as the other one, or one fewer. */
void sym_step_get_slice (guint slice, guint n_slices, gsize n, gsize *first, gsize *end);

/* Columns of a result that tiles compute together, at most as many vectors as the processor takes.
 */
typedef struct {
  gsize first, n;
  guint n_vectors, n_rows; /* the most rows of its tiles */
} SymBlock;

/* Blocks of @n columns, as even as they can be. */
GArray *sym_step_new_blocks (const SymProcessor *processor, gsize n);

/* Bounds of an operation's activation. */
SymBounds sym_step_get_bounds (const SymPlanOp *op);

/* The same where it is no matter of bounds; and what it makes of some results. */
SymActivation sym_step_get_activation (const SymPlanOp *op);
void sym_step_activate (const SymActivation *self, float *y, gsize n);

/* The kinds, one file each, made from an operation of their own kind (see SymPlanOp). */
SymStep *
sym_convolution_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *
sym_pointwise_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *
sym_winograd_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *
sym_factors_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *
sym_resize_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *
sym_local_norm_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *
sym_sample_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *
sym_volume_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *
sym_scatter_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);
SymStep *sym_volume_window_new (const SymPlanGraph *graph,
                                const SymPlanOp *op,
                                const SymStepOptions *options);
SymStep *
sym_window_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);

/* Of @n operations from @first on, each of what the one before makes for nobody else, run by a few
 * rows at a time, so that what is between them stays in the processor's nearest memory. */
SymStep *
sym_strip_new (const SymPlanGraph *graph, guint first, guint n, const SymStepOptions *options);

/* Whether @op is better run in one strip with @before, whose result nobody else needs. */
gboolean sym_strip_joins (const SymPlanGraph *graph, const SymPlanOp *before, const SymPlanOp *op);

/* The step of a convolution or pool. */
SymStep *
sym_step_new_image (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);

/* Whether sym_pointwise_new() can do it. */
gboolean sym_pointwise_fits (const SymPlanOp *op);

/* Whether sym_scatter_new() can do it, and is quicker than sym_volume_new(). */
gboolean sym_scatter_is_better (const SymPlanOp *op, const SymStepOptions *options);

/* Whether sym_winograd_new() can do it, and is quicker than sym_convolution_new(). */
gboolean sym_winograd_is_better (const SymPlanGraph *graph,
                                 const SymPlanOp *op,
                                 const SymStepOptions *options);

SymStep *
sym_recurrent_new (const SymPlanGraph *graph, const SymPlanOp *op, const SymStepOptions *options);

SymStep *sym_convert_new (const SymPlanGraph *graph, const SymPlanOp *op);
SymStep *sym_copy_new (const SymPlanGraph *graph, const SymPlanOp *op);

/* Of the @n operations from @first on, all of them elementwise, of as many elements, and in the
 * same order in memory, run piece by piece so that what is between them stays in the processor's
 * nearest memory.  @hidden tensors are not written.  Constants are borrowed. */
SymStep *sym_chain_new (const SymPlanGraph *graph,
                        guint first,
                        guint n,
                        const gboolean *hidden,
                        const SymStepOptions *options);

G_END_DECLS
