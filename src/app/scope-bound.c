/* SPDX-License-Identifier: MIT */
#include "app/scope-bound.h"

void
scope_bound (GtkWindow *window, GtkWindow *parent)
{
  int width, height, most_width, most_height;

  g_return_if_fail (GTK_IS_WINDOW (window) && GTK_IS_WINDOW (parent));

  gtk_window_get_default_size (window, &width, &height);
  most_width = gtk_widget_get_width (GTK_WIDGET (parent));
  most_height = gtk_widget_get_height (GTK_WIDGET (parent));
  if (most_width > 0 && most_height > 0)
    gtk_window_set_default_size (window, MIN (width, most_width), MIN (height, most_height));
}
