/* SPDX-License-Identifier: MIT */
#include "core/sym-edit-private.h"

/* ---- Who uses what ---- */

static void
append_to (GHashTable *lists, guint key, SymId call)
{
  GArray *calls = g_hash_table_lookup (lists, GUINT_TO_POINTER (key));

  if (calls == NULL)
    {
      calls = g_array_new (FALSE, FALSE, sizeof (SymId));
      g_hash_table_insert (lists, GUINT_TO_POINTER (key), calls);
    }
  g_array_append_val (calls, call);
}

static GHashTable *
new_lists (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
}

/* ---- Ranks ---- */

static void
ensure_ranks (SymEdit *self)
{
  SymIds order = sym_model_get_execution_order (self->base);

  if (self->ranks == NULL)
    {
      self->ranks = g_array_new (FALSE, TRUE, sizeof (guint));
      g_array_set_size (self->ranks, sym_model_get_n_calls (self->base));
      for (guint i = 0; i < order.n; i++)
        g_array_index (self->ranks, guint, order.ids[i]) = i + 1;
      self->is_ranked = !sym_model_has_cycle (self->base);
    }
  g_array_set_size (self->ranks, sym_model_builder_get_n_calls (self->builder));
}

static guint
get_rank (SymEdit *self, SymId call)
{
  return call == SYM_NO_ID ? 0 : g_array_index (self->ranks, guint, call);
}

static guint
get_maker_rank (SymEdit *self, SymId value)
{
  return value == SYM_NO_ID
             ? 0
             : get_rank (self, sym_model_builder_get_producer (self->builder, value));
}

void
sym_edit_rank_new_call (SymEdit *self, SymId call)
{
  SymIds operands = sym_model_builder_get_operands (self->builder, call);
  guint rank = 0;

  ensure_ranks (self);
  for (guint i = 0; i < operands.n; i++)
    rank = MAX (rank, get_maker_rank (self, operands.ids[i]));
  g_array_index (self->ranks, guint, call) = rank;
}

void
sym_edit_note_use (SymEdit *self, SymId call, SymId value)
{
  guint rank, maker;

  if (value == SYM_NO_ID)
    return;
  if (self->new_users == NULL)
    self->new_users = new_lists ();
  append_to (self->new_users, value, call);

  ensure_ranks (self);
  rank = get_rank (self, call);
  maker = get_maker_rank (self, value);
  if (maker > rank || (maker == rank && maker > 0 && call < sym_model_get_n_calls (self->base)))
    self->is_ranked = FALSE;
}

/* ---- Users ---- */

void
sym_edit_collect_users (SymEdit *self, SymId value, GArray *calls)
{
  GArray *added = self->new_users == NULL
                      ? NULL
                      : g_hash_table_lookup (self->new_users, GUINT_TO_POINTER (value));

  if (value < sym_model_get_n_values (self->base))
    {
      SymIds users = sym_model_get_consumers (self->base, value);

      g_array_append_vals (calls, users.ids, users.n);
    }
  if (added != NULL)
    g_array_append_vals (calls, added->data, added->len);
}

SymId
sym_edit_find_user (SymEdit *self, SymId value)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));

  sym_edit_collect_users (self, value, calls);
  for (guint i = 0; i < calls->len; i++)
    {
      SymId call = g_array_index (calls, SymId, i);

      if (sym_model_builder_has_call (self->builder, call) &&
          sym_ids_contain (sym_model_builder_get_operands (self->builder, call), value))
        return call;
    }
  return SYM_NO_ID;
}

/* Edits make no control edges, so that those of the base are all there are. */
static void
ensure_control_users (SymEdit *self)
{
  if (self->control_users != NULL)
    return;

  self->control_users = new_lists ();
  for (SymId call = 0; call < sym_model_get_n_calls (self->base); call++)
    {
      SymIds controls = sym_model_get_controls (self->base, call);

      for (guint i = 0; i < controls.n; i++)
        append_to (self->control_users, controls.ids[i], call);
    }
}

SymId
sym_edit_find_control_user (SymEdit *self, SymId call)
{
  GArray *users;

  ensure_control_users (self);
  users = g_hash_table_lookup (self->control_users, GUINT_TO_POINTER (call));
  for (guint i = 0; users != NULL && i < users->len; i++)
    if (sym_model_builder_has_call (self->builder, g_array_index (users, SymId, i)))
      return g_array_index (users, SymId, i);

  return SYM_NO_ID;
}

/* ---- Dependencies ---- */

typedef struct {
  SymEdit *edit;
  GHashTable *seen; /* calls */
  GArray *stack;    /* calls to be looked at */
  guint min_rank;
} Walk;

static void
visit (Walk *self, SymId call)
{
  if (call == SYM_NO_ID ||
      (self->edit->is_ranked && get_rank (self->edit, call) < self->min_rank) ||
      !g_hash_table_add (self->seen, GUINT_TO_POINTER (call)))
    return;
  g_array_append_val (self->stack, call);
}

static void
visit_value (Walk *self, SymId value, SymId until)
{
  if (value != SYM_NO_ID && value != until)
    visit (self, sym_model_builder_get_producer (self->edit->builder, value));
}

static GHashTable *
find_makers (SymEdit *edit, SymId value, SymId until, guint min_rank)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (SymId));
  Walk walk = { edit, g_hash_table_new (NULL, NULL), stack, min_rank };

  visit_value (&walk, value, until);
  while (stack->len > 0)
    {
      SymId call = g_array_index (stack, SymId, stack->len - 1);
      SymIds operands = sym_model_builder_get_operands (edit->builder, call);
      SymIds controls = sym_model_builder_get_controls (edit->builder, call);

      g_array_set_size (stack, stack->len - 1);
      for (guint i = 0; i < operands.n; i++)
        visit_value (&walk, operands.ids[i], until);
      for (guint i = 0; i < controls.n; i++)
        visit (&walk, controls.ids[i]);
    }
  return walk.seen;
}

GHashTable *
sym_edit_find_makers (SymEdit *self, SymId value, SymId until)
{
  ensure_ranks (self);
  return find_makers (self, value, until, get_maker_rank (self, until));
}

gboolean
sym_edit_depends_on (SymEdit *self, SymId value, SymId call)
{
  g_autoptr (GHashTable) makers = NULL;

  ensure_ranks (self);
  makers = find_makers (self, value, SYM_NO_ID, get_rank (self, call));
  return g_hash_table_contains (makers, GUINT_TO_POINTER (call));
}
