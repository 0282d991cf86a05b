/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Concat and Split: tensors laid one after the other along an axis, and taken apart again. */

#define MAX_VALUES 64

/* ---- Concat ---- */

static const SymAttributeSpec concat_attributes_1[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "axis along which the operands are laid" },
  { NULL },
};

static const SymAttributeSpec concat_attributes_4[] = {
  { "axis", SYM_ATTRIBUTE_INT, NULL, "axis along which the operands are laid" },
  { NULL },
};

static const SymSlotSpec concat_slots[] = { { "inputs" }, { NULL } };

/* Small values of all operands, one after the other.  What is below zero is no dimension: beside
 * terms it is told as unknown. */
static void
concatenate_values (SymRule *rule)
{
  SymDim dims[MAX_VALUES];
  gint64 ints[MAX_VALUES];
  gboolean plain = TRUE;
  int n = 0;

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      int room = MAX_VALUES - n, count = sym_rule_get_input_ints (rule, i, ints + n, room);

      if (count < 0)
        {
          plain = FALSE;
          count = sym_rule_get_input_values (rule, i, dims + n, room);
        }
      else
        for (int k = 0; k < MIN (count, room); k++)
          dims[n + k] = ints[n + k] < 0 ? SYM_DIM_UNKNOWN : ints[n + k];
      if (count < 0 || count > room)
        return;
      n += count;
    }
  if (plain)
    sym_rule_set_output_ints (rule, 0, ints, n);
  else
    sym_rule_set_output_values (rule, 0, dims, n);
}

/* A scalar among lists is no list, which is an error; but what is meant is plain, so that what
 * comes of it is known all the same. */
static void
concatenate_scalars (SymRule *rule)
{
  SymShape to = SYM_SHAPE (0);
  gboolean has_scalar = FALSE;

  for (guint i = 0; i < sym_rule_get_n_inputs (rule); i++)
    {
      SymShape part = sym_rule_get_input (rule, i);

      if (part.rank != 0 && part.rank != 1)
        return;
      has_scalar = has_scalar || part.rank == 0;
      to.dims[0] =
          sym_terms_add (sym_rule_get_terms (rule), to.dims[0], part.rank == 0 ? 1 : part.dims[0]);
    }
  if (has_scalar && sym_rule_get_int (rule, "axis", 1) == 0 &&
      sym_rule_set_output (rule, 0, &to, NULL))
    concatenate_values (rule);
}

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);

  if (n == 0)
    return sym_rule_fail (error, "there is nothing to concatenate");
  if (!sym_rule_tie_dtypes (rule, 0, n - 1, error))
    return FALSE;
  if (!sym_op_concatenate (rule, 0, sym_rule_get_int (rule, "axis", 1), error))
    {
      concatenate_scalars (rule);
      return FALSE;
    }
  concatenate_values (rule);
  return TRUE;
}

/* Whether operand @i fits to operand 0; adds its size along the axis to that of @to. */
static gboolean
add_part (SymKernel *kernel, guint i, int axis, SymShape *to, SymDType dtype, GError **error)
{
  const SymArray *part = sym_kernel_need_input (kernel, i, error);
  SymShape shape;

  if (part == NULL)
    return FALSE;
  if (part->dtype != dtype)
    return sym_kernel_fail (error, "operand %u is of %s, operand 0 of %s", i,
                            sym_dtype_to_string (part->dtype), sym_dtype_to_string (dtype));
  shape = part->shape;
  if (shape.rank == to->rank)
    shape.dims[axis] = to->dims[axis];
  if (!sym_shape_equal (&shape, to))
    {
      g_autofree char *left = sym_op_format_shape (&part->shape);
      g_autofree char *right = sym_op_format_shape (to);

      return sym_kernel_fail (error, "operand %u of shape %s does not fit to %s along axis %d", i,
                              left, right, axis);
    }
  if (part->shape.dims[axis] > G_MAXINT64 - to->dims[axis])
    return sym_kernel_fail (error, "the result has too many elements");
  to->dims[axis] += part->shape.dims[axis];
  return TRUE;
}

