/* SPDX-License-Identifier: MIT */
#include "app/scope-access.h"

#include <glib/gi18n.h>

void
scope_access_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* The next widget below @root, depth first; NULL after the last. */
static GtkWidget *
get_next (GtkWidget *root, GtkWidget *widget)
{
  if (gtk_widget_get_first_child (widget) != NULL)
    return gtk_widget_get_first_child (widget);
  while (widget != root && gtk_widget_get_next_sibling (widget) == NULL)
    widget = gtk_widget_get_parent (widget);
  return widget != root ? gtk_widget_get_next_sibling (widget) : NULL;
}

static GtkWidget *
find_first (GtkWidget *root, GType type)
{
  GtkWidget *widget = get_next (root, root);

  while (widget != NULL && !g_type_is_a (G_OBJECT_TYPE (widget), type))
    widget = get_next (root, widget);
  return widget;
}

static GtkWidget *
find_with_class (GtkWidget *root, const char *css_class)
{
  GtkWidget *widget = get_next (root, root);

  while (widget != NULL && !gtk_widget_has_css_class (widget, css_class))
    widget = get_next (root, widget);
  return widget;
}

static gboolean
is_called (GtkWidget *widget, const char *class_name)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), class_name);
}

/* ---- Tables ---- */

void
scope_access_name_parts (GtkWidget *column_view, const char *header, const char *list)
{
  g_return_if_fail (GTK_IS_COLUMN_VIEW (column_view));

  GtkWidget *view = find_first (column_view, GTK_TYPE_LIST_VIEW);

  scope_access_name (gtk_widget_get_first_child (column_view), header);
  if (view != NULL)
    scope_access_name (view, list);
}

void
scope_access_name_row (GtkWidget *child, const char *name)
{
  GtkWidget *cell = gtk_widget_get_parent (child);
  GtkWidget *row = cell != NULL ? gtk_widget_get_parent (cell) : NULL;

  if (row != NULL && name != NULL)
    scope_access_name (row, name);
}

/* ---- Choices ---- */

/* Each item of a list by the text in it, the list by what it is for. */
static void
name_items (GtkWidget *root, const char *name)
{
  for (GtkWidget *widget = root; widget != NULL; widget = get_next (root, widget))
    {
      GtkWidget *label =
          is_called (widget, "GtkListItemWidget") ? find_first (widget, GTK_TYPE_LABEL) : NULL;

      if (label != NULL)
        scope_access_name (widget, gtk_label_get_text (GTK_LABEL (label)));
      else if (GTK_IS_LIST_VIEW (widget))
        scope_access_name (widget, name);
    }
}

static void
opened_cb (GtkWidget *popover, GtkWidget *choice)
{
  const char *name = ADW_IS_COMBO_ROW (choice)
                         ? adw_preferences_row_get_title (ADW_PREFERENCES_ROW (choice))
                         : g_object_get_data (G_OBJECT (choice), "name");

  name_items (popover, name);
}

static void
watch_items (GtkWidget *choice)
{
  GtkWidget *popover = find_first (choice, GTK_TYPE_POPOVER);

  if (popover != NULL)
    g_signal_connect_object (popover, "map", G_CALLBACK (opened_cb), choice, 0);
}

static void
show_choice_cb (GtkDropDown *choice)
{
  const char *name = g_object_get_data (G_OBJECT (choice), "name");
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (choice));
  GObject *item = gtk_drop_down_get_selected_item (choice);
  const char *chosen =
      GTK_IS_STRING_OBJECT (item) ? gtk_string_object_get_string (GTK_STRING_OBJECT (item)) : NULL;
  /* Translators: what is chosen, and what it is chosen for */
  g_autofree char *text =
      chosen != NULL ? g_strdup_printf (_ ("%s, %s"), chosen, name) : g_strdup (name);

  scope_access_name (button, text);
}

void
scope_access_name_choice (GtkWidget *drop_down, const char *name)
{
  g_return_if_fail (GTK_IS_DROP_DOWN (drop_down) && name != NULL);

  scope_access_name (drop_down, name);
  g_object_set_data_full (G_OBJECT (drop_down), "name", g_strdup (name), g_free);
  g_signal_connect (drop_down, "notify::selected-item", G_CALLBACK (show_choice_cb), NULL);
  show_choice_cb (GTK_DROP_DOWN (drop_down));
  watch_items (drop_down);
}

/* What is chosen is a list of one item in a row. */
static void
show_row_cb (GtkWidget *combo_row)
{
  name_items (combo_row, adw_preferences_row_get_title (ADW_PREFERENCES_ROW (combo_row)));
}

void
scope_access_name_items (GtkWidget *combo_row)
{
  g_return_if_fail (ADW_IS_COMBO_ROW (combo_row));

  watch_items (combo_row);
  g_signal_connect_after (combo_row, "map", G_CALLBACK (show_row_cb), NULL);
  g_signal_connect_after (combo_row, "notify::selected-item", G_CALLBACK (show_row_cb), NULL);
}

