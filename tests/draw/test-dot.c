/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "picture-fixture.h"

static GBytes *
write_dot (SymPicture *picture, const char *name)
{
  g_autofree char *path = fixture_path (name);
  g_autoptr (GError) error = NULL;

  g_assert_true (sym_picture_write_dot (picture, path, NULL, &error));
  g_assert_no_error (error);
  return fixture_read (path);
}

/* The SVG that Graphviz makes of it, or NULL where Graphviz is not installed. */
static char *
render (const char *name)
{
  g_autofree char *program = g_find_program_in_path ("dot");
  g_autofree char *path = fixture_path (name);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *svg = NULL;
  g_autofree char *errors = NULL;

  if (program == NULL)
    return NULL;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                              &error, program, "-Tsvg", path, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &svg, &errors, &error));
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  g_assert_cmpstr (errors, ==, "");
  return g_steal_pointer (&svg);
}

static guint
count (const char *text, const char *what)
{
  guint n = 0;

  for (const char *p = strstr (text, what); p != NULL; p = strstr (p + 1, what))
    n++;
  return n;
}

static void
test_residual (void)
{
  SymPictureOptions options = { .legend = TRUE };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_residual (), NULL, &options);
  g_autoptr (GBytes) dot = write_dot (picture, "residual.dot");
  g_autofree char *svg = render ("residual.dot");

  g_assert_nonnull (strstr (g_bytes_get_data (dot, NULL), "peripheries=2"));
  if (svg == NULL)
    {
      g_test_skip ("Graphviz is not installed");
      return;
    }
  g_assert_cmpuint (count (svg, "<g id=\"edge"), >=, 10);
  g_assert_cmpuint (count (svg, "<g id=\"item"), ==, 1 + 9 * 2);
  g_assert_cmpuint (count (svg, ">block_2_output</text>"), ==, 1);
  g_assert_cmpuint (count (svg, ">Output node</text>"), ==, 1);
}

static void
test_names (void)
{
  static const char *const names[] = {
    "a&b<c>\"d\"", "back\\slash\\", "\\N\\G\\n", "&lt;entity&gt;", "bad\xff",
    "brain 🧠",  "<b>x</b>",      "",          "bell\a",         NULL,
  };
  g_autoptr (SymPicture) picture = fixture_plain_picture (fixture_named (names));
  g_autoptr (GBytes) dot = write_dot (picture, "names.dot");
  g_autofree char *svg = render ("names.dot");

  g_assert_true (
      g_utf8_validate (g_bytes_get_data (dot, NULL), (gssize) g_bytes_get_size (dot), NULL));
  if (svg == NULL)
    {
      g_test_skip ("Graphviz is not installed");
      return;
    }
  g_assert_nonnull (strstr (svg, ">a&amp;b&lt;c&gt;&quot;d&quot;</text>"));
  g_assert_nonnull (strstr (svg, ">back\\slash\\</text>"));
  g_assert_nonnull (strstr (svg, ">\\N\\G\\n</text>"));
  g_assert_nonnull (strstr (svg, ">&amp;lt;entity&amp;gt;</text>"));
  g_assert_nonnull (strstr (svg, ">brain 🧠</text>"));
}

static void
test_odd (void)
{
  SymSceneOptions layers = { .drawing = SYM_DRAWING_LAYERS };
  SymPictureOptions options = { .legend = TRUE, .transparent = TRUE, .theme = SYM_THEME_DARK };
  g_autoptr (SymPicture) empty = fixture_plain_picture (fixture_empty ());
  g_autoptr (SymPicture) cycle = fixture_picture (fixture_cycle (), &layers, &options);
  g_autoptr (SymPicture) split = fixture_plain_picture (fixture_split ());
  g_autoptr (GBytes) empty_dot = write_dot (empty, "empty.dot");
  g_autoptr (GBytes) cycle_dot = write_dot (cycle, "cycle.dot");
  g_autoptr (GBytes) split_dot = write_dot (split, "split.dot");
  g_autofree char *empty_svg = render ("empty.dot");
  g_autofree char *cycle_svg = render ("cycle.dot");
  g_autofree char *split_svg = render ("split.dot");

  g_assert_nonnull (strstr (g_bytes_get_data (cycle_dot, NULL), "style=dashed"));
  g_assert_cmpuint (count (g_bytes_get_data (split_dot, NULL), "peripheries=2"), ==, 2);
  g_assert_cmpuint (g_bytes_get_size (empty_dot), >, 10);
  if (empty_svg == NULL)
    {
      g_test_skip ("Graphviz is not installed");
      return;
    }
  g_assert_nonnull (strstr (cycle_svg, ">Closes a cycle</text>"));
  g_assert_cmpuint (count (split_svg, "<g id=\"item"), ==, 1 + 4 + 2);
}

static void
test_frames (void)
{
  g_autoptr (SymPicture) open = fixture_folded_picture (TRUE);
  g_autoptr (SymPicture) closed = fixture_folded_picture (FALSE);
  g_autoptr (GBytes) dot = write_dot (open, "open.dot");
  g_autoptr (GBytes) folded = write_dot (closed, "closed.dot");
  const char *text = g_bytes_get_data (dot, NULL);
  g_autofree char *svg = render ("open.dot");

  g_assert_cmpuint (count (text, "subgraph cluster_frame"), ==, 3);
  g_assert_nonnull (strstr (text, "label=\"c\""));
  g_assert_cmpuint (count (g_bytes_get_data (folded, NULL), "cluster_frame"), ==, 0);
  g_assert_nonnull (strstr (g_bytes_get_data (folded, NULL), "box3d"));
  if (svg == NULL)
    g_test_skip ("Graphviz is not installed");
  else
    g_assert_cmpuint (count (svg, "class=\"cluster\""), ==, 3 + 1); /* the legend */
}

/* No line leads to what is not there, which Graphviz would add. */
static void
test_crop (void)
{
  SymRect crop = { 0, 0, 300, 400 };
  SymPictureOptions options = { .crop = &crop };
  g_autoptr (SymPicture) picture = fixture_picture (fixture_chain (50), NULL, &options);
  g_autoptr (GBytes) dot = write_dot (picture, "crop.dot");
  const char *text = g_bytes_get_data (dot, NULL);
  guint n_edges = count (text, "id=\"edge");
  g_autofree char *svg = render ("crop.dot");

  g_assert_cmpuint (n_edges, >, 0);
  g_assert_cmpuint (n_edges, <, 10);
  if (svg == NULL)
    g_test_skip ("Graphviz is not installed");
  else
    g_assert_cmpuint (count (svg, "<g id=\"item"), ==, count (text, "id=\"item"));
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/dot/is-read-by-graphviz", test_residual);
  g_test_add_func ("/draw/dot/survives-every-name", test_names);
  g_test_add_func ("/draw/dot/has-a-cluster-per-frame", test_frames);
  g_test_add_func ("/draw/dot/of-odd-graphs-is-read-as-well", test_odd);
  g_test_add_func ("/draw/dot/may-be-of-a-rectangle", test_crop);
  status = g_test_run ();
  fixture_remove ();
  return status;
}
