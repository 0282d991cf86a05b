/* SPDX-License-Identifier: MIT */
#include "ops/sym-layers-private.h"

#include "core/sym-error.h"
#include "ops/sym-op.h"

SymLayer *
sym_torch_new (const char *type, SymAttributes *take_attributes)
{
  const SymOperator *op = sym_op_find ("torch", type, 0);
  SymLayer *layer;

  g_assert (op != NULL);
  layer = sym_layer_new (type, op, take_attributes);
  if (take_attributes != NULL)
    sym_attributes_unref (take_attributes);
  return layer;
}

void
sym_torch_set_int (SymAttributes *self, const char *name, gint64 value)
{
  sym_attributes_set (self, name, sym_value_new_int (value), NULL);
}

void
sym_torch_set_bool (SymAttributes *self, const char *name, gboolean value)
{
  sym_attributes_set (self, name, sym_value_new_bool (value), NULL);
}

void
sym_torch_set_float (SymAttributes *self, const char *name, double value)
{
  sym_attributes_set (self, name, sym_value_new_float (value), NULL);
}

void
sym_torch_set_string (SymAttributes *self, const char *name, const char *value)
{
  sym_attributes_set (self, name, sym_value_new_string (value), NULL);
}

void
sym_torch_set_ints (SymAttributes *self, const char *name, const gint64 *values, int n)
{
  sym_attributes_set (self, name, sym_value_new_ints (SYM_VALUE_TUPLE, values, (guint) n), NULL);
}

void
sym_torch_add_weight (SymLayer *self, const char *name, SymShape shape, gboolean trainable)
{
  SymType type = sym_type_tensor (SYM_DTYPE_FLOAT32, shape);
  g_autoptr (SymParameter) parameter = sym_parameter_new (trainable, NULL);

  sym_layer_add_parameter (self, name, &type, parameter);
}

SymNode *
sym_torch_call (SymNode *input, SymLayer *take_layer, const char *name, GError **error)
{
  g_autoptr (SymLayer) layer = take_layer;

  if (input == NULL || layer == NULL)
    return NULL;
  return sym_graph_call (sym_node_get_graph (input), layer, &input, 1, name, error);
}

gboolean
sym_torch_check_size (const char *layer, const char *what, gint64 size, GError **error)
{
  if (error != NULL && *error != NULL)
    return FALSE;
  if (size >= 1 && size <= G_MAXINT32)
    return TRUE;

  g_set_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT,
               "%s: %s is %" G_GINT64_FORMAT "; it must be between 1 and %d", layer, what, size,
               G_MAXINT32);
  return FALSE;
}

void
sym_torch_spread (gint64 one, const gint64 several[3], gint64 fallback, int n, gint64 out[3])
{
  gboolean has_several = several[0] != 0 || several[1] != 0 || several[2] != 0;

  for (int i = 0; i < n; i++)
    out[i] = has_several ? several[i] : one != 0 ? one : fallback;
}

gint64
sym_torch_get_size (SymNode *node, int i)
{
  SymShape shape = sym_node_get_shape (node);

  if (shape.rank < i || shape.dims[shape.rank - i] < 0)
    return -1;
  return shape.dims[shape.rank - i];
}
