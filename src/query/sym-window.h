/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* The sizes of the window that a convolution or pooling slides, whatever its dialect calls them;
 * where no attribute tells them, as in PyTorch, TensorFlow and OpenVINO, those of a convolution's
 * weights. At most SYM_MAX_RANK, without ties to names: SYM_DIM_UNKNOWN for what is not a number.
 * Returns how many there are, 0 for a layer without. */
int sym_window_get_sizes (const SymModel *model, SymId call, gint64 *sizes);

/* Sizes that a layer tells of its window, such as its strides, without those of the batch and of
 * the channels, which are 1, where it tells them as well, as TensorFlow's [1, 2, 2, 1].  Returns
 * how many of the @n are left. */
int sym_window_drop_ones (const SymModel *model, SymId call, gint64 *sizes, int n);

/* "3x3"; NULL for a layer without, or where a size is not known.  The caller's. */
char *sym_window_format (const SymModel *model, SymId call, const char *separator);

G_END_DECLS
