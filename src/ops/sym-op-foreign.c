/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-foreign.h"

#include <stdarg.h>
#include <string.h>

const SymSlotSpec sym_op_foreign_one[] = { { "x" }, { NULL } };
const SymSlotSpec sym_op_foreign_two[] = { { "x" }, { "y" }, { NULL } };
const SymSlotSpec sym_op_foreign_many[] = { { "x" }, { NULL } };

int
sym_op_foreign_any (const SymAttributes *attributes)
{
  return -1;
}

int
sym_op_foreign_first (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 0;
  return 0;
}

void
sym_op_foreign_lower_where (SymOpLower *self)
{
  sym_op_lower_set_output (
      self, 0,
      sym_op_lower_call (self, "Where",
                         SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_input (self, 1),
                                  sym_op_lower_input (self, 2)),
                         NULL));
}

void
sym_op_foreign_lower_stack (SymOpLower *self)
{
  gint64 axis = sym_op_lower_get_int (self, "axis", 0);
  guint n = sym_op_lower_get_n_inputs (self);
  g_autofree SymId *parts = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    parts[i] = sym_op_foreign_unsqueeze (self, sym_op_lower_input (self, i), &axis, 1);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (axis), NULL));
}

/* ---- Attributes ---- */

int
sym_op_foreign_list (SymOpLower *self, const char *name, gint64 values[SYM_MAX_RANK])
{
  int n = sym_op_lower_get_ints (self, name, values, SYM_MAX_RANK);

  if (n <= SYM_MAX_RANK)
    return n;
  sym_op_lower_fail (self, "%s: %d numbers are too many in %s", sym_op_lower_get_type (self), n,
                     name);
  return 0;
}

/* The operand that has @name; -1 for none. */
static int
find_operand (SymOpLower *self, const char *name)
{
  const SymSlotSpec *slots = sym_layer_get_operator (sym_op_lower_get_layer (self))->slots;

  for (int i = 0; slots != NULL && slots[i].name != NULL; i++)
    if (strcmp (slots[i].name, name) == 0)
      return sym_op_lower_has_input (self, (guint) i) ? i : -1;
  return -1;
}

gboolean
sym_op_foreign_read (SymOpLower *self, const char *name, gint64 *values, int *n)
{
  int operand = -1;

  *n = sym_op_foreign_list (self, name, values);
  if (*n < 0)
    operand = find_operand (self, name);
  if (operand >= 0)
    *n = sym_op_lower_read_ints (self, (guint) operand, values, SYM_MAX_RANK);
  else if (*n < 0)
    sym_op_lower_refuse (self, "%s: %s is not constant", sym_op_lower_get_type (self), name);
  return *n >= 0 && !sym_op_lower_has_failed (self);
}

void
sym_op_foreign_ints (SymOpLower *self, const char *name, int n, gint64 fallback, gint64 *values)
{
  gint64 given[SYM_MAX_RANK];
  int n_given = sym_op_foreign_list (self, name, given);

  if (n_given > 1 && n_given != n)
    sym_op_lower_fail (self, "%s: %s should have %d numbers, not %d", sym_op_lower_get_type (self),
                       name, n, n_given);
  for (int i = 0; i < n; i++)
    {
      values[i] = n_given == n ? given[i] : n_given == 1 ? given[0] : fallback;
      if (values[i] >= -G_MAXINT32 && values[i] <= G_MAXINT32)
        continue;
      sym_op_lower_fail (self, "%s: %s of %" G_GINT64_FORMAT " makes no sense",
                         sym_op_lower_get_type (self), name, values[i]);
      values[i] = fallback;
    }
}

const char *
sym_op_foreign_choose (SymOpLower *self, const char *name, ...)
{
  const SymAttributes *attributes = sym_layer_get_attributes (sym_op_lower_get_layer (self));
  const char *next = name;
  va_list arguments;

  va_start (arguments, name);
  while (next != NULL)
    {
      name = next;
      next =
          sym_attributes_find (attributes, name) != NULL ? NULL : va_arg (arguments, const char *);
    }
  va_end (arguments);
  return name;
}

int
sym_op_foreign_axis (SymOpLower *self, const char *name, gint64 fallback, int rank)
{
  int axis;

  sym_op_lower_find_axis (self, sym_op_lower_get_int (self, name, fallback), rank, &axis);
  return axis;
}

int
sym_op_foreign_rank (SymOpLower *self, guint i)
{
  if (!sym_op_lower_need_tensor (self, i))
    return 0;
  return sym_op_lower_get_input_shape (self, i)->rank;
}

