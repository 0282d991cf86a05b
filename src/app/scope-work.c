/* SPDX-License-Identifier: MIT */
#include "app/scope-work.h"

#define PATIENCE 300 /* milliseconds of work that nobody needs to be told of */

struct _ScopeWork {
  GtkWidget parent_instance;

  GCancellable *cancellable;
  guint patience; /* source, 0 for none */

  GtkWidget *box;
  GtkWidget *text;
};

G_DEFINE_FINAL_TYPE (ScopeWork, scope_work, GTK_TYPE_WIDGET)

static gboolean
patience_over_cb (gpointer user_data)
{
  ScopeWork *self = user_data;

  self->patience = 0;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  return G_SOURCE_REMOVE;
}

static void
cancel_cb (ScopeWork *self)
{
  g_cancellable_cancel (self->cancellable);
}

static void
scope_work_dispose (GObject *object)
{
  ScopeWork *self = SCOPE_WORK (object);

  g_clear_handle_id (&self->patience, g_source_remove);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_work_parent_class)->dispose (object);
}

static void
scope_work_class_init (ScopeWorkClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_work_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-work.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeWork, box);
  gtk_widget_class_bind_template_child (widget_class, ScopeWork, text);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
}

static void
scope_work_init (ScopeWork *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->patience = g_timeout_add (PATIENCE, patience_over_cb, self);
}

GtkWidget *
scope_work_new (const char *text, GCancellable *cancellable)
{
  ScopeWork *self = g_object_new (SCOPE_TYPE_WORK, NULL);

  self->cancellable = g_object_ref (cancellable);
  scope_work_set_text (self, text);
  return GTK_WIDGET (self);
}

void
scope_work_set_text (ScopeWork *self, const char *text)
{
  g_return_if_fail (SCOPE_IS_WORK (self));

  gtk_label_set_text (GTK_LABEL (self->text), text);
}

void
scope_work_end (ScopeWork *self)
{
  g_return_if_fail (SCOPE_IS_WORK (self));

  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));

  if (parent != NULL)
    gtk_box_remove (GTK_BOX (parent), GTK_WIDGET (self));
}
