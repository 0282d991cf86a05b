/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include <math.h>

#include "draw/sym-draw-grid.h"

#define ARROW 7.0       /* points; an arrow at the end of a highlighted line */
#define BADGE 8.0       /* points; radius of a badge */
#define LEAST_BADGE 5.5 /* pixels; what is wrong, or marked, is told apart from afar as well */
#define ROUND 6.0       /* points; corners of outlines */
#define SPOT 5.0        /* pixels; a smaller box is a spot of that size */
#define STRAIGHT 0.3    /* pixels per point; below, lines are as straight as those of the picture */
#define SHORTEST 2.0    /* pixels; a shorter line is none */
#define FINE_SPOTS 4096 /* more boxes, and spots stand for them where they are small */

/* A tick for an output, an arrow that points down into the box for an input, ! for what is wrong.
 */
typedef enum {
  SIGN_NONE,
  SIGN_OUTPUT,
  SIGN_INPUT,
  SIGN_WARNING,
} Sign;

/* How one reason to stand out looks. */
typedef struct {
  const char *color; /* as the style sheet names it, and what to use when it does not */
  GdkRGBA fallback;
  double width_px; /* of outlines */
  double room_px;  /* between a box and its outline */
  double tint;     /* of the colour over the box */
  double line_px;  /* of lines; those are thinner than 2 points only where the picture is */
  Sign sign;
} Look;

/* Those that libadwaita has for symbols, which can be seen on light and on dark. */
static const Look looks[SCOPE_N_LIGHTS] = {
  [SCOPE_LIGHT_FOUND] = { "yellow_4", { 0.96f, 0.76f, 0.07f, 1 }, 2.5, 1, 0.22, 0, SIGN_NONE },
  [SCOPE_LIGHT_TRACE] = { "trace_color", { 0.57f, 0.25f, 0.67f, 1 }, 2, 1, 0, 1.5, SIGN_NONE },
  [SCOPE_LIGHT_NEAR] = { "near_color", { 0.1f, 0.37f, 0.71f, 1 }, 0, 0, 0, 2.5, SIGN_NONE },
  [SCOPE_LIGHT_PROBLEM] = { "error_color", { 0.75f, 0.11f, 0.16f, 1 }, 3, 1, 0, 0, SIGN_WARNING },
  [SCOPE_LIGHT_BAD] = { "orange_4", { 0.9f, 0.38f, 0, 1 }, 1.5, 1, 0.1, 0, SIGN_NONE },
  [SCOPE_LIGHT_FIRST_BAD] = { "orange_4", { 0.9f, 0.38f, 0, 1 }, 3, 1, 0.1, 0, SIGN_WARNING },
  [SCOPE_LIGHT_FAILED] = { "error_color",
                           { 0.75f, 0.11f, 0.16f, 1 },
                           2.5,
                           1,
                           0.12,
                           0,
                           SIGN_WARNING },
  [SCOPE_LIGHT_FOREIGN] = { "error_color",
                            { 0.75f, 0.11f, 0.16f, 1 },
                            2,
                            1,
                            0.12,
                            0,
                            SIGN_WARNING },
  [SCOPE_LIGHT_HOVER] = { "near_color", { 0.1f, 0.37f, 0.71f, 1 }, 1.5, 1, 0, 2.5, SIGN_NONE },
  [SCOPE_LIGHT_INPUT] = { "warning_color", { 0.61f, 0.43f, 0.01f, 1 }, 2, 1, 0, 0, SIGN_INPUT },
  [SCOPE_LIGHT_OUTPUT] = { "success_color", { 0.11f, 0.52f, 0.33f, 1 }, 2, 1, 0, 0, SIGN_OUTPUT },
  [SCOPE_LIGHT_SELECTED] = { "accent_bg_color", { 0.21f, 0.52f, 0.89f, 1 }, 3, 4, 0, 4, SIGN_NONE },
};

/* What one call paints, and where. */
typedef struct {
  const SymPicture *picture;
  const SymLayout *layout;
  cairo_t *cr;
  SymRect visible;
  double pixel;    /* in points */
  double strength; /* of tints, 0 to 1 */
  const Look *look;
  GdkRGBA color;
  cairo_operator_t dye;          /* how a colour goes over what is written */
  const ScopeLineRaster *raster; /* of very many lines; NULL of others */
} Brush;

static void
set_color (const Brush *self, double alpha)
{
  cairo_set_source_rgba (self->cr, self->color.red, self->color.green, self->color.blue, alpha);
}

