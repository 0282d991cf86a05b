/* SPDX-License-Identifier: MIT */
#include "app/scope-row-list.h"

#include "app/scope-release.h"
#include "app/scope-row.h"

#define STEP 50  /* rows; more than are seen at once */
#define KEPT 200 /* rows that a GtkColumnView has widgets for, whatever it shows of them */

struct _ScopeRowList {
  GObject parent_instance;
  SymSummaryView *view;
  SymFolding *folding; /* NULL: every group is open */
  GArray *shown; /* of guint, ascending: rows of the view that are in the list; NULL for all */
  guint *places; /* by row of the summary: where it is, or what hides it; NULL: nobody has asked */
  guint n_items;
  guint n_told;  /* of those, how many GTK knows of */
  guint telling; /* source: of the others; 0 when there are none */
  ScopeRowListSeekFunc seek;
  gpointer seek_data;
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (ScopeRowList,
                               scope_row_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

/* ---- Rows ---- */

static guint
get_index (const GArray *shown, guint position)
{
  return shown != NULL ? g_array_index (shown, guint, position) : position;
}

static SymSummaryViewRow
get_row (ScopeRowList *self, guint position)
{
  return sym_summary_view_get_row (self->view, get_index (self->shown, position));
}

static gboolean
is_closed (const SymFolding *folding, const SymSummaryViewRow *row)
{
  return folding != NULL && row->group != SYM_NO_GROUP &&
         !sym_folding_is_open (folding, row->group);
}

/* NULL for all. */
static GArray *
list_shown (const SymSummaryView *view, const SymFolding *folding)
{
  guint n = sym_summary_view_get_n_rows (view);
  GArray *shown;

  if (folding == NULL)
    return NULL;
  shown = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++)
    {
      SymSummaryViewRow row = sym_summary_view_get_row (view, i);

      g_array_append_val (shown, i);
      if (is_closed (folding, &row))
        i += row.n_within;
    }
  return shown;
}

static void
fill_places (ScopeRowList *self)
{
  guint n = sym_summary_get_n_rows (sym_summary_view_get_summary (self->view));
  guint n_all = sym_summary_view_get_n_rows (self->view);

  self->places = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    self->places[i] = G_MAXUINT;
  for (guint i = 0; i < self->n_items; i++)
    {
      guint end = i + 1 < self->n_items ? get_index (self->shown, i + 1) : n_all;

      for (guint k = get_index (self->shown, i); k < end; k++)
        {
          SymSummaryViewRow row = sym_summary_view_get_row (self->view, k);

          if (row.group == SYM_NO_GROUP)
            self->places[row.row] = i;
        }
    }
}

/* ---- The list ---- */

static GType
get_item_type (GListModel *model)
{
  return SCOPE_TYPE_ROW;
}

static guint
get_n_items (GListModel *model)
{
  return SCOPE_ROW_LIST (model)->n_told;
}

static gpointer
get_item (GListModel *model, guint position)
{
  ScopeRowList *self = SCOPE_ROW_LIST (model);

  return position < self->n_told ? scope_row_new (position) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

/* They may be the last to hold a graph. */
static void
release_rows (ScopeRowList *self)
{
  scope_release (g_steal_pointer (&self->view), (GDestroyNotify) sym_summary_view_unref);
  scope_release (g_steal_pointer (&self->folding), (GDestroyNotify) sym_folding_unref);
  g_clear_pointer (&self->shown, g_array_unref);
  g_clear_pointer (&self->places, g_free);
}

static void
scope_row_list_finalize (GObject *object)
{
  ScopeRowList *self = SCOPE_ROW_LIST (object);

  g_clear_handle_id (&self->telling, g_source_remove);
  release_rows (self);
  G_OBJECT_CLASS (scope_row_list_parent_class)->finalize (object);
}

static void
scope_row_list_class_init (ScopeRowListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = scope_row_list_finalize;
}

static void
scope_row_list_init (ScopeRowList *self)
{
}

ScopeRowList *
scope_row_list_new (ScopeRowListSeekFunc seek, gpointer user_data)
{
  ScopeRowList *self = g_object_new (SCOPE_TYPE_ROW_LIST, NULL);

  self->seek = seek;
  self->seek_data = user_data;
  return self;
}

/* ---- Another table ---- */

static SymSummaryViewRow
get_shown (const SymSummaryView *view, const GArray *shown, guint position)
{
  return sym_summary_view_get_row (view, get_index (shown, position));
}

static gboolean
has_same_rows (ScopeRowList *self, const SymSummaryView *view, const GArray *shown, guint n)
{
  if (n != self->n_items)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      SymSummaryViewRow old = get_shown (self->view, self->shown, i);
      SymSummaryViewRow new = get_shown (view, shown, i);

      if (old.row != new.row || old.group != new.group)
        return FALSE;
    }
  return TRUE;
}

static void
take (ScopeRowList *self, SymSummaryView *view, SymFolding *folding, GArray *shown, guint n)
{
  if (view != NULL)
    sym_summary_view_ref (view);
  if (folding != NULL)
    sym_folding_ref (folding);
  release_rows (self);
  self->view = view;
  self->folding = folding;
  self->shown = shown;
  self->n_items = n;
}

static void
tell (ScopeRowList *self, guint n)
{
  guint n_before = self->n_told;
  guint n_both = MIN (n_before, n);

  self->n_told = n;
  if (n != n_before)
    g_list_model_items_changed (G_LIST_MODEL (self), n_both, n_before - n_both, n - n_both);
}

/* GTK 4.8 keeps rows without widgets as one run.  Where rows go from the middle of a run on, up to
 * some behind it that have widgets, it drops the whole run, and as many less of those behind: the
 * widgets of the last rows stay, and show what they showed.  So what is before them goes first. */
static void
shrink (ScopeRowList *self)
{
  guint n = self->n_items;
  guint next = self->seek != NULL ? self->seek (n, self->seek_data) : G_MAXUINT;

  if (next > n && next < self->n_told)
    {
      self->n_told -= next - n;
      g_list_model_items_changed (G_LIST_MODEL (self), n, next - n, 0);
    }
  tell (self, n);
}

/* GTK makes the widgets of all rows that it keeps when it is told of them, and a key waits for
 * that. So they come in turns, and what is beyond them at once. */
static guint
count_next (ScopeRowList *self)
{
  guint next = self->n_told + STEP;

  return next < KEPT ? MIN (next, self->n_items) : self->n_items;
}

static gboolean
tell_cb (gpointer data)
{
  ScopeRowList *self = data;

  tell (self, count_next (self));
  if (self->n_told < self->n_items)
    return G_SOURCE_CONTINUE;
  self->telling = 0;
  return G_SOURCE_REMOVE;
}

/* Rows are known by their places: the first of one table are those of another, for GTK, which would
 * make the widgets of 200 rows anew.  To fill them anew takes far less. */
static void
tell_count (ScopeRowList *self)
{
  if (self->n_told > self->n_items)
    shrink (self);
  else
    tell (self, count_next (self));
  if (self->n_told < self->n_items && self->telling == 0)
    self->telling = g_idle_add (tell_cb, self);
  else if (self->n_told == self->n_items)
    g_clear_handle_id (&self->telling, g_source_remove);
}

void
scope_row_list_complete (ScopeRowList *self)
{
  g_return_if_fail (SCOPE_IS_ROW_LIST (self));

  tell (self, self->n_items);
  g_clear_handle_id (&self->telling, g_source_remove);
}

gboolean
scope_row_list_is_complete (ScopeRowList *self)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), FALSE);

  return self->n_told == self->n_items;
}

