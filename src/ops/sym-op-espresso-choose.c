/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-engine.h"

/* Espresso's layers that take a part of an axis, or look at all of one.  An axis is counted from
 * the front where it is called `nd_axis`, and where topk() chooses; the one of slice() is of
 * images, and which of the three 0 and 2 are is known of no file.  Where the shapes beside a
 * network show it, its reader puts it among the attributes, as `axes`. */

static int
read_axes (SymOpLower *self, gint64 axes[SYM_MAX_RANK])
{
  return sym_op_lower_get_ints (self, "axes", axes, SYM_MAX_RANK);
}

/* ---- A part ---- */

/* Whether numbers from @start up to @end, counted from the end where they are negative, lie along
 * @axis of operand 0, as far as that is known. */
static gboolean
may_be_axis (SymOpLower *self, gint64 axis, gint64 start, gint64 end)
{
  const SymShape *shape = sym_op_lower_get_input_shape (self, 0);
  gint64 size;

  if (axis < 0 || axis >= shape->rank)
    return FALSE;
  size = shape->dims[axis];
  if (size < 0)
    return TRUE;
  start = start < 0 ? start + size : start;
  end = end < 0 ? end + size : end;
  return start >= 0 && start < end && end <= size;
}

/* From the front; channels, rows, columns; columns, rows, channels: -1 where what may be meant is
 * not one axis. */
static gint64
find_axis (SymOpLower *self, gint64 start, gint64 end)
{
  gint64 told = sym_op_lower_get_int (self, "axis", 0);
  int rank = sym_op_foreign_rank (self, 0);
  const gint64 meanings[] = { told < 0 ? told + rank : told, rank - 3 + told, rank - 1 - told };
  gint64 axis = -1;

  for (guint i = 0; i < (told < 0 ? 1 : G_N_ELEMENTS (meanings)); i++)
    {
      if (!may_be_axis (self, meanings[i], start, end))
        continue;
      if (axis >= 0 && axis != meanings[i])
        return -1;
      axis = meanings[i];
    }
  return axis;
}

static void
lower_slice (SymOpLower *self)
{
  gint64 start = sym_op_lower_get_int (self, "start", 0);
  gint64 end = sym_op_lower_get_int (self, "end", 0);
  gint64 axes[SYM_MAX_RANK];

  if (end == 0)
    sym_op_lower_refuse (self, "slice: where it ends is not told");
  if (read_axes (self, axes) != 1)
    axes[0] = find_axis (self, start, end);
  if (axes[0] < 0)
    sym_op_lower_refuse (self,
                         "slice: which axis is meant by %" G_GINT64_FORMAT
                         " is not known, and no shapes beside the network show it",
                         sym_op_lower_get_int (self, "axis", 0));
  if (!sym_op_lower_has_failed (self))
    sym_op_lower_set_output (
        self, 0,
        sym_op_foreign_slice (self, sym_op_lower_input (self, 0), &start, &end, axes, NULL, 1));
}

/* ---- All of an axis ---- */

typedef struct {
  gint64 mode;
  const char *name;
  gboolean is_place; /* the operator makes one, of one axis */
} Reduction;

static const Reduction reductions[] = {
  { 0, "ReduceSum", FALSE },       { 1, "ReduceMean", FALSE },      { 2, "ReduceProd", FALSE },
  { 3, "ReduceLogSumExp", FALSE }, { 4, "ReduceSumSquare", FALSE }, { 5, "ReduceL2", FALSE },
  { 8, "ReduceL1", FALSE },        { 9, "ReduceMax", FALSE },       { 10, "ReduceMin", FALSE },
  { 11, "ArgMax", TRUE },          { 12, "ArgMin", TRUE },
};

/* Shapes are the same whatever is made of the numbers. */
static const Reduction *
find_reduction (SymOpLower *self)
{
  gint64 mode = sym_op_lower_get_int (self, "mode", 0);

  for (guint i = 0; i < G_N_ELEMENTS (reductions); i++)
    if (reductions[i].mode == mode)
      return &reductions[i];
  if (!sym_op_lower_is_rule (self))
    sym_op_lower_refuse (self, "reduce of mode %" G_GINT64_FORMAT " is not lowered", mode);
  return &reductions[0];
}

/* There is no attribute that tells whether axes stay, with a size of 1, and a layer that takes them
 * away: they stay. */
