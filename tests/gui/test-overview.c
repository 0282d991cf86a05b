/* SPDX-License-Identifier: MIT */
#include "app/scope-overview.h"

#define NEAR 1e-9

static const ScopeOverviewSize size = { 200, 300, 40, 16 };

static void
test_keeps_its_proportions (void)
{
  SymRect extent = { -10, 20, 4000, 2000 }, visible = { 0, 0, 100, 100 };
  ScopeOverview overview = scope_overview_get (&extent, &visible, &size);

  g_assert_cmpfloat_with_epsilon (overview.width, 200, NEAR);
  g_assert_cmpfloat_with_epsilon (overview.height, 100, NEAR);
  g_assert_cmpfloat_with_epsilon (overview.shown.width, 4000, 1e-6);
}

/* A narrow one has something beside it, for the pointer's sake. */
static void
test_narrow_drawing_lies_in_the_middle (void)
{
  SymRect extent = { 0, 0, 300, 3000 }, visible = { 0, 0, 300, 300 };
  ScopeOverview overview = scope_overview_get (&extent, &visible, &size);
  double x, y;

  g_assert_cmpfloat_with_epsilon (overview.scale, 0.1, NEAR);
  g_assert_cmpfloat_with_epsilon (overview.width, 40, NEAR);
  g_assert_cmpfloat_with_epsilon (overview.height, 300, NEAR);
  scope_overview_to_content (&overview, 20, 150, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, 150, 1e-6);
  g_assert_cmpfloat_with_epsilon (y, 1500, 1e-6);
}

/* Neither a thread nor stretched: a piece, which slides along with the view. */
static void
test_long_drawing_is_shown_in_pieces (void)
{
  SymRect extent = { 0, 0, 300, 6e6 };
  static const double starts[] = { 0, 1e6, 3e6, 6e6 - 500 };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      SymRect visible = { 0, starts[i], 300, 500 };
      ScopeOverview overview = scope_overview_get (&extent, &visible, &size);
      SymRect frame = scope_overview_get_frame (&overview, &visible);
      double way = starts[i] / (6e6 - 500), x, y;

      g_assert_cmpfloat_with_epsilon (overview.scale, size.thread / 300, NEAR);
      g_assert_cmpfloat_with_epsilon (frame.y, way * (300 - frame.height), 1e-3);
      g_assert_cmpfloat_with_epsilon (frame.height, 500 * overview.scale, 1e-3);
      scope_overview_drag (&overview, &visible, frame.x, frame.y, &x, &y);
      g_assert_cmpfloat_with_epsilon (x, 150, 1e-3);
      g_assert_cmpfloat_with_epsilon (y, starts[i] + 250, 1e-2);
    }
}

static void
test_long_drawing_is_dragged_to_its_ends (void)
{
  SymRect extent = { 0, 0, 6e6, 300 }, visible = { 3e6, 0, 500, 300 };
  ScopeOverview overview = scope_overview_get (&extent, &visible, &size);
  double x, y;

  scope_overview_drag (&overview, &visible, -50, 0, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, 250, 1e-3);
  scope_overview_drag (&overview, &visible, 500, 0, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, 6e6 - 250, 1e-3);
}

/* Of a view of most of a long drawing the overview shows more. */
static void
test_shows_more_than_the_view (void)
{
  SymRect extent = { 0, 0, 300, 6e6 }, visible = { -1e6, 1e6, 3e6, 2e6 };
  ScopeOverview overview = scope_overview_get (&extent, &visible, &size);

  g_assert_cmpfloat (overview.shown.height, >, visible.height);
  g_assert_cmpfloat (overview.shown.y, <=, visible.y);
  g_assert_cmpfloat (overview.shown.y + overview.shown.height, >=, visible.y + visible.height);
}

static void
test_frame_stays_within (void)
{
  SymRect extent = { 0, 0, 1000, 1000 };
  static const SymRect views[] = {
    { -5000, -5000, 100, 100 },
    { 5000, 5000, 1, 1 },
    { -500, 300, 3000, 10 },
    { 999, 0, 10, 10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      ScopeOverview overview = scope_overview_get (&extent, &views[i], &size);
      SymRect frame = scope_overview_get_frame (&overview, &views[i]);

      g_assert_cmpfloat (frame.x, >=, 0);
      g_assert_cmpfloat (frame.y, >=, 0);
      g_assert_cmpfloat (frame.x + frame.width, <=, 200 + NEAR);
      g_assert_cmpfloat (frame.y + frame.height, <=, 200 + NEAR);
      g_assert_cmpfloat (frame.width, >=, 8);
      g_assert_cmpfloat (frame.height, >=, 8);
    }
}

static void
test_is_needless_when_all_is_in_sight (void)
{
  SymRect extent = { 0, 0, 1000, 1000 }, nothing = { 0, 0, 0, 0 };
  SymRect all = { -50, -50, 1100, 1100 }, most = { 10, 10, 980, 985 }, part = { 0, 0, 1000, 500 };

  g_assert_true (scope_overview_is_needless (&extent, &all));
  g_assert_true (scope_overview_is_needless (&extent, &most));
  g_assert_false (scope_overview_is_needless (&extent, &part));
  g_assert_true (scope_overview_is_needless (&nothing, &part));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/overview/keeps-its-proportions", test_keeps_its_proportions);
  g_test_add_func ("/app/overview/narrow-drawing-lies-in-the-middle",
                   test_narrow_drawing_lies_in_the_middle);
  g_test_add_func ("/app/overview/long-drawing-is-shown-in-pieces",
                   test_long_drawing_is_shown_in_pieces);
  g_test_add_func ("/app/overview/long-drawing-is-dragged-to-its-ends",
                   test_long_drawing_is_dragged_to_its_ends);
  g_test_add_func ("/app/overview/shows-more-than-the-view", test_shows_more_than_the_view);
  g_test_add_func ("/app/overview/frame-stays-within", test_frame_stays_within);
  g_test_add_func ("/app/overview/is-needless-when-all-is-in-sight",
                   test_is_needless_when_all_is_in_sight);
  return g_test_run ();
}
