/* SPDX-License-Identifier: MIT */
#include "app/scope-flight.h"

#include <math.h>

#define NEAR 1e-6

static const ScopeFlight near_zoom = { { 10, 20, 1 }, { 110, 95, 2 }, 800, 600, FALSE };
static const ScopeFlight far_away = { { 0, 0, 1 }, { 40000, 6e6, 1 }, 800, 600, TRUE };
static const ScopeFlight from_afar = { { -5000, -9000, 0.01 }, { 700, 900, 1 }, 800, 600, TRUE };
static const ScopeFlight nowhere = { { 5, 5, 1 }, { 5, 5, 1 }, 800, 600, TRUE };
static const ScopeFlight no_window = { { 5, 5, 1 }, { 9, 9, 2 }, 0, 0, TRUE };

static void
assert_same (ScopeSight a, ScopeSight b)
{
  g_assert_cmpfloat_with_epsilon (a.x, b.x, NEAR);
  g_assert_cmpfloat_with_epsilon (a.y, b.y, NEAR);
  g_assert_cmpfloat_with_epsilon (a.scale, b.scale, NEAR);
}

static void
test_begins_and_ends_where_it_says (void)
{
  const ScopeFlight *flights[] = { &near_zoom, &far_away, &from_afar, &nowhere, &no_window };

  for (guint i = 0; i < G_N_ELEMENTS (flights); i++)
    {
      assert_same (scope_flight_get (flights[i], 0), flights[i]->from);
      assert_same (scope_flight_get (flights[i], 1), flights[i]->to);
    }
}

/* No frame is far from the one before, also at both ends: there is no jump. */
static void
test_is_steady (void)
{
  const ScopeFlight *flights[] = { &near_zoom, &far_away, &from_afar, &nowhere, &no_window };

  for (guint i = 0; i < G_N_ELEMENTS (flights); i++)
    {
      ScopeSight last = flights[i]->from;

      for (guint k = 1; k <= 1000; k++)
        {
          ScopeSight sight = scope_flight_get (flights[i], k / 1000.0);

          g_assert_true (isfinite (sight.x) && isfinite (sight.y) && sight.scale > 0);
          g_assert_cmpfloat (fabs (log (sight.scale / last.scale)), <, 0.05);
          g_assert_cmpfloat (
              hypot (sight.x - last.x, sight.y - last.y) * MIN (sight.scale, last.scale), <, 60);
          last = sight;
        }
    }
}

static void
test_long_way_rises (void)
{
  ScopeSight middle = scope_flight_get (&far_away, 0.5);

  g_assert_cmpfloat (middle.scale, <, 0.01);
  g_assert_cmpfloat_with_epsilon (middle.y + 300 / middle.scale, 3e6 + 300, 1);
}

static void
test_zoom_keeps_one_point_in_place (void)
{
  const ScopeSight *a = &near_zoom.from, *b = &near_zoom.to;
  double px = (b->x - a->x) / (1 / a->scale - 1 / b->scale), x = a->x + px / a->scale;

  for (double t = 0; t <= 1; t += 0.1)
    {
      ScopeSight sight = scope_flight_get (&near_zoom, t);

      g_assert_cmpfloat_with_epsilon (sight.x + px / sight.scale, x, NEAR);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/flight/begins-and-ends-where-it-says", test_begins_and_ends_where_it_says);
  g_test_add_func ("/app/flight/is-steady", test_is_steady);
  g_test_add_func ("/app/flight/long-way-rises", test_long_way_rises);
  g_test_add_func ("/app/flight/zoom-keeps-one-point-in-place", test_zoom_keeps_one_point_in_place);
  return g_test_run ();
}
