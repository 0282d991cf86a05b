/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <glib/gi18n.h>

#include "app/scope-access.h"
#include "app/scope-row.h"

#define REST 500      /* milliseconds without a change before columns are written */
#define WIDTH_STEP 16 /* pixels */
#define LEAST_WIDTH 32

/* ---- Columns ---- */

static GtkColumnViewColumn *
get_view_column (ScopeSummary *self, guint column)
{
  return g_ptr_array_index (self->columns, column);
}

static guint
find_column (ScopeSummary *self, GtkColumnViewColumn *view_column)
{
  guint column = G_MAXUINT;

  g_ptr_array_find (self->columns, view_column, &column);
  return column;
}

static gboolean
is_in_table (ScopeSummary *self, GtkColumnViewColumn *view_column)
{
  return gtk_column_view_column_get_column_view (view_column) == GTK_COLUMN_VIEW (self->table);
}

/* Every column has one. */
static guint
find_place (ScopeSummary *self, guint column)
{
  guint place = 0;

  while (place + 1 < self->places->len &&
         g_array_index (self->places, ScopeColumnPlace, place).column != column)
    place++;
  return place;
}

/* The heading of a column is the child of the header that has the column's place among those that
 * are shown; NULL for one that is not. */
GtkWidget *
scope_summary_get_heading (ScopeSummary *self, guint column)
{
  GListModel *view_columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->table));
  GtkWidget *heading = gtk_widget_get_first_child (gtk_widget_get_first_child (self->table));

  for (guint i = 0; heading != NULL; i++, heading = gtk_widget_get_next_sibling (heading))
    {
      g_autoptr (GtkColumnViewColumn) view_column = g_list_model_get_item (view_columns, i);

      if (view_column != NULL && find_column (self, view_column) == column)
        return heading;
    }
  return NULL;
}

/* Of one that failed at its first layer there is nothing to tell. */
static gboolean
has_run (SymRecord *record)
{
  return record != NULL && sym_record_has_run (record);
}

static gboolean
has_need (ScopeSummary *self, const ScopeColumn *column)
{
  switch (column->need)
    {
    case SCOPE_NEEDS_RUN:
      return has_run (scope_document_get_record (self->document));
    case SCOPE_NEEDS_COMPARISON:
      return scope_document_get_comparison (self->document) != NULL;
    case SCOPE_NEEDS_DISTANCES:
      return scope_document_get_distances (self->document) != NULL;
    case SCOPE_NEEDS_NOTHING:
      return TRUE;
    default:
      g_assert_not_reached ();
    }
}

gboolean
scope_summary_wants_column (ScopeSummary *self, const ScopeColumnPlace *place)
{
  guint n;

  return place->is_shown && has_need (self, &scope_summary_get_columns (&n)[place->column]);
}

static gboolean
is_shown (ScopeSummary *self, const ScopeColumnPlace *place)
{
  return scope_summary_wants_column (self, place) &&
         !scope_summary_is_left_out (self, place->column);
}

/* ---- What the user changes ---- */

static void
write_columns (ScopeSummary *self)
{
  g_auto (GStrv) words = scope_columns_format (self->places);
  g_auto (GStrv) usual = NULL;
  g_autoptr (GArray) at_first = scope_columns_parse (NULL);
  g_autoptr (GError) error = NULL;

  usual = scope_columns_format (at_first);
  gboolean is_usual = g_strv_equal ((const char *const *) words, (const char *const *) usual);

  if (!scope_settings_set_columns (self->settings, is_usual ? NULL : (const char *const *) words,
                                   &error))
    {
      g_autofree char *text = g_strdup_printf (_ ("Columns not kept: %s"), error->message);

      gtk_widget_activate_action (GTK_WIDGET (self), "win.show-message", "s", text);
    }
}

static gboolean
rest_cb (gpointer data)
{
  ScopeSummary *self = data;

  self->saving = 0;
  write_columns (self);
  return G_SOURCE_REMOVE;
}

void
scope_summary_write_columns (ScopeSummary *self)
{
  if (self->saving == 0)
    return;
  g_clear_handle_id (&self->saving, g_source_remove);
  write_columns (self);
}

/* While somebody drags a border, each pixel is a change. */
static void
save_later (ScopeSummary *self)
{
  g_clear_handle_id (&self->saving, g_source_remove);
  self->saving = g_timeout_add (REST, rest_cb, self);
}

static void
width_cb (ScopeSummary *self, GParamSpec *pspec, GtkColumnViewColumn *view_column)
{
  guint place = find_place (self, find_column (self, view_column));

  if (self->is_arranging)
    return;
  g_array_index (self->places, ScopeColumnPlace, place).width_px =
      gtk_column_view_column_get_fixed_width (view_column);
  save_later (self);
}

