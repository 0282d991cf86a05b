/* SPDX-License-Identifier: MIT */
#include "app/scope-overview.h"

#define LEAST_FRAME 8.0 /* pixels */
#define MARGIN 0.02     /* of the extent, which has a margin of its own */

ScopeOverview
scope_overview_get (const SymRect *extent, double most_width, double most_height, double least)
{
  ScopeOverview self = { *extent, least, least };

  if (extent->width <= 0 || extent->height <= 0)
    return self;
  double scale = MIN (most_width / extent->width, most_height / extent->height);

  self.width = MAX (extent->width * scale, least);
  self.height = MAX (extent->height * scale, least);
  return self;
}

void
scope_overview_to_content (const ScopeOverview *self, double px, double py, double *x, double *y)
{
  *x = self->extent.x + px / self->width * self->extent.width;
  *y = self->extent.y + py / self->height * self->extent.height;
}

/* One side: where it is, at least so long, and not beyond the end. */
static void
place (double start, double length, double pixels, double *from, double *extent)
{
  double low = CLAMP (start, 0, pixels), high = CLAMP (start + length, 0, pixels);
  double grown = MIN (MAX (high - low, LEAST_FRAME), pixels);

  *from = CLAMP ((low + high) / 2 - grown / 2, 0, pixels - grown);
  *extent = grown;
}

SymRect
scope_overview_get_frame (const ScopeOverview *self, const SymRect *visible)
{
  SymRect frame;
  double across = self->width / self->extent.width, down = self->height / self->extent.height;

  place ((visible->x - self->extent.x) * across, visible->width * across, self->width, &frame.x,
         &frame.width);
  place ((visible->y - self->extent.y) * down, visible->height * down, self->height, &frame.y,
         &frame.height);
  return frame;
}

gboolean
scope_overview_is_needless (const SymRect *extent, const SymRect *visible)
{
  double x = MARGIN * extent->width, y = MARGIN * extent->height;

  return extent->width <= 0 || extent->height <= 0 ||
         (visible->x <= extent->x + x && visible->y <= extent->y + y &&
          visible->x + visible->width >= extent->x + extent->width - x &&
          visible->y + visible->height >= extent->y + extent->height - y);
}
