/* SPDX-License-Identifier: MIT */
#include "app/scope-distances.h"

#include <glib/gi18n.h>

struct _ScopeDistances {
  gatomicrefcount ref_count;
  guint n_values; /* of the own graph */
  guint n_known;
  GArray *far; /* of SymId, those that are too far away */
  SymDistance *by_value;
  guint8 *is_far;         /* by value, too: the same as @far */
  guint *entries;         /* by value: one more than the entry that is compared, 0 for none */
  SymReference *expected; /* of a file; NULL: it is another graph */
  char **notes;           /* by its entries, NULL where there is nothing to be said */
  guint8 *is_unlike;      /* likewise: it is not compared */
};

static ScopeDistances *
create (SymModel *own)
{
  ScopeDistances *self = g_new0 (ScopeDistances, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->n_values = sym_model_get_n_values (own);
  self->by_value = g_new0 (SymDistance, self->n_values + 1);
  self->is_far = g_new0 (guint8, self->n_values + 1);
  self->entries = g_new0 (guint, self->n_values + 1);
  self->far = g_array_new (FALSE, FALSE, sizeof (SymId));
  return self;
}

static void
take_one (ScopeDistances *self, SymId value, const SymDistance *distance, gboolean is_far)
{
  self->by_value[value] = *distance;
  self->n_known += distance->is_known ? 1 : 0;
  self->is_far[value] = is_far;
  if (is_far)
    g_array_append_val (self->far, value);
}

/* ---- From another graph ---- */

/* In the order of the pairs. */
static void
take (ScopeDistances *self, const SymId *values, const SymDistance *distances, guint n)
{
  for (guint i = 0; i < n; i++)
    take_one (
        self, values[i], &distances[i],
        sym_distance_exceeds (&distances[i], SCOPE_DISTANCE_RELATIVE, SCOPE_DISTANCE_ABSOLUTE));
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
  ScopeDistances *self = create (own);

  take (self, actual, distances, pairs->len);
  return self;
}

/* ---- From numbers of a file ---- */

static char *
make_note (const SymReference *expected, guint i, SymFindingKind kind, const SymRecord *run)
{
  g_autofree char *was = sym_reference_format_expected (expected, i);
  g_autofree char *is = sym_reference_format_actual (expected, i, run);

  switch (kind)
    {
    case SYM_FINDING_DTYPE:
    case SYM_FINDING_SHAPE:
    case SYM_FINDING_NO_NUMBERS:
      /* Translators: dtypes and shapes, "is float32[2,3] and was float64[3,2]" */
      return g_strdup_printf (_ ("is %s and was %s"), is != NULL ? is : _ ("no tensor"), was);
    case SYM_FINDING_NOT_COMPUTED:
      return g_strdup (_ ("the run has not computed it"));
    case SYM_FINDING_AGAIN:
      return g_strdup (_ ("another array is of the same value"));
    case SYM_FINDING_UNKNOWN:
      return g_strdup (_ ("no value or layer of the graph is called so"));
    case SYM_FINDING_MEASURED:
      break;
    }
  return NULL;
}

static void
take_findings (ScopeDistances *self, const SymFinding *findings, const SymRecord *run)
{
  guint n = sym_reference_get_n (self->expected);

  self->notes = g_new0 (char *, n + 1);
  self->is_unlike = g_new0 (guint8, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const SymReferenceEntry *entry = sym_reference_get (self->expected, i);
      SymFindingKind kind = findings[i].kind;

      self->notes[i] = make_note (self->expected, i, kind, run);
      self->is_unlike[i] = kind > SYM_FINDING_SHAPE;
      if (entry->value != SYM_NO_ID && !entry->is_again)
        self->entries[entry->value] = i + 1;
      if (kind < SYM_FINDING_AGAIN)
        take_one (
            self, entry->value, &findings[i].distance,
            sym_finding_exceeds (&findings[i], SCOPE_DISTANCE_RELATIVE, SCOPE_DISTANCE_ABSOLUTE));
    }
}

ScopeDistances *
scope_distances_new_expected (SymReference *expected,
                              const SymRecord *run,
                              GCancellable *cancellable,
                              GError **error)
{
  g_return_val_if_fail (expected != NULL && run != NULL, NULL);

  g_autofree SymFinding *findings = g_new0 (SymFinding, sym_reference_get_n (expected) + 1);

  if (!sym_reference_measure (expected, run, findings, cancellable, error))
    return NULL;
  ScopeDistances *self = create (sym_reference_get_model (expected));

  self->expected = sym_reference_ref (expected);
  take_findings (self, findings, run);
  return self;
}

/* ---- What is known ---- */

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
  for (guint i = 0; self->expected != NULL && i < sym_reference_get_n (self->expected); i++)
    g_free (self->notes[i]);
  g_free (self->notes);
  g_free (self->is_unlike);
  sym_reference_unref (self->expected);
  g_array_unref (self->far);
  g_free (self->is_far);
  g_free (self->entries);
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

gboolean
scope_distances_has_other_shape (const ScopeDistances *self, SymId value)
{
  return value != SYM_NO_ID && value < self->n_values && self->is_far[value] &&
         !self->by_value[value].is_known;
}

SymId
scope_distances_get_first (const ScopeDistances *self)
{
  return self->far->len > 0 ? g_array_index (self->far, SymId, 0) : SYM_NO_ID;
}

guint
scope_distances_get_n (const ScopeDistances *self)
{
  return self->n_known;
}

const SymId *
scope_distances_get_far (const ScopeDistances *self, guint *n)
{
  *n = self->far->len;
  return (const SymId *) (gconstpointer) self->far->data;
}

const char *
scope_distances_get_note (const ScopeDistances *self, SymId value)
{
  if (value == SYM_NO_ID || value >= self->n_values || self->entries[value] == 0)
    return NULL;
  return self->notes[self->entries[value] - 1];
}

gboolean
scope_distances_next_unlike (const ScopeDistances *self,
                             guint *i,
                             const char **name,
                             const char **why)
{
  guint n = self->expected != NULL ? sym_reference_get_n (self->expected) : 0;

  while (*i < n && !self->is_unlike[*i])
    (*i)++;
  if (*i >= n)
    return FALSE;
  *name = sym_reference_get (self->expected, *i)->name;
  *why = self->notes[*i];
  (*i)++;
  return TRUE;
}
