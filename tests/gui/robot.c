/* SPDX-License-Identifier: MIT */
#include "robot.h"

#include <gdk/x11/gdkx.h>
#include <math.h>

#include "app/scope-canvas.h"
#include "app/scope-cell.h"
#include "app/scope-place.h"
#include "crowd.h"
#include "errands.h"
#include "toasts.h"
#include "toy.h"

#define PATIENCE (120 * G_USEC_PER_SEC) /* until something that should happen did not */
#define TICK 20                         /* milliseconds */
#define MOMENT 60
#define N_FRAMES 3 /* the first call may come in the middle of one */

static GtkWidget *doubtful; /* found by a text that another has as well; NULL for none */

/* ---- Time ---- */

static gboolean
ring_cb (gpointer data)
{
  guint *n_left = data;

  return --*n_left > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* In ticks that come after all else that there is to do: who gets little of a busy machine waits
 * longer. */
static void
wait (guint milliseconds)
{
  guint n_left = (milliseconds + TICK - 1) / TICK;

  g_timeout_add_full (G_PRIORITY_LOW, TICK, ring_cb, &n_left, NULL);
  while (n_left > 0)
    g_main_context_iteration (NULL, TRUE);
}

void
robot_wait_at (const char *name,
               const char *place,
               gboolean (*is_true) (gpointer data),
               gpointer data)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  while (!is_true (data) && g_get_monotonic_time () < end)
    wait (TICK);
  if (is_true (data))
    return;
  g_autofree char *windows = crowd_describe_windows ();

  g_error ("%s: %s() did not come true; there are%s", place, name, windows);
}

typedef struct {
  GtkWidget *window; /* NULL once it is gone */
  guint n_left;
} Frames;

static gboolean
count_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Frames *frames = data;

  return --frames->n_left > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static gboolean
have_passed (gpointer data)
{
  const Frames *frames = data;

  return frames->n_left == 0 || frames->window == NULL || !gtk_widget_get_mapped (frames->window);
}

/* What was shown a moment ago has its place afterwards, and has been told of the pointer. */
static void
wait_for_frames (GtkWidget *window)
{
  Frames frames = { NULL, N_FRAMES };
  guint id = gtk_widget_add_tick_callback (window, count_cb, &frames, NULL);

  g_set_weak_pointer (&frames.window, window);
  robot_wait_until (have_passed, &frames);
  if (frames.window != NULL && frames.n_left > 0)
    gtk_widget_remove_tick_callback (frames.window, id);
  g_clear_weak_pointer (&frames.window);
}

/* Whether it still is one that is seen. */
static gboolean
is_window (gpointer window)
{
  g_autoptr (GPtrArray) windows = crowd_list_windows ();

  return g_ptr_array_find (windows, window, NULL);
}

/* Until the program knows what the X server knows, and has drawn what came of it. */
static void
catch_up (void)
{
  gdk_display_sync (gdk_display_get_default ());
  g_autoptr (GPtrArray) windows = crowd_list_windows ();

  for (guint i = 0; i < windows->len; i++)
    if (is_window (windows->pdata[i]))
      wait_for_frames (windows->pdata[i]);
}

static gboolean
has_no_errands (gpointer data)
{
  return errands_count () == 0;
}

void
robot_idle (guint milliseconds)
{
  wait (milliseconds);
  do
    {
      robot_wait_until (has_no_errands, NULL);
      catch_up ();
    }
  while (!has_no_errands (NULL));
}

/* ---- xdotool ---- */

gboolean
robot_is_possible (void)
{
  g_autofree char *program = g_find_program_in_path ("xdotool");

  return program != NULL && g_getenv ("DISPLAY") != NULL;
}

static void
ended_cb (GPid pid, int status, gpointer data)
{
  *(int *) data = status;
  g_spawn_close_pid (pid);
}

