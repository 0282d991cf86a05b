/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-engine.h"

G_BEGIN_DECLS

/* What Acuity's layers over images and over sequences have in common. */

/* Output 0 of a pool of `type` MAX or AVG, of the whole where `global_pooling` is set. */
void sym_op_acuity_pool (SymOpLower *self, const SymOpForeignWindow *window);

G_END_DECLS
