/* SPDX-License-Identifier: MIT */
#include "app/scope-menu.h"

#define FOLDER "/org/symscope/Symscope/"

static GtkBuilder *
load (void)
{
  GtkBuilder *builder = gtk_builder_new_from_resource (FOLDER "scope-canvas.ui");
  g_autoptr (GError) error = NULL;

  if (!gtk_builder_add_from_resource (builder, FOLDER "scope-menus.ui", &error))
    g_error ("%s", error->message);
  return builder;
}

GMenuModel *
scope_menu_get (const char *name)
{
  static GtkBuilder *builder;

  g_return_val_if_fail (name != NULL, NULL);

  if (builder == NULL)
    builder = load ();
  return G_MENU_MODEL (gtk_builder_get_object (builder, name));
}

static void
create_popup_cb (GtkMenuButton *button, gpointer name)
{
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, scope_menu_get (name));
}

void
scope_menu_give (GtkWidget *button, const char *name)
{
  g_return_if_fail (GTK_IS_MENU_BUTTON (button) && name != NULL);

  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), create_popup_cb,
                                         (gpointer) g_intern_string (name), NULL);
  /* Who opens it by the pointer goes on with the keyboard where that was. */
  gtk_widget_set_focus_on_click (gtk_widget_get_first_child (button), FALSE);
}

void
scope_menu_hush (GtkWidget *button)
{
  g_return_if_fail (GTK_IS_MENU_BUTTON (button));

  /* The button of GTK 4.8 does not tell whether it is open, but that within does. */
  g_object_bind_property (gtk_widget_get_first_child (button), "active", button, "has-tooltip",
                          G_BINDING_INVERT_BOOLEAN);
}

GMenuModel *
scope_menu_keep (const char *name, ScopeMenuFunc create, gconstpointer data)
{
  static GHashTable *kept; /* name -> GMenuModel */
  GMenuModel *menu;

  g_return_val_if_fail (name != NULL && create != NULL, NULL);

  if (kept == NULL)
    kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  menu = g_hash_table_lookup (kept, name);
  if (menu == NULL)
    {
      menu = G_MENU_MODEL (create (data));
      g_hash_table_insert (kept, g_strdup (name), menu);
    }
  return menu;
}
