/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-work.h"
#include "io/sym-io.h"

/* A text from the clipboard, or dropped, on its way to a model. */
typedef struct {
  ScopeWindow *window;
  GtkWidget *card;
  const char *where, *title; /* of the text, and of the graph */
} Paste;

static void
paste_free (Paste *self)
{
  if (self->card != NULL)
    scope_work_end (SCOPE_WORK (self->card));
  g_clear_object (&self->card);
  g_object_unref (self->window);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Paste, paste_free)

static Paste *
paste_new (ScopeWindow *window, const char *where, const char *title)
{
  Paste *self = g_new0 (Paste, 1);

  self->window = g_object_ref (window);
  self->where = where;
  self->title = title;
  return self;
}

static Paste *
paste_new_of_clipboard (ScopeWindow *window)
{
  return paste_new (window, _ ("the clipboard"), _ ("Pasted Graph"));
}

static void
tell_error (Paste *self, const GError *error)
{
  g_autofree char *text = g_strdup_printf (_ ("Not opened: %s"), error->message);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    scope_window_show_message (self->window, text);
}

/* ---- The text of a graph ---- */

typedef struct {
  GBytes *bytes;
  const char *where;
} Text;

static Text *
text_new (const char *text, const char *where)
{
  Text *self = g_new (Text, 1);

  self->bytes = g_bytes_new (text, strlen (text));
  self->where = where;
  return self;
}

static void
text_free (gpointer data)
{
  Text *self = data;

  g_bytes_unref (self->bytes);
  g_free (self);
}

static void
read_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Text *text = task_data;
  GError *error = NULL;
  SymModel *model = sym_io_read_bytes (text->bytes, text->where, &error);

  if (model != NULL)
    g_task_return_pointer (task, model, (GDestroyNotify) sym_model_unref);
  else
    g_task_return_error (task, error);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Paste) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = g_task_propagate_pointer (G_TASK (result), &error);

  if (model != NULL)
    scope_window_open_model (self->window, model, self->title);
  else
    tell_error (self, error);
}

static void
read_text (Paste *take_paste, const char *text)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, read_cb, take_paste);

  take_paste->card = g_object_ref_sink (scope_work_new (_ ("Reading…"), cancellable));
  scope_window_begin_work (take_paste->window, take_paste->card);
  g_task_set_task_data (task, text_new (text, take_paste->where), text_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, read_thread);
}

static void
text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Paste) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, &error);

  if (text != NULL)
    read_text (g_steal_pointer (&self), text);
  else
    tell_error (self, error);
}

/* ---- Files ---- */

static void
open_files (ScopeWindow *self, const GValue *value)
{
  for (GSList *l = g_value_get_boxed (value); l != NULL; l = l->next)
    scope_window_open (self, l->data);
}

static void
files_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Paste) self = user_data;
  g_autoptr (GError) error = NULL;
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (source), result, &error);

  if (value != NULL)
    open_files (self->window, value);
  else
    tell_error (self, error);
}

void
scope_window_paste (ScopeWindow *self)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (self));
  GdkContentFormats *formats = gdk_clipboard_get_formats (clipboard);

  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST) ||
      gdk_content_formats_contain_mime_type (formats, "text/uri-list"))
    gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL,
                                    files_cb, paste_new_of_clipboard (self));
  else if (gdk_content_formats_contain_gtype (formats, G_TYPE_STRING) ||
           gdk_content_formats_contain_mime_type (formats, "text/plain;charset=utf-8") ||
           gdk_content_formats_contain_mime_type (formats, "text/plain"))
    gdk_clipboard_read_text_async (clipboard, NULL, text_cb, paste_new_of_clipboard (self));
  else
    scope_window_show_message (self, _ ("There is neither text nor a file on the clipboard"));
}

/* ---- What is dropped ---- */

/* A text only from elsewhere: the own ones are dragged from one entry to another. */
static gboolean
accept_cb (GtkDropTarget *target, GdkDrop *drop)
{
  g_autoptr (GdkContentFormats) formats = gdk_content_formats_union_deserialize_gtypes (
      gdk_content_formats_ref (gdk_drop_get_formats (drop)));

  return gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST) ||
         (gdk_content_formats_contain_gtype (formats, G_TYPE_STRING) &&
          gdk_drop_get_drag (drop) == NULL);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, ScopeWindow *self)
{
  if (G_VALUE_HOLDS_STRING (value))
    read_text (paste_new (self, _ ("the dropped text"), _ ("Dropped Graph")),
               g_value_get_string (value));
  else
    open_files (self, value);
  return TRUE;
}

void
scope_window_take_drops (ScopeWindow *self)
{
  GType types[] = { GDK_TYPE_FILE_LIST, G_TYPE_STRING };
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  g_signal_connect (target, "accept", G_CALLBACK (accept_cb), NULL);
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
  gtk_widget_add_css_class (GTK_WIDGET (self), "takes-files");
}
