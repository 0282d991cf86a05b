/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

/* How wide columns are by themselves.  By texts as they are laid out: what fonts say of their digits
 * is not the same in every run, sometimes nothing. */

#define N_MEASURED 300 /* rows that a column's width is taken from */
#define N_DIGITS 10

static int
measure (PangoLayout *layout, const char *text)
{
  int width;

  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static int
measure_digits (PangoLayout *layout, int n)
{
  return (measure (layout, "0123456789") * n + N_DIGITS - 1) / N_DIGITS;
}

/* The widest of the first rows. */
static int
measure_rows (ScopeSummary *self, PangoLayout *layout, const ScopeColumn *column)
{
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  guint n = view != NULL ? MIN (sym_summary_view_get_n_rows (view), N_MEASURED) : 0;
  int width = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = scope_summary_format_cell (view, i, column);

      width = MAX (width, measure (layout, text));
    }
  return width;
}

/* The number of the last row, with the star of an output. */
static int
measure_number (ScopeSummary *self, PangoLayout *layout)
{
  SymSummary *summary = scope_document_get_summary (self->document);
  guint n = summary != NULL ? sym_summary_get_n_rows (summary) : 0;
  g_autofree char *last = g_strdup_printf ("%u★", n);

  return measure (layout, last);
}

static int
measure_column (ScopeSummary *self, const ScopeColumn *column)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->table, NULL);

  if (column->width == 0)
    return measure_number (self, layout);
  if (column->most == 0)
    return measure_digits (layout, column->width);
  return CLAMP (measure_rows (self, layout, column), measure_digits (layout, column->width),
                measure_digits (layout, column->most));
}

/* Other letters, or of another size.  Cells have those of the table; one that is not in it yet would have
 * to find out first. */
static void
look_at_font (ScopeSummary *self)
{
  PangoContext *context = gtk_widget_get_pango_context (self->table);
  guint font = pango_font_description_hash (pango_context_get_font_description (context));

  if (font != self->font)
    scope_summary_forget_widths (self);
  self->font = font;
}

int
scope_summary_get_width (ScopeSummary *self, const ScopeColumn *column)
{
  guint n;
  guint i = (guint) (column - scope_summary_get_columns (&n));

  look_at_font (self);
  if (self->widths == NULL)
    self->widths = g_new0 (int, n);
  if (self->widths[i] == 0)
    self->widths[i] = measure_column (self, column);
  return self->widths[i];
}

void
scope_summary_forget_widths (ScopeSummary *self)
{
  g_clear_pointer (&self->widths, g_free);
}
