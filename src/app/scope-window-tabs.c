/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-file-name.h"
#include "app/scope-later.h"
#include "app/scope-recent.h"
#include "app/scope-still.h"
#include "app/scope-tab-drag.h"
#include "app/scope-welcome.h"

#define ARRIVAL "symscope-arrival" /* source until a tab has come */
#define ARRIVAL_MS 300             /* that takes libadwaita 200 */
#define LEAST_WIDTH 48             /* pixels of a tab that has an icon */

/* ---- The tabs there are ---- */

/* That of a tab that was closed is empty. */
static ScopePage *
get_page (AdwTabPage *tab)
{
  GtkWidget *child = tab != NULL ? adw_tab_page_get_child (tab) : NULL;

  return SCOPE_IS_PAGE (child) && scope_page_get_document (SCOPE_PAGE (child)) != NULL
             ? SCOPE_PAGE (child)
             : NULL;
}

ScopePage *
scope_window_get_page (ScopeWindow *self)
{
  g_return_val_if_fail (SCOPE_IS_WINDOW (self), NULL);

  return get_page (adw_tab_view_get_selected_page (self->tabs));
}

ScopePage *
scope_window_get_nth_page (ScopeWindow *self, guint n)
{
  g_return_val_if_fail (n < scope_window_get_n_tabs (self), NULL);

  return get_page (adw_tab_view_get_nth_page (self->tabs, (int) n));
}

guint
scope_window_get_n_tabs (ScopeWindow *self)
{
  return (guint) adw_tab_view_get_n_pages (self->tabs);
}

static AdwTabPage *
find_tab (ScopeWindow *self, GFile *file)
{
  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);
      GFile *other = page != NULL ? scope_document_get_file (scope_page_get_document (page)) : NULL;

      if (other != NULL && g_file_equal (file, other))
        return adw_tab_view_get_nth_page (self->tabs, (int) i);
    }
  return NULL;
}

/* ---- Titles: of files that are called alike, with their folders; of edited ones, with a mark ----
 */

static const char *
get_title (AdwTabPage *tab)
{
  ScopePage *page = get_page (tab);

  return page != NULL ? scope_document_get_title (scope_page_get_document (page)) : _ ("New Tab");
}

static gboolean
is_alone (ScopeWindow *self, AdwTabPage *tab)
{
  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      AdwTabPage *other = adw_tab_view_get_nth_page (self->tabs, (int) i);

      if (other != tab && g_str_equal (get_title (other), get_title (tab)))
        return FALSE;
    }
  return TRUE;
}

static void
name_tabs (ScopeWindow *self)
{
  scope_access_name_tabs (ADW_TAB_BAR (self->tab_bar));
}

/* As the window's title, also while another tab is in front. */
static const char *
get_mark (AdwTabPage *tab)
{
  ScopePage *page = get_page (tab);

  return page != NULL && scope_document_is_modified (scope_page_get_document (page)) ? "• " : "";
}

static void
show_title (ScopeWindow *self, AdwTabPage *tab)
{
  ScopePage *page = get_page (tab);
  GFile *file = page != NULL ? scope_document_get_file (scope_page_get_document (page)) : NULL;
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;
  g_autofree char *name = folder != NULL ? scope_file_name (folder) : NULL;
  g_autofree char *title = NULL;

  if (name == NULL || is_alone (self, tab))
    title = g_strconcat (get_mark (tab), get_title (tab), NULL);
  else
    title = g_strdup_printf ("%s%s · %s", get_mark (tab), get_title (tab), name);
  if (g_strcmp0 (title, adw_tab_page_get_title (tab)) == 0)
    return;
  adw_tab_page_set_title (tab, title);
  name_tabs (self);
}

static void
show_titles (ScopeWindow *self)
{
  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    show_title (self, adw_tab_view_get_nth_page (self->tabs, (int) i));
}

/* A tab may be in another window by now, and is in none while it moves. */
static void
show_titles_beside (AdwTabPage *tab)
{
  GtkRoot *window = gtk_widget_get_root (adw_tab_page_get_child (tab));

  if (SCOPE_IS_WINDOW (window))
    show_titles (SCOPE_WINDOW (window));
}