static gboolean
run_concat (SymKernel *kernel, GError **error)
{
  const SymArray *first = sym_kernel_need_input (kernel, 0, error);
  SymShape to;
  SymOpAxis all;
  SymArray *y;
  gsize place = 0;
  int axis;

  if (first == NULL ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 1), first->shape.rank, &axis, error))
    return FALSE;
  to = first->shape;
  for (guint i = 1; i < sym_kernel_get_n_inputs (kernel); i++)
    if (!add_part (kernel, i, axis, &to, first->dtype, error))
      return FALSE;
  y = sym_kernel_new_output (kernel, 0, first->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  all = sym_op_split_axis (&to, axis);
  for (guint i = 0; i < sym_kernel_get_n_inputs (kernel); i++)
    {
      const SymArray *part = sym_kernel_get_input (kernel, i);
      gsize block = (gsize) part->shape.dims[axis] * all.inner, done = 0;

      for (gsize k = 0; k < all.outer && block > 0; k++)
        {
          if (!sym_op_move_on (kernel, &done, y, k * all.size * all.inner + place, part, k * block,
                               block, error))
            return FALSE;
        }
      place += block;
    }
  return TRUE;
}

/* ---- Split ---- */

#define AXIS                                                       \
  {                                                                \
    "axis", SYM_ATTRIBUTE_INT, "0", "the axis that is taken apart" \
  }

static const SymAttributeSpec split_attributes_1[] = {
  AXIS,
  { "split", SYM_ATTRIBUTE_INTS, "None", "sizes of the parts; even ones by default" },
  { NULL },
};

static const SymAttributeSpec split_attributes_13[] = { AXIS, { NULL } };

static const SymAttributeSpec split_attributes_18[] = {
  AXIS,
  { "num_outputs", SYM_ATTRIBUTE_INT, "None", "number of parts; the last one may be smaller" },
  { NULL },
};

static const SymSlotSpec split_slots_1[] = { { "input" }, { "split", .optional = TRUE }, { NULL } };
static const SymSlotSpec split_slots_2[] = { { "input" }, { NULL } };

/* Since version 18 the number of parts is told; before, it is that of the outputs. */
static int
get_n_parts (const SymAttributes *attributes, int *n_visible)
{
  gint64 n = sym_op_get_int (attributes, "num_outputs", 0);

  *n_visible = (int) CLAMP (n, 0, G_MAXINT16);
  return *n_visible;
}

static gboolean
is_operand (int version)
{
  return version == 1 || version >= 13;
}

/* Small values of the operand, a part of them in each output. */
static void
split_values (SymRule *rule)
{
  SymDim dims[MAX_VALUES];
  gint64 ints[MAX_VALUES];
  int n = sym_rule_get_input_ints (rule, 0, ints, MAX_VALUES), at = 0;
  gboolean plain = n >= 0;

  if (!plain)
    n = sym_rule_get_input_values (rule, 0, dims, MAX_VALUES);
  for (guint i = 0; n <= MAX_VALUES && i < sym_rule_get_n_outputs (rule); i++)
    {
      SymShape part = sym_rule_get_output (rule, i);
      int size = part.rank == 1 && part.dims[0] >= 0 ? (int) MIN (part.dims[0], G_MAXINT16) : -1;

      if (size < 0 || size > n - at)
        return;
      if (plain)
        sym_rule_set_output_ints (rule, i, ints + at, size);
      else
        sym_rule_set_output_values (rule, i, dims + at, size);
      at += size;
    }
}

static gboolean
infer_split (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape from = sym_rule_get_input (rule, 0);
  guint n = sym_rule_get_n_outputs (rule);
  g_autofree gint64 *sizes = g_new0 (gint64, n + 1);
  int version = sym_rule_get_version (rule), n_sizes = -1, axis;
  gboolean is_told = version < 13;

  for (guint i = 0; i < n; i++)
    if (!sym_op_pass_dtype (rule, 0, i, error))
      return FALSE;
  if (version < 13)
    n_sizes = sym_rule_get_ints (rule, "split", sizes, (int) n);
  if (n_sizes < 0 && is_operand (version) && sym_rule_has_input (rule, 1))
    {
      n_sizes = sym_rule_get_input_ints (rule, 1, sizes, (int) n);
      is_told = n_sizes >= 0;
    }
  else if (n_sizes < 0)
    is_told = TRUE;
  if (from.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), from.rank, &axis, error))
    return FALSE;
  if (n_sizes >= 0 && n_sizes != (int) n)
    return sym_rule_fail (error, "split has %d sizes for %u outputs", n_sizes, n);
  for (guint i = 0; i < n; i++)
    {
      SymShape part = from;

      if (!is_told)
        part.dims[axis] = SYM_DIM_UNKNOWN;
      else if (n_sizes >= 0)
        part.dims[axis] = sizes[i];
      else if (from.dims[axis] < 0)
        sym_terms_divide_exactly (terms, from.dims[axis], n, &part.dims[axis]);
      else
        {
          gint64 whole = from.dims[axis] / n + (from.dims[axis] % n != 0);

          part.dims[axis] = CLAMP (from.dims[axis] - (gint64) i * whole, 0, whole);
        }
      if (is_told && n_sizes < 0 && from.dims[axis] < 0 && part.dims[axis] == from.dims[axis] &&
          n > 1)
        part.dims[axis] = SYM_DIM_UNKNOWN;
      if (part.dims[axis] < 0 && n_sizes >= 0)
        return sym_rule_fail (error, "%" G_GINT64_FORMAT " is no size of a part", sizes[i]);
      if (!sym_rule_set_output (rule, i, &part, error))
        return FALSE;
    }
  split_values (rule);
  return TRUE;
}

