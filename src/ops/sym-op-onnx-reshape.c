/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* The same elements in another shape: Reshape, Flatten, Squeeze and Unsqueeze. */

/* ---- Reshape ---- */

static const SymAttributeSpec reshape_attributes_1[] = {
  { "shape", SYM_ATTRIBUTE_INTS, "None",
    "the new sizes; 0 for that of X, -1 for what is left over" },
  { "consumed_inputs", SYM_ATTRIBUTE_INTS, "None", "of no effect" },
  { NULL },
};

static const SymAttributeSpec reshape_attributes_14[] = {
  { "allowzero", SYM_ATTRIBUTE_INT, "0", "whether a size 0 is one rather than that of the data" },
  { NULL },
};

static const SymSlotSpec reshape_slots_1[] = { { "data" }, { NULL } };
static const SymSlotSpec reshape_slots_5[] = { { "data" }, { "shape" }, { NULL } };

/* What the sizes asked for are: *@open is the one that is left over, -1 for none. */
static gboolean
read_target (const SymShape *from,
             const gint64 *sizes,
             int n,
             gboolean allow_zero,
             SymShape *target,
             int *open,
             GError **error)
{
  *target = (SymShape){ .rank = n };
  *open = -1;
  for (int i = 0; i < n; i++)
    {
      target->dims[i] = sizes[i];
      if (sizes[i] < -1)
        return sym_kernel_fail (error, "%" G_GINT64_FORMAT " is no size to reshape to", sizes[i]);
      if (sizes[i] == -1 && *open >= 0)
        return sym_kernel_fail (error, "only one size of a reshape may be -1");
      if (sizes[i] == -1)
        *open = i;
      if (sizes[i] != 0 || allow_zero)
        continue;
      if (from->rank >= 0 && i >= from->rank)
        return sym_kernel_fail (error, "size %d of the reshape is 0, but the data has %d axes", i,
                                from->rank);
      target->dims[i] = from->rank < 0 ? SYM_DIM_UNKNOWN : from->dims[i];
    }
  return TRUE;
}

/* Dimensions that flowed here from a Shape; of those that are not known one may be found. */
static gboolean
reshape_to_dims (SymRule *rule, const SymDim *dims, int n, gboolean allow_zero, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), target = sym_shape_new (dims, n);
  int open = -1, n_open = 0;

  for (int i = 0; i < n; i++)
    {
      if (dims[i] == 0 && !allow_zero)
        target.dims[i] = from.rank > i ? from.dims[i] : SYM_DIM_UNKNOWN;
      if (dims[i] != SYM_DIM_UNKNOWN)
        continue;
      open = i;
      n_open++;
    }
  return sym_op_reshape (rule, target, n_open == 1 ? open : -1, error);
}

static gboolean
infer_reshape (SymRule *rule, GError **error)
{
  gboolean is_operand = sym_rule_get_version (rule) >= 5;
  gboolean allow_zero = sym_rule_get_bool (rule, "allowzero", FALSE);
  SymShape from = sym_rule_get_input (rule, 0), target, sizes_shape;
  gint64 sizes[SYM_MAX_RANK];
  SymDim dims[SYM_MAX_RANK];
  int n, open;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  n = is_operand ? sym_rule_get_input_ints (rule, 1, sizes, SYM_MAX_RANK)
                 : sym_rule_get_ints (rule, "shape", sizes, SYM_MAX_RANK);
  if (n > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (n >= 0)
    {
      if (!read_target (&from, sizes, n, allow_zero, &target, &open, error))
        return FALSE;
      if (open >= 0)
        target.dims[open] = SYM_DIM_UNKNOWN;
      if (!sym_op_reshape (rule, target, open, error))
        return FALSE;
      sym_op_pass_values (rule, 0, 0);
      return TRUE;
    }
  if (!is_operand)
    return TRUE;
  n = sym_rule_get_input_values (rule, 1, dims, SYM_MAX_RANK);
  if (n >= 0 && n <= SYM_MAX_RANK)
    return reshape_to_dims (rule, dims, n, allow_zero, error);
  sizes_shape = sym_rule_get_input (rule, 1);
  if (sizes_shape.rank != 1 || sizes_shape.dims[0] < 0 || sizes_shape.dims[0] > SYM_MAX_RANK)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_shape_new_unknown ((int) sizes_shape.dims[0]),
                            SYM_DTYPE_UNKNOWN, error);
}

