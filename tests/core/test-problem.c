/* SPDX-License-Identifier: MIT */
#include "core/sym-problem-left-out.h"

static void
add_note (SymProblems *problems, guint number)
{
  sym_problems_add (problems, SYM_SEVERITY_NOTE, number, SYM_NO_ID, SYM_NO_ID, "note %u", number);
}

static void
test_starts_empty (void)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();

  g_assert_cmpuint (sym_problems_get_n (problems), ==, 0);
  g_assert_cmpuint (sym_problems_get_n_dropped (problems), ==, 0);
  g_assert_false (sym_problems_has_errors (problems));
}

static void
test_keeps_where_and_what (void)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();
  const SymProblem *problem;

  sym_problems_add (problems, SYM_SEVERITY_ERROR, 7, 3, 4, "input %d of '%s'", 2, "conv0");

  problem = sym_problems_get (problems, 0);
  g_assert_cmpint (problem->severity, ==, SYM_SEVERITY_ERROR);
  g_assert_cmpuint (problem->line, ==, 7);
  g_assert_cmpuint (problem->value, ==, 3);
  g_assert_cmpuint (problem->call, ==, 4);
  g_assert_cmpstr (problem->message, ==, "input 2 of 'conv0'");
  g_assert_true (sym_problems_has_errors (problems));
}

static void
test_only_errors_are_errors (void)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();

  sym_problems_add (problems, SYM_SEVERITY_NOTE, 0, SYM_NO_ID, SYM_NO_ID, "n");
  sym_problems_add (problems, SYM_SEVERITY_WARNING, 0, SYM_NO_ID, SYM_NO_ID, "w");

  g_assert_false (sym_problems_has_errors (problems));
}

static void
test_counts_what_is_beyond_the_limit (void)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();

  for (guint i = 0; i < 1003; i++)
    add_note (problems, i);
  sym_problems_add (problems, SYM_SEVERITY_ERROR, 0, SYM_NO_ID, SYM_NO_ID, "late");

  g_assert_cmpuint (sym_problems_get_n (problems), ==, 1001);
  g_assert_cmpuint (sym_problems_count_dropped (problems, SYM_SEVERITY_NOTE), ==, 3);
  g_assert_cmpuint (sym_problems_count_dropped (problems, SYM_SEVERITY_ERROR), ==, 0);
  g_assert_cmpuint (sym_problems_get_n_dropped (problems), ==, 3);
  g_assert_cmpstr (sym_problems_get (problems, 999)->message, ==, "note 999");
  g_assert_cmpstr (sym_problems_get (problems, 1000)->message, ==, "late");
  g_assert_true (sym_problems_has_errors (problems));
}

static void
test_appends_copies (void)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();

  add_note (problems, 1);
  {
    g_autoptr (SymProblems) other = sym_problems_new ();

    add_note (other, 2);
    sym_problems_append (problems, other);
    sym_problems_append (problems, NULL);
  }

  g_assert_cmpuint (sym_problems_get_n (problems), ==, 2);
  g_assert_cmpstr (sym_problems_get (problems, 1)->message, ==, "note 2");
}

static void
test_appends_the_rest (void)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();
  g_autoptr (SymProblems) other = sym_problems_new ();
  guint n;

  add_note (other, 1);
  n = sym_problems_append_rest (problems, other, 0);
  add_note (other, 2);

  g_assert_cmpuint (sym_problems_append_rest (problems, other, n), ==, 2);
  g_assert_cmpuint (sym_problems_append_rest (problems, NULL, 0), ==, 0);
  g_assert_cmpuint (sym_problems_get_n (problems), ==, 2);
  g_assert_cmpstr (sym_problems_get (problems, 1)->message, ==, "note 2");
}

static void
test_appends_to_itself (void)
{
  g_autoptr (SymProblems) problems = sym_problems_new ();

  for (guint i = 0; i < 600; i++)
    add_note (problems, i);
  sym_problems_append (problems, problems);

  g_assert_cmpuint (sym_problems_get_n (problems), ==, 1000);
  g_assert_cmpuint (sym_problems_get_n_dropped (problems), ==, 200);
  g_assert_cmpstr (sym_problems_get (problems, 600)->message, ==, "note 0");
}

/* What is not in a model is told again of what is written of it, and nothing else is. */
static void
test_tells_again_what_is_left_out (void)
{
  g_autoptr (SymProblems) own = sym_problems_new ();
  g_autoptr (SymProblems) read = sym_problems_new ();
  g_autoptr (SymProblems) notes = sym_problems_new ();

  sym_problems_add_left_out (own, SYM_SEVERITY_NOTE, 7, "no %s", "layer");
  add_note (own, 1);
  sym_problems_append (read, own);
  sym_problems_append_left_out (notes, read);

  g_assert_cmpuint (sym_problems_get_n (notes), ==, 1);
  g_assert_cmpstr (sym_problems_get (notes, 0)->message, ==, "no layer");
  g_assert_cmpuint (sym_problems_get (notes, 0)->line, ==, 0);
  g_assert_cmpint (sym_problems_get (notes, 0)->severity, ==, SYM_SEVERITY_WARNING);
  g_assert_cmpuint (sym_problems_get (read, 0)->line, ==, 7);
}

static void
test_names_severities (void)
{
  g_assert_cmpstr (sym_severity_to_string (SYM_SEVERITY_NOTE), ==, "note");
  g_assert_cmpstr (sym_severity_to_string (SYM_SEVERITY_WARNING), ==, "warning");
  g_assert_cmpstr (sym_severity_to_string (SYM_SEVERITY_ERROR), ==, "error");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/core/problem/starts-empty", test_starts_empty);
  g_test_add_func ("/core/problem/keeps-where-and-what", test_keeps_where_and_what);
  g_test_add_func ("/core/problem/only-errors-are-errors", test_only_errors_are_errors);
  g_test_add_func ("/core/problem/counts-what-is-beyond-the-limit",
                   test_counts_what_is_beyond_the_limit);
  g_test_add_func ("/core/problem/appends-copies", test_appends_copies);
  g_test_add_func ("/core/problem/appends-the-rest", test_appends_the_rest);
  g_test_add_func ("/core/problem/appends-to-itself", test_appends_to_itself);
  g_test_add_func ("/core/problem/tells-again-what-is-left-out", test_tells_again_what_is_left_out);
  g_test_add_func ("/core/problem/names-severities", test_names_severities);

  return g_test_run ();
}
