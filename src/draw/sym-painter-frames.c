/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-text.h"
#include "draw/sym-painter-private.h"

#include <math.h>

#define MIN_PIXELS 3.0   /* a smaller frame is not seen */
#define TITLE_INSET 12.0 /* pixels, of a title that stays in sight */
#define MOST_TITLE_FACTOR 1.5
#define TITLE_MARGIN 5.0 /* between a title and where its frame ends */

void
sym_painter_add_box (cairo_t *cr, const SymRect *rect, double radius)
{
  double right = rect->x + rect->width;
  double bottom = rect->y + rect->height;

  if (radius <= 0)
    {
      cairo_rectangle (cr, rect->x, rect->y, rect->width, rect->height);
      return;
    }
  cairo_new_sub_path (cr);
  cairo_arc (cr, right - radius, rect->y + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, right - radius, bottom - radius, radius, 0, G_PI_2);
  cairo_arc (cr, rect->x + radius, bottom - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, rect->x + radius, rect->y + radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

void
sym_painter_draw_sign (const SymPainter *self, const SymRect *sign, gboolean is_plus, SymRgb color)
{
  double x = sign->x + sign->width / 2;
  double y = sign->y + sign->height / 2;
  double arm = sign->width / 2 - 2.5;

  sym_painter_set_color (self, color);
  cairo_set_line_width (self->cr, 1);
  sym_painter_add_box (self->cr, sign, 2.5);
  cairo_move_to (self->cr, x - arm, y);
  cairo_line_to (self->cr, x + arm, y);
  if (is_plus)
    {
      cairo_move_to (self->cr, x, y - arm);
      cairo_line_to (self->cr, x, y + arm);
    }
  cairo_stroke (self->cr);
}

/* How much larger than in the picture a title is drawn. */
static double
get_title_factor (const SymPainter *self, const SymTextStyle *style)
{
  double least = ceil (SYM_SMALL_TITLE_PIXELS / (style->size * self->scale) * SYM_TITLE_STEPS);

  return CLAMP (least / SYM_TITLE_STEPS, 1, MOST_TITLE_FACTOR);
}

/* From afar it grows as far as its frame has room, to the place of the sign, too. */
static void
draw_title (const SymPainter *self, const SymFrameLook *look)
{
  SymTextStyle style = sym_scene_get_title_text_style ();
  double factor = get_title_factor (self, &style);
  double opacity = sym_painter_get_text_opacity (self, style.size * factor);
  double width, height, left, room;

  if (opacity <= 0)
    return;
  sym_painter_set_faded (self, look->text, opacity);
  if (factor <= 1)
    {
      sym_painter_draw_sign (self, &look->sign, FALSE, look->text);
      sym_draw_text_show (self->cr, &style, look->title, look->title_center.x, look->title_center.y,
                          0);
      return;
    }
  sym_draw_text_measure (&style, look->title, &width, &height);
  left = look->title_center.x - width / 2;
  left -= (factor - 1) / (MOST_TITLE_FACTOR - 1) * MAX (left - look->sign.x, 0);
  room = look->rect.x + look->rect.width - TITLE_MARGIN - left;
  sym_draw_text_show_within (self->cr, &style, look->title, left + MIN (width * factor, room) / 2,
                             look->title_center.y, 0, factor, room);
}

void
sym_painter_draw_frame (const SymPainter *self, const SymFrameLook *look)
{
  gboolean is_near = self->scale >= SYM_SCALE_DETAIL;

  if (look->rect.width * self->scale < MIN_PIXELS || look->rect.height * self->scale < MIN_PIXELS)
    return;
  sym_painter_add_box (self->cr, &look->rect, is_near ? look->radius : 0);
  sym_painter_set_color (self, self->palette->frames[look->shade]);
  cairo_fill_preserve (self->cr);
  sym_painter_set_color (self, look->stroke);
  /* From afar a border of one point would vanish, and with it where the frame ends. */
  cairo_set_line_width (self->cr, is_near ? 1 : 1 / self->scale);
  cairo_stroke (self->cr);
  draw_title (self, look);
}

/* The middle of its title, not before the left of what is in sight nor beyond the frame's right. */
static double
keep_title (const SymPainter *self, const SymFrameLook *look, double width)
{
  double least = self->clip.x + TITLE_INSET / self->scale + width / 2;
  double most = look->rect.x + look->rect.width - TITLE_INSET - width / 2;

  return MAX (look->title_center.x, MIN (least, most));
}

/* A frame within comes after that around it, and so is painted upon it. */
void
sym_painter_draw_frames (const SymPainter *self)
{
  g_autoptr (GArray) found = sym_draw_grid_query (self->picture->frames, &self->clip);

  for (guint i = 0; i < found->len; i++)
    {
      guint frame = g_array_index (found, guint, i);
      SymFrameLook look = sym_picture_get_frame_look (self->picture, frame);

      if (self->keeps_titles)
        look.title_center.x = keep_title (
            self, &look, sym_scene_get_frame (self->picture->scene, frame)->title_width);
      sym_painter_draw_frame (self, &look);
    }
}
