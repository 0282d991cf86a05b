/* SPDX-License-Identifier: MIT */
#include "app/scope-progress.h"

#define INTERVAL 100 /* milliseconds */

struct _ScopeProgress {
  GtkWidget parent_instance;

  ScopeDocument *document;
  guint source; /* 0 while it is not on the screen */

  GtkWidget *box;
  GtkWidget *text;
  GtkWidget *bar;
};

G_DEFINE_FINAL_TYPE (ScopeProgress, scope_progress, GTK_TYPE_WIDGET)

static void
look (ScopeProgress *self)
{
  const char *text = scope_document_get_progress (self->document);
  double fraction;

  if (text == NULL)
    return;
  gtk_label_set_text (GTK_LABEL (self->text), text);
  if (scope_document_get_fraction (self->document, &fraction))
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), fraction);
  else
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->bar));
}

static gboolean
look_cb (gpointer user_data)
{
  look (user_data);
  return G_SOURCE_CONTINUE;
}

static void
scope_progress_map (GtkWidget *widget)
{
  ScopeProgress *self = SCOPE_PROGRESS (widget);

  GTK_WIDGET_CLASS (scope_progress_parent_class)->map (widget);
  if (self->document == NULL)
    return;
  look (self);
  self->source = g_timeout_add (INTERVAL, look_cb, self);
}

static void
scope_progress_unmap (GtkWidget *widget)
{
  ScopeProgress *self = SCOPE_PROGRESS (widget);

  g_clear_handle_id (&self->source, g_source_remove);
  GTK_WIDGET_CLASS (scope_progress_parent_class)->unmap (widget);
}

static void
scope_progress_dispose (GObject *object)
{
  ScopeProgress *self = SCOPE_PROGRESS (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_object (&self->document);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_progress_parent_class)->dispose (object);
}

static void
scope_progress_class_init (ScopeProgressClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_progress_dispose;
  widget_class->map = scope_progress_map;
  widget_class->unmap = scope_progress_unmap;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-progress.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeProgress, box);
  gtk_widget_class_bind_template_child (widget_class, ScopeProgress, text);
  gtk_widget_class_bind_template_child (widget_class, ScopeProgress, bar);
}

static void
scope_progress_init (ScopeProgress *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
scope_progress_set_document (ScopeProgress *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_PROGRESS (self) && self->document == NULL);

  self->document = g_object_ref (document);
}
