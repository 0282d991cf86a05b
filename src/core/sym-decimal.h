/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Numbers in decimal digits.  A table of a large graph has so many that printf would take a third
 * of the time of making it. */
void sym_decimal_append (GString *out, gint64 number);
void sym_decimal_append_unsigned (GString *out, guint64 number);

G_END_DECLS
