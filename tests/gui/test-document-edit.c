/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "app/scope-text.h"
#include "toy.h"

static SymId
find_call (ScopeDocument *document, const char *name)
{
  return sym_model_get_producer (scope_document_get_model (document), toy_find (document, name));
}

static void
assert_shape (ScopeDocument *document, const char *name, const char *expected)
{
  g_autofree char *shape =
      scope_text_shape (scope_document_get_inference (document), toy_find (document, name));

  g_assert_cmpstr (shape, ==, expected);
}

static guint
count_outputs (ScopeDocument *document)
{
  return sym_model_get_outputs (scope_document_get_model (document)).n;
}

static gboolean
is_drawn (ScopeDocument *document, const char *text)
{
  SymLayout *layout = sym_picture_get_layout (scope_document_get_picture (document));
  SymScene *scene = sym_layout_get_scene (layout);

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      const SymSceneItem *item = sym_scene_get_item (scene, i);

      for (guint k = 0; k < item->n_boxes; k++)
        if (g_strv_contains (item->boxes[k].lines, text))
          return TRUE;
    }
  return FALSE;
}

static void
take_saved (ScopeDocument *document)
{
  scope_document_take_saved (document, scope_state_ref (scope_document_get_state (document)),
                             scope_document_get_file (document),
                             scope_document_get_format (document));
}

/* Everything follows an attribute, and undo gives all of it back. */
static void
test_attribute_changes_every_shape (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GError) error = NULL;
  SymId call = find_call (document, "fc2_output");

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", &error));
  toy_wait (document);
  take_saved (document);
  assert_shape (document, "fc2_output", "4×8");
  scope_document_select_call (document, call);
  g_assert_false (scope_document_is_modified (document));
  g_assert_true (scope_document_set_attribute (document, call, "num_hidden", "5", &error));
  g_assert_no_error (error);
  toy_wait (document);
  assert_shape (document, "fc2_output", "4×5");
  g_assert_true (scope_document_is_modified (document));
  g_assert_cmpuint (scope_document_get_selected_call (document), ==, call);
  g_assert_nonnull (scope_document_get_call_problem (document, find_call (document, "sum_output")));

  scope_document_undo (document);
  toy_wait (document);
  assert_shape (document, "fc2_output", "4×8");
  g_assert_false (scope_document_is_modified (document));
  scope_document_redo (document);
  toy_wait (document);
  assert_shape (document, "fc2_output", "4×5");
}

static void
test_wrong_attributes_change_nothing (void)
{
  static const struct {
    const char *node, *name, *text, *message;
  } cases[] = {
    { "fc1_output", "num_hidden", "many", "a whole number" },
    { "fc1_output", "flatten", "maybe", "True or False" },
    { "fc1_output", "num_hidden", NULL, "num_hidden" },
  };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  SymModel *model = scope_document_get_model (document);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (scope_document_set_attribute (document, find_call (document, cases[i].node),
                                                    cases[i].name, cases[i].text, &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_true (scope_document_get_model (document) == model);
      g_assert_false (scope_document_can_undo (document));
    }
}

static void
test_names_are_changed (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (
      scope_document_rename_value (document, toy_find (document, "data"), "pixels", &error));
  g_assert_true (
      scope_document_rename_call (document, find_call (document, "fc1_output"), "first", &error));
  g_assert_no_error (error);
  toy_wait (document);
  g_assert_true (is_drawn (document, "pixels"));
  g_assert_true (is_drawn (document, "first_output"));
  g_assert_false (
      scope_document_rename_value (document, toy_find (document, "pixels"), "fc2_weight", &error));
  g_assert_nonnull (error);
  scope_document_undo (document);
  scope_document_undo (document);
  toy_wait (document);
  g_assert_true (is_drawn (document, "data"));
  g_assert_false (scope_document_is_modified (document));
}

static void
test_marked_nodes_become_outputs (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GError) error = NULL;

  g_assert_false (scope_document_add_outputs (document, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "relu1_output"));
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "fc2_output"));
  toy_wait (document);
  g_assert_true (scope_document_add_outputs (document, &error));
  g_assert_no_error (error);
  toy_wait (document);
  g_assert_cmpuint (count_outputs (document), ==, 3);
  g_assert_null (scope_document_get_cut (document));

  g_assert_true (
      scope_document_remove_output (document, toy_find (document, "fc2_output"), &error));
  toy_wait (document);
  g_assert_cmpuint (count_outputs (document), ==, 2);
  scope_document_undo (document);
  scope_document_undo (document);
  toy_wait (document);
  g_assert_cmpuint (count_outputs (document), ==, 1);
  g_assert_nonnull (scope_document_get_cut (document)); /* the marks came back */
  g_assert_false (
      scope_document_remove_output (document, toy_find (document, "out_output"), &error));
  g_assert_nonnull (strstr (error->message, "needs an output"));
}

