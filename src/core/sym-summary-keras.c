/* SPDX-License-Identifier: MIT */
#include "core/sym-python.h"
#include "core/sym-summary-private.h"

#include <string.h>

/* Keras 2's print_summary() of a functional model.  A model that Keras has saved has a row for each
 * layer, however often it is applied and whatever it returns; others have one for each value. */

#define LINE_LENGTH 98

static const char *const headers[] = { "Layer (type)", "Output Shape", "Param #", "Connected to",
                                       NULL };
static const guint positions[] = { 32, 53, 65, LINE_LENGTH };

static gboolean
is_of_keras (const SymModel *model)
{
  const char *format = sym_model_get_format (model);

  return format != NULL && (strcmp (format, "keras") == 0 || strcmp (format, "keras-h5") == 0);
}

/* The input that a sequence has without saying so is no layer; a mask goes its way unseen. */
static gboolean
has_row (const SymSummary *summary, const SymSummaryRow *row, SymTable *table)
{
  const SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  const GArray *calls;

  if (!is_of_keras (model))
    return TRUE;
  if (row->call == SYM_NO_ID)
    return !sym_attributes_get_bool (sym_model_get_value_attributes (model, row->value), "implied",
                                     FALSE);
  calls = sym_table_get_calls (table, model, sym_model_get_layer (model, row->call));
  return sym_model_get_first_result (model, row->call) == row->value &&
         g_array_index (calls, SymId, 0) == row->call;
}

/* ---- Cells ---- */

/* How often the layer of @call was applied before. */
static guint
count_before (SymTable *table, const SymModel *model, SymId call)
{
  const GArray *calls = sym_table_get_calls (table, model, sym_model_get_layer (model, call));
  guint low = 0, high = calls->len;

  while (low + 1 < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (calls, SymId, middle) <= call)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* name[node][tensor], a line each. */
static void
append_parents (const SymSummary *summary, SymIds parents, SymTable *table, GString *text)
{
  const SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  gboolean of_keras = is_of_keras (model);

  for (guint i = 0; i < parents.n; i++)
    {
      SymId value = parents.ids[i], call = sym_model_get_producer (model, value);
      SymSummaryRow parent =
          sym_summary_get_row (summary, sym_summary_find_row (summary, value) - 1);
      const char *name = parent.layer;
      guint node = 0;

      if (of_keras && !has_row (summary, &parent, table) && call == SYM_NO_ID)
        continue;
      if (of_keras && call != SYM_NO_ID)
        {
          if (g_str_has_suffix (sym_model_get_value_name (model, value), "/mask"))
            continue;
          node = count_before (table, model, call);
          name = sym_layer_get_name (sym_model_get_layer (model, call));
        }
      g_string_append_printf (text, "%s%s[%u][%u]", text->len == 0 ? "" : "\n",
                              name == NULL ? parent.layer : name, node,
                              sym_model_get_output_index (model, value));
    }
}

static char *
format_connections (const SymSummary *summary, const SymSummaryRow *row, SymTable *table)
{
  const SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  GString *text = g_string_new (NULL);
  const GArray *calls;

  if (!is_of_keras (model) || row->call == SYM_NO_ID)
    {
      append_parents (summary, (SymIds){ row->parents.ids, row->n_listed }, table, text);
      sym_summary_append_more (text, "\n", row);
    }
  else
    {
      calls = sym_table_get_calls (table, model, sym_model_get_layer (model, row->call));
      for (guint i = 0; i < calls->len; i++)
        append_parents (summary,
                        sym_model_get_data_operands (model, g_array_index (calls, SymId, i)), table,
                        text);
    }
  return g_string_free (text, FALSE);
}

/* Of several results "[(None, 4), (None, 2)]". */
static char *
format_shapes (const SymSummary *summary, const SymSummaryRow *row)
{
  const SymInference *inference = sym_summary_get_inference (summary);
  const SymModel *model = sym_inference_get_model (inference);
  SymIds results = row->call == SYM_NO_ID || !is_of_keras (model)
                       ? (SymIds){ &row->value, 1 }
                       : sym_model_get_results (model, row->call);
  gboolean in_list = row->call == SYM_NO_ID;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < results.n; i++)
    {
      SymType type = sym_inference_get_type (inference, results.ids[i]);
      g_autofree char *shape = NULL;

      if (i > 0 && g_str_has_suffix (sym_model_get_value_name (model, results.ids[i]), "/mask"))
        continue;
      in_list |= i > 0;
      shape = sym_type_format_symbolic (&type, sym_inference_get_terms (inference));
      g_string_append_printf (text, "%s%s", i == 0 ? "" : ", ", shape);
    }
  if (in_list)
    {
      g_string_prepend_c (text, '[');
      g_string_append_c (text, ']');
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
  gboolean is_input = row->call == SYM_NO_ID;

  sym_table_take_cell (table,
                       g_strdup_printf ("%s%s (%s)", prefix, sym_summary_get_label (summary, row),
                                        is_input ? "InputLayer" : row->type));
  sym_table_take_cell (table, format_shapes (summary, row));
  sym_table_take_cell (table,
                       sym_summary_format_count (row->n_parameters, row->parameters_known, FALSE));
  sym_table_take_cell (table, format_connections (summary, row, table));
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
      sym_table_pass_on (table, out, SYM_TABLE_PIECE);
    }
  sym_summary_append_totals (summary, out, TRUE);
  sym_summary_append_rule (out, '_', LINE_LENGTH);
}

const SymStyleClass sym_style_keras = {
  .name = "keras",
  .headers = headers,
  .has_commas = TRUE,
  .has_row = has_row,
  .fill_row = fill_row,
  .print = print,
};
