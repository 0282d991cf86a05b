/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-chooser.h"
#include "app/scope-export-dialog.h"
#include "app/scope-extract.h"
#include "app/scope-file-name.h"
#include "app/scope-later.h"
#include "app/scope-messages.h"
#include "app/scope-save-kind.h"
#include "app/scope-work.h"

/* Something that takes its time, and the card that says so. */
typedef struct {
  ScopeWindow *window;
  GtkWidget *card;
  GFile *file; /* that is written; NULL for none */
} Work;

static void
work_free (Work *self)
{
  scope_work_end (SCOPE_WORK (self->card));
  g_object_unref (self->card);
  g_object_unref (self->window);
  g_clear_object (&self->file);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static Work *
work_new (ScopeWindow *window, const char *text, GFile *file, GCancellable *cancellable)
{
  Work *self = g_new0 (Work, 1);

  self->window = g_object_ref (window);
  g_set_object (&self->file, file);
  self->card = g_object_ref_sink (scope_work_new (text, cancellable));
  scope_window_begin_work (window, self->card);
  return self;
}

static void
tell_result (Work *self, const GError *error)
{
  g_autofree char *name = scope_file_name (self->file);
  g_autofree char *text = NULL;

  if (error == NULL)
    {
      text = g_strdup_printf (_ ("Saved %s"), name);
      scope_window_offer_folder (self->window, text, self->file);
      return;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    text = g_strdup_printf (_ ("%s was not saved"), name);
  else
    text = g_strdup_printf (_ ("Not saved: %s"), error->message);
  scope_window_show_message (self->window, text);
}

/* A part that was saved is often wanted next. */
static void
offer_to_open (Work *self)
{
  g_autofree char *name = scope_file_name (self->file);
  g_autofree char *text = g_strdup_printf (_ ("Saved %s"), name);
  g_autofree char *uri = g_file_get_uri (self->file);

  scope_messages_offer (ADW_TOAST_OVERLAY (self->window->toasts), text, _ ("Show"), "win.open-file",
                        uri);
}

/* ---- Choosers ---- */

static GtkFileChooserNative *
create_chooser (ScopeWindow *self,
                GtkWindow *parent,
                const char *title,
                GtkFileChooserAction action,
                GCallback response_cb)
{
  scope_chooser_let_go (&self->chooser, self);
  self->chooser = scope_chooser_new (
      title, parent, action, action == GTK_FILE_CHOOSER_ACTION_OPEN ? _ ("_Open") : _ ("_Save"));
  g_object_set_data_full (G_OBJECT (self->chooser), "document",
                          self->document != NULL ? g_object_ref (self->document) : NULL,
                          g_object_unref);
  g_signal_connect (self->chooser, "response", response_cb, self);
  return self->chooser;
}

/* The file that was chosen; NULL for none, also where GTK 4.8 takes a name that is empty. */
static GFile *
get_file (GtkNativeDialog *dialog, int response)
{
  return response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                                         : NULL;
}

/* While somebody chooses, another program may open a file here, or write one that is open.  Puts
 * the tab in front again that was when the chooser opened; FALSE when that has gone, or has no
 * graph any more. */
static gboolean
go_back (ScopeWindow *self, GtkNativeDialog *chooser)
{
  ScopeDocument *document = g_object_get_data (G_OBJECT (chooser), "document");

  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);

      if (page != NULL && scope_page_get_document (page) == document)
        adw_tab_view_set_selected_page (self->tabs,
                                        adw_tab_view_get_nth_page (self->tabs, (int) i));
    }
  return document != NULL && self->document == document &&
         scope_document_get_inference (document) != NULL;
}

/* Keeps where the file of a document lies: a part of it has no file yet. */
static void
remember_folder (ScopeWindow *self, ScopeDocument *document)
{
  GFile *file = document != NULL ? scope_document_get_file (document) : NULL;
  g_autoptr (GFile) folder =
      file != NULL && g_file_is_native (file) ? g_file_get_parent (file) : NULL;

  if (folder != NULL)
    g_set_object (&self->folder, folder);
}

/* Where the file of the document lies, else that of another, is where the next one is likely to be.
 */
static void
suggest_folder (ScopeWindow *self, ScopeDocument *document)
{
  remember_folder (self, document);
  if (self->folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->chooser), self->folder, NULL);
}

