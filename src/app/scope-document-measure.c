/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include <math.h>

#include "app/scope-release.h"

/* What a thread works on: numbers of the last run, and of the last run of another graph or of a
 * file. */
typedef struct {
  ScopeComparison *comparison;
  SymRecord *run, *reference;
  SymReference *expected; /* in place of both others */
} Work;

/* How far they are apart. */
typedef struct _ScopeMeasured {
  Work *work;
  GCancellable *cancellable; /* of what is being measured; NULL when it is done */
  ScopeDistances *result;
  GError *error;
} Measured;

static void
free_work (gpointer data)
{
  Work *self = data;

  g_clear_pointer (&self->comparison, scope_comparison_unref);
  g_clear_pointer (&self->run, sym_record_unref);
  g_clear_pointer (&self->reference, sym_record_unref);
  g_clear_pointer (&self->expected, sym_reference_unref);
  g_free (self);
}

/* It may hold the last reference to many numbers. */
static void
release_work (gpointer data)
{
  scope_release (data, free_work);
}

static Work *
copy_work (const Work *work)
{
  Work *self = g_new0 (Work, 1);

  self->run = sym_record_ref (work->run);
  if (work->comparison != NULL)
    self->comparison = scope_comparison_ref (work->comparison);
  if (work->reference != NULL)
    self->reference = sym_record_ref (work->reference);
  if (work->expected != NULL)
    self->expected = sym_reference_ref (work->expected);
  return self;
}

static void
measure_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *self = task_data;
  GError *error = NULL;
  ScopeDistances *result =
      self->expected != NULL
          ? scope_distances_new_expected (self->expected, self->run, cancellable, &error)
          : scope_distances_new (self->comparison, self->run, self->reference, cancellable, &error);

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
  release_work (measured->work);
  g_free (measured);
}

/* ---- When there is something to measure ---- */

static gboolean
is_of (SymRecord *record, SymModel *model)
{
  return record != NULL && sym_record_get_model (record) == model;
}

/* Borrowed; FALSE when there is nothing to measure. */
static gboolean
find_work (ScopeDocument *self, Work *work)
{
  ScopeDocument *other = scope_document_get_compared (self);

  *work = (Work){ .comparison = scope_document_get_comparison (self),
                  .run = self->record,
                  .reference = other != NULL ? other->record : NULL,
                  .expected = scope_document_get_expected (self) };
  if (work->expected != NULL)
    return is_of (work->run, sym_reference_get_model (work->expected));
  return work->comparison != NULL &&
         is_of (work->run, sym_inference_get_model (scope_comparison_get_own (work->comparison))) &&
         is_of (work->reference,
                sym_inference_get_model (scope_comparison_get_other (work->comparison)));
}

static gboolean
is_same (const Work *a, const Work *b)
{
  return a->comparison == b->comparison && a->run == b->run && a->reference == b->reference &&
         a->expected == b->expected;
}

static void
begin (ScopeDocument *self, const Work *work)
{
  Measured *measured = g_new0 (Measured, 1);

  measured->work = copy_work (work);
  measured->cancellable = g_cancellable_new ();
  self->measured = measured;
  g_autoptr (GTask) task = g_task_new (self, measured->cancellable, measured_cb, NULL);

  g_task_set_source_tag (task, scope_document_measure_again);
  g_task_set_task_data (task, copy_work (work), release_work);
  g_task_run_in_thread (task, measure_thread);
}

void
scope_document_measure_again (ScopeDocument *self)
{
  Measured *measured = self->measured;
  Work work;

  if (!find_work (self, &work))
    {
      gboolean was_measured = measured != NULL && measured->result != NULL;

      scope_document_forget_measured (self);
      if (was_measured)
        paint_again (self);
      return;
    }
  if (measured != NULL && is_same (measured->work, &work))
    return;
  scope_document_forget_measured (self);
  begin (self, &work);
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
                 is_of (self->measured->work->run, sym_inference_get_model (self->inference))
             ? distances
             : NULL;
}

ScopeDistances *
scope_document_ref_distances (ScopeDocument *self)
{
  return get_present (self) != NULL ? scope_distances_ref (self->measured->result) : NULL;
}

/* Nothing is farther away than what is of another shape. */
static void
mark_unlike (const ScopeDistances *distances, double *differences)
{
  guint n;
  const SymId *far = scope_distances_get_far (distances, &n);

  for (guint i = 0; i < n; i++)
    if (differences[far[i]] < 0)
      differences[far[i]] = INFINITY;
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
  mark_unlike (distances, differences);
  return differences;
}
