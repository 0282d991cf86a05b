/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <string.h>

#include "app/scope-print.h"
#include "complaints.h"
#include "export.h"
#include "toasts.h"
#include "toy.h"

/* What becomes of a picture or a table besides a file: the clipboard, and paper. */

static void
test_summary_is_copied (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *text = NULL;
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  GtkWidget *dialog = export_open_dialog (&robot);

  g_assert_true (export_choose (dialog, "Summary as Markdown"));
  robot_click (robot_wait_for (dialog, GTK_TYPE_BUTTON, "Copy"));
  robot_idle (400);
  text = robot_read_clipboard (&robot);
  g_assert_nonnull (strstr (text, "| fc1 |"));
  g_assert_true (export_choose (dialog, "PNG Picture"));
  g_assert_nonnull (scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog)));
  export_close_dialog (&robot);
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
  GtkWidget *dialog = export_open_dialog (&robot);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (dialog);
  SymPicture *picture = scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog));
  SymRect extent = sym_picture_get_extent (picture);

  robot_click (robot_wait_for (dialog, GTK_TYPE_BUTTON, "Copy"));
  robot_wait_until (is_copied, clipboard);
  gdk_clipboard_read_texture_async (clipboard, NULL, texture_cb, &texture);
  robot_wait_until (has_texture, &texture);
  g_assert_cmpint (ABS (gdk_texture_get_width (texture) - (int) (2 * extent.width)), <=, 1);
  assert_svg_is_offered (&robot, clipboard);
  export_close_dialog (&robot);
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
  GtkWidget *dialog = export_open_dialog (&robot);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (dialog);

  g_assert_true (export_choose (dialog, "PNG Picture"));
  robot_idle (400);
  GtkWidget *scale = robot_find (dialog, GTK_TYPE_SPIN_BUTTON, NULL);

  g_signal_emit_by_name (robot_find (dialog, GTK_TYPE_BUTTON, "Copy"), "clicked");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (scale), 1);
  g_autofree char *size = g_strdup (tell_message (dialog));

  g_assert_true (g_str_has_suffix (size, " pixels"));
  robot_wait_until (is_copied, clipboard);
  robot_idle (400);
  g_assert_cmpstr (tell_message (dialog), ==, size);
  export_close_dialog (&robot);
  robot_stop (&robot);
}

/* What was copied after it stays. */
static void
test_copy_that_is_overtaken_is_not_made (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = export_open_dialog (&robot);

  g_signal_emit_by_name (robot_find (dialog, GTK_TYPE_BUTTON, "Copy"), "clicked");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (dialog), "newer");
  robot_idle (800);
  g_autofree char *text = robot_read_clipboard (&robot);

  g_assert_cmpstr (text, ==, "newer");
  g_assert_false (g_str_has_prefix (tell_message (dialog), "Copied"));
  export_close_dialog (&robot);
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
  GtkWidget *dialog = export_open_dialog (&robot);
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
  export_close_dialog (&robot);
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
  g_test_add_func ("/gui/copy-print/summary-is-copied", test_summary_is_copied);
  g_test_add_func ("/gui/copy-print/picture-is-copied", test_picture_is_copied);
  g_test_add_func ("/gui/copy-print/copy-of-an-earlier-choice-is-not-told",
                   test_copy_of_an_earlier_choice_is_not_told);
  g_test_add_func ("/gui/copy-print/copy-that-is-overtaken-is-not-made",
                   test_copy_that_is_overtaken_is_not_made);
  g_test_add_func ("/gui/copy-print/picture-is-printed", test_picture_is_printed);
  g_test_add_func ("/gui/copy-print/key-prints", test_key_prints);
  g_test_add_func ("/gui/copy-print/printing-to-a-file-is-told", test_printing_to_a_file_is_told);
  return g_test_run ();
}
