/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-executor.h"
#include "run/sym-run.h"

G_BEGIN_DECLS

/* An array under its name.  A view of another one's memory keeps that one alive. */
typedef struct {
  SymId value;
  SymDatum *array;
  SymDatum *owner; /* NULL unless a view */
} SymBound;

struct _SymExecutor {
  SymModel *model;
  SymInference *inference;   /* with the types of the arrays */
  SymRun *layers, *compiled; /* by the kernels; by compiled steps, NULL for none yet */
  SymRun *run;               /* the last one of these; NULL for none */
  guint64 compiled_sum, sum; /* of the weights: those that are compiled, and those seen last */
  gboolean has_sum, is_exact;
  guint n_threads;
  guint64 seed;
  GArray *arguments, *auxiliary; /* of SymBound */
  GHashTable *places;            /* name to its SymBound; of doubles the first */
  SymMonitor monitor;
  gboolean monitors_all;
  gpointer monitor_data;
  gboolean has_run;
};

/* An executor with places for all arrays, and none in them. */
SymExecutor *sym_executor_new (SymModel *model);

/* All arrays are there: makes it ready to run.  FALSE when one does not fit. */
gboolean sym_executor_settle (SymExecutor *self, SymInference *inference, GError **error);

/* sym-executor-run.c: computes the outputs. */
gboolean sym_executor_run (SymExecutor *self, GCancellable *cancellable, GError **error);

/* The argument or auxiliary state called @name; NULL for none. */
SymBound *sym_executor_find_bound (const SymExecutor *self, const char *name);

const char *sym_executor_get_bound_name (const SymExecutor *self, const SymBound *bound);

/* "(2, 3)", "(2,)". */
char *sym_executor_format_shape (const SymShape *shape);

G_END_DECLS
