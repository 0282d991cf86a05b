/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Whether a line, without its end, is left out.  Called in a thread of its own. */
typedef gboolean (*StderrFilterFunc) (const char *line);

/* What libraries below GLib write to standard error themselves goes through is_left_out, until the
 * end; all else that is written there, too.  Once. */
void stderr_filter_begin (StderrFilterFunc is_left_out);

/* All that was written has come through then. */
void stderr_filter_end (void);
