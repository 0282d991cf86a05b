/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view-private.h"

#include <math.h>
#include <string.h>

#define MOST_PLACES 9 /* of a number below 1 */

/* ---- Rows ---- */

typedef struct {
  SymSummaryView *view;
  SymQueryResult *filter;
  guint8 *passes; /* by row: whether it is among those asked for; NULL: all are */
  guint *places;  /* by group: its row among the rows, from 1; 0 for none yet */
} Collector;

static void
append_row (Collector *self, SymSummaryViewRow row)
{
  g_array_append_val (self->view->rows, row);
}

static guint
get_level (const Collector *self, guint group)
{
  if (group == SYM_NO_GROUP)
    return 0;
  return g_array_index (self->view->rows, SymSummaryViewRow, self->places[group] - 1).level + 1;
}

static void
read_only (Collector *self, const SymIds *only)
{
  if (only == NULL)
    return;
  self->passes = g_new0 (guint8, sym_summary_get_n_rows (self->view->summary) + 1);
  for (guint i = 0; i < only->n; i++)
    {
      guint row = sym_summary_find_row (self->view->summary, only->ids[i]);

      if (row > 0)
        self->passes[row - 1] = TRUE;
    }
}

/* The group and those around it, from outside in. */
static void
open_group (Collector *self, guint group)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint));

  for (; group != SYM_NO_GROUP && self->places[group] == 0;
       group = sym_groups_get (self->view->tree, group)->parent)
    g_array_append_val (path, group);
  for (guint i = path->len; i-- > 0;)
    {
      guint inner = g_array_index (path, guint, i);

      append_row (self, (SymSummaryViewRow){
                            G_MAXUINT, inner,
                            get_level (self, sym_groups_get (self->view->tree, inner)->parent) });
      self->places[inner] = self->view->rows->len;
    }
}

static void
append_value (Collector *self, SymId value, guint group)
{
  guint row = sym_summary_find_row (self->view->summary, value);

  if (row == 0 || (self->passes != NULL && !self->passes[row - 1]) ||
      (self->filter != NULL && !sym_query_result_has_value (self->filter, value)))
    return;
  if (group != SYM_NO_GROUP)
    open_group (self, group);
  append_row (self, (SymSummaryViewRow){ row - 1, SYM_NO_GROUP, get_level (self, group) });
}

/* Inputs first, then the results of calls in the order that groups are parts of. */
static void
collect_tree (Collector *self)
{
  SymIds values = sym_model_get_rows (self->view->model);
  SymIds order = sym_groups_get_order (self->view->tree);

  self->places = g_new0 (guint, sym_groups_get_n (self->view->tree) + 1);
  for (guint i = 0; i < values.n; i++)
    if (sym_model_get_producer (self->view->model, values.ids[i]) == SYM_NO_ID)
      append_value (self, values.ids[i], SYM_NO_GROUP);
  for (guint i = 0; i < order.n; i++)
    {
      SymIds results = sym_model_get_results (self->view->model, order.ids[i]);
      guint group = sym_groups_find_call (self->view->tree, order.ids[i]);

      for (guint k = 0; k < results.n; k++)
        append_value (self, results.ids[k], group);
    }
  g_free (self->places);
}

static void
collect_rows (Collector *self)
{
  SymIds values = sym_model_get_rows (self->view->model);

  for (guint i = 0; i < values.n; i++)
    append_value (self, values.ids[i], SYM_NO_GROUP);
}

/* What follows on deeper levels is within. */
static void
count_within (SymSummaryView *self)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  SymSummaryViewRow *rows = (SymSummaryViewRow *) (gpointer) self->rows->data;

  for (guint i = 0; i <= self->rows->len; i++)
    {
      guint level = i < self->rows->len ? rows[i].level : 0;

      while (open->len > level)
        {
          guint outer = g_array_index (open, guint, open->len - 1);

          rows[outer].n_within = i - outer - 1;
          g_array_set_size (open, open->len - 1);
        }
      if (i < self->rows->len && rows[i].group != SYM_NO_GROUP)
        g_array_append_val (open, i);
    }
}

/* ---- The view ---- */

static gboolean
needs_figures (const SymSummaryViewOptions *options)
{
  gboolean needed =
      options->sort >= 0 && sym_column_get ((guint) options->sort)->info.needs_figures;

  for (guint i = 0; i < options->n_columns; i++)
    needed |= sym_column_get (options->columns[i])->info.needs_figures;
  return needed;
}

static void
add_times (SymSummaryView *self, const double *milliseconds)
{
  guint n = sym_model_get_n_calls (self->model);

  self->all_milliseconds = -1;
  if (milliseconds == NULL)
    return;
  self->milliseconds = g_memdup2 (milliseconds, n * sizeof (double));
  self->all_milliseconds = 0;
  for (SymId call = 0; call < n; call++)
    if (sym_model_has_call (self->model, call) && milliseconds[call] > 0)
      self->all_milliseconds += milliseconds[call];
}

static gboolean
add_figures (SymSummaryView *self,
             const SymSummaryViewOptions *options,
             GCancellable *cancellable,
             GError **error)
{
  if (options->figures != NULL)
    self->figures = sym_figures_ref (options->figures);
  else if (needs_figures (options))
    self->figures = sym_figures_new (self->inference, cancellable, error);
  return self->figures != NULL || !needs_figures (options);
}

