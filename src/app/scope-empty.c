/* SPDX-License-Identifier: MIT */
#include "app/scope-empty.h"

#include <adwaita.h>

GtkWidget *
scope_empty_new (const char *icon,
                 const char *title,
                 const char *description,
                 const char *button,
                 const char *action)
{
  g_return_val_if_fail (icon != NULL && title != NULL && button != NULL && action != NULL, NULL);

  GtkWidget *page = adw_status_page_new ();
  GtkWidget *child = gtk_button_new_with_label (button);

  gtk_widget_add_css_class (page, "compact");
  gtk_widget_add_css_class (child, "pill");
  gtk_widget_set_halign (child, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (child), action);
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), icon);
  adw_status_page_set_title (ADW_STATUS_PAGE (page), title);
  adw_status_page_set_description (ADW_STATUS_PAGE (page), description);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), child);
  return page;
}
