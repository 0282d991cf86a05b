/* SPDX-License-Identifier: MIT */
#include "sight.h"

/* What lies over a drawing, in its corners and along its edges. */

/* A drawing keeps beside what lies in the corner, or above it, whatever leaves it larger; where
 * both would make it small, and where it is not under the corner at all, it stays in the middle. */
static void
test_fit_keeps_beside_what_covers_it (void)
{
  static const struct {
    double width, height; /* of the drawing, on 800 by 600 pixels */
    ScopeCover cover;
    double left, bottom; /* of the drawing, in pixels */
  } cases[] = {
    { 600, 500, { 0, 0 }, 100, 550 },
    { 600, 500, { 120, 100 }, 148, 550 }, /* beside */
    { 740, 440, { 120, 100 }, 30, 482 },  /* above */
    { 200, 500, { 120, 100 }, 300, 550 },
    { 750, 550, { 500, 500 }, 25, 575 },
    { 600, 300, { 0, 0, 100, 0 }, 100, 488 },     /* below a bar, in the middle */
    { 600, 300, { 0, 0, 0, 100 }, 100, 412 },     /* above one */
    { 400, 300, { 120, 100, 60, 80 }, 200, 440 }, /* between two */
    { 740, 300, { 120, 100, 60, 80 }, 30, 390 },  /* above what lies above a bar */
    { 720, 500, { .zoom_width = 60, .zoom_height = 160 }, 24, 549 }, /* beside buttons */
    { 720, 400, { .zoom_width = 60, .zoom_height = 160 }, 40, 568 }, /* below them */
    { 700, 200, { .zoom_width = 60, .zoom_height = 160 }, 50, 400 },
    { 700, 550, { .back_width = 60, .back_height = 120 }, 68, 575 },
    { 500, 560, { 100, 90, .back_width = 60, .back_height = 90, .zoom_width = 60 }, 154, 576 },
    { 650, 550, { 110, 90, .zoom_width = 60, .zoom_height = 90 }, 110, 567 }, /* between */
    { 740, 550, { .zoom_width = 300, .zoom_height = 300 }, 30, 575 },         /* as if none were */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ScopeViewport) viewport = sight_new (cases[i].width, cases[i].height);
      double left, bottom;

      scope_viewport_set_cover (viewport, &cases[i].cover, NULL);
      scope_viewport_fit (viewport);
      scope_viewport_to_widget (viewport, 0, cases[i].height, &left, &bottom);
      g_assert_cmpfloat_with_epsilon (left, cases[i].left, 1);
      g_assert_cmpfloat_with_epsilon (bottom, cases[i].bottom, 1);
    }
}

/* What is too large to be seen whole starts between what lies in the corners, smaller where it has
 * to be; where it could not be read then it takes all of the width. What comes into a corner later
 * moves it too, until somebody has looked elsewhere. */
static void
test_start_keeps_between_what_covers_it (void)
{
  static const ScopeCover cover = { 120, 100, .map_width = 40, .map_height = 300,
                                    .zoom_width = 60 };
  static const struct {
    double width, height; /* of the drawing, on 800 by 600 pixels */
    gboolean is_down, is_moved;
    double left, right; /* of the drawing, in pixels */
    double bottom;      /* of it, where it goes to the right */
  } cases[] = {
    { 300, 5000, TRUE, FALSE, 280, 580 },        /* 800 - 60, 120: in the middle between them */
    { 700, 5000, TRUE, FALSE, 120, 740 },        /* smaller */
    { 900, 5000, TRUE, FALSE, 24, 776 },         /* not so small that it cannot be read */
    { 700, 5000, TRUE, TRUE, 50, 750 },          /* as it was before there were corners */
    { 5000, 200, FALSE, FALSE, 120, 5120, 250 }, /* above the map */
    { 5000, 700, FALSE, FALSE, 120, 4062, 576 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ScopeViewport) viewport = sight_new (cases[i].width, cases[i].height);
      SymRect start = { 0, 0, cases[i].is_down ? cases[i].width : 50, 50 };
      double left, right, bottom;

      scope_viewport_set_start (viewport, &start,
                                cases[i].is_down ? SYM_DIRECTION_DOWN : SYM_DIRECTION_RIGHT);
      if (cases[i].is_moved)
        scope_viewport_pan (viewport, 0, -10);
      scope_viewport_set_cover (viewport, &cover, NULL);
      scope_viewport_to_widget (viewport, 0, 0, &left, &bottom);
      scope_viewport_to_widget (viewport, cases[i].width, cases[i].height, &right, &bottom);
      g_assert_cmpfloat_with_epsilon (left, cases[i].left, 1);
      g_assert_cmpfloat_with_epsilon (right, cases[i].right, 1);
      if (!cases[i].is_down)
        g_assert_cmpfloat_with_epsilon (bottom, cases[i].bottom, 1);
    }
}

