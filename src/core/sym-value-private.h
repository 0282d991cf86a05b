/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-value.h"

G_BEGIN_DECLS

/* Renumbers an operand leaf whose tree is still being made. */
void sym_value_set_operand (SymValue *self, guint index);

/* Python's literal of a text, which may hold NULs. */
void sym_value_print_string (GString *out, const char *text, gsize length);

G_END_DECLS
