/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* Tensors laid side by side and taken apart. */

#define MAX_VALUES 64

/* ---- Concat ---- */

/* Concat has its axis first, ConcatV2 last. */
static guint
find_axis_operand (const char *type, guint n)
{
  return strcmp (type, "Concat") == 0 || n == 0 ? 0 : n - 1;
}

/* Small values, one operand after the other; a scalar counts as one.  The -1 of a reshape is no
 * dimension: beside terms it is told as an unknown one. */
static void
join_values (SymRule *rule, guint first, guint n)
{
  SymDim dims[MAX_VALUES];
  gint64 ints[MAX_VALUES];
  gboolean plain = TRUE;
  int n_values = 0;

  for (guint i = first; i < first + n; i++)
    {
      int room = MAX_VALUES - n_values;
      int count = sym_rule_get_input_ints (rule, i, ints + n_values, room);

      if (count < 0)
        {
          plain = FALSE;
          count = sym_rule_get_input_values (rule, i, dims + n_values, room);
        }
      else
        for (int k = n_values; k < n_values + MIN (count, room); k++)
          dims[k] = ints[k] < 0 ? SYM_DIM_UNKNOWN : ints[k];
      if (count < 0 || count > room)
        return;
      n_values += count;
    }
  if (plain)
    sym_rule_set_output_ints (rule, 0, ints, n_values);
  else
    sym_rule_set_output_values (rule, 0, dims, n_values);
}

/* As sym_op_concatenate() has it, of operands @first to @last of which it is not asked more. */
static gboolean
concatenate (SymRule *rule, guint first, guint last, gint64 axis, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape to = SYM_SHAPE_UNKNOWN;
  SymDim sum = 0;
  int normal = -1;

  for (guint i = first; i <= last; i++)
    {
      SymShape shape = sym_rule_get_input (rule, i);

      if (shape.rank < 0)
        {
          sum = SYM_DIM_UNKNOWN;
          continue;
        }
      if (to.rank < 0)
        {
          to = shape;
          if (!sym_op_normalize_axis (axis, to.rank, &normal, error))
            return FALSE;
        }
      if (shape.rank != to.rank)
        return sym_rule_fail (error, "tensors of %d and %d axes cannot be joined", to.rank,
                              shape.rank);
      for (int k = 0; k < to.rank; k++)
        if (k != normal && !sym_rule_unify (rule, to.dims[k], shape.dims[k], "sizes", error))
          return FALSE;
      sum = sym_terms_add (terms, sum, shape.dims[normal]);
    }
  if (to.rank < 0)
    return TRUE;
  to.dims[normal] = sum;
  return sym_rule_set_output (rule, 0, &to, error);
}

/* The axis along which operands @first to @last and the result differ in size, when the number that
 * tells it is missing: all other axes are the same.  -1 when that is not seen of exactly one. */
static int
find_axis (SymRule *rule, guint first, guint last)
{
  SymShape to = sym_rule_get_output (rule, 0);
  int axis = -1;

  for (guint i = first; i <= last; i++)
    {
      SymShape shape = sym_rule_get_input (rule, i);

      if (to.rank < 0)
        to = shape;
      if (shape.rank < 0 || shape.rank != to.rank)
        continue;
      for (int k = 0; k < shape.rank; k++)
        {
          if (to.dims[k] < 0)
            to.dims[k] = shape.dims[k];
          if (shape.dims[k] < 0 || shape.dims[k] == to.dims[k] || axis == k)
            continue;
          if (axis >= 0)
            return -1;
          axis = k;
        }
    }
  return axis;
}

/* FALSE where the rank alone is known, if that. */
static gboolean
guess_axis (SymRule *rule, guint first, guint last, gint64 *axis)
{
  int found = find_axis (rule, first, last);

  for (guint i = first; i <= last && found < 0; i++)
    found = sym_rule_get_input (rule, i).rank == 1 ? 0 : -1; /* there is no other one */
  *axis = found;
  return found >= 0;
}

static gboolean
tell_rank (SymRule *rule, guint first, guint last, GError **error)
{
  SymShape shape = SYM_SHAPE_UNKNOWN;

  for (guint i = first; i <= last && shape.rank < 0; i++)
    if (sym_rule_get_input (rule, i).rank >= 0)
      shape = sym_shape_new_unknown (sym_rule_get_input (rule, i).rank);
  return sym_rule_set_output (rule, 0, &shape, error);
}

