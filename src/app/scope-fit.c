/* SPDX-License-Identifier: MIT */
#include "app/scope-fit.h"

#define MARGIN 24.0 /* pixels around all of the content */
#define WORTHWHILE                                                              \
  0.7 /* of the scale: a drawing that would be smaller goes on under the corner \
       */

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

/* All that no bar lies over. */
static Area
get_area (double width, double height, const ScopeCover *cover)
{
  return (Area){ MARGIN, MAX (cover->top, MARGIN), width - MARGIN,
                 height - MAX (cover->bottom, MARGIN) };
}

ScopeSight
scope_fit (const SymRect *extent, double width, double height, const ScopeCover *cover)
{
  Area all = get_area (width, height, cover);
  double corner_top = height - cover->bottom - cover->height;
  ScopeSight sight = look (extent, &all);
  Area beside = all, above = all;

  if (!is_under (extent, &sight, cover->width, corner_top))
    return sight;
  beside.left = MAX (cover->width, MARGIN);
  above.bottom = MIN (corner_top, all.bottom);
  const Area *area = get_scale (extent, &beside) > get_scale (extent, &above) ? &beside : &above;

  return get_scale (extent, area) >= WORTHWHILE * sight.scale ? look (extent, area) : sight;
}

/* Along one axis, between two pixels of the widget. */
static double
get_start_origin (double start, double low, double length, double from, double to, double scale)
{
  double middle = (from + to) / 2 / scale;

  if (length <= (to - from) / scale)
    return low + length / 2 - middle;
  return CLAMP (start - middle, low - from / scale, low + length - to / scale);
}

ScopeSight
scope_fit_start (const SymRect *extent,
                 const SymRect *start,
                 double width,
                 double height,
                 const ScopeCover *cover,
                 double scale)
{
  Area area = get_area (width, height, cover);
  ScopeSight sight = { .scale = scale };

  sight.x = get_start_origin (start->x + start->width / 2, extent->x, extent->width, area.left,
                              area.right, scale);
  sight.y = get_start_origin (start->y + start->height / 2, extent->y, extent->height, area.top,
                              area.bottom, scale);
  return sight;
}
