/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-rule.h"

G_BEGIN_DECLS

/* Large graphs have thousands of layers that are alike.  What sym_rule_infer_parts() found out of
 * one whose operands had sizes (numbers, or variables that are free) and dtypes, and no known
 * elements, holds for all that have the same operator, attributes and operands but for other
 * variables: so it is kept while inference runs.
 *
 * TRUE when such a layer was there, and its results are told; *@fits is what sym_rule_infer_parts()
 * would return. */
gboolean sym_rule_recall_parts (SymRule *self, gboolean *fits, GError **error);

G_END_DECLS