/* The sizes of the parts, which are those of the axis together. */
static gboolean
read_parts (SymKernel *kernel, gint64 size, gint64 *sizes, int n, GError **error)
{
  int version = sym_kernel_get_version (kernel), given = -1;
  gint64 whole = size / n + (size % n != 0), left = size;

  if (version < 13)
    given = sym_kernel_get_ints (kernel, "split", sizes, n);
  if (given < 0 && is_operand (version) &&
      !sym_kernel_read_ints (kernel, 1, sizes, n, &given, error))
    return FALSE;
  if (given >= 0 && given != n)
    return sym_kernel_fail (error, "split has %d sizes for %d outputs", given, n);
  if (given < 0 && version < 18 && size % n != 0)
    return sym_kernel_fail (
        error, "an axis of %" G_GINT64_FORMAT " does not split into %d even parts", size, n);
  for (int i = 0; i < n; i++)
    {
      if (given < 0)
        sizes[i] = MIN (whole, left);
      if (sizes[i] < 0 || sizes[i] > left)
        break;
      left -= sizes[i];
      if (i == n - 1 && left == 0)
        return TRUE;
    }
  return sym_kernel_fail (error, "the parts do not make up the axis of %" G_GINT64_FORMAT, size);
}

static gboolean
run_split (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  guint n = sym_kernel_get_n_outputs (kernel);
  gint64 *sizes = sym_kernel_get_scratch (kernel, MAX (n, 1), sizeof (gint64), error);
  SymOpAxis all;
  gsize place = 0;
  int axis;

  if (x == NULL || sizes == NULL ||
      !sym_op_find_axis (sym_kernel_get_int (kernel, "axis", 0), x->shape.rank, &axis, error) ||
      !read_parts (kernel, x->shape.dims[axis], sizes, (int) n, error))
    return FALSE;
  all = sym_op_split_axis (&x->shape, axis);
  for (guint i = 0; i < n; i++)
    {
      gsize block = (gsize) sizes[i] * all.inner, done = 0;
      SymShape to = x->shape;
      SymArray *y;

      to.dims[axis] = sizes[i];
      y = sym_kernel_new_output (kernel, i, x->dtype, &to, error);
      if (y == NULL)
        return FALSE;
      for (gsize k = 0; k < all.outer && block > 0; k++)
        {
          if (!sym_op_move_on (kernel, &done, y, k * block, x, k * all.size * all.inner + place,
                               block, error))
            return FALSE;
        }
      place += block;
    }
  return TRUE;
}

#define CONCAT(version_, attributes_)                                                          \
  {                                                                                            \
    SYM_OP_ONNX ("Concat", version_),                                                          \
        .summary = "lays tensors one after the other along an axis",                           \
        .category = SYM_CATEGORY_MERGE, .attributes = attributes_, .slots = concat_slots,      \
        .get_n_operands = sym_op_onnx_get_any_number, .infer = infer_concat, .run = run_concat \
  }

#define SPLIT(version_, attributes_, slots_)                                                    \
  {                                                                                             \
    SYM_OP_ONNX ("Split", version_), .summary = "takes a tensor apart along an axis",           \
                                     .category = SYM_CATEGORY_SHAPE, .attributes = attributes_, \
                                     .slots = slots_, .get_n_outputs = get_n_parts,             \
                                     .infer = infer_split, .run = run_split                     \
  }

const SymOperator sym_op_onnx_concat[] = {
  CONCAT (1, concat_attributes_1),
  CONCAT (4, concat_attributes_4),
  SPLIT (1, split_attributes_1, split_slots_1),
  SPLIT (2, split_attributes_1, split_slots_2),
  SPLIT (13, split_attributes_13, split_slots_1),
  SPLIT (18, split_attributes_18, split_slots_1),
  { 0 },
};
