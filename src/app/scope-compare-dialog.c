/* SPDX-License-Identifier: MIT */
#include "app/scope-compare-dialog.h"

#include <glib/gi18n.h>

#include "app/scope-elided.h"
#include "app/scope-row-texts.h"

struct _ScopeCompareDialog {
  AdwWindow parent_instance;

  GtkWidget *list;
  GtkWidget *folder; /* the row that asks for one */
};

G_DEFINE_FINAL_TYPE (ScopeCompareDialog, scope_compare_dialog, ADW_TYPE_WINDOW)

enum { CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

/* It goes first: what is chosen may ask for a file. */
static void
row_activated_cb (ScopeCompareDialog *self, GtkListBoxRow *row)
{
  G_GNUC_UNUSED g_autoptr (ScopeCompareDialog) kept = g_object_ref (self);
  ScopeDocument *document = g_object_get_data (G_OBJECT (row), "document");
  g_autoptr (ScopeDocument) chosen = document != NULL ? g_object_ref (document) : NULL;
  gboolean is_folder = GTK_WIDGET (row) == self->folder;

  gtk_window_set_modal (GTK_WINDOW (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[CHOSEN], 0, chosen, is_folder);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
scope_compare_dialog_class_init (ScopeCompareDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-compare-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeCompareDialog, list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  signals[CHOSEN] = g_signal_new ("chosen", SCOPE_TYPE_COMPARE_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 2, SCOPE_TYPE_DOCUMENT, G_TYPE_BOOLEAN);
}

static void
scope_compare_dialog_init (ScopeCompareDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static GtkWidget *
add_row (ScopeCompareDialog *self, const char *title, const char *subtitle)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), scope_elided_limit_lines (title));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 2);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  scope_row_texts_lay_out (row);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  return row;
}

GtkWindow *
scope_compare_dialog_new (GtkWindow *parent, const GPtrArray *others)
{
  ScopeCompareDialog *self =
      g_object_new (SCOPE_TYPE_COMPARE_DIALOG, "transient-for", parent, NULL);

  for (guint i = 0; i < others->len; i++)
    {
      ScopeDocument *other = others->pdata[i];
      g_autofree char *subtitle = scope_document_get_subtitle (other);
      GtkWidget *row = add_row (self, scope_document_get_title (other), subtitle);

      g_object_set_data_full (G_OBJECT (row), "document", g_object_ref (other), g_object_unref);
    }
  add_row (self, _ ("Another File…"),
           _ ("A graph, or numbers to be expected: .npz, .npy, Model Explorer node data"));
  self->folder = add_row (self, _ ("A Folder of Numbers…"), _ (".npy files, as a run saves them"));
  return GTK_WINDOW (self);
}
