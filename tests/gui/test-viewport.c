/* SPDX-License-Identifier: MIT */
#include "sight.h"

#define NEAR 1e-6

static void
count_cb (guint *n)
{
  (*n)++;
}

static gboolean
sees (ScopeViewport *viewport, const SymRect *rect)
{
  SymRect visible = scope_viewport_get_visible (viewport);

  return rect->x >= visible.x && rect->y >= visible.y &&
         rect->x + rect->width <= visible.x + visible.width &&
         rect->y + rect->height <= visible.y + visible.height;
}

static void
test_small_drawing_is_shown_whole (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (300, 200);
  SymRect whole = { 0, 0, 300, 200 };

  g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (viewport), 1, NEAR);
  g_assert_true (sees (viewport, &whole));
}

static void
test_tall_drawing_starts_at_its_top (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (300, 1400000);
  SymRect start = { 0, 0, 300, 100 };

  g_assert_cmpfloat (scope_viewport_get_scale (viewport), >=, 0.5);
  g_assert_true (sees (viewport, &start));
}

static void
test_wide_drawing_starts_where_it_is_told (void)
{
  g_autoptr (ScopeViewport) viewport = scope_viewport_new ();
  SymRect extent = { 0, 0, 9000, 90000 }, start = { 7000, 0, 100, 40 };

  scope_viewport_set_start (viewport, &start, SYM_DIRECTION_DOWN);
  scope_viewport_set_extent (viewport, &extent);
  scope_viewport_set_size (viewport, 800, 600);
  SymRect visible = scope_viewport_get_visible (viewport);

  g_assert_true (sees (viewport, &start));
  g_assert_cmpfloat_with_epsilon (visible.x + visible.width / 2, 7050, NEAR);
}

/* Names can still be read at little more than half the size, and nothing is cut off.  Of what is
 * larger, as much is seen of its breadth as can be read; of a chain, as much as is as large as it
 * is. */
static void
test_start_shows_as_much_as_can_be_read (void)
{
  static const struct {
    double width, height; /* of the drawing, on 800 by 600 pixels */
    SymDirection direction;
    double scale;
    gboolean is_whole;
  } cases[] = {
    { 1200, 160, SYM_DIRECTION_DOWN, 752.0 / 1200, TRUE },
    { 1200, 1000, SYM_DIRECTION_RIGHT, 552.0 / 1000, TRUE },
    { 1600, 160, SYM_DIRECTION_DOWN, 0.7, FALSE },
    { 160, 1600, SYM_DIRECTION_RIGHT, 0.7, FALSE },
    { 160, 1600, SYM_DIRECTION_DOWN, 1, FALSE },
    { 1600, 160, SYM_DIRECTION_RIGHT, 1, FALSE },
    { 800, 90000, SYM_DIRECTION_DOWN, 752.0 / 800, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ScopeViewport) viewport = scope_viewport_new ();
      SymRect whole = { 0, 0, cases[i].width, cases[i].height }, start = { 0, 0, 100, 40 };

      scope_viewport_set_start (viewport, &start, cases[i].direction);
      scope_viewport_set_extent (viewport, &whole);
      scope_viewport_set_size (viewport, 800, 600);
      g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (viewport), cases[i].scale, NEAR);
      g_assert_cmpint (sees (viewport, &whole), ==, cases[i].is_whole);
      g_assert_true (sees (viewport, &start));
    }
}

/* A window that becomes narrow before anything was looked at still begins at the beginning. */
static void
test_start_stays_when_resized (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (3000, 90000);
  SymRect start = { 2400, 0, 100, 40 };

  scope_viewport_set_start (viewport, &start, SYM_DIRECTION_DOWN);
  scope_viewport_set_size (viewport, 300, 400);
  g_assert_true (sees (viewport, &start));
  scope_viewport_set_size (viewport, 900, 700);
  g_assert_true (sees (viewport, &start));
  scope_viewport_pan (viewport, 0, -20000);
  scope_viewport_set_size (viewport, 500, 500);
  g_assert_false (sees (viewport, &start));
}

