/* SPDX-License-Identifier: MIT */
#include "app/scope-focus.h"

#include <glib/gi18n.h>

#include "app/scope-text.h"

ScopeFocus
scope_focus_get_whole (void)
{
  return (ScopeFocus){ .trace = SCOPE_TRACE_NONE,
                       .from = SYM_TRACE_VALUE (SYM_NO_ID),
                       .to = SYM_TRACE_VALUE (SYM_NO_ID),
                       .around = SYM_NO_ID,
                       .n_hops = SCOPE_DEFAULT_HOPS };
}

static gboolean
is_same_entry (SymEntry a, SymEntry b)
{
  return a.is_call == b.is_call && a.id == b.id;
}

gboolean
scope_focus_has_same_trace (const ScopeFocus *a, const ScopeFocus *b)
{
  if (a->trace != b->trace)
    return FALSE;
  if (a->trace == SCOPE_TRACE_NONE)
    return TRUE;
  return is_same_entry (a->from, b->from) &&
         (a->trace != SCOPE_TRACE_PATH || is_same_entry (a->to, b->to));
}

gboolean
scope_focus_has_same_part (const ScopeFocus *a, const ScopeFocus *b)
{
  return a->around == b->around && (a->around == SYM_NO_ID || a->n_hops == b->n_hops);
}

SymTrace *
scope_focus_trace (const ScopeFocus *self, SymModel *model)
{
  switch (self->trace) {
  case SCOPE_TRACE_ANCESTORS:
    return sym_trace_new (model, self->from, SYM_TRACE_ANCESTORS);
  case SCOPE_TRACE_DESCENDANTS:
    return sym_trace_new (model, self->from, SYM_TRACE_DESCENDANTS);
  case SCOPE_TRACE_BOTH:
    return sym_trace_new (model, self->from, SYM_TRACE_BOTH);
  case SCOPE_TRACE_PATH:
    return sym_trace_new_path (model, self->from, self->to);
  case SCOPE_TRACE_NONE:
  case SCOPE_TRACE_CHOOSING:
  default:
    return NULL;
  }
}

static const char *
get_name (SymModel *model, SymEntry entry)
{
  const char *name = entry.is_call ? sym_model_get_call_name (model, entry.id)
                                   : scope_text_name (model, entry.id);

  return name != NULL && *name != '\0' ? name : "?";
}

static char *
tell_path (const ScopeFocus *self, SymModel *model, const SymTrace *trace)
{
  const char *from = get_name (model, self->from), *to = get_name (model, self->to);

  if (trace == NULL)
    return g_strdup_printf (_("No path joins “%s” and “%s”"), from, to);
  guint n = sym_trace_get_calls (trace).n;

  return g_strdup_printf (ngettext ("Path between “%s” and “%s” · %u layer",
                                    "Path between “%s” and “%s” · %u layers", n),
                          from, to, n);
}

static char *
tell_relatives (const ScopeFocus *self, SymModel *model, const SymTrace *trace)
{
  const char *name = get_name (model, self->from);
  guint n = trace != NULL ? sym_trace_get_n_values (trace) : 0;
  g_autofree char *count = g_strdup_printf (ngettext ("%u node", "%u nodes", n), n);

  if (self->trace == SCOPE_TRACE_ANCESTORS)
    return g_strdup_printf (_("Ancestors of “%s” · %s"), name, count);
  if (self->trace == SCOPE_TRACE_DESCENDANTS)
    return g_strdup_printf (_("Descendants of “%s” · %s"), name, count);
  return g_strdup_printf (_("Ancestors and descendants of “%s” · %s"), name, count);
}

char *
scope_focus_trace_to_string (const ScopeFocus *self, SymModel *model, const SymTrace *trace)
{
  switch (self->trace) {
  case SCOPE_TRACE_NONE:
    return NULL;
  case SCOPE_TRACE_CHOOSING:
    return g_strdup_printf (_("Path from “%s”: click its end, or press P there"),
                            get_name (model, self->from));
  case SCOPE_TRACE_PATH:
    return tell_path (self, model, trace);
  case SCOPE_TRACE_ANCESTORS:
  case SCOPE_TRACE_DESCENDANTS:
  case SCOPE_TRACE_BOTH:
  default:
    return tell_relatives (self, model, trace);
  }
}
