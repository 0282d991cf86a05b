/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-tf.h"

#include <string.h>

/* What lies where among sorted numbers, what is in one list and not in another, and the shape that
 * two broadcast to. */

/* ---- LowerBound, UpperBound ---- */

static gboolean
infer_bound (SymRule *rule, GError **error)
{
  SymShape sorted = sym_rule_get_input (rule, 0), values = sym_rule_get_input (rule, 1);

  if ((sorted.rank >= 0 && sorted.rank != 2) || (values.rank >= 0 && values.rank != 2))
    return sym_rule_fail (error, "both must be matrices");
  if (sorted.rank == 2 && values.rank == 2 &&
      !sym_rule_unify (rule, sorted.dims[0], values.dims[0], "number of rows", error))
    return FALSE;
  return sym_op_set_output (rule, 0, values, SYM_DTYPE_INT32, error);
}

/* How many of a row's sorted numbers come before each value. */
static void
lower_bound (SymOpLower *self)
{
  gboolean is_upper = strcmp (sym_op_lower_get_type (self), "UpperBound") == 0;
  const SymShape *sorted = sym_op_lower_get_input_shape (self, 0);
  const SymShape *values = sym_op_lower_get_input_shape (self, 1);
  SymShape rows, columns;
  gint64 last = 2;
  SymId a, b, x;

  sym_op_tf_pair_up (self, 0, 1, &a, &b);
  if (sym_op_lower_has_failed (self))
    return;
  if (sorted->rank != 2 || values->rank != 2)
    {
      sym_op_lower_fail (self, "%s: both must be matrices", sym_op_lower_get_type (self));
      return;
    }
  rows = SYM_SHAPE (sorted->dims[0], 1, sorted->dims[1]);
  columns = SYM_SHAPE (values->dims[0], values->dims[1], 1);
  x = sym_op_lower_binary (self, is_upper ? "LessOrEqual" : "Less",
                           sym_op_lower_reshape (self, a, &rows),
                           sym_op_lower_reshape (self, b, &columns));
  x = sym_op_lower_cast (self, x, SYM_DTYPE_INT32);
  sym_op_lower_set_output (self, 0, sym_op_lower_reduce (self, "ReduceSum", x, &last, 1, FALSE));
}

/* ---- ListDiff ---- */

static gboolean
infer_difference (SymRule *rule, GError **error)
{
  return sym_op_set_output (rule, 0, sym_shape_new_unknown (1), sym_rule_get_input_dtype (rule, 0),
                            error) &&
         sym_op_set_output (rule, 1, sym_shape_new_unknown (1), SYM_DTYPE_INT32, error);
}

/* What of @x is none of @y, in its order, and its places. */
static void
lower_difference (SymOpLower *self)
{
  const SymShape *x = sym_op_lower_get_input_shape (self, 0);
  const SymShape *y = sym_op_lower_get_input_shape (self, 1);
  SymShape column, row;
  gint64 last = 1;
  SymId a, b, mask;

  sym_op_tf_pair_up (self, 0, 1, &a, &b);
  if (sym_op_lower_has_failed (self))
    return;
  if (x->rank != 1 || y->rank != 1)
    {
      sym_op_lower_fail (self, "ListDiff: both must be lists");
      return;
    }
  column = SYM_SHAPE (x->dims[0], 1);
  row = SYM_SHAPE (1, y->dims[0]);
  mask = sym_op_lower_binary (self, "Equal", sym_op_lower_reshape (self, a, &column),
                              sym_op_lower_reshape (self, b, &row));
  mask = sym_op_lower_cast (self, mask, SYM_DTYPE_INT32);
  mask = sym_op_lower_reduce (self, "ReduceSum", mask, &last, 1, FALSE);
  mask = sym_op_lower_binary (self, "Equal", mask, sym_op_lower_number (self, SYM_DTYPE_INT32, 0));
  sym_op_lower_set_output (self, 0,
                           sym_op_lower_call (self, "Compress",
                                              SYM_IDS (sym_op_lower_input (self, 0), mask), "axis",
                                              sym_value_new_int (0), NULL));
  sym_op_lower_set_output (
      self, 1,
      sym_op_lower_cast (self,
                         sym_op_lower_call (self, "Compress",
                                            SYM_IDS (sym_op_lower_count (self, x->dims[0]), mask),
                                            "axis", sym_value_new_int (0), NULL),
                         SYM_DTYPE_INT32));
}

