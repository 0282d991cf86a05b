/* SPDX-License-Identifier: MIT */
#pragma once

#include <string.h>

#include "run/sym-panel-private.h"

G_BEGIN_DECLS

/* A part of a product: one panel, and some of what is inside.  All but the first part of the inside
 * add to what is in y. */
typedef struct {
  const SymPanelProduct *product;
  const float *panel; /* from row @first of the matrix on */
  gsize column, first, n_inner;
  gboolean is_last;
  const float *ahead; /* numbers that come near meanwhile, to be multiplied next */
  gsize n_ahead;
} SymPanelPart;

typedef void (*SymPanelMultiply) (const SymPanelPart *part, gsize row, gsize end);

/* At most a panel's worth of numbers by two pieces of @size that may overlap.  That is known while
 * compiling: compilers copy by slow instructions what is of a size between. */
static inline __attribute__ ((always_inline)) void
sym_panel_copy_pieces (float *to, const float *from, gsize n, const gsize size)
{
  memcpy (to, from, size * sizeof *to);
  memcpy (to + n - size, from + n - size, size * sizeof *to);
}

static inline __attribute__ ((always_inline)) void
sym_panel_copy_row (float *to, const float *from, gsize n)
{
  if (n >= 16)
    sym_panel_copy_pieces (to, from, n, 16);
  else if (n >= 8)
    sym_panel_copy_pieces (to, from, n, 8);
  else if (n >= 4)
    sym_panel_copy_pieces (to, from, n, 4);
  else if (n >= 2)
    sym_panel_copy_pieces (to, from, n, 2);
  else if (n == 1)
    *to = *from;
}

/* Rows from @row to before @end, for processors with AVX-512, with AVX2 and FMA, and all others. */
void sym_panel_multiply_512 (const SymPanelPart *part, gsize row, gsize end);
void sym_panel_multiply_256 (const SymPanelPart *part, gsize row, gsize end);
void sym_panel_multiply_plain (const SymPanelPart *part, gsize row, gsize end);

/* The functions that this processor can run, the best one first; NULL after the last. */
SymPanelMultiply sym_panel_get_function (guint i);

/* Whether there are so few columns that sym_panel_multiply_narrow() is quicker. */
gboolean sym_panel_is_narrow (const SymPanelProduct *self);
void sym_panel_multiply_narrow (const SymPanelProduct *self);

/* sym_panel_multiply() by one of them. */
void sym_panel_multiply_by (const SymPanelProduct *self, SymPanelMultiply multiply);

G_END_DECLS
