/* SPDX-License-Identifier: MIT */
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>
#include <unistd.h>

#include "app/scope-input-numbers.h"
#include "app/scope-save-values.h"
#include "store/sym-store-numpy.h"
#include "toy.h"

/* y = a picture's sum with b, which has its batch from the picture. */
#define PICTURED                                                                  \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"                                  \
  "pictured (float[n,3,h,w] x, float[2] b) => (float[n,3,h,w] y, float[2] z) {\n" \
  "  y = Relu (x)\n z = Neg (b)\n}\n"

static ScopeDocument *
open_pictured (void)
{
  g_autofree char *path = toy_write ("pictured.onnxtxt", PICTURED);

  return toy_open (path);
}

static ScopeRunSetup *
prepare (ScopeDocument *document,
         const ScopeInputWish *inputs,
         guint n,
         guint *which,
         GError **error)
{
  g_autoptr (ScopeRunWish) wish = scope_run_wish_new (scope_document_get_state (document));

  for (guint i = 0; i < n; i++)
    scope_run_wish_add (wish, &inputs[i]);
  return scope_run_wish_prepare (wish, which, NULL, error);
}

static char *
write_npy (SymDType dtype, SymShape shape)
{
  char *path = toy_write ("numbers.npy", "");
  g_autofree guint8 *bytes = g_malloc0 (4096);
  SymArray array = { dtype, shape, bytes };
  g_autoptr (SymTensor) tensor = sym_tensor_new_copy (&array, NULL);

  g_assert_true (sym_store_write_npy (path, tensor, NULL));
  return path;
}

static char *
write_picture (void)
{
  char *path = toy_write ("picture.png", "");
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, 5, 4);

  gdk_pixbuf_fill (picture, 0xff0000ff);
  g_assert_true (gdk_pixbuf_save (picture, path, "png", NULL, NULL));
  return path;
}

static void
test_inputs_without_numbers_are_asked_for (void)
{
  ScopeDocument *document = open_pictured ();
  g_autoptr (GArray) values = scope_run_list_inputs (scope_document_get_model (document));

  g_assert_cmpuint (values->len, ==, 2);
  g_assert_cmpuint (g_array_index (values, SymId, 0), ==, toy_find (document, "x"));
  toy_finalize (document);
}

static void
test_sizes_come_from_where_they_are_told (void)
{
  static const struct {
    ScopeFeedKind kind;
    const char *shape;
    SymShape expected;
  } cases[] = {
    { SCOPE_FEED_RANDOM, NULL, { 4, { 1, 3, 1, 1 } } },
    { SCOPE_FEED_ZEROS, " ", { 4, { 1, 3, 1, 1 } } },
    { SCOPE_FEED_ONES, "2,3,4,5", { 4, { 2, 3, 4, 5 } } },
    { SCOPE_FEED_RANDOM, "2,3,?,5", { 4, { 2, 3, 1, 5 } } },
    { SCOPE_FEED_NUMPY, NULL, { 4, { 2, 3, 2, 2 } } },
    { SCOPE_FEED_PICTURE, NULL, { 4, { 1, 3, 4, 5 } } },
    { SCOPE_FEED_PICTURE, "2,3,8,9", { 4, { 2, 3, 8, 9 } } },
  };
  g_autofree char *numbers = write_npy (SYM_DTYPE_FLOAT32, SYM_SHAPE (2, 3, 2, 2));
  g_autofree char *picture = write_picture ();
  ScopeDocument *document = open_pictured ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GFile) file =
          g_file_new_for_path (cases[i].kind == SCOPE_FEED_NUMPY ? numbers : picture);
      ScopeInputWish wish = { toy_find (document, "x"), cases[i].kind, (char *) cases[i].shape,
                              file, SYM_PICTURE_UNIT };
      g_autoptr (GError) error = NULL;
      guint which;
      g_autoptr (ScopeRunSetup) setup = prepare (document, &wish, 1, &which, &error);

      g_assert_no_error (error);
      const SymFeed *feed = &g_array_index (setup->feeds, SymFeed, 0);

      g_assert_true (
          sym_shape_equal (&sym_datum_get_array (feed->datum)->shape, &cases[i].expected));
    }
  toy_finalize (document);
}

