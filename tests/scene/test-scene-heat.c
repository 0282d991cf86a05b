/* SPDX-License-Identifier: MIT */
#include "folded-graphs.h"

#include "scene/sym-scene-heat.h"

/* Four calls one after the other, the middle two a group. */
static const char *const chain[] = { "first x", "a/1 first", "a/2 a/1", "last a/2", NULL };

static guint
find_item (const SymScene *scene, const char *name)
{
  SymModel *model = sym_inference_get_model (sym_scene_get_inference (scene));
  g_autoptr (GError) error = NULL;
  SymId value;

  sym_model_resolve (model, name, &value, &error);
  g_assert_no_error (error);
  return sym_scene_find_value (scene, value);
}

static SymHeat *
heat (const SymScene *scene, double first, double a1, double a2, double last)
{
  const double costs[] = { first, a1, a2, last };

  return sym_heat_new (scene, costs, G_N_ELEMENTS (costs), "ms");
}

static void
test_levels (void)
{
  static const struct {
    double cost;
    guint level;
  } cases[] = { { 64, 5 }, { 32, 5 },  { 31, 4 }, { 16, 4 },  { 15.9, 3 }, { 8, 3 },
                { 4, 2 },  { 2.5, 1 }, { 2, 1 },  { 1.9, 0 }, { 0, 0 },    { -1, SYM_NO_HEAT } };
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "*");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (SymHeat) self = heat (scene, 64, cases[i].cost, 1, 1);

      g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "first")), ==, 5);
      g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "a/1")), ==, cases[i].level);
      g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "x")), ==, SYM_NO_HEAT);
    }
}

static void
test_groups (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "");
  g_autoptr (SymHeat) self = heat (scene, 10, 6, 14, -1);
  g_autoptr (SymHeat) partly = heat (scene, 10, -1, 4, -1);

  g_assert_cmpfloat (sym_heat_get_cost (self, find_item (scene, "a/1")), ==, 20);
  g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "a/2")), ==, 5);
  g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "first")), ==, 5);
  g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "last")), ==, SYM_NO_HEAT);
  g_assert_cmpfloat (sym_heat_get_cost (partly, find_item (scene, "a/1")), ==, 4);
}

static void
test_nothing (void)
{
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "*");
  g_autoptr (SymHeat) unknown = sym_heat_new (scene, NULL, 0, "ms");
  g_autoptr (SymHeat) zero = heat (scene, 0, 0, 0, 0);

  g_assert_cmpuint (sym_heat_get_level (unknown, find_item (scene, "last")), ==, SYM_NO_HEAT);
  g_assert_cmpuint (sym_heat_get_level (zero, find_item (scene, "last")), ==, 0);
}

static void
test_legend (void)
{
  static const char *const texts[] = { "less than 2 ms", "2 ms and more",  "4 ms and more",
                                       "8 ms and more",  "16 ms and more", "32 ms and more" };
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "*");
  g_autoptr (SymHeat) self = heat (scene, 64, 0, 0, 0);

  G_STATIC_ASSERT (G_N_ELEMENTS (texts) == SYM_N_HEATS);
  for (guint i = 0; i < SYM_N_HEATS; i++)
    {
      g_autofree char *text = sym_heat_format_level (self, i);

      g_assert_cmpstr (text, ==, texts[i]);
    }
}

static void
assert_level (const SymHeat *self, guint level, const char *expected)
{
  g_autofree char *text = sym_heat_format_level (self, level);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_large_numbers (void)
{
  const double costs[] = { 0, 1e308, 1e308, 3.2e19 };
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "");
  g_autoptr (SymHeat) self = sym_heat_new (scene, costs, G_N_ELEMENTS (costs), "");
  g_autoptr (SymHeat) less = sym_heat_new (scene, costs + 3, 1, "parameters");

  g_assert_cmpfloat (sym_heat_get_cost (self, find_item (scene, "a/1")), ==, G_MAXDOUBLE);
  assert_level (self, 5, "9e+307 and more");
  assert_level (less, 5, "1.6e+19 parameters and more");
}

/* Numbers from -4 to 4, moved up by 4. */
static void
test_moved_numbers (void)
{
  static const char *const texts[] = { "less than −3.8", "−3.8 and more", "−3.5 and more",
                                       "−3 and more",    "−2 and more",   "0 and more" };
  const double costs[] = { 0, 8, -1, 2 };
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "*");
  g_autoptr (SymHeat) self = sym_heat_new_moved (scene, costs, G_N_ELEMENTS (costs), "", -4);

  for (guint i = 0; i < SYM_N_HEATS; i++)
    assert_level (self, i, texts[i]);
}

/* −3 and 2, and −3 and −4, of numbers from −5 to 5: the sum is moved as each is, and not twice. */
static void
test_moved_groups (void)
{
  const double costs[] = { 0, 2, 7, 10 }, low[] = { 0, 2, 1, 10 };
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "");
  g_autoptr (SymHeat) self = sym_heat_new_moved (scene, costs, G_N_ELEMENTS (costs), "", -5);
  g_autoptr (SymHeat) below = sym_heat_new_moved (scene, low, G_N_ELEMENTS (low), "", -5);

  g_assert_cmpfloat (sym_heat_get_cost (self, find_item (scene, "a/1")), ==, 4);
  g_assert_cmpfloat (sym_heat_get_cost (below, find_item (scene, "a/1")), ==, 0);
}

/* A group is of the class that all its layers have. */
static void
test_classes (void)
{
  static const char *const names[] = { "cpu", "gpu", NULL };
  static const guint8 alike[] = { 0, 1, 1, SYM_NO_CLASS };
  static const guint8 unlike[] = { 0, 1, 0, 0 };
  g_autoptr (SymModel) model = graph_read (chain);
  g_autoptr (SymScene) scene = graph_folded_scene (model, NULL, "");
  g_autoptr (SymHeat) self = sym_heat_new_classes (scene, alike, G_N_ELEMENTS (alike), names);
  g_autoptr (SymHeat) other = sym_heat_new_classes (scene, unlike, G_N_ELEMENTS (unlike), names);
  g_autofree char *text = sym_heat_format_level (self, 1);

  g_assert_true (sym_heat_has_classes (self));
  g_assert_cmpuint (sym_heat_get_n_levels (self), ==, 2);
  g_assert_cmpstr (text, ==, "gpu");
  g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "first")), ==, 0);
  g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "a/2")), ==, 1);
  g_assert_cmpuint (sym_heat_get_level (self, find_item (scene, "last")), ==, SYM_NO_HEAT);
  g_assert_cmpuint (sym_heat_get_level (other, find_item (scene, "a/2")), ==, SYM_NO_HEAT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/heat/each-level-reaches-to-twice-its-start", test_levels);
  g_test_add_func ("/scene/heat/a-closed-group-costs-what-its-layers-do", test_groups);
  g_test_add_func ("/scene/heat/nothing-is-hot-where-nothing-is-known", test_nothing);
  g_test_add_func ("/scene/heat/levels-have-lines-in-the-legend", test_legend);
  g_test_add_func ("/scene/heat/large-numbers-stay-numbers", test_large_numbers);
  g_test_add_func ("/scene/heat/moved-numbers-are-told-as-they-were", test_moved_numbers);
  g_test_add_func ("/scene/heat/groups-of-moved-numbers-are-moved-once", test_moved_groups);
  g_test_add_func ("/scene/heat/classes-are-of-all-that-a-group-has", test_classes);
  return g_test_run ();
}
