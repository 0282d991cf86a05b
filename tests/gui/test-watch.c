/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>

#include "app/scope-save.h"
#include "toy.h"

#define PATIENCE 120 /* seconds until something that should happen did not */

typedef gboolean (*Condition) (ScopeDocument *document);

static void
await (ScopeDocument *document, Condition condition)
{
  gint64 end = g_get_monotonic_time () + PATIENCE * G_USEC_PER_SEC;

  while (!condition (document) && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_assert_true (condition (document));
}

static void
wait_a_second (void)
{
  gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC;

  while (g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
}

/* Until the watch knows the file as it is: the test must not be faster than that. */
static ScopeDocument *
open_watched (const char *path)
{
  ScopeDocument *document = toy_open (path);

  wait_a_second ();
  return document;
}

static gboolean
has_all_nine (ScopeDocument *document)
{
  return scope_document_get_summary (document) != NULL &&
         scope_document_get_progress (document) == NULL &&
         sym_summary_get_n_rows (scope_document_get_summary (document)) == 10;
}

static gboolean
is_changed (ScopeDocument *document)
{
  return scope_document_get_disk (document) == SCOPE_DISK_CHANGED;
}

static gboolean
is_gone (ScopeDocument *document)
{
  return scope_document_get_disk (document) == SCOPE_DISK_GONE;
}

static gboolean
is_same (ScopeDocument *document)
{
  return scope_document_get_disk (document) == SCOPE_DISK_SAME;
}

static void
write_chain (const char *path, guint n)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = toy_format_chain (n);

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
test_changed_file_is_read_again (void)
{
  g_autofree char *text = toy_format_chain (4);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = open_watched (path);

  scope_document_select_value (document, toy_find (document, "relu2_output"));
  write_chain (path, 9);
  await (document, has_all_nine);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==,
                    toy_find (document, "relu2_output"));
  g_assert_true (is_same (document));
  toy_finalize (document);
}

static void
test_something_edited_is_asked_about_first (void)
{
  g_autofree char *text = toy_format_chain (4);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = open_watched (path);

  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "relu2_output"));
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "2,3", NULL));
  toy_wait (document);
  write_chain (path, 9);
  await (document, is_changed);
  g_assert_false (has_all_nine (document));
  scope_document_dismiss_disk (document);
  g_assert_true (is_same (document));
  write_chain (path, 9);
  await (document, is_changed);
  scope_document_reload (document);
  await (document, has_all_nine);
  g_assert_true (is_same (document));
  g_assert_true (scope_state_has_mark (scope_document_get_state (document), SCOPE_MARK_OUTPUT,
                                       toy_find (document, "relu2_output")));
  toy_finalize (document);
}

static gboolean
is_reading (ScopeDocument *document)
{
  return scope_document_get_progress (document) != NULL;
}

static void
test_edits_while_another_file_comes_stay (void)
{
  g_autofree char *text = toy_format_chain (4);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = open_watched (path);

  write_chain (path, 9);
  await (document, is_reading);
  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "data"), "pixels", NULL));
  toy_wait (document);
  toy_find (document, "pixels");
  g_assert_true (is_changed (document));
  scope_document_reload (document);
  await (document, has_all_nine);
  g_assert_true (is_same (document));
  toy_finalize (document);
}

/* What was in the file before it was saved is not what it has. */
static void
test_saving_ends_reading_again (void)
{
  g_autofree char *text = toy_format_chain (4);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = open_watched (path);
  g_autoptr (GFile) file = g_object_ref (scope_document_get_file (document));

  scope_document_reload (document);
  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "data"), "pixels", NULL));
  scope_document_take_saved (document, scope_state_ref (scope_document_get_state (document)), file,
                             scope_document_get_format (document));
  toy_wait (document);
  toy_find (document, "pixels");
  g_assert_true (is_same (document));
  g_assert_false (scope_document_is_modified (document));
  g_assert_no_error (scope_document_get_error (document));
  toy_finalize (document);
}

