/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-lower.h"

G_BEGIN_DECLS

/* A body that is made for its shapes alone: sizes of @types may be unknown. */
SymModel *sym_op_lower_for_rule (SymLayer *layer,
                                 const SymType *types,
                                 guint n_inputs,
                                 guint n_outputs,
                                 GError **error);

G_END_DECLS
