/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/sym-infer.h"

G_BEGIN_DECLS

/* A dimension beyond this cannot be one of a tensor that fits into any memory. */
#define SCOPE_SHAPE_TEXT_MAX_DIM G_GINT64_CONSTANT (1000000000000)

/* A shape as people type it: `1,3,224,224`, `batch × 3 × H × W`, `(None, 784)`, `?` for an unknown
 * dimension, `2*seq+1`, `()` for a scalar.  Owns the texts of its named dimensions. */
typedef struct {
  SymShape shape;
  char *names[SYM_MAX_RANK]; /* NULL where the dimension is a number or unknown */
} ScopeShapeText;

/* NULL with SYM_ERROR_ARGUMENT, which quotes the dimension that is wrong and says what would be
 * right. */
ScopeShapeText *scope_shape_text_parse (const char *text, GError **error);
void scope_shape_text_free (ScopeShapeText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ScopeShapeText, scope_shape_text_free)

/* The same shape as it stands everywhere else: `1×3×224×224`, `()`.  NULL for what is none.  The
 * caller's. */
char *scope_shape_text_tidy (const char *text);

/* A shape to begin with, such as `1,3,1,1` for one of rank 4 whose second dimension is known to be
 * 3; NULL when the rank is unknown.  The caller's. */
char *scope_shape_text_suggest (const SymShape *shape);

G_END_DECLS
