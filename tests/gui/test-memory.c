/* SPDX-License-Identifier: MIT */
#include "app/scope-memory.h"

#include "loop.h"
#include "toy.h"

#define GROUP "tab"

#define SHAPED_TOY(data_attrs)                                                             \
  "{\"nodes\":[" TOY_NODE ("null", "data", data_attrs,                                     \
                           "") "," TOY_NODE ("Activation", "act", "\"act_type\":\"relu\"", \
                                             "[0,0,0]") "],\"arg_nodes\":[0],\"heads\":[[1,0,0]]}"

/* A chain of activations, ten in each block. */
static char *
format_blocks (guint n)
{
  GString *json =
      g_string_new ("{\"nodes\": [{\"op\": \"null\", \"name\": \"data\", \"inputs\": []}");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (json,
                            ", {\"op\": \"Activation\", \"name\": \"block%u/act%u\", "
                            "\"attrs\": {\"act_type\": \"relu\"}, \"inputs\": [[%u, 0, 0]]}",
                            i / 10, i, i);
  g_string_append_printf (json, "], \"arg_nodes\": [0], \"heads\": [[%u, 0, 0]]}", n);
  return g_string_free (json, FALSE);
}

/* Through a file's text, as another session would have it. */
static ScopeMemory *
pass_through (ScopeMemory *memory)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GKeyFile) again = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  scope_memory_save (memory, file, GROUP);
  g_autofree char *text = g_key_file_to_data (file, NULL, NULL);

  g_key_file_load_from_data (again, text, strlen (text), G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  return scope_memory_load (again, GROUP);
}

static ScopeMemory *
pass_on (ScopeDocument *document)
{
  ScopeMiddle middle = { 3, 4, 1.5, FALSE };
  g_autoptr (ScopeMemory) memory = scope_memory_new (document, &middle);

  return pass_through (memory);
}

static char *
replace_all (const char *text, const char *from, const char *to)
{
  g_autoptr (GString) string = g_string_new (text);

  g_string_replace (string, from, to, 0);
  return g_string_free (g_steal_pointer (&string), FALSE);
}

static ScopeDocument *
open_remembered (const char *path, ScopeMemory *take_memory)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  ScopeDocument *document = scope_document_new_for_file (file);

  scope_document_remember (document, take_memory);
  toy_wait (document);
  g_assert_null (scope_document_get_remembered (document));
  return document;
}

static void
write_again (const char *path, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static guint
find_group (ScopeDocument *document, const char *value)
{
  SymGroups *groups = sym_folding_get_groups (scope_document_get_folding (document));
  SymId call =
      sym_model_get_producer (scope_document_get_model (document), toy_find (document, value));

  return sym_groups_find_call (groups, call);
}

static gboolean
is_open (ScopeDocument *document, const char *value)
{
  return sym_folding_is_open (scope_document_get_folding (document), find_group (document, value));
}

/* As after a shape was typed and saved: there is nothing to save again. */
static void
test_shapes_that_the_file_has_are_no_edit (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", SHAPED_TOY (""));
  g_autofree char *saved = toy_write ("toy-symbol.json", SHAPED_TOY ("\"__shape__\":\"(4, 3)\""));
  ScopeDocument *document = toy_open (path);

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL));
  toy_wait (document);
  ScopeMemory *memory = pass_on (document);

  toy_finalize (document);
  document = open_remembered (path, scope_memory_ref (memory));
  g_assert_true (scope_document_is_modified (document));
  write_again (path, SHAPED_TOY ("\"__shape__\":\"(4, 3)\""));
  scope_document_reload (document);
  toy_wait (document);
  g_assert_false (scope_document_is_modified (document));
  toy_finalize (document);
  document = open_remembered (saved, scope_memory_ref (memory));
  g_assert_false (scope_document_is_modified (document));
  toy_finalize (document);

  /* Saved in the same session. */
  g_assert_true (scope_memory_has_edits (memory));
  write_again (path, SHAPED_TOY (""));
  document = open_remembered (path, memory);
  g_assert_true (scope_document_is_modified (document));
  scope_document_take_saved (document, scope_state_ref (scope_document_get_state (document)),
                             scope_document_get_file (document),
                             scope_document_get_format (document));
  g_autoptr (ScopeMemory) after = pass_on (document);

  g_assert_false (scope_memory_has_edits (after));
  toy_finalize (document);
}