static gboolean
infer_concat (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  guint at = find_axis_operand (sym_rule_get_type (rule), n), first = at == 0 ? 1 : 0;
  gboolean known;
  gint64 axis;

  if (n < 2)
    return sym_rule_fail (error, "there is nothing to join");
  if (!sym_op_tf_get_scalar (rule, at, &axis, &known, error) ||
      !sym_rule_set_output_dtype (rule, 0, sym_op_tf_promote (rule, first, first + n - 2), error))
    return FALSE;
  if (!known && !guess_axis (rule, first, first + n - 2, &axis))
    return tell_rank (rule, first, first + n - 2, error);
  if (!concatenate (rule, first, first + n - 2, axis, error))
    return FALSE;
  join_values (rule, first, n - 1);
  return TRUE;
}

static void
lower_concat (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  guint at = find_axis_operand (sym_op_lower_get_type (self), n), first = at == 0 ? 1 : 0;
  g_autofree SymId *parts = g_new (SymId, n + 1);
  int axis;

  if (n < 2 || !sym_op_lower_need_tensor (self, first) ||
      !sym_op_tf_read_axis (self, at, sym_op_lower_get_input_shape (self, first)->rank, &axis))
    {
      sym_op_lower_fail (self, "%s: there is nothing to join", sym_op_lower_get_type (self));
      return;
    }
  for (guint i = 0; i + 1 < n; i++)
    parts[i] = sym_op_tf_input (self, first + i);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n - 1 }, "axis",
                                              sym_value_new_int (axis), NULL));
}

/* ---- Pack ---- */

static gboolean
infer_pack (SymRule *rule, GError **error)
{
  guint n = sym_rule_get_n_inputs (rule);
  SymShape shape;
  int axis;

  if (n == 0)
    return sym_rule_fail (error, "there is nothing to stack");
  for (guint i = 1; i < n; i++)
    {
      shape = sym_rule_get_input (rule, i);
      if (!sym_rule_set_input (rule, 0, &shape, error))
        return FALSE;
      shape = sym_rule_get_input (rule, 0);
      if (!sym_rule_set_input (rule, i, &shape, error))
        return FALSE;
    }
  if (!sym_rule_set_output_dtype (rule, 0, sym_op_tf_promote (rule, 0, n - 1), error))
    return FALSE;
  shape = sym_rule_get_input (rule, 0);
  if (shape.rank < 0)
    return TRUE;
  if (shape.rank >= SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), shape.rank + 1, &axis, error))
    return FALSE;
  if (shape.rank == 0)
    join_values (rule, 0, n);
  shape = sym_op_insert_axis (&shape, axis, n);
  return sym_rule_set_output (rule, 0, &shape, error);
}

static void
lower_pack (SymOpLower *self)
{
  guint n = sym_op_lower_get_n_inputs (self);
  SymShape shape = *sym_op_lower_get_input_shape (self, 0);
  g_autofree SymId *parts = g_new (SymId, n + 1);
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", 0), shape.rank + 1, &axis))
    return;
  shape = sym_op_insert_axis (&shape, axis, 1);
  for (guint i = 0; i < n; i++)
    parts[i] = sym_op_lower_reshape (self, sym_op_tf_input (self, i), &shape);
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, n }, "axis",
                                              sym_value_new_int (axis), NULL));
}

/* ---- Unpack, Split ---- */

static int
get_num (const SymAttributes *attributes, int *n_visible)
{
  gint64 n = sym_attributes_get_int (attributes, "num", 0);

  if (n <= 0)
    n = sym_attributes_get_int (attributes, "num_split", 0);
  return *n_visible = n > 0 && n <= G_MAXINT16 ? (int) n : 0;
}

/* Small values of the operand, one in each output. */
static void
part_values (SymRule *rule)
{
  SymDim values[MAX_VALUES];
  int n = sym_rule_get_input_ints (rule, 0, values, MAX_VALUES);
  gboolean plain = n >= 0;

  if (!plain)
    n = sym_rule_get_input_values (rule, 0, values, MAX_VALUES);
  n = MIN (n, MAX_VALUES);
  for (guint i = 0; i < sym_rule_get_n_outputs (rule) && (int) i < n; i++)
    if (plain)
      sym_rule_set_output_ints (rule, i, &values[i], 1);
    else
      sym_rule_set_output_values (rule, i, &values[i], 1);
}

