/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Names of which each is there once. */
typedef struct _SymNameSet SymNameSet;

SymNameSet *sym_name_set_new (void);
void sym_name_set_free (SymNameSet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymNameSet, sym_name_set_free)

void sym_name_set_clear (SymNameSet *self);
gboolean sym_name_set_contains (const SymNameSet *self, const char *name);
void sym_name_set_add (SymNameSet *self, const char *name);

/* Adds @wanted, or, when it is there, "wanted_N" with the lowest N from @first on that is not; a
 * set is asked with one @first.  Borrowed.  It takes as long for the last of many that want one
 * name as for the first. */
const char *sym_name_set_choose (SymNameSet *self, const char *wanted, guint first);

G_END_DECLS
