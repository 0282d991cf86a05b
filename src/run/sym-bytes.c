/* SPDX-License-Identifier: MIT */
#include "run/sym-bytes-private.h"

#include <string.h>

gsize
sym_bytes_get_stride (gsize n)
{
  return (n + SYM_BYTES_GROUP - 1) / SYM_BYTES_GROUP * SYM_BYTES_GROUP;
}

gsize
sym_bytes_get_n (gsize inner, gsize outer)
{
  return (outer + SYM_BYTES_PANEL - 1) / SYM_BYTES_PANEL * SYM_BYTES_PANEL *
         sym_bytes_get_stride (inner);
}

/* One panel of @n columns. */
static void
pack_panel (const SymBytesMatrix *self, const guint8 *from, gsize n, gint8 *panel, gint32 *sums)
{
  memset (sums, 0, SYM_BYTES_PANEL * sizeof *sums);
  if (n < SYM_BYTES_PANEL || self->inner % SYM_BYTES_GROUP != 0)
    memset (panel, 0, SYM_BYTES_PANEL * sym_bytes_get_stride (self->inner));
  for (gsize i = 0; i < self->inner; i++)
    {
      const guint8 *row = from + (gssize) i * self->row_stride;
      gint8 *to =
          panel + i / SYM_BYTES_GROUP * SYM_BYTES_GROUP * SYM_BYTES_PANEL + i % SYM_BYTES_GROUP;

      for (gsize j = 0; j < n; j++)
        {
          gint8 weight = (gint8) (guint8) (row[(gssize) j * self->column_stride] + self->flip);

          to[j * SYM_BYTES_GROUP] = weight;
          sums[j] += weight;
        }
    }
}

void
sym_bytes_pack (const SymBytesMatrix *self, gint8 *panels, gint32 *sums)
{
  for (gsize first = 0; first < self->outer; first += SYM_BYTES_PANEL)
    {
      pack_panel (self, self->from + (gssize) first * self->column_stride,
                  MIN (self->outer - first, SYM_BYTES_PANEL), panels, sums + first);
      panels += SYM_BYTES_PANEL * sym_bytes_get_stride (self->inner);
    }
}

/* ---- Kinds of processors ---- */

#if defined(__x86_64__) && defined(__GNUC__)

static gboolean
has_avx2 (void)
{
  return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") &&
         __builtin_cpu_supports ("bmi2");
}

static gboolean
has_vnni (void)
{
  return has_avx2 () && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512vl") &&
         __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512dq") &&
         __builtin_cpu_supports ("avx512cd") && __builtin_cpu_supports ("avx512vnni");
}

#endif

const SymBytesLoops *
sym_bytes_get_loops (guint i)
{
  const SymBytesLoops *known[4] = { NULL };
  guint n = 0;

#if defined(__x86_64__) && defined(__GNUC__)
  if (has_vnni ())
    known[n++] = &sym_bytes_vnni;
  if (has_avx2 ())
    known[n++] = &sym_bytes_avx2;
#endif
  known[n++] = &sym_bytes_plain;
  return i < n ? known[i] : NULL;
}

void
sym_bytes_multiply (const SymBytesProduct *self)
{
  sym_bytes_get_loops (0)->multiply (self);
}

void
sym_bytes_quantize (const SymBytesCodes *self)
{
  sym_bytes_get_loops (0)->quantize (self);
}

void
sym_bytes_find_range (const float *x, gsize n, float *least, float *greatest)
{
  sym_bytes_get_loops (0)->find_range (x, n, least, greatest);
}

void
sym_bytes_expand (const guint8 *codes, float *y, gsize n, gint32 zero)
{
  sym_bytes_get_loops (0)->expand (codes, y, n, zero);
}

void
sym_bytes_add (const SymBytesSum *self)
{
  sym_bytes_get_loops (0)->add (self);
}

void
sym_bytes_weigh (const SymBytesWindow *self)
{
  sym_bytes_get_loops (0)->weigh (self);
}
