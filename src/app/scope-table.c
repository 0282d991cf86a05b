/* SPDX-License-Identifier: MIT */
#include "app/scope-table.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/scope-access.h"
#include "app/scope-bound.h"
#include "app/scope-direction.h"
#include "app/scope-elided.h"
#include "app/scope-row.h"
#include "app/scope-text.h"
#include "core/sym-slice.h"

#define N_ROWS 1000 /* on a page; GTK's lists are measured in pixels, which end */
#define N_COLUMNS 10
#define N_LOOKED_AT 100 /* rows that a width is taken from */
#define FLOAT_TEXT "-0.00954095125"
#define DOUBLE_TEXT "-0.009540951251983643"
#define CELL_PADDING 20 /* pixels, of the last column */

struct _ScopeTable {
  AdwWindow parent_instance;

  SymDatum *datum;
  SymSlice slice;
  guint64 first_row, first_column;
  GListStore *rows; /* of ScopeRow: places on the page */
  GCancellable *cancellable;

  GtkWidget *heading;
  GtkWidget *places;
  GtkWidget *stack;
  GtkWidget *message;
  GtkWidget *table;
};

G_DEFINE_FINAL_TYPE (ScopeTable, scope_table, ADW_TYPE_WINDOW)

/* ---- Cells: -1 for the column that numbers the rows ---- */

#define COLUMN_KEY "symscope-column"

static char *
get_text (ScopeTable *self, guint row, int column)
{
  guint64 index = self->first_row + row;

  if (column < 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, index);
  if (index >= self->slice.n_rows || self->first_column + (guint) column >= self->slice.n_columns)
    return g_strdup ("");
  return sym_array_format_element (
      sym_datum_get_array (self->datum),
      (gsize) sym_slice_get_index (&self->slice, index, self->first_column + (guint) column));
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  scope_elided_tell (label);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (ScopeTable *self, GtkListItem *item, GtkSignalListItemFactory *factory)
{
  int column = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), COLUMN_KEY));
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text =
      get_text (self, scope_row_get_index (gtk_list_item_get_item (item)), column);

  gtk_label_set_text (GTK_LABEL (label), text);
  if (column < 0)
    {
      gtk_widget_add_css_class (label, "dim-label");
      scope_access_name_row (label, text);
    }
}

/* ---- Columns ---- */

static int
measure (ScopeTable *self, const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->table, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width + CELL_PADDING;
}

/* What any number of the type may need, and the longest of those that come first. */
static int
measure_cells (ScopeTable *self, guint n_columns)
{
  SymDType dtype = sym_datum_get_array (self->datum)->dtype;
  guint n_rows = (guint) MIN (self->slice.n_rows - self->first_row, N_LOOKED_AT);
  g_autofree char *longest = g_strdup (!sym_dtype_is_floating (dtype) ? "-1000"
                                       : dtype == SYM_DTYPE_FLOAT64   ? DOUBLE_TEXT
                                                                      : FLOAT_TEXT);

  for (guint i = 0; i < n_rows * n_columns; i++)
    {
      g_autofree char *text = get_text (self, i / n_columns, (int) (i % n_columns));

      if (strlen (text) > strlen (longest))
        {
          g_free (longest);
          longest = g_steal_pointer (&text);
        }
    }
  return measure (self, longest);
}

static int
measure_rows (ScopeTable *self)
{
  g_autofree char *last = g_strdup_printf ("%" G_GUINT64_FORMAT, self->slice.n_rows);

  return measure (self, last);
}

/* Where not all columns are in sight, these share the room such that the last of them is whole. */
static int
share_room (ScopeTable *self, int first, int width, guint n_columns)
{
  int room = gtk_widget_get_width (self->stack), height;

  if (room <= 0)
    gtk_window_get_default_size (GTK_WINDOW (self), &room, &height);
  int n_in_sight = MAX ((room - first) / width, 1);

  return (guint) n_in_sight < n_columns ? MAX ((room - first) / n_in_sight, width) : width;
}

