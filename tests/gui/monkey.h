/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/scope-application.h"
#include "hand.h"

/* What plays with the window: shared by monkey.c, paws.c and mischief.c. */
typedef struct {
  ScopeApplication *application;
  GRand *random;
  GPtrArray *paths;
  GtkWindow *window; /* that keys go to */
  Hand hand;
  guint n_steps;
} Monkey;

typedef struct {
  const char *name;
  guint weight;
  void (*act) (Monkey *self);
} Trick;

/* Less than @n; one of words that end with NULL. */
guint monkey_pick (Monkey *self, guint n);
const char *monkey_pick_word (Monkey *self, const char *const *words);

/* What it does now, on standard output and with each gap. */
void monkey_tell (Monkey *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A window that it may use, to which keys go from now on; NULL for none. */
GtkWindow *monkey_focus (Monkey *self);

/* As xdotool knows a window. */
gulong monkey_get_xid (GtkNative *native);