/* ---- What a tab tells ---- */

/* A tab may be in another window by now. */
static void
touched_cb (GtkWidget *page)
{
  GtkRoot *window = gtk_widget_get_root (page);

  if (SCOPE_IS_WINDOW (window))
    scope_window_touch (SCOPE_WINDOW (window));
}

/* It takes markup. */
static void
set_tooltip (AdwTabPage *tab, GFile *file)
{
  g_autofree char *name = file != NULL ? scope_file_address (file) : NULL;
  g_autofree char *tooltip = name != NULL ? g_markup_escape_text (name, -1) : NULL;

  adw_tab_page_set_tooltip (tab, tooltip != NULL ? tooltip : "");
}

/* Once it was read, and when it was saved elsewhere. */
static void
tell_file (AdwTabPage *tab, GFile *file)
{
  if (file == NULL || file == g_object_get_data (G_OBJECT (tab), "file"))
    return;
  set_tooltip (tab, file);
  scope_recent_add (file);
  g_object_set_data_full (G_OBJECT (tab), "file", g_object_ref (file), g_object_unref);
}

static void
show_icon (AdwTabPage *tab)
{
  ScopeDocument *document = scope_page_get_document (get_page (tab));
  gboolean has_failed =
      scope_document_get_error (document) != NULL && scope_document_get_model (document) == NULL;
  g_autoptr (GIcon) icon = has_failed ? g_themed_icon_new ("dialog-error-symbolic") : NULL;

  adw_tab_page_set_loading (tab, scope_document_get_progress (document) != NULL ||
                                     scope_document_is_running (document));
  adw_tab_page_set_icon (tab, icon);
}

/* One that is dragged from bar to bar is in none: what shows it there has hardly any room. */
static gboolean
is_in_window (AdwTabPage *tab)
{
  return gtk_widget_get_root (adw_tab_page_get_child (tab)) != NULL;
}

/* Also while another one is in front. */
static void
document_changed_cb (AdwTabPage *tab, guint changes)
{
  ScopePage *page = get_page (tab);

  if (page == NULL)
    return;
  ScopeDocument *document = scope_page_get_document (page);

  if (g_object_get_data (G_OBJECT (tab), ARRIVAL) == NULL && is_in_window (tab))
    show_icon (tab);
  show_titles_beside (tab);
  touched_cb (adw_tab_page_get_child (tab));
  if (scope_document_get_model (document) != NULL)
    tell_file (tab, scope_document_get_file (document));
}

/* ---- Coming and going: tabs of libadwaita 1.2 grow and shrink then.  One that is narrower than
 * its icon gives its title less room than none, of which GTK complains. ---- */

static gboolean
is_of_tab (GtkWidget *widget, AdwTabPage *tab)
{
  g_autoptr (AdwTabPage) page = NULL;

  if (!g_str_equal (G_OBJECT_TYPE_NAME (widget), "AdwTab"))
    return FALSE;
  g_object_get (widget, "page", &page, NULL);
  return page == tab;
}

/* FALSE while the bar shows it narrower than its icon needs: a busy machine may be late with its
 * frames, and tabs under the pointer keep the widths that they have. */
static gboolean
has_room (AdwTabPage *tab)
{
  GtkRoot *window = gtk_widget_get_root (adw_tab_page_get_child (tab));
  g_autoptr (GQueue) stack = g_queue_new ();

  if (SCOPE_IS_WINDOW (window))
    g_queue_push_head (stack, SCOPE_WINDOW (window)->tab_bar);
  while (!g_queue_is_empty (stack))
    {
      GtkWidget *widget = g_queue_pop_head (stack);

      if (is_of_tab (widget, tab))
        return !gtk_widget_get_mapped (widget) || gtk_widget_get_width (widget) >= LEAST_WIDTH;
      for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
           child = gtk_widget_get_next_sibling (child))
        g_queue_push_head (stack, child);
    }
  return TRUE;
}

