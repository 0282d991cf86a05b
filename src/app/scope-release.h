/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lets go of something in another thread, soon.  To free a graph of 100,000 layers takes 50 ms, in
 * which a window would not answer; so whoever may hold the last reference to one gives it here.
 * @free may run in any thread.  What it frees goes back to the machine. */
void scope_release (gpointer take_data, GDestroyNotify free);

G_END_DECLS
