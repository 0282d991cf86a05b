/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-model.h"
#include "core/sym-rule.h"

G_BEGIN_DECLS

/* The layers that a layer is said in, where only their rules matter: a model of the least that
 * these take, without names and without an order other than that in which calls are added.
 *
 * Values are numbered from 0 as they are added; a call comes after its operands. */
typedef struct _SymRuleParts SymRuleParts;

SymRuleParts *sym_rule_parts_new (void);
void sym_rule_parts_free (SymRuleParts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SymRuleParts, sym_rule_parts_free)

/* The next operand of the layer; a constant, of which a reference is taken. */
SymId sym_rule_parts_add_operand (SymRuleParts *self);
SymId sym_rule_parts_add_constant (SymRuleParts *self, SymTensor *tensor);

/* A call, which is numbered from 0, too, with one result; the results that it has, and one more. */
SymId sym_rule_parts_add_call (SymRuleParts *self, SymLayer *layer, SymIds operands);
SymId sym_rule_parts_get_result (SymRuleParts *self, SymId call, guint i);
SymId sym_rule_parts_append_result (SymRuleParts *self, SymId call);

/* The next result of the layer. */
void sym_rule_parts_add_output (SymRuleParts *self, SymId value);

/* Runs the rules of the calls, once each, as parts of the call that @rule is of, and tells back
 * what follows of its operands and results. */
gboolean sym_rule_infer_parts (SymRule *rule, SymRuleParts *parts, GError **error);

G_END_DECLS