static gboolean
infer_unpack (SymRule *rule, GError **error)
{
  gint64 n = sym_rule_get_int (rule, "num", 0);
  SymShape shape = sym_rule_get_input (rule, 0), part;
  int axis;

  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_pass_dtype (rule, 0, i, error))
      return FALSE;
  if (shape.rank < 0)
    return TRUE;
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "axis", 0), shape.rank, &axis, error) ||
      (n > 0 && !sym_rule_unify (rule, shape.dims[axis], n, "parts of the axis", error)))
    return FALSE;
  part = sym_op_remove_axis (&shape, axis);
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_rule_set_output (rule, i, &part, error))
      return FALSE;
  if (shape.rank == 1)
    part_values (rule);
  return TRUE;
}

static void
lower_unpack (SymOpLower *self)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  SymShape part;
  int axis;

  if (!sym_op_lower_need_tensor (self, 0) ||
      !sym_op_lower_find_axis (self, sym_op_lower_get_int (self, "axis", 0), shape->rank, &axis))
    return;
  part = sym_op_remove_axis (shape, axis);
  for (guint i = 0; i < sym_op_lower_get_n_outputs (self); i++)
    {
      if (i >= shape->dims[axis])
        sym_op_lower_fail (self, "Unpack: the axis has only %" G_GINT64_FORMAT " elements",
                           shape->dims[axis]);
      sym_op_lower_set_output (
          self, i,
          sym_op_lower_reshape (
              self, sym_op_lower_slice (self, sym_op_lower_input (self, 0), axis, i, i + 1, 1),
              &part));
    }
}