static void
suggest (ScopeWindow *self, ScopeDocument *document, const char *suffix)
{
  suggest_folder (self, document);
  scope_chooser_suggest_name (self->chooser, scope_document_get_title (document), suffix);
}

static void
close_chooser (ScopeWindow *self)
{
  scope_chooser_let_go (&self->chooser, self);
}

/* ---- Open ---- */

static void
open_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  g_autoptr (GListModel) files = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
      for (guint i = 0; i < g_list_model_get_n_items (files); i++)
        {
          g_autoptr (GFile) file = g_list_model_get_item (files, i);

          scope_window_open (self, file);
        }
    }
  close_chooser (self);
}

void
scope_window_choose_open (ScopeWindow *self)
{
  GtkFileChooserNative *chooser =
      create_chooser (self, GTK_WINDOW (self), _ ("Open Graph"), GTK_FILE_CHOOSER_ACTION_OPEN,
                      G_CALLBACK (open_response_cb));

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  suggest_folder (self, self->document);
  scope_later_show (GTK_NATIVE_DIALOG (chooser));
}

/* ---- Extract ---- */

static void
extract_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymProblems) notes = NULL;
  SymModel *model = scope_extract_finish (result, &notes, &error);

  if (error == NULL)
    offer_to_open (work);
  else
    tell_result (work, error);
  g_clear_pointer (&model, sym_model_unref);
  if (notes != NULL && sym_problems_get_n (notes) > 0)
    scope_window_show_message (work->window, sym_problems_get (notes, 0)->message);
}

/* One that had no suffix may be there with one. */
static void
tell_not_saved (ScopeWindow *self, const GError *error)
{
  g_autofree char *text = g_strdup_printf (_ ("Not saved: %s"), error->message);

  scope_window_show_message (self, text);
}

static gboolean
has_closed (ScopeWindow *self)
{
  return gtk_window_get_application (GTK_WINDOW (self)) == NULL;
}

static void
extract_named_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeWindow) self = user_data;
  ScopeDocument *document = SCOPE_DOCUMENT (source);
  g_autoptr (GError) error = NULL;
  gconstpointer format;
  g_autoptr (GFile) file = scope_save_kind_settle_finish (result, &format, &error);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  if (has_closed (self))
    return;
  if (file == NULL)
    tell_not_saved (self, error);
  else
    scope_extract_async (document, format != NULL ? format : scope_extract_get_format (document),
                         file, cancellable, extract_done_cb,
                         work_new (self, _ ("Saving…"), file, cancellable));
}

static void
extract_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  g_autoptr (GFile) file = get_file (dialog, response);

  if (file != NULL && go_back (self, dialog))
    scope_save_kind_settle_async (GTK_FILE_CHOOSER (dialog), file, self->document, extract_named_cb,
                                  g_object_ref (self));
  close_chooser (self);
}

/* Every format that can be written, the document's own chosen. */
static void
add_formats (GtkFileChooser *chooser, const SymIoFormat *own)
{
  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    if (sym_io_format_can_write (*format))
      scope_save_kind_add (chooser, sym_io_format_get_title (*format),
                           sym_io_format_get_suffix (*format), *format, *format == own);
}

void
scope_window_choose_extract (ScopeWindow *self)
{
  const SymIoFormat *format = scope_extract_get_format (self->document);
  GtkFileChooserNative *chooser =
      create_chooser (self, GTK_WINDOW (self), _ ("Save Model"), GTK_FILE_CHOOSER_ACTION_SAVE,
                      G_CALLBACK (extract_response_cb));
  g_autofree char *suffix =
      g_strconcat (scope_document_get_cut (self->document) != NULL ? "-part" : "-copy",
                   sym_io_format_get_suffix (format), NULL);

  add_formats (GTK_FILE_CHOOSER (chooser), format);
  suggest (self, self->document, suffix);
  scope_later_show (GTK_NATIVE_DIALOG (chooser));
  scope_save_kind_follow (chooser);
}

/* ---- Files that belong to the graph ---- */

static void
file_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT
                               ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                               : NULL;

  if (file != NULL && go_back (self, dialog))
    self->file_func (self, file);
  close_chooser (self);
}

static void
choose_existing (ScopeWindow *self,
                 const char *title,
                 GtkFileChooserAction action,
                 ScopeWindowFileFunc func)
{
  GtkFileChooserNative *chooser =
      create_chooser (self, GTK_WINDOW (self), title, action, G_CALLBACK (file_response_cb));

  self->file_func = func;
  suggest_folder (self, self->document);
  scope_later_show (GTK_NATIVE_DIALOG (chooser));
}

