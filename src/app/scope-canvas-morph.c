/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

#include "draw/sym-draw-morph.h"
#include "scene/sym-scene-body.h"

/* When groups are opened or closed, the picture before goes over into the one after. */

#define DURATION 220000 /* microseconds */
#define MOVED_ABOVE 0.3 /* pixels per point; below, what moves is too small to be followed */
#define MOST_MS 50.0    /* to paint how it looked */
#define MAX_PARTS 600   /* items and pieces of lines; more would not fit into the time of a frame */

struct _ScopeMorph {
  SymPicture *before, *after;
  SymMorph *parts;      /* NULL: too many; the one fades into the other */
  cairo_surface_t *old; /* then: how it looked, */
  SymRect place;        /* and where that is in the new picture */
  gint64 start;         /* 0 before the first frame */
  double t;
};

static void
morph_free (ScopeMorph *self)
{
  sym_picture_unref (self->before);
  sym_picture_unref (self->after);
  g_clear_pointer (&self->parts, sym_morph_free);
  g_clear_pointer (&self->old, cairo_surface_destroy);
  g_free (self);
}

void
scope_canvas_end_morph (ScopeCanvas *self)
{
  g_clear_pointer (&self->morph, morph_free);
}

gboolean
scope_canvas_is_morphing (ScopeCanvas *self)
{
  return self->morph != NULL;
}

/* Slow at both ends. */
static double
ease (double t)
{
  return t * t * (3 - 2 * t);
}

static cairo_surface_t *
paint_old (ScopeCanvas *self, SymPicture *picture, const ScopeCanvasSight *sight)
{
  int device = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  int width = gtk_widget_get_width (GTK_WIDGET (self)) * device;
  int height = gtk_widget_get_height (GTK_WIDGET (self)) * device;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, device, device);
  cairo_translate (cr, -sight->visible.x * sight->scale, -sight->visible.y * sight->scale);
  cairo_scale (cr, sight->scale, sight->scale);
  sym_picture_paint (picture, cr, &sight->visible, sight->scale);
  cairo_destroy (cr);
  return surface;
}

static gboolean
has_same_groups (const SymFolding *a, const SymFolding *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return sym_folding_get_groups (a) == sym_folding_get_groups (b);
}

/* Other groups or layers open of the same graph, drawn alike, both of all of it or of the same
 * part. */
static gboolean
has_other_groups (const SymLayout *before, const SymLayout *after)
{
  SymScene *a = sym_layout_get_scene (before), *b = sym_layout_get_scene (after);
  SymFolding *old = sym_scene_get_folding (a), *new = sym_scene_get_folding (b);

  return has_same_groups (old, new) &&
         (old != new || sym_scene_get_open_bodies (a) != sym_scene_get_open_bodies (b)) &&
         sym_scene_get_drawing (a) == sym_scene_get_drawing (b) &&
         sym_layout_get_direction (before) == sym_layout_get_direction (after);
}

void
scope_canvas_begin_morph (ScopeCanvas *self, SymPicture *before, const ScopeCanvasSight *sight)
{
  SymPicture *after = scope_document_get_picture (self->document);
  SymRect now = scope_viewport_get_visible (self->viewport);
  double scale = MIN (sight->scale, scope_viewport_get_scale (self->viewport));

  scope_canvas_end_morph (self);
  if (!self->is_animated || before == NULL || sight->visible.width <= 0 || now.width <= 0 ||
      !has_other_groups (sym_picture_get_layout (before), sym_picture_get_layout (after)) ||
      sym_picture_estimate (before, &sight->visible, sight->scale) > MOST_MS)
    return;
  self->morph = g_new0 (ScopeMorph, 1);
  self->morph->before = sym_picture_ref (before);
  self->morph->after = sym_picture_ref (after);
  self->morph->place = now;
  if (scale >= MOVED_ABOVE)
    self->morph->parts = sym_morph_new (before, after, &sight->visible, &now, MAX_PARTS);
  if (self->morph->parts == NULL)
    self->morph->old = paint_old (self, before, sight);
  scope_canvas_animate (self);
}

void
scope_canvas_advance_morph (ScopeCanvas *self, gint64 time)
{
  ScopeMorph *morph = self->morph;

  if (morph == NULL)
    return;
  if (morph->start == 0)
    morph->start = time;
  morph->t = CLAMP ((double) (time - morph->start) / DURATION, 0, 1);
  if (morph->t >= 1)
    scope_canvas_end_morph (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

double
scope_canvas_get_morph_progress (ScopeCanvas *self)
{
  return self->morph != NULL ? ease (self->morph->t) : 1;
}

gboolean
scope_canvas_paint_morph (ScopeCanvas *self, cairo_t *cr, const SymRect *clip, double scale)
{
  double t = scope_canvas_get_morph_progress (self);

  if (self->morph == NULL || self->morph->parts == NULL)
    return FALSE;
  sym_morph_paint (self->morph->parts, cr, clip, scale, t);
  return TRUE;
}

void
scope_canvas_paint_fading (ScopeCanvas *self, cairo_t *cr)
{
  const ScopeMorph *morph = self->morph;

  if (morph == NULL || morph->old == NULL)
    return;
  cairo_save (cr);
  cairo_translate (cr, morph->place.x, morph->place.y);
  cairo_scale (cr, morph->place.width / cairo_image_surface_get_width (morph->old),
               morph->place.height / cairo_image_surface_get_height (morph->old));
  cairo_set_source_surface (cr, morph->old, 0, 0);
  cairo_paint_with_alpha (cr, 1 - ease (morph->t));
  cairo_restore (cr);
}
