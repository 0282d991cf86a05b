/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Measures how long the main loop of the calling thread is busy between two times that it asks
 * for what there is to do: that long, a window does not answer.
 *
 * On a machine with other work to do, a thread is kept from its processor through no fault of its
 * own. So the time that it was ready to run and did not is taken away, as the kernel counts it;
 * the rest is what it computed or was blocked for: by a lock, by a file or by another process. */
typedef struct {
  double own_ms;  /* what counts */
  double cpu_ms;  /* of those, computed */
  double wall_ms; /* by the clock on the wall */
  char *what;     /* as the program said it was doing; see watchdog_set_what() */
  char *stacks;   /* where it was, a line each 20 ms; from innermost to outermost call */
} WatchdogGap;

/* Begins, in the thread with the default main context.  Gaps of at least that long are kept. */
void watchdog_start (double limit_ms);

/* Ends, and hands over what was found: of WatchdogGap, the caller's. */
GPtrArray *watchdog_stop (void);

/* What is going on from now on, told with a gap.  Copied. */
void watchdog_set_what (const char *what);

/* The longest so far, of all. */
double watchdog_get_longest (void);
