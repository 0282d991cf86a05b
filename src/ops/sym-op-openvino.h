/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* OpenVINO's operations, by the names and attributes of its IR (opsets 1 to 15).  Axes, sizes and
 * the like are operands there: where they are constant, readers have them among the attributes as
 * well. Semantics are those of OpenVINO 2024. */

#define OPENVINO(name_, aliases_, summary_, category_)               \
  SYM_OP_FOREIGN ("openvino", name_, aliases_, summary_, category_), \
      .reference = "OpenVINO 2024 " name_

#define OPENVINO_LOWERED_AS(name_, aliases_, summary_, category_, slots_, attributes_, lower_, \
                            is_composite_)                                                     \
  {                                                                                            \
    OPENVINO (name_, aliases_, summary_, category_),                                           \
        .slots = slots_, .attributes = attributes_, .get_n_outputs = sym_op_foreign_first,     \
        .infer = sym_op_infer_lowered, .lower = lower_, .is_composite = is_composite_          \
  }
#define OPENVINO_LOWERED(name_, aliases_, summary_, category_, slots_, attributes_, lower_) \
  OPENVINO_LOWERED_AS (name_, aliases_, summary_, category_, slots_, attributes_, lower_, FALSE)
#define OPENVINO_COMPOSITE(name_, summary_, slots_, attributes_, lower_) \
  OPENVINO_LOWERED_AS (name_, NULL, summary_, WEIGHTS, slots_, attributes_, lower_, TRUE)

#define OPENVINO_MAP_BY(name_, summary_, category_, attributes_, formula_)                         \
  {                                                                                                \
    OPENVINO (name_, NULL, summary_, category_),                                                   \
        .slots = sym_op_foreign_one, .attributes = attributes_, .infer = sym_op_infer_elementwise, \
        .formula = formula_                                                                        \
  }
#define OPENVINO_MAP(name_, summary_, category_, formula_) \
  OPENVINO_MAP_BY (name_, summary_, category_, NULL, formula_)

/* "f32", "i64", "boolean". */
SymDType sym_op_openvino_get_dtype (SymOpLower *self, const char *name, SymDType fallback);

/* Operand @i as int64. */
SymId sym_op_openvino_ints (SymOpLower *self, guint i);

/* ---- Before IR 10 ---- */

/* Operand @i, a number for each channel or one for all, as data of @rank. */
SymId sym_op_openvino_spread (SymOpLower *self, guint i, int rank);

G_END_DECLS
