/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Tells on standard output, with each warning, where the program was, and of the widget that it
 * names by its address: what it is in and what is in it.  Left out is what the program itself
 * leaves out, and what is said of GTK's own windows, or of such off the screen.  Tells there, too,
 * where the program was when it fell.  Once, before GTK begins. */
void complaints_begin (void);

/* Whether a line of standard error is what pixman, which asks nobody, says of such windows, too:
 * for stderr_filter_begin(). */
gboolean complaints_leave_out (const char *line);