/* Somebody dragged a heading elsewhere: GTK takes its column out and puts it in again.  Columns
 * that are not shown stay where they are among the others. */
static void
order_cb (ScopeSummary *self,
          guint position,
          guint n_removed,
          guint n_added,
          GListModel *view_columns)
{
  g_autoptr (GArray) places = NULL;
  guint n_before = 0;

  if (self->is_arranging || g_list_model_get_n_items (view_columns) < self->n_shown)
    return;
  places = g_array_copy (self->places);
  for (guint i = 0; i < places->len; i++)
    {
      ScopeColumnPlace *place = &g_array_index (places, ScopeColumnPlace, i);
      g_autoptr (GtkColumnViewColumn) there = NULL;

      if (!is_shown (self, place))
        continue;
      there = g_list_model_get_item (view_columns, n_before++);
      *place = g_array_index (self->places, ScopeColumnPlace,
                              find_place (self, find_column (self, there)));
    }
  g_array_unref (self->places);
  self->places = g_steal_pointer (&places);
  save_later (self);
}

void
scope_summary_take_places (ScopeSummary *self, GArray *take_places)
{
  g_array_unref (self->places);
  self->places = take_places;
  g_clear_handle_id (&self->saving, g_source_remove);
  write_columns (self);
}

void
scope_summary_move_column (ScopeSummary *self, guint column, int step)
{
  guint place = find_place (self, column);
  ScopeColumnPlace moved = g_array_index (self->places, ScopeColumnPlace, place);
  guint other = place;

  /* Past the next one that can be seen. */
  do
    {
      if (step < 0 ? other == 0 : other + 1 >= self->places->len)
        return;
      other = step < 0 ? other - 1 : other + 1;
    }
  while (!is_shown (self, &g_array_index (self->places, ScopeColumnPlace, other)));
  GArray *places = g_array_copy (self->places);

  g_array_remove_index (places, place);
  g_array_insert_val (places, other, moved);
  scope_summary_take_places (self, places);
}

/* ---- Sorting ---- */

/* A view cannot be asked in GTK 4.8 which column it is sorted by, but its sorter asks that of the
 * column. */
static int
compare_cb (gconstpointer a, gconstpointer b, gpointer user_data)
{
  GtkColumnViewColumn *view_column = user_data;
  ScopeSummary *self = g_object_get_data (G_OBJECT (view_column), "summary");

  self->asked = find_column (self, view_column);
  return -1;
}

static guint
read_sort (ScopeSummary *self, gboolean *descends)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->table));
  g_autoptr (ScopeRow) a = scope_row_new (0);
  g_autoptr (ScopeRow) b = scope_row_new (1);

  self->asked = G_MAXUINT;
  *descends = gtk_sorter_compare (sorter, a, b) == GTK_ORDERING_LARGER;
  return self->asked != G_MAXUINT ? self->asked + 1 : 0;
}

static void
set_sort (ScopeSummary *self, guint sort, gboolean descends)
{
  ScopeView view = *scope_document_get_view (self->document);

  view.rows.sort = sort;
  view.rows.descends = sort > 0 && descends;
  scope_document_set_view (self->document, &view);
}

/* GTK goes up and down for ever; here the third click gives back the order of the graph. */
static void
sorter_changed_cb (ScopeSummary *self)
{
  const ScopeRowsView *rows;
  gboolean descends;
  guint sort;

  if (self->is_arranging || self->document == NULL)
    return;
  rows = &scope_document_get_view (self->document)->rows;
  sort = read_sort (self, &descends);
  if (sort > 0 && sort == rows->sort && rows->descends && !descends)
    sort = 0;
  set_sort (self, sort, descends);
  scope_summary_show_sort (self);
}

void
scope_summary_cycle_sort (ScopeSummary *self, guint column)
{
  const ScopeRowsView *rows = &scope_document_get_view (self->document)->rows;

  if (rows->sort != column + 1)
    set_sort (self, column + 1, FALSE);
  else
    set_sort (self, rows->descends ? 0 : column + 1, TRUE);
}

static void
tell_sort (ScopeSummary *self, const ScopeRowsView *rows)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      GtkWidget *heading = scope_summary_get_heading (self, i);
      GtkAccessibleSort sort = rows->sort != i + 1 ? GTK_ACCESSIBLE_SORT_NONE
                               : rows->descends    ? GTK_ACCESSIBLE_SORT_DESCENDING
                                                   : GTK_ACCESSIBLE_SORT_ASCENDING;

      if (heading != NULL)
        gtk_accessible_update_property (GTK_ACCESSIBLE (heading), GTK_ACCESSIBLE_PROPERTY_SORT,
                                        sort, -1);
    }
}

