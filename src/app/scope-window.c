/* SPDX-License-Identifier: MIT */
#include "app/scope-window-private.h"

#include <glib/gi18n.h>

#include "scene/sym-scene-body.h"

G_DEFINE_FINAL_TYPE (ScopeWindow, scope_window, ADW_TYPE_APPLICATION_WINDOW)

/* ---- Title and tabs ---- */

static void
show_title (ScopeWindow *self)
{
  const char *title = _("Symscope");
  g_autofree char *subtitle = NULL;

  if (self->document != NULL) {
    title = scope_document_get_title (self->document);
    subtitle = scope_document_get_subtitle (self->document);
  }
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), title);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), subtitle != NULL ? subtitle : "");
  gtk_window_set_title (GTK_WINDOW (self), title);
}

static const char *
get_message (const SymLayout *layout)
{
  const char *message = sym_layout_get_message (layout);

  if (message == NULL && sym_scene_get_n_left_closed (sym_layout_get_scene (layout)) > 0)
    return _("Some layers are left closed: there is too much inside, or it lies too deep");
  return message;
}

/* A picture that is not as good as it could be says why, once. */
static void
tell_message (ScopeWindow *self)
{
  SymPicture *picture = scope_document_get_picture (self->document);
  const char *message = g_intern_string (get_message (sym_picture_get_layout (picture)));

  if (message != NULL && message != self->told)
    scope_window_show_message (self, message);
  self->told = message;
}

static void
document_changed_cb (ScopeWindow *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_PROGRESS))
    show_title (self);
  if (changes & SCOPE_CHANGE_PICTURE)
    tell_message (self);
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

static void
page_changed_cb (ScopeWindow *self)
{
  ScopePage *page = scope_window_get_page (self);

  watch (self, page != NULL ? scope_page_get_document (page) : NULL);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), page != NULL ? "tabs" : "empty");
  scope_window_show_tools (self);
  scope_window_show_panels (self);
  show_title (self);
  scope_window_update_actions (self);
}

/* Each tab tells whether it is busy, also while another one is in front. */
static void
tab_changed_cb (AdwTabPage *tab)
{
  ScopeDocument *document = scope_page_get_document (SCOPE_PAGE (adw_tab_page_get_child (tab)));
  gboolean has_failed = scope_document_get_error (document) != NULL &&
                        scope_document_get_model (document) == NULL;
  guint n_done, n_all;
  g_autoptr (GIcon) icon = has_failed ? g_themed_icon_new ("dialog-error-symbolic") : NULL;

  adw_tab_page_set_loading (tab, scope_document_get_progress (document) != NULL ||
                                     scope_document_get_run_progress (document, &n_done, &n_all));
  adw_tab_page_set_icon (tab, icon);
}

static void
add_page (ScopeWindow *self, ScopeDocument *document)
{
  scope_document_set_view (document, &self->view);
  GtkWidget *page = scope_page_new (document);
  AdwTabPage *tab = adw_tab_view_append (self->tabs, page);
  GFile *file = scope_document_get_file (document);
  g_autofree char *tooltip = file != NULL ? g_file_get_parse_name (file) : NULL;

  adw_tab_page_set_title (tab, scope_document_get_title (document));
  adw_tab_page_set_tooltip (tab, tooltip != NULL ? tooltip : "");
  g_signal_connect_object (document, "changed", G_CALLBACK (tab_changed_cb), tab,
                           G_CONNECT_SWAPPED);
  tab_changed_cb (tab);
  adw_tab_view_set_selected_page (self->tabs, tab);
  page_changed_cb (self);
}

static AdwTabPage *
find_tab (ScopeWindow *self, GFile *file)
{
  int n = adw_tab_view_get_n_pages (self->tabs);

  for (int i = 0; i < n; i++) {
    AdwTabPage *tab = adw_tab_view_get_nth_page (self->tabs, i);
    ScopeDocument *document = scope_page_get_document (SCOPE_PAGE (adw_tab_page_get_child (tab)));
    GFile *other = scope_document_get_file (document);

    if (other != NULL && g_file_equal (file, other))
      return tab;
  }
  return NULL;
}

