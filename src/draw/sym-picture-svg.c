/* SPDX-License-Identifier: MIT */
#include "draw/sym-picture-private.h"

#include <math.h>

/* Pango centres a line on the middle of ascent and descent, SVG places its baseline: in the sans
 * fonts that stand for "Sans" the middle lies this part of the size above the baseline. */
#define BASELINE 0.35

#define CARD_RADIUS 10.0

/* Numbers are written with two decimals: nearer than this they are the same. */
#define SAME 0.005

static void
add_rule (SymPictureWriter *self, const char *selector, const char *property, SymRgb color)
{
  sym_draw_out_addf (self->out, "%s{%s:", selector, property);
  sym_draw_out_add_color (self->out, color);
  sym_draw_out_add (self->out, "}\n");
}

static void
write_paint_rules (SymPictureWriter *self, SymPaintSlot slot)
{
  const SymPaint *paint = &self->palette->paints[slot];
  const char *name = sym_paint_slot_to_string (slot);
  g_autofree char *box = g_strdup_printf (".%s>rect", name);
  g_autofree char *text = g_strdup_printf (".%s>text", name);
  g_autofree char *more = g_strdup_printf (".%s>.more", name);

  sym_draw_out_addf (self->out, "%s{fill:#%06x;stroke:#%06x}\n", box, paint->fill, paint->stroke);
  add_rule (self, text, "fill", paint->text);
  if (paint->muted != paint->text)
    add_rule (self, more, "fill", paint->muted);
}

static void
write_line_rules (SymPictureWriter *self, SymLine line)
{
  SymRgb color = self->palette->lines[line];
  const char *name = sym_line_to_string (line);
  double dashes[2];

  sym_draw_out_addf (self->out, ".line-%s{stroke:#%06x", name, color);
  if (sym_line_get_dashes (line, dashes) == 2)
    {
      sym_draw_out_add (self->out, ";stroke-dasharray:");
      sym_draw_out_add_point (self->out, dashes[0], dashes[1]);
    }
  sym_draw_out_addf (self->out, "}\n.head-%s{fill:#%06x}\n", name, color);
}

static void
write_mark_rules (SymPictureWriter *self)
{
  const SymPalette *palette = self->palette;

  sym_draw_out_addf (self->out,
                     ".mark circle{stroke:#%06x;stroke-width:1.5}\n"
                     ".mark path{fill:none;stroke:#%06x;stroke-width:1.5;"
                     "stroke-linecap:round;stroke-linejoin:round}\n",
                     palette->background, palette->mark);
  add_rule (self, ".mark-input circle", "fill", palette->paints[SYM_PAINT_INPUT].stroke);
  add_rule (self, ".mark-output circle", "fill", palette->paints[SYM_PAINT_OUTPUT].stroke);
  sym_draw_out_addf (self->out, ".dimmed .mark circle{fill:#%06x;stroke:#%06x}\n",
                     palette->paints[SYM_PAINT_DIMMED].fill,
                     palette->paints[SYM_PAINT_DIMMED].stroke);
  add_rule (self, ".dimmed .mark path", "stroke", palette->paints[SYM_PAINT_DIMMED].text);
}

static void
write_frame_rules (SymPictureWriter *self)
{
  const SymPalette *palette = self->palette;

  if (!sym_picture_has_signs (self->picture))
    return;
  for (guint i = 0; i < SYM_N_FRAME_SHADES; i++)
    sym_draw_out_addf (self->out, ".shade%u>rect{fill:#%06x;stroke:#%06x}\n", i, palette->frames[i],
                       palette->frame_stroke);
  add_rule (self, ".frame>text", "fill", palette->frame_text);
  add_rule (self, ".dimmed-frame>rect", "stroke", palette->dimmed_frame_stroke);
  add_rule (self, ".dimmed-frame>text", "fill", palette->dimmed_frame_text);
  sym_draw_out_addf (self->out,
                     ".sign>*{fill:none;stroke-width:1}\n.frame .sign{stroke:#%06x}\n"
                     ".group .sign{stroke:#%06x}\n",
                     palette->frame_text, palette->paints[SYM_PAINT_GROUP].muted);
  add_rule (self, ".dimmed-frame .sign", "stroke", palette->dimmed_frame_text);
  for (guint i = 0; i < SYM_PAINT_HEAT && sym_scene_get_open_bodies (self->picture->scene); i++)
    if (i != SYM_PAINT_GROUP)
      sym_draw_out_addf (self->out, ".%s>.sign{stroke:#%06x}\n",
                         sym_paint_slot_to_string ((SymPaintSlot) i), palette->paints[i].muted);
}