/* By another column, GTK 4.8 leaves the arrow of the one before where it was, unless it is told
 * that there is none first.  A column that is not shown has no heading for an arrow. */
static void
sort_table (ScopeSummary *self, const ScopeRowsView *rows)
{
  GtkColumnView *table = GTK_COLUMN_VIEW (self->table);

  gtk_column_view_sort_by_column (table, NULL, GTK_SORT_ASCENDING);
  if (rows->sort > 0 && is_in_table (self, get_view_column (self, rows->sort - 1)))
    gtk_column_view_sort_by_column (table, get_view_column (self, rows->sort - 1),
                                    rows->descends ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

void
scope_summary_show_sort (ScopeSummary *self)
{
  const ScopeRowsView *rows = &scope_document_get_view (self->document)->rows;
  gboolean descends;
  gboolean was_arranging = self->is_arranging;

  self->is_arranging = TRUE;
  if (read_sort (self, &descends) != rows->sort || (rows->sort > 0 && descends != rows->descends))
    sort_table (self, rows);
  tell_sort (self, rows);
  self->is_arranging = was_arranging;
}

/* ---- Headings, by pointer and by keys ---- */

GtkWidget *
scope_summary_pick_heading (ScopeSummary *self, double x, double y, guint *column)
{
  GtkWidget *picked = gtk_widget_pick (self->table, x, y, GTK_PICK_DEFAULT);

  for (guint i = 0; picked != NULL && i < self->columns->len; i++)
    {
      GtkWidget *heading = scope_summary_get_heading (self, i);

      if (heading != NULL && (picked == heading || gtk_widget_is_ancestor (picked, heading)))
        {
          *column = i;
          return heading;
        }
    }
  return NULL;
}

static gboolean
change_width (ScopeSummary *self, guint column, GtkWidget *heading, int step)
{
  int width = MAX (gtk_widget_get_width (heading) + step, LEAST_WIDTH);

  gtk_column_view_column_set_fixed_width (get_view_column (self, column), width);
  return GDK_EVENT_STOP;
}

static gboolean
go_beside (ScopeSummary *self,
           guint column,
           GtkWidget *heading,
           GdkModifierType modifiers,
           gboolean left)
{
  GtkWidget *beside =
      left ? gtk_widget_get_prev_sibling (heading) : gtk_widget_get_next_sibling (heading);

  if (modifiers == GDK_SHIFT_MASK)
    return change_width (self, column, heading, left ? -WIDTH_STEP : WIDTH_STEP);
  if (modifiers == GDK_CONTROL_MASK)
    {
      scope_summary_move_column (self, column, left ? -1 : 1);
      gtk_widget_grab_focus (scope_summary_get_heading (self, column));
      return GDK_EVENT_STOP;
    }
  if (modifiers != 0)
    return GDK_EVENT_PROPAGATE;
  if (beside != NULL)
    gtk_widget_grab_focus (beside);
  return GDK_EVENT_STOP;
}

static gboolean
heading_key_cb (GtkEventControllerKey *controller,
                guint key,
                guint code,
                GdkModifierType state,
                ScopeSummary *self)
{
  GtkWidget *heading = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  guint column;

  for (column = 0; column < self->columns->len; column++)
    if (scope_summary_get_heading (self, column) == heading)
      break;
  if (column == self->columns->len)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      scope_summary_cycle_sort (self, column);
      return GDK_EVENT_STOP;
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      return go_beside (self, column, heading, modifiers, TRUE);
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      return go_beside (self, column, heading, modifiers, FALSE);
    case GDK_KEY_Menu:
    case GDK_KEY_F10:
      if (key == GDK_KEY_F10 && modifiers != GDK_SHIFT_MASK)
        return GDK_EVENT_PROPAGATE;
      scope_summary_popup_column_menu (self, heading, column);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

gboolean
scope_summary_focus_heading (ScopeSummary *self)
{
  GtkWidget *heading = gtk_widget_get_first_child (gtk_widget_get_first_child (self->table));

  return heading != NULL && gtk_widget_grab_focus (heading);
}

/* ---- What is shown ---- */

/* GTK 4.8 has headings for the pointer alone, and no property for where their titles stand: a
 * heading is a box with its label. */
static void
prepare_heading (ScopeSummary *self, guint column)
{
  guint n;
  const ScopeColumn *its = &scope_summary_get_columns (&n)[column];
  GtkWidget *heading = scope_summary_get_heading (self, column);
  GtkWidget *box = gtk_widget_get_first_child (heading);
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_set_focusable (heading, TRUE);
  scope_access_name (heading, _ (its->title));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (heading_key_cb), self);
  gtk_widget_add_controller (heading, keys);
  if (!its->is_number)
    return;
  /* Over the numbers, which stand at the right. */
  gtk_widget_set_direction (box, GTK_TEXT_DIR_RTL); /* the arrow of the order before the title */
  gtk_widget_set_halign (box, GTK_ALIGN_START);     /* which, so turned, is the right */
}

/* GTK 4.8 gives the last place to the cells of a column that comes, wherever it is put. */
static void
show_column (ScopeSummary *self, guint column, guint position)
{
  GtkColumnView *table = GTK_COLUMN_VIEW (self->table);
  GtkColumnViewColumn *view_column = get_view_column (self, column);
  gboolean is_new = !is_in_table (self, view_column);
  g_autoptr (GtkColumnViewColumn) there = NULL;

  if (is_new)
    gtk_column_view_append_column (table, view_column);
  there = g_list_model_get_item (gtk_column_view_get_columns (table), position);
  if (there != view_column)
    gtk_column_view_insert_column (table, position, view_column);
  if (is_new)
    prepare_heading (self, column);
}

/* What room is left goes to the first column where the one for it is hidden: rows end where the
 * pane does. */
static void
choose_expanding (ScopeSummary *self)
{
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n), *first = self->naming;

  for (guint i = 0; i < n; i++)
    if (columns[i].expands && is_in_table (self, get_view_column (self, i)))
      first = NULL;
  for (guint i = 0; i < n; i++)
    gtk_column_view_column_set_expand (get_view_column (self, i),
                                       columns[i].expands || &columns[i] == first);
}

/* A column that is hidden would have cells all the same, made and laid out in every row, and of
 * most columns nothing is shown: they are taken out. */
static void
arrange (ScopeSummary *self)
{
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  self->naming = NULL;
  self->n_shown = 0;
  for (guint i = 0; i < self->places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (self->places, ScopeColumnPlace, i);
      GtkColumnViewColumn *view_column = get_view_column (self, place->column);

      if (is_shown (self, place))
        {
          show_column (self, place->column, self->n_shown++);
          if (self->naming == NULL)
            self->naming = &columns[place->column];
        }
      else if (is_in_table (self, view_column))
        {
          gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->table), view_column);
        }
      gtk_column_view_column_set_fixed_width (view_column, place->width_px);
    }
  choose_expanding (self);
}

