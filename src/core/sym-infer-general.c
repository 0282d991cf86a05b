/* SPDX-License-Identifier: MIT */
#include "core/sym-infer-general.h"

#include "core/sym-infer-private.h"
#include "core/sym-model-private.h"

typedef struct {
  const SymInference *one, *other;
  const SymTerms *terms;
  const SymStandIn *stand_ins;
  guint n_stand_ins;
  GHashTable *map; /* from @terms to those of the result */
} Pair;

static SymDim
find_dim (const Pair *self, SymTerms *to, SymDim one, SymDim other)
{
  if (one >= 0 && one == other)
    return one;
  for (guint i = 0; i < self->n_stand_ins; i++)
    if (self->stand_ins[i].one == one && self->stand_ins[i].other == other)
      return sym_terms_translate (self->terms, self->stand_ins[i].dim, to, self->map);
  return sym_terms_new_unknown (to);
}

static SymType
find_type (const Pair *self, SymInference *result, const SymType *one, const SymType *other)
{
  SymType type = *one;

  if (one->kind != other->kind || one->name != other->name || one->n_elements != other->n_elements)
    return SYM_TYPE_UNKNOWN;
  if (one->dtype != other->dtype)
    type.dtype = SYM_DTYPE_UNKNOWN;
  if (one->shape.rank != other->shape.rank)
    type.shape = SYM_SHAPE_UNKNOWN;
  for (int i = 0; i < type.shape.rank; i++)
    type.shape.dims[i] = find_dim (self, result->terms, one->shape.dims[i], other->shape.dims[i]);
  if (one->n_elements > 0)
    {
      SymType *elements = g_new (SymType, one->n_elements);

      for (guint i = 0; i < one->n_elements; i++)
        elements[i] = find_type (self, result, &one->elements[i], &other->elements[i]);
      g_ptr_array_add (result->arena, elements);
      type.elements = elements;
    }
  return type;
}

/* The numbers of one that are those of the other; NULL as soon as one of them is not. */
static SymKnown *
find_known (const Pair *self, SymTerms *to, const SymKnown *one, const SymKnown *other)
{
  SymKnown *known;

  if (one == NULL || other == NULL || one->n != other->n || one->plain != other->plain)
    return NULL;
  known = g_memdup2 (one, sizeof *one);
  for (int i = 0; i < one->n; i++)
    if (!one->plain)
      known->values[i] = find_dim (self, to, one->values[i], other->values[i]);
    else if (one->values[i] != other->values[i])
      {
        g_free (known);
        return NULL;
      }
  return known;
}

static SymKnownFloats *
find_floats (const SymKnownFloats *one, const SymKnownFloats *other)
{
  if (one == NULL || other == NULL || one->n != other->n ||
      memcmp (one->values, other->values, (gsize) one->n * sizeof *one->values) != 0)
    return NULL;
  return g_memdup2 (one, sizeof *one);
}

static SymInference *generalize (Pair *self, SymModel *model);

static GPtrArray *
find_bodies_of (const Pair *self, SymModel *model, SymId call)
{
  GPtrArray *bodies = g_ptr_array_new_with_free_func ((GDestroyNotify) sym_inference_unref);
  SymLayer *layer = sym_model_get_layer (model, call);

  for (guint i = 0; i < sym_layer_get_n_bodies (layer); i++)
    {
      Pair inner = *self;
      SymInference *body;

      inner.one = sym_inference_get_body (self->one, call, i);
      inner.other = sym_inference_get_body (self->other, call, i);
      if (inner.one == NULL || inner.other == NULL)
        continue;
      body = generalize (&inner, sym_layer_get_body (layer, i, NULL));
      if (body != NULL)
        g_ptr_array_add (bodies, body);
    }
  return bodies;
}

static void
find_bodies (const Pair *self, SymInference *result)
{
  GHashTableIter iter;
  gpointer call;

  if (self->one->bodies == NULL)
    return;
  result->bodies = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_hash_table_iter_init (&iter, self->one->bodies);
  while (g_hash_table_iter_next (&iter, &call, NULL))
    g_hash_table_insert (result->bodies, call,
                         find_bodies_of (self, result->model, GPOINTER_TO_UINT (call)));
}

static gboolean
is_alike (SymModel *one, SymModel *other)
{
  guint n_calls = sym_model_get_n_calls (one);

  if (sym_model_get_n_values (one) != sym_model_get_n_values (other) ||
      n_calls != sym_model_get_n_calls (other))
    return FALSE;
  for (SymId call = 0; call < n_calls; call++)
    if (sym_layer_get_operator (sym_model_get_layer (one, call)) !=
        sym_layer_get_operator (sym_model_get_layer (other, call)))
      return FALSE;

  return TRUE;
}

static SymInference *
generalize (Pair *self, SymModel *model)
{
  SymInference *result;

  if (!is_alike (model, self->one->model) || !is_alike (model, self->other->model))
    return NULL;
  result = sym_inference_new (model);
  self->map = g_hash_table_new (NULL, NULL);
  for (SymId value = 0; value < sym_model_get_n_values (model); value++)
    {
      const SymFact *one = &self->one->facts[value], *other = &self->other->facts[value];
      SymFact *fact = &result->facts[value];

      sym_fact_clear (fact);
      fact->type = find_type (self, result, &one->type, &other->type);
      fact->known = find_known (self, result->terms, one->known, other->known);
      fact->table = find_known (self, result->terms, one->table, other->table);
      fact->floats = find_floats (one->floats, other->floats);
    }
  find_bodies (self, result);
  g_hash_table_unref (self->map);
  sym_problems_unref (result->problems);
  result->problems = sym_problems_ref (self->one->problems);
  if (self->one->contradicted != NULL)
    result->contradicted = g_hash_table_ref (self->one->contradicted);
  return result;
}

SymInference *
sym_inference_generalize (SymModel *model,
                          const SymInference *one,
                          const SymInference *other,
                          const SymTerms *terms,
                          const SymStandIn *stand_ins,
                          guint n_stand_ins)
{
  Pair self = {
    .one = one, .other = other, .terms = terms, .stand_ins = stand_ins, .n_stand_ins = n_stand_ins
  };

  return generalize (&self, model);
}
