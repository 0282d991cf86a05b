/* SPDX-License-Identifier: MIT */
#include "run/sym-memory-private.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define LARGE_PAGE ((gsize) 2 << 20)

/* What is larger is mapped by itself; smaller pieces share. */
#define LARGE LARGE_PAGE

static gsize
round_up (gsize n, gsize unit)
{
  return (n + unit - 1) / unit * unit;
}

/* A page that takes longer than this, of the thread's own time, was not there: the system brought
 * small ones together for it, and many small ones would have been cheaper.  Then none is asked for
 * in the next while. */
#define SLOW_US 1000
#define PAUSE_US G_TIME_SPAN_SECOND

static gint64
get_thread_us (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* Each page is looked at as soon as it is asked for.  Small ones do as well where there are no
 * others. */
static void
ask_for_large_pages (char *begin, gsize n_bytes)
{
  static _Atomic gint64 pause_end;

  for (gsize i = 0; i < n_bytes && g_get_monotonic_time () >= pause_end; i += LARGE_PAGE)
    {
      gint64 start = get_thread_us ();

      if (madvise (begin + i, LARGE_PAGE, MADV_HUGEPAGE) != 0)
        return;
      *(volatile char *) (begin + i) = 0;
      if (get_thread_us () - start > SLOW_US)
        pause_end = g_get_monotonic_time () + PAUSE_US;
    }
}

/* Memory that begins at a large page: what is mapped around it is given back. */
static char *
map_pages (gsize n_bytes)
{
  gsize n = n_bytes + LARGE_PAGE, before;
  char *begin = mmap (NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (begin == MAP_FAILED)
    return NULL;
  before = round_up ((gsize) (uintptr_t) begin, LARGE_PAGE) - (gsize) (uintptr_t) begin;
  if (before > 0)
    munmap (begin, before);
  if (before < LARGE_PAGE)
    munmap (begin + before + n_bytes, LARGE_PAGE - before);
  ask_for_large_pages (begin + before, n_bytes);
  return begin + before;
}

void *
sym_memory_new (gsize n_bytes)
{
  void *memory = NULL;

  if (n_bytes > G_MAXSIZE / 2)
    return NULL;
  if (n_bytes >= LARGE)
    return map_pages (round_up (n_bytes, LARGE_PAGE));
  if (posix_memalign (&memory, 64, n_bytes + 64) != 0)
    return NULL;
  return memset (memory, 0, n_bytes + 64);
}

void
sym_memory_free (void *memory, gsize n_bytes)
{
  if (memory != NULL && n_bytes >= LARGE)
    munmap (memory, round_up (n_bytes, LARGE_PAGE));
  else
    free (memory);
}

/* ---- Pools ---- */

typedef struct {
  void *memory;
  gsize n_bytes;
} Piece;

struct _SymMemoryPool {
  GArray *pieces;   /* of Piece */
  char *next, *end; /* of the last large one what is free */
  gsize n_small;    /* bytes of small pieces so far */
};

static void
clear_piece (gpointer data)
{
  Piece *piece = data;

  sym_memory_free (piece->memory, piece->n_bytes);
}

SymMemoryPool *
sym_memory_pool_new (void)
{
  SymMemoryPool *self = g_new0 (SymMemoryPool, 1);

  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, clear_piece);
  return self;
}

void
sym_memory_pool_free (SymMemoryPool *self)
{
  g_array_unref (self->pieces);
  g_free (self);
}

static char *
add_piece (SymMemoryPool *self, gsize n_bytes)
{
  Piece piece = { sym_memory_new (n_bytes), n_bytes };

  if (piece.memory == NULL)
    g_error ("there is no memory for %" G_GSIZE_FORMAT " bytes of numbers", n_bytes);
  g_array_append_val (self->pieces, piece);
  return piece.memory;
}

/* A few small pieces are not worth a large page. */
float *
sym_memory_pool_take (SymMemoryPool *self, gsize n)
{
  gsize n_bytes = round_up (n * sizeof (float) + 1, 64);
  char *taken;

  if (n_bytes > (gsize) (self->end - self->next))
    {
      if (self->n_small + n_bytes < LARGE_PAGE)
        {
          self->n_small += n_bytes;
          return (float *) (gpointer) add_piece (self, n_bytes);
        }
      self->next = add_piece (self, round_up (n_bytes, LARGE_PAGE));
      self->end = self->next + round_up (n_bytes, LARGE_PAGE);
    }
  taken = self->next;
  self->next += n_bytes;
  return (float *) (gpointer) taken;
}
