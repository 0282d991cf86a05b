/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include <math.h>

#include "app/scope-release.h"

/* How far the numbers of the last run are from those of the last run of the graph that this one is
 * compared with. */
typedef struct _ScopeMeasured {
  ScopeComparison *comparison; /* what it is of */
  SymRecord *run, *reference;
  GCancellable *cancellable; /* of what is being measured; NULL when it is done */
  ScopeDistances *result;
  GError *error;
} Measured;

/* What a thread works on. */
typedef struct {
  ScopeComparison *comparison;
  SymRecord *run, *reference;
} Work;

static void
free_work (gpointer data)
{
  Work *self = data;

  scope_comparison_unref (self->comparison);
  sym_record_unref (self->run);
  sym_record_unref (self->reference);
  g_free (self);
}

/* It may hold the last reference to many numbers. */
static void
release_work (gpointer data)
{
  scope_release (data, free_work);
}

static Work *
make_work (ScopeComparison *comparison, SymRecord *run, SymRecord *reference)
{
  Work *self = g_new0 (Work, 1);

  self->comparison = scope_comparison_ref (comparison);
  self->run = sym_record_ref (run);
  self->reference = sym_record_ref (reference);
  return self;
}

static void
measure_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *self = task_data;
  GError *error = NULL;
  ScopeDistances *result =
      scope_distances_new (self->comparison, self->run, self->reference, cancellable, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) scope_distances_unref);
  else
    g_task_return_error (task, error);
}

/* They are the colours, too. */
static void
paint_again (ScopeDocument *self)
{
  if (self->view.colors == SCOPE_COLORS_DISTANCE && self->layout != NULL)
    scope_document_request (self, 1u << SCOPE_STAGE_PICTURE);
}

static void
measured_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeDocument *self = SCOPE_DOCUMENT (source);
  Measured *measured = self->measured;
  g_autoptr (GError) error = NULL;
  g_autoptr (ScopeDistances) distances = g_task_propagate_pointer (G_TASK (result), &error);

  if (measured == NULL || measured->cancellable != g_task_get_cancellable (G_TASK (result)))
    return; /* others are on their way, or nobody waits */
  g_clear_object (&measured->cancellable);
  measured->result = g_steal_pointer (&distances);
  measured->error = g_steal_pointer (&error);
  paint_again (self);
  scope_document_emit_changed (self, SCOPE_CHANGE_COMPARISON);
}

void
scope_document_forget_measured (ScopeDocument *self)
{
  Measured *measured = self->measured;

  if (measured == NULL)
    return;
  self->measured = NULL;
  if (measured->cancellable != NULL)
    g_cancellable_cancel (measured->cancellable);
  g_clear_object (&measured->cancellable);
  g_clear_pointer (&measured->result, scope_distances_unref);
  g_clear_error (&measured->error);
  release_work (make_work (measured->comparison, measured->run, measured->reference));
  scope_comparison_unref (measured->comparison);
  sym_record_unref (measured->run);
  sym_record_unref (measured->reference);
  g_free (measured);
}

/* ---- When there is something to measure ---- */

static gboolean
is_of (SymRecord *record, SymInference *inference)
{
  return record != NULL && sym_record_get_model (record) == sym_inference_get_model (inference);
}

static void
begin (ScopeDocument *self, ScopeComparison *comparison, SymRecord *reference)
{
  Measured *measured = g_new0 (Measured, 1);

  measured->comparison = scope_comparison_ref (comparison);
  measured->run = sym_record_ref (self->record);
  measured->reference = sym_record_ref (reference);
  measured->cancellable = g_cancellable_new ();
  self->measured = measured;
  g_autoptr (GTask) task = g_task_new (self, measured->cancellable, measured_cb, NULL);

  g_task_set_source_tag (task, scope_document_measure_again);
  g_task_set_task_data (task, make_work (comparison, self->record, reference), release_work);
  g_task_run_in_thread (task, measure_thread);
}

void
scope_document_measure_again (ScopeDocument *self)
{
  Measured *measured = self->measured;
  ScopeComparison *comparison = scope_document_get_comparison (self);
  ScopeDocument *other = scope_document_get_compared (self);
  SymRecord *reference = other != NULL ? other->record : NULL;

  if (comparison == NULL || !is_of (self->record, scope_comparison_get_own (comparison)) ||
      !is_of (reference, scope_comparison_get_other (comparison)))
    {
      gboolean was_measured = measured != NULL && measured->result != NULL;

      scope_document_forget_measured (self);
      if (was_measured)
        paint_again (self);
      return;
    }
  if (measured != NULL && measured->comparison == comparison && measured->run == self->record &&
      measured->reference == reference)
    return;
  scope_document_forget_measured (self);
  begin (self, comparison, reference);
}

/* ---- What is known ---- */

const ScopeDistances *
scope_document_get_distances (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  return self->measured != NULL ? self->measured->result : NULL;
}

gboolean
scope_document_is_measuring (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  return self->measured != NULL && self->measured->cancellable != NULL;
}

const GError *
scope_document_get_measure_error (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  return self->measured != NULL ? self->measured->error : NULL;
}

/* What was measured may be of another model than there is now. */
static const ScopeDistances *
get_present (ScopeDocument *self)
{
  const ScopeDistances *distances = scope_document_get_distances (self);

  return distances != NULL && self->inference != NULL &&
                 is_of (self->measured->run, self->inference)
             ? distances
             : NULL;
}

ScopeDistances *
scope_document_ref_distances (ScopeDocument *self)
{
  return get_present (self) != NULL ? scope_distances_ref (self->measured->result) : NULL;
}

double *
scope_document_list_differences (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  const ScopeDistances *distances = get_present (self);

  if (distances == NULL)
    return NULL;
  guint n = sym_model_get_n_values (sym_inference_get_model (self->inference));
  double *differences = g_new (double, n + 1);

  for (SymId value = 0; value < n; value++)
    {
      const SymDistance *distance = scope_distances_get (distances, value);

      differences[value] = distance == NULL      ? -1
                           : distance->n_odd > 0 ? INFINITY
                                                 : distance->relative;
    }
  return differences;
}