gint64
sym_op_foreign_size (SymOpLower *self, guint i, int axis)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, i);

  if (axis < 0 || axis >= shape->rank)
    sym_op_lower_fail (self, "%s: operand %u has no axis %d", sym_op_lower_get_type (self), i,
                       axis);
  else if (shape->dims[axis] < 0 || shape->dims[axis] > G_MAXINT32)
    sym_op_lower_refuse (self, "%s: the size of axis %d of operand %u is not known, or too large",
                         sym_op_lower_get_type (self), axis, i);
  else
    return shape->dims[axis];
  return 1;
}

gint64
sym_op_foreign_multiply (SymOpLower *self, gint64 a, gint64 b)
{
  gint64 product;

  if (!__builtin_mul_overflow (a, b, &product) && product >= 0 && product <= G_MAXINT32)
    return product;
  sym_op_lower_refuse (self, "%s: its sizes are too large", sym_op_lower_get_type (self));
  return 1;
}

/* ---- Layers ---- */

SymId
sym_op_foreign_channels_first (SymOpLower *self, SymId x, int rank)
{
  gint64 axes[SYM_MAX_RANK] = { 0, rank - 1 };

  for (int i = 2; i < rank; i++)
    axes[i] = i - 1;
  return sym_op_lower_permute (self, x, axes, rank);
}

SymId
sym_op_foreign_channels_last (SymOpLower *self, SymId x, int rank)
{
  gint64 axes[SYM_MAX_RANK] = { 0 };

  for (int i = 1; i < rank - 1; i++)
    axes[i] = i + 1;
  if (rank > 1)
    axes[rank - 1] = 1;
  return sym_op_lower_permute (self, x, axes, rank);
}

SymId
sym_op_foreign_reduce (SymOpLower *self,
                       const char *name,
                       SymId x,
                       int rank,
                       const gint64 *axes,
                       int n,
                       gboolean keep)
{
  gint64 all[SYM_MAX_RANK];

  for (int i = 0; i < rank; i++)
    all[i] = i;
  return sym_op_lower_reduce (self, name, x, n < 0 ? all : axes, n < 0 ? rank : n, keep);
}

SymId
sym_op_foreign_reshape (SymOpLower *self, SymId x, const gint64 *sizes, int n, gboolean zero_copies)
{
  return sym_op_lower_call (self, "Reshape", SYM_IDS (x, sym_op_lower_ints (self, sizes, n)),
                            "allowzero", sym_value_new_int (zero_copies ? 0 : 1), NULL);
}

SymId
sym_op_foreign_squeeze (SymOpLower *self, SymId x, const gint64 *axes, int n)
{
  return sym_op_lower_binary (self, "Squeeze", x, sym_op_lower_ints (self, axes, n));
}

SymId
sym_op_foreign_unsqueeze (SymOpLower *self, SymId x, const gint64 *axes, int n)
{
  return sym_op_lower_binary (self, "Unsqueeze", x, sym_op_lower_ints (self, axes, n));
}

SymId
sym_op_foreign_concat (SymOpLower *self, guint first, guint n, gint64 axis)
{
  g_autofree SymId *parts = g_new (SymId, n + 1);

  for (guint i = 0; i < n; i++)
    parts[i] = sym_op_lower_input (self, first + i);
  if (n == 0)
    sym_op_lower_fail (self, "%s: there is nothing to join", sym_op_lower_get_type (self));
  return sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis", sym_value_new_int (axis),
                            NULL);
}

void
sym_op_foreign_split (SymOpLower *self, SymId x, gint64 axis, const gint64 *sizes, int n)
{
  guint n_outputs = sym_op_lower_get_n_outputs (self);
  SymId first;

  if (n >= 0 && (guint) n != n_outputs)
    {
      sym_op_lower_fail (self, "%s: %d sizes for %u results", sym_op_lower_get_type (self), n,
                         n_outputs);
      return;
    }
  if (n >= 0)
    first = sym_op_lower_call (self, "Split", SYM_IDS (x, sym_op_lower_ints (self, sizes, n)),
                               "axis", sym_value_new_int (axis), NULL);
  else
    first = sym_op_lower_call (self, "Split", SYM_IDS (x), "axis", sym_value_new_int (axis),
                               "num_outputs", sym_value_new_int (n_outputs), NULL);
  for (guint i = 0; i < n_outputs; i++)
    sym_op_lower_set_output (self, i, sym_op_lower_get_result (self, first, i));
}