void
robot_do (const char *format, ...)
{
  va_list arguments;
  int status = -1;
  GPid pid;
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) error = NULL;

  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *line = g_strconcat ("xdotool ", rest, NULL);

  g_assert_true (g_shell_parse_argv (line, NULL, &words, &error));
  gdk_display_sync (
      gdk_display_get_default ()); /* windows are where the program thinks that they are */
  g_spawn_async (NULL, words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                 &pid, &error);
  g_assert_no_error (error);
  g_child_watch_add (pid, ended_cb, &status);
  while (status == -1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (status, ==, 0);
  wait (MOMENT);
  catch_up ();
}

static gulong
get_xid (GtkWindow *window)
{
  return gdk_x11_surface_get_xid (gtk_native_get_surface (GTK_NATIVE (window)));
}

GtkWindow *
robot_find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (g_type_is_a (G_OBJECT_TYPE (window), type) && gtk_widget_get_mapped (GTK_WIDGET (window)))
        return window;
    }
  return NULL;
}

static void
text_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
has_text (gpointer data)
{
  return *(char **) data != NULL;
}

char *
robot_read_clipboard (Robot *self)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (self->window));
  char *text = NULL;

  gdk_clipboard_read_text_async (clipboard, NULL, text_cb, &text);
  robot_wait_until (has_text, &text);
  return text;
}

void
robot_focus (GtkWindow *window)
{
  robot_do ("windowfocus %lu", get_xid (window));
}

void
robot_resize (Robot *self, int width, int height)
{
  robot_do ("windowsize %lu %d %d", get_xid (GTK_WINDOW (self->window)), width, height);
}

typedef struct {
  GtkWidget *widget;
  ScopeViewport *viewport; /* NULL: the place is in pixels of the widget, else in its drawing */
  double x, y;
} Aim;

static GdkRectangle
locate (const Aim *aim)
{
  GtkNative *native = gtk_widget_get_native (aim->widget);
  int scale = gtk_widget_get_scale_factor (aim->widget);
  double x = aim->x, y = aim->y, left, top;

  if (aim->viewport != NULL)
    scope_viewport_to_widget (aim->viewport, aim->x, aim->y, &x, &y);
  g_assert_true (gtk_widget_translate_coordinates (aim->widget, GTK_WIDGET (native), x, y, &x, &y));
  gtk_native_get_surface_transform (native, &left, &top);
  return (GdkRectangle){ (int) (scale * (x + left)), (int) (scale * (y + top)), 1, 1 };
}

/* Menus come to their place after they are there, and take nobody's pointer with them. */
static gboolean
is_pointed_at (GtkNative *native, const GdkRectangle *place)
{
  GdkSurface *surface = gtk_native_get_surface (native);
  GdkSeat *seat = gdk_display_get_default_seat (gdk_surface_get_display (surface));
  int scale = gdk_surface_get_scale_factor (surface);
  double x, y;

  return gdk_surface_get_device_position (surface, gdk_seat_get_pointer (seat), &x, &y, NULL) &&
         fabs (x * scale - place->x) <= scale && fabs (y * scale - place->y) <= scale;
}

/* The pointer follows what moves while it is on its way. */
static void
point (const Aim *aim, const char *then)
{
  GtkNative *native = gtk_widget_get_native (aim->widget);
  gulong xid = gdk_x11_surface_get_xid (gtk_native_get_surface (native));
  gint64 end = g_get_monotonic_time () + PATIENCE;
  GdkRectangle before, now;

  wait_for_frames (GTK_WIDGET (native));
  do
    {
      before = locate (aim);
      robot_do ("mousemove --window %lu %d %d", xid, before.x, before.y);
      now = locate (aim);
    }
  while ((!gdk_rectangle_equal (&now, &before) || !is_pointed_at (native, &now)) &&
         g_get_monotonic_time () < end);
  robot_do ("%s", then);
}

void
robot_point (GtkWidget *widget, double x, double y, const char *then)
{
  Aim aim = { widget, NULL, x, y };

  if (widget == doubtful)
    g_error ("there are several of what is pointed at: %s", G_OBJECT_TYPE_NAME (widget));
  point (&aim, then);
}

void
robot_click (GtkWidget *widget)
{
  wait_for_frames (GTK_WIDGET (gtk_widget_get_native (widget)));
  robot_point (widget, gtk_widget_get_width (widget) / 2.0, gtk_widget_get_height (widget) / 2.0,
               "click 1");
}

