/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "app/scope-export-dialog.h"
#include "app/scope-preview.h"
#include "app/scope-print.h"
#include "app/scope-summary.h"
#include "complaints.h"
#include "robot.h"
#include "toasts.h"
#include "toy.h"

/* ---- Windows and waiting ---- */

static gboolean
has_chooser (gpointer data)
{
  return robot_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG) != NULL;
}

static gboolean
has_no_dialog (gpointer data)
{
  return robot_find_window (SCOPE_TYPE_EXPORT_DIALOG) == NULL && !has_chooser (data);
}

static gboolean
is_ready (gpointer data)
{
  GtkWindow *dialog = robot_find_window (SCOPE_TYPE_EXPORT_DIALOG);

  return dialog != NULL &&
         (scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog)) != NULL ||
          scope_export_dialog_get_sheet (SCOPE_EXPORT_DIALOG (dialog)) != NULL);
}

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static GtkWidget *
open_dialog (Robot *robot)
{
  robot_do ("key ctrl+shift+e");
  robot_wait_until (is_ready, NULL);
  robot_focus (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG));
  robot_idle (400);
  return GTK_WIDGET (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG));
}

static void
close_dialog (Robot *robot)
{
  robot_do ("key Escape");
  robot_wait_until (has_no_dialog, NULL);
  robot_focus (GTK_WINDOW (robot->window));
}

static const char *
get_title (GListModel *titles, guint i)
{
  return gtk_string_list_get_string (GTK_STRING_LIST (titles), i);
}

/* Chooses what is called so in one of the rows below @widget; FALSE when none has it. */
static gboolean
choose (GtkWidget *widget, const char *title)
{
  GListModel *titles =
      ADW_IS_COMBO_ROW (widget) ? adw_combo_row_get_model (ADW_COMBO_ROW (widget)) : NULL;

  for (guint i = 0; titles != NULL && i < g_list_model_get_n_items (titles); i++)
    if (g_str_equal (get_title (titles, i), title))
      {
        adw_combo_row_set_selected (ADW_COMBO_ROW (widget), i);
        robot_wait_until (is_ready, NULL);
        return TRUE;
      }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (choose (child, title))
      return TRUE;
  return FALSE;
}

static void
type_name (GtkWidget *dialog, const char *path)
{
  robot_click (robot_wait_for (dialog, GTK_TYPE_BUTTON, "Save…"));
  robot_choose_file (path);
}

static char *
save (Robot *robot, GtkWidget *dialog, const char *path)
{
  char *bytes = NULL;

  type_name (dialog, path);
  robot_wait_until (exists, (gpointer) path);
  robot_wait_until (has_no_dialog, NULL);
  robot_focus (GTK_WINDOW (robot->window));
  robot_settle (robot);
  g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
  return bytes;
}

static void
result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
has_result (gpointer data)
{
  return *(GAsyncResult **) data != NULL;
}

/* ---- Tests ---- */

static void
test_picture_is_saved_as_it_was_chosen (void)
{
  static const struct {
    const char *format, *suffix, *start;
  } cases[] = {
    { "SVG drawing", ".svg", "<?xml" },
    { "PNG picture", ".png", "\x89PNG" },
    { "PDF document", ".pdf", "%PDF" },
    { "Graphviz DOT", ".dot", "digraph" },
  };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat (path, cases[i].suffix, NULL);
      GtkWidget *dialog = open_dialog (&robot);

      g_assert_true (choose (dialog, cases[i].format));
      g_autofree char *bytes = save (&robot, dialog, name);

      g_assert_true (g_str_has_prefix (bytes, cases[i].start));
      robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Show in Folder");
    }
  robot_stop (&robot);
}

/* The rows and columns are those of the window. */
static void
test_summary_is_saved_as_it_is_shown (void)
{
  static const struct {
    const char *format, *suffix, *start;
  } cases[] = {
    { "Summary as CSV", ".csv", "#,Layer,Type,Output Shape,Params,Parents\r\n6" },
    { "Summary as Markdown", ".md", "| " },
    { "Summary as LaTeX", ".tex", "\\begin{tabular}" },
    { "Summary as JSON", ".json", "{" },
    { "Summary as text", ".txt", "" },
  };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  gtk_widget_activate_action (robot_find_part (&robot, SCOPE_TYPE_SUMMARY), "table.sort", "s",
                              "-number");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat (path, cases[i].suffix, NULL);
      GtkWidget *dialog = open_dialog (&robot);

      g_assert_true (choose (dialog, cases[i].format));
      g_assert_null (scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog)));
      g_autofree char *bytes = save (&robot, dialog, name);

      if (!g_str_has_prefix (bytes, cases[i].start))
        g_error ("“%s” begins with “%.80s”", cases[i].format, bytes);
      g_assert_true (strstr (bytes, "out") < strstr (bytes, "data"));
    }
  robot_stop (&robot);
}

