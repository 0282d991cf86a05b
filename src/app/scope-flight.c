/* SPDX-License-Identifier: MIT */
#include "app/scope-flight.h"

#include <math.h>

#define RHO2 2.0 /* how gladly a flight zooms rather than pans, squared: what people liked best */
#define SAME_SPOT 1e-3 /* of what is in sight; nearer, and there is nothing to rise for */

static double
mix (double a, double b, double t)
{
  return a + (b - a) * t;
}

/* Zooms evenly to the eye.  The corner moves with 1/scale, which keeps one point in place. */
static ScopeSight
glide (const ScopeFlight *self, double t)
{
  const ScopeSight *a = &self->from, *b = &self->to;
  double scale = a->scale * pow (b->scale / a->scale, t);
  double whole = 1 / b->scale - 1 / a->scale;
  double part =
      fabs (whole) * MIN (a->scale, b->scale) > 1e-6 ? (1 / scale - 1 / a->scale) / whole : t;

  return (ScopeSight){ mix (a->x, b->x, part), mix (a->y, b->y, part), scale };
}

static ScopeSight
look_at (const ScopeFlight *self, double x, double y, double scale)
{
  return (ScopeSight){ x - self->width / 2 / scale, y - self->height / 2 / scale, scale };
}

/* Their equations 7 to 9, w being the width in sight and u the way along the ground. */
static ScopeSight
rise (const ScopeFlight *self, double t)
{
  const ScopeSight *a = &self->from, *b = &self->to;
  double w0 = self->width / a->scale, w1 = self->width / b->scale;
  double ax = a->x + w0 / 2, ay = a->y + self->height / 2 / a->scale;
  double bx = b->x + w1 / 2, by = b->y + self->height / 2 / b->scale;
  double u1 = hypot (bx - ax, by - ay), rho = sqrt (RHO2);
  double b0 = (w1 * w1 - w0 * w0 + RHO2 * RHO2 * u1 * u1) / (2 * w0 * RHO2 * u1);
  double b1 = (w1 * w1 - w0 * w0 - RHO2 * RHO2 * u1 * u1) / (2 * w1 * RHO2 * u1);
  double r0 = asinh (-b0), r1 = asinh (-b1);
  double s = t * (r1 - r0) / rho;
  double u = w0 / RHO2 * (cosh (r0) * tanh (rho * s + r0) - sinh (r0));
  double w = w0 * cosh (r0) / cosh (rho * s + r0);

  return look_at (self, mix (ax, bx, u / u1), mix (ay, by, u / u1), self->width / w);
}

static gboolean
is_on_the_spot (const ScopeFlight *self)
{
  const ScopeSight *a = &self->from, *b = &self->to;
  double dx = b->x + self->width / 2 / b->scale - a->x - self->width / 2 / a->scale;
  double dy = b->y + self->height / 2 / b->scale - a->y - self->height / 2 / a->scale;

  return hypot (dx, dy) * MAX (a->scale, b->scale) < SAME_SPOT * MAX (self->width, 1);
}

ScopeSight
scope_flight_get (const ScopeFlight *self, double t)
{
  if (t <= 0)
    return self->from;
  if (t >= 1)
    return self->to;
  return self->rises && self->width > 0 && !is_on_the_spot (self) ? rise (self, t)
                                                                  : glide (self, t);
}