/* ---- BroadcastArgs ---- */

/* The shape that those listed in @a and @b broadcast to; -1 and an error when they do not. */
static int
broadcast (const gint64 *a, int n_a, const gint64 *b, int n_b, gint64 *to, GError **error)
{
  int n = MAX (n_a, n_b);

  for (int i = 0; i < n; i++)
    {
      gint64 left = i < n - n_a ? 1 : a[i - (n - n_a)], right = i < n - n_b ? 1 : b[i - (n - n_b)];

      if (left != right && left != 1 && right != 1)
        {
          sym_rule_set_error (
              error, "sizes %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT " do not broadcast", left,
              right);
          return -1;
        }
      to[i] = left == 1 ? right : left;
    }
  return n;
}

static gboolean
infer_args (SymRule *rule, GError **error)
{
  gint64 a[SYM_MAX_RANK], b[SYM_MAX_RANK], to[SYM_MAX_RANK];
  SymShape left = sym_rule_get_input (rule, 0), right = sym_rule_get_input (rule, 1);
  SymShape list = sym_shape_new_unknown (1);
  int n_a = sym_rule_get_input_ints (rule, 0, a, SYM_MAX_RANK);
  int n_b = sym_rule_get_input_ints (rule, 1, b, SYM_MAX_RANK), n;

  if (n_a > SYM_MAX_RANK || n_b > SYM_MAX_RANK)
    return sym_rule_fail (error, "at most %d dimensions are supported", SYM_MAX_RANK);
  if (left.rank == 1 && right.rank == 1 && left.dims[0] >= 0 && right.dims[0] >= 0)
    list.dims[0] = MAX (left.dims[0], right.dims[0]);
  if (n_a >= 0 && n_b >= 0)
    {
      n = broadcast (a, n_a, b, n_b, to, error);
      if (n < 0)
        return FALSE;
      sym_rule_set_output_ints (rule, 0, to, n);
    }
  return sym_op_set_output (rule, 0, list, sym_op_tf_promote (rule, 0, 1), error);
}

static void
lower_args (SymOpLower *self)
{
  gint64 a[SYM_MAX_RANK], b[SYM_MAX_RANK], to[SYM_MAX_RANK];
  int n_a = sym_op_lower_read_ints (self, 0, a, SYM_MAX_RANK);
  int n_b = sym_op_lower_read_ints (self, 1, b, SYM_MAX_RANK), n;
  SymDType dtype = sym_op_lower_get_input_dtype (self, 0);
  g_autoptr (GError) error = NULL;

  if (n_a < 0 || n_b < 0)
    return;
  n = broadcast (a, n_a, b, n_b, to, &error);
  if (n < 0)
    sym_op_lower_fail (self, "BroadcastArgs: %s", error->message);
  else
    sym_op_lower_set_output (
        self, 0,
        sym_op_lower_cast_from (self, sym_op_lower_ints (self, to, n), SYM_DTYPE_INT64, dtype));
}

/* ---- Tables ---- */

static const SymSlotSpec bound_slots[] = { { "sorted_inputs" }, { "values" }, { NULL } };
static const SymSlotSpec args_slots[] = { { "s0" }, { "s1" }, { NULL } };
static const char *const difference_names[] = { "out", "idx", NULL };

#define SEARCH(name_, summary_, slots_, infer_, lower_)                                      \
  {                                                                                          \
    SYM_OP_TF (name_), .summary = summary_, .category = SYM_CATEGORY_OTHER, .slots = slots_, \
                       .infer = infer_, .lower = lower_                                      \
  }

const SymOperator sym_op_tf_search[] = {
  SEARCH ("BroadcastArgs",
          "the shape that two shapes broadcast to",
          args_slots,
          infer_args,
          lower_args),
  { SYM_OP_TF ("ListDiff"), .summary = "what is in one list and not in another, and its places",
    .category = SYM_CATEGORY_OTHER, .slots = sym_op_tf_pair, .get_n_outputs = sym_op_tf_any_outputs,
    .output_names = difference_names, .infer = infer_difference, .lower = lower_difference },
  SEARCH ("LowerBound",
          "the first places where values keep a list sorted",
          bound_slots,
          infer_bound,
          lower_bound),
  SEARCH ("UpperBound",
          "the last places where values keep a list sorted",
          bound_slots,
          infer_bound,
          lower_bound),
  { NULL },
};
