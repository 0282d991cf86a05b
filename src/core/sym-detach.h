/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"

G_BEGIN_DECLS

/* P64, detach_from_graph(): the same model with parameters of its own, under the same names, nested
 * models included.  What shared a parameter or a layer in @self shares its copy (B8).  Setting
 * weights of one of them leaves the other alone; the numbers themselves are not copied, as tensors
 * never change.  Linear in the size of the model. */
SymModel *sym_model_detach (SymModel *self);

G_END_DECLS
