/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

/* For times of layers that can be relied upon. */
#define N_REPEATS 9
#define REPEAT_MILLISECONDS 400

/* A run in its thread.  The document asks it how far it is. */
typedef struct _ScopeRunning {
  ScopeRunner *runner;
  gboolean is_edited; /* the model, since the last run */
  guint n_threads;
  ScopeRunSetup *setup;
  GCancellable *cancellable;
  GMutex mutex; /* of @progress */
  ScopeRunProgress progress;
} Running;

static void
free_running (gpointer data)
{
  Running *self = data;

  scope_run_setup_free (self->setup);
  scope_runner_unref (self->runner);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static void
progress_cb (SymRecordStage stage, guint n_done, guint n_all, gpointer user_data)
{
  Running *self = user_data;

  g_mutex_lock (&self->mutex);
  self->progress = (ScopeRunProgress){ stage, n_done, n_all };
  g_mutex_unlock (&self->mutex);
}

static void
run_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Running *self = task_data;
  SymRecordOptions options = { .seed = self->setup->seed,
                               .types = self->setup->types,
                               .makes_weights = self->setup->makes_weights,
                               .n_threads = self->n_threads,
                               .n_bytes_to_keep = SCOPE_RUN_BUDGET,
                               .n_repeats = N_REPEATS,
                               .repeat_milliseconds = REPEAT_MILLISECONDS,
                               .progress = progress_cb,
                               .user_data = self };
  GError *error = NULL;
  SymRecord *record = scope_runner_run (self->runner, self->setup, &options, cancellable, &error);

  if (record != NULL)
    g_task_return_pointer (task, record, (GDestroyNotify) sym_record_unref);
  else
    g_task_return_error (task, error);
}

static void
forget_last (ScopeDocument *self)
{
  g_clear_pointer (&self->record, sym_record_unref);
  g_clear_pointer (&self->run_taken, g_free);
  g_clear_error (&self->run_error);
  self->run_is_stale = self->run_is_dismissed = self->run_is_stopped = FALSE;
}

/* A run that was replaced by another, or stopped as its model is gone, is nobody's. */
static void
run_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeDocument *self = SCOPE_DOCUMENT (source);
  Running *running = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;
  SymRecord *record = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->running != running)
    {
      g_clear_pointer (&record, sym_record_unref);
      g_clear_error (&error);
      return;
    }
  self->running = NULL;
  /* Who stops a run keeps what the last one left. */
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      forget_last (self);
      self->record = record;
      self->run_seed = running->setup->seed;
      self->run_is_of_edited = running->is_edited;
      self->run_taken = g_strdup (running->setup->taken);
      self->run_error = error;
    }
  else
    {
      g_error_free (error);
      self->run_is_stopped = TRUE;
      self->run_is_dismissed = FALSE;
    }
  if (self->view.colors == SCOPE_COLORS_TIME && self->layout != NULL)
    scope_document_request (self, 1u << SCOPE_STAGE_PICTURE);
  scope_document_emit_changed (self, SCOPE_CHANGE_RUN | SCOPE_CHANGE_PROGRESS);
}

/* One for each model, so that its weights are read once. */
static void
take_runner (ScopeDocument *self, Running *running)
{
  running->is_edited = self->runner == NULL && self->had_runner;
  if (self->runner == NULL)
    self->runner = scope_runner_new (running->setup->model);
  self->had_runner = TRUE;
  running->runner = scope_runner_ref (self->runner);
}

void
scope_document_run (ScopeDocument *self, ScopeRunSetup *take_setup)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL);

  Running *running = g_new0 (Running, 1);
  g_autoptr (GTask) task = NULL;

  if (self->running != NULL)
    g_cancellable_cancel (self->running->cancellable);
  running->setup = take_setup;
  running->progress.stage = SYM_RECORD_PLANNING;
  g_mutex_init (&running->mutex);
  take_runner (self, running);
  running->n_threads = self->n_threads > 0 ? self->n_threads : g_get_num_processors ();
  running->n_threads = MIN (running->n_threads, SYM_PLAN_MAX_THREADS);
  running->cancellable = g_cancellable_new ();
  self->running = running;
  self->run_is_stopped = FALSE;
  task = g_task_new (self, running->cancellable, run_done_cb, NULL);
  g_task_set_source_tag (task, scope_document_run);
  g_task_set_task_data (task, running, free_running);
  g_task_run_in_thread (task, run_thread);
  scope_document_emit_changed (self, SCOPE_CHANGE_RUN);
}

const ScopeRunWish *
scope_document_get_run_wish (ScopeDocument *self)
{
  return self->run_wish;
}

void
scope_document_take_run_wish (ScopeDocument *self, ScopeRunWish *take_wish)
{
  g_clear_pointer (&self->run_wish, scope_run_wish_free);
  self->run_wish = take_wish;
}

void
scope_document_set_n_threads (ScopeDocument *self, guint n_threads)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  self->n_threads = n_threads;
}

void
scope_document_cancel_run (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->running != NULL)
    g_cancellable_cancel (self->running->cancellable);
}

gboolean
scope_document_is_running (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  return self->running != NULL;
}

gboolean
scope_document_get_run_progress (ScopeDocument *self, ScopeRunProgress *progress)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  if (self->running == NULL)
    return FALSE;
  g_mutex_lock (&self->running->mutex);
  *progress = self->running->progress;
  g_mutex_unlock (&self->running->mutex);
  return TRUE;
}

ScopeChanges
scope_document_drop_record (ScopeDocument *self)
{
  if (self->running == NULL && self->record == NULL)
    return 0;
  scope_document_cancel_run (self);
  self->running = NULL;
  forget_last (self);
  self->run_is_stale = TRUE;
  return SCOPE_CHANGE_RUN;
}

void
scope_document_drop_runner (ScopeDocument *self)
{
  g_clear_pointer (&self->runner, scope_runner_unref);
}

gboolean
scope_document_is_run_of_edited (ScopeDocument *self)
{
  return self->run_is_of_edited;
}

SymRecord *
scope_document_get_record (ScopeDocument *self)
{
  return self->record;
}

const char *
scope_document_get_run_taken (ScopeDocument *self)
{
  return self->run_taken;
}

guint64
scope_document_get_run_seed (ScopeDocument *self)
{
  return self->run_seed;
}

gboolean
scope_document_is_run_stale (ScopeDocument *self)
{
  return self->run_is_stale;
}

gboolean
scope_document_is_run_stopped (ScopeDocument *self)
{
  return self->run_is_stopped;
}

const GError *
scope_document_get_run_error (ScopeDocument *self)
{
  return self->run_error;
}

void
scope_document_dismiss_run (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  self->run_is_dismissed = TRUE;
  scope_document_emit_changed (self, SCOPE_CHANGE_RUN);
}

gboolean
scope_document_is_run_dismissed (ScopeDocument *self)
{
  return self->run_is_dismissed;
}

double *
scope_document_list_times (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  if (self->record == NULL ||
      sym_record_get_model (self->record) != scope_document_get_model (self))
    return NULL;
  guint n = sym_model_get_n_calls (sym_record_get_model (self->record));
  double *times = g_new (double, n + 1);

  for (SymId call = 0; call < n; call++)
    times[call] = sym_record_get_time_kind (self->record, call) == SYM_RECORD_TIME_OWN
                      ? sym_record_get_milliseconds (self->record, call)
                      : -1;
  return times;
}
