/* SPDX-License-Identifier: MIT */
#include "app/scope-bookmarks-dialog.h"

#include <glib/gi18n.h>

#include "app/scope-editor.h"
#include "app/scope-elided.h"
#include "app/scope-messages.h"
#include "app/scope-row-texts.h"
#include "app/scope-text.h"
#include "app/scope-tip.h"

struct _ScopeBookmarksDialog {
  AdwWindow parent_instance;

  ScopeBookmarks *bookmarks;
  ScopeDocument *document;
  char *uri;

  GPtrArray *removed; /* of Removed, NULL for what is back */

  GtkWidget *toasts;
  GtkWidget *add;
  GtkWidget *stack;
  GtkWidget *list;
};

G_DEFINE_FINAL_TYPE (ScopeBookmarksDialog, scope_bookmarks_dialog, ADW_TYPE_WINDOW)

enum { ADD, CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

typedef struct {
  ScopeBookmarksDialog *dialog;
  guint nth;
} Place;

static Place *
place_new (ScopeBookmarksDialog *dialog, guint nth)
{
  Place *self = g_new (Place, 1);

  *self = (Place){ dialog, nth };
  return self;
}

static void
place_free (gpointer data, GClosure *closure)
{
  g_free (data);
}

/* What can be put back. */
typedef struct {
  char *name;
  ScopeMemory *memory;
  guint nth;
} Removed;

static void
removed_free (gpointer data)
{
  Removed *self = data;

  if (self == NULL)
    return;
  g_free (self->name);
  scope_memory_unref (self->memory);
  g_free (self);
}

/* ---- What rows do ---- */

static void
focus_row (ScopeBookmarksDialog *self, guint nth)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) nth);

  if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
row_activated_cb (ScopeBookmarksDialog *self, GtkListBoxRow *row)
{
  G_GNUC_UNUSED g_autoptr (ScopeBookmarksDialog) kept = g_object_ref (self);
  guint nth = (guint) gtk_list_box_row_get_index (row);

  gtk_window_set_modal (GTK_WINDOW (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[CHOSEN], 0, nth);
  gtk_window_destroy (GTK_WINDOW (self));
}

static gboolean
rename_cb (const char *text, gpointer user_data, GError **error)
{
  Place *place = user_data;
  ScopeBookmarksDialog *self = place->dialog;
  guint nth = place->nth;

  if (!scope_bookmarks_rename (self->bookmarks, self->uri, nth, text, error))
    return FALSE;
  focus_row (self, nth);
  return TRUE;
}

static void
rename_nth (ScopeBookmarksDialog *self, guint nth)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) nth);

  scope_editor_open (GTK_WIDGET (row), _ ("Name of the Bookmark"),
                     scope_bookmarks_get_name (self->bookmarks, self->uri, nth), FALSE, rename_cb,
                     place_new (self, nth), g_free);
}

/* The keyboard stays in the list; without one, where something can be added. */
static void
focus_near (ScopeBookmarksDialog *self, guint nth)
{
  guint n = scope_bookmarks_get_n (self->bookmarks, self->uri);

  if (n > 0)
    focus_row (self, MIN (nth, n - 1));
  else
    gtk_widget_grab_focus (self->add);
}

static void
remove_nth (ScopeBookmarksDialog *self, guint nth)
{
  Removed *removed = g_new0 (Removed, 1);
  g_autofree char *target = g_strdup_printf ("%u", self->removed->len);
  g_autofree char *text = NULL;

  removed->name = g_strdup (scope_bookmarks_get_name (self->bookmarks, self->uri, nth));
  removed->memory = scope_memory_ref (scope_bookmarks_get_memory (self->bookmarks, self->uri, nth));
  removed->nth = nth;
  g_ptr_array_add (self->removed, removed);
  scope_bookmarks_remove (self->bookmarks, self->uri, nth);
  focus_near (self, nth);
  text = g_strdup_printf (_ ("“%s” was removed"), removed->name);
  scope_messages_offer (ADW_TOAST_OVERLAY (self->toasts), text, _ ("Undo"), "bookmarks.restore",
                        target);
}

