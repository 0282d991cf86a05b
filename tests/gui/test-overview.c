/* SPDX-License-Identifier: MIT */
#include "app/scope-overview.h"

#define NEAR 1e-9

static void
test_keeps_its_proportions (void)
{
  SymRect extent = { -10, 20, 4000, 2000 };
  ScopeOverview overview = scope_overview_get (&extent, 200, 300, 40);

  g_assert_cmpfloat_with_epsilon (overview.width, 200, NEAR);
  g_assert_cmpfloat_with_epsilon (overview.height, 100, NEAR);
}

static void
test_long_drawing_can_be_pointed_at (void)
{
  SymRect extent = { 0, 0, 300, 6e6 };
  ScopeOverview overview = scope_overview_get (&extent, 200, 300, 40);
  SymRect visible = { 0, 3e6, 300, 500 };
  SymRect frame = scope_overview_get_frame (&overview, &visible);
  double x, y;

  g_assert_cmpfloat_with_epsilon (overview.width, 40, NEAR);
  g_assert_cmpfloat_with_epsilon (overview.height, 300, NEAR);
  g_assert_cmpfloat (frame.height, >=, 8);
  scope_overview_to_content (&overview, frame.x + frame.width / 2, frame.y + frame.height / 2, &x,
                             &y);
  g_assert_cmpfloat_with_epsilon (x, 150, 1e-6);
  g_assert_cmpfloat_with_epsilon (y, 3e6 + 250, 1e-3);
}

static void
test_frame_stays_within (void)
{
  SymRect extent = { 0, 0, 1000, 1000 };
  ScopeOverview overview = scope_overview_get (&extent, 200, 200, 40);
  static const SymRect views[] = {
    { -5000, -5000, 100, 100 }, { 5000, 5000, 1, 1 }, { -500, 300, 3000, 10 }, { 999, 0, 10, 10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++) {
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
  g_test_add_func ("/app/overview/long-drawing-can-be-pointed-at",
                   test_long_drawing_can_be_pointed_at);
  g_test_add_func ("/app/overview/frame-stays-within", test_frame_stays_within);
  g_test_add_func ("/app/overview/is-needless-when-all-is-in-sight",
                   test_is_needless_when_all_is_in_sight);
  return g_test_run ();
}
