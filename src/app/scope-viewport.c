/* SPDX-License-Identifier: MIT */
#include "app/scope-viewport.h"

#include <math.h>

#include "app/scope-reveal.h"

#define MAX_SCALE 8.0
#define MIN_SCALE \
  0.001                /* by zooming; only a drawing that does not fit at that is fitted below it */
#define KEPT 64.0      /* pixels of content that cannot be moved out of sight */
#define ZOOM_TIME 0.16 /* seconds */
#define FLIGHT_TIME 0.32
#define FRICTION 4.0    /* per second; of content that was thrown */
#define STANDSTILL 20.0 /* pixels per second */

struct _ScopeViewport {
  GObject parent_instance;

  SymRect extent, start;
  SymDirection direction; /* from the start */
  double width, height;
  ScopeCover cover;
  ScopeSight now;
  ScopeSight aim; /* where a flight ends, else the same; every request builds on it */
  gboolean fitted;
  gboolean started;  /* the start was shown */
  gboolean at_start; /* and nobody has looked elsewhere: another size shows it again */
  gboolean is_same;  /* and the drawing is the one that was shown then */

  gboolean is_animated;
  gboolean is_held;   /* by fingers that zoom */
  ScopeFlight flight; /* from a sight to @aim */
  double flight_time; /* seconds it takes; 0 when there is none */
  double flown;
  double velocity_x, velocity_y; /* of thrown content, pixels per second */
  gint64 last_time;              /* of a frame, in microseconds; 0 before the first */
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
clamp_sight (ScopeViewport *self, ScopeSight *sight)
{
  const SymRect *extent = &self->extent;

  if (!is_ready (self))
    return;
  sight->x = clamp_origin (sight->x, extent->x, extent->width, self->width, sight->scale);
  sight->y = clamp_origin (sight->y, extent->y, extent->height, self->height, sight->scale);
}

/* ---- Motion ---- */

static void
stop (ScopeViewport *self)
{
  self->flight_time = 0;
  self->velocity_x = self->velocity_y = 0;
}

/* Shows the aim at once. */
static void
jump (ScopeViewport *self)
{
  stop (self);
  clamp_sight (self, &self->aim);
  self->now = self->aim;
  emit_changed (self);
}

/* Goes to the aim, through what lies between when motion is wanted. */
static void
fly (ScopeViewport *self, double time, gboolean rises)
{
  if (!self->is_animated || self->is_held || !is_ready (self))
    {
      jump (self);
      return;
    }
  if (self->flight_time <= 0)
    self->last_time = 0;
  self->velocity_x = self->velocity_y = 0;
  self->flight = (ScopeFlight){ self->now, self->aim, self->width, self->height, rises };
  self->flight_time = time;
  self->flown = 0;
  emit_changed (self);
}

static void
advance_flight (ScopeViewport *self, double seconds)
{
  self->flown += seconds;
  double left = 1 - MIN (self->flown / self->flight_time, 1);

  self->now = scope_flight_get (&self->flight, 1 - left * left * left);
  if (left <= 0)
    self->flight_time = 0;
}

static void
advance_throw (ScopeViewport *self, double seconds)
{
  double kept = exp (-FRICTION * seconds), way = (1 - kept) / FRICTION;
  ScopeSight wanted = self->now;

  wanted.x -= self->velocity_x * way / wanted.scale;
  wanted.y -= self->velocity_y * way / wanted.scale;
  self->now = wanted;
  clamp_sight (self, &self->now);
  self->aim = self->now;
  self->velocity_x *= self->now.x == wanted.x ? kept : 0;
  self->velocity_y *= self->now.y == wanted.y ? kept : 0;
  if (hypot (self->velocity_x, self->velocity_y) < STANDSTILL)
    self->velocity_x = self->velocity_y = 0;
}

static void
apply_fit (ScopeViewport *self)
{
  self->aim = scope_fit (&self->extent, self->width, self->height, &self->cover);
  self->fitted = TRUE;
}

static void
apply_start (ScopeViewport *self)
{
  apply_fit (self);
  self->started = self->at_start = self->is_same = TRUE;
  if (self->aim.scale >= SCOPE_WHOLE_SCALE)
    return;
  self->fitted = FALSE;
  self->aim = scope_fit_start (&self->extent, &self->start, self->direction, self->width,
                               self->height, &self->cover);
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
  self->now.scale = self->aim.scale = 1;
}

ScopeViewport *
scope_viewport_new (void)
{
  return g_object_new (SCOPE_TYPE_VIEWPORT, NULL);
}

/* Another size or extent: the user's own view stays, what was computed is computed again. */
static void
adapt (ScopeViewport *self)
{
  if (is_ready (self))
    {
      if (!self->started || self->at_start)
        apply_start (self);
      else if (self->fitted)
        apply_fit (self);
    }
  jump (self);
}

void
scope_viewport_set_size (ScopeViewport *self, double width, double height)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  if (self->width == width && self->height == height)
    return;
  self->aim.x += (self->width - width) / 2 / self->aim.scale;
  self->aim.y += (self->height - height) / 2 / self->aim.scale;
  self->width = width;
  self->height = height;
  adapt (self);
}