void
scope_window_choose_file (ScopeWindow *self, const char *title, ScopeWindowFileFunc func)
{
  choose_existing (self, title, GTK_FILE_CHOOSER_ACTION_OPEN, func);
}

void
scope_window_choose_existing_folder (ScopeWindow *self, const char *title, ScopeWindowFileFunc func)
{
  choose_existing (self, title, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, func);
}

/* ---- Save under another name ---- */

static void
save_named_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeWindow) self = user_data;
  ScopeDocument *document = SCOPE_DOCUMENT (source);
  g_autoptr (GError) error = NULL;
  gconstpointer format;
  g_autoptr (GFile) file = scope_save_kind_settle_finish (result, &format, &error);

  if (has_closed (self))
    return;
  if (file == NULL)
    tell_not_saved (self, error);
  if (file != NULL && self->document == document)
    self->save_func (self, file,
                     format != NULL ? format : scope_extract_get_format (self->document));
  else
    scope_window_stay (self); /* also where another came in front meanwhile */
}

static void
save_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  g_autoptr (GFile) file = get_file (dialog, response);

  if (file != NULL && go_back (self, dialog))
    scope_save_kind_settle_async (GTK_FILE_CHOOSER (dialog), file, self->document, save_named_cb,
                                  g_object_ref (self));
  else
    scope_window_stay (self);
  close_chooser (self);
}

void
scope_window_choose_save (ScopeWindow *self, ScopeWindowSaveFunc func)
{
  const SymIoFormat *format = scope_extract_get_format (self->document);
  GtkFileChooserNative *chooser =
      create_chooser (self, GTK_WINDOW (self), _ ("Save Graph"), GTK_FILE_CHOOSER_ACTION_SAVE,
                      G_CALLBACK (save_response_cb));

  self->save_func = func;
  add_formats (GTK_FILE_CHOOSER (chooser), format);
  suggest (self, self->document, sym_io_format_get_suffix (format));
  scope_later_show (GTK_NATIVE_DIALOG (chooser));
  scope_save_kind_follow (chooser);
}

/* ---- Values of a run ---- */

static void
folder_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  g_autoptr (GFile) file = get_file (dialog, response);

  if (file != NULL && go_back (self, dialog))
    self->folder_func (self, file);
  close_chooser (self);
}

void
scope_window_choose_folder (ScopeWindow *self, const char *suffix, ScopeWindowFileFunc func)
{
  GtkFileChooserNative *chooser =
      create_chooser (self, GTK_WINDOW (self), _ ("Save Numbers in a New Folder"),
                      GTK_FILE_CHOOSER_ACTION_SAVE, G_CALLBACK (folder_response_cb));

  self->folder_func = func;
  suggest (self, self->document, suffix);
  scope_later_show (GTK_NATIVE_DIALOG (chooser));
}

/* ---- The cut in a tab of its own ---- */

/* A part as the whole. */
static void
draw_like (ScopeDocument *part, ScopeDocument *whole)
{
  const ScopeView *look = scope_document_get_view (whole);
  ScopeView view = *scope_document_get_view (part);

  view.drawing = look->drawing;
  view.direction = look->direction;
  view.labels = look->labels;
  scope_document_set_view (part, &view);
}

static void
cut_made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = scope_extract_finish (result, NULL, &error);
  g_autofree char *title =
      g_strdup_printf (_ ("Part of %s"), scope_document_get_title (SCOPE_DOCUMENT (source)));

  remember_folder (work->window, SCOPE_DOCUMENT (source));
  if (model != NULL)
    {
      scope_window_open_model (work->window, model, title);
      draw_like (work->window->document, SCOPE_DOCUMENT (source));
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    scope_window_show_message (work->window, error->message);
}

void
scope_window_open_cut (ScopeWindow *self)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  scope_page_leave_bars (scope_window_get_page (self));
  scope_extract_async (self->document, NULL, NULL, cancellable, cut_made_cb,
                       work_new (self, _ ("Cutting…"), NULL, cancellable));
}

/* ---- Export ---- */

static void
export_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;

  scope_export_write_finish (result, &error);
  tell_result (work, error);
}

static void
export_progress_cb (double done, gpointer user_data)
{
  Work *work = user_data;
  g_autofree char *text = g_strdup_printf (_ ("Saving… %.0f %%"), 100 * done);

  scope_work_set_text (SCOPE_WORK (work->card), text);
}

