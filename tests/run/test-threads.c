/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "run/sym-threads-private.h"

/* A pool of threads does every slice once, whoever does it. */

#define MAX_SLICES 1000
#define PATIENCE (60 * G_USEC_PER_SEC) /* until a thread that sleeps has come */

typedef struct {
  gint counts[MAX_SLICES]; /* atomic: how often each slice was done */
  gint most;               /* atomic: the highest thread seen */
  gulong pause_us;
} Work;

static void
count (gpointer data, guint slice, guint thread)
{
  Work *work = data;
  gint most = g_atomic_int_get (&work->most);

  g_atomic_int_inc (&work->counts[slice]);
  while ((gint) thread > most &&
         !g_atomic_int_compare_and_exchange (&work->most, most, (gint) thread))
    most = g_atomic_int_get (&work->most);
  if (work->pause_us > 0)
    g_usleep (work->pause_us);
}

static void
assert_done_once (SymThreads *threads, guint n_slices, gulong pause_us)
{
  Work work = { .pause_us = pause_us };

  sym_threads_run (threads, count, &work, n_slices);
  for (guint i = 0; i < MAX_SLICES; i++)
    g_assert_cmpint (work.counts[i], ==, i < n_slices ? 1 : 0);
  g_assert_cmpint (work.most, <, (gint) sym_threads_get_n (threads));
}

static void
does_every_slice_once (void)
{
  const guint n_slices[] = { 0, 1, 2, 3, 7, 100, MAX_SLICES };

  for (guint n = 1; n <= 5; n++)
    {
      g_autoptr (SymThreads) threads = sym_threads_new (n);

      g_assert_cmpuint (sym_threads_get_n (threads), ==, n);
      for (guint round = 0; round < 200; round++)
        assert_done_once (threads, n_slices[round % G_N_ELEMENTS (n_slices)], 0);
    }
}

/* Threads that fell asleep come back, and those that are late with a slice are waited for. */
static void
wakes_who_sleeps (void)
{
  g_autoptr (SymThreads) threads = sym_threads_new (3);

  for (guint round = 0; round < 5; round++)
    {
      g_usleep (5000);
      assert_done_once (threads, 6, 2000);
    }
}

/* The first thread is not done before the other one has come. */
static void
await_other (gpointer data, guint slice, guint thread)
{
  Work *work = data;
  gint64 end = g_get_monotonic_time () + PATIENCE;

  count (data, slice, thread);
  while (g_atomic_int_get (&work->most) == 0 && g_get_monotonic_time () < end)
    g_usleep (1000);
}

/* Slices that take long enough are shared. */
static void
uses_other_threads (void)
{
  g_autoptr (SymThreads) threads = sym_threads_new (2);
  Work work = { 0 };

  sym_threads_run (threads, await_other, &work, 2);
  g_assert_cmpint (work.most, ==, 1);
}

static void
may_be_freed_at_once (void)
{
  for (guint i = 0; i < 50; i++)
    {
      SymThreads *threads = sym_threads_new (4);

      if (i % 2 == 0)
        assert_done_once (threads, 10, 0);
      sym_threads_free (threads);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/threads/does-every-slice-once", does_every_slice_once);
  g_test_add_func ("/run/threads/wakes-who-sleeps", wakes_who_sleeps);
  g_test_add_func ("/run/threads/uses-other-threads", uses_other_threads);
  g_test_add_func ("/run/threads/may-be-freed-at-once", may_be_freed_at_once);
  return g_test_run ();
}
