/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-onnx.h"
#include "ops/sym-op-table.h"

/* Slice: every so many elements from one place to another, along some axes. */

#define MAX_VALUES 64

static const SymAttributeSpec attributes_1[] = {
  { "axes", SYM_ATTRIBUTE_INTS, "None", "axes that are sliced; the first ones by default" },
  { "ends", SYM_ATTRIBUTE_INTS, NULL, "where slices end; negative from the back" },
  { "starts", SYM_ATTRIBUTE_INTS, NULL, "where slices begin; negative from the back" },
  { NULL },
};

static const SymSlotSpec slots_1[] = { { "data" }, { NULL } };
static const SymSlotSpec slots_10[] = {
  { "data" }, { "starts" }, { "ends" }, { "axes", .optional = TRUE }, { "steps", .optional = TRUE },
  { NULL },
};

/* What is asked for, axis by axis. */
typedef struct {
  gboolean is_sliced[SYM_MAX_RANK];
  gint64 start[SYM_MAX_RANK], end[SYM_MAX_RANK], step[SYM_MAX_RANK];
} Slices;

/* The four lists as they are written; counts of -1 for those that are absent. */
typedef struct {
  gint64 values[4][SYM_MAX_RANK];
  int n[4];
} Lists;

enum { STARTS, ENDS, AXES, STEPS };

static gboolean
sort_out (const Lists *lists, int rank, Slices *slices, GError **error)
{
  int n = lists->n[STARTS];

  *slices = (Slices){ .is_sliced = { FALSE } };
  if (n < 0 || lists->n[ENDS] != n || (lists->n[AXES] >= 0 && lists->n[AXES] != n) ||
      (lists->n[STEPS] >= 0 && lists->n[STEPS] != n) || (lists->n[AXES] < 0 && n > rank))
    return sym_kernel_fail (error,
                            "%d starts, %d ends, %d axes and %d steps do not fit to rank %d "
                            "(-1: none given)",
                            n, lists->n[ENDS], lists->n[AXES], lists->n[STEPS], rank);
  for (int i = 0; i < n; i++)
    {
      int axis = i;

      if (lists->n[AXES] >= 0 && !sym_op_find_axis (lists->values[AXES][i], rank, &axis, error))
        return FALSE;
      if (slices->is_sliced[axis])
        return sym_kernel_fail (error, "axis %d is sliced twice", axis);
      slices->is_sliced[axis] = TRUE;
      slices->start[axis] = lists->values[STARTS][i];
      slices->end[axis] = lists->values[ENDS][i];
      slices->step[axis] = lists->n[STEPS] < 0 ? 1 : lists->values[STEPS][i];
      if (slices->step[axis] == 0)
        return sym_kernel_fail (error, "the step along axis %d is 0", axis);
    }
  return TRUE;
}

/* ---- Rule ---- */

/* The lists as far as they are known; FALSE in *@known when one that there is is not. */
static gboolean
get_lists (SymRule *rule, Lists *lists, gboolean *known, GError **error)
{
  static const char *const names[] = { "starts", "ends", "axes", "steps" };
  gboolean are_attributes = sym_rule_get_version (rule) < 10;

  *known = TRUE;
  for (guint i = 0; i < 4; i++)
    {
      lists->n[i] = are_attributes
                        ? sym_rule_get_ints (rule, names[i], lists->values[i], SYM_MAX_RANK)
                        : sym_rule_get_input_ints (rule, i + 1, lists->values[i], SYM_MAX_RANK);
      if (lists->n[i] > SYM_MAX_RANK)
        return sym_rule_fail (error, "%s has %d numbers; at most %d make sense", names[i],
                              lists->n[i], SYM_MAX_RANK);
      if (lists->n[i] < 0 && !are_attributes && sym_rule_has_input (rule, i + 1))
        *known = FALSE;
    }
  return TRUE;
}

