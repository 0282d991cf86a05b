/* SPDX-License-Identifier: MIT */
#include "run/sym-plan-grid-private.h"

void
sym_plan_grid_init_sizes (SymPlanGrid *self, int rank, const gint64 *sizes)
{
  gint64 stride = 1;

  *self = (SymPlanGrid){ .rank = rank };
  for (int i = rank - 1; i >= 0; i--)
    {
      self->sizes[i] = sizes[i];
      self->strides[i] = stride;
      stride *= sizes[i];
    }
}

void
sym_plan_grid_init (SymPlanGrid *self, const SymShape *shape)
{
  sym_plan_grid_init_sizes (self, shape->rank, shape->dims);
}

void
sym_plan_grid_spread (SymPlanGrid *self, const SymShape *from, const SymShape *to)
{
  int skipped = to->rank - from->rank;
  SymPlanGrid own;

  sym_plan_grid_init (&own, from);
  sym_plan_grid_init (self, to);
  for (int i = 0; i < to->rank; i++)
    self->strides[i] = i < skipped || from->dims[i - skipped] == 1 ? 0 : own.strides[i - skipped];
}

void
sym_plan_grid_join (SymPlanGrid *self)
{
  int n = 0;

  for (int i = 0; i < self->rank; i++)
    {
      if (self->sizes[i] == 1)
        continue;
      if (n > 0 && self->strides[n - 1] == self->strides[i] * self->sizes[i])
        {
          self->sizes[n - 1] *= self->sizes[i];
          self->strides[n - 1] = self->strides[i];
          continue;
        }
      self->sizes[n] = self->sizes[i];
      self->strides[n++] = self->strides[i];
    }
  self->rank = n;
}

gboolean
sym_plan_grid_is_plain (const SymPlanGrid *self, gsize n)
{
  SymPlanGrid joined = *self;

  sym_plan_grid_join (&joined);
  if (joined.offset != 0 || joined.rank > 1)
    return FALSE;
  return joined.rank == 0 ? n == 1 : joined.strides[0] == 1 && (gsize) joined.sizes[0] == n;
}

/* Each axis must stay within one axis of the move, and all that do so not leave it together. */
gboolean
sym_plan_grid_compose (SymPlanGrid *self, const SymPlanGrid *move)
{
  SymPlanGrid joined = *move, result = *self;
  gint64 steps[SYM_MAX_RANK], reach[SYM_MAX_RANK], rest = self->offset, n = 1;

  sym_plan_grid_join (&joined);
  for (int i = joined.rank - 1; i >= 0; i--)
    {
      steps[i] = n;
      n *= joined.sizes[i];
    }
  result.offset = joined.offset;
  for (int i = 0; i < joined.rank; i++)
    {
      reach[i] = rest / steps[i];
      rest %= steps[i];
      result.offset += reach[i] * joined.strides[i];
    }
  for (int i = 0; i < self->rank; i++)
    {
      int axis = 0;

      if (self->sizes[i] == 1 || self->strides[i] == 0)
        continue;
      if (self->strides[i] < 0)
        return FALSE;
      while (axis < joined.rank && steps[axis] > self->strides[i])
        axis++;
      if (axis == joined.rank || self->strides[i] % steps[axis] != 0)
        return FALSE;
      reach[axis] += (self->sizes[i] - 1) * (self->strides[i] / steps[axis]);
      if (reach[axis] >= joined.sizes[axis])
        return FALSE;
      result.strides[i] = self->strides[i] / steps[axis] * joined.strides[axis];
    }
  *self = result;
  return TRUE;
}

gboolean
sym_plan_grid_invert (const SymPlanGrid *move, gsize n, SymPlanGrid *back)
{
  SymPlanGrid joined = *move;
  gint64 places[SYM_MAX_RANK], stride = 1, expected = 1;

  if (move->offset != 0)
    return FALSE;
  sym_plan_grid_join (&joined);
  for (int i = joined.rank - 1; i >= 0; i--)
    {
      places[i] = stride;
      stride *= joined.sizes[i];
    }
  *back = (SymPlanGrid){ .rank = joined.rank };
  for (int i = joined.rank - 1; i >= 0; i--)
    {
      int axis = 0;

      while (axis < joined.rank && joined.strides[axis] != expected)
        axis++;
      if (axis == joined.rank)
        return FALSE;
      back->sizes[i] = joined.sizes[axis];
      back->strides[i] = places[axis];
      expected *= joined.sizes[axis];
    }
  return expected == (gint64) n;
}
