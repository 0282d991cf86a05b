/* SPDX-License-Identifier: MIT */
#include "draw/sym-draw-grid.h"

static GArray *
new_rects (void)
{
  return g_array_new (FALSE, FALSE, sizeof (SymRect));
}

static void
add_rect (GArray *rects, double x, double y, double width, double height)
{
  SymRect rect = { x, y, width, height };

  g_array_append_val (rects, rect);
}

/* What looking at every one of them finds. */
static void
assert_query (const SymDrawGrid *grid, const SymRect *clip)
{
  g_autoptr (GArray) found = sym_draw_grid_query (grid, clip);
  guint n = 0;

  for (guint i = 0; i < sym_draw_grid_get_n (grid); i++)
    if (clip == NULL || sym_draw_rect_meets (sym_draw_grid_get_rect (grid, i), clip))
      {
        g_assert_cmpuint (n, <, found->len);
        g_assert_cmpuint (g_array_index (found, guint, n), ==, i);
        n++;
      }
  g_assert_cmpuint (found->len, ==, n);
  if (clip != NULL)
    g_assert_cmpuint (sym_draw_grid_estimate (grid, clip), >=, n);
}

static void
test_random (void)
{
  GArray *rects = new_rects ();
  g_autoptr (SymDrawGrid) grid = NULL;

  for (guint i = 0; i < 2000; i++)
    add_rect (rects, g_test_rand_double_range (-500, 500), g_test_rand_double_range (0, 90000),
              g_test_rand_double_range (0, i % 50 == 0 ? 1000 : 40),
              g_test_rand_double_range (0, i % 70 == 0 ? 50000 : 40));
  grid = sym_draw_grid_new (rects);
  for (guint i = 0; i < 300; i++)
    {
      SymRect clip = {
        g_test_rand_double_range (-900, 900),
        g_test_rand_double_range (-5000, 99000),
        g_test_rand_double_range (0, 600),
        g_test_rand_double_range (0, 3000),
      };

      assert_query (grid, &clip);
    }
  g_assert_cmpuint (sym_draw_grid_estimate (grid, &(SymRect){ 0, 30000, 40, 40 }), <, 200);
  g_assert_cmpuint (sym_draw_grid_estimate (grid, &(SymRect){ 0, -9000, 40, 40 }), ==, 0);
  assert_query (grid, NULL);
}

static void
test_empty (void)
{
  g_autoptr (SymDrawGrid) grid = sym_draw_grid_new (new_rects ());

  assert_query (grid, NULL);
  assert_query (grid, &(SymRect){ 0, 0, 10, 10 });
}

/* A line is no wider than a point, and a point has no size. */
static void
test_flat (void)
{
  GArray *line = new_rects ();
  GArray *point = new_rects ();
  g_autoptr (SymDrawGrid) lines = NULL;
  g_autoptr (SymDrawGrid) points = NULL;

  for (guint i = 0; i < 1000; i++)
    {
      add_rect (line, 0, i * 70.0, 0, 10);
      add_rect (point, 5, 5, 0, 0);
    }
  lines = sym_draw_grid_new (line);
  points = sym_draw_grid_new (point);
  assert_query (lines, &(SymRect){ -1, 700, 2, 100 });
  assert_query (lines, &(SymRect){ 1, 700, 2, 100 });
  assert_query (points, &(SymRect){ 0, 0, 10, 10 });
  assert_query (points, &(SymRect){ 6, 6, 10, 10 });
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/grid/finds-what-a-full-search-finds", test_random);
  g_test_add_func ("/draw/grid/of-nothing-finds-nothing", test_empty);
  g_test_add_func ("/draw/grid/copes-with-lines-and-points", test_flat);
  return g_test_run ();
}
