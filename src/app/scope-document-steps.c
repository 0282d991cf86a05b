/* SPDX-License-Identifier: MIT */
#include "app/scope-document-private.h"

/* Going through what differs from another graph, or from the numbers of a file. */

/* ---- Another graph ---- */

static gboolean
is_selected (ScopeDocument *self, guint step)
{
  SymId value, call;

  scope_comparison_get_place (scope_document_get_comparison (self), step, &value, &call);
  return self->selected.value == value && (value != SYM_NO_ID || self->selected.call == call);
}

/* From a step that was gone to, which need not be the only one at its place; else from the
 * selection. */
static guint
find_step (ScopeDocument *self, guint n, gboolean forward)
{
  guint step = scope_document_get_difference (self);

  if (step != G_MAXUINT)
    return (step + (forward ? 1 : n - 1)) % n;
  return scope_comparison_find_step (scope_document_get_comparison (self), self->selected.call,
                                     forward);
}

/* ---- Numbers ---- */

/* Those that are too far away; none without numbers of a file. */
static const SymId *
list_far (ScopeDocument *self, guint *n)
{
  const ScopeDistances *distances =
      scope_document_get_expected (self) != NULL ? scope_document_get_distances (self) : NULL;

  *n = 0;
  return distances != NULL ? scope_distances_get_far (distances, n) : NULL;
}

static guint
find_far (ScopeDocument *self)
{
  guint n;
  const SymId *values = list_far (self, &n);

  for (guint i = 0; i < n; i++)
    if (values[i] == self->selected.value)
      return i;
  return G_MAXUINT;
}

/* The next one by the rows of the table, round and round. */
static guint
find_next_far (ScopeDocument *self, gboolean forward)
{
  guint n, n_before = 0;
  const SymId *values = list_far (self, &n);
  SymModel *model = scope_document_get_model (self);
  guint place = find_far (self);
  guint row =
      self->selected.value != SYM_NO_ID ? sym_model_get_row (model, self->selected.value) : 0;

  if (place != G_MAXUINT)
    return (place + (forward ? 1 : n - 1)) % n;
  while (n_before < n && sym_model_get_row (model, values[n_before]) <= row)
    n_before++;
  return (forward ? n_before : n_before + n - 1) % n;
}

/* ---- Both ---- */

guint
scope_document_get_n_differences (ScopeDocument *self)
{
  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), 0);

  ScopeComparison *comparison = scope_document_get_comparison (self);
  guint n;

  if (comparison != NULL)
    return scope_comparison_get_n_steps (comparison);
  list_far (self, &n);
  return n;
}

guint
scope_document_get_difference (ScopeDocument *self)
{
  if (scope_document_get_comparison (self) == NULL)
    return find_far (self);
  return self->difference != G_MAXUINT && is_selected (self, self->difference) ? self->difference
                                                                               : G_MAXUINT;
}

void
scope_document_select_difference (ScopeDocument *self, guint step)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  ScopeComparison *comparison = scope_document_get_comparison (self);
  SymId value = SYM_NO_ID, call = SYM_NO_ID;
  guint n;

  if (step >= scope_document_get_n_differences (self))
    return;
  self->difference = step;
  if (comparison != NULL)
    scope_comparison_get_place (comparison, step, &value, &call);
  else
    value = list_far (self, &n)[step];
  if (value != SYM_NO_ID)
    scope_document_select_value (self, value);
  else
    scope_document_select_call (self, call);
  scope_document_emit_changed (self, SCOPE_CHANGE_COMPARISON_STEP);
}

void
scope_document_step_difference (ScopeDocument *self, gboolean forward)
{
  g_return_if_fail (SCOPE_IS_DOCUMENT (self));

  guint n = scope_document_get_n_differences (self);

  if (n == 0)
    return;
  scope_document_select_difference (self, scope_document_get_comparison (self) != NULL
                                              ? find_step (self, n, forward)
                                              : find_next_far (self, forward));
}
