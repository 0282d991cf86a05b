/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view-private.h"

#include <string.h>

static void
append_quoted (GString *out, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, '"');
}

static char *
format_full (const SymCell *cell)
{
  return cell->kind == SYM_CELL_BYTES ? sym_count_to_string (cell->count)
                                      : sym_cell_to_string (cell);
}

/* Groups are rows as well, by a column of levels that only trees have. */
void
sym_summary_write_csv (const SymSummaryView *view, GString *out)
{
  guint n = sym_summary_view_get_n_columns (view);

  if (view->tree != NULL)
    g_string_append (out, "Level,");
  for (guint c = 0; c < n; c++)
    {
      append_quoted (out, sym_summary_view_get_column (view, c)->title);
      g_string_append (out, c + 1 < n ? "," : "\r\n");
    }
  for (guint r = 0; r < sym_summary_view_get_n_rows (view); r++)
    {
      if (view->tree != NULL)
        g_string_append_printf (out, "%u,", sym_summary_view_get_row (view, r).level);
      for (guint c = 0; c < n; c++)
        {
          SymCell cell = sym_summary_view_get_cell (view, r, c);
          g_autofree char *text = format_full (&cell);

          append_quoted (out, text);
          g_string_append (out, c + 1 < n ? "," : "\r\n");
          sym_cell_clear (&cell);
        }
    }
}
