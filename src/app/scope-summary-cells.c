/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-access.h"
#include "app/scope-announce.h"
#include "app/scope-cell.h"

#define ITEM_KEY "scope-list-item"
#define INDENT 14    /* pixels for each level of a tree */
#define MAX_INDENT 8 /* levels that are told apart so */

/* ---- What a cell is of ---- */

/* FALSE when it shows nothing. */
static gboolean
get_cell_row (ScopeSummary *self, GtkListItem *item, guint *index, SymSummaryViewRow *row)
{
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  guint position = gtk_list_item_get_position (item);

  *index = position != GTK_INVALID_LIST_POSITION ? scope_row_list_get_row (self->rows, position)
                                                 : G_MAXUINT;
  if (view == NULL || *index == G_MAXUINT)
    return FALSE;
  *row = sym_summary_view_get_row (view, *index);
  return TRUE;
}

static SymSummaryRow
get_summary_row (ScopeSummary *self, const SymSummaryViewRow *row)
{
  SymSummary *summary = sym_summary_view_get_summary (scope_row_list_get_view (self->rows));

  return sym_summary_get_row (summary, row->row);
}

static gboolean
is_output (ScopeSummary *self, guint index)
{
  SymSummaryViewRow row = sym_summary_view_get_row (scope_row_list_get_view (self->rows), index);

  return row.group == SYM_NO_GROUP && get_summary_row (self, &row).is_output;
}

char *
scope_summary_write_cell (ScopeSummary *self, guint index, const ScopeColumn *column)
{
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  char *text = scope_summary_format_cell (view, index, column);

  if (column == self->starring && !column->has_star && is_output (self, index))
    {
      char *starred = g_strconcat (text, " ★", NULL);

      g_free (text);
      text = starred;
    }
  return text;
}

static gboolean
is_kept (ScopeSummary *self, SymId value)
{
  ScopeCut *cut = scope_document_get_cut (self->document);
  const SymSelection *kept = cut != NULL ? scope_cut_get_shown (cut) : NULL;

  return kept == NULL || sym_selection_has_value (kept, value);
}

static gboolean
is_marked (ScopeSummary *self, SymId value)
{
  ScopeState *state = scope_document_get_state (self->document);

  return scope_state_has_mark (state, SCOPE_MARK_OUTPUT, value) ||
         scope_state_has_mark (state, SCOPE_MARK_INPUT, value);
}

/* ---- How it looks ---- */

