/* SPDX-License-Identifier: MIT */
#include "app/scope-popup.h"

static void
remove_cb (gpointer data)
{
  g_autoptr (GtkWidget) menu = data;

  if (gtk_widget_get_parent (menu) != NULL)
    gtk_widget_unparent (menu);
}

/* A menu closes before it does what was chosen, for which it needs its parent. */
static void
closed_cb (GtkWidget *menu)
{
  g_idle_add_once (remove_cb, g_object_ref (menu));
}

static void
destroy_cb (GtkWidget *menu)
{
  if (gtk_widget_get_parent (menu) != NULL)
    gtk_widget_unparent (menu);
}

void
scope_popup_menu (GtkWidget *widget, GMenuModel *menu, double x, double y)
{
  g_return_if_fail (GTK_IS_WIDGET (widget) && G_IS_MENU_MODEL (menu));

  GtkWidget *popover = gtk_popover_menu_new_from_model (menu);

  gtk_widget_set_parent (popover, widget);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), NULL);
  g_signal_connect_object (widget, "destroy", G_CALLBACK (destroy_cb), popover, G_CONNECT_SWAPPED);
  gtk_popover_popup (GTK_POPOVER (popover));
}
