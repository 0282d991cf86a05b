/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-chooser.h"
#include "app/scope-direction.h"
#include "app/scope-popup.h"
#include "app/scope-text.h"
#include "app/scope-wrapped.h"

G_DEFINE_FINAL_TYPE (ScopeSummary, scope_summary, GTK_TYPE_WIDGET)

/* ---- Selection, both ways ---- */

/* GtkColumnView keeps its list to itself in 4.8. */
GtkWidget *
scope_summary_get_list (ScopeSummary *self)
{
  GtkWidget *child = gtk_widget_get_first_child (self->table);

  while (child != NULL && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

guint
scope_summary_get_selected (ScopeSummary *self)
{
  guint frame = scope_document_get_selected_frame (self->document);

  if (frame != SYM_NO_GROUP)
    return scope_row_list_find_group (self->rows, frame);
  return scope_row_list_find (self->rows, scope_document_get_selected_value (self->document));
}

/* What is selected is there. */
static void
need_row (ScopeSummary *self, guint position)
{
  if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->rows)))
    scope_row_list_complete (self->rows);
}

static void
select_rows (ScopeSummary *self, const GtkBitset *rows)
{
  if (!gtk_bitset_is_empty (rows))
    need_row (self, gtk_bitset_get_maximum (rows));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, n);
  g_autoptr (GtkBitset) selected = gtk_bitset_copy (rows);

  self->is_syncing = TRUE;
  gtk_selection_model_set_selection (self->selection, selected, all);
  self->is_syncing = FALSE;
}

static void
show_selection (ScopeSummary *self, gboolean scrolls)
{
  SymIds several = scope_document_get_selected_values (self->document);
  g_autoptr (GtkBitset) rows = gtk_bitset_new_empty ();
  guint position = scope_summary_get_selected (self);

  if (position != G_MAXUINT)
    gtk_bitset_add (rows, position);
  for (guint i = 0; i < several.n; i++)
    {
      guint place = scope_row_list_find (self->rows, several.ids[i]);

      if (place != G_MAXUINT)
        gtk_bitset_add (rows, place);
    }
  select_rows (self, rows);
  if (position != G_MAXUINT && scrolls)
    scope_summary_scroll_to (self, position);
  else if (scrolls && self->has_hits && g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0)
    scope_summary_scroll_to (self, 0); /* what is found is looked at from its beginning */
}

void
scope_summary_show_selection (ScopeSummary *self)
{
  show_selection (self, FALSE);
}

/* Groups have no values of their own, and are left out where several are selected. */
static GArray *
list_values (ScopeSummary *self, const GtkBitset *rows)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (SymId));
  GtkBitsetIter iter;
  guint position;

  for (gboolean is_there = gtk_bitset_iter_init_first (&iter, rows, &position); is_there;
       is_there = gtk_bitset_iter_next (&iter, &position))
    {
      SymId value = scope_row_list_get_value (self->rows, position);

      if (value != SYM_NO_ID)
        g_array_append_val (values, value);
    }
  return values;
}

/* The row that came last leads; when several came at once, the one that led before. */
static SymId
find_lead (ScopeSummary *self, const GtkBitset *rows, guint changed, guint n_changed)
{
  SymId lead = scope_document_get_selected_value (self->document);
  guint position = scope_row_list_find (self->rows, lead);

  if (n_changed == 1 && gtk_bitset_contains (rows, changed) &&
      scope_row_list_get_value (self->rows, changed) != SYM_NO_ID)
    return scope_row_list_get_value (self->rows, changed);
  if (position != G_MAXUINT && gtk_bitset_contains (rows, position) &&
      scope_row_list_get_value (self->rows, position) == lead)
    return lead;
  return SYM_NO_ID;
}

static void
select_here (ScopeSummary *self, const GtkBitset *rows, guint changed, guint n_changed)
{
  guint first = gtk_bitset_get_minimum (rows);
  g_autoptr (GArray) values = list_values (self, rows);
  SymIds ids = { (const SymId *) (gconstpointer) values->data, values->len };
  SymId lead;

  if (gtk_bitset_get_size (rows) == 1 && ids.n == 0)
    scope_document_select_group (self->document, scope_row_list_get_group (self->rows, first));
  else if (ids.n < 2)
    scope_document_select_value (self->document, ids.n > 0 ? ids.ids[0] : SYM_NO_ID);
  else
    {
      lead = find_lead (self, rows, changed, n_changed);
      scope_document_select_values (self->document, ids, lead != SYM_NO_ID ? lead : ids.ids[0]);
    }
}

