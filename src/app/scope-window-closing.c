/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include "app/scope-application.h"
#include "app/scope-still.h"
#include "app/scope-tab-drag.h"

#define MAX_CLOSED 20
#define LEAVE_MS 10 /* between tabs of a window that nobody sees any more */
#define DRAG_MS 50  /* between looks whether a tab is still dragged out of its bar */

/* Each tab has many widgets to take down: not more than one goes in a turn of the main loop. */

static void
close_tab (ScopeWindow *self, AdwTabPage *tab)
{
  if (scope_window_has_tab (self, tab))
    adw_tab_view_close_page (self->tabs, tab);
}

/* ---- Closing ---- */

/* For after its tab was closed, in a turn of its own.  GTK 4.8 holds on to the last drag over a
 * window, until the next one; with it the tab that was dragged; and so its page, which must not
 * keep a graph. */
static void
empty (AdwTabPage *tab)
{
  g_object_run_dispose (G_OBJECT (adw_tab_page_get_child (tab)));
}

static gboolean
empty_cb (gpointer user_data)
{
  empty (user_data);
  return G_SOURCE_REMOVE;
}

static gboolean
is_closing (ScopeWindow *self, AdwTabPage *tab)
{
  return self->closing != NULL && g_ptr_array_find (self->closing, tab, NULL);
}

static gboolean
finish_cb (gpointer user_data)
{
  ScopeWindow *self = user_data;

  if (adw_tab_view_get_is_transferring_page (self->tabs))
    {
      /* The one that is dragged may come back, to the place that it had. */
      self->finishing =
          g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE + 1, DRAG_MS, finish_cb, self, NULL);
      return G_SOURCE_REMOVE;
    }
  g_autoptr (AdwTabPage) tab = g_ptr_array_steal_index (self->closing, 0);

  /* At once: a tab of libadwaita 1.2 that still shrinks can be dragged, and has no page then. */
  scope_still_begin ();
  scope_tab_drag_end (ADW_TAB_BAR (self->tab_bar));
  if (scope_window_has_tab (self, tab))
    {
      adw_tab_view_close_page_finish (self->tabs, tab, TRUE);
      g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, empty_cb, g_object_ref (tab), g_object_unref);
    }
  scope_still_end ();
  if (self->closing->len > 0)
    return G_SOURCE_CONTINUE;
  self->finishing = 0;
  if (self->n_to_close > 0)
    {
      self->n_to_close--;
      gtk_widget_activate_action (GTK_WIDGET (self), "win.close-tab", NULL);
    }
  return G_SOURCE_REMOVE;
}

/* Not before the clicks of libadwaita's button, which close in an idle turn: the second of two
 * would find no tab any more. */
static void
finish_later (ScopeWindow *self, AdwTabPage *tab)
{
  g_ptr_array_add (self->closing, g_object_ref (tab));
  if (self->finishing == 0)
    self->finishing = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE + 1, finish_cb, self, NULL);
}

static gboolean
close_page_cb (ScopeWindow *self, AdwTabPage *tab)
{
  GtkWidget *child = adw_tab_page_get_child (tab);
  GFile *file = SCOPE_IS_PAGE (child)
                    ? scope_document_get_file (scope_page_get_document (SCOPE_PAGE (child)))
                    : NULL;

  if (file != NULL)
    g_ptr_array_add (self->closed, g_object_ref (file));
  if (self->closed->len > MAX_CLOSED)
    g_ptr_array_remove_index (self->closed, 0);
  finish_later (self, tab);
  return GDK_EVENT_STOP;
}

static void
close_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  AdwTabPage *tab = scope_window_get_tab (self);

  if (tab == NULL)
    gtk_window_close (GTK_WINDOW (self));
  else if (is_closing (self, tab))
    self->n_to_close++; /* the one after it */
  else
    adw_tab_view_close_page (self->tabs, tab);
}

/* ---- Several ---- */

typedef struct {
  ScopeWindow *window;
  GPtrArray *tabs; /* references, the first one last */
} Closing;

static void
closing_free (gpointer data)
{
  Closing *self = data;

  g_object_unref (self->window);
  g_ptr_array_unref (self->tabs);
  g_free (self);
}

static gboolean
close_next_cb (gpointer user_data)
{
  Closing *self = user_data;

  if (self->tabs->len == 0)
    return G_SOURCE_REMOVE;
  g_autoptr (AdwTabPage) tab = g_ptr_array_steal_index (self->tabs, self->tabs->len - 1);

  close_tab (self->window, tab);
  return G_SOURCE_CONTINUE;
}

static void
close_other_tabs_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  Closing *closing = g_new0 (Closing, 1);
  AdwTabPage *kept = scope_window_get_tab (self);

  closing->window = g_object_ref (self);
  closing->tabs = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = scope_window_get_n_tabs (self); i-- > 0;)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, (int) i);

      if (tab != kept && !adw_tab_page_get_pinned (tab))
        g_ptr_array_add (closing->tabs, g_object_ref (tab));
    }
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, close_next_cb, closing, closing_free);
}

