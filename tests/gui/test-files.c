/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "app/scope-export.h"
#include "app/scope-extract.h"
#include "loop.h"
#include "toy.h"

typedef struct {
  GAsyncResult *result;
  double done;
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

/* Told in this thread, growing, and no more once it is done. */
static void
progress_cb (double done, gpointer user_data)
{
  Waiter *waiter = user_data;

  g_assert_true (g_main_context_is_owner (g_main_context_default ()));
  g_assert_null (waiter->result);
  g_assert_cmpfloat (done, >=, waiter->done);
  waiter->done = done;
}

static SymPicture *
prepare (ScopeDocument *document,
         const ScopeExportOptions *options,
         guint small_size,
         guint density,
         cairo_surface_t **small,
         GError **error)
{
  Waiter waiter = { NULL };

  scope_export_prepare_async (document, options, small_size, density, NULL, done_cb, &waiter);
  g_autoptr (GAsyncResult) result = wait_for (&waiter);

  return scope_export_prepare_finish (result, small, error);
}

static gboolean
export_scaled (ScopeDocument *document,
               GFile *file,
               const ScopeExportOptions *options,
               double scale,
               GError **error)
{
  g_autoptr (SymPicture) picture = prepare (document, options, 0, 1, NULL, error);
  Waiter waiter = { NULL };

  if (picture == NULL)
    return FALSE;
  scope_export_write_async (picture, file, scale, SYM_PAPER_FIT, NULL, progress_cb, done_cb,
                            &waiter);
  g_autoptr (GAsyncResult) result = wait_for (&waiter);
  gboolean done = scope_export_write_finish (result, error);

  g_assert_true (!done || waiter.done == 1);
  return done;
}

static gboolean
export_part (ScopeDocument *document,
             GFile *file,
             const ScopeExportOptions *options,
             GError **error)
{
  return export_scaled (document, file, options, 1, error);
}

static gboolean
export_as (ScopeDocument *document, GFile *file, GError **error)
{
  return export_part (document, file, &(ScopeExportOptions){ 0 }, error);
}

static void
test_pictures_are_of_the_kind_that_their_name_says (void)
{
  static const struct {
    const char *name, *start;
  } cases[] = {
    { "toy.svg", "<?xml" },
    { "toy.PNG", "\x89PNG" },
    { "toy.pdf", "%PDF" },
    { "toy.dot", "digraph" },
  };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
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

static char *
export_text (ScopeDocument *document, const char *path, const ScopeExportOptions *options)
{
  g_autoptr (GFile) file = get_sibling (path, "part.svg");
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_assert_true (export_part (document, file, options, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_load_contents (file, NULL, &text, NULL, NULL, NULL));
  return text;
}

static void
assert_named (ScopeDocument *document, ScopeExportPart part, const char *expected)
{
  g_autofree char *name = scope_export_name_part (document, part);

  g_assert_cmpstr (name, ==, expected);
}

/* Also in a part that is laid out for it. */
static void
test_open_layers_are_open (void)
{
  static const ScopeExportPart parts[] = { SCOPE_EXPORT_DRAWING, SCOPE_EXPORT_SELECTION };
  g_autofree char *path = toy_write ("loop-symbol.json", LOOP);
  g_autoptr (ScopeDocument) document = toy_open (path);

  scope_document_select_value (document, toy_find (document, "out_output"));
  for (guint i = 0; i < 2 * G_N_ELEMENTS (parts); i++)
    {
      ScopeExportOptions options = { .part = parts[i / 2] };
      g_autofree char *text = NULL;

      if (i % 2 == 0)
        scope_document_close_layer (document, "0");
      else
        scope_document_open_layer (document, "0");
      toy_wait (document);
      text = export_text (document, path, &options);
      g_assert_nonnull (strstr (text, ">out_output<"));
      g_assert_true ((strstr (text, ">sum_output<") != NULL) == (i % 2 == 1));
    }
}

static void
test_view_is_what_is_seen (void)
{
  ScopeExportOptions options = { .part = SCOPE_EXPORT_VIEW, .view = { 0, 0, 90, 60 } };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autofree char *text = export_text (document, path, &options);
  g_autoptr (GFile) file = get_sibling (path, "nothing.svg");
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (strstr (text, "width=\"90\" height=\"60\""));
  g_assert_nonnull (strstr (text, ">data<"));
  g_assert_null (strstr (text, "fc2"));
  options.view.width = -3;
  g_assert_false (export_part (document, file, &options, &error));
  g_assert_nonnull (error);
  g_assert_false (g_file_query_exists (file, NULL));
}

static void
test_selection_is_the_marked_part_or_what_is_near (void)
{
  ScopeExportOptions options = { .part = SCOPE_EXPORT_SELECTION, .theme = SYM_THEME_DARK };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) file = get_sibling (path, "part.svg");
  g_autoptr (GError) error = NULL;

  assert_named (document, SCOPE_EXPORT_SELECTION, NULL);
  g_assert_false (export_part (document, file, &options, &error));
  g_assert_nonnull (error);

  scope_document_select_value (document, toy_find (document, "data"));
  assert_named (document, SCOPE_EXPORT_SELECTION, "Around “data”");
  g_autofree char *near = export_text (document, path, &options);

  g_assert_nonnull (strstr (near, "relu1"));
  g_assert_null (strstr (near, "fc2"));

  scope_document_toggle_mark (document, SCOPE_MARK_OUTPUT, toy_find (document, "fc1_output"));
  toy_wait (document);
  assert_named (document, SCOPE_EXPORT_SELECTION, "Marked Part");
  g_autofree char *part = export_text (document, path, &options);

  g_assert_nonnull (strstr (part, "fc1"));
  g_assert_null (strstr (part, "relu1"));
}

static void
test_impossible_cut_is_no_picture (void)
{
  ScopeExportOptions options = { .part = SCOPE_EXPORT_SELECTION };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) file = get_sibling (path, "impossible.svg");
  g_autoptr (GError) error = NULL;

  scope_document_toggle_mark (document, SCOPE_MARK_INPUT, toy_find (document, "fc2_output"));
  toy_wait (document);
  g_assert_false (export_part (document, file, &options, &error));
  g_assert_nonnull (error);
  g_assert_false (g_file_query_exists (file, NULL));
}

static void
test_background_may_be_left_out (void)
{
  ScopeExportOptions options = { .transparent = TRUE };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autofree char *text = export_text (document, path, &options);

  g_assert_null (strstr (text, "class=\"background\""));
}

static guint
count (const char *text, const char *part)
{
  guint n = 0;

  for (const char *p = strstr (text, part); p != NULL; p = strstr (p + 1, part))
    n++;
  return n;
}

static void
test_folded_graph_is_unfolded_when_asked_for (void)
{
  ScopeExportOptions folded = { .part = SCOPE_EXPORT_DRAWING };
  ScopeExportOptions unfolded = { .part = SCOPE_EXPORT_GRAPH };
  g_autofree char *chain = toy_format_chain (1000);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autofree char *few = export_text (document, path, &folded);
  g_autofree char *all = export_text (document, path, &unfolded);
  g_autofree char *toy = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) small = toy_open (toy);

  assert_named (document, SCOPE_EXPORT_GRAPH, "Whole Graph, Nothing Folded");
  assert_named (small, SCOPE_EXPORT_GRAPH, NULL);
  g_assert_cmpuint (count (few, "class=\"item\""), <, 500);
  g_assert_cmpuint (count (all, "class=\"item\""), ==, 1001);
}

