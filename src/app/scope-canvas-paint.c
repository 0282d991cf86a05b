/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include <math.h>

#define TILES_BELOW 0.5
#define MOST_MS 50.0 /* of a frame; what takes longer is never painted here */

static void
paint_focus (ScopeCanvas *self, cairo_t *cr)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GdkRGBA color;

  if (!gtk_widget_has_visible_focus (widget))
    return;
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_bg_color",
                                       &color))
    color = (GdkRGBA){ 0.21f, 0.52f, 0.89f, 1 };
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, 1, 1, gtk_widget_get_width (widget) - 2, gtk_widget_get_height (widget) - 2);
  cairo_stroke (cr);
}

/* What is in sight, from a corner that lies on a whole pixel when nothing moves: then squares are
 * put down as they are, and what is painted over them fits. */
static ScopeTilesView
get_view (ScopeCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  SymRect visible = scope_viewport_get_visible (self->viewport);
  int device_scale = gtk_widget_get_scale_factor (widget);
  double scale = scope_viewport_get_scale (self->viewport) * device_scale;
  gboolean rests = !scope_viewport_is_zooming (self->viewport);

  return (ScopeTilesView){
    .left = rests ? round (visible.x * scale) : visible.x * scale,
    .top = rests ? round (visible.y * scale) : visible.y * scale,
    .width = gtk_widget_get_width (widget) * device_scale,
    .height = gtk_widget_get_height (widget) * device_scale,
    .scale = scale,
    .rests = rests,
    .device_scale = device_scale,
  };
}

/* The offset comes first, in doubles and in pixels: cairo keeps 24 bits of a coordinate. */
static void
transform (cairo_t *cr, const ScopeTilesView *view)
{
  double scale = view->scale / view->device_scale;

  cairo_translate (cr, -view->left / view->device_scale, -view->top / view->device_scale);
  cairo_scale (cr, scale, scale);
}

static gboolean
paint_morph (ScopeCanvas *self, cairo_t *cr, const ScopeTilesView *view, const SymRect *clip)
{
  gboolean is_painted;

  cairo_save (cr);
  transform (cr, view);
  is_painted = scope_canvas_paint_morph (self, cr, clip, scope_viewport_get_scale (self->viewport));
  cairo_restore (cr);
  return is_painted;
}

/* What stands out does so where things come to rest. */
static void
paint_lights (ScopeCanvas *self, cairo_t *cr)
{
  double strength = scope_canvas_get_morph_progress (self);

  scope_canvas_paint_fading (self, cr);
  scope_canvas_paint_tints (self, cr, strength);
  if (!scope_canvas_is_morphing (self))
    {
      scope_canvas_paint_lights (self, cr);
      return;
    }
  cairo_push_group (cr);
  scope_canvas_paint_lights (self, cr);
  cairo_pop_group_to_source (cr);
  cairo_paint_with_alpha (cr, strength);
}

static gboolean
paint_tiles (ScopeCanvas *self, cairo_t *cr, const ScopeTilesView *view, gboolean holes_allowed)
{
  gboolean is_whole;

  cairo_save (cr);
  cairo_scale (cr, 1.0 / view->device_scale, 1.0 / view->device_scale);
  is_whole = scope_tiles_paint (self->tiles, cr, view, holes_allowed);
  cairo_restore (cr);
  return is_whole;
}

static void
paint_picture (ScopeCanvas *self, cairo_t *cr, const ScopeTilesView *view)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  double scale = scope_viewport_get_scale (self->viewport);
  SymRect clip = { view->left / view->scale, view->top / view->scale, view->width / view->scale,
                   view->height / view->scale };
  gboolean takes_long = sym_picture_estimate (picture, &clip, scale) > MOST_MS;

  if (scope_canvas_is_morphing (self) && paint_morph (self, cr, view, &clip))
    return;
  if ((scale < TILES_BELOW || takes_long) && paint_tiles (self, cr, view, takes_long))
    return;
  if (takes_long) /* the rest comes with the next frames */
    return;
  cairo_save (cr);
  transform (cr, view);
  sym_picture_paint_view (picture, cr, &clip, scale);
  cairo_restore (cr);
}

void
scope_canvas_paint (ScopeCanvas *self, cairo_t *cr)
{
  SymColor background = sym_theme_get_background (scope_document_get_view (self->document)->theme);
  ScopeTilesView view = get_view (self);

  cairo_set_source_rgb (cr, background.red, background.green, background.blue);
  cairo_paint (cr);
  if (scope_document_get_picture (self->document) != NULL)
    {
      paint_picture (self, cr, &view);
      cairo_save (cr);
      transform (cr, &view);
      paint_lights (self, cr);
      cairo_restore (cr);
    }
  paint_focus (self, cr);
}
