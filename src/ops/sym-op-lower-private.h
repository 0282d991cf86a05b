/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model-builder.h"
#include "core/sym-rule-parts.h"
#include "ops/sym-op-lower.h"

G_BEGIN_DECLS

/* The parts of a body that is made for its shapes alone: sizes of @types may be unknown. */
SymRuleParts *sym_op_lower_for_rule (SymLayer *layer,
                                     const SymType *types,
                                     guint n_inputs,
                                     guint n_outputs,
                                     GError **error);

/* What a body is made in: a model, or its parts.  One of the two is NULL. */
typedef struct {
  SymModelBuilder *builder;
  SymRuleParts *parts;
} SymOpTarget;

SymId sym_op_target_add_operand (const SymOpTarget *self, guint i, const SymType *type);
SymId sym_op_target_add_constant (const SymOpTarget *self, SymTensor *tensor);

/* A call with one result; the results that it has, and one more. */
SymId sym_op_target_add_call (const SymOpTarget *self, SymLayer *layer, SymIds operands);
SymId sym_op_target_get_result (const SymOpTarget *self, SymId call, guint i);
SymId sym_op_target_append_result (const SymOpTarget *self, SymId call);
void sym_op_target_add_output (const SymOpTarget *self, SymId value);
void sym_op_target_free (SymOpTarget *self);

G_END_DECLS