static gboolean
fail_reshape (const SymShape *from, const SymShape *to, GError **error)
{
  g_autofree char *left = sym_op_format_shape (from), *right = sym_op_format_shape (to);

  return sym_kernel_fail (error, "cannot reshape %s to %s: the numbers of elements differ", left,
                          right);
}

/* Puts @x into output 0 in the shape of @target, after a check that it holds as much. */
static gboolean
pass_as (SymKernel *kernel, const SymArray *x, SymShape *target, int open, GError **error)
{
  guint64 n = sym_array_get_n_elements (x), n_target;

  if (open >= 0)
    {
      target->dims[open] = 1;
      if (!sym_shape_get_n_elements (target, &n_target) || n_target == 0 || n % n_target != 0)
        {
          target->dims[open] = -1;
          return fail_reshape (&x->shape, target, error);
        }
      target->dims[open] = (gint64) (n / n_target);
    }
  if (!sym_shape_get_n_elements (target, &n_target) || n_target != n)
    return fail_reshape (&x->shape, target, error);
  return sym_kernel_pass (kernel, 0, 0, target, error);
}

static gboolean
run_reshape (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 sizes[SYM_MAX_RANK];
  SymShape target;
  int n, open;

  if (x == NULL)
    return FALSE;
  if (sym_kernel_get_version (kernel) < 5)
    n = sym_kernel_get_ints (kernel, "shape", sizes, SYM_MAX_RANK);
  else if (!sym_kernel_read_ints (kernel, 1, sizes, SYM_MAX_RANK, &n, error))
    return FALSE;
  if (n < 0)
    return sym_kernel_fail (error, "the shape to reshape to is missing");
  if (n > SYM_MAX_RANK)
    return sym_kernel_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  return read_target (&x->shape, sizes, n, sym_kernel_get_bool (kernel, "allowzero", FALSE),
                      &target, &open, error) &&
         pass_as (kernel, x, &target, open, error);
}

/* ---- Flatten ---- */

static const SymAttributeSpec flatten_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "1", "the first axis that belongs to the second one of the result" },
  { NULL },
};

/* Before version 11 the axis is counted from the front only; rank itself is an axis, too. */
static gboolean
find_cut (gint64 axis, int version, int rank, int *cut, GError **error)
{
  if (axis > rank || axis < (version < 11 ? 0 : -rank))
    return sym_kernel_fail (error, "axis %" G_GINT64_FORMAT " is out of range for rank %d", axis,
                            rank);
  *cut = (int) (axis < 0 ? axis + rank : axis);
  return TRUE;
}

static gboolean
infer_flatten (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape from = sym_rule_get_input (rule, 0), flat = sym_shape_new_unknown (2);
  int cut = 0;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (from.rank >= 0)
    {
      if (!find_cut (sym_rule_get_int (rule, "axis", 1), sym_rule_get_version (rule), from.rank,
                     &cut, error))
        return FALSE;
      flat.dims[0] = sym_terms_product (terms, from.dims, cut);
      flat.dims[1] = sym_terms_product (terms, from.dims + cut, from.rank - cut);
    }
  return sym_rule_set_output (rule, 0, &flat, error);
}

static gboolean
run_flatten (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  SymShape flat = SYM_SHAPE (1, 1);
  int cut = 0;

  if (x == NULL || !find_cut (sym_kernel_get_int (kernel, "axis", 1),
                              sym_kernel_get_version (kernel), x->shape.rank, &cut, error))
    return FALSE;
  for (int i = 0; i < x->shape.rank; i++)
    if (!g_size_checked_mul ((gsize *) &flat.dims[i >= cut], (gsize) flat.dims[i >= cut],
                             (gsize) x->shape.dims[i]))
      return sym_kernel_fail (error, "the flat shape has too many elements");
  return pass_as (kernel, x, &flat, -1, error);
}

/* ---- Squeeze, Unsqueeze ---- */

static const SymAttributeSpec axes_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes of size 1 that go or come" },
  { NULL },
};

static const SymSlotSpec data_slots[] = { { "data" }, { NULL } };
static const SymSlotSpec squeeze_slots[] = { { "data" }, { "axes", .optional = TRUE }, { NULL } };
static const SymSlotSpec unsqueeze_slots[] = { { "data" }, { "axes" }, { NULL } };