/* Small values of data along one axis. */
static void
slice_values (SymRule *rule, const Slices *slices)
{
  SymDim dims[MAX_VALUES], picked[MAX_VALUES];
  gint64 ints[MAX_VALUES];
  int n = sym_rule_get_input_ints (rule, 0, ints, MAX_VALUES), n_picked = 0;
  gboolean plain = n >= 0;
  gint64 step = slices->is_sliced[0] ? slices->step[0] : 1;
  gint64 size, start;

  if (!plain)
    n = sym_rule_get_input_values (rule, 0, dims, MAX_VALUES);
  if (n < 0 || n > MAX_VALUES || sym_rule_get_input (rule, 0).rank != 1)
    return;
  size = slices->is_sliced[0] ? sym_op_slice_size (sym_rule_get_terms (rule), n, TRUE,
                                                   slices->start[0], TRUE, slices->end[0], step)
                              : n;
  start = slices->is_sliced[0] ? slices->start[0] : 0;
  start = CLAMP (start < 0 ? start + n : start, 0, step < 0 ? n - 1 : n);
  for (gint64 i = 0; i < size && start + i * step < n && start + i * step >= 0; i++)
    picked[n_picked++] = plain ? ints[start + i * step] : dims[start + i * step];
  if (plain)
    sym_rule_set_output_ints (rule, 0, picked, n_picked);
  else
    sym_rule_set_output_values (rule, 0, picked, n_picked);
}

/* Places that are computed of sizes. */
typedef struct {
  SymDim starts[SYM_MAX_RANK], ends[SYM_MAX_RANK];
  int n;
} Window;

static void
get_window (SymRule *rule, const Lists *lists, Window *window)
{
  int n = sym_rule_get_input_values (rule, 1, window->starts, SYM_MAX_RANK);

  if (sym_rule_get_input_values (rule, 2, window->ends, SYM_MAX_RANK) != n || n > SYM_MAX_RANK ||
      (lists->n[STEPS] < 0 && sym_rule_has_input (rule, 4)))
    n = -1;
  for (int k = 0; k < lists->n[STEPS]; k++)
    if (lists->values[STEPS][k] != 1)
      n = -1;
  window->n = n;
}

/* The size of an axis of @size between two places, assuming as for others that it is long enough to
 * hold them: a window of 224 elements that begins somewhere has 224. */
static SymDim
get_length (SymRule *rule, const Window *window, int k, SymDim size)
{
  SymDim length;

  if (k >= window->n)
    return SYM_DIM_UNKNOWN;
  if (window->starts[k] == 0 && window->ends[k] == size)
    return size;
  length = sym_terms_subtract (sym_rule_get_terms (rule), window->ends[k], window->starts[k]);
  return window->starts[k] < 0 && length > 0 ? length : SYM_DIM_UNKNOWN;
}

/* Axes that are known to be sliced, where more is not known: all others keep their size. */
static gboolean
infer_vaguely (SymRule *rule, const Lists *lists, SymShape to, GError **error)
{
  gboolean knows_axes = lists->n[AXES] >= 0;
  SymShape from = to;
  Window window;

  get_window (rule, lists, &window);
  for (int i = 0; i < to.rank && !knows_axes; i++)
    to.dims[i] = SYM_DIM_UNKNOWN;
  for (int k = 0; k < lists->n[AXES]; k++)
    {
      gint64 axis = lists->values[AXES][k] + (lists->values[AXES][k] < 0 ? to.rank : 0);

      if (axis >= 0 && axis < to.rank)
        to.dims[axis] = get_length (rule, &window, k, from.dims[axis]);
    }
  return sym_rule_set_output (rule, 0, &to, error);
}