/* At its place again, by another name if that has been given to another one. */
static void
restore_nth (ScopeBookmarksDialog *self, guint i)
{
  Removed *removed = self->removed->pdata[i];
  guint n = scope_bookmarks_get_n (self->bookmarks, self->uri);

  if (removed == NULL)
    return;
  g_autofree char *name = scope_bookmarks_suggest (self->bookmarks, self->uri, removed->name);
  guint nth = MIN (removed->nth, n);

  scope_bookmarks_insert (self->bookmarks, self->uri, nth, name, removed->memory);
  g_clear_pointer (&self->removed->pdata[i], removed_free);
  focus_row (self, nth);
}

static void
restore_cb (GtkWidget *widget, const char *action, GVariant *target)
{
  ScopeBookmarksDialog *self = SCOPE_BOOKMARKS_DIALOG (widget);
  guint64 i;

  if (g_ascii_string_to_unsigned (g_variant_get_string (target, NULL), 10, 0,
                                  (guint64) self->removed->len - 1, &i, NULL))
    restore_nth (self, (guint) i);
}

/* The one that was removed last. */
static void
undo_cb (GtkWidget *widget, const char *action, GVariant *target)
{
  ScopeBookmarksDialog *self = SCOPE_BOOKMARKS_DIALOG (widget);

  for (guint i = self->removed->len; i-- > 0;)
    if (self->removed->pdata[i] != NULL)
      {
        restore_nth (self, i);
        return;
      }
}

static void
rename_clicked_cb (GtkButton *button, gpointer user_data)
{
  const Place *place = user_data;

  rename_nth (place->dialog, place->nth);
}

static void
remove_clicked_cb (GtkButton *button, gpointer user_data)
{
  const Place *place = user_data;

  remove_nth (place->dialog, place->nth);
}

static gboolean
key_cb (GtkWidget *list, GVariant *arguments, gpointer user_data)
{
  ScopeBookmarksDialog *self = user_data;
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *row = focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_BOX_ROW) : NULL;

  if (row == NULL)
    return FALSE;
  if (g_variant_get_boolean (arguments))
    rename_nth (self, (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)));
  else
    remove_nth (self, (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row)));
  return TRUE;
}

static void
add_cb (ScopeBookmarksDialog *self)
{
  g_signal_emit (self, signals[ADD], 0);
  focus_row (self, scope_bookmarks_get_n (self->bookmarks, self->uri) - 1);
}

/* ---- Rows ---- */

/* The row stays at its place in the list. */
static void
add_button (ScopeBookmarksDialog *self,
            GtkWidget *row,
            const char *icon,
            const char *tip,
            GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  guint nth = (guint) gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));

  scope_tip_set (button, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  g_signal_connect_data (button, "clicked", clicked, place_new (self, nth), place_free, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
}

/* "Convolution · 64×30×30". */
static char *
describe_value (ScopeBookmarksDialog *self, SymId value)
{
  SymInference *inference = scope_document_get_inference (self->document);
  SymModel *model = scope_document_get_model (self->document);
  SymId call = sym_model_get_producer (model, value);
  g_autofree char *shape = inference == NULL ? NULL : scope_text_shape (inference, value);
  const char *type = call == SYM_NO_ID ? sym_role_to_string (sym_model_get_role (model, value))
                                       : sym_layer_get_type (sym_model_get_layer (model, call));

  return g_strdup_printf ("%s%s%s", type, shape == NULL ? "" : " · ", shape == NULL ? "" : shape);
}

/* What is selected there, if the graph still has it; more of it where the bookmark has its name. */
static char *
describe (ScopeBookmarksDialog *self, const ScopeMemory *memory, const char *name)
{
  const char *selected = scope_memory_get_selected (memory);
  SymId value;

  if (selected == NULL)
    return g_strdup (_ ("Nothing selected"));
  value = scope_memory_find_selected (memory, scope_document_get_model (self->document));
  if (value == SYM_NO_ID)
    return g_strdup_printf (_ ("%s, which the graph has no more"), selected);
  return g_str_equal (selected, name) ? describe_value (self, value) : g_strdup (selected);
}

static void
show_place (ScopeBookmarksDialog *self, GtkListBoxRow *row)
{
  guint nth = (guint) gtk_list_box_row_get_index (row);
  const char *name = scope_bookmarks_get_name (self->bookmarks, self->uri, nth);
  g_autofree char *subtitle =
      describe (self, scope_bookmarks_get_memory (self->bookmarks, self->uri, nth), name);

  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), scope_elided_limit_lines (name));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), scope_elided_limit_lines (subtitle));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
}

