/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-grid.h"

#include <math.h>
#include <stdlib.h>

#define ENTRIES_PER_CELL 2
#define MAX_CELLS (1 << 20)
#define LARGE 64 /* cells; an entry that meets more is tested each time instead */

struct _SymDrawGrid {
  GArray *rects; /* of SymRect */
  SymRect bounds;
  double per_cell; /* one by the side of the square cells */
  int n_columns;
  int n_rows;
  guint *starts;  /* of each cell in @entries, and the end */
  guint *entries; /* ascending within a cell */
  GArray *large;  /* of guint, ascending */
};

/* The cells that a rectangle meets, both ends included. */
typedef struct {
  int left, top, right, bottom;
} Cells;

gboolean
sym_draw_rect_meets (const SymRect *a, const SymRect *b)
{
  return a->x <= b->x + b->width && b->x <= a->x + a->width && a->y <= b->y + b->height &&
         b->y <= a->y + a->height;
}

SymRect
sym_draw_rect_union (const SymRect *a, const SymRect *b)
{
  double x = MIN (a->x, b->x);
  double y = MIN (a->y, b->y);

  return (SymRect){
    x,
    y,
    MAX (a->x + a->width, b->x + b->width) - x,
    MAX (a->y + a->height, b->y + b->height) - y,
  };
}

SymRect
sym_draw_rect_grow (const SymRect *rect, double by)
{
  return (SymRect){ rect->x - by, rect->y - by, rect->width + 2 * by, rect->height + 2 * by };
}

static int
to_cell (double offset, double per_cell, int n)
{
  double cell = offset * per_cell;

  return !(cell > 0) ? 0 : cell < n ? (int) cell : n - 1;
}

static Cells
find_cells (const SymDrawGrid *self, const SymRect *rect)
{
  double x = rect->x - self->bounds.x, y = rect->y - self->bounds.y;
  double per_cell = self->per_cell;

  return (Cells){
    to_cell (x, per_cell, self->n_columns),
    to_cell (y, per_cell, self->n_rows),
    to_cell (x + rect->width, per_cell, self->n_columns),
    to_cell (y + rect->height, per_cell, self->n_rows),
  };
}

static gboolean
is_large (const Cells *cells)
{
  gint64 columns = cells->right - cells->left + 1;

  return columns * (cells->bottom - cells->top + 1) > LARGE;
}

/* Square cells, as many as there are entries to fill them, but never a million empty ones beside a
 * line that is thin and long. */
static void
choose_cells (SymDrawGrid *self)
{
  double wanted = CLAMP (self->rects->len / ENTRIES_PER_CELL, 1, MAX_CELLS);
  double width = MAX (self->bounds.width, 1);
  double height = MAX (self->bounds.height, 1);

  double cell = MAX (sqrt (width * height / wanted), MAX (width, height) / wanted);

  self->per_cell = 1 / cell;
  self->n_columns = (int) floor (width / cell) + 1;
  self->n_rows = (int) floor (height / cell) + 1;
}

static void
count_entries (SymDrawGrid *self)
{
  for (guint i = 0; i < self->rects->len; i++)
    {
      Cells cells = find_cells (self, sym_draw_grid_get_rect (self, i));

      if (is_large (&cells))
        {
          g_array_append_val (self->large, i);
          continue;
        }
      for (int row = cells.top; row <= cells.bottom; row++)
        for (int column = cells.left; column <= cells.right; column++)
          self->starts[row * self->n_columns + column + 1]++;
    }
}

static void
fill_entries (SymDrawGrid *self, guint n_cells)
{
  g_autofree guint *next = NULL;

  for (guint i = 0; i < n_cells; i++)
    self->starts[i + 1] += self->starts[i];
  self->entries = g_new (guint, self->starts[n_cells]);
  next = g_memdup2 (self->starts, n_cells * sizeof (guint));

  for (guint i = 0; i < self->rects->len; i++)
    {
      Cells cells = find_cells (self, sym_draw_grid_get_rect (self, i));

      if (is_large (&cells))
        continue;
      for (int row = cells.top; row <= cells.bottom; row++)
        for (int column = cells.left; column <= cells.right; column++)
          self->entries[next[row * self->n_columns + column]++] = i;
    }
}

