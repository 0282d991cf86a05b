/* SPDX-License-Identifier: MIT */
#include "layout-checks.h"

#include "../scene/scene-graphs.h"

#include <math.h>

typedef struct {
  guint n_items;
  GArray *lines;
} Graph;

static Graph
graph_new (guint n_items)
{
  return (Graph){ n_items, g_array_new (FALSE, FALSE, 2 * sizeof (guint)) };
}

static void
graph_connect (Graph *self, guint from, guint to)
{
  guint line[2] = { from, to };

  g_array_append_val (self->lines, line);
}

/* Frees the graph. */
static SymLayout *
lay_out (Graph *self, SymDrawing drawing, SymDirection direction)
{
  SymSceneOptions scene_options = { .drawing = drawing,
                                    .sideways = direction == SYM_DIRECTION_RIGHT };
  SymLayoutOptions options = { direction };
  g_autoptr (SymScene) scene =
      graph_lines (self->n_items, (gpointer) self->lines->data, self->lines->len, &scene_options);
  g_autoptr (GError) error = NULL;
  SymLayout *layout = sym_layout_new (scene, &options, NULL, &error);

  g_assert_no_error (error);
  g_array_free (self->lines, TRUE);
  return layout;
}

static SymLayout *
lay_out_down (Graph *self)
{
  return lay_out (self, SYM_DRAWING_DATA, SYM_DIRECTION_DOWN);
}

/* A graph in which each item uses up to three of the @window before it; the same for the same seed.
 */
static Graph
make_random (guint n, guint window, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Graph graph = graph_new (n);

  for (guint i = 1; i < n; i++)
    for (guint k = g_rand_int (rand) % 3 + 1; k > 0; k--)
      graph_connect (&graph, i - 1 - g_rand_int (rand) % MIN (i, window), i);
  return graph;
}

static void
test_empty (void)
{
  Graph graph = graph_new (0);
  g_autoptr (SymLayout) layout = lay_out_down (&graph);

  g_assert_cmpfloat (sym_layout_get_width (layout), ==, 0);
  g_assert_cmpfloat (sym_layout_get_height (layout), ==, 0);
  g_assert_cmpuint (sym_layout_pick (layout, 0, 0, NULL), ==, G_MAXUINT);
}

static void
test_single (void)
{
  Graph graph = graph_new (1);
  g_autoptr (SymLayout) layout = lay_out_down (&graph);
  guint box;

  layout_check (layout);
  g_assert_cmpfloat (sym_layout_get_position (layout, 0).x, ==, 0);
  g_assert_cmpuint (sym_layout_pick (layout, 10, 10, &box), ==, 0);
  g_assert_cmpuint (box, ==, 0);
  g_assert_cmpuint (sym_layout_pick (layout, -1, 10, &box), ==, G_MAXUINT);
  g_assert_cmpuint (box, ==, G_MAXUINT);
  g_assert_cmpuint (sym_layout_pick_near (layout, -3, 10, 2.9, &box), ==, G_MAXUINT);
  g_assert_cmpuint (box, ==, G_MAXUINT);
  g_assert_cmpuint (sym_layout_pick_near (layout, -3, 10, 3, &box), ==, 0);
  g_assert_cmpuint (box, ==, 0);
}

static double
get_middle (const SymLayout *layout, guint item)
{
  SymRect rect = layout_rect (layout, item);

  return rect.x + rect.width / 2;
}

static void
test_chain (void)
{
  Graph graph = graph_new (10);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 0; i + 1 < 10; i++)
    graph_connect (&graph, i, i + 1);
  layout = lay_out_down (&graph);
  layout_check (layout);
  for (guint i = 1; i < 10; i++)
    g_assert_cmpfloat (get_middle (layout, i), ==, get_middle (layout, 0));
}

static void
test_diamond (void)
{
  Graph graph = graph_new (4);
  g_autoptr (SymLayout) layout = NULL;

  graph_connect (&graph, 0, 1);
  graph_connect (&graph, 0, 2);
  graph_connect (&graph, 1, 3);
  graph_connect (&graph, 2, 3);
  layout = lay_out_down (&graph);
  layout_check (layout);
  g_assert_cmpfloat (layout_rect (layout, 1).y, ==, layout_rect (layout, 2).y);
}

/* 0 → 1 → 2 → 3 with a shortcut 0 → 3, many times. */
static void
test_residual_trunk (void)
{
  const guint n_blocks = 40;
  Graph graph = graph_new (3 * n_blocks + 1);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 0; i < n_blocks; i++)
    {
      for (guint k = 0; k < 3; k++)
        graph_connect (&graph, 3 * i + k, 3 * i + k + 1);
      graph_connect (&graph, 3 * i, 3 * i + 3);
    }
  layout = lay_out_down (&graph);
  layout_check (layout);
  for (guint i = 0; i < graph.n_items; i++)
    g_assert_cmpfloat (fabs (get_middle (layout, i) - get_middle (layout, 0)), <, 0.01);
}

