/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include <string.h>

#include "core/sym-layer-kind.h"
#include "core/sym-rule-memo-private.h"

/* So many kinds of layers are kept.  A graph of more has few that are alike; fewest of those whose
 * operands are known by more than their types, which leave room for others. */
#define MAX_KINDS 1024
#define MAX_KINDS_BEFORE_VALUES 512

/* What the rule made of the facts of a layer. */
typedef struct {
  SymLayerKind key;          /* as they were before its rule ran, with places for variables */
  SymRuleValues *values;     /* what was known beside their types; NULL for nothing of any */
  SymType *after;            /* NULL where they stay */
  SymRuleValues *found;      /* what is known beside these after; NULL for nothing of any */
  guint32 changed;           /* a bit for each fact that is another one after */
  gboolean is_final;         /* of facts as they are after, the rule finds nothing more */
  gboolean has_numbers_only; /* of sizes, before and after */
  gboolean is_decided;       /* and every type is known after */
  GError *error;             /* a contradiction, of sizes that are all known; NULL for none */
} Kind;

static void
free_values (SymRuleValues *values, guint n)
{
  for (guint i = 0; values != NULL && i < n; i++)
    sym_rule_values_clear (&values[i]);
  g_free (values);
}

static void
kind_free (gpointer data)
{
  Kind *self = data;

  free_values (self->values, self->key.n_inputs);
  free_values (self->found, self->key.n_inputs);
  g_free (self->key.inputs);
  g_free (self->after);
  g_clear_error (&self->error);
  g_free (self);
}

static guint
kind_hash (gconstpointer key)
{
  const Kind *self = key;
  guint hash = sym_layer_kind_hash (&self->key);

  for (guint i = 0; self->values != NULL && i < self->key.n_inputs; i++)
    hash = 31 * hash + sym_rule_values_hash (&self->values[i]);
  return hash;
}

static gboolean
has_values_of (const Kind *self, const Kind *other)
{
  if (self->values == NULL || other->values == NULL)
    return self->values == other->values;
  for (guint i = 0; i < self->key.n_inputs; i++)
    if (!sym_rule_values_equal (&self->values[i], &other->values[i]))
      return FALSE;
  return TRUE;
}

static gboolean
kind_equal (gconstpointer a, gconstpointer b)
{
  const Kind *self = a, *other = b;

  return sym_layer_kind_equal (&self->key, &other->key) && has_values_of (self, other);
}

/* ---- Which are kept ---- */

/* FALSE where what comes of the layer depends on more than what a kind tells. */
static gboolean
is_told_by_kind (const SymRule *self, const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return self->memory != NULL && op != NULL && op->infer != NULL && self->n_outputs > 0 &&
         sym_rule_get_n_facts (self) <= SYM_RULE_MEMO_FACTS && sym_layer_get_n_bodies (layer) == 0;
}

/* ---- Recalling ---- */

static SymType
fill_in (const SymType *type, const SymRuleMemo *memo)
{
  SymType filled = *type;

  for (int i = 0; i < filled.shape.rank; i++)
    if (sym_rule_memo_is_place (filled.shape.dims[i]))
      filled.shape.dims[i] = memo->variables[sym_rule_memo_find_place (filled.shape.dims[i])];
  return filled;
}

/* One value may be two operands, of which more follows than of two.  Adds a bit for each such to
 * @operands, which may be NULL. */
static gboolean
has_twice (const SymRule *self, guint32 *operands)
{
  gboolean is_there = FALSE;

  for (guint i = 1; i < self->n_inputs; i++)
    for (guint k = 0; k < i; k++)
      if (self->inputs[i] == self->inputs[k] && self->inputs[i] != NULL)
        {
          is_there = TRUE;
          if (operands == NULL)
            return TRUE;
          *operands |= (guint32) 1 << i | (guint32) 1 << k;
        }
  return is_there;
}

/* Whether a value that is two operands is among those of @changed: what is told of it as one of
 * them holds at once as the other, unlike in layers of the same kind whose operands are two values.
 */
static gboolean
is_told_twice (const SymRule *self, guint32 changed)
{
  guint32 operands = (guint32) ((G_GUINT64_CONSTANT (1) << self->n_inputs) - 1), twice = 0;

  return (changed & operands) != 0 && has_twice (self, &twice) && (changed & twice) != 0;
}

