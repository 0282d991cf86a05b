/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-kernel.h"

G_BEGIN_DECLS

/* For kernels that wait for something else, as for another process. */

/* Whether the kernel belongs to a run, which may wait.  One without a host is tried to learn shapes
 * and to fold constants, when a file is opened: a kernel that would have to wait fails there. */
gboolean sym_kernel_may_wait (SymKernel *self);

/* What cancels the run; NULL for nothing.  Borrowed. */
GCancellable *sym_kernel_get_cancellable (SymKernel *self);

G_END_DECLS
