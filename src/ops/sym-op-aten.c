/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-aten.h"

#include <math.h>
#include <string.h>

const SymSlotSpec sym_op_aten_self[] = { { "self" }, { NULL } };
const SymSlotSpec sym_op_aten_input[] = { { "input" }, { NULL } };
const SymSlotSpec sym_op_aten_pair[] = { { "self" }, { "other", SYM_SLOT_DATA, TRUE }, { NULL } };
const SymSlotSpec sym_op_aten_tensors[] = { { "tensors" }, { NULL } };

int
sym_op_aten_any_number (const SymAttributes *attributes)
{
  return -1;
}

int
sym_op_aten_any_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 0;
  return 0;
}

/* ---- Types ---- */

static int
get_class (SymDType dtype)
{
  return dtype == SYM_DTYPE_BOOL         ? 1
         : sym_dtype_is_integer (dtype)  ? 2
         : sym_dtype_is_floating (dtype) ? 3
                                         : 4;
}

/* torch.promote_types(): no half has the range of the other, nor uint8 that of int8. */
static SymDType
promote_two (SymDType a, SymDType b)
{
  if (a == SYM_DTYPE_UNKNOWN || a == b)
    return b;
  if (b == SYM_DTYPE_UNKNOWN)
    return a;
  if (get_class (a) != get_class (b))
    return get_class (a) > get_class (b) ? a : b;
  if (sym_dtype_get_bits (a) != sym_dtype_get_bits (b))
    return sym_dtype_get_bits (a) > sym_dtype_get_bits (b) ? a : b;
  return get_class (a) == 3 ? SYM_DTYPE_FLOAT32 : SYM_DTYPE_INT16;
}

/* What stands higher decides, unless what stands lower is of a higher class. */
static SymDType
combine (SymDType higher, SymDType lower)
{
  if (higher == SYM_DTYPE_UNKNOWN)
    return lower;
  if (lower == SYM_DTYPE_UNKNOWN || get_class (higher) >= 3)
    return higher;
  return higher == SYM_DTYPE_BOOL || get_class (lower) >= 3 ? promote_two (higher, lower) : higher;
}

SymDType
sym_op_aten_promote (const SymOpAtenKind *kinds, guint n)
{
  SymDType tensors = SYM_DTYPE_UNKNOWN, single = SYM_DTYPE_UNKNOWN, numbers = SYM_DTYPE_UNKNOWN;

  for (guint i = 0; i < n; i++)
    {
      SymDType *place = kinds[i].rank > 0 ? &tensors : kinds[i].rank == 0 ? &single : &numbers;

      if (kinds[i].rank == -2)
        continue;
      if (kinds[i].dtype == SYM_DTYPE_UNKNOWN)
        return SYM_DTYPE_UNKNOWN;
      *place = promote_two (*place, kinds[i].dtype);
    }
  return combine (tensors, combine (single, numbers));
}

SymDType
sym_op_aten_to_float (SymDType dtype)
{
  return dtype == SYM_DTYPE_UNKNOWN || get_class (dtype) >= 3 ? dtype : SYM_DTYPE_FLOAT32;
}

/* A number that the program computes counts as one that it holds. */
static SymOpAtenKind
get_number_kind (const SymAttributes *attributes, const char *name)
{
  const SymValue *value = name == NULL ? NULL : sym_attributes_find (attributes, name);
  SymOpAtenKind kind = { SYM_DTYPE_UNKNOWN, -2 };

  if (value == NULL || sym_value_get_kind (value) == SYM_VALUE_NONE)
    return kind;
  kind.rank = -1;
  switch ((guint) sym_value_get_kind (value))
    {
    case SYM_VALUE_BOOL:
      kind.dtype = SYM_DTYPE_BOOL;
      break;
    case SYM_VALUE_FLOAT:
      kind.dtype = SYM_DTYPE_FLOAT32;
      break;
    default:
      kind.dtype = SYM_DTYPE_INT64;
      break;
    }
  return kind;
}

SymOpAtenKind
sym_op_aten_rule_kind (SymRule *rule, guint slot, const char *name)
{
  if (sym_rule_has_input (rule, slot))
    {
      SymShape shape = sym_rule_get_input (rule, slot);

      return (SymOpAtenKind){ shape.rank < 0 ? SYM_DTYPE_UNKNOWN
                                             : sym_rule_get_input_dtype (rule, slot),
                              MAX (shape.rank, 0) };
    }
  return get_number_kind (sym_rule_get_attributes (rule), name);
}

SymOpAtenKind
sym_op_aten_kind (SymOpLower *self, guint slot, const char *name)
{
  if (sym_op_lower_has_input (self, slot))
    return (SymOpAtenKind){ sym_op_lower_get_input_dtype (self, slot),
                            MAX (sym_op_lower_get_input_shape (self, slot)->rank, 0) };
  return get_number_kind (sym_op_aten_attributes (self), name);
}

/* ---- Rules ---- */

