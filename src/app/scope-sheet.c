/* SPDX-License-Identifier: MIT */
#include "app/scope-sheet.h"

#include <glib/gi18n.h>
#include <string.h>

#define FILE_MODE 0666 /* less what the user masks */

struct _ScopeSheet {
  gatomicrefcount ref_count;
  SymSummary *summary;
  SymFigures *figures;  /* NULL for none */
  SymGroups *tree;      /* NULL: flat */
  double *milliseconds; /* NULL without a run */
  guint8 *changes;      /* NULL: compared with nothing */
  double *differences;  /* NULL: not both have run */
  GArray *only;         /* of SymId; NULL: all */
  GArray *columns;      /* of guint */
  int sort;
  gboolean descends;
};

static const ScopeSheetFormat formats[] = {
  { SYM_TABLE_TEXT, "text", ".txt", N_ ("Text") },
  { SYM_TABLE_CSV, "csv", ".csv", N_ ("CSV") },
  { SYM_TABLE_MARKDOWN, "markdown", ".md", N_ ("Markdown") },
  { SYM_TABLE_LATEX, "latex", ".tex", N_ ("LaTeX") },
  { SYM_TABLE_JSON, "json", ".json", N_ ("JSON") },
};

/* ---- What it is of ---- */

/* Of a preview nobody has counted what runs take. */
static void
add_column (ScopeSheet *self, const char *name)
{
  guint n, column;
  const SymColumnInfo *infos = sym_columns_get (&n);

  if (!sym_column_find (name, &column))
    return;
  if ((infos[column].needs_figures && self->figures == NULL) ||
      (infos[column].needs_times && self->milliseconds == NULL) ||
      (infos[column].needs_changes && self->changes == NULL) ||
      (infos[column].needs_differences && self->differences == NULL))
    return;
  g_array_append_val (self->columns, column);
}

static int
find_sort (const ScopeSheet *self, const ScopeRowsView *rows)
{
  guint n, column;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  if (rows->sort == 0 || rows->sort > n || !sym_column_find (columns[rows->sort - 1].name, &column))
    return -1;
  for (guint i = 0; i < self->columns->len; i++)
    if (g_array_index (self->columns, guint, i) == column)
      return (int) column;
  return -1;
}

static void
take_rows (ScopeSheet *self, ScopeDocument *document)
{
  const ScopeRowsView *rows = &scope_document_get_view (document)->rows;
  SymFolding *folding = scope_document_get_folding (document);
  SymIds found = scope_document_get_found (document);

  self->sort = find_sort (self, rows);
  self->descends = rows->descends;
  if (rows->is_tree && folding != NULL &&
      sym_groups_get_model (sym_folding_get_groups (folding)) ==
          sym_inference_get_model (sym_summary_get_inference (self->summary)))
    self->tree = sym_groups_ref (sym_folding_get_groups (folding));
  if (scope_document_has_search (document) && !rows->has_all)
    {
      self->only = g_array_sized_new (FALSE, FALSE, sizeof (SymId), found.n);
      g_array_append_vals (self->only, found.ids, found.n);
    }
}

static ScopeSheet *
create (ScopeDocument *document)
{
  SymSummary *summary = scope_document_get_summary (document);
  SymFigures *figures = scope_document_get_figures (document);
  SymRecord *record = scope_document_get_record (document);
  ScopeSheet *self;

  if (summary == NULL)
    return NULL;
  self = g_new0 (ScopeSheet, 1);
  SymInference *inference = sym_summary_get_inference (summary);

  g_atomic_ref_count_init (&self->ref_count);
  self->summary = sym_summary_ref (summary);
  if (figures != NULL && sym_figures_get_inference (figures) == inference)
    self->figures = sym_figures_ref (figures);
  if (record != NULL && sym_record_get_model (record) == sym_inference_get_model (inference))
    self->milliseconds = scope_document_list_times (document);
  self->changes = scope_document_list_changes (document);
  self->differences = scope_document_list_differences (document);
  self->columns = g_array_new (FALSE, FALSE, sizeof (guint));
  self->sort = -1;
  return self;
}

ScopeSheet *
scope_sheet_new (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeSheet *self = create (document);
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  if (self == NULL)
    return NULL;
  for (guint i = 0; i < n; i++)
    add_column (self, columns[i].name);
  take_rows (self, document);
  return self;
}

ScopeSheet *
scope_sheet_new_shown (ScopeDocument *document, const GArray *places)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document) && places != NULL, NULL);

  ScopeSheet *self = scope_sheet_new (document);
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  if (self == NULL)
    return NULL;
  g_array_set_size (self->columns, 0);
  for (guint i = 0; i < places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (places, ScopeColumnPlace, i);

      if (place->is_shown)
        add_column (self, columns[place->column].name);
    }
  return self;
}

