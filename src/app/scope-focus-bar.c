/* SPDX-License-Identifier: MIT */
#include "app/scope-focus-bar.h"

#include <glib/gi18n.h>

#include "app/scope-column.h"
#include "app/scope-elided.h"
#include "app/scope-text.h"

struct _ScopeFocusBar {
  GtkWidget parent_instance;

  ScopeDocument *document;
  gboolean is_syncing;

  GtkWidget *box;
  GtkWidget *trace_row;
  GtkWidget *trace_text;
  GtkWidget *part_row;
  GtkWidget *part_text;
  GtkWidget *hops;
};

G_DEFINE_FINAL_TYPE (ScopeFocusBar, scope_focus_bar, GTK_TYPE_WIDGET)

static void
show_trace (ScopeFocusBar *self, const ScopeFocus *focus, SymModel *model)
{
  SymTrace *trace = scope_document_get_trace (self->document);
  g_autofree char *text = scope_focus_trace_to_string (focus, model, trace);

  gtk_widget_set_visible (self->trace_row, text != NULL);
  gtk_label_set_text (GTK_LABEL (self->trace_text), text != NULL ? text : "");
}

static void
show_part (ScopeFocusBar *self, const ScopeFocus *focus, SymModel *model)
{
  gboolean is_part = focus->around != SYM_NO_ID;
  SymFolding *folding = scope_document_get_folding (self->document);
  SymGroups *groups = folding != NULL ? sym_folding_get_groups (folding) : NULL;
  g_autofree char *text = is_part
                              ? g_strdup_printf (_ ("Around “%s”, layers away:"),
                                                 scope_focus_get_part_name (focus, model, groups))
                              : NULL;

  gtk_widget_set_visible (self->part_row, is_part);
  gtk_label_set_text (GTK_LABEL (self->part_text), is_part ? text : "");
  self->is_syncing = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->hops), focus->n_hops);
  self->is_syncing = FALSE;
}

gboolean
scope_focus_bar_is_wanted (ScopeDocument *document)
{
  const ScopeFocus *focus = scope_document_get_focus (document);

  return focus->trace != SCOPE_TRACE_NONE || focus->around != SYM_NO_ID;
}

static void
show_focus (ScopeFocusBar *self)
{
  const ScopeFocus *focus = scope_document_get_focus (self->document);
  SymModel *model = scope_document_get_model (self->document);

  show_trace (self, focus, model);
  show_part (self, focus, model);
  gtk_widget_set_visible (GTK_WIDGET (self), scope_focus_bar_is_wanted (self->document));
}

static void
document_changed_cb (ScopeFocusBar *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_FOCUS | SCOPE_CHANGE_MODEL))
    show_focus (self);
}

static void
end_trace_cb (ScopeFocusBar *self)
{
  scope_document_end_trace (self->document);
}

static void
show_whole_cb (ScopeFocusBar *self)
{
  scope_document_show_whole (self->document);
}

static void
hops_changed_cb (ScopeFocusBar *self)
{
  int hops = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->hops));

  if (!self->is_syncing && hops >= 0)
    scope_document_set_hops (self->document, (guint) hops);
}

static void
scope_focus_bar_dispose (GObject *object)
{
  ScopeFocusBar *self = SCOPE_FOCUS_BAR (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_focus_bar_parent_class)->dispose (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeFocusBar, child)

static void
scope_focus_bar_class_init (ScopeFocusBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_focus_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  g_type_ensure (SCOPE_TYPE_COLUMN);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-focus-bar.ui");
  BIND (box);
  BIND (trace_row);
  BIND (trace_text);
  BIND (part_row);
  BIND (part_text);
  BIND (hops);
  gtk_widget_class_bind_template_callback (widget_class, end_trace_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_whole_cb);
  gtk_widget_class_bind_template_callback (widget_class, hops_changed_cb);
}

static void
scope_focus_bar_init (ScopeFocusBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_elided_tell (self->trace_text);
  scope_elided_tell (self->part_text);
  self->is_syncing = TRUE;
  gtk_spin_button_set_increments (GTK_SPIN_BUTTON (self->hops), 1, 5);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->hops), 1, SCOPE_MAX_HOPS);
  self->is_syncing = FALSE;
}

GtkWidget *
scope_focus_bar_new (ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (document), NULL);

  ScopeFocusBar *self = g_object_new (SCOPE_TYPE_FOCUS_BAR, NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_focus (self);
  return GTK_WIDGET (self);
}
