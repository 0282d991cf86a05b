/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include <string.h>

#include "core/sym-layer-kind.h"
#include "core/sym-terms-private.h"

/* So many kinds of layers are kept.  A graph of more has few that are alike. */
#define MAX_KINDS 1024

/* The facts of a layer: its operands, then its results. */
typedef struct {
  SymLayerKind key;          /* as they were before its rule ran, with places for variables */
  SymType *after;            /* NULL where they stay */
  guint32 changed;           /* a bit for each fact that is another one after */
  gboolean is_final;         /* of facts as they are after, the rule finds nothing more */
  gboolean has_numbers_only; /* of sizes, before and after */
  gboolean is_decided;       /* and every type is known after */
  GError *error;             /* a contradiction, of sizes that are all known; NULL for none */
} Kind;

static void
kind_free (gpointer data)
{
  Kind *self = data;

  g_free (self->key.inputs);
  g_free (self->after);
  g_clear_error (&self->error);
  g_free (self);
}

/* ---- Which are kept ---- */

static guint
get_n_facts (const SymRule *self)
{
  return self->n_inputs + self->n_outputs;
}

static SymFact *
get_fact (const SymRule *self, guint i)
{
  return i < self->n_inputs ? self->inputs[i] : self->outputs[i - self->n_inputs];
}

/* What stands for the variable at @i in a kind: no size and no term is that.  One with a name gives
 * way to others in fewer cases. */
static SymDim
get_place (guint i, gboolean has_name)
{
  return -2 - 2 * (SymDim) i - has_name;
}

static gboolean
is_term (SymDim dim)
{
  return dim <= SYM_TERMS_FIRST;
}

static gboolean
is_place (SymDim dim)
{
  return dim < 0 && !is_term (dim);
}

static guint
find_place (SymDim place)
{
  return (guint) ((-2 - place) / 2);
}

static gboolean
add_dim (SymDim *dims, guint *n, guint most, SymDim dim)
{
  for (guint i = 0; i < *n; i++)
    if (dims[i] == dim)
      return TRUE;
  if (*n == most)
    return FALSE;
  dims[(*n)++] = dim;
  return TRUE;
}

static gboolean
has_dim (const SymDim *dims, guint n, SymDim dim)
{
  for (guint i = 0; i < n; i++)
    if (dims[i] == dim)
      return TRUE;
  return FALSE;
}

/* What a form or a product is made of is tied to it: those variables are themselves in a kind, and
 * so is what they make.  FALSE where they are too many. */
static gboolean
tie (const SymTerms *terms, SymRuleMemo *memo, SymDim dim)
{
  const SymTerm *term;
  SymDim factors[2];
  SymForm form;

  if (!is_term (dim))
    return TRUE;
  term = sym_terms_get_term (terms, sym_terms_to_number (dim));
  if (term->form == NULL)
    {
      guint n = memo->n_tied;

      if (!add_dim (memo->tied, &memo->n_tied, G_N_ELEMENTS (memo->tied), dim))
        return FALSE;
      return memo->n_tied == n || !sym_terms_get_factors (terms, dim, &factors[0], &factors[1]) ||
             (tie (terms, memo, sym_terms_look_up (terms, factors[0])) &&
              tie (terms, memo, sym_terms_look_up (terms, factors[1])));
    }
  form = *term->form;
  for (guint i = 0; i < form.n_parts; i++)
    if (!tie (terms, memo, sym_terms_get_variable (terms, form.parts[i].variable)))
      return FALSE;
  return TRUE;
}

/* A number stays itself, and so does a term that others of the layer are tied to.  Any other
 * variable has a place: two of them have nothing to do with each other, so that one kind holds
 * whichever they are. */
static gboolean
place_dim (const SymTerms *terms, SymRuleMemo *memo, SymDim *dim)
{
  const SymTerm *term;
  guint i = 0;

  if (*dim >= 0)
    return TRUE;
  term = sym_terms_get_term (terms, sym_terms_to_number (*dim));
  if (term->form != NULL || has_dim (memo->tied, memo->n_tied, *dim))
    return TRUE;
  if (!add_dim (memo->variables, &memo->n_variables, G_N_ELEMENTS (memo->variables), *dim))
    return FALSE;
  while (memo->variables[i] != *dim)
    i++;
  *dim = get_place (i, term->name != NULL);
  return TRUE;
}

