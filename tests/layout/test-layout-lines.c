/* SPDX-License-Identifier: MIT */
#include "layout-checks.h"
#include "layout-families.h"

#include "../scene/scene-graphs.h"
#include "layout/sym-layout-private.h"

#include <math.h>

#define NEAR 0.02
#define RADIUS 12.0 /* of turns, at most */

/* How lines run. */

static SymLayout *
lay_out_family (const char *name, guint n, SymDrawing drawing, SymDirection direction)
{
  SymSceneOptions options = { .drawing = drawing, .sideways = direction == SYM_DIRECTION_RIGHT };
  SymLayoutOptions layout_options = { direction };
  g_autoptr (SymModel) model = layout_family_make (layout_family_find (name), n);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymScene) scene = sym_scene_new (inference, &options);

  return sym_layout_new (scene, &layout_options, NULL, NULL);
}

static SymLayout *
lay_out_lines (guint n_items, guint lines[][2], guint n_lines)
{
  g_autoptr (SymScene) scene = graph_lines (n_items, lines, n_lines, NULL);

  return sym_layout_new (scene, NULL, NULL, NULL);
}

/* A piece of a line that runs across the flow. */
typedef struct {
  double height, left, right;
  guint from, to; /* items */
} Level;

static SymPoint
turn (SymPoint point, SymDirection direction)
{
  return direction == SYM_DIRECTION_DOWN ? point : (SymPoint){ point.y, point.x };
}

static gboolean
is_level (const SymPoint p[4])
{
  return fabs (p[1].y - p[0].y) < NEAR && fabs (p[2].y - p[0].y) < NEAR &&
         fabs (p[3].y - p[0].y) < NEAR;
}

/* Curves are small; what goes farther sideways is level. */
static void
check_piece (const SymPoint p[4])
{
  double across = fabs (p[3].x - p[0].x);
  double along = fabs (p[3].y - p[0].y);

  g_assert_true (across < NEAR || is_level (p) ||
                 (across <= RADIUS + NEAR && along <= RADIUS + NEAR));
}

/* The level pieces of all lines. */
static GArray *
collect_levels (const SymLayout *layout)
{
  const SymScene *scene = sym_layout_get_scene (layout);
  SymDirection direction = sym_layout_get_direction (layout);
  GArray *levels = g_array_new (FALSE, FALSE, sizeof (Level));

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      guint n;
      const SymPoint *points = sym_layout_get_course (layout, i, &n);

      for (guint k = 0; k + 3 < n; k += 3)
        {
          SymPoint p[4];
          Level level;

          for (guint j = 0; j < 4; j++)
            p[j] = turn (points[k + j], direction);
          check_piece (p);
          if (!is_level (p))
            continue;
          level =
              (Level){ p[0].y, MIN (p[0].x, p[3].x), MAX (p[0].x, p[3].x), edge->from, edge->to };
          g_array_append_val (levels, level);
        }
    }
  return levels;
}

static int
compare_levels (const void *a, const void *b)
{
  const Level *x = a;
  const Level *y = b;

  return x->height < y->height ? -1 : x->height > y->height;
}

/* Lines may run on each other that come from one item, lead to one, or share a bus; other lines
 * that do would look as if they did. */
static void
check_levels (const SymLayout *layout)
{
  g_autoptr (GArray) levels = collect_levels (layout);

  qsort (levels->data, levels->len, sizeof (Level), compare_levels);
  for (guint i = 0; i < levels->len; i++)
    {
      const Level *a = &g_array_index (levels, Level, i);

      for (guint k = i + 1; k < levels->len; k++)
        {
          const Level *b = &g_array_index (levels, Level, k);

          if (b->height > a->height + NEAR)
            break;
          if (a->from != b->from && a->to != b->to)
            g_assert_true (a->right <= b->left + NEAR || b->right <= a->left + NEAR);
        }
    }
}

