/* SPDX-License-Identifier: MIT */
#include "app/scope-summary-private.h"

#include <glib/gi18n.h>

/* Which columns a narrow table does without, rather than to cut the last ones or to have to be
 * scrolled.  Only while the columns are those that it has at first: whoever asks for others, or for
 * one that had no room, gets them. */

#define USUAL_WIDTH 424 /* of the pane, before it has got its place */
#define MOST_WIDTH 640  /* of one that becomes wider by itself */
#define PADDING 10      /* of cells and headings */
#define LAST_PADDING 9  /* more */
#define SLACK 6 /* pixels that nobody gets: widths are rounded up, and nothing is to scroll */
#define ARROW_SPACING 6 /* between a heading and the arrow of what is sorted, even without one */

/* What gives way, the least loss first: the drawing tells parents, and types, too. */
static const char *const yielding[][2] = { { "parents" }, { "type" }, { "parents", "type" } };

/* Headings are bold. */
static int
measure_title (ScopeSummary *self, const ScopeColumn *column)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->table, _ (column->title));
  g_autoptr (PangoAttrList) bold = pango_attr_list_new ();
  int width;

  pango_attr_list_insert (bold, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, bold);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width + ARROW_SPACING;
}

int
scope_summary_measure_column (ScopeSummary *self, const ScopeColumn *column)
{
  return MAX (scope_summary_get_own_width (self, column), measure_title (self, column)) + PADDING;
}

static gboolean
has_usual_columns (ScopeSummary *self)
{
  g_autoptr (GArray) usual = scope_columns_parse (NULL);

  for (guint i = 0; i < usual->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (usual, ScopeColumnPlace, i);

      for (guint k = 0; k < self->places->len; k++)
        {
          const ScopeColumnPlace *own = &g_array_index (self->places, ScopeColumnPlace, k);

          if (own->column == place->column && own->is_shown != place->is_shown)
            return FALSE;
        }
    }
  return TRUE;
}

static int
measure_all (ScopeSummary *self, guint left_out)
{
  int sum = LAST_PADDING;
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  for (guint i = 0; i < self->places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (self->places, ScopeColumnPlace, i);

      if ((left_out & 1u << place->column) == 0 && scope_summary_wants_column (self, place))
        sum += place->width_px > 0 ? place->width_px
                                   : scope_summary_measure_column (self, &columns[place->column]);
    }
  return sum;
}

static gboolean
may_yield (ScopeSummary *self, guint column)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (self->places, ScopeColumnPlace, i);

      if (place->column == column)
        return place->width_px <= 0;
    }
  return FALSE;
}

static guint
get_yielding (ScopeSummary *self, const char *const names[2])
{
  guint columns = 0;

  for (guint i = 0; i < 2 && names[i] != NULL; i++)
    {
      guint column = scope_summary_find_column (names[i]);

      if (may_yield (self, column))
        columns |= 1u << column;
    }
  return columns;
}

/* What a column is elided by; none that somebody has made as wide as it is, and none that is not in
 * the table. */
static int
measure_lack (ScopeSummary *self, const ScopeColumnPlace *place)
{
  guint n;
  const ScopeColumn *column = &scope_summary_get_columns (&n)[place->column];

  if (place->width_px > 0 || (self->left_out & 1u << place->column) != 0 ||
      !scope_summary_wants_column (self, place))
    return 0;
  return MAX (scope_summary_get_wish (self, column) + PADDING -
                  scope_summary_measure_column (self, column),
              0);
}

static int *
measure_lacks (ScopeSummary *self)
{
  guint n;
  int *lacks;

  scope_summary_get_columns (&n);
  lacks = g_new0 (int, n);
  for (guint i = 0; i < self->places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (self->places, ScopeColumnPlace, i);

      lacks[place->column] = measure_lack (self, place);
    }
  return lacks;
}

/* Each that lacks some gets as much of what is left over, up to all that it lacks: takes it from
 * @lacks.  The one that expands takes its own by itself. */
static int *
share_room (ScopeSummary *self, int spare, int *lacks)
{
  guint n, n_lacking = 0;
  const ScopeColumn *columns = scope_summary_get_columns (&n);
  int *extras = g_new0 (int, n);

  for (guint i = 0; i < n; i++)
    n_lacking += lacks[i] > 0;
  while (n_lacking > 0 && spare >= (int) n_lacking)
    {
      int share = spare / (int) n_lacking;

      for (guint i = 0; i < n; i++)
        {
          int taken = MIN (share, lacks[i]);

          extras[i] += taken;
          lacks[i] -= taken;
          spare -= taken;
          n_lacking -= taken > 0 && lacks[i] == 0;
        }
    }
  for (guint i = 0; i < n; i++)
    if (extras[i] > 0)
      extras[i] += scope_summary_measure_column (self, &columns[i]) - PADDING -
                   scope_summary_get_own_width (self, &columns[i]);
  return extras;
}

