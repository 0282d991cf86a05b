/* SPDX-License-Identifier: MIT */
#include "app/scope-history.h"

static ScopeMoment
see (SymId value, double x)
{
  return (ScopeMoment){ .node = scope_node_get (value, SYM_NO_ID),
                        .frame = SYM_NO_GROUP,
                        .focus = scope_focus_get_whole (),
                        .sight = { x, 0, 1 } };
}

static void
visit (ScopeHistory *history, ScopeMoment before, ScopeMoment now)
{
  scope_history_visit (history, &before, &now);
}

static void
assert_goes (ScopeHistory *history, gboolean forward, ScopeMoment before, SymId value, double x)
{
  const ScopeMoment *moment;

  g_assert_true (scope_history_can_go (history, forward));
  moment = scope_history_go (history, forward, &before);
  g_assert_nonnull (moment);
  g_assert_cmpuint (moment->node.value, ==, value);
  g_assert_cmpfloat (moment->sight.x, ==, x);
}

static void
test_empty (void)
{
  g_autoptr (ScopeHistory) history = scope_history_new ();
  ScopeMoment here = see (1, 0);

  g_assert_false (scope_history_can_go (history, FALSE));
  g_assert_false (scope_history_can_go (history, TRUE));
  g_assert_null (scope_history_go (history, FALSE, &here));
  g_assert_null (scope_history_go (history, TRUE, &here));
}

/* Where a view was left counts, not where it was come to. */
static void
test_there_and_back (void)
{
  g_autoptr (ScopeHistory) history = scope_history_new ();

  visit (history, see (1, 10), see (2, 0));
  visit (history, see (2, 20), see (3, 0));
  assert_goes (history, FALSE, see (3, 30), 2, 20);
  assert_goes (history, FALSE, see (2, 25), 1, 10);
  g_assert_false (scope_history_can_go (history, FALSE));
  assert_goes (history, TRUE, see (1, 15), 2, 25);
  assert_goes (history, TRUE, see (2, 25), 3, 30);
  g_assert_false (scope_history_can_go (history, TRUE));
}

static void
test_new_way_forgets_the_old (void)
{
  g_autoptr (ScopeHistory) history = scope_history_new ();

  visit (history, see (1, 0), see (2, 0));
  visit (history, see (2, 0), see (3, 0));
  assert_goes (history, FALSE, see (3, 0), 2, 0);
  visit (history, see (2, 0), see (4, 0));
  g_assert_false (scope_history_can_go (history, TRUE));
  assert_goes (history, FALSE, see (4, 0), 2, 0);
  assert_goes (history, FALSE, see (2, 0), 1, 0);
}

static void
test_same_view_is_none (void)
{
  g_autoptr (ScopeHistory) history = scope_history_new ();
  ScopeMoment traced = see (1, 0), near = see (1, 0);

  visit (history, see (1, 0), see (1, 50));
  g_assert_false (scope_history_can_go (history, FALSE));
  traced.focus.trace = SCOPE_TRACE_ANCESTORS;
  traced.focus.from = SYM_TRACE_VALUE (1);
  visit (history, see (1, 0), traced);
  near.focus.around = 1;
  visit (history, traced, near);
  near.focus.n_hops = 5;
  visit (history, near, near);
  g_assert_true (scope_history_can_go (history, FALSE));
  assert_goes (history, FALSE, near, 1, 0);
  assert_goes (history, FALSE, traced, 1, 0);
  g_assert_false (scope_history_can_go (history, FALSE));
}

static void
test_is_bounded (void)
{
  g_autoptr (ScopeHistory) history = scope_history_new ();
  guint n = 0;

  for (guint i = 0; i < 5000; i++)
    visit (history, see (i, i), see (i + 1, 0));
  for (ScopeMoment here = see (5000, 0); scope_history_can_go (history, FALSE); n++)
    here = *scope_history_go (history, FALSE, &here);
  g_assert_cmpuint (n, >=, 100);
  g_assert_cmpuint (n, <, 1000);
  scope_history_clear (history);
  g_assert_false (scope_history_can_go (history, TRUE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/history/empty-leads-nowhere", test_empty);
  g_test_add_func ("/gui/history/goes-there-and-back", test_there_and_back);
  g_test_add_func ("/gui/history/new-way-forgets-the-old", test_new_way_forgets_the_old);
  g_test_add_func ("/gui/history/same-view-is-none", test_same_view_is_none);
  g_test_add_func ("/gui/history/is-bounded", test_is_bounded);
  return g_test_run ();
}