/* Of nets whose buses carry one value each. */
static void
test_levels (void)
{
  static const char *const families[] = { "inception", "transformer", "bertmask", "unet", "rnn" };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    for (SymDirection direction = SYM_DIRECTION_DOWN; direction <= SYM_DIRECTION_RIGHT; direction++)
      {
        g_autoptr (SymLayout) layout =
            lay_out_family (families[i], 300, SYM_DRAWING_LAYERS, direction);

        check_levels (layout);
        layout_check_smooth (layout);
      }
}

static void
test_curves (void)
{
  static const char *const families[] = { "densenet", "sdunet", "nas" };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autoptr (SymLayout) layout =
          lay_out_family (families[i], 300, SYM_DRAWING_LAYERS, SYM_DIRECTION_DOWN);
      g_autoptr (GArray) levels = collect_levels (layout);

      g_assert_cmpuint (levels->len, >, 0);
      layout_check_smooth (layout);
    }
}

static SymPart *
make_part (guint n_items, const guint (*lines)[2], guint n_lines)
{
  SymPart *part = sym_part_new (n_items, n_lines);

  part->n_items = n_items;
  part->n_links = n_lines;
  for (guint i = 0; i < n_items; i++)
    {
      part->items[i] = i;
      part->breadths[i] = part->lengths[i] = 40;
    }
  for (guint i = 0; i < n_lines; i++)
    {
      part->links[i].from = part->links[i].tail = lines[i][0];
      part->links[i].to = lines[i][1];
    }
  return part;
}

/* Two lines side by side, each with a little step, of items that have to be 70 apart; and where
 * they are straight when this is seen to. */
static void
test_steps (void)
{
  const guint lines[][2] = { { 0, 1 }, { 2, 3 } };
  const struct {
    double before[4], after[4];
  } cases[] = {
    { { 0, 10, 100, 90 }, { 0, 0, 100, 100 } },
    { { 0, 10, 70, 100 }, { 0, 0, 70, 70 } },
    { { 10, 0, 80, 70 }, { 0, 0, 80, 80 } },
    /* Too far to be meant; and nearer to the other than there is room. */
    { { 0, 700, 100, 800 }, { 0, 700, 100, 800 } },
    { { 0, 0, 70, 75 }, { 0, 0, 70, 70 } },
  };
  SymPart *part = make_part (4, lines, G_N_ELEMENTS (lines));
  SymLayering *layers;

  sym_part_rank (part);
  layers = sym_layering_new (part);
  g_assert_true (sym_layering_sort (layers, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_kept = TRUE;

      for (guint k = 0; k < 4; k++)
        layers->x[k] = cases[i].before[k];
      sym_layering_straighten (layers);
      for (guint k = 0; k < 4; k++)
        is_kept = is_kept && fabs (layers->x[k] - cases[i].after[k]) < NEAR;
      g_test_message ("%u: %g %g, %g %g", i, layers->x[0], layers->x[1], layers->x[2],
                      layers->x[3]);
      g_assert_true (is_kept);
    }
  sym_layering_free (layers);
  sym_part_free (part);
}

static double
get_middle (const SymLayout *layout, guint item)
{
  SymRect rect = layout_rect (layout, item);

  return rect.x + rect.width / 2;
}

/* Each uses all three results of the one before: their lines are bent, but all stand below each
 * other. */
static void
test_ports (void)
{
  enum { LENGTH = 12 };
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  g_autoptr (SymLayer) layer = sym_layer_new ("Thing", NULL, NULL);
  g_autoptr (SymScene) scene = NULL;
  g_autoptr (SymLayout) layout = NULL;
  SymId last = SYM_NO_ID;

  for (guint i = 0; i < LENGTH; i++)
    {
      g_autofree char *name = g_strdup_printf ("node%u", i);
      SymId call = sym_model_builder_add_call (builder, name, layer, NULL, 0, 3);

      for (guint k = 0; i > 0 && k < 3; k++)
        sym_model_builder_append_operand (builder, call,
                                          sym_model_builder_get_result (builder, last, k));
      last = call;
    }
  scene = graph_scene (builder, NULL);
  layout = sym_layout_new (scene, NULL, NULL, NULL);
  layout_check (layout);
  for (guint i = 1; i < LENGTH; i++)
    g_assert_cmpfloat (fabs (get_middle (layout, i) - get_middle (layout, 0)), <, NEAR);
}

static double
get_right (const SymLayout *layout, guint item)
{
  SymRect rect = layout_rect (layout, item);

  return rect.x + rect.width;
}

static const SymPoint *
find_course (const SymLayout *layout, guint from, guint to, guint *n)
{
  const SymScene *scene = sym_layout_get_scene (layout);

  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    if (sym_scene_get_edge (scene, i)->from == from && sym_scene_get_edge (scene, i)->to == to)
      return sym_layout_get_course (layout, i, n);
  g_assert_not_reached ();
}

/* A loop beside twenty branches: its line back stays with it. */
static void
test_line_back (void)
{
  enum { BRANCHES = 20 };
  guint lines[5 + 2 * BRANCHES][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 1 }, { 3, 4 } };
  g_autoptr (SymLayout) layout = NULL;
  guint n = 0;
  const SymPoint *points;

  for (guint i = 0; i < BRANCHES; i++)
    {
      lines[5 + 2 * i][0] = 0;
      lines[5 + 2 * i][1] = lines[6 + 2 * i][0] = 5 + i;
      lines[6 + 2 * i][1] = 4;
    }
  layout = lay_out_lines (5 + BRANCHES, lines, G_N_ELEMENTS (lines));
  layout_check (layout);
  layout_check_smooth (layout);
  points = find_course (layout, 3, 1, &n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpfloat (points[i].x, <, get_right (layout, 1) + 60);
      g_assert_cmpfloat (points[i].x, >, layout_rect (layout, 1).x - 60);
    }
}

