/* SPDX-License-Identifier: MIT */
#include "app/scope-summary.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-access.h"
#include "app/scope-announce.h"
#include "app/scope-row-list.h"
#include "app/scope-row.h"
#include "app/scope-summary-columns.h"
#include "app/scope-summary-menu.h"

struct _ScopeSummary {
  GtkWidget parent_instance;

  ScopeDocument *document;
  ScopeRowList *rows;
  GtkSingleSelection *selection;
  GHashTable *bound; /* GtkListItem, borrowed, of every cell that is on the screen */
  const ScopeColumn *naming; /* of those shown the first, whose cells name their rows */
  gboolean is_syncing;

  GtkWidget *box;
  GtkWidget *search;
  GtkWidget *table;
  GtkWidget *empty;
  GtkWidget *menu; /* popover at the row that it is of */
  GtkWidget *more;
  GtkWidget *totals;
  GtkWidget *total;
  GtkWidget *trainable;
  GtkWidget *non_trainable;
  GtkWidget *multiply_adds;
  GtkWidget *peak;
};

G_DEFINE_FINAL_TYPE (ScopeSummary, scope_summary, GTK_TYPE_WIDGET)

/* In characters, of which the star is wider than any. */
#define STAR_WIDTH 2

/* ---- Cells ---- */

static void
set_class (GtkWidget *widget, const char *name, gboolean is_set)
{
  if (is_set)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static gboolean
is_kept (ScopeSummary *self, const SymSummaryRow *row)
{
  ScopeCut *cut = scope_document_get_cut (self->document);
  const SymSelection *kept = cut != NULL ? scope_cut_get_shown (cut) : NULL;

  return kept == NULL || sym_selection_has_value (kept, row->value);
}

static gboolean
is_marked (ScopeSummary *self, const SymSummaryRow *row)
{
  ScopeState *state = scope_document_get_state (self->document);

  return scope_state_has_mark (state, SCOPE_MARK_OUTPUT, row->value) ||
         scope_state_has_mark (state, SCOPE_MARK_INPUT, row->value);
}

/* What a cell shows now; FALSE when it shows nothing. */
static gboolean
get_cell_row (ScopeSummary *self, GtkListItem *item, SymSummaryRow *row)
{
  ScopeRow *shown = gtk_list_item_get_item (item);
  SymSummary *summary = scope_row_list_get_summary (self->rows);

  if (shown == NULL || summary == NULL ||
      scope_row_get_index (shown) >= sym_summary_get_n_rows (summary))
    return FALSE;
  *row = sym_summary_get_row (summary, scope_row_get_index (shown));
  return TRUE;
}

/* What is longer is elided, so that a column is as wide at one place of the table as at another. */
static void
set_width (GtkLabel *label, SymSummary *summary, const ScopeColumn *column)
{
  g_autofree char *last = g_strdup_printf ("%u", sym_summary_get_n_rows (summary));
  int width = column->width > 0 ? column->width : (int) strlen (last) + STAR_WIDTH;

  gtk_label_set_width_chars (label, width);
  gtk_label_set_max_width_chars (label, width);
}

static void
name_row (ScopeSummary *self, GtkWidget *label, SymId value)
{
  ScopeNode node = scope_node_get (value, SYM_NO_ID);
  g_autofree char *sentence = scope_announce_node (self->document, &node);

  scope_access_name_row (label, sentence);
}

static void
refresh_cell (ScopeSummary *self, GtkListItem *item, const ScopeColumn *column)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  SymSummaryRow row;

  if (!get_cell_row (self, item, &row))
    return;
  g_autofree char *text =
      column->get_text (self->document, scope_row_list_get_summary (self->rows), &row);

  gtk_label_set_text (GTK_LABEL (label), text);
  set_width (GTK_LABEL (label), scope_row_list_get_summary (self->rows), column);
  if (column == self->naming)
    name_row (self, label, row.value);
  set_class (label, "error", scope_document_get_call_problem (self->document, row.call) != NULL);
  set_class (label, "dim-label", !is_kept (self, &row));
  /* Bold text is wider: there is room for it where the column expands. */
  set_class (label, "marked", column->expands && is_marked (self, &row));
}

/* Asked for when it is to be shown: to set a tooltip asks the display where the pointer is, at once,
 * and there are a thousand cells. */