/* Only what was in sight moves, and no further than to be seen again: bars come and go with what is
 * done to nodes, which are not to move away meanwhile. */
static void
leave_bars (ScopeViewport *self, const ScopeCover *before, const SymRect *kept)
{
  const ScopeCover *now = &self->cover;
  SymRect edge = { self->extent.x, self->extent.y, self->extent.width, 0 };
  const SymRect *rects[] = { kept, &edge, &self->start }; /* the edge has a margin to the start */
  double way = 0;

  for (guint i = 0; way == 0 && i < G_N_ELEMENTS (rects); i++)
    if (rects[i] != NULL)
      way = scope_reveal_from_bars (&self->aim, rects[i], self->height, before, now);
  if (way == 0)
    return;
  if (self->fitted)
    apply_fit (self);
  else
    self->aim.y += way;
  clamp_sight (self, &self->aim);
  fly (self, ZOOM_TIME, FALSE);
}

/* Of what is computed from the corners, whether it is to be computed again: of a start only while
 * the drawing is the same, as somebody who opens and closes groups in it looks at them. */
static gboolean
has_other_corners (ScopeViewport *self, const ScopeCover *before)
{
  return self->fitted
             ? scope_cover_has_other_corners (&self->cover, before)
             : self->at_start && self->is_same && scope_cover_has_grown (&self->cover, before);
}

void
scope_viewport_set_cover (ScopeViewport *self, const ScopeCover *cover, const SymRect *kept)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (cover != NULL);
  ScopeCover before = self->cover;

  self->cover = *cover;
  if (has_other_corners (self, &before))
    adapt (self);
  else if (is_ready (self) && self->started)
    leave_bars (self, &before, kept);
}

void
scope_viewport_set_extent (ScopeViewport *self, const SymRect *extent)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (extent != NULL);

  if (self->start.width == 0)
    self->start = (SymRect){ extent->x, extent->y, extent->width, 0 };
  self->extent = *extent;
  adapt (self);
}

SymRect
scope_viewport_get_extent (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), ((SymRect){ 0 }));

  return self->extent;
}

void
scope_viewport_change_extent (ScopeViewport *self, const SymRect *extent, double dx, double dy)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (extent != NULL);

  if (!self->started)
    {
      scope_viewport_set_extent (self, extent);
      return;
    }
  self->extent = *extent;
  self->aim.x += dx;
  self->aim.y += dy;
  self->fitted = self->is_same = FALSE;
  jump (self);
}

void
scope_viewport_set_start (ScopeViewport *self, const SymRect *start, SymDirection direction)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (start != NULL);

  self->start = *start;
  self->direction = direction;
}

/* ---- Looking ---- */

double
scope_viewport_get_scale (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), 1);

  return self->now.scale;
}

SymRect
scope_viewport_get_visible (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), ((SymRect){ 0 }));

  return (SymRect){ self->now.x, self->now.y, self->width / self->now.scale,
                    self->height / self->now.scale };
}

void
scope_viewport_to_content (ScopeViewport *self, double px, double py, double *x, double *y)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  *x = self->now.x + px / self->now.scale;
  *y = self->now.y + py / self->now.scale;
}

void
scope_viewport_to_widget (ScopeViewport *self, double x, double y, double *px, double *py)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  *px = (x - self->now.x) * self->now.scale;
  *py = (y - self->now.y) * self->now.scale;
}

/* ---- Moving ---- */

/* From now on the user decides what is in sight. */
static void
take_over (ScopeViewport *self)
{
  self->fitted = self->at_start = FALSE;
  self->started = self->started || is_ready (self);
}

/* How small it may become by zooming: half of what fits, so that nobody is lost. */
static double
get_least_scale (ScopeViewport *self)
{
  ScopeSight all = scope_fit (&self->extent, self->width, self->height, &self->cover);
  double fit = is_ready (self) ? all.scale : 1;

  return MIN (MAX (fit / 2, MIN_SCALE), fit);
}

void
scope_viewport_zoom_at (ScopeViewport *self, double factor, double px, double py)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (isfinite (factor) && factor > 0);

  ScopeSight *aim = &self->aim;
  double x = aim->x + px / aim->scale, y = aim->y + py / aim->scale;

  aim->scale = CLAMP (aim->scale * factor, get_least_scale (self), MAX_SCALE);
  aim->x = x - px / aim->scale;
  aim->y = y - py / aim->scale;
  take_over (self);
  clamp_sight (self, aim);
  fly (self, ZOOM_TIME, FALSE);
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

  scope_viewport_zoom (self, scale / self->aim.scale);
}

