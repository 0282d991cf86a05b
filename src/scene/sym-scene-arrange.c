/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-private.h"

#include <math.h>

/* Sizes in user units at zoom 1. */
#define NAME_SIZE 13.0
#define CHIP_SIZE 12.0
#define DETAIL_SIZE 11.0
#define EDGE_SIZE 10.0
#define TITLE_SIZE 11.0
#define NAME_HEIGHT 18.0
#define CHIP_HEIGHT 17.0
#define DETAIL_HEIGHT 15.0

#define STEM 16.0 /* from the chip to its boxes: room for an arrow */
#define GAP 16.0  /* between boxes of one item */
#define STEP 32.0 /* widths of items are multiples of it, so that equal blocks stay equal */

static SymTextStyle
get_line (SymBoxKind kind, guint line, double *height)
{
  if (line > 0)
    {
      *height = DETAIL_HEIGHT;
      return (SymTextStyle){ .size = DETAIL_SIZE };
    }
  if (kind == SYM_BOX_CHIP)
    {
      *height = CHIP_HEIGHT;
      return (SymTextStyle){ .size = CHIP_SIZE, .bold = TRUE };
    }
  *height = NAME_HEIGHT;
  return (SymTextStyle){ .size = NAME_SIZE, .bold = TRUE };
}

static double
get_text_height (SymBoxKind kind, guint n_lines)
{
  double sum = 0;
  double height;

  for (guint i = 0; i < n_lines; i++)
    {
      get_line (kind, i, &height);
      sum += height;
    }
  return sum;
}

gboolean
sym_box_has_results (const SymBox *self)
{
  return self->kind == SYM_BOX_CHIP || self->kind == SYM_BOX_GROUP;
}

SymTextStyle
sym_box_get_text_style (const SymBox *self, guint line)
{
  double height;
  guint n_lines = 0;
  SymTextStyle style = get_line (self->kind, line, &height);

  while (self->lines[n_lines])
    n_lines++;
  style.loses_end = self->kind == SYM_BOX_CHIP; /* types begin with what tells them apart */
  style.offset =
      get_text_height (self->kind, line) + height / 2 - get_text_height (self->kind, n_lines) / 2;
  return style;
}

SymTextStyle
sym_scene_get_edge_text_style (void)
{
  return (SymTextStyle){ .size = EDGE_SIZE };
}

SymTextStyle
sym_scene_get_title_text_style (void)
{
  return (SymTextStyle){ .size = TITLE_SIZE, .bold = TRUE };
}

double
sym_scene_get_box_height (SymBoxKind kind, guint n_lines)
{
  double margin = kind == SYM_BOX_GROUP ? 7 : kind == SYM_BOX_CHIP && n_lines < 2 ? 3 : 5;

  return get_text_height (kind, n_lines) + 2 * margin;
}

double
sym_scene_get_box_padding (SymBoxKind kind)
{
  if (kind == SYM_BOX_GROUP)
    return 28; /* the sign to open it stands before its name */
  return kind == SYM_BOX_CHIP ? 11 : 14;
}

/* Boxes side by side under the chip. */
static void
arrange_down (SymBox *boxes, guint n_boxes, guint n_chips, double *width, double *height)
{
  SymRect chip = n_chips ? boxes[0].rect : (SymRect){ 0 };
  guint n_values = n_boxes - n_chips;
  double row = n_values > 1 ? GAP * (n_values - 1) : 0;
  double top = n_chips && n_values ? chip.height + STEM : chip.height;
  double tallest = 0;
  double x;

  for (guint i = n_chips; i < n_boxes; i++)
    {
      row += boxes[i].rect.width;
      tallest = MAX (tallest, boxes[i].rect.height);
    }
  *width = ceil (MAX (chip.width, row) / STEP) * STEP;
  *height = top + tallest;
  if (n_chips)
    boxes[0].rect.x = (*width - chip.width) / 2;
  x = (*width - row) / 2;
  for (guint i = n_chips; i < n_boxes; i++)
    {
      boxes[i].rect.x = x;
      boxes[i].rect.y = top;
      x += boxes[i].rect.width + GAP;
    }
}

/* Boxes below each other, to the right of the chip. */
static void
arrange_right (SymBox *boxes, guint n_boxes, guint n_chips, double *width, double *height)
{
  SymRect chip = n_chips ? boxes[0].rect : (SymRect){ 0 };
  guint n_values = n_boxes - n_chips;
  double column = n_values > 1 ? GAP * (n_values - 1) : 0;
  double left = n_chips && n_values ? chip.width + STEM : chip.width;
  double widest = 0;
  double y;

  for (guint i = n_chips; i < n_boxes; i++)
    {
      column += boxes[i].rect.height;
      widest = MAX (widest, boxes[i].rect.width);
    }
  *width = left + widest;
  *height = MAX (chip.height, column);
  if (n_chips)
    boxes[0].rect.y = (*height - chip.height) / 2;
  y = (*height - column) / 2;
  for (guint i = n_chips; i < n_boxes; i++)
    {
      boxes[i].rect.x = left + widest - boxes[i].rect.width;
      boxes[i].rect.y = y;
      y += boxes[i].rect.height + GAP;
    }
}

void
sym_scene_arrange (const SymScene *self,
                   SymBox *boxes,
                   guint n_boxes,
                   double *width,
                   double *height)
{
  guint n_chips = n_boxes && sym_box_has_results (&boxes[0]) ? 1 : 0;

  if (self->sideways)
    arrange_right (boxes, n_boxes, n_chips, width, height);
  else
    arrange_down (boxes, n_boxes, n_chips, width, height);
}
