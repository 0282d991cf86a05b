/* SPDX-License-Identifier: MIT */
#include "app/scope-search-job.h"

#include <string.h>

ScopeSearchJob *
scope_search_job_new (SymSummary *summary,
                      SymGroups *groups,
                      SymQueryIndex *index,
                      SymQuery *take_query,
                      double *take_times,
                      guint8 *take_changes,
                      const char *text)
{
  ScopeSearchJob *self = g_new0 (ScopeSearchJob, 1);

  self->summary = sym_summary_ref (summary);
  self->groups = groups != NULL ? sym_groups_ref (groups) : NULL;
  self->index = index != NULL ? sym_query_index_ref (index) : NULL;
  self->query = take_query;
  self->times = take_times;
  self->changes = take_changes;
  self->text = g_strdup (text);
  self->best = G_MAXUINT;
  return self;
}

void
scope_search_job_free (ScopeSearchJob *self)
{
  g_clear_pointer (&self->completions, g_ptr_array_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_pointer (&self->result, sym_query_result_unref);
  g_clear_pointer (&self->index, sym_query_index_unref);
  g_clear_pointer (&self->groups, sym_groups_unref);
  g_clear_pointer (&self->query, sym_query_unref);
  g_free (self->times);
  g_free (self->changes);
  g_free (self->text);
  sym_summary_unref (self->summary);
  g_free (self);
}

/* The hits that are nodes come before all others. */
static void
list_found (ScopeSearchJob *self)
{
  guint n = sym_query_result_get_n (self->result);

  self->best = sym_query_result_get_best (self->result);
  self->found = g_array_new (FALSE, FALSE, sizeof (SymId));
  for (guint i = 0; i < n; i++)
    {
      SymQueryItem item = sym_query_result_get (self->result, i).item;

      if (item.kind != SYM_QUERY_NODE)
        break;
      g_array_append_val (self->found, item.value);
    }
}

static gboolean
is_typed_already (ScopeSearchJob *self, const SymQueryCompletion *completion)
{
  g_autofree char *word =
      g_strndup (self->text + completion->start, completion->end - completion->start);

  return g_str_equal (word, completion->text);
}

static void
complete (ScopeSearchJob *self)
{
  self->completions =
      sym_query_complete (self->index, self->text, self->cursor, self->n_completions);
  for (guint i = self->completions->len; i-- > 0;)
    if (is_typed_already (self, self->completions->pdata[i]))
      g_ptr_array_remove_index (self->completions, i);
}

gboolean
scope_search_job_run (ScopeSearchJob *self, GCancellable *cancellable, GError **error)
{
  if (self->index == NULL)
    {
      self->index = sym_query_index_new (self->summary, self->groups);
      if (self->times != NULL)
        sym_query_index_set_times (self->index, self->times);
      if (self->changes != NULL)
        sym_query_index_set_changes (self->index, self->changes);
    }
  if (self->n_completions > 0)
    complete (self);
  if (self->query == NULL)
    return !g_cancellable_set_error_if_cancelled (cancellable, error);
  self->result = sym_query_run (self->query, self->index, cancellable, error);
  if (self->result == NULL)
    return FALSE;
  list_found (self);
  return TRUE;
}
