/* SPDX-License-Identifier: MIT */
#include "app/scope-disk-bar.h"

#include <glib/gi18n.h>

struct _ScopeDiskBar {
  GtkWidget parent_instance;

  ScopeDocument *document;

  GtkWidget *bar;
  GtkWidget *text;
  GtkWidget *read;
  GtkWidget *save;
};

G_DEFINE_FINAL_TYPE (ScopeDiskBar, scope_disk_bar, GTK_TYPE_WIDGET)

gboolean
scope_disk_bar_is_wanted (ScopeDocument *document)
{
  return scope_document_get_disk (document) != SCOPE_DISK_SAME;
}

static void
show_disk (ScopeDiskBar *self)
{
  gboolean is_gone = scope_document_get_disk (self->document) == SCOPE_DISK_GONE;

  gtk_widget_set_visible (GTK_WIDGET (self), scope_disk_bar_is_wanted (self->document));
  gtk_widget_set_visible (self->read, !is_gone);
  gtk_widget_set_visible (self->save, is_gone);
  gtk_label_set_text (GTK_LABEL (self->text),
                      is_gone ? _ ("The file is no longer where it was.")
                              : _ ("The file has changed. What was edited here is lost when it is "
                                   "read again."));
}

static void
read_cb (ScopeDiskBar *self)
{
  scope_document_reload (self->document);
}

static void
dismiss_cb (ScopeDiskBar *self)
{
  scope_document_dismiss_disk (self->document);
}

static void
scope_disk_bar_dispose (GObject *object)
{
  ScopeDiskBar *self = SCOPE_DISK_BAR (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_disk_bar_parent_class)->dispose (object);
}

static void
scope_disk_bar_class_init (ScopeDiskBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_disk_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-disk-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeDiskBar, bar);
  gtk_widget_class_bind_template_child (widget_class, ScopeDiskBar, text);
  gtk_widget_class_bind_template_child (widget_class, ScopeDiskBar, read);
  gtk_widget_class_bind_template_child (widget_class, ScopeDiskBar, save);
  gtk_widget_class_bind_template_callback (widget_class, read_cb);
  gtk_widget_class_bind_template_callback (widget_class, dismiss_cb);
}

static void
scope_disk_bar_init (ScopeDiskBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
scope_disk_bar_new (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeDiskBar *self = g_object_new (SCOPE_TYPE_DISK_BAR, NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (show_disk), self);
  show_disk (self);
  return GTK_WIDGET (self);
}
