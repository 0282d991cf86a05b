/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* An xdotool that is kept, and told line by line what to do: quicker than one for each thing to
 * do, and it does so while the main loop goes on.  Nothing but zeros to begin with. */
typedef struct {
  int input; /* its standard input; of no meaning without a process */
  GPid pid;  /* 0 for none */
} Hand;

void hand_use (Hand *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void hand_drop (Hand *self);
