/* SPDX-License-Identifier: MIT */
#include "draw/sym-painter-private.h"

#include <math.h>

#define SPOT_PIXELS 2.0
#define MAX_SPOTS (1 << 22)
#define STRONG_BELOW 0.15 /* pixels per point; the colour of outlines alone */
#define LEAST_STROKE 0.3
#define OUTLINE_PIXELS 1.0
#define DIMMED_TEXT 0.35 /* of the colour of a dimmed text in that of its box */

/* Which slot shows at each spot, one more than it; 0 for none. */
typedef struct {
  guint8 *slots;
  gint64 left, top; /* in spots from the origin, so that panning does not shift them */
  gint64 n_columns, n_rows;
  double size;
  gint64 more_columns, more_rows; /* on either side of each box */
  guint64 used;                   /* a bit per slot that shows anywhere */
} Spots;

G_STATIC_ASSERT (SYM_N_PAINTS <= 64);

/* Colours that tell numbers, or that somebody else chose, are what they are; what is dimmed stands
 * back, but has no text here that would be seen in its stead.  All others are seen on any ground,
 * of which frames are the nearest to them. */
static SymRgb
get_outline (const SymPainter *self, guint slot)
{
  const SymPaint *paint = &self->palette->paints[slot];

  if (slot == SYM_PAINT_DIMMED)
    return sym_rgb_mix (paint->stroke, paint->text, DIMMED_TEXT);
  if (slot >= SYM_PAINT_HEAT)
    return paint->stroke;
  return sym_rgb_stand_out (paint->stroke, self->palette->frames[0], paint->text);
}

/* Outlines are stronger than fills, and so seen from afar; where boxes are still large the colour
 * is near to what a box with its outline looks like, so that nothing flashes while one zooms. */
SymRgb
sym_painter_get_fill (const SymPainter *self, SymPaintSlot slot)
{
  const SymPaint *paint = &self->palette->paints[slot];
  double far = (SYM_SCALE_DETAIL - self->scale) / (SYM_SCALE_DETAIL - STRONG_BELOW);
  double near = (self->scale - SYM_SCALE_DETAIL) / (SYM_SCALE_TEXT - SYM_SCALE_DETAIL);

  if (far < 0)
    return sym_rgb_mix (paint->fill, paint->stroke, LEAST_STROKE * MAX (1 - near, 0));
  return sym_rgb_mix (paint->fill, get_outline (self, slot),
                      LEAST_STROKE + (1 - LEAST_STROKE) * MIN (far, 1));
}

static void
set_slot_color (const SymPainter *self, guint slot)
{
  sym_painter_set_color (self, sym_painter_get_fill (self, slot));
}

static void
fill_rects (const SymPainter *self, const GArray *rects, double inset)
{
  for (guint i = 0; i < rects->len; i++)
    {
      SymRect rect = sym_draw_rect_grow (&g_array_index (rects, SymRect, i), -inset);

      if (rect.width > 0 && rect.height > 0)
        cairo_rectangle (self->cr, rect.x, rect.y, rect.width, rect.height);
    }
  cairo_fill (self->cr);
}

/* With an outline, as far as the inside is another colour: filling twice is much faster than a
 * stroke. */
static void
draw_slot (const SymPainter *self, guint slot, const GArray *rects)
{
  SymRgb outline = get_outline (self, slot), fill = sym_painter_get_fill (self, slot);

  sym_painter_set_color (self, outline);
  fill_rects (self, rects, 0);
  if (fill == outline)
    return;
  sym_painter_set_color (self, fill);
  fill_rects (self, rects, OUTLINE_PIXELS / self->scale);
}

static void
draw_plain (const SymPainter *self, const GArray *items)
{
  const SymPicture *picture = self->picture;
  GArray *rects[SYM_N_PAINTS];

  for (guint slot = 0; slot < SYM_N_PAINTS; slot++)
    rects[slot] = g_array_new (FALSE, FALSE, sizeof (SymRect));
  for (guint i = 0; i < items->len; i++)
    {
      guint item = g_array_index (items, guint, i);
      guint n_boxes = sym_scene_get_item (picture->scene, item)->n_boxes;

      for (guint box = 0; box < n_boxes; box++)
        {
          SymBoxLook look = sym_picture_get_box_look (picture, item, box);

          g_array_append_val (rects[look.slot], look.rect);
        }
    }
  for (guint slot = 0; slot < SYM_N_PAINTS; slot++)
    {
      if (rects[slot]->len > 0)
        draw_slot (self, slot, rects[slot]);
      g_array_unref (rects[slot]);
    }
}

