/* SPDX-License-Identifier: MIT */
#include "app/scope-value.h"

#include <glib/gi18n.h>

#include "store/sym-store-numpy.h"

typedef struct {
  ScopeValue value;
  char *path; /* of what is saved */
} Job;

ScopeValue
scope_value_find (SymModel *model, SymRecord *record, SymId value)
{
  ScopeValue self = { .value = value };

  if (value == SYM_NO_ID)
    return self;
  if (sym_model_get_tensor (model, value) != NULL)
    self.tensor = sym_tensor_ref (sym_model_get_tensor (model, value));
  else if (record != NULL && sym_record_get_type (record, value).kind != SYM_KIND_UNKNOWN)
    self.record = sym_record_ref (record);
  return self;
}

ScopeValue
scope_value_copy (const ScopeValue *self)
{
  ScopeValue copy = *self;

  if (copy.tensor != NULL)
    sym_tensor_ref (copy.tensor);
  if (copy.record != NULL)
    sym_record_ref (copy.record);
  return copy;
}

void
scope_value_clear (ScopeValue *self)
{
  g_clear_pointer (&self->tensor, sym_tensor_unref);
  g_clear_pointer (&self->record, sym_record_unref);
  self->value = SYM_NO_ID;
}

gboolean
scope_value_is_there (const ScopeValue *self)
{
  return self->tensor != NULL || self->record != NULL;
}

SymType
scope_value_get_type (const ScopeValue *self)
{
  if (self->tensor != NULL)
    return sym_type_tensor (sym_tensor_get_dtype (self->tensor),
                            *sym_tensor_get_shape (self->tensor));
  return self->record != NULL ? sym_record_get_type (self->record, self->value) : SYM_TYPE_UNKNOWN;
}

gboolean
scope_value_is_at_hand (const ScopeValue *self)
{
  return self->tensor != NULL ||
         (self->record != NULL && sym_record_get_datum (self->record, self->value) != NULL);
}

/* ---- Threads ---- */

static void
free_job (gpointer data)
{
  Job *self = data;

  scope_value_clear (&self->value);
  g_free (self->path);
  g_free (self);
}

static GTask *
create_task (const ScopeValue *value,
             GCancellable *cancellable,
             GAsyncReadyCallback callback,
             gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->value = scope_value_copy (value);
  g_task_set_task_data (task, job, free_job);
  return task;
}

static SymDatum *
load (const ScopeValue *self, GCancellable *cancellable, GError **error)
{
  if (self->tensor != NULL)
    return sym_datum_new_read (self->tensor, error);
  return sym_record_compute (self->record, self->value, cancellable, error);
}

static void
measure_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const ScopeValue *value = &((Job *) task_data)->value;
  SymStatistics *statistics = g_new0 (SymStatistics, 1);
  GError *error = NULL;

  if (sym_statistics_compute (statistics, value->tensor, SYM_RECORD_N_BINS, cancellable, &error))
    {
      g_task_return_pointer (task, statistics, g_free);
      return;
    }
  g_free (statistics);
  g_task_return_error (task, error);
}

void
scope_value_measure_async (const ScopeValue *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_return_if_fail (scope_value_is_there (self));

  g_autoptr (GTask) task = create_task (self, cancellable, callback, user_data);
  g_autofree SymStatistics *statistics = g_new0 (SymStatistics, 1);

  g_task_set_source_tag (task, scope_value_measure_async);
  if (self->tensor != NULL)
    g_task_run_in_thread (task, measure_thread);
  else if (sym_record_get_statistics (self->record, self->value, statistics))
    g_task_return_pointer (task, g_steal_pointer (&statistics), g_free);
  else
    g_task_return_new_error (task, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                             _ ("It has no statistics: its elements are no numbers"));
}

SymStatistics *
scope_value_measure_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
load_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  SymDatum *datum = load (&((Job *) task_data)->value, cancellable, &error);

  if (datum != NULL)
    g_task_return_pointer (task, datum, (GDestroyNotify) sym_datum_unref);
  else
    g_task_return_error (task, error);
}

void
scope_value_load_async (const ScopeValue *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_return_if_fail (scope_value_is_there (self));

  g_autoptr (GTask) task = create_task (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, scope_value_load_async);
  g_task_run_in_thread (task, load_thread);
}

SymDatum *
scope_value_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- Saving ---- */

static gboolean
save (const Job *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymDatum) datum = NULL;
  g_autoptr (SymTensor) tensor = NULL;

  if (self->value.tensor != NULL)
    return sym_store_write_npy (self->path, self->value.tensor, error);
  datum = load (&self->value, cancellable, error);
  if (datum == NULL)
    return FALSE;
  if (sym_datum_get_array (datum) == NULL)
    {
      g_set_error_literal (error, SYM_ERROR, SYM_ERROR_UNSUPPORTED,
                           _ ("only tensors can be saved as .npy"));
      return FALSE;
    }
  tensor = sym_tensor_new_copy (sym_datum_get_array (datum), error);
  return tensor != NULL && !g_cancellable_set_error_if_cancelled (cancellable, error) &&
         sym_store_write_npy (self->path, tensor, error);
}

static void
save_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (save (task_data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
scope_value_save_async (const ScopeValue *self,
                        GFile *file,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_return_if_fail (scope_value_is_there (self));

  g_autoptr (GTask) task = create_task (self, cancellable, callback, user_data);
  Job *job = g_task_get_task_data (task);

  g_task_set_source_tag (task, scope_value_save_async);
  job->path = g_file_get_path (file);
  if (job->path != NULL)
    g_task_run_in_thread (task, save_thread);
  else
    g_task_return_new_error (task, SYM_ERROR, SYM_ERROR_ARGUMENT, _ ("it is not on this computer"));
}

gboolean
scope_value_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