static gboolean
arrived_cb (gpointer user_data)
{
  AdwTabPage *tab = user_data;

  if (get_page (tab) != NULL && !has_room (tab))
    return G_SOURCE_CONTINUE;
  g_object_set_data (G_OBJECT (tab), ARRIVAL, NULL);
  if (get_page (tab) != NULL)
    show_icon (tab);
  return G_SOURCE_REMOVE;
}

static void
hide_icon (AdwTabPage *tab)
{
  guint source = GPOINTER_TO_UINT (g_object_steal_data (G_OBJECT (tab), ARRIVAL));

  if (source != 0)
    g_source_remove (source);
  adw_tab_page_set_loading (tab, FALSE);
  adw_tab_page_set_icon (tab, NULL);
}

static void
attached_cb (ScopeWindow *self, AdwTabPage *tab)
{
  guint source;

  hide_icon (tab);
  g_ptr_array_add (self->attached, tab);
  source = g_timeout_add_full (G_PRIORITY_DEFAULT, ARRIVAL_MS, arrived_cb, g_object_ref (tab),
                               g_object_unref);
  g_object_set_data (G_OBJECT (tab), ARRIVAL, GUINT_TO_POINTER (source));
  scope_tab_drag_place_new (ADW_TAB_BAR (self->tab_bar));
  name_tabs (self);
}

gboolean
scope_window_has_tab (ScopeWindow *self, AdwTabPage *tab)
{
  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    if (adw_tab_view_get_nth_page (self->tabs, (int) i) == tab)
      return TRUE;
  return FALSE;
}

/* Told when a tab goes, before its bar knows. */
static void
hide_icons_of_gone (ScopeWindow *self)
{
  for (guint i = self->attached->len; i-- > 0;)
    if (!scope_window_has_tab (self, self->attached->pdata[i]))
      hide_icon (g_ptr_array_steal_index (self->attached, i));
}

/* ---- Opening ---- */

/* A tab that only welcomes gives way to what was opened from it. */
static void
replace_welcome (ScopeWindow *self, AdwTabPage *before, AdwTabPage *tab)
{
  if (before == NULL || get_page (before) != NULL)
    return;
  scope_tab_drag_end (ADW_TAB_BAR (self->tab_bar));
  adw_tab_view_reorder_page (self->tabs, tab, adw_tab_view_get_page_position (self->tabs, before));
  adw_tab_view_close_page (self->tabs, before);
}

/* At once: a tab of libadwaita 1.2 that has only begun to grow has less room than its label needs.
 */
static AdwTabPage *
append_tab (ScopeWindow *self, GtkWidget *child)
{
  AdwTabPage *tab;

  scope_still_begin ();
  tab = adw_tab_view_append (self->tabs, child);
  scope_still_end ();
  return tab;
}

AdwTabPage *
scope_window_add_document (ScopeWindow *self, ScopeDocument *document)
{
  AdwTabPage *before = adw_tab_view_get_selected_page (self->tabs);

  scope_document_set_view (document, &self->view);
  scope_document_set_n_threads (document, scope_settings_get_n_threads (self->settings));
  GtkWidget *page = scope_page_new (document, self->settings);
  AdwTabPage *tab = append_tab (self, page);
  GFile *file = scope_document_get_file (document);

  show_titles (self);
  set_tooltip (tab, file);
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), tab,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (scope_page_get_viewport (SCOPE_PAGE (page)), "changed",
                           G_CALLBACK (touched_cb), page, G_CONNECT_SWAPPED);
  document_changed_cb (tab, 0);
  adw_tab_view_set_selected_page (self->tabs, tab);
  replace_welcome (self, before, tab);
  scope_window_show_page (self);
  return tab;
}

void
scope_window_open (ScopeWindow *self, GFile *file)
{
  g_return_if_fail (SCOPE_IS_WINDOW (self) && G_IS_FILE (file));

  AdwTabPage *tab = find_tab (self, file);

  if (tab != NULL)
    {
      adw_tab_view_set_selected_page (self->tabs, tab);
      return;
    }
  g_autoptr (ScopeDocument) document = scope_document_new_for_file (file);

  scope_window_add_document (self, document);
}

