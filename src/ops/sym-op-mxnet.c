/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-mxnet.h"

const SymSlotSpec sym_op_mxnet_data[] = { { "data" }, { NULL } };
const SymSlotSpec sym_op_mxnet_weighted[] = {
  { "data" },
  { "weight", SYM_SLOT_PARAMETER },
  { "bias", SYM_SLOT_PARAMETER, TRUE },
  { NULL },
};
const SymSlotSpec sym_op_mxnet_pair[] = { { "lhs" }, { "rhs" }, { NULL } };
const SymSlotSpec sym_op_mxnet_many[] = { { "arg" }, { NULL } };
const SymSlotSpec sym_op_mxnet_none[] = { { NULL } };

int
sym_op_mxnet_get_num_args (const SymAttributes *attributes)
{
  gint64 n = sym_op_get_int (attributes, "num_args", -1);

  return n >= 0 && n <= G_MAXINT32 ? (int) n : -1;
}

int
sym_op_mxnet_get_n_with_bias (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "no_bias", FALSE) ? 2 : 3;
}

int
sym_op_mxnet_get_n_without_bias (const SymAttributes *attributes)
{
  return sym_op_get_bool (attributes, "no_bias", TRUE) ? 2 : 3;
}

int
sym_op_mxnet_get_one_of_two (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = 1;
  return 2;
}

int
sym_op_mxnet_get_mean_var_outputs (const SymAttributes *attributes, int *n_visible)
{
  *n_visible = sym_op_get_bool (attributes, "output_mean_var", FALSE) ? 3 : 1;
  return 3;
}

gboolean
sym_op_mxnet_is_numpy (SymRule *rule)
{
  return g_str_has_prefix (sym_rule_get_type (rule), "_np");
}

SymShape
sym_op_mxnet_finish_shape (SymRule *rule, SymShape shape)
{
  return shape.rank == 0 && !sym_op_mxnet_is_numpy (rule) ? SYM_SHAPE (1) : shape;
}

SymShape
sym_op_mxnet_get_shape (SymRule *rule, const char *name)
{
  SymShape shape = SYM_SHAPE_UNKNOWN;
  gboolean is_numpy = sym_op_mxnet_is_numpy (rule);
  int n = sym_rule_get_ints (rule, name, shape.dims, SYM_MAX_RANK);

  if (n < 0 || n > SYM_MAX_RANK || (n == 0 && !is_numpy))
    return SYM_SHAPE_UNKNOWN;
  shape.rank = n;
  for (int i = 0; i < n; i++)
    if (shape.dims[i] < 0 || (shape.dims[i] == 0 && !is_numpy))
      shape.dims[i] = SYM_DIM_UNKNOWN;
  return shape;
}

gboolean
sym_op_mxnet_tie_all_dtypes (SymRule *rule, GError **error)
{
  return sym_rule_tie_dtypes (rule, 0, G_MAXUINT - 1, error);
}

gboolean
sym_op_mxnet_broadcast (const SymShape *a, const SymShape *b, SymShape *out, GError **error)
{
  SymShape result = sym_shape_new_unknown (MAX (a->rank, b->rank));

  for (int i = 1; i <= result.rank; i++)
    {
      SymDim x = i <= a->rank ? a->dims[a->rank - i] : 1;
      SymDim y = i <= b->rank ? b->dims[b->rank - i] : 1;

      if (x >= 0 && y >= 0 && x != 1 && y != 1 && x != y)
        return sym_rule_fail (
            error, "dimensions %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT " do not broadcast", x,
            y);
      if (x == y || y == 1 || x > 1)
        result.dims[result.rank - i] = x;
      else if (x == 1 || y > 1)
        result.dims[result.rank - i] = y;
    }
  *out = result;
  return TRUE;
}
