/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

const SymSlotSpec sym_op_tf_one[] = { { "x" }, { NULL } };
const SymSlotSpec sym_op_tf_pair[] = { { "x" }, { "y" }, { NULL } };
const SymSlotSpec sym_op_tf_many[] = { { "inputs" }, { NULL } };

int
sym_op_tf_any_number (const SymAttributes *attributes)
{
  (void) attributes;
  return -1;
}

int
sym_op_tf_any_outputs (const SymAttributes *attributes, int *n_visible)
{
  (void) attributes;
  *n_visible = 0;
  return 0;
}

SymDType
sym_op_tf_get_dtype (const SymAttributes *attributes, const char *name, SymDType fallback)
{
  SymDType dtype = sym_attributes_get_dtype (attributes, name, fallback);

  if (sym_dtype_is_floating (dtype))
    return SYM_DTYPE_FLOAT32;
  return sym_dtype_is_integer (dtype) ? SYM_DTYPE_INT32 : dtype;
}

/* ---- Rules ---- */

gboolean
sym_op_tf_same (SymRule *rule, GError **error)
{
  gint64 values[64];
  int n = sym_rule_get_input_ints (rule, 0, values, G_N_ELEMENTS (values));

  if (!sym_op_pass (rule, 0, 0, error))
    return FALSE;
  if (n >= 0)
    sym_rule_set_output_ints (rule, 0, values, n);
  else
    sym_op_pass_values (rule, 0, 0);
  return TRUE;
}

static int
get_class (SymDType dtype)
{
  return sym_dtype_is_floating (dtype)  ? 3
         : sym_dtype_is_integer (dtype) ? 2
         : dtype == SYM_DTYPE_BOOL      ? 1
                                        : 4;
}

static SymDType
promote (SymDType a, SymDType b)
{
  if (a == SYM_DTYPE_UNKNOWN || b == SYM_DTYPE_UNKNOWN)
    return SYM_DTYPE_UNKNOWN;
  if (get_class (a) != get_class (b))
    return get_class (a) > get_class (b) ? a : b;
  return sym_dtype_get_bits (a) >= sym_dtype_get_bits (b) ? a : b;
}

SymDType
sym_op_tf_promote (SymRule *rule, guint first, guint last)
{
  SymDType result = sym_rule_get_input_dtype (rule, first);

  for (guint i = first + 1; i <= last && i < sym_rule_get_n_inputs (rule); i++)
    result = promote (result, sym_rule_get_input_dtype (rule, i));
  return result;
}

gboolean
sym_op_tf_get_scalar (SymRule *rule, guint i, gint64 *value, gboolean *known, GError **error)
{
  int n = sym_rule_get_input_ints (rule, i, value, 1);

  *known = n == 1;
  if (n >= 0 && n != 1)
    return sym_rule_fail (error, "operand %u must be one number, not %d", i, n);
  return TRUE;
}

/* The rank alone. */
static SymShape
get_rank (SymRule *rule, guint i)
{
  SymShape list = sym_rule_get_input (rule, i);

  return list.rank == 1 && list.dims[0] >= 0 && list.dims[0] <= SYM_MAX_RANK
             ? sym_shape_new_unknown ((int) list.dims[0])
             : SYM_SHAPE_UNKNOWN;
}

gboolean
sym_op_tf_get_sizes (SymRule *rule, guint i, SymShape *shape, int *open, GError **error)
{
  gint64 sizes[SYM_MAX_RANK];
  int n = sym_rule_get_input_ints (rule, i, sizes, SYM_MAX_RANK), n_dims;

  *open = -1;
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported, not %d", SYM_MAX_RANK, n);
  if (n < 0)
    {
      n_dims = sym_rule_get_input_values (rule, i, shape->dims, SYM_MAX_RANK);
      shape->rank = n_dims;
      if (n_dims < 0 || n_dims > SYM_MAX_RANK)
        {
          *shape = get_rank (rule, i);
          *open = -2;
        }
      return TRUE;
    }
  shape->rank = n;
  for (int k = 0; k < n; k++)
    {
      if (sizes[k] < -1 || (sizes[k] == -1 && *open >= 0))
        return sym_rule_fail (error, "size %" G_GINT64_FORMAT " of a shape makes no sense",
                              sizes[k]);
      if (sizes[k] == -1)
        *open = k;
      shape->dims[k] = sizes[k] == -1 ? SYM_DIM_UNKNOWN : sizes[k];
    }
  return TRUE;
}

