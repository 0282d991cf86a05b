/* SPDX-License-Identifier: MIT */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "app/scope-preview.h"
#include "app/scope-summary.h"
#include "complaints.h"
#include "export.h"
#include "toy.h"

#define MEDIA_BOX "/MediaBox" /* of a page of a PDF */

static gboolean
exists (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
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
  robot_wait_until (export_has_no_dialog, NULL);
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

static void
test_picture_is_saved_as_it_was_chosen (void)
{
  static const struct {
    const char *format, *suffix, *start;
  } cases[] = {
    { "SVG Drawing", ".svg", "<?xml" },
    { "PNG Picture", ".png", "\x89PNG" },
    { "PDF Document", ".pdf", "%PDF" },
    { "Graphviz DOT", ".dot", "digraph" },
  };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat (path, cases[i].suffix, NULL);
      GtkWidget *dialog = export_open_dialog (&robot);

      g_assert_true (export_choose (dialog, cases[i].format));
      g_autofree char *bytes = save (&robot, dialog, name);

      g_assert_true (g_str_has_prefix (bytes, cases[i].start));
      robot_wait_for (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Show in Folder");
    }
  robot_stop (&robot);
}

/* The scale of PNG pictures is no PDF's. */
static void
test_pdf_is_as_large_as_it_is_told_to_be (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *name = g_strconcat (path, ".pdf", NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (SymPicture) picture = NULL;
  double width = 0, height = 0;
  gsize length;
  char *box;
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = export_open_dialog (&robot);

  g_assert_true (export_choose (dialog, "PDF Document"));
  picture = sym_picture_ref (scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog)));
  g_free (save (&robot, dialog, name));
  g_assert_true (g_file_get_contents (name, &bytes, &length, NULL));
  box = memmem (bytes, length, MEDIA_BOX, strlen (MEDIA_BOX));
  g_assert_nonnull (box);
  g_assert_cmpint (sscanf (box, MEDIA_BOX " [ 0 0 %lf %lf", &width, &height), ==, 2);
  g_assert_cmpfloat_with_epsilon (width, sym_picture_get_extent (picture).width, 1);
  g_assert_cmpfloat_with_epsilon (height, sym_picture_get_extent (picture).height, 1);
  g_assert_null (
      memmem (box + 1, length - (gsize) (box + 1 - bytes), MEDIA_BOX, strlen (MEDIA_BOX)));
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
    { "Summary as Text", ".txt", "" },
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
      GtkWidget *dialog = export_open_dialog (&robot);

      g_assert_true (export_choose (dialog, cases[i].format));
      g_assert_null (scope_export_dialog_get_picture (SCOPE_EXPORT_DIALOG (dialog)));
      g_autofree char *bytes = save (&robot, dialog, name);

      if (!g_str_has_prefix (bytes, cases[i].start))
        g_error ("“%s” begins with “%.80s”", cases[i].format, bytes);
      g_assert_true (strstr (bytes, "out") < strstr (bytes, "data"));
    }
  robot_stop (&robot);
}

/* What was there stays, and it is told. */
static void
test_what_cannot_be_written_is_told (void)
{
  static const char *const formats[] = { "SVG Drawing", "Summary as CSV" };
  static const char *const suffixes[] = { ".svg", ".csv" };
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_clear_home ();
  robot_start (&robot, path);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *folder = g_strconcat (path, "-folder", suffixes[i], NULL);
      g_autofree char *inside = g_build_filename (folder, "dear", NULL);
      GtkWidget *dialog = export_open_dialog (&robot);
      guint n;
      const ScopeExportKind *kinds = scope_export_get_kinds (&n);
      g_autoptr (GFile) file = g_file_new_for_path (folder);
      GAsyncResult *result = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0); /* a folder of that name */
      g_assert_true (export_choose (dialog, formats[i]));
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
      export_close_dialog (&robot);
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
  GtkWidget *dialog = export_open_dialog (&robot);

  g_assert_true (export_choose (dialog, "Dark"));
  g_autofree char *dark = save (&robot, dialog, picture);

  g_assert_nonnull (strstr (dark, "</svg>"));

  dialog = export_open_dialog (&robot);
  g_assert_cmpint (scope_export_dialog_get_choice (SCOPE_EXPORT_DIALOG (dialog))->theme, ==,
                   SYM_THEME_DARK);
  export_close_dialog (&robot);
  robot_stop (&robot);
}

