/* SPDX-License-Identifier: MIT */
#include "app/scope-canvas-private.h"

/* What the last run found: layers that did not run of themselves, and where numbers go bad. */

#define MAX_BAD 2000 /* from there on everything is bad, and the first one is what counts */

/* NULL when the last run was of another model. */
static SymRecord *
get_record (ScopeCanvas *self)
{
  SymRecord *record = scope_document_get_record (self->document);

  if (record == NULL || sym_record_get_model (record) != scope_document_get_model (self->document))
    return NULL;
  return record;
}

void
scope_canvas_collect_failed (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  SymRecord *record = get_record (self);
  guint n = record != NULL ? sym_model_get_n_calls (sym_record_get_model (record)) : 0;

  for (SymId call = 0; call < n; call++)
    if (sym_record_is_to_blame (record, call))
      scope_highlight_add (light, layout, SYM_NO_ID, call);
}

void
scope_canvas_collect_bad (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  SymRecord *record = get_record (self);

  if (record == NULL)
    return;
  SymIds rows = sym_model_get_rows (sym_record_get_model (record));

  for (guint i = 0; i < rows.n && light->rects->len < MAX_BAD; i++)
    if (sym_record_is_bad (record, rows.ids[i]))
      scope_highlight_add (light, layout, rows.ids[i], SYM_NO_ID);
}

void
scope_canvas_collect_first_bad (ScopeCanvas *self, const SymLayout *layout, ScopeHighlight *light)
{
  SymRecord *record = get_record (self);
  SymId first = record != NULL ? sym_record_get_first_bad (record) : SYM_NO_ID;

  if (first != SYM_NO_ID)
    scope_highlight_add (light, layout, first, SYM_NO_ID);
}