static void
test_input_near_use (void)
{
  Graph graph = graph_new (11);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 0; i < 9; i++)
    graph_connect (&graph, i, i + 1);
  graph_connect (&graph, 10, 9);
  layout = lay_out_down (&graph);
  layout_check (layout);
  g_assert_cmpfloat (layout_rect (layout, 10).y, >, layout_rect (layout, 7).y);
}

static void
test_cycle (void)
{
  Graph graph = graph_new (5);
  g_autoptr (SymLayout) layout = NULL;

  graph_connect (&graph, 0, 1);
  graph_connect (&graph, 1, 2);
  graph_connect (&graph, 2, 3);
  graph_connect (&graph, 3, 1);
  graph_connect (&graph, 3, 4);
  layout = lay_out_down (&graph);
  layout_check (layout);
}

static void
test_all_on_cycle (void)
{
  Graph graph = graph_new (3);
  g_autoptr (SymLayout) layout = NULL;

  graph_connect (&graph, 0, 1);
  graph_connect (&graph, 1, 2);
  graph_connect (&graph, 2, 0);
  layout = lay_out_down (&graph);
  layout_check (layout);
}

static void
test_self_loop (void)
{
  Graph graph = graph_new (3);
  g_autoptr (SymLayout) layout = NULL;

  graph_connect (&graph, 0, 1);
  graph_connect (&graph, 0, 2);
  graph_connect (&graph, 1, 1);
  layout = lay_out_down (&graph);
  layout_check (layout);
  for (guint i = 0; i < 3; i++)
    {
      guint n;
      const SymPoint *points = sym_layout_get_course (layout, i, &n);
      SymRect rect = layout_rect (layout, 1);

      if (sym_scene_get_edge (sym_layout_get_scene (layout), i)->from == 1)
        g_assert_cmpfloat (points[n / 2].x, >, rect.x + rect.width);
    }
}

static void
test_control_cycle (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  SymId first = sym_model_builder_add_call (builder, "first", layer, NULL, 0, 1);
  SymId second = sym_model_builder_add_call (builder, "second", layer, NULL, 0, 1);
  g_autoptr (SymScene) scene = NULL;
  g_autoptr (SymLayout) layout = NULL;

  sym_model_builder_add_control (builder, first, second);
  sym_model_builder_add_control (builder, second, first);
  scene = graph_scene (builder, NULL);
  layout = sym_layout_new (scene, NULL, NULL, NULL);
  layout_check (layout);
}

static void
test_parts (void)
{
  Graph graph = graph_new (40);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 0; i < 9; i++)
    graph_connect (&graph, i, i + 1);
  for (guint i = 10; i < 14; i++)
    graph_connect (&graph, i, i + 1);
  layout = lay_out_down (&graph);
  layout_check (layout);
  g_assert_cmpfloat (sym_layout_get_height (layout), <, 10 * 2 * 120);
}

