/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>

#define PART_GAP 48.0
#define ASPECT 1.6 /* of the whole, when there are many parts */

/* The extent of a part on the page. */
static void
get_size (const SymPart *part, SymDirection direction, double *width, double *height)
{
  *width = direction == SYM_DIRECTION_DOWN ? part->width : part->height;
  *height = direction == SYM_DIRECTION_DOWN ? part->height : part->width;
}

static double
get_row_width (GPtrArray *parts, SymDirection direction)
{
  double widest = 0;
  double area = 0;
  double width;
  double height;

  for (guint i = 0; i < parts->len; i++)
    {
      get_size (parts->pdata[i], direction, &width, &height);
      widest = MAX (widest, width);
      area += (width + PART_GAP) * (height + PART_GAP);
    }
  return MAX (widest, sqrt (area * ASPECT));
}

static int
compare_heights (gconstpointer a, gconstpointer b, gpointer user_data)
{
  SymDirection direction = *(const SymDirection *) user_data;
  const SymPart *x = *(const SymPart *const *) a;
  const SymPart *y = *(const SymPart *const *) b;
  double width;
  double x_height;
  double y_height;

  get_size (x, direction, &width, &x_height);
  get_size (y, direction, &width, &y_height);
  if (x_height > y_height)
    return -1;
  if (x_height < y_height)
    return 1;
  return x->items[0] < y->items[0] ? -1 : x->items[0] > y->items[0];
}

/* Rows of parts, the tallest first, from left to right. */
void
sym_parts_pack (GPtrArray *parts, SymDirection direction, double *width, double *height)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  double row_width = get_row_width (parts, direction);
  double x = 0;
  double y = 0;
  double row_height = 0;

  *width = *height = 0;
  for (guint i = 0; i < parts->len; i++)
    g_ptr_array_add (sorted, parts->pdata[i]);
  g_ptr_array_sort_with_data (sorted, compare_heights, &direction);
  for (guint i = 0; i < sorted->len; i++)
    {
      SymPart *part = sorted->pdata[i];
      double part_width;
      double part_height;

      get_size (part, direction, &part_width, &part_height);
      if (x > 0 && x + part_width > row_width)
        {
          y += row_height + PART_GAP;
          x = row_height = 0;
        }
      part->left = x;
      part->top = y;
      x += part_width + PART_GAP;
      row_height = MAX (row_height, part_height);
      *width = MAX (*width, part->left + part_width);
      *height = MAX (*height, y + row_height);
    }
}
