/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* PaddlePaddle's operators, by the names of its programs (ProgramDesc, Paddle.js) and of PIR, which
 * often has others ("elementwise_add", "add").  Operands are in PIR's order, and slots have the
 * names that ProgramDesc has for them; a list of tensors comes last.  Semantics are those of Paddle
 * 2.6 and 3.0. */

#define PADDLE(name_, aliases_, summary_, category_)                                      \
  SYM_OP_FOREIGN ("paddle", name_, aliases_, summary_, category_), .reference = "Paddle " \
                                                                                "3.0 " name_

/* A result of each element of operand 0 alone, told by a formula. */
#define PADDLE_ELEMENTS(name_, aliases_, summary_, category_, formula_)                    \
  {                                                                                        \
    PADDLE (name_, aliases_, summary_, category_),                                         \
        .slots = sym_op_paddle_one, .infer = sym_op_infer_elementwise, .formula = formula_ \
  }

#define PADDLE_LOWERED(name_, aliases_, summary_, category_, slots_, attributes_, lower_)         \
  {                                                                                               \
    PADDLE (name_, aliases_, summary_, category_), .slots = slots_, .attributes = attributes_,    \
                                                   .get_n_outputs = sym_op_foreign_first,         \
                                                   .infer = sym_op_infer_lowered, .lower = lower_ \
  }

extern const SymSlotSpec sym_op_paddle_one[];  /* "X" */
extern const SymSlotSpec sym_op_paddle_two[];  /* "X", "Y" */
extern const SymSlotSpec sym_op_paddle_many[]; /* "X", to be repeated */

/* "float32", or the number that ProgramDesc has for it. */
SymDType sym_op_paddle_get_dtype (SymOpLower *self, const char *name, SymDType fallback);

/* What `fuse_relu`, `fuse_activation`, `activation_type` or `with_act` of a fused layer make of @x.
 */
SymId sym_op_paddle_activate (SymOpLower *self, SymId x);

gboolean sym_op_paddle_is_channels_last (SymOpLower *self);

/* ---- Recurrent layers ---- */

extern const SymAttributeSpec sym_op_paddle_recurrent_attributes[];

gboolean sym_op_paddle_infer_recurrent (SymRule *rule, GError **error);
void sym_op_paddle_lower_recurrent (SymOpLower *lower);

/* ---- Boxes ---- */

extern const SymAttributeSpec sym_op_paddle_yolo_attributes[], sym_op_paddle_nms_attributes[];

gboolean sym_op_paddle_infer_yolo (SymRule *rule, GError **error);
void sym_op_paddle_lower_yolo (SymOpLower *lower);
gboolean sym_op_paddle_infer_nms (SymRule *rule, GError **error);
void sym_op_paddle_lower_nms (SymOpLower *lower);

G_END_DECLS
