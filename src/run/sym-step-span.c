/* SPDX-License-Identifier: MIT */
#include "run/sym-step-span-private.h"

static gint64
divide_up (gint64 n, gint64 by)
{
  return n <= 0 ? 0 : (n + by - 1) / by;
}

static void
add_element (GArray *spans, gboolean continues, SymSpan span)
{
  SymSpan *last = continues ? &g_array_index (spans, SymSpan, spans->len - 1) : NULL;

  if (span.n_taps <= 0)
    span.tap = span.from = span.n_taps = 0;
  if (last != NULL && last->tap == span.tap && last->n_taps == span.n_taps)
    last->n++;
  else
    g_array_append_val (spans, span);
}

/* Element i of the result is of i * stride - before + tap * dilation. */
static void
find_spans (const SymPlanAxis *axis, GArray *spans)
{
  for (gint64 i = 0; i < axis->to; i++)
    {
      gint64 begin = i * axis->stride - axis->before;
      gint64 tap = divide_up (-begin, axis->dilation);
      gint64 end = MIN (axis->kernel, divide_up (axis->from - begin, axis->dilation));
      SymSpan span = {
        i, 1, 1, begin + tap * axis->dilation, axis->stride, tap, 1, end - tap, axis->dilation
      };

      add_element (spans, i > 0, span);
    }
}

static gint64
find_divisor (gint64 a, gint64 b)
{
  while (b != 0)
    {
      gint64 rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

/* The first tap that reaches element @place - before of the result from any element of x, -1 for
 * none. */
static gint64
find_first_tap (const SymPlanAxis *axis, gint64 place, gint64 tap_step)
{
  for (gint64 tap = 0; tap < MIN (tap_step, axis->kernel); tap++)
    if ((place - tap * axis->dilation) % axis->stride == 0)
      return tap;
  return -1;
}

SymSpan
sym_step_find_transposed (const SymPlanAxis *axis, gint64 i)
{
  gint64 divisor = find_divisor (axis->stride, axis->dilation), tap_step = axis->stride / divisor;
  gint64 place = i + axis->before, end = (axis->from - 1) * axis->stride;
  gint64 tap = find_first_tap (axis, place, tap_step);
  gint64 most = MIN (axis->kernel - 1, place / axis->dilation);
  gint64 least = divide_up (place - end, axis->dilation);
  SymSpan span = { i, axis->stride, 1, 0, 1, 0, -tap_step, 0, axis->dilation / divisor };

  if (tap < 0 || most < tap)
    return span;
  least = tap + divide_up (least - tap, tap_step) * tap_step;
  most -= (most - tap) % tap_step;
  if (most < least)
    return span;
  span.tap = most;
  span.from = (place - most * axis->dilation) / axis->stride;
  span.n_taps = (most - least) / tap_step + 1;
  return span;
}

static void
find_transposed_spans (const SymPlanAxis *axis, GArray *spans)
{
  for (gint64 first = 0; first < MIN (axis->stride, axis->to); first++)
    for (gint64 i = first; i < axis->to; i += axis->stride)
      add_element (spans, i > first, sym_step_find_transposed (axis, i));
}

gsize
sym_step_find_spans (const SymPlanOp *op, GArray **spans)
{
  gsize n = 1;

  for (int i = 0; i < SYM_PLAN_AXES; i++)
    {
      spans[i] = g_array_new (FALSE, FALSE, sizeof (SymSpan));
      (op->is_transposed ? find_transposed_spans : find_spans) (&op->axes[i], spans[i]);
      n *= spans[i]->len;
    }
  return n;
}

SymBox
sym_step_get_box (GArray *const *spans, gsize i)
{
  SymBox box;

  for (int axis = SYM_PLAN_AXES - 1; axis >= 0; axis--)
    {
      box.spans[axis] = &g_array_index (spans[axis], SymSpan, i % spans[axis]->len);
      i /= spans[axis]->len;
    }
  return box;
}
