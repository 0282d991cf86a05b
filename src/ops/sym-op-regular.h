/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-error.h"
#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* Regular expressions in the syntax of RE2, for whole texts: whether a text is one of those that
 * the expression describes, which no choice between greedy and lazy changes.  An automaton walks
 * along the text once, so no expression takes longer than its size times that of the text. */
typedef struct _SymOpRegular SymOpRegular;

/* NULL with SYM_ERROR_ARGUMENT when @pattern is none: the message tells the byte.  What RE2 has not
 * (references back, looking around) is refused, and so is \C. */
SymOpRegular *sym_op_regular_new (const char *pattern, GError **error);
void sym_op_regular_free (SymOpRegular *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymOpRegular, sym_op_regular_free)

/* Bytes that are no UTF-8 count as U+FFFD each.  FALSE when the run was cancelled. */
gboolean sym_op_regular_match (SymOpRegular *self,
                               SymKernel *kernel,
                               const char *text,
                               gsize length,
                               gboolean *matches,
                               GError **error);

/* The character at @place of @text, of which @n bytes, at least one, are left; how many it takes.
 */
gsize sym_op_next_character (const char *place, gsize n, gunichar *character);

G_END_DECLS
