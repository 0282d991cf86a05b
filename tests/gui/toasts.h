/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* What the toasts of the program said.  One lives for five seconds, which a busy machine may spend
 * before a test looks; so each is remembered as it comes. */

/* Whether one came whose text begins so; until one did, and then it is forgotten with those before
 * it. */
gboolean toasts_said (const char *beginning);
void toasts_wait_for (const char *beginning);

/* Toasts that come from now on stay until they are dismissed, for one to be clicked at; the next
 * waits as long. */
void toasts_hold (void);

/* Toasts that come from now on have that time. */
void toasts_stretch (guint seconds);

/* As it is at first: nothing was said, none is held, and each has its own time. */
void toasts_forget (void);
