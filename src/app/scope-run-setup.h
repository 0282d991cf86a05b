/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-state.h"
#include "run/sym-record.h"
#include "run/sym-run-picture.h"

G_BEGIN_DECLS

/* What an input of a run is to be fed with. */
typedef enum {
  SCOPE_FEED_RANDOM,
  SCOPE_FEED_ZEROS,
  SCOPE_FEED_ONES,
  SCOPE_FEED_NUMPY,   /* a file (app/scope-input-numbers.h) */
  SCOPE_FEED_PICTURE, /* a file, scaled into the input */
} ScopeFeedKind;

#define SCOPE_N_FEED_KINDS (SCOPE_FEED_PICTURE + 1)

typedef struct {
  SymId value;
  ScopeFeedKind kind;
  char *shape; /* as typed; NULL or blank: as inferred, sizes that nobody tells being 1 */
  GFile *file; /* of the kinds that need one */
  SymPictureRange range;
} ScopeInputWish;

/* What a run is to be like. */
typedef struct {
  ScopeState
      *state; /* the model, and shapes that were typed for good; NULL of one that is remembered */
  GArray *inputs; /* of ScopeInputWish */
  guint64 seed;
  gboolean makes_weights;
} ScopeRunWish;

ScopeRunWish *scope_run_wish_new (ScopeState *state);
void scope_run_wish_free (ScopeRunWish *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeRunWish, scope_run_wish_free)

/* What is wished of inputs, without the state: for the next time. */
ScopeRunWish *scope_run_wish_remember (const ScopeRunWish *self);

/* NULL for an input that nothing is wished of. */
const ScopeInputWish *scope_run_wish_find (const ScopeRunWish *self, SymId value);

/* Adds a wish with a copy of @shape. */
void scope_run_wish_add (ScopeRunWish *self, const ScopeInputWish *input);

/* The inputs that a run needs, an array of SymId: those without numbers of their own. */
GArray *scope_run_list_inputs (SymModel *model);

/* All that a run needs, in memory. */
typedef struct {
  SymModel *model;
  GArray *feeds; /* of SymFeed */
  SymInference *types;
  guint64 seed;
  gboolean makes_weights;
  char *taken; /* sizes that were made up, in words; NULL for none */
} ScopeRunSetup;

void scope_run_setup_free (ScopeRunSetup *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeRunSetup, scope_run_setup_free)

/* Reads files and makes numbers.  NULL with an error; *@input is then which of the wishes it is
 * about, G_MAXUINT for none. */
ScopeRunSetup *scope_run_wish_prepare (const ScopeRunWish *self,
                                       guint *input,
                                       GCancellable *cancellable,
                                       GError **error);

/* The same in a thread.  Takes @wish. */
void scope_run_wish_prepare_async (ScopeRunWish *take_wish,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
ScopeRunSetup *scope_run_wish_prepare_finish (GAsyncResult *result, guint *input, GError **error);

G_END_DECLS
