/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* While a tab of the bar is dragged, nothing in the program moves by itself.  Of libadwaita 1.2, a tab that
 * is dragged past another and out of its bar at once takes the place with it that still moves there, and the
 * program falls.  The bar is one of a view; both live as long as their window. */
void scope_tab_drag_watch (AdwTabBar *bar);

G_END_DECLS
