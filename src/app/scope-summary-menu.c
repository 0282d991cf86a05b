/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <glib/gi18n.h>

#include "app/scope-chooser.h"
#include "app/scope-copying.h"
#include "app/scope-file-name.h"
#include "app/scope-later.h"
#include "app/scope-menu.h"
#include "app/scope-save-kind.h"

#define USUAL_SUFFIX ".csv" /* of a table that is saved */

static const struct {
  const char *name, *title;
} presets[] = {
  { "symbolic", "PyTorch Symbolic" },
  { "keras", "Keras" },
  { "torchinfo", "torchinfo" },
  { "mxnet", "MXNet" },
};

/* ---- The table as text ---- */

static void
show_message (GtkWidget *widget, const char *text)
{
  gtk_widget_activate_action (widget, "win.show-message", "s", text);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeCopying) copying = user_data;
  GtkWidget *widget = scope_copying_get_widget (copying);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = scope_sheet_write_finish (result, &error);

  if (scope_copying_is_overtaken (copying))
    return;
  if (text == NULL)
    {
      show_message (widget, error->message);
      return;
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  show_message (widget, _ ("Copied the table"));
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeSummary *self = user_data;
  g_autoptr (ScopeSheet) sheet = scope_sheet_new_shown (self->document, self->places);
  guint n;
  const ScopeSheetFormat *formats = scope_sheet_get_formats (&n);

  for (guint i = 0; sheet != NULL && i < n; i++)
    if (g_str_equal (g_variant_get_string (parameter, NULL), formats[i].name))
      scope_sheet_write_async (sheet, &formats[i], NULL, copied_cb,
                               scope_copying_new (GTK_WIDGET (self)));
}

typedef struct {
  GtkWidget *widget;
  GFile *file;
} Saving;

static void
saving_free (Saving *self)
{
  g_object_unref (self->widget);
  g_object_unref (self->file);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) self = user_data;
  g_autoptr (GError) error = NULL;

  if (scope_sheet_save_finish (result, &error))
    {
      g_autofree char *name = scope_file_name (self->file);
      g_autofree char *text = g_strdup_printf (_ ("Saved %s"), name);
      g_autofree char *uri = g_file_get_uri (self->file);

      gtk_widget_activate_action (self->widget, "win.offer-folder", "(ss)", text, uri);
      return;
    }
  g_autofree char *text = g_strdup_printf (_ ("Not saved: %s"), error->message);

  show_message (self->widget, text);
}

static void
save_to (ScopeSummary *self, GFile *file, const ScopeSheetFormat *format)
{
  g_autoptr (ScopeSheet) sheet = scope_sheet_new_shown (self->document, self->places);
  Saving *saving;

  if (sheet == NULL)
    return;
  saving = g_new0 (Saving, 1);
  saving->widget = g_object_ref (GTK_WIDGET (self));
  saving->file = g_object_ref (file);
  scope_sheet_save_async (sheet, format, file, NULL, saved_cb, saving);
}

static void
named_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ScopeSummary *self = SCOPE_SUMMARY (source);
  g_autoptr (GError) error = NULL;
  gconstpointer format;
  g_autoptr (GFile) file = scope_save_kind_settle_finish (result, &format, &error);

  if (self->document == NULL)
    return; /* its tab has closed */
  if (file != NULL)
    {
      save_to (self, file, format);
      return;
    }
  g_autofree char *text = g_strdup_printf (_ ("Not saved: %s"), error->message);

  show_message (GTK_WIDGET (self), text);
}

static void
response_cb (GtkNativeDialog *dialog, int response, ScopeSummary *self)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (file != NULL)
    scope_save_kind_settle_async (GTK_FILE_CHOOSER (dialog), file, self, named_cb, NULL);
  scope_chooser_let_go (&self->chooser, self);
}

/* "model.csv", beside "model.onnx". */
static void
suggest (ScopeSummary *self, const char *suffix)
{
  GFile *file = scope_document_get_file (self->document);
  g_autoptr (GFile) folder =
      file != NULL && g_file_is_native (file) ? g_file_get_parent (file) : NULL;

  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->chooser), folder, NULL);
  scope_chooser_suggest_name (self->chooser, scope_document_get_title (self->document), suffix);
}

