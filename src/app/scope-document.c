/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include <glib/gi18n.h>

#include "app/scope-file-name.h"
#include "app/scope-memory.h"
#include "app/scope-release.h"

#define ALL_STAGES ((1u << SCOPE_N_STAGES) - 1)

/* What must be made again after a stage has given something new. */
static const guint followers[] = {
  [SCOPE_STAGE_READ] = ALL_STAGES & ~(BIT (SCOPE_STAGE_READ) | BIT (SCOPE_STAGE_TRACE)),
  [SCOPE_STAGE_PREVIEW] = 0,
  [SCOPE_STAGE_INFER] = BIT (SCOPE_STAGE_CUT) | BIT (SCOPE_STAGE_LAYOUT),
  [SCOPE_STAGE_CUT] = BIT (SCOPE_STAGE_PICTURE),
  [SCOPE_STAGE_TRACE] = BIT (SCOPE_STAGE_PICTURE),
  [SCOPE_STAGE_LAYOUT] = BIT (SCOPE_STAGE_PICTURE),
  [SCOPE_STAGE_PICTURE] = 0,
};

G_DEFINE_FINAL_TYPE (ScopeDocument, scope_document, G_TYPE_OBJECT)

enum { CHANGED, SETTLE, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- Stages ---- */

static void
select_silently (ScopeDocument *self, SymId value, SymId call)
{
  self->selected = scope_node_get (value, call);
  self->selected_frame = SYM_NO_GROUP;
}

#define REF_OR_NULL(ref, pointer) ((pointer) != NULL ? ref (pointer) : NULL)

/* All that is large: given to scope_job_release() once it is replaced, so that none of it is freed
 * here. */
static ScopeJob *
hold_all (ScopeDocument *self)
{
  ScopeJob *all = g_new0 (ScopeJob, 1);

  all->state = REF_OR_NULL (scope_state_ref, self->state);
  all->open_bodies = sym_open_bodies_ref (self->open_bodies);
  all->folding = REF_OR_NULL (sym_folding_ref, self->folding);
  all->folding_before = REF_OR_NULL (sym_folding_ref, self->folding_before);
  all->inference = REF_OR_NULL (sym_inference_ref, self->inference);
  all->summary = REF_OR_NULL (sym_summary_ref, self->summary);
  all->figures = REF_OR_NULL (sym_figures_ref, self->figures);
  all->cut = REF_OR_NULL (scope_cut_ref, self->cut);
  all->trace = REF_OR_NULL (sym_trace_ref, self->trace);
  all->record = REF_OR_NULL (sym_record_ref, self->record);
  all->found = REF_OR_NULL (g_array_ref, self->found);
  all->overlay = REF_OR_NULL (sym_overlay_ref, self->overlay);
  all->comparison = REF_OR_NULL (scope_comparison_ref, scope_document_get_comparison (self));
  all->layout = REF_OR_NULL (sym_layout_ref, self->layout);
  all->picture = REF_OR_NULL (sym_picture_ref, self->picture);
  return all;
}

static void
take_state (ScopeDocument *self, ScopeState *state)
{
  gboolean is_same =
      self->state != NULL && scope_state_get_model (self->state) == scope_state_get_model (state);

  g_clear_pointer (&self->state, scope_state_unref);
  self->state = state;
  if (is_same)
    return;
  select_silently (self, SYM_NO_ID, SYM_NO_ID);
  self->focus = scope_focus_get_whole ();
  g_clear_pointer (&self->trace, sym_trace_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->hits, sym_query_result_unref);
  g_clear_pointer (&self->selected_more, g_array_unref);
  g_clear_pointer (&self->overlay, sym_overlay_unref);
  scope_document_drop_comparison (self);
  g_clear_pointer (&self->call_problems, g_hash_table_unref);
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->summary, sym_summary_unref);
  g_clear_pointer (&self->figures, sym_figures_unref);
  g_clear_pointer (&self->folding, sym_folding_unref);
  g_clear_pointer (&self->folding_before, sym_folding_unref);
  self->folded_group = SYM_NO_GROUP;
  self->folded_layer = NULL;
  sym_open_bodies_unref (self->open_bodies);
  self->open_bodies = sym_open_bodies_new ();
  g_clear_pointer (&self->cut, scope_cut_unref);
  g_clear_pointer (&self->layout, sym_layout_unref);
  g_clear_pointer (&self->picture, sym_picture_unref);
}

