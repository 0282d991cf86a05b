/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-record.h"
#include "run/sym-run-distance.h"

G_BEGIN_DECLS

/* Numbers that the values of a model are expected to have, from a file, found by name.  Immutable;
 * reference-counted; any thread may use it. */
typedef struct _SymReference SymReference;

typedef struct {
  const char *name;  /* in the file */
  SymId value;       /* SYM_NO_ID: the model has none of that name */
  gboolean is_again; /* an entry before this one is of that value */
  SymTensor *tensor;
} SymReferenceEntry;

/* An array is of the value with its name, else of the first result of the layer with it.  Of two
 * for one value the one with the value's own name counts, else the first.  @has_dtypes tells
 * whether those of @tensors mean anything.  What is given is copied or referenced. */
SymReference *sym_reference_new (SymModel *model,
                                 const char *const *names,
                                 SymTensor *const *tensors,
                                 guint n,
                                 gboolean has_dtypes);
SymReference *sym_reference_ref (SymReference *self);
void sym_reference_unref (SymReference *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymReference, sym_reference_unref)

SymModel *sym_reference_get_model (const SymReference *self);

/* Those that were found, parameters first and then in order of execution; behind them the others,
 * as they came. */
guint sym_reference_get_n (const SymReference *self);
const SymReferenceEntry *sym_reference_get (const SymReference *self, guint i);
guint sym_reference_get_n_found (const SymReference *self);

/* What became of an entry. */
typedef enum {
  SYM_FINDING_MEASURED,
  SYM_FINDING_DTYPE,        /* measured, but of another dtype */
  SYM_FINDING_SHAPE,        /* of another shape */
  SYM_FINDING_NO_NUMBERS,   /* one of both is no tensor of numbers */
  SYM_FINDING_NOT_COMPUTED, /* the run does not have the value */
  SYM_FINDING_AGAIN,        /* another entry is of that value */
  SYM_FINDING_UNKNOWN,      /* no value of the model has that name */
} SymFindingKind;

typedef struct {
  SymFindingKind kind;
  SymDistance distance; /* known if it was measured */
} SymFinding;

/* Measures how far the values of @run, which is of the same model, are from what is expected, into
 * @findings, one for each entry.  Numbers of the file are read one array at a time; values that
 * were not kept are computed again.  FALSE when it was cancelled or that fails. */
gboolean sym_reference_measure (const SymReference *self,
                                const SymRecord *run,
                                SymFinding *findings,
                                GCancellable *cancellable,
                                GError **error);

/* Whether a finding tells of other numbers: they are beyond @absolute + @relative * the largest
 * expected one, or of another shape. */
gboolean sym_finding_exceeds (const SymFinding *self, double relative, double absolute);

/* "float32[2,3]", or "[2,3]" where dtypes mean nothing: of what entry @i expects, and of its value
 * in a run, NULL when that is no tensor. */
char *sym_reference_format_expected (const SymReference *self, guint i);
char *sym_reference_format_actual (const SymReference *self, guint i, const SymRecord *run);

G_END_DECLS