/* Those that may be used. */
static guint
count_paints (const SymHeat *heat)
{
  if (heat == NULL)
    return SYM_PAINT_HEAT;
  return SYM_PAINT_OWN + (sym_heat_get_colors (heat) != NULL ? sym_heat_get_n_levels (heat) : 0);
}

static void
write_style (SymPictureWriter *self)
{
  const SymPalette *palette = self->palette;

  sym_draw_out_add (self->out, "<style>\n"
                               "text{font-family:" SYM_SCENE_FONT ",'DejaVu Sans',sans-serif;"
                               "text-anchor:middle;unicode-bidi:plaintext;white-space:pre}\n"
                               ".first{font-weight:bold}\n"
                               ".line{fill:none;stroke-width:1.5}\n");
  for (guint i = 0; i < SYM_N_LINES; i++)
    write_line_rules (self, (SymLine) i);
  for (guint i = 0; i < count_paints (self->picture->heat); i++)
    write_paint_rules (self, (SymPaintSlot) i);
  write_mark_rules (self);
  write_frame_rules (self);
  add_rule (self, ".label>rect", "fill", palette->background);
  add_rule (self, ".label>text", "fill", palette->muted);
  sym_draw_out_addf (self->out, ".card{fill:#%06x;stroke:#%06x}\n", palette->card,
                     palette->card_stroke);
  sym_draw_out_addf (self->out, "#legend>text{fill:#%06x;text-anchor:start}\n", palette->text);
  sym_draw_out_add (self->out, "</style>\n");
}

static void
write_rect (SymPictureWriter *self, const SymRect *rect, double radius)
{
  sym_draw_out_add_attribute (self->out, "x", rect->x);
  sym_draw_out_add_attribute (self->out, "y", rect->y);
  sym_draw_out_add_attribute (self->out, "width", rect->width);
  sym_draw_out_add_attribute (self->out, "height", rect->height);
  if (radius > 0)
    sym_draw_out_add_attribute (self->out, "rx", radius);
}

