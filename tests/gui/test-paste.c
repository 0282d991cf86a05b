/* SPDX-License-Identifier: MIT */
#include "robot.h"
#include "toasts.h"
#include "toy.h"

#define ONNX_TEXT                                \
  "<ir_version: 8, opset_import: [\"\" : 17]>\n" \
  "twice (float[n] x) => (float[n] y)\n{\n   y = Add (x, x)\n}\n"

static gboolean
has_picture (gpointer data)
{
  ScopeDocument *document = robot_get_document (data);

  return document != NULL && scope_document_get_picture (document) != NULL;
}

static void
copy (Robot *robot, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (robot->window)), text);
}

static void
test_copied_graph_is_opened (void)
{
  static const struct {
    const char *text, *format;
  } cases[] = {
    { TOY (""), "MXNet symbol JSON" },
    { ONNX_TEXT, "ONNX as text" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Robot robot;

      robot_start (&robot, NULL);
      copy (&robot, cases[i].text);
      robot_do ("key ctrl+v");
      robot_wait_until (has_picture, &robot);
      g_autofree char *subtitle = scope_document_get_subtitle (robot_get_document (&robot));

      g_assert_true (g_str_has_prefix (subtitle, cases[i].format));
      g_assert_null (scope_document_get_file (robot_get_document (&robot)));
      g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==, "• Pasted Graph");
      robot_stop (&robot);
    }
}

static void
test_copied_file_is_opened (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GSList list = { file, NULL };
  Robot robot;

  robot_start (&robot, NULL);
  gdk_clipboard_set (gtk_widget_get_clipboard (GTK_WIDGET (robot.window)), GDK_TYPE_FILE_LIST,
                     &list);
  robot_do ("key ctrl+v");
  robot_wait_until (has_picture, &robot);
  g_assert_true (g_file_equal (scope_document_get_file (robot_get_document (&robot)), file));
  robot_stop (&robot);
}

static gboolean
has_failed (gpointer data)
{
  ScopeDocument *document = robot_get_document (data);

  return document != NULL && scope_document_get_error (document) != NULL;
}

/* Not even as UTF-8: what is read aloud, written into tips and kept in the session is. */
static void
test_address_of_no_file_says_why_not (void)
{
  static const struct {
    const char *address, *error;
  } cases[] = {
    { "https://example.org/net.onnx\r\n", "“https”" },
    { "not one \xff\r\n", "neither a file nor an address" },
    { "sftp://h\xc3/net.onnx\r\n", "“sftp”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (cases[i].address, strlen (cases[i].address));
      g_autoptr (GdkContentProvider) content =
          gdk_content_provider_new_for_bytes ("text/uri-list", bytes);
      Robot robot;

      robot_start (&robot, NULL);
      gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (robot.window)), content);
      robot_do ("key ctrl+v");
      robot_wait_until (has_failed, &robot);
      robot_idle (200);
      g_assert_nonnull (
          strstr (scope_document_get_error (robot_get_document (&robot))->message, cases[i].error));
      g_assert_true (g_utf8_validate (gtk_window_get_title (GTK_WINDOW (robot.window)), -1, NULL));
      robot_stop (&robot);
    }
}

static void
test_other_text_says_why_not (void)
{
  Robot robot;

  robot_start (&robot, NULL);
  copy (&robot, "Dear Sir or Madam");
  robot_do ("key ctrl+v");
  toasts_wait_for ("Not opened: ");
  g_assert_null (robot_get_document (&robot));
  robot_stop (&robot);
}

static gboolean
has_text (gpointer data)
{
  return g_strcmp0 (gtk_editable_get_text (data), "relu") == 0;
}

/* A clipboard of a program that has no time to give what was copied. */
typedef struct {
  GdkContentProvider parent_instance;
} Sluggard;

typedef GdkContentProviderClass SluggardClass;

static GType sluggard_get_type (void);

G_DEFINE_TYPE (Sluggard, sluggard, GDK_TYPE_CONTENT_PROVIDER)

static GdkContentFormats *
sluggard_ref_formats (GdkContentProvider *provider)
{
  static const char *types[] = { "text/plain;charset=utf-8" };

  return gdk_content_formats_new (types, G_N_ELEMENTS (types));
}

static void
sluggard_write (GdkContentProvider *provider,
                const char *mime_type,
                GOutputStream *stream,
                int io_priority,
                GCancellable *cancellable,
                GAsyncReadyCallback callback,
                gpointer user_data)
{
  g_object_ref (stream); /* which is to stay open */
}

static void
sluggard_class_init (SluggardClass *klass)
{
  klass->ref_formats = sluggard_ref_formats;
  klass->write_mime_type_async = sluggard_write;
}

static void
sluggard_init (Sluggard *self)
{
}

static GtkWidget *
find_card (gpointer robot)
{
  return robot_find (GTK_WIDGET (((Robot *) robot)->window), GTK_TYPE_LABEL,
                     "Reading the clipboard…");
}

static gboolean
has_card (gpointer robot)
{
  return find_card (robot) != NULL;
}

static gboolean
has_no_card (gpointer robot)
{
  return find_card (robot) == NULL;
}

static void
test_clipboard_that_takes_long_can_be_stopped (void)
{
  g_autoptr (GdkContentProvider) content = g_object_new (sluggard_get_type (), NULL);
  Robot robot;

  robot_start (&robot, NULL);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (robot.window)), content);
  robot_do ("key ctrl+v");
  robot_wait_until (has_card, &robot);
  robot_click (robot_find (GTK_WIDGET (robot.window), GTK_TYPE_BUTTON, "Cancel"));
  robot_wait_until (has_no_card, &robot);
  robot_idle (300);
  g_assert_false (toasts_said ("Not opened: "));
  g_assert_null (robot_get_document (&robot));
  robot_stop (&robot);
}

/* Where text can be typed it can be pasted. */
static void
test_entry_takes_what_is_pasted_into_it (void)
{
  g_autofree char *path = toy_write ("toy-symbol.json", TOY (""));
  Robot robot;

  robot_start (&robot, path);
  copy (&robot, "relu");
  robot_do ("key ctrl+f");
  robot_do ("key ctrl+v");
  robot_wait_until (has_text, robot_find_part (&robot, GTK_TYPE_SEARCH_ENTRY));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (robot.window)), ==, "toy-symbol.json");
  g_assert_false (toasts_said ("Not opened: "));
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
  robot_clear_home ();
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/paste/copied-graph-is-opened", test_copied_graph_is_opened);
  g_test_add_func ("/gui/paste/copied-file-is-opened", test_copied_file_is_opened);
  g_test_add_func ("/gui/paste/address-of-no-file-says-why-not",
                   test_address_of_no_file_says_why_not);
  g_test_add_func ("/gui/paste/other-text-says-why-not", test_other_text_says_why_not);
  g_test_add_func ("/gui/paste/clipboard-that-takes-long-can-be-stopped",
                   test_clipboard_that_takes_long_can_be_stopped);
  g_test_add_func ("/gui/paste/entry-takes-what-is-pasted-into-it",
                   test_entry_takes_what_is_pasted_into_it);
  return g_test_run ();
}