static void
save_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ScopeSummary *self = user_data;
  const ScopeSheetFormat *usual = scope_sheet_find_format (USUAL_SUFFIX);
  guint n;
  const ScopeSheetFormat *formats = scope_sheet_get_formats (&n);

  scope_chooser_let_go (&self->chooser, self);
  self->chooser =
      scope_chooser_new (_ ("Save Table"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                         GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"));
  for (guint i = 0; i < n; i++)
    scope_save_kind_add (GTK_FILE_CHOOSER (self->chooser), _ (formats[i].title), formats[i].suffix,
                         &formats[i], &formats[i] == usual);
  suggest (self, usual->suffix);
  g_signal_connect (self->chooser, "response", G_CALLBACK (response_cb), self);
  scope_later_show (GTK_NATIVE_DIALOG (self->chooser));
  scope_save_kind_follow (self->chooser);
}

/* ---- Columns ---- */

/* Run or no run. */
static guint
count_shown (const GArray *places)
{
  guint n_columns, n = 0;
  const ScopeColumn *columns = scope_summary_get_columns (&n_columns);

  for (guint i = 0; i < places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (places, ScopeColumnPlace, i);

      if (place->is_shown && columns[place->column].need == SCOPE_NEEDS_NOTHING)
        n++;
    }
  return n;
}

/* One that had no room gets it by the width that it is given.
 * The last one that is shown stays: a table without columns has no headings to bring one back by.
 */
static void
show_column (ScopeSummary *self, guint column, gboolean is_shown)
{
  GArray *places = g_array_copy (self->places);
  guint n;

  for (guint i = 0; i < places->len; i++)
    {
      ScopeColumnPlace *place = &g_array_index (places, ScopeColumnPlace, i);

      if (place->column != column)
        continue;
      if (is_shown && scope_summary_is_left_out (self, column))
        place->width_px =
            scope_summary_measure_column (self, &scope_summary_get_columns (&n)[column]);
      place->is_shown = is_shown;
    }
  if (count_shown (places) > 0)
    scope_summary_take_places (self, places);
  else
    g_array_unref (places);
}

static void
column_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  show_column (user_data, scope_summary_find_column (g_action_get_name (G_ACTION (action))),
               g_variant_get_boolean (state));
}

static void
hide_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  guint column = scope_summary_find_column (g_variant_get_string (parameter, NULL));

  if (column != G_MAXUINT)
    show_column (user_data, column, FALSE);
}

static void
move_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  guint column = scope_summary_find_column (g_variant_get_string (parameter, NULL));
  gboolean left = g_str_equal (g_action_get_name (G_ACTION (action)), "move-left");

  if (column != G_MAXUINT)
    scope_summary_move_column (user_data, column, left ? -1 : 1);
}

static void
preset_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_summary_take_places (user_data,
                             scope_columns_parse_preset (g_variant_get_string (parameter, NULL)));
  scope_summary_fit_pane (user_data);
}

static void
reset_cb (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  scope_summary_take_places (user_data, scope_columns_parse (NULL));
  scope_summary_fit_pane (user_data);
}

/* ---- Rows ---- */

static void
take_rows (ScopeSummary *self, const ScopeRowsView *rows)
{
  ScopeView view = *scope_document_get_view (self->document);

  view.rows = *rows;
  scope_document_set_view (self->document, &view);
}

/* "params", "-params" from the largest on, "" as the graph runs. */
static void
sort_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeSummary *self = user_data;
  ScopeRowsView rows = scope_document_get_view (self->document)->rows;
  const char *name = g_variant_get_string (state, NULL);
  guint column;

  rows.descends = *name == '-';
  column = scope_summary_find_column (rows.descends ? name + 1 : name);
  rows.sort = column != G_MAXUINT ? column + 1 : 0;
  take_rows (self, &rows);
}

static void
tree_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeSummary *self = user_data;
  ScopeRowsView rows = scope_document_get_view (self->document)->rows;
  g_autoptr (GError) error = NULL;

  rows.is_tree = g_variant_get_boolean (state);
  take_rows (self, &rows);
  if (!scope_settings_set (self->settings, SCOPE_SETTING_TREE, rows.is_tree, &error))
    show_message (GTK_WIDGET (self), error->message);
}

static void
filter_cb (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  ScopeSummary *self = user_data;
  ScopeRowsView rows = scope_document_get_view (self->document)->rows;

  rows.has_all = !g_variant_get_boolean (state);
  take_rows (self, &rows);
}

/* ---- What can be seen of all that in menus ---- */

static void
set_state (ScopeSummary *self, const char *name, GVariant *state)
{
  GActionMap *actions = g_object_get_data (G_OBJECT (self), "actions");

  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (actions, name)), state);
}

