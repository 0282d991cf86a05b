/* SPDX-License-Identifier: MIT */
#include "layout-checks.h"

#include "../scene/folded-graphs.h"

/* Two equal blocks with shortcuts within, then a small one. */
static const char *const blocks[] = {
  "in/1 x",      "in/2 in/1",     "a/p/1 in/2",   "a/p/2 a/p/1", "a/q a/p/2 in/2", "b/p/1 a/q",
  "b/p/2 b/p/1", "b/q b/p/2 a/q", "c/1 b/q in/1", "c/2 c/1",     "end c/2",        NULL,
};

static SymLayout *
lay_out (SymModel *model, const char *open, SymDirection direction, const SymLayout *previous)
{
  SymSceneOptions scene_options = { .sideways = direction == SYM_DIRECTION_RIGHT };
  SymLayoutOptions options = { .direction = direction, .previous = previous };
  g_autoptr (SymScene) scene = graph_folded_scene (model, &scene_options, open);
  g_autoptr (GError) error = NULL;
  SymLayout *layout = sym_layout_new (scene, &options, NULL, &error);

  g_assert_no_error (error);
  return layout;
}

static guint
find_item (const SymLayout *layout, const char *name)
{
  const SymScene *scene = sym_layout_get_scene (layout);

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    if (g_str_equal (sym_scene_get_item (scene, i)->name, name))
      return i;
  g_error ("no item is called %s", name);
}

static SymRect
find_frame_rect (const SymLayout *layout, const char *path)
{
  const SymScene *scene = sym_layout_get_scene (layout);
  SymGroups *groups = sym_folding_get_groups (sym_scene_get_folding (scene));
  guint frame = sym_scene_find_frame (scene, graph_find_group (groups, path));

  g_assert_cmpuint (frame, !=, SYM_NO_FRAME);
  return sym_layout_get_frame_rect (layout, frame);
}

static double
get_middle (const SymLayout *layout, const char *name)
{
  SymRect rect = layout_rect (layout, find_item (layout, name));

  return rect.x + rect.width / 2;
}

/* However it is folded, either way it flows. */
static void
test_foldings (void)
{
  static const char *const foldings[] = { "", "*", "a", "a/p", "b/p,c", "in,a,b,c" };
  g_autoptr (SymModel) model = graph_read (blocks);

  for (guint i = 0; i < G_N_ELEMENTS (foldings); i++)
    for (guint d = 0; d < 2; d++)
      {
        g_autoptr (SymLayout) layout = lay_out (model, foldings[i], (SymDirection) d, NULL);
        g_autoptr (SymLayout) again = lay_out (model, foldings[i], (SymDirection) d, NULL);

        layout_check (layout);
        layout_check_smooth (layout);
        layout_check_equal (layout, again);
      }
}

static void
test_trunk (void)
{
  g_autoptr (SymModel) model = graph_read (blocks);
  g_autoptr (SymLayout) layout = lay_out (model, "*", SYM_DIRECTION_DOWN, NULL);
  static const char *const trunk[] = { "in/1",  "in/2", "a/p/1", "a/p/2", "a/q", "b/p/1",
                                       "b/p/2", "b/q",  "c/1",   "c/2",   "end" };

  for (guint i = 0; i < G_N_ELEMENTS (trunk); i++)
    g_assert_cmpfloat (ABS (get_middle (layout, trunk[i]) - get_middle (layout, "in/1")), <, 0.01);
}

