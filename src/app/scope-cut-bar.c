/* SPDX-License-Identifier: MIT */
#include "app/scope-cut-bar.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"

struct _ScopeCutBar {
  GtkWidget parent_instance;

  ScopeDocument *document;

  GtkWidget *revealer;
  GtkWidget *box;
  GtkWidget *title;
  GtkWidget *text;
  GtkWidget *add_input;
  GtkWidget *clear;
  GtkWidget *open_in_tab;
  GtkWidget *extract;
};

G_DEFINE_FINAL_TYPE (ScopeCutBar, scope_cut_bar, GTK_TYPE_WIDGET)

static void
show_foreign (ScopeCutBar *self, ScopeCut *cut)
{
  SymIds foreign = scope_cut_get_foreign (cut);
  SymModel *model = scope_document_get_model (self->document);
  g_autofree char *label = NULL;

  gtk_widget_set_visible (self->add_input, foreign.n > 0);
  if (foreign.n == 1)
    label = g_strdup_printf (_("Add “%s” as Input"), scope_text_name (model, foreign.ids[0]));
  else
    label = g_strdup_printf (_("Add %u Inputs"), foreign.n);
  gtk_button_set_label (GTK_BUTTON (self->add_input), label);
}

static void
show_cut (ScopeCutBar *self)
{
  ScopeCut *cut = scope_document_get_cut (self->document);

  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), cut != NULL);
  gtk_widget_set_can_target (GTK_WIDGET (self), cut != NULL);
  if (cut == NULL)
    return;
  gboolean is_possible = scope_cut_get_selection (cut) != NULL;
  g_autofree char *text = scope_cut_to_string (cut);

  gtk_label_set_text (GTK_LABEL (self->title), is_possible ? _("Sub-model") : _("Impossible cut"));
  gtk_label_set_text (GTK_LABEL (self->text), text);
  gtk_widget_set_tooltip_text (self->text, text);
  if (is_possible)
    gtk_widget_remove_css_class (self->title, "error");
  else
    gtk_widget_add_css_class (self->title, "error");
  gtk_widget_set_visible (self->extract, is_possible);
  gtk_widget_set_visible (self->open_in_tab, is_possible);
  show_foreign (self, cut);
}

static void
add_input_cb (ScopeCutBar *self)
{
  scope_document_mark_foreign (self->document);
}

static void
clear_cb (ScopeCutBar *self)
{
  scope_document_clear_marks (self->document);
}

static void
document_changed_cb (ScopeCutBar *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_CUT | SCOPE_CHANGE_MODEL))
    show_cut (self);
}

static void
scope_cut_bar_dispose (GObject *object)
{
  ScopeCutBar *self = SCOPE_CUT_BAR (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);
  G_OBJECT_CLASS (scope_cut_bar_parent_class)->dispose (object);
}

static void
scope_cut_bar_class_init (ScopeCutBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_cut_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-cut-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, box);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, title);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, text);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, add_input);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, clear);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, open_in_tab);
  gtk_widget_class_bind_template_child (widget_class, ScopeCutBar, extract);
  gtk_widget_class_bind_template_callback (widget_class, add_input_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_cb);
}

static void
scope_cut_bar_init (ScopeCutBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
scope_cut_bar_set_document (ScopeCutBar *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_CUT_BAR (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  show_cut (self);
}

void
scope_cut_bar_set_narrow (ScopeCutBar *self, gboolean is_narrow)
{
  g_return_if_fail (SCOPE_IS_CUT_BAR (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->box), is_narrow ? GTK_ORIENTATION_VERTICAL
                                                                        : GTK_ORIENTATION_HORIZONTAL);
}