/* ---- Boxes ---- */

static void
add_outline (cairo_t *cr, const SymRect *rect, double room)
{
  double x = rect->x - room, y = rect->y - room;
  double width = rect->width + 2 * room, height = rect->height + 2 * room;
  double r = MIN (ROUND + room, MIN (width, height) / 2);

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI_2, 0);
  cairo_arc (cr, x + width - r, y + height - r, r, 0, G_PI_2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

static void
add_sign (cairo_t *cr, Sign sign, double x, double y, double r)
{
  if (sign == SIGN_OUTPUT)
    {
      cairo_move_to (cr, x - 0.45 * r, y + 0.05 * r);
      cairo_line_to (cr, x - 0.1 * r, y + 0.4 * r);
      cairo_line_to (cr, x + 0.5 * r, y - 0.35 * r);
    }
  else if (sign == SIGN_INPUT)
    {
      cairo_move_to (cr, x, y - 0.5 * r);
      cairo_line_to (cr, x, y + 0.45 * r);
      cairo_move_to (cr, x - 0.4 * r, y + 0.05 * r);
      cairo_line_to (cr, x, y + 0.5 * r);
      cairo_line_to (cr, x + 0.4 * r, y + 0.05 * r);
    }
  else
    {
      cairo_move_to (cr, x, y - 0.55 * r);
      cairo_line_to (cr, x, y + 0.1 * r);
      cairo_move_to (cr, x, y + 0.42 * r);
      cairo_line_to (cr, x, y + 0.52 * r);
    }
}

/* Black or white, whichever is further from what is below. */
static double
find_sign_gray (const GdkRGBA *below)
{
  return 0.299 * below->red + 0.587 * below->green + 0.114 * below->blue > 0.55 ? 0 : 1;
}

static double
get_badge_radius (const Brush *self)
{
  return MAX (BADGE, LEAST_BADGE * self->pixel);
}

static void
paint_badge (const Brush *self, const SymRect *rect)
{
  double r = get_badge_radius (self), y = rect->y, gray = find_sign_gray (&self->color);
  double x = self->look->sign == SIGN_OUTPUT ? rect->x + rect->width : rect->x;

  cairo_arc (self->cr, x, y, r, 0, 2 * G_PI);
  set_color (self, 1);
  cairo_fill (self->cr);
  cairo_set_source_rgb (self->cr, gray, gray, gray);
  cairo_set_line_width (self->cr, r / 4);
  add_sign (self->cr, self->look->sign, x, y, r);
  cairo_stroke (self->cr);
}

static gboolean
is_spot (const Brush *self, const SymRect *rect)
{
  return scope_highlight_is_spot (rect, SPOT * self->pixel);
}

/* An outline of the same thickness whatever the zoom; what is too small for one is a spot. */
static void
paint_box (const Brush *self, const SymRect *rect)
{
  if (is_spot (self, rect))
    {
      double width = MAX (rect->width, SPOT * self->pixel);
      double height = MAX (rect->height, SPOT * self->pixel);

      cairo_rectangle (self->cr, rect->x + rect->width / 2 - width / 2,
                       rect->y + rect->height / 2 - height / 2, width, height);
      set_color (self, 1);
      cairo_fill (self->cr);
      return;
    }
  add_outline (self->cr, rect, self->look->room_px * self->pixel);
  set_color (self, 1);
  cairo_set_line_width (self->cr, self->look->width_px * self->pixel);
  cairo_stroke (self->cr);
}

static void
paint_tint (const Brush *self, const SymRect *rect)
{
  if (is_spot (self, rect))
    return;
  add_outline (self->cr, rect, self->look->room_px * self->pixel);
  set_color (self, self->look->tint * self->strength);
  cairo_set_operator (self->cr, self->dye);
  cairo_fill (self->cr);
  cairo_set_operator (self->cr, CAIRO_OPERATOR_OVER);
}

static void
paint_spots (const Brush *self, const ScopeHighlight *light)
{
  g_autoptr (GArray) spots = g_array_new (FALSE, FALSE, sizeof (SymRect));

  scope_highlight_collect_spots (light, &self->visible, SPOT * self->pixel, spots);
  for (guint i = 0; i < spots->len; i++)
    {
      const SymRect *spot = &g_array_index (spots, SymRect, i);

      cairo_rectangle (self->cr, spot->x, spot->y, spot->width, spot->height);
    }
  set_color (self, 1);
  cairo_fill (self->cr);
}

static void
paint_each (const Brush *self,
            const ScopeHighlight *light,
            double reach,
            void (*paint) (const Brush *self, const SymRect *rect))
{
  SymRect near = sym_draw_rect_grow (&self->visible, reach);

  for (guint i = 0; i < light->rects->len; i++)
    {
      const SymRect *rect = &g_array_index (light->rects, SymRect, i);

      if (sym_draw_rect_meets (rect, &near))
        paint (self, rect);
    }
}

static gboolean
has_fine_spots (const Brush *self, const ScopeHighlight *light)
{
  return light->rects->len > FINE_SPOTS && 1 / self->pixel < STRAIGHT;
}

static void
paint_tints (const Brush *self, const ScopeHighlight *light)
{
  if (self->look->tint > 0 && !has_fine_spots (self, light))
    paint_each (self, light, self->look->room_px * self->pixel, paint_tint);
}

static void
paint_boxes (const Brush *self, const ScopeHighlight *light)
{
  if (has_fine_spots (self, light))
    paint_spots (self, light);
  else
    paint_each (self, light, (self->look->room_px + self->look->width_px) * self->pixel, paint_box);
}

/* From afar one badge stands for those that it would cover. */
static void
paint_badges (const Brush *self, const ScopeHighlight *light)
{
  double r = get_badge_radius (self);
  SymRect near = sym_draw_rect_grow (&self->visible, r);
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (SymRect));

  if (self->look->sign == SIGN_NONE)
    return;
  if (r <= BADGE)
    {
      paint_each (self, light, r, paint_badge);
      return;
    }
  scope_highlight_collect_apart (light, &near, 2 * r, rects);
  for (guint i = 0; i < rects->len; i++)
    paint_badge (self, &g_array_index (rects, SymRect, i));
}