static void
write_start (SymPictureWriter *self)
{
  const SymRect *extent = &self->picture->extent;

  sym_draw_out_add (self->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  sym_draw_out_add_attribute (self->out, "width", extent->width);
  sym_draw_out_add_attribute (self->out, "height", extent->height);
  sym_draw_out_add (self->out, " viewBox=\"");
  sym_draw_out_add_point (self->out, extent->x, extent->y);
  sym_draw_out_add (self->out, " ");
  sym_draw_out_add_point (self->out, extent->width, extent->height);
  sym_draw_out_add (self->out, "\" role=\"img\" aria-label=\"");
  sym_draw_out_add_xml (self->out, sym_picture_get_title (self->picture));
  sym_draw_out_addf (self->out, ", %u items, %u lines\">\n<title>",
                     sym_scene_get_n_items (self->picture->scene),
                     sym_scene_get_n_edges (self->picture->scene));
  sym_draw_out_add_xml (self->out, sym_picture_get_title (self->picture));
  sym_draw_out_add (self->out, "</title>\n");
  write_style (self);
  if (self->picture->transparent)
    return;
  sym_draw_out_add (self->out, "<rect class=\"background\"");
  write_rect (self, extent, 0);
  sym_draw_out_addf (self->out, " fill=\"#%06x\"/>\n", self->palette->background);
}

static void
write_curve (SymPictureWriter *self, const SymPoint *points)
{
  sym_draw_out_add (self->out, "C");
  for (guint i = 0; i < 3; i++)
    {
      if (i > 0)
        sym_draw_out_add (self->out, " ");
      sym_draw_out_add_point (self->out, points[i].x, points[i].y);
    }
}

/* Which way a piece runs that is straight along an axis: 'V' or 'H' and a sign; 0 for others. */
typedef struct {
  char command;
  int sign;
} Way;

static gboolean
is_level (double a, double b, double c, double d)
{
  return fabs (a - b) < SAME && fabs (a - c) < SAME && fabs (a - d) < SAME;
}

static Way
get_way (const SymPoint *piece)
{
  if (is_level (piece[0].x, piece[1].x, piece[2].x, piece[3].x))
    return (Way){ 'V', piece[3].y > piece[0].y ? 1 : -1 };
  if (is_level (piece[0].y, piece[1].y, piece[2].y, piece[3].y))
    return (Way){ 'H', piece[3].x > piece[0].x ? 1 : -1 };
  return (Way){ 0, 0 };
}

/* @piece has where it begins, too.  What goes on straight is one line with what follows it. */
static void
write_piece (SymPictureWriter *self, const SymPoint *piece, Way next)
{
  Way way = get_way (piece);

  if (way.command == 0)
    {
      write_curve (self, piece + 1);
      return;
    }
  if (way.command == next.command && way.sign == next.sign)
    return;
  sym_draw_out_add (self->out, way.command == 'V' ? "V" : "H");
  sym_draw_out_add_number (self->out, way.command == 'V' ? piece[3].y : piece[3].x);
}

static void
write_course (SymPictureWriter *self, const SymPoint *course, guint n, const SymLineEnd *end)
{
  const SymPoint last[] = { course[3 * n - 3], course[3 * n - 2], end->control, end->end };

  sym_draw_out_add_point (self->out, course[0].x, course[0].y);
  for (guint k = 0; k + 1 < n; k++)
    write_piece (self, course + 3 * k, get_way (k + 2 < n ? course + 3 * k + 3 : last));
  write_piece (self, last, (Way){ 0, 0 });
}

static void
write_line (SymPictureWriter *self,
            SymLine line,
            const SymPoint *course,
            guint n,
            const SymLineEnd *end)
{
  const char *name = sym_line_to_string (line);

  sym_draw_out_addf (self->out, "<path class=\"line line-%s\" d=\"M", name);
  write_course (self, course, n, end);
  sym_draw_out_add (self->out, "\"/>");
  if (!end->has_head)
    return;
  sym_draw_out_addf (self->out, "<path class=\"head-%s\" d=\"M", name);
  for (guint i = 0; i < 3; i++)
    {
      if (i > 0)
        sym_draw_out_add (self->out, "L");
      sym_draw_out_add_point (self->out, end->head[i].x, end->head[i].y);
    }
  sym_draw_out_add (self->out, "Z\"/>");
}

static void
write_title (SymPictureWriter *self, char *take_title)
{
  sym_draw_out_add (self->out, "<title>");
  sym_draw_out_add_xml (self->out, take_title);
  sym_draw_out_add (self->out, "</title>");
  g_free (take_title);
}

static void
write_edge (SymPictureWriter *self, guint edge)
{
  guint n_points = 0;
  const SymPoint *course = sym_layout_get_course (self->picture->layout, edge, &n_points);
  guint n = sym_picture_get_n_segments (self->picture, edge);

  sym_draw_out_addf (self->out, "<g id=\"edge%u\" class=\"edge\">", edge);
  write_title (self, sym_picture_format_edge_title (self->picture, edge));
  if (n > 0)
    {
      SymLineEnd end = sym_picture_get_line_end (self->picture, edge);

      write_line (self, sym_picture_get_line (self->picture, edge), course, n, &end);
    }
  sym_draw_out_add (self->out, "</g>\n");
}

static void
write_mark (SymPictureWriter *self, SymPoint at, gboolean output)
{
  const SymMark *mark = sym_mark_get (output);

  sym_draw_out_addf (self->out, "<g class=\"mark mark-%s\" transform=\"translate(",
                     output ? "output" : "input");
  sym_draw_out_add_point (self->out, at.x, at.y);
  sym_draw_out_add (self->out, ")\"><circle");
  sym_draw_out_add_attribute (self->out, "r", SYM_MARK_RADIUS);
  sym_draw_out_add (self->out, "/><path d=\"");
  for (guint i = 0; i < mark->n_lines; i++)
    for (guint k = 0; k < mark->n_points[i]; k++)
      {
        sym_draw_out_add (self->out, k == 0 ? "M" : "L");
        sym_draw_out_add_point (self->out, mark->points[i][k].x, mark->points[i][k].y);
      }
  sym_draw_out_add (self->out, "\"/></g>");
}

static void
write_text (SymPictureWriter *self,
            const char *class_name,
            const char *text,
            SymPoint middle,
            double size,
            double degrees)
{
  sym_draw_out_addf (self->out, "<text class=\"%s\"", class_name);
  sym_draw_out_add_attribute (self->out, "x", middle.x);
  sym_draw_out_add_attribute (self->out, "y", middle.y + BASELINE * size);
  sym_draw_out_add_attribute (self->out, "font-size", size);
  if (degrees < 0 || degrees > 0)
    {
      sym_draw_out_add (self->out, " transform=\"rotate(");
      sym_draw_out_add_number (self->out, degrees);
      sym_draw_out_add (self->out, " ");
      sym_draw_out_add_point (self->out, middle.x, middle.y);
      sym_draw_out_add (self->out, ")\"");
    }
  sym_draw_out_add (self->out, ">");
  sym_draw_out_add_xml (self->out, text);
  sym_draw_out_add (self->out, "</text>");
}

static void
write_lines (SymPictureWriter *self, const SymBox *box, const SymBoxLook *look)
{
  SymPoint middle = { look->rect.x + look->rect.width / 2, look->rect.y + look->rect.height / 2 };

  for (guint i = 0; box->lines[i] != NULL; i++)
    {
      SymTextStyle style = sym_box_get_text_style (box, i);
      SymPoint at = { middle.x + (box->rotated ? style.offset : 0),
                      middle.y + (box->rotated ? 0 : style.offset) };

      write_text (self, i == 0 ? "first" : "more", box->lines[i], at, style.size,
                  box->rotated ? -90 : 0);
    }
}

static void
write_look (SymPictureWriter *self, const SymBoxLook *look)
{
  sym_draw_out_addf (self->out, "<g class=\"%s\">", sym_paint_slot_to_string (look->slot));
  for (guint i = look->n_sheets; i > 0; i--)
    {
      SymRect sheet = sym_box_look_get_sheet (look, i);

      sym_draw_out_add (self->out, "<rect");
      write_rect (self, &sheet, look->radius);
      sym_draw_out_add (self->out, "/>");
    }
  sym_draw_out_add (self->out, "<rect");
  write_rect (self, &look->rect, look->radius);
  if (look->stroke_width > 1)
    sym_draw_out_add_attribute (self->out, "stroke-width", look->stroke_width);
  sym_draw_out_add (self->out, "/>");
}

static void
write_sign (SymPictureWriter *self, const SymRect *sign, gboolean is_plus)
{
  double x = sign->x + sign->width / 2;
  double y = sign->y + sign->height / 2;
  double arm = sign->width / 2 - 2.5;

  sym_draw_out_add (self->out, "<g class=\"sign\"><rect");
  write_rect (self, sign, 2.5);
  sym_draw_out_add (self->out, "/><path d=\"M");
  sym_draw_out_add_point (self->out, x - arm, y);
  sym_draw_out_addf (self->out, "h%g", 2 * arm);
  if (is_plus)
    {
      sym_draw_out_add (self->out, "M");
      sym_draw_out_add_point (self->out, x, y - arm);
      sym_draw_out_addf (self->out, "v%g", 2 * arm);
    }
  sym_draw_out_add (self->out, "\"/></g>");
}

static void
write_box (SymPictureWriter *self, guint item, guint box)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->picture->scene, item);
  SymBoxLook look = sym_picture_get_box_look (self->picture, item, box);
  SymPoint course[SYM_STEM_POINTS];
  SymLineEnd end;
  SymLine line;
  SymRect sign;
  gboolean is_plus;
  guint n = sym_picture_get_stem (self->picture, item, box, course, &end, &line);

  if (n > 0)
    write_line (self, line, course, (n - 1) / 3, &end);
  write_look (self, &look);
  write_lines (self, &scene_item->boxes[box], &look);
  if (sym_picture_get_sign (self->picture, item, box, &sign, &is_plus))
    write_sign (self, &sign, is_plus);
  if (look.marks_input)
    write_mark (self, sym_box_look_get_input_mark (&look), FALSE);
  if (look.marks_output)
    write_mark (self, sym_box_look_get_output_mark (&look), TRUE);
  sym_draw_out_add (self->out, "</g>");
}