static void
test_equal_frames (void)
{
  g_autoptr (SymModel) model = graph_read (blocks);
  g_autoptr (SymLayout) layout = lay_out (model, "*", SYM_DIRECTION_DOWN, NULL);
  SymRect a = find_frame_rect (layout, "a/p");
  SymRect b = find_frame_rect (layout, "b/p");

  g_assert_cmpfloat (a.width, ==, b.width);
  g_assert_cmpfloat (a.height, ==, b.height);
  for (guint i = 1; i <= 2; i++)
    {
      g_autofree char *first = g_strdup_printf ("a/p/%u", i);
      g_autofree char *second = g_strdup_printf ("b/p/%u", i);
      SymRect x = layout_rect (layout, find_item (layout, first));
      SymRect y = layout_rect (layout, find_item (layout, second));

      g_assert_cmpfloat (ABS ((x.x - a.x) - (y.x - b.x)), <, 0.01);
      g_assert_cmpfloat (ABS ((x.y - a.y) - (y.y - b.y)), <, 0.01);
    }
}

/* What is known from before changes nothing but the time it takes. */
static void
test_previous (void)
{
  g_autoptr (SymModel) model = graph_read (blocks);
  g_autoptr (SymLayout) open = lay_out (model, "*", SYM_DIRECTION_DOWN, NULL);
  g_autoptr (SymLayout) closed = lay_out (model, "", SYM_DIRECTION_DOWN, open);
  g_autoptr (SymLayout) reopened = lay_out (model, "*", SYM_DIRECTION_DOWN, closed);
  g_autoptr (SymLayout) turned = lay_out (model, "*", SYM_DIRECTION_RIGHT, reopened);

  layout_check_equal (open, reopened);
  layout_check (turned);
}

static void
test_pick (void)
{
  g_autoptr (SymModel) model = graph_read (blocks);
  g_autoptr (SymLayout) layout = lay_out (model, "*", SYM_DIRECTION_DOWN, NULL);
  const SymScene *scene = sym_layout_get_scene (layout);

  for (guint i = 0; i < sym_scene_get_n_frames (scene); i++)
    {
      SymRect title = sym_layout_get_frame_title_rect (layout, i);
      SymRect rect = sym_layout_get_frame_rect (layout, i);
      gboolean on_title;

      g_assert_cmpuint (sym_layout_pick_frame (layout, title.x + title.width / 2,
                                               title.y + title.height / 2, &on_title),
                        ==, i);
      g_assert_true (on_title);
      g_assert_cmpuint (
          sym_layout_pick_frame (layout, rect.x + 2, rect.y + rect.height - 2, &on_title), ==, i);
      g_assert_false (on_title);
    }
  g_assert_cmpuint (sym_layout_pick_frame (layout, -5, -5, NULL), ==, SYM_NO_FRAME);
}

/* Names that group what does not hang together, with cycles among the groups. */
static SymModel *
make_random (guint n, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (names, g_strdup ("x"));
  for (guint i = 1; i <= n; i++)
    {
      GString *line = g_string_new (NULL);
      guint window = MIN (i, 8);

      for (guint depth = g_rand_int (rand) % 4; depth > 0; depth--)
        g_string_append_printf (line, "g%u/", g_rand_int (rand) % 3);
      g_string_append_printf (line, "n%u", i);
      g_ptr_array_add (names, g_strdup (line->str));
      for (guint k = g_rand_int (rand) % 3 + 1; k > 0; k--)
        g_string_append_printf (line, " %s",
                                (char *) names->pdata[i - 1 - g_rand_int (rand) % window]);
      g_ptr_array_add (lines, g_string_free (line, FALSE));
    }
  g_ptr_array_add (lines, NULL);
  return graph_read ((const char *const *) lines->pdata);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= 30; seed++)
    {
      g_autoptr (SymModel) model = make_random (10 + 4 * seed, seed);
      g_autoptr (SymLayout) open = lay_out (model, "*", (SymDirection) (seed % 2), NULL);
      g_autoptr (SymLayout) closed = lay_out (model, "", (SymDirection) (seed % 2), NULL);

      layout_check (open);
      layout_check (closed);
    }
}

