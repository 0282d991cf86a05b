/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* What each item of a scene costs, such as the time of its layers, as one of a few levels that are
 * painted as colours.  A level reaches to twice what it starts with, so that what matters stands
 * out and what does not still differs.  A closed group costs what its layers do.  Immutable;
 * reference-counted. */
typedef struct _SymHeat SymHeat;

#define SYM_N_HEATS 6
#define SYM_NO_HEAT G_MAXUINT

/* @costs are by call of the scene's model, negative where nothing is known; @unit is "ms" or the
 * like for legends, interned. */
SymHeat *sym_heat_new (const SymScene *scene, const double *costs, guint n_costs, const char *unit);
SymHeat *sym_heat_ref (SymHeat *self);
void sym_heat_unref (SymHeat *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymHeat, sym_heat_unref)

/* The level of an item, 0 for the cheapest; SYM_NO_HEAT where nothing is known, and of what is no
 * layer of the model itself. */
guint sym_heat_get_level (const SymHeat *self, guint item);

/* What an item costs; negative where nothing is known. */
double sym_heat_get_cost (const SymHeat *self, guint item);

/* What a level starts with, 0 for the first. */
double sym_heat_get_edge (const SymHeat *self, guint level);

const char *sym_heat_get_unit (const SymHeat *self);

/* "0.25 ms and more", "less than 0.03 ms": the line of a legend; the caller's. */
char *sym_heat_format_level (const SymHeat *self, guint level);

G_END_DECLS
