/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-value.h"

G_BEGIN_DECLS

/* Renumbers an operand leaf whose tree is still being made. */
void sym_value_set_operand (SymValue *self, guint index);

G_END_DECLS
