/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view-private.h"

#include <string.h>

static void
append_marked (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (strchr ("|\\`*_<[]#", *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text == '\n' ? ' ' : *text);
    }
}

void
sym_summary_write_markdown (const SymSummaryView *view, GString *out)
{
  guint n = sym_summary_view_get_n_columns (view);

  for (guint c = 0; c < n; c++)
    {
      g_string_append (out, "| ");
      append_marked (out, sym_summary_view_get_column (view, c)->title);
      g_string_append_c (out, ' ');
    }
  g_string_append (out, "|\n");
  for (guint c = 0; c < n; c++)
    g_string_append (out, sym_summary_view_get_column (view, c)->is_number ? "| ---: " : "| --- ");
  g_string_append (out, "|\n");
  for (guint r = 0; r < sym_summary_view_get_n_rows (view); r++)
    {
      for (guint c = 0; c < n; c++)
        {
          g_autofree char *text = sym_summary_format_cell (view, r, c);

          g_string_append (out, "| ");
          sym_summary_write_indented (out, text, "&emsp;", append_marked);
          g_string_append_c (out, ' ');
        }
      g_string_append (out, "|\n");
    }
  g_string_append_c (out, '\n');
  sym_summary_append_view_totals (view, out);
}
