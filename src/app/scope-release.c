/* SPDX-License-Identifier: MIT */
#include "app/scope-release.h"

#ifdef __GLIBC__
#  include <malloc.h>
#endif

typedef struct {
  gpointer data;
  GDestroyNotify free;
} Released;

/* The allocator would keep what was freed, of each thread for itself: who opens and closes large
 * graphs would hold several times of what is in use.  This takes 20 ms after a large one, and
 * nothing after others. */
static void
give_back (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

static int n_waiting; /* of those that were released */

static void
free_cb (gpointer data, gpointer user_data)
{
  Released *self = data;

  self->free (self->data);
  g_free (self);
  if (g_atomic_int_dec_and_test (&n_waiting))
    give_back ();
}

/* One thread, which ends when it has had nothing to do for a while. */
static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (free_cb, NULL, 1, FALSE, NULL));
  return pool;
}

void
scope_release (gpointer take_data, GDestroyNotify free)
{
  Released *released;

  if (take_data == NULL)
    return;
  released = g_new0 (Released, 1);
  released->data = take_data;
  released->free = free;
  g_atomic_int_inc (&n_waiting);
  g_thread_pool_push (get_pool (), released, NULL);
}
