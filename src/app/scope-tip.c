/* SPDX-License-Identifier: MIT */
#include "app/scope-tip.h"

#define TIP "scope-tip"

static gboolean
query_cb (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  gtk_tooltip_set_text (tooltip, g_object_get_data (G_OBJECT (widget), TIP));
  return TRUE;
}

void
scope_tip_set (GtkWidget *widget, const char *text)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  g_signal_handlers_disconnect_by_func (widget, G_CALLBACK (query_cb), NULL);
  g_object_set_data_full (G_OBJECT (widget), TIP, g_strdup (text), g_free);
  if (text == NULL)
    {
      gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
      return;
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (query_cb), NULL);
  gtk_widget_set_has_tooltip (widget, TRUE);
}