/* ---- Closed by mistake ---- */

static void
reopen_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  g_autoptr (GFile) file = g_ptr_array_steal_index (self->closed, self->closed->len - 1);

  scope_window_set_enabled (self, "reopen-tab", self->closed->len > 0);
  scope_window_open (self, file);
}

/* ---- The whole window ---- */

typedef struct {
  GApplication *application; /* held: it ends with its last window */
  GtkWindow *window;
  AdwTabView *tabs;
  AdwTabPage *closed; /* to be emptied next; NULL for none */
} Leaving;

static void
leaving_free (gpointer data)
{
  Leaving *self = data;

  g_application_release (self->application);
  g_object_unref (self->application);
  g_object_unref (self->window);
  g_object_unref (self->tabs);
  g_clear_object (&self->closed);
  g_free (self);
}

/* One that waits for an answer whether to close, or for its turn, is not asked again: it only
 * waits. */
static AdwTabPage *
close_last (AdwTabView *tabs)
{
  int n = adw_tab_view_get_n_pages (tabs);
  AdwTabPage *last = g_object_ref (adw_tab_view_get_nth_page (tabs, n - 1));

  adw_tab_view_set_page_pinned (tabs, last, FALSE);
  adw_tab_view_close_page (tabs, last);
  if (adw_tab_view_get_n_pages (tabs) == n)
    adw_tab_view_close_page_finish (tabs, last, TRUE);
  return last;
}

/* Not even one tab goes with the window: where a part of the bar is held on to, as by GTK 4.8 when
 * the focus was in it, libadwaita 1.2 would tell that of the tab, and it would tell the bar, which
 * has gone. */
static gboolean
leave_cb (gpointer user_data)
{
  Leaving *self = user_data;

  if (adw_tab_view_get_is_transferring_page (self->tabs))
    return G_SOURCE_CONTINUE;
  if (self->closed != NULL)
    {
      empty (self->closed);
      g_clear_object (&self->closed);
      return G_SOURCE_CONTINUE;
    }
  if (adw_tab_view_get_n_pages (self->tabs) > 0)
    {
      self->closed = close_last (self->tabs);
      return G_SOURCE_CONTINUE;
    }
  gtk_window_destroy (self->window);
  return G_SOURCE_REMOVE;
}

/* A tab that is being dragged out of a window that closes comes back to be closed, too. */
static AdwTabView *
take_back_cb (AdwTabView *tabs)
{
  return tabs;
}

/* GTK 4.8 notes each widget that goes with the focus in it, until the next frame, and loses the
 * reference when it notes another: in a window that is hidden no frame comes. */
static void
forget_focus (GtkWindow *window)
{
  gtk_window_set_focus (window, NULL);
}

static void
stop_closing (ScopeWindow *self)
{
  g_clear_handle_id (&self->finishing, g_source_remove);
  g_ptr_array_set_size (self->closing, 0);
}

void
scope_window_leave (ScopeWindow *self)
{
  g_return_if_fail (SCOPE_IS_WINDOW (self));

  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  Leaving *leaving;

  if (application == NULL)
    return; /* it is leaving */
  leaving = g_new0 (Leaving, 1);
  leaving->application = g_object_ref (G_APPLICATION (application));
  leaving->window = g_object_ref (GTK_WINDOW (self));
  leaving->tabs = g_object_ref (self->tabs);
  g_application_hold (leaving->application);
  forget_focus (GTK_WINDOW (self));
  scope_tab_drag_end (ADW_TAB_BAR (self->tab_bar));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  stop_closing (self);
  g_signal_handlers_disconnect_by_data (self->tabs, self); /* nothing is asked any more */
  g_signal_connect (self->tabs, "create-window", G_CALLBACK (take_back_cb), NULL);
  gtk_window_set_application (GTK_WINDOW (self), NULL);
  g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, LEAVE_MS, leave_cb, leaving, leaving_free);
}

/* ---- The window's ---- */

void
scope_window_add_closing_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "close-tab", close_tab_cb },
    { "close-other-tabs", close_other_tabs_cb },
    { "reopen-tab", reopen_tab_cb },
  };

  self->closed = g_ptr_array_new_with_free_func (g_object_unref);
  self->closing = g_ptr_array_new_with_free_func (g_object_unref);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (self->tabs, "close-page", G_CALLBACK (close_page_cb), self);
}

void
scope_window_end_closing (ScopeWindow *self)
{
  stop_closing (self);
}

void
scope_window_free_closing (ScopeWindow *self)
{
  g_ptr_array_unref (self->closing);
  g_ptr_array_unref (self->closed);
}
