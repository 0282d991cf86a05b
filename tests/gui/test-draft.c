/* SPDX-License-Identifier: MIT */
#include "app/scope-draft.h"

#include "app/scope-job.h"
#include "core/sym-edit.h"
#include "core/sym-model-builder.h"
#include "toy.h"

#define GROUP "tab"

/* Layers that follow each other, of a_max 1, 2... so that they are known however they are called;
 * @head is the output, from 1, and @more one more of them, or 0. */
static SymModel *
read_chain (const char *const *names, guint head, guint more)
{
  g_autoptr (GString) text = g_string_new ("{\"nodes\":[" TOY_NODE ("null", "data", "", ""));
  guint n = g_strv_length ((char **) names);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        text, "," TOY_NODE ("clip", "%s", "\"a_min\":\"0\",\"a_max\":\"%u\"", "[%u,0,0]"), names[i],
        i + 1, i);
  g_string_append_printf (text, "],\"arg_nodes\":[0],\"heads\":[[%u,0,0]", head);
  if (more > 0)
    g_string_append_printf (text, ",[%u,0,0]", more);
  g_string_append (text, "]}");
  g_autofree char *path = toy_write ("chain-symbol.json", text->str);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  SymModel *model = scope_read_model (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return model;
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static SymId
find (SymModel *model, const char *value)
{
  g_autoptr (GError) error = NULL;
  SymId id = SYM_NO_ID;

  sym_model_resolve (model, value, &id, &error);
  g_assert_no_error (error);
  return id;
}

static SymId
find_call (SymModel *model, const char *value)
{
  return sym_model_get_producer (model, find (model, value));
}

/* Gives layers names, by their own and the new one in turns; the edit goes on. */
static SymEdit *
rename_calls (SymModel *model, const char *const *pairs)
{
  SymEdit *edit = sym_edit_new (model);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; pairs[i] != NULL; i += 2)
    {
      g_autofree char *result = g_strconcat (pairs[i], "_output", NULL);

      sym_edit_rename_call (edit, find_call (model, result), pairs[i + 1], &error);
      g_assert_no_error (error);
    }
  return edit;
}

/* Through a file's text, as another session would have it. */
static ScopeDraft *
pass_on (SymModel *saved, SymModel *edited)
{
  g_autoptr (ScopeDraft) draft = scope_draft_new (saved, edited);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GKeyFile) again = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  g_key_file_set_string (file, GROUP, "uri", "file:///nothing");
  scope_draft_save (draft, file, GROUP);
  g_autofree char *text = g_key_file_to_data (file, NULL, NULL);

  g_key_file_load_from_data (again, text, strlen (text), G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  return scope_draft_load (again, GROUP);
}

/* What is made of @file by the edits that ended in @edited; @n_lost of them are not. */
static SymModel *
do_again (SymModel *saved, SymModel *edited, SymModel *file, guint n_lost)
{
  g_autoptr (ScopeDraft) draft = pass_on (saved, edited);
  guint n = 77;
  SymModel *again = scope_draft_apply (draft, file, &n);

  g_assert_cmpuint (n, ==, n_lost);
  return again;
}

/* The layers as read_chain() made them are called so, and their results after them. */
static void
assert_chain (SymModel *model, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *result = g_strconcat (names[i], "_output", NULL);
      SymId call = find_call (model, result);
      const SymAttributes *attributes =
          sym_layer_get_attributes (sym_model_get_layer (model, call));

      g_assert_cmpstr (sym_model_get_call_name (model, call), ==, names[i]);
      g_assert_cmpfloat (sym_attributes_get_float (attributes, "a_max", 0), ==, i + 1);
    }
}

static void
test_nothing_is_no_draft (void)
{
  g_autoptr (SymModel) saved = read_chain (NAMES ("a", "b"), 2, 0);
  g_autoptr (SymModel) same = sym_edit_end (sym_edit_new (saved));
  guint n_lost = 77;

  g_assert_null (scope_draft_new (saved, saved));
  g_assert_null (scope_draft_new (saved, same));
  g_assert_null (pass_on (saved, same));
  g_autoptr (SymModel) model = scope_draft_apply (NULL, saved, &n_lost);

  g_assert_true (model == saved);
  g_assert_cmpuint (n_lost, ==, 0);
}

