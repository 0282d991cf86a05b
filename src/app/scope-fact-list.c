/* SPDX-License-Identifier: MIT */
#include "app/scope-fact-list.h"

#include <glib/gi18n.h>

#include "app/scope-fact.h"
#include "app/scope-text.h"

void
scope_fact_list_clear (GtkWidget *list)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (list), row);
}

GtkWidget *
scope_fact_list_add (GtkWidget *list, const char *title, const char *subtitle, const char *text)
{
  GtkWidget *fact = scope_fact_new (title, subtitle, text);

  gtk_list_box_append (GTK_LIST_BOX (list), fact);
  return fact;
}

void
scope_fact_list_add_link (GtkWidget *list, SymInference *inference, SymId value)
{
  SymModel *model = sym_inference_get_model (inference);
  SymId call = sym_model_get_producer (model, value);
  g_autofree char *shape = scope_text_shape (inference, value);
  const char *layer =
      call != SYM_NO_ID ? sym_layer_get_type (sym_model_get_layer (model, call)) : _("Input");
  GtkWidget *fact = scope_fact_list_add (list, scope_text_name (model, value), layer, shape);

  scope_fact_set_target (SCOPE_FACT (fact), value, SYM_NO_ID);
}

void
scope_fact_list_add_links (GtkWidget *list, SymInference *inference, SymIds values)
{
  for (guint i = 0; i < MIN (values.n, SCOPE_FACT_LIST_MAX); i++)
    scope_fact_list_add_link (list, inference, values.ids[i]);
  scope_fact_list_add_rest (list, values.n);
}

void
scope_fact_list_add_rest (GtkWidget *list, guint n)
{
  if (n <= SCOPE_FACT_LIST_MAX)
    return;
  g_autofree char *text = g_strdup_printf (_("and %u more"), n - SCOPE_FACT_LIST_MAX);

  scope_fact_list_add (list, text, NULL, NULL);
}

void
scope_fact_list_finish (GtkWidget *list, GtkWidget *heading)
{
  gboolean has_rows = gtk_widget_get_first_child (list) != NULL;

  gtk_widget_set_visible (list, has_rows);
  gtk_widget_set_visible (heading, has_rows);
}