static guint32
get_png_width (ScopeDocument *document, const char *path, double scale)
{
  ScopeExportOptions options = { 0 };
  g_autoptr (GFile) file = get_sibling (path, "size.png");
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  guint32 width;

  g_assert_true (export_scaled (document, file, &options, scale, &error));
  g_assert_true (g_file_load_contents (file, NULL, &bytes, NULL, NULL, NULL));
  memcpy (&width, bytes + 16, sizeof width);
  return GUINT32_FROM_BE (width);
}

static void
test_scale_is_minded (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  guint32 width = get_png_width (document, path, 1);

  g_assert_cmpuint (width, >, 100);
  g_assert_cmpuint (get_png_width (document, path, 4), ==, 4 * width);
}

/* All of it, and of one that is long, more than a line. */
static void
test_small_copies_are_of_the_size_asked_for (void)
{
  g_autofree char *chain = toy_format_chain (60);
  g_autofree char *paths[] = { toy_write ("toy-symbol.json", TOY ("")),
                               toy_write ("chain-symbol.json", chain) };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (ScopeDocument) document = toy_open (paths[i]);
      ScopeExportOptions options = { .part = SCOPE_EXPORT_GRAPH };
      g_autoptr (GError) error = NULL;
      cairo_surface_t *small = NULL;
      g_autoptr (SymPicture) picture = prepare (document, &options, 300, 1, &small, &error);

      g_assert_no_error (error);
      SymRect extent = sym_picture_get_extent (picture);
      int width = cairo_image_surface_get_width (small);
      int height = cairo_image_surface_get_height (small);

      g_assert_cmpint (MAX (width, height), >=, 300);
      g_assert_cmpint (MIN (width, height), >=, 100);
      g_assert_cmpfloat_with_epsilon (width / (double) height, extent.width / extent.height, 0.05);
      cairo_surface_destroy (small);
      g_autoptr (SymPicture) again = prepare (document, &options, 300, 2, &small, &error);

      g_assert_no_error (error);
      g_assert_cmpint (ABS (cairo_image_surface_get_width (small) - 2 * width), <=, 2);
      g_assert_cmpint (ABS (cairo_image_surface_get_height (small) - 2 * height), <=, 2);
      cairo_surface_destroy (small);
    }
}