/* A line from one node to another, in the first gap. */
static SymShift
shift (guint source, double from, guint target, double to)
{
  return (
      SymShift){ from, to, 0, source, target, from < to ? SYM_SHIFT_RIGHT : SYM_SHIFT_LEFT, 1, 0 };
}

/* In each row lines of one gap, and on which tracks they should be. */
static void
test_tracks (void)
{
  const struct {
    guint n;
    SymShift shifts[4];
    guint tracks[4];
  } cases[] = {
    /* None of those that go to one side crosses another. */
    { 3, { shift (0, 0, 4, 100), shift (1, 50, 5, 150), shift (2, 90, 6, 200) }, { 2, 1, 0 } },
    { 3, { shift (0, 100, 4, 0), shift (1, 150, 5, 50), shift (2, 200, 6, 90) }, { 0, 1, 2 } },
    /* Lines of one source, to all sides; lines to one target. */
    { 3, { shift (0, 50, 4, 0), shift (0, 50, 5, 100), shift (0, 50, 6, 200) }, { 0, 0, 0 } },
    { 3, { shift (0, 0, 4, 200), shift (1, 50, 4, 200), shift (2, 90, 4, 200) }, { 0, 0, 0 } },
    /* Lines that have no place in common, and such that nearly touch. */
    { 2, { shift (0, 0, 4, 50), shift (1, 100, 5, 200) }, { 0, 0 } },
    { 2, { shift (0, 0, 4, 97), shift (1, 100, 5, 200) }, { 1, 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree SymShift *shifts = g_memdup2 (cases[i].shifts, sizeof cases[i].shifts);
      g_autofree guint *n_tracks = sym_shifts_number (shifts, cases[i].n, 1, 8);
      guint last = 0;

      for (guint k = 0; k < cases[i].n; k++)
        {
          g_assert_cmpuint (shifts[k].track, ==, cases[i].tracks[k]);
          last = MAX (last, shifts[k].track);
        }
      g_assert_cmpuint (n_tracks[0], ==, last + 1);
    }
}

/* A line that joins a rail is back on course before another leaves it. */
static void
test_joining (void)
{
  SymShift shifts[] = { shift (0, 0, 4, 100), shift (4, 100, 5, 0) };
  g_autofree guint *n_tracks = NULL;

  shifts[0].n_taken = 4;
  n_tracks = sym_shifts_number (shifts, 2, 1, 8);
  g_assert_cmpuint (shifts[0].track, ==, 0);
  g_assert_cmpuint (shifts[1].track, ==, 4);
  g_assert_cmpuint (n_tracks[0], ==, 5);
}

/* Branches of unequal lengths from one value to one layer stand in rows, and what all of them share
 * would bend from row to row, which each of its lines repeats. */
static void
test_branches (void)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint[2]));
  guint end = 1, n_points = 0;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (SymLayout) layout = NULL;
  guint n_lines;

  for (guint i = 0; i < 600; i++)
    {
      guint last = 0;

      for (guint k = 0; k <= i * 7 % 12; k++, last = end++)
        g_array_append_vals (lines, (guint[2]){ last, end }, 1);
      g_array_append_val (ends, last);
    }
  for (guint i = 0; i < ends->len; i++)
    g_array_append_vals (lines, (guint[2]){ g_array_index (ends, guint, i), end }, 1);
  layout = lay_out_lines (end + 1, (gpointer) lines->data, lines->len);
  n_lines = sym_scene_get_n_edges (sym_layout_get_scene (layout));
  for (guint i = 0; i < n_lines; i++)
    {
      guint n;

      sym_layout_get_course (layout, i, &n);
      n_points += n;
    }
  g_assert_cmpuint (n_points, <, 24 * n_lines);
}