ScopeSheet *
scope_sheet_ref (ScopeSheet *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
scope_sheet_unref (ScopeSheet *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  sym_summary_unref (self->summary);
  g_clear_pointer (&self->figures, sym_figures_unref);
  g_clear_pointer (&self->tree, sym_groups_unref);
  g_clear_pointer (&self->only, g_array_unref);
  g_array_unref (self->columns);
  g_free (self->milliseconds);
  g_free (self->changes);
  g_free (self->differences);
  g_free (self);
}

gboolean
scope_sheet_is_plain (const ScopeSheet *self)
{
  return self->sort < 0 && self->tree == NULL && self->only == NULL;
}

/* ---- The table ---- */

static SymSummaryViewOptions
get_plain_options (const ScopeSheet *self)
{
  return (SymSummaryViewOptions){ .columns = (const guint *) (gconstpointer) self->columns->data,
                                  .n_columns = self->columns->len,
                                  .sort = -1,
                                  .figures = self->figures,
                                  .milliseconds = self->milliseconds,
                                  .changes = self->changes,
                                  .differences = self->differences };
}

SymSummaryView *
scope_sheet_create_plain (const ScopeSheet *self)
{
  SymSummaryViewOptions options = get_plain_options (self);

  return sym_summary_view_new (self->summary, &options, NULL, NULL);
}

static SymSummaryView *
create_view (const ScopeSheet *self, GCancellable *cancellable, GError **error)
{
  SymSummaryViewOptions options = get_plain_options (self);
  SymIds only = { NULL, 0 };

  options.sort = self->sort;
  options.descends = self->descends;
  options.tree = self->tree;
  if (self->only != NULL)
    {
      only = (SymIds){ (const SymId *) (gconstpointer) self->only->data, self->only->len };
      options.only = &only;
    }
  return sym_summary_view_new (self->summary, &options, cancellable, error);
}

static void
create_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  SymSummaryView *view = create_view (task_data, cancellable, &error);

  if (view != NULL)
    g_task_return_pointer (task, view, (GDestroyNotify) sym_summary_view_unref);
  else
    g_task_return_error (task, error);
}

void
scope_sheet_create_async (ScopeSheet *self,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_return_if_fail (self != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, scope_sheet_create_async);
  g_task_set_task_data (task, scope_sheet_ref (self), (GDestroyNotify) scope_sheet_unref);
  g_task_run_in_thread (task, create_thread);
}

SymSummaryView *
scope_sheet_create_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- As text ---- */

const ScopeSheetFormat *
scope_sheet_get_formats (guint *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

const ScopeSheetFormat *
scope_sheet_find_format (const char *name)
{
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : g_strdup ("");

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (lower, formats[i].suffix))
      return &formats[i];
  return NULL;
}

typedef struct {
  ScopeSheet *sheet;
  const ScopeSheetFormat *format;
  char *path; /* NULL: nowhere */
} Writing;

static void
free_writing (gpointer data)
{
  Writing *self = data;

  scope_sheet_unref (self->sheet);
  g_free (self->path);
  g_free (self);
}

static Writing *
begin (ScopeSheet *sheet, const ScopeSheetFormat *format, GFile *file)
{
  Writing *self = g_new0 (Writing, 1);

  self->sheet = scope_sheet_ref (sheet);
  self->format = format;
  self->path = file != NULL ? g_file_get_path (file) : NULL;
  return self;
}

static char *
write_text (const Writing *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (SymSummaryView) view = create_view (self->sheet, cancellable, error);
  g_autofree char *text = view != NULL ? sym_summary_view_write (view, self->format->format) : NULL;

  if (text == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&text);
}

static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *text = write_text (task_data, cancellable, &error);

  if (text != NULL)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

void
scope_sheet_write_async (ScopeSheet *self,
                         const ScopeSheetFormat *format,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_return_if_fail (self != NULL && format != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, scope_sheet_write_async);
  g_task_set_task_data (task, begin (self, format, NULL), free_writing);
  g_task_run_in_thread (task, write_thread);
}

char *
scope_sheet_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
save_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Writing *self = task_data;
  GError *error = NULL;
  g_autofree char *text = write_text (self, cancellable, &error);

  if (text != NULL &&
      g_file_set_contents_full (self->path, text, (gssize) strlen (text),
                                G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                FILE_MODE, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
scope_sheet_save_async (ScopeSheet *self,
                        const ScopeSheetFormat *format,
                        GFile *file,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_return_if_fail (self != NULL && format != NULL && G_IS_FILE (file));

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, scope_sheet_save_async);
  if (g_file_peek_path (file) == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                               _ ("Only files of this computer can be written"));
      return;
    }
  g_task_set_task_data (task, begin (self, format, file), free_writing);
  g_task_set_check_cancellable (task, FALSE); /* what was written is there, and is told */
  g_task_run_in_thread (task, save_thread);
}

gboolean
scope_sheet_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
