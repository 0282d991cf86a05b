/* SPDX-License-Identifier: MIT */
#include "app/scope-chooser.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEPT_SECONDS 2
#define LISTS "scope-lists" /* all that its dialog has shown and that are still there */

/* ---- Lists of files ---- */

static void
forget (gpointer lists, GObject *list)
{
  g_ptr_array_remove_fast (lists, list);
}

static gboolean
stop_cb (gpointer list)
{
  g_object_run_dispose (list);
  return G_SOURCE_REMOVE;
}

/* Those that GTK does not free live on, but look at their folders no more.  What shows one of them
 * may be about to answer a key, and goes when it has. */
static void
stop_lists (gpointer data)
{
  g_autoptr (GPtrArray) lists = data;

  while (lists->len > 0)
    {
      GObject *list = g_ptr_array_steal_index (lists, lists->len - 1);

      g_object_weak_unref (list, forget, lists);
      g_idle_add_full (G_PRIORITY_HIGH, stop_cb, g_object_ref (list), g_object_unref);
    }
}

static void
note_list (GtkTreeView *view, GParamSpec *pspec, GObject *owner)
{
  GPtrArray *lists = g_object_get_data (owner, LISTS);
  GtkTreeModel *list = gtk_tree_view_get_model (view);

  if (list == NULL || !g_str_equal (G_OBJECT_TYPE_NAME (list), "GtkFileSystemModel") ||
      g_ptr_array_find (lists, list, NULL))
    return;
  g_ptr_array_add (lists, list);
  g_object_weak_ref (G_OBJECT (list), forget, lists);
}

/* All below a widget, without recursion. */
static GPtrArray *
list_widgets (GtkWidget *root)
{
  GPtrArray *widgets = g_ptr_array_new ();

  g_ptr_array_add (widgets, root);
  for (guint i = 0; i < widgets->len; i++)
    for (GtkWidget *child = gtk_widget_get_first_child (widgets->pdata[i]); child != NULL;
         child = gtk_widget_get_next_sibling (child))
      g_ptr_array_add (widgets, child);
  return widgets;
}

/* What looks through files in a dialog is told of them as long as it is there. */
static void
watch_lists (GtkWidget *dialog)
{
  g_autoptr (GPtrArray) widgets = list_widgets (dialog);
  GObject *owner = NULL;

  for (guint i = 0; i < widgets->len; i++)
    if (GTK_IS_FILE_CHOOSER_WIDGET (widgets->pdata[i]))
      owner = widgets->pdata[i];
  if (owner == NULL || g_object_get_data (owner, LISTS) != NULL)
    return;
  g_object_set_data_full (owner, LISTS, g_ptr_array_new (), stop_lists);
  for (guint i = 0; i < widgets->len; i++)
    if (GTK_IS_TREE_VIEW (widgets->pdata[i]))
      {
        note_list (widgets->pdata[i], NULL, owner);
        g_signal_connect_object (widgets->pdata[i], "notify::model", G_CALLBACK (note_list), owner,
                                 0);
      }
}

/* ---- Questions of dialogs ---- */

/* Nobody is left to take the answer. */
static gboolean
close_questions_cb (gpointer dialog)
{
  g_autoptr (GPtrArray) questions = g_ptr_array_new_with_free_func (g_object_unref);
  GListModel *windows = gtk_window_get_toplevels ();

  if (gtk_widget_get_visible (dialog))
    return G_SOURCE_REMOVE;
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (gtk_window_get_transient_for (window) == dialog)
        g_ptr_array_add (questions, g_steal_pointer (&window));
    }
  for (guint i = 0; i < questions->len; i++)
    gtk_window_close (questions->pdata[i]);
  return G_SOURCE_REMOVE;
}

/* GTK looks whether there is a file of that name, and asks whether to replace it even if the dialog
 * was left meanwhile: all windows would wait for that answer. */
static void
windows_changed_cb (GtkWidget *dialog)
{
  if (!gtk_widget_get_visible (dialog))
    g_idle_add_full (G_PRIORITY_HIGH, close_questions_cb, g_object_ref (dialog), g_object_unref);
}

