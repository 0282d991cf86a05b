/* SPDX-License-Identifier: MIT */
#pragma once

#include "query/sym-groups.h"

/* What must hold of any groups, found out anew from the model. */

/* Where calls are in the order that groups are parts of, which must be one of execution. */
static inline guint *
number_calls (const SymGroups *groups)
{
  SymModel *model = sym_groups_get_model (groups);
  SymIds order = sym_groups_get_order (groups);
  guint n = sym_model_get_n_calls (model);
  guint *positions = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    positions[i] = G_MAXUINT;
  for (guint i = 0; i < order.n; i++)
    {
      g_assert_cmpuint (positions[order.ids[i]], ==, G_MAXUINT);
      positions[order.ids[i]] = i;
    }
  for (guint i = 0; i < n; i++)
    g_assert_true (sym_model_has_call (model, i) == (positions[i] != G_MAXUINT));
  return positions;
}

static inline void
check_order (const SymGroups *groups, const guint *positions)
{
  SymModel *model = sym_groups_get_model (groups);
  SymIds order = sym_groups_get_order (groups);

  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (model, order.ids[i]);

      for (guint k = 0; k < operands.n; k++)
        {
          SymId producer = operands.ids[k] == SYM_NO_ID
                               ? SYM_NO_ID
                               : sym_model_get_producer (model, operands.ids[k]);

          if (producer != SYM_NO_ID && !sym_model_is_back_edge (model, order.ids[i], k))
            g_assert_cmpuint (positions[producer], <, i);
        }
    }
}

/* Groups nest, and each has the calls that say so. */
static inline void
check_cover (const SymGroups *groups)
{
  SymModel *model = sym_groups_get_model (groups);
  SymIds order = sym_model_get_execution_order (model);
  g_autofree guint *counts = g_new0 (guint, sym_groups_get_n (groups) + 1);

  for (guint i = 0; i < order.n; i++)
    for (guint k = sym_groups_find_call (groups, order.ids[i]); k != SYM_NO_GROUP;
         k = sym_groups_get (groups, k)->parent)
      counts[k]++;
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);

      g_assert_cmpuint (group->n_calls, ==, counts[i]);
      g_assert_cmpuint (sym_groups_get_calls (groups, i).n, ==, counts[i]);
      g_assert_cmpuint (group->n_calls, >=, group->kind == SYM_GROUP_BRANCH ? 1 : 2);
      g_assert_cmpuint (group->n_calls, <, order.n);
      g_assert_true (group->name != NULL && group->name[0]);
      if (group->parent != SYM_NO_GROUP)
        {
          g_assert_cmpuint (group->parent, <, i);
          g_assert_cmpuint (group->n_calls, <, sym_groups_get (groups, group->parent)->n_calls);
        }
    }
}

/* No path leaves a group and comes back: what is used by a call of the group is made in it or
 * before all of it, as the calls of a group are neighbours in that order. */
static inline void
check_convex (const SymGroups *groups, const guint *positions)
{
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      SymIds calls = sym_groups_get_calls (groups, i);

      for (guint k = 0; k < calls.n; k++)
        g_assert_cmpuint (positions[calls.ids[k]], ==, positions[calls.ids[0]] + k);
    }
}

/* Where in the group an operand is made: the call, counted from the first, or G_MAXUINT. */
static inline guint
find_maker (SymModel *model, const guint *positions, SymIds calls, SymId operand)
{
  SymId producer = operand == SYM_NO_ID ? SYM_NO_ID : sym_model_get_producer (model, operand);
  guint position;

  if (producer == SYM_NO_ID)
    return G_MAXUINT;
  position = positions[producer] - positions[calls.ids[0]];
  return position < calls.n ? position : G_MAXUINT;
}

/* The calls of both groups are of the same types, and so are their uses of each other. */
static inline void
check_equal (SymModel *model, const guint *positions, SymIds a, SymIds b)
{
  g_assert_cmpuint (a.n, ==, b.n);
  for (guint i = 0; i < a.n; i++)
    {
      SymIds of_a = sym_model_get_data_operands (model, a.ids[i]);
      SymIds of_b = sym_model_get_data_operands (model, b.ids[i]);
      guint n_a = 0;
      guint n_b = 0;

      g_assert_cmpstr (sym_layer_get_type (sym_model_get_layer (model, a.ids[i])), ==,
                       sym_layer_get_type (sym_model_get_layer (model, b.ids[i])));
      for (;;)
        {
          while (n_a < of_a.n && find_maker (model, positions, a, of_a.ids[n_a]) == G_MAXUINT)
            n_a++;
          while (n_b < of_b.n && find_maker (model, positions, b, of_b.ids[n_b]) == G_MAXUINT)
            n_b++;
          if (n_a == of_a.n || n_b == of_b.n)
            break;
          g_assert_cmpuint (find_maker (model, positions, a, of_a.ids[n_a++]), ==,
                            find_maker (model, positions, b, of_b.ids[n_b++]));
        }
      g_assert_true (n_a == of_a.n && n_b == of_b.n);
    }
}

static inline void
check_runs (const SymGroups *groups, const guint *positions)
{
  SymModel *model = sym_groups_get_model (groups);

  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *group = sym_groups_get (groups, i);
      const SymGroup *first;
      const guint *run;
      guint n;

      if (group->run == SYM_NO_GROUP)
        {
          g_assert_true (group->kind == SYM_GROUP_SCOPE || group->kind == SYM_GROUP_STAGE);
          continue;
        }
      run = sym_groups_get_run (groups, group->run, &n);
      first = sym_groups_get (groups, run[0]);
      g_assert_cmpuint (n, >=, group->kind == SYM_GROUP_BRANCH ? 3 : 2);
      g_assert_cmpuint (run[group->place], ==, i);
      g_assert_cmpuint (group->parent, ==, first->parent);
      g_assert_cmpint (group->kind, ==, first->kind);
      check_equal (model, positions, sym_groups_get_calls (groups, run[0]),
                   sym_groups_get_calls (groups, i));
      if (group->place > 0)
        g_assert_cmpuint (positions[sym_groups_get_calls (groups, i).ids[0]], ==,
                          positions[sym_groups_get_calls (groups, run[group->place - 1]).ids[0]] +
                              group->n_calls);
    }
}

static inline void
check_groups (const SymGroups *groups)
{
  g_autofree guint *positions = number_calls (groups);

  check_order (groups, positions);
  check_cover (groups);
  check_convex (groups, positions);
  check_runs (groups, positions);
}