/* FALSE where the rule tells it better. */
static gboolean
tell (SymRule *self, const Kind *kind, const SymRuleMemo *memo)
{
  if (is_told_twice (self, kind->changed) || (kind->error != NULL && has_twice (self, NULL)))
    return FALSE;
  for (guint i = 0; kind->changed >> i != 0; i++)
    if ((kind->changed >> i & 1) != 0)
      {
        const SymType *after = &kind->after[i];
        SymType filled;

        if (!kind->has_numbers_only)
          {
            filled = fill_in (after, memo);
            after = &filled;
          }
        if (!sym_rule_unify_type (self, sym_rule_peek_fact (self, i), after, NULL))
          return FALSE;
        if (kind->found != NULL)
          sym_rule_values_tell (&kind->found[i], sym_rule_peek_fact (self, i));
      }
  return TRUE;
}

/* Forms may come to be others while they are called the same. */
static gboolean
is_final (const SymRule *self, const SymRuleMemo *memo, const Kind *kind)
{
  return kind->is_final && memo->n_tied == 0 && !has_twice (self, NULL);
}

static gconstpointer *
get_latest (SymRuleMemory *memory, const SymLayer *layer)
{
  gsize place = (gsize) sym_layer_get_operator (layer) / sizeof (SymOperator);

  return &memory->latest[place % SYM_RULE_LATEST];
}

/* Whether that is all that is known of it, as a kind tells it of numbers. */
static gboolean
is_of_type (const SymFact *fact, const SymType *type)
{
  if (fact == NULL)
    return type->kind == SYM_KIND_OPAQUE;
  if (fact->type.kind != type->kind || fact->type.dtype != type->dtype ||
      fact->type.shape.rank != type->shape.rank || fact->known != NULL || fact->table != NULL ||
      fact->floats != NULL)
    return FALSE;
  for (int i = 0; i < type->shape.rank; i++)
    if (fact->type.shape.dims[i] != type->shape.dims[i])
      return FALSE;
  return TRUE;
}

/* The kind of the one before, of numbers only: then there is nothing to read, either.  NULL where
 * it is not that. */
static const Kind *
find_alike (const SymRule *self, const SymLayer *layer)
{
  const Kind *kind = *get_latest (self->memory, layer);

  if (kind == NULL || !kind->has_numbers_only || kind->values != NULL ||
      kind->key.n_inputs != sym_rule_get_n_facts (self) || kind->key.n_outputs != self->n_outputs)
    return NULL;
  for (guint i = 0; i < kind->key.n_inputs; i++)
    if (!is_of_type (sym_rule_peek_fact (self, i), &kind->key.inputs[i]))
      return NULL;
  return sym_layer_kind_works_alike (kind->key.layer, layer) ? kind : NULL;
}

/* Layers of one operator are mostly of the kind of the one before: then there is nothing to hash.
 */
static const Kind *
find_kind (SymRuleMemory *memory, const Kind *wanted)
{
  gconstpointer *latest = get_latest (memory, wanted->key.layer);
  const Kind *kind;

  if (*latest != NULL && kind_equal (*latest, wanted))
    return *latest;
  kind = g_hash_table_lookup (memory->kinds, wanted);
  if (kind != NULL)
    *latest = kind;
  return kind;
}

/* Tells what a kind has; FALSE where the rule tells it better. */
static gboolean
recall (SymRule *self, const Kind *kind, SymRuleMemo *memo, GError **error)
{
  if (!tell (self, kind, memo))
    {
      memo->is_kind = FALSE;
      return FALSE;
    }
  if (kind->error != NULL)
    g_propagate_error (error, g_error_copy (kind->error));
  self->is_final = is_final (self, memo, kind);
  return TRUE;
}

gboolean
sym_rule_recall (SymRule *self, const SymLayer *layer, SymRuleMemo *memo, GError **error)
{
  Kind wanted;
  const Kind *kind;

  memo->kept = NULL;
  memo->n_variables = 0;
  memo->n_tied = 0;
  memo->is_kind = FALSE;
  if (!is_told_by_kind (self, layer))
    return FALSE;
  kind = find_alike (self, layer);
  if (kind != NULL)
    {
      self->is_decided = kind->is_decided;
      return recall (self, kind, memo, error);
    }
  memo->generation = sym_terms_get_generation (self->terms);
  memo->is_dear = self->memory->dear != NULL &&
                  g_hash_table_contains (self->memory->dear, sym_layer_get_operator (layer));
  memo->is_kind = sym_rule_memo_read (self, memo);
  if (!memo->is_kind || self->memory->kinds == NULL)
    return FALSE;
  wanted.key = (SymLayerKind){ layer, sym_rule_get_n_facts (self), self->n_outputs, memo->before };
  wanted.values = memo->has_values ? memo->values : NULL;
  kind = find_kind (self->memory, &wanted);
  return kind != NULL && recall (self, kind, memo, error);
}

/* ---- Keeping ---- */

