/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-columns.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"

#define MAX_PARENTS 8 /* shown in a cell; the rest is counted */

static char *
get_number (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  return g_strdup_printf ("%u%s", row->index, row->is_output ? "★" : "");
}

static char *
get_layer (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  return g_strdup (row->layer != NULL ? row->layer : row->name);
}

static char *
get_type (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  return g_strdup (row->type);
}

static char *
get_shape (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  return scope_text_shape (sym_summary_get_inference (summary), row->value);
}

static char *
get_parameters (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  g_autofree char *count = scope_format_count (row->n_parameters);

  if (!row->parameters_known)
    return row->n_parameters > 0 ? g_strdup_printf ("≥ %s", count) : g_strdup ("?");
  return row->n_parameters > 0 ? g_steal_pointer (&count) : g_strdup ("");
}

static char *
get_parents (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (row->parents.n, MAX_PARENTS); i++)
    g_string_append_printf (text, "%s%u", i > 0 ? ", " : "",
                            sym_summary_find_row (summary, row->parents.ids[i]));
  if (row->parents.n > MAX_PARENTS)
    g_string_append_printf (text, " +%u", row->parents.n - MAX_PARENTS);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The time of the layer, in the row of its first result. */
static double
get_milliseconds (ScopeDocument *document, const SymSummaryRow *row)
{
  SymRecord *record = scope_document_get_record (document);
  SymModel *model = scope_document_get_model (document);

  if (record == NULL || row->call == SYM_NO_ID || sym_record_get_model (record) != model ||
      sym_model_get_output_index (model, row->value) > 0)
    return -1;
  return sym_record_get_milliseconds (record, row->call);
}

static char *
get_time (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  double milliseconds = get_milliseconds (document, row);

  return milliseconds >= 0 ? scope_text_milliseconds (milliseconds) : g_strdup ("");
}

static char *
get_share (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  double milliseconds = get_milliseconds (document, row);
  double total = milliseconds >= 0 ? sym_record_get_total (scope_document_get_record (document)) : 0;

  return total > 0 ? g_strdup_printf ("%.1f %%", 100 * milliseconds / total) : g_strdup ("");
}

static const ScopeColumn columns[] = {
  { N_("#"), get_number, FALSE, FALSE, 0 },
  { N_("Layer"), get_layer, FALSE, TRUE, 12 },
  { N_("Type"), get_type, FALSE, FALSE, 13 },
  { N_("Output Shape"), get_shape, FALSE, FALSE, 13 },
  { N_("Time"), get_time, TRUE, FALSE, 8, TRUE },
  { N_("Share"), get_share, TRUE, FALSE, 6, TRUE },
  { N_("Params"), get_parameters, TRUE, FALSE, 9 },
  { N_("Parents"), get_parents, TRUE, FALSE, 7 },
};

const ScopeColumn *
scope_summary_get_columns (guint *n)
{
  *n = G_N_ELEMENTS (columns);
  return columns;
}
