/* SPDX-License-Identifier: MIT */
#include "app/scope-text.h"
#include "io/sym-io.h"
#include "toy.h"

static void
assert_shape (ScopeDocument *document, const char *name, const char *expected)
{
  g_autofree char *shape =
      scope_text_shape (scope_document_get_inference (document), toy_find (document, name));

  g_assert_cmpstr (shape, ==, expected);
}

static void
type_shape (ScopeDocument *document, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "data"), text, &error));
  g_assert_no_error (error);
}

static void
collect_cb (guint *all, guint changes)
{
  *all |= changes;
}

static void
test_makes_everything_of_a_file (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  ScopeDocument *document = toy_open (path);
  g_autofree char *subtitle = scope_document_get_subtitle (document);

  g_assert_null (scope_document_get_error (document));
  g_assert_cmpstr (scope_document_get_title (document), ==, "toy-symbol.json");
  g_assert_nonnull (strstr (subtitle, "6 nodes"));
  g_assert_cmpuint (sym_summary_get_n_rows (scope_document_get_summary (document)), ==, 6);
  g_assert_nonnull (scope_document_get_picture (document));
  g_assert_null (scope_document_get_cut (document));
  g_assert_false (scope_document_can_undo (document));
  toy_finalize (document);
}

/* What is saved and watched is the file. */
static void
test_finds_the_graph_in_a_folder (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *folder = g_path_get_dirname (path);
  ScopeDocument *document = toy_open (folder);

  g_assert_null (scope_document_get_error (document));
  g_assert_cmpstr (scope_document_get_title (document), ==, "toy-symbol.json");
  g_assert_cmpstr (g_file_peek_path (scope_document_get_file (document)), ==, path);
  g_assert_cmpuint (sym_summary_get_n_rows (scope_document_get_summary (document)), ==, 6);
  toy_finalize (document);
}

static void
test_tells_why_a_folder_cannot_be_opened (void)
{
  g_autofree char *path = toy_write ("notes.txt", "nothing");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (ScopeDocument) document = toy_open (folder);

  g_assert_error (scope_document_get_error (document), SYM_IO_ERROR, SYM_IO_ERROR_FILE);
  g_assert_null (scope_document_get_model (document));
}

static void
test_tells_why_a_file_cannot_be_read (void)
{
  g_autofree char *path = toy_write ("broken-symbol.json", "{\"nodes\": [");
  g_autoptr (ScopeDocument) document = toy_open (path);

  g_assert_nonnull (scope_document_get_error (document));
  g_assert_true (scope_document_get_error (document)->domain == SYM_IO_ERROR);
  g_assert_nonnull (strstr (scope_document_get_error (document)->message, "line 1"));
  g_assert_null (scope_document_get_model (document));
  g_assert_null (scope_document_get_picture (document));
  scope_document_select_value (document, 0);
  g_assert_cmpuint (scope_document_get_selected_value (document), ==, SYM_NO_ID);

  g_assert_true (g_file_set_contents (path, TOY (""), -1, NULL));
  scope_document_reload (document);
  toy_wait (document);
  g_assert_null (scope_document_get_error (document));
  g_assert_nonnull (scope_document_get_picture (document));
}

static void
test_keeps_what_it_has_when_reading_again_fails (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);

  g_assert_true (g_file_set_contents (path, "[", -1, NULL));
  scope_document_reload (document);
  toy_wait (document);
  g_assert_nonnull (scope_document_get_error (document));
  g_assert_nonnull (scope_document_get_picture (document));
  g_assert_cmpuint (sym_summary_get_n_rows (scope_document_get_summary (document)), ==, 6);
}

/* What the file still has by the same name is still marked, typed and selected; undo goes on. */
static void
test_keeps_what_was_decided_when_reading_again (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autofree char *changed = NULL;
  g_auto (GStrv) parts = g_strsplit (TOY (""), "\"relu1\"", -1);

  type_shape (document, "4,3");
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "relu1_output"));
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "fc2_output"));
  scope_document_select_value (document, toy_find (document, "sum_output"));
  toy_wait (document);
  changed = g_strjoinv ("\"renamed\"", parts);
  g_assert_true (g_file_set_contents (path, changed, -1, NULL));
  scope_document_reload (document);
  toy_wait (document);

  ScopeState *state = scope_document_get_state (document);
  SymIds outputs = scope_state_get_marks (state, SCOPE_MARK_OUTPUT);

  g_assert_cmpuint (outputs.n, ==, 1);
  g_assert_cmpuint (outputs.ids[0], ==, toy_find (document, "fc2_output"));
  g_assert_cmpuint (scope_document_get_selected_value (document), ==,
                    toy_find (document, "sum_output"));
  g_assert_cmpuint (scope_document_get_selected_call (document), !=, SYM_NO_ID);
  g_assert_cmpstr (scope_state_get_shape_text (state, toy_find (document, "data")), ==, "4,3");
  assert_shape (document, "renamed_output", "4×8");
  g_assert_nonnull (scope_document_get_cut (document));
  scope_document_undo (document);
  scope_document_undo (document);
  toy_wait (document);
  g_assert_null (scope_document_get_cut (document));
  assert_shape (document, "out_output", "4×8");
}

