/* SPDX-License-Identifier: MIT */
#include "app/scope-settings.h"

#include <glib/gstdio.h>

#include "toy.h"

static void
changed_cb (ScopeSettings *settings, guint setting, guint *changed)
{
  *changed |= 1u << setting;
}

static void
test_missing_file_means_what_is_usual (void)
{
  g_autofree char *path = toy_write ("settings.ini", "");

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_autoptr (ScopeSettings) settings = scope_settings_new (path);

  g_assert_no_error (scope_settings_get_error (settings));
  g_assert_cmpint (scope_settings_get (settings, SCOPE_SETTING_RESTORE), ==, TRUE);
  g_assert_cmpint (scope_settings_get (settings, SCOPE_SETTING_COLORS), ==, 0);
  g_assert_cmpuint (scope_settings_get_n_threads (settings), ==, 0);
  g_assert_null (scope_settings_get_pinned (settings)[0]);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_what_is_set_is_there_next_time (void)
{
  g_autofree char *path = toy_write ("settings.ini", "[view]\nlater=kept\ndrawing=layers\n");
  g_autoptr (ScopeSettings) settings = scope_settings_new (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint changed = 0;

  g_assert_cmpint (scope_settings_get (settings, SCOPE_SETTING_DRAWING), ==, 1);
  g_signal_connect (settings, "changed", G_CALLBACK (changed_cb), &changed);
  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_COLORS, 2, &error));
  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_DRAWING, 1, &error));
  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_THREADS, 3, &error));
  g_assert_true (scope_settings_set_pinned (settings, "file:///a", TRUE, &error));
  g_assert_true (scope_settings_set_pinned (settings, "file:///b", TRUE, &error));
  g_assert_true (scope_settings_set_pinned (settings, "file:///a", FALSE, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (changed, ==,
                    1u << SCOPE_SETTING_COLORS | 1u << SCOPE_SETTING_THREADS |
                        1u << SCOPE_N_SETTINGS);

  scope_settings_finish (settings);
  g_autoptr (ScopeSettings) again = scope_settings_new (path);

  g_assert_cmpint (scope_settings_get (again, SCOPE_SETTING_COLORS), ==, 2);
  g_assert_cmpuint (scope_settings_get_n_threads (again), ==, 4);
  g_assert_cmpstr (scope_settings_get_pinned (again)[0], ==, "file:///b");
  g_assert_null (scope_settings_get_pinned (again)[1]);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "later=kept"));
}

static void
test_nonsense_counts_as_missing (void)
{
  g_autofree char *path = toy_write ("settings.ini", "[session]\nrestore=perhaps\n");
  g_autofree char *broken = toy_write ("settings.ini", "what is this\n");
  g_autoptr (ScopeSettings) settings = scope_settings_new (path);
  g_autoptr (ScopeSettings) other = scope_settings_new (broken);

  g_assert_cmpint (scope_settings_get (settings, SCOPE_SETTING_RESTORE), ==, TRUE);
  g_assert_no_error (scope_settings_get_error (settings));
  g_assert_nonnull (scope_settings_get_error (other));
  g_assert_cmpint (scope_settings_get (other, SCOPE_SETTING_RESTORE), ==, TRUE);
}

static void
test_panes_keep_their_widths (void)
{
  g_autofree char *path = toy_write ("settings.ini", "[panes]\ninspector=-5\n");
  g_autoptr (ScopeSettings) settings = scope_settings_new (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (scope_settings_get_pane (settings, SCOPE_PANE_SUMMARY), ==, 0);
  g_assert_cmpint (scope_settings_get_pane (settings, SCOPE_PANE_INSPECTOR), ==, 0);
  g_assert_true (scope_settings_set_pane (settings, SCOPE_PANE_SUMMARY, 321, &error));
  scope_settings_finish (settings);
  g_autoptr (ScopeSettings) next = scope_settings_new (path);

  g_assert_cmpint (scope_settings_get_pane (next, SCOPE_PANE_SUMMARY), ==, 321);
}

static void
failed_cb (ScopeSettings *settings, const GError *error, guint *n)
{
  g_assert_nonnull (error->message);
  ++*n;
}

/* What is only found out in the thread. */
static void
test_what_could_not_be_written_is_told_later (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *beside = toy_write ("file", "");
  g_autofree char *path = g_path_get_dirname (beside);
  g_autoptr (ScopeSettings) settings = scope_settings_new (path);
  guint n = 0;

  g_signal_connect (settings, "failed", G_CALLBACK (failed_cb), &n);
  g_assert_true (scope_settings_set (settings, SCOPE_SETTING_SHAPES, FALSE, &error));
  scope_settings_finish (settings);
  g_assert_cmpuint (n, ==, 1);
}

/* A folder in the place of the file: even who may write anywhere cannot. */
static void
test_what_cannot_be_written_is_told (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *in_the_way = toy_write ("file", "");
  g_autofree char *path = g_build_filename (in_the_way, "settings.ini", NULL);
  g_autoptr (ScopeSettings) settings = scope_settings_new (path);

  g_assert_false (scope_settings_set (settings, SCOPE_SETTING_SHAPES, FALSE, &error));
  g_assert_nonnull (error);
  g_assert_cmpint (scope_settings_get (settings, SCOPE_SETTING_SHAPES), ==, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/settings/missing-file-means-what-is-usual",
                   test_missing_file_means_what_is_usual);
  g_test_add_func ("/app/settings/what-is-set-is-there-next-time",
                   test_what_is_set_is_there_next_time);
  g_test_add_func ("/app/settings/nonsense-counts-as-missing", test_nonsense_counts_as_missing);
  g_test_add_func ("/app/settings/panes-keep-their-widths", test_panes_keep_their_widths);
  g_test_add_func ("/app/settings/what-cannot-be-written-is-told",
                   test_what_cannot_be_written_is_told);
  g_test_add_func ("/app/settings/what-could-not-be-written-is-told-later",
                   test_what_could_not_be_written_is_told_later);
  return g_test_run ();
}
