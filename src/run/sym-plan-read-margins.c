/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-read-private.h"

/* Margins of what is inside: mirrored, repeated from the edge or from the other side.  Each place
 * of an axis is one of x, as when images get another size. */

static gint64
find_place (const char *mode, gint64 place, gint64 size)
{
  if (g_str_equal (mode, "edge"))
    return CLAMP (place, 0, size - 1);
  if (g_str_equal (mode, "wrap"))
    return (place % size + size) % size;
  return place < 0 ? -place : place < size ? place : 2 * (size - 1) - place;
}

static void
add_taps (SymPlanCall *call,
          const char *mode,
          gint64 before,
          gint64 from,
          gint64 to,
          SymPlanTaps *taps)
{
  gint32 *places = g_new (gint32, (gsize) to);
  float *weights = g_new (float, (gsize) to);

  g_ptr_array_add (call->graph->blocks, places);
  g_ptr_array_add (call->graph->blocks, weights);
  for (gint64 i = 0; i < to; i++)
    {
      places[i] = (gint32) find_place (mode, i - before, from);
      weights[i] = 1;
    }
  *taps = (SymPlanTaps){ places, weights, 1, from == to };
}

gboolean
sym_plan_call_append_margins (SymPlanCall *call, guint x, const char *mode, const gint64 *pads)
{
  const SymShape shape = sym_plan_call_get (call, x)->shape,
                 result = sym_plan_call_get (call, call->result)->shape;
  gint64 from[SYM_PLAN_AXES], to[SYM_PLAN_AXES];
  SymPlanTaps taps[SYM_PLAN_AXES];
  int rank = shape.rank;

  if (rank < 3 || rank > 2 + SYM_PLAN_AXES || pads[0] + pads[1] + pads[rank] + pads[rank + 1] > 0 ||
      (!g_str_equal (mode, "reflect") && !g_str_equal (mode, "edge") &&
       !g_str_equal (mode, "wrap")))
    return FALSE;
  for (int i = 2; i < rank; i++)
    if (g_str_equal (mode, "reflect") &&
        (pads[i] >= shape.dims[i] || pads[i + rank] >= shape.dims[i]))
      return FALSE;
  for (int i = 0; i < SYM_PLAN_AXES; i++)
    {
      int axis = rank - SYM_PLAN_AXES + i;

      from[i] = axis < 2 ? 1 : shape.dims[axis];
      to[i] = axis < 2 ? 1 : result.dims[axis];
      add_taps (call, mode, axis < 2 ? 0 : pads[axis], from[i], to[i], &taps[i]);
    }
  return sym_plan_call_append_taps (call, x, taps, from, to);
}
