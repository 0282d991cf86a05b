/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include <math.h>

#include "app/scope-place.h"

#define ARROW 7.0  /* points; an arrow at the end of a highlighted line */
#define BADGE 8.0  /* pixels; radius of a mark's badge at zoom 1 */
#define ROUND 6.0  /* points; corners of outlines */
#define TILES_BELOW 0.5

/* Colours of the theme that the style sheet names, with what to use when it does not. */
typedef struct {
  const char *name;
  GdkRGBA fallback;
} Colour;

static const Colour accent = { "accent_bg_color", { 0.21f, 0.52f, 0.89f, 1 } };
static const Colour success = { "success_bg_color", { 0.18f, 0.66f, 0.41f, 1 } };
static const Colour warning = { "warning_bg_color", { 0.9f, 0.59f, 0.04f, 1 } };
static const Colour danger = { "error_bg_color", { 0.88f, 0.11f, 0.14f, 1 } };

static void
set_colour (ScopeCanvas *self, cairo_t *cr, const Colour *colour)
{
  GdkRGBA rgba;
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));

  if (!gtk_style_context_lookup_color (context, colour->name, &rgba))
    rgba = colour->fallback;
  gdk_cairo_set_source_rgba (cr, &rgba);
}

static void
add_outline (cairo_t *cr, const SymRect *rect, double room)
{
  double x = rect->x - room, y = rect->y - room;
  double width = rect->width + 2 * room, height = rect->height + 2 * room;
  double r = MIN (ROUND, MIN (width, height) / 2);

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI_2, 0);
  cairo_arc (cr, x + width - r, y + height - r, r, 0, G_PI_2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

/* An outline @width pixels thick, whatever the zoom. */
static void
stroke_outline (ScopeCanvas *self,
                cairo_t *cr,
                SymId value,
                SymId call,
                const Colour *colour,
                double width_px)
{
  SymRect rect;
  double pixel = 1 / scope_viewport_get_scale (self->viewport);

  if (!scope_place_find (scope_canvas_get_layout (self), value, call, &rect))
    return;
  add_outline (cr, &rect, pixel);
  set_colour (self, cr, colour);
  cairo_set_line_width (cr, width_px * pixel);
  cairo_stroke (cr);
}

static void
add_arrow (cairo_t *cr, const SymPoint *points, guint n)
{
  SymPoint tip = points[n - 1], from = points[n - 2];
  double dx = tip.x - from.x, dy = tip.y - from.y, length = hypot (dx, dy);

  if (length < 1e-6)
    return;
  dx *= ARROW / length;
  dy *= ARROW / length;
  cairo_move_to (cr, tip.x, tip.y);
  cairo_line_to (cr, tip.x - dx - dy / 2, tip.y - dy + dx / 2);
  cairo_line_to (cr, tip.x - dx + dy / 2, tip.y - dy - dx / 2);
  cairo_close_path (cr);
}

/* Whether a course comes near what is visible.  A curve lies within the hull of its points. */
static gboolean
is_visible (const SymPoint *points, guint n, const SymRect *visible)
{
  double left = points[0].x, right = left, top = points[0].y, bottom = top;

  for (guint i = 1; i < n; i++) {
    left = MIN (left, points[i].x);
    right = MAX (right, points[i].x);
    top = MIN (top, points[i].y);
    bottom = MAX (bottom, points[i].y);
  }
  return right >= visible->x && left <= visible->x + visible->width && bottom >= visible->y &&
         top <= visible->y + visible->height;
}

static void
add_course (cairo_t *cr, const SymPoint *points, guint n)
{
  cairo_move_to (cr, points[0].x, points[0].y);
  for (guint i = 1; i + 2 < n; i += 3)
    cairo_curve_to (cr, points[i].x, points[i].y, points[i + 1].x, points[i + 1].y,
                    points[i + 2].x, points[i + 2].y);
}

/* A value may have 10,000 children: only what is visible costs. */
static void
paint_near_edges (ScopeCanvas *self, cairo_t *cr)
{
  SymLayout *layout = scope_canvas_get_layout (self);
  double scale = scope_viewport_get_scale (self->viewport);
  SymRect visible = scope_viewport_get_visible (self->viewport);

  set_colour (self, cr, &accent);
  cairo_set_line_width (cr, MAX (2.0, 1.5 / scale));
  for (guint i = 0; i < self->near_edges->len; i++) {
    guint n;
    const SymPoint *p =
        sym_layout_get_course (layout, g_array_index (self->near_edges, guint, i), &n);

    if (n < 4 || !is_visible (p, n, &visible))
      continue;
    add_course (cr, p, n);
    cairo_stroke (cr);
    add_arrow (cr, p, n);
    cairo_fill (cr);
  }
}

/* A tick for an output, an arrow that points down into the box for an input. */
static void
add_sign (cairo_t *cr, ScopeMark mark, double x, double y, double r)
{
  if (mark == SCOPE_MARK_OUTPUT) {
    cairo_move_to (cr, x - 0.45 * r, y + 0.05 * r);
    cairo_line_to (cr, x - 0.1 * r, y + 0.4 * r);
    cairo_line_to (cr, x + 0.5 * r, y - 0.35 * r);
  } else {
    cairo_move_to (cr, x, y - 0.5 * r);
    cairo_line_to (cr, x, y + 0.45 * r);
    cairo_move_to (cr, x - 0.4 * r, y + 0.05 * r);
    cairo_line_to (cr, x, y + 0.5 * r);
    cairo_line_to (cr, x + 0.4 * r, y + 0.05 * r);
  }
}

static void
paint_mark (ScopeCanvas *self, cairo_t *cr, ScopeMark mark, SymId value)
{
  const Colour *colour = mark == SCOPE_MARK_OUTPUT ? &success : &warning;
  double scale = scope_viewport_get_scale (self->viewport);
  double r = MAX (BADGE, 4 / scale);
  SymRect rect;

  if (!scope_place_find (scope_canvas_get_layout (self), value, SYM_NO_ID, &rect))
    return;
  double x = mark == SCOPE_MARK_OUTPUT ? rect.x + rect.width : rect.x, y = rect.y;

  stroke_outline (self, cr, value, SYM_NO_ID, colour, 2);
  cairo_arc (cr, x, y, r, 0, 2 * G_PI);
  set_colour (self, cr, colour);
  cairo_fill (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_set_line_width (cr, r / 4);
  add_sign (cr, mark, x, y, r);
  cairo_stroke (cr);
}

static void
paint_marks (ScopeCanvas *self, cairo_t *cr)
{
  ScopeState *state = scope_document_get_state (self->document);

  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++) {
    SymIds ids = scope_state_get_marks (state, (ScopeMark) mark);

    for (guint i = 0; i < ids.n; i++)
      paint_mark (self, cr, (ScopeMark) mark, ids.ids[i]);
  }
}

static void
paint_problems (ScopeCanvas *self, cairo_t *cr)
{
  const SymProblems *problems =
      sym_inference_get_problems (scope_document_get_inference (self->document));
  guint n = sym_problems_get_n (problems);

  for (guint i = 0; i < n; i++) {
    const SymProblem *problem = sym_problems_get (problems, i);

    if (problem->call != SYM_NO_ID)
      stroke_outline (self, cr, SYM_NO_ID, problem->call, &danger, 3);
  }
}

static void
paint_overlay (ScopeCanvas *self, cairo_t *cr)
{
  SymId value = scope_document_get_selected_value (self->document);
  SymId call = scope_document_get_selected_call (self->document);

  paint_near_edges (self, cr);
  paint_problems (self, cr);
  if (self->hovered_value != SYM_NO_ID || self->hovered_call != SYM_NO_ID)
    stroke_outline (self, cr, self->hovered_value, self->hovered_call, &accent, 1.25);
  if (value != SYM_NO_ID || call != SYM_NO_ID)
    stroke_outline (self, cr, value, call, &accent, 3.5);
  paint_marks (self, cr);
}

static void
paint_focus (ScopeCanvas *self, cairo_t *cr)
{
  GtkWidget *widget = GTK_WIDGET (self);

  if (!gtk_widget_has_visible_focus (widget))
    return;
  set_colour (self, cr, &accent);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, 1, 1, gtk_widget_get_width (widget) - 2,
                   gtk_widget_get_height (widget) - 2);
  cairo_stroke (cr);
}

