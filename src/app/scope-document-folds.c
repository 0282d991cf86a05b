/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

/* The call that stands for the selection: an input has none, and is in no group.  In a neighbourhood
 * nothing is folded. */
static SymId
get_call (ScopeDocument *self)
{
  return self->folding != NULL && self->focus.around == SYM_NO_ID ? self->selected_call : SYM_NO_ID;
}

static void
take_folding (ScopeDocument *self, SymFolding *folding)
{
  sym_folding_unref (self->folding);
  self->folding = folding;
  scope_document_request (self, 1u << SCOPE_STAGE_LAYOUT);
  scope_document_emit_changed (self, SCOPE_CHANGE_VIEW | SCOPE_CHANGE_PROGRESS);
}

SymFolding *
scope_document_get_folding (ScopeDocument *self)
{
  return self->folding;
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
    take_folding (self, sym_folding_open (self->folding, group));
}

void
scope_document_close_group (ScopeDocument *self, guint group)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding != NULL && sym_folding_is_open (self->folding, group))
    take_folding (self, sym_folding_close (self->folding, group));
}

gboolean
scope_document_close_around (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  SymId call = get_call (self);
  guint group = call != SYM_NO_ID ? sym_folding_get_frame (self->folding, call) : SYM_NO_GROUP;

  if (group == SYM_NO_GROUP)
    return FALSE;
  scope_document_close_group (self, group);
  return TRUE;
}

void
scope_document_open_all (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding != NULL)
    take_folding (self, sym_folding_new_open (sym_folding_get_groups (self->folding)));
}

void
scope_document_close_all (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  if (self->folding != NULL)
    take_folding (self, sym_folding_new_closed (sym_folding_get_groups (self->folding)));
}

gboolean
scope_document_open_around (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  if (scope_document_get_selected_group (self) == SYM_NO_GROUP)
    return FALSE;
  take_folding (self,
                sym_folding_open (self->folding,
                                  sym_groups_find_call (sym_folding_get_groups (self->folding),
                                                        self->selected_call)));
  return TRUE;
}