static void
test_typed_shapes_survive_edits (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", &error));
  toy_wait (document);
  g_assert_true (scope_document_is_modified (document));
  g_assert_true (scope_document_rename_value (document, toy_find (document, "data"), "x", &error));
  toy_wait (document);
  assert_shape (document, "fc1_output", "4×8");
  g_assert_cmpstr (
      scope_state_get_shape_text (scope_document_get_state (document), toy_find (document, "x")),
      ==, "4,3");
  take_saved (document);
  g_assert_false (scope_document_is_modified (document));
  scope_document_undo (document);
  toy_wait (document);
  g_assert_true (scope_document_is_modified (document));
}

/* Groups are found anew in an edited graph, and those are open that were. */
static void
test_folds_survive_edits (void)
{
  g_autofree char *chain = toy_format_chain (1000);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GError) error = NULL;
  guint n_closed, n_open;

  scope_document_close_all (document);
  toy_wait (document);
  n_closed = sym_folding_count_items (scope_document_get_folding (document));
  scope_document_open_group (document, 0);
  toy_wait (document);
  n_open = sym_folding_count_items (scope_document_get_folding (document));
  g_assert_cmpuint (n_open, !=, n_closed);
  g_assert_true (scope_document_rename_call (document, find_call (document, "relu999_output"),
                                             "last", &error));
  g_assert_no_error (error);
  toy_wait (document);
  g_assert_cmpuint (sym_folding_count_items (scope_document_get_folding (document)), ==, n_open);
}

/* Also when it is its first layer that has another name, and that is undone before it is done. */
static void
test_folds_survive_a_new_first_name (void)
{
  g_autofree char *chain = toy_format_chain (1000);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autoptr (ScopeDocument) document = toy_open (path);
  SymFolding *folding;
  guint n_open;

  scope_document_close_all (document);
  toy_wait (document);
  scope_document_open_group (document, 0);
  toy_wait (document);
  folding = scope_document_get_folding (document);
  n_open = sym_folding_count_items (folding);
  for (guint i = 0; i < 2; i++)
    {
      SymId first = sym_groups_get_calls (sym_folding_get_groups (folding), 0).ids[0];
      g_autoptr (GError) error = NULL;

      g_assert_true (scope_document_rename_call (document, first, "elsewhere", &error));
      g_assert_no_error (error);
      if (i == 0)
        toy_wait (document);
      else
        scope_document_undo (document);
      scope_document_undo (document);
      scope_document_redo (document);
      toy_wait (document);
      folding = scope_document_get_folding (document);
      g_assert_cmpuint (sym_folding_count_items (folding), ==, n_open);
      scope_document_undo (document);
      toy_wait (document);
      folding = scope_document_get_folding (document);
      g_assert_cmpuint (sym_folding_count_items (folding), ==, n_open);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/document-edit/attribute-changes-every-shape",
                   test_attribute_changes_every_shape);
  g_test_add_func ("/app/document-edit/wrong-attributes-change-nothing",
                   test_wrong_attributes_change_nothing);
  g_test_add_func ("/app/document-edit/names-are-changed", test_names_are_changed);
  g_test_add_func ("/app/document-edit/marked-nodes-become-outputs",
                   test_marked_nodes_become_outputs);
  g_test_add_func ("/app/document-edit/typed-shapes-survive-edits",
                   test_typed_shapes_survive_edits);
  g_test_add_func ("/app/document-edit/folds-survive-edits", test_folds_survive_edits);
  g_test_add_func ("/app/document-edit/folds-survive-a-new-first-name",
                   test_folds_survive_a_new_first_name);
  return g_test_run ();
}