static SymRect
measure_bounds (const SymRect *rects, guint n)
{
  double left = rects[0].x, right = rects[0].x + rects[0].width;
  double top = rects[0].y, bottom = rects[0].y + rects[0].height;

  for (guint i = 1; i < n; i++)
    {
      left = MIN (left, rects[i].x);
      top = MIN (top, rects[i].y);
      right = MAX (right, rects[i].x + rects[i].width);
      bottom = MAX (bottom, rects[i].y + rects[i].height);
    }
  return (SymRect){ left, top, right - left, bottom - top };
}

SymDrawGrid *
sym_draw_grid_new (GArray *rects)
{
  SymDrawGrid *self = g_new0 (SymDrawGrid, 1);
  guint n_cells;

  self->rects = rects;
  self->large = g_array_new (FALSE, FALSE, sizeof (guint));
  if (rects->len > 0)
    self->bounds = measure_bounds ((const SymRect *) (gconstpointer) rects->data, rects->len);
  choose_cells (self);
  n_cells = (guint) self->n_columns * (guint) self->n_rows;
  self->starts = g_new0 (guint, n_cells + 1);
  count_entries (self);
  fill_entries (self, n_cells);
  return self;
}

void
sym_draw_grid_free (SymDrawGrid *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rects);
  g_array_unref (self->large);
  g_free (self->starts);
  g_free (self->entries);
  g_free (self);
}

guint
sym_draw_grid_get_n (const SymDrawGrid *self)
{
  return self->rects->len;
}

const SymRect *
sym_draw_grid_get_rect (const SymDrawGrid *self, guint i)
{
  return &g_array_index (self->rects, SymRect, i);
}

SymRect
sym_draw_grid_get_bounds (const SymDrawGrid *self)
{
  return self->bounds;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint first = *(const guint *) a;
  guint second = *(const guint *) b;

  return first < second ? -1 : first > second;
}

/* An entry that lies in several cells of the query is taken in the first of them only. */
static void
query_cell (const SymDrawGrid *self,
            const SymRect *clip,
            const Cells *query,
            int column,
            int row,
            GArray *found)
{
  guint cell = (guint) (row * self->n_columns + column);

  for (guint k = self->starts[cell]; k < self->starts[cell + 1]; k++)
    {
      guint i = self->entries[k];
      const SymRect *rect = sym_draw_grid_get_rect (self, i);
      Cells own = find_cells (self, rect);

      if (column == MAX (own.left, query->left) && row == MAX (own.top, query->top) &&
          sym_draw_rect_meets (rect, clip))
        g_array_append_val (found, i);
    }
}

GArray *
sym_draw_grid_query (const SymDrawGrid *self, const SymRect *clip)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));
  Cells query;

  if (clip == NULL)
    {
      for (guint i = 0; i < self->rects->len; i++)
        g_array_append_val (found, i);
      return found;
    }
  if (self->rects->len == 0 || !sym_draw_rect_meets (clip, &self->bounds))
    return found;

  for (guint k = 0; k < self->large->len; k++)
    {
      guint i = g_array_index (self->large, guint, k);

      if (sym_draw_rect_meets (sym_draw_grid_get_rect (self, i), clip))
        g_array_append_val (found, i);
    }
  query = find_cells (self, clip);
  for (int row = query.top; row <= query.bottom; row++)
    for (int column = query.left; column <= query.right; column++)
      query_cell (self, clip, &query, column, row, found);
  g_array_sort (found, compare_numbers);
  return found;
}

guint
sym_draw_grid_estimate (const SymDrawGrid *self, const SymRect *clip)
{
  guint n = self->large->len;
  Cells query;

  if (self->rects->len == 0 || !sym_draw_rect_meets (clip, &self->bounds))
    return 0;
  query = find_cells (self, clip);
  for (int row = query.top; row <= query.bottom && n < self->rects->len; row++)
    n += self->starts[row * self->n_columns + query.right + 1] -
         self->starts[row * self->n_columns + query.left];
  return MIN (n, self->rects->len);
}
