/* SPDX-License-Identifier: MIT */
#include "ops/sym-op-rules.h"

/* ---- Windows ---- */

static gboolean
check_window (const SymOpWindow *window, GError **error)
{
  if (window->kernel >= 1 && window->kernel <= G_MAXINT32 && window->stride >= 1 &&
      window->stride <= G_MAXINT32 && window->dilate >= 1 && window->dilate <= G_MAXINT32 &&
      window->before >= 0 && window->before <= G_MAXINT32 && window->after >= 0 &&
      window->after <= G_MAXINT32)
    return TRUE;
  return sym_rule_fail (error,
                        "kernel %" G_GINT64_FORMAT ", stride %" G_GINT64_FORMAT
                        ", dilate %" G_GINT64_FORMAT ", pad %" G_GINT64_FORMAT
                        ": the first three should be at least 1, pad at least 0",
                        window->kernel, window->stride, window->dilate, window->before);
}

static gint64
get_extent (const SymOpWindow *window)
{
  return window->dilate * (window->kernel - 1) + 1;
}

gboolean
sym_op_slide (SymRule *rule, SymDim size, const SymOpWindow *window, SymDim *result, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymDim padded;

  if (!check_window (window, error))
    return FALSE;
  padded = sym_terms_add (terms, size, window->before + window->after);
  if (padded >= 0 && padded < get_extent (window))
    return sym_rule_fail (error,
                          "kernel size exceed input: kernel size (%" G_GINT64_FORMAT
                          ") exceeds input (%" G_GINT64_FORMAT " padded to %" G_GINT64_FORMAT ")",
                          get_extent (window), size, padded);
  padded = sym_terms_subtract (terms, padded, get_extent (window));
  padded = window->up ? sym_terms_ceil_divide (terms, padded, window->stride)
                      : sym_terms_floor_divide (terms, padded, window->stride);
  *result = sym_terms_add (terms, padded, 1);
  return TRUE;
}

gboolean
sym_op_unslide (SymRule *rule,
                SymDim size,
                const SymOpWindow *window,
                gint64 extra,
                SymDim *result,
                GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  gint64 around;

  if (!check_window (window, error))
    return FALSE;
  *result = sym_terms_multiply (terms, size, window->stride);
  around = get_extent (window) - window->stride - window->before - window->after + extra;
  if (around >= 0)
    {
      *result = sym_terms_add (terms, *result, around);
      return TRUE;
    }
  if (*result >= 0 && *result < -around)
    return sym_rule_fail (error, "padding takes away more than the %" G_GINT64_FORMAT " there are",
                          *result + around + window->before + window->after);
  *result = sym_terms_subtract (terms, *result, -around);
  return TRUE;
}

/* ---- Reshaping ---- */

/* Takes out of both shapes what occurs in both, so that products of unknowns stay small. */
static void
cancel_common (SymShape *a, SymShape *b)
{
  for (int i = 0; i < a->rank; i++)
    {
      for (int j = 0; j < b->rank; j++)
        {
          if (a->dims[i] == b->dims[j] && a->dims[i] != SYM_DIM_UNKNOWN && a->dims[i] != 0)
            {
              a->dims[i] = 1;
              b->dims[j] = 1;
              break;
            }
        }
    }
}

static gboolean
fail_reshape (SymRule *rule, const SymShape *from, const SymShape *to, GError **error)
{
  g_autofree char *left = sym_rule_format_shape (rule, from);
  g_autofree char *right = sym_rule_format_shape (rule, to);

  return sym_rule_fail (error, "cannot reshape %s to %s: the numbers of elements differ", left,
                        right);
}

/* The dimension of @target that is left open, when it can be told. */
static gboolean
fill_open (SymRule *rule, const SymShape *from, SymShape *target, int open, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape left = *from, right = *target;
  SymDim all, others, quotient;

  right.dims[open] = 1;
  cancel_common (&left, &right);
  all = sym_terms_product (terms, left.dims, left.rank);
  others = sym_terms_product (terms, right.dims, right.rank);
  if (sym_terms_divide_exactly (terms, all, others, &quotient))
    target->dims[open] = quotient;
  else if (all >= 0 && others > 0)
    return fail_reshape (rule, from, target, error);
  return TRUE;
}

