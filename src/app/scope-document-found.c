/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include "app/scope-release.h"

SymIds
scope_document_get_found (ScopeDocument *self)
{
  if (self->found == NULL)
    return (SymIds){ NULL, 0 };
  return (SymIds){ (const SymId *) (gconstpointer) self->found->data, self->found->len };
}

gboolean
scope_document_has_search (ScopeDocument *self)
{
  return self->found != NULL;
}

void
scope_document_take_found (ScopeDocument *self, GArray *values, SymQueryResult *result)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->found == NULL && values == NULL)
    return;
  scope_release (self->hits, (GDestroyNotify) sym_query_result_unref);
  self->hits = result;
  scope_release (self->found, (GDestroyNotify) g_array_unref);
  self->found = values;
  if ((self->view.colors == SCOPE_COLORS_FOUND || self->view.dims_others) && self->layout != NULL)
    scope_document_request (self, BIT (SCOPE_STAGE_PICTURE));
  scope_document_emit_changed (self, SCOPE_CHANGE_FOUND);
}

SymQueryResult *
scope_document_get_hits (ScopeDocument *self)
{
  return self->hits;
}

/* Nodes are in the order of the rows. */
static guint
find_hit (ScopeDocument *self, SymId value)
{
  guint row = self->summary != NULL ? sym_summary_find_row (self->summary, value) : 0;
  guint low = 0, high = self->found != NULL ? self->found->len : 0;

  if (row == 0)
    return G_MAXUINT;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (sym_summary_find_row (self->summary, g_array_index (self->found, SymId, middle)) < row)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->found->len && g_array_index (self->found, SymId, low) == value ? low
                                                                                    : G_MAXUINT;
}

char *
scope_document_explain_found (ScopeDocument *self, SymId value)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), NULL);

  guint hit = self->hits != NULL && value != SYM_NO_ID ? find_hit (self, value) : G_MAXUINT;

  return hit != G_MAXUINT ? sym_query_result_explain (self->hits, hit) : NULL;
}

guint
scope_document_get_hit_group (ScopeDocument *self, const SymQueryItem *item)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), SYM_NO_GROUP);

  if (item->kind != SYM_QUERY_GROUP || self->folding == NULL || self->hits == NULL ||
      sym_query_index_get_groups (sym_query_result_get_index (self->hits)) !=
          sym_folding_get_groups (self->folding))
    return SYM_NO_GROUP;
  return item->group;
}

gboolean
scope_document_has_selected_hit (ScopeDocument *self, guint hit)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && self->hits != NULL, FALSE);

  SymQueryItem item = sym_query_result_get (self->hits, hit).item;
  guint frame = self->selected_frame;

  switch (item.kind)
    {
    case SYM_QUERY_NODE:
      return item.value == self->selected.value;
    case SYM_QUERY_LAYER:
      return item.call == self->selected.call;
    case SYM_QUERY_GROUP:
      return frame != SYM_NO_GROUP && frame == scope_document_get_hit_group (self, &item);
    default:
      g_assert_not_reached ();
    }
}

gboolean
scope_document_find_selected_hit (ScopeDocument *self, guint *place)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && place != NULL, FALSE);

  SymSummary *summary = scope_document_get_summary (self);
  SymId selected = scope_document_get_selected_value (self);
  guint row =
      selected != SYM_NO_ID && summary != NULL ? sym_summary_find_row (summary, selected) : 0;
  guint n = self->hits != NULL ? sym_query_result_get_n (self->hits) : 0, before = G_MAXUINT;

  for (*place = 0; *place < n; ++*place)
    {
      SymQueryItem item = sym_query_result_get (self->hits, *place).item;

      if (scope_document_has_selected_hit (self, *place))
        return TRUE;
      if (before == G_MAXUINT && item.kind == SYM_QUERY_NODE &&
          sym_summary_find_row (summary, item.value) > row)
        before = *place;
    }
  *place = before != G_MAXUINT ? before : 0;
  return FALSE;
}

/* A group is opened, as what is in it is what one wants to see. */
void
scope_document_select_hit (ScopeDocument *self, guint hit)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->hits != NULL);

  SymQueryItem item = sym_query_result_get (self->hits, hit).item;
  guint group = scope_document_get_hit_group (self, &item);

  if (item.kind == SYM_QUERY_NODE)
    {
      scope_document_select_value (self, item.value);
    }
  else if (item.kind == SYM_QUERY_LAYER)
    {
      scope_document_select_call (self, item.call);
    }
  else if (group != SYM_NO_GROUP)
    {
      scope_document_open_group (self, group);
      scope_document_select_frame (self, group);
    }
}
