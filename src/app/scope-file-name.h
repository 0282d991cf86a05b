/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a file is called, to be read: without its folder, always UTF-8, whatever bytes the disk has
 * for it, and never empty: one that has no name of its own is called by its whole address. */
char *scope_file_name (GFile *file);

/* Where it is, to be read: its path, or else its address; always UTF-8 as well. */
char *scope_file_address (GFile *file);

G_END_DECLS
