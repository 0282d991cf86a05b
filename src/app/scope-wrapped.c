/* SPDX-License-Identifier: MIT */
#include "app/scope-wrapped.h"

#include <string.h>

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

static gboolean
is_of_breaks (PangoAttribute *attribute, gpointer data)
{
  return attribute->klass->type == PANGO_ATTR_ALLOW_BREAKS;
}

static PangoAttribute *
keep_together (gsize start, gsize length)
{
  PangoAttribute *attribute = pango_attr_allow_breaks_new (FALSE);

  attribute->start_index = (guint) start;
  attribute->end_index = (guint) (start + length);
  return attribute;
}

/* Other attributes of the label stay. */
void
scope_wrapped_set_text (GtkWidget *label, const char *text)
{
  g_return_if_fail (GTK_IS_LABEL (label) && text != NULL);

  PangoAttrList *old = gtk_label_get_attributes (GTK_LABEL (label));
  g_autoptr (PangoAttrList) attributes =
      old != NULL ? pango_attr_list_copy (old) : pango_attr_list_new ();
  g_autoptr (PangoAttrList) breaks = pango_attr_list_filter (attributes, is_of_breaks, NULL);

  for (const char *start = text; *start != '\0';)
    {
      gsize length = strcspn (start, " ,");

      if (g_strstr_len (start, (gssize) length, "×") != NULL)
        pango_attr_list_insert (attributes, keep_together (start - text, length));
      start += length + strspn (start + length, " ,");
    }
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  gtk_label_set_text (GTK_LABEL (label), text);
}