static const char *
get_chosen (GtkWidget *row)
{
  gpointer item =
      ADW_IS_COMBO_ROW (row) ? adw_combo_row_get_selected_item (ADW_COMBO_ROW (row)) : NULL;

  return GTK_IS_STRING_OBJECT (item) ? gtk_string_object_get_string (item) : NULL;
}

static void
tell_row_cb (GtkWidget *row)
{
  const char *subtitle = adw_action_row_get_subtitle (ADW_ACTION_ROW (row));
  const char *chosen = get_chosen (row);
  gboolean has_subtitle = subtitle != NULL && *subtitle != '\0';
  g_autofree char *both =
      chosen != NULL && has_subtitle ? g_strdup_printf ("%s, %s", chosen, subtitle) : NULL;
  const char *text = both != NULL ? both : chosen != NULL ? chosen : has_subtitle ? subtitle : "";

  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

void
scope_access_tell_rows (GtkWidget *root)
{
  for (GtkWidget *widget = root; widget != NULL; widget = get_next (root, widget))
    {
      if (!ADW_IS_ACTION_ROW (widget))
        continue;
      g_signal_connect (widget, "notify::subtitle", G_CALLBACK (tell_row_cb), NULL);
      if (ADW_IS_COMBO_ROW (widget))
        g_signal_connect_after (widget, "notify::selected-item", G_CALLBACK (tell_row_cb), NULL);
      tell_row_cb (widget);
    }
}

/* ---- Answers ---- */

void
scope_access_name_answers (GtkWidget *dialog)
{
  for (GtkWidget *widget = dialog; widget != NULL; widget = get_next (dialog, widget))
    if (GTK_IS_BUTTON (widget) && gtk_button_get_use_underline (GTK_BUTTON (widget)))
      gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

/* ---- Shortcuts ---- */

static gboolean
is_search_button (GtkWidget *widget)
{
  GtkWidget *image = GTK_IS_TOGGLE_BUTTON (widget) ? find_first (widget, GTK_TYPE_IMAGE) : NULL;

  return image != NULL &&
         g_strcmp0 (gtk_image_get_icon_name (GTK_IMAGE (image)), "edit-find-symbolic") == 0;
}

/* GTK tells of a page how its number is written, with a mnemonic. */
static void
name_page (GtkWidget *tab)
{
  GtkWidget *label = find_first (tab, GTK_TYPE_LABEL);

  if (label != NULL)
    scope_access_name (tab, gtk_label_get_text (GTK_LABEL (label)));
}

void
scope_access_name_shortcuts (GtkShortcutsWindow *window)
{
  GtkWidget *root = GTK_WIDGET (window);

  for (GtkWidget *widget = root; widget != NULL; widget = get_next (root, widget))
    {
      if (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)) == GTK_ACCESSIBLE_ROLE_TAB)
        name_page (widget);
      else if (GTK_IS_SEARCH_ENTRY (widget) || is_search_button (widget))
        scope_access_name (widget, _ ("Search Shortcuts"));
    }
}

/* ---- About ---- */

/* The version is a button, which copies it; those back are pictures. */
static void
name_button (GtkWidget *button)
{
  GtkWidget *label = find_first (button, GTK_TYPE_LABEL);
  GtkWidget *image = find_first (button, GTK_TYPE_IMAGE);

  if (label != NULL && gtk_widget_has_css_class (button, "app-version"))
    scope_access_name (button, gtk_label_get_text (GTK_LABEL (label)));
  else if (label == NULL && image != NULL)
    scope_access_name (button, _ ("Back"));
}

void
scope_access_name_about (AdwAboutWindow *window)
{
  GtkWidget *root = GTK_WIDGET (window);

  for (GtkWidget *widget = root; widget != NULL; widget = get_next (root, widget))
    {
      if (GTK_IS_BUTTON (widget) &&
          gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) == NULL)
        name_button (widget);
      else if (GTK_IS_TEXT_VIEW (widget))
        scope_access_name (widget, _ ("Debugging Information"));
      else if (GTK_IS_LIST_BOX (widget))
        scope_access_name (widget, _ ("About"));
    }
}

/* ---- Tabs ---- */

static void
name_tab (GtkWidget *tab)
{
  g_autoptr (AdwTabPage) page = NULL;
  GtkWidget *button = find_with_class (tab, "tab-close-button");

  g_object_get (tab, "page", &page, NULL);
  const char *title = page != NULL ? adw_tab_page_get_title (page) : NULL;
  if (title == NULL || *title == '\0')
    return;
  g_autofree char *closes = g_strdup_printf (_ ("Close %s"), title);

  scope_access_name (tab, title);
  scope_access_name (gtk_widget_get_parent (tab), title); /* what has the keyboard */
  if (button != NULL)
    scope_access_name (button, closes);
}

void
scope_access_name_tabs (AdwTabBar *bar)
{
  g_return_if_fail (ADW_IS_TAB_BAR (bar));

  GtkWidget *root = GTK_WIDGET (bar);

  for (GtkWidget *widget = root; widget != NULL; widget = get_next (root, widget))
    if (is_called (widget, "AdwTab"))
      name_tab (widget);
}