static AdwTabView *
create_window_cb (ScopeWindow *self)
{
  ScopeWindow *other = scope_window_new (gtk_window_get_application (GTK_WINDOW (self)));

  gtk_window_present (GTK_WINDOW (other));
  return other->tabs;
}

/* ---- Light and dark ---- */

static void
dark_changed_cb (ScopeWindow *self)
{
  gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  int n = adw_tab_view_get_n_pages (self->tabs);

  self->view.theme = is_dark ? SYM_THEME_DARK : SYM_THEME_LIGHT;
  for (int i = 0; i < n; i++) {
    GtkWidget *page = adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tabs, i));
    ScopeDocument *document = scope_page_get_document (SCOPE_PAGE (page));
    ScopeView view = *scope_document_get_view (document);

    view.theme = self->view.theme;
    scope_document_set_view (document, &view);
  }
}

/* ---- Files dropped on the window ---- */

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, ScopeWindow *self)
{
  GSList *files = g_value_get_boxed (value);

  for (GSList *l = files; l != NULL; l = l->next)
    scope_window_open (self, l->data);
  return files != NULL;
}

static void
add_drop_target (ScopeWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static void
add_menus (ScopeWindow *self)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/org/symscope/Symscope/scope-menus.ui");

  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->menu_button),
                                  G_MENU_MODEL (gtk_builder_get_object (builder, "main_menu")));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->view_button),
                                  G_MENU_MODEL (gtk_builder_get_object (builder, "view_menu")));
}

/* ---- Class ---- */

static void
scope_window_dispose (GObject *object)
{
  ScopeWindow *self = SCOPE_WINDOW (object);

  watch (self, NULL);
  g_clear_object (&self->chooser);
  g_clear_weak_pointer (&self->run_dialog);
  G_OBJECT_CLASS (scope_window_parent_class)->dispose (object);
}

static void
scope_window_class_init (ScopeWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_window_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-window.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeWindow, tabs);
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
  gtk_widget_class_bind_template_callback (widget_class, page_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, create_window_cb);
}

static void
scope_window_init (ScopeWindow *self)
{
  self->panels = SCOPE_PANEL_SUMMARY | SCOPE_PANEL_INSPECTOR | SCOPE_PANEL_LEGEND |
                 SCOPE_PANEL_MINIMAP;
  self->view.labels = SYM_LABEL_NAME | SYM_LABEL_SHAPE;
  gtk_widget_init_template (GTK_WIDGET (self));
  add_menus (self);
  scope_window_add_actions (self);
  add_drop_target (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (dark_changed_cb), self, G_CONNECT_SWAPPED);
  dark_changed_cb (self);
  scope_window_watch_room (self);
  page_changed_cb (self);
}

ScopeWindow *
scope_window_new (GtkApplication *application)
{
  return g_object_new (SCOPE_TYPE_WINDOW, "application", application, NULL);
}

void
scope_window_open (ScopeWindow *self, GFile *file)
{
  g_return_if_fail (SCOPE_IS_WINDOW (self) && G_IS_FILE (file));

  AdwTabPage *tab = find_tab (self, file);

  if (tab != NULL) {
    adw_tab_view_set_selected_page (self->tabs, tab);
    return;
  }
  g_autoptr (ScopeDocument) document = scope_document_new_for_file (file);

  add_page (self, document);
}

void
scope_window_open_model (ScopeWindow *self, SymModel *model, const char *title)
{
  g_return_if_fail (SCOPE_IS_WINDOW (self) && model != NULL);

  g_autoptr (ScopeDocument) document = scope_document_new_for_model (model, title);

  add_page (self, document);
}

ScopePage *
scope_window_get_page (ScopeWindow *self)
{
  g_return_val_if_fail (SCOPE_IS_WINDOW (self), NULL);

  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tabs);

  return tab != NULL ? SCOPE_PAGE (adw_tab_page_get_child (tab)) : NULL;
}

ScopeDocument *
scope_window_get_document (ScopeWindow *self)
{
  return self->document;
}

void
scope_window_show_message (ScopeWindow *self, const char *text)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);

  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), adw_toast_new (markup));
}

void
scope_window_begin_work (ScopeWindow *self, GtkWidget *card)
{
  gtk_box_append (GTK_BOX (self->works), card);
}
