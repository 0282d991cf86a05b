/* SPDX-License-Identifier: MIT */
#include "core/sym-decimal.h"
#include "core/sym-summary-private.h"

#include <string.h>

#define MAX_LEVELS 32
#define MAX_ROWS 1000000
#define MAX_BYTES (64 << 20)

static const SymStyleClass *const styles[] = {
  [SYM_STYLE_SYMBOLIC] = &sym_style_symbolic,
  [SYM_STYLE_KERAS] = &sym_style_keras,
  [SYM_STYLE_MXNET] = &sym_style_mxnet,
  [SYM_STYLE_TORCHINFO] = &sym_style_torchinfo,
};

gboolean
sym_style_from_string (const char *name, SymStyle *style)
{
  for (gsize i = 0; i < G_N_ELEMENTS (styles); i++)
    if (strcmp (styles[i]->name, name) == 0)
      {
        *style = (SymStyle) i;
        return TRUE;
      }
  return FALSE;
}

/* ---- Rows, and those of bodies under them ---- */

typedef struct {
  const SymStyleClass *klass;
  SymTable *table;
  gboolean expand;
  gboolean left_closed; /* whether a body was not opened that should have been */
} Filler;

static SymSummary *
summarise_body (const SymSummary *summary, const SymSummaryRow *row, guint i)
{
  const SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  const SymInference *known =
      sym_inference_get_body (sym_summary_get_inference (summary), row->call, i);
  SymModel *body = sym_layer_get_body (sym_model_get_layer (model, row->call), i, NULL);
  g_autoptr (SymInference) inference = known != NULL ? sym_inference_ref ((SymInference *) known)
                                                     : sym_infer (body, NULL, 0, NULL, NULL);

  return sym_summary_new (inference);
}

static void fill (Filler *self, const SymSummary *summary, guint level, const char *path);

static void
fill_bodies (Filler *self,
             const SymSummary *summary,
             const SymSummaryRow *row,
             guint level,
             const char *path)
{
  const SymModel *model = sym_inference_get_model (sym_summary_get_inference (summary));
  guint n =
      row->call == SYM_NO_ID ? 0 : sym_layer_get_n_bodies (sym_model_get_layer (model, row->call));

  if (n > 0 && (level == MAX_LEVELS || sym_table_get_n_rows (self->table) >= MAX_ROWS ||
                self->table->text->len >= MAX_BYTES))
    {
      self->left_closed = TRUE;
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SymSummary) body = summarise_body (summary, row, i);
      g_autofree char *inner =
          n == 1 ? g_strdup_printf ("%s%u.", path, row->index)
                 : g_strdup_printf ("%s%u%c.", path, row->index, 'a' + (int) (i % 26));

      fill (self, body, level + 1, inner);
    }
}

static void
fill (Filler *self, const SymSummary *summary, guint level, const char *path)
{
  g_autofree char *prefix = g_strnfill (level * 2, ' ');

  self->table->shape = SYM_SHAPE_UNKNOWN;
  for (guint i = 0; i < sym_summary_get_n_rows (summary); i++)
    {
      SymSummaryRow row = sym_summary_get_row (summary, i);

      if (self->klass->has_row != NULL && !self->klass->has_row (summary, &row, self->table))
        continue;
      self->klass->fill_row (summary, &row, prefix, path, self->table);
      sym_rows_append (self->table->levels, level);
      if (self->expand)
        fill_bodies (self, summary, &row, level, path);
    }
  self->table->shape = SYM_SHAPE_UNKNOWN;
}

/* ---- Formats other than text ---- */

static void
append_quoted (GString *out, const char *cell)
{
  g_auto (GStrv) lines = g_strsplit (cell, "\n", -1);
  g_autofree char *text = g_strjoinv (", ", lines);

  if (strpbrk (text, ",\"\r\n") == NULL)
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
}

