/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

/* The call that stands for the selection: an input has none, and is in no group.  Around a layer
 * nothing is folded. */
static SymId
get_call (ScopeDocument *self)
{
  gboolean is_folded = self->focus.around == SYM_NO_ID || self->focus.group != SYM_NO_GROUP;

  return self->folding != NULL && is_folded ? self->selected.call : SYM_NO_ID;
}

static ScopeNode
get_first (ScopeDocument *self, guint group)
{
  SymIds calls = sym_groups_get_calls (sym_folding_get_groups (self->folding), group);
  SymModel *model = scope_document_get_model (self);

  return scope_node_get (sym_model_get_first_result (model, calls.ids[0]), calls.ids[0]);
}

/* A frame that is closed is a group, which is selected as its first call.  TRUE when it was. */
static gboolean
select_closed_frame (ScopeDocument *self)
{
  if (self->selected_frame == SYM_NO_GROUP ||
      sym_folding_is_open (self->folding, self->selected_frame))
    return FALSE;
  self->selected = get_first (self, self->selected_frame);
  self->selected_frame = SYM_NO_GROUP;
  return TRUE;
}

static void
take_folding (ScopeDocument *self, SymFolding *folding, guint group)
{
  guint changes = SCOPE_CHANGE_VIEW | SCOPE_CHANGE_PROGRESS;

  sym_folding_unref (self->folding);
  self->folding = folding;
  self->folded_group = group;
  self->folded_layer = NULL;
  scope_document_request (self, 1u << SCOPE_STAGE_LAYOUT);
  if (select_closed_frame (self))
    changes |= SCOPE_CHANGE_SELECTION;
  scope_document_emit_changed (self, changes);
}

guint
scope_document_get_folded_group (ScopeDocument *self)
{
  return self->folded_group;
}

guint
scope_document_get_selected_frame (ScopeDocument *self)
{
  return self->selected_frame;
}

void
scope_document_select_frame (ScopeDocument *self, guint group)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeNode none = scope_node_get_none ();

  if (self->folding != NULL && sym_folding_is_open (self->folding, group))
    scope_document_select (self, &none, group);
}

void
scope_document_select_group (ScopeDocument *self, guint group)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding == NULL || group >= sym_groups_get_n (sym_folding_get_groups (self->folding)))
    return;
  ScopeNode first = get_first (self, group);

  if (sym_folding_is_open (self->folding, group))
    scope_document_select_frame (self, group);
  else
    scope_document_select (self, &first, SYM_NO_GROUP);
}

SymFolding *
scope_document_get_folding (ScopeDocument *self)
{
  return self->folding;
}

gboolean
scope_document_set_folding (ScopeDocument *self, SymFolding *folding)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && folding != NULL, FALSE);

  if (self->folding == NULL || self->folding == folding ||
      sym_folding_get_groups (folding) != sym_folding_get_groups (self->folding))
    return FALSE;
  take_folding (self, sym_folding_ref (folding), SYM_NO_GROUP);
  return TRUE;
}

guint
scope_document_get_selected_group (ScopeDocument *self)
{
  SymId call = get_call (self);

  return call != SYM_NO_ID ? sym_folding_find_call (self->folding, call) : SYM_NO_GROUP;
}

void
scope_document_open_group (ScopeDocument *self, guint group)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding != NULL && !sym_folding_is_open (self->folding, group))
    take_folding (self, sym_folding_open (self->folding, group), group);
}

void
scope_document_close_group (ScopeDocument *self, guint group)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding != NULL && sym_folding_is_open (self->folding, group))
    take_folding (self, sym_folding_close (self->folding, group), group);
}

gboolean
scope_document_can_close_around (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  SymId call = get_call (self);
  g_autofree char *path = scope_document_get_selected_layer (self);

  if (self->selected.body != NULL ||
      (path != NULL && sym_open_bodies_has (self->open_bodies, path)))
    return TRUE;
  return call != SYM_NO_ID ? sym_folding_get_frame (self->folding, call) != SYM_NO_GROUP
                           : self->selected_frame != SYM_NO_GROUP;
}

gboolean
scope_document_close_around (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  SymId call = get_call (self);
  guint group = self->selected_frame;

  if (scope_document_close_layer_around (self))
    return TRUE;
  if (call != SYM_NO_ID)
    group = sym_folding_get_frame (self->folding, call);

  if (group == SYM_NO_GROUP)
    return FALSE;
  scope_document_close_group (self, group);
  return TRUE;
}

void
scope_document_open_levels (ScopeDocument *self, guint n_levels)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding != NULL)
    take_folding (self, sym_folding_new_levels (sym_folding_get_groups (self->folding), n_levels),
                  SYM_NO_GROUP);
}

void
scope_document_open_all (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding != NULL)
    take_folding (self, sym_folding_new_open (sym_folding_get_groups (self->folding)),
                  SYM_NO_GROUP);
}

void
scope_document_close_all (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding != NULL)
    take_folding (self, sym_folding_new_closed (sym_folding_get_groups (self->folding)),
                  SYM_NO_GROUP);
}

gboolean
scope_document_open_around (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  if (scope_document_get_selected_group (self) == SYM_NO_GROUP)
    return FALSE;
  take_folding (
      self,
      sym_folding_open (self->folding, sym_groups_find_call (sym_folding_get_groups (self->folding),
                                                             self->selected.call)),
      SYM_NO_GROUP);
  return TRUE;
}
