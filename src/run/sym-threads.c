/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include "run/sym-threads-private.h"

#include <sched.h>
#include <stdatomic.h>

/* How long a thread looks before it sleeps, in microseconds.  To wake up takes 30 and more, and
 * steps are often shorter; but where other programs want the processor, too, looking uses up the
 * share that slices need. */
#define PATIENCE 150
#define CROWDED_PATIENCE 20

/* Looks between those at the clock: about a microsecond. */
#define N_LOOKS 32

/* Who had to wait so many microseconds, or had no processor for so long, was not alone; and
 * probably will not be for so many. */
#define LOST_TIME 1000
#define CROWDED_TIME 100000

/* Number of the work, and the slices that nobody has claimed yet, from the first to before the end,
 * in one word: so that whoever claims knows what of. */
#define SLICE_BITS 21
#define SLICE_MASK ((1u << SLICE_BITS) - 1)

typedef struct {
  SymThreads *threads;
  guint number;
  GThread *thread;
} Helper;

struct _SymThreads {
  guint n;
  Helper *helpers; /* one fewer than n */
  _Atomic (SymThreadsWork) work;
  _Atomic (gpointer) data;
  _Atomic (guint) n_slices;
  _Alignas(64) _Atomic (guint64) claims;
  _Alignas(64) _Atomic (guint) n_done;
  _Alignas(64) _Atomic (guint) n_asleep; /* helpers */
  atomic_int processor;                  /* where the one that asks is */
  atomic_int helper_processor;           /* where the last helper is that began to help */
  atomic_bool is_waiting;                /* the one that asks sleeps */
  atomic_bool is_over;
  _Atomic (gint64) crowded_until; /* by the clock, in microseconds */
  GMutex lock;                    /* for going to sleep and waking up */
  GCond more, done;
};

static guint
get_end (guint64 claims)
{
  return (guint) (claims >> SLICE_BITS) & SLICE_MASK;
}

static gboolean
is_open (guint64 claims)
{
  return ((guint) claims & SLICE_MASK) < get_end (claims);
}

/* Every other thread begins at the end: so the same one has the same part of one work and of the
 * next, which finds near what it left there, and only where they meet do they share. */
static gboolean
is_from_end (guint thread)
{
  return thread % 2 == 1;
}

guint
sym_threads_guess_next (guint n, guint thread, guint slice)
{
  return is_from_end (thread) ? slice - n / 2 : slice + (n + 1) / 2;
}

/* Claims one, which is open, for a thread. */
static guint64
claim (guint64 claims, guint thread, guint *slice)
{
  gboolean from_end = is_from_end (thread);

  *slice = from_end ? get_end (claims) - 1 : (guint) claims & SLICE_MASK;
  return from_end ? claims - (SLICE_MASK + 1) : claims + 1;
}

static void
pause_briefly (void)
{
#ifdef __x86_64__
  __builtin_ia32_pause ();
#endif
}

/* Does slices until all are claimed. */
static void
help (SymThreads *self, guint number)
{
  guint64 claims = atomic_load (&self->claims);

  while (is_open (claims))
    {
      SymThreadsWork work = atomic_load_explicit (&self->work, memory_order_relaxed);
      gpointer data = atomic_load_explicit (&self->data, memory_order_relaxed);
      guint n_slices = atomic_load_explicit (&self->n_slices, memory_order_relaxed), slice;
      guint64 claimed = claim (claims, number, &slice);

      /* What was read belongs to these claims if they are still the same. */
      if (!atomic_compare_exchange_weak (&self->claims, &claims, claimed))
        continue;
      work (data, slice, number);
      if (atomic_fetch_add (&self->n_done, 1) + 1 == n_slices && atomic_load (&self->is_waiting))
        {
          g_mutex_lock (&self->lock);
          g_cond_signal (&self->done);
          g_mutex_unlock (&self->lock);
        }
      claims = atomic_load (&self->claims);
    }
}

static gboolean
has_work (SymThreads *self)
{
  return is_open (atomic_load (&self->claims)) || atomic_load (&self->is_over);
}

/* The system may wake a helper on the processor of the one that asks, and takes long to notice that
 * another one is idle: on it, both together are no quicker than one.  Not allowed there for a
 * moment, the helper is moved at once. */
static void
make_room (SymThreads *self)
{
  int processor = atomic_load (&self->processor);
  cpu_set_t allowed, others;

  if (sched_getcpu () != processor || processor < 0 || processor >= CPU_SETSIZE ||
      sched_getaffinity (0, sizeof allowed, &allowed) != 0)
    return;
  others = allowed;
  CPU_CLR (processor, &others);
  if (CPU_COUNT (&others) > 0 && sched_setaffinity (0, sizeof others, &others) == 0)
    sched_setaffinity (0, sizeof allowed, &allowed);
}

/* ---- Waiting ---- */

