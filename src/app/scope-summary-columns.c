/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-columns.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/scope-comparison.h"
#include "app/scope-text.h"
#include "core/sym-naming.h"

#define MAX_LISTED 8   /* items of a list in a cell; the rest is counted */
#define LEAST_WIDTH 24 /* pixels, of a column that somebody made narrow */
#define MOST_WIDTH 4000

typedef char *(*CellFunc) (const SymCell *cell, SymInference *inference);

/* ---- Cells ---- */

static char *
format_number (const SymCell *cell, SymInference *inference)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", cell->count.n, cell->text != NULL ? "★" : "");
}

/* Of a layer that was made of several the first name. */
static char *
format_name (const SymCell *cell, SymInference *inference)
{
  return sym_naming_shorten (cell->text);
}

static char *
format_type (const SymCell *cell, SymInference *inference)
{
  return g_strdup (g_str_equal (cell->text, "group") ? _ ("group") : cell->text);
}

static char *
format_shape (const SymCell *cell, SymInference *inference)
{
  return scope_text_shape (inference, cell->value);
}

static char *
format_shapes (const SymCell *cell, SymInference *inference)
{
  g_auto (GStrv) shapes = g_strsplit (cell->text, SYM_CELL_SEPARATOR, -1);
  g_autofree char *text = g_strjoinv (", ", shapes);
  g_auto (GStrv) sides = g_strsplit (text, "x", -1);
  g_autofree char *list = g_strjoinv ("×", sides);

  return cell->n_more == 0 ? g_steal_pointer (&list)
                           : g_strdup_printf ("%s +%u", list, cell->n_more);
}

static char *
format_parameters (const SymCell *cell, SymInference *inference)
{
  g_autofree char *count = scope_format_count (cell->count.n);

  if (!cell->count.known)
    return cell->count.n > 0 ? g_strdup_printf ("≥ %s", count) : g_strdup ("?");
  return cell->count.n > 0 ? g_steal_pointer (&count) : g_strdup ("");
}

static char *
format_count (const SymCell *cell, SymInference *inference)
{
  if (cell->count.known && cell->count.n == 0)
    return g_strdup ("");
  return scope_text_count (cell->count, FALSE);
}

static char *
format_bytes (const SymCell *cell, SymInference *inference)
{
  return scope_text_count (cell->count, TRUE);
}

static char *
format_list (const SymCell *cell, SymInference *inference)
{
  g_auto (GStrv) items = g_strsplit (cell->text, SYM_CELL_SEPARATOR, -1);
  guint n = g_strv_length (items);
  g_autofree char *text = NULL;

  if (n <= MAX_LISTED)
    {
      text = g_strjoinv (", ", items);
      return cell->n_more == 0 ? g_steal_pointer (&text)
                               : g_strdup_printf ("%s +%u", text, cell->n_more);
    }
  g_clear_pointer (&items[MAX_LISTED], g_free);
  text = g_strjoinv (", ", items);
  for (guint i = MAX_LISTED + 1; i < n; i++)
    g_free (items[i]);
  return g_strdup_printf ("%s +%u", text, n - MAX_LISTED + cell->n_more);
}

static char *
format_time (const SymCell *cell, SymInference *inference)
{
  return scope_text_milliseconds (cell->number);
}

static char *
format_share (const SymCell *cell, SymInference *inference)
{
  return g_strdup_printf ("%.1f %%", cell->number);
}

/* One is often so small that its first digits are all that matters. */
static char *
format_difference (const SymCell *cell, SymInference *inference)
{
  return !isfinite (cell->number) ? g_strdup ("∞")
         : cell->number < 99.5    ? g_strdup_printf ("%.2g %%", cell->number)
         : cell->number < 1e6     ? g_strdup_printf ("%.0f %%", cell->number)
                                  : g_strdup_printf ("%.2g %%", cell->number);
}

/* Words that the library has in English. */
static char *
format_word (const SymCell *cell, SymInference *inference)
{
  static const char *const words[] = { N_ ("yes"), N_ ("no"), N_ ("partly") };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (cell->text, words[i]))
      return g_strdup (_ (words[i]));
  return g_strdup (cell->text);
}

static char *
format_change (const SymCell *cell, SymInference *inference)
{
  for (guint i = 0; i < SYM_N_COMPARE_KINDS; i++)
    if (g_str_equal (cell->text, sym_compare_kind_to_string ((SymCompareKind) i)))
      return g_strdup (scope_comparison_tell_kind ((SymCompareKind) i));
  return g_strdup (cell->text);
}

