/* SPDX-License-Identifier: MIT */
#include "app/scope-back-forward.h"

struct _ScopeBackForward {
  GtkWidget parent_instance;
  GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (ScopeBackForward, scope_back_forward, GTK_TYPE_WIDGET)

static void
scope_back_forward_dispose (GObject *object)
{
  g_clear_pointer (&SCOPE_BACK_FORWARD (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_back_forward_parent_class)->dispose (object);
}

static void
scope_back_forward_class_init (ScopeBackForwardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_back_forward_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-back-forward.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeBackForward, box);
}

static void
scope_back_forward_init (ScopeBackForward *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