static void
test_infers_from_a_typed_shape (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);

  type_shape (document, "4,3");
  toy_wait (document);
  assert_shape (document, "out_output", "4×8");
  SymTotals totals = sym_summary_get_totals (scope_document_get_summary (document));

  g_assert_true (totals.known);
  g_assert_cmpuint (totals.total, ==, 104);

  type_shape (document, "batch, 3");
  toy_wait (document);
  assert_shape (document, "out_output", "batch×8");

  type_shape (document, " ");
  toy_wait (document);
  g_assert_null (scope_state_get_shape_text (scope_document_get_state (document),
                                             toy_find (document, "data")));
}

static void
test_refuses_text_that_is_no_shape (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GError) error = NULL;

  type_shape (document, "4,3");
  toy_wait (document);
  g_assert_false (
      scope_document_set_shape_text (document, toy_find (document, "data"), "4,,3", &error));
  g_assert_nonnull (error);
  toy_wait (document);
  assert_shape (document, "out_output", "4×8");
  g_assert_cmpstr (
      scope_state_get_shape_text (scope_document_get_state (document), toy_find (document, "data")),
      ==, "4,3");
}

static void
test_marks_the_layer_that_contradicts (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY ("\"__shape__\":\"(8, 5)\""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  SymModel *model = scope_document_get_model (document);
  SymId call = sym_model_get_producer (model, toy_find (document, "fc1_output"));

  g_assert_null (scope_document_get_call_problem (document, call));
  type_shape (document, "4,3");
  toy_wait (document);
  g_assert_nonnull (scope_document_get_call_problem (document, call));
  type_shape (document, "4,5");
  toy_wait (document);
  g_assert_null (scope_document_get_call_problem (document, call));
}

static void
test_newest_request_wins (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);

  for (int i = 1; i <= 20; i++)
    {
      g_autofree char *text = g_strdup_printf ("%d,3", i);

      type_shape (document, text);
      if (i % 7 == 0)
        g_main_context_iteration (NULL, TRUE);
    }
  toy_wait (document);
  assert_shape (document, "out_output", "20×8");
  scope_document_undo (document);
  toy_wait (document);
  g_assert_false (scope_document_can_undo (document));
  assert_shape (document, "out_output", "rank ?");
}

static void
test_cut_follows_marks_and_undo (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  guint changes = 0;
  guint64 n;

  type_shape (document, "4,3");
  g_signal_connect_swapped (document, "changed", G_CALLBACK (collect_cb), &changes);
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "fc2_output"));
  toy_wait (document);
  g_assert_true (changes & SCOPE_CHANGE_CUT);
  const SymSelection *kept = scope_cut_get_selection (scope_document_get_cut (document));

  g_assert_nonnull (kept);
  g_assert_cmpuint (sym_selection_get_n_values (kept), ==, 4);
  g_assert_false (sym_selection_has_value (kept, toy_find (document, "sum_output")));
  g_assert_true (scope_cut_get_n_parameters (scope_document_get_cut (document), &n));
  g_assert_cmpuint (n, ==, 104);

  scope_document_undo (document);
  toy_wait (document);
  g_assert_null (scope_document_get_cut (document));
  assert_shape (document, "out_output", "4×8");
  scope_document_undo (document);
  toy_wait (document);
  g_assert_false (scope_document_can_undo (document));
  scope_document_redo (document);
  scope_document_redo (document);
  toy_wait (document);
  g_assert_nonnull (scope_document_get_cut (document));
  assert_shape (document, "out_output", "4×8");
  g_assert_false (scope_document_can_redo (document));
}

