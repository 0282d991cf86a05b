/* SPDX-License-Identifier: MIT */
#include "run/sym-memory-area-private.h"

#include <stdint.h>
#include <sys/mman.h>

#include "run/sym-memory-private.h"

/* Pieces are of whole cache lines, what goes back to the system of whole pages. */
#define LINE 64
#define PAGE ((gsize) 4096)

typedef struct {
  gsize offset, n;
  gboolean is_trimmed; /* the system has its pages */
} Gap;

struct _SymMemoryArea {
  gatomicrefcount ref_count;
  GMutex mutex;
  char *memory;
  gsize n_bytes;
  gsize n_asked; /* so far large pages were asked for */
  GArray *gaps;  /* of Gap, by offset, no two of which touch */
};

SymMemoryArea *
sym_memory_area_new (gsize n_bytes)
{
  SymMemoryArea *self;
  Gap all = { 0, 0, TRUE };
  char *memory = sym_memory_map (&n_bytes);

  if (memory == NULL)
    return NULL;
  self = g_new0 (SymMemoryArea, 1);
  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->mutex);
  self->memory = memory;
  self->n_bytes = all.n = n_bytes;
  self->gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  g_array_append_val (self->gaps, all);
  return self;
}

SymMemoryArea *
sym_memory_area_ref (SymMemoryArea *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
sym_memory_area_unref (SymMemoryArea *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  munmap (self->memory, self->n_bytes);
  g_array_unref (self->gaps);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static Gap *
get_gap (const SymMemoryArea *self, guint i)
{
  return &g_array_index (self->gaps, Gap, i);
}

static gsize
round_up (gsize n, gsize unit)
{
  return (n + unit - 1) / unit * unit;
}

/* The smallest that suffices, the first of those. */
static guint
find_gap (const SymMemoryArea *self, gsize n, gboolean is_trimmed)
{
  guint best = G_MAXUINT;

  for (guint i = 0; i < self->gaps->len; i++)
    if (get_gap (self, i)->n >= n && get_gap (self, i)->is_trimmed == is_trimmed &&
        (best == G_MAXUINT || get_gap (self, i)->n < get_gap (self, best)->n))
      best = i;
  return best;
}

/* Of what is free, until it is @n_bytes. */
static void
trim (SymMemoryArea *self, gsize n_bytes)
{
  gsize n = 0;

  for (guint i = 0; i < self->gaps->len && n < n_bytes; i++)
    {
      Gap *gap = get_gap (self, i);
      gsize first = round_up (gap->offset, PAGE), end = (gap->offset + gap->n) / PAGE * PAGE;

      if (gap->is_trimmed || end <= first)
        continue;
      madvise (self->memory + first, end - first, MADV_DONTNEED);
      gap->is_trimmed = TRUE;
      n += end - first;
    }
}

static char *
take_of_gap (SymMemoryArea *self, guint i, gsize n)
{
  Gap *gap = get_gap (self, i);
  gsize offset = gap->offset;

  if (offset + n > self->n_asked)
    self->n_asked =
        sym_memory_ask_for_large_pages (self->memory, self->n_bytes, self->n_asked, offset + n);
  gap->offset += n;
  gap->n -= n;
  if (gap->n == 0)
    g_array_remove_index (self->gaps, i);
  return self->memory + offset;
}

/* Where no gap that is at hand suffices, and pages are asked for anew, here or elsewhere, as many
 * go back first. */
void *
sym_memory_area_take (SymMemoryArea *self, gsize n_bytes)
{
  char *taken = NULL;
  gsize n = round_up (CLAMP (n_bytes, 1, G_MAXSIZE / 2), LINE);
  guint i;

  g_mutex_lock (&self->mutex);
  i = find_gap (self, n, FALSE);
  if (i == G_MAXUINT)
    {
      trim (self, n);
      i = find_gap (self, n, TRUE);
    }
  if (i != G_MAXUINT)
    taken = take_of_gap (self, i, n);
  g_mutex_unlock (&self->mutex);
  return taken;
}

/* The first gap beyond the offset. */
static guint
find_place (const SymMemoryArea *self, gsize offset)
{
  guint low = 0, high = self->gaps->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (get_gap (self, middle)->offset < offset)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Pages that are at hand stay apart from those that are not. */
static gboolean
can_join (const SymMemoryArea *self, guint i, gsize offset)
{
  return i < self->gaps->len && get_gap (self, i)->offset == offset &&
         !get_gap (self, i)->is_trimmed;
}

void
sym_memory_area_give (SymMemoryArea *self, void *memory, gsize n_bytes)
{
  Gap gap = { (gsize) ((char *) memory - self->memory), round_up (MAX (n_bytes, 1), LINE), FALSE };
  guint i;

  g_mutex_lock (&self->mutex);
  i = find_place (self, gap.offset);
  if (can_join (self, i, gap.offset + gap.n))
    {
      gap.n += get_gap (self, i)->n;
      g_array_remove_index (self->gaps, i);
    }
  if (i > 0 && can_join (self, i - 1, gap.offset - get_gap (self, i - 1)->n))
    get_gap (self, i - 1)->n += gap.n;
  else
    g_array_insert_val (self->gaps, i, gap);
  g_mutex_unlock (&self->mutex);
}

void
sym_memory_area_trim (SymMemoryArea *self)
{
  g_mutex_lock (&self->mutex);
  trim (self, G_MAXSIZE);
  g_mutex_unlock (&self->mutex);
}
