/* SPDX-License-Identifier: MIT */
#include "draw/sym-pages.h"

#include <math.h>

#define OVERLAP 120.0
#define MAX_OVERLAP 0.25 /* of a part */

/* The smallest that text of 11 points can be read at on paper, and what is easy to read. */
#define LEAST_SCALE 0.4
#define GOOD_SCALE 0.6

static guint
count_parts (double length, double part, double *step)
{
  *step = part - MIN (OVERLAP, part * MAX_OVERLAP);
  return length <= part ? 1 : 1 + (guint) ceil ((length - part) / *step);
}

void
sym_pages_cut (SymPages *self, double width_pt, double height_pt)
{
  self->width_pt = width_pt;
  self->height_pt = height_pt;
  self->part_width = (width_pt - 2 * self->margin_pt) / self->scale;
  self->part_height = (height_pt - 2 * self->margin_pt) / self->scale;
  self->n_columns = count_parts (self->extent.width, self->part_width, &self->step_x);
  self->n_rows = count_parts (self->extent.height, self->part_height, &self->step_y);
}

guint64
sym_pages_count (const SymPages *self)
{
  return (guint64) self->n_columns * self->n_rows;
}

double
sym_pages_get_overlap_x (const SymPages *self)
{
  return self->part_width - self->step_x;
}

double
sym_pages_get_overlap_y (const SymPages *self)
{
  return self->part_height - self->step_y;
}

SymRect
sym_pages_get_part (const SymPages *self, guint column, guint row)
{
  double x = column * self->step_x;
  double y = row * self->step_y;

  return (SymRect){ self->extent.x + x, self->extent.y + y,
                    MIN (self->part_width, self->extent.width - x),
                    MIN (self->part_height, self->extent.height - y) };
}

void
sym_pages_cut_for_print (SymPages *self, double width_pt, double height_pt)
{
  double room_x = width_pt - 2 * self->margin_pt;
  double room_y = height_pt - 2 * self->margin_pt;
  double fitting = MIN (room_x / self->extent.width, room_y / self->extent.height);

  self->scale = fitting >= LEAST_SCALE ? MIN (fitting, 1) : GOOD_SCALE;
  sym_pages_cut (self, width_pt, height_pt);
}
