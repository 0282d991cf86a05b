/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet-lower.h"
#include "ops/sym-op-mxnet.h"

/* Indices of elements themselves. */

static const SymAttributeSpec index_array_attributes[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes whose indices are given; all when None" },
  { NULL },
};

static gboolean
infer_index_array (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), out = SYM_SHAPE_UNKNOWN;
  gint64 axes[SYM_MAX_RANK];
  int n = sym_rule_get_ints (rule, "axes", axes, SYM_MAX_RANK);

  if (data.rank >= 0 && data.rank < SYM_MAX_RANK)
    out = sym_op_insert_axis (&data, data.rank, n > 0 ? n : data.rank);
  return sym_op_set_output (rule, 0, out, SYM_DTYPE_INT64, error);
}

/* ---- ravel ---- */

static const SymAttributeSpec shape_attributes[] = {
  { "shape", SYM_ATTRIBUTE_INTS, NULL, "shape of the array" },
  { NULL },
};

static gboolean
infer_unravel (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0), shape = sym_op_mxnet_get_shape (rule, "shape");

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (data.rank < 0 || data.rank == SYM_MAX_RANK || shape.rank < 0)
    return TRUE;
  return sym_op_set_output (rule, 0, sym_op_insert_axis (&data, 0, shape.rank), SYM_DTYPE_UNKNOWN,
                            error);
}

static gboolean
infer_ravel (SymRule *rule, GError **error)
{
  SymShape data = sym_rule_get_input (rule, 0);

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  return data.rank < 2 ||
         sym_op_set_output (rule, 0, sym_op_remove_axis (&data, 0), SYM_DTYPE_UNKNOWN, error);
}

/* ---- Lowering ---- */

static void
lower_index_array (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  SymShape part = *sym_op_lower_get_output_shape (self, 0);
  SymId parts[SYM_MAX_RANK];
  gint64 axes[SYM_MAX_RANK];
  int n;

  if (!sym_op_lower_need_tensor (self, 0) || part.rank < 1 ||
      !sym_op_mxnet_lower_axes (self, "axes", data->rank, axes, &n))
    return;
  part.dims[part.rank - 1] = 1;
  for (int i = 0; i < n; i++)
    {
      SymShape along = part;

      for (int j = 0; j < along.rank; j++)
        along.dims[j] = j == axes[i] ? part.dims[j] : 1;
      parts[i] =
          sym_op_lower_reshape (self, sym_op_lower_count (self, data->dims[axes[i]]), &along);
      parts[i] = sym_op_lower_binary (self, "Expand", parts[i],
                                      sym_op_lower_ints (self, part.dims, part.rank));
    }
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Concat", (SymIds){ parts, (guint) n }, "axis",
                                              sym_value_new_int (-1), NULL));
}

/* The shape of the attribute, and how far apart neighbours along its axis @i are. */
static int
get_steps (SymOpLower *self, gint64 sizes[SYM_MAX_RANK], gint64 steps[SYM_MAX_RANK])
{
  int n = sym_op_lower_get_ints (self, "shape", sizes, SYM_MAX_RANK);
  gint64 step = 1;

  if (n < 1 || n > SYM_MAX_RANK)
    {
      sym_op_lower_fail (self, "%s: shape has %d sizes", sym_op_lower_get_type (self), n);
      return 0;
    }
  for (int i = n; i-- > 0; step *= sizes[i])
    {
      steps[i] = step;
      if (sizes[i] < 1 || sizes[i] > G_MAXINT64 / step)
        {
          sym_op_lower_fail (self, "%s: shape has sizes that make no array",
                             sym_op_lower_get_type (self));
          return 0;
        }
    }
  return n;
}

static void
lower_unravel (SymOpLower *self)
{
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  gint64 sizes[SYM_MAX_RANK], steps[SYM_MAX_RANK];
  SymId index, parts[SYM_MAX_RANK];
  SymShape row;
  int n;

  if (!sym_op_lower_need_tensor (self, 0) ||
      sym_op_lower_get_input_shape (self, 0)->rank == SYM_MAX_RANK)
    return;
  n = get_steps (self, sizes, steps);
  row = sym_op_insert_axis (sym_op_lower_get_input_shape (self, 0), 0, 1);
  index = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64);
  for (int i = 0; i < n; i++)
    {
      SymId step = sym_op_lower_number (self, SYM_DTYPE_INT64, (double) steps[i]);
      SymId size = sym_op_lower_number (self, SYM_DTYPE_INT64, (double) sizes[i]);

      parts[i] = sym_op_lower_binary (self, "Div", index, step);
      if (i > 0)
        parts[i] = sym_op_lower_binary (self, "Mod", parts[i], size);
      parts[i] = sym_op_lower_cast (self, sym_op_lower_reshape (self, parts[i], &row), dtype);
    }
  if (n > 0)
    sym_op_lower_set_output (self, 0,
                             sym_op_lower_call (self, "Concat", (SymIds){ parts, (guint) n },
                                                "axis", sym_value_new_int (0), NULL));
}

static void
lower_ravel (SymOpLower *self)
{
  const SymShape *data = sym_op_lower_get_input_shape (self, 0);
  gint64 sizes[SYM_MAX_RANK], steps[SYM_MAX_RANK], first = 0;
  SymShape column = { .rank = data->rank };
  SymId index;
  int n;

  if (!sym_op_lower_need_tensor (self, 0))
    return;
  n = get_steps (self, sizes, steps);
  if (data->rank < 1 || data->dims[0] != n)
    {
      sym_op_lower_fail (self, "%s: the data should have a row for each of %d axes",
                         sym_op_lower_get_type (self), n);
      return;
    }
  for (int i = 0; i < data->rank; i++)
    column.dims[i] = i == 0 ? n : 1;
  index = sym_op_lower_cast (self, sym_op_lower_input (self, 0), SYM_DTYPE_INT64);
  index = sym_op_lower_binary (
      self, "Mul", index, sym_op_lower_reshape (self, sym_op_lower_ints (self, steps, n), &column));
  index = sym_op_lower_reduce (self, "ReduceSum", index, &first, 1, FALSE);
  sym_op_lower_finish (self,
                       sym_op_lower_cast (self, index, sym_op_lower_get_input_dtype (self, 0)));
}

#define INDEX(name_, aliases_, summary_, attributes_, slots_, infer_, lower_)                  \
  {                                                                                            \
    SYM_OP_MXNET, .name = name_, .aliases = aliases_, .summary = summary_,                     \
                  .reference = "MXNet 1.9.1 " name_, .category = SYM_CATEGORY_SHAPE,           \
                  .attributes = attributes_, .slots = slots_, .infer = infer_, .lower = lower_ \
  }

const SymOperator sym_op_mxnet_ravel[] = {
  INDEX ("_contrib_index_array",
         NULL,
         "the indices of each element",
         index_array_attributes,
         sym_op_mxnet_data,
         infer_index_array,
         lower_index_array),
  INDEX ("_unravel_index",
         "unravel_index _npi_unravel_index",
         "flat indices as indices of each axis",
         shape_attributes,
         sym_op_mxnet_data,
         infer_unravel,
         lower_unravel),
  INDEX ("_ravel_multi_index",
         "ravel_multi_index",
         "indices of each axis as flat indices",
         shape_attributes,
         sym_op_mxnet_data,
         infer_ravel,
         lower_ravel),
  { NULL },
};