static void
write_item (SymPictureWriter *self, guint item)
{
  const SymSceneItem *scene_item = sym_scene_get_item (self->picture->scene, item);

  sym_draw_out_addf (self->out, "<g id=\"item%u\" class=\"item\">", item);
  write_title (self, sym_picture_format_item_title (self->picture, item));
  for (guint box = 0; box < scene_item->n_boxes; box++)
    write_box (self, item, box);
  sym_draw_out_add (self->out, "</g>\n");
}

static void
write_frame (SymPictureWriter *self, guint frame)
{
  SymFrameLook look = sym_picture_get_frame_look (self->picture, frame);

  sym_draw_out_addf (self->out, "<g id=\"frame%u\" class=\"frame shade%u%s\">", frame, look.shade,
                     look.is_dimmed ? " dimmed-frame" : "");
  write_title (self, sym_picture_format_frame_title (self->picture, frame));
  sym_draw_out_add (self->out, "<rect");
  write_rect (self, &look.rect, look.radius);
  sym_draw_out_add (self->out, "/>");
  write_sign (self, &look.sign, FALSE);
  write_text (self, "first", look.title, look.title_center, sym_scene_get_title_text_style ().size,
              0);
  sym_draw_out_add (self->out, "</g>\n");
}

/* NULL: everything. */
static const SymRect *
get_crop (const SymPictureWriter *self)
{
  return self->picture->is_cropped ? &self->picture->extent : NULL;
}

