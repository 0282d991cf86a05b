/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <glib/gi18n.h>

#include "app/scope-copying.h"

/* The selected rows as they stand in the table, as other tables take them: a tabulator between
 * cells, a line each.  They may be 100,000, so a thread writes them. */
typedef struct {
  SymSummaryView *view;
  GArray *rows;       /* of guint */
  GPtrArray *columns; /* of const ScopeColumn, from left to right */
} Rows;

static void
rows_free (gpointer data)
{
  Rows *self = data;

  sym_summary_view_unref (self->view);
  g_array_unref (self->rows);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

static GArray *
list_rows (ScopeSummary *self)
{
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint));
  GtkBitsetIter iter;
  guint position;

  for (gboolean is_there = gtk_bitset_iter_init_first (&iter, selected, &position); is_there;
       is_there = gtk_bitset_iter_next (&iter, &position))
    {
      guint row = scope_row_list_get_row (self->rows, position);

      g_array_append_val (rows, row);
    }
  return rows;
}

static GPtrArray *
list_columns (ScopeSummary *self)
{
  GListModel *shown = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->table));
  GPtrArray *columns = g_ptr_array_new ();
  guint n, column;
  const ScopeColumn *all = scope_summary_get_columns (&n);

  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (GtkColumnViewColumn) item = g_list_model_get_item (shown, i);

      if (g_ptr_array_find (self->columns, item, &column))
        g_ptr_array_add (columns, (gpointer) &all[column]);
    }
  return columns;
}

/* A name may have anything in it. */
static void
append_cell (GString *text, char *take_cell)
{
  g_autofree char *cell = g_strdelimit (take_cell, "\t\r\n", ' ');

  g_string_append (text, cell);
}

static void
write_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Rows *self = task_data;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->rows->len; i++)
    for (guint k = 0; k < self->columns->len; k++)
      {
        append_cell (text,
                     scope_summary_tell_cell (self->view, g_array_index (self->rows, guint, i),
                                              self->columns->pdata[k]));
        g_string_append_c (text, k + 1 < self->columns->len ? '\t' : '\n');
      }
  g_task_return_pointer (task, g_string_free (text, FALSE), g_free);
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ScopeCopying) copying = user_data;
  const Rows *rows = g_task_get_task_data (G_TASK (result));
  guint n = rows->rows->len;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autofree char *message = g_strdup_printf (ngettext ("Copied %u row", "Copied %u rows", n), n);

  if (scope_copying_is_overtaken (copying))
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (source)), text);
  gtk_widget_activate_action (GTK_WIDGET (source), "win.show-message", "s", message);
}

void
scope_summary_copy_rows (ScopeSummary *self)
{
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  g_autoptr (GArray) selected = list_rows (self);

  if (view == NULL || selected->len == 0)
    return;
  g_autoptr (GTask) task =
      g_task_new (self, NULL, written_cb, scope_copying_new (GTK_WIDGET (self)));
  Rows *rows = g_new0 (Rows, 1);

  rows->view = sym_summary_view_ref (view);
  rows->rows = g_array_ref (selected);
  rows->columns = list_columns (self);
  g_task_set_source_tag (task, scope_summary_copy_rows);
  g_task_set_task_data (task, rows, rows_free);
  g_task_run_in_thread (task, write_thread);
}
