/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* Measures lines of text with Pango, at fixed resolution and without hinting, so that the same
 * fonts give the same widths everywhere.  Each has a font map of its own: one per thread is safe.
 */
typedef struct _SymMeasure SymMeasure;

SymMeasure *sym_measure_new (void);
void sym_measure_free (SymMeasure *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymMeasure, sym_measure_free)

/* The width of one line of valid UTF-8 in user units. */
double sym_measure_get_width (SymMeasure *self, const char *text, const SymTextStyle *style);

G_END_DECLS