static void
test_summary_is_copied (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *text = NULL;
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);

  g_assert_true (choose (dialog, "Summary as Markdown"));
  robot_click (robot_wait_for (dialog, GTK_TYPE_BUTTON, "Copy"));
  robot_idle (400);
  text = robot_read_clipboard (&robot);
  g_assert_nonnull (strstr (text, "| fc1 |"));
  g_assert_true (choose (dialog, "PNG picture"));
  g_assert_nonnull (scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog)));
  close_dialog (&robot);
  robot_stop (&robot);
}

/* What was there stays, and it is told. */
static void
test_what_cannot_be_written_is_told (void)
{
  static const char *const formats[] = { "SVG drawing", "Summary as CSV" };
  static const char *const suffixes[] = { ".svg", ".csv" };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *folder = g_strconcat (path, "-folder", suffixes[i], NULL);
      g_autofree char *inside = g_build_filename (folder, "dear", NULL);
      GtkWidget *dialog = open_dialog (&robot);
      guint n;
      const ScopeExportKind *kinds = scope_export_get_kinds (&n);
      g_autoptr (GFile) file = g_file_new_for_path (folder);
      GAsyncResult *result = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0); /* a folder of that name */
      g_assert_true (choose (dialog, formats[i]));
      SymPicture *picture = scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog));
      ScopeSheet *sheet = scope_export_dialog_get_sheet (SCOPE_EXPORT_DIALOG (dialog));

      g_assert_cmpuint (n, >, i);
      g_assert_true ((picture != NULL) != (sheet != NULL));
      if (picture != NULL)
        scope_export_write_async (picture, file, 1, SYM_PAPER_FIT, NULL, NULL, result_cb, &result);
      else
        scope_sheet_save_async (sheet, scope_sheet_find_format (kinds[5].suffix), file, NULL,
                                result_cb, &result);
      robot_wait_until (has_result, &result);
      g_assert_false (picture != NULL ? scope_export_write_finish (result, &error)
                                      : scope_sheet_save_finish (result, &error));
      g_assert_nonnull (error);
      g_assert_true (g_file_test (inside, G_FILE_TEST_IS_DIR));
      g_object_unref (result);
      close_dialog (&robot);
    }
  robot_stop (&robot);
}

static void
test_next_dialog_begins_with_the_last_choice (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *picture = g_strconcat (path, ".svg", NULL);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);

  g_assert_true (choose (dialog, "Dark"));
  g_autofree char *dark = save (&robot, dialog, picture);

  g_assert_nonnull (strstr (dark, "</svg>"));

  dialog = open_dialog (&robot);
  g_assert_cmpint (scope_export_dialog_get_choice (SCOPE_EXPORT_DIALOG (dialog))->theme, ==,
                   SYM_THEME_DARK);
  close_dialog (&robot);
  robot_stop (&robot);
}

static void
test_selection_is_exported (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *picture = g_strconcat (path, ".svg", NULL);
  Robot robot;

  robot_start (&robot, path);
  g_assert_false (choose (open_dialog (&robot), "Around “data”"));
  close_dialog (&robot);
  robot_point_at_node (&robot, "data", "click 1");
  robot_idle (500);
  GtkWidget *dialog = open_dialog (&robot);

  g_assert_true (choose (dialog, "Around “data”"));
  g_autofree char *bytes = save (&robot, dialog, picture);

  g_assert_nonnull (strstr (bytes, "fc1"));
  g_assert_null (strstr (bytes, "fc2"));
  robot_stop (&robot);
}

/* A name without the suffix of any kind gets that of the chosen one, unless it would replace a file
 * that nobody was asked about. */
