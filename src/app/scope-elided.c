/* SPDX-License-Identifier: MIT */
#include "app/scope-elided.h"

#include <string.h>

gboolean
scope_elided_is (GtkWidget *label)
{
  g_return_val_if_fail (GTK_IS_LABEL (label), FALSE);

  return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

static gboolean
query_cb (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  if (!scope_elided_is (label))
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return TRUE;
}

void
scope_elided_tell (GtkWidget *label)
{
  g_return_if_fail (GTK_IS_LABEL (label));

  g_signal_connect (label, "query-tooltip", G_CALLBACK (query_cb), NULL);
  gtk_widget_set_has_tooltip (label, TRUE);
}

PangoEllipsizeMode
scope_elided_choose (const char *name)
{
  return strstr (name, ", ") != NULL && !g_str_has_suffix (name, "★") ? PANGO_ELLIPSIZE_END
                                                                      : PANGO_ELLIPSIZE_START;
}

int
scope_elided_limit_lines (const char *text)
{
  return g_utf8_strlen (text, -1) > 4 ? 1 : 0;
}
