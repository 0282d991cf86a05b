/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/sym-theme-private.h"

G_BEGIN_DECLS

/* Text on its way into a file.  The first failure is kept and makes everything after it do nothing,
 * so that writers need not look at each step; sym_draw_out_close() tells it. */
typedef struct _SymDrawOut SymDrawOut;

SymDrawOut *sym_draw_out_new (const char *path, GError **error);
gboolean sym_draw_out_close (SymDrawOut *self, GError **error);
void sym_draw_out_free (SymDrawOut *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymDrawOut, sym_draw_out_free)

void sym_draw_out_add (SymDrawOut *self, const char *text);
void sym_draw_out_add_bytes (SymDrawOut *self, const void *bytes, gsize size);
void sym_draw_out_addf (SymDrawOut *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* At most two decimals, no needless zeros, a point whatever the locale. */
void sym_draw_out_add_number (SymDrawOut *self, double number);

/* Two numbers with a space between. */
void sym_draw_out_add_point (SymDrawOut *self, double x, double y);

/* ` name="number"` */
void sym_draw_out_add_attribute (SymDrawOut *self, const char *name, double number);

/* `#rrggbb` */
void sym_draw_out_add_color (SymDrawOut *self, SymRgb color);

/* Text that XML 1.0 can hold, in content or in an attribute: what it cannot is U+FFFD. */
void sym_draw_out_add_xml (SymDrawOut *self, const char *text);

/* Whether it is worth while to go on. */
gboolean sym_draw_out_has_failed (const SymDrawOut *self);

G_END_DECLS