/* Reading large files takes time, in which their users go on. */
static void
test_edits_while_it_is_read_again_stay (void)
{
  g_autofree char *text = toy_format_chain (4);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = open_watched (path);

  scope_document_reload (document);
  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "data"), "pixels", NULL));
  toy_wait (document);
  toy_find (document, "pixels");
  g_assert_true (is_same (document)); /* the file is what it was */
  g_assert_true (g_str_has_prefix (scope_document_get_error (document)->message,
                                   "Not read again, so this is how it was before: the graph was"));
  g_assert_true (scope_document_is_modified (document));
  g_assert_nonnull (scope_document_get_inference (document));
  g_assert_true (sym_inference_get_model (scope_document_get_inference (document)) ==
                 scope_document_get_model (document));

  /* When it is read in spite of them only what comes after that stays. */
  scope_document_reload (document);
  toy_wait (document);
  toy_find (document, "data");
  g_assert_true (is_same (document));
  g_assert_false (scope_document_is_modified (document));

  /* A shape that was typed goes over to what is read. */
  scope_document_reload (document);
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "2,3", NULL));
  toy_wait (document);
  g_assert_true (is_same (document));
  g_assert_cmpstr (
      scope_state_get_shape_text (scope_document_get_state (document), toy_find (document, "data")),
      ==, "2,3");
  toy_finalize (document);
}

static void
test_lost_file_leaves_its_graph (void)
{
  g_autofree char *text = toy_format_chain (4);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = open_watched (path);

  g_assert_cmpint (g_unlink (path), ==, 0);
  await (document, is_gone);
  g_assert_nonnull (scope_document_get_picture (document));
  write_chain (path, 9);
  await (document, has_all_nine);
  await (document, is_same);
  toy_finalize (document);
}

/* As a program leaves it that is still writing. */
static void
test_broken_file_leaves_what_there_was (void)
{
  g_autofree char *text = toy_format_chain (4);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = open_watched (path);

  g_assert_true (g_file_set_contents (path, "{\"nodes\": [", -1, NULL));
  while (scope_document_get_error (document) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_str_has_prefix (scope_document_get_error (document)->message,
                                   "Not read again, so this is how it was before: line 1"));
  g_assert_nonnull (scope_document_get_picture (document));
  write_chain (path, 9);
  await (document, has_all_nine);
  g_assert_no_error (scope_document_get_error (document));
  toy_finalize (document);
}

typedef struct {
  gboolean is_done;
  GError *error;
} Saved;

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Saved *saved = user_data;

  scope_save_finish (result, NULL, &saved->error);
  saved->is_done = TRUE;
}

/* What we wrote ourselves is no news, and what others write there afterwards is. */
static void
test_saved_file_is_the_one_that_is_watched (void)
{
  g_autofree char *text = toy_format_chain (4);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  g_autofree char *other = toy_write ("other-symbol.json", "");
  g_autoptr (GFile) file = g_file_new_for_path (other);
  ScopeDocument *document = open_watched (path);
  Saved saved = { FALSE };

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "2,3", NULL));
  toy_wait (document);
  scope_save_async (document, scope_document_get_format (document), file, NULL, saved_cb, &saved);
  while (!saved.is_done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (saved.error);
  wait_a_second ();
  g_assert_true (is_same (document));
  write_chain (path, 6);
  write_chain (other, 9);
  await (document, has_all_nine);
  toy_finalize (document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/watch/changed-file-is-read-again", test_changed_file_is_read_again);
  g_test_add_func ("/app/watch/something-edited-is-asked-about-first",
                   test_something_edited_is_asked_about_first);
  g_test_add_func ("/app/watch/saved-file-is-the-one-that-is-watched",
                   test_saved_file_is_the_one_that_is_watched);
  g_test_add_func ("/app/watch/edits-while-it-is-read-again-stay",
                   test_edits_while_it_is_read_again_stay);
  g_test_add_func ("/app/watch/edits-while-another-file-comes-stay",
                   test_edits_while_another_file_comes_stay);
  g_test_add_func ("/app/watch/saving-ends-reading-again", test_saving_ends_reading_again);
  g_test_add_func ("/app/watch/lost-file-leaves-its-graph", test_lost_file_leaves_its_graph);
  g_test_add_func ("/app/watch/broken-file-leaves-what-there-was",
                   test_broken_file_leaves_what_there_was);
  return g_test_run ();
}
