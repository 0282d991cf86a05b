/* SPDX-License-Identifier: MIT */
#include "layout/sym-layout-private.h"

#include <math.h>

#define MIN_CELL 64.0

struct _SymPickGrid {
  double cell;
  guint n_columns;
  guint n_rows;
  guint *starts; /* by cell, and one more; indices into items */
  guint *items;
};

typedef struct {
  guint left, right, top, bottom; /* cells, all within */
} Cells;

static guint
get_cell (const SymPickGrid *self, double coordinate, guint n)
{
  double cell = floor (coordinate / self->cell);

  return cell < 0 ? 0 : cell >= n ? n - 1 : (guint) cell;
}

static Cells
get_cells (const SymPickGrid *self, const SymScene *scene, guint i, SymPoint position)
{
  const SymSceneItem *item = sym_scene_get_item (scene, i);

  return (Cells){ get_cell (self, position.x, self->n_columns),
                  get_cell (self, position.x + item->width, self->n_columns),
                  get_cell (self, position.y, self->n_rows),
                  get_cell (self, position.y + item->height, self->n_rows) };
}

/* Counts the items of each cell, or when @n_added is given adds them. */
static void
visit (SymPickGrid *self, const SymScene *scene, const SymPoint *positions, guint *n_added)
{
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      Cells cells = get_cells (self, scene, i, positions[i]);

      for (guint row = cells.top; row <= cells.bottom; row++)
        for (guint column = cells.left; column <= cells.right; column++)
          {
            guint cell = row * self->n_columns + column;

            if (n_added)
              self->items[self->starts[cell] + n_added[cell]++] = i;
            else
              self->starts[cell + 1]++;
          }
    }
}

SymPickGrid *
sym_pick_grid_new (const SymScene *scene, const SymPoint *positions, double width, double height)
{
  SymPickGrid *self = g_new0 (SymPickGrid, 1);
  guint n_items = sym_scene_get_n_items (scene);
  g_autofree guint *n_added = NULL;
  guint n_cells;

  /* As many cells as items: the widest graphs are mostly empty. */
  self->cell = MAX (MIN_CELL, sqrt (width * height / MAX (n_items, 1)));
  self->n_columns = (guint) (width / self->cell) + 1;
  self->n_rows = (guint) (height / self->cell) + 1;
  n_cells = self->n_columns * self->n_rows;
  self->starts = g_new0 (guint, n_cells + 1);
  visit (self, scene, positions, NULL);
  for (guint i = 0; i < n_cells; i++)
    self->starts[i + 1] += self->starts[i];
  self->items = g_new (guint, self->starts[n_cells] + 1);
  n_added = g_new0 (guint, n_cells);
  visit (self, scene, positions, n_added);
  return self;
}

void
sym_pick_grid_free (SymPickGrid *self)
{
  g_free (self->starts);
  g_free (self->items);
  g_free (self);
}

guint
sym_pick_grid_find (const SymPickGrid *self,
                    const SymScene *scene,
                    const SymPoint *positions,
                    SymPoint point)
{
  guint cell = get_cell (self, point.y, self->n_rows) * self->n_columns +
               get_cell (self, point.x, self->n_columns);

  for (guint k = self->starts[cell + 1]; k-- > self->starts[cell];)
    {
      guint i = self->items[k];
      const SymSceneItem *item = sym_scene_get_item (scene, i);
      double x = point.x - positions[i].x;
      double y = point.y - positions[i].y;

      if (x >= 0 && x <= item->width && y >= 0 && y <= item->height)
        return i;
    }
  return G_MAXUINT;
}

/* From a point to the nearest of a rectangle that begins at 0. */
static double
measure_to (double x, double y, double width, double height)
{
  return hypot (x - CLAMP (x, 0, width), y - CLAMP (y, 0, height));
}

guint
sym_pick_grid_find_near (const SymPickGrid *self,
                         const SymScene *scene,
                         const SymPoint *positions,
                         SymPoint point,
                         double reach)
{
  guint left = get_cell (self, point.x - reach, self->n_columns);
  guint right = get_cell (self, point.x + reach, self->n_columns);
  guint bottom = get_cell (self, point.y + reach, self->n_rows), found = G_MAXUINT;
  double least = reach;

  for (guint row = get_cell (self, point.y - reach, self->n_rows); row <= bottom; row++)
    for (guint k = self->starts[row * self->n_columns + left];
         k < self->starts[row * self->n_columns + right + 1]; k++)
      {
        guint i = self->items[k];
        const SymSceneItem *item = sym_scene_get_item (scene, i);
        double distance = measure_to (point.x - positions[i].x, point.y - positions[i].y,
                                      item->width, item->height);

        if (distance < least || (distance <= least && found == G_MAXUINT))
          {
            least = distance;
            found = i;
          }
      }
  return found;
}