/* ---- Files ---- */

/* ---- Widgets ---- */

static const char *
get_text (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return gtk_label_get_text (GTK_LABEL (widget));
  if (SCOPE_IS_CELL (widget))
    return scope_cell_get_text (SCOPE_CELL (widget));
  if (GTK_IS_BUTTON (widget) && gtk_button_get_label (GTK_BUTTON (widget)) == NULL)
    return gtk_widget_get_tooltip_text (widget);
  if (GTK_IS_BUTTON (widget))
    return gtk_button_get_label (GTK_BUTTON (widget));
  if (GTK_IS_EDITABLE (widget))
    return gtk_editable_get_text (GTK_EDITABLE (widget));
  return NULL;
}

/* Cells of tables are as good as labels. */
static gboolean
is_of_type (GtkWidget *widget, GType type)
{
  return type == G_TYPE_NONE || g_type_is_a (G_OBJECT_TYPE (widget), type) ||
         (type == GTK_TYPE_LABEL && SCOPE_IS_CELL (widget));
}

GtkWidget *
robot_find (GtkWidget *root, GType type, const char *text)
{
  g_autoptr (GQueue) stack = g_queue_new ();
  GtkWidget *first = NULL;

  for (g_queue_push_head (stack, root); !g_queue_is_empty (stack);)
    {
      GtkWidget *widget = g_queue_pop_head (stack);

      if (is_of_type (widget, type) && gtk_widget_get_mapped (widget) &&
          (text == NULL || g_strcmp0 (get_text (widget), text) == 0))
        {
          if (text == NULL)
            return widget;
          if (first != NULL)
            {
              g_set_weak_pointer (&doubtful, first);
              return first;
            }
          first = widget;
        }
      for (GtkWidget *child = gtk_widget_get_last_child (widget); child != NULL;
           child = gtk_widget_get_prev_sibling (child))
        g_queue_push_head (stack, child);
    }
  if (first != NULL && first == doubtful)
    g_clear_weak_pointer (&doubtful);
  return first;
}

typedef struct {
  GtkWidget *root;
  GType type;
  const char *text;
} Sought;

static gboolean
is_found (gpointer data)
{
  const Sought *sought = data;

  return robot_find (sought->root, sought->type, sought->text) != NULL;
}

GtkWidget *
robot_wait_for (GtkWidget *root, GType type, const char *text)
{
  Sought sought = { root, type, text };

  robot_wait_until (is_found, &sought);
  return robot_find (root, type, text);
}

/* ---- The program ---- */

ScopeDocument *
robot_get_document (Robot *self)
{
  ScopePage *page = scope_window_get_page (self->window);

  return page != NULL ? scope_page_get_document (page) : NULL;
}

gboolean
robot_has_drawing (gpointer self)
{
  ScopeDocument *document = robot_get_document (self);

  return document != NULL && scope_document_get_picture (document) != NULL &&
         !scope_document_is_preview (document) && scope_document_get_progress (document) == NULL;
}

static gboolean
is_settled (gpointer data)
{
  ScopeDocument *document = robot_get_document (data);

  return document == NULL || scope_document_get_progress (document) == NULL;
}

void
robot_open (Robot *self, const char *path)
{
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  if (file != NULL)
    g_application_open (G_APPLICATION (self->application), &file, 1, "");
  else
    g_application_activate (G_APPLICATION (self->application));
  self->window =
      SCOPE_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (self->application)));
  robot_wait_until (is_settled, self);
  robot_idle (300);
}

static void
start (Robot *self, const char *path, GApplicationFlags flags)
{
  g_autoptr (GError) error = NULL;

  toasts_forget ();
  self->application = scope_application_new (flags);
  g_application_register (G_APPLICATION (self->application), NULL, &error);
  g_assert_no_error (error);
  robot_open (self, path);
  robot_do ("windowmove %lu 0 0", get_xid (GTK_WINDOW (self->window)));
  robot_focus (GTK_WINDOW (self->window));
  robot_settle (self);
}

void
robot_start (Robot *self, const char *path)
{
  start (self, path, G_APPLICATION_NON_UNIQUE);
}

