/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-extract.h"

G_BEGIN_DECLS

/* What the user decided about one model, and undo gives back: which values the cut starts and ends
 * at, and the shapes of inputs.  Reference-counted; immutable: the functions that change something
 * return another state. */
typedef struct _ScopeState ScopeState;

typedef enum {
  SCOPE_MARK_OUTPUT,
  SCOPE_MARK_INPUT,
} ScopeMark;

#define SCOPE_N_MARKS (SCOPE_MARK_INPUT + 1)

/* The state of @model before anything was decided. */
ScopeState *scope_state_new (SymModel *model);
ScopeState *scope_state_ref (ScopeState *self);
void scope_state_unref (ScopeState *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeState, scope_state_unref)

/* Whether the file gives that shape itself, so that typing it decides nothing: it was saved, say.
 */
gboolean scope_state_is_declared_shape (SymModel *model, SymId value, const char *text);

/* The same decisions about another model: those on values that it has under the same names. */
ScopeState *scope_state_move (const ScopeState *self, SymModel *model);

/* The same decisions about a model that an edit has made of this one's: ids stay. */
ScopeState *scope_state_edit (const ScopeState *self, SymModel *model);

/* The value of @to that has the name which @value has in @from; SYM_NO_ID when none has. */
SymId scope_state_find_same (SymModel *from, SymId value, SymModel *to);

SymModel *scope_state_get_model (const ScopeState *self);

/* Marked values in the order in which they were marked. */
SymIds scope_state_get_marks (const ScopeState *self, ScopeMark mark);
gboolean scope_state_has_mark (const ScopeState *self, ScopeMark mark, SymId value);
ScopeState *scope_state_toggle_mark (const ScopeState *self, ScopeMark mark, SymId value);

/* Marks all of @values, or none of them any more. */
ScopeState *
scope_state_set_marks (const ScopeState *self, ScopeMark mark, SymIds values, gboolean is_marked);
ScopeState *scope_state_clear_marks (const ScopeState *self);

/* The text that was typed as shape of @value, NULL for none. */
const char *scope_state_get_shape_text (const ScopeState *self, SymId value);

/* @text NULL or blank: the shape that the file gives.  NULL with an error when it is no shape. */
ScopeState *
scope_state_set_shape_text (const ScopeState *self, SymId value, const char *text, GError **error);

/* Several at once, one text for each value. */
ScopeState *scope_state_set_shape_texts (const ScopeState *self,
                                         const SymId *values,
                                         const char *const *texts,
                                         guint n,
                                         GError **error);

/* Whether inference would be told the same by both. */
gboolean scope_state_has_same_shapes (const ScopeState *a, const ScopeState *b);

/* The shapes as inference takes them, borrowed; @n receives their number. */
const SymOverride *scope_state_get_overrides (const ScopeState *self, guint *n);

G_END_DECLS
