/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <string.h>

/* How wide columns are by themselves.  By texts as they are laid out: what fonts say of their
 * digits is not the same in every run, sometimes nothing. */

#define N_LOOKED_AT                                                                           \
  400                /* rows, from the first to the last, that a column's width is taken from \
                      */
#define N_MEASURED 6 /* texts of those, the longest: to lay out each of them takes too long */
#define N_DIGITS 10
#define MOST_WISHED 48 /* digits */

static int
measure (PangoLayout *layout, const char *text)
{
  int width;

  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

static int
measure_digits (PangoLayout *layout, int n)
{
  return (measure (layout, "0123456789") * n + N_DIGITS - 1) / N_DIGITS;
}

typedef struct {
  char *texts[N_MEASURED]; /* the longest first; NULL: there are no more */
  glong lengths[N_MEASURED];
} Longest;

static void
take_text (Longest *self, char *take_text)
{
  glong length = g_utf8_strlen (take_text, -1);
  guint place = N_MEASURED;

  while (place > 0 && (self->texts[place - 1] == NULL || self->lengths[place - 1] < length))
    place--;
  if (place == N_MEASURED)
    {
      g_free (take_text);
      return;
    }
  g_free (self->texts[N_MEASURED - 1]);
  memmove (self->texts + place + 1, self->texts + place,
           (N_MEASURED - 1 - place) * sizeof *self->texts);
  memmove (self->lengths + place + 1, self->lengths + place,
           (N_MEASURED - 1 - place) * sizeof *self->lengths);
  self->texts[place] = take_text;
  self->lengths[place] = length;
}

static int
measure_longest (PangoLayout *layout, Longest *longest)
{
  int width = 0;

  for (guint i = 0; i < N_MEASURED && longest->texts[i] != NULL; i++)
    {
      width = MAX (width, measure (layout, longest->texts[i]));
      g_free (longest->texts[i]);
    }
  return width;
}

static int
measure_longest_of_groups (PangoLayout *layout, Longest *longest)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int width;

  pango_attr_list_insert (attributes, pango_attr_weight_new (SCOPE_SUMMARY_GROUP_WEIGHT));
  pango_layout_set_attributes (layout, attributes);
  width = measure_longest (layout, longest);
  pango_layout_set_attributes (layout, NULL);
  return width;
}

/* The sums of groups that are in no other are the longest, and few among many rows. */
static void
take_outermost (ScopeSummary *self, const ScopeColumn *column, Longest *groups)
{
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  guint n = sym_summary_view_get_n_rows (view), row = 0;

  for (guint i = 0; i < N_LOOKED_AT && row < n; i++)
    {
      SymSummaryViewRow found = sym_summary_view_get_row (view, row);

      if (found.group != SYM_NO_GROUP)
        take_text (groups, scope_summary_write_cell (self, row, column));
      row += 1 + found.n_within;
    }
}

/* As many of a large table as of one that is hardly larger than the screen. */
static int
measure_rows (ScopeSummary *self, PangoLayout *layout, const ScopeColumn *column)
{
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  guint n = view != NULL ? sym_summary_view_get_n_rows (view) : 0;
  guint n_looked_at = MIN (n, N_LOOKED_AT);
  Longest nodes = { 0 }, groups = { 0 };
  int width, width_of_groups;

  for (guint i = 0; i < n_looked_at; i++)
    {
      guint row = (guint) ((guint64) i * (n - 1) / MAX (n_looked_at - 1, 1));
      gboolean is_group = sym_summary_view_get_row (view, row).group != SYM_NO_GROUP;

      take_text (is_group ? &groups : &nodes, scope_summary_write_cell (self, row, column));
    }
  if (n > n_looked_at && sym_summary_view_get_tree (view) != NULL)
    take_outermost (self, column, &groups);
  width = measure_longest (layout, &nodes);
  width_of_groups = measure_longest_of_groups (layout, &groups);
  return MAX (width, width_of_groups);
}

/* The number of the last row, with the star of an output. */
static int
measure_number (ScopeSummary *self, PangoLayout *layout)
{
  SymSummary *summary = scope_document_get_summary (self->document);
  guint n = summary != NULL ? sym_summary_get_n_rows (summary) : 0;
  g_autofree char *last = g_strdup_printf ("%u★", n);

  return measure (layout, last);
}

static void
measure_column (ScopeSummary *self, const ScopeColumn *column, int *width, int *wish)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->table, NULL);

  if (column->width == 0)
    {
      *width = *wish = measure_number (self, layout);
      return;
    }
  *wish = CLAMP (measure_rows (self, layout, column), measure_digits (layout, column->width),
                 measure_digits (layout, MOST_WISHED));
  *width = MIN (*wish, measure_digits (layout, column->most));
}

/* Other letters, or of another size.  Cells have those of the table; one that is not in it yet
 * would have to find out first. */
static void
look_at_font (ScopeSummary *self)
{
  PangoContext *context = gtk_widget_get_pango_context (self->table);
  guint font = pango_font_description_hash (pango_context_get_font_description (context));

  if (font != self->font)
    scope_summary_forget_widths (self);
  self->font = font;
}

/* Sums of groups are longer than what they are of, and bolder. */
static void
look_at_groups (ScopeSummary *self)
{
  SymSummaryView *view = scope_row_list_get_view (self->rows);
  gboolean has_groups = view != NULL && sym_summary_view_get_tree (view) != NULL;

  if (has_groups && !self->has_groups)
    scope_summary_forget_widths (self);
  self->has_groups = has_groups;
}

/* Its place, measured. */
static guint
need (ScopeSummary *self, const ScopeColumn *column)
{
  guint n;
  guint i = (guint) (column - scope_summary_get_columns (&n));

  look_at_font (self);
  look_at_groups (self);
  if (self->widths == NULL)
    {
      self->widths = g_new0 (int, n);
      self->wishes = g_new0 (int, n);
    }
  if (self->widths[i] == 0)
    measure_column (self, column, &self->widths[i], &self->wishes[i]);
  return i;
}

int
scope_summary_get_own_width (ScopeSummary *self, const ScopeColumn *column)
{
  guint i = need (self, column);

  return self->widths[i];
}

int
scope_summary_get_wish (ScopeSummary *self, const ScopeColumn *column)
{
  guint i = need (self, column);

  return self->wishes[i];
}

int
scope_summary_get_width (ScopeSummary *self, const ScopeColumn *column)
{
  guint i = need (self, column);

  return self->widths[i] + (self->extras != NULL ? self->extras[i] : 0);
}

/* Where outputs have their star is as wide as that needs. */
void
scope_summary_choose_starring (ScopeSummary *self)
{
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n), *starring = NULL;

  for (guint i = 0; i < self->places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (self->places, ScopeColumnPlace, i);

      if (scope_summary_wants_column (self, place) &&
          (starring == NULL || columns[place->column].has_star))
        starring = &columns[place->column];
    }
  if (starring != self->starring)
    scope_summary_forget_widths (self);
  self->starring = starring;
}

void
scope_summary_forget_widths (ScopeSummary *self)
{
  g_clear_pointer (&self->widths, g_free);
  g_clear_pointer (&self->wishes, g_free);
  g_clear_pointer (&self->extras, g_free);
}
