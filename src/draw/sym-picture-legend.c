/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-text.h"
#include "draw/sym-picture-private.h"

#include <math.h>

#define TEXT_SIZE 11.0
#define ROW_HEIGHT 20.0
#define PADDING 12.0
#define SAMPLE_WIDTH 26.0
#define SAMPLE_HEIGHT 12.0
#define SAMPLE_GAP 10.0
#define COLUMN_GAP 24.0
#define DISTANCE 24.0 /* from the picture */
#define N_NODE_KINDS 3

static void
clear_row (gpointer data)
{
  SymLegendRow *row = data;

  g_free (row->text);
}

static void
add_row (SymLegend *self, SymSample sample, guint what, const char *text)
{
  SymLegendRow row = { sample, what, g_strdup (text) };

  g_array_append_val (self->rows, row);
}

static void
add_categories (SymLegend *self, guint used)
{
  for (guint i = 0; i < SYM_N_CATEGORIES; i++)
    if (used & 1u << i)
      {
        g_autofree char *text = g_strdup (sym_category_to_string ((SymCategory) i));

        text[0] = g_ascii_toupper (text[0]);
        add_row (self, SYM_SAMPLE_CATEGORY, i, text);
      }
}

/* The hottest first; classes as they come. */
static void
add_heats (SymLegend *self, const SymHeat *heat)
{
  guint n = sym_heat_get_n_levels (heat);

  for (guint i = 0; i < n; i++)
    {
      guint level = sym_heat_has_classes (heat) ? i : n - 1 - i;
      g_autofree char *text = sym_heat_format_level (heat, level);

      if (*text == '\0')
        continue;
      if (!sym_heat_has_classes (heat))
        text[0] = g_ascii_toupper (text[0]);
      add_row (self, SYM_SAMPLE_CATEGORY, sym_theme_get_heat_slot (heat, level), text);
    }
}

/* Kinds of lines that a reader could not guess. */
static void
add_lines (SymLegend *self, const SymPicture *picture)
{
  guint n_edges = sym_scene_get_n_edges (picture->scene);
  gboolean has_control = FALSE;
  gboolean has_back = FALSE;

  for (guint i = 0; i < n_edges; i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (picture->scene, i);

      has_control = has_control || (edge->is_control && !edge->is_back);
      has_back = has_back || edge->is_back;
    }
  if (has_control)
    add_row (self, SYM_SAMPLE_LINE, SYM_LINE_CONTROL, "Runs before");
  if (has_back)
    add_row (self, SYM_SAMPLE_LINE, SYM_LINE_BACK, "Closes a cycle");
}

/* Rows run down the columns, so that the kinds of nodes are the first of them. */
static void
arrange (SymLegend *self, guint rows_per_column)
{
  guint n_columns = (self->rows->len + rows_per_column - 1) / rows_per_column;
  double widest = 0;
  double width, height;

  for (guint i = 0; i < self->rows->len; i++)
    {
      sym_draw_text_measure (&self->style, g_array_index (self->rows, SymLegendRow, i).text, &width,
                             &height);
      widest = MAX (widest, width);
    }
  self->rows_per_column = rows_per_column;
  self->column_width = ceil (SAMPLE_WIDTH + SAMPLE_GAP + widest);
  self->rect.width = 2 * PADDING + n_columns * self->column_width + (n_columns - 1) * COLUMN_GAP;
  self->rect.height = 2 * PADDING + ROW_HEIGHT * MIN (rows_per_column, self->rows->len);
}

/* P85: the three kinds of nodes are always told. */
SymLegend *
sym_legend_new (const SymPicture *picture)
{
  SymLegend *self = g_new0 (SymLegend, 1);

  self->style = (SymTextStyle){ .size = TEXT_SIZE };
  self->rows = g_array_new (FALSE, FALSE, sizeof (SymLegendRow));
  g_array_set_clear_func (self->rows, clear_row);
  add_row (self, SYM_SAMPLE_NODE, SYM_PAINT_INPUT, "Input node");
  add_row (self, SYM_SAMPLE_NODE, SYM_PAINT_OUTPUT, "Output node");
  add_row (self, SYM_SAMPLE_NODE, SYM_PAINT_HIDDEN, "Hidden node");
  if (sym_picture_has_groups (picture))
    add_row (self, SYM_SAMPLE_NODE, SYM_PAINT_GROUP, "Folded group");
  if (picture->heat != NULL)
    add_heats (self, picture->heat);
  else
    add_categories (self, sym_scene_get_categories (picture->scene));
  add_lines (self, picture);
  arrange (self, self->rows->len);
  return self;
}