/* What is revealed is not left under a bar, nor under what lies in the corner. */
static void
test_reveal_keeps_beside_what_covers (void)
{
  static const SymRect rects[] = {
    { 1000, 1210, 100, 40 }, /* below all that is seen at first */
    { 620, 1130, 100, 40 },  /* under the corner, nearer to its top */
    { 660, 1150, 130, 40 },  /* nearer to its right */
    { 1000, 710, 100, 40 },  /* under the bar at the top */
  };
  ScopeCover cover = { 200, 150, 40, 100 };

  for (guint i = 0; i < G_N_ELEMENTS (rects); i++)
    {
      g_autoptr (ScopeViewport) viewport = sight_new (3000, 3000);

      scope_viewport_set_scale (viewport, 1);
      scope_viewport_center (viewport, 1000, 1000);
      scope_viewport_set_cover (viewport, &cover, NULL);
      scope_viewport_reveal (viewport, &rects[i]);
      Sight at = sight_find (viewport, &rects[i]);

      g_assert_cmpfloat (at.left, >=, 0);
      g_assert_cmpfloat (at.right, <=, 800);
      g_assert_cmpfloat (at.top, >=, 40);
      g_assert_cmpfloat (at.bottom, <=, 500);
      g_assert_true (at.left >= 200 || at.bottom <= 350);
    }
}

/* Nor under the overview; where the way from it leads under the other corner, above both. */
static void
test_reveal_keeps_beside_the_overview (void)
{
  static const struct {
    SymRect rect;
    ScopeCover cover;
  } cases[] = {
    { { 1270, 1150, 100, 40 }, { 200, 150, 0, 0, 80, 300 } },   /* nearer to its side */
    { { 1240, 990, 100, 40 }, { 200, 150, 0, 0, 200, 300 } },   /* nearer to its top */
    { { 1000, 1230, 380, 40 }, { 300, 150, 0, 60, 300, 200 } }, /* between both it has no room */
    { { 1500, 1100, 100, 40 }, { 0, 0, 0, 60, 120, 500 } },     /* far away, in the middle then */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (ScopeViewport) viewport = sight_new (3000, 3000);
      const ScopeCover *cover = &cases[i].cover;
      const SymRect *rect = &cases[i].rect;
      double floor = 600 - cover->bottom;

      scope_viewport_set_scale (viewport, 1);
      scope_viewport_center (viewport, 1000, 1000);
      scope_viewport_set_cover (viewport, cover, NULL);
      scope_viewport_reveal (viewport, rect);
      Sight at = sight_find (viewport, rect);

      g_assert_cmpfloat (at.left, >=, 0);
      g_assert_cmpfloat (at.right, <=, 800);
      g_assert_cmpfloat (at.top, >=, 0);
      g_assert_cmpfloat (at.bottom, <=, floor);
      g_assert_true (at.left >= cover->width || at.bottom <= floor - cover->height);
      g_assert_true (at.right <= 800 - cover->map_width || at.bottom <= floor - cover->map_height);
    }
}

/* A panel that comes beside the drawing does not push what is selected under the map. */
static void
test_size_leaves_corners_clear (void)
{
  static const ScopeCover cover = { .map_width = 80, .map_height = 300 };
  static const SymRect rects[] = {
    { 1250, 1200, 100, 40 }, /* under the map when there are 200 pixels less */
    { 1250, 800, 100, 40 },  /* above it */
    { 1000, 1200, 100, 40 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rects); i++)
    {
      g_autoptr (ScopeViewport) viewport = sight_new (3000, 3000);

      scope_viewport_set_scale (viewport, 1);
      scope_viewport_center (viewport, 1050, 1000);
      scope_viewport_set_cover (viewport, &cover, NULL);
      scope_viewport_set_size_around (viewport, 600, 600, &rects[i]);
      Sight at = sight_find (viewport, &rects[i]);

      g_assert_cmpfloat (at.left, >=, 0);
      g_assert_cmpfloat (at.right, <=, 600);
      g_assert_true (at.right <= 600 - 80 || at.bottom <= 600 - 300);
      if (i > 0)
        g_assert_cmpfloat_with_epsilon (at.left, rects[i].x - 1050 + 300, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/cover/fit-keeps-beside-what-covers-it",
                   test_fit_keeps_beside_what_covers_it);
  g_test_add_func ("/app/cover/start-keeps-between-what-covers-it",
                   test_start_keeps_between_what_covers_it);
  g_test_add_func ("/app/cover/reveal-keeps-beside-what-covers",
                   test_reveal_keeps_beside_what_covers);
  g_test_add_func ("/app/cover/reveal-keeps-beside-the-overview",
                   test_reveal_keeps_beside_the_overview);
  g_test_add_func ("/app/cover/size-leaves-corners-clear", test_size_leaves_corners_clear);
  return g_test_run ();
}
