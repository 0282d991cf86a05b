/* SPDX-License-Identifier: MIT */
#include "draw/sym-picture-private.h"

#include "../scene/scene-graphs.h"

#include <math.h>

#define NEAR 0.01
#define RADIUS 4.0
#define N_BOXES 5

/* Lines from chips to their boxes. */

/* A layer with five results, all of them used. */
static SymPicture *
draw (SymDirection direction)
{
  SymSceneOptions options = { .sideways = direction == SYM_DIRECTION_RIGHT };
  SymLayoutOptions layout_options = { direction };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  g_autoptr (SymScene) scene = NULL;
  g_autoptr (SymLayout) layout = NULL;
  SymId call;
  SymId user;

  call = sym_model_builder_add_call (builder, "thing", layer, NULL, 0, N_BOXES);
  user = sym_model_builder_add_call (builder, "user", layer, NULL, 0, 1);
  for (guint i = 0; i < N_BOXES; i++)
    sym_model_builder_append_operand (builder, user,
                                      sym_model_builder_get_result (builder, call, i));
  scene = graph_scene (builder, &options);
  layout = sym_layout_new (scene, &layout_options, NULL, NULL);
  return sym_picture_new (layout, NULL);
}

static SymPoint
turn (SymPoint point, SymDirection direction)
{
  return direction == SYM_DIRECTION_DOWN ? point : (SymPoint){ point.y, point.x };
}

/* It turns in small curves, at the height at which all do, and arrives straight. */
static void
check_stem (const SymPoint *course, guint n, SymDirection direction, double *level)
{
  for (guint k = 0; k + 3 < n; k += 3)
    {
      SymPoint from = turn (course[k], direction);
      SymPoint to = turn (course[k + 3], direction);
      double across = fabs (to.x - from.x);
      double along = to.y - from.y;

      g_assert_cmpfloat (along, >=, -NEAR);
      g_assert_true (across < NEAR || along < NEAR ||
                     (across <= RADIUS + NEAR && along <= RADIUS + NEAR));
      if (across < NEAR || along > NEAR)
        continue;
      g_assert_true (*level <= 0 || fabs (*level - to.y) < NEAR);
      *level = to.y;
    }
  g_assert_cmpfloat (fabs (turn (course[n - 2], direction).x - turn (course[n - 1], direction).x),
                     <, NEAR);
}

static guint
find_item (const SymPicture *picture)
{
  for (guint i = 0; i < sym_scene_get_n_items (picture->scene); i++)
    if (sym_scene_get_item (picture->scene, i)->n_boxes > N_BOXES)
      return i;
  g_assert_not_reached ();
}

static void
test_stems (gconstpointer data)
{
  SymDirection direction = (SymDirection) GPOINTER_TO_INT (data);
  g_autoptr (SymPicture) picture = draw (direction);
  double level = 0;

  for (guint box = 1; box <= N_BOXES; box++)
    {
      SymPoint course[SYM_STEM_POINTS];
      SymLineEnd end;
      SymLine line;
      guint n = sym_picture_get_stem (picture, find_item (picture), box, course, &end, &line);

      g_assert_cmpuint (n, >=, 4);
      g_assert_cmpuint (n % 3, ==, 1);
      check_stem (course, n, direction, &level);
    }
  g_assert_cmpfloat (level, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/draw/lines/to-boxes-turn-at-one-height-flowing-down",
                        GINT_TO_POINTER (SYM_DIRECTION_DOWN), test_stems);
  g_test_add_data_func ("/draw/lines/to-boxes-turn-at-one-height-flowing-right",
                        GINT_TO_POINTER (SYM_DIRECTION_RIGHT), test_stems);
  return g_test_run ();
}
