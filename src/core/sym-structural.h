/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-operator.h"

G_BEGIN_DECLS

/* Operators that take values apart and compute nothing.  The graph itself needs them; the table of
 * src/ops lists them beside the others.  Ends with a NULL name. */
extern const SymOperator sym_op_structural[];

/* UnpackLayer: results are the elements of a tuple, or the slices of a tensor along its first
 * dimension.  `count` is how many there are; `elements` tells which of them are results, when not
 * all are. */
#define SYM_OPERATOR_UNPACK (&sym_op_structural[0])

/* GetAttr: an attribute, by `name`, of a value that is no tensor. */
#define SYM_OPERATOR_GET_ATTRIBUTE (&sym_op_structural[1])

/* TupleLayer: a tuple of its operands, of any kind. */
#define SYM_OPERATOR_TUPLE (&sym_op_structural[2])

G_END_DECLS
