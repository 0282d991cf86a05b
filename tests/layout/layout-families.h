/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* Nets of any size in the manner of ten well-known families, for tests and measurements of what
 * draws them.  Same family and size, same net. */
typedef struct _LayoutFamily LayoutFamily;

/* NULL-ended. */
extern const LayoutFamily *const layout_families[];

const LayoutFamily *layout_family_find (const char *name);
const char *layout_family_get_name (const LayoutFamily *self);

/* Whether it is made of equal pieces; the others are wired at random. */
gboolean layout_family_is_regular (const LayoutFamily *self);

/* A net of about @n_layers layers, its whole pieces being the limit. */
SymModel *layout_family_make (const LayoutFamily *self, guint n_layers);

G_END_DECLS
