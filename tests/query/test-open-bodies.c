/* SPDX-License-Identifier: MIT */
#include "query/sym-open-bodies.h"

static void
assert_open (const SymOpenBodies *self, const char *open, const char *closed)
{
  g_auto (GStrv) yes = g_strsplit (open, " ", -1);
  g_auto (GStrv) no = g_strsplit (closed, " ", -1);

  for (guint i = 0; yes[i] != NULL && *yes[i] != '\0'; i++)
    g_assert_true (sym_open_bodies_has (self, yes[i]));
  for (guint i = 0; no[i] != NULL && *no[i] != '\0'; i++)
    g_assert_false (sym_open_bodies_has (self, no[i]));
}

static void
test_opens_what_is_around (void)
{
  g_autoptr (SymOpenBodies) none = sym_open_bodies_new ();
  g_autoptr (SymOpenBodies) inner = sym_open_bodies_open (none, "3a/7ab/12");

  assert_open (none, "", "3 3a/7 3a/7ab/12");
  assert_open (inner, "3 3a/7 3a/7ab/12", "3b/7 7 12 3a/7ab/1");
}

static void
test_closing_keeps_what_is_within (void)
{
  g_autoptr (SymOpenBodies) none = sym_open_bodies_new ();
  g_autoptr (SymOpenBodies) inner = sym_open_bodies_open (none, "3a/7");
  g_autoptr (SymOpenBodies) closed = sym_open_bodies_close (inner, "3");
  g_autoptr (SymOpenBodies) again = sym_open_bodies_open (closed, "3");

  assert_open (closed, "3a/7", "3");
  assert_open (again, "3a/7 3", "");
  assert_open (inner, "3a/7 3", "");
}

/* Of what is all open, too, one can be closed. */
static void
test_all (void)
{
  g_autoptr (SymOpenBodies) all = sym_open_bodies_new_all ();
  g_autoptr (SymOpenBodies) closed = sym_open_bodies_close (all, "3a/7");
  g_autoptr (SymOpenBodies) outer = sym_open_bodies_close (closed, "3");
  g_autoptr (SymOpenBodies) again = sym_open_bodies_open (outer, "3a/7");

  assert_open (all, "0 3a/7", "");
  assert_open (outer, "0 3b/7", "3 3a/7");
  assert_open (again, "0 3 3a/7", "");
}

static void
test_paths (void)
{
  static const struct {
    guint body;
    const char *letters;
  } cases[] = {
    { 0, "a" }, { 25, "z" }, { 26, "aa" }, { 27, "ab" }, { 701, "zz" }, { 702, "aaa" }
  };
  g_autofree char *outer = sym_path_enter_call ("", 3);
  g_autofree char *body = sym_path_enter_body (outer, 0);
  g_autofree char *inner = sym_path_enter_call (body, 7);
  g_autofree char *around = sym_path_leave_call (inner);
  g_autofree char *call = sym_path_leave_body (around);
  g_autofree char *top = sym_path_leave_call (outer);

  g_assert_cmpstr (inner, ==, "3a/7");
  g_assert_cmpstr (around, ==, "3a");
  g_assert_cmpstr (call, ==, "3");
  g_assert_cmpstr (top, ==, "");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *letters = sym_path_format_body (cases[i].body);
      g_autofree char *path = sym_path_enter_body ("12", cases[i].body);
      g_autofree char *left = sym_path_leave_body (path);

      g_assert_cmpstr (letters, ==, cases[i].letters);
      g_assert_cmpstr (left, ==, "12");
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/open-bodies/opens-what-is-around", test_opens_what_is_around);
  g_test_add_func ("/query/open-bodies/closing-keeps-what-is-within",
                   test_closing_keeps_what_is_within);
  g_test_add_func ("/query/open-bodies/closes-one-of-all", test_all);
  g_test_add_func ("/query/open-bodies/tells-bodies-by-letters", test_paths);
  return g_test_run ();
}
