/* SPDX-License-Identifier: MIT */
#include "core/sym-layer-kind.h"

#include <string.h>

/* Numbers of a list that a hash is made of. */
#define MAX_HASHED 8

static guint64
mix (guint64 hash, guint64 part)
{
  hash = (hash ^ part) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

static guint64
hash_value (guint64 hash, const SymValue *value)
{
  const char *text = sym_value_get_string (value);
  gint64 numbers[MAX_HASHED] = { 0 };
  double number = 0;
  int n;

  if (text != NULL)
    return mix (hash, g_str_hash (text));
  if (sym_value_get_int (value, &numbers[0]))
    return mix (hash, (guint64) numbers[0]);
  if (sym_value_get_float (value, &number))
    {
      memcpy (&numbers[0], &number, sizeof number);
      return mix (hash, (guint64) numbers[0]);
    }
  n = sym_value_get_ints (value, numbers, MAX_HASHED);
  for (int i = 0; i < MIN (n, MAX_HASHED); i++)
    hash = mix (hash, (guint64) numbers[i]);
  return mix (hash, sym_value_get_n_children (value));
}

guint
sym_layer_kind_hash (gconstpointer key)
{
  const SymLayerKind *self = key;
  const SymAttributes *attributes = sym_layer_get_attributes (self->layer);
  guint64 hash = mix (self->n_inputs, (guintptr) sym_layer_get_operator (self->layer));

  for (guint i = 0; i < sym_attributes_get_n (attributes); i++)
    hash = hash_value (hash, sym_attributes_get_value (attributes, i));
  for (guint i = 0; i < self->n_inputs; i++)
    for (int k = 0; k < self->inputs[i].shape.rank; k++)
      hash = mix (hash, (guint64) self->inputs[i].shape.dims[k]);
  return (guint) (hash ^ hash >> 32);
}

static gboolean
has_equal_attributes (const SymAttributes *a, const SymAttributes *b)
{
  guint n = sym_attributes_get_n (a);

  if (a == b)
    return TRUE;
  if (sym_attributes_get_n (b) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const SymValue *left = sym_attributes_get_value (a, i);
      const SymValue *right = sym_attributes_get_value (b, i);

      if (strcmp (sym_attributes_get_name (a, i), sym_attributes_get_name (b, i)) != 0 ||
          (left != right && !sym_value_equal (left, right)))
        return FALSE;
    }
  return TRUE;
}

gboolean
sym_layer_kind_equal (gconstpointer a, gconstpointer b)
{
  const SymLayerKind *left = a, *right = b;

  if (sym_layer_get_operator (left->layer) != sym_layer_get_operator (right->layer) ||
      left->n_inputs != right->n_inputs || left->n_outputs != right->n_outputs ||
      strcmp (sym_layer_get_type (left->layer), sym_layer_get_type (right->layer)) != 0)
    return FALSE;
  for (guint i = 0; i < left->n_inputs; i++)
    if (left->inputs[i].kind != right->inputs[i].kind || left->inputs[i].kind == SYM_KIND_TUPLE ||
        left->inputs[i].dtype != right->inputs[i].dtype ||
        !sym_shape_equal (&left->inputs[i].shape, &right->inputs[i].shape))
      return FALSE;
  return has_equal_attributes (sym_layer_get_attributes (left->layer),
                               sym_layer_get_attributes (right->layer));
}
