/* SPDX-License-Identifier: MIT */
#include "io/sym-raise-private.h"

#include <string.h>

#include "core/sym-element.h"

/* ---- What a layer has ---- */

static SymLayer *
get_layer (SymRaise *self)
{
  return sym_model_get_layer (self->model, self->call);
}

SymModel *
sym_raise_get_model (SymRaise *self)
{
  return self->model;
}

SymId
sym_raise_get_call (SymRaise *self)
{
  return self->call;
}

SymId
sym_raise_get_value (SymRaise *self, guint slot)
{
  SymIds operands = sym_model_get_operands (self->model, self->call);

  return slot < operands.n ? operands.ids[slot] : SYM_NO_ID;
}

SymId
sym_raise_get_result_value (SymRaise *self, guint i)
{
  return sym_model_get_results (self->model, self->call).ids[i];
}

const char *
sym_raise_get_type (SymRaise *self)
{
  return sym_layer_get_operator (get_layer (self))->name;
}

int
sym_raise_get_version (SymRaise *self)
{
  return sym_layer_get_operator (get_layer (self))->since_version;
}

const SymAttributes *
sym_raise_get_attributes (SymRaise *self)
{
  return sym_layer_get_attributes (get_layer (self));
}

gboolean
sym_raise_has (SymRaise *self, guint slot)
{
  return sym_raise_get_value (self, slot) != SYM_NO_ID;
}

guint
sym_raise_count_operands (SymRaise *self)
{
  return sym_model_get_operands (self->model, self->call).n;
}

guint
sym_raise_count_results (SymRaise *self)
{
  return sym_model_get_results (self->model, self->call).n;
}

/* Sizes by their names where they have one. */
static SymType
get_named_type (SymRaise *self, SymId value)
{
  SymType type =
      value == SYM_NO_ID ? SYM_TYPE_UNKNOWN : sym_inference_get_type (self->inference, value);

  if (type.kind != SYM_KIND_TENSOR)
    type.shape = SYM_SHAPE_UNKNOWN;
  return type;
}

SymType
sym_raise_get_value_type (SymRaise *self, SymId value)
{
  SymType type = get_named_type (self, value);

  for (int i = 0; i < type.shape.rank; i++)
    type.shape.dims[i] = type.shape.dims[i] < 0 ? SYM_DIM_UNKNOWN : type.shape.dims[i];
  return type;
}

SymShape
sym_raise_get_shape (SymRaise *self, guint slot)
{
  return sym_raise_get_value_type (self, sym_raise_get_value (self, slot)).shape;
}

SymDType
sym_raise_get_dtype (SymRaise *self, guint slot)
{
  return sym_raise_get_value_type (self, sym_raise_get_value (self, slot)).dtype;
}

SymShape
sym_raise_get_result_shape (SymRaise *self, guint i)
{
  return sym_raise_get_value_type (self, sym_raise_get_result_value (self, i)).shape;
}

SymDType
sym_raise_get_result_dtype (SymRaise *self, guint i)
{
  return sym_raise_get_value_type (self, sym_raise_get_result_value (self, i)).dtype;
}

gboolean
sym_raise_is_same_size (SymRaise *self, int i, int k)
{
  return sym_raise_is_same_size_of (self, 0, i, k);
}

gboolean
sym_raise_is_same_size_of (SymRaise *self, guint slot, int i, int k)
{
  SymShape before = get_named_type (self, sym_raise_get_value (self, slot)).shape;
  SymShape after = get_named_type (self, sym_raise_get_result_value (self, 0)).shape;

  return i < before.rank && k < after.rank && before.dims[i] == after.dims[k] &&
         before.dims[i] != SYM_DIM_UNKNOWN;
}

gint64
sym_raise_get_int (SymRaise *self, const char *name, gint64 fallback)
{
  return sym_attributes_get_int (sym_raise_get_attributes (self), name, fallback);
}

double
sym_raise_get_float (SymRaise *self, const char *name, double fallback)
{
  return sym_attributes_get_float (sym_raise_get_attributes (self), name, fallback);
}

const char *
sym_raise_get_string (SymRaise *self, const char *name, const char *fallback)
{
  return sym_attributes_get_string (sym_raise_get_attributes (self), name, fallback);
}

gboolean
sym_raise_find_alignment (SymRaise *self, int *before)
{
  int rank = sym_raise_get_shape (self, 0).rank, other = sym_raise_get_shape (self, 1).rank;
  gint64 axis = sym_raise_get_int (self, "axis", rank - other);

  axis += axis < 0 && sym_raise_get_version (self) < 7 ? rank : 0;
  *before = rank - other;
  if (sym_raise_get_version (self) >= 7 || sym_raise_get_int (self, "broadcast", 0) == 0)
    return TRUE;
  *before = (int) CLAMP (axis, 0, SYM_MAX_RANK);
  if (rank >= 0 && other >= 0 && axis >= 0 && axis + other <= rank)
    return TRUE;
  sym_raise_fail (self, "the axes of its data are not known");
  return FALSE;
}

gboolean
sym_raise_find_axis (SymRaise *self, gint64 axis, gint64 *normal)
{
  int rank = sym_raise_get_shape (self, 0).rank;

  *normal = axis < 0 ? axis + rank : axis;
  if (rank >= 0 && *normal >= 0 && *normal < rank)
    return TRUE;
  sym_raise_fail (self, "the axes of its data are not known");
  return FALSE;
}