/* An archive of arrays of two numbers, called so. */
static char *
write_npz (const char *const *names, guint n)
{
  char *path = toy_write ("inputs.npz", "");
  g_autoptr (GPtrArray) tensors =
      g_ptr_array_new_with_free_func ((GDestroyNotify) sym_tensor_unref);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      float numbers[] = { (float) i, 1 };
      SymArray array = { SYM_DTYPE_FLOAT32, SYM_SHAPE (2), numbers };

      g_ptr_array_add (tensors, sym_tensor_new_copy (&array, NULL));
    }
  g_assert_true (sym_store_write_npz (path, names, (SymTensor *const *) tensors->pdata, n, &error));
  g_assert_no_error (error);
  return path;
}

/* Of an archive an input takes the array with its name. */
static void
test_an_archive_has_numbers_by_name (void)
{
  g_autofree char *path = write_npz ((const char *const[]){ "other", "b" }, 2);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  ScopeDocument *document = open_pictured ();
  ScopeInputWish b = { toy_find (document, "b"), SCOPE_FEED_NUMPY, NULL, file, SYM_PICTURE_UNIT };
  ScopeInputWish x = { toy_find (document, "x"), SCOPE_FEED_NUMPY, NULL, file, SYM_PICTURE_UNIT };
  g_autoptr (GError) error = NULL;
  guint which;
  g_autoptr (ScopeRunSetup) setup = prepare (document, &b, 1, &which, &error);

  g_assert_no_error (error);
  const SymFeed *feed = &g_array_index (setup->feeds, SymFeed, 0);

  g_assert_cmpfloat (((const float *) sym_datum_get_array (feed->datum)->data)[0], ==, 1);
  g_assert_null (prepare (document, &x, 1, &which, &error));
  g_assert_error (error, SYM_ERROR, SYM_ERROR_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "The file has no array called “x”, but “other”, “b”");
  toy_finalize (document);
}

static void
took_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GArray *
find_inputs (ScopeDocument *document, const char *path, char **lack, GError **error)
{
  SymModel *model = scope_document_get_model (document);
  g_autoptr (GArray) inputs = scope_run_list_inputs (model);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GAsyncResult) result = NULL;

  scope_input_numbers_find_async (model, inputs, file, NULL, took_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return scope_input_numbers_find_finish (result, lack, error);
}

static void
test_a_file_is_searched_for_inputs (void)
{
  g_autofree char *both = write_npz ((const char *const[]){ "b", "more", "x" }, 3);
  g_autofree char *one = write_npz ((const char *const[]){ "b", "more" }, 2);
  g_autofree char *none = write_npz ((const char *const[]){ "more" }, 1);
  g_autofree char *json = toy_write ("numbers.json", "{\"results\": {\"x\": {\"value\": [1]}}}");
  g_autofree char *lack = NULL, *rest = NULL, *last = NULL;
  ScopeDocument *document = open_pictured ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = find_inputs (document, both, &lack, &error);
  g_autoptr (GArray) some = find_inputs (document, one, &rest, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_null (lack);
  g_assert_cmpuint (some->len, ==, 1);
  g_assert_cmpuint (g_array_index (some, SymId, 0), ==, toy_find (document, "b"));
  g_assert_cmpstr (rest, ==, "The file has no numbers for “x”");
  g_assert_null (find_inputs (document, none, &last, &error));
  g_assert_cmpstr (error->message, ==,
                   "No input is called like an array of the file: it has “more”");
  g_clear_error (&error);
  g_assert_null (find_inputs (document, json, &last, &error));
  g_assert_true (g_str_has_prefix (error->message, "Its numbers have no data types"));
  g_assert_null (last);
  toy_finalize (document);
}

static void
test_what_is_wrong_is_told_of_its_input (void)
{
  g_autofree char *integers = write_npy (SYM_DTYPE_INT32, SYM_SHAPE (2));
  g_autofree char *longer = write_npy (SYM_DTYPE_FLOAT32, SYM_SHAPE (3));
  g_autofree char *text = toy_write ("text.npy", "no numbers");
  const struct {
    ScopeFeedKind kind;
    const char *shape, *path, *message;
  } cases[] = {
    { SCOPE_FEED_NUMPY, NULL, NULL, "Choose a file" },
    { SCOPE_FEED_NUMPY, NULL, integers, "The input takes float32[2], the file has int32[2]" },
    { SCOPE_FEED_NUMPY, NULL, longer, "The input takes float32[2], the file has float32[3]" },
    { SCOPE_FEED_NUMPY, NULL, text, NULL },
    { SCOPE_FEED_PICTURE, NULL, text, "The file is no picture that can be read" },
    { SCOPE_FEED_RANDOM, "2,x y", NULL, NULL },
  };
  ScopeDocument *document = open_pictured ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GFile) file = cases[i].path != NULL ? g_file_new_for_path (cases[i].path) : NULL;
      ScopeInputWish wishes[] = {
        { toy_find (document, "x"), SCOPE_FEED_ZEROS, NULL, NULL, SYM_PICTURE_UNIT },
        { toy_find (document, "b"), cases[i].kind, (char *) cases[i].shape, file,
          SYM_PICTURE_UNIT },
      };
      g_autoptr (GError) error = NULL;
      guint which;

      g_assert_null (prepare (document, wishes, 2, &which, &error));
      g_assert_nonnull (error);
      g_assert_cmpuint (which, ==, 1);
      if (cases[i].message != NULL)
        g_assert_cmpstr (error->message, ==, cases[i].message);
    }
  toy_finalize (document);
}

