/* SPDX-License-Identifier: MIT */
#pragma once

#include "ops/sym-op-foreign.h"

G_BEGIN_DECLS

/* Deeplearning4j's layers and vertices, by the names of their classes; aliases are those of files
 * before 1.0.  Features are [N, F], sequences [N, F, T], images [N, C, H, W], volumes
 * [N, C, D, H, W].  What prepares the input of a layer, `preProcessor`, is part of the layer.
 * Semantics are those of Deeplearning4j 1.0.0-M2.1. */

#define DL4J_AS(name_, aliases_, summary_, category_, slots_, attributes_, lower_, is_composite_) \
  {                                                                                               \
    SYM_OP_FOREIGN ("dl4j", name_, aliases_, summary_, category_),                                \
        .reference = "Deeplearning4j " name_, .slots = slots_, .attributes = attributes_,         \
        .get_n_operands = sym_op_foreign_any, .infer = sym_op_dl4j_infer, .lower = lower_,        \
        .is_composite = is_composite_                                                             \
  }
#define DL4J(name_, aliases_, summary_, category_, slots_, attributes_, lower_) \
  DL4J_AS (name_, aliases_, summary_, category_, slots_, attributes_, lower_, FALSE)
#define DL4J_COMPOSITE(name_, aliases_, summary_, slots_, attributes_, lower_) \
  DL4J_AS (name_, aliases_, summary_, WEIGHTS, slots_, attributes_, lower_, TRUE)

/* ---- Parameters ---- */

typedef struct {
  char name[16];
  SymShape shape;
  gboolean is_auxiliary; /* counted, but not trained */
} SymOpDl4jParameter;

#define SYM_OP_DL4J_MAX_PARAMETERS 64

/* The parameters of a layer of @op (NULL has none) in their order, which follow its input as
 * operands. */
guint sym_op_dl4j_list_parameters (const SymOperator *op,
                                   const SymAttributes *attributes,
                                   SymOpDl4jParameter list[SYM_OP_DL4J_MAX_PARAMETERS]);

/* To be infer: parameters have the shapes of the list, all else follows from the body. */
gboolean sym_op_dl4j_infer (SymRule *rule, GError **error);

/* `nin` or `nout`, which some files write with a capital; 0 for none. */
gint64 sym_op_dl4j_get_features (const SymAttributes *attributes, const char *name);

/* ---- Bodies ---- */

const SymAttributes *sym_op_dl4j_attributes (SymOpLower *self);

/* The shape that the layer's preprocessor takes, where it has axes to lay together; unknown else.
 */
SymShape sym_op_dl4j_get_wanted (const SymAttributes *attributes);

/* Operand 0 as the layer's preprocessor leaves it; in *@rank its axes. */
SymId sym_op_dl4j_input (SymOpLower *self, int *rank);

/* The class of an attribute, without its package: "ActivationReLU", "ReLU"; and one of its numbers
 * or words, NULL for none. */
const char *sym_op_dl4j_get_class (const SymAttributes *attributes, const char *name);
double sym_op_dl4j_get_number (const SymAttributes *attributes,
                               const char *name,
                               const char *key,
                               double fallback);
const char *
sym_op_dl4j_get_word (const SymAttributes *attributes, const char *name, const char *key);

/* The name of the layer's function in lower case, as "relu"; @fallback without any. */
char *
sym_op_dl4j_dup_function (const SymAttributes *attributes, const char *name, const char *fallback);

/* @x in the layer's function, over axis 1 where it looks at several elements. */
SymId sym_op_dl4j_activate (SymOpLower *self, SymId x);

G_END_DECLS
