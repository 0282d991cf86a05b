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
gsize
sym_memory_ask_for_large_pages (char *memory, gsize n_bytes, gsize first, gsize end)
{
  static _Atomic gint64 pause_end;

  first = round_up (first, LARGE_PAGE);
  end = MIN (round_up (end, LARGE_PAGE), n_bytes);
  for (gsize i = first; i < end && g_get_monotonic_time () >= pause_end; i += LARGE_PAGE)
    {
      gint64 start = get_thread_us ();

      if (madvise (memory + i, LARGE_PAGE, MADV_HUGEPAGE) != 0)
        break;
      *(volatile char *) (memory + i) = 0;
      if (get_thread_us () - start > SLOW_US)
        pause_end = g_get_monotonic_time () + PAUSE_US;
    }
  return end;
}

/* What is mapped around it is given back. */
char *
sym_memory_map (gsize *n_bytes_inout)
{
  gsize n_bytes, n, before;
  char *begin;

  if (*n_bytes_inout > G_MAXSIZE / 2)
    return NULL;
  n_bytes = round_up (MAX (*n_bytes_inout, 1), LARGE_PAGE);
  n = n_bytes + LARGE_PAGE;
  begin = mmap (NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED)
    return NULL;
  before = round_up ((gsize) (uintptr_t) begin, LARGE_PAGE) - (gsize) (uintptr_t) begin;
  if (before > 0)
    munmap (begin, before);
  if (before < LARGE_PAGE)
    munmap (begin + before + n_bytes, LARGE_PAGE - before);
  *n_bytes_inout = n_bytes;
  return begin + before;
}

static char *
map_pages (gsize n_bytes)
{
  char *memory = sym_memory_map (&n_bytes);

  if (memory != NULL)
    sym_memory_ask_for_large_pages (memory, n_bytes, 0, n_bytes);
  return memory;
}

void *
sym_memory_new (gsize n_bytes)
{
  void *memory = NULL;

  if (n_bytes > G_MAXSIZE / 2)
    return NULL;
  if (n_bytes >= LARGE)
    return map_pages (n_bytes);
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

/* A few small pieces of an area are not worth the gaps that they leave. */
#define LEAST_OF_AREA ((gsize) 16 << 10)

typedef struct {
  void *memory;
  gsize n_bytes;
  gboolean is_of_area;
} Piece;

struct _SymMemoryPool {
  SymMemoryArea *area; /* or NULL */
  GArray *pieces;      /* of Piece */
  char *next, *end;    /* of the last large one what is free */
  gsize n_small;       /* bytes of small pieces so far */
};

SymMemoryPool *
sym_memory_pool_new (SymMemoryArea *area)
{
  SymMemoryPool *self = g_new0 (SymMemoryPool, 1);

  self->area = area == NULL ? NULL : sym_memory_area_ref (area);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  return self;
}

void
sym_memory_pool_free (SymMemoryPool *self)
{
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, i);

      if (piece->is_of_area)
        sym_memory_area_give (self->area, piece->memory, piece->n_bytes);
      else
        sym_memory_free (piece->memory, piece->n_bytes);
    }
  g_array_unref (self->pieces);
  g_clear_pointer (&self->area, sym_memory_area_unref);
  g_free (self);
}

static char *
add_piece (SymMemoryPool *self, gsize n_bytes)
{
  Piece piece = { sym_memory_new (n_bytes), n_bytes, FALSE };

  if (piece.memory == NULL)
    g_error ("there is no memory for %" G_GSIZE_FORMAT " bytes of numbers", n_bytes);
  g_array_append_val (self->pieces, piece);
  return piece.memory;
}

/* Of the area, NULL when that has none. */
static void *
take_used (SymMemoryPool *self, gsize n_bytes)
{
  Piece piece = { NULL, n_bytes, TRUE };

  if (self->area == NULL || n_bytes < LEAST_OF_AREA)
    return NULL;
  piece.memory = sym_memory_area_take (self->area, n_bytes);
  if (piece.memory != NULL)
    g_array_append_val (self->pieces, piece);
  return piece.memory;
}

/* A few small pieces are not worth a large page. */
static float *
take (SymMemoryPool *self, gsize n_bytes)
{
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

float *
sym_memory_pool_take_any (SymMemoryPool *self, gsize n)
{
  gsize n_bytes = round_up (n * sizeof (float) + 1, 64);
  float *used = take_used (self, n_bytes);

  return used == NULL ? take (self, n_bytes) : used;
}

float *
sym_memory_pool_take (SymMemoryPool *self, gsize n)
{
  gsize n_bytes = round_up (n * sizeof (float) + 1, 64);
  float *used = take_used (self, n_bytes);

  return used == NULL ? take (self, n_bytes) : memset (used, 0, n_bytes);
}