static void
test_view_selection_and_decisions_come_back (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document = toy_open (path);
  ScopeView view = *scope_document_get_view (document);

  view.drawing = SYM_DRAWING_LAYERS;
  view.labels = SYM_LABEL_DTYPE;
  view.direction = SYM_DIRECTION_RIGHT;
  scope_document_set_view (document, &view);
  scope_document_select_value (document, toy_find (document, "fc2_output"));
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "sum_output"));
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,3", NULL));
  toy_wait (document);
  ScopeMemory *memory = pass_on (document);

  g_assert_cmpfloat (scope_memory_get_middle (memory).scale, ==, 1.5);
  toy_finalize (document);
  document = open_remembered (path, memory);
  g_assert_cmpint (scope_document_get_view (document)->drawing, ==, SYM_DRAWING_LAYERS);
  g_assert_cmpint (scope_document_get_view (document)->direction, ==, SYM_DIRECTION_RIGHT);
  g_assert_cmpint (scope_document_get_view (document)->labels, ==, SYM_LABEL_DTYPE);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==,
                    toy_find (document, "fc2_output"));
  g_assert_true (scope_state_has_mark (scope_document_get_state (document), SCOPE_MARK_OUTPUT,
                                       toy_find (document, "sum_output")));
  g_assert_cmpstr (
      scope_state_get_shape_text (scope_document_get_state (document), toy_find (document, "data")),
      ==, "4,3");
  g_assert_false (scope_document_can_undo (document));
  toy_finalize (document);
}

static SymId
find_call (ScopeDocument *document, const char *value)
{
  return sym_model_get_producer (scope_document_get_model (document), toy_find (document, value));
}

static const char *
get_call_name (ScopeDocument *document, const char *value)
{
  return sym_model_get_call_name (scope_document_get_model (document), find_call (document, value));
}

/* Each kind of edit; two layers have exchanged their names. */
static void
edit_all (ScopeDocument *document)
{
  SymId relu = find_call (document, "relu1_output"), sum = find_call (document, "sum_output");
  GError *error = NULL;

  scope_document_rename_value (document, toy_find (document, "data"), "picture", &error);
  scope_document_set_attribute (document, find_call (document, "fc1_output"), "num_hidden", "16",
                                &error);
  scope_document_set_attribute (document, find_call (document, "out_output"), "act_type", "sigmoid",
                                &error);
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "fc2_output"));
  scope_document_add_outputs (document, &error);
  scope_document_rename_call (document, relu, "aside", &error);
  scope_document_rename_call (document, sum, "relu1", &error);
  scope_document_rename_call (document, relu, "sum", &error);
  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, toy_find (document, "picture"));
  g_assert_no_error (error);
  toy_wait (document);
}

static void
assert_edited (ScopeDocument *document)
{
  SymModel *model = scope_document_get_model (document);
  SymLayer *layer = sym_model_get_layer (model, find_call (document, "fc1_output"));
  SymLayer *last = sym_model_get_layer (model, find_call (document, "out_output"));

  g_assert_cmpint (sym_attributes_get_int (sym_layer_get_attributes (layer), "num_hidden", 0), ==,
                   16);
  g_assert_cmpstr (sym_attributes_get_string (sym_layer_get_attributes (last), "act_type", ""), ==,
                   "sigmoid");
  g_assert_cmpuint (sym_model_get_outputs (model).n, ==, 2);
  g_assert_true (sym_model_is_output (model, toy_find (document, "fc2_output")));
  g_assert_cmpstr (get_call_name (document, "sum_output"), ==, "sum");
  g_assert_cmpstr (
      sym_layer_get_type (sym_model_get_layer (model, find_call (document, "sum_output"))), ==,
      "Activation");
  g_assert_cmpstr (get_call_name (document, "relu1_output"), ==, "relu1");
  g_assert_true (scope_state_has_mark (scope_document_get_state (document), SCOPE_MARK_INPUT,
                                       toy_find (document, "picture")));
}

