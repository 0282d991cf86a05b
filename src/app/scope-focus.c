/* SPDX-License-Identifier: MIT */
#include "app/scope-focus.h"

#include <glib/gi18n.h>

#include "app/scope-cut.h"

#include "app/scope-text.h"

ScopeFocus
scope_focus_get_whole (void)
{
  return (ScopeFocus){ .trace = SCOPE_TRACE_NONE,
                       .from = SYM_TRACE_VALUE (SYM_NO_ID),
                       .to = SYM_TRACE_VALUE (SYM_NO_ID),
                       .around = SYM_NO_ID,
                       .group = SYM_NO_GROUP,
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
  if (a->around != b->around)
    return FALSE;
  return a->around == SYM_NO_ID ||
         (a->n_hops == b->n_hops && a->group == b->group && a->n_merged == b->n_merged);
}

static void
append_results (SymModel *model, SymIds calls, GArray *values)
{
  for (guint i = 0; i < calls.n; i++)
    {
      SymIds results = sym_model_get_results (model, calls.ids[i]);

      g_array_append_vals (values, results.ids, results.n);
    }
}

static void
append_groups (const ScopeFocus *self, SymModel *model, const SymGroups *groups, GArray *values)
{
  const SymGroup *first = sym_groups_get (groups, self->group);
  const guint *run = &self->group;
  guint n;

  if (first->run != SYM_NO_GROUP)
    run = sym_groups_get_run (groups, first->run, &n) + first->place;
  for (guint i = 0; i < self->n_merged; i++)
    append_results (model, sym_groups_get_calls (groups, run[i]), values);
}

SymSelection *
scope_focus_select (const ScopeFocus *self, SymModel *model, const SymGroups *groups)
{
  g_return_val_if_fail (self->around != SYM_NO_ID, NULL);
  g_return_val_if_fail (self->group == SYM_NO_GROUP || groups != NULL, NULL);

  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (SymId));

  if (self->group != SYM_NO_GROUP)
    append_groups (self, model, groups, values);
  else
    g_array_append_val (values, self->around);
  return sym_selection_new_around (model, (const SymId *) (gconstpointer) values->data, values->len,
                                   self->n_hops);
}

const char *
scope_focus_get_part_name (const ScopeFocus *self, SymModel *model, const SymGroups *groups)
{
  return self->group == SYM_NO_GROUP || groups == NULL ? scope_text_name (model, self->around)
                                                       : sym_groups_get (groups, self->group)->name;
}

SymTrace *
scope_focus_trace (const ScopeFocus *self, SymModel *model)
{
  switch (self->trace)
    {
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
  const char *name =
      entry.is_call ? sym_model_get_call_name (model, entry.id) : scope_text_name (model, entry.id);

  return name != NULL && *name != '\0' ? name : "?";
}

static char *
tell_path (const ScopeFocus *self, SymModel *model, const SymTrace *trace)
{
  const char *from = get_name (model, self->from), *to = get_name (model, self->to);

  if (trace == NULL)
    return g_strdup_printf (_ ("No path joins “%s” and “%s”"), from, to);
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
  g_autofree char *number = scope_format_count (n);
  g_autofree char *count = g_strdup_printf (ngettext ("%s node", "%s nodes", n), number);

  if (self->trace == SCOPE_TRACE_ANCESTORS)
    return g_strdup_printf (_ ("Ancestors of “%s” · %s"), name, count);
  if (self->trace == SCOPE_TRACE_DESCENDANTS)
    return g_strdup_printf (_ ("Descendants of “%s” · %s"), name, count);
  return g_strdup_printf (_ ("Ancestors and descendants of “%s” · %s"), name, count);
}

char *
scope_focus_trace_to_string (const ScopeFocus *self, SymModel *model, const SymTrace *trace)
{
  switch (self->trace)
    {
    case SCOPE_TRACE_NONE:
      return NULL;
    case SCOPE_TRACE_CHOOSING:
      return g_strdup_printf (_ ("Path from “%s”: click its end, or press P there"),
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
