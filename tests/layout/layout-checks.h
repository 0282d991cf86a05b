/* SPDX-License-Identifier: MIT */
#pragma once

#include "layout/sym-layout.h"

/* What holds for every layout. */

static inline SymRect
layout_rect (const SymLayout *layout, guint item)
{
  const SymSceneItem *what = sym_scene_get_item (sym_layout_get_scene (layout), item);
  SymPoint p = sym_layout_get_position (layout, item);

  return (SymRect){ p.x, p.y, what->width, what->height };
}

static inline int
layout_compare_tops (gconstpointer a, gconstpointer b, gpointer layout)
{
  double x = layout_rect (layout, *(const guint *) a).y;
  double y = layout_rect (layout, *(const guint *) b).y;

  return x < y ? -1 : x > y;
}

/* No two items overlap. */
static inline void
layout_check_items (const SymLayout *layout)
{
  guint n = sym_scene_get_n_items (sym_layout_get_scene (layout));
  g_autofree guint *sorted = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    sorted[i] = i;
  g_qsort_with_data (sorted, (int) n, sizeof (guint), layout_compare_tops, (gpointer) layout);
  for (guint i = 0; i < n; i++)
    {
      SymRect a = layout_rect (layout, sorted[i]);

      g_assert_cmpfloat (a.x, >=, -0.01);
      g_assert_cmpfloat (a.y, >=, -0.01);
      g_assert_cmpfloat (a.x + a.width, <=, sym_layout_get_width (layout) + 0.01);
      g_assert_cmpfloat (a.y + a.height, <=, sym_layout_get_height (layout) + 0.01);
      for (guint k = i + 1; k < n; k++)
        {
          SymRect b = layout_rect (layout, sorted[k]);

          if (b.y >= a.y + a.height - 0.01)
            break;
          g_assert_true (a.x + a.width <= b.x + 0.01 || b.x + b.width <= a.x + 0.01);
        }
    }
}

static inline gboolean
layout_is_on (SymRect rect, SymPoint point)
{
  return point.x >= rect.x - 0.01 && point.x <= rect.x + rect.width + 0.01 &&
         point.y >= rect.y - 0.01 && point.y <= rect.y + rect.height + 0.01;
}

/* Lines are chains of curves from item to item, and go with the flow unless they close a cycle. */
static inline void
layout_check_edges (const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);
  gboolean down = sym_layout_get_direction (layout) == SYM_DIRECTION_DOWN;

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      guint n;
      const SymPoint *points = sym_layout_get_course (layout, i, &n);
      SymPoint first;
      SymPoint last;

      g_assert_cmpuint (n, >=, 4);
      g_assert_cmpuint (n % 3, ==, 1);
      first = points[0];
      last = points[n - 1];
      g_assert_true (layout_is_on (layout_rect (layout, edge->from), first));
      g_assert_true (layout_is_on (layout_rect (layout, edge->to), last));
      if (edge->is_back || edge->is_control)
        continue;
      for (guint k = 1; k < n; k++)
        g_assert_cmpfloat (down ? points[k].y - points[k - 1].y : points[k].x - points[k - 1].x, >=,
                           -0.01);
    }
}

static inline SymPoint
layout_point_on (const SymPoint *p, double t)
{
  double s = 1 - t;

  return (SymPoint){
    s * s * s * p[0].x + 3 * s * s * t * p[1].x + 3 * s * t * t * p[2].x + t * t * t * p[3].x,
    s * s * s * p[0].y + 3 * s * s * t * p[1].y + 3 * s * t * t * p[2].y + t * t * t * p[3].y,
  };
}

/* Lines run beside the items that are not theirs. */
static inline void
layout_check_courses (const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      guint n;
      const SymPoint *points = sym_layout_get_course (layout, i, &n);

      for (guint k = 0; k + 3 < n; k += 3)
        for (double t = 0; t <= 1; t += 0.125)
          {
            SymPoint p = layout_point_on (points + k, t);
            guint item = sym_layout_pick (layout, p.x, p.y, NULL);

            g_assert_true (item == G_MAXUINT || item == edge->from || item == edge->to);
          }
    }
}

