/* SPDX-License-Identifier: MIT */
#include "layout-families.h"
#include "layout/sym-layout.h"

#include "../core/progress-watch.h"

#define N_LAYERS 20000
#define N_IRREGULAR 4000 /* these take longer */

static SymModel *
make (const char *name)
{
  const LayoutFamily *family = layout_family_find (name);

  return layout_family_make (family, layout_family_is_regular (family) ? N_LAYERS : N_IRREGULAR);
}

/* From a graph to the places of its layers, with everything open: most work, in four quarters. */
static SymLayout *
lay_out (SymModel *model, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymInference) inference = NULL;
  g_autoptr (SymGroups) groups = NULL;
  g_autoptr (SymFolding) folding = NULL;
  g_autoptr (SymScene) scene = NULL;
  SymSceneOptions options = { .cancellable = cancellable };
  SymProgressPart whole;
  SymLayout *layout;

  whole = sym_progress_enter (cancellable, 0, 0.25);
  inference = sym_infer (model, NULL, 0, cancellable, error);
  sym_progress_leave (cancellable, whole);
  if (!inference)
    return NULL;
  whole = sym_progress_enter (cancellable, 0.25, 0.5);
  groups = sym_groups_find (model, cancellable, error);
  sym_progress_leave (cancellable, whole);
  if (!groups)
    return NULL;
  options.folding = folding = sym_folding_new_open (groups);
  whole = sym_progress_enter (cancellable, 0.5, 0.75);
  scene = sym_scene_new (inference, &options);
  sym_progress_leave (cancellable, whole);
  if (!scene)
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return NULL;
    }
  whole = sym_progress_enter (cancellable, 0.75, 1);
  layout = sym_layout_new (scene, NULL, cancellable, error);
  sym_progress_leave (cancellable, whole);
  return layout;
}

static void
test_tells_how_far_it_is (gconstpointer data)
{
  g_autoptr (SymModel) model = make (data);
  g_autoptr (SymLayout) layout = NULL;
  g_autoptr (GError) error = NULL;
  ProgressWatch watch;

  progress_watch_start (&watch, SYM_STAGE_NONE, 2);
  layout = lay_out (model, watch.cancellable, &error);
  progress_watch_end (&watch);
  g_test_message ("%u steps", watch.n_steps);
  g_assert_no_error (error);
  g_assert_nonnull (layout);
  g_assert_cmpfloat (watch.last, ==, 1);
  g_assert_cmpuint (watch.n_backwards, ==, 0);
  g_assert_cmpuint (watch.n_steps, >=, 20);
  for (guint stage = SYM_STAGE_INFER; stage <= SYM_STAGE_LAYOUT; stage++)
    g_assert_true ((watch.stages & 1u << stage) != 0);
}

/* Stopping takes a small part of what all of it takes. */
static void
test_stops_wherever_it_is (gconstpointer data)
{
  static const struct {
    SymStage stage;
    double at;
  } places[] = {
    { SYM_STAGE_INFER, 0.01 },  { SYM_STAGE_GROUP, 0.26 }, { SYM_STAGE_GROUP, 0.4 },
    { SYM_STAGE_SCENE, 0.51 },  { SYM_STAGE_SCENE, 0.7 },  { SYM_STAGE_LAYOUT, 0.76 },
    { SYM_STAGE_LAYOUT, 0.85 },
  };
  g_autoptr (SymModel) model = make (data);

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SymLayout) layout = NULL;
      ProgressWatch watch;

      progress_watch_start (&watch, places[i].stage, places[i].at);
      layout = lay_out (model, watch.cancellable, &error);
      g_test_message ("at %.2f of stage %d: %.1f ms", places[i].at, places[i].stage,
                      (double) (g_get_monotonic_time () - watch.stopped_at) / 1e3);
      progress_watch_end (&watch);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_null (layout);
      g_assert_cmpint (watch.stopped_at, >, 0);
      g_assert_cmpuint (watch.stages >> (places[i].stage + 1), ==, 0); /* no stage after that */
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/layout/progress/tells-how-far-it-is", "transformer",
                        test_tells_how_far_it_is);
  g_test_add_data_func ("/layout/progress/tells-how-far-it-is-without-groups", "nas",
                        test_tells_how_far_it_is);
  g_test_add_data_func ("/layout/progress/stops-wherever-it-is", "transformer",
                        test_stops_wherever_it_is);
  g_test_add_data_func ("/layout/progress/stops-wherever-it-is-without-groups", "nas",
                        test_stops_wherever_it_is);
  return g_test_run ();
}
