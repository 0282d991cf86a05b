/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view-private.h"

static void
append_escaped (GString *out, const char *text)
{
  static const struct {
    char c;
    const char *text;
  } escapes[] = {
    { '&', "\\&" },
    { '%', "\\%" },
    { '$', "\\$" },
    { '#', "\\#" },
    { '_', "\\_" },
    { '{', "\\{" },
    { '}', "\\}" },
    { '~', "\\textasciitilde{}" },
    { '^', "\\textasciicircum{}" },
    { '\\', "\\textbackslash{}" },
    { '<', "\\textless{}" },
    { '>', "\\textgreater{}" },
    { '|', "\\textbar{}" },
    { '"', "\\textquotedbl{}" },
    { '-', "{-}" }, /* no dash of two */
    { '[', "{[}" }, /* no option of the line before */
    { '*', "{*}" },
    { '\n', " " },
  };

  for (; *text != '\0'; text++)
    {
      guint i = 0;

      while (i < G_N_ELEMENTS (escapes) && escapes[i].c != *text)
        i++;
      if (i < G_N_ELEMENTS (escapes))
        g_string_append (out, escapes[i].text);
      else
        g_string_append_c (out, *text);
    }
}

void
sym_summary_write_latex (const SymSummaryView *view, GString *out)
{
  guint n = sym_summary_view_get_n_columns (view);
  g_autoptr (GString) totals = g_string_new (NULL);

  g_string_append (out, "\\begin{tabular}{");
  for (guint c = 0; c < n; c++)
    g_string_append_c (out, sym_summary_view_get_column (view, c)->is_number ? 'r' : 'l');
  g_string_append (out, "}\n\\hline\n");
  for (guint c = 0; c < n; c++)
    {
      append_escaped (out, sym_summary_view_get_column (view, c)->title);
      g_string_append (out, c + 1 < n ? " & " : " \\\\\n");
    }
  g_string_append (out, "\\hline\n");
  for (guint r = 0; r < sym_summary_view_get_n_rows (view); r++)
    for (guint c = 0; c < n; c++)
      {
        g_autofree char *text = sym_summary_format_cell (view, r, c);

        sym_summary_write_indented (out, text, "\\quad ", append_escaped);
        g_string_append (out, c + 1 < n ? " & " : " \\\\\n");
      }
  g_string_append (out, "\\hline\n\\end{tabular}\n\n");
  sym_summary_append_view_totals (view, totals);
  for (char **line = g_strsplit (totals->str, "\n", -1), **all = line;; line++)
    {
      if (*line == NULL)
        {
          g_strfreev (all);
          break;
        }
      append_escaped (out, *line);
      g_string_append (out, **line != '\0' && line[1] != NULL && *line[1] != '\0' ? "\\\\\n" : "");
    }
  g_string_append_c (out, '\n');
}
