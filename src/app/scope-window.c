/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "app/scope-application.h"
#include "app/scope-chooser.h"
#include "app/scope-elided.h"
#include "app/scope-keyboard.h"
#include "app/scope-menu.h"
#include "app/scope-messages.h"
#include "app/scope-welcome.h"
#include "scene/sym-scene-body.h"

G_DEFINE_FINAL_TYPE (ScopeWindow, scope_window, ADW_TYPE_APPLICATION_WINDOW)

/* ---- Title and tabs ---- */

static void
show_title (ScopeWindow *self)
{
  g_autofree char *title = g_strdup (_ ("Symscope"));
  g_autofree char *subtitle = NULL;

  if (self->document != NULL)
    {
      g_free (title);
      title = g_strconcat (scope_document_is_modified (self->document) ? "• " : "",
                           scope_document_get_title (self->document), NULL);
      subtitle = scope_document_get_subtitle (self->document);
    }
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), title);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), subtitle != NULL ? subtitle : "");
  gtk_window_set_title (GTK_WINDOW (self), title);
}

/* What there is no room for is told under the pointer. */
static void
tell_elided_title (ScopeWindow *self)
{
  GtkWidget *lines = gtk_widget_get_first_child (self->title);

  for (GtkWidget *w = gtk_widget_get_first_child (lines); w != NULL;
       w = gtk_widget_get_next_sibling (w))
    if (GTK_IS_LABEL (w))
      scope_elided_tell (w);
}

static const char *
get_message (const SymLayout *layout)
{
  if (sym_layout_get_message (layout) != NULL)
    return _ ("Lines may cross more than they need to, as a helper failed; reload to try again");
  if (sym_scene_get_n_left_closed (sym_layout_get_scene (layout)) > 0)
    return _ ("Some layers are left closed: there is too much inside, or it lies too deep");
  if (sym_scene_get_n_not_made (sym_layout_get_scene (layout)) > 0)
    return _ ("Some layers are left closed: what they are made of cannot be told");
  return NULL;
}

/* A picture that is not as good as it could be says why, once. */
static void
tell_message (ScopeWindow *self)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  SymLayout *layout = sym_picture_get_layout (picture);
  const char *message = g_intern_string (get_message (layout));

  if (message != NULL && message != self->told)
    scope_window_show_message (self, message);
  if (message != NULL && sym_layout_get_message (layout) != NULL)
    g_info ("%s", sym_layout_get_message (layout));
  self->told = message;
}

/* Messages would lie on the bar that tells of the cut. */
static void
place_messages (ScopeWindow *self)
{
  if (self->document != NULL && scope_document_get_cut (self->document) != NULL)
    gtk_widget_add_css_class (self->toasts, "above-bar");
  else
    gtk_widget_remove_css_class (self->toasts, "above-bar");
}

static void
tell_lost_edits (ScopeWindow *self)
{
  guint n = self->document != NULL ? scope_document_take_lost_edits (self->document) : 0;

  if (n == 0)
    return;
  g_autofree char *count = scope_format_count (n);
  g_autofree char *text =
      g_strdup_printf (ngettext ("%s edit could not be done again: the file has changed",
                                 "%s edits could not be done again: the file has changed", n),
                       count);

  scope_window_show_message (self, text);
}

static void
document_changed_cb (ScopeWindow *self, guint changes)
{
  if (changes &
      (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_STATE | SCOPE_CHANGE_PROGRESS))
    show_title (self);
  if (changes & SCOPE_CHANGE_STATE)
    scope_keyboard_end_typing (GTK_WINDOW (self));
  if (changes & SCOPE_CHANGE_PICTURE)
    tell_message (self);
  if (changes & (SCOPE_CHANGE_CUT | SCOPE_CHANGE_MODEL))
    place_messages (self);
  scope_window_tell_weights (self);
  tell_lost_edits (self);
  scope_window_update_actions (self);
}

static void
watch (ScopeWindow *self, ScopeDocument *document)
{
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_func (self->document, document_changed_cb, self);
  g_set_object (&self->document, document);
  if (document != NULL)
    g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
}

/* It has many widgets, and a window that is opened for a tab or a file never shows it. */
static void
show_welcome (ScopeWindow *self)
{
  if (adw_bin_get_child (ADW_BIN (self->welcome)) == NULL)
    adw_bin_set_child (ADW_BIN (self->welcome), scope_welcome_new (self->settings));
}

