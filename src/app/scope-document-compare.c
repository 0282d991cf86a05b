/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include <glib/gi18n.h>

#include "app/scope-file-name.h"
#include "app/scope-release.h"
#include "io/sym-numbers.h"

/* What the graph is compared with, and what came of it. */
typedef struct _ScopeCompared {
  ScopeDocument *self; /* borrowed: it holds this */
  GFile *file;         /* NULL: it is a tab */
  GWeakRef document;   /* that tab */
  gulong handler;      /* of its changes */
  char *title;
  SymInference *other;  /* NULL until it is known, and when the file has numbers alone */
  SymNumbers *expected; /* these */
  gboolean numbers;
  ScopeColors colors;        /* before it */
  gboolean was_shown;        /* its colours have been seen once */
  GCancellable *cancellable; /* of what is being made; NULL for nothing */
  ScopeComparison *result;
  SymReference *reference; /* the other result: @expected for the model that there is now */
  GError *error;
} Compared;

/* ---- In a thread ---- */

typedef struct {
  GFile *file;
  SymInference *own, *other; /* the latter NULL: in that file */
  char *title;
  gboolean numbers;
  SymInference *read; /* that was in there */
  SymNumbers *expected;
  SymReference *reference;
} Work;

static void
free_work (gpointer data)
{
  Work *self = data;

  g_clear_object (&self->file);
  g_clear_pointer (&self->own, sym_inference_unref);
  g_clear_pointer (&self->other, sym_inference_unref);
  g_clear_pointer (&self->read, sym_inference_unref);
  g_clear_pointer (&self->expected, sym_numbers_unref);
  g_clear_pointer (&self->reference, sym_reference_unref);
  g_free (self->title);
  g_free (self);
}

/* It may hold the last reference to a large graph. */
static void
release_work (gpointer data)
{
  scope_release (data, free_work);
}

static SymInference *
read_other (GFile *file, GCancellable *cancellable, GError **error)
{
  SymModel *model = scope_read_model (file, NULL, cancellable, error);

  if (model == NULL)
    return NULL;
  SymInference *inference = sym_infer (model, NULL, 0, cancellable, error);

  sym_model_unref (model);
  return inference;
}

/* Numbers alone, or else a graph: FALSE when it is neither. */
static gboolean
read_file (Work *self, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (self->file);
  g_autoptr (GError) local = NULL;

  if (path != NULL)
    self->expected = sym_numbers_read (path, cancellable, &local);
  if (self->expected != NULL)
    return TRUE;
  if (local != NULL && !g_error_matches (local, SYM_IO_ERROR, SYM_IO_ERROR_UNRECOGNISED))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  self->read = read_other (self->file, cancellable, error);
  if (self->read == NULL)
    return FALSE;
  self->other = sym_inference_ref (self->read);
  return TRUE;
}

/* FALSE when none of the numbers is of the graph. */
static gboolean
find_numbers (Work *self, GError **error)
{
  const SymNumbers *all = self->expected;

  self->reference = sym_reference_new (sym_inference_get_model (self->own),
                                       sym_numbers_get_names (all), sym_numbers_get_tensors (all),
                                       sym_numbers_get_n (all), sym_numbers_has_dtypes (all));
  if (sym_reference_get_n_found (self->reference) > 0)
    return TRUE;
  if (sym_numbers_get_n (all) > 0)
    g_set_error (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                 _ ("no value or layer of this graph is called like an array there, such as “%s”"),
                 sym_numbers_get_names (all)[0]);
  else
    g_set_error_literal (error, SYM_IO_ERROR, SYM_IO_ERROR_FORMAT,
                         _ ("there are no numbers in it"));
  return FALSE;
}

static void
compare_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *self = task_data;
  GError *error = NULL;
  ScopeComparison *result = NULL;

  if (self->other == NULL && self->expected == NULL && !read_file (self, cancellable, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (self->expected != NULL)
    find_numbers (self, &error);
  else
    result = scope_comparison_new (self->other, self->own, self->title, self->numbers, cancellable,
                                   &error);
  if (error == NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) scope_comparison_unref);
  else
    g_task_return_error (task, error);
}

/* ---- What came of it ---- */

static void
take_colors (ScopeDocument *self, ScopeColors colors)
{
  ScopeView view = self->view;

  view.colors = colors;
  if (colors == self->view.colors && self->layout != NULL)
    scope_document_request (self, 1u << SCOPE_STAGE_PICTURE);
  scope_document_set_view (self, &view);
}

static void
forget_results (Compared *self)
{
  scope_release (g_steal_pointer (&self->result), (GDestroyNotify) scope_comparison_unref);
  g_clear_pointer (&self->reference, sym_reference_unref);
}

