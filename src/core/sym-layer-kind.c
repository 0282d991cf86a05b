/* SPDX-License-Identifier: MIT */
#include "core/sym-layer-kind.h"

#include <string.h>

#include "core/sym-text.h"

static gboolean
has_type_of (const SymLayer *a, const SymLayer *b)
{
  const char *type = sym_layer_get_type (a), *other = sym_layer_get_type (b);

  return type == other || strcmp (type, other) == 0;
}

gboolean
sym_layer_kind_works_alike (const SymLayer *a, const SymLayer *b)
{
  return sym_layer_get_operator (a) == sym_layer_get_operator (b) && has_type_of (a, b) &&
         sym_attributes_work_equal (sym_layer_get_attributes (a), sym_layer_get_attributes (b));
}

guint
sym_layer_kind_hash (gconstpointer key)
{
  const SymLayerKind *self = key;
  guint64 hash = sym_hash_mix (self->n_inputs, (guintptr) sym_layer_get_operator (self->layer));

  hash = sym_attributes_work_hash (hash, sym_layer_get_attributes (self->layer));
  for (guint i = 0; i < self->n_inputs; i++)
    for (int k = 0; k < self->inputs[i].shape.rank; k++)
      hash = sym_hash_mix (hash, (guint64) self->inputs[i].shape.dims[k]);
  return (guint) (hash ^ hash >> 32);
}

gboolean
sym_layer_kind_equal (gconstpointer a, gconstpointer b)
{
  const SymLayerKind *left = a, *right = b;

  if (left->n_inputs != right->n_inputs || left->n_outputs != right->n_outputs)
    return FALSE;
  for (guint i = 0; i < left->n_inputs; i++)
    if (left->inputs[i].kind != right->inputs[i].kind || left->inputs[i].kind == SYM_KIND_TUPLE ||
        left->inputs[i].dtype != right->inputs[i].dtype ||
        !sym_shape_equal (&left->inputs[i].shape, &right->inputs[i].shape))
      return FALSE;
  return sym_layer_kind_works_alike (left->layer, right->layer);
}