gboolean
sym_op_aten_same (SymRule *rule, GError **error)
{
  return sym_op_pass (rule, 0, 0, error);
}

gboolean
sym_op_aten_infer_float (SymRule *rule, GError **error)
{
  return sym_op_pass_shape (rule, 0, 0, error) &&
         sym_rule_set_output_dtype (
             rule, 0, sym_op_aten_to_float (sym_rule_get_input_dtype (rule, 0)), error);
}

/* The operand that a leaf stands for. */
static gboolean
get_leaf (const SymValue *value, guint *slot)
{
  gint64 index;

  if (sym_value_get_kind (value) != SYM_VALUE_OPERAND || !sym_value_get_int (value, &index))
    return FALSE;
  *slot = (guint) index;
  return TRUE;
}

int
sym_op_aten_get_sizes (SymRule *rule, const char *name, SymDim dims[SYM_MAX_RANK], int *open)
{
  const SymValue *list = sym_attributes_find (sym_rule_get_attributes (rule), name);
  guint n = list == NULL ? 0 : sym_value_get_n_children (list);

  *open = -1;
  if (list == NULL || n > SYM_MAX_RANK ||
      (sym_value_get_kind (list) != SYM_VALUE_LIST && sym_value_get_kind (list) != SYM_VALUE_TUPLE))
    return -1;
  for (guint i = 0; i < n; i++)
    {
      const SymValue *item = sym_value_get_child (list, i);
      gint64 size = G_MININT64;
      guint slot;

      dims[i] = SYM_DIM_UNKNOWN;
      if (get_leaf (item, &slot))
        {
          if (sym_rule_get_input_values (rule, slot, &dims[i], 1) != 1)
            dims[i] = SYM_DIM_UNKNOWN;
        }
      else if (sym_value_get_int (item, &size) && size >= 0)
        dims[i] = size;
      else if (size == -1 && *open < 0)
        *open = (int) i;
      else
        return -1;
    }
  return (int) n;
}

/* ---- Attributes ---- */

const SymAttributes *
sym_op_aten_attributes (SymOpLower *self)
{
  return sym_layer_get_attributes (sym_op_lower_get_layer (self));
}

gboolean
sym_op_aten_is_type (SymOpLower *self, const char *type)
{
  return strcmp (sym_op_lower_get_type (self), type) == 0;
}

static const SymValue *
find (SymOpLower *self, const char *name)
{
  const SymValue *value = sym_attributes_find (sym_op_aten_attributes (self), name);

  return value == NULL || sym_value_get_kind (value) == SYM_VALUE_NONE ? NULL : value;
}

gboolean
sym_op_aten_has (SymOpLower *self, const char *name)
{
  return find (self, name) != NULL;
}

gboolean
sym_op_aten_get_ints (SymOpLower *self, const char *name, int n, gint64 fallback, gint64 *values)
{
  gint64 found[SYM_MAX_RANK];
  int given = sym_op_lower_get_ints (self, name, found, SYM_MAX_RANK);

  if (given == -1 && sym_op_aten_has (self, name))
    {
      sym_op_lower_refuse (self, "%s: %s is computed", sym_op_lower_get_type (self), name);
      return FALSE;
    }
  if (given > 1 && given != n)
    {
      sym_op_lower_fail (self, "%s: %s must have %d numbers, not %d", sym_op_lower_get_type (self),
                         name, n, given);
      return FALSE;
    }
  for (int i = 0; i < n; i++)
    values[i] = given < 1 ? fallback : given == 1 ? found[0] : found[i];
  return TRUE;
}

gboolean
sym_op_aten_get_axes (SymOpLower *self, const char *name, int rank, gint64 *axes, int *n)
{
  int given = sym_op_lower_get_ints (self, name, axes, SYM_MAX_RANK);

  *n = given < 1 ? rank : given;
  if (given > SYM_MAX_RANK)
    {
      sym_op_lower_fail (self, "%s: %s lists %d axes", sym_op_lower_get_type (self), name, given);
      return FALSE;
    }
  for (int i = 0; i < *n; i++)
    {
      int axis = i;

      if (given >= 1 && rank == 0 && (axes[i] == 0 || axes[i] == -1))
        *n = 0;
      else if (given >= 1 && !sym_op_lower_find_axis (self, axes[i], rank, &axis))
        return FALSE;
      axes[i] = axis;
    }
  return TRUE;
}

gboolean
sym_op_aten_get_axis (SymOpLower *self, const char *name, gint64 fallback, int rank, int *axis)
{
  gint64 given = sym_op_lower_get_int (self, name, fallback);

  return sym_op_lower_find_axis (self, given, rank, axis);
}

/* ---- Lowering ---- */

SymId
sym_op_aten_input_as (SymOpLower *self, guint slot, SymDType dtype)
{
  if (!sym_op_lower_has_input (self, slot))
    return SYM_NO_ID;
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, slot),
                                 sym_op_lower_get_input_dtype (self, slot), dtype);
}

