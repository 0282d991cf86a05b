/* SPDX-License-Identifier: MIT */
#include "app/scope-job.h"

#include <glib/gi18n.h>

#include "app/scope-file-name.h"
#include "app/scope-memory.h"
#include "app/scope-release.h"
#include "core/sym-progress.h"
#include "io/sym-io.h"

#define N_LARGE \
  10000 /* calls; fewer are read and drawn in less than 300 ms, on slow machines too */

/* What of the time of a stage is over: of inference when types are known, and when the summary is
 * there; of a preview when there is a summary without types, and when groups are found; of a layout
 * when there is a scene. */
#define SHARE_INFER 0.6
#define SHARE_SUMMARY 0.8
#define SHARE_NOTHING 0.2
#define SHARE_FOLDED 0.8
#define SHARE_SCENE 0.5

/* A graph of more calls than can be overlooked opens folded. */
#define MAX_OPEN 300
#define MAX_FOLDED 150

/* So that what is saved, watched and opened again is the file. */
static gboolean
find_in_folder (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (self->file);
  g_autofree char *found = NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  found = sym_io_find_in_folder (path, cancellable, error);
  if (found == NULL)
    return FALSE;
  self->inner = g_file_new_for_path (found);
  return TRUE;
}

static gboolean
run_read (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymModel) model = NULL;

  if (!find_in_folder (self, cancellable, error))
    return FALSE;
  model = scope_read_model (self->inner != NULL ? self->inner : self->file, self->weights,
                            cancellable, error);

  if (model == NULL)
    return FALSE;
  self->state = scope_state_new (model);
  return TRUE;
}

static SymFolding *
fold (SymModel *model, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymGroups) groups = sym_groups_find (model, cancellable, error);

  if (groups == NULL)
    return NULL;
  if (sym_model_get_execution_order (model).n <= MAX_OPEN)
    return sym_folding_new_open (groups);
  return sym_folding_new (groups, MAX_FOLDED);
}

static gboolean
has_folding_of (const ScopeJob *self, SymModel *model)
{
  return self->folding != NULL &&
         sym_groups_get_model (sym_folding_get_groups (self->folding)) == model;
}

static void
open_as_before (ScopeJob *self)
{
  SymGroups *groups = sym_folding_get_groups (self->folding);
  SymFolding *before = NULL;

  if (self->folding_before != NULL)
    before = sym_folding_new_as (groups, self->folding_before);
  else if (self->memory != NULL)
    before = scope_memory_create_folding (self->memory, groups);

  if (before == NULL)
    return;
  sym_folding_unref (self->folding);
  self->folding = before;
}

/* As the part @from to @to of the stage. */
static gboolean
ensure_folding (ScopeJob *self,
                SymModel *model,
                double from,
                double to,
                GCancellable *cancellable,
                GError **error)
{
  SymProgressPart whole;

  if (has_folding_of (self, model))
    return TRUE;
  g_clear_pointer (&self->folding, sym_folding_unref);
  whole = sym_progress_enter (cancellable, from, to);
  self->folding = fold (model, cancellable, error);
  if (self->folding != NULL)
    open_as_before (self);
  sym_progress_leave (cancellable, whole);
  return self->folding != NULL;
}

static gboolean
run_infer (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  guint n;
  const SymOverride *overrides = scope_state_get_overrides (self->state, &n);
  SymModel *model = scope_state_get_model (self->state);
  SymProgressPart whole = sym_progress_enter (cancellable, 0, SHARE_INFER);
  SymInference *inference = sym_infer (model, overrides, n, cancellable, error);

  sym_progress_leave (cancellable, whole);
  if (inference == NULL)
    return FALSE;
  self->inference = inference;
  self->summary = sym_summary_new (inference);
  self->figures = sym_figures_new (inference, cancellable, error);
  if (self->figures == NULL)
    return FALSE;
  return ensure_folding (self, model, SHARE_SUMMARY, 1, cancellable, error);
}

static gboolean
run_cut (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  self->cut = scope_cut_new (self->state, self->inference, self->summary);
  return TRUE;
}

/* All of the graph, or the selected part of it. */
static gboolean
lay_out (ScopeJob *self, const SymSelection *selection, GCancellable *cancellable, GError **error)
{
  SymSceneOptions scene_options = { .drawing = self->view.drawing,
                                    .labels = self->view.labels,
                                    .sideways = self->view.direction == SYM_DIRECTION_RIGHT,
                                    .selection = selection,
                                    .folding = self->folding,
                                    .open_bodies = self->open_bodies,
                                    .cancellable = cancellable };
  g_autoptr (SymLayout) previous = g_steal_pointer (&self->layout);
  SymLayoutOptions layout_options = { .direction = self->view.direction, .previous = previous };
  SymProgressPart whole = sym_progress_enter (cancellable, 0, SHARE_SCENE);
  g_autoptr (SymScene) scene = sym_scene_new (self->inference, &scene_options);

  sym_progress_leave (cancellable, whole);
  if (scene == NULL)
    {
      g_cancellable_set_error_if_cancelled (cancellable, error);
      return FALSE;
    }
  whole = sym_progress_enter (cancellable, SHARE_SCENE, 1);
  self->layout = sym_layout_new (scene, &layout_options, cancellable, error);
  sym_progress_leave (cancellable, whole);
  return self->layout != NULL;
}

static gboolean
run_trace (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  self->trace = scope_focus_trace (&self->focus, scope_state_get_model (self->state));
  return TRUE;
}

