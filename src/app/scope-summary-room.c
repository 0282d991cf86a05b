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
  return MAX (scope_summary_get_width (self, column), measure_title (self, column)) + PADDING;
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
  return before != self->left_out;
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

/* Many columns at once are asked for to be read: the drawing makes room for them, if it has much.
 */
void
scope_summary_widen (ScopeSummary *self)
{
  GtkWidget *panes = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_PANED);
  int width = MIN (measure_all (self, 0), MOST_WIDTH);

  if (panes != NULL && gtk_paned_get_position (GTK_PANED (panes)) < width)
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
  if (self->document != NULL && scope_summary_find_room (self))
    {
      scope_summary_show_columns (self);
      scope_summary_update_actions (self);
    }
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