static void
add_row (ScopeBookmarksDialog *self)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  scope_row_texts_lay_out (row);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  add_button (self, row, "document-edit-symbolic", _ ("Rename (F2)"),
              G_CALLBACK (rename_clicked_cb));
  add_button (self, row, "user-trash-symbolic", _ ("Remove (Delete)"),
              G_CALLBACK (remove_clicked_cb));
}

/* All rows are alike but for what they show.  One that is renamed stays: the editor lies over it.
 */
static void
fill (ScopeBookmarksDialog *self)
{
  guint n = scope_bookmarks_get_n (self->bookmarks, self->uri);
  GtkListBox *list = GTK_LIST_BOX (self->list);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (list, (int) n)) != NULL)
    gtk_list_box_remove (list, GTK_WIDGET (row));
  for (guint i = 0; i < n; i++)
    {
      if (gtk_list_box_get_row_at_index (list, (int) i) == NULL)
        add_row (self);
      show_place (self, gtk_list_box_get_row_at_index (list, (int) i));
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), n > 0 ? "list" : "empty");
}

/* ---- Class ---- */

static void
scope_bookmarks_dialog_dispose (GObject *object)
{
  ScopeBookmarksDialog *self = SCOPE_BOOKMARKS_DIALOG (object);

  g_clear_pointer (&self->uri, g_free);
  g_clear_pointer (&self->removed, g_ptr_array_unref);
  g_clear_object (&self->document);
  g_clear_object (&self->bookmarks);
  G_OBJECT_CLASS (scope_bookmarks_dialog_parent_class)->dispose (object);
}

static void
scope_bookmarks_dialog_class_init (ScopeBookmarksDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_bookmarks_dialog_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-bookmarks-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeBookmarksDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, ScopeBookmarksDialog, toasts);
  gtk_widget_class_bind_template_child (widget_class, ScopeBookmarksDialog, add);
  gtk_widget_class_bind_template_child (widget_class, ScopeBookmarksDialog, list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, add_cb);
  gtk_widget_class_install_action (widget_class, "bookmarks.restore", "s", restore_cb);
  gtk_widget_class_install_action (widget_class, "bookmarks.undo", NULL, undo_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, "bookmarks.undo",
                                       NULL);
  signals[ADD] = g_signal_new ("add", SCOPE_TYPE_BOOKMARKS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 0);
  signals[CHOSEN] = g_signal_new ("chosen", SCOPE_TYPE_BOOKMARKS_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
add_key (ScopeBookmarksDialog *self, GtkEventController *keys, guint key, gboolean renames)
{
  GtkShortcut *shortcut = gtk_shortcut_new_with_arguments (
      gtk_keyval_trigger_new (key, 0), gtk_callback_action_new (key_cb, self, NULL), "b", renames);

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys), shortcut);
}

static void
scope_bookmarks_dialog_init (ScopeBookmarksDialog *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  self->removed = g_ptr_array_new_with_free_func (removed_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  add_key (self, keys, GDK_KEY_F2, TRUE);
  add_key (self, keys, GDK_KEY_Delete, FALSE);
  gtk_widget_add_controller (self->list, keys);
  scope_messages_let_escape_close (ADW_TOAST_OVERLAY (self->toasts));
}

GtkWindow *
scope_bookmarks_dialog_new (GtkWindow *parent, ScopeBookmarks *bookmarks, ScopeDocument *document)
{
  g_return_val_if_fail (SCOPE_IS_BOOKMARKS (bookmarks), NULL);
  g_return_val_if_fail (scope_document_get_file (document) != NULL, NULL);

  ScopeBookmarksDialog *self =
      g_object_new (SCOPE_TYPE_BOOKMARKS_DIALOG, "transient-for", parent, NULL);

  self->bookmarks = g_object_ref (bookmarks);
  self->document = g_object_ref (document);
  self->uri = g_file_get_uri (scope_document_get_file (document));
  g_signal_connect_object (bookmarks, "changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  fill (self);
  focus_row (self, 0);
  return GTK_WINDOW (self);
}

ScopeDocument *
scope_bookmarks_dialog_get_document (ScopeBookmarksDialog *self)
{
  g_return_val_if_fail (SCOPE_IS_BOOKMARKS_DIALOG (self), NULL);

  return self->document;
}