int
sym_raise_get_ints (SymRaise *self, const char *name, guint slot, gint64 *values, int max)
{
  const SymValue *value =
      name == NULL ? NULL : sym_attributes_find (sym_raise_get_attributes (self), name);
  SymId operand = slot == 0 ? SYM_NO_ID : sym_raise_get_value (self, slot);
  int n = -1;

  if (value != NULL)
    n = sym_value_get_ints (value, values, max);
  else if (operand != SYM_NO_ID)
    n = sym_inference_get_ints (self->inference, operand, values, max);
  return n > max ? -1 : n;
}

#define MAX_INTS 256

static SymTensor *
make_tensor (const SymType *type, const gint64 *ints, int n)
{
  gsize size = sym_dtype_get_bits (type->dtype) / 8;
  guint8 *bytes = g_malloc0 (MAX ((gsize) n * size, 1));
  g_autoptr (GBytes) all = NULL;
  g_autoptr (SymBlob) blob = NULL;

  for (int i = 0; i < n; i++)
    sym_element_set_double (type->dtype, bytes, (gsize) i, (double) ints[i]);
  all = g_bytes_new_take (bytes, (gsize) n * size);
  blob = sym_blob_new_bytes (all);
  return sym_tensor_new (type->dtype, &type->shape, blob, 0, NULL);
}

/* Integers that shapes alone decide are known as well as those of the file. */
static SymTensor *
find_decided (SymRaise *self, SymId value)
{
  SymTensor *tensor = g_hash_table_lookup (self->constants, GUINT_TO_POINTER (value + 1));
  SymType type = sym_raise_get_value_type (self, value);
  gint64 ints[MAX_INTS];
  guint64 n_elements;
  int n;

  if (tensor != NULL || (type.dtype != SYM_DTYPE_INT64 && type.dtype != SYM_DTYPE_INT32) ||
      type.shape.rank < 0 || !sym_shape_is_known (&type.shape))
    return tensor;
  n = sym_inference_get_ints (self->inference, value, ints, MAX_INTS);
  if (n < 0 || n > MAX_INTS || !sym_shape_get_n_elements (&type.shape, &n_elements) ||
      n_elements != (guint64) n)
    return NULL;
  tensor = make_tensor (&type, ints, n);
  g_hash_table_insert (self->constants, GUINT_TO_POINTER (value + 1), tensor);
  return tensor;
}

SymTensor *
sym_raise_find_tensor (SymRaise *self, SymId value)
{
  SymId call = sym_model_get_producer (self->model, value);
  SymLayer *layer = call == SYM_NO_ID ? NULL : sym_model_get_layer (self->model, call);
  const SymOperator *op = layer == NULL ? NULL : sym_layer_get_operator (layer);
  const SymValue *held;

  if (op == NULL)
    return sym_model_get_tensor (self->model, value);
  held = strcmp (op->name, "Constant") == 0
             ? sym_attributes_find (sym_layer_get_attributes (layer), "value")
             : NULL;
  return held == NULL ? find_decided (self, value) : sym_value_get_tensor (held);
}

gboolean
sym_raise_get_number (SymRaise *self, const char *name, guint slot, double *number)
{
  const SymValue *value =
      name == NULL ? NULL : sym_attributes_find (sym_raise_get_attributes (self), name);
  SymId operand = sym_raise_get_value (self, slot);
  SymTensor *tensor = operand == SYM_NO_ID ? NULL : sym_raise_find_tensor (self, operand);
  guint8 bytes[16];
  guint64 n;

  if (value != NULL)
    return sym_value_get_float (value, number);
  if (tensor == NULL || !sym_shape_get_n_elements (sym_tensor_get_shape (tensor), &n) || n != 1 ||
      sym_dtype_get_bits (sym_tensor_get_dtype (tensor)) < 8 ||
      sym_tensor_get_n_bytes (tensor) > sizeof bytes ||
      !sym_tensor_read (tensor, 0, sym_tensor_get_n_bytes (tensor), bytes, NULL))
    return FALSE;
  *number = sym_element_get_double (sym_tensor_get_dtype (tensor), bytes, 0);
  return TRUE;
}

static gboolean
is_output (SymRaise *self, SymId value)
{
  SymIds outputs = sym_model_get_outputs (self->model);

  for (guint i = 0; i < outputs.n; i++)
    if (outputs.ids[i] == value)
      return TRUE;
  return FALSE;
}

gboolean
sym_raise_is_used (SymRaise *self, guint i)
{
  SymId result =
      i < sym_raise_count_results (self) ? sym_raise_get_result_value (self, i) : SYM_NO_ID;

  return result != SYM_NO_ID &&
         (sym_model_get_consumers (self->model, result).n > 0 || is_output (self, result));
}

gboolean
sym_raise_has_one_result (SymRaise *self)
{
  for (guint i = 1; i < sym_raise_count_results (self); i++)
    if (sym_raise_is_used (self, i))
      return FALSE;
  return TRUE;
}

SymId
sym_raise_find_follower (SymRaise *self)
{
  SymId result = sym_raise_get_result_value (self, 0);
  SymIds consumers = sym_model_get_consumers (self->model, result);

  return consumers.n == 1 && !is_output (self, result) ? consumers.ids[0] : SYM_NO_ID;
}
