/* SPDX-License-Identifier: MIT */
#include "run/sym-bytes-private.h"

#include <string.h>

#include "run/sym-tiles-private.h"

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

/* ---- Packing ---- */

/* A group of four rows of a whole panel, whose columns are beside each other. */
static void
pack_group (const guint8 *from, gssize row_stride, guint8 flip, gint8 *to, gint32 *sums)
{
  const guint8 *a = from, *b = a + row_stride, *c = b + row_stride, *d = c + row_stride;

  for (gsize j = 0; j < SYM_BYTES_PANEL; j++)
    {
      to[4 * j] = (gint8) (a[j] ^ flip);
      to[4 * j + 1] = (gint8) (b[j] ^ flip);
      to[4 * j + 2] = (gint8) (c[j] ^ flip);
      to[4 * j + 3] = (gint8) (d[j] ^ flip);
    }
  for (gsize j = 0; j < SYM_BYTES_PANEL; j++)
    sums[j] += (gint8) (a[j] ^ flip) + (gint8) (b[j] ^ flip) + (gint8) (c[j] ^ flip) +
               (gint8) (d[j] ^ flip);
}

/* A column whose rows are beside each other, up to @n_groups of four; returns their sum. */
static gint32
pack_column (const guint8 *from, gsize n_groups, guint8 flip, gint8 *to)
{
  guint32 flips = flip * 0x01010101u, group;
  gint32 sum = 0;

  for (gsize i = 0; i < n_groups * SYM_BYTES_GROUP; i++)
    sum += (gint8) (from[i] ^ flip);
  for (gsize i = 0; i < n_groups; i++, to += SYM_BYTES_GROUP * SYM_BYTES_PANEL)
    {
      memcpy (&group, from + i * SYM_BYTES_GROUP, sizeof group);
      group ^= flips;
      memcpy (to, &group, sizeof group);
    }
  return sum;
}

/* Rows from @first on, one by one. */
static void
pack_rows (const SymBytesMatrix *self,
           const guint8 *from,
           gsize first,
           gsize n,
           gint8 *panel,
           gint32 *sums)
{
  for (gsize i = first; i < self->inner; i++)
    {
      const guint8 *row = from + (gssize) i * self->row_stride;
      gint8 *to =
          panel + i / SYM_BYTES_GROUP * SYM_BYTES_GROUP * SYM_BYTES_PANEL + i % SYM_BYTES_GROUP;

      for (gsize j = 0; j < n; j++)
        {
          gint8 weight = (gint8) (row[(gssize) j * self->column_stride] ^ self->flip);

          to[j * SYM_BYTES_GROUP] = weight;
          sums[j] += weight;
        }
    }
}

/* One panel of @n columns: whole groups as they lie best, then what is left. */
static void
pack_panel (const SymBytesMatrix *self, const guint8 *from, gsize n, gint8 *panel, gint32 *sums)
{
  gsize n_groups = self->inner / SYM_BYTES_GROUP, done = 0;

  memset (sums, 0, SYM_BYTES_PANEL * sizeof *sums);
  if (n < SYM_BYTES_PANEL || self->inner % SYM_BYTES_GROUP != 0)
    memset (panel, 0, SYM_BYTES_PANEL * sym_bytes_get_stride (self->inner));
  if (self->column_stride == 1 && n == SYM_BYTES_PANEL)
    for (; done < n_groups; done++)
      pack_group (from + (gssize) (done * SYM_BYTES_GROUP) * self->row_stride, self->row_stride,
                  self->flip, panel + done * SYM_BYTES_GROUP * SYM_BYTES_PANEL, sums);
  else if (self->row_stride == 1)
    for (gsize j = 0; j < n; j++, done = n_groups)
      sums[j] = pack_column (from + (gssize) j * self->column_stride, n_groups, self->flip,
                             panel + j * SYM_BYTES_GROUP);
  pack_rows (self, from, done * SYM_BYTES_GROUP, n, panel, sums);
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

SymBytesProduct
sym_bytes_take_rows (const SymBytesProduct *self, gsize row, gsize n)
{
  SymBytesProduct part = *self;

  part.x += row * self->x_stride;
  part.rows = n;
  if (self->codes != NULL)
    part.codes += row * self->y_stride;
  else
    part.y += row * self->y_stride;
  if (self->addend != NULL)
    part.addend += row * self->y_stride;
  if (self->row_sums != NULL)
    part.row_sums += row;
  return part;
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

/* All but products is by the vectors of the same processors. */
static const SymBytesLoops *
get_tiles (void)
{
  static SymBytesLoops loops;
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      loops = sym_bytes_vnni;
      loops.name = "amx-int8";
      loops.multiply = sym_bytes_multiply_tiles;
      g_once_init_leave (&is_made, 1);
    }
  return &loops;
}

#endif

const SymBytesLoops *
sym_bytes_get_loops (guint i)
{
  const SymBytesLoops *known[5] = { NULL };
  guint n = 0;

#if defined(__x86_64__) && defined(__GNUC__)
  if (sym_tiles_have_bytes () && has_vnni ())
    known[n++] = get_tiles ();
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
