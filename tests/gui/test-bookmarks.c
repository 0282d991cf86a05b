/* SPDX-License-Identifier: MIT */
#include "app/scope-bookmarks.h"

#include <glib/gstdio.h>

#include "toy.h"

#define URI "file:///a.json"
#define OTHER "file:///b.json"

static char *
make_path (void)
{
  g_autofree char *folder = g_dir_make_tmp ("symscope-bookmarks-XXXXXX", NULL);

  return g_build_filename (folder, "state", "bookmarks.ini", NULL);
}

static ScopeMemory *
remember (const char *selected)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();

  g_key_file_set_string (file, "place", "selected", selected);
  g_key_file_set_double (file, "place", "scale", 2.5);
  return scope_memory_load (file, "place");
}

static void
add (ScopeBookmarks *bookmarks, const char *uri, const char *name)
{
  g_autoptr (ScopeMemory) memory = remember (name);

  scope_bookmarks_insert (bookmarks, uri, G_MAXUINT, name, memory);
}

static void
count_cb (guint *n)
{
  (*n)++;
}

static void
test_come_back_for_their_file (void)
{
  g_autofree char *path = make_path ();
  g_autoptr (ScopeBookmarks) before = scope_bookmarks_new (path);

  add (before, URI, "first\n[x]");
  add (before, OTHER, "elsewhere");
  add (before, URI, "second");
  scope_bookmarks_finish (before);
  g_autoptr (ScopeBookmarks) after = scope_bookmarks_new (path);

  g_assert_cmpuint (scope_bookmarks_get_n (after, URI), ==, 2);
  g_assert_cmpuint (scope_bookmarks_get_n (after, OTHER), ==, 1);
  g_assert_cmpuint (scope_bookmarks_get_n (after, "file:///c.json"), ==, 0);
  g_assert_cmpstr (scope_bookmarks_get_name (after, URI, 0), ==, "first\n[x]");
  g_assert_cmpstr (scope_bookmarks_get_name (after, URI, 1), ==, "second");
  ScopeMemory *memory = scope_bookmarks_get_memory (after, URI, 1);

  g_assert_cmpstr (scope_memory_get_selected (memory), ==, "second");
  g_assert_cmpfloat (scope_memory_get_middle (memory).scale, ==, 2.5);
}

