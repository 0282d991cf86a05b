/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tflite.h"

#include <string.h>

/* Layers of quantised tensors: what the layer makes of the numbers that the integers of its
 * operands stand for, as integers of its results.  TensorFlow Lite's kernels do the same with sums
 * of integers and factors of 32 bits; where a number lies between two integers theirs may be the
 * other one. Where only the weights are integers, its kernels make integers of the data too on the
 * way, which is an approximation that is not made here. */

#define OPERANDS "quantized_operands"
#define RESULTS "quantized_results"

const SymAttributeSpec sym_op_tflite_quantized_attributes[] = {
  { OPERANDS, SYM_ATTRIBUTE_ANY, "None",
    "of each operand: scale, zero point and axis of its integers" },
  { RESULTS, SYM_ATTRIBUTE_ANY, "None", "the same of each result" },
  { NULL },
};

/* What is told of one tensor; NULL for one of other numbers. */
static const SymValue *
get_scales (SymOpLower *self, const char *name, guint i)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const SymValue *all = sym_attributes_find (attributes, name);
  const SymValue *one =
      all != NULL && i < sym_value_get_n_children (all) ? sym_value_get_child (all, i) : NULL;

  return one != NULL && sym_value_get_kind (one) == SYM_VALUE_DICT ? one : NULL;
}

static const SymValue *
get_entry (const SymValue *scales, const char *key)
{
  for (guint i = 0; i < sym_value_get_n_children (scales); i++)
    if (g_str_equal (sym_value_get_key (scales, i), key))
      return sym_value_get_child (scales, i);
  return NULL;
}

/* The numbers of a list; one is a scalar, which is of the whole tensor. */
static SymId
make_tensor (SymOpLower *self, const SymValue *list, SymDType dtype)
{
  guint n = sym_value_get_n_children (list);
  guint size = dtype == SYM_DTYPE_FLOAT32 ? 4 : dtype == SYM_DTYPE_INT16 ? 2 : 1;
  g_autofree guint8 *bytes = g_malloc0 (n * sizeof (guint32) + 1);
  g_autoptr (GBytes) all = NULL;
  g_autoptr (SymBlob) blob = NULL;
  g_autoptr (SymTensor) tensor = NULL;
  SymShape shape = { .rank = n == 1 ? 0 : 1 };

  shape.dims[0] = n;
  for (guint i = 0; i < n; i++)
    {
      double number = 0;
      guint32 bits;
      float real;

      sym_value_get_float (sym_value_get_child (list, i), &number);
      real = (float) number;
      memcpy (&bits, &real, sizeof bits);
      if (dtype != SYM_DTYPE_FLOAT32)
        bits = (guint32) (gint32) CLAMP (number, G_MININT16, G_MAXINT16);
      bits = GUINT32_TO_LE (bits);
      memcpy (bytes + i * size, &bits, size);
    }
  all = g_bytes_new (bytes, n * size);
  blob = sym_blob_new_bytes (all);
  tensor = sym_tensor_new (dtype, &shape, blob, 0, NULL);
  return tensor == NULL ? SYM_NO_ID : sym_op_lower_tensor (self, tensor);
}

static gboolean
is_list (const SymValue *value)
{
  return value != NULL && sym_value_get_kind (value) == SYM_VALUE_LIST &&
         sym_value_get_n_children (value) > 0;
}

/* A zero point of 0, which need not be told, says the dtype of what is made. */
static SymId
get_zero_point (SymOpLower *self, const SymValue *scales, gboolean is_made)
{
  const SymValue *zero = get_entry (scales, "zero_point"), *name = get_entry (scales, "dtype");
  g_autoptr (SymValue) none = NULL;
  SymDType dtype = SYM_DTYPE_UNKNOWN;

  if (name != NULL && sym_value_get_string (name) != NULL)
    sym_dtype_from_string (sym_value_get_string (name), &dtype);
  if (!is_list (zero) && !is_made)
    return SYM_NO_ID;
  if (dtype != SYM_DTYPE_INT8 && dtype != SYM_DTYPE_UINT8 && dtype != SYM_DTYPE_INT16)
    {
      sym_op_lower_refuse (self, "%s: %s with a zero point is not lowered",
                           sym_op_lower_get_type (self), sym_dtype_to_string (dtype));
      return SYM_NO_ID;
    }
  if (!is_list (zero))
    {
      guint n = sym_value_get_n_children (get_entry (scales, "scale"));
      g_autofree gint64 *numbers = g_new0 (gint64, n);

      zero = none = sym_value_new_ints (SYM_VALUE_LIST, numbers, n);
    }
  return make_tensor (self, zero, dtype);
}

static SymId
convert (SymOpLower *self, const char *name, SymId x, const SymValue *scales)
{
  const SymValue *scale = get_entry (scales, "scale"), *axis = get_entry (scales, "axis");
  gboolean is_made = g_str_equal (name, "QuantizeLinear");
  gint64 along = 0;

  if (axis != NULL)
    sym_value_get_int (axis, &along);
  if (!is_list (scale))
    {
      sym_op_lower_fail (self, "%s: integers without a scale", sym_op_lower_get_type (self));
      return SYM_NO_ID;
    }
  return sym_op_lower_call (self, name,
                            SYM_IDS (x, make_tensor (self, scale, SYM_DTYPE_FLOAT32),
                                     get_zero_point (self, scales, is_made)),
                            "axis", sym_value_new_int (along), NULL);
}

static gboolean
is_quantized (SymOpLower *self)
{
  for (guint i = 0; i < sym_op_lower_get_n_inputs (self); i++)
    if (get_scales (self, OPERANDS, i) != NULL)
      return TRUE;
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    if (get_scales (self, RESULTS, i) != NULL)
      return TRUE;
  return FALSE;
}

gboolean
sym_op_tflite_keeps_scale (SymOpLower *self)
{
  const SymValue *operand = get_scales (self, OPERANDS, 0), *result = get_scales (self, RESULTS, 0);

  return operand != NULL && result != NULL && sym_value_equal (operand, result);
}

/* The same layer for numbers. */
static SymId
apply_plain (SymOpLower *self, SymIds operands)
{
  SymLayer *own = sym_op_lower_get_layer (self);
  g_autoptr (SymAttributes) some =
      sym_attributes_with (sym_layer_get_attributes (own), OPERANDS, NULL, NULL);
  g_autoptr (SymAttributes) attributes = sym_attributes_with (some, RESULTS, NULL, NULL);
  g_autoptr (SymLayer) layer =
      sym_layer_new (sym_op_lower_get_type (self), sym_layer_get_operator (own), attributes);

  return sym_op_lower_apply_layer (self, layer, operands);
}

gboolean
sym_op_tflite_quantized (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *operands = g_new (SymId, n + 1);
  SymId first;

  if (!is_quantized (self))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const SymValue *scales = get_scales (self, OPERANDS, i);

      operands[i] = sym_op_lower_input (self, i);
      if (scales != NULL && sym_op_lower_has_input (self, i))
        operands[i] = convert (self, "DequantizeLinear", operands[i], scales);
    }
  first = apply_plain (self, (SymIds){ operands, n });
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    {
      const SymValue *scales = get_scales (self, RESULTS, i);
      SymId result = i == 0 ? first : sym_op_lower_get_result (self, first, i);

      sym_op_lower_set_output (
          self, i, scales == NULL ? result : convert (self, "QuantizeLinear", result, scales));
    }
  return TRUE;
}