static int *
share_width (ScopeSummary *self, int width, int *lacks)
{
  return share_room (self, width - measure_all (self, self->left_out) - SLACK, lacks);
}

static gboolean
is_cut (ScopeSummary *self, const char *name, int width)
{
  g_autofree int *lacks = measure_lacks (self);

  g_free (share_width (self, width, lacks));
  return lacks[scope_summary_find_column (name)] > 0;
}

/* Shapes are what the table is read for: parents give way as soon as none is cut without them. */
static void
make_shapes_whole (ScopeSummary *self, int width)
{
  guint before = self->left_out;

  if (!is_cut (self, "shape", width))
    return;
  self->left_out |= get_yielding (self, yielding[0]);
  if (is_cut (self, "shape", width))
    self->left_out = before;
}

/* Takes them over; whether there are others than before. */
static gboolean
take_extras (ScopeSummary *self, int *extras)
{
  guint n;
  gboolean has_others = FALSE;

  scope_summary_get_columns (&n);
  for (guint i = 0; i < n; i++)
    has_others |= extras[i] != (self->extras != NULL ? self->extras[i] : 0);
  g_free (self->extras);
  self->extras = extras;
  return has_others;
}

gboolean
scope_summary_find_room (ScopeSummary *self)
{
  int own = gtk_widget_get_width (GTK_WIDGET (self));
  int width = own > 0 ? own : USUAL_WIDTH;
  guint before = self->left_out;

  self->left_out = 0;
  for (guint i = 0; has_usual_columns (self) && i < G_N_ELEMENTS (yielding) &&
                    measure_all (self, self->left_out) > width;
       i++)
    self->left_out = get_yielding (self, yielding[i]);
  if (has_usual_columns (self))
    make_shapes_whole (self, width);
  g_autofree int *lacks = measure_lacks (self);
  gboolean has_others = take_extras (self, share_width (self, width, lacks));

  return has_others || before != self->left_out;
}

/* Without rows a column would be as wide as its title: headings would move while one types what
 * nothing matches. */
void
scope_summary_hold_headings (ScopeSummary *self)
{
  guint n;
  const ScopeColumn *columns = scope_summary_get_columns (&n);

  for (guint i = 0; i < self->places->len; i++)
    {
      const ScopeColumnPlace *place = &g_array_index (self->places, ScopeColumnPlace, i);
      GtkWidget *heading = scope_summary_get_heading (self, place->column);

      if (heading == NULL)
        continue;
      int width = scope_summary_get_width (self, &columns[place->column]) + PADDING +
                  (gtk_widget_get_next_sibling (heading) == NULL ? LAST_PADDING : 0);

      gtk_widget_set_size_request (heading, place->width_px > 0 ? -1 : width, -1);
    }
}

gboolean
scope_summary_is_left_out (ScopeSummary *self, guint column)
{
  return (self->left_out & 1u << column) != 0;
}

/* Many columns at once are asked for to be read: the drawing makes room for them, if it has much,
 * and gets it back when there are fewer. */
void
scope_summary_fit_pane (ScopeSummary *self)
{
  GtkWidget *panes = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_PANED);
  int chosen = scope_settings_get_pane (self->settings, SCOPE_PANE_SUMMARY);
  int width = chosen > 0 ? chosen : USUAL_WIDTH;

  if (!has_usual_columns (self)) /* those give way */
    width = MAX (width, MIN (measure_all (self, 0), MOST_WIDTH));
  if (panes != NULL && gtk_paned_get_position (GTK_PANED (panes)) != width)
    gtk_paned_set_position (GTK_PANED (panes), width);
}

/* ---- When the pane becomes wider or narrower ---- */

/* Not while GTK gives places to widgets, when none may come or go. */
static gboolean
resized_cb (gpointer user_data)
{
  ScopeSummary *self = user_data;

  self->fitting = 0;
  scope_summary_fit_columns (self);
  return G_SOURCE_REMOVE;
}

void
scope_summary_fit_columns (ScopeSummary *self)
{
  guint before = self->left_out;

  if (self->document == NULL || !scope_summary_find_room (self))
    return;
  if (self->left_out == before)
    {
      scope_summary_hold_headings (self);
      scope_summary_refresh_cells (self);
      return;
    }
  scope_summary_show_columns (self);
  scope_summary_update_actions (self);
}

static void
page_size_cb (ScopeSummary *self)
{
  if (self->fitting == 0 && self->box != NULL) /* it goes otherwise */
    self->fitting = g_idle_add (resized_cb, self);
}

void
scope_summary_watch_room (ScopeSummary *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (self->table));

  g_signal_connect_object (adjustment, "notify::page-size", G_CALLBACK (page_size_cb), self,
                           G_CONNECT_SWAPPED);
}