/* Marks each axis once. */
static gboolean
mark (const gint64 *values, int n, int rank, gboolean axes[SYM_MAX_RANK], GError **error)
{
  for (int i = 0; i < SYM_MAX_RANK; i++)
    axes[i] = FALSE;
  for (int i = 0; i < n; i++)
    {
      int axis;

      if (!sym_op_find_axis (values[i], rank, &axis, error))
        return FALSE;
      if (axes[axis])
        return sym_kernel_fail (error, "axis %d is named twice", axis);
      axes[axis] = TRUE;
    }
  return TRUE;
}

/* The axes that are told; *@n is -1 where there are none, -2 where they are not known. */
static gboolean
get_rule_axes (SymRule *rule, gint64 *values, int *n, GError **error)
{
  if (sym_rule_get_version (rule) < 13)
    *n = sym_rule_get_ints (rule, "axes", values, SYM_MAX_RANK);
  else if (!sym_rule_has_input (rule, 1))
    *n = -1;
  else if ((*n = sym_rule_get_input_ints (rule, 1, values, SYM_MAX_RANK)) < 0)
    *n = -2;
  return *n <= SYM_MAX_RANK ||
         sym_rule_fail (error, "at most %d axes are supported, not %d", SYM_MAX_RANK, *n);
}

/* Of axes whose number alone is known: how many more there are, @sign of each, in the result. */
static gboolean
infer_rank (SymRule *rule, int sign, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), axes = sym_rule_get_input (rule, 1);
  gint64 rank;

  if (from.rank < 0 || axes.rank != 1 || axes.dims[0] < 0 || axes.dims[0] > SYM_MAX_RANK)
    return TRUE;
  rank = from.rank + sign * axes.dims[0];
  if (rank < 0 || rank > SYM_MAX_RANK)
    return sym_rule_fail (error, "%" G_GINT64_FORMAT " axes do not fit data of %d", axes.dims[0],
                          from.rank);
  return sym_op_set_output (rule, 0, sym_shape_new_unknown ((int) rank), SYM_DTYPE_UNKNOWN, error);
}

/* Of axes whose number alone is known: they are those that can be, where no more can. */
static void
guess_squeezed (SymRule *rule, const SymShape *from, gint64 *values, int *n)
{
  SymShape axes = sym_rule_get_input (rule, 1);
  int n_possible = 0;

  for (int i = 0; i < from->rank; i++)
    if (from->dims[i] < 0 || from->dims[i] == 1)
      values[n_possible++] = i;
  if (axes.rank == 1 && axes.dims[0] == n_possible && from->rank >= 0)
    *n = n_possible;
}

static gboolean
infer_squeeze (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), to = { .rank = 0 };
  gboolean axes[SYM_MAX_RANK] = { FALSE };
  gint64 values[SYM_MAX_RANK];
  int n;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_rule_axes (rule, values, &n, error))
    return FALSE;
  if (n == -2)
    guess_squeezed (rule, &from, values, &n);
  if (n == -2)
    return infer_rank (rule, -1, error);
  if (from.rank < 0 || (n < 0 && !sym_shape_is_known (&from)))
    return TRUE;
  if (!mark (values, n, from.rank, axes, error))
    return FALSE;
  for (int i = 0; i < from.rank; i++)
    {
      if (axes[i] && !sym_rule_unify (rule, from.dims[i], 1, "size of an axis to squeeze", error))
        return FALSE;
      if (n < 0 ? from.dims[i] != 1 : !axes[i])
        to.dims[to.rank++] = from.dims[i];
    }
  sym_op_pass_values (rule, 0, 0);
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
read_axes (SymKernel *kernel, gint64 *values, int *n, GError **error)
{
  if (sym_kernel_get_version (kernel) >= 13)
    return sym_kernel_read_ints (kernel, 1, values, SYM_MAX_RANK, n, error);
  *n = sym_kernel_get_ints (kernel, "axes", values, SYM_MAX_RANK);
  return *n <= SYM_MAX_RANK ||
         sym_kernel_fail (error, "at most %d axes are supported, not %d", SYM_MAX_RANK, *n);
}

static gboolean
run_squeeze (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gboolean axes[SYM_MAX_RANK];
  gint64 values[SYM_MAX_RANK];
  SymShape to = { .rank = 0 };
  int n;

  if (x == NULL || !read_axes (kernel, values, &n, error) ||
      !mark (values, n, x->shape.rank, axes, error))
    return FALSE;
  for (int i = 0; i < x->shape.rank; i++)
    {
      if (axes[i] && x->shape.dims[i] != 1)
        return sym_kernel_fail (error, "axis %d to squeeze has size %" G_GINT64_FORMAT ", not 1", i,
                                x->shape.dims[i]);
      if (n < 0 ? x->shape.dims[i] != 1 : !axes[i])
        to.dims[to.rank++] = x->shape.dims[i];
    }
  return sym_kernel_pass (kernel, 0, 0, &to, error);
}

