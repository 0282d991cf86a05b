/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/sym-draw.h"

G_BEGIN_DECLS

/* The way from one picture to another of the same model in which other groups or bodies are open.
 * What both show moves to its new place; what comes out of a group or a layer grows out of its box,
 * what goes into one shrinks into it; lines stay at what they join. */
typedef struct _SymMorph SymMorph;

/* @from_sight and @to_sight are what is seen of each at the same pixels; only that is moved.  NULL
 * when more than @max_parts items and pieces of lines would be, or the models differ. */
SymMorph *sym_morph_new (SymPicture *from,
                         SymPicture *to,
                         const SymRect *from_sight,
                         const SymRect *to_sight,
                         guint max_parts);
void sym_morph_free (SymMorph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymMorph, sym_morph_free)

/* Paints the moment @t, 0 to 1, in the coordinates of the second picture, as sym_picture_paint()
 * does a picture. */
void sym_morph_paint (SymMorph *self, cairo_t *cr, const SymRect *clip, double scale, double t);

/* Where an item of the second picture is at @t. */
SymRect sym_morph_get_item_rect (SymMorph *self, guint item, double t);

G_END_DECLS
