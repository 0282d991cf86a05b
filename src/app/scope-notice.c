/* SPDX-License-Identifier: MIT */
#include "app/scope-notice.h"

#include "app/scope-column.h"
#include "app/scope-progress.h"

#define PATIENCE 300 /* milliseconds of work that nobody needs to be told of */

struct _ScopeNotice {
  GtkWidget parent_instance;

  ScopeDocument *document;
  guint patience; /* source, 0 for none */

  GtkWidget *box;
  GtkWidget *progress;
  GtkWidget *text;
  GtkWidget *cancel;
};

G_DEFINE_FINAL_TYPE (ScopeNotice, scope_notice, GTK_TYPE_WIDGET)

static void
show_notice (ScopeNotice *self)
{
  const char *progress = scope_document_get_progress (self->document);
  const GError *error = scope_document_get_error (self->document);

  gtk_widget_set_visible (GTK_WIDGET (self), progress != NULL || error != NULL);
  gtk_widget_set_visible (self->progress, progress != NULL);
  gtk_widget_set_visible (self->text, progress == NULL);
  gtk_widget_set_visible (self->cancel, progress != NULL);
  gtk_label_set_text (GTK_LABEL (self->text), error != NULL ? error->message : "");
}

static gboolean
patience_over_cb (gpointer user_data)
{
  ScopeNotice *self = user_data;

  self->patience = 0;
  show_notice (self);
  return G_SOURCE_REMOVE;
}

static void
document_changed_cb (ScopeNotice *self)
{
  const char *progress = scope_document_get_progress (self->document);

  if (progress == NULL || gtk_widget_get_visible (GTK_WIDGET (self)))
    {
      g_clear_handle_id (&self->patience, g_source_remove);
      show_notice (self);
    }
  else if (self->patience == 0)
    {
      self->patience = g_timeout_add (PATIENCE, patience_over_cb, self);
    }
}

static void
cancel_cb (ScopeNotice *self)
{
  scope_document_cancel (self->document);
}

static void
scope_notice_dispose (GObject *object)
{
  ScopeNotice *self = SCOPE_NOTICE (object);

  g_clear_handle_id (&self->patience, g_source_remove);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_notice_parent_class)->dispose (object);
}

static void
scope_notice_class_init (ScopeNoticeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (SCOPE_TYPE_PROGRESS);
  G_OBJECT_CLASS (klass)->dispose = scope_notice_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  g_type_ensure (SCOPE_TYPE_COLUMN);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-notice.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeNotice, box);
  gtk_widget_class_bind_template_child (widget_class, ScopeNotice, progress);
  gtk_widget_class_bind_template_child (widget_class, ScopeNotice, text);
  gtk_widget_class_bind_template_child (widget_class, ScopeNotice, cancel);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
}

static void
scope_notice_init (ScopeNotice *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
scope_notice_set_document (ScopeNotice *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_NOTICE (self) && self->document == NULL);

  self->document = g_object_ref (document);
  scope_progress_set_document (SCOPE_PROGRESS (self->progress), document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  document_changed_cb (self);
}