/* What is dragged stays at the pointer: a flight ends where it is. */
void
scope_viewport_pan (ScopeViewport *self, double dx, double dy)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  self->aim = self->now;
  self->aim.x -= dx / self->aim.scale;
  self->aim.y -= dy / self->aim.scale;
  take_over (self);
  jump (self);
}

void
scope_viewport_throw (ScopeViewport *self, double vx, double vy)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  if (!self->is_animated || !is_ready (self) || hypot (vx, vy) < STANDSTILL)
    return;
  self->aim = self->now;
  stop (self);
  self->last_time = 0;
  self->velocity_x = vx;
  self->velocity_y = vy;
  take_over (self);
  emit_changed (self);
}

void
scope_viewport_center (ScopeViewport *self, double x, double y)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  if (!is_ready (self))
    return;
  self->aim.x = x - self->width / 2 / self->aim.scale;
  self->aim.y = y - self->height / 2 / self->aim.scale;
  take_over (self);
  jump (self);
}

void
scope_viewport_fit (ScopeViewport *self)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  if (!is_ready (self))
    return;
  take_over (self);
  apply_fit (self);
  fly (self, FLIGHT_TIME, TRUE);
}

gboolean
scope_viewport_is_fitted (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), FALSE);

  return self->fitted;
}

void
scope_viewport_show_start (ScopeViewport *self)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  self->started = FALSE;
  if (!is_ready (self))
    return;
  apply_start (self);
  jump (self);
}

void
scope_viewport_reveal (ScopeViewport *self, const SymRect *rect)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (rect != NULL);

  if (!is_ready (self))
    return;
  ScopeSight before = self->aim;
  const ScopeSight *aim = &self->aim;

  self->aim = scope_reveal (&before, rect, self->width, self->height, &self->cover);
  if (aim->scale == before.scale && aim->x == before.x && aim->y == before.y)
    return;
  take_over (self);
  fly (self, FLIGHT_TIME, TRUE);
}

void
scope_viewport_set_size_around (ScopeViewport *self,
                                double width,
                                double height,
                                const SymRect *rect)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  ScopeSight aim = self->aim;
  gboolean was_seen =
      is_ready (self) && scope_reveal_is_seen (&aim, rect, self->width, self->height);
  gboolean was_clear =
      !scope_reveal_from_corners (&aim, rect, self->width, self->height, &self->cover);

  scope_viewport_set_size (self, width, height);
  aim = self->aim;
  if (!was_seen)
    return;
  if (!scope_reveal_is_seen (&aim, rect, width, height))
    self->aim = scope_reveal_beside (&aim, rect, width, height);
  else if (was_clear && scope_reveal_from_corners (&aim, rect, width, height, &self->cover))
    self->aim = aim;
  else
    return;
  take_over (self);
  jump (self);
}

ScopeSight
scope_viewport_get_sight (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), ((ScopeSight){ 0, 0, 1 }));

  return self->aim;
}

void
scope_viewport_go_to (ScopeViewport *self, const ScopeSight *sight, gboolean at_once)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));
  g_return_if_fail (sight != NULL && sight->scale > 0);

  self->aim = *sight;
  take_over (self);
  clamp_sight (self, &self->aim);
  if (at_once)
    jump (self);
  else
    fly (self, FLIGHT_TIME, TRUE);
}

/* ---- Motion, for the widget that shows it ---- */

void
scope_viewport_set_animated (ScopeViewport *self, gboolean is_animated)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  self->is_animated = is_animated;
  if (!is_animated && scope_viewport_is_moving (self))
    jump (self);
}

void
scope_viewport_hold (ScopeViewport *self, gboolean is_held)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  if (self->is_held == is_held)
    return;
  self->is_held = is_held;
  self->aim = self->now;
  jump (self);
}

gboolean
scope_viewport_is_moving (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), FALSE);

  return self->flight_time > 0 || self->velocity_x != 0 || self->velocity_y != 0;
}

gboolean
scope_viewport_is_zooming (ScopeViewport *self)
{
  g_return_val_if_fail (SCOPE_IS_VIEWPORT (self), FALSE);

  return self->is_held || self->flight_time > 0;
}

void
scope_viewport_advance (ScopeViewport *self, gint64 time)
{
  g_return_if_fail (SCOPE_IS_VIEWPORT (self));

  double seconds = self->last_time > 0 ? (double) (time - self->last_time) / G_USEC_PER_SEC : 0;

  self->last_time = time;
  if (!scope_viewport_is_moving (self) || seconds <= 0)
    return;
  if (self->flight_time > 0)
    advance_flight (self, seconds);
  else
    advance_throw (self, seconds);
  emit_changed (self);
}
