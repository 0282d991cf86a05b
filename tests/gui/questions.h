/* SPDX-License-Identifier: MIT */
#pragma once

#include "robot.h"

/* What the program asks in a dialog of its own. */

/* That of one window, or any with NULL; NULL for none. */
GtkWindow *question_find (ScopeWindow *of);

/* For robot_wait_until(), with the same. */
gboolean question_is_asked (gpointer of);
gboolean question_is_not_asked (gpointer of);

/* Waits for it and gives it the keyboard. */
GtkWindow *question_await (ScopeWindow *of);

/* Presses a key in it as xdotool calls that, and waits until it is closed: the window may have
 * another then. */
void question_answer (ScopeWindow *of, const char *key);
