/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-state.h"

G_BEGIN_DECLS

/* A named dimension of a graph's inputs, such as batch: one that is a dimension of at least one of
 * them, as the file declares it, alone and not only as part of 2*seq+1.  It is in the shapes of
 * several inputs, and one size typed for it is one in the typed shapes of them all. */
typedef struct {
  char *name;
  SymDim variable;   /* of the model's terms */
  gint64 size;       /* that is typed for it wherever it is alone; -1: none is, or several are */
  guint n_places;    /* where it is alone, unless a shape without it is typed there */
  gboolean is_mixed; /* several are, or not everywhere */
} ScopeDimension;

/* In the order in which they occur; the caller's. */
GArray *scope_dimensions_read (const ScopeState *state);

/* Writes a number for it into the shape of every input that has it, 2*seq+1 counted; @text blank:
 * its name again.  What else is typed there stays.  NULL with an error where it is no size. */
ScopeState *scope_dimensions_set_text (const ScopeState *state,
                                       const char *name,
                                       const char *text,
                                       GError **error);

G_END_DECLS