static gboolean
query_tooltip_cb (GtkWidget *label,
                  int x,
                  int y,
                  gboolean keyboard,
                  GtkTooltip *tooltip,
                  GtkListItem *item)
{
  ScopeSummary *self =
      SCOPE_SUMMARY (gtk_widget_get_ancestor (label, SCOPE_TYPE_SUMMARY));
  SymSummaryRow row;

  if (!get_cell_row (self, item, &row))
    return FALSE;
  const char *problem = scope_document_get_call_problem (self->document, row.call);
  const char *text = problem != NULL ? problem : gtk_label_get_text (GTK_LABEL (label));
  g_autofree char *reason = scope_document_explain_found (self->document, row.value);
  g_autofree char *both =
      reason != NULL ? g_strdup_printf (_("%s\nFound by %s"), text, reason) : g_strdup (text);

  gtk_tooltip_set_text (tooltip, both);
  return *both != '\0';
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, const ScopeColumn *column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column->is_number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label),
                           column->expands ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (query_tooltip_cb), item);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (ScopeSummary *self, GtkListItem *item, GtkSignalListItemFactory *factory)
{
  const ScopeColumn *column = g_object_get_data (G_OBJECT (factory), "column");

  g_hash_table_insert (self->bound, item, (gpointer) column);
  refresh_cell (self, item, column);
}

static void
unbind_cb (ScopeSummary *self, GtkListItem *item)
{
  g_hash_table_remove (self->bound, item);
}

static void
refresh_cells (ScopeSummary *self)
{
  GHashTableIter iter;
  gpointer item, column;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, &column))
    refresh_cell (self, item, column);
}

static void
add_column (ScopeSummary *self, const ScopeColumn *column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "column", (gpointer) column);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), (gpointer) column);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, G_CONNECT_SWAPPED);
  g_autoptr (GtkColumnViewColumn) view_column =
      gtk_column_view_column_new (_(column->title), factory);

  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_expand (view_column, column->expands);
  gtk_column_view_column_set_visible (view_column, !column->needs_run && !column->is_extra);
  g_object_set_data (G_OBJECT (view_column), "column", (gpointer) column);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->table), view_column);
}

/* Headings of numbers stand over their numbers.  GTK 4.8 has no property for it: the heading is a box
 * with its label in the header's n-th child, hidden columns counted. */
static void
align_headings (ScopeSummary *self)
{
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);
  GtkWidget *heading = gtk_widget_get_first_child (gtk_widget_get_first_child (self->table));

  for (guint i = 0; i < n && heading != NULL; i++) {
    GtkWidget *box = gtk_widget_get_first_child (heading);

    if (columns[i].is_number && box != NULL)
      gtk_widget_set_halign (box, GTK_ALIGN_END);
    heading = gtk_widget_get_next_sibling (heading);
  }
}

/* What was asked for; what only a run can tell, when there was one. */
static void
show_columns (ScopeSummary *self)
{
  GListModel *view_columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->table));
  gboolean has_run = scope_document_get_record (self->document) != NULL;
  guint toggled = scope_document_get_view (self->document)->toggled_columns;
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  self->naming = NULL;
  for (guint i = 0; i < g_list_model_get_n_items (view_columns); i++) {
    g_autoptr (GtkColumnViewColumn) view_column = g_list_model_get_item (view_columns, i);
    const ScopeColumn *column = g_object_get_data (G_OBJECT (view_column), "column");
    gboolean is_shown = scope_summary_shows ((guint) (column - columns), toggled, has_run);

    if (is_shown && self->naming == NULL)
      self->naming = column;
    gtk_column_view_column_set_visible (view_column, is_shown);
  }
}

/* ---- Selection, both ways ---- */