static void
test_names_are_exchanged_and_passed_on (void)
{
  g_autoptr (SymModel) saved = read_chain (NAMES ("a", "b", "c", "d", "e"), 5, 0);
  g_autoptr (SymModel) edited = sym_edit_end (
      rename_calls (saved, NAMES ("a", "aside 1", "b", "a", "c", "x", "d", "c", "e", "d")));
  g_autoptr (SymModel) last = NULL;
  SymEdit *edit = sym_edit_new (edited);

  g_assert_true (sym_edit_rename_call (edit, find_call (edited, "aside 1_output"), "b", NULL));
  last = sym_edit_end (edit);
  assert_chain (last, NAMES ("b", "a", "x", "c", "d"));
  g_autoptr (SymModel) again = do_again (saved, last, saved, 0);

  assert_chain (again, NAMES ("b", "a", "x", "c", "d"));
}

/* "first" has become "stem", which the file has meanwhile: that one stays as it is, and so does the
 * one that should be called "first" then.  Others do not wait for them. */
static void
test_names_that_cannot_be_given_are_left_out (void)
{
  g_autoptr (SymModel) saved = read_chain (NAMES ("first", "b", "c", "d", "e"), 5, 0);
  g_autoptr (SymModel) file = read_chain (NAMES ("first", "b", "c", "d", "stem"), 5, 0);
  g_autoptr (SymModel) aside =
      sym_edit_end (rename_calls (saved, NAMES ("first", "stem", "d", "first", "b", "x")));
  g_autoptr (SymModel) edited = sym_edit_end (rename_calls (aside, NAMES ("c", "b", "x", "c")));
  g_autoptr (SymModel) again = do_again (saved, edited, file, 2);

  assert_chain (edited, NAMES ("stem", "c", "b", "first", "e"));
  assert_chain (again, NAMES ("first", "c", "b", "d", "stem"));
}

/* Renaming a layer renames its result along, unless that has got its old name again. */
static void
test_results_have_the_names_that_they_got (void)
{
  g_autoptr (SymModel) saved = read_chain (NAMES ("a", "b"), 2, 0);
  SymEdit *edit = rename_calls (saved, NAMES ("a", "act", "b", "last"));

  g_assert_true (sym_edit_rename_value (edit, find (saved, "a_output"), "a_output", NULL));
  g_assert_true (sym_edit_rename_value (edit, find (saved, "b_output"), "end", NULL));
  g_autoptr (SymModel) edited = sym_edit_end (edit);
  g_autoptr (SymModel) again = do_again (saved, edited, saved, 0);

  g_assert_cmpstr (sym_model_get_call_name (again, find_call (again, "a_output")), ==, "act");
  g_assert_cmpstr (sym_model_get_call_name (again, find_call (again, "end")), ==, "last");
}

/* A result that follows its layer is no edit of its own. */
static void
test_what_is_lost_is_counted (void)
{
  g_autoptr (SymModel) saved = read_chain (NAMES ("a", "b", "c"), 3, 0);
  g_autoptr (SymModel) file = read_chain (NAMES ("other", "b", "c"), 3, 0);
  SymEdit *edit = rename_calls (saved, NAMES ("a", "x", "b", "y"));

  sym_edit_set_attribute (edit, find_call (saved, "a_output"), "a_max", sym_value_new_float (9),
                          NULL);
  sym_edit_set_attribute (edit, find_call (saved, "c_output"), "a_min", sym_value_new_float (-9),
                          NULL);
  sym_edit_add_output (edit, find (saved, "a_output"), NULL);
  g_autoptr (SymModel) edited = sym_edit_end (edit);
  g_autoptr (SymModel) again = do_again (saved, edited, file, 3);

  assert_chain (again, NAMES ("other", "y", "c"));
  g_assert_cmpfloat (sym_attributes_get_float (sym_layer_get_attributes (sym_model_get_layer (
                                                   again, find_call (again, "c_output"))),
                                               "a_min", 0),
                     ==, -9);
  g_assert_cmpuint (sym_model_get_outputs (again).n, ==, 1);
}

