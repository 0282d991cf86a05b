/* SPDX-License-Identifier: MIT */
#include "app/scope-distances.h"

struct _ScopeDistances {
  gatomicrefcount ref_count;
  guint n_values; /* of the own graph */
  guint n_known;
  SymId first;
  SymDistance *by_value;
};

/* In the order of the pairs. */
static void
take (ScopeDistances *self, const SymId *values, const SymDistance *distances, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      self->by_value[values[i]] = distances[i];
      self->n_known += distances[i].is_known ? 1 : 0;
      if (self->first == SYM_NO_ID &&
          sym_distance_exceeds (&distances[i], SCOPE_DISTANCE_RELATIVE, SCOPE_DISTANCE_ABSOLUTE))
        self->first = values[i];
    }
}

ScopeDistances *
scope_distances_new (const ScopeComparison *comparison,
                     const SymRecord *run,
                     const SymRecord *reference,
                     GCancellable *cancellable,
                     GError **error)
{
  g_return_val_if_fail (comparison != NULL && run != NULL && reference != NULL, NULL);

  SymModel *own = sym_inference_get_model (scope_comparison_get_own (comparison));
  SymModel *other = sym_inference_get_model (scope_comparison_get_other (comparison));
  g_autoptr (GArray) pairs =
      sym_compare_pair_values (scope_comparison_get_compare (comparison), other, own);
  g_autofree SymId *actual = g_new (SymId, pairs->len + 1);
  g_autofree SymId *expected = g_new (SymId, pairs->len + 1);
  g_autofree SymDistance *distances = g_new (SymDistance, pairs->len + 1);

  for (guint i = 0; i < pairs->len; i++)
    {
      actual[i] = g_array_index (pairs, SymComparePair, i).after;
      expected[i] = g_array_index (pairs, SymComparePair, i).before;
    }
  if (!sym_record_measure (run, reference, actual, expected, pairs->len, distances, cancellable,
                           error))
    return NULL;
  ScopeDistances *self = g_new0 (ScopeDistances, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->n_values = sym_model_get_n_values (own);
  self->by_value = g_new0 (SymDistance, self->n_values + 1);
  self->first = SYM_NO_ID;
  take (self, actual, distances, pairs->len);
  return self;
}

ScopeDistances *
scope_distances_ref (ScopeDistances *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
scope_distances_unref (ScopeDistances *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->by_value);
  g_free (self);
}

const SymDistance *
scope_distances_get (const ScopeDistances *self, SymId value)
{
  if (value == SYM_NO_ID || value >= self->n_values || !self->by_value[value].is_known)
    return NULL;
  return &self->by_value[value];
}

SymId
scope_distances_get_first (const ScopeDistances *self)
{
  return self->first;
}

guint
scope_distances_get_n (const ScopeDistances *self)
{
  return self->n_known;
}
