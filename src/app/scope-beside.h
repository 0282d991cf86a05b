/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Two children in a row, the second one as wide as it likes to be, at the end; where that leaves
 * the first, which wraps, too little to be read, the second goes below it. */
#define SCOPE_TYPE_BESIDE (scope_beside_get_type ())
G_DECLARE_FINAL_TYPE (ScopeBeside, scope_beside, SCOPE, BESIDE, GtkWidget)

G_END_DECLS