void
scope_summary_show_columns (ScopeSummary *self)
{
  self->is_arranging = TRUE;
  if (self->saving == 0)
    {
      g_clear_pointer (&self->places, g_array_unref);
      self->places = scope_columns_parse (scope_settings_get_columns (self->settings));
    }
  scope_summary_choose_starring (self);
  scope_summary_find_room (self);
  arrange (self);
  self->is_arranging = FALSE;
  scope_summary_hold_headings (self);
  scope_summary_show_sort (self);
  scope_summary_refresh_cells (self);
}

/* ---- In the beginning ---- */

static void
add_column (ScopeSummary *self, const ScopeColumn *column)
{
  GtkColumnViewColumn *view_column =
      gtk_column_view_column_new (_ (column->title), scope_summary_create_factory (self, column));
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_cb, view_column, NULL));

  g_object_set_data (G_OBJECT (view_column), "summary", self);
  gtk_column_view_column_set_sorter (view_column, sorter);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_expand (view_column, column->expands);
  g_signal_connect_object (view_column, "notify::fixed-width", G_CALLBACK (width_cb), self,
                           G_CONNECT_SWAPPED);
  g_ptr_array_add (self->columns, view_column);
}

void
scope_summary_add_columns (ScopeSummary *self)
{
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  self->columns = g_ptr_array_new_with_free_func (g_object_unref);
  self->places = scope_columns_parse (NULL);
  for (guint i = 0; i < n; i++)
    add_column (self, &columns[i]);
  gtk_column_view_set_reorderable (GTK_COLUMN_VIEW (self->table), TRUE);
  gtk_widget_set_can_focus (gtk_widget_get_first_child (self->table), TRUE);
  g_signal_connect_object (gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->table)),
                           "items-changed", G_CALLBACK (order_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->table)), "changed",
                           G_CALLBACK (sorter_changed_cb), self, G_CONNECT_SWAPPED);
}
