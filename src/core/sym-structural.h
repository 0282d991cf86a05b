/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-operator.h"

G_BEGIN_DECLS

/* Operators that take values apart and compute nothing.  The graph itself needs them; src/ops lists
 * them beside the others. */

/* UnpackLayer: results are the elements of a tuple, or the slices of a tensor along its first
 * dimension.  `count` is how many there are; `elements` tells which of them are results, when not
 * all are. */
extern const SymOperator sym_operator_unpack;

/* GetAttr: an attribute, by `name`, of a value that is no tensor. */
extern const SymOperator sym_operator_get_attribute;

G_END_DECLS