static inline gboolean
layout_contains (SymRect outer, SymRect inner)
{
  return inner.x >= outer.x - 0.01 && inner.y >= outer.y - 0.01 &&
         inner.x + inner.width <= outer.x + outer.width + 0.01 &&
         inner.y + inner.height <= outer.y + outer.height + 0.01;
}

static inline gboolean
layout_meets (SymRect a, SymRect b)
{
  return a.x < b.x + b.width - 0.01 && b.x < a.x + a.width - 0.01 && a.y < b.y + b.height - 0.01 &&
         b.y < a.y + a.height - 0.01;
}

static inline gboolean
layout_is_within (const SymScene *scene, guint frame, guint other)
{
  while (frame != SYM_NO_FRAME && frame != other)
    frame = sym_scene_get_frame (scene, frame)->parent;
  return frame == other;
}

static inline void
layout_check_frame_items (const SymLayout *layout, guint frame)
{
  const SymScene *scene = sym_layout_get_scene (layout);
  SymRect rect = sym_layout_get_frame_rect (layout, frame);
  SymRect title = sym_layout_get_frame_title_rect (layout, frame);

  g_assert_true (layout_contains (rect, title));
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      SymRect item = layout_rect (layout, i);

      g_assert_false (layout_meets (title, item));
      if (layout_is_within (scene, sym_scene_get_item (scene, i)->frame, frame))
        g_assert_true (layout_contains (rect, item));
      else
        g_assert_false (layout_meets (rect, item));
    }
}

/* A frame has all that is its own within, and nothing else: no other item, no other frame. */
static inline void
layout_check_frames (const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);

  for (guint i = 0; i < sym_scene_get_n_frames (scene); i++)
    {
      SymRect rect = sym_layout_get_frame_rect (layout, i);

      layout_check_frame_items (layout, i);
      for (guint k = 0; k < i; k++)
        {
          SymRect other = sym_layout_get_frame_rect (layout, k);

          if (layout_is_within (scene, i, k))
            g_assert_true (layout_contains (other, rect));
          else
            g_assert_false (layout_meets (other, rect));
        }
    }
}

/* Where two curves of a course meet, it goes on in the same direction. */
static inline void
layout_check_smooth (const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      guint n;
      const SymPoint *p = sym_layout_get_course (layout, i, &n);

      for (guint k = 3; k + 3 < n; k += 3)
        {
          double before_x = p[k].x - p[k - 1].x;
          double before_y = p[k].y - p[k - 1].y;
          double after_x = p[k + 1].x - p[k].x;
          double after_y = p[k + 1].y - p[k].y;

          g_assert_cmpfloat (ABS (before_x * after_y - before_y * after_x), <=, 0.01);
          g_assert_cmpfloat (before_x * after_x + before_y * after_y, >=, -0.01);
        }
    }
}

static inline void
layout_check (const SymLayout *layout)
{
  layout_check_frames (layout);
  layout_check_items (layout);
  layout_check_edges (layout);
  layout_check_courses (layout);
}

static inline void
layout_check_equal (const SymLayout *a, const SymLayout *b)
{
  const SymScene *scene = sym_layout_get_scene (a);

  g_assert_cmpfloat (sym_layout_get_width (a), ==, sym_layout_get_width (b));
  g_assert_cmpfloat (sym_layout_get_height (a), ==, sym_layout_get_height (b));
  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      g_assert_cmpfloat (sym_layout_get_position (a, i).x, ==, sym_layout_get_position (b, i).x);
      g_assert_cmpfloat (sym_layout_get_position (a, i).y, ==, sym_layout_get_position (b, i).y);
    }
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      guint n;
      guint m;
      const SymPoint *p = sym_layout_get_course (a, i, &n);
      const SymPoint *q = sym_layout_get_course (b, i, &m);

      g_assert_cmpmem (p, n * sizeof *p, q, m * sizeof *q);
    }
}