static void
index_problems (ScopeDocument *self)
{
  const SymProblems *problems = sym_inference_get_problems (self->inference);
  guint n = sym_problems_get_n (problems);

  g_clear_pointer (&self->call_problems, g_hash_table_unref);
  self->call_problems = g_hash_table_new (NULL, NULL);
  for (guint i = n; i-- > 0;)
    { /* backwards, so that the first of a call stays */
      const SymProblem *problem = sym_problems_get (problems, i);

      if (problem->call != SYM_NO_ID)
        g_hash_table_insert (self->call_problems, GSIZE_TO_POINTER ((gsize) problem->call + 1),
                             problem->message);
    }
}

static void
take_inference (ScopeDocument *self, ScopeJob *job)
{
  g_clear_error (&self->shape_error);
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->summary, sym_summary_unref);
  g_clear_pointer (&self->figures, sym_figures_unref);
  self->inference = g_steal_pointer (&job->inference);
  self->summary = g_steal_pointer (&job->summary);
  self->figures = g_steal_pointer (&job->figures);
  /* What was opened or closed meanwhile stays so. */
  if (self->folding == NULL)
    self->folding = g_steal_pointer (&job->folding);
  if (self->folding != NULL)
    {
      g_clear_pointer (&self->memory, scope_memory_unref);
      g_clear_pointer (&self->folding_before, sym_folding_unref);
    }
  index_problems (self);
}

/* To a file that was read again, which has the names of @saved, not those that were edited. */
static ScopeState *
move_state (ScopeState *state, SymModel *saved, SymModel *model)
{
  g_autoptr (ScopeState) before = scope_state_edit (state, saved);

  return scope_state_move (before, model);
}

static void
move_states (GPtrArray *states, SymModel *saved, SymModel *model)
{
  for (guint i = 0; i < states->len; i++)
    {
      ScopeState *old = states->pdata[i];

      states->pdata[i] = move_state (old, saved, model);
      scope_state_unref (old);
    }
}

/* Shows another model as that of before, or as somebody left it in another session. */
static void
bring_back (ScopeDocument *self, SymModel *model)
{
  SymId selected = scope_memory_find_selected (self->memory, model);

  sym_open_bodies_unref (self->open_bodies);
  self->open_bodies = scope_memory_create_open_bodies (self->memory, model);
  if (selected != SYM_NO_ID)
    select_silently (self, selected, sym_model_get_producer (model, selected));
}

/* What was decided about a file stays when the file is read again, as far as it still has what that
 * was about. */
static void
take_model (ScopeDocument *self, ScopeState *state)
{
  g_autoptr (SymModel) model = sym_model_ref (scope_state_get_model (state));
  SymModel *saved = scope_document_get_saved_model (self);

  self->n_lost_edits = 0;
  if (self->state != NULL)
    {
      g_clear_pointer (&self->memory, scope_memory_unref);
      self->memory = scope_memory_new_saved (self, &(ScopeMiddle){ 0 });
      move_states (self->undo, saved, model);
      move_states (self->redo, saved, model);
      take_state (self, move_state (self->state, saved, model));
      scope_state_unref (state);
    }
  else if (self->memory != NULL)
    {
      take_state (self, scope_memory_create_state (self->memory, model, &self->n_lost_edits));
      scope_state_unref (state);
    }
  else
    {
      take_state (self, state);
    }
  g_clear_pointer (&self->saved, scope_state_unref);
  self->saved = scope_state_new (model);
  self->saved_format = NULL;
  if (scope_state_get_model (self->state) != model)
    g_ptr_array_add (self->undo, scope_state_edit (self->state, model));
  if (self->memory != NULL)
    bring_back (self, scope_state_get_model (self->state));
}

static void
take_file (ScopeDocument *self, GFile *file)
{
  g_set_object (&self->file, file);
  g_free (self->title);
  self->title = scope_file_name (file);
  scope_document_begin_watch (self);
}

