/* SPDX-License-Identifier: MIT */
#include "run/sym-panel-part-private.h"

#include <string.h>

#include "run/sym-vector-rows-private.h"

gsize
sym_panel_get_n (gsize inner, gsize outer)
{
  return (outer + SYM_PANEL - 1) / SYM_PANEL * SYM_PANEL * inner;
}

void
sym_panel_pack (float *panels,
                const float *from,
                gssize row_stride,
                gssize column_stride,
                gsize inner,
                gsize outer)
{
  for (gsize first = 0; first < outer; first += SYM_PANEL, panels += inner * SYM_PANEL)
    {
      const float *begin = from + (gssize) first * column_stride;
      gsize n = MIN (outer - first, SYM_PANEL);

      if (n < SYM_PANEL)
        memset (panels, 0, inner * SYM_PANEL * sizeof *panels);
      if (column_stride != 1 && row_stride == 1)
        sym_vector_turn (panels, SYM_PANEL, begin, column_stride, n, inner);
      else if (column_stride == 1)
        for (gsize i = 0; i < inner; i++)
          sym_panel_copy_row (panels + i * SYM_PANEL, begin + (gssize) i * row_stride, n);
      else
        for (gsize i = 0; i < inner; i++)
          for (gsize j = 0; j < n; j++)
            panels[i * SYM_PANEL + j] = begin[(gssize) i * row_stride + (gssize) j * column_stride];
    }
}

/* ---- Kinds of processors ---- */

#if defined(__x86_64__) && defined(__GNUC__)

static gboolean
has_512 (void)
{
  return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512vl") &&
         __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512dq") &&
         __builtin_cpu_supports ("avx512cd");
}

static gboolean
has_256 (void)
{
  return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") &&
         __builtin_cpu_supports ("bmi2");
}

#endif

SymPanelMultiply
sym_panel_get_function (guint i)
{
  SymPanelMultiply functions[4] = { NULL };
  guint n = 0;

#if defined(__x86_64__) && defined(__GNUC__)
  if (has_512 ())
    functions[n++] = sym_panel_multiply_512;
  if (has_256 ())
    functions[n++] = sym_panel_multiply_256;
#endif
  functions[n++] = sym_panel_multiply_plain;
  return i < n ? functions[i] : NULL;
}

/* ---- Products ---- */

/* So much of x as stays near while all panels pass it, in pieces of about the same size. */
#define MOST_ROWS 192
#define MOST_INNER 768
#define ROW_UNIT 12 /* rows are taken by so many, or by parts of that */

static gsize
divide (gsize n, gsize most, gsize unit)
{
  gsize n_pieces = MAX ((n + most - 1) / most, 1);

  return ((n + n_pieces - 1) / n_pieces + unit - 1) / unit * unit;
}

/* How many of the inside are taken together. */
static gsize
find_n_inner (gsize rows, gsize inner)
{
  return MAX (divide (inner, MOST_ROWS * MOST_INNER / CLAMP (rows, 1, MOST_ROWS), 1), 1);
}

gboolean
sym_panel_has_parts (gsize rows, gsize inner)
{
  return find_n_inner (rows, inner) < inner;
}

/* Parts of the same rows that come one after the other: of each panel, then of the inside. */
static void
multiply_rows (const SymPanelProduct *self, SymPanelMultiply multiply, gsize row, gsize end)
{
  gsize n_inner = find_n_inner (self->rows, self->inner);
  gsize packed = self->packed > 0 ? self->packed : self->inner;
  const float *behind =
      self->panels + (self->outer + SYM_PANEL - 1) / SYM_PANEL * SYM_PANEL * packed;
  const float *then = end < self->rows ? self->panels : self->next == NULL ? behind : self->next;

  for (gsize k = 0; k == 0 || k < self->inner; k += n_inner)
    for (gsize column = 0; column < self->outer; column += SYM_PANEL)
      {
        gboolean is_last = k + n_inner >= self->inner;
        SymPanelPart part = { .product = self,
                              .panel = self->panels + column * packed + k * SYM_PANEL,
                              .column = column,
                              .first = k,
                              .n_inner = MIN (n_inner, self->inner - k),
                              .is_last = is_last,
                              .n_ahead = n_inner * SYM_PANEL };

        if (column + SYM_PANEL < self->outer)
          part.ahead = part.panel + SYM_PANEL * packed;
        else
          part.ahead = is_last ? then : self->panels + (k + n_inner) * SYM_PANEL;
        multiply (&part, row, end);
      }
}

void
sym_panel_multiply_by (const SymPanelProduct *self, SymPanelMultiply multiply)
{
  gsize n_rows = divide (self->rows, MOST_ROWS, ROW_UNIT);

  for (gsize row = 0; row < self->rows; row += n_rows)
    multiply_rows (self, multiply, row, MIN (row + n_rows, self->rows));
}

void
sym_panel_multiply (const SymPanelProduct *self)
{
  if (sym_panel_is_narrow (self))
    sym_panel_multiply_narrow (self);
  else
    sym_panel_multiply_by (self, sym_panel_get_function (0));
}
