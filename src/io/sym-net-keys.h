/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"
#include "io/sym-json.h"

G_BEGIN_DECLS

/* What a file calls a tensor by, with all that is known of it: one lookup tells. */
typedef struct {
  SymId first;    /* what was made first under it, or SYM_NO_ID */
  SymId last;     /* what was made last, where that is something else */
  guint declared; /* its place among the declared, counted from 1; 0 for none */
  guint length;
  char text[];
} SymNetKey;

/* All keys of a file, found by their texts.  They lie side by side and go all at once: a large file
 * has a hundred thousand of them. */
typedef struct _SymNetKeys SymNetKeys;

SymNetKeys *sym_net_keys_new (void);

/* There will be about @n: before the first, for room that need not be made larger again and again.
 */
void sym_net_keys_expect (SymNetKeys *self, guint n);
void sym_net_keys_free (SymNetKeys *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymNetKeys, sym_net_keys_free)

/* The key whose text is these bytes, none of them a NUL; NULL when it is not there.  Keys stay
 * where they are. */
SymNetKey *sym_net_keys_find (const SymNetKeys *self, const char *text, gsize length);

/* The same, made where it is not there: of nothing yet. */
SymNetKey *sym_net_keys_enter (SymNetKeys *self, const char *text, gsize length);

/* The key of a string of @json; NULL for what is no string. */
SymNetKey *sym_net_keys_enter_string (SymNetKeys *self, const SymJson *json, guint token);

guint sym_net_keys_get_n (const SymNetKeys *self);

G_END_DECLS