SymId
sym_op_foreign_slice (SymOpLower *self,
                      SymId x,
                      const gint64 *starts,
                      const gint64 *stops,
                      const gint64 *axes,
                      const gint64 *steps,
                      int n)
{
  gint64 first[SYM_MAX_RANK], ones[SYM_MAX_RANK];

  for (int i = 0; i < n; i++)
    {
      first[i] = i;
      ones[i] = 1;
    }
  return sym_op_lower_call (self, "Slice",
                            SYM_IDS (x, sym_op_lower_ints (self, starts, n),
                                     sym_op_lower_ints (self, stops, n),
                                     sym_op_lower_ints (self, axes == NULL ? first : axes, n),
                                     sym_op_lower_ints (self, steps == NULL ? ones : steps, n)),
                            NULL);
}

SymId
sym_op_foreign_with (SymOpLower *self, const char *name, SymId x, const char *key, gint64 value)
{
  return sym_op_lower_call (self, name, SYM_IDS (x), key, sym_value_new_int (value), NULL);
}

static SymId
clip (SymOpLower *self, SymId x, double least, double most)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);

  return sym_op_lower_call (self, "Clip",
                            SYM_IDS (x, sym_op_lower_number (self, dtype, least),
                                     sym_op_lower_number (self, dtype, most)),
                            NULL);
}

SymId
sym_op_foreign_activate (SymOpLower *self, const char *name, double alpha, SymId x)
{
  static const char *const same[][2] = {
    { "relu", "Relu" },
    { "sigmoid", "Sigmoid" },
    { "logistic", "Sigmoid" },
    { "tanh", "Tanh" },
    { "hard_swish", "HardSwish" },
    { "hardswish", "HardSwish" },
    { "gelu", "Gelu" },
    { "elu", "Elu" },
    { "mish", "Mish" },
    { "softplus", "Softplus" },
    { "abs", "Abs" },
    { "sqrt", "Sqrt" },
  };
  g_autofree char *lower = name == NULL ? g_strdup ("none") : g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    if (g_str_equal (lower, same[i][0]))
      return sym_op_lower_unary (self, same[i][1], x);
  if (g_str_equal (lower, "") || g_str_equal (lower, "none") || g_str_equal (lower, "identity"))
    return x;
  if (g_str_equal (lower, "relu6"))
    return clip (self, x, 0, 6);
  if (g_str_equal (lower, "relu_n1_to_1"))
    return clip (self, x, -1, 1);
  if (g_str_equal (lower, "swish") || g_str_equal (lower, "silu"))
    return sym_op_lower_binary (self, "Mul", x, sym_op_lower_unary (self, "Sigmoid", x));
  if (g_str_equal (lower, "leaky_relu"))
    return sym_op_lower_call (self, "LeakyRelu", SYM_IDS (x), "alpha", sym_value_new_float (alpha),
                              NULL);
  sym_op_lower_refuse (self, "%s: nothing is known of the activation “%s”",
                       sym_op_lower_get_type (self), name);
  return x;
}

/* ---- Resizing ---- */

static SymId
list_floats (SymOpLower *self, const double *values, int n)
{
  float narrow[SYM_MAX_RANK];
  SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (n), narrow };

  for (int i = 0; i < n; i++)
    narrow[i] = (float) values[i];
  return sym_op_lower_array (self, &array);
}

/* Which of two elements is nearest: the lesser one, but where the corners meet. */
static const char *
get_nearest (const char *coordinates)
{
  return g_str_equal (coordinates, "half_pixel")      ? "round_prefer_floor"
         : g_str_equal (coordinates, "align_corners") ? "round_prefer_ceil"
                                                      : "floor";
}

SymId
sym_op_foreign_resize (SymOpLower *self,
                       SymId x,
                       const SymShape *shape,
                       gboolean channels_last,
                       const gint64 *sizes,
                       const double *scales,
                       const char *mode,
                       const char *coordinates)
{
  int first = channels_last ? 1 : 2;
  SymShape target = *shape;
  double factors[SYM_MAX_RANK];

  for (int i = 0; i < shape->rank; i++)
    factors[i] = 1;
  for (int i = 0; i < shape->rank - 2; i++)
    if (scales != NULL)
      factors[i + first] = scales[i];
    else
      target.dims[i + first] = sizes[i];
  return sym_op_lower_call (
      self, "Resize",
      SYM_IDS (x, SYM_NO_ID, scales != NULL ? list_floats (self, factors, shape->rank) : SYM_NO_ID,
               scales != NULL ? SYM_NO_ID : sym_op_lower_ints (self, target.dims, target.rank)),
      "mode", sym_value_new_string (mode), "coordinate_transformation_mode",
      sym_value_new_string (coordinates), "nearest_mode",
      sym_value_new_string (get_nearest (coordinates)), "cubic_coeff_a",
      sym_value_new_float (-0.75), NULL);
}
