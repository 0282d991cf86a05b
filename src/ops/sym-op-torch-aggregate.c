/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-torch.h"

#include <string.h>

static SymDType
get_result_dtype (SymRule *rule, const char *op)
{
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);

  if (g_str_has_prefix (op, "arg"))
    return SYM_DTYPE_INT64;
  if (strcmp (op, "sum") == 0 && (sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_BOOL))
    return SYM_DTYPE_INT64;
  return dtype;
}

/* Without dim everything is reduced, and keepdim is not looked at. */
static gboolean
get_result_shape (SymRule *rule, SymShape *result, gboolean *has_dim, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  gboolean axes[SYM_MAX_RANK];
  int n;

  *result = SYM_SHAPE_UNKNOWN;
  *has_dim = sym_rule_get_ints (rule, "dim", NULL, 0) > 0;
  if (!*has_dim)
    *result = SYM_SHAPE ();
  if (!*has_dim || input.rank < 0)
    return TRUE;
  if (!sym_op_get_axes (rule, "dim", input.rank, axes, &n, error))
    return FALSE;
  for (int i = 0; i < input.rank; i++)
    n -= axes[i];
  if (n > 0)
    return sym_rule_fail (error, "a dim appears multiple times in the list of dims");
  *result = sym_op_reduce_shape (&input, axes, sym_rule_get_bool (rule, "keepdim", FALSE));
  return TRUE;
}

/* The median along a dimension comes with its indices. */
static void
set_pair (SymRule *rule, SymDType dtype, const SymShape *shape)
{
  SymType parts[] = { sym_type_tensor (dtype, *shape), sym_type_tensor (SYM_DTYPE_INT64, *shape) };
  SymType tuple = { .kind = SYM_KIND_TUPLE, .elements = parts, .n_elements = 2 };

  tuple.shape.rank = -1;
  sym_rule_set_output_type (rule, 0, &tuple);
}

static gboolean
infer_aggregate (SymRule *rule, GError **error)
{
  const char *op = sym_rule_get_string (rule, "op", "mean");
  SymDType dtype = sym_rule_get_input_dtype (rule, 0);
  SymShape shape;
  gboolean has_dim;

  if (strcmp (op, "mean") == 0 && (sym_dtype_is_integer (dtype) || dtype == SYM_DTYPE_BOOL))
    return sym_rule_fail (error, "mean(): input dtype must be floating point, got %s",
                          sym_dtype_to_string (dtype));
  if (!get_result_shape (rule, &shape, &has_dim, error))
    return FALSE;
  if (has_dim && strcmp (op, "median") == 0)
    {
      set_pair (rule, dtype, &shape);
      return TRUE;
    }
  return sym_op_set_output (rule, 0, shape, get_result_dtype (rule, op), error);
}

/* ---- In ONNX's layers ---- */

typedef struct {
  gint64 axes[SYM_MAX_RANK];
  int n; /* 0: all of them, which do not stay */
  gboolean keeps;
} Reduction;

static gboolean
read_reduction (SymOpLower *self, Reduction *reduction)
{
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;

  reduction->n = MAX (sym_op_lower_get_ints (self, "dim", reduction->axes, SYM_MAX_RANK), 0);
  reduction->keeps = reduction->n > 0 && sym_op_lower_get_bool (self, "keepdim", FALSE);
  for (int i = 0; i < reduction->n; i++)
    {
      int axis;

      if (!sym_op_lower_find_axis (self, reduction->axes[i], MAX (rank, 1), &axis))
        return FALSE;
      reduction->axes[i] = axis;
    }
  return sym_op_lower_need_tensor (self, 0);
}

/* The operand with all that is reduced along @axis; a number has one axis. */
static SymId
flatten (SymOpLower *self, const Reduction *reduction, int *axis, gint64 *size)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  guint64 n = 1;

  *axis = reduction->n == 0 ? 0 : (int) reduction->axes[0];
  if (reduction->n > 0 && shape->rank > 0)
    {
      *size = shape->dims[*axis];
      return sym_op_lower_input (self, 0);
    }
  sym_shape_get_n_elements (shape, &n);
  *size = (gint64) n;
  return sym_op_lower_reshape (self, sym_op_lower_input (self, 0), &SYM_SHAPE ((gint64) n));
}