/* ---- Lines ---- */

static SymRect
bound_course (const SymPoint *points, guint n)
{
  double left = points[0].x, right = left, top = points[0].y, bottom = top;

  for (guint i = 1; i < n; i++)
    {
      left = MIN (left, points[i].x);
      right = MAX (right, points[i].x);
      top = MIN (top, points[i].y);
      bottom = MAX (bottom, points[i].y);
    }
  return (SymRect){ left, top, right - left, bottom - top };
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

/* Only the segments in sight: a line may be longer than cairo can count. */
static void
add_course (const Brush *self, const SymPoint *points, guint n, gboolean is_straight)
{
  for (guint i = 0; i + 3 < n; i += 3)
    {
      SymRect bounds = bound_course (points + i, 4);

      if (!sym_draw_rect_meets (&bounds, &self->visible))
        continue;
      cairo_move_to (self->cr, points[i].x, points[i].y);
      if (is_straight)
        cairo_line_to (self->cr, points[i + 3].x, points[i + 3].y);
      else
        cairo_curve_to (self->cr, points[i + 1].x, points[i + 1].y, points[i + 2].x,
                        points[i + 2].y, points[i + 3].x, points[i + 3].y);
    }
}

static void
paint_line (const Brush *self, guint edge, gboolean is_straight)
{
  guint n;
  const SymPoint *p = sym_layout_get_course (self->layout, edge, &n);
  SymRect bounds = n >= 4 ? bound_course (p, n) : (SymRect){ 0 };

  if (n < 4 || !sym_draw_rect_meets (&bounds, &self->visible) ||
      bounds.width + bounds.height < SHORTEST * self->pixel)
    return;
  add_course (self, p, n, is_straight);
  cairo_stroke (self->cr);
  if (!is_straight)
    {
      add_arrow (self->cr, p, n);
      cairo_fill (self->cr);
    }
}

static void
paint_stem (const Brush *self, const ScopeStem *stem)
{
  const SymSceneItem *item = sym_scene_get_item (sym_layout_get_scene (self->layout), stem->item);
  SymPoint corner = sym_layout_get_position (self->layout, stem->item);
  SymRect rect = { corner.x, corner.y, item->width, item->height };
  SymPoint course[SYM_STEM_POINTS];
  gboolean has_head;
  guint n =
      sym_draw_rect_meets (&rect, &self->visible)
          ? sym_picture_get_stem_course (self->picture, stem->item, stem->box, course, &has_head)
          : 0;

  if (n == 0)
    return;
  add_course (self, course, n, FALSE);
  cairo_stroke (self->cr);
  if (!has_head)
    return;
  add_arrow (self->cr, course, n);
  cairo_fill (self->cr);
}

/* A value may have 50,000 children: only what can be told apart costs. */
static void
paint_lines (const Brush *self, const ScopeHighlight *light)
{
  gboolean is_straight = 1 / self->pixel < STRAIGHT;
  const GArray *edges =
      self->raster != NULL ? scope_line_raster_get_edges (self->raster) : light->edges;

  set_color (self, 1);
  cairo_set_line_width (self->cr, MAX (2.0, self->look->line_px * self->pixel));
  for (guint i = 0; edges != NULL && i < edges->len; i++)
    paint_line (self, g_array_index (edges, guint, i), is_straight);
  if (edges == NULL)
    scope_line_raster_paint (self->raster, self->cr);
  for (guint i = 0; i < light->stems->len && !is_straight; i++)
    paint_stem (self, &g_array_index (light->stems, ScopeStem, i));
}

/* ---- All of them ---- */

/* Dark letters on a light box stay as dark as they are, light ones on a dark box as light. */
static cairo_operator_t
choose_dye (ScopeCanvas *self)
{
  SymTheme theme = scope_document_get_view (self->document)->theme;
  SymColor ground = sym_theme_get_background (theme);

  return ground.green < 0.5 ? CAIRO_OPERATOR_SCREEN : CAIRO_OPERATOR_MULTIPLY;
}

static Brush
get_brush (ScopeCanvas *self, cairo_t *cr, const Look *look)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  Brush brush = {
    .picture = scope_document_get_picture (self->document),
    .layout = scope_canvas_get_layout (self),
    .cr = cr,
    .visible = scope_viewport_get_visible (self->viewport),
    .pixel = 1 / scope_viewport_get_scale (self->viewport),
    .look = look,
    .dye = choose_dye (self),
  };

  if (!gtk_style_context_lookup_color (context, look->color, &brush.color))
    brush.color = look->fallback;
  brush.visible = sym_draw_rect_grow (&brush.visible, 2 * brush.pixel);
  return brush;
}