/* @shape with ones at the marked places of the result. */
static gboolean
put_ones (const SymShape *shape, const gint64 *values, int n, SymShape *to, GError **error)
{
  gboolean axes[SYM_MAX_RANK];

  *to = (SymShape){ .rank = shape->rank + n };
  if (to->rank > SYM_MAX_RANK)
    return sym_kernel_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (!mark (values, n, to->rank, axes, error))
    return FALSE;
  for (int i = 0, next = 0; i < to->rank; i++)
    to->dims[i] = axes[i] ? 1 : shape->dims[next++];
  return TRUE;
}

/* What is known of the result tells of the data, too. */
static gboolean
take_ones (SymRule *rule, const gint64 *values, int n, GError **error)
{
  SymShape to = sym_rule_get_output (rule, 0), from = { .rank = 0 };
  gboolean axes[SYM_MAX_RANK];

  if (to.rank < n)
    return TRUE;
  if (!mark (values, n, to.rank, axes, error))
    return FALSE;
  for (int i = 0; i < to.rank; i++)
    if (!axes[i])
      from.dims[from.rank++] = to.dims[i];
  return sym_rule_set_input (rule, 0, &from, error);
}

static gboolean
infer_unsqueeze (SymRule *rule, GError **error)
{
  SymShape from = sym_rule_get_input (rule, 0), to;
  gint64 values[SYM_MAX_RANK];
  int n;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_rule_axes (rule, values, &n, error))
    return FALSE;
  if (n < 0)
    return n == -1 || infer_rank (rule, 1, error);
  sym_op_pass_values (rule, 0, 0);
  if (from.rank >= 0 &&
      (!put_ones (&from, values, n, &to, error) || !sym_rule_set_output (rule, 0, &to, error)))
    return FALSE;
  return take_ones (rule, values, n, error);
}

static gboolean
run_unsqueeze (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 values[SYM_MAX_RANK];
  SymShape to;
  int n;

  if (x == NULL || !read_axes (kernel, values, &n, error))
    return FALSE;
  if (n < 0)
    return sym_kernel_fail (error, "the axes to put in are missing");
  return put_ones (&x->shape, values, n, &to, error) && sym_kernel_pass (kernel, 0, 0, &to, error);
}

#define ENTRY(name_, version_, summary_, attributes_, slots_, infer_, run_)                     \
  {                                                                                             \
    SYM_OP_ONNX (name_, version_), .summary = summary_, .category = SYM_CATEGORY_SHAPE,         \
                                   .attributes = attributes_, .slots = slots_, .infer = infer_, \
                                   .run = run_                                                  \
  }

#define RESHAPE(version_, attributes_, slots_)                                           \
  ENTRY ("Reshape", version_, "the same elements in another shape", attributes_, slots_, \
         infer_reshape, run_reshape)
#define FLATTEN(version_)                                                             \
  ENTRY ("Flatten", version_, "the same elements along two axes", flatten_attributes, \
         sym_op_onnx_input, infer_flatten, run_flatten)
#define SQUEEZE(version_, attributes_, slots_)                                              \
  ENTRY ("Squeeze", version_, "takes axes of size 1 out of the shape", attributes_, slots_, \
         infer_squeeze, run_squeeze)
#define UNSQUEEZE(version_, attributes_, slots_)                                           \
  ENTRY ("Unsqueeze", version_, "puts axes of size 1 into the shape", attributes_, slots_, \
         infer_unsqueeze, run_unsqueeze)

const SymOperator sym_op_onnx_reshape[] = {
  RESHAPE (1, reshape_attributes_1, reshape_slots_1),
  RESHAPE (5, NULL, reshape_slots_5),
  RESHAPE (14, reshape_attributes_14, reshape_slots_5),
  FLATTEN (1),
  FLATTEN (11),
  SQUEEZE (1, axes_attributes, data_slots),
  SQUEEZE (13, NULL, squeeze_slots),
  UNSQUEEZE (1, axes_attributes, data_slots),
  UNSQUEEZE (13, NULL, unsqueeze_slots),
  { 0 },
};