static SymId
make_number (SymOpLower *self, const SymValue *value, SymDType dtype)
{
  double number = 0;
  guint slot;

  if (get_leaf (value, &slot))
    return sym_op_aten_input_as (self, slot, dtype);
  if (!sym_value_get_float (value, &number))
    sym_op_lower_fail (self, "%s: a number is none", sym_op_lower_get_type (self));
  return sym_op_aten_number (self, dtype, number);
}

SymId
sym_op_aten_operand (SymOpLower *self, guint slot, const char *name, SymDType dtype)
{
  const SymValue *value;

  if (sym_op_lower_has_input (self, slot))
    return sym_op_aten_input_as (self, slot, dtype);
  value = name == NULL ? NULL : find (self, name);
  return value == NULL ? SYM_NO_ID : make_number (self, value, dtype);
}

/* int64 [1] of a number or a leaf. */
static SymId
make_size (SymOpLower *self, const SymValue *value, gint64 negative)
{
  gint64 number, one = 1;
  guint slot;

  if (get_leaf (value, &slot))
    return sym_op_lower_binary (self, "Reshape", sym_op_aten_input_as (self, slot, SYM_DTYPE_INT64),
                                sym_op_lower_ints (self, &one, 1));
  if (!sym_value_get_int (value, &number))
    {
      sym_op_lower_fail (self, "%s: a size is no number", sym_op_lower_get_type (self));
      return SYM_NO_ID;
    }
  if (number < 0)
    number = negative;
  return sym_op_lower_ints (self, &number, 1);
}

SymId
sym_op_aten_sizes (SymOpLower *self, const char *name, gint64 negative)
{
  const SymValue *list = find (self, name);
  gint64 sizes[SYM_MAX_RANK];
  SymId parts[SYM_MAX_RANK];
  int n = list == NULL ? -1 : sym_value_get_ints (list, sizes, SYM_MAX_RANK);
  guint n_children = list == NULL ? 0 : sym_value_get_n_children (list);

  if (n > SYM_MAX_RANK || n_children > SYM_MAX_RANK)
    {
      sym_op_lower_refuse (self, "%s: at most %d sizes are supported", sym_op_lower_get_type (self),
                           SYM_MAX_RANK);
      return SYM_NO_ID;
    }
  for (int i = 0; i < n; i++)
    sizes[i] = sizes[i] < 0 ? negative : sizes[i];
  if (n >= 0)
    return sym_op_lower_ints (self, sizes, n);
  if (list == NULL || n_children == 0)
    {
      sym_op_lower_fail (self, "%s: %s is no list of sizes", sym_op_lower_get_type (self), name);
      return SYM_NO_ID;
    }
  for (guint i = 0; i < n_children; i++)
    parts[i] = make_size (self, sym_value_get_child (list, i), negative);
  return sym_op_aten_lay (self, parts, n_children, 0);
}

SymId
sym_op_aten_int (SymOpLower *self, const char *name)
{
  const SymValue *value = find (self, name);
  gint64 number;

  if (value == NULL)
    return SYM_NO_ID;
  return make_size (self, value, sym_value_get_int (value, &number) ? number : 0);
}

SymId
sym_op_aten_unsqueeze (SymOpLower *self, SymId x, gint64 axis)
{
  return sym_op_lower_binary (self, "Unsqueeze", x, sym_op_lower_ints (self, &axis, 1));
}

SymId
sym_op_aten_squeeze (SymOpLower *self, SymId x, gint64 axis)
{
  return sym_op_lower_binary (self, "Squeeze", x, sym_op_lower_ints (self, &axis, 1));
}

SymId
sym_op_aten_number (SymOpLower *self, SymDType dtype, double number)
{
  if (dtype == SYM_DTYPE_UNKNOWN || get_class (dtype) > 3)
    {
      sym_op_lower_refuse (self, "%s: numbers of %s are not lowered", sym_op_lower_get_type (self),
                           sym_dtype_to_string (dtype));
      return SYM_NO_ID;
    }
  if (sym_dtype_is_integer (dtype) && !(fabs (number) < 0x1p63))
    number = isnan (number) ? 0 : number < 0 ? -0x1p63 : 0x1.fffffffffffffp62;
  return sym_op_lower_number (self, dtype, number);
}

SymId
sym_op_aten_lay (SymOpLower *self, const SymId *parts, guint n, int axis)
{
  return n == 1 ? parts[0]
                : sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                     sym_value_new_int (axis), NULL);
}

SymId
sym_op_aten_shape (SymOpLower *self, SymId x)
{
  return sym_op_lower_unary (self, "Shape", x);
}

gboolean
sym_op_aten_need_size (SymOpLower *self, guint i, int axis, gint64 *size)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);

  *size = axis >= 0 && axis < shape->rank ? shape->dims[axis] : -1;
  if (*size >= 0 && *size <= G_MAXINT32)
    return TRUE;
  sym_op_lower_refuse (self, "%s: the size of axis %d of operand %u is not known, or too large",
                       sym_op_lower_get_type (self), axis, i);
  return FALSE;
}
