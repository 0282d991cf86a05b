/* SPDX-License-Identifier: MIT */
#include "core/sym-rule-private.h"

#include <string.h>

#include "core/sym-text.h"

/* What is plain are integers of either sign; what is not may be terms, which are others elsewhere.
 */
static gboolean
has_integers_only (const SymKnown *known)
{
  for (int i = 0; known != NULL && !known->plain && i < known->n; i++)
    if (known->values[i] < 0)
      return FALSE;
  return TRUE;
}

gboolean
sym_rule_values_read (const SymFact *fact, SymRuleValues *self)
{
  self->known = fact->known;
  self->floats = fact->floats;
  return fact->table == NULL && has_integers_only (fact->known);
}

static gboolean
is_same_known (const SymKnown *a, const SymKnown *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return a->n == b->n && a->plain == b->plain &&
         memcmp (a->values, b->values, (gsize) a->n * sizeof *a->values) == 0;
}

static gboolean
is_same_floats (const SymKnownFloats *a, const SymKnownFloats *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return a->n == b->n && memcmp (a->values, b->values, (gsize) a->n * sizeof *a->values) == 0;
}

gboolean
sym_rule_values_equal (const SymRuleValues *a, const SymRuleValues *b)
{
  return is_same_known (a->known, b->known) && is_same_floats (a->floats, b->floats);
}

guint
sym_rule_values_hash (const SymRuleValues *self)
{
  guint64 hash = 0;

  for (int i = 0; self->known != NULL && i < self->known->n; i++)
    hash = sym_hash_mix (hash, (guint64) self->known->values[i]);
  for (int i = 0; self->floats != NULL && i < self->floats->n; i++)
    {
      guint64 bits;

      memcpy (&bits, &self->floats->values[i], sizeof bits);
      hash = sym_hash_mix (hash, bits);
    }
  return (guint) (hash ^ hash >> 32);
}

SymRuleValues
sym_rule_values_copy (const SymRuleValues *self)
{
  return (SymRuleValues){
    self->known == NULL ? NULL : g_memdup2 (self->known, sizeof *self->known),
    self->floats == NULL ? NULL : g_memdup2 (self->floats, sizeof *self->floats),
  };
}

void
sym_rule_values_clear (SymRuleValues *self)
{
  g_free (self->known);
  g_free (self->floats);
}

void
sym_rule_values_tell (const SymRuleValues *self, SymFact *fact)
{
  SymRuleValues told = { fact->known == NULL ? self->known : NULL,
                         fact->floats == NULL ? self->floats : NULL };

  fact->changed = fact->changed || told.known != NULL || told.floats != NULL;
  told = sym_rule_values_copy (&told);
  if (told.known != NULL)
    fact->known = told.known;
  if (told.floats != NULL)
    fact->floats = told.floats;
}