gboolean
sym_op_tf_get_pairs (SymRule *rule, guint i, int n, gint64 *pairs, gboolean *known, GError **error)
{
  int given = sym_rule_get_input_table (rule, i, pairs, 2 * n);

  *known = given == 2 * n;
  if (given >= 0 && !*known)
    return sym_rule_fail (error, "operand %u has %d numbers; %d axes need %d", i, given, n, 2 * n);
  return TRUE;
}

/* ---- Lowering ---- */

gboolean
sym_op_tf_read_axis (SymOpLower *self, guint i, int rank, int *axis)
{
  gint64 value[1];
  int n = sym_op_lower_read_ints (self, i, value, 1);

  *axis = 0;
  if (n == 1)
    return sym_op_lower_find_axis (self, value[0], rank, axis);
  sym_op_lower_fail (self, "%s: the axis must be one number", sym_op_lower_get_type (self));
  return FALSE;
}

gboolean
sym_op_tf_need_shape (SymOpLower *self, guint i, SymShape *shape)
{
  *shape = *sym_op_lower_get_output_shape (self, i);
  if (sym_op_lower_has_failed (self))
    return FALSE;
  if (shape->rank >= 0 && sym_shape_is_known (shape))
    return TRUE;
  sym_op_lower_refuse (self, "%s: the shape of the result is not known",
                       sym_op_lower_get_type (self));
  return FALSE;
}

SymId
sym_op_tf_input (SymOpLower *self, guint i)
{
  if (!sym_op_lower_need_tensor (self, i))
    return SYM_NO_ID;
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i),
                                 sym_op_lower_get_output_dtype (self, 0));
}

SymId
sym_op_tf_int64 (SymOpLower *self, guint i)
{
  if (!sym_op_lower_need_tensor (self, i))
    return SYM_NO_ID;
  return sym_op_lower_cast_from (self, sym_op_lower_input (self, i),
                                 sym_op_lower_get_input_dtype (self, i), SYM_DTYPE_INT64);
}

void
sym_op_tf_pair_up (SymOpLower *self, guint i, guint j, SymId *a, SymId *b)
{
  SymDType left = sym_op_lower_get_input_dtype (self, i);
  SymDType right = sym_op_lower_get_input_dtype (self, j), both = promote (left, right);

  *a = *b = SYM_NO_ID;
  if (!sym_op_lower_need_tensor (self, i) || !sym_op_lower_need_tensor (self, j))
    return;
  *a = sym_op_lower_cast_from (self, sym_op_lower_input (self, i), left, both);
  *b = sym_op_lower_cast_from (self, sym_op_lower_input (self, j), right, both);
}

void
sym_op_tf_lower_identity (SymOpLower *self)
{
  if (sym_op_lower_has_input (self, 0))
    sym_op_lower_set_output (self, 0, sym_op_lower_input (self, 0));
  else
    sym_op_lower_need_tensor (self, 0);
}

void
sym_op_tf_lower_cast (SymOpLower *self)
{
  sym_op_lower_set_output (self, 0, sym_op_tf_input (self, 0));
}

gboolean
sym_op_tf_activate (SymOpLower *self, const char *name, SymId *x)
{
  static const char *const same[] = { "Relu", "Elu", "Sigmoid", "Tanh", "Selu", "Softplus", NULL };

  if (g_strv_contains (same, name))
    *x = sym_op_lower_unary (self, name, *x);
  else if (strcmp (name, "Relu6") == 0)
    *x = sym_op_lower_call (self, "Clip",
                            SYM_IDS (*x, sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 0),
                                     sym_op_lower_number (self, SYM_DTYPE_FLOAT32, 6)),
                            NULL);
  else if (strcmp (name, "LeakyRelu") == 0)
    *x = sym_op_lower_call (
        self, "LeakyRelu", SYM_IDS (*x), "alpha",
        sym_value_new_float (sym_op_lower_get_float (self, "leakyrelu_alpha", 0.2)), NULL);
  else
    return FALSE;
  return TRUE;
}

