/* SPDX-License-Identifier: MIT */
#include "app/scope-export.h"
#include "app/scope-extract.h"
#include "toy.h"

typedef struct {
  GAsyncResult *result;
} Waiter;

static void
done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ((Waiter *) user_data)->result = g_object_ref (result);
}

static GAsyncResult *
wait_for (Waiter *waiter)
{
  while (waiter->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return waiter->result;
}

static GFile *
get_sibling (const char *path, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return g_file_new_build_filename (folder, name, NULL);
}

static gboolean
export_as (ScopeDocument *document, GFile *file, GError **error)
{
  Waiter waiter = { NULL };

  scope_export_async (document, file, SYM_THEME_LIGHT, NULL, done_cb, &waiter);
  g_autoptr (GAsyncResult) result = wait_for (&waiter);

  return scope_export_finish (result, error);
}

static void
test_pictures_are_of_the_kind_that_their_name_says (void)
{
  static const struct { const char *name, *start; } cases[] = {
    { "toy.svg", "<?xml" },
    { "toy.PNG", "\x89PNG" },
    { "toy.pdf", "%PDF" },
    { "toy.dot", "digraph" },
  };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GFile) file = get_sibling (path, cases[i].name);
    g_autoptr (GError) error = NULL;
    g_autofree char *bytes = NULL;

    g_assert_true (export_as (document, file, &error));
    g_assert_no_error (error);
    g_assert_true (g_file_load_contents (file, NULL, &bytes, NULL, NULL, NULL));
    g_assert_true (g_str_has_prefix (bytes, cases[i].start));
  }
}

static void
test_unknown_kind_is_refused (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) file = get_sibling (path, "toy.gif");
  g_autoptr (GError) error = NULL;

  g_assert_false (export_as (document, file, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, ".svg"));
  g_assert_false (g_file_query_exists (file, NULL));
}

static void
test_missing_folder_is_an_error (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) file = get_sibling (path, "nowhere/toy.svg");
  g_autoptr (GError) error = NULL;

  g_assert_false (export_as (document, file, &error));
  g_assert_nonnull (error);
}

static SymModel *
extract_as (ScopeDocument *document, GFile *file, GError **error)
{
  Waiter waiter = { NULL };

  scope_extract_async (document, scope_extract_get_format (document), file, NULL, done_cb, &waiter);
  g_autoptr (GAsyncResult) result = wait_for (&waiter);

  return scope_extract_finish (result, NULL, error);
}

static void
test_cut_opens_again (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) file = get_sibling (path, "part-symbol.json");
  g_autoptr (GError) error = NULL;

  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "relu1_output"));
  toy_wait (document);
  g_autoptr (SymModel) model = extract_as (document, file, &error);

  g_assert_no_error (error);
  g_assert_nonnull (model);
  g_autoptr (ScopeDocument) part = toy_open (g_file_peek_path (file));

  g_assert_no_error (scope_document_get_error (part));
  g_assert_cmpuint (sym_summary_get_n_rows (scope_document_get_summary (part)), ==, 3);
  g_assert_cmpstr (sym_model_get_format (scope_document_get_model (part)), ==, "mxnet");
}

static void
test_cut_opens_without_a_file (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GError) error = NULL;

  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "fc1_output"));
  toy_wait (document);
  g_autoptr (SymModel) model = extract_as (document, NULL, &error);

  g_assert_no_error (error);
  g_autoptr (ScopeDocument) part = scope_document_new_for_model (model, "part");

  toy_wait (part);
  g_assert_cmpuint (sym_summary_get_n_rows (scope_document_get_summary (part)), ==, 2);
  g_assert_nonnull (scope_document_get_picture (part));
}

static void
test_everything_is_saved_when_nothing_is_marked (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) file = get_sibling (path, "copy-symbol.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (SymModel) model = extract_as (document, file, &error);

  g_assert_no_error (error);
  g_assert_true (model == scope_document_get_model (document));
  g_assert_true (g_file_query_exists (file, NULL));
}

static void
test_impossible_cut_writes_nothing (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) file = get_sibling (path, "part-symbol.json");
  g_autoptr (GError) error = NULL;

  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, toy_find (document, "fc2_output"));
  toy_wait (document);
  g_assert_null (extract_as (document, file, &error));
  g_assert_nonnull (error);
  g_assert_false (g_file_query_exists (file, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/files/pictures-are-of-the-kind-that-their-name-says",
                   test_pictures_are_of_the_kind_that_their_name_says);
  g_test_add_func ("/app/files/unknown-kind-is-refused", test_unknown_kind_is_refused);
  g_test_add_func ("/app/files/missing-folder-is-an-error", test_missing_folder_is_an_error);
  g_test_add_func ("/app/files/cut-opens-again", test_cut_opens_again);
  g_test_add_func ("/app/files/cut-opens-without-a-file", test_cut_opens_without_a_file);
  g_test_add_func ("/app/files/everything-is-saved-when-nothing-is-marked",
                   test_everything_is_saved_when_nothing_is_marked);
  g_test_add_func ("/app/files/impossible-cut-writes-nothing",
                   test_impossible_cut_writes_nothing);
  return g_test_run ();
}
