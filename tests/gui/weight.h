/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Tells what the process holds of the machine; what of that is in use, in megabytes. */
double weight_tell (guint n_tabs);

/* The same in a thread, as the allocator counts long. */
void weight_tell_later (guint n_tabs);

/* From now on counts the pages of tabs. */
void weight_count_pages (void);

/* How many of them live, in tabs or not; tells that. */
guint weight_tell_pages (void);