/* Each of 64 frames in the next. */
static void
test_deep (void)
{
  GString *path = g_string_new (NULL);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (SymModel) model = NULL;
  g_autoptr (SymLayout) layout = NULL;

  g_ptr_array_add (lines, g_strdup ("top x"));
  for (guint i = 0; i < 60; i++)
    {
      g_autofree char *last = g_strdup (i ? lines->pdata[i] : "top");
      g_auto (GStrv) words = g_strsplit (last, " ", 2);

      g_string_append_printf (path, "d%u/", i);
      g_ptr_array_add (lines, g_strdup_printf ("%sn %s", path->str, words[0]));
    }
  g_ptr_array_add (lines, g_strdup_printf ("%sm %sn top", path->str, path->str));
  g_ptr_array_add (lines, NULL);
  g_string_free (path, TRUE);
  model = graph_read ((const char *const *) lines->pdata);
  layout = lay_out (model, "*", SYM_DIRECTION_DOWN, NULL);
  g_assert_cmpuint (sym_scene_get_n_frames (sym_layout_get_scene (layout)), ==, 60);
  layout_check (layout);
}

/* Seven results of one group, used beside and far below it, with and without a frame around their
 * use. */
static SymModel *
make_fan (void)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GString *end = g_string_new ("end/sum way/6");

  for (guint i = 0; i < 7; i++)
    {
      g_ptr_array_add (lines, g_strdup_printf ("many/%u x", i));
      g_string_append_printf (end, " many/%u", i);
    }
  g_ptr_array_add (lines, g_strdup ("way/0 many/0"));
  for (guint i = 1; i < 7; i++)
    g_ptr_array_add (lines, g_strdup_printf ("way/%u way/%u many/%u", i, i - 1, i));
  g_ptr_array_add (lines, g_string_free (end, FALSE));
  g_ptr_array_add (lines, g_strdup ("end/out end/sum"));
  g_ptr_array_add (lines, NULL);
  return graph_read ((const char *const *) lines->pdata);
}

static void
test_results_of_groups (void)
{
  static const char *const foldings[] = { "way", "way,end" };
  g_autoptr (SymModel) model = make_fan ();

  for (guint i = 0; i < G_N_ELEMENTS (foldings); i++)
    {
      g_autoptr (SymLayout) layout = lay_out (model, foldings[i], SYM_DIRECTION_DOWN, NULL);
      const SymScene *scene = sym_layout_get_scene (layout);
      guint many = find_item (layout, "many");
      guint end = find_item (layout, i ? "end/sum" : "end");
      const SymPoint *first = NULL;
      guint n_first = 0;
      guint n_edges = 0;

      layout_check (layout);
      for (guint k = 0; k < sym_scene_get_n_edges (scene); k++)
        {
          const SymSceneEdge *edge = sym_scene_get_edge (scene, k);
          guint n;
          const SymPoint *points = sym_layout_get_course (layout, k, &n);

          if (edge->from != many || edge->to != end)
            continue;
          if (n_edges++ == 0)
            {
              first = points;
              n_first = n;
            }
          g_assert_cmpmem (points, n * sizeof (SymPoint), first, n_first * sizeof (SymPoint));
        }
      g_assert_cmpuint (n_edges, ==, 7);
    }
}

static void
test_cancel (void)
{
  g_autoptr (SymModel) model = graph_read (blocks);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "*");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (sym_layout_new (scene, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/frames/have-what-is-theirs-within", test_foldings);
  g_test_add_func ("/layout/frames/leave-the-trunk-straight", test_trunk);
  g_test_add_func ("/layout/frames/look-alike-when-equal", test_equal_frames);
  g_test_add_func ("/layout/frames/are-the-same-when-known-from-before", test_previous);
  g_test_add_func ("/layout/frames/are-found-by-place-and-title", test_pick);
  g_test_add_func ("/layout/frames/stand-groups-that-do-not-hang-together", test_random);
  g_test_add_func ("/layout/frames/nest-deeply", test_deep);
  g_test_add_func ("/layout/frames/let-a-closed-group-have-one-line", test_results_of_groups);
  g_test_add_func ("/layout/frames/stop-when-cancelled", test_cancel);
  return g_test_run ();
}
