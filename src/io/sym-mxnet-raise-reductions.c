/* SPDX-License-Identifier: MIT */
#include "io/sym-mxnet-raise-private.h"

#include <string.h>

static const struct {
  const char *onnx;
  const char *before; /* for each element */
  const char *mxnet;
  const char *after;
} reductions[] = {
  { "ReduceL1", "abs", "sum" },           { "ReduceL2", NULL, "norm" },
  { "ReduceLogSum", NULL, "sum", "log" }, { "ReduceMax", NULL, "max" },
  { "ReduceMean", NULL, "mean" },         { "ReduceMin", NULL, "min" },
  { "ReduceProd", NULL, "prod" },         { "ReduceSum", NULL, "sum" },
  { "ReduceSumSquare", "square", "sum" },
};

/* The axes that go; FALSE, and an error, when they are not known, or when none is meant. */
typedef struct {
  gint64 axes[SYM_MAX_RANK];
  int n; /* 0: all */
} Axes;

static gboolean
read_axes (SymRaise *self, Axes *axes)
{
  gboolean skips = sym_raise_get_int (self, "noop_with_empty_axes", 0) != 0;

  axes->n = sym_raise_get_ints (self, "axes", 1, axes->axes, SYM_MAX_RANK);
  if ((axes->n >= 0 || !sym_raise_has (self, 1)) && (axes->n > 0 || !skips))
    return TRUE;
  sym_raise_fail (self, "its axes are not known beforehand");
  return FALSE;
}

static SymId
reduce (SymRaise *self, const char *op, SymId x, const Axes *axes, gboolean keeps)
{
  return sym_mxnet_raise_call (self, op, &x, 1, "keepdims", sym_value_new_bool (keeps),
                               axes->n <= 0 ? NULL : "axis",
                               axes->n <= 0 ? NULL : sym_raise_tuple (axes->axes, axes->n), NULL);
}

static gboolean
keeps_axes (SymRaise *self)
{
  return sym_raise_get_int (self, "keepdims", 1) != 0;
}

static void
raise_reduction (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0);
  guint i = 0;
  Axes axes;

  if (!read_axes (self, &axes))
    return;
  while (strcmp (reductions[i].onnx, sym_raise_get_type (self)) != 0)
    i++;
  if (reductions[i].before != NULL)
    x = sym_mxnet_raise_call (self, reductions[i].before, &x, 1, NULL);
  if (reductions[i].after != NULL)
    {
      x = reduce (self, reductions[i].mxnet, x, &axes, keeps_axes (self));
      sym_mxnet_raise_finish (self, reductions[i].after, &x, 1, NULL);
      return;
    }
  sym_mxnet_raise_finish (self, reductions[i].mxnet, &x, 1, "keepdims",
                          sym_value_new_bool (keeps_axes (self)), axes.n <= 0 ? NULL : "axis",
                          axes.n <= 0 ? NULL : sym_raise_tuple (axes.axes, axes.n), NULL);
}

/* log sum exp (x - m) + m, where m is the greatest one, so that nothing is too large. */
static void
raise_log_sum_exp (SymRaise *self)
{
  SymId x = sym_raise_operand (self, 0), pair[2];
  Axes axes;

  if (!read_axes (self, &axes))
    return;
  pair[0] = sym_mxnet_raise_join (self, "broadcast_sub", x, reduce (self, "max", x, &axes, TRUE));
  pair[0] = sym_mxnet_raise_call (self, "exp", &pair[0], 1, NULL);
  pair[0] = reduce (self, "sum", pair[0], &axes, keeps_axes (self));
  pair[0] = sym_mxnet_raise_call (self, "log", &pair[0], 1, NULL);
  pair[1] = reduce (self, "max", x, &axes, keeps_axes (self));
  sym_mxnet_raise_finish (self, "broadcast_add", pair, 2, NULL);
}

/* ---- Sums up to each ---- */

static SymId
turn (SymRaise *self, SymId x, gint64 axis)
{
  return sym_mxnet_raise_call (self, "reverse", &x, 1, "axis", sym_raise_tuple (&axis, 1), NULL);
}

/* A zero before the first element, and none behind the one before the last. */
static SymId
shift (SymRaise *self, SymId x, gint64 axis)
{
  SymDim size = sym_raise_get_shape (self, 0).dims[axis];
  SymId parts[2];

  parts[0] =
      sym_mxnet_raise_call (self, "slice_axis", &x, 1, "axis", sym_value_new_int (axis), "begin",
                            sym_value_new_int (0), "end", sym_value_new_int (1), NULL);
  parts[0] = sym_mxnet_raise_call (self, "zeros_like", parts, 1, NULL);
  if (size == 1)
    return parts[0];
  parts[1] =
      sym_mxnet_raise_call (self, "slice_axis", &x, 1, "axis", sym_value_new_int (axis), "begin",
                            sym_value_new_int (0), "end", sym_value_new_int (-1), NULL);
  return sym_mxnet_raise_call (self, "Concat", parts, 2, "dim", sym_value_new_int (axis),
                               "num_args", sym_value_new_int (2), NULL);
}

static void
raise_cumsum (SymRaise *self)
{
  gboolean turns = sym_raise_get_int (self, "reverse", 0) != 0;
  gboolean shifts = sym_raise_get_int (self, "exclusive", 0) != 0;
  SymId x = sym_raise_operand (self, 0);
  double given;
  gint64 axis;

  if (!sym_raise_get_number (self, NULL, 1, &given))
    {
      sym_raise_fail (self, "its axis is not known beforehand");
      return;
    }
  if (!sym_raise_find_axis (self, (gint64) given, &axis))
    return;
  if (shifts && sym_raise_get_shape (self, 0).dims[axis] < 0)
    {
      sym_raise_fail (self, "the size of its axis is not known");
      return;
    }
  x = turns ? turn (self, x, axis) : x;
  x = shifts ? shift (self, x, axis) : x;
  x = sym_mxnet_raise_call (self, "_np_cumsum", &x, 1, "axis", sym_value_new_int (axis), NULL);
  sym_raise_set_result (self, 0, turns ? turn (self, x, axis) : x);
}

#define REDUCTION(name_)      \
  {                           \
    name_, 1, raise_reduction \
  }

const SymRaiseRule sym_mxnet_raise_reductions[] = {
  { "CumSum", 1, raise_cumsum },
  REDUCTION ("ReduceL1"),
  REDUCTION ("ReduceL2"),
  REDUCTION ("ReduceLogSum"),
  { "ReduceLogSumExp", 1, raise_log_sum_exp },
  REDUCTION ("ReduceMax"),
  REDUCTION ("ReduceMean"),
  REDUCTION ("ReduceMin"),
  REDUCTION ("ReduceProd"),
  REDUCTION ("ReduceSum"),
  REDUCTION ("ReduceSumSquare"),
  { NULL },
};
