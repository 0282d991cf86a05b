/* SPDX-License-Identifier: MIT */
#include "app/scope-direction.h"

#include <glib/gi18n.h>

void
scope_direction_follow_translation (void)
{
  /* Translators: "default:RTL" where your language is written from right to left; nothing else. */
  gboolean is_rtl = g_str_equal (_ ("default:LTR"), "default:RTL");

  gtk_widget_set_default_direction (is_rtl ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
}

static void
turn_label (GtkLabel *label)
{
  gtk_label_set_xalign (label, 1 - gtk_label_get_xalign (label));
  if (gtk_label_get_justify (label) == GTK_JUSTIFY_RIGHT)
    gtk_label_set_justify (label, GTK_JUSTIFY_LEFT);
}

/* With a direction of its own nothing changes it any more. */
static void
direction_changed_cb (GtkWidget *widget)
{
  if (gtk_widget_get_direction (widget) != GTK_TEXT_DIR_RTL)
    return;
  gtk_widget_set_direction (widget, GTK_TEXT_DIR_LTR);
  if (GTK_IS_LABEL (widget))
    turn_label (GTK_LABEL (widget));
}

void
scope_direction_keep (GtkWidget *widget)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));

  g_signal_connect (widget, "direction-changed", G_CALLBACK (direction_changed_cb), NULL);
  direction_changed_cb (widget);
}

void
scope_direction_keep_numbers (GtkWidget *parent)
{
  for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_has_css_class (child, "numeric"))
      scope_direction_keep (child);
}

void
scope_direction_keep_all (GtkWidget *widget)
{
  gtk_widget_set_direction (widget, GTK_TEXT_DIR_LTR);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    scope_direction_keep_all (child);
}

void
scope_direction_keep_entry (GtkEntry *entry)
{
  /* Only then GTK makes what shows one. */
  if (gtk_entry_get_placeholder_text (entry) == NULL)
    gtk_entry_set_placeholder_text (entry, "");
  scope_direction_keep_all (GTK_WIDGET (entry));
}
