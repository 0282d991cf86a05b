/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All windows are about to be drawn: each is, in a turn of the main loop of its own, the active one
 * first.  In one turn, the program would not answer for as long as all of them take.  In the thread
 * of the windows. */
void scope_turns_part (void);

G_END_DECLS
