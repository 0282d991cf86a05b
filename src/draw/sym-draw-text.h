/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* One line of text, set as the scene measured it.  Each thread keeps its own Pango context and the
 * texts that it has laid out lately, so these may be called from any thread. */
void
sym_draw_text_measure (const SymTextStyle *style, const char *text, double *width, double *height);

/* The middle of the text comes to (@x, @y), turned by @angle, in the current colour. */
void sym_draw_text_show (cairo_t *cr,
                         const SymTextStyle *style,
                         const char *text,
                         double x,
                         double y,
                         double angle);

/* The same @factor times as large, within @width: what is longer loses its middle. */
void sym_draw_text_show_within (cairo_t *cr,
                                const SymTextStyle *style,
                                const char *text,
                                double x,
                                double y,
                                double angle,
                                double factor,
                                double width);

G_END_DECLS
