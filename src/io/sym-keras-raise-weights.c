/* SPDX-License-Identifier: MIT */
#include "io/sym-keras-raise-private.h"

#include <string.h>

#include "core/sym-element.h"
#include "io/sym-keras-weights.h"

/* Weights of ONNX lie in another order than those of Keras, and so may be moved before they are
 * used: what moves them is not written, as Keras has no layers for that. */

#define MAX_STEPS 32

void
sym_keras_weight_clear (SymKerasWeight *self)
{
  g_clear_pointer (&self->tensor, sym_tensor_unref);
  if (self->path != NULL)
    g_string_free (self->path, TRUE);
  self->path = NULL;
}

static void
take_tensor (SymKerasWeight *self, SymTensor *tensor)
{
  g_clear_pointer (&self->tensor, sym_tensor_unref);
  self->tensor = tensor;
}

void
sym_keras_weight_turn (SymKerasWeight *self, const int *axes)
{
  SymShape before = self->shape;

  for (int i = 0; i < before.rank; i++)
    {
      self->shape.dims[i] = before.dims[axes[i]];
      g_string_append_printf (self->path, " %d", axes[i]);
    }
  if (self->tensor != NULL)
    take_tensor (self, sym_keras_turn (self->tensor, axes, 0));
}

void
sym_keras_weight_reshape (SymKerasWeight *self, const SymShape *shape)
{
  self->shape = *shape;
  g_string_append (self->path, " /");
  for (int i = 0; i < shape->rank; i++)
    g_string_append_printf (self->path, " %" G_GINT64_FORMAT, shape->dims[i]);
  if (self->tensor != NULL)
    take_tensor (self, sym_keras_reshape (self->tensor, shape));
}

/* ---- Gates ---- */

/* The numbers as they are made of others; FALSE when these cannot be read. */
static guint8 *
read_numbers (const SymKerasWeight *self)
{
  gsize n_bytes = (gsize) sym_tensor_get_n_bytes (self->tensor);
  g_autofree guint8 *bytes = g_try_malloc (MAX (n_bytes, 1));

  if (bytes == NULL || !sym_tensor_read (self->tensor, 0, n_bytes, bytes, NULL))
    return NULL;
  return g_steal_pointer (&bytes);
}

static void
take_numbers (SymKerasWeight *self, guint8 *take_bytes, gsize n_bytes)
{
  g_autoptr (GBytes) all = g_bytes_new_take (take_bytes, n_bytes);
  g_autoptr (SymBlob) blob = sym_blob_new_bytes (all);

  take_tensor (self, sym_tensor_new (self->dtype, &self->shape, blob, 0, NULL));
}

gboolean
sym_keras_weight_take_gates (SymKerasWeight *self, guint part, const int *gates, int n_gates)
{
  SymShape before = self->shape;
  guint64 n = 1, size = sym_dtype_get_bits (self->dtype) / 8;
  g_autofree guint8 *bytes = NULL;
  guint8 *made;

  g_string_append_printf (self->path, " g%u.%d", part, n_gates);
  if ((gint64) part >= before.dims[0] || before.dims[1] % n_gates != 0)
    return FALSE;
  self->shape.rank--;
  for (int i = 0; i < self->shape.rank; i++)
    n *= (guint64) (self->shape.dims[i] = before.dims[i + 1]);
  if (self->tensor == NULL)
    return TRUE;
  bytes = read_numbers (self);
  if (bytes == NULL)
    return FALSE;
  made = g_malloc (MAX (n * size, 1));
  size = n * size / (guint64) n_gates; /* of a gate */
  for (int i = 0; i < n_gates; i++)
    memcpy (made + (guint64) i * size,
            bytes + ((guint64) part * (guint64) n_gates + (guint64) gates[i]) * size, size);
  take_numbers (self, made, size * (guint64) n_gates);
  return self->tensor != NULL;
}

gboolean
sym_keras_weight_add_halves (SymKerasWeight *self)
{
  guint64 n = (guint64) self->shape.dims[0] / 2;
  g_autofree guint8 *bytes = NULL;
  guint8 *made;

  g_string_append (self->path, " +");
  self->shape.dims[0] = (gint64) n;
  if (self->tensor == NULL)
    return TRUE;
  bytes = read_numbers (self);
  if (bytes == NULL || !sym_dtype_is_floating (self->dtype))
    return FALSE;
  made = g_malloc (MAX (n * sym_dtype_get_bits (self->dtype) / 8, 1));
  for (guint64 i = 0; i < n; i++)
    sym_element_set_double (self->dtype, made, i,
                            sym_element_get_double (self->dtype, bytes, i) +
                                sym_element_get_double (self->dtype, bytes, i + n));
  take_numbers (self, made, n * sym_dtype_get_bits (self->dtype) / 8);
  return self->tensor != NULL;
}

