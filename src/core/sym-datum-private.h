/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"

G_BEGIN_DECLS

/* A datum of kind SYM_KIND_OPAQUE.  @name, of its type, is static or interned; @free, which may be
 * NULL, is called on @object in the end. */
SymDatum *sym_datum_new_opaque (const char *name,
                                gconstpointer klass,
                                gpointer take_object,
                                GDestroyNotify free);
gconstpointer sym_datum_get_class (const SymDatum *self); /* NULL for the other kinds */
gpointer sym_datum_get_opaque (const SymDatum *self);

G_END_DECLS
