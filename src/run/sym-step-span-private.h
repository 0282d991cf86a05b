/* SPDX-License-Identifier: MIT */
#pragma once

#include "run/sym-step-private.h"

G_BEGIN_DECLS

/* Elements of an axis of a result that need the same taps of the kernel, at the same distances:
 * those in the middle, and some at the ends.  Of transposed convolutions each stride-th element is
 * like the one before, so that there are as many spans more. */
typedef struct {
  gint64 first, step, n;        /* of the result */
  gint64 from, x_step;          /* of x: where the first tap is for the first element */
  gint64 tap, tap_step, n_taps; /* of the kernel */
  gint64 x_tap_step;            /* of x, from one tap to the next */
} SymSpan;

/* The one of element @i of a transposed convolution alone: element j of x goes to j * stride -
 * before
 * + tap * dilation.  Taps are from the last one on, so that what they read comes in order. */
SymSpan sym_step_find_transposed (const SymPlanAxis *axis, gint64 i);

/* One span of each axis: what is in it is computed in the same way. */
typedef struct {
  const SymSpan *spans[SYM_PLAN_AXES];
} SymBox;

/* The spans of each axis of a volume, in arrays of SymSpan that the caller owns; returns the number
 * of boxes. */
gsize sym_step_find_spans (const SymPlanOp *op, GArray **spans);

/* Borrowed from the arrays. */
SymBox sym_step_get_box (GArray *const *spans, gsize i);

G_END_DECLS