/* Takes what the job's stage made; tells what changed by it. */
static ScopeChanges
take_results (ScopeDocument *self, ScopeJob *job)
{
  switch (job->stage)
    {
    case SCOPE_STAGE_READ:
      g_clear_error (&self->error);
      self->is_newer_on_disk = FALSE;
      scope_document_end_typing (self);
      if (job->inner != NULL && g_file_equal (job->file, self->file))
        take_file (self, job->inner);
      scope_document_take_weights (self);
      take_model (self, g_steal_pointer (&job->state));
      scope_document_drop_runner (self);
      g_clear_pointer (&self->run_wish, scope_run_wish_free);
      return scope_document_drop_record (self) | SCOPE_CHANGE_MODEL | SCOPE_CHANGE_STATE |
             SCOPE_CHANGE_SELECTION | SCOPE_CHANGE_FOCUS;
    case SCOPE_STAGE_INFER:
      take_inference (self, job);
      scope_document_compare_again (self);
      return SCOPE_CHANGE_TYPES;
    case SCOPE_STAGE_CUT:
      g_clear_pointer (&self->cut, scope_cut_unref);
      self->cut = g_steal_pointer (&job->cut);
      return SCOPE_CHANGE_CUT;
    case SCOPE_STAGE_TRACE:
      g_clear_pointer (&self->trace, sym_trace_unref);
      self->trace = g_steal_pointer (&job->trace);
      return SCOPE_CHANGE_FOCUS;
    case SCOPE_STAGE_PREVIEW:
      take_inference (self, job);
      self->picture = g_steal_pointer (&job->picture);
      return SCOPE_CHANGE_TYPES | SCOPE_CHANGE_PICTURE;
    case SCOPE_STAGE_LAYOUT:
      g_clear_pointer (&self->layout, sym_layout_unref);
      self->layout = g_steal_pointer (&job->layout);
      return 0;
    case SCOPE_STAGE_PICTURE:
      g_clear_pointer (&self->picture, sym_picture_unref);
      self->picture = g_steal_pointer (&job->picture);
      self->was_drawn = TRUE;
      return SCOPE_CHANGE_PICTURE | scope_document_leave_lost_body (self);
    default:
      g_assert_not_reached ();
    }
}