static void
test_random (gconstpointer data)
{
  SymDirection direction = (SymDirection) GPOINTER_TO_INT (data);
  const struct {
    guint n;
    guint window;
  } cases[] = { { 12, 3 }, { 60, 10 }, { 60, 60 }, { 400, 30 }, { 400, 400 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint32 seed = 0; seed < 3; seed++)
      {
        Graph graph = make_random (cases[i].n, cases[i].window, seed);
        g_autoptr (SymLayout) layout =
            lay_out (&graph, seed % 2 ? SYM_DRAWING_LAYERS : SYM_DRAWING_DATA, direction);

        layout_check (layout);
      }
}

/* Lines from anywhere to anywhere: cycles, loops, several parts, the same line twice. */
static void
test_anything (void)
{
  for (guint32 seed = 0; seed < 40; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      guint n = 2 + g_rand_int (rand) % 80;
      Graph graph = graph_new (n);
      g_autoptr (SymLayout) layout = NULL;

      for (guint i = g_rand_int (rand) % (2 * n); i > 0; i--)
        graph_connect (&graph, g_rand_int (rand) % n, g_rand_int (rand) % n);
      layout = lay_out (&graph, seed % 4 < 2 ? SYM_DRAWING_DATA : SYM_DRAWING_LAYERS,
                        seed % 2 ? SYM_DIRECTION_DOWN : SYM_DIRECTION_RIGHT);
      layout_check (layout);
    }
}

static void
test_repeatable (void)
{
  Graph graph = make_random (200, 30, 7);
  g_autoptr (SymLayout) layout = lay_out_down (&graph);
  Graph again = make_random (200, 30, 7);
  g_autoptr (SymLayout) other = lay_out_down (&again);

  layout_check_equal (layout, other);
  g_assert_null (sym_layout_get_message (layout));
}

static void
test_lost_worker (void)
{
  Graph graph = make_random (60, 20, 3);
  g_autofree char *before = g_strdup (g_getenv ("SYMSCOPE_WORKER"));
  g_autoptr (SymLayout) layout = NULL;

  g_setenv ("SYMSCOPE_WORKER", "/nowhere/at-all", TRUE);
  layout = lay_out_down (&graph);
  g_setenv ("SYMSCOPE_WORKER", before ? before : "", TRUE);
  layout_check (layout);
  g_assert_nonnull (sym_layout_get_message (layout));
}

static void
test_cancelled (void)
{
  Graph graph = make_random (60, 20, 3);
  g_autoptr (SymScene) scene =
      graph_lines (graph.n_items, (gpointer) graph.lines->data, graph.lines->len, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_array_free (graph.lines, TRUE);
  g_cancellable_cancel (cancellable);
  g_assert_null (sym_layout_new (scene, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_pick (void)
{
  Graph graph = make_random (300, 20, 5);
  g_autoptr (SymLayout) layout = lay_out_down (&graph);
  const SymScene *scene = sym_layout_get_scene (layout);

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);
      SymPoint p = sym_layout_get_position (layout, i);

      for (guint k = 0; k < item->n_boxes; k++)
        {
          const SymRect *rect = &item->boxes[k].rect;
          guint box;

          g_assert_cmpuint (sym_layout_pick (layout, p.x + rect->x + rect->width / 2,
                                             p.y + rect->y + rect->height / 2, &box),
                            ==, i);
          g_assert_cmpuint (box, ==, k);
        }
    }
}

/* From a point to a rectangle; 0 within. */
static double
measure_to (SymRect rect, double x, double y)
{
  return hypot (x - CLAMP (x, rect.x, rect.x + rect.width),
                y - CLAMP (y, rect.y, rect.y + rect.height));
}

static void
test_pick_near (void)
{
  const double reach = 150;
  Graph graph = make_random (300, 20, 5);
  g_autoptr (SymLayout) layout = lay_out_down (&graph);
  guint n = sym_scene_get_n_items (sym_layout_get_scene (layout)), n_found = 0;

  for (guint k = 0; k < 500; k++)
    {
      double x = g_test_rand_double_range (-400, sym_layout_get_width (layout) + 400);
      double y = g_test_rand_double_range (-400, sym_layout_get_height (layout) + 400);
      double least = G_MAXDOUBLE;
      guint box, found = sym_layout_pick_near (layout, x, y, reach, &box);

      for (guint i = 0; i < n; i++)
        least = MIN (least, measure_to (layout_rect (layout, i), x, y));
      g_assert_cmpint (found != G_MAXUINT, ==, least <= reach);
      if (found != G_MAXUINT)
        g_assert_cmpfloat (measure_to (layout_rect (layout, found), x, y), ==, least);
      n_found += found != G_MAXUINT;
    }
  g_assert_cmpuint (n_found, >, 20);
  g_assert_cmpuint (n_found, <, 480);
}

static void
test_long_chain (void)
{
  const guint n = 100000;
  Graph graph = graph_new (n);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 0; i + 1 < n; i++)
    graph_connect (&graph, i, i + 1);
  layout = lay_out_down (&graph);
  layout_check_items (layout);
  layout_check_edges (layout);
}

/* Sources that one item uses stand in a block beside the trunk above it, even when there is little
 * trunk. */
static void
test_sources (void)
{
  const guint n_sources[] = { 8, 60, 300 };

  for (guint i = 0; i < G_N_ELEMENTS (n_sources); i++)
    {
      const guint n = n_sources[i];
      Graph graph = graph_new (n + 6);
      g_autoptr (SymLayout) layout = NULL;

      for (guint k = 0; k < 5; k++)
        graph_connect (&graph, k, k + 1);
      for (guint k = 0; k < n; k++)
        graph_connect (&graph, 6 + k, 3);
      layout = lay_out_down (&graph);
      layout_check (layout);
      g_assert_cmpfloat (sym_layout_get_width (layout), <, 400 + 250 * sqrt (n));
      for (guint k = 0; k < n; k++)
        g_assert_cmpfloat (layout_rect (layout, 6 + k).y, <, layout_rect (layout, 3).y);
      for (guint k = 1; k < 6; k++)
        g_assert_cmpfloat (fabs (get_middle (layout, k) - get_middle (layout, 0)), <, 0.01);
    }
}

/* Branches of two nodes go below each other, so that the whole is not as broad as all of them. */
static void
test_rows (void)
{
  const guint n = 200;
  Graph graph = graph_new (2 * n + 2);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 1; i <= n; i++)
    {
      graph_connect (&graph, 0, i);
      graph_connect (&graph, i, n + i);
      graph_connect (&graph, n + i, 2 * n + 1);
    }
  layout = lay_out_down (&graph);
  layout_check (layout);
  g_assert_cmpfloat (sym_layout_get_width (layout), <, 6000);
}

/* Two chains that hang together at every step, as the layers of a recurrent net do, do not drift.
 */
static void
test_ladder (void)
{
  const guint n = 300;
  Graph graph = graph_new (2 * n);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 0; i < n; i++)
    {
      graph_connect (&graph, i, n + i);
      if (i + 1 < n)
        {
          graph_connect (&graph, i, i + 1);
          graph_connect (&graph, n + i, n + i + 1);
        }
    }
  layout = lay_out_down (&graph);
  layout_check (layout);
  g_assert_cmpfloat (sym_layout_get_width (layout), <, 1000);
}

