/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* What the program has other threads do, seen by tests that are linked with -Wl,--wrap of
 * g_task_run_in_thread.  How many were begun whose ends it has not yet been told of. */
guint errands_count (void);