static void
write_frames (SymPictureWriter *self)
{
  g_autoptr (GArray) frames = sym_draw_grid_query (self->picture->frames, get_crop (self));

  if (frames->len == 0)
    return;
  sym_draw_out_add (self->out, "<g id=\"frames\">\n");
  for (guint i = 0; i < frames->len; i++)
    write_frame (self, g_array_index (frames, guint, i));
  sym_draw_out_add (self->out, "</g>\n");
}

static void
write_label (SymPictureWriter *self, const SymEdgeLabel *label)
{
  SymRect rect = { -label->width / 2, -label->height / 2, label->width, label->height };
  SymTextStyle style = sym_scene_get_edge_text_style ();
  SymRgb ground = sym_picture_get_ground (self->picture, label->center);
  double degrees = label->angle * 180 / G_PI;

  sym_draw_out_add (self->out, "<g class=\"label\" transform=\"translate(");
  sym_draw_out_add_point (self->out, label->center.x, label->center.y);
  sym_draw_out_add (self->out, ")");
  if (degrees < 0 || degrees > 0)
    {
      sym_draw_out_add (self->out, " rotate(");
      sym_draw_out_add_number (self->out, degrees);
      sym_draw_out_add (self->out, ")");
    }
  sym_draw_out_add (self->out, "\"><rect");
  write_rect (self, &rect, 3);
  if (ground != self->palette->background)
    sym_draw_out_addf (self->out, " style=\"fill:#%06x\"", ground);
  sym_draw_out_add (self->out, "/>");
  write_text (self, "more", sym_scene_get_edge (self->picture->scene, label->edge)->label,
              (SymPoint){ 0, 0 }, style.size, 0);
  sym_draw_out_add (self->out, "</g>\n");
}