static void
test_foreign_parent_can_be_added (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);

  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, toy_find (document, "fc2_output"));
  toy_wait (document);
  ScopeCut *cut = scope_document_get_cut (document);

  g_assert_null (scope_cut_get_selection (cut));
  g_assert_nonnull (scope_cut_get_error (cut));
  g_assert_cmpuint (scope_cut_get_foreign (cut).n, ==, 1);
  g_assert_cmpuint (scope_cut_get_foreign (cut).ids[0], ==, toy_find (document, "relu1_output"));
  g_assert_nonnull (scope_cut_get_shown (cut));
  g_assert_false (
      sym_selection_has_value (scope_cut_get_shown (cut), toy_find (document, "fc1_output")));
  g_assert_true (
      sym_selection_has_value (scope_cut_get_shown (cut), toy_find (document, "sum_output")));

  scope_document_mark_foreign (document);
  toy_wait (document);
  cut = scope_document_get_cut (document);
  g_assert_no_error (scope_cut_get_error (cut));
  g_assert_cmpuint (sym_selection_get_inputs (scope_cut_get_selection (cut)).n, ==, 2);
  scope_document_clear_marks (document);
  toy_wait (document);
  g_assert_null (scope_document_get_cut (document));
}

static void
test_selection_notifies_once (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  SymId value = toy_find (document, "fc1_output");
  SymId call = sym_model_get_producer (scope_document_get_model (document), value);
  guint changes = 0;

  g_signal_connect_swapped (document, "changed", G_CALLBACK (collect_cb), &changes);
  scope_document_select_value (document, value);
  g_assert_cmpuint (changes, ==, SCOPE_CHANGE_SELECTION);
  g_assert_cmpuint (scope_document_get_selected_call (document), ==, call);
  changes = 0;
  scope_document_select_value (document, value);
  scope_document_select_call (document, call);
  g_assert_cmpuint (changes, ==, 0);
  scope_document_select_value (document, SYM_NO_ID);
  g_assert_cmpuint (scope_document_get_selected_call (document), ==, SYM_NO_ID);
}

static void
test_found_values_are_told_and_forgotten (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  SymId value = toy_find (document, "fc1_output");
  GArray *found = g_array_new (FALSE, FALSE, sizeof (SymId));
  guint changes = 0;

  g_array_append_val (found, value);
  g_signal_connect_swapped (document, "changed", G_CALLBACK (collect_cb), &changes);
  scope_document_take_found (document, NULL, NULL);
  g_assert_cmpuint (changes, ==, 0);
  scope_document_take_found (document, found, NULL);
  g_assert_cmpuint (changes, ==, SCOPE_CHANGE_FOUND);
  g_assert_cmpuint (scope_document_get_found (document).n, ==, 1);
  g_assert_cmpuint (scope_document_get_found (document).ids[0], ==, value);
  scope_document_reload (document);
  toy_wait (document);
  g_assert_cmpuint (scope_document_get_found (document).n, ==, 0);
}

typedef struct {
  guint n_previews;
  guint n_wholes;
} Pictures;

static void
count_pictures_cb (ScopeDocument *document, guint changes, Pictures *pictures)
{
  if ((changes & SCOPE_CHANGE_PICTURE) == 0)
    return;
  if (scope_document_is_preview (document))
    pictures->n_previews++;
  else
    pictures->n_wholes++;
}

static guint
get_n_items (ScopeDocument *document)
{
  SymPicture *picture = scope_document_get_picture (document);

  return sym_scene_get_n_items (sym_layout_get_scene (sym_picture_get_layout (picture)));
}

