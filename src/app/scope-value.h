/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-record.h"

G_BEGIN_DECLS

/* The numbers of one value, wherever they are: in the file, when it is a parameter or constant, or
 * in what a run left.  By value; the references belong to whoever made it. */
typedef struct {
  SymTensor *tensor; /* in the file; else NULL, and */
  SymRecord *record; /* NULL: there are no numbers */
  SymId value;
} ScopeValue;

/* Which of both has the numbers of @value of @model; @record may be NULL. */
ScopeValue scope_value_find (SymModel *model, SymRecord *record, SymId value);
ScopeValue scope_value_copy (const ScopeValue *self);
void scope_value_clear (ScopeValue *self);

/* Whether there are numbers, and those that can be told without reading or computing anything. */
gboolean scope_value_is_there (const ScopeValue *self);
SymType scope_value_get_type (const ScopeValue *self);
gboolean scope_value_is_at_hand (const ScopeValue *self);

/* Statistics with a histogram, in a thread where the file has the numbers.  The result is the
 * caller's, to be freed with g_free(). */
void scope_value_measure_async (const ScopeValue *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
SymStatistics *scope_value_measure_finish (GAsyncResult *result, GError **error);

/* All of the numbers: read from the file, or computed again when the run did not keep them. */
void scope_value_load_async (const ScopeValue *self,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
SymDatum *scope_value_load_finish (GAsyncResult *result, GError **error);

/* Writes them as NumPy's `.npy`. */
void scope_value_save_async (const ScopeValue *self,
                             GFile *file,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean scope_value_save_finish (GAsyncResult *result, GError **error);

G_END_DECLS
