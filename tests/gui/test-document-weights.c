/* SPDX-License-Identifier: MIT */
#include "app/scope-document.h"
#include "run/sym-run-weights.h"
#include "toy.h"

static GFile *
get_weights (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "fixtures", "keras-weights", "gates_weights.h5", NULL);

  return g_file_new_for_path (path);
}

static guint
count_missing (ScopeDocument *document)
{
  g_autoptr (GArray) missing = sym_run_list_missing_weights (scope_document_get_model (document));

  return missing->len;
}

static void
test_takes_those_that_are_chosen (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) weights = get_weights ();
  g_autoptr (GError) error = NULL;
  guint n_missing;

  g_assert_true (scope_document_can_choose_weights (document));
  g_assert_cmpuint (count_missing (document), ==, 5);
  scope_document_select_value (document, toy_find (document, "dense_1"));
  scope_document_choose_weights (document, weights);
  g_assert_false (scope_document_take_weights_news (document, &n_missing, &error));
  toy_wait (document);
  g_assert_true (scope_document_take_weights_news (document, &n_missing, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_missing, ==, 0);
  g_assert_false (scope_document_take_weights_news (document, &n_missing, &error));
  g_assert_cmpuint (count_missing (document), ==, 0);
  g_assert_false (scope_document_is_modified (document));
  g_assert_cmpuint (scope_document_get_selected_value (document), ==,
                    toy_find (document, "dense_1"));

  scope_document_reload (document); /* the choice holds */
  toy_wait (document);
  g_assert_cmpuint (count_missing (document), ==, 0);
  scope_document_choose_weights (document, NULL);
  toy_wait (document);
  g_assert_cmpuint (count_missing (document), ==, 5);
  g_assert_null (scope_document_get_weights (document));
}

static void
test_keeps_those_before_when_others_cannot_be_read (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) weights = get_weights ();
  g_autoptr (GFile) none = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  guint n_missing;

  scope_document_choose_weights (document, weights);
  toy_wait (document);
  g_assert_true (scope_document_take_weights_news (document, &n_missing, &error));
  g_assert_no_error (error);
  scope_document_choose_weights (document, none);
  toy_wait (document);
  g_assert_true (scope_document_take_weights_news (document, &n_missing, &error));
  g_assert_nonnull (error);
  g_assert_null (scope_document_get_error (document));
  g_assert_true (g_file_equal (scope_document_get_weights (document), weights));
  g_assert_cmpuint (count_missing (document), ==, 0);
  g_assert_nonnull (scope_document_get_picture (document));
}

static void
test_edits_made_meanwhile_are_worth_more (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) weights = get_weights ();
  g_autoptr (GError) error = NULL;
  SymId input = sym_model_get_inputs (scope_document_get_model (document)).ids[0];
  guint n_missing;

  scope_document_choose_weights (document, weights);
  g_assert_true (scope_document_rename_value (document, input, "mended", NULL));
  toy_wait (document);
  toy_find (document, "mended");
  g_assert_true (scope_document_take_weights_news (document, &n_missing, &error));
  g_assert_cmpstr (error->message, ==, "the graph was edited while it was read again");
  g_assert_null (scope_document_get_weights (document));
  g_assert_cmpint (scope_document_get_disk (document), ==, SCOPE_DISK_SAME);
}

/* As when a session comes back whose weights have gone. */
static void
test_opens_without_those_that_have_gone (void)
{
  g_autofree char *path = toy_copy_fixture ("keras-weights", "gates.json");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) gone = g_file_new_for_path ("/nowhere/weights.h5");
  g_autoptr (ScopeDocument) document = scope_document_new_for_file (file);
  g_autoptr (GError) error = NULL;
  guint n_missing;

  scope_document_choose_weights (document, gone);
  toy_wait (document);
  g_assert_true (scope_document_take_weights_news (document, &n_missing, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "weights.h5"));
  g_assert_null (scope_document_get_error (document));
  g_assert_nonnull (scope_document_get_picture (document));
  g_assert_cmpuint (count_missing (document), ==, 5);
}

static void
test_offers_no_choice_where_a_format_has_none (void)
{
  g_autofree char *path =
      toy_write ("one.onnxtxt", "<ir_version: 8, opset_import: [\"\" : 13]>\n"
                                "one (float[2] x) => (float[2] y) {\n  y = Relu (x)\n}\n");
  g_autoptr (ScopeDocument) document = toy_open (path);

  g_assert_false (scope_document_can_choose_weights (document));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/document-weights/takes-those-that-are-chosen",
                   test_takes_those_that_are_chosen);
  g_test_add_func ("/app/document-weights/keeps-those-before-when-others-cannot-be-read",
                   test_keeps_those_before_when_others_cannot_be_read);
  g_test_add_func ("/app/document-weights/edits-made-meanwhile-are-worth-more",
                   test_edits_made_meanwhile_are_worth_more);
  g_test_add_func ("/app/document-weights/opens-without-those-that-have-gone",
                   test_opens_without_those_that_have_gone);
  g_test_add_func ("/app/document-weights/offers-no-choice-where-a-format-has-none",
                   test_offers_no_choice_where_a_format_has_none);
  return g_test_run ();
}