/* What is in sight, from a corner that lies on a whole pixel when nothing moves: then squares are put
 * down as they are, and what is painted over them fits. */
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

static void
paint_picture (ScopeCanvas *self, cairo_t *cr, const ScopeTilesView *view)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  double scale = scope_viewport_get_scale (self->viewport);
  SymRect clip = { view->left / view->scale, view->top / view->scale, view->width / view->scale,
                   view->height / view->scale };

  if (scale < TILES_BELOW) {
    gboolean is_there;

    cairo_save (cr);
    cairo_scale (cr, 1.0 / view->device_scale, 1.0 / view->device_scale);
    is_there = scope_tiles_paint (self->tiles, cr, view);
    cairo_restore (cr);
    if (is_there)
      return;
  }
  cairo_save (cr);
  transform (cr, view);
  sym_picture_paint (picture, cr, &clip, scale);
  cairo_restore (cr);
}

void
scope_canvas_paint (ScopeCanvas *self, cairo_t *cr)
{
  SymColor background =
      sym_theme_get_background (scope_document_get_view (self->document)->theme);
  ScopeTilesView view = get_view (self);

  cairo_set_source_rgb (cr, background.red, background.green, background.blue);
  cairo_paint (cr);
  if (scope_document_get_picture (self->document) != NULL) {
    paint_picture (self, cr, &view);
    cairo_save (cr);
    transform (cr, &view);
    paint_overlay (self, cr);
    cairo_restore (cr);
  }
  paint_focus (self, cr);
}
