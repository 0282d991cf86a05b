/* SPDX-License-Identifier: MIT */
#include "query/sym-summary-view-private.h"

#include <math.h>
#include <string.h>

static void
append_string (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (out, "\\u%04x", (guchar) *p);
    else
      g_string_append_c (out, *p);
  g_string_append_c (out, '"');
}

static void
append_json_count (GString *out, SymCount count)
{
  if (count.known)
    g_string_append_printf (out, "%" G_GUINT64_FORMAT, count.n);
  else
    g_string_append (out, "null");
}

static void
append_json_number (GString *out, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out,
                   isfinite (number) ? g_ascii_dtostr (digits, sizeof digits, number) : "null");
}

/* A number as it is; a name or form, "batch", as a string; what is not known as null. */
static void
append_shape (GString *out, const SymSummaryView *view, SymId value)
{
  const SymTerms *terms = sym_inference_get_terms (view->inference);
  SymType type = sym_inference_get_type (view->inference, value);

  if (type.shape.rank < 0)
    {
      g_string_append (out, "null");
      return;
    }
  g_string_append_c (out, '[');
  for (int i = 0; i < type.shape.rank; i++)
    {
      g_autofree char *name =
          type.shape.dims[i] < 0 ? sym_terms_format (terms, type.shape.dims[i]) : NULL;

      g_string_append (out, i > 0 ? ", " : "");
      if (type.shape.dims[i] >= 0)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, type.shape.dims[i]);
      else if (name != NULL)
        append_string (out, name);
      else
        g_string_append (out, "null");
    }
  g_string_append_c (out, ']');
}

/* Numbers of rows, or texts; at the end a text with the number of those that are left out. */
static void
append_list (GString *out, const SymCell *cell, gboolean are_numbers)
{
  g_auto (GStrv) items = g_strsplit (cell->text, SYM_CELL_SEPARATOR, -1);

  g_string_append_c (out, '[');
  for (guint i = 0; items[i] != NULL; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      if (are_numbers)
        g_string_append (out, items[i]);
      else
        append_string (out, items[i]);
    }
  if (cell->n_more > 0)
    g_string_append_printf (out, ", \"and %u more\"", cell->n_more);
  g_string_append_c (out, ']');
}

static void
append_cell (const SymSummaryView *view, guint r, guint c, GString *out)
{
  SymCell cell = sym_summary_view_get_cell (view, r, c);

  switch (cell.kind)
    {
    case SYM_CELL_EMPTY:
      g_string_append (out, "null");
      break;
    case SYM_CELL_COUNT:
    case SYM_CELL_BYTES:
      append_json_count (out, cell.count);
      break;
    case SYM_CELL_NUMBER:
      append_json_number (out, cell.number);
      break;
    case SYM_CELL_SHAPE:
      append_shape (out, view, cell.value);
      break;
    case SYM_CELL_LIST:
      append_list (out, &cell,
                   strcmp (sym_summary_view_get_column (view, c)->name, "parents") == 0);
      break;
    case SYM_CELL_TEXT:
      append_string (out, cell.text);
      break;
    }
  sym_cell_clear (&cell);
}

static void
append_member (GString *out, const char *name, SymCount count)
{
  g_string_append_printf (out, ",\n\"%s\": ", name);
  append_json_count (out, count);
}

static void
append_json_totals (const SymSummaryView *view, GString *out)
{
  SymSummaryViewTotals totals = sym_summary_view_get_totals (view);
  SymTotals *all = &totals.parameters;

  append_member (out, "total_params", (SymCount){ all->total, all->known });
  append_member (out, "trainable_params", (SymCount){ all->trainable, all->known });
  append_member (out, "non_trainable_params", (SymCount){ all->non_trainable, all->known });
  append_member (out, "params_bytes", (SymCount){ all->bytes, all->bytes_known });
  if (totals.has_figures)
    {
      append_member (out, "total_macs", totals.figures.multiply_adds);
      append_member (out, "activation_bytes", totals.figures.activation_bytes);
      append_member (out, "peak_activation_bytes", totals.figures.peak_bytes);
      if (totals.figures.taken != NULL)
        {
          g_string_append (out, ",\n\"counted_with_1_for\": ");
          append_string (out, totals.figures.taken);
        }
    }
  if (totals.milliseconds >= 0)
    {
      g_string_append (out, ",\n\"total_milliseconds\": ");
      append_json_number (out, totals.milliseconds);
    }
}

static void
append_json_row (const SymSummaryView *view, guint r, GString *out)
{
  SymSummaryViewRow row = sym_summary_view_get_row (view, r);
  guint n = sym_summary_view_get_n_columns (view);
  gboolean is_output =
      row.group == SYM_NO_GROUP && sym_summary_get_row (view->summary, row.row).is_output;

  g_string_append_c (out, '{');
  for (guint c = 0; c < n; c++)
    {
      append_string (out, sym_summary_view_get_column (view, c)->name);
      g_string_append (out, ": ");
      append_cell (view, r, c, out);
      g_string_append (out, ", ");
    }
  if (view->tree != NULL)
    g_string_append_printf (out, "\"level\": %u, \"is_group\": %s, ", row.level,
                            row.group != SYM_NO_GROUP ? "true" : "false");
  g_string_append_printf (out, "\"is_output\": %s}", is_output ? "true" : "false");
}

void
sym_summary_write_json (const SymSummaryView *view, GString *out)
{
  const char *name = sym_model_get_name (view->model);
  guint n = sym_summary_view_get_n_rows (view);

  g_string_append (out, "{\"name\": ");
  if (name == NULL)
    g_string_append (out, "null");
  else
    append_string (out, name);
  g_string_append (out, ",\n\"rows\": [");
  for (guint r = 0; r < n; r++)
    {
      g_string_append (out, r > 0 ? ",\n" : "\n");
      append_json_row (view, r, out);
    }
  g_string_append (out, "]");
  append_json_totals (view, out);
  g_string_append (out, "}\n");
}
