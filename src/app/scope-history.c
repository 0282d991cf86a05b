/* SPDX-License-Identifier: MIT */
#include "app/scope-history.h"

#define MAX_MOMENTS 500 /* older ones are forgotten */

struct _ScopeHistory {
  GArray *moments; /* of ScopeMoment, oldest first */
  guint now;       /* the present one */
};

static gboolean
is_same_view (const ScopeMoment *a, const ScopeMoment *b)
{
  return scope_node_equal (&a->node, &b->node) && a->frame == b->frame &&
         scope_focus_has_same_trace (&a->focus, &b->focus) &&
         scope_focus_has_same_part (&a->focus, &b->focus);
}

static void
clear_moment (gpointer data)
{
  ScopeMoment *moment = data;

  g_clear_pointer (&moment->folding, sym_folding_unref);
}

static ScopeMoment
copy_moment (const ScopeMoment *moment)
{
  ScopeMoment copy = *moment;

  if (copy.folding != NULL)
    sym_folding_ref (copy.folding);
  return copy;
}

static void
append (ScopeHistory *self, const ScopeMoment *moment)
{
  ScopeMoment copy = copy_moment (moment);

  g_array_append_val (self->moments, copy);
}

static void
remember (ScopeHistory *self, const ScopeMoment *moment)
{
  if (self->moments->len == 0)
    {
      append (self, moment);
      return;
    }
  ScopeMoment copy = copy_moment (moment);

  clear_moment (&g_array_index (self->moments, ScopeMoment, self->now));
  g_array_index (self->moments, ScopeMoment, self->now) = copy;
}

ScopeHistory *
scope_history_new (void)
{
  ScopeHistory *self = g_new0 (ScopeHistory, 1);

  self->moments = g_array_new (FALSE, FALSE, sizeof (ScopeMoment));
  g_array_set_clear_func (self->moments, clear_moment);
  return self;
}

void
scope_history_free (ScopeHistory *self)
{
  g_array_unref (self->moments);
  g_free (self);
}

void
scope_history_clear (ScopeHistory *self)
{
  g_array_set_size (self->moments, 0);
  self->now = 0;
}

void
scope_history_visit (ScopeHistory *self, const ScopeMoment *before, const ScopeMoment *now)
{
  if (is_same_view (before, now))
    return;
  remember (self, before);
  g_array_set_size (self->moments, self->now + 1);
  append (self, now);
  if (self->moments->len > MAX_MOMENTS)
    g_array_remove_index (self->moments, 0);
  self->now = self->moments->len - 1;
}

gboolean
scope_history_can_go (const ScopeHistory *self, gboolean forward)
{
  return forward ? self->now + 1 < self->moments->len : self->now > 0;
}

const ScopeMoment *
scope_history_go (ScopeHistory *self, gboolean forward, const ScopeMoment *before)
{
  if (!scope_history_can_go (self, forward))
    return NULL;
  remember (self, before);
  self->now = forward ? self->now + 1 : self->now - 1;
  return &g_array_index (self->moments, ScopeMoment, self->now);
}