static const ScopeLineRaster *
find_raster (ScopeCanvas *self, guint light)
{
  ScopeLineRaster **raster = &self->rasters[light];
  SymRect visible = scope_viewport_get_visible (self->viewport);
  double scale = scope_viewport_get_scale (self->viewport);
  const GArray *edges = self->lights[light]->edges;

  if (*raster != NULL && !scope_line_raster_is_of (*raster, &visible, scale))
    g_clear_pointer (raster, scope_line_raster_free);
  if (*raster == NULL && edges->len >= SCOPE_LINE_RASTER_FROM)
    *raster = scope_line_raster_new (scope_canvas_get_layout (self), edges, &visible, scale);
  return *raster;
}

static void
paint_layer (ScopeCanvas *self,
             cairo_t *cr,
             double strength,
             void (*paint) (const Brush *self, const ScopeHighlight *light))
{
  for (guint i = 0; i < SCOPE_N_LIGHTS; i++)
    {
      const ScopeHighlight *light = self->lights[i];

      if (light->rects->len == 0 && light->edges->len == 0 && light->stems->len == 0)
        continue;
      Brush brush = get_brush (self, cr, &looks[i]);

      brush.strength = strength;
      if (paint == paint_lines)
        brush.raster = find_raster (self, i);
      paint (&brush, light);
    }
}

/* Lines that stand out would cross out what is written on them. */
static void
paint_labels (ScopeCanvas *self, cairo_t *cr)
{
  SymRect visible = scope_viewport_get_visible (self->viewport);

  sym_picture_paint_labels (scope_document_get_picture (self->document), cr, &visible,
                            scope_viewport_get_scale (self->viewport));
}

static gboolean
lights_lines (ScopeCanvas *self)
{
  for (guint i = 0; i < SCOPE_N_LIGHTS; i++)
    if (self->lights[i]->edges->len > 0 || self->lights[i]->stems->len > 0)
      return TRUE;
  return FALSE;
}

/* A tint is blended with what is below it: it would be another one where nothing is yet. */
void
scope_canvas_paint_tints (ScopeCanvas *self, cairo_t *cr, double strength)
{
  paint_layer (self, cr, strength, paint_tints);
}

/* No outline covers a badge: it is what tells marks apart. */
void
scope_canvas_paint_lights (ScopeCanvas *self, cairo_t *cr)
{
  if (lights_lines (self))
    {
      paint_layer (self, cr, 1, paint_lines);
      paint_labels (self, cr);
    }
  paint_layer (self, cr, 1, paint_boxes);
  paint_layer (self, cr, 1, paint_badges);
}
