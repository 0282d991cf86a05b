/* SPDX-License-Identifier: MIT */
#include "app/scope-row-list.h"

#include "app/scope-row.h"

struct _ScopeRowList {
  GObject parent_instance;
  SymSummary *summary;
  GArray *passed; /* of guint, ascending: the rows that it has; NULL for all */
  guint n_items;
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (ScopeRowList, scope_row_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

/* Takes the rows; NULL for all. */
static void
rebuild (ScopeRowList *self, GArray *passed)
{
  guint n_old = self->n_items;

  g_clear_pointer (&self->passed, g_array_unref);
  self->passed = passed;
  if (passed != NULL)
    self->n_items = passed->len;
  else
    self->n_items = self->summary != NULL ? sym_summary_get_n_rows (self->summary) : 0;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_old, self->n_items);
}

static guint
get_index (ScopeRowList *self, guint position)
{
  return self->passed != NULL ? g_array_index (self->passed, guint, position) : position;
}

static GType
get_item_type (GListModel *model)
{
  return SCOPE_TYPE_ROW;
}

static guint
get_n_items (GListModel *model)
{
  return SCOPE_ROW_LIST (model)->n_items;
}

static gpointer
get_item (GListModel *model, guint position)
{
  ScopeRowList *self = SCOPE_ROW_LIST (model);

  return position < self->n_items ? scope_row_new (get_index (self, position)) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
scope_row_list_finalize (GObject *object)
{
  ScopeRowList *self = SCOPE_ROW_LIST (object);

  g_clear_pointer (&self->summary, sym_summary_unref);
  g_clear_pointer (&self->passed, g_array_unref);
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
scope_row_list_new (void)
{
  return g_object_new (SCOPE_TYPE_ROW_LIST, NULL);
}

static SymModel *
get_model (SymSummary *summary)
{
  return sym_inference_get_model (sym_summary_get_inference (summary));
}

gboolean
scope_row_list_set_summary (ScopeRowList *self, SymSummary *summary)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), FALSE);

  gboolean is_same = self->summary != NULL && summary != NULL &&
                     get_model (self->summary) == get_model (summary);

  if (summary != NULL)
    sym_summary_ref (summary);
  g_clear_pointer (&self->summary, sym_summary_unref);
  self->summary = summary;
  if (!is_same)
    rebuild (self, NULL);
  return !is_same;
}

SymSummary *
scope_row_list_get_summary (ScopeRowList *self)
{
  return self->summary;
}

void
scope_row_list_set_values (ScopeRowList *self, SymIds values)
{
  g_return_if_fail (SCOPE_IS_ROW_LIST (self));

  GArray *passed = g_array_sized_new (FALSE, FALSE, sizeof (guint), values.n);

  for (guint i = 0; self->summary != NULL && i < values.n; i++) {
    guint row = sym_summary_find_row (self->summary, values.ids[i]);

    if (row-- > 0)
      g_array_append_val (passed, row);
  }
  rebuild (self, passed);
}

void
scope_row_list_set_all (ScopeRowList *self)
{
  g_return_if_fail (SCOPE_IS_ROW_LIST (self));

  if (self->passed != NULL)
    rebuild (self, NULL);
}

guint
scope_row_list_find (ScopeRowList *self, SymId value)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), G_MAXUINT);

  guint low, index = self->summary != NULL && value != SYM_NO_ID
                         ? sym_summary_find_row (self->summary, value)
                         : 0;

  if (index-- == 0)
    return G_MAXUINT;
  if (self->passed == NULL)
    return index;
  low = 0;
  for (guint high = self->passed->len; low < high;) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (self->passed, guint, middle) < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < self->passed->len && g_array_index (self->passed, guint, low) == index ? low
                                                                                      : G_MAXUINT;
}

SymId
scope_row_list_get_value (ScopeRowList *self, guint position)
{
  g_return_val_if_fail (SCOPE_IS_ROW_LIST (self), SYM_NO_ID);

  if (position >= self->n_items)
    return SYM_NO_ID;
  return sym_summary_get_row (self->summary, get_index (self, position)).value;
}