static void
test_missing_suffix_is_added (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *bare = g_strconcat (path, ".drawing", NULL);
  g_autofree char *picture = g_strconcat (bare, ".svg", NULL);
  g_autofree char *bytes = NULL;
  Robot robot;

  robot_start (&robot, path);
  type_name (open_dialog (&robot), bare);
  robot_wait_until (exists, picture);
  robot_wait_until (has_no_dialog, NULL);
  robot_focus (GTK_WINDOW (robot.window));
  g_assert_true (g_file_set_contents (picture, "dear", -1, NULL));

  type_name (open_dialog (&robot), bare);
  robot_idle (1000);
  g_assert_true (g_file_get_contents (picture, &bytes, NULL, NULL));
  g_assert_cmpstr (bytes, ==, "dear");
  robot_focus (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG));
  close_dialog (&robot);
  robot_stop (&robot);
}

static void
texture_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(GdkTexture **) user_data =
      gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (source), result, &error);
  g_assert_no_error (error);
}

static gboolean
has_texture (gpointer data)
{
  return *(GdkTexture **) data != NULL;
}

static gboolean
is_copied (gpointer data)
{
  GdkContentFormats *formats = gdk_clipboard_get_formats (data);

  return gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE);
}

static void
svg_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const char *type;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream =
      gdk_clipboard_read_finish (GDK_CLIPBOARD (source), result, &type, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (type, ==, "image/svg+xml");
  *(GInputStream **) user_data = g_steal_pointer (&stream);
}

static void
bytes_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  *(GBytes **) user_data =
      g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);
  g_assert_no_error (error);
}

static gboolean
is_there (gpointer data)
{
  return *(gpointer *) data != NULL;
}

/* As another program would ask for it. */
static void
assert_svg_is_offered (Robot *robot, GdkClipboard *clipboard)
{
  static const char *types[] = { "image/svg+xml", NULL };
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GBytes) bytes = NULL;

  gdk_clipboard_read_async (clipboard, types, G_PRIORITY_DEFAULT, NULL, svg_cb, &stream);
  robot_wait_until (is_there, &stream);
  g_input_stream_read_bytes_async (stream, 1 << 20, G_PRIORITY_DEFAULT, NULL, bytes_cb, &bytes);
  robot_wait_until (is_there, &bytes);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  g_assert_nonnull (strstr (text, "<svg"));
}

static void
test_picture_is_copied (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (GdkTexture) texture = NULL;
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (dialog);
  SymPicture *picture = scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog));
  SymRect extent = sym_picture_get_extent (picture);

  robot_click (robot_wait_for (dialog, GTK_TYPE_BUTTON, "Copy"));
  robot_wait_until (is_copied, clipboard);
  gdk_clipboard_read_texture_async (clipboard, NULL, texture_cb, &texture);
  robot_wait_until (has_texture, &texture);
  g_assert_cmpint (ABS (gdk_texture_get_width (texture) - (int) (2 * extent.width)), <=, 1);
  assert_svg_is_offered (&robot, clipboard);
  close_dialog (&robot);
  robot_stop (&robot);
}

static const char *
tell_message (GtkWidget *dialog)
{
  return gtk_label_get_text (
      GTK_LABEL (gtk_widget_get_template_child (dialog, SCOPE_TYPE_EXPORT_DIALOG, "message")));
}

/* The size that is told by then is that of the other choice. */
static void
test_copy_of_an_earlier_choice_is_not_told (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (dialog);

  g_assert_true (choose (dialog, "PNG picture"));
  robot_idle (400);
  GtkWidget *scale = robot_find (dialog, GTK_TYPE_SPIN_BUTTON, NULL);

  g_signal_emit_by_name (robot_find (dialog, GTK_TYPE_BUTTON, "Copy"), "clicked");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (scale), 1);
  g_autofree char *size = g_strdup (tell_message (dialog));

  g_assert_true (g_str_has_suffix (size, " pixels"));
  robot_wait_until (is_copied, clipboard);
  robot_idle (400);
  g_assert_cmpstr (tell_message (dialog), ==, size);
  close_dialog (&robot);
  robot_stop (&robot);
}

