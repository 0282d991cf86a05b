/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-columns.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"
#include "query/sym-summary-view.h"

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
  double total =
      milliseconds >= 0 ? sym_record_get_total (scope_document_get_record (document)) : 0;

  return total > 0 ? g_strdup_printf ("%.1f %%", 100 * milliseconds / total) : g_strdup ("");
}

static char *
get_dtype (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  return g_strdup (scope_text_dtype (sym_summary_get_inference (summary), row->value));
}

static char *
get_trainable (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  if (row->n_parameters == 0)
    return g_strdup ("");
  return g_strdup (row->n_trainable == row->n_parameters ? _("yes")
                   : row->n_trainable == 0               ? _("no")
                                                         : _("partly"));
}

static char *
get_multiply_adds (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  SymFigures *figures = scope_document_get_figures (document);

  if (figures == NULL || row->call == SYM_NO_ID ||
      sym_figures_get_inference (figures) != sym_summary_get_inference (summary) ||
      sym_model_get_output_index (scope_document_get_model (document), row->value) > 0)
    return g_strdup ("");
  SymCount count = sym_figures_get_multiply_adds (figures, row->call);

  return count.known && count.n == 0 ? g_strdup ("") : sym_count_to_short_string (count);
}

static char *
get_bytes (ScopeDocument *document, SymSummary *summary, const SymSummaryRow *row)
{
  return sym_count_to_bytes_string (
      sym_figures_count_bytes (sym_summary_get_inference (summary), row->value));
}

static const ScopeColumn columns[] = {
  { "number", N_("#"), get_number, FALSE, FALSE, 0 },
  { "layer", N_("Layer"), get_layer, FALSE, TRUE, 12 },
  { "type", N_("Type"), get_type, FALSE, FALSE, 13 },
  { "shape", N_("Output Shape"), get_shape, FALSE, FALSE, 13 },
  { "dtype", N_("Data Type"), get_dtype, FALSE, FALSE, 8, .is_extra = TRUE },
  { "time", N_("Time"), get_time, TRUE, FALSE, 8, TRUE },
  { "share", N_("Share"), get_share, TRUE, FALSE, 6, TRUE },
  { "params", N_("Params"), get_parameters, TRUE, FALSE, 9 },
  { "trainable", N_("Trainable"), get_trainable, FALSE, FALSE, 7, .is_extra = TRUE },
  { "macs", N_("Mult-Adds"), get_multiply_adds, TRUE, FALSE, 9, .is_extra = TRUE },
  { "bytes", N_("Bytes"), get_bytes, TRUE, FALSE, 9, .is_extra = TRUE },
  { "parents", N_("Parents"), get_parents, TRUE, FALSE, 7 },
};

const ScopeColumn *
scope_summary_get_columns (guint *n)
{
  *n = G_N_ELEMENTS (columns);
  return columns;
}

gboolean
scope_summary_shows (guint column, guint toggled, gboolean has_run)
{
  g_return_val_if_fail (column < G_N_ELEMENTS (columns), FALSE);

  gboolean is_toggled = (toggled & (1u << column)) != 0;

  return columns[column].is_extra == is_toggled && (has_run || !columns[column].needs_run);
}

guint
scope_summary_get_preset (const char *name)
{
  const char *list = sym_columns_get_preset (name);
  g_auto (GStrv) names = g_strsplit (list != NULL ? list : "", ",", -1);
  guint toggled = 0;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      gboolean is_shown = g_strv_contains ((const char *const *) names, columns[i].name) ||
                          (columns[i].needs_run && !columns[i].is_extra);

      if (is_shown == columns[i].is_extra)
        toggled |= 1u << i;
    }
  return toggled;
}