static void
test_pixels_are_painted (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  ScopeExportOptions options = { .theme = SYM_THEME_DARK };
  g_autoptr (GError) error = NULL;
  g_autoptr (SymPicture) picture = prepare (document, &options, 0, 1, NULL, &error);
  SymRect extent = sym_picture_get_extent (picture);
  Waiter waiter = { NULL };

  scope_export_paint_async (picture, 3, NULL, done_cb, &waiter);
  g_autoptr (GAsyncResult) result = wait_for (&waiter);
  cairo_surface_t *surface = scope_export_paint_finish (result, &error);

  g_assert_no_error (error);
  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, (int) ceil (3 * extent.width));
  /* The first pixel is of the dark background, and not all are. */
  const guint32 *pixels = (const guint32 *) (gconstpointer) cairo_image_surface_get_data (surface);
  int n = cairo_image_surface_get_stride (surface) / 4 * cairo_image_surface_get_height (surface);
  int n_others = 0;

  g_assert_cmphex (pixels[0] >> 24, ==, 0xff);
  g_assert_cmpuint (pixels[0] & 0xff, <, 80);
  for (int i = 0; i < n; i++)
    n_others += pixels[i] != pixels[0];
  g_assert_cmpint (n_others, >, 1000);
  cairo_surface_destroy (surface);
}

static SymModel *
extract_as (ScopeDocument *document, GFile *file, GError **error)
{
  Waiter waiter = { NULL };

  scope_extract_async (document, scope_extract_get_format (document), file, NULL, done_cb, &waiter);
  g_autoptr (GAsyncResult) result = wait_for (&waiter);

  return scope_extract_finish (result, NULL, error);
}

/* Whatever was asked for: no file comes of it, and who asked is told so. */
static void
test_what_is_cancelled_leaves_no_file (void)
{
  static const char *const names[] = { "toy.svg", "toy.png", "toy.pdf", "toy.dot" };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  ScopeExportOptions options = { .part = SCOPE_EXPORT_GRAPH };
  g_autoptr (SymPicture) picture = prepare (document, &options, 0, 1, NULL, NULL);
  Waiter preparing = { NULL };

  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = get_sibling (path, names[i]);
      g_autoptr (GError) error = NULL;
      Waiter waiter = { NULL };

      scope_export_write_async (picture, file, 1, SYM_PAPER_FIT, cancellable, progress_cb, done_cb,
                                &waiter);
      g_autoptr (GAsyncResult) result = wait_for (&waiter);

      g_assert_false (scope_export_write_finish (result, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_false (g_file_query_exists (file, NULL));
    }
  scope_export_prepare_async (document, &options, 100, 1, cancellable, done_cb, &preparing);
  g_autoptr (GAsyncResult) result = wait_for (&preparing);
  g_autoptr (GError) error = NULL;

  g_assert_null (scope_export_prepare_finish (result, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_cancelled_cut_leaves_no_file (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (ScopeDocument) document = toy_open (path);
  g_autoptr (GFile) file = get_sibling (path, "part-symbol.json");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_cancellable_cancel (cancellable);
  scope_extract_async (document, scope_extract_get_format (document), file, cancellable, done_cb,
                       &waiter);
  g_autoptr (GAsyncResult) result = wait_for (&waiter);

  g_assert_null (scope_extract_finish (result, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (g_file_query_exists (file, NULL));
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
  g_test_add_func ("/app/files/what-is-cancelled-leaves-no-file",
                   test_what_is_cancelled_leaves_no_file);
  g_test_add_func ("/app/files/cancelled-cut-leaves-no-file", test_cancelled_cut_leaves_no_file);
  g_test_add_func ("/app/files/cut-opens-again", test_cut_opens_again);
  g_test_add_func ("/app/files/cut-opens-without-a-file", test_cut_opens_without_a_file);
  g_test_add_func ("/app/files/everything-is-saved-when-nothing-is-marked",
                   test_everything_is_saved_when_nothing_is_marked);
  g_test_add_func ("/app/files/impossible-cut-writes-nothing", test_impossible_cut_writes_nothing);
  g_test_add_func ("/app/files/view-is-what-is-seen", test_view_is_what_is_seen);
  g_test_add_func ("/app/files/open-layers-are-open", test_open_layers_are_open);
  g_test_add_func ("/app/files/selection-is-the-marked-part-or-what-is-near",
                   test_selection_is_the_marked_part_or_what_is_near);
  g_test_add_func ("/app/files/impossible-cut-is-no-picture", test_impossible_cut_is_no_picture);
  g_test_add_func ("/app/files/background-may-be-left-out", test_background_may_be_left_out);
  g_test_add_func ("/app/files/folded-graph-is-unfolded-when-asked-for",
                   test_folded_graph_is_unfolded_when_asked_for);
  g_test_add_func ("/app/files/scale-is-minded", test_scale_is_minded);
  g_test_add_func ("/app/files/small-copies-are-of-the-size-asked-for",
                   test_small_copies_are_of_the_size_asked_for);
  g_test_add_func ("/app/files/pixels-are-painted", test_pixels_are_painted);
  return g_test_run ();
}