/* ---- The document's runs ---- */

static void
wait_for_run (ScopeDocument *document)
{
  while (scope_document_is_running (document))
    g_main_context_iteration (NULL, TRUE);
}

static void
run (ScopeDocument *document)
{
  ScopeInputWish wishes[] = {
    { toy_find (document, "x"), SCOPE_FEED_ONES, NULL, NULL, SYM_PICTURE_UNIT },
    { toy_find (document, "b"), SCOPE_FEED_ONES, NULL, NULL, SYM_PICTURE_UNIT },
  };
  guint which;

  scope_document_run (document, prepare (document, wishes, 2, &which, NULL));
}

static void
count_run_changes_cb (ScopeDocument *document, guint changes, guint *n)
{
  *n += (changes & SCOPE_CHANGE_RUN) != 0;
}

static void
test_a_run_leaves_a_record (void)
{
  ScopeDocument *document = open_pictured ();
  SymStatistics statistics;
  guint n_changes = 0;

  g_signal_connect (document, "changed", G_CALLBACK (count_run_changes_cb), &n_changes);
  run (document);
  g_assert_null (scope_document_get_record (document));
  wait_for_run (document);
  g_assert_cmpuint (n_changes, ==, 2);
  g_assert_true (sym_record_get_statistics (scope_document_get_record (document),
                                            toy_find (document, "z"), &statistics));
  g_assert_cmpfloat (statistics.mean, ==, -1);
  g_assert_cmpstr (scope_document_get_run_taken (document), ==, "n, h and w");
  toy_finalize (document);
}

static void
test_another_shape_drops_the_record (void)
{
  ScopeDocument *document = open_pictured ();

  run (document);
  wait_for_run (document);
  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "y"));
  g_assert_nonnull (scope_document_get_record (document));
  g_assert_false (scope_document_is_run_stale (document));
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "x"), "1,3,8,8", NULL));
  g_assert_null (scope_document_get_record (document));
  g_assert_true (scope_document_is_run_stale (document));
  toy_wait (document);
  run (document);
  wait_for_run (document);
  g_assert_nonnull (scope_document_get_record (document));
  g_assert_false (scope_document_is_run_stale (document));
  toy_finalize (document);
}

static void
test_a_cancelled_run_leaves_the_last_one (void)
{
  ScopeDocument *document = open_pictured ();
  SymRecord *record;

  run (document);
  wait_for_run (document);
  record = scope_document_get_record (document);
  run (document);
  scope_document_cancel_run (document);
  wait_for_run (document);
  g_assert_true (scope_document_get_record (document) == record);
  g_assert_true (scope_document_is_run_stopped (document));
  run (document);
  g_assert_false (scope_document_is_run_stopped (document));
  wait_for_run (document);
  g_assert_false (scope_document_is_run_stopped (document));
  toy_finalize (document);
}

static SymRecordReason
run_and_tell_reason (ScopeDocument *document)
{
  run (document);
  wait_for_run (document);
  g_assert_nonnull (scope_document_get_record (document));
  return sym_record_get_planning (scope_document_get_record (document)).reason;
}

