/* SPDX-License-Identifier: MIT */
#include "app/scope-release.h"

typedef struct {
  gpointer data;
  GDestroyNotify free;
} Released;

static void
free_cb (gpointer data, gpointer user_data)
{
  Released *self = data;

  self->free (self->data);
  g_free (self);
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
  g_thread_pool_push (get_pool (), released, NULL);
}
