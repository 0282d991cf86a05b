/* SPDX-License-Identifier: MIT */
#include "watchdog.h"

#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#  define sigev_notify_thread_id _sigev_un._tid
#endif

#define FIRST_LOOK_MS 50
#define LOOK_MS 20
#define MAX_LOOKS 64
#define MAX_DEPTH 40
#define OWN_FRAMES 2 /* this handler, and the kernel's way into it */

typedef struct {
  void *frames[MAX_DEPTH];
  int n;
} Look;

typedef struct {
  gint64 wall_ns, cpu_ns, waiting_ns;
} Clocks;

static struct {
  double limit_ms, longest_ms;
  char *what;
  GPtrArray *gaps;
  timer_t timer;
  int schedstat; /* what the kernel tells of this thread */
  Clocks begin;
  Look looks[MAX_LOOKS];
  volatile sig_atomic_t n_looks;
} watchdog;

/* ---- Clocks ---- */

static gint64
read_clock (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return time.tv_sec * G_GINT64_CONSTANT (1000000000) + time.tv_nsec;
}

/* The second number: nanoseconds in the queue of those that could run. */
static gint64
read_waiting (void)
{
  char text[128];
  ssize_t n = pread (watchdog.schedstat, text, sizeof text - 1, 0);
  char *space;

  if (n <= 0)
    return 0;
  text[n] = '\0';
  space = strchr (text, ' ');
  return space != NULL ? g_ascii_strtoll (space, NULL, 10) : 0;
}

static Clocks
read_clocks (void)
{
  return (Clocks){ read_clock (CLOCK_MONOTONIC), read_clock (CLOCK_THREAD_CPUTIME_ID),
                   read_waiting () };
}

/* ---- Where it is ---- */

static void
look_cb (int number)
{
  Look *look;

  if (watchdog.n_looks >= MAX_LOOKS)
    return;
  look = &watchdog.looks[watchdog.n_looks];
  look->n = backtrace (look->frames, MAX_DEPTH);
  watchdog.n_looks++;
}

static void
set_timer (guint first_ms, guint next_ms)
{
  struct itimerspec time = { { 0, next_ms * 1000000L }, { 0, first_ms * 1000000L } };

  timer_settime (watchdog.timer, 0, &time, NULL);
}

/* Names of what is exported, places of the rest: addr2line -f -e PROGRAM tells those. */
static char *
format_looks (void)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < watchdog.n_looks; i++)
    {
      const Look *look = &watchdog.looks[i];
      char **names = backtrace_symbols (look->frames, look->n);

      for (int k = OWN_FRAMES; names != NULL && k < look->n; k++)
        {
          const char *slash = strrchr (names[k], '/');

          g_string_append_printf (text, "%s ", slash != NULL ? slash + 1 : names[k]);
        }
      g_string_append_c (text, '\n');
      free (names);
    }
  return g_string_free (text, FALSE);
}

/* ---- Turns of the loop ---- */

static void
begin_turn (void)
{
  watchdog.begin = read_clocks ();
  watchdog.n_looks = 0;
  set_timer (FIRST_LOOK_MS, LOOK_MS);
}

static void
keep_gap (const Clocks *now, double own_ms)
{
  WatchdogGap *gap = g_new0 (WatchdogGap, 1);

  gap->own_ms = own_ms;
  gap->cpu_ms = (double) (now->cpu_ns - watchdog.begin.cpu_ns) / 1e6;
  gap->wall_ms = (double) (now->wall_ns - watchdog.begin.wall_ns) / 1e6;
  gap->what = g_strdup (watchdog.what);
  gap->stacks = format_looks ();
  g_ptr_array_add (watchdog.gaps, gap);
}

static void
end_turn (void)
{
  Clocks now = read_clocks ();
  gint64 wall_ns = now.wall_ns - watchdog.begin.wall_ns;
  double own_ms = (double) (wall_ns - (now.waiting_ns - watchdog.begin.waiting_ns)) / 1e6;

  set_timer (0, 0);
  watchdog.longest_ms = MAX (watchdog.longest_ms, own_ms);
  if (own_ms >= watchdog.limit_ms)
    keep_gap (&now, own_ms);
}

static int
poll_cb (GPollFD *fds, guint n, int timeout)
{
  int result;

  end_turn ();
  result = g_poll (fds, n, timeout);
  begin_turn ();
  return result;
}

/* ---- Whole ---- */

static void
gap_free (gpointer data)
{
  WatchdogGap *gap = data;

  g_free (gap->what);
  g_free (gap->stacks);
  g_free (gap);
}

void
watchdog_start (double limit_ms)
{
  struct sigaction action = { .sa_handler = look_cb, .sa_flags = SA_RESTART };
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF };
  int tid = (int) syscall (SYS_gettid);
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/schedstat", tid);
  void *first[1];

  backtrace (first, 1); /* loads what it needs, which a handler must not */
  watchdog.limit_ms = limit_ms;
  watchdog.longest_ms = 0;
  watchdog.what = g_strdup ("");
  watchdog.gaps = g_ptr_array_new_with_free_func (gap_free);
  watchdog.schedstat = open (path, O_RDONLY | O_CLOEXEC);
  event.sigev_notify_thread_id = tid;
  sigaction (SIGPROF, &action, NULL);
  g_assert_no_errno (timer_create (CLOCK_MONOTONIC, &event, &watchdog.timer));
  begin_turn ();
  g_main_context_set_poll_func (NULL, poll_cb);
}

GPtrArray *
watchdog_stop (void)
{
  g_main_context_set_poll_func (NULL, NULL);
  timer_delete (watchdog.timer);
  if (watchdog.schedstat >= 0)
    close (watchdog.schedstat);
  g_clear_pointer (&watchdog.what, g_free);
  return g_steal_pointer (&watchdog.gaps);
}

void
watchdog_set_what (const char *what)
{
  g_free (watchdog.what);
  watchdog.what = g_strdup (what);
}

double
watchdog_get_longest (void)
{
  return watchdog.longest_ms;
}
