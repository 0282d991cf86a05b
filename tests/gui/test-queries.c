/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "app/scope-queries.h"

/* The state folder is that of this test alone. */
static char *folder;

static char *
get_path (void)
{
  return g_build_filename (folder, "symscope", "searches", NULL);
}

static void
forget (void)
{
  g_autofree char *path = get_path ();

  g_remove (path);
}

static void
add (const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (scope_queries_add (text, &error));
  g_assert_no_error (error);
}

static void
assert_are (const char *expected)
{
  g_auto (GStrv) queries = scope_queries_list ();
  g_autofree char *joined = g_strjoinv ("|", queries);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_last_comes_first (void)
{
  forget ();
  assert_are ("");
  add ("type:Conv");
  add ("  params>1M ");
  add ("größe");
  assert_are ("größe|params>1M|type:Conv");
  add ("type:Conv");
  assert_are ("type:Conv|größe|params>1M");
}

static void
test_leaves_out_what_is_none (void)
{
  forget ();
  add ("relu");
  add ("");
  add (" \t");
  add ("two\nlines");
  add ("relu");
  assert_are ("relu");
}

static void
test_keeps_few (void)
{
  forget ();
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *text = g_strdup_printf ("conv%u", i);

      add (text);
    }
  g_auto (GStrv) queries = scope_queries_list ();

  g_assert_cmpuint (g_strv_length (queries), ==, SCOPE_QUERIES_MAX);
  g_assert_cmpstr (queries[0], ==, "conv99");
  g_assert_cmpstr (queries[SCOPE_QUERIES_MAX - 1], ==, "conv80");
}

/* Bytes that are no text, and more of them than we would write. */
static void
test_takes_no_foreign_file (void)
{
  g_autofree char *path = get_path ();
  g_autofree char *much = g_strnfill (1 << 20, 'x');

  forget ();
  add ("relu");
  g_assert_true (g_file_set_contents (path, "\xff\xfe\n", -1, NULL));
  assert_are ("");
  g_assert_true (g_file_set_contents (path, much, -1, NULL));
  assert_are ("");
}

static void
test_says_when_it_cannot_be_kept (void)
{
  g_autofree char *path = get_path ();
  g_autoptr (GError) error = NULL;

  forget ();
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0); /* a folder in its place */
  g_assert_false (scope_queries_add ("relu", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  folder = g_dir_make_tmp ("symscope-XXXXXX", &error);
  g_assert_no_error (error);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/queries/last-comes-first", test_last_comes_first);
  g_test_add_func ("/gui/queries/leaves-out-what-is-none", test_leaves_out_what_is_none);
  g_test_add_func ("/gui/queries/keeps-few", test_keeps_few);
  g_test_add_func ("/gui/queries/takes-no-foreign-file", test_takes_no_foreign_file);
  g_test_add_func ("/gui/queries/says-when-it-cannot-be-kept", test_says_when_it_cannot_be_kept);
  int status = g_test_run ();
  g_autofree char *own = g_build_filename (folder, "symscope", NULL);

  forget ();
  g_rmdir (own);
  g_rmdir (folder);
  g_free (folder);
  return status;
}