/* GtkColumnView keeps its list to itself in 4.8, but the list's action can be reached from it. */
static void
scroll_to (ScopeSummary *self, guint position)
{
  GtkWidget *child = gtk_widget_get_first_child (self->table);

  while (child != NULL && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  if (child != NULL)
    gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

static void
show_selection (ScopeSummary *self)
{
  guint position =
      scope_row_list_find (self->rows, scope_document_get_selected_value (self->document));

  self->is_syncing = TRUE;
  gtk_single_selection_set_selected (self->selection,
                                     position == G_MAXUINT ? GTK_INVALID_LIST_POSITION : position);
  self->is_syncing = FALSE;
  if (position != G_MAXUINT)
    scroll_to (self, position);
}

static void
selected_cb (ScopeSummary *self)
{
  guint position = gtk_single_selection_get_selected (self->selection);
  SymId value;

  if (self->is_syncing || position == GTK_INVALID_LIST_POSITION)
    return;
  value = scope_row_list_get_value (self->rows, position);
  if (value != SYM_NO_ID)
    scope_document_select_value (self->document, value);
}

/* ---- Menu of a row ---- */

static GtkListItem *
find_cell_of (ScopeSummary *self, GtkWidget *label)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    if (gtk_list_item_get_child (item) == label)
      return item;
  return NULL;
}

/* The row at a place of the table.  The label of a cell covers less than the cell. */
static gboolean
pick_row (ScopeSummary *self, double x, double y, SymSummaryRow *row)
{
  GtkWidget *widget = gtk_widget_pick (self->table, x, y, GTK_PICK_DEFAULT);

  while (widget != NULL && !GTK_IS_LABEL (widget))
    widget = gtk_widget_get_first_child (widget);
  GtkListItem *cell = widget != NULL ? find_cell_of (self, widget) : NULL;

  return cell != NULL && get_cell_row (self, cell, row);
}

static void
popup_menu (ScopeSummary *self, GtkWidget *widget, double x, double y)
{
  double own_x, own_y;

  if (!gtk_widget_translate_coordinates (widget, GTK_WIDGET (self), x, y, &own_x, &own_y))
    return;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle){ (int) own_x, (int) own_y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
menu_clicked_cb (ScopeSummary *self, int n_press, double x, double y, GtkGestureClick *gesture)
{
  SymSummaryRow row;

  if (!pick_row (self, x, y, &row))
    return;
  scope_document_select_value (self->document, row.value);
  popup_menu (self, self->table, x, y);
}

/* A cell of the selected row that is on the screen. */
static GtkWidget *
find_selected_label (ScopeSummary *self)
{
  SymId selected = scope_document_get_selected_value (self->document);
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL)) {
    SymSummaryRow row;

    if (get_cell_row (self, item, &row) && row.value == selected)
      return gtk_list_item_get_child (item);
  }
  return NULL;
}

static gboolean
menu_key_cb (GtkWidget *table, GVariant *args, gpointer user_data)
{
  ScopeSummary *self = user_data;
  GtkWidget *label = find_selected_label (self);

  if (label == NULL)
    return GDK_EVENT_PROPAGATE;
  popup_menu (self, label, 0, gtk_widget_get_height (label));
  return GDK_EVENT_STOP;
}

static void
add_menu (ScopeSummary *self)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/org/symscope/Symscope/scope-canvas.ui");
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_shortcut_controller_new ();
  GtkShortcutTrigger *trigger = gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10");

  self->menu =
      gtk_popover_menu_new_from_model (G_MENU_MODEL (gtk_builder_get_object (builder, "menu")));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (menu_clicked_cb), self);
  gtk_widget_add_controller (self->table, GTK_EVENT_CONTROLLER (click));
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (trigger, gtk_callback_action_new (menu_key_cb, self, NULL)));
  gtk_widget_add_controller (self->table, keys);
}

/* ---- Out of the table ---- */

/* Tab leads from row to row in GTK 4.8; nobody would get past 100,000 of them.  Arrows do that. */
static gboolean
leave_cb (GtkEventControllerKey *controller,
          guint key,
          guint code,
          GdkModifierType state,
          ScopeSummary *self)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (key == GDK_KEY_Tab && modifiers == 0)
    return gtk_widget_grab_focus (self->totals);
  if (key == GDK_KEY_ISO_Left_Tab && modifiers == GDK_SHIFT_MASK)
    return gtk_widget_child_focus (self->search, GTK_DIR_TAB_BACKWARD);
  return GDK_EVENT_PROPAGATE;
}

static void
add_ways_out (ScopeSummary *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->table, keys);
}

/* ---- What the search leaves, totals ---- */

static void
show_emptiness (ScopeSummary *self)
{
  gboolean has_rows = g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0;

  gtk_widget_set_visible (self->empty, !has_rows && scope_document_has_search (self->document));
}

static void
show_found (ScopeSummary *self)
{
  self->is_syncing = TRUE;
  if (scope_document_has_search (self->document))
    scope_row_list_set_values (self->rows, scope_document_get_found (self->document));
  else
    scope_row_list_set_all (self->rows);
  self->is_syncing = FALSE;
  show_emptiness (self);
  show_selection (self);
}

