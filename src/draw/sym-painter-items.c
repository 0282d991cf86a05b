/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-text.h"
#include "draw/sym-painter-private.h"

#include <math.h>

#define CARD_RADIUS 10.0
#define LABEL_RADIUS 3.0
#define TITLE_PIXELS 8.0       /* of a font that is read easily */
#define LEAST_TITLE_PIXELS 4.6 /* of a name that is there as a whole */
#define TITLE_ROOM 0.82        /* of a box's height */
#define TITLE_MARGIN 3.5
#define MOVED_BELOW 0.5 /* of the opacity of the other lines: these go first, then it moves */

static void
fill_box (const SymPainter *self, const SymBoxLook *look, const SymRect *rect)
{
  const SymPaint *paint = &self->palette->paints[look->slot];

  sym_painter_add_box (self->cr, rect, self->scale >= SYM_SCALE_DETAIL ? look->radius : 0);
  sym_painter_set_color (
      self, look->slot == SYM_PAINT_HIDDEN ? paint->fill : sym_painter_get_fill (self, look->slot));
  cairo_fill_preserve (self->cr);
  sym_painter_set_color (self, paint->stroke);
  cairo_set_line_width (self->cr,
                        MAX (look->stroke_width, self->palette->outline_px / self->scale));
  cairo_stroke (self->cr);
}

/* Sheets behind the box say that it stands for several. */
static void
draw_box (const SymPainter *self, const SymBoxLook *look)
{
  for (guint i = look->n_sheets; i > 0; i--)
    {
      SymRect sheet = sym_box_look_get_sheet (look, i);

      fill_box (self, look, &sheet);
    }
  fill_box (self, look, &look->rect);
}

