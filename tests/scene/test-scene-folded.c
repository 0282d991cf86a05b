/* SPDX-License-Identifier: MIT */
#include "folded-graphs.h"

#include "core/sym-edit.h"

static const SymSceneOptions data = { .drawing = SYM_DRAWING_DATA };
static const SymSceneOptions layers = { .drawing = SYM_DRAWING_LAYERS };

/* Two groups one after the other, the second with a group in it. */
static const char *const chain[] = { "a/1 x",     "a/2 a/1", "b/c/1 a/2", "b/c/2 b/c/1",
                                     "b/d b/c/2", "end b/d", NULL };

static SymId
find_value (const SymModel *model, const char *name)
{
  SymId value;
  g_autoptr (GError) error = NULL;

  sym_model_resolve (model, name, &value, &error);
  g_assert_no_error (error);
  return value;
}

static const SymSceneItem *
find_item (const SymScene *scene, const char *value)
{
  SymModel *model = sym_inference_get_model (sym_scene_get_inference (scene));
  guint item = sym_scene_find_value (scene, find_value (model, value));

  g_assert_cmpuint (item, !=, G_MAXUINT);
  return sym_scene_get_item (scene, item);
}

static void
test_closed (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, &data, "");
  const SymSceneItem *a = find_item (scene, "a/1");

  g_assert_cmpuint (sym_scene_get_n_items (scene), ==, 4); /* x, a, b, end */
  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 0);
  g_assert_true (a == find_item (scene, "a/2"));
  g_assert_cmpstr (a->name, ==, "a");
  g_assert_cmpuint (a->call, ==, SYM_NO_ID);
  g_assert_cmpuint (a->n_merged, ==, 1);
  g_assert_cmpint (a->boxes[0].kind, ==, SYM_BOX_GROUP);
  g_assert_cmpstr (a->boxes[0].lines[0], ==, "a");
  g_assert_cmpstr (a->boxes[0].lines[1], ==, "2 layers");
  g_assert_true (find_item (scene, "b/c/1") == find_item (scene, "b/d"));
  g_assert_cmpuint (sym_scene_get_n_edges (scene), ==, 3);
}

static void
test_results (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, &data, "");
  g_autoptr (SymScene) layer_scene = graph_folded_scene (model, &layers, "");
  const SymSceneItem *a = find_item (scene, "a/1");

  /* Of a/1 and a/2 only the second is used outside. */
  g_assert_cmpuint (a->n_boxes, ==, 2);
  g_assert_cmpuint (a->boxes[1].value, ==, find_value (model, "a/2"));
  g_assert_cmpfloat (a->boxes[1].rect.y, >=, a->boxes[0].rect.height);
  g_assert_cmpuint (find_item (layer_scene, "a/1")->n_boxes, ==, 1);
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      const SymSceneItem *from = sym_scene_get_item (scene, edge->from);

      if (from == a)
        g_assert_cmpuint (edge->from_box, ==, 1);
    }
}

/* Five results are too many to show: their number is told. */
static void
test_many_results (void)
{
  static const char *const lines[] = { "a/1 x", "a/2 x", "a/3 x",
                                       "a/4 x", "a/5 x", "b a/1 a/2 a/3 a/4 a/5",
                                       NULL };
  g_autoptr (SymModel) model = graph_read (lines);
  g_autoptr (SymScene) scene = graph_folded_scene (model, &data, "");
  const SymSceneItem *a = find_item (scene, "a/1");

  g_assert_cmpuint (a->n_boxes, ==, 1);
  g_assert_cmpstr (a->boxes[0].lines[2], ==, "5 results");
  g_assert_cmpuint (sym_scene_get_n_edges (scene), ==, 1 + 5); /* one per value and item */
}

static void
test_open (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, &data, "*");
  guint frame = find_item (scene, "b/c/1")->frame;
  const SymSceneFrame *c = sym_scene_get_frame (scene, frame);

  g_assert_cmpuint (sym_scene_get_n_items (scene), ==, 7);
  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 3);
  g_assert_cmpstr (c->title, ==, "c");
  g_assert_cmpfloat (c->title_width, >, 0);
  g_assert_cmpstr (sym_scene_get_frame (scene, c->parent)->title, ==, "b");
  g_assert_cmpuint (sym_scene_get_frame (scene, c->parent)->parent, ==, SYM_NO_FRAME);
  g_assert_cmpuint (c->parent, <, frame);
  g_assert_cmpuint (find_item (scene, "b/d")->frame, ==, c->parent);
  g_assert_cmpuint (find_item (scene, "end")->frame, ==, SYM_NO_FRAME);
  g_assert_cmpuint (find_item (scene, "x")->frame, ==, SYM_NO_FRAME);
  g_assert_cmpuint (sym_scene_find_frame (scene, c->group), ==, frame);
}

static void
test_half_open (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, &data, "b");
  const SymSceneItem *c = find_item (scene, "b/c/1");

  g_assert_cmpuint (sym_scene_get_n_frames (scene), ==, 1);
  g_assert_cmpstr (c->name, ==, "c");
  g_assert_cmpuint (c->frame, ==, 0);
  g_assert_cmpuint (find_item (scene, "a/1")->frame, ==, SYM_NO_FRAME);
}

static const char *
get_label (const SymScene *scene, const char *name)
{
  const SymSceneItem *item = find_item (scene, name);
  SymId value = find_value (sym_inference_get_model (sym_scene_get_inference (scene)), name);

  for (guint i = 0; i < item->n_boxes; i++)
    if (item->boxes[i].value == value)
      return item->boxes[i].lines[0];
  g_error ("%s is not drawn", name);
}

/* What frames around a node tell is not said again; of a closed group, and without frames, it is.
 */
