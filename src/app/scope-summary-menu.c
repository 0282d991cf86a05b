/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-menu.h"

#include <glib/gi18n.h>

#include "app/scope-summary-columns.h"
#include "query/sym-summary-view.h"

static const struct {
  const char *name, *title;
} presets[] = {
  { "symbolic", "PyTorch Symbolic" },
  { "keras", "Keras" },
  { "torchinfo", "torchinfo" },
  { "mxnet", "MXNet" },
};

static const struct {
  const char *name, *title;
} formats[] = {
  { "text", N_("Text") }, { "csv", "CSV" },   { "markdown", "Markdown" },
  { "latex", "LaTeX" },    { "json", "JSON" },
};

/* ---- The table as text ---- */

typedef struct {
  GtkWidget *widget;
  SymSummary *summary;
  SymFigures *figures;
  double *milliseconds; /* NULL without a run */
  GArray *columns;      /* of guint */
  SymTableFormat format;
} Copy;

static void
free_copy (gpointer data)
{
  Copy *self = data;

  g_object_unref (self->widget);
  sym_summary_unref (self->summary);
  g_clear_pointer (&self->figures, sym_figures_unref);
  g_free (self->milliseconds);
  g_array_unref (self->columns);
  g_free (self);
}

static void
copy_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Copy *self = task_data;
  SymSummaryViewOptions options = { .columns = (const guint *) (gconstpointer) self->columns->data,
                                    .n_columns = self->columns->len,
                                    .sort = -1,
                                    .figures = self->figures,
                                    .milliseconds = self->milliseconds };
  GError *error = NULL;
  g_autoptr (SymSummaryView) view =
      sym_summary_view_new (self->summary, &options, cancellable, &error);

  if (view != NULL)
    g_task_return_pointer (task, sym_summary_view_write (view, self->format), g_free);
  else
    g_task_return_error (task, error);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Copy *self = g_task_get_task_data (G_TASK (result));
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), NULL);

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (self->widget), text);
  gtk_widget_activate_action (self->widget, "win.show-message", "s", _("Copied the table"));
}

/* What the table shows, in the order of the table. */
static GArray *
list_columns (GtkColumnView *table)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint));
  GListModel *shown = gtk_column_view_get_columns (table);

  for (guint i = 0; i < g_list_model_get_n_items (shown); i++) {
    g_autoptr (GtkColumnViewColumn) view_column = g_list_model_get_item (shown, i);
    const ScopeColumn *column = g_object_get_data (G_OBJECT (view_column), "column");
    guint number;

    if (gtk_column_view_column_get_visible (view_column) &&
        sym_column_find (column->name, &number))
      g_array_append_val (list, number);
  }
  return list;
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWidget *widget = user_data;
  ScopeDocument *document = g_object_get_data (G_OBJECT (widget), "document");
  SymFigures *figures = scope_document_get_figures (document);
  SymTableFormat format;

  if (scope_document_get_summary (document) == NULL ||
      !sym_table_format_from_string (g_variant_get_string (parameter, NULL), &format))
    return;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, copied_cb, NULL);
  Copy *self = g_new0 (Copy, 1);

  self->widget = g_object_ref (widget);
  self->summary = sym_summary_ref (scope_document_get_summary (document));
  self->figures = figures != NULL ? sym_figures_ref (figures) : NULL;
  self->milliseconds = scope_document_list_times (document);
  self->columns = list_columns (g_object_get_data (G_OBJECT (widget), "table"));
  self->format = format;
  g_task_set_source_tag (task, copy_cb);
  g_task_set_task_data (task, self, free_copy);
  g_task_run_in_thread (task, copy_thread);
}

/* ---- Columns ---- */

static void
set_toggled (ScopeDocument *document, guint toggled)
{
  ScopeView view = *scope_document_get_view (document);

  view.toggled_columns = toggled;
  scope_document_set_view (document, &view);
}

static void
column_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  GtkWidget *widget = user_data;
  ScopeDocument *document = g_object_get_data (G_OBJECT (widget), "document");
  guint column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (action), "column"));

  set_toggled (document, scope_document_get_view (document)->toggled_columns ^ (1u << column));
}

static void
preset_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeDocument *document = g_object_get_data (G_OBJECT (user_data), "document");

  set_toggled (document, scope_summary_get_preset (g_variant_get_string (parameter, NULL)));
}

static void
document_changed_cb (GtkWidget *widget, guint changes, ScopeDocument *document)
{
  GActionMap *actions = g_object_get_data (G_OBJECT (widget), "actions");
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  if ((changes & SCOPE_CHANGE_VIEW) == 0)
    return;
  for (guint i = 0; i < n; i++)
    {
      GAction *action = g_action_map_lookup_action (actions, columns[i].name);
      gboolean is_shown =
          scope_summary_shows (i, scope_document_get_view (document)->toggled_columns, TRUE);

      g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (is_shown));
    }
}

static void
add_column_actions (GtkWidget *widget, GActionMap *actions)
{
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GSimpleAction) action =
          g_simple_action_new_stateful (columns[i].name, NULL, g_variant_new_boolean (FALSE));

      g_object_set_data (G_OBJECT (action), "column", GUINT_TO_POINTER (i));
      g_signal_connect (action, "change-state", G_CALLBACK (column_cb), widget);
      g_action_map_add_action (actions, G_ACTION (action));
    }
}

/* ---- The menu ---- */

static void
append (GMenu *menu, const char *title, const char *action, const char *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (title, NULL);

  if (target != NULL)
    g_menu_item_set_action_and_target (item, action, "s", target);
  else
    g_menu_item_set_detailed_action (item, action);
  g_menu_append_item (menu, item);
}

static GMenu *
create_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) shown = g_menu_new ();
  g_autoptr (GMenu) like = g_menu_new ();
  g_autoptr (GMenu) copies = g_menu_new ();
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *action = g_strconcat ("table.", columns[i].name, NULL);

      append (shown, _(columns[i].title), action, NULL);
    }
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    append (like, presets[i].title, "table.preset", presets[i].name);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    append (copies, _(formats[i].title), "table.copy", formats[i].name);
  g_menu_append_section (menu, _("Columns"), G_MENU_MODEL (shown));
  g_menu_append_submenu (menu, _("Columns As In"), G_MENU_MODEL (like));
  g_menu_append_submenu (menu, _("Copy Table As"), G_MENU_MODEL (copies));
  return menu;
}

void
scope_summary_menu_add (GtkWidget *widget,
                        GtkMenuButton *button,
                        GtkColumnView *table,
                        ScopeDocument *document)
{
  static const GActionEntry entries[] = {
    { "preset", preset_cb, "s" },
    { "copy", copy_cb, "s" },
  };

  g_return_if_fail (GTK_IS_WIDGET (widget) && SCOPE_IS_DOCUMENT (document));

  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autoptr (GMenu) menu = create_menu ();

  g_object_set_data_full (G_OBJECT (widget), "document", g_object_ref (document), g_object_unref);
  g_object_set_data (G_OBJECT (widget), "table", table);
  g_object_set_data (G_OBJECT (widget), "actions", actions); /* the widget's below */
  add_column_actions (widget, G_ACTION_MAP (actions));
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), widget);
  gtk_widget_insert_action_group (widget, "table", G_ACTION_GROUP (actions));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
  g_signal_connect_object (document, "changed", G_CALLBACK (document_changed_cb), widget,
                           G_CONNECT_SWAPPED);
  document_changed_cb (widget, SCOPE_CHANGE_VIEW, document);
}
