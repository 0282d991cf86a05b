/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/scope-canvas.h"
#include "app/scope-settings.h"

G_BEGIN_DECLS

/* All of one document in a tab: table, drawing and inspector side by side; before that what is
 * being read, or why it could not be. */
#define SCOPE_TYPE_PAGE (scope_page_get_type ())
G_DECLARE_FINAL_TYPE (ScopePage, scope_page, SCOPE, PAGE, GtkWidget)

GtkWidget *scope_page_new (ScopeDocument *document, ScopeSettings *settings);
ScopeDocument *scope_page_get_document (ScopePage *self);
ScopeViewport *scope_page_get_viewport (ScopePage *self);
ScopeCanvas *scope_page_get_canvas (ScopePage *self);

void scope_page_focus_search (ScopePage *self);

/* Another tab comes in front of it by a button of one of its bars: that cannot take the keyboard
 * back later, as by then it has nothing to do.  The drawing will have it. */
void scope_page_leave_bars (ScopePage *self);

/* It is about to get another window: what would take longest then goes now, and comes back a moment
 * later, wherever the page is by that time. */
void scope_page_prepare_move (ScopePage *self);

/* Asks in the inspector, which is shown, what the selected node is to be called. */
void scope_page_rename (ScopePage *self);

/* To the next one that the search has found, or the one before. */
void scope_page_step_search (ScopePage *self, gboolean forward);

/* What is shown around the drawing and over it, where it has something to show. */
typedef enum {
  SCOPE_PANEL_SUMMARY = 1 << 0,
  SCOPE_PANEL_INSPECTOR = 1 << 1,
  SCOPE_PANEL_LEGEND = 1 << 2,
  SCOPE_PANEL_MINIMAP = 1 << 3,
} ScopePanels;

void scope_page_show_panels (ScopePage *self, ScopePanels panels);

/* How much there is beside the drawing.  Where it is little, the table takes the place of the
 * graph; where it is least, so does the inspector, and legend and overview are left out. */
typedef enum {
  SCOPE_ROOM_WIDE,
  SCOPE_ROOM_NARROW,
  SCOPE_ROOM_LEAST,
} ScopeRoom;

void scope_page_set_room (ScopePage *self, ScopeRoom room);

G_END_DECLS
