/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A command ends soon, and takes again what it frees: memory is asked of the kernel in large
 * pieces, and not handed back in between, since each page costs as much as reading ten lines of a
 * file. */
void sym_cli_memory_begin (void);

/* The file at @path is to be read.  For a large one the heap grows at once by what its graph may
 * need, in pages of 2 MiB where the kernel has them: small ones took a quarter of the time.  For a
 * smaller one what is needed for certain is taken at once.  Where it cannot grow, or there are no
 * such pages, everything is as before. */
void sym_cli_memory_expect (const char *path);

G_END_DECLS
