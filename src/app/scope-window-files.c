/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-export.h"
#include "app/scope-extract.h"

/* Something that is being written, and the toast that says so. */
typedef struct {
  ScopeWindow *window;
  AdwToast *toast;
  GFile *file;
} Work;

static void
work_free (Work *self)
{
  adw_toast_dismiss (self->toast);
  g_object_unref (self->toast);
  g_object_unref (self->window);
  g_object_unref (self->file);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static Work *
work_new (ScopeWindow *window, GFile *file, GCancellable *cancellable)
{
  Work *self = g_new0 (Work, 1);

  self->window = g_object_ref (window);
  self->file = g_object_ref (file);
  self->toast = scope_window_show_work (window, _("Saving…"), cancellable);
  return self;
}

static void
tell_result (Work *self, const GError *error)
{
  g_autofree char *name = g_file_get_basename (self->file);
  g_autofree char *text = NULL;

  if (error == NULL)
    text = g_strdup_printf (_("Saved %s"), name);
  else
    text = g_strdup_printf (_("Not saved: %s"), error->message);
  scope_window_show_message (self->window, text);
}

/* ---- Choosers ---- */

static GtkFileChooserNative *
create_chooser (ScopeWindow *self,
                const char *title,
                GtkFileChooserAction action,
                GCallback response_cb)
{
  g_clear_object (&self->chooser);
  self->chooser = gtk_file_chooser_native_new (
      title, GTK_WINDOW (self), action,
      action == GTK_FILE_CHOOSER_ACTION_OPEN ? _("_Open") : _("_Save"), _("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect (self->chooser, "response", response_cb, self);
  return self->chooser;
}

/* Where the file of the document lies is where the next one is likely to go. */
static void
suggest (ScopeWindow *self, const char *suffix)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (self->chooser);
  GFile *file = scope_document_get_file (self->document);
  g_autoptr (GFile) folder =
      file != NULL && g_file_is_native (file) ? g_file_get_parent (file) : NULL;
  g_autofree char *stem = g_strdup (scope_document_get_title (self->document));
  char *dot = strrchr (stem, '.');

  if (dot != NULL && dot != stem)
    *dot = '\0';
  if (g_str_has_suffix (stem, "-symbol"))
    stem[strlen (stem) - strlen ("-symbol")] = '\0';
  g_autofree char *name = g_strconcat (stem, suffix, NULL);

  if (folder != NULL)
    gtk_file_chooser_set_current_folder (chooser, folder, NULL);
  gtk_file_chooser_set_current_name (chooser, name);
}

static void
close_chooser (ScopeWindow *self)
{
  g_clear_object (&self->chooser);
}

/* ---- Open ---- */

static void
open_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  g_autoptr (GListModel) files = NULL;

  if (response == GTK_RESPONSE_ACCEPT) {
    files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
    for (guint i = 0; i < g_list_model_get_n_items (files); i++) {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      scope_window_open (self, file);
    }
  }
  close_chooser (self);
}

void
scope_window_choose_open (ScopeWindow *self)
{
  GtkFileChooserNative *chooser = create_chooser (
      self, _("Open Graph"), GTK_FILE_CHOOSER_ACTION_OPEN, G_CALLBACK (open_response_cb));

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* ---- Extract ---- */

static void
extract_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymProblems) notes = NULL;
  SymModel *model = scope_extract_finish (result, &notes, &error);

  tell_result (work, error);
  g_clear_pointer (&model, sym_model_unref);
  if (notes != NULL && sym_problems_get_n (notes) > 0)
    scope_window_show_message (work->window, sym_problems_get (notes, 0)->message);
}

static void
extract_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);

  if (response == GTK_RESPONSE_ACCEPT && self->document != NULL) {
    g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    const char *choice = gtk_file_chooser_get_choice (chooser, "format");
    const SymIoFormat *format = choice != NULL ? sym_io_find_format (choice) : NULL;

    if (format == NULL)
      format = scope_extract_get_format (self->document);
    scope_extract_async (self->document, format, file, cancellable, extract_done_cb,
                         work_new (self, file, cancellable));
  }
  close_chooser (self);
}

/* Every format that can be written, the document's own chosen. */
static void
add_format_choice (GtkFileChooser *chooser, const SymIoFormat *own)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();

  for (const SymIoFormat *const *format = sym_io_get_formats (); *format != NULL; format++)
    if (sym_io_format_can_write (*format)) {
      g_ptr_array_add (names, (gpointer) sym_io_format_get_name (*format));
      g_ptr_array_add (titles, (gpointer) sym_io_format_get_title (*format));
    }
  g_ptr_array_add (names, NULL);
  g_ptr_array_add (titles, NULL);
  gtk_file_chooser_add_choice (chooser, "format", _("Format"), (const char **) names->pdata,
                               (const char **) titles->pdata);
  gtk_file_chooser_set_choice (chooser, "format", sym_io_format_get_name (own));
}

void
scope_window_choose_extract (ScopeWindow *self)
{
  const SymIoFormat *format = scope_extract_get_format (self->document);
  GtkFileChooserNative *chooser = create_chooser (
      self, _("Save Model"), GTK_FILE_CHOOSER_ACTION_SAVE, G_CALLBACK (extract_response_cb));
  g_autofree char *suffix =
      g_strconcat (scope_document_get_cut (self->document) != NULL ? "-part" : "-copy",
                   sym_io_format_get_suffix (format), NULL);

  suggest (self, suffix);
  add_format_choice (GTK_FILE_CHOOSER (chooser), format);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* ---- Export ---- */

static void
export_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;

  scope_export_finish (result, &error);
  tell_result (work, error);
}

static void
export_response_cb (GtkNativeDialog *dialog, int response, ScopeWindow *self)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);

  if (response == GTK_RESPONSE_ACCEPT && self->document != NULL) {
    g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    gboolean is_dark = g_strcmp0 (gtk_file_chooser_get_choice (chooser, "theme"), "dark") == 0;

    scope_export_async (self->document, file, is_dark ? SYM_THEME_DARK : SYM_THEME_LIGHT,
                        cancellable, export_done_cb, work_new (self, file, cancellable));
  }
  close_chooser (self);
}

static void
add_kinds (GtkFileChooser *chooser)
{
  guint n;
  const ScopeExportKind *kinds = scope_export_get_kinds (&n);
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (all, _("Pictures (.svg, .png, .pdf, .dot)"));
  for (guint i = 0; i < n; i++)
    gtk_file_filter_add_suffix (all, kinds[i].suffix + 1);
  gtk_file_chooser_add_filter (chooser, all);
}

void
scope_window_choose_export (ScopeWindow *self)
{
  static const char *names[] = { "light", "dark", NULL };
  const char *titles[] = { _("Light"), _("Dark"), NULL };
  GtkFileChooserNative *chooser = create_chooser (
      self, _("Export Picture"), GTK_FILE_CHOOSER_ACTION_SAVE, G_CALLBACK (export_response_cb));

  suggest (self, ".svg");
  add_kinds (GTK_FILE_CHOOSER (chooser));
  gtk_file_chooser_add_choice (GTK_FILE_CHOOSER (chooser), "theme", _("Colours"), names, titles);
  gtk_file_chooser_set_choice (GTK_FILE_CHOOSER (chooser), "theme", "light");
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