/* Split has its axis first, SplitV last, after the sizes. */
static gboolean
infer_split (SymRule *rule, GError **error)
{
  gboolean has_sizes = strcmp (sym_rule_get_type (rule), "SplitV") == 0, known;
  SymShape shape = sym_rule_get_input (rule, has_sizes ? 0 : 1);
  gint64 n = sym_rule_get_int (rule, "num_split", 0), axis, sizes[MAX_VALUES], rest = 0;
  int n_sizes = has_sizes ? sym_rule_get_input_ints (rule, 1, sizes, MAX_VALUES) : -1, normal;
  SymTerms *terms = sym_rule_get_terms (rule);

  if (!sym_op_tf_get_scalar (rule, has_sizes ? 2 : 0, &axis, &known, error))
    return FALSE;
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    if (!sym_op_pass_dtype (rule, has_sizes ? 0 : 1, i, error))
      return FALSE;
  if (shape.rank < 0)
    return TRUE;
  normal = shape.rank == 1 ? 0 : -1;
  if (known && !sym_op_normalize_axis (axis, shape.rank, &normal, error))
    return FALSE;
  for (int i = 0; i < MIN (n_sizes, MAX_VALUES); i++)
    rest += CLAMP (sizes[i], 0, G_MAXINT32);
  for (guint i = 0; i < sym_rule_get_n_outputs (rule); i++)
    {
      SymShape part = normal < 0 ? sym_shape_new_unknown (shape.rank) : shape;

      if (normal >= 0 && !has_sizes && n > 0)
        part.dims[normal] = sym_terms_floor_divide (terms, shape.dims[normal], n);
      else if (normal >= 0 && (int) i < n_sizes && n_sizes <= MAX_VALUES)
        part.dims[normal] =
            sizes[i] >= 0 ? sizes[i] : sym_terms_subtract (terms, shape.dims[normal], rest);
      else if (normal >= 0)
        part.dims[normal] = SYM_DIM_UNKNOWN;
      if (!sym_rule_set_output (rule, i, &part, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_sizes (SymOpLower *self, gint64 whole, gint64 *sizes, int *n)
{
  gint64 given = 0;
  int open = -1;

  *n = sym_op_lower_read_ints (self, 1, sizes, MAX_VALUES);
  for (int i = 0; i < *n; i++)
    {
      if (sizes[i] < 0)
        open = i;
      given += CLAMP (sizes[i], 0, G_MAXINT32);
    }
  if (open >= 0)
    sizes[open] = whole - given;
  if (*n < 0 || given > whole || (open < 0 && given != whole))
    sym_op_lower_fail (self, "SplitV: the sizes are not those of %" G_GINT64_FORMAT " elements",
                       whole);
  return !sym_op_lower_has_failed (self);
}

/* All parts are made, whether or not they are used. */
static void
lower_split (SymOpLower *self)
{
  gboolean has_sizes = strcmp (sym_op_lower_get_type (self), "SplitV") == 0;
  guint from = has_sizes ? 0 : 1, n_outputs = sym_op_lower_get_n_outputs (self);
  const SymShape *shape = sym_op_lower_get_input_shape (self, from);
  gint64 n = sym_op_lower_get_int (self, "num_split", 0), sizes[MAX_VALUES];
  int axis, n_parts = (int) CLAMP (n, 0, MAX_VALUES);
  SymId parts;

  if (!sym_op_lower_need_tensor (self, from) ||
      !sym_op_tf_read_axis (self, has_sizes ? 2 : 0, shape->rank, &axis) ||
      (has_sizes && !read_sizes (self, shape->dims[axis], sizes, &n_parts)))
    return;
  if (!has_sizes && (n < 1 || n > MAX_VALUES || shape->dims[axis] % n != 0))
    sym_op_lower_fail (self,
                       "Split: %" G_GINT64_FORMAT " elements cannot be split into %" G_GINT64_FORMAT
                       " parts; at most %d are supported",
                       shape->dims[axis], n, MAX_VALUES);
  if ((int) n_outputs > n_parts)
    sym_op_lower_fail (self, "%s: there are %d parts, and %u are used",
                       sym_op_lower_get_type (self), n_parts, n_outputs);
  for (int i = 0; i < n_parts && !has_sizes && n > 0; i++)
    sizes[i] = shape->dims[axis] / n;
  parts = sym_op_lower_call (
      self, "Split",
      SYM_IDS (sym_op_lower_input (self, from), sym_op_lower_ints (self, sizes, n_parts)), "axis",
      sym_value_new_int (axis), NULL);
  sym_op_lower_get_result (self, parts, (guint) MAX (n_parts, 1) - 1);
  for (guint i = 0; i < n_outputs; i++)
    sym_op_lower_set_output (self, i, sym_op_lower_get_result (self, parts, i));
}

/* ---- Tables ---- */

static const SymAttributeSpec pack_attributes[] = {
  { "N", SYM_ATTRIBUTE_INT, "1", "number of operands" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "the new axis" },
  { NULL },
};

static const SymAttributeSpec concat_attributes[] = {
  { "N", SYM_ATTRIBUTE_INT, "1", "number of operands" },
  { NULL },
};

static const SymAttributeSpec unpack_attributes[] = {
  { "num", SYM_ATTRIBUTE_INT, "0", "number of parts" },
  { "axis", SYM_ATTRIBUTE_INT, "0", "the axis that goes" },
  { NULL },
};

static const SymAttributeSpec split_attributes[] = {
  { "num_split", SYM_ATTRIBUTE_INT, "0", "number of parts" },
  { NULL },
};

static const SymSlotSpec unpack_slots[] = { { "value" }, { NULL } };
static const SymSlotSpec split_slots[] = { { "split_dim" }, { "value" }, { NULL } };
static const SymSlotSpec sizes_slots[] = {
  { "value" },
  { "size_splits" },
  { "split_dim" },
  { NULL },
};

#define JOIN(name_, summary_, attributes_, infer_, lower_)                                      \
  {                                                                                             \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_MERGE,                     \
                       .attributes = attributes_, .slots = sym_op_tf_many,                      \
                       .get_n_operands = sym_op_tf_any_number, .infer = infer_, .lower = lower_ \
  }
#define PARTS(name_, summary_, attributes_, slots_, infer_, lower_)                          \
  {                                                                                          \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,                  \
                       .attributes = attributes_, .slots = slots_, .get_n_outputs = get_num, \
                       .infer = infer_, .lower = lower_                                      \
  }

const SymOperator sym_op_tf_join[] = {
  JOIN ("Concat",
        "tensors side by side, the axis first",
        concat_attributes,
        infer_concat,
        lower_concat),
  JOIN ("ConcatV2",
        "tensors side by side, the axis last",
        concat_attributes,
        infer_concat,
        lower_concat),
  JOIN ("Pack", "tensors side by side along a new axis", pack_attributes, infer_pack, lower_pack),
  PARTS ("Split",
         "equal parts along an axis",
         split_attributes,
         split_slots,
         infer_split,
         lower_split),
  PARTS ("SplitV",
         "parts of given sizes along an axis",
         split_attributes,
         sizes_slots,
         infer_split,
         lower_split),
  PARTS ("Unpack",
         "parts along an axis that goes",
         unpack_attributes,
         unpack_slots,
         infer_unpack,
         lower_unpack),
  { NULL },
};