/* What was in view stays there, at the same scale; what was not is not looked for. */
static void
test_size_changes_around_what_is_seen (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (3000, 90000);
  SymRect left, far = { 100, 80000, 100, 40 };

  scope_viewport_reveal (viewport, &far);
  SymRect seen = scope_viewport_get_visible (viewport);
  double scale = scope_viewport_get_scale (viewport);

  left = (SymRect){ seen.x + 10, seen.y + 300, 100, 40 };
  scope_viewport_set_size_around (viewport, 400, 600, &left);
  g_assert_true (sees (viewport, &left));
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), ==, scale);
  far.y = 10;
  seen = scope_viewport_get_visible (viewport);
  scope_viewport_set_size_around (viewport, 400, 500, &far);
  g_assert_false (sees (viewport, &far));
  g_assert_cmpfloat (scope_viewport_get_visible (viewport).x, ==, seen.x);
}

static double
get_top (ScopeViewport *viewport, const SymRect *rect)
{
  double x, y;

  scope_viewport_to_widget (viewport, rect->x, rect->y, &x, &y);
  return y;
}

/* A bar that comes over the topmost node, or over the selected one, makes it come out; others stay
 * where they are, as what is pointed at is not to move away. */
static void
test_bars_cover_nothing_looked_at (void)
{
  static const ScopeCover none = { 0 }, above = { 0, 0, 80, 0 }, below = { 0, 0, 0, 100 };
  static const struct {
    double height, panned; /* of the drawing; down, in pixels */
    double selected;       /* its place in pixels, -1 for none */
    const ScopeCover *cover;
    double low, high; /* where the selected one is then, or the drawing's beginning */
    double first;     /* from there to the first node: a margin, which may be out of sight */
  } cases[] = {
    { 500, 0, -1, &above, 79, 560 },   /* all of it, which becomes smaller */
    { 300, 0, -1, &above, 150, 150 },  /* not under it */
    { 5000, 0, -1, &above, 80, 120 },  /* the beginning */
    { 5000, 30, -1, &above, 80, 120 }, /* the same, which somebody has moved */
    { 5000, -900, 30, &above, 80, 120 },    { 5000, -900, 300, &above, 300, 300 },
    { 5000, -900, 530, &below, 400, 460 },  { 5000, -900, 300, &below, 300, 300 },
    { 5000, -40, -1, &above, 80, 120, 30 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ScopeViewport) viewport = sight_new (300, cases[i].height);
      SymRect rect = { 0, 0, 100, 40 }, start = { 0, cases[i].first, 100, 40 };
      gboolean is_selected = cases[i].selected >= 0;

      scope_viewport_set_start (viewport, &start, SYM_DIRECTION_DOWN);
      if (cases[i].panned != 0)
        scope_viewport_pan (viewport, 0, cases[i].panned);
      rect.y = is_selected ? scope_viewport_get_visible (viewport).y + cases[i].selected : start.y;
      scope_viewport_set_cover (viewport, &none, is_selected ? &rect : NULL);
      scope_viewport_set_cover (viewport, cases[i].cover, is_selected ? &rect : NULL);
      g_assert_cmpfloat (get_top (viewport, &rect), >=, cases[i].low);
      g_assert_cmpfloat (get_top (viewport, &rect), <=, cases[i].high);
    }
}

static void
test_extent_before_size_starts_as_well (void)
{
  g_autoptr (ScopeViewport) viewport = scope_viewport_new ();
  SymRect extent = { 0, 0, 300, 1400000 }, start = { 0, 0, 300, 100 };

  scope_viewport_set_extent (viewport, &extent);
  scope_viewport_set_size (viewport, 800, 600);
  g_assert_true (sees (viewport, &start));
}

