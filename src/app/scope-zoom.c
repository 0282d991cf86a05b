/* SPDX-License-Identifier: MIT */
#include "app/scope-zoom.h"

struct _ScopeZoom {
  GtkWidget parent_instance;
  GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (ScopeZoom, scope_zoom, GTK_TYPE_WIDGET)

static void
scope_zoom_dispose (GObject *object)
{
  g_clear_pointer (&SCOPE_ZOOM (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_zoom_parent_class)->dispose (object);
}

static void
scope_zoom_class_init (ScopeZoomClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_zoom_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-zoom.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeZoom, box);
}

static void
scope_zoom_init (ScopeZoom *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
