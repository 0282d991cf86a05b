/* SPDX-License-Identifier: MIT */
#pragma once

#include "scene/sym-scene.h"

G_BEGIN_DECLS

/* What each item of a scene costs, such as the time of its layers, as one of a few levels that are
 * painted as colours.  A level reaches to twice what it starts with, so that what matters stands
 * out and what does not still differs.  A closed group costs what its layers do.
 *
 * Or of which class each item is, such as a dtype: then levels are the classes, and a group is of
 * the one that all its layers have in common.  Immutable; reference-counted. */
typedef struct _SymHeat SymHeat;

#define SYM_N_HEATS 6
#define SYM_NO_HEAT G_MAXUINT
#define SYM_N_CLASSES 8
#define SYM_NO_CLASS G_MAXUINT8

/* @costs are by call of the scene's model, negative where nothing is known; @unit is for legends:
 * "ms", "B" for bytes, else it comes behind a number, "parameters".  Interned. */
SymHeat *sym_heat_new (const SymScene *scene, const double *costs, guint n_costs, const char *unit);

/* The same of numbers that were moved up, so that none is negative: 0 stands for @lowest, and the
 * legend tells what numbers stand for. */
SymHeat *sym_heat_new_moved (const SymScene *scene,
                             const double *costs,
                             guint n_costs,
                             const char *unit,
                             double lowest);

/* @classes are by call, numbers of @names, of which there are at most SYM_N_CLASSES, NULL-ended. */
SymHeat *sym_heat_new_classes (const SymScene *scene,
                               const guint8 *classes,
                               guint n_classes,
                               const char *const *names);
/* The same by item, for groups of which something else is to be told than what all layers share.  A
 * class that is called "" is not used, and stands in no legend. */
SymHeat *
sym_heat_new_item_classes (const SymScene *scene, const guint8 *classes, const char *const *names);

/* Classes by item again, each with a colour that somebody else has chosen. */
typedef struct {
  guint32 fill; /* 0xRRGGBB */
  guint32 text;
  gboolean has_text; /* else what can be read */
} SymHeatColor;

#define SYM_N_OWN_COLORS 32
SymHeat *sym_heat_new_item_colors (const SymScene *scene,
                                   const guint8 *classes,
                                   const char *const *names,
                                   const SymHeatColor *colors);
SymHeat *sym_heat_ref (SymHeat *self);
void sym_heat_unref (SymHeat *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymHeat, sym_heat_unref)

/* The level of an item, 0 for the cheapest; SYM_NO_HEAT where nothing is known, and of what is no
 * layer of the model itself. */
guint sym_heat_get_level (const SymHeat *self, guint item);

/* What an item costs; negative where nothing is known. */
double sym_heat_get_cost (const SymHeat *self, guint item);

/* By level; NULL when the theme's are used. */
const SymHeatColor *sym_heat_get_colors (const SymHeat *self);

gboolean sym_heat_has_classes (const SymHeat *self);
guint sym_heat_get_n_levels (const SymHeat *self);

/* What a level starts with, 0 for the first and for classes. */
double sym_heat_get_edge (const SymHeat *self, guint level);

/* "0.25 ms", "1.2 M parameters", "25 KiB": the same as text; of a class its name.  The caller's. */
char *sym_heat_format_edge (const SymHeat *self, guint level);

const char *sym_heat_get_unit (const SymHeat *self); /* NULL of classes */

/* "0.25 ms and more", "less than 0.03 ms", "float32": the line of a legend; the caller's. */
char *sym_heat_format_level (const SymHeat *self, guint level);

G_END_DECLS