static void
test_are_renamed_and_removed (void)
{
  g_autofree char *path = make_path ();
  g_autoptr (ScopeBookmarks) bookmarks = scope_bookmarks_new (path);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  add (bookmarks, URI, "a");
  add (bookmarks, URI, "b");
  g_signal_connect_swapped (bookmarks, "changed", G_CALLBACK (count_cb), &n);
  g_assert_true (scope_bookmarks_rename (bookmarks, URI, 1, "  c ", &error));
  g_assert_no_error (error);
  g_assert_cmpstr (scope_bookmarks_get_name (bookmarks, URI, 1), ==, "c");
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (scope_bookmarks_rename (bookmarks, URI, 1, "c", &error));
  g_assert_cmpuint (n, ==, 1); /* it is called so already */
  g_assert_false (scope_bookmarks_rename (bookmarks, URI, 1, "a", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS);
  g_clear_error (&error);
  g_assert_false (scope_bookmarks_rename (bookmarks, URI, 1, " ", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  scope_bookmarks_remove (bookmarks, URI, 0);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (scope_bookmarks_get_n (bookmarks, URI), ==, 1);
  g_assert_cmpstr (scope_bookmarks_get_name (bookmarks, URI, 0), ==, "c");
  g_autoptr (ScopeMemory) memory = remember ("back");

  scope_bookmarks_insert (bookmarks, URI, 0, "a", memory);
  g_assert_cmpstr (scope_bookmarks_get_name (bookmarks, URI, 0), ==, "a");
  scope_bookmarks_finish (bookmarks);
}

static void
test_get_names_of_their_own (void)
{
  g_autofree char *path = make_path ();
  g_autoptr (ScopeBookmarks) bookmarks = scope_bookmarks_new (path);

  add (bookmarks, URI, "a");
  add (bookmarks, URI, "a (2)");
  g_autofree char *third = scope_bookmarks_suggest (bookmarks, URI, "a");
  g_autofree char *other = scope_bookmarks_suggest (bookmarks, OTHER, "a");

  g_assert_cmpstr (third, ==, "a (3)");
  g_assert_cmpstr (other, ==, "a");
  scope_bookmarks_finish (bookmarks);
}

static void
test_oldest_makes_room (void)
{
  g_autofree char *path = make_path ();
  g_autoptr (ScopeBookmarks) bookmarks = scope_bookmarks_new (path);

  for (guint i = 0; i <= SCOPE_BOOKMARKS_MAX; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      add (bookmarks, URI, name);
    }
  g_assert_cmpuint (scope_bookmarks_get_n (bookmarks, URI), ==, SCOPE_BOOKMARKS_MAX);
  g_assert_cmpstr (scope_bookmarks_get_name (bookmarks, URI, 0), ==, "1");
  scope_bookmarks_finish (bookmarks);
}

static void
test_file_of_anything_is_told (void)
{
  g_autofree char *path = make_path ();
  g_autofree char *folder = g_path_get_dirname (path), *kept = g_strconcat (path, "~", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (ScopeBookmarks) bookmarks = scope_bookmarks_new (path);
  guint n = 0;

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, "no key file", -1, NULL));
  g_signal_connect_swapped (bookmarks, "failed", G_CALLBACK (count_cb), &n);
  g_assert_cmpuint (scope_bookmarks_get_n (bookmarks, URI), ==, 0);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (scope_bookmarks_get_n (bookmarks, URI), ==, 0);
  g_assert_cmpuint (n, ==, 1); /* once */
  add (bookmarks, URI, "first");
  scope_bookmarks_finish (bookmarks);
  g_assert_true (g_file_get_contents (kept, &bytes, NULL, NULL));
  g_assert_cmpstr (bytes, ==, "no key file");
}

/* The view comes back, decisions stay. */
static void
test_place_is_looked_at_again (void)
{
  g_autofree char *path = toy_write_stages ();
  ScopeDocument *document = toy_open (path);
  ScopeMiddle middle = { 0 };
  ScopeView view = *scope_document_get_view (document);

  scope_document_open_all (document);
  scope_document_select_value (document, toy_find (document, "stage1/act4_output"));
  toy_wait (document);
  g_autoptr (ScopeMemory) memory = scope_memory_new_place (document, &middle);

  g_assert_false (scope_document_recall (document, memory)); /* so it is looked at now */
  view.drawing = SYM_DRAWING_LAYERS;
  scope_document_set_view (document, &view);
  scope_document_close_all (document);
  scope_document_select_value (document, SYM_NO_ID);
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT,
                              toy_find (document, "stage0/act1_output"));
  toy_wait (document);
  g_assert_true (scope_document_recall (document, memory));
  toy_wait (document);
  g_assert_cmpint (scope_document_get_view (document)->drawing, ==, SYM_DRAWING_DATA);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==,
                    toy_find (document, "stage1/act4_output"));
  g_assert_true (sym_folding_is_open (scope_document_get_folding (document), 0));
  g_assert_cmpuint (
      scope_state_get_marks (scope_document_get_state (document), SCOPE_MARK_OUTPUT).n, ==, 1);
  toy_finalize (document);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/bookmarks/come-back-for-their-file", test_come_back_for_their_file);
  g_test_add_func ("/app/bookmarks/are-renamed-and-removed", test_are_renamed_and_removed);
  g_test_add_func ("/app/bookmarks/get-names-of-their-own", test_get_names_of_their_own);
  g_test_add_func ("/app/bookmarks/oldest-makes-room", test_oldest_makes_room);
  g_test_add_func ("/app/bookmarks/file-of-anything-is-told", test_file_of_anything_is_told);
  g_test_add_func ("/app/bookmarks/place-is-looked-at-again", test_place_is_looked_at_again);
  return g_test_run ();
}
