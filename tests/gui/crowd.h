/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

/* The windows that are on the screen; borrowed. */
GPtrArray *crowd_list_windows (void);

/* The same in words, a line each, for who waits in vain; the caller's to free. */
char *crowd_describe_windows (void);

/* The widget and those below it: @all, or those that can be clicked at.  Borrowed. */
GPtrArray *crowd_list_widgets (GtkWidget *root, gboolean all);