void
scope_window_show_page (ScopeWindow *self)
{
  ScopePage *page = scope_window_get_page (self);
  gboolean has_tabs = adw_tab_view_get_selected_page (self->tabs) != NULL;

  watch (self, page != NULL ? scope_page_get_document (page) : NULL);
  if (!has_tabs && gtk_widget_get_visible (GTK_WIDGET (self)))
    show_welcome (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), has_tabs ? "tabs" : "empty");
  scope_window_show_tools (self);
  scope_window_show_panels (self);
  show_title (self);
  place_messages (self);
  scope_window_update_actions (self);
  scope_window_tell_weights (self);
  tell_lost_edits (self);
  scope_window_touch (self);
}

/* ---- Light and dark, and how much contrast ---- */

static void
style_changed_cb (ScopeWindow *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  gboolean is_dark = adw_style_manager_get_dark (style);

  self->view.theme = is_dark ? SYM_THEME_DARK : SYM_THEME_LIGHT;
  if (adw_style_manager_get_high_contrast (style))
    self->view.theme = is_dark ? SYM_THEME_DARK_CONTRAST : SYM_THEME_LIGHT_CONTRAST;
  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);

      if (page == NULL)
        continue;
      ScopeView view = *scope_document_get_view (scope_page_get_document (page));

      view.theme = self->view.theme;
      scope_document_set_view (scope_page_get_document (page), &view);
    }
}

/* ---- What the user prefers ---- */

/* How new tabs are drawn. */
static void
take_view (ScopeWindow *self)
{
  static const struct {
    ScopeSetting setting;
    SymLabels label;
  } labels[] = {
    { SCOPE_SETTING_NAMES, SYM_LABEL_NAME },
    { SCOPE_SETTING_VARIABLES, SYM_LABEL_VARIABLE },
    { SCOPE_SETTING_SHAPES, SYM_LABEL_SHAPE },
    { SCOPE_SETTING_DTYPES, SYM_LABEL_DTYPE },
  };
  ScopeSettings *settings = self->settings;

  self->view.drawing = (SymDrawing) scope_settings_get (settings, SCOPE_SETTING_DRAWING);
  self->view.direction = (SymDirection) scope_settings_get (settings, SCOPE_SETTING_DIRECTION);
  self->view.rows.is_tree = scope_settings_get (settings, SCOPE_SETTING_TREE);
  self->view.labels = 0;
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    if (scope_settings_get (settings, labels[i].setting))
      self->view.labels |= labels[i].label;
}

/* What the next export begins with. */
static void
take_export (ScopeWindow *self)
{
  ScopeSettings *settings = self->settings;

  self->export_choice.kind = (guint) scope_settings_get (settings, SCOPE_SETTING_EXPORT_KIND);
  self->export_choice.theme = (SymTheme) scope_settings_get (settings, SCOPE_SETTING_EXPORT_THEME);
  self->export_choice.scale = 1 << scope_settings_get (settings, SCOPE_SETTING_EXPORT_SCALE);
  self->export_choice.transparent = scope_settings_get (settings, SCOPE_SETTING_EXPORT_TRANSPARENT);
  self->export_choice.has_legend = scope_settings_get (settings, SCOPE_SETTING_EXPORT_LEGEND);
}

/* Also of graphs that are open: the next run is to be as it is wanted now. */
static void
take_threads (ScopeWindow *self)
{
  guint n_threads = scope_settings_get_n_threads (self->settings);

  for (guint i = 0; i < scope_window_get_n_tabs (self); i++)
    {
      ScopePage *page = scope_window_get_nth_page (self, i);

      if (page != NULL)
        scope_document_set_n_threads (scope_page_get_document (page), n_threads);
    }
}

static void
settings_changed_cb (ScopeWindow *self, guint setting)
{
  if (setting == SCOPE_SETTING_THREADS)
    take_threads (self);
  else if (setting >= SCOPE_SETTING_DRAWING && setting <= SCOPE_SETTING_TREE)
    take_view (self);
  else if (setting >= SCOPE_SETTING_EXPORT_KIND && setting <= SCOPE_SETTING_EXPORT_LEGEND)
    take_export (self);
}

static void
take_settings (ScopeWindow *self, ScopeSettings *settings)
{
  self->settings = g_object_ref (settings);
  g_signal_connect_object (settings, "changed", G_CALLBACK (settings_changed_cb), self,
                           G_CONNECT_SWAPPED);
  take_export (self);
  take_view (self);
  scope_window_update_actions (self);
}

