/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-datum.h"

G_BEGIN_DECLS

/* @n_bytes bytes that are the datum's own, though they are within something larger: @free_owner is
 * called on @take_owner in the end, by whichever thread lets the datum go.  No strings. */
SymDatum *sym_datum_new_within (SymDType dtype,
                                const SymShape *shape,
                                void *data,
                                gsize n_bytes,
                                gpointer take_owner,
                                GDestroyNotify free_owner);

G_END_DECLS
