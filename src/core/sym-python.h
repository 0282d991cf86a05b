/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-terms.h"

G_BEGIN_DECLS

/* How Python shows types and shapes: "(None, 784)", "(10,)", "()"; "tuple" and "ndarray" for what
 * is no tensor; "?" for a shape of unknown rank.  Unknown sizes are None, named ones their names.
 */
char *sym_type_format_symbolic (const SymType *self, const SymTerms *terms);
void sym_type_append_symbolic (const SymType *self, const SymTerms *terms, GString *out);

/* The name of the type in Python: "Tensor", "tuple", "list", or that of the opaque type. */
const char *sym_type_get_python_name (const SymType *self);

G_END_DECLS