static void
add_menus (ScopeWindow *self)
{
  scope_menu_give (self->menu_button, "main_menu");
  scope_menu_give (self->view_button, "view_menu");
  scope_menu_hush (self->menu_button);
  scope_menu_hush (self->view_button);
  scope_menu_hush (self->tabs_button);
  adw_tab_view_set_menu_model (self->tabs, scope_menu_get ("tab_menu"));
}

/* ---- Class ---- */

static void
scope_window_dispose (GObject *object)
{
  ScopeWindow *self = SCOPE_WINDOW (object);

  watch (self, NULL);
  g_clear_object (&self->settings);
  scope_window_end_closing (self);
  scope_chooser_let_go (&self->chooser, self);
  g_clear_object (&self->folder);
  g_clear_object (&self->saved_tab);
  g_clear_object (&self->refused_tab);
  g_clear_weak_pointer (&self->run_dialog);
  g_clear_weak_pointer (&self->export_dialog);
  g_clear_weak_pointer (&self->bookmarks_dialog);
  g_clear_weak_pointer (&self->menu_tab);
  G_OBJECT_CLASS (scope_window_parent_class)->dispose (object);
}

static void
scope_window_finalize (GObject *object)
{
  ScopeWindow *self = SCOPE_WINDOW (object);

  scope_window_free_closing (self);
  g_ptr_array_unref (self->attached);
  G_OBJECT_CLASS (scope_window_parent_class)->finalize (object);
}

static void
scope_window_show (GtkWidget *widget)
{
  ScopeWindow *self = SCOPE_WINDOW (widget);

  if (scope_window_get_n_tabs (self) == 0)
    show_welcome (self);
  GTK_WIDGET_CLASS (scope_window_parent_class)->show (widget);
}

/* The last window takes with it what the next session is to begin with. */
static gboolean
scope_window_close_request (GtkWindow *window)
{
  GtkApplication *application = gtk_window_get_application (window);

  if (application != NULL)
    scope_application_close_window (SCOPE_APPLICATION (application));
  scope_window_leave (SCOPE_WINDOW (window));
  return GDK_EVENT_STOP;
}

static void
scope_window_class_init (ScopeWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_window_finalize;
  widget_class->show = scope_window_show;
  GTK_WINDOW_CLASS (klass)->close_request = scope_window_close_request;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-window.ui");
  /* No key of the whole program: what is being typed in takes it first. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_v, GDK_CONTROL_MASK, "win.paste",
                                       NULL);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, tabs);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, tab_bar);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, title);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, works);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, view_button);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, undo_button);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, redo_button);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, export_button);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, header);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, bottom_bar);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, left_tools);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, right_tools);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, welcome);
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, tabs_button);
  gtk_widget_class_bind_template_callback (widget_class, scope_window_show_page);
}

static void
scope_window_init (ScopeWindow *self)
{
  self->panels =
      SCOPE_PANEL_SUMMARY | SCOPE_PANEL_INSPECTOR | SCOPE_PANEL_LEGEND | SCOPE_PANEL_MINIMAP;
  gtk_widget_init_template (GTK_WIDGET (self));
  tell_elided_title (self);
  add_menus (self);
  scope_window_add_actions (self);
  scope_window_take_drops (self);
  scope_keyboard_keep (GTK_WINDOW (self));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (style_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (style_changed_cb), self, G_CONNECT_SWAPPED);
  style_changed_cb (self);
  scope_window_watch_room (self);
  scope_window_show_page (self);
}

ScopeWindow *
scope_window_new (GtkApplication *application)
{
  ScopeWindow *self = g_object_new (SCOPE_TYPE_WINDOW, "application", application, NULL);

  scope_keyboard_let_texts_edit (GTK_WINDOW (self));
  take_settings (self, scope_application_get_settings (SCOPE_APPLICATION (application)));
  return self;
}

ScopeDocument *
scope_window_get_document (ScopeWindow *self)
{
  return self->document;
}

void
scope_window_show_message (ScopeWindow *self, const char *text)
{
  scope_messages_show (ADW_TOAST_OVERLAY (self->toasts), text);
}

void
scope_window_begin_work (ScopeWindow *self, GtkWidget *card)
{
  gtk_box_append (GTK_BOX (self->works), card);
}