static void
assert_outputs (SymModel *model, const char *const *names)
{
  SymIds outputs = sym_model_get_outputs (model);

  g_assert_cmpuint (outputs.n, ==, g_strv_length ((char **) names));
  for (guint i = 0; i < outputs.n; i++)
    g_assert_cmpuint (outputs.ids[i], ==, find (model, names[i]));
}

/* By who is an output, from 1, in the file before and after, in which of them is removed. */
static void
test_outputs_that_the_file_got_stay (void)
{
  const char *const *names = NAMES ("a", "b", "c", "d");
  g_autoptr (SymModel) saved = read_chain (names, 4, 2);
  g_autoptr (SymModel) file = read_chain (names, 4, 3);
  g_autoptr (SymModel) only = read_chain (names, 2, 0);
  const SymId added[] = { find (saved, "d_output"), find (saved, "a_output") };
  const SymId turned[] = { find (saved, "b_output"), find (saved, "d_output") };
  const SymId removed[] = { find (saved, "d_output") };
  g_autoptr (SymModel) edited = NULL;
  SymEdit *edit = sym_edit_new (saved);

  g_assert_true (sym_edit_set_outputs (edit, added, 2, NULL));
  edited = sym_edit_end (edit);
  g_autoptr (SymModel) again = do_again (saved, edited, file, 0);

  assert_outputs (again, NAMES ("d_output", "c_output", "a_output"));
  g_clear_pointer (&edited, sym_model_unref);
  edit = sym_edit_new (saved);
  g_assert_true (sym_edit_set_outputs (edit, turned, 2, NULL));
  edited = sym_edit_end (edit);
  g_autoptr (SymModel) order = do_again (saved, edited, saved, 0);

  assert_outputs (order, NAMES ("b_output", "d_output"));
  g_clear_pointer (&edited, sym_model_unref);
  edit = sym_edit_new (saved);
  g_assert_true (sym_edit_set_outputs (edit, removed, 1, NULL));
  edited = sym_edit_end (edit);
  g_autoptr (SymModel) left = do_again (saved, edited, only, 1); /* it would have none */

  assert_outputs (left, NAMES ("b_output"));
  g_assert_true (left == only);
}

/* What was saved meanwhile is nothing to be done. */
static void
test_a_file_that_has_it_all_stays (void)
{
  g_autoptr (SymModel) saved = read_chain (NAMES ("a", "b"), 2, 0);
  SymEdit *edit = rename_calls (saved, NAMES ("a", "x"));

  sym_edit_set_attribute (edit, find_call (saved, "b_output"), "a_max", sym_value_new_float (9),
                          NULL);
  sym_edit_add_output (edit, find (saved, "a_output"), NULL);
  g_autoptr (SymModel) edited = sym_edit_end (edit);
  SymEdit *back = rename_calls (edited, NAMES ("x", "a"));
  g_autoptr (SymModel) named = sym_edit_end (back);
  g_autoptr (ScopeDraft) draft = pass_on (saved, named);
  guint n_lost;
  g_autoptr (SymModel) once = scope_draft_apply (draft, saved, &n_lost);
  g_autoptr (SymModel) twice = scope_draft_apply (draft, once, &n_lost);

  g_assert_true (once != saved);
  g_assert_true (twice == once);
  g_assert_cmpuint (n_lost, ==, 0);
}

/* Three calls without results, of which one has no name; they are known by it. */
static SymModel *
build_sinks (void)
{
  SymModelBuilder *builder = sym_model_builder_new (SYM_DIALECT_PLAIN);
  SymType type = SYM_TYPE_UNKNOWN;
  SymId x = sym_model_builder_add_value (builder, "x", SYM_ROLE_INPUT, &type);
  static const char *const names[] = { "", "sink", "other" };

  sym_model_builder_add_output (builder, x);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SymId call = sym_model_builder_add_new (builder, names[i], "Sink", NULL, NULL);

      sym_model_builder_append_operand (builder, call, x);
    }
  return sym_model_builder_end (builder);
}

