/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-application.h"
#include "app/scope-window.h"

/* Drives the real program with real clicks and keys, by xdotool.  It runs in this process, so that
 * what came of them can be looked at. */
typedef struct {
  ScopeApplication *application;
  ScopeWindow *window;
} Robot;

/* Whether there is an X display and xdotool. */
gboolean robot_is_possible (void);

/* Removes settings, session and recent files: of the home that a test has in the build, never of a
 * user's. */
void robot_clear_home (void);

/* Starts the program as `symscope-window PATH` would, and waits until the graph is there.  @path
 * may be NULL. */
void robot_start (Robot *self, const char *path);

/* The same of a program that thinks it is the only one, and so keeps a session. */
void robot_start_session (Robot *self, const char *path);
void robot_stop (Robot *self);

/* Ends it as its user does, or as the desktop's session does, which waits for nobody; or waits
 * until it has ended by itself.  It has a session. */
void robot_quit (Robot *self);
void robot_end_by_signal (Robot *self);
void robot_wait_for_end (Robot *self);
gboolean robot_has_no_window (gpointer self);

/* The file that keeps the session, the caller's to free; and whether such a text is in it. */
char *robot_get_session_path (void);
gboolean robot_session_tells (gpointer part);

void robot_open (Robot *self, const char *path);
ScopeDocument *robot_get_document (Robot *self);

/* Whether the document in front is read and drawn, and nothing of that goes on any more. */
gboolean robot_has_drawing (gpointer self);

/* Runs the main loop at least so long, until it has nothing to do, no task of another thread goes
 * on, and all windows are drawn; or until the condition holds, and asserts that it did. */
void robot_idle (guint milliseconds);
#define robot_wait_until(is_true, ...) robot_wait_at (#is_true, G_STRLOC, is_true, __VA_ARGS__)
void robot_wait_at (const char *name,
                    const char *place,
                    gboolean (*is_true) (gpointer data),
                    gpointer data);

/* Runs xdotool with a printf-like command line, the main loop going on meanwhile, and until the
 * windows were told of it and drawn again; what they have other threads do may go on. */
void robot_do (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* The window of that type that is on the screen; NULL for none. */
GtkWindow *robot_find_window (GType type);

/* Types the path of a file into the dialog that asks for one, once that is there, and accepts it.
 */
void robot_choose_file (const char *path);

/* The text that the clipboard holds, which must be one; the caller's. */
char *robot_read_clipboard (Robot *self);

/* Gives the keyboard to a window. */
void robot_focus (GtkWindow *window);

/* Asks for another size of its window, in pixels of the screen. */
void robot_resize (Robot *self, int width, int height);

/* Moves the pointer to a place of a widget, and does what @then says there: "click 1". */
void robot_point (GtkWidget *widget, double x, double y, const char *then);
void robot_click (GtkWidget *widget);
void robot_double_click (GtkWidget *widget, double x, double y);

/* The first widget below @root, depth first, of that type and with that text; NULL for any of both.
 * One whose text another has as well cannot be pointed at. */
GtkWidget *robot_find (GtkWidget *root, GType type, const char *text);

/* The same, once it is there. */
GtkWidget *robot_wait_for (GtkWidget *root, GType type, const char *text);

/* Waits until a label with that text is in the part of the window of that type, which may be there
 * only then itself. */
void robot_await_told (Robot *self, GType part, const char *text);

/* The part of the window of that type; it must be there. */
GtkWidget *robot_find_part (Robot *self, GType type);

/* Moves the pointer to a place of the drawing, in its units, wherever that is shown by then. */
void robot_point_in_drawing (Robot *self, double x, double y, const char *then);

/* Points at the box of a value in the drawing, which must be there. */
void robot_point_at_node (Robot *self, const char *name, const char *then);

/* Whether a value is drawn now: a box of its own. */
gboolean robot_is_drawn (Robot *self, const char *name);

/* Waits until a value is selected. */
void robot_wait_selected (Robot *self, const char *name);

/* Waits until all that was asked for is made and nothing moves any more. */
void robot_settle (Robot *self);

/* Presses keys as xdotool calls them, one after the other, and settles. */
void robot_press (Robot *self, const char *keys);