void
robot_start_session (Robot *self, const char *path)
{
  start (self, path, G_APPLICATION_DEFAULT_FLAGS);
}

/* A window that is closed leaves nothing behind. */
void
robot_stop (Robot *self)
{
  gpointer window = self->window;

  g_object_add_weak_pointer (G_OBJECT (self->window), &window);
  gtk_window_destroy (GTK_WINDOW (self->window));
  robot_idle (300);
  g_assert_null (window);
  g_clear_object (&self->application);
}

/* ---- Its parts ---- */

void
robot_await_told (Robot *self, GType part, const char *text)
{
  GtkWidget *widget = robot_wait_for (GTK_WIDGET (self->window), part, NULL);

  robot_wait_for (widget, GTK_TYPE_LABEL, text);
}

GtkWidget *
robot_find_part (Robot *self, GType type)
{
  GtkWidget *part = robot_find (GTK_WIDGET (self->window), type, NULL);

  if (part == NULL)
    g_error ("the window shows no %s", g_type_name (type));
  return part;
}

static gboolean
find_box (Robot *self, const char *name, SymRect *rect)
{
  ScopeDocument *document = robot_get_document (self);
  SymLayout *layout = sym_picture_get_layout (scope_document_get_picture (document));
  SymId value = toy_find (document, name);
  guint item = sym_scene_find_value (sym_layout_get_scene (layout), value);

  return item != G_MAXUINT &&
         sym_scene_get_item (sym_layout_get_scene (layout), item)->group == SYM_NO_GROUP &&
         scope_place_find (layout, value, SYM_NO_ID, rect);
}

gboolean
robot_is_drawn (Robot *self, const char *name)
{
  SymRect rect;

  return find_box (self, name, &rect);
}

void
robot_point_in_drawing (Robot *self, double x, double y, const char *then)
{
  GtkWidget *canvas = robot_find_part (self, SCOPE_TYPE_CANVAS);
  Aim aim = { canvas, scope_canvas_get_viewport (SCOPE_CANVAS (canvas)), x, y };

  point (&aim, then);
}

void
robot_point_at_node (Robot *self, const char *name, const char *then)
{
  SymRect rect;

  g_assert_true (find_box (self, name, &rect));
  robot_point_in_drawing (self, rect.x + rect.width / 2, rect.y + rect.height / 2, then);
}

typedef struct {
  Robot *robot;
  const char *name;
} Choice;

static gboolean
is_selected (gpointer data)
{
  const Choice *choice = data;
  ScopeDocument *document = robot_get_document (choice->robot);

  return document != NULL && scope_document_get_model (document) != NULL &&
         scope_document_get_selected_value (document) == toy_find (document, choice->name);
}

void
robot_wait_selected (Robot *self, const char *name)
{
  Choice choice = { self, name };

  robot_wait_until (is_selected, &choice);
}

/* Two clicks are one double click however long a busy machine takes between them. */
void
robot_double_click (GtkWidget *widget, double x, double y)
{
  GtkSettings *settings = gtk_widget_get_settings (widget);

  g_object_set (settings, "gtk-double-click-time", (int) (PATIENCE / 1000), NULL);
  robot_point (widget, x, y, "click --repeat 2 --delay 60 1");
  gtk_settings_reset_property (settings, "gtk-double-click-time");
}

static gboolean
rests (gpointer data)
{
  Robot *self = data;
  GtkWidget *canvas = robot_find (GTK_WIDGET (self->window), SCOPE_TYPE_CANVAS, NULL);

  return is_settled (self) &&
         (canvas == NULL ||
          !scope_viewport_is_moving (scope_canvas_get_viewport (SCOPE_CANVAS (canvas))));
}

/* What has come may be moved to its place in the next frame only. */
void
robot_settle (Robot *self)
{
  robot_idle (100);
  do
    {
      robot_wait_until (rests, self);
      robot_idle (TICK);
    }
  while (!rests (self));
}

void
robot_press (Robot *self, const char *keys)
{
  robot_do ("key --delay 60 %s", keys);
  robot_settle (self);
}