gboolean
sym_op_reshape (SymRule *rule, SymShape target, int open, GError **error)
{
  SymTerms *terms = sym_rule_get_terms (rule);
  SymShape in = sym_rule_get_input (rule, 0), left, right;
  SymDim before, after;

  if (in.rank >= 0 && open >= 0 && !fill_open (rule, &in, &target, open, error))
    return FALSE;
  if (!sym_rule_set_output (rule, 0, &target, error))
    return FALSE;
  left = sym_rule_get_input (rule, 0);
  right = sym_rule_get_output (rule, 0);
  if (left.rank < 0 || right.rank < 0)
    return TRUE;
  cancel_common (&left, &right);
  before = sym_terms_product (terms, left.dims, left.rank);
  after = sym_terms_product (terms, right.dims, right.rank);
  if (sym_rule_unify (rule, before, after, "number of elements", NULL))
    return TRUE;
  right = sym_rule_get_output (rule, 0);
  return fail_reshape (rule, &in, &right, error);
}

/* ---- Slices ---- */

/* Where an index of Python's points to: between @low and @high. */
static gint64
clamp_index (gint64 index, gint64 size, gint64 low, gint64 high)
{
  if (index < 0)
    index = index < -size ? low : index + size;
  return CLAMP (index, low, high);
}

static gint64
count_steps (gint64 from, gint64 to, gint64 step)
{
  if (from >= to)
    return 0;
  return 1 + (to - from - 1) / step;
}

/* Whether it is one element that a slice names: x[3:4], x[-1:]. */
static gboolean
is_single (gint64 start, gboolean has_stop, gint64 stop)
{
  if (!has_stop)
    return start == -1;
  return (start < 0) == (stop < 0) && start < G_MAXINT64 && stop == start + 1;
}

/* A slice with positive step of an axis whose size is not known: told where size is only added or
 * taken away, or one element is named, assuming that the axis is long enough to hold what the slice
 * names. */
static SymDim
slice_unknown (SymTerms *terms,
               SymDim size,
               gint64 start,
               gboolean has_stop,
               gint64 stop,
               gint64 step)
{
  SymDim length;

  if (start == 0 && !has_stop)
    length = size;
  else if (is_single (start, has_stop, stop))
    return 1;
  else if (!has_stop && start < 0)
    return SYM_DIM_UNKNOWN;
  else if (!has_stop)
    length = sym_terms_subtract (terms, size, start);
  else if (start >= 0 && stop < 0 && stop >= -G_MAXINT32 && start <= G_MAXINT32)
    length = sym_terms_subtract (terms, size, start - stop);
  else
    return SYM_DIM_UNKNOWN;
  return sym_terms_ceil_divide (terms, length, step);
}

SymDim
sym_op_slice_size (SymTerms *terms,
                   SymDim size,
                   gboolean has_start,
                   gint64 start,
                   gboolean has_stop,
                   gint64 stop,
                   gint64 step)
{
  if (step == 0 || step <= -G_MAXINT64 || size == SYM_DIM_UNKNOWN)
    return SYM_DIM_UNKNOWN;
  if (size < 0)
    return step > 0 ? slice_unknown (terms, size, has_start ? start : 0, has_stop, stop, step)
                    : (has_start || has_stop ? SYM_DIM_UNKNOWN
                                             : sym_terms_ceil_divide (terms, size, -step));
  if (step > 0)
    {
      gint64 from = has_start ? clamp_index (start, size, 0, size) : 0;
      gint64 to = has_stop ? clamp_index (stop, size, 0, size) : size;

      return count_steps (from, to, step);
    }
  else
    {
      gint64 from = has_start ? clamp_index (start, size, -1, size - 1) : size - 1;
      gint64 to = has_stop ? clamp_index (stop, size, -1, size - 1) : -1;

      return count_steps (to, from, -step);
    }
}

gboolean
sym_op_infer_flatten (SymRule *rule, gint64 start, GError **error)
{
  SymShape input = sym_rule_get_input (rule, 0);
  SymShape output = { .rank = 0 };
  int first, last;

  if (!sym_op_pass_dtype (rule, 0, 0, error))
    return FALSE;
  if (input.rank < 0)
    return TRUE;
  if (input.rank == 0)
    return sym_op_set_output (rule, 0, SYM_SHAPE (1), SYM_DTYPE_UNKNOWN, error);
  if (!sym_op_normalize_axis (sym_rule_get_int (rule, "start_dim", start), input.rank, &first,
                              error) ||
      !sym_op_normalize_axis (sym_rule_get_int (rule, "end_dim", -1), input.rank, &last, error))
    return FALSE;
  if (first > last)
    return sym_rule_fail (error, "flatten() has invalid args: start_dim cannot come after end_dim");

  for (int i = 0; i < first; i++)
    output.dims[output.rank++] = input.dims[i];
  output.dims[output.rank++] =
      sym_terms_product (sym_rule_get_terms (rule), input.dims + first, last - first + 1);
  for (int i = last + 1; i < input.rank; i++)
    output.dims[output.rank++] = input.dims[i];
  return sym_rule_set_output (rule, 0, &output, error);
}