/* Many inputs, each prepared by itself before all are joined: rows of short straight branches,
 * whatever room is left in rows below. */
static void
test_prepared_inputs (void)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint[2]));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (SymLayout) layout = NULL;
  SymScene *scene;
  guint end = 0, n_joining = 0;

  for (guint i = 0; i < 200; i++)
    {
      guint last = end++;

      for (guint k = 0; k <= (i % 5 == 0); k++, last = end++)
        g_array_append_vals (lines, (guint[2]){ last, end }, 1);
      g_array_append_val (ends, last);
    }
  for (guint i = 0; i < ends->len; i++)
    g_array_append_vals (lines, (guint[2]){ g_array_index (ends, guint, i), end }, 1);
  layout = lay_out_lines (end + 1, (gpointer) lines->data, lines->len);
  scene = sym_layout_get_scene (layout);
  for (guint i = 0; i < sym_scene_get_n_edges (scene); i++)
    {
      const SymSceneEdge *edge = sym_scene_get_edge (scene, i);
      const SymPoint *points;
      guint n;

      if (edge->to == end)
        {
          n_joining++;
          continue;
        }
      points = sym_layout_get_course (layout, i, &n);
      g_assert_cmpfloat (fabs (points[n - 1].x - points[0].x), <, NEAR);
      g_assert_cmpfloat (points[n - 1].y - points[0].y, <, 60);
    }
  g_assert_cmpuint (n_joining, ==, 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/lines/only-lines-that-meet-share-a-track", test_levels);
  g_test_add_func ("/layout/lines/turn-in-small-curves", test_curves);
  g_test_add_func ("/layout/lines/take-no-small-steps-where-there-is-room", test_steps);
  g_test_add_func ("/layout/lines/leave-trunks-straight-by-any-port", test_ports);
  g_test_add_func ("/layout/lines/back-run-beside-their-loop", test_line_back);
  g_test_add_func ("/layout/lines/do-not-cross-on-the-way-to-one-side", test_tracks);
  g_test_add_func ("/layout/lines/join-before-others-leave", test_joining);
  g_test_add_func ("/layout/lines/of-many-branches-bend-seldom", test_branches);
  g_test_add_func ("/layout/lines/of-prepared-inputs-are-short-and-straight", test_prepared_inputs);
  return g_test_run ();
}