/* A stage that failed leaves what there was; without its result the later ones make no sense. */
static ScopeChanges
take_error (ScopeDocument *self, ScopeStage stage, GError *error)
{
  self->dirty = 0;
  if (stage == SCOPE_STAGE_INFER && self->inference != NULL)
    {
      g_clear_error (&self->shape_error);
      self->shape_error = error;
      return SCOPE_CHANGE_TYPES;
    }
  if (stage == SCOPE_STAGE_READ && scope_document_refuse_weights (self, error))
    {
      g_error_free (error);
      self->dirty = self->state == NULL ? BIT (SCOPE_STAGE_READ) : 0;
      return 0;
    }
  if (stage == SCOPE_STAGE_READ && self->inference != NULL &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_prefix_error (&error, "%s", _ ("Not read again, so this is how it was before: "));
  g_clear_error (&self->error);
  self->error = error;
  return 0;
}

static gboolean
has_marks (const ScopeState *state)
{
  for (guint mark = 0; mark < SCOPE_N_MARKS; mark++)
    if (scope_state_get_marks (state, (ScopeMark) mark).n > 0)
      return TRUE;
  return FALSE;
}

/* Stages that would make nothing.  Each that runs waits for the window when it is done, which may
 * be busy: layouts begin earlier without them.  For a preview nothing is taken away that is looked
 * at. */
static guint
get_needless (ScopeDocument *self)
{
  guint stages = 0;

  if (self->state != NULL && self->cut == NULL && !has_marks (self->state))
    stages |= BIT (SCOPE_STAGE_CUT);
  if (self->was_drawn || self->picture != NULL ||
      (self->state != NULL && !scope_job_is_large (scope_state_get_model (self->state))))
    stages |= BIT (SCOPE_STAGE_PREVIEW);
  return stages;
}

/* The stage to run now: one whose own needs are met.  FALSE when there is none. */
static gboolean
choose_stage (ScopeDocument *self, ScopeStage *stage)
{
  self->dirty &= ~get_needless (self);
  if (self->dirty == 0)
    return FALSE;
  *stage = (ScopeStage) g_bit_nth_lsf (self->dirty, -1);
  if (*stage > SCOPE_STAGE_READ && self->state == NULL)
    {
      self->dirty = 0;
      return FALSE;
    }
  if (*stage > SCOPE_STAGE_INFER && self->inference == NULL)
    *stage = SCOPE_STAGE_INFER;
  else if (*stage == SCOPE_STAGE_PICTURE && self->layout == NULL)
    *stage = SCOPE_STAGE_LAYOUT;
  return TRUE;
}

/* What is asked for, with all that follows from it. */
static guint
get_ahead (ScopeDocument *self)
{
  guint stages = self->dirty;

  for (guint i = 0; i < SCOPE_N_STAGES; i++)
    if ((stages & BIT (i)) != 0)
      stages |= followers[i];
  return stages & ~get_needless (self);
}

static void
job_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (scope_job_run (task_data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void advance (ScopeDocument *self);

static void
job_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeDocument *self = SCOPE_DOCUMENT (source);
  ScopeJob *job = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;
  gboolean is_done = g_task_propagate_boolean (G_TASK (result), &error);
  ScopeJob *before = hold_all (self);
  ScopeChanges changes = 0;

  self->runs = FALSE;
  g_clear_object (&self->cancellable);
  if (self->is_outdated)
    {
      g_clear_error (&error);
    }
  else if (is_done && job->stage == SCOPE_STAGE_READ &&
           scope_document_keep_edits (self, job->edited))
    {
      changes = SCOPE_CHANGE_PROGRESS;
    }
  else if (is_done)
    {
      self->dirty |= followers[job->stage];
      changes = take_results (self, job);
    }
  else
    {
      changes = take_error (self, job->stage, error);
    }
  scope_job_release (before);
  if (!is_done)
    self->part = (SymProgressPart){ 0, 0 };
  advance (self);
  if (!self->runs)
    self->part = (SymProgressPart){ 0, 0 };
  scope_document_emit_changed (self, changes | SCOPE_CHANGE_PROGRESS);
}

static ScopeJob *
create_job (ScopeDocument *self, ScopeStage stage)
{
  ScopeJob *job = g_new0 (ScopeJob, 1);

  job->stage = stage;
  job->view = self->view;
  job->focus = self->focus;
  if (stage == SCOPE_STAGE_READ)
    {
      job->file = g_object_ref (self->file);
      g_set_object (&job->weights, self->weights);
      job->edited =
          self->state != NULL ? sym_model_ref (scope_state_get_model (self->state)) : NULL;
      return job;
    }
  job->state = scope_state_ref (self->state);
  job->open_bodies = sym_open_bodies_ref (self->open_bodies);
  job->folding = REF_OR_NULL (sym_folding_ref, self->folding);
  job->memory = REF_OR_NULL (scope_memory_ref, self->memory);
  job->folding_before = REF_OR_NULL (sym_folding_ref, self->folding_before);
  if (stage <= SCOPE_STAGE_INFER)
    return job;
  job->inference = sym_inference_ref (self->inference);
  job->summary = sym_summary_ref (self->summary);
  if (stage >= SCOPE_STAGE_LAYOUT)
    job->cut = REF_OR_NULL (scope_cut_ref, self->cut);
  if (stage == SCOPE_STAGE_PICTURE)
    job->figures = REF_OR_NULL (sym_figures_ref, self->figures);
  if (stage == SCOPE_STAGE_PICTURE)
    job->record = REF_OR_NULL (sym_record_ref, self->record);
  if (stage == SCOPE_STAGE_PICTURE)
    job->found = REF_OR_NULL (g_array_ref, self->found);
  if (stage == SCOPE_STAGE_PICTURE && self->hits != NULL)
    job->query = sym_query_ref (sym_query_result_get_query (self->hits));
  if (stage == SCOPE_STAGE_PICTURE)
    job->overlay = REF_OR_NULL (sym_overlay_ref, self->overlay);
  if (stage == SCOPE_STAGE_PICTURE)
    job->comparison = REF_OR_NULL (scope_comparison_ref, scope_document_get_comparison (self));
  if (stage == SCOPE_STAGE_PICTURE)
    job->distances = scope_document_ref_distances (self);
  if (stage == SCOPE_STAGE_PICTURE)
    job->trace = REF_OR_NULL (sym_trace_ref, self->trace);
  if (stage == SCOPE_STAGE_PICTURE || stage == SCOPE_STAGE_LAYOUT)
    job->layout = REF_OR_NULL (sym_layout_ref, self->layout);
  return job;
}

static void
advance (ScopeDocument *self)
{
  g_autoptr (GTask) task = NULL;
  ScopeStage stage;

  if (self->runs || !choose_stage (self, &stage))
    return;
  scope_document_begin_stage (self, stage, get_ahead (self));
  self->dirty &= ~BIT (stage);
  self->runs = TRUE;
  self->is_outdated = FALSE;
  task = g_task_new (self, self->cancellable, job_done_cb, NULL);
  g_task_set_source_tag (task, advance);
  g_task_set_task_data (task, create_job (self, stage), (GDestroyNotify) scope_job_release);
  g_task_run_in_thread (task, job_thread);
}

/* ---- Class ---- */

static void
scope_document_finalize (GObject *object)
{
  ScopeDocument *self = SCOPE_DOCUMENT (object);
  ScopeJob *all = hold_all (self);

  g_clear_pointer (&self->picture, sym_picture_unref);
  g_clear_pointer (&self->record, sym_record_unref);
  scope_document_drop_runner (self);
  g_clear_pointer (&self->run_wish, scope_run_wish_free);
  g_clear_error (&self->run_error);
  g_free (self->run_taken);
  g_free (self->typed_dimension);
  g_clear_pointer (&self->layout, sym_layout_unref);
  g_clear_pointer (&self->cut, scope_cut_unref);
  g_clear_pointer (&self->call_problems, g_hash_table_unref);
  g_clear_pointer (&self->summary, sym_summary_unref);
  g_clear_pointer (&self->figures, sym_figures_unref);
  g_clear_pointer (&self->folding, sym_folding_unref);
  g_clear_pointer (&self->folding_before, sym_folding_unref);
  sym_open_bodies_unref (self->open_bodies);
  g_clear_pointer (&self->inference, sym_inference_unref);
  g_clear_pointer (&self->state, scope_state_unref);
  scope_release (self->saved, (GDestroyNotify) scope_state_unref);
  g_clear_pointer (&self->trace, sym_trace_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->hits, sym_query_result_unref);
  g_clear_pointer (&self->selected_more, g_array_unref);
  g_clear_pointer (&self->overlay, sym_overlay_unref);
  scope_document_forget_measured (self);
  scope_document_forget_compared (self);
  scope_release (self->undo, (GDestroyNotify) g_ptr_array_unref);
  scope_release (self->redo, (GDestroyNotify) g_ptr_array_unref);
  scope_job_release (all);
  g_clear_error (&self->error);
  g_clear_error (&self->shape_error);
  scope_document_end_watch (self);
  g_clear_pointer (&self->memory, scope_memory_unref);
  g_clear_object (&self->file);
  g_clear_object (&self->weights);
  g_clear_object (&self->weights_before);
  g_clear_error (&self->weights_error);
  g_free (self->title);
  G_OBJECT_CLASS (scope_document_parent_class)->finalize (object);
}

static void
scope_document_class_init (ScopeDocumentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = scope_document_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SETTLE] = g_signal_new ("settle", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
scope_document_init (ScopeDocument *self)
{
  self->undo = g_ptr_array_new_with_free_func ((GDestroyNotify) scope_state_unref);
  self->redo = g_ptr_array_new_with_free_func ((GDestroyNotify) scope_state_unref);
  self->typed_value = SYM_NO_ID;
  self->folded_group = SYM_NO_GROUP;
  self->open_bodies = sym_open_bodies_new ();
  self->focus = scope_focus_get_whole ();
  self->view.labels = SYM_LABEL_NAME | SYM_LABEL_SHAPE;
  select_silently (self, SYM_NO_ID, SYM_NO_ID);
}

ScopeDocument *
scope_document_new_for_file (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  ScopeDocument *self = g_object_new (SCOPE_TYPE_DOCUMENT, NULL);

  self->file = g_object_ref (file);
  self->title = scope_file_name (file);
  scope_document_begin_watch (self);
  scope_document_request (self, BIT (SCOPE_STAGE_READ));
  return self;
}

ScopeDocument *
scope_document_new_for_model (SymModel *model, const char *title)
{
  g_return_val_if_fail (model != NULL, NULL);

  ScopeDocument *self = g_object_new (SCOPE_TYPE_DOCUMENT, NULL);

  self->title = g_strdup (title);
  self->state = scope_state_new (model);
  self->saved = scope_state_ref (self->state);
  self->was_made = TRUE;
  scope_document_request (self, followers[SCOPE_STAGE_READ]);
  return self;
}

void
scope_document_cancel (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  self->dirty = 0;
  if (self->runs)
    g_cancellable_cancel (self->cancellable);
}

void
scope_document_request (ScopeDocument *self, guint stages)
{
  g_clear_error (&self->error);
  self->dirty |= stages;
  if (self->runs && (stages & BIT (self->stage)) != 0)
    {
      self->is_outdated = TRUE;
      g_cancellable_cancel (self->cancellable);
    }
  advance (self);
}

void
scope_document_emit_changed (ScopeDocument *self, ScopeChanges changes)
{
  if (changes & (SCOPE_CHANGE_RUN | SCOPE_CHANGE_COMPARISON))
    scope_document_measure_again (self);
  g_signal_emit (self, signals[CHANGED], 0, (guint) changes);
}