static void
note_lost_time (SymThreads *self, gint64 since)
{
  gint64 now = g_get_monotonic_time ();

  if (now - since > LOST_TIME)
    atomic_store (&self->crowded_until, now + CROWDED_TIME);
}

/* Whether what is waited for came while it was worth looking, which it is not on the processor of
 * the one that is to bring it. */
static gboolean
look_for (SymThreads *self, gboolean (*is_there) (SymThreads *self), const atomic_int *bringer)
{
  gint64 start = g_get_monotonic_time (), now = start, last;
  gint64 patience = start < atomic_load (&self->crowded_until) ? CROWDED_PATIENCE : PATIENCE;

  do
    {
      for (guint i = 0; i < N_LOOKS; i++)
        {
          if (is_there (self))
            return TRUE;
          pause_briefly ();
        }
      last = now;
      now = g_get_monotonic_time ();
      note_lost_time (self, last);
    }
  while (now - start < patience && sched_getcpu () != atomic_load (bringer));
  return FALSE;
}

static void
wait_for_work (SymThreads *self)
{
  if (look_for (self, has_work, &self->processor))
    return;
  g_mutex_lock (&self->lock);
  atomic_fetch_add (&self->n_asleep, 1);
  while (!has_work (self))
    g_cond_wait (&self->more, &self->lock);
  atomic_fetch_sub (&self->n_asleep, 1);
  g_mutex_unlock (&self->lock);
  make_room (self);
}

static gpointer
run_helper (gpointer data)
{
  Helper *helper = data;

  while (!atomic_load (&helper->threads->is_over))
    {
      atomic_store (&helper->threads->helper_processor, sched_getcpu ());
      help (helper->threads, helper->number);
      wait_for_work (helper->threads);
    }
  return NULL;
}

SymThreads *
sym_threads_new (guint n)
{
  SymThreads *self = g_aligned_alloc0 (1, sizeof *self, 64);

  self->n = MAX (n, 1);
  atomic_init (&self->processor, -1);
  atomic_init (&self->helper_processor, -1);
  self->helpers = g_new0 (Helper, self->n);
  g_mutex_init (&self->lock);
  g_cond_init (&self->more);
  g_cond_init (&self->done);
  for (guint i = 0; i + 1 < self->n; i++)
    {
      self->helpers[i] = (Helper){ self, i + 1 };
      self->helpers[i].thread = g_thread_new ("symscope-run", run_helper, &self->helpers[i]);
    }
  return self;
}

static void
wake (SymThreads *self)
{
  if (atomic_load (&self->n_asleep) == 0)
    return;
  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->more);
  g_mutex_unlock (&self->lock);
}

void
sym_threads_free (SymThreads *self)
{
  atomic_store (&self->is_over, TRUE);
  wake (self);
  for (guint i = 0; i + 1 < self->n; i++)
    g_thread_join (self->helpers[i].thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->more);
  g_cond_clear (&self->done);
  g_free (self->helpers);
  g_aligned_free (self);
}

guint
sym_threads_get_n (const SymThreads *self)
{
  return self->n;
}

static gboolean
is_done (SymThreads *self)
{
  return atomic_load (&self->n_done) ==
         atomic_load_explicit (&self->n_slices, memory_order_relaxed);
}

/* Sleeping lets the system bring a helper here that lost its processor with a slice undone. */
static void
wait_until_done (SymThreads *self)
{
  gint64 start;

  if (is_done (self))
    return;
  start = g_get_monotonic_time ();
  if (look_for (self, is_done, &self->helper_processor))
    return;
  g_mutex_lock (&self->lock);
  atomic_store (&self->is_waiting, TRUE);
  while (!is_done (self))
    g_cond_wait (&self->done, &self->lock);
  atomic_store (&self->is_waiting, FALSE);
  g_mutex_unlock (&self->lock);
  note_lost_time (self, start);
}

void
sym_threads_run (SymThreads *self, SymThreadsWork work, gpointer data, guint n_slices)
{
  guint64 number = (atomic_load (&self->claims) >> (2 * SLICE_BITS)) + 1;

  g_return_if_fail (n_slices <= SYM_THREADS_MAX_SLICES);

  if (self->n == 1 || n_slices < 2)
    {
      for (guint i = 0; i < n_slices; i++)
        work (data, i, 0);
      return;
    }
  atomic_store_explicit (&self->work, work, memory_order_relaxed);
  atomic_store_explicit (&self->data, data, memory_order_relaxed);
  atomic_store_explicit (&self->n_slices, n_slices, memory_order_relaxed);
  atomic_store (&self->processor, sched_getcpu ());
  atomic_store (&self->n_done, 0);
  atomic_store (&self->claims, (number << (2 * SLICE_BITS)) | ((guint64) n_slices << SLICE_BITS));
  wake (self);
  help (self, 0);
  wait_until_done (self);
}