void
scope_window_open_model (ScopeWindow *self, SymModel *model, const char *title)
{
  g_return_if_fail (SCOPE_IS_WINDOW (self) && model != NULL);

  g_autoptr (ScopeDocument) document = scope_document_new_for_model (model, title);

  scope_window_add_document (self, document);
}

static void
new_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  AdwTabPage *tab;

  if (scope_window_get_n_tabs (self) == 0)
    return;
  GtkWidget *welcome = scope_welcome_new (self->settings);

  tab = append_tab (self, welcome);
  show_title (self, tab);
  adw_tab_view_set_selected_page (self->tabs, tab);
  gtk_widget_grab_focus (welcome);
}

static void
open_uri_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  scope_window_open (user_data, file);
}

/* ---- The tab that a menu was opened on, else the one in front ---- */

AdwTabPage *
scope_window_get_tab (ScopeWindow *self)
{
  return self->menu_tab != NULL && scope_window_has_tab (self, self->menu_tab)
             ? self->menu_tab
             : adw_tab_view_get_selected_page (self->tabs);
}

static GFile *
get_file (ScopeWindow *self)
{
  ScopePage *page = get_page (scope_window_get_tab (self));

  return page != NULL ? scope_document_get_file (scope_page_get_document (page)) : NULL;
}

static void
update_tab_actions (ScopeWindow *self)
{
  guint n = scope_window_get_n_tabs (self);
  GFile *file = get_file (self);

  scope_window_set_enabled (self, "new-tab", n > 0);
  scope_window_set_enabled (self, "move-tab", n > 1);
  scope_window_set_enabled (self, "close-other-tabs", n > 1);
  scope_window_set_enabled (self, "copy-path", file != NULL && g_file_is_native (file));
  scope_window_set_enabled (self, "reopen-tab", self->closed->len > 0);
  scope_window_touch (self);
}

/* Told before the menu opens and, with no tab, when it has closed: what was chosen from it comes
 * between. */
static void
setup_menu_cb (ScopeWindow *self, AdwTabPage *tab)
{
  g_set_weak_pointer (&self->menu_tab, tab);
  update_tab_actions (self);
}

/* It is shown with its tab. */
static AdwTabView *
create_window_cb (ScopeWindow *self)
{
  ScopeWindow *other = scope_window_new (gtk_window_get_application (GTK_WINDOW (self)));

  scope_later_present (GTK_WINDOW (other));
  return other->tabs;
}

/* The other may be as good as closed by now. */
static gboolean
transfer_cb (gpointer user_data)
{
  AdwTabPage *tab = user_data;
  GtkRoot *root = gtk_widget_get_root (adw_tab_page_get_child (tab));
  ScopeWindow *self = SCOPE_IS_WINDOW (root) ? SCOPE_WINDOW (root) : NULL;

  if (self == NULL || !scope_window_has_tab (self, tab) || scope_window_get_n_tabs (self) < 2 ||
      adw_tab_view_get_is_transferring_page (self->tabs))
    return G_SOURCE_REMOVE;
  scope_still_begin (); /* as when one is closed */
  scope_tab_drag_end (ADW_TAB_BAR (self->tab_bar));
  adw_tab_view_transfer_page (self->tabs, tab, create_window_cb (self), 0);
  scope_still_end ();
  return G_SOURCE_REMOVE;
}

/* In turns of the main loop: what takes long to be moved goes first, and comes after it. */
static void
move_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  AdwTabPage *tab = scope_window_get_tab (self);
  ScopePage *page = get_page (tab);

  g_clear_weak_pointer (&self->menu_tab);
  if (page != NULL)
    scope_page_prepare_move (page);
  g_idle_add_full (G_PRIORITY_DEFAULT, transfer_cb, g_object_ref (tab), g_object_unref);
}