static void
add_column (ScopeTable *self, int column, int width)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autofree char *title =
      column < 0 ? g_strdup ("")
                 : g_strdup_printf ("%" G_GUINT64_FORMAT, self->first_column + (guint) column);

  g_object_set_data (G_OBJECT (factory), COLUMN_KEY, GINT_TO_POINTER (column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, G_CONNECT_SWAPPED);
  g_autoptr (GtkColumnViewColumn) view_column = gtk_column_view_column_new (title, factory);

  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_fixed_width (view_column, width);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->table), view_column);
}

/* Headings stand over the ends of numbers.  GTK 4.8 has no property for it: a heading is a box in
 * the header's n-th child, and comes with the direction of the language. */
static void
align_headings (ScopeTable *self)
{
  GtkWidget *header = gtk_widget_get_first_child (self->table);

  scope_direction_keep_all (header);
  for (GtkWidget *heading = gtk_widget_get_first_child (header); heading != NULL;
       heading = gtk_widget_get_next_sibling (heading))
    if (gtk_widget_get_first_child (heading) != NULL)
      gtk_widget_set_halign (gtk_widget_get_first_child (heading), GTK_ALIGN_END);
}

static void
show_columns (ScopeTable *self)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->table));
  guint n = (guint) MIN (self->slice.n_columns - self->first_column, N_COLUMNS);

  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->table), column);
    }
  int first = measure_rows (self);
  int width = share_room (self, first, measure_cells (self, n), n);

  add_column (self, -1, first);
  for (guint i = 0; i < n; i++)
    add_column (self, (int) i, width);
  align_headings (self);
  scope_access_name_parts (self->table, _ ("Columns"), _ ("Numbers"));
}

/* New rows, so that every cell is asked for again. */
static void
show_rows (ScopeTable *self)
{
  guint n = (guint) MIN (self->slice.n_rows - self->first_row, N_ROWS);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (rows, scope_row_new (i));
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       rows->pdata, n);
}

/* ---- Places ---- */

static void
place_changed_cb (GtkSpinButton *spin, ScopeTable *self)
{
  int axis = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (spin), COLUMN_KEY));

  self->slice.at[axis] = (gint64) gtk_spin_button_get_value (spin);
  show_rows (self);
}

static void
row_changed_cb (GtkSpinButton *spin, ScopeTable *self)
{
  self->first_row = (guint64) gtk_spin_button_get_value (spin);
  show_rows (self);
}

static void
column_changed_cb (GtkSpinButton *spin, ScopeTable *self)
{
  self->first_column = (guint64) gtk_spin_button_get_value (spin);
  show_columns (self);
}

static GtkWidget *
add_place (ScopeTable *self, const char *title, guint64 n, guint step, GCallback changed_cb)
{
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *spin = gtk_spin_button_new_with_range (0, (double) (n - 1), step);

  gtk_widget_add_css_class (label, "dim-label");
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_connect (spin, "value-changed", changed_cb, self);
  gtk_box_append (GTK_BOX (self->places), label);
  gtk_box_append (GTK_BOX (self->places), spin);
  return spin;
}

static void
add_places (ScopeTable *self)
{
  for (int i = 0; i < self->slice.n_leading; i++)
    {
      g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT, self->slice.shape.dims[i]);
      g_autofree char *title = g_strdup_printf (_ ("Axis %d of %s"), i, size);

      if (self->slice.shape.dims[i] > 1)
        g_object_set_data (G_OBJECT (add_place (self, title, (guint64) self->slice.shape.dims[i], 1,
                                                G_CALLBACK (place_changed_cb))),
                           COLUMN_KEY, GINT_TO_POINTER (i));
    }
  if (self->slice.n_rows > N_ROWS)
    add_place (self, _ ("Rows from"), self->slice.n_rows, N_ROWS, G_CALLBACK (row_changed_cb));
  if (self->slice.n_columns > N_COLUMNS)
    add_place (self, _ ("Columns from"), self->slice.n_columns, N_COLUMNS,
               G_CALLBACK (column_changed_cb));
  gtk_widget_set_visible (gtk_widget_get_ancestor (self->places, GTK_TYPE_SCROLLED_WINDOW),
                          gtk_widget_get_first_child (self->places) != NULL);
}

