/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-distances.h"
#include "io/sym-overlay.h"
#include "layout/sym-layout.h"
#include "query/sym-figures.h"
#include "query/sym-query.h"
#include "run/sym-record.h"
#include "scene/sym-scene-heat.h"

G_BEGIN_DECLS

/* What the colours of layers tell: one line in the table of scope-colors.c. */
typedef enum {
  SCOPE_COLORS_CATEGORY, /* the usual ones */
  SCOPE_COLORS_PARAMETERS,
  SCOPE_COLORS_BYTES, /* of results */
  SCOPE_COLORS_MULTIPLY_ADDS,
  SCOPE_COLORS_DTYPE,      /* of the first result */
  SCOPE_COLORS_TIME,       /* of the last run */
  SCOPE_COLORS_FOUND,      /* what the search has found */
  SCOPE_COLORS_OVERLAY,    /* what another program found out */
  SCOPE_COLORS_COMPARISON, /* what differs from another graph */
  SCOPE_COLORS_DISTANCE,   /* how far numbers are from those of another run */
} ScopeColors;

#define SCOPE_N_COLORS (SCOPE_COLORS_DISTANCE + 1)

/* "category", "multiply-adds": of the action's state; and for people. */
const char *scope_colors_to_string (ScopeColors colors);
const char *scope_colors_get_title (ScopeColors colors);
gboolean scope_colors_from_string (const char *name, ScopeColors *colors);

/* What colours may come from; NULL for what there is not. */
typedef struct {
  SymInference *inference;
  SymFigures *figures; /* of that inference */
  SymRecord *record;
  const GArray *found;   /* of SymId, values */
  const SymQuery *query; /* which has found them */
  SymOverlay *overlay;
  ScopeComparison *comparison;
  const ScopeDistances *distances; /* of a run of that inference's model */
} ScopeColorsSource;

/* NULL for the usual colours, and where there is nothing to tell.  In time linear in the model. */
SymHeat *scope_colors_create_heat (ScopeColors colors,
                                   const ScopeColorsSource *source,
                                   const SymLayout *layout);

G_END_DECLS