static void
test_zoom_keeps_what_is_under_the_pointer (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (2000, 2000);
  double x, y, x2, y2;

  scope_viewport_to_content (viewport, 200, 150, &x, &y);
  for (int i = 0; i < 5; i++)
    scope_viewport_zoom_at (viewport, 1.2, 200, 150);
  scope_viewport_to_content (viewport, 200, 150, &x2, &y2);
  g_assert_cmpfloat_with_epsilon (x, x2, NEAR);
  g_assert_cmpfloat_with_epsilon (y, y2, NEAR);
}

static void
test_zoom_is_bounded (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (2000, 2000);
  g_autoptr (ScopeViewport) large = sight_new (400000, 400000);

  for (int i = 0; i < 200; i++)
    scope_viewport_zoom (viewport, 2);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), ==, 8);
  for (int i = 0; i < 200; i++)
    scope_viewport_zoom (viewport, 0.5);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), >, 0.1);
  for (int i = 0; i < 200; i++)
    scope_viewport_zoom (large, 0.7);
  g_assert_cmpfloat (scope_viewport_get_scale (large), ==, 0.001);
}

static void
test_content_cannot_be_lost (void)
{
  static const struct {
    double dx, dy;
  } ways[] = { { 1e9, 0 }, { -1e9, 0 }, { 0, 1e9 }, { 0, -1e9 } };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (ScopeViewport) viewport = sight_new (500, 500);

      scope_viewport_pan (viewport, ways[i].dx, ways[i].dy);
      SymRect visible = scope_viewport_get_visible (viewport);

      g_assert_cmpfloat (visible.x, <, 500);
      g_assert_cmpfloat (visible.y, <, 500);
      g_assert_cmpfloat (visible.x + visible.width, >, 0);
      g_assert_cmpfloat (visible.y + visible.height, >, 0);
    }
}

static void
test_fitted_view_stays_fitted_when_resized (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (4000, 4000);
  SymRect whole = { 0, 0, 4000, 4000 };

  scope_viewport_fit (viewport);
  g_assert_true (sees (viewport, &whole));
  scope_viewport_set_size (viewport, 300, 900);
  g_assert_true (sees (viewport, &whole));
}

static void
test_resizing_keeps_the_centre (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (4000, 4000);
  double x, y, x2, y2;

  scope_viewport_pan (viewport, -500, -500);
  scope_viewport_to_content (viewport, 400, 300, &x, &y);
  scope_viewport_set_size (viewport, 600, 500);
  scope_viewport_to_content (viewport, 300, 250, &x2, &y2);
  g_assert_cmpfloat_with_epsilon (x, x2, NEAR);
  g_assert_cmpfloat_with_epsilon (y, y2, NEAR);
}

static void
test_reveal_moves_only_when_needed (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (800, 100000);
  SymRect inside = { 100, 100, 50, 50 }, far = { 100, 90000, 50, 50 };
  guint n = 0;

  g_signal_connect_swapped (viewport, "changed", G_CALLBACK (count_cb), &n);
  scope_viewport_reveal (viewport, &inside);
  g_assert_cmpuint (n, ==, 0);
  scope_viewport_reveal (viewport, &far);
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (sees (viewport, &far));
}

static void
test_reveal_makes_readable (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (800, 100000);
  SymRect far = { 100, 90000, 50, 50 };

  scope_viewport_fit (viewport);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), <, 0.1);
  scope_viewport_reveal (viewport, &far);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), >=, 0.5);
  g_assert_true (sees (viewport, &far));
}

#define FRAME (G_USEC_PER_SEC / 60)

/* Shows frames until nothing moves; their number. */
static guint
run_frames (ScopeViewport *viewport)
{
  guint n = 0;

  for (gint64 time = G_USEC_PER_SEC; scope_viewport_is_moving (viewport); time += FRAME)
    {
      scope_viewport_advance (viewport, time);
      n++;
      g_assert_cmpuint (n, <, 600);
    }
  return n;
}

