/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-work.h"
#include "io/sym-io.h"

/* A text from the clipboard, or dropped, on its way to a model. */
typedef struct {
  ScopeWindow *window; /* NULL once it is given up */
  GCancellable *cancellable;
  GtkWidget *card;           /* NULL while nothing is to wait for */
  const char *where, *title; /* of the text, and of the graph */
} Paste;

/* Nobody waits for programs that do not give what they have copied, not even who is told when they
 * do. */
static void
give_up (Paste *self)
{
  if (self->card != NULL)
    scope_work_end (SCOPE_WORK (self->card));
  g_clear_object (&self->card);
  g_clear_object (&self->window);
}

static void
paste_free (Paste *self)
{
  g_signal_handlers_disconnect_by_data (self->cancellable, self);
  give_up (self);
  g_object_unref (self->cancellable);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Paste, paste_free)

static Paste *
paste_new (ScopeWindow *window, const char *where, const char *title)
{
  Paste *self = g_new0 (Paste, 1);

  self->window = g_object_ref (window);
  self->cancellable = g_cancellable_new ();
  g_signal_connect_swapped (self->cancellable, "cancelled", G_CALLBACK (give_up), self);
  g_signal_connect_object (window, "destroy", G_CALLBACK (g_cancellable_cancel), self->cancellable,
                           G_CONNECT_SWAPPED);
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
begin_card (Paste *self, const char *text)
{
  self->card = g_object_ref_sink (scope_work_new (text, self->cancellable));
  scope_window_begin_work (self->window, self->card);
}

static void
tell_error (Paste *self, const GError *error)
{
  g_autofree char *text = g_strdup_printf (_ ("Not opened: %s"), error->message);

  if (self->window != NULL)
    scope_window_show_message (self->window, text);
}

/* ---- The text of a graph ---- */

typedef struct {
  GBytes *bytes;
  const char *where;
} Text;

static Text *
text_new (GBytes *bytes, const char *where)
{
  Text *self = g_new (Text, 1);

  self->bytes = g_bytes_ref (bytes);
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
read_text (Paste *take_paste, GBytes *bytes)
{
  g_autoptr (GTask) task = g_task_new (NULL, take_paste->cancellable, read_cb, take_paste);

  if (take_paste->card == NULL)
    begin_card (take_paste, _ ("Reading…"));
  else
    scope_work_set_text (SCOPE_WORK (take_paste->card), _ ("Reading…"));
  g_task_set_task_data (task, text_new (bytes, take_paste->where), text_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, read_thread);
}

static void
text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Paste) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, &error) < 0 ||
      g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    {
      tell_error (self, error);
      return;
    }
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (source));
  read_text (g_steal_pointer (&self), bytes);
}

/* As it comes: to make a string of it, and another, would take the window's time. */
static void
stream_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Paste) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream =
      gdk_clipboard_read_finish (GDK_CLIPBOARD (source), result, NULL, &error);
  g_autoptr (GOutputStream) bytes = g_memory_output_stream_new_resizable ();
  GCancellable *cancellable = self->cancellable;

  if (stream == NULL)
    tell_error (self, error);
  else
    g_output_stream_splice_async (
        bytes, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
        G_PRIORITY_DEFAULT, cancellable, text_cb, g_steal_pointer (&self));
}

static void
paste_text (Paste *take_paste, GdkClipboard *clipboard)
{
  static const char *types[] = { "text/plain;charset=utf-8", "text/plain", NULL };

  begin_card (take_paste, _ ("Reading the clipboard…"));
  gdk_clipboard_read_async (clipboard, types, G_PRIORITY_DEFAULT, take_paste->cancellable,
                            stream_cb, take_paste);
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

  if (value != NULL && self->window != NULL)
    open_files (self->window, value);
  else if (value == NULL)
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
    paste_text (paste_new_of_clipboard (self), clipboard);
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
  g_autoptr (GBytes) bytes = NULL;

  if (!G_VALUE_HOLDS_STRING (value))
    {
      open_files (self, value);
      return TRUE;
    }
  bytes = g_bytes_new (g_value_get_string (value), strlen (g_value_get_string (value)));
  read_text (paste_new (self, _ ("the dropped text"), _ ("Dropped Graph")), bytes);
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
