/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From now on a window that took long to lay itself out is painted in the next turn of the main
 * loop, so that what is done in between is answered after half the time.  In the thread of the
 * windows. */
void scope_frames_part (void);

G_END_DECLS