static gboolean
infer (SymRule *rule, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape to = sym_rule_get_input (rule, 0);
  gboolean known;
  Slices slices;
  Lists lists;

  if (!sym_op_pass_dtype (rule, 0, 0, error) || !get_lists (rule, &lists, &known, error))
    return FALSE;
  if (to.rank < 0)
    return TRUE;
  if (!known)
    return infer_vaguely (rule, &lists, to, error);
  if (!sort_out (&lists, to.rank, &slices, error))
    return FALSE;
  slice_values (rule, &slices);
  for (int i = 0; i < to.rank; i++)
    {
      gboolean has_end = slices.end[i] < G_MAXINT32;

      if (slices.is_sliced[i])
        to.dims[i] =
            sym_op_slice_size (terms, to.dims[i], TRUE, slices.start[i],
                               slices.step[i] < 0 || has_end, slices.end[i], slices.step[i]);
    }
  return sym_rule_set_output (rule, 0, &to, error);
}

/* ---- Kernel ---- */

static gboolean
read_lists (SymKernel *kernel, Lists *lists, GError **error)
{
  static const char *const names[] = { "starts", "ends", "axes", "steps" };

  for (guint i = 0; i < 4; i++)
    {
      if (sym_kernel_get_version (kernel) < 10)
        lists->n[i] = sym_kernel_get_ints (kernel, names[i], lists->values[i], SYM_MAX_RANK);
      else if (!sym_kernel_read_ints (kernel, i + 1, lists->values[i], SYM_MAX_RANK, &lists->n[i],
                                      error))
        return FALSE;
      if (lists->n[i] > SYM_MAX_RANK)
        return sym_kernel_fail (error, "%s has %d numbers; at most %d make sense", names[i],
                                lists->n[i], SYM_MAX_RANK);
    }
  return TRUE;
}

/* Where a slice begins in an axis of @size, and how many elements it has. */
static gint64
begin (gint64 size, gint64 start, gint64 end, gint64 step, gint64 *n)
{
  gint64 low = step < 0 ? -1 : 0, high = step < 0 ? size - 1 : size;

  start = CLAMP (start < 0 ? start + size : start, low, high);
  end = CLAMP (end < 0 ? end + size : end, low, high);
  if (step > 0)
    *n = start < end ? 1 + (end - start - 1) / step : 0;
  else
    *n = start > end ? 1 + (start - end - 1) / (step == G_MININT64 ? G_MAXINT64 : -step) : 0;
  return start;
}

static gboolean
run (SymKernel *kernel, GError **error)
{
  const SymArray *x = sym_kernel_need_input (kernel, 0, error);
  gint64 strides[SYM_MAX_RANK], offset = 0;
  Slices slices;
  Lists lists;
  SymShape to;
  SymArray *y;

  if (x == NULL || !read_lists (kernel, &lists, error) ||
      !sort_out (&lists, x->shape.rank, &slices, error))
    return FALSE;
  to = x->shape;
  sym_op_get_strides (&x->shape, strides);
  for (int i = 0; i < to.rank; i++)
    {
      gint64 start;

      if (!slices.is_sliced[i])
        continue;
      start = begin (x->shape.dims[i], slices.start[i], slices.end[i], slices.step[i], &to.dims[i]);
      if (to.dims[i] == 0)
        continue;
      offset += start * strides[i];
      strides[i] *= to.dims[i] == 1 ? 1 : slices.step[i];
    }
  y = sym_kernel_new_output (kernel, 0, x->dtype, &to, error);
  if (y == NULL)
    return FALSE;
  return sym_array_get_n_elements (y) == 0 ||
         sym_op_move_strided (kernel, y, x, offset, strides, error);
}

#define SLICE(version_, attributes_, slots_)                                                    \
  {                                                                                             \
    SYM_OP_ONNX ("Slice", version_), .summary = "a part of a tensor along some of its axes",    \
                                     .category = SYM_CATEGORY_SHAPE, .attributes = attributes_, \
                                     .slots = slots_, .infer = infer, .run = run                \
  }

const SymOperator sym_op_onnx_slice[] = {
  SLICE (1, attributes_1, slots_1),
  SLICE (10, NULL, slots_10),
  { 0 },
};