/* RFC 4180: lines end in CR LF, cells are quoted where they need it. */
static void
print_csv (const SymTable *table, GString *out)
{
  for (guint c = 0; c < table->n_columns; c++)
    {
      if (c > 0)
        g_string_append_c (out, ',');
      append_quoted (out, table->headers[c]);
    }
  g_string_append (out, "\r\n");
  for (guint i = 0; i < sym_table_get_n_cells (table); i++)
    {
      gsize length;

      append_quoted (out, sym_table_get_text (table, i, &length));
      g_string_append (out, (i + 1) % table->n_columns == 0 ? "\r\n" : ",");
      sym_table_pass_on (table, out, SYM_TABLE_PIECE);
    }
}

static void
append_marked (GString *out, const char *cell)
{
  g_string_append (out, "| ");
  for (const char *p = cell; *p != '\0'; p++)
    {
      if (*p == '\n')
        g_string_append (out, "<br>");
      else if (strchr ("|\\`*_<", *p) != NULL)
        g_string_append_printf (out, "\\%c", *p);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, ' ');
}

static void
print_markdown (const SymSummary *summary, const SymTable *table, gboolean commas, GString *out)
{
  for (guint c = 0; c < table->n_columns; c++)
    append_marked (out, table->headers[c]);
  g_string_append (out, "|\n");
  for (guint c = 0; c < table->n_columns; c++)
    g_string_append (out, "| --- ");
  g_string_append (out, "|\n");
  for (guint i = 0; i < sym_table_get_n_cells (table); i++)
    {
      gsize length;

      append_marked (out, sym_table_get_text (table, i, &length));
      if ((i + 1) % table->n_columns == 0)
        g_string_append (out, "|\n");
      sym_table_pass_on (table, out, SYM_TABLE_PIECE);
    }
  g_string_append_c (out, '\n');
  sym_summary_append_totals (summary, out, commas);
}

/* Byte by byte without a branch, so that many are looked at together. */
static inline guchar
is_control (char c)
{
  guchar byte = (guchar) c;

  return (guchar) ((guchar) (byte - 1) < ' ' - 1) | (guchar) (byte == 127);
}

/* Names may hold anything, and a terminal obeys what follows an Escape.  Cells end in a NUL; of
 * some styles they have lines. */
static void
blank_controls (GString *cells, gboolean has_lines)
{
  const char *text = cells->str;
  guchar any = 0;

  for (gsize i = 0; i < cells->len; i++)
    any |= is_control (text[i]);
  for (gsize i = 0; any != 0 && i < cells->len; i++)
    if (is_control (text[i]) && !(has_lines && text[i] == '\n'))
      cells->str[i] = ' ';
}

typedef struct {
  SymStyle style;
  SymFormat format;
  gboolean expand;
  SymTextFunc take; /* NULL: nobody takes it in pieces */
  gpointer user_data;
} Order;

/* What nobody has taken. */
static char *
print_table (const SymSummary *self, Order order, gboolean *complete)
{
  const SymStyleClass *klass = styles[order.style];
  g_autoptr (SymTable) table = sym_table_new (klass->headers);
  Filler filler = { klass, table, order.expand, FALSE };
  SymFormat format = order.format;
  GString *out = g_string_new (NULL);

  table->opens = order.expand;
  table->take = order.take;
  table->user_data = order.user_data;
  fill (&filler, self, 0, "");
  *complete = !filler.left_closed;
  if (format != SYM_FORMAT_CSV) /* which others read, and which quotes them */
    blank_controls (table->text, order.style == SYM_STYLE_KERAS || order.style == SYM_STYLE_MXNET);
  if (format == SYM_FORMAT_CSV)
    print_csv (table, out);
  else if (format == SYM_FORMAT_MARKDOWN)
    print_markdown (self, table, klass->has_commas, out);
  else
    klass->print (self, table, out);
  sym_table_pass_on (table, out, 0);
  return g_string_free (out, FALSE);
}

char *
sym_summary_to_string (const SymSummary *self, SymStyle style, SymFormat format, gboolean expand)
{
  gboolean complete;

  return print_table (self, (Order){ style, format, expand }, &complete);
}

char *
sym_summary_to_string_expanded (const SymSummary *self,
                                SymStyle style,
                                SymFormat format,
                                gboolean *complete)
{
  return print_table (self, (Order){ style, format, TRUE }, complete);
}