/* @factor: how much larger than in the picture. */
static void
draw_mark (const SymPainter *self, SymPoint at, double factor, gboolean output, gboolean dimmed)
{
  const SymMark *mark = sym_mark_get (output);
  SymPaintSlot slot = output ? SYM_PAINT_OUTPUT : SYM_PAINT_INPUT;
  const SymPaint *paint = &self->palette->paints[dimmed ? SYM_PAINT_DIMMED : slot];

  cairo_save (self->cr);
  cairo_translate (self->cr, at.x, at.y);
  cairo_scale (self->cr, factor, factor);
  cairo_new_sub_path (self->cr);
  cairo_arc (self->cr, 0, 0, SYM_MARK_RADIUS, 0, 2 * G_PI);
  sym_painter_set_color (self, dimmed ? paint->fill : paint->stroke);
  cairo_fill_preserve (self->cr);
  sym_painter_set_color (self, dimmed ? paint->stroke : self->palette->background);
  cairo_set_line_width (self->cr, 1.5);
  cairo_stroke (self->cr);

  sym_painter_set_color (self, dimmed ? paint->text : self->palette->mark);
  for (guint i = 0; i < mark->n_lines; i++)
    for (guint k = 0; k < mark->n_points[i]; k++)
      if (k == 0)
        cairo_move_to (self->cr, mark->points[i][k].x, mark->points[i][k].y);
      else
        cairo_line_to (self->cr, mark->points[i][k].x, mark->points[i][k].y);
  cairo_set_line_cap (self->cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (self->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (self->cr);
  cairo_restore (self->cr);
}

/* Inputs and outputs are few and looked for: as small as they can be told apart, marks stay so. */
static void
draw_marks (const SymPainter *self, const SymBoxLook *look)
{
  gboolean dimmed = look->slot == SYM_PAINT_DIMMED;
  double factor = MAX (1, SYM_SCALE_MARKS / self->scale);

  if (look->marks_input)
    draw_mark (self, sym_box_look_get_input_mark (look), factor, FALSE, dimmed);
  if (look->marks_output)
    draw_mark (self, sym_box_look_get_output_mark (look), factor, TRUE, dimmed);
}

/* How much larger than in the picture the first line is drawn, in steps, so that few are laid out:
 * as large as is read easily where the box is wide enough for all of it, and not smaller than can
 * be read.  @is_whole: even where it is as small as that, all of it is there, which is read sooner
 * than some of it in larger letters. */
static double
get_title_factor (const SymPainter *self,
                  const SymBoxLook *look,
                  const SymBox *box,
                  const SymTextStyle *style,
                  gboolean *is_whole)
{
  double length = (box->rotated ? look->rect.height : look->rect.width) - 2 * TITLE_MARGIN;
  double across = box->rotated ? look->rect.width : look->rect.height;
  double pixels = style->size * self->scale, text_length, text_height;
  double factor, most = floor (across * TITLE_ROOM / style->size * SYM_TITLE_STEPS);

  *is_whole = FALSE;
  if (pixels >= TITLE_PIXELS)
    return 1;
  sym_draw_text_measure (style, box->lines[0], &text_length, &text_height);
  factor = floor (MIN (TITLE_PIXELS / pixels, length / text_length) * SYM_TITLE_STEPS);
  factor = MIN (factor, most);
  *is_whole = MAX (1, factor / SYM_TITLE_STEPS) * pixels >= LEAST_TITLE_PIXELS;
  if (!*is_whole)
    factor = MIN (ceil (SYM_SMALL_TITLE_PIXELS / pixels * SYM_TITLE_STEPS), most);
  return MAX (1, factor / SYM_TITLE_STEPS);
}

/* From afar only the first line can be read: it grows into the room of those that have faded, and
 * loses its middle, or that of a layer its end, where it becomes too long.  @place: how near it is
 * to where it has others below it, from 0, the middle of the box, to 1. */
static void
draw_title (const SymPainter *self, const SymBoxLook *look, const SymBox *box, double place)
{
  const SymPaint *paint = &self->palette->paints[look->slot];
  SymTextStyle style = sym_box_get_text_style (box, 0);
  gboolean is_whole;
  double factor = get_title_factor (self, look, box, &style, &is_whole);
  double told = is_whole ? SYM_SMALL_TITLE_PIXELS / self->scale : 0;
  double opacity = sym_painter_get_text_opacity (self, MAX (style.size * factor, told));
  double offset = style.offset * (factor > 1 ? place : 1);
  double x = look->rect.x + look->rect.width / 2 + (box->rotated ? offset : 0);
  double y = look->rect.y + look->rect.height / 2 + (box->rotated ? 0 : offset);
  double length = (box->rotated ? look->rect.height : look->rect.width) - 2 * TITLE_MARGIN;
  double angle = box->rotated ? -G_PI_2 : 0;

  if (opacity <= 0)
    return;
  sym_painter_set_faded (self, paint->text, opacity);
  if (factor > 1)
    sym_draw_text_show_within (self->cr, &style, box->lines[0], x, y, angle, factor, length);
  else
    sym_draw_text_show (self->cr, &style, box->lines[0], x, y, angle);
}

static void
draw_text (const SymPainter *self, const SymBoxLook *look, const SymBox *box)
{
  const SymPaint *paint = &self->palette->paints[look->slot];
  double x = look->rect.x + look->rect.width / 2;
  double y = look->rect.y + look->rect.height / 2;
  double opacity = 0, place = 0;

  if (box->lines[0] == NULL)
    return;
  for (guint i = 1; box->lines[i] != NULL; i++)
    {
      SymTextStyle style = sym_box_get_text_style (box, i);

      opacity = sym_painter_get_text_opacity (self, style.size);
      place = MIN (opacity / MOVED_BELOW, 1);
      if (opacity <= MOVED_BELOW)
        break;
      opacity = (opacity - MOVED_BELOW) / (1 - MOVED_BELOW);
      sym_painter_set_faded (self, paint->muted, opacity);
      if (box->rotated)
        sym_draw_text_show (self->cr, &style, box->lines[i], x + style.offset, y, -G_PI_2);
      else
        sym_draw_text_show (self->cr, &style, box->lines[i], x, y + style.offset, 0);
    }
  draw_title (self, look, box, place);
}

static void
draw_item (const SymPainter *self, guint item)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->picture->scene, item);

  for (guint box = 0; box < scene_item->n_boxes; box++)
    {
      SymBoxLook look = sym_picture_get_box_look (self->picture, item, box);
      SymPoint course[SYM_STEM_POINTS];
      SymLineEnd end;
      SymLine line;
      SymRect sign;
      gboolean is_plus;
      guint n = sym_picture_get_stem (self->picture, item, box, course, &end, &line);

      if (n > 0)
        sym_painter_draw_course (self, line, course, n, end.has_head);
      draw_box (self, &look);
      draw_text (self, &look, &scene_item->boxes[box]);
      if (self->scale >= SYM_SCALE_TEXT &&
          sym_picture_get_sign (self->picture, item, box, &sign, &is_plus))
        sym_painter_draw_sign (self, &sign, is_plus, self->palette->paints[look.slot].muted);
      draw_marks (self, &look);
    }
}