static void
test_layers_without_results_are_known_by_name (void)
{
  g_autoptr (SymModel) saved = build_sinks ();
  SymEdit *edit = sym_edit_new (saved);

  g_assert_true (sym_edit_rename_call (edit, 1, "drain", NULL));
  g_assert_true (sym_edit_set_attribute (edit, 2, "size", sym_value_new_int (3), NULL));
  g_assert_true (sym_edit_set_attribute (edit, 0, "size", sym_value_new_int (4), NULL));
  g_autoptr (SymModel) edited = sym_edit_end (edit);
  g_autoptr (SymModel) again = do_again (saved, edited, saved, 0);

  g_assert_cmpstr (sym_model_get_call_name (again, 1), ==, "drain");
  g_assert_cmpint (
      sym_attributes_get_int (sym_layer_get_attributes (sym_model_get_layer (again, 2)), "size", 0),
      ==, 3);
  g_assert_cmpint (
      sym_attributes_get_int (sym_layer_get_attributes (sym_model_get_layer (again, 0)), "size", 0),
      ==, 0);
}

/* No name is no name to be known by. */
static void
test_no_layer_is_known_by_an_empty_name (void)
{
  g_autoptr (SymModel) model = build_sinks ();
  g_autoptr (GKeyFile) file = g_key_file_new ();
  guint n_lost;

  g_key_file_set_string_list (file, GROUP, "renamed-layers", NAMES ("@", "drain"), 2);
  g_autoptr (ScopeDraft) draft = scope_draft_load (file, GROUP);
  g_autoptr (SymModel) edited = scope_draft_apply (draft, model, &n_lost);

  g_assert_true (edited == model);
  g_assert_cmpuint (n_lost, ==, 1);
}

/* A file may have anything: names twice, empty ones, half a pair, a literal that is none. */
static void
test_nonsense_is_left_out (void)
{
  static const char text[] = "[tab]\nrenamed-layers=a_output;x;b_output;x;c_output;;@;y;odd\n"
                             "renamed-values=;z;none;z;a_output;b_output\n"
                             "edited-attributes=a_output;a_max;((;a_output;a_max\n"
                             "removed-outputs=none;\nadded-outputs=data;none;\n";
  g_autoptr (SymModel) model = read_chain (NAMES ("a", "b", "c"), 3, 0);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  guint n_lost;

  g_key_file_load_from_data (file, text, strlen (text), G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  g_autoptr (ScopeDraft) draft = scope_draft_load (file, GROUP);
  g_autoptr (SymModel) edited = scope_draft_apply (draft, model, &n_lost);

  assert_chain (edited, NAMES ("x", "b", "c"));
  assert_outputs (edited, NAMES ("c_output"));
  g_assert_cmpuint (n_lost, ==, 9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/draft/nothing-is-no-draft", test_nothing_is_no_draft);
  g_test_add_func ("/app/draft/names-are-exchanged-and-passed-on",
                   test_names_are_exchanged_and_passed_on);
  g_test_add_func ("/app/draft/names-that-cannot-be-given-are-left-out",
                   test_names_that_cannot_be_given_are_left_out);
  g_test_add_func ("/app/draft/results-have-the-names-that-they-got",
                   test_results_have_the_names_that_they_got);
  g_test_add_func ("/app/draft/what-is-lost-is-counted", test_what_is_lost_is_counted);
  g_test_add_func ("/app/draft/outputs-that-the-file-got-stay",
                   test_outputs_that_the_file_got_stay);
  g_test_add_func ("/app/draft/a-file-that-has-it-all-stays", test_a_file_that_has_it_all_stays);
  g_test_add_func ("/app/draft/layers-without-results-are-known-by-name",
                   test_layers_without_results_are_known_by_name);
  g_test_add_func ("/app/draft/no-layer-is-known-by-an-empty-name",
                   test_no_layer_is_known_by_an_empty_name);
  g_test_add_func ("/app/draft/nonsense-is-left-out", test_nonsense_is_left_out);
  return g_test_run ();
}
