/* SPDX-License-Identifier: MIT */
#include "core/sym-python.h"
#include "core/sym-summary-private.h"

/* PyTorch Symbolic's SymbolicModel.summary(). */

static const char *const headers[] = { "", "Layer", "Output shape", "Params", "Parent", NULL };

static char *
format_parents (const SymSummaryRow *row, const char *path)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->n_parents; i++)
    g_string_append_printf (text, "%s%s%u", i == 0 ? "" : ",", path, row->parents[i]);
  return g_string_free (text, FALSE);
}

static void
fill_row (const SymSummary *summary,
          const SymSummaryRow *row,
          const char *prefix,
          const char *path,
          SymTable *table)
{
  const SymInference *inference = sym_summary_get_inference (summary);
  SymType type = sym_inference_get_type (inference, row->value);

  sym_table_take_cell (table,
                       g_strdup_printf ("%s%u%s", path, row->index, row->is_output ? "*" : ""));
  sym_table_take_cell (table, g_strconcat (prefix, sym_summary_get_label (summary, row), NULL));
  sym_table_take_cell (table,
                       sym_type_format_symbolic (&type, sym_inference_get_terms (inference)));
  sym_table_take_cell (table,
                       sym_summary_format_count (row->n_parameters, row->parameters_known, FALSE));
  sym_table_take_cell (table, format_parents (row, path));
}

static void
measure (const SymTable *table, glong *widths)
{
  for (guint c = 0; c < table->n_columns; c++)
    widths[c] = g_utf8_strlen (table->headers[c], -1);
  for (guint i = 0; i < table->cells->len; i++)
    {
      glong width = g_utf8_strlen (g_ptr_array_index (table->cells, i), -1);

      widths[i % table->n_columns] = MAX (widths[i % table->n_columns], width);
    }
}

static void
append_cell (GString *out, const char *text, glong width)
{
  g_string_append (out, text);
  for (glong i = g_utf8_strlen (text, -1); i < width + 3; i++)
    g_string_append_c (out, ' ');
}

static void
print (const SymSummary *summary, const SymTable *table, GString *out)
{
  glong widths[SYM_SUMMARY_MAX_COLUMNS];
  guint width = 0;

  measure (table, widths);
  for (guint c = 0; c < table->n_columns; c++)
    width += (guint) widths[c] + 3;

  sym_summary_append_rule (out, '_', width);
  for (guint c = 0; c < table->n_columns; c++)
    append_cell (out, table->headers[c], widths[c]);
  g_string_append_c (out, '\n');
  sym_summary_append_rule (out, '=', width);
  for (guint i = 0; i < table->cells->len; i++)
    {
      append_cell (out, g_ptr_array_index (table->cells, i), widths[i % table->n_columns]);
      if ((i + 1) % table->n_columns == 0)
        g_string_append_c (out, '\n');
    }
  sym_summary_append_rule (out, '=', width);
  sym_summary_append_totals (summary, out, FALSE);
  sym_summary_append_rule (out, '_', width);
}

const SymStyleClass sym_style_symbolic = {
  .name = "symbolic",
  .headers = headers,
  .fill_row = fill_row,
  .print = print,
};
