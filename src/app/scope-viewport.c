/* SPDX-License-Identifier: MIT */
#include "app/scope-viewport.h"

#include <math.h>

#define MAX_SCALE 8.0
#define MIN_SCALE 1e-5
#define READABLE_SCALE 0.7 /* smaller, and small text is hard to read */
#define MARGIN 24.0        /* pixels around all of the content */
#define REVEAL_MARGIN 72.0 /* pixels between what is revealed and the edge, and what lies over it there */
#define KEPT 64.0          /* pixels of content that cannot be moved out of sight */

struct _ScopeViewport {
  GObject parent_instance;

  SymRect extent;
  SymRect start;
  double width, height;
  double scale;
  double x, y; /* of the content at the top left pixel */
  gboolean fitted;
  gboolean started; /* the start was shown: from now on the user decides */
};

G_DEFINE_FINAL_TYPE (ScopeViewport, scope_viewport, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
emit_changed (ScopeViewport *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
is_ready (ScopeViewport *self)
{
  return self->width > 0 && self->height > 0 && self->extent.width > 0 && self->extent.height > 0;
}

static double
get_fit_scale (ScopeViewport *self)
{
  double across = MAX (self->width - 2 * MARGIN, 1) / self->extent.width;
  double down = MAX (self->height - 2 * MARGIN, 1) / self->extent.height;

  return CLAMP (MIN (across, down), MIN_SCALE, 1.0);
}

/* The range of origins along one axis that keeps KEPT pixels of content in sight. */
static double
clamp_origin (double origin, double start, double length, double pixels, double scale)
{
  double kept = MIN (KEPT, MIN (pixels, length * scale)) / scale;
  double low = start - pixels / scale + kept;
  double high = start + length - kept;

  return CLAMP (origin, low, high);
}

static void
clamp_position (ScopeViewport *self)
{
  if (!is_ready (self))
    return;
  self->x = clamp_origin (self->x, self->extent.x, self->extent.width, self->width, self->scale);
  self->y = clamp_origin (self->y, self->extent.y, self->extent.height, self->height, self->scale);
}

static void
apply_fit (ScopeViewport *self)
{
  self->scale = get_fit_scale (self);
  self->x = self->extent.x + self->extent.width / 2 - self->width / 2 / self->scale;
  self->y = self->extent.y + self->extent.height / 2 - self->height / 2 / self->scale;
  self->fitted = TRUE;
}

/* Along one axis: the start in the middle, but no empty space before the content. */
static double
get_start_origin (double start, double low, double length, double pixels, double scale)
{
  double margin = MARGIN / scale, span = pixels / scale;

  if (length <= span - 2 * margin)
    return low + length / 2 - span / 2;
  return CLAMP (start - span / 2, low - margin, low + length + margin - span);
}

static void
apply_start (ScopeViewport *self)
{
  const SymRect *extent = &self->extent, *start = &self->start;
  double across = MAX (self->width - 2 * MARGIN, 1) / extent->width;
  double down = MAX (self->height - 2 * MARGIN, 1) / extent->height;

  apply_fit (self);
  self->started = TRUE;
  if (self->scale >= READABLE_SCALE)
    return;
  self->fitted = FALSE;
  self->scale = CLAMP (MAX (across, down), READABLE_SCALE, 1.0);
  self->x = get_start_origin (start->x + start->width / 2, extent->x, extent->width, self->width,
                              self->scale);
  self->y = get_start_origin (start->y + start->height / 2, extent->y, extent->height,
                              self->height, self->scale);
}

/* How far an interval must move to lie within [@low, @high] less @margin; centred when it does not fit,
 * or when it was out of sight, as then nothing near it is known to the eye. */
static double
get_shift (double start, double length, double low, double high, double margin)
{
  double room = MIN (margin, (high - low) / 4);

  if (length > high - low - 2 * room || start + length < low || start > high)
    return start + length / 2 - (low + high) / 2;
  if (start < low + room)
    return start - low - room;
  if (start + length > high - room)
    return start + length - high + room;
  return 0;
}

static void
scope_viewport_class_init (ScopeViewportClass *klass)
{
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
scope_viewport_init (ScopeViewport *self)
{
  self->scale = 1;
}

ScopeViewport *
scope_viewport_new (void)
{
  return g_object_new (SCOPE_TYPE_VIEWPORT, NULL);
}

void
scope_viewport_set_size (ScopeViewport *self, double width, double height)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  if (self->width == width && self->height == height)
    return;
  self->x += (self->width - width) / 2 / self->scale;
  self->y += (self->height - height) / 2 / self->scale;
  self->width = width;
  self->height = height;
  if (is_ready (self)) {
    if (!self->started)
      apply_start (self);
    else if (self->fitted)
      apply_fit (self);
    clamp_position (self);
  }
  emit_changed (self);
}

void
scope_viewport_set_extent (ScopeViewport *self, const SymRect *extent)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (extent != NULL);

  if (self->start.width == 0)
    self->start = (SymRect){ extent->x, extent->y, extent->width, 0 };
  self->extent = *extent;
  if (is_ready (self)) {
    if (!self->started)
      apply_start (self);
    else if (self->fitted)
      apply_fit (self);
    clamp_position (self);
  }
  emit_changed (self);
}

void
scope_viewport_set_start (ScopeViewport *self, const SymRect *start)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (start != NULL);

  self->start = *start;
}

