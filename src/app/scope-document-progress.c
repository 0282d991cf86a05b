/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "app/scope-document-private.h"

/* What part of the time from a large file to its picture each stage takes. */
static const double weights[] = {
  [SCOPE_STAGE_READ] = 45,   [SCOPE_STAGE_PREVIEW] = 25, [SCOPE_STAGE_INFER] = 15,
  [SCOPE_STAGE_CUT] = 1,     [SCOPE_STAGE_TRACE] = 1,    [SCOPE_STAGE_LAYOUT] = 9,
  [SCOPE_STAGE_PICTURE] = 4,
};

G_STATIC_ASSERT (G_N_ELEMENTS (weights) == SCOPE_N_STAGES);

/* A stage gets its share of what is left, so that nothing goes back when there is more, or less, to
 * be done than it seemed before. */
void
scope_document_begin_stage (ScopeDocument *self, ScopeStage stage, guint ahead)
{
  double sum = weights[stage];

  for (guint i = 0; i < SCOPE_N_STAGES; i++)
    if (i != stage && (ahead & 1u << i) != 0)
      sum += weights[i];
  self->part.from = self->part.to;
  self->part.to += (1 - self->part.from) * weights[stage] / sum;
  self->stage = stage;
  self->cancellable = g_cancellable_new ();
  sym_progress_watch (self->cancellable);
}

const char *
scope_document_get_progress (ScopeDocument *self)
{
  SymProgress progress;

  if (!self->runs)
    return NULL;
  if (sym_progress_get (self->cancellable, &progress) && progress.stage == SYM_STAGE_GROUP)
    return _ ("Finding groups…");
  return scope_stage_to_string (self->stage);
}

gboolean
scope_document_get_fraction (ScopeDocument *self, double *fraction)
{
  SymProgress progress;

  g_return_val_if_fail (SCOPE_IS_DOCUMENT (self), FALSE);

  if (!self->runs || !sym_progress_get (self->cancellable, &progress))
    return FALSE;
  *fraction = self->part.from + progress.fraction * (self->part.to - self->part.from);
  return progress.is_known;
}