/* A large graph is shown before its shapes are inferred, but not again when it is read again. */
static void
test_large_graph_is_shown_before_its_shapes (void)
{
  g_autofree char *text = toy_format_unequal_chain (20000);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (ScopeDocument) document = scope_document_new_for_file (file);
  Pictures pictures = { 0, 0 };
  guint n_items;

  g_signal_connect (document, "changed", G_CALLBACK (count_pictures_cb), &pictures);
  while (scope_document_get_picture (document) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (scope_document_is_preview (document));
  n_items = get_n_items (document);
  g_assert_cmpuint (n_items, >=, 10);
  g_assert_cmpuint (n_items, <, 200);
  toy_wait (document);
  g_assert_false (scope_document_is_preview (document));
  g_assert_cmpuint (get_n_items (document), ==, n_items);
  g_assert_cmpuint (pictures.n_previews, ==, 1);
  g_assert_cmpuint (pictures.n_wholes, ==, 1);
  scope_document_reload (document);
  toy_wait (document);
  g_assert_cmpuint (pictures.n_previews, ==, 1);
  g_assert_cmpuint (pictures.n_wholes, ==, 2);
}

static void
test_small_graph_is_shown_at_once (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (ScopeDocument) document = scope_document_new_for_file (file);
  Pictures pictures = { 0, 0 };

  g_signal_connect (document, "changed", G_CALLBACK (count_pictures_cb), &pictures);
  toy_wait (document);
  g_assert_cmpuint (pictures.n_previews, ==, 0);
  g_assert_cmpuint (pictures.n_wholes, ==, 1);
}

static void
test_drawing_can_be_turned (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  ScopeView view = *scope_document_get_view (document);

  view.drawing = SYM_DRAWING_LAYERS;
  view.direction = SYM_DIRECTION_RIGHT;
  view.theme = SYM_THEME_DARK;
  scope_document_set_view (document, &view);
  toy_wait (document);
  SymLayout *layout = sym_picture_get_layout (scope_document_get_picture (document));

  g_assert_cmpint (sym_layout_get_direction (layout), ==, SYM_DIRECTION_RIGHT);
  g_assert_cmpint (sym_scene_get_drawing (sym_layout_get_scene (layout)), ==, SYM_DRAWING_LAYERS);
}

static void
test_can_be_left_while_it_works (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  ScopeDocument *document = scope_document_new_for_file (file);

  scope_document_cancel (document);
  toy_wait (document);
  g_assert_null (scope_document_get_model (document));
  scope_document_reload (document);
  toy_wait (document);
  g_assert_nonnull (scope_document_get_picture (document));
  toy_finalize (document);
}

/* What an operator does may begin with what a formula calls its operand. */
static void
test_sentence_keeps_symbols (void)
{
  static const struct {
    const char *message, *sentence;
  } cases[] = {
    { "a sum of numbers", "A sum of numbers" },
    { "an edge", "An edge" },
    { "x, but 0 where x is below 0", "x, but 0 where x is below 0" },
    { "a, but a fraction of it where a is below 0", "a, but a fraction of it where a is below 0" },
    { "x * tanh (x)", "x * tanh (x)" },
    { "é was read", "É was read" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *sentence = scope_text_sentence (cases[i].message);

      g_assert_cmpstr (sentence, ==, cases[i].sentence);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/document/makes-everything-of-a-file", test_makes_everything_of_a_file);
  g_test_add_func ("/app/document/finds-the-graph-in-a-folder", test_finds_the_graph_in_a_folder);
  g_test_add_func ("/app/document/tells-why-a-folder-cannot-be-opened",
                   test_tells_why_a_folder_cannot_be_opened);
  g_test_add_func ("/app/document/tells-why-a-file-cannot-be-read",
                   test_tells_why_a_file_cannot_be_read);
  g_test_add_func ("/app/document/keeps-what-it-has-when-reading-again-fails",
                   test_keeps_what_it_has_when_reading_again_fails);
  g_test_add_func ("/app/document/keeps-what-was-decided-when-reading-again",
                   test_keeps_what_was_decided_when_reading_again);
  g_test_add_func ("/app/document/infers-from-a-typed-shape", test_infers_from_a_typed_shape);
  g_test_add_func ("/app/document/refuses-text-that-is-no-shape",
                   test_refuses_text_that_is_no_shape);
  g_test_add_func ("/app/document/marks-the-layer-that-contradicts",
                   test_marks_the_layer_that_contradicts);
  g_test_add_func ("/app/document/newest-request-wins", test_newest_request_wins);
  g_test_add_func ("/app/document/cut-follows-marks-and-undo", test_cut_follows_marks_and_undo);
  g_test_add_func ("/app/document/foreign-parent-can-be-added", test_foreign_parent_can_be_added);
  g_test_add_func ("/app/document/selection-notifies-once", test_selection_notifies_once);
  g_test_add_func ("/app/document/found-values-are-told-and-forgotten",
                   test_found_values_are_told_and_forgotten);
  g_test_add_func ("/app/document/large-graph-is-shown-before-its-shapes",
                   test_large_graph_is_shown_before_its_shapes);
  g_test_add_func ("/app/document/small-graph-is-shown-at-once", test_small_graph_is_shown_at_once);
  g_test_add_func ("/app/document/drawing-can-be-turned", test_drawing_can_be_turned);
  g_test_add_func ("/app/document/sentence-keeps-symbols", test_sentence_keeps_symbols);
  g_test_add_func ("/app/document/can-be-left-while-it-works", test_can_be_left_while_it_works);
  return g_test_run ();
}
