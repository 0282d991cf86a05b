/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"
#include "core/sym-python.h"
#include "core/sym-summary-private.h"
#include "core/sym-text.h"

#include <string.h>

/* PyTorch Symbolic's SymbolicModel.summary(). */

static const char *const headers[] = { "", "Layer", "Output shape", "Params", "Parent", NULL };

/* Often nothing: what goes before a row that is in no body. */
static inline void
append (GString *out, const char *text)
{
  if (*text != '\0')
    sym_text_append (out, text, strlen (text));
}

static void
append_parents (GString *out, const SymSummary *summary, const SymSummaryRow *row, const char *path)
{
  for (guint i = 0; i < row->n_listed; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      append (out, path);
      sym_decimal_append_unsigned (out, sym_summary_find_row (summary, row->parents.ids[i]));
    }
  sym_summary_append_more (out, ",", row);
}

/* Most rows have the shape of one before them, whose text is there. */
static void
append_type (SymTable *table, const SymType *type, const SymTerms *terms)
{
  GString *text = table->text;
  gsize start = text->len;

  if (type->kind == SYM_KIND_TENSOR && table->shape.rank >= 0 &&
      sym_shape_equal (&type->shape, &table->shape))
    {
      sym_text_reserve (text, table->shape_length);
      sym_text_append (text, text->str + table->shape_start, table->shape_length);
      return;
    }
  sym_type_append_symbolic (type, terms, text);
  if (type->kind != SYM_KIND_TENSOR)
    return;
  table->shape = type->shape;
  table->shape_start = start;
  table->shape_length = text->len - start;
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

  append (table->text, path);
  sym_decimal_append_unsigned (table->text, row->index);
  if (row->is_output)
    g_string_append_c (table->text, '*');
  sym_table_end_cell (table);
  append (table->text, prefix);
  append (table->text, label);
  sym_table_end_cell (table);
  append_type (table, &type, sym_inference_get_terms (inference));
  sym_table_end_cell (table);
  sym_summary_append_count (table->text, row->n_parameters, row->parameters_known);
  sym_table_end_cell (table);
  append_parents (table->text, summary, row, path);
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

  if (table->take == NULL)
    sym_text_reserve (out, (gsize) (sym_table_get_n_rows (table) + 8) * (width + 1));
  sym_summary_append_rule (out, '_', width);
  sym_table_append_headers (table, widths, out);
  sym_summary_append_rule (out, '=', width);
  sym_table_append_rows (table, widths, out);
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
