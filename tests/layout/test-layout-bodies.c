/* SPDX-License-Identifier: MIT */
#include "layout-checks.h"

#include "../scene/nested-graphs.h"
#include "scene/sym-scene-body.h"

static SymLayout *
lay_out (SymModel *model, const char *open, SymDirection direction, SymDrawing drawing)
{
  SymSceneOptions scene_options = { .sideways = direction == SYM_DIRECTION_RIGHT,
                                    .drawing = drawing };
  SymLayoutOptions options = { .direction = direction };
  g_autoptr (SymScene) scene = graph_opened_scene (model, &scene_options, open);
  g_autoptr (GError) error = NULL;
  SymLayout *layout = sym_layout_new (scene, &options, NULL, &error);

  g_assert_no_error (error);
  return layout;
}

static void
test_all_ways (void)
{
  g_autoptr (SymModel) nested = graph_nested (3);
  g_autoptr (SymModel) deep = graph_deep (3, 2);
  SymModel *models[] = { nested, deep };

  for (guint i = 0; i < 8; i++) {
    SymModel *model = models[i / 4];
    g_autoptr (SymLayout) layout = lay_out (model, "*", (SymDirection) (i / 2 % 2),
                                            (SymDrawing) (i % 2));
    g_autoptr (SymLayout) again = lay_out (model, "*", (SymDirection) (i / 2 % 2),
                                           (SymDrawing) (i % 2));

    layout_check (layout);
    layout_check_smooth (layout);
    layout_check_equal (layout, again);
  }
}

/* The bodies of a layer lie between what it takes and the layer, beside each other. */
static void
test_beside (void)
{
  g_autoptr (SymModel) model = graph_nested (3);
  g_autoptr (SymLayout) layout = lay_out (model, "*", SYM_DIRECTION_DOWN, SYM_DRAWING_DATA);
  SymScene *scene = sym_layout_get_scene (layout);
  SymRect first = layout_rect (layout, sym_scene_find_call (scene, 0));
  SymRect nest = layout_rect (layout, sym_scene_find_call (scene, 1));

  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 3);
  for (guint i = 0; i < 3; i++) {
    SymRect rect = sym_layout_get_frame_rect (layout, i);
    SymRect next = sym_layout_get_frame_rect (layout, (i + 1) % 3);

    g_assert_cmpfloat (rect.y, >=, first.y + first.height);
    g_assert_cmpfloat (rect.y + rect.height, <=, nest.y);
    g_assert_true (rect.x + rect.width <= next.x || next.x + next.width <= rect.x);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/bodies/have-what-is-theirs-within", test_all_ways);
  g_test_add_func ("/layout/bodies/stand-beside-each-other-above-their-layer", test_beside);
  return g_test_run ();
}