static gint64
count_more (const SymPainter *self, double length)
{
  return (gint64) MAX ((SYM_THREAD_PIXELS - length * self->scale) / (2 * SPOT_PIXELS), 0);
}

static gboolean
start_spots (const SymPainter *self, Spots *spots)
{
  const SymRect *clip = &self->clip;

  spots->size = SPOT_PIXELS / self->scale;
  spots->more_columns = count_more (self, self->picture->extent.width);
  spots->more_rows = count_more (self, self->picture->extent.height);
  spots->left = (gint64) floor (clip->x / spots->size);
  spots->top = (gint64) floor (clip->y / spots->size);
  spots->n_columns = (gint64) floor ((clip->x + clip->width) / spots->size) - spots->left + 1;
  spots->n_rows = (gint64) floor ((clip->y + clip->height) / spots->size) - spots->top + 1;
  if (spots->n_columns > MAX_SPOTS || spots->n_rows > MAX_SPOTS / spots->n_columns)
    return FALSE;
  spots->slots = g_new0 (guint8, (gsize) (spots->n_columns * spots->n_rows));
  return TRUE;
}

/* Inputs and outputs are few and looked for: nothing covers them. */
static gboolean
may_cover (guint8 slot, guint8 old)
{
  return old != SYM_PAINT_INPUT + 1 && old != SYM_PAINT_OUTPUT + 1 &&
         (slot != SYM_PAINT_HIDDEN + 1 || old == 0);
}

static void
mark_box (Spots *spots, const SymBoxLook *look)
{
  gint64 left = (gint64) floor (look->rect.x / spots->size) - spots->left;
  gint64 top = (gint64) floor (look->rect.y / spots->size) - spots->top;
  gint64 right = (gint64) floor ((look->rect.x + look->rect.width) / spots->size) - spots->left;
  gint64 bottom = (gint64) floor ((look->rect.y + look->rect.height) / spots->size) - spots->top;
  guint8 slot = (guint8) (look->slot + 1);

  left -= spots->more_columns;
  right += spots->more_columns;
  top -= spots->more_rows;
  bottom += spots->more_rows;
  for (gint64 y = MAX (top, 0); y <= MIN (bottom, spots->n_rows - 1); y++)
    for (gint64 x = MAX (left, 0); x <= MIN (right, spots->n_columns - 1); x++)
      if (may_cover (slot, spots->slots[y * spots->n_columns + x]))
        {
          spots->slots[y * spots->n_columns + x] = slot;
          spots->used |= G_GUINT64_CONSTANT (1) << look->slot;
        }
}

static void
fill_slot (const SymPainter *self, const Spots *spots, guint slot)
{
  set_slot_color (self, slot);
  for (gint64 y = 0; y < spots->n_rows; y++)
    for (gint64 x = 0; x < spots->n_columns; x++)
      {
        const guint8 *row = spots->slots + y * spots->n_columns;
        gint64 start = x;

        while (x < spots->n_columns && row[x] == slot + 1)
          x++;
        if (x > start)
          cairo_rectangle (self->cr, (double) (spots->left + start) * spots->size,
                           (double) (spots->top + y) * spots->size,
                           (double) (x - start) * spots->size, spots->size);
      }
  cairo_fill (self->cr);
}

static void
draw_spots (const SymPainter *self, const GArray *items, Spots *spots)
{
  for (guint i = 0; i < items->len; i++)
    {
      guint item = g_array_index (items, guint, i);
      guint n_boxes = sym_scene_get_item (self->picture->scene, item)->n_boxes;

      for (guint box = 0; box < n_boxes; box++)
        {
          SymBoxLook look = sym_picture_get_box_look (self->picture, item, box);

          mark_box (spots, &look);
        }
    }
  for (guint slot = 0; slot < SYM_N_PAINTS; slot++)
    if (spots->used & G_GUINT64_CONSTANT (1) << slot)
      fill_slot (self, spots, slot);
}

void
sym_painter_draw_far (const SymPainter *self, const GArray *items)
{
  Spots spots = { NULL };

  cairo_save (self->cr);
  cairo_set_antialias (self->cr, CAIRO_ANTIALIAS_NONE);
  if (self->scale < SYM_SCALE_SEPARATE && start_spots (self, &spots))
    draw_spots (self, items, &spots);
  else
    draw_plain (self, items);
  cairo_restore (self->cr);
  g_free (spots.slots);
}