static void
selected_cb (ScopeSummary *self, guint changed, guint n_changed)
{
  g_autoptr (GtkBitset) rows = NULL;

  if (self->is_syncing || self->document == NULL)
    return;
  rows = gtk_selection_model_get_selection (self->selection);
  self->selects_here = TRUE;
  select_here (self, rows, changed, n_changed);
  self->selects_here = FALSE;
}

void
scope_summary_select_position (ScopeSummary *self, guint position)
{
  need_row (self, position);
  gtk_selection_model_select_item (self->selection, position, TRUE);
}

void
scope_summary_popup (ScopeSummary *self, GMenuModel *menu, GtkWidget *widget, double x, double y)
{
  double own_x, own_y;

  if (gtk_widget_translate_coordinates (widget, GTK_WIDGET (self), x, y, &own_x, &own_y))
    scope_popup_menu (GTK_WIDGET (self), menu, own_x, own_y);
}

/* ---- Rows ---- */

static void
show_emptiness (ScopeSummary *self)
{
  gboolean has_rows = g_list_model_get_n_items (G_LIST_MODEL (self->rows)) > 0;

  scope_summary_show_emptiness (self, !has_rows && self->has_hits);
}

/* Nothing is selected while they change: GTK would look for it among all rows that are new. */
static gboolean
replace_rows (ScopeSummary *self, SymSummaryView *view, SymFolding *folding)
{
  gboolean has_changed;

  self->is_syncing = TRUE;
  gtk_selection_model_unselect_all (self->selection);
  has_changed = scope_row_list_set_view (self->rows, view, folding);
  self->is_syncing = FALSE;
  return has_changed;
}

/* Groups are closed as they are in the drawing; but what was searched for is shown. */
static void
take_view (ScopeSummary *self, SymSummaryView *view, gboolean scrolls)
{
  SymFolding *folding = self->has_hits ? NULL : scope_document_get_folding (self->document);
  gboolean was_empty = g_list_model_get_n_items (G_LIST_MODEL (self->rows)) == 0;
  gboolean has_changed = replace_rows (self, view, folding);

  if (self->has_other_texts)
    scope_summary_forget_widths (self);
  self->has_other_texts = FALSE;
  scope_summary_fit_columns (self);
  scope_summary_hold_headings (self);
  scope_summary_refresh_cells (self);
  show_emptiness (self);
  show_selection (self, has_changed && scrolls && !was_empty);
  if (was_empty && scrolls)
    scope_summary_scroll_later (self);
}

static void
created_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeSummary) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SymSummaryView) view = scope_sheet_create_finish (result, &error);

  if (view == NULL || self->document == NULL)
    return; /* other rows are on their way, or nobody waits */
  g_clear_object (&self->cancellable);
  take_view (self, view, TRUE);
}

static SymModel *
get_model (SymSummaryView *view)
{
  return sym_inference_get_model (sym_summary_get_inference (sym_summary_view_get_summary (view)));
}

