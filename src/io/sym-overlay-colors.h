/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"
#include "io/sym-json.h"

G_BEGIN_DECLS

/* The colours that a file of Model Explorer's node data brings, as it writes them: CSS, such as
 * "#aabb00", "red", "rgb(1, 2, 3)".  A node's own `bgColor` and `textColor`; and of each graph in
 * it a scale that has one for each number, its `gradient` or, without one, its `thresholds`. */
typedef struct _SymOverlayColors SymOverlayColors;

typedef struct {
  double
      number; /* of a gradient from 0, for the smallest one of its graph, to 1, for the largest */
  char *fill; /* NULL for none */
  char *text; /* likewise */
} SymOverlayStop;

typedef struct {
  gboolean is_gradient; /* between stops it is mixed; else each stop is the last of its range */
  const SymOverlayStop *stops; /* ascending */
  guint n_stops;
  double lowest, highest; /* number that a node of the graph has */
} SymOverlayScale;

SymOverlayColors *sym_overlay_colors_new (guint n_calls);
void sym_overlay_colors_free (SymOverlayColors *self);

/* While it is read: the graph whose nodes come next, and a node of it. */
void sym_overlay_colors_start (SymOverlayColors *self, const SymJson *json, guint graph);
void sym_overlay_colors_add (SymOverlayColors *self, SymId call, const SymJson *json, guint result);

/* Then what number a node has. */
void sym_overlay_colors_reach (SymOverlayColors *self, SymId call, double number);

gboolean sym_overlay_colors_is_any (const SymOverlayColors *self);

/* Of a node itself, before any scale; NULL for none. */
const char *sym_overlay_colors_get_fill (const SymOverlayColors *self, SymId call);
const char *sym_overlay_colors_get_text (const SymOverlayColors *self, SymId call);

/* That of a node's graph; FALSE for none. */
gboolean
sym_overlay_colors_get_scale (const SymOverlayColors *self, SymId call, SymOverlayScale *scale);

G_END_DECLS
