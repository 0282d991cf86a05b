/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* CenterCropPad: other sizes, with the middle in the middle. */

static const SymAttributeSpec attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "the axes that sizes are given for; all by default" },
  { NULL },
};

static const SymSlotSpec slots[] = { { "input_data" }, { "shape" }, { NULL } };

/* Which axis each of the @n sizes is for; @n_given is -1 where no axes are told. */
static gboolean
find_axes (const gint64 *given,
           int n_given,
           int n,
           int rank,
           int axes[SYM_MAX_RANK],
           GError **error)
{
  if ((n_given < 0 ? rank : n_given) != n)
    return sym_kernel_fail (error, "there are %d sizes for %d axes", n,
                            n_given < 0 ? rank : n_given);
  for (int i = 0; i < n; i++)
    if (!sym_op_find_axis (n_given < 0 ? i : given[i], rank, &axes[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymShape y = sym_rule_get_input (rule, 0);
  gint64 given[SYM_MAX_RANK];
  SymDim sizes[SYM_MAX_RANK];
  int n_given = sym_rule_get_ints (rule, "axes", given, SYM_MAX_RANK);
  int n = sym_rule_get_input_values (rule, 1, sizes, SYM_MAX_RANK), axes[SYM_MAX_RANK];

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (y.rank < 0 || n_given > SYM_MAX_RANK)
    return TRUE;
  if (n < 0)
    {
      n = n_given < 0 ? y.rank : n_given;
      for (int i = 0; i < n; i++)
        sizes[i] = SYM_DIM_UNKNOWN;
    }
  if (!find_axes (given, n_given, n, y.rank, axes, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    y.dims[axes[i]] = sizes[i];
  return sym_rule_set_output (rule, 0, &y, error);
}

/* What stays of each axis: @n elements from @from on, which go to @to. */
typedef struct {
  gint64 from, to, n;
} Part;

static Part
find_part (gint64 size, gint64 wanted)
{
  return wanted <= size ? (Part){ (size - wanted) / 2, 0, wanted }
                        : (Part){ 0, (wanted - size) / 2, size };
}

/* Rows along the last axis, one after the other. */
static gboolean
move_rows (SymKernel *kernel, const SymArray *x, SymArray *y, const Part *parts, GError **error)
{
  gint64 from[SYM_MAX_RANK], to[SYM_MAX_RANK], index[SYM_MAX_RANK] = { 0 }, n_rows = 1;
  int last = x->shape.rank - 1;
  gsize asked = 0;

  sym_op_get_strides (&x->shape, from);
  sym_op_get_strides (&y->shape, to);
  for (int i = 0; i < last; i++)
    n_rows *= parts[i].n;
  for (gint64 row = 0; row < n_rows; row++)
    {
      gint64 source = parts[last].from, target = parts[last].to;

      for (int i = 0; i < last; i++)
        {
          source += (parts[i].from + index[i]) * from[i];
          target += (parts[i].to + index[i]) * to[i];
        }
      if (!sym_op_go_on (kernel, &asked, 4, error) ||
          !sym_op_move_on (kernel, &asked, y, (gsize) target, x, (gsize) source,
                           (gsize) parts[last].n, error))
        return FALSE;
      for (int i = last; i-- > 0;)
        {
          if (++index[i] < parts[i].n)
            break;
          index[i] = 0;
        }
    }
  return TRUE;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 given[SYM_MAX_RANK], sizes[SYM_MAX_RANK];
  int n_given = sym_kernel_get_ints (kernel, "axes", given, SYM_MAX_RANK), n, axes[SYM_MAX_RANK];
  Part parts[SYM_MAX_RANK];
  SymShape to;
  SymArray *y;

  if (x == NULL || sym_kernel_need_input (kernel, 1, error) == NULL ||
      !sym_kernel_read_ints (kernel, 1, sizes, SYM_MAX_RANK, &n, error) ||
      !find_axes (given, n_given, n, x->shape.rank, axes, error))
    return FALSE;
  to = x->shape;
  for (int i = 0; i < n; i++)
    {
      if (sizes[i] < 0)
        return sym_kernel_fail (error, "%" G_GINT64_FORMAT " is no size", sizes[i]);
      to.dims[axes[i]] = sizes[i];
    }
  if (to.rank == 0)
    return sym_kernel_pass (kernel, 0, 0, NULL, error);
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL || !sym_op_clear (kernel, y, error))
    return FALSE;
  for (int i = 0; i < to.rank; i++)
    parts[i] = find_part (x->shape.dims[i], to.dims[i]);
  return move_rows (kernel, x, y, parts, error);
}

const SymOperator sym_op_onnx_crop[] = {
  { SYM_OP_ONNX ("CenterCropPad", 18),
    .summary = "other sizes, cut or with zeros around, with the middle in the middle",
    .category = SYM_CATEGORY_SHAPE, .attributes = attributes, .slots = slots, .infer = infer,
    .run = run },
  { 0 },
};