static void
lower_place (SymOpLower *self, const Reduction *reduction, const char *name)
{
  int axis;
  gint64 size;
  SymId x = flatten (self, reduction, &axis, &size);

  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, name, SYM_IDS (x), "axis",
                                              sym_value_new_int (axis), "keepdims",
                                              sym_value_new_int (reduction->keeps), NULL));
}

/* Of an even number of elements torch takes the lower one of the middle. */
static void
lower_median (SymOpLower *self, const Reduction *reduction)
{
  gint64 size, middle;
  int axis;
  SymId x = flatten (self, reduction, &axis, &size), sorted, parts[2];

  middle = (size - 1) / 2;
  sorted = sym_op_lower_call (self, "TopK", SYM_IDS (x, sym_op_lower_ints (self, &size, 1)), "axis",
                              sym_value_new_int (axis), "largest", sym_value_new_int (0), NULL);
  for (guint i = 0; i < 2; i++)
    {
      SymId place = reduction->keeps ? sym_op_lower_ints (self, &middle, 1)
                                     : sym_op_lower_number (self, SYM_DTYPE_INT64, (double) middle);

      parts[i] = sym_op_lower_call (self, "Gather",
                                    SYM_IDS (sym_op_lower_get_result (self, sorted, i), place),
                                    "axis", sym_value_new_int (axis), NULL);
    }
  sym_op_lower_set_output (
      self, 0, reduction->n == 0 ? parts[0] : sym_op_torch_lower_tuple (self, parts, 2));
}

static void
lower_mean (SymOpLower *self, const Reduction *reduction, const char *name)
{
  SymDType from = sym_op_lower_get_input_dtype (self, 0);
  SymId x = sym_op_lower_cast_from (self, sym_op_lower_input (self, 0), from,
                                    sym_op_lower_get_output_dtype (self, 0));
  gint64 all[SYM_MAX_RANK];
  int rank = sym_op_lower_get_input_shape (self, 0)->rank;

  for (int i = 0; i < rank; i++)
    all[i] = i;
  if (rank > 0)
    x = sym_op_lower_reduce (self, name, x, reduction->n == 0 ? all : reduction->axes,
                             reduction->n == 0 ? rank : reduction->n, reduction->keeps);
  else
    x = sym_op_lower_unary (self, "Identity", x);
  sym_op_lower_set_output (self, 0, x);
}

static void
lower_aggregate (SymOpLower *self)
{
  const char *op = sym_op_lower_get_string (self, "op", "mean");
  Reduction reduction;

  if (!read_reduction (self, &reduction))
    return;
  if (strcmp (op, "mean") == 0 || strcmp (op, "sum") == 0)
    lower_mean (self, &reduction, *op == 'm' ? "ReduceMean" : "ReduceSum");
  else if (strcmp (op, "argmax") == 0 || strcmp (op, "argmin") == 0)
    lower_place (self, &reduction, op[4] == 'a' ? "ArgMax" : "ArgMin");
  else if (strcmp (op, "median") == 0)
    lower_median (self, &reduction);
  else
    sym_op_lower_refuse (self, "AggregateLayer: %s is not lowered", op);
}

static const SymAttributeSpec attributes[] = {
  { "op", SYM_ATTRIBUTE_STRING, NULL, "mean, sum, median, argmax or argmin" },
  { "dim", SYM_ATTRIBUTE_INTS, "None", "dimensions that are reduced; None for all" },
  { "keepdim", SYM_ATTRIBUTE_BOOL, "False", "whether they stay, with size 1" },
  { NULL },
};

const SymOperator sym_op_torch_aggregate[] = {
  {
      SYM_OP_TORCH,
      .name = "AggregateLayer",
      .summary = "Mean, sum, median, or place of the largest or least element",
      .reference = "PyTorch Symbolic useful_layers.AggregateLayer",
      .category = SYM_CATEGORY_POOLING,
      .attributes = attributes,
      .slots = sym_op_torch_one,
      .infer = infer_aggregate,
      .lower = lower_aggregate,
  },
  { NULL },
};
