/* SPDX-License-Identifier: MIT */
#include "app/scope-popup.h"

#define KEY "scope-popup"

static void
destroy_cb (GtkWidget *widget)
{
  GtkWidget *menu = g_object_steal_data (G_OBJECT (widget), KEY);

  g_clear_pointer (&menu, gtk_widget_unparent);
}

/* It stays when it is closed: where the pointer was in it last, GTK 4.8 looks for the surface of
 * what the pointer is in, and falls when that has gone. */
static GtkWidget *
need_popover (GtkWidget *widget)
{
  GtkWidget *popover = g_object_get_data (G_OBJECT (widget), KEY);

  if (popover != NULL)
    return popover;
  popover = gtk_popover_menu_new_from_model (NULL);
  gtk_widget_set_parent (popover, widget);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  g_object_set_data (G_OBJECT (widget), KEY, popover);
  g_signal_connect (widget, "destroy", G_CALLBACK (destroy_cb), NULL);
  return popover;
}

void
scope_popup_menu (GtkWidget *widget, GMenuModel *menu, double x, double y)
{
  g_return_if_fail (GTK_IS_WIDGET (widget) && G_IS_MENU_MODEL (menu));

  GtkWidget *popover = need_popover (widget);

  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (popover), menu);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (popover));
}