/* What runs take; of a preview it is not known yet. */
static void
show_figures (ScopeSummary *self)
{
  SymFigures *figures = scope_document_get_figures (self->document);
  SymFigureTotals totals = { 0 };

  if (figures != NULL)
    totals = sym_figures_get_totals (figures);
  g_autofree char *multiply_adds = sym_count_to_short_string (totals.multiply_adds);
  g_autofree char *peak = sym_count_to_bytes_string (totals.peak_bytes);

  gtk_label_set_text (GTK_LABEL (self->multiply_adds), figures != NULL ? multiply_adds : "…");
  gtk_label_set_text (GTK_LABEL (self->peak), figures != NULL ? peak : "…");
}

static void
set_count (GtkWidget *label, guint64 n, gboolean is_known)
{
  g_autofree char *count = scope_format_count (n);
  g_autofree char *text = is_known ? g_strdup (count) : g_strdup_printf ("≥ %s", count);

  gtk_label_set_text (GTK_LABEL (label), text);
}

static void
show_summary (ScopeSummary *self)
{
  SymSummary *summary = scope_document_get_summary (self->document);

  self->is_syncing = TRUE;
  gboolean is_new = scope_row_list_set_summary (self->rows, summary);
  self->is_syncing = FALSE;
  if (summary == NULL)
    return;
  SymTotals totals = sym_summary_get_totals (summary);

  set_count (self->total, totals.total, totals.known);
  set_count (self->trainable, totals.trainable, totals.known);
  set_count (self->non_trainable, totals.non_trainable, totals.known);
  show_figures (self);
  show_emptiness (self);
  if (is_new)
    show_selection (self);
}

static void
document_changed_cb (ScopeSummary *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES))
    show_summary (self);
  if (changes & SCOPE_CHANGE_FOUND)
    show_found (self);
  if (changes & SCOPE_CHANGE_SELECTION)
    show_selection (self);
  if (changes & (SCOPE_CHANGE_RUN | SCOPE_CHANGE_VIEW))
    show_columns (self);
  if (changes & (SCOPE_CHANGE_TYPES | SCOPE_CHANGE_CUT | SCOPE_CHANGE_STATE | SCOPE_CHANGE_RUN))
    refresh_cells (self);
}

/* ---- Class ---- */

static void
scope_summary_dispose (GObject *object)
{
  ScopeSummary *self = SCOPE_SUMMARY (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (scope_summary_parent_class)->dispose (object);
}

static void
scope_summary_finalize (GObject *object)
{
  g_hash_table_unref (SCOPE_SUMMARY (object)->bound);
  G_OBJECT_CLASS (scope_summary_parent_class)->finalize (object);
}

static void
scope_summary_class_init (ScopeSummaryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (SCOPE_TYPE_SEARCH);
  G_OBJECT_CLASS (klass)->dispose = scope_summary_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_summary_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-summary.ui");
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, box);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, search);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, table);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, empty);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, totals);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, total);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, trainable);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, non_trainable);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, multiply_adds);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, peak);
  gtk_widget_class_bind_template_child (widget_class, ScopeSummary, more);
}

static void
scope_summary_init (ScopeSummary *self)
{
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  self->bound = g_hash_table_new (NULL, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = scope_row_list_new ();
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selected_cb), self);
  for (guint i = 0; i < n; i++)
    add_column (self, &columns[i]);
  align_headings (self);
  scope_access_name_parts (self->table, _("Columns"), _("Layers"));
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->table), GTK_SELECTION_MODEL (self->selection));
  gtk_column_view_set_reorderable (GTK_COLUMN_VIEW (self->table), TRUE);
  add_menu (self);
  add_ways_out (self);
}

void
scope_summary_set_document (ScopeSummary *self, ScopeDocument *document)
{
  g_return_if_fail (SCOPE_IS_SUMMARY (self) && self->document == NULL);

  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  scope_search_set_document (SCOPE_SEARCH (self->search), document);
  scope_summary_menu_add (GTK_WIDGET (self), GTK_MENU_BUTTON (self->more),
                          GTK_COLUMN_VIEW (self->table), document);
  show_summary (self);
  show_columns (self);
}

ScopeSearch *
scope_summary_get_search (ScopeSummary *self)
{
  g_return_val_if_fail (SCOPE_IS_SUMMARY (self), NULL);

  return SCOPE_SEARCH (self->search);
}