/* Whether the colours tell nothing without a comparison. */
static gboolean
shows_other (ScopeDocument *self)
{
  return self->view.colors == SCOPE_COLORS_COMPARISON || self->view.colors == SCOPE_COLORS_DISTANCE;
}

/* Whoever looks at other colours meanwhile keeps them. */
static void
show_result (ScopeDocument *self)
{
  Compared *compared = self->compared;
  ScopeColors colors =
      compared->reference != NULL ? SCOPE_COLORS_DISTANCE : SCOPE_COLORS_COMPARISON;

  if (!compared->was_shown)
    compared->colors = self->view.colors;
  if (!compared->was_shown || self->view.colors == colors)
    take_colors (self, colors);
  compared->was_shown = TRUE;
}

static void
compared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeDocument *self = SCOPE_DOCUMENT (source);
  Work *work = g_task_get_task_data (G_TASK (result));
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  GError *error = NULL;
  ScopeComparison *comparison = g_task_propagate_pointer (G_TASK (result), &error);
  Compared *compared = self->compared;

  if (compared == NULL || compared->cancellable != cancellable)
    {
      scope_release (comparison, (GDestroyNotify) scope_comparison_unref);
      g_clear_error (&error);
      return;
    }
  g_clear_object (&compared->cancellable);
  if (compared->other == NULL)
    compared->other = g_steal_pointer (&work->read);
  if (compared->expected == NULL)
    compared->expected = g_steal_pointer (&work->expected);
  forget_results (compared);
  g_clear_error (&compared->error);
  compared->result = comparison;
  if (error == NULL)
    compared->reference = g_steal_pointer (&work->reference);
  compared->error = error;
  self->difference = G_MAXUINT;
  if (error == NULL)
    show_result (self);
  scope_document_emit_changed (self, SCOPE_CHANGE_COMPARISON);
}

/* ---- Beginning ---- */

static void
stop (Compared *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/* Of a preview nothing is known that could be compared. */
static SymInference *
get_inference (ScopeDocument *document)
{
  return document->figures != NULL ? document->inference : NULL;
}

static void
fail (Compared *self, const GError *error)
{
  g_clear_error (&self->error);
  self->error = g_error_copy (error);
}

/* As it is in its tab now.  FALSE while that is being read, or cannot be. */
static gboolean
look_at_tab (Compared *self)
{
  g_autoptr (ScopeDocument) document = g_weak_ref_get (&self->document);
  SymInference *inference = document != NULL ? get_inference (document) : self->other;

  if (inference == NULL)
    {
      if (document != NULL && document->error != NULL)
        fail (self, document->error);
      return FALSE;
    }
  if (inference == self->other)
    return TRUE;
  scope_release (g_steal_pointer (&self->other), (GDestroyNotify) sym_inference_unref);
  self->other = sym_inference_ref (inference);
  return TRUE;
}

void
scope_document_compare_again (ScopeDocument *self)
{
  Compared *compared = self->compared;
  SymInference *own = get_inference (self);

  if (compared == NULL || own == NULL)
    return;
  stop (compared);
  if (compared->file == NULL && !look_at_tab (compared))
    return;
  Work *work = g_new0 (Work, 1);

  g_set_object (&work->file, compared->file);
  work->own = sym_inference_ref (own);
  work->other = compared->other != NULL ? sym_inference_ref (compared->other) : NULL;
  work->expected = compared->expected != NULL ? sym_numbers_ref (compared->expected) : NULL;
  work->title = g_strdup (compared->title);
  work->numbers = compared->numbers;
  compared->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, compared->cancellable, compared_cb, NULL);

  g_task_set_source_tag (task, scope_document_compare_again);
  g_task_set_task_data (task, work, release_work);
  g_task_run_in_thread (task, compare_thread);
}

static void
other_changed_cb (ScopeDocument *other, guint changes, Compared *compared)
{
  gboolean has_error = scope_document_get_error (other) != NULL;

  if (changes & SCOPE_CHANGE_RUN)
    scope_document_measure_again (compared->self);
  if ((changes & SCOPE_CHANGE_TYPES) == 0 && !((changes & SCOPE_CHANGE_PROGRESS) && has_error))
    return;
  scope_document_compare_again (compared->self);
  scope_document_emit_changed (compared->self, SCOPE_CHANGE_COMPARISON);
}

static Compared *
begin (ScopeDocument *self, const char *title)
{
  ScopeColors colors = self->compared != NULL && self->compared->was_shown ? self->compared->colors
                                                                           : self->view.colors;

  scope_document_forget_compared (self);
  Compared *compared = g_new0 (Compared, 1);

  compared->self = self;
  compared->title = g_strdup (title);
  compared->colors = colors;
  self->difference = G_MAXUINT;
  g_weak_ref_init (&compared->document, NULL);
  if (shows_other (self))
    take_colors (self, colors);
  self->compared = compared;
  return compared;
}