static void
test_labels (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) open = graph_folded_scene (model, &data, "*");
  g_autoptr (SymScene) half = graph_folded_scene (model, &data, "b");
  g_autoptr (SymScene) flat = sym_scene_new (sym_scene_get_inference (open), &data);

  g_assert_cmpstr (get_label (open, "a/1"), ==, "1");
  g_assert_cmpstr (get_label (open, "b/c/2"), ==, "2");
  g_assert_cmpstr (get_label (open, "b/d"), ==, "d");
  g_assert_cmpstr (get_label (open, "end"), ==, "end");
  g_assert_cmpstr (get_label (half, "a/2"), ==, "a/2");
  g_assert_cmpstr (get_label (half, "b/c/2"), ==, "c/2");
  g_assert_cmpstr (get_label (flat, "b/c/2"), ==, "b/c/2");
}

/* What all names begin with is no group, and no part of the labels within one. */
static void
test_labels_of_a_part (void)
{
  static const char *const part[] = { "/p/q/a/1 x",        "/p/q/a/2 /p/q/a/1", "/p/q/b/1 /p/q/a/2",
                                      "/p/q/b/2 /p/q/b/1", "/p/q/end /p/q/b/2", NULL };
  g_autoptr (SymModel) model = graph_read (part);
  g_autoptr (SymScene) open = graph_folded_scene (model, &data, "*");

  g_assert_cmpuint (sym_scene_get_n_frames (open), ==, 2);
  g_assert_cmpstr (get_label (open, "/p/q/a/1"), ==, "1");
  g_assert_cmpstr (get_label (open, "/p/q/b/2"), ==, "2");
  g_assert_cmpstr (get_label (open, "/p/q/end"), ==, "/p/q/end");
}

/* A scope that stands further behind in a name is not the frame's. */
static void
test_labels_of_other_scopes (void)
{
  static const char *const mixed[] = { "a/1 x", "a/2 a/1", "b/1 a/2", "b/2 b/1", NULL };
  static const char *const other[] = { "dec/a/1", "/a/2", "b/a/1", "p/q/b/2" };
  g_autoptr (SymModel) model = graph_read (mixed);
  SymEdit *edit = sym_edit_new (model);

  for (guint i = 0; i < G_N_ELEMENTS (other); i++)
    g_assert_true (
        sym_edit_rename_value (edit, sym_model_get_results (model, i).ids[0], other[i], NULL));
  g_autoptr (SymModel) renamed = sym_edit_end (edit);
  g_autoptr (SymScene) open = graph_folded_scene (renamed, &data, "*");

  g_assert_cmpuint (sym_scene_get_n_frames (open), ==, 2);
  g_assert_cmpstr (get_label (open, "dec/a/1"), ==, "dec/a/1");
  g_assert_cmpstr (get_label (open, "/a/2"), ==, "2");
  g_assert_cmpstr (get_label (open, "b/a/1"), ==, "a/1");
  g_assert_cmpstr (get_label (open, "p/q/b/2"), ==, "p/q/b/2");
}

/* The ends of an edge are in one frame, and have the edge's items in them. */
static void
test_ends (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, &data, "*");
  guint n_items = sym_scene_get_n_items (scene);

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      guint ends[2];
      guint homes[2];

      sym_scene_get_ends (scene, i, &ends[0], &ends[1]);
      for (guint k = 0; k < 2; k++)
        homes[k] = ends[k] < n_items ? sym_scene_get_item (scene, ends[k])->frame
                                     : sym_scene_get_frame (scene, ends[k] - n_items)->parent;
      g_assert_cmpuint (homes[0], ==, homes[1]);
      g_assert_cmpuint (ends[0], !=, ends[1]);
    }
}

static void
test_selection (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  SymId middle = find_value (model, "a/1");
  g_autoptr (SymSelection) near = sym_selection_new_around (model, &middle, 1, 1);
  SymSceneOptions options = { .selection = near };
  g_autoptr (SymScene) scene = graph_folded_scene (model, &options, "");
  const SymSceneItem *a = find_item (scene, "a/1");

  g_assert_cmpuint (sym_scene_get_n_items (scene), ==, 2); /* x, a */
  g_assert_cmpstr (a->boxes[0].lines[1], ==, "2 layers");
}

static void
test_calls (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, &data, "");
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  guint n = 0;

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      sym_scene_collect_calls (scene, i, calls);
      for (; n < calls->len; n++)
        g_assert_cmpuint (sym_scene_find_call (scene, g_array_index (calls, SymId, n)), ==, i);
    }
  g_assert_cmpuint (n, ==, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/folded/draws-a-closed-group-as-one-item", test_closed);
  g_test_add_func ("/scene/folded/shows-what-a-group-makes-for-others", test_results);
  g_test_add_func ("/scene/folded/counts-results-that-are-too-many", test_many_results);
  g_test_add_func ("/scene/folded/draws-frames-around-open-groups", test_open);
  g_test_add_func ("/scene/folded/leaves-out-of-labels-what-frames-tell", test_labels);
  g_test_add_func ("/scene/folded/leaves-out-of-labels-what-all-begin-with", test_labels_of_a_part);
  g_test_add_func ("/scene/folded/keeps-in-labels-what-frames-do-not-tell",
                   test_labels_of_other_scopes);
  g_test_add_func ("/scene/folded/closes-groups-within-open-ones", test_half_open);
  g_test_add_func ("/scene/folded/tells-the-ends-of-edges-in-one-frame", test_ends);
  g_test_add_func ("/scene/folded/counts-only-what-a-selection-has", test_selection);
  g_test_add_func ("/scene/folded/tells-the-calls-of-an-item", test_calls);
  return g_test_run ();
}
