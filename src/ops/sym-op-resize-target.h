/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-kernel.h"

G_BEGIN_DECLS

/* What a call of ONNX's Resize asks for: sizes of Y, and for each axis by how much, of which
 * region.
 */
typedef struct {
  gboolean is_resized[SYM_MAX_RANK];
  double scale[SYM_MAX_RANK], roi_start[SYM_MAX_RANK], roi_end[SYM_MAX_RANK];
  SymShape to;
} SymOpResizeTarget;

/* Nothing yet: all axes stay. */
void sym_op_resize_begin (SymOpResizeTarget *self, const SymShape *from);

/* By operands 1 to 3 of version 11 on: roi, which counts where @crops, scales, sizes. */
gboolean sym_op_resize_read (SymKernel *kernel,
                             const SymShape *from,
                             gboolean crops,
                             SymOpResizeTarget *self,
                             GError **error);

/* By a scale for each of @n axes. */
gboolean sym_op_resize_apply_scales (SymOpResizeTarget *self,
                                     const SymShape *from,
                                     const double *scales,
                                     int n_scales,
                                     const int *axes,
                                     int n,
                                     GError **error);

/* The one scale that keeps the ratio of the axes, of sizes that need not; @policy is not_larger or
 * not_smaller. */
double sym_op_resize_find_common_scale (const SymShape *from,
                                        const gint64 *sizes,
                                        const int *axes,
                                        int n,
                                        const char *policy);

/* The short list of floats that operand @slot is; *@n is 0 where there is none. */
gboolean sym_op_resize_read_floats (SymKernel *kernel,
                                    guint slot,
                                    const double **values,
                                    int *n,
                                    GError **error);

G_END_DECLS
