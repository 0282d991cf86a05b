/* SPDX-License-Identifier: MIT */
#include "app/scope-reveal.h"

#define MARGIN                                                                      \
  72.0 /* pixels between what is revealed and the edge, and what lies over it there \
        */
#define CORNER_MARGIN 12.0

/* How far an interval must move to lie within [@low, @high] less @margin; centred when it does not
 * fit, or when it was out of sight, as then nothing near it is known to the eye. */
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

/* Out from under what lies in the corner, the shorter way: upwards or to the right. */
static void
avoid_corner (ScopeSight *aim,
              const SymRect *rect,
              double width,
              double height,
              const ScopeCover *cover)
{
  double corner_top = height - cover->bottom - cover->height;
  double beside = cover->width + CORNER_MARGIN - (rect->x - aim->x) * aim->scale;
  double above = (rect->y + rect->height - aim->y) * aim->scale + CORNER_MARGIN - corner_top;

  if (beside <= 0 || above <= 0)
    return;
  gboolean fits_above = (rect->y - aim->y) * aim->scale - above >= cover->top;
  gboolean fits_beside = (rect->x + rect->width - aim->x) * aim->scale + beside <= width;

  if (fits_above && (above <= beside || !fits_beside))
    aim->y += above / aim->scale;
  else if (fits_beside)
    aim->x -= beside / aim->scale;
}

ScopeSight
scope_reveal (const ScopeSight *sight,
              const SymRect *rect,
              double width,
              double height,
              const ScopeCover *cover)
{
  ScopeSight aim = *sight;
  double scale = aim.scale >= SCOPE_WHOLE_SCALE ? aim.scale : SCOPE_READABLE_SCALE;
  double margin = MARGIN / scale, across = width / scale, down = height / scale;
  double top = cover->top / scale, bottom = cover->bottom / scale;

  if (scale != aim.scale)
    {
      aim.scale = scale;
      aim.x = rect->x + rect->width / 2 - across / 2;
      aim.y = rect->y + rect->height / 2 - (down + top - bottom) / 2;
    }
  aim.x += get_shift (rect->x, rect->width, aim.x, aim.x + across, margin);
  aim.y += get_shift (rect->y, rect->height, aim.y + top, aim.y + down - bottom, margin);
  avoid_corner (&aim, rect, width, height, cover);
  return aim;
}

ScopeSight
scope_reveal_beside (const ScopeSight *sight, const SymRect *rect, double width, double height)
{
  ScopeSight aim = *sight;
  double margin = MARGIN / aim.scale;

  aim.x += get_shift (rect->x, rect->width, aim.x, aim.x + width / aim.scale, margin);
  aim.y += get_shift (rect->y, rect->height, aim.y, aim.y + height / aim.scale, margin);
  return aim;
}
