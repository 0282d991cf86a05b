/* SPDX-License-Identifier: MIT */
#include "query/sym-groups-private.h"

/* Repeats by their Lyndon roots: each repeat has a period whose text is smaller than all of its
 * rotations in the order of letters or in the reverse of that, and the longest such text that
 * starts at a place ends where the next smaller suffix starts (Bannai et al., "The runs theorem",
 * 2017).  How far two places agree is found with sums of a polynomial modulo 2^64. */
#define BASE 0x9e3779b97f4a7c15u

typedef struct {
  const guint *elements;
  guint n;
  guint64 *sums; /* by place, and one more: of the elements before */
  guint64 *powers;
} Text;

static guint64
get_sum (const Text *self, guint start, guint length)
{
  return self->sums[start + length] - self->sums[start] * self->powers[length];
}

/* How many elements from @a on are those from @b on; @a before @b. */
static guint
count_forward (const Text *self, guint a, guint b)
{
  guint most = self->n - b;
  guint low = 0;
  guint step = 1;

  if (most == 0 || self->elements[a] != self->elements[b])
    return 0;
  while (low + step <= most && get_sum (self, a + low, step) == get_sum (self, b + low, step))
    {
      low += step;
      step *= 2;
    }
  for (; step > 0; step /= 2)
    if (low + step <= most && get_sum (self, a + low, step) == get_sum (self, b + low, step))
      low += step;
  return low;
}

/* How many elements before @a are those before @b; @a before @b. */
static guint
count_backward (const Text *self, guint a, guint b)
{
  guint low = 0;
  guint step = 1;

  if (a == 0 || self->elements[a - 1] != self->elements[b - 1])
    return 0;
  while (low + step <= a &&
         get_sum (self, a - low - step, step) == get_sum (self, b - low - step, step))
    {
      low += step;
      step *= 2;
    }
  for (; step > 0; step /= 2)
    if (low + step <= a &&
        get_sum (self, a - low - step, step) == get_sum (self, b - low - step, step))
      low += step;
  return low;
}

/* Whether the suffix from @a on is smaller than the one from @b on; @a before @b. */
static gboolean
is_smaller (const Text *self, guint a, guint b, gboolean reversed)
{
  guint n = count_forward (self, a, b);

  if (b + n == self->n)
    return FALSE;
  return (self->elements[a + n] < self->elements[b + n]) != reversed;
}

static void
find_in_order (const Text *self, gboolean reversed, guint *next, GArray *repeats)
{
  for (guint i = self->n; i-- > 0;)
    {
      SymRepeat repeat;
      guint k = i + 1;

      while (k < self->n && is_smaller (self, i, k, reversed))
        k = next[k];
      next[i] = k;
      if (k == self->n)
        continue;
      repeat.period = k - i;
      repeat.start = i - count_backward (self, i, k);
      repeat.end = k + count_forward (self, i, k);
      if (repeat.end - repeat.start >= 2 * repeat.period)
        g_array_append_val (repeats, repeat);
    }
}

static int
compare_repeats (gconstpointer first, gconstpointer second)
{
  const SymRepeat *a = first;
  const SymRepeat *b = second;

  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  if (a->end != b->end)
    return a->end < b->end ? -1 : 1;
  return a->period < b->period ? -1 : a->period > b->period;
}

static void
remove_duplicates (GArray *repeats)
{
  guint n = 0;

  g_array_sort (repeats, compare_repeats);
  for (guint i = 0; i < repeats->len; i++)
    {
      SymRepeat repeat = g_array_index (repeats, SymRepeat, i);

      if (n == 0 || compare_repeats (&g_array_index (repeats, SymRepeat, n - 1), &repeat) != 0)
        g_array_index (repeats, SymRepeat, n++) = repeat;
    }
  g_array_set_size (repeats, n);
}

GArray *
sym_find_repeats (const guint *elements, guint n)
{
  GArray *repeats = g_array_new (FALSE, FALSE, sizeof (SymRepeat));
  g_autofree guint64 *sums = g_new (guint64, n + 1);
  g_autofree guint64 *powers = g_new (guint64, n + 1);
  g_autofree guint *next = g_new (guint, n + 1);
  Text text = { elements, n, sums, powers };

  sums[0] = 0;
  powers[0] = 1;
  for (guint i = 0; i < n; i++)
    {
      sums[i + 1] = sums[i] * BASE + (elements[i] + 1) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
      powers[i + 1] = powers[i] * BASE;
    }
  find_in_order (&text, FALSE, next, repeats);
  find_in_order (&text, TRUE, next, repeats);
  remove_duplicates (repeats);
  return repeats;
}
