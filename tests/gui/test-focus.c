/* SPDX-License-Identifier: MIT */
#include "toy.h"

static ScopeDocument *
open_toy (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));

  return toy_open (path);
}

static void
select_named (ScopeDocument *document, const char *name)
{
  scope_document_select_value (document, toy_find (document, name));
}

static void
assert_told (ScopeDocument *document, const char *expected)
{
  g_autofree char *text = scope_focus_trace_to_string (scope_document_get_focus (document),
                                                       scope_document_get_model (document),
                                                       scope_document_get_trace (document));

  g_assert_cmpstr (text, ==, expected);
}

static gboolean
is_traced (ScopeDocument *document, const char *name)
{
  return sym_trace_has_value (scope_document_get_trace (document), toy_find (document, name));
}

static gboolean
is_drawn (ScopeDocument *document, const char *name)
{
  SymLayout *layout = sym_picture_get_layout (scope_document_get_picture (document));

  return sym_scene_find_value (sym_layout_get_scene (layout), toy_find (document, name)) !=
         G_MAXUINT;
}

static void
test_traces_both_ways (void)
{
  ScopeDocument *document = open_toy ();

  scope_document_trace_selection (document, SCOPE_TRACE_BOTH); /* of nothing */
  assert_told (document, NULL);
  select_named (document, "relu1_output");
  scope_document_trace_selection (document, SCOPE_TRACE_ANCESTORS);
  toy_wait (document);
  assert_told (document, "Ancestors of “relu1_output” · 3 nodes");
  g_assert_true (is_traced (document, "data"));
  g_assert_false (is_traced (document, "fc2_output"));
  scope_document_trace_selection (document, SCOPE_TRACE_DESCENDANTS);
  toy_wait (document);
  assert_told (document, "Descendants of “relu1_output” · 4 nodes");
  scope_document_trace_selection (document, SCOPE_TRACE_DESCENDANTS); /* the same again ends it */
  toy_wait (document);
  assert_told (document, NULL);
  g_assert_null (scope_document_get_trace (document));
  toy_finalize (document);
}

static void
test_path_is_chosen_in_two_steps (void)
{
  ScopeDocument *document = open_toy ();

  select_named (document, "data");
  scope_document_trace_selection (document, SCOPE_TRACE_CHOOSING);
  toy_wait (document);
  g_assert_null (scope_document_get_trace (document));
  select_named (document, "out_output");
  scope_document_trace_selection (document, SCOPE_TRACE_CHOOSING);
  toy_wait (document);
  assert_told (document, "Path between “data” and “out_output” · 4 layers");
  g_assert_true (is_traced (document, "sum_output"));
  g_assert_false (is_traced (document, "fc2_output")); /* the skip is shorter */
  scope_document_end_trace (document);
  toy_wait (document);
  g_assert_null (scope_document_get_trace (document));
  toy_finalize (document);
}

static void
test_no_path_is_told (void)
{
  ScopeDocument *document = open_toy ();

  select_named (document, "fc2_weight");
  scope_document_trace_path (document, SYM_TRACE_VALUE (toy_find (document, "data")));
  toy_wait (document);
  assert_told (document, "No path joins “data” and “fc2_weight”");
  g_assert_null (scope_document_get_trace (document));
  toy_finalize (document);
}

static void
test_neighbourhood_is_a_view_of_its_own (void)
{
  ScopeDocument *document = open_toy ();

  select_named (document, "data");
  scope_document_set_hops (document, 1);
  scope_document_look_around (document);
  toy_wait (document);
  g_assert_true (is_drawn (document, "fc1_output"));
  g_assert_false (is_drawn (document, "relu1_output"));
  scope_document_set_hops (document, 2);
  toy_wait (document);
  g_assert_true (is_drawn (document, "relu1_output"));
  g_assert_false (is_drawn (document, "fc2_output"));
  scope_document_show_whole (document);
  toy_wait (document);
  g_assert_true (is_drawn (document, "out_output"));
  toy_finalize (document);
}