gboolean
sym_summary_print (const SymSummary *self,
                   SymStyle style,
                   SymFormat format,
                   gboolean expand,
                   SymTextFunc take,
                   gpointer user_data)
{
  gboolean complete;

  g_return_val_if_fail (take != NULL, FALSE);
  g_free (print_table (self, (Order){ style, format, expand, take, user_data }, &complete));
  return complete;
}

char *
sym_model_summarise (SymModel *model, SymStyle style)
{
  g_autoptr (SymInference) inference = sym_infer (model, NULL, 0, NULL, NULL);
  g_autoptr (SymSummary) summary = sym_summary_new (inference);

  return sym_summary_to_string (summary, style, SYM_FORMAT_TEXT, FALSE);
}

/* ---- Shared by the styles ---- */

const char *
sym_summary_get_label (const SymSummary *self, const SymSummaryRow *row)
{
  const SymModel *model = sym_inference_get_model (sym_summary_get_inference (self));

  if (row->call == SYM_NO_ID)
    return row->name;
  return sym_model_count_results (model, row->call) > 1 ? row->name : row->layer;
}

void
sym_summary_append_more (GString *out, const char *between, const SymSummaryRow *row)
{
  if (row->n_listed < row->parents.n)
    g_string_append_printf (out, "%sand %u more", between, row->parents.n - row->n_listed);
}

void
sym_summary_append_count (GString *out, guint64 n, gboolean known)
{
  if (!known && n == 0)
    {
      g_string_append_c (out, '?');
      return;
    }
  if (!known)
    g_string_append (out, ">=");
  sym_decimal_append_unsigned (out, n);
}

char *
sym_summary_format_count (guint64 n, gboolean known, gboolean with_commas)
{
  GString *text = g_string_new (NULL);

  if (with_commas && (known || n > 0))
    {
      g_string_append (text, known ? "" : ">=");
      sym_decimal_append_grouped (text, n);
    }
  else
    sym_summary_append_count (text, n, known);
  return g_string_free (text, FALSE);
}

void
sym_summary_append_totals (const SymSummary *self, GString *out, gboolean with_commas)
{
  SymTotals totals = sym_summary_get_totals (self);
  g_autofree char *total = sym_summary_format_count (totals.total, totals.known, with_commas);
  g_autofree char *trainable =
      sym_summary_format_count (totals.trainable, totals.known, with_commas);
  g_autofree char *other =
      sym_summary_format_count (totals.non_trainable, totals.known, with_commas);

  g_string_append_printf (out, "Total params: %s\nTrainable params: %s\nNon-trainable params: %s\n",
                          total, trainable, other);
}

void
sym_summary_append_line (GString *out,
                         const char *const *cells,
                         const guint *positions,
                         guint n,
                         gboolean keep_space)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      glong length;

      g_string_append (line, cells[i]);
      length = g_utf8_strlen (line->str, -1);
      if (length > (glong) positions[i] - (keep_space && i + 1 < n))
        {
          glong kept = (glong) positions[i] - (keep_space && i + 1 < n);

          g_string_truncate (line,
                             (gsize) (g_utf8_offset_to_pointer (line->str, kept) - line->str));
          length = kept;
        }
      for (; length < (glong) positions[i]; length++)
        g_string_append_c (line, ' ');
    }
  g_string_append (out, line->str);
  g_string_append_c (out, '\n');
}

void
sym_summary_append_row (GString *out,
                        const SymTable *table,
                        guint row,
                        const guint *positions,
                        gboolean keep_space)
{
  g_auto (GStrv) last = g_strsplit (sym_table_get_cell (table, row, 3), "\n", -1);
  const char *cells[] = { "", "", "", "" };

  for (guint c = 0; c < 3; c++)
    cells[c] = sym_table_get_cell (table, row, c);
  if (last[0] != NULL)
    cells[3] = last[0];
  sym_summary_append_line (out, cells, positions, 4, keep_space);
  for (guint i = 1; last[0] != NULL && last[i] != NULL; i++)
    {
      const char *more[] = { "", "", "", last[i] };

      sym_summary_append_line (out, more, positions, 4, keep_space);
    }
}

void
sym_summary_append_rule (GString *out, char c, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_c (out, c);
  g_string_append_c (out, '\n');
}
