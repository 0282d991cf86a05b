/* SPDX-License-Identifier: MIT */
#include "app/scope-overview.h"

#define LEAST_FRAME 8.0  /* pixels */
#define MARGIN 0.02      /* of the extent, which has a margin of its own */
#define MOST_IN_VIEW 0.8 /* of a piece: where the view is larger, so is the piece */

/* How far a view has come on its way from one end to the other, from 0 to 1. */
static double
get_way (double start, double length, double from, double visible)
{
  return length > visible ? CLAMP ((from - start) / (length - visible), 0, 1) : 0.5;
}

/* One side of what is shown: all of it in the middle, or a piece. */
static void
choose_piece (double start,
              double length,
              double from,
              double visible,
              double wanted,
              double *piece_start,
              double *piece)
{
  *piece = wanted;
  *piece_start = start + (length - wanted) / 2;
  if (wanted < length)
    *piece_start = start + get_way (start, length, from, visible) * (length - wanted);
}

static double
choose_scale (const SymRect *extent, const SymRect *visible, const ScopeOverviewSize *size)
{
  double all = MIN (size->most_width / extent->width, size->most_height / extent->height);
  double thread = size->thread / MIN (extent->width, extent->height);
  gboolean is_tall = extent->height > extent->width;
  double view =
      is_tall ? MIN (visible->height, extent->height) : MIN (visible->width, extent->width);
  double most = is_tall ? size->most_height : size->most_width;

  return MAX (all, view > 0 ? MIN (thread, MOST_IN_VIEW * most / view) : thread);
}

ScopeOverview
scope_overview_get (const SymRect *extent, const SymRect *visible, const ScopeOverviewSize *size)
{
  ScopeOverview self = { *extent, *extent, 1, size->least, size->least };

  if (extent->width <= 0 || extent->height <= 0)
    return self;
  self.scale = choose_scale (extent, visible, size);
  self.width = CLAMP (extent->width * self.scale, size->least, size->most_width);
  self.height = CLAMP (extent->height * self.scale, size->least, size->most_height);
  choose_piece (extent->x, extent->width, visible->x, visible->width, self.width / self.scale,
                &self.shown.x, &self.shown.width);
  choose_piece (extent->y, extent->height, visible->y, visible->height, self.height / self.scale,
                &self.shown.y, &self.shown.height);
  return self;
}

void
scope_overview_to_content (const ScopeOverview *self, double px, double py, double *x, double *y)
{
  *x = self->shown.x + px / self->scale;
  *y = self->shown.y + py / self->scale;
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

  place ((visible->x - self->shown.x) * self->scale, visible->width * self->scale, self->width,
         &frame.x, &frame.width);
  place ((visible->y - self->shown.y) * self->scale, visible->height * self->scale, self->height,
         &frame.y, &frame.height);
  return frame;
}

/* One side of an overview, of a view, and of its frame. */
typedef struct {
  double start, length; /* of the content */
  double shown, piece;  /* from where, how much */
  double pixels;
  double visible;
  double frame; /* pixels */
} Side;

/* Content that is shown whole lies where it is seen; a piece slides. */
static double
drag (const Side *side, double scale, double at)
{
  if (side->piece >= side->length || side->visible >= side->length)
    return side->shown + (at + side->frame / 2) / scale;
  double way = side->pixels > side->frame ? CLAMP (at / (side->pixels - side->frame), 0, 1) : 0;

  return side->start + way * (side->length - side->visible) + side->visible / 2;
}

void
scope_overview_drag (const ScopeOverview *self,
                     const SymRect *visible,
                     double px,
                     double py,
                     double *x,
                     double *y)
{
  SymRect frame = scope_overview_get_frame (self, visible);
  Side across = { self->extent.x, self->extent.width, self->shown.x, self->shown.width,
                  self->width,    visible->width,     frame.width };
  Side down = { self->extent.y, self->extent.height, self->shown.y, self->shown.height,
                self->height,   visible->height,     frame.height };

  *x = drag (&across, self->scale, px);
  *y = drag (&down, self->scale, py);
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