void
scope_row_list_restart (ScopeRowList *self)
{
  g_return_if_fail (SCOPE_IS_ROW_LIST (self));

  tell (self, 0);
  if (self->n_items > 0 && self->telling == 0)
    self->telling = g_idle_add (tell_cb, self);
}

gboolean
scope_row_list_set_view (ScopeRowList *self, SymSummaryView *view, SymFolding *folding)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), FALSE);

  SymGroups *tree = view != NULL ? sym_summary_view_get_tree (view) : NULL;

  if (folding != NULL && (tree == NULL || sym_folding_get_groups (folding) != tree))
    folding = NULL;
  GArray *shown = view != NULL ? list_shown (view, folding) : NULL;
  guint n = shown != NULL ? shown->len : view != NULL ? sym_summary_view_get_n_rows (view) : 0;
  gboolean has_changed = !has_same_rows (self, view, shown, n);

  take (self, view, folding, shown, n);
  tell_count (self);
  return has_changed;
}

SymSummaryView *
scope_row_list_get_view (ScopeRowList *self)
{
  return self->view;
}

gboolean
scope_row_list_folds (ScopeRowList *self)
{
  return self->folding != NULL;
}

guint
scope_row_list_get_row (ScopeRowList *self, guint position)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), G_MAXUINT);

  return position < self->n_items ? get_index (self->shown, position) : G_MAXUINT;
}

/* ---- Places ---- */

guint
scope_row_list_find (ScopeRowList *self, SymId value)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), G_MAXUINT);

  guint row = self->view != NULL && value != SYM_NO_ID
                  ? sym_summary_find_row (sym_summary_view_get_summary (self->view), value)
                  : 0;

  if (row == 0)
    return G_MAXUINT;
  if (self->places == NULL)
    fill_places (self);
  return self->places[row - 1];
}

guint
scope_row_list_find_group (ScopeRowList *self, guint group)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), G_MAXUINT);

  for (guint i = 0; group != SYM_NO_GROUP && i < self->n_items; i++)
    if (get_row (self, i).group == group)
      return i;
  return G_MAXUINT;
}

guint
scope_row_list_find_around (ScopeRowList *self, guint position)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self) && position < self->n_items, G_MAXUINT);

  guint level = get_row (self, position).level;

  while (position-- > 0)
    if (get_row (self, position).level < level)
      return position;
  return G_MAXUINT;
}

SymId
scope_row_list_get_value (ScopeRowList *self, guint position)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), SYM_NO_ID);

  if (position >= self->n_items)
    return SYM_NO_ID;
  SymSummaryViewRow row = get_row (self, position);

  if (row.group != SYM_NO_GROUP)
    return SYM_NO_ID;
  return sym_summary_get_row (sym_summary_view_get_summary (self->view), row.row).value;
}

guint
scope_row_list_get_group (ScopeRowList *self, guint position)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), SYM_NO_GROUP);

  return position < self->n_items ? get_row (self, position).group : SYM_NO_GROUP;
}