/* What was copied after it stays. */
static void
test_copy_that_is_overtaken_is_not_made (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);

  g_signal_emit_by_name (robot_find (dialog, GTK_TYPE_BUTTON, "Copy"), "clicked");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (dialog), "newer");
  robot_idle (800);
  g_autofree char *text = robot_read_clipboard (&robot);

  g_assert_cmpstr (text, ==, "newer");
  g_assert_false (g_str_has_prefix (tell_message (dialog), "Copied"));
  close_dialog (&robot);
  robot_stop (&robot);
}

static void
test_picture_is_printed (void)
{
  g_autofree char *chain = toy_format_chain (60);
  g_autofree char *path = toy_write ("chain-symbol.json", chain);
  g_autofree char *printed = g_strconcat (path, "-printed.pdf", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);
  g_autoptr (GtkPrintOperation) operation =
      scope_print_create_operation (scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog)));

  gtk_print_operation_set_export_filename (operation, printed);
  g_assert_cmpint (
      gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, NULL, &error), ==,
      GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_no_error (error);
  g_assert_cmpint (gtk_print_operation_get_n_pages_to_print (operation), >, 1);
  g_assert_true (g_file_get_contents (printed, &bytes, NULL, NULL));
  g_assert_true (g_str_has_prefix (bytes, "%PDF"));
  close_dialog (&robot);
  robot_stop (&robot);
}

static gboolean
asks_for_printer (gpointer data)
{
  return robot_find_window (g_type_from_name ("GtkPrintUnixDialog")) != NULL;
}

static gboolean
asks_no_more (gpointer data)
{
  return !asks_for_printer (data);
}

static void
test_key_prints (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  robot_do ("key ctrl+p");
  robot_wait_until (asks_for_printer, NULL);
  gtk_dialog_response (GTK_DIALOG (robot_find_window (g_type_from_name ("GtkPrintUnixDialog"))),
                       GTK_RESPONSE_CANCEL);
  robot_wait_until (asks_no_more, NULL);
  robot_stop (&robot);
}

/* Where it is suggested to, which is where it was started from. */
static void
test_printing_to_a_file_is_told (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *printed = g_build_filename (folder, "toy-symbol.pdf", NULL);
  g_autofree char *before = g_get_current_dir ();
  g_autofree char *bytes = NULL;
  Robot robot;

  g_assert_cmpint (g_chdir (folder), ==, 0);
  robot_start (&robot, path);
  robot_do ("key ctrl+p");
  robot_wait_until (asks_for_printer, NULL);
  GtkWindow *dialog = robot_find_window (g_type_from_name ("GtkPrintUnixDialog"));

  robot_click (robot_wait_for (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Print to File"));
  robot_idle (300);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_OK);
  toasts_wait_for ("Printed to toy-symbol.pdf");
  g_assert_true (g_file_get_contents (printed, &bytes, NULL, NULL));
  g_assert_true (g_str_has_prefix (bytes, "%PDF"));
  robot_stop (&robot);
  g_assert_cmpint (g_chdir (before), ==, 0);
}

/* Where the options begin, seen from the preview's top left corner. */
static graphene_point_t
find_options (GtkWidget *dialog)
{
  GtkWidget *preview = robot_find (dialog, SCOPE_TYPE_PREVIEW, NULL);
  GtkWidget *options = robot_find (dialog, GTK_TYPE_LABEL, "Format");
  graphene_point_t zero = GRAPHENE_POINT_INIT_ZERO, place;

  g_assert_true (gtk_widget_compute_point (options, preview, &zero, &place));
  return place;
}

static gboolean
is_above (gpointer dialog)
{
  return find_options (dialog).y >=
         gtk_widget_get_height (robot_find (dialog, SCOPE_TYPE_PREVIEW, NULL));
}

/* What is painted for a screen of small pixels is no larger there. */
static void
test_preview_is_as_large_on_every_screen (void)
{
  static const guint32 pixels[6 * 4] = { 0 };
  g_autoptr (GBytes) bytes = g_bytes_new_static (pixels, sizeof pixels);
  g_autoptr (GdkTexture) texture =
      gdk_memory_texture_new (6, 4, GDK_MEMORY_DEFAULT, bytes, 6 * sizeof *pixels);
  g_autoptr (GdkPaintable) once = scope_preview_create_paintable (texture, 1);
  g_autoptr (GdkPaintable) twice = scope_preview_create_paintable (texture, 2);

  g_assert_cmpint (gdk_paintable_get_intrinsic_width (once), ==, 6);
  g_assert_cmpint (gdk_paintable_get_intrinsic_height (once), ==, 4);
  g_assert_cmpint (gdk_paintable_get_intrinsic_width (twice), ==, 3);
  g_assert_cmpint (gdk_paintable_get_intrinsic_height (twice), ==, 2);
}

static int
measure_preview (Robot *robot, GtkWidget *preview)
{
  robot_settle (robot);
  GdkPaintable *paintable =
      gtk_picture_get_paintable (GTK_PICTURE (robot_find (preview, GTK_TYPE_PICTURE, NULL)));

  g_assert_nonnull (paintable);
  return gdk_paintable_get_intrinsic_width (paintable);
}

/* The first one, too. */
static void
test_preview_is_as_large_as_its_room (void)
{
  g_autofree char *text = toy_format_unequal_chain (40);
  g_autofree char *path = toy_write ("chain-symbol.json", text);
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);
  GtkWidget *preview = robot_find (dialog, SCOPE_TYPE_PREVIEW, NULL);
  GtkWidget *transparent = robot_find (dialog, GTK_TYPE_SWITCH, NULL);
  int first = measure_preview (&robot, preview);

  gtk_switch_set_active (GTK_SWITCH (transparent), TRUE);
  g_assert_cmpint (measure_preview (&robot, preview), ==, first);
  gtk_switch_set_active (GTK_SWITCH (transparent), FALSE);
  close_dialog (&robot);
  robot_stop (&robot);
}

