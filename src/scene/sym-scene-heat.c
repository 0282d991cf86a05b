/* SPDX-License-Identifier: MIT */
#include "scene/sym-scene-heat.h"

#include <math.h>

struct _SymHeat {
  gatomicrefcount ref_count;
  guint n_items;
  double *costs; /* by item */
  double highest;
  double lowest; /* what 0 stands for */
  const char *unit;
  char **names;         /* of classes, which are the costs then; NULL for none */
  SymHeatColor *colors; /* of classes; NULL: those of the theme */
};

/* Of several numbers that were moved up from @lowest, the sum is moved as one is; a sum below it is
 * as low as can be. */
static double
add_up (const SymScene *scene,
        guint item,
        const double *costs,
        guint n_costs,
        double lowest,
        GArray *calls)
{
  double sum = 0;
  guint n = 0;

  /* What is in a body counts with the layer around it. */
  if (sym_scene_get_item (scene, item)->body > 0)
    return -1;
  g_array_set_size (calls, 0);
  sym_scene_collect_calls (scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    {
      SymId call = g_array_index (calls, SymId, i);

      if (call >= n_costs || costs[call] < 0)
        continue;
      sum = MIN (sum + costs[call] + (n > 0 ? lowest : 0), G_MAXDOUBLE);
      n++;
    }
  return n > 0 ? MAX (sum, 0) : -1;
}

/* The class that all layers of an item have; -1 for none. */
static double
find_class (const SymScene *scene, guint item, const guint8 *classes, guint n, GArray *calls)
{
  guint8 common = SYM_NO_CLASS;

  if (sym_scene_get_item (scene, item)->body > 0)
    return -1;
  g_array_set_size (calls, 0);
  sym_scene_collect_calls (scene, item, calls);
  for (guint i = 0; i < calls->len; i++)
    {
      SymId call = g_array_index (calls, SymId, i);
      guint8 class = call < n ? classes[call] : SYM_NO_CLASS;

      if (class == SYM_NO_CLASS || (i > 0 && class != common))
        return -1;
      common = class;
    }
  return common == SYM_NO_CLASS ? -1 : common;
}

static SymHeat *
new_with_names (const SymScene *scene, const char *const *names)
{
  SymHeat *self = g_new0 (SymHeat, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->n_items = sym_scene_get_n_items (scene);
  self->costs = g_new (double, self->n_items + 1);
  self->names = g_strdupv ((char **) names);
  return self;
}

SymHeat *
sym_heat_new_classes (const SymScene *scene,
                      const guint8 *classes,
                      guint n_classes,
                      const char *const *names)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymHeat *self;

  g_return_val_if_fail (scene != NULL && names != NULL, NULL);
  g_return_val_if_fail (g_strv_length ((char **) names) <= SYM_N_CLASSES, NULL);

  self = new_with_names (scene, names);
  for (guint i = 0; i < self->n_items; i++)
    self->costs[i] = find_class (scene, i, classes, n_classes, calls);
  return self;
}

static void
take_item_classes (SymHeat *self, const guint8 *classes)
{
  for (guint i = 0; i < self->n_items; i++)
    self->costs[i] = classes[i] == SYM_NO_CLASS ? -1 : classes[i];
}

SymHeat *
sym_heat_new_item_classes (const SymScene *scene, const guint8 *classes, const char *const *names)
{
  SymHeat *self;

  g_return_val_if_fail (scene != NULL && names != NULL, NULL);
  g_return_val_if_fail (g_strv_length ((char **) names) <= SYM_N_CLASSES, NULL);

  self = new_with_names (scene, names);
  take_item_classes (self, classes);
  return self;
}

SymHeat *
sym_heat_new_item_colors (const SymScene *scene,
                          const guint8 *classes,
                          const char *const *names,
                          const SymHeatColor *colors)
{
  SymHeat *self;

  g_return_val_if_fail (scene != NULL && names != NULL && colors != NULL, NULL);
  g_return_val_if_fail (g_strv_length ((char **) names) <= SYM_N_OWN_COLORS, NULL);

  self = new_with_names (scene, names);
  take_item_classes (self, classes);
  self->colors = g_memdup2 (colors, sizeof *colors * g_strv_length ((char **) names));
  return self;
}

SymHeat *
sym_heat_new (const SymScene *scene, const double *costs, guint n_costs, const char *unit)
{
  return sym_heat_new_moved (scene, costs, n_costs, unit, 0);
}

SymHeat *
sym_heat_new_moved (const SymScene *scene,
                    const double *costs,
                    guint n_costs,
                    const char *unit,
                    double lowest)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (SymId));
  SymHeat *self;

  g_return_val_if_fail (scene != NULL && (costs != NULL || n_costs == 0), NULL);

  self = g_new0 (SymHeat, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->n_items = sym_scene_get_n_items (scene);
  self->costs = g_new (double, self->n_items + 1);
  self->lowest = lowest;
  self->unit = g_intern_string (unit);
  for (guint i = 0; i < self->n_items; i++)
    {
      self->costs[i] = add_up (scene, i, costs, n_costs, lowest, calls);
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
  g_strfreev (self->names);
  g_free (self->colors);
  g_free (self);
}

guint
sym_heat_get_level (const SymHeat *self, guint item)
{
  guint level = SYM_N_HEATS - 1;

  g_return_val_if_fail (item < self->n_items, SYM_NO_HEAT);

  if (self->costs[item] < 0)
    return SYM_NO_HEAT;
  if (self->names != NULL)
    return (guint) self->costs[item];
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

const SymHeatColor *
sym_heat_get_colors (const SymHeat *self)
{
  return self->colors;
}

gboolean
sym_heat_has_classes (const SymHeat *self)
{
  return self->names != NULL;
}

guint
sym_heat_get_n_levels (const SymHeat *self)
{
  return self->names != NULL ? g_strv_length (self->names) : SYM_N_HEATS;
}

double
sym_heat_get_edge (const SymHeat *self, guint level)
{
  g_return_val_if_fail (level < sym_heat_get_n_levels (self), 0);

  if (self->names != NULL)
    return 0;
  return level == 0 ? 0 : ldexp (self->highest, (int) level - SYM_N_HEATS);
}

const char *
sym_heat_get_unit (const SymHeat *self)
{
  return self->unit;
}

/* "1.2 M"; "9e+307" beyond what has a prefix. */
static char *
format_number (double number)
{
  static const char *const prefixes[] = { "", " k", " M", " G", " T", " P" };
  const char *sign = number < 0 ? "−" : "";
  double scaled = fabs (number);
  guint i = 0;

  for (; scaled >= 999.5 && i + 1 < G_N_ELEMENTS (prefixes); i++)
    scaled /= 1000;
  if (scaled >= 999.5)
    return g_strdup_printf ("%s%.2g", sign, fabs (number));
  return g_strdup_printf (scaled >= 99.5 ? "%s%.0f%s" : "%s%.2g%s", sign, scaled, prefixes[i]);
}

/* Of milliseconds, as short as a legend needs. */
static char *
format_time (double time)
{
  const char *unit = "ms";

  if (time > 0 && time < 0.995)
    {
      time *= 1e3;
      unit = "µs";
    }
  return g_strdup_printf (time >= 99.5 ? "%.0f %s" : "%.2g %s", time, unit);
}

static char *
format_cost (const SymHeat *self, double cost)
{
  g_autofree char *number = NULL;

  if (g_str_equal (self->unit, "ms"))
    return format_time (cost);
  if (g_str_equal (self->unit, "B"))
    return g_format_size_full ((guint64) cost, G_FORMAT_SIZE_IEC_UNITS);
  number = format_number (cost);
  return *self->unit == '\0' ? g_steal_pointer (&number)
                             : g_strdup_printf ("%s %s", number, self->unit);
}

char *
sym_heat_format_edge (const SymHeat *self, guint level)
{
  g_return_val_if_fail (level < sym_heat_get_n_levels (self), NULL);

  if (self->names != NULL)
    return g_strdup (self->names[level]);
  return format_cost (self, sym_heat_get_edge (self, level) + self->lowest);
}

char *
sym_heat_format_level (const SymHeat *self, guint level)
{
  g_autofree char *edge = NULL;

  if (self->names != NULL)
    return sym_heat_format_edge (self, level);
  edge = sym_heat_format_edge (self, MAX (level, 1));
  return g_strdup_printf (level == 0 ? "less than %s" : "%s and more", edge);
}
