/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-private.h"

#include "core/sym-layer-kind.h"
#include "core/sym-terms-private.h"

/* So many kinds of layers are kept.  A graph of more has few that are alike. */
#define MAX_KINDS 1024

/* The facts of a layer: its operands, then its results. */
typedef struct {
  SymLayerKind key; /* as they were before its rule ran, with places for variables */
  SymType *after;
  guint32 changed; /* a bit for each fact that is another one after */
} Kind;

static void
kind_free (gpointer data)
{
  Kind *self = data;

  g_free (self->key.inputs);
  g_free (self->after);
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

static guint
find_place (SymDim place)
{
  return (guint) ((-2 - place) / 2);
}

/* A number stays itself.  Of terms only variables have a place: two of them have nothing to do with
 * each other, so that one kind holds whichever they are. */
static gboolean
place_dim (const SymTerms *terms, SymRuleMemo *memo, gboolean may_add, SymDim *dim)
{
  guint i = 0;

  if (*dim >= 0)
    return TRUE;
  if (*dim == SYM_DIM_UNKNOWN)
    return FALSE;
  const SymTerm *term = sym_terms_get_term (terms, sym_terms_to_number (*dim));

  while (i < memo->n_variables && memo->variables[i] != *dim)
    i++;
  if (i == memo->n_variables)
    {
      SymDim a, b;

      if (!may_add || i == G_N_ELEMENTS (memo->variables) || term->form != NULL ||
          sym_terms_get_factors (terms, *dim, &a, &b))
        return FALSE;
      memo->variables[memo->n_variables++] = *dim;
    }
  *dim = get_place (i, term->name != NULL);
  return TRUE;
}

/* What is not known of a type is part of a kind, too.  FALSE where more is known than a type. */
static gboolean
read_fact (const SymTerms *terms,
           const SymFact *fact,
           SymRuleMemo *memo,
           gboolean may_add,
           SymType *type)
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
      type->shape.dims[i] = sym_terms_look_up (terms, fact->type.shape.dims[i]);
      if (!place_dim (terms, memo, may_add, &type->shape.dims[i]))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_facts (const SymRule *self, SymRuleMemo *memo, gboolean may_add, SymType *types)
{
  for (guint i = 0; i < get_n_facts (self); i++)
    if (!read_fact (self->terms, get_fact (self, i), memo, may_add, &types[i]))
      return FALSE;
  return TRUE;
}

/* FALSE where what comes of the layer depends on more than what a kind tells. */
static gboolean
is_told_by_kind (const SymRule *self, const SymLayer *layer)
{
  const SymOperator *op = sym_layer_get_operator (layer);

  return self->memo != NULL && op != NULL && op->infer != NULL && self->n_outputs > 0 &&
         get_n_facts (self) <= SYM_RULE_MEMO_FACTS && sym_layer_get_n_bodies (layer) == 0;
}

/* ---- Recalling ---- */

static SymType
fill_in (const SymType *type, const SymRuleMemo *memo)
{
  SymType filled = *type;

  for (int i = 0; i < filled.shape.rank; i++)
    if (filled.shape.dims[i] < 0)
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
        SymType type = fill_in (&kind->after[i], memo);

        if (!sym_rule_unify_type (self, get_fact (self, i), &type, NULL))
          return FALSE;
      }
  return TRUE;
}

gboolean
sym_rule_recall (SymRule *self, const SymLayer *layer, SymRuleMemo *memo)
{
  Kind wanted;
  const Kind *kind;

  memo->n_variables = 0;
  memo->generation = sym_terms_get_generation (self->terms);
  memo->is_kind = is_told_by_kind (self, layer) && read_facts (self, memo, TRUE, memo->before);
  if (!memo->is_kind || *self->memo == NULL)
    return FALSE;
  wanted.key = (SymLayerKind){ layer, get_n_facts (self), self->n_outputs, memo->before };
  kind = g_hash_table_lookup (*self->memo, &wanted);
  return kind != NULL && tell (self, kind, memo);
}

/* ---- Keeping ---- */

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

void
sym_rule_keep (SymRule *self, const SymLayer *layer, SymRuleMemo *memo)
{
  guint n = get_n_facts (self);
  SymType after[SYM_RULE_MEMO_FACTS];
  Kind *kind;

  if (!memo->is_kind || !is_all_told (self, memo))
    return;
  if (*self->memo == NULL)
    *self->memo =
        g_hash_table_new_full (sym_layer_kind_hash, sym_layer_kind_equal, kind_free, NULL);
  if (g_hash_table_size (*self->memo) >= MAX_KINDS || !read_facts (self, memo, FALSE, after))
    return;
  kind = g_new0 (Kind, 1);
  kind->key = (SymLayerKind){ layer, n, self->n_outputs,
                              g_memdup2 (memo->before, n * sizeof *memo->before) };
  kind->after = g_memdup2 (after, n * sizeof *after);
  for (guint i = 0; i < n; i++)
    kind->changed |= (guint32) is_changed (&memo->before[i], &after[i]) << i;
  g_hash_table_add (*self->memo, kind);
}