gboolean
sym_keras_is_zero (SymTensor *tensor)
{
  gsize n_bytes = (gsize) sym_tensor_get_n_bytes (tensor);
  g_autofree guint8 *bytes = g_try_malloc (MAX (n_bytes, 1));

  if (bytes == NULL || !sym_tensor_read (tensor, 0, n_bytes, bytes, NULL))
    return FALSE;
  for (gsize i = 0; i < n_bytes; i++)
    if (bytes[i] != 0)
      return FALSE;
  return TRUE;
}

/* ---- Moves ---- */

/* Whether a layer of one operand only moves its numbers, or keeps them. */
static gboolean
is_move (SymModel *model, SymId call)
{
  static const char *const names[] = { "Flatten",   "Identity",  "Reshape", "Squeeze",
                                       "Transpose", "Unsqueeze", NULL };
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));

  return op != NULL && *op->domain == '\0' && g_strv_contains (names, op->name);
}

static gboolean
read_axes (SymModel *model, SymId call, int rank, int *axes)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_model_get_layer (model, call));
  gint64 perm[SYM_MAX_RANK];
  int n = sym_attributes_get_ints (attributes, "perm", perm, SYM_MAX_RANK);
  guint seen = 0;

  for (int i = 0; i < rank; i++)
    {
      axes[i] = n < 0 ? rank - 1 - i : (int) perm[i];
      if (axes[i] < 0 || axes[i] >= rank)
        return FALSE;
      seen |= 1u << axes[i];
    }
  return (n < 0 || n == rank) && seen == (1u << rank) - 1;
}

static gboolean
move (SymRaise *self, SymId call, SymKerasWeight *weight)
{
  SymModel *model = sym_raise_get_model (self);
  const SymOperator *op = sym_layer_get_operator (sym_model_get_layer (model, call));
  SymShape shape =
      sym_raise_get_value_type (self, sym_model_get_results (model, call).ids[0]).shape;
  int axes[SYM_MAX_RANK];
  guint64 before, after;

  if (strcmp (op->name, "Transpose") == 0)
    {
      if (!read_axes (model, call, weight->shape.rank, axes))
        return FALSE;
      sym_keras_weight_turn (weight, axes);
      return TRUE;
    }
  if (shape.rank < 0 || !sym_shape_is_known (&shape) ||
      !sym_shape_get_n_elements (&shape, &after) ||
      !sym_shape_get_n_elements (&weight->shape, &before) || before != after)
    return FALSE;
  if (!sym_shape_equal (&shape, &weight->shape))
    sym_keras_weight_reshape (weight, &shape);
  return TRUE;
}

static gboolean
start (SymRaise *self, SymId base, SymKerasWeight *weight)
{
  SymModel *model = sym_raise_get_model (self);
  SymTensor *tensor = sym_raise_find_tensor (self, base);
  SymType type = sym_raise_get_value_type (self, base);
  guint64 n;

  if (tensor == NULL && (sym_model_get_producer (model, base) != SYM_NO_ID ||
                         sym_role_is_data (sym_model_get_role (model, base))))
    return FALSE;
  weight->base = base;
  weight->tensor = tensor == NULL ? NULL : sym_tensor_ref (tensor);
  weight->dtype = tensor == NULL ? type.dtype : sym_tensor_get_dtype (tensor);
  weight->shape = tensor == NULL ? type.shape : *sym_tensor_get_shape (tensor);
  g_string_append_printf (weight->path, "%u", base);
  return weight->shape.rank >= 0 && sym_shape_is_known (&weight->shape) &&
         sym_shape_get_n_elements (&weight->shape, &n) && n > 0;
}

gboolean
sym_keras_raise_find_weight_of (SymRaise *self, SymId value, SymKerasWeight *weight)
{
  SymModel *model = sym_raise_get_model (self);
  SymId steps[MAX_STEPS];
  guint n = 0;

  memset (weight, 0, sizeof *weight);
  weight->path = g_string_new (NULL);
  while (value != SYM_NO_ID && n < MAX_STEPS && sym_raise_find_tensor (self, value) == NULL)
    {
      SymId call = sym_model_get_producer (model, value);

      if (call == SYM_NO_ID || !is_move (model, call))
        break;
      steps[n++] = call;
      value = sym_model_get_operands (model, call).ids[0];
    }
  if (value == SYM_NO_ID || !start (self, value, weight))
    return FALSE;
  while (n-- > 0)
    if (!move (self, steps[n], weight))
      return FALSE;
  return TRUE;
}

gboolean
sym_keras_raise_find_weight (SymRaise *self, guint slot, SymKerasWeight *weight)
{
  return sym_keras_raise_find_weight_of (self, sym_raise_get_value (self, slot), weight);
}
