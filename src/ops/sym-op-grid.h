/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What ONNX's GridSample-20 says of one axis: which elements of a picture a place is made of. */

typedef enum {
  SYM_OP_GRID_NEAREST,
  SYM_OP_GRID_LINEAR,
  SYM_OP_GRID_CUBIC,
} SymOpGridMode;

typedef enum {
  SYM_OP_GRID_ZEROS,
  SYM_OP_GRID_BORDER,
  SYM_OP_GRID_REFLECTION,
} SymOpGridPadding;

typedef struct {
  SymOpGridMode mode;
  SymOpGridPadding padding;
  gboolean is_aligned; /* -1 and 1 are the centres of the outermost elements, not their edges */
} SymOpGrid;

#define SYM_OP_GRID_TAPS 4

/* The elements along an axis that one place is made of. */
typedef struct {
  gint64 at[SYM_OP_GRID_TAPS]; /* -1 for a zero beyond the picture */
  double weight[SYM_OP_GRID_TAPS];
  int n;
} SymOpGridTaps;

/* By `mode` and `padding_mode`; NULL, or the name that is none of them. */
const char *sym_op_grid_read (SymOpGrid *self, const char *mode, const char *padding);

/* A coordinate as it counts elements, rounded as its dtype is: which element is the nearest one
 * hangs on that. */
static inline float
sym_op_grid_find_place (const SymOpGrid *self, float coordinate, gint64 size)
{
  return self->is_aligned ? (coordinate + 1) / 2 * (float) (size - 1)
                          : ((coordinate + 1) * (float) size - 1) / 2;
}

/* @place counts elements.  What lies far beyond the picture, or is no number, is read next to it.
 */
void sym_op_grid_find_taps (const SymOpGrid *self, double place, gint64 size, SymOpGridTaps *taps);

G_END_DECLS
