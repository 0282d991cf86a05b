/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view-private.h"

#include <string.h>

#define GAP 2
#define MAX_WIDTH 240 /* what is longer stands out */

typedef struct {
  char **texts; /* row by row */
  glong *widths;
  guint n_columns, n_rows;
} Grid;

/* Numbers stand below each other, whether a star follows or not. */
static void
align_stars (Grid *self, guint column)
{
  gboolean has_stars = FALSE;

  for (guint r = 0; r < self->n_rows; r++)
    has_stars |= g_str_has_suffix (self->texts[(gsize) r * self->n_columns + column], "*");
  for (guint r = 0; r < self->n_rows && has_stars; r++)
    {
      char **text = &self->texts[(gsize) r * self->n_columns + column];
      g_autofree char *plain = *text;

      *text = g_strconcat (plain, g_str_has_suffix (plain, "*") ? "" : " ", NULL);
      self->widths[column] = MAX (self->widths[column], g_utf8_strlen (*text, -1));
    }
}

static void
grid_init (Grid *self, const SymSummaryView *view)
{
  self->n_columns = sym_summary_view_get_n_columns (view);
  self->n_rows = sym_summary_view_get_n_rows (view);
  self->texts = g_new0 (char *, (gsize) self->n_rows * self->n_columns + 1);
  self->widths = g_new0 (glong, self->n_columns + 1);
  for (guint c = 0; c < self->n_columns; c++)
    self->widths[c] = g_utf8_strlen (sym_summary_view_get_column (view, c)->title, -1);
  for (guint r = 0; r < self->n_rows; r++)
    for (guint c = 0; c < self->n_columns; c++)
      {
        char *text = sym_summary_format_cell (view, r, c);

        self->texts[(gsize) r * self->n_columns + c] = text;
        self->widths[c] = MAX (self->widths[c], MIN (g_utf8_strlen (text, -1), MAX_WIDTH));
      }
  for (guint c = 0; c < self->n_columns; c++)
    if (strcmp (sym_summary_view_get_column (view, c)->name, "number") == 0)
      align_stars (self, c);
}

static void
grid_clear (Grid *self)
{
  g_strfreev (self->texts);
  g_free (self->widths);
}

static void
append_spaces (GString *out, glong n)
{
  for (glong i = 0; i < n; i++)
    g_string_append_c (out, ' ');
}

/* No spaces at the end of a line. */
static void
append_padded (GString *out, const char *text, glong width, gboolean to_right, gboolean is_last)
{
  glong missing = width - g_utf8_strlen (text, -1);

  if (to_right)
    append_spaces (out, missing);
  g_string_append (out, text);
  if (is_last)
    return;
  append_spaces (out, to_right ? GAP : MAX (missing, 0) + GAP);
}

static void
end_line (GString *out)
{
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void
append_line (const SymSummaryView *view, const Grid *grid, char *const *texts, GString *out)
{
  for (guint c = 0; c < grid->n_columns; c++)
    {
      const SymColumnInfo *info = sym_summary_view_get_column (view, c);

      append_padded (out, texts != NULL ? texts[c] : info->title, grid->widths[c], info->is_number,
                     c + 1 == grid->n_columns);
    }
  end_line (out);
}

static void
append_rule (const Grid *grid, char mark, GString *out)
{
  glong width = -GAP;

  for (guint c = 0; c < grid->n_columns; c++)
    width += grid->widths[c] + GAP;
  for (glong i = 0; i < width; i++)
    g_string_append_c (out, mark);
  g_string_append_c (out, '\n');
}

void
sym_summary_write_text (const SymSummaryView *view, GString *out)
{
  Grid grid;

  grid_init (&grid, view);
  append_line (view, &grid, NULL, out);
  append_rule (&grid, '=', out);
  for (guint r = 0; r < grid.n_rows; r++)
    append_line (view, &grid, grid.texts + (gsize) r * grid.n_columns, out);
  append_rule (&grid, '=', out);
  sym_summary_append_view_totals (view, out);
  grid_clear (&grid);
}
