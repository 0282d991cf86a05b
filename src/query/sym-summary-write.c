/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view-private.h"

#include <string.h>

static const char *const names[] = {
  [SYM_TABLE_TEXT] = "text",   [SYM_TABLE_MARKDOWN] = "markdown", [SYM_TABLE_CSV] = "csv",
  [SYM_TABLE_LATEX] = "latex", [SYM_TABLE_JSON] = "json",
};

gboolean
sym_table_format_from_string (const char *name, SymTableFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], name) == 0)
      {
        *format = (SymTableFormat) i;
        return TRUE;
      }
  return FALSE;
}

/* ---- Cells as texts ---- */

/* The first column of a tree that is a text is indented. */
static gboolean
is_tree_column (const SymSummaryView *view, guint column)
{
  for (guint i = 0; i < column; i++)
    if (!sym_summary_view_get_column (view, i)->is_number)
      return FALSE;
  return view->tree != NULL && !sym_summary_view_get_column (view, column)->is_number;
}

/* Multiply-adds in full would be as wide as the rest of the row. */
char *
sym_summary_format_cell (const SymSummaryView *view, guint row, guint column)
{
  SymCell cell = sym_summary_view_get_cell (view, row, column);
  gboolean is_large = cell.kind == SYM_CELL_COUNT &&
                      strcmp (sym_summary_view_get_column (view, column)->name, "macs") == 0;
  char *text = is_large ? sym_count_to_short_string (cell.count) : sym_cell_to_string (&cell);

  sym_cell_clear (&cell);
  if (is_tree_column (view, column))
    {
      g_autofree char *plain = text;
      g_autofree char *indent = g_strnfill (2 * sym_summary_view_get_row (view, row).level, ' ');

      text = g_strconcat (indent, plain, NULL);
    }
  return text;
}

/* ---- Totals ---- */

static void
append_count (GString *out, const char *what, SymCount count)
{
  g_autofree char *text = sym_count_to_string (count);

  g_string_append_printf (out, "%s: %s\n", what, text);
}

static void
append_readable (GString *out, const char *what, SymCount count, gboolean is_bytes)
{
  g_autofree char *full = sym_count_to_string (count);
  g_autofree char *text =
      is_bytes ? sym_count_to_bytes_string (count) : sym_count_to_short_string (count);

  g_string_append_printf (out, strcmp (full, "?") == 0 ? "%s: %s\n" : "%s: %s (%s)\n", what,
                          is_bytes ? text : full, is_bytes ? full : text);
}

void
sym_summary_append_view_totals (const SymSummaryView *view, GString *out)
{
  SymSummaryViewTotals totals = sym_summary_view_get_totals (view);
  SymTotals *all = &totals.parameters;

  append_count (out, "Total params", (SymCount){ all->total, all->known });
  append_count (out, "Trainable params", (SymCount){ all->trainable, all->known });
  append_count (out, "Non-trainable params", (SymCount){ all->non_trainable, all->known });
  append_readable (out, "Params size", (SymCount){ all->bytes, all->bytes_known }, TRUE);
  if (totals.has_figures)
    {
      append_readable (out, "Total mult-adds", totals.figures.multiply_adds, FALSE);
      append_readable (out, "Activations size", totals.figures.activation_bytes, TRUE);
      append_readable (out, "Peak activations size", totals.figures.peak_bytes, TRUE);
      if (totals.figures.taken != NULL)
        g_string_append_printf (out, "Counted with 1 for: %s\n", totals.figures.taken);
    }
  if (totals.milliseconds >= 0)
    {
      SymCell time = { .kind = SYM_CELL_NUMBER, .number = totals.milliseconds };
      g_autofree char *text = sym_cell_to_string (&time);

      g_string_append_printf (out, "Total time: %s ms\n", text);
    }
}

void
sym_summary_write_indented (GString *out,
                            const char *text,
                            const char *indent,
                            void (*append) (GString *out, const char *text))
{
  for (; g_str_has_prefix (text, "  "); text += 2)
    g_string_append (out, indent);
  append (out, text);
}

char *
sym_summary_view_write (const SymSummaryView *self, SymTableFormat format)
{
  static void (*const writers[]) (const SymSummaryView *view, GString *out) = {
    [SYM_TABLE_TEXT] = sym_summary_write_text, [SYM_TABLE_MARKDOWN] = sym_summary_write_markdown,
    [SYM_TABLE_CSV] = sym_summary_write_csv,   [SYM_TABLE_LATEX] = sym_summary_write_latex,
    [SYM_TABLE_JSON] = sym_summary_write_json,
  };
  GString *out = g_string_new (NULL);

  writers[format](self, out);
  return g_string_free (out, FALSE);
}