void
sym_legend_free (SymLegend *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  g_free (self);
}

SymBoxLook
sym_legend_row_get_look (const SymLegendRow *self, const SymPalette *palette)
{
  return (SymBoxLook){
    .rect = self->rect,
    .radius = 5,
    .stroke_width = palette->outline + (self->what == SYM_PAINT_OUTPUT  ? 2
                                        : self->what == SYM_PAINT_INPUT ? 1.5
                                                                        : 1),
    .slot = self->what,
    .marks_input = self->what == SYM_PAINT_INPUT,
    .marks_output = self->what == SYM_PAINT_OUTPUT,
  };
}

/* On the side on which the box has it. */
SymPoint
sym_legend_row_get_mark (const SymLegendRow *self)
{
  double left = self->rect.x + 2;
  double right = self->rect.x + self->rect.width - 2;

  return (SymPoint){ self->what == SYM_PAINT_OUTPUT ? right : left,
                     self->rect.y + self->rect.height / 2 };
}

void
sym_legend_row_get_line (const SymLegendRow *self, SymPoint course[4], SymLineEnd *end)
{
  double y = self->rect.y + self->rect.height / 2;
  double left = self->rect.x;
  double right = left + self->rect.width;

  course[0] = course[1] = (SymPoint){ left, y };
  course[2] = course[3] = (SymPoint){ right, y };
  *end = sym_line_end (course, 4, TRUE);
}

static gboolean
is_free (const SymPicture *picture, const SymRect *rect)
{
  const SymDrawGrid *grids[] = { picture->items, picture->lines, picture->label_places,
                                 picture->frames };

  for (guint i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      g_autoptr (GArray) met = sym_draw_grid_query (grids[i], rect);

      if (met->len > 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
find_corner (SymLegend *self, const SymPicture *picture)
{
  const SymRect *content = &picture->extent;
  double right = content->x + content->width - self->rect.width;
  double bottom = content->y + content->height - self->rect.height;
  const SymPoint corners[] = {
    { right, content->y },
    { content->x, content->y },
    { right, bottom },
    { content->x, bottom },
  };

  for (guint i = 0; i < G_N_ELEMENTS (corners); i++)
    {
      SymRect with_distance;

      self->rect.x = corners[i].x;
      self->rect.y = corners[i].y;
      with_distance = sym_draw_rect_grow (&self->rect, DISTANCE / 2);
      if (self->rect.x >= content->x && self->rect.y >= content->y &&
          is_free (picture, &with_distance))
        return TRUE;
    }
  return FALSE;
}

/* A corner of the picture when nothing is there, upper ones first: pictures are read from their
 * top. Else beside it: to the right of a tall one; below a wide one, and wide itself where it can
 * be. */
static void
find_place (SymLegend *self, const SymPicture *picture)
{
  const SymRect *content = &picture->extent;

  if (find_corner (self, picture))
    return;
  if (content->height < content->width)
    arrange (self, N_NODE_KINDS);
  if (content->height < content->width && self->rect.width <= content->width)
    {
      self->rect.x = content->x;
      self->rect.y = content->y + content->height + DISTANCE;
      return;
    }
  arrange (self, self->rows->len);
  self->rect.x = content->x + content->width + DISTANCE;
  self->rect.y = content->y;
}

static void
place_row (const SymLegend *self, guint i)
{
  SymLegendRow *row = &g_array_index (self->rows, SymLegendRow, i);
  guint column = i / self->rows_per_column;
  double left = self->rect.x + PADDING + column * (self->column_width + COLUMN_GAP);
  double middle = self->rect.y + PADDING + ROW_HEIGHT * (i % self->rows_per_column + 0.5);
  double width, height;

  sym_draw_text_measure (&self->style, row->text, &width, &height);
  row->rect = (SymRect){ left, middle - SAMPLE_HEIGHT / 2, SAMPLE_WIDTH, SAMPLE_HEIGHT };
  row->text_left = left + SAMPLE_WIDTH + SAMPLE_GAP;
  row->text_center.x = row->text_left + width / 2;
  row->text_center.y = middle;
}

SymRect
sym_legend_place (SymLegend *self, const SymPicture *picture)
{
  find_place (self, picture);
  self->rect.x = round (self->rect.x);
  self->rect.y = round (self->rect.y);
  for (guint i = 0; i < self->rows->len; i++)
    place_row (self, i);
  return sym_draw_rect_union (&picture->extent, &self->rect);
}