static void
test_the_plan_is_kept_until_the_graph_changes (void)
{
  ScopeDocument *document = open_pictured ();

  g_assert_cmpint (run_and_tell_reason (document), ==, SYM_RECORD_PLAN_FIRST);
  g_assert_false (scope_document_is_run_of_edited (document));
  g_assert_cmpint (run_and_tell_reason (document), ==, SYM_RECORD_PLAN_KEPT);
  g_assert_true (
      scope_document_set_shape_text (document, toy_find (document, "x"), "1,3,8,8", NULL));
  toy_wait (document);
  g_assert_cmpint (run_and_tell_reason (document), ==, SYM_RECORD_PLAN_TYPES);
  scope_document_undo (document);
  toy_wait (document);
  g_assert_cmpint (run_and_tell_reason (document), ==, SYM_RECORD_PLAN_KEPT);
  scope_document_set_n_threads (document, 3);
  g_assert_cmpint (run_and_tell_reason (document), ==, SYM_RECORD_PLAN_OPTIONS);
  g_assert_true (scope_document_rename_value (document, toy_find (document, "z"), "less", NULL));
  toy_wait (document);
  g_assert_cmpint (run_and_tell_reason (document), ==, SYM_RECORD_PLAN_FIRST);
  g_assert_true (scope_document_is_run_of_edited (document));
  g_assert_cmpint (run_and_tell_reason (document), ==, SYM_RECORD_PLAN_KEPT);
  g_assert_false (scope_document_is_run_of_edited (document));
  toy_finalize (document);
}

/* Asked for while another one goes on, a run waits for the plan that both need. */
static void
test_runs_take_turns (void)
{
  ScopeDocument *document = open_pictured ();

  for (guint i = 0; i < 20; i++)
    run (document);
  wait_for_run (document);
  g_assert_nonnull (scope_document_get_record (document));
  /* Those that were stopped hold the document until they have said so. */
  while (g_atomic_int_get (&G_OBJECT (document)->ref_count) > 1)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  toy_finalize (document);
}

typedef struct {
  gboolean is_done;
  guint n_saved, n_refused;
} Saved;

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Saved *self = user_data;
  g_autoptr (GError) error = NULL;

  scope_save_values_finish (result, &self->n_saved, &self->n_refused, &error);
  g_assert_no_error (error);
  self->is_done = TRUE;
}

/* Of bfloat16 NumPy has nothing. */
#define MIXED                                             \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"          \
  "mixed (float[2] b) => (float[2] y, bfloat16[2] z) {\n" \
  "  inner = Neg (b)\n y = Abs (inner)\n z = Cast <to = 16> (inner)\n}\n"

