/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-fit.h"

G_BEGIN_DECLS

/* The widgets that lie over a drawing.  Buttons and bars have the room that they need.  The legend
 * is there where it fits in below them, and the overview beside it as far as half of the width is
 * left to the drawing: neither covers anything that can be clicked. */
typedef struct {
  GtkWidget *drawing;
  GtkWidget *back, *zoom; /* buttons in its upper corners */
  GtkWidget *crown;       /* at its top */
  gboolean has_crown;     /* with a bar that stays */
  GtkWidget *foot;        /* the bar at its bottom, NULL for none */
  GtkWidget *corner;      /* at its bottom left: */
  GtkWidget *problems;    /* with these, */
  GtkWidget *legend;      /* and below them this; a ScopeLegend */
  GtkWidget *minimap;     /* at its bottom right; a ScopeMinimap */
} ScopeOverlays;

/* Whenever their sizes may have changed: tells legend and overview what room they have, and returns
 * what all of them cover. */
ScopeCover scope_overlays_place (const ScopeOverlays *self);

/* Where what lies along the lower border is, as high as it is at the width of the drawing: GTK has
 * it as high as it would be if no text had to wrap. */
GdkRectangle scope_overlays_place_bottom (const ScopeOverlays *self, GtkWidget *bottom);

G_END_DECLS
