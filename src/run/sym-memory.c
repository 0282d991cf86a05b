/* SPDX-License-Identifier: MIT */
#include "run/sym-memory-private.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((gsize) 2 << 20)

/* What is larger is mapped by itself; smaller pieces share. */
#define LARGE LARGE_PAGE

static gsize
round_up (gsize n, gsize unit)
{
  return (n + unit - 1) / unit * unit;
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
  /* Small pages do as well where there are no others. */
  madvise (begin + before, n_bytes, MADV_HUGEPAGE);
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