static void
stop_sorting (ScopeSummary *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/* Until they are sorted, rows stay as they are; those of another model cannot. */
static void
show_rows (ScopeSummary *self)
{
  g_autoptr (ScopeSheet) sheet = scope_sheet_new (self->document);
  SymSummaryView *now = scope_row_list_get_view (self->rows);
  g_autoptr (SymSummaryView) plain = NULL;

  stop_sorting (self);
  self->sorted = scope_document_get_view (self->document)->rows;
  self->has_hits = scope_document_has_search (self->document) && !self->sorted.has_all;
  if (sheet == NULL)
    return;
  if (scope_sheet_is_plain (sheet) || now == NULL ||
      get_model (now) != scope_document_get_model (self->document))
    {
      plain = scope_sheet_create_plain (sheet);
      take_view (self, plain, TRUE);
    }
  if (scope_sheet_is_plain (sheet))
    return;
  self->cancellable = g_cancellable_new ();
  scope_sheet_create_async (sheet, self->cancellable, created_cb, g_object_ref (self));
}

static gboolean
has_other_rows (ScopeSummary *self)
{
  const ScopeRowsView *rows = &scope_document_get_view (self->document)->rows;

  return rows->sort != self->sorted.sort || rows->descends != self->sorted.descends ||
         rows->is_tree != self->sorted.is_tree || rows->has_all != self->sorted.has_all;
}

/* Another order, or only groups that were opened and closed. */
static void
show_view (ScopeSummary *self)
{
  scope_summary_show_sort (self);
  scope_summary_update_actions (self);
  if (has_other_rows (self))
    show_rows (self);
  else if (self->sorted.is_tree && scope_row_list_get_view (self->rows) != NULL)
    take_view (self, scope_row_list_get_view (self->rows), FALSE);
}

/* ---- Totals ---- */

/* Whether the shape of an input has a size that is no number. */
static gboolean
has_open_sizes (ScopeSummary *self)
{
  SymInference *inference = scope_document_get_inference (self->document);
  SymIds inputs;
  guint64 n;

  if (inference == NULL)
    return FALSE;
  inputs = sym_model_get_inputs (sym_inference_get_model (inference));
  for (guint i = 0; i < inputs.n; i++)
    if (sym_model_has_value (sym_inference_get_model (inference), inputs.ids[i]) &&
        !sym_inference_get_n_elements (inference, inputs.ids[i], &n))
      return TRUE;
  return FALSE;
}

/* What the file does not tell is told to have been taken for 1, or how to tell it. */
static void
show_taken (ScopeSummary *self, const SymFigureTotals *totals)
{
  gboolean is_open = scope_document_get_figures (self->document) != NULL &&
                     (!totals->multiply_adds.known || !totals->peak_bytes.known) &&
                     has_open_sizes (self);
  g_autofree char *text = NULL;

  if (is_open)
    text = g_strdup (_ ("Type the sizes of the inputs at the top to know more"));
  else if (totals->taken != NULL)
    /* Translators: %s is one or several sizes: "batch", "axis 0 of “x”" */
    text = g_strdup_printf (_ ("Counted with 1 for %s"), totals->taken);
  gtk_label_set_text (GTK_LABEL (self->taken), text != NULL ? text : "");
  gtk_widget_set_visible (self->taken, text != NULL);
}

/* All of them in one sentence, for those who have the keyboard there and do not see them. */
static void
tell_totals (ScopeSummary *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (GtkWidget *label = gtk_widget_get_first_child (self->totals); label != NULL;
       label = gtk_widget_get_next_sibling (label))
    {
      const char *word = gtk_label_get_text (GTK_LABEL (label));

      if (*word != '\0')
        g_string_append_printf (text, "%s%s", n == 0 ? "" : n % 2 == 1 ? " " : ", ", word);
      n++;
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->totals),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str, -1);
}

static void
show_figure (GtkWidget *label, SymCount count, gboolean is_bytes, gboolean is_there)
{
  g_autofree char *text = scope_text_count (count, is_bytes);
  gboolean is_known = count.known || count.n > 0;

  gtk_label_set_text (GTK_LABEL (label), !is_there ? "…" : is_known ? text : _ ("Not known"));
}

/* What runs take; of a preview it is not known yet. */
static void
show_figures (ScopeSummary *self)
{
  SymFigures *figures = scope_document_get_figures (self->document);
  SymFigureTotals totals = { 0 };

  if (figures != NULL)
    totals = sym_figures_get_totals (figures);
  show_figure (self->multiply_adds, totals.multiply_adds, FALSE, figures != NULL);
  show_figure (self->peak, totals.peak_bytes, TRUE, figures != NULL);
  show_taken (self, &totals);
  tell_totals (self);
}

static void
set_count (GtkWidget *label, guint64 n, gboolean is_known)
{
  g_autofree char *count = scope_format_count (n);
  g_autofree char *least = g_strdup_printf ("≥ %s", count);
  const char *otherwise = n > 0 ? least : _ ("Not known");

  gtk_label_set_text (GTK_LABEL (label), is_known ? count : otherwise);
}

static void
show_totals (ScopeSummary *self)
{
  SymSummary *summary = scope_document_get_summary (self->document);

  if (summary == NULL)
    return;
  SymTotals totals = sym_summary_get_totals (summary);

  set_count (self->total, totals.total, totals.known);
  set_count (self->trainable, totals.trainable, totals.known);
  set_count (self->non_trainable, totals.non_trainable, totals.known);
  show_figure (self->bytes, (SymCount){ totals.bytes, totals.bytes_known }, TRUE, TRUE);
  show_figures (self);
}

/* ---- What the document says ---- */

static void
document_changed_cb (ScopeSummary *self, guint changes)
{
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES))
    show_totals (self);
  if (changes &
      (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_RUN | SCOPE_CHANGE_COMPARISON))
    self->has_other_texts = TRUE;
  if (changes & (SCOPE_CHANGE_RUN | SCOPE_CHANGE_COMPARISON))
    scope_summary_show_columns (self);
  if (changes & (SCOPE_CHANGE_MODEL | SCOPE_CHANGE_TYPES | SCOPE_CHANGE_RUN | SCOPE_CHANGE_FOUND |
                 SCOPE_CHANGE_COMPARISON))
    show_rows (self);
  if (changes & SCOPE_CHANGE_VIEW)
    show_view (self);
  if ((changes & SCOPE_CHANGE_SELECTION) && !self->selects_here)
    show_selection (self, TRUE);
  if (changes & (SCOPE_CHANGE_TYPES | SCOPE_CHANGE_CUT | SCOPE_CHANGE_STATE))
    scope_summary_refresh_cells (self);
}