static void
start (ScopeDocument *self)
{
  scope_document_compare_again (self);
  scope_document_emit_changed (self, SCOPE_CHANGE_COMPARISON);
}

void
scope_document_compare (ScopeDocument *self, ScopeDocument *other)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && SCOPE_IS_DOCUMENT (other) && self != other);

  Compared *compared = begin (self, other->title);

  g_weak_ref_set (&compared->document, other);
  compared->handler = g_signal_connect (other, "changed", G_CALLBACK (other_changed_cb), compared);
  start (self);
}

void
scope_document_compare_file (ScopeDocument *self, GFile *file)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && G_IS_FILE (file));

  g_autofree char *title = scope_file_name (file);

  begin (self, title)->file = g_object_ref (file);
  start (self);
}

/* ---- Ending ---- */

void
scope_document_drop_comparison (ScopeDocument *self)
{
  Compared *compared = self->compared;

  if (compared == NULL)
    return;
  stop (compared);
  forget_results (compared);
}

void
scope_document_forget_compared (ScopeDocument *self)
{
  Compared *compared = self->compared;

  if (compared == NULL)
    return;
  g_autoptr (ScopeDocument) other = g_weak_ref_get (&compared->document);

  scope_document_drop_comparison (self);
  if (other != NULL)
    g_signal_handler_disconnect (other, compared->handler);
  g_weak_ref_clear (&compared->document);
  scope_release (compared->other, (GDestroyNotify) sym_inference_unref);
  g_clear_pointer (&compared->expected, sym_numbers_unref);
  g_clear_object (&compared->file);
  g_clear_error (&compared->error);
  g_free (compared->title);
  g_free (compared);
  self->compared = NULL;
}

void
scope_document_end_comparison (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->compared == NULL)
    return;
  ScopeColors colors = self->compared->colors;

  scope_document_forget_compared (self);
  if (shows_other (self))
    take_colors (self, colors);
  scope_document_emit_changed (self, SCOPE_CHANGE_COMPARISON);
}

/* ---- What is known ---- */

const char *
scope_document_get_compared_title (ScopeDocument *self)
{
  return self->compared != NULL ? self->compared->title : NULL;
}

ScopeDocument *
scope_document_get_compared (ScopeDocument *self)
{
  g_autoptr (ScopeDocument) other =
      self->compared != NULL ? g_weak_ref_get (&self->compared->document) : NULL;

  return other;
}

ScopeComparison *
scope_document_get_comparison (ScopeDocument *self)
{
  return self->compared != NULL ? self->compared->result : NULL;
}

SymReference *
scope_document_get_expected (ScopeDocument *self)
{
  return self->compared != NULL ? self->compared->reference : NULL;
}

const GError *
scope_document_get_comparison_error (ScopeDocument *self)
{
  return self->compared != NULL ? self->compared->error : NULL;
}

gboolean
scope_document_is_comparing (ScopeDocument *self)
{
  return self->compared != NULL && self->compared->error == NULL &&
         (self->compared->cancellable != NULL ||
          (self->compared->result == NULL && self->compared->reference == NULL));
}

/* That of the model that there is now; NULL for none. */
static ScopeComparison *
get_present (ScopeDocument *self)
{
  ScopeComparison *comparison = scope_document_get_comparison (self);

  if (comparison == NULL || self->inference == NULL ||
      sym_inference_get_model (scope_comparison_get_own (comparison)) !=
          sym_inference_get_model (self->inference))
    return NULL;
  return comparison;
}

guint8 *
scope_document_list_changes (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  ScopeComparison *comparison = get_present (self);

  if (comparison == NULL)
    return NULL;
  return g_memdup2 (scope_comparison_get_kinds (comparison),
                    sym_model_get_n_calls (sym_inference_get_model (self->inference)) + 1);
}

char *
scope_document_describe_change (ScopeDocument *self, SymId call)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  ScopeComparison *comparison = get_present (self);

  return comparison != NULL ? scope_comparison_describe (comparison, call) : NULL;
}

void
scope_document_set_compares_numbers (ScopeDocument *self, gboolean numbers)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->compared == NULL || self->compared->numbers == numbers)
    return;
  self->compared->numbers = numbers;
  g_clear_error (&self->compared->error);
  start (self);
}

gboolean
scope_document_get_compares_numbers (ScopeDocument *self)
{
  return self->compared != NULL && self->compared->numbers;
}
