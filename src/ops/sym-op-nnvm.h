/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* NNVM's own operators, those of its compiler before Relay (TVM 0.1 to 0.5).  Semantics are those
 * of TVM 0.5: nnvm/src/top of its repository.  Weights are sized by attributes, as MXNet's are. */

#define NNVM(name_, summary_, category_) \
  SYM_OP_FOREIGN ("nnvm", name_, NULL, summary_, category_), .reference = "NNVM 0.8 " name_

/* Two operands, or three: the last, a bias, unless use_bias is False. */
int sym_op_nnvm_get_n_with_bias (const SymAttributes *attributes);

extern const SymSlotSpec sym_op_nnvm_data[];     /* "data" */
extern const SymSlotSpec sym_op_nnvm_pair[];     /* "lhs", "rhs" */
extern const SymSlotSpec sym_op_nnvm_weighted[]; /* "data", "weight", "bias" */

G_END_DECLS
