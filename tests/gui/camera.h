/* SPDX-License-Identifier: MIT */
#pragma once

#include "robot.h"

/* Takes pictures of the program, for people to look at. */

/* Where pictures go, the project's data/, and the size of the window.  GDK_SCALE multiplies it. */
void camera_set_up (const char *pictures, const char *data_folder, int width_px, int height_px);

/* A path below data/; the caller's. */
char *camera_get_data (const char *name);

/* The program with that file, which may be NULL, its window of that size at the top left. */
void camera_start (Robot *robot, const char *path);

/* What the screen shows where the window is, as NAME.png.  A window may stand out of the screen:
 * there it is cut off. */
void camera_shoot (const char *name);

/* The same with the inspector, which may be hidden. */
void camera_shoot_inspector (Robot *robot, const char *name);

/* Waits until the drawing stands still; it may be hidden. */
void camera_settle (Robot *robot);

/* Does what a menu would; @target may be NULL. */
void camera_act (Robot *robot, const char *action, const char *target);

void camera_select (Robot *robot, const char *value);

/* NULL where it is hidden. */
GtkWidget *camera_find_summary (Robot *robot);

/* Gives the keyboard to the dialog that is open; destroys all dialogs. */
void camera_focus_dialog (Robot *robot);
void camera_close_windows (Robot *robot);