static void
set_class (GtkWidget *widget, const char *name, gboolean is_set)
{
  if (is_set)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/* What is longer is elided, so that a column is as wide at one place of the table as at another. */
static void
set_width (ScopeSummary *self, GtkWidget *label, const ScopeColumn *column)
{
  gtk_widget_set_size_request (label, scope_summary_get_width (self, column), -1);
}

/* The text of a cell, which is the cell or lies in it behind the arrow of a group. */
static GtkWidget *
get_label (GtkWidget *child)
{
  return SCOPE_IS_CELL (child) ? child : gtk_widget_get_last_child (child);
}

static void
show_node (ScopeSummary *self,
           GtkWidget *label,
           const ScopeColumn *column,
           const SymSummaryRow *row)
{
  set_class (label, "error", scope_document_get_call_problem (self->document, row->call) != NULL);
  set_class (label, "dim-label", !is_kept (self, row->value));
  /* Bold text is wider: there is room for it where the column expands. */
  scope_cell_set_weight (SCOPE_CELL (label), column->expands && is_marked (self, row->value)
                                                 ? PANGO_WEIGHT_BOLD
                                                 : PANGO_WEIGHT_NORMAL);
}

static void
show_group (GtkWidget *label)
{
  set_class (label, "error", FALSE);
  set_class (label, "dim-label", FALSE);
  scope_cell_set_weight (SCOPE_CELL (label), SCOPE_SUMMARY_GROUP_WEIGHT);
}

static void
arrow_cb (GtkWidget *arrow, GtkListItem *item)
{
  ScopeSummary *self = SCOPE_SUMMARY (gtk_widget_get_ancestor (arrow, SCOPE_TYPE_SUMMARY));

  scope_summary_toggle_group (self, gtk_list_item_get_position (item));
}

/* Few rows are groups, and a button is several widgets. */
static GtkWidget *
need_arrow (GtkWidget *child)
{
  GtkWidget *arrow = gtk_widget_get_first_child (child);

  if (GTK_IS_BUTTON (arrow))
    return arrow;
  arrow = gtk_button_new ();
  gtk_widget_add_css_class (arrow, "flat");
  gtk_widget_add_css_class (arrow, "arrow");
  gtk_widget_set_focusable (arrow, FALSE); /* the row has keys for it */
  gtk_widget_set_valign (arrow, GTK_ALIGN_CENTER);
  g_signal_connect (arrow, "clicked", G_CALLBACK (arrow_cb),
                    g_object_get_data (G_OBJECT (child), ITEM_KEY));
  gtk_box_prepend (GTK_BOX (child), arrow);
  return arrow;
}

/* The room before what lies in groups, and the arrow of a group. */
static void
show_tree (ScopeSummary *self, GtkWidget *child, const SymSummaryViewRow *row)
{
  SymFolding *folding = scope_document_get_folding (self->document);
  GtkWidget *first = gtk_widget_get_first_child (child), *arrow;
  gboolean is_group = row->group != SYM_NO_GROUP;
  gboolean folds = is_group && scope_row_list_folds (self->rows) && folding != NULL;
  gboolean is_open = folds && sym_folding_is_open (folding, row->group);

  gtk_widget_set_margin_start (child, INDENT * (int) MIN (row->level, MAX_INDENT));
  if (GTK_IS_BUTTON (first))
    gtk_widget_set_visible (first, folds);
  if (!folds)
    return;
  arrow = need_arrow (child);
  gtk_button_set_icon_name (GTK_BUTTON (arrow), is_open ? "pan-down-symbolic" : "pan-end-symbolic");
  scope_access_name (arrow, is_open ? _ ("Close Group") : _ ("Open Group"));
}

/* For who hears the rows instead of seeing them. */
static void
name_row (ScopeSummary *self, GtkWidget *child, const SymSummaryViewRow *row)
{
  SymGroups *tree = sym_summary_view_get_tree (scope_row_list_get_view (self->rows));
  g_autofree char *sentence = NULL;
  ScopeNode node;

  if (row->group != SYM_NO_GROUP)
    {
      sentence = g_strdup_printf (_ ("Group %s"), sym_groups_get (tree, row->group)->name);
    }
  else
    {
      node = scope_node_get (get_summary_row (self, row).value, SYM_NO_ID);
      sentence = scope_announce_node (self->document, &node);
    }
  scope_access_name_row (child, sentence);
}

static void
refresh_cell (ScopeSummary *self, GtkListItem *item, const ScopeColumn *column)
{
  GtkWidget *child = gtk_list_item_get_child (item);
  GtkWidget *label = get_label (child);
  SymSummaryViewRow row;
  guint index;

  if (!get_cell_row (self, item, &index, &row))
    return;
  g_autofree char *text = scope_summary_write_cell (self, index, column);

  scope_cell_set_text (SCOPE_CELL (label), text);
  set_width (self, label, column);
  if (child != label)
    show_tree (self, child, &row);
  if (column == self->naming)
    name_row (self, child, &row);
  if (row.group != SYM_NO_GROUP)
    {
      show_group (label);
      return;
    }
  SymSummaryRow node = get_summary_row (self, &row);

  show_node (self, label, column, &node);
}

void
scope_summary_refresh_cells (ScopeSummary *self)
{
  GHashTableIter iter;
  gpointer item, column;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, &column))
    refresh_cell (self, item, column);
}

/* Asked for when it is to be shown: to set a tooltip asks the display where the pointer is, at
 * once, and there are a thousand cells. */