static void
lower_reduce (SymOpLower *self)
{
  const Reduction *reduction = find_reduction (self);
  SymId x = sym_op_lower_input (self, 0);
  int rank = sym_op_foreign_rank (self, 0), n;
  gint64 axes[SYM_MAX_RANK];

  n = read_axes (self, axes);
  if (n < 1 && sym_op_lower_get_bool (self, "nd_mode", FALSE))
    {
      axes[0] = sym_op_foreign_axis (self, "nd_axis", 0, rank);
      n = 1;
    }
  if (n < 1 || (reduction->is_place && n > 1))
    sym_op_lower_refuse (self,
                         "reduce: which axes are meant by axis_mode %" G_GINT64_FORMAT
                         " is not known, and no shapes beside the network show it",
                         sym_op_lower_get_int (self, "axis_mode", 0));
  if (sym_op_lower_has_failed (self))
    return;
  if (reduction->is_place)
    x = sym_op_lower_cast (self, sym_op_foreign_with (self, reduction->name, x, "axis", axes[0]),
                           SYM_DTYPE_FLOAT32);
  else
    x = sym_op_foreign_reduce (self, reduction->name, x, rank, axes, n, TRUE);
  sym_op_lower_set_output (self, 0, x);
}

/* The greatest numbers along an axis, or the least, and their places, which are numbers as all
 * others are. */
static void
lower_top (SymOpLower *self)
{
  gint64 k = sym_op_lower_get_int (self, "num_k", 0);
  gint64 told = sym_op_lower_get_int (self, "axis", G_MININT32);
  int rank = sym_op_foreign_rank (self, 0), axis = 0;
  SymId x;

  if (k < 1 || k > G_MAXINT32 || sym_op_lower_get_n_inputs (self) != 1)
    sym_op_lower_refuse (self, "topk: how many is not told");
  if (told == G_MININT32 || !sym_op_lower_get_bool (self, "single_axis_topk", TRUE))
    sym_op_lower_refuse (self, "topk: along which axis is not told");
  if (sym_op_lower_has_failed (self) || !sym_op_lower_find_axis (self, told, rank, &axis))
    return;
  x = sym_op_lower_call (
      self, "TopK", SYM_IDS (sym_op_lower_input (self, 0), sym_op_lower_ints (self, &k, 1)), "axis",
      sym_value_new_int (axis), "largest",
      sym_value_new_int (!sym_op_lower_get_bool (self, "do_bottomk", FALSE)), NULL);
  sym_op_lower_set_output (self, 0, x);
  if (sym_op_lower_get_n_outputs (self) > 1)
    sym_op_lower_set_output (
        self, 1, sym_op_lower_cast (self, sym_op_lower_get_result (self, x, 1), SYM_DTYPE_FLOAT32));
}

/* ---- Table ---- */

static const SymAttributeSpec slice_attributes[] = {
  { "axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { "axes", SYM_ATTRIBUTE_INTS, "None", "which one that is, as shapes show" },
  { "start", SYM_ATTRIBUTE_INT, "0", "the first that is taken" },
  { "end", SYM_ATTRIBUTE_INT, "0", "the first behind them" },
  { NULL },
};

static const SymAttributeSpec reduce_attributes[] = {
  { "mode", SYM_ATTRIBUTE_INT, "0", "what is made: 0 a sum, 1 a mean, 9 the greatest" },
  { "axis_mode", SYM_ATTRIBUTE_INT, "0", "of which axes" },
  { "axes", SYM_ATTRIBUTE_INTS, "None", "which ones these are, as shapes show" },
  { "nd_mode", SYM_ATTRIBUTE_BOOL, "False", "whether nd_axis tells the axis" },
  { "nd_axis", SYM_ATTRIBUTE_INT, "0", "along which" },
  { NULL },
};

static const SymAttributeSpec top_attributes[] = {
  { "num_k", SYM_ATTRIBUTE_INT, "0", "how many" },
  { "axis", SYM_ATTRIBUTE_INT, "None", "along which" },
  { "single_axis_topk", SYM_ATTRIBUTE_BOOL, "True", "whether it is along one axis" },
  { "do_bottomk", SYM_ATTRIBUTE_BOOL, "False", "whether the least are taken" },
  { NULL },
};

#define CHOOSE(name_, summary_, category_, attributes_, lower_)                                    \
  SYM_OP_ENGINE ("espresso", "Espresso 200", name_, NULL, summary_, category_, sym_op_foreign_one, \
                 attributes_, lower_)

const SymOperator sym_op_espresso_choose[] = {
  CHOOSE ("slice",
          "Places one after the other along an axis",
          SHAPE,
          slice_attributes,
          lower_slice),
  CHOOSE ("reduce", "One number of all along axes", POOLING, reduce_attributes, lower_reduce),
  CHOOSE ("topk", "The greatest numbers along an axis", SHAPE, top_attributes, lower_top),
  { NULL },
};
