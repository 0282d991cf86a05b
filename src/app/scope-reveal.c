/* SPDX-License-Identifier: MIT */
#include "app/scope-reveal.h"

#define MARGIN                                                                      \
  72.0 /* pixels between what is revealed and the edge, and what lies over it there \
        */
#define CORNER_MARGIN 12.0
#define BAR_MARGIN 12.0

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

/* What lies in a corner at the bottom, and how far a place is under it: so much it would have to
 * move upwards, or towards the other side, to be out of it. */
typedef struct {
  gboolean is_right;
  double width, height;
  double above, beside;
} Corner;

static gboolean
is_under (Corner *self,
          const ScopeSight *aim,
          const SymRect *rect,
          double width,
          double height,
          double bottom)
{
  double left = (rect->x - aim->x) * aim->scale;
  double right = (rect->x + rect->width - aim->x) * aim->scale;

  self->beside = self->width + CORNER_MARGIN - (self->is_right ? width - right : left);
  self->above = (rect->y + rect->height - aim->y) * aim->scale + CORNER_MARGIN -
                (height - bottom - self->height);
  return self->width > 0 && self->beside > 0 && self->above > 0;
}

/* The shorter way, where that leads to a place that is in sight. */
static void
leave (const Corner *self,
       ScopeSight *aim,
       const SymRect *rect,
       double width,
       const ScopeCover *cover,
       gboolean upwards)
{
  double left = (rect->x - aim->x) * aim->scale;
  double right = (rect->x + rect->width - aim->x) * aim->scale;
  gboolean fits_above = (rect->y - aim->y) * aim->scale - self->above >= cover->top;
  gboolean fits_beside =
      !upwards && (self->is_right ? left - self->beside >= 0 : right + self->beside <= width);

  if (fits_above && (self->above <= self->beside || !fits_beside))
    aim->y += self->above / aim->scale;
  else if (fits_beside)
    aim->x += (self->is_right ? self->beside : -self->beside) / aim->scale;
}

/* Out from under what lies in the corners; where the way from one leads under the other, upwards.
 */
static void
avoid_corners (ScopeSight *aim,
               const SymRect *rect,
               double width,
               double height,
               const ScopeCover *cover)
{
  Corner corners[] = {
    { FALSE, cover->width, cover->height },
    { TRUE, cover->map_width, cover->map_height },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (corners); i++)
    {
      Corner *corner = &corners[i % G_N_ELEMENTS (corners)];

      if (is_under (corner, aim, rect, width, height, cover->bottom))
        leave (corner, aim, rect, width, cover, i >= G_N_ELEMENTS (corners));
    }
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
  avoid_corners (&aim, rect, width, height, cover);
  return aim;
}

gboolean
scope_reveal_is_seen (const ScopeSight *sight, const SymRect *rect, double width, double height)
{
  return rect->x >= sight->x && rect->y >= sight->y &&
         rect->x + rect->width <= sight->x + width / sight->scale &&
         rect->y + rect->height <= sight->y + height / sight->scale;
}

gboolean
scope_reveal_from_corners (ScopeSight *sight,
                           const SymRect *rect,
                           double width,
                           double height,
                           const ScopeCover *cover)
{
  ScopeSight before = *sight;

  avoid_corners (sight, rect, width, height, cover);
  return sight->x != before.x || sight->y != before.y;
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

double
scope_reveal_from_bars (const ScopeSight *sight,
                        const SymRect *rect,
                        double height,
                        const ScopeCover *before,
                        const ScopeCover *now)
{
  double top = (rect->y - sight->y) * sight->scale;
  double bottom = (rect->y + rect->height - sight->y) * sight->scale;

  if (top >= before->top && top < now->top)
    return (top - now->top - BAR_MARGIN) / sight->scale;
  if (bottom <= height - before->bottom && bottom > height - now->bottom)
    return (bottom - height + now->bottom + BAR_MARGIN) / sight->scale;
  return 0;
}
