/* SPDX-License-Identifier: MIT */
#include "app/scope-overlays.h"

#include "app/scope-legend.h"
#include "app/scope-minimap.h"

#define GAP 12              /* between what lies over the drawing, and to its borders */
#define MOST_OF_THE_WIDTH 2 /* one of so many parts, for legend and overview together */

static GtkRequisition
measure (GtkWidget *widget)
{
  GtkRequisition size = { 0 };

  if (gtk_widget_get_visible (widget))
    gtk_widget_get_preferred_size (widget, NULL, &size);
  return size;
}

/* What a bar over the drawing takes of its height, as wide as that is. */
static int
measure_bar (const ScopeOverlays *self, GtkWidget *bar)
{
  int width = gtk_widget_get_width (self->drawing) - gtk_widget_get_margin_start (bar) -
              gtk_widget_get_margin_end (bar);
  int least, height = 0;

  gtk_widget_measure (bar, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, MAX (width, least), NULL, &height, NULL, NULL);
  return height;
}

/* Below the buttons and the bar at the top of one side, above the bar at the bottom. */
static int
get_height (const ScopeOverlays *self, const ScopeCover *cover, GtkWidget *buttons)
{
  int top = MAX (measure (buttons).height + GAP, (int) cover->top);

  return gtk_widget_get_height (self->drawing) - top - (int) cover->bottom - GAP;
}

static void
give_room (const ScopeOverlays *self, const ScopeCover *cover)
{
  int width = gtk_widget_get_width (self->drawing);
  GtkRequisition problems = measure (self->problems);
  int above = problems.height > 0 ? problems.height + GAP : 0, corner;

  scope_legend_set_room (SCOPE_LEGEND (self->legend), width - 2 * GAP,
                         get_height (self, cover, self->back) - above);
  corner = MAX (problems.width, scope_legend_get_wanted_width (SCOPE_LEGEND (self->legend)));
  scope_minimap_set_room (SCOPE_MINIMAP (self->minimap),
                          width / MOST_OF_THE_WIDTH - (corner > 0 ? corner + GAP : 0) - GAP,
                          get_height (self, cover, self->zoom));
}

ScopeCover
scope_overlays_place (const ScopeOverlays *self)
{
  gboolean has_corner =
      gtk_widget_get_visible (self->legend) || gtk_widget_get_visible (self->problems);
  GtkRequisition corner = { 0 }, map = measure (self->minimap);
  GtkRequisition back = measure (self->back), zoom = measure (self->zoom);
  ScopeCover cover = { 0 };

  if (has_corner)
    corner = measure (self->corner);
  if (self->has_crown)
    cover.top = measure_bar (self, self->crown) + GAP;
  if (self->foot != NULL)
    cover.bottom = measure_bar (self, self->foot);
  cover.width = corner.width;
  cover.height = corner.height;
  cover.map_width = map.width;
  cover.map_height = map.height;
  cover.back_width = back.width + GAP;
  cover.back_height = back.height + GAP;
  cover.zoom_width = zoom.width + GAP;
  cover.zoom_height = zoom.height + GAP;
  give_room (self, &cover);
  return cover;
}

GdkRectangle
scope_overlays_place_bottom (const ScopeOverlays *self, GtkWidget *bottom)
{
  int width = gtk_widget_get_width (self->drawing), height = gtk_widget_get_height (self->drawing);
  int least, taken = MIN (measure_bar (self, bottom), height);

  gtk_widget_measure (bottom, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return (GdkRectangle){ 0, height - taken, MAX (width, least), taken };
}
