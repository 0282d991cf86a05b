/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"
#include "core/sym-python.h"
#include "core/sym-summary-private.h"
#include "core/sym-text.h"

#include <string.h>

/* PyTorch Symbolic's SymbolicModel.summary(). */

static const char *const headers[] = { "", "Layer", "Output shape", "Params", "Parent", NULL };

static void
append_parents (GString *out, const SymSummary *summary, SymIds parents, const char *path)
{
  gsize path_length = strlen (path);

  for (guint i = 0; i < parents.n; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      sym_text_append (out, path, path_length);
      sym_decimal_append_unsigned (out, sym_summary_find_row (summary, parents.ids[i]));
    }
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
  const char *label = sym_summary_get_label (summary, row);

  sym_text_append (table->text, path, strlen (path));
  sym_decimal_append_unsigned (table->text, row->index);
  if (row->is_output)
    g_string_append_c (table->text, '*');
  sym_table_end_cell (table);
  sym_text_append (table->text, prefix, strlen (prefix));
  sym_text_append (table->text, label, strlen (label));
  sym_table_end_cell (table);
  sym_type_append_symbolic (&type, sym_inference_get_terms (inference), table->text);
  sym_table_end_cell (table);
  sym_summary_append_count (table->text, row->n_parameters, row->parameters_known);
  sym_table_end_cell (table);
  append_parents (table->text, summary, row->parents, path);
  sym_table_end_cell (table);
}

static void
print (const SymSummary *summary, const SymTable *table, GString *out)
{
  gsize widths[SYM_SUMMARY_MAX_COLUMNS];
  guint width = 0;

  sym_table_measure (table, widths);
  for (guint c = 0; c < table->n_columns; c++)
    {
      widths[c] += 3;
      width += (guint) widths[c];
    }

  sym_text_reserve (out, (gsize) (sym_table_get_n_rows (table) + 8) * (width + 1));
  sym_summary_append_rule (out, '_', width);
  for (guint c = 0; c < table->n_columns; c++)
    sym_table_append_padded (out, table->headers[c], strlen (table->headers[c]), widths[c]);
  g_string_append_c (out, '\n');
  sym_summary_append_rule (out, '=', width);
  for (guint i = 0, c = 0; i < sym_table_get_n_cells (table); i++)
    {
      gsize length;
      const char *text = sym_table_get_text (table, i, &length);

      sym_table_append_padded (out, text, length, widths[c]);
      if (++c < table->n_columns)
        continue;
      g_string_append_c (out, '\n');
      c = 0;
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