static void
write_legend_row (SymPictureWriter *self, const SymLegendRow *row, double size)
{
  SymPoint text = { row->text_left, row->text_center.y };

  if (row->sample == SYM_SAMPLE_LINE)
    {
      SymPoint course[4];
      SymLineEnd end;

      sym_legend_row_get_line (row, course, &end);
      write_line (self, row->what, course, 1, &end);
    }
  else
    {
      SymBoxLook look = sym_legend_row_get_look (row, self->palette);

      write_look (self, &look);
      if (look.marks_input || look.marks_output)
        write_mark (self, sym_legend_row_get_mark (row), look.marks_output);
      sym_draw_out_add (self->out, "</g>");
    }
  write_text (self, "more", row->text, text, size, 0);
  sym_draw_out_add (self->out, "\n");
}

static void
write_legend (SymPictureWriter *self)
{
  const SymLegend *legend = self->picture->legend;

  sym_draw_out_add (self->out, "<g id=\"legend\"><title>Legend</title><rect class=\"card\"");
  write_rect (self, &legend->rect, CARD_RADIUS);
  sym_draw_out_add (self->out, "/>\n");
  for (guint i = 0; i < legend->rows->len; i++)
    write_legend_row (self, &g_array_index (legend->rows, SymLegendRow, i), legend->style.size);
  sym_draw_out_add (self->out, "</g>\n");
}

static void
write_edges (SymPictureWriter *self)
{
  g_autoptr (GArray) edges = sym_picture_list_edges (self->picture);

  sym_draw_out_add (self->out, "<g id=\"edges\">\n");
  for (guint i = 0; i < edges->len && sym_picture_writer_go_on (self); i++)
    write_edge (self, g_array_index (edges, guint, i));
  sym_draw_out_add (self->out, "</g>\n");
}

static void
write_items (SymPictureWriter *self)
{
  g_autoptr (GArray) items = sym_picture_list_items (self->picture);

  sym_draw_out_add (self->out, "<g id=\"items\">\n");
  for (guint i = 0; i < items->len && sym_picture_writer_go_on (self); i++)
    write_item (self, g_array_index (items, guint, i));
  sym_draw_out_add (self->out, "</g>\n");
}

static void
write_labels (SymPictureWriter *self)
{
  g_autoptr (GArray) labels = sym_draw_grid_query (self->picture->label_places, get_crop (self));

  sym_draw_out_add (self->out, "<g id=\"labels\">\n");
  for (guint i = 0; i < labels->len; i++)
    write_label (self, &g_array_index (self->picture->labels, SymEdgeLabel,
                                       g_array_index (labels, guint, i)));
  sym_draw_out_add (self->out, "</g>\n");
}

/* Viewers cut at the border of a picture, but programs that change it do not. */
static void
write_crop (SymPictureWriter *self)
{
  sym_draw_out_add (self->out, "<clipPath id=\"crop\"><rect");
  write_rect (self, &self->picture->extent, 0);
  sym_draw_out_add (self->out, "/></clipPath>\n<g clip-path=\"url(#crop)\">\n");
}

static void
write_all (SymPictureWriter *self)
{
  const SymPicture *picture = self->picture;

  write_start (self);
  if (picture->is_cropped)
    write_crop (self);
  write_frames (self);
  write_edges (self);
  write_items (self);
  write_labels (self);
  if (picture->is_cropped)
    sym_draw_out_add (self->out, "</g>\n");
  if (picture->legend != NULL)
    write_legend (self);
  sym_draw_out_add (self->out, "</svg>\n");
}

gboolean
sym_picture_write_svg (SymPicture *self,
                       const char *path,
                       const SymPictureOutput *output,
                       GError **error)
{
  return sym_picture_write_text (self, path, output, write_all, error);
}