static void
write_picture (ScopeWindow *self, SymPicture *picture, GFile *file)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  scope_export_write_async (picture, file, self->export_choice.scale, self->export_choice.paper,
                            cancellable, export_progress_cb, export_done_cb,
                            work_new (self, _ ("Saving…"), file, cancellable));
}

static void
table_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;

  scope_sheet_save_finish (result, &error);
  tell_result (work, error);
}

static void
write_table (ScopeWindow *self, ScopeSheet *sheet, GFile *file)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *name = g_file_get_basename (file);
  guint n;
  const ScopeExportKind *kind = scope_export_get_kinds (&n) + self->export_choice.kind;
  const ScopeSheetFormat *format = scope_sheet_find_format (name);

  scope_sheet_save_async (sheet, format != NULL ? format : scope_sheet_find_format (kind->suffix),
                          file, cancellable, table_done_cb,
                          work_new (self, _ ("Saving…"), file, cancellable));
}

static void
write_export (ScopeWindow *self, ScopeExportDialog *chosen, GFile *file)
{
  SymPicture *picture = scope_export_dialog_get_picture (chosen);
  ScopeSheet *sheet = scope_export_dialog_get_sheet (chosen);

  if (sheet != NULL)
    write_table (self, sheet, file);
  else if (picture != NULL)
    write_picture (self, picture, file);
  gtk_window_close (GTK_WINDOW (chosen));
}

static void
export_named_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeExportDialog *chosen = SCOPE_EXPORT_DIALOG (source);
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (chosen));
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = scope_save_kind_settle_finish (result, NULL, &error);

  if (!SCOPE_IS_WINDOW (parent) || has_closed (SCOPE_WINDOW (parent)))
    return;
  if (file == NULL)
    tell_not_saved (SCOPE_WINDOW (parent), error);
  else
    write_export (SCOPE_WINDOW (parent), chosen, file);
}

static void
export_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  /* The one that asked: another may have been opened since, or closed. */
  GtkWindow *chosen = gtk_native_dialog_get_transient_for (dialog);
  g_autoptr (GFile) file = get_file (dialog, response);

  if (file != NULL)
    scope_save_kind_settle_async (GTK_FILE_CHOOSER (dialog), file, chosen, export_named_cb, NULL);
  close_chooser (self);
}

static void
save_picture_cb (ScopeExportDialog *dialog, ScopeWindow *self)
{
  guint n;
  const ScopeExportKind *kind;

  self->export_choice = *scope_export_dialog_get_choice (dialog);
  kind = scope_export_get_kinds (&n) + self->export_choice.kind;
  create_chooser (self, GTK_WINDOW (dialog), kind->is_table ? _ ("Save Table") : _ ("Save Picture"),
                  GTK_FILE_CHOOSER_ACTION_SAVE, G_CALLBACK (export_response_cb));
  scope_save_kind_add (GTK_FILE_CHOOSER (self->chooser), _ (kind->title), kind->suffix, kind, TRUE);
  suggest (self, scope_export_dialog_get_document (dialog), kind->suffix);
  scope_later_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* What of the picture is seen. */
static SymRect
get_view (ScopeWindow *self)
{
  ScopeViewport *viewport = scope_page_get_viewport (scope_window_get_page (self));
  SymRect visible = scope_viewport_get_visible (viewport);
  SymRect extent = scope_viewport_get_extent (viewport);
  double right = MIN (visible.x + visible.width, extent.x + extent.width);
  double bottom = MIN (visible.y + visible.height, extent.y + extent.height);
  double x = MAX (visible.x, extent.x);
  double y = MAX (visible.y, extent.y);

  return (SymRect){ x, y, right - x, bottom - y };
}

void
scope_window_choose_export (ScopeWindow *self)
{
  SymRect view = get_view (self);
  ScopeExportDialog *dialog;

  if (self->export_dialog != NULL)
    {
      gtk_window_present (self->export_dialog);
      return;
    }
  dialog = scope_export_dialog_new (GTK_WINDOW (self), self->document, &view, &self->export_choice,
                                    self->settings);
  g_set_weak_pointer (&self->export_dialog, GTK_WINDOW (dialog));
  g_signal_connect (dialog, "save", G_CALLBACK (save_picture_cb), self);
  gtk_window_present (GTK_WINDOW (dialog));
}