static void
test_zoom_moves_by_frames (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (2000, 2000);
  double x, y, x2, y2, before = scope_viewport_get_scale (viewport);

  scope_viewport_set_animated (viewport, TRUE);
  scope_viewport_to_content (viewport, 200, 150, &x, &y);
  scope_viewport_zoom_at (viewport, 1.2, 200, 150);
  scope_viewport_zoom_at (viewport, 1.2, 200, 150);
  g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (viewport), before, NEAR);
  g_assert_true (scope_viewport_is_zooming (viewport));
  for (gint64 time = 1; scope_viewport_is_moving (viewport); time += FRAME)
    {
      double last = scope_viewport_get_scale (viewport);

      scope_viewport_advance (viewport, time);
      g_assert_cmpfloat (scope_viewport_get_scale (viewport), >=, last);
      scope_viewport_to_content (viewport, 200, 150, &x2, &y2);
      g_assert_cmpfloat_with_epsilon (x, x2, NEAR);
      g_assert_cmpfloat_with_epsilon (y, y2, NEAR);
    }
  g_assert_cmpfloat_with_epsilon (scope_viewport_get_scale (viewport), before * 1.44, NEAR);
  g_assert_false (scope_viewport_is_zooming (viewport));
}

static void
test_without_motion_all_is_at_once (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (800, 100000);
  SymRect far = { 100, 90000, 50, 50 };

  scope_viewport_set_animated (viewport, TRUE);
  scope_viewport_reveal (viewport, &far);
  g_assert_false (sees (viewport, &far));
  scope_viewport_set_animated (viewport, FALSE);
  g_assert_true (sees (viewport, &far));
  g_assert_false (scope_viewport_is_moving (viewport));
  scope_viewport_throw (viewport, 0, 5000);
  g_assert_false (scope_viewport_is_moving (viewport));
}

static void
test_thrown_content_comes_to_rest (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (800, 100000);
  double start = scope_viewport_get_visible (viewport).y;

  scope_viewport_set_animated (viewport, TRUE);
  scope_viewport_throw (viewport, 0, -2000);
  g_assert_cmpuint (run_frames (viewport), >, 20);
  double moved =
      (scope_viewport_get_visible (viewport).y - start) * scope_viewport_get_scale (viewport);

  g_assert_cmpfloat (moved, >, 400);
  g_assert_cmpfloat (moved, <, 600);
  scope_viewport_throw (viewport, 0, 1e6);
  run_frames (viewport);
  g_assert_cmpfloat (scope_viewport_get_visible (viewport).y, <, 0);
}

static void
test_drag_stops_a_flight (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (800, 100000);
  SymRect far = { 100, 90000, 50, 50 };
  double x, y, x2, y2;

  scope_viewport_set_animated (viewport, TRUE);
  scope_viewport_reveal (viewport, &far);
  for (gint64 i = 1; i < 6; i++)
    scope_viewport_advance (viewport, i * FRAME);
  scope_viewport_to_content (viewport, 400, 300, &x, &y);
  scope_viewport_pan (viewport, 10, 20);
  scope_viewport_to_content (viewport, 410, 320, &x2, &y2);
  g_assert_cmpfloat_with_epsilon (x, x2, 1e-3);
  g_assert_cmpfloat_with_epsilon (y, y2, 1e-3);
  g_assert_false (scope_viewport_is_moving (viewport));
}

/* A larger extent, in which the same content has another place. */
static void
test_changed_extent_keeps_what_is_seen (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (800, 5000);
  SymRect larger = { 0, 0, 4000, 90000 };
  double x, y, x2, y2;

  scope_viewport_pan (viewport, 0, -700);
  scope_viewport_to_content (viewport, 300, 200, &x, &y);
  scope_viewport_change_extent (viewport, &larger, 1600, 40);
  scope_viewport_to_content (viewport, 300, 200, &x2, &y2);
  g_assert_cmpfloat_with_epsilon (x + 1600, x2, NEAR);
  g_assert_cmpfloat_with_epsilon (y + 40, y2, NEAR);
}