void
sym_painter_draw_items (const SymPainter *self, const GArray *items)
{
  for (guint i = 0; i < items->len; i++)
    draw_item (self, g_array_index (items, guint, i));
}

void
sym_painter_draw_labels (const SymPainter *self)
{
  const SymPicture *picture = self->picture;
  SymTextStyle style = sym_scene_get_edge_text_style ();
  double opacity = sym_painter_get_text_opacity (self, style.size);
  g_autoptr (GArray) found = NULL;

  if (opacity <= 0)
    return;
  found = sym_draw_grid_query (picture->label_places, &self->clip);
  for (guint i = 0; i < found->len; i++)
    {
      const SymEdgeLabel *label =
          &g_array_index (picture->labels, SymEdgeLabel, g_array_index (found, guint, i));
      const char *text = sym_scene_get_edge (picture->scene, label->edge)->label;
      SymRect rect = { -label->width / 2, -label->height / 2, label->width, label->height };

      cairo_save (self->cr);
      cairo_translate (self->cr, label->center.x, label->center.y);
      cairo_rotate (self->cr, label->angle);
      sym_painter_add_box (self->cr, &rect, LABEL_RADIUS);
      sym_painter_set_faded (self, sym_picture_get_ground (picture, label->center), opacity);
      cairo_fill (self->cr);
      sym_painter_set_faded (self, self->palette->muted, opacity);
      sym_draw_text_show (self->cr, &style, text, 0, 0, 0);
      cairo_restore (self->cr);
    }
}

static void
draw_sample (const SymPainter *self, const SymLegendRow *row)
{
  SymPoint course[4];
  SymLineEnd end;

  if (row->sample == SYM_SAMPLE_LINE)
    {
      sym_legend_row_get_line (row, course, &end);
      sym_painter_draw_line (self, row->what, course, &end);
    }
  else
    {
      SymBoxLook look = sym_legend_row_get_look (row, self->palette);

      draw_box (self, &look);
      if (look.marks_input || look.marks_output)
        draw_mark (self, sym_legend_row_get_mark (row), 1, look.marks_output, FALSE);
    }
}

void
sym_painter_draw_legend (const SymPainter *self)
{
  const SymLegend *legend = self->picture->legend;

  sym_painter_add_box (self->cr, &legend->rect, CARD_RADIUS);
  sym_painter_set_color (self, self->palette->card);
  cairo_fill_preserve (self->cr);
  sym_painter_set_color (self, self->palette->card_stroke);
  cairo_set_line_width (self->cr, 1);
  cairo_stroke (self->cr);
  for (guint i = 0; i < legend->rows->len; i++)
    {
      const SymLegendRow *row = &g_array_index (legend->rows, SymLegendRow, i);

      draw_sample (self, row);
      sym_painter_set_color (self, self->palette->text);
      if (self->scale >= SYM_SCALE_TEXT)
        sym_draw_text_show (self->cr, &legend->style, row->text, row->text_center.x,
                            row->text_center.y, 0);
    }
}