double
scope_viewport_get_scale (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), 1);

  return self->scale;
}

SymRect
scope_viewport_get_visible (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), ((SymRect){ 0 }));

  return (SymRect){ self->x, self->y, self->width / self->scale, self->height / self->scale };
}

void
scope_viewport_to_content (ScopeViewport *self, double px, double py, double *x, double *y)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  *x = self->x + px / self->scale;
  *y = self->y + py / self->scale;
}

void
scope_viewport_to_widget (ScopeViewport *self, double x, double y, double *px, double *py)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  *px = (x - self->x) * self->scale;
  *py = (y - self->y) * self->scale;
}

void
scope_viewport_zoom_at (ScopeViewport *self, double factor, double px, double py)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (isfinite (factor) && factor > 0);

  double x, y;
  double least = is_ready (self) ? get_fit_scale (self) / 2 : MIN_SCALE;

  scope_viewport_to_content (self, px, py, &x, &y);
  self->scale = CLAMP (self->scale * factor, least, MAX_SCALE);
  self->x = x - px / self->scale;
  self->y = y - py / self->scale;
  self->fitted = FALSE;
  self->started = self->started || is_ready (self);
  clamp_position (self);
  emit_changed (self);
}

void
scope_viewport_zoom (ScopeViewport *self, double factor)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  scope_viewport_zoom_at (self, factor, self->width / 2, self->height / 2);
}

void
scope_viewport_set_scale (ScopeViewport *self, double scale)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  scope_viewport_zoom (self, scale / self->scale);
}

void
scope_viewport_pan (ScopeViewport *self, double dx, double dy)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  self->x -= dx / self->scale;
  self->y -= dy / self->scale;
  self->fitted = FALSE;
  clamp_position (self);
  emit_changed (self);
}

void
scope_viewport_fit (ScopeViewport *self)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  if (!is_ready (self))
    return;
  apply_fit (self);
  emit_changed (self);
}

void
scope_viewport_show_start (ScopeViewport *self)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  self->started = FALSE;
  if (!is_ready (self))
    return;
  apply_start (self);
  emit_changed (self);
}

void
scope_viewport_reveal (ScopeViewport *self, const SymRect *rect)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (rect != NULL);

  if (!is_ready (self))
    return;
  double scale = MAX (self->scale, READABLE_SCALE);
  gboolean grows = scale != self->scale;
  double margin = REVEAL_MARGIN / scale;
  double width = self->width / scale, height = self->height / scale;

  if (grows) {
    self->scale = scale;
    self->x = rect->x + rect->width / 2 - width / 2;
    self->y = rect->y + rect->height / 2 - height / 2;
  }
  double dx = get_shift (rect->x, rect->width, self->x, self->x + width, margin);
  double dy = get_shift (rect->y, rect->height, self->y, self->y + height, margin);

  if (!grows && dx == 0 && dy == 0)
    return;
  self->x += dx;
  self->y += dy;
  self->fitted = FALSE;
  emit_changed (self);
}