/* Tall graphs have the height of the dialog; a narrow one has the preview above. */
static void
test_preview_is_beside_the_options (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = open_dialog (&robot);
  GtkWidget *preview = robot_find (dialog, SCOPE_TYPE_PREVIEW, NULL);

  g_assert_cmpfloat (find_options (dialog).x, >=, gtk_widget_get_width (preview));
  g_assert_cmpint (gtk_widget_get_height (preview), >, gtk_widget_get_height (dialog) * 3 / 4);
  gtk_window_set_default_size (GTK_WINDOW (dialog), 400, 700);
  robot_wait_until (is_above, dialog);
  close_dialog (&robot);
  robot_stop (&robot);
}

int
main (int argc, char **argv)
{
  if (!robot_is_possible ())
    {
      g_print ("1..0 # SKIP there is no X display, or no xdotool\n");
      return 77;
    }
  complaints_begin (); /* some are GTK's own */
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/export/picture-is-saved-as-it-was-chosen",
                   test_picture_is_saved_as_it_was_chosen);
  g_test_add_func ("/gui/export/summary-is-saved-as-it-is-shown",
                   test_summary_is_saved_as_it_is_shown);
  g_test_add_func ("/gui/export/summary-is-copied", test_summary_is_copied);
  g_test_add_func ("/gui/export/what-cannot-be-written-is-told",
                   test_what_cannot_be_written_is_told);
  g_test_add_func ("/gui/export/next-dialog-begins-with-the-last-choice",
                   test_next_dialog_begins_with_the_last_choice);
  g_test_add_func ("/gui/export/selection-is-exported", test_selection_is_exported);
  g_test_add_func ("/gui/export/missing-suffix-is-added", test_missing_suffix_is_added);
  g_test_add_func ("/gui/export/picture-is-copied", test_picture_is_copied);
  g_test_add_func ("/gui/export/copy-of-an-earlier-choice-is-not-told",
                   test_copy_of_an_earlier_choice_is_not_told);
  g_test_add_func ("/gui/export/copy-that-is-overtaken-is-not-made",
                   test_copy_that_is_overtaken_is_not_made);
  g_test_add_func ("/gui/export/picture-is-printed", test_picture_is_printed);
  g_test_add_func ("/gui/export/key-prints", test_key_prints);
  g_test_add_func ("/gui/export/printing-to-a-file-is-told", test_printing_to_a_file_is_told);
  g_test_add_func ("/gui/export/preview-is-as-large-as-its-room",
                   test_preview_is_as_large_as_its_room);
  g_test_add_func ("/gui/export/preview-is-beside-the-options", test_preview_is_beside_the_options);
  g_test_add_func ("/gui/export/preview-is-as-large-on-every-screen",
                   test_preview_is_as_large_on_every_screen);
  return g_test_run ();
}
