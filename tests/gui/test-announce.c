/* SPDX-License-Identifier: MIT */
#include "app/scope-announce.h"
#include "app/scope-place.h"
#include "scene/sym-scene-body.h"
#include "toy.h"

static ScopeDocument *
open_toy (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (GError) error = NULL;
  ScopeDocument *document = toy_open (path);

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", &error));
  toy_wait (document);
  return document;
}

static void
assert_node (ScopeDocument *document, const char *value, const char *expected)
{
  ScopeNode node = scope_node_get (toy_find (document, value), SYM_NO_ID);
  g_autofree char *text = scope_announce_node (document, &node);

  g_assert_cmpstr (text, ==, expected);
}

static void
assert_selected (ScopeDocument *document, const char *expected)
{
  g_autofree char *text = scope_announce_selected (document);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_tells_type_shape_and_relatives (void)
{
  ScopeDocument *document = open_toy ();

  assert_node (document, "data", "data, input, 4x3, 0 parents, 1 child");
  assert_node (document, "fc1_output", "fc1, FullyConnected, 4x8, 1 parent, 1 child");
  assert_node (document, "relu1_output", "relu1, Activation, 4x8, 1 parent, 2 children");
  assert_node (document, "sum_output", "sum, elemwise_add, 4x8, 2 parents, 1 child");
  assert_node (document, "out_output", "out, Activation, 4x8, 1 parent, 0 children");
  toy_finalize (document);
}

/* Two results of one name are told apart as in the table. */
static void
test_tells_results_apart (void)
{
  g_autofree char *path = toy_write ("twice.onnxtxt", "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                                      "twice (float[4,2] x) => (float[2,2] y) {\n"
                                                      "  y, y = Split <axis = 0> (x)\n"
                                                      "}\n");
  ScopeDocument *document = toy_open (path);

  assert_node (document, "y", "y, Split, 2x2, 1 parent, 0 children");
  assert_node (document, "y~2", "y~2, Split, 2x2, 1 parent, 0 children");
  toy_finalize (document);
}

#define NAMED                                        \
  "<ir_version: 8, opset_import: [\"\" : 17]>\n"     \
  "g (float[words, 16] x) => (float[words, 16] y)\n" \
  "{\n  y = Relu (x)\n}\n"

/* No x is one of its letters. */
static void
test_names_of_dimensions_stand_apart (void)
{
  g_autofree char *path = toy_write ("named.onnxtxt", NAMED);
  ScopeDocument *document = toy_open (path);

  assert_node (document, "y", "y, Relu, words x 16, 1 parent, 0 children");
  toy_finalize (document);
}

static void
test_tells_nothing_of_nothing (void)
{
  ScopeDocument *document = open_toy ();
  ScopeNode none = scope_node_get_none ();

  g_assert_null (scope_announce_node (document, &none));
  assert_selected (document, NULL);
  toy_finalize (document);
}

static void
test_tells_marks_of_what_is_selected (void)
{
  ScopeDocument *document = open_toy ();
  SymId value = toy_find (document, "relu1_output");

  scope_document_select_value (document, value);
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, value);
  assert_selected (document, "relu1, Activation, 4x8, 1 parent, 2 children, marked as output");
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, value);
  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, value);
  assert_selected (document, "relu1, Activation, 4x8, 1 parent, 2 children, marked as input");
  toy_wait (document);
  toy_finalize (document);
}

static void
test_tells_what_is_wrong (void)
{
  g_autofree char *text = NULL;
  g_autofree char *path = toy_write (
      "wrong-symbol.json",
      "{\"nodes\":[" TOY_NODE ("null", "a", "\"__shape__\":\"(2,3)\"", "") "," TOY_NODE (
          "null", "b", "\"__shape__\":\"(4,5)\"",
          "") "," TOY_NODE ("elemwise_add", "sum", "",
                            "[0,0,0],[1,0,0]") "],"
                                               "\"arg_nodes\":[0,1],\"heads\":[[2,0,0]]}");

  ScopeDocument *document = toy_open (path);

  scope_document_select_value (document, toy_find (document, "sum_output"));
  const char *problem =
      scope_document_get_call_problem (document, scope_document_get_selected_call (document));

  g_assert_nonnull (problem);
  text = scope_announce_selected (document);
  g_assert_true (g_str_has_prefix (text, "sum, elemwise_add, "));
  g_assert_true (g_str_has_suffix (text, problem));
  toy_finalize (document);
}

/* Within a layer that is opened: how its weights are arranged is drawn nowhere, and no relative. */
static void
test_tells_relatives_within (void)
{
  g_autofree char *path = toy_write (
      "lstm.json", "{\"class_name\": \"Sequential\", \"config\": {\"layers\": ["
                   "{\"class_name\": \"LSTM\", \"config\": {\"name\": \"rnn\", \"units\": 4,"
                   " \"batch_input_shape\": [null, 5, 3]}}]}}");
  ScopeDocument *document = toy_open (path);
  g_autoptr (GString) texts = g_string_new (NULL);

  scope_document_select_value (document, toy_find (document, "rnn"));
  g_assert_true (scope_document_open_selected_layer (document));
  toy_wait (document);
  SymScene *scene =
      sym_layout_get_scene (sym_picture_get_layout (scope_document_get_picture (document)));

  for (guint i = 0; i < sym_scene_get_n_items (scene); i++)
    {
      ScopeNode node = scope_place_get_node (scene, i);
      g_autofree char *text = node.body != NULL ? scope_announce_node (document, &node) : NULL;

      if (text != NULL)
        g_string_append_printf (texts, "%s\n", strstr (text, ", ") + 2); /* names are made up */
    }
  g_assert_cmpstr (texts->str, ==,
                   "input, ?x5x3, 0 parents, 1 child\n"
                   "Transpose, 5x?x3, 1 parent, 1 child\n"
                   "LSTM, 1x?x4, 1 parent, 1 child\n"
                   "Reshape, ?x4, 1 parent, 0 children\n");
  toy_finalize (document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/announce/tells-type-shape-and-relatives",
                   test_tells_type_shape_and_relatives);
  g_test_add_func ("/app/announce/tells-results-apart", test_tells_results_apart);
  g_test_add_func ("/app/announce/names-of-dimensions-stand-apart",
                   test_names_of_dimensions_stand_apart);
  g_test_add_func ("/app/announce/tells-nothing-of-nothing", test_tells_nothing_of_nothing);
  g_test_add_func ("/app/announce/tells-marks-of-what-is-selected",
                   test_tells_marks_of_what_is_selected);
  g_test_add_func ("/app/announce/tells-what-is-wrong", test_tells_what_is_wrong);
  g_test_add_func ("/app/announce/tells-relatives-within", test_tells_relatives_within);
  return g_test_run ();
}