/* ---- Loading ---- */

static gboolean
share_again_cb (GtkWidget *stack, GdkFrameClock *clock, gpointer self)
{
  if (gtk_widget_get_width (stack) <= 0)
    return G_SOURCE_CONTINUE;
  show_columns (self);
  return G_SOURCE_REMOVE;
}

static void
show_table (ScopeTable *self)
{
  const SymArray *array = sym_datum_get_array (self->datum);

  if (array == NULL || sym_array_get_n_elements (array) == 0)
    {
      gtk_label_set_text (GTK_LABEL (self->message), array == NULL ? _ ("Only tensors have a table")
                                                                   : _ ("It has no elements"));
      return;
    }
  sym_slice_init (&self->slice, &array->shape);
  add_places (self);
  show_columns (self);
  if (gtk_widget_get_width (self->stack) <= 0) /* how much room there is was guessed */
    gtk_widget_add_tick_callback (self->stack, share_again_cb, self, NULL);
  show_rows (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "table");
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeTable) self = user_data;
  g_autoptr (GError) error = NULL;
  SymDatum *datum = scope_value_load_finish (result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    {
      g_clear_pointer (&datum, sym_datum_unref);
      return;
    }
  self->datum = datum;
  if (datum != NULL)
    show_table (self);
  else
    gtk_label_set_text (GTK_LABEL (self->message), error->message);
}

/* ---- Class ---- */

static void
scope_table_dispose (GObject *object)
{
  ScopeTable *self = SCOPE_TABLE (object);

  g_cancellable_cancel (self->cancellable);
  G_OBJECT_CLASS (scope_table_parent_class)->dispose (object);
}

static void
scope_table_finalize (GObject *object)
{
  ScopeTable *self = SCOPE_TABLE (object);

  g_clear_pointer (&self->datum, sym_datum_unref);
  g_object_unref (self->cancellable);
  g_object_unref (self->rows);
  G_OBJECT_CLASS (scope_table_parent_class)->finalize (object);
}

#define BIND(child) gtk_widget_class_bind_template_child (widget_class, ScopeTable, child)

static void
scope_table_class_init (ScopeTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = scope_table_dispose;
  G_OBJECT_CLASS (klass)->finalize = scope_table_finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/symscope/Symscope/scope-table.ui");
  BIND (heading);
  BIND (places);
  BIND (stack);
  BIND (message);
  BIND (table);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
scope_table_init (ScopeTable *self)
{
  g_autoptr (GtkSelectionModel) selection = NULL;

  self->cancellable = g_cancellable_new ();
  self->rows = g_list_store_new (SCOPE_TYPE_ROW);
  gtk_widget_init_template (GTK_WIDGET (self));
  scope_direction_keep_all (self->stack);
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->rows))));
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->table), selection);
}

static char *
describe (const ScopeValue *value)
{
  SymType type = scope_value_get_type (value);
  g_autoptr (GString) text = g_string_new (sym_dtype_to_string (type.dtype));

  for (int i = 0; i < type.shape.rank; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "×" : " · ", type.shape.dims[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

ScopeTable *
scope_table_new (GtkWindow *parent, const ScopeValue *value, const char *name)
{
  g_return_val_if_fail (scope_value_is_there (value), NULL);

  g_autofree char *title = g_strdup_printf (_ ("Numbers of %s"), name);
  g_autofree char *subtitle = describe (value);
  ScopeTable *self = g_object_new (SCOPE_TYPE_TABLE, "transient-for", parent, "title", title, NULL);

  scope_bound (GTK_WINDOW (self), parent);
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->heading), title);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->heading), subtitle);
  gtk_widget_set_visible (gtk_widget_get_ancestor (self->places, GTK_TYPE_SCROLLED_WINDOW), FALSE);
  scope_value_load_async (value, self->cancellable, loaded_cb, g_object_ref (self));
  return self;
}
