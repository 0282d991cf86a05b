/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-shape.h"

G_BEGIN_DECLS

/* What a file tells of a tensor in more than one place. */

/* Whether both can be right: a part that one of them leaves open, and a size that is no number,
 * agree with anything; so does what is no tensor. */
gboolean sym_told_agree (const SymType *a, const SymType *b);

/* "[?,7]", as inference writes shapes; "[...]" without a rank.  Free it. */
char *sym_told_format_shape (const SymShape *shape);

/* The same after the dtype, if there is one: "float32[?,7]".  Free it. */
char *sym_told_format (const SymType *type);

G_END_DECLS