static void
watch_questions (GtkWidget *dialog)
{
  GListModel *windows = gtk_window_get_toplevels ();

  g_signal_handlers_disconnect_by_func (windows, windows_changed_cb, dialog);
  g_signal_connect_object (windows, "items-changed", G_CALLBACK (windows_changed_cb), dialog,
                           G_CONNECT_SWAPPED);
}

/* GTK's is as large as it likes, which on a small screen puts its buttons beside it. */
static void
fit_on_screen (GtkWindow *dialog)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (dialog));
  GdkMonitor *monitor =
      surface == NULL
          ? NULL
          : gdk_display_get_monitor_at_surface (gdk_surface_get_display (surface), surface);
  GtkRequisition natural;
  GdkRectangle screen;
  int width, height;

  if (monitor == NULL)
    return;
  gdk_monitor_get_geometry (monitor, &screen);
  gtk_window_get_default_size (dialog, &width, &height);
  gtk_widget_get_preferred_size (GTK_WIDGET (dialog), NULL, &natural);
  width = width > 0 ? width : natural.width;
  height = height > 0 ? height : natural.height;
  if (width > screen.width || height > screen.height)
    gtk_window_set_default_size (dialog, MIN (width, screen.width), MIN (height, screen.height));
}

static void
visible_cb (GtkNativeDialog *chooser)
{
  GListModel *windows = gtk_window_get_toplevels ();

  if (!gtk_native_dialog_get_visible (chooser))
    return;
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (GTK_IS_FILE_CHOOSER_DIALOG (window) &&
          gtk_window_get_transient_for (window) == gtk_native_dialog_get_transient_for (chooser))
        {
          watch_lists (GTK_WIDGET (window));
          watch_questions (GTK_WIDGET (window));
          fit_on_screen (window);
        }
    }
}

/* ---- Choosers ---- */

GtkFileChooserNative *
scope_chooser_new (const char *title,
                   GtkWindow *parent,
                   GtkFileChooserAction action,
                   const char *accept)
{
  GtkFileChooserNative *self =
      gtk_file_chooser_native_new (title, parent, action, accept, _ ("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self), TRUE);
  g_signal_connect (self, "notify::visible", G_CALLBACK (visible_cb), NULL);
  g_signal_connect_object (parent, "unmap", G_CALLBACK (gtk_native_dialog_hide), self,
                           G_CONNECT_SWAPPED);
  return self;
}

void
scope_chooser_suggest_name (GtkFileChooserNative *self, const char *title, const char *suffix)
{
  g_autofree char *stem = g_strdup (title), *name = NULL;
  char *dot = strrchr (stem, '.');

  if (dot != NULL && dot != stem)
    *dot = '\0';
  if (g_str_has_suffix (stem, "-symbol") && !g_str_equal (stem, "-symbol"))
    stem[strlen (stem) - strlen ("-symbol")] = '\0';
  g_strdelimit (stem, "/\\:", '_');
  name = g_strconcat (stem, suffix, NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self), name);
}

static gboolean
let_go_cb (gpointer chooser)
{
  return G_SOURCE_REMOVE;
}

/* The time may have passed without an idle turn. */
static gboolean
keep_cb (gpointer chooser)
{
  g_idle_add_full (G_PRIORITY_LOW, let_go_cb, g_object_ref (chooser), g_object_unref);
  return G_SOURCE_REMOVE;
}

/* What its dialog was about to do in an idle turn finds it there. */
void
scope_chooser_let_go (GtkFileChooserNative **chooser, gpointer owner)
{
  GtkFileChooserNative *self = g_steal_pointer (chooser);

  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self, owner);
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (self));
  gtk_native_dialog_set_transient_for (GTK_NATIVE_DIALOG (self), NULL);
  g_object_set_data (G_OBJECT (self), "document", NULL);
  g_timeout_add_seconds_full (G_PRIORITY_DEFAULT, KEPT_SECONDS, keep_cb, self, g_object_unref);
}

void
scope_chooser_add_numpy (GtkFileFilter *filter)
{
  gtk_file_filter_add_suffix (filter, "npy");
  gtk_file_filter_add_suffix (filter, "npz");
}
