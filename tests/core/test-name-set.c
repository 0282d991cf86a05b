/* SPDX-License-Identifier: MIT */
#include "core/sym-name-set.h"

static void
test_numbers (void)
{
  g_autoptr (SymNameSet) names = sym_name_set_new ();
  const char *first = sym_name_set_choose (names, "a", 1);

  sym_name_set_add (names, "a_2");
  g_assert_cmpstr (first, ==, "a");
  g_assert_cmpstr (sym_name_set_choose (names, "a", 1), ==, "a_1");
  g_assert_cmpstr (sym_name_set_choose (names, "a", 1), ==, "a_3");
  g_assert_cmpstr (sym_name_set_choose (names, "a_1", 1), ==, "a_1_1");
  g_assert_cmpstr (sym_name_set_choose (names, "", 1), ==, "");
  g_assert_cmpstr (sym_name_set_choose (names, "", 1), ==, "_1");
  g_assert_cmpstr (first, ==, "a");
}

static void
test_first (void)
{
  g_autoptr (SymNameSet) names = sym_name_set_new ();

  sym_name_set_add (names, "a");
  sym_name_set_add (names, "a");
  g_assert_cmpstr (sym_name_set_choose (names, "a", 2), ==, "a_2");
  g_assert_cmpstr (sym_name_set_choose (names, "a", 2), ==, "a_3");
}

static void
test_clears (void)
{
  g_autoptr (SymNameSet) names = sym_name_set_new ();

  g_assert_cmpstr (sym_name_set_choose (names, "a", 1), ==, "a");
  g_assert_true (sym_name_set_contains (names, "a"));
  sym_name_set_clear (names);
  g_assert_false (sym_name_set_contains (names, "a"));
  g_assert_cmpstr (sym_name_set_choose (names, "a", 1), ==, "a");
}

/* Counting up from the first number for each would take minutes. */
static void
test_many (void)
{
  g_autoptr (SymNameSet) names = sym_name_set_new ();
  g_autoptr (GTimer) timer = g_timer_new ();
  const char *last = NULL;

  for (guint i = 0; i < 200000; i++)
    last = sym_name_set_choose (names, "a", 1);
  g_assert_cmpstr (last, ==, "a_199999");
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/name-set/numbers-those-that-are-there", test_numbers);
  g_test_add_func ("/core/name-set/begins-where-it-is-asked-to", test_first);
  g_test_add_func ("/core/name-set/clears", test_clears);
  g_test_add_func ("/core/name-set/numbers-many-at-once", test_many);
  return g_test_run ();
}
