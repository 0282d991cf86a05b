/* SPDX-License-Identifier: MIT */
#include "app/scope-fact.h"

struct _ScopeFact {
  GtkListBoxRow parent_instance;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *text;
  SymId value, call;
};

G_DEFINE_FINAL_TYPE (ScopeFact, scope_fact, GTK_TYPE_LIST_BOX_ROW)

static void
scope_fact_class_init (ScopeFactClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-fact.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeFact, title);
  gtk_widget_class_bind_template_child (widget_class, ScopeFact, subtitle);
  gtk_widget_class_bind_template_child (widget_class, ScopeFact, text);
}

static void
scope_fact_init (ScopeFact *self)
{
  self->value = self->call = SYM_NO_ID;
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
scope_fact_new (const char *title, const char *subtitle, const char *text)
{
  ScopeFact *self = g_object_new (SCOPE_TYPE_FACT, NULL);

  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_label_set_text (GTK_LABEL (self->subtitle), subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (self->subtitle, subtitle != NULL);
  gtk_label_set_text (GTK_LABEL (self->text), text != NULL ? text : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text != NULL ? text : "",
                                  -1);
  return GTK_WIDGET (self);
}

void
scope_fact_set_target (ScopeFact *self, SymId value, SymId call)
{
  g_return_if_fail (SCOPE_IS_FACT (self));

  self->value = value;
  self->call = call;
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->text), FALSE);
  gtk_widget_remove_css_class (self->title, "dim-label");
  gtk_widget_add_css_class (self->title, "link");
}

SymId
scope_fact_get_value (ScopeFact *self)
{
  return self->value;
}

SymId
scope_fact_get_call (ScopeFact *self)
{
  return self->call;
}
