/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-heat.h"

#include <math.h>

struct _SymHeat {
  gatomicrefcount ref_count;
  guint n_items;
  double *costs; /* by item */
  double highest;
  const char *unit;
};

static double
add_up (const SymScene *scene, guint item, const double *costs, guint n_costs, GArray *calls)
{
  double sum = -1;

  /* What is in a body counts with the layer around it. */
  if (sym_scene_get_item (scene, item)->body > 0)
    return -1;
  g_array_set_size (calls, 0);
  sym_scene_collect_calls (scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    {
      SymId call = g_array_index (calls, SymId, i);

      if (call < n_costs && costs[call] >= 0)
        sum = MAX (sum, 0) + costs[call];
    }
  return sum;
}

SymHeat *
sym_heat_new (const SymScene *scene, const double *costs, guint n_costs, const char *unit)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymHeat *self;

  g_return_val_if_fail (scene != NULL && (costs != NULL || n_costs == 0), NULL);

  self = g_new0 (SymHeat, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->n_items = sym_scene_get_n_items (scene);
  self->costs = g_new (double, self->n_items + 1);
  self->unit = g_intern_string (unit);
  for (guint i = 0; i < self->n_items; i++)
    {
      self->costs[i] = add_up (scene, i, costs, n_costs, calls);
      self->highest = MAX (self->highest, self->costs[i]);
    }
  return self;
}

SymHeat *
sym_heat_ref (SymHeat *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_heat_unref (SymHeat *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->costs);
  g_free (self);
}

guint
sym_heat_get_level (const SymHeat *self, guint item)
{
  guint level = SYM_N_HEATS - 1;

  g_return_val_if_fail (item < self->n_items, SYM_NO_HEAT);

  if (self->costs[item] < 0)
    return SYM_NO_HEAT;
  while (level > 0 && self->costs[item] < sym_heat_get_edge (self, level))
    level--;
  /* Where nothing takes any time nothing is hot. */
  return self->highest > 0 ? level : 0;
}

double
sym_heat_get_cost (const SymHeat *self, guint item)
{
  g_return_val_if_fail (item < self->n_items, -1);

  return self->costs[item];
}

double
sym_heat_get_edge (const SymHeat *self, guint level)
{
  g_return_val_if_fail (level < SYM_N_HEATS, 0);

  return level == 0 ? 0 : ldexp (self->highest, (int) level - SYM_N_HEATS);
}

const char *
sym_heat_get_unit (const SymHeat *self)
{
  return self->unit;
}

char *
sym_heat_format_level (const SymHeat *self, guint level)
{
  if (level == 0)
    return g_strdup_printf ("less than %.2g %s", sym_heat_get_edge (self, 1), self->unit);
  return g_strdup_printf ("%.2g %s and more", sym_heat_get_edge (self, level), self->unit);
}
