/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"

G_BEGIN_DECLS

/* For kernels whose attributes are so large that they are not to be read in every run: what a
 * kernel made of them, and of nothing else, is kept as long as it lives. */

/* NULL until something is kept. */
gpointer sym_kernel_get_kept (SymKernel *self);

/* Once.  @free may be NULL. */
void sym_kernel_keep (SymKernel *self, gpointer take_data, GDestroyNotify free);

G_END_DECLS
