/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers in decimal digits.  A table of a large graph has so many that printf would take a third
 * of the time of making it. */
void sym_decimal_append (GString *out, gint64 number);
void sym_decimal_append_unsigned (GString *out, guint64 number);

/* "21,429", as people read it in English texts. */
void sym_decimal_append_grouped (GString *out, guint64 number);

/* Digits of G_MAXUINT64. */
#define SYM_DECIMAL_MAX 20

/* The same to a place with room for so many; returns their end.  No NUL follows. */
char *sym_decimal_write_unsigned (char *place, guint64 number);

G_END_DECLS
