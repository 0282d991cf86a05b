/* SPDX-License-Identifier: MIT */
#include "core/sym-summary-private.h"

#include <string.h>

/* torchinfo's summary(): a tree of layers, inputs left out. */

#define COLUMN_WIDTH 26
#define LEAST_NAME_WIDTH 40

static const char *const headers[] = { "Layer (type:depth-idx)", "Output Shape", "Param #", NULL };

/* "[--, 64, 56, 56]"; nothing for what is no tensor. */
static char *
format_shape (const SymInference *inference, const SymType *type)
{
  GString *text;

  if (type->kind != SYM_KIND_TENSOR || type->shape.rank < 0)
    return g_strdup ("--");

  text = g_string_new ("[");
  for (int i = 0; i < type->shape.rank; i++)
    {
      SymDim dim = type->shape.dims[i];
      g_autofree char *name = dim == SYM_DIM_UNKNOWN
                                  ? NULL
                                  : sym_terms_format (sym_inference_get_terms (inference), dim);

      g_string_append_printf (text, "%s%s", i == 0 ? "" : ", ", name == NULL ? "--" : name);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* The layers of each level are numbered through, hence the count of those already in the table. */
static guint
count_level (const SymTable *table, guint level)
{
  for (guint i = table->levels->len; i-- > 0;)
    if (g_array_index (table->levels, guint, i) == level)
      return (guint) g_ascii_strtoull (strrchr (sym_table_get_cell (table, i, 0), '-') + 1, NULL,
                                       10);
  return 0;
}

static gboolean
has_row (const SymSummary *summary, const SymSummaryRow *row, SymTable *table)
{
  return row->call != SYM_NO_ID;
}

/* A layer that comes again is "recursive", one of which nothing is trained stands in parentheses,
 * and of a model whose layers follow nothing is left to count. */
static char *
format_parameters (const SymSummaryRow *row, SymLayer *layer, SymTable *table)
{
  gboolean is_new = g_hash_table_add (table->layers, layer);
  g_autofree char *count = NULL;

  if (row->n_parameters == 0 && row->parameters_known)
    return g_strdup ("--");
  if (!is_new)
    return g_strdup ("(recursive)");
  if (table->opens && sym_layer_get_n_bodies (layer) > 0)
    return g_strdup ("--");
  count = sym_summary_format_count (row->n_parameters, row->parameters_known, TRUE);
  return row->n_trainable > 0 || row->n_parameters == 0 ? g_steal_pointer (&count)
                                                        : g_strdup_printf ("(%s)", count);
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
  guint level = (guint) strlen (prefix) / 2;
  GString *name = g_string_new (NULL);

  for (guint i = 0; i < level; i++)
    g_string_append (name, "│    ");
  g_string_append_printf (name, "%s─%s: %u-%u", level == 0 ? "├" : "└", row->type, level + 1,
                          count_level (table, level) + 1);
  sym_table_take_cell (table, g_string_free (name, FALSE));
  sym_table_take_cell (table, format_shape (inference, &type));
  sym_table_take_cell (
      table, format_parameters (
                 row, sym_model_get_layer (sym_inference_get_model (inference), row->call), table));
}

static void
append_cells (GString *out, const char *const *cells, guint name_width)
{
  const guint widths[] = { name_width, COLUMN_WIDTH, COLUMN_WIDTH };

  for (guint c = 0; c < 3; c++)
    {
      glong length = g_utf8_strlen (cells[c], -1);

      g_string_append (out, cells[c]);
      g_string_append_c (out, ' ');
      for (glong i = length + 1; i < (glong) widths[c]; i++)
        g_string_append_c (out, ' ');
    }
  g_string_append_c (out, '\n');
}

static guint
measure_names (const SymTable *table)
{
  glong width = LEAST_NAME_WIDTH;

  for (guint i = 0; i < sym_table_get_n_rows (table); i++)
    width = MAX (width, g_utf8_strlen (sym_table_get_cell (table, i, 0), -1));
  return (guint) MIN (width, SYM_TABLE_MAX_WIDTH) + 1;
}

static void
print (const SymSummary *summary, const SymTable *table, GString *out)
{
  const SymInference *inference = sym_summary_get_inference (summary);
  const SymModel *model = sym_inference_get_model (inference);
  const char *name = sym_model_get_name (model);
  SymIds outputs = sym_model_get_outputs (model);
  SymType type =
      outputs.n == 0 ? SYM_TYPE_UNKNOWN : sym_inference_get_type (inference, outputs.ids[0]);
  g_autofree char *shape = format_shape (inference, &type);
  const char *top[] = { name == NULL || *name == '\0' ? "SymbolicModel" : name, shape, "--" };
  guint name_width = measure_names (table);
  guint width = name_width + 2 * COLUMN_WIDTH;

  sym_summary_append_rule (out, '=', width);
  append_cells (out, headers, name_width);
  sym_summary_append_rule (out, '=', width);
  append_cells (out, top, name_width);
  for (guint i = 0; i < sym_table_get_n_rows (table); i++)
    {
      const char *cells[] = { sym_table_get_cell (table, i, 0), sym_table_get_cell (table, i, 1),
                              sym_table_get_cell (table, i, 2) };

      append_cells (out, cells, name_width);
      sym_table_pass_on (table, out, SYM_TABLE_PIECE);
    }
  sym_summary_append_rule (out, '=', width);
  sym_summary_append_totals (summary, out, TRUE);
  sym_summary_append_torchinfo_foot (summary, width, out);
  sym_summary_append_rule (out, '=', width);
}

const SymStyleClass sym_style_torchinfo = {
  .name = "torchinfo",
  .headers = headers,
  .has_commas = TRUE,
  .has_row = has_row,
  .fill_row = fill_row,
  .print = print,
};