static void
settings_changed_cb (ScopeSummary *self, guint setting)
{
  if (setting != SCOPE_SETTINGS_COLUMNS)
    return;
  scope_summary_show_columns (self);
  scope_summary_update_actions (self);
}

/* ---- Class ---- */

static void
scope_summary_dispose (GObject *object)
{
  ScopeSummary *self = SCOPE_SUMMARY (object);

  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  stop_sorting (self);
  if (self->rows != NULL)
    g_signal_handlers_disconnect_by_data (self->rows, self);
  g_clear_handle_id (&self->fitting, g_source_remove);
  scope_summary_write_columns (self);
  scope_chooser_let_go (&self->chooser, self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->settings);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (scope_summary_parent_class)->dispose (object);
}

static void
scope_summary_finalize (GObject *object)
{
  ScopeSummary *self = SCOPE_SUMMARY (object);

  scope_summary_forget_widths (self);
  g_hash_table_unref (self->bound);
  g_array_unref (self->places);
  g_ptr_array_unref (self->columns);
  g_string_free (self->typed, TRUE);
  G_OBJECT_CLASS (scope_summary_parent_class)->finalize (object);
}

static void
scope_summary_root (GtkWidget *widget)
{
  scope_summary_enter_window (SCOPE_SUMMARY (widget));
  GTK_WIDGET_CLASS (scope_summary_parent_class)->root (widget);
}

static void
scope_summary_unroot (GtkWidget *widget)
{
  scope_summary_leave_window (SCOPE_SUMMARY (widget));
  GTK_WIDGET_CLASS (scope_summary_parent_class)->unroot (widget);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeSummary, child)

static void
scope_summary_class_init (ScopeSummaryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (SCOPE_TYPE_SEARCH);
  G_OBJECT_CLASS (klass)->dispose = scope_summary_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_summary_finalize;
  widget_class->root = scope_summary_root;
  widget_class->unroot = scope_summary_unroot;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-summary.ui");
  BIND (box);
  BIND (search);
  BIND (table);
  BIND (body);
  BIND (totals);
  BIND (total);
  BIND (trainable);
  BIND (non_trainable);
  BIND (bytes);
  BIND (multiply_adds);
  BIND (peak);
  BIND (taken);
  BIND (more);
  gtk_widget_class_install_action (widget_class, "summary.clear-search", NULL,
                                   scope_summary_clear_search);
}

static guint
seek_widget (guint position, gpointer user_data)
{
  ScopeSummary *self = user_data;
  GHashTableIter iter;
  gpointer item;
  guint next = G_MAXUINT;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, NULL))
    if (gtk_list_item_get_position (item) >= position)
      next = MIN (next, gtk_list_item_get_position (item));
  return next;
}

static void
scope_summary_init (ScopeSummary *self)
{
  self->bound = g_hash_table_new (NULL, NULL);
  self->typed = g_string_new (NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_direction_keep_numbers (self->totals);
  scope_wrapped_reserve (self->taken);
  self->rows = scope_row_list_new (seek_widget, self);
  self->selection =
      GTK_SELECTION_MODEL (gtk_multi_selection_new (G_LIST_MODEL (g_object_ref (self->rows))));
  g_signal_connect_swapped (self->selection, "selection-changed", G_CALLBACK (selected_cb), self);
  scope_summary_add_columns (self);
  scope_access_name_parts (self->table, _ ("Columns"), _ ("Layers"));
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->table), self->selection);
  scope_summary_add_keys (self);
  scope_summary_watch_room (self);
  scope_summary_watch_screen (self);
}

void
scope_summary_set_document (ScopeSummary *self, ScopeDocument *document, ScopeSettings *settings)
{
  g_return_if_fail (SCOPE_IS_SUMMARY (self) && self->document == NULL);
  g_return_if_fail (SCOPE_IS_DOCUMENT (document) && SCOPE_IS_SETTINGS (settings));

  self->document = g_object_ref (document);
  self->settings = g_object_ref (settings);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (document_changed_cb), self);
  g_signal_connect_swapped (settings, "changed", G_CALLBACK (settings_changed_cb), self);
  scope_search_set_document (SCOPE_SEARCH (self->search), document);
  scope_summary_add_actions (self);
  scope_summary_show_columns (self);
  show_totals (self);
  show_rows (self);
  show_view (self);
}

ScopeSearch *
scope_summary_get_search (ScopeSummary *self)
{
  g_return_val_if_fail (SCOPE_IS_SUMMARY (self), NULL);

  return SCOPE_SEARCH (self->search);
}
