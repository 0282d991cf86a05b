/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

const ScopeFocus *
scope_document_get_focus (ScopeDocument *self)
{
  return &self->focus;
}

void
scope_document_set_focus (ScopeDocument *self, const ScopeFocus *focus)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->state != NULL);

  guint stages = 0;

  if (!scope_focus_has_same_trace (&self->focus, focus))
    stages |= BIT (SCOPE_STAGE_TRACE);
  if (!scope_focus_has_same_part (&self->focus, focus))
    stages |= BIT (SCOPE_STAGE_LAYOUT);
  self->focus = *focus;
  if (stages == 0)
    return;
  scope_document_request (self, stages);
  scope_document_emit_changed (self, SCOPE_CHANGE_FOCUS | SCOPE_CHANGE_PROGRESS);
}

SymTrace *
scope_document_get_trace (ScopeDocument *self)
{
  return self->trace;
}

SymEntry
scope_document_get_selected_entry (ScopeDocument *self)
{
  if (self->selected.value != SYM_NO_ID)
    return SYM_TRACE_VALUE (self->selected.value);
  return SYM_TRACE_CALL (self->selected.call);
}

void
scope_document_trace_path (ScopeDocument *self, SymEntry from)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeFocus focus = self->focus;

  if (focus.trace != SCOPE_TRACE_CHOOSING)
    focus.from = from;
  focus.to = scope_document_get_selected_entry (self);
  focus.trace = SCOPE_TRACE_PATH;
  if (focus.from.id != SYM_NO_ID && focus.to.id != SYM_NO_ID)
    scope_document_set_focus (self, &focus);
}

void
scope_document_trace_selection (ScopeDocument *self, ScopeTraceKind kind)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeFocus focus = self->focus;

  focus.trace = kind;
  focus.from = scope_document_get_selected_entry (self);
  if (focus.from.id == SYM_NO_ID)
    return;
  if (scope_focus_has_same_trace (&self->focus, &focus))
    scope_document_end_trace (self);
  else if (kind == SCOPE_TRACE_CHOOSING && self->focus.trace == SCOPE_TRACE_CHOOSING)
    scope_document_trace_path (self, self->focus.from);
  else
    scope_document_set_focus (self, &focus);
}

void
scope_document_end_trace (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeFocus focus = self->focus;

  focus.trace = SCOPE_TRACE_NONE;
  scope_document_set_focus (self, &focus);
}

static gboolean
is_drawn (SymModel *model, SymId value)
{
  return value != SYM_NO_ID && sym_role_is_data (sym_model_get_role (model, value));
}

/* The selected value; of a call without results, the first that it uses. */
static SymId
get_middle (ScopeDocument *self)
{
  SymModel *model = scope_document_get_model (self);

  if (is_drawn (model, self->selected.value))
    return self->selected.value;
  if (self->selected.value != SYM_NO_ID || self->selected.call == SYM_NO_ID)
    return SYM_NO_ID;
  SymIds operands = sym_model_get_operands (model, self->selected.call);

  for (guint i = 0; i < operands.n; i++)
    if (is_drawn (model, operands.ids[i]))
      return operands.ids[i];
  return SYM_NO_ID;
}

/* As what the selection is seen: what is in no drawing, or hidden later, is looked around by
 * itself. */
static void
find_group (ScopeDocument *self, ScopeFocus *focus)
{
  SymScene *scene = self->layout != NULL ? sym_layout_get_scene (self->layout) : NULL;
  guint item = scene != NULL && self->selected.call != SYM_NO_ID
                   ? sym_scene_find_call (scene, self->selected.call)
                   : G_MAXUINT;

  focus->group = SYM_NO_GROUP;
  focus->n_merged = 0;
  if (item == G_MAXUINT || sym_scene_get_item (scene, item)->group == SYM_NO_GROUP)
    return;
  focus->group = sym_scene_get_item (scene, item)->group;
  focus->n_merged = sym_scene_get_item (scene, item)->n_merged;
}

void
scope_document_look_around (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeFocus focus = self->focus;

  focus.around = get_middle (self);
  find_group (self, &focus);
  if (focus.around != SYM_NO_ID)
    scope_document_set_focus (self, &focus);
}

void
scope_document_set_hops (ScopeDocument *self, guint n_hops)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeFocus focus = self->focus;

  focus.n_hops = MIN (n_hops, SCOPE_MAX_HOPS);
  scope_document_set_focus (self, &focus);
}

void
scope_document_show_whole (ScopeDocument *self)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeFocus focus = self->focus;

  focus.around = SYM_NO_ID;
  focus.group = SYM_NO_GROUP;
  scope_document_set_focus (self, &focus);
}

gboolean
scope_document_follow_selection (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  SymId middle = get_middle (self);

  if (self->focus.around == SYM_NO_ID || middle == SYM_NO_ID || self->layout == NULL ||
      sym_scene_find_value (sym_layout_get_scene (self->layout), middle) != G_MAXUINT)
    return FALSE;
  scope_document_look_around (self);
  return TRUE;
}
