/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* nGraph's operators of version 0, by the names and attributes of its serialised functions.  Shapes
 * are explicit there: nothing broadcasts by itself.  Semantics are those of nGraph 0.29. */

#define NGRAPH(name_, aliases_, summary_, category_)                                      \
  SYM_OP_FOREIGN ("ngraph", name_, aliases_, summary_, category_), .reference = "nGraph " \
                                                                                "0.29 " name_

#define NGRAPH_ELEMENTS(name_, aliases_, summary_, category_, formula_)                     \
  {                                                                                         \
    NGRAPH (name_, aliases_, summary_, category_),                                          \
        .slots = sym_op_foreign_one, .infer = sym_op_infer_elementwise, .formula = formula_ \
  }

#define NGRAPH_LOWERED(name_, aliases_, summary_, category_, slots_, attributes_, lower_)         \
  {                                                                                               \
    NGRAPH (name_, aliases_, summary_, category_), .slots = slots_, .attributes = attributes_,    \
                                                   .get_n_outputs = sym_op_foreign_first,         \
                                                   .infer = sym_op_infer_lowered, .lower = lower_ \
  }

/* "float", "int64_t"; "char" is a truth. */
SymDType sym_op_ngraph_get_dtype (SymOpLower *self, const char *name, SymDType fallback);

G_END_DECLS
