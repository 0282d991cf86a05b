/* SPDX-License-Identifier: MIT */
#include "app/scope-fit.h"

#define MARGIN 24.0    /* pixels around all of the content */
#define WORTHWHILE 0.7 /* of the scale: a drawing that would be smaller goes on under the corner */

/* Pixels of the widget. */
typedef struct {
  double left, top, right, bottom;
} Area;

static double
get_scale (const SymRect *extent, const Area *area)
{
  double across = MAX (area->right - area->left, 1) / extent->width;
  double down = MAX (area->bottom - area->top, 1) / extent->height;

  return MIN (MIN (across, down), 1.0);
}

static ScopeSight
look (const SymRect *extent, const Area *area)
{
  ScopeSight sight = { .scale = get_scale (extent, area) };

  sight.x = extent->x + extent->width / 2 - (area->left + area->right) / 2 / sight.scale;
  sight.y = extent->y + extent->height / 2 - (area->top + area->bottom) / 2 / sight.scale;
  return sight;
}

static gboolean
is_under (const SymRect *extent, const ScopeSight *sight, double corner_right, double corner_top)
{
  double left = (extent->x - sight->x) * sight->scale;
  double bottom = (extent->y + extent->height - sight->y) * sight->scale;

  return left < corner_right && bottom > corner_top;
}

ScopeSight
scope_fit (const SymRect *extent, double width, double height, const ScopeCover *cover)
{
  Area all = { MARGIN, MARGIN, width - MARGIN, height - MARGIN };
  ScopeSight sight = look (extent, &all);
  Area beside = all, above = all;

  if (!is_under (extent, &sight, cover->width, height - cover->height))
    return sight;
  beside.left = MAX (cover->width, MARGIN);
  above.bottom = MIN (height - cover->height, all.bottom);
  const Area *area = get_scale (extent, &beside) > get_scale (extent, &above) ? &beside : &above;

  return get_scale (extent, area) >= WORTHWHILE * sight.scale ? look (extent, area) : sight;
}