static gboolean
run_layout (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  if (self->focus.around == SYM_NO_ID)
    return lay_out (self, NULL, cancellable, error);
  SymGroups *groups = self->folding != NULL ? sym_folding_get_groups (self->folding) : NULL;
  g_autoptr (SymSelection) near =
      scope_focus_select (&self->focus, scope_state_get_model (self->state), groups);

  if (self->focus.group == SYM_NO_GROUP) /* near a layer nothing is hidden */
    g_clear_pointer (&self->folding, sym_folding_unref);
  return lay_out (self, near, cancellable, error);
}

static gboolean
run_picture (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  ScopeColorsSource source = { self->inference, self->figures, self->record,     self->found,
                               self->query,     self->overlay, self->comparison, self->distances };
  g_autoptr (SymHeat) heat = scope_colors_create_heat (self->view.colors, &source, self->layout);
  SymIds found = { NULL, 0 };

  if (self->found != NULL)
    found = (SymIds){ (const SymId *) (gconstpointer) self->found->data, self->found->len };
  SymPictureOptions options = {
    .theme = self->view.theme,
    .transparent = TRUE,
    .kept = self->cut != NULL ? scope_cut_get_shown (self->cut) : NULL,
    .traced = self->trace,
    .only = self->view.dims_others && found.n > 0 ? &found : NULL,
    .heat = heat,
  };

  self->picture = sym_picture_new (self->layout, &options);
  return TRUE;
}

/* All that can be known before shapes are inferred, folded as it will be. */
static gboolean
run_preview (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  SymModel *model = scope_state_get_model (self->state);
  SymProgressPart whole;
  gboolean done;

  self->inference = sym_infer_nothing (model);
  self->summary = sym_summary_new (self->inference);
  if (!ensure_folding (self, model, SHARE_NOTHING, SHARE_FOLDED, cancellable, error))
    return FALSE;
  whole = sym_progress_enter (cancellable, SHARE_FOLDED, 1);
  done = lay_out (self, NULL, cancellable, error);
  sym_progress_leave (cancellable, whole);
  return done && run_picture (self, cancellable, error);
}

static const struct {
  const char *text;
  gboolean (*run) (ScopeJob *self, GCancellable *cancellable, GError **error);
} stages[] = {
  [SCOPE_STAGE_READ] = { N_ ("Reading…"), run_read },
  [SCOPE_STAGE_PREVIEW] = { N_ ("Laying out…"), run_preview },
  [SCOPE_STAGE_INFER] = { N_ ("Inferring shapes…"), run_infer },
  [SCOPE_STAGE_CUT] = { N_ ("Cutting…"), run_cut },
  [SCOPE_STAGE_TRACE] = { N_ ("Tracing…"), run_trace },
  [SCOPE_STAGE_LAYOUT] = { N_ ("Laying out…"), run_layout },
  [SCOPE_STAGE_PICTURE] = { N_ ("Drawing…"), run_picture },
};

G_STATIC_ASSERT (G_N_ELEMENTS (stages) == SCOPE_N_STAGES);

gboolean
scope_job_run (ScopeJob *self, GCancellable *cancellable, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  sym_progress_tell_unknown (cancellable); /* by those that do not tell */
  return stages[self->stage].run (self, cancellable, error);
}

void
scope_job_free (ScopeJob *self)
{
  g_clear_pointer (&self->picture, sym_picture_unref);
  g_clear_pointer (&self->layout, sym_layout_unref);
  g_clear_pointer (&self->record, sym_record_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->query, sym_query_unref);
  g_clear_pointer (&self->overlay, sym_overlay_unref);
  g_clear_pointer (&self->comparison, scope_comparison_unref);
  g_clear_pointer (&self->distances, scope_distances_unref);
  g_clear_pointer (&self->trace, sym_trace_unref);
  g_clear_pointer (&self->cut, scope_cut_unref);
  g_clear_pointer (&self->summary, sym_summary_unref);
  g_clear_pointer (&self->figures, sym_figures_unref);
  g_clear_pointer (&self->folding, sym_folding_unref);
  g_clear_pointer (&self->folding_before, sym_folding_unref);
  g_clear_pointer (&self->memory, scope_memory_unref);
  g_clear_pointer (&self->open_bodies, sym_open_bodies_unref);
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->state, scope_state_unref);
  g_clear_pointer (&self->edited, sym_model_unref);
  g_clear_object (&self->file);
  g_clear_object (&self->inner);
  g_clear_object (&self->weights);
  g_free (self);
}

void
scope_job_release (ScopeJob *take_job)
{
  scope_release (take_job, (GDestroyNotify) scope_job_free);
}

/* Told by the size, not by a clock. */
gboolean
scope_job_is_large (SymModel *model)
{
  return sym_model_get_execution_order (model).n >= N_LARGE;
}

const char *
scope_stage_to_string (ScopeStage stage)
{
  return _ (stages[stage].text);
}

/* GIO only says that it does not do that. */
static void
explain_address (GFile *file, GError **error)
{
  g_autofree char *scheme = g_file_get_uri_scheme (file);

  if (!g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    return;
  g_clear_error (error);
  if (scheme != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("Cannot be opened: it is no file of this computer but at an address of “%s”; "
                    "save it in a file first"),
                 scheme);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         _ ("Cannot be opened: it is neither a file nor an address of one"));
}

SymModel *
scope_read_model (GFile *file, GFile *weights, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (file);

  if (path != NULL)
    return sym_io_read_with_weights (path, weights != NULL ? g_file_peek_path (weights) : NULL,
                                     cancellable, error);
  g_autofree char *name = scope_file_name (file);
  g_autoptr (GError) reason = NULL;
  g_autoptr (GBytes) bytes = g_file_load_bytes (file, cancellable, NULL, &reason);

  if (bytes != NULL)
    return sym_io_read_bytes (bytes, name, error);
  explain_address (file, &reason);
  g_propagate_error (error, g_steal_pointer (&reason));
  return NULL;
}