static void
test_values_are_saved_in_a_folder (void)
{
  static const char *const names[] = { "b.npy", "inner.npy", "manifest.json", "y.npy" };
  g_autofree char *path = toy_write ("mixed.onnxtxt", MIXED);
  g_autofree char *folder_path = g_strconcat (path, "-values", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (folder_path);
  ScopeDocument *document = toy_open (path);
  ScopeInputWish wish = { toy_find (document, "b"), SCOPE_FEED_ONES, NULL, NULL, SYM_PICTURE_UNIT };
  Saved saved = { FALSE };
  guint which;

  scope_document_run (document, prepare (document, &wish, 1, &which, NULL));
  wait_for_run (document);
  SymIds rows = sym_model_get_rows (scope_document_get_model (document));

  scope_save_values_async (scope_document_get_record (document), rows.ids, rows.n, folder, NULL,
                           saved_cb, &saved);
  while (!saved.is_done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (saved.n_saved, ==, 3);
  g_assert_cmpuint (saved.n_refused, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_build_filename (folder_path, names[i], NULL);

      g_assert_true (g_file_test (file, G_FILE_TEST_IS_REGULAR));
    }
  toy_finalize (document);
}

/* What was chosen last is chosen again, but for the state that it was chosen in. */
static void
test_wishes_are_remembered (void)
{
  ScopeDocument *document = open_pictured ();
  g_autoptr (GFile) file = g_file_new_for_path ("/numbers.npy");
  g_autoptr (ScopeRunWish) wish = scope_run_wish_new (scope_document_get_state (document));
  SymId x = toy_find (document, "x"), b = toy_find (document, "b");

  scope_run_wish_add (wish, &(ScopeInputWish){ x, SCOPE_FEED_PICTURE, (char *) "1,3,8,8", file,
                                               SYM_PICTURE_SIGNED });
  wish->seed = 7;
  g_assert_null (scope_document_get_run_wish (document));
  scope_document_take_run_wish (document, scope_run_wish_remember (wish));
  const ScopeRunWish *last = scope_document_get_run_wish (document);
  const ScopeInputWish *input = scope_run_wish_find (last, x);

  g_assert_null (last->state);
  g_assert_cmpuint (last->seed, ==, 7);
  g_assert_cmpint (input->kind, ==, SCOPE_FEED_PICTURE);
  g_assert_cmpint (input->range, ==, SYM_PICTURE_SIGNED);
  g_assert_cmpstr (input->shape, ==, "1,3,8,8");
  g_assert_true (input->file == file);
  g_assert_null (scope_run_wish_find (last, b));
  toy_finalize (document);
}

/* ---- Memory ---- */

/* Sanitizers keep what was freed for a while. */
#if defined(__SANITIZE_ADDRESS__)
#  define KEEPS_FREED TRUE
#elif defined(__has_feature)
#  define KEEPS_FREED __has_feature (address_sanitizer)
#else
#  define KEEPS_FREED FALSE
#endif

#define LARGE                                              \
  "<ir_version: 8, opset_import: [\"\" : 13]>\n"           \
  "large (float[1024,4096] x) => (float[1024,4096] y) {\n" \
  "  a = Sin (x) b = Cos (a) c = Sin (b) d = Cos (c) e = Sin (d) f = Cos (e) y = Sin (f)\n}\n"

static gint64
read_resident_mib (void)
{
  g_autofree char *text = NULL;
  gint64 n_pages = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%*d %" G_GINT64_FORMAT, &n_pages), ==, 1);
  return n_pages * sysconf (_SC_PAGESIZE) >> 20;
}

static void
run_large (ScopeDocument *document)
{
  ScopeInputWish wish = { toy_find (document, "x"), SCOPE_FEED_RANDOM, NULL, NULL,
                          SYM_PICTURE_UNIT };
  guint which;

  scope_document_run (document, prepare (document, &wish, 1, &which, NULL));
  wait_for_run (document);
}

static void
test_memory_of_a_closed_document_is_given_back (void)
{
  g_autofree char *path = toy_write ("large.onnxtxt", LARGE);
  ScopeDocument *document;
  gint64 before, left;

  if (KEEPS_FREED)
    {
      g_test_skip ("what is freed is kept for a while");
      return;
    }
  document = toy_open (path);
  before = read_resident_mib ();
  run_large (document);
  g_assert_cmpint (read_resident_mib (), >, before + 100);
  toy_finalize (document);
  for (guint i = 0; i < 6000 && read_resident_mib () > before + 16; i++)
    g_usleep (10000);
  left = read_resident_mib ();
  g_assert_cmpint (left, <=, before + 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/run/an-archive-has-numbers-by-name", test_an_archive_has_numbers_by_name);
  g_test_add_func ("/app/run/a-file-is-searched-for-inputs", test_a_file_is_searched_for_inputs);
  g_test_add_func ("/app/run/inputs-without-numbers-are-asked-for",
                   test_inputs_without_numbers_are_asked_for);
  g_test_add_func ("/app/run/sizes-come-from-where-they-are-told",
                   test_sizes_come_from_where_they_are_told);
  g_test_add_func ("/app/run/what-is-wrong-is-told-of-its-input",
                   test_what_is_wrong_is_told_of_its_input);
  g_test_add_func ("/app/run/a-run-leaves-a-record", test_a_run_leaves_a_record);
  g_test_add_func ("/app/run/another-shape-drops-the-record", test_another_shape_drops_the_record);
  g_test_add_func ("/app/run/a-cancelled-run-leaves-the-last-one",
                   test_a_cancelled_run_leaves_the_last_one);
  g_test_add_func ("/app/run/the-plan-is-kept-until-the-graph-changes",
                   test_the_plan_is_kept_until_the_graph_changes);
  g_test_add_func ("/app/run/values-are-saved-in-a-folder", test_values_are_saved_in_a_folder);
  g_test_add_func ("/app/run/wishes-are-remembered", test_wishes_are_remembered);
  g_test_add_func ("/app/run/runs-take-turns", test_runs_take_turns);
  g_test_add_func ("/app/run/memory-of-a-closed-document-is-given-back",
                   test_memory_of_a_closed_document_is_given_back);
  return g_test_run ();
}
