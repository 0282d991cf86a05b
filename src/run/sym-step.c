/* SPDX-License-Identifier: MIT */
#include "run/sym-step-private.h"

void
sym_step_get_slice (guint slice, guint n_slices, gsize n, gsize *first, gsize *end)
{
  *first = n / n_slices * slice + MIN (slice, n % n_slices);
  *end = *first + n / n_slices + (slice < n % n_slices ? 1 : 0);
}
