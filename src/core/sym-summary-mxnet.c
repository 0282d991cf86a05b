/* SPDX-License-Identifier: MIT */
#include "core/sym-summary-private.h"

/* MXNet 1.x's visualization.print_summary() (M106), with right counts: parameters are those of the
 * layer by their shapes, whichever node comes first and whatever was given (B15). */

#define LINE_LENGTH 120

static const char *const headers[] = { "Layer (type)", "Output Shape", "Param #", "Previous Layer",
                                       NULL };
static const guint positions[] = { 52, 76, 88, LINE_LENGTH };

/* "64x56x56": without the batch. */
static char *
format_shape (const SymInference *inference, const SymType *type)
{
  SymShape shape = type->shape;

  if (type->kind != SYM_KIND_TENSOR || shape.rank < 0)
    return g_strdup ("");
  for (int i = 1; i < shape.rank; i++)
    shape.dims[i - 1] = shape.dims[i];
  shape.rank = MAX (shape.rank - 1, 0);
  return sym_inference_format_shape (inference, &shape, "x");
}

/* More operands than any loss has: to look through those of a Concat for each of its parents would
 * take the square of their number. */
#define MANY_OPERANDS 16

static gboolean
is_label_of (const SymModel *model, SymId value, SymId call)
{
  SymIds operands = sym_model_get_operands (model, call);

  if (operands.n >= MANY_OPERANDS)
    return FALSE;
  for (guint i = 0; i < operands.n; i++)
    if (operands.ids[i] == value &&
        g_strcmp0 (sym_model_get_slot_name (model, call, i), "label") != 0)
      return FALSE;
  return TRUE;
}

/* Variables other than the data have no row there: here those that are labels and nothing else. */
static gboolean
is_shown (const SymSummary *summary, const SymSummaryRow *row)
{
  const SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  SymIds consumers = sym_model_get_consumers (model, row->value);

  if (row->call != SYM_NO_ID || consumers.n == 0)
    return TRUE;
  for (guint i = 0; i < consumers.n; i++)
    if (!is_label_of (model, row->value, consumers.ids[i]))
      return TRUE;
  return FALSE;
}

static gboolean
has_row (const SymSummary *summary, const SymSummaryRow *row, SymTable *table)
{
  return is_shown (summary, row);
}

static char *
format_parents (const SymSummary *summary, const SymSummaryRow *row)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->n_listed; i++)
    {
      SymSummaryRow parent =
          sym_summary_get_row (summary, sym_summary_find_row (summary, row->parents.ids[i]) - 1);

      if (is_shown (summary, &parent))
        g_string_append_printf (text, "%s%s", text->len == 0 ? "" : "\n", parent.layer);
    }
  sym_summary_append_more (text, "\n", row);
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
                       g_strdup_printf ("%s%s(%s)", prefix, sym_summary_get_label (summary, row),
                                        row->call == SYM_NO_ID ? "null" : row->type));
  sym_table_take_cell (table, format_shape (inference, &type));
  sym_table_take_cell (table,
                       sym_summary_format_count (row->n_parameters, row->parameters_known, FALSE));
  sym_table_take_cell (table, format_parents (summary, row));
}

static void
print (const SymSummary *summary, const SymTable *table, GString *out)
{
  SymTotals totals = sym_summary_get_totals (summary);
  g_autofree char *total = sym_summary_format_count (totals.total, totals.known, FALSE);
  guint n = sym_table_get_n_rows (table);

  sym_summary_append_rule (out, '_', LINE_LENGTH);
  sym_summary_append_line (out, headers, positions, 4, FALSE);
  sym_summary_append_rule (out, '=', LINE_LENGTH);
  for (guint i = 0; i < n; i++)
    {
      sym_summary_append_row (out, table, i, positions, FALSE);
      sym_summary_append_rule (out, i + 1 < n ? '_' : '=', LINE_LENGTH);
      sym_table_pass_on (table, out, SYM_TABLE_PIECE);
    }
  g_string_append_printf (out, "Total params: %s\n", total);
  sym_summary_append_rule (out, '_', LINE_LENGTH);
}

const SymStyleClass sym_style_mxnet = {
  .name = "mxnet",
  .headers = headers,
  .has_row = has_row,
  .fill_row = fill_row,
  .print = print,
};