/* Relu layers one after the other, more than open at once, are drawn as one group. */
static void
test_neighbourhood_of_a_closed_group (void)
{
  g_autofree char *text = toy_format_chain (1000);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  ScopeDocument *document = toy_open (path);
  guint group;

  select_named (document, "relu400_output");
  group = scope_document_get_selected_group (document);
  g_assert_cmpuint (group, !=, SYM_NO_GROUP);
  scope_document_set_hops (document, 1);
  scope_document_look_around (document);
  toy_wait (document);
  g_assert_cmpuint (scope_document_get_focus (document)->group, ==, group);
  SymScene *scene =
      sym_layout_get_scene (sym_picture_get_layout (scope_document_get_picture (document)));
  const SymSceneItem *item = sym_scene_get_item (
      scene, sym_scene_find_value (scene, toy_find (document, "relu400_output")));

  g_assert_cmpuint (item->group, ==, group); /* it stays closed */
  g_assert_cmpuint (item->n_merged, ==, scope_document_get_focus (document)->n_merged);
  g_assert_cmpuint (scope_document_get_selected_group (document), ==, group);
  scope_document_open_group (document, group);
  toy_wait (document);
  scene = sym_layout_get_scene (sym_picture_get_layout (scope_document_get_picture (document)));
  g_assert_cmpuint (sym_scene_find_value (scene, toy_find (document, "relu400_output")), !=,
                    G_MAXUINT); /* all of it is still there */
  scope_document_show_whole (document);
  toy_wait (document);
  g_assert_cmpuint (scope_document_get_focus (document)->group, ==, SYM_NO_GROUP);
  toy_finalize (document);
}

static void
test_neighbourhood_follows_the_selection (void)
{
  ScopeDocument *document = open_toy ();

  select_named (document, "data");
  g_assert_false (scope_document_follow_selection (document)); /* all is drawn */
  scope_document_set_hops (document, 1);
  scope_document_look_around (document);
  toy_wait (document);
  select_named (document, "fc1_output");
  g_assert_false (scope_document_follow_selection (document));
  select_named (document, "fc2_weight"); /* weights are drawn nowhere */
  g_assert_false (scope_document_follow_selection (document));
  select_named (document, "out_output");
  g_assert_true (scope_document_follow_selection (document));
  toy_wait (document);
  g_assert_true (is_drawn (document, "sum_output"));
  g_assert_false (is_drawn (document, "data"));
  toy_finalize (document);
}

static void
test_reading_again_ends_it (void)
{
  ScopeDocument *document = open_toy ();

  select_named (document, "data");
  scope_document_trace_selection (document, SCOPE_TRACE_BOTH);
  scope_document_look_around (document);
  toy_wait (document);
  g_assert_nonnull (scope_document_get_trace (document));
  scope_document_reload (document);
  toy_wait (document);
  g_assert_null (scope_document_get_trace (document));
  g_assert_cmpuint (scope_document_get_focus (document)->around, ==, SYM_NO_ID);
  g_assert_true (is_drawn (document, "out_output"));
  toy_finalize (document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/focus/traces-both-ways", test_traces_both_ways);
  g_test_add_func ("/gui/focus/path-is-chosen-in-two-steps", test_path_is_chosen_in_two_steps);
  g_test_add_func ("/gui/focus/no-path-is-told", test_no_path_is_told);
  g_test_add_func ("/gui/focus/neighbourhood-is-a-view-of-its-own",
                   test_neighbourhood_is_a_view_of_its_own);
  g_test_add_func ("/gui/focus/neighbourhood-follows-the-selection",
                   test_neighbourhood_follows_the_selection);
  g_test_add_func ("/gui/focus/neighbourhood-of-a-closed-group",
                   test_neighbourhood_of_a_closed_group);
  g_test_add_func ("/gui/focus/reading-again-ends-it", test_reading_again_ends_it);
  return g_test_run ();
}
