/* SPDX-License-Identifier: MIT */
#include "app/scope-fit.h"

#include "app/scope-reveal.h"

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

/* What lies in one corner: @area is up to its sides. */
typedef struct {
  double x, y; /* its inner corner */
  gboolean is_right, is_bottom;
} Corner;

#define N_CORNERS 3
#define TOUCHING 0.01 /* pixels that are none */

/* The one that was there first comes first. */
static void
list_corners (Corner corners[N_CORNERS], double width, double height, const ScopeCover *cover)
{
  corners[0] = (Corner){ cover->width, height - cover->bottom - cover->height, FALSE, TRUE };
  corners[1] = (Corner){ width - cover->zoom_width, cover->zoom_height, TRUE, FALSE };
  corners[2] = (Corner){ cover->back_width, cover->back_height, FALSE, FALSE };
}

static gboolean
is_under (const SymRect *extent, const ScopeSight *sight, const Corner *corner)
{
  double left = (extent->x - sight->x) * sight->scale;
  double right = left + extent->width * sight->scale;
  double top = (extent->y - sight->y) * sight->scale;
  double bottom = top + extent->height * sight->scale;

  return (corner->is_right ? right > corner->x + TOUCHING : left < corner->x - TOUCHING) &&
         (corner->is_bottom ? bottom > corner->y + TOUCHING : top < corner->y - TOUCHING);
}

/* What is left of @area above or below a corner, or beside it. */
static Area
leave (const Area *area, const Corner *corner, gboolean beside)
{
  Area rest = *area;

  if (beside && corner->is_right)
    rest.right = MIN (rest.right, corner->x);
  else if (beside)
    rest.left = MAX (rest.left, corner->x);
  else if (corner->is_bottom)
    rest.bottom = MIN (rest.bottom, corner->y);
  else
    rest.top = MAX (rest.top, corner->y);
  return rest;
}

/* The largest sight that is under none of the first @n corners; each is left on one of its sides
 * where it has to be. */
static ScopeSight
look_beside (const SymRect *extent, const Area *area, const Corner *corners, guint n)
{
  ScopeSight best = { .scale = 0 };

  for (guint sides = 0; sides < 1u << n; sides++)
    {
      Area rest = *area;
      ScopeSight sight = look (extent, &rest);

      for (guint i = 0; i < n; i++)
        if (is_under (extent, &sight, &corners[i]))
          {
            rest = leave (&rest, &corners[i], (sides & 1u << i) != 0);
            sight = look (extent, &rest);
          }
      for (guint i = 0; i < n; i++) /* what moved away from one may be under another now */
        if (is_under (extent, &sight, &corners[i]))
          {
            rest = leave (&rest, &corners[i], (sides & 1u << i) != 0);
            sight = look (extent, &rest);
          }
      if (sight.scale > best.scale)
        best = sight;
    }
  return best;
}

/* All that no bar lies over. */
static Area
get_area (double width, double height, const ScopeCover *cover)
{
  return (Area){ MARGIN, MAX (cover->top, MARGIN), width - MARGIN,
                 height - MAX (cover->bottom, MARGIN) };
}

/* Where there is no room beside all, that in the corner below comes first. */
ScopeSight
scope_fit (const SymRect *extent, double width, double height, const ScopeCover *cover)
{
  Area all = get_area (width, height, cover);
  ScopeSight sight = look (extent, &all);
  Corner corners[N_CORNERS];

  list_corners (corners, width, height, cover);
  for (guint n = N_CORNERS; n > 0; n -= n > 1 ? N_CORNERS - 1 : 1)
    {
      ScopeSight beside = look_beside (extent, &all, corners, n);

      if (beside.scale >= WORTHWHILE * sight.scale)
        return beside;
    }
  return sight;
}

/* What is left of @all between the corners, for a drawing that goes on in that direction: it passes
 * by those at both its sides, and at its end by the map. */
static Area
get_clear (const Area *all, double width, const ScopeCover *cover, SymDirection direction)
{
  Area clear = *all;

  clear.left = MAX (clear.left, MAX (cover->width, cover->back_width));
  if (direction == SYM_DIRECTION_DOWN)
    clear.right = MIN (clear.right, width - MAX (cover->map_width, cover->zoom_width));
  else if (cover->map_height > 0)
    clear.bottom -= cover->map_height;
  return clear;
}

/* That at which the whole of the drawing's other side is in @area. */
static double
get_scale_across (const SymRect *extent, const Area *area, SymDirection direction)
{
  return direction == SYM_DIRECTION_DOWN ? (area->right - area->left) / extent->width
                                         : (area->bottom - area->top) / extent->height;
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
                 SymDirection direction,
                 double width,
                 double height,
                 const ScopeCover *cover)
{
  Area area = get_area (width, height, cover);
  Area clear = get_clear (&area, width, cover, direction);
  ScopeSight sight;

  if (get_scale_across (extent, &clear, direction) >= SCOPE_READABLE_SCALE)
    area = clear;
  else
    area.left = direction == SYM_DIRECTION_RIGHT ? clear.left : area.left;
  sight.scale = CLAMP (get_scale_across (extent, &area, direction), SCOPE_READABLE_SCALE, 1.0);
  sight.x = get_start_origin (start->x + start->width / 2, extent->x, extent->width, area.left,
                              area.right, sight.scale);
  sight.y = get_start_origin (start->y + start->height / 2, extent->y, extent->height, area.top,
                              area.bottom, sight.scale);
  return sight;
}

gboolean
scope_cover_has_other_corners (const ScopeCover *self, const ScopeCover *before)
{
  return self->width != before->width || self->height != before->height ||
         self->back_width != before->back_width || self->zoom_width != before->zoom_width;
}

gboolean
scope_cover_has_grown (const ScopeCover *self, const ScopeCover *before)
{
  return self->width > before->width || self->back_width > before->back_width ||
         self->zoom_width > before->zoom_width || self->map_width > before->map_width ||
         self->map_height > before->map_height;
}
