/* SPDX-License-Identifier: MIT */
#include "app/scope-editor.h"

#include <glib/gi18n.h>

#include "app/scope-popup.h"
#include "app/scope-text.h"

#define KEY "scope-editor"

struct _ScopeEditor {
  GtkPopover parent_instance;

  ScopeEditorFunc apply;
  gpointer user_data;
  GDestroyNotify destroy;

  GtkWidget *title;
  GtkWidget *entry;
  GtkWidget *message;
  GtkWidget *use_default;
};

G_DEFINE_FINAL_TYPE (ScopeEditor, scope_editor, GTK_TYPE_POPOVER)

static void
take_back_message (ScopeEditor *self)
{
  gtk_widget_set_visible (self->message, FALSE);
  gtk_widget_remove_css_class (self->entry, "error");
}

static void
show_refusal (ScopeEditor *self, const GError *error)
{
  g_autofree char *sentence = scope_text_sentence (error->message);

  gtk_label_set_text (GTK_LABEL (self->message), sentence);
  gtk_widget_set_visible (self->message, TRUE);
  gtk_widget_add_css_class (self->entry, "error");
  gtk_popover_present (GTK_POPOVER (self));
  gtk_widget_grab_focus (self->entry);
}

/* The row under the editor may go with what it changes, and the editor with the row, which closes
 * it: @user_data is kept from that.  A button that was pressed by a key tells it a moment later,
 * and the editor may be closed by then. */
static void
try_text (ScopeEditor *self, const char *text)
{
  if (self->apply == NULL)
    return;
  g_autoptr (GError) error = NULL;
  GDestroyNotify destroy = g_steal_pointer (&self->destroy);
  gpointer user_data = self->user_data;

  g_object_ref (self);
  if (self->apply (text, user_data, &error))
    gtk_popover_popdown (GTK_POPOVER (self));
  else if (gtk_widget_get_visible (GTK_WIDGET (self)))
    {
      self->destroy = g_steal_pointer (&destroy);
      show_refusal (self, error);
    }
  if (destroy != NULL)
    destroy (user_data);
  g_object_unref (self);
}

static void
apply_cb (ScopeEditor *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  try_text (self, text);
}

static void
use_default_cb (ScopeEditor *self)
{
  try_text (self, NULL);
}

static void
forget (ScopeEditor *self)
{
  GDestroyNotify destroy = g_steal_pointer (&self->destroy);

  self->apply = NULL;
  if (destroy != NULL)
    destroy (g_steal_pointer (&self->user_data));
}

static void
scope_editor_closed (GtkPopover *popover)
{
  forget (SCOPE_EDITOR (popover));
}

static void
scope_editor_dispose (GObject *object)
{
  forget (SCOPE_EDITOR (object));
  G_OBJECT_CLASS (scope_editor_parent_class)->dispose (object);
}

static void
scope_editor_class_init (ScopeEditorClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = scope_editor_dispose;
  GTK_POPOVER_CLASS (class)->closed = scope_editor_closed;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-editor.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeEditor, title);
  gtk_widget_class_bind_template_child (widget_class, ScopeEditor, entry);
  gtk_widget_class_bind_template_child (widget_class, ScopeEditor, message);
  gtk_widget_class_bind_template_child (widget_class, ScopeEditor, use_default);
  gtk_widget_class_bind_template_callback (widget_class, apply_cb);
  gtk_widget_class_bind_template_callback (widget_class, use_default_cb);
}

static void
scope_editor_init (ScopeEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static ScopeEditor *
need_editor (GtkWidget *widget)
{
  GtkWidget *editor = scope_popup_get (widget, KEY);

  if (editor == NULL)
    {
      editor = g_object_new (SCOPE_TYPE_EDITOR, NULL);
      scope_popup_keep (widget, KEY, editor);
    }
  return SCOPE_EDITOR (editor);
}

void
scope_editor_open (GtkWidget *widget,
                   const char *title,
                   const char *text,
                   gboolean has_default,
                   ScopeEditorFunc apply,
                   gpointer user_data,
                   GDestroyNotify destroy)
{
  g_return_if_fail (GTK_IS_WIDGET (widget) && apply != NULL);

  ScopeEditor *self = need_editor (widget);

  forget (self);
  self->apply = apply;
  self->user_data = user_data;
  self->destroy = destroy;
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title, -1);
  gtk_widget_set_visible (self->use_default, has_default);
  take_back_message (self);
  gtk_popover_popup (GTK_POPOVER (self));
  gtk_widget_grab_focus (self->entry);
}