/* One that is not UTF-8 is copied as a URI. */
static void
copy_path_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_autofree char *path = scope_file_address (get_file (user_data));

  gdk_clipboard_set_text (gtk_widget_get_clipboard (user_data), path);
}

/* ---- The list of all tabs ---- */

static void
show_tab_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeWindow *self = user_data;
  int n = g_variant_get_int32 (parameter);

  if (n >= 0 && n < adw_tab_view_get_n_pages (self->tabs))
    adw_tab_view_set_selected_page (self->tabs, adw_tab_view_get_nth_page (self->tabs, n));
}

static void
list_tabs_cb (GtkMenuButton *button, gpointer user_data)
{
  ScopeWindow *self = user_data;
  AdwTabPage *selected = adw_tab_view_get_selected_page (self->tabs);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "show-tab");
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, (int) i);
      g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);

      /* As it is: a name is no mnemonic. */
      g_auto (GStrv) parts = g_strsplit (adw_tab_page_get_title (tab), "_", -1);
      g_autofree char *title = g_strjoinv ("__", parts);

      g_menu_item_set_label (item, title);
      g_menu_item_set_action_and_target (item, "win.show-tab", "i", (int) i);
      g_menu_append_item (menu, item);
      if (tab == selected)
        g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_int32 ((int) i));
    }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* Once a menu of the bar has closed, which gives the keyboard back to a tab; the window may have
 * closed as well, and has no parts then. */
static gboolean
leave_tab_bar_cb (gpointer user_data)
{
  ScopeWindow *self = user_data;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && scope_window_get_page (self) != NULL &&
      !adw_tab_bar_get_tabs_revealed (ADW_TAB_BAR (self->tab_bar)))
    g_action_group_activate_action (G_ACTION_GROUP (self), "focus-drawing", NULL);
  return G_SOURCE_REMOVE;
}

/* A tab that is clicked has the keyboard, and its bar goes when no other is left: keys would go to
 * what nobody sees. */
static void
tabs_revealed_cb (ScopeWindow *self, GParamSpec *property, GtkWidget *bar)
{
  gboolean is_there = adw_tab_bar_get_tabs_revealed (ADW_TAB_BAR (bar));
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (!is_there && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      (focus == NULL || gtk_widget_is_ancestor (focus, bar)))
    g_idle_add_full (G_PRIORITY_LOW, leave_tab_bar_cb, g_object_ref (self), g_object_unref);
  gtk_widget_set_can_focus (bar, is_there);
}

/* ---- The window's ---- */

void
scope_window_add_tab_actions (ScopeWindow *self)
{
  static const GActionEntry entries[] = {
    { "new-tab", new_tab_cb },
    { "move-tab", move_tab_cb },
    { "copy-path", copy_path_cb },
    { "open-uri", open_uri_cb, "s" },
    { "show-tab", show_tab_cb, "i", "0" },
  };

  self->attached = g_ptr_array_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->tabs_button), list_tabs_cb, self,
                                         NULL);
  scope_tab_drag_watch (ADW_TAB_BAR (self->tab_bar));
  g_signal_connect_swapped (self->tab_bar, "notify::tabs-revealed", G_CALLBACK (tabs_revealed_cb),
                            self);
  g_signal_connect_swapped (self->tabs, "setup-menu", G_CALLBACK (setup_menu_cb), self);
  g_signal_connect_swapped (self->tabs, "create-window", G_CALLBACK (create_window_cb), self);
  g_signal_connect_swapped (self->tabs, "notify::n-pages", G_CALLBACK (hide_icons_of_gone), self);
  g_signal_connect_swapped (self->tabs, "notify::n-pages", G_CALLBACK (update_tab_actions), self);
  g_signal_connect_swapped (self->tabs, "notify::selected-page", G_CALLBACK (update_tab_actions),
                            self);
  g_signal_connect_swapped (self->tabs, "notify::n-pages", G_CALLBACK (show_titles), self);
  g_signal_connect_swapped (self->tabs, "page-attached", G_CALLBACK (attached_cb), self);
  update_tab_actions (self);
}