static gboolean
query_tooltip_cb (GtkWidget *label,
                  int x,
                  int y,
                  gboolean keyboard,
                  GtkTooltip *tooltip,
                  GtkListItem *item)
{
  ScopeSummary *self = SCOPE_SUMMARY (gtk_widget_get_ancestor (label, SCOPE_TYPE_SUMMARY));
  const char *problem = NULL, *text;
  const ScopeColumn *column = g_hash_table_lookup (self->bound, item);
  SymSummaryViewRow row;
  guint index;

  if (column == NULL || !get_cell_row (self, item, &index, &row))
    return FALSE;
  g_autofree char *reason = NULL, *both = NULL;
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  g_autofree char *plain = scope_summary_format_cell (view, index, column);
  g_autofree char *full = scope_summary_tell_cell (view, index, column);

  if (row.group == SYM_NO_GROUP)
    {
      SymSummaryRow node = get_summary_row (self, &row);

      problem = scope_document_get_call_problem (self->document, node.call);
      reason = scope_document_explain_found (self->document, node.value);
    }
  text = problem != NULL ? problem : full;
  if (problem == NULL && reason == NULL && !scope_cell_is_elided (SCOPE_CELL (label)) &&
      g_str_equal (full, plain))
    return FALSE;
  both = reason != NULL ? g_strdup_printf (_ ("%s\nFound by %s"), text, reason) : g_strdup (text);
  gtk_tooltip_set_text (tooltip, both);
  return *both != '\0';
}

/* ---- Cells that come and go ---- */

static GtkWidget *
create_label (GtkListItem *item, const ScopeColumn *column)
{
  /* Names of neighbours begin alike and end differently. */
  GtkWidget *label = scope_cell_new (column->is_number ? 1 : 0,
                                     column->expands ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_END);

  if (column->is_number) /* digits of the same weight stand below each other in any language */
    gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (query_tooltip_cb), item);
  return label;
}

static GtkWidget *
create_tree_cell (GtkListItem *item, const ScopeColumn *column)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  GtkWidget *label = create_label (item, column);

  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, const ScopeColumn *column)
{
  GtkWidget *child =
      column->expands ? create_tree_cell (item, column) : create_label (item, column);

  /* A click is the row's: a cell would do the same once more, and so undo it. */
  gtk_list_item_set_selectable (item, FALSE);
  gtk_list_item_set_activatable (item, FALSE);
  g_object_set_data (G_OBJECT (child), ITEM_KEY, item);
  gtk_list_item_set_child (item, child);
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

GtkListItemFactory *
scope_summary_create_factory (ScopeSummary *self, const ScopeColumn *column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "column", (gpointer) column);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), (gpointer) column);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, G_CONNECT_SWAPPED);
  return factory;
}

/* ---- Where it is ---- */

/* The label of a cell covers less than the cell, which is around it. */
guint
scope_summary_pick_row (ScopeSummary *self, double x, double y)
{
  GtkWidget *widget = gtk_widget_pick (self->table, x, y, GTK_PICK_DEFAULT);

  for (; widget != NULL && widget != self->table; widget = gtk_widget_get_parent (widget))
    {
      GtkWidget *child = gtk_widget_get_first_child (widget);
      GtkListItem *item = g_object_get_data (G_OBJECT (widget), ITEM_KEY);

      if (item == NULL && child != NULL)
        item = g_object_get_data (G_OBJECT (child), ITEM_KEY);
      if (item != NULL && g_hash_table_contains (self->bound, item))
        return gtk_list_item_get_position (item);
    }
  return G_MAXUINT;
}

GtkWidget *
scope_summary_find_cell (ScopeSummary *self, guint position)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    if (gtk_list_item_get_position (item) == position &&
        gtk_widget_get_mapped (gtk_list_item_get_child (item)))
      return gtk_list_item_get_child (item);
  return NULL;
}

gboolean
scope_summary_toggle_group (ScopeSummary *self, guint position)
{
  guint group = scope_row_list_get_group (self->rows, position);
  SymFolding *folding = scope_document_get_folding (self->document);

  if (group == SYM_NO_GROUP || !scope_row_list_folds (self->rows) || folding == NULL)
    return FALSE;
  if (sym_folding_is_open (folding, group))
    scope_document_close_group (self->document, group);
  else
    scope_document_open_group (self->document, group);
  return TRUE;
}