/* ---- Images ---- */

gboolean
sym_op_tf_is_channels_first (const SymAttributes *attributes)
{
  return g_str_has_prefix (sym_attributes_get_string (attributes, "data_format", ""), "NC");
}

SymId
sym_op_tf_channels_first (SymOpLower *self, SymId x, int n)
{
  gint64 axes[5] = { 0, n + 1 };

  for (int i = 0; i < n; i++)
    axes[i + 2] = i + 1;
  return sym_op_lower_permute (self, x, axes, n + 2);
}

SymId
sym_op_tf_channels_last (SymOpLower *self, SymId x, int n)
{
  gint64 axes[5] = { 0 };

  for (int i = 0; i < n; i++)
    axes[i + 1] = i + 2;
  axes[n + 1] = 1;
  return sym_op_lower_permute (self, x, axes, n + 2);
}

/* ---- What is fused ---- */

const char *
sym_op_tf_get_fused (const SymAttributes *attributes, guint i)
{
  const SymValue *list = sym_attributes_find (attributes, "fused_ops");

  if (list == NULL || i >= sym_value_get_n_children (list))
    return NULL;
  return sym_value_get_string (sym_value_get_child (list, i));
}

/* Numbers along the channels of @x: the last axis, or axis 1 where @rank is not 0. */
static SymId
put_along (SymOpLower *self, SymId numbers, guint operand, int rank)
{
  SymShape shape = { .rank = rank };

  if (rank == 0 || sym_op_lower_get_input_shape (self, operand)->rank != 1)
    return numbers;
  for (int i = 0; i < rank; i++)
    shape.dims[i] = i == 1 ? -1 : 1;
  return sym_op_lower_call (self, "Reshape",
                            SYM_IDS (numbers, sym_op_lower_ints (self, shape.dims, rank)), NULL);
}

/* (x - mean) / sqrt (variance + epsilon) * scale + offset */
static SymId
normalize (SymOpLower *self, SymId x, guint operand, int rank)
{
  double epsilon = sym_op_lower_get_float (self, "epsilon", 0.0001);
  SymId part[4], factor;

  for (guint i = 0; i < 4; i++)
    part[i] = put_along (self, sym_op_lower_input (self, operand + i), operand + i, rank);
  factor = sym_op_lower_binary (self, "Add", part[3],
                                sym_op_lower_number (self, SYM_DTYPE_FLOAT32, epsilon));
  factor = sym_op_lower_binary (self, "Div", part[0], sym_op_lower_unary (self, "Sqrt", factor));
  x = sym_op_lower_binary (self, "Mul", sym_op_lower_binary (self, "Sub", x, part[2]), factor);
  return sym_op_lower_binary (self, "Add", x, part[1]);
}

SymId
sym_op_tf_fuse (SymOpLower *self, SymId x, guint operand, guint first_fused, int rank)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const char *name;

  for (guint i = first_fused; (name = sym_op_tf_get_fused (attributes, i)) != NULL; i++)
    {
      gboolean adds = strcmp (name, "BiasAdd") == 0, is_prelu = strcmp (name, "Prelu") == 0;

      if (adds || is_prelu || strcmp (name, "Add") == 0)
        {
          if (!sym_op_lower_need_tensor (self, operand))
            return SYM_NO_ID;
          x = sym_op_lower_binary (
              self, is_prelu ? "PRelu" : "Add", x,
              put_along (self, sym_op_lower_input (self, operand), operand, rank));
          operand++;
        }
      else if (strcmp (name, "FusedBatchNorm") == 0)
        {
          for (guint k = 0; k < 4; k++)
            if (!sym_op_lower_need_tensor (self, operand + k))
              return SYM_NO_ID;
          x = normalize (self, x, operand, rank);
          operand += 4;
        }
      else if (!sym_op_tf_activate (self, name, &x))
        sym_op_lower_refuse (self, "%s: fused operator “%s” is not known",
                             sym_op_lower_get_type (self), name);
    }
  return x;
}