/* What is not known of a type is part of a kind, too.  Adds to @memo, which may be NULL, what is
 * tied.  FALSE where more is known than a type. */
static gboolean
read_fact (const SymTerms *terms, const SymFact *fact, SymRuleMemo *memo, SymType *type)
{
  if (fact == NULL)
    {
      *type = SYM_TYPE_UNKNOWN;
      return TRUE;
    }
  if (fact->known != NULL || fact->table != NULL || fact->floats != NULL ||
      (fact->type.kind != SYM_KIND_TENSOR && fact->type.kind != SYM_KIND_UNKNOWN))
    return FALSE;
  type->kind = fact->type.kind;
  type->dtype = fact->type.dtype;
  type->name = NULL;
  type->elements = NULL;
  type->n_elements = 0;
  type->shape.rank = fact->type.shape.rank;
  for (int i = 0; i < type->shape.rank; i++)
    {
      SymDim dim = sym_terms_look_up (terms, fact->type.shape.dims[i]);
      SymDim a, b;

      if (dim == SYM_DIM_UNKNOWN)
        return FALSE;
      type->shape.dims[i] = dim;
      if (memo != NULL && is_term (dim) &&
          (sym_terms_get_term (terms, sym_terms_to_number (dim))->form != NULL ||
           sym_terms_get_factors (terms, dim, &a, &b)) &&
          !(memo->may_tie && tie (terms, memo, dim)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_before (const SymRule *self, SymRuleMemo *memo)
{
  for (guint i = 0; i < get_n_facts (self); i++)
    if (!read_fact (self->terms, get_fact (self, i), memo, &memo->before[i]))
      return FALSE;
  for (guint i = 0; i < get_n_facts (self); i++)
    for (int k = 0; k < memo->before[i].shape.rank; k++)
      if (!place_dim (self->terms, memo, &memo->before[i].shape.dims[k]))
        return FALSE;
  return TRUE;
}

/* FALSE where what comes of the layer depends on more than what a kind tells. */
static gboolean
is_told_by_kind (const SymRule *self, const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return self->memory != NULL && op != NULL && op->infer != NULL && self->n_outputs > 0 &&
         get_n_facts (self) <= SYM_RULE_MEMO_FACTS && sym_layer_get_n_bodies (layer) == 0;
}

/* ---- Recalling ---- */

static SymType
fill_in (const SymType *type, const SymRuleMemo *memo)
{
  SymType filled = *type;

  for (int i = 0; i < filled.shape.rank; i++)
    if (is_place (filled.shape.dims[i]))
      filled.shape.dims[i] = memo->variables[find_place (filled.shape.dims[i])];
  return filled;
}

/* FALSE where one value is two operands that are to be of two types: the rule tells it better. */
static gboolean
tell (SymRule *self, const Kind *kind, const SymRuleMemo *memo)
{
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
        if (!sym_rule_unify_type (self, get_fact (self, i), after, NULL))
          return FALSE;
      }
  return TRUE;
}

/* One value may be two operands, of which more follows than of two. */
static gboolean
has_twice (const SymRule *self)
{
  for (guint i = 1; i < self->n_inputs; i++)
    for (guint k = 0; k < i; k++)
      if (self->inputs[i] == self->inputs[k] && self->inputs[i] != NULL)
        return TRUE;
  return FALSE;
}

/* Forms may come to be others while they are called the same. */
static gboolean
is_final (const SymRule *self, const SymRuleMemo *memo, const Kind *kind)
{
  return kind->is_final && memo->n_tied == 0 && !has_twice (self);
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
    return type->kind == SYM_KIND_UNKNOWN && type->dtype == SYM_DTYPE_UNKNOWN &&
           type->shape.rank < 0;
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

  if (kind == NULL || !kind->has_numbers_only || kind->key.n_inputs != get_n_facts (self) ||
      kind->key.n_outputs != self->n_outputs)
    return NULL;
  for (guint i = 0; i < kind->key.n_inputs; i++)
    if (!is_of_type (get_fact (self, i), &kind->key.inputs[i]))
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

  if (*latest != NULL && sym_layer_kind_equal (*latest, wanted))
    return *latest;
  kind = g_hash_table_lookup (memory->kinds, wanted);
  if (kind != NULL)
    *latest = kind;
  return kind;
}

/* Tells what a kind has; FALSE where the rule tells it better. */
static gboolean
recall (SymRule *self, const Kind *kind, const SymRuleMemo *memo, GError **error)
{
  if (!tell (self, kind, memo))
    return FALSE;
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
  memo->may_tie = self->memory->dear != NULL &&
                  g_hash_table_contains (self->memory->dear, sym_layer_get_operator (layer));
  memo->is_kind = read_before (self, memo);
  if (!memo->is_kind || self->memory->kinds == NULL)
    return FALSE;
  wanted.key = (SymLayerKind){ layer, get_n_facts (self), self->n_outputs, memo->before };
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

        *dim = get_place (i, term->name != NULL);
        return TRUE;
      }
  if (*dim >= 0 || has_dim (memo->tied, memo->n_tied, *dim))
    return TRUE;
  for (guint i = 0; i < get_n_facts (self); i++)
    if (has_dim (memo->before[i].shape.dims, (guint) MAX (memo->before[i].shape.rank, 0), *dim))
      return TRUE;
  return may_be_other && sym_terms_to_number (*dim) < self->first_fresh;
}

static gboolean
read_after (const SymRule *self, const SymRuleMemo *memo, SymType *after)
{
  gboolean may_be_other = memo->n_tied > 0 && are_all_bound (self->terms, memo);

  for (guint i = 0; i < get_n_facts (self); i++)
    {
      if (!read_fact (self->terms, get_fact (self, i), NULL, &after[i]))
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

static Kind *
add_kind (SymRule *self, const SymLayer *layer, const SymRuleMemo *memo)
{
  SymRuleMemory *memory = self->memory;
  guint n = get_n_facts (self);
  Kind *kind;

  if (memory->kinds == NULL)
    memory->kinds =
        g_hash_table_new_full (sym_layer_kind_hash, sym_layer_kind_equal, kind_free, NULL);
  if (g_hash_table_size (memory->kinds) >= MAX_KINDS)
    return NULL;
  kind = g_new0 (Kind, 1);
  kind->key = (SymLayerKind){ layer, n, self->n_outputs,
                              g_memdup2 (memo->before, n * sizeof *memo->before) };
  g_hash_table_add (memory->kinds, kind);
  return kind;
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
  guint n = get_n_facts (self);
  SymType after[SYM_RULE_MEMO_FACTS];
  Kind *kind;

  if (self->has_parts)
    note_dear (self, layer);
  if (!memo->is_kind || !is_all_told (self, memo) || !read_after (self, memo, after))
    return;
  kind = add_kind (self, layer, memo);
  if (kind == NULL)
    return;
  kind->after = g_memdup2 (after, n * sizeof *after);
  kind->has_numbers_only = kind->is_decided = TRUE;
  for (guint i = 0; i < n; i++)
    {
      kind->is_decided = kind->is_decided && is_decided (&after[i]);
      kind->changed |= (guint32) is_changed (&memo->before[i], &after[i]) << i;
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
  if (!is_all_told (self, memo))
    return FALSE;
  for (guint i = 0; i < get_n_facts (self); i++)
    {
      SymType now;

      if (!has_numbers_only (&memo->before[i]) ||
          !read_fact (self->terms, get_fact (self, i), NULL, &now) ||
          is_changed (&memo->before[i], &now))
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
  Kind *kind = memo->is_kind && is_untouched (self, memo) ? add_kind (self, layer, memo) : NULL;

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
