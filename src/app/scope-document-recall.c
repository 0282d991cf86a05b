/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

#include "app/scope-memory.h"
#include "query/sym-open-bodies.h"

static gboolean
is_same_folding (const SymFolding *a, const SymFolding *b)
{
  guint n = sym_groups_get_n (sym_folding_get_groups (a));

  for (guint i = 0; i < n; i++)
    if (sym_folding_is_open (a, i) != sym_folding_is_open (b, i))
      return FALSE;
  return TRUE;
}

static gboolean
recall_groups (ScopeDocument *self, const ScopeMemory *memory)
{
  g_autoptr (SymFolding) folding = NULL;

  if (self->folding != NULL)
    folding = scope_memory_create_folding (memory, sym_folding_get_groups (self->folding));
  return folding != NULL && !is_same_folding (folding, self->folding) &&
         scope_document_set_folding (self, folding);
}

/* None of them lists a path twice. */
static gboolean
is_same_open (const SymOpenBodies *a, const SymOpenBodies *b)
{
  g_auto (GStrv) paths_a = sym_open_bodies_list (a);
  g_auto (GStrv) paths_b = sym_open_bodies_list (b);

  if (g_strv_length (paths_a) != g_strv_length (paths_b))
    return FALSE;
  for (guint i = 0; paths_a[i] != NULL; i++)
    if (!sym_open_bodies_has (b, paths_a[i]))
      return FALSE;
  return TRUE;
}

static gboolean
recall_bodies (ScopeDocument *self, const ScopeMemory *memory)
{
  SymOpenBodies *open = scope_memory_create_open_bodies (memory, scope_document_get_model (self));

  if (is_same_open (open, self->open_bodies))
    {
      sym_open_bodies_unref (open);
      return FALSE;
    }
  scope_document_replace_open_bodies (self, open);
  return TRUE;
}

static gboolean
recall_view (ScopeDocument *self, const ScopeMemory *memory)
{
  ScopeView view = scope_memory_get_view (memory, &self->view);
  gboolean differs = view.drawing != self->view.drawing || view.direction != self->view.direction ||
                     view.labels != self->view.labels;

  scope_document_set_view (self, &view);
  return differs;
}

gboolean
scope_document_recall (ScopeDocument *self, const ScopeMemory *memory)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self) && memory != NULL, FALSE);
  g_return_val_if_fail (scope_document_get_model (self) != NULL, FALSE);

  gboolean was_part = self->focus.around != SYM_NO_ID;
  gboolean changes = was_part;

  scope_document_end_trace (self);
  scope_document_show_whole (self);
  changes |= recall_view (self, memory);
  changes |= recall_groups (self, memory);
  changes |= recall_bodies (self, memory);
  scope_document_select_value (
      self, scope_memory_find_selected (memory, scope_document_get_model (self)));
  return changes;
}

void
scope_document_remember (ScopeDocument *self, ScopeMemory *take_memory)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self) && self->state == NULL && take_memory != NULL);

  ScopeView view = scope_memory_get_view (take_memory, &self->view);

  g_clear_pointer (&self->memory, scope_memory_unref);
  self->memory = take_memory;
  scope_document_set_view (self, &view);
}

const ScopeMemory *
scope_document_get_remembered (ScopeDocument *self)
{
  return self->memory;
}