static void
test_huge_drawing_fits_below_the_least_zoom (void)
{
  g_autoptr (ScopeViewport) viewport = sight_new (3000, 7e6);
  SymRect whole = { 0, 0, 3000, 7e6 };

  scope_viewport_fit (viewport);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), <, 0.001);
  g_assert_true (sees (viewport, &whole));
  scope_viewport_zoom (viewport, 0.5);
  g_assert_true (sees (viewport, &whole));
}

static void
test_nothing_to_see_is_harmless (void)
{
  ScopeViewport *viewport = scope_viewport_new ();
  SymRect nothing = { 0, 0, 0, 0 };

  scope_viewport_fit (viewport);
  scope_viewport_zoom (viewport, 2);
  scope_viewport_pan (viewport, 10, 10);
  scope_viewport_set_extent (viewport, &nothing);
  scope_viewport_set_size (viewport, 800, 600);
  scope_viewport_reveal (viewport, &nothing);
  g_assert_cmpfloat (scope_viewport_get_scale (viewport), >, 0);
  g_assert_finalize_object (viewport);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/viewport/small-drawing-is-shown-whole", test_small_drawing_is_shown_whole);
  g_test_add_func ("/app/viewport/tall-drawing-starts-at-its-top",
                   test_tall_drawing_starts_at_its_top);
  g_test_add_func ("/app/viewport/wide-drawing-starts-where-it-is-told",
                   test_wide_drawing_starts_where_it_is_told);
  g_test_add_func ("/app/viewport/start-shows-as-much-as-can-be-read",
                   test_start_shows_as_much_as_can_be_read);
  g_test_add_func ("/app/viewport/start-stays-when-resized", test_start_stays_when_resized);
  g_test_add_func ("/app/viewport/extent-before-size-starts-as-well",
                   test_extent_before_size_starts_as_well);
  g_test_add_func ("/app/viewport/zoom-keeps-what-is-under-the-pointer",
                   test_zoom_keeps_what_is_under_the_pointer);
  g_test_add_func ("/app/viewport/zoom-is-bounded", test_zoom_is_bounded);
  g_test_add_func ("/app/viewport/content-cannot-be-lost", test_content_cannot_be_lost);
  g_test_add_func ("/app/viewport/fitted-view-stays-fitted-when-resized",
                   test_fitted_view_stays_fitted_when_resized);
  g_test_add_func ("/app/viewport/resizing-keeps-the-centre", test_resizing_keeps_the_centre);
  g_test_add_func ("/app/viewport/bars-cover-nothing-looked-at", test_bars_cover_nothing_looked_at);
  g_test_add_func ("/app/viewport/size-changes-around-what-is-seen",
                   test_size_changes_around_what_is_seen);
  g_test_add_func ("/app/viewport/reveal-moves-only-when-needed",
                   test_reveal_moves_only_when_needed);
  g_test_add_func ("/app/viewport/reveal-makes-readable", test_reveal_makes_readable);
  g_test_add_func ("/app/viewport/zoom-moves-by-frames", test_zoom_moves_by_frames);
  g_test_add_func ("/app/viewport/without-motion-all-is-at-once",
                   test_without_motion_all_is_at_once);
  g_test_add_func ("/app/viewport/thrown-content-comes-to-rest", test_thrown_content_comes_to_rest);
  g_test_add_func ("/app/viewport/drag-stops-a-flight", test_drag_stops_a_flight);
  g_test_add_func ("/app/viewport/changed-extent-keeps-what-is-seen",
                   test_changed_extent_keeps_what_is_seen);
  g_test_add_func ("/app/viewport/huge-drawing-fits-below-the-least-zoom",
                   test_huge_drawing_fits_below_the_least_zoom);
  g_test_add_func ("/app/viewport/nothing-to-see-is-harmless", test_nothing_to_see_is_harmless);
  return g_test_run ();
}