void
scope_summary_update_actions (ScopeSummary *self)
{
  const ScopeRowsView *rows = &scope_document_get_view (self->document)->rows;
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);
  const char *sort = rows->sort > 0 ? columns[rows->sort - 1].name : "";

  for (guint i = 0; i < self->places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (self->places, ScopeColumnPlace, i);

      set_state (self, columns[place->column].name,
                 g_variant_new_boolean (place->is_shown &&
                                        !scope_summary_is_left_out (self, place->column)));
    }
  set_state (self, "tree", g_variant_new_boolean (rows->is_tree));
  set_state (self, "filter", g_variant_new_boolean (!rows->has_all));
  set_state (self, "sort",
             g_variant_new_take_string (g_strconcat (rows->descends ? "-" : "", sort, NULL)));
}

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
create_columns_menu (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) shown = g_menu_new ();
  g_autoptr (GMenu) usual = g_menu_new ();
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *action = g_strconcat ("table.", columns[i].name, NULL);

      append (shown, _ (columns[i].title), action, NULL);
    }
  append (usual, _ ("As at First"), "table.reset", NULL);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (shown));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (usual));
  return menu;
}

static GMenu *
create_menu (gconstpointer data)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) shown = create_columns_menu ();
  g_autoptr (GMenu) columns = g_menu_new ();
  g_autoptr (GMenu) rows = g_menu_new ();
  g_autoptr (GMenu) texts = g_menu_new ();
  g_autoptr (GMenu) like = g_menu_new ();
  g_autoptr (GMenu) copies = g_menu_new ();
  guint n;
  const ScopeSheetFormat *formats = scope_sheet_get_formats (&n);

  append (rows, _ ("_Tree by Group"), "table.tree", NULL);
  append (rows, _ ("Only What the Search _Finds"), "table.filter", NULL);
  append (rows, _ ("In the Order of the _Graph"), "table.sort", "");
  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    append (like, presets[i].title, "table.preset", presets[i].name);
  for (guint i = 0; i < n; i++)
    append (copies, _ (formats[i].title), "table.copy", formats[i].name);
  g_menu_append_submenu (columns, _ ("_Columns"), G_MENU_MODEL (shown));
  g_menu_append_submenu (columns, _ ("Columns _As In"), G_MENU_MODEL (like));
  g_menu_append_submenu (texts, _ ("Co_py Table As"), G_MENU_MODEL (copies));
  append (texts, _ ("_Save Table…"), "table.save", NULL);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rows));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (columns));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (texts));
  return menu;
}

/* Of one column. */
static GMenu *
create_column_menu (gconstpointer data)
{
  const ScopeColumn *column = data;
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) sorts = g_menu_new ();
  g_autoptr (GMenu) places = g_menu_new ();
  g_autoptr (GMenu) others = g_menu_new ();
  g_autoptr (GMenu) shown = create_columns_menu ();
  g_autofree char *descending = g_strconcat ("-", column->name, NULL);

  append (sorts, _ ("Sort _Ascending"), "table.sort", column->name);
  append (sorts, _ ("Sort _Descending"), "table.sort", descending);
  append (sorts, _ ("In the Order of the _Graph"), "table.sort", "");
  append (places, _ ("Move to the _Left"), "table.move-left", column->name);
  append (places, _ ("Move to the _Right"), "table.move-right", column->name);
  append (places, _ ("_Hide"), "table.hide", column->name);
  g_menu_append_submenu (others, _ ("_Columns"), G_MENU_MODEL (shown));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (sorts));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (places));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  return menu;
}

void
scope_summary_popup_column_menu (ScopeSummary *self, GtkWidget *heading, guint column)
{
  guint n;
  const ScopeColumn *its = &scope_summary_get_columns (&n)[column];
  g_autofree char *name = g_strconcat ("column ", its->name, NULL);

  scope_summary_popup (self, scope_menu_keep (name, create_column_menu, its), heading, 0,
                       gtk_widget_get_height (heading));
}

/* A menu is made of many widgets, and often nobody opens it. */
static void
create_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, scope_menu_keep ("table", create_menu, NULL));
}

void
scope_summary_add_actions (ScopeSummary *self)
{
  static const GActionEntry entries[] = {
    { "preset", preset_cb, "s" },
    { "copy", copy_cb, "s" },
    { "save", save_cb },
    { "hide", hide_cb, "s" },
    { "move-left", move_cb, "s" },
    { "move-right", move_cb, "s" },
    { "reset", reset_cb },
    { "sort", NULL, "s", "''", sort_cb },
    { "tree", NULL, NULL, "false", tree_cb },
    { "filter", NULL, NULL, "true", filter_cb },
  };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  g_object_set_data (G_OBJECT (self), "actions", actions); /* the widget's below */
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < n; i++)
    {
      GActionEntry entry = { columns[i].name, NULL, NULL, "false", column_cb };

      g_action_map_add_action_entries (G_ACTION_MAP (actions), &entry, 1, self);
    }
  gtk_widget_insert_action_group (GTK_WIDGET (self), "table", G_ACTION_GROUP (actions));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->more), create_menu_cb, NULL, NULL);
  scope_menu_hush (self->more);
}