static void
test_edits_that_were_not_saved_come_back (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *shorter = toy_format_unequal_chain (3);
  ScopeDocument *document = toy_open (path);

  edit_all (document);
  assert_edited (document);
  ScopeMemory *memory = pass_on (document);

  toy_finalize (document);
  g_assert_true (scope_memory_has_edits (memory));
  document = open_remembered (path, scope_memory_ref (memory));
  assert_edited (document);
  g_assert_true (scope_document_is_modified (document));

  /* What was remembered is remembered again, and one step leads back to the file. */
  ScopeMemory *again = pass_on (document);

  scope_document_undo (document);
  toy_wait (document);
  g_assert_false (scope_document_is_modified (document));
  g_assert_true (scope_state_has_mark (scope_document_get_state (document), SCOPE_MARK_INPUT,
                                       toy_find (document, "data")));
  scope_document_redo (document);
  toy_wait (document);
  assert_edited (document);
  toy_finalize (document);
  document = open_remembered (path, again);
  assert_edited (document);
  toy_finalize (document);

  /* Of another file, what it has as well. */
  write_again (path, shorter);
  document = open_remembered (path, scope_memory_ref (memory));
  g_assert_true (scope_document_is_modified (document));
  g_assert_cmpuint (toy_find (document, "picture"), !=, SYM_NO_ID);
  g_assert_cmpuint (sym_model_get_outputs (scope_document_get_model (document)).n, ==, 1);
  toy_finalize (document);
  write_again (path, TOY (""));
  scope_memory_unref (memory);
}

static ScopeMemory *
pass_on_saved (ScopeDocument *document)
{
  g_autoptr (ScopeMemory) memory = scope_memory_new_saved (document, &(ScopeMiddle){ 0 });

  return pass_through (memory);
}

/* What was discarded stays away; how it was looked at does not. */
static void
test_edits_that_were_discarded_stay_away (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document = toy_open (path);

  edit_all (document);
  scope_document_select_value (document, toy_find (document, "picture"));
  ScopeMemory *memory = pass_on_saved (document);

  toy_finalize (document);
  g_assert_false (scope_memory_has_edits (memory));
  document = open_remembered (path, memory);
  SymId data = toy_find (document, "data");

  g_assert_false (scope_document_is_modified (document));
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, data);
  g_assert_true (
      scope_state_has_mark (scope_document_get_state (document), SCOPE_MARK_INPUT, data));
  toy_finalize (document);
}

/* The same when the file is read again. */
static void
test_marks_outlive_names_that_go (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document = toy_open (path);

  edit_all (document);
  scope_document_select_value (document, toy_find (document, "picture"));
  scope_document_reload (document);
  toy_wait (document);
  SymId data = toy_find (document, "data");

  g_assert_false (scope_document_is_modified (document));
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, data);
  g_assert_true (
      scope_state_has_mark (scope_document_get_state (document), SCOPE_MARK_INPUT, data));
  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, data);
  scope_document_undo (document);
  toy_wait (document);
  g_assert_true (
      scope_state_has_mark (scope_document_get_state (document), SCOPE_MARK_INPUT, data));
  toy_finalize (document);
}

/* The input is gone, so are its name and shape. */
static void
test_edits_that_are_lost_are_told (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document = toy_open (path);

  scope_document_rename_value (document, toy_find (document, "data"), "picture", NULL);
  scope_document_set_shape_text (document, toy_find (document, "picture"), "4,3", NULL);
  scope_document_rename_call (document, find_call (document, "out_output"), "end", NULL);
  g_assert_cmpuint (scope_document_take_lost_edits (document), ==, 0);
  toy_wait (document);
  ScopeMemory *memory = pass_on (document);

  toy_finalize (document);
  document = open_remembered (path, scope_memory_ref (memory));
  g_assert_cmpuint (scope_document_take_lost_edits (document), ==, 0);
  toy_finalize (document);
  g_autofree char *text = replace_all (TOY (""), "\"data\"", "\"other\"");

  write_again (path, text);
  document = open_remembered (path, memory);
  g_assert_cmpuint (scope_document_take_lost_edits (document), ==, 2);
  g_assert_cmpuint (scope_document_take_lost_edits (document), ==, 0);
  g_assert_true (scope_document_is_modified (document));
  toy_find (document, "end_output");
  toy_finalize (document);
}