SymSummaryView *
sym_summary_view_new (SymSummary *summary,
                      const SymSummaryViewOptions *options,
                      GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (SymSummaryView) self = g_new0 (SymSummaryView, 1);
  Collector collector = { self, options->filter, NULL, NULL };

  g_atomic_ref_count_init (&self->ref_count);
  self->summary = sym_summary_ref (summary);
  self->inference = sym_summary_get_inference (summary);
  self->model = sym_inference_get_model (self->inference);
  self->tree = options->tree == NULL ? NULL : sym_groups_ref (options->tree);
  self->columns = g_memdup2 (options->columns, options->n_columns * sizeof (guint));
  self->n_columns = options->n_columns;
  self->rows = g_array_new (FALSE, TRUE, sizeof (SymSummaryViewRow));
  add_times (self, options->milliseconds);
  if (options->changes != NULL)
    self->changes = g_memdup2 (options->changes, sym_model_get_n_calls (self->model));
  if (options->differences != NULL)
    self->differences =
        g_memdup2 (options->differences, sym_model_get_n_values (self->model) * sizeof (double));
  if (!add_figures (self, options, cancellable, error))
    return NULL;
  read_only (&collector, options->only);
  if (self->tree != NULL)
    collect_tree (&collector);
  else
    collect_rows (&collector);
  g_free (collector.passes);
  count_within (self);
  if (options->sort >= 0)
    sym_summary_view_sort (self, (guint) options->sort, options->descends, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

SymSummaryView *
sym_summary_view_ref (SymSummaryView *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_summary_view_unref (SymSummaryView *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->tree, sym_groups_unref);
  g_clear_pointer (&self->figures, sym_figures_unref);
  g_array_unref (self->rows);
  g_free (self->columns);
  g_free (self->milliseconds);
  g_free (self->changes);
  g_free (self->differences);
  sym_summary_unref (self->summary);
  g_free (self);
}

SymSummary *
sym_summary_view_get_summary (const SymSummaryView *self)
{
  return self->summary;
}

guint
sym_summary_view_get_n_columns (const SymSummaryView *self)
{
  return self->n_columns;
}

const SymColumnInfo *
sym_summary_view_get_column (const SymSummaryView *self, guint column)
{
  g_return_val_if_fail (column < self->n_columns, NULL);

  return &sym_column_get (self->columns[column])->info;
}

guint
sym_summary_view_get_n_rows (const SymSummaryView *self)
{
  return self->rows->len;
}

SymSummaryViewRow
sym_summary_view_get_row (const SymSummaryView *self, guint i)
{
  g_return_val_if_fail (i < self->rows->len, ((SymSummaryViewRow){ G_MAXUINT, SYM_NO_GROUP }));

  return g_array_index (self->rows, SymSummaryViewRow, i);
}

SymGroups *
sym_summary_view_get_tree (const SymSummaryView *self)
{
  return self->tree;
}

SymSummaryViewTotals
sym_summary_view_get_totals (const SymSummaryView *self)
{
  SymSummaryViewTotals totals = { .parameters = sym_summary_get_totals (self->summary),
                                  .has_figures = self->figures != NULL,
                                  .milliseconds = self->all_milliseconds };

  if (self->figures != NULL)
    totals.figures = sym_figures_get_totals (self->figures);
  return totals;
}

/* ---- Cells ---- */

SymCell
sym_summary_view_get_cell (const SymSummaryView *self, guint row, guint column)
{
  SymCell cell = { .kind = SYM_CELL_EMPTY };

  g_return_val_if_fail (row < self->rows->len && column < self->n_columns, cell);

  sym_column_fill (self, self->columns[column], &g_array_index (self->rows, SymSummaryViewRow, row),
                   &cell);
  return cell;
}

void
sym_cell_clear (SymCell *self)
{
  g_clear_pointer (&self->text, g_free);
}

/* Three places, or as many as show two digits of less: operators may take nanoseconds.  Without
 * zeros at the end. */
static char *
format_number (double number)
{
  char format[8], digits[64];
  int n_places = 3;
  gsize length;

  for (double n = fabs (number); n > 0 && n < 0.01 && n_places < MOST_PLACES; n *= 10)
    n_places++;
  g_snprintf (format, sizeof format, "%%.%df", n_places);
  g_ascii_formatd (digits, sizeof digits, format, number);
  for (length = strlen (digits); digits[length - 1] == '0'; length--)
    digits[length - 1] = '\0';
  if (digits[length - 1] == '.')
    digits[length - 1] = '\0';
  return g_strdup (digits);
}

char *
sym_cell_to_string (const SymCell *self)
{
  g_auto (GStrv) items = NULL;
  g_autofree char *list = NULL;

  switch (self->kind)
    {
    case SYM_CELL_COUNT:
      return self->text != NULL ? g_strdup (self->text) : sym_count_to_string (self->count);
    case SYM_CELL_BYTES:
      return sym_count_to_bytes_string (self->count);
    case SYM_CELL_NUMBER:
      return format_number (self->number);
    case SYM_CELL_LIST:
      items = g_strsplit (self->text, SYM_CELL_SEPARATOR, -1);
      list = g_strjoinv (", ", items);
      return self->n_more == 0 ? g_steal_pointer (&list)
                               : g_strdup_printf ("%s, and %u more", list, self->n_more);
    case SYM_CELL_TEXT:
    case SYM_CELL_SHAPE:
      return g_strdup (self->text);
    case SYM_CELL_EMPTY:
      break;
    }
  return g_strdup ("");
}
