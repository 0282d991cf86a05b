/* SPDX-License-Identifier: MIT */
#include "camera.h"

#include "app/scope-canvas.h"
#include "app/scope-inspector.h"
#include "app/scope-summary.h"
#include "toy.h"
#include "watchdog.h"

static const char *folder, *data_root;
static int width, height;

void
camera_set_up (const char *pictures, const char *data_folder, int width_px, int height_px)
{
  folder = pictures;
  data_root = data_folder;
  width = width_px;
  height = height_px;
}

char *
camera_get_data (const char *name)
{
  return g_build_filename (data_root, name, NULL);
}

static gboolean
has_ended (gpointer data)
{
  return *(gboolean *) data;
}

static void
shot_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_check_finish (G_SUBPROCESS (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) user_data = TRUE;
}

void
camera_shoot (const char *name)
{
  const char *scale = g_getenv ("GDK_SCALE");
  int factor = scale != NULL ? atoi (scale) : 1;
  g_autofree char *path = g_strdup_printf ("%s/%s.png", folder, name);
  g_autofree char *size = g_strdup_printf ("%dx%d+0+0", width * factor, height * factor);
  g_autoptr (GError) error = NULL;
  gboolean is_done = FALSE;

  robot_idle (400);
  g_autoptr (GSubprocess) import =
      g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "import", "-window", "root", "-crop", size,
                        "-define", "png:compression-level=1", path, NULL);

  g_assert_no_error (error);
  g_subprocess_wait_check_async (import, NULL, shot_cb, &is_done);
  robot_wait_until (has_ended, &is_done);
  g_autofree char *what = g_strdup_printf ("after the picture %s", name);

  watchdog_set_what (what);
}

void
camera_settle (Robot *robot)
{
  if (robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_CANVAS, NULL) != NULL)
    robot_settle (robot);
  else
    robot_idle (1000);
}

void
camera_act (Robot *robot, const char *action, const char *target)
{
  g_autoptr (GVariant) value = NULL;

  if (target != NULL)
    value = g_variant_ref_sink (g_variant_new_string (target));
  if (!gtk_widget_activate_action_variant (GTK_WIDGET (robot->window), action, value))
    g_printerr ("no %s\n", action);
  robot_idle (300);
}

static void
resize (Robot *robot)
{
  gtk_window_set_default_size (GTK_WINDOW (robot->window), width, height);
  robot_do ("mousemove %d %d", width / 2, height - 2);
  robot_idle (800);
}

/* As translations and the desktop's settings would. */
static void
adapt (void)
{
  const char *letters = g_getenv ("LOOKS_LETTERS");

  if (g_getenv ("LOOKS_RTL") != NULL)
    gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  if (letters != NULL)
    g_object_set (gtk_settings_get_default (), "gtk-xft-dpi",
                  (int) (96 * 1024 * g_ascii_strtod (letters, NULL)), NULL);
}

void
camera_start (Robot *robot, const char *path)
{
  robot_start (robot, path);
  adapt ();
  resize (robot);
}

GtkWidget *
camera_find_summary (Robot *robot)
{
  return robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_SUMMARY, NULL);
}

void
camera_select (Robot *robot, const char *name)
{
  ScopeDocument *document = robot_get_document (robot);

  scope_document_select_value (document, toy_find (document, name));
  camera_settle (robot);
}

void
camera_close_windows (Robot *robot)
{
  for (;;)
    {
      GListModel *windows = gtk_window_get_toplevels ();
      GtkWindow *other = NULL;

      for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
        {
          g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

          if (window != GTK_WINDOW (robot->window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
            other = window;
        }
      if (other == NULL)
        break;
      gtk_window_destroy (other);
      robot_idle (200);
    }
  robot_focus (GTK_WINDOW (robot->window));
}

void
camera_focus_dialog (Robot *robot)
{
  GListModel *windows = gtk_window_get_toplevels ();

  robot_idle (500);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (window != GTK_WINDOW (robot->window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
        robot_focus (window);
    }
  robot_idle (300);
}

/* In a narrow window it takes the place of the table. */
void
camera_shoot_inspector (Robot *robot, const char *name)
{
  gboolean is_there = robot_find (GTK_WIDGET (robot->window), SCOPE_TYPE_INSPECTOR, NULL) != NULL;

  if (!is_there)
    camera_act (robot, "win.show-inspector", NULL);
  camera_settle (robot);
  camera_shoot (name);
  if (!is_there)
    camera_act (robot, "win.show-inspector", NULL);
}