/* Dimensions that nothing can make others; unlike sym_shape_is_known(), TRUE where there are none,
 * as of an output that nobody has told of. */
static gboolean
has_numbers_only (const SymType *type)
{
  for (int i = 0; i < type->shape.rank; i++)
    if (type->shape.dims[i] < 0)
      return FALSE;
  return TRUE;
}

static gboolean
is_changed (const SymType *before, const SymType *after)
{
  return before->kind != after->kind || before->dtype != after->dtype ||
         !sym_shape_equal (&before->shape, &after->shape);
}

static gboolean
is_bound (const SymTerms *terms, SymDim dim)
{
  return sym_terms_look_up (terms, dim) != dim;
}

static gboolean
is_decided (const SymType *type)
{
  return type->kind == SYM_KIND_TENSOR && type->dtype != SYM_DTYPE_UNKNOWN &&
         type->shape.rank >= 0 && has_numbers_only (type);
}

/* Whether all that the rule found out of sizes, the facts tell: it has bound variables of theirs,
 * and what it made itself, but nothing else. */
static gboolean
is_all_told (const SymRule *self, const SymRuleMemo *memo)
{
  guint64 n_bound = sym_terms_get_generation (self->terms) - memo->generation;
  guint n_terms = sym_terms_get_size (self->terms);

  for (guint i = 0; n_bound > 0 && i < memo->n_variables; i++)
    n_bound -= is_bound (self->terms, memo->variables[i]);
  for (guint i = self->first_fresh; n_bound > 0 && i < n_terms; i++)
    n_bound -= is_bound (self->terms, sym_terms_to_dim (i));
  return n_bound == 0;
}

static gboolean
are_all_bound (const SymTerms *terms, const SymRuleMemo *memo)
{
  for (guint i = 0; i < memo->n_variables; i++)
    if (!is_bound (terms, memo->variables[i]))
      return FALSE;
  return TRUE;
}

/* A term that was there before the rule ran comes of those that are themselves in the kind, unless
 * it may come of a variable that has only a place. */
static gboolean
keep_dim (const SymRule *self, const SymRuleMemo *memo, gboolean may_be_other, SymDim *dim)
{
  for (guint i = 0; i < memo->n_variables; i++)
    if (memo->variables[i] == *dim)
      {
        const SymTerm *term = sym_terms_get_term (self->terms, sym_terms_to_number (*dim));

        *dim = sym_rule_memo_get_place (i, term->name != NULL);
        return TRUE;
      }
  if (*dim >= 0 || sym_rule_memo_has_dim (memo->tied, memo->n_tied, *dim))
    return TRUE;
  for (guint i = 0; i < sym_rule_get_n_facts (self); i++)
    if (sym_rule_memo_has_dim (memo->before[i].shape.dims,
                               (guint) MAX (memo->before[i].shape.rank, 0), *dim))
      return TRUE;
  return may_be_other && sym_terms_to_number (*dim) < self->first_fresh;
}

static gboolean
read_after (const SymRule *self, const SymRuleMemo *memo, SymType *after)
{
  gboolean may_be_other = memo->n_tied > 0 && are_all_bound (self->terms, memo);

  for (guint i = 0; i < sym_rule_get_n_facts (self); i++)
    {
      if (!sym_rule_memo_read_type (self->terms, sym_rule_peek_fact (self, i), memo->is_dear, NULL,
                                    &after[i]))
        return FALSE;
      for (int k = 0; k < after[i].shape.rank; k++)
        if (!keep_dim (self, memo, may_be_other, &after[i].shape.dims[k]))
          return FALSE;
    }
  return TRUE;
}

static void
note_dear (SymRule *self, const SymLayer *layer)
{
  SymRuleMemory *memory = self->memory;

  if (memory == NULL)
    return;
  if (memory->dear == NULL)
    memory->dear = g_hash_table_new (NULL, NULL);
  g_hash_table_add (memory->dear, (gpointer) sym_layer_get_operator (layer));
}

static SymRuleValues *
copy_values (const SymRuleValues *values, guint n)
{
  SymRuleValues *copies = g_new (SymRuleValues, n);

  for (guint i = 0; i < n; i++)
    copies[i] = sym_rule_values_copy (&values[i]);
  return copies;
}