static void
test_what_was_open_comes_back (void)
{
  g_autofree char *text = format_blocks (50);
  g_autofree char *path = toy_write ("blocks-symbol.json", text);
  ScopeDocument *document = toy_open (path);

  g_assert_true (is_open (document, "block1/act15_output"));
  scope_document_close_all (document);
  scope_document_open_group (document, find_group (document, "block3/act35_output"));
  toy_wait (document);
  ScopeMemory *memory = pass_on (document);

  toy_finalize (document);
  document = open_remembered (path, memory);
  g_assert_true (is_open (document, "block3/act35_output"));
  g_assert_false (is_open (document, "block1/act15_output"));
  toy_finalize (document);
}

static void
test_open_layers_come_back (void)
{
  g_autofree char *path = toy_write ("loop-symbol.json", LOOP);
  ScopeDocument *document = toy_open (path);

  scope_document_open_layer (document, "0a/1");
  toy_wait (document);
  ScopeMemory *memory = pass_on (document);

  toy_finalize (document);
  document = open_remembered (path, memory);
  g_assert_true (sym_open_bodies_has (scope_document_get_open_bodies (document), "0"));
  g_assert_true (sym_open_bodies_has (scope_document_get_open_bodies (document), "0a/1"));
  toy_finalize (document);
}

static void
test_reading_again_keeps_what_is_open (void)
{
  g_autofree char *text = format_blocks (50);
  g_autofree char *longer = format_blocks (60);
  g_autofree char *path = toy_write ("blocks-symbol.json", text);
  ScopeDocument *document = toy_open (path);

  scope_document_close_all (document);
  scope_document_open_group (document, find_group (document, "block3/act35_output"));
  scope_document_select_value (document, toy_find (document, "block3/act35_output"));
  toy_wait (document);
  write_again (path, longer);
  scope_document_reload (document);
  toy_wait (document);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==,
                    toy_find (document, "block3/act35_output"));
  g_assert_true (is_open (document, "block3/act35_output"));
  g_assert_false (is_open (document, "block5/act55_output"));
  toy_finalize (document);
}

/* A file may have anything. */
static void
test_nonsense_is_left_out (void)
{
  static const char text[] = "[tab]\nx=nan\nscale=-4\ndrawing=77\ndirection=-1\nlabels=99999\n"
                             "selected=nothing of that name\ngroups=0 no;17;;x y;\n"
                             "layers=a/b/c fc1_output;../.. fc1_output;zz;\n"
                             "outputs=fc1_output;fc1_output;none;\nshapes=data;1,2,,;data\n";
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  g_key_file_load_from_data (file, text, strlen (text), G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  ScopeDocument *document = open_remembered (path, scope_memory_load (file, GROUP));
  ScopeState *state = scope_document_get_state (document);

  g_assert_nonnull (scope_document_get_picture (document));
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, SYM_NO_ID);
  g_assert_cmpuint (scope_state_get_marks (state, SCOPE_MARK_OUTPUT).n, ==, 1);
  g_assert_null (scope_state_get_shape_text (state, toy_find (document, "data")));
  toy_finalize (document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/memory/shapes-that-the-file-has-are-no-edit",
                   test_shapes_that_the_file_has_are_no_edit);
  g_test_add_func ("/app/memory/view-selection-and-decisions-come-back",
                   test_view_selection_and_decisions_come_back);
  g_test_add_func ("/app/memory/edits-that-were-not-saved-come-back",
                   test_edits_that_were_not_saved_come_back);
  g_test_add_func ("/app/memory/edits-that-were-discarded-stay-away",
                   test_edits_that_were_discarded_stay_away);
  g_test_add_func ("/app/memory/marks-outlive-names-that-go", test_marks_outlive_names_that_go);
  g_test_add_func ("/app/memory/edits-that-are-lost-are-told", test_edits_that_are_lost_are_told);
  g_test_add_func ("/app/memory/what-was-open-comes-back", test_what_was_open_comes_back);
  g_test_add_func ("/app/memory/open-layers-come-back", test_open_layers_come_back);
  g_test_add_func ("/app/memory/reading-again-keeps-what-is-open",
                   test_reading_again_keeps_what_is_open);
  g_test_add_func ("/app/memory/nonsense-is-left-out", test_nonsense_is_left_out);
  return g_test_run ();
}