static const ScopeColumn columns[] = {
  { "number", N_ ("#"), format_number, FALSE, FALSE, 0, .has_star = TRUE },
  { "layer", N_ ("Layer"), format_name, FALSE, TRUE, 8, 16 },
  { "name", N_ ("Name"), format_name, FALSE, FALSE, 8, 24, .is_extra = TRUE },
  { "variable", N_ ("Variable"), NULL, FALSE, FALSE, 4, 16, .is_extra = TRUE },
  { "type", N_ ("Type"), format_type, FALSE, FALSE, 4, 16 },
  { "shape", N_ ("Output Shape"), format_shape, FALSE, FALSE, 6, 18 },
  { "in", N_ ("Input Shape"), format_shapes, FALSE, FALSE, 6, 18, .is_extra = TRUE },
  { "dtype", N_ ("Data Type"), NULL, FALSE, FALSE, 4, 10, .is_extra = TRUE },
  { "kernel", N_ ("Kernel"), format_shapes, FALSE, FALSE, 3, 10, .is_extra = TRUE },
  { "change", N_ ("Change"), format_change, FALSE, FALSE, 4, 12, .need = SCOPE_NEEDS_COMPARISON },
  { "difference", N_ ("Difference"), format_difference, TRUE, FALSE, 4, 10,
    .need = SCOPE_NEEDS_DISTANCES },
  { "time", N_ ("Time"), format_time, TRUE, FALSE, 5, 10, .need = SCOPE_NEEDS_RUN },
  { "share", N_ ("Share"), format_share, TRUE, FALSE, 5, 8, .need = SCOPE_NEEDS_RUN,
    .is_extra = TRUE },
  { "params", N_ ("Params"), format_parameters, TRUE, FALSE, 3, 14 },
  { "percent", N_ ("Params %"), format_share, TRUE, FALSE, 5, 8, .is_extra = TRUE },
  { "trainable", N_ ("Trainable"), format_word, FALSE, FALSE, 3, 10, .is_extra = TRUE },
  { "macs", N_ ("Mult-Adds"), format_count, TRUE, FALSE, 3, 14, .is_extra = TRUE },
  { "bytes", N_ ("Bytes"), format_bytes, TRUE, FALSE, 3, 12, .is_extra = TRUE },
  { "parents", N_ ("Parents"), format_list, TRUE, FALSE, 2, 9 },
  { "connected", N_ ("Connected To"), format_list, FALSE, FALSE, 6, 18, .is_extra = TRUE },
  { "uses", N_ ("Uses"), NULL, TRUE, FALSE, 2, 8, .is_extra = TRUE },
  { "depth", N_ ("Depth"), NULL, TRUE, FALSE, 2, 8, .is_extra = TRUE },
};

const ScopeColumn *
scope_summary_get_columns (guint *n)
{
  *n = G_N_ELEMENTS (columns);
  return columns;
}

guint
scope_summary_find_column (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (g_str_equal (columns[i].name, name))
      return i;
  return G_MAXUINT;
}

/* The one of the view that is called so. */
static gboolean
find_view_column (const SymSummaryView *view, const char *name, guint *column)
{
  for (*column = 0; *column < sym_summary_view_get_n_columns (view); ++*column)
    if (g_str_equal (sym_summary_view_get_column (view, *column)->name, name))
      return TRUE;
  return FALSE;
}

static char *
format_cell (const SymSummaryView *view, guint row, const ScopeColumn *column, CellFunc format)
{
  guint view_column;
  char *text;

  if (!find_view_column (view, column->name, &view_column))
    return g_strdup ("");
  SymCell cell = sym_summary_view_get_cell (view, row, view_column);
  SymInference *inference = sym_summary_get_inference (sym_summary_view_get_summary (view));

  if (cell.kind == SYM_CELL_EMPTY)
    text = g_strdup ("");
  else if (format == NULL)
    text = sym_cell_to_string (&cell);
  else
    text = format (&cell, inference);
  sym_cell_clear (&cell);
  return text;
}

char *
scope_summary_format_cell (const SymSummaryView *view, guint row, const ScopeColumn *column)
{
  return format_cell (view, row, column, column->format);
}

char *
scope_summary_tell_cell (const SymSummaryView *view, guint row, const ScopeColumn *column)
{
  return format_cell (view, row, column, column->format != format_name ? column->format : NULL);
}

/* ---- As the user has them ---- */

static gboolean
has_place (const GArray *places, guint column)
{
  for (guint i = 0; i < places->len; i++)
    if (g_array_index (places, ScopeColumnPlace, i).column == column)
      return TRUE;
  return FALSE;
}

static void
add_place (GArray *places, guint column, gboolean is_shown, int width_px)
{
  ScopeColumnPlace place = { column, is_shown, width_px };

  if (column != G_MAXUINT && !has_place (places, column))
    g_array_append_val (places, place);
}

/* Those that are not there yet. */
static void
add_others (GArray *places)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_place (places, i, !columns[i].is_extra, -1);
}

static void
add_word (GArray *places, const char *word)
{
  gboolean is_shown = *word != '-';
  g_auto (GStrv) parts = g_strsplit (is_shown ? word : word + 1, ":", 2);
  gint64 width = -1;

  if (parts[0] == NULL)
    return;
  if (parts[1] != NULL &&
      !g_ascii_string_to_signed (parts[1], 10, LEAST_WIDTH, MOST_WIDTH, &width, NULL))
    width = -1;
  add_place (places, scope_summary_find_column (parts[0]), is_shown, (int) width);
}

GArray *
scope_columns_parse (const char *const *words)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (ScopeColumnPlace));

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    add_word (places, words[i]);
  add_others (places);
  return places;
}

char **
scope_columns_format (const GArray *places)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (places, ScopeColumnPlace, i);
      GString *word = g_string_new (place->is_shown ? "" : "-");

      g_string_append (word, columns[place->column].name);
      if (place->width_px > 0)
        g_string_append_printf (word, ":%d", CLAMP (place->width_px, LEAST_WIDTH, MOST_WIDTH));
      g_strv_builder_add (builder, word->str);
      g_string_free (word, TRUE);
    }
  return g_strv_builder_end (builder);
}

GArray *
scope_columns_parse_preset (const char *name)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (ScopeColumnPlace));
  const char *list = sym_columns_get_preset (name);
  g_auto (GStrv) names = g_strsplit (list != NULL ? list : "", ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    add_place (places, scope_summary_find_column (names[i]), TRUE, -1);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_place (places, i, columns[i].need != SCOPE_NEEDS_NOTHING && !columns[i].is_extra, -1);
  return places;
}