static Kind *
add_kind (SymRule *self, const SymLayer *layer, const SymRuleMemo *memo)
{
  SymRuleMemory *memory = self->memory;
  guint n = sym_rule_get_n_facts (self);
  Kind *kind;

  if (memory->kinds == NULL)
    memory->kinds = g_hash_table_new_full (kind_hash, kind_equal, kind_free, NULL);
  if (g_hash_table_size (memory->kinds) >= (memo->has_values ? MAX_KINDS_BEFORE_VALUES : MAX_KINDS))
    return NULL;
  kind = g_new0 (Kind, 1);
  kind->key = (SymLayerKind){ layer, n, self->n_outputs,
                              g_memdup2 (memo->before, n * sizeof *memo->before) };
  kind->values = memo->has_values ? copy_values (memo->values, n) : NULL;
  g_hash_table_add (memory->kinds, kind);
  return kind;
}

static guint32
find_changed (const SymRule *self,
              const SymRuleMemo *memo,
              const SymType *after,
              const SymRuleValues *found)
{
  guint32 changed = 0;

  for (guint i = 0; i < sym_rule_get_n_facts (self); i++)
    if (is_changed (&memo->before[i], &after[i]) ||
        (memo->is_dear && !sym_rule_values_equal (&memo->values[i], &found[i])))
      changed |= (guint32) 1 << i;
  return changed;
}

/* Of numbers a rule makes the same numbers again, so that where it has told all there is of results
 * and nothing of operands, it has no more to find. */
static gboolean
has_told_all (const SymRule *self, const Kind *kind)
{
  guint32 operands = (guint32) ((G_GUINT64_CONSTANT (1) << self->n_inputs) - 1);

  return kind->changed == 0 ||
         (kind->has_numbers_only && kind->is_decided && (kind->changed & operands) == 0);
}

void
sym_rule_keep (SymRule *self, const SymLayer *layer, SymRuleMemo *memo)
{
  guint n = sym_rule_get_n_facts (self);
  SymType after[SYM_RULE_MEMO_FACTS];
  SymRuleValues found[SYM_RULE_MEMO_FACTS];
  gboolean has_found = FALSE;
  guint32 changed;
  Kind *kind;

  if (self->has_parts)
    note_dear (self, layer);
  if (!memo->is_kind || !is_all_told (self, memo) ||
      (memo->is_dear && !sym_rule_memo_read_values (self, found, &has_found)) ||
      !read_after (self, memo, after))
    return;
  changed = find_changed (self, memo, after, found);
  kind = is_told_twice (self, changed) ? NULL : add_kind (self, layer, memo);
  if (kind == NULL)
    return;
  kind->after = g_memdup2 (after, n * sizeof *after);
  kind->found = has_found ? copy_values (found, n) : NULL;
  kind->changed = changed;
  kind->has_numbers_only = kind->is_decided = TRUE;
  for (guint i = 0; i < n; i++)
    {
      kind->is_decided = kind->is_decided && is_decided (&after[i]);
      kind->has_numbers_only = kind->has_numbers_only && has_numbers_only (&memo->before[i]) &&
                               has_numbers_only (&after[i]);
    }
  kind->is_final = has_told_all (self, kind);
  memo->kept = kind;
  self->is_final = is_final (self, memo, kind);
}

/* Whether the rule has left everything as it was, all of it numbers. */
static gboolean
is_untouched (const SymRule *self, const SymRuleMemo *memo)
{
  SymRuleValues found[SYM_RULE_MEMO_FACTS];
  gboolean has_found = FALSE;

  if (!is_all_told (self, memo) ||
      (memo->is_dear && !sym_rule_memo_read_values (self, found, &has_found)))
    return FALSE;
  for (guint i = 0; i < sym_rule_get_n_facts (self); i++)
    {
      SymType now;

      if (!has_numbers_only (&memo->before[i]) ||
          !sym_rule_memo_read_type (self->terms, sym_rule_peek_fact (self, i), memo->is_dear, NULL,
                                    &now) ||
          is_changed (&memo->before[i], &now) ||
          (memo->is_dear && !sym_rule_values_equal (&memo->values[i], &found[i])))
        return FALSE;
    }
  return TRUE;
}

void
sym_rule_keep_error (SymRule *self,
                     const SymLayer *layer,
                     const SymRuleMemo *memo,
                     const GError *error)
{
  gboolean is_kept = memo->is_kind && !has_twice (self, NULL) && is_untouched (self, memo);
  Kind *kind = is_kept ? add_kind (self, layer, memo) : NULL;

  if (kind != NULL)
    kind->error = g_error_copy (error);
}

void
sym_rule_keep_final (SymRuleMemo *memo)
{
  Kind *kind = memo->kept;

  kind->is_final = TRUE;
}

void
sym_rule_memory_clear (SymRuleMemory *self)
{
  g_clear_pointer (&self->kinds, g_hash_table_unref);
  g_clear_pointer (&self->dear, g_hash_table_unref);
  memset (self->latest, 0, sizeof self->latest);
}
