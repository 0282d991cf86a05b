/* SPDX-License-Identifier: MIT */
#include "core/sym-rule-memo.h"

#include "core/sym-infer-private.h"
#include "core/sym-layer-kind.h"
#include "core/sym-terms-private.h"

/* So many kinds of layers are kept.  A graph of more has few that are alike. */
#define MAX_KINDS 1024

/* Unknown or named sizes among the operands of one layer. */
#define MAX_VARIABLES 16

typedef struct {
  SymLayerKind key; /* with places for variables */
  SymType *outputs; /* NULL while it is only looked for */
} Kind;

static void
kind_free (gpointer data)
{
  Kind *self = data;

  g_free (self->key.inputs);
  g_free (self->outputs);
  g_free (self);
}

/* ---- Which are kept ---- */

/* The unknown and named sizes of the operands at hand, in the order in which they come. */
typedef struct {
  SymDim dims[MAX_VARIABLES];
  guint n;
} Variables;

/* What stands for the variable at @i in a kind: no size and no term is that. */
static SymDim
get_place (guint i)
{
  return -2 - (SymDim) i;
}

/* A number stays itself.  Of terms only variables have a place: two of them have nothing to do with
 * each other, so that one kind holds whichever they are. */
static gboolean
place_dim (const SymTerms *terms, Variables *variables, gboolean may_add, SymDim *dim)
{
  guint i = 0;

  if (*dim >= 0)
    return TRUE;
  while (i < variables->n && variables->dims[i] != *dim)
    i++;
  if (i == variables->n)
    {
      SymDim a, b;

      if (!may_add || i == MAX_VARIABLES || *dim == SYM_DIM_UNKNOWN ||
          sym_terms_get_term (terms, sym_terms_to_number (*dim))->form != NULL ||
          sym_terms_get_factors (terms, *dim, &a, &b))
        return FALSE;
      variables->dims[variables->n++] = *dim;
    }
  *dim = get_place (i);
  return TRUE;
}

/* FALSE where more is known than the type, or less than what is to be kept. */
static gboolean
read_type (const SymTerms *terms,
           const SymFact *fact,
           Variables *variables,
           gboolean may_add,
           SymType *type)
{
  *type = fact->type;
  if (fact->known != NULL || fact->table != NULL || fact->floats != NULL ||
      type->kind != SYM_KIND_TENSOR || type->dtype == SYM_DTYPE_UNKNOWN || type->shape.rank < 0)
    return FALSE;
  type->shape = sym_terms_resolve_shape (terms, &type->shape);
  for (int i = 0; i < type->shape.rank; i++)
    if (!place_dim (terms, variables, may_add, &type->shape.dims[i]))
      return FALSE;
  return TRUE;
}

static gboolean
read_inputs (const SymRule *self, Variables *variables, SymType *types)
{
  variables->n = 0;
  for (guint i = 0; i < self->n_inputs; i++)
    if (self->inputs[i] == NULL)
      types[i] = SYM_TYPE_UNKNOWN;
    else if (!read_type (self->terms, self->inputs[i], variables, TRUE, &types[i]))
      return FALSE;
  return TRUE;
}

static gboolean
read_outputs (const SymRule *self, SymFact *const *found, Variables *variables, SymType *types)
{
  for (guint i = 0; i < self->n_outputs; i++)
    if (found[i] == NULL || !read_type (self->terms, found[i], variables, FALSE, &types[i]))
      return FALSE;
  return TRUE;
}

/* The kind of the layer at hand, its results not known; NULL where none is kept. */
static Kind *
find_kind (const SymRule *self, Variables *variables)
{
  Kind *kind;

  if (self->memo == NULL || self->layer == NULL || self->n_outputs == 0 ||
      sym_layer_get_operator (self->layer) == NULL || sym_layer_get_n_bodies (self->layer) > 0)
    return NULL;
  kind = g_new0 (Kind, 1);
  kind->key = (SymLayerKind){ self->layer, self->n_inputs, self->n_outputs,
                              g_new (SymType, self->n_inputs + 1) };
  if (read_inputs (self, variables, kind->key.inputs))
    return kind;
  kind_free (kind);
  return NULL;
}

struct _SymRuleMemo {
  Kind *kind;
  Variables variables;
  guint64 generation;
};

SymRuleMemo *
sym_rule_begin_memo (SymRule *self)
{
  Variables variables;
  Kind *kind = find_kind (self, &variables);
  SymRuleMemo *memo;

  if (kind == NULL)
    return NULL;
  memo = g_new (SymRuleMemo, 1);
  *memo = (SymRuleMemo){ kind, variables, sym_terms_get_generation (self->terms) };
  return memo;
}

static void
keep (SymRule *self, Kind *take_kind)
{
  if (*self->memo == NULL)
    *self->memo =
        g_hash_table_new_full (sym_layer_kind_hash, sym_layer_kind_equal, kind_free, NULL);
  if (g_hash_table_size (*self->memo) < MAX_KINDS)
    g_hash_table_add (*self->memo, take_kind);
  else
    kind_free (take_kind);
}

/* Where sizes became equal on the way, more was learnt than the results tell. */
void
sym_rule_end_memo (SymRule *self, SymRuleMemo *take_memo, SymFact *const *found, guint n)
{
  Kind *kind = take_memo == NULL ? NULL : take_memo->kind;

  if (kind == NULL)
    return;
  kind->outputs = g_new (SymType, self->n_outputs + 1);
  if (n >= self->n_outputs && sym_terms_get_generation (self->terms) == take_memo->generation &&
      read_outputs (self, found, &take_memo->variables, kind->outputs))
    keep (self, kind);
  else
    kind_free (kind);
  g_free (take_memo);
}

/* ---- Recalling ---- */

static SymType
fill_in (const SymType *type, const Variables *variables)
{
  SymType filled = *type;

  for (int i = 0; i < filled.shape.rank; i++)
    if (filled.shape.dims[i] < 0)
      filled.shape.dims[i] = variables->dims[get_place (0) - filled.shape.dims[i]];
  return filled;
}

gboolean
sym_rule_recall_parts (SymRule *self, gboolean *fits, GError **error)
{
  Variables variables;
  Kind *wanted = self->memo == NULL || *self->memo == NULL ? NULL : find_kind (self, &variables);
  const Kind *kind = wanted == NULL ? NULL : g_hash_table_lookup (*self->memo, wanted);

  g_clear_pointer (&wanted, kind_free);
  if (kind == NULL)
    return FALSE;
  *fits = TRUE;
  for (guint i = 0; i < self->n_outputs && *fits; i++)
    {
      SymType type = fill_in (&kind->outputs[i], &variables);

      *fits =
          self->outputs[i] == NULL || sym_rule_unify_type (self, self->outputs[i], &type, error);
    }
  return TRUE;
}
