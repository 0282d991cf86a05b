/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* While a tab of the bar is dragged, nothing in the program moves by itself.  Of libadwaita 1.2, a
 * tab that is dragged past another and out of its bar at once takes the place with it that still
 * moves there, and the program falls.  One that is let go where no window is gets a window.  The
 * bar is one of a view; both live as long as their window. */
void scope_tab_drag_watch (AdwTabBar *bar);

/* What is dragged along the bar comes to its place, as if it were let go.  For before a tab goes or
 * moves: libadwaita 1.2 holds on to the tab, and to places that there may not be any more. */
void scope_tab_drag_end (AdwTabBar *bar);

/* For as soon as a tab has come: one that was given no room yet never gets any when another goes
 * before, and libadwaita 1.2 keeps the widths for the pointer. */
void scope_tab_drag_place_new (AdwTabBar *bar);

G_END_DECLS