static void
test_wide (void)
{
  const guint n = 3000;
  Graph graph = graph_new (n + 2);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 1; i <= n; i++)
    {
      graph_connect (&graph, 0, i);
      graph_connect (&graph, i, n + 1);
    }
  layout = lay_out_down (&graph);
  layout_check (layout);
}

/* Everybody uses everything before: the lines between ranks are far more than can be drawn. */
static void
test_dense (void)
{
  const guint n = 600;
  Graph graph = graph_new (n);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 1; i < n; i++)
    for (guint k = 0; k < i; k++)
      graph_connect (&graph, k, i);
  layout = lay_out_down (&graph);
  layout_check_items (layout);
  layout_check_edges (layout);
  /* Lines that run beside everything share one lane for each value. */
  g_assert_cmpfloat (sym_layout_get_width (layout), <, 20 * n);
}

/* Each of many values is used next and by the one at the mirrored place at the far end. */
static void
test_long_skips (void)
{
  const guint n = 4000;
  Graph graph = graph_new (n);
  g_autoptr (SymLayout) layout = NULL;

  for (guint i = 0; i + 1 < n; i++)
    {
      graph_connect (&graph, i, i + 1);
      if (i + 1 < n / 2)
        graph_connect (&graph, i, n - 1 - i);
    }
  layout = lay_out_down (&graph);
  layout_check_items (layout);
  layout_check_edges (layout);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/an-empty-graph-has-no-size", test_empty);
  g_test_add_func ("/layout/one-node-stands-at-the-origin", test_single);
  g_test_add_func ("/layout/a-chain-is-straight", test_chain);
  g_test_add_func ("/layout/a-diamond-has-its-middle-side-by-side", test_diamond);
  g_test_add_func ("/layout/a-trunk-with-shortcuts-is-straight", test_residual_trunk);
  g_test_add_func ("/layout/an-input-stands-near-its-use", test_input_near_use);
  g_test_add_func ("/layout/a-cycle-has-one-line-back", test_cycle);
  g_test_add_func ("/layout/a-graph-may-be-nothing-but-a-cycle", test_all_on_cycle);
  g_test_add_func ("/layout/a-node-may-use-itself", test_self_loop);
  g_test_add_func ("/layout/control-may-run-in-circles", test_control_cycle);
  g_test_add_func ("/layout/parts-stand-side-by-side", test_parts);
  g_test_add_data_func ("/layout/nothing-overlaps-flowing-down",
                        GINT_TO_POINTER (SYM_DIRECTION_DOWN), test_random);
  g_test_add_data_func ("/layout/nothing-overlaps-flowing-right",
                        GINT_TO_POINTER (SYM_DIRECTION_RIGHT), test_random);
  g_test_add_func ("/layout/nothing-overlaps-whatever-leads-where", test_anything);
  g_test_add_func ("/layout/the-same-scene-is-laid-out-the-same", test_repeatable);
  g_test_add_func ("/layout/goes-on-without-its-worker-and-says-so", test_lost_worker);
  g_test_add_func ("/layout/stops-when-cancelled", test_cancelled);
  g_test_add_func ("/layout/finds-what-lies-at-a-point", test_pick);
  g_test_add_func ("/layout/finds-what-is-next-to-a-point", test_pick_near);
  g_test_add_func ("/layout/takes-a-chain-of-100000", test_long_chain);
  g_test_add_func ("/layout/puts-many-sources-in-a-block", test_sources);
  g_test_add_func ("/layout/puts-equal-branches-in-rows", test_rows);
  g_test_add_func ("/layout/two-chains-tied-together-do-not-drift", test_ladder);
  g_test_add_func ("/layout/takes-3000-branches", test_wide);
  g_test_add_func ("/layout/takes-every-node-using-all-before", test_dense);
  g_test_add_func ("/layout/takes-thousands-of-long-skips", test_long_skips);
  return g_test_run ();
}
