/* SPDX-License-Identifier: MIT */
#include "app/scope-wrapped.h"

static void
reserve (GtkWidget *label)
{
  int natural;

  gtk_widget_set_size_request (label, -1, -1);
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL, NULL);
  gtk_widget_set_size_request (label, -1, natural);
}

void
scope_wrapped_reserve (GtkWidget *label)
{
  g_return_if_fail (GTK_IS_LABEL (label) && gtk_label_get_wrap (GTK_LABEL (label)));

  g_signal_connect (label, "notify::label", G_CALLBACK (reserve), NULL);
  g_signal_connect (label, "notify::visible", G_CALLBACK (reserve), NULL);
}
