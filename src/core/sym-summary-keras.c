/* SPDX-License-Identifier: MIT */
#include "core/sym-python.h"
#include "core/sym-summary-private.h"

/* Keras 2's print_summary() of a functional model. */

#define LINE_LENGTH 98

static const char *const headers[] = { "Layer (type)", "Output Shape", "Param #", "Connected to",
                                       NULL };
static const guint positions[] = { 32, 53, 65, LINE_LENGTH };

/* name[node][tensor], one a line.  A row is one call, so the node is always the first. */
static char *
format_connections (const SymSummary *summary, const SymSummaryRow *row)
{
  const SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->parents.n; i++)
    {
      SymId value = row->parents.ids[i];
      SymSummaryRow parent =
          sym_summary_get_row (summary, sym_summary_find_row (summary, value) - 1);

      g_string_append_printf (text, "%s%s[0][%u]", i == 0 ? "" : "\n", parent.layer,
                              sym_model_get_output_index (model, value));
    }
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
  g_autofree char *shape = sym_type_format_symbolic (&type, sym_inference_get_terms (inference));
  gboolean is_input = row->call == SYM_NO_ID;

  sym_table_take_cell (table,
                       g_strdup_printf ("%s%s (%s)", prefix, sym_summary_get_label (summary, row),
                                        is_input ? "InputLayer" : row->type));
  sym_table_take_cell (table, is_input ? g_strdup_printf ("[%s]", shape) : g_strdup (shape));
  sym_table_take_cell (table,
                       sym_summary_format_count (row->n_parameters, row->parameters_known, FALSE));
  sym_table_take_cell (table, format_connections (summary, row));
}

static void
print (const SymSummary *summary, const SymTable *table, GString *out)
{
  const char *name =
      sym_model_get_name (sym_inference_get_model (sym_summary_get_inference (summary)));
  guint n = sym_table_get_n_rows (table);

  g_string_append_printf (out, "Model: \"%s\"\n", name == NULL || *name == '\0' ? "model" : name);
  sym_summary_append_rule (out, '_', LINE_LENGTH);
  sym_summary_append_line (out, headers, positions, 4, TRUE);
  sym_summary_append_rule (out, '=', LINE_LENGTH);
  for (guint i = 0; i < n; i++)
    {
      sym_summary_append_row (out, table, i, positions, TRUE);
      sym_summary_append_rule (out, i + 1 < n ? '_' : '=', LINE_LENGTH);
    }
  sym_summary_append_totals (summary, out, TRUE);
  sym_summary_append_rule (out, '_', LINE_LENGTH);
}

const SymStyleClass sym_style_keras = {
  .name = "keras",
  .headers = headers,
  .has_commas = TRUE,
  .fill_row = fill_row,
  .print = print,
};
