/* SPDX-License-Identifier: MIT */
#include "layout-checks.h"
#include "layout-families.h"
#include "layout-measure.h"

/* What is asked of drawings of the ten families. */
typedef struct {
  const char *family;
  gboolean is_straight; /* some longest way is one straight line */
  guint max_crossings;  /* at 500 layers */
} Expected;

/* Crossings are at most those of plain dot (Graphviz 2.43), as tests/bench/layout_quality prints
 * them, times 1.2, or for nets wired at random 1.4.  It does not finish for some; the limit then is
 * what we have reached. */
static const Expected expected[] = {
  { "resnet", TRUE, 0 },      { "inception", TRUE, 0 }, { "densenet", TRUE, 0 },
  { "transformer", TRUE, 0 }, { "bertmask", TRUE, 19 }, { "bertshape", TRUE, 8 },
  { "unet", TRUE, 0 },        { "sdunet", TRUE, 0 },    { "rnn", TRUE, 69 },
  { "nas", FALSE, 2986 },
};

static SymLayout *
lay_out (const char *name, guint n, SymDrawing drawing, SymDirection direction)
{
  SymSceneOptions scene_options = { .drawing = drawing,
                                    .sideways = direction == SYM_DIRECTION_RIGHT };
  SymLayoutOptions options = { direction };
  g_autoptr (SymModel) model = layout_family_make (layout_family_find (name), n);
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymScene) scene = sym_scene_new (inference, &scene_options);
  g_autoptr (GError) error = NULL;
  SymLayout *layout = sym_layout_new (scene, &options, NULL, &error);

  g_assert_no_error (error);
  g_assert_null (sym_layout_get_message (layout));
  return layout;
}

static Quality
measure (const SymLayout *layout)
{
  g_autoptr (Drawing) drawing = drawing_new (layout);

  return drawing_measure (drawing);
}

static void
check (const Expected *what, SymDrawing drawing, SymDirection direction)
{
  g_autoptr (SymLayout) layout = lay_out (what->family, 500, drawing, direction);
  Quality quality = measure (layout);

  g_test_message ("%s: %" G_GUINT64_FORMAT " crossings, deviation %g", what->family,
                  quality.n_crossings, quality.deviation);
  layout_check (layout);
  g_assert_cmpuint (quality.n_overlaps, ==, 0);
  g_assert_cmpuint (quality.n_against, ==, 0);
  g_assert_cmpuint (quality.n_crossings, <=, what->max_crossings);
  if (what->is_straight)
    g_assert_cmpfloat (quality.deviation, <, 0.01);
}

static void
test_quality (gconstpointer data)
{
  const Expected *what = data;

  for (SymDrawing drawing = SYM_DRAWING_DATA; drawing <= SYM_DRAWING_LAYERS; drawing++)
    {
      check (what, drawing, SYM_DIRECTION_DOWN);
      check (what, drawing, SYM_DIRECTION_RIGHT);
    }
}

/* Steps of a recurrent net stand below each other, however many there are. */
static void
test_drift (void)
{
  g_autoptr (SymLayout) small = lay_out ("rnn", 500, SYM_DRAWING_DATA, SYM_DIRECTION_DOWN);
  g_autoptr (SymLayout) large = lay_out ("rnn", 20000, SYM_DRAWING_DATA, SYM_DIRECTION_DOWN);

  g_assert_cmpfloat (sym_layout_get_width (large), <=, 2 * sym_layout_get_width (small));
}

/* Twenty thousand layers are as straight as five hundred. */
static void
test_large_trunks (void)
{
  static const char *const families[] = { "resnet", "densenet", "transformer", "unet" };

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autoptr (SymLayout) layout =
          lay_out (families[i], 20000, SYM_DRAWING_LAYERS, SYM_DIRECTION_DOWN);
      Quality quality = measure (layout);

      g_assert_cmpuint (quality.n_overlaps, ==, 0);
      g_assert_cmpuint (quality.n_against, ==, 0);
      g_assert_cmpfloat (quality.deviation, <, 0.01);
    }
}

/* The measure itself: of a chain, nothing is wrong; of two that cross, one thing is. */
static void
test_measure (void)
{
  SymRect rects[] = { { 0, 0, 10, 10 }, { 40, 0, 10, 10 }, { 0, 50, 10, 10 }, { 40, 50, 10, 10 } };
  SymPoint right[] = { { 5, 10 }, { 5, 30 }, { 45, 30 }, { 45, 50 } };
  SymPoint left[] = { { 45, 10 }, { 45, 30 }, { 5, 30 }, { 5, 50 } };
  SymPoint up[] = { { 5, 50 }, { 5, 40 }, { 5, 20 }, { 5, 10 } };
  DrawnEdge edges[] = { { 0, 3, FALSE, right, 4 },
                        { 1, 2, FALSE, left, 4 },
                        { 2, 0, FALSE, up, 4 } };
  Drawing drawing = { G_N_ELEMENTS (rects), rects, 3, edges, 50, 60 };
  Quality quality = drawing_measure (&drawing);

  g_assert_cmpuint (quality.n_crossings, ==, 1);
  g_assert_cmpuint (quality.n_bends, ==, 2);
  g_assert_cmpuint (quality.n_overlaps, ==, 0);
  g_assert_cmpuint (quality.n_against, ==, 1);
  g_assert_cmpuint (quality.longest, ==, 2);
  g_assert_cmpfloat (quality.deviation, ==, 40);
  rects[1].x = 5;
  quality = drawing_measure (&drawing);
  g_assert_cmpuint (quality.n_overlaps, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/families/are-measured", test_measure);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *path = g_strdup_printf ("/layout/families/%s-is-clear", expected[i].family);

      g_test_add_data_func (path, &expected[i], test_quality);
    }
  g_test_add_func ("/layout/families/a-recurrent-net-does-not-drift", test_drift);
  g_test_add_func ("/layout/families/trunks-are-straight-at-any-size", test_large_trunks);
  return g_test_run ();
}