static void
test_selection_is_exported (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autofree char *picture = g_strconcat (path, ".svg", NULL);
  Robot robot;

  robot_start (&robot, path);
  g_assert_false (export_choose (export_open_dialog (&robot), "Around “data”"));
  export_close_dialog (&robot);
  robot_point_at_node (&robot, "data", "click 1");
  robot_idle (500);
  GtkWidget *dialog = export_open_dialog (&robot);

  g_assert_true (export_choose (dialog, "Around “data”"));
  g_autofree char *bytes = save (&robot, dialog, picture);

  g_assert_nonnull (strstr (bytes, "fc1"));
  g_assert_null (strstr (bytes, "fc2"));
  robot_stop (&robot);
}

static gboolean
offers_legend (GtkWidget *dialog)
{
  return gtk_widget_get_visible (
      GTK_WIDGET (gtk_widget_get_template_child (dialog, SCOPE_TYPE_EXPORT_DIALOG, "legend_row")));
}

static void
test_what_is_seen_has_no_legend (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = export_open_dialog (&robot);

  g_assert_true (offers_legend (dialog));
  g_assert_true (export_choose (dialog, "What Is Seen"));
  g_assert_false (offers_legend (dialog));
  g_assert_true (export_choose (dialog, "Whole Drawing"));
  g_assert_true (offers_legend (dialog));
  export_close_dialog (&robot);
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
  type_name (export_open_dialog (&robot), bare);
  robot_wait_until (exists, picture);
  robot_wait_until (export_has_no_dialog, NULL);
  robot_focus (GTK_WINDOW (robot.window));
  g_assert_true (g_file_set_contents (picture, "dear", -1, NULL));

  type_name (export_open_dialog (&robot), bare);
  robot_idle (1000);
  g_assert_true (g_file_get_contents (picture, &bytes, NULL, NULL));
  g_assert_cmpstr (bytes, ==, "dear");
  robot_focus (robot_find_window (SCOPE_TYPE_EXPORT_DIALOG));
  export_close_dialog (&robot);
  robot_stop (&robot);
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
  GtkWidget *dialog = export_open_dialog (&robot);
  GtkWidget *preview = robot_find (dialog, SCOPE_TYPE_PREVIEW, NULL);
  GtkWidget *transparent = robot_find (dialog, GTK_TYPE_SWITCH, NULL);
  int first = measure_preview (&robot, preview);

  gtk_switch_set_active (GTK_SWITCH (transparent), TRUE);
  g_assert_cmpint (measure_preview (&robot, preview), ==, first);
  gtk_switch_set_active (GTK_SWITCH (transparent), FALSE);
  export_close_dialog (&robot);
  robot_stop (&robot);
}

/* Tall graphs have the height of the dialog; a narrow one has the preview above. */
static void
test_preview_is_beside_the_options (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  GtkWidget *dialog = export_open_dialog (&robot);
  GtkWidget *preview = robot_find (dialog, SCOPE_TYPE_PREVIEW, NULL);

  g_assert_cmpfloat (find_options (dialog).x, >=, gtk_widget_get_width (preview));
  g_assert_cmpint (gtk_widget_get_height (preview), >, gtk_widget_get_height (dialog) * 3 / 4);
  gtk_window_set_default_size (GTK_WINDOW (dialog), 400, 700);
  robot_wait_until (is_above, dialog);
  export_close_dialog (&robot);
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
  g_test_add_func ("/gui/export/pdf-is-as-large-as-it-is-told-to-be",
                   test_pdf_is_as_large_as_it_is_told_to_be);
  g_test_add_func ("/gui/export/summary-is-saved-as-it-is-shown",
                   test_summary_is_saved_as_it_is_shown);
  g_test_add_func ("/gui/export/what-cannot-be-written-is-told",
                   test_what_cannot_be_written_is_told);
  g_test_add_func ("/gui/export/next-dialog-begins-with-the-last-choice",
                   test_next_dialog_begins_with_the_last_choice);
  g_test_add_func ("/gui/export/selection-is-exported", test_selection_is_exported);
  g_test_add_func ("/gui/export/what-is-seen-has-no-legend", test_what_is_seen_has_no_legend);
  g_test_add_func ("/gui/export/missing-suffix-is-added", test_missing_suffix_is_added);
  g_test_add_func ("/gui/export/preview-is-as-large-as-its-room",
                   test_preview_is_as_large_as_its_room);
  g_test_add_func ("/gui/export/preview-is-beside-the-options", test_preview_is_beside_the_options);
  g_test_add_func ("/gui/export/preview-is-as-large-on-every-screen",
                   test_preview_is_as_large_on_every_screen);
  return g_test_run ();
}
