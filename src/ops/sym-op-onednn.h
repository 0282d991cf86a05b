/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* The operations of oneDNN's graph API, by the names of its dumps.  A logical tensor tells the
 * dtype of each result; where that is not the one of the first operand, readers put it among the
 * attributes, as `output_dtype`; so they do with the `groups` of a ConvTranspose where its weights
 * have scales.  Semantics are those of oneDNN 3.7. */

#define ONEDNN(name_, aliases_, summary_, category_)                                      \
  SYM_OP_FOREIGN ("onednn", name_, aliases_, summary_, category_), .reference = "oneDNN " \
                                                                                "3.7 " name_

#define ONEDNN_LOWERED(name_, summary_, category_, slots_, attributes_, lower_)               \
  {                                                                                           \
    ONEDNN (name_, NULL, summary_, category_), .slots = slots_, .attributes = attributes_,    \
                                               .get_n_outputs = sym_op_foreign_first,         \
                                               .infer = sym_op_infer_lowered, .lower = lower_ \
  }

/* Output 0, in the dtype that the result has; @x is of that of operand 0. */
void sym_op_onednn_set (SymOpLower *self, SymId x);
SymDType sym_op_onednn_get_dtype (SymOpLower *self);

/* Where the channels are: behind the window's axes unless NCX. */
gboolean sym_op_onednn_is_channels_last (SymOpLower *self);

G_END_DECLS
