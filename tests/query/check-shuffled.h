/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "query/sym-groups.h"

/* The same model with its calls in another order, in which each still comes after what it uses.  It
 * must have no cycle.  @calls (by call of the copy) receives which call of @model each one is. */
static inline SymModel *
shuffle_model (SymModel *model, guint32 seed, SymId **calls)
{
  SymModelBuilder *builder = sym_model_builder_new (sym_model_get_dialect (model));
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (SymId));
  g_autofree SymId *values = g_new (SymId, sym_model_get_n_values (model) + 1);
  g_autofree guint *n_waits = g_new0 (guint, sym_model_get_n_calls (model) + 1);
  SymIds order = sym_model_get_execution_order (model);
  SymIds outputs = sym_model_get_outputs (model);
  guint n = 0;

  g_assert_false (sym_model_has_cycle (model));
  *calls = g_new (SymId, order.n + 1);
  for (SymId i = 0; i < sym_model_get_n_values (model); i++)
    {
      SymType type;

      if (!sym_model_has_value (model, i) || sym_model_get_producer (model, i) != SYM_NO_ID)
        continue;
      type = sym_type_tensor (SYM_DTYPE_FLOAT32, SYM_SHAPE (1, 8));
      values[i] = sym_model_builder_add_value (builder, sym_model_get_value_name (model, i),
                                               sym_model_get_role (model, i), &type);
    }
  for (guint i = 0; i < order.n; i++)
    {
      SymIds operands = sym_model_get_operands (model, order.ids[i]);

      for (guint k = 0; k < operands.n; k++)
        n_waits[order.ids[i]] += operands.ids[k] != SYM_NO_ID &&
                                 sym_model_get_producer (model, operands.ids[k]) != SYM_NO_ID;
      if (n_waits[order.ids[i]] == 0)
        g_array_append_val (ready, order.ids[i]);
    }
  while (ready->len > 0)
    {
      guint pick = (guint) g_rand_int_range (random, 0, (int) ready->len);
      SymId call = g_array_index (ready, SymId, pick);
      SymIds operands = sym_model_get_operands (model, call);
      SymIds results = sym_model_get_results (model, call);
      g_autofree SymId *moved = g_new (SymId, operands.n + 1);
      SymId copy;

      g_array_remove_index_fast (ready, pick);
      for (guint k = 0; k < operands.n; k++)
        moved[k] = operands.ids[k] == SYM_NO_ID ? SYM_NO_ID : values[operands.ids[k]];
      copy = sym_model_builder_add_call (builder, sym_model_get_call_name (model, call),
                                         sym_model_get_layer (model, call), moved, operands.n,
                                         results.n);
      g_assert_cmpuint (copy, ==, n);
      (*calls)[n++] = call;
      for (guint k = 0; k < results.n; k++)
        {
          SymIds users = sym_model_get_consumers (model, results.ids[k]);

          values[results.ids[k]] = sym_model_builder_get_result (builder, copy, k);
          for (guint u = 0; u < users.n; u++)
            if (--n_waits[users.ids[u]] == 0)
              g_array_append_val (ready, users.ids[u]);
        }
    }
  g_assert_cmpuint (n, ==, order.n);
  for (guint i = 0; i < outputs.n; i++)
    sym_model_builder_add_output (builder, values[outputs.ids[i]]);
  return sym_model_builder_end (builder);
}

/* The same groups are found wherever in the file calls are: with equal names, in equal runs, of the
 * same calls in the same order. */
static inline void
check_shuffled (SymGroups *groups, guint32 seed)
{
  g_autofree SymId *calls = NULL;
  g_autoptr (SymModel) shuffled = shuffle_model (sym_groups_get_model (groups), seed, &calls);
  g_autoptr (SymGroups) again = sym_groups_new (shuffled);
  SymIds order = sym_groups_get_order (groups);
  SymIds other = sym_groups_get_order (again);

  g_assert_cmpuint (order.n, ==, other.n);
  for (guint i = 0; i < order.n; i++)
    g_assert_cmpuint (order.ids[i], ==, calls[other.ids[i]]);
  g_assert_cmpuint (sym_groups_get_n (groups), ==, sym_groups_get_n (again));
  for (guint i = 0; i < sym_groups_get_n (groups); i++)
    {
      const SymGroup *a = sym_groups_get (groups, i);
      const SymGroup *b = sym_groups_get (again, i);

      g_assert_cmpint (a->kind, ==, b->kind);
      g_assert_cmpstr (a->name, ==, b->name);
      g_assert_cmpuint (a->parent, ==, b->parent);
      g_assert_cmpuint (a->run, ==, b->run);
      g_assert_cmpuint (a->n_calls, ==, b->n_calls);
      g_assert_cmpuint (sym_groups_get_calls (groups, i).ids[0], ==,
                        calls[sym_groups_get_calls (again, i).ids[0]]);
    }
}
