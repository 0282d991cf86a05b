/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Between the two, nothing in the program begins to move by itself: what would, is at its end at
 * once.  Each beginning has an end; only the outermost count.  In the thread of the windows. */
void scope_still_begin (void);
void scope_still_end (void);

G_END_DECLS
